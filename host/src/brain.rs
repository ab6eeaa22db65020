//! A session on two streams: what `tavola brain` and `pbrain-tavola` are.
//!
//! ```text
//!   stdin ──► reader thread ──► bytes ──┐
//!                                       ├──► this loop (the session) ──► stdout
//!   worker thread ──► desk, finding ────┘        │
//!        ▲                                       │
//!        └────────────── job, desk ◄─────────────┘
//! ```
//!
//! The loop never waits for the worker, so a running search does not keep `STOP` from being read.
//! When the input ends, a running job is finished and answered first.

use std::cell::Cell;
use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::sync::mpsc;
use std::thread;
use std::time::Instant;

use embedded_io_adapters::std::FromStd;
use engine::game::any::Position;
use engine::search::report::{Clock, Interim, Line};
use engine::session::desk::{Desk, Finding, Job, StopFlag};
use engine::session::journal::MemoryJournal;
use engine::session::memory::Apart;
use engine::session::{Config, Session};
use engine::spec::GameSpec;

use crate::clock::{WallClock, saturating_micros};
use crate::failure::Failure;
use crate::memory;
use crate::table_size::TableSize;

/// What an answer takes through a pipe to a manager on a busy PC, at most, as a rule.
pub const LATENCY_US: u32 = 10_000;
/// What the program takes besides the table: code, stacks, game and workspace, rounded up.
pub const FIXED_MEMORY: usize = 8 << 20;
/// The game on the board before the first command.
const FIRST_GAME: GameSpec = GameSpec::Mnk { rows: 15, cols: 15, k: 5, exact: false };
/// The stack of the thinking thread: the search is bounded, and this is far more than it needs.
const WORKER_STACK: usize = 16 << 20;
/// What a search finds is told at most so often.
const FOUND_GAP_US: u64 = 50_000;
/// Bytes read at a time.
const CHUNK: usize = 4_096;

/// The desk of a PC: the largest boards.
type PcDesk = Desk<'static, Apart<'static, Position>>;
/// Room for the moves of the longest game.
type PcJournal = MemoryJournal<{ engine::score::MAX_PLY }>;

/// How a session is set up.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// The table.
    pub table: TableSize,
    /// Where the players' dice start.
    pub seed: u64,
    /// In human mode, send back what is typed. Not for a terminal that does so itself.
    pub echo: bool,
}

/// What wakes the loop.
enum Event {
    Bytes(Vec<u8>),
    EndOfInput,
    Thought(&'static mut PcDesk, Box<Finding>),
    Found(Found),
}

/// What a running search has found so far.
struct Found {
    interim: Interim<'static>,
    line: Line,
}

/// The session's clock, which also passes on what the search finds, but not more often than
/// anybody could read.
struct TalkingClock<'a> {
    clock: WallClock<'a>,
    wake: &'a mpsc::Sender<Event>,
    next_us: Cell<u64>,
}

impl Clock for TalkingClock<'_> {
    fn now_us(&self) -> u64 {
        self.clock.now_us()
    }

    fn should_stop(&self) -> bool {
        self.clock.should_stop()
    }

    fn found(&self, interim: &Interim<'_>) {
        let now_us = self.clock.precise_us();
        if now_us < self.next_us.get() {
            return;
        }
        self.next_us.set(now_us.saturating_add(FOUND_GAP_US));
        let line = interim.line.iter().copied().collect();
        let interim = Interim { line: &[], ..*interim };
        // If the loop has gone, nobody wants to know.
        let _ = self.wake.send(Event::Found(Found { interim, line }));
    }
}

