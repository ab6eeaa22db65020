//! What a game is to the search: one trait, and the few types that all games share.
//!
//! A position is a plain value of fixed size. It is changed in place by [`Game::make`] and put
//! back by [`Game::unmake`], which restores it bit for bit; the moves played are part of it, so
//! there is no undo record for a caller to keep.

pub mod any;
pub mod bricks;
pub mod connect;
pub mod keys;
pub mod line;
pub mod mnk;

use core::fmt;

use crate::score::{Score, loss_at};
use crate::search::ordering::MoveSink;
use crate::spec::GameSpec;

/// One of the two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Side {
    /// The player who moves first (in bricks: red).
    First = 0,
    /// The player who moves second (in bricks: green).
    Second = 1,
}

impl Side {
    /// Both sides, in the order in which they move.
    pub const BOTH: [Side; 2] = [Side::First, Side::Second];

    /// The opponent.
    #[must_use]
    pub const fn other(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }

    /// 0 for the first player, 1 for the second: for indexing pairs.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The side that moves when `ply` moves have been played.
    #[must_use]
    pub const fn at_ply(ply: usize) -> Side {
        if ply.is_multiple_of(2) { Side::First } else { Side::Second }
    }
}

/// How a finished game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// This side won.
    Win(Side),
    /// Nobody won.
    Draw,
}

/// A move of any game, packed into [`Move::BITS`] bits.
///
/// What the number means is the game's affair: mnk, the cell (`row * cols + col`); connect, the
/// column; bricks, the upper or left cell of a horizontal brick, or that plus the number of cells
/// for a vertical one. [`crate::notation`] turns moves into text and back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u16);

impl Move {
    /// Bits that a move takes when packed: enough for the 4,900 cells of the largest mnk board.
    pub const BITS: u32 = 13;
    /// The largest number of different moves of any game.
    pub const LIMIT: usize = 1 << Self::BITS;

    /// The move with this number. Bits beyond [`Move::BITS`] are dropped.
    #[must_use]
    pub const fn new(index: usize) -> Move {
        Move((index & (Self::LIMIT - 1)) as u16)
    }

    /// The move's number, below [`Move::LIMIT`].
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A move that the rules do not allow here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IllegalMove {
    /// The game has ended.
    GameOver,
    /// The move lies outside the board.
    OutsideBoard,
    /// The cell, column or place is taken.
    Occupied,
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            IllegalMove::GameOver => "the game is over",
            IllegalMove::OutsideBoard => "that is outside the board",
            IllegalMove::Occupied => "that place is taken",
        })
    }
}

impl core::error::Error for IllegalMove {}

/// What a side to move can see one move ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tactics {
    /// This move wins at once.
    Win(Move),
    /// The opponent threatens to win at once, in one place only: this move is the only one that
    /// does not lose.
    Forced(Move),
    /// The opponent threatens to win in several places: the game is lost in two plies. The move
    /// takes one of the places.
    Lost(Move),
    /// Nothing is decided within two plies, as far as a cheap look tells.
    Quiet,
}

/// How much work [`Game::bounds`] may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effort {
    /// Only what is kept up to date anyway.
    Cheap,
    /// Arguments that cost as much as a few dozen moves, such as a pairing strategy.
    Thorough,
}

/// A symmetry of the square: an optional transposition, then optional mirrorings.
///
/// The number's bits mean: 1 mirror the columns, 2 mirror the rows, 4 transpose first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Symmetry(u8);

impl Symmetry {
    /// How many symmetries a square has.
    pub const COUNT: usize = 8;
    /// The symmetry that changes nothing.
    pub const IDENTITY: Symmetry = Symmetry(0);

    /// The symmetry with these three bits.
    #[must_use]
    pub const fn new(bits: u8) -> Symmetry {
        Symmetry(bits & 7)
    }

    /// The three bits.
    #[must_use]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Whether rows become columns.
    #[must_use]
    pub const fn transposes(self) -> bool {
        self.0 & 4 != 0
    }

