//! Keys and the mouse.
//!
//! [`KEYS`] is what the help shows. The letters are chosen so that h, j, k and l stay free for the
//! cursor, as in many programs.

use engine::spec::GameSpec;
use ratatui::crossterm::event::{
    KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};

use super::{App, Asking, Doubt, Effect, MAX_PROMPT, Overlay};
use crate::partner::dialog::Question;
use crate::partner::place::Place;
use crate::play::draw;
use crate::play::menu::{Field, Menu};
use crate::play::round::Presence;

/// Lines that a turn of the mouse wheel moves the cursor.
const WHEEL: isize = 3;
/// Lines that a jump moves it.
const JUMP: isize = 5;

/// The keys and what they do, for people.
pub const KEYS: &[(&str, &str)] = &[
    ("arrows, h j k l", "move the cursor (capitals: far)"),
    ("Enter, Space", "play; a click moves, a second plays"),
    ("r, Tab", "turn the brick"),
    (":", "type a move, as in 7,7"),
    ("t", "tip: a good move for you"),
    ("e", "evaluate the position"),
    ("u, y", "take back, play again"),
    ("[ ], Home, End", "look through the game"),
    ("c", "go on from here"),
    ("m", "move now: stop thinking"),
    ("s", "swap sides"),
    ("g", "give the game up"),
    ("w, o", "write to a file, open one"),
    ("n", "new game"),
    ("p", "a lost partner: what can be done"),
    ("?", "this list"),
    ("q, Ctrl-C", "quit"),
];

