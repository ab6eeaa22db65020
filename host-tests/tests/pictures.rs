//! The pictures of the documentation, taken of the emulated board's matrix in real games:
//! `cargo test --package host-tests pictures:: -- --ignored` writes them to `docs/pictures`.
#![cfg(unix)]

use std::fs::{self, File};
use std::io::BufWriter;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use host::link::emulator::{Emulator, Options};
use host_tests::board::{next_line, start};

/// How long the display may take to show what was said, and until the LEDs have settled.
const SETTLED: Duration = Duration::from_millis(400);
/// A long press, and the pause after it.
const LONG_PRESS: Duration = Duration::from_millis(900);

/// Sends lines; after those that are answered, waits for the answer.
fn talk(emulator: &mut Emulator, lines: &[&str]) {
    for line in lines {
        emulator.uart().write_line(line).expect("sent");
        let silent = line.starts_with("INFO") || *line == "BOARD";
        let is_stone = line.matches(',').count() == 2 && !line.starts_with("TURN");
        if silent || is_stone {
            continue;
        }
        loop {
            let answer = next_line(emulator).expect("an answer");
            assert!(!answer.starts_with("ERROR"), "{line}: {answer}");
            if !answer.starts_with("MESSAGE") {
                break;
            }
        }
    }
}

fn take(emulator: &mut Emulator, name: &str) {
    sleep(SETTLED);
    let picture = emulator.picture().expect("a picture");
    assert!(picture.leds().lit() > 0, "{name}: the matrix is dark");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/pictures");
    fs::create_dir_all(&folder).expect("a folder");
    let file = File::create(folder.join(name)).expect("a file");
    picture.write_png(BufWriter::new(file)).expect("written");
}

fn press(emulator: &mut Emulator, time: Duration) {
    emulator.press_button().expect("pressed");
    sleep(time);
    emulator.release_button().expect("released");
    sleep(SETTLED);
}

#[test]
#[ignore = "writes to docs/pictures"]
fn the_matrix_in_real_games() {
    let Some((mut emulator, _)) = start(Options::default()) else { return };
    let board = &mut emulator;
    talk(board, &["INFO timeout_turn 300", "NEW mnk:3x3x3", "TURN 0,0", "TURN 2,2"]);
    take(board, "tic-tac-toe.png");
    press(board, Duration::from_millis(100));
    take(board, "cursor.png");
    talk(board, &["NEW connect:6x7x4", "TURN 3", "TURN 2", "TURN 4", "TURN 3", "TURN 1"]);
    take(board, "connect-four.png");
    talk(board, &["NEW mnk:8x8x5", "BOARD"]);
    talk(board, &["1,1,1", "2,2,1", "3,3,1", "4,4,1", "3,4,2", "4,3,2", "2,5,2", "6,2,2", "5,1,2"]);
    talk(board, &["DONE"]);
    take(board, "winning-line.png");
    talk(board, &["NEW bricks:8", "TURN 2,2,h", "TURN 5,4,v"]);
    take(board, "bricks.png");
    talk(board, &["NEW connect:6x7x4"]);
    sleep(SETTLED);
    press(board, LONG_PRESS);
    take(board, "menu.png");
}
