//! The board at a glance: its regions, who can join what, and what follows for evaluation and
//! order.
//!
//! A *region* is an island of either side or a connected piece of the open cells. One scan over
//! the rows gives every cell its region's number, with a union-find for those that meet late; a
//! frame of one border cell around the board spares all questions about edges. Both
//! representations of the board are surveyed by this code, so they agree by construction.
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
//! A survey lives on the stack for one evaluation or one list of moves, and its cost is linear in
//! the cells of the board.

use heapless::Vec;

use crate::game::bricks::geometry::Geometry;
use crate::game::bricks::{BRICK_CELLS, MAX_SURVEYED_SIDE};
use crate::game::{Game, Side};
use crate::guarded::{Array, Guarded, List, row_and_col};
use crate::score::{Score, clamp_heuristic};
use crate::search::ordering::MoveSink;
use crate::spec::GameSpec;

/// Cells of the largest board that is surveyed, with its frame: a row above, a row below, and a column that is the
/// right border of one row and the left border of the next.
const FRAME: usize = (MAX_SURVEYED_SIDE + 2) * (MAX_SURVEYED_SIDE + 1);
/// The most regions that are told apart. Games have far fewer, also on the largest board; cells
/// beyond count as holes, which makes the evaluation coarser and nothing else.
const MAX_REGIONS: usize = 192;
/// The most contacts of islands with pieces of open cells that are kept; further ones do not count.
const MAX_CONTACTS: usize = 128;
/// How many contacts back it is looked whether one is kept already.
const RECENT_CONTACTS: usize = 16;
const _: () = assert!(MAX_REGIONS <= u8::MAX as usize + 1);

/// The number of what belongs to no region: the frame, and holes in which no brick fits.
const NOWHERE: u8 = 0;

/// What a cell holds: a stone of a side, whose index is the number, or no stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Content {
    First = Side::First.index() as u8,
    Second = Side::Second.index() as u8,
    /// Free, with a free neighbour.
    Open,
    /// Free, but no brick fits.
    Hole,
}

impl Content {
    pub(super) const fn stone(side: Side) -> Content {
        match side {
            Side::First => Content::First,
            Side::Second => Content::Second,
        }
    }

    /// The index of the side whose stone it is.
    const fn side(self) -> Option<usize> {
        match self {
            Content::First => Some(Side::First.index()),
            Content::Second => Some(Side::Second.index()),
            Content::Open | Content::Hole => None,
        }
    }
}

/// A region. While the board is scanned and while groups are formed, regions that belong together
/// hang from the same root.
#[derive(Clone, Copy, Debug)]
struct Region {
    content: Content,
    root: u8,
    cells: u16,
    /// Of an island: open cells beside it. Of a group in reach: open cells that it can reach. While
    /// moves are listed: the number of the last brick that came near it.
    exits: u16,
}

impl Region {
    /// A region that is none.
    const NONE: Region = Region { content: Content::Hole, root: NOWHERE, cells: 0, exits: 0 };
}

/// The sums over one side's groups at one stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sums {
    /// Cells squared.
    pub(super) squares: Score,
    /// Cells times exits, or times open cells in reach.
    pub(super) hopes: Score,
}

/// What the evaluation counts, for one side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Prospects {
    pub(super) islands: Sums,
    pub(super) linked: Sums,
    pub(super) in_reach: Sums,
}

/// What the evaluation counts: squares and hopes of islands, of linked groups and of groups in reach.
pub const KINDS: usize = 6;
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
    [14, 321, -412, 315, -523, 15],
    [151, 97, -74, 167, -400, 59],
    [164, -27, -16, 129, -156, 51],
    [116, -58, 16, 72, -73, 65],
    [87, -62, 12, 55, -35, 68],
    [83, -62, 13, 59, -32, 59],
    [82, -60, 13, 74, -31, 58],
];

