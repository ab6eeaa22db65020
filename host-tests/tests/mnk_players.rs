//! The mnk players `competitive` and `aipvs`: what their documents promise, values against slow
//! references, and a legal move in time whatever the board.

use core::cell::Cell;

use engine::game::any::Position;
use engine::game::{Game, Move, Outcome, Side, Tactics};
use engine::players::aipvs::{self, Aipvs, known_outcome};
use engine::players::competitive::{self, Competitive, LAST_TURNS, ONE, RANDOM_CELLS};
use engine::players::random::Random;
use engine::players::{Decision, Player, Tools, Why};
use engine::score::{HEURISTIC_LIMIT, Score, Value, loss_at, win_at};
use engine::search::ordering::{Candidate, MoveSink};
use engine::search::report::{Clock, Goal, Limits, NoClock, Solution};
use engine::search::{Options, Workspace, solve};
use engine::spec::GameSpec;
use host_tests::{Dice, Storage, legal_moves, play_at_random};

const SEED: u64 = 8;

fn empty(spec: &str) -> Box<Position> {
    Box::new(Position::new(spec.parse().expect(spec)).expect(spec))
}

fn after(spec: &str, moves: &[usize]) -> Box<Position> {
    let mut game = empty(spec);
    for &mv in moves {
        game.try_play(Move::new(mv)).expect(spec);
    }
    game
}

/// The place of each move on a board drawn in rows.
fn at(cols: usize, places: &[(usize, usize)]) -> Vec<usize> {
    places.iter().map(|&(row, col)| row * cols + col).collect()
}

/// A position after random moves, with an even number of stones, that is not over.
fn random_position(spec: &str, most: usize, dice: &mut Dice) -> Option<Box<Position>> {
    let mut game = empty(spec);
    let cells = game.spec().cells();
    play_at_random(&mut *game, dice.roll(most.min(cells) + 1) / 2 * 2, dice);
    while game.outcome().is_some() || game.ply() % 2 == 1 {
        if game.ply() == 0 {
            return None;
        }
        game.unmake();
    }
    Some(game)
}

/// The same stones with the colours swapped.
fn swapped(game: &Position) -> Box<Position> {
    let moves: Vec<Move> = (0..game.ply()).filter_map(|n| game.played(n)).collect();
    let mut other = Box::new(Position::new(game.spec()).expect("fits"));
    for pair in moves.chunks(2) {
        for &mv in pair.iter().rev() {
            other.try_play(mv).expect("legal with the colours swapped");
        }
    }
    other
}

fn decide_by(
    player: &mut impl Player,
    game: &mut Position,
    limits: Limits,
    clock: &dyn Clock,
    storage: &mut Storage,
) -> Option<Decision> {
    host_tests::decide(player, game, limits, clock, storage)
}

fn decide(player: &mut impl Player, game: &mut Position, limits: Limits) -> Decision {
    let mut storage = Storage::new(256);
    decide_by(player, game, limits, &NoClock, &mut storage).expect("the game goes on")
}

/// What the engine proves of a position, from an empty table.
fn solved(game: &mut Position, storage: &mut Storage) -> Solution {
    let (mut table, workspace) = storage.parts();
    table.clear();
    let limits = nodes(1_000_000);
    solve(game, Goal::Outcome, &limits, &NoClock, &mut table, workspace, &mut |_| {})
}

const ZERO_TIME: Limits = Limits { deadline_us: Some(0), nodes: None, depth: None };

fn to_depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

fn wins_at_once(game: &mut Position, mv: Move) -> bool {
    game.make(mv);
    let won = matches!(game.outcome(), Some(Outcome::Win(_)));
    game.unmake();
    won
}

/// A clock that moves on by a millisecond whenever it is asked.
struct Ticking(Cell<u64>);

impl Ticking {
    const TICK_US: u64 = 1_000;

    fn new() -> Ticking {
        Ticking(Cell::new(0))
    }
}

impl Clock for Ticking {
    fn now_us(&self) -> u64 {
        self.0.set(self.0.get() + Self::TICK_US);
        self.0.get()
    }
}

/// Boards from the smallest to the largest, both rules.
const BOARDS: [&str; 22] = [
    "mnk:1x1x1",
    "mnk:1x1x2",
    "mnk:1x2x2",
    "mnk:2x1x2:exact",
    "mnk:1x5x3",
    "mnk:70x1x4",
    "mnk:1x70x5:exact",
    "mnk:2x2x1",
    "mnk:3x3x3",
    "mnk:3x3x3:exact",
    "mnk:4x7x4",
    "mnk:5x5x9999",
    "mnk:8x8x5:exact",
    "mnk:10x6x4",
    "mnk:9x8x2:exact",
    "mnk:15x15x5:exact",
    "mnk:16x17x6",
    "mnk:30x20x5",
    "mnk:45x50x8",
    "mnk:70x70x10",
    "mnk:70x70x70:exact",
    "mnk:70x70x1",
];

