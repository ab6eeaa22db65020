//! `SAVE` and `LOAD`: any position of any game goes through a line of text unchanged, and a line
//! that is not what `SAVE` said changes nothing.

use engine::game::any::Position;
use engine::game::{Game, Side};
use engine::session::Config;
use engine::session::crc::Crc32;
use engine::session::memory::{Apart, Memory};
use engine::spec::GameSpec;
use host_tests::talk::{self, SmallBoard, Talk};
use host_tests::{Dice, legal_moves};
use proptest::prelude::*;

/// Moves per `MOVE` line, so that it fits.
const MOVES_PER_LINE: usize = 30;

fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// A game, how far it is played, who plays it, and what the clocks show.
#[derive(Clone, Debug)]
struct Case {
    spec: GameSpec,
    plies: usize,
    player: &'static str,
    engine: bool,
    thought_us: u64,
    seed: u64,
}

fn small_game() -> impl Strategy<Value = GameSpec> {
    prop_oneof![
        (1..=15u8, 1..=15u8, 1..=6u16, any::<bool>())
            .prop_map(|(rows, cols, k, exact)| GameSpec::Mnk { rows, cols, k, exact }),
        (1..=12u8, 1..=12u8, 1..=6u16).prop_map(|(rows, cols, x)| GameSpec::Connect {
            rows,
            cols,
            x
        }),
        (1..=8u8).prop_map(|size| GameSpec::Bricks { size }),
    ]
}

fn large_game() -> impl Strategy<Value = GameSpec> {
    prop_oneof![
        Just(GameSpec::Mnk { rows: 70, cols: 70, k: 40, exact: false }),
        Just(GameSpec::Mnk { rows: 20, cols: 20, k: 5, exact: true }),
        Just(GameSpec::Connect { rows: 100, cols: 100, x: 60 }),
        Just(GameSpec::Bricks { size: 20 }),
    ]
}

fn case(
    game: impl Strategy<Value = GameSpec>,
    plies: std::ops::Range<usize>,
) -> impl Strategy<Value = Case> {
    let numbers = (plies, 0..8usize, any::<bool>(), 0..1u64 << 40, any::<u64>());
    (game, numbers).prop_map(|(spec, (plies, player, engine, thought_us, seed))| {
        let players: &[&str] = match spec {
            GameSpec::Mnk { .. } => &["tavola", "tavola:level=3", "aipvs", "cadrega", "random"],
            GameSpec::Connect { .. } => &["tavola:level=0", "lavahound", "oneply"],
            GameSpec::Bricks { .. } => &["tavola", "jfin5:30,4,11,5,1,2", "scorer4:1,2,3"],
        };
        Case { spec, plies, player: players[player % players.len()], engine, thought_us, seed }
    })
}

/// What can be seen of a session's state.
fn state<M: Memory>(talk: &mut Talk<'_, M>) -> (String, Vec<String>, Option<Side>, String) {
    let engine = talk.session.engine_side();
    (talk.ask_one("SAVE"), talk.ask("SHOW"), engine, talk.session.player().to_string())
}

/// Brings a session to the position.
fn set_up<M: Memory>(talk: &mut Talk<'_, M>, case: &Case) {
    talk.patience = 50;
    // A message comes first if the player of the last game does not know this one.
    assert_eq!(talk.ask(&format!("NEW {}", case.spec)).last().map(String::as_str), Some("OK"));
    assert_eq!(talk.ask_one(&format!("PLAYER {}", case.player)), "OK");
    let mut game = Box::new(Position::new(case.spec).expect("the largest boards fit"));
    let mut dice = Dice::new(case.seed);
    let mut moves = Vec::new();
    for _ in 0..case.plies {
        let legal = legal_moves(&*game);
        if legal.is_empty() {
            break;
        }
        let mv = legal[dice.roll(legal.len())];
        game.make(mv);
        moves.push(case.spec.show_move(mv).to_string());
    }
    for line in moves.chunks(MOVES_PER_LINE) {
        talk.clock.pass_us(case.thought_us >> dice.roll(30));
        assert_eq!(talk.ask(&format!("MOVE {}", line.join(" ")))[0], "OK");
    }
    if case.engine && talk.session.game().is_some_and(|game| game.outcome().is_none()) {
        talk.ask("SWAP");
    }
}

fn small<R>(body: impl for<'d> FnOnce(&mut Talk<'d, Apart<'d, SmallBoard>>) -> R) -> R {
    talk::hold("mnk:3x3x3", body)
}

fn large<R>(body: impl for<'d> FnOnce(&mut Talk<'d, Apart<'d, Position>>) -> R) -> R {
    talk::hold_with("mnk:3x3x3", Config::default(), body)
}

/// Saves the position and loads it where another game stands.
fn loads_elsewhere<G: Game + PartialEq + std::fmt::Debug>(
    here: &mut Talk<'_, impl Memory<Game = G>>,
    there: &mut Talk<'_, impl Memory<Game = G>>,
    case: &Case,
    other: &Case,
) {
    set_up(here, case);
    set_up(there, other);
    let saved = state(here);
    assert_eq!(there.ask_one(&saved.0), "OK");
    assert_eq!(state(there), saved);
    assert_eq!(here.session.game(), there.session.game());
    // The way back, by the same line with a checksum of its own.
    assert!(there.ask_one(&talk::with_checksum(&saved.0)).starts_with("OK*"));
    assert_eq!(state(there), saved);
}

