//! A conversation about a game in progress: lines in, answers out, jobs to think about.
//!
//! The session is a state machine without threads and without waiting. Whoever hosts it (the UART
//! task on the chip, `tavola brain` on a PC, a test) does four things in a loop:
//!
//! 1. [`Session::accept`] bytes that came in;
//! 2. send what [`Session::output`] gives, until it gives nothing;
//! 3. if [`Session::take_job`] gives a job, have it done somewhere by [`Desk::think`];
//! 4. when it is done, bring the desk back with [`Session::finish`].
//!
//! While a job runs the session has no desk and goes on reading: `STOP` sets the [`StopFlag`],
//! `NEW`, `RESTART` and `END` set it too and wait for the desk to come back, `PING` is answered,
//! everything else is refused as busy.
//!
//! # Bounds
//! A session holds no more than a few kilobytes: one line, the answers that wait (see
//! [`crate::protocol::output`]), the time of the last [`clock::REMEMBERED_PLIES`] plies and as many
//! moves taken back. A line that cannot be used is answered with one `ERROR` or `UNKNOWN`, and
//! nothing changes.
//!
//! # Example
//! ```
//! use engine::game::any::AnyGame;
//! use engine::search::Workspace;
//! use engine::search::report::NoClock;
//! use engine::search::table::Bucket;
//! use engine::session::desk::{Desk, StopFlag};
//! use engine::session::journal::MemoryJournal;
//! use engine::session::memory::Apart;
//! use engine::session::{Config, Session};
//!
//! let mut storage = [Bucket::EMPTY; 64];
//! let game = AnyGame::<225, 42, 64>::new("mnk:3x3x3".parse()?)?;
//! let mut workspace = Workspace::<512>::new();
//! let mut desk = Desk::<_, 512>::new(Apart::new(game, &mut storage), &mut workspace);
//! let (stop, mut journal) = (StopFlag::new(), MemoryJournal::<512>::new());
//! let mut session = Session::new(&mut desk, &stop, &mut journal, Config::default());
//!
//! let mut answers = String::new();
//! let mut input = &b"LEVEL 3\nTURN 1,1\n"[..];
//! loop {
//!     let taken = session.accept(input, 0);
//!     input = &input[taken..];
//!     while let Some(piece) = session.output() {
//!         answers.push_str(piece);
//!     }
//!     if let Some((job, desk)) = session.take_job() {
//!         let finding = desk.think(&job, &NoClock);
//!         session.finish(desk, finding, 0);
//!     } else if input.is_empty() {
//!         break;
//!     }
//! }
//! assert!(answers.starts_with("OK\n"));
//! assert_eq!(answers.lines().count(), 2);
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```

pub mod clock;
pub mod crc;
pub mod desk;
mod execute;
pub mod journal;
mod keep;
mod long;
pub mod memory;
pub mod save;
pub mod setup;
pub mod swap2;
mod talk;

use core::fmt;

use crate::game::{Game, Side};
use crate::players::cadrega::CADREGA_NODES;
use crate::protocol::keys::{Key, Keys};
use crate::protocol::line::{Event, LineAssembler, MAX_LINE};
use crate::protocol::output::{Output, Style};
use crate::protocol::reply::Stats;
use crate::search::DEFAULT_MOVE_STACK;
use crate::search::report::{Interim, Limits};
use crate::spec::GameSpec;
use clock::{Clocks, REMEMBERED_PLIES, TimeControl};
use desk::{Desk, Finding, Job, StopFlag, Task};
use journal::Journal;
use long::LongAnswer;
use memory::Memory;
use save::Loader;
use setup::{Collected, SetupError};

/// The most bytes of a player's name with its parameters.
pub const MAX_PLAYER_NAME: usize = 48;

/// A player's name with its parameters.
pub type PlayerName = heapless::String<MAX_PLAYER_NAME>;

/// The player of a new session.
const DEFAULT_PLAYER: &str = "tavola";

/// `first`, `second` or `none`.
#[must_use]
pub const fn side_name(side: Option<Side>) -> &'static str {
    match side {
        Some(Side::First) => "first",
        Some(Side::Second) => "second",
        None => "none",
    }
}

/// What a session must know about the place where it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// What ends the lines that are sent.
    pub line_end: &'static str,
    /// Where the players' dice start.
    pub seed: u64,
    /// What an answer takes on its way, in microseconds.
    pub latency_us: u32,
    /// Bytes that are in use besides the table, as `INFO max_memory` counts them.
    pub fixed_memory: usize,
    /// In human mode, send back what is typed.
    pub echo: bool,
    /// Commands of the place itself, which it obeys; see [`Session::take_request`].
    pub extras: &'static [Extra],
}

/// A command that not the session obeys but the place where it runs.
#[derive(Debug, PartialEq, Eq)]
pub struct Extra {
    /// The name, in capitals.
    pub name: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
}

/// The most bytes behind the name of an [`Extra`].
pub const MAX_EXTRA_ARGUMENT: usize = 16;

/// An [`Extra`] that was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The command's name.
    pub name: &'static str,
    /// What stood behind it.
    pub argument: heapless::String<MAX_EXTRA_ARGUMENT>,
}

impl Default for Config {
    fn default() -> Config {
        Config { line_end: "\n", seed: 0, latency_us: 0, fixed_memory: 0, echo: true, extras: &[] }
    }
}

/// What is being thought about.
#[derive(Clone, Copy, Debug)]
struct Work {
    job: Job,
    started_us: u64,
    /// The desk has been handed over.
    running: bool,
    /// The line that asked for it had a checksum.
    checked: bool,
    /// It was not a line that asked for it.
    aside: bool,
    /// What to do instead of using the finding.
    instead: Option<Instead>,
}

/// What somebody at the board can want.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// This move; the engine answers.
    Play(crate::game::Move),
    /// The last turn back.
    Undo,
    /// Another game.
    New {
        /// The game.
        spec: GameSpec,
        /// Who plays for the engine.
        player: PlayerName,
        /// The engine opens.
        engine_first: bool,
    },
    /// The answer now.
    Stop,
}

/// A command that does not wait for the answer to another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Instead {
    New { spec: GameSpec, by_info: bool },
    Restart,
    End,
}

/// What lines mean at the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reading {
    /// Commands.
    Commands,
    /// Stones, until `DONE`.
    Stones(Stones),
}

/// The stones of a `BOARD`, as far as they have come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stones {
    purpose: Purpose,
    collected: Collected,
    /// How many are ours and how many the opponent's.
    count: [usize; 2],
    error: Option<StonesError>,
}

/// What the stones are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    /// `BOARD`: the engine moves.
    Move,
    /// `YXBOARD`: nobody does.
    Position,
    /// `SWAP2BOARD`.
    Swap2,
}

/// What is wrong with the stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StonesError {
    /// The engine is thinking.
    Busy,
    /// Somebody played at the board meanwhile.
    Overtaken,
    /// Not a game of stones on cells.
    NotMnk,
    /// A line is not `x,y,1` or `x,y,2`.
    Form,
    /// Outside the board.
    Outside { cols: usize, rows: usize },
    /// The sides do not alternate.
    Count { own: usize, other: usize },
    /// Not 0, 3 or 5 stones.
    Swap2Count,
    /// The rules, or memory.
    Setup(SetupError),
}

/// An `INFO` that asked for the impossible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum InfoError {
    NotANumber(&'static str),
    Memory { least: usize },
    Rule(i64),
}

/// A conversation. `'d` is the life of the desk, the stop flag and the journal.
pub struct Session<
    'd,
    M,
    const MOVES: usize = DEFAULT_MOVE_STACK,
    const NODES: usize = CADREGA_NODES,
