//! The command `tavola`. All of it is in the library, where tests can reach it.

use std::process::ExitCode;

fn main() -> ExitCode {
    host::cli::run(std::env::args_os())
}
