//! A board of any size for mnk, with a class per empty cell, direction and side kept up to date.
//!
//! The class of a cell tells what a stone there would make of the best window through it in one
//! direction: how many stones the window then still *needs*, and whether it is *open*: there is a
//! second way to finish it, so that one stone of the opponent does not stop it. In gomoku these are
//! the fours, threes and twos, open and closed; counted by what is missing they mean the same for
//! every `k`.
//!
//! ```text
//! class  15        14      13      12      11     ...   2          1           0
//! needs  nothing   1       1       2       2      ...   7 or more  7 or more   dead
//!                  open    closed  open    closed       open       closed
//! ```
//!
//! A class depends on the cells less than `k` steps away (`k` under the exact rule), so a stone
//! changes those of the cells that near. For lines of five they are read from a table in flash; for
//! other lengths they are worked out by sliding windows. The class of an occupied cell stays as it was:
//! when its stone is taken away all later ones are gone, so it is right again.
//!
//! A cell costs five bytes: the stone and four classes of four bits per side.

mod fives;
mod order;
mod sliding;

use super::Direction;
use crate::game::Side;
use crate::game::line::board::KEYS;
use crate::guarded::{Array, Guarded, List, row_and_col};
use crate::score::{Score, clamp_heuristic};
use crate::spec::SpecError;

const EMPTY: u8 = 0;

/// The class of a cell where a stone completes a line.
pub const COMPLETES: usize = 15;
/// The class of a cell where a stone makes two cells that complete a line.
pub const OPEN_FOUR: usize = 14;
/// The class of a cell where a stone makes one cell that completes a line.
pub const FOUR: usize = 13;
/// The class of a cell where a stone makes two cells of class [`OPEN_FOUR`] or [`FOUR`].
pub const OPEN_THREE: usize = 12;
/// How many classes there are.
pub const CLASSES: usize = 16;

/// What must be missing for a window to be told from one that needs more.
const MOST_NEEDED: usize = 7;

/// The class of a window that needs this many stones after the one that is placed.
const fn class(needs: usize, open: bool) -> u8 {
    match needs {
        0 => COMPLETES as u8,
        _ => {
            let needs = if needs > MOST_NEEDED { MOST_NEEDED } else { needs };
            (COMPLETES - 2 * needs) as u8 + open as u8
        }
    }
}

/// What cells are worth to one side by their classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prices {
    /// By class, for one direction.
    pub classes: [i16; CLASSES],
    /// For a cell that makes a four in one direction and an open three in another.
    pub four_three: i16,
    /// For a cell that makes open threes in two directions.
    pub three_three: i16,
}

/// What a position is worth by the classes of its cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Worth {
    /// What the side to move has.
    pub mover: Prices,
    /// What the other side has.
    pub waiter: Prices,
    /// To be the side to move is worth this.
    pub tempo: i16,
}

impl Worth {
    /// For lines of five; `tavola tune` looks for better ones.
    pub const OF_FIVES: Worth = Worth {
        mover: Prices {
            classes: [0, 0, 0, 0, 0, 0, 0, -13, -7, 2, 14, 29, 158, 239, 640, 1_200],
            four_three: 980,
            three_three: 297,
        },
        waiter: Prices {
            classes: [0, 0, 0, 0, 0, 0, 0, -13, -8, 1, 8, 29, 89, 241, 640, 1_200],
            four_three: 480,
            three_three: 130,
        },
        tempo: 42,
    };

    /// For lines of any other length.
    pub const OF_OTHERS: Worth = {
        let prices = Prices {
            classes: [0, 1, 2, 3, 5, 6, 9, 4, 6, 9, 22, 32, 160, 130, 520, 1_200],
            four_three: 500,
            three_three: 200,
        };
        Worth { mover: prices, waiter: prices, tempo: 150 }
    };

    /// What is played with.
    #[must_use]
    pub const fn for_length(k: u16) -> Worth {
        if k == fives::LENGTH as u16 { Worth::OF_FIVES } else { Worth::OF_OTHERS }
    }
}

