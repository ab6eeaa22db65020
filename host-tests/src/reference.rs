//! Slow references: the rules and the values, written without any of the engine's tricks.

use engine::game::{Game, Outcome, Side};
use engine::score::{Score, loss_at};

use crate::legal_moves;

/// The exact score for the side to move by plain minimax: every move, to the end of the game.
pub fn minimax<G: Game>(game: &mut G) -> Score {
    match game.outcome() {
        Some(Outcome::Draw) => return 0,
        Some(Outcome::Win(_)) if !game.spec().has_margins() => return loss_at(game.ply()),
        Some(Outcome::Win(_)) => return game.final_score().expect("a finished game has a score"),
        None => {}
    }
    let mut best = Score::MIN;
    for mv in legal_moves(game) {
        game.make(mv);
        best = best.max(-minimax(game));
        game.unmake();
    }
    best
}

/// Stones on a grid, looked at cell by cell. Row 0 is the first row in the cell's number.
#[derive(Clone, Debug)]
pub struct Grid {
    rows: usize,
    cols: usize,
    stones: Vec<Option<Side>>,
}

impl Grid {
    /// An empty grid.
    #[must_use]
    pub fn new(rows: usize, cols: usize) -> Grid {
        Grid { rows, cols, stones: vec![None; rows * cols] }
    }

    /// Puts a stone.
    pub fn put(&mut self, row: usize, col: usize, side: Side) {
        self.stones[row * self.cols + col] = Some(side);
    }

    /// The stone at a place, `None` also outside the grid.
    fn stone(&self, row: isize, col: isize) -> Option<Side> {
        let inside =
            (0..self.rows as isize).contains(&row) && (0..self.cols as isize).contains(&col);
        if inside { self.stones[row as usize * self.cols + col as usize] } else { None }
    }

    /// Whether a side has `k` in a row; with `exact`, no more than that.
    #[must_use]
    pub fn has_line(&self, side: Side, k: usize, exact: bool) -> bool {
        for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
            for row in 0..self.rows as isize {
                for col in 0..self.cols as isize {
                    let at = |n: isize| self.stone(row + n * down, col + n * right) == Some(side);
                    let run = (0..).take_while(|&n| at(n)).count();
                    if !at(-1) && (run == k || run > k && !exact) {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Calls `visit` with each window of `k` cells that holds no stone of the other side: its
    /// cells and the number of its stones.
    pub fn live_windows(&self, side: Side, k: usize, mut visit: impl FnMut(&[usize], usize)) {
        for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
            for row in 0..self.rows as isize {
                for col in 0..self.cols as isize {
                    let cells: Option<Vec<usize>> = (0..k as isize)
                        .map(|n| {
                            let (row, col) = (row + n * down, col + n * right);
                            let inside = (0..self.rows as isize).contains(&row)
                                && (0..self.cols as isize).contains(&col);
                            inside.then(|| row as usize * self.cols + col as usize)
                        })
                        .collect();
                    let Some(cells) = cells else { continue };
                    let stones = |s| cells.iter().filter(|&&c| self.stones[c] == Some(s)).count();
                    if stones(side.other()) == 0 {
                        visit(&cells, stones(side));
                    }
                }
            }
        }
    }

    /// Whether all cells are taken.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.stones.iter().all(Option::is_some)
    }
}
