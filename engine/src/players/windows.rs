//! Windows of `k` cells read straight from the stones of a position, for evaluations that are
//! sums over windows: what such a sum is, and what a stone adds to it.
//!
//! The games keep sums of their own, with the engine's weights; a player with other weights
//! starts from [`Windows::balance`] once a turn and follows the search with [`Windows::gain`],
//! which looks at the cells within `k - 1` steps of the stone in four directions and no others.

use crate::game::line::{Direction, MAX_WINDOW};
use crate::game::{Game, Side};
use crate::guarded::row_and_col;

/// The longest line that is read at once: a whole row of the largest board, or the reach of the
/// longest window to both sides of a cell.
const MAX_LINE: usize = 2 * MAX_WINDOW - 1;

/// The windows of a board.
#[derive(Clone, Copy, Debug)]
pub(in crate::players) struct Windows {
    rows: usize,
    cols: usize,
    /// Length of a window, or 0 if none fits the board.
    k: usize,
}

/// Cells of one line, in its order.
#[derive(Debug)]
pub(in crate::players) struct Line {
    stones: [Option<Side>; MAX_LINE],
    len: usize,
    /// Where in it the cell is that was asked for.
    pub at: usize,
}

impl Line {
    /// The stones.
    pub fn stones(&self) -> &[Option<Side>] {
        self.stones.get(..self.len).unwrap_or(&[])
    }
}

impl Windows {
    pub fn new(rows: usize, cols: usize, k: usize) -> Windows {
        let fits = k <= rows.max(cols) && k <= MAX_WINDOW;
        Windows { rows, cols, k: if fits { k } else { 0 } }
    }

    /// The length of a window, or 0 if none fits the board.
    pub fn k(&self) -> usize {
        self.k
    }

    /// The most cells that are looked at around one cell, at least 1.
    pub fn cells_around(&self) -> usize {
        (8 * self.k.saturating_sub(1)).max(1)
    }

    /// The line through a cell as far as windows with the cell in it reach, or `None` if there is
    /// no such window. The cell itself is taken for empty.
    pub fn line_through<G: Game>(
        &self,
        game: &G,
        cell: usize,
        direction: Direction,
    ) -> Option<Line> {
        let (row, col) = row_and_col(cell, self.cols);
        let (back, forward) = direction.reach(row, col, self.rows, self.cols);
        let most = self.k.checked_sub(1)?;
        let (back, forward) = (back.min(most), forward.min(most));
        let first = cell - back * self.step(direction);
        let mut line = self.read(game, first, direction, back + forward + 1, cell)?;
        line.at = back;
        Some(line)
    }

    /// Calls `visit` with every window through a cell: the stones of the first and of the second
    /// player in it. The cell itself is taken for empty.
    pub fn through<G: Game>(&self, game: &G, cell: usize, mut visit: impl FnMut([usize; 2])) {
        for direction in Direction::ALL {
            if let Some(line) = self.line_through(game, cell, direction) {
                self.slide(&line, &mut visit);
            }
        }
    }

    /// What a stone of `side` on an empty cell adds to the side's lead, if a window with `n`
    /// stones of one player and none of the other is worth `worth(n)` to that player. A stone
    /// that lies there already is taken for not yet there.
    #[inline(never)] // Its buffers must not stay on the stack at every depth of a search.
    pub fn gain<G: Game>(
        &self,
        game: &G,
        cell: usize,
        side: Side,
        worth: impl Fn(usize) -> i64,
    ) -> i64 {
        let mut gain = 0;
        self.through(game, cell, |stones| {
            let (own, their) = (stones[side.index()], stones[side.other().index()]);
            if their == 0 {
                gain += worth(own + 1) - worth(own);
            }
            if own == 0 {
                gain += worth(their);
            }
        });
        gain
    }

    /// The lead of the first player over the windows of one direction. Looks at every cell once.
    pub fn balance<G: Game>(
        &self,
        game: &G,
        direction: Direction,
        worth: impl Fn(usize) -> i64,
    ) -> i64 {
        let mut balance = 0;
        for first in 0..self.rows * self.cols {
            let (row, col) = row_and_col(first, self.cols);
            let (back, forward) = direction.reach(row, col, self.rows, self.cols);
            if back > 0 {
                continue;
            }
            let Some(line) = self.read(game, first, direction, forward + 1, usize::MAX) else {
                continue;
            };
            self.slide(&line, |[own, their]| {
                if their == 0 {
                    balance += worth(own);
                }
                if own == 0 {
                    balance -= worth(their);
                }
            });
        }
        balance
    }

    /// Reads `len` cells, or `None` if no window fits in them. The cell `empty` is taken for
    /// empty.
    fn read<G: Game>(
        &self,
        game: &G,
        first: usize,
        direction: Direction,
        len: usize,
        empty: usize,
    ) -> Option<Line> {
        if self.k == 0 || len < self.k {
            return None;
        }
        let step = self.step(direction);
        let mut line = Line { stones: [None; MAX_LINE], len, at: 0 };
        for (n, slot) in line.stones.get_mut(..len)?.iter_mut().enumerate() {
            let cell = first + n * step;
            *slot = if cell == empty { None } else { game.stone(cell) };
        }
        Some(line)
    }

    /// Calls `visit` with the stones in every window of a line.
    fn slide(&self, line: &Line, mut visit: impl FnMut([usize; 2])) {
        let stones = line.stones();
        let mut count = [0; 2];
        let mut leaving = stones.iter();
        for (n, stone) in stones.iter().enumerate() {
            if let Some(side) = stone {
                count[side.index()] += 1;
            }
            if n + 1 >= self.k {
                visit(count);
                if let Some(Some(side)) = leaving.next() {
                    count[side.index()] -= 1;
                }
            }
        }
    }

    /// How much a cell's number grows per step.
    fn step(&self, direction: Direction) -> usize {
        let (down, right) = direction.delta();
        (self.cols * down.unsigned_abs()).wrapping_add_signed(right)
    }
}
