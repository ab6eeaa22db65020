//! qtest, QEMU's protocol for tests: lines of words, by which pins are set, memory is read and
//! output pins are watched.
//!
//! [`parse`] reads a line and accepts any input. `Qtest` reads in a thread of its own: QEMU
//! writes a line for every edge of a watched pin and stops the guest until somebody takes it.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::error::EmulatorError;
use super::socket::Socket;
use crate::link::LinkError;
use crate::link::lines::LineBuffer;

/// Answers hold a number or a reason; the longest are those that hold memory.
const LINE_LIMIT: usize = 1 << 20;
/// How often the reader looks up from an idle line. It ends with the connection.
const IDLE: Duration = Duration::from_secs(1);
/// Edges kept until somebody asks for them; older ones are dropped.
const EDGE_LIMIT: usize = 1 << 16;

/// What QEMU says in a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// A command is done; what it returns, if anything.
    Done(String),
    /// A command is refused; the reason.
    Refused(String),
    /// A watched pin has changed.
    Edge {
        /// The pin.
        pin: u32,
        /// Whether it is high now.
        high: bool,
    },
}

/// Reads a line; `None` for anything that QEMU does not say.
#[must_use]
pub fn parse(line: &str) -> Option<Line> {
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    match word {
        "OK" => Some(Line::Done(rest.to_string())),
        "FAIL" | "ERR" => Some(Line::Refused(rest.to_string())),
        "IRQ" => {
            let (level, pin) = rest.split_once(' ')?;
            let high = match level {
                "raise" => true,
                "lower" => false,
                _ => return None,
            };
            Some(Line::Edge { pin: pin.parse().ok()?, high })
        }
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

/// The pins to watch, all of one port.
#[derive(Clone, Copy, Debug)]
pub(super) struct Watch {
    /// The pin whose edges are kept.
    pub(super) pin: u32,
    /// The pin whose rising edges are counted: a clock of the guest, in the same order of events.
    pub(super) beat: u32,
}

/// A change of the watched pin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Edge {
    pub(super) high: bool,
    /// Beats before it.
    pub(super) beats: u64,
    /// Time before it, since the connection was made.
    pub(super) elapsed: Duration,
}

/// What the reader has taken in.
#[derive(Debug, Default)]
struct Inbox {
    answers: VecDeque<Result<String, String>>,
    edges: VecDeque<Edge>,
    beats: u64,
    /// Why the reader has ended.
    end: Option<String>,
}

impl Inbox {
    fn take(&mut self, line: &str, watch: Watch, elapsed: Duration) {
        match parse(line) {
            Some(Line::Done(value)) => self.answers.push_back(Ok(value)),
            Some(Line::Refused(reason)) => self.answers.push_back(Err(reason)),
            Some(Line::Edge { pin, high }) => {
                if pin == watch.pin {
                    if self.edges.len() == EDGE_LIMIT {
                        self.edges.pop_front();
                    }
                    self.edges.push_back(Edge { high, beats: self.beats, elapsed });
                } else if pin == watch.beat && high {
                    self.beats += 1;
                }
            }
            None => self.answers.push_back(Err(format!("`{line}` is not understood"))),
        }
    }
}

/// A conversation with QEMU.
#[derive(Debug)]
pub(super) struct Qtest {
    socket: Socket,
    shared: Arc<(Mutex<Inbox>, Condvar)>,
    reader: Option<JoinHandle<()>>,
}

impl Qtest {
    pub(super) fn new(socket: Socket, watch: Watch) -> Result<Qtest, EmulatorError> {
        let shared = Arc::new((Mutex::new(Inbox::default()), Condvar::new()));
        let (input, inbox) = (socket.try_clone()?, Arc::clone(&shared));
        let reader = std::thread::Builder::new()
            .name("qtest".into())
            .spawn(move || read(input, &inbox, watch))
            .map_err(|error| EmulatorError::System("thread".into(), error))?;
        Ok(Qtest { socket, shared, reader: Some(reader) })
    }

    /// Runs a command and returns what it returns.
    pub(super) fn ask(
        &mut self,
        command: &str,
        timeout: Duration,
    ) -> Result<String, EmulatorError> {
        lock(&self.shared.0).answers.clear();
        self.socket.write_all(format!("{command}\n").as_bytes())?;
        let deadline = Instant::now() + timeout;
        let mut inbox = lock(&self.shared.0);
        loop {
            if let Some(answer) = inbox.answers.pop_front() {
                return answer
                    .map_err(|reason| EmulatorError::Refused { command: command.into(), reason });
            }
            if let Some(end) = &inbox.end {
                return Err(EmulatorError::Ended(end.clone()));
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(EmulatorError::Timeout(format!("qtest: {command}")));
            }
            let waited = self.shared.1.wait_timeout(inbox, left);
            inbox = waited.unwrap_or_else(PoisonError::into_inner).0;
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

    /// The edges since the last call.
    pub(super) fn take_edges(&mut self) -> Vec<Edge> {
        lock(&self.shared.0).edges.drain(..).collect()
    }

    /// The beats so far.
    pub(super) fn beats(&self) -> u64 {
        lock(&self.shared.0).beats
    }
}

impl Drop for Qtest {
    fn drop(&mut self) {
        self.socket.shutdown();
        if let Some(reader) = self.reader.take() {
            let _ = reader.join();
        }
    }
}

fn lock(inbox: &Mutex<Inbox>) -> MutexGuard<'_, Inbox> {
    inbox.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes in lines until the connection ends.
fn read(mut socket: Socket, (inbox, news): &(Mutex<Inbox>, Condvar), watch: Watch) {
    let start = Instant::now();
    let mut lines = LineBuffer::new(LINE_LIMIT);
    let mut buffer = vec![0; 1 << 16];
    loop {
        let result = socket.read(&mut buffer, IDLE);
        let elapsed = start.elapsed();
        let mut inbox = lock(inbox);
        match result {
            Ok(count) => lines.push(&buffer[..count]),
            Err(error) => {
                let closed = matches!(error, LinkError::Closed(_));
                inbox.end = Some(if closed { "qtest is closed".into() } else { error.to_string() });
                news.notify_all();
                return;
            }
        }
        while let Some(line) = lines.pop() {
            inbox.take(&line, watch, elapsed);
        }
        news.notify_all();
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
        assert_eq!(parse("IRQ raise 14"), Some(Line::Edge { pin: 14, high: true }));
        assert_eq!(parse("IRQ lower 0"), Some(Line::Edge { pin: 0, high: false }));
    }

    #[test]
    fn anything_else_is_refused() {
        for line in [
            "",
            " ",
            "ok",
            "OKAY",
            "IRQ",
            "IRQ raise",
            "IRQ rise 1",
            "IRQ raise -1",
            "IRQ raise 99999999999",
            "{}",
        ] {
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

    #[test]
    fn edges_of_other_pins_are_dropped_and_beats_are_counted_up_to_the_edge() {
        let mut inbox = Inbox::default();
        let watch = Watch { pin: 14, beat: 2 };
        for line in ["IRQ raise 1", "IRQ raise 2", "IRQ lower 2", "IRQ raise 14", "IRQ raise 2"] {
            inbox.take(line, watch, Duration::ZERO);
        }
        let edge = Edge { high: true, beats: 1, elapsed: Duration::ZERO };
        assert_eq!((inbox.edges, inbox.beats), (VecDeque::from([edge]), 2));
        assert!(inbox.answers.is_empty());
    }

    #[test]
    fn old_edges_make_room_for_new_ones() {
        let mut inbox = Inbox::default();
        for count in 0..EDGE_LIMIT + 1 {
            let line = if count % 2 == 0 { "IRQ raise 14" } else { "IRQ lower 14" };
            inbox.take(line, Watch { pin: 14, beat: 2 }, Duration::ZERO);
        }
        assert_eq!(inbox.edges.len(), EDGE_LIMIT);
        assert!(!inbox.edges[0].high);
    }
}
