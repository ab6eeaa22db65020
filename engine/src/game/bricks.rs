//! Bricks: dominoes of two colours on a square board; whoever builds the larger islands wins.
//!
//! A move lays a brick of the mover's colour on two free neighbouring cells. The game ends when
//! no brick fits. A player's points are the sum over its islands (4-connected cells of its
//! colour) of the number of cells squared; the score of a finished game is the difference.
//!
//! ```text
//!   0 0 1      Four cells in one island each: 16 points against 16, a draw.
//!   0 . 1      The cell in the middle is free, but no brick fits.
//!   0 1 1
//! ```
//!
//! ```
//! use engine::game::bricks::BricksSmall;
//! use engine::game::{Game, Outcome, Side};
//!
//! let mut game = BricksSmall::new(3)?;
//! for text in ["0,0,h", "2,0,v", "0,1,v", "1,2,h"] {
//!     game.try_play(game.spec().parse_move(text)?)?;
//! }
//! assert_eq!(game.points(Side::First), 16);
//! assert_eq!(game.outcome(), Some(Outcome::Draw));
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
//! What a position is worth depends on the colours of the cells alone, not on which two cells
//! were laid together, and the number of stones tells who is to move. Keys follow suit.
//!
//! There are two representations, which agree in everything but speed and memory:
//! [`BricksSmall`] has the board in machine words and holds up to 8x8; [`Bricks`] has arrays and
//! a union-find and holds any size up to its capacity. What they share is here:
//!
//! - `geometry`: the cells of a move, neighbours, symmetries;
//! - `account`: what islands are worth: points, bounds, the order of moves in a proof;
//! - `survey`: what they may become: evaluation, and which moves are worth a search.

mod account;
pub mod board;
mod geometry;
pub mod islands;
pub mod small;
pub mod survey;
#[cfg(test)]
mod tests;

pub use board::Bricks;
pub use small::BricksSmall;

/// The largest board that is surveyed. On larger ones a survey would take so long on a small processor that
/// short deadlines could not be kept. There evaluation and order come from what is kept up to date
/// anyway, and every move is searched.
pub const MAX_SURVEYED_SIDE: usize = 12;

/// Whether boards of this side are surveyed. Where flash is scarce none are.
const fn is_surveyed(side: usize) -> bool {
    !cfg!(feature = "compact") && side <= MAX_SURVEYED_SIDE
}

/// Cells of a brick.
pub const BRICK_CELLS: usize = 2;
/// The most cells that border on a brick.
pub const BRICK_NEIGHBOURS: usize = 6;
