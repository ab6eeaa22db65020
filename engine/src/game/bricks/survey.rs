//! The board at a glance: who can join what, and what follows for evaluation and order.
//!
//! Points say what islands are; the game is about what they become. So islands are gathered into
//! ever larger *groups*, and each stage counts:
//!
//! ```text
//! islands    stones that are joined
//! linked     islands that a single brick of their owner would join
//! in reach   islands that border on the same piece of open cells: whoever is not, is cut off
//! ```
//!
//! And open cells are *ground* for the side that gets there first, a step at a time: from its largest linked
//! group, since there a brick counts most, and from any of its islands. In the opening this is nearly all that
//! there is to see: a wall of a few bricks decides who gets which part of the board.
//!
//! The islands are the board's affair (`Chart`). Rows are sets of bits, and one walk from row to row
//! meets every *run* of open cells and in it every cell that has a stone beside it, which is all that
//! matters. Runs that touch make up pieces, islands that meet make up groups; all sums are kept up to date
//! while they do. Both representations of the board are surveyed by this code, so they agree by
//! construction.
//!
//! A survey lives on the stack for one evaluation or one list of moves. Its cost goes with the cells that
//! border on stones; a list of moves also costs a little for every brick that fits.

use heapless::Vec;

use crate::game::bricks::geometry::Geometry;
use crate::game::bricks::{BRICK_CELLS, MAX_SURVEYED_SIDE};
use crate::game::{Game, Side};
use crate::guarded::{Array, Guarded, List, row_and_col};
use crate::score::{Score, clamp_heuristic};
use crate::search::ordering::MoveSink;
use crate::spec::GameSpec;

/// Cells of the largest board that is surveyed.
pub(super) const CELLS: usize = MAX_SURVEYED_SIDE * MAX_SURVEYED_SIDE;
/// Its rows, with an empty one above and one below.
const FRAMED_ROWS: usize = MAX_SURVEYED_SIDE + 2;
/// Its cells with a frame: a row above, a row below, and a column that is the right border of one row and
/// the left border of the next.
const FRAME: usize = FRAMED_ROWS * (MAX_SURVEYED_SIDE + 1) + 1;
/// The most islands with exits, and the most pieces of open cells, that are told apart. Games have far fewer,
/// also on the largest board; further ones do not count, which makes the evaluation coarser and nothing else.
/// Number 0 is none.
const MAX_PARTS: usize = 61;
/// The most exits of islands that are kept; further ones do not count, which makes the evaluation coarser
/// and nothing else.
const MAX_EXITS: usize = 144;
/// The most stones beside an open cell: one of its neighbours is free.
const MOST_BESIDE: usize = 3;
/// The most runs of open cells in a row.
const MAX_RUNS: usize = MAX_SURVEYED_SIDE.div_ceil(2);
const _: () = assert!(MAX_PARTS <= u8::MAX as usize && MAX_SURVEYED_SIDE + 2 <= u16::BITS as usize);

/// The number of no island and no piece.
const NONE: u8 = 0;

/// The rows of a board as bits, the cell in column `c` in bit `c + 1`.
pub(super) type Rows = [u16; MAX_SURVEYED_SIDE];

/// What a survey asks of a board of at most [`MAX_SURVEYED_SIDE`] rows.
pub(super) trait Chart {
    /// Rows and columns.
    fn size(&self) -> usize;
    /// A side's stones.
    fn rows(&self, side: Side) -> Rows;
    /// A number below [`CELLS`] that all stones of this stone's island have and no other, and how many
    /// they are.
    fn island(&self, cell: usize) -> (usize, u16);
    /// A side's points.
    fn points(&self, side: Side) -> Score;
}

/// The chart of a board of which only the stones are known.
pub(super) struct Plan {
    size: usize,
    rows: [Rows; 2],
    points: [Score; 2],
    /// The island of every stone: its lowest cell, and its size.
    islands: Array<(u8, u8), CELLS>,
}

