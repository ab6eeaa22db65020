//! The search and the solver against plain minimax, with everything on, one part off at a time,
//! tables of a few entries and aborts at random moments.

use engine::game::bricks::{Bricks, BricksSmall};
use engine::game::connect::{board::Connect, small::ConnectSmall};
use engine::game::mnk::{board::Mnk, small::MnkSmall};
use engine::game::{Game, Move};
use engine::score::Score;
use engine::search::report::{Clock, Ending, Goal, Limits, NoClock, Report};
use engine::search::{Options, search, solve};
use host_tests::reference::minimax;
use host_tests::{Dice, Storage, legal_moves, play_at_random};

const SEED: u64 = 20;

/// Random positions with at most `left` plies to go, and their exact scores.
fn late_positions<G: Game + Clone>(empty: &G, left: usize, count: usize) -> Vec<(G, Score)> {
    let mut dice = Dice::new(SEED + empty.spec().cells() as u64);
    let mut positions = Vec::new();
    for _ in 0..20 * count {
        let mut game = empty.clone();
        let total = game.plies_left();
        play_at_random(&mut game, total - dice.roll(left.min(total) + 1), &mut dice);
        if game.outcome().is_none() && game.plies_left() <= left && positions.len() < count {
            let score = minimax(&mut game);
            positions.push((game, score));
        }
    }
    assert!(positions.len() >= count.min(10), "{}: too few positions", empty.spec());
    positions
}

/// Calls a generic function with an empty board of many small games, in both layouts, with the
/// number of plies for which plain minimax is quick.
macro_rules! for_small_games {
    ($call:ident) => {
        for (rows, cols, k) in [(3, 3, 3), (4, 3, 3), (3, 4, 4), (4, 4, 4), (4, 4, 3), (2, 5, 3)] {
            for exact in [false, true] {
                $call(&MnkSmall::new(rows, cols, k, exact).expect("fits"), 8);
                $call(&Mnk::<16>::new(rows, cols, k, exact).expect("fits"), 8);
            }
        }
        for (rows, cols, x) in [(4, 4, 4), (4, 4, 3), (3, 5, 3), (5, 3, 3), (4, 5, 4), (3, 4, 5)] {
            $call(&ConnectSmall::new(rows, cols, x).expect("fits"), 9);
            $call(&Connect::<20>::new(rows, cols, x).expect("fits"), 9);
        }
        for size in [2, 3, 4] {
            $call(&BricksSmall::new(size).expect("fits"), 4);
            $call(&Bricks::<16>::new(size).expect("fits"), 4);
        }
    };
}

fn run<G: Game>(game: &mut G, limits: &Limits, options: &Options, storage: &mut Storage) -> Report {
    let (mut table, workspace) = storage.parts();
    search(game, limits, options, &NoClock, &mut table, workspace).expect("the game goes on")
}

fn assert_keeps_value<G: Game>(game: &mut G, mv: Move, score: Score) {
    game.try_play(mv).expect("the best move is legal");
    assert_eq!(-minimax(game), score, "{} after its best move", game.spec());
    game.unmake();
}

#[test]
fn the_search_finds_the_exact_score_and_a_best_move() {
    fn check<G: Game + Clone>(empty: &G, left: usize) {
        for buckets in [0, 1, 2, 64] {
            let mut storage = Storage::new(buckets);
            // The table is not cleared in between: old entries must do no harm.
            for (mut game, score) in late_positions(empty, left, 40) {
                let report = run(&mut game, &Limits::default(), &Options::ALL, &mut storage);
                let spec = game.spec();
                assert_eq!(report.score, score, "{spec}, {buckets} buckets: {report:?}");
                assert!(report.proved, "{spec}: {report:?}");
                assert_eq!(report.ending, Ending::Complete, "{spec}");
                assert_keeps_value(&mut game, report.best, score);
                assert_eq!(report.line.first(), Some(&report.best), "{spec}");
            }
        }
    }
    for_small_games!(check);
}

#[test]
fn the_solver_finds_the_outcome_and_the_exact_score() {
    fn check<G: Game + Clone>(empty: &G, left: usize) {
        for buckets in [0, 1, 2, 64] {
            let mut storage = Storage::new(buckets);
            for (mut game, score) in late_positions(empty, left, 40) {
                let (mut table, workspace) = storage.parts();
                let mut ask = |game: &mut G, goal| {
                    let limits = Limits::default();
                    solve(game, goal, &limits, &NoClock, &mut table, workspace, &mut |_| {})
                };
                let outcome = ask(&mut game, Goal::Outcome);
                assert!(outcome.low <= score && score <= outcome.high, "{outcome:?}");
                assert_eq!(outcome.low.signum(), score.signum(), "{outcome:?}");
                assert_eq!(outcome.high.signum(), score.signum(), "{outcome:?}");
                let exact = ask(&mut game, Goal::Exact);
                assert_eq!((exact.low, exact.high), (score, score), "{}: {exact:?}", game.spec());
                let best = exact.best.expect("a move is part of the answer");
                assert_keeps_value(&mut game, best, score);
            }
        }
    }
    for_small_games!(check);
}

