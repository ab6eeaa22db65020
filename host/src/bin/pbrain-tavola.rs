//! `pbrain-tavola`: `tavola brain` under a name that Gomocup managers accept.

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = std::env::args_os().skip(1);
    host::cli::run(["tavola".into(), "brain".into()].into_iter().chain(arguments))
}