    /// The symmetry that undoes this one.
    #[must_use]
    pub const fn inverse(self) -> Symmetry {
        // Mirrorings and the transposition undo themselves; after a transposition the two
        // mirrorings change places.
        if self.transposes() {
            Symmetry(4 | ((self.0 & 1) << 1) | ((self.0 >> 1) & 1))
        } else {
            self
        }
    }

    /// Where a cell of a `rows` x `cols` board goes. A transposition is only for square boards.
    #[must_use]
    pub const fn map_cell(
        self,
        (row, col): (usize, usize),
        rows: usize,
        cols: usize,
    ) -> (usize, usize) {
        let (row, col) = if self.transposes() { (col, row) } else { (row, col) };
        (
            if self.0 & 2 != 0 { rows - 1 - row } else { row },
            if self.0 & 1 != 0 { cols - 1 - col } else { col },
        )
    }
}

/// The three kinds of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// (M,N,K).
    Mnk,
    /// Connect X.
    Connect,
    /// Bricks.
    Bricks,
}

/// A game in progress, as the search sees it.
///
/// `make` and `unmake` are the hot path and trust the caller; [`Game::try_play`] checks.
pub trait Game: Sized {
    /// The kind of game, if the type tells. Code for players is compiled only for their kind.
    const FAMILY: Option<Family> = None;

    /// Whether the game knows of threats beyond [`Game::double_threat`]: [`Game::is_threatened`] and
    /// the wishes of a search for threats ([`Wanted`](crate::search::ordering::Wanted)).
    const THREATS: bool = false;

    /// Where the game leaves moves out: how many are tried one, two, ... plies before the horizon; all
    /// of them further away. Moves are then many and mostly quiet, so late ones are also searched less
    /// deep at first. Empty where no move is worth less of a search than another.
    const WIDTHS: &'static [usize] = &[];

    /// Which game this is, and its size.
    fn spec(&self) -> GameSpec;

    /// How many moves have been played.
    fn ply(&self) -> usize;

    /// The moves played so far: number `n` of them, from 0, or `None` beyond the last.
    fn played(&self, n: usize) -> Option<Move>;

    /// Whose stone lies on a cell, `None` if it is empty or outside the board. Cells are numbered
    /// by rows, `row * cols + col`; row 0 is the top row, in connect the bottom one.
    fn stone(&self, cell: usize) -> Option<Side>;

    /// The side to move.
    fn side_to_move(&self) -> Side {
        Side::at_ply(self.ply())
    }

    /// Whether the rules allow `mv` here, and if not, why.
    ///
    /// # Errors
    /// The reason why the move is not allowed.
    fn check(&self, mv: Move) -> Result<(), IllegalMove>;

    /// Plays a move that [`Game::check`] allows. Anything else leaves the position in a valid but
    /// unspecified state; it never panics in a release build.
    fn make(&mut self, mv: Move);

    /// Takes the last move back, restoring the position bit for bit. Does nothing before the
    /// first move.
    fn unmake(&mut self);

