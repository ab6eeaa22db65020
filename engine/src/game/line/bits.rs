//! Lines on boards that fit in 64 bits: everything is computed from bit sets when asked.
//!
//! A board is a set of cells with a *shift* per direction: the bit of the next cell along that
//! direction. A window is named by its first cell; `starts` holds, per direction, the first cells
//! from which a whole window fits. Shifting a set right by `n` shifts brings the cell `n` steps
//! ahead of each cell onto it, so "own stone at every cell of the window" is an AND of shifted
//! sets. `starts` cuts off whatever wrapped round an edge; layouts need no empty border.

use super::{Direction, Weights};

/// A set of cells.
pub type Cells = u64;

/// The most cells that a board in bits can have.
pub const MAX_CELLS: usize = 64;

/// The geometry of all windows of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineBits {
    /// Length of a window; 0 if none fits.
    k: u32,
    exact: bool,
    shifts: [u32; 4],
    /// First cells of windows.
    starts: [Cells; 4],
    /// First cells of windows that have a cell before them in their line.
    preceded: [Cells; 4],
    /// First cells of windows that have a cell after them in their line.
    followed: [Cells; 4],
    /// The window that starts at bit 0.
    shape: [Cells; 4],
}

/// What a side could threaten with one more stone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fours {
    /// It can win at once.
    pub wins: bool,
    /// Empty cells at which a stone threatens to win at once.
    pub cells: Cells,
    /// Those at which it does so in two places.
    pub doubles: Cells,
}

/// The most threats in a chain before the last.
pub const LONGEST_CHAIN: usize = 6;
/// How many threats are tried for a chain.
const CHAIN_LOOK: usize = 40;

/// The other empty cell of a window is not known.
const NO_PARTNER: u8 = u8::MAX;

impl LineBits {
    /// The windows of `k` cells on a `rows` x `cols` board whose cells lie at the bits that `bit`
    /// says. The distance between the bits of neighbours must depend on the direction only, and
    /// grow along [`Direction::Right`].
    #[must_use]
    pub fn new(
        rows: usize,
        cols: usize,
        k: usize,
        exact: bool,
        bit: impl Fn(usize, usize) -> usize,
    ) -> LineBits {
        let k = if k <= rows.max(cols) { k } else { 0 };
        let mut lines = LineBits {
            k: k as u32,
            exact,
            shifts: [0; 4],
            starts: [0; 4],
            preceded: [0; 4],
            followed: [0; 4],
            shape: [0; 4],
        };
        if k == 0 {
            return lines;
        }
        for (n, direction) in Direction::ALL.into_iter().enumerate() {
            let n = n % 4;
            let (row_step, col_step) = direction.delta();
            for row in 0..rows {
                for col in 0..cols {
                    let (back, ahead) = direction.reach(row, col, rows, cols);
                    if ahead + 1 < k {
                        continue;
                    }
                    let here = bit(row, col);
                    // Along a direction whose bits fall, a window is named by its last cell.
                    let last = bit(
                        row.wrapping_add_signed(row_step * (k as isize - 1)),
                        col.wrapping_add_signed(col_step * (k as isize - 1)),
                    );
                    let (before, after) =
                        if last >= here { (back > 0, ahead >= k) } else { (ahead >= k, back > 0) };
                    let start = here.min(last);
                    if k > 1 {
                        lines.shifts[n] = (here.abs_diff(last) / (k - 1)) as u32;
                    }
                    lines.starts[n] |= 1 << start;
                    lines.preceded[n] |= Cells::from(before) << start;
                    lines.followed[n] |= Cells::from(after) << start;
                }
            }
            if lines.starts[n] != 0 {
                lines.shape[n] = (0..k as u32).fold(0, |set, i| set | 1 << (i * lines.shifts[n]));
            }
        }
        lines
    }

    /// Length of a window; 0 if none fits the board.
    #[must_use]
    pub fn k(&self) -> u32 {
        self.k
    }

    /// The cells, per cell of a window, brought onto the window's start: calls `visit` with the
    /// set shifted by 0 to k - 1 steps.
    #[inline]
    fn along(&self, direction: usize, set: Cells, mut visit: impl FnMut(Cells)) {
        let mut shifted = set;
        for _ in 0..self.k {
            visit(shifted);
            shifted >>= self.shifts[direction % 4];
        }
    }

