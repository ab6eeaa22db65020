//! What the solver found, in words and as a JSON record.
//!
//! The engine sees scores from the side to move; people ask which player wins. The one place
//! where the two meet is [`Answer`].

use std::fmt;

use engine::game::any::Position;
use engine::game::{Game, Move, Outcome, Side};
use engine::score::{self, Score, Value};
use engine::search::report::{Ending, Goal, Solution, TableUse};
use engine::spec::GameSpec;
use serde::Serialize;

use crate::position::moves_of;
use crate::table_size::TableSize;

/// What is known of a position for certain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Who wins.
    pub outcome: Outcome,
    /// The plies to the end of a win or loss, if that was asked for.
    pub plies: Option<usize>,
    /// Bricks: the difference of points for the side to move, if that was asked for.
    pub margin: Option<Score>,
}

impl Verdict {
    /// Reads a proved value. With [`Goal::Outcome`], distances and margins are no facts.
    fn new(value: Value, side: Side, goal: Goal) -> Option<Verdict> {
        let exact = goal == Goal::Exact;
        let (outcome, plies, margin) = match value {
            Value::Win { plies } => (Outcome::Win(side), Some(plies), None),
            Value::Loss { plies } => (Outcome::Win(side.other()), Some(plies), None),
            Value::Draw => (Outcome::Draw, None, None),
            Value::Margin(margin) => (
                match margin {
                    1.. => Outcome::Win(side),
                    0 => Outcome::Draw,
                    _ => Outcome::Win(side.other()),
                },
                None,
                Some(margin),
            ),
            Value::Heuristic(_) => return None,
        };
        Some(Verdict { outcome, plies: plies.filter(|_| exact), margin: margin.filter(|_| exact) })
    }
}

/// The solver's answer for one position.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The game.
    pub spec: GameSpec,
    /// The moves played before, as text.
    pub moves: Vec<String>,
    /// The side to move.
    pub side: Side,
    /// Whether the game had ended before.
    pub over: bool,
    /// What is known, or `None` if a limit ended the work.
    pub verdict: Option<Verdict>,
    /// The score for the side to move lies between these two.
    pub bounds: (Score, Score),
    /// A move that keeps the value.
    pub best: Option<Move>,
    /// The expected course of the game.
    pub line: Vec<Move>,
    /// Nodes visited.
    pub nodes: u64,
    /// Time spent.
    pub microseconds: u64,
    /// How the table was used.
    pub table: TableUse,
    /// The table's size.
    pub table_size: TableSize,
    /// Why the solver ended.
    pub ending: Ending,
}

impl Answer {
    /// The answer for a game that has ended.
    #[must_use]
    pub fn of_finished_game(position: &Position, table_size: TableSize) -> Answer {
        let margin =
            position.final_score().filter(|_| position.spec().has_margins()).unwrap_or_default();
        let verdict = position.outcome().map(|outcome| Verdict {
            outcome,
            plies: match outcome {
                Outcome::Win(_) if !position.spec().has_margins() => Some(0),
                _ => None,
            },
            margin: Some(margin).filter(|_| position.spec().has_margins()),
        });
        let score = position.final_score().unwrap_or_default();
        Answer {
            spec: position.spec(),
            moves: moves_of(position),
            side: position.side_to_move(),
            over: true,
            verdict,
            bounds: (score, score),
            best: None,
            line: Vec::new(),
            nodes: 0,
            microseconds: 0,
            table: TableUse::default(),
            table_size,
            ending: Ending::Complete,
        }
    }

    /// The answer that the engine's solver gave for `position`.
    #[must_use]
    pub fn of_solution(
        position: &Position,
        solution: &Solution,
        goal: Goal,
        microseconds: u64,
        table_size: TableSize,
    ) -> Answer {
        let side = position.side_to_move();
        Answer {
            spec: position.spec(),
            moves: moves_of(position),
            side,
            over: false,
            verdict: solution.value.and_then(|value| Verdict::new(value, side, goal)),
            bounds: (solution.low, solution.high),
            best: solution.best,
            line: solution.line.to_vec(),
            nodes: solution.nodes,
            microseconds,
            table: solution.table,
            table_size,
            ending: solution.ending,
        }
    }

