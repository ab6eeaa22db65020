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
//! Lines that [nobody can force](UNFORCEABLE_LINE) are *long*. There much stands on the board before a class tells
//! it from an empty one, so the classes up to 8 tell something else: the *room* that a cell
//! has, what the live windows through it are worth by their stones, as a power of two. And the evaluation
//! adds up the room of the whole board.
//!
//! A class depends on the cells less than `k` steps away (`k` under the exact rule), so a stone
//! changes those of the cells that near. For lines of five they are read from a table in flash; for
//! other lengths they are worked out by sliding windows. The class of an occupied cell stays as it was:
//! when its stone is taken away all later ones are gone, so it is right again.
//!
//! A cell costs five bytes: the stone and four classes of four bits per side.

mod fives;
pub mod net;
mod order;
mod sliding;

use super::Direction;
use crate::game::Side;
use crate::game::line::Weights;
use crate::game::line::board::KEYS;
use crate::game::mnk::UNFORCEABLE_LINE;
use crate::guarded::{Guarded, List, row_and_col};
use crate::score::{Score, clamp_heuristic};
use crate::spec::SpecError;
use net::{Net, Sums};

const EMPTY: u8 = 0;

/// The class of a cell where a stone completes a line.
pub const COMPLETES: usize = 15;
/// The class of a cell where a stone makes two cells that complete a line.
pub const OPEN_FOUR: usize = 14;
/// The class of a cell where a stone makes one cell that completes a line.
pub const FOUR: usize = 13;
/// The class of a cell where a stone makes two cells of class [`OPEN_FOUR`] or [`FOUR`].
pub const OPEN_THREE: usize = 12;
/// The class of a cell where a stone makes a three that one stone stops.
const THREE: usize = 11;
/// The class of a cell where a stone makes a two with room to both sides.
const OPEN_TWO: usize = 10;
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

/// The highest class that tells of room in long lines.
const HIGHEST_OF_ROOM: u8 = 8;
/// The class there of a cell in the middle of an empty board.
const CLASS_OF_EMPTY_ROOM: u32 = 3;

/// The class of a cell in long lines, by what the live windows of `k` cells through it are worth.
fn class_of_room(room: u32, k: usize, weights: &Weights) -> u8 {
    let empty = (k as u32 * weights.of(0) as u32).max(1);
    let times = ((room << CLASS_OF_EMPTY_ROOM) / empty).max(1);
    times.ilog2().clamp(1, HIGHEST_OF_ROOM.into()) as u8
}

/// What the room of the side to move and of the other side counts for in the evaluation, in parts of
/// [`ROOM_PARTS`].
const MOVERS_ROOM: i64 = 16;
const WAITERS_ROOM: i64 = 20;
const ROOM_PARTS: i64 = 256;

/// What cells are worth to one side by their classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prices {
    /// By class, for one direction.
    pub classes: [i16; CLASSES],
    /// For a cell where lines cross, by [`Crossing`].
    pub crossings: [i16; CROSSINGS],
}

/// What a stone makes in two directions at once, the best that there is. A four may be open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crossing {
    /// Nothing that counts apart.
    None = 0,
    /// A four and an open three.
    FourThree,
    /// Two open threes.
    ThreeThree,
    /// A four and a closed three.
    FourClosedThree,
    /// A four and an open two.
    FourTwo,
    /// An open three and a closed one.
    ThreeClosedThree,
    /// An open three and an open two.
    ThreeTwo,
    /// Two closed threes.
    ClosedThrees,
    /// A closed three and an open two.
    ClosedThreeTwo,
    /// Two open twos.
    TwoTwo,
}

impl Crossing {
    /// All that count.
    pub const ALL: [Crossing; CROSSINGS - 1] = [
        Crossing::FourThree,
        Crossing::ThreeThree,
        Crossing::FourClosedThree,
        Crossing::FourTwo,
        Crossing::ThreeClosedThree,
        Crossing::ThreeTwo,
        Crossing::ClosedThrees,
        Crossing::ClosedThreeTwo,
        Crossing::TwoTwo,
    ];
}

