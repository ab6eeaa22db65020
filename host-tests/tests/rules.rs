//! The rules of the three games: known counts, and wins, draws and refusals written out by hand.
//!
//! Every case runs in both layouts of a board where both exist.

use std::collections::HashSet;

use engine::game::any::{AnyGame, Position};
use engine::game::connect::board::Connect;
use engine::game::connect::small::ConnectSmall;
use engine::game::mnk::board::Mnk;
use engine::game::mnk::small::MnkSmall;
use engine::game::{Game, IllegalMove, Move, Outcome, Side, Symmetry};
use engine::spec::{GameSpec, SpecError};
use host_tests::{Dice, layouts, legal_moves, play_at_random};

/// Room for every board of this file but the largest.
type Board = AnyGame<100, 100, 100>;

fn spec(text: &str) -> GameSpec {
    text.parse().expect(text)
}

fn boards(text: &str) -> Vec<Board> {
    layouts(spec(text))
}

/// Plays moves given as text; each must be allowed.
fn play<G: Game>(game: &mut G, moves: &str) {
    for text in moves.split_whitespace() {
        let mv = game.spec().parse_move(text).expect(text);
        assert_eq!(game.try_play(mv), Ok(()), "{text} on {}", game.spec());
    }
}

/// The outcome after these moves, the same in every layout.
fn outcome_of(board: &str, moves: &str) -> Option<Outcome> {
    let mut outcomes = boards(board).into_iter().map(|mut game| {
        play(&mut game, moves);
        game.outcome()
    });
    let first = outcomes.next().expect("a layout");
    assert!(outcomes.all(|other| other == first), "layouts differ: {board} {moves}");
    first
}

const FIRST_WINS: Option<Outcome> = Some(Outcome::Win(Side::First));
const SECOND_WINS: Option<Outcome> = Some(Outcome::Win(Side::Second));
const DRAW: Option<Outcome> = Some(Outcome::Draw);

/// Finished games below a position: won by the first player, by the second, drawn.
fn finished_games<G: Game>(game: &mut G) -> [usize; 3] {
    match game.outcome() {
        Some(Outcome::Win(Side::First)) => return [1, 0, 0],
        Some(Outcome::Win(Side::Second)) => return [0, 1, 0],
        Some(Outcome::Draw) => return [0, 0, 1],
        None => {}
    }
    let mut sum = [0; 3];
    for mv in legal_moves(game) {
        game.make(mv);
        let below = finished_games(game);
        game.unmake();
        sum = [0, 1, 2].map(|n| sum[n] + below[n]);
    }
    sum
}

/// Positions below this one, one per order of moves.
fn tree_nodes<G: Game>(game: &mut G) -> usize {
    let mut nodes = 0;
    for mv in legal_moves(game) {
        game.make(mv);
        nodes += 1 + tree_nodes(game);
        game.unmake();
    }
    nodes
}

/// Different positions by ply, from 0 to `last`, told apart by their keys.
fn positions_by_ply<G: Game + Clone>(game: &G, last: usize) -> Vec<usize> {
    let mut counts = vec![1];
    let mut frontier = vec![game.clone()];
    for ply in 1..=last {
        let mut keys = HashSet::new();
        let mut next = Vec::new();
        for mut position in frontier {
            for mv in legal_moves(&position) {
                position.make(mv);
                if keys.insert(position.key()) && ply < last {
                    next.push(position.clone());
                }
                position.unmake();
            }
        }
        counts.push(keys.len());
        frontier = next;
    }
    counts
}

#[test]
fn tic_tac_toe_has_255_168_games() {
    let games = [131_184, 77_904, 46_080];
    assert_eq!(games.iter().sum::<usize>(), 255_168);
    assert_eq!(finished_games(&mut MnkSmall::new(3, 3, 3, false).expect("fits")), games);
    assert_eq!(finished_games(&mut Mnk::<9>::new(3, 3, 3, false).expect("fits")), games);
}

#[test]
fn connect_four_has_the_known_numbers_of_positions() {
    let known = [1, 7, 49, 238, 1_120, 4_263, 16_422, 54_859, 184_275];
    let small = ConnectSmall::new(6, 7, 4).expect("fits");
    assert_eq!(positions_by_ply(&small, 8), known);
    let any_size = Connect::<42>::new(6, 7, 4).expect("fits");
    assert_eq!(positions_by_ply(&any_size, 6), known[..7]);
}

