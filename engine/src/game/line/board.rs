//! A board of any size for games of k-in-a-row, with all line values kept up to date.
//!
//! Placing a stone looks at the `2k - 1` cells around it in each direction, twice: once sliding
//! a window over them to see what each window through the stone is worth before and after, once
//! sliding over these differences to bring every cell's points up to date. Nothing is stored per
//! window, so a board costs five bytes a cell. Taking the stone away runs the same code with
//! the opposite sign and therefore restores every number.

use super::{Direction, MAX_WINDOW, Weights, cell_order, evaluate};
use crate::game::Side;
use crate::game::keys::Keys;
use crate::guarded::{Array, Guarded, List, row_and_col};
use crate::score::Score;
use crate::spec::SpecError;

const EMPTY: u8 = 0;
/// In how many columns windows that lack one stone are counted; where memory is scarce nobody asks.
const COUNTED_COLS: usize = if cfg!(feature = "compact") { 0 } else { MAX_WINDOW };
/// How the stones make the key.
pub const KEYS: Keys = Keys::Hashed;

/// Stones, points per cell and totals per side. `CELLS` is the capacity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineBoard<const CELLS: usize> {
    rows: u16,
    cols: u16,
    /// Length of a window, or 0 if none fits the board.
    k: u16,
    exact: bool,
    winner: Option<Side>,
    weights: Weights,
    key: u64,
    totals: [i64; 2],
    live: [u32; 2],
    almost: [u32; 2],
    /// The windows of both sides that lack one stone only, by the column of the cell that they lack.
    lacking: Array<u16, COUNTED_COLS>,
    /// As long as the board has cells; what the capacity has beyond is never touched.
    stones: List<u8, CELLS>,
    points: List<[u16; 2], CELLS>,
}

impl<const CELLS: usize> LineBoard<CELLS> {
    /// An empty board. A `k` beyond both sides is allowed: nobody can win then.
    ///
    /// # Errors
    /// The board has more cells than the capacity.
    pub fn new(rows: u8, cols: u8, k: u16, exact: bool) -> Result<Self, SpecError> {
        let mut board = Self::blank();
        board.start(rows, cols, k, exact)?;
        Ok(board)
    }

    /// A board of no size, to be started.
    #[inline(always)]
    pub(crate) fn blank() -> Self {
        LineBoard {
            rows: 0,
            cols: 0,
            k: 0,
            exact: false,
            winner: None,
            weights: Weights::NONE,
            key: 0,
            totals: [0; 2],
            live: [0; 2],
            almost: [0; 2],
            lacking: Guarded::new([0; COUNTED_COLS], 0),
            stones: Guarded::new(heapless::Vec::new(), EMPTY),
            points: Guarded::new(heapless::Vec::new(), [0; 2]),
        }
    }

    /// Makes a blank board an empty board of this size, in place.
    pub(crate) fn start(
        &mut self,
        rows: u8,
        cols: u8,
        k: u16,
        exact: bool,
    ) -> Result<(), SpecError> {
        let cells = usize::from(rows) * usize::from(cols);
        let too_large = |_| SpecError::TooLarge { capacity: CELLS };
        self.stones.resize(cells, EMPTY).map_err(too_large)?;
        self.points.resize(cells, [0; 2]).map_err(too_large)?;
        let fits = k <= u16::from(rows.max(cols)) && usize::from(k) <= MAX_WINDOW;
        self.rows = rows.into();
        self.cols = cols.into();
        self.k = if fits { k } else { 0 };
        self.exact = exact;
        self.weights = Weights::new(self.k.into());
        if self.k > 0 {
            self.count_empty_windows(self.k.into());
        }
        Ok(())
    }

    /// Sets totals and points of the empty board.
    fn count_empty_windows(&mut self, k: usize) {
        let (rows, cols) = (self.rows(), self.cols());
        let weight = self.weights.of(0);
        let windows: usize = Direction::ALL.iter().map(|d| d.windows(rows, cols, k)).sum();
        self.totals = [windows as i64 * i64::from(weight); 2];
        self.live = [windows as u32; 2];
        // With k = 1 every empty cell already lacks just one stone.
        self.almost = [if k == 1 { windows as u32 } else { 0 }; 2];
        for cell in 0..rows * cols {
            let (row, col) = row_and_col(cell, cols);
            let mut through = 0;
            for direction in Direction::ALL {
                let (back, forward) = direction.reach(row, col, rows, cols);
                let span = back.min(k - 1) + forward.min(k - 1) + 1;
                through += (span + 1).saturating_sub(k);
            }
            self.points[cell] = [through as u16 * weight as u16; 2];
        }
    }

    /// Rows of the board.
    #[must_use]
    #[inline]
    pub fn rows(&self) -> usize {
        usize::from(self.rows)
    }

