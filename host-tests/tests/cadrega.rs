//! `cadrega` against its report: the heuristic's values, the trap, the tree kept between turns,
//! and answers that are legal and in time whatever the limits.

use core::cell::Cell;

use engine::game::any::{AnyGame, Position};
use engine::game::{Effort, Game, IllegalMove, Move, Outcome, Side, Symmetry, Tactics};
use engine::players::cadrega::{CADREGA_NODES, Cadrega, LEAST_DEPTH, cell_value, optimized_depth};
use engine::players::{Decision, POLL_WORK, Player, Tools, Why};
use engine::score::{INFINITE, Score, Value};
use engine::search::ordering::MoveSink;
use engine::search::report::{Clock, Limits, NoClock};
use engine::spec::GameSpec;
use host_tests::{Dice, Storage, decide, depth, legal_moves, nodes, play_at_random};

const SEED: u64 = 4;

type Small = AnyGame<400, 1, 1>;

fn board(text: &str) -> Small {
    Small::new(text.parse().expect(text)).expect(text)
}

fn ask<G: Game, P: Player>(
    player: &mut P,
    game: &mut G,
    limits: Limits,
    clock: &dyn Clock,
) -> Decision {
    decide(player, game, limits, clock, &mut Storage::new(0)).expect("the game goes on")
}

/// X at two opposite corners, O in the centre, O to move.
fn trap() -> Small {
    let mut game = board("mnk:3x3x3");
    [0, 4, 8].into_iter().for_each(|cell| game.make(Move::new(cell)));
    game
}

const CORNERS: [usize; 4] = [0, 2, 6, 8];

#[test]
fn the_heuristic_has_the_values_of_the_report() {
    let game = trap();
    let both = |cell| Side::BOTH.iter().map(|&side| cell_value(&game, cell, side)).sum::<u32>();
    assert_eq!([1, 2, 3, 5, 6, 7].map(both), [4, 6, 4, 4, 6, 4]);
    // On an empty board the value is the number of windows.
    let empty = board("mnk:5x5x3");
    assert_eq!([0, 12].map(|cell| cell_value(&empty, cell, Side::First)), [3, 12]);
    assert_eq!(cell_value(&empty, 25, Side::First), 0);
}

#[test]
fn the_heuristic_alone_walks_into_the_trap_and_the_player_does_not() {
    let late = Limits { deadline_us: Some(0), ..Limits::default() };
    let first_sight = ask(&mut Cadrega::<8>::new(), &mut trap(), late, &NoClock);
    assert!(CORNERS.contains(&first_sight.best.index()));
    assert_eq!((first_sight.why, first_sight.nodes), (Why::Heuristic, 0));
    assert_eq!(first_sight.value, Some(Value::Heuristic(6)));
    for limits in [Limits::default(), nodes(300)] {
        let decision = ask(&mut Cadrega::<CADREGA_NODES>::new(), &mut trap(), limits, &NoClock);
        assert!(!CORNERS.contains(&decision.best.index()), "{decision:?}");
        assert_eq!((decision.value, decision.why), (Some(Value::Draw), Why::Proved));
    }
}

#[test]
fn a_win_is_taken_and_a_threat_is_blocked() {
    let mut dice = Dice::new(SEED);
    for text in ["mnk:3x3x3", "mnk:5x5x4", "mnk:6x4x3:exact", "mnk:9x9x4", "mnk:19x19x5:exact"] {
        let mut player = Cadrega::<256>::new();
        for round in 0..200 {
            let mut game = board(text);
            let plies = dice.roll(game.plies_left());
            play_at_random(&mut game, plies, &mut dice);
            if game.outcome().is_some() {
                continue;
            }
            let side = game.side_to_move();
            let decision = ask(&mut player, &mut game, nodes(round % 20), &NoClock);
            match game.tactics() {
                Tactics::Win(_) => {
                    game.make(decision.best);
                    assert_eq!(game.outcome(), Some(Outcome::Win(side)), "{text}");
                }
                Tactics::Forced(mv) => assert_eq!(decision.best, mv, "{text}"),
                Tactics::Lost(_) | Tactics::Quiet => {}
            }
        }
    }
}

