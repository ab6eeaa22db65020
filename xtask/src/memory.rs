//! `cargo xtask memory`: how much of its chip every board's firmware takes, and how much stack it
//! can need at most.
//!
//! Sizes come from the linked files, limits from the memory maps, the stack's bound from the
//! machine code (see [`stack`]). A board that is over a limit, less a margin, is an error.

mod image;
mod panics;
mod stack;
mod thumb;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::firmware::{self, BOARDS, Board};
use crate::steps::say;

use image::Image;
use panics::Findings;
use stack::{Bound, Make, Recursion};

/// Where the table is.
const FILE: &str = "docs/memory.md";
/// The default board's flash must do for its neighbours with half of it.
const DEFAULT_FLASH_LIMIT: u32 = 512 * 1024;
/// The board with the commands for tests.
const EMULATED: &str = "emulator";
/// What must stay free in flash: room for a small repair.
const FLASH_MARGIN: u32 = 512;
/// What must stay free of the stack beyond the bound.
const STACK_MARGIN: u32 = 256;
/// Levels of `Display` within `Display`: an answer that holds a report that holds a move that holds
/// a number; and one more.
const FORMAT_LEVELS: u32 = 5;
/// How often the attacker of a hunt comes to move: once more than there are threats.
const HUNT_LEVELS: u32 = 15;
/// What the processor stacks at an interrupt, with the word that aligns it: plain, and with the
/// registers of the floating-point unit.
const EXCEPTION_FRAME: u32 = 36;
const LONG_EXCEPTION_FRAME: u32 = 108;
/// The size of a bucket of the transposition table.
const BUCKET_BYTES: u32 = 64;

/// A piece of memory, from the board's map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Region {
    start: u32,
    size: u32,
}

impl Region {
    fn end(self) -> u32 {
        self.start + self.size
    }
}

/// A board's figures.
struct Figures {
    name: &'static str,
    flash: (u32, u32),
    ram: (u32, u32),
    retained: (u32, u32),
    tables: [u32; 3],
    stack: u32,
    bound: Bound,
    findings: Findings,
}

/// Builds all boards, checks the limits and writes the table.
///
/// # Errors
/// A board does not build or is over a limit; the file cannot be written.
pub fn write(root: &Path) -> Result<(), String> {
    let all = examine(root)?;
    let measured = measure(root);
    let text = document(&all, measured.as_ref().ok().copied());
    let file = root.join(FILE);
    fs::write(&file, text).map_err(|error| format!("cannot write {FILE}: {error}"))?;
    say(format_args!("{FILE} written"));
    match (measured, all.last()) {
        (Err(reason), _) => say(format_args!("the stack was not measured: {reason}")),
        (Ok(used), Some(emulated)) if used > emulated.bound.total() => {
            let bound = emulated.bound.total();
            return Err(format!(
                "{used} bytes of stack were in use: more than the bound of {bound}"
            ));
        }
        _ => {}
    }
    limits(&all)
}

/// Builds all boards, checks the limits and prints the table.
///
/// # Errors
/// A board does not build or is over a limit.
pub fn check(root: &Path) -> Result<(), String> {
    let all = examine(root)?;
    say(format_args!("{}", table(&all)));
    for board in &all {
        say(format_args!("{}: {}", board.name, remaining(&board.findings)));
    }
    limits(&all)
}