impl Plan {
    /// Draws the chart, by flooding.
    pub(super) fn new(size: usize, stone: impl Fn(usize) -> Option<Side>) -> Plan {
        let islands = Guarded::new([(0, 0); CELLS], (0, 0));
        let mut plan = Plan { size, rows: [[0; MAX_SURVEYED_SIDE]; 2], points: [0; 2], islands };
        for start in 0..size * size {
            let Some(side) = stone(start) else { continue };
            let (row, col) = row_and_col(start, size);
            if let Some(row) = plan.rows[side.index()].get_mut(row) {
                *row |= 2 << col;
            }
            if plan.islands[start].1 > 0 {
                continue;
            }
            let mut found: Vec<u8, CELLS> = Vec::new();
            let mut next = start;
            let mut visited = 0;
            plan.islands[start].1 = 1;
            let _ = found.push(start as u8);
            while visited < found.len() {
                let (_, col) = row_and_col(next, size);
                let beside = [
                    (next >= size, next.wrapping_sub(size)),
                    (col > 0, next.wrapping_sub(1)),
                    (col + 1 < size, next + 1),
                    (next + size < size * size, next + size),
                ];
                for (_, cell) in beside.into_iter().filter(|(inside, _)| *inside) {
                    if stone(cell) == Some(side) && plan.islands[cell].1 == 0 {
                        plan.islands[cell].1 = 1;
                        let _ = found.push(cell as u8);
                    }
                }
                visited += 1;
                next = found.get(visited).map_or(0, |&cell| usize::from(cell));
            }
            for &cell in &found {
                plan.islands[usize::from(cell)] = (start as u8, found.len() as u8);
            }
            plan.points[side.index()] += (found.len() * found.len()) as Score;
        }
        plan
    }

    /// The chart of any game of bricks.
    fn of<G: Game>(game: &G) -> Plan {
        Plan::new(game.spec().rows().min(MAX_SURVEYED_SIDE), |cell| game.stone(cell))
    }
}

impl Chart for Plan {
    fn size(&self) -> usize {
        self.size
    }

    fn rows(&self, side: Side) -> Rows {
        self.rows[side.index()]
    }

    fn island(&self, cell: usize) -> (usize, u16) {
        let (number, cells) = self.islands[cell];
        (usize::from(number), u16::from(cells))
    }

    fn points(&self, side: Side) -> Score {
        self.points[side.index()]
    }
}

/// An island that has an exit. Islands that belong together hang from the same root, which has the sums.
#[derive(Clone, Copy, Debug)]
struct Island {
    side: Side,
    root: u8,
    /// Of all that hangs from it.
    cells: u8,
    /// Open cells that it can reach. While moves are listed: the number of the last brick that came near it.
    reach: u16,
}

impl Island {
    const NONE: Island = Island { side: Side::First, root: NONE, cells: 0, reach: 0 };
}

/// An open cell beside an island.
#[derive(Clone, Copy, Debug)]
struct Exit {
    island: u8,
    /// The piece that the cell is in.
    piece: u8,
    /// The row, counted from 0, and the bit in it.
    place: u8,
}

/// A connected piece of the open cells.
#[derive(Clone, Copy, Debug)]
struct Piece {
    root: u8,
    cells: u8,
    /// An island of each side that reaches it.
    reached_by: [u8; 2],
}

impl Piece {
    const NONE: Piece = Piece { root: NONE, cells: 0, reached_by: [NONE; 2] };
}

/// The sums over one side's groups in reach.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sums {
    /// Cells squared.
    pub(super) squares: Score,
    /// Cells times open cells in reach.
    pub(super) hopes: Score,
}

/// Open cells that a side gets to before the other, and those that both get to at the same time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Ground {
    pub(super) own: Score,
    pub(super) shared: Score,
}

/// What the evaluation counts, for one side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Prospects {
    pub(super) points: Score,
    /// Cells squared of the linked groups.
    pub(super) linked: Score,
    pub(super) in_reach: Sums,
    /// Cells of the largest linked group that has an exit.
    pub(super) largest: Score,
    /// The ground if either side sets out from its largest group.
    pub(super) of_largest: Ground,
    /// The ground if either side sets out from all islands.
    pub(super) of_all: Ground,
}

/// What the evaluation counts; [`Leads::leads`] lists it.
pub const KINDS: usize = 10;
/// For how many moments of the game there are weights.
pub const MOMENTS: usize = 7;
/// What a lead of one in each of the [`KINDS`] is worth, in parts of [`UNIT`], when 1/7, 2/7, ... of
/// the board is filled; between these moments the weights change evenly.
pub type Weights = [[i16; KINDS]; MOMENTS];
/// A point of the final margin.
pub const UNIT: i64 = 64;

