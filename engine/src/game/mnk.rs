//! The (M,N,K)-game: `k` in a row on an M x N board, in two layouts.
//!
//! [`board::Mnk`] holds any board up to its capacity; [`small::MnkSmall`] holds what fits in 64
//! bits, searches all moves and proves draws with [`pairing`] strategies.

pub mod board;
pub mod pairing;
pub mod small;

use crate::game::{Game, Move, Side, Symmetry};
use crate::guarded::row_and_col;

/// Symmetries of the board as a bit set: rectangles have four, squares eight.
fn symmetries(rows: usize, cols: usize) -> u8 {
    if rows == cols { 0xFF } else { 0x0F }
}

/// Where a move goes under a symmetry of the board.
fn map_move(mv: Move, symmetry: Symmetry, rows: usize, cols: usize) -> Move {
    let cell = mv.index();
    let (row, col) = symmetry.map_cell(row_and_col(cell, cols), rows, cols);
    Move::new(row * cols + col)
}

/// The stones of a position after a symmetry of the board.
fn mapped_stones(game: &impl Game, symmetry: Symmetry) -> impl Iterator<Item = (usize, Side)> {
    (0..game.ply()).filter_map(move |n| {
        Some((game.map_move(game.played(n)?, symmetry).index(), Side::at_ply(n)))
    })
}

/// Lines this long cannot be forced on any board, however large: on the empty board the second
/// player draws (T. G. L. Zetters, American Mathematical Monthly 87, 1980, pp. 575-576).
pub const UNFORCEABLE_LINE: usize = 8;
