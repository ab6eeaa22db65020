//! mnk boards of up to 64 cells: two bit sets, all moves, and proofs of draws and of wins by threats.
//!
//! ```text
//!  0  1  2  3     cell = row * cols + col, bit 0 is the upper left corner (4 columns here)
//!  4  5  6  7
//!  8  9 10 11
//! ```
//!
//! Up to 40 cells the key is the board read as a number in base three, so it is exact.

use super::pairing::can_be_paired;
use super::{UNFORCEABLE_LINE, map_move, mapped_stones, symmetries};
use crate::game::keys::Keys;
use crate::game::line::bits::{Cells, Fours, LineBits, MAX_CELLS};
use crate::game::line::{Weights, cell_order, evaluate, outcome};
use crate::game::{Effort, Game, IllegalMove, Move, Outcome, Side, Symmetry, Tactics};
use crate::score::{Score, loss_at, win_at, win_ply};
use crate::search::ordering::{MoveSink, Wanted};
use crate::spec::{GameSpec, SpecError};

/// What a threat adds to the order of a move, where only threats and answers are tried.
const FOUR_ORDER: u32 = 1_000;

/// What a proof can do without, to see what each part is worth.
pub mod parts {
    /// That no live line is left.
    pub const DEAD_LINES: u8 = 1 << 0;
    /// Pairing strategies.
    pub const PAIRING: u8 = 1 << 1;
    /// The weights of Erdos and Selfridge.
    pub const WEIGHTS: u8 = 1 << 2;
    /// Threats: double ones, the answers to them, and chains.
    pub const THREATS: u8 = 1 << 3;
    /// Chains of threats.
    pub const CHAINS: u8 = 1 << 4;
    /// That cells without a live line are all the same.
    pub const DEAD_CELLS: u8 = 1 << 5;
    /// All parts with their names.
    pub const ALL: [(&str, u8); 6] = [
        ("mnk-dead-lines", DEAD_LINES),
        ("mnk-pairing", PAIRING),
        ("mnk-weights", WEIGHTS),
        ("mnk-threats", THREATS),
        ("mnk-chains", CHAINS),
        ("mnk-dead-cells", DEAD_CELLS),
    ];
}

/// An mnk position of at most 64 cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MnkSmall {
    rows: u8,
    cols: u8,
    k: u16,
    exact: bool,
    lines: LineBits,
    weights: Weights,
    keys: Keys,
    board: Cells,
    stones: [Cells; 2],
    winner: Option<Side>,
    key: u64,
    history: heapless::Vec<u8, MAX_CELLS, u8>,
    /// A set of [`parts`].
    left_out: u8,
}

impl MnkSmall {
    /// An empty board.
    ///
    /// # Errors
    /// The board has more than 64 cells.
    pub fn new(rows: u8, cols: u8, k: u16, exact: bool) -> Result<MnkSmall, SpecError> {
        let (r, c) = (usize::from(rows), usize::from(cols));
        if r * c > MAX_CELLS {
            return Err(SpecError::TooLarge { capacity: MAX_CELLS });
        }
        let lines = LineBits::new(r, c, usize::from(k), exact, |row, col| row * c + col);
        Ok(MnkSmall {
            rows,
            cols,
            k,
            exact,
            lines,
            weights: Weights::new(lines.k() as usize),
            keys: Keys::best_for(r * c),
            board: Cells::MAX >> (MAX_CELLS - r * c).min(MAX_CELLS - 1),
            stones: [0; 2],
            winner: None,
            key: 0,
            history: heapless::Vec::new(),
            left_out: 0,
        })
    }

    /// From now on without these [`parts`].
    pub fn leave_out(&mut self, parts: u8) {
        self.left_out = parts;
    }

    /// Whether one of the [`parts`] is in use.
    fn uses(&self, part: u8) -> bool {
        cfg!(feature = "compact") || self.left_out & part == 0
    }

    fn empty(&self) -> Cells {
        self.board & !(self.stones[0] | self.stones[1])
    }

    /// Whether threats are looked at: under the exact rule a stone can undo one, and where flash is
    /// scarce there is no room.
    fn sees_threats(&self) -> bool {
        !self.exact && !cfg!(feature = "compact") && self.uses(parts::THREATS)
    }

    /// What both sides could threaten with one more stone, first the side to move, if that is
    /// looked at.
    fn fours(&self) -> Option<[Fours; 2]> {
        if !self.sees_threats() {
            return None;
        }
        let us = self.side_to_move();
        let empty = self.empty();
        Some([us, us.other()].map(|side| self.lines.fours(self.stones[side.index()], empty)))
    }

    /// Empty cells at which a stone leaves none of these double threats of the opponent.
    fn answers(&self, doubles: Cells) -> Cells {
        let their = self.stones[self.side_to_move().other().index()];
        let empty = self.empty();
        let mut answers = empty;
        let mut left = doubles;
        while left != 0 && answers != 0 {
            let cell = left & left.wrapping_neg();
            left &= left - 1;
            let wins = self.lines.completing(their | cell, empty & !cell);
            answers &= if wins.count_ones() == 2 { wins | cell } else { cell };
        }
        answers
    }

