//! The part of a board that an 8x8 matrix shows.
//!
//! A board that fits lies in the middle. Of a larger one a window of 8x8 cells is shown, which
//! moves only as far as it must to keep the place of interest (the cursor, the winning line, the
//! last move) away from its edge. It is a copy: 64 bytes that stay while the board itself is lent
//! to a search.

use crate::drawing::last_cells;
use crate::ending::winning_line;
use crate::game::{Game, Side};
use crate::guarded::row_and_col;
use crate::spec::GameSpec;

use super::choice::Choice;

/// Rows and columns of the matrix.
pub const SIDE: usize = 8;
/// Cells that the window keeps between the place of interest and its edge.
const MARGIN: usize = 2;

/// What is on a pixel, as a set of the bits below.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Cell(u8);

impl Cell {
    /// Part of the board.
    pub const BOARD: u8 = 1;
    pub const FIRST: u8 = 2;
    pub const SECOND: u8 = 4;
    /// Part of the last move.
    pub const LAST: u8 = 8;
    /// Part of the winning line.
    pub const LINE: u8 = 16;
    pub const CURSOR: u8 = 32;
    /// The next step could lead here.
    pub const CANDIDATE: u8 = 64;
    /// The board goes on beyond this edge of the window.
    pub const EDGE: u8 = 128;

    pub const fn has(self, bit: u8) -> bool {
        self.0 & bit != 0
    }
}

/// One direction of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Axis {
    /// Cells of the board, at most 100.
    size: u8,
    /// The first cell that is shown.
    origin: u8,
}

impl Axis {
    /// The middle of so many cells.
    const fn new(size: usize) -> Axis {
        let hidden = size.saturating_sub(SIDE);
        Axis { size: size as u8, origin: (hidden / 2) as u8 }
    }

    /// The pixel of the first cell that is shown.
    const fn margin(self) -> usize {
        SIDE.saturating_sub(self.size as usize) / 2
    }

    fn pixel(self, position: usize) -> Option<usize> {
        let shown = position.checked_sub(usize::from(self.origin))?;
        let is_shown = shown < SIDE && position < usize::from(self.size);
        is_shown.then_some(shown + self.margin())
    }

    fn position(self, pixel: usize) -> Option<usize> {
        let position = pixel.checked_sub(self.margin())? + usize::from(self.origin);
        (position < usize::from(self.size)).then_some(position)
    }

    /// Moves the window, as little as possible, so that the position is well inside.
    fn follow(&mut self, position: usize) {
        let hidden = usize::from(self.size).saturating_sub(SIDE);
        let least = (position + MARGIN + 1).saturating_sub(SIDE);
        let most = position.saturating_sub(MARGIN);
        // `least` is below `most`: the margins take less than the window.
        let origin = usize::from(self.origin).max(least).min(most).min(hidden);
        self.origin = origin as u8;
    }

    /// Whether the board goes on beyond this pixel, which the window ends at.
    fn goes_on(self, pixel: usize) -> bool {
        let end = usize::from(self.origin) + SIDE;
        (pixel == 0 && self.origin > 0) || (pixel == SIDE - 1 && end < usize::from(self.size))
    }
}

/// The copy of what can be seen of a board.
#[derive(Clone, Debug)]
pub(super) struct Window {
    spec: Option<GameSpec>,
    rows: Axis,
    cols: Axis,
    cells: [[Cell; SIDE]; SIDE],
}

impl Window {
    pub const fn new() -> Window {
        Window {
            spec: None,
            rows: Axis::new(0),
            cols: Axis::new(0),
            cells: [[Cell(0); SIDE]; SIDE],
        }
    }

    /// The game that is shown.
    pub const fn spec(&self) -> Option<GameSpec> {
        self.spec
    }

    /// The pixels, row by row from the top.
    pub const fn cells(&self) -> &[[Cell; SIDE]; SIDE] {
        &self.cells
    }

    /// Copies the board, and the marks of a choice if there is one.
    pub fn capture<G: Game>(&mut self, game: &G, choice: Option<Choice>) {
        let spec = game.spec();
        let width = spec.cols().max(1);
        if self.spec != Some(spec) {
            self.spec = Some(spec);
            self.rows = Axis::new(spec.rows());
            self.cols = Axis::new(spec.cols());
        }
        let last = last_cells(game);
        let last =
            || last.iter().map(|&cell| row_and_col(cell, width)).map(|(row, col)| (col, row));
        let line = game.outcome().and_then(|_| winning_line(game));
        let middle =
            line.map(|l| (usize::midpoint(l.from.0, l.to.0), usize::midpoint(l.from.1, l.to.1)));
        let interest = choice.and_then(|choice| choice.cells().last());
        if let Some((col, row)) = interest.or(middle).or_else(|| last().next()) {
            self.cols.follow(col);
            self.rows.follow(self.drawn_row(row));
        }
        self.copy_stones(game);
        last().for_each(|at| self.mark(at, Cell::LAST));
        line.into_iter().flat_map(|line| line.cells()).for_each(|at| self.mark(at, Cell::LINE));
        if let Some(choice) = choice {
            choice.candidates(game).for_each(|at| self.mark(at, Cell::CANDIDATE));
            choice.cells().for_each(|at| self.mark(at, Cell::CURSOR));
        }
    }

