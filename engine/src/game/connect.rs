//! Connect X: pieces fall down a column; `x` in a row win. In two layouts: [`board::Connect`]
//! for any size up to its capacity, [`small::ConnectSmall`] for what fits in 64 bits.

pub mod board;
pub mod grid;
pub mod small;

use crate::game::Symmetry;

/// The identity and the mirror image left to right.
const SYMMETRIES: u8 = 0b11;

/// Where a column goes under one of [`SYMMETRIES`].
fn map_column(col: usize, symmetry: Symmetry, cols: usize) -> usize {
    symmetry.map_cell((0, col), 1, cols).1
}

/// How near a column is to the middle, from 0 at the edge upwards: the middle lies on more lines.
fn centrality(col: usize, cols: usize) -> u32 {
    col.min(cols - 1 - col) as u32
}