/// The weights in use. Fitted by least squares to the final margins of games of the player with
/// itself, as `tavola tune` does it.
pub const WEIGHTS: Weights = [
    [493, -367, 10, -26, 120, -2, 60, 6, 3, 73],
    [166, -116, -11, 8, 104, -6, 40, -24, 7, 20],
    [82, 19, -42, 12, 82, -14, 20, -33, 21, 19],
    [61, 33, -33, 26, 47, -12, 5, -12, 18, 18],
    [37, 28, -1, 44, 15, -1, 20, 1, 3, 18],
    [28, 24, 12, 39, 15, 0, 25, 4, -3, 33],
    [27, 24, 12, 31, 7, 8, 47, 6, 17, 55],
];

/// By how much the side to move leads, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leads {
    /// In each of the [`KINDS`]: cells squared of islands, of linked groups and of groups in reach; the
    /// latter's cells times open cells in reach; cells of the largest group times its ground; that
    /// ground squared; the side to move's largest group times the ground that is shared; and the last three
    /// again with the ground of all islands.
    pub leads: [Score; KINDS],
    /// The moment behind: a row of the weights, never the last one.
    pub moment: usize,
    /// How far it is behind, in parts of [`STEPS`] on the way to the next moment.
    pub share: usize,
}

impl Leads {
    /// What they are worth without some [`parts`].
    fn value(&self, weights: &Weights, left_out: u32) -> Score {
        let (Some(one), Some(next)) = (weights.get(self.moment), weights.get(self.moment + 1))
        else {
            return 0;
        };
        let share = self.share as i64;
        let mut value = 0;
        for (((&lead, &part), &one), &next) in
            self.leads.iter().zip(&parts::OF_KINDS).zip(one).zip(next)
        {
            if left_out & part == 0 {
                let weight = i64::from(one) * (STEPS as i64 - share) + i64::from(next) * share;
                value += weight * i64::from(lead);
            }
        }
        clamp_heuristic(value / (UNIT * STEPS as i64))
    }
}

/// Parts that [`evaluate_without`] and [`generate_without`] can leave out, as a set of bits.
pub mod parts {
    /// Islands that a brick would join.
    pub const LINKED: u32 = 1;
    /// Islands that can reach the same open cells, and how many these are.
    pub const IN_REACH: u32 = 1 << 1;
    /// The ground of the largest group.
    pub const LARGEST: u32 = 1 << 2;
    /// The ground of all islands.
    pub const GROUND: u32 = 1 << 3;
    /// That ground which is shared counts for the side to move.
    pub const SHARED: u32 = 1 << 4;
    /// The order of moves by what they bring near and by room; left is what they gain at once.
    pub const ORDER: u32 = 1 << 5;
    /// That only the best moves are searched.
    pub const BEAM: u32 = 1 << 6;
    /// Which of them each number is that the evaluation counts; points are none.
    pub(super) const OF_KINDS: [u32; super::KINDS] = [
        0,
        LINKED,
        IN_REACH,
        IN_REACH,
        LARGEST,
        LARGEST,
        LARGEST | SHARED,
        GROUND,
        GROUND,
        GROUND | SHARED,
    ];
    /// All of them, each with a name.
    pub const ALL: [(&str, u32); 7] = [
        ("linked", LINKED),
        ("in reach", IN_REACH),
        ("largest", LARGEST),
        ("ground", GROUND),
        ("shared", SHARED),
        ("order", ORDER),
        ("beam", BEAM),
    ];
}

/// A game of bricks evaluated without some [`parts`], to see what they are worth.
#[must_use]
pub fn evaluate_without<G: Game>(game: &G, left_out: u32) -> Score {
    evaluate(&Plan::of(game), game.side_to_move(), left_out)
}

/// A game of bricks evaluated with other weights.
#[must_use]
pub fn evaluate_with<G: Game>(game: &G, weights: &Weights) -> Score {
    leads(game).value(weights, 0)
}

/// What the evaluation of a game of bricks counts.
#[must_use]
pub fn leads<G: Game>(game: &G) -> Leads {
    Survey::leads(&Plan::of(game), game.side_to_move())
}

/// The moves of a game of bricks, listed without some [`parts`], to see what they are worth.
pub fn generate_without<G: Game>(game: &G, left_out: u32, sink: &mut MoveSink<'_>) {
    let GameSpec::Bricks { size } = game.spec() else { return };
    let Ok(geometry) = Geometry::new(size, MAX_SURVEYED_SIDE * MAX_SURVEYED_SIDE) else { return };
    generate(&Plan::of(game), game.side_to_move(), game.plies_left(), geometry, left_out, sink);
}

