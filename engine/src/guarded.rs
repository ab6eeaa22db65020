//! Indexing and division that cannot panic.
//!
//! Cell numbers come from the game itself, so an index outside is a mistake in this program and not
//! in its input. Tests must see it: with debug assertions on, it panics as an array would. A device
//! has nobody to restart it: without them, what lies outside is a spare element of its own, so that
//! no cell of the board is read or written by mistake. It costs what the panic's check would.

use core::ops::{Deref, DerefMut, Index, IndexMut};

/// An array or a list, and one element more for every index outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Guarded<A, T> {
    items: A,
    spare: T,
}

/// An array of fixed length.
pub(crate) type Array<T, const N: usize> = Guarded<[T; N], T>;
/// A list up to a capacity.
pub(crate) type List<T, const N: usize> = Guarded<heapless::Vec<T, N>, T>;

impl<A, T> Guarded<A, T> {
    /// These items; `spare` is what an index outside finds.
    #[inline(always)]
    pub(crate) const fn new(items: A, spare: T) -> Self {
        Guarded { items, spare }
    }
}

impl<A, T> Deref for Guarded<A, T> {
    type Target = A;

    #[inline(always)]
    fn deref(&self) -> &A {
        &self.items
    }
}

impl<A, T> DerefMut for Guarded<A, T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut A {
        &mut self.items
    }
}

impl<A: AsRef<[T]>, T> Index<usize> for Guarded<A, T> {
    type Output = T;

    #[inline(always)]
    #[track_caller]
    fn index(&self, index: usize) -> &T {
        let item = self.items.as_ref().get(index);
        debug_assert!(item.is_some(), "index {index} is outside");
        item.unwrap_or(&self.spare)
    }
}

impl<A: AsRef<[T]> + AsMut<[T]>, T> IndexMut<usize> for Guarded<A, T> {
    #[inline(always)]
    #[track_caller]
    fn index_mut(&mut self, index: usize) -> &mut T {
        let item = self.items.as_mut().get_mut(index);
        debug_assert!(item.is_some(), "index {index} is outside");
        item.unwrap_or(&mut self.spare)
    }
}

/// Row and column of a cell on a board that has columns; on one without, the cell's number and 0.
#[inline(always)]
pub(crate) const fn row_and_col(cell: usize, cols: usize) -> (usize, usize) {
    debug_assert!(cols > 0, "a board without columns");
    match core::num::NonZero::new(cols) {
        Some(cols) => (cell / cols.get(), cell % cols.get()),
        None => (cell, 0),
    }
}

/// `value`, or the nearest of two bounds. Bounds that contradict each other are a mistake; the
/// upper one counts then.
#[inline(always)]
pub(crate) fn between<T: Ord>(value: T, low: T, high: T) -> T {
    debug_assert!(low <= high, "bounds that contradict each other");
    value.max(low).min(high)
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;

    #[test]
    fn inside_it_is_an_array() {
        let mut array: Array<u8, 3> = Guarded::new([1, 2, 3], 0);
        array[1] += 5;
        assert_eq!((array[0], array[1], array[2]), (1, 7, 3));
        assert_eq!(array.iter().sum::<u8>(), 11);
        let mut list: List<u16, 4> = Guarded::new(heapless::Vec::new(), 9);
        assert!(list.push(5).is_ok());
        list[0] = 6;
        assert_eq!(list[0], 6);
    }

    #[test]
    fn an_index_outside_is_seen_in_tests_and_harmless_elsewhere() {
        let read = || Guarded::<[u8; 2], u8>::new([1, 2], 0)[2];
        let write = || {
            let mut array: Array<u8, 2> = Guarded::new([1, 2], 0);
            array[2] = 9;
            *array
        };
        if cfg!(debug_assertions) {
            assert!(std::panic::catch_unwind(read).is_err());
            assert!(std::panic::catch_unwind(write).is_err());
        } else {
            assert_eq!(read(), 0);
            assert_eq!(write(), [1, 2]);
        }
    }

    #[test]
    fn cells_have_rows_and_columns() {
        // Miri is slow.
        let (most_cols, cells) = if cfg!(miri) { (10, 100) } else { (100, 10_000) };
        for cols in 1..=most_cols {
            for cell in 0..cells {
                assert_eq!(row_and_col(cell, cols), (cell / cols, cell % cols));
            }
        }
        assert_eq!([between(5, 1, 3), between(0, 1, 3), between(2, 1, 3)], [3, 1, 2]);
    }
}
