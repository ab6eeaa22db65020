//! The full screen's state: menu, cursor, prompts, and the round behind them.
//!
//! Pure: [`App::handle`] takes an event and the time and gives back what to do. What the screen
//! looks like follows from the state and is [`super::draw`]'s affair.

pub mod keys;

use std::time::Duration;

use engine::game::{Game, Move, Side};
use engine::spec::GameSpec;
use ratatui::crossterm::event::{KeyEvent, MouseEvent};
use ratatui::layout::Rect;

use super::course::Course;
use super::draw;
use super::menu::Menu;
use super::round::{self, Change, Round, Seat};
use super::saved::{self, Saved};
use super::setup::{HumanSide, Setup};
use crate::partner::News;
use crate::partner::dialog::Worth;
use crate::partner::place::{Local, Place};

/// The most bytes of what is typed into a prompt.
pub const MAX_PROMPT: usize = 200;
/// The cursor keeps this far from the edge of a board that scrolls.
const SCROLL_MARGIN: usize = 2;

/// Something that happens.
#[derive(Clone, Debug)]
pub enum Event {
    /// A key.
    Key(KeyEvent),
    /// The mouse.
    Mouse(MouseEvent),
    /// The screen has this size now.
    Resize(u16, u16),
    /// Time passes.
    Tick,
    /// News of a partner.
    News {
        /// Which.
        chair: usize,
        /// Of which attempt to reach it.
        attempt: u32,
        /// What.
        news: News,
    },
    /// A file was written, or not: what to tell.
    Wrote(Result<String, String>),
    /// A file was read, or not.
    Read(Result<Box<Saved>, String>),
}

/// Something to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// See [`round::Effect`].
    Round(round::Effect),
    /// Write a new file.
    Write {
        /// Its name.
        file: String,
        /// What is in it.
        text: String,
    },
    /// Read a file.
    Read {
        /// Its name.
        file: String,
    },
    /// The end.
    Quit,
}

/// What a prompt asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asking {
    /// A move in notation.
    Move,
    /// A file to write.
    Save,
    /// A file to read.
    Load,
}

/// What has to be confirmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// Leave an unfinished game.
    Quit,
    /// Give the game away.
    Resign,
    /// Begin another one.
    New,
}

/// What lies over the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Overlay {
    /// The keys.
    Help,
    /// Something to type.
    Prompt(Asking, String),
    /// Something to confirm.
    Confirm(Doubt),
    /// A partner is lost: which, and why.
    Lost(usize, String),
}

/// What the screen shows.
#[derive(Clone, Debug)]
pub struct App {
    /// The menu, while it is open.
    pub menu: Option<Menu>,
    /// The game.
    pub round: Round,
    /// What lies over it.
    pub overlay: Option<Overlay>,
    /// Column and row of the cursor, in the coordinates of moves.
    pub cursor: (usize, usize),
    /// Bricks: the cursor's brick stands.
    pub upright: bool,
    /// The column and the screen row of the board's first visible cell.
    pub scroll: (usize, usize),
    /// A move that was suggested.
    pub hint: Option<Move>,
    /// What the position is worth, if that was asked, for this side.
    pub worth: Option<(Worth, Side)>,
    /// The last thing worth telling.
    pub notice: String,
    /// The screen.
    pub size: Rect,
    /// The time.
    pub now: Duration,
    /// Two partners play: nobody else moves.
    pub watching: bool,
    /// Colours and letters.
    pub look: draw::Look,
    setup: Setup,
    local: Local,
    effects: Vec<Effect>,
}

impl App {
    /// A game with a partner; with the menu open if it is still to be chosen.
    ///
    /// # Errors
    /// The board is too large.
    pub fn new(
        setup: Setup,
        place: Place,
        local: Local,
        look: draw::Look,
        menu: bool,
    ) -> Result<App, String> {
        let mut round = Round::with_person(&setup, place)?;
        round.halted = menu;
        let mut app = App::of(round, setup, local, look);
        app.menu = menu.then(|| Menu::new(&app.setup));
        Ok(app)
    }

    /// A game between two partners, to be watched.
    #[must_use]
    pub fn watch(round: Round, setup: Setup, local: Local, look: draw::Look) -> App {
        App { watching: true, ..App::of(round, setup, local, look) }
    }

    fn of(round: Round, setup: Setup, local: Local, look: draw::Look) -> App {
        let mut app = App {
            menu: None,
            round,
            overlay: None,
            cursor: (0, 0),
            upright: false,
            scroll: (0, 0),
            hint: None,
            worth: None,
            notice: String::new(),
            size: Rect::new(0, 0, 80, 24),
            now: Duration::ZERO,
            watching: false,
            look,
            setup,
            local,
            effects: Vec::new(),
        };
        app.centre_cursor();
        app
    }

