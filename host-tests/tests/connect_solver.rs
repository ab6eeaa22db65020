//! The solver of Connect X: against plain minimax with each part left out, against the general
//! solver, and what its answers cost. The player: that it gives nothing away.

use engine::game::any::Position;
use engine::game::connect::{board::Connect, small::ConnectSmall};
use engine::game::{Game, Move};
use engine::score::Score;
use engine::search::connect::parts;
use engine::search::report::{Clock, Ending, Goal, Limits, NoClock, Solution};
use engine::search::{solve, solve_without};
use host::commands::solve::sample;
use host::commands::verify::{self, Arguments};
use host::move_limit::LimitArguments;
use host_tests::reference::minimax;
use host_tests::{Dice, Storage, play_at_random};

/// Buckets of 64 bytes in 64 KiB.
const BUCKETS_64K: usize = 1024;

/// Random positions with at most `left` plies to go.
fn late_positions(rows: u8, cols: u8, x: u16, left: usize, count: usize) -> Vec<ConnectSmall> {
    let mut dice = Dice::new(u64::from(rows) * 1_000 + u64::from(cols) * 10 + u64::from(x));
    let empty = ConnectSmall::new(rows, cols, x).expect("fits");
    let mut positions = Vec::new();
    for _ in 0..100 * count {
        let mut game = empty.clone();
        let total = game.plies_left();
        play_at_random(&mut game, total - dice.roll(left.min(total) + 1), &mut dice);
        if game.outcome().is_none() && positions.len() < count {
            positions.push(game);
        }
    }
    positions
}

fn exact_without<const LEFT_OUT: u32>(game: &ConnectSmall, storage: &mut Storage) -> Solution {
    let (mut table, workspace) = storage.parts();
    let limits = Limits::default();
    solve_without::<LEFT_OUT, _, _>(game, Goal::Exact, &limits, &NoClock, &mut table, workspace)
        .expect("the game goes on")
}

#[test]
fn every_part_may_be_left_out_without_changing_a_score() {
    fn check<const LEFT_OUT: u32>(positions: &[(ConnectSmall, Score)]) {
        let mut storage = Storage::new(2);
        for (game, score) in positions {
            let found = exact_without::<LEFT_OUT>(game, &mut storage);
            assert_eq!((found.low, found.high), (*score, *score), "{LEFT_OUT}: {game:?}");
            let mut after = game.clone();
            after.try_play(found.best.expect("a move")).expect("legal");
            assert_eq!(-minimax(&mut after), *score, "{LEFT_OUT}: {game:?}");
        }
    }
    for (rows, cols, x, left) in [
        (6, 3, 3, 10),
        (6, 4, 4, 11),
        (6, 5, 4, 10),
        (6, 7, 4, 9),
        (5, 5, 4, 10),
        (4, 5, 4, 11),
        (7, 4, 4, 10),
        (2, 8, 3, 9),
        (5, 5, 5, 9),
        (4, 4, 2, 9),
        (3, 3, 1, 9),
        (3, 4, 5, 10),
        (1, 9, 3, 9),
        (9, 1, 3, 9),
    ] {
        let positions: Vec<(ConnectSmall, Score)> = late_positions(rows, cols, x, left, 40)
            .into_iter()
            .map(|mut game| {
                let score = minimax(&mut game);
                (game, score)
            })
            .collect();
        check::<0>(&positions);
        check::<{ parts::FOLLOW_UP }>(&positions);
        check::<{ parts::ODD_THREATS }>(&positions);
        check::<{ parts::REACH }>(&positions);
        check::<{ parts::PAIRS }>(&positions);
        check::<{ parts::DEAD_LINES }>(&positions);
        check::<{ parts::TABLE_AT_CHILDREN }>(&positions);
        check::<{ parts::THREAT_ORDER }>(&positions);
        check::<{ parts::HISTORY }>(&positions);
        check::<{ parts::MIRROR }>(&positions);
        check::<{ parts::GLANCE }>(&positions);
        check::<{ parts::SPARE }>(&positions);
        check::<{ parts::LINE_ORDER }>(&positions);
        check::<{ parts::ONLY_MOVES }>(&positions);
    }
}

#[test]
fn the_solver_agrees_with_the_general_one_in_the_middle_of_games() {
    for (rows, cols, x, left) in [(6, 7, 4, 22), (5, 5, 4, 20), (4, 6, 4, 22), (6, 5, 5, 18)] {
        let mut storage = Storage::new(BUCKETS_64K);
        let mut general_storage = Storage::new(BUCKETS_64K);
        for game in late_positions(rows, cols, x, left, 60) {
            let found = exact_without::<0>(&game, &mut storage);
            // The layout for any size has no solver of its own.
            let mut general = Connect::<64>::new(rows, cols, x).expect("fits");
            for n in 0..game.ply() {
                general.make(game.played(n).expect("played"));
            }
            let (mut table, workspace) = general_storage.parts();
            let limits = Limits::default();
            let goal = Goal::Exact;
            let general =
                solve(&mut general, goal, &limits, &NoClock, &mut table, workspace, &mut |_| {});
            assert_eq!((found.low, found.high), (general.low, general.high), "{game:?}");
        }
    }
}

