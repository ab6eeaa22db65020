//! Soak runs: games of all kinds with random commands in between, with the session in this process
//! and with the emulated board. A few of them always; `cargo xtask soak` plays as many as it is
//! told, by the variables below.

use std::time::Instant;

use host_tests::endpoint::SessionEndpoint;
use host_tests::soak::{Report, Soak};

/// How many games, if not the few of every test run.
const GAMES_VARIABLE: &str = "TAVOLA_SOAK_GAMES";
const FEW_GAMES: u64 = 150;
/// Where runs begin.
const SEED: u64 = 2_026;

/// The number in a variable, or the default.
fn number(variable: &str, default: u64) -> u64 {
    let text = std::env::var(variable).ok();
    text.map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{variable}: {text}")))
}

/// Tells the report, and fails if there is a defect in it.
#[track_caller]
fn assert_sound(report: &Report) {
    println!("soak: {report}");
    let first: Vec<&str> = report.defects.iter().map(String::as_str).take(5).collect();
    assert!(report.defects.is_empty(), "{}", first.join("\n"));
    assert_eq!(report.resets, 0);
}

/// The memory of this process in KiB, as far as the system tells it.
fn memory_kib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[test]
fn a_session_plays_on_and_on() {
    let games = number(GAMES_VARIABLE, FEW_GAMES);
    let mut session = SessionEndpoint::new();
    let mut soak = Soak::new(&mut session, SEED);
    let (start, mut early_kib) = (Instant::now(), None);
    for game in 0..games {
        if !soak.game() {
            break;
        }
        if game == games / 10 {
            early_kib = memory_kib();
        }
        if (game + 1) % 1_000 == 0 {
            println!("soak: {} after {} s", soak.report, start.elapsed().as_secs());
        }
    }
    if let (Some(early), Some(late)) = (early_kib, memory_kib()) {
        println!("soak: {early} KiB of memory after a tenth of the games, {late} KiB at the end");
    }
    assert_sound(&soak.report);
}

#[cfg(unix)]
mod emulated {
    use super::*;
    use host_tests::scenario::Endpoint;
    use host_tests::uart_endpoint::{EXACT, UartEndpoint, number_in};

    const GAMES_VARIABLE: &str = "TAVOLA_SOAK_EMULATED";
    const FEW_GAMES: u64 = 8;
    /// The board is reset between two games now and then, and must still have the last one.
    const RESET_EVERY: u64 = 25;
    /// What must stay free of the stack.
    const MARGIN: u64 = 1_024;

    #[test]
    fn the_emulated_board_plays_on_and_on() {
        let games = number(GAMES_VARIABLE, FEW_GAMES);
        let Some((mut board, _)) = UartEndpoint::boot(EXACT) else { return };
        let (mut asked_resets, mut late_us, mut used) = (0, 0, 0);
        let mut soak = Soak::new(&mut board, SEED);
        for game in 0..games {
            if !soak.game() {
                break;
            }
            let moves = soak.moves();
            let board = soak.partner();
            let stack = board.ask("STACK");
            used = used.max(number_in(&stack, "used").expect("a number"));
            late_us = late_us.max(board.number("STATS", "late_us"));
            if (game + 1) % RESET_EVERY == 0 {
                let told = board.reset();
                let goes_on = told.last().is_some_and(|line| line.contains("the game goes on"));
                assert!(goes_on && told.len() == 2, "{told:?}");
                assert_eq!(board.ask("MOVES").split(' ').count() - 1, moves);
                // It may think on if it was its turn.
                board.lines_until_quiet().expect("quiet");
                asked_resets += 1;
            }
            if (game + 1) % 50 == 0 {
                println!("soak: emulated: {}", soak.report);
            }
        }
        let report = soak.report.clone();
        let [line, stops, stack] = ["LINE", "STOPS", "STACK"].map(|command| board.ask(command));
        println!("soak: emulated: {asked_resets} resets on purpose; {line}; {stops}; {stack}");
        println!("soak: emulated: late by {late_us} us at most");
        println!("soak: high-water mark: {used} bytes");
        assert_sound(&report);
        let size = number_in(&stack, "size").expect("a number");
        assert!(used + MARGIN <= size, "{used} bytes of stack of {size}");
        let _ = board.rest();
    }
}
