//! Fuzzing: the targets of `fuzz/` with cargo-fuzz, which needs a nightly toolchain. Where one of
//! them is missing, the same bodies run on the stable toolchain with altered seeds, as they do for
//! half a minute each with every `cargo xtask test`.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::steps::{run_command, say};

/// The targets; each has a file in `fuzz/fuzz_targets` and a folder of seeds in `fuzz/corpus`.
const TARGETS: [&str; 8] =
    ["line", "command", "session", "load", "spec", "games", "table", "harness"];
/// Inputs up to this many bytes.
const LONGEST_INPUT: u32 = 1_024;
/// What a target gets if nothing is said.
pub const DEFAULT_SECONDS: u32 = 60;
/// How long each target is tried on the stable toolchain with every test run.
pub const STABLE_SECONDS: &str = "30";
/// The variable by which the tests are told.
pub const SECONDS_VARIABLE: &str = "TAVOLA_FUZZ_SECONDS";

/// Fuzzes each target for so many seconds.
///
/// # Errors
/// A target has found something, or cannot be run.
pub fn run(root: &Path, seconds: u32) -> Result<(), String> {
    if !is_there(root) {
        say(format_args!(
            "no cargo-fuzz or no nightly: altered seeds on the stable toolchain instead"
        ));
        say(format_args!("    (cargo install cargo-fuzz; rustup toolchain install nightly)"));
        let mut command = Command::new("cargo");
        command
            .args(["test", "--package", "host-tests", "--test", "all", "session_fuzz::altered"])
            .args(["--", "--nocapture"])
            .env(SECONDS_VARIABLE, seconds.to_string());
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
pub fn nightly(root: &Path) -> Command {
    let mut command = Command::new("cargo");
    command.arg("+nightly").env_remove("RUSTUP_TOOLCHAIN").env_remove("CARGO").current_dir(root);
    command
}

fn is_there(root: &Path) -> bool {
    let mut command = nightly(root);
    command.args(["fuzz", "--version"]).stdout(Stdio::null()).stderr(Stdio::null());
    run_command(&mut command).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_has_a_file_and_seeds() {
        let folder = crate::steps::root().join("fuzz");
        for target in TARGETS {
            let file = folder.join("fuzz_targets").join(target).with_extension("rs");
            assert!(file.is_file(), "{target}");
            let seeds = std::fs::read_dir(folder.join("corpus").join(target));
            assert!(seeds.is_ok_and(|mut seeds| seeds.next().is_some()), "{target}");
        }
        let files = std::fs::read_dir(folder.join("fuzz_targets")).expect("targets");
        assert_eq!(files.count(), TARGETS.len());
    }
}
