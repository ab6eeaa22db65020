//! The board: stones, coordinates, cursor, last move, winning line.
//!
//! A cell is two columns wide: a gap, in which marks stand, and the stone. Where there is room it is
//! four columns wide and two rows high.

use std::collections::HashSet;

use engine::drawing::{last_cells, letter};
use engine::ending::{Decided, Ending};
use engine::game::{Game, Side};
use engine::spec::GameSpec;
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::widgets::Block;

use super::{Look, Parts, parts};
use crate::play::app::App;
use crate::play::round::Seat;

/// Columns and rows of the screen per cell of the board.
const SMALL: (u16, u16) = (2, 1);
const LARGE: (u16, u16) = (4, 2);
/// The frame is at least this wide, for its title.
const LEAST_WIDTH: u16 = 24;
/// Boards with more columns have every second one numbered.
const CLOSE_NUMBERS: usize = 10;

/// What of a board is visible, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardView {
    /// Where the visible cells are; the column behind them holds marks.
    pub area: Rect,
    /// Columns and rows of the screen per cell.
    pub cell: (u16, u16),
    /// Visible columns.
    pub cols: usize,
    /// Visible rows.
    pub rows: usize,
}

impl BoardView {
    /// The column of the screen where the stones of a visible column stand.
    const fn stone_column(self, n: usize) -> u16 {
        self.area.x + self.cell.0 * n as u16 + self.cell.0 / 2
    }

    /// The row of the screen where the stones of a visible row stand.
    const fn row(self, n: usize) -> u16 {
        self.area.y + self.cell.1 * n as u16
    }
}

/// Columns and rows that the whole board with its frame takes.
const fn extent(spec: GameSpec, cell: (u16, u16)) -> (u16, u16) {
    let (above, below) = header_rows(spec);
    (
        2 + label_width(spec) + cell.0 * spec.cols() as u16 + 1,
        2 + above + below + cell.1 * (spec.rows() as u16 - 1) + 1,
    )
}

/// The size of a cell for which the whole board fits into so many columns and rows, or the smaller.
pub(super) fn cell_size(spec: GameSpec, (width, height): (u16, u16)) -> (u16, u16) {
    let (wide, high) = extent(spec, LARGE);
    if wide <= width && high <= height { LARGE } else { SMALL }
}

/// Columns of the screen that the whole board takes.
pub(super) fn wanted_width(spec: GameSpec, cell: (u16, u16)) -> u16 {
    extent(spec, cell).0.max(LEAST_WIDTH)
}

const fn label_width(spec: GameSpec) -> u16 {
    if spec.rows() > 10 { 2 } else { 1 }
}

/// Rows above and below the cells: numbers above, in connect the cursor above and numbers below.
const fn header_rows(spec: GameSpec) -> (u16, u16) {
    match spec {
        GameSpec::Connect { .. } => (1, 1),
        _ => (1, 0),
    }
}

/// What of the board is visible on this screen.
#[must_use]
pub fn board_view(app: &App) -> BoardView {
    let spec = app.spec();
    let Parts { board: frame, cell, .. } = parts(app);
    let inner = Block::bordered().inner(frame);
    let (above, below) = header_rows(spec);
    let left = label_width(spec);
    let width = inner.width.saturating_sub(left + 1);
    let height = inner.height.saturating_sub(above + below);
    let cols = usize::from(width / cell.0).min(spec.cols());
    let rows = usize::from(height.div_ceil(cell.1)).min(spec.rows());
    let (wide, high) = (cell.0 * cols as u16, (cell.1 * rows as u16).min(height));
    let area = Rect::new(inner.x + left, inner.y + above, wide, high);
    BoardView { area, cell, cols, rows }
}

