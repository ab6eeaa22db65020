//! What islands are worth: points, evaluation, move order, and bounds of the final margin.
//!
//! Both representations of the board gather the same few figures in their own way; what follows
//! from the figures is written here once, in whole numbers. All sums stay below `2 * 400^2`, far
//! from the limits of [`Score`].

use crate::game::bricks::islands::Island;
use crate::game::bricks::{BRICK_CELLS, BRICK_NEIGHBOURS};
use crate::game::{Effort, Outcome, Side};
use crate::score::{Score, clamp_heuristic};

/// What one island adds to its owner's points.
const fn points(cells: u16) -> Score {
    cells as Score * cells as Score
}

/// The sums over all islands of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Totals {
    /// Exits beyond these do not make an island's future any brighter.
    enough_exits: u16,
    /// Cells squared: the points.
    pub(super) points: Score,
    /// Hopes of growth.
    pub(super) growth: Score,
    /// What can still change, and what can not.
    pub(super) holdings: Holdings,
}

/// One side's cells, split by whether their island can still grow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Holdings {
    /// Cells of the islands that have an exit.
    pub(super) growing_cells: u16,
    /// Points of the islands that have none: they stay what they are.
    pub(super) closed_points: Score,
}

impl Holdings {
    pub(super) const fn add_closed(&mut self, cells: u16) {
        self.closed_points += points(cells);
    }
}

impl Totals {
    /// The sums over no islands, on a board with `size` rows and columns.
    pub(super) const fn new(size: usize) -> Totals {
        Totals {
            enough_exits: 2 * size as u16,
            points: 0,
            growth: 0,
            holdings: Holdings { growing_cells: 0, closed_points: 0 },
        }
    }

    /// What the evaluation gives for an island's hope of growth.
    ///
    /// A brick that joins an island of `n` cells adds `4n + 4` points, so the hope goes with the
    /// size. It also goes with the exits, up to a coast of twice the board's side: an island with
    /// more can hardly be shut in. The factor and the limit are round numbers near the better ones
    /// of a few that were tried in matches of two-ply searches against points alone: limits of 12
    /// and 16 on 7x7 and 8x8, 24 on 11x11; factors of a quarter to one differed little.
    const fn growth(&self, island: Island) -> Score {
        let exits = if island.exits < self.enough_exits { island.exits } else { self.enough_exits };
        island.cells as Score * exits as Score / 2
    }

    /// Counts an island.
    pub(super) const fn add(&mut self, island: Island) {
        self.points += points(island.cells);
        self.growth += self.growth(island);
        if island.exits > 0 {
            self.holdings.growing_cells += island.cells;
        } else {
            self.holdings.add_closed(island.cells);
        }
    }

    /// Counts an island no more.
    pub(super) const fn remove(&mut self, island: Island) {
        self.points -= points(island.cells);
        self.growth -= self.growth(island);
        if island.exits > 0 {
            self.holdings.growing_cells -= island.cells;
        } else {
            self.holdings.closed_points -= points(island.cells);
        }
    }
}

/// The evaluation for the side to move where boards are not surveyed: points and hopes of growth,
/// its own minus the opponent's.
pub(super) fn evaluate(own: &Totals, opponent: &Totals) -> Score {
    let worth = |totals: &Totals| i64::from(totals.points + totals.growth);
    clamp_heuristic(worth(own) - worth(opponent))
}

/// The islands that a brick would join, each counted once.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Joined {
    roots: [u16; BRICK_NEIGHBOURS],
    len: usize,
    cells: u16,
    points: Score,
}

impl Joined {
    /// Adds an island, told apart by its root, unless it is in already.
    pub(super) fn add(&mut self, root: u16, cells: u16) {
        if self.roots.iter().take(self.len).any(|&known| known == root) {
            return;
        }
        if let Some(slot) = self.roots.get_mut(self.len) {
            *slot = root;
            self.len += 1;
            self.cells += cells;
            self.points += points(cells);
        }
    }

    /// By how much a brick that joins these islands raises their owner's points.
    pub(super) const fn gain(&self) -> Score {
        points(self.cells + BRICK_CELLS as u16) - self.points
    }
}

/// The value by which a move is ordered in a proof, and where boards are not surveyed: what it
/// gains, and half of what the opponent would gain in the same place.
///
/// `beside` are the stones that border on the brick: owner, root and cells of their island.
pub(super) fn order(mover: Side, beside: impl Iterator<Item = (Side, u16, u16)>) -> u32 {
    let mut joined = [Joined::default(); 2];
    for (side, root, cells) in beside {
        joined[side.index()].add(root, cells);
    }
    let [own, opponent] = [mover, mover.other()].map(|side| joined[side.index()].gain());
    (own + opponent / 2).unsigned_abs()
}

