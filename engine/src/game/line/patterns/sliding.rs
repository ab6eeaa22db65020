//! The classes for lines of any length, worked out for all cells of a strip at once.
//!
//! What counts of the windows through a cell is the one with the most stones, and whether there is a
//! second one like it. Both go into one [`Key`], and keys of separate sets of windows can be joined: so the
//! keys of one window give those of two in a row, these those of four, and from such parts comes
//! that of all `k` windows through a cell. The steps are the same for all cells, one beside the other,
//! which a PC does many at a time.

use super::{EMPTY, HIGHEST_OF_ROOM, LONGEST_LINE, class, class_of_room};
use crate::game::Side;
use crate::game::line::Weights;
use crate::guarded::{Array, Guarded};

/// What a line is.
#[derive(Clone, Copy)]
pub struct Rule {
    /// Its length, not 0.
    pub k: usize,
    /// A longer one does not count.
    pub exact: bool,
}

/// The best of some windows: twice the stones in it and two more, and 1 if another has as many; less
/// than 2 if none can be filled.
type Key = u8;
const _: () = assert!(2 * LONGEST_LINE + 3 <= Key::MAX as usize);

/// A key for every cell of a strip, or every window by the cell where it starts.
type Keys = [Key; LONGEST_LINE];

/// The key of two sets of windows that have none in common.
#[inline]
fn join(one: Key, other: Key) -> Key {
    one.max(other) | Key::from(one | 1 == other | 1)
}

/// Cells in a row, with the windows on them.
pub struct Strip {
    rule: Rule,
    cells: usize,
    /// What is on each cell: 0 for nothing, 1 and 2 for the players' stones.
    codes: Array<u8, LONGEST_LINE>,
    /// By side and cell: the windows through it.
    keys: [Keys; 2],
}

impl Strip {
    /// The strip of these cells, at most [`LONGEST_LINE`]; `None` if no window fits.
    pub fn new(cells: impl ExactSizeIterator<Item = u8>, rule: Rule) -> Option<Strip> {
        let Rule { k, exact } = rule;
        let mut strip = Strip {
            rule,
            cells: cells.len(),
            codes: Guarded::new([EMPTY; LONGEST_LINE], EMPTY),
            keys: [[0; LONGEST_LINE]; 2],
        };
        if strip.cells < k {
            return None;
        }
        strip.codes.iter_mut().zip(cells).for_each(|(slot, code)| *slot = code);
        strip.look_at_windows();
        if exact && k > 1 {
            strip.spoil_flanked();
        }
        strip.keys = strip.keys.map(|windows| keys_through(&windows, strip.cells, k));
        Some(strip)
    }

    /// Sets the keys of single windows, by where they start.
    fn look_at_windows(&mut self) {
        let Strip { codes, keys: [first, second], cells, rule: Rule { k, .. } } = self;
        let Some(codes) = codes.get(..*cells) else { return };
        // Stones in the window: the first player's below, the second player's above.
        let stones = |code: u8| u32::from(code & 1) | u32::from(code >> 1) << 16;
        let Some((begun, coming)) = codes.split_at_checked(k.saturating_sub(1)) else { return };
        let mut held: u32 = begun.iter().map(|&code| stones(code)).sum();
        let windows = first.iter_mut().zip(second.iter_mut());
        for ((&enters, &leaves), (first, second)) in coming.iter().zip(codes).zip(windows) {
            held += stones(enters);
            let (own, their) = (held as u16, (held >> 16) as u16);
            *first = if their == 0 { 2 * own as Key + 2 } else { 0 };
            *second = if own == 0 { 2 * their as Key + 2 } else { 0 };
            held -= stones(leaves);
        }
    }

