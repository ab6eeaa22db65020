//! What several test files share: storage for searches, random play, and slow references,
//! conversations, the emulated board, and a board on a serial port.

#[cfg(unix)]
pub mod board;
pub mod endpoint;
pub mod forced_wins;
pub mod fuzz;
#[cfg(unix)]
pub mod lossy;
pub mod reference;
pub mod scenario;
#[cfg(unix)]
pub mod serial_board;
pub mod soak;
pub mod talk;
#[cfg(unix)]
pub mod thumb;
#[cfg(unix)]
pub mod uart_endpoint;

use engine::game::any::AnyGame;
use engine::game::bricks::{Bricks, BricksSmall};
use engine::game::connect::board::Connect;
use engine::game::connect::small::ConnectSmall;
use engine::game::mnk::board::Mnk;
use engine::game::mnk::small::MnkSmall;
pub use engine::players::random::Dice;

use engine::game::{Game, Move};
use engine::players::{Decision, Player, Tools};
use engine::search::Workspace;
use engine::search::ordering::{Candidate, MoveSink};
use engine::search::report::{Clock, Limits};
use engine::search::table::{Bucket, Table};
use engine::spec::GameSpec;

/// The memory that searches need, on the heap.
#[derive(Debug)]
pub struct Storage {
    buckets: Vec<Bucket>,
    workspace: Box<Workspace>,
}

impl Storage {
    /// A table of this many buckets (64 bytes each) and a workspace.
    #[must_use]
    pub fn new(buckets: usize) -> Storage {
        Storage { buckets: vec![Bucket::EMPTY; buckets], workspace: Box::default() }
    }

    /// The table, as it was left, and the workspace.
    pub fn parts(&mut self) -> (Table<'_>, &mut Workspace) {
        (Table::new(&mut self.buckets), &mut self.workspace)
    }
}

/// All moves that the rules allow, found by asking for every move number.
pub fn legal_moves<G: Game>(game: &G) -> Vec<Move> {
    let spec = game.spec();
    (0..(2 * spec.cells()).min(Move::LIMIT))
        .map(Move::new)
        .filter(|&mv| game.check(mv).is_ok())
        .collect()
}

/// The moves that the game hands to the search, with their order.
pub fn generated<G: Game>(game: &G) -> Vec<(Move, u32)> {
    let mut storage = vec![Candidate::NONE; 10_000];
    let mut sink = MoveSink::new(&mut storage);
    game.generate(&mut sink);
    sink.candidates().iter().map(|candidate| (candidate.mv(), candidate.order())).collect()
}

/// Plays up to `plies` random moves, fewer if the game ends.
pub fn play_at_random<G: Game>(game: &mut G, plies: usize, dice: &mut Dice) {
    for _ in 0..plies {
        let moves = legal_moves(game);
        if moves.is_empty() {
            return;
        }
        game.make(moves[dice.roll(moves.len())]);
    }
}

/// The empty board in every layout that holds it: the one for any size first, then the one in
/// machine words, if it fits.
///
/// # Panics
/// No layout holds the board.
#[must_use]
pub fn layouts<const MNK: usize, const CONNECT: usize, const BRICKS: usize>(
    spec: GameSpec,
) -> Vec<AnyGame<MNK, CONNECT, BRICKS>> {
    let (any_size, small) = match spec {
        GameSpec::Mnk { rows, cols, k, exact } => (
            Mnk::new(rows, cols, k, exact).map(AnyGame::Mnk),
            MnkSmall::new(rows, cols, k, exact).map(AnyGame::MnkSmall),
        ),
        GameSpec::Connect { rows, cols, x } => (
            Connect::new(rows, cols, x).map(AnyGame::Connect),
            ConnectSmall::new(rows, cols, x).map(AnyGame::ConnectSmall),
        ),
        GameSpec::Bricks { size } => (
            Bricks::new(size).map(AnyGame::Bricks),
            BricksSmall::new(size).map(AnyGame::BricksSmall),
        ),
    };
    let any_size = any_size.expect("the capacity holds the board");
    [any_size].into_iter().chain(small).collect()
}

/// A player's decision, `None` if the game is over.
pub fn decide<G: Game>(
    player: &mut impl Player,
    game: &mut G,
    limits: Limits,
    clock: &dyn Clock,
    storage: &mut Storage,
) -> Option<Decision> {
    let (mut table, workspace) = storage.parts();
    player.decide(game, &mut Tools { limits, clock, table: &mut table, workspace })
}

/// A limit of nodes.
#[must_use]
pub fn nodes(most: u64) -> Limits {
    Limits { nodes: Some(most), ..Limits::default() }
}

/// A limit of depth.
#[must_use]
pub fn depth(most: u32) -> Limits {
    Limits { depth: Some(most), ..Limits::default() }
}
