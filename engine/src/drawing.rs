//! A board as plain text, with coordinates. The last move is in capitals.
//!
//! ```text
//!     0 1 2
//!   0 x . .
//!   1 . O .
//!   2 . . x
//! ```
//!
//! Row 0 is the top row, in connect the bottom one, and the coordinates are those of the moves.
//! The first player is `x` and the second `o`; in bricks, red is `r` and green is `g`.
//!
//! A board is drawn line by line, so that whoever sends it needs room for one line only:
//! [`MAX_DRAWN_LINE`] bytes.

use core::fmt;

use crate::game::{Game, Side};
use crate::spec::{CONNECT_MAX_SIDE, GameSpec};

/// Bytes that any line of a drawing fits in: the label and 100 columns of two digits.
pub const MAX_DRAWN_LINE: usize = 8 + 3 * CONNECT_MAX_SIDE as usize;

/// The letter of a side's stones.
#[must_use]
pub const fn letter(spec: GameSpec, side: Side) -> char {
    match (spec, side) {
        (GameSpec::Bricks { .. }, Side::First) => 'r',
        (GameSpec::Bricks { .. }, Side::Second) => 'g',
        (_, Side::First) => 'x',
        (_, Side::Second) => 'o',
    }
}

/// The cells that the last move covers: none, one, or the two of a brick.
pub fn last_cells<G: Game>(game: &G) -> heapless::Vec<usize, 2> {
    let spec = game.spec();
    let mut cells = heapless::Vec::new();
    let Some(mv) = game.ply().checked_sub(1).and_then(|ply| game.played(ply)) else {
        return cells;
    };
    let index = mv.index();
    let (first, second) = match spec {
        GameSpec::Mnk { .. } => (Some(index), None),
        GameSpec::Connect { .. } => {
            let column = (0..spec.rows()).map(|row| row * spec.cols() + index);
            (column.take_while(|&cell| game.stone(cell).is_some()).last(), None)
        }
        GameSpec::Bricks { .. } => {
            let cell = index % spec.cells().max(1);
            let step = if index >= spec.cells() { spec.cols() } else { 1 };
            (Some(cell), Some(cell + step))
        }
    };
    for cell in first.into_iter().chain(second) {
        // There is room for two.
        let _ = cells.push(cell);
    }
    cells
}

/// How many lines the drawing of a board has.
#[must_use]
pub const fn line_count(spec: GameSpec) -> usize {
    spec.rows() + 1
}

/// Writes line number `n` of the drawing, counted from the top, without a line end.
///
/// # Errors
/// Those of the sink.
pub fn write_line<G: Game>(game: &G, n: usize, out: &mut impl fmt::Write) -> fmt::Result {
    let spec = game.spec();
    let (rows, cols) = (spec.rows(), spec.cols());
    let (row_width, col_width) = (digits(rows), digits(cols));
    let falls = matches!(spec, GameSpec::Connect { .. });
    // The columns' numbers stand where the pieces come to rest first.
    let (header, first_row) = if falls { (rows, 0) } else { (0, 1) };
    if n == header {
        write!(out, "  {:row_width$}", "")?;
        return (0..cols).try_for_each(|col| write!(out, " {col:>col_width$}"));
    }
    let line = n - first_row;
    let row = if falls { rows.saturating_sub(1 + line) } else { line };
    let last = last_cells(game);
    write!(out, "  {row:>row_width$}")?;
    for col in 0..cols {
        let cell = row * cols + col;
        let mut stone = game.stone(cell).map_or('.', |side| letter(spec, side));
        if last.contains(&cell) {
            stone = stone.to_ascii_uppercase();
        }
        write!(out, " {stone:>col_width$}")?;
    }
    Ok(())
}

/// Digits of the greatest number below `count`.
const fn digits(count: usize) -> usize {
    match count {
        0..=10 => 1,
        11..=100 => 2,
        _ => 3,
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use crate::game::any::AnyGame;
    use std::string::String;

    fn drawn(spec: &str, moves: &str) -> String {
        let mut game = AnyGame::<225, 144, 64>::new(spec.parse().expect(spec)).expect(spec);
        for mv in moves.split_whitespace() {
            game.try_play(game.spec().parse_move(mv).expect(mv)).expect(mv);
        }
        let mut text = String::new();
        for n in 0..line_count(game.spec()) {
            write_line(&game, n, &mut text).expect("a string takes everything");
            text.push('\n');
        }
        text
    }

    #[test]
    fn rows_of_mnk_go_down_and_the_last_stone_is_a_capital() {
        assert_eq!(drawn("mnk:2x3x3", "0,0 1,1 2,1"), "    0 1 2\n  0 x . .\n  1 . o X\n");
        assert_eq!(drawn("mnk:1x2x3", ""), "    0 1\n  0 . .\n");
    }

    #[test]
    fn rows_of_connect_go_up() {
        assert_eq!(drawn("connect:3x3x3", "0 0 2"), "  2 . . .\n  1 o . .\n  0 x . X\n    0 1 2\n");
    }

    #[test]
    fn both_cells_of_the_last_brick_are_capitals() {
        assert_eq!(
            drawn("bricks:3", "0,0,h 2,1,v"),
            "    0 1 2\n  0 r r .\n  1 . . G\n  2 . . G\n"
        );
    }

    #[test]
    fn two_digits_have_room() {
        let text = drawn("connect:11x12x4", "11");
        assert!(text.contains("\n   0  .  .  .  .  .  .  .  .  .  .  .  X\n"), "{text}");
        assert!(text.ends_with("  9 10 11\n"), "{text}");
    }
}