/// How many moves are worth a search while more than [`WIDE_PLIES`] plies are left.
const BEAM: usize = 40;
/// Fewer of them are tried one, two and three plies before the horizon.
pub(super) const WIDTHS: &[usize] = &[8, 12, 16];
/// So near the end all moves are.
const WIDE_PLIES: usize = 8;
/// The parts of the way from one row of weights to the next.
pub const STEPS: usize = 32;

/// The evaluation for the side to move, without some [`parts`].
pub(super) fn evaluate(chart: &impl Chart, mover: Side, left_out: u32) -> Score {
    Survey::leads(chart, mover).value(&WEIGHTS, left_out)
}

/// Lists the bricks that are worth a search with `plies` left, without some [`parts`].
pub(super) fn generate(
    chart: &impl Chart,
    mover: Side,
    plies: usize,
    geometry: Geometry,
    left_out: u32,
    sink: &mut MoveSink<'_>,
) {
    Bricks::push_all(chart, mover, geometry, left_out & parts::ORDER == 0, sink);
    if plies > WIDE_PLIES && left_out & parts::BEAM == 0 {
        sink.keep_best(BEAM);
    }
}

/// The rows of a board with an empty one above and below.
struct Framed {
    size: usize,
    stones: [Array<u16, FRAMED_ROWS>; 2],
    open: Array<u16, FRAMED_ROWS>,
}

impl Framed {
    fn new(chart: &impl Chart) -> Framed {
        let size = chart.size().min(MAX_SURVEYED_SIDE);
        let empty = Guarded::new([0; FRAMED_ROWS], 0);
        let mut framed = Framed { size, stones: [empty; 2], open: empty };
        for (to, side) in framed.stones.iter_mut().zip(Side::BOTH) {
            for (to, from) in to.iter_mut().skip(1).zip(chart.rows(side)) {
                *to = from;
            }
        }
        let all = ((1 << size) - 1) << 1;
        let mut free = empty;
        for ((free, one), other) in free
            .iter_mut()
            .zip(framed.stones[0].iter())
            .zip(framed.stones[1].iter())
            .skip(1)
            .take(size)
        {
            *free = all & !(one | other);
        }
        for (to, around) in framed.open.iter_mut().skip(1).take(size).zip(free.windows(3)) {
            *to = middle(around) & beside(around);
        }
        framed
    }

    /// The open cells of row `n`, counted from 1, that have a stone of each side beside them.
    fn coasts(&self, n: usize) -> [u16; 2] {
        let open = self.open[n];
        let of = |stones: &Array<u16, FRAMED_ROWS>| {
            open & (stones[n - 1] | stones[n + 1] | stones[n] << 1 | stones[n] >> 1)
        };
        [of(&self.stones[0]), of(&self.stones[1])]
    }

    /// The stones of both sides beside the cell in row `n`, counted from 1, with this bit: their cells.
    fn beside(&self, n: usize, bit: u32) -> impl Iterator<Item = (Side, usize)> {
        let cell = (n - 1) * self.size + bit as usize - 1;
        let of = |n: usize, bit: u32| {
            let has = |side: Side| self.stones[side.index()][n] >> bit & 1 != 0;
            Side::BOTH.into_iter().find(|&side| has(side))
        };
        [
            (of(n - 1, bit), cell.wrapping_sub(self.size)),
            (of(n, bit - 1), cell.wrapping_sub(1)),
            (of(n, bit + 1), cell + 1),
            (of(n + 1, bit), cell + self.size),
        ]
        .into_iter()
        .filter_map(|(side, cell)| side.map(|side| (side, cell)))
    }
}

/// The row in the middle of three.
const fn middle(around: &[u16]) -> u16 {
    match around {
        &[_, row, _] => row,
        _ => 0,
    }
}

/// The cells of that row that are beside a set.
const fn beside(around: &[u16]) -> u16 {
    match around {
        &[above, row, below] => above | below | row << 1 | row >> 1,
        _ => 0,
    }
}

/// Islands by the numbers that a chart gives them.
struct Islands {
    /// The place of an island in the list.
    numbers: Array<u8, CELLS>,
    list: List<Island, MAX_PARTS>,
}

impl Islands {
    fn new() -> Islands {
        let mut list = Vec::new();
        let _ = list.push(Island::NONE);
        Islands {
            numbers: Guarded::new([NONE; CELLS], NONE),
            list: Guarded::new(list, Island::NONE),
        }
    }

