//! The opening book of Connect Four: our move in every position of its first plies that can come up
//! when we play by the book and the opponent plays anything, and in those of our next decision that
//! take long to solve.
//!
//! Most of it is a tree without keys. A place in it is named by the opponent's moves alone, since ours
//! follow from the book:
//!
//! ```text
//! we begin                      place   the opponent begins           place
//! our 1st move                  0       his 1st move a, our 1st       a
//! his 1st a, our 2nd            a       his 2nd b, our 2nd            7a + b
//! his 2nd b, our 3rd            7a + b  his 3rd c, our 3rd            49a + 7b + c
//! ```
//!
//! His first move is in one of the four left columns; of a game in the other three, the mirror
//! image is looked up. Each place holds a column in three bits; 7 stands where no game gets to.
//!
//! A position may have come about in any order of moves, or have been set up. The way to it is
//! looked for: our moves are known, and of his stones few can have been played next. So the book
//! cannot take one position for another.
//!
//! Where the tree ends, most positions are solved in no time. The others are in a list, in order, each
//! with its whole [`number`] and our column.
//!
//! ```text
//! byte 0   decisions on the longest way when we begin
//! byte 1   the same when the opponent begins
//! then     all places, our 1st moves first, three bits each, low bits first
//! then     the list: number * 8 + column, ENTRY bytes each, low byte first
//! ```
//!
//! The file is written by `tavola book`.

use core::cmp::Ordering;

use crate::game::Side;
use crate::game::connect::grid::{Four, Grid, Stacks};
use crate::game::line::bits::Cells;

/// Columns of the board.
pub const COLS: usize = 7;
/// Columns of the opponent's first move, mirror images left out.
pub const FIRST_COLS: usize = COLS.div_ceil(2);
/// Rows of the board.
const ROWS: u8 = 6;
/// The length of a line.
const LENGTH: u16 = 4;
/// The most decisions on a way through the book.
pub const MAX_DECISIONS: usize = 8;
/// Bits per place.
const BITS: usize = 3;
/// What stands where no game gets to.
pub const NOTHING: u8 = 7;
/// Bytes before the first place.
pub const HEADER: usize = 2;
/// Bytes of a position in the list of those beyond the tree.
pub const ENTRY: usize = 7;
/// The most flash that a book may take.
pub const MAX_BYTES: usize = 384 << 10;

/// The book of this build, if it has one.
#[must_use]
pub const fn built_in() -> Option<Book<'static>> {
    #[cfg(feature = "connect-book")]
    {
        Book::new(include_bytes!("connect_book.bin"))
    }
    #[cfg(not(feature = "connect-book"))]
    {
        None
    }
}

/// The number of a position for the list, and whether it is that of its mirror image: of the two, the
/// lower one counts.
#[must_use]
pub fn number(stacks: &Stacks) -> (u64, bool) {
    let grid = Grid::new(Four, stacks);
    let (own, other) = stacks.own_and_other();
    // Different for every position: a column's highest stone is where its bits end.
    let as_it_is = own + (own | other);
    let mirrored = grid.mirrored(own) + grid.mirrored(own | other);
    (as_it_is.min(mirrored), mirrored < as_it_is)
}

/// A position of the list, by its number, with our column in the image that the number stands for.
#[must_use]
pub const fn entry(number: u64, column: u8) -> [u8; ENTRY] {
    let [a, b, c, d, e, f, g, _] = (number << BITS | column as u64).to_le_bytes();
    [a, b, c, d, e, f, g]
}

/// How many places there are for a side's decision number `n`, from 0.
#[must_use]
pub const fn places(side: Side, n: usize) -> usize {
    let answered = match side {
        Side::First => n,
        Side::Second => n + 1,
    };
    if answered == 0 { 1 } else { FIRST_COLS * COLS.pow(answered as u32 - 1) }
}

/// The number of places before those of a side's decision `n`, in a book with so many decisions of
/// the first player.
#[must_use]
pub const fn start(side: Side, n: usize, of_first: usize) -> usize {
    let mut sum = 0;
    let mut at = 0;
    if matches!(side, Side::Second) {
        while at < of_first {
            sum += places(Side::First, at);
            at += 1;
        }
        at = 0;
    }
    while at < n {
        sum += places(side, at);
        at += 1;
    }
    sum
}

/// A book.
#[derive(Clone, Copy, Debug)]
pub struct Book<'a> {
    bytes: &'a [u8],
}