/// Builds all boards and looks only for panics and commands for tests in their images.
///
/// # Errors
/// A board does not build, the engine can panic on it, or a release has commands for tests.
pub fn panics(root: &Path) -> Result<(), String> {
    let mut wrong = Vec::new();
    for board in &BOARDS {
        let (name, file) = (board.name(), firmware::build(root, board)?);
        let data =
            fs::read(&file).map_err(|error| format!("cannot read {}: {error}", file.display()))?;
        let findings = panics::find(&Image::new(&data)?);
        say(format_args!("{name}: {}", remaining(&findings)));
        wrong.extend(complaint(name, &findings));
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// The panics that are left, in a line.
fn remaining(findings: &Findings) -> String {
    let others: Vec<_> = findings.others.iter().map(|(name, n)| format!("{name} {n}")).collect();
    format!("panics in the engine: {}; elsewhere: {}", findings.engine.len(), others.join(", "))
}

/// What is wrong with an image, if something is.
fn complaint(name: &str, findings: &Findings) -> Option<String> {
    let is_release = name != EMULATED;
    if !findings.engine.is_empty() {
        let list = findings.engine.join("\n    ");
        return Some(format!("{name}: the engine can panic:\n    {list}"));
    }
    match (is_release, findings.test_commands) {
        (true, true) => Some(format!("{name}: a release has commands that are only for tests")),
        // Or else the text that is looked for is not the one that is there.
        (false, false) => Some(format!("{name}: the commands for tests were not found")),
        _ => None,
    }
}

fn examine(root: &Path) -> Result<Vec<Figures>, String> {
    BOARDS
        .iter()
        .map(|board| {
            let name = board.name();
            let file = firmware::build(root, board)?;
            let data = fs::read(&file)
                .map_err(|error| format!("cannot read {}: {error}", file.display()))?;
            figures(root, board, &data).map_err(|error| format!("{name}: {error}"))
        })
        .collect()
}

fn figures(root: &Path, board: &'static Board, data: &[u8]) -> Result<Figures, String> {
    let source = root.join("firmware/src/board").join(board.file());
    let read = |extension| {
        let path = source.with_extension(extension);
        fs::read_to_string(&path)
            .map_err(|error| format!("cannot read {}: {error}", path.display()))
    };
    let (map, constants) = (read("x")?, read("rs")?);
    let region = |name| region_in(&map, name).ok_or_else(|| format!("no {name} in the memory map"));
    let (flash, ram) = (region("FLASH")?, region("RAM")?);
    let (stack, retained) = (region("STACK")?, region("RETAINED")?);
    let table = |name| {
        let buckets = constant_in(&constants, name).ok_or_else(|| format!("no {name}"))?;
        Ok::<_, String>(buckets * BUCKET_BYTES)
    };
    let image = Image::new(data)?;
    let small = board.target.starts_with("thumbv6m");
    let recursions = [
        Recursion {
            name: "engine::search::alphabeta::Searcher<G,C>::negamax",
            levels: board.search_depth + 1,
        },
        Recursion {
            name: "engine::search::connect::Prover<S,C,_>::ask",
            levels: board.search_depth + 1,
        },
        // One more than there are threats, in two functions that call each other.
        Recursion {
            name: "engine::search::hunt::<impl engine::search::alphabeta::Searcher<G,C>>::attack",
            levels: HUNT_LEVELS,
        },
        Recursion { name: "core::fmt::write", levels: FORMAT_LEVELS },
        // A command for tests that runs out of stack on purpose.
        Recursion { name: "tavola_firmware::fault::recurse", levels: 1 },
    ];
    let make = Make {
        recursions: &recursions,
        tasks: tasks_in(&constants).ok_or("no interrupt of the tasks")?,
        exception_frame: if small { EXCEPTION_FRAME } else { LONG_EXCEPTION_FRAME },
        small_code: small,
    };
    Ok(Figures {
        name: board.name(),
        flash: (image.stored_end(flash.start, flash.end()) - flash.start, flash.size),
        ram: (image.used_end(ram.start, ram.end()) - ram.start, ram.size),
        retained: (image.used_end(retained.start, retained.end()) - retained.start, retained.size),
        tables: [table("SMALL_BUCKETS")?, table("LARGE_BRICKS_BUCKETS")?, table("LARGE_BUCKETS")?],
        stack: stack.size,
        bound: stack::bound(&image, &make)?,
        findings: panics::find(&image),
    })
}

/// Complains about the first board that is over a limit.
fn limits(all: &[Figures]) -> Result<(), String> {
    for board in all {
        let name = board.name;
        let over = |what: &str, used: u32, limit: u32| match used.checked_sub(limit) {
            None | Some(0) => Ok(()),
            Some(by) => Err(format!("{name}: {what} is over its limit by {by} bytes")),
        };
        if let Some(complaint) = complaint(name, &board.findings) {
            return Err(complaint);
        }
        over("flash", board.flash.0 + FLASH_MARGIN, board.flash.1)?;
        over("memory", board.ram.0, board.ram.1)?;
        over("retained memory", board.retained.0, board.retained.1)?;
        over("the worst stack", board.bound.total() + STACK_MARGIN, board.stack)?;
        if name == BOARDS[0].name() {
            over("the default image", board.flash.0 + 1, DEFAULT_FLASH_LIMIT)?;
        }
    }
    Ok(())
}

/// The most stack that was in use on the emulated board, as its test measures it.
fn measure(root: &Path) -> Result<u32, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["test", "--quiet", "--package", "host-tests", "--test", "all", "--", "stack::"])
        .args(["--nocapture", "--include-ignored"])
        .current_dir(root)
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("cannot run cargo: {error}"))?;
    if !output.status.success() {
        return Err(format!("the test `stack`: {}", output.status));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    mark_in(&text).ok_or_else(|| "the test `stack` was skipped".into())
}

