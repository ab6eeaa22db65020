//! The opening book of small mnk boards: our move in the positions that can come up when we play by the
//! book, that are not lost, and that take long to solve.
//!
//! A position is written down as the cells of its stones, so the book cannot take one for another. Of
//! the images under the symmetries of the board, the one with the lowest [`Stones`] stands for all.
//!
//! ```text
//! chapter     rows, columns, line length, stones: a byte each; entries: two bytes, low byte first
//! its entries the first player's cells, the second player's cells, our move: a byte each
//! ... and so on, to the end of the book
//! ```
//!
//! The entries of a chapter are in the order of their [`Stones`]. The file is written by
//! `tavola book --game mnk`.

use core::cmp::Ordering;

use crate::game::line::bits::{Cells, MAX_CELLS};
use crate::game::{Game, Move, Side, Symmetry};
use crate::spec::GameSpec;

/// Bytes of a chapter before its entries.
pub const HEADER: usize = 6;
/// The most stones of a position in the book.
pub const MAX_STONES: usize = 24;

/// The stones of the first and of the second player.
pub type Stones = [Cells; 2];

/// The book of this build, if it has one.
#[must_use]
pub const fn built_in() -> Option<MnkBook<'static>> {
    #[cfg(feature = "mnk-book")]
    {
        MnkBook::new(include_bytes!("mnk_book.bin"))
    }
    #[cfg(not(feature = "mnk-book"))]
    {
        None
    }
}

/// The stones of a position as the book lists them, and the symmetry that turns the position so. `None`
/// for a position that no book holds.
#[must_use]
pub fn turned<G: Game>(game: &G) -> Option<(Stones, Symmetry)> {
    let GameSpec::Mnk { exact: false, .. } = game.spec() else { return None };
    if game.spec().cells() > MAX_CELLS || game.ply() > MAX_STONES {
        return None;
    }
    let all = game.symmetries();
    (0..Symmetry::COUNT as u8)
        .filter(|n| all >> n & 1 == 1)
        .map(|n| {
            let symmetry = Symmetry::new(n);
            let mut stones = Stones::default();
            for (n, mv) in (0..game.ply()).filter_map(|n| Some((n, game.played(n)?))) {
                let cell = game.map_move(mv, symmetry).index() % MAX_CELLS;
                stones[Side::at_ply(n).index()] |= 1 << cell;
            }
            (stones, symmetry)
        })
        .min_by_key(|&(stones, _)| stones)
}

/// A book.
#[derive(Clone, Copy, Debug)]
pub struct MnkBook<'a> {
    bytes: &'a [u8],
}

/// The entries of a board with the same number of stones.
#[derive(Clone, Copy, Debug)]
pub struct Chapter<'a> {
    /// The board.
    pub spec: GameSpec,
    /// The stones of each position.
    pub ply: usize,
    entries: &'a [u8],
}

impl<'a> Chapter<'a> {
    /// How many entries there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        match self.entries.len().checked_div(self.ply.saturating_add(1)) {
            Some(count) => count,
            None => 0,
        }
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Entry number `n`: the stones, and our move.
    #[must_use]
    pub fn entry(&self, n: usize) -> Option<(Stones, Move)> {
        let size = self.ply + 1;
        let (&mv, cells) = self.entries.get(n * size..(n + 1) * size)?.split_last()?;
        let mut stones = Stones::default();
        for (n, &cell) in cells.iter().enumerate() {
            let side = if n < self.ply.div_ceil(2) { Side::First } else { Side::Second };
            stones[side.index()] |= 1 << (usize::from(cell) % MAX_CELLS);
        }
        Some((stones, Move::new(usize::from(mv))))
    }

    /// Our move in a position with these stones.
    fn look_up(&self, stones: Stones) -> Option<Move> {
        let (mut from, mut to) = (0, self.len());
        while from < to {
            let middle = usize::midpoint(from, to);
            let (found, mv) = self.entry(middle)?;
            match found.cmp(&stones) {
                Ordering::Less => from = middle + 1,
                Ordering::Greater => to = middle,
                Ordering::Equal => return Some(mv),
            }
        }
        None
    }
}

