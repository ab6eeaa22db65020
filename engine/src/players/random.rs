//! `random`: any legal move, each as likely as the others. The yardstick's zero.

use super::{Decision, Player, Tools, Why, next_legal};
use crate::game::keys::scatter;
use crate::game::{Game, Move};

/// Numbers that look random and are the same for the same seed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dice(u64);

impl Dice {
    /// Dice with a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Dice {
        Dice(scatter(seed))
    }

    /// A number below `sides`, or 0 if there are none. The same on every processor.
    pub fn roll(&mut self, sides: usize) -> usize {
        self.0 = scatter(self.0);
        ((self.0 >> 16) % sides.max(1) as u64) as usize
    }

    /// One of these moves, each as likely as the others.
    pub fn pick(&mut self, moves: impl Iterator<Item = Move>) -> Option<Move> {
        moves.enumerate().filter(|&(seen, _)| self.roll(seen + 1) == 0).last().map(|(_, mv)| mv)
    }
}

/// The player.
#[derive(Clone, Debug)]
pub struct Random {
    dice: Dice,
}

impl Random {
    /// A player whose moves follow from the seed.
    #[must_use]
    pub const fn new(seed: u64) -> Random {
        Random { dice: Dice::new(seed) }
    }
}

impl Player for Random {
    fn decide<G: Game, const MOVES: usize>(
        &mut self,
        game: &mut G,
        _tools: &mut Tools<'_, '_, MOVES>,
    ) -> Option<Decision> {
        let first = next_legal(game, 0);
        let legal = core::iter::successors(first, |mv| next_legal(game, mv.index() + 1));
        let best = self.dice.pick(legal)?;
        Some(Decision::at_once(best, Why::Rule))
    }
}