    /// The place of the island of this stone; a new one if it was not met before.
    fn place(&mut self, chart: &impl Chart, side: Side, cell: usize) -> u8 {
        let (number, cells) = chart.island(cell);
        let known = self.numbers[number];
        if known != NONE {
            return known;
        }
        let root = self.list.len() as u8;
        let island = Island { side, root, cells: cells as u8, reach: 0 };
        match self.list.push(island) {
            Ok(()) => {
                self.numbers[number] = root;
                root
            }
            Err(_) => NONE,
        }
    }

    fn root(&mut self, island: u8) -> u8 {
        let mut island = island;
        loop {
            let above = self.list[usize::from(island)].root;
            if above == island {
                return island;
            }
            let top = self.list[usize::from(above)].root;
            self.list[usize::from(island)].root = top;
            island = top;
        }
    }

    /// Hangs the group with one root from the other. Returns what their cells were.
    fn join(&mut self, root: u8, other: u8) -> [Score; 2] {
        let cells = self.list[usize::from(other)].cells;
        self.list[usize::from(other)].root = root;
        let root = &mut self.list[usize::from(root)];
        let before = root.cells;
        root.cells += cells;
        [before, cells].map(Score::from)
    }
}

/// A walk over a board, row by row, and what it has found so far.
struct Survey {
    islands: Islands,
    pieces: List<Piece, MAX_PARTS>,
    exits: Vec<Exit, MAX_EXITS>,
    /// Cells squared of the linked groups.
    linked: [Score; 2],
}

impl Survey {
    /// What both sides can hope for.
    // Not inlined: it must not lie in every frame of the recursive search.
    #[inline(never)]
    pub(super) fn prospects(chart: &impl Chart) -> [Prospects; 2] {
        let points = Side::BOTH.map(|side| chart.points(side));
        let mut pieces = Vec::new();
        let _ = pieces.push(Piece::NONE);
        let mut survey = Survey {
            islands: Islands::new(),
            pieces: Guarded::new(pieces, Piece::NONE),
            exits: Vec::new(),
            linked: points,
        };
        let framed = Framed::new(chart);
        survey.walk(chart, &framed);
        let (largest, beside_largest) = survey.largest();
        let of_largest = ground(&framed, &beside_largest);
        let mut coasts = NO_PAIRS;
        for (n, row) in coasts.iter_mut().enumerate().skip(1).take(framed.size) {
            let [first, second] = framed.coasts(n);
            *row = u32::from(first) | u32::from(second) << 16;
        }
        let of_all = ground(&framed, &coasts);
        let linked = survey.linked;
        let in_reach = survey.reach();
        Side::BOTH.map(|side| Prospects {
            points: points[side.index()],
            linked: linked[side.index()],
            in_reach: in_reach[side.index()],
            largest: largest[side.index()],
            of_largest: of_largest[side.index()],
            of_all: of_all[side.index()],
        })
    }

    /// Meets all runs of open cells: pieces, exits and links.
    ///
    /// A brick that covers an open cell joins what borders on the cell; one that covers two, what
    /// borders on either.
    fn walk(&mut self, chart: &impl Chart, framed: &Framed) {
        // An island of each side beside the cells of the row above, or of this one to the left.
        let mut nearest = Guarded::new([[NONE; 2]; MAX_SURVEYED_SIDE + 2], [NONE; 2]);
        let mut coasts_above = [0; 2];
        let mut runs_above: Vec<(u16, u8), MAX_RUNS> = Vec::new();
        for n in 1..=framed.size {
            let coasts = framed.coasts(n);
            let mut open = framed.open[n];
            let mut runs: Vec<(u16, u8), MAX_RUNS> = Vec::new();
            while open != 0 {
                // The sum carries through the lowest run and no further.
                let rest = open & open.wrapping_add(open & open.wrapping_neg());
                let run = open & !rest;
                open = rest;
                let piece = self.piece(run, &runs_above);
                let _ = runs.push((run, piece));
                let mut coast = run & (coasts[0] | coasts[1]);
                while coast != 0 {
                    let bit = coast.trailing_zeros();
                    coast &= coast - 1;
                    let here = self.visit(chart, framed, n, bit, piece);
                    let col = bit as usize;
                    for side in Side::BOTH {
                        let side = side.index();
                        if here[side] == NONE {
                            continue;
                        }
                        for (coast, there) in [
                            (coasts[side] >> (bit - 1), nearest[col - 1][side]),
                            (coasts_above[side] >> bit, nearest[col][side]),
                        ] {
                            if coast & 1 != 0 {
                                self.link(here[side], there);
                            }
                        }
                    }
                    nearest[col] = here;
                }
            }
            (coasts_above, runs_above) = (coasts, runs);
        }
    }

