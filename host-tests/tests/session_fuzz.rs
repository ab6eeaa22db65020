//! The bodies of the fuzz targets on the stable toolchain: arbitrary input, the seeds of the
//! targets, seeds that were altered, and what was once found. `PROPTEST_CASES` sets how many cases
//! are tried, `TAVOLA_FUZZ_SECONDS` how long each target is tried on altered seeds.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::{Duration, Instant};

use host_tests::{fuzz, talk};
use proptest::prelude::*;

/// Inputs up to this long.
const LONGEST: usize = 600;

fn config() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::default() }
}

/// Bytes as they come, or those that lines are made of.
fn input() -> impl Strategy<Value = Vec<u8>> {
    let text =
        "([ -~]{0,12}|LOAD( [a-z0-9,=]{1,9}){0,6}|PING|[A-Z]{2,10} [0-9,hvx:*]{0,9})[\r\n]{0,2}";
    prop_oneof![
        prop::collection::vec(any::<u8>(), 0..LONGEST),
        prop::collection::vec(text, 0..40).prop_map(|lines| lines.concat().into_bytes()),
    ]
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn lines_are_put_together_from_any_bytes(data in input()) {
        fuzz::line_assembler(&data);
    }

    #[test]
    fn any_text_is_a_command_or_refused(data in input()) {
        fuzz::command_parser(&data);
    }

    #[test]
    fn a_session_survives_anything_and_comes_back(data in input()) {
        fuzz::session(&data);
    }
}

#[test]
fn the_seeds_of_the_targets_pass() {
    for (target, body) in fuzz::TARGETS {
        for (path, data) in fuzz::stable::seeds(target) {
            println!("{}", path.display());
            body(&data);
        }
    }
}

/// How long each target is tried, in seconds; without it, for a fixed number of cases.
const SECONDS_VARIABLE: &str = "TAVOLA_FUZZ_SECONDS";
const CASES: u64 = 400;

/// Tries a target on seeds that were altered. A case that fails is told by its number.
fn altered_seeds(target: &str) {
    let (_, body) = fuzz::TARGETS.iter().find(|(name, _)| *name == target).expect("a target");
    let seeds = fuzz::stable::seeds(target);
    let seconds = std::env::var(SECONDS_VARIABLE).ok().and_then(|text| text.parse().ok());
    let deadline = seconds.map(|seconds| Instant::now() + Duration::from_secs(seconds));
    let mut number = 0;
    while deadline.map_or(number < CASES, |deadline| Instant::now() < deadline) {
        let data = fuzz::stable::case(&seeds, number);
        let result = catch_unwind(AssertUnwindSafe(|| body(&data)));
        if let Err(panic) = result {
            println!("{target}: case {number}: {:?}", String::from_utf8_lossy(&data));
            resume_unwind(panic);
        }
        number += 1;
    }
    println!("fuzz: {target}: {number} cases");
}

/// A test per target, so that they run side by side.
macro_rules! targets {
    ($($name:ident: $target:literal,)*) => {
        $(
            #[test]
            fn $name() {
                altered_seeds($target);
            }
        )*

        #[test]
        fn every_target_is_tried() {
            let tried = [$($target),*];
            assert!(fuzz::TARGETS.iter().all(|(name, _)| tried.contains(name)));
            let file = include_str!("../../fuzz/Cargo.toml");
            let listed = |name: &&str| file.contains(&format!("name = \"{name}\""));
            assert!(tried.iter().all(listed), "{tried:?}");
        }
    };
}

targets! {
    altered_lines: "line",
    altered_commands: "command",
    altered_conversations: "session",
    altered_saved_games: "load",
    altered_specs: "spec",
    altered_games: "games",
    altered_table_use: "table",
    altered_harness_input: "harness",
}

#[test]
fn a_limit_of_nodes_may_be_absurd() {
    for nodes in ["9223372036854775807", "1", "99999999999999999999"] {
        talk::hold("mnk:9x9x5", |talk| {
            talk.patience = 500;
            talk.ask(&format!("INFO max_node {nodes}"));
            assert_eq!(talk.ask("SWAP2BOARD"), [""; 0]);
            assert_eq!(talk.ask_one("DONE").split(' ').count(), 3, "three stones");
            assert!(talk.ask_one("EVAL").starts_with("EVAL "));
        });
    }
}

#[test]
fn an_opening_that_ends_the_game_says_so() {
    for (game, stones) in [("mnk:1x1x1", 1), ("mnk:3x3x1", 1), ("mnk:2x2x2", 3)] {
        talk::hold(game, |talk| {
            assert_eq!(talk.ask("SWAP2BOARD"), [""; 0]);
            let answer = talk.ask("DONE");
            assert_eq!(answer.len(), 2, "{game}: {answer:?}");
            assert_eq!(answer[0].split(' ').count(), stones, "{game}: {answer:?}");
            assert!(answer[1].starts_with("MESSAGE game over: "), "{game}: {answer:?}");
            assert_eq!(talk.ask_one("MOVES"), format!("MOVES {}", answer[0]));
        });
    }
}

#[test]
fn a_command_that_calls_a_job_off_is_answered_as_it_was_asked() {
    for (begin, restart, answer) in [
        ("BEGIN", talk::with_checksum("RESTART"), "OK*04"),
        (talk::with_checksum("BEGIN").as_str(), "RESTART".to_string(), "OK"),
    ] {
        talk::hold("mnk:6x6x4", |talk| {
            talk.send(format!("{begin}\n").as_bytes());
            assert!(talk.take_job().is_some());
            assert_eq!(talk.ask_one(&restart), answer);
        });
    }
}

#[test]
fn a_person_is_greeted_with_one_prompt_whatever_ends_the_line() {
    let greeting = |line: &str| {
        talk::hold("mnk:3x3x3", |talk| {
            talk.send(line.as_bytes());
            talk.take_text()
        })
    };
    assert_eq!(greeting("HUMAN\r\n"), greeting("HUMAN\n"));
    assert_eq!(greeting("HUMAN\n").matches("> ").count(), 1);
}

#[test]
fn a_gap_between_the_two_bytes_of_a_line_end_damages_no_further_line() {
    talk::hold("mnk:3x3x3", |talk| {
        talk.send(b"HUMAN\nPING\r");
        talk.take_text();
        // What is lost lies before the line feed, so that this ends the damaged line.
        talk.session.mark_damaged();
        talk.send(b"\n");
        assert!(talk.take_text().contains("damaged"));
        assert_eq!(talk.ask("MACHINE").last().map(String::as_str), Some("OK"));
        assert_eq!(talk.ask_one("PING"), "PONG");
    });
}
