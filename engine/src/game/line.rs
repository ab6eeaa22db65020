//! Lines: what the two games of k-in-a-row have in common.
//!
//! A *window* is a run of `k` cells in one of four directions; a player wins by filling one. A
//! window is *live* for a player while the opponent has no stone in it, and worth more the more
//! stones it holds. A player's *total* is the sum over its live windows, and a cell's *points*
//! for a player the same sum over the windows through that cell.
//!
//! Two layouts keep these numbers: [`board`] for any size, move by move in a time that grows
//! with `k` and not with the board; [`bits`] for boards of 64 bits, afresh from bit sets.
//! Large mnk boards tell more of a cell, by direction: `patterns`.

pub mod bits;
pub mod board;
#[cfg(not(feature = "compact"))]
pub mod patterns;

use crate::game::{Outcome, Side};
use crate::guarded::between;
use crate::score::{Score, clamp_heuristic};

/// The longest window that fits a board: the side of the largest Connect X board.
pub const MAX_WINDOW: usize = 100;

/// The four directions in which lines run. Every direction goes down or right, so that the
/// number of a cell grows along it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Along a row.
    Right,
    /// Along a column.
    Down,
    /// Along a diagonal, down and right.
    DownRight,
    /// Along a diagonal, down and left.
    DownLeft,
}

impl Direction {
    /// All four.
    pub const ALL: [Direction; 4] =
        [Direction::Right, Direction::Down, Direction::DownRight, Direction::DownLeft];

    /// Rows and columns per step.
    #[must_use]
    pub const fn delta(self) -> (isize, isize) {
        match self {
            Direction::Right => (0, 1),
            Direction::Down => (1, 0),
            Direction::DownRight => (1, 1),
            Direction::DownLeft => (1, -1),
        }
    }

    /// How many cells lie behind and before a cell in this direction.
    #[must_use]
    pub fn reach(self, row: usize, col: usize, rows: usize, cols: usize) -> (usize, usize) {
        let (up, down, left, right) = (row, rows - 1 - row, col, cols - 1 - col);
        match self {
            Direction::Right => (left, right),
            Direction::Down => (up, down),
            Direction::DownRight => (up.min(left), down.min(right)),
            Direction::DownLeft => (up.min(right), down.min(left)),
        }
    }

    /// How many windows of `k` cells a board has in this direction.
    #[must_use]
    pub fn windows(self, rows: usize, cols: usize, k: usize) -> usize {
        let along = |side: usize| (side + 1).saturating_sub(k);
        match self {
            Direction::Right => rows * along(cols),
            Direction::Down => along(rows) * cols,
            Direction::DownRight | Direction::DownLeft => along(rows) * along(cols),
        }
    }
}

/// What a live window is worth by the number of its owner's stones.
///
/// The greatest weight is small enough for the sum over the at most `4 * k` windows through a
/// cell to fit 16 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weights {
    by_stones: [u16; MAX_WINDOW + 1],
}

impl Weights {
    /// Each further stone makes a window this many times as valuable, in sixteenths.
    const GROWTH: usize = 5 * Self::WHOLE;
    const WHOLE: usize = 16;
    /// Windows that are longer grow less with each stone, so that the first ones count already: with the same
    /// growth a line of thirty would be worth nothing before its 26th stone.
    const LONGEST_OF_FULL_GROWTH: usize = 8;
    /// Digits after the point while weights are worked out.
    const FRACTION_BITS: u32 = 12;
    /// The greatest weight for short lines; long ones have less, see above.
    const TOP: usize = 3_200;
    /// The greatest growth and weight of [`Self::fine`].
    const FINE_GROWTH: usize = 44;
    const FINE_TOP: usize = 25_600;

    /// No weights.
    pub(crate) const NONE: Weights = Weights { by_stones: [0; MAX_WINDOW + 1] };

