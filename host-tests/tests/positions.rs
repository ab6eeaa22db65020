//! Positions of random games against slow recomputation: what is kept up to date move by move,
//! what the two layouts of a board say, what is claimed without search.
//!
//! A case is a board and a seed; a failure prints both, and they bring the same game back.

use std::collections::HashSet;

use engine::game::any::AnyGame;
use engine::game::line::board::LineBoard;
use engine::game::line::{Weights, evaluate};
use engine::game::mnk::board::{FULL_WIDTH_CELLS, MAX_WIDTH};
use engine::game::{Effort, Game, Move, Outcome, Side, Symmetry, Tactics};
use engine::score::{INFINITE, Score, is_loss, is_win, loss_at, win_at};
use engine::search::ordering::{Candidate, MoveSink, Wanted};
use engine::spec::GameSpec;
use host_tests::reference::{Grid, minimax};
use host_tests::{Dice, generated, layouts, legal_moves};
use proptest::prelude::*;

/// Room for every board of this file.
const MNK: usize = 144;
const CONNECT: usize = 100;
const BRICKS: usize = 81;
type Board = AnyGame<MNK, CONNECT, BRICKS>;

fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

fn boards(spec: GameSpec) -> Vec<Board> {
    layouts(spec)
}

fn mnk() -> impl Strategy<Value = GameSpec> {
    (1..=12u8, 1..=12u8, 1..=7u16, any::<bool>()).prop_map(|(rows, cols, k, exact)| GameSpec::Mnk {
        rows,
        cols,
        k,
        exact,
    })
}

fn connect() -> impl Strategy<Value = GameSpec> {
    (1..=10u8, 1..=10u8, 1..=7u16).prop_map(|(rows, cols, x)| GameSpec::Connect { rows, cols, x })
}

fn bricks() -> impl Strategy<Value = GameSpec> {
    (1..=9u8).prop_map(|size| GameSpec::Bricks { size })
}

fn line_games() -> impl Strategy<Value = GameSpec> {
    prop_oneof![mnk(), connect()]
}

fn all_games() -> impl Strategy<Value = GameSpec> {
    prop_oneof![2 => mnk(), 2 => connect(), 1 => bricks()]
}

/// Boards that exist in both layouts.
fn in_both_layouts() -> impl Strategy<Value = GameSpec> {
    all_games().prop_filter("fits in 64 bits", |&spec| boards(spec).len() == 2)
}

/// The line length and whether the exact rule holds; for games of lines.
fn line_rule(spec: GameSpec) -> (usize, bool) {
    match spec {
        GameSpec::Mnk { k, exact, .. } => (usize::from(k), exact),
        GameSpec::Connect { x, .. } => (usize::from(x), false),
        GameSpec::Bricks { .. } => panic!("bricks has no lines"),
    }
}

fn random_move<G: Game>(game: &G, dice: &mut Dice) -> Option<Move> {
    let moves = legal_moves(game);
    (!moves.is_empty()).then(|| moves[dice.roll(moves.len())])
}

/// The moves that led to a position.
fn record<G: Game>(game: &G) -> Vec<Move> {
    (0..game.ply()).map(|n| game.played(n).expect("played")).collect()
}

/// The symmetries of the board.
fn symmetries<G: Game>(game: &G) -> Vec<Symmetry> {
    let set = game.symmetries();
    (0..8).filter(|bits| set >> bits & 1 == 1).map(Symmetry::new).collect()
}

/// The cells that each move covers, by the rules alone.
fn covered(spec: GameSpec, moves: &[Move]) -> Vec<Vec<usize>> {
    let (cols, cells) = (spec.cols(), spec.cells());
    let mut heights = vec![0; cols];
    moves
        .iter()
        .map(|mv| match (spec, mv.index()) {
            (GameSpec::Mnk { .. }, cell) => vec![cell],
            (GameSpec::Connect { .. }, col) => {
                heights[col] += 1;
                vec![(heights[col] - 1) * cols + col]
            }
            (GameSpec::Bricks { .. }, index) if index < cells => vec![index, index + 1],
            (GameSpec::Bricks { .. }, index) => vec![index - cells, index - cells + cols],
        })
        .collect()
}

