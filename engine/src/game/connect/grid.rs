//! The geometry that the solver of Connect X works on: sets of cells in 64 bits, laid out as in
//! [`super::small`], and what can be read off them in a few instructions.
//!
//! Shifts by a number that the compiler knows are several times cheaper on a 32-bit chip. So the
//! code is made twice: once for six rows and lines of four, and once for everything else.

use crate::game::Side;
use crate::game::line::bits::{Cells, MAX_CELLS};

/// Upright, across, and two ways aslant.
pub const DIRECTIONS: usize = 4;

/// A position as the solver sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stacks {
    /// Rows of the board.
    pub rows: u8,
    /// Columns of the board.
    pub cols: u8,
    /// The length of a line.
    pub x: u16,
    /// Both sides' stones; bit `col * (rows + 1) + row`, row 0 at the bottom.
    pub stones: [Cells; 2],
}

impl Stacks {
    /// How many stones there are.
    #[must_use]
    pub const fn ply(&self) -> u32 {
        (self.stones[0] | self.stones[1]).count_ones()
    }

    /// The stones of the side to move, and the other's.
    #[must_use]
    pub const fn own_and_other(&self) -> (Cells, Cells) {
        let us = Side::at_ply(self.ply() as usize);
        (self.stones[us.index()], self.stones[us.other().index()])
    }
}

/// The numbers of a board that shifts depend on.
pub trait Shape: Copy {
    /// Bits per column.
    fn stride(self) -> u32;
    /// The length of a line.
    fn length(self) -> u32;
}

/// Six rows, lines of four: Connect Four.
#[derive(Clone, Copy, Debug)]
pub struct Four;

impl Four {
    const ROWS: u8 = 6;
    const LENGTH: u16 = 4;

    /// Whether a board is of this shape.
    #[must_use]
    pub const fn fits(stacks: &Stacks) -> bool {
        stacks.rows == Self::ROWS && stacks.x == Self::LENGTH
    }
}

impl Shape for Four {
    #[inline(always)]
    fn stride(self) -> u32 {
        Self::ROWS as u32 + 1
    }

    #[inline(always)]
    fn length(self) -> u32 {
        Self::LENGTH as u32
    }
}

/// Any shape.
#[derive(Clone, Copy, Debug)]
pub struct Other {
    rows: u8,
    length: u32,
}

impl Other {
    /// The shape of a board.
    #[must_use]
    pub fn new(stacks: &Stacks) -> Other {
        Other { rows: stacks.rows, length: u32::from(stacks.x) }
    }
}

impl Shape for Other {
    #[inline(always)]
    fn stride(self) -> u32 {
        u32::from(self.rows) + 1
    }

    #[inline(always)]
    fn length(self) -> u32 {
        self.length
    }
}

/// The board.
#[derive(Clone, Copy, Debug)]
pub struct Grid<S> {
    shape: S,
    /// All cells.
    pub board: Cells,
    /// The lowest cell of each column.
    pub bottom: Cells,
    /// Every second row, so that the top row is not among them.
    pub lower: Cells,
    /// How many cells there are.
    pub cells: u32,
    /// How many columns there are.
    pub cols: u32,
}

/// Shifts that leave nothing where nothing can be left.
#[inline(always)]
const fn left(set: Cells, by: u32) -> Cells {
    if by < MAX_CELLS as u32 { set << by } else { 0 }
}

#[inline(always)]
const fn right(set: Cells, by: u32) -> Cells {
    if by < MAX_CELLS as u32 { set >> by } else { 0 }
}

impl<S: Shape> Grid<S> {
    /// The board of a position.
    #[must_use]
    pub fn new(shape: S, stacks: &Stacks) -> Grid<S> {
        let (rows, cols) = (u32::from(stacks.rows), u32::from(stacks.cols));
        let bottom: Cells = (0..cols).fold(0, |set, col| set | 1 << (col * (rows + 1)));
        Grid {
            shape,
            // Each column's bottom bit times 2^rows - 1 fills the column below the spare bit.
            board: bottom.wrapping_mul((1 << rows) - 1),
            bottom,
            lower: (0..rows)
                .filter(|row| row % 2 == rows % 2)
                .fold(0, |set, row| set | bottom << row),
            cells: rows * cols,
            cols,
        }
    }