#[test]
fn bricks_trees_have_the_known_sizes() {
    assert_eq!(tree_nodes(&mut Position::new(spec("bricks:2")).expect("fits")), 8);
    assert_eq!(tree_nodes(&mut Position::new(spec("bricks:3")).expect("fits")), 868);
}

/// Every line of `k` cells on a board, in all four directions.
fn lines(rows: usize, cols: usize, k: usize) -> Vec<Vec<usize>> {
    let mut lines = Vec::new();
    for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
        for cell in 0..rows * cols {
            let line: Option<Vec<usize>> = (0..k as isize)
                .map(|n| {
                    let row = (cell / cols).checked_add_signed(n * down)?;
                    let col = (cell % cols).checked_add_signed(n * right)?;
                    (row < rows && col < cols).then_some(row * cols + col)
                })
                .collect();
            lines.extend(line);
        }
    }
    lines
}

/// Cells for the other side that are not on the line, no three of them side by side.
fn harmless_cells(line: &[usize], rows: usize, cols: usize) -> Vec<usize> {
    let scattered = |cell: &usize| (cell % cols + 2 * (cell / cols)).is_multiple_of(5);
    (0..rows * cols).filter(scattered).filter(|cell| !line.contains(cell)).collect()
}

#[test]
fn mnk_is_won_by_each_line_of_the_board_and_by_either_side() {
    for text in ["mnk:5x6x3", "mnk:6x5x4", "mnk:7x9x4", "mnk:8x8x4", "mnk:9x9x4", "mnk:10x7x4"] {
        let spec = spec(text);
        let (rows, cols) = (spec.rows(), spec.cols());
        let GameSpec::Mnk { k, .. } = spec else { panic!("{text} is mnk") };
        let empty = boards(text);
        for line in lines(rows, cols, usize::from(k)) {
            let others = harmless_cells(&line, rows, cols);
            for winner in Side::BOTH {
                for last in [0, line.len() / 2, line.len() - 1] {
                    let mut order = line.clone();
                    let end = order.remove(last);
                    order.push(end);
                    for mut game in empty.iter().cloned() {
                        let mut others = others.iter();
                        for &cell in &order {
                            if winner == Side::Second {
                                game.make(Move::new(*others.next().expect("a cell")));
                            }
                            assert_eq!(game.outcome(), None, "{text} {line:?}");
                            game.make(Move::new(cell));
                            if winner == Side::First && game.outcome().is_none() {
                                game.make(Move::new(*others.next().expect("a cell")));
                            }
                        }
                        assert_eq!(game.outcome(), Some(Outcome::Win(winner)), "{text} {line:?}");
                        assert_eq!(game.ply(), 2 * line.len() - usize::from(winner == Side::First));
                    }
                }
            }
        }
    }
}

#[test]
fn connect_is_won_in_all_directions_and_at_all_corners() {
    for (moves, winner) in [
        // Bottom row: left corner, right corner, filled from the middle.
        ("0 0 1 1 2 2 3", FIRST_WINS),
        ("6 6 5 5 4 4 3", FIRST_WINS),
        ("0 0 3 3 1 1 2", FIRST_WINS),
        ("6 0 6 1 5 2 5 3", SECOND_WINS),
        // Columns: left and right, from the bottom and up to the top.
        ("0 1 0 1 0 1 0", FIRST_WINS),
        ("6 5 6 5 6 5 6", FIRST_WINS),
        ("0 6 0 0 1 0 1 0 2 0", SECOND_WINS),
        ("6 0 6 6 5 6 5 6 4 6", SECOND_WINS),
        // Rising to the right from the left corner, to the left from the right corner.
        ("0 1 1 2 2 3 2 3 3 6 3", FIRST_WINS),
        ("6 5 5 4 4 3 4 3 3 0 3", FIRST_WINS),
        // Three in a row and a gap are no line.
        ("0 0 1 1 2 2 4", None),
    ] {
        assert_eq!(outcome_of("connect:6x7x4", moves), winner, "{moves}");
    }
}

