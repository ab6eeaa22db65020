//! The tree that is kept between turns: moves with their order, in a pool of fixed size.
//!
//! A node knows its first child and its next sister, so a node's list of moves is a chain. Nodes
//! that are given back form a chain of their own, from which new ones are taken first.
//!
//! Policy: a node's moves are kept all together or not at all, and not at all when the pool has
//! too little room left. What is not kept is computed again when it is needed; the tree only
//! saves work and never changes a result.

use crate::game::Move;
use crate::search::ordering::Candidate;

/// A node's number in the pool.
pub(super) type Link = u16;
/// No node.
pub(super) const NONE: Link = Link::MAX;

#[derive(Clone, Copy, Debug)]
struct Node {
    first_child: Link,
    next: Link,
    mv: Move,
    order: u32,
}

const _: () = assert!(size_of::<Node>() == 12);

impl Node {
    const UNUSED: Node = Node { first_child: NONE, next: NONE, mv: Move::new(0), order: 0 };
}

/// A tree of at most `NODES` nodes (and at most 65,535).
#[derive(Clone, Debug)]
pub(super) struct Tree<const NODES: usize> {
    nodes: [Node; NODES],
    /// The first of the nodes that were given back.
    free: Link,
    /// Nodes from this one on were never in use.
    fresh: Link,
    used: usize,
    root: Link,
}

impl<const NODES: usize> Tree<NODES> {
    pub const fn new() -> Self {
        Tree { nodes: [Node::UNUSED; NODES], free: NONE, fresh: 0, used: 0, root: NONE }
    }

    /// How many nodes are in use.
    pub fn used(&self) -> usize {
        self.used
    }

    /// The root, or [`NONE`] if there is no room even for that.
    pub fn root(&self) -> Link {
        self.root
    }

    /// Starts afresh with a root that has no children yet.
    pub fn clear(&mut self) {
        (self.free, self.fresh, self.used) = (NONE, 0, 0);
        self.root = self.take(Move::new(0), 0, NONE);
    }

    /// Makes the child for this move the root and gives back all the rest. Without such a child
    /// the tree starts afresh.
    pub fn descend(&mut self, mv: Move) {
        let kept = self.child(self.root, mv);
        if kept == NONE {
            self.clear();
            return;
        }
        // The chain without the kept node goes back, and the old root as well.
        let mut before = NONE;
        let mut link = self.first_child(self.root);
        while link != kept && link != NONE {
            before = link;
            link = self.next(link);
        }
        let after = self.next(kept);
        match self.nodes.get_mut(usize::from(before)) {
            Some(node) => node.next = after,
            None => self.set_first_child(self.root, after),
        }
        self.set_next(kept, NONE);
        self.give_back(self.root);
        self.root = kept;
    }

    /// The child of a node for this move.
    pub fn child(&self, parent: Link, mv: Move) -> Link {
        let mut link = self.first_child(parent);
        while let Some(node) = self.nodes.get(usize::from(link)) {
            if node.mv == mv {
                return link;
            }
            link = node.next;
        }
        NONE
    }

    /// The moves of a node with their order; none if they are not kept.
    pub fn children(&self, parent: Link) -> impl Iterator<Item = (Move, u32)> {
        let mut link = self.first_child(parent);
        core::iter::from_fn(move || {
            let node = self.nodes.get(usize::from(link))?;
            link = node.next;
            Some((node.mv, node.order))
        })
    }

    /// Keeps a node's moves, if there is room for all of them and the node has none yet.
    pub fn keep_children(&mut self, parent: Link, moves: &[Candidate]) {
        let room = NODES.min(usize::from(NONE)) - self.used;
        if parent == NONE || moves.len() > room || self.first_child(parent) != NONE {
            return;
        }
        let mut first = NONE;
        for candidate in moves.iter().rev() {
            first = self.take(candidate.mv(), candidate.order(), first);
        }
        self.set_first_child(parent, first);
    }

