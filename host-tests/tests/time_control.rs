//! Time: whatever was said about it, an answer is there when the manager's clock wants it.
//!
//! The clock is virtual. It goes on by [`STEP_US`] whenever a search looks at it, so that a search
//! takes as long as it looks; a line takes [`LATENCY_US`] to the session and an answer as long
//! back. The manager's clock runs from the moment at which it sends its line to the moment at
//! which it has read the answer.

use engine::game::Game;
use engine::game::Side;
use engine::game::any::Position;
use engine::session::Config;
use engine::session::clock::UNLIMITED_MS;
use engine::session::memory::{Apart, Memory};
use engine::spec::GameSpec;
use host_tests::talk::{self, Talk};
use host_tests::{Dice, legal_moves};

/// What a look at the clock takes.
const STEP_US: u64 = 250;
/// What a line takes on its way, each way. The session is told of both ways.
const LATENCY_US: u64 = 1_000;

/// Limits of a game as a manager sets them.
#[derive(Clone, Copy, Debug)]
struct Limits {
    turn_ms: Option<u64>,
    match_ms: Option<u64>,
    /// The manager sends `INFO time_left` before every move.
    tells_time_left: bool,
}

/// A manager's clock for one side.
struct Manager {
    limits: Limits,
    left_us: u64,
    longest_us: u64,
    moves: usize,
}

impl Manager {
    fn new(limits: Limits) -> Manager {
        let left_us = limits.match_ms.map_or(u64::MAX, |ms| ms * 1_000);
        Manager { limits, left_us, longest_us: 0, moves: 0 }
    }

    /// What is said before the game.
    fn greet<M: Memory>(&self, talk: &mut Talk<'_, M>) {
        for (key, value) in
            [("timeout_turn", self.limits.turn_ms), ("timeout_match", self.limits.match_ms)]
        {
            if let Some(ms) = value {
                assert_eq!(talk.ask(&format!("INFO {key} {ms}")), [""; 0]);
            }
        }
    }

    /// Asks for a move and holds the session to its limits.
    fn ask<M: Memory>(&mut self, talk: &mut Talk<'_, M>, line: &str) -> String {
        if self.limits.tells_time_left {
            let ms = if self.limits.match_ms.is_some() {
                self.left_us / 1_000
            } else {
                UNLIMITED_MS as u64
            };
            assert_eq!(talk.ask(&format!("INFO time_left {ms}")), [""; 0]);
        }
        let sent_us = talk.clock.reading_us();
        talk.clock.pass_us(LATENCY_US);
        let answer = talk.ask(line).swap_remove(0);
        talk.clock.pass_us(LATENCY_US);
        let took_us = talk.clock.reading_us() - sent_us;
        self.moves += 1;
        self.longest_us = self.longest_us.max(took_us);
        let limits = self.limits;
        if let Some(turn_ms) = limits.turn_ms.filter(|&ms| ms > 0) {
            assert!(took_us <= turn_ms * 1_000, "move {}: {took_us} us of {limits:?}", self.moves);
        }
        let left = self.left_us.checked_sub(took_us);
        self.left_us = left.unwrap_or_else(|| {
            panic!("move {}: {took_us} us with {} us left of {limits:?}", self.moves, self.left_us)
        });
        answer
    }
}

/// Plays a game of the engine on one side, chosen by the dice, against random moves.
fn play<M: Memory>(
    talk: &mut Talk<'_, M>,
    spec: GameSpec,
    limits: Limits,
    dice: &mut Dice,
) -> Manager {
    let mut manager = Manager::new(limits);
    assert_eq!(talk.ask_one(&format!("NEW {spec}")), "OK");
    manager.greet(talk);
    let mut engine = Side::BOTH[dice.roll(2)];
    if engine == Side::First {
        manager.ask(talk, "BEGIN");
    }
    loop {
        let game = talk.session.game().expect("nobody thinks");
        let moves = legal_moves(game);
        if moves.is_empty() {
            return manager;
        }
        let mv = spec.show_move(moves[dice.roll(moves.len())]).to_string();
        // Now and then a person takes his time, or changes his mind.
        talk.clock.pass_us(dice.roll(5_000_000) as u64);
        if dice.roll(40) == 0 {
            assert_eq!(talk.ask(&format!("MOVE {mv}"))[0], "OK");
            engine = engine.other();
            if talk.session.game().is_some_and(|game| game.outcome().is_some()) {
                return manager;
            }
            manager.ask(talk, "SWAP");
            continue;
        }
        let answer = manager.ask(talk, &format!("TURN {mv}"));
        assert!(!answer.starts_with("ERROR"), "{answer}");
    }
}

fn config() -> Config {
    Config { latency_us: 2 * LATENCY_US as u32, ..Config::default() }
}

fn hold<R>(body: impl for<'d> FnOnce(&mut Talk<'d, Apart<'d, Position>>) -> R) -> R {
    talk::hold_with("mnk:3x3x3", config(), |talk| {
        talk.clock.set_step_us(STEP_US);
        body(talk)
    })
}

