//! The classes of cells on large mnk boards against what placing stones shows.

use engine::game::Side;
use engine::game::line::board::LineBoard;
use engine::game::line::patterns::net::{self, Net};
use engine::game::line::patterns::{Crossing, PatternBoard, PriceList, Worth};
use engine::players::random::Dice;

const CELLS: usize = 400;

/// Sizes, line lengths and rules: lines of five go by a table, others do not.
const GAMES: [(u8, u8, u16, bool); 12] = [
    (15, 15, 5, false),
    (9, 12, 5, false),
    (7, 5, 5, false),
    (3, 9, 5, false),
    (15, 15, 5, true),
    (9, 9, 4, false),
    (9, 9, 4, true),
    (10, 10, 6, false),
    (12, 9, 3, false),
    (6, 6, 2, false),
    (20, 20, 10, false),
    (11, 4, 7, true),
];

/// The empty cells where a stone of this side completes a line, tried out one by one.
fn completing(board: &LineBoard<CELLS>, side: Side) -> Vec<usize> {
    (0..board.cells())
        .filter(|&cell| {
            board.is_empty(cell) && {
                let mut tried = board.clone();
                tried.place(cell, side);
                tried.winner() == Some(side)
            }
        })
        .collect()
}

#[test]
fn classes_tell_what_a_stone_makes() {
    for (n, &(rows, cols, k, exact)) in GAMES.iter().enumerate() {
        for seed in 0..3 {
            let mut dice = Dice::new(seed * 100 + n as u64);
            let mut patterns = PatternBoard::<CELLS>::new(rows, cols, k, exact).unwrap();
            let mut plain = LineBoard::<CELLS>::new(rows, cols, k, exact).unwrap();
            let mut side = Side::First;
            for stones in 0..(plain.cells() * 2 / 3).min(60) {
                let empty: Vec<usize> = (0..plain.cells()).filter(|&c| plain.is_empty(c)).collect();
                let Some(&cell) = empty.get(dice.roll(empty.len())) else { break };
                if completing(&plain, side).contains(&cell) {
                    break;
                }
                plain.place(cell, side);
                patterns.place(cell, side);
                side = side.other();
                if stones % 4 == 3 {
                    check(&plain, &patterns);
                }
            }
        }
    }
}

fn check(plain: &LineBoard<CELLS>, patterns: &PatternBoard<CELLS>) {
    for side in Side::BOTH {
        assert_eq!(patterns.live_windows(side), plain.live_windows(side));
        let wins = completing(plain, side);
        assert_eq!(patterns.completing(side), wins.len());
        let mut doubles = 0;
        for cell in (0..plain.cells()).filter(|&cell| plain.is_empty(cell)) {
            assert_eq!(patterns.completes(cell, side), wins.contains(&cell));
            // Who can win at once does not ask for more.
            if !wins.is_empty() {
                continue;
            }
            let mut after = plain.clone();
            after.place(cell, side);
            let made = completing(&after, side).len();
            assert_eq!(patterns.makes_four(cell, side), made >= 1, "{cell} {side:?}\n{plain:?}");
            assert_eq!(patterns.makes_two_fours(cell, side), made >= 2, "{cell} {side:?}");
            doubles += usize::from(made >= 2);
        }
        if wins.is_empty() {
            assert_eq!(patterns.double_fours(side), doubles);
        }
    }
}

#[test]
fn taking_stones_back_restores_everything() {
    for (n, &(rows, cols, k, exact)) in GAMES.iter().enumerate() {
        let mut dice = Dice::new(n as u64);
        let mut board = PatternBoard::<CELLS>::new(rows, cols, k, exact).unwrap();
        let mut stack = vec![];
        let mut side = Side::First;
        for _ in 0..board.cells() {
            let empty: Vec<usize> = (0..board.cells()).filter(|&c| board.is_empty(c)).collect();
            let cell = empty[dice.roll(empty.len())];
            stack.push((board.clone(), cell, side));
            board.place(cell, side);
            side = side.other();
            if board.winner().is_some() {
                break;
            }
        }
        for (before, cell, side) in stack.into_iter().rev() {
            board.remove(cell, side);
            assert_eq!(board, before);
        }
    }
}

#[test]
fn other_weights_value_a_board_as_if_it_had_had_them_from_the_start() {
    static OTHER: PriceList = {
        let mut worth = Worth::OF_FIVES;
        worth.mover.classes[8] += 7;
        worth.tempo += 9;
        PriceList::new(worth)
    };
    let mut late = PatternBoard::<CELLS>::new(15, 15, 5, false).unwrap();
    let mut early = late.clone();
    early.set_prices(&OTHER);
    for (n, cell) in [112, 113, 97, 98, 127, 83, 142].into_iter().enumerate() {
        late.place(cell, Side::at_ply(n));
        early.place(cell, Side::at_ply(n));
    }
    assert_ne!(late, early);
    late.set_prices(&OTHER);
    assert_eq!(late, early);
}

#[test]
fn what_is_kept_up_to_date_is_what_a_look_at_the_whole_board_finds() {
    static LIST: PriceList = PriceList::new(Worth::OF_FIVES);
    for (n, &(rows, cols, k, exact)) in GAMES.iter().enumerate() {
        let mut dice = Dice::new(n as u64 + 70);
        let board = PatternBoard::<CELLS>::new(rows, cols, k, exact).unwrap();
        for list in [&LIST, PriceList::for_board(board.cells(), k)] {
            let mut board = board.clone();
            board.set_prices(list);
            for ply in 0..(board.cells() / 2).min(80) {
                let empty: Vec<usize> = (0..board.cells()).filter(|&c| board.is_empty(c)).collect();
                board.place(empty[dice.roll(empty.len())], Side::at_ply(ply));
                let mut counted = board.clone();
                counted.set_prices(list);
                assert_eq!(board, counted, "{rows}x{cols}x{k}, ply {ply}");
            }
        }
    }
}

