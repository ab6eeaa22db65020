//! `lavahound` against its report: immediate answers, the value of a plain search with its leaf,
//! the choice within the threshold, a sound table, games against `oneply`, and limits.

use core::cell::Cell;

use engine::game::any::{AnyGame, Position};
use engine::game::{Game, Move, Outcome, Side};
use engine::players::lavahound::{ABOUT_TO_WIN, Lavahound, THRESHOLD};
use engine::players::oneply::OnePly;
use engine::players::{Decision, Player, Why};
use engine::score::{INFINITE, Score, Value, is_loss, is_win};
use engine::search::report::{Clock, Limits, NoClock};
use engine::spec::GameSpec;
use host_tests::{Dice, Storage, decide, depth, legal_moves, nodes, play_at_random};

const SEED: u64 = 2;

type Small = AnyGame<1, 200, 1>;

fn board(text: &str) -> Small {
    Small::new(text.parse().expect(text)).expect(text)
}

fn ask<G: Game, P: Player>(
    player: &mut P,
    game: &mut G,
    limits: Limits,
    clock: &dyn Clock,
    storage: &mut Storage,
) -> Decision {
    decide(player, game, limits, clock, storage).expect("the game goes on")
}

#[test]
fn the_first_move_is_the_centre_and_a_single_column_needs_no_thought() {
    let mut storage = Storage::new(1);
    for (text, centre) in [
        ("connect:6x7x4", 3),
        ("connect:5x6x4", 3),
        ("connect:1x1x1", 0),
        ("connect:50x50x10", 25),
        ("connect:100x100x30", 50),
    ] {
        let mut game = Position::new(text.parse().expect(text)).expect(text);
        let decision =
            ask(&mut Lavahound::new(), &mut game, Limits::default(), &NoClock, &mut storage);
        assert_eq!(decision, Decision::at_once(Move::new(centre), Why::Rule), "{text}");
    }
    let mut game = board("connect:2x3x3");
    [0, 2, 0, 2].into_iter().for_each(|col| game.make(Move::new(col)));
    let decision = ask(&mut Lavahound::new(), &mut game, Limits::default(), &NoClock, &mut storage);
    assert_eq!(decision, Decision::at_once(Move::new(1), Why::Rule));
}

/// Every window as the stones of both players in it.
fn windows(game: &Small) -> Vec<[usize; 2]> {
    let GameSpec::Connect { rows, cols, x } = game.spec() else { return Vec::new() };
    let (rows, cols, x) = (isize::from(rows), isize::from(cols), x as isize);
    let mut windows = Vec::new();
    for (up, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
        for row in 0..rows {
            for col in 0..cols {
                let (last_row, last_col) = (row + (x - 1) * up, col + (x - 1) * right);
                if (0..rows).contains(&last_row) && (0..cols).contains(&last_col) {
                    let cell = |n| ((row + n * up) * cols + col + n * right) as usize;
                    let count =
                        |side| (0..x).filter(|&n| game.stone(cell(n)) == Some(side)).count();
                    windows.push(Side::BOTH.map(count));
                }
            }
        }
    }
    windows
}

/// The report's leaf, by making every move: for boards where no value needs squeezing.
fn leaf(game: &mut Small) -> Score {
    let us = game.side_to_move();
    let x = match game.spec() {
        GameSpec::Connect { x, .. } => usize::from(x),
        _ => 0,
    };
    let weight = |stones: usize| [0, 1, 10, 1_000, 10_000, 100_000][stones.min(5)];
    let mut best = None;
    let mut blocks = Vec::new();
    for mv in legal_moves(game) {
        let before = windows(game);
        game.make(mv);
        let won = game.outcome() == Some(Outcome::Win(us));
        let after = windows(game);
        game.unmake();
        if won {
            return ABOUT_TO_WIN;
        }
        // A window that the stone closes, and that the opponent had but for that stone.
        let (own, their) = (us.index(), us.other().index());
        let closed = |(before, after): (&[usize; 2], &[usize; 2])| {
            after[own] == 1 && before[own] == 0 && before[their] + 1 == x
        };
        let of = |one: usize, other: usize| -> Score {
            after.iter().filter(|w| w[other] == 0).map(|w| weight(w[one])).sum()
        };
        let value = of(own, their) - of(their, own);
        best = best.max(Some(value));
        if before.iter().zip(&after).any(closed) {
            blocks.push(value);
        }
    }
    match blocks[..] {
        [] => best.expect("there is a move"),
        [block] => block,
        _ => -ABOUT_TO_WIN,
    }
}

