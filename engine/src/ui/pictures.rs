//! Small pictures in bits: digits of 3x5 pixels and faces of 8x8.

/// Columns of a digit.
pub(super) const DIGIT_WIDTH: usize = 3;
/// Rows of a digit.
const DIGIT_HEIGHT: usize = 5;

/// The digits from 0 to 9, row by row, the leftmost pixel in the highest of three bits.
const DIGITS: [[u8; DIGIT_HEIGHT]; 10] = [
    [0b111, 0b101, 0b101, 0b101, 0b111],
    [0b010, 0b110, 0b010, 0b010, 0b111],
    [0b111, 0b001, 0b111, 0b100, 0b111],
    [0b111, 0b001, 0b111, 0b001, 0b111],
    [0b101, 0b101, 0b111, 0b001, 0b001],
    [0b111, 0b100, 0b111, 0b001, 0b111],
    [0b111, 0b100, 0b111, 0b101, 0b111],
    [0b111, 0b001, 0b010, 0b010, 0b010],
    [0b111, 0b101, 0b111, 0b101, 0b111],
    [0b111, 0b101, 0b111, 0b001, 0b111],
];

/// A smile.
pub(super) const WON: [u8; 8] = [
    0b0011_1100,
    0b0100_0010,
    0b1010_0101,
    0b1000_0001,
    0b1010_0101,
    0b1001_1001,
    0b0100_0010,
    0b0011_1100,
];

/// A sad face.
pub(super) const LOST: [u8; 8] = [
    0b0011_1100,
    0b0100_0010,
    0b1010_0101,
    0b1000_0001,
    0b1001_1001,
    0b1010_0101,
    0b0100_0010,
    0b0011_1100,
];

/// An equals sign.
pub(super) const DRAW: [u8; 8] = [0, 0b0111_1110, 0b0111_1110, 0, 0, 0b0111_1110, 0b0111_1110, 0];

/// Whether a pixel of an 8x8 picture is lit; none is outside.
pub(super) fn is_lit(picture: &[u8; 8], x: usize, y: usize) -> bool {
    x < 8 && picture.get(y).is_some_and(|row| row & (0x80 >> x) != 0)
}

/// Whether a pixel of a digit is lit; none is outside, nor in a number above 9.
pub(super) fn is_digit_lit(digit: u8, x: usize, y: usize) -> bool {
    let row = DIGITS.get(usize::from(digit)).and_then(|rows| rows.get(y));
    x < DIGIT_WIDTH && row.is_some_and(|row| row & (0b100 >> x) != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_as_drawn_and_dark_outside() {
        assert!(is_lit(&WON, 2, 0) && !is_lit(&WON, 0, 0));
        assert!(
            !is_lit(&WON, 8, 0) && !is_lit(&WON, 0, 8) && !is_lit(&WON, usize::MAX, usize::MAX)
        );
        assert!(is_digit_lit(1, 1, 0) && !is_digit_lit(1, 0, 0) && is_digit_lit(1, 2, 4));
        assert!(!is_digit_lit(10, 0, 0) && !is_digit_lit(8, 3, 0) && !is_digit_lit(8, 0, 5));
    }

    #[test]
    fn no_two_pictures_are_equal() {
        assert!(WON != LOST && LOST != DRAW && DRAW != WON);
        for (n, digit) in DIGITS.iter().enumerate() {
            assert!(!DIGITS[..n].contains(digit), "{n}");
        }
    }
}
