//! Choosing a move with one button: the column, then the row, then the direction of a brick.
//!
//! A choice is always a complete legal move: whatever is not chosen yet stands at the first value
//! that the rules allow. So the cursor can show at each step where a confirmation leads, and no
//! step can end in a dead end. A look at every option costs at most one [`Game::check`] for each
//! move number of the game.

use crate::drawing::last_cells;
use crate::game::{Game, Move};
use crate::spec::GameSpec;

use super::window::SIDE;

/// What is being chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Column,
    Row,
    Direction,
}

/// A move in the making.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    pub step: Step,
    pub col: u8,
    pub row: u8,
    pub vertical: bool,
}

impl Choice {
    /// The first choice of a turn, `None` if there is no legal move.
    ///
    /// Where the whole board can be seen, columns and rows count from the first one. On larger
    /// boards they begin at the last move, or in the middle.
    pub fn begin<G: Game>(game: &G) -> Option<Choice> {
        let start = start(game);
        let col = first(game.spec().cols(), start.0, |col| column_fits(game, col))?;
        Choice::at_column(game, col)
    }

    fn at_column<G: Game>(game: &G, col: usize) -> Option<Choice> {
        let row = first(game.spec().rows(), start(game).1, |row| cell_fits(game, col, row))?;
        Choice::at_cell(game, Step::Column, col, row)
    }

    fn at_cell<G: Game>(game: &G, step: Step, col: usize, row: usize) -> Option<Choice> {
        let vertical = directions(game.spec()).iter().find(|&&v| fits(game, col, row, v))?;
        // No board has more than 100 columns or rows.
        Some(Choice { step, col: col as u8, row: row as u8, vertical: *vertical })
    }

    /// The next option of this step; after the last one comes the first.
    #[must_use]
    pub fn next<G: Game>(self, game: &G) -> Choice {
        let spec = game.spec();
        let (col, row) = (usize::from(self.col), usize::from(self.row));
        let next = match self.step {
            Step::Column => first(spec.cols(), col + 1, |col| column_fits(game, col))
                .and_then(|col| Choice::at_column(game, col)),
            Step::Row => first(spec.rows(), row + 1, |row| cell_fits(game, col, row))
                .and_then(|row| Choice::at_cell(game, Step::Row, col, row)),
            Step::Direction => fits(game, col, row, !self.vertical)
                .then_some(Choice { vertical: !self.vertical, ..self }),
        };
        next.unwrap_or(self)
    }

    /// The step that follows, `None` if the move is complete.
    pub fn confirm(self, spec: GameSpec) -> Option<Choice> {
        let step = match (self.step, spec) {
            (Step::Column, GameSpec::Mnk { .. } | GameSpec::Bricks { .. }) => Step::Row,
            (Step::Row, GameSpec::Bricks { .. }) => Step::Direction,
            _ => return None,
        };
        Some(Choice { step, ..self })
    }

    /// The step before, `None` at the first one.
    pub fn back<G: Game>(self, game: &G) -> Option<Choice> {
        let (col, row) = (usize::from(self.col), usize::from(self.row));
        match self.step {
            Step::Column => None,
            Step::Row => Choice::at_column(game, col),
            Step::Direction => Choice::at_cell(game, Step::Row, col, row),
        }
    }

    /// The number of the current option, from 1.
    pub const fn number(self) -> u8 {
        match self.step {
            Step::Column => self.col.saturating_add(1),
            Step::Row => self.row.saturating_add(1),
            Step::Direction => 1 + self.vertical as u8,
        }
    }

    /// The move as it stands.
    pub fn to_move(self, spec: GameSpec) -> Move {
        move_at(spec, usize::from(self.col), usize::from(self.row), self.vertical)
    }

    /// The cells to show the cursor on, as columns and rows: one, or both of a brick whose
    /// direction is being chosen.
    pub fn cells(self) -> impl Iterator<Item = (usize, usize)> {
        let (col, row) = (usize::from(self.col), usize::from(self.row));
        let second = if self.vertical { (col, row + 1) } else { (col + 1, row) };
        core::iter::once((col, row)).chain((self.step == Step::Direction).then_some(second))
    }

