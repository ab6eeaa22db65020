//! The desk: all that thinking needs, in one place that can be handed over.
//!
//! Game, player, table and workspace are large and exist once. While nobody thinks, the session has
//! them; while a job runs, whoever runs it has them, and the session goes on talking without. That
//! is ownership, not locking: a reference to the desk is moved to and fro.

use core::cell::Cell;
use core::sync::atomic::{AtomicBool, Ordering};

use super::memory::Memory;
use super::swap2::{self, Proposal};
use crate::game::{Game, Move};
use crate::players::cadrega::CADREGA_NODES;
use crate::players::registry::{PlayerError, SizedPlayer};
use crate::players::tavola::{MAX_LEVEL, Tavola};
use crate::players::{Decision, Player, Tools, next_legal};
use crate::search::report::{Clock, Goal, Interim, Limits, Report};
use crate::search::table::scratch::Scratch;
use crate::search::table::{Bucket, Table};
use crate::search::{DEFAULT_MOVE_STACK, Options, Workspace, search, solve};
use crate::spec::{GameSpec, SpecError};

/// A wish to have the answer now, set by anybody and seen by the search.
#[derive(Debug, Default)]
pub struct StopFlag(AtomicBool);

impl StopFlag {
    /// Nobody wishes anything.
    #[must_use]
    pub const fn new() -> StopFlag {
        StopFlag(AtomicBool::new(false))
    }

    /// The answer is wanted now.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// It is not, any more.
    pub fn clear(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Whether it is.
    #[must_use]
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// What is to be found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// The player's move, to be played.
    Answer,
    /// A good move for somebody else.
    Hint,
    /// What the position is worth.
    Eval,
    /// How fast the search is.
    Bench,
    /// An opening by the swap2 rule.
    Swap2,
}

/// Something to think about, together with the desk that it comes with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Job {
    /// What is to be found out.
    pub task: Task,
    /// When to be done. The deadline is on the clock by which the session is told the time.
    pub limits: Limits,
}

/// What came out of a job.
#[allow(clippy::large_enum_variant)] // There is no heap, and one exists at a time.
#[derive(Clone, Debug)]
pub enum Finding {
    /// A move; `None` only if the game is over.
    Move(Option<Decision>),
    /// What the position is worth; `None` only if the game is over.
    Worth(Option<Report>),
    /// A measurement.
    Speed {
        /// Nodes visited.
        nodes: u64,
        /// The last depth completed.
        depth: u32,
        /// Time taken.
        elapsed_us: u64,
    },
    /// An answer to a swap2 opening.
    Opening(Proposal),
}

/// Who filled the table. Guesses of one player mean nothing to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TableUser {
    Nobody,
    /// The player whose turn it is.
    Player,
    /// Hints and evaluations.
    Adviser,
}

/// Game, player, table and workspace. `MOVES` is the room for candidate moves, `NODES` what a
/// player may keep from one turn to the next.
#[derive(Debug)]
pub struct Desk<'w, M, const MOVES: usize = DEFAULT_MOVE_STACK, const NODES: usize = CADREGA_NODES>
{
    memory: M,
    player: SizedPlayer<NODES>,
    /// Buckets that may be used for the table.
    allowed: usize,
    age: u8,
    user: TableUser,
    workspace: &'w mut Workspace<MOVES>,
}

impl<'w, M: Memory, const MOVES: usize, const NODES: usize> Desk<'w, M, MOVES, NODES> {
    /// A desk with a game on it, and `tavola` to play.
    #[must_use]
    pub fn new(memory: M, workspace: &'w mut Workspace<MOVES>) -> Self {
        Desk {
            memory,
            player: SizedPlayer::Tavola(Tavola::new(MAX_LEVEL, 0)),
            allowed: usize::MAX,
            age: 0,
            user: TableUser::Nobody,
            workspace,
        }
    }

    /// The game.
    #[must_use]
    pub fn game(&self) -> &M::Game {
        self.memory.game()
    }

    /// The game, to play moves on it.
    pub(super) fn game_mut(&mut self) -> &mut M::Game {
        self.memory.game_mut()
    }

    /// Bytes of table in use.
    #[must_use]
    pub fn table_bytes(&mut self) -> usize {
        let (_, storage) = self.memory.lend();
        match self.allowed.min(storage.len()).checked_ilog2() {
            Some(log) => size_of::<Bucket>() << log,
            None => 0,
        }
    }

    /// Limits the table to this many bytes, or as many as there are.
    pub(super) fn limit_table(&mut self, bytes: usize) {
        let allowed = bytes / size_of::<Bucket>();
        if allowed != self.allowed {
            self.allowed = allowed;
            self.user = TableUser::Nobody;
        }
    }

    /// The empty board of another game. The player stays and may not know it: see
    /// [`Desk::seat`].
    pub(super) fn rebuild(&mut self, spec: GameSpec) -> Result<(), SpecError> {
        self.memory.rebuild(spec)?;
        self.user = TableUser::Nobody;
        Ok(())
    }

    /// Another player; the old one stays if there is no such player for the game.
    pub(super) fn seat(&mut self, name: &str, seed: u64) -> Result<(), PlayerError> {
        self.player = SizedPlayer::new(name, self.game().spec(), seed)?;
        self.user = TableUser::Nobody;
        Ok(())
    }

    /// The game, and the table's memory for other use. The table is empty afterwards.
    pub(super) fn scratch(&mut self) -> (M::Lent<'_>, Scratch<'_>) {
        self.user = TableUser::Nobody;
        let (game, storage) = self.memory.lend();
        (game, Scratch::new(storage))
    }