/// The cell (column and row as moves name them) at a point of the screen.
#[must_use]
pub fn cell_at(app: &App, column: u16, row: u16) -> Option<(usize, usize)> {
    let view = board_view(app);
    let spec = app.spec();
    // The gap before a stone belongs to it, and so does a click just behind it.
    let x = column.checked_sub(view.area.x)? / view.cell.0;
    let y = row.checked_sub(view.area.y)? / view.cell.1;
    if usize::from(x) >= view.cols || usize::from(y) >= view.rows {
        return None;
    }
    let line = usize::from(y) + app.scroll.1;
    let y = match spec {
        GameSpec::Connect { .. } => spec.rows() - 1 - line,
        _ => line,
    };
    Some((usize::from(x) + app.scroll.0, y))
}

/// What is special about cells.
struct Marks {
    last: HashSet<(usize, usize)>,
    winning: HashSet<(usize, usize)>,
    cursor: HashSet<(usize, usize)>,
    hint: HashSet<(usize, usize)>,
}

fn marks(app: &App) -> Marks {
    let position = app.round.course.position();
    let cols = app.spec().cols();
    let last = last_cells(position).iter().map(|cell| (cell % cols, cell / cols)).collect();
    let winning = match Ending::of(position).map(|ending| ending.decided) {
        Some(Decided::Line(line)) => line.cells().collect(),
        _ => HashSet::new(),
    };
    let cursor = if shows_cursor(app) { app.cursor_cells() } else { Vec::new() };
    Marks {
        last,
        winning,
        cursor: cursor.into_iter().collect(),
        hint: app.hint_cells().into_iter().collect(),
    }
}

/// Whether a person could play now.
fn shows_cursor(app: &App) -> bool {
    !app.watching && (app.round.to_move() == Some(Seat::Human) || app.round.halted)
}

/// The sign of a side's stone, and the colour.
pub(super) fn stone(look: Look, spec: GameSpec, side: Side, winning: bool) -> (char, Style) {
    let bricks = spec.has_margins();
    let sign = match (look.unicode, bricks, side, winning) {
        (true, true, Side::First, _) => '■',
        (true, true, Side::Second, _) => '□',
        (true, false, Side::First, false) => '●',
        (true, false, Side::Second, false) => '○',
        (true, false, Side::First, true) => '◆',
        (true, false, Side::Second, true) => '◇',
        (false, _, side, false) => letter(spec, side),
        (false, _, side, true) => letter(spec, side).to_ascii_uppercase(),
    };
    let colour = match (bricks, side) {
        (true, Side::First) => Color::Red,
        (true, Side::Second) => Color::Green,
        (false, Side::First) => Color::Yellow,
        (false, Side::Second) => Color::Cyan,
    };
    let style = look.colour(colour).add_modifier(Modifier::BOLD);
    (sign, if winning { style.add_modifier(Modifier::REVERSED) } else { style })
}

/// Draws the board with its frame.
pub(super) fn draw(frame: &mut Frame<'_>, app: &App, area: Rect) {
    let area = area.intersection(frame.area());
    if area.is_empty() {
        return;
    }
    frame.render_widget(Block::bordered().title(title(app)), area);
    let view = board_view(app);
    let marks = marks(app);
    let buffer = frame.buffer_mut();
    draw_numbers(buffer, app, view);
    for row in 0..view.rows {
        draw_row(buffer, app, view, &marks, row);
    }
}

/// The game, and what of it is visible if that is not all.
fn title(app: &App) -> String {
    let spec = app.spec();
    let view = board_view(app);
    if view.cols == spec.cols() && view.rows == spec.rows() {
        return format!(" {spec} ");
    }
    let last = |first: usize, count: usize| (first + count).saturating_sub(1);
    let (x, y) = app.scroll;
    let (top, bottom) = match spec {
        GameSpec::Connect { .. } => {
            let rows = spec.rows();
            (rows.saturating_sub(y + view.rows), rows.saturating_sub(y + 1))
        }
        _ => (y, last(y, view.rows)),
    };
    format!(" {spec}: columns {x} to {}, rows {top} to {bottom} ", last(x, view.cols))
}

