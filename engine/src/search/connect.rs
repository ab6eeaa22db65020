//! The solver of Connect X on boards that fit in 64 bits: exact scores by yes-or-no questions.
//!
//! A question is a search with a window of width one: "is the score more than alpha?" What makes
//! it small, besides the table:
//!
//! - **Chains of forced moves** are followed without search: a node is the first position on the
//!   way where the side to move has a choice. Moves that let the opponent win at once are no choice.
//! - **A glance at all children** comes before the first of them is searched: some are decided by
//!   a chain, by a bound or by the table, and one of those may answer the question.
//! - **The follow-up bound** (`Prover::followed_up`), the zugzwang of this game as a proof.
//! - **The spare columns** (`Prover::held_off`): how long the opponent can answer every stone.
//! - **Order**: the places where the next stone would win count most, then a history of the cells
//!   that ended a search, then nearness to the middle and lines.
//!
//! Scores inside are small: a win with the last stone but n of the winner's is n + 1, a loss the
//! same with a minus, a draw 0. `Prover::score` turns them into those of [`crate::score`].
//!
//! Recursion is bounded by the number of free cells. A frame holds two positions; candidates lie on
//! the search's move stack.

use super::HISTORY_SLOTS;
use super::ordering::{Candidate, pick_next};
use super::report::{Clock, Ending, Goal, Limits};
use super::solver::Progress;
use super::table::exact::Bounds;
use super::table::{Place, Table};
use crate::game::Move;
use crate::game::connect::grid::{DIRECTIONS, Grid, Shape, Stacks};
use crate::game::line::bits::{Cells, MAX_CELLS};
use crate::guarded::between;
use crate::score::{Score, loss_at, win_at};

/// Parts of the solver that can be left out to see what they are worth, as a bit set.
pub mod parts {
    /// The follow-up bound.
    pub const FOLLOW_UP: u32 = 1 << 0;
    /// The follow-up bound where the opponent needs a threat to make up for a column.
    pub const ODD_THREATS: u32 = 1 << 1;
    /// In the follow-up bound: that the game never gets beyond a place where the follower wins.
    pub const REACH: u32 = 1 << 2;
    /// In the follow-up bound: pairs of columns with an odd number of free cells.
    pub const PAIRS: u32 = 1 << 3;
    /// Dead lines.
    pub const DEAD_LINES: u32 = 1 << 4;
    /// The table at all children before the first is searched.
    pub const TABLE_AT_CHILDREN: u32 = 1 << 5;
    /// The order by threats.
    pub const THREAT_ORDER: u32 = 1 << 6;
    /// The history of good cells.
    pub const HISTORY: u32 = 1 << 7;
    /// Positions and their mirror images are the same near the start.
    pub const MIRROR: u32 = 1 << 8;
    /// The glance at children: without it each is a node of its own.
    pub const GLANCE: u32 = 1 << 9;
    /// Beside the follow-up bound: columns that the follower need not hold.
    pub const SPARE: u32 = 1 << 10;
    /// The order by lines that are begun and by what the follow-up bound lacks.
    pub const LINE_ORDER: u32 = 1 << 11;
    /// The only move that does not lose at once is played without search.
    pub const ONLY_MOVES: u32 = 1 << 12;
    /// All parts with their names.
    pub const ALL: [(&str, u32); 13] = [
        ("follow-up", FOLLOW_UP),
        ("odd-threats", ODD_THREATS),
        ("reach", REACH),
        ("pairs", PAIRS),
        ("dead-lines", DEAD_LINES),
        ("table-at-children", TABLE_AT_CHILDREN),
        ("threat-order", THREAT_ORDER),
        ("history", HISTORY),
        ("mirror", MIRROR),
        ("glance", GLANCE),
        ("spare", SPARE),
        ("line-order", LINE_ORDER),
        ("only-moves", ONLY_MOVES),
    ];
}

/// The most columns of a board: 32 of one row, each with its spare bit.
const MAX_COLS: usize = MAX_CELLS / 2;
/// Positions with more stones than this are not looked at in the mirror.
const MIRROR_MAX_PLY: u32 = 12;
/// Lines of four are looked at for being dead only when at most so many cells are free.
const DEAD_LINES_PLIES: u32 = 8;
const LINE_OF_FOUR: u32 = 4;