#[test]
fn connect_is_won_by_each_line_that_a_random_game_completes() {
    // Random games see every direction and corner; the lines are looked up in a list.
    for text in ["connect:4x5x3", "connect:5x4x4", "connect:6x7x4"] {
        let spec = spec(text);
        let GameSpec::Connect { x, .. } = spec else { panic!("{text} is connect") };
        let all = lines(spec.rows(), spec.cols(), usize::from(x));
        let mut completed = HashSet::new();
        for seed in 0..5_000 {
            let mut dice = Dice::new(seed);
            let mut games = boards(text);
            let mut stones = vec![None; spec.cells()];
            while games[0].outcome().is_none() {
                let side = games[0].side_to_move();
                let moves = legal_moves(&games[0]);
                let mut mv = moves[dice.roll(moves.len())];
                // Wins are mostly passed over, so that games grow tall.
                for _ in 0..4 {
                    games[0].make(mv);
                    let wins = games[0].outcome().is_some();
                    games[0].unmake();
                    if wins {
                        mv = moves[dice.roll(moves.len())];
                    }
                }
                let column = (0..spec.rows()).map(|row| row * spec.cols() + mv.index());
                let cell = column.into_iter().find(|&cell| stones[cell].is_none()).expect("free");
                stones[cell] = Some(side);
                let full = |line: &&Vec<usize>| line.iter().all(|&c| stones[c] == Some(side));
                completed.extend(all.iter().filter(full).cloned());
                let won = all.iter().any(|line| full(&line));
                let expected = if won {
                    Some(Outcome::Win(side))
                } else if stones.iter().all(Option::is_some) {
                    DRAW
                } else {
                    None
                };
                for game in &mut games {
                    game.make(mv);
                    assert_eq!(game.outcome(), expected, "{text}, seed {seed}");
                }
            }
        }
        assert_eq!(completed.len(), all.len(), "{text}");
    }
}

#[test]
fn an_overline_wins_unless_the_rule_is_exact() {
    // First fills 0-1 and 3-4 of the top row, then the gap: five in a row where four win.
    let moves = "0,0 0,2 1,0 2,2 3,0 4,2 4,0 6,2 2,0";
    for board in ["mnk:7x7x4", "mnk:9x9x4"] {
        assert_eq!(outcome_of(board, moves), FIRST_WINS);
        let exact = format!("{board}:exact");
        assert_eq!(outcome_of(&exact, moves), None);
        // Exactly four win, also at the edge, also with an opponent's stone behind.
        assert_eq!(outcome_of(&exact, "0,0 0,2 1,0 2,2 3,0 4,2 2,0"), FIRST_WINS);
        assert_eq!(outcome_of(&exact, "1,0 0,0 2,0 5,0 4,0 4,2 3,0"), FIRST_WINS);
        // A fifth stone makes an overline of what lay apart, and a column of four wins all the same.
        let both = "0,0 0,6 1,0 1,6 3,0 3,6 4,0 4,6 2,1 5,5 2,2 6,5 2,3 6,3 2,0";
        assert_eq!(outcome_of(&exact, both), FIRST_WINS);
    }
    // Falling and rising diagonals, and a column.
    for moves in [
        "0,0 6,0 1,1 6,2 3,3 6,4 4,4 0,6 2,2",
        "0,6 6,0 1,5 6,2 3,3 6,4 4,2 0,0 2,4",
        "3,0 6,0 3,1 6,2 3,3 6,4 3,4 0,6 3,2",
    ] {
        assert_eq!(outcome_of("mnk:7x7x4", moves), FIRST_WINS, "{moves}");
        assert_eq!(outcome_of("mnk:7x7x4:exact", moves), None, "{moves}");
    }
    // Connect X has no such rule.
    assert_eq!(outcome_of("connect:6x7x4", "0 0 1 1 3 3 4 4 2"), FIRST_WINS);
}

#[test]
fn a_line_does_not_run_round_the_edge() {
    // The last two cells of a row and the first two of the next.
    for board in ["mnk:5x5x4", "mnk:5x5x4:exact", "mnk:9x9x4"] {
        let last = spec(board).cols() - 1;
        let moves = format!("{},0 0,4 {last},0 2,4 0,1 4,3 1,1", last - 1);
        assert_eq!(outcome_of(board, &moves), None, "{board}");
    }
    // Up one column and on at the bottom of the next.
    assert_eq!(outcome_of("connect:4x4x4", "0 0 1 0 1 0"), None);
    assert_eq!(outcome_of("connect:3x4x3", "3 0 3 0 1 3 0 1"), None);
}

