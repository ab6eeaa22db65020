//! The full screen without a terminal: an [`App`] on ratatui's test backend, with a real partner.

use std::sync::mpsc;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use host::partner::News;
use host::partner::place::{Local, Place};
use host::play::app::{App, Effect, Event};
use host::play::draw::{self, Look};
use host::play::setup::Setup;
use host::play::world::{self, World};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{
    KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};

/// A test that waits this long has failed. Far more than it takes.
const PATIENCE: Duration = Duration::from_secs(120);
/// How often a waiting test looks.
const STEP: Duration = Duration::from_millis(10);

/// Colours and signs.
pub const COLOUR: Look = Look { colour: true, unicode: true };
/// Neither.
pub const PLAIN: Look = Look { colour: false, unicode: false };

/// A table of 64 KiB.
pub fn local() -> Local {
    Local { table: "64K".parse().expect("a size"), seed: 1 }
}

/// A quick game, the person first.
pub fn quick(spec: &str) -> Setup {
    Setup {
        spec: spec.parse().expect(spec),
        player: "tavola:level=2".into(),
        turn: Duration::from_millis(200),
        ..Setup::default()
    }
}

/// A screen and whoever sits before it.
pub struct Screen {
    pub app: App,
    terminal: Terminal<TestBackend>,
    world: World,
    news: mpsc::Receiver<(usize, u32, News)>,
    start: Instant,
    pub ended: bool,
}

impl Screen {
    /// A game on a screen of this size.
    pub fn new(setup: Setup, look: Look, menu: bool, (width, height): (u16, u16)) -> Screen {
        let app = App::new(setup, Place::Local(local()), local(), look, menu).expect("it fits");
        Screen::of(app, (width, height))
    }

    /// This state on a screen of this size.
    pub fn of(app: App, (width, height): (u16, u16)) -> Screen {
        let (send, news) = mpsc::channel();
        let send = Mutex::new(send);
        let world = World::new(Arc::new(move |chair, attempt, news| {
            let _ = send.lock().expect("no panic").send((chair, attempt, news));
        }));
        let terminal = Terminal::new(TestBackend::new(width, height)).expect("a backend");
        let start = Instant::now();
        let mut screen = Screen { app, terminal, world, news, start, ended: false };
        screen.handle(Event::Resize(width, height));
        screen
    }

    /// An event, and all that follows from it.
    pub fn handle(&mut self, event: Event) {
        for effect in self.app.handle(event, self.start.elapsed()) {
            match effect {
                Effect::Round(effect) => self.world.carry_out(effect),
                Effect::Write { file, text } => {
                    self.handle(Event::Wrote(world::write(&file, &text)));
                }
                Effect::Read { file } => {
                    let saved = world::read(file.as_ref(), None).map(Box::new);
                    self.handle(Event::Read(saved));
                }
                Effect::Quit => self.ended = true,
            }
        }
    }

    /// A key.
    pub fn press(&mut self, code: KeyCode) {
        self.handle(Event::Key(KeyEvent::new(code, KeyModifiers::NONE)));
    }

    /// Keys for the letters of a text.
    pub fn type_text(&mut self, text: &str) {
        text.chars().for_each(|letter| self.press(KeyCode::Char(letter)));
    }

    /// Plays a move as it is written.
    pub fn play(&mut self, mv: &str) {
        self.type_text(&format!(":{mv}"));
        self.press(KeyCode::Enter);
    }

    /// A click.
    pub fn click(&mut self, column: u16, row: u16) {
        let kind = MouseEventKind::Down(MouseButton::Left);
        let modifiers = KeyModifiers::NONE;
        self.handle(Event::Mouse(MouseEvent { kind, column, row, modifiers }));
    }

    /// Another size.
    pub fn resize(&mut self, width: u16, height: u16) {
        self.terminal.backend_mut().resize(width, height);
        self.handle(Event::Resize(width, height));
    }

    /// Waits until something is so.
    #[track_caller]
    pub fn until(&mut self, what: impl Fn(&App) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        while !what(&self.app) {
            assert!(Instant::now() < deadline, "waited in vain:\n{}", self.text());
            match self.news.recv_timeout(STEP) {
                Ok((chair, attempt, news)) => {
                    self.handle(Event::News { chair, attempt, news });
                }
                Err(_) => self.handle(Event::Tick),
            }
        }
    }

    /// Waits until so many moves are on the board.
    #[track_caller]
    pub fn until_ply(&mut self, ply: usize) {
        self.until(|app| app.round.course.ply() == ply || app.round.course.outcome().is_some());
    }

    /// What is on the screen.
    pub fn buffer(&mut self) -> Buffer {
        let app = &self.app;
        self.terminal.draw(|frame| draw::draw(frame, app)).expect("a picture");
        self.terminal.backend().buffer().clone()
    }

    /// What is on the screen, as lines.
    pub fn text(&mut self) -> String {
        let buffer = self.buffer();
        let width = usize::from(buffer.area.width).max(1);
        let row = |cells: &[ratatui::buffer::Cell]| -> String {
            let line: String = cells.iter().map(|cell| cell.symbol()).collect();
            format!("{}\n", line.trim_end())
        };
        buffer.content.chunks(width).map(row).collect()
    }
}