/// What counts in the order of moves: each place where a stone would win then, ...
const THREAT_ORDER: u32 = 1024;
/// ... if it is two above the ground besides, ...
const NEAR_THREAT_ORDER: u32 = 512;
/// ... each step from the edge, ...
const CENTRE_ORDER: u32 = 256;
/// ... each line with one own stone and no other's that gets a second one, ...
const LINE_ORDER: u32 = 200;
/// ... each line, up to so many, that is lacking for the follow-up bound to hold, ...
const LACK_ORDER: u32 = 200;
const MAX_LACKS: u32 = 8;
/// ... both only where so many cells are free: below, a better order does not pay; ...
const LINE_ORDER_FREE: u32 = 16;
/// ... and the history, which starts in the middle of its range.
const HISTORY_START: u16 = 2_000;
const HISTORY_LIMIT: u16 = 2 * HISTORY_START;
/// Between two questions what the history has learned fades to one part in so many.
const HISTORY_FADE: i32 = 10;
/// The history of a side: of a cell at any time, and of a cell as the answer to a stone in each
/// column, as far as there is room.
const HISTORIES: usize = HISTORY_SLOTS / MAX_CELLS;

/// How the history is used.
#[derive(Clone, Copy, Debug)]
pub(super) struct HistoryUse {
    /// It counts for so many halves of its value, ...
    halves: u32,
    /// ... and as an answer for so many.
    answer_halves: u32,
    /// What is learned where many cells are free counts more: once more for every so many of them.
    cells: u32,
}

impl HistoryUse {
    /// In proofs from so few free cells on ...
    const FEW_FREE: u32 = 28;
    /// ... it learns fast; ...
    const SHORT: HistoryUse = HistoryUse { halves: 3, answer_halves: 2, cells: 8 };
    /// ... in long ones it would have forgotten everything by the time that it is asked.
    const LONG: HistoryUse = HistoryUse { halves: 1, answer_halves: 2, cells: u32::MAX };

    pub(super) const fn with_free(cells: u32) -> HistoryUse {
        if cells <= Self::FEW_FREE { Self::SHORT } else { Self::LONG }
    }
}

/// A position from the view of the side to move, with both sides' threats.
#[derive(Clone, Copy, Debug)]
struct Node {
    own: Cells,
    other: Cells,
    own_threats: Cells,
    other_threats: Cells,
    ply: u32,
    /// The column of the last stone.
    last: u32,
}

impl Node {
    #[inline(always)]
    fn occupied(&self) -> Cells {
        self.own | self.other
    }

    /// Own stones plus occupied cells: different for every position.
    #[inline(always)]
    fn key(&self) -> u64 {
        self.own.wrapping_add(self.occupied())
    }
}

/// A position as the follow-up bound sees it.
#[derive(Clone, Copy, Debug)]
struct Ground {
    empty: Cells,
    /// All upper cells of the board.
    uppers: Cells,
    /// The lowest free cells of columns with an odd number of them.
    odd: Cells,
    /// The upper cells where the follower wins.
    wins: Cells,
    /// The cells that the game gets to.
    reach: Cells,
}

/// A node whose moves are searched.
#[derive(Clone, Copy, Debug)]
struct Open {
    /// 1, or -1 if forced moves have turned the sides since the question was asked.
    sign: i32,
    alpha: i32,
    best: i32,
    /// Where the node's moves end on the move stack.
    end: usize,
    known: Bounds,
    place: Place,
    /// The nodes visited before it.
    from: u64,
}

/// A move at the root, with the score that is known of it.
#[derive(Clone, Copy, Debug)]
struct RootMove {
    cell: Cells,
    low: i32,
    high: i32,
}

/// A proof under way. `LEFT_OUT` is a set of [`parts`].
pub(super) struct Prover<'a, 't, S, C, const LEFT_OUT: u32> {
    pub grid: Grid<S>,
    pub clock: &'a C,
    pub limits: Limits,
    pub table: &'a mut Table<'t>,
    pub moves: &'a mut [Candidate],
    pub history: &'a mut [[u16; HISTORY_SLOTS]; 2],
    pub history_use: HistoryUse,
    pub progress: &'a mut dyn FnMut(&Progress),
    pub nodes: u64,
    /// Set once a limit is reached; all values returned after that are void.
    pub stopped: Option<Ending>,
    pub known: Progress,
}

/// What came out: bounds of the score, and a move that keeps the lower one, if one is known.
pub(super) struct Proof {
    pub low: Score,
    pub high: Score,
    pub best: Option<Move>,
}

