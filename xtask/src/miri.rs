//! Miri: some of the engine's tests under an interpreter that finds undefined behaviour. The engine has
//! no `unsafe` of its own; this is about how it uses the crates that do.
//!
//! It needs a nightly toolchain, which is installed if that works and else told as missing. Miri is
//! a few hundred times slower than a processor, so only tests without long loops are among them.

use std::path::Path;
use std::process::Stdio;

use crate::fuzz::nightly;
use crate::steps::{Outcome, run_command};

/// The tests, by parts of their names.
const TESTS: &[&str] = &[
    "guarded::",
    "score::",
    "protocol::checksum",
    "protocol::keys",
    "protocol::output",
    "session::crc",
    "session::clock",
    "search::ordering",
    "search::table::exact",
    "game::bricks::islands",
    "spec::tests::errors",
];

/// Runs them.
///
/// # Errors
/// Miri has found something, or a test fails.
pub fn run(root: &Path) -> Result<Outcome, String> {
    let is_there = || {
        let mut command = nightly(root);
        command.args(["miri", "--version"]).stdout(Stdio::null()).stderr(Stdio::null());
        run_command(&mut command).is_ok()
    };
    if !is_there() {
        let mut install = std::process::Command::new("rustup");
        install.args(["toolchain", "install", "nightly", "--profile", "minimal"]);
        let _ = run_command(install.args(["--component", "miri,rust-src"]));
    }
    if !is_there() {
        return Ok(Outcome::Skipped("Miri: rustup cannot install it on this machine".into()));
    }
    let mut command = nightly(root);
    command.args(["miri", "test", "--package", "engine", "--lib", "--"]).args(TESTS);
    run_command(&mut command).map(|()| Outcome::Passed)
}
