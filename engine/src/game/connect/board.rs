//! Connect X boards of any size up to the capacity `CELLS`.
//!
//! Cells are numbered by rows from the bottom: `cell = row * cols + col`, row 0 at the bottom.
//!
//! # Zugzwang
//! Nobody likes to play below a cell where the opponent completes a line. So all other cells are filled first,
//! and then the side whose turn it is must. On boards that are too large for [`super::small`], where zugzwang
//! follows from bounds, the evaluation finds out who that will be if no line comes in between: the other side
//! has the advantage. This is the odd and even rows of Connect Four for any number of rows, columns and threats.

use super::small::ConnectSmall;
use super::{SYMMETRIES, map_column};
use crate::game::line::board::{KEYS, LineBoard};
use crate::game::line::{cell_order, evaluate, outcome};
use crate::game::{Effort, Game, IllegalMove, Move, Outcome, Side, Symmetry, Tactics};
use crate::guarded::{Array, Guarded};
use crate::score::{INFINITE, Score, loss_at, win_at};
use crate::search::ordering::MoveSink;
use crate::spec::{CONNECT_MAX_SIDE, GameSpec, SpecError};

const MAX_COLS: usize = CONNECT_MAX_SIDE as usize;

/// A zugzwang is worth so many windows that lack one stone if it is there, and the less the further off it is:
const ZUGZWANG_WINDOWS: i64 = 10;
/// half of that after so many plies.
const ZUGZWANG_PLIES: i64 = 20;

/// A Connect X position of at most `CELLS` cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Connect<const CELLS: usize> {
    spec: GameSpec,
    board: LineBoard<CELLS>,
    /// Stones in each column.
    heights: Array<u8, MAX_COLS>,
    history: heapless::Vec<u8, CELLS>,
    /// Whether the evaluation looks for a zugzwang.
    sees_zugzwang: bool,
}

impl<const CELLS: usize> Connect<CELLS> {
    /// An empty board.
    ///
    /// # Errors
    /// The board has more cells than the capacity, or more than 100 columns.
    pub fn new(rows: u8, cols: u8, x: u16) -> Result<Self, SpecError> {
        let mut game = Self::blank();
        game.start(rows, cols, x)?;
        Ok(game)
    }

    /// A game on no board, to be started.
    #[inline(always)]
    pub(crate) fn blank() -> Self {
        Connect {
            spec: GameSpec::Connect { rows: 0, cols: 0, x: 0 },
            board: LineBoard::blank(),
            heights: Guarded::new([0; MAX_COLS], 0),
            history: heapless::Vec::new(),
            sees_zugzwang: false,
        }
    }

    /// Makes a blank game the start of this one, in place.
    pub(crate) fn start(&mut self, rows: u8, cols: u8, x: u16) -> Result<(), SpecError> {
        if usize::from(cols) > MAX_COLS {
            return Err(SpecError::OutOfRange { what: "columns", max: CONNECT_MAX_SIDE });
        }
        self.board.start(rows, cols, x, false)?;
        self.spec = GameSpec::Connect { rows, cols, x };
        self.sees_zugzwang = !cfg!(feature = "compact") && !ConnectSmall::fits(rows, cols);
        Ok(())
    }

    /// Leaves zugzwang out of the evaluation from now on, to see what it is worth.
    pub fn ignore_zugzwang(&mut self) {
        self.sees_zugzwang = false;
    }

    /// The lowest free cell of a column that has one.
    #[inline]
    fn landing(&self, col: usize) -> Option<usize> {
        let height = usize::from(*self.heights.get(col)?);
        (height < self.board.rows() && col < self.board.cols())
            .then(|| height * self.board.cols() + col)
    }

    /// The columns that have room, with the cell where a stone would come to lie.
    fn landings(&self) -> impl Iterator<Item = (usize, usize)> {
        (0..self.board.cols()).filter_map(|col| Some((col, self.landing(col)?)))
    }

    /// Who has a line to complete when all cells but those below such ones are filled and the other side is to
    /// move, and in how many plies that is.
    #[must_use]
    pub fn zugzwang(&self) -> Option<(Side, usize)> {
        if Side::BOTH.into_iter().all(|side| self.board.almost_complete(side) == 0) {
            return None;
        }
        let (cells, cols) = (self.board.cells(), self.board.cols());
        let mut plies = 0;
        let mut has_threat = [false; 2];
        for (col, lowest) in self.landings() {
            let mut column = (lowest..cells).step_by(cols.max(1));
            if !self.board.may_complete_in(col) {
                plies += column.len();
                continue;
            }
            // What can be had at once is a matter of tactics.
            column.next();
            // The lowest cell counts only if nothing is threatened on top of it.
            let mut free_below = 0;
            let mut is_open = true;
            for cell in column {
                let [first, second] = Side::BOTH.map(|side| self.board.completes(cell, side));
                if first || second {
                    has_threat[0] |= first;
                    has_threat[1] |= second;
                    is_open = false;
                    break;
                }
                free_below += 1;
            }
            plies += free_below + usize::from(is_open);
        }
        let winner = Side::at_ply(self.ply() + plies).other();
        has_threat[winner.index()].then_some((winner, plies))
    }