    /// Columns of the board.
    #[must_use]
    #[inline]
    pub fn cols(&self) -> usize {
        usize::from(self.cols)
    }

    /// Cells of the board.
    #[must_use]
    #[inline]
    pub fn cells(&self) -> usize {
        self.rows() * self.cols()
    }

    /// Whose stone lies on a cell of the board.
    #[must_use]
    #[inline]
    pub fn stone(&self, cell: usize) -> Option<Side> {
        match self.at(cell) {
            EMPTY => None,
            1 => Some(Side::First),
            _ => Some(Side::Second),
        }
    }

    /// What lies on a cell; nothing outside the board.
    #[inline(always)]
    fn at(&self, cell: usize) -> u8 {
        debug_assert!(cell < self.cells(), "cell {cell} is outside");
        self.stones.get(cell).copied().unwrap_or(EMPTY)
    }

    /// Whether a cell of the board is empty.
    #[must_use]
    #[inline]
    pub fn is_empty(&self, cell: usize) -> bool {
        self.at(cell) == EMPTY
    }

    /// The side that has completed a line.
    #[must_use]
    pub fn winner(&self) -> Option<Side> {
        self.winner
    }

    /// Zobrist key of the stones.
    #[must_use]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// The sum of a side's live windows.
    #[must_use]
    pub fn total(&self, side: Side) -> i64 {
        self.totals[side.index()]
    }

    /// How many windows a side can still fill.
    #[must_use]
    pub fn live_windows(&self, side: Side) -> u32 {
        self.live[side.index()]
    }

    /// How many windows of a side lack one stone only.
    #[must_use]
    pub fn almost_complete(&self, side: Side) -> u32 {
        self.almost[side.index()]
    }

    /// What such a window is worth.
    #[must_use]
    pub fn almost_weight(&self) -> i64 {
        self.weights.of(usize::from(self.k).saturating_sub(1)).into()
    }

    /// Whether a column may have a cell that completes a line of a side: surely not if this says no. Lines of
    /// one stone, which every cell completes, do not count.
    #[must_use]
    #[inline]
    pub fn may_complete_in(&self, col: usize) -> bool {
        self.lacking.get(col).is_some_and(|&windows| windows > 0)
    }

    /// Notes down windows that lack this cell only, more of them or less.
    fn count_lacking(&mut self, cell: usize, by: i32) {
        if COUNTED_COLS == 0 || self.k < 2 {
            return;
        }
        let (_, col) = row_and_col(cell, self.cols());
        if let Some(windows) = self.lacking.get_mut(col) {
            *windows = windows.wrapping_add_signed(by as i16);
        }
    }

    /// Whether a side may have a cell that completes a line: surely not if this says no.
    #[must_use]
    pub fn may_complete(&self, side: Side) -> bool {
        self.almost_complete(side) > 0
    }

    /// What an empty cell counts for in the order of moves.
    #[must_use]
    #[inline]
    pub fn order(&self, cell: usize) -> u32 {
        let [one, other] = Side::BOTH.map(|side| self.points(cell, side));
        cell_order(one, other)
    }

    /// A guess of the score for a side to move.
    #[must_use]
    pub fn evaluate(&self, us: Side) -> Score {
        evaluate(self.total(us), self.total(us.other()))
    }

    /// A cell's points for a side.
    #[must_use]
    #[inline]
    pub fn points(&self, cell: usize, side: Side) -> u32 {
        self.points.get(cell).map_or(0, |points| u32::from(points[side.index()]))
    }

    /// Whether a stone of `side` on the empty cell would win.
    #[must_use]
    #[inline]
    pub fn completes(&self, cell: usize, side: Side) -> bool {
        // The points are a quick check: a window that lacks one stone has the top weight.
        let k = usize::from(self.k);
        k > 0
            && self.almost[side.index()] > 0
            && self.points(cell, side) >= self.weights.of(k - 1) as u32
            && self.makes_line(cell, side)
    }

    /// The same by looking at the runs of stones beside the cell.
    fn makes_line(&self, cell: usize, side: Side) -> bool {
        let (rows, cols, k) = (self.rows(), self.cols(), usize::from(self.k));
        let (row, col) = row_and_col(cell, cols);
        let stone = 1 + side.index() as u8;
        Direction::ALL.iter().any(|direction| {
            let (back, forward) = direction.reach(row, col, rows, cols);
            let step = direction.step(cols);
            // One cell more than a line needs, to tell an overline.
            let behind = (1..=back.min(k)).take_while(|n| self.at(cell - n * step) == stone);
            let ahead = (1..=forward.min(k)).take_while(|n| self.at(cell + n * step) == stone);
            let run = 1 + behind.count() + ahead.count();
            if self.exact { run == k } else { run >= k }
        })
    }