/// Holds a conversation until `END` or the end of the input. The memory of the session is never
/// given back: a program holds one conversation.
///
/// # Errors
/// There is no memory, or the output cannot be written.
pub fn converse(
    settings: Settings,
    input: impl Read + Send + 'static,
    output: impl Write,
) -> Result<(), Failure> {
    let storage = memory::buckets(settings.table)?.leak();
    let game = Position::new(FIRST_GAME)
        .map_err(|error| Failure::Input(format!("{FIRST_GAME}: {error}")))?;
    let desk: &'static mut PcDesk =
        Box::leak(Box::new(Desk::new(Apart::new(game, storage), Box::leak(Box::default()))));
    let journal: &'static mut PcJournal = Box::leak(Box::default());
    let stop: &'static StopFlag = Box::leak(Box::default());
    let config = Config {
        line_end: "\n",
        seed: settings.seed,
        latency_us: LATENCY_US,
        fixed_memory: FIXED_MEMORY,
        echo: settings.echo,
        extras: &[],
    };
    let mut session = Session::new(desk, stop, journal, config);

    let start = Instant::now();
    let (wake, events) = mpsc::channel();
    let jobs = start_worker(start, stop, wake.clone())?;
    thread::spawn(move || read_all(input, &wake));

    let mut output = FromStd::new(output);
    let mut pending = VecDeque::new();
    let (mut ended, mut thinking) = (false, false);
    loop {
        // What a finished job has to say comes before the next line is read.
        session.write_to(&mut output)?;
        let now_us = saturating_micros(start.elapsed());
        let taken = session.accept(pending.make_contiguous(), now_us);
        pending.drain(..taken);
        session.write_to(&mut output)?;
        output.inner_mut().flush()?;
        if session.is_over() {
            return Ok(());
        }
        if let Some(job) = session.take_job() {
            thinking = jobs.send(job).is_ok();
            continue;
        }
        if taken > 0 && !pending.is_empty() {
            continue;
        }
        if ended && !thinking {
            return Ok(());
        }
        match events.recv() {
            Ok(Event::Bytes(bytes)) => pending.extend(bytes),
            Ok(Event::EndOfInput) => ended = true,
            Ok(Event::Found(Found { interim, line })) => {
                session.found(&Interim { line: &line, ..interim });
            }
            Ok(Event::Thought(desk, finding)) => {
                thinking = false;
                session.finish(desk, *finding, saturating_micros(start.elapsed()));
            }
            // Both threads are gone: nothing more can come.
            Err(mpsc::RecvError) => return Ok(()),
        }
    }
}

/// The thread that does the thinking, one job after the other.
fn start_worker(
    start: Instant,
    stop: &'static StopFlag,
    wake: mpsc::Sender<Event>,
) -> Result<mpsc::Sender<(Job, &'static mut PcDesk)>, Failure> {
    let (jobs, queue) = mpsc::channel::<(Job, &'static mut PcDesk)>();
    let work = move || {
        for (job, desk) in queue {
            let clock = WallClock::shared(start, stop);
            let next_us = Cell::new(clock.precise_us() + FOUND_GAP_US);
            let clock = TalkingClock { clock, wake: &wake, next_us };
            let finding = Box::new(desk.think(&job, &clock));
            if wake.send(Event::Thought(desk, finding)).is_err() {
                return;
            }
        }
    };
    thread::Builder::new()
        .stack_size(WORKER_STACK)
        .spawn(work)
        .map_err(|error| Failure::Input(format!("cannot start a thread: {error}")))?;
    Ok(jobs)
}

/// Hands all input on. An error ends it like the end of a file.
fn read_all(mut input: impl Read, wake: &mpsc::Sender<Event>) {
    let mut chunk = [0; CHUNK];
    loop {
        match input.read(&mut chunk) {
            Ok(0) => break,
            Ok(count) => {
                if wake.send(Event::Bytes(chunk[..count].to_vec())).is_err() {
                    return;
                }
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => break,
        }
    }
    let _ = wake.send(Event::EndOfInput);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(input: &'static str) -> String {
        let settings = Settings { table: "64K".parse().expect("a size"), seed: 1, echo: true };
        let mut output = Vec::new();
        converse(settings, input.as_bytes(), &mut output).expect("a conversation");
        String::from_utf8(output).expect("text")
    }

    #[test]
    fn a_running_job_is_answered_before_the_end() {
        let text = answers("START 15\r\nINFO timeout_turn 50\r\nBEGIN\r\n");
        let mut lines = text.lines();
        assert_eq!(lines.next(), Some("OK"));
        let (x, y) = lines.next().and_then(|mv| mv.split_once(',')).expect("a move");
        assert!(x.parse::<u32>().is_ok() && y.parse::<u32>().is_ok());
        assert_eq!(lines.next(), None);
    }

    #[test]
    fn end_ends_without_a_word() {
        assert_eq!(answers("START 15\nINFO timeout_turn 60000\nBEGIN\nEND\nPING\n"), "OK\n");
    }

    #[test]
    fn lines_behind_a_job_that_was_called_off_are_read() {
        let text = answers("START 15\nINFO timeout_turn 600000\nBEGIN\nRESTART\nPING\n");
        assert_eq!(text, "OK\nOK\nPONG\n");
    }

    #[test]
    fn stop_is_read_while_thinking() {
        let text = answers("START 15\nINFO timeout_turn 600000\nBEGIN\nPING\nSTOP\n");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[..2], ["OK", "PONG"]);
        assert_eq!(lines.len(), 3, "{text}");
    }
}