/// Turn, match, whether the manager tells what is left.
fn some_limits(dice: &mut Dice) -> Limits {
    let turn_ms = [None, Some(10), Some(20), Some(50), Some(100), Some(1_000)][dice.roll(6)];
    // At least what the longest game takes on its way, and some.
    let match_ms = [None, Some(700), Some(1_000), Some(3_000)][dice.roll(4)];
    let turn_ms =
        if match_ms.is_none() { turn_ms.filter(|&ms| ms <= 50).or(Some(20)) } else { turn_ms };
    Limits { turn_ms, match_ms, tells_time_left: dice.roll(2) == 0 }
}

#[test]
fn a_thousand_games_are_played_in_time() {
    const SMALL: [&str; 8] = [
        "mnk:3x3x3",
        "mnk:6x6x5",
        "mnk:10x10x5",
        "connect:6x7x4",
        "connect:9x9x5",
        "bricks:5",
        "bricks:7",
        "mnk:15x15x5:exact",
    ];
    let mut moves = 0;
    hold(|talk| {
        for seed in 0..990 {
            let mut dice = Dice::new(seed);
            let spec: GameSpec = SMALL[dice.roll(SMALL.len())].parse().expect("a game");
            let limits = some_limits(&mut dice);
            moves += play(talk, spec, limits, &mut dice).moves;
        }
        // Large boards: the opponent wins or loses soon, as he plays at random.
        for seed in 0..10 {
            let mut dice = Dice::new(seed);
            let spec = ["mnk:40x40x5", "connect:30x30x6", "mnk:70x70x5", "connect:100x100x5"];
            let spec: GameSpec = spec[dice.roll(4)].parse().expect("a game");
            let limits = Limits {
                match_ms: Some(60_000),
                turn_ms: Some(50),
                tells_time_left: seed % 2 == 0,
            };
            moves += play(talk, spec, limits, &mut dice).moves;
        }
    });
    assert!(moves > 5_000, "{moves}");
}

/// The longest game that there is on a board, under a limit for the whole game only.
#[test]
fn a_long_game_leaves_time_for_its_last_move() {
    for tells_time_left in [false, true] {
        for match_ms in [400, 1_000, 10_000] {
            hold(|talk| {
                talk.clock.set_step_us(STEP_US / 5);
                // Nobody can make a line: all 196 moves are played.
                let spec = "mnk:14x14x99".parse().expect("a game");
                let limits = Limits { turn_ms: None, match_ms: Some(match_ms), tells_time_left };
                let manager = play(talk, spec, limits, &mut Dice::new(7));
                assert!(manager.moves >= 90, "{}", manager.moves);
            });
        }
    }
}

#[test]
fn a_move_alone_gets_most_of_its_time() {
    hold(|talk| {
        let limits = Limits { turn_ms: Some(1_000), match_ms: None, tells_time_left: true };
        let mut manager = Manager::new(limits);
        assert_eq!(talk.ask_one("NEW mnk:15x15x5"), "OK");
        manager.greet(talk);
        talk.ask("MOVE 7,7 9,9");
        manager.ask(talk, "SWAP");
        assert!(manager.longest_us > 800_000, "{}", manager.longest_us);
    });
}

#[test]
fn absurd_limits_are_answered_all_the_same() {
    let numbers = [
        "-9223372036854775808",
        "-99999999999999999999",
        "-1",
        "0",
        "1",
        "2147483646",
        "2147483647",
        "2147483648",
        "4294967295",
        "4294967296",
        "9223372036854775807",
        "99999999999999999999",
    ];
    hold(|talk| {
        talk.patience = 500;
        for turn in numbers {
            for left in numbers {
                for whole in ["0", "-1", "1", "9223372036854775807"] {
                    assert_eq!(talk.ask_one("NEW mnk:7x7x5"), "OK");
                    for line in [
                        format!("INFO timeout_turn {turn}"),
                        format!("INFO timeout_match {whole}"),
                        format!("INFO time_left {left}"),
                    ] {
                        assert_eq!(talk.ask(&line), [""; 0]);
                    }
                    let before_us = talk.clock.reading_us();
                    assert!(talk.ask_one("BEGIN").contains(','));
                    if left.starts_with('-') || left == "0" || left == "1" {
                        let took_us = talk.clock.reading_us() - before_us;
                        // No more than a few looks at the clock.
                        assert!(took_us <= 8 * STEP_US, "{left}: {took_us} us");
                    }
                    assert!(talk.ask_one("CLOCK").starts_with("CLOCK "));
                }
            }
        }
    });
}

