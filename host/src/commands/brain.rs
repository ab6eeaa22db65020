//! `tavola brain`: the protocol of docs/protocol.md on the standard input and output.

use std::io::{self, IsTerminal, Write};

use clap::Args;

use crate::brain::{self, Settings};
use crate::failure::{Failure, Status};
use crate::table_size::TableSize;

const EXAMPLES: &str = "\
Examples:
  tavola brain
  printf 'START 15\\nINFO timeout_turn 1000\\nBEGIN\\n' | tavola brain

A Gomocup manager wants a program whose name begins with `pbrain`: `pbrain-tavola` is this command
with its defaults. Type HUMAN for a board and plain words, HELP for the commands, END to leave.
Exit codes: 0 ended, 2 usage.";

/// The table of `tavola brain` and `pbrain-tavola`.
pub const DEFAULT_TABLE: &str = "16M";

/// The arguments of `tavola brain`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// Bytes for the transposition table, as in 64K, 16M or 1G; `INFO max_memory` can lower it
    #[arg(long, value_name = "SIZE", default_value = DEFAULT_TABLE)]
    pub table: TableSize,
    /// Where the players' dice start
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
}

/// Runs the command.
///
/// # Errors
/// There is no memory, or the output cannot be written.
pub fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Status, Failure> {
    let settings = Settings {
        table: arguments.table,
        seed: arguments.seed,
        // A terminal shows what is typed by itself.
        echo: !io::stdin().is_terminal(),
    };
    brain::converse(settings, io::stdin(), out)?;
    Ok(Status::Done)
}