/// Refuses a line and makes sure that nothing has changed.
fn refuses<M: Memory>(talk: &mut Talk<'_, M>, line: &str) {
    let before = state(talk);
    let answers = talk.ask(line);
    for answer in &answers {
        let why = answer.strip_prefix("ERROR ").or_else(|| answer.strip_prefix("UNKNOWN "));
        assert!(why.is_some_and(|why| why.len() > 8), "{line}: {answers:?}");
    }
    assert!(!answers.is_empty(), "{line}");
    assert_eq!(state(talk), before, "{line}: {answers:?}");
}

/// The line with its sum made right.
fn with_right_crc(line: &str) -> String {
    let body = line.rsplit_once(" crc=").map_or(line, |(body, _)| body);
    let mut crc = Crc32::new();
    crc.add(body.strip_prefix("LOAD ").expect("a saved game").as_bytes());
    format!("{body} crc={:08X}", crc.value())
}

/// A byte that may come in the place of another in the middle of a line. A tab counts as a space.
fn other_byte(byte: u8, choice: u8) -> Option<u8> {
    let changed = 0x20 + choice % 0x5F;
    (changed != byte && !(byte.is_ascii_alphabetic() && changed == byte ^ 0x20)).then_some(changed)
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn small_positions_load_to_the_same_state(
        case in case(small_game(), 0..120),
        other in case(small_game(), 0..60),
    ) {
        small(|here| small(|there| loads_elsewhere(here, there, &case, &other)));
    }

    #[test]
    fn an_altered_line_is_refused_and_changes_nothing(
        case in case(small_game(), 0..60),
        other in case(small_game(), 0..30),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..30),
        same_session: bool,
    ) {
        small(|talk| {
            set_up(talk, &case);
            let line = talk.ask_one("SAVE");
            if !same_session {
                set_up(talk, &other);
            }
            for (at, choice) in changes {
                // A character.
                let mut bytes = line.clone().into_bytes();
                let at = at.index(bytes.len());
                if let Some(other) = other_byte(bytes[at], choice) {
                    bytes[at] = other;
                    refuses(talk, std::str::from_utf8(&bytes).expect("ASCII"));
                }
                // The end.
                if at > 0 {
                    refuses(talk, &line[..at]);
                }
                // A word in another's place.
                let mut words: Vec<&str> = line.split(' ').collect();
                let (a, b) = (at % words.len(), usize::from(choice) % words.len());
                if words[a] != words[b] {
                    words.swap(a, b);
                    refuses(talk, &words.join(" "));
                }
                // A word too many, or one less.
                let mut words: Vec<&str> = line.split(' ').collect();
                words.insert(b, words[a]);
                refuses(talk, &words.join(" "));
                words.remove(b);
                words.remove(a);
                refuses(talk, &words.join(" "));
            }
        });
    }

    #[test]
    fn a_forged_line_with_a_right_sum_is_refused_if_the_moves_are_not_a_game(
        case in case(small_game(), 1..60),
        at: prop::sample::Index,
    ) {
        small(|talk| {
            set_up(talk, &case);
            let line = talk.ask_one("SAVE");
            assert_eq!(with_right_crc(&line), line);
            let mut words: Vec<&str> = line.split(' ').collect();
            let moves = talk.session.game().map_or(0, Game::ply);
            if moves == 0 {
                return;
            }
            let first = words.len() - 1 - moves;
            let at = first + at.index(moves);
            // Outside of every board.
            words[at] = "99,99,v";
            refuses(talk, &with_right_crc(&words.join(" ")));
            if !matches!(case.spec, GameSpec::Connect { .. }) {
                // The same place once more.
                words[at] = if at == first { words[words.len() - 2] } else { words[first] };
                if moves > 1 {
                    refuses(talk, &with_right_crc(&words.join(" ")));
                }
            }
            // Everything else about the line may be forged too.
            for (from, to) in [
                ("LOAD 1 ", "LOAD 2 "),
                (" player=", " player=nobody-"),
                (" engine=", " engine=third-"),
                (" clocks=", " clocks=-"),
                (" moves=", " moves=1"),
            ] {
                refuses(talk, &with_right_crc(&line.replacen(from, to, 1)));
            }
            let spec = case.spec.to_string();
            for other in ["mnk:70x70x5", "bricks:20", "connect:100x100x9", "chess:8"] {
                refuses(talk, &with_right_crc(&line.replacen(&spec, other, 1)));
            }
        });
    }
}

proptest! {
    #![proptest_config(cases(12))]

    #[test]
    fn large_positions_load_to_the_same_state(
        case in case(large_game(), 0..900),
        other in case(large_game(), 0..300),
    ) {
        large(|here| large(|there| loads_elsewhere(here, there, &case, &other)));
    }
}