/// The stones of a position, cell by cell.
fn grid_of<G: Game>(game: &G) -> Grid {
    let spec = game.spec();
    let mut grid = Grid::new(spec.rows(), spec.cols());
    for (ply, cells) in covered(spec, &record(game)).into_iter().enumerate() {
        for cell in cells {
            grid.put(cell / spec.cols(), cell % spec.cols(), Side::at_ply(ply));
        }
    }
    grid
}

/// Whether a stone of `side` on the cell makes a line.
fn would_win(grid: &Grid, spec: GameSpec, cell: usize, side: Side) -> bool {
    let (k, exact) = line_rule(spec);
    let mut grid = grid.clone();
    grid.put(cell / spec.cols(), cell % spec.cols(), side);
    grid.has_line(side, k, exact)
}

/// Whether this move wins at once.
fn wins_now<G: Game>(game: &mut G, mv: Move) -> bool {
    let side = game.side_to_move();
    game.make(mv);
    let wins = game.outcome() == Some(Outcome::Win(side));
    game.unmake();
    wins
}

/// Whether the opponent can win at once after this move.
fn allows_a_win<G: Game>(game: &mut G, mv: Move) -> bool {
    game.make(mv);
    let allows = game.outcome().is_none()
        && legal_moves(game).into_iter().any(|reply| wins_now(game, reply));
    game.unmake();
    allows
}

proptest! {
    #![proptest_config(cases(900))]

    #[test]
    fn taking_moves_back_restores_the_position_bit_for_bit(
        spec in all_games(),
        seed in any::<u64>(),
    ) {
        for mut game in boards(spec) {
            let mut dice = Dice::new(seed);
            let mut trail = vec![game.clone()];
            for _ in 0..2 * spec.cells() {
                let Some(mv) = random_move(&game, &mut dice) else { break };
                game.make(mv);
                let mut back = game.clone();
                back.unmake();
                prop_assert!(Some(&back) == trail.last(), "ply {}", game.ply());
                back.make(mv);
                prop_assert!(back == game, "ply {}", game.ply());
                trail.push(game.clone());
                if dice.roll(5) == 0 {
                    for _ in 0..dice.roll(game.ply()) {
                        game.unmake();
                        trail.pop();
                        prop_assert!(Some(&game) == trail.last(), "ply {}", game.ply());
                    }
                }
            }
            while trail.pop().is_some_and(|_| !trail.is_empty()) {
                game.unmake();
                prop_assert!(Some(&game) == trail.last(), "ply {}", game.ply());
            }
        }
    }

    #[test]
    fn the_order_of_moves_does_not_matter(spec in all_games(), seed in any::<u64>()) {
        for empty in boards(spec) {
            let mut dice = Dice::new(seed);
            let mut game = empty.clone();
            while let Some(mv) = random_move(&game, &mut dice) {
                game.make(mv);
                if dice.roll(4) > 0 && game.outcome().is_none() {
                    continue;
                }
                let Some(other) = rebuilt(&game, &empty, &mut dice) else { continue };
                prop_assert_eq!(other.key(), game.key());
                prop_assert_eq!(other.evaluate(), game.evaluate());
                prop_assert_eq!(other.outcome(), game.outcome());
                prop_assert_eq!(other.final_score(), game.final_score());
                prop_assert_eq!(other.plies_left(), game.plies_left());
                prop_assert_eq!(legal_moves(&other), legal_moves(&game));
                for symmetry in symmetries(&game) {
                    prop_assert_eq!(other.key_under(symmetry), game.key_under(symmetry));
                }
                if game.outcome().is_none() {
                    for effort in [Effort::Cheap, Effort::Thorough] {
                        let bounds = |game: &Board| game.bounds(-INFINITE, INFINITE, effort);
                        prop_assert_eq!(bounds(&other), bounds(&game));
                    }
                    // Beyond, the list is cut, and equals are taken in the order of play.
                    if spec.cells() <= FULL_WIDTH_CELLS {
                        let sorted = |game: &Board| {
                            let mut moves = generated(game);
                            moves.sort_unstable();
                            moves
                        };
                        prop_assert_eq!(sorted(&other), sorted(&game));
                    }
                }
            }
        }
    }
}

