//! mnk boards of any size up to the capacity `CELLS`.
//!
//! On boards of more than [`FULL_WIDTH_CELLS`] cells only cells near a stone are searched, and of
//! these the [`MAX_WIDTH`] with the most points; cells that win or block at once come first. The near cells are kept in a list that changes with every move: cells within
//! [`NEAR`] steps of a stone in any direction.

use super::{UNFORCEABLE_LINE, map_move, mapped_stones, symmetries};
use crate::game::line::board::KEYS;
use crate::game::line::outcome;
#[cfg(not(feature = "compact"))]
use crate::game::line::patterns::{Census, PriceList, net};
use crate::game::{Effort, Game, IllegalMove, Move, Outcome, Side, Symmetry, Tactics};
use crate::guarded::{Guarded, List, row_and_col};
use crate::score::{INFINITE, Score, loss_at, win_at};
#[cfg(not(feature = "compact"))]
use crate::search::ordering::Wanted;
use crate::search::ordering::{Candidate, MoveSink};
use crate::spec::{GameSpec, SpecError};

/// Boards of up to this many cells are searched with all their moves.
pub const FULL_WIDTH_CELLS: usize = 64;
/// The most moves searched per position on larger boards.
pub const MAX_WIDTH: usize = 40;
/// How far from a stone a move may lie on larger boards.
pub const NEAR: usize = 2;
/// The most cells looked at for quiet moves on larger boards, those that came near a stone last: a
/// board strewn with stones has thousands.
#[cfg(not(feature = "compact"))]
const MAX_QUIET_CELLS: usize = 96;
/// Long lines take many quiet stones, so there the cells around this many of the last stones are looked at
/// too: they came near a stone long ago where a line goes on.
#[cfg(not(feature = "compact"))]
const RECENT_STONES: usize = 6;
/// Lines longer than this are long.
#[cfg(not(feature = "compact"))]
const SHORT_LINE: u16 = 5;
/// The most double threats of the opponent that are looked at when answers are wanted.
#[cfg(not(feature = "compact"))]
const MAX_DANGERS: usize = 8;

const NOT_LISTED: u16 = u16::MAX;

/// What is known of the lines. Where flash is scarce it is less.
#[cfg(not(feature = "compact"))]
type Lines<const CELLS: usize> = crate::game::line::patterns::PatternBoard<CELLS>;
#[cfg(feature = "compact")]
type Lines<const CELLS: usize> = crate::game::line::board::LineBoard<CELLS>;

/// An mnk position of at most `CELLS` cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mnk<const CELLS: usize> {
    spec: GameSpec,
    k: u16,
    exact: bool,
    board: Lines<CELLS>,
    history: heapless::Vec<u16, CELLS>,
    /// Stones within [`NEAR`] steps, per cell, its own among them.
    stones_near: heapless::Vec<u8, CELLS>,
    /// The empty cells with stones near, in no order; `NOT_LISTED` beyond `listed`.
    list: List<u16, CELLS>,
    /// Each cell's place in the list. An occupied cell keeps the place it had.
    place: List<u16, CELLS>,
    listed: u16,
}

impl<const CELLS: usize> Mnk<CELLS> {
    /// An empty board.
    ///
    /// # Errors
    /// The board has more cells than the capacity.
    pub fn new(rows: u8, cols: u8, k: u16, exact: bool) -> Result<Self, SpecError> {
        let mut game = Self::blank();
        game.start(rows, cols, k, exact)?;
        Ok(game)
    }

    /// A game on no board, to be started.
    #[inline(always)]
    pub(crate) fn blank() -> Self {
        Mnk {
            spec: GameSpec::Mnk { rows: 0, cols: 0, k: 0, exact: false },
            k: 0,
            exact: false,
            board: Lines::blank(),
            history: heapless::Vec::new(),
            stones_near: heapless::Vec::new(),
            list: Guarded::new(heapless::Vec::new(), NOT_LISTED),
            place: Guarded::new(heapless::Vec::new(), NOT_LISTED),
            listed: 0,
        }
    }

