//! Noise, floods and damage on the emulated board's UART: the game stays as it was, and afterwards
//! the board works as before.
#![cfg(unix)]

use std::time::Duration;

use host::link::Link;
use host_tests::Dice;
use host_tests::scenario::{Endpoint, matches};
use host_tests::uart_endpoint::{EXACT, UartEndpoint, number_in};

/// A board that says nothing for so long has said all. Only to end a wait: nothing is concluded
/// from it.
const SILENCE: Duration = Duration::from_millis(300);
/// Bytes that are sent at a time.
const PIECE: usize = 4096;

/// The variable that asks for long tests.
const LONG_TESTS: &str = "TAVOLA_LONG_TESTS";
/// Bytes of noise, and as many in a long test: the emulated UART takes some 2 KiB a second.
const NOISE: usize = 1 << 14;
const LONG_NOISE: usize = 1 << 20;

/// Sends all bytes as fast as the emulator takes them, and gives the lines that come back. The
/// answers must be read meanwhile, or the board could not send them.
fn flood(board: &mut UartEndpoint, bytes: &[u8]) -> Vec<String> {
    let mut writer = board.emulator().uart().writer().expect("a second handle");
    let mut lines = Vec::new();
    std::thread::scope(|scope| {
        let sending = scope.spawn(move || {
            for piece in bytes.chunks(PIECE) {
                writer.write(piece).expect("sent");
            }
        });
        while !sending.is_finished() {
            lines.extend(board.emulator().uart().read_line(SILENCE).expect("the board is there"));
        }
    });
    lines
}

/// Ends a line that may be open and waits until the board follows again. What it says until then
/// goes to the lines.
fn come_to_rest(board: &mut UartEndpoint, lines: &mut Vec<String>) {
    let mut silent = 0;
    while silent < 2 {
        match board.emulator().uart().read_line(SILENCE).expect("the board is there") {
            Some(line) => {
                lines.push(line);
                silent = 0;
            }
            None => silent += 1,
        }
    }
    board.send(b"\n").expect("sent");
    lines.extend(board.lines_until_quiet().expect("quiet"));
}

/// A board with a game that nobody shall touch.
fn with_a_game() -> Option<UartEndpoint> {
    let (mut board, _) = UartEndpoint::boot(EXACT)?;
    board.obey("NEW connect:6x7x4");
    board.obey("LEVEL 1");
    board.obey("MOVE 3 3 2");
    Some(board)
}

/// The game is as it was, and the board does all that it should.
#[track_caller]
fn assert_unharmed(board: &mut UartEndpoint) {
    assert_eq!(board.ask("MOVES"), "MOVES 3 3 2");
    assert_eq!(board.ask("PLAYER"), "PLAYER tavola:level=1");
    board.obey("NEW mnk:3x3x3");
    board.tell("SHOW");
    let drawn = board.lines_until_quiet().expect("quiet");
    assert_eq!(drawn.last().map(String::as_str), Some("OK"), "{drawn:?}");
    assert!(drawn.len() >= 4, "{drawn:?}");
    let answer = board.ask("TURN 1,1");
    assert!(matches("{move}", &answer), "{answer}");
}

/// Every line says that something is wrong.
#[track_caller]
fn assert_all_refused(lines: &[String]) {
    let obeyed =
        lines.iter().find(|line| !line.starts_with("ERROR") && !line.starts_with("UNKNOWN"));
    assert_eq!(obeyed, None);
}

#[test]
fn noise_changes_nothing() {
    let Some(mut board) = with_a_game() else { return };
    let mut dice = Dice::new(1);
    let length = if std::env::var_os(LONG_TESTS).is_some() { LONG_NOISE } else { NOISE };
    let noise: Vec<u8> = (0..length).map(|_| dice.roll(256) as u8).collect();
    let mut lines = flood(&mut board, &noise);
    come_to_rest(&mut board, &mut lines);
    assert_all_refused(&lines);
    println!("{} answers, {}, {}", lines.len(), board.ask("LINE"), board.ask("STATS"));
    assert_unharmed(&mut board);
}

#[test]
fn endless_lines_and_control_bytes_are_refused_once_each() {
    let Some(mut board) = with_a_game() else { return };
    let mut lines = Vec::new();
    for line in [
        vec![b'x'; 10_000],
        [b"TURN ".to_vec(), vec![b'1'; 10_000]].concat(),
        [b"LOAD ".to_vec(), b"3 ".repeat(5_000)].concat(),
        vec![0; 10_000],
        b"TURN 3\0".to_vec(),
        b"\0NEW mnk:3x3x3".to_vec(),
    ] {
        lines.clear();
        lines.extend(flood(&mut board, &line));
        board.send(b"\n").expect("sent");
        lines.extend(board.lines_until_quiet().expect("quiet"));
        assert_eq!(lines.len(), 1, "{lines:?}");
        assert_all_refused(&lines);
        println!("{}", lines[0]);
    }
    assert_unharmed(&mut board);
}

#[test]
fn lines_that_lost_bytes_are_never_obeyed() {
    let Some(mut board) = with_a_game() else { return };
    board.obey("CHECK ON");
    // Good on their own but for the checksum; parts of two of them never make one that is good.
    let bad = ["TURN 1*00", "NEW bricks:5*00", "MOVE 0 1 2*00", "UNDO*00", "LEVEL 7*00", "END*00"];
    let text: String = bad.iter().cycle().take(1_000).flat_map(|line| [line, "\n"]).collect();
    let mut lines = flood(&mut board, text.as_bytes());
    come_to_rest(&mut board, &mut lines);
    assert_all_refused(&lines);
    let line = board.ask("LINE*0F");
    println!("{} answers, {line}", lines.len());
    assert_eq!(board.ask("CHECK OFF*29"), "OK*04");
    assert_unharmed(&mut board);
}

#[test]
fn a_flood_during_a_search_neither_stops_it_nor_gets_through() {
    let Some((mut board, _)) = UartEndpoint::boot(EXACT) else { return };
    board.obey("START 15");
    board.tell("INFO timeout_turn 3000");
    // Near an edge, so that it has to think.
    board.tell("TURN 2,2");
    // None of them would make it think again.
    let text = "SHOW\nSTOP*00\nNEW bricks:5*00\nTURN 1,1*00\nFLY\n".repeat(200);
    let mut lines = flood(&mut board, text.as_bytes());
    come_to_rest(&mut board, &mut lines);
    while !lines.iter().any(|line| matches("{move}", line)) {
        lines.push(board.next_line());
    }
    let answers: Vec<_> = lines.iter().filter(|line| matches("{move}", line)).cloned().collect();
    println!("{} lines, {}", lines.len(), board.ask("LINE"));
    assert_eq!(board.ask("MOVES"), format!("MOVES 2,2 {}", answers[0]), "{answers:?}");
    let stats = board.ask("STATS");
    assert_eq!(number_in(&stats, "games"), Some(1), "{stats}");
    // The flood did not stop it before its time.
    assert!(number_in(&stats, "longest_us").is_some_and(|us| us > 2_000_000), "{stats}");
}