    /// The weights for windows of `k` cells, `k` at most [`MAX_WINDOW`].
    #[must_use]
    pub fn new(k: usize) -> Weights {
        let k = between(k, 1, MAX_WINDOW);
        let top = (usize::from(u16::MAX) / (4 * k)).min(Self::TOP);
        let growth = if k <= Self::LONGEST_OF_FULL_GROWTH {
            Self::GROWTH
        } else {
            Self::growth(k, top, Self::GROWTH)
        };
        Self::growing(k, top, growth)
    }

    /// Weights that grow more slowly and are told more finely: their sums take more than 16 bits.
    #[must_use]
    pub fn fine(k: usize) -> Weights {
        let k = between(k, 1, MAX_WINDOW);
        Self::growing(k, Self::FINE_TOP, Self::growth(k, Self::FINE_TOP, Self::FINE_GROWTH))
    }

    /// The weights that fall from the greatest, with fewer and fewer stones, by this growth.
    fn growing(k: usize, top: usize, growth: usize) -> Weights {
        let mut by_stones = [0; MAX_WINDOW + 1];
        // A complete window is worth as much as one that lacks a stone: the game is over.
        by_stones[k.min(MAX_WINDOW)] = top as u16;
        for (stones, weight) in (0..k).rev().zip(Self::falling(top, growth)) {
            by_stones[stones] = (weight >> Self::FRACTION_BITS).max(1) as u16;
        }
        Weights { by_stones }
    }

    /// The greatest weight and what is left of it with fewer and fewer stones, with digits after the point.
    fn falling(top: usize, growth: usize) -> impl Iterator<Item = usize> {
        let less = move |weight: &usize| (weight * Self::WHOLE).checked_div(growth);
        core::iter::successors(Some(top << Self::FRACTION_BITS), less)
    }

    /// The growth with which the greatest weight has come down to 1 in an empty window, at most `most`.
    fn growth(k: usize, top: usize, most: usize) -> usize {
        let is_enough = |&growth: &usize| {
            Self::falling(top, growth)
                .nth(k - 1)
                .is_some_and(|last| last <= 1 << Self::FRACTION_BITS)
        };
        (Self::WHOLE + 1..most).find(is_enough).unwrap_or(most)
    }

    /// The weight of a live window with this many stones.
    #[must_use]
    #[inline]
    pub fn of(&self, stones: usize) -> i32 {
        i32::from(self.by_stones[stones.min(MAX_WINDOW)])
    }
}

/// How a game stands: won by a line, drawn on a full board, or going on.
#[must_use]
#[inline]
pub fn outcome(winner: Option<Side>, plies_left: usize) -> Option<Outcome> {
    match winner {
        Some(side) => Some(Outcome::Win(side)),
        None if plies_left == 0 => Some(Outcome::Draw),
        None => None,
    }
}

/// A guess of the score from the two players' totals: the side to move can use what it has first.
#[must_use]
pub fn evaluate(own_total: i64, their_total: i64) -> Score {
    clamp_heuristic(own_total + own_total / 4 - their_total)
}

/// The order value of a cell from its points for both players: what I gain and what I deny.
#[must_use]
#[inline]
pub fn cell_order(own_points: u32, their_points: u32) -> u32 {
    own_points + their_points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_stone_counts_in_long_windows_too() {
        for k in 9..=30 {
            for weights in [Weights::new(k), Weights::fine(k)] {
                // The first few of many stones may be too little for a whole number.
                let of: heapless::Vec<i32, MAX_WINDOW> =
                    (0..k).map(|stones| weights.of(stones)).collect();
                assert!(
                    of.is_sorted() && of[k / 2] > of[0] && of[k - 1] > of[k - 2],
                    "{k}: {of:?}"
                );
            }
        }
    }

    #[test]
    fn a_stone_makes_a_short_window_five_times_as_valuable() {
        let weights = Weights::new(5);
        assert_eq!([0, 1, 2, 3, 4, 5].map(|n| weights.of(n)), [5, 25, 128, 640, 3_200, 3_200]);
    }
}
