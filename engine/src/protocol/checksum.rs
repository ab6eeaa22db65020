//! The checksum of a line, as NMEA 0183 has it: `PING*10`, two hexadecimal digits after a star,
//! the exclusive or of all bytes before the star. Spaces count.

/// The character before the digits.
pub const MARK: u8 = b'*';

/// A checksum in the making.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checksum(u8);

impl Checksum {
    /// The checksum of no bytes at all.
    #[must_use]
    pub const fn of_nothing() -> Checksum {
        Checksum(0)
    }

    /// The checksum of these bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Checksum {
        let mut sum = Checksum::default();
        sum.add(bytes);
        sum
    }

    /// Goes on with further bytes.
    pub fn add(&mut self, bytes: &[u8]) {
        self.0 = bytes.iter().fold(self.0, |sum, byte| sum ^ byte);
    }

    /// The sum.
    #[must_use]
    pub const fn value(self) -> u8 {
        self.0
    }
}

/// A line, or the last part of one, and the checksum at its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Suffix<'a> {
    /// There is no star.
    None(&'a [u8]),
    /// The part before the star, and the digits after it.
    Sum(&'a [u8], u8),
    /// What follows the last star is not two hexadecimal digits.
    Malformed,
}

/// Takes the checksum off the end of a line.
#[must_use]
pub fn split(line: &[u8]) -> Suffix<'_> {
    let Some(at) = line.iter().rposition(|&byte| byte == MARK) else {
        return Suffix::None(line);
    };
    let (text, rest) = line.split_at(at);
    match rest {
        [_, high, low] => match (hex(*high), hex(*low)) {
            (Some(high), Some(low)) => Suffix::Sum(text, high << 4 | low),
            _ => Suffix::Malformed,
        },
        _ => Suffix::Malformed,
    }
}

const fn hex(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        b'A'..=b'F' => Some(digit - b'A' + 10),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_is_the_exclusive_or_of_the_bytes_before_the_star() {
        // The example of NMEA 0183: everything between `$` and `*`.
        let sentence = b"GPGLL,5300.97914,N,00259.98174,E,125926,A";
        assert_eq!(Checksum::of(sentence).value(), 0x28);
        assert_eq!(split(b"PING*10"), Suffix::Sum(b"PING", 0x10));
        assert_eq!(Checksum::of(b"PING").value(), 0x10);
    }

    #[test]
    fn one_flipped_bit_changes_the_sum() {
        let line = *b"TURN 7,7";
        for at in 0..line.len() {
            for bit in 0..8 {
                let mut other = line;
                other[at] ^= 1 << bit;
                assert_ne!(Checksum::of(&other), Checksum::of(&line));
            }
        }
    }

    #[test]
    fn a_star_wants_two_digits() {
        assert_eq!(split(b"PING"), Suffix::None(b"PING"));
        for line in [&b"PING*"[..], b"PING*1", b"PING*123", b"PING*1g", b"*"] {
            assert_eq!(split(line), Suffix::Malformed);
        }
        assert_eq!(split(b"*00"), Suffix::Sum(b"", 0));
    }
}