/// The same stones played in another order, each side its own, the last move last. `None` if the
/// attempts end in a dead end: nothing of this colour can be played next, or the game is over.
fn rebuilt(game: &Board, empty: &Board, dice: &mut Dice) -> Option<Board> {
    (0..8).find_map(|_| {
        let moves = record(game);
        let (&last, before) = moves.split_last()?;
        // Stones of one column keep their order; all others lie side by side.
        let falls = matches!(game.spec(), GameSpec::Connect { .. });
        let mut waiting: Vec<(Side, Move)> =
            before.iter().enumerate().map(|(ply, &mv)| (Side::at_ply(ply), mv)).collect();
        let mut other = empty.clone();
        while !waiting.is_empty() {
            let ready: Vec<usize> = (0..waiting.len())
                .filter(|&n| waiting[n].0 == other.side_to_move())
                .filter(|&n| !falls || waiting[..n].iter().all(|(_, mv)| *mv != waiting[n].1))
                .collect();
            let pick = *ready.get(dice.roll(ready.len()))?;
            other.try_play(waiting.remove(pick).1).ok()?;
        }
        other.try_play(last).ok()?;
        Some(other)
    })
}

/// Fills every cell that is not below one that completes a line, but for those that do so at once, and asks who
/// is to move then. `completing` are both sides' cells.
fn slow_zugzwang(game: &impl Game, completing: &[HashSet<usize>; 2]) -> Option<(Side, usize)> {
    let (cells, cols) = (game.spec().cells(), game.spec().cols());
    let mut is_filled: Vec<bool> = (0..cells).map(|cell| game.stone(cell).is_some()).collect();
    let is_playable = |is_filled: &[bool], cell: usize| {
        !is_filled[cell] && (cell < cols || is_filled[cell - cols])
    };
    let at_once: HashSet<usize> =
        (0..cells).filter(|&cell| is_playable(&is_filled, cell)).collect();
    let blocks = |cell: usize| {
        !at_once.contains(&cell) && completing.iter().any(|completing| completing.contains(&cell))
    };
    let mut plies = 0;
    while let Some(next) =
        (0..cells).find(|&cell| is_playable(&is_filled, cell) && !blocks(cell + cols))
    {
        is_filled[next] = true;
        plies += 1;
    }
    let winner = Side::at_ply(game.ply() + plies).other();
    let waits = |cell: usize| cell >= cols && is_playable(&is_filled, cell - cols);
    completing[winner.index()]
        .iter()
        .any(|&cell| waits(cell) && blocks(cell))
        .then_some((winner, plies))
}

