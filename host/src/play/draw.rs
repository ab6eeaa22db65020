//! The state as a picture, at any size of the screen, with or without colours.
//!
//! ```text
//!   ┌ board ───────────┐┌ panel ──────┐
//!   │                  ││ players     │
//!   │  scrolls if it   ││ status      │
//!   │  is too large    ││ thoughts    │
//!   │                  ││ moves       │
//!   └──────────────────┘└─────────────┘
//!   notice
//!   keys
//! ```
//!
//! Nothing depends on colours: the last move stands in round brackets, the cursor in square ones, a
//! tip in pointed ones, and the stones of a winning line have another shape.

mod board;
mod overlay;
mod panel;

pub use board::{BoardView, board_view, cell_at};
pub use overlay::menu_line_at;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::app::App;

/// Lines below the board: the notice and the keys.
const FOOTER: u16 = 2;
/// The panel's width, at most and where it has to be narrow.
const PANEL_MOST: u16 = 46;
const PANEL_NARROW: u16 = 30;
/// On a screen narrower than this the panel gets half of it.
const NARROW_SCREEN: u16 = 60;

/// What the terminal can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Colours.
    pub colour: bool,
    /// Letters beyond ASCII.
    pub unicode: bool,
}

impl Look {
    /// What this terminal can show, by the usual variables: `NO_COLOR`, `TERM`, and the language.
    #[must_use]
    pub fn of_environment(ascii: bool) -> Look {
        let set = |name| std::env::var_os(name).filter(|value| !value.is_empty());
        let dumb = set("TERM").is_some_and(|term| term == "dumb");
        let language = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(set);
        // Without any word about the language, terminals of today are trusted.
        let utf8 = language.is_none_or(|language| {
            let language = language.to_string_lossy().to_ascii_lowercase();
            language.contains("utf-8") || language.contains("utf8")
        });
        Look { colour: set("NO_COLOR").is_none() && !dumb, unicode: utf8 && !ascii && !dumb }
    }

    /// A style with this colour, if there are colours.
    #[must_use]
    pub fn colour(self, colour: Color) -> Style {
        if self.colour { Style::new().fg(colour) } else { Style::new() }
    }

    /// One text or the other.
    #[must_use]
    pub const fn either<'a>(self, unicode: &'a str, ascii: &'a str) -> &'a str {
        if self.unicode { unicode } else { ascii }
    }
}

/// Where the parts of the screen are.
struct Parts {
    board: Rect,
    panel: Rect,
    notice: Rect,
    keys: Rect,
    /// Columns and rows of a cell of the board.
    cell: (u16, u16),
}

fn parts(app: &App) -> Parts {
    let Rect { width, height, .. } = app.size;
    let top = height.saturating_sub(FOOTER);
    let cell = board::cell_size(app.spec(), (width.saturating_sub(PANEL_NARROW), top));
    let wanted = board::wanted_width(app.spec(), cell);
    let panel = if width < NARROW_SCREEN {
        width / 2
    } else {
        width.saturating_sub(wanted).clamp(PANEL_NARROW, PANEL_MOST)
    };
    let left = width - panel;
    Parts {
        board: Rect::new(0, 0, left.min(wanted), top),
        panel: Rect::new(left.min(wanted), 0, panel.min(width - left.min(wanted)), top),
        notice: Rect::new(0, top, width, height.min(1)),
        keys: Rect::new(0, top + 1, width, height.saturating_sub(top + 1).min(1)),
        cell,
    }
}

/// Draws everything.
pub fn draw(frame: &mut Frame<'_>, app: &App) {
    let parts = parts(app);
    if app.menu.is_none() {
        board::draw(frame, app, parts.board);
        panel::draw(frame, app, parts.panel);
        let notice =
            Line::from(app.notice.as_str()).style(Style::new().add_modifier(Modifier::BOLD));
        put(frame, notice, parts.notice);
        put(frame, keys_line(app), parts.keys);
    }
    overlay::draw(frame, app);
}

/// Writes a line, if there is room for it.
fn put(frame: &mut Frame<'_>, line: Line<'_>, area: Rect) {
    let area = area.intersection(frame.area());
    if !area.is_empty() {
        frame.render_widget(Paragraph::new(line), area);
    }
}

/// The most useful keys.
fn keys_line(app: &App) -> Line<'static> {
    let keys: &[(&str, &str)] = if app.watching {
        &[
            ("m", "move now"),
            ("[ ]", "look"),
            ("c", "go on"),
            ("w", "write"),
            ("?", "keys"),
            ("q", "quit"),
        ]
    } else {
        &[
            ("Enter", "play"),
            ("t", "tip"),
            ("e", "eval"),
            ("u", "undo"),
            ("y", "redo"),
            ("m", "now"),
            ("s", "swap"),
            ("n", "new"),
            ("?", "keys"),
            ("q", "quit"),
        ]
    };
    let mut spans = Vec::new();
    for (key, word) in keys {
        spans.push(Span::styled(*key, Style::new().add_modifier(Modifier::BOLD)));
        spans.push(Span::raw(format!(" {word}  ")));
    }
    Line::from(spans)
}
