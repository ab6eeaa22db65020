//! Resets, panics, faults and hangs of the emulated board: the game goes on, and the reason is told.
#![cfg(unix)]

use host_tests::scenario::matches;
use host_tests::uart_endpoint::{EXACT, UartEndpoint};

/// A board in the middle of a game.
fn in_mid_game() -> Option<UartEndpoint> {
    let (mut board, _) = UartEndpoint::boot(EXACT)?;
    board.obey("NEW connect:6x7x4");
    board.obey("LEVEL 1");
    for mv in ["TURN 3", "TURN 2"] {
        let answer = board.ask(mv);
        assert!(matches("{move}", &answer), "{answer}");
    }
    Some(board)
}

/// Something happens to the board, which starts again; gives what it tells then. The game must be
/// the same, and it must go on.
#[track_caller]
fn survives(board: &mut UartEndpoint, event: impl FnOnce(&mut UartEndpoint)) -> Vec<String> {
    let state = |board: &mut UartEndpoint| [board.ask("MOVES"), board.ask("PLAYER")];
    let before = state(board);
    event(board);
    let told = board.boot_lines();
    assert_eq!(state(board), before);
    let plies = before[0].split(' ').count() - 1;
    let goes_on = format!("MESSAGE the game goes on: connect:6x7x4 after {plies} moves");
    assert_eq!(told.last(), Some(&goes_on));
    // Both sides still play.
    let answer = board.ask("TURN 5");
    assert!(matches("{move}", &answer), "{answer}");
    board.obey("UNDO");
    told
}

/// The line that tells the reason is this one.
#[track_caller]
fn assert_reason(told: &[String], pattern: &str) {
    assert!(told.len() == 3 && matches(pattern, &told[1]), "{told:?}");
    println!("{}", told[1]);
}

#[test]
fn a_reset_in_mid_game_changes_nothing() {
    let Some(mut board) = in_mid_game() else { return };
    let told = survives(&mut board, |board| board.emulator().reset().expect("reset"));
    // Nothing went wrong, so there is no reason to tell.
    assert_eq!(told.len(), 2, "{told:?}");
    // Also a second time, and after a move that was taken back.
    survives(&mut board, |board| board.emulator().reset().expect("reset"));
}

#[test]
fn panics_and_faults_are_told_and_the_game_goes_on() {
    let Some(mut board) = in_mid_game() else { return };
    let told = survives(&mut board, |board| board.tell("PANIC"));
    assert_reason(&told, "MESSAGE before it: panic: {any}serve.rs:{int} asked to");
    let told = survives(&mut board, |board| board.tell("FAULT"));
    let fault = "MESSAGE before it: hard fault at 0x080{any}, status 0x{any}, address 0x60000000";
    assert_reason(&told, fault);
    let told = survives(&mut board, |board| board.tell("OVERFLOW"));
    assert_reason(&told, "MESSAGE before it: stack overflow{any}");
    // It is told once.
    let told = survives(&mut board, |board| board.emulator().reset().expect("reset"));
    assert_eq!(told.len(), 2, "{told:?}");
}

#[test]
fn hangs_are_ended_by_the_watchdog_and_the_game_goes_on() {
    let Some(mut board) = in_mid_game() else { return };
    let told = survives(&mut board, |board| board.tell("HANG"));
    assert_reason(&told, "MESSAGE before it: hang: the watchdog was not petted");
    let told = survives(&mut board, |board| board.tell("HANG search"));
    assert_reason(&told, "MESSAGE before it: hang: search did not check in");
}

#[test]
fn a_board_that_was_thinking_thinks_on_after_a_reset() {
    let Some((mut board, _)) = UartEndpoint::boot(EXACT) else { return };
    board.obey("START 15");
    board.tell("INFO timeout_turn 600000");
    // Near an edge, so that it has to think.
    board.tell("TURN 2,2");
    assert_eq!(board.ask("PING"), "PONG");
    let told = board.reset();
    assert_eq!(told[1..], ["MESSAGE the game goes on: mnk:15x15x5 after 1 moves"]);
    assert!(board.ask("SHOW").starts_with("ERROR busy"), "it thinks");
    let played = board.next_line();
    let reply = played.strip_prefix("MESSAGE I play ").unwrap_or_else(|| panic!("{played}"));
    assert_eq!(board.ask("MOVES"), format!("MOVES 2,2 {reply}"));
}

#[test]
fn a_reset_at_any_moment_leaves_a_whole_game() {
    let Some((mut board, _)) = UartEndpoint::boot(EXACT) else { return };
    board.obey("NEW mnk:15x15x5");
    let row: Vec<String> = (0..14).map(|x| format!("{x},{}", x % 3 * 5)).collect();
    for round in 0..10 {
        // No answer is waited for: the reset comes in the middle of something.
        for mv in &row {
            board.tell(&format!("MOVE {mv}"));
        }
        for _ in 0..round {
            board.tell("UNDO");
        }
        board.reset();
        let moves = board.ask("MOVES");
        // Lines that came during the reset are lost as a whole; what is there is in order.
        let mut sent = row.iter();
        let kept = moves.split(' ').skip(1).all(|kept| sent.any(|mv| mv == kept));
        assert!(kept, "{moves}");
        board.obey("RESTART");
    }
}
