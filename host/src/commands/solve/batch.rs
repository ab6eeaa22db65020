//! `tavola solve --batch`: a file of positions, one per line, each with a fresh table.
//!
//! Lines of connect boards have the form of Pascal Pons' test sets, `COLUMNS SCORE`, and the
//! answer is checked against the score. Lines of other games are moves in the engine's notation.
//! A bad line is reported on stderr and the rest goes on.

use std::io::{BufRead, Write};

use engine::game::Outcome;
use engine::game::any::Position;
use engine::search::report::Goal;
use engine::spec::GameSpec;
use serde::Serialize;

use super::Solver;
use super::answer::{Answer, Record, Verdict, outcome_word};
use super::progress::ProgressLine;
use crate::cli::complain;
use crate::failure::{Failure, Status};
use crate::position;

/// A line that was read: a position, and its score if the line told it.
pub struct BatchLine {
    /// The position.
    pub position: Position,
    /// The score that the answer should have, as [`pons_score`] counts.
    pub expected: Option<i32>,
}

/// Reads a line: `None` if there is nothing on it, or a comment.
///
/// # Errors
/// What is wrong with the line, and what is accepted.
pub fn parse_line(spec: GameSpec, line: &str) -> Result<Option<BatchLine>, String> {
    let line = line.trim();
    if line.is_empty() || line.starts_with('#') {
        return Ok(None);
    }
    if !matches!(spec, GameSpec::Connect { .. }) {
        let position = position::after_moves(spec, line)?;
        return Ok(Some(BatchLine { position, expected: None }));
    }
    let (columns, score) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let position = position::after_columns(spec, columns)?;
    let expected = match score.trim() {
        "" => None,
        score => Some(score.parse().map_err(|_| {
            format!("`{score}` is not a score: expected COLUMNS or COLUMNS SCORE, as in 4453 2")
        })?),
    };
    Ok(Some(BatchLine { position, expected }))
}

/// The score that Pascal Pons gives a position: 0 for a draw, n if the side to move wins with its
/// n-th stone from the last, -n if the opponent does. On 6x7 that is 22 less the winner's stones.
///
/// `plies` is the distance of the win or loss, `ply` the stones on the board. Pons has boards
/// with an even number of cells in mind; with an odd one the first player has a stone more, and
/// the same words hold.
#[must_use]
pub fn pons_score(cells: usize, ply: usize, plies: usize, side_to_move_wins: bool) -> i32 {
    let score = (cells.saturating_sub(ply + plies) / 2 + 1) as i32;
    if side_to_move_wins { score } else { -score }
}

/// What came of comparing an answer with the score of its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Check {
    /// The score of the line.
    pub expected: i32,
    /// The score that was found; with only the outcome asked, its sign.
    pub found: i32,
    /// Whether they agree.
    pub agrees: bool,
}

impl Check {
    /// Compares a verdict, of which with [`Goal::Outcome`] only the sign counts.
    #[must_use]
    pub fn new(expected: i32, answer: &Answer, verdict: &Verdict) -> Check {
        let found = match verdict.outcome {
            Outcome::Draw => 0,
            Outcome::Win(winner) => {
                let wins = winner == answer.side;
                match verdict.plies {
                    Some(plies) => pons_score(answer.spec.cells(), answer.moves.len(), plies, wins),
                    None if wins => 1,
                    None => -1,
                }
            }
        };
        let only_sign = verdict.plies.is_none() && verdict.outcome != Outcome::Draw;
        let agrees = if only_sign { expected.signum() == found } else { expected == found };
        Check { expected, found, agrees }
    }
}

/// A solved or unsolved line as JSON.
#[derive(Serialize)]
struct LineRecord {
    number: u64,
    #[serde(flatten)]
    record: Record,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    found: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    agrees: Option<bool>,
}

/// What came of a batch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Summary {
    /// Positions that were read: `solved` and `unsolved` together.
    pub positions: u64,
    /// Positions solved.
    pub solved: u64,
    /// Positions that a limit left open.
    pub unsolved: u64,
    /// Lines that could not be read.
    pub bad: u64,
    /// Positions whose score was compared.
    pub checked: u64,
    /// Positions whose score differs from that of the line.
    pub mismatched: u64,
    /// Mean of the nodes over the solved positions.
    pub mean_nodes: f64,
    /// Mean of the time over the solved positions.
    pub mean_microseconds: f64,
}