    /// `not solved: value between draw and win in 13`.
    #[must_use]
    pub fn open_words(&self) -> String {
        let reason = match self.ending {
            Ending::Nodes => "node limit reached",
            Ending::Stopped => "time is up",
            Ending::Depth | Ending::Complete => "too many plies to go for the exact solver",
        };
        let bounds = bounds_words(self.spec, self.moves.len(), self.bounds);
        format!("not solved: {bounds} ({reason})")
    }

    fn shown(&self, mv: Move) -> String {
        self.spec.show_move(mv).to_string()
    }

    fn shown_line(&self) -> Vec<String> {
        self.line.iter().map(|&mv| self.shown(mv)).collect()
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plies = self.moves.len();
        let plural = if plies == 1 { "" } else { "s" };
        write!(f, "{} after {plies} move{plural}: ", self.spec)?;
        match self.verdict {
            None => write!(f, "{}", self.open_words())?,
            Some(verdict) => {
                f.write_str(outcome_words(verdict.outcome))?;
                match (verdict.outcome, verdict.plies, verdict.margin) {
                    _ if self.over && verdict.margin.is_none() => f.write_str(" (game over)")?,
                    (_, _, Some(margin)) => {
                        let over = if self.over { ", game over" } else { "" };
                        write!(f, " (margin {margin:+} for the side to move{over})")?;
                    }
                    (Outcome::Win(winner), Some(plies), _) => {
                        let word = if winner == self.side { "win" } else { "loss" };
                        write!(f, " ({word} in {plies} for the side to move)")?;
                    }
                    _ => {}
                }
            }
        }
        writeln!(f)?;
        if self.over {
            return Ok(());
        }
        if let Some(best) = self.best {
            writeln!(f, "best   {}", self.shown(best))?;
        }
        if !self.line.is_empty() {
            writeln!(f, "line   {}", self.shown_line().join(" "))?;
        }
        writeln!(f, "nodes  {}", self.nodes)?;
        writeln!(
            f,
            "time   {}.{:06} s ({} nodes/s)",
            self.microseconds / 1_000_000,
            self.microseconds % 1_000_000,
            per_second(self.nodes, self.microseconds)
        )?;
        let percent = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
        writeln!(
            f,
            "table  {} bytes, {:.1} % full, {} probes ({:.1} % found), {} stores",
            self.table_size.bytes(),
            percent(u64::from(self.table.full_permille), 1_000),
            self.table.probes,
            percent(self.table.hits, self.table.probes),
            self.table.stores
        )
    }
}

/// An answer as JSON.
#[derive(Debug, Serialize)]
pub struct Record {
    /// The game.
    pub spec: String,
    /// The moves played before.
    pub moves: Vec<String>,
    /// `first`, `draw`, `second`, or null if not solved.
    pub outcome: Option<&'static str>,
    /// Plies to the end of a win or loss.
    pub plies: Option<usize>,
    /// Bricks: the first player's points less the second's.
    pub margin: Option<Score>,
    /// A move that keeps the value.
    pub best: Option<String>,
    /// The expected course of the game.
    pub line: Vec<String>,
    /// Nodes visited.
    pub nodes: u64,
    /// Time spent.
    pub microseconds: u64,
    /// The table's size.
    pub table_bytes: usize,
    /// Why the solver ended: `complete`, `depth`, `nodes`, `stopped`, or `over` for a game that
    /// had ended before.
    pub ending: &'static str,
}

impl Record {
    /// The record of an answer.
    #[must_use]
    pub fn new(answer: &Answer) -> Record {
        let sign = if answer.side == Side::First { 1 } else { -1 };
        Record {
            spec: answer.spec.to_string(),
            moves: answer.moves.clone(),
            outcome: answer.verdict.map(|verdict| outcome_word(verdict.outcome)),
            plies: answer.verdict.and_then(|verdict| verdict.plies),
            margin: answer.verdict.and_then(|verdict| verdict.margin).map(|margin| sign * margin),
            best: answer.best.map(|mv| answer.shown(mv)),
            line: answer.shown_line(),
            nodes: answer.nodes,
            microseconds: answer.microseconds,
            table_bytes: answer.table_size.bytes(),
            ending: match answer.ending {
                _ if answer.over => "over",
                Ending::Complete => "complete",
                Ending::Depth => "depth",
                Ending::Nodes => "nodes",
                Ending::Stopped => "stopped",
            },
        }
    }
}