/// The report's search without pruning: the score `depth` plies deep.
fn plain(game: &mut Small, depth: u32) -> Score {
    if let Some(score) = game.final_score() {
        return score;
    }
    let us = game.side_to_move();
    let moves = legal_moves(game);
    if depth == 0 {
        let value = |mv: &Move, side| cell_value(game, mv.index(), side) as Score;
        return moves.iter().map(|mv| value(mv, us) - value(mv, us.other())).sum();
    }
    let moves = match game.tactics() {
        Tactics::Win(mv) | Tactics::Forced(mv) | Tactics::Lost(mv) => vec![mv],
        Tactics::Quiet => moves,
    };
    let mut best = -INFINITE;
    for mv in moves {
        game.make(mv);
        best = best.max(-plain(game, depth - 1));
        game.unmake();
    }
    best
}

#[test]
fn the_value_is_that_of_a_plain_search_with_the_leaf_of_the_report() {
    let mut dice = Dice::new(SEED);
    for text in ["mnk:3x3x3", "mnk:4x5x3", "mnk:5x5x4", "mnk:4x4x9", "mnk:3x9x4", "mnk:4x4x3:exact"]
    {
        for round in 0..12 {
            let mut game = board(text);
            play_at_random(&mut game, round + 2, &mut dice);
            if game.outcome().is_some() {
                continue;
            }
            let (ply, score) = (game.ply(), plain(&mut game, LEAST_DEPTH));
            let mut player = Cadrega::<100>::new();
            let decision = ask(&mut player, &mut game, depth(LEAST_DEPTH), &NoClock);
            let exact = decision.why == Why::Proved;
            let expected = Value::from_score(score, ply, exact, false);
            assert_eq!(decision.value, Some(expected), "{text} {decision:?}");
        }
    }
}

/// Plays a game against random moves and asks a new player as well at every turn. Tells how
/// often the tree had been of use.
fn compare_with_new_players<const NODES: usize>(text: &str, limits: Limits) -> usize {
    let mut dice = Dice::new(SEED);
    let mut game = board(text);
    let mut player = Cadrega::<NODES>::new();
    let mut reused = 0;
    while game.outcome().is_none() {
        let before = player.clone();
        let decision = ask(&mut player, &mut game, limits, &NoClock);
        assert!(player.kept() <= NODES);
        let new = ask(&mut Cadrega::<NODES>::new(), &mut game, limits, &NoClock);
        let none = ask(&mut Cadrega::<0>::new(), &mut game, limits, &NoClock);
        assert_eq!(decision, new, "{text}, {NODES} nodes");
        assert_eq!(decision, none, "{text}, {NODES} nodes");
        // Asked again, it knows the position and says the same.
        assert_eq!(ask(&mut player, &mut game, limits, &NoClock), decision);
        reused += usize::from(before.kept() > 1);
        game.make(decision.best);
        play_at_random(&mut game, 1, &mut dice);
    }
    reused
}

#[test]
fn a_tree_kept_between_turns_gives_the_same_decision_as_a_new_one() {
    for text in ["mnk:3x3x3", "mnk:4x4x4", "mnk:5x6x4", "mnk:5x6x4:exact", "mnk:7x7x5"] {
        assert!(compare_with_new_players::<2_048>(text, depth(LEAST_DEPTH)) > 0);
        compare_with_new_players::<40>(text, depth(LEAST_DEPTH));
        compare_with_new_players::<1>(text, depth(2));
    }
    // Here only cells near the latest stones are tried.
    assert!(compare_with_new_players::<2_048>("mnk:20x20x6", depth(1)) > 0);
}