/// What the evaluation counts for a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Census {
    /// Empty cells by class, each once per direction.
    pub classes: [u16; CLASSES],
    /// Cells that make a four and an open three.
    pub four_threes: u16,
    /// Cells that make open threes in two directions, and no four.
    pub three_threes: u16,
}

/// The classes of a cell: a byte per direction, the first player's class in its low half and the
/// second player's in its high half.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Classes([u8; 4]);

impl Classes {
    const DEAD: Classes = Classes([0; 4]);

    /// One side's classes in the four directions.
    #[inline]
    fn of(self, side: usize) -> [usize; 4] {
        self.0.map(|both| usize::from(class_of(both, side)))
    }

    fn completes(self, side: usize) -> bool {
        self.of(side).contains(&COMPLETES)
    }

    /// Whether a stone here makes a cell that completes a line, but completes none itself.
    fn makes_four(self, side: usize) -> bool {
        !self.completes(side) && self.of(side).into_iter().any(|class| class >= FOUR)
    }

    /// Whether a stone here makes two such cells at least.
    fn makes_two_fours(self, side: usize) -> bool {
        let fours = |class| match class {
            OPEN_FOUR => 2,
            FOUR => 1,
            _ => 0,
        };
        !self.completes(side) && self.of(side).into_iter().map(fours).sum::<u8>() >= 2
    }
}

/// One side's class of both sides' in a direction.
#[inline]
const fn class_of(both: u8, side: usize) -> u8 {
    if side == 0 { both & 0xF } else { both >> 4 }
}

/// What a side has in its empty cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stock {
    /// Cells by class, each once per direction.
    classes: [u16; CLASSES],
    /// Cells that complete a line.
    completing: u16,
    /// Cells that make one that does.
    fours: u16,
    /// Cells that make two that do.
    double_fours: u16,
    /// Cells that make a four, and an open three besides.
    four_threes: u16,
    /// Cells that make open threes in two directions, and no four.
    three_threes: u16,
    /// Cells that make an open three or more.
    hot: u16,
}

impl Stock {
    const NONE: Stock = Stock {
        classes: [0; CLASSES],
        completing: 0,
        fours: 0,
        double_fours: 0,
        four_threes: 0,
        three_threes: 0,
        hot: 0,
    };

    /// What all of it is worth.
    fn worth(&self, prices: &Prices) -> i32 {
        let of = |count: u16, price: i16| i32::from(count) * i32::from(price);
        let plain = self.classes.iter().zip(prices.classes);
        plain.map(|(&count, price)| of(count, price)).sum::<i32>()
            + of(self.four_threes, prices.four_three)
            + of(self.three_threes, prices.three_three)
    }

    /// Counts a cell with these marks, besides its classes, once more (`sign` 1) or once less (-1).
    #[inline]
    fn count_special(&mut self, marks: Marks, sign: i16) {
        if marks.0 == 0 {
            return;
        }
        let count = |slot: &mut u16| *slot = slot.wrapping_add_signed(sign);
        count(&mut self.hot);
        let (threes, fours) = (marks.threes(), marks.fours());
        if fours > 0 && threes > 0 {
            count(&mut self.four_threes);
        } else if threes > 1 {
            count(&mut self.three_threes);
        }
        if marks.completes() {
            count(&mut self.completing);
        } else if fours > 0 {
            count(&mut self.fours);
            if fours > 1 {
                count(&mut self.double_fours);
            }
        }
    }
}

/// How many of a cell's directions have one of the classes that are counted apart, in fields side by side.
#[derive(Clone, Copy)]
struct Marks(u16);

impl Marks {
    const FOURS_SHIFT: u32 = 3;
    const COMPLETES_SHIFT: u32 = 7;