/// How a game with these points has ended.
pub(super) fn outcome(points: [Score; 2]) -> Outcome {
    match points[0].cmp(&points[1]) {
        core::cmp::Ordering::Greater => Outcome::Win(Side::First),
        core::cmp::Ordering::Less => Outcome::Win(Side::Second),
        core::cmp::Ordering::Equal => Outcome::Draw,
    }
}

/// A connected piece of the board: open cells, or open cells and the stones of one side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Piece {
    /// Stones in it.
    pub(super) stones: u16,
    /// Open cells in it, by shade.
    pub(super) open: [u16; 2],
}

impl Piece {
    /// No more bricks than this fit in: each takes one cell of either shade.
    const fn room(&self) -> u16 {
        if self.open[0] < self.open[1] { self.open[0] } else { self.open[1] }
    }
}

/// What the bounds ask a position.
pub(super) trait Standing {
    /// The side to move.
    fn mover(&self) -> Side;
    /// A side's points.
    fn points(&self, side: Side) -> Score;
    /// The most plies that can still be played; 0 if and only if the game is over.
    fn plies(&self) -> usize;
    /// A side's cells, split by whether they can still grow.
    fn holdings(&self, side: Side) -> Holdings;
    /// Hands over the connected pieces of the open cells, or of the open cells and this side's
    /// stones together. As costly as looking at the whole board.
    fn pieces(&self, with: Option<Side>, each: impl FnMut(Piece));
}

/// The most points that a side can have after a number of further bricks of its own: an upper
/// bound.
///
/// A piece with `s` stones and room for `r` bricks that gets `k` bricks ends with `(s + 2k)^2`
/// points at most, as if all were one island: `4k(s + k)` more than `s^2`, where `k` is at most
/// `r` and at most the number of all bricks. So the gain of all pieces together is at most the
/// sum with every `k` at its greatest, and at most the steepest `4(s + k)` for every brick.
struct Reach {
    bricks: Score,
    settled: Score,
    sum: Score,
    steepest: Score,
}

impl Reach {
    const fn new(bricks: usize, closed_points: Score) -> Reach {
        Reach { bricks: bricks as Score, settled: closed_points, sum: 0, steepest: 0 }
    }

    fn add(&mut self, stones: u16, room: u16) {
        let most = Score::from(room).min(self.bricks);
        let slope = if most == 0 { 0 } else { 4 * (Score::from(stones) + most) };
        self.settled += points(stones);
        self.sum += most * slope;
        self.steepest = self.steepest.max(slope);
    }

    fn most_points(&self) -> Score {
        self.settled + self.sum.min(self.bricks * self.steepest)
    }
}

/// Bounds of the final margin for the side to move, for [`crate::game::Game::bounds`].
///
/// Let at most `p` plies be left. The mover lays `m <= ceil(p / 2)` more bricks, the opponent
/// `o <= floor(p / 2)`, and `m` is `o` or `o + 1`, at least 1. A brick adds 4 points or more to
/// its owner's. With `reach(k)` the most points that `k` more bricks can bring:
///
/// - margin `<= reach(m) - (opponent's points + 4 (m - 1))`, greatest for the greatest `m`: all
///   pieces together have room for `p` bricks, so whatever fewer bricks reach, `ceil(p / 2)` of
///   them reach 4 more for every brick more.
/// - margin `>= own points + 4 max(o, 1) - reach(o)`, least for the greatest `o`.
///
/// Cheap: all that can grow is taken as one piece. Thorough, if that does not leave the window:
/// what lies apart is counted apart.
pub(super) fn bounds(
    standing: &impl Standing,
    alpha: Score,
    beta: Score,
    effort: Effort,
) -> (Score, Score) {
    let (own, opponent) = (standing.mover(), standing.mover().other());
    let plies = standing.plies();
    if plies == 0 {
        let margin = standing.points(own) - standing.points(opponent);
        return (margin, margin);
    }
    let between = |plies: usize, reach: &dyn Fn(Side, usize) -> Reach| {
        let (own_bricks, opponent_bricks) = (plies.div_ceil(2), plies / 2);
        let bricks_add = |bricks: usize| 4 * bricks as Score;
        let high = reach(own, own_bricks).most_points()
            - standing.points(opponent)
            - bricks_add(own_bricks - 1);
        let low = standing.points(own) + bricks_add(opponent_bricks.max(1))
            - reach(opponent, opponent_bricks).most_points();
        (low, high)
    };
    let (low, high) = between(plies, &|side, bricks| {
        let holdings = standing.holdings(side);
        let mut reach = Reach::new(bricks, holdings.closed_points);
        reach.add(holdings.growing_cells, bricks as u16);
        reach
    });
    if effort < Effort::Thorough || low >= beta || high <= alpha {
        return (low, high);
    }
    let mut plies = 0;
    standing.pieces(None, |piece| plies += usize::from(piece.room()));
    between(plies, &|side, bricks| {
        let mut reach = Reach::new(bricks, 0);
        standing.pieces(Some(side), |piece| reach.add(piece.stones, piece.room()));
        reach
    })
}
