//! The small kernels that everything rests on, tried on all of their inputs or on all that their
//! bounds distinguish: packing of moves and table entries, cells of windows, time, specs.

use engine::game::Move;
use engine::game::line::Direction;
use engine::score::{INFINITE, Score};
use engine::search::table::exact::{Bounds, MAX_BOUND};
use engine::search::table::{Bound, Bucket, Entry, TO_THE_END, Table};
use engine::session::clock::{LEAST_THINKING_US, TimeControl, UNLIMITED_MS};
use engine::spec::{
    BRICKS_MAX_SIDE, CONNECT_MAX_SIDE, GameSpec, MAX_LINE, MAX_SPEC_LEN, MNK_MAX_SIDE,
};

#[test]
fn every_move_number_comes_back() {
    for number in 0..Move::LIMIT {
        assert_eq!(Move::new(number).index(), number);
    }
}

#[test]
fn every_move_of_every_board_is_written_as_it_is_read() {
    let mut specs: Vec<GameSpec> = (1..=BRICKS_MAX_SIDE as u8)
        .map(|size| GameSpec::Bricks { size })
        .chain((1..=CONNECT_MAX_SIDE as u8).map(|cols| GameSpec::Connect { rows: 1, cols, x: 4 }))
        .collect();
    // Every width and every height of mnk, each with all of its cells.
    for side in 1..=MNK_MAX_SIDE as u8 {
        specs.push(GameSpec::Mnk { rows: side, cols: MNK_MAX_SIDE as u8, k: 5, exact: false });
        specs.push(GameSpec::Mnk { rows: 3, cols: side, k: 5, exact: false });
    }
    for spec in specs {
        let mut moves = 0;
        for number in 0..spec.move_numbers() {
            let text = spec.show_move(Move::new(number)).to_string();
            // A brick that sticks out has a number but is no move.
            if let Ok(mv) = spec.parse_move(&text) {
                assert_eq!(mv.index(), number, "{spec}: {text}");
                moves += 1;
            } else {
                assert!(spec.has_margins(), "{spec}: {text}");
            }
        }
        let size = spec.rows();
        let expected = if spec.has_margins() { 2 * size * (size - 1) } else { spec.move_numbers() };
        assert_eq!(moves, expected, "{spec}");
    }
}

/// Stores an entry in a table of one bucket and reads it again.
fn through_the_table(entry: Entry, key: u64) -> Option<Entry> {
    let mut storage = [Bucket::EMPTY];
    let mut table = Table::new(&mut storage);
    let place = table.place(key, 40);
    table.store(place, &entry, 1);
    table.probe(place)
}

#[test]
fn every_score_bound_depth_and_move_comes_back_from_the_table() {
    let entry = Entry { score: 0, bound: Bound::Exact, depth: 3, best: None };
    let bounds = [Bound::Upper, Bound::Lower, Bound::Exact];
    for score in -INFINITE..=INFINITE {
        let entry = Entry { score, bound: bounds[score.unsigned_abs() as usize % 3], ..entry };
        assert_eq!(through_the_table(entry, 5), Some(entry));
    }
    for bound in bounds {
        for depth in 0..=TO_THE_END {
            for score in [-INFINITE, -1, 0, 1, INFINITE] {
                let entry = Entry { score, bound, depth, best: None };
                assert_eq!(through_the_table(entry, 5), Some(entry));
            }
        }
        for number in 0..Move::LIMIT - 1 {
            let entry = Entry { bound, best: Some(Move::new(number)), ..entry };
            assert_eq!(through_the_table(entry, number as u64), Some(entry));
        }
    }
}

#[test]
fn all_bounds_of_the_solver_come_back_from_the_table() {
    let mut storage = [Bucket::EMPTY];
    let mut table = Table::new(&mut storage);
    table.start_exact();
    for low in -MAX_BOUND..=MAX_BOUND {
        for high in low..=MAX_BOUND {
            let place = table.place_exact((low - high).unsigned_abs().into(), 49);
            table.store_exact(place, Bounds { low, high }, 1);
            assert_eq!(table.probe_exact(place), Some(Bounds { low, high }));
        }
    }
}

#[test]
fn the_windows_of_every_board_lie_on_it_and_are_counted_right() {
    // Where a line ends, on every board that there is.
    for rows in 1..=100 {
        for cols in 1..=100 {
            let (last_row, last_col) = (rows as isize - 1, cols as isize - 1);
            // The corners and the middle decide: reach grows by one from cell to cell.
            for row in [0, rows / 2, rows - 1] {
                for col in 0..cols {
                    for direction in Direction::ALL {
                        let (down, right) = direction.delta();
                        let (back, ahead) = direction.reach(row, col, rows, cols);
                        let inside = |n: isize| {
                            let (row, col) = (row as isize + n * down, col as isize + n * right);
                            (0..=last_row).contains(&row) && (0..=last_col).contains(&col)
                        };
                        let (back, ahead) = (back as isize, ahead as isize);
                        assert!(inside(-back) && inside(ahead), "{rows}x{cols} {row},{col}");
                        assert!(!inside(-back - 1) && !inside(ahead + 1), "{rows}x{cols}");
                    }
                }
            }
        }
    }
    // How many windows there are, on all small boards.
    for rows in 1..=14 {
        for cols in 1..=14 {
            for k in 1..=15 {
                for direction in Direction::ALL {
                    let cells = (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col)));
                    let starts = cells
                        .filter(|&(row, col)| direction.reach(row, col, rows, cols).1 + 1 >= k);
                    let counted = starts.count();
                    assert_eq!(direction.windows(rows, cols, k), counted, "{rows}x{cols}x{k}");
                }
            }
        }
    }
}

