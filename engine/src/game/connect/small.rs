//! Connect X on boards whose columns, with one spare bit each, fit in 64 bits.
//!
//! ```text
//!   .  .  .  .  .  .  .      spare bits 6 13 20 27 34 41 48 stay 0
//!   5 12 19 26 33 40 47
//!   4 11 18 25 32 39 46      bit = col * (rows + 1) + row, row 0 at the bottom
//!   3 10 17 24 31 38 45      (6 rows, 7 columns here)
//!   2  9 16 23 30 37 44
//!   1  8 15 22 29 36 43
//!   0  7 14 21 28 35 42
//! ```
//!
//! Adding the bottom bits to the occupied cells carries up each column to its lowest free cell.
//! Own stones plus occupied cells make a number that is different for every position: in each
//! column the highest bit set tells the height, the bits below it whose stones lie there.

use super::grid::Stacks;
use super::{SYMMETRIES, centrality, map_column};
use crate::game::line::bits::{Cells, LineBits, MAX_CELLS};
use crate::game::line::{Weights, evaluate, outcome};
use crate::game::{Effort, Game, IllegalMove, Move, Outcome, Side, Symmetry, Tactics};
use crate::guarded::row_and_col;
use crate::score::{INFINITE, Score, loss_at, win_at};
use crate::search::ordering::MoveSink;
use crate::spec::{GameSpec, SpecError};

/// Order values are this far apart, so that what the search learns of moves only breaks ties.
/// Letting history or killers do more makes the proof of 4x6x4 several times as long.
const ORDER_STEP: u32 = 400;

/// A Connect X position with `(rows + 1) * cols <= 64`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConnectSmall {
    rows: u8,
    cols: u8,
    x: u16,
    lines: LineBits,
    weights: Weights,
    board: Cells,
    bottom: Cells,
    /// Every second row, so that the top row is not among them.
    last_row_parity: Cells,
    stones: [Cells; 2],
    winner: Option<Side>,
    history: heapless::Vec<u8, MAX_CELLS, u8>,
}

impl ConnectSmall {
    /// Whether a board of this size fits.
    #[must_use]
    pub const fn fits(rows: u8, cols: u8) -> bool {
        (rows as usize + 1) * cols as usize <= MAX_CELLS
    }

    /// An empty board.
    ///
    /// # Errors
    /// The board does not fit in 64 bits.
    pub fn new(rows: u8, cols: u8, x: u16) -> Result<ConnectSmall, SpecError> {
        if !Self::fits(rows, cols) {
            return Err(SpecError::TooLarge { capacity: MAX_CELLS - usize::from(cols) });
        }
        let (r, c) = (usize::from(rows), usize::from(cols));
        let lines = LineBits::new(r, c, usize::from(x), false, |row, col| col * (r + 1) + row);
        let bottom: Cells = (0..c).fold(0, |set, col| set | 1 << (col * (r + 1)));
        Ok(ConnectSmall {
            rows,
            cols,
            x,
            lines,
            weights: Weights::new(lines.k() as usize),
            // Each column's bottom bit times 2^rows - 1 fills the column below the spare bit.
            board: bottom.wrapping_mul((1 << r) - 1),
            bottom,
            last_row_parity: (0..r)
                .filter(|row| row % 2 == r % 2)
                .fold(0, |set, row| set | bottom << row),
            stones: [0; 2],
            winner: None,
            history: heapless::Vec::new(),
        })
    }

    fn occupied(&self) -> Cells {
        self.stones[0] | self.stones[1]
    }

    fn empty(&self) -> Cells {
        self.board & !self.occupied()
    }

    /// The lowest free cell of each column that has one.
    #[inline]
    fn playable(&self) -> Cells {
        self.occupied().wrapping_add(self.bottom) & self.board
    }

    /// The bits of a column.
    fn column(&self, col: usize) -> Cells {
        ((1 << self.rows) - 1) << (col * (usize::from(self.rows) + 1))
    }

    /// The move that puts a stone on the lowest of these cells.
    fn move_to(&self, cells: Cells) -> Move {
        Move::new(cells.trailing_zeros() as usize / (usize::from(self.rows) + 1))
    }

    /// The playable cells that do not let the opponent win right on top of them.
    #[inline]
    fn safe_cells(&self, their_wins: Cells) -> Cells {
        self.playable() & !(their_wins >> 1)
    }

    /// An upper bound of the score of the side to move, `us`, by the follow-up strategy: when
    /// every column has an even number of free cells, the opponent can always answer on top of
    /// our stone, and then we get every first, third, ... free cell of a column and nothing else.
    fn followed_up(&self, us: Side) -> Score {
        let (ours, theirs) = (self.stones[us.index()], self.stones[us.other().index()]);
        let empty = self.empty();
        let lower = empty & self.last_row_parity;
        let upper = empty & !self.last_row_parity;
        // The free cells pair up exactly if each lower one has its upper one above it and the
        // playable ones are all lower.
        if self.playable() & upper != 0 || self.lines.windows_inside(ours | lower) != [0; 4] {
            return INFINITE;
        }
        if self.lines.has_line(theirs | upper) {
            loss_at(self.ply() + self.plies_left())
        } else {
            0
        }
    }

    fn completing(&self, side: Side) -> Cells {
        self.lines.completing(self.stones[side.index()], self.empty())
    }
}

impl Game for ConnectSmall {
    const FAMILY: Option<crate::game::Family> = Some(crate::game::Family::Connect);

    fn spec(&self) -> GameSpec {
        GameSpec::Connect { rows: self.rows, cols: self.cols, x: self.x }
    }

    fn ply(&self) -> usize {
        self.history.len()
    }

