//! `cadrega`: CadregaBot (Goretti, Mariano), a player of the (M,N,K)-game.
//!
//! A static heuristic gives a move at once; then an alpha-beta search, to a depth that fits the
//! average of what earlier turns managed, looks for a better one. The moves of each node are
//! valued once and kept, in order, for the next turn.
//!
//! # The heuristic
//! [`cell_value`] of a free cell for a player counts, along the four lines through it, the
//! windows of K cells that hold the cell and no opponent, and for each own mark the number of
//! those windows in which it lies. A cell that wins is tried alone; else one that keeps the
//! opponent from winning, alone; else all by the sum of both players' values. By itself the
//! heuristic falls into a trap: here O is to move, takes a corner and loses.
//!
//! ```text
//! X . .      X 4 6
//! . O .      4 O 4
//! . . X      6 4 X
//! ```
//!
//! The search values a leaf by the sum over the free cells of own minus opponent's values. Both
//! sums count each window once per free cell in it: a window with `n` marks of one player and
//! none of the other gives `(1 + n)(K - n)`. So the sum is kept up to date from the at most `4K`
//! windows through the last stone, exactly, and a leaf costs `8(K - 1)` cells whatever the board.
//!
//! # Where it differs from the report
//! - The tree is a pool of `NODES` nodes of 12 bytes and not a heap. When it is full, moves are
//!   not kept and are computed again. Results do not depend on it.
//! - Moves are not sorted by radix sort: the engine's search takes the best of those left, one
//!   at a time, since most nodes look at few.
//! - Which cells win and which must be blocked is the engine's knowledge ([`Game::tactics`]),
//!   also under the exact rule, which the report does not know. The heuristic itself ignores
//!   that rule.
//! - The report values all free cells at every node, whatever that costs. Here a node may look
//!   at about [`POLL_WORK`] cells; where that is too little for all (from 18x18x5 on), only
//!   free cells within two steps of the latest stones are valued, and the first move of a game is
//!   the centre, which has the greatest value.
//! - The heuristic's values are cut to what the engine takes for undecided positions.
//! - The average of nodes starts from a dummy search in the report. Here, with a deadline, a
//!   search of the least depth is timed in the first turn of a game; without one, the node limit
//!   or [`SEED_NODES`] takes its place.
//! - The margin of half a second is for budgets above one second; smaller budgets are used to
//!   nine tenths.

mod tree;

use core::cell::RefCell;

use super::{Decision, POLL_WORK, Player, Tools, Why, next_legal};
use crate::game::keys::scatter;
use crate::game::line::Direction;
use crate::game::{Game, Move, Side, Tactics};
use crate::guarded::row_and_col;
use crate::score::{INFINITE, Score, Value, clamp_heuristic, is_loss};
use crate::search::ordering::{Candidate, MoveSink};
use crate::search::report::{Limits, Report};
use crate::search::{MAX_DEPTH, Options, search_to_depth};
use crate::spec::{GameSpec, MNK_MAX_SIDE};

use super::styled::{Style, Styled};
use super::windows::Windows;
use tree::{Link, Tree};

/// The default capacity of the tree that is kept between turns, in nodes of 12 bytes.
pub const CADREGA_NODES: usize = 2_048;
/// The least depth of a search: less would foresee nothing.
pub const LEAST_DEPTH: u32 = 3;
/// The first guess of the nodes of a turn where neither time nor nodes are limited.
pub const SEED_NODES: u64 = 100_000;

/// The order of a move that wins at once: the report's infinity.
const WINS: u32 = Candidate::MAX_ORDER;
/// The order of a move that keeps the opponent from winning: infinity minus one.
const BLOCKS: u32 = WINS - 1;
/// What is left of a large budget at the end, and what a large budget is.
const MARGIN_US: u64 = 500_000;
const LARGE_BUDGET_US: u64 = 1_000_000;
/// The share of a smaller budget that is used, in percent.
const SHARE: u64 = 90;
/// How many of the latest stones are looked at for cells near them, and how near, where not all
/// cells can be valued.
const LATEST_STONES: usize = 64;
const NEAR: usize = 2;
/// Cells looked at to find the cells near the latest stones.
const NEAR_WORK: usize = LATEST_STONES * ((2 * NEAR + 1) * (2 * NEAR + 1) - 1);

/// Plain alpha-beta in the player's own order, as in the report.
const OPTIONS: Options = Options { static_order: true, ..Options::NONE };