    /// Puts a stone on an empty cell.
    pub fn place(&mut self, cell: usize, side: Side) {
        let completed = self.update(cell, side, 1);
        if completed && (!self.exact || self.makes_line(cell, side)) {
            self.winner = Some(side);
        }
        self.stones[cell] = 1 + side.index() as u8;
        self.key = KEYS.with(self.key, cell, side);
    }

    /// Takes the stone that was placed last away again.
    pub fn remove(&mut self, cell: usize, side: Side) {
        self.key = KEYS.without(self.key, cell, side);
        self.stones[cell] = EMPTY;
        self.winner = None;
        self.update(cell, side, -1);
    }

    /// Brings all numbers up to date for a stone that comes (`sign` 1) or goes (-1), while its
    /// cell is empty. Tells whether the stone fills a window.
    fn update(&mut self, cell: usize, side: Side, sign: i32) -> bool {
        let k = usize::from(self.k);
        if k == 0 {
            return false;
        }
        let (rows, cols) = (self.rows(), self.cols());
        let (row, col) = row_and_col(cell, cols);
        let (own, their) = (side.index(), side.other().index());
        let own_stone = 1 + own as u8;
        let mut completed = false;
        let mut changes = [[0i16; 2]; MAX_WINDOW];
        for direction in Direction::ALL {
            let (back, forward) = direction.reach(row, col, rows, cols);
            let (back, forward) = (back.min(k - 1), forward.min(k - 1));
            let span = back + forward + 1;
            if span < k {
                continue;
            }
            let step = direction.step(cols);
            let first = cell - back * step;
            let windows = span - k + 1;

            // Own and their stones in the window, as it slides.
            let mut count = [0usize; 2];
            let mut at = first;
            for _ in 0..k - 1 {
                count_stone(&mut count, self.at(at), own_stone, 1);
                at += step;
            }
            let mut leaving = first;
            let mut total_change = [0i32; 2];
            for change in changes.iter_mut().take(windows) {
                count_stone(&mut count, self.at(at), own_stone, 1);
                let [own_count, their_count] = count;
                *change = [0; 2];
                if their_count == 0 {
                    let grown = self.weights.of(own_count + 1) - self.weights.of(own_count);
                    change[0] = grown as i16;
                    total_change[0] += grown;
                    if own_count + 1 == k {
                        completed = true;
                        self.almost[own] = self.almost[own].wrapping_add_signed(-sign);
                        self.count_lacking(cell, -sign);
                    } else if own_count + 2 == k {
                        self.almost[own] = self.almost[own].wrapping_add_signed(sign);
                        let mut window = (0..k).map(|n| leaving + n * step);
                        if let Some(other) = window.find(|&at| at != cell && self.is_empty(at)) {
                            self.count_lacking(other, sign);
                        }
                    }
                }
                if own_count == 0 {
                    let lost = self.weights.of(their_count);
                    change[1] = -lost as i16;
                    total_change[1] -= lost;
                    self.live[their] = self.live[their].wrapping_add_signed(-sign);
                    if their_count + 1 == k {
                        self.almost[their] = self.almost[their].wrapping_add_signed(-sign);
                        self.count_lacking(cell, -sign);
                    }
                }
                count_stone(&mut count, self.at(leaving), own_stone, -1);
                at += step;
                leaving += step;
            }
            if total_change == [0; 2] {
                continue;
            }
            self.totals[own] += i64::from(sign * total_change[0]);
            self.totals[their] += i64::from(sign * total_change[1]);

            // Every cell gets the sum over the windows that cover it and the stone.
            let mut sum = [0i32; 2];
            let mut at = first;
            let (mut coming, mut going) = (changes.iter().take(windows), changes.iter());
            for n in 0..span {
                if let Some(change) = coming.next() {
                    sum[0] += i32::from(change[0]);
                    sum[1] += i32::from(change[1]);
                }
                if n >= k
                    && let Some(change) = going.next()
                {
                    sum[0] -= i32::from(change[0]);
                    sum[1] -= i32::from(change[1]);
                }
                let Some(points) = self.points.get_mut(at) else { break };
                points[own] = points[own].wrapping_add_signed((sign * sum[0]) as i16);
                points[their] = points[their].wrapping_add_signed((sign * sum[1]) as i16);
                at += step;
            }
        }
        completed
    }
}

/// Adds a cell's stone, if any, to the counts of own and their stones.
#[inline]
fn count_stone(count: &mut [usize; 2], stone: u8, own_stone: u8, by: isize) {
    if stone != EMPTY {
        let slot = usize::from(stone != own_stone);
        count[slot] = count[slot].wrapping_add_signed(by);
    }
}

impl Direction {
    /// How much a cell's number grows per step.
    pub(super) fn step(self, cols: usize) -> usize {
        match self {
            Direction::Right => 1,
            Direction::Down => cols,
            Direction::DownRight => cols + 1,
            Direction::DownLeft => cols - 1,
        }
    }
}
