//! Bricks on a board of up to 8x8, in machine words.
//!
//! ```text
//!  bit = row * size + column; a 4x4 board:      east  = m << 1     but not from column 3
//!      0  1  2  3                               west  = m >> 1     but not from column 0
//!      4  5  6  7                               south = m << 4     cut to the board
//!      8  9 10 11                               north = m >> 4
//!     12 13 14 15
//! ```
//!
//! A move changes two words, the mover's points and the key; the islands that it joins are found
//! by flooding, which takes as many steps as the island is long. Evaluation, order and bounds are
//! not kept but flood the board when asked: an exact solver makes many more moves than it asks
//! questions. Up to 6x6 the key is exact. The history holds the 32 bricks that fit on 8x8.

use heapless::Vec;

use crate::game::bricks::account::{self, Holdings, Joined, Piece, Standing, Totals};
use crate::game::bricks::geometry::Geometry;
use crate::game::bricks::is_surveyed;
use crate::game::bricks::islands::Island;
use crate::game::bricks::survey::{self, Chart, Rows, WIDTHS};
use crate::game::keys::Keys;
use crate::game::{Effort, Game, IllegalMove, Move, Outcome, Side, Symmetry};
use crate::guarded::row_and_col;
use crate::score::Score;
use crate::search::ordering::MoveSink;
use crate::spec::{GameSpec, SpecError};

/// The most cells of a board in machine words.
pub const SMALL_CELLS: usize = 64;
/// The most bricks on such a board.
const SMALL_PLIES: usize = SMALL_CELLS / 2;

/// A move played, and what unmaking it cannot compute cheaply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Played {
    mv: Move,
    /// The mover's points before the move.
    points: u16,
}

/// A game of bricks on a board of up to 8x8.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BricksSmall {
    grid: Grid,
    stones: [u64; 2],
    /// At most 64 squared each.
    points: [u16; 2],
    key: u64,
    keys: Keys,
    history: Vec<Played, SMALL_PLIES>,
}

/// The board as sets of cells: shifts and the masks that keep them on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Grid {
    geometry: Geometry,
    all: u64,
    first_column: u64,
    last_column: u64,
    shade: u64,
}

impl Grid {
    fn new(geometry: Geometry) -> Grid {
        let cells_where = |inside: &dyn Fn(usize) -> bool| {
            (0..geometry.cells()).filter(|&cell| inside(cell)).fold(0, |set, cell| set | 1 << cell)
        };
        let size = geometry.size();
        let col = |cell| row_and_col(cell, size).1;
        Grid {
            geometry,
            all: cells_where(&|_| true),
            first_column: cells_where(&|cell| col(cell) == 0),
            last_column: cells_where(&|cell| col(cell) == size - 1),
            shade: cells_where(&|cell| geometry.shade(cell) == 0),
        }
    }

    /// The set moved by one cell, each way.
    fn moved(&self, set: u64) -> [u64; 4] {
        let size = self.geometry.size();
        [
            (set & !self.last_column) << 1,
            (set & !self.first_column) >> 1,
            (set << size) & self.all,
            set >> size,
        ]
    }

    /// The cells next to a set, some of which may be in it.
    fn beside(&self, set: u64) -> u64 {
        self.moved(set).into_iter().fold(0, |beside, moved| beside | moved)
    }

    /// All cells of `within` that are connected with `seed` inside it. `seed` lies in `within`.
    fn flood(&self, seed: u64, within: u64) -> u64 {
        let mut flooded = seed;
        loop {
            let more = flooded | (self.beside(flooded) & within);
            if more == flooded {
                return flooded;
            }
            flooded = more;
        }
    }

    /// The connected parts of a set, the one with the lowest cell first.
    fn parts(&self, set: u64) -> impl Iterator<Item = u64> {
        self.parts_touching(set, set)
    }

    /// The connected parts of `set` that meet `seeds`, a subset of it.
    fn parts_touching(&self, seeds: u64, set: u64) -> impl Iterator<Item = u64> {
        let mut seeds = seeds;
        core::iter::from_fn(move || {
            let seed = lowest(seeds)?;
            let part = self.flood(seed, set);
            seeds &= !part;
            Some(part)
        })
    }
}

/// The lowest cell of a set, as a set; `None` if there is none.
const fn lowest(set: u64) -> Option<u64> {
    if set == 0 { None } else { Some(set & set.wrapping_neg()) }
}

/// The numbers of the cells of a set, lowest first.
fn cells(set: u64) -> impl Iterator<Item = usize> {
    let mut set = set;
    core::iter::from_fn(move || {
        let bit = lowest(set)?;
        set ^= bit;
        Some(bit.trailing_zeros() as usize)
    })
}

/// The number of cells of a set.
const fn count(set: u64) -> u16 {
    set.count_ones() as u16
}