    /// Does a job. The game is unchanged afterwards. Returns soon after the deadline or the stop
    /// signal, with the best that was found.
    pub fn think(&mut self, job: &Job, clock: &dyn Clock) -> Finding {
        let clock = &Steady::new(clock);
        let user = if job.task == Task::Answer { TableUser::Player } else { TableUser::Adviser };
        let (mut game, storage) = self.memory.lend();
        let allowed = self.allowed.min(storage.len());
        let (storage, _) = storage.split_at_mut(allowed);
        let mut table = Table::resume(storage, self.age);
        if self.user != user || job.task == Task::Bench {
            table.clear();
            self.user = user;
        }
        let limits = job.limits;
        let mut tools = Tools { limits, clock, table: &mut table, workspace: self.workspace };
        let finding = match job.task {
            Task::Answer => Finding::Move(self.player.decide(&mut game, &mut tools)),
            Task::Hint => {
                let mut adviser = SizedPlayer::<0>::Tavola(Tavola::new(MAX_LEVEL, 0));
                Finding::Move(adviser.decide(&mut game, &mut tools))
            }
            Task::Eval => Finding::Worth(evaluate(&mut game, &mut tools)),
            Task::Bench => measure(&mut game, &mut tools),
            Task::Swap2 => Finding::Opening(swap2::propose(&mut game, &mut tools)),
        };
        self.age = table.age();
        finding
    }

    /// A legal move, whatever it is; `None` only if the game is over.
    pub(super) fn any_move(&self) -> Option<Move> {
        next_legal(self.game(), 0)
    }
}

/// After so many looks at a clock that shows the same, it has stopped. A clock of microseconds shows
/// something else at every look or every few.
pub const MOST_STILL_LOOKS: u32 = 1 << 16;

/// A clock for one job, over one that may go wrong. When that goes back (it was set, or its number of
/// bits is at its end) or stands still, nobody can tell when the time is over: the job is to end
/// with what it has. It never shows less than before.
struct Steady<'a> {
    clock: &'a dyn Clock,
    last_us: Cell<u64>,
    still_looks: Cell<u32>,
    failed: Cell<bool>,
}

impl<'a> Steady<'a> {
    fn new(clock: &'a dyn Clock) -> Steady<'a> {
        let last_us = Cell::new(clock.now_us());
        Steady { clock, last_us, still_looks: Cell::new(0), failed: Cell::new(false) }
    }
}

impl Clock for Steady<'_> {
    fn now_us(&self) -> u64 {
        let (now, last) = (self.clock.now_us(), self.last_us.get());
        if now > last {
            self.last_us.set(now);
            self.still_looks.set(0);
            return now;
        }
        let still = self.still_looks.get().saturating_add(1);
        self.still_looks.set(still);
        if now < last || still >= MOST_STILL_LOOKS {
            self.failed.set(true);
        }
        last
    }

    fn should_stop(&self) -> bool {
        self.clock.should_stop() || self.failed.get()
    }

    fn found(&self, interim: &Interim<'_>) {
        self.clock.found(interim);
    }
}

/// The part of the time that goes into a proof, in percent.
const PROOF_SHARE: u64 = 50;

/// A proof if the board is small and one can be had, or else the deepest search.
fn evaluate<G: Game, const MOVES: usize>(
    game: &mut G,
    tools: &mut Tools<'_, '_, MOVES>,
) -> Option<Report> {
    let options = Options::ALL;
    let mut proof_nodes = 0;
    if game.key_bits() <= u64::BITS && game.spec().cells() <= 64 && game.outcome().is_none() {
        let mut limits = tools.share_of_time(PROOF_SHARE);
        limits.nodes = limits.nodes.map(|nodes| nodes / 2);
        let Tools { clock, table, workspace, .. } = tools;
        let solution = solve(game, Goal::Exact, &limits, clock, table, workspace, &mut |_| {});
        if let (Some(value), Some(best)) = (solution.value, solution.best) {
            let line = solution.line;
            let depth = line.len() as u32;
            return Some(Report {
                best,
                value,
                score: solution.low,
                proved: true,
                depth,
                nodes: solution.nodes,
                line,
                table: solution.table,
                ending: solution.ending,
            });
        }
        proof_nodes = solution.nodes;
    }
    let limits = tools.limits;
    let Tools { clock, table, workspace, .. } = tools;
    let limits =
        Limits { nodes: limits.nodes.map(|most| most.saturating_sub(proof_nodes)), ..limits };
    let mut report = search(game, &limits, &options, clock, table, workspace)?;
    report.nodes += proof_nodes;
    Some(report)
}

/// Searches up to the limits and takes the time; on boards with a solver of their own, the solver.
fn measure<G: Game, const MOVES: usize>(game: &mut G, tools: &mut Tools<'_, '_, MOVES>) -> Finding {
    let Tools { limits, clock, table, workspace } = tools;
    let start = clock.now_us();
    let (nodes, depth) = if cfg!(not(feature = "compact")) && game.stacks().is_some() {
        let solution = solve(game, Goal::Exact, limits, clock, table, workspace, &mut |_| {});
        (solution.nodes, 0)
    } else {
        let report = search(game, limits, &Options::ALL, clock, table, workspace);
        report.map_or((0, 0), |report| (report.nodes, report.depth))
    };
    let elapsed_us = clock.now_us().saturating_sub(start);
    Finding::Speed { nodes, depth, elapsed_us }
}