> {
    /// `None` while a job runs.
    desk: Option<&'d mut Desk<'d, M, MOVES, NODES>>,
    stop: &'d StopFlag,
    journal: &'d mut dyn Journal,
    config: Config,
    lines: LineAssembler,
    keys: Keys,
    /// The last byte was a CR, so a LF means nothing in human mode.
    after_cr: bool,
    output: Output<LongAnswer>,
    reading: Reading,
    loader: Option<Loader>,
    work: Option<Work>,
    engine: Option<Side>,
    player: PlayerName,
    /// The game was begun by `START`: `INFO rule` decides its rule.
    by_info: bool,
    exact: bool,
    time: TimeControl,
    limits: Limits,
    /// `INFO show_detail`: tell what the search finds.
    detail: bool,
    /// Bytes that the table may take.
    memory: usize,
    seed: u64,
    clocks: Clocks,
    /// Moves that were taken back, the first of them last.
    redo: heapless::Vec<crate::game::Move, REMEMBERED_PLIES>,
    info_error: Option<InfoError>,
    suggested: bool,
    stats: Stats,
    request: Option<Request>,
    /// The last thing that was asked for was impossible.
    refused: bool,
    over: bool,
    restored: bool,
    revision: u32,
}

impl<'d, M: Memory, const MOVES: usize, const NODES: usize> Session<'d, M, MOVES, NODES> {
    /// A session about the game in the journal, if there is one, or else an empty board of the game
    /// that is on the desk. [`Session::was_restored`] tells which.
    #[must_use]
    pub fn new(
        desk: &'d mut Desk<'d, M, MOVES, NODES>,
        stop: &'d StopFlag,
        journal: &'d mut dyn Journal,
        config: Config,
    ) -> Self {
        let line_end = config.line_end;
        let style = Style { line_end, checked: false, human: false, aside: false };
        let mut session = Session {
            desk: Some(desk),
            stop,
            journal,
            config,
            lines: LineAssembler::default(),
            keys: Keys::default(),
            after_cr: false,
            output: Output::new(style),
            reading: Reading::Commands,
            loader: None,
            work: None,
            engine: None,
            player: PlayerName::try_from(DEFAULT_PLAYER).unwrap_or_default(),
            by_info: false,
            exact: false,
            time: TimeControl::new(config.latency_us),
            limits: Limits::default(),
            detail: false,
            memory: usize::MAX,
            seed: config.seed,
            clocks: Clocks::default(),
            redo: heapless::Vec::new(),
            info_error: None,
            suggested: false,
            stats: Stats::default(),
            request: None,
            refused: false,
            over: false,
            restored: false,
            revision: 0,
        };
        session.restored = session.restore();
        session
    }

