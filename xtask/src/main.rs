//! Developer tasks: `cargo xtask test` runs everything that must hold, in the order in which a
//! failure is cheapest to find. A newcomer and CI run the same.
//!
//! Few dependencies are used, so that this builds in a few seconds.

mod firmware;
mod flash;
mod fuzz;
mod memory;
mod miri;
mod qemu;
mod soak;
mod source;
mod steps;
mod toolchain;

use std::process::ExitCode;

const HELP: &str = "\
Developer tasks

Usage: cargo xtask <TASK>

Tasks:
  test    Everything that must hold: toolchain, source rules, format, lints, tests, documentation,
          the engine built for its chips and the firmware for its boards. Installs QEMU for the
          tests on the emulated board where it can. What CI runs.
  check   The same without the tests
  source  Only the source rules of the engine: no unsafe, no heap, no floating point
  fuzz [--seconds N]
          Arbitrary input for the session, the games, the table and more, 60 seconds per target or
          as many as given. With cargo-fuzz on nightly, or on the stable toolchain where these are
          missing.
  miri    Some of the engine's tests under Miri, which a nightly toolchain is installed for
  soak [--games N] [--emulated N]
          Games of all kinds with random commands in between, with the session on this machine
          (1,000 or as many as given) and with the emulated board (none or as many as given)
  qemu    Only QEMU for the emulated board: found, installed, or what to do
  flash   Builds a board's firmware and writes it to the board: see `cargo flash --help`
  memory  How much flash, memory and stack every board's firmware takes, written to docs/memory.md.
          With --check it is only printed. A board that is over its limits fails in any case, and
          so does one with a panic of the engine in its image.
  panics  Only the panics that are left in every board's image: none may be the engine's
  help    This text

Exit codes: 0 all passed, 1 a step failed, 2 usage";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let steps = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["test"] => steps::test(),
        ["check"] => steps::check(),
        ["source"] => vec![steps::source_rules()],
        ["fuzz"] => steps::fuzz(fuzz::DEFAULT_SECONDS),
        ["fuzz", "--seconds", seconds] if seconds.parse::<u32>().is_ok_and(|n| n > 0) => {
            steps::fuzz(seconds.parse().unwrap_or(fuzz::DEFAULT_SECONDS))
        }
        ["miri"] => vec![steps::miri()],
        ["soak", ref rest @ ..] => match soak::parse(rest) {
            Some(plan) => steps::soak(plan),
            None => {
                eprintln!("error: expected cargo xtask soak [--games N] [--emulated N]");
                return ExitCode::from(2);
            }
        },
        ["qemu"] => vec![steps::emulator()],
        ["flash", ref rest @ ..] => return flash::task(rest),
        ["memory"] => vec![steps::memory_table()],
        ["panics"] => vec![steps::panics()],
        ["memory", "--check"] => vec![steps::memory_check()],
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
            eprintln!(
                "error: unknown task `{given}`: expected test, check, source, fuzz, miri, soak, \
                 qemu, flash, memory [--check], panics or help"
            );
            return ExitCode::from(2);
        }
    };
    if steps::run(&steps) { ExitCode::SUCCESS } else { ExitCode::from(1) }
}
