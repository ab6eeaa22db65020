//! Fuzzing: the targets of `fuzz/` with cargo-fuzz, which needs a nightly toolchain. Where one of
//! them is missing, the same bodies run on the stable toolchain with many cases.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::steps::{run_command, say};

/// The targets; each has a file in `fuzz/fuzz_targets` and a folder of seeds in `fuzz/corpus`.
const TARGETS: [&str; 3] = ["line", "command", "session"];
/// Inputs up to this many bytes.
const LONGEST_INPUT: u32 = 1_024;
/// What a target gets if nothing is said.
pub const DEFAULT_SECONDS: u32 = 60;
/// Cases of each body per second on the stable toolchain, roughly.
const STABLE_CASES_PER_SECOND: u32 = 1_000;

/// Fuzzes each target for so many seconds.
///
/// # Errors
/// A target has found something, or cannot be run.
pub fn run(root: &Path, seconds: u32) -> Result<(), String> {
    if !is_there(root) {
        say(format_args!(
            "no cargo-fuzz or no nightly: many cases on the stable toolchain instead"
        ));
        say(format_args!("    (cargo install cargo-fuzz; rustup toolchain install nightly)"));
        let cases = seconds.saturating_mul(STABLE_CASES_PER_SECOND);
        let mut command = Command::new("cargo");
        command
            .args(["test", "--package", "host-tests", "--test", "all", "session_fuzz::"])
            .env("PROPTEST_CASES", cases.to_string());
        return run_command(command.current_dir(root));
    }
    for target in TARGETS {
        say(format_args!("fuzzing {target} for {seconds} s"));
        let mut command = nightly(root);
        command.args(["fuzz", "run", target, "--"]);
        command.arg(format!("-max_total_time={seconds}")).arg(format!("-max_len={LONGEST_INPUT}"));
        run_command(&mut command).map_err(|error| format!("{target}: {error}"))?;
    }
    Ok(())
}

/// Cargo of the nightly toolchain. What cargo sets for the programs that it runs would name the
/// project's own.
fn nightly(root: &Path) -> Command {
    let mut command = Command::new("cargo");
    command.arg("+nightly").env_remove("RUSTUP_TOOLCHAIN").env_remove("CARGO").current_dir(root);
    command
}

fn is_there(root: &Path) -> bool {
    let mut command = nightly(root);
    command.args(["fuzz", "--version"]).stdout(Stdio::null()).stderr(Stdio::null());
    run_command(&mut command).is_ok()
}
