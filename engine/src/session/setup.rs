//! Putting stones on the board as a whole, or leaving everything as it was.
//!
//! Stones are collected in the table's memory ([`Scratch`](crate::search::table::scratch)) and
//! played only when all of them have come. If the rules refuse one, the caller puts the old game
//! back from the journal.

use core::fmt;

use super::desk::Desk;
use super::memory::Memory;
use crate::game::{Game, IllegalMove, Move, Side};

/// Why stones were not put on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetupError {
    /// There is no memory for so many stones.
    TooMany {
        /// How many there is room for.
        room: usize,
    },
    /// The rules do not allow a stone.
    Move {
        /// Which, counted from 1.
        number: usize,
        /// Why.
        why: IllegalMove,
    },
    /// The game is over afterwards, and that was not asked for.
    Over,
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetupError::TooMany { room } => write!(f, "too many stones: there is room for {room}"),
            SetupError::Move { number, why } => write!(f, "move {number}: {why}"),
            SetupError::Over => f.write_str("the game is over in this position"),
        }
    }
}

/// Stones on their way to the board: in the table's memory, so that the table is lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Collected {
    count: usize,
}

/// The bit of a collected number that says which of two sides a stone belongs to.
const SECOND_OWNER: u16 = 1 << 15;

impl Collected {
    /// How many there are.
    #[must_use]
    pub const fn count(self) -> usize {
        self.count
    }

    /// Collects a stone.
    ///
    /// # Errors
    /// The memory is full.
    pub fn push<M: Memory, const MOVES: usize, const NODES: usize>(
        &mut self,
        desk: &mut Desk<'_, M, MOVES, NODES>,
        mv: Move,
        owner: Side,
    ) -> Result<(), SetupError> {
        let (_, mut scratch) = desk.scratch();
        let owner = if owner == Side::Second { SECOND_OWNER } else { 0 };
        if !scratch.set(self.count, mv.index() as u16 | owner) {
            return Err(SetupError::TooMany { room: self.count });
        }
        self.count += 1;
        Ok(())
    }

    /// Plays the stones on the emptied board, in an order in which the sides alternate, beginning
    /// with `first_owner`. There are as many of both owners, or one more of that one.
    ///
    /// # Errors
    /// A stone is not legal, or the game is over then and may not be. The board is in an
    /// unspecified state and has to be put back.
    pub fn place<M: Memory, const MOVES: usize, const NODES: usize>(
        self,
        desk: &mut Desk<'_, M, MOVES, NODES>,
        first_owner: Side,
        may_be_over: bool,
    ) -> Result<(), SetupError> {
        let (mut game, scratch) = desk.scratch();
        while game.ply() > 0 {
            game.unmake();
        }
        // Where to look for the next stone of each side.
        let mut next = [0; 2];
        for n in 0..self.count {
            let owner = if Side::at_ply(n) == first_owner { 0 } else { SECOND_OWNER };
            let at = &mut next[n % 2];
            while *at < self.count && scratch.get(*at) & SECOND_OWNER != owner {
                *at += 1;
            }
            let mv = Move::new(usize::from(scratch.get(*at) & !SECOND_OWNER));
            *at += 1;
            game.try_play(mv).map_err(|why| SetupError::Move { number: n + 1, why })?;
        }
        if !may_be_over && game.outcome().is_some() {
            return Err(SetupError::Over);
        }
        Ok(())
    }
}
