//! Sizes of the transposition table as people write them: `512`, `64K`, `1M`.
//!
//! A table is a power of two of buckets, so that a key finds its bucket by a mask or shift; what
//! is left of the given bytes stays unused.

use std::fmt;
use std::mem::size_of;
use std::str::FromStr;

use engine::search::table::Bucket;

/// Bytes of a bucket: the smallest table.
pub const BUCKET_BYTES: usize = size_of::<Bucket>();

const _: () = assert!(BUCKET_BYTES == 64);

/// A table's size: the largest power of two of buckets that fits in the bytes given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableSize {
    buckets: usize,
}

impl TableSize {
    /// The size for this many bytes, or `None` if not even one bucket fits.
    #[must_use]
    pub const fn from_bytes(bytes: usize) -> Option<TableSize> {
        match (bytes / BUCKET_BYTES).checked_ilog2() {
            Some(exponent) => Some(TableSize { buckets: 1 << exponent }),
            None => None,
        }
    }

    /// How many buckets the table has: a power of two.
    #[must_use]
    pub const fn buckets(self) -> usize {
        self.buckets
    }

    /// How many bytes the table takes.
    #[must_use]
    pub const fn bytes(self) -> usize {
        self.buckets * BUCKET_BYTES
    }
}

impl fmt::Display for TableSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.bytes();
        match bytes.trailing_zeros() {
            30.. => write!(f, "{}G", bytes >> 30),
            20.. => write!(f, "{}M", bytes >> 20),
            10.. => write!(f, "{}K", bytes >> 10),
            _ => write!(f, "{bytes}"),
        }
    }
}

/// A text that is no size of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableSizeError;

impl fmt::Display for TableSizeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "not a table size: expected bytes, at least {BUCKET_BYTES}, as in 512, 64K, 1M or 2G"
        )
    }
}

impl std::error::Error for TableSizeError {}

impl FromStr for TableSize {
    type Err = TableSizeError;

    fn from_str(text: &str) -> Result<TableSize, TableSizeError> {
        let (digits, shift) = match text.as_bytes().last() {
            Some(b'k' | b'K') => (&text[..text.len() - 1], 10),
            Some(b'm' | b'M') => (&text[..text.len() - 1], 20),
            Some(b'g' | b'G') => (&text[..text.len() - 1], 30),
            _ => (text, 0),
        };
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(TableSizeError);
        }
        let number: usize = digits.parse().map_err(|_| TableSizeError)?;
        number.checked_mul(1 << shift).and_then(TableSize::from_bytes).ok_or(TableSizeError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_rounded_down_to_a_power_of_two_of_buckets() {
        for (text, bytes) in [
            ("64", 64),
            ("127", 64),
            ("128", 128),
            ("512", 512),
            ("1k", 1_024),
            ("64K", 65_536),
            ("96K", 65_536),
            ("100000", 65_536),
            ("1M", 1 << 20),
            ("3m", 1 << 21),
        ] {
            let size: TableSize = text.parse().expect(text);
            assert_eq!(size.bytes(), bytes, "{text}");
            assert!(size.buckets().is_power_of_two());
        }
    }

    #[test]
    fn bad_sizes_are_refused_with_what_is_accepted() {
        for text in [
            "",
            "K",
            "0",
            "63",
            "-64",
            "+64",
            "1.5M",
            "64KB",
            "64 K",
            " 64",
            "1T",
            "K64",
            "64é",
            "99999999999999999999",
            "99999999999999999G",
        ] {
            let error = text.parse::<TableSize>().expect_err(text);
            assert!(error.to_string().contains("at least 64, as in 512, 64K"), "{error}");
        }
    }

    #[test]
    fn sizes_survive_the_way_through_text() {
        for text in ["64", "512", "1K", "64K", "1M", "256M", "2G"] {
            assert_eq!(text.parse::<TableSize>().expect(text).to_string(), text);
        }
    }
}
