//! Known values of games, proved in 64 KiB of table.
//!
//! The values are from the literature: W. H. J. Uiterwijk and H. J. van den Herik, "The advantage
//! of the initiative", Information Sciences 122 (2000), for mnk; J. Tromp's table for Connect X.

use engine::game::any::Position;
use engine::game::{Game, Move};
use engine::score::Value;
use engine::search::report::{Goal, Limits, NoClock, Solution};
use engine::search::solve;
use host_tests::Storage;

/// Buckets of 64 bytes in 64 KiB.
const BUCKETS_64K: usize = 1024;
/// Set to run what takes long.
const LONG_TESTS: &str = "TAVOLA_LONG_TESTS";

fn solve_after(spec: &str, moves: &[usize], goal: Goal) -> Solution {
    let mut position = Box::new(Position::new(spec.parse().expect(spec)).expect(spec));
    for &mv in moves {
        position.try_play(Move::new(mv)).expect(spec);
    }
    let mut storage = Storage::new(BUCKETS_64K);
    let (mut table, workspace) = storage.parts();
    solve(&mut *position, goal, &Limits::default(), &NoClock, &mut table, workspace, &mut |_| {})
}

/// Solves an empty board and holds the value and the most nodes that it may take.
fn assert_value(spec: &str, value: &str, most_nodes: u64) {
    let solution = solve_after(spec, &[], Goal::Outcome);
    let found = match solution.value {
        Some(Value::Win { .. }) => "first",
        Some(Value::Loss { .. }) => "second",
        Some(Value::Draw) => "draw",
        other => panic!("{spec}: {other:?}"),
    };
    assert_eq!(found, value, "{spec}");
    assert!(solution.nodes <= most_nodes, "{spec}: {} nodes", solution.nodes);
}

#[test]
fn mnk_draws_are_proved() {
    for (spec, most_nodes) in [
        ("mnk:3x3x3", 200),
        ("mnk:4x4x4", 100),
        ("mnk:5x4x4", 2_328),
        ("mnk:6x4x4", 24_899),
        ("mnk:5x5x4", 14_578),
        ("mnk:6x6x5", 100),
        ("mnk:5x4x5", 100),
        ("mnk:5x5x5", 100),
        ("mnk:6x4x5", 100),
        ("mnk:6x5x5", 100),
        ("mnk:5x6x6", 100),
        ("mnk:6x6x6", 100),
        ("mnk:7x7x6", 100),
        ("mnk:9x6x6", 100),
        ("mnk:7x7x7", 100),
        ("mnk:8x8x8", 100),
    ] {
        assert_value(spec, "draw", most_nodes);
    }
}

#[test]
fn mnk_first_player_wins_are_proved() {
    for (spec, most_nodes) in [
        ("mnk:4x3x3", 1_000),
        ("mnk:4x4x3", 1_000),
        ("mnk:5x3x3", 1_000),
        ("mnk:5x4x3", 1_000),
        ("mnk:5x5x3", 1_000),
        ("mnk:6x3x3", 1_000),
        ("mnk:6x6x3", 1_000),
        ("mnk:6x5x4", 1_584),
        ("mnk:6x6x4", 1_000),
        ("mnk:7x5x4", 1_998),
        ("mnk:7x6x4", 1_521),
        ("mnk:7x7x4", 1_000),
        ("mnk:8x8x4", 1_000),
    ] {
        assert_value(spec, "first", most_nodes);
    }
}

#[test]
fn obvious_draws_on_large_boards_need_no_search() {
    for spec in ["mnk:50x50x10", "mnk:70x70x10", "mnk:70x70x8", "mnk:20x20x21", "mnk:9x9x9"] {
        assert_value(spec, "draw", 1);
    }
}

#[test]
fn connect_boards_up_to_5x6_and_6x5_have_their_known_values() {
    for (spec, value) in [
        ("connect:4x4x4", "draw"),
        ("connect:4x5x4", "draw"),
        ("connect:4x6x4", "second"),
        ("connect:5x4x4", "draw"),
        ("connect:5x5x4", "draw"),
        ("connect:5x6x4", "draw"),
        ("connect:6x4x4", "draw"),
        ("connect:6x5x4", "draw"),
    ] {
        assert_value(spec, value, 20_000_000);
    }
}

#[test]
fn distances_of_known_wins_are_exact() {
    let plies = |spec, moves| match solve_after(spec, moves, Goal::Exact).value {
        Some(Value::Win { plies } | Value::Loss { plies }) => plies,
        other => panic!("{spec} {moves:?}: {other:?}"),
    };
    // Three in a row on 5x5: a fork, then a line.
    assert_eq!(plies("mnk:5x5x3", &[]), 5);
    // Two in a row next to each other: the third stone at the latest.
    assert_eq!(plies("mnk:3x3x2", &[]), 3);
    assert_eq!(plies("mnk:4x4x1", &[]), 1);
    // Connect Four: the first player has three in the bottom row with both ends open.
    assert_eq!(plies("connect:6x7x4", &[2, 2, 3, 3, 4]), 2);
    assert_eq!(plies("connect:6x7x4", &[2, 2, 3, 3, 4, 1]), 1);
}

/// The margin of an empty board of bricks, and the nodes that it took.
fn margin_of(spec: &str) -> (i32, u64) {
    let solution = solve_after(spec, &[], Goal::Exact);
    match solution.value {
        Some(Value::Margin(margin)) => (margin, solution.nodes),
        other => panic!("{spec}: {other:?}"),
    }
}

#[test]
fn small_bricks_boards_are_solved() {
    let margin = |spec| margin_of(spec).0;
    assert_eq!(margin("bricks:1"), 0);
    assert_eq!(margin("bricks:2"), 0);
    assert_eq!(margin("bricks:3"), 0);
    assert_eq!(margin("bricks:4"), 0);
}

/// It takes half a minute.
#[test]
fn bricks_5x5_is_won_by_the_first_player() {
    if std::env::var_os(LONG_TESTS).is_some() {
        let (margin, nodes) = margin_of("bricks:5");
        assert_eq!(margin, 32);
        assert!(nodes <= 11_000_000, "{nodes} nodes");
    }
}

#[test]
fn a_limit_leaves_true_bounds_and_says_why() {
    use engine::search::report::Ending;
    let mut position = Position::new("connect:6x7x4".parse().expect("spec")).expect("fits");
    let mut storage = Storage::new(BUCKETS_64K);
    let (mut table, workspace) = storage.parts();
    let limits = Limits { nodes: Some(5_000), ..Limits::default() };
    let mut ticks = 0;
    let solution =
        solve(&mut position, Goal::Outcome, &limits, &NoClock, &mut table, workspace, &mut |_| {
            ticks += 1
        });
    assert_eq!((solution.value, solution.ending), (None, Ending::Nodes));
    assert!(solution.low < solution.high && solution.nodes <= 5_001);
}