    /// Whether the opponent of `side` could win right on top of a stone on this cell.
    fn opens_a_win(&self, cell: usize, side: Side) -> bool {
        let above = cell + self.board.cols();
        above < self.board.cells() && self.board.completes(above, side.other())
    }
}

impl<const CELLS: usize> Game for Connect<CELLS> {
    const FAMILY: Option<crate::game::Family> = Some(crate::game::Family::Connect);

    fn spec(&self) -> GameSpec {
        self.spec
    }

    fn ply(&self) -> usize {
        self.history.len()
    }

    fn played(&self, n: usize) -> Option<Move> {
        self.history.get(n).map(|&col| Move::new(usize::from(col)))
    }

    fn stone(&self, cell: usize) -> Option<Side> {
        if cell < self.board.cells() { self.board.stone(cell) } else { None }
    }

    fn check(&self, mv: Move) -> Result<(), IllegalMove> {
        if self.outcome().is_some() {
            Err(IllegalMove::GameOver)
        } else if mv.index() >= self.board.cols() {
            Err(IllegalMove::OutsideBoard)
        } else if self.landing(mv.index()).is_none() {
            Err(IllegalMove::Occupied)
        } else {
            Ok(())
        }
    }

    fn make(&mut self, mv: Move) {
        debug_assert_eq!(self.check(mv), Ok(()));
        let col = mv.index();
        let Some(cell) = self.landing(col) else { return };
        self.board.place(cell, self.side_to_move());
        self.heights[col] += 1;
        let _ = self.history.push(col as u8);
    }

    fn unmake(&mut self) {
        let Some(col) = self.history.pop().map(usize::from) else { return };
        self.heights[col] -= 1;
        let cell = usize::from(self.heights[col]) * self.board.cols() + col;
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
        let us = self.side_to_move();
        let (own, their) = (self.board.total(us), self.board.total(us.other()));
        let zugzwang = if self.sees_zugzwang { self.zugzwang() } else { None };
        let Some((winner, plies)) = zugzwang else { return evaluate(own, their) };
        let worth = ZUGZWANG_WINDOWS * ZUGZWANG_PLIES * self.board.almost_weight()
            / (ZUGZWANG_PLIES + plies as i64);
        if winner == us { evaluate(own + worth, their) } else { evaluate(own, their + worth) }
    }

    fn tactics(&self) -> Tactics {
        let us = self.side_to_move();
        let wins =
            |side: Side| self.landings().filter(move |&(_, cell)| self.board.completes(cell, side));
        if self.board.almost_complete(us) > 0
            && let Some((col, _)) = wins(us).next()
        {
            return Tactics::Win(Move::new(col));
        }
        if self.board.almost_complete(us.other()) == 0 {
            return Tactics::Quiet;
        }
        let mut threats = wins(us.other());
        match (threats.next(), threats.next()) {
            (None, _) => {
                if self.landings().all(|(_, cell)| self.opens_a_win(cell, us))
                    && let Some((col, _)) = self.landings().next()
                {
                    return Tactics::Lost(Move::new(col));
                }
                Tactics::Quiet
            }
            (Some((col, cell)), None) if !self.opens_a_win(cell, us) => {
                Tactics::Forced(Move::new(col))
            }
            (Some((col, _)), _) => Tactics::Lost(Move::new(col)),
        }
    }

    fn bounds(&self, _alpha: Score, _beta: Score, _effort: Effort) -> (Score, Score) {
        let us = self.side_to_move();
        let high = if self.board.live_windows(us) == 0 { 0 } else { INFINITE };
        let low = if self.board.live_windows(us.other()) == 0 { 0 } else { -INFINITE };
        (low.max(loss_at(self.ply() + 4)), high.min(win_at(self.ply() + 3)))
    }

    fn is_dead(&self) -> bool {
        Side::BOTH.into_iter().all(|side| self.board.live_windows(side) == 0)
    }

    fn generate(&self, sink: &mut MoveSink<'_>) {
        let us = self.side_to_move();
        let all = sink.wants_all();
        let mut push = |(col, cell)| {
            let points = |side| self.board.points(cell, side);
            sink.push(Move::new(col), cell_order(points(us), points(us.other())));
        };
        let mut safe = self.landings().filter(|&(_, cell)| !self.opens_a_win(cell, us)).peekable();
        if safe.peek().is_some() && !all {
            safe.for_each(&mut push);
        } else {
            self.landings().for_each(&mut push);
        }
    }

    /// The cell where the stone comes to lie.
    fn deed(&self, mv: Move) -> usize {
        self.landing(mv.index()).unwrap_or_default()
    }

    fn symmetries(&self) -> u8 {
        SYMMETRIES
    }

    fn key_under(&self, symmetry: Symmetry) -> u64 {
        let cols = self.board.cols();
        let mut heights = Guarded::new([0u8; MAX_COLS], 0);
        KEYS.of_stones(self.history.iter().enumerate().map(|(n, &col)| {
            let col = map_column(usize::from(col), symmetry, cols);
            let cell = usize::from(heights[col]) * cols + col;
            heights[col] += 1;
            (cell, Side::at_ply(n))
        }))
    }

    fn map_move(&self, mv: Move, symmetry: Symmetry) -> Move {
        Move::new(map_column(mv.index(), symmetry, self.board.cols()))
    }
}