#[test]
fn a_position_of_another_game_finds_an_empty_tree() {
    let mut player = Cadrega::<500>::new();
    for text in ["mnk:3x3x3", "mnk:4x4x3", "mnk:3x3x3", "mnk:3x3x3:exact"] {
        for first in [0, 1] {
            let mut game = board(text);
            game.make(Move::new(first));
            let decision = ask(&mut player, &mut game, nodes(2_000), &NoClock);
            let new = ask(&mut Cadrega::<500>::new(), &mut game, nodes(2_000), &NoClock);
            assert_eq!(decision, new);
        }
    }
}

#[test]
fn the_depth_follows_the_model_of_the_report() {
    /// The report's text, with its floating point.
    fn report(starting: u32, mut free: i64, nodes: f64) -> u32 {
        let mut depth = starting;
        let mut visited = (free as f64).sqrt();
        let mut i = 1;
        while i < starting && free > 0 {
            free -= 1;
            visited *= (free as f64).sqrt();
            i += 1;
        }
        while visited < nodes {
            free -= 1;
            if free <= 0 {
                return depth;
            }
            visited *= (free as f64).sqrt();
            depth += 1;
        }
        starting.max(depth - 2)
    }
    for free in [1, 2, 3, 4, 6, 9, 16, 25, 63, 225, 361, 4_900] {
        for nodes in [0, 1, 7, 50, 999, 20_011, 500_009, 30_000_001] {
            let expected = report(3, free, nodes as f64);
            assert_eq!(optimized_depth(3, free as usize, nodes), expected, "{free} {nodes}");
        }
    }
    assert!(optimized_depth(3, 4_900, u64::MAX) < 20);
}

/// Calls `check` with positions of many boards after random moves.
fn for_positions(count: usize, mut check: impl FnMut(&mut Position, &mut Dice)) {
    let mut dice = Dice::new(SEED);
    for text in [
        "mnk:1x1x1",
        "mnk:1x2x2",
        "mnk:1x70x5",
        "mnk:70x1x5",
        "mnk:2x2x9",
        "mnk:3x3x3",
        "mnk:6x5x4",
        "mnk:8x8x5:exact",
        "mnk:10x10x5",
        "mnk:15x15x5",
        "mnk:19x19x5:exact",
        "mnk:33x40x1",
        "mnk:50x50x10",
        "mnk:70x70x10",
        "mnk:70x70x70",
        "mnk:70x70x3:exact",
        "mnk:70x70x9999",
    ] {
        let spec: GameSpec = text.parse().expect(text);
        for _ in 0..count {
            let mut game = Position::new(spec).expect(text);
            let few = dice.roll(2) == 0;
            let plies = dice.roll(if few { 12.min(spec.cells()) } else { spec.cells() });
            for _ in 0..plies {
                let mv = Move::new(dice.roll(spec.cells()));
                let _ = game.try_play(mv);
            }
            if game.outcome().is_none() {
                check(&mut game, &mut dice);
            }
        }
    }
}