impl<'a> MnkBook<'a> {
    /// The book in these bytes; `None` if they are none.
    #[must_use]
    pub const fn new(bytes: &'a [u8]) -> Option<MnkBook<'a>> {
        let mut at = 0;
        while at < bytes.len() {
            if bytes.len() - at < HEADER || bytes[at + 3] as usize > MAX_STONES {
                return None;
            }
            let count = u16::from_le_bytes([bytes[at + 4], bytes[at + 5]]) as usize;
            at += HEADER + count * (bytes[at + 3] as usize + 1);
        }
        if at == bytes.len() { Some(MnkBook { bytes }) } else { None }
    }

    /// All chapters, in order.
    pub fn chapters(&self) -> impl Iterator<Item = Chapter<'a>> + use<'a> {
        let mut rest = self.bytes;
        core::iter::from_fn(move || {
            let (&[rows, cols, k, ply, low, high], after) = rest.split_first_chunk()?;
            let ply = usize::from(ply);
            let count = usize::from(u16::from_le_bytes([low, high]));
            let (entries, next) = after.split_at_checked(count * (ply + 1))?;
            rest = next;
            let spec = GameSpec::Mnk { rows, cols, k: k.into(), exact: false };
            Some(Chapter { spec, ply, entries })
        })
    }

    /// The book's move for the side to move. `None` if the book does not know it.
    ///
    /// Never inlined: its variables would stay on the stack while the player searches.
    #[must_use]
    #[inline(never)]
    pub fn look_up<G: Game>(&self, game: &G) -> Option<Move> {
        let (spec, ply) = (game.spec(), game.ply());
        let chapter = self.chapters().find(|chapter| (chapter.spec, chapter.ply) == (spec, ply))?;
        let (stones, symmetry) = turned(game)?;
        let mv = game.map_move(chapter.look_up(stones)?, symmetry.inverse());
        game.check(mv).ok().map(|()| mv)
    }
}

/// The bytes of an entry: the cells of the stones and our move.
pub fn entry(stones: Stones, mv: Move) -> impl Iterator<Item = u8> {
    let cells = |mut set: Cells| {
        core::iter::from_fn(move || {
            let cell = set.trailing_zeros() as u8;
            (set != 0).then(|| {
                set &= set - 1;
                cell
            })
        })
    };
    cells(stones[0]).chain(cells(stones[1])).chain([mv.index() as u8])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::mnk::small::MnkSmall;

    fn after(rows: u8, cols: u8, moves: &[usize]) -> MnkSmall {
        let mut game = MnkSmall::new(rows, cols, 4, false).expect("a board");
        moves.iter().for_each(|&cell| game.make(Move::new(cell)));
        game
    }

    /// A book of one position of three stones, with our move.
    fn book_of(moves: &[usize; 3], best: usize) -> heapless::Vec<u8, 16> {
        let game = after(5, 5, moves);
        let (stones, symmetry) = turned(&game).expect("a small board");
        let best = game.map_move(Move::new(best), symmetry);
        [5, 5, 4, 3, 1, 0].into_iter().chain(entry(stones, best)).collect()
    }

    #[test]
    fn a_position_is_found_in_every_image_and_order_of_moves() {
        let (moves, best) = ([1, 12, 8], 17);
        let bytes = book_of(&moves, best);
        let book = MnkBook::new(&bytes).expect("a book");
        let game = after(5, 5, &moves);
        assert_eq!(book.look_up(&game), Some(Move::new(best)));
        assert_eq!(book.look_up(&after(5, 5, &[8, 12, 1])), Some(Move::new(best)));
        for symmetry in (0..Symmetry::COUNT as u8).map(Symmetry::new) {
            let image = moves.map(|cell| game.map_move(Move::new(cell), symmetry).index());
            let expected = game.map_move(Move::new(best), symmetry);
            assert_eq!(book.look_up(&after(5, 5, &image)), Some(expected), "{symmetry:?}");
        }
    }

    #[test]
    fn a_position_that_is_not_listed_is_not_found() {
        let bytes = book_of(&[1, 12, 8], 17);
        let book = MnkBook::new(&bytes).expect("a book");
        assert_eq!(book.look_up(&after(5, 5, &[12, 1, 8])), None, "other stones");
        assert_eq!(book.look_up(&after(5, 5, &[1, 12])), None, "fewer stones");
        assert_eq!(book.look_up(&after(6, 5, &[1, 12, 8])), None, "another board");
        let mut exact = MnkSmall::new(5, 5, 4, true).expect("a board");
        [1, 12, 8].iter().for_each(|&cell| exact.make(Move::new(cell)));
        assert_eq!(book.look_up(&exact), None, "another rule");
    }

    #[test]
    fn bytes_that_are_no_book_are_refused() {
        assert!(MnkBook::new(&[]).is_some());
        assert!(MnkBook::new(&[5, 5, 4, 1, 1, 0, 3, 4]).is_some());
        assert!(MnkBook::new(&[5, 5, 4, 1, 1, 0, 3]).is_none());
        assert!(MnkBook::new(&[5, 5, 4, 1, 1, 0, 3, 4, 5]).is_none());
        assert!(MnkBook::new(&[5, 5, 4, 99, 0, 0]).is_none());
    }
}