/// The player. `NODES` is the capacity of the tree that it keeps between turns.
#[derive(Clone, Debug)]
pub struct Cadrega<const NODES: usize = CADREGA_NODES> {
    tree: Tree<NODES>,
    /// The position of the last turn: the root of the tree.
    last: Option<Turn>,
    average: Option<Average>,
}

/// What identifies a position with the moves that led to it.
#[derive(Clone, Copy, Debug)]
struct Turn {
    spec: GameSpec,
    ply: usize,
    moves: u64,
}

/// The average of the nodes of past turns.
#[derive(Clone, Copy, Debug)]
struct Average {
    nodes: u64,
    turns: u64,
}

impl Average {
    fn with(self, nodes: u64) -> Average {
        let turns = self.turns.saturating_add(1);
        let total = self.nodes.saturating_mul(self.turns).saturating_add(nodes);
        Average { nodes: total / turns, turns }
    }
}

impl<const NODES: usize> Cadrega<NODES> {
    /// A player who has seen nothing yet.
    #[must_use]
    pub const fn new() -> Self {
        Cadrega { tree: Tree::new(), last: None, average: None }
    }

    /// How many nodes of the tree are kept at the moment.
    #[must_use]
    pub fn kept(&self) -> usize {
        self.tree.used()
    }

    /// Goes down the tree along the moves played since the last turn, and drops the branches not
    /// taken. A position that does not follow from the last one starts a new game.
    fn follow<G: Game>(&mut self, game: &G) {
        let (spec, ply) = (game.spec(), game.ply());
        match self.last {
            Some(last)
                if last.spec == spec && last.ply <= ply && last.moves == moves(game, last.ply) =>
            {
                let since = (last.ply..ply).filter_map(|n| game.played(n));
                since.for_each(|mv| self.tree.descend(mv));
            }
            _ => {
                self.tree.clear();
                self.average = None;
            }
        }
        self.last = Some(Turn { spec, ply, moves: moves(game, ply) });
    }

    /// Searches to the depth that the average allows. `None` if there is no time even to begin.
    fn search<G: Game, const MOVES: usize>(
        &mut self,
        game: &mut G,
        tools: &mut Tools<'_, '_, MOVES>,
    ) -> Option<(Report, u64)> {
        let mut view = View::new(&mut self.tree, game, || tools.time_is_up())?;
        let mut limits = with_margin(tools);
        let free = game.plies_left();
        let mut run = |depth: u32, limits: &Limits, view: &mut View<'_, NODES>| {
            let mut styled = Styled::new(game, view);
            let window = (-INFINITE, INFINITE);
            let depth = limits.depth.map_or(depth, |most| depth.min(most));
            let (table, workspace) = (&mut *tools.table, &mut *tools.workspace);
            search_to_depth(
                &mut styled,
                depth,
                window,
                limits,
                &OPTIONS,
                &tools.clock,
                table,
                workspace,
            )
        };
        let mut spent = 0;
        let mut timed = None;
        let average = match (self.average, limits.deadline_us) {
            (Some(average), _) => average,
            (None, None) => Average { nodes: limits.nodes.unwrap_or(SEED_NODES), turns: 1 },
            (None, Some(deadline)) => {
                let start = tools.clock.now_us();
                let report = run(LEAST_DEPTH, &limits, &mut view)?;
                let now = tools.clock.now_us();
                spent = report.nodes;
                let (took, left) = (now.saturating_sub(start), deadline.saturating_sub(now));
                limits.nodes = limits.nodes.map(|most| most.saturating_sub(spent));
                timed = Some(report);
                let nodes = match took {
                    0 => limits.nodes.unwrap_or(SEED_NODES),
                    _ => (u128::from(spent) * u128::from(left) / u128::from(took)) as u64,
                };
                Average { nodes, turns: 1 }
            }
        };
        let nodes = limits.nodes.map_or(average.nodes, |most| average.nodes.min(most));
        let depth = optimized_depth(LEAST_DEPTH, free, nodes);
        let report = match timed {
            // Cut short, or as deep as there is time for.
            Some(report) if report.depth == 0 || depth <= LEAST_DEPTH => report,
            Some(shallow) => {
                let report = run(depth, &limits, &mut view)?;
                spent += report.nodes;
                // A complete search of the least depth is worth more than part of a deeper one.
                if report.depth == 0 { shallow } else { report }
            }
            None => {
                let report = run(depth, &limits, &mut view)?;
                spent = report.nodes;
                report
            }
        };
        self.average = Some(average.with(spent));
        Some((report, spent))
    }
}