    /// Whether the session goes on with a game that was in the journal.
    #[must_use]
    pub const fn was_restored(&self) -> bool {
        self.restored
    }

    /// A command of the place itself that was asked for. The place obeys it and answers with
    /// [`Session::reply`].
    pub const fn take_request(&mut self) -> Option<Request> {
        self.request.take()
    }

    /// The answer to a [`Request`].
    pub fn reply(&mut self, text: fmt::Arguments<'_>) {
        self.answer(text);
        self.prompt();
    }

    /// Tells the other end something that it did not ask for.
    pub fn announce(&mut self, text: fmt::Arguments<'_>) {
        self.output.style.checked = false;
        self.message(text);
    }

    /// Thinks on after a reset, if it is the engine's turn.
    pub fn resume(&mut self, now_us: u64) {
        let its_turn = self.game().is_some_and(|game| {
            game.outcome().is_none() && self.engine == Some(game.side_to_move())
        });
        if its_turn && self.work.is_none() {
            self.output.style.aside = true;
            self.start(Task::Answer, now_us);
            self.output.style.aside = false;
        }
    }

    /// Takes bytes that came in, and says how many. It takes none while there is something to send
    /// and while a job that was called off still runs: keep the rest and come again.
    pub fn accept(&mut self, bytes: &[u8], now_us: u64) -> usize {
        let mut taken = 0;
        for &byte in bytes {
            if !self.output.is_empty() || self.waits_for_desk() || self.over {
                break;
            }
            taken += 1;
            if self.output.style.human {
                self.key(byte, now_us);
            } else {
                self.after_cr = byte == b'\r';
                self.byte(byte, now_us);
            }
        }
        taken
    }

    /// Tells that bytes were lost or damaged on their way in: the line that they belong to will be
    /// refused.
    pub fn mark_damaged(&mut self) {
        self.lines.mark_damaged();
        // A line feed behind the gap need not belong to a carriage return before it.
        self.after_cr = false;
    }

    /// The next piece to send, valid until the next call; `None` when all is sent.
    pub fn output(&mut self) -> Option<&str> {
        let game = self.desk.as_deref().map(Desk::game);
        self.output.next(game)
    }

