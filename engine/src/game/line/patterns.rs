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

/// What cells are worth by their classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Worth {
    /// By class, for one direction.
    pub classes: [u16; CLASSES],
    /// For a cell that makes a four in one direction and an open three in another.
    pub four_three: u16,
    /// For a cell that makes open threes in two directions.
    pub three_three: u16,
    /// What the side to move has counts for more by this, in 16ths.
    pub initiative: u16,
    /// To be the side to move is worth this.
    pub tempo: u16,
}

impl Worth {
    /// What is played with; `tavola tune` looks for better ones.
    pub const DEFAULT: Worth = Worth {
        classes: [0, 1, 2, 3, 5, 6, 9, 4, 6, 9, 22, 32, 160, 130, 520, 1_200],
        four_three: 500,
        three_three: 200,
        initiative: 0,
        tempo: 150,
    };
}

impl Default for Worth {
    fn default() -> Worth {
        Worth::DEFAULT
    }
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Stock {
    worth: i32,
    /// Cells that complete a line.
    completing: u16,
    /// Cells that make one that does.
    fours: u16,
    /// Cells that make two that do.
    double_fours: u16,
    /// Cells that make one that does, and an open three besides.
    four_threes: u16,
    /// Cells that make an open three or more.
    hot: u16,
}

/// [`Worth`] with the classes' parts side by side, so that four look-ups and three additions tell all
/// about a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Ledger {
    worth: Worth,
    entries: [u32; CLASSES],
}

const THREES_SHIFT: u32 = 18;
const FOURS_SHIFT: u32 = 21;
const COMPLETES_SHIFT: u32 = 25;
const PLAIN_WORTH: u32 = (1 << THREES_SHIFT) - 1;

impl Ledger {
    const fn new(worth: Worth) -> Ledger {
        let mut entries = [0; CLASSES];
        let mut class = 0;
        while class < CLASSES {
            let flags = match class {
                OPEN_THREE => 1 << THREES_SHIFT,
                FOUR => 1 << FOURS_SHIFT,
                OPEN_FOUR => 2 << FOURS_SHIFT,
                COMPLETES => 1 << COMPLETES_SHIFT,
                _ => 0,
            };
            entries[class] = worth.classes[class] as u32 | flags;
            class += 1;
        }
        Ledger { worth, entries }
    }

    #[inline]
    fn sum(&self, classes: Classes, side: usize) -> u32 {
        classes.of(side).into_iter().map(|class| self.entries[class % CLASSES]).sum()
    }

    /// What a cell with these classes is worth to a side.
    #[inline]
    fn worth_of(&self, classes: Classes, side: usize) -> u32 {
        let sum = self.sum(classes, side);
        (sum & PLAIN_WORTH) + if sum >> THREES_SHIFT == 0 { 0 } else { self.bonus(sum) }
    }

    fn bonus(&self, sum: u32) -> u32 {
        let threes = sum >> THREES_SHIFT & 0x7;
        let fours = sum >> FOURS_SHIFT & 0xF;
        if fours > 0 && threes > 0 {
            u32::from(self.worth.four_three)
        } else if threes > 1 {
            u32::from(self.worth.three_three)
        } else {
            0
        }
    }

    /// Adds a cell with these classes to what the sides have (`sign` 1) or takes it away (-1).
    fn book(&self, stocks: &mut [Stock; 2], classes: Classes, sign: i16) {
        for (side, stock) in stocks.iter_mut().enumerate() {
            let sum = self.sum(classes, side);
            stock.worth += i32::from(sign) * (sum & PLAIN_WORTH) as i32;
            self.book_special(stock, sum, sign);
        }
    }

    /// What [`Self::book`] does beyond plain worth.
    #[inline]
    fn book_special(&self, stock: &mut Stock, sum: u32, sign: i16) {
        if sum >> THREES_SHIFT == 0 {
            return;
        }
        stock.worth += i32::from(sign) * self.bonus(sum) as i32;
        stock.hot = stock.hot.wrapping_add_signed(sign);
        let fours = sum >> FOURS_SHIFT & 0xF;
        if sum >> COMPLETES_SHIFT != 0 {
            stock.completing = stock.completing.wrapping_add_signed(sign);
        } else if fours > 0 {
            stock.fours = stock.fours.wrapping_add_signed(sign);
            if fours > 1 {
                stock.double_fours = stock.double_fours.wrapping_add_signed(sign);
            } else if sum >> THREES_SHIFT & 0x7 > 0 {
                stock.four_threes = stock.four_threes.wrapping_add_signed(sign);
            }
        }
    }