/// Random positions of all [`BOARDS`], sparse and dense.
fn positions(per_board: usize) -> impl Iterator<Item = Box<Position>> {
    let mut dice = Dice::new(SEED);
    BOARDS.into_iter().flat_map(move |spec| {
        let cells = empty(spec).spec().cells();
        let mut found = Vec::new();
        for n in 0..per_board {
            let most = if n % 2 == 0 { 12 } else { cells.min(600) };
            found.extend(random_position(spec, most, &mut dice));
        }
        found
    })
}

// What both players do.

#[test]
fn the_move_is_legal_whatever_the_limits() {
    fn check(player: &mut impl Player, mut game: Box<Position>, storage: &mut Storage) {
        let key = game.key();
        let late = Ticking::new();
        for (limits, clock) in (0..=100)
            .step_by(7)
            .map(|n| (nodes(n), &NoClock as &dyn Clock))
            .chain([(nodes(1), &NoClock as &dyn Clock), (ZERO_TIME, &NoClock), (ZERO_TIME, &late)])
        {
            let decision = decide_by(player, &mut game, limits, clock, storage)
                .unwrap_or_else(|| panic!("{}: the game goes on", game.spec()));
            assert_eq!(game.check(decision.best), Ok(()), "{}: {decision:?}", game.spec());
            assert!(limits.nodes.is_none_or(|most| decision.nodes <= most));
            assert_eq!(game.key(), key, "{}: the position is as it was", game.spec());
        }
    }
    let mut storage = Storage::new(16);
    for game in positions(6) {
        check(&mut Competitive::new(SEED), game.clone(), &mut storage);
        check(&mut Aipvs::new(), game, &mut storage);
    }
}

#[test]
fn a_workspace_too_small_for_the_moves_costs_strength_only() {
    fn check<const MOVES: usize>(game: &mut Position) {
        let mut workspace = Workspace::<MOVES>::new();
        let mut storage = Storage::new(16);
        let (mut table, _) = storage.parts();
        let (table, clock) = (&mut table, &NoClock);
        let mut tools = Tools { limits: nodes(50), clock, table, workspace: &mut workspace };
        let best = Competitive::new(SEED).decide(game, &mut tools).expect("goes on").best;
        assert_eq!(game.check(best), Ok(()));
        let best = Aipvs::new().decide(game, &mut tools).expect("goes on").best;
        assert_eq!(game.check(best), Ok(()));
    }
    for mut game in positions(2) {
        check::<0>(&mut game);
        check::<1>(&mut game);
        check::<20>(&mut game);
    }
}

#[test]
fn a_finished_game_has_no_move() {
    let mut game = after("mnk:3x3x3", &[0, 3, 1, 4, 2]);
    let mut storage = Storage::new(1);
    for player in [0, 1] {
        let decision = match player {
            0 => {
                let mut player = Competitive::new(SEED);
                decide_by(&mut player, &mut game, ZERO_TIME, &NoClock, &mut storage)
            }
            _ => decide_by(&mut Aipvs::new(), &mut game, ZERO_TIME, &NoClock, &mut storage),
        };
        assert_eq!(decision, None);
    }
}

#[test]
fn every_mate_in_one_is_taken() {
    let mut dice = Dice::new(SEED);
    let mut found = 0;
    for spec in [
        "mnk:3x3x3",
        "mnk:4x4x3:exact",
        "mnk:5x6x4",
        "mnk:8x8x4",
        "mnk:9x9x4",
        "mnk:9x9x3:exact",
        "mnk:12x12x2",
        "mnk:15x15x3",
        "mnk:20x20x3:exact",
        "mnk:70x70x1",
        "mnk:40x60x2:exact",
    ] {
        for _ in 0..60 {
            let Some(mut game) = random_position(spec, 120, &mut dice) else { continue };
            let is_mate = |game: &mut Position| {
                legal_moves(game).into_iter().any(|mv| wins_at_once(game, mv))
            };
            if !is_mate(&mut game) {
                continue;
            }
            found += 1;
            for limits in [ZERO_TIME, nodes(1), nodes(100), to_depth(2)] {
                let decision = decide(&mut Competitive::new(SEED), &mut game, limits);
                assert!(wins_at_once(&mut game, decision.best), "{spec}: competitive");
                if limits.nodes.is_none() && limits.deadline_us.is_none() {
                    assert_eq!(decision.value, Some(Value::Win { plies: 1 }), "{spec}");
                }
                let decision = decide(&mut Aipvs::new(), &mut game, limits);
                assert!(wins_at_once(&mut game, decision.best), "{spec}: aipvs");
            }
        }
    }
    assert!(found > 100, "only {found} positions with a mate in one");
}