    /// By class. An open four counts as two fours.
    const OF: [u16; CLASSES] = {
        let mut marks = [0; CLASSES];
        marks[OPEN_THREE] = 1;
        marks[FOUR] = 1 << Self::FOURS_SHIFT;
        marks[OPEN_FOUR] = 2 << Self::FOURS_SHIFT;
        marks[COMPLETES] = 1 << Self::COMPLETES_SHIFT;
        marks
    };

    #[inline]
    fn new(classes: Classes, side: usize) -> Marks {
        Marks(classes.of(side).into_iter().map(|class| Self::OF[class % CLASSES]).sum())
    }

    #[inline]
    fn with(self, less: u8, more: u8) -> Marks {
        let of = |class: u8| Self::OF[usize::from(class) % CLASSES];
        Marks((self.0 + of(more)).wrapping_sub(of(less)))
    }

    fn threes(self) -> u16 {
        self.0 & 0x7
    }

    fn fours(self) -> u16 {
        self.0 >> Self::FOURS_SHIFT & 0xF
    }

    fn completes(self) -> bool {
        self.0 >> Self::COMPLETES_SHIFT != 0
    }
}

/// Counts an empty cell with these classes once more (`sign` 1) or once less (-1).
fn book(stocks: &mut [Stock; 2], classes: Classes, sign: i16) {
    for (side, stock) in stocks.iter_mut().enumerate() {
        for class in classes.of(side) {
            let slot = &mut stock.classes[class % CLASSES];
            *slot = slot.wrapping_add_signed(sign);
        }
        stock.count_special(Marks::new(classes, side), sign);
    }
}

/// Gives an empty cell other classes in a direction.
fn rebook(stocks: &mut [Stock; 2], classes: &mut Classes, direction: usize, new: u8) {
    let old = classes.0[direction % 4];
    for (side, stock) in stocks.iter_mut().enumerate() {
        let (old, new) = (class_of(old, side), class_of(new, side));
        if old == new {
            continue;
        }
        let less = &mut stock.classes[usize::from(old) % CLASSES];
        *less = less.wrapping_sub(1);
        let more = &mut stock.classes[usize::from(new) % CLASSES];
        *more = more.wrapping_add(1);
        // Most cells have no class that is counted apart.
        if (old | new) as usize >= OPEN_THREE {
            let marks = Marks::new(*classes, side);
            stock.count_special(marks, -1);
            stock.count_special(marks.with(old, new), 1);
        }
    }
    classes.0[direction % 4] = new;
}

/// Stones, classes per cell and what the sides have. `CELLS` is the capacity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternBoard<const CELLS: usize> {
    rows: u16,
    cols: u16,
    /// Length of a window, or 0 if none fits the board.
    k: u16,
    exact: bool,
    winner: Option<Side>,
    worth: Worth,
    key: u64,
    stocks: [Stock; 2],
    live: [u32; 2],
    /// As long as the board has cells; what the capacity has beyond is never touched.
    stones: List<u8, CELLS>,
    classes: List<Classes, CELLS>,
}

impl<const CELLS: usize> PatternBoard<CELLS> {
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
        PatternBoard {
            rows: 0,
            cols: 0,
            k: 0,
            exact: false,
            winner: None,
            worth: Worth::OF_OTHERS,
            key: 0,
            stocks: [Stock::NONE; 2],
            live: [0; 2],
            stones: Guarded::new(heapless::Vec::new(), EMPTY),
            classes: Guarded::new(heapless::Vec::new(), Classes::DEAD),
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
        self.classes.resize(cells, Classes::DEAD).map_err(too_large)?;
        let fits = k <= u16::from(rows.max(cols)) && usize::from(k) <= LONGEST_LINE;
        self.rows = rows.into();
        self.cols = cols.into();
        self.k = if fits { k } else { 0 };
        self.exact = exact;
        self.worth = Worth::for_length(k);
        if self.k > 0 {
            let k = usize::from(self.k);
            let (rows, cols) = (self.rows(), self.cols());
            let windows: usize = Direction::ALL.iter().map(|d| d.windows(rows, cols, k)).sum();
            self.live = [windows as u32; 2];
            self.classify_empty_board(k);
            self.take_stock();
        }
        Ok(())
    }