/// How many crossings there are, none at all among them.
pub const CROSSINGS: usize = Crossing::TwoTwo as usize + 1;

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
            crossings: [0, 1_500, 200, 300, 260, 60, 60, 80, 50, 5],
        },
        waiter: Prices {
            classes: [0, 0, 0, 0, 0, 0, 0, -13, -8, 1, 8, 29, 89, 241, 640, 1_200],
            crossings: [0, 780, 170, 210, 180, 50, 90, 40, 45, 10],
        },
        tempo: 0,
    };

    /// For long lines, besides room.
    pub const OF_LONG_LINES: Worth = {
        let mut prices = Worth::OF_OTHERS.mover;
        let mut class = 0;
        while class <= HIGHEST_OF_ROOM as usize + 1 {
            prices.classes[class] = 0;
            class += 1;
        }
        Worth { mover: prices, waiter: prices, tempo: 150 }
    };

    /// For lines of any other length.
    pub const OF_OTHERS: Worth = {
        let prices = Prices {
            classes: [0, 1, 2, 3, 5, 6, 9, 4, 6, 9, 22, 32, 160, 130, 520, 1_200],
            crossings: [0, 500, 200, 0, 0, 0, 0, 0, 0, 0],
        };
        Worth { mover: prices, waiter: prices, tempo: 150 }
    };

    /// What is played with.
    #[must_use]
    pub const fn for_length(k: u16) -> Worth {
        PriceList::for_board(0, k).worth
    }
}

/// What a position is worth, made ready for use.
#[derive(Debug, PartialEq, Eq)]
pub struct PriceList {
    worth: Worth,
    /// By both sides' classes of a cell in a direction: what they are worth to the first player if it is to
    /// move, and to the second if it is.
    both: [[i32; 2]; CLASSES * CLASSES],
    /// The same by side and crossing.
    crossings: [[[i32; 2]; CROSSINGS]; 2],
    /// What adds to all this.
    net: Option<&'static Net>,
}

impl PriceList {
    /// The list for these prices.
    #[must_use]
    pub const fn new(worth: Worth) -> PriceList {
        let mut both = [[0; 2]; CLASSES * CLASSES];
        let (mover, waiter) = (&worth.mover.classes, &worth.waiter.classes);
        let mut n = 0;
        while n < both.len() {
            let (first, second) = (n % CLASSES, n / CLASSES);
            both[n] = [
                mover[first] as i32 - waiter[second] as i32,
                mover[second] as i32 - waiter[first] as i32,
            ];
            n += 1;
        }
        let mut crossings = [[[0; 2]; CROSSINGS]; 2];
        let (mover, waiter) = (&worth.mover.crossings, &worth.waiter.crossings);
        let mut n = 0;
        while n < CROSSINGS {
            let (own, their) = (mover[n] as i32, -(waiter[n] as i32));
            crossings[0][n] = [own, their];
            crossings[1][n] = [their, own];
            n += 1;
        }
        PriceList { worth, both, crossings, net: None }
    }

    /// The list with a network that adds to it, on boards of up to [`net::MOST_CELLS`] cells.
    #[must_use]
    pub const fn with_net(self, net: &'static Net) -> PriceList {
        PriceList { net: Some(net), ..self }
    }

    /// Whether a network adds to the prices.
    #[must_use]
    pub const fn has_network(&self) -> bool {
        self.net.is_some()
    }

    /// What boards of so many cells with lines of this length are valued by.
    #[must_use]
    pub const fn for_board(cells: usize, k: u16) -> &'static PriceList {
        static OF_FIVES_WITH_NET: PriceList =
            PriceList::new(Worth::OF_FIVES).with_net(&net::BUILT_IN);
        static OF_FIVES: PriceList = PriceList::new(Worth::OF_FIVES);
        static OF_LONG_LINES: PriceList = PriceList::new(Worth::OF_LONG_LINES);
        static OF_OTHERS: PriceList = PriceList::new(Worth::OF_OTHERS);
        match k as usize {
            fives::LENGTH if cells <= net::MOST_CELLS => &OF_FIVES_WITH_NET,
            fives::LENGTH => &OF_FIVES,
            UNFORCEABLE_LINE.. => &OF_LONG_LINES,
            _ => &OF_OTHERS,
        }
    }
}

/// What the evaluation counts for a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Census {
    /// Empty cells by class, each once per direction.
    pub classes: [u16; CLASSES],
    /// Empty cells by [`Crossing`].
    pub crossings: [u16; CROSSINGS],
}

/// The classes of a cell: a byte per direction, the first player's class in its low half and the
/// second player's in its high half.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Classes([u8; 4]);

impl Classes {
    const DEAD: Classes = Classes([0; 4]);
    /// One in every byte.
    const ONES: u32 = 0x0101_0101;

