//! What lies over the game: the menu, the keys, prompts and questions.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph, Wrap};

use crate::play::app::keys::KEYS;
use crate::play::app::{App, Asking, Doubt, Overlay};
use crate::play::menu::{Field, Menu};

/// The menu's size, without the lines of choices.
const MENU_WIDTH: u16 = 46;
const MENU_FRAME: u16 = 4;
/// The width of other windows.
const WINDOW_WIDTH: u16 = 60;

/// Draws the menu and what lies over all.
pub(super) fn draw(frame: &mut Frame<'_>, app: &App) {
    if let Some(menu) = &app.menu {
        draw_menu(frame, app, menu);
    }
    match &app.overlay {
        None => {}
        Some(Overlay::Help) => {
            let lines = KEYS.iter().map(|(keys, what)| {
                Line::from(vec![
                    Span::styled(
                        format!("{keys:>16}  "),
                        Style::new().add_modifier(Modifier::BOLD),
                    ),
                    Span::raw(*what),
                ])
            });
            window(frame, " Keys ", lines.collect());
        }
        Some(Overlay::Prompt(asking, text)) => {
            let (title, hint) = match asking {
                Asking::Move => (" Move ", "as in 7,7 (stones), 3 (pieces), 5,5,h (bricks)"),
                Asking::Save => (" Write the game to a new file ", "Enter writes, Esc does not"),
                Asking::Load => (" Open a saved game or a record ", "Enter opens, Esc does not"),
            };
            // The end of a long name is what is being typed.
            let room = usize::from(WINDOW_WIDTH) - 6;
            let skip = text.chars().count().saturating_sub(room);
            let tail: String = text.chars().skip(skip).collect();
            window(frame, title, vec![Line::from(format!("{tail}_")), dim(hint)]);
        }
        Some(Overlay::Confirm(doubt)) => {
            let text = match doubt {
                Doubt::Quit => "Leave the game? y: yes, any other key: no",
                Doubt::Resign => "Give the game up? y: yes, any other key: no",
                Doubt::New => "Begin another game? y: yes, any other key: no",
            };
            window(frame, " Sure? ", vec![Line::from(text)]);
        }
        Some(Overlay::Lost(_, why)) => window(
            frame,
            " The partner is lost; the game is kept ",
            vec![
                Line::styled(why.clone(), Style::new().add_modifier(Modifier::BOLD)),
                Line::default(),
                Line::from("r  connect again"),
                Line::from("l  go on in this program"),
                Line::from("w  wait: ask again"),
                Line::from("s  save the game"),
                Line::from("q  quit"),
            ],
        ),
    }
}

fn dim(text: &'static str) -> Line<'static> {
    Line::styled(text, Style::new().add_modifier(Modifier::DIM))
}

/// Draws a window in the middle.
fn window(frame: &mut Frame<'_>, title: &'static str, lines: Vec<Line<'_>>) {
    let text_width = usize::from(WINDOW_WIDTH.min(frame.area().width).saturating_sub(2)).max(1);
    let rows: usize = lines.iter().map(|line| line.width().div_ceil(text_width).max(1)).sum();
    let area = middle(frame.area(), WINDOW_WIDTH, rows as u16 + 2);
    if area.is_empty() {
        return;
    }
    frame.render_widget(Clear, area);
    let text = Paragraph::new(lines).wrap(Wrap { trim: false });
    frame.render_widget(text.block(Block::bordered().title(title)), area);
}

/// A rectangle of this size in the middle of another, or as much of it as fits.
fn middle(outer: Rect, width: u16, height: u16) -> Rect {
    let (width, height) = (width.min(outer.width), height.min(outer.height));
    let x = outer.x + (outer.width - width) / 2;
    let y = outer.y + (outer.height - height) / 2;
    Rect::new(x, y, width, height)
}

fn menu_area(screen: Rect, menu: &Menu) -> Rect {
    middle(screen, MENU_WIDTH, menu.fields().len() as u16 + MENU_FRAME)
}

/// The line of the menu at a point of the screen.
#[must_use]
pub fn menu_line_at(screen: Rect, menu: &Menu, column: u16, row: u16) -> Option<usize> {
    let area = menu_area(screen, menu);
    let line = usize::from(row.checked_sub(area.y + 1)?);
    let inside = column > area.x && column + 1 < area.right();
    (inside && line < menu.fields().len()).then_some(line)
}

fn draw_menu(frame: &mut Frame<'_>, app: &App, menu: &Menu) {
    let area = menu_area(frame.area(), menu);
    if area.is_empty() {
        return;
    }
    let mut lines: Vec<Line<'_>> = menu
        .fields()
        .into_iter()
        .map(|field| {
            let (name, value) = menu.words(field);
            let chosen = field == menu.selected();
            let mark = if chosen { app.look.either("▶", ">") } else { " " };
            let value = match (chosen, field) {
                (_, Field::Start) => String::new(),
                (true, _) => format!("< {value} >"),
                (false, _) => format!("  {value}"),
            };
            let style = if chosen {
                Style::new().add_modifier(Modifier::BOLD | Modifier::REVERSED)
            } else {
                Style::new()
            };
            Line::styled(format!(" {mark} {name:<14} {value:<24}"), style)
        })
        .collect();
    let place = app.round.chairs.first().map_or_else(String::new, |chair| chair.place.to_string());
    lines.push(Line::styled(
        " Enter starts, o opens a file, q quits",
        Style::new().add_modifier(Modifier::DIM),
    ));
    let notice =
        Line::styled(format!(" {}", app.notice), Style::new().add_modifier(Modifier::BOLD));
    lines.push(notice);
    frame.render_widget(Clear, area);
    frame.render_widget(
        Paragraph::new(lines)
            .block(Block::bordered().title(format!(" A new game; partner: {place} "))),
        area,
    );
}
