//! Games won, drawn and lost.

use std::ops::Add;

use engine::game::{Outcome, Side};
use serde::Serialize;

/// A player's games, counted by how they ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Games won, also by forfeit.
    pub won: u64,
    /// Games drawn.
    pub drawn: u64,
    /// Games lost, also by forfeit.
    pub lost: u64,
}

impl Tally {
    /// Counts a game in which the player had this side.
    pub fn count(&mut self, outcome: Outcome, side: Side) {
        match outcome {
            Outcome::Draw => self.drawn += 1,
            Outcome::Win(winner) if winner == side => self.won += 1,
            Outcome::Win(_) => self.lost += 1,
        }
    }

    /// All games.
    #[must_use]
    pub const fn games(self) -> u64 {
        self.won + self.drawn + self.lost
    }

    /// Wins, and draws by half, as a share of the games: 0 to 1, and a half if there are none.
    #[must_use]
    pub fn score(self) -> f64 {
        match self.games() {
            0 => 0.5,
            games => (self.won as f64 + self.drawn as f64 / 2.0) / games as f64,
        }
    }
}

impl Add for Tally {
    type Output = Tally;

    fn add(self, other: Tally) -> Tally {
        Tally {
            won: self.won + other.won,
            drawn: self.drawn + other.drawn,
            lost: self.lost + other.lost,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_counted_from_the_players_side() {
        let mut tally = Tally::default();
        tally.count(Outcome::Win(Side::First), Side::First);
        tally.count(Outcome::Win(Side::First), Side::Second);
        tally.count(Outcome::Win(Side::Second), Side::Second);
        tally.count(Outcome::Draw, Side::First);
        assert_eq!(tally, Tally { won: 2, drawn: 1, lost: 1 });
        assert_eq!((tally.games(), tally.score()), (4, 0.625));
        assert_eq!(Tally::default().score(), 0.5);
    }
}
