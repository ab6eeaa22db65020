//! What a small network adds to the prices of classes, for lines of five.
//!
//! Prices add up: an open three is worth the same whatever else is on the board. The network sees what goes
//! together, in a cell and on the whole board. It has three steps:
//!
//! ```text
//! cell      what a cell has     = sum of the rows of its four directions, and 0 if less, per channel
//! board     what a side has     = sum over the cells that a stone is in line with
//! position  what it is worth    = one hidden layer over what the mover has and what the other side has
//! ```
//!
//! The sums of the second step are kept up to date with every stone, as those of prices are. Both sides are
//! seen by the same numbers, each with its own stones as "own". `tavola tune --net` makes the numbers.
//!
//! # Bounds
//! All is done in whole numbers. Boards of more than [`MOST_CELLS`] cells do without the network. A sum holds what
//! those cells have if it is at most 127 on average. Beyond that a guess would be wrong, and right again once stones
//! are taken back, because sums are taken modulo a power of two.

use super::{Classes, class_of};

/// Numbers per cell and side.
pub const CHANNELS: usize = 16;
/// Numbers of the hidden layer.
pub const HIDDEN: usize = 32;
/// The most cells of a board that the network values.
pub const MOST_CELLS: usize = 512;

/// The numbers of both sides, the first player's first.
const BOTH: usize = 2 * CHANNELS;
/// Words that hold them, two to a word: chips have no wider vectors. A word is the sum of the number in its lower
/// half and 2^16 times the one in its upper half, so that numbers below 0 can be added as well.
const WORDS: usize = BOTH / 2;
type Lanes = [u32; WORDS];

/// The word with this number in both halves.
const fn twice(number: u16) -> u32 {
    number as u32 * 0x1_0001
}

/// What is added to a row, so that the halves of the words of four rows are numbers from 0 on.
const RAISED: u32 = twice(0x2000);
const _: () = assert!(-4 * (i8::MIN as i32) <= 0x8000 && 4 * (i8::MAX as i32) < 0x8000);

/// Makes the halves of the sum of four rows 0 where they are less.
#[inline]
const fn cut(raised: u32) -> u32 {
    let high = raised & twice(0x8000);
    // 0x7FFF in the halves that have the highest bit.
    raised & (high - (high >> 15))
}

/// The classes that lines of five have.
const LEVELS: [u8; 10] = [0, 7, 8, 9, 10, 11, 12, 13, 14, 15];
/// How many pairs of both sides' classes there are.
pub const PAIRS: usize = LEVELS.len() * LEVELS.len();

/// The greatest weight of the hidden layer.
pub const MOST_WEIGHT: i16 = 2_000;
/// With it no sum of that layer overflows, where half of what a side has goes in.
const _: () = assert!(BOTH * (u16::MAX / 2) as usize * MOST_WEIGHT as usize <= i32::MAX as usize);
/// What a weight of 1 is in the layers, as a power of two: in the cells, ...
pub const CELL_BITS: u32 = 5;
/// ... in the hidden layer, ...
pub const HIDDEN_BITS: u32 = 14;
/// ... and in the last one, where the worth is in points.
pub const LAST_BITS: u32 = 4;
/// Bits that a sum of the hidden layer loses before the last one.
const DROPPED_BITS: u32 = 8;
/// Bits that the last sum has beyond the point.
pub const WORTH_BITS: u32 = CELL_BITS - 1 + HIDDEN_BITS - DROPPED_BITS + LAST_BITS;
/// Bits of a number that is added to a sum of the hidden layer.
pub const BIAS_BITS: u32 = CELL_BITS - 1 + HIDDEN_BITS;

/// Bytes of a network: rows by pair, the hidden layer with the mover's weights before the other side's, its
/// biases, the last layer and its bias.
pub const BYTES: usize = PAIRS * CHANNELS + 2 * HIDDEN * BOTH + 4 * HIDDEN + 2 * HIDDEN + 4;

/// The number of a pair of classes, the own one first. Classes that lines of five do not have are dead.
#[must_use]
pub const fn pair(own: u8, their: u8) -> usize {
    level(own) * LEVELS.len() + level(their)
}

const fn level(class: u8) -> usize {
    let mut level = LEVELS.len() - 1;
    while level > 0 && LEVELS[level] != class {
        level -= 1;
    }
    level
}

/// The network that is played with.
pub(super) static BUILT_IN: Net = match Net::read(include_bytes!("fives.bin")) {
    Some(net) => net,
    None => panic!("fives.bin holds no network"),
};

/// The numbers of a network, made ready for use.
#[derive(Debug, PartialEq, Eq)]
pub struct Net {
    /// By both sides' classes, for both sides, raised.
    rows: [Lanes; 256],
    hidden: [[i16; BOTH]; HIDDEN],
    hidden_bias: [i32; HIDDEN],
    last: [i16; HIDDEN],
    last_bias: i32,
}

/// What the sides have.
pub(super) type Sums = Lanes;
/// What they have where no cell is counted.
pub(super) const NOTHING: Sums = [0; WORDS];

