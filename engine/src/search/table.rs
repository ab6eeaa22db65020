//! The transposition table: what earlier work found out about positions, in fixed storage.
//!
//! Storage is handed in as a slice of [`Bucket`]s, of which the largest power of two is used. A
//! bucket is 64 bytes, a cache line on a PC, and holds six entries of ten bytes and a word of
//! book-keeping:
//!
//! ```text
//! low   6 x 32 bits   tag, low part
//! mid   6 x 32 bits   score 19 | move 13
//! high  6 x 16 bits   tag, high part 7 | bound 2 | depth 7
//! keep  6 x  5 bits   age 2 | work 3
//! ```
//!
//! An entry is found by 39 bits of tag besides the bucket's number. A game whose keys are exact
//! ([`crate::game::Game::key_bits`]) has them scrambled by a bijection first; when tag and bucket
//! number together hold all its bits, a hit is certain to be the same position. With 64 KiB
//! (1,024 buckets) that covers keys up to 49 bits: Connect Four, and mnk boards up to 30 cells.
//! With other keys a wrong hit has a chance below 2^-36 per look-up.
//!
//! The solver of Connect X keeps entries of its own kind in the same storage; see [`exact`]. The
//! table knows which kind it holds and empties itself when the other one is wanted.
//!
//! A table belongs to one game and to one way of valuing its positions: whoever changes either
//! clears it, or gets guesses of another mind.
//!
//! Replacement: an entry of an older search goes first, then the one that took the least work.
//! Every new entry is stored, and now and then the work of a bucket's entries is rated one class
//! lower, so nothing can clog the table, not even within one long search.

pub mod exact;
pub mod scratch;

use super::report::TableUse;
use crate::game::Move;
use crate::score::{INFINITE, Score};

/// Entries per bucket.
pub const ENTRIES: usize = 6;
/// 32-bit words per bucket.
const WORDS: usize = 16;
/// The word of book-keeping.
const KEEP_WORD: usize = WORDS - 1;
const TAG_BITS: u32 = 39;
const TAG_HIGH_BITS: u32 = TAG_BITS - 32;
const SCORE_BITS: u32 = 32 - Move::BITS;
const DEPTH_BITS: u32 = 7;
const WORK_BITS: u32 = 3;
const AGE_BITS: u32 = 2;
const KEEP_BITS: u32 = WORK_BITS + AGE_BITS;
const AGES: u8 = 1 << AGE_BITS;

const _: () = assert!(INFINITE < 1 << (SCORE_BITS - 1));
const _: () = assert!(TAG_HIGH_BITS + 2 + DEPTH_BITS == 16);
const _: () = assert!(KEEP_BITS * ENTRIES as u32 <= 32);
const _: () = assert!(size_of::<Bucket>() == 64);

/// At every so many stores, the bucket at hand has its entries' work rated one class lower.
const DECAY: u64 = 128;

/// The bit of [`Table::age`] that says that the entries are those of [`exact`].
const EXACT_MARK: u8 = 1 << 7;

/// The depth of an entry whose value does not depend on a horizon.
pub const TO_THE_END: u32 = (1 << DEPTH_BITS) - 1;

/// What an entry's score says about the position's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The position's score is at most this.
    Upper,
    /// The position's score is at least this.
    Lower,
    /// The position's score is this.
    Exact,
}

/// What the table knows about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The score, see `bound`.
    pub score: Score,
    /// What the score says.
    pub bound: Bound,
    /// Plies that were searched below the position, or [`TO_THE_END`].
    pub depth: u32,
    /// The best move, if one stood out.
    pub best: Option<Move>,
}

/// Six entries; see the module's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Bucket {
    words: [u32; WORDS],
}

impl Bucket {
    /// A bucket with no entry.
    pub const EMPTY: Bucket = Bucket { words: [0; WORDS] };

    // The remainders change nothing, as there are fewer entries; the compiler sees that no index
    // is outside.

    fn low(&self, n: usize) -> u32 {
        self.words[n % WORDS]
    }

    fn mid(&self, n: usize) -> u32 {
        self.words[(ENTRIES + n) % WORDS]
    }

