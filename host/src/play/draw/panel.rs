//! The panel beside the board: players, clocks, status, thoughts, moves, and the LED matrix.

use std::time::Duration;

use engine::game::Side;
use engine::game::any::{OneOf, Position};
use engine::score::Score;
use engine::session::side_name;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Paragraph, Wrap};

use super::{board, put};
use crate::partner::Matrix;
use crate::partner::dialog::{Question, Worth};
use crate::play::app::App;
use crate::play::round::{Chair, Presence, Seat};

/// Rows and columns of the matrix on the screen.
const MATRIX_ROWS: u16 = 8;
const MATRIX_COLUMNS: u16 = 16;
/// The least rows of moves beside a matrix.
const LEAST_MOVES: u16 = 2;
/// An LED darker than this counts as dark.
const DARK: u8 = 16;

/// Draws the panel.
pub(super) fn draw(frame: &mut Frame<'_>, app: &App, area: Rect) {
    let area = area.intersection(frame.area());
    if area.is_empty() {
        return;
    }
    let block = Block::bordered().title(" tavola ");
    let inner = block.inner(area);
    frame.render_widget(block, area);
    let mut y = inner.y;
    let mut rows = |frame: &mut Frame<'_>, lines: Vec<Line<'_>>| {
        for line in lines {
            let height = wrapped_height(&line, inner.width);
            let area = Rect::new(inner.x, y, inner.width, height).intersection(inner);
            if !area.is_empty() {
                frame.render_widget(Paragraph::new(line).wrap(Wrap { trim: false }), area);
            }
            y = y.saturating_add(height);
        }
    };
    rows(frame, Side::BOTH.map(|side| player_line(app, side, inner.width)).to_vec());
    rows(frame, vec![Line::default(), status_line(app)]);
    rows(frame, thoughts(app, inner.width));
    rows(frame, vec![Line::default()]);
    let mut moves = Rect::new(inner.x, y, inner.width, inner.bottom().saturating_sub(y));
    let matrix = app.round.chairs.iter().find_map(|chair| chair.matrix.as_deref());
    if let Some(matrix) = matrix
        && moves.height >= MATRIX_ROWS + LEAST_MOVES
        && moves.width >= MATRIX_COLUMNS
    {
        moves.height -= MATRIX_ROWS;
        draw_matrix(
            frame,
            app,
            matrix,
            Rect::new(moves.x, moves.bottom(), moves.width, MATRIX_ROWS),
        );
    }
    draw_moves(frame, app, moves);
}

/// Rows that a line takes when it is wrapped at words, or one more.
fn wrapped_height(line: &Line<'_>, width: u16) -> u16 {
    let width = usize::from(width.max(1));
    let text: String = line.spans.iter().map(|span| span.content.as_ref()).collect();
    let (mut rows, mut used) = (1, 0);
    for word in text.split(' ') {
        let length = word.chars().count();
        if used > 0 && used + 1 + length > width {
            rows += 1;
            used = 0;
        }
        let start = if used == 0 { 0 } else { used + 1 };
        rows += (start + length).saturating_sub(1) / width;
        used = (start + length) % width.max(1);
        if used == 0 && length > 0 {
            used = width;
        }
    }
    rows as u16
}

/// Sign, name, clock, and in bricks the points.
fn player_line(app: &App, side: Side, width: u16) -> Line<'static> {
    let round = &app.round;
    let spec = app.spec();
    let turn = round.course.outcome().is_none() && round.course.side_to_move() == side;
    let name = match round.seats[side.index()] {
        Seat::Human if round.seats[side.other().index()] == Seat::Human => {
            side_name(Some(side)).to_string()
        }
        Seat::Human => "you".into(),
        Seat::Chair(chair) => round.chairs.get(chair).map_or_else(String::new, Chair::name),
    };
    let mut right = clock(round.used(side, app.now));
    if let Some(points) = points(round.course.position(), side) {
        right = format!("{points} points  {right}");
    }
    let (sign, style) = board::stone(app.look, spec, side, false);
    let mark = if turn { app.look.either("▶", ">") } else { " " };
    let room = usize::from(width).saturating_sub(right.chars().count() + 5);
    let name: String = name.chars().take(room).collect();
    let weight = if turn { Style::new().add_modifier(Modifier::BOLD) } else { Style::new() };
    Line::from(vec![
        Span::styled(format!("{mark} "), weight),
        Span::styled(sign.to_string(), style),
        Span::styled(format!(" {name:<room$} {right}"), weight),
    ])
}

/// Minutes and seconds.
fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

/// Bricks: what a side has so far.
fn points(position: &Position, side: Side) -> Option<Score> {
    match position {
        OneOf::Bricks(game) => Some(game.points(side)),
        OneOf::BricksSmall(game) => Some(game.points(side)),
        _ => None,
    }
}

/// What is going on.
fn status_line(app: &App) -> Line<'static> {
    let round = &app.round;
    let bold = Style::new().add_modifier(Modifier::BOLD);
    if let Some(result) = round.result() {
        return Line::styled(result, bold.patch(app.look.colour(Color::LightGreen)));
    }
    let lost = |chair: &Chair| matches!(chair.presence, Presence::Lost(_));
    let text = match (round.thinking(), round.to_move()) {
        _ if round.chairs.iter().any(lost) => {
            "The partner is lost: p tells what can be done.".into()
        }
        (Some((chair, Question::Move)), _) => format!("{} thinks ...", chair.name()),
        (Some((_, Question::Hint)), _) => "Looking for a tip ...".into(),
        (Some((_, Question::Worth)), _) => "Evaluating ...".into(),
        (None, _) if round.halted => {
            let all = round.course.ply() + round.course.undone().count();
            format!("Looking: after move {} of {all}.", round.course.ply())
        }
        (None, Some(Seat::Human)) if round.seats == [Seat::Human; 2] => {
            format!("{} to move.", side_word(app, round.course.side_to_move()))
        }
        (None, Some(Seat::Human)) => "Your move.".into(),
        (None, _) => {
            let coming = |chair: &&Chair| chair.presence == Presence::Coming;
            let place = round.chairs.iter().find(coming).map(|chair| chair.place.to_string());
            format!("Waiting for {} ...", place.unwrap_or_default())
        }
    };
    Line::styled(text, bold)
}

