//! The second player's first two stones in five in a row on a large board.
//!
//! What a stone so early is worth shows too late for a search. The second stone follows a rule. For the
//! fourth there is a table, made by `tavola book --game gomoku` with searches and games that no chip has the time for:
//! a byte for every place of the third stone up to [`REACH`] steps from the first, seen so that the second one
//! lies at the first one's lower right. The boards' edges are left out of account, so the table is not asked where
//! one is near, and never on a board so small that one always is.
//!
//! ```text
//! byte   0 for no answer, or the rows (high half) and columns (low half) from the first stone to the
//!        fourth, each with 8 added
//! ```

use crate::game::{Game, Move};
use crate::guarded::row_and_col;
use crate::search::MAX_DEPTH;
use crate::spec::GameSpec;

/// The line of the game.
const LINE: u16 = 5;
/// A stone that is nearer to an edge than this leaves the middle to the opponent.
const FREE_EDGE: usize = 3;
/// Rows and columns that a board has at least where the table is asked.
const TABLE_BOARD: usize = 12;

/// How many rows and columns the third stone may be away from the first.
pub const REACH: isize = 4;
/// Rows and columns of the table.
pub const SPAN: usize = 2 * REACH as usize + 1;
/// Bytes of the table.
pub const BYTES: usize = SPAN * SPAN;

/// What is added to rows and columns in a byte.
const HALF: isize = 8;

/// The table of this build, if it has one.
const TABLE: Option<&[u8; BYTES]> = {
    #[cfg(feature = "mnk-book")]
    {
        Some(include_bytes!("gomoku.bin"))
    }
    #[cfg(not(feature = "mnk-book"))]
    {
        None
    }
};

/// Rows and columns from one cell to another.
pub type Way = (isize, isize);

/// Where the table has the answer to a third stone, if it is near enough.
#[must_use]
pub fn place((rows, cols): Way) -> Option<usize> {
    let of = |steps: isize| {
        usize::try_from(steps.checked_add(REACH)?).ok().filter(|&steps| steps < SPAN)
    };
    Some(of(rows)? * SPAN + of(cols)?)
}

/// The byte of an answer; 0 if it is too far away.
#[must_use]
pub fn byte((rows, cols): Way) -> u8 {
    let of = |steps: isize| {
        u8::try_from(steps.saturating_add(HALF)).ok().filter(|half| (1..16).contains(half))
    };
    of(rows).zip(of(cols)).map_or(0, |(rows, cols)| rows << 4 | cols)
}

/// The answer of a byte, if it is one.
#[must_use]
pub fn answer_of(byte: u8) -> Option<Way> {
    (byte != 0).then(|| (isize::from(byte >> 4) - HALF, isize::from(byte & 0xF) - HALF))
}

/// The second or the fourth stone, if this is the game and it is known.
pub(super) fn answer<G: Game>(game: &G) -> Option<Move> {
    let GameSpec::Mnk { rows, cols, k: LINE, .. } = game.spec() else { return None };
    if game.spec().cells() <= MAX_DEPTH {
        return None;
    }
    let size = (usize::from(rows), usize::from(cols));
    let (row, col) = match game.ply() {
        1 => second_stone(game, size)?,
        3 => fourth_stone(game, size)?,
        _ => return None,
    };
    Some(Move::new(row * size.1 + col)).filter(|&mv| game.check(mv).is_ok())
}

/// Next to the first stone, aslant, on the side of the middle, unless that stone is near an edge.
fn second_stone<G: Game>(game: &G, (rows, cols): (usize, usize)) -> Option<(usize, usize)> {
    let (row, col) = row_and_col(game.played(0)?.index(), cols);
    let beside = |at: usize, size: usize| {
        is_free(at, size).then(|| if at > (size - 1) / 2 { at - 1 } else { at + 1 })
    };
    Some((beside(row, rows)?, beside(col, cols)?))
}

/// Whether no edge of a board of this size is near.
fn is_free(at: usize, size: usize) -> bool {
    at >= FREE_EDGE && at + FREE_EDGE < size
}

/// By the table, if the second stone lies aslant next to the first, no edge is near that one and the board is large.
fn fourth_stone<G: Game>(game: &G, (rows, cols): (usize, usize)) -> Option<(usize, usize)> {
    let (row, col) = row_and_col(game.played(0)?.index(), cols);
    let has_room = |at: usize, size: usize| size >= TABLE_BOARD && is_free(at, size);
    if !has_room(row, rows) || !has_room(col, cols) {
        return None;
    }
    let at = |n: usize| {
        let (row, col) = row_and_col(game.played(n)?.index(), cols);
        Some((row as isize, col as isize))
    };
    let (first, second, third) = (at(0)?, at(1)?, at(2)?);
    // Both are 1 or -1, and turn the board so that the second stone lies as in the table.
    let (down, right) = (second.0 - first.0, second.1 - first.1);
    if down.abs() != 1 || right.abs() != 1 {
        return None;
    }
    let place = place(((third.0 - first.0) * down, (third.1 - first.1) * right))?;
    let (more_rows, more_cols) = answer_of(*TABLE?.get(place)?)?;
    let on_board = |at: isize, size: usize| usize::try_from(at).ok().filter(|&at| at < size);
    Some((
        on_board(first.0 + more_rows * down, rows)?,
        on_board(first.1 + more_cols * right, cols)?,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_back_as_the_ways_they_were() {
        for rows in -9_isize..=9 {
            for cols in -9_isize..=9 {
                let fits = rows.abs().max(cols.abs()) < 8;
                assert_eq!(answer_of(byte((rows, cols))), fits.then_some((rows, cols)));
            }
        }
    }

    #[test]
    fn every_near_place_has_its_own_byte() {
        let mut met = [false; BYTES];
        for rows in -REACH..=REACH {
            for cols in -REACH..=REACH {
                let place = place((rows, cols)).expect("near enough");
                assert!(!core::mem::replace(&mut met[place], true));
            }
        }
        assert_eq!([place((-5, 0)), place((0, 5)), place((isize::MAX, 0))], [None; 3]);
    }
}
