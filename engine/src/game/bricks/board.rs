//! Bricks on a board of any size, in arrays.
//!
//! Everything that the search asks at every node is kept up to date stone by stone: islands,
//! points, hopes of growth, open cells, placements that still fit, key. A stone touches its
//! neighbours and theirs, so the cost of a move does not depend on the size of the board (but
//! for the height of the union-find, at most 8). The memory is about 12 bytes per cell.

use heapless::Vec;

use crate::game::bricks::account::{self, Holdings, Piece, Standing, Totals};
use crate::game::bricks::geometry::Geometry;
use crate::game::bricks::islands::{Island, Islands};
use crate::game::bricks::survey::{self, Chart, Rows, WIDTHS};
use crate::game::bricks::{BRICK_CELLS, MAX_SURVEYED_SIDE, is_surveyed};
use crate::game::keys::Keys;
use crate::game::{Effort, Game, IllegalMove, Move, Outcome, Side, Symmetry};
use crate::guarded::{Array, Guarded};
use crate::score::Score;
use crate::search::ordering::MoveSink;
use crate::spec::{BRICKS_MAX_SIDE, GameSpec, SpecError};

/// A game of bricks on a board of up to `CELLS` cells: 400 for 20x20, 121 for 11x11.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bricks<const CELLS: usize> {
    geometry: Geometry,
    colours: Array<Option<Side>, CELLS>,
    /// Free cells next to each cell. A free cell with a free neighbour is *open*.
    free_beside: Array<u8, CELLS>,
    islands: Islands<CELLS>,
    totals: [Totals; 2],
    /// The stones of each side by rows, where boards are surveyed.
    rows: [Rows; 2],
    /// Open cells by shade.
    open: [u16; 2],
    /// Bricks that still fit.
    placements: u16,
    key: u64,
    /// The moves played. Half the capacity would do.
    history: Vec<Move, CELLS>,
}

/// Whether a stone comes or goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Change {
    Comes,
    Goes,
}

impl Change {
    /// `count`, `by` less if a stone comes and more if it goes.
    const fn apply(self, count: u16, by: u16) -> u16 {
        match self {
            Change::Comes => count.saturating_sub(by),
            Change::Goes => count.saturating_add(by),
        }
    }
}

impl<const CELLS: usize> Bricks<CELLS> {
    const KEYS: Keys = Keys::Hashed;

    /// The stones of each row as bits, the leftmost cell in the lowest, between two empty rows.
    fn taken(&self) -> [u32; BRICKS_MAX_SIDE as usize + 2] {
        let mut rows = [0; BRICKS_MAX_SIDE as usize + 2];
        let stones = self.colours.chunks(self.geometry.size().max(1)).take(self.geometry.size());
        for (row, stones) in rows.iter_mut().skip(1).zip(stones) {
            for (col, stone) in stones.iter().enumerate() {
                *row |= u32::from(stone.is_some()) << col;
            }
        }
        rows
    }

    /// The value by which a brick on these cells is ordered.
    fn order(&self, mover: Side, pair: [usize; BRICK_CELLS]) -> u32 {
        let beside = pair.into_iter().flat_map(|cell| self.geometry.neighbours(cell));
        let stones = beside.filter_map(|cell| {
            let side = self.colours[cell]?;
            let root = self.islands.root(cell);
            Some((side, root as u16, self.islands.at(root).cells))
        });
        account::order(mover, stones)
    }