proptest! {
    #![proptest_config(cases(600))]

    #[test]
    fn lines_and_their_values_equal_a_slow_recomputation(
        spec in line_games(),
        seed in any::<u64>(),
    ) {
        let (k, exact) = line_rule(spec);
        let weights = Weights::new(k);
        let mut games = boards(spec);
        let mut lines =
            LineBoard::<MNK>::new(spec.rows() as u8, spec.cols() as u8, k as u16, exact).unwrap();
        let mut dice = Dice::new(seed);
        loop {
            let grid = grid_of(&games[0]);
            let us = games[0].side_to_move();
            let winner = Side::BOTH.into_iter().find(|&side| grid.has_line(side, k, exact));
            let mut totals = [0; 2];
            let mut live = [0; 2];
            let mut almost = [0; 2];
            let mut completing = [HashSet::new(), HashSet::new()];
            let mut points = vec![[0; 2]; spec.cells()];
            for side in Side::BOTH {
                grid.live_windows(side, k, |cells, stones| {
                    let weight = weights.of(stones);
                    totals[side.index()] += i64::from(weight);
                    live[side.index()] += 1;
                    almost[side.index()] += u32::from(stones + 1 == k);
                    if stones + 1 == k {
                        let empty = |&&cell: &&usize| games[0].stone(cell).is_none();
                        completing[side.index()].extend(cells.iter().find(empty));
                    }
                    for &cell in cells {
                        points[cell][side.index()] += weight as u32;
                    }
                });
                prop_assert_eq!(lines.total(side), totals[side.index()]);
                prop_assert_eq!(lines.live_windows(side), live[side.index()]);
                prop_assert_eq!(lines.almost_complete(side), almost[side.index()]);
                for (cell, points) in points.iter().enumerate() {
                    prop_assert_eq!(lines.points(cell, side), points[side.index()]);
                }
            }
            prop_assert_eq!(lines.winner(), winner);
            let value = evaluate(totals[us.index()], totals[us.other().index()]);
            for game in &games {
                let expected = match winner {
                    Some(side) => Some(Outcome::Win(side)),
                    None if grid.is_full() => Some(Outcome::Draw),
                    None => None,
                };
                prop_assert_eq!(game.outcome(), expected);
                let score = match expected {
                    Some(Outcome::Win(_)) => Some(loss_at(game.ply())),
                    Some(Outcome::Draw) => Some(0),
                    None => None,
                };
                prop_assert_eq!(game.final_score(), score);
                match game {
                    // Large mnk boards are valued by the classes of cells; see patterns.rs.
                    Board::Mnk(_) => {}
                    Board::Connect(game) => {
                        let mut plain = game.clone();
                        plain.ignore_zugzwang();
                        prop_assert_eq!(plain.evaluate(), value);
                        if expected.is_none() && k > 1 {
                            prop_assert_eq!(game.zugzwang(), slow_zugzwang(game, &completing));
                        }
                    }
                    _ => prop_assert_eq!(game.evaluate(), value),
                }
                prop_assert_eq!(game.plies_left(), spec.cells() - game.ply());
                // Dead lines show in the bounds.
                if expected.is_none() && matches!(game.tactics(), Tactics::Quiet) {
                    let (low, high) = game.bounds(-INFINITE, INFINITE, Effort::Cheap);
                    prop_assert!(high <= 0 || live[us.index()] > 0);
                    prop_assert!(low >= 0 || live[us.other().index()] > 0);
                }
            }
            let Some(mv) = random_move(&games[0], &mut dice) else { break };
            for _ in 0..4 {
                let cell = dice.roll(spec.cells());
                if lines.is_empty(cell) {
                    for side in Side::BOTH {
                        let expected = would_win(&grid, spec, cell, side);
                        prop_assert_eq!(lines.completes(cell, side), expected);
                    }
                }
            }
            for game in &mut games {
                game.make(mv);
            }
            lines.place(covered(spec, &record(&games[0])).pop().unwrap()[0], us);
        }
    }

    #[test]
    fn points_of_bricks_equal_a_slow_recomputation(spec in bricks(), seed in any::<u64>()) {
        for mut game in boards(spec) {
            let mut dice = Dice::new(seed);
            while let Some(mv) = random_move(&game, &mut dice) {
                prop_assert_eq!(game.outcome(), None);
                prop_assert_eq!(game.final_score(), None);
                game.make(mv);
            }
            let points = island_points(&game);
            let us = game.side_to_move();
            let margin = points[us.index()] - points[us.other().index()];
            prop_assert_eq!(game.final_score(), Some(margin));
            let outcome = match points[0] - points[1] {
                0 => Outcome::Draw,
                1.. => Outcome::Win(Side::First),
                _ => Outcome::Win(Side::Second),
            };
            prop_assert_eq!(game.outcome(), Some(outcome));
            prop_assert_eq!(game.plies_left(), 0);
        }
    }
}