/// Whole games under a clock that ticks at every question: no decision is illegal, and none comes
/// more than a few questions after the deadline.
#[test]
fn games_are_played_to_the_end_without_a_forfeit() {
    const MOVE_US: u64 = 60 * Ticking::TICK_US;
    for spec in ["mnk:1x1x1", "mnk:3x3x3", "mnk:6x7x4", "mnk:9x9x5:exact", "mnk:13x12x5"] {
        for first in Side::BOTH {
            let mut competitive = Competitive::new(SEED);
            let mut aipvs = Aipvs::new();
            let mut storage = Storage::new(64);
            let mut game = empty(spec);
            let clock = Ticking::new();
            while game.outcome().is_none() {
                let deadline = clock.now_us() + MOVE_US;
                let limits = Limits { deadline_us: Some(deadline), ..Limits::default() };
                let decision = if game.side_to_move() == first {
                    decide_by(&mut competitive, &mut game, limits, &clock, &mut storage)
                } else {
                    decide_by(&mut aipvs, &mut game, limits, &clock, &mut storage)
                };
                assert!(clock.0.get() <= deadline + 2 * Ticking::TICK_US, "{spec}: late");
                let best = decision.expect("the game goes on").best;
                game.try_play(best).expect("a legal move");
            }
        }
    }
}

#[test]
fn on_the_largest_boards_the_clock_is_asked_at_every_node() {
    let mut dice = Dice::new(SEED);
    for stones in [10, 2_000] {
        let mut game = empty("mnk:70x70x10");
        play_at_random(&mut *game, stones, &mut dice);
        assert_eq!(game.outcome(), None);
        let limits = Limits { deadline_us: Some(50 * Ticking::TICK_US), ..Limits::default() };
        for player in [0, 1] {
            let clock = Ticking::new();
            let mut storage = Storage::new(16);
            let decision = match player {
                0 => {
                    decide_by(&mut Competitive::new(SEED), &mut game, limits, &clock, &mut storage)
                }
                _ => decide_by(&mut Aipvs::new(), &mut game, limits, &clock, &mut storage),
            };
            assert!(clock.0.get() <= 52 * Ticking::TICK_US, "{}", clock.0.get());
            assert!(decision.expect("goes on").nodes <= 50);
        }
    }
}

#[test]
fn both_beat_a_random_player_from_both_sides() {
    fn check(player: &mut impl Player, name: &str) {
        for spec in ["mnk:5x5x4", "mnk:7x7x4", "mnk:10x10x5", "mnk:15x15x5"] {
            for side in Side::BOTH {
                for seed in 0..3 {
                    let mut game = empty(spec);
                    let mut random = Random::new(seed);
                    let mut storage = Storage::new(64);
                    while game.outcome().is_none() {
                        let limits = nodes(2_000);
                        let decision = if game.side_to_move() == side {
                            decide_by(player, &mut game, limits, &NoClock, &mut storage)
                        } else {
                            decide_by(&mut random, &mut game, limits, &NoClock, &mut storage)
                        };
                        game.try_play(decision.expect("goes on").best).expect("legal");
                    }
                    let outcome = game.outcome();
                    assert_eq!(outcome, Some(Outcome::Win(side)), "{name} on {spec}, {side:?}");
                }
            }
        }
    }
    check(&mut Competitive::new(SEED), "competitive");
    check(&mut Aipvs::new(), "aipvs");
}

// `competitive`

