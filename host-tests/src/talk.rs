//! A host for a session under a virtual clock: what the UART task and `tavola brain` do, one step
//! at a time, so that a test decides when a job runs, how long it takes and what is said meanwhile.
//!
//! ```
//! use host_tests::talk;
//!
//! talk::hold("mnk:3x3x3", |talk| {
//!     assert_eq!(talk.ask("PING"), ["PONG"]);
//!     assert_eq!(talk.ask("TURN 1,1").len(), 1);
//! });
//! ```

use std::cell::Cell;

use engine::game::any::AnyGame;
use engine::search::Workspace;
use engine::search::report::Clock;
use engine::search::table::Bucket;
use engine::session::desk::{Desk, Job, StopFlag};
use engine::session::journal::MemoryJournal;
use engine::session::memory::{Apart, Memory};
use engine::session::{Config, Session};
use engine::spec::GameSpec;

/// A position of a small build: boards up to 15x15, 12x12 and 8x8.
pub type SmallBoard = AnyGame<225, 144, 64>;

/// The move stack of the desks here: enough for the boards of [`SmallBoard`].
const MOVES: usize = 2_048;
/// The table of a desk in buckets: room for both games of the largest boards (16 moves in each).
const BUCKETS: usize = 2_048;
/// After asking so many times whether to stop, a job is stopped, whatever the clock says.
const PATIENCE: u64 = 1_000_000;

/// A clock that goes on by the same step whenever somebody looks at it.
#[derive(Debug)]
pub struct VirtualClock<'a> {
    now_us: Cell<u64>,
    step_us: Cell<u64>,
    jump: Cell<Option<(u64, u64)>>,
    patience_left: Cell<u64>,
    stop: &'a StopFlag,
}

impl<'a> VirtualClock<'a> {
    const fn new(stop: &'a StopFlag) -> VirtualClock<'a> {
        VirtualClock {
            now_us: Cell::new(0),
            step_us: Cell::new(10),
            jump: Cell::new(None),
            patience_left: Cell::new(PATIENCE),
            stop,
        }
    }

    /// What it shows, without a step.
    #[must_use]
    pub const fn reading_us(&self) -> u64 {
        self.now_us.get()
    }

    /// Shows this from now on, also if that is earlier.
    pub fn set_us(&self, now_us: u64) {
        self.now_us.set(now_us);
    }

    /// Goes on by this much at each look; 0: stands still.
    pub fn set_step_us(&self, step_us: u64) {
        self.step_us.set(step_us);
    }

    /// After so many further looks it shows something else, once.
    pub fn jump_after(&self, looks: u64, to_us: u64) {
        self.jump.set(Some((looks, to_us)));
    }

    /// Time passes.
    pub fn pass_us(&self, us: u64) {
        self.now_us.set(self.now_us.get().saturating_add(us));
    }

    /// Says stop when a job has asked so many times.
    fn set_patience(&self, times: u64) {
        self.patience_left.set(times);
    }
}

impl Clock for VirtualClock<'_> {
    fn now_us(&self) -> u64 {
        match self.jump.get() {
            Some((0, to_us)) => {
                self.jump.set(None);
                self.now_us.set(to_us);
            }
            Some((looks, to_us)) => self.jump.set(Some((looks - 1, to_us))),
            None => {}
        }
        self.pass_us(self.step_us.get());
        self.now_us.get()
    }

    fn should_stop(&self) -> bool {
        let left = self.patience_left.get();
        self.patience_left.set(left.saturating_sub(1));
        left == 0 || self.stop.is_set()
    }
}

/// A session and what it has said.
pub struct Talk<'d, M> {
    /// The session. What is taken from it here is missing in [`Talk::take_text`].
    pub session: Session<'d, M, MOVES>,
    /// The clock of the session and its jobs.
    pub clock: VirtualClock<'d>,
    /// How often a job may ask whether to stop before it is.
    pub patience: u64,
    running: Option<(Job, &'d mut Desk<'d, M, MOVES>)>,
    text: String,
}

/// Holds a conversation about a small board.
///
/// # Panics
/// The game is too large, or the conversation panics.
pub fn hold<R>(
    game: &str,
    body: impl for<'d> FnOnce(&mut Talk<'d, Apart<'d, SmallBoard>>) -> R,
) -> R {
    hold_with::<225, 144, 64, R>(game, Config::default(), body)
}