#[test]
fn a_board_is_worth_as_much_to_the_other_side_with_its_colours_swapped() {
    for (n, &(rows, cols, k, exact)) in GAMES.iter().enumerate() {
        let mut dice = Dice::new(n as u64 + 210);
        let mut board = PatternBoard::<CELLS>::new(rows, cols, k, exact).unwrap();
        let mut swapped = board.clone();
        for _ in 0..board.cells() / 3 {
            let empty: Vec<usize> = (0..board.cells()).filter(|&c| board.is_empty(c)).collect();
            let (cell, side) = (empty[dice.roll(empty.len())], Side::BOTH[dice.roll(2)]);
            board.place(cell, side);
            swapped.place(cell, side.other());
            for side in Side::BOTH {
                assert_eq!(
                    board.evaluate(side),
                    swapped.evaluate(side.other()),
                    "{rows}x{cols}x{k}"
                );
            }
        }
    }
}

#[test]
fn a_network_sees_what_prices_do_not() {
    let mut with = PatternBoard::<CELLS>::new(15, 15, 5, false).unwrap();
    static PRICES: PriceList = PriceList::new(Worth::OF_FIVES);
    let mut without = with.clone();
    without.set_prices(&PRICES);
    for (n, cell) in [112, 128, 97, 98].into_iter().enumerate() {
        with.place(cell, Side::at_ply(n));
        without.place(cell, Side::at_ply(n));
    }
    assert_ne!(with.evaluate(Side::First), without.evaluate(Side::First));
}

#[test]
fn a_network_that_was_not_used_for_a_while_knows_what_happened() {
    let mut board = PatternBoard::<CELLS>::new(15, 15, 5, false).unwrap();
    let mut other = board.clone();
    for (n, cell) in [112, 128, 97, 98, 82, 113].into_iter().enumerate() {
        other.use_network(![2, 3].contains(&n));
        board.place(cell, Side::at_ply(n));
        other.place(cell, Side::at_ply(n));
        assert_eq!(board == other, ![2, 3].contains(&n), "stone {n}");
    }
    for (n, cell) in [112, 128, 97, 98, 82, 113].into_iter().enumerate().rev() {
        board.remove(cell, Side::at_ply(n));
        other.remove(cell, Side::at_ply(n));
        assert_eq!(board, other, "stone {n}");
    }
}

#[test]
fn a_network_with_too_large_a_weight_is_refused() {
    let mut bytes = [0; net::BYTES];
    assert!(Net::read(&bytes).is_some());
    let first_weight = net::PAIRS * net::CHANNELS;
    for (weight, is_read) in
        [(net::MOST_WEIGHT, true), (net::MOST_WEIGHT + 1, false), (-net::MOST_WEIGHT - 1, false)]
    {
        bytes[first_weight..first_weight + 2].copy_from_slice(&weight.to_le_bytes());
        assert_eq!(Net::read(&bytes).is_some(), is_read, "{weight}");
    }
}

#[test]
fn the_order_in_which_stones_came_does_not_matter() {
    for (n, &(rows, cols, k, exact)) in GAMES.iter().enumerate() {
        let mut dice = Dice::new(n as u64 + 140);
        let mut forth = PatternBoard::<CELLS>::new(rows, cols, k, exact).unwrap();
        let mut back = forth.clone();
        let mut cells: Vec<usize> = (0..forth.cells()).collect();
        for at in (1..cells.len()).rev() {
            cells.swap(at, dice.roll(at + 1));
        }
        cells.truncate(forth.cells() / 4);
        let stones: Vec<(usize, Side)> =
            cells.iter().map(|&cell| (cell, Side::BOTH[dice.roll(2)])).collect();
        for (&(one, side), &(other, other_side)) in stones.iter().zip(stones.iter().rev()) {
            forth.place(one, side);
            back.place(other, other_side);
        }
        for side in Side::BOTH {
            let known =
                |board: &PatternBoard<CELLS>| (board.evaluate(side), board.live_windows(side));
            assert_eq!(known(&forth), known(&back), "{rows}x{cols}x{k}");
        }
    }
}

#[test]
fn a_cell_where_lines_cross_counts_as_the_best_that_a_stone_makes_of_it() {
    /// Stones of the first player along two lines that cross in the middle of the board, and one of the
    /// second player that closes the first line or not.
    fn crossings(along: usize, down: usize, closed: bool) -> [u16; 10] {
        let mut board = PatternBoard::<CELLS>::new(15, 15, 5, false).unwrap();
        let middle = 7 * 15 + 7;
        (1..=along).for_each(|n| board.place(middle + n, Side::First));
        (1..=down).for_each(|n| board.place(middle + 15 * n, Side::First));
        if closed {
            board.place(middle + along + 1, Side::Second);
        }
        board.census(Side::First).crossings
    }
    let has = |crossings: [u16; 10], crossing: Crossing| crossings[crossing as usize] > 0;
    assert!(has(crossings(3, 2, true), Crossing::FourThree));
    assert!(has(crossings(2, 2, false), Crossing::ThreeThree));
    assert!(has(crossings(3, 1, true), Crossing::FourTwo));
    assert!(has(crossings(2, 2, true), Crossing::ThreeClosedThree));
    assert!(has(crossings(2, 1, false), Crossing::ThreeTwo));
    assert!(has(crossings(2, 1, true), Crossing::ClosedThreeTwo));
    assert!(has(crossings(1, 1, false), Crossing::TwoTwo));
    assert!(!has(crossings(3, 0, true), Crossing::FourTwo));
    assert!(!has(crossings(2, 0, false), Crossing::ThreeTwo));
}
