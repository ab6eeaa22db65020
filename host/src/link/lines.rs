//! Lines out of bytes that come in pieces of any size.
//!
//! A line is at most as long as the limit; what goes beyond it is dropped up to the line's end, so
//! that a board (or a program) gone mad cannot fill the memory.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use super::{Link, LinkError};

/// Puts lines together. Line ends are `\n`, with or without `\r` before it.
#[derive(Clone, Debug)]
pub struct LineBuffer {
    limit: usize,
    open: Vec<u8>,
    complete: VecDeque<String>,
}

impl LineBuffer {
    /// Lines of at most `limit` bytes.
    #[must_use]
    pub fn new(limit: usize) -> LineBuffer {
        LineBuffer { limit, open: Vec::new(), complete: VecDeque::new() }
    }

    /// Takes in more bytes.
    pub fn push(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            if byte == b'\n' {
                if self.open.last() == Some(&b'\r') {
                    self.open.pop();
                }
                self.complete.push_back(String::from_utf8_lossy(&self.open).into_owned());
                self.open.clear();
            } else if self.open.len() < self.limit {
                self.open.push(byte);
            }
        }
    }

    /// The next complete line, without its end. What is not UTF-8 in it is replaced.
    pub fn pop(&mut self) -> Option<String> {
        self.complete.pop_front()
    }

    /// What has come of a line that is not complete, as a prompt is.
    #[must_use]
    pub fn rest(&self) -> String {
        String::from_utf8_lossy(&self.open).into_owned()
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.open.clear();
        self.complete.clear();
    }
}

/// Waits for a line from a link: `None` if there was none within `timeout`. Without any time, what
/// has already come still counts.
///
/// # Errors
/// The link cannot be read any more.
pub fn read_line(
    link: &mut dyn Link,
    lines: &mut LineBuffer,
    timeout: Duration,
) -> Result<Option<String>, LinkError> {
    let deadline = Instant::now() + timeout;
    let mut buffer = [0; 4096];
    loop {
        if let Some(line) = lines.pop() {
            return Ok(Some(line));
        }
        let left = deadline.saturating_duration_since(Instant::now());
        let count = link.read(&mut buffer, left)?;
        lines.push(&buffer[..count]);
        if left.is_zero() {
            return Ok(lines.pop());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hands out its pieces one by one, then nothing, then an error.
    struct Pieces(Vec<&'static [u8]>);

    impl Link for Pieces {
        fn name(&self) -> &str {
            "pieces"
        }

        fn read(&mut self, buffer: &mut [u8], _: Duration) -> Result<usize, LinkError> {
            if self.0.is_empty() {
                return Err(LinkError::Closed("pieces".into()));
            }
            let piece = self.0.remove(0);
            buffer[..piece.len()].copy_from_slice(piece);
            Ok(piece.len())
        }

        fn write(&mut self, _: &[u8]) -> Result<(), LinkError> {
            Ok(())
        }
    }

    #[test]
    fn lines_come_out_whole_however_they_come_in() {
        let mut link = Pieces(vec![b"O", b"K\r", b"\nER", b"", b"ROR x\n\nrest"]);
        let mut lines = LineBuffer::new(80);
        let mut next = || read_line(&mut link, &mut lines, Duration::from_secs(60));
        assert_eq!(next().unwrap().as_deref(), Some("OK"));
        assert_eq!(next().unwrap().as_deref(), Some("ERROR x"));
        assert_eq!(next().unwrap().as_deref(), Some(""));
        assert!(matches!(next(), Err(LinkError::Closed(_))));
        assert_eq!(lines.rest(), "rest");
    }

    #[test]
    fn an_endless_line_is_cut_and_the_next_one_is_whole() {
        let mut lines = LineBuffer::new(4);
        lines.push(&[b'x'; 100_000]);
        lines.push(b"\nabcd\n\xff\n");
        assert_eq!(lines.pop().as_deref(), Some("xxxx"));
        assert_eq!(lines.pop().as_deref(), Some("abcd"));
        assert_eq!(lines.pop().as_deref(), Some("\u{fffd}"));
        assert_eq!(lines.pop(), None);
    }

    #[test]
    fn without_time_only_what_has_come_counts() {
        let mut link = Pieces(vec![b"", b"ha", b"lf\n"]);
        let mut lines = LineBuffer::new(80);
        let mut next = || read_line(&mut link, &mut lines, Duration::ZERO).unwrap();
        assert_eq!([next(), next(), next()], [None, None, Some("half".into())]);
    }
}