    /// Makes a blank game the start of this one, in place.
    pub(crate) fn start(
        &mut self,
        rows: u8,
        cols: u8,
        k: u16,
        exact: bool,
    ) -> Result<(), SpecError> {
        self.board.start(rows, cols, k, exact)?;
        let too_large = |_| SpecError::TooLarge { capacity: CELLS };
        self.stones_near.resize(self.board.cells(), 0).map_err(too_large)?;
        self.list.resize(self.board.cells(), NOT_LISTED).map_err(too_large)?;
        self.place.resize(self.board.cells(), NOT_LISTED).map_err(too_large)?;
        self.spec = GameSpec::Mnk { rows, cols, k, exact };
        self.k = k;
        self.exact = exact;
        Ok(())
    }

    /// Values cells by this from now on.
    #[cfg(not(feature = "compact"))]
    pub fn set_prices(&mut self, list: &'static PriceList) {
        self.board.set_prices(list);
    }

    /// What the evaluation counts for a side.
    #[cfg(not(feature = "compact"))]
    #[must_use]
    pub fn census(&self, side: Side) -> Census {
        self.board.census(side)
    }

    /// The classes of the empty cells that a stone is in line with.
    #[cfg(not(feature = "compact"))]
    pub fn cells_in_line(&self) -> impl Iterator<Item = [u8; 4]> {
        self.empty_cells()
            .map(|cell| self.board.classes(cell))
            .filter(|&classes| net::is_counted(classes))
    }

    fn near_cells(&self) -> impl DoubleEndedIterator<Item = usize> {
        self.list.iter().take(usize::from(self.listed)).map(|&cell| usize::from(cell))
    }

    /// Rows of cells around `cell`, itself among them, by the number of the first one, and how many
    /// cells each has.
    #[inline]
    fn around(&self, cell: usize) -> (impl DoubleEndedIterator<Item = usize> + use<CELLS>, usize) {
        let (rows, cols) = (self.board.rows(), self.board.cols());
        let (row, col) = row_and_col(cell, cols);
        let (left, right) = (col.saturating_sub(NEAR), (col + NEAR + 1).min(cols));
        let row_range = row.saturating_sub(NEAR)..(row + NEAR + 1).min(rows);
        (row_range.map(move |row| row * cols + left), right - left)
    }

    fn append(&mut self, cell: usize) {
        self.place[cell] = self.listed;
        self.list[usize::from(self.listed)] = cell as u16;
        self.listed += 1;
    }

    /// The cell nearest to the middle: what to play on an empty board.
    fn centre(&self) -> usize {
        (self.board.rows() / 2) * self.board.cols() + self.board.cols() / 2
    }

    fn empty_cells(&self) -> impl Iterator<Item = usize> {
        (0..self.board.cells()).filter(|&cell| self.board.is_empty(cell))
    }

    /// Calls `visit` with every cell worth a move.
    fn for_each_cell(&self, mut visit: impl FnMut(usize)) {
        if self.board.cells() <= FULL_WIDTH_CELLS {
            self.empty_cells().for_each(visit);
        } else if self.history.is_empty() {
            visit(self.centre());
        } else {
            self.for_each_near_cell(visit);
        }
    }

    /// Calls `visit` with the cells that came near a stone last and, of the others, with those around the last
    /// stones if lines are long, and those where something is to be had at once.
    #[cfg(not(feature = "compact"))]
    fn for_each_near_cell(&self, mut visit: impl FnMut(usize)) {
        let Some(older) = usize::from(self.listed).checked_sub(MAX_QUIET_CELLS) else {
            return self.near_cells().rev().for_each(visit);
        };
        let looked_at = if self.k > SHORT_LINE { RECENT_STONES } else { 0 };
        let first = self.history.len().saturating_sub(looked_at);
        let recent = self.history.get(first..).unwrap_or(&[]);
        for (n, &stone) in recent.iter().enumerate() {
            let (starts, width) = self.around(usize::from(stone));
            for cell in starts.flat_map(|start| start..start + width) {
                let is_older = self.board.is_empty(cell) && usize::from(self.place[cell]) < older;
                if is_older && !self.is_near_any(cell, recent.get(..n).unwrap_or(&[])) {
                    visit(cell);
                }
            }
        }
        let mut heat = self.board.total_heat();
        for (n, cell) in self.near_cells().rev().enumerate() {
            if n >= MAX_QUIET_CELLS && heat == 0 {
                break;
            }
            let here = self.board.heat(cell);
            heat = heat.saturating_sub(here);
            if n < MAX_QUIET_CELLS || here > 0 && !self.is_near_any(cell, recent) {
                visit(cell);
            }
        }
    }

