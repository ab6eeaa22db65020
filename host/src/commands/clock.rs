//! `tavola clock`: how the engine would share out the time of a game, move by move.

use std::io::Write;

use clap::Args;
use engine::session::clock::TimeControl;
use engine::spec::GameSpec;

use crate::brain::LATENCY_US;
use crate::failure::{Failure, Status};
use crate::output_file::{self, Overwrite};
use crate::plot::{self, Bar};
use crate::time_span::TimeSpan;

const EXAMPLES: &str = "\
Examples:
  tavola clock mnk:15x15x5 --turn 30s --match 180s
  tavola clock connect:6x7x4 --turn 10s --match 60s --plot clock.svg

The times are those of `tavola brain` after `INFO timeout_turn` and `INFO timeout_match`, if every
move takes all that it is given. Exit codes: 0 shown, 2 usage.";

/// Moves shown at most.
const MOST_MOVES: usize = 40;

/// The arguments of `tavola clock`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The game
    #[arg(value_name = "SPEC")]
    pub spec: GameSpec,
    /// Time per move
    #[arg(long, value_name = "TIME", default_value = "30s")]
    pub turn: TimeSpan,
    /// Time per game; 0s is no limit
    #[arg(long = "match", value_name = "TIME", default_value = "180s")]
    pub game: TimeSpan,
    /// Draw the times as an SVG file
    #[arg(long, value_name = "FILE")]
    pub plot: Option<String>,
    /// Overwrite the chart's file
    #[arg(long, requires = "plot")]
    pub force: bool,
}

/// Runs the command.
///
/// # Errors
/// A time is too long, or a file cannot be written.
pub fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Status, Failure> {
    let overwrite = if arguments.force { Overwrite::Forced } else { Overwrite::NotUnlessForced };
    let chart = match &arguments.plot {
        Some(file) => Some((file, output_file::create(file, overwrite)?)),
        None => None,
    };
    let mut time = TimeControl::new(LATENCY_US);
    time.turn_ms = milliseconds(arguments.turn)?;
    time.match_ms = milliseconds(arguments.game)?;
    let own_moves = arguments.spec.cells().div_ceil(2);
    let mut bars = Vec::new();
    writeln!(out, "{:>4} {:>10} {:>10}", "move", "thinks", "left")?;
    for number in 1..=own_moves.min(MOST_MOVES) {
        let budget_us = time.budget_us(own_moves + 1 - number);
        time.charge(budget_us);
        let left = time.left_us().map_or("-".to_owned(), |us| seconds(us.max(0).unsigned_abs()));
        writeln!(out, "{number:>4} {:>10} {left:>10}", seconds(budget_us))?;
        bars.push(Bar {
            name: format!("move {number}"),
            value: budget_us as f64,
            label: seconds(budget_us),
        });
    }
    if let Some((file, mut chart)) = chart {
        let title = format!(
            "{}: time per move, {} a move and {} a game",
            arguments.spec, arguments.turn, arguments.game
        );
        output_file::fill(file, &mut chart, plot::bar_chart(&title, &bars))?;
    }
    Ok(Status::Done)
}

fn milliseconds(span: TimeSpan) -> Result<u32, Failure> {
    u32::try_from(span.0.as_millis())
        .map_err(|_| Failure::Input(format!("`{span}` is too long: at most 49 days")))
}

/// Seconds with three decimals.
fn seconds(us: u64) -> String {
    format!("{}.{:03} s", us / 1_000_000, us / 1_000 % 1_000)
}