/// A place on the way through the book: our move there comes next.
#[derive(Clone, Copy, Debug)]
struct Step {
    place: usize,
    /// Stones so far, ours and the opponent's.
    ours: Cells,
    theirs: Cells,
    /// The opponent's next column to try, after our move.
    column: u8,
}

impl<'a> Book<'a> {
    /// The book in these bytes; `None` if they are none.
    #[must_use]
    pub const fn new(bytes: &'a [u8]) -> Option<Book<'a>> {
        let book = Book { bytes };
        if bytes.len() < HEADER
            || bytes[0] as usize > MAX_DECISIONS
            || bytes[1] as usize > MAX_DECISIONS
            || bytes.len() < book.tree_size()
            || !(bytes.len() - book.tree_size()).is_multiple_of(ENTRY)
            || bytes.len() > MAX_BYTES
        {
            return None;
        }
        Some(book)
    }

    /// The bytes of a book with this header before the list.
    const fn tree_size(&self) -> usize {
        let all = start(Side::Second, self.decisions(Side::Second), self.decisions(Side::First));
        HEADER + (all * BITS).div_ceil(8)
    }

    /// How many decisions of a side the book knows on the longest way.
    #[must_use]
    pub const fn decisions(&self, side: Side) -> usize {
        self.bytes[side.index()] as usize
    }

    /// Our column at a place of decision `n`.
    fn at(&self, side: Side, n: usize, place: usize) -> Option<u8> {
        let bit = (start(side, n, self.decisions(Side::First)) + place) * BITS;
        let byte = |n: usize| self.bytes.get(HEADER + n).copied().unwrap_or(0);
        let pair = u16::from_le_bytes([byte(bit / 8), byte(bit / 8 + 1)]);
        Some((pair >> (bit % 8)) as u8 & NOTHING).filter(|&column| column != NOTHING)
    }

    /// The book's move for the side to move: a column. `None` if the book does not know it.
    #[must_use]
    pub fn look_up(&self, stacks: &Stacks) -> Option<usize> {
        if (stacks.rows, usize::from(stacks.cols), stacks.x) != (ROWS, COLS, LENGTH) {
            return None;
        }
        let ply = stacks.ply() as usize;
        let side = Side::at_ply(ply);
        let decision = ply / 2;
        if decision >= self.decisions(side) {
            return self.listed(stacks).map(usize::from);
        }
        let grid = Grid::new(Four, stacks);
        let (ours, theirs) = stacks.own_and_other();
        let found = self.follow(&grid, side, decision, ours, theirs);
        found.map(usize::from).or_else(|| {
            let (ours, theirs) = (grid.mirrored(ours), grid.mirrored(theirs));
            let column = self.follow(&grid, side, decision, ours, theirs)?;
            Some(COLS - 1 - usize::from(column))
        })
    }

    /// Our column in a position of the list.
    fn listed(&self, stacks: &Stacks) -> Option<u8> {
        let (number, is_mirrored) = number(stacks);
        let list = self.bytes.get(self.tree_size()..)?;
        let at = |n: usize| -> Option<u64> {
            let entry = list.get(n * ENTRY..(n + 1) * ENTRY)?;
            Some(entry.iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte)))
        };
        let (mut from, mut to) = (0, list.len() / ENTRY);
        while from < to {
            let middle = usize::midpoint(from, to);
            let found = at(middle)?;
            match (found >> BITS).cmp(&number) {
                Ordering::Less => from = middle + 1,
                Ordering::Greater => to = middle,
                Ordering::Equal => {
                    let column = found as u8 & NOTHING;
                    let last = COLS as u8 - 1;
                    return if is_mirrored { last.checked_sub(column) } else { Some(column) }
                        .filter(|&column| column != NOTHING);
                }
            }
        }
        None
    }

    /// Looks for a way through the book to these stones, and returns the move at its end.
    fn follow(
        &self,
        grid: &Grid<Four>,
        side: Side,
        decision: usize,
        ours: Cells,
        theirs: Cells,
    ) -> Option<u8> {
        let drop = |step: &Step, column: u8| -> Cells {
            let bottom = 1 << (u32::from(column) * (u32::from(ROWS) + 1));
            let occupied = step.ours | step.theirs;
            (occupied + bottom) & grid.column(bottom) & !occupied
        };
        let mut way: heapless::Vec<Step, { MAX_DECISIONS + 1 }> = heapless::Vec::new();
        // The opponent's first move, if he begins, is one of the steps.
        let begins = Step { place: 0, ours: 0, theirs: 0, column: 0 };
        let _ = way.push(begins);
        // How many decisions lie before the last step of a way of this length.
        let before = |length: usize| match side {
            Side::First => Some(length - 1),
            Side::Second => length.checked_sub(2),
        };
        loop {
            let length = way.len();
            let step = way.last_mut()?;
            let mut here = *step;
            let columns = if length == 1 { FIRST_COLS } else { COLS };
            if let Some(n) = before(length) {
                let Some(column) = self.at(side, n, here.place) else {
                    let _ = way.pop();
                    continue;
                };
                if n == decision {
                    return Some(column);
                }
                let cell = drop(&here, column);
                if cell & ours == 0 {
                    let _ = way.pop();
                    continue;
                }
                here.ours |= cell;
            }
            if usize::from(here.column) >= columns {
                let _ = way.pop();
                continue;
            }
            step.column += 1;
            let cell = drop(&here, here.column);
            if cell & theirs != 0 {
                let place = here.place * COLS + usize::from(here.column);
                let next = Step { place, theirs: here.theirs | cell, column: 0, ours: here.ours };
                let _ = way.push(next);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stacks(ours: Cells, theirs: Cells) -> Stacks {
        Stacks { rows: ROWS, cols: COLS as u8, x: LENGTH, stones: [ours, theirs] }
    }

    /// The lowest cell of a column.
    const fn cell(column: u32) -> Cells {
        1 << (column * 7)
    }

    #[test]
    fn places_are_counted_as_the_tree_grows() {
        assert_eq!([0, 1, 2, 3].map(|n| places(Side::First, n)), [1, 4, 28, 196]);
        assert_eq!([0, 1, 2].map(|n| places(Side::Second, n)), [4, 28, 196]);
        assert_eq!(start(Side::Second, 1, 3), 1 + 4 + 28 + 4);
    }

    #[test]
    fn bytes_that_are_no_book_are_refused() {
        assert!(Book::new(&[]).is_none());
        assert!(Book::new(&[1, 0]).is_none());
        assert!(Book::new(&[1, 0, 3]).is_some());
        assert!(Book::new(&[9, 0, 3]).is_none());
        assert!(Book::new(&[1, 0, 3, 0]).is_none());
        assert!(Book::new(&[1, 0, 3, 0, 0, 0, 0, 0, 0, 0]).is_some());
    }

    #[test]
    fn positions_beyond_the_tree_are_found_in_the_list() {
        let positions = [(0, 1, 2_u8), (6, 4, 3), (2, 3, 6), (3, 1, 0)];
        let mut list = positions.map(|(ours, theirs, column)| {
            let (number, is_mirrored) = number(&stacks(cell(ours), cell(theirs)));
            entry(number, if is_mirrored { 6 - column } else { column })
        });
        list.sort_by_key(|entry| entry.iter().rev().copied().collect::<heapless::Vec<u8, ENTRY>>());
        let mut bytes: heapless::Vec<u8, 64> = heapless::Vec::new();
        bytes.extend_from_slice(&[1, 0, 3]).expect("room");
        bytes.extend_from_slice(list.as_flattened()).expect("room");
        let book = Book::new(&bytes).expect("a book");
        for (ours, theirs, column) in positions {
            let found = book.look_up(&stacks(cell(ours), cell(theirs)));
            assert_eq!(found, Some(usize::from(column)));
            let mirrored = book.look_up(&stacks(cell(6 - ours), cell(6 - theirs)));
            assert_eq!(mirrored, Some(6 - usize::from(column)));
        }
        assert_eq!(book.look_up(&stacks(cell(0), cell(3))), None);
        assert_eq!(book.look_up(&stacks(0, 0)), Some(3));
    }

    #[test]
    fn a_small_book_answers_in_any_order_of_moves_and_in_the_mirror() {
        // We begin in the middle; then on top of his stone, if he answers in column 0, else in 6.
        let columns = [3, 0, 6, 6, 6];
        let bits = columns.iter().rev().fold(0_u16, |bits, column| bits << BITS | column);
        let [low, high] = bits.to_le_bytes();
        let bytes = [2, 0, low, high];
        let book = Book::new(&bytes).expect("a book");
        assert_eq!(book.look_up(&stacks(0, 0)), Some(3));
        assert_eq!(book.look_up(&stacks(cell(3), cell(0))), Some(0));
        assert_eq!(book.look_up(&stacks(cell(3), cell(6))), Some(6));
        assert_eq!(book.look_up(&stacks(cell(2), cell(0))), None, "not our move");
        assert_eq!(book.look_up(&stacks(cell(3) | cell(2), cell(0) | cell(1))), None, "too late");
    }
}