/// Plain minimax to a depth.
fn plain(game: &mut Small, depth: u32) -> Score {
    if let Some(score) = game.final_score() {
        return score;
    }
    if depth == 0 {
        return leaf(game);
    }
    values(game, depth).into_iter().map(|(_, value)| value).max().unwrap_or(-INFINITE)
}

/// Each move with its value at a depth.
fn values(game: &mut Small, depth: u32) -> Vec<(Move, Score)> {
    let mut values = Vec::new();
    for mv in legal_moves(game) {
        game.make(mv);
        values.push((mv, -plain(game, depth - 1)));
        game.unmake();
    }
    values
}

/// Random positions of small boards with at least two columns to choose from.
fn positions(count: usize) -> Vec<Small> {
    let mut dice = Dice::new(SEED);
    let mut positions = Vec::new();
    for text in
        ["connect:4x4x3", "connect:4x5x4", "connect:6x7x4", "connect:5x4x9", "connect:12x9x4"]
    {
        for round in 0..count {
            let mut game = board(text);
            play_at_random(&mut game, 1 + round % 14, &mut dice);
            if game.outcome().is_none() && legal_moves(&game).len() > 1 {
                positions.push(game);
            }
        }
    }
    positions
}

/// The depth at which the search may stop, since the game is decided.
fn decided_at(game: &mut Small, most: u32) -> u32 {
    (1..most)
        .find(|&depth| {
            let score = plain(game, depth);
            is_win(score) || is_loss(score)
        })
        .unwrap_or(most)
}

#[test]
fn value_and_move_are_those_of_a_plain_search_and_deeper_iterations_may_change_them() {
    let mut changes = 0;
    // One table for all: what is in it must do no harm.
    for buckets in [0, 1, 256] {
        for mut game in positions(if buckets == 1 { 30 } else { 12 }) {
            let mut storage = Storage::new(buckets);
            let mut last = None;
            for most in 1..=3 {
                let decision =
                    ask(&mut Lavahound::new(), &mut game, depth(most), &NoClock, &mut storage);
                let depth = decided_at(&mut game, most);
                let values = values(&mut game, depth);
                let score = values.iter().map(|&(_, value)| value).max().expect("there are moves");
                let exact = decision.why == Why::Proved;
                let expected = Value::from_score(score, game.ply(), exact, false);
                assert_eq!(decision.value, Some(expected), "{}: {decision:?}", game.spec());
                // The first from the left within the threshold.
                let first = values.iter().find(|&&(_, value)| value >= score - THRESHOLD);
                assert_eq!(Some(decision.best), first.map(|&(mv, _)| mv), "{values:?}");
                changes += usize::from(last.replace(score).is_some_and(|last| last != score));
            }
        }
    }
    assert!(changes > 20, "{changes}");
}

/// Plays a game; tells who won.
fn play(game: &Small, most: u64, mut storage: [&mut Storage; 2], hound: Side) -> Option<Outcome> {
    let mut game = game.clone();
    while game.outcome().is_none() {
        let own = game.side_to_move() == hound;
        let storage = &mut storage[usize::from(own)];
        let decision = if own {
            ask(&mut Lavahound::new(), &mut game, nodes(most), &NoClock, storage)
        } else {
            ask(&mut OnePly, &mut game, nodes(most), &NoClock, storage)
        };
        assert!(decision.nodes <= most);
        game.try_play(decision.best).expect("players play legal moves");
    }
    game.outcome()
}