#[test]
fn no_budget_is_more_than_there_is() {
    let edges = |most: u64| -> Vec<u64> {
        let powers = (0..64).map(|bit| 1u64 << bit).flat_map(|n| [n - 1, n, n + 1]);
        powers.filter(|&n| n <= most).collect()
    };
    let turns = edges(u32::MAX.into());
    let lefts: Vec<i64> = edges(i64::MAX as u64)
        .into_iter()
        .flat_map(|n| [n as i64, (n as i64).wrapping_neg()])
        .chain([i64::MIN, i64::MAX])
        .collect();
    for latency_us in [0, 2_000, u32::MAX] {
        for &turn_ms in &turns {
            let mut time = TimeControl::new(latency_us);
            time.turn_ms = turn_ms as u32;
            let turn_us = turn_ms * 1_000;
            assert!(time.budget_us(1) <= turn_us.max(LEAST_THINKING_US));
            for &left_ms in &lefts {
                time.set_left(left_ms);
                for moves_to_go in [0, 1, 2, 16, 17, 5_000, usize::MAX] {
                    let budget = time.budget_us(moves_to_go);
                    assert!(budget <= turn_us.max(LEAST_THINKING_US), "{turn_ms} {left_ms}");
                    let left_us = u64::try_from(left_ms).map_or(0, |ms| ms.saturating_mul(1_000));
                    assert!(left_ms >= UNLIMITED_MS || budget <= left_us, "{turn_ms} {left_ms}");
                }
            }
        }
    }
}

#[test]
fn exactly_the_games_within_the_limits_are_games() {
    let round_trip = |spec: GameSpec| {
        let text = spec.to_string();
        assert!(text.len() <= MAX_SPEC_LEN, "{text}");
        assert_eq!(text.parse(), Ok(spec), "{text}");
    };
    // All sides of all games, and one beyond each end.
    for rows in 0..=CONNECT_MAX_SIDE + 1 {
        for cols in 0..=CONNECT_MAX_SIDE + 1 {
            for length in [0, 1, 5, MAX_LINE, MAX_LINE + 1] {
                let within = |most| (1..=most).contains(&rows) && (1..=most).contains(&cols);
                let line = (1..=MAX_LINE).contains(&length);
                for (name, most) in [("mnk", MNK_MAX_SIDE), ("connect", CONNECT_MAX_SIDE)] {
                    let text = format!("{name}:{rows}x{cols}x{length}");
                    let spec = text.parse::<GameSpec>();
                    assert_eq!(spec.is_ok(), within(most) && line, "{text}");
                    spec.into_iter().for_each(round_trip);
                }
            }
        }
        let bricks = format!("bricks:{rows}").parse::<GameSpec>();
        assert_eq!(bricks.is_ok(), (1..=BRICKS_MAX_SIDE).contains(&rows));
        bricks.into_iter().for_each(round_trip);
    }
    for length in 1..=MAX_LINE {
        round_trip(GameSpec::Mnk { rows: 70, cols: 70, k: length as u16, exact: true });
        round_trip(GameSpec::Connect { rows: 100, cols: 100, x: length as u16 });
    }
    // All texts of up to three characters behind a name: none but digits in their places.
    let alphabet = ['0', '1', '9', 'x', 'X', ':', '+', '-', ' ', '.', 'e', '\u{663}', '\0'];
    for a in alphabet {
        for b in alphabet {
            for c in alphabet {
                let sizes: String = [a, b, c].iter().collect();
                assert!(format!("mnk:{sizes}").parse::<GameSpec>().is_err(), "{sizes:?}");
                let number = sizes.parse::<u32>().ok().filter(|_| !sizes.contains('+'));
                let fits = number.is_some_and(|n| (1..=BRICKS_MAX_SIDE).contains(&n));
                let bricks = format!("bricks:{sizes}").parse::<GameSpec>();
                assert_eq!(bricks.is_ok(), fits, "{sizes:?}");
            }
        }
    }
}

#[test]
fn scores_fit_where_they_are_kept() {
    // What a search can return is between these, and the table holds both.
    let least: Score = -INFINITE;
    assert!(least < 0 && least.checked_neg() == Some(INFINITE));
}