    /// The empty board with `size` rows and columns.
    ///
    /// # Errors
    /// The size is 0 or beyond what any build accepts, or the board has more than `CELLS` cells.
    pub fn new(size: u8) -> Result<Self, SpecError> {
        let geometry = Geometry::new(size, CELLS)?;
        let mut free_beside = [0; CELLS];
        let mut open = [0; 2];
        for (cell, count) in free_beside.iter_mut().enumerate().take(geometry.cells()) {
            *count = geometry.neighbours(cell).count() as u8;
            open[geometry.shade(cell)] += u16::from(*count > 0);
        }
        Ok(Bricks {
            geometry,
            colours: Guarded::new([None; CELLS], None),
            free_beside: Guarded::new(free_beside, 0),
            islands: Islands::new(),
            totals: [Totals::new(geometry.size()); 2],
            rows: [[0; MAX_SURVEYED_SIDE]; 2],
            open,
            placements: geometry.placements() as u16,
            key: 0,
            history: Vec::new(),
        })
    }

    /// The points of a side.
    #[must_use]
    pub fn points(&self, side: Side) -> Score {
        self.totals[side.index()].points
    }

    fn is_open(&self, cell: usize) -> bool {
        self.colours[cell].is_none() && self.free_beside[cell] > 0
    }

    /// In the order in which they came.
    fn stones(&self) -> impl Iterator<Item = (usize, Side)> {
        self.history.iter().enumerate().flat_map(|(n, &mv)| {
            let cells = self.geometry.cells_of(mv).into_iter().flatten();
            cells.map(move |cell| (cell, Side::at_ply(n)))
        })
    }

    /// One exit less (a stone comes) or more (it goes) for the island that holds this stone.
    fn change_exits(&mut self, cell: usize, side: Side, change: Change) {
        let root = self.islands.root(cell);
        let island = self.islands.at(root);
        let changed = Island { exits: change.apply(island.exits, 1), ..island };
        self.islands.set_exits(root, changed.exits);
        self.totals[side.index()].remove(island);
        self.totals[side.index()].add(changed);
    }

    /// Accounts for `cell` being taken or freed, the islands' own cells aside, and returns how
    /// many exits a stone there has. While this runs, the stone on `cell` is on no island.
    fn change_surroundings(&mut self, cell: usize, change: Change) -> u16 {
        let geometry = self.geometry;
        let free_beside = self.free_beside[cell];
        let was_open = free_beside > 0;
        self.placements = change.apply(self.placements, u16::from(free_beside));
        let shade = geometry.shade(cell);
        self.open[shade] = change.apply(self.open[shade], u16::from(was_open));
        let mut exits = 0;
        for neighbour in geometry.neighbours(cell) {
            let before = u16::from(self.free_beside[neighbour]);
            let after = change.apply(before, 1);
            self.free_beside[neighbour] = after as u8;
            if let Some(side) = self.colours[neighbour] {
                if was_open {
                    self.change_exits(neighbour, side, change);
                }
            } else if before.min(after) > 0 {
                exits += 1;
            } else {
                // A hole of one cell comes into being or opens: no brick fits, so it is no exit.
                self.open[1 - shade] = change.apply(self.open[1 - shade], 1);
                for beyond in geometry.neighbours(neighbour).filter(|&beyond| beyond != cell) {
                    if let Some(side) = self.colours[beyond] {
                        self.change_exits(beyond, side, change);
                    }
                }
            }
        }
        exits
    }

    /// A stone comes or goes in the rows.
    fn flip(&mut self, cell: usize, side: Side) {
        let (row, col) = self.geometry.place_of(cell);
        if let Some(row) = self.rows[side.index()].get_mut(row) {
            // On larger boards, which are not surveyed, there is no bit for every column.
            *row ^= 2_u16.unbounded_shl(col as u32);
        }
    }

    /// Puts a stone on a free cell.
    fn place(&mut self, cell: usize, side: Side) {
        let exits = self.change_surroundings(cell, Change::Comes);
        self.colours[cell] = Some(side);
        self.flip(cell, side);
        self.key = Self::KEYS.with(self.key, cell, side);
        self.islands.set_exits(cell, exits);
        let totals = &mut self.totals[side.index()];
        totals.add(self.islands.at(cell));
        for neighbour in self.geometry.neighbours(cell) {
            if self.colours[neighbour] != Some(side) {
                continue;
            }
            let (one, other) = (self.islands.root(cell), self.islands.root(neighbour));
            if one != other {
                totals.remove(self.islands.at(one));
                totals.remove(self.islands.at(other));
                let root = self.islands.merge(one, other);
                totals.add(self.islands.at(root));
            }
        }
    }