    /// The cells that the next step could lead to, while the column is being chosen.
    pub fn candidates<G: Game>(self, game: &G) -> impl Iterator<Item = (usize, usize)> {
        let col = usize::from(self.col);
        let rows = if self.step == Step::Column { game.spec().rows() } else { 0 };
        (0..rows).filter(move |&row| cell_fits(game, col, row)).map(move |row| (col, row))
    }
}

/// The numbers that tell the last move: column, and where the game needs them row and direction,
/// all from 1; 0 for what is not needed.
pub(super) fn last_numbers<G: Game>(game: &G) -> [u8; 3] {
    let spec = game.spec();
    let Some(mv) = game.ply().checked_sub(1).and_then(|ply| game.played(ply)) else {
        return [0; 3];
    };
    let (cells, cols) = (spec.cells().max(1), spec.cols().max(1));
    let (index, cell) = (mv.index(), mv.index() % cells);
    // No board has more than 100 columns or rows.
    let (col, row) = ((cell % cols) as u8 + 1, (cell / cols) as u8 + 1);
    match spec {
        GameSpec::Mnk { .. } => [col, row, 0],
        GameSpec::Connect { .. } => [col, 0, 0],
        GameSpec::Bricks { .. } => [col, row, 1 + u8::from(index >= cells)],
    }
}

/// Where columns and rows begin to count.
fn start<G: Game>(game: &G) -> (usize, usize) {
    let spec = game.spec();
    let (rows, cols) = (spec.rows(), spec.cols());
    let last = last_cells(game).first().copied();
    let begin = |size: usize, last: Option<usize>| match size {
        0..=SIDE => 0,
        _ => last.unwrap_or(size / 2),
    };
    let width = cols.max(1);
    (begin(cols, last.map(|cell| cell % width)), begin(rows, last.map(|cell| cell / width)))
}

/// The first number below `count` that fits, from `from` on and round.
fn first(count: usize, from: usize, mut fits: impl FnMut(usize) -> bool) -> Option<usize> {
    (0..count).map(|n| (from + n) % count).find(|&number| fits(number))
}

fn column_fits<G: Game>(game: &G, col: usize) -> bool {
    (0..game.spec().rows()).any(|row| cell_fits(game, col, row))
}

fn cell_fits<G: Game>(game: &G, col: usize, row: usize) -> bool {
    directions(game.spec()).iter().any(|&vertical| fits(game, col, row, vertical))
}

const fn directions(spec: GameSpec) -> &'static [bool] {
    match spec {
        GameSpec::Bricks { .. } => &[false, true],
        _ => &[false],
    }
}

/// Whether the rules allow the move, and in connect whether the piece would come to rest here.
fn fits<G: Game>(game: &G, col: usize, row: usize, vertical: bool) -> bool {
    let spec = game.spec();
    let is_free = |row: usize| game.stone(row * spec.cols() + col).is_none();
    let rests = match spec {
        GameSpec::Connect { .. } => is_free(row) && !row.checked_sub(1).is_some_and(is_free),
        _ => true,
    };
    rests && game.check(move_at(spec, col, row, vertical)).is_ok()
}

