//! The steps of a task: each has a header, a duration, and a verdict; the first failure ends the
//! task and shows what failed.
//!
//! Most builds end with one thread that does all the work, so two rows of steps may run side by side where
//! they build in folders of their own. Cargo's locks on these folders keep it safe if they do not.

use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::{firmware, fuzz, memory, miri, qemu, soak, source, toolchain};

/// The chip that the engine is made for, and the smallest one that it must still build for.
const CHIPS: [&str; 2] = ["thumbv7em-none-eabihf", "thumbv6m-none-eabi"];

/// One step of a task.
pub struct Step {
    title: String,
    work: Work,
    place: Place,
}

/// When a step runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// After all before it and before all after it.
    InTurn,
    /// Side by side with neighbours that are [`Place::Beside`].
    Front,
    /// Side by side with neighbours that are [`Place::Front`]. What a cargo command says is shown when it is over.
    Beside,
}

impl Step {
    fn new(title: impl Into<String>, work: Work) -> Step {
        Step { title: title.into(), work, place: Place::InTurn }
    }

    fn at(self, place: Place) -> Step {
        Step { place, ..self }
    }
}

/// How a step ended that did not fail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All is well.
    Passed,
    /// This machine cannot do it; what was left out, and why. The summary tells.
    Skipped(String),
}

/// What a step does.
enum Work {
    /// A cargo command, with the environment variables that it needs.
    Cargo { arguments: Vec<String>, environment: Vec<(&'static str, &'static str)> },
    /// A function of this program, given the project's root.
    Function(fn(&Path) -> Result<(), String>),
    /// The same, of something that this machine may lack.
    Optional(fn(&Path) -> Result<Outcome, String>),
    /// Fuzzing, for so many seconds per target.
    Fuzz { seconds: u32 },
    /// Games with random commands in between.
    Soak(soak::Plan),
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
            Work::Fuzz { seconds } => write!(f, "{seconds} s per target"),
            Work::Soak(plan) => {
                write!(f, "{} games, {} on the emulated board", plan.games, plan.emulated)
            }
            Work::Function(_) | Work::Optional(_) => f.write_str("built into xtask"),
        }
    }
}

fn cargo(title: impl Into<String>, arguments: &str) -> Step {
    let arguments = arguments.split(' ').map(String::from).collect();
    Step::new(title, Work::Cargo { arguments, environment: Vec::new() })
}

fn function(title: &str, work: fn(&Path) -> Result<(), String>) -> Step {
    Step::new(title, Work::Function(work))
}

/// The engine's source rules.
pub fn source_rules() -> Step {
    function("source rules of the engine", source::check)
}

/// The table of memory, written to its file.
pub fn memory_table() -> Step {
    function("memory of all boards", memory::write)
}

/// The limits of memory.
pub fn memory_check() -> Step {
    function("memory of all boards", memory::check)
}

/// Panics of the engine and commands for tests in the boards' images.
pub fn panics() -> Step {
    function("panics of all boards", memory::panics)
}

/// QEMU for the emulated board.
pub fn emulator() -> Step {
    Step::new("emulator", Work::Optional(qemu::ensure))
}

/// Some of the engine's tests under Miri.
pub fn miri() -> Step {
    Step::new("miri", Work::Optional(miri::run))
}

/// Arbitrary input for the session and its parts.
pub fn fuzz(seconds: u32) -> Vec<Step> {
    vec![Step::new("fuzz targets", Work::Fuzz { seconds })]
}