/// `first`, `draw` or `second`.
#[must_use]
pub fn outcome_word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win(Side::First) => "first",
        Outcome::Win(Side::Second) => "second",
        Outcome::Draw => "draw",
    }
}

/// `first wins`, `draw` or `second wins`.
fn outcome_words(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win(Side::First) => "first wins",
        Outcome::Win(Side::Second) => "second wins",
        Outcome::Draw => "draw",
    }
}

/// `value between loss in 4 and draw`, for the side to move, at this ply.
#[must_use]
pub fn bounds_words(spec: GameSpec, ply: usize, (low, high): (Score, Score)) -> String {
    format!("value between {} and {}", bound_words(spec, ply, low), bound_words(spec, ply, high))
}

/// One bound. A bound that says nothing, beyond what any game can score, is a plain win or loss,
/// or the greatest margin of the board.
fn bound_words(spec: GameSpec, ply: usize, bound: Score) -> String {
    if spec.has_margins() {
        let limit = (spec.cells() * spec.cells()) as Score;
        return format!("margin {:+}", bound.clamp(-limit, limit));
    }
    let word = match bound {
        0 => return "draw".into(),
        1.. => "win",
        _ => "loss",
    };
    let decided = score::is_win(bound) || score::is_loss(bound);
    let plies = i64::from(score::WIN) - i64::from(bound).abs() - ply as i64;
    if decided && plies > 0 { format!("{word} in {plies}") } else { word.into() }
}

/// A rate, 0 if no time has passed.
#[must_use]
pub fn per_second(count: u64, microseconds: u64) -> u64 {
    let rate = u128::from(count) * 1_000_000 / u128::from(microseconds.max(1));
    u64::try_from(rate).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_the_side_to_move_become_outcomes_of_the_players() {
        let outcome = |value, side| {
            Verdict::new(value, side, Goal::Exact).map(|verdict| outcome_word(verdict.outcome))
        };
        assert_eq!(outcome(Value::Win { plies: 3 }, Side::First), Some("first"));
        assert_eq!(outcome(Value::Win { plies: 3 }, Side::Second), Some("second"));
        assert_eq!(outcome(Value::Loss { plies: 3 }, Side::Second), Some("first"));
        assert_eq!(outcome(Value::Draw, Side::Second), Some("draw"));
        assert_eq!(outcome(Value::Margin(-2), Side::First), Some("second"));
        assert_eq!(outcome(Value::Margin(0), Side::First), Some("draw"));
        assert_eq!(outcome(Value::Heuristic(9), Side::First), None);
    }

    #[test]
    fn with_only_the_outcome_asked_distances_are_no_facts() {
        let verdict = |value| Verdict::new(value, Side::First, Goal::Outcome).expect("decided");
        assert_eq!(verdict(Value::Win { plies: 3 }).plies, None);
        assert_eq!(verdict(Value::Margin(3)).margin, None);
    }

    #[test]
    fn bounds_are_told_in_words() {
        let line: GameSpec = "connect:6x7x4".parse().expect("a spec");
        let bricks: GameSpec = "bricks:4".parse().expect("a spec");
        let infinite = score::INFINITE;
        assert_eq!(bounds_words(line, 4, (-infinite, infinite)), "value between loss and win");
        assert_eq!(
            bounds_words(line, 4, (score::loss_at(10), score::win_at(9))),
            "value between loss in 6 and win in 5"
        );
        assert_eq!(bounds_words(line, 4, (0, 1)), "value between draw and win");
        assert_eq!(
            bounds_words(bricks, 0, (-infinite, 12)),
            "value between margin -256 and margin +12"
        );
    }
}