    /// One side's classes in the four directions.
    #[inline]
    fn of(self, side: usize) -> [usize; 4] {
        self.0.map(|both| usize::from(class_of(both, side)))
    }

    /// The directions in which a side has this class or a higher one, as a one in their bytes.
    #[inline]
    fn at_least(self, class: usize, side: usize) -> u32 {
        let own = u32::from_le_bytes(self.0) >> (4 * (side & 1)) & (0xF * Self::ONES);
        // Such a class and what it lacks to 16 go beyond four bits.
        (own + (CLASSES - class) as u32 * Self::ONES) >> 4 & Self::ONES
    }

    #[inline]
    fn completes(self, side: usize) -> bool {
        self.at_least(COMPLETES, side) != 0
    }

    /// Whether a stone here makes a cell that completes a line, but completes none itself.
    #[inline]
    fn makes_four(self, side: usize) -> bool {
        self.at_least(FOUR, side) != 0 && !self.completes(side)
    }

    /// Whether a stone here makes two such cells at least.
    #[inline]
    fn makes_two_fours(self, side: usize) -> bool {
        // An open four counts twice.
        let fours = self.at_least(FOUR, side) + self.at_least(OPEN_FOUR, side);
        !self.completes(side) && fours.wrapping_mul(Self::ONES) >> 24 >= 2
    }

    /// Whether a stone here makes an open three.
    #[inline]
    fn makes_open_three(self, side: usize) -> bool {
        self.at_least(OPEN_THREE, side) != self.at_least(FOUR, side)
    }
}

/// One side's class of both sides' in a direction.
#[inline]
const fn class_of(both: u8, side: usize) -> u8 {
    if side == 0 { both & 0xF } else { both >> 4 }
}

/// Whether one of both sides' classes is [`OPEN_TWO`] or more: its highest bit and one of the next two are set
/// then.
#[inline]
const fn may_cross(both: u8) -> bool {
    both & (both << 1 | both << 2) & 0x88 != 0
}

/// What a side has in its empty cells, but for their classes one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stock {
    /// Cells that complete a line.
    completing: u16,
    /// Cells that make two that do.
    double_fours: u16,
    /// Cells that make an open three or more.
    hot: u16,
}

impl Stock {
    const NONE: Stock = Stock { completing: 0, double_fours: 0, hot: 0 };

    /// Counts a cell with these marks, besides its classes, once more (`sign` 1) or once less (-1).
    #[inline]
    fn count_special(&mut self, marks: Marks, sign: i16) {
        if !marks.is_hot() {
            return;
        }
        let count = |slot: &mut u16| *slot = slot.wrapping_add_signed(sign);
        count(&mut self.hot);
        if marks.completes() {
            count(&mut self.completing);
        } else if marks.fours() > 1 {
            count(&mut self.double_fours);
        }
    }
}

/// How many of a cell's directions have one of the classes that are counted apart, in fields side by side.
#[derive(Clone, Copy)]
struct Marks(u16);

impl Marks {
    const CLOSED_THREES_SHIFT: u32 = 3;
    const THREES_SHIFT: u32 = 6;
    const FOURS_SHIFT: u32 = 9;
    const COMPLETES_SHIFT: u32 = 13;