    /// In how many plies the side to move wins by a chain of threats that begins at one of `cells`,
    /// if that is seen and soon enough for a score of `beta`.
    fn chain(&self, cells: Cells, beta: Score) -> Option<usize> {
        let by = win_ply(beta).map_or(MAX_CELLS, |by| by.saturating_sub(self.ply()));
        let most = by.saturating_sub(3) / 2;
        if cells == 0 || most == 0 || !self.uses(parts::CHAINS) {
            return None;
        }
        let us = self.side_to_move();
        let [own, their] = [us, us.other()].map(|side| self.stones[side.index()]);
        self.lines.chain([own, their, self.empty()], cells, most)
    }

    /// Whether it is certain that `side` cannot win from here with at most `stones_left` more
    /// stones of its own.
    fn cannot_win(&self, side: Side, stones_left: u32, effort: Effort) -> bool {
        let (own, empty) = (self.stones[side.index()], self.empty());
        if self.uses(parts::DEAD_LINES) && self.lines.windows_inside(own | empty) == [0; 4] {
            return true;
        }
        let k = self.lines.k();
        if self.history.is_empty() && k as usize >= UNFORCEABLE_LINE {
            return true;
        }
        // Nobody gains from moving second: what the second player could force, the first player
        // could force with a stone to spare. A spare stone may hurt under the exact rule.
        if self.history.is_empty() && side == Side::Second && !self.exact {
            return true;
        }
        if effort < Effort::Thorough || k > 32 {
            return false;
        }
        // Only windows that the stones left can fill are of interest.
        let least = k.saturating_sub(stones_left);
        // Erdos and Selfridge: with weights 2^-(empty cells) over its live windows, a side that is
        // to move cannot force one to fill up if they sum to less than 1/2, and one whose
        // opponent is to move not below 1. Here times 2^k.
        let weight = |stones| if stones >= least { 1i64 << stones } else { 0 };
        let danger = self.lines.sum_live(own, empty, weight);
        let safe = if side == self.side_to_move() { 1 << (k - 1) } else { 1i64 << k };
        danger < safe && self.uses(parts::WEIGHTS)
            || self.uses(parts::PAIRING) && can_be_paired(&self.lines, own, empty, least)
    }
}

impl Game for MnkSmall {
    const FAMILY: Option<crate::game::Family> = Some(crate::game::Family::Mnk);

    fn spec(&self) -> GameSpec {
        GameSpec::Mnk { rows: self.rows, cols: self.cols, k: self.k, exact: self.exact }
    }

    fn ply(&self) -> usize {
        self.history.len()
    }

    fn played(&self, n: usize) -> Option<Move> {
        self.history.get(n).map(|&cell| Move::new(usize::from(cell)))
    }

    fn stone(&self, cell: usize) -> Option<Side> {
        Side::BOTH
            .into_iter()
            .find(|side| cell < MAX_CELLS && self.stones[side.index()] >> cell & 1 == 1)
    }

    fn check(&self, mv: Move) -> Result<(), IllegalMove> {
        if self.outcome().is_some() {
            Err(IllegalMove::GameOver)
        } else if mv.index() >= self.spec().cells() {
            Err(IllegalMove::OutsideBoard)
        } else if self.empty() >> mv.index() & 1 == 0 {
            Err(IllegalMove::Occupied)
        } else {
            Ok(())
        }
    }

    fn make(&mut self, mv: Move) {
        let side = self.side_to_move();
        let own = &mut self.stones[side.index()];
        *own |= 1 << (mv.index() % MAX_CELLS);
        if self.lines.has_line(*own) {
            self.winner = Some(side);
        }
        self.key = self.keys.with(self.key, mv.index(), side);
        // A board has room for as many moves as it has cells.
        let _ = self.history.push(mv.index() as u8);
    }

    fn unmake(&mut self) {
        let Some(cell) = self.history.pop() else { return };
        let side = self.side_to_move();
        self.stones[side.index()] &= !(1 << cell);
        self.key = self.keys.without(self.key, usize::from(cell), side);
        self.winner = None;
    }

    fn outcome(&self) -> Option<Outcome> {
        outcome(self.winner, self.plies_left())
    }