/// Both players' sums of squared islands.
fn island_points(game: &Board) -> [Score; 2] {
    let size = game.spec().cols();
    let mut stones = vec![None; size * size];
    for (ply, cells) in covered(game.spec(), &record(game)).into_iter().enumerate() {
        for cell in cells {
            stones[cell] = Some(Side::at_ply(ply));
        }
    }
    let mut points = [0; 2];
    for start in 0..stones.len() {
        let Some(side) = stones[start] else { continue };
        let mut cells = 0;
        let mut waiting = vec![start];
        while let Some(cell) = waiting.pop() {
            if stones[cell] != Some(side) {
                continue;
            }
            stones[cell] = None;
            cells += 1;
            let (row, col) = (cell / size, cell % size);
            waiting.extend((row > 0).then(|| cell - size));
            waiting.extend((col > 0).then(|| cell - 1));
            waiting.extend((row + 1 < size).then_some(cell + size));
            waiting.extend((col + 1 < size).then_some(cell + 1));
        }
        points[side.index()] += cells * cells;
    }
    points
}

proptest! {
    #![proptest_config(cases(1_200))]

    #[test]
    fn both_layouts_say_the_same_at_every_ply(spec in in_both_layouts(), seed in any::<u64>()) {
        let [mut large, mut small]: [Board; 2] = boards(spec).try_into().unwrap();
        let mut dice = Dice::new(seed);
        loop {
            prop_assert_eq!(large.spec(), small.spec());
            prop_assert_eq!(large.ply(), small.ply());
            prop_assert_eq!(record(&large), record(&small));
            prop_assert_eq!(legal_moves(&large), legal_moves(&small));
            prop_assert_eq!(large.outcome(), small.outcome());
            prop_assert_eq!(large.final_score(), small.final_score());
            if !matches!(spec, GameSpec::Mnk { .. }) {
                prop_assert_eq!(large.evaluate(), small.evaluate());
            }
            prop_assert_eq!(large.plies_left(), small.plies_left());
            prop_assert_eq!(large.symmetries(), small.symmetries());
            let hashed = small.key_bits() == 64 && !matches!(spec, GameSpec::Connect { .. });
            for symmetry in symmetries(&large) {
                let keys = [&large, &small].map(|game| game.key_under(symmetry));
                // Keys are made alike, or else agree on what looks the same from another side.
                if hashed && spec.cells() > 40 {
                    prop_assert_eq!(keys[0], keys[1]);
                }
                prop_assert_eq!(keys[0] == large.key(), keys[1] == small.key());
            }
            if small.outcome().is_none() {
                layouts_agree_on_tactics_and_bounds(&mut large, &mut small);
            }
            let Some(mv) = random_move(&large, &mut dice) else { break };
            large.make(mv);
            small.make(mv);
        }
    }
}

fn layouts_agree_on_tactics_and_bounds(large: &mut Board, small: &mut Board) {
    let tactics = (large.tactics(), small.tactics());
    match tactics {
        (Tactics::Win(one), Tactics::Win(other)) => {
            assert!(wins_now(large, one) && wins_now(small, other), "{tactics:?}");
            return;
        }
        (Tactics::Lost(_), Tactics::Lost(_)) => return,
        (Tactics::Forced(one), Tactics::Forced(other)) => assert_eq!(one, other),
        (Tactics::Quiet, Tactics::Quiet) => {}
        _ => panic!("{tactics:?}"),
    }
    for (alpha, beta) in [(0, 1), (-1, 0), (-INFINITE, INFINITE)] {
        let of_large = large.bounds(alpha, beta, Effort::Cheap);
        let of_small = small.bounds(alpha, beta, Effort::Cheap);
        assert!(of_small.0 >= of_large.0 && of_small.1 <= of_large.1, "{of_small:?} {of_large:?}");
        // Small boards of lines see threats besides.
        if small.spec().has_margins() {
            assert_eq!(of_small, of_large);
        }
        if small.spec().has_margins() {
            let thorough = |game: &Board| game.bounds(alpha, beta, Effort::Thorough);
            assert_eq!(thorough(small), thorough(large));
        }
    }
}

