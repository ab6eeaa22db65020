//! `tavola play` with the emulated board, through a pseudo-terminal: the same code as for a real
//! serial port.
#![cfg(unix)]

use host::failure::Status;
use host::link::emulator::Options;
use host::partner::place::Place;
use host_tests::board;
use host_tests::serial_board::{SerialBoard, Step, act, every_move, line, play, play_at, quick};

#[test]
fn whole_games_of_all_kinds_are_played() {
    let Some((emulator, _)) = board::start(Options::default()) else { return };
    let board = SerialBoard::new(emulator);
    for spec in ["mnk:4x4x3", "connect:4x5x3", "bricks:4"] {
        let (result, said) = play(quick(spec), &board.port(), every_move(spec));
        assert!(result.is_ok(), "{result:?}: {said}");
        assert!(said.contains(" win") || said.contains("A draw"), "{spec}: {said}");
    }
}

#[test]
fn a_reset_and_a_pulled_plug_cost_nothing() {
    let Some((emulator, _)) = board::start(Options::default()) else { return };
    let board = SerialBoard::new(emulator);
    // Columns that have room whatever the board answers.
    let steps = vec![
        line("0"),
        Step::Await("plays"),
        act(&board, SerialBoard::reset),
        Step::Await("reset:"),
        line("4"),
        Step::Await("plays"),
        act(&board, SerialBoard::unplug),
        Step::Await("lost: "),
        act(&board, SerialBoard::plug_in),
        line("reconnect"),
        line("6"),
        Step::Await("plays"),
        line("moves"),
        Step::Await("moves: 0"),
    ];
    let (result, said) = play(quick("connect:6x7x4"), &board.port(), steps);
    assert_eq!(result.ok(), Some(Status::Done), "{said}");
    let moves = said.lines().rev().find_map(|line| line.strip_prefix("moves: "));
    let moves: Vec<&str> = moves.expect("the moves").split_whitespace().collect();
    assert_eq!((moves[0], moves[2], moves[4], moves.len()), ("0", "4", "6", 6), "{said}");
}

#[test]
fn a_board_that_is_started_for_the_game_shows_its_matrix() {
    // Whether this machine can start one at all.
    if board::start_paused(Options::default()).is_none() {
        return;
    }
    let place = Place::Emulator(Some(board::firmware().expect("it was started")));
    let steps = vec![line("0"), Step::Await("plays"), line("1"), Step::Await("plays")];
    let (result, said) = play_at(quick("connect:6x7x4"), place, steps);
    let (status, round) = result.unwrap_or_else(|error| panic!("{error}: {said}"));
    assert_eq!(status, Status::Done, "{said}");
    assert_eq!(round.course.ply(), 4, "{said}");
    assert!(round.chairs[0].matrix.is_some(), "{said}");
}
