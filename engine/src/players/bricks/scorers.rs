//! What a bricks position looks like to the players of TP3, group 14 (Aronson and Ravasi): the
//! judge's points, and four ways to add the room that a colour has to grow.
//!
//! *Room* in a direction means that a brick fits there: the neighbour is empty and has an empty
//! neighbour itself.
//!
//! An evaluation copies the board into a frame of border cells, so that every cell has four
//! neighbours, and looks at every cell a small number of times: at most 400 cells, about 2 KiB of
//! stack, no memory of the last one. It differs from the report in nothing but the bounds of the
//! parameters, which keep every sum inside an `i64`.

use heapless::Vec;

use crate::game::{Game, Side};
use crate::guarded::{Array, Guarded};
use crate::spec::BRICKS_MAX_SIDE;

/// The greatest weight of a cell, of a free cell beside it or of a direction.
pub const MAX_WEIGHT: u32 = 40;
/// The greatest exponent.
pub const MAX_EXPONENT: u32 = 4;

const MAX_SIDE: usize = BRICKS_MAX_SIDE as usize;
const MAX_CELLS: usize = MAX_SIDE * MAX_SIDE;
/// Cells of a row of the board with its border.
const STRIDE: usize = MAX_SIDE + 2;
/// Up, left, down, right, to be added with wrap-around: the authors' order.
const DIRECTIONS: [usize; 4] = [STRIDE.wrapping_neg(), 1_usize.wrapping_neg(), STRIDE, 1];

// All islands together have no more cells than the board, and every pair of free cells that is
// counted has a cell that was not marked before; a sum of powers is at most the power of the sum.
const _: () = {
    let most = MAX_CELLS as i64 * 3 * MAX_WEIGHT as i64;
    assert!(most.checked_pow(MAX_EXPONENT).is_some());
};

/// How a position is valued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scorer {
    /// The judge's points: the cells of every island, squared.
    Points,
    /// `scorer1`: points, and 1 for every cell with room in some direction.
    Room,
    /// `scorer2`: points, and 1 for every cell and direction with room.
    Directions,
    /// `scorer3`: points, and for every cell `(adj x directions with room) ^ exp`.
    Weighted {
        /// What a direction counts for.
        adj: u32,
        /// The power that a cell's directions are raised to.
        exp: u32,
    },
    /// `scorer4`: for every island `(tile x cells + adj x free cells beside) ^ exp`, where the
    /// free cells are counted in pairs, and no pair twice.
    ///
    /// Islands are met by rows and walked breadth first. At every cell each empty neighbour is
    /// taken together with its first empty neighbour that has no mark; both get one. Marks last
    /// for the whole evaluation, so an island that is met later finds less room.
    Spread {
        /// What a cell counts for.
        tile: u32,
        /// What a free cell beside counts for.
        adj: u32,
        /// The power that an island is raised to.
        exp: u32,
    },
}

impl Scorer {
    /// The totals of both sides, the first player's first.
    // Not inlined: its board must not lie in every frame of the recursive search.
    #[inline(never)]
    pub fn totals<G: Game>(self, game: &G) -> [i64; 2] {
        let mut board = Board::of(game);
        let [tile, adj, exp] = match self {
            Scorer::Spread { tile, adj, exp } => [tile, adj, exp],
            _ => [1, 0, 2],
        };
        let mut totals = board.islands(i64::from(tile), i64::from(adj), exp);
        let bonus = |directions: usize| match self {
            Scorer::Points | Scorer::Spread { .. } => 0,
            Scorer::Room => i64::from(directions > 0),
            Scorer::Directions => directions as i64,
            Scorer::Weighted { adj, exp } => {
                i64::from(adj).saturating_mul(directions as i64).saturating_pow(exp)
            }
        };
        if matches!(self, Scorer::Room | Scorer::Directions | Scorer::Weighted { .. }) {
            for (cell, side) in board.stones() {
                let total = &mut totals[side.index()];
                *total = total.saturating_add(bonus(board.directions_with_room(cell)));
            }
        }
        totals
    }

    /// The value for the side to move: its own total minus the opponent's.
    pub fn value<G: Game>(self, game: &G) -> i64 {
        let totals = self.totals(game);
        let side = game.side_to_move();
        totals[side.index()].saturating_sub(totals[side.other().index()])
    }

    /// Whether a finished game is worth the judge's margin: where no brick fits there is no room,
    /// so only the weight of a cell and the exponent make a difference.
    #[must_use]
    pub const fn ends_with_the_margin(self) -> bool {
        !matches!(self, Scorer::Spread { .. })
    }
}