#[test]
fn a_full_board_without_a_line_is_a_draw() {
    assert_eq!(outcome_of("mnk:3x3x3", "0,0 1,0 2,0 1,1 0,1 2,1 1,2 0,2 2,2"), DRAW);
    assert_eq!(outcome_of("connect:2x2x3", "0 1 1 0"), DRAW);
    assert_eq!(outcome_of("connect:3x3x3", "1 1 2 0 0 1 0 2 2"), DRAW);
    for game in boards("mnk:3x3x3") {
        let mut game = game;
        play(&mut game, "0,0 1,0 2,0 1,1 0,1 2,1 1,2 0,2 2,2");
        assert_eq!((game.final_score(), game.plies_left()), (Some(0), 0));
    }
}

#[test]
fn the_last_stone_can_win() {
    let moves = "0,0 2,0 1,1 0,1 1,0 2,1 0,2 1,2 2,2";
    assert_eq!(outcome_of("mnk:3x3x3", moves), FIRST_WINS);
}

#[test]
fn a_line_longer_than_the_board_is_never_won() {
    for board in [
        "mnk:3x3x4",
        "mnk:3x4x5",
        "mnk:4x4x9999",
        "mnk:4x4x9999:exact",
        "mnk:10x10x11",
        "connect:3x3x4",
        "connect:4x3x5",
        "connect:5x5x9999",
        "connect:10x10x101",
    ] {
        for game in boards(board) {
            for seed in 0..20 {
                let mut game = game.clone();
                play_at_random(&mut game, usize::MAX, &mut Dice::new(seed));
                assert_eq!(game.outcome(), DRAW, "{board}");
                assert_eq!(game.ply(), game.spec().cells());
            }
        }
    }
}

#[test]
fn a_line_of_one_is_won_by_the_first_stone() {
    for board in [
        "mnk:1x1x1",
        "mnk:1x1x1:exact",
        "mnk:3x3x1",
        "mnk:3x3x1:exact",
        "mnk:8x8x1",
        "mnk:9x9x1",
        "mnk:9x9x1:exact",
        "mnk:1x9x1",
        "mnk:9x1x1",
        "connect:1x1x1",
        "connect:6x7x1",
        "connect:9x9x1",
    ] {
        for mut game in boards(board) {
            for mv in legal_moves(&game) {
                game.make(mv);
                assert_eq!(game.outcome(), FIRST_WINS, "{board}, move {}", mv.index());
                game.unmake();
            }
        }
    }
}

#[test]
fn a_board_of_one_cell_ends_after_one_move_at_most() {
    assert_eq!(outcome_of("mnk:1x1x1", "0,0"), FIRST_WINS);
    assert_eq!(outcome_of("mnk:1x1x2", "0,0"), DRAW);
    assert_eq!(outcome_of("connect:1x1x1", "0"), FIRST_WINS);
    assert_eq!(outcome_of("connect:1x1x2", "0"), DRAW);
    // No brick fits at all.
    assert_eq!(outcome_of("bricks:1", ""), DRAW);
    for game in boards("bricks:1") {
        assert_eq!((game.final_score(), game.plies_left()), (Some(0), 0));
        assert_eq!(game.check(Move::new(0)), Err(IllegalMove::GameOver));
    }
}