    /// Gives an empty cell other classes in a direction.
    fn rebook(&self, stocks: &mut [Stock; 2], classes: &mut Classes, direction: usize, new: u8) {
        let old = classes.0[direction % 4];
        for (side, stock) in stocks.iter_mut().enumerate() {
            let (old, new) = (class_of(old, side), class_of(new, side));
            if old == new {
                continue;
            }
            let (less, more) = (self.entry(old), self.entry(new));
            stock.worth += (more & PLAIN_WORTH) as i32 - (less & PLAIN_WORTH) as i32;
            // Most cells have no class that is counted apart.
            if (old | new) as usize >= OPEN_THREE {
                let sum = self.sum(*classes, side);
                self.book_special(stock, sum, -1);
                self.book_special(stock, sum - less + more, 1);
            }
        }
        classes.0[direction % 4] = new;
    }

    #[inline]
    fn entry(&self, class: u8) -> u32 {
        self.entries[usize::from(class) % CLASSES]
    }
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
    ledger: Ledger,
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
        const LEDGER: Ledger = Ledger::new(Worth::DEFAULT);
        PatternBoard {
            rows: 0,
            cols: 0,
            k: 0,
            exact: false,
            winner: None,
            ledger: LEDGER,
            key: 0,
            stocks: [Stock {
                worth: 0,
                completing: 0,
                fours: 0,
                double_fours: 0,
                four_threes: 0,
                hot: 0,
            }; 2],
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
        self.stocks = [Stock::default(); 2];
        for (&stone, classes) in self.stones.iter().zip(self.classes.iter()) {
            if stone == EMPTY {
                self.ledger.book(&mut self.stocks, *classes, 1);
            }
        }
    }

