//! The table's storage as plain bytes, for a moment.
//!
//! A conversation sometimes has to hold a whole game besides the one on the board: the stones of a
//! `BOARD`, the moves of a `LOAD`, and the old game until the new one has proved sound. There is no
//! memory for that, but there is the table, which only holds what can be found out again. Whoever
//! borrows it clears it afterwards.

use super::{Bucket, ENTRIES};

/// Bytes that a bucket lends: its two rows of 32-bit words.
pub const BYTES_PER_BUCKET: usize = 2 * 4 * ENTRIES;

/// The bytes.
#[derive(Debug)]
pub struct Scratch<'a> {
    buckets: &'a mut [Bucket],
}

impl<'a> Scratch<'a> {
    /// Borrows the storage of a table, whose entries are worthless from now on.
    #[must_use]
    pub const fn new(buckets: &'a mut [Bucket]) -> Scratch<'a> {
        Scratch { buckets }
    }

    /// How many bytes there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.buckets.len() * BYTES_PER_BUCKET
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.buckets.is_empty()
    }

    /// The 16-bit number at place `n`, counted in numbers. 0 beyond the end.
    #[must_use]
    pub fn get(&self, n: usize) -> u16 {
        let (bucket, word, shift) = place(n);
        let Some(bucket) = self.buckets.get(bucket) else { return 0 };
        bucket.words.get(word).map_or(0, |word| (word >> shift) as u16)
    }

    /// Sets the 16-bit number at place `n`. `false` beyond the end.
    #[must_use]
    pub fn set(&mut self, n: usize, number: u16) -> bool {
        let (bucket, word, shift) = place(n);
        let Some(bucket) = self.buckets.get_mut(bucket) else { return false };
        let Some(word) = bucket.words.get_mut(word) else { return false };
        *word = *word & !(0xFFFF << shift) | u32::from(number) << shift;
        true
    }
}

/// Bucket, word in the bucket, and shift of the 16-bit number `n`.
const fn place(n: usize) -> (usize, usize, u32) {
    const NUMBERS: usize = BYTES_PER_BUCKET / 2;
    (n / NUMBERS, n % NUMBERS / 2, 16 * (n % 2) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_apart() {
        let mut storage = [Bucket::EMPTY; 3];
        let mut scratch = Scratch::new(&mut storage);
        let numbers = scratch.len() / 2;
        for n in 0..numbers {
            assert!(scratch.set(n, n as u16 ^ 0xA5A5));
        }
        assert!((0..numbers).all(|n| scratch.get(n) == n as u16 ^ 0xA5A5));
        assert!(!scratch.set(numbers, 1));
        assert_eq!(scratch.get(numbers), 0);
    }
}