impl Net {
    /// The network in these bytes, if no weight of the hidden layer is beyond [`MOST_WEIGHT`].
    #[must_use]
    pub const fn read(bytes: &[u8; BYTES]) -> Option<Net> {
        let mut net = Net {
            rows: [[RAISED; WORDS]; 256],
            hidden: [[0; BOTH]; HIDDEN],
            hidden_bias: [0; HIDDEN],
            last: [0; HIDDEN],
            last_bias: 0,
        };
        let mut both = 0;
        while both < 256 {
            let (first, second) = (class_of(both as u8, 0), class_of(both as u8, 1));
            put(&mut net.rows[both], 0, bytes, pair(first, second) * CHANNELS);
            put(&mut net.rows[both], WORDS / 2, bytes, pair(second, first) * CHANNELS);
            both += 1;
        }
        let at = PAIRS * CHANNELS;
        let mut unit = 0;
        while unit < HIDDEN {
            let mut n = 0;
            while n < BOTH {
                let weight = short(bytes, at + 2 * (unit * BOTH + n));
                if weight > MOST_WEIGHT || weight < -MOST_WEIGHT {
                    return None;
                }
                net.hidden[unit][n] = weight;
                n += 1;
            }
            net.hidden_bias[unit] = long(bytes, at + 2 * HIDDEN * BOTH + 4 * unit);
            net.last[unit] = short(bytes, at + 2 * HIDDEN * BOTH + 4 * HIDDEN + 2 * unit);
            unit += 1;
        }
        net.last_bias = long(bytes, BYTES - 4);
        Some(net)
    }

    /// Counts a cell once more or, if it `leaves`, once less.
    pub(super) fn count(&self, sums: &mut Sums, classes: Classes, leaves: bool) {
        if !is_counted(classes.0) {
            return;
        }
        let [one, two, three, four] = classes.0.map(|both| &self.rows[usize::from(both)]);
        for n in 0..WORDS {
            let pairs = [one[n].wrapping_add(two[n]), three[n].wrapping_add(four[n])];
            let cell = cut(pairs[0].wrapping_add(pairs[1]));
            sums[n] = if leaves { sums[n].wrapping_sub(cell) } else { sums[n].wrapping_add(cell) };
        }
    }

    /// A cell that has these classes now had `old` ones in a direction before.
    #[inline]
    pub(super) fn recount(&self, sums: &mut Sums, now: Classes, direction: usize, old: u8) {
        let mut before = now;
        let new = core::mem::replace(&mut before.0[direction % 4], old);
        if !(is_counted(before.0) && is_counted(now.0)) {
            self.count(sums, before, true);
            return self.count(sums, now, false);
        }
        let row = |both: u8| &self.rows[usize::from(both)];
        let other = |turn: usize| row(now.0[(direction + turn) % 4]);
        let (one, two, three, less, more) = (other(1), other(2), other(3), row(old), row(new));
        for n in 0..WORDS {
            let rest = one[n].wrapping_add(two[n]).wrapping_add(three[n]);
            let lost = cut(rest.wrapping_add(less[n]));
            let won = cut(rest.wrapping_add(more[n]));
            sums[n] = sums[n].wrapping_add(won).wrapping_sub(lost);
        }
    }

    /// What it is worth to a side to be to move, in points.
    pub(super) fn worth(&self, sums: &Sums, side: usize) -> i64 {
        let mut seen = [0; BOTH];
        for (n, halves) in seen.as_chunks_mut::<2>().0.iter_mut().enumerate() {
            let word = sums[(n + side * WORDS / 2) % WORDS];
            halves[0] = ((word & 0xFFFF) >> 1) as i16;
            halves[1] = (word >> 17) as i16;
        }
        let mut worth = i64::from(self.last_bias);
        for ((weights, &bias), &last) in self.hidden.iter().zip(&self.hidden_bias).zip(&self.last) {
            let quads = weights.as_chunks::<4>().0.iter().zip(seen.as_chunks::<4>().0);
            let sum: i32 = quads.map(|(&w, &x)| product(w, x)).sum();
            let unit = sum.saturating_add(bias).max(0) >> DROPPED_BITS;
            worth += i64::from(unit) * i64::from(last);
        }
        worth >> WORTH_BITS
    }
}

/// Four at once: compilers for chips that care for size do not join the steps of a loop by themselves.
#[inline]
fn product([a, b, c, d]: [i16; 4], [e, f, g, h]: [i16; 4]) -> i32 {
    let of = |one: i16, other: i16| i32::from(one) * i32::from(other);
    of(a, e) + of(b, f) + of(c, g) + of(d, h)
}

/// Adds the numbers of all channels, from `at` on, to the words from `first` on.
const fn put(lanes: &mut Lanes, first: usize, bytes: &[u8; BYTES], at: usize) {
    let mut n = 0;
    while n < CHANNELS {
        let number = bytes[at + n] as i8 as i32 as u32;
        let word = &mut lanes[first + n / 2];
        *word = word.wrapping_add(number << (16 * (n % 2)));
        n += 1;
    }
}

/// Whether a stone is in line with a cell with these classes: some class is above that of an empty window.
#[inline]
#[must_use]
pub const fn is_counted(classes: [u8; 4]) -> bool {
    let classes = u32::from_le_bytes(classes);
    // The low bits of a class are not all 0 if they carry into the high one.
    ((classes & 0x7777_7777) + 0x7777_7777) & classes & 0x8888_8888 != 0
}

const fn short(bytes: &[u8; BYTES], at: usize) -> i16 {
    i16::from_le_bytes([bytes[at], bytes[at + 1]])
}

const fn long(bytes: &[u8; BYTES], at: usize) -> i32 {
    i32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}