    /// How many bits a key has.
    #[must_use]
    pub fn key_bits(&self) -> u32 {
        self.shape.stride() * self.cols
    }

    /// The length of a line.
    #[must_use]
    pub fn length(&self) -> u32 {
        self.shape.length()
    }

    /// The lowest free cell of each column that has one.
    #[must_use]
    #[inline(always)]
    pub fn playable(&self, occupied: Cells) -> Cells {
        occupied.wrapping_add(self.bottom) & self.board
    }

    /// The number of the column of a cell.
    #[must_use]
    #[inline(always)]
    pub fn column_of(&self, cell: Cells) -> u32 {
        cell.trailing_zeros() / self.shape.stride()
    }

    /// All cells of the column of a cell.
    #[must_use]
    #[inline(always)]
    pub fn column(&self, cell: Cells) -> Cells {
        let stride = self.shape.stride();
        ((1 << (stride - 1)) - 1) << (self.column_of(cell) * stride)
    }

    /// The free cells that complete a line of `own`, whenever they come into reach. Stones lie on
    /// stones: an upright line is only completed at its top.
    #[must_use]
    #[inline]
    pub fn threats(&self, own: Cells, occupied: Cells) -> Cells {
        let stride = self.shape.stride();
        let found = if self.shape.length() == 4 {
            let mut found = (own << 1) & (own << 2) & (own << 3);
            for step in [stride - 1, stride, stride + 1] {
                let (one_below, one_above) = (left(own, step), right(own, step));
                let below = one_below & left(own, 2 * step);
                found |= below & (left(own, 3 * step) | one_above);
                let above = one_above & right(own, 2 * step);
                found |= above & (right(own, 3 * step) | one_below);
            }
            found
        } else {
            self.steps().into_iter().fold(0, |found, step| found | self.gaps(own, step))
        };
        found & self.board & !occupied
    }

    /// The cells that complete a line along one direction.
    fn gaps(&self, own: Cells, step: u32) -> Cells {
        let length = self.shape.length();
        let mut found = 0;
        for before in 0..length {
            let run = (1..=before).fold(Cells::MAX, |run, n| run & left(own, n * step));
            found |= (1..length - before).fold(run, |run, n| run & right(own, n * step));
        }
        found
    }

    /// Whether a line fits into a set of cells.
    #[must_use]
    #[inline]
    pub fn has_line(&self, set: Cells) -> bool {
        self.steps().into_iter().any(|step| {
            if self.shape.length() == 4 {
                let pairs = set & right(set, step);
                pairs & right(pairs, 2 * step) != 0
            } else {
                (1..self.shape.length()).fold(set, |run, n| run & right(set, n * step)) != 0
            }
        })
    }

    /// How many lines fit into a set of cells.
    #[must_use]
    pub fn count_lines(&self, set: Cells) -> u32 {
        let lines = |step| {
            (1..self.shape.length()).fold(set, |run, n| run & right(set, n * step)).count_ones()
        };
        self.steps().into_iter().map(lines).sum()
    }

    /// The lines with one stone of `own` and none of `other`, for each direction by their first
    /// cells. None if lines are not of four.
    #[must_use]
    pub fn begun(&self, own: Cells, other: Cells) -> [Cells; DIRECTIONS] {
        if self.shape.length() != 4 {
            return [0; DIRECTIONS];
        }
        let open = self.board & !other;
        self.steps().map(|step| {
            let pairs = open & right(open, step);
            let (one, two) = (own | right(own, step), own & right(own, step));
            let at_least_one = one | right(one, 2 * step);
            let at_least_two = two | right(two, 2 * step) | (one & right(one, 2 * step));
            pairs & right(pairs, 2 * step) & at_least_one & !at_least_two
        })
    }

    /// How many of some lines, given by their first cells, go through a cell.
    #[must_use]
    pub fn lines_through(&self, lines: &[Cells; DIRECTIONS], cell: Cells) -> u32 {
        let through = |(lines, step): (&Cells, u32)| {
            let two = cell | right(cell, step);
            (lines & (two | right(two, 2 * step))).count_ones()
        };
        lines.iter().zip(self.steps()).map(through).sum()
    }

    /// From a cell to the next one, in each direction.
    #[inline(always)]
    fn steps(&self) -> [u32; DIRECTIONS] {
        let stride = self.shape.stride();
        [1, stride - 1, stride, stride + 1]
    }