    /// Sends all that there is to send.
    ///
    /// # Errors
    /// Those of the sink; what could not be sent is lost.
    pub fn write_to<W: embedded_io::Write>(&mut self, sink: &mut W) -> Result<(), W::Error> {
        while let Some(piece) = self.output() {
            sink.write_all(piece.as_bytes())?;
        }
        Ok(())
    }

    /// A job that is ready to be done, with the desk to do it on. None before all output is sent.
    pub fn take_job(&mut self) -> Option<(Job, &'d mut Desk<'d, M, MOVES, NODES>)> {
        if !self.output.is_empty() {
            return None;
        }
        let work = self.work.as_mut().filter(|work| !work.running)?;
        let desk = self.desk.take()?;
        work.running = true;
        Some((work.job, desk))
    }

    /// Brings the desk back from a job.
    pub fn finish(
        &mut self,
        desk: &'d mut Desk<'d, M, MOVES, NODES>,
        finding: Finding,
        now_us: u64,
    ) {
        self.desk = Some(desk);
        let Some(work) = self.work.take() else { return };
        self.output.style.checked = work.checked;
        self.output.style.aside = work.aside;
        self.note_time(&work, &finding, now_us);
        match work.instead {
            Some(Instead::End) => self.end(),
            Some(Instead::New { spec, by_info }) => self.new_game(spec, by_info),
            Some(Instead::Restart) => self.restart(),
            None => self.conclude(&work, finding, now_us),
        }
        self.prompt();
    }

    /// Tells the other end what a running job has found so far, if it wants to know.
    pub fn found(&mut self, interim: &Interim<'_>) {
        let Some(work) = self.work.filter(|work| work.instead.is_none()) else { return };
        let Interim { spec, value, depth, nodes, line } = *interim;
        self.output.style.checked = work.checked;
        self.tell_found(spec, (value, false), (depth, nodes), line);
    }

    /// Does what somebody at the board wants, who has a button instead of a line to type on. The
    /// other end is told in messages. `false` if it has to wait: send all output and try again.
    pub fn order(&mut self, order: &Order, now_us: u64) -> bool {
        if !self.output.is_empty() || self.waits_for_desk() {
            return false;
        }
        self.output.style.checked = false;
        self.output.style.aside = true;
        self.refused = false;
        self.overtake();
        self.obey(order, now_us);
        self.output.style.aside = false;
        self.prompt();
        true
    }

    /// Whether `END` was received: nothing more to read or to say. A board that cannot go away
    /// calls [`Session::reopen`].
    #[must_use]
    pub const fn is_over(&self) -> bool {
        self.over
    }

    /// Goes on after `END`, with the game as it is.
    pub const fn reopen(&mut self) {
        self.over = false;
    }

    /// Whether a person is at the other end.
    #[must_use]
    pub const fn is_human(&self) -> bool {
        self.output.style.human
    }

    /// The game, unless it is being thought about.
    #[must_use]
    pub fn game(&self) -> Option<&M::Game> {
        self.desk.as_deref().map(Desk::game)
    }

    /// The side that the engine plays, if that is settled.
    #[must_use]
    pub const fn engine_side(&self) -> Option<Side> {
        self.engine
    }

    /// Who plays for the engine.
    #[must_use]
    pub fn player(&self) -> &str {
        &self.player
    }

    /// Whether the last thing that was asked for was impossible.
    #[must_use]
    pub const fn was_refused(&self) -> bool {
        self.refused
    }

    /// Whether a job runs or is about to.
    #[must_use]
    pub const fn is_thinking(&self) -> bool {
        self.work.is_some()
    }

    /// A number that changes whenever the game, the sides or the player do.
    #[must_use]
    pub const fn revision(&self) -> u32 {
        self.revision
    }

    /// Counters since the start.
    #[must_use]
    pub const fn stats(&self) -> Stats {
        self.stats
    }

    /// A job was called off, and what comes instead needs the desk.
    fn waits_for_desk(&self) -> bool {
        self.work.is_some_and(|work| work.instead.is_some())
    }

