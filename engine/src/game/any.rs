//! Any of the games as one type, for whoever learns only at run time which it is.

use super::bricks::{Bricks, BricksSmall};
use super::connect::board::Connect;
use super::connect::small::ConnectSmall;
use super::mnk::board::Mnk;
use super::mnk::small::MnkSmall;
use super::{Effort, Game, GameVisitor, IllegalMove, Move, Outcome, Side, Symmetry, Tactics};
use crate::score::Score;
use crate::search::ordering::MoveSink;
use crate::spec::GameSpec;
use crate::spec::SpecError;

/// A position of any game, with the largest boards that the rules name.
pub type Position = AnyGame<4_900, 10_000, 400>;

/// A position of any game, with room for this many cells of each.
#[allow(clippy::large_enum_variant)] // There is no heap; one position exists at a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnyGame<const MNK: usize, const CONNECT: usize, const BRICKS: usize> {
    /// mnk, up to 64 cells.
    MnkSmall(MnkSmall),
    /// mnk, larger.
    Mnk(Mnk<MNK>),
    /// Connect X in 64 bits.
    ConnectSmall(ConnectSmall),
    /// Connect X, larger.
    Connect(Connect<CONNECT>),
    /// Bricks, up to 8x8.
    BricksSmall(BricksSmall),
    /// Bricks, larger.
    Bricks(Bricks<BRICKS>),
}

impl<const MNK: usize, const CONNECT: usize, const BRICKS: usize> AnyGame<MNK, CONNECT, BRICKS> {
    /// The empty board.
    ///
    /// # Errors
    /// The board is larger than this build holds.
    pub fn new(spec: GameSpec) -> Result<Self, SpecError> {
        Ok(match spec {
            GameSpec::Mnk { rows, cols, k, exact } if spec.cells() <= 64 => {
                AnyGame::MnkSmall(MnkSmall::new(rows, cols, k, exact)?)
            }
            GameSpec::Mnk { rows, cols, k, exact } => AnyGame::Mnk(Mnk::new(rows, cols, k, exact)?),
            GameSpec::Connect { rows, cols, x } if ConnectSmall::fits(rows, cols) => {
                AnyGame::ConnectSmall(ConnectSmall::new(rows, cols, x)?)
            }
            GameSpec::Connect { rows, cols, x } => AnyGame::Connect(Connect::new(rows, cols, x)?),
            GameSpec::Bricks { size } if spec.cells() <= 64 => {
                AnyGame::BricksSmall(BricksSmall::new(size)?)
            }
            GameSpec::Bricks { size } => AnyGame::Bricks(Bricks::new(size)?),
        })
    }
}

/// Hands a call on to the game inside.
macro_rules! inside {
    ($any:expr, $game:ident => $call:expr) => {
        match $any {
            AnyGame::MnkSmall($game) => $call,
            AnyGame::Mnk($game) => $call,
            AnyGame::ConnectSmall($game) => $call,
            AnyGame::Connect($game) => $call,
            AnyGame::BricksSmall($game) => $call,
            AnyGame::Bricks($game) => $call,
        }
    };
}

impl<const MNK: usize, const CONNECT: usize, const BRICKS: usize> Game
    for AnyGame<MNK, CONNECT, BRICKS>
{
    fn spec(&self) -> GameSpec {
        inside!(self, game => game.spec())
    }
    fn ply(&self) -> usize {
        inside!(self, game => game.ply())
    }
    fn played(&self, n: usize) -> Option<Move> {
        inside!(self, game => game.played(n))
    }
    fn stone(&self, cell: usize) -> Option<Side> {
        inside!(self, game => game.stone(cell))
    }
    fn check(&self, mv: Move) -> Result<(), IllegalMove> {
        inside!(self, game => game.check(mv))
    }
    fn make(&mut self, mv: Move) {
        inside!(self, game => game.make(mv));
    }
    fn unmake(&mut self) {
        inside!(self, game => game.unmake());
    }
    fn outcome(&self) -> Option<Outcome> {
        inside!(self, game => game.outcome())
    }
    fn final_score(&self) -> Option<Score> {
        inside!(self, game => game.final_score())
    }
    fn plies_left(&self) -> usize {
        inside!(self, game => game.plies_left())
    }
    fn key(&self) -> u64 {
        inside!(self, game => game.key())
    }
    fn key_bits(&self) -> u32 {
        inside!(self, game => game.key_bits())
    }
    fn evaluate(&self) -> Score {
        inside!(self, game => game.evaluate())
    }
    fn tactics(&self) -> Tactics {
        inside!(self, game => game.tactics())
    }
    fn bounds(&self, alpha: Score, beta: Score, effort: Effort) -> (Score, Score) {
        inside!(self, game => game.bounds(alpha, beta, effort))
    }
    fn generate(&self, sink: &mut MoveSink<'_>) {
        inside!(self, game => game.generate(sink));
    }
    fn wins_soon(&self) -> bool {
        inside!(self, game => game.wins_soon())
    }
    fn deed(&self, mv: Move) -> usize {
        inside!(self, game => game.deed(mv))
    }
    fn symmetries(&self) -> u8 {
        inside!(self, game => game.symmetries())
    }
    fn key_under(&self, symmetry: Symmetry) -> u64 {
        inside!(self, game => game.key_under(symmetry))
    }
    fn map_move(&self, mv: Move, symmetry: Symmetry) -> Move {
        inside!(self, game => game.map_move(mv, symmetry))
    }
    fn dispatch<V: GameVisitor>(&mut self, visitor: V) -> V::Output {
        inside!(self, game => game.dispatch(visitor))
    }
}