    /// Under the exact rule a stone of its owner beside it spoils a window.
    fn spoil_flanked(&mut self) {
        for start in 0..self.cells + 1 - self.rule.k {
            let end = start + self.rule.k;
            let before = if start > 0 { self.codes[start - 1] } else { EMPTY };
            let after = if end < self.cells { self.codes[end] } else { EMPTY };
            for (keys, own) in self.keys.iter_mut().zip(1..) {
                if (before == own || after == own)
                    && let Some(key) = keys.get_mut(start)
                {
                    *key = 0;
                }
            }
        }
    }

    /// How many windows through a cell hold no stone with this code, but for that on the cell.
    pub fn windows_without(&self, cell: usize, code: u8) -> u32 {
        let k = self.rule.k;
        let free = |&n: &usize| self.codes[n] != code;
        let before = (0..cell).rev().take(k - 1).take_while(free).count();
        let after = (cell + 1..self.cells).take(k - 1).take_while(free).count();
        (before + after + 2).saturating_sub(k) as u32
    }

    /// Calls `visit` with every empty cell from `low` to `high` and both sides' classes there.
    pub fn for_each_class(&self, low: usize, high: usize, mut visit: impl FnMut(usize, u8)) {
        let [first, second] = &self.keys;
        let cells = self.codes.iter().zip(first).zip(second).enumerate();
        for (cell, ((&code, &first), &second)) in cells.take(high + 1).skip(low) {
            if code == EMPTY {
                visit(cell, self.class_of(first, 1, cell) | self.class_of(second, 2, cell) << 4);
            }
        }
    }

    /// The same for long lines: low classes tell of the room. The exact rule is left out of account there.
    pub fn for_each_class_in_long_lines(
        &self,
        low: usize,
        high: usize,
        weights: &Weights,
        mut visit: impl FnMut(usize, u8),
    ) {
        let k = self.rule.k;
        let first = (low + 1).saturating_sub(k);
        // What the windows through the cell are worth.
        let mut rooms = [0; 2];
        let book = |rooms: &mut [i32; 2], held: Option<[usize; 2]>, sign: i32| {
            let worth = held.map_or([0; 2], |held| worth(held, weights));
            rooms.iter_mut().zip(worth).for_each(|(room, worth)| *room += sign * worth);
        };
        let mut coming = self.stones_in_windows(first);
        let mut going = self.stones_in_windows(first);
        coming.by_ref().take(low - first).for_each(|held| book(&mut rooms, Some(held), 1));
        let [first, second] = &self.keys;
        let cells = self.codes.iter().zip(first).zip(second).enumerate();
        for (cell, ((&code, &first), &second)) in cells.take(high + 1).skip(low) {
            book(&mut rooms, coming.next(), 1);
            if code == EMPTY {
                let class = |key, own, room: i32| match self.class_of(key, own, cell) {
                    1..=HIGHEST_OF_ROOM => class_of_room(room.unsigned_abs(), k, weights),
                    class => class,
                };
                visit(cell, class(first, 1, rooms[0]) | class(second, 2, rooms[1]) << 4);
            }
            if cell + 1 >= k {
                book(&mut rooms, going.next(), -1);
            }
        }
    }

    /// By how much the stone of `side` on the cell has changed what live windows are worth to both sides. The
    /// exact rule is left out of account.
    pub fn change_of_room(&self, cell: usize, side: Side, weights: &Weights) -> [i32; 2] {
        let first = (cell + 1).saturating_sub(self.rule.k);
        let mut change = [0; 2];
        for after in self.stones_in_windows(first).take(cell + 1 - first) {
            let mut before = after;
            before[side.index()] = before[side.index()].saturating_sub(1);
            let worths = worth(after, weights).into_iter().zip(worth(before, weights));
            change.iter_mut().zip(worths).for_each(|(sum, (after, before))| *sum += after - before);
        }
        change
    }