/// How many nodes pass between two looks at the clock. A node here does more than elsewhere. The
/// stop signal is looked at on every node.
const CLOCK_INTERVAL: u64 = 4;
/// How often the progress is told, in nodes.
const PROGRESS_INTERVAL: u64 = 1 << 14;

/// Where the history of a cell is.
const fn history_slot(cell: usize) -> usize {
    cell % MAX_CELLS
}

/// Where the history of a cell as an answer is.
const fn answer_slot(node: &Node, cell: usize) -> usize {
    (1 + node.last as usize % (HISTORIES - 1)) * MAX_CELLS + cell % MAX_CELLS
}

/// The lowest cell of a set.
#[inline(always)]
const fn lowest(set: Cells) -> Cells {
    set & set.wrapping_neg()
}

impl<S: Shape, C: Clock, const LEFT_OUT: u32> Prover<'_, '_, S, C, LEFT_OUT> {
    #[inline(always)]
    const fn has(part: u32) -> bool {
        LEFT_OUT & part == 0
    }

    /// Works towards a goal until it is met or a limit is reached. The game must not be over.
    pub fn prove(&mut self, stacks: &Stacks, goal: Goal) -> Proof {
        for side in self.history.iter_mut() {
            side.fill(HISTORY_START);
        }
        let (own, other) = stacks.own_and_other();
        let node = Node {
            own,
            other,
            own_threats: self.grid.threats(own, own | other),
            other_threats: self.grid.threats(other, own | other),
            ply: stacks.ply(),
            last: 0, // not known
        };
        let mut moves = self.root_moves(&node);
        let bounds = |moves: &[RootMove]| Bounds {
            low: moves.iter().map(|mv| mv.low).max().unwrap_or(0),
            high: moves.iter().map(|mv| mv.high).max().unwrap_or(0),
        };
        let mut known = bounds(&moves);
        while let Some(alpha) = next_question(known, goal) {
            self.known = Progress {
                low: self.score(known.low, node.ply),
                high: self.score(known.high, node.ply),
                ..self.known
            };
            if !self.ask_at_root(&node, &mut moves, alpha) {
                break;
            }
            self.known.questions += 1;
            known = bounds(&moves);
            for slot in self.history.iter_mut().flatten() {
                let learned = i32::from(*slot) - i32::from(HISTORY_START);
                *slot = (i32::from(HISTORY_START) + learned / HISTORY_FADE) as u16;
            }
        }
        // A move whose lower bound is that of the position; where all lose, the one of which that
        // was the hardest to see.
        let best = moves.iter().rev().max_by_key(|mv| (mv.low, mv.high)).filter(|mv| {
            mv.low == known.low && (mv.low >= 0 || next_question(known, goal).is_none())
        });
        Proof {
            low: self.score(known.low, node.ply),
            high: self.score(known.high, node.ply),
            best: best.map(|mv| Move::new(self.grid.column_of(mv.cell) as usize)),
        }
    }

    /// The legal moves, best first, with what is known of them at first sight.
    fn root_moves(&self, node: &Node) -> heapless::Vec<RootMove, MAX_COLS> {
        let left = (self.grid.cells - node.ply) as i32;
        let playable = self.grid.playable(node.occupied());
        let begun = self.begun(node);
        let mut moves: heapless::Vec<(u32, RootMove), MAX_COLS> = heapless::Vec::new();
        let mut cells = playable;
        while cells != 0 {
            let cell = lowest(cells);
            cells ^= cell;
            let child = self.child(node, cell);
            let (low, high, first) = if node.own_threats & cell != 0 {
                ((left + 1) / 2, (left + 1) / 2, true)
            } else if child.own_threats & self.grid.playable(child.occupied()) != 0 {
                (-(left / 2), -(left / 2), node.other_threats & cell != 0)
            } else {
                // Neither side can win with the next stone.
                (-((left - 2).max(0) / 2), (left - 1) / 2, true)
            };
            let order = self.order(node, &child, cell, &begun) + if first { 1 << 18 } else { 0 };
            // Before those of a lower order, which move on by one. There is room for every column.
            let mut new = (order, RootMove { cell, low, high });
            for place in moves.iter_mut().skip_while(|(other, _)| *other >= order) {
                core::mem::swap(place, &mut new);
            }
            let _ = moves.push(new);
        }
        let mut sorted = heapless::Vec::new();
        for (_, mv) in moves {
            let _ = sorted.push(mv);
        }
        sorted
    }