impl<const NODES: usize> Default for Cadrega<NODES> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const NODES: usize> Player for Cadrega<NODES> {
    /// Plays mnk; of another game, the first legal move.
    fn decide<G: Game, const MOVES: usize>(
        &mut self,
        game: &mut G,
        tools: &mut Tools<'_, '_, MOVES>,
    ) -> Option<Decision> {
        let first_legal = next_legal(game, 0)?;
        if !matches!(game.spec(), GameSpec::Mnk { .. }) {
            return Some(Decision::at_once(first_legal, Why::Rule));
        }
        self.follow(game);
        if let Some((report, nodes)) = self.search(game, tools) {
            let decision = Decision { nodes, ..Decision::from(&report) };
            // A search cut short says nothing of the moves that it did not come to.
            let sure = report.depth > 0 || !is_loss(report.score);
            return Some(Decision { value: decision.value.filter(|_| sure), ..decision });
        }
        let mut best = (first_legal, 0);
        Candidates::new(game).for_each(game, |mv, order| {
            if order > best.1 {
                best = (mv, order);
            }
        });
        let value = Some(Value::Heuristic(clamp_heuristic(i64::from(best.1))));
        Some(Decision { best: best.0, value, why: Why::Heuristic, nodes: 0 })
    }
}

/// The first moves of a game, in their order, as one number.
fn moves<G: Game>(game: &G, count: usize) -> u64 {
    (0..count)
        .filter_map(|n| game.played(n))
        .fold(0, |hash, mv| scatter(hash ^ (mv.index() as u64 + 1)))
}

/// The limits with some of the time kept back.
fn with_margin<const MOVES: usize>(tools: &Tools<'_, '_, MOVES>) -> Limits {
    let now = tools.clock.now_us();
    match tools.limits.deadline_us {
        Some(deadline) if deadline.saturating_sub(now) > LARGE_BUDGET_US => {
            Limits { deadline_us: Some(deadline - MARGIN_US), ..tools.limits }
        }
        _ => tools.share_of_time(SHARE),
    }
}

/// The depth to search with `free` free cells when `nodes` can be visited, if every ply
/// multiplies the nodes by the square root of its free cells: the best case of alpha-beta, to
/// which the report's order comes near. One ply less than what is just too much, and one to
/// spare; `least` at least.
#[must_use]
pub fn optimized_depth(least: u32, free: usize, nodes: u64) -> u32 {
    // The squares of the report's numbers: there are no roots to take then.
    let enough = nodes.saturating_mul(nodes);
    let mut free = free as u64;
    let mut visited = free;
    for _ in 1..least {
        if free == 0 {
            break;
        }
        free -= 1;
        visited = visited.saturating_mul(free);
    }
    let mut depth = least;
    while visited < enough {
        free = free.saturating_sub(1);
        if free == 0 {
            return depth;
        }
        visited = visited.saturating_mul(free);
        depth += 1;
    }
    least.max(depth.saturating_sub(2))
}

/// The static heuristic of a free cell for a player (the report's `simpleEvaluate`): windows of K
/// cells through the cell without an opponent, and for each own mark the windows it lies in. 0
/// for a game other than mnk and outside the board.
#[must_use]
pub fn cell_value<G: Game>(game: &G, cell: usize, side: Side) -> u32 {
    let windows = windows_of(game);
    if cell >= game.spec().cells() {
        return 0;
    }
    let lines = Direction::ALL.into_iter().filter_map(|d| windows.line_through(game, cell, d));
    lines.map(|line| line_value(line.stones(), line.at, side, windows.k())).sum()
}

/// The part of [`cell_value`] that comes from one line, of which `stones` are the cells within
/// `k - 1` steps of the cell and `cell` is its place among them.
fn line_value(stones: &[Option<Side>], cell: usize, side: Side, k: usize) -> u32 {
    let is = |n: usize, who: Side| stones.get(n).copied().flatten() == Some(who);
    let opponent = side.other();
    // First the part of the line that can be of use.
    let (mut first, mut last) = (cell, cell);
    while first > 0 && !is(first - 1, opponent) {
        first -= 1;
    }
    while last + 1 < stones.len() && !is(last + 1, opponent) {
        last += 1;
    }
    let length = last - first + 1;
    if length < k {
        return 0;
    }
    // Then the windows in it, and each mark as often as windows hold it.
    let windows = (length - k + 1) as u32;
    let mut value = windows;
    let mut holding = 0;
    while first < cell {
        holding = windows.min(holding + 1);
        if is(first, side) {
            value += holding;
        }
        first += 1;
    }
    holding = 0;
    while last > cell {
        holding = windows.min(holding + 1);
        if is(last, side) {
            value += holding;
        }
        last -= 1;
    }
    value
}