    /// How many stones the sides have in the windows from that which starts at `first` on.
    fn stones_in_windows(&self, first: usize) -> impl Iterator<Item = [usize; 2]> {
        let k = self.rule.k;
        let mut held = [0usize; 2];
        let count = move |held: &mut [usize; 2], cell: usize, more: bool| {
            let [first, second] = held;
            let slot = match self.codes[cell] {
                EMPTY => return,
                1 => first,
                _ => second,
            };
            *slot = if more { *slot + 1 } else { slot.saturating_sub(1) };
        };
        (first..first + k - 1).for_each(|cell| count(&mut held, cell, true));
        (first..(self.cells + 1).saturating_sub(k)).map(move |start| {
            count(&mut held, start + k - 1, true);
            let found = held;
            count(&mut held, start, false);
            found
        })
    }

    /// The class of an empty cell by the key of the windows through it.
    #[inline]
    fn class_of(&self, key: Key, own: u8, cell: usize) -> u8 {
        if key < 2 {
            return 0;
        }
        let needs = self.rule.k.saturating_sub(usize::from(key / 2));
        let open = key % 2 == 1;
        if open && needs == 1 { self.class_of_four(own, cell) } else { class(needs, open) }
    }

    /// The class of a cell that makes a four: two windows that lack one cell besides this one may lack
    /// the same.
    #[cold]
    fn class_of_four(&self, own: u8, cell: usize) -> u8 {
        let Rule { k, exact } = self.rule;
        let mut lacking = None;
        for start in (cell + 1).saturating_sub(k)..(cell + 1).min(self.cells + 1 - k) {
            let flanked = exact
                && (start > 0 && self.codes[start - 1] == own
                    || start + k < self.cells && self.codes[start + k] == own);
            let mut others = (start..start + k).filter(|&n| n != cell && self.codes[n] != own);
            if let (Some(gap), None, false) = (others.next(), others.next(), flanked)
                && self.codes[gap] == EMPTY
                && lacking.replace(gap).is_some_and(|other| other != gap)
            {
                return class(1, true);
            }
        }
        class(1, false)
    }
}

/// What a window is worth to both sides by their stones in it.
#[inline]
fn worth(held: [usize; 2], weights: &Weights) -> [i32; 2] {
    match held {
        [0, 0] => [weights.of(0); 2],
        [own, 0] => [weights.of(own), 0],
        [0, own] => [0, weights.of(own)],
        _ => [0; 2],
    }
}

/// From the keys of single windows of `k` cells, by their starts, those of all windows through a
/// cell.
fn keys_through(windows: &Keys, cells: usize, k: usize) -> Keys {
    let mut through = [0; LONGEST_LINE];
    // The keys of `width` windows, the last of which starts at the cell.
    let mut parts = *windows;
    let (mut width, mut done) = (1, 0);
    loop {
        if k & width != 0 {
            join_shifted(&mut through, &parts, done, cells);
            done += width;
        }
        if done >= k {
            return through;
        }
        let narrow = parts;
        join_shifted(&mut parts, &narrow, width, cells);
        width *= 2;
    }
}