    /// Whether one of these stones is at most [`NEAR`] steps away.
    #[cfg(not(feature = "compact"))]
    fn is_near_any(&self, cell: usize, stones: &[u16]) -> bool {
        let cols = self.board.cols();
        let (row, col) = row_and_col(cell, cols);
        stones.iter().any(|&stone| {
            let (other_row, other_col) = row_and_col(usize::from(stone), cols);
            row.abs_diff(other_row).max(col.abs_diff(other_col)) <= NEAR
        })
    }

    #[cfg(feature = "compact")]
    fn for_each_near_cell(&self, visit: impl FnMut(usize)) {
        self.near_cells().for_each(visit);
    }

    /// Up to two cells that win at once for a side, and how many there are.
    fn winning_cells(&self, side: Side) -> (Option<usize>, usize) {
        let mut found = (None, 0);
        if self.board.may_complete(side) {
            self.for_each_cell(|cell| {
                if self.board.completes(cell, side) {
                    found = (found.0.or(Some(cell)), found.1 + 1);
                }
            });
        }
        found
    }

    /// How early to try each cell. Much is looked up once for all of them: a large board full of
    /// stones has thousands.
    fn order(&self) -> impl Fn(usize) -> u32 + use<'_, CELLS> {
        let urgent = Side::BOTH.into_iter().any(|side| self.board.may_complete(side));
        move |cell| {
            if urgent && Side::BOTH.into_iter().any(|side| self.board.completes(cell, side)) {
                return Candidate::MAX_ORDER;
            }
            self.board.order(cell).min(Candidate::MAX_ORDER - 1)
        }
    }

    /// The moves that do something about the opponent's double threats: those that spoil them all,
    /// and threats of one's own. Any other move loses in four plies, so nothing that matters is left
    /// out.
    #[cfg(not(feature = "compact"))]
    fn generate_answers(&self, sink: &mut MoveSink<'_>) {
        let us = self.side_to_move();
        let order = self.order();
        let board = &self.board;
        let mut dangers = heapless::Vec::<usize, MAX_DANGERS>::new();
        self.for_each_cell(|cell| {
            if board.makes_four(cell, us) {
                sink.push(Move::new(cell), order(cell));
            }
            if board.makes_two_fours(cell, us.other()) {
                // Those beyond the capacity leave more answers than there are.
                let _ = dangers.push(cell);
            }
        });
        let Some((&first, others)) = dangers.split_first() else { return };
        board.for_each_spoiler(first, us.other(), |cell| {
            let spoils_all = others.iter().all(|&danger| board.can_spoil(cell, danger, us.other()));
            if spoils_all && !board.makes_four(cell, us) {
                sink.push(Move::new(cell), order(cell));
            }
        });
        if sink.is_empty() {
            sink.push(Move::new(first), 0);
        }
    }

    /// The moves that threaten something: fours or open threes, as `chosen` says of these two.
    #[cfg(not(feature = "compact"))]
    fn generate_threats(&self, sink: &mut MoveSink<'_>, chosen: impl Fn(bool, bool) -> bool) {
        let us = self.side_to_move();
        let order = self.order();
        self.for_each_cell(|cell| {
            if chosen(self.board.makes_four(cell, us), self.board.makes_open_three(cell, us)) {
                sink.push(Move::new(cell), order(cell));
            }
        });
    }

    fn cannot_win(&self, side: Side) -> bool {
        self.board.live_windows(side) == 0
            || self.history.is_empty()
                && (usize::from(self.k) >= UNFORCEABLE_LINE || side == Side::Second && !self.exact)
    }
}

