//! Players: who decides on a move, and by what means.
//!
//! A [`Player`] gets a position and [`Tools`] (limits, clock, table, workspace) and gives back a
//! [`Decision`]. Each system of the source documents is a player in a file of its own, which holds
//! what is its own: evaluation, candidate moves, order, use of time, opening. The alpha-beta, the
//! table and the deadline are those of [`crate::search`]; [`styled`] lends them a player's own view
//! of a game.
//!
//! [`registry`] makes players from text such as `jfin5:30,4,11,5,1,2`.

pub mod aipvs;
pub mod bricks;
pub mod cadrega;
pub mod competitive;
pub mod lavahound;
pub mod oneply;
pub mod random;
pub mod registry;
pub mod styled;
pub mod tavola;
mod windows;

use core::fmt;

use crate::game::{Game, Move};
use crate::score::Value;
use crate::search::report::{Clock, Limits, Report};
use crate::search::table::Table;
use crate::search::{DEFAULT_MOVE_STACK, Workspace};

/// Why a player chose its move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// A rule said so without looking further: an opening move, the only move, a win at once.
    Rule,
    /// It looked best at first sight.
    Heuristic,
    /// It came out of a search of this depth.
    Depth(u32),
    /// It is proved to be best.
    Proved,
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Why::Rule => f.write_str("rule"),
            Why::Heuristic => f.write_str("heuristic"),
            Why::Depth(depth) => write!(f, "depth {depth}"),
            Why::Proved => f.write_str("proved"),
        }
    }
}

/// What a player decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The move. Always legal.
    pub best: Move,
    /// What the player thinks of the position, for the side to move, if it has an opinion.
    pub value: Option<Value>,
    /// Why this move.
    pub why: Why,
    /// Nodes visited.
    pub nodes: u64,
}

impl Decision {
    /// A move that needed no search.
    #[must_use]
    pub const fn at_once(best: Move, why: Why) -> Decision {
        Decision { best, value: None, why, nodes: 0 }
    }
}

impl From<&Report> for Decision {
    fn from(report: &Report) -> Decision {
        Decision {
            best: report.best,
            value: Some(report.value),
            why: match (report.proved, report.depth) {
                (true, _) => Why::Proved,
                (false, 0) => Why::Heuristic,
                (false, depth) => Why::Depth(depth),
            },
            nodes: report.nodes,
        }
    }
}

/// What a player may use to decide: when to be done, and memory.
pub struct Tools<'a, 't, const MOVES: usize = DEFAULT_MOVE_STACK> {
    /// When to be done.
    pub limits: Limits,
    /// The time and the stop signal.
    pub clock: &'a dyn Clock,
    /// The transposition table.
    pub table: &'a mut Table<'t>,
    /// The search's workspace.
    pub workspace: &'a mut Workspace<MOVES>,
}

impl<const MOVES: usize> Tools<'_, '_, MOVES> {
    /// The limits with only a share of the time that is left, in percent.
    #[must_use]
    pub fn share_of_time(&self, percent: u64) -> Limits {
        let now = self.clock.now_us();
        let deadline_us = self.limits.deadline_us.map(|deadline| {
            let left = deadline.saturating_sub(now);
            now.saturating_add(left / 100 * percent + left % 100 * percent / 100)
        });
        Limits { deadline_us, ..self.limits }
    }

    /// Whether the answer is due: the deadline has passed or somebody wants it now. For players
    /// that work outside the search; they ask at least once per [`POLL_WORK`] cells looked at.
    #[must_use]
    pub fn time_is_up(&self) -> bool {
        self.clock.should_stop()
            || self.limits.deadline_us.is_some_and(|deadline| self.clock.now_us() >= deadline)
    }
}

/// The most cells that a player looks at between two looks at the clock.
pub const POLL_WORK: usize = 10_000;

/// Somebody who decides on moves. May remember things from one turn to the next.
pub trait Player {
    /// Decides on a move of the position, which is unchanged afterwards. `None` only if the game
    /// is over. The move is legal whatever the limits are.
    fn decide<G: Game, const MOVES: usize>(
        &mut self,
        game: &mut G,
        tools: &mut Tools<'_, '_, MOVES>,
    ) -> Option<Decision>;
}

/// The legal move with the lowest number that is at least `from`.
pub fn next_legal<G: Game>(game: &G, from: usize) -> Option<Move> {
    (from..game.spec().move_numbers()).map(Move::new).find(|&mv| game.check(mv).is_ok())
}

/// The move after which `value` (for the side that moved) is greatest, and that value; among
/// equals the one with the lowest number. Stops early when the time is up, but not before the
/// first move. Every move counts as a node.
pub fn greedy<G: Game, const MOVES: usize>(
    game: &mut G,
    tools: &Tools<'_, '_, MOVES>,
    mut value: impl FnMut(&mut G) -> i64,
) -> Option<Decision> {
    let mut best: Option<(Move, i64)> = None;
    let mut nodes = 0;
    let mut from = 0;
    while let Some(mv) = next_legal(game, from) {
        if best.is_some() && tools.time_is_up() {
            break;
        }
        from = mv.index() + 1;
        nodes += 1;
        game.make(mv);
        let value = value(game);
        game.unmake();
        if best.is_none_or(|(_, most)| value > most) {
            best = Some((mv, value));
        }
    }
    let (best, value) = best?;
    let value = Some(Value::Heuristic(crate::score::clamp_heuristic(value)));
    Some(Decision { best, value, why: Why::Heuristic, nodes })
}