/// Joins every cell's key with that of the cell so many before it.
#[inline]
fn join_shifted(keys: &mut Keys, others: &Keys, shift: usize, cells: usize) {
    if let Some(keys) = keys.get_mut(shift..cells.max(shift)) {
        keys.iter_mut().zip(others).for_each(|(key, &other)| *key = join(*key, other));
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::vec::Vec;

    use super::*;
    use crate::players::random::Dice;

    /// The class of an empty cell by its definition, window by window.
    fn slow_class(codes: &[u8], rule: Rule, own: u8, cell: usize) -> u8 {
        let Rule { k, exact } = rule;
        let is_own = |n: Option<&u8>| n == Some(&own);
        let mut lacking: Vec<Vec<usize>> = Vec::new();
        for start in (cell + 1).saturating_sub(k)..=cell {
            let Some(window) = codes.get(start..start + k) else { continue };
            let flanked = exact
                && k > 1
                && (start > 0 && is_own(codes.get(start - 1)) || is_own(codes.get(start + k)));
            if !flanked && window.iter().all(|&code| code == EMPTY || code == own) {
                lacking
                    .push((start..start + k).filter(|&n| n != cell && codes[n] == EMPTY).collect());
            }
        }
        let Some(needs) = lacking.iter().map(Vec::len).min() else { return 0 };
        lacking.retain(|gaps| gaps.len() == needs);
        let open = if needs == 1 {
            lacking.iter().any(|gaps| gaps != &lacking[0])
        } else {
            lacking.len() > 1
        };
        class(needs, open)
    }

    #[test]
    fn classes_are_those_of_the_windows_through_a_cell() {
        let mut dice = Dice::new(1);
        for round in 0..if cfg!(miri) { 20 } else { 4_000 } {
            let rule = Rule { k: 1 + dice.roll(12), exact: dice.roll(2) == 0 };
            let sparse = 2 + dice.roll(8);
            let codes: Vec<u8> = (0..1 + dice.roll(LONGEST_LINE))
                .map(|_| dice.roll(3 * sparse))
                .map(|roll| if roll < 3 { roll as u8 } else { EMPTY })
                .collect();
            let Some(strip) = Strip::new(codes.iter().copied(), rule) else {
                assert!(codes.len() < rule.k);
                continue;
            };
            let low = dice.roll(codes.len());
            let high = low + dice.roll(codes.len() - low);
            let mut visited = Vec::new();
            strip.for_each_class(low, high, |cell, found| {
                let expected = [1, 2].map(|own| slow_class(&codes, rule, own, cell));
                assert_eq!(found, expected[0] | expected[1] << 4, "{round}: {codes:?} at {cell}");
                visited.push(cell);
            });
            check_room(&strip, &codes, rule, low, high);
            let empty: Vec<usize> = (low..=high).filter(|&n| codes[n] == EMPTY).collect();
            assert_eq!(visited, empty);
        }
    }

    /// Low classes in long lines, and what a stone changes, against all windows one by one.
    fn check_room(strip: &Strip, codes: &[u8], rule: Rule, low: usize, high: usize) {
        let k = rule.k;
        let weights = Weights::fine(k);
        let worth = |codes: &[u8], own: u8, start: usize| {
            let window = &codes[start..start + k];
            let live = window.iter().all(|&code| code == EMPTY || code == own);
            if live { weights.of(window.iter().filter(|&&code| code == own).count()) } else { 0 }
        };
        let starts = 0..codes.len() + 1 - k;
        strip.for_each_class_in_long_lines(low, high, &weights, |cell, both| {
            for (own, class) in [(1, both & 0xF), (2, both >> 4)] {
                let plain = slow_class(codes, rule, own, cell);
                let through = starts.clone().filter(|&start| start <= cell && cell < start + k);
                let room: i32 = through.map(|start| worth(codes, own, start)).sum();
                let expected = match plain {
                    1..=HIGHEST_OF_ROOM => class_of_room(room as u32, k, &weights),
                    _ => plain,
                };
                assert_eq!(class, expected, "{codes:?} at {cell}, {own}");
            }
        });
        let total = |codes: &[u8], own| -> i32 {
            starts.clone().map(|start| worth(codes, own, start)).sum()
        };
        for (cell, &code) in codes.iter().enumerate().filter(|&(_, &code)| code != EMPTY) {
            let mut before = codes.to_vec();
            before[cell] = EMPTY;
            let expected = [1, 2].map(|own| total(codes, own) - total(&before, own));
            assert_eq!(
                strip.change_of_room(cell, Side::BOTH[usize::from(code - 1)], &weights),
                expected
            );
        }
    }

    #[test]
    fn windows_are_counted_that_a_stone_takes_away() {
        let rule = Rule { k: 3, exact: false };
        let strip = Strip::new([0, 0, 1, 0, 0, 2, 0].into_iter(), rule).expect("a strip");
        assert_eq!(strip.windows_without(3, 2), 2);
        assert_eq!(strip.windows_without(3, 1), 1);
        assert_eq!(strip.windows_without(5, 2), 2);
        assert_eq!(strip.windows_without(0, 1), 0);
    }
}