    /// Asks whether the score is more than `alpha`, and notes down what the answer says of the
    /// moves. `false` if a limit was reached first.
    fn ask_at_root(&mut self, node: &Node, moves: &mut [RootMove], alpha: i32) -> bool {
        for mv in moves.iter_mut().filter(|mv| mv.low <= alpha && mv.high > alpha) {
            let child = self.child(node, mv.cell);
            let seen = self.glance(&child, -alpha - 1);
            mv.low = mv.low.max(-seen.high);
            mv.high = mv.high.min(-seen.low);
        }
        if moves.iter().any(|mv| mv.low > alpha) {
            return true;
        }
        for n in 0..moves.len() {
            let Some(mv) = moves.get_mut(n).filter(|mv| mv.high > alpha) else { continue };
            let child = self.child(node, mv.cell);
            let value = -self.ask(&child, -alpha - 1, 0);
            if self.stopped.is_some() {
                return false;
            }
            if value > alpha {
                mv.low = value.max(mv.low);
                // The next question is harder; this move is the one to begin with.
                moves.get_mut(..=n).unwrap_or(&mut []).rotate_right(1);
                return true;
            }
            mv.high = value.min(mv.high);
        }
        true
    }

    /// Counts a node; tells whether the proof must stop.
    fn enter_node(&mut self) -> bool {
        if self.limits.nodes.is_some_and(|most| self.nodes >= most) {
            self.stopped = Some(Ending::Nodes);
            return true;
        }
        self.nodes += 1;
        let late = self.nodes.is_multiple_of(CLOCK_INTERVAL)
            && self.limits.deadline_us.is_some_and(|at| self.clock.now_us() >= at);
        if late || self.clock.should_stop() {
            self.stopped = Some(Ending::Stopped);
            return true;
        }
        if self.nodes.is_multiple_of(PROGRESS_INTERVAL) {
            self.known.nodes = self.nodes;
            (self.progress)(&self.known);
        }
        false
    }

    /// Whether the score of a position is more than `alpha`: a value above it is a lower bound of
    /// the score, any other an upper bound. `base` is where the free part of the move stack
    /// begins. The side to move must not be able to win at once. After a stop the value means
    /// nothing.
    fn ask(&mut self, start: &Node, alpha: i32, base: usize) -> i32 {
        let mut node = *start;
        let mut open = match self.open(&mut node, alpha, base) {
            Ok(open) => open,
            Err(value) => return value,
        };
        for n in base..open.end {
            let Some(child) = self.next_child(&node, n, open.end) else { break };
            let value = -self.ask(&child, -open.alpha - 1, open.end);
            if self.stopped.is_some() {
                return 0;
            }
            open.best = open.best.max(value);
            if value > open.alpha {
                self.learn(&node, base, n);
                break;
            }
        }
        self.close(&open)
    }

    /// Does what comes before the search of a node's moves: settles it, asks bounds and table, and
    /// lists the moves. `Err` with the node's value if there is nothing to search, or after a stop.
    ///
    /// What comes before and after is in functions of its own so that it takes no stack meanwhile.
    #[inline(never)]
    fn open(&mut self, node: &mut Node, alpha: i32, base: usize) -> Result<Open, i32> {
        if self.enter_node() {
            return Err(0);
        }
        let (turned, decided) = self.settle(node);
        let (sign, alpha) = if turned { (-1, -alpha - 1) } else { (1, alpha) };
        if let Some(value) = decided {
            return Err(sign * value);
        }
        let place = self.table.place_exact(self.table_key(node), self.grid.key_bits());
        let mut known = self.first_bounds(node);
        if let Some(entry) = self.table.probe_exact(place) {
            known.low = known.low.max(entry.low);
            known.high = known.high.min(entry.high);
        }
        if !Self::has(parts::GLANCE) {
            self.narrow(node, alpha, &mut known);
        }
        if known.high <= alpha {
            return Err(sign * known.high);
        }
        if known.low > alpha {
            return Err(sign * known.low);
        }
        match self.list_moves(node, alpha, base) {
            // What a glance tells again need not be remembered.
            Ok((best, _)) if best > alpha => Err(sign * between(best, known.low, known.high)),
            Ok((best, end)) => Ok(Open { sign, alpha, best, end, known, place, from: self.nodes }),
            Err(reason) => {
                self.stopped = Some(reason);
                Err(0)
            }
        }
    }