    /// By class. An open four counts as two fours.
    const OF: [u16; CLASSES] = {
        let mut marks = [0; CLASSES];
        marks[OPEN_TWO] = 1;
        marks[THREE] = 1 << Self::CLOSED_THREES_SHIFT;
        marks[OPEN_THREE] = 1 << Self::THREES_SHIFT;
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

    /// Whether there is an open three or more.
    fn is_hot(self) -> bool {
        self.0 >> Self::THREES_SHIFT != 0
    }

    const fn threes(self) -> u16 {
        self.0 >> Self::THREES_SHIFT & 0x7
    }

    const fn fours(self) -> u16 {
        self.0 >> Self::FOURS_SHIFT & 0xF
    }

    const fn completes(self) -> bool {
        self.0 >> Self::COMPLETES_SHIFT != 0
    }

    #[inline]
    fn crossing(self) -> usize {
        /// By the marks below fours, and whether there are any.
        static CROSSING: [u8; 2 << Marks::FOURS_SHIFT] = {
            let mut crossings = [0; 2 << Marks::FOURS_SHIFT];
            let mut marks = 0;
            while marks < crossings.len() {
                crossings[marks] = Marks(marks as u16).find_crossing() as u8;
                marks += 1;
            }
            crossings
        };
        let below = usize::from(self.0) & ((1 << Self::FOURS_SHIFT) - 1);
        let has_four = usize::from(self.fours() > 0) << Self::FOURS_SHIFT;
        usize::from(CROSSING[below | has_four])
    }

    const fn find_crossing(self) -> Crossing {
        let closed_threes = self.0 >> Self::CLOSED_THREES_SHIFT & 0x7;
        let twos = self.0 & 0x7;
        match (self.fours(), self.threes(), closed_threes, twos) {
            (1.., 1.., ..) => Crossing::FourThree,
            (1.., _, 1.., _) => Crossing::FourClosedThree,
            (1.., .., 1..) => Crossing::FourTwo,
            (_, 2.., ..) => Crossing::ThreeThree,
            (_, 1.., 1.., _) => Crossing::ThreeClosedThree,
            (_, 1.., _, 1..) => Crossing::ThreeTwo,
            (_, _, 2.., _) => Crossing::ClosedThrees,
            (_, _, 1.., 1..) => Crossing::ClosedThreeTwo,
            (.., 2..) => Crossing::TwoTwo,
            _ => Crossing::None,
        }
    }
}

/// What the sides have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Account {
    /// What the classes and crossings of all empty cells are worth, to the first player if it is to move and to
    /// the second if it is.
    totals: [i32; 2],
    /// In long lines, what the live windows of the sides are worth.
    room: [i32; 2],
    stocks: [Stock; 2],
    /// Windows that a side can still fill: less than four for each cell.
    live: [u16; 2],
}

impl Account {
    const NONE: Account =
        Account { totals: [0; 2], room: [0; 2], stocks: [Stock::NONE; 2], live: [0; 2] };

    /// Counts an empty cell with these classes once more (`sign` 1) or once less (-1).
    fn book(&mut self, list: &PriceList, classes: Classes, sign: i16) {
        for both in classes.0 {
            let price = list.both[usize::from(both)];
            self.totals[0] += i32::from(sign) * price[0];
            self.totals[1] += i32::from(sign) * price[1];
        }
        if !classes.0.into_iter().any(may_cross) {
            return;
        }
        for side in 0..2 {
            let marks = Marks::new(classes, side);
            let price = list.crossings[side][marks.crossing() % CROSSINGS];
            self.totals[0] += i32::from(sign) * price[0];
            self.totals[1] += i32::from(sign) * price[1];
            self.stocks[side].count_special(marks, sign);
        }
    }

    /// Gives an empty cell other classes in a direction.
    #[inline]
    fn rebook(
        &mut self,
        (net, sums): (Option<&Net>, &mut Sums),
        list: &PriceList,
        classes: &mut Classes,
        direction: usize,
        new: u8,
    ) {
        let slot = &mut classes.0[direction % 4];
        let old = core::mem::replace(slot, new);
        if old == new {
            return;
        }
        if let Some(net) = net {
            net.recount(sums, *classes, direction, old);
        }
        let (less, more) = (&list.both[usize::from(old)], &list.both[usize::from(new)]);
        self.totals[0] += more[0] - less[0];
        self.totals[1] += more[1] - less[1];
        // Most cells have no class that is counted apart.
        if may_cross(old) || may_cross(new) {
            self.rebook_special(list, *classes, direction, old, new);
        }
    }

    /// What is counted apart of a cell whose `old` classes in a direction have become `new`.
    #[inline(never)]
    fn rebook_special(
        &mut self,
        list: &PriceList,
        classes: Classes,
        direction: usize,
        old: u8,
        new: u8,
    ) {
        let elsewhere = !(0xFF << (8 * (direction % 4)));
        for side in 0..2 {
            let (old, new) = (class_of(old, side), class_of(new, side));
            let highest = usize::from(old.max(new));
            let crosses = classes.at_least(OPEN_TWO, side) & elsewhere != 0;
            if old == new || highest < OPEN_TWO || !crosses && highest < OPEN_THREE {
                continue;
            }
            let after = Marks::new(classes, side);
            let before = after.with(new, old);
            if crosses {
                let [less, more] = [before, after]
                    .map(|marks| &list.crossings[side][marks.crossing() % CROSSINGS]);
                self.totals[0] += more[0] - less[0];
                self.totals[1] += more[1] - less[1];
            }
            if highest >= OPEN_THREE {
                let stock = &mut self.stocks[side];
                stock.count_special(before, -1);
                stock.count_special(after, 1);
            }
        }
    }
}

