//! A slow and simple look for wins by fours in gomoku, to check the engine's by: it knows nothing of
//! windows kept up to date, and tries cells one by one.

use engine::game::Side;

/// Stones on a square board, five in a row wins.
#[derive(Clone, Debug)]
pub struct PlainBoard {
    size: usize,
    cells: Vec<Option<Side>>,
    /// Positions that may still be looked at.
    looks: usize,
}

/// The most positions that a look takes.
const MOST_LOOKS: usize = 3_000;

impl PlainBoard {
    /// An empty board of this side.
    #[must_use]
    pub fn new(size: usize) -> PlainBoard {
        PlainBoard { size, cells: vec![None; size * size], looks: MOST_LOOKS }
    }

    /// Puts a stone on a cell, or takes it away.
    pub fn set(&mut self, cell: usize, stone: Option<Side>) {
        self.cells[cell] = stone;
    }

    /// The empty cells with a stone at most two steps away.
    fn near(&self) -> Vec<usize> {
        let size = self.size;
        (0..size * size)
            .filter(|&cell| self.cells[cell].is_none())
            .filter(|&cell| {
                let (row, col) = (cell / size, cell % size);
                (row.saturating_sub(2)..(row + 3).min(size)).any(|r| {
                    (col.saturating_sub(2)..(col + 3).min(size))
                        .any(|c| self.cells[r * size + c].is_some())
                })
            })
            .collect()
    }

    /// Whether a stone of this side on the empty cell makes five in a row.
    fn wins(&self, cell: usize, side: Side) -> bool {
        let size = self.size as isize;
        let (row, col) = (cell as isize / size, cell as isize % size);
        [(0, 1), (1, 0), (1, 1), (1, -1)].into_iter().any(|(down, right)| {
            let run = |sign: isize| {
                (1..5)
                    .take_while(|n| {
                        let (r, c) = (row + sign * n * down, col + sign * n * right);
                        (0..size).contains(&r)
                            && (0..size).contains(&c)
                            && self.cells[(r * size + c) as usize] == Some(side)
                    })
                    .count()
            };
            1 + run(1) + run(-1) >= 5
        })
    }

    fn winning_cells(&self, side: Side) -> Vec<usize> {
        self.near().into_iter().filter(|&cell| self.wins(cell, side)).collect()
    }

    /// Whether the look was too long and came to no end: a win may have been overlooked.
    #[must_use]
    pub fn gave_up(&self) -> bool {
        self.looks == 0
    }

    /// In how many plies `side`, to move, wins by at most so many fours and a five; `None` if not so.
    pub fn win_by_fours(&mut self, side: Side, fours: usize) -> Option<usize> {
        self.looks = self.looks.saturating_sub(1);
        if self.gave_up() {
            return None;
        }
        if !self.winning_cells(side).is_empty() {
            return Some(1);
        }
        let dangers = self.winning_cells(side.other());
        if fours == 0 || dangers.len() > 1 {
            return None;
        }
        let tries = if dangers.is_empty() { self.near() } else { dangers };
        let mut best: Option<usize> = None;
        for cell in tries {
            self.cells[cell] = Some(side);
            let wins = self.winning_cells(side);
            let plies = match wins[..] {
                [] => None,
                _ if !self.winning_cells(side.other()).is_empty() => None,
                [only] => {
                    self.cells[only] = Some(side.other());
                    let plies = self.win_by_fours(side, fours - 1).map(|plies| plies + 2);
                    self.cells[only] = None;
                    plies
                }
                _ => Some(3),
            };
            self.cells[cell] = None;
            if let Some(plies) = plies {
                best = Some(best.map_or(plies, |least| least.min(plies)));
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_four_and_a_double_four_take_five_plies() {
        let mut board = PlainBoard::new(15);
        let mut put = |row: usize, col: usize, side| board.set(row * 15 + col, Some(side));
        // A closed three in a row, and two stones in the column of its fourth cell.
        for col in 5..8 {
            put(7, col, Side::First);
        }
        put(7, 4, Side::Second);
        put(5, 8, Side::First);
        put(6, 8, Side::First);
        assert_eq!(board.win_by_fours(Side::First, 3), Some(5));
        assert_eq!(board.win_by_fours(Side::First, 1), None);
        board.set(4 * 15 + 8, Some(Side::Second));
        assert_eq!(board.win_by_fours(Side::First, 3), None);
    }
}