    /// The piece of a run of open cells below these.
    fn piece(&mut self, run: u16, above: &[(u16, u8)]) -> u8 {
        let mut piece = NONE;
        for &(other, touching) in above {
            if other & run == 0 {
                continue;
            }
            let touching = self.piece_root(touching);
            if piece == NONE {
                piece = touching;
            } else if piece != touching {
                let cells = self.pieces[usize::from(touching)].cells;
                self.pieces[usize::from(touching)].root = piece;
                self.pieces[usize::from(piece)].cells += cells;
            }
        }
        if piece == NONE {
            let root = self.pieces.len() as u8;
            if self.pieces.push(Piece { root, ..Piece::NONE }).is_err() {
                return NONE;
            }
            piece = root;
        }
        self.pieces[usize::from(piece)].cells += run.count_ones() as u8;
        piece
    }

    fn piece_root(&self, piece: u8) -> u8 {
        let mut piece = piece;
        loop {
            let above = self.pieces[usize::from(piece)].root;
            if above == piece {
                return piece;
            }
            piece = above;
        }
    }

    /// One brick joins these islands.
    fn link(&mut self, one: u8, other: u8) {
        let (one, other) = (self.islands.root(one), self.islands.root(other));
        if one != other {
            let side = self.islands.list[usize::from(one)].side;
            let [one, other] = self.islands.join(one, other);
            self.linked[side.index()] += 2 * one * other;
        }
    }

    /// Looks around an open cell: it is an exit of every island beside it, and those of a side are linked.
    /// Returns one of each side.
    fn visit(
        &mut self,
        chart: &impl Chart,
        framed: &Framed,
        n: usize,
        bit: u32,
        piece: u8,
    ) -> [u8; 2] {
        let mut here = [NONE; 2];
        let mut met = [NONE; MOST_BESIDE];
        for ((side, cell), count) in framed.beside(n, bit).zip(0..) {
            let place = self.islands.place(chart, side, cell);
            if met.contains(&place) {
                continue;
            }
            if let Some(slot) = met.get_mut(count) {
                *slot = place;
            }
            let side = side.index();
            let at = ((n - 1) << 4) as u8 | bit as u8;
            let _ = self.exits.push(Exit { island: place, piece, place: at });
            match here[side] {
                NONE => here[side] = place,
                first => self.link(first, place),
            }
        }
        here
    }

    /// The cells of each side's largest linked group, and the open cells beside it, or beside all that are
    /// as large.
    fn largest(&mut self) -> ([Score; 2], Pairs) {
        let mut largest = [0; 2];
        for n in 1..self.islands.list.len() {
            let island = self.islands.list[n];
            if usize::from(island.root) == n {
                let most = &mut largest[island.side.index()];
                *most = island.cells.max(*most);
            }
        }
        let mut beside = NO_PAIRS;
        for n in 0..self.exits.len() {
            let Some(&Exit { island, place, .. }) = self.exits.get(n) else { break };
            let root = self.islands.root(island);
            let Island { side, cells, .. } = self.islands.list[usize::from(root)];
            if cells == largest[side.index()] {
                let bit = 1 << (place & 15) << (16 * side.index());
                if let Some(row) = beside.get_mut(usize::from(place >> 4) + 1) {
                    *row |= bit;
                }
            }
        }
        (largest.map(Score::from), beside)
    }

    /// The sums over both sides' groups when those that can reach the same piece of open cells are
    /// one.
    fn reach(&mut self) -> [Sums; 2] {
        let mut sums = self.linked.map(|squares| Sums { squares, hopes: 0 });
        for n in 0..self.exits.len() {
            let Some(&Exit { island, piece, .. }) = self.exits.get(n) else { break };
            let group = self.islands.root(island);
            let piece = usize::from(self.piece_root(piece));
            let Island { side, cells, reach, .. } = self.islands.list[usize::from(group)];
            let sum = &mut sums[side.index()];
            match self.pieces[piece].reached_by[side.index()] {
                NONE => {
                    let more = u16::from(self.pieces[piece].cells);
                    sum.hopes += Score::from(cells) * Score::from(more);
                    self.islands.list[usize::from(group)].reach += more;
                    self.pieces[piece].reached_by[side.index()] = group;
                }
                other => {
                    let other = self.islands.root(other);
                    if other != group {
                        let [before, cells] = self.islands.join(other, group);
                        let root = &mut self.islands.list[usize::from(other)];
                        sum.squares += 2 * before * cells;
                        sum.hopes += before * Score::from(reach) + cells * Score::from(root.reach);
                        root.reach += reach;
                    }
                }
            }
        }
        sums
    }