fn draw_numbers(buffer: &mut Buffer, app: &App, view: BoardView) {
    let spec = app.spec();
    let falls = matches!(spec, GameSpec::Connect { .. });
    let style = Style::new().add_modifier(Modifier::DIM);
    let header = view.area.y.saturating_sub(1);
    let numbers = if falls { view.row(view.rows.saturating_sub(1)) + 1 } else { header };
    for n in 0..view.cols {
        let col = n + app.scroll.0;
        let x = view.stone_column(n);
        if spec.cols() <= CLOSE_NUMBERS || col.is_multiple_of(2) {
            text(buffer, x - 1, numbers, &format!("{col:>2}"), style);
        }
        if falls && shows_cursor(app) && col == app.cursor.0 {
            let sign = app.look.either("▼", "v");
            text(buffer, x, header, sign, Style::new().add_modifier(Modifier::BOLD));
        }
    }
    let width = usize::from(label_width(spec));
    for n in 0..view.rows {
        let line = n + app.scroll.1;
        let row = if falls { spec.rows() - 1 - line } else { line };
        let y = view.row(n);
        text(buffer, view.area.x - width as u16, y, &format!("{row:>width$}"), style);
    }
}

fn draw_row(buffer: &mut Buffer, app: &App, view: BoardView, marks: &Marks, n: usize) {
    let spec = app.spec();
    let position = app.round.course.position();
    let line = n + app.scroll.1;
    let row = match spec {
        GameSpec::Connect { .. } => spec.rows() - 1 - line,
        _ => line,
    };
    let y = view.row(n);
    for n in 0..view.cols {
        let col = n + app.scroll.0;
        let cell = (col, row);
        let x = view.stone_column(n);
        let winning = marks.winning.contains(&cell);
        let (sign, style) = match position.stone(row * spec.cols() + col) {
            Some(side) => stone(app.look, spec, side, winning),
            None => {
                let sign = if app.look.unicode { '·' } else { '.' };
                (sign, Style::new().add_modifier(Modifier::DIM))
            }
        };
        text(buffer, x, y, sign.encode_utf8(&mut [0; 4]), style);
        let side = position.stone(row * spec.cols() + col);
        if spec.has_margins() && view.cell == LARGE && side.is_some() {
            let joins = |col: usize, row: usize| {
                col < spec.cols() && position.stone(row * spec.cols() + col) == side
            };
            let sign = sign.to_string();
            if n + 1 < view.cols && joins(col + 1, row) {
                text(buffer, x + 1, y, &sign.repeat(3), style);
            }
            if joins(col, row + 1) {
                text(buffer, x, y + 1, &sign, style);
            }
        }
    }
    let bold = Style::new().add_modifier(Modifier::BOLD);
    let last = app.look.colour(Color::White).patch(bold);
    for (cells, [open, close], style) in [
        (&marks.last, ["(", ")"], last),
        (&marks.hint, ["<", ">"], app.look.colour(Color::Magenta).patch(bold)),
        (&marks.cursor, ["[", "]"], app.look.colour(Color::LightBlue).patch(bold)),
    ] {
        for n in 0..view.cols {
            let col = n + app.scroll.0;
            if !cells.contains(&(col, row)) {
                continue;
            }
            let x = view.stone_column(n);
            // Both cells of a brick stand between one pair of brackets.
            if col == 0 || !cells.contains(&(col - 1, row)) {
                text(buffer, x - 1, y, open, style);
            }
            if !cells.contains(&(col + 1, row)) {
                text(buffer, x + 1, y, close, style);
            } else if view.cell == SMALL {
                text(buffer, x + 1, y, " ", style);
            }
        }
    }
}

/// Writes text where there is room for it.
fn text(buffer: &mut Buffer, x: u16, y: u16, text: &str, style: Style) {
    let area = buffer.area;
    if x < area.right() && y < area.bottom() {
        buffer.set_stringn(x, y, text, usize::from(area.right() - x), style);
    }
}
