//! The order in which moves are tried: one shared stack of candidates for the whole search.
//!
//! A node's candidates lie on top of its parent's and are dropped when the node is done, so a
//! search frame holds two numbers and no list. When the stack is full the search treats the node
//! as a leaf; [`MoveSink`] tells it.

use crate::game::Move;

/// A move with its place in the queue, in four bytes: the order above the move's bits. Among
/// equals the lower move number comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Candidate(u32);

impl Candidate {
    /// The greatest order; greater values are cut to it.
    pub const MAX_ORDER: u32 = (1 << (32 - Move::BITS)) - 1;

    /// A candidate to fill storage with.
    pub const NONE: Candidate = Candidate(0);

    /// A move and its order.
    #[must_use]
    pub const fn new(mv: Move, order: u32) -> Candidate {
        let order = if order > Self::MAX_ORDER { Self::MAX_ORDER } else { order };
        Candidate((order << Move::BITS) | (Move::LIMIT - 1 - mv.index()) as u32)
    }

    /// The move.
    #[must_use]
    pub const fn mv(self) -> Move {
        Move::new(Move::LIMIT - 1 - (self.0 as usize & (Move::LIMIT - 1)))
    }

    /// The order: greater is tried earlier.
    #[must_use]
    pub const fn order(self) -> u32 {
        self.0 >> Move::BITS
    }
}

/// Where a game puts its moves: the free part of the search's move stack.
#[derive(Debug)]
pub struct MoveSink<'a> {
    storage: &'a mut [Candidate],
    len: usize,
    overflowed: bool,
    selective: bool,
    wanted: Wanted,
    wants_proof: bool,
}

/// Which moves a search wants from a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Every legal move, however bad.
    All,
    /// Those worth a search.
    Worthwhile,
    /// The same, but where the opponent threatens to make two threats at once, only those that do
    /// something about it.
    Answers,
    /// Those that threaten to win at once.
    Fours,
    /// Those that threaten to win at once, and those that threaten to threaten so twice.
    Attacks,
}