    /// Whether `own` fills a window (with `exact`, one that is not part of a longer line).
    #[must_use]
    #[inline]
    pub fn has_line(&self, own: Cells) -> bool {
        (0..4).any(|direction| {
            let mut full = self.starts[direction];
            self.along(direction, own, |shifted| full &= shifted);
            full & !self.flanked(direction, own) != 0
        })
    }

    /// Windows that an own stone directly before or after makes part of an overline; with the
    /// usual rule none, and none where `k` is 1: the first stone of all wins.
    #[inline]
    fn flanked(&self, direction: usize, own: Cells) -> Cells {
        if !self.exact || self.k == 1 || self.k >= MAX_CELLS as u32 {
            return 0;
        }
        let shift = self.shifts[direction];
        let ahead = (self.k * shift).min(MAX_CELLS as u32 - 1);
        ((own << shift) & self.preceded[direction]) | ((own >> ahead) & self.followed[direction])
    }

    /// The empty cells that complete a window of `own`.
    #[must_use]
    #[inline]
    pub fn completing(&self, own: Cells, empty: Cells) -> Cells {
        match self.k {
            0 => 0,
            1..=8 => self.completing_up_to::<8>(own, empty),
            _ => self.completing_up_to::<MAX_CELLS>(own, empty),
        }
    }

    #[inline]
    fn completing_up_to<const K: usize>(&self, own: Cells, empty: Cells) -> Cells {
        let k = self.k as usize;
        let mut found = 0;
        for direction in 0..4 {
            let shift = self.shifts[direction];
            let starts = self.starts[direction] & !self.flanked(direction, own);
            if starts == 0 {
                continue;
            }
            // head[j]: own at the first j cells of the window.
            let mut head = [0; K];
            let mut run = starts;
            let mut shifted = own;
            for slot in head.iter_mut().take(k) {
                *slot = run;
                run &= shifted;
                shifted >>= shift;
            }
            // tail: own at all cells of the window after the gap, from the last gap on.
            let mut tail = starts;
            for (gap, before) in head.iter().enumerate().take(k).rev() {
                let offset = gap as u32 * shift;
                found |= (before & tail) << offset;
                tail &= own >> offset;
            }
        }
        found & empty
    }

    /// What `own` could threaten with one more stone. Not for the exact rule: a stone there can also
    /// undo a threat.
    #[must_use]
    #[inline]
    pub fn fours(&self, own: Cells, empty: Cells) -> Fours {
        let mut fours = Fours::default();
        let mut partners = [NO_PARTNER; MAX_CELLS];
        for direction in 0..4 {
            // Windows of which so many cells are empty and all others own.
            let (mut none, mut one, mut two) = (self.starts[direction], 0, 0);
            let (mut stones, mut gaps) = (own, empty);
            for _ in 0..self.k {
                two = two & stones | one & gaps;
                one = one & stones | none & gaps;
                none &= stones;
                stones >>= self.shifts[direction];
                gaps >>= self.shifts[direction];
            }
            fours.wins |= one != 0;
            while two != 0 {
                let free = self.window(direction, two.trailing_zeros()) & empty;
                two &= two - 1;
                fours.cells |= free;
                let (low, high) =
                    (free.trailing_zeros() as u8, free.checked_ilog2().unwrap_or(0) as u8);
                for (cell, partner) in [(low, high), (high, low)] {
                    let known = &mut partners[usize::from(cell) % MAX_CELLS];
                    if *known == NO_PARTNER {
                        *known = partner;
                    } else if *known != partner {
                        fours.doubles |= 1 << (u32::from(cell) % Cells::BITS);
                    }
                }
            }
        }
        fours
    }