/// By how much the side to move leads, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leads {
    /// In each of the [`KINDS`].
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
    /// The exits of islands.
    pub const EXITS: u32 = 1;
    /// Islands that a brick would join.
    pub const LINKED: u32 = 1 << 1;
    /// Islands that can reach the same open cells, and how many these are.
    pub const IN_REACH: u32 = 1 << 2;
    /// The order of moves by what they bring near and by room; left is what they gain at once.
    pub const ORDER: u32 = 1 << 3;
    /// That only the best moves are searched.
    pub const BEAM: u32 = 1 << 4;
    /// Which of them each number is that the evaluation counts; points are none.
    pub(super) const OF_KINDS: [u32; super::KINDS] = [0, EXITS, LINKED, LINKED, IN_REACH, IN_REACH];
    /// All of them, each with a name.
    pub const ALL: [(&str, u32); 5] = [
        ("exits", EXITS),
        ("linked", LINKED),
        ("in reach", IN_REACH),
        ("order", ORDER),
        ("beam", BEAM),
    ];
}

/// A game of bricks evaluated without some [`parts`], to see what they are worth.
#[must_use]
pub fn evaluate_without<G: Game>(game: &G, left_out: u32) -> Score {
    Survey::of(game).evaluate_without(game.side_to_move(), left_out)
}

/// A game of bricks evaluated with other weights.
#[must_use]
pub fn evaluate_with<G: Game>(game: &G, weights: &Weights) -> Score {
    leads(game).value(weights, 0)
}

/// What the evaluation of a game of bricks counts.
#[must_use]
pub fn leads<G: Game>(game: &G) -> Leads {
    Survey::of(game).leads(game.side_to_move())
}

/// The moves of a game of bricks, listed without some [`parts`], to see what they are worth.
pub fn generate_without<G: Game>(game: &G, left_out: u32, sink: &mut MoveSink<'_>) {
    let GameSpec::Bricks { size } = game.spec() else { return };
    let Ok(geometry) = Geometry::new(size, MAX_SURVEYED_SIDE * MAX_SURVEYED_SIDE) else { return };
    Survey::of(game).list(game.side_to_move(), geometry, left_out, sink);
    if game.plies_left() > WIDE_PLIES && left_out & parts::BEAM == 0 {
        sink.keep_best(BEAM);
    }
}

/// How many moves are worth a search while more than [`WIDE_PLIES`] plies are left.
const BEAM: usize = 24;
/// Fewer of them are tried one, two and three plies before the horizon.
pub(super) const WIDTHS: &[usize] = &[8, 12, 16];
/// So near the end all moves are.
const WIDE_PLIES: usize = 8;
/// The parts of the way from one row of weights to the next.
pub const STEPS: usize = 32;

/// The regions of a board.
#[derive(Debug)]
pub(super) struct Survey {
    size: usize,
    /// The region of every cell, frame included.
    of: Array<u8, FRAME>,
    /// The places beside a stone, as bits.
    coast: Array<u32, { FRAME.div_ceil(32) }>,
    regions: List<Region, MAX_REGIONS>,
}

impl Survey {
    /// A survey to be filled in: it is large, so it is not handed on by value.
    pub(super) const fn blank(size: usize) -> Survey {
        Survey {
            size,
            of: Guarded::new([NOWHERE; FRAME], NOWHERE),
            coast: Guarded::new([0; FRAME.div_ceil(32)], 0),
            regions: Guarded::new(Vec::new(), Region::NONE),
        }
    }

    /// Surveys the board.
    pub(super) fn fill_in(&mut self, content: impl Fn(usize) -> Content) {
        let size = self.size;
        self.begin(Content::Hole);
        for row in 0..size {
            let start = self.place(row * size, row);
            for col in 0..size {
                self.scan(start + col, content(row * size + col));
            }
        }
        self.settle();
    }

    /// Surveys any game of bricks.
    fn of<G: Game>(game: &G) -> Survey {
        let size = game.spec().rows().min(MAX_SURVEYED_SIDE);
        let is_free = |cell: usize| cell < size * size && game.stone(cell).is_none();
        let mut survey = Survey::blank(size);
        survey.fill_in(|cell| match game.stone(cell) {
            Some(side) => Content::stone(side),
            None => {
                let (_, col) = row_and_col(cell, size);
                let is_open = (col > 0 && is_free(cell - 1))
                    || (col + 1 < size && is_free(cell + 1))
                    || (cell >= size && is_free(cell - size))
                    || is_free(cell + size);
                if is_open { Content::Open } else { Content::Hole }
            }
        });
        survey
    }

