//! Bytes to lines. A line ends with CR, LF or both; empty lines are skipped.
//!
//! A line that is too long, holds control bytes, is not UTF-8, has a wrong checksum, or was damaged
//! on its way is thrown away to its end and reported once: nobody acts on part of it. A tab counts
//! as a space.
//!
//! Lines are at most [`MAX_LINE`] bytes, but for one command: the words after `LOAD` are handed on
//! one by one, because a saved game has up to 10,000 moves. Whoever collects them acts only when
//! the last one has come and the line was good to its end.

use core::fmt;

use super::checksum::{self, Checksum, Suffix};

/// The most bytes of a line, or of a word after `LOAD`. Long enough for `INFO folder` and a path.
pub const MAX_LINE: usize = 320;

/// The command whose words are handed on one by one.
const STREAMED: &[u8] = b"LOAD";

/// Why a line was thrown away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damage {
    /// More than [`MAX_LINE`] bytes.
    TooLong,
    /// A byte below a space.
    ControlByte(u8),
    /// Not UTF-8.
    NotText,
    /// The checksum is not that of the line.
    Checksum {
        /// What the line says.
        found: u8,
        /// What it should say.
        expected: u8,
    },
    /// A star without two hexadecimal digits.
    ChecksumForm,
    /// Checksums were asked for with `CHECK ON`, and there is none.
    ChecksumMissing,
    /// The receiver lost or damaged bytes.
    Receiver,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Damage::TooLong => write!(f, "line too long: at most {MAX_LINE} bytes"),
            Damage::ControlByte(byte) => write!(f, "control byte {byte:#04x} in line: text only"),
            Damage::NotText => f.write_str("line is not UTF-8 text"),
            Damage::Checksum { found, expected } => {
                write!(f, "bad checksum {found:02X}: the line gives {expected:02X}")
            }
            Damage::ChecksumForm => {
                f.write_str("bad checksum: expected * and two hexadecimal digits at the end")
            }
            Damage::ChecksumMissing => {
                f.write_str("checksum missing: expected * and two hexadecimal digits (CHECK OFF)")
            }
            Damage::Receiver => f.write_str("line damaged on its way: send it again"),
        }
    }
}

/// What a byte completed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// Nothing yet.
    Pending,
    /// A line: see [`LineAssembler::text`].
    Line,
    /// A word after `LOAD`, with more to come: see [`LineAssembler::text`].
    Word,
    /// The last word after `LOAD`; may be empty. The line was good.
    LastWord,
    /// A line was thrown away, with all its words.
    Bad(Damage),
}

/// Puts lines together.
#[derive(Clone, Debug, Default)]
pub struct LineAssembler {
    /// The line so far, or the word so far.
    buffer: heapless::Vec<u8, MAX_LINE>,
    /// The checksum of what has left the buffer, where words are handed on.
    before: Checksum,
    /// Words are handed on.
    streaming: bool,
    damage: Option<Damage>,
    /// The buffer was handed out and is empty for the next byte.
    handed_out: bool,
    /// The line that was handed out had a checksum.
    checked: bool,
    /// Lines without a checksum are refused.
    pub require_checksum: bool,
}

impl LineAssembler {
    /// Takes the next byte.
    pub fn push(&mut self, byte: u8) -> Event {
        if self.handed_out {
            self.buffer.clear();
            self.handed_out = false;
        }
        match byte {
            b'\r' | b'\n' => self.end_line(),
            b' ' | b'\t' => self.space(),
            0x00..=0x1F => {
                self.damage.get_or_insert(Damage::ControlByte(byte));
                Event::Pending
            }
            _ => {
                self.append(byte);
                Event::Pending
            }
        }
    }

    /// Takes the last character back, if there is one left to take. `true` if there was.
    pub fn erase(&mut self) -> bool {
        !self.handed_out && self.buffer.pop().is_some()
    }

    /// Forgets the line so far.
    pub fn erase_line(&mut self) {
        let require_checksum = self.require_checksum;
        *self = LineAssembler { require_checksum, ..LineAssembler::default() };
    }

    /// The line that is coming in, or would come next, has lost bytes: it will be refused.
    pub fn mark_damaged(&mut self) {
        self.damage = Some(Damage::Receiver);
    }

    /// The line or word that was last handed out.
    #[must_use]
    pub fn text(&self) -> &str {
        // What is handed out has been checked to be UTF-8.
        if self.handed_out { core::str::from_utf8(&self.buffer).unwrap_or("") } else { "" }
    }

    /// Whether the line last handed out, good or bad, had a checksum.
    #[must_use]
    pub const fn was_checked(&self) -> bool {
        self.checked
    }