/// How many stones can be taken back without working out anew what the sides have: as many as a search places.
const REMEMBERED: usize = crate::search::MAX_DEPTH + 8;
/// The same for what the network sees, which takes more room. Few searches go deeper, and one that does looks at
/// the whole board once for each stone it takes back beyond that.
const SUMS_REMEMBERED: usize = 32;

/// What there was before each of the last stones. It says nothing of the position, so all are equal.
#[derive(Clone, Debug)]
struct Past<T, const N: usize> {
    states: [T; N],
    /// Where the next one goes.
    next: u8,
    known: u8,
}

impl<T: Copy, const N: usize> Past<T, N> {
    const FITS: () = assert!(N > 0 && N <= u8::MAX as usize);

    const fn new(any: T) -> Self {
        let () = Self::FITS;
        Past { states: [any; N], next: 0, known: 0 }
    }

    #[inline]
    fn push(&mut self, state: &T) {
        let next = usize::from(self.next) % N;
        self.states[next] = *state;
        self.next = ((next + 1) % N) as u8;
        self.known = (self.known + 1).min(N as u8);
    }

    #[inline]
    fn pop(&mut self) -> Option<&T> {
        self.known = self.known.checked_sub(1)?;
        let last = (usize::from(self.next) + N - 1) % N;
        self.next = last as u8;
        Some(&self.states[last])
    }

    fn forget(&mut self) {
        self.known = 0;
    }
}

impl<T, const N: usize> PartialEq for Past<T, N> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<T, const N: usize> Eq for Past<T, N> {}

