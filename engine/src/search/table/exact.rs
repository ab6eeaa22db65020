//! Entries for a solver that deals in proofs only: both bounds of a score, no move, no horizon.
//!
//! A bucket holds eight of them, two words each:
//!
//! ```text
//! 32 bits   tag, low part
//! 32 bits   tag, high part 12 | work 6 | lower bound 7 | upper bound 7
//! ```
//!
//! In 64 KiB that is 8,192 entries, a third more than the search has. With 44 bits of tag a hit is
//! certain to be the same position for keys up to 54 bits.
//!
//! Replacement: the entry that took the least work goes. The work is a logarithm, and now and then
//! a bucket's entries lose one of it, so what is not met again does not stay forever.

use super::{Bucket, Place, Table, WORDS};

/// Entries per bucket.
pub const ENTRIES: usize = WORDS / 2;

const TAG_BITS: u32 = 32 + TAG_HIGH_BITS;
const TAG_HIGH_BITS: u32 = 12;
const WORK_BITS: u32 = 6;
const BOUND_BITS: u32 = 7;
const TAG_SHIFT: u32 = WORK_SHIFT + WORK_BITS;
const WORK_SHIFT: u32 = 2 * BOUND_BITS;
const BOUND_MASK: u32 = (1 << BOUND_BITS) - 1;
const WORK_MASK: u32 = ((1 << WORK_BITS) - 1) << WORK_SHIFT;

const _: () = assert!(TAG_SHIFT + TAG_HIGH_BITS == 32);

/// Added to a bound so that it is stored without a sign, and never as 0.
const OFFSET: i32 = 1 << (BOUND_BITS - 1);

/// The greatest bound that can be stored, and the least with a minus.
pub const MAX_BOUND: i32 = OFFSET - 1;

/// At every so many stores, the bucket at hand has its entries' work lowered.
const DECAY: u64 = 32;

/// What is known of a position's score for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// It is at least this.
    pub low: i32,
    /// It is at most this.
    pub high: i32,
}

impl Bucket {
    fn find_exact(&self, tag: u64) -> Option<usize> {
        let (low, high) = (tag as u32, (tag >> 32) as u32);
        self.words.chunks_exact(2).position(|entry| {
            entry[0] == low && entry[1] >> TAG_SHIFT == high && entry[1] & BOUND_MASK != 0
        })
    }

    /// How many entries are in use.
    pub(super) fn used_exact(&self) -> usize {
        self.words.chunks_exact(2).filter(|entry| entry[1] != 0).count()
    }
}

impl Table<'_> {
    /// A solver begins: entries of the other kind go, those of this kind stay.
    pub fn start_exact(&mut self) {
        if !self.exact {
            self.clear();
            self.exact = true;
        }
        self.usage = super::TableUse::default();
    }

    /// Where a position with this key belongs.
    #[must_use]
    #[inline]
    pub fn place_exact(&self, key: u64, bits: u32) -> Place {
        self.place_with_tag(key, bits, TAG_BITS)
    }

    /// What is known about the position.
    #[inline]
    pub fn probe_exact(&mut self, place: Place) -> Option<Bounds> {
        self.usage.probes += 1;
        let bucket = self.buckets.get(place.bucket)?;
        let bits = *bucket.words.get(2 * bucket.find_exact(place.tag)? + 1)?;
        self.usage.hits += 1;
        let bound = |bits: u32| (bits & BOUND_MASK) as i32 - OFFSET;
        Some(Bounds { low: bound(bits >> BOUND_BITS), high: bound(bits) })
    }

    /// Remembers bounds that took `work` nodes, in place of older ones of the same position.
    pub fn store_exact(&mut self, place: Place, bounds: Bounds, work: u64) {
        let Some(bucket) = self.buckets.get_mut(place.bucket) else { return };
        self.usage.stores += 1;
        let least_work = || {
            (0..ENTRIES).min_by_key(|&n| {
                let bits = bucket.words[2 * n + 1];
                if bits == 0 { 0 } else { 1 + (bits & WORK_MASK) }
            })
        };
        let slot = bucket.find_exact(place.tag).or_else(least_work).unwrap_or(0);
        if self.usage.stores.is_multiple_of(DECAY) {
            for n in 0..ENTRIES {
                let bits = &mut bucket.words[2 * n + 1];
                if *bits & WORK_MASK != 0 {
                    *bits -= 1 << WORK_SHIFT;
                }
            }
        }
        let stored = |bound: i32| (bound.clamp(-MAX_BOUND, MAX_BOUND) + OFFSET) as u32;
        let work = (u64::BITS - work.leading_zeros()).min((1 << WORK_BITS) - 1);
        bucket.words[2 * slot % WORDS] = place.tag as u32;
        bucket.words[(2 * slot + 1) % WORDS] = ((place.tag >> 32) as u32) << TAG_SHIFT
            | work << WORK_SHIFT
            | stored(bounds.low) << BOUND_BITS
            | stored(bounds.high);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_come_back_as_they_went_in() {
        let mut storage = [Bucket::EMPTY; 2];
        let mut table = Table::new(&mut storage);
        table.start_exact();
        for key in 0..200 {
            let bounds = Bounds { low: key % 7 - MAX_BOUND, high: MAX_BOUND - key % 5 };
            let place = table.place_exact(key as u64, 49);
            assert_eq!(table.probe_exact(place), None);
            table.store_exact(place, bounds, 3);
            assert_eq!(table.probe_exact(place), Some(bounds));
        }
    }

    #[test]
    fn hard_work_outlives_easy_work() {
        let mut storage = [Bucket::EMPTY; 1];
        let mut table = Table::new(&mut storage);
        table.start_exact();
        let dear = table.place_exact(1, 49);
        let bounds = Bounds { low: -1, high: 0 };
        table.store_exact(dear, bounds, 1 << 40);
        for key in 2..300 {
            table.store_exact(table.place_exact(key, 49), bounds, 1);
        }
        assert_eq!(table.probe_exact(dear), Some(bounds));
    }

    #[test]
    fn the_two_kinds_of_entries_do_not_meet() {
        let mut storage = [Bucket::EMPTY; 2];
        let mut table = Table::new(&mut storage);
        table.start_exact();
        let place = table.place_exact(9, 49);
        table.store_exact(place, Bounds { low: 0, high: 0 }, 1);
        let age = table.age();
        let mut table = Table::resume(&mut storage, age);
        table.start_exact();
        assert!(table.probe_exact(place).is_some(), "kept between two searches");
        table.start_search();
        assert!((0..64).all(|key| table.probe(table.place(key, 49)).is_none()));
        table.start_exact();
        assert!(table.probe_exact(place).is_none());
    }
}