#[test]
fn a_legal_move_comes_back_whatever_the_limits() {
    let mut player = Cadrega::<CADREGA_NODES>::new();
    for_positions(6, |game, dice| {
        let key = game.key();
        for limits in [
            nodes(0),
            nodes(1),
            nodes(1 + dice.roll(100) as u64),
            Limits { deadline_us: Some(0), ..Limits::default() },
            Limits { deadline_us: Some(1), nodes: Some(9), depth: Some(1) },
        ] {
            let decision = ask(&mut player, game, limits, &NoClock);
            assert_eq!(game.check(decision.best), Ok(()), "{}: {limits:?}", game.spec());
            assert!(decision.nodes <= limits.nodes.unwrap_or(0), "{}", game.spec());
            assert_eq!(game.key(), key, "the position is as it was");
        }
    });
    let mut over = board("mnk:1x1x1");
    over.make(Move::new(0));
    let mut storage = Storage::new(0);
    let (mut table, workspace) = storage.parts();
    let limits = Limits::default();
    let mut tools = Tools { limits, clock: &NoClock, table: &mut table, workspace };
    assert_eq!(player.decide(&mut over, &mut tools), None);
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
fn half_a_second_is_left_of_a_large_budget_and_a_tenth_of_a_small_one() {
    for (budget_us, used_us) in [(3_000_000, 2_500_000), (100_000, 90_000)] {
        let clock = Ticking(Cell::new(0));
        let limits = Limits { deadline_us: Some(budget_us), ..Limits::default() };
        let mut game = board("mnk:15x15x5");
        play_at_random(&mut game, 10, &mut Dice::new(SEED));
        let decision = ask(&mut Cadrega::<64>::new(), &mut game, limits, &clock);
        assert!(decision.nodes > 0);
        assert!(clock.0.get() < used_us + 10_000, "{} of {used_us}", clock.0.get());
    }
}

/// A game that counts the cells looked at.
struct Counting<'a> {
    game: &'a mut Position,
    looks: &'a Cell<usize>,
}

impl Game for Counting<'_> {
    fn spec(&self) -> GameSpec {
        self.game.spec()
    }
    fn ply(&self) -> usize {
        self.game.ply()
    }
    fn played(&self, n: usize) -> Option<Move> {
        self.game.played(n)
    }
    fn stone(&self, cell: usize) -> Option<Side> {
        self.looks.set(self.looks.get() + 1);
        self.game.stone(cell)
    }
    fn check(&self, mv: Move) -> Result<(), IllegalMove> {
        self.game.check(mv)
    }
    fn make(&mut self, mv: Move) {
        self.game.make(mv);
    }
    fn unmake(&mut self) {
        self.game.unmake();
    }
    fn outcome(&self) -> Option<Outcome> {
        self.game.outcome()
    }
    fn final_score(&self) -> Option<Score> {
        self.game.final_score()
    }
    fn plies_left(&self) -> usize {
        self.game.plies_left()
    }
    fn key(&self) -> u64 {
        self.game.key()
    }
    fn key_bits(&self) -> u32 {
        self.game.key_bits()
    }
    fn evaluate(&self) -> Score {
        self.game.evaluate()
    }
    fn tactics(&self) -> Tactics {
        self.game.tactics()
    }
    fn bounds(&self, alpha: Score, beta: Score, effort: Effort) -> (Score, Score) {
        self.game.bounds(alpha, beta, effort)
    }
    fn generate(&self, sink: &mut MoveSink<'_>) {
        self.game.generate(sink);
    }
    fn map_move(&self, mv: Move, symmetry: Symmetry) -> Move {
        self.game.map_move(mv, symmetry)
    }
}

/// A clock that remembers the most cells looked at between two looks at it.
struct Auditor<'a> {
    looks: &'a Cell<usize>,
    most: Cell<usize>,
}

impl Clock for Auditor<'_> {
    fn now_us(&self) -> u64 {
        self.most.set(self.most.get().max(self.looks.replace(0)));
        1
    }
}

#[test]
fn a_node_looks_at_no_more_cells_than_are_allowed_between_two_looks_at_the_clock() {
    for_positions(4, |game, _| {
        // Boards of up to 64 cells have a look at the clock at some nodes only.
        if game.spec().cells() <= 64 {
            return;
        }
        let looks = Cell::new(0);
        let clock = Auditor { looks: &looks, most: Cell::new(0) };
        let limits = Limits { deadline_us: Some(900), nodes: Some(300), depth: None };
        let spec = game.spec();
        let mut counting = Counting { game, looks: &looks };
        ask(&mut Cadrega::<200>::new(), &mut counting, limits, &clock);
        // The moves of the root are listed twice: once for a first answer. A stone made costs
        // its surroundings as well.
        let most = clock.most.get().max(looks.get());
        assert!(most <= 2 * POLL_WORK + 1_000, "{spec}: {most}");
    });
}
