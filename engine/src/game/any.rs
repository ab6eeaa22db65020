//! Any of the games as one type, for whoever learns only at run time which it is.

use super::bricks::{Bricks, BricksSmall};
use super::connect::board::Connect;
use super::connect::grid::Stacks;
use super::connect::small::ConnectSmall;
use super::mnk::board::Mnk;
use super::mnk::small::MnkSmall;
use super::{
    Effort, Family, Game, GameVisitor, IllegalMove, Move, Outcome, Side, Symmetry, Tactics,
};
use crate::score::Score;
use crate::search::ordering::MoveSink;
use crate::search::table::Bucket;
use crate::spec::GameSpec;
use crate::spec::SpecError;

/// A position of any game, with the largest boards that the rules name.
pub type Position = AnyGame<4_900, 10_000, 400>;

/// A position of any game, with room for this many cells of each.
pub type AnyGame<const MNK: usize, const CONNECT: usize, const BRICKS: usize> =
    OneOf<MnkSmall, Mnk<MNK>, ConnectSmall, Connect<CONNECT>, BricksSmall, Bricks<BRICKS>>;

/// One of six layouts of games, or of references to them.
#[allow(clippy::large_enum_variant)] // There is no heap; one position exists at a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OneOf<A, B, C, D, E, F> {
    /// mnk, up to 64 cells.
    MnkSmall(A),
    /// mnk, larger.
    Mnk(B),
    /// Connect X in 64 bits.
    ConnectSmall(C),
    /// Connect X, larger.
    Connect(D),
    /// Bricks, up to 8x8.
    BricksSmall(E),
    /// Bricks, larger.
    Bricks(F),
}

/// Which layout a game has.
enum Layout {
    MnkSmall { rows: u8, cols: u8, k: u16, exact: bool },
    Mnk { rows: u8, cols: u8, k: u16, exact: bool },
    ConnectSmall { rows: u8, cols: u8, x: u16 },
    Connect { rows: u8, cols: u8, x: u16 },
    BricksSmall { size: u8 },
    Bricks { size: u8 },
}

/// The most cells of a board in machine words.
const SMALL_CELLS: usize = 64;

/// The smallest layout that holds the game.
const fn layout(spec: GameSpec) -> Layout {
    let small = spec.cells() <= SMALL_CELLS;
    match spec {
        GameSpec::Mnk { rows, cols, k, exact } if small => {
            Layout::MnkSmall { rows, cols, k, exact }
        }
        GameSpec::Mnk { rows, cols, k, exact } => Layout::Mnk { rows, cols, k, exact },
        GameSpec::Connect { rows, cols, x } if ConnectSmall::fits(rows, cols) => {
            Layout::ConnectSmall { rows, cols, x }
        }
        GameSpec::Connect { rows, cols, x } => Layout::Connect { rows, cols, x },
        GameSpec::Bricks { size } if small => Layout::BricksSmall { size },
        GameSpec::Bricks { size } => Layout::Bricks { size },
    }
}

/// Whether the layout for any size, with room for this many cells, or the small one holds a board.
fn check_capacity(spec: GameSpec, capacities: [usize; 3]) -> Result<(), SpecError> {
    let [mnk, connect, bricks] = capacities;
    let capacity = match layout(spec) {
        Layout::Mnk { .. } => mnk,
        Layout::Connect { .. } => connect,
        Layout::Bricks { .. } => bricks,
        _ => return Ok(()),
    };
    if spec.cells() > capacity { Err(SpecError::TooLarge { capacity }) } else { Ok(()) }
}

impl<const MNK: usize, const CONNECT: usize, const BRICKS: usize> AnyGame<MNK, CONNECT, BRICKS> {
    /// The empty board.
    ///
    /// # Errors
    /// The board is larger than this build holds.
    pub fn new(spec: GameSpec) -> Result<Self, SpecError> {
        Ok(match layout(spec) {
            Layout::MnkSmall { rows, cols, k, exact } => {
                OneOf::MnkSmall(MnkSmall::new(rows, cols, k, exact)?)
            }
            Layout::Mnk { rows, cols, k, exact } => OneOf::Mnk(Mnk::new(rows, cols, k, exact)?),
            Layout::ConnectSmall { rows, cols, x } => {
                OneOf::ConnectSmall(ConnectSmall::new(rows, cols, x)?)
            }
            Layout::Connect { rows, cols, x } => OneOf::Connect(Connect::new(rows, cols, x)?),
            Layout::BricksSmall { size } => OneOf::BricksSmall(BricksSmall::new(size)?),
            Layout::Bricks { size } => OneOf::Bricks(Bricks::new(size)?),
        })
    }
}