#[test]
fn it_beats_a_one_ply_player_from_both_sides() {
    for text in ["connect:6x7x4", "connect:5x6x4"] {
        for hound in Side::BOTH {
            // Both players are the same in every game: the openings make the games differ.
            let (mut games, mut won) = (0, 0);
            let empty = board(text);
            for first in legal_moves(&empty) {
                for second in [1, 4].map(Move::new) {
                    let mut game = empty.clone();
                    game.make(first);
                    game.make(second);
                    let (mut one, mut other) = (Storage::new(1_024), Storage::new(1_024));
                    let outcome = play(&game, 20_000, [&mut one, &mut other], hound);
                    games += 1;
                    won += usize::from(outcome == Some(Outcome::Win(hound)));
                }
            }
            assert!(won * 4 >= games * 3, "{text} as {hound:?}: {won} of {games}");
        }
    }
}

#[test]
fn a_legal_move_comes_back_whatever_the_limits() {
    let mut dice = Dice::new(SEED);
    let mut storage = Storage::new(4);
    for text in [
        "connect:1x1x1",
        "connect:1x2x2",
        "connect:1x100x5",
        "connect:100x1x5",
        "connect:2x2x9",
        "connect:4x4x1",
        "connect:6x7x4",
        "connect:9x9x5",
        "connect:50x50x10",
        "connect:100x100x10",
        "connect:100x100x30",
        "connect:100x100x100",
        "connect:100x100x9999",
    ] {
        let spec: GameSpec = text.parse().expect(text);
        for round in 0..12 {
            let mut game = Position::new(spec).expect(text);
            let most = if round % 2 == 0 { 20.min(spec.cells()) } else { spec.cells() };
            for _ in 0..dice.roll(most) {
                let _ = game.try_play(Move::new(dice.roll(spec.cols())));
            }
            if game.outcome().is_some() {
                continue;
            }
            let key = game.key();
            for limits in [
                nodes(0),
                nodes(1),
                nodes(1 + dice.roll(100) as u64),
                Limits { deadline_us: Some(0), ..Limits::default() },
                Limits { deadline_us: Some(1), nodes: Some(9), depth: Some(1) },
            ] {
                let decision =
                    ask(&mut Lavahound::new(), &mut game, limits, &NoClock, &mut storage);
                assert_eq!(game.check(decision.best), Ok(()), "{text}: {limits:?}");
                assert!(decision.nodes <= limits.nodes.unwrap_or(0), "{text}");
                assert_eq!(game.key(), key, "the position is as it was");
            }
        }
    }
}

/// A clock that moves on by a millisecond at every look.
struct Ticking(Cell<u64>);

impl Clock for Ticking {
    fn now_us(&self) -> u64 {
        self.0.set(self.0.get() + 1_000);
        self.0.get()
    }
}

#[test]
fn it_keeps_to_its_limits_on_50x50x10() {
    let mut storage = Storage::new(256);
    let spec: GameSpec = "connect:50x50x10".parse().expect("a spec");
    let mut dice = Dice::new(SEED);
    for round in 0..4 {
        let mut game = Position::new(spec).expect("fits");
        play_at_random(&mut game, 10 + 100 * round, &mut dice);
        let limited = ask(&mut Lavahound::new(), &mut game, nodes(2_000), &NoClock, &mut storage);
        assert!(limited.nodes <= 2_000 && limited.nodes > 1_000, "{limited:?}");
        assert_eq!(game.check(limited.best), Ok(()));

        // Nine tenths of the time are used, and hardly a look more.
        let clock = Ticking(Cell::new(0));
        let limits = Limits { deadline_us: Some(1_000_000), ..Limits::default() };
        let ticked = ask(&mut Lavahound::new(), &mut game, limits, &clock, &mut storage);
        assert_eq!(game.check(ticked.best), Ok(()));
        assert!((880_000..920_000).contains(&clock.0.get()), "{}", clock.0.get());
    }
}
