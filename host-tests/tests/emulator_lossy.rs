//! Games with the emulated board over a serial line that loses, doubles, flips and delays bytes,
//! with resets and the plug pulled: both sides have the same game at the end.
#![cfg(unix)]

use std::time::Duration;

use engine::spec::GameSpec;
use host::link::emulator::Options;
use host_tests::board;
use host_tests::lossy::{self, Damage, Tally};

/// The variable that asks for long tests.
const LONG_TESTS: &str = "TAVOLA_LONG_TESTS";
const GAMES: u64 = 32;
const LONG_GAMES: u64 = 1_000;
/// Time per move.
const TURN: Duration = Duration::from_millis(10);

/// Short games of all kinds.
const SPECS: [&str; 8] = [
    "mnk:3x3x3",
    "connect:4x5x3",
    "bricks:4",
    "mnk:5x5x4",
    "connect:6x7x4",
    "bricks:5",
    "mnk:6x6x5:exact",
    "mnk:11x11x4",
];

/// Lines on which one byte in 500 and one in 1,000 suffers.
const LINES: [Damage; 2] = [
    Damage { drop: 2_000, double: 2_000, flip: 2_000, delay: 2_000 },
    Damage { drop: 4_000, double: 4_000, flip: 4_000, delay: 4_000 },
];

#[test]
fn games_over_a_bad_line_end_with_both_sides_agreeing() {
    let Some((mut emulator, _)) = board::start(Options::default()) else { return };
    let games = if std::env::var_os(LONG_TESTS).is_some() { LONG_GAMES } else { GAMES };
    let mut all = Tally::default();
    for seed in 0..games {
        let spec: GameSpec = SPECS[seed as usize % SPECS.len()].parse().expect("a game");
        let damage = LINES[seed as usize / SPECS.len() % LINES.len()];
        let player = ["tavola:level=2", "tavola", "random"][seed as usize % 3];
        let tally = lossy::play(&mut emulator, spec, player, TURN, damage, seed);
        all.add(&tally);
        if (seed + 1) % 100 == 0 {
            println!("{all}");
        }
    }
    println!("{all}");
    assert_eq!(all.games, games);
    // The line was as bad as it was meant to be.
    let counts = all.counts;
    assert!(counts.dropped > 0 && counts.doubled > 0 && counts.flipped > 0 && counts.delayed > 0);
    assert!(all.resets > 0 && all.unplugs > 0, "{all}");
}
