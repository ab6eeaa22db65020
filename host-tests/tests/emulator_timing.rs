//! Time on the emulated board, counted in instructions (`-icount shift=4`: 16 ns each, about the pace
//! of the chip), so that it is the same on every PC, however busy.
//!
//! The board measures itself, by its own timer: `STATS longest_us` is the time from the end of the
//! line that asks to the answer, `late_us` that from the deadline the search was given to the
//! answer, `STOPS worst_us` that from a `STOP` to the answer. They are the worst since the last
//! reset, so the board is reset before each measurement.
#![cfg(unix)]

use engine::game::any::Position;
use engine::game::{Game, Move};
use engine::players::tavola::{MAX_LEVEL, Tavola};
use engine::search::report::NoClock;
use engine::spec::GameSpec;
use host_tests::scenario::matches;
use host_tests::uart_endpoint::{EXACT, UartEndpoint, number_in};
use host_tests::{Dice, Storage, decide, legal_moves, nodes};

/// Set for the long times as well.
const LONG_VARIABLE: &str = "TAVOLA_LONG_TESTS";

/// The boards, and how many plies their middle game has.
const GAMES: [(&str, usize); 8] = [
    ("mnk:3x3x3", 3),
    ("mnk:15x15x5", 40),
    ("mnk:70x70x5", 120),
    ("connect:6x7x4", 12),
    ("connect:7x8x4", 12),
    ("connect:100x100x4", 60),
    ("bricks:8", 8),
    ("bricks:20", 40),
];

/// Boards with stones all over, and how many: the most work for a single node.
const WILD_GAMES: [(&str, usize); 6] = [
    ("mnk:70x70x5", 120),
    ("mnk:70x70x5", 1_000),
    ("mnk:70x70x10", 2_500),
    ("mnk:30x30x6", 300),
    ("connect:100x100x30", 2_000),
    ("bricks:20", 60),
];

/// An answer may be this much later than it was asked for.
const LATE_LIMIT_US: u64 = 1_000;
/// An answer to `STOP` may take this long.
const STOP_LIMIT_US: u64 = 5_000;

/// The moves of an unfinished game of about so many plies, played by two good players, so that
/// there is something to think about.
fn middle_game(spec: GameSpec, plies: usize) -> Vec<String> {
    /// Plies before the end of a game that ends too early.
    const BEFORE_THE_END: usize = 6;
    let mut storage = Storage::new(1_024);
    let mut game = Position::new(spec).expect("fits");
    let mut player = Tavola::new(MAX_LEVEL, 1);
    let mut moves = Vec::new();
    while moves.len() < plies {
        let decision = decide(&mut player, &mut game, nodes(200), &NoClock, &mut storage);
        let Some(decision) = decision else {
            moves.truncate(moves.len().saturating_sub(BEFORE_THE_END));
            break;
        };
        game.try_play(decision.best).expect("legal");
        moves.push(spec.show_move(decision.best).to_string());
    }
    moves
}

/// The moves of a game that was played at random and goes on: stones all over the board.
fn wild_game(spec: GameSpec, plies: usize) -> Vec<String> {
    let mut dice = Dice::new(7);
    let mut game = Position::new(spec).expect("fits");
    let mut moves = Vec::new();
    while moves.len() < plies {
        let legal = legal_moves(&game);
        let goes_on = |mv: &Move| {
            let mut next = game.clone();
            next.try_play(*mv).is_ok() && next.outcome().is_none()
        };
        // Any of the moves, from a random one on, that does not end the game.
        let start = dice.roll(legal.len());
        let mut turned = legal[start..].iter().chain(&legal[..start]);
        let Some(&mv) = turned.find(|mv| goes_on(mv)) else { break };
        game.try_play(mv).expect("legal");
        moves.push(spec.show_move(mv).to_string());
    }
    moves
}

/// A board just reset, with this position.
fn set_up(board: &mut UartEndpoint, spec: &str, moves: &[String]) {
    board.reset();
    board.obey(&format!("NEW {spec}"));
    for some in moves.chunks(20) {
        board.obey(&format!("MOVE {}", some.join(" ")));
    }
}