/// The windows of the board; none if the game is not mnk.
fn windows_of<G: Game>(game: &G) -> Windows {
    match game.spec() {
        GameSpec::Mnk { rows, cols, k, .. } => {
            Windows::new(usize::from(rows), usize::from(cols), usize::from(k))
        }
        other => Windows::new(other.rows(), other.cols(), usize::MAX),
    }
}

/// The moves to try in a position.
#[derive(Clone, Copy, Debug)]
struct Candidates {
    windows: Windows,
    cells: usize,
    /// Where all free cells are valued. Elsewhere, how many at most.
    most: Option<usize>,
}

impl Candidates {
    fn new<G: Game>(game: &G) -> Candidates {
        let windows = windows_of(game);
        let cells = game.spec().cells();
        let all = cells + game.plies_left() * windows.cells_around();
        let some = (POLL_WORK - NEAR_WORK) / windows.cells_around();
        Candidates { windows, cells, most: (all > POLL_WORK).then_some(some) }
    }

    /// Calls `push` with every move to try and its order. At least one.
    fn for_each<G: Game>(&self, game: &G, mut push: impl FnMut(Move, u32)) {
        match (game.tactics(), self.most) {
            (Tactics::Win(mv), _) => push(mv, WINS),
            (Tactics::Forced(mv) | Tactics::Lost(mv), _) => push(mv, BLOCKS),
            (Tactics::Quiet, None) => {
                let free = (0..self.cells).filter(|&cell| game.stone(cell).is_none());
                free.for_each(|cell| push(Move::new(cell), self.order(game, cell)));
            }
            (Tactics::Quiet, Some(most)) => self.for_each_near(game, most, push),
        }
    }

    /// The same for free cells near the latest stones.
    fn for_each_near<G: Game>(&self, game: &G, most: usize, mut push: impl FnMut(Move, u32)) {
        const WORDS: usize = (MNK_MAX_SIDE * MNK_MAX_SIDE).div_ceil(u64::BITS) as usize;
        let (rows, cols) = (game.spec().rows(), game.spec().cols());
        let mut seen = [0u64; WORDS];
        let mut count = 0;
        let latest = (0..game.ply()).rev().take(LATEST_STONES).filter_map(|n| game.played(n));
        for (row, col) in latest.map(|mv| row_and_col(mv.index(), cols)) {
            for row in row.saturating_sub(NEAR)..(row + NEAR + 1).min(rows) {
                for col in col.saturating_sub(NEAR)..(col + NEAR + 1).min(cols) {
                    let cell = row * cols + col;
                    let Some(word) = seen.get_mut(cell / 64) else { continue };
                    if count < most && *word >> (cell % 64) & 1 == 0 && game.stone(cell).is_none() {
                        *word |= 1 << (cell % 64);
                        count += 1;
                        push(Move::new(cell), self.order(game, cell));
                    }
                }
            }
        }
        let centre = rows / 2 * cols + cols / 2;
        if count == 0
            && let Some(mv) = next_legal(game, centre).or_else(|| next_legal(game, 0))
        {
            push(mv, self.order(game, mv.index()));
        }
    }

    /// What a free cell is worth to both players together.
    fn order<G: Game>(&self, game: &G, cell: usize) -> u32 {
        let k = self.windows.k();
        let lines =
            Direction::ALL.into_iter().filter_map(|d| self.windows.line_through(game, cell, d));
        let value = lines
            .flat_map(|line| Side::BOTH.map(|side| line_value(line.stones(), line.at, side, k)))
            .sum::<u32>();
        value.min(BLOCKS - 1)
    }
}

/// A game as the player sees it while it searches.
struct View<'a, const NODES: usize> {
    windows: Windows,
    /// Where moves are found again. Borrowed for the length of a call only.
    tree: RefCell<&'a mut Tree<NODES>>,
    /// The node of the tree where the search is, if it is in the tree.
    at: Link,
    /// The sum over the free cells of the first player's minus the second player's values.
    balance: i64,
    /// `at` and `balance` before each move made.
    before: [(Link, i64); MAX_DEPTH + 1],
    height: usize,
}

