//! Scores: what positions are worth, and the one place where they become words.
//!
//! A [`Score`] is always seen from the side to move. A game that is won when `n` plies in all
//! have been played scores `WIN - n`, so that the shorter win is the greater score; lost, it
//! scores `-(WIN - n)`; a draw is 0. `n` counts from the empty board, not from the root of a
//! search: positions with equal stones have equal ply, so a score keeps its meaning wherever the
//! position is met, in the table as well, also after further moves of the real game.
//!
//! Bricks ends with a margin: the difference of the two players' points, at most
//! [`MARGIN_LIMIT`]. Heuristic values stay strictly below [`HEURISTIC_LIMIT`].
//!
//! ```text
//!  -WIN ......... -(WIN - MAX_PLY) ..... heuristics, margins, 0 ..... WIN - MAX_PLY ......... WIN
//!  lost at ply 0   lost at the last ply                               won at the last ply
//! ```

use core::fmt;

/// A position's worth for the side to move; see the module's text.
pub type Score = i32;

/// The score of a win at ply 0: never reached.
pub const WIN: Score = 200_000;
/// The most plies of any game: the 100x100 board of Connect X.
pub const MAX_PLY: usize = 10_000;
/// Greater than every score.
pub const INFINITE: Score = WIN + 1;
/// Heuristic values are strictly between minus this and this.
pub const HEURISTIC_LIMIT: Score = WIN - MAX_PLY as Score;
/// The greatest margin in bricks: all 400 cells of a 20x20 board in one island.
pub const MARGIN_LIMIT: Score = 400 * 400;

const _: () = assert!(MARGIN_LIMIT < HEURISTIC_LIMIT);

/// The score of a game that the side to move wins at this ply, counted from the empty board.
#[must_use]
pub const fn win_at(ply: usize) -> Score {
    WIN - ply as Score
}

/// The score of a game that the side to move loses at this ply, counted from the empty board.
#[must_use]
pub const fn loss_at(ply: usize) -> Score {
    -win_at(ply)
}

/// The ply at which a score says that the side to move wins, if it says so.
#[must_use]
pub const fn win_ply(score: Score) -> Option<usize> {
    if is_win(score) && score <= WIN { Some((WIN - score) as usize) } else { None }
}

/// Whether the score says that the side to move wins.
#[must_use]
pub const fn is_win(score: Score) -> bool {
    score >= HEURISTIC_LIMIT
}

/// Whether the score says that the side to move loses.
#[must_use]
pub const fn is_loss(score: Score) -> bool {
    score <= -HEURISTIC_LIMIT
}

/// Keeps a heuristic value away from the scores of decided games.
#[must_use]
pub const fn clamp_heuristic(value: i64) -> Score {
    let limit = HEURISTIC_LIMIT as i64 - 1;
    if value > limit {
        limit as Score
    } else if value < -limit {
        -limit as Score
    } else {
        value as Score
    }
}

/// What a search knows of a position, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// Won, after this many further plies.
    Win {
        /// Plies to the end under best play.
        plies: usize,
    },
    /// Lost, after this many further plies.
    Loss {
        /// Plies to the end under best play.
        plies: usize,
    },
    /// Drawn under best play.
    Draw,
    /// Bricks: this will be the difference of points under best play (positive: won).
    Margin(Score),
    /// Not decided: a guess, greater is better.
    Heuristic(Score),
}

impl Value {
    /// Reads a score met at `ply`. `exact` says that the whole tree was searched.
    #[must_use]
    pub const fn from_score(score: Score, ply: usize, exact: bool, has_margins: bool) -> Value {
        if is_win(score) {
            Value::Win { plies: ((WIN - score) as usize).saturating_sub(ply) }
        } else if is_loss(score) {
            Value::Loss { plies: ((WIN + score) as usize).saturating_sub(ply) }
        } else if !exact {
            Value::Heuristic(score)
        } else if has_margins {
            Value::Margin(score)
        } else {
            Value::Draw
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Win { plies } => write!(f, "win in {plies}"),
            Value::Loss { plies } => write!(f, "loss in {plies}"),
            Value::Draw => f.write_str("draw"),
            Value::Margin(margin) => write!(f, "margin {margin:+}"),
            Value::Heuristic(score) => write!(f, "{score:+}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shorter_wins_and_longer_losses_score_more() {
        assert!(win_at(5) > win_at(7));
        assert!(loss_at(8) > loss_at(6));
        assert!(is_win(win_at(MAX_PLY)) && is_loss(loss_at(MAX_PLY)));
        assert!(!is_win(clamp_heuristic(i64::MAX)) && !is_loss(clamp_heuristic(i64::MIN)));
    }

    #[test]
    fn distances_count_from_the_position() {
        assert_eq!(Value::from_score(win_at(9), 4, true, false), Value::Win { plies: 5 });
        assert_eq!(Value::from_score(loss_at(9), 5, true, false), Value::Loss { plies: 4 });
        assert_eq!(Value::from_score(0, 5, true, false), Value::Draw);
        assert_eq!(Value::from_score(0, 5, false, false), Value::Heuristic(0));
        assert_eq!(Value::from_score(-12, 5, true, true), Value::Margin(-12));
    }
}