proptest! {
    #![proptest_config(cases(900))]

    #[test]
    fn tactics_are_right_one_and_two_plies_ahead(spec in line_games(), seed in any::<u64>()) {
        for mut game in boards(spec) {
            let mut dice = Dice::new(seed);
            while let Some(mv) = random_move(&game, &mut dice) {
                // Two plies ahead take long on large boards.
                if dice.roll(spec.cells().max(16)) < 16 {
                    check_tactics(&mut game);
                }
                game.make(mv);
            }
        }
    }

    #[test]
    fn generated_moves_are_legal_and_hold_all_that_win_or_block(
        spec in all_games(),
        seed in any::<u64>(),
    ) {
        for mut game in boards(spec) {
            let mut dice = Dice::new(seed);
            while let Some(mv) = random_move(&game, &mut dice) {
                let moves: Vec<Move> = generated(&game).into_iter().map(|(mv, _)| mv).collect();
                prop_assert!(!moves.is_empty());
                prop_assert_eq!(moves.iter().collect::<HashSet<_>>().len(), moves.len());
                prop_assert!(moves.iter().all(|&mv| game.check(mv).is_ok()));
                prop_assert_eq!(all_wanted(&game), legal_moves(&game));
                match spec {
                    GameSpec::Mnk { .. } => {
                        let large = spec.cells() > FULL_WIDTH_CELLS;
                        prop_assert!(!large || moves.len() <= MAX_WIDTH);
                        let grid = grid_of(&game);
                        let urgent: Vec<Move> = legal_moves(&game)
                            .into_iter()
                            .filter(|mv| {
                                let wins = |side| would_win(&grid, spec, mv.index(), side);
                                wins(Side::First) || wins(Side::Second)
                            })
                            .collect();
                        // Short lines have so many of them, and so many good cells beside, that a
                        // list of the best can be full before all are in.
                        let crowded = large && line_rule(spec).0 < 4 && game.ply() > 0;
                        let all_in = urgent.iter().all(|mv| moves.contains(mv));
                        let full = crowded && moves.len() == MAX_WIDTH;
                        let any_first_stone_wins = line_rule(spec).0 == 1;
                        prop_assert!(
                            all_in || full || any_first_stone_wins,
                            "{:?} of {:?}",
                            urgent,
                            record(&game)
                        );
                    }
                    GameSpec::Connect { .. } => {
                        // A win at hand is for the tactics to see, not for this list.
                        if let Tactics::Forced(mv) = game.tactics() {
                            prop_assert!(moves.contains(&mv), "{:?} of {:?}", mv, record(&game));
                        }
                    }
                    GameSpec::Bricks { .. } => {
                        // A search may be content with the best, a proof may not.
                        let mut storage = [Candidate::NONE; MNK];
                        let mut sink = MoveSink::new(&mut storage).for_proof(true);
                        game.generate(&mut sink);
                        prop_assert!(!sink.is_selective());
                        let mut sorted: Vec<Move> =
                            sink.candidates().iter().map(|candidate| candidate.mv()).collect();
                        sorted.sort_unstable();
                        prop_assert_eq!(sorted, legal_moves(&game));
                    }
                }
                game.make(mv);
            }
        }
    }
}

/// The moves that a game hands over when it is asked for all, by number.
fn all_wanted(game: &Board) -> Vec<Move> {
    let mut storage = [Candidate::NONE; MNK];
    let mut sink = MoveSink::wanting(Wanted::All, &mut storage);
    game.generate(&mut sink);
    let mut moves: Vec<Move> = sink.candidates().iter().map(|candidate| candidate.mv()).collect();
    moves.sort_unstable();
    moves
}

/// Tactics against every move and every reply.
fn check_tactics(game: &mut Board) {
    let tactics = game.tactics();
    let moves = legal_moves(game);
    let wins: Vec<Move> = moves.iter().copied().filter(|&mv| wins_now(game, mv)).collect();
    if let Tactics::Win(mv) = tactics {
        assert!(wins.contains(&mv), "{tactics:?}");
        return;
    }
    assert!(wins.is_empty(), "{tactics:?} where {wins:?} win");
    let safe: Vec<Move> = moves.iter().copied().filter(|&mv| !allows_a_win(game, mv)).collect();
    match tactics {
        Tactics::Lost(mv) => assert!(safe.is_empty() && moves.contains(&mv), "{tactics:?}"),
        Tactics::Forced(mv) => assert_eq!(safe, [mv], "{tactics:?}"),
        // The bounds rely on a move that does not lose at once.
        _ => assert!(!safe.is_empty(), "{tactics:?}"),
    }
}