/// What is on a cell.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Square {
    Border,
    Empty,
    Stone(Side),
}

/// The board in a frame of border cells, and marks.
///
/// ```text
///   # # # # #      A board of 2x2 in the upper left corner; the rest is border too. Cells are
///   # . . # #      numbered by rows of STRIDE. The neighbours of all cells but those of the
///   # . . # #      border are inside the array.
///   # # # # #
/// ```
struct Board {
    rows: usize,
    cols: usize,
    squares: Array<Square, { STRIDE * STRIDE }>,
    marked: Array<bool, { STRIDE * STRIDE }>,
}

impl Board {
    /// Copies the board. Rows and columns beyond what bricks has are left out.
    fn of<G: Game>(game: &G) -> Board {
        let (rows, width) = (game.spec().rows().min(MAX_SIDE), game.spec().cols());
        let cols = width.min(MAX_SIDE);
        let mut squares = [Square::Border; STRIDE * STRIDE];
        for row in 0..rows {
            let start = (row + 1) * STRIDE + 1;
            for (col, square) in squares[start..start + cols].iter_mut().enumerate() {
                *square = game.stone(row * width + col).map_or(Square::Empty, Square::Stone);
            }
        }
        Board {
            rows,
            cols,
            squares: Guarded::new(squares, Square::Border),
            marked: Guarded::new([false; STRIDE * STRIDE], true),
        }
    }

    /// The stones by rows.
    fn stones(&self) -> impl Iterator<Item = (usize, Side)> {
        let starts = (1..=self.rows).map(|row| row * STRIDE + 1);
        let cells = starts.flat_map(|start| start..start + self.cols);
        cells.filter_map(|cell| match self.squares[cell] {
            Square::Stone(side) => Some((cell, side)),
            Square::Border | Square::Empty => None,
        })
    }

    fn neighbours(cell: usize) -> [usize; 4] {
        DIRECTIONS.map(|step| cell.wrapping_add(step))
    }

    fn is_empty(&self, cell: usize) -> bool {
        self.squares[cell] == Square::Empty
    }

    /// In how many directions from a stone a brick fits.
    fn directions_with_room(&self, stone: usize) -> usize {
        Self::neighbours(stone)
            .into_iter()
            .filter(|&beside| self.is_empty(beside))
            .filter(|&beside| Self::neighbours(beside).iter().any(|&beyond| self.is_empty(beyond)))
            .count()
    }

    /// For each side the sum over its islands of what they are worth. Marks what it meets.
    fn islands(&mut self, tile: i64, adj: i64, exp: u32) -> [i64; 2] {
        let mut totals = [0_i64; 2];
        let mut waiting = Vec::new();
        for row in 1..=self.rows {
            for cell in row * STRIDE + 1..=row * STRIDE + self.cols {
                if let Square::Stone(side) = self.squares[cell]
                    && !self.marked[cell]
                {
                    let worth = self.island(cell, tile, adj, &mut waiting).saturating_pow(exp);
                    let total = &mut totals[side.index()];
                    *total = total.saturating_add(worth);
                }
            }
        }
        totals
    }

    /// The cells of the island that `start` lies on, and the room around them, each with its
    /// weight.
    fn island(
        &mut self,
        start: usize,
        tile: i64,
        adj: i64,
        waiting: &mut Vec<u16, MAX_CELLS>,
    ) -> i64 {
        let colour = self.squares[start];
        let mut sum = 0_i64;
        // Every cell waits at most once: there is room for all.
        waiting.clear();
        let _ = waiting.push(start as u16);
        self.marked[start] = true;
        let mut next = 0;
        while let Some(&cell) = waiting.get(next) {
            next += 1;
            let cell = usize::from(cell);
            sum = sum.saturating_add(tile);
            for beside in Self::neighbours(cell) {
                if self.squares[beside] == colour && !self.marked[beside] {
                    self.marked[beside] = true;
                    let _ = waiting.push(beside as u16);
                }
            }
            if adj == 0 {
                continue;
            }
            for beside in Self::neighbours(cell) {
                if self.is_empty(beside)
                    && let Some(beyond) = Self::neighbours(beside)
                        .into_iter()
                        .find(|&beyond| self.is_empty(beyond) && !self.marked[beyond])
                {
                    self.marked[beside] = true;
                    self.marked[beyond] = true;
                    sum = sum.saturating_add(adj.saturating_mul(2));
                }
            }
        }
        sum
    }
}
