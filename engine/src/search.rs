//! Search: a position and limits in, a [`report::Report`] out.
//!
//! ```text
//! search   deepens step by step until a limit is reached      (deepening.rs)
//! solve    proves an exact value with yes-or-no questions     (solver.rs)
//! hunt     looks for wins by threats only                     (hunt.rs)
//!    in Connect X by a search of its own                       (connect.rs)
//!    else both call one principal-variation alpha-beta         (alphabeta.rs)
//!    over the transposition table                              (table.rs)
//!    and one shared stack of candidate moves                   (ordering.rs)
//! ```
//!
//! # Bounds
//! - Recursion is at most [`MAX_DEPTH`] levels deep. At that depth, and when the move stack is
//!   full, a node is valued statically as if the depth were used up.
//! - The stop signal is looked at on every node, the clock on every node of a large board and on
//!   every [`SMALL_BOARD_POLL`] nodes of a board that fits in 64 bits; the work of a node grows with the number of candidate moves
//!   and the length of a line, not with the board.
//! - The position is changed in place and is the same afterwards, also after an abort.

mod alphabeta;
#[cfg(not(feature = "compact"))]
pub mod connect;
mod deepening;
#[cfg(not(feature = "compact"))]
pub mod hunt;
pub mod ordering;
pub mod report;
mod solver;
pub mod table;

pub use deepening::{search, search_to_depth};
#[cfg(not(feature = "compact"))]
pub use solver::solve_without;
pub use solver::{Progress, solve};

use crate::game::Move;
use ordering::Candidate;
use report::{LINE_CAPACITY, Line};

/// The deepest that a search looks, in plies: a full board of 64 cells, or half of it where there is
/// little stack.
pub const MAX_DEPTH: usize = if cfg!(feature = "compact") { 32 } else { 64 };
/// How many nodes of a small board pass between two looks at the clock.
pub const SMALL_BOARD_POLL: u64 = 16;
/// Positions with more stones than this are not looked at for symmetry.
pub const SYMMETRY_MAX_PLY: usize = 8;
/// Candidates that the move stack of the default workspace holds.
pub const DEFAULT_MOVE_STACK: usize = 8_192;
/// Slots for the history of good moves, per side. Moves share slots on large boards.
pub const HISTORY_SLOTS: usize = if cfg!(feature = "compact") { 128 } else { 512 };

/// The parts of the search, each of which can be switched off to see what it is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Remember positions in the transposition table.
    pub table: bool,
    /// Leave out what cannot change the result. Without it the search is plain minimax.
    pub prune: bool,
    /// Order moves by what the game says of them.
    pub static_order: bool,
    /// Order moves by the table, killers and history.
    pub learned_order: bool,
    /// Take a win in one, block a threat, see a double threat.
    pub tactics: bool,
    /// Use bounds that follow without search, such as dead lines.
    pub bounds: bool,
    /// Take positions that differ by a symmetry for the same near the start of a game.
    pub symmetry: bool,
    /// Search moves after the first with a null window.
    pub null_window: bool,
    /// Start an iteration with a narrow window around the last score.
    pub aspiration: bool,
    /// Do not count forced replies against the depth.
    pub extend_forced: bool,
    /// See that two threats at once win, and answer only what meets them.
    pub threats: bool,
    /// Search late moves less deep, unless they turn out well.
    pub reduce: bool,
    /// Near the horizon, believe a look that promises much more than is asked for.
    pub believe: bool,
    /// Near the horizon, try only the first moves.
    pub narrow: bool,
}

impl Options {
    /// Everything on.
    pub const ALL: Options = Options {
        table: true,
        prune: true,
        static_order: true,
        learned_order: true,
        tactics: true,
        bounds: true,
        symmetry: true,
        null_window: true,
        aspiration: true,
        extend_forced: true,
        threats: true,
        reduce: true,
        believe: true,
        narrow: true,
    };

    /// Plain alpha-beta, moves in the order of their numbers: everything off but pruning.
    pub const NONE: Options = Options {
        table: false,
        prune: true,
        static_order: false,
        learned_order: false,
        tactics: false,
        bounds: false,
        symmetry: false,
        null_window: false,
        aspiration: false,
        extend_forced: false,
        threats: false,
        reduce: false,
        believe: false,
        narrow: false,
    };
}

impl Default for Options {
    fn default() -> Options {
        Options::ALL
    }
}

/// The memory that a search works in, besides the table: about `4 * MOVES` bytes and 4 KiB.
/// It is handed in so that it can live where there is room, and may be used again.
#[derive(Clone, Debug)]
pub struct Workspace<const MOVES: usize = DEFAULT_MOVE_STACK> {
    moves: [Candidate; MOVES],
    memory: Memory,
}

impl<const MOVES: usize> Workspace<MOVES> {
    /// An empty workspace.
    #[must_use]
    pub const fn new() -> Self {
        Workspace {
            moves: [Candidate::NONE; MOVES],
            memory: Memory {
                killers: [[None; 2]; MAX_DEPTH + 1],
                history: [[0; HISTORY_SLOTS]; 2],
                lines: [const { Line::new() }; LINE_CAPACITY],
            },
        }
    }
}

impl<const MOVES: usize> Default for Workspace<MOVES> {
    fn default() -> Self {
        Self::new()
    }
}

/// What a search learns about moves on its way.
#[derive(Clone, Debug)]
struct Memory {
    /// Deeds that ended the search of a sister node, per height above the root.
    killers: [[Option<u16>; 2]; MAX_DEPTH + 1],
    /// How often a deed ended the search of a node, per side.
    history: [[u16; HISTORY_SLOTS]; 2],
    /// The best line from each height on, as far as it is kept.
    lines: [Line; LINE_CAPACITY],
}

impl Memory {
    /// Forgets what belongs to another position.
    fn reset(&mut self) {
        self.killers = [[None; 2]; MAX_DEPTH + 1];
        self.history = [[0; HISTORY_SLOTS]; 2];
        self.clear_line(0);
    }

    /// The line from this height on is not known.
    fn clear_line(&mut self, height: usize) {
        if let Some(line) = self.lines.get_mut(height) {
            line.clear();
        }
    }

    /// The line from this height on is `mv` and then the line one above.
    fn set_line(&mut self, height: usize, mv: Move) {
        let Some((below, above)) = self.lines.split_at_mut_checked(height + 1) else { return };
        let Some(line) = below.last_mut() else { return };
        line.clear();
        let _ = line.push(mv);
        if let Some(rest) = above.first() {
            // The last moves are dropped when the line is full.
            let _ = rest.iter().try_for_each(|&next| line.push(next));
        }
    }

    fn remember_cutoff(&mut self, height: usize, side: usize, deed: usize, depth: u32) {
        if let Some(killers) = self.killers.get_mut(height)
            && killers[0] != Some(deed as u16)
        {
            killers[1] = killers[0];
            killers[0] = Some(deed as u16);
        }
        let slot = &mut self.history[side][deed % HISTORY_SLOTS];
        *slot = slot.saturating_add((depth * depth).clamp(1, 400) as u16);
        if *slot > HISTORY_LIMIT {
            self.history[side].iter_mut().for_each(|value| *value /= 2);
        }
    }
}

/// History values are halved when one passes this.
const HISTORY_LIMIT: u16 = 16_000;