/// The methods of [`Game`], each handed on to a game inside, which `$inside!(self, method())` calls.
macro_rules! delegate_game {
    ($inside:ident) => {
        fn spec(&self) -> GameSpec {
            $inside!(self, spec())
        }
        fn ply(&self) -> usize {
            $inside!(self, ply())
        }
        fn played(&self, n: usize) -> Option<Move> {
            $inside!(self, played(n))
        }
        fn stone(&self, cell: usize) -> Option<Side> {
            $inside!(self, stone(cell))
        }
        fn check(&self, mv: Move) -> Result<(), IllegalMove> {
            $inside!(self, check(mv))
        }
        fn make(&mut self, mv: Move) {
            $inside!(self, make(mv));
        }
        fn unmake(&mut self) {
            $inside!(self, unmake());
        }
        fn outcome(&self) -> Option<Outcome> {
            $inside!(self, outcome())
        }
        fn final_score(&self) -> Option<Score> {
            $inside!(self, final_score())
        }
        fn plies_left(&self) -> usize {
            $inside!(self, plies_left())
        }
        fn key(&self) -> u64 {
            $inside!(self, key())
        }
        fn key_bits(&self) -> u32 {
            $inside!(self, key_bits())
        }
        fn evaluate(&self) -> Score {
            $inside!(self, evaluate())
        }
        fn tactics(&self) -> Tactics {
            $inside!(self, tactics())
        }
        fn double_threat(&self) -> Option<Move> {
            $inside!(self, double_threat())
        }
        fn is_threatened(&self) -> bool {
            $inside!(self, is_threatened())
        }
        fn bounds(&self, alpha: Score, beta: Score, effort: Effort) -> (Score, Score) {
            $inside!(self, bounds(alpha, beta, effort))
        }
        fn is_dead(&self) -> bool {
            $inside!(self, is_dead())
        }
        fn expect_evaluation(&mut self, expected: bool) {
            $inside!(self, expect_evaluation(expected));
        }
        fn generate(&self, sink: &mut MoveSink<'_>) {
            $inside!(self, generate(sink));
        }
        fn wins_soon(&self) -> bool {
            $inside!(self, wins_soon())
        }
        fn deed(&self, mv: Move) -> usize {
            $inside!(self, deed(mv))
        }
        fn symmetries(&self) -> u8 {
            $inside!(self, symmetries())
        }
        fn key_under(&self, symmetry: Symmetry) -> u64 {
            $inside!(self, key_under(symmetry))
        }
        fn map_move(&self, mv: Move, symmetry: Symmetry) -> Move {
            $inside!(self, map_move(mv, symmetry))
        }
        fn stacks(&self) -> Option<Stacks> {
            $inside!(self, stacks())
        }
    };
}

/// Calls the game in a variant.
macro_rules! in_variant {
    ($any:expr, $($call:tt)*) => {
        match $any {
            OneOf::MnkSmall(game) => game.$($call)*,
            OneOf::Mnk(game) => game.$($call)*,
            OneOf::ConnectSmall(game) => game.$($call)*,
            OneOf::Connect(game) => game.$($call)*,
            OneOf::BricksSmall(game) => game.$($call)*,
            OneOf::Bricks(game) => game.$($call)*,
        }
    };
}

impl<A: Game, B: Game, C: Game, D: Game, E: Game, F: Game> Game for OneOf<A, B, C, D, E, F> {
    delegate_game!(in_variant);

    /// The search is compiled for each game, or, where flash is scarce, once for all of them.
    fn dispatch<V: GameVisitor>(&mut self, visitor: V) -> V::Output {
        if cfg!(feature = "compact") {
            visitor.visit(self)
        } else {
            in_variant!(self, dispatch(visitor))
        }
    }
}

/// Calls the game behind a reference.
macro_rules! behind {
    ($reference:expr, $($call:tt)*) => {
        (**$reference).$($call)*
    };
}

impl<G: Game> Game for &mut G {
    const FAMILY: Option<Family> = G::FAMILY;
    delegate_game!(behind);

    fn dispatch<V: GameVisitor>(&mut self, visitor: V) -> V::Output {
        (**self).dispatch(visitor)
    }
}

/// A game that lives together with a table; see [`SharedGame`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WithTable<G, const BUCKETS: usize> {
    game: G,
    table: heapless::Vec<Bucket, BUCKETS>,
}

/// Calls the game beside the table.
macro_rules! beside {
    ($with_table:expr, $($call:tt)*) => {
        $with_table.game.$($call)*
    };
}

impl<G: Game, const BUCKETS: usize> Game for WithTable<G, BUCKETS> {
    const FAMILY: Option<Family> = G::FAMILY;
    delegate_game!(beside);

    fn dispatch<V: GameVisitor>(&mut self, visitor: V) -> V::Output {
        self.game.dispatch(visitor)
    }
}