/// Games with random commands in between.
pub fn soak(plan: soak::Plan) -> Vec<Step> {
    vec![Step::new("soak", Work::Soak(plan))]
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
    let root = root();
    let has_firmware = firmware::is_there(&root);
    let all = firmware::all_others(&root);
    let (emulated, boards): (Vec<_>, Vec<_>) =
        firmware::BOARDS.iter().filter(|_| has_firmware).partition(|board| board.chip.is_empty());
    let mut steps = vec![
        function("toolchain", toolchain::ensure),
        source_rules(),
        cargo("format", "fmt --all --check"),
        cargo("lints", &format!("clippy {all} --all-targets -- -D warnings")).at(Place::Front),
        cargo(
            "lints of the engine on the chip",
            &format!("clippy --package engine --target {} -- -D warnings", CHIPS[0]),
        )
        .at(Place::Front),
    ];
    // The tests would wait for it.
    steps.extend(emulated.into_iter().flat_map(|board| of_board(board, Place::Beside)));
    if with_tests {
        if has_firmware {
            steps.push(emulator());
        }
        let mut tests = cargo("tests", &format!("test {all}"));
        if let Work::Cargo { environment, .. } = &mut tests.work {
            environment.push((fuzz::SECONDS_VARIABLE, fuzz::STABLE_SECONDS));
        }
        steps.push(tests);
        steps.push(miri().at(Place::Front));
    }
    let mut documentation = cargo("documentation", &format!("doc --no-deps {all}"));
    if let Work::Cargo { environment, .. } = &mut documentation.work {
        environment.push(("RUSTDOCFLAGS", "-D warnings"));
    }
    steps.push(documentation.at(Place::Front));
    for chip in CHIPS {
        let engine = cargo(
            format!("engine for {chip}"),
            &format!("build --package engine --release --target {chip}"),
        );
        steps.push(engine.at(Place::Front));
    }
    for board in boards {
        // Boards with the profile of the default one share its folder.
        let is_beside = board.profile == firmware::BOARDS[0].profile;
        steps.extend(of_board(board, if is_beside { Place::Beside } else { Place::Front }));
    }
    if has_firmware {
        steps.push(memory_check());
    }
    steps
}

/// Lints and the firmware of a board.
fn of_board(board: &firmware::Board, place: Place) -> [Step; 2] {
    let (only, name) = (firmware::only(board), board.features);
    let lints = cargo(
        format!("lints of the firmware for {name}"),
        &format!("clippy {only} -- -D warnings"),
    );
    let build = cargo(format!("firmware for {name}"), &format!("build {only}"));
    [lints, build].map(|step| step.at(place))
}