/// The weighted length of a player's best streak, cell by cell from the document's words.
fn best_streak(game: &Position, side: Side) -> f64 {
    let GameSpec::Mnk { rows, cols, k, .. } = game.spec() else { panic!("mnk only") };
    let (rows, cols, k) = (isize::from(rows as i8), isize::from(cols as i8), usize::from(k));
    let mut best = 0.0f64;
    for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
        for (row, col) in (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col))) {
            // `None` outside the board.
            let stone = |n: isize| {
                let (row, col) = (row + n * down, col + n * right);
                let inside = (0..rows).contains(&row) && (0..cols).contains(&col);
                inside.then(|| game.stone((row * cols + col) as usize))
            };
            let own = |n| stone(n) == Some(Some(side));
            let free = |n| stone(n) == Some(None);
            if !own(0) || own(-1) || (free(-1) && own(-2)) {
                continue;
            }
            let (mut stones, mut holes, mut last) = (1, 0, 0);
            loop {
                if own(last + 1) {
                    last += 1;
                } else if free(last + 1) && own(last + 2) {
                    last += 2;
                    holes += 1;
                } else {
                    break;
                }
                stones += 1;
            }
            let ends = [free(-1), free(last + 1)];
            if ends == [false, false] && stones + holes < k {
                continue;
            }
            let weights = ends.map(|free| if free { 1.0 } else { 0.9 });
            best = best.max(f64::from(stones as u32) * weights[0] * weights[1]);
        }
    }
    best
}

#[test]
fn competitive_values_are_the_documents_and_change_sign_with_the_colours() {
    let mut signs = [0; 3];
    for game in positions(20) {
        let value = competitive::value(&*game);
        let [p1, p2] = Side::BOTH.map(|side| best_streak(&game, side));
        let expected = (p2.atan() - p1.atan()) / std::f64::consts::FRAC_PI_2;
        let found = f64::from(value) / f64::from(ONE);
        assert!((found - expected).abs() < 1.2e-5, "{}: {found}, {expected}", game.spec());
        assert!(-ONE < value && value < ONE, "{}: {value}", game.spec());
        assert_eq!(competitive::value(&*swapped(&game)), -value, "{}", game.spec());
        signs[(value.signum() + 1) as usize] += 1;
    }
    assert!(signs.iter().all(|&count| count > 10), "{signs:?}");
}

#[test]
fn competitive_values_stay_within_one_with_the_longest_streaks() {
    // The first player owns the top row, the second every other cell of the rows below.
    let first = (0..69).map(|col| (0, col));
    let second = (0..69).map(|n| (2 + n % 34 * 2, n / 34 * 2));
    let places: Vec<_> = first.zip(second).flat_map(|(a, b)| [a, b]).collect();
    let game = after("mnk:70x70x70", &at(70, &places));
    let value = competitive::value(&*game);
    assert!(-ONE < value && value < 0, "{value}");
}

/// The value of a position `depth` plies deep over the player's own moves, by plain negamax.
fn competitive_reference(player: &Competitive, game: &mut Position, depth: u32) -> Score {
    if let Some(score) = game.final_score() {
        return score;
    }
    if let Tactics::Win(_) = game.tactics() {
        return win_at(game.ply() + 1);
    }
    if depth == 0 {
        let value = competitive::value(game);
        return if game.side_to_move() == Side::Second { value } else { -value };
    }
    let mut best = Score::MIN;
    for mv in best_cells(player, game) {
        game.make(mv);
        best = best.max(-competitive_reference(player, game, depth - 1));
        game.unmake();
    }
    best
}

fn best_cells(player: &Competitive, game: &Position) -> Vec<Move> {
    let mut storage = [Candidate::NONE; 100];
    let mut sink = MoveSink::new(&mut storage);
    player.best_cells(game, &mut sink);
    assert!(!sink.overflowed());
    let mut found = sink.candidates().to_vec();
    found.sort_by(|a, b| b.cmp(a));
    found.iter().map(|candidate| candidate.mv()).collect()
}

/// What a decision's value is as a score.
fn score(decision: &Decision, game: &Position) -> Score {
    match decision.value {
        Some(Value::Win { plies }) => win_at(game.ply() + plies),
        Some(Value::Loss { plies }) => loss_at(game.ply() + plies),
        Some(Value::Heuristic(score)) => score,
        Some(Value::Draw) => 0,
        other => panic!("{other:?}"),
    }
}

#[test]
fn competitive_searches_its_own_moves_and_values() {
    let mut dice = Dice::new(SEED);
    let mut player = Competitive::new(SEED);
    for spec in ["mnk:3x3x3", "mnk:4x3x3", "mnk:5x5x4", "mnk:1x30x5", "mnk:9x9x5", "mnk:20x9x4"] {
        for _ in 0..10 {
            let Some(mut game) = random_position(spec, 16, &mut dice) else { continue };
            if game.ply() == 0 {
                continue;
            }
            for depth in 1..=3 {
                if depth == 3 && game.spec().cells() > 64 && game.ply() > 2 {
                    continue;
                }
                let expected = competitive_reference(&player, &mut game, depth);
                let decision = decide(&mut player, &mut game, to_depth(depth));
                assert_eq!(score(&decision, &game), expected, "{spec}, depth {depth}");
                game.make(decision.best);
                assert_eq!(-competitive_reference(&player, &mut game, depth - 1), expected);
                game.unmake();
            }
        }
    }
}