#[test]
fn a_clock_that_jumps_or_stands_still_does_not_keep_an_answer_back() {
    hold(|talk| {
        talk.patience = 10_000;
        for (step_us, jump) in [
            (0, None),
            (STEP_US, Some(0)),
            (STEP_US, Some(u64::MAX)),
            (0, Some(u64::MAX)),
            (u64::MAX, None),
            (1 << 40, Some(1)),
        ] {
            talk.clock.set_us(1 << 30);
            talk.clock.set_step_us(step_us);
            assert_eq!(talk.ask_one("NEW mnk:9x9x5"), "OK");
            assert_eq!(talk.ask("INFO timeout_turn 50"), [""; 0]);
            assert_eq!(talk.ask("INFO time_left 1000"), [""; 0]);
            talk.send(b"BEGIN\n");
            if let Some(to_us) = jump {
                talk.clock.jump_after(20, to_us);
            }
            assert!(talk.take_job().is_some());
            // A clock that stands still ends nothing: somebody says STOP.
            talk.send(b"PING\n");
            if step_us == 0 && jump.is_none() || jump == Some(0) {
                talk.send(b"YXSTOP\n");
            }
            talk.finish_job();
            let text = talk.take_text();
            let lines: Vec<&str> = text.lines().collect();
            assert_eq!(lines.len(), 2, "{text}");
            assert_eq!(lines[0], "PONG");
            assert!(lines[1].contains(','), "{text}");
            assert_eq!(talk.ask("TURN 0,0").len(), 1);
            assert!(talk.ask_one("STATS").starts_with("STATS "));
        }
    });
}

/// A clock of 32 bits comes to its end while the engine thinks, and one goes back or stands still:
/// nobody says STOP, and nobody's patience ends. The answer comes all the same, and soon.
#[test]
fn a_clock_that_wraps_goes_back_or_stands_still_ends_the_thinking_by_itself() {
    const WRAP_US: u64 = 1 << 32;
    for game in ["mnk:9x9x5", "mnk:6x6x5", "connect:8x9x5", "connect:6x7x4", "bricks:8"] {
        for (start_us, step_us, jump) in [
            (WRAP_US - 3_000, STEP_US, Some(0)),
            (WRAP_US + 5_000, STEP_US, Some(7)),
            (1 << 40, STEP_US, Some((1 << 40) - 1)),
            (1 << 40, 0, None),
            (0, 0, None),
        ] {
            hold(|talk| {
                talk.patience = u64::MAX;
                assert_eq!(talk.ask_one(&format!("NEW {game}")), "OK");
                assert_eq!(talk.ask("INFO timeout_turn 60000"), [""; 0]);
                talk.clock.set_us(start_us);
                talk.clock.set_step_us(step_us);
                talk.send(b"BEGIN\n");
                if let Some(to_us) = jump {
                    talk.clock.jump_after(8, to_us);
                }
                let before_us = talk.clock.reading_us();
                assert!(talk.take_job().is_some());
                talk.finish_job();
                let answer = talk.take_text();
                let spec: GameSpec = game.parse().expect("a game");
                assert!(spec.parse_move(answer.trim()).is_ok(), "{game}: {answer}");
                // As on a dial of 32 bits, the short way round.
                let passed_us = talk.clock.reading_us().abs_diff(before_us) % WRAP_US;
                let passed_us = passed_us.min(WRAP_US - passed_us);
                assert!(passed_us < 60_000_000, "{game} {start_us}: {passed_us} us");
                // The next move is thought about as usual.
                talk.clock.set_step_us(STEP_US);
                assert_eq!(talk.ask("INFO timeout_turn 50"), [""; 0]);
                assert_eq!(talk.ask_one("SWAP").split(',').count(), answer.split(',').count());
            });
        }
    }
}

/// The deadline is over before the thinking begins: every player of every game still has a move.
#[test]
fn with_no_time_left_every_player_still_has_a_legal_move() {
    const PLAYERS: [(&str, &[&str]); 3] = [
        ("mnk:8x9x5", &["tavola", "tavola:level=0", "competitive", "aipvs", "cadrega", "oneply"]),
        ("connect:6x7x4", &["tavola", "tavola:level=4", "lavahound", "oneply", "random"]),
        ("bricks:6", &["tavola", "minimax", "alphabeta", "scorer4", "jfin5"]),
    ];
    for (game, players) in PLAYERS {
        for player in players {
            for left in ["-9223372036854775808", "-1", "0"] {
                hold(|talk| {
                    talk.clock.set_us(1 << 50);
                    assert_eq!(talk.ask_one(&format!("NEW {game}")), "OK");
                    assert_eq!(talk.ask_one(&format!("PLAYER {player}")), "OK");
                    for _ in 0..6 {
                        assert_eq!(talk.ask(&format!("INFO time_left {left}")), [""; 0]);
                        let before_us = talk.clock.reading_us();
                        let answer = talk.ask_one("SWAP");
                        assert!(!answer.starts_with("ERROR"), "{game} {player}: {answer}");
                        let took_us = talk.clock.reading_us() - before_us;
                        assert!(took_us <= 64 * STEP_US, "{game} {player}: {took_us} us");
                    }
                    assert_eq!(talk.session.game().map(Game::ply), Some(6));
                });
            }
        }
    }
}