impl<const CELLS: usize> Game for Mnk<CELLS> {
    const FAMILY: Option<crate::game::Family> = Some(crate::game::Family::Mnk);

    fn spec(&self) -> GameSpec {
        self.spec
    }

    fn ply(&self) -> usize {
        self.history.len()
    }

    fn played(&self, n: usize) -> Option<Move> {
        self.history.get(n).map(|&cell| Move::new(usize::from(cell)))
    }

    fn stone(&self, cell: usize) -> Option<Side> {
        if cell < self.board.cells() { self.board.stone(cell) } else { None }
    }

    fn check(&self, mv: Move) -> Result<(), IllegalMove> {
        if self.outcome().is_some() {
            Err(IllegalMove::GameOver)
        } else if mv.index() >= self.board.cells() {
            Err(IllegalMove::OutsideBoard)
        } else if !self.board.is_empty(mv.index()) {
            Err(IllegalMove::Occupied)
        } else {
            Ok(())
        }
    }

    fn make(&mut self, mv: Move) {
        let cell = mv.index();
        debug_assert_eq!(self.check(mv), Ok(()));
        if cell >= self.board.cells() {
            return;
        }
        self.board.place(cell, self.side_to_move());
        let _ = self.history.push(cell as u16);
        let place = self.place[cell];
        if place != NOT_LISTED {
            // The last of the list takes the place of the occupied cell.
            self.listed -= 1;
            let last = self.list[usize::from(self.listed)];
            self.list[usize::from(place)] = last;
            self.place[usize::from(last)] = place;
            self.place[cell] = place;
            self.list[usize::from(self.listed)] = NOT_LISTED;
        }
        let (starts, width) = self.around(cell);
        for start in starts {
            for near in start..start + width {
                let Some(stones) = self.stones_near.get_mut(near) else { continue };
                *stones += 1;
                if *stones == 1 && self.board.is_empty(near) {
                    self.append(near);
                }
            }
        }
    }

    fn unmake(&mut self) {
        let Some(cell) = self.history.pop().map(usize::from) else { return };
        let (starts, width) = self.around(cell);
        for start in starts.rev() {
            for near in (start..start + width).rev() {
                let Some(stones) = self.stones_near.get_mut(near) else { continue };
                *stones -= 1;
                if *stones == 0 && self.board.is_empty(near) {
                    // It was appended last.
                    self.listed -= 1;
                    self.list[usize::from(self.listed)] = NOT_LISTED;
                    self.place[near] = NOT_LISTED;
                }
            }
        }
        let place = self.place[cell];
        if place != NOT_LISTED {
            let moved = self.list[usize::from(place)];
            self.list[usize::from(self.listed)] = moved;
            if moved != NOT_LISTED {
                self.place[usize::from(moved)] = self.listed;
            }
            self.list[usize::from(place)] = cell as u16;
            self.place[cell] = place;
            self.listed += 1;
        }
        self.board.remove(cell, self.side_to_move());
    }

    fn outcome(&self) -> Option<Outcome> {
        outcome(self.board.winner(), self.plies_left())
    }

    fn plies_left(&self) -> usize {
        self.board.cells() - self.history.len()
    }

    fn key(&self) -> u64 {
        self.board.key()
    }

    fn key_bits(&self) -> u32 {
        64
    }

    fn evaluate(&self) -> Score {
        self.board.evaluate(self.side_to_move())
    }

    fn tactics(&self) -> Tactics {
        let us = self.side_to_move();
        if let (Some(cell), _) = self.winning_cells(us) {
            return Tactics::Win(Move::new(cell));
        }
        match self.winning_cells(us.other()) {
            (None, _) => Tactics::Quiet,
            (Some(cell), 1) => Tactics::Forced(Move::new(cell)),
            (Some(cell), _) => Tactics::Lost(Move::new(cell)),
        }
    }