    /// Whether part of a line has come in.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        (self.buffer.is_empty() || self.handed_out) && self.damage.is_none() && !self.streaming
    }

    fn append(&mut self, byte: u8) {
        if self.buffer.push(byte).is_err() {
            self.damage.get_or_insert(Damage::TooLong);
        }
    }

    fn space(&mut self) -> Event {
        if self.damage.is_some() {
            return Event::Pending;
        }
        if !self.streaming {
            self.streaming = self.buffer.trim_ascii_start().eq_ignore_ascii_case(STREAMED);
            if self.streaming {
                self.before.add(&self.buffer);
                self.before.add(b" ");
                self.buffer.clear();
            } else {
                self.append(b' ');
            }
            return Event::Pending;
        }
        if self.buffer.is_empty() {
            self.before.add(b" ");
            return Event::Pending;
        }
        if core::str::from_utf8(&self.buffer).is_err() {
            self.damage = Some(Damage::NotText);
            return Event::Pending;
        }
        self.before.add(&self.buffer);
        self.before.add(b" ");
        self.handed_out = true;
        Event::Word
    }

    fn end_line(&mut self) -> Event {
        let before = core::mem::take(&mut self.before);
        let streaming = core::mem::take(&mut self.streaming);
        let damage = self.damage.take();
        self.handed_out = true;
        self.checked = false;
        if damage.is_none() && !streaming && self.buffer.trim_ascii().is_empty() {
            self.buffer.clear();
            return Event::Pending;
        }
        let suffix = checksum::split(&self.buffer);
        self.checked = !matches!(suffix, Suffix::None(_));
        let verdict = match (damage, suffix) {
            (Some(damage), _) => Err(damage),
            (None, Suffix::None(_)) if self.require_checksum => Err(Damage::ChecksumMissing),
            (None, Suffix::None(text)) => Ok(text.len()),
            (None, Suffix::Malformed) => Err(Damage::ChecksumForm),
            (None, Suffix::Sum(text, found)) => {
                let mut sum = before;
                sum.add(text);
                let expected = sum.value();
                if found == expected {
                    Ok(text.len())
                } else {
                    Err(Damage::Checksum { found, expected })
                }
            }
        };
        let verdict = verdict.and_then(|len| {
            self.buffer.truncate(len);
            core::str::from_utf8(&self.buffer).map(|_| ()).map_err(|_| Damage::NotText)
        });
        match verdict {
            Ok(()) if streaming => Event::LastWord,
            Ok(()) => Event::Line,
            Err(damage) => {
                self.buffer.clear();
                Event::Bad(damage)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use std::string::{String, ToString};
    use std::vec::Vec;

    /// What comes out, one text per event.
    fn feed(lines: &mut LineAssembler, bytes: &[u8]) -> Vec<String> {
        let mut out = Vec::new();
        for &byte in bytes {
            match lines.push(byte) {
                Event::Pending => {}
                Event::Line => out.push(lines.text().to_string()),
                Event::Word => out.push(std::format!("+{}", lines.text())),
                Event::LastWord => out.push(std::format!("={}", lines.text())),
                Event::Bad(damage) => out.push(std::format!("!{damage}")),
            }
        }
        out
    }

    fn fed(bytes: &[u8]) -> Vec<String> {
        feed(&mut LineAssembler::default(), bytes)
    }

    #[test]
    fn lines_end_with_cr_lf_or_both() {
        assert_eq!(fed(b"START 15\r\nBEGIN\rEND\n\n\r\n  \r\n"), ["START 15", "BEGIN", "END"]);
    }

    #[test]
    fn a_line_of_the_greatest_length_is_taken_and_one_more_byte_is_not() {
        let mut line = Vec::from([b'a'; MAX_LINE]);
        line.push(b'\n');
        assert_eq!(fed(&line)[0].len(), MAX_LINE);
        line.insert(0, b'a');
        line.extend(b"PING\n");
        assert_eq!(fed(&line), ["!line too long: at most 320 bytes", "PING"]);
    }

    #[test]
    fn control_bytes_and_bad_text_cost_the_line_and_no_more() {
        assert_eq!(fed(b"TU\0RN 7,7\nPING\n"), ["!control byte 0x00 in line: text only", "PING"]);
        assert_eq!(fed(b"TURN \xFF\nPING\n"), ["!line is not UTF-8 text", "PING"]);
        assert_eq!(fed("INFO folder /tmp/é\n".as_bytes()), ["INFO folder /tmp/é"]);
    }

    #[test]
    fn a_checksum_is_verified_and_taken_off() {
        let mut lines = LineAssembler::default();
        assert_eq!(feed(&mut lines, b"PING*10\n"), ["PING"]);
        assert!(lines.was_checked());
        assert_eq!(feed(&mut lines, b"PING*19\n"), ["!bad checksum 19: the line gives 10"]);
        assert!(lines.was_checked());
        assert_eq!(feed(&mut lines, b"PING\n"), ["PING"]);
        assert!(!lines.was_checked());
        lines.require_checksum = true;
        assert!(feed(&mut lines, b"PING\n")[0].starts_with("!checksum missing"));
        assert_eq!(feed(&mut lines, b"\r\n"), [""; 0]);
    }

    #[test]
    fn words_after_load_come_one_by_one() {
        assert_eq!(fed(b"load  a b  c\nPING\n"), ["+a", "+b", "=c", "PING"]);
        assert_eq!(fed(b"LOAD a \nLOAD\nLOADED x\n"), ["+a", "=", "LOAD", "LOADED x"]);
        let sum = Checksum::of(b"LOAD a  b").value();
        assert_eq!(fed(std::format!("LOAD a  b*{sum:02x}\n").as_bytes()), ["+a", "=b"]);
        assert!(fed(b"LOAD a b*00\n")[1].starts_with("!bad checksum 00"));
        assert_eq!(
            fed(b"LOAD a \x01 b\nPING\n"),
            ["+a", "!control byte 0x01 in line: text only", "PING"]
        );
    }

    #[test]
    fn damage_on_the_way_refuses_the_line_that_was_coming_in() {
        let mut lines = LineAssembler::default();
        assert_eq!(feed(&mut lines, b"TURN 7"), [""; 0]);
        lines.mark_damaged();
        assert_eq!(
            feed(&mut lines, b",7\nPING\n"),
            ["!line damaged on its way: send it again", "PING"]
        );
    }

    #[test]
    fn characters_can_be_taken_back() {
        let mut lines = LineAssembler::default();
        feed(&mut lines, b"PIX");
        assert!(lines.erase());
        assert_eq!(feed(&mut lines, b"NG\n"), ["PING"]);
        assert!(!lines.erase());
        feed(&mut lines, b"garbage");
        lines.erase_line();
        assert_eq!(feed(&mut lines, b"PING\n"), ["PING"]);
    }
}