#[test]
fn competitive_tries_the_free_cells_around_the_last_ten_moves() {
    let player = Competitive::new(SEED);
    for game in positions(10).filter(|game| game.ply() > 0) {
        let spec = game.spec();
        let cols = spec.cols();
        let recent: Vec<usize> = (0..game.ply())
            .rev()
            .take(LAST_TURNS)
            .filter_map(|n| game.played(n))
            .map(Move::index)
            .collect();
        let near: Vec<Move> = legal_moves(&*game)
            .into_iter()
            .filter(|mv| {
                recent.iter().any(|&cell| {
                    (cell / cols).abs_diff(mv.index() / cols) <= 1
                        && (cell % cols).abs_diff(mv.index() % cols) <= 1
                })
            })
            .collect();
        let mut found = best_cells(&player, &game);
        assert!(found.len() <= competitive::MAX_CELLS);
        if let Tactics::Win(mv) = game.tactics() {
            assert_eq!(found[0], mv, "{spec}: a win at once comes first");
        } else if near.is_empty() {
            assert_eq!(found.len(), RANDOM_CELLS.min(game.plies_left()), "{spec}");
            assert!(found.iter().all(|&mv| game.check(mv).is_ok()));
        } else {
            found.sort();
            assert_eq!(found, near, "{spec}");
        }
    }
}

#[test]
fn competitive_tries_three_cells_at_random_if_none_is_near() {
    // The last ten moves, 1 to 10, lie between the older ones 0 and 11.
    let moves: Vec<usize> = [11, 0].into_iter().chain(1..=10).collect();
    let mut game = after("mnk:1x40x30", &moves);
    let mut seen = std::collections::BTreeSet::new();
    for seed in 0..20 {
        let player = Competitive::new(seed);
        let mut found = best_cells(&player, &game);
        assert_eq!(found, best_cells(&player, &game), "the same seed, the same cells");
        assert!(found.iter().all(|&mv| game.check(mv).is_ok()));
        seen.extend(found.iter().copied());
        found.sort();
        found.dedup();
        assert_eq!(found.len(), RANDOM_CELLS);
    }
    assert!(seen.len() > 20, "{seen:?}");
    // With fewer free cells than that, all of them.
    let mut small = after("mnk:1x13x13", &moves);
    assert_eq!(best_cells(&Competitive::new(1), &small), [Move::new(12)]);
    for game in [&mut game, &mut small] {
        let best = decide(&mut Competitive::new(1), game, nodes(100)).best;
        assert_eq!(game.check(best), Ok(()));
    }
}

#[test]
fn competitive_finds_a_win_far_from_the_last_moves() {
    // First has 0, 1, 2 of the top row from its first moves; then both play elsewhere.
    let mut moves = vec![0, 140, 1, 142, 2, 144];
    for n in 0..6 {
        moves.extend([100 + 2 * n, 180 + 2 * n]);
    }
    let mut game = after("mnk:20x20x4", &moves);
    assert_eq!(best_cells(&Competitive::new(SEED), &game).first(), Some(&Move::new(3)));
    let decision = decide(&mut Competitive::new(SEED), &mut game, Limits::default());
    assert_eq!((decision.best, decision.why, decision.nodes), (Move::new(3), Why::Rule, 0));
}

#[test]
fn competitive_opens_in_the_centre() {
    for (spec, centre) in
        [("mnk:1x1x1", 0), ("mnk:3x3x3", 4), ("mnk:4x6x4", 15), ("mnk:70x70x9", 35 * 70 + 35)]
    {
        for limits in [ZERO_TIME, nodes(10), Limits::default()] {
            let decision = decide(&mut Competitive::new(SEED), &mut empty(spec), limits);
            assert_eq!((decision.best.index(), decision.why), (centre, Why::Rule), "{spec}");
        }
    }
}

