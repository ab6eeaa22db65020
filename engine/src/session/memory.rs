//! Where the game and the table lie: apart on a PC, in one piece of memory on a chip.

use crate::game::Game;
use crate::game::any::{AnyGame, AnyGameRef, SharedGame};
use crate::search::table::Bucket;
use crate::spec::{GameSpec, SpecError};

/// A game, and memory for a table.
pub trait Memory {
    /// The game.
    type Game: Game;
    /// The game while it is thought about, when the table is in use as well.
    type Lent<'a>: Game
    where
        Self: 'a;

    /// The most cells of an mnk, connect and bricks board.
    const CAPACITIES: [usize; 3];

    /// The game.
    fn game(&self) -> &Self::Game;

    /// The game, to play moves on it.
    fn game_mut(&mut self) -> &mut Self::Game;

    /// Both the game and the table's memory.
    fn lend(&mut self) -> (Self::Lent<'_>, &mut [Bucket]);

    /// The empty board of this game; unchanged if it is too large. What is in the table is
    /// worthless afterwards.
    ///
    /// # Errors
    /// The board is larger than this build holds.
    fn rebuild(&mut self, spec: GameSpec) -> Result<(), SpecError>;
}

impl<M: Memory> Memory for &mut M {
    type Game = M::Game;
    type Lent<'a>
        = M::Lent<'a>
    where
        Self: 'a;

    const CAPACITIES: [usize; 3] = M::CAPACITIES;

    fn game(&self) -> &M::Game {
        (**self).game()
    }

    fn game_mut(&mut self) -> &mut M::Game {
        (**self).game_mut()
    }

    fn lend(&mut self) -> (M::Lent<'_>, &mut [Bucket]) {
        (**self).lend()
    }

    fn rebuild(&mut self, spec: GameSpec) -> Result<(), SpecError> {
        (**self).rebuild(spec)
    }
}

/// A game of its own, and storage of any size for the table.
#[derive(Debug)]
pub struct Apart<'t, G> {
    game: G,
    storage: &'t mut [Bucket],
}

impl<'t, G> Apart<'t, G> {
    /// Both.
    #[must_use]
    pub const fn new(game: G, storage: &'t mut [Bucket]) -> Self {
        Apart { game, storage }
    }
}

impl<const MNK: usize, const CONNECT: usize, const BRICKS: usize> Memory
    for Apart<'_, AnyGame<MNK, CONNECT, BRICKS>>
{
    type Game = AnyGame<MNK, CONNECT, BRICKS>;
    type Lent<'a>
        = &'a mut AnyGame<MNK, CONNECT, BRICKS>
    where
        Self: 'a;

    const CAPACITIES: [usize; 3] = [MNK, CONNECT, BRICKS];

    fn game(&self) -> &Self::Game {
        &self.game
    }

    fn game_mut(&mut self) -> &mut Self::Game {
        &mut self.game
    }

    fn lend(&mut self) -> (Self::Lent<'_>, &mut [Bucket]) {
        (&mut self.game, self.storage)
    }

    fn rebuild(&mut self, spec: GameSpec) -> Result<(), SpecError> {
        self.game = AnyGame::new(spec)?;
        Ok(())
    }
}

impl<
    const MNK: usize,
    const CONNECT: usize,
    const BRICKS: usize,
    const SMALL: usize,
    const LARGE_BRICKS: usize,
    const LARGE: usize,
> Memory for SharedGame<MNK, CONNECT, BRICKS, SMALL, LARGE_BRICKS, LARGE>
{
    type Game = Self;
    type Lent<'a> = AnyGameRef<'a, MNK, CONNECT, BRICKS>;

    const CAPACITIES: [usize; 3] = [MNK, CONNECT, BRICKS];

    fn game(&self) -> &Self {
        self
    }

    fn game_mut(&mut self) -> &mut Self {
        self
    }

    fn lend(&mut self) -> (Self::Lent<'_>, &mut [Bucket]) {
        SharedGame::lend(self)
    }

    fn rebuild(&mut self, spec: GameSpec) -> Result<(), SpecError> {
        SharedGame::rebuild(self, spec)
    }
}