    /// On an empty board a class is a matter of how many windows there are through a cell.
    fn classify_empty_board(&mut self, k: usize) {
        let (rows, cols) = (self.rows(), self.cols());
        for cell in 0..rows * cols {
            let (row, col) = row_and_col(cell, cols);
            for (n, direction) in Direction::ALL.into_iter().enumerate() {
                let (back, forward) = direction.reach(row, col, rows, cols);
                let span = back.min(k - 1) + forward.min(k - 1) + 1;
                let found = match (span + 1).saturating_sub(k) {
                    0 => 0,
                    // With two cells in a window a second window has another cell to finish in.
                    windows => class(k - 1, windows > 1),
                };
                self.classes[cell].0[n] = found | found << 4;
            }
        }
    }

    /// Sets what the sides have from the classes of the empty cells.
    fn take_stock(&mut self) {
        self.stocks = [Stock::NONE; 2];
        for (&stone, classes) in self.stones.iter().zip(self.classes.iter()) {
            if stone == EMPTY {
                book(&mut self.stocks, *classes, 1);
            }
        }
    }

    /// Values cells by this from now on.
    pub fn set_worth(&mut self, worth: Worth) {
        self.worth = worth;
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
        match self.stones[cell] {
            EMPTY => None,
            1 => Some(Side::First),
            _ => Some(Side::Second),
        }
    }