    /// Takes a node from the pool, or [`NONE`] if it is empty.
    fn take(&mut self, mv: Move, order: u32, next: Link) -> Link {
        let link = if self.free == NONE { self.fresh } else { self.free };
        if link == NONE {
            return NONE;
        }
        let Some(node) = self.nodes.get_mut(usize::from(link)) else { return NONE };
        if self.free == NONE {
            self.fresh += 1;
        } else {
            self.free = node.next;
        }
        *node = Node { first_child: NONE, next, mv, order };
        self.used += 1;
        link
    }

    /// Gives back a chain of nodes and all that is below them. A node's children are put in
    /// front of what is left of the chain, so no stack is needed.
    fn give_back(&mut self, chain: Link) {
        let mut left = chain;
        while let Some(&Node { first_child, next, .. }) = self.nodes.get(usize::from(left)) {
            let freed = left;
            left = next;
            if first_child != NONE {
                let mut last = first_child;
                while self.next(last) != NONE {
                    last = self.next(last);
                }
                self.set_next(last, left);
                left = first_child;
            }
            self.set_first_child(freed, NONE);
            self.set_next(freed, self.free);
            self.free = freed;
            self.used -= 1;
        }
    }

    fn first_child(&self, link: Link) -> Link {
        self.nodes.get(usize::from(link)).map_or(NONE, |node| node.first_child)
    }

    fn next(&self, link: Link) -> Link {
        self.nodes.get(usize::from(link)).map_or(NONE, |node| node.next)
    }

    fn set_first_child(&mut self, link: Link, child: Link) {
        if let Some(node) = self.nodes.get_mut(usize::from(link)) {
            node.first_child = child;
        }
    }

    fn set_next(&mut self, link: Link, next: Link) {
        if let Some(node) = self.nodes.get_mut(usize::from(link)) {
            node.next = next;
        }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::vec::Vec;

    fn moves(numbers: &[usize]) -> Vec<Candidate> {
        numbers.iter().map(|&n| Candidate::new(Move::new(n), n as u32)).collect()
    }

    fn listed<const NODES: usize>(tree: &Tree<NODES>, parent: Link) -> Vec<usize> {
        tree.children(parent).map(|(mv, _)| mv.index()).collect()
    }

    #[test]
    fn a_descent_keeps_one_branch_and_gives_the_rest_back() {
        let mut tree = Tree::<12>::new();
        tree.clear();
        tree.keep_children(tree.root(), &moves(&[1, 2, 3]));
        for mv in [1, 2, 3] {
            let child = tree.child(tree.root(), Move::new(mv));
            tree.keep_children(child, &moves(&[mv + 10, mv + 20]));
        }
        assert_eq!(tree.used(), 10);
        // Three more do not fit, two do.
        let inner = tree.child(tree.child(tree.root(), Move::new(2)), Move::new(12));
        tree.keep_children(inner, &moves(&[5, 6, 7]));
        assert_eq!((tree.used(), listed(&tree, inner)), (10, Vec::new()));
        tree.keep_children(inner, &moves(&[5, 6]));
        assert_eq!((tree.used(), listed(&tree, inner)), (12, Vec::from([5, 6])));
        tree.descend(Move::new(2));
        assert_eq!((tree.used(), listed(&tree, tree.root())), (5, Vec::from([12, 22])));
        tree.descend(Move::new(12));
        assert_eq!((tree.used(), listed(&tree, tree.root())), (3, Vec::from([5, 6])));
        // All that was given back can be used again.
        let child = tree.child(tree.root(), Move::new(6));
        tree.keep_children(child, &moves(&[1, 2, 3, 4, 5, 6, 7, 8, 9]));
        assert_eq!((tree.used(), listed(&tree, child).len()), (12, 9));
        tree.descend(Move::new(99));
        assert_eq!((tree.used(), listed(&tree, tree.root())), (1, Vec::new()));
    }

    #[test]
    fn a_pool_without_room_keeps_nothing() {
        let mut tree = Tree::<0>::new();
        tree.clear();
        assert_eq!((tree.root(), tree.used()), (NONE, 0));
        tree.keep_children(tree.root(), &moves(&[1]));
        tree.descend(Move::new(1));
        assert_eq!((tree.child(tree.root(), Move::new(1)), tree.used()), (NONE, 0));
    }
}