    /// A set of cells, or a key, in the mirror.
    #[must_use]
    #[inline]
    pub fn mirrored(&self, set: u64) -> u64 {
        let stride = self.shape.stride();
        let column = Cells::MAX >> (MAX_CELLS as u32 - stride);
        let (mut rest, mut mirrored) = (set, 0);
        for _ in 0..self.cols {
            mirrored = left(mirrored, stride) | (rest & column);
            rest = right(rest, stride);
        }
        mirrored
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stacks(rows: u8, cols: u8, x: u16) -> Stacks {
        Stacks { rows, cols, x, stones: [0; 2] }
    }

    /// Columns filled from below, each to some height.
    fn piled_up(stacks: &Stacks, random: u64) -> Cells {
        let (rows, stride) = (u32::from(stacks.rows), u32::from(stacks.rows) + 1);
        (0..u32::from(stacks.cols)).fold(0, |set, column| {
            let height = (random >> (column % 16 * 4)) as u32 % (rows + 1);
            set | ((1 << height) - 1) << (column * stride)
        })
    }

    /// Threats the slow way: put a stone and look for a line.
    fn slow_threats<S: Shape>(grid: &Grid<S>, own: Cells, occupied: Cells) -> Cells {
        (0..MAX_CELLS as u32)
            .map(|bit| 1 << bit)
            .filter(|cell| grid.board & !occupied & cell != 0 && grid.has_line(own | cell))
            .fold(0, |set, cell| set | cell)
    }

    /// All lines of a board.
    fn lines<S: Shape>(grid: &Grid<S>) -> impl Iterator<Item = Cells> {
        let (board, length) = (grid.board, grid.length());
        grid.steps().into_iter().flat_map(move |step| {
            (0..MAX_CELLS as u32).filter_map(move |first| {
                let cells = (0..length).map(|n| left(1, first + n * step));
                let line = cells.clone().fold(0, |line, cell| line | cell);
                (line & !board == 0 && cells.clone().all(|cell| cell != 0)).then_some(line)
            })
        })
    }

    #[test]
    fn lines_are_counted_as_one_would_by_hand() {
        for (rows, cols, x) in [(6, 7, 4), (7, 8, 4), (5, 6, 5), (4, 4, 4)] {
            let stacks = stacks(rows, cols, x);
            let grid = Grid::new(Other::new(&stacks), &stacks);
            let mut random = 3;
            for _ in 0..200 {
                random = crate::game::keys::scatter(random);
                let (own, other) = (random & 0x1111_2222_4444_8181, !random & random << 9);
                let (own, other) = (own & grid.board, other & grid.board & !own);
                let count = lines(&grid).filter(|line| line & !own == 0).count() as u32;
                assert_eq!(grid.count_lines(own), count);
                let begun = grid.begun(own, other);
                for cell in (0..MAX_CELLS).map(|bit| 1 << bit).filter(|cell| grid.board & cell != 0)
                {
                    let begun_here = lines(&grid).filter(|line| {
                        line & cell != 0 && line & other == 0 && (line & own).count_ones() == 1
                    });
                    let expected = if x == 4 { begun_here.count() as u32 } else { 0 };
                    assert_eq!(grid.lines_through(&begun, cell), expected);
                }
            }
        }
    }

    #[test]
    fn threats_are_the_cells_that_complete_a_line() {
        for (rows, cols, x) in [(6, 7, 4), (4, 4, 4), (7, 8, 4), (5, 6, 5), (2, 21, 3), (6, 7, 2)] {
            let stacks = stacks(rows, cols, x);
            let grid = Grid::new(Other::new(&stacks), &stacks);
            let four = Grid::new(Four, &stacks);
            let mut random = 1;
            for _ in 0..300 {
                random = crate::game::keys::scatter(random);
                let occupied = piled_up(&stacks, random);
                random = crate::game::keys::scatter(random);
                let own = random & (random >> 7) & occupied;
                if grid.has_line(own) {
                    continue;
                }
                let threats = grid.threats(own, occupied);
                assert_eq!(threats, slow_threats(&grid, own, occupied), "{stacks:?} {own:x}");
                if Four::fits(&stacks) {
                    assert_eq!(threats, four.threats(own, occupied));
                }
                assert_eq!(grid.mirrored(grid.mirrored(own)), own);
            }
        }
    }
}