impl<'a, const NODES: usize> View<'a, NODES> {
    /// A view of the position at the tree's root; `None` if the time is up before all cells have
    /// been looked at.
    fn new<G: Game>(
        tree: &'a mut Tree<NODES>,
        game: &G,
        time_is_up: impl Fn() -> bool,
    ) -> Option<View<'a, NODES>> {
        let windows = windows_of(game);
        let mut balance = 0;
        for direction in Direction::ALL {
            if time_is_up() {
                return None;
            }
            balance += windows.balance(game, direction, |marks| worth(windows.k(), marks));
        }
        let at = tree.root();
        let tree = RefCell::new(tree);
        Some(View { windows, tree, at, balance, before: [(at, 0); MAX_DEPTH + 1], height: 0 })
    }
}

/// What a window with marks of one player only adds to the sum over all free cells: for each free
/// cell, itself and the marks.
fn worth(k: usize, marks: usize) -> i64 {
    (1 + marks as i64) * (k as i64 - marks as i64)
}

impl<G: Game, const NODES: usize> Style<G> for View<'_, NODES> {
    fn evaluate(&self, game: &G) -> Score {
        clamp_heuristic(match game.side_to_move() {
            Side::First => self.balance,
            Side::Second => -self.balance,
        })
    }

    fn generate(&self, game: &G, sink: &mut MoveSink<'_>) {
        let candidates = Candidates::new(game);
        if candidates.most.is_some() {
            sink.mark_selective();
        }
        if let Ok(tree) = self.tree.try_borrow() {
            tree.children(self.at).for_each(|(mv, order)| sink.push(mv, order));
        }
        if !sink.is_empty() {
            return;
        }
        candidates.for_each(game, |mv, order| sink.push(mv, order));
        if let Ok(mut tree) = self.tree.try_borrow_mut()
            && !sink.overflowed()
        {
            tree.keep_children(self.at, sink.candidates());
        }
    }

    fn made(&mut self, game: &G, mv: Move) {
        if let Some(before) = self.before.get_mut(self.height) {
            *before = (self.at, self.balance);
        }
        self.height += 1;
        self.at = self.tree.get_mut().child(self.at, mv);
        let mover = game.side_to_move().other();
        let k = self.windows.k();
        let gain = self.windows.gain(game, mv.index(), mover, |marks| worth(k, marks));
        self.balance += if mover == Side::First { gain } else { -gain };
    }

    fn unmade(&mut self, _game: &G) {
        self.height = self.height.saturating_sub(1);
        if let Some(&before) = self.before.get(self.height) {
            (self.at, self.balance) = before;
        }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use crate::game::mnk::board::Mnk;
    use crate::players::random::Dice;
    use std::vec::Vec;

    /// The report's leaf value for the side to move, cell by cell.
    fn leaf<G: Game>(game: &G) -> i64 {
        let us = game.side_to_move();
        (0..game.spec().cells())
            .filter(|&cell| game.stone(cell).is_none())
            .map(|cell| {
                let value = |side| i64::from(cell_value(game, cell, side));
                value(us) - value(us.other())
            })
            .sum()
    }

    #[test]
    fn the_leaf_value_kept_move_by_move_is_the_sum_over_the_free_cells() {
        let mut dice = Dice::new(4);
        for (rows, cols, k) in [(1, 1, 1), (3, 3, 3), (4, 6, 4), (1, 9, 3), (9, 9, 5), (7, 5, 6)] {
            let mut game = Mnk::<81>::new(rows, cols, k, false).expect("fits");
            let mut tree = Tree::<64>::new();
            tree.clear();
            let mut view = View::new(&mut tree, &game, || false).expect("there is time");
            let mut values = Vec::new();
            loop {
                assert_eq!(i64::from(view.evaluate(&game)), leaf(&game), "{}", game.spec());
                let free = (0..game.spec().cells()).map(Move::new);
                let Some(mv) = dice.pick(free.filter(|&mv| game.check(mv).is_ok())) else { break };
                values.push(view.evaluate(&game));
                let mut styled = Styled::new(&mut game, &mut view);
                styled.make(mv);
                if values.len() > MAX_DEPTH {
                    break;
                }
            }
            while let Some(value) = values.pop() {
                Styled::new(&mut game, &mut view).unmake();
                assert_eq!(view.evaluate(&game), value, "{}", game.spec());
            }
        }
    }

    #[test]
    fn the_average_counts_every_turn() {
        let average = Average { nodes: 100, turns: 1 }.with(200).with(600);
        assert_eq!((average.nodes, average.turns), (300, 3));
        let huge = Average { nodes: u64::MAX, turns: u64::MAX }.with(u64::MAX);
        assert_eq!(huge.turns, u64::MAX);
    }
}