    /// Takes the stone away that was put last.
    fn remove(&mut self, cell: usize, side: Side) {
        let totals = &mut self.totals[side.index()];
        // Every merge that the stone brought about has its island on one side: once the stone is
        // alone, all of them are undone and no other.
        while !self.islands.is_alone(cell) {
            let root = self.islands.root(cell);
            totals.remove(self.islands.at(root));
            let Some((one, other)) = self.islands.split_last() else {
                break;
            };
            totals.add(self.islands.at(one));
            totals.add(self.islands.at(other));
        }
        totals.remove(self.islands.at(cell));
        self.islands.set_exits(cell, 0);
        self.key = Self::KEYS.without(self.key, cell, side);
        self.colours[cell] = None;
        self.flip(cell, side);
        self.change_surroundings(cell, Change::Goes);
    }
}

impl<const CELLS: usize> Chart for Bricks<CELLS> {
    fn size(&self) -> usize {
        self.geometry.size()
    }

    fn rows(&self, side: Side) -> Rows {
        self.rows[side.index()]
    }

    fn island(&self, cell: usize) -> (usize, u16) {
        let root = self.islands.root(cell);
        (root, self.islands.at(root).cells)
    }

    fn points(&self, side: Side) -> Score {
        self.totals[side.index()].points
    }
}

impl<const CELLS: usize> Standing for Bricks<CELLS> {
    fn mover(&self) -> Side {
        self.side_to_move()
    }

    fn points(&self, side: Side) -> Score {
        self.totals[side.index()].points
    }

    fn plies(&self) -> usize {
        usize::from(self.open[0].min(self.open[1]))
    }

    fn holdings(&self, side: Side) -> Holdings {
        self.totals[side.index()].holdings
    }

    fn pieces(&self, with: Option<Side>, mut each: impl FnMut(Piece)) {
        let mut seen = Guarded::new([false; CELLS], true);
        let mut waiting: Vec<u16, CELLS> = Vec::new();
        for start in 0..self.geometry.cells() {
            let mut piece = Piece::default();
            let mut visit = |cell: usize, waiting: &mut Vec<u16, CELLS>| {
                let is_stone = self.colours[cell].is_some();
                let belongs =
                    if is_stone { self.colours[cell] == with } else { self.is_open(cell) };
                if belongs && !seen[cell] {
                    seen[cell] = true;
                    // Each cell waits once at most: there is room for all.
                    let _ = waiting.push(cell as u16);
                    if is_stone {
                        piece.stones += 1;
                    } else {
                        piece.open[self.geometry.shade(cell)] += 1;
                    }
                }
            };
            visit(start, &mut waiting);
            while let Some(cell) = waiting.pop() {
                for neighbour in self.geometry.neighbours(cell as usize) {
                    visit(neighbour, &mut waiting);
                }
            }
            if piece != Piece::default() {
                each(piece);
            }
        }
    }
}

impl<const CELLS: usize> Game for Bricks<CELLS> {
    const FAMILY: Option<crate::game::Family> = Some(crate::game::Family::Bricks);
    const WIDTHS: &'static [usize] = WIDTHS;

    fn spec(&self) -> GameSpec {
        self.geometry.spec()
    }

    fn ply(&self) -> usize {
        self.history.len()
    }

    fn played(&self, n: usize) -> Option<Move> {
        self.history.get(n).copied()
    }

    fn stone(&self, cell: usize) -> Option<Side> {
        self.colours.get(cell).copied().flatten()
    }

