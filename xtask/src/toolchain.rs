//! The toolchain step: installs what `rust-toolchain.toml` names and this machine lacks.
//!
//! Rustup installs a missing toolchain by itself, unless automatic installing is switched off,
//! but not a target or component that was added to the file later. So the installed parts are
//! compared with the file, and `rustup toolchain install` runs only if one is missing: a complete
//! machine needs no network.

use std::path::Path;
use std::process::Command;

use crate::steps::{run_command, say};

/// Makes sure that all parts of the toolchain are there.
///
/// # Errors
/// Parts are missing and cannot be installed.
pub fn ensure(root: &Path) -> Result<(), String> {
    let file = root.join("rust-toolchain.toml");
    let text = std::fs::read_to_string(&file)
        .map_err(|error| format!("cannot read {}: {error}", file.display()))?;
    let Some(targets) = installed(root, "target") else {
        say(format_args!("rustup is not there: using the toolchain as it is"));
        return Ok(());
    };
    let components = installed(root, "component").unwrap_or_default();
    let mut missing = missing(&list_in(&text, "targets"), &targets);
    missing.extend(self::missing(&list_in(&text, "components"), &components));
    if missing.is_empty() {
        say(format_args!("complete"));
        return Ok(());
    }
    say(format_args!("missing: {}", missing.join(", ")));
    say(format_args!("running: rustup toolchain install"));
    run_command(rustup(root).args(["toolchain", "install"]))
        .map_err(|error| format!("rustup toolchain install: {error}"))
}

/// Whether a target is installed; `None` if rustup cannot be run.
pub fn has_target(root: &Path, target: &str) -> Option<bool> {
    installed(root, "target").map(|list| list.lines().any(|line| line == target))
}

/// Rustup, asked about the project's toolchain. Cargo sets `RUSTUP_TOOLCHAIN` for the programs
/// that it runs, and that would hide the file with the targets and components.
fn rustup(root: &Path) -> Command {
    let mut command = Command::new("rustup");
    command.env_remove("RUSTUP_TOOLCHAIN").current_dir(root);
    command
}

/// The installed targets or components, one per line; `None` if rustup cannot be run.
fn installed(root: &Path, kind: &str) -> Option<String> {
    let output = rustup(root).args([kind, "list", "--installed"]).output().ok()?;
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The wanted parts that no installed line names. Components carry the host's name at the end
/// (`clippy-x86_64-unknown-linux-gnu`), and `rustfmt` may be listed as `rustfmt-preview`.
fn missing(wanted: &[String], installed: &str) -> Vec<String> {
    let is_there = |part: &str| {
        installed.lines().any(|line| {
            line == part || line.strip_prefix(part).is_some_and(|rest| rest.starts_with('-'))
        })
    };
    wanted.iter().filter(|part| !is_there(part)).cloned().collect()
}

/// The strings of `key = ["a", "b"]`, which may go over several lines.
fn list_in(text: &str, key: &str) -> Vec<String> {
    let without_comments: String = text
        .lines()
        .map(|line| line.split('#').next().unwrap_or(""))
        .collect::<Vec<_>>()
        .join("\n");
    let Some(after_key) = without_comments.lines().position(|line| {
        line.trim_start().strip_prefix(key).is_some_and(|rest| rest.trim_start().starts_with('='))
    }) else {
        return Vec::new();
    };
    let rest = without_comments.lines().skip(after_key).collect::<Vec<_>>().join("\n");
    let inside = rest.split_once('[').and_then(|(_, rest)| rest.split_once(']'));
    let inside = inside.map_or("", |(inside, _)| inside);
    // Between the quotes: every second part.
    inside.split('"').skip(1).step_by(2).map(String::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read_over_one_line_or_several() {
        let text = "[toolchain]\nchannel = \"1.0\"\ncomponents = [\"rustfmt\", \"clippy\"]\n\
                    targets = [ # chips\n  \"a-b\", # the \"old\" one\n  \"c-d\",\n]\n";
        assert_eq!(list_in(text, "components"), ["rustfmt", "clippy"]);
        assert_eq!(list_in(text, "targets"), ["a-b", "c-d"]);
        assert!(list_in(text, "profile").is_empty());
    }

    #[test]
    fn missing_parts_are_found_by_their_whole_name() {
        let installed = "cargo-x86_64-unknown-linux-gnu\nclippy-x86_64-unknown-linux-gnu\n";
        let wanted = ["clippy", "rustfmt", "car"].map(String::from);
        assert_eq!(missing(&wanted, installed), ["rustfmt", "car"]);
    }
}