#[test]
fn boards_of_one_row_or_column_follow_the_same_rules() {
    for board in ["mnk:1x7x3", "mnk:1x70x3"] {
        assert_eq!(layouts::<100, 100, 100>(spec(board)).len(), 1 + usize::from(board.len() < 10));
        assert_eq!(outcome_of(board, "0,0 6,0 2,0 5,0 1,0"), FIRST_WINS);
        assert_eq!(outcome_of(board, "0,0 6,0 2,0 5,0 3,0 4,0"), SECOND_WINS);
        assert_eq!(outcome_of(board, "0,0 1,0 2,0 3,0 4,0 5,0"), None);
    }
    for board in ["mnk:7x1x3", "mnk:70x1x3", "mnk:64x1x3"] {
        assert_eq!(outcome_of(board, "0,0 0,6 0,2 0,5 0,1"), FIRST_WINS);
        assert_eq!(outcome_of(board, "0,0 0,6 0,2 0,5 0,3 0,4"), SECOND_WINS);
    }
    assert_eq!(outcome_of("mnk:1x7x3:exact", "0,0 6,0 1,0 5,0 3,0 4,0"), SECOND_WINS);
    assert_eq!(outcome_of("mnk:1x9x3:exact", "0,0 8,0 1,0 6,0 3,0 5,0 2,0"), None);
    assert_eq!(outcome_of("connect:1x7x3", "0 6 2 5 1"), FIRST_WINS);
    assert_eq!(outcome_of("connect:1x7x3", "0 6 2 5 3 4"), SECOND_WINS);
    // In a single column the colours alternate: nobody ever has two in a row.
    for board in ["connect:7x1x2", "connect:63x1x2", "connect:100x1x2"] {
        for mut game in boards(board) {
            let cells = game.spec().cells();
            for _ in 0..cells {
                assert_eq!(game.outcome(), None, "{board}");
                assert_eq!(game.try_play(Move::new(0)), Ok(()));
            }
            assert_eq!(game.outcome(), DRAW, "{board}");
        }
    }
    // Full-length lines on the longest boards in machine words.
    for board in ["mnk:1x64x64", "mnk:64x1x64", "mnk:1x64x33:exact", "connect:1x32x32"] {
        for mut game in boards(board) {
            play_at_random(&mut game, usize::MAX, &mut Dice::new(1));
            assert!(game.outcome().is_some(), "{board}");
        }
    }
}

#[test]
fn one_column_looks_the_same_in_the_mirror() {
    for board in ["connect:1x1x1", "connect:7x1x4", "connect:31x2x4", "connect:63x1x4"] {
        for mut game in boards(board) {
            play_at_random(&mut game, 3, &mut Dice::new(5));
            let mirror = Symmetry::new(1);
            if game.spec().cols() == 1 {
                assert_eq!(game.key_under(mirror), game.key(), "{board}");
            }
            let mut mirrored = game.clone();
            while mirrored.ply() > 0 {
                mirrored.unmake();
            }
            for n in 0..game.ply() {
                mirrored.make(game.map_move(game.played(n).expect("played"), mirror));
            }
            assert_eq!(game.key_under(mirror), mirrored.key(), "{board}");
        }
    }
}

#[test]
fn illegal_moves_are_refused_with_their_reason_and_change_nothing() {
    use IllegalMove::{Occupied, OutsideBoard};
    let outside = Move::LIMIT - 1;
    for (board, moves, refused) in [
        ("mnk:3x3x3", "1,1", vec![(4, Occupied), (9, OutsideBoard), (outside, OutsideBoard)]),
        ("mnk:8x8x5", "7,7", vec![(63, Occupied), (64, OutsideBoard), (outside, OutsideBoard)]),
        ("mnk:9x9x5", "8,8", vec![(80, Occupied), (81, OutsideBoard), (outside, OutsideBoard)]),
        ("connect:2x3x3", "1 1", vec![(1, Occupied), (3, OutsideBoard), (outside, OutsideBoard)]),
        ("connect:2x9x3", "8 8", vec![(8, Occupied), (9, OutsideBoard), (outside, OutsideBoard)]),
        (
            "bricks:3",
            "0,0,h",
            vec![
                (0, Occupied),      // the same brick
                (1, Occupied),      // over its right cell
                (9, Occupied),      // upright, over its left cell
                (2, OutsideBoard),  // sticks out to the right
                (8, OutsideBoard),  // sticks out of the lower right corner
                (15, OutsideBoard), // sticks out below
                (18, OutsideBoard), // no such cell
                (outside, OutsideBoard),
            ],
        ),
        ("bricks:9", "0,0,v", vec![(0, Occupied), (81, Occupied), (162, OutsideBoard)]),
    ] {
        for mut game in boards(board) {
            play(&mut game, moves);
            let before = game.clone();
            for (index, reason) in &refused {
                let mv = Move::new(*index);
                assert_eq!(game.check(mv), Err(*reason), "{board}, move {index}");
                assert_eq!(game.try_play(mv), Err(*reason), "{board}, move {index}");
                assert!(game == before, "{board}, move {index} left a trace");
            }
        }
    }
}

