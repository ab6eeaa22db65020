//! A session in this process as an [`Endpoint`]: virtual time, and jobs that run when somebody
//! waits for what they have to say.

use std::cell::Cell;
use std::collections::VecDeque;

use engine::game::any::Position;
use engine::search::report::Clock;
use engine::search::table::Bucket;
use engine::session::desk::{Desk, Job, StopFlag};
use engine::session::journal::MemoryJournal;
use engine::session::memory::Apart;
use engine::session::{Config, Order, Session};

use crate::scenario::Endpoint;

/// What a look at the clock takes: the time that a node of a small board needs on the chip, or so.
const LOOK_US: u64 = 100;
/// 64 KiB, as on the chip.
const BUCKETS: usize = 1_024;

/// Time that passes when somebody looks at it, and a stop flag.
struct VirtualClock<'a> {
    now_us: &'a Cell<u64>,
    stop: &'a StopFlag,
}

impl Clock for VirtualClock<'_> {
    fn now_us(&self) -> u64 {
        self.now_us.set(self.now_us.get() + LOOK_US);
        self.now_us.get()
    }

    fn should_stop(&self) -> bool {
        self.stop.is_set()
    }
}

/// The desk of a PC.
type PcDesk = Desk<'static, Apart<'static, Position>>;
/// Room for the moves of the longest game.
type PcJournal = MemoryJournal<{ engine::score::MAX_PLY }>;

/// A session and what it has said.
pub struct SessionEndpoint {
    session: Session<'static, Apart<'static, Position>>,
    /// The job that is being done, as far as the session knows.
    job: Option<(Job, &'static mut PcDesk)>,
    stop: &'static StopFlag,
    now_us: Cell<u64>,
    said: VecDeque<u8>,
    pending: Vec<u8>,
}

impl SessionEndpoint {
    /// A fresh session. Its memory is not given back: a test has a few of them.
    #[must_use]
    pub fn new() -> SessionEndpoint {
        let game = Position::new("mnk:15x15x5".parse().expect("a game")).expect("fits");
        let storage = vec![Bucket::EMPTY; BUCKETS].leak();
        let stop: &'static StopFlag = Box::leak(Box::default());
        let desk =
            Box::leak(Box::new(Desk::new(Apart::new(game, storage), Box::leak(Box::default()))));
        let journal: &'static mut PcJournal = Box::leak(Box::default());
        let session = Session::new(desk, stop, journal, Config::default());
        let (said, pending) = (VecDeque::new(), Vec::new());
        SessionEndpoint { session, job: None, stop, now_us: Cell::new(0), said, pending }
    }

    /// Somebody at the board wants something. `false` if it has to wait.
    pub fn order(&mut self, order: &Order) -> bool {
        let taken = self.session.order(order, self.now_us.get());
        self.talk();
        taken
    }

    /// Lets the session read what was sent and say what it has to say, as far as that goes without
    /// thinking.
    fn talk(&mut self) {
        loop {
            while let Some(piece) = self.session.output() {
                self.said.extend(piece.bytes());
            }
            let taken = self.session.accept(&self.pending, self.now_us.get());
            self.pending.drain(..taken);
            if let Some(job) = self.session.take_job() {
                self.job = Some(job);
            } else if taken == 0 {
                return;
            }
        }
    }

    /// Does the job that is waiting, if there is one.
    fn think(&mut self) -> bool {
        let Some((job, desk)) = self.job.take() else { return false };
        let clock = VirtualClock { now_us: &self.now_us, stop: self.stop };
        let finding = desk.think(&job, &clock);
        self.session.finish(desk, finding, self.now_us.get());
        self.talk();
        true
    }

    fn whole_line(&mut self) -> Option<String> {
        let end = self.said.iter().position(|&byte| byte == b'\n')?;
        let line: Vec<u8> = self.said.drain(..=end).collect();
        let line = String::from_utf8_lossy(&line).into_owned();
        Some(line.trim_end_matches(['\r', '\n']).to_owned())
    }
}

impl Default for SessionEndpoint {
    fn default() -> SessionEndpoint {
        SessionEndpoint::new()
    }
}

impl Endpoint for SessionEndpoint {
    fn send(&mut self, bytes: &[u8]) -> Result<(), String> {
        self.pending.extend(bytes);
        self.talk();
        // A job that was called off ends at once; what came after it is read then.
        while !self.pending.is_empty() && self.think() {}
        Ok(())
    }

    fn line(&mut self) -> Result<String, String> {
        loop {
            if let Some(line) = self.whole_line() {
                return Ok(line);
            }
            if !self.think() {
                return Err(format!("expected a line, got `{}`", self.rest()));
            }
        }
    }

    fn wait(&mut self, milliseconds: u64) -> Result<(), String> {
        self.now_us.set(self.now_us.get() + milliseconds * 1_000);
        Ok(())
    }

    fn rest(&mut self) -> String {
        let rest: Vec<u8> = self.said.drain(..).collect();
        String::from_utf8_lossy(&rest).into_owned()
    }
}
