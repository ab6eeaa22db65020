//! A game seen through a player's eyes: the engine's search with somebody else's evaluation,
//! candidate moves and order.

use crate::game::{Effort, Game, IllegalMove, Move, Outcome, Side, Symmetry, Tactics};
use crate::score::{INFINITE, Score};
use crate::search::ordering::MoveSink;
use crate::spec::GameSpec;

/// What a player changes about a game. What it leaves alone is the game's own.
pub trait Style<G: Game> {
    /// The value of a position for the side to move where the search stops.
    fn evaluate(&self, game: &G) -> Score;

    /// The value of a finished game for the side to move, `None` while it goes on.
    fn final_score(&self, game: &G) -> Option<Score> {
        game.final_score()
    }

    /// The moves to search, each with its order. At least one.
    fn generate(&self, game: &G, sink: &mut MoveSink<'_>) {
        game.generate(sink);
    }

    /// What the side to move sees at once.
    fn tactics(&self, game: &G) -> Tactics {
        game.tactics()
    }

    /// Told after every move made.
    fn made(&mut self, game: &G, mv: Move) {
        let _ = (game, mv);
    }

    /// Told after every move taken back.
    fn unmade(&mut self, game: &G) {
        let _ = game;
    }
}

/// A game in a player's style.
#[derive(Debug)]
pub struct Styled<'a, G, S> {
    game: &'a mut G,
    style: &'a mut S,
}

impl<'a, G: Game, S: Style<G>> Styled<'a, G, S> {
    /// The game, seen in this style.
    pub fn new(game: &'a mut G, style: &'a mut S) -> Self {
        Styled { game, style }
    }
}

impl<G: Game, S: Style<G>> Game for Styled<'_, G, S> {
    const FAMILY: Option<crate::game::Family> = G::FAMILY;

    fn evaluate(&self) -> Score {
        self.style.evaluate(self.game)
    }

    fn generate(&self, sink: &mut MoveSink<'_>) {
        self.style.generate(self.game, sink);
    }

    fn tactics(&self) -> Tactics {
        self.style.tactics(self.game)
    }

    /// The source documents' players know no bounds.
    fn bounds(&self, _alpha: Score, _beta: Score, _effort: Effort) -> (Score, Score) {
        (-INFINITE, INFINITE)
    }

    fn make(&mut self, mv: Move) {
        self.game.make(mv);
        self.style.made(self.game, mv);
    }

    fn unmake(&mut self) {
        self.game.unmake();
        self.style.unmade(self.game);
    }

    fn spec(&self) -> GameSpec {
        self.game.spec()
    }

    fn ply(&self) -> usize {
        self.game.ply()
    }

    fn played(&self, n: usize) -> Option<Move> {
        self.game.played(n)
    }

    fn stone(&self, cell: usize) -> Option<Side> {
        self.game.stone(cell)
    }

    fn check(&self, mv: Move) -> Result<(), IllegalMove> {
        self.game.check(mv)
    }

    fn outcome(&self) -> Option<Outcome> {
        self.game.outcome()
    }

    fn final_score(&self) -> Option<Score> {
        self.style.final_score(self.game)
    }

    fn plies_left(&self) -> usize {
        self.game.plies_left()
    }

    fn key(&self) -> u64 {
        self.game.key()
    }

    fn key_bits(&self) -> u32 {
        self.game.key_bits()
    }

    fn deed(&self, mv: Move) -> usize {
        self.game.deed(mv)
    }

    fn symmetries(&self) -> u8 {
        self.game.symmetries()
    }

    fn key_under(&self, symmetry: Symmetry) -> u64 {
        self.game.key_under(symmetry)
    }

    fn map_move(&self, mv: Move, symmetry: Symmetry) -> Move {
        self.game.map_move(mv, symmetry)
    }
}
