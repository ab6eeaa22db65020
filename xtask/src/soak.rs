//! `cargo xtask soak`: many games with random commands in between, with the session on this machine
//! and, if asked for, with the emulated board. The tests `soak` do the work; this sets how much and
//! compares the stack that was used with the bound of `cargo xtask memory`.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::memory;
use crate::steps::say;

/// The games with the session on this machine, if nothing is said.
pub const DEFAULT_GAMES: u32 = 1_000;

/// How much to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Games with the session.
    pub games: u32,
    /// Games with the emulated board.
    pub emulated: u32,
}

/// Reads `--games N` and `--emulated N`, in any order. `None` if it is something else.
pub fn parse(arguments: &[&str]) -> Option<Plan> {
    let mut plan = Plan { games: DEFAULT_GAMES, emulated: 0 };
    let mut rest = arguments.iter();
    while let Some(name) = rest.next() {
        let number = rest.next()?.parse().ok()?;
        match *name {
            "--games" => plan.games = number,
            "--emulated" => plan.emulated = number,
            _ => return None,
        }
    }
    Some(plan)
}

/// Plays the games.
///
/// # Errors
/// There was a defect, or more stack was in use than the bound says.
pub fn run(root: &Path, plan: Plan) -> Result<(), String> {
    if plan.games > 0 {
        test(root, plan, "soak::a_session")?;
    }
    if plan.emulated > 0 {
        let text = test(root, plan, "soak::emulated")?;
        let used = memory::mark_in(&text).ok_or("the stack was not measured: no emulated board")?;
        let bound = memory::emulated_bound(root)?;
        say(format_args!("stack: {used} bytes were in use at most; the bound is {bound}"));
        if used > bound {
            return Err(format!("{used} bytes of stack in use: more than the bound of {bound}"));
        }
    }
    Ok(())
}

/// Runs one of the tests, and gives what it prints.
fn test(root: &Path, plan: Plan, name: &str) -> Result<String, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["test", "--quiet", "--package", "host-tests", "--test", "all", "--", name])
        .arg("--nocapture")
        .env("TAVOLA_SOAK_GAMES", plan.games.to_string())
        .env("TAVOLA_SOAK_EMULATED", plan.emulated.to_string())
        .current_dir(root)
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("cannot run cargo: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    for line in text.lines().filter(|line| line.starts_with("soak: ")) {
        say(format_args!("{line}"));
    }
    if output.status.success() { Ok(text) } else { Err(format!("{name}: {}", output.status)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_say_how_much() {
        let plan = |arguments: &[&str]| parse(arguments).map(|plan| (plan.games, plan.emulated));
        assert_eq!(plan(&[]), Some((DEFAULT_GAMES, 0)));
        assert_eq!(plan(&["--emulated", "5"]), Some((DEFAULT_GAMES, 5)));
        assert_eq!(plan(&["--games", "0", "--emulated", "5"]), Some((0, 5)));
        assert_eq!(plan(&["--games"]), None);
        assert_eq!(plan(&["--games", "x"]), None);
        assert_eq!(plan(&["--hours", "1"]), None);
    }
}