fn move_at(spec: GameSpec, col: usize, row: usize, vertical: bool) -> Move {
    match spec {
        GameSpec::Connect { .. } => Move::new(col),
        _ => Move::new(row * spec.cols() + col + if vertical { spec.cells() } else { 0 }),
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use crate::game::any::AnyGame;
    use std::vec::Vec;

    type Board = AnyGame<400, 144, 121>;

    fn after(spec: &str, moves: &str) -> Board {
        let mut game = Board::new(spec.parse().expect(spec)).expect(spec);
        for mv in moves.split_whitespace() {
            game.try_play(game.spec().parse_move(mv).expect(mv)).expect(mv);
        }
        game
    }

    /// The numbers of a step until they come round.
    fn numbers(game: &Board, choice: Choice) -> Vec<u8> {
        let mut numbers = Vec::new();
        let mut next = choice;
        loop {
            numbers.push(next.number());
            next = next.next(game);
            if next.number() == choice.number() {
                return numbers;
            }
        }
    }

    #[test]
    fn full_columns_and_rows_are_skipped() {
        let game = after("mnk:3x3x3", "0,0 0,1 1,2 0,2");
        let choice = Choice::begin(&game).expect("goes on");
        assert_eq!(numbers(&game, choice), [2, 3]);
        let row = choice.confirm(game.spec()).expect("a row follows");
        assert_eq!(numbers(&game, row), [1, 2]);
        assert_eq!(row.next(&game).confirm(game.spec()), None);
        assert_eq!(row.next(&game).to_move(game.spec()), Move::new(4));

        let game = after("connect:2x3x3", "1 1");
        let choice = Choice::begin(&game).expect("goes on");
        assert_eq!(numbers(&game, choice), [1, 3]);
        assert_eq!(choice.confirm(game.spec()), None);
    }

    #[test]
    fn a_piece_is_shown_where_it_comes_to_rest() {
        let game = after("connect:6x7x4", "0 0 0");
        let choice = Choice::begin(&game).expect("goes on");
        assert_eq!(choice.cells().collect::<Vec<_>>(), [(0, 3)]);
        assert_eq!(choice.candidates(&game).collect::<Vec<_>>(), [(0, 3)]);
    }

    #[test]
    fn directions_that_do_not_fit_are_skipped() {
        let game = after("bricks:3", "1,0,h");
        let choice = Choice::begin(&game).expect("goes on");
        let row = choice.confirm(game.spec()).expect("a row follows");
        assert_eq!((row.number(), numbers(&game, row)), (1, [1, 2, 3].into()));
        let direction = row.confirm(game.spec()).expect("a direction follows");
        // To the right lies a brick.
        assert_eq!(numbers(&game, direction), [2]);
        assert_eq!(direction.cells().collect::<Vec<_>>(), [(0, 0), (0, 1)]);
        let both = row.next(&game).confirm(game.spec()).expect("a direction follows");
        assert_eq!(numbers(&game, both), [1, 2]);
        assert_eq!(both.cells().collect::<Vec<_>>(), [(0, 1), (1, 1)]);
    }

    #[test]
    fn steps_go_back_one_by_one() {
        let game = after("bricks:4", "");
        let column = Choice::begin(&game).expect("goes on").next(&game);
        let row = column.confirm(game.spec()).expect("a row follows").next(&game);
        let direction = row.confirm(game.spec()).expect("a direction follows");
        assert_eq!(direction.back(&game), Some(row));
        assert_eq!(row.back(&game), Some(column));
        assert_eq!(column.back(&game), None);
    }

    #[test]
    fn large_boards_count_from_the_last_move() {
        let game = after("mnk:15x15x5", "");
        assert_eq!(Choice::begin(&game).map(|c| (c.col, c.row)), Some((7, 7)));
        let game = after("mnk:15x15x5", "3,12");
        assert_eq!(Choice::begin(&game).map(|c| (c.col, c.row)), Some((3, 13)));
        let game = after("mnk:4x15x4", "3,2");
        assert_eq!(Choice::begin(&game).map(|c| (c.col, c.row)), Some((3, 0)));
    }

    #[test]
    fn a_finished_game_has_no_choice() {
        assert_eq!(Choice::begin(&after("connect:6x7x4", "0 1 0 1 0 1 0")), None);
        assert_eq!(Choice::begin(&after("bricks:1", "")), None);
    }

    #[test]
    fn the_last_move_is_told_as_it_is_chosen() {
        assert_eq!(last_numbers(&after("mnk:3x3x3", "")), [0, 0, 0]);
        assert_eq!(last_numbers(&after("mnk:3x3x3", "2,1")), [3, 2, 0]);
        assert_eq!(last_numbers(&after("connect:6x7x4", "6 6")), [7, 0, 0]);
        assert_eq!(last_numbers(&after("bricks:4", "2,1,h")), [3, 2, 1]);
        assert_eq!(last_numbers(&after("bricks:11", "2,1,v")), [3, 2, 2]);
    }
}