    fn plies_left(&self) -> usize {
        self.empty().count_ones() as usize
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn key_bits(&self) -> u32 {
        self.keys.bits(self.spec().cells())
    }

    fn evaluate(&self) -> Score {
        let (us, them) = (self.side_to_move(), self.side_to_move().other());
        let total =
            |side: Side| self.lines.total(self.stones[side.index()], self.empty(), &self.weights);
        evaluate(total(us), total(them))
    }

    fn tactics(&self) -> Tactics {
        let (us, them) = (self.side_to_move(), self.side_to_move().other());
        let empty = self.empty();
        let first = |cells: Cells| Move::new(cells.trailing_zeros() as usize);
        let wins = self.lines.completing(self.stones[us.index()], empty);
        if wins != 0 {
            return Tactics::Win(first(wins));
        }
        let threats = self.lines.completing(self.stones[them.index()], empty);
        match threats.count_ones() {
            0 => Tactics::Quiet,
            1 => Tactics::Forced(first(threats)),
            _ => Tactics::Lost(first(threats)),
        }
    }

    fn double_threat(&self) -> Option<Move> {
        if !self.sees_threats() {
            return None;
        }
        let ours = self.lines.fours(self.stones[self.side_to_move().index()], self.empty());
        (ours.doubles != 0).then(|| Move::new(ours.doubles.trailing_zeros() as usize))
    }

    fn bounds(&self, alpha: Score, beta: Score, effort: Effort) -> (Score, Score) {
        // Where flash is scarce there is no room for the thorough arguments.
        let effort = if cfg!(feature = "compact") { Effort::Cheap } else { effort };
        let us = self.side_to_move();
        let ply = self.ply();
        // Wins and losses of so few plies are seen without a search.
        let (mut high, mut low) = (win_at(ply + 3), loss_at(ply + 4));
        if let Some([ours, theirs]) = self.fours()
            && !theirs.wins
        {
            if ours.doubles != 0 {
                return (high, high);
            }
            high = win_at(ply + 5);
            if theirs.doubles == 0 {
                low = loss_at(ply + 6);
            } else if ours.cells == 0 && self.answers(theirs.doubles) == 0 {
                return (low, low);
            }
            if high <= alpha || low >= beta {
                return (low, high);
            }
            if let Some(plies) = self.chain(ours.cells, beta) {
                low = win_at(ply + plies);
                if low >= beta {
                    return (low, high);
                }
            }
        }
        // Thorough work pays where it ends the search of this node: where the window asks for a
        // win of one side, often for one by some ply before the last.
        let last_ply = ply + self.plies_left();
        let by_ply = |score: Score| win_ply(score).filter(|&by| by < last_ply);
        if alpha >= 0 {
            let by = by_ply(alpha + 1);
            let stones_left = by.unwrap_or(last_ply).saturating_sub(ply).div_ceil(2) as u32;
            if self.cannot_win(us, stones_left, effort) {
                high = if by.is_some() { alpha } else { 0 };
            }
        } else if self.cannot_win(us, MAX_CELLS as u32, Effort::Cheap) {
            high = 0;
        }
        if beta <= 0 {
            let by = by_ply(1 - beta);
            let stones_left = (by.unwrap_or(last_ply).saturating_sub(ply) / 2) as u32;
            if self.cannot_win(us.other(), stones_left, effort) {
                low = low.max(if by.is_some() { beta } else { 0 });
            }
        } else if self.cannot_win(us.other(), MAX_CELLS as u32, Effort::Cheap) {
            low = low.max(0);
        }
        (low, high)
    }

    fn generate(&self, sink: &mut MoveSink<'_>) {
        let us = self.side_to_move();
        let empty = self.empty();
        if sink.wanted() == Wanted::Answers
            && let Some([ours, theirs]) = self.fours()
            && theirs.doubles != 0
            && !theirs.wins
        {
            // Anything else loses in four plies, and nothing loses sooner.
            let helpful = self.answers(theirs.doubles) | ours.cells;
            let mut cells = if helpful == 0 { theirs.doubles } else { helpful };
            while cells != 0 {
                let cell = cells.trailing_zeros() as usize;
                cells &= cells - 1;
                let order = (ours.cells >> cell & 1) + (theirs.cells >> cell & 1);
                sink.push(Move::new(cell), order as u32 * FOUR_ORDER);
            }
            return;
        }
        let mut own_points = [0; MAX_CELLS];
        let mut their_points = [0; MAX_CELLS];
        let [own, their] = [us, us.other()].map(|side| self.stones[side.index()]);
        self.lines.add_points(own, empty, &self.weights, &mut own_points);
        self.lines.add_points(their, empty, &self.weights, &mut their_points);
        let mut cells = empty;
        let mut idle = None;
        while cells != 0 {
            let cell = cells.trailing_zeros() as usize;
            cells &= cells - 1;
            let order = cell_order(own_points[cell], their_points[cell]);
            if order == 0 && !sink.wants_all() && self.uses(parts::DEAD_CELLS) {
                idle = idle.or(Some(cell));
            } else {
                sink.push(Move::new(cell), order);
            }
        }
        // Cells that no live window passes through are all the same, and worth a move only if
        // there is nothing better to do; under the exact rule a stone too many can hurt.
        if let Some(cell) = idle
            && (sink.is_empty() || self.exact)
        {
            sink.push(Move::new(cell), 0);
        }
    }

    fn wins_soon(&self) -> bool {
        true
    }

    fn symmetries(&self) -> u8 {
        symmetries(usize::from(self.rows), usize::from(self.cols))
    }

    fn key_under(&self, symmetry: Symmetry) -> u64 {
        self.keys.of_stones(mapped_stones(self, symmetry))
    }

    fn map_move(&self, mv: Move, symmetry: Symmetry) -> Move {
        map_move(mv, symmetry, usize::from(self.rows), usize::from(self.cols))
    }
}