    /// Cells of a row with its border.
    const fn stride(&self) -> usize {
        self.size + 1
    }

    /// Where a cell in this row is in the frame.
    const fn place(&self, cell: usize, row: usize) -> usize {
        cell + row + self.stride()
    }

    fn region(&self, at: usize) -> Region {
        self.regions[usize::from(self.of[at])]
    }

    fn is_open(&self, at: usize) -> bool {
        self.region(at).content == Content::Open
    }

    /// Whether there is a stone beside this place.
    fn is_coast(&self, at: usize) -> bool {
        self.coast[at / 32] >> (at % 32) & 1 != 0
    }

    const fn beside(&self, at: usize) -> [usize; 4] {
        [at - self.stride(), at - 1, at + 1, at + self.stride()]
    }

    /// A new region, without cells.
    fn begin(&mut self, content: Content) -> u8 {
        let root = self.regions.len() as u8;
        match self.regions.push(Region { content, root, cells: 0, exits: 0 }) {
            Ok(()) => root,
            Err(_) => NOWHERE,
        }
    }

    fn scan(&mut self, at: usize, content: Content) {
        if content == Content::Hole {
            return;
        }
        let (left, up) = (self.of[at - 1], self.of[at - self.stride()]);
        let same = |region: u8| self.regions[usize::from(region)].content == content;
        let region = if same(up) {
            if left != up && same(left) {
                self.hang_together(left, up);
            }
            up
        } else if same(left) {
            left
        } else {
            self.begin(content)
        };
        self.of[at] = region;
        self.regions[usize::from(region)].cells += 1;
        if content != Content::Open {
            for at in self.beside(at) {
                self.coast[at / 32] |= 1 << (at % 32);
            }
        }
    }

    /// The root of what hangs together with this region.
    fn root(&mut self, region: u8) -> u8 {
        let mut region = region;
        loop {
            let above = self.regions[usize::from(region)].root;
            if above == region {
                return region;
            }
            let top = self.regions[usize::from(above)].root;
            self.regions[usize::from(region)].root = top;
            region = top;
        }
    }

    /// Hangs both regions from the lower of their roots.
    fn hang_together(&mut self, one: u8, other: u8) {
        let (one, other) = (self.root(one), self.root(other));
        self.regions[usize::from(one.max(other))].root = one.min(other);
    }

    /// Moves the cells and exits of what hangs together to its root; the others keep none.
    fn gather(&mut self) {
        for n in 1..self.regions.len() {
            let root = usize::from(self.root(n as u8));
            if root != n {
                let Region { cells, exits, .. } = self.regions[n];
                self.regions[n] = Region { cells: 0, exits: 0, ..self.regions[n] };
                self.regions[root].cells += cells;
                self.regions[root].exits += exits;
            }
        }
    }

    /// After the scan: the cells know the roots of their regions.
    fn settle(&mut self) {
        self.gather();
        let end = (self.size + 1) * self.stride();
        for region in self.of.iter_mut().take(end).skip(self.size + 1) {
            *region = self.regions[usize::from(*region)].root;
        }
    }

    /// The sums over all islands or groups of both sides.
    fn sums(&self) -> [Sums; 2] {
        let mut sums = [Sums::default(); 2];
        for region in self.regions.iter() {
            if let Some(sum) = region.content.side().and_then(|side| sums.get_mut(side)) {
                let (cells, exits) = (Score::from(region.cells), Score::from(region.exits));
                sum.squares += cells * cells;
                sum.hopes += cells * exits;
            }
        }
        sums
    }

    /// What both sides can hope for.
    pub(super) fn prospects(&mut self) -> [Prospects; 2] {
        let contacts = self.link();
        let islands = self.sums();
        self.gather();
        let linked = self.sums();
        for region in self.regions.iter_mut() {
            region.exits = 0;
        }
        let [first, second] =
            [(Side::First, islands[0], linked[0]), (Side::Second, islands[1], linked[1])];
        [first, second].map(|(side, islands, linked)| Prospects {
            islands,
            linked,
            in_reach: self.reach(side, &contacts, linked),
        })
    }

