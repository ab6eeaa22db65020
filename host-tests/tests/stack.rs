//! How much of its stack the emulated board uses when every player thinks about every game.
#![cfg(unix)]

use host::link::emulator::{Emulator, Options};
use host_tests::board::{next_line, start};

/// Games with the players that play them; the largest boards are among them.
const TURNS: [(&str, &[&str]); 7] = [
    ("mnk:3x3x3", &["tavola", "competitive", "aipvs", "cadrega", "oneply", "random"]),
    ("mnk:8x8x5", &["tavola", "competitive", "aipvs", "cadrega"]),
    ("mnk:70x70x10", &["tavola", "competitive", "aipvs", "cadrega", "oneply"]),
    ("connect:6x7x4", &["tavola", "lavahound", "oneply", "random"]),
    ("connect:100x100x10", &["tavola", "lavahound", "oneply"]),
    ("bricks:6", &["tavola", "minimax", "alphabeta", "scorer4", "jfin5"]),
    ("bricks:20", &["tavola", "minimax", "scorer4", "jfin5"]),
];

/// What must stay free, since no test finds the very worst case: `cargo xtask memory` bounds it.
const MARGIN: u32 = 1024;

/// The answer to a command, without messages for people.
fn ask(emulator: &mut Emulator, command: &str) -> String {
    emulator.uart().write_line(command).expect("sent");
    loop {
        let line = next_line(emulator).expect("an answer");
        if !line.starts_with("MESSAGE") {
            return line;
        }
    }
}

#[test]
fn every_player_has_stack_to_spare() {
    let Some((mut emulator, _)) = start(Options::default()) else { return };
    emulator.uart().write_line("INFO timeout_turn 150").expect("sent");
    for (game, players) in TURNS {
        for player in players {
            assert_eq!(ask(&mut emulator, &format!("NEW {game}")), "OK", "{game}");
            assert_eq!(ask(&mut emulator, &format!("PLAYER {player}")), "OK", "{game} {player}");
            let answer = ask(&mut emulator, "BEGIN");
            assert!(!answer.starts_with("ERROR"), "{game} {player}: {answer}");
        }
        for command in ["HINT", "EVAL", "SAVE"] {
            let answer = ask(&mut emulator, command);
            assert!(!answer.starts_with("ERROR"), "{game} {command}: {answer}");
        }
    }
    let answer = ask(&mut emulator, "STACK");
    let number = |name: &str| {
        let word = answer.split(' ').find_map(|word| word.strip_prefix(name));
        word.and_then(|word| word.parse::<u32>().ok()).expect("STACK used=N size=N")
    };
    let (used, size) = (number("used="), number("size="));
    println!("high-water mark: {used} bytes of {size}");
    assert!(used + MARGIN <= size, "{used} bytes of stack in use, of {size}");
}