    /// Remembers what came out of a node's moves, and returns its value.
    #[inline(never)]
    fn close(&mut self, open: &Open) -> i32 {
        let mut known = open.known;
        let value = between(open.best, known.low, known.high);
        if value > open.alpha {
            known.low = value;
        } else {
            known.high = value;
        }
        self.table.store_exact(open.place, known, self.nodes - open.from + 1);
        open.sign * value
    }

    /// Puts the moves that may beat `alpha` on the move stack from `base` on. Returns the best
    /// score that a glance at the others tells, which may itself beat it, and the end of the list.
    fn list_moves(&mut self, node: &Node, alpha: i32, base: usize) -> Result<(i32, usize), Ending> {
        let playable = self.grid.playable(node.occupied());
        let mut cells = playable & !(node.other_threats >> 1);
        let begun = self.begun(node);
        let mut best = -(self.grid.cells as i32);
        let mut end = base;
        while cells != 0 {
            let cell = lowest(cells);
            cells ^= cell;
            let child = self.child(node, cell);
            if Self::has(parts::GLANCE) {
                let seen = self.glance(&child, -alpha - 1);
                if -seen.high > alpha {
                    return Ok((-seen.high, end));
                }
                if -seen.low <= alpha {
                    best = best.max(-seen.low);
                    continue;
                }
            }
            let order = self.order(node, &child, cell, &begun);
            let slot = self.moves.get_mut(end).ok_or(Ending::Depth)?;
            *slot = Candidate::new(Move::new(cell.trailing_zeros() as usize), order);
            end += 1;
        }
        Ok((best, end))
    }

    /// The position after the best of the moves on the stack from `n` on, which comes to stand at
    /// `n`.
    #[inline(never)]
    fn next_child(&mut self, node: &Node, n: usize, end: usize) -> Option<Node> {
        let candidate = self.moves.get_mut(n..end).and_then(pick_next)?;
        Some(self.child(node, 1 << (candidate.mv().index() % MAX_CELLS)))
    }

    /// The move at `n` of the stack ended a search that those from `base` on did not.
    #[inline(never)]
    fn learn(&mut self, node: &Node, base: usize, n: usize) {
        let Some(history) = self.history.get_mut(node.ply as usize % 2) else { return };
        let weight = 1 + ((self.grid.cells - node.ply) / self.history_use.cells.max(1)) as u16;
        for (at, candidate) in self.moves.iter().enumerate().take(n + 1).skip(base) {
            let cell = candidate.mv().index();
            for slot in [history_slot(cell), answer_slot(node, cell)] {
                let Some(slot) = history.get_mut(slot) else { continue };
                *slot = if at < n {
                    slot.saturating_sub(weight)
                } else {
                    (*slot + (n - base) as u16 * weight).min(HISTORY_LIMIT)
                };
            }
        }
    }

    /// The lines that a second stone may be put into, if they matter to the order.
    fn begun(&self, node: &Node) -> Option<[Cells; DIRECTIONS]> {
        let matters = self.grid.cells - node.ply >= LINE_ORDER_FREE;
        (Self::has(parts::LINE_ORDER) && matters).then(|| self.grid.begun(node.own, node.other))
    }

    /// How early a move is tried.
    fn order(
        &self,
        node: &Node,
        child: &Node,
        cell: Cells,
        begun: &Option<[Cells; DIRECTIONS]>,
    ) -> u32 {
        let col = self.grid.column_of(cell);
        let mut order = col.min(self.grid.cols - 1 - col) * CENTRE_ORDER;
        if Self::has(parts::THREAT_ORDER) {
            // A place right above one where the opponent wins is never reached.
            let threats = child.other_threats & !(node.other_threats << 1);
            let near = threats & (self.grid.playable(child.occupied()) << 1);
            order += threats.count_ones() * THREAT_ORDER + near.count_ones() * NEAR_THREAT_ORDER;
        }
        if Self::has(parts::HISTORY)
            && let Some(side) = self.history.get(node.ply as usize % 2)
        {
            let HistoryUse { halves, answer_halves, .. } = self.history_use;
            let at = cell.trailing_zeros() as usize;
            order += (u32::from(side[history_slot(at)]) * halves
                + u32::from(side[answer_slot(node, at)]) * answer_halves)
                / 2;
        }
        if let Some(begun) = begun {
            order += self.grid.lines_through(begun, cell) * LINE_ORDER;
            order += (MAX_LACKS - self.lacks(child).min(MAX_LACKS)) * LACK_ORDER;
        }
        order
    }