/// Runs the steps in order, some of them side by side, until one fails; says whether all passed.
pub fn run(steps: &[Step]) -> bool {
    let start = Instant::now();
    let count = steps.len();
    let row = Row { count, root: root(), failed: AtomicBool::new(false) };
    let mut skipped = Vec::new();
    let numbered: Vec<(usize, &Step)> = (1..).zip(steps).collect();
    let in_turn = |&(_, step): &(usize, &Step)| step.place == Place::InTurn;
    for group in numbered.chunk_by(|one, other| in_turn(one) == in_turn(other)) {
        let (beside, front): (Vec<_>, Vec<_>) =
            group.iter().partition(|(_, step)| step.place == Place::Beside);
        std::thread::scope(|scope| {
            let beside = scope.spawn(|| row.run(&beside));
            skipped.extend(row.run(&front));
            skipped.extend(beside.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        });
    }
    let passed = !row.failed.load(Ordering::Relaxed);
    if passed {
        say(format_args!("{}", summary(count, start.elapsed(), &skipped)));
    }
    passed
}

/// What rows of steps have in common.
struct Row {
    count: usize,
    root: PathBuf,
    /// A step of any row failed: no other begins.
    failed: AtomicBool,
}

impl Row {
    /// Runs numbered steps one after the other; tells what was skipped.
    fn run(&self, steps: &[(usize, &Step)]) -> Vec<String> {
        let mut skipped = Vec::new();
        for &(number, step) in steps {
            if self.failed.load(Ordering::Relaxed) {
                break;
            }
            match self.run_step(number, step) {
                Ok(Outcome::Passed) => {}
                Ok(Outcome::Skipped(what)) => skipped.push(what),
                Err(()) => self.failed.store(true, Ordering::Relaxed),
            }
        }
        skipped
    }

    /// Runs a step and says how it ended.
    fn run_step(&self, number: usize, Step { title, work, place }: &Step) -> Result<Outcome, ()> {
        let Row { count, root, .. } = self;
        say(format_args!("==> [{number}/{count}] {title}: {work}"));
        let start = Instant::now();
        let result = match work {
            Work::Cargo { arguments, environment } => {
                run_cargo(arguments, environment, root, *place).map(|()| Outcome::Passed)
            }
            Work::Fuzz { seconds } => fuzz::run(root, *seconds).map(|()| Outcome::Passed),
            Work::Soak(plan) => soak::run(root, *plan).map(|()| Outcome::Passed),
            Work::Function(function) => function(root).map(|()| Outcome::Passed),
            Work::Optional(function) => function(root),
        };
        let took = seconds(start.elapsed());
        match &result {
            Ok(Outcome::Passed) => {
                say(format_args!("==> [{number}/{count}] passed in {took}\n"));
            }
            Ok(Outcome::Skipped(what)) => {
                say(format_args!("==> [{number}/{count}] skipped: {what}\n"));
            }
            Err(error) => {
                say(format_args!("==> [{number}/{count}] FAILED after {took}: {title}"));
                say(format_args!("    command: {work}"));
                say(format_args!("    reason: {error}"));
                say(format_args!("xtask: failed at step {number} of {count} ({title})"));
            }
        }
        result.map_err(|_| ())
    }
}

/// The last line when nothing failed.
fn summary(count: usize, took: Duration, skipped: &[String]) -> String {
    let took = seconds(took);
    match skipped {
        [] => format!("xtask: all {count} steps passed in {took}"),
        _ => {
            let passed = count - skipped.len();
            let what = skipped.join("; ");
            format!("xtask: {passed} of {count} steps passed in {took}; SKIPPED: {what}")
        }
    }
}

fn run_cargo(
    arguments: &[String],
    environment: &[(&str, &str)],
    root: &Path,
    place: Place,
) -> Result<(), String> {
    // Cargo tells the programs that it runs where it is itself.
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(arguments).envs(environment.iter().copied()).current_dir(root);
    if place != Place::Beside {
        return run_command(&mut command);
    }
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("cannot start it: {error}"))?;
    for text in [output.stderr, output.stdout] {
        say(format_args!("{}", String::from_utf8_lossy(&text).trim_end()));
    }
    if output.status.success() { Ok(()) } else { Err(output.status.to_string()) }
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
pub fn root() -> PathBuf {
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
        all.retain(|title| !["tests", "emulator", "miri"].contains(&title.as_str()));
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

    #[test]
    fn steps_run_side_by_side_and_a_failure_of_either_row_ends_both() {
        use std::sync::Barrier;
        static BOTH: Barrier = Barrier::new(2);
        // Each returns only when the other has begun.
        fn meets(_: &Path) -> Result<(), String> {
            BOTH.wait();
            Ok(())
        }
        fn meets_and_fails(_: &Path) -> Result<(), String> {
            BOTH.wait();
            Err("on purpose".into())
        }
        fn must_not_begin(_: &Path) -> Result<(), String> {
            panic!("a row before it has failed");
        }
        let front = || function("front", meets).at(Place::Front);
        assert!(run(&[front(), function("beside", meets).at(Place::Beside)]));
        assert!(!run(&[
            front(),
            function("beside", meets_and_fails).at(Place::Beside),
            function("beside, later", must_not_begin).at(Place::Beside),
            function("after", must_not_begin),
        ]));
    }

    #[test]
    fn what_was_skipped_is_in_the_summary() {
        fn skips(_: &Path) -> Result<Outcome, String> {
            Ok(Outcome::Skipped("tests on the moon: no rocket".into()))
        }
        let step = Step::new("moon", Work::Optional(skips));
        assert!(run(&[step]), "a skipped step is no failure");
        let line = summary(3, Duration::ZERO, &["tests on the moon: no rocket".into()]);
        assert_eq!(
            line,
            "xtask: 2 of 3 steps passed in 0.0 s; SKIPPED: tests on the moon: no rocket"
        );
        assert_eq!(summary(3, Duration::ZERO, &[]), "xtask: all 3 steps passed in 0.0 s");
    }
}