/// Holds a conversation about a board of any kind.
///
/// # Panics
/// There is no such game, or the conversation panics.
pub fn hold_with<const MNK: usize, const CONNECT: usize, const BRICKS: usize, R>(
    game: &str,
    config: Config,
    body: impl for<'d> FnOnce(&mut Talk<'d, Apart<'d, AnyGame<MNK, CONNECT, BRICKS>>>) -> R,
) -> R {
    let mut storage = vec![Bucket::EMPTY; BUCKETS];
    let spec: GameSpec = game.parse().expect("a game");
    let game = AnyGame::new(spec).expect("a game that fits");
    let mut workspace = Box::new(Workspace::new());
    let mut desk = Box::new(Desk::new(Apart::new(game, &mut storage), &mut workspace));
    let stop = StopFlag::new();
    let mut journal = Box::new(MemoryJournal::<{ engine::score::MAX_PLY }>::new());
    let mut talk = Talk {
        session: Session::new(&mut desk, &stop, &mut *journal, config),
        clock: VirtualClock::new(&stop),
        patience: PATIENCE,
        running: None,
        text: String::new(),
    };
    body(&mut talk)
}

impl<M: Memory> Talk<'_, M> {
    /// Offers bytes once and collects what is said; gives how many were taken.
    ///
    /// # Panics
    /// More were taken than offered.
    pub fn offer(&mut self, bytes: &[u8]) -> usize {
        self.listen();
        let taken = self.session.accept(bytes, self.clock.reading_us());
        assert!(taken <= bytes.len(), "took {taken} of {} bytes", bytes.len());
        self.listen();
        taken
    }

    /// Sends all bytes. A job that is ready stays so; one that runs is finished only if the
    /// session waits for it. What follows `END` is lost.
    ///
    /// # Panics
    /// The session neither takes bytes nor has a reason not to.
    pub fn send(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() && !self.session.is_over() {
            let taken = self.offer(bytes);
            bytes = &bytes[taken..];
            if taken == 0 && !self.session.is_over() {
                assert!(self.finish_job(), "the session takes nothing and waits for nothing");
            }
        }
    }

    /// Takes a job over if one is ready. It runs until [`Talk::finish_job`].
    pub fn take_job(&mut self) -> Option<Job> {
        self.listen();
        let (job, desk) = self.session.take_job()?;
        self.running = Some((job, desk));
        Some(job)
    }

    /// Whether a job was taken over and not finished yet.
    #[must_use]
    pub const fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// Does the job that was taken over; `false` if there is none.
    pub fn finish_job(&mut self) -> bool {
        let Some((job, desk)) = self.running.take() else { return false };
        self.clock.set_patience(self.patience);
        let finding = desk.think(&job, &self.clock);
        self.session.finish(desk, finding, self.clock.reading_us());
        self.listen();
        true
    }

    /// Does all jobs, until there is none.
    pub fn finish_all(&mut self) {
        while self.finish_job() || self.take_job().is_some() {}
    }

    /// Sends a line, does what it asks for, and gives the lines of the answer.
    pub fn ask(&mut self, line: &str) -> Vec<String> {
        self.send(line.as_bytes());
        self.send(b"\n");
        self.finish_all();
        self.take_text().lines().map(String::from).collect()
    }

    /// As [`Talk::ask`] for an answer of one line.
    ///
    /// # Panics
    /// The answer is not one line.
    pub fn ask_one(&mut self, line: &str) -> String {
        let mut answer = self.ask(line);
        assert_eq!(answer.len(), 1, "{line}: {answer:?}");
        answer.remove(0)
    }

    /// All that was said since the last time.
    pub fn take_text(&mut self) -> String {
        self.listen();
        std::mem::take(&mut self.text)
    }

    fn listen(&mut self) {
        while let Some(piece) = self.session.output() {
            self.text.push_str(piece);
        }
    }
}

/// A line with the checksum of NMEA: the exclusive or of its bytes behind a star.
#[must_use]
pub fn with_checksum(line: &str) -> String {
    let sum = line.bytes().fold(0, |sum, byte| sum ^ byte);
    format!("{line}*{sum:02X}")
}