    /// How many lines stand against the follow-up bound; none where it does not apply.
    fn lacks(&self, node: &Node) -> u32 {
        let ground = self.ground(node);
        if ground.odd.count_ones().is_multiple_of(2) {
            self.grid.count_lines(node.own | (ground.reach & self.grid.lower) | ground.odd)
        } else {
            0
        }
    }

    /// The position after a move.
    #[inline]
    fn child(&self, node: &Node, cell: Cells) -> Node {
        let other = node.own | cell;
        Node {
            own: node.other,
            other,
            own_threats: node.other_threats & !cell,
            other_threats: self.grid.threats(other, other | node.other),
            ply: node.ply + 1,
            last: self.grid.column_of(cell),
        }
    }

    /// Plays forced moves until the side to move has a choice. Returns whether that is the other
    /// side now, and its score if there is nothing left to choose.
    fn settle(&self, node: &mut Node) -> (bool, Option<i32>) {
        let mut turned = false;
        loop {
            let playable = self.grid.playable(node.occupied());
            let left = (self.grid.cells - node.ply) as i32;
            let forced = node.other_threats & playable;
            let only = if forced == 0 {
                let safe = playable & !(node.other_threats >> 1);
                let decided = match left {
                    0 | 1 => Some(0),
                    _ if safe == 0 => Some(-(left / 2)),
                    2 => Some(0),
                    _ => None,
                };
                let several = safe & safe.wrapping_sub(1) != 0;
                if several || decided.is_some() || !Self::has(parts::ONLY_MOVES) {
                    return (turned, decided);
                }
                safe
            } else {
                forced
            };
            if forced & forced.wrapping_sub(1) != 0 || node.other_threats & (forced << 1) != 0 {
                return (turned, Some(-(left / 2)));
            }
            *node = self.child(node, only);
            turned = !turned;
        }
    }

    /// What is known of a settled position by counting: nobody wins with the next stone, and
    /// moves worth a look let nobody win with the one after.
    fn first_bounds(&self, node: &Node) -> Bounds {
        let left = (self.grid.cells - node.ply) as i32;
        Bounds { low: -((left - 2) / 2), high: (left - 1) / 2 }
    }

    /// What can be said of a position without search, as far as it helps to tell whether the score
    /// is more than `alpha`. The side to move must not be able to win at once.
    fn glance(&mut self, start: &Node, alpha: i32) -> Bounds {
        let mut node = *start;
        let (turned, decided) = self.settle(&mut node);
        let mut known = match decided {
            Some(value) => Bounds { low: value, high: value },
            None => {
                let alpha = if turned { -alpha - 1 } else { alpha };
                let mut known = self.first_bounds(&node);
                self.narrow(&node, alpha, &mut known);
                let open = known.low <= alpha && known.high > alpha;
                if open && Self::has(parts::TABLE_AT_CHILDREN) {
                    let place = self.table.place_exact(self.table_key(&node), self.grid.key_bits());
                    if let Some(entry) = self.table.probe_exact(place) {
                        known.low = known.low.max(entry.low);
                        known.high = known.high.min(entry.high);
                    }
                }
                known
            }
        };
        if turned {
            known = Bounds { low: -known.high, high: -known.low };
        }
        known
    }

    /// Bounds that follow without search, for a settled position.
    fn narrow(&self, node: &Node, alpha: i32, known: &mut Bounds) {
        if known.low > alpha || known.high <= alpha {
            return;
        }
        let left = self.grid.cells - node.ply;
        let looks_dead = self.grid.length() != LINE_OF_FOUR || left <= DEAD_LINES_PLIES;
        if Self::has(parts::DEAD_LINES) && looks_dead {
            let empty = self.grid.board & !node.occupied();
            if alpha >= 0 && !self.grid.has_line(node.own | empty) {
                known.high = known.high.min(0);
                return;
            }
            if alpha < 0 && !self.grid.has_line(node.other | empty) {
                known.low = known.low.max(0);
                return;
            }
        }
        if Self::has(parts::FOLLOW_UP)
            && let Some(high) = self.followed_up(node, alpha)
        {
            known.high = known.high.min(high);
        }
    }