    /// Counts the exits of all islands and hangs together those that a brick can join. Returns
    /// which islands border on which pieces of open cells.
    ///
    /// A brick that covers an open cell joins what borders on the cell; one that covers two, what
    /// borders on either.
    fn link(&mut self) -> Vec<(u8, u8), MAX_CONTACTS> {
        let mut contacts: Vec<(u8, u8), MAX_CONTACTS> = Vec::new();
        // An island of each side beside the cell to the left, and beside the cells of the row
        // above; nowhere if there is none or the cell is not open.
        let mut above = [[NOWHERE; 2]; MAX_SURVEYED_SIDE];
        for row in 0..self.size {
            let mut left = [NOWHERE; 2];
            let start = self.place(row * self.size, row);
            for (col, up) in above.iter_mut().enumerate().take(self.size) {
                let at = start + col;
                let mut here = [NOWHERE; 2];
                if self.is_coast(at) && self.is_open(at) {
                    self.visit(at, &mut here, &mut contacts);
                    for ((here, left), up) in here.into_iter().zip(left).zip(*up) {
                        for there in [left, up] {
                            if here != NOWHERE && there != NOWHERE {
                                self.hang_together(here, there);
                            }
                        }
                    }
                }
                (left, *up) = (here, here);
            }
        }
        contacts
    }

    /// Looks around an open cell: each island beside it has an exit more and contact with the
    /// cell's piece, and those of a side hang together. `here` becomes one of each side.
    fn visit(&mut self, at: usize, here: &mut [u8; 2], contacts: &mut Vec<(u8, u8), MAX_CONTACTS>) {
        let piece = self.of[at];
        let beside = self.beside(at).map(|at| self.of[at]);
        for (n, &island) in beside.iter().enumerate() {
            let region = &mut self.regions[usize::from(island)];
            let Some(side) = region.content.side() else { continue };
            if beside.iter().take(n).any(|&known| known == island) {
                continue;
            }
            region.exits += 1;
            // The same contact again and again is the rule; to keep it twice does no harm.
            if !contacts.iter().rev().take(RECENT_CONTACTS).any(|&known| known == (island, piece)) {
                let _ = contacts.push((island, piece));
            }
            match &mut here[side] {
                first @ &mut NOWHERE => *first = island,
                &mut first => self.hang_together(first, island),
            }
        }
    }

    /// The sums over a side's groups when those that can reach the same piece of open cells are
    /// one. `linked` are the sums before. The groups' exits become the open cells in reach.
    fn reach(&mut self, side: Side, contacts: &[(u8, u8)], linked: Sums) -> Sums {
        for (n, region) in self.regions.iter_mut().enumerate() {
            if region.content == Content::Open {
                region.root = n as u8;
            }
        }
        let mut sums = Sums { hopes: 0, ..linked };
        for &(island, piece) in contacts {
            if self.regions[usize::from(island)].content != Content::stone(side) {
                continue;
            }
            let (group, other) = (self.root(island), self.root(piece));
            if group == other {
                continue;
            }
            let (own, joined) =
                (self.regions[usize::from(group)], self.regions[usize::from(other)]);
            // A piece that no group has reached yet brings its cells, a group what it has.
            let (cells, reached) = match joined.content {
                Content::Open => (0, joined.cells),
                _ => (joined.cells, joined.exits),
            };
            let score = |count: u16| Score::from(count);
            sums.squares += 2 * score(own.cells) * score(cells);
            sums.hopes += score(own.cells) * score(reached) + score(cells) * score(own.exits);
            let root = &mut self.regions[usize::from(group)];
            root.cells += cells;
            root.exits += reached;
            self.regions[usize::from(other)].root = group;
        }
        sums
    }