/// All positions: the empty board and the middle of a good game, and wild ones.
fn positions() -> Vec<(&'static str, Vec<String>)> {
    let spec = |name: &str| name.parse().expect("a game");
    let good = GAMES
        .into_iter()
        .flat_map(|(name, plies)| [(name, Vec::new()), (name, middle_game(spec(name), plies))]);
    let wild = WILD_GAMES.into_iter().map(|(name, plies)| (name, wild_game(spec(name), plies)));
    good.chain(wild).collect()
}

/// What one answer took.
struct Measured {
    took_us: u64,
    late_us: u64,
}

fn answer_within(board: &mut UartEndpoint, turn_ms: u64) -> Measured {
    board.tell(&format!("INFO timeout_turn {turn_ms}"));
    let answer = board.ask("SWAP");
    assert!(matches("{move}", &answer), "{answer}");
    // The answer may end the game, which is told after it.
    board.lines_until_quiet().expect("quiet");
    let stats = board.ask("STATS");
    let number = |key| number_in(&stats, key).unwrap_or_else(|| panic!("{stats}"));
    Measured { took_us: number("longest_us"), late_us: number("late_us") }
}

#[test]
fn answers_are_never_late() {
    let Some((mut board, _)) = UartEndpoint::boot(EXACT) else { return };
    let mut times = vec![10, 100, 1_000];
    if std::env::var_os(LONG_VARIABLE).is_some() {
        times.push(10_000);
    }
    println!(
        "| position | plies | time per move (ms) | answer after (us) | past its own deadline (us) | stack (bytes) |"
    );
    println!("| --- | --- | --- | --- | --- | --- |");
    let mut late = Vec::new();
    for (name, moves) in positions() {
        for &turn_ms in &times {
            set_up(&mut board, name, &moves);
            let Measured { took_us, late_us } = answer_within(&mut board, turn_ms);
            let stack = board.number("STACK", "used");
            let plies = moves.len();
            let row =
                format!("| `{name}` | {plies} | {turn_ms} | {took_us} | {late_us} | {stack} |");
            println!("{row}");
            if took_us > turn_ms * 1_000 + LATE_LIMIT_US {
                late.push(row);
            }
        }
    }
    assert!(late.is_empty(), "late:\n{}", late.join("\n"));
}

#[test]
fn stop_in_mid_search_is_answered_at_once() {
    let Some((mut board, _)) = UartEndpoint::boot(EXACT) else { return };
    println!("| position | plies | answer after STOP, at worst of 5 (us) |");
    println!("| --- | --- | --- |");
    let mut slow = Vec::new();
    let mut stopped = 0;
    for (name, moves) in positions() {
        set_up(&mut board, name, &moves);
        board.tell("INFO timeout_turn 600000");
        for _ in 0..5 {
            board.tell("HINT");
            if board.ask("PING") != "PONG" {
                // It was thought through at once, as tic-tac-toe is.
                assert_eq!(board.next_line(), "PONG");
                continue;
            }
            stopped += 1;
            let answer = board.ask("STOP");
            assert!(matches("SUGGEST {move}", &answer), "{answer}");
        }
        let worst_us = board.number("STOPS", "worst_us");
        let row = format!("| `{name}` | {} | {worst_us} |", moves.len());
        println!("{row}");
        if worst_us > STOP_LIMIT_US {
            slow.push(row);
        }
    }
    assert!(slow.is_empty(), "slow:\n{}", slow.join("\n"));
    assert!(stopped >= 50, "only {stopped} searches were long enough to be stopped");
}

/// What brings a game back works on and on; neither the other tasks nor thread mode can check in meanwhile.
#[test]
fn the_watchdog_waits_until_the_longest_game_is_back() {
    let Some((mut board, _)) = UartEndpoint::boot(EXACT) else { return };
    let spec = "mnk:70x70x10";
    let moves = wild_game(spec.parse().expect("a game"), 4_890);
    set_up(&mut board, spec, &moves);
    let told = board.reset();
    let goes_on = format!("MESSAGE the game goes on: {spec} after {} moves", moves.len());
    assert!(told.contains(&goes_on), "{told:?}");
    // A watchdog that had lost its patience would end this.
    board.obey("NEW mnk:15x15x5");
    board.obey("MOVE 7,7 8,8 5,9 10,4 3,11");
    board.tell("INFO timeout_turn 6000");
    let answer = board.ask("SWAP");
    assert!(matches("{move}", &answer), "{answer}");
    assert_eq!(board.lines_until_quiet().expect("quiet"), [""; 0]);
}
