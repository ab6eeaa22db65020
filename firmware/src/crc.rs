//! CRC-32 (IEEE 802.3, as in zip and png), four bits at a time.
//!
//! Sixteen words of table instead of 256: a kilobyte of flash matters more here than speed. The
//! largest use is the self-test over the flash image, some ten instructions a byte.

const POLYNOMIAL: u32 = 0xEDB8_8320;

const TABLE: [u32; 16] = {
    let mut table = [0; 16];
    let mut n = 0;
    while n < 16 {
        let mut value = n as u32;
        let mut bit = 0;
        while bit < 4 {
            value = if value & 1 == 1 { value >> 1 ^ POLYNOMIAL } else { value >> 1 };
            bit += 1;
        }
        table[n] = value;
        n += 1;
    }
    table
};

/// A checksum under way, so that bytes can be added piece by piece.
#[derive(Clone, Copy)]
pub struct Crc(u32);

impl Crc {
    /// Of no bytes.
    pub const fn new() -> Crc {
        Crc(u32::MAX)
    }

    /// Goes on from a checksum that [`Crc::value`] gave.
    pub const fn resume(value: u32) -> Crc {
        Crc(!value)
    }

    /// Adds bytes.
    pub fn add(mut self, bytes: &[u8]) -> Crc {
        for &byte in bytes {
            self.0 ^= u32::from(byte);
            self.0 = self.0 >> 4 ^ TABLE[self.0 as usize & 15];
            self.0 = self.0 >> 4 ^ TABLE[self.0 as usize & 15];
        }
        self
    }

    /// Adds words, lowest byte first.
    pub fn add_words(self, words: &[u32]) -> Crc {
        words.iter().fold(self, |crc, word| crc.add(&word.to_le_bytes()))
    }

    /// The checksum of the bytes so far.
    pub const fn value(self) -> u32 {
        !self.0
    }
}