    /// The value by which a brick on these places of the frame is ordered.
    ///
    /// What the mover gains counts, and half of: what the opponent would gain there; for either
    /// side, what lies one open cell further and could be joined next; and room to grow, by
    /// the open cells beside the brick that have no stone of the mover's yet.
    /// `number` tells bricks apart and is not 0. Without looking around, the first two count.
    fn order(
        &mut self,
        mover: Side,
        brick: [usize; BRICK_CELLS],
        number: u16,
        looks_around: bool,
    ) -> u32 {
        let (mut joined, mut squares, mut near) = ([0; 2], [0; 2], [0; 2]);
        let mut room = 0;
        let around = brick.map(|at| self.beside(at));
        let lies_beside = brick.iter().any(|&at| self.is_coast(at));
        for &at in around.as_flattened().iter().filter(|_| lies_beside) {
            let region = &mut self.regions[usize::from(self.of[at])];
            if let Some(side) = region.content.side()
                && region.exits != number
            {
                region.exits = number;
                joined[side] += Score::from(region.cells);
                squares[side] += Score::from(region.cells) * Score::from(region.cells);
            }
        }
        for &at in around.as_flattened() {
            if !looks_around || !self.is_open(at) || brick.contains(&at) {
                continue;
            }
            if !self.is_coast(at) {
                room += 1;
                continue;
            }
            let mut is_fresh = true;
            for at in self.beside(at) {
                let region = &mut self.regions[usize::from(self.of[at])];
                let Some(side) = region.content.side() else { continue };
                is_fresh &= side != mover.index();
                if region.exits != number {
                    region.exits = number;
                    near[side] += Score::from(region.cells);
                }
            }
            room += Score::from(is_fresh);
        }
        let (own, opponent) = (mover.index(), mover.other().index());
        let size = joined.map(|cells| cells + BRICK_CELLS as Score);
        let gain = |side: usize| size[side] * size[side] - squares[side];
        let hopes =
            gain(opponent) + near[opponent] * size[opponent] + (near[own] + room) * size[own];
        (gain(own) + hopes / 2).unsigned_abs()
    }

    /// Lists the bricks that fit, horizontal ones first.
    fn list(&mut self, mover: Side, geometry: Geometry, left_out: u32, sink: &mut MoveSink<'_>) {
        let looks_around = left_out & parts::ORDER == 0;
        let mut number = 0;
        for (is_vertical, step) in [(false, 1), (true, self.stride())] {
            for row in 0..self.size {
                let start = self.place(row * self.size, row);
                for col in 0..self.size {
                    let brick = [start + col, start + col + step];
                    if !brick.iter().all(|&at| self.is_open(at)) {
                        continue;
                    }
                    number += 1;
                    let cell = row * self.size + col;
                    let mv = match is_vertical {
                        false => geometry.horizontal(cell),
                        true => geometry.vertical(cell),
                    };
                    sink.push(mv, self.order(mover, brick, number, looks_around));
                }
            }
        }
    }

    /// Lists the bricks that are worth a search with `plies` left.
    pub(super) fn generate(
        &mut self,
        mover: Side,
        plies: usize,
        geometry: Geometry,
        sink: &mut MoveSink<'_>,
    ) {
        self.list(mover, geometry, 0, sink);
        if plies > WIDE_PLIES {
            sink.keep_best(BEAM);
        }
    }

    /// The evaluation for the side to move.
    pub(super) fn evaluate(&mut self, mover: Side) -> Score {
        self.evaluate_without(mover, 0)
    }

    fn evaluate_without(&mut self, mover: Side, left_out: u32) -> Score {
        self.leads(mover).value(&WEIGHTS, left_out)
    }

    fn leads(&mut self, mover: Side) -> Leads {
        let cells = self.size * self.size;
        let islands = self.regions.iter().filter(|region| region.content.side().is_some());
        let filled: usize = islands.map(|region| usize::from(region.cells)).sum();
        let time = (filled * MOMENTS * STEPS / cells.max(1)).saturating_sub(STEPS);
        let prospects = self.prospects();
        let (own, opponent) = (prospects[mover.index()], prospects[mover.other().index()]);
        let lead = |of: fn(&Prospects) -> Sums| {
            let (own, opponent) = (of(&own), of(&opponent));
            [own.squares - opponent.squares, own.hopes - opponent.hopes]
        };
        let [islands, linked, in_reach] =
            [lead(|all| all.islands), lead(|all| all.linked), lead(|all| all.in_reach)];
        let moment = (time / STEPS).min(MOMENTS - 2);
        Leads {
            leads: [islands[0], islands[1], linked[0], linked[1], in_reach[0], in_reach[1]],
            moment,
            share: (time - moment * STEPS).min(STEPS),
        }
    }
}