/// Solves all lines of `input` and prints the answers and a summary.
///
/// # Errors
/// The input cannot be read, or the output cannot be written.
pub fn run(
    spec: GameSpec,
    input: &mut dyn BufRead,
    solver: &mut Solver,
    json: bool,
    out: &mut dyn Write,
) -> Result<Status, Failure> {
    let progress = ProgressLine::new();
    let mut summary = Summary::default();
    let (mut nodes, mut microseconds) = (0_u64, 0_u64);
    let mut number = 0;
    let mut bytes = Vec::new();
    if !json {
        writeln!(
            out,
            "{:>6}  {:<7} {:>5} {:>13} {:>13}",
            "line", "outcome", "plies", "nodes", "microseconds"
        )?;
    }
    loop {
        bytes.clear();
        let length = input
            .read_until(b'\n', &mut bytes)
            .map_err(|error| Failure::Input(format!("cannot read the batch: {error}")))?;
        if length == 0 {
            break;
        }
        number += 1;
        let line = match std::str::from_utf8(&bytes) {
            Ok(text) => parse_line(spec, text),
            Err(_) => Err("not UTF-8 text".into()),
        };
        let mut line = match line {
            Ok(Some(line)) => line,
            Ok(None) => continue,
            Err(error) => {
                summary.bad += 1;
                progress.suspend(|| complain(&format!("line {number}: {error}")));
                continue;
            }
        };
        progress.set_line_number(number);
        let answer = solver.solve(&mut line.position, &progress);
        summary.positions += 1;
        let check = match &answer.verdict {
            Some(verdict) => {
                summary.solved += 1;
                nodes += answer.nodes;
                microseconds += answer.microseconds;
                line.expected.map(|expected| Check::new(expected, &answer, verdict))
            }
            None => {
                summary.unsolved += 1;
                None
            }
        };
        summary.checked += u64::from(check.is_some());
        summary.mismatched += u64::from(check.is_some_and(|check| !check.agrees));
        progress.suspend(|| print_line(number, &answer, &line, check, json, out))?;
    }
    progress.finish();
    summary.mean_nodes = nodes as f64 / summary.solved.max(1) as f64;
    summary.mean_microseconds = microseconds as f64 / summary.solved.max(1) as f64;
    if json {
        serde_json::to_writer(&mut *out, &summary)?;
        writeln!(out)?;
    } else {
        print_summary(&summary, solver.goal, out)?;
    }
    let clean = summary.unsolved + summary.bad + summary.mismatched == 0;
    Ok(if clean { Status::Done } else { Status::Incomplete })
}

/// One line of the output for one line of the input.
fn print_line(
    number: u64,
    answer: &Answer,
    line: &BatchLine,
    check: Option<Check>,
    json: bool,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    if json {
        let record = LineRecord {
            number,
            record: Record::new(answer),
            expected: line.expected,
            found: check.map(|check| check.found),
            agrees: check.map(|check| check.agrees),
        };
        serde_json::to_writer(&mut *out, &record)?;
        return Ok(writeln!(out)?);
    }
    let outcome = answer.verdict.map_or("-", |verdict| outcome_word(verdict.outcome));
    let plies = answer.verdict.and_then(|verdict| verdict.plies);
    let plies = plies.map_or("-".into(), |plies| plies.to_string());
    write!(
        out,
        "{number:>6}  {outcome:<7} {plies:>5} {:>13} {:>13}",
        answer.nodes, answer.microseconds
    )?;
    if let Some(margin) = answer.verdict.and_then(|verdict| verdict.margin) {
        write!(out, "  margin {margin:+}")?;
    }
    match check {
        _ if answer.verdict.is_none() => write!(out, "  {}", answer.open_words())?,
        Some(Check { agrees: true, .. }) => write!(out, "  ok")?,
        Some(Check { expected, found, .. }) => {
            write!(out, "  MISMATCH expected {expected} got {found}")?;
        }
        None => {}
    }
    Ok(writeln!(out)?)
}

fn print_summary(summary: &Summary, goal: Goal, out: &mut dyn Write) -> Result<(), Failure> {
    let Summary { positions, solved, unsolved, bad, checked, mismatched, .. } = summary;
    writeln!(
        out,
        "{positions} positions: {solved} solved, {unsolved} not solved; {bad} bad lines; \
         {checked} checked{}, {mismatched} mismatched",
        if goal == Goal::Outcome { " by sign" } else { "" }
    )?;
    writeln!(
        out,
        "mean {:.1} nodes, {:.1} microseconds over the solved positions",
        summary.mean_nodes, summary.mean_microseconds
    )?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::game::Game;

    fn spec(text: &str) -> GameSpec {
        text.parse().expect(text)
    }

    #[test]
    fn empty_lines_and_comments_are_skipped() {
        for line in ["", "  ", "\r\n", "# 4453", " # comment"] {
            assert!(parse_line(spec("connect:6x7x4"), line).expect(line).is_none());
        }
    }

    #[test]
    fn connect_lines_are_columns_and_maybe_a_score() {
        for (text, plies, expected) in [
            ("4453", 4, None),
            ("4453\n", 4, None),
            ("4453 -2\r\n", 4, Some(-2)),
            (" 44\t18 ", 2, Some(18)),
        ] {
            let line = parse_line(spec("connect:6x7x4"), text).expect(text).expect(text);
            assert_eq!((line.position.ply(), line.expected), (plies, expected), "{text}");
        }
        for text in ["4453 x", "4453 1 2", "4453 1.5", "4x", "48", "4444444"] {
            assert!(parse_line(spec("connect:6x7x4"), text).is_err(), "{text}");
        }
    }

    #[test]
    fn lines_of_other_games_are_moves() {
        let line = parse_line(spec("mnk:3x3x3"), "1,1 0,0").expect("legal").expect("a line");
        assert_eq!((line.position.ply(), line.expected), (2, None));
        assert!(parse_line(spec("bricks:4"), "0,0,h 0,1,v").is_ok());
        assert!(parse_line(spec("mnk:3x3x3"), "1,1 1,1").is_err());
    }

    #[test]
    fn scores_count_the_stones_that_the_winner_has_left() {
        // The first player wins the empty 6x7 board with the 41st stone, the 21st of his own.
        assert_eq!(pons_score(42, 0, 41, true), 1);
        assert_eq!(pons_score(42, 1, 40, false), -1);
        // Four stones each way: the quickest wins there are.
        assert_eq!(pons_score(42, 6, 1, true), 18);
        assert_eq!(pons_score(42, 7, 1, true), 18);
        assert_eq!(pons_score(42, 6, 2, false), -18);
        // On a board with an odd number of cells a win with the last stone is no draw either.
        assert_eq!(pons_score(25, 24, 1, true), 1);
        assert_eq!(pons_score(25, 23, 1, true), 1);
    }
}
