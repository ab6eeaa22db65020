//! Developer tasks: `cargo xtask test` runs everything that must hold, in the order in which a
//! failure is cheapest to find. A newcomer and CI run the same.
//!
//! Only the standard library is used, so that this builds in a second or two.

mod source;
mod steps;
mod toolchain;

use std::process::ExitCode;

const HELP: &str = "\
Developer tasks

Usage: cargo xtask <TASK>

Tasks:
  test    Everything that must hold: toolchain, source rules, format, lints, tests, documentation,
          and the engine built for its chips. What CI runs.
  check   The same without the tests
  source  Only the source rules of the engine: no unsafe, no heap, no floating point
  help    This text

Exit codes: 0 all passed, 1 a step failed, 2 usage";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let steps = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["test"] => steps::test(),
        ["check"] => steps::check(),
        ["source"] => vec![steps::source_rules()],
        ["help" | "--help" | "-h"] => {
            steps::say(format_args!("{HELP}"));
            return ExitCode::SUCCESS;
        }
        [] => {
            eprintln!("{HELP}");
            return ExitCode::from(2);
        }
        _ => {
            let given = arguments.join(" ");
            eprintln!("error: unknown task `{given}`: expected test, check, source or help");
            return ExitCode::from(2);
        }
    };
    if steps::run(&steps) { ExitCode::SUCCESS } else { ExitCode::from(1) }
}