proptest! {
    #![proptest_config(cases(900))]

    #[test]
    fn keys_under_symmetries_are_those_of_the_mapped_games(
        spec in all_games(),
        seed in any::<u64>(),
    ) {
        for empty in boards(spec) {
            let symmetries = symmetries(&empty);
            prop_assert!(symmetries.contains(&Symmetry::IDENTITY));
            let mut dice = Dice::new(seed);
            let mut game = empty.clone();
            let mut mapped = vec![empty; symmetries.len()];
            while let Some(mv) = random_move(&game, &mut dice) {
                for &symmetry in &symmetries {
                    for mv in legal_moves(&game) {
                        let there = game.map_move(mv, symmetry);
                        prop_assert_eq!(game.map_move(there, symmetry.inverse()), mv);
                    }
                }
                for (other, &symmetry) in mapped.iter_mut().zip(&symmetries) {
                    let mv = game.map_move(mv, symmetry);
                    prop_assert_eq!(other.check(mv), Ok(()));
                    other.make(mv);
                }
                game.make(mv);
                prop_assert_eq!(game.key_under(Symmetry::IDENTITY), game.key());
                for (other, &symmetry) in mapped.iter().zip(&symmetries) {
                    prop_assert_eq!(game.key_under(symmetry), other.key());
                    prop_assert_eq!(game.evaluate(), other.evaluate());
                    prop_assert_eq!(game.outcome(), other.outcome());
                }
            }
        }
    }
}

/// Boards small enough for plain minimax over their last cells.
const TO_BE_SOLVED: [&str; 16] = [
    "mnk:3x3x3",
    "mnk:4x3x3",
    "mnk:4x4x3",
    "mnk:4x4x4",
    "mnk:3x5x4",
    "mnk:3x3x3:exact",
    "mnk:4x4x3:exact",
    "mnk:3x5x4:exact",
    "mnk:2x8x3:exact",
    "mnk:4x4x2:exact",
    "connect:4x4x4",
    "connect:4x4x3",
    "connect:3x5x3",
    "connect:5x3x3",
    "bricks:3",
    "bricks:4",
];
/// Free cells that plain minimax can fill in all orders.
const FREE_CELLS: usize = 7;

proptest! {
    #![proptest_config(cases(3_600))]

    #[test]
    fn bounds_without_search_hold_against_plain_minimax(
        board in prop::sample::select(&TO_BE_SOLVED[..]),
        free in 1..=FREE_CELLS,
        seed in any::<u64>(),
    ) {
        let spec: GameSpec = board.parse().unwrap();
        let mut dice = Dice::new(seed);
        let stones = if spec.has_margins() { 2 } else { 1 };
        let plies = spec.cells().saturating_sub(free) / stones;
        let [mut large, mut small]: [Board; 2] = boards(spec).try_into().unwrap();
        for _ in 0..plies {
            let Some(mv) = random_move(&small, &mut dice) else { break };
            // A stone that ends the game is put elsewhere, once, for longer games.
            small.make(mv);
            if small.outcome().is_some() {
                small.unmake();
                let Some(mv) = random_move(&small, &mut dice) else { break };
                small.make(mv);
            }
        }
        for mv in record(&small) {
            large.make(mv);
        }
        if small.outcome().is_none() {
            let score = minimax(&mut small);
            for game in [&large, &small] {
                check_bounds(game, score);
            }
        }
    }
}

/// Bounds of a position with this score, asked with many windows. A bound may answer the question
/// only (`high = alpha`: the score is at most alpha), which is a bound all the same.
fn check_bounds(game: &Board, score: Score) {
    if !matches!(game.tactics(), Tactics::Quiet | Tactics::Forced(_)) {
        assert!(is_win(score) || is_loss(score));
        return;
    }
    let mut windows = vec![(0, 1), (-1, 0), (-INFINITE, INFINITE)];
    windows.extend([(score - 1, score), (score, score + 1), (score - 1, score + 1)]);
    for ply in game.ply() + 1..=game.ply() + game.plies_left() + 1 {
        windows.push((win_at(ply) - 1, win_at(ply)));
        windows.push((loss_at(ply), loss_at(ply) + 1));
    }
    for (alpha, beta) in windows {
        for effort in [Effort::Cheap, Effort::Thorough] {
            let (low, high) = game.bounds(alpha, beta, effort);
            assert!(
                (low..=high).contains(&score),
                "{low}..={high} for {score}, asked ({alpha}, {beta}) {effort:?}, {:?}",
                record(game)
            );
        }
    }
}