impl<'a> MoveSink<'a> {
    /// A sink for moves worth a search that fills `storage` from its start.
    #[must_use]
    pub fn new(storage: &'a mut [Candidate]) -> MoveSink<'a> {
        MoveSink::wanting(Wanted::Worthwhile, storage)
    }

    /// The same for somebody who wants these moves.
    #[must_use]
    pub fn wanting(wanted: Wanted, storage: &'a mut [Candidate]) -> MoveSink<'a> {
        MoveSink {
            storage,
            len: 0,
            overflowed: false,
            selective: false,
            wanted,
            wants_proof: false,
        }
    }

    /// Which moves are wanted.
    #[must_use]
    pub fn wanted(&self) -> Wanted {
        self.wanted
    }

    /// Whether every legal move is wanted, however bad.
    #[must_use]
    pub fn wants_all(&self) -> bool {
        self.wanted == Wanted::All
    }

    /// The same sink, for somebody who wants a proof: no move that might matter may be left out.
    #[must_use]
    pub fn for_proof(self, wants_proof: bool) -> MoveSink<'a> {
        MoveSink { wants_proof, ..self }
    }

    /// Whether a proof is wanted.
    #[must_use]
    pub fn wants_proof(&self) -> bool {
        self.wants_proof
    }

    /// Adds a move. When there is no room it is dropped and the sink remembers.
    pub fn push(&mut self, mv: Move, order: u32) {
        match self.storage.get_mut(self.len) {
            Some(slot) => {
                *slot = Candidate::new(mv, order);
                self.len += 1;
            }
            None => self.overflowed = true,
        }
    }

    /// Keeps the `count` best of the moves so far and drops the others, unless somebody wants all.
    pub fn keep_best(&mut self, count: usize) {
        if self.wants_all() || count == 0 || count >= self.len {
            return;
        }
        let Some(moves) = self.storage.get_mut(..self.len) else { return };
        let (kept, rest) = moves.split_at_mut(count);
        // A heap with the worst of those kept on top.
        for top in (0..count / 2).rev() {
            sift_down(kept, top);
        }
        for &candidate in rest.iter() {
            if let Some(worst) = kept.first_mut()
                && candidate > *worst
            {
                *worst = candidate;
                sift_down(kept, 0);
            }
        }
        self.len = count;
        self.mark_selective();
    }

    /// The game says that it left out moves that might matter: what follows from this list is a
    /// good guess and no proof.
    pub fn mark_selective(&mut self) {
        self.selective = true;
    }

    /// How many moves are in.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether no move is in.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether a move was dropped for want of room.
    #[must_use]
    pub fn overflowed(&self) -> bool {
        self.overflowed
    }

    /// Whether the game left out moves that might matter.
    #[must_use]
    pub fn is_selective(&self) -> bool {
        self.selective
    }

    /// The moves so far.
    #[must_use]
    pub fn candidates(&self) -> &[Candidate] {
        self.storage.get(..self.len).unwrap_or(&[])
    }
}

/// Lets the candidate at `top` sink until neither of the two below it is less.
fn sift_down(heap: &mut [Candidate], top: usize) {
    let mut at = top;
    loop {
        let below = [2 * at + 1, 2 * at + 2].into_iter().filter(|&below| below < heap.len());
        let Some(least) = below.min_by_key(|&below| heap.get(below).copied()) else { return };
        match heap.get_disjoint_mut([least, at]) {
            Ok([below, here]) if *below < *here => core::mem::swap(below, here),
            _ => return,
        }
        at = least;
    }
}

/// Brings the best candidate of `rest` to its front and returns it: a selection sort taken one
/// step at a time, since most nodes look at few of their moves.
pub fn pick_next(rest: &mut [Candidate]) -> Option<Candidate> {
    let mut best = 0;
    let first = *rest.first()?;
    let mut best_candidate = first;
    for (index, &candidate) in rest.iter().enumerate().skip(1) {
        if candidate > best_candidate {
            best = index;
            best_candidate = candidate;
        }
    }
    if let Some(slot) = rest.get_mut(best) {
        *slot = first;
    }
    if let Some(slot) = rest.first_mut() {
        *slot = best_candidate;
    }
    Some(best_candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_are_kept_and_no_other() {
        let orders = |n: usize| ((n * 7919 + 13) % 101) as u32;
        for len in [1, 2, 3, 10, 99, 100] {
            for count in [0, 1, 2, 3, 7, 50, 98, 99, 100, 200] {
                let mut storage = [Candidate::NONE; 100];
                let mut sink = MoveSink::new(&mut storage);
                (0..len).for_each(|n| sink.push(Move::new(n), orders(n)));
                let mut all = [Candidate::NONE; 100];
                all[..len].copy_from_slice(sink.candidates());
                all[..len].sort_unstable_by(|one, other| other.cmp(one));
                sink.keep_best(count);
                let kept = if count == 0 { len } else { count.min(len) };
                assert_eq!((sink.len(), sink.is_selective()), (kept, kept < len));
                storage[..kept].sort_unstable_by(|one, other| other.cmp(one));
                assert_eq!(storage[..kept], all[..kept]);
            }
        }
    }

    #[test]
    fn candidates_come_back_as_they_went_in_and_best_first() {
        for (mv, order) in [(0, 0), (4_899, 1), (8_191, Candidate::MAX_ORDER)] {
            let candidate = Candidate::new(Move::new(mv), order);
            assert_eq!((candidate.mv().index(), candidate.order()), (mv, order));
        }
        let mut storage = [Candidate::NONE; 3];
        let mut sink = MoveSink::new(&mut storage);
        for (mv, order) in [(7, 5), (2, 9), (1, 9), (3, 99)] {
            sink.push(Move::new(mv), order);
        }
        assert!(sink.overflowed() && sink.len() == 3);
        let mut order = [0; 3];
        for (n, slot) in order.iter_mut().enumerate() {
            *slot = pick_next(&mut storage[n..]).map_or(0, |c| c.mv().index());
        }
        assert_eq!(order, [1, 2, 7]);
        assert_eq!(pick_next(&mut []), None);
    }
}