impl BricksSmall {
    /// The empty board with `size` rows and columns.
    ///
    /// # Errors
    /// The size is 0 or beyond what any build accepts, or the board has more than 64 cells.
    pub fn new(size: u8) -> Result<Self, SpecError> {
        let geometry = Geometry::new(size, SMALL_CELLS)?;
        Ok(BricksSmall {
            grid: Grid::new(geometry),
            stones: [0; 2],
            points: [0; 2],
            key: 0,
            keys: Keys::best_for(geometry.cells()),
            history: Vec::new(),
        })
    }

    /// The points of a side.
    #[must_use]
    pub fn points(&self, side: Side) -> Score {
        Score::from(self.points[side.index()])
    }

    fn free(&self) -> u64 {
        self.grid.all & !(self.stones[0] | self.stones[1])
    }

    /// The free cells that have a free neighbour.
    fn open(&self) -> u64 {
        let free = self.free();
        free & self.grid.beside(free)
    }

    /// The bricks that fit, by their upper or left cells: horizontal ones, vertical ones.
    fn placements(&self) -> [u64; 2] {
        let free = self.free();
        let [_, west, _, north] = self.grid.moved(free);
        [free & west, free & north]
    }

    fn is_over(&self) -> bool {
        self.placements() == [0; 2]
    }

    /// The set of the two cells of a move, if they are on the board.
    fn set_of(&self, mv: Move) -> Option<u64> {
        self.grid.geometry.cells_of(mv).map(|[first, second]| 1 << first | 1 << second)
    }

    /// The sums over a side's islands.
    fn totals(&self, side: Side) -> Totals {
        let open = self.open();
        let mut totals = Totals::new(self.grid.geometry.size());
        for island in self.grid.parts(self.stones[side.index()]) {
            let exits = self.grid.moved(island).into_iter().map(|moved| count(moved & open)).sum();
            totals.add(Island { cells: count(island), exits });
        }
        totals
    }

    /// The islands, labelled.
    fn labelled(&self) -> Labelled<'_> {
        let mut islands = [(0, 0); SMALL_CELLS];
        for side in Side::BOTH {
            for island in self.grid.parts(self.stones[side.index()]) {
                for cell in cells(island) {
                    islands[cell] = (island.trailing_zeros() as u8, count(island) as u8);
                }
            }
        }
        Labelled { game: self, islands }
    }

    fn side_stones(&self, side: Side) -> impl Iterator<Item = (usize, Side)> {
        cells(self.stones[side.index()]).map(move |cell| (cell, side))
    }
}

/// The board with the lowest cell and the size of every stone's island.
struct Labelled<'a> {
    game: &'a BricksSmall,
    islands: [(u8, u8); SMALL_CELLS],
}

impl Chart for Labelled<'_> {
    fn size(&self) -> usize {
        self.game.grid.geometry.size()
    }

    fn rows(&self, side: Side) -> Rows {
        let size = self.size();
        let stones = self.game.stones[side.index()];
        core::array::from_fn(|row| {
            let row = stones.unbounded_shr((row * size) as u32) & ((1 << size) - 1);
            (row as u16) << 1
        })
    }

    fn island(&self, cell: usize) -> (usize, u16) {
        let (lowest, cells) = self.islands.get(cell).copied().unwrap_or((0, 0));
        (usize::from(lowest), u16::from(cells))
    }

    fn points(&self, side: Side) -> Score {
        self.game.points(side)
    }
}

impl Standing for BricksSmall {
    fn mover(&self) -> Side {
        self.side_to_move()
    }

    fn points(&self, side: Side) -> Score {
        Score::from(self.points[side.index()])
    }

    fn plies(&self) -> usize {
        let open = self.open();
        usize::from(count(open & self.grid.shade).min(count(open & !self.grid.shade)))
    }

    fn holdings(&self, side: Side) -> Holdings {
        let stones = self.stones[side.index()];
        let growing = self.grid.flood(stones & self.grid.beside(self.open()), stones);
        let mut holdings = Holdings { growing_cells: count(growing), closed_points: 0 };
        for island in self.grid.parts(stones & !growing) {
            holdings.add_closed(count(island));
        }
        holdings
    }

    fn pieces(&self, with: Option<Side>, mut each: impl FnMut(Piece)) {
        let open = self.open();
        let stones = with.map_or(0, |side| self.stones[side.index()]);
        for part in self.grid.parts(open | stones) {
            each(Piece {
                stones: count(part & stones),
                open: [count(part & open & self.grid.shade), count(part & open & !self.grid.shade)],
            });
        }
    }
}

impl Game for BricksSmall {
    const FAMILY: Option<crate::game::Family> = Some(crate::game::Family::Bricks);
    const WIDTHS: &'static [usize] = WIDTHS;