    fn high(&self, n: usize) -> u16 {
        (self.words[(2 * ENTRIES + n / 2) % WORDS] >> (16 * (n % 2))) as u16
    }

    fn set_high(&mut self, n: usize, high: u16) {
        let (word, shift) = (&mut self.words[(2 * ENTRIES + n / 2) % WORDS], 16 * (n % 2));
        *word = *word & !(0xFFFF << shift) | u32::from(high) << shift;
    }

    fn tag(&self, n: usize) -> u64 {
        u64::from(self.low(n)) | u64::from(self.high(n) >> (2 + DEPTH_BITS)) << 32
    }

    fn is_used(&self, n: usize) -> bool {
        self.high(n) >> DEPTH_BITS & 3 != 0
    }

    fn find(&self, tag: u64) -> Option<usize> {
        (0..ENTRIES).find(|&n| self.low(n) == tag as u32 && self.is_used(n) && self.tag(n) == tag)
    }

    fn keep(&self, n: usize) -> (u8, u8) {
        let bits = self.words[KEEP_WORD] >> (n as u32 * KEEP_BITS);
        (bits as u8 & (AGES - 1), (bits >> AGE_BITS) as u8 & ((1 << WORK_BITS) - 1))
    }

    fn set_keep(&mut self, n: usize, age: u8, work: u8) {
        let at = n as u32 * KEEP_BITS;
        let bits = u32::from(age) | u32::from(work) << AGE_BITS;
        let keep = &mut self.words[KEEP_WORD];
        *keep = *keep & !(((1 << KEEP_BITS) - 1) << at) | bits << at;
    }

    fn entry(&self, n: usize) -> Entry {
        // The score is shifted up by an offset so that it is stored without a sign.
        let score = (self.mid(n) >> Move::BITS) as Score - (1 << (SCORE_BITS - 1));
        let mv = self.mid(n) as usize & (Move::LIMIT - 1);
        Entry {
            score,
            bound: match self.high(n) >> DEPTH_BITS & 3 {
                1 => Bound::Upper,
                2 => Bound::Lower,
                _ => Bound::Exact,
            },
            depth: u32::from(self.high(n)) & TO_THE_END,
            best: (mv != NO_MOVE).then(|| Move::new(mv)),
        }
    }

    fn set_entry(&mut self, n: usize, tag: u64, entry: &Entry) {
        let mv = entry.best.map_or(NO_MOVE, Move::index);
        let score = (entry.score + (1 << (SCORE_BITS - 1))) as u32;
        let bound = match entry.bound {
            Bound::Upper => 1,
            Bound::Lower => 2,
            Bound::Exact => 3,
        };
        self.words[n % WORDS] = tag as u32;
        self.words[(ENTRIES + n) % WORDS] = score << Move::BITS | mv as u32;
        let tag = (tag >> 32) as u16 & ((1 << TAG_HIGH_BITS) - 1);
        let high = (tag << 2 | bound) << DEPTH_BITS | entry.depth.min(TO_THE_END) as u16;
        self.set_high(n, high);
    }
}

/// No game has this many moves.
const NO_MOVE: usize = Move::LIMIT - 1;

/// The table over storage that somebody else owns.
#[derive(Debug)]
pub struct Table<'a> {
    buckets: &'a mut [Bucket],
    age: u8,
    /// The entries are those of [`exact`].
    exact: bool,
    usage: TableUse,
}

/// A position's place in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    bucket: usize,
    tag: u64,
}

