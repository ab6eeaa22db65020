//! Connect Four on the emulated board, at the chip's pace and with ten seconds per move: nothing is
//! given away.
#![cfg(unix)]

use engine::game::Game;
use engine::game::any::Position;
use engine::players::{Decision, Why};
use host::commands::verify::{Arguments, Decider, verify_with};
use host::failure::Failure;
use host::move_limit::LimitArguments;
use host::position::moves_of;
use host_tests::uart_endpoint::{EXACT, UartEndpoint, number_in};

/// Set this variable for the whole sample; see docs/results.md.
const LONG_TESTS: &str = "TAVOLA_LONG_TESTS";
/// Decisions of whole games, then.
const LONG_DECISIONS: u64 = 100;
/// Decisions in positions that are set up with so many stones, otherwise: those of the first plies take
/// long to check.
const DECISIONS: u64 = 6;
const STONES: usize = 16;
const TURN_MS: u64 = 10_000;

/// The board as the one who decides.
struct Board(UartEndpoint);

impl Decider for Board {
    /// Every decision begins with a reset, so that the board's figures are those of it alone.
    fn begin(&mut self, _game: u64) {}

    fn decide(&mut self, position: &mut Position) -> Result<(Decision, u64), Failure> {
        let Board(board) = self;
        board.reset();
        board.obey("NEW connect:6x7x4");
        board.tell(&format!("INFO timeout_turn {TURN_MS}"));
        board.tell("INFO show_detail 1");
        let moves = moves_of(position);
        if !moves.is_empty() {
            board.obey(&format!("MOVE {}", moves.join(" ")));
        }
        let mut answer = board.ask("SWAP");
        // What stands behind the move; nothing does behind one of the book.
        let mut detail = None;
        while answer.starts_with("DEBUG ") {
            detail = Some(answer);
            answer = board.next_line();
        }
        let why = match &detail {
            None => Why::Rule,
            Some(detail) if detail.contains("proved=yes") => Why::Proved,
            Some(_) => Why::Heuristic,
        };
        let nodes = detail.and_then(|detail| number_in(&detail, "nodes")).unwrap_or(0);
        let best = position.spec().parse_move(&answer).unwrap_or_else(|_| panic!("{answer}"));
        // The answer may end the game, which is told after it.
        board.lines_until_quiet().expect("quiet");
        let stats = board.ask("STATS");
        let took_us = number_in(&stats, "longest_us").expect("the time of an answer");
        Ok((Decision { best, value: None, why, nodes }, took_us))
    }
}

#[test]
fn the_board_gives_nothing_away_in_ten_seconds() {
    let Some((board, _)) = UartEndpoint::boot(EXACT) else { return };
    let long = std::env::var_os(LONG_TESTS).is_some();
    let arguments = Arguments {
        spec: "connect:6x7x4".parse().expect("spec"),
        decisions: if long { LONG_DECISIONS } else { DECISIONS },
        plies: 20,
        opening: None,
        set_up: if long { None } else { Some(STONES) },
        limit: LimitArguments { time: None, nodes: None },
        table: "64K".parse().expect("size"),
        solver_nodes: u64::MAX,
        solver_table: "64M".parse().expect("size"),
        seed: 0,
        json: false,
    };
    let verdict = verify_with(&arguments, &mut Board(board)).expect("a verdict");
    println!("{verdict:?}");
    assert_eq!(verdict.mistakes, []);
    assert!(verdict.longest_microseconds <= TURN_MS * 1_000, "late");
    assert!(verdict.proved > 0, "some of them are beyond the book");
}
