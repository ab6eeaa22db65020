//! The steps of a task: each has a header, a duration, and a verdict; the first failure ends the
//! task and shows what failed.

use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use crate::{source, toolchain};

/// The chip that the engine is made for, and the smallest one that it must still build for.
const CHIPS: [&str; 2] = ["thumbv7em-none-eabihf", "thumbv6m-none-eabi"];

/// One step of a task.
pub struct Step {
    title: String,
    work: Work,
}

/// What a step does.
enum Work {
    /// A cargo command, with the environment variables that it needs.
    Cargo { arguments: Vec<String>, environment: Vec<(&'static str, &'static str)> },
    /// A function of this program, given the project's root.
    Function(fn(&Path) -> Result<(), String>),
}

impl fmt::Display for Work {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Work::Cargo { arguments, environment } => {
                for (name, value) in environment {
                    write!(f, "{name}=\"{value}\" ")?;
                }
                write!(f, "cargo {}", arguments.join(" "))
            }
            Work::Function(_) => f.write_str("built into xtask"),
        }
    }
}

fn cargo(title: impl Into<String>, arguments: &str) -> Step {
    let arguments = arguments.split(' ').map(String::from).collect();
    Step { title: title.into(), work: Work::Cargo { arguments, environment: Vec::new() } }
}

fn function(title: &str, work: fn(&Path) -> Result<(), String>) -> Step {
    Step { title: title.into(), work: Work::Function(work) }
}

/// The engine's source rules.
pub fn source_rules() -> Step {
    function("source rules of the engine", source::check)
}

/// Everything that must hold.
pub fn test() -> Vec<Step> {
    steps(true)
}

/// Everything but the tests.
pub fn check() -> Vec<Step> {
    steps(false)
}

fn steps(with_tests: bool) -> Vec<Step> {
    let mut steps = vec![
        function("toolchain", toolchain::ensure),
        source_rules(),
        cargo("format", "fmt --all --check"),
        cargo("lints", "clippy --workspace --all-targets -- -D warnings"),
        cargo(
            "lints of the engine on the chip",
            &format!("clippy --package engine --target {} -- -D warnings", CHIPS[0]),
        ),
    ];
    if with_tests {
        steps.push(cargo("tests", "test --workspace"));
    }
    let mut documentation = cargo("documentation", "doc --no-deps --workspace");
    if let Work::Cargo { environment, .. } = &mut documentation.work {
        environment.push(("RUSTDOCFLAGS", "-D warnings"));
    }
    steps.push(documentation);
    for chip in CHIPS {
        steps.push(cargo(
            format!("engine for {chip}"),
            &format!("build --package engine --release --target {chip}"),
        ));
    }
    steps
}

/// Runs the steps in order until one fails; says whether all passed.
pub fn run(steps: &[Step]) -> bool {
    let start = Instant::now();
    let count = steps.len();
    let root = root();
    for (index, step) in steps.iter().enumerate() {
        let number = index + 1;
        say(format_args!("==> [{number}/{count}] {}: {}", step.title, step.work));
        let step_start = Instant::now();
        let result = match &step.work {
            Work::Cargo { arguments, environment } => run_cargo(arguments, environment, &root),
            Work::Function(function) => function(&root),
        };
        let took = seconds(step_start.elapsed());
        if let Err(error) = result {
            say(format_args!("==> [{number}/{count}] FAILED after {took}: {}", step.title));
            say(format_args!("    command: {}", step.work));
            say(format_args!("    reason: {error}"));
            say(format_args!("xtask: failed at step {number} of {count} ({})", step.title));
            return false;
        }
        say(format_args!("==> [{number}/{count}] passed in {took}\n"));
    }
    say(format_args!("xtask: all {count} steps passed in {}", seconds(start.elapsed())));
    true
}

fn run_cargo(
    arguments: &[String],
    environment: &[(&str, &str)],
    root: &Path,
) -> Result<(), String> {
    // Cargo tells the programs that it runs where it is itself.
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(arguments).envs(environment.iter().copied()).current_dir(root);
    run_command(&mut command)
}

/// Runs a command to its end; anything but success is an error.
pub fn run_command(command: &mut Command) -> Result<(), String> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(status.to_string()),
        Err(error) => Err(format!("cannot start it: {error}")),
    }
}

/// Prints a line. A reader that has gone is no reason to end the work.
pub fn say(line: fmt::Arguments<'_>) {
    if cfg!(test) {
        // Tests run under a harness that keeps what is printed this way off the screen.
        println!("{line}");
    } else {
        let _ = writeln!(io::stdout(), "{line}");
    }
}

/// The project's root: the folder above this crate's, which cargo names when it runs a program.
/// Not fixed when this is built: copies of the project may share one target folder.
fn root() -> PathBuf {
    let here = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    here.parent().unwrap_or(&here).to_path_buf()
}

fn seconds(duration: Duration) -> String {
    format!("{:.1} s", duration.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn check_is_test_without_the_tests() {
        let titles = |steps: Vec<Step>| steps.into_iter().map(|s| s.title).collect::<Vec<_>>();
        let mut all = titles(test());
        all.retain(|title| title != "tests");
        assert_eq!(titles(check()), all);
    }

    #[test]
    fn a_failing_step_ends_the_task() {
        fn fails(_: &Path) -> Result<(), String> {
            Err("on purpose".into())
        }
        fn passes(_: &Path) -> Result<(), String> {
            Ok(())
        }
        assert!(run(&[function("passes", passes)]));
        assert!(!run(&[function("fails", fails), function("passes", passes)]));
    }
}
