//! What can still panic in a linked firmware, and whether the engine is part of it.
//!
//! Two ways to find it, since the compiler moves code about:
//!
//! - **Places.** Every panic carries its place: file, line and column, in read-only memory. A place
//!   in the engine's source means that its panic was not optimised away, wherever the code went.
//! - **Calls.** From every function of the engine the call graph is followed, through functions of
//!   other crates too, to the functions that panic. So a panic that is told at another place (in a
//!   library that the engine calls) is found as well. What is known to be unreachable there is in
//!   [`KNOWN`], with the reason.
//!
//! The same images are held against [`TEST_ONLY`]: commands for tests must not be in a release.

use std::collections::{BTreeMap, BTreeSet};

use super::image::Image;

/// The functions where panics begin, by parts of their names.
const PANICS: &[&str] = &[
    "core::panicking::",
    "core::option::unwrap_failed",
    "core::option::expect_failed",
    "core::result::unwrap_failed",
    "core::cell::panic_",
    "core::slice::index::slice_",
    "core::str::slice_error_fail",
    "len_mismatch_fail",
    "rust_begin_unwind",
];

/// Functions of libraries with a panic that cannot happen, though the compiler does not see it.
/// All of them are the search for one character: it slices the character's bytes, at most four, by
/// their number, which core keeps in a byte that says one to four.
const KNOWN: &[&str] = &["core::str::pattern::CharSearcher", "core::str::iter::Split"];

/// Where the engine's source is, as places name it.
const ENGINE_SOURCE: &str = "engine/src/";
/// A function of the engine has this in its name, be it as a part of a type.
const ENGINE: &str = "engine::";
/// What the descriptions of the commands for tests begin with.
const TEST_ONLY: &str = "test only: ";

/// A place in a source file, as a panic would tell it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    file: String,
    line: u32,
    column: u32,
}

/// What was found in an image.
#[derive(Debug, Default)]
pub struct Findings {
    /// Panics in the engine's source, and ways from the engine to a panic.
    pub engine: Vec<String>,
    /// Places of other crates, counted.
    pub others: BTreeMap<String, usize>,
    /// There are commands for tests.
    pub test_commands: bool,
}

/// Looks at an image.
pub fn find(image: &Image<'_>) -> Findings {
    let mut findings = Findings::default();
    for Place { file, line, column } in places(image) {
        match file.find(ENGINE_SOURCE) {
            Some(at) => findings.engine.push(format!("{}:{line}:{column}", &file[at..])),
            None => *findings.others.entry(crate_of(&file)).or_default() += 1,
        }
    }
    findings.engine.extend(ways(image));
    findings.test_commands = image.constants().any(|data| contains(data, TEST_ONLY.as_bytes()));
    findings
}

fn contains(data: &[u8], text: &[u8]) -> bool {
    data.windows(text.len()).any(|window| window == text)
}

/// The crate that a source file belongs to: the folder above `src`.
fn crate_of(file: &str) -> String {
    let before = file.rsplit_once("/src/").map_or(file, |(before, _)| before);
    before.rsplit('/').next().unwrap_or(before).to_string()
}

/// All places in read-only memory: words that are the address and length of a file's name, a line
/// and a column.
fn places(image: &Image<'_>) -> BTreeSet<Place> {
    const LONGEST_NAME: u32 = 300;
    const LAST_LINE: u32 = 100_000;
    const LAST_COLUMN: u32 = 1_000;
    let mut found = BTreeSet::new();
    for data in image.constants() {
        let words: Vec<u32> = data
            .chunks_exact(4)
            .filter_map(|word| Some(u32::from_le_bytes(word.try_into().ok()?)))
            .collect();
        for window in words.windows(4) {
            let &[name, length, line, column] = window else { continue };
            let possible = (4..LONGEST_NAME).contains(&length)
                && (1..LAST_LINE).contains(&line)
                && (1..LAST_COLUMN).contains(&column);
            if possible
                && let Some(bytes) = image.bytes(name, name.saturating_add(length))
                && let Ok(file) = std::str::from_utf8(bytes)
                && file.ends_with(".rs")
                && file.chars().all(|c| !c.is_control())
            {
                found.insert(Place { file: file.into(), line, column });
            }
        }
    }
    found
}

/// A way from each function of the engine that leads to a panic, without the known ones.
fn ways(image: &Image<'_>) -> Vec<String> {
    let is = |name: &str, parts: &[&str]| parts.iter().any(|part| name.contains(part));
    let mut ways = Vec::new();
    for (&start, function) in &image.functions {
        if !function.name.contains(ENGINE) {
            continue;
        }
        let mut seen = BTreeSet::new();
        let mut open = vec![(start, function.name.clone())];
        while let Some((at, way)) = open.pop() {
            let Some(function) = image.functions.get(&at) else { continue };
            // A function of the engine has a turn of its own.
            let passed = at != start && function.name.contains(ENGINE);
            if is(&function.name, PANICS) {
                ways.push(way);
            } else if !passed && !is(&function.name, KNOWN) && seen.insert(at) {
                let facts = &function.facts;
                let through_registers = facts.pointers.iter().map(|to| to & !1);
                let through_registers = through_registers.filter(|_| facts.indirect);
                for to in facts.calls.iter().chain(&facts.jumps).copied().chain(through_registers) {
                    if let Some(next) = image.functions.get(&to) {
                        open.push((to, format!("{way} -> {}", next.name)));
                    }
                }
            }
        }
    }
    ways.sort();
    ways.dedup();
    ways
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crates_are_named_by_their_folder() {
        assert_eq!(crate_of("/a/registry/src/x/some-sync-0.8.0/src/pipe.rs"), "some-sync-0.8.0");
        assert_eq!(crate_of("/rustc/0123/library/core/src/str/pattern.rs"), "core");
        assert_eq!(crate_of("firmware/src/uart.rs"), "firmware");
    }
}