    /// Values cells by this from now on.
    pub fn set_worth(&mut self, worth: Worth) {
        self.ledger = Ledger::new(worth);
        self.take_stock();
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

    /// What all empty cells are worth to a side.
    #[must_use]
    pub fn total(&self, side: Side) -> i64 {
        self.stocks[side.index()].worth.into()
    }

    /// A guess of the score for a side to move: it can use what it has first.
    #[must_use]
    pub fn evaluate(&self, us: Side) -> Score {
        let (own, their) = (self.total(us), self.total(us.other()));
        let Worth { initiative, tempo, .. } = self.ledger.worth;
        clamp_heuristic(own + own * i64::from(initiative) / 16 + i64::from(tempo) - their)
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

    /// What an empty cell is worth to a side.
    #[must_use]
    #[inline]
    pub fn points(&self, cell: usize, side: Side) -> u32 {
        self.ledger.worth_of(self.classes[cell], side.index())
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
        self.ledger.book(&mut self.stocks, self.classes[cell], -1);
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
        self.ledger.book(&mut self.stocks, self.classes[cell], 1);
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
                    self.ledger.rebook(&mut self.stocks, classes, line.direction, found);
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

    /// Lines of any length: slides windows along the line. Returns the same as
    /// [`Self::update_fives`].
    fn update_any(&mut self, line: &Line, side: Side) -> u32 {
        let k = usize::from(self.k);
        let influence = self.influence();
        let (back, forward) = (line.back.min(2 * influence), line.forward.min(2 * influence));
        let cells = back + forward + 1;
        if cells < k {
            return 0;
        }
        let first = line.cell - back * line.step;
        let windows = cells - k + 1;
        let mut lost = 0;
        let exact = self.exact;
        let PatternBoard { stones, classes, ledger, stocks, .. } = self;
        // The cells whose classes may change, counted along the line.
        let (low, high) = (back - back.min(influence), back + forward.min(influence));
        for n in 0..2 {
            let own_stone = 1 + n as u8;
            // The stones in each window, or `SPOILED`.
            let mut counts: Array<u8, MOST_WINDOWS> =
                Guarded::new([SPOILED; MOST_WINDOWS], SPOILED);
            let stone = |at: usize| stones[first + at * line.step];
            let mut set_class = |at: usize, class: u8| {
                let classes = &mut classes[first + at * line.step];
                let both = classes.0[line.direction % 4];
                let found = if n == 0 { both & 0xF0 | class } else { both & 0xF | class << 4 };
                if found != both {
                    ledger.rebook(stocks, classes, line.direction, found);
                }
            };
            let mut held = [0u8; 2];
            let count = |held: &mut [u8; 2], at: usize, by: i8| {
                let stone = stone(at);
                if stone != EMPTY {
                    let slot = &mut held[usize::from(stone != own_stone)];
                    *slot = slot.wrapping_add_signed(by);
                }
            };
            for at in 0..k - 1 {
                count(&mut held, at, 1);
            }
            for (start, slot) in counts.iter_mut().enumerate().take(windows) {
                count(&mut held, start + k - 1, 1);
                let [own, their] = held;
                // Under the exact rule a stone beside the window spoils it.
                let flanked = exact
                    && k > 1
                    && (start > 0 && stone(start - 1) == own_stone
                        || start + k < cells && stone(start + k) == own_stone);
                if their == 0 && !flanked {
                    *slot = own;
                }
                if n == side.index() && start <= back && back < start + k {
                    // The stone itself, while it is there, does not count.
                    lost += u32::from(own == u8::from(stone(back) == own_stone));
                }
                count(&mut held, start, -1);
            }
            // Live windows through the cell at hand: where there are none, nothing is to be found.
            let before = (low + 1).saturating_sub(k)..low.min(windows);
            let mut alive = before.filter(|&start| counts[start] != SPOILED).count();
            for at in low..=high {
                alive += usize::from(at < windows && counts[at] != SPOILED);
                let leaves = at + 1 >= k && counts[at + 1 - k] != SPOILED;
                if alive == 0 {
                    if at != back && stone(at) == EMPTY {
                        set_class(at, 0);
                    }
                    continue;
                }
                alive -= usize::from(leaves);
                if at != back && stone(at) == EMPTY {
                    let (from, to) = ((at + 1).saturating_sub(k), (at + 1).min(windows));
                    let gap = |start: usize| {
                        (from + start..from + start + k)
                            .find(|&other| other != at && stone(other) == EMPTY)
                    };
                    set_class(at, best_class(counts.get(from..to).unwrap_or(&[]), k, gap));
                }
            }
        }
        lost
    }
}

/// The longest line of an mnk board.
const LONGEST_LINE: usize = 70;
/// The most windows that lie along a line as far as they matter.
const MOST_WINDOWS: usize = 3 * LONGEST_LINE + 2;
/// A window that its owner cannot fill any more.
const SPOILED: u8 = u8::MAX;

/// A line through a cell.
struct Line {
    cell: usize,
    direction: usize,
    step: usize,
    back: usize,
    forward: usize,
}

/// The class of a cell from the stones in the windows through it. `gap` names the first empty cell of
/// one of them besides this cell.
fn best_class(through: &[u8], k: usize, gap: impl Fn(usize) -> Option<usize>) -> u8 {
    let mut best: Option<(u8, usize)> = None;
    let mut open = false;
    for (start, &own) in through.iter().enumerate().filter(|&(_, &own)| own != SPOILED) {
        match best {
            Some((most, _)) if own < most => {}
            Some((most, first)) if own == most => {
                // Two windows that lack one cell besides this one may lack the same.
                open = open || usize::from(own) + 2 != k || gap(start) != gap(first);
            }
            _ => (best, open) = (Some((own, start)), false),
        }
    }
    best.map_or(0, |(own, _)| class((k - 1).saturating_sub(own.into()), open))
}

/// The classes for lines of five.
mod fives {
    use super::class;

    /// Length of a window.
    pub const LENGTH: usize = 5;
    /// How far a class looks to either side.
    pub const REACH: usize = LENGTH - 1;
    /// The cells that the classes around a stone depend on, and one more to move on to.
    pub const CODES: usize = 4 * REACH + 2;
    /// The code of what is beside the board; others are 0 for an empty cell and 1 and 2 for the
    /// players' stones.
    pub const OUTSIDE: u8 = 3;

    /// Codes of the cells on one side, two bits each.
    const HALF_CODES: usize = 1 << (2 * REACH);
    /// How many there are in fact: what is beside the board is never nearer than a cell of it, so with
    /// n cells of the board there are 3 to the power of n.
    const HALVES: usize = 1 + 3 + 9 + 27 + 81;

    /// Numbers for the codes of four cells, the nearest first.
    const NUMBERS: [u8; HALF_CODES] = {
        let mut numbers = [0; HALF_CODES];
        let mut next = 0;
        let mut code = 0;
        while code < HALF_CODES {
            let mut n = 0;
            let mut outside = false;
            let mut possible = true;
            while n < REACH {
                let cell = (code >> (2 * n) & 3) as u8;
                possible = possible && (!outside || cell == OUTSIDE);
                outside = cell == OUTSIDE;
                n += 1;
            }
            if possible {
                numbers[code] = next;
                next += 1;
            }
            code += 1;
        }
        assert!(next as usize == HALVES);
        numbers
    };

    /// The same for cells whose last is the nearest.
    const MIRRORED: [u8; HALF_CODES] = {
        let mut numbers = [0; HALF_CODES];
        let mut code = 0;
        while code < HALF_CODES {
            let mirrored =
                (code & 3) << 6 | (code >> 2 & 3) << 4 | (code >> 4 & 3) << 2 | code >> 6;
            numbers[code] = NUMBERS[mirrored];
            code += 1;
        }
        numbers
    };

    /// The numbers of the halves before and after a cell, side by side.
    const PLACES: usize = 1 << (2 * HALF_BITS);
    const HALF_BITS: u32 = HALVES.next_power_of_two().trailing_zeros();

    /// Both sides' classes by these places.
    static CLASSES: [u8; PLACES] = {
        let mut classes = [0; PLACES];
        let mut before = 0;
        while before < HALF_CODES {
            let mut after = 0;
            while after < HALF_CODES {
                let (row, column) = (MIRRORED[before] as usize, NUMBERS[after] as usize);
                // Codes that cannot be have the number 0, which is that of four empty cells.
                if (row != 0 || before == 0) && (column != 0 || after == 0) {
                    let codes = (before | after << (2 * LENGTH)) as u32;
                    classes[row << HALF_BITS | column] = look(codes, 1) | look(codes, 2) << 4;
                }
                after += 1;
            }
            before += 1;
        }
        classes
    };

    /// Works out the class of the cell in the middle of nine for the player with this code.
    const fn look(codes: u32, own: u32) -> u8 {
        let mut best = 0;
        let mut open = false;
        let mut gap = 0;
        let mut start = 0;
        while start < LENGTH {
            let mut stones = 1;
            let mut gaps = 0;
            let mut alive = true;
            let mut n = start;
            while n < start + LENGTH {
                let code = codes >> (2 * n) & 3;
                if code == own {
                    stones += 1;
                } else if code != 0 {
                    alive = false;
                } else if n != REACH {
                    gaps = n;
                }
                n += 1;
            }
            if alive && stones > best {
                best = stones;
                open = false;
                gap = gaps;
            } else if alive && stones == best {
                // Two windows that lack one cell each may lack the same.
                open = open || stones + 1 != LENGTH || gaps != gap;
            }
            start += 1;
        }
        if best == 0 { 0 } else { class(LENGTH - best, open) }
    }

    /// The codes beside a cell, which moves along a line.
    pub struct Field {
        before: u8,
        after: u8,
    }

    impl Field {
        /// The field of the cell number [`REACH`] of a line.
        #[inline]
        pub fn new(codes: &[u8; CODES]) -> Field {
            let pack = |codes: &[u8]| {
                codes.iter().enumerate().fold(0, |sum, (n, &code)| sum | code << (2 * n))
            };
            Field { before: pack(&codes[..REACH]), after: pack(&codes[LENGTH..LENGTH + REACH]) }
        }

        /// Goes on to the next cell: `behind` is what the present one holds, `ahead` comes in view.
        #[inline]
        pub fn advance(&mut self, behind: u8, ahead: u8) {
            self.before = self.before >> 2 | behind << 6;
            self.after = self.after >> 2 | ahead << 6;
        }

        /// Both sides' classes of the cell.
        #[inline]
        pub fn classes(&self) -> u8 {
            let before = MIRRORED[usize::from(self.before)];
            let after = NUMBERS[usize::from(self.after)];
            CLASSES[(usize::from(before) << HALF_BITS | usize::from(after)) % PLACES]
        }
    }
}
