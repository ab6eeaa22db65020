//! Islands as a union-find that can be taken back.
//!
//! Union by size and no path compression: a merge changes one link and the sums at one root, so
//! that undoing it is as cheap, and no cell is deeper than the logarithm of its island's size
//! (at most 8 links on a 20x20 board). Merges are undone in reverse order.
//!
//! A merge makes one island of two, and cells that were never merged are islands of one cell, so
//! at most `CELLS - 1` merges are alive at a time: their stack cannot overflow.

use heapless::Vec;

use crate::guarded::{Array, Guarded};

/// An island, as far as its worth goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Island {
    /// Cells of the island.
    pub cells: u16,
    /// Pairs of a cell of the island and a neighbouring *open* cell: a free one with a free
    /// neighbour, so that a brick fits there. An island without exits stays as it is for ever.
    pub exits: u16,
}

/// The islands of both sides on a board of up to `CELLS` cells.
///
/// A cell without a stone is an island of one cell without exits, which nobody asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Islands<const CELLS: usize> {
    /// A cell's link towards the root of its island; a root links to itself.
    parent: Array<u16, CELLS>,
    /// What the subtree below a cell adds up to; at a root, the island.
    sums: Array<Island, CELLS>,
    /// The former roots that lost this quality, oldest merge first.
    merged: Vec<u16, CELLS>,
}

impl<const CELLS: usize> Islands<CELLS> {
    const SINGLE: Island = Island { cells: 1, exits: 0 };
    const CAPACITY_FITS: () = assert!(CELLS <= u16::MAX as usize);

    /// Every cell alone.
    #[must_use]
    pub fn new() -> Self {
        let () = Self::CAPACITY_FITS;
        Islands {
            parent: Guarded::new(core::array::from_fn(|cell| cell as u16), 0),
            sums: Guarded::new([Self::SINGLE; CELLS], Self::SINGLE),
            merged: Vec::new(),
        }
    }

    /// The root of the island that holds `cell`: two cells are on one island if and only if their
    /// roots are equal.
    #[must_use]
    pub fn root(&self, cell: usize) -> usize {
        let mut cell = cell;
        loop {
            let parent = self.parent[cell] as usize;
            if parent == cell {
                return cell;
            }
            cell = parent;
        }
    }

    /// The island with this root.
    #[must_use]
    pub fn at(&self, root: usize) -> Island {
        self.sums[root]
    }

    /// Sets the number of exits of the island with this root.
    pub fn set_exits(&mut self, root: usize, exits: u16) {
        self.sums[root].exits = exits;
    }

    /// Makes one island of the two with these roots, and returns its root. Equal roots: nothing
    /// happens.
    pub fn merge(&mut self, one: usize, other: usize) -> usize {
        let (parent, child) = if self.sums[one].cells >= self.sums[other].cells {
            (one, other)
        } else {
            (other, one)
        };
        if parent != child && self.merged.push(child as u16).is_ok() {
            self.parent[child] = parent as u16;
            self.sums[parent].cells += self.sums[child].cells;
            self.sums[parent].exits += self.sums[child].exits;
        }
        parent
    }

    /// Undoes the last merge and returns the roots of the two islands, or `None` if there is
    /// none. The exits must have been put back to what they were after that merge.
    pub fn split_last(&mut self) -> Option<(usize, usize)> {
        let child = self.merged.pop()? as usize;
        let parent = self.parent[child] as usize;
        self.parent[child] = child as u16;
        self.sums[parent].cells -= self.sums[child].cells;
        self.sums[parent].exits -= self.sums[child].exits;
        Some((parent, child))
    }

    /// Whether the cell is an island by itself.
    #[must_use]
    pub fn is_alone(&self, cell: usize) -> bool {
        self.parent[cell] as usize == cell && self.sums[cell].cells == 1
    }
}

impl<const CELLS: usize> Default for Islands<CELLS> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merges_are_undone_in_reverse_and_leave_no_trace() {
        let mut islands = Islands::<8>::new();
        for cell in 0..8 {
            islands.set_exits(cell, cell as u16);
        }
        let single = islands.clone();
        assert_eq!(islands.merge(0, 1), 0);
        assert_eq!(islands.merge(2, 3), 2);
        let pairs = islands.clone();
        assert_eq!(islands.merge(4, 2), 2); // the larger stays the root
        assert_eq!(islands.merge(islands.root(1), islands.root(4)), 2);
        assert_eq!(islands.at(islands.root(3)), Island { cells: 5, exits: 10 });
        assert_eq!(islands.merge(2, 2), 2); // nothing to merge, nothing to undo
        assert_eq!(islands.split_last(), Some((2, 0)));
        assert_eq!(islands.split_last(), Some((2, 4)));
        assert!(islands.is_alone(4) && !islands.is_alone(2) && !islands.is_alone(3));
        assert_eq!(islands, pairs);
        assert!(islands.split_last().is_some() && islands.split_last().is_some());
        assert_eq!(islands, single);
        assert_eq!(islands.split_last(), None);
    }

    #[test]
    fn no_cell_is_deeper_than_the_logarithm_of_its_island() {
        let mut islands = Islands::<256>::new();
        let mut width = 1;
        while width < 256 {
            for start in (0..256).step_by(2 * width) {
                islands.merge(islands.root(start), islands.root(start + width));
            }
            width *= 2;
        }
        for cell in 0..256 {
            let (mut at, mut depth) = (cell, 0);
            while islands.parent[at] as usize != at {
                at = islands.parent[at] as usize;
                depth += 1;
            }
            assert!(depth <= 8);
        }
        assert_eq!(islands.at(islands.root(77)).cells, 256);
    }
}