/// Stones, classes per cell and what the sides have. `CELLS` is the capacity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternBoard<const CELLS: usize> {
    rows: u16,
    cols: u16,
    /// Length of a window, or 0 if none fits the board.
    k: u16,
    exact: bool,
    winner: Option<Side>,
    key: u64,
    list: &'static PriceList,
    /// Of windows in long lines.
    weights: Weights,
    account: Account,
    past: Past<Account, REMEMBERED>,
    /// The network, where there is one for the board and it is in use.
    net: Option<&'static Net>,
    /// What it sees.
    sums: Sums,
    past_sums: Past<Sums, SUMS_REMEMBERED>,
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
            key: 0,
            list: PriceList::for_board(0, 0),
            weights: Weights::NONE,
            account: Account::NONE,
            past: Past::new(Account::NONE),
            net: None,
            sums: net::NOTHING,
            past_sums: Past::new(net::NOTHING),
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
        self.list = PriceList::for_board(cells, k);
        if self.k > 0 {
            let k = usize::from(self.k);
            let (rows, cols) = (self.rows(), self.cols());
            let windows: usize = Direction::ALL.iter().map(|d| d.windows(rows, cols, k)).sum();
            self.account.live = [windows as u16; 2];
            self.weights = if self.is_long() { Weights::fine(k) } else { Weights::NONE };
            self.classify_empty_board(k);
            self.take_stock();
            self.use_network(true);
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
                    windows if self.is_long() => class_of_room(
                        (windows as i32 * self.weights.of(0)) as u32,
                        k,
                        &self.weights,
                    ),
                    // With two cells in a window a second window has another cell to finish in.
                    windows => class(k - 1, windows > 1),
                };
                self.classes[cell].0[n] = found | found << 4;
            }
        }
    }

    /// Sets what the sides have from the classes of the empty cells, but for the windows.
    fn take_stock(&mut self) {
        let (live, room) = (self.account.live, self.whole_room());
        let mut account = Account { live, room, ..Account::NONE };
        for (&stone, classes) in self.stones.iter().zip(self.classes.iter()) {
            if stone == EMPTY {
                account.book(self.list, *classes, 1);
            }
        }
        self.account = account;
    }

    /// Sets what the network sees from the classes of the empty cells.
    fn take_sums(&mut self) {
        self.sums = net::NOTHING;
        let Some(net) = self.net else { return };
        for (&stone, &classes) in self.stones.iter().zip(self.classes.iter()) {
            if stone == EMPTY {
                net.count(&mut self.sums, classes, false);
            }
        }
    }

    /// Whether the network has a say in the evaluation, if there is one for the board. It does at first.
    pub fn use_network(&mut self, is_used: bool) {
        self.net = self.list.net.filter(|_| is_used && self.cells() <= net::MOST_CELLS);
        self.past_sums.forget();
        self.take_sums();
    }

    /// What the live windows of the sides are worth in long lines.
    fn whole_room(&self) -> [i32; 2] {
        let (rows, cols, k) = (self.rows(), self.cols(), usize::from(self.k));
        let mut room = [0; 2];
        if !self.is_long() {
            return room;
        }
        for direction in Direction::ALL {
            let step = direction.step(cols);
            for start in 0..rows * cols {
                let (row, col) = row_and_col(start, cols);
                let (_, forward) = direction.reach(row, col, rows, cols);
                if forward + 1 < k {
                    continue;
                }
                let mut held = [0; 2];
                for side in (0..k).filter_map(|n| self.stone(start + n * step)) {
                    held[side.index()] += 1;
                }
                for side in Side::BOTH.into_iter().filter(|side| held[side.other().index()] == 0) {
                    room[side.index()] += self.weights.of(held[side.index()]);
                }
            }
        }
        room
    }

    /// Whether nobody can force a line.
    fn is_long(&self) -> bool {
        usize::from(self.k) >= UNFORCEABLE_LINE
    }

    /// Values cells by this from now on.
    pub fn set_prices(&mut self, list: &'static PriceList) {
        self.list = list;
        self.past.forget();
        self.take_stock();
        self.use_network(true);
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
        let Account { totals, room, .. } = &self.account;
        let [own, their] = [us, us.other()].map(|side| i64::from(room[side.index()]));
        let room = (own * MOVERS_ROOM - their * WAITERS_ROOM) / ROOM_PARTS;
        let together = self.net.map_or(0, |net| net.worth(&self.sums, us.index()));
        let tempo = i64::from(self.list.worth.tempo);
        clamp_heuristic(i64::from(totals[us.index()]) + room + together + tempo)
    }

    /// Both sides' classes of an empty cell by direction, the first player's in the low halves.
    #[must_use]
    pub fn classes(&self, cell: usize) -> [u8; 4] {
        self.classes[cell].0
    }

    /// What the evaluation counts for a side. Looks at the whole board.
    #[must_use]
    pub fn census(&self, side: Side) -> Census {
        let mut census = Census { classes: [0; CLASSES], crossings: [0; CROSSINGS] };
        for (_, &classes) in
            self.stones.iter().zip(self.classes.iter()).filter(|&(&stone, _)| stone == EMPTY)
        {
            let side = side.index();
            classes.of(side).iter().for_each(|class| census.classes[class % CLASSES] += 1);
            census.crossings[Marks::new(classes, side).crossing() % CROSSINGS] += 1;
        }
        census
    }

    /// How many windows a side can still fill.
    #[must_use]
    pub fn live_windows(&self, side: Side) -> u32 {
        self.account.live[side.index()].into()
    }

    /// How many cells complete a line of a side.
    #[must_use]
    pub fn completing(&self, side: Side) -> usize {
        self.account.stocks[side.index()].completing.into()
    }

    /// Whether there is one.
    #[must_use]
    pub fn may_complete(&self, side: Side) -> bool {
        self.completing(side) > 0
    }

    /// In how many cells a side can make two that complete a line, at once.
    #[must_use]
    pub fn double_fours(&self, side: Side) -> usize {
        self.account.stocks[side.index()].double_fours.into()
    }

    /// What an empty cell counts for in the order of moves.
    #[must_use]
    #[inline]
    pub fn order(&self, cell: usize) -> u32 {
        order::points(self.classes[cell], self.is_long())
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
        self.account.stocks.iter().map(|stock| usize::from(stock.hot)).sum()
    }

    /// Whether a stone of `side` on the empty cell makes an open three.
    #[must_use]
    pub fn makes_open_three(&self, cell: usize, side: Side) -> bool {
        self.classes[cell].makes_open_three(side.index())
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
        self.past.push(&self.account);
        self.account.book(self.list, self.classes[cell], -1);
        if let Some(net) = self.net {
            self.past_sums.push(&self.sums);
            net.count(&mut self.sums, self.classes[cell], true);
        }
        self.stones[cell] = 1 + side.index() as u8;
        self.key = KEYS.with(self.key, cell, side);
        let lost = self.update::<true>(cell, side);
        self.account.live[side.other().index()] -= lost as u16;
    }

    /// Takes the stone that was placed last away again.
    pub fn remove(&mut self, cell: usize, side: Side) {
        self.key = KEYS.without(self.key, cell, side);
        self.stones[cell] = EMPTY;
        self.winner = None;
        let lost = self.update::<false>(cell, side);
        if let Some(before) = self.past.pop() {
            self.account = *before;
        } else {
            self.account.live[side.other().index()] += lost as u16;
            self.take_stock();
        }
        match self.past_sums.pop() {
            Some(before) => self.sums = *before,
            None => self.take_sums(),
        }
    }

    /// Brings the classes around a cell up to date where a stone of `side` came or went, and books what
    /// changes if asked to. Returns how many windows the stone takes away from the other side.
    fn update<const BOOKED: bool>(&mut self, cell: usize, side: Side) -> u32 {
        let k = usize::from(self.k);
        if k == 0 {
            return 0;
        }
        let (rows, cols) = (self.rows(), self.cols());
        let (row, col) = row_and_col(cell, cols);
        let mut lost = 0;
        for (n, direction) in Direction::ALL.into_iter().enumerate() {
            let (back, forward) = direction.reach(row, col, rows, cols);
            let line = Line { cell, direction: n, step: direction.step(cols), back, forward };
            lost += if k == fives::LENGTH && !self.exact {
                self.update_fives::<BOOKED>(&line, side)
            } else {
                self.update_any::<BOOKED>(&line, side)
            };
        }
        lost
    }

    /// Lines of five: reads the classes from the table. Returns how many windows through the cell
    /// only the other side could fill but for this stone, or nobody has a stone in.
    #[inline]
    fn update_fives<const BOOKED: bool>(&mut self, line: &Line, side: Side) -> u32 {
        use fives::{REACH, Surroundings, VIEW};
        let &Line { cell, direction, step, back, forward } = line;
        let PatternBoard { stones, classes, account, net, sums, list, .. } = self;
        let here = stones[cell];
        let code = |n: usize, forward: bool| {
            let away = n.wrapping_add(1).wrapping_mul(step);
            stones[if forward { cell.wrapping_add(away) } else { cell.wrapping_sub(away) }]
        };
        let around = Surroundings::new(
            (0..back.min(VIEW)).map(|n| code(n, false)),
            (0..forward.min(VIEW)).map(|n| code(n, true)),
        );
        let mut set = |at: usize, found: u8| {
            if BOOKED {
                account.rebook((*net, sums), list, &mut classes[at], direction, found);
            } else {
                classes[at].0[direction % 4] = found;
            }
        };
        // Cells outside the board are never visited.
        let first = cell.wrapping_sub(REACH * step);
        around.for_each_before(here, |n, found| set(first.wrapping_add(n * step), found));
        around.for_each_after(here, |n, found| set(cell + (n + 1) * step, found));
        around.windows_without(1 + side.index() as u8)
    }

    /// Lines of any length: works the classes out. Returns the same as [`Self::update_fives`].
    fn update_any<const BOOKED: bool>(&mut self, line: &Line, side: Side) -> u32 {
        let reach = self.influence();
        let (back, forward) = (line.back.min(2 * reach), line.forward.min(2 * reach));
        let first = line.cell - back * line.step;
        let cells = (0..back + forward + 1).map(|n| self.stones[first + n * line.step]);
        let rule = sliding::Rule { k: self.k.into(), exact: self.exact };
        let Some(strip) = sliding::Strip::new(cells, rule) else { return 0 };
        let is_long = self.is_long();
        let PatternBoard { classes, account, net, sums, list, weights, .. } = self;
        if is_long && BOOKED {
            let changes = strip.change_of_room(back, side, weights);
            account.room.iter_mut().zip(changes).for_each(|(room, change)| *room += change);
        }
        let (low, high) = (back - back.min(reach), back + forward.min(reach));
        let set = |n, found| {
            // The cell itself is not empty, or has its classes as they were.
            if n == back {
                return;
            }
            let classes = &mut classes[first + n * line.step];
            if BOOKED {
                account.rebook((*net, sums), list, classes, line.direction, found);
            } else {
                classes.0[line.direction % 4] = found;
            }
        };
        if is_long {
            strip.for_each_class_in_long_lines(low, high, weights, set);
        } else {
            strip.for_each_class(low, high, set);
        }
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