#[test]
fn moves_after_the_end_are_refused() {
    for (board, moves) in [
        ("mnk:3x3x3", "0,0 0,1 1,0 1,1 2,0"),
        ("mnk:9x9x3", "0,0 0,1 1,0 1,1 2,0"),
        ("mnk:3x3x3", "0,0 1,0 2,0 1,1 0,1 2,1 1,2 0,2 2,2"),
        ("connect:6x7x4", "0 1 0 1 0 1 0"),
        ("connect:9x9x4", "0 1 0 1 0 1 0"),
        ("connect:2x2x3", "0 1 1 0"),
        ("bricks:2", "0,0,h 0,1,h"),
        ("bricks:3", "0,0,h 2,0,v 0,1,v 1,2,h"), // the middle cell is free, but no brick fits
    ] {
        for mut game in boards(board) {
            play(&mut game, moves);
            assert!(game.outcome().is_some() && game.final_score().is_some());
            let before = game.clone();
            for index in 0..2 * game.spec().cells() {
                assert_eq!(game.try_play(Move::new(index)), Err(IllegalMove::GameOver), "{board}");
            }
            assert!(game == before && legal_moves(&game).is_empty());
        }
    }
}

#[test]
fn taking_back_before_the_first_move_does_nothing() {
    for board in ["mnk:3x3x3", "mnk:9x9x5", "connect:6x7x4", "connect:9x9x4", "bricks:3"] {
        for mut game in boards(board) {
            let before = game.clone();
            game.unmake();
            assert!(game == before, "{board}");
        }
    }
}

#[test]
fn the_largest_boards_that_the_rules_name_can_be_played() {
    for board in ["mnk:70x70x10", "connect:100x100x30", "bricks:20"] {
        let mut game = Position::new(spec(board)).expect(board);
        assert_eq!(game.spec(), spec(board));
        assert_eq!(
            legal_moves(&game).len(),
            match game.spec() {
                GameSpec::Mnk { .. } => 4_900,
                GameSpec::Connect { .. } => 100,
                GameSpec::Bricks { .. } => 760,
            }
        );
        let empty = game.clone();
        play_at_random(&mut game, 200, &mut Dice::new(7));
        assert!(game.outcome().is_some() || game.ply() == 200);
        while game.ply() > 0 {
            game.unmake();
        }
        assert!(game == empty, "{board}");
    }
    // The far corners, and a line that ends there.
    let mut game = Position::new(spec("mnk:70x70x10")).expect("fits");
    for n in 0..10 {
        play(&mut game, &format!("{0},{0}", 60 + n));
        if n < 9 {
            play(&mut game, &format!("0,{}", 3 * n));
        }
    }
    assert_eq!(game.outcome(), FIRST_WINS);
    let mut game = Position::new(spec("connect:100x100x30")).expect("fits");
    for n in 0..30 {
        play(&mut game, &(99 - n).to_string());
        if n < 29 {
            play(&mut game, &(2 * n).min(50 + n % 2).to_string());
        }
    }
    assert_eq!(game.outcome(), FIRST_WINS);
}

#[test]
fn a_build_with_less_room_refuses_larger_boards_and_names_its_capacity() {
    type Tight = AnyGame<100, 90, 121>;
    for (board, capacity) in [
        ("mnk:10x11x5", 100),
        ("mnk:70x70x10", 100),
        ("connect:9x11x4", 90),
        ("connect:100x100x30", 90),
        ("bricks:12", 121),
        ("bricks:20", 121),
    ] {
        assert_eq!(
            Tight::new(spec(board)).err(),
            Some(SpecError::TooLarge { capacity }),
            "{board}"
        );
    }
    for board in ["mnk:10x10x5", "connect:9x10x4", "bricks:11", "mnk:8x8x5", "connect:6x7x4"] {
        assert!(Tight::new(spec(board)).is_ok(), "{board}");
    }
}

#[test]
fn a_large_board_offers_moves_to_its_last_cell() {
    // Towards the end no line is left to anybody and all cells are worth the same.
    let mut game = Position::new("mnk:12x12x10".parse().expect("spec")).expect("fits");
    let mut dice = host_tests::Dice::new(4);
    while game.outcome().is_none() {
        let offered = host_tests::generated(&game);
        assert!(!offered.is_empty(), "ply {}", game.ply());
        assert!(offered.len() == 40 || offered.len() <= game.plies_left().max(1));
        let moves = host_tests::legal_moves(&game);
        game.make(moves[dice.roll(moves.len())]);
    }
}
