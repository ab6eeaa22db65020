//! The classes for lines of five, read from a table in flash.

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
        let mirrored = (code & 3) << 6 | (code >> 2 & 3) << 4 | (code >> 4 & 3) << 2 | code >> 6;
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