/// The most stack that the emulated board can need.
///
/// # Errors
/// It does not build, or its bound cannot be worked out.
pub fn emulated_bound(root: &Path) -> Result<u32, String> {
    let board = BOARDS.last().ok_or("no boards")?;
    let file = firmware::build(root, board)?;
    let data = fs::read(&file).map_err(|error| format!("cannot read the firmware: {error}"))?;
    Ok(figures(root, board, &data)?.bound.total())
}

/// The number in `high-water mark: 1234 bytes`.
pub fn mark_in(text: &str) -> Option<u32> {
    let (_, rest) = text.split_once("high-water mark: ")?;
    rest.split_whitespace().next()?.parse().ok()
}

/// A region of `NAME : ORIGIN = 0x20000000, LENGTH = 32K`.
fn region_in(map: &str, name: &str) -> Option<Region> {
    map.lines().find_map(|line| {
        let (before, rest) = line.split_once(':')?;
        let (origin, length) = rest.split_once(',').filter(|_| before.trim() == name)?;
        let start = origin.split_once("0x")?.1.trim();
        let length = length.split_once('=')?.1.trim();
        let size = length.strip_suffix('K')?.parse::<u32>().ok()? * 1024;
        Some(Region { start: u32::from_str_radix(start, 16).ok()?, size })
    })
}

/// The value of `pub const NAME: usize = 1_024;`.
fn constant_in(source: &str, name: &str) -> Option<u32> {
    let line = source.lines().find_map(|line| {
        line.strip_prefix("pub const ")?.strip_prefix(name)?.strip_prefix(": usize = ")
    })?;
    line.strip_suffix(';')?.replace('_', "").parse().ok()
}

/// The interrupt of `pub const TASKS: interrupt::Interrupt = interrupt::UART4;`.
fn tasks_in(source: &str) -> Option<&str> {
    let (_, rest) = source.split_once("const TASKS: interrupt::Interrupt = interrupt::")?;
    rest.split_once(';').map(|(name, _)| name)
}

/// A number with a comma at every thousand.
fn grouped(number: u32) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn table(all: &[Figures]) -> String {
    let mut text = String::from(
        "| board | flash | static RAM | kept over a reset | table, small games / large bricks / others | stack | worst case | free |\n\
         | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
    );
    let of = |(used, limit): (u32, u32)| format!("{} of {}", grouped(used), grouped(limit));
    for board in all {
        let worst = board.bound.total();
        let free = i64::from(board.stack) - i64::from(worst);
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} | {} |",
            board.name,
            of(board.flash),
            of(board.ram),
            of(board.retained),
            board.tables.map(grouped).join(" / "),
            grouped(board.stack),
            grouped(worst),
            if free < 0 { free.to_string() } else { grouped(free as u32) },
        );
    }
    text
}

