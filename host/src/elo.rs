//! The difference in strength behind a result, in Elo points.
//!
//! Elo's logistic model says that a player who is D points stronger scores
//! `1 / (1 + 10^(-D / 400))` of the games. The bounds hold with 95 % confidence if the games are
//! independent of each other; a game that is played again move by move tells nothing new.
//!
//! The interval of the score is Wilson's (1927): unlike the usual "plus or minus two standard
//! errors" it never leaves 0 to 1, and it says something sensible when all games are won (a lower
//! bound, no upper one). Wilson's is for wins and losses; draws make a result less random, so the
//! games count for more by the ratio of the variances. That ratio is taken with one more game,
//! half won and half lost, so that a few draws in a row do not pass for certainty.

use std::fmt;

use serde::Serialize;

use crate::tally::Tally;

/// The 97.5 % quantile of the normal distribution.
const Z: f64 = 1.959_964;

/// A difference in Elo points with its 95 % bounds. Any of them can be infinite (in JSON: null).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Elo {
    /// The difference that makes the result most likely.
    pub difference: f64,
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
}

impl Elo {
    /// The difference behind a result; without games nothing is known.
    #[must_use]
    pub fn of(tally: Tally) -> Elo {
        if tally.games() == 0 {
            return Elo { difference: 0.0, low: f64::NEG_INFINITY, high: f64::INFINITY };
        }
        let score = tally.score();
        let games = tally.games() as f64 / variance_ratio(tally);
        let z2 = Z * Z;
        let middle = (score + z2 / (2.0 * games)) / (1.0 + z2 / games);
        let spread = Z / (1.0 + z2 / games)
            * (score * (1.0 - score) / games + z2 / (4.0 * games * games)).sqrt();
        // All won or lost: the far end is 1 or 0 exactly, which rounding would miss.
        let low = if tally.score() <= 0.0 { 0.0 } else { middle - spread };
        let high = if tally.score() >= 1.0 { 1.0 } else { middle + spread };
        Elo { difference: points(score), low: points(low), high: points(high) }
    }
}

/// The variance of a game's result, relative to that of wins and losses only with the same score.
fn variance_ratio(tally: Tally) -> f64 {
    let (won, drawn, lost) = (tally.won as f64 + 0.5, tally.drawn as f64, tally.lost as f64 + 0.5);
    let games = won + drawn + lost;
    let score = (won + drawn / 2.0) / games;
    let variance =
        (won * (1.0 - score).powi(2) + drawn * (0.5 - score).powi(2) + lost * score.powi(2))
            / games;
    variance / (score * (1.0 - score))
}

/// The difference in strength that lets one expect this score.
fn points(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        400.0 * (score / (1.0 - score)).log10()
    }
}

impl fmt::Display for Elo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |points: f64| {
            if points.is_infinite() {
                format!("{}infinite", if points > 0.0 { '+' } else { '-' })
            } else {
                // No "-0".
                format!("{:+.0}", points.round() + 0.0)
            }
        };
        write!(f, "{} (95 %: {} to {})", shown(self.difference), shown(self.low), shown(self.high))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn elo(won: u64, drawn: u64, lost: u64) -> Elo {
        Elo::of(Tally { won, drawn, lost })
    }

    fn near(found: f64, expected: f64) -> bool {
        (found - expected).abs() < 0.5
    }

    #[test]
    fn known_scores_give_the_known_differences() {
        assert!(near(points(0.5), 0.0));
        assert!(near(points(0.76), 200.2));
        assert!(near(points(10.0 / 11.0), 400.0));
        assert!(near(elo(75, 0, 25).difference, 190.8));
        assert!(near(elo(50, 50, 0).difference, 190.8));
    }

    #[test]
    fn without_draws_the_bounds_are_wilsons() {
        // Wilson's interval for 75 of 100 is 0.6570 to 0.8245.
        let Elo { low, high, .. } = elo(75, 0, 25);
        assert!(near(low, points(0.6570)) && near(high, points(0.8245)), "{low} {high}");
    }

    #[test]
    fn draws_make_the_bounds_narrower() {
        let (sharp, drawish) = (elo(55, 0, 45), elo(15, 80, 5));
        assert!(near(sharp.difference, drawish.difference));
        assert!(drawish.high - drawish.low < 0.6 * (sharp.high - sharp.low));
        let drawn = elo(0, 10, 0);
        assert!(drawn.low < -10.0 && drawn.high > 10.0, "{drawn}");
    }

    #[test]
    fn a_result_and_its_mirror_image_agree() {
        for (won, drawn, lost) in [(3, 1, 0), (7, 2, 5), (1, 0, 0)] {
            let (there, back) = (elo(won, drawn, lost), elo(lost, drawn, won));
            assert!(there.low == -back.high || (there.low + back.high).abs() < 1e-6);
            assert!(
                there.difference == -back.difference || near(there.difference, -back.difference)
            );
        }
    }

    #[test]
    fn when_all_games_are_won_only_the_lower_bound_is_finite() {
        // Wilson's lower bound for 10 of 10 is 0.7225.
        let all = elo(10, 0, 0);
        assert!(all.difference.is_infinite() && all.high.is_infinite());
        assert!(near(all.low, points(0.7225)), "{all}");
        assert_eq!(all.to_string(), "+infinite (95 %: +166 to +infinite)");
        assert_eq!(elo(0, 0, 10).to_string(), "-infinite (95 %: -infinite to -166)");
        assert_eq!(elo(0, 0, 0).to_string(), "+0 (95 %: -infinite to +infinite)");
    }
}