    /// Whether a cell of the board is empty.
    #[must_use]
    #[inline]
    pub fn is_empty(&self, cell: usize) -> bool {
        self.stones[cell] == EMPTY
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

    /// A guess of the score for a side to move.
    #[must_use]
    pub fn evaluate(&self, us: Side) -> Score {
        let Worth { mover, waiter, tempo } = &self.worth;
        let own = self.stocks[us.index()].worth(mover);
        let their = self.stocks[us.other().index()].worth(waiter);
        clamp_heuristic(i64::from(own) + i64::from(*tempo) - i64::from(their))
    }

    /// What the evaluation counts for a side.
    #[must_use]
    pub fn census(&self, side: Side) -> Census {
        let Stock { classes, four_threes, three_threes, .. } = self.stocks[side.index()];
        Census { classes, four_threes, three_threes }
    }

    /// How many windows a side can still fill.
    #[must_use]
    pub fn live_windows(&self, side: Side) -> u32 {
        self.live[side.index()]
    }

    /// How many cells complete a line of a side.
    #[must_use]
    pub fn completing(&self, side: Side) -> usize {
        self.stocks[side.index()].completing.into()
    }

    /// Whether there is one.
    #[must_use]
    pub fn may_complete(&self, side: Side) -> bool {
        self.completing(side) > 0
    }

    /// In how many cells a side can make one that completes a line.
    #[must_use]
    pub fn fours(&self, side: Side) -> usize {
        self.stocks[side.index()].fours.into()
    }

    /// In how many cells a side can make one that completes a line, and one that makes two of
    /// those, at once.
    #[must_use]
    pub fn four_threes(&self, side: Side) -> usize {
        self.stocks[side.index()].four_threes.into()
    }

    /// In how many cells a side can make two that complete a line, at once.
    #[must_use]
    pub fn double_fours(&self, side: Side) -> usize {
        self.stocks[side.index()].double_fours.into()
    }

    /// What an empty cell counts for in the order of moves, seen by one side.
    #[must_use]
    #[inline]
    pub fn points(&self, cell: usize, side: Side) -> u32 {
        order::points(self.classes[cell], side.index())
    }

    /// Whether a stone of `side` on the empty cell would win.
    #[must_use]
    #[inline]
    pub fn completes(&self, cell: usize, side: Side) -> bool {
        self.classes[cell].completes(side.index())
    }

    /// Whether a stone of `side` on the empty cell threatens to win with the next one.
    #[must_use]
    pub fn makes_four(&self, cell: usize, side: Side) -> bool {
        self.classes[cell].makes_four(side.index())
    }

    /// For how many of the sides a stone on the empty cell makes an open three or more.
    #[must_use]
    #[inline]
    pub fn heat(&self, cell: usize) -> usize {
        // Classes from 12 on have both high bits set.
        let classes = u32::from_le_bytes(self.classes[cell].0);
        let hot = classes & classes << 1 & 0x8888_8888;
        usize::from(hot & 0x0808_0808 != 0) + usize::from(hot & 0x8080_8080 != 0)
    }

    /// The same for all empty cells together.
    #[must_use]
    pub fn total_heat(&self) -> usize {
        self.stocks.iter().map(|stock| usize::from(stock.hot)).sum()
    }

    /// Whether a stone of `side` on the empty cell makes an open three.
    #[must_use]
    pub fn makes_open_three(&self, cell: usize, side: Side) -> bool {
        self.classes[cell].of(side.index()).contains(&OPEN_THREE)
    }

    /// Whether it does so in two places.
    #[must_use]
    pub fn makes_two_fours(&self, cell: usize, side: Side) -> bool {
        self.classes[cell].makes_two_fours(side.index())
    }

    /// Calls `visit` with the empty cells where a stone could spoil what `side` would make of `cell`: the
    /// cell itself and those along the lines in which it would make a four. A stone elsewhere
    /// takes no window away from those that count.
    pub fn for_each_spoiler(&self, cell: usize, side: Side, mut visit: impl FnMut(usize)) {
        visit(cell);
        let (rows, cols) = (self.rows(), self.cols());
        let (row, col) = row_and_col(cell, cols);
        let classes = self.classes[cell].of(side.index());
        let steps = self.influence();
        for (n, direction) in Direction::ALL.into_iter().enumerate() {
            if classes[n] < FOUR {
                continue;
            }
            let (back, forward) = direction.reach(row, col, rows, cols);
            let step = direction.step(cols);
            let behind = (1..=back.min(steps)).map(|n| cell - n * step);
            let ahead = (1..=forward.min(steps)).map(|n| cell + n * step);
            behind.chain(ahead).filter(|&cell| self.is_empty(cell)).for_each(&mut visit);
        }
    }

    /// Whether [`Self::for_each_spoiler`] names the empty cell `spoiler`.
    #[must_use]
    pub fn can_spoil(&self, spoiler: usize, cell: usize, side: Side) -> bool {
        if spoiler == cell {
            return true;
        }
        let [(row, col), (other_row, other_col)] =
            [cell, spoiler].map(|cell| row_and_col(cell, self.cols()));
        let (rows, columns) =
            (other_row as isize - row as isize, other_col as isize - col as isize);
        let direction = match (rows, columns) {
            (0, _) => 0,
            (_, 0) => 1,
            _ if rows == columns => 2,
            _ if rows == -columns => 3,
            _ => return false,
        };
        rows.unsigned_abs().max(columns.unsigned_abs()) <= self.influence()
            && self.classes[cell].of(side.index())[direction] >= FOUR
    }

    /// How far a stone can be from a cell whose classes it changes.
    fn influence(&self) -> usize {
        usize::from(self.k).saturating_sub(1) + usize::from(self.exact)
    }

    /// Puts a stone on an empty cell.
    pub fn place(&mut self, cell: usize, side: Side) {
        if self.completes(cell, side) {
            self.winner = Some(side);
        }
        book(&mut self.stocks, self.classes[cell], -1);
        self.stones[cell] = 1 + side.index() as u8;
        self.key = KEYS.with(self.key, cell, side);
        self.update(cell, side, -1);
    }

    /// Takes the stone that was placed last away again.
    pub fn remove(&mut self, cell: usize, side: Side) {
        self.key = KEYS.without(self.key, cell, side);
        self.stones[cell] = EMPTY;
        self.winner = None;
        self.update(cell, side, 1);
        book(&mut self.stocks, self.classes[cell], 1);
    }

    /// Brings classes and stocks up to date around a cell where a stone of `side` came (`sign` -1: the
    /// other side loses windows) or went (1).
    fn update(&mut self, cell: usize, side: Side, sign: i32) {
        let k = usize::from(self.k);
        if k == 0 {
            return;
        }
        let (rows, cols) = (self.rows(), self.cols());
        let (row, col) = row_and_col(cell, cols);
        for (n, direction) in Direction::ALL.into_iter().enumerate() {
            let (back, forward) = direction.reach(row, col, rows, cols);
            let line = Line { cell, direction: n, step: direction.step(cols), back, forward };
            let lost = if k == fives::LENGTH && !self.exact {
                self.update_fives(&line, side)
            } else {
                self.update_any(&line, side)
            };
            let live = &mut self.live[side.other().index()];
            *live = live.wrapping_add_signed(sign * lost as i32);
        }
    }

    /// Lines of five: reads the classes from the table. Returns how many windows through the cell
    /// only the other side could fill but for this stone, or nobody has a stone in.
    fn update_fives(&mut self, line: &Line, side: Side) -> u32 {
        use fives::{CODES, REACH};
        /// Where the cell itself is among the codes.
        const MIDDLE: usize = 2 * REACH;
        let (back, forward) = (line.back.min(MIDDLE), line.forward.min(MIDDLE));
        let mut codes: Array<u8, CODES> = Guarded::new([fives::OUTSIDE; CODES], fives::OUTSIDE);
        let mut at = line.cell - back * line.step;
        for n in MIDDLE - back..=MIDDLE + forward {
            codes[n] = self.stones[at];
            at += line.step;
        }
        let mut field = fives::Field::new(&codes);
        // Cells outside the board are never looked at.
        let mut at = line.cell.wrapping_sub(REACH * line.step);
        for n in REACH..=MIDDLE + REACH {
            // The cell itself is not empty, or has its classes as they were.
            if codes[n] == EMPTY && n != MIDDLE {
                let classes = &mut self.classes[at];
                let found = field.classes();
                if classes.0[line.direction % 4] != found {
                    rebook(&mut self.stocks, classes, line.direction, found);
                }
            }
            field.advance(codes[n], codes[n + REACH + 1]);
            at = at.wrapping_add(line.step);
        }
        let own = 1 + side.index() as u8;
        let free = |&&code: &&u8| code != own && code != fives::OUTSIDE;
        let before = (*codes)[REACH..MIDDLE].iter().rev().take_while(free).count();
        let after = (*codes)[MIDDLE + 1..=MIDDLE + REACH].iter().take_while(free).count();
        (before + after + 1).saturating_sub(REACH) as u32
    }

    /// Lines of any length: works the classes out. Returns the same as [`Self::update_fives`].
    fn update_any(&mut self, line: &Line, side: Side) -> u32 {
        let reach = self.influence();
        let (back, forward) = (line.back.min(2 * reach), line.forward.min(2 * reach));
        let first = line.cell - back * line.step;
        let cells = (0..back + forward + 1).map(|n| self.stones[first + n * line.step]);
        let rule = sliding::Rule { k: self.k.into(), exact: self.exact };
        let Some(strip) = sliding::Strip::new(cells, rule) else { return 0 };
        let PatternBoard { classes, stocks, .. } = self;
        strip.for_each_class(back - back.min(reach), back + forward.min(reach), |n, found| {
            // The cell itself is not empty, or has its classes as they were.
            if n != back {
                let classes = &mut classes[first + n * line.step];
                if classes.0[line.direction % 4] != found {
                    rebook(stocks, classes, line.direction, found);
                }
            }
        });
        strip.windows_without(back, 1 + side.index() as u8)
    }
}

/// The longest line of an mnk board.
const LONGEST_LINE: usize = 70;
/// A line through a cell.
struct Line {
    cell: usize,
    direction: usize,
    step: usize,
    back: usize,
    forward: usize,
}