    fn check(&self, mv: Move) -> Result<(), IllegalMove> {
        if self.placements == 0 {
            return Err(IllegalMove::GameOver);
        }
        let pair = self.geometry.cells_of(mv).ok_or(IllegalMove::OutsideBoard)?;
        if pair.iter().any(|&cell| self.colours[cell].is_some()) {
            return Err(IllegalMove::Occupied);
        }
        Ok(())
    }

    fn make(&mut self, mv: Move) {
        debug_assert_eq!(self.check(mv), Ok(()));
        let side = self.side_to_move();
        if let Some(pair) = self.geometry.cells_of(mv)
            && pair.iter().all(|&cell| self.colours[cell].is_none())
            && self.history.push(mv).is_ok()
        {
            for cell in pair {
                self.place(cell, side);
            }
        }
    }

    fn unmake(&mut self) {
        let Some(pair) = self.history.pop().and_then(|mv| self.geometry.cells_of(mv)) else {
            return;
        };
        let side = self.side_to_move();
        for cell in pair.into_iter().rev() {
            self.remove(cell, side);
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.placements == 0).then(|| account::outcome(self.totals.map(|totals| totals.points)))
    }

    fn final_score(&self) -> Option<Score> {
        let side = self.side_to_move();
        (self.placements == 0).then(|| self.points(side) - self.points(side.other()))
    }

    fn plies_left(&self) -> usize {
        self.plies()
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn key_bits(&self) -> u32 {
        Self::KEYS.bits(self.geometry.cells())
    }

    fn evaluate(&self) -> Score {
        let side = self.side_to_move();
        if is_surveyed(self.geometry.size()) {
            return survey::evaluate(self, side, 0);
        }
        account::evaluate(&self.totals[side.index()], &self.totals[side.other().index()])
    }

    fn bounds(&self, alpha: Score, beta: Score, effort: Effort) -> (Score, Score) {
        account::bounds(self, alpha, beta, effort)
    }

    fn generate(&self, sink: &mut MoveSink<'_>) {
        if is_surveyed(self.geometry.size()) && !sink.wants_proof() {
            let (mover, plies) = (self.side_to_move(), self.plies());
            return survey::generate(self, mover, plies, self.geometry, 0, sink);
        }
        let (mover, size) = (self.side_to_move(), self.geometry.size());
        let taken = self.taken();
        // The rows around row `n - 1`; there is an empty one beyond either edge.
        let row = |n: usize| taken.get(n).copied().unwrap_or(0);
        let beside = |n: usize| row(n) << 1 | row(n) >> 1 | row(n - 1) | row(n + 1);
        let free = |n: usize| !row(n) & ((1 << size) - 1);
        let alone = account::order(mover, core::iter::empty());
        let mut push_all = |from: usize, mut bricks: u32, touching: u32, step: usize| {
            while bricks != 0 {
                let col = bricks.trailing_zeros();
                bricks &= bricks - 1;
                let cell = from + col as usize;
                let is_alone = touching >> col & 1 == 0;
                let order = if is_alone { alone } else { self.order(mover, [cell, cell + step]) };
                let mv = match step {
                    1 => self.geometry.horizontal(cell),
                    _ => self.geometry.vertical(cell),
                };
                sink.push(mv, order);
            }
        };
        for n in 1..=size {
            let (open, near) = (free(n), beside(n));
            push_all((n - 1) * size, open & open >> 1, near | near >> 1, 1);
        }
        for n in 1..size {
            let (open, near) = (free(n) & free(n + 1), beside(n) | beside(n + 1));
            push_all((n - 1) * size, open, near, size);
        }
    }

    fn symmetries(&self) -> u8 {
        u8::MAX
    }

    fn key_under(&self, symmetry: Symmetry) -> u64 {
        let mapped = |(cell, side)| (self.geometry.map_cell(cell, symmetry), side);
        Self::KEYS.of_stones(self.stones().map(mapped))
    }

    fn map_move(&self, mv: Move, symmetry: Symmetry) -> Move {
        self.geometry.map_move(mv, symmetry)
    }
}
