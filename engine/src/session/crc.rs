//! CRC-32 (the one of Ethernet and zip), bit by bit: small, and fast enough for a line of text.

/// A sum in the making.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crc32(u32);

impl Default for Crc32 {
    fn default() -> Crc32 {
        Crc32::new()
    }
}

impl Crc32 {
    /// The sum of nothing.
    #[must_use]
    pub const fn new() -> Crc32 {
        Crc32(!0)
    }

    /// Goes on with further bytes.
    pub fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 ^= u32::from(byte);
            for _ in 0..8 {
                let low = self.0 & 1;
                self.0 = self.0 >> 1 ^ 0xEDB8_8320 & low.wrapping_neg();
            }
        }
    }

    /// The sum.
    #[must_use]
    pub const fn value(self) -> u32 {
        !self.0
    }
}

impl core::fmt::Write for Crc32 {
    fn write_str(&mut self, text: &str) -> core::fmt::Result {
        self.add(text.as_bytes());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_is_that_of_the_standard() {
        let mut crc = Crc32::new();
        crc.add(b"12345");
        crc.add(b"6789");
        assert_eq!(crc.value(), 0xCBF4_3926);
    }
}