    fn leads(chart: &impl Chart, mover: Side) -> Leads {
        let size = chart.size().min(MAX_SURVEYED_SIDE);
        let stones = Side::BOTH.map(|side| chart.rows(side).map(|row| row.count_ones()));
        let filled = stones.as_flattened().iter().sum::<u32>() as usize;
        let time = (filled * MOMENTS * STEPS / (size * size).max(1)).saturating_sub(STEPS);
        let prospects = Survey::prospects(chart);
        let (own, opponent) = (prospects[mover.index()], prospects[mover.other().index()]);
        let lead = |of: fn(&Prospects) -> Score| of(&own) - of(&opponent);
        let leads = [
            lead(|all| all.points),
            lead(|all| all.linked),
            lead(|all| all.in_reach.squares),
            lead(|all| all.in_reach.hopes),
            lead(|all| all.largest * all.of_largest.own),
            lead(|all| all.of_largest.own * all.of_largest.own),
            own.largest * own.of_largest.shared,
            lead(|all| all.largest * all.of_all.own),
            lead(|all| all.of_all.own * all.of_all.own),
            own.largest * own.of_all.shared,
        ];
        let moment = (time / STEPS).min(MOMENTS - 2);
        Leads { leads, moment, share: (time - moment * STEPS).min(STEPS) }
    }
}

/// Cells of both sides by rows, those of the second side in the upper half of a number, with an empty row
/// above and one below.
type Pairs = Array<u32, FRAMED_ROWS>;

const NO_PAIRS: Pairs = Guarded::new([0; FRAMED_ROWS], 0);

/// The open cells that each side gets to first if both set out from these, a step at a time. Nobody goes
/// through a cell that the other got to before.
fn ground(framed: &Framed, from: &Pairs) -> [Ground; 2] {
    let mut reached = *from;
    loop {
        let (mut above, mut changed) = (0, 0);
        for n in 1..=MAX_SURVEYED_SIDE {
            let row = reached[n];
            let free = (u32::from(framed.open[n]) * BOTH) & !(row | row.rotate_left(16));
            let new = (above | row << 1 | row >> 1 | reached[n + 1]) & free;
            above = row;
            reached[n] = row | new;
            changed |= new;
        }
        if changed == 0 {
            break;
        }
    }
    let mut grounds = [Ground::default(); 2];
    for &row in reached.iter() {
        let shared = row & row >> 16;
        for (ground, row) in grounds.iter_mut().zip([row & 0xFFFF, row >> 16]) {
            ground.own += (row & !shared).count_ones() as Score;
            ground.shared += shared.count_ones() as Score;
        }
    }
    grounds
}

/// A row times this is the row for both sides.
const BOTH: u32 = 1 << 16 | 1;

/// What both sides can hope for on a board.
#[cfg(test)]
pub(super) fn prospects(chart: &impl Chart) -> [Prospects; 2] {
    Survey::prospects(chart)
}

/// Bricks that fit, to be ordered.
struct Bricks {
    mover: Side,
    rows: Framed,
    /// Open cells that have no stone of the mover's beside them.
    fresh: Array<u16, FRAMED_ROWS>,
    islands: Islands,
    /// The islands beside every open cell, by its place in the frame.
    touching: Array<[u8; MOST_BESIDE], FRAME>,
}

impl Bricks {
    // Not inlined: it must not lie in every frame of the recursive search.
    #[inline(never)]
    fn push_all(
        chart: &impl Chart,
        mover: Side,
        geometry: Geometry,
        looks_around: bool,
        sink: &mut MoveSink<'_>,
    ) {
        let rows = Framed::new(chart);
        let mut bricks = Bricks {
            mover,
            fresh: Guarded::new([0; FRAMED_ROWS], 0),
            islands: Islands::new(),
            touching: Guarded::new([[NONE; MOST_BESIDE]; FRAME], [NONE; MOST_BESIDE]),
            rows,
        };
        bricks.look(chart);
        bricks.list(geometry, looks_around, sink);
    }

