//! Answers on their way out, in bounded memory.
//!
//! Short answers are written into a buffer at once. A long one (a drawn board, a list of moves, a
//! saved game) is made piece by piece while it is sent, and stands between two such buffers: what
//! is said before it and what is said after it.
//!
//! ```text
//!   before (text)  ->  long answer (made while it is sent)  ->  after (text)
//! ```

use core::fmt::{self, Write};

use super::checksum::{Checksum, MARK};
use crate::drawing::MAX_DRAWN_LINE;

/// Bytes of short answers that wait to be sent.
pub const MAX_WAITING: usize = 640;
/// Bytes of a piece.
pub const MAX_PIECE: usize = MAX_DRAWN_LINE + 32;

/// How lines are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// What ends a line.
    pub line_end: &'static str,
    /// Lines get a checksum.
    pub checked: bool,
    /// For people: no words like `MESSAGE` in front of lines.
    pub human: bool,
    /// Nobody at the other end asked for this: a program gets `MESSAGE` whatever it is.
    pub aside: bool,
}

/// What kind of line it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An answer that a program reads.
    Answer,
    /// Information: `MESSAGE`.
    Message,
    /// What the search has found so far: `DEBUG`.
    Debug,
    /// A known command that is impossible: `ERROR`.
    Error,
    /// Not a command: `UNKNOWN`.
    Unknown,
}

impl Kind {
    const fn word(self) -> &'static str {
        match self {
            Kind::Answer => "",
            Kind::Message => "MESSAGE ",
            Kind::Debug => "DEBUG ",
            Kind::Error => "ERROR ",
            Kind::Unknown => "UNKNOWN ",
        }
    }
}

/// A sink with a checksum.
struct Summed<'a, const N: usize> {
    text: &'a mut heapless::String<N>,
    sum: &'a mut Checksum,
}

impl<const N: usize> Write for Summed<'_, N> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.text.push_str(text).map_err(|_| fmt::Error)?;
        self.sum.add(text.as_bytes());
        Ok(())
    }
}

/// Writes a line, or as much of it as fits, so that it ends as a line in any case.
fn write_line<const N: usize>(
    text: &mut heapless::String<N>,
    style: Style,
    kind: Kind,
    line: fmt::Arguments<'_>,
) {
    /// Room that is kept for a checksum and a line end.
    const TAIL: usize = 5;
    let mut sum = Checksum::default();
    let start = text.len();
    if start + TAIL > N {
        return;
    }
    let word = match (style.human, style.aside) {
        (true, _) => "",
        (false, true) => Kind::Message.word(),
        (false, false) => kind.word(),
    };
    // A line that does not fit is cut: the longest of them is far below the capacity.
    let _ = write!(Summed { text, sum: &mut sum }, "{word}{line}");
    if text.len() + TAIL > N {
        while text.len() + TAIL > N && text.len() > start {
            text.pop();
        }
        sum = Checksum::of(text.as_bytes().get(start..).unwrap_or(&[]));
    }
    finish_line(text, style, sum);
}

fn finish_line<const N: usize>(text: &mut heapless::String<N>, style: Style, sum: Checksum) {
    if style.checked {
        let _ = write!(text, "{}{:02X}", char::from(MARK), sum.value());
    }
    let _ = text.push_str(style.line_end);
}

/// One piece of a long answer.
#[derive(Debug)]
pub struct Piece<'a> {
    text: &'a mut heapless::String<MAX_PIECE>,
    sum: &'a mut Checksum,
    style: Style,
}

impl Piece<'_> {
    /// A whole line.
    pub fn line(&mut self, kind: Kind, line: fmt::Arguments<'_>) {
        write_line(self.text, self.style, kind, line);
    }

    /// A part of a line, at most [`MAX_PIECE`] bytes less the end of the line.
    pub fn part(&mut self, part: fmt::Arguments<'_>) {
        let _ = write!(Summed { text: self.text, sum: self.sum }, "{part}");
    }

    /// The end of a line made of parts.
    pub fn end_line(&mut self) {
        finish_line(self.text, self.style, core::mem::take(self.sum));
    }

    /// Whether a person reads it.
    #[must_use]
    pub const fn is_human(&self) -> bool {
        self.style.human
    }
}

/// A long answer, which looks at something to know what to write.
pub trait Long<S> {
    /// Writes the next piece; `false` after the last one.
    fn write_piece(&mut self, subject: &S, piece: &mut Piece<'_>) -> bool;
}

/// What waits to be sent.
#[derive(Debug)]
pub struct Output<L> {
    /// How lines are written from now on.
    pub style: Style,
    before: heapless::String<MAX_WAITING>,
    long: Option<(L, Style)>,
    after: heapless::String<MAX_WAITING>,
    piece: heapless::String<MAX_PIECE>,
    sum: Checksum,
    stage: Stage,
}

/// What was handed out last. Whatever is added meanwhile comes after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Nothing.
    Idle,
    /// What is said before a long answer.
    Before,
    /// A piece of the long answer.
    Long,
    /// So many bytes of what is said after it.
    After(usize),
}