    /// In how many plies the side to move wins by at most `most` threats to win at once, each
    /// answered, and then two in one move, if a short look finds that. The first threat is one of `cells`.
    ///
    /// Not for the exact rule, and only where neither side can win at once.
    #[must_use]
    #[inline(never)]
    pub fn chain(
        &self,
        [own, their, empty]: [Cells; 3],
        cells: Cells,
        most: usize,
    ) -> Option<usize> {
        let board = own | their | empty;
        let mut levels = [[0; 3]; LONGEST_CHAIN];
        let mut level = 0;
        levels[level] = [own, their, cells];
        for _ in 0..CHAIN_LOOK {
            let [own, their, cells] = &mut levels[level % LONGEST_CHAIN];
            if *cells == 0 {
                if level == 0 {
                    return None;
                }
                level -= 1;
                continue;
            }
            let cell = *cells & cells.wrapping_neg();
            *cells &= !cell;
            let own = *own | cell;
            let their = *their | self.completing(own, board & !(own | *their));
            let empty = board & !(own | their);
            // An answer that threatens to win must be answered in turn, by the next threat.
            let must = self.completing(their, empty);
            if must.count_ones() > 1 {
                continue;
            }
            let allowed = if must == 0 { empty } else { must };
            let fours = self.fours(own, empty);
            if fours.doubles & allowed != 0 {
                return Some(2 * level + 5);
            }
            if fours.cells & allowed != 0 && level + 1 < most.min(LONGEST_CHAIN) {
                level += 1;
                levels[level % LONGEST_CHAIN] = [own, their, fours.cells & allowed];
            }
        }
        None
    }

    /// The first cells of all windows inside `allowed`, per direction.
    #[must_use]
    #[inline]
    pub fn windows_inside(&self, allowed: Cells) -> [Cells; 4] {
        let mut inside = self.starts;
        for (direction, set) in inside.iter_mut().enumerate() {
            self.along(direction, allowed, |shifted| *set &= shifted);
        }
        inside
    }

    /// The cells of the window that starts at this bit.
    #[must_use]
    #[inline]
    pub fn window(&self, direction: usize, start: u32) -> Cells {
        self.shape[direction % 4] << start
    }

    /// The distance between the bits of neighbours.
    #[must_use]
    pub fn shift(&self, direction: usize) -> u32 {
        self.shifts[direction % 4]
    }

    /// Sums `value(stones)` over the windows inside `own | empty`, where `stones` is how many
    /// own stones a window holds.
    #[must_use]
    pub fn sum_live(&self, own: Cells, empty: Cells, mut value: impl FnMut(u32) -> i64) -> i64 {
        const PLANES: usize = 7; // counts up to 64
        let inside = self.windows_inside(own | empty);
        let mut sum = 0;
        for (direction, live) in inside.into_iter().enumerate() {
            if live == 0 {
                continue;
            }
            // Adds up own stones of all windows at once, a binary digit per plane.
            let mut planes = [0; PLANES];
            self.along(direction, own, |shifted| {
                let mut carry = shifted & live;
                for plane in &mut planes {
                    let both = *plane & carry;
                    *plane ^= carry;
                    carry = both;
                    if carry == 0 {
                        break;
                    }
                }
            });
            let mut left = live;
            for stones in 0..=self.k {
                let class = planes.iter().enumerate().fold(left, |set, (bit, plane)| {
                    if stones >> bit & 1 == 1 { set & plane } else { set & !plane }
                });
                if class != 0 {
                    sum += i64::from(class.count_ones()) * value(stones);
                    left &= !class;
                    if left == 0 {
                        break;
                    }
                }
            }
        }
        sum
    }

    /// A side's total; see [`super`].
    #[must_use]
    pub fn total(&self, own: Cells, empty: Cells, weights: &Weights) -> i64 {
        self.sum_live(own, empty, |stones| i64::from(weights.of(stones as usize)))
    }

    /// Adds a side's points to every cell.
    pub fn add_points(
        &self,
        own: Cells,
        empty: Cells,
        weights: &Weights,
        points: &mut [u32; MAX_CELLS],
    ) {
        for (direction, mut live) in self.windows_inside(own | empty).into_iter().enumerate() {
            while live != 0 {
                let window = self.window(direction, live.trailing_zeros());
                live &= live - 1;
                let weight = weights.of((window & own).count_ones() as usize) as u32;
                let mut free = window & empty;
                while free != 0 {
                    points[free.trailing_zeros() as usize % MAX_CELLS] += weight;
                    free &= free - 1;
                }
            }
        }
    }
}