    /// Finds the islands beside every open cell.
    fn look(&mut self, chart: &impl Chart) {
        let stride = self.stride();
        for n in 1..=self.rows.size {
            let coasts = self.rows.coasts(n);
            self.fresh[n] = self.rows.open[n] & !coasts[self.mover.index()];
            let mut coast = coasts[0] | coasts[1];
            while coast != 0 {
                let bit = coast.trailing_zeros();
                coast &= coast - 1;
                let touching = &mut self.touching[n * stride + bit as usize];
                for ((side, cell), place) in self.rows.beside(n, bit).zip(touching.iter_mut()) {
                    *place = self.islands.place(chart, side, cell);
                }
            }
        }
    }

    /// Places of a row with its border.
    const fn stride(&self) -> usize {
        self.rows.size + 1
    }

    /// The bricks that fit, horizontal ones first.
    fn list(&mut self, geometry: Geometry, looks_around: bool, sink: &mut MoveSink<'_>) {
        let stride = self.stride();
        let size = self.rows.size;
        let mut number = 0;
        for is_vertical in [false, true] {
            for n in 1..=size {
                let open = self.rows.open[n];
                let next = if is_vertical { self.rows.open[n + 1] } else { open >> 1 };
                let mut fitting = open & next;
                while fitting != 0 {
                    let bit = fitting.trailing_zeros();
                    fitting &= fitting - 1;
                    number += 1;
                    let at = n * stride + bit as usize;
                    let cell = (n - 1) * size + bit as usize - 1;
                    let (mv, along, across, room) = if is_vertical {
                        (geometry.vertical(cell), stride, 1, self.room_beside_vertical(n, bit))
                    } else {
                        (geometry.horizontal(cell), 1, stride, self.room_beside_horizontal(n, bit))
                    };
                    let brick = [at, at + along];
                    let around = [
                        at - along,
                        at - across,
                        at + across,
                        at + along - across,
                        at + along + across,
                        at + 2 * along,
                    ];
                    let around = if looks_around { &around[..] } else { &[] };
                    let room = if looks_around { room } else { 0 };
                    sink.push(mv, self.order(brick, around, room, number));
                }
            }
        }
    }

    /// The fresh cells beside a horizontal brick with this left cell.
    fn room_beside_horizontal(&self, n: usize, bit: u32) -> u32 {
        let ends = self.fresh[n] & (0b1001 << (bit - 1));
        let (above, below) = (self.fresh[n - 1] & 0b11 << bit, self.fresh[n + 1] & 0b11 << bit);
        (u32::from(ends | above) << 16 | u32::from(below)).count_ones()
    }

    /// The fresh cells beside a vertical brick with this upper cell.
    fn room_beside_vertical(&self, n: usize, bit: u32) -> u32 {
        let sides = 0b101 << (bit - 1);
        let upper = self.fresh[n - 1] & 1 << bit | self.fresh[n] & sides;
        let lower = self.fresh[n + 2] & 1 << bit | self.fresh[n + 1] & sides;
        (u32::from(upper) << 16 | u32::from(lower)).count_ones()
    }

    /// The value by which a brick on these places of the frame is ordered.
    ///
    /// What the mover gains counts, and half of: what the opponent would gain there; for either
    /// side, what lies one open cell further and could be joined next; and room to grow, by
    /// the open cells beside the brick that have no stone of the mover's yet.
    /// `number` tells bricks apart and is not 0.
    fn order(
        &mut self,
        brick: [usize; BRICK_CELLS],
        around: &[usize],
        room: u32,
        number: u16,
    ) -> u32 {
        let (mut joined, mut squares, mut near) = ([0; 2], [0; 2], [0; 2]);
        for at in brick {
            self.meet_islands(at, number, |side, cells| {
                joined[side] += cells;
                squares[side] += cells * cells;
            });
        }
        for &at in around {
            self.meet_islands(at, number, |side, cells| near[side] += cells);
        }
        let (own, opponent) = (self.mover.index(), self.mover.other().index());
        let size = joined.map(|cells| cells + BRICK_CELLS as Score);
        let gain = |side: usize| size[side] * size[side] - squares[side];
        let hopes = gain(opponent)
            + near[opponent] * size[opponent]
            + (near[own] + room as Score) * size[own];
        (gain(own) + hopes / 2).unsigned_abs()
    }

    /// Calls `visit` with side and cells of every island that touches this place of the frame and was not
    /// met before under this number.
    fn meet_islands(&mut self, at: usize, number: u16, mut visit: impl FnMut(usize, Score)) {
        for place in self.touching[at] {
            if place == NONE {
                break;
            }
            let island = &mut self.islands.list[usize::from(place)];
            if island.reach != number {
                island.reach = number;
                visit(island.side.index(), Score::from(island.cells));
            }
        }
    }
}
