//! The command line: what `tavola` accepts, and what becomes of its results.
//!
//! To add a command: a file in [`crate::commands`] with `Arguments` and `run`, a variant of
//! [`Command`], and its line in [`Command::run`].
//!
//! Exit codes: 0 done; 1 done in part (not solved, bad lines, mismatches, forfeits); 2 usage or
//! input that cannot be used, with one line on stderr. Nothing here panics when the reader of the
//! output goes away.

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::commands::{
    ablate, arena, bench, book, brain, clock, completions, emulate, league, match_command, play,
    players, show, solve, tune, verify,
};
use crate::failure::{Failure, Status};

const EXAMPLES: &str = "\
Games:
  mnk:ROWSxCOLSxK      K in a row, as in mnk:3x3x3; mnk:15x15x5:exact for exactly five
  connect:ROWSxCOLSxX  X in a row with falling pieces, as in connect:6x7x4
  bricks:N             bricks of two cells on an N x N board, as in bricks:11

Moves count from 0, column first: `x,y` (mnk), `x` (connect), `x,y,h` or `x,y,v` (bricks).

Examples:
  tavola play
  tavola play connect:6x7x4 --level 3 --side second
  tavola match tavola cadrega --game mnk:15x15x5
  tavola solve mnk:3x3x3
  tavola solve connect:6x7x4 --columns 4453 --table 1M
  tavola bench
  tavola players
  tavola arena tavola oneply --game mnk:15x15x5 --games 20 --record games.txt
  tavola show games.txt --game 1
  tavola league connect --time 100ms
  tavola brain

Exit codes: 0 done, 1 not solved, bad lines or forfeits, 2 usage or bad input.";

/// A board-game engine for (M,N,K), Connect X and Bricks, on a PC
#[derive(Debug, Parser)]
#[command(name = "tavola", version, after_help = EXAMPLES)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands, one file each.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Play on a full screen, or line by line
    Play(play::Arguments),
    /// Watch two players, boards or programs play against each other
    Match(match_command::Arguments),
    /// Find out who wins, when, and how
    Solve(solve::Arguments),
    /// Search a fixed set of positions: speed, and a signature of the search's behaviour
    Bench(bench::Arguments),
    /// Play many games between two players: results, Elo, records
    Arena(arena::Arguments),
    /// Play a league: everybody against everybody on all its boards
    League(league::Arguments),
    /// Show the games of a record, and the board at any move
    Show(show::Arguments),
    /// List the players
    Players(players::Arguments),
    /// Play by the Gomocup protocol and more on the standard input and output
    Brain(brain::Arguments),
    /// Run the firmware on an emulated board, with its UART on this terminal
    Emulate(emulate::Arguments),
    /// Show how the time of a game is shared out
    Clock(clock::Arguments),
    /// Print what a shell needs to complete this command's arguments
    Completions(completions::Arguments),
    /// Make an opening book: of Connect Four, of small mnk boards, of five in a row
    Book(book::Arguments),
    /// Check that the player never gives away what a position of Connect X is worth
    Verify(verify::Arguments),
    /// See what each part of the search is worth, by self-play
    Ablate(ablate::Arguments),
    /// Look for better weights of the evaluation, by self-play
    Tune(tune::Arguments),
}

impl Command {
    /// Runs the command; its results go to `out`.
    ///
    /// # Errors
    /// The input cannot be used, or the output cannot be written.
    pub fn run(&self, out: &mut dyn Write) -> Result<Status, Failure> {
        match self {
            Command::Play(arguments) => play::run(arguments, out),
            Command::Match(arguments) => match_command::run(arguments, out),
            Command::Solve(arguments) => solve::run(arguments, out),
            Command::Bench(arguments) => bench::run(arguments, out),
            Command::Arena(arguments) => arena::run(arguments, out),
            Command::League(arguments) => league::run(arguments, out),
            Command::Show(arguments) => show::run(arguments, out),
            Command::Players(arguments) => players::run(arguments, out),
            Command::Brain(arguments) => brain::run(arguments, out),
            Command::Emulate(arguments) => emulate::run(arguments, out),
            Command::Clock(arguments) => clock::run(arguments, out),
            Command::Completions(arguments) => completions::run(arguments, out),
            Command::Book(arguments) => book::run(arguments, out),
            Command::Verify(arguments) => verify::run(arguments, out),
            Command::Ablate(arguments) => ablate::run(arguments, out),
            Command::Tune(arguments) => tune::run(arguments, out),
        }
    }
}

/// Reads the command line (the program's name first), runs the command, and reports.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => return refuse(&error),
    };
    let mut out = io::stdout().lock();
    let result = cli.command.run(&mut out).and_then(|status| Ok(out.flush().map(|()| status)?));
    match result {
        Ok(Status::Done) => ExitCode::SUCCESS,
        Ok(Status::Incomplete) => ExitCode::from(1),
        Err(failure) if failure.is_closed_pipe() => ExitCode::SUCCESS,
        Err(failure) => {
            complain(&failure.to_string());
            ExitCode::from(2)
        }
    }
}

/// Writes one line to stderr. If even that fails there is nobody left to tell.
pub fn complain(text: &str) {
    let _ = writeln!(io::stderr(), "error: {text}");
}

/// Help and version go out as clap formats them, errors in one line.
fn refuse(error: &clap::Error) -> ExitCode {
    use clap::error::ErrorKind;
    match error.kind() {
        ErrorKind::DisplayHelp
        | ErrorKind::DisplayVersion
        | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let _ = error.print();
        }
        _ => complain(&one_line(&error.render().to_string())),
    }
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
}

/// Folds clap's message into one line: the reason and the tip, without the usage below them.
fn one_line(message: &str) -> String {
    let paragraphs: Vec<String> = message
        .split("\n\n")
        .map(|paragraph| paragraph.split_whitespace().collect::<Vec<_>>().join(" "))
        .filter(|text| !text.is_empty())
        .take_while(|text| !text.starts_with("Usage:") && !text.starts_with("For more"))
        .collect();
    let text = paragraphs.join("; ");
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    format!("{text} (see --help)")
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn errors_are_folded_into_one_line() {
        for (arguments, expected) in [
            (&["tavola", "solve"][..], "not provided: <SPEC>"),
            (&["tavola", "solve", "mnk:0x3x3"], "rows out of range: expected 1 to 70"),
            (&["tavola", "solve", "mnk:3x3x3", "--tabel", "1M"], "'--table'"),
            (&["tavola", "bench", "--table", "63"], "at least 64"),
        ] {
            let error = Cli::try_parse_from(arguments).expect_err("bad command line");
            let line = one_line(&error.render().to_string());
            assert!(!line.contains('\n') && line.contains(expected), "{line}");
        }
    }
}