    #[cfg(not(feature = "compact"))]
    const THREATS: bool = true;
    const WIDTHS: &'static [usize] = &[14, 18, 22, 30];

    #[cfg(not(feature = "compact"))]
    fn double_threat(&self) -> Option<Move> {
        let us = self.side_to_move();
        if self.board.double_fours(us) == 0 {
            return None;
        }
        let mut found = None;
        self.for_each_cell(|cell| {
            if found.is_none() && self.board.makes_two_fours(cell, us) {
                found = Some(Move::new(cell));
            }
        });
        found
    }

    #[cfg(not(feature = "compact"))]
    fn is_threatened(&self) -> bool {
        self.board.double_fours(self.side_to_move().other()) > 0
    }

    fn bounds(&self, _alpha: Score, _beta: Score, _effort: Effort) -> (Score, Score) {
        let us = self.side_to_move();
        let high = if self.cannot_win(us) { 0 } else { INFINITE };
        let low = if self.cannot_win(us.other()) { 0 } else { -INFINITE };
        (low.max(loss_at(self.ply() + 4)), high.min(win_at(self.ply() + 3)))
    }

    fn is_dead(&self) -> bool {
        Side::BOTH.into_iter().all(|side| self.board.live_windows(side) == 0)
    }

    #[cfg(not(feature = "compact"))]
    fn expect_evaluation(&mut self, expected: bool) {
        self.board.use_network(expected);
    }

    fn generate(&self, sink: &mut MoveSink<'_>) {
        #[cfg(not(feature = "compact"))]
        match sink.wanted() {
            Wanted::Answers if self.board.double_fours(self.side_to_move().other()) > 0 => {
                return self.generate_answers(sink);
            }
            Wanted::Fours => return self.generate_threats(sink, |four, _| four),
            Wanted::Attacks => return self.generate_threats(sink, |four, three| four || three),
            _ => {}
        }
        let order = self.order();
        if sink.wants_all() || self.board.cells() <= FULL_WIDTH_CELLS {
            self.empty_cells().for_each(|cell| sink.push(Move::new(cell), order(cell)));
            return;
        }
        sink.mark_selective();
        self.for_each_cell(|cell| {
            sink.push(Move::new(cell), order(cell));
            // Now and then, so that the list takes little room.
            if sink.len() >= 2 * MAX_WIDTH {
                sink.keep_best(MAX_WIDTH);
            }
        });
        sink.keep_best(MAX_WIDTH);
    }

    fn wins_soon(&self) -> bool {
        true
    }

    fn symmetries(&self) -> u8 {
        symmetries(self.board.rows(), self.board.cols())
    }

    fn key_under(&self, symmetry: Symmetry) -> u64 {
        KEYS.of_stones(mapped_stones(self, symmetry))
    }

    fn map_move(&self, mv: Move, symmetry: Symmetry) -> Move {
        map_move(mv, symmetry, self.board.rows(), self.board.cols())
    }
}

#[cfg(all(test, not(feature = "compact")))]
mod tests {
    extern crate std;

    use super::*;
    use std::vec::Vec;

    #[test]
    fn a_long_line_is_gone_on_with_when_stones_were_strewn_since() {
        const SIDE: usize = 40;
        let cell = |row: usize, col: usize| row * SIDE + col;
        let mut game =
            Mnk::<{ SIDE * SIDE }>::new(SIDE as u8, SIDE as u8, 10, false).expect("fits");
        // A line of three and two stones apart, and five of the opponent's far from all.
        for (n, col) in [2, 3, 4, 14, 24].into_iter().enumerate() {
            game.make(Move::new(cell(2, col)));
            game.make(Move::new(cell(20, 2 + 6 * n)));
        }
        let mut cells = Vec::new();
        game.for_each_near_cell(|cell| cells.push(cell));
        let next = cell(2, 5);
        assert!(usize::from(game.listed) > usize::from(game.place[next]) + MAX_QUIET_CELLS);
        assert!(cells.contains(&next));
        cells.sort_unstable();
        assert!(cells.windows(2).all(|pair| pair[0] < pair[1]), "a cell came twice");
    }
}