    /// An upper bound of the score of the side to move, "the leader", by a strategy of the
    /// opponent, "the follower": he answers on top of every stone of the leader.
    ///
    /// In columns with an even number of free cells the leader then gets every *lower* cell, the
    /// follower every *upper* one:
    ///
    /// ```text
    ///   upper   F  F  .        L, F   what leader and follower get
    ///   lower   L  L  F        .      nobody gets that far
    ///   upper   F  F  L  <- an odd column, and an odd threat of the follower above
    ///   lower   #  L  #
    ///   upper   #  F  #
    ///   lower   #  L  #
    /// ```
    ///
    /// Columns with an odd number of free cells are harder. Two of them make a pair: the stone on
    /// one is answered on the other, and each side gets one of the two lowest cells; the rest is
    /// even. One column without a partner is left to the leader if the follower has a threat in
    /// it that he reaches by following: the leader has to play below it in the end.
    ///
    /// If no line of the leader fits into what he gets, he does not win. Nobody gets beyond a cell
    /// where the follower wins. If he has such a cell, or a line in what is certainly his, he wins.
    ///
    /// `None` if the strategy proves nothing that matters to a question about `alpha`.
    fn followed_up(&self, node: &Node, alpha: i32) -> Option<i32> {
        let grid = &self.grid;
        let ground = self.ground(node);
        let Ground { empty, uppers, odd, wins, reach } = ground;
        // The score of a loss at the latest by this ply.
        let lost_by = |ply: u32| -((grid.cells.saturating_sub(ply) / 2) as i32 + 1);
        if odd.count_ones().is_multiple_of(2) {
            let leader = node.own | (reach & grid.lower);
            if alpha >= 0 {
                if self.holds(leader, odd) {
                    return Some(0);
                }
                return if odd == 0 { None } else { self.held_off(node, &ground, alpha) };
            }
            let wins_surely = Self::has(parts::REACH) && wins != 0
                || grid.has_line(node.other | (reach & uppers & !odd));
            let score = lost_by(node.ply + reach.count_ones() + 1);
            return (wins_surely && score <= alpha && self.holds(leader, odd)).then_some(score);
        }
        let mut columns = if Self::has(parts::ODD_THREATS) { odd } else { 0 };
        while columns != 0 {
            let first = lowest(columns);
            columns ^= first;
            let column = grid.column(first);
            let threats = node.other_threats & column & grid.lower;
            if threats == 0 {
                continue;
            }
            let threat = lowest(threats);
            let below = threat.trailing_zeros() - first.trailing_zeros();
            let score = lost_by(node.ply + (reach & !column).count_ones() + below + 1);
            let leader = node.own
                | (reach & grid.lower & !column)
                | (empty & uppers & column & (threat - 1));
            if score <= alpha && self.holds(leader, odd ^ first) {
                return Some(score);
            }
        }
        if alpha >= 0 { self.held_off(node, &ground, alpha) } else { None }
    }

    /// What the follow-up bound looks at.
    #[inline]
    fn ground(&self, node: &Node) -> Ground {
        let grid = &self.grid;
        let playable = grid.playable(node.occupied());
        let empty = grid.board & !node.occupied();
        let uppers = grid.board & !grid.lower;
        let wins = node.other_threats & uppers;
        // The run of cells from the lowest free one up to where the follower wins: adding the
        // lowest carries through it.
        let open = if Self::has(parts::REACH) { empty & !wins } else { empty };
        let reach = open & !open.wrapping_add(playable);
        Ground { empty, uppers, odd: playable & uppers, wins, reach }
    }