/// A position of any game and a transposition table in one piece of memory: where the game is
/// small, the table gets the room that large boards need. `SMALL` and `LARGE` are the buckets
/// beside games up to 64 cells, and beside larger ones; `LARGE_BRICKS` those beside bricks of more than 64
/// cells, which take less room than the other two.
pub type SharedGame<
    const MNK: usize,
    const CONNECT: usize,
    const BRICKS: usize,
    const SMALL: usize,
    const LARGE_BRICKS: usize,
    const LARGE: usize,
> = OneOf<
    WithTable<MnkSmall, SMALL>,
    WithTable<Mnk<MNK>, LARGE>,
    WithTable<ConnectSmall, SMALL>,
    WithTable<Connect<CONNECT>, LARGE>,
    WithTable<BricksSmall, SMALL>,
    WithTable<Bricks<BRICKS>, LARGE_BRICKS>,
>;

/// A reference to a game of any kind.
pub type AnyGameRef<'a, const MNK: usize, const CONNECT: usize, const BRICKS: usize> = OneOf<
    &'a mut MnkSmall,
    &'a mut Mnk<MNK>,
    &'a mut ConnectSmall,
    &'a mut Connect<CONNECT>,
    &'a mut BricksSmall,
    &'a mut Bricks<BRICKS>,
>;

impl<
    const MNK: usize,
    const CONNECT: usize,
    const BRICKS: usize,
    const SMALL: usize,
    const LARGE_BRICKS: usize,
    const LARGE: usize,
> SharedGame<MNK, CONNECT, BRICKS, SMALL, LARGE_BRICKS, LARGE>
{
    /// A small board to begin with. Inlined, so that it can be made where it stays.
    #[inline(always)]
    #[must_use]
    pub const fn small(game: MnkSmall) -> Self {
        OneOf::MnkSmall(WithTable { game, table: heapless::Vec::new() })
    }

    /// The empty board of another game in place of this one, with an empty table. All is made where
    /// it stays.
    ///
    /// # Errors
    /// The board is larger than this build holds. Nothing has changed then.
    pub fn rebuild(&mut self, spec: GameSpec) -> Result<(), SpecError> {
        check_capacity(spec, [MNK, CONNECT, BRICKS])?;
        match layout(spec) {
            Layout::MnkSmall { rows, cols, k, exact } => {
                let game = MnkSmall::new(rows, cols, k, exact)?;
                *self = OneOf::MnkSmall(WithTable { game, table: heapless::Vec::new() });
            }
            Layout::Mnk { rows, cols, k, exact } => {
                *self = OneOf::Mnk(WithTable { game: Mnk::blank(), table: heapless::Vec::new() });
                if let OneOf::Mnk(with) = self {
                    with.game.start(rows, cols, k, exact)?;
                }
            }
            Layout::ConnectSmall { rows, cols, x } => {
                let game = ConnectSmall::new(rows, cols, x)?;
                *self = OneOf::ConnectSmall(WithTable { game, table: heapless::Vec::new() });
            }
            Layout::Connect { rows, cols, x } => {
                *self = OneOf::Connect(WithTable {
                    game: Connect::blank(),
                    table: heapless::Vec::new(),
                });
                if let OneOf::Connect(with) = self {
                    with.game.start(rows, cols, x)?;
                }
            }
            Layout::BricksSmall { size } => {
                let game = BricksSmall::new(size)?;
                *self = OneOf::BricksSmall(WithTable { game, table: heapless::Vec::new() });
            }
            Layout::Bricks { size } => {
                let game = Bricks::new(size)?;
                *self = OneOf::Bricks(WithTable { game, table: heapless::Vec::new() });
            }
        }
        Ok(())
    }

    /// The game and its table, apart.
    pub fn lend(&mut self) -> (AnyGameRef<'_, MNK, CONNECT, BRICKS>, &mut [Bucket]) {
        /// The whole table. It is made as long as it can be when it is first lent.
        fn whole<const N: usize>(table: &mut heapless::Vec<Bucket, N>) -> &mut [Bucket] {
            // As long as its capacity.
            let _ = table.resize(N, Bucket::EMPTY);
            table
        }
        match self {
            OneOf::MnkSmall(with) => (OneOf::MnkSmall(&mut with.game), whole(&mut with.table)),
            OneOf::Mnk(with) => (OneOf::Mnk(&mut with.game), whole(&mut with.table)),
            OneOf::ConnectSmall(with) => {
                (OneOf::ConnectSmall(&mut with.game), whole(&mut with.table))
            }
            OneOf::Connect(with) => (OneOf::Connect(&mut with.game), whole(&mut with.table)),
            OneOf::BricksSmall(with) => {
                (OneOf::BricksSmall(&mut with.game), whole(&mut with.table))
            }
            OneOf::Bricks(with) => (OneOf::Bricks(&mut with.game), whole(&mut with.table)),
        }
    }
}
