//! A second copy of the game, outside of what thinking touches.
//!
//! Two things need it. A board that was reset in mid-game goes on where it was: there the journal
//! lies in memory that a reset keeps. And a command that replaces the game on the board and then
//! turns out to be bad has the old game put back from it.
//!
//! A journal is a header, a line of text as in a saved game, and the moves, one byte each in
//! connect and two in the other games.

use crate::game::Move;
use crate::spec::GameSpec;

/// The most bytes of a header.
pub const MAX_HEADER: usize = 176;

/// Somewhere to keep a header and moves. A change is done in one step: whoever reads finds what was
/// there before or after, or nothing, but never a mixture.
pub trait Journal {
    /// Keeps this header, the first `kept` bytes of moves, and these after them. `false` if there
    /// is no room; then nothing is kept any more.
    fn write(&mut self, header: &str, kept: usize, moves: &[u8]) -> bool;

    /// The header and the moves, if there are any and they are sound.
    fn read(&self) -> Option<(&str, &[u8])>;
}

/// A journal in plain memory, with room for this many bytes of moves.
#[derive(Clone, Debug, Default)]
pub struct MemoryJournal<const BYTES: usize> {
    header: heapless::String<MAX_HEADER>,
    moves: heapless::Vec<u8, BYTES>,
}

impl<const BYTES: usize> MemoryJournal<BYTES> {
    /// Nothing is kept yet.
    #[must_use]
    pub const fn new() -> Self {
        MemoryJournal { header: heapless::String::new(), moves: heapless::Vec::new() }
    }
}

impl<const BYTES: usize> Journal for MemoryJournal<BYTES> {
    fn write(&mut self, header: &str, kept: usize, moves: &[u8]) -> bool {
        self.header.clear();
        self.moves.truncate(kept);
        let fits =
            self.moves.extend_from_slice(moves).is_ok() && self.header.push_str(header).is_ok();
        if !fits {
            self.header.clear();
        }
        fits
    }

    fn read(&self) -> Option<(&str, &[u8])> {
        (!self.header.is_empty()).then_some((&self.header, &self.moves))
    }
}

/// Bytes that a move of this game takes.
#[must_use]
pub const fn move_bytes(spec: GameSpec) -> usize {
    match spec {
        GameSpec::Connect { .. } => 1,
        GameSpec::Mnk { .. } | GameSpec::Bricks { .. } => 2,
    }
}

/// The bytes of a move: the first [`move_bytes`] of these.
#[must_use]
pub const fn encode(mv: Move) -> [u8; 2] {
    (mv.index() as u16).to_le_bytes()
}

/// The move in these bytes.
#[must_use]
pub fn decode(bytes: &[u8]) -> Move {
    Move::new(bytes.iter().rev().fold(0, |number, &byte| number << 8 | usize::from(byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_come_back() {
        for index in [0, 1, 99, 255, 256, 4_899] {
            assert_eq!(decode(&encode(Move::new(index))), Move::new(index));
        }
        assert_eq!(decode(&encode(Move::new(99))[..1]), Move::new(99));
    }

    #[test]
    fn what_is_kept_is_cut_and_continued() {
        let mut journal = MemoryJournal::<4>::new();
        assert_eq!(journal.read(), None);
        assert!(journal.write("a", 0, &[1, 2, 3]));
        assert!(journal.write("b", 2, &[4]));
        assert_eq!(journal.read(), Some(("b", &[1, 2, 4][..])));
        assert!(!journal.write("c", 3, &[5, 6]));
        assert_eq!(journal.read(), None);
    }
}
