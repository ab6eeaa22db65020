//! `tavola play` on a serial port: a session at the other end of a pseudo-terminal plays the board.
#![cfg(unix)]

use std::path::Path;

use host::failure::{Failure, Status};
use host_tests::serial_board::{
    SerialBoard, SessionBoard, Step, act, every_move, line, play, quick,
};

/// How many moves of a three-by-three game are on the board, as the words `moves:` tell.
fn last_moves(said: &str) -> Vec<&str> {
    let moves = said.lines().rev().find_map(|line| line.strip_prefix("moves: "));
    moves.expect("the moves were told").split_whitespace().collect()
}

#[test]
fn whole_games_of_all_kinds_are_played() {
    let board = SerialBoard::new(SessionBoard::new());
    for spec in ["mnk:4x4x3", "connect:4x5x3", "bricks:4"] {
        let (result, said) = play(quick(spec), &board.port(), every_move(spec));
        assert!(result.is_ok(), "{result:?}: {said}");
        assert!(said.contains(" win") || said.contains("A draw"), "{spec}: {said}");
    }
}

#[test]
fn a_board_that_is_reset_in_mid_game_gets_the_game_back() {
    let board = SerialBoard::new(SessionBoard::new());
    let steps = vec![
        line("0,0"),
        Step::Await("plays"),
        act(&board, SerialBoard::reset),
        line("4,4"),
        Step::Await("plays"),
        line("moves"),
    ];
    let (result, said) = play(quick("mnk:7x7x5"), &board.port(), steps);
    assert_eq!(result.ok(), Some(Status::Done), "{said}");
    let moves = last_moves(&said);
    assert_eq!((moves[0], moves[2], moves.len()), ("0,0", "4,4", 4), "{said}");
}

#[test]
fn an_unplugged_board_can_come_back_and_the_game_is_kept() {
    let board = SerialBoard::new(SessionBoard::new());
    let steps = vec![
        line("0,0"),
        Step::Await("plays"),
        act(&board, SerialBoard::unplug),
        Step::Await("lost: "),
        Step::Await("reconnect looks for"),
        act(&board, SerialBoard::plug_in),
        line("reconnect"),
        line("4,4"),
        Step::Await("plays"),
        line("moves"),
    ];
    let (result, said) = play(quick("mnk:7x7x5"), &board.port(), steps);
    assert_eq!(result.ok(), Some(Status::Done), "{said}");
    assert_eq!(last_moves(&said).len(), 4, "{said}");
}

#[test]
fn without_the_board_the_game_goes_on_in_the_program() {
    let board = SerialBoard::new(SessionBoard::new());
    let steps = vec![
        line("0,0"),
        Step::Await("plays"),
        act(&board, SerialBoard::unplug),
        Step::Await("lost: "),
        line("local"),
        line("4,4"),
        Step::Await("plays"),
        line("moves"),
    ];
    let (result, said) = play(quick("mnk:7x7x5"), &board.port(), steps);
    assert_eq!(result.ok(), Some(Status::Done), "{said}");
    assert_eq!(last_moves(&said).len(), 4, "{said}");
}

#[test]
fn a_board_that_falls_silent_is_told_and_left() {
    let board = SerialBoard::new(SessionBoard::new());
    let steps = vec![
        line("0,0"),
        Step::Await("plays"),
        act(&board, SerialBoard::mute),
        line("4,4"),
        Step::Await("no answer in time"),
        line("local"),
        Step::Await("plays"),
        line("moves"),
    ];
    let (result, said) = play(quick("mnk:7x7x5"), &board.port(), steps);
    assert_eq!(result.ok(), Some(Status::Done), "{said}");
    assert_eq!(last_moves(&said).len(), 4, "{said}");
}

#[test]
fn a_board_that_talks_garbage_is_told_and_left() {
    let board = SerialBoard::new(SessionBoard::new());
    let steps = vec![
        line("0,0"),
        Step::Await("plays"),
        act(&board, SerialBoard::garble),
        line("4,4"),
        Step::Await("answers cannot be understood"),
        line("local"),
        Step::Await("plays"),
        line("moves"),
    ];
    let (result, said) = play(quick("mnk:7x7x5"), &board.port(), steps);
    assert_eq!(result.ok(), Some(Status::Done), "{said}");
    assert_eq!(last_moves(&said).len(), 4, "{said}");
}

#[test]
fn a_port_without_a_board_is_refused_in_a_line() {
    let board = SerialBoard::new(SessionBoard::new());
    board.mute();
    let (result, said) = play(quick("mnk:7x7x5"), &board.port(), Vec::new());
    assert!(
        matches!(&result, Err(Failure::Input(why)) if why.ends_with("does not answer")),
        "{said}"
    );
    board.garble();
    let (result, said) = play(quick("mnk:7x7x5"), &board.port(), Vec::new());
    let stranger = "does not speak the protocol";
    assert!(matches!(&result, Err(Failure::Input(why)) if why.contains(stranger)), "{said}");
    let (result, said) = play(quick("mnk:7x7x5"), Path::new("/dev/no-such-port"), Vec::new());
    let missing = "cannot open the serial port `/dev/no-such-port`";
    assert!(matches!(&result, Err(Failure::Input(why)) if why.starts_with(missing)), "{said}");
}