#[test]
fn a_sample_of_positions_costs_no_more_nodes_than_promised() {
    let spec = "connect:6x7x4".parse().expect("spec");
    let text = sample::batch(spec, 100, 0).expect("positions");
    let mean = |goal| {
        let nodes: u64 = text
            .lines()
            .map(|line| {
                let mut position = host::position::after_columns(spec, line).expect("legal");
                let mut storage = Storage::new(BUCKETS_64K);
                let (mut table, workspace) = storage.parts();
                let limits = Limits::default();
                solve(&mut position, goal, &limits, &NoClock, &mut table, workspace, &mut |_| {})
                    .nodes
            })
            .sum();
        nodes / text.lines().count() as u64
    };
    let (exact, outcome) = (mean(Goal::Exact), mean(Goal::Outcome));
    assert!(exact < 12_000 && outcome < 3_000, "{exact} and {outcome} nodes");
}

#[test]
fn limits_are_kept_and_leave_true_bounds() {
    struct Late;
    impl Clock for Late {
        fn now_us(&self) -> u64 {
            1
        }
    }
    let mut game = ConnectSmall::new(6, 7, 4).expect("fits");
    for column in [3, 3, 3, 3, 3, 1] {
        game.try_play(Move::new(column)).expect("legal");
    }
    let mut storage = Storage::new(BUCKETS_64K);
    for nodes in [0, 1, 10, 1_000] {
        let (mut table, workspace) = storage.parts();
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let goal = Goal::Exact;
        let found = solve(&mut game, goal, &limits, &NoClock, &mut table, workspace, &mut |_| {});
        assert_eq!(found.ending, Ending::Nodes);
        assert!(found.nodes <= nodes.max(1) && found.low < found.high && found.value.is_none());
    }
    let (mut table, workspace) = storage.parts();
    let limits = Limits { deadline_us: Some(1), ..Limits::default() };
    let found = solve(&mut game, Goal::Exact, &limits, &Late, &mut table, workspace, &mut |_| {});
    assert_eq!(found.ending, Ending::Stopped);
    assert!(found.nodes <= engine::search::SMALL_BOARD_POLL);
}

fn arguments(decisions: u64, nodes: u64, set_up: Option<usize>) -> Arguments {
    Arguments {
        spec: "connect:6x7x4".parse().expect("spec"),
        decisions,
        plies: 20,
        opening: None,
        set_up,
        limit: LimitArguments { time: None, nodes: Some(nodes) },
        table: "64K".parse().expect("size"),
        solver_nodes: u64::MAX,
        solver_table: "16M".parse().expect("size"),
        seed: 0,
        json: false,
    }
}

/// Set this variable for the whole sample; see docs/results.md.
const LONG_TESTS: &str = "TAVOLA_LONG_TESTS";

#[test]
fn connect_four_is_played_without_giving_anything_away() {
    // The first plies take the longest to check; the long sample has them all.
    let long = std::env::var_os(LONG_TESTS).is_some();
    if long {
        let verdict = verify::verify(&arguments(2_000, 400_000, None)).expect("a verdict");
        assert_eq!(verdict.mistakes, [], "{verdict:?}");
    }
    let set_up = arguments(if long { 500 } else { 40 }, 400_000, Some(14));
    let verdict = verify::verify(&set_up).expect("a verdict");
    assert_eq!(verdict.mistakes, [], "{verdict:?}");
}

#[test]
fn the_book_knows_our_move_whatever_the_opponent_does_and_in_the_mirror() {
    use engine::game::Side;
    use engine::players::tavola::book;
    let book = book::built_in().expect("this build has a book");
    let spec = "connect:6x7x4".parse().expect("spec");
    let mut dice = Dice::new(5);
    for game in 0..2_000 {
        let mut position = Position::new(spec).expect("fits");
        let ours = Side::BOTH[game % 2];
        while position.outcome().is_none() && position.ply() / 2 < book.decisions(ours) {
            let mv = if position.side_to_move() == ours {
                let stacks = position.stacks().expect("small");
                let column = book.look_up(&stacks).expect("the book knows it");
                Some(Move::new(column))
            } else {
                dice.pick((0..book::COLS).map(Move::new).filter(|&mv| position.check(mv).is_ok()))
            };
            position.try_play(mv.expect("a move")).expect("legal");
        }
    }
}
