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

use std::fmt::Write as _;

use engine::game::any::Position;
use engine::game::{Game, Side};
use engine::spec::GameSpec;

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

/// Draws the position, one line per row, with a newline at the end of each.
#[must_use]
pub fn draw(position: &Position) -> String {
    let spec = position.spec();
    let (rows, cols) = (spec.rows(), spec.cols());
    let width = |count: usize| count.saturating_sub(1).to_string().len();
    let (row_width, col_width) = (width(rows), width(cols));
    let falls = matches!(spec, GameSpec::Connect { .. });
    let last = last_cells(position);
    let mut text = String::new();
    let mut header = format!("  {:row_width$}", "");
    for col in 0..cols {
        let _ = write!(header, " {col:>col_width$}");
    }
    header.push('\n');
    if !falls {
        text.push_str(&header);
    }
    for line in 0..rows {
        let row = if falls { rows - 1 - line } else { line };
        let _ = write!(text, "  {row:>row_width$}");
        for col in 0..cols {
            let cell = row * cols + col;
            let mut stone = position.stone(cell).map_or('.', |side| letter(spec, side));
            if last.contains(&cell) {
                stone = stone.to_ascii_uppercase();
            }
            let _ = write!(text, " {stone:>col_width$}");
        }
        text.push('\n');
    }
    if falls {
        text.push_str(&header);
    }
    text
}

/// The cells that the last move covers.
fn last_cells(position: &Position) -> Vec<usize> {
    let spec = position.spec();
    let Some(mv) = position.ply().checked_sub(1).and_then(|ply| position.played(ply)) else {
        return Vec::new();
    };
    let index = mv.index();
    match spec {
        GameSpec::Mnk { .. } => vec![index],
        GameSpec::Connect { .. } => {
            let column = (0..spec.rows()).map(|row| row * spec.cols() + index);
            column.take_while(|&cell| position.stone(cell).is_some()).last().into_iter().collect()
        }
        GameSpec::Bricks { .. } => {
            let cell = index % spec.cells();
            let step = if index >= spec.cells() { spec.cols() } else { 1 };
            vec![cell, cell + step]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::after_moves;

    fn drawn(spec: &str, moves: &str) -> String {
        draw(&after_moves(spec.parse().expect(spec), moves).expect(moves))
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