    /// A byte from a person's terminal.
    fn key(&mut self, byte: u8, now_us: u64) {
        let skip = core::mem::replace(&mut self.after_cr, byte == b'\r') && byte == b'\n';
        if skip {
            return;
        }
        match self.keys.read(byte) {
            Key::Byte(b'\r' | b'\n') => {
                self.echo(self.config.line_end);
                if self.lines.is_empty() {
                    self.prompt();
                } else {
                    self.byte(b'\n', now_us);
                }
            }
            Key::Byte(byte) => {
                // A byte of text is ASCII here, and one character.
                if let Ok(echo) = core::str::from_utf8(&[byte]) {
                    self.echo(echo);
                }
                self.byte(byte, now_us);
            }
            Key::Erase => {
                if self.lines.erase() {
                    self.echo("\u{8} \u{8}");
                }
            }
            Key::EraseLine => self.drop_line(),
            Key::Interrupt if self.is_thinking() => self.stop.set(),
            Key::Interrupt => self.drop_line(),
            Key::Ignored => {}
        }
    }

    /// Shows a person what he typed.
    fn echo(&mut self, text: &str) {
        if self.config.echo {
            self.output.text(text);
        }
    }

    /// Forgets the line that a person was typing.
    fn drop_line(&mut self) {
        self.lines.erase_line();
        self.give_up_loading();
        self.output.text(self.config.line_end);
        self.prompt();
    }

    /// A byte of a line.
    fn byte(&mut self, byte: u8, now_us: u64) {
        match self.lines.push(byte) {
            Event::Pending => {}
            Event::Word => {
                // Whoever loads a game has given the position up whose stones were coming.
                self.reading = Reading::Commands;
                let loader = self.loader.get_or_insert_with(Loader::new);
                let desk = self.desk.as_deref_mut().filter(|_| self.work.is_none());
                loader.word(self.lines.text(), desk);
            }
            event => {
                self.stats.lines = self.stats.lines.saturating_add(1);
                self.output.style.checked = self.lines.was_checked();
                self.output.style.aside = false;
                self.refused = false;
                match event {
                    Event::Bad(damage) => {
                        self.give_up_loading();
                        self.stats.damaged = self.stats.damaged.saturating_add(1);
                        self.refuse(format_args!("{damage}"));
                    }
                    Event::LastWord => self.load(),
                    _ => {
                        // The line moves out of the assembler, so that the command can be obeyed.
                        let line = heapless::String::<MAX_LINE>::try_from(self.lines.text());
                        self.line(line.as_deref().unwrap_or(""), now_us);
                    }
                }
                self.prompt();
            }
        }
    }

    /// Sets a job up. Its clock runs from now.
    fn start(&mut self, task: Task, now_us: u64) {
        self.stop.clear();
        if let Some(desk) = self.desk.as_deref_mut() {
            desk.limit_table(self.memory);
        }
        let limits = self.job_limits(now_us);
        self.work = Some(Work {
            job: Job { task, limits },
            started_us: now_us,
            running: false,
            checked: self.output.style.checked,
            aside: self.output.style.aside,
            instead: None,
        });
        if self.is_human() && task != Task::Bench {
            self.output.line(
                crate::protocol::output::Kind::Answer,
                format_args!("Thinking ... (STOP or Ctrl-C: now)"),
            );
        }
    }

    fn job_limits(&self, now_us: u64) -> Limits {
        let plies = self.game().map_or(0, Game::plies_left);
        let budget_us = self.time.budget_us(plies.div_ceil(2));
        Limits { deadline_us: Some(now_us.saturating_add(budget_us)), ..self.limits }
    }

    /// Charges the time of a job to the engine.
    fn note_time(&mut self, work: &Work, finding: &Finding, now_us: u64) {
        let took_us = now_us.saturating_sub(work.started_us);
        let nodes = match finding {
            Finding::Move(decision) => decision.map_or(0, |decision| decision.nodes),
            Finding::Worth(report) => report.as_ref().map_or(0, |report| report.nodes),
            Finding::Speed { nodes, .. } => *nodes,
            Finding::Opening(_) => 0,
        };
        let stats = &mut self.stats;
        stats.nodes = stats.nodes.saturating_add(nodes);
        stats.thinking_ms = stats.thinking_ms.saturating_add(took_us / 1_000);
        stats.longest_us = stats.longest_us.max(took_us);
        if let Some(deadline_us) = work.job.limits.deadline_us {
            stats.late_us = stats.late_us.max(now_us.saturating_sub(deadline_us));
        }
        if matches!(work.job.task, Task::Answer | Task::Swap2) {
            self.time.charge(took_us);
        }
    }
}