#[test]
fn every_character_of_a_line_counts() {
    small(|talk| {
        assert_eq!(talk.ask_one("NEW connect:6x7x4"), "OK");
        // A sum that begins with a zero and has letters.
        let line = (0..)
            .map(|n| {
                with_right_crc(&format!(
                    "LOAD 1 connect:6x7x4 player=tavola engine=second clocks={n},0 moves=2 3 3 crc="
                ))
            })
            .find(|line| {
                let sum = &line[line.len() - 8..];
                sum.starts_with('0') && sum.contains('A')
            })
            .expect("there is one");
        for at in 0..line.len() {
            for other in 0x20..0x7F {
                let command = at < "LOAD".len();
                let byte = line.as_bytes()[at];
                // The name of a command may be written small.
                if other == byte || command && other == byte ^ 0x20 {
                    continue;
                }
                let mut bytes = line.clone().into_bytes();
                bytes[at] = other;
                let altered = std::str::from_utf8(&bytes).expect("ASCII");
                let answer = talk.ask_one(altered);
                assert!(
                    answer.starts_with("ERROR ") || answer.starts_with("UNKNOWN "),
                    "{altered}: {answer}"
                );
                assert_eq!(talk.ask_one("MOVES"), "MOVES");
            }
        }
        assert_eq!(talk.ask_one(&line), "OK");
    });
}

#[test]
fn a_full_board_of_the_largest_size_goes_through_a_line() {
    large(|here| {
        large(|there| {
            assert_eq!(here.ask_one("NEW connect:100x100x9999"), "OK");
            for column in 0..100 {
                for _ in 0..2 {
                    let line = format!("MOVE{}", format!(" {column}").repeat(50));
                    assert_eq!(here.ask(&line)[0], "OK");
                }
            }
            let saved = here.ask_one("SAVE");
            assert_eq!(there.ask_one(&saved), "OK");
            assert_eq!(there.ask_one("SAVE"), saved);
            // Both games do not fit into the memory together: the reason says what to do.
            let answer = there.ask_one(&saved);
            if answer != "OK" {
                assert!(answer.contains("RESTART gives the most room"), "{answer}");
                assert_eq!(there.ask_one("SAVE"), saved);
            }
        });
    });
}

/// While a job is ready or runs, the table's memory is not free for the moves of a `LOAD`.
#[test]
fn a_load_that_a_job_interrupts_is_refused() {
    let line =
        with_right_crc("LOAD 1 connect:6x7x4 player=tavola engine=none clocks=0,0 moves=2 3 4");
    for cut in 0..line.len() {
        small(|talk| {
            assert_eq!(talk.ask_one("NEW mnk:6x6x4"), "OK");
            talk.send(b"BEGIN\n");
            talk.send(&line.as_bytes()[..cut]);
            talk.take_job();
            talk.finish_job();
            talk.send(&line.as_bytes()[cut..]);
            talk.send(b"\n");
            let text = talk.take_text();
            let answer = text.lines().last().unwrap_or_default();
            let moves = talk.ask_one("MOVES");
            if answer == "OK" {
                assert_eq!(moves, "MOVES 3 4", "cut at {cut}");
            } else {
                assert_eq!(answer, "ERROR LOAD: busy: thinking; STOP first", "cut at {cut}");
                assert_eq!(moves.split(' ').count(), 2, "our move stands");
            }
        });
    }
}

/// A saved game needs the memory in which the stones of a `BOARD` wait: its first word gives them up.
#[test]
fn a_load_among_stones_gives_the_position_up() {
    let load =
        with_right_crc("LOAD 1 mnk:6x6x4 player=tavola engine=none clocks=0,0 moves=2 5,5 4,4");
    for end in ["*00\n", "\x01\n"] {
        small(|talk| {
            assert_eq!(talk.ask_one("NEW mnk:6x6x4"), "OK");
            talk.send(b"YXBOARD\n0,0,1\n1,1,2\n");
            // Damaged: the game stays as it was.
            talk.send(load.as_bytes());
            talk.send(end.as_bytes());
            assert!(talk.take_text().starts_with("ERROR "), "one answer");
            assert_eq!(talk.ask_one("DONE"), "ERROR DONE without BOARD");
            assert_eq!(talk.ask_one("MOVES"), "MOVES");
        });
    }
    small(|talk| {
        assert_eq!(talk.ask_one("NEW mnk:6x6x4"), "OK");
        talk.send(b"YXBOARD\n0,0,1\n1,1,2\n");
        // Sound, but not a game that can be loaded: the position is given up, as by any command.
        assert!(talk.ask_one("LOAD 1 mnk:6x6x4").starts_with("ERROR LOAD: line is cut"));
        assert_eq!(talk.ask_one("DONE"), "ERROR DONE without BOARD");
        assert_eq!(talk.ask_one("MOVES"), "MOVES");
        talk.send(b"YXBOARD\n0,0,1\n");
        assert_eq!(talk.ask_one(&load), "OK");
        assert_eq!(talk.ask_one("MOVES"), "MOVES 5,5 4,4");
    });
}