/// A text with its numbers written the shortest way and its letters small.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    let mut digits = String::new();
    for letter in text.to_ascii_lowercase().chars().chain(['\n']) {
        if letter.is_ascii_digit() {
            digits.push(letter);
            continue;
        }
        if !digits.is_empty() {
            let significant = digits.trim_start_matches('0');
            plain.push_str(if significant.is_empty() { "0" } else { significant });
            digits.clear();
        }
        plain.push(letter);
    }
    plain.pop();
    plain
}

fn spec_reads_as_it_prints(text: &str) -> Result<(), TestCaseError> {
    if let Ok(spec) = text.parse::<GameSpec>() {
        let printed = spec.to_string();
        prop_assert_eq!(printed.parse(), Ok(spec));
        prop_assert_eq!(printed, plain(text));
    }
    Ok(())
}

fn move_reads_as_it_prints(spec: GameSpec, text: &str) -> Result<(), TestCaseError> {
    if let Ok(mv) = spec.parse_move(text) {
        let printed = spec.show_move(mv).to_string();
        prop_assert_eq!(spec.parse_move(&printed), Ok(mv));
        let parts: Vec<&str> = text.split(',').map(str::trim).collect();
        prop_assert_eq!(printed, plain(&parts.join(",")));
        for game in boards(spec).iter().filter(|game| game.outcome().is_none()) {
            prop_assert_eq!(game.check(mv), Ok(()));
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(4_000))]

    #[test]
    fn bytes_read_as_a_game_print_back_as_the_same_text(
        bytes in prop::collection::vec(any::<u8>(), 0..40),
        near_miss in "(mnk|MNK|connect|bricks|Bricks)[:;]?[0-9]{0,3}[xX]?[0-9]{0,3}[xX,]?[0-9]{0,5}(:exact|:EXACT|:|x)?",
    ) {
        spec_reads_as_it_prints(&String::from_utf8_lossy(&bytes))?;
        spec_reads_as_it_prints(&near_miss)?;
    }

    #[test]
    fn bytes_read_as_a_move_print_back_as_the_same_text(
        spec in all_games(),
        bytes in prop::collection::vec(any::<u8>(), 0..20),
        near_miss in "[ +-]?[0-9]{0,3}[ ]?,?[ ]?[0-9]{0,2}(,[ ]?[hvHVx]?)?[ ]?",
        huge in "[0-9]{1,30},[0-9]{1,30}(,h|,v)?",
    ) {
        move_reads_as_it_prints(spec, &String::from_utf8_lossy(&bytes))?;
        move_reads_as_it_prints(spec, &near_miss)?;
        move_reads_as_it_prints(spec, &huge)?;
    }

    #[test]
    fn any_move_number_is_played_or_refused_without_a_trace(
        spec in all_games(),
        numbers in prop::collection::vec(0..Move::LIMIT, 1..20),
        spread in 1..300usize,
    ) {
        for mut game in boards(spec) {
            // Near the board and far outside.
            for number in numbers.iter().flat_map(|&number| [number % spread, number]) {
                let mv = Move::new(number);
                prop_assert!(!spec.show_move(mv).to_string().is_empty());
                let before = game.clone();
                match game.try_play(mv) {
                    Ok(()) => {
                        let text = spec.show_move(mv).to_string();
                        prop_assert_eq!(spec.parse_move(&text), Ok(mv));
                        prop_assert_eq!(game.played(before.ply()), Some(mv));
                    }
                    Err(_) => prop_assert!(game == before),
                }
            }
        }
    }
}
