//! How stones make a key: exactly, where the board is small enough, or by Zobrist hashing.
//!
//! The exact key reads the board as a number in base 3 (0 free, 1 first player, 2 second), cell 0
//! being the lowest digit. `3^40 < 2^64`, so boards of up to 40 cells can have one. A hashed key is the exclusive or of one scattered number per stone.

use super::Side;

/// The most cells of a board whose positions have exact keys.
pub const EXACT_CELLS: usize = 40;

/// The weight of each digit of an exact key.
const POWERS_OF_3: [u64; EXACT_CELLS] = {
    let mut powers = [1; EXACT_CELLS];
    let mut n = 1;
    while n < EXACT_CELLS {
        powers[n] = powers[n - 1] * 3;
        n += 1;
    }
    powers
};

/// How the stones of a board make its key. The key of the empty board is 0 either way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keys {
    /// Different positions have different keys.
    Exact,
    /// Different positions have different keys but for rare accidents.
    Hashed,
}

impl Keys {
    /// Exact keys if the board is small enough for them.
    #[must_use]
    pub const fn best_for(cells: usize) -> Keys {
        if cells <= EXACT_CELLS { Keys::Exact } else { Keys::Hashed }
    }

    /// How many low bits of a key are in use.
    #[must_use]
    pub fn bits(self, cells: usize) -> u32 {
        match (self, cells.checked_sub(1).and_then(|last| POWERS_OF_3.get(last))) {
            // The greatest key has the digit 2 everywhere.
            (Keys::Exact, Some(power)) => u64::BITS - (power * 2 + (power - 1)).leading_zeros(),
            _ => u64::BITS,
        }
    }

    /// The key with a stone added.
    #[must_use]
    #[inline]
    pub fn with(self, key: u64, cell: usize, side: Side) -> u64 {
        match self {
            Keys::Exact => key.wrapping_add(digit(cell, side)),
            Keys::Hashed => key ^ scatter((cell * 2 + side.index()) as u64),
        }
    }

    /// The key with a stone taken away.
    #[must_use]
    #[inline]
    pub fn without(self, key: u64, cell: usize, side: Side) -> u64 {
        match self {
            Keys::Exact => key.wrapping_sub(digit(cell, side)),
            Keys::Hashed => self.with(key, cell, side),
        }
    }

    /// The key of these stones.
    #[must_use]
    pub fn of_stones(self, stones: impl Iterator<Item = (usize, Side)>) -> u64 {
        stones.fold(0, |key, (cell, side)| self.with(key, cell, side))
    }
}

/// Scatters the bits of `n`, so that Zobrist keys need no table.
///
/// The finaliser of SplitMix64 (Steele, Lea and Flood, 2014); a bijection.
#[must_use]
pub const fn scatter(n: u64) -> u64 {
    let n = n.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let n = (n ^ (n >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let n = (n ^ (n >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    n ^ (n >> 31)
}

/// What a stone adds to an exact key.
fn digit(cell: usize, side: Side) -> u64 {
    POWERS_OF_3.get(cell).map_or(0, |power| power * (1 + side.index() as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_keys_fit_in_the_bits_they_claim() {
        assert_eq!(Keys::Exact.bits(1), 2); // 0, 1, 2
        assert_eq!(Keys::Exact.bits(2), 4); // up to 8
        assert_eq!(Keys::Exact.bits(3), 5); // up to 26
        assert_eq!(Keys::Exact.bits(36), 58);
        assert_eq!(Keys::Exact.bits(40), 64);
        assert_eq!(Keys::Hashed.bits(9), 64);
        for cells in 1..EXACT_CELLS {
            let full = (0..cells).fold(0, |key, cell| Keys::Exact.with(key, cell, Side::Second));
            assert_eq!(Keys::Exact.bits(cells), u64::BITS - full.leading_zeros());
        }
    }
}