    fn spec(&self) -> GameSpec {
        self.grid.geometry.spec()
    }

    fn ply(&self) -> usize {
        self.history.len()
    }

    fn played(&self, n: usize) -> Option<Move> {
        self.history.get(n).map(|played| played.mv)
    }

    fn stone(&self, cell: usize) -> Option<Side> {
        let has = |side: &Side| self.stones[side.index()].unbounded_shr(cell as u32) & 1 != 0;
        Side::BOTH.into_iter().find(|side| cell < SMALL_CELLS && has(side))
    }

    fn check(&self, mv: Move) -> Result<(), IllegalMove> {
        if self.is_over() {
            return Err(IllegalMove::GameOver);
        }
        let brick = self.set_of(mv).ok_or(IllegalMove::OutsideBoard)?;
        if brick & !self.free() != 0 {
            return Err(IllegalMove::Occupied);
        }
        Ok(())
    }

    fn make(&mut self, mv: Move) {
        debug_assert_eq!(self.check(mv), Ok(()));
        let side = self.side_to_move();
        let (own, points) = (self.stones[side.index()], self.points[side.index()]);
        let Some(brick) = self.set_of(mv).filter(|brick| brick & !self.free() == 0) else {
            return;
        };
        if self.history.push(Played { mv, points }).is_err() {
            return;
        }
        let mut joined = Joined::default();
        for island in self.grid.parts_touching(self.grid.beside(brick) & own, own) {
            joined.add(island.trailing_zeros() as u16, count(island));
        }
        self.points[side.index()] = points + joined.gain() as u16;
        self.stones[side.index()] = own | brick;
        self.key = cells(brick).fold(self.key, |key, cell| self.keys.with(key, cell, side));
    }

    fn unmake(&mut self) {
        let Some(Played { mv, points }) = self.history.pop() else {
            return;
        };
        let side = self.side_to_move();
        let brick = self.set_of(mv).unwrap_or(0);
        self.points[side.index()] = points;
        self.stones[side.index()] &= !brick;
        self.key = cells(brick).fold(self.key, |key, cell| self.keys.without(key, cell, side));
    }

    fn outcome(&self) -> Option<Outcome> {
        self.is_over().then(|| account::outcome(self.points.map(Score::from)))
    }

    fn final_score(&self) -> Option<Score> {
        let side = self.side_to_move();
        self.is_over().then(|| self.points(side) - self.points(side.other()))
    }

    fn plies_left(&self) -> usize {
        self.plies()
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn key_bits(&self) -> u32 {
        self.keys.bits(self.grid.geometry.cells())
    }

    fn evaluate(&self) -> Score {
        let side = self.side_to_move();
        if is_surveyed(self.grid.geometry.size()) {
            return survey::evaluate(&self.labelled(), side, 0);
        }
        account::evaluate(&self.totals(side), &self.totals(side.other()))
    }

    fn bounds(&self, alpha: Score, beta: Score, effort: Effort) -> (Score, Score) {
        account::bounds(self, alpha, beta, effort)
    }

    fn generate(&self, sink: &mut MoveSink<'_>) {
        if is_surveyed(self.grid.geometry.size()) && !sink.wants_proof() {
            let (mover, plies) = (self.side_to_move(), self.plies());
            return survey::generate(&self.labelled(), mover, plies, self.grid.geometry, 0, sink);
        }
        let (mover, geometry) = (self.side_to_move(), self.grid.geometry);
        let labelled = self.labelled();
        let label = |cell: usize| {
            let (lowest, cells) = labelled.islands[cell];
            let side = if self.stones[0] >> cell & 1 != 0 { Side::First } else { Side::Second };
            (side, u16::from(lowest), u16::from(cells))
        };
        let stones = self.stones[0] | self.stones[1];
        let [horizontal, vertical] = self.placements();
        let moves = (cells(horizontal).map(|cell| (geometry.horizontal(cell), 0b11 << cell)))
            .chain(
                cells(vertical).map(|cell| {
                    (geometry.vertical(cell), 1 << cell | 1 << (cell + geometry.size()))
                }),
            );
        for (mv, brick) in moves {
            let beside = cells(self.grid.beside(brick) & stones);
            sink.push(mv, account::order(mover, beside.map(label)));
        }
    }

    fn symmetries(&self) -> u8 {
        u8::MAX
    }

    fn key_under(&self, symmetry: Symmetry) -> u64 {
        let stones = self.side_stones(Side::First).chain(self.side_stones(Side::Second));
        let mapped = |(cell, side)| (self.grid.geometry.map_cell(cell, symmetry), side);
        self.keys.of_stones(stones.map(mapped))
    }

    fn map_move(&self, mv: Move, symmetry: Symmetry) -> Move {
        self.grid.geometry.map_move(mv, symmetry)
    }
}