#[test]
fn competitive_looks_no_deeper_than_its_cap() {
    for (cells, cap) in [
        (1, 1),
        (12, 12),
        (13, 7),
        (20, 7),
        (21, 6),
        (30, 6),
        (31, 5),
        (50, 5),
        (51, 4),
        (600, 4),
        (601, 3),
        (2_000, 3),
        (2_001, 2),
        (4_900, 2),
    ] {
        assert_eq!(competitive::depth_cap(cells), cap, "{cells} cells");
    }
    for (spec, cap) in [
        ("mnk:4x5x9", 7),
        ("mnk:5x6x9", 6),
        ("mnk:7x7x9", 5),
        ("mnk:8x8x9", 4),
        ("mnk:15x15x9", 4),
        ("mnk:30x30x9", 3),
        ("mnk:60x60x9", 2),
    ] {
        let mut game = empty(spec);
        play_at_random(&mut *game, 4, &mut Dice::new(SEED));
        let decision = decide(&mut Competitive::new(SEED), &mut game, Limits::default());
        assert_eq!(decision.why, Why::Depth(cap), "{spec}");
        let decision = decide(&mut Competitive::new(SEED), &mut game, to_depth(1));
        assert_eq!(decision.why, Why::Depth(1), "{spec}: the caller's limit holds, too");
    }
    // Up to twelve cells, to the end.
    for moves in [&[4][..], &[0, 1]] {
        let mut game = after("mnk:3x3x3", moves);
        let decision = decide(&mut Competitive::new(SEED), &mut game, Limits::default());
        let depth = match decision.why {
            Why::Depth(depth) => depth as usize,
            Why::Proved => game.plies_left(),
            other => panic!("{other:?}"),
        };
        assert!(depth <= 9);
    }
}

#[test]
fn competitive_uses_its_share_of_the_time() {
    for (cells, percent) in [(1, 100), (8, 100), (9, 99), (49, 59), (225, 51), (4_900, 50)] {
        assert_eq!(competitive::time_share(cells), percent, "{cells} cells");
    }
    let mut game = empty("mnk:30x30x6");
    play_at_random(&mut *game, 20, &mut Dice::new(SEED));
    let clock = Ticking::new();
    let limits = Limits { deadline_us: Some(1_000 * Ticking::TICK_US), ..Limits::default() };
    let mut storage = Storage::new(16);
    let player = &mut Competitive::new(SEED);
    decide_by(player, &mut game, limits, &clock, &mut storage).expect("goes on");
    let used = clock.0.get() / Ticking::TICK_US;
    assert!((450..=505).contains(&used), "{used} of 1000 ticks");
}

#[test]
fn competitive_does_not_lose_tic_tac_toe_to_a_perfect_opponent() {
    for side in Side::BOTH {
        let mut game = empty("mnk:3x3x3");
        let mut storage = Storage::new(64);
        while game.outcome().is_none() {
            let best = if game.side_to_move() == side {
                decide(&mut Competitive::new(SEED), &mut game, Limits::default()).best
            } else {
                solved(&mut game, &mut storage).best.expect("a solution has a move")
            };
            game.try_play(best).expect("legal");
        }
        assert_eq!(game.outcome(), Some(Outcome::Draw), "{side:?}");
    }
}

// `aipvs`

/// The worth of all windows for the first player, window by window.
fn aipvs_value(game: &Position) -> i64 {
    let GameSpec::Mnk { rows, cols, k, .. } = game.spec() else { panic!("mnk only") };
    let (rows, cols, k) = (i64::from(rows), i64::from(cols), i64::from(k));
    let mut total = 0;
    for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
        for (row, col) in (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col))) {
            let (last_row, last_col) = (row + (k - 1) * down, col + (k - 1) * right);
            if !(0..rows).contains(&last_row) || !(0..cols).contains(&last_col) {
                continue;
            }
            let count = |side| {
                (0..k)
                    .map(|n| (row + n * down) * cols + col + n * right)
                    .filter(|&cell| game.stone(cell as usize) == Some(side))
                    .count() as i64
            };
            let worth = |stones: i64| match k - stones {
                _ if stones == 0 => 0,
                0 | 1 => stones + 1_000,
                2 => stones + 100,
                3 => stones + 10,
                _ => stones,
            };
            let [first, second] = Side::BOTH.map(count);
            total += match (first, second) {
                (first, 0) => worth(first),
                (0, second) => -worth(second),
                _ => 0,
            };
        }
    }
    total
}

#[test]
fn aipvs_values_are_sums_over_windows_and_change_sign_with_the_colours() {
    for game in positions(8) {
        let value = aipvs::value(&*game);
        let limit = i64::from(HEURISTIC_LIMIT) - 1;
        let expected = aipvs_value(&game).clamp(-limit, limit);
        assert_eq!(i64::from(value), expected, "{}", game.spec());
        assert_eq!(aipvs::value(&*swapped(&game)), -value, "{}", game.spec());
    }
}

