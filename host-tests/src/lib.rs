//! What several test files share: storage for searches, random play, and slow references.

pub mod reference;

use engine::game::keys::scatter;
use engine::game::{Game, Move};
use engine::search::Workspace;
use engine::search::ordering::{Candidate, MoveSink};
use engine::search::table::{Bucket, Table};

/// Numbers that look random and are the same in every run.
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// Dice with a seed.
    #[must_use]
    pub fn new(seed: u64) -> Dice {
        Dice(scatter(seed))
    }

    /// A number below `sides`, or 0 if there are none.
    pub fn roll(&mut self, sides: usize) -> usize {
        self.0 = scatter(self.0);
        (self.0 >> 16) as usize % sides.max(1)
    }
}

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
    (0..2 * spec.cells().max(spec.cols()))
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