#[test]
fn no_part_of_the_search_changes_the_score() {
    fn check<G: Game + Clone>(empty: &G, left: usize) {
        let all = Options::ALL;
        let variants = [
            Options::NONE,
            Options { table: true, ..Options::NONE },
            Options { table: false, ..all },
            Options { static_order: false, ..all },
            Options { learned_order: false, ..all },
            Options { tactics: false, ..all },
            Options { bounds: false, ..all },
            Options { symmetry: false, ..all },
            Options { null_window: false, ..all },
            Options { aspiration: false, ..all },
            Options { extend_forced: false, ..all },
        ];
        for options in variants {
            let mut storage = Storage::new(2);
            for (mut game, score) in late_positions(empty, left, 10) {
                let report = run(&mut game, &Limits::default(), &options, &mut storage);
                assert_eq!(report.score, score, "{}: {options:?}: {report:?}", game.spec());
                assert_keeps_value(&mut game, report.best, score);
            }
        }
    }
    for_small_games!(check);
}

#[test]
fn aborts_at_random_moments_leave_legal_moves_true_claims_and_a_sound_table() {
    fn check<G: Game + Clone>(empty: &G, left: usize) {
        let mut dice = Dice::new(SEED);
        let mut storage = Storage::new(4);
        for (mut game, score) in late_positions(empty, left, 60) {
            let before = game.key();
            for _ in 0..3 {
                let limits = Limits { nodes: Some(dice.roll(60) as u64), ..Limits::default() };
                let report = run(&mut game, &limits, &Options::ALL, &mut storage);
                assert!(game.check(report.best).is_ok(), "{}: {report:?}", game.spec());
                assert!(report.nodes <= limits.nodes.unwrap_or(0));
                assert_eq!(game.key(), before, "the position is as it was");
                if report.proved {
                    assert_eq!(report.score.signum(), score.signum(), "{report:?}");
                }
            }
            let (mut table, workspace) = storage.parts();
            let limits = Limits { nodes: Some(dice.roll(200) as u64), ..Limits::default() };
            let part = solve(
                &mut game,
                Goal::Exact,
                &limits,
                &NoClock,
                &mut table,
                workspace,
                &mut |_| {},
            );
            assert!(part.low <= score && score <= part.high, "{part:?}");
            let report = run(&mut game, &Limits::default(), &Options::ALL, &mut storage);
            assert_eq!(report.score, score, "{}: {report:?}", game.spec());
        }
    }
    for_small_games!(check);
}

#[test]
fn with_no_budget_a_win_is_taken_and_a_threat_is_blocked() {
    struct Late;
    impl Clock for Late {
        fn now_us(&self) -> u64 {
            1
        }
        fn should_stop(&self) -> bool {
            true
        }
    }
    fn check<G: Game + Clone>(empty: &G, _left: usize) {
        let mut dice = Dice::new(SEED);
        let mut storage = Storage::new(1);
        for _ in 0..100 {
            let mut game = empty.clone();
            let plies = dice.roll(game.plies_left() + 1);
            play_at_random(&mut game, plies, &mut dice);
            if game.outcome().is_some() {
                continue;
            }
            let limits = Limits { deadline_us: Some(0), ..Limits::default() };
            let (mut table, workspace) = storage.parts();
            let report = search(&mut game, &limits, &Options::ALL, &Late, &mut table, workspace)
                .expect("the game goes on");
            assert_eq!((report.nodes, report.ending), (0, Ending::Stopped));
            assert!(game.check(report.best).is_ok());
            if game.spec().has_margins() {
                continue;
            }
            let wins_now = |game: &mut G, mv| {
                game.make(mv);
                let won =
                    game.outcome() == Some(engine::game::Outcome::Win(game.side_to_move().other()));
                game.unmake();
                won
            };
            let moves = legal_moves(&game);
            if moves.iter().any(|&mv| wins_now(&mut game, mv)) {
                assert!(wins_now(&mut game, report.best), "{}", game.spec());
                continue;
            }
            let loses = |game: &mut G, mv| {
                game.make(mv);
                let replies = legal_moves(game);
                let lost = replies.iter().any(|&reply| wins_now(game, reply));
                game.unmake();
                lost
            };
            if !moves.iter().all(|&mv| loses(&mut game, mv)) {
                assert!(!loses(&mut game, report.best), "{}", game.spec());
            }
        }
    }
    for_small_games!(check);
}

#[test]
fn the_clock_is_asked_often_whatever_the_board() {
    use core::cell::Cell;
    /// Stops at the n-th question.
    struct Patience(Cell<u32>);
    impl Clock for Patience {
        fn now_us(&self) -> u64 {
            0
        }
        fn should_stop(&self) -> bool {
            self.0.set(self.0.get().saturating_sub(1));
            self.0.get() == 0
        }
    }
    for text in ["mnk:7x7x4", "mnk:70x70x10", "connect:6x7x4", "connect:100x100x30", "bricks:20"] {
        let spec = text.parse().expect(text);
        let mut game = engine::game::any::Position::new(spec).expect(text);
        if spec.cells() > 64 {
            play_at_random(&mut game, 10, &mut Dice::new(3));
        }
        let mut storage = Storage::new(16);
        let (mut table, workspace) = storage.parts();
        let patience = 20;
        let clock = Patience(Cell::new(patience));
        let report =
            search(&mut game, &Limits::default(), &Options::ALL, &clock, &mut table, workspace)
                .expect("the game goes on");
        assert_eq!(report.ending, Ending::Stopped, "{text}");
        let per_question = if spec.cells() > 64 { 1 } else { engine::search::SMALL_BOARD_POLL };
        assert!(report.nodes <= u64::from(patience) * per_question, "{text}: {}", report.nodes);
    }
}