    /// Puts a game out of a file on the board.
    ///
    /// # Errors
    /// It does not fit.
    pub fn open(&mut self, saved: &Saved) -> Result<(), String> {
        let course = Course::after(saved.spec, &saved.moves, saved.used)?;
        self.setup.spec = saved.spec;
        if let Some(player) = &saved.player {
            self.setup.player.clone_from(player);
        } else if self.setup.check().is_err() {
            self.setup.player = Setup::default().player;
        }
        self.setup.human = match (saved.engine, &saved.record) {
            (_, Some(_)) => HumanSide::Both,
            (Some(Side::First), _) => HumanSide::Second,
            (Some(Side::Second), _) => HumanSide::First,
            (None, _) => HumanSide::Both,
        };
        self.begin(course);
        if let Some([first, second]) = &saved.record {
            self.round.look_at(0, self.now);
            self.notice = format!("{first} against {second}: ] and [ go through the game");
        }
        Ok(())
    }

    /// Takes an event and gives back what to do.
    pub fn handle(&mut self, event: Event, now: Duration) -> Vec<Effect> {
        self.now = now;
        match event {
            Event::Key(key) => self.key(key),
            Event::Mouse(mouse) => self.mouse(mouse),
            Event::Resize(width, height) => self.size = Rect::new(0, 0, width, height),
            Event::Tick => {
                let changes = self.round.tick(now);
                self.note(changes);
            }
            Event::News { chair, attempt, news } => {
                let changes = self.round.news(chair, attempt, news, now);
                self.note(changes);
            }
            Event::Wrote(Ok(text) | Err(text)) | Event::Read(Err(text)) => self.notice = text,
            Event::Read(Ok(saved)) => {
                self.notice.clear();
                if let Err(error) = self.open(&saved) {
                    self.notice = error;
                }
            }
        }
        self.follow_cursor();
        let done = self.round.take_effects().into_iter().map(Effect::Round);
        let mut effects: Vec<Effect> = done.collect();
        effects.append(&mut self.effects);
        effects
    }

    /// What partners have done.
    fn note(&mut self, changes: Vec<Change>) {
        for change in changes {
            match change {
                Change::Moved(mv) => {
                    self.forget_advice();
                    self.notice.clear();
                    // What happens must be seen, also on a board that scrolls.
                    if self.watching || !self.is_visible(mv) {
                        self.set_cursor(mv);
                    }
                }
                Change::Hint(mv) => {
                    self.hint = Some(mv);
                    self.set_cursor(mv);
                    let shown = self.spec().show_move(mv);
                    self.notice = format!("Try {shown}: Enter plays it.");
                }
                Change::Worth(worth) => {
                    self.worth = Some((worth, self.round.course.side_to_move()));
                    self.notice.clear();
                }
                Change::Said(text) => self.notice = text,
                Change::Ready(_) => {
                    if matches!(self.overlay, Some(Overlay::Lost(..))) {
                        self.overlay = None;
                    }
                }
                Change::Lost(chair, why) => {
                    if self.watching {
                        self.notice = why;
                    } else {
                        self.overlay = Some(Overlay::Lost(chair, why));
                    }
                }
            }
        }
    }

    /// The game on the board.
    #[must_use]
    pub fn spec(&self) -> GameSpec {
        self.round.course.spec()
    }

    fn forget_advice(&mut self) {
        self.hint = None;
        self.worth = None;
    }

    /// Begins the game that the menu shows.
    fn begin_chosen(&mut self) {
        let Some(menu) = self.menu.take() else { return };
        self.setup = menu.setup();
        match Course::new(self.setup.spec) {
            Ok(course) => self.begin(course),
            Err(error) => {
                self.notice = error;
                self.menu = Some(menu);
            }
        }
    }

    fn begin(&mut self, course: Course) {
        self.round.restart(&self.setup, course, self.now);
        self.menu = None;
        self.overlay = None;
        self.notice.clear();
        self.upright = false;
        self.forget_advice();
        self.centre_cursor();
        self.show_lost();
    }

    fn centre_cursor(&mut self) {
        let spec = self.spec();
        self.cursor = match spec {
            GameSpec::Connect { .. } => (spec.cols() / 2, 0),
            _ => (spec.cols() / 2, spec.rows() / 2),
        };
        self.clamp_cursor();
        self.scroll = (0, 0);
        self.follow_cursor();
    }

    /// Keeps the cursor, in bricks both cells of it, on the board.
    fn clamp_cursor(&mut self) {
        let spec = self.spec();
        let brick = usize::from(matches!(spec, GameSpec::Bricks { .. }));
        let (wide, high) = if self.upright { (0, brick) } else { (brick, 0) };
        let (x, y) = self.cursor;
        self.cursor = (
            x.min(spec.cols().saturating_sub(1 + wide)),
            y.min(spec.rows().saturating_sub(1 + high)),
        );
    }

    /// Puts the cursor where a move is.
    fn set_cursor(&mut self, mv: Move) {
        let spec = self.spec();
        let (cells, cols) = (spec.cells(), spec.cols());
        let index = mv.index();
        match spec {
            GameSpec::Connect { .. } => self.cursor.0 = index,
            _ => self.cursor = (index % cells % cols, index % cells / cols),
        }
        self.upright = matches!(spec, GameSpec::Bricks { .. }) && index >= cells;
        self.clamp_cursor();
    }