    fn played(&self, n: usize) -> Option<Move> {
        self.history.get(n).map(|&col| Move::new(usize::from(col)))
    }

    fn stone(&self, cell: usize) -> Option<Side> {
        if cell >= self.spec().cells() {
            return None;
        }
        let (row, col) = row_and_col(cell, usize::from(self.cols));
        let bit = col * (usize::from(self.rows) + 1) + row;
        Side::BOTH.into_iter().find(|side| self.stones[side.index()] >> bit & 1 == 1)
    }

    fn check(&self, mv: Move) -> Result<(), IllegalMove> {
        if self.outcome().is_some() {
            Err(IllegalMove::GameOver)
        } else if mv.index() >= usize::from(self.cols) {
            Err(IllegalMove::OutsideBoard)
        } else if self.playable() & self.column(mv.index()) == 0 {
            Err(IllegalMove::Occupied)
        } else {
            Ok(())
        }
    }

    #[inline]
    fn make(&mut self, mv: Move) {
        debug_assert_eq!(self.check(mv), Ok(()));
        let side = self.side_to_move();
        let cell = self.playable() & self.column(mv.index());
        let own = &mut self.stones[side.index()];
        *own |= cell;
        if self.lines.has_line(*own) {
            self.winner = Some(side);
        }
        let _ = self.history.push(mv.index() as u8);
    }

    #[inline]
    fn unmake(&mut self) {
        let Some(col) = self.history.pop() else { return };
        let side = self.side_to_move();
        // The top stone of the column is the occupied cell below the lowest free one.
        let occupied = self.occupied();
        let column = self.column(usize::from(col));
        let top = (occupied & column) & !((occupied & column) >> 1);
        self.stones[side.index()] &= !top;
        self.winner = None;
    }

    fn outcome(&self) -> Option<Outcome> {
        outcome(self.winner, self.plies_left())
    }

    fn plies_left(&self) -> usize {
        self.empty().count_ones() as usize
    }

    #[inline]
    fn key(&self) -> u64 {
        // In each column at most 2 * (2^rows - 1), which the spare bit holds: no carry.
        self.stones[self.side_to_move().index()].wrapping_add(self.occupied())
    }

    fn key_bits(&self) -> u32 {
        (u32::from(self.rows) + 1) * u32::from(self.cols)
    }

    fn evaluate(&self) -> Score {
        let us = self.side_to_move();
        let empty = self.empty();
        let total = |side: Side| self.lines.total(self.stones[side.index()], empty, &self.weights);
        evaluate(total(us), total(us.other()))
    }

    #[inline]
    fn tactics(&self) -> Tactics {
        let us = self.side_to_move();
        let playable = self.playable();
        let wins = self.completing(us) & playable;
        if wins != 0 {
            return Tactics::Win(self.move_to(wins));
        }
        let their_wins = self.completing(us.other());
        let threats = their_wins & playable;
        let safe = self.safe_cells(their_wins);
        match threats.count_ones() {
            0 if safe == 0 => Tactics::Lost(self.move_to(playable)),
            0 => Tactics::Quiet,
            // Blocking must not open the cell above to the opponent either.
            1 if threats & safe != 0 => Tactics::Forced(self.move_to(threats)),
            _ => Tactics::Lost(self.move_to(threats)),
        }
    }

    fn bounds(&self, _alpha: Score, _beta: Score, _effort: Effort) -> (Score, Score) {
        let us = self.side_to_move();
        let empty = self.empty();
        let dead =
            |side: Side| self.lines.windows_inside(self.stones[side.index()] | empty) == [0; 4];
        let high = if dead(us) { 0 } else { self.followed_up(us) };
        let low = if dead(us.other()) { 0 } else { -INFINITE };
        // Nobody wins with the next stone, and safe cells let nobody win with the one after.
        (low.max(loss_at(self.ply() + 4)), high.min(win_at(self.ply() + 3)))
    }

    fn generate(&self, sink: &mut MoveSink<'_>) {
        let us = self.side_to_move();
        let own = self.stones[us.index()];
        let empty = self.empty();
        let safe = self.safe_cells(self.completing(us.other()));
        let all = safe == 0 || sink.wants_all();
        let mut cells = if all { self.playable() } else { safe };
        while cells != 0 {
            let cell = cells & cells.wrapping_neg();
            cells &= cells - 1;
            let mv = self.move_to(cell);
            // Places where the next stone would win, whenever they come into reach.
            let places = self.lines.completing(own | cell, empty & !cell).count_ones();
            let centrality = centrality(mv.index(), usize::from(self.cols));
            sink.push(mv, (places * 32 + centrality) * ORDER_STEP);
        }
    }

    /// The cell where the stone comes to lie.
    fn deed(&self, mv: Move) -> usize {
        (self.playable() & self.column(mv.index())).trailing_zeros() as usize
    }

    fn symmetries(&self) -> u8 {
        SYMMETRIES
    }

    fn key_under(&self, symmetry: Symmetry) -> u64 {
        if symmetry == Symmetry::IDENTITY {
            return self.key();
        }
        let stride = usize::from(self.rows) + 1;
        let cols = usize::from(self.cols);
        let key = self.key();
        (0..cols).fold(0, |mirrored, col| {
            let column = key >> (col * stride) & (Cells::MAX >> (MAX_CELLS - stride));
            mirrored | column << (map_column(col, symmetry, cols) * stride)
        })
    }

    fn map_move(&self, mv: Move, symmetry: Symmetry) -> Move {
        Move::new(map_column(mv.index(), symmetry, usize::from(self.cols)))
    }

    fn stacks(&self) -> Option<Stacks> {
        Some(Stacks { rows: self.rows, cols: self.cols, x: self.x, stones: self.stones })
    }
}