impl<'a> Table<'a> {
    /// A table over the largest power of two of these buckets. With none it remembers nothing.
    #[must_use]
    pub fn new(storage: &'a mut [Bucket]) -> Table<'a> {
        let len = if storage.is_empty() { 0 } else { 1 << storage.len().ilog2() };
        let buckets = storage.get_mut(..len).unwrap_or(&mut []);
        Table { buckets, age: 0, exact: false, usage: TableUse::default() }
    }

    /// Goes on with storage that a table of this age left behind; see [`Table::age`].
    #[must_use]
    pub fn resume(storage: &'a mut [Bucket], age: u8) -> Table<'a> {
        Table { age: age % AGES, exact: age & EXACT_MARK != 0, ..Table::new(storage) }
    }

    /// How old the table is and what kind of entries it holds: what [`Table::resume`] needs to know.
    #[must_use]
    pub const fn age(&self) -> u8 {
        if self.exact { self.age | EXACT_MARK } else { self.age }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.buckets.fill(Bucket::EMPTY);
        self.age = 0;
        self.exact = false;
    }

    /// Bytes in use for entries.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of_val(self.buckets)
    }

    /// How many entries there is room for.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.buckets.len() * ENTRIES
    }

    /// A new search begins: what is in the table counts as old from now on.
    pub fn start_search(&mut self) {
        if self.exact {
            self.clear();
        }
        self.age = (self.age + 1) % AGES;
        self.usage = TableUse::default();
    }

    /// How the table was used since [`Table::start_search`]. The filling is estimated from the
    /// first buckets.
    #[must_use]
    pub fn usage(&self) -> TableUse {
        const SAMPLE: usize = 256;
        let sample = self.buckets.get(..SAMPLE.min(self.buckets.len())).unwrap_or(&[]);
        let entries = if self.exact { exact::ENTRIES } else { ENTRIES };
        let fresh: usize = sample
            .iter()
            .map(|bucket| match self.exact {
                true => bucket.used_exact(),
                false => (0..ENTRIES)
                    .filter(|&n| bucket.is_used(n) && bucket.keep(n).0 == self.age)
                    .count(),
            })
            .sum();
        let full_permille = (fresh * 1000).checked_div(sample.len() * entries).unwrap_or(0) as u32;
        TableUse { full_permille, ..self.usage }
    }

    /// Where a position with this key belongs; `bits` as in [`crate::game::Game::key_bits`].
    #[must_use]
    #[inline]
    pub fn place(&self, key: u64, bits: u32) -> Place {
        self.place_with_tag(key, bits, TAG_BITS)
    }

    #[inline]
    fn place_with_tag(&self, key: u64, bits: u32, tag_bits: u32) -> Place {
        let key = scramble(key, bits);
        let index_bits = self.buckets.len().checked_ilog2().unwrap_or(0);
        let bucket = key as usize & self.buckets.len().wrapping_sub(1);
        Place { bucket, tag: key >> index_bits & ((1 << tag_bits) - 1) }
    }

    /// What is known about the position.
    #[inline]
    pub fn probe(&mut self, place: Place) -> Option<Entry> {
        self.usage.probes += 1;
        let bucket = self.buckets.get(place.bucket)?;
        let n = bucket.find(place.tag)?;
        self.usage.hits += 1;
        Some(bucket.entry(n))
    }

    /// Remembers an entry that took `work` nodes. An entry for the same position is replaced.
    pub fn store(&mut self, place: Place, entry: &Entry, work: u64) {
        let age = self.age;
        let Some(bucket) = self.buckets.get_mut(place.bucket) else { return };
        self.usage.stores += 1;
        let slot = bucket.find(place.tag).or_else(|| {
            // The least worth keeping: unused, then old, then little work.
            (0..ENTRIES).min_by_key(|&n| {
                let (entry_age, work) = bucket.keep(n);
                let recency = AGES - (age.wrapping_sub(entry_age) & (AGES - 1));
                if bucket.is_used(n) { (recency, work) } else { (0, 0) }
            })
        });
        if self.usage.stores.is_multiple_of(DECAY) {
            for n in 0..ENTRIES {
                let (age, work) = bucket.keep(n);
                bucket.set_keep(n, age, work.saturating_sub(1));
            }
        }
        if let Some(n) = slot {
            bucket.set_entry(n, place.tag, entry);
            bucket.set_keep(n, age, work_class(work));
        }
    }
}

/// A rough logarithm of work: 0 below 6 nodes, one more for each further factor of 6.
fn work_class(work: u64) -> u8 {
    let mut class = 0;
    let mut limit = 6;
    while work >= limit && class < (1 << WORK_BITS) - 1 {
        class += 1;
        limit *= 6;
    }
    class
}