    /// Plays a move if the rules allow it; otherwise nothing changes.
    ///
    /// # Errors
    /// The reason why the move is not allowed.
    fn try_play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        self.check(mv)?;
        self.make(mv);
        Ok(())
    }

    /// How the game ended, or `None` while it goes on.
    fn outcome(&self) -> Option<Outcome>;

    /// The exact score of a finished game for the side to move, or `None` while it goes on. Games
    /// without margins are won by the last move.
    fn final_score(&self) -> Option<Score> {
        match self.outcome()? {
            Outcome::Win(_) => Some(loss_at(self.ply())),
            Outcome::Draw => Some(0),
        }
    }

    /// The most plies that can still be played.
    fn plies_left(&self) -> usize;

    /// The position's key, kept up to date move by move. Equal positions have equal keys.
    fn key(&self) -> u64;

    /// How many low bits of [`Game::key`] are in use. Below 64, the key is *exact*: different
    /// positions of this game have different keys below `1 << key_bits`.
    fn key_bits(&self) -> u32;

    /// A guess of the position's score for the side to move, kept up to date move by move;
    /// strictly between [`-HEURISTIC_LIMIT`, `HEURISTIC_LIMIT`](crate::score::HEURISTIC_LIMIT).
    fn evaluate(&self) -> Score;

    /// What the side to move sees one move ahead. Only asked while the game goes on.
    fn tactics(&self) -> Tactics {
        Tactics::Quiet
    }

    /// A move that threatens to win in two places, so that the game is won in three plies. Only
    /// asked where [`Game::tactics`] says `Quiet`.
    fn double_threat(&self) -> Option<Move> {
        None
    }

    /// Whether the opponent could make a double threat if it were to move.
    fn is_threatened(&self) -> bool {
        false
    }

    /// Bounds of the exact score for the side to move that follow without search, as
    /// `(low, high)`. Only bounds that help to leave the window `(alpha, beta)` are worth work.
    /// Only asked where [`Game::tactics`] says `Quiet` or `Forced`, which they may rely on.
    fn bounds(&self, alpha: Score, beta: Score, effort: Effort) -> (Score, Score) {
        let _ = (alpha, beta, effort);
        (-crate::score::INFINITE, crate::score::INFINITE)
    }

    /// Whether nobody can win any more, whatever is played. Where this would take work, the answer is no.
    fn is_dead(&self) -> bool {
        false
    }

    /// Tells whether [`Game::evaluate`] will be asked from now on; at first it is expected. Who values positions in
    /// another way is faster where nothing is kept up to date for it. What it says then is a rougher guess.
    fn expect_evaluation(&mut self, expected: bool) {
        let _ = expected;
    }

    /// Hands the moves worth searching to `sink`, each with a value for ordering (greater is
    /// searched earlier). Only asked while the game goes on, and then hands over one at least.
    /// Where [`Game::tactics`] says `Quiet`, moves that are certainly no better than others may be
    /// left out, unless the sink [wants all](MoveSink::wants_all). If moves that could matter are
    /// left out, it tells the sink.
    fn generate(&self, sink: &mut MoveSink<'_>);

    /// Whether a won position is mostly won soon, so that a solver does well to look for near
    /// wins first.
    fn wins_soon(&self) -> bool {
        false
    }

    /// What a move does, as a number for the history of good moves to share between positions
    /// where the same move number means different things. Any number will do.
    fn deed(&self, mv: Move) -> usize {
        mv.index()
    }

    /// The symmetries of the board, the identity among them, as a bit set over
    /// [`Symmetry::bits`].
    fn symmetries(&self) -> u8 {
        1
    }

    /// The key that this position would have after `symmetry`.
    fn key_under(&self, symmetry: Symmetry) -> u64 {
        debug_assert_eq!(symmetry, Symmetry::IDENTITY);
        self.key()
    }

    /// Where a move goes under `symmetry`.
    fn map_move(&self, mv: Move, symmetry: Symmetry) -> Move {
        debug_assert_eq!(symmetry, Symmetry::IDENTITY);
        mv
    }

    /// The position as the solver of Connect X sees it, if it can.
    fn stacks(&self) -> Option<connect::grid::Stacks> {
        None
    }

    /// Calls the visitor with the concrete game. A wrapper around several games hands on the one
    /// inside, so that a search is compiled for each game and asks once which it is.
    fn dispatch<V: GameVisitor>(&mut self, visitor: V) -> V::Output {
        visitor.visit(self)
    }
}

/// Something to do with a game of any kind; see [`Game::dispatch`].
pub trait GameVisitor {
    /// What comes out of it.
    type Output;

    /// Does it.
    fn visit<G: Game>(self, game: &mut G) -> Self::Output;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_symmetry_is_undone_by_its_inverse() {
        for bits in 0..8 {
            let symmetry = Symmetry::new(bits);
            for row in 0..5 {
                for col in 0..5 {
                    let there = symmetry.map_cell((row, col), 5, 5);
                    assert_eq!(symmetry.inverse().map_cell(there, 5, 5), (row, col));
                }
            }
        }
    }
}