    /// An upper bound of the leader's score where following up does not last to the end: the win
    /// comes later than the follower runs out of answers.
    ///
    /// The follower gives up some columns, "the spare ones": the leader may have all their cells.
    /// Elsewhere he answers on top of every stone. After the top stone of an odd column, and after
    /// every stone in a spare column, he plays any spare cell. So a stone in a spare column uses
    /// up two spare cells, the top of an odd column one. Until there is none when it is needed,
    /// the leader places half of the spare cells, rounded up, and if their number is even also
    /// what it takes to fill an odd column that is not spare.
    ///
    /// `None` if that does not answer a question about `alpha`, which is not negative.
    fn held_off(&self, node: &Node, ground: &Ground, alpha: i32) -> Option<i32> {
        if !Self::has(parts::SPARE) {
            return None;
        }
        let grid = &self.grid;
        let free = |first: Cells| grid.column(first) & ground.empty;
        let mut leader = node.own | (ground.reach & grid.lower);
        // In an odd column he gets every upper cell instead of every lower one.
        let mut rest = ground.odd;
        while rest != 0 {
            let column = free(lowest(rest));
            rest &= !column;
            leader = leader & !column | column & ground.uppers;
        }
        if grid.has_line(leader) {
            return None;
        }
        let stones = ((grid.cells - node.ply).div_ceil(2)) as i32;
        let mut odd = ground.odd;
        let mut even = grid.playable(node.occupied()) & grid.lower;
        let mut spare = 0;
        loop {
            // The odd column that is filled first.
            let (mut shortest, mut cells) = (0, MAX_CELLS as u32);
            let mut rest = odd;
            while rest != 0 {
                let first = lowest(rest);
                rest ^= first;
                let count = free(first).count_ones();
                if count < cells {
                    (shortest, cells) = (first, count);
                }
            }
            let even_spare = u32::is_multiple_of(spare, 2);
            let lasts = spare.div_ceil(2) + if even_spare { cells.div_ceil(2) } else { 0 };
            if lasts as i32 >= stones - alpha {
                return Some((stones - lasts as i32).max(0));
            }
            // One more column to give up: the even ones first.
            let column = if even != 0 {
                let first = lowest(even);
                even ^= first;
                free(first)
            } else if odd & odd.wrapping_sub(1) != 0 {
                odd ^= shortest;
                free(shortest)
            } else {
                return None;
            };
            if !grid.has_line(leader | column) {
                leader |= column;
                spare += column.count_ones();
            } else if column & ground.odd != 0 {
                return None;
            }
        }
    }

    /// Whether no line fits into what the leader gets besides one cell of each pair of `odd`, for
    /// some way to make pairs.
    fn holds(&self, leader: Cells, odd: Cells) -> bool {
        let free = |set: Cells| !self.grid.has_line(set);
        if odd == 0 {
            return free(leader);
        }
        if !Self::has(parts::PAIRS) {
            return free(leader | odd);
        }
        let a = lowest(odd);
        let rest = odd ^ a;
        let b = lowest(rest);
        let rest = rest ^ b;
        if rest == 0 {
            return free(leader | a) && free(leader | b);
        }
        let c = lowest(rest);
        let d = rest ^ c;
        if d & d.wrapping_sub(1) != 0 {
            // Six columns or more: there are too many ways.
            return free(leader | odd);
        }
        // Of two pairs the leader may get any cell of one and any of the other.
        let both = |one: Cells, two: Cells| free(leader | one | two);
        let pairs = |a: Cells, b: Cells, c: Cells, d: Cells| {
            both(a, c) && both(a, d) && both(b, c) && both(b, d)
        };
        free(leader) && (pairs(a, b, c, d) || pairs(a, c, b, d) || pairs(a, d, b, c))
    }

    /// The key for the table: near the start, of the position or its mirror image.
    #[inline]
    fn table_key(&self, node: &Node) -> u64 {
        let key = node.key();
        if Self::has(parts::MIRROR) && node.ply <= MIRROR_MAX_PLY {
            key.min(self.grid.mirrored(key))
        } else {
            key
        }
    }

    /// The score in the engine's terms, for the side to move at `ply`.
    fn score(&self, value: i32, ply: u32) -> Score {
        let last = self.grid.cells as i32 - 2 * (value.abs() - 1);
        // The side to move wins after an odd number of plies, the other after an even number.
        let odd = i32::from(value > 0);
        let last = if (last - ply as i32) % 2 == odd { last } else { last - 1 };
        match value {
            0 => 0,
            1.. => win_at(last.max(0) as usize),
            _ => loss_at(last.max(0) as usize),
        }
    }
}

/// The alpha to ask for next: "is the score more than this?" `None` when the goal is met. Who wins
/// comes first; then the distance, from the long games to the short ones.
fn next_question(known: Bounds, goal: Goal) -> Option<i32> {
    let Bounds { low, high } = known;
    if low >= high {
        None
    } else if low < 1 && high >= 1 && goal != Goal::Safety {
        Some(0)
    } else if low < 0 && high >= 0 {
        Some(-1)
    } else if goal != Goal::Exact {
        None
    } else if low >= 1 {
        Some(low)
    } else {
        Some(high - 1)
    }
}
