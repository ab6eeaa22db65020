//! A game that was played: who, on what board, which moves, and how it ended.
//!
//! [`text`] writes and reads records as text, [`mod@file`] collects them.

pub mod file;
pub mod text;

use std::fmt;
use std::iter::Sum;

use engine::game::any::Position;
use engine::game::{Game, Move, Outcome, Side};
use engine::score::{Score, Value};
use engine::spec::GameSpec;

use crate::move_limit::MoveLimit;
use crate::table_size::TableSize;

/// What is known of one turn besides the move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Turn {
    /// What the player thought of the position before its move.
    pub value: Option<Value>,
    /// Nodes visited.
    pub nodes: u64,
    /// Time from question to answer. Only taken under time limits: with node limits nothing
    /// depends on it, and records are the same on every run.
    pub microseconds: Option<u64>,
}

/// A game given away: an answer that broke the rules or came too late.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forfeit {
    /// Who gave it away.
    pub side: Side,
    /// Why, in a line.
    pub reason: String,
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord {
    /// The game.
    pub spec: GameSpec,
    /// The players as they were named, the one who moves first before the other.
    pub players: [String; 2],
    /// The limit of a move, if it is known.
    pub limit: Option<MoveLimit>,
    /// Each player's table, if it is known.
    pub table: Option<TableSize>,
    /// How many of the moves were given as an opening.
    pub opening: usize,
    /// The moves, all of them legal.
    pub moves: Vec<Move>,
    /// One turn per move; those of the opening are empty.
    pub turns: Vec<Turn>,
    /// How the game ended.
    pub outcome: Outcome,
    /// Bricks played to the end: the first player's points less the second's.
    pub difference: Option<Score>,
    /// Set if the game was given away; the last move is then the last legal one.
    pub forfeit: Option<Forfeit>,
}

impl GameRecord {
    /// Bricks: the margin as the judge reports it, for the first player. A forfeit counts as a
    /// margin of all cells.
    #[must_use]
    pub fn margin(&self) -> Option<Points> {
        if !self.spec.has_margins() {
            return None;
        }
        match &self.forfeit {
            Some(forfeit) => {
                let cells = Points::whole(self.spec.cells() as i64);
                Some(if forfeit.side == Side::First { -cells } else { cells })
            }
            None => self.difference.map(Points::of_difference),
        }
    }

    /// `1-0`, `0-1` or `1/2-1/2`.
    #[must_use]
    pub const fn result(&self) -> &'static str {
        result_word(self.outcome)
    }
}

/// `1-0`, `0-1` or `1/2-1/2`.
#[must_use]
pub const fn result_word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win(Side::First) => "1-0",
        Outcome::Win(Side::Second) => "0-1",
        Outcome::Draw => "1/2-1/2",
    }
}

/// `first` or `second`.
#[must_use]
pub const fn side_word(side: Side) -> &'static str {
    match side {
        Side::First => "first",
        Side::Second => "second",
    }
}

/// Bricks: the first player's points less the second's in a finished game.
#[must_use]
pub fn final_difference(position: &Position) -> Option<Score> {
    let score = position.final_score().filter(|_| position.spec().has_margins())?;
    Some(if position.side_to_move() == Side::First { score } else { -score })
}

/// A margin in bricks or a league's points, or a sum of them, counted in thousandths, so that sums
/// do not depend on their order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Points {
    thousandths: i64,
}

impl Points {
    /// Whole points.
    #[must_use]
    pub const fn whole(points: i64) -> Points {
        Points { thousandths: points * 1_000 }
    }

    /// The margin of a difference of scores: its root, with three decimals and the winner's sign.
    #[must_use]
    pub fn of_difference(difference: Score) -> Points {
        let root = (f64::from(difference).abs().sqrt() * 1_000.0).round() as i64;
        Points { thousandths: root * i64::from(difference.signum()) }
    }

    /// As a number for JSON and charts.
    #[must_use]
    pub fn as_f64(self) -> f64 {
        self.thousandths as f64 / 1_000.0
    }
}

impl std::ops::Neg for Points {
    type Output = Points;

    fn neg(self) -> Points {
        Points { thousandths: -self.thousandths }
    }
}

impl Sum for Points {
    fn sum<I: Iterator<Item = Points>>(margins: I) -> Points {
        Points { thousandths: margins.map(|margin| margin.thousandths).sum() }
    }
}

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.thousandths < 0 { '-' } else { '+' };
        let size = self.thousandths.unsigned_abs();
        f.pad(&format!("{sign}{}.{:03}", size / 1_000, size % 1_000))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_margin_is_a_root_with_three_decimals_and_the_winners_sign() {
        for (difference, shown) in [
            (0, "+0.000"),
            (1, "+1.000"),
            (-2, "-1.414"),
            (1_212, "+34.814"),
            (-14_641, "-121.000"),
        ] {
            assert_eq!(Points::of_difference(difference).to_string(), shown);
        }
        assert_eq!((-Points::whole(36)).to_string(), "-36.000");
        let sum: Points = [Points::of_difference(2), Points::whole(-1)].into_iter().sum();
        assert_eq!(sum.to_string(), "+0.414");
    }

    #[test]
    fn a_forfeit_in_bricks_costs_as_many_points_as_there_are_cells() {
        let forfeit = |side| GameRecord {
            spec: GameSpec::Bricks { size: 6 },
            players: ["a".into(), "b".into()],
            limit: None,
            table: None,
            opening: 0,
            moves: Vec::new(),
            turns: Vec::new(),
            outcome: Outcome::Win(Side::other(side)),
            difference: None,
            forfeit: Some(Forfeit { side, reason: "late".into() }),
        };
        assert_eq!(forfeit(Side::First).margin(), Some(Points::whole(-36)));
        assert_eq!(forfeit(Side::Second).margin(), Some(Points::whole(36)));
    }
}