    /// The move under the cursor.
    #[must_use]
    pub fn move_at_cursor(&self) -> Move {
        let spec = self.spec();
        let (x, y) = self.cursor;
        match spec {
            GameSpec::Connect { .. } => Move::new(x),
            _ => Move::new(y * spec.cols() + x + if self.upright { spec.cells() } else { 0 }),
        }
    }

    /// Cells (column, row) that the cursor's move would cover.
    #[must_use]
    pub fn cursor_cells(&self) -> Vec<(usize, usize)> {
        cells_of(self.round.course.position(), self.move_at_cursor())
    }

    /// Cells of the suggested move.
    #[must_use]
    pub fn hint_cells(&self) -> Vec<(usize, usize)> {
        self.hint.map_or_else(Vec::new, |mv| cells_of(self.round.course.position(), mv))
    }

    /// Scrolls a large board so that the cursor, or what happens, is visible.
    fn follow_cursor(&mut self) {
        let spec = self.spec();
        let view = draw::board_view(self);
        let row = match spec {
            GameSpec::Connect { .. } => {
                let row = self.cursor_cells().first().map_or(0, |&(_, y)| y);
                spec.rows() - 1 - row.min(spec.rows() - 1)
            }
            _ => self.cursor.1,
        };
        self.scroll = (
            followed(self.scroll.0, self.cursor.0, view.cols, spec.cols()),
            followed(self.scroll.1, row, view.rows, spec.rows()),
        );
    }

    /// Whether a move is on the part of the board that is on the screen.
    fn is_visible(&self, mv: Move) -> bool {
        let (view, spec) = (draw::board_view(self), self.spec());
        let (x, y) = match spec {
            GameSpec::Connect { .. } => (mv.index(), self.scroll.1),
            _ => (mv.index() % spec.cells() % spec.cols(), mv.index() % spec.cells() / spec.cols()),
        };
        (self.scroll.0..self.scroll.0 + view.cols).contains(&x)
            && (self.scroll.1..self.scroll.1 + view.rows).contains(&y)
    }

    /// Plays a person's move.
    fn play(&mut self, mv: Move) {
        match self.round.play(mv, self.now) {
            Ok(()) => {
                self.forget_advice();
                self.notice.clear();
            }
            Err(error) if self.round.course.outcome().is_some() => {
                self.notice = format!("{error}; u takes back, n begins a new one");
            }
            Err(error) => self.notice = error,
        }
    }

    /// The text of the game in progress.
    fn saved_text(&self) -> String {
        let course = &self.round.course;
        let engine = Side::BOTH
            .into_iter()
            .find(|side| !self.watching && self.round.seats[side.index()] != Seat::Human);
        let used = Side::BOTH.map(|side| course.used(side));
        let player = self.round.chairs.first().map_or("tavola", |chair| chair.player.as_str());
        let mut text = saved::text(course.spec(), player, engine, used, &course.moves());
        text.push('\n');
        text
    }
}

/// The first visible line of a view, so that a point is in it.
fn followed(scroll: usize, point: usize, visible: usize, all: usize) -> usize {
    let visible = visible.max(1);
    let margin = SCROLL_MARGIN.min((visible - 1) / 2);
    let least = (point + margin + 1).saturating_sub(visible);
    let most = point.saturating_sub(margin);
    scroll.clamp(least, most.max(least)).min(all.saturating_sub(visible))
}

/// The cells (column, row) that a move covers; in connect, the one where the piece comes to rest.
fn cells_of(game: &impl Game, mv: Move) -> Vec<(usize, usize)> {
    let spec = game.spec();
    let (cells, cols, index) = (spec.cells(), spec.cols(), mv.index());
    match spec {
        GameSpec::Mnk { .. } => vec![(index % cols, index / cols)],
        GameSpec::Connect { .. } => {
            let free = |&row: &usize| game.stone(row * cols + index).is_none();
            (0..spec.rows()).find(free).map(|row| (index, row)).into_iter().collect()
        }
        GameSpec::Bricks { .. } => {
            let (x, y) = (index % cells % cols, index % cells / cols);
            let upright = index >= cells;
            vec![(x, y), if upright { (x, y + 1) } else { (x + 1, y) }]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::followed;

    #[test]
    fn the_view_follows_the_cursor_and_stays_on_the_board() {
        assert_eq!(followed(0, 3, 10, 70), 0);
        assert_eq!(followed(0, 9, 10, 70), 2);
        assert_eq!(followed(0, 69, 10, 70), 60);
        assert_eq!(followed(60, 0, 10, 70), 0);
        assert_eq!(followed(5, 0, 100, 70), 0);
        assert_eq!(followed(0, 5, 0, 70), 5);
        assert_eq!(followed(0, 5, 1, 70), 5);
    }
}