/// The value of a position `depth` plies deep by plain negamax over all moves.
fn aipvs_reference(game: &mut Position, depth: u32) -> Score {
    if let Some(score) = game.final_score() {
        return score;
    }
    if depth == 0 {
        let value = aipvs::value(game);
        return if game.side_to_move() == Side::First { value } else { -value };
    }
    let mut best = Score::MIN;
    for mv in legal_moves(game) {
        game.make(mv);
        best = best.max(-aipvs_reference(game, depth - 1));
        game.unmake();
    }
    best
}

/// The root value at a depth, by the player's search with these parts of it.
fn aipvs_score(game: &mut Position, options: &Options, depth: u32, buckets: usize) -> Score {
    let mut storage = Storage::new(buckets);
    let (mut table, workspace) = storage.parts();
    let (clock, table) = (&NoClock, &mut table);
    let mut tools = Tools { limits: to_depth(depth), clock, table, workspace };
    let decision = Aipvs::new().decide_with(options, game, &mut tools);
    score(&decision.expect("the game goes on"), game)
}

#[test]
fn aipvs_finds_the_same_value_with_and_without_table_and_aspiration() {
    let mut dice = Dice::new(SEED);
    for spec in ["mnk:3x3x3", "mnk:4x4x3", "mnk:4x4x4", "mnk:5x4x4:exact", "mnk:6x6x5"] {
        for _ in 0..8 {
            let Some(mut game) = random_position(spec, 8, &mut dice) else { continue };
            if game.ply() == 0 {
                continue;
            }
            let deepest = match game.spec().cells() {
                0..=16 => 5,
                17..=20 => 4,
                _ => 3,
            };
            for (depth, tactics) in (1..=deepest).flat_map(|d| [(d, false), (d, true)]) {
                let plain = Options { tactics, ..Options::NONE };
                let expected = aipvs_score(&mut game, &plain, depth, 0);
                if depth <= 3 && !tactics {
                    assert_eq!(expected, aipvs_reference(&mut game, depth), "{spec}");
                }
                for (options, buckets) in [
                    (Options { aspiration: true, ..plain }, 0),
                    // Tables of a few entries are where mistakes would show.
                    (Options { table: true, ..plain }, 2),
                    (Options { table: true, ..plain }, 256),
                    (Options { table: true, aspiration: true, ..plain }, 2),
                    (Options { table: true, aspiration: true, ..plain }, 256),
                    (Options { tactics, extend_forced: false, ..Options::ALL }, 256),
                ] {
                    let found = aipvs_score(&mut game, &options, depth, buckets);
                    assert_eq!(found, expected, "{spec}, depth {depth}: {options:?}");
                }
                if tactics {
                    let decision = decide(&mut Aipvs::new(), &mut game, to_depth(depth));
                    assert_eq!(score(&decision, &game), expected, "{spec}, depth {depth}");
                }
            }
        }
    }
}

#[test]
fn aipvs_knows_the_documents_list() {
    let outcome = |rows, cols, k| known_outcome(GameSpec::Mnk { rows, cols, k, exact: false });
    let (win, draw) = (Some(Outcome::Win(Side::First)), Some(Outcome::Draw));
    for (board, expected) in [
        ((1, 1, 1), win),
        ((7, 3, 1), win),
        ((2, 2, 2), win),
        ((1, 3, 2), win),
        ((1, 2, 2), draw),
        ((3, 3, 3), draw),
        ((2, 9, 3), draw),
        ((3, 4, 3), win),
        ((5, 3, 3), win),
        ((5, 5, 4), draw),
        ((4, 5, 4), draw),
        ((5, 5, 5), draw),
        ((6, 5, 4), win),
        ((5, 6, 4), win),
        ((9, 9, 4), win),
        ((3, 20, 4), draw),
        ((20, 20, 21), draw),
        ((70, 70, 8), draw),
        ((9, 6, 6), draw),
        ((6, 9, 6), draw),
        ((7, 7, 6), draw),
        ((7, 7, 7), draw),
        ((15, 15, 5), None),
        ((19, 19, 6), None),
        ((7, 4, 4), None),
    ] {
        assert_eq!(outcome(board.0, board.1, board.2), expected, "{board:?}");
    }
    assert_eq!(known_outcome("mnk:3x3x3:exact".parse().expect("spec")), None);
    assert_eq!(known_outcome("connect:6x7x4".parse().expect("spec")), None);
}

