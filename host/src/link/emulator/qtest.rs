//! qtest, QEMU's protocol for tests: lines of words, by which pins are set and memory is read.
//!
//! [`parse`] reads a line and accepts any input; `Qtest` asks one question at a time.

use std::time::Duration;

use super::error::EmulatorError;
use super::socket::Socket;
use crate::link::lines::{LineBuffer, read_line};

/// Answers hold a number or a reason; the longest are those that hold memory.
const LINE_LIMIT: usize = 1 << 20;

/// What QEMU says in a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// A command is done; what it returns, if anything.
    Done(String),
    /// A command is refused; the reason.
    Refused(String),
}

/// Reads a line; `None` for anything that QEMU does not say.
#[must_use]
pub fn parse(line: &str) -> Option<Line> {
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    match word {
        "OK" => Some(Line::Done(rest.to_string())),
        "FAIL" | "ERR" => Some(Line::Refused(rest.to_string())),
        _ => None,
    }
}

/// A number as qtest writes it: `0x` and hexadecimal digits.
#[must_use]
pub fn parse_number(text: &str) -> Option<u64> {
    let digits = text.strip_prefix("0x")?;
    // A sign would be accepted by the standard library.
    if !digits.starts_with(|first: char| first.is_ascii_hexdigit()) {
        return None;
    }
    u64::from_str_radix(digits, 16).ok()
}

/// A conversation with QEMU.
#[derive(Debug)]
pub(super) struct Qtest {
    socket: Socket,
    lines: LineBuffer,
}

impl Qtest {
    pub(super) fn new(socket: Socket) -> Qtest {
        Qtest { socket, lines: LineBuffer::new(LINE_LIMIT) }
    }

    /// Runs a command and returns what it returns.
    pub(super) fn ask(
        &mut self,
        command: &str,
        timeout: Duration,
    ) -> Result<String, EmulatorError> {
        // An answer that came too late is none to this question.
        self.lines.clear();
        self.socket.write_all(format!("{command}\n").as_bytes())?;
        let line = read_line(&mut self.socket, &mut self.lines, timeout)?
            .ok_or_else(|| EmulatorError::Timeout(format!("qtest: {command}")))?;
        match parse(&line) {
            Some(Line::Done(value)) => Ok(value),
            Some(Line::Refused(reason)) => {
                Err(EmulatorError::Refused { command: command.into(), reason })
            }
            None => Err(EmulatorError::protocol("qtest", format!("`{line}`"))),
        }
    }

    /// A word of the guest's memory or of a register.
    pub(super) fn read_word(
        &mut self,
        address: u32,
        timeout: Duration,
    ) -> Result<u32, EmulatorError> {
        let answer = self.ask(&format!("readl {address:#x}"), timeout)?;
        parse_number(&answer)
            .and_then(|number| u32::try_from(number).ok())
            .ok_or_else(|| EmulatorError::protocol("qtest", format!("`{answer}` is no word")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_told_apart() {
        assert_eq!(parse("OK"), Some(Line::Done(String::new())));
        assert_eq!(parse("OK 0x0000000000004000"), Some(Line::Done("0x0000000000004000".into())));
        assert_eq!(parse("FAIL Unknown device"), Some(Line::Refused("Unknown device".into())));
    }

    #[test]
    fn anything_else_is_refused() {
        for line in ["", " ", "ok", "OKAY", "IRQ raise 14", "{}"] {
            assert_eq!(parse(line), None, "{line}");
        }
    }

    #[test]
    fn numbers_are_hexadecimal() {
        assert_eq!(parse_number("0x0000000000004000"), Some(0x4000));
        assert_eq!(parse_number("0xffffffffffffffff"), Some(u64::MAX));
        for text in ["", "0x", "12", "0x+1", "0x-1", "0xg", "0x10000000000000000"] {
            assert_eq!(parse_number(text), None, "{text}");
        }
    }
}
