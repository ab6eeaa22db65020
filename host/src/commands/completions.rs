//! `tavola completions`: what a shell needs to complete arguments.

use std::io::Write;

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::cli::Cli;
use crate::failure::{Failure, Status};

const EXAMPLES: &str = "\
Examples:
  tavola completions bash > ~/.local/share/bash-completion/completions/tavola
  tavola completions zsh > ~/.zfunc/_tavola
  tavola completions fish > ~/.config/fish/completions/tavola.fish";

/// The arguments of `tavola completions`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The shell
    pub shell: Shell,
}

/// Runs the command.
///
/// # Errors
/// The output cannot be written.
pub fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Status, Failure> {
    // The generator panics where it cannot write, so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Cli::command(), "tavola", &mut script);
    out.write_all(&script)?;
    Ok(Status::Done)
}
