//! What goes into a search and what comes out of it, in plain values.

use crate::game::Move;
use crate::score::{Score, Value};
use crate::spec::GameSpec;

/// The one seam between the engine and the world: a clock, a stop signal, and an ear for what a
/// search has found so far.
///
/// The search asks at every node or every few nodes, so both must be cheap: on the chip a timer register and a
/// flag, on a PC a flag and, at every few calls, the system's clock.
pub trait Clock {
    /// Microseconds since some fixed moment. May jump or stand still; the search only compares.
    fn now_us(&self) -> u64;

    /// Whether somebody wants the answer now.
    fn should_stop(&self) -> bool {
        false
    }

    /// What the search has found after another complete depth. Few listen.
    fn found(&self, interim: &Interim<'_>) {
        let _ = interim;
    }
}

/// What a search that goes on has found so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interim<'a> {
    /// The game, to read the moves by.
    pub spec: GameSpec,
    /// The value of the position for the side to move.
    pub value: Value,
    /// The last iteration that was completed.
    pub depth: u32,
    /// Nodes visited.
    pub nodes: u64,
    /// The expected course of the game.
    pub line: &'a [Move],
}

impl<T: Clock + ?Sized> Clock for &T {
    fn now_us(&self) -> u64 {
        (**self).now_us()
    }

    fn should_stop(&self) -> bool {
        (**self).should_stop()
    }

    fn found(&self, interim: &Interim<'_>) {
        (**self).found(interim);
    }
}

/// A clock that stands still and never stops a search: for limits other than time.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoClock;

impl Clock for NoClock {
    fn now_us(&self) -> u64 {
        0
    }
}

/// When a search ends; whichever comes first. The default has no limit at all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The moment, on the [`Clock`], at which the answer must be there.
    pub deadline_us: Option<u64>,
    /// The most nodes to visit.
    pub nodes: Option<u64>,
    /// The deepest iteration to run.
    pub depth: Option<u32>,
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Nothing more to find out: the value is exact, or only one move was worth a look.
    Complete,
    /// The depth limit was reached.
    Depth,
    /// The node limit was reached.
    Nodes,
    /// The deadline passed or the stop signal was set.
    Stopped,
}

/// How many moves of the expected course of the game are kept.
pub const LINE_CAPACITY: usize = 24;

/// The expected course of the game, the best move first.
pub type Line = heapless::Vec<Move, LINE_CAPACITY>;

/// How the transposition table was used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TableUse {
    /// Positions looked up.
    pub probes: u64,
    /// Positions found.
    pub hits: u64,
    /// Positions written.
    pub stores: u64,
    /// Entries in use by this search, in thousandths of the table.
    pub full_permille: u32,
}

/// What a search found.
#[derive(Clone, Debug)]
pub struct Report {
    /// The best move found. Legal, whatever the limits were.
    pub best: Move,
    /// The value of the position for the side to move.
    pub value: Value,
    /// The same as a number; see [`crate::score`].
    pub score: Score,
    /// Whether the value is proved: no move that could matter was left out on the way to it.
    pub proved: bool,
    /// The last iteration that was completed.
    pub depth: u32,
    /// Nodes visited.
    pub nodes: u64,
    /// The expected course of the game.
    pub line: Line,
    /// How the table was used.
    pub table: TableUse,
    /// Why the search ended.
    pub ending: Ending,
}

/// How much a solver must find out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// Only a move that does not lose, if there is one.
    Safety,
    /// Only who wins.
    Outcome,
    /// Also when, or in bricks by how much.
    Exact,
}

/// What a solver knows of a position at the end, or so far.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The score for the side to move lies between these two, inclusive.
    pub low: Score,
    /// See `low`.
    pub high: Score,
    /// The value if it is known as well as the goal asked: with [`Goal::Safety`], only if it came
    /// to light on the way. With [`Goal::Outcome`] the distance in
    /// a win or loss is an upper bound, and a margin has only its sign right.
    pub value: Option<Value>,
    /// A move that keeps the value, if one is known.
    pub best: Option<Move>,
    /// The expected course of the game.
    pub line: Line,
    /// Nodes visited.
    pub nodes: u64,
    /// How the table was used.
    pub table: TableUse,
    /// Why the solver ended.
    pub ending: Ending,
}
