//! The loop around the full screen: keys, partners and time in; pictures, lines and files out.
//!
//! The terminal gets its usual ways back when the loop ends, in whatever manner: at the end, after
//! an error, in a panic, and when the program is asked to end by a signal ([`super::signals`]).

use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{self, DisableMouseCapture, EnableMouseCapture};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode, size,
};

use super::app::{App, Effect, Event};
use super::draw;
use super::signals::Signals;
use super::world::{self, World};
use crate::failure::Failure;

/// How often the clocks on the screen go on.
const TICK: Duration = Duration::from_millis(100);
/// How often the thread that reads keys looks up.
const KEY_STEP: Duration = Duration::from_millis(200);

/// The terminal while it belongs to the game.
struct Screen {
    terminal: Terminal<CrosstermBackend<io::Stdout>>,
}

impl Screen {
    fn new() -> io::Result<Screen> {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            give_back();
            usual(info);
        }));
        enable_raw_mode()?;
        let result = execute!(io::stdout(), EnterAlternateScreen, EnableMouseCapture)
            .and_then(|()| Terminal::new(CrosstermBackend::new(io::stdout())));
        match result {
            Ok(terminal) => Ok(Screen { terminal }),
            Err(error) => {
                give_back();
                Err(error)
            }
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back();
    }
}

/// Gives the terminal its usual ways back. One that has gone needs nothing back.
fn give_back() {
    let _ = disable_raw_mode();
    let _ = execute!(io::stdout(), DisableMouseCapture, LeaveAlternateScreen, Show);
    let _ = io::stdout().flush();
}

/// Makes sure that there is a terminal, before anything is begun.
///
/// # Errors
/// There is none.
pub fn require() -> Result<(), Failure> {
    if io::stdin().is_terminal() && io::stdout().is_terminal() {
        return Ok(());
    }
    Err(Failure::Input(
        "the full screen needs a terminal for input and output: --plain goes line by line".into(),
    ))
}

/// Runs the full screen until somebody quits, and gives back how things stand. A signal that asks
/// the program to end does so here, after the terminal is in order again.
///
/// # Errors
/// The terminal cannot be used.
pub fn run(app: App) -> Result<App, Failure> {
    let signals = Signals::heed().map_err(terminal_error)?;
    let result = run_until(app, || signals.came());
    signals.obey().map_err(terminal_error)?;
    result
}

fn terminal_error(error: io::Error) -> Failure {
    Failure::Input(format!("terminal: {error}; --plain needs none"))
}

/// Runs the full screen until somebody quits or `is_over` says so.
fn run_until(mut app: App, is_over: impl Fn() -> bool) -> Result<App, Failure> {
    let mut screen = Screen::new().map_err(terminal_error)?;
    let start = Instant::now();
    let (events, queue) = mpsc::channel();
    // A sender may not be used by several threads at once on all systems.
    let teller = Mutex::new(events.clone());
    let mut world = World::new(Arc::new(move |chair, attempt, news| {
        if let Ok(events) = teller.lock() {
            // When the loop has ended nobody wants to know.
            let _ = events.send(Event::News { chair, attempt, news });
        }
    }));
    let keys = events.clone();
    thread::spawn(move || read_keys(&keys));
    let (width, height) = size().map_err(terminal_error)?;
    let mut next = Event::Resize(width, height);
    while !is_over() {
        for effect in app.handle(next, start.elapsed()) {
            match effect {
                Effect::Round(effect) => world.carry_out(effect),
                Effect::Write { file, text } => {
                    let _ = events.send(Event::Wrote(world::write(&file, &text)));
                }
                Effect::Read { file } => {
                    let saved = world::read(Path::new(&file), None).map(Box::new);
                    let _ = events.send(Event::Read(saved));
                }
                Effect::Quit => return Ok(app),
            }
        }
        let drawn = screen.terminal.draw(|frame| {
            // The window may have changed since the last event.
            app.size = frame.area();
            draw::draw(frame, &app);
        });
        drawn.map_err(terminal_error)?;
        next = queue.recv_timeout(TICK).unwrap_or(Event::Tick);
    }
    Ok(app)
}

/// Passes on keys, the mouse and changes of size for as long as somebody listens.
fn read_keys(events: &mpsc::Sender<Event>) {
    loop {
        let event = match event::poll(KEY_STEP) {
            Ok(false) => continue,
            Ok(true) => event::read(),
            Err(error) => Err(error),
        };
        let event = match event {
            Ok(event::Event::Key(key)) => Event::Key(key),
            Ok(event::Event::Mouse(mouse)) => Event::Mouse(mouse),
            Ok(event::Event::Resize(width, height)) => Event::Resize(width, height),
            Ok(_) => continue,
            Err(_) => return,
        };
        if events.send(event).is_err() {
            return;
        }
    }
}