    fn copy_stones<G: Game>(&mut self, game: &G) {
        let (rows, cols, spec) = (self.rows, self.cols, game.spec());
        for (y, pixels) in self.cells.iter_mut().enumerate() {
            for (x, pixel) in pixels.iter_mut().enumerate() {
                *pixel = Cell(0);
                let (Some(drawn), Some(col)) = (rows.position(y), cols.position(x)) else {
                    continue;
                };
                let stone = match game.stone(drawn_row(spec, drawn) * spec.cols() + col) {
                    Some(Side::First) => Cell::FIRST,
                    Some(Side::Second) => Cell::SECOND,
                    None => 0,
                };
                let edge = if rows.goes_on(y) || cols.goes_on(x) { Cell::EDGE } else { 0 };
                *pixel = Cell(Cell::BOARD | stone | edge);
            }
        }
    }

    /// Adds a bit to a cell of the board, if it can be seen.
    fn mark(&mut self, (col, row): (usize, usize), bit: u8) {
        if let (Some(x), Some(y)) = (self.cols.pixel(col), self.rows.pixel(self.drawn_row(row)))
            && let Some(cell) = self.cells.get_mut(y).and_then(|pixels| pixels.get_mut(x))
        {
            cell.0 |= bit;
        }
    }

    fn drawn_row(&self, row: usize) -> usize {
        self.spec.map_or(row, |spec| drawn_row(spec, row))
    }
}

/// The row from the top of the row of a game, and back: in connect row 0 is the bottom one.
fn drawn_row(spec: GameSpec, row: usize) -> usize {
    match spec {
        GameSpec::Connect { .. } => spec.rows().saturating_sub(1 + row),
        _ => row,
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use crate::game::any::AnyGame;
    use std::string::String;

    type Board = AnyGame<400, 144, 121>;

    fn window(spec: &str, moves: &str) -> Window {
        let mut game = Board::new(spec.parse().expect(spec)).expect(spec);
        for mv in moves.split_whitespace() {
            game.try_play(game.spec().parse_move(mv).expect(mv)).expect(mv);
        }
        let mut window = Window::new();
        window.capture(&game, None);
        window
    }

    /// `x` and `o` for stones, capitals for the last move, `*` for a line, `:` where the board goes
    /// on, a blank outside the board.
    fn picture(window: &Window) -> String {
        let mut text = String::new();
        for pixels in &window.cells {
            for cell in pixels {
                let stone = match (cell.has(Cell::FIRST), cell.has(Cell::SECOND)) {
                    (true, _) => 'x',
                    (_, true) => 'o',
                    _ if cell.has(Cell::EDGE) => ':',
                    _ if cell.has(Cell::BOARD) => '.',
                    _ => ' ',
                };
                text.push(match () {
                    () if cell.has(Cell::LINE) => '*',
                    () if cell.has(Cell::LAST) => stone.to_ascii_uppercase(),
                    () => stone,
                });
            }
            text.push('\n');
        }
        text
    }

    #[test]
    fn a_small_board_lies_in_the_middle() {
        let text = picture(&window("mnk:3x3x3", "0,0 2,1"));
        assert_eq!(text.lines().nth(2), Some("  x..   "));
        assert_eq!(text.lines().nth(3), Some("  ..O   "));
        assert_eq!(text.lines().nth(4), Some("  ...   "));
        assert_eq!(text.trim().len(), "x..   \n  ..O   \n  ...".len());
    }

    #[test]
    fn pieces_of_connect_lie_at_the_bottom() {
        let text = picture(&window("connect:6x7x4", "0 0 6"));
        let rows: std::vec::Vec<_> = text.lines().collect();
        assert_eq!((rows[0], rows[7]), ("        ", "        "));
        assert_eq!((rows[1], rows[5], rows[6]), ("....... ", "o...... ", "x.....X "));
    }

    #[test]
    fn the_line_that_won_is_marked() {
        let text = picture(&window("connect:6x7x4", "0 1 0 1 0 1 0"));
        assert_eq!(text.lines().nth(2), Some("....... "));
        assert_eq!(text.lines().nth(3), Some("*...... "));
        assert_eq!(text.lines().nth(6), Some("*o..... "));
    }

    #[test]
    fn a_large_board_shows_where_it_goes_on() {
        let text = picture(&window("mnk:15x15x5", "7,7"));
        assert!(text.starts_with("::::::::\n:......:\n"), "{text}");
        assert!(text.contains('X'));
        let text = picture(&window("mnk:15x15x5", "0,0"));
        assert!(text.starts_with("X......:\n.......:\n"), "{text}");
        assert!(text.ends_with("\n::::::::\n"), "{text}");
    }

    #[test]
    fn the_window_moves_no_further_than_it_must() {
        let mut axis = Axis::new(20);
        assert_eq!(axis.origin, 6);
        for (position, origin) in
            [(8, 6), (11, 6), (12, 7), (19, 12), (14, 12), (13, 11), (0, 0), (5, 0), (6, 1)]
        {
            axis.follow(position);
            assert_eq!(axis.origin, origin, "{position}");
            assert!(axis.pixel(position).is_some());
        }
    }

    #[test]
    fn pixels_and_positions_belong_together() {
        for size in 0..=100 {
            let mut axis = Axis::new(size);
            for position in 0..size {
                axis.follow(position);
                let pixel = axis.pixel(position).expect("followed");
                assert_eq!(axis.position(pixel), Some(position));
                assert!(size > SIDE || axis.origin == 0);
            }
        }
    }
}
