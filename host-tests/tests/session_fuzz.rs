//! The bodies of the fuzz targets on the stable toolchain: arbitrary input, the seeds of the
//! targets, and what was once found. `PROPTEST_CASES` sets how many cases are tried.

use std::path::Path;

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

/// Runs every seed of a fuzz target.
fn run_seeds(target: &str, body: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus").join(target);
    let mut count = 0;
    for entry in std::fs::read_dir(&folder).expect("a folder of seeds") {
        let path = entry.expect("an entry").path();
        println!("{}", path.display());
        body(&std::fs::read(&path).expect("a seed"));
        count += 1;
    }
    assert!(count > 0, "no seeds in {}", folder.display());
}

#[test]
fn the_seeds_of_the_targets_pass() {
    run_seeds("line", fuzz::line_assembler);
    run_seeds("command", fuzz::command_parser);
    run_seeds("session", fuzz::session);
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
