//! What a terminal sends when a person presses keys: text, editing keys, and the escape sequences
//! of arrows and function keys, which mean nothing here and are swallowed.

/// What a byte from a terminal means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// A byte of text, or a line end.
    Byte(u8),
    /// Backspace: take back the last character.
    Erase,
    /// Ctrl-U: take back the whole line.
    EraseLine,
    /// Ctrl-C: stop thinking, or take back the whole line.
    Interrupt,
    /// Nothing to do.
    Ignored,
}

/// How far an escape sequence has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Sequence {
    #[default]
    None,
    /// After ESC.
    Escape,
    /// After ESC [ : parameters, until a letter or `~`.
    Parameters,
    /// After ESC O: one more byte.
    Single,
}

/// Reads keys from bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Keys {
    sequence: Sequence,
}

impl Keys {
    /// What the next byte means.
    pub fn read(&mut self, byte: u8) -> Key {
        let (key, next) = match (self.sequence, byte) {
            // A line end ends everything, also half a sequence.
            (_, b'\r' | b'\n') => (Key::Byte(byte), Sequence::None),
            (_, 0x1B) => (Key::Ignored, Sequence::Escape),
            (Sequence::Escape, b'[') => (Key::Ignored, Sequence::Parameters),
            (Sequence::Escape, b'O') => (Key::Ignored, Sequence::Single),
            (Sequence::Parameters, 0x20..=0x3F) => (Key::Ignored, Sequence::Parameters),
            (Sequence::Escape | Sequence::Parameters | Sequence::Single, 0x20..=0x7E) => {
                (Key::Ignored, Sequence::None)
            }
            (_, 0x08 | 0x7F) => (Key::Erase, Sequence::None),
            (_, 0x15) => (Key::EraseLine, Sequence::None),
            (_, 0x03) => (Key::Interrupt, Sequence::None),
            (_, b'\t') => (Key::Byte(b' '), Sequence::None),
            (_, 0x00..=0x1F | 0x80..) => (Key::Ignored, Sequence::None),
            (_, _) => (Key::Byte(byte), Sequence::None),
        };
        self.sequence = next;
        key
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use std::vec::Vec;

    fn read(bytes: &[u8]) -> Vec<Key> {
        let mut keys = Keys::default();
        let read = bytes.iter().map(|&byte| keys.read(byte));
        read.filter(|&key| key != Key::Ignored).collect()
    }

    #[test]
    fn arrows_and_function_keys_leave_no_trace() {
        assert_eq!(read(b"\x1b[A\x1b[1;5C\x1bOP\x1b[15~7"), [Key::Byte(b'7')]);
    }

    #[test]
    fn editing_keys_are_told_apart() {
        assert_eq!(
            read(b"\x08\x7f\x15\x03\t"),
            [Key::Erase, Key::Erase, Key::EraseLine, Key::Interrupt, Key::Byte(b' ')]
        );
    }

    #[test]
    fn a_line_end_ends_half_a_sequence() {
        assert_eq!(read(b"\x1b[12\rx"), [Key::Byte(b'\r'), Key::Byte(b'x')]);
    }
}