/// Spreads a key over its `bits` low bits. A bijection on numbers of that many bits.
#[inline]
fn scramble(key: u64, bits: u32) -> u64 {
    if bits >= 64 {
        return key; // a hash already
    }
    let mask = (1u64 << bits) - 1;
    let half = bits.div_ceil(2);
    let key = key & mask;
    let key = (key ^ key >> half).wrapping_mul(0x9E37_79B9_7F4A_7C15) & mask;
    let key = (key ^ key >> half).wrapping_mul(0xD6E8_FEB8_6659_FD93) & mask;
    key ^ key >> half
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::vec;
    use std::vec::Vec;

    fn entry(score: Score, bound: Bound, depth: u32, best: Option<usize>) -> Entry {
        Entry { score, bound, depth, best: best.map(Move::new) }
    }

    #[test]
    fn entries_come_back_as_they_went_in() {
        let mut storage = [Bucket::EMPTY; 4];
        let mut table = Table::new(&mut storage);
        let mut key = 1u64;
        for score in [-INFINITE, -160_000, -1, 0, 1, 77, 160_000, INFINITE] {
            for bound in [Bound::Upper, Bound::Lower, Bound::Exact] {
                for depth in [0, 1, 126, TO_THE_END] {
                    for best in [None, Some(0), Some(4_899), Some(8_190)] {
                        key = crate::game::keys::scatter(key);
                        let written = entry(score, bound, depth, best);
                        let place = table.place(key, 64);
                        table.store(place, &written, 9);
                        assert_eq!(table.probe(place), Some(written));
                    }
                }
            }
        }
    }

    #[test]
    fn exact_keys_never_collide() {
        for bits in [1, 2, 7, 12, 17] {
            let mut seen = vec![false; 1 << bits];
            for key in 0..1u64 << bits {
                let spread = scramble(key, bits) as usize;
                assert!(!seen[spread], "{bits} bits: {key} meets another");
                seen[spread] = true;
            }
        }
        // Tag and bucket number together lose nothing of a 49-bit key in 64 KiB.
        let mut storage = vec![Bucket::EMPTY; 1024];
        let table = Table::new(&mut storage);
        let places: Vec<Place> = (0..49).map(|bit| table.place(1 << bit, 49)).collect();
        for (n, place) in places.iter().enumerate() {
            let key = (place.tag << 10) | place.bucket as u64;
            assert_eq!(key, scramble(1 << n, 49));
        }
    }

    #[test]
    fn hard_work_outlives_easy_work_and_old_work_goes_first() {
        let mut storage = [Bucket::EMPTY; 1];
        let mut table = Table::new(&mut storage);
        table.start_search();
        let dear = table.place(1, 64);
        table.store(dear, &entry(1, Bound::Exact, 9, None), 1_000_000);
        for key in 2..300 {
            let place = table.place(key, 64);
            table.store(place, &entry(0, Bound::Lower, 1, None), 1);
            assert!(table.probe(place).is_some(), "every new entry is stored");
        }
        assert!(table.probe(dear).is_some(), "deep entries stay while the search goes on");
        table.start_search();
        for key in 2_000..2_006 {
            table.store(table.place(key, 64), &entry(0, Bound::Lower, 1, None), 1);
        }
        assert!(table.probe(dear).is_none(), "six new entries push out all old ones");
    }

    #[test]
    fn a_table_without_storage_remembers_nothing_and_does_not_fail() {
        let mut table = Table::new(&mut []);
        let place = table.place(u64::MAX, 64);
        table.store(place, &entry(1, Bound::Exact, 1, None), 1);
        assert_eq!(table.probe(place), None);
        assert_eq!(table.usage().full_permille, 0);
    }

    #[test]
    fn storage_that_is_no_power_of_two_is_used_as_far_as_one_goes() {
        let mut storage = [Bucket::EMPTY; 7];
        assert_eq!(Table::new(&mut storage).capacity(), 4 * ENTRIES);
    }
}