fn document(all: &[Figures], measured: Option<u32>) -> String {
    let mut text = String::from(
        "# Memory\n\n\
         Written by `cargo xtask memory`; `cargo xtask memory --check`, a step of `cargo xtask test`, \
         fails if a\nboard is over a limit. All figures are bytes.\n\n",
    );
    text += &table(all);
    let _ = write!(
        text,
        "\n\
         - **flash**: {} bytes must stay free, and the default board's image must be below {}.\n\
         - **static RAM**: game, table, move stack, session, rings. Linked at fixed places; the table \
         is part\n  of it: the small one stands where a large game would be.\n\
         - **stack**: a region of its own at the bottom of a memory, so that an overflow faults. \
         {} bytes must\n  stay free beyond the worst case.\n\n",
        grouped(FLASH_MARGIN),
        grouped(DEFAULT_FLASH_LIMIT),
        grouped(STACK_MARGIN),
    );
    text += "## The worst stack\n\n\
        The call graph and the frames are read from the machine code of the linked firmware. Calls \
        through\npointers go where a list of rules says (`xtask/src/memory/stack.rs`); a call or a \
        recursion that the list\ndoes not know fails the check. The search calls itself at most \
        `MAX_DEPTH` + 1 times (65, on the G071RB\n33), and so does the solver of Connect X; a hunt for wins by threats calls itself at most 15 times; \
        formatting is nested at most 5 deep, and no other\nfunction calls itself. On top of the thread \
        come the tasks, and on top of them one of \
        the other interrupts, each with the frame that the processor stacks\n(108 bytes with the \
        floating-point registers, 36 without). A panic is not in the sum, since it ends in a\nreset; \
        where the stack is too short for it the fault handler takes over.\n\n\
        | board | thinking: thread + tasks | talking: thread + tasks | interrupts | worst case | a panic more |\n\
        | --- | ---: | ---: | ---: | ---: | ---: |\n";
    for Figures { name, bound, .. } in all {
        let case =
            |case: &stack::Case| format!("{} + {}", grouped(case.thread), grouped(case.tasks));
        let _ = writeln!(
            text,
            "| {name} | {} | {} | {} | {} | {} |",
            case(&bound.thinking),
            case(&bound.talking),
            grouped(bound.interrupts),
            grouped(bound.total()),
            grouped(bound.panic),
        );
    }
    if let Some(emulated) = all.last() {
        let (bound, size) = (grouped(emulated.bound.total()), grouped(emulated.stack));
        let _ = match measured {
            Some(used) => write!(
                text,
                "\nMeasured on the emulated board by painting the stack: {} of {size} bytes were in use at \
                 most; the\nbound is {bound}. All players thought about all games there, on small and \
                 on the largest boards\n(`host-tests/tests/stack.rs`; on a real board, the command \
                 `STACK` tells).\n",
                grouped(used)
            ),
            None => writeln!(text, "\nNot measured: this machine has no emulated board."),
        };
    }
    let ways = all.first().map(|board| &board.bound.thinking.ways);
    for (title, way) in ["thread mode", "the tasks"].iter().zip(ways.into_iter().flatten()) {
        let _ = write!(
            text,
            "\nThe deepest way of {title} on the default board, while it thinks:\n\n```text\n"
        );
        text += "  frame  times  function\n";
        for step in way.iter().filter(|step| step.frame > 0) {
            let _ = writeln!(text, "{:>7}  {:>5}  {}", grouped(step.frame), step.times, step.name);
        }
        text += "```\n";
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_and_constants_are_read() {
        let map = "/* STACK : at the bottom */\nMEMORY\n{\n  FLASH    : ORIGIN = 0x08000000, LENGTH = 1024K\n\
                   \n  STACK    : ORIGIN = 0x10000000, LENGTH = 32K\n}\n";
        let flash = Region { start: 0x0800_0000, size: 1024 * 1024 };
        assert_eq!(region_in(map, "FLASH"), Some(flash));
        assert_eq!(region_in(map, "STACK").map(Region::end), Some(0x1000_8000));
        assert_eq!(region_in(map, "RAM"), None);
        let source = "/// One.\npub const SMALL_BUCKETS: usize = 1_024;\n";
        assert_eq!(constant_in(source, "SMALL_BUCKETS"), Some(1024));
        assert_eq!(constant_in(source, "LARGE_BUCKETS"), None);
    }

    #[test]
    fn every_board_has_its_map_and_constants() {
        let folder = crate::steps::root().join("firmware/src/board");
        for board in &BOARDS {
            let read = |extension| {
                let file = folder.join(board.file()).with_extension(extension);
                fs::read_to_string(&file)
                    .unwrap_or_else(|error| panic!("{}: {error}", file.display()))
            };
            let map = read("x");
            for name in ["FLASH", "STACK", "RETAINED", "RAM"] {
                assert!(region_in(&map, name).is_some(), "{} {name}", board.name());
            }
            let constants = read("rs");
            for name in ["SMALL_BUCKETS", "LARGE_BRICKS_BUCKETS", "LARGE_BUCKETS"] {
                assert!(constant_in(&constants, name).is_some(), "{} {name}", board.name());
            }
        }
    }

    #[test]
    fn the_depth_of_the_search_is_the_engines() {
        let file = crate::steps::root().join("engine/src/search.rs");
        let source = fs::read_to_string(file).expect("the engine's source");
        let depths = "MAX_DEPTH: usize = if cfg!(feature = \"compact\") { 32 } else { 64 };";
        assert!(source.contains(depths), "firmware::BOARDS must have the new depth");
        for board in &BOARDS {
            let compact = board.target.starts_with("thumbv6m");
            assert_eq!(board.search_depth, if compact { 32 } else { 64 }, "{}", board.name());
        }
    }

    #[test]
    fn numbers_are_grouped_and_read() {
        assert_eq!([0, 999, 1_000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(mark_in("x\nhigh-water mark: 1234 bytes of 5\n"), Some(1234));
        assert_eq!(mark_in("skipped"), None);
    }
}