impl App {
    pub(super) fn key(&mut self, key: KeyEvent) {
        if key.kind == KeyEventKind::Release {
            return;
        }
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            if matches!(key.code, KeyCode::Char('c' | 'C' | 'd' | 'D')) {
                self.effects.push(Effect::Quit);
            }
            return;
        }
        match self.overlay.take() {
            Some(Overlay::Help) => {}
            Some(Overlay::Prompt(asking, text)) => self.prompt_key(asking, text, key.code),
            Some(Overlay::Confirm(doubt)) => self.confirm_key(doubt, key.code),
            Some(Overlay::Lost(chair, why)) => self.lost_key(chair, why, key.code),
            None if self.menu.is_some() => self.menu_key(key.code),
            None => self.game_key(key.code),
        }
    }

    fn menu_key(&mut self, code: KeyCode) {
        let Some(menu) = &mut self.menu else { return };
        match code {
            KeyCode::Up | KeyCode::Char('k') | KeyCode::BackTab => menu.select(-1),
            KeyCode::Down | KeyCode::Char('j') | KeyCode::Tab => menu.select(1),
            KeyCode::Left | KeyCode::Char('h' | '-') => menu.change(-1),
            KeyCode::Right | KeyCode::Char('l' | '+' | ' ') => menu.change(1),
            KeyCode::PageDown => menu.change(-JUMP),
            KeyCode::PageUp => menu.change(JUMP),
            KeyCode::Char(digit) if digit.is_ascii_digit() => {
                menu.digit(digit.to_digit(10).unwrap_or(0));
            }
            KeyCode::Enter => self.begin_chosen(),
            KeyCode::Char('o') => self.overlay = Some(Overlay::Prompt(Asking::Load, String::new())),
            KeyCode::Char('?') => self.overlay = Some(Overlay::Help),
            KeyCode::Char('q') => self.effects.push(Effect::Quit),
            KeyCode::Esc if self.round.course.ply() > 0 => {
                self.menu = None;
                self.round.resume(self.now);
            }
            KeyCode::Esc => self.effects.push(Effect::Quit),
            _ => {}
        }
    }

    fn game_key(&mut self, code: KeyCode) {
        match code {
            KeyCode::Left | KeyCode::Char('h') => self.move_cursor(-1, 0),
            KeyCode::Right | KeyCode::Char('l') => self.move_cursor(1, 0),
            KeyCode::Up | KeyCode::Char('k') => self.move_cursor(0, -1),
            KeyCode::Down | KeyCode::Char('j') => self.move_cursor(0, 1),
            KeyCode::Char('H') => self.move_cursor(-JUMP, 0),
            KeyCode::Char('L') => self.move_cursor(JUMP, 0),
            KeyCode::Char('K') => self.move_cursor(0, -JUMP),
            KeyCode::Char('J') => self.move_cursor(0, JUMP),
            KeyCode::Enter | KeyCode::Char(' ') => self.play_at_cursor(),
            KeyCode::Char('r') | KeyCode::Tab => self.turn_brick(),
            KeyCode::Char(':') => self.overlay = Some(Overlay::Prompt(Asking::Move, String::new())),
            KeyCode::Char('t') => self.advise(Question::Hint),
            KeyCode::Char('e') => self.advise(Question::Worth),
            KeyCode::Char('u') | KeyCode::Backspace => self.undo(),
            KeyCode::Char('y') => self.redo(),
            KeyCode::Char('[') | KeyCode::PageUp => {
                self.look(self.round.course.ply().checked_sub(1))
            }
            KeyCode::Char(']') | KeyCode::PageDown => self.look(Some(self.round.course.ply() + 1)),
            KeyCode::Home => self.look(Some(0)),
            KeyCode::End => self.look(Some(usize::MAX)),
            KeyCode::Char('c') => {
                self.forget_advice();
                self.round.resume(self.now);
            }
            KeyCode::Char('m') => self.round.hurry(),
            KeyCode::Char('s') if !self.watching => {
                self.forget_advice();
                self.round.swap(self.now);
            }
            KeyCode::Char('g') if !self.watching && self.is_running() => {
                self.overlay = Some(Overlay::Confirm(Doubt::Resign));
            }
            KeyCode::Char('w') => self.overlay = Some(Overlay::Prompt(Asking::Save, String::new())),
            KeyCode::Char('o') if !self.watching => {
                self.overlay = Some(Overlay::Prompt(Asking::Load, String::new()));
            }
            KeyCode::Char('n') if !self.watching => self.doubt(Doubt::New),
            KeyCode::Char('p') => self.show_lost(),
            KeyCode::Char('?') => self.overlay = Some(Overlay::Help),
            KeyCode::Char('q') | KeyCode::Esc => self.doubt(Doubt::Quit),
            _ => {}
        }
    }

    /// Whether a game is under way that somebody could miss.
    fn is_running(&self) -> bool {
        self.round.course.ply() > 0 && self.round.course.outcome().is_none()
    }

    fn doubt(&mut self, doubt: Doubt) {
        if self.is_running() {
            self.overlay = Some(Overlay::Confirm(doubt));
        } else {
            self.confirmed(doubt);
        }
    }

    fn confirm_key(&mut self, doubt: Doubt, code: KeyCode) {
        if matches!(code, KeyCode::Char('y' | 'Y') | KeyCode::Enter) {
            self.confirmed(doubt);
        }
    }

    fn confirmed(&mut self, doubt: Doubt) {
        match doubt {
            Doubt::Quit => self.effects.push(Effect::Quit),
            Doubt::Resign => {
                self.round.resign(self.now);
            }
            Doubt::New => {
                // Nobody thinks on while the menu is open.
                self.round.look_at(self.round.course.ply(), self.now);
                self.menu = Some(Menu::new(&self.setup));
            }
        }
    }

    fn prompt_key(&mut self, asking: Asking, mut text: String, code: KeyCode) {
        match code {
            KeyCode::Esc => return,
            KeyCode::Enter => return self.answered(asking, text.trim()),
            KeyCode::Backspace => {
                text.pop();
            }
            KeyCode::Char(letter) if text.len() + letter.len_utf8() <= MAX_PROMPT => {
                text.push(letter);
            }
            _ => {}
        }
        self.overlay = Some(Overlay::Prompt(asking, text));
    }

    fn answered(&mut self, asking: Asking, text: &str) {
        if text.is_empty() {
            return;
        }
        match asking {
            Asking::Move => match self.spec().parse_move(text) {
                Ok(mv) => {
                    self.set_cursor(mv);
                    self.play(mv);
                }
                Err(error) => self.notice = format!("`{text}`: {error}"),
            },
            Asking::Save => {
                let file = text.to_string();
                self.effects.push(Effect::Write { file, text: self.saved_text() });
            }
            Asking::Load => self.effects.push(Effect::Read { file: text.to_string() }),
        }
    }

    fn lost_key(&mut self, chair: usize, why: String, code: KeyCode) {
        match code {
            KeyCode::Char('r') => {
                self.round.connect(chair);
                self.notice = "looking for the board ...".into();
            }
            KeyCode::Char('l') => {
                self.round.replace(chair, Place::Local(self.local));
                self.notice = "the game goes on in this program".into();
            }
            KeyCode::Char('w') => self.round.wait_for(chair, self.now),
            KeyCode::Char('s') => {
                self.overlay = Some(Overlay::Prompt(Asking::Save, String::new()));
            }
            KeyCode::Char('q') => self.effects.push(Effect::Quit),
            KeyCode::Esc => self.notice = why,
            _ => self.overlay = Some(Overlay::Lost(chair, why)),
        }
    }

    fn move_cursor(&mut self, x: isize, y: isize) {
        let (column, row) = self.cursor;
        self.cursor = (column.saturating_add_signed(x), row.saturating_add_signed(y));
        self.clamp_cursor();
    }

    fn turn_brick(&mut self) {
        if matches!(self.spec(), GameSpec::Bricks { .. }) {
            self.upright = !self.upright;
            self.clamp_cursor();
        }
    }

    fn play_at_cursor(&mut self) {
        if self.watching {
            self.notice = "two players are at it; c goes on, q quits".into();
        } else {
            self.play(self.move_at_cursor());
        }
    }

    fn advise(&mut self, question: Question) {
        if self.watching {
            return;
        }
        match self.round.advise(question, self.now) {
            Ok(()) => self.notice = "thinking; m has the answer now".into(),
            Err(error) => self.notice = error,
        }
        self.show_lost();
    }

    /// What can be done about a lost partner, if it is lost.
    pub(super) fn show_lost(&mut self) {
        if let Some(Presence::Lost(why)) = self.round.chairs.first().map(|chair| &chair.presence)
            && !self.watching
        {
            self.overlay = Some(Overlay::Lost(0, why.clone()));
        }
    }

    fn undo(&mut self) {
        if self.watching {
            return;
        }
        self.forget_advice();
        let done = self.round.undo(self.now);
        self.notice = if done { "" } else { "there is no move of yours to take back" }.into();
    }

    fn redo(&mut self) {
        if self.watching {
            return;
        }
        self.forget_advice();
        let done = self.round.redo(self.now);
        self.notice = if done { "" } else { "there is nothing to play again" }.into();
    }

    /// Goes to another point of the game.
    fn look(&mut self, ply: Option<usize>) {
        let Some(ply) = ply else { return };
        self.forget_advice();
        self.round.look_at(ply, self.now);
        self.notice = "looking; c goes on from here".into();
        let last = self.round.course.ply().checked_sub(1);
        if let Some(mv) = last.and_then(|ply| self.round.course.moves().get(ply).copied()) {
            self.set_cursor(mv);
        }
    }

    pub(super) fn mouse(&mut self, mouse: MouseEvent) {
        if self.overlay.is_some() {
            return;
        }
        match mouse.kind {
            MouseEventKind::ScrollUp if self.menu.is_none() => self.move_cursor(0, -WHEEL),
            MouseEventKind::ScrollDown if self.menu.is_none() => self.move_cursor(0, WHEEL),
            MouseEventKind::Down(MouseButton::Right) => self.turn_brick(),
            MouseEventKind::Down(MouseButton::Left) => self.click(mouse.column, mouse.row),
            _ => {}
        }
    }

    fn click(&mut self, column: u16, row: u16) {
        if let Some(menu) = &mut self.menu {
            let Some(line) = draw::menu_line_at(self.size, menu, column, row) else { return };
            menu.select_line(line);
            if menu.selected() == Field::Start {
                self.begin_chosen();
            } else {
                menu.change(1);
            }
            return;
        }
        let Some((x, y)) = draw::cell_at(self, column, row) else { return };
        let same = match self.spec() {
            GameSpec::Connect { .. } => self.cursor.0 == x,
            _ => self.cursor_cells().contains(&(x, y)),
        };
        if same {
            self.play_at_cursor();
        } else {
            self.cursor = (x, y);
            self.clamp_cursor();
        }
    }
}