impl<L> Output<L> {
    /// Nothing to send.
    #[must_use]
    pub const fn new(style: Style) -> Output<L> {
        Output {
            style,
            before: heapless::String::new(),
            long: None,
            after: heapless::String::new(),
            piece: heapless::String::new(),
            sum: Checksum::of_nothing(),
            stage: Stage::Idle,
        }
    }

    /// Adds a line.
    pub fn line(&mut self, kind: Kind, line: fmt::Arguments<'_>) {
        let style = self.style;
        write_line(self.waiting(), style, kind, line);
    }

    /// Adds text without a line end, such as a prompt or an echo.
    pub fn text(&mut self, text: &str) {
        let _ = self.waiting().push_str(text);
    }

    /// Adds a long answer. Only one can wait: a second one is dropped.
    pub fn long(&mut self, long: L) {
        if self.long.is_none() {
            self.long = Some((long, self.style));
        }
    }

    /// Whether there is nothing to send.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.stage == Stage::Idle
            && self.before.is_empty()
            && self.long.is_none()
            && self.after.is_empty()
    }

    /// Throws away what waits.
    pub fn clear(&mut self) {
        *self = Output::new(self.style);
    }

    fn waiting(&mut self) -> &mut heapless::String<MAX_WAITING> {
        if self.long.is_some() || self.stage != Stage::Idle {
            &mut self.after
        } else {
            &mut self.before
        }
    }

    /// The next piece to send, valid until the next call; `None` when all is sent. A long answer
    /// looks at `subject`; without one it is dropped.
    pub fn next<S>(&mut self, subject: Option<&S>) -> Option<&str>
    where
        L: Long<S>,
    {
        match self.stage {
            Stage::Idle if !self.before.is_empty() => {
                self.stage = Stage::Before;
                return Some(&self.before);
            }
            Stage::Idle | Stage::Long => {}
            Stage::Before => self.before.clear(),
            Stage::After(sent) => {
                let rest = self.after.get(sent..).unwrap_or("");
                self.after = heapless::String::try_from(rest).unwrap_or_default();
            }
        }
        if let Some((long, style)) = &mut self.long {
            self.stage = Stage::Long;
            self.piece.clear();
            let mut piece = Piece { text: &mut self.piece, sum: &mut self.sum, style: *style };
            let more = subject.is_some_and(|subject| long.write_piece(subject, &mut piece));
            if !more {
                self.long = None;
                self.sum = Checksum::of_nothing();
            }
            if more || !self.piece.is_empty() {
                return Some(&self.piece);
            }
        }
        if self.after.is_empty() {
            self.stage = Stage::Idle;
            return None;
        }
        self.stage = Stage::After(self.after.len());
        Some(&self.after)
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use std::string::String;

    const PLAIN: Style = Style { line_end: "\n", checked: false, human: false, aside: false };

    /// Counts down.
    struct Count(usize);

    impl Long<()> for Count {
        fn write_piece(&mut self, (): &(), piece: &mut Piece<'_>) -> bool {
            if self.0 == 0 {
                piece.end_line();
                return false;
            }
            piece.part(format_args!("{} ", self.0));
            self.0 -= 1;
            true
        }
    }

    fn drain(output: &mut Output<Count>) -> String {
        let mut all = String::new();
        while let Some(piece) = output.next(Some(&())) {
            all.push_str(piece);
        }
        all
    }

    #[test]
    fn a_long_answer_stands_between_what_is_said_before_and_after_it() {
        let mut output = Output::new(PLAIN);
        output.line(Kind::Answer, format_args!("OK"));
        output.long(Count(3));
        output.line(Kind::Message, format_args!("that was all"));
        assert_eq!(drain(&mut output), "OK\n3 2 1 \nMESSAGE that was all\n");
        assert!(output.is_empty());
        output.line(Kind::Error, format_args!("again"));
        assert_eq!(drain(&mut output), "ERROR again\n");
    }

    #[test]
    fn every_line_gets_its_own_checksum() {
        let mut output = Output::new(Style { checked: true, ..PLAIN });
        output.line(Kind::Answer, format_args!("PONG"));
        output.long(Count(1));
        output.line(Kind::Answer, format_args!("OK"));
        let text = drain(&mut output);
        for line in text.lines() {
            let (body, sum) = line.split_once('*').expect("a checksum");
            let expected = Checksum::of(body.as_bytes()).value();
            assert_eq!(u8::from_str_radix(sum, 16), Ok(expected), "{line}");
        }
        assert_eq!(text.lines().count(), 3);
    }

    #[test]
    fn a_line_that_does_not_fit_is_cut_but_ends() {
        let mut output = Output::<Count>::new(Style { checked: true, ..PLAIN });
        output.line(Kind::Message, format_args!("{:>2000}", "x"));
        output.line(Kind::Answer, format_args!("lost"));
        let text = drain(&mut output);
        assert!(text.len() <= MAX_WAITING && text.ends_with('\n'), "{text}");
    }
}
