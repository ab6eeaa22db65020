//! The board as a grid: which cells a move covers, who neighbours whom, where symmetries lead.
//!
//! Cells are numbered by rows. A horizontal brick is named by its left cell; a vertical one by
//! its upper cell plus the number of cells on the board. So all horizontal bricks come before all
//! vertical ones. The size is at least 1 and at most 20, so every cell fits in nine bits.
//!
//! Rows and columns are asked for in the innermost loops, and the smallest processors cannot
//! divide: a cell's row is found by multiplying with a rounded-up `2^16 / size`. That is exact:
//! the rounding adds less than `size / 2^16` per cell, in all at most `400 * 20 / 2^16`, too
//! little to reach the next row.

use crate::game::bricks::BRICK_CELLS;
use crate::game::{Move, Symmetry};
use crate::spec::{BRICKS_MAX_SIDE, GameSpec, SpecError};

/// The size of a board, and everything that follows from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Geometry {
    size: u8,
    /// `2^16 / size`, rounded up.
    reciprocal: u32,
}

impl Geometry {
    /// The board with this many rows and columns, if `capacity` cells hold it.
    pub(super) const fn new(size: u8, capacity: usize) -> Result<Geometry, SpecError> {
        if size == 0 || size as u32 > BRICKS_MAX_SIDE {
            return Err(SpecError::OutOfRange { what: "size", max: BRICKS_MAX_SIDE });
        }
        let geometry = Geometry { size, reciprocal: (1_u32 << 16).div_ceil(size as u32) };
        if geometry.cells() > capacity {
            return Err(SpecError::TooLarge { capacity });
        }
        Ok(geometry)
    }

    pub(super) const fn spec(self) -> GameSpec {
        GameSpec::Bricks { size: self.size }
    }

    pub(super) const fn size(self) -> usize {
        self.size as usize
    }

    pub(super) const fn cells(self) -> usize {
        self.size() * self.size()
    }

    /// Row and column of a cell on the board.
    pub(super) const fn place_of(self, cell: usize) -> (usize, usize) {
        let row = ((cell as u32 * self.reciprocal) >> 16) as usize;
        (row, cell - row * self.size())
    }

    /// How many bricks fit on the empty board.
    pub(super) const fn placements(self) -> usize {
        2 * self.size() * (self.size() - 1)
    }

    /// The move that lays a horizontal brick with this left cell.
    pub(super) const fn horizontal(self, cell: usize) -> Move {
        Move::new(cell)
    }

    /// The move that lays a vertical brick with this upper cell.
    pub(super) const fn vertical(self, cell: usize) -> Move {
        Move::new(cell + self.cells())
    }

    /// The two cells that a move covers, the upper or left one first; `None` if the brick is not
    /// wholly on the board.
    pub(super) const fn cells_of(self, mv: Move) -> Option<[usize; BRICK_CELLS]> {
        let (size, cells, index) = (self.size(), self.cells(), mv.index());
        if index < cells {
            if self.place_of(index).1 == size - 1 { None } else { Some([index, index + 1]) }
        } else {
            let cell = index - cells;
            if cell + size >= cells { None } else { Some([cell, cell + size]) }
        }
    }

    /// Every brick that fits on the empty board, by move number.
    #[cfg(test)]
    pub(super) fn bricks(self) -> impl Iterator<Item = (Move, [usize; BRICK_CELLS])> {
        (0..2 * self.cells())
            .map(Move::new)
            .filter_map(move |mv| self.cells_of(mv).map(|pair| (mv, pair)))
    }

    /// The cells next to a cell: two, three or four of them (on a 1x1 board none).
    pub(super) fn neighbours(self, cell: usize) -> impl Iterator<Item = usize> + Clone {
        let (size, (_, col)) = (self.size(), self.place_of(cell));
        [
            (cell >= size, cell.wrapping_sub(size)),
            (col > 0, cell.wrapping_sub(1)),
            (col + 1 < size, cell + 1),
            (cell + size < self.cells(), cell + size),
        ]
        .into_iter()
        .filter_map(|(inside, neighbour)| inside.then_some(neighbour))
    }

    /// The cell's shade on a chequered board, 0 or 1. A brick covers one of each.
    pub(super) const fn shade(self, cell: usize) -> usize {
        let (row, col) = self.place_of(cell);
        (row + col) % 2
    }

    /// Where a cell goes under a symmetry.
    pub(super) const fn map_cell(self, cell: usize, symmetry: Symmetry) -> usize {
        let size = self.size();
        let (row, col) = symmetry.map_cell(self.place_of(cell), size, size);
        row * size + col
    }

    /// Where a move goes under a symmetry. A move outside the board stays as it is.
    pub(super) fn map_move(self, mv: Move, symmetry: Symmetry) -> Move {
        let Some([first, second]) = self.cells_of(mv) else {
            return mv;
        };
        let first = self.map_cell(first, symmetry);
        let second = self.map_cell(second, symmetry);
        let corner = first.min(second);
        if first.abs_diff(second) == 1 { self.horizontal(corner) } else { self.vertical(corner) }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::vec::Vec;

    #[test]
    fn rows_and_columns_are_exact_without_division() {
        for size in 1..=20 {
            let geometry = Geometry::new(size, 400).expect("fits");
            let size = geometry.size();
            for cell in 0..geometry.cells() {
                assert_eq!(geometry.place_of(cell), (cell / size, cell % size));
            }
        }
    }

    #[test]
    fn bricks_come_by_number_and_lie_on_the_board() {
        for size in 1..=20 {
            let geometry = Geometry::new(size, 400).expect("fits");
            let bricks: Vec<_> = geometry.bricks().collect();
            assert_eq!(bricks.len(), geometry.placements());
            assert!(bricks.is_sorted_by_key(|&(mv, _)| mv));
            for &(_, [first, second]) in &bricks {
                assert!(geometry.neighbours(first).any(|cell| cell == second));
                assert_ne!(geometry.shade(first), geometry.shade(second));
            }
        }
    }

    #[test]
    fn moves_map_to_the_brick_on_the_mapped_cells() {
        for size in 2..=6 {
            let geometry = Geometry::new(size, 400).expect("fits");
            for bits in 0..8 {
                let symmetry = Symmetry::new(bits);
                for (mv, pair) in geometry.bricks() {
                    let mapped = geometry.map_move(mv, symmetry);
                    let mut expected = pair.map(|cell| geometry.map_cell(cell, symmetry));
                    expected.sort_unstable();
                    assert_eq!(geometry.cells_of(mapped), Some(expected));
                    assert_eq!(geometry.map_move(mapped, symmetry.inverse()), mv);
                }
            }
        }
    }

    #[test]
    fn moves_outside_the_board_cover_no_cells_and_map_to_themselves() {
        for size in 1..=20 {
            let geometry = Geometry::new(size, 400).expect("fits");
            let inside =
                (0..Move::LIMIT).filter(|&n| geometry.cells_of(Move::new(n)).is_some()).count();
            assert_eq!(inside, geometry.placements());
            let outside = Move::new(Move::LIMIT - 1);
            assert_eq!(geometry.map_move(outside, Symmetry::new(5)), outside);
        }
    }
}