/// What a partner thinks, and how long it may.
fn thoughts(app: &App, width: u16) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    let thinking = app.round.thinking();
    let asked = app.worth.as_ref();
    let told = || {
        let chair = thinking.map(|(chair, _)| chair);
        let last = app.round.chairs.iter().rfind(|chair| chair.worth.is_some());
        chair.or(last).and_then(|chair| chair.worth.as_ref())
    };
    if let Some((worth, side)) = asked.or_else(told) {
        lines.extend(worth_lines(app, worth, *side));
    }
    if let Some((chair, _)) = thinking {
        let spent = app.now.saturating_sub(chair.asked_at);
        lines.push(bar(app, spent, app.round.turn, width));
    }
    lines
}

/// `first ●`: a side as it looks on the board.
fn side_word(app: &App, side: Side) -> String {
    let (sign, _) = board::stone(app.look, app.spec(), side, false);
    format!("{} {sign}", side_name(Some(side)))
}

fn worth_lines(app: &App, worth: &Worth, side: Side) -> Vec<Line<'static>> {
    let Worth { value, proved, depth, nodes, line } = worth;
    let side = side_word(app, side);
    let proved = if *proved { ", proved" } else { "" };
    let mut lines = vec![
        Line::from(format!("{value} for {side}{proved}")),
        Line::from(format!("depth {depth}, {} nodes", thousands(*nodes))),
    ];
    if !line.is_empty() {
        lines.push(Line::styled(line.clone(), Style::new().add_modifier(Modifier::DIM)));
    }
    lines
}

/// A number with commas.
fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (n, digit) in digits.chars().enumerate() {
        if n > 0 && (digits.len() - n).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// How much of the time is over.
fn bar(app: &App, spent: Duration, all: Duration, width: u16) -> Line<'static> {
    let label = format!(" {:.1} of {:.1} s", spent.as_secs_f64(), all.as_secs_f64());
    let room = usize::from(width).saturating_sub(label.len() + 2);
    let share = spent.as_secs_f64() / all.as_secs_f64().max(0.001);
    let full = ((share * room as f64) as usize).min(room);
    let (done, open) = (app.look.either("█", "#"), app.look.either("░", "-"));
    Line::from(format!("[{}{}]{label}", done.repeat(full), open.repeat(room - full)))
}

/// The moves, two in a line, around the point of the game that is on the board.
fn draw_moves(frame: &mut Frame<'_>, app: &App, area: Rect) {
    let course = &app.round.course;
    let spec = app.spec();
    let ply = course.ply();
    let shown: Vec<String> = course
        .moves()
        .into_iter()
        .chain(course.undone())
        .map(|mv| spec.show_move(mv).to_string())
        .collect();
    let rows = shown.len().div_ceil(2);
    let visible = usize::from(area.height);
    let current = ply.div_ceil(2);
    let first = current.saturating_sub(visible.saturating_sub(1)).min(rows.saturating_sub(visible));
    for (n, row) in (first..rows).take(visible).enumerate() {
        let mut spans = vec![Span::styled(
            format!("{:>4}. ", row + 1),
            Style::new().add_modifier(Modifier::DIM),
        )];
        for n in [2 * row, 2 * row + 1] {
            let Some(text) = shown.get(n) else { continue };
            let style = match n + 1 {
                last if last == ply => {
                    Style::new().add_modifier(Modifier::BOLD | Modifier::REVERSED)
                }
                later if later > ply => Style::new().add_modifier(Modifier::DIM),
                _ => Style::new(),
            };
            spans.push(Span::styled(text.clone(), style));
            spans.push(Span::raw(" ".repeat(9_usize.saturating_sub(text.len()))));
        }
        put(frame, Line::from(spans), Rect::new(area.x, area.y + n as u16, area.width, 1));
    }
}

fn draw_matrix(frame: &mut Frame<'_>, app: &App, matrix: &Matrix, area: Rect) {
    for (n, row) in matrix.iter().enumerate() {
        let spans: Vec<Span<'_>> = row
            .iter()
            .map(|&(red, green, blue)| {
                let dark = red.max(green).max(blue) < DARK;
                match (app.look.colour, dark) {
                    (true, _) => Span::styled("  ", Style::new().bg(Color::Rgb(red, green, blue))),
                    (false, true) => Span::raw(". "),
                    (false, false) if red > green => Span::raw("r "),
                    (false, false) if green > blue => Span::raw("g "),
                    (false, false) => Span::raw("b "),
                }
            })
            .collect();
        put(frame, Line::from(spans), Rect::new(area.x, area.y + n as u16, area.width, 1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_given_the_rows_that_they_take() {
        let rows = |text: &'static str, width| wrapped_height(&Line::from(text), width);
        assert_eq!(rows("", 10), 1);
        assert_eq!(rows("0123456789", 10), 1);
        assert_eq!(rows("01234 6789", 10), 1);
        assert_eq!(rows("01234 67890", 10), 2);
        assert_eq!(rows("aaa bbb ccc ddd", 7), 2);
    }

    #[test]
    fn numbers_have_commas() {
        assert_eq!(thousands(0), "0");
        assert_eq!(thousands(1_234_567), "1,234,567");
        assert_eq!(thousands(100), "100");
    }
}