#[test]
fn what_the_list_says_is_what_the_engine_proves() {
    let mut storage = Storage::new(1024);
    let mut compared = 0;
    for k in 1..=9 {
        for (rows, cols) in (1..=9).flat_map(|rows| (1..=9).map(move |cols| (rows, cols))) {
            let spec = GameSpec::Mnk { rows, cols, k, exact: false };
            let Some(known) = known_outcome(spec) else { continue };
            // The longer proofs are part of the tests of values.
            if spec.cells() > 64 || (k == 4 && spec.cells() > 20 && rows.min(cols) > 3) {
                continue;
            }
            let mut game = Box::new(Position::new(spec).expect("fits"));
            let solution = solved(&mut game, &mut storage);
            let found = match solution.value {
                Some(Value::Win { .. }) => Outcome::Win(Side::First),
                Some(Value::Draw) => Outcome::Draw,
                other => panic!("{spec}: {other:?}"),
            };
            assert_eq!(found, known, "{spec}");
            compared += 1;
        }
    }
    assert!(compared > 400, "{compared}");
}

#[test]
fn aipvs_gives_the_known_small_values() {
    // By search alone.
    for (spec, plies) in [
        ("mnk:1x1x1", 1),
        ("mnk:4x4x1", 1),
        ("mnk:2x2x2", 3),
        ("mnk:1x3x2", 3),
        ("mnk:5x5x2", 3),
        ("mnk:3x4x3", 7),
        ("mnk:4x4x3", 5),
        ("mnk:5x5x3", 5),
        ("mnk:6x3x3", 7),
        ("mnk:7x8x3", 5),
    ] {
        let decision = decide(&mut Aipvs::new(), &mut empty(spec), Limits::default());
        assert_eq!(decision.value, Some(Value::Win { plies }), "{spec}");
        assert_eq!(decision.why, Why::Proved, "{spec}");
    }
    // The largest of the list that a search proves.
    let mut storage = Storage::new(1 << 14);
    let limits = nodes(600_000);
    let decision =
        decide_by(&mut Aipvs::new(), &mut empty("mnk:6x5x4"), limits, &NoClock, &mut storage)
            .expect("the game goes on");
    assert_eq!((decision.value, decision.why), (Some(Value::Win { plies: 11 }), Why::Proved));
    // By search to the end.
    for spec in ["mnk:1x1x2", "mnk:1x2x2", "mnk:3x3x3", "mnk:2x5x3", "mnk:3x3x4", "mnk:3x4x4"] {
        let decision = decide(&mut Aipvs::new(), &mut empty(spec), Limits::default());
        assert_eq!((decision.value, decision.why), (Some(Value::Draw), Why::Proved), "{spec}");
        assert_eq!(known_outcome(spec.parse().expect(spec)), Some(Outcome::Draw));
    }
    // By the list: too large to search to the end.
    for spec in ["mnk:5x5x4", "mnk:9x6x6", "mnk:7x7x6", "mnk:8x8x8", "mnk:70x70x8"] {
        let decision = decide(&mut Aipvs::new(), &mut empty(spec), nodes(1_000));
        assert_eq!(decision.value, Some(Value::Draw), "{spec}");
        assert!(decision.why != Why::Proved, "{spec}: the list is no proof");
    }
}

#[test]
fn aipvs_meets_a_threat_and_makes_a_double_one() {
    // X X X . on a 7x7 board with four to win: second must block, first would win.
    let mut game = after("mnk:7x7x4", &at(7, &[(3, 0), (0, 0), (3, 1), (6, 6), (3, 2)]));
    for limits in [ZERO_TIME, nodes(20), to_depth(3)] {
        assert_eq!(decide(&mut Aipvs::new(), &mut game, limits).best.index(), 3 * 7 + 3);
    }
    // Two in a row with room at both ends: a third makes a double threat.
    let mut game = after("mnk:7x7x4", &at(7, &[(3, 2), (0, 0), (3, 3), (6, 6)]));
    let decision = decide(&mut Aipvs::new(), &mut game, to_depth(3));
    assert_eq!(decision.value, Some(Value::Win { plies: 3 }));
}

#[test]
fn aipvs_takes_at_most_ten_seconds() {
    let mut game = empty("mnk:15x15x5");
    play_at_random(&mut *game, 6, &mut Dice::new(SEED));
    for deadline_us in [None, Some(60_000_000), Some(2_000_000)] {
        let clock = Ticking::new();
        let mut storage = Storage::new(64);
        let limits = Limits { deadline_us, ..Limits::default() };
        decide_by(&mut Aipvs::new(), &mut game, limits, &clock, &mut storage).expect("goes on");
        let most = deadline_us.unwrap_or(u64::MAX).min(aipvs::MOVE_TIME_US);
        let used = clock.0.get();
        assert!(used <= most + 3 * Ticking::TICK_US, "{deadline_us:?}: {used}");
        assert!(used >= most - 10 * Ticking::TICK_US, "{deadline_us:?}: {used}");
    }
}
