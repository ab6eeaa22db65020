//! The classes for lines of five, read from a table in flash.

use super::class;
use crate::game::line::patterns::EMPTY;

/// Length of a window.
pub const LENGTH: usize = 5;
/// How far a class looks to either side.
pub const REACH: usize = LENGTH - 1;
/// How far from a stone a cell can be that the classes around the stone depend on.
pub const VIEW: usize = 2 * REACH;
/// The code of what is beside the board; others are 0 for an empty cell and 1 and 2 for the
/// players' stones.
const OUTSIDE: u8 = 3;

/// Codes of four cells, two bits each.
const HALF_CODES: usize = 1 << (2 * REACH);
const HALF_BITS: usize = 2 * REACH;
const HALF_MASK: u32 = HALF_CODES as u32 - 1;

/// How many codes there are in fact: what is beside the board is never nearer than a cell of it, so with
/// n cells of the board there are 3 to the power of n.
const HALVES: usize = 1 + 3 + 9 + 27 + 81;

/// Numbers for the codes of four cells, the nearest first.
static NUMBERS: [u8; HALF_CODES] = {
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
static MIRRORED: [u8; HALF_CODES] = {
    let mut numbers = [0; HALF_CODES];
    let mut code = 0;
    while code < HALF_CODES {
        let mirrored = (code & 3) << 6 | (code >> 2 & 3) << 4 | (code >> 4 & 3) << 2 | code >> 6;
        numbers[code] = NUMBERS[mirrored];
        code += 1;
    }
    numbers
};

/// The numbers of the halves before and after a cell, side by side.
const PLACES: usize = 1 << (2 * NUMBER_BITS);
const NUMBER_BITS: u32 = HALVES.next_power_of_two().trailing_zeros();

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
                classes[row << NUMBER_BITS | column] = look(codes, 1) | look(codes, 2) << 4;
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

/// What lies around a cell along a line: [`VIEW`] codes of two bits to either side.
pub struct Surroundings {
    /// The nearest last, in the highest bits.
    before: u32,
    /// The nearest first, in the lowest bits.
    after: u32,
}

impl Surroundings {
    /// From the codes of the cells before and after, the nearest first; where they end is the edge.
    #[inline]
    pub fn new(before: impl Iterator<Item = u8>, after: impl Iterator<Item = u8>) -> Surroundings {
        const ALL_OUTSIDE: u32 = (1 << (2 * VIEW)) - 1;
        let mut around = Surroundings { before: ALL_OUTSIDE, after: ALL_OUTSIDE };
        // What is not on the board stays as it is.
        for (n, code) in before.enumerate() {
            around.before ^= u32::from(code ^ OUTSIDE) << (2 * (VIEW - 1).saturating_sub(n));
        }
        for (n, code) in after.enumerate() {
            around.after ^= u32::from(code ^ OUTSIDE) << (2 * n.min(VIEW - 1));
        }
        around
    }

    /// How many windows through the cell hold no stone with this code besides it.
    #[inline]
    pub fn windows_without(&self, own: u8) -> u32 {
        /// The low bit of the four codes next to the cell.
        const NEAREST: u32 = 0x55;
        // A stone with the code, as what is beside the board, has this bit set.
        let bit = u32::from(own >> 1);
        let after = self.after >> bit & NEAREST | 1 << HALF_BITS;
        let before = self.before >> (HALF_BITS as u32 + bit) & NEAREST;
        let free_after = after.trailing_zeros() / 2;
        let free_before = (before << (u32::BITS - HALF_BITS as u32)
            | 1 << (u32::BITS - 1 - HALF_BITS as u32))
            .leading_zeros()
            / 2;
        (free_before + free_after + 1).saturating_sub(REACH as u32)
    }

    /// Calls `visit` with both sides' classes of the empty cells up to [`REACH`] steps before the cell, which
    /// holds `code`, and with their places, the furthest first, from 0.
    #[inline]
    pub fn for_each_before(&self, code: u8, visit: impl FnMut(usize, u8)) {
        let nearest_after = self.after & HALF_MASK >> 2;
        for_each_class(self.before | u32::from(code) << 16 | nearest_after << 18, visit);
    }

    /// The same for the cells after it, the nearest first.
    #[inline]
    pub fn for_each_after(&self, code: u8, visit: impl FnMut(usize, u8)) {
        let nearest_before = self.before >> (HALF_BITS + 2);
        for_each_class(nearest_before | u32::from(code) << 6 | self.after << 8, visit);
    }
}

/// Goes through the four cells in the middle of twelve.
#[inline]
fn for_each_class(codes: u32, mut visit: impl FnMut(usize, u8)) {
    for n in 0..REACH {
        let here = codes >> (2 * n);
        if (here >> HALF_BITS & 3) as u8 == EMPTY {
            let before = MIRRORED[(here & HALF_MASK) as usize];
            let after = NUMBERS[(here >> (HALF_BITS + 2) & HALF_MASK) as usize];
            let place = usize::from(before) << NUMBER_BITS | usize::from(after);
            visit(n, CLASSES[place % PLACES]);
        }
    }
}
