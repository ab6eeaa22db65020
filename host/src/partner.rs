//! Who thinks: a session in this process, an emulated or a real board, or another program.
//!
//! ```text
//!   screen ──► dialog (questions -> lines) ──► thread ──► link ──► session, board, program
//!   screen ◄── dialog (lines -> answers)   ◄── thread ◄── link ◄──
//! ```
//!
//! - [`place`]: where it thinks, and how to get there
//! - [`dialog`]: what is said, as pure state: lines in, lines out, moments given
//! - [`start`]: the thread that passes lines to and fro, so that nobody waits for a link
//!
//! Whoever asks keeps the game; the partner is handed as much of it as it lacks. So a partner can
//! be reset, unplugged or exchanged in the middle of a game.

pub mod dialog;
pub mod place;

use std::sync::mpsc::{self, TryRecvError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use engine::protocol::reply::{Holds, Reply};

use crate::link::Link;
use crate::link::lines::{LineBuffer, read_line};
use dialog::checked;
use place::{Connection, Place};

/// The most bytes of a line: a session's lines are shorter, and longer ones are cut.
const LINE_LIMIT: usize = 64 << 10;
/// How long the thread listens before it looks whether there is something to send.
const STEP: Duration = Duration::from_millis(5);
/// How long one attempt to be greeted may take.
const ATTEMPT: Duration = Duration::from_secs(1);
/// A partner that says more lines than this in this time has gone mad.
const MAX_LINES: u32 = 2_000;
const RATE_WINDOW: Duration = Duration::from_secs(1);
/// Bytes of a stranger's line that are quoted.
const QUOTED: usize = 40;

/// The LEDs of the emulated board's matrix: rows of red, green and blue.
pub type Matrix = [[(u8, u8, u8); 8]; 8];

/// What a partner's thread has to tell.
#[derive(Clone, Debug, PartialEq)]
pub enum News {
    /// It is there and answers; a session tells what it holds.
    Ready(Option<Holds>),
    /// It said this line.
    Line(String),
    /// Its matrix shows this.
    Picture(Box<Matrix>),
    /// It cannot be reached, or not any more: why, in a line.
    Gone(String),
}

/// The line to a partner. The partner is left when this value ends, which takes as long as that
/// takes: an emulated board is switched off, a port is closed.
#[derive(Debug)]
pub struct Partner {
    lines: Option<mpsc::Sender<String>>,
    thread: Option<JoinHandle<()>>,
}

impl Partner {
    /// Sends a line. One that is gone has told so already.
    pub fn send(&self, line: &str) {
        if let Some(lines) = &self.lines {
            let _ = lines.send(line.to_string());
        }
    }
}

impl Drop for Partner {
    fn drop(&mut self) {
        // The thread ends when nobody can send any more.
        self.lines = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Goes to a partner in a thread of its own, which tells what happens there. It leaves the old
/// partner first, since a port can be opened only once.
pub fn start(
    place: Place,
    old: Option<Partner>,
    mut tell: impl FnMut(News) + Send + 'static,
) -> Partner {
    let (lines, orders) = mpsc::channel();
    let thread = thread::spawn(move || {
        drop(old);
        if let Err(error) = visit(&place, &orders, &mut tell) {
            tell(News::Gone(error));
        }
    });
    Partner { lines: Some(lines), thread: Some(thread) }
}

/// Goes to a partner and passes lines until nobody sends any more.
fn visit(
    place: &Place,
    orders: &mpsc::Receiver<String>,
    tell: &mut impl FnMut(News),
) -> Result<(), String> {
    let mut connection = place.connect()?;
    let mut buffer = LineBuffer::new(LINE_LIMIT);
    let holds = match place.patience() {
        Some(patience) => match greet(connection.link(), &mut buffer, orders, patience)? {
            Some(holds) => Some(holds),
            None => return Ok(()),
        },
        None => None,
    };
    tell(News::Ready(holds));
    pass_on(connection.as_mut(), &mut buffer, orders, tell)
}

/// Makes sure that a session is at the other end, in machine mode and listening; `None` if nobody
/// waits for that any more.
fn greet(
    link: &mut dyn Link,
    buffer: &mut LineBuffer,
    orders: &mpsc::Receiver<String>,
    patience: Duration,
) -> Result<Option<Holds>, String> {
    let deadline = Instant::now() + patience;
    let name = link.name().to_string();
    let mut heard = None;
    // A board may be starting, thinking, or in the middle of a line for somebody else.
    let greeting = format!("\nSTOP\n{}\n{}\n", checked("MACHINE"), checked("VERSION"));
    while Instant::now() < deadline {
        // Before it is there, a partner is sent nothing.
        if orders.try_recv() == Err(TryRecvError::Disconnected) {
            return Ok(None);
        }
        link.write(greeting.as_bytes()).map_err(|error| error.to_string())?;
        let next = Instant::now() + ATTEMPT;
        while Instant::now() < next {
            let line = read_line(link, buffer, next.saturating_duration_since(Instant::now()));
            let Some(line) = line.map_err(|error| error.to_string())? else { break };
            if let Ok(Reply::Version(version)) = Reply::parse(&line) {
                return Ok(Some(version.holds));
            }
            heard = Some(line).filter(|line| !line.is_empty()).or(heard);
        }
    }
    Err(match heard {
        None => format!("{name}: does not answer"),
        Some(line) => {
            let quoted: String = line.chars().take(QUOTED).flat_map(char::escape_default).collect();
            format!("{name}: does not speak the protocol, it said `{quoted}`")
        }
    })
}

/// Passes lines to and fro until nobody sends any more.
fn pass_on(
    connection: &mut dyn Connection,
    buffer: &mut LineBuffer,
    orders: &mpsc::Receiver<String>,
    tell: &mut impl FnMut(News),
) -> Result<(), String> {
    let (mut window, mut lines) = (Instant::now(), 0);
    loop {
        match orders.try_recv() {
            Ok(line) => {
                let sent = connection.link().write(format!("{line}\n").as_bytes());
                sent.map_err(|error| error.to_string())?;
            }
            Err(TryRecvError::Empty) => {}
            Err(TryRecvError::Disconnected) => {
                // Whether it hears it does not matter any more.
                let _ = connection.link().write(b"END\n");
                return Ok(());
            }
        }
        let line = read_line(connection.link(), buffer, STEP);
        if let Some(line) = line.map_err(|error| error.to_string())? {
            if window.elapsed() > RATE_WINDOW {
                (window, lines) = (Instant::now(), 0);
            }
            lines += 1;
            if lines > MAX_LINES {
                return Err(format!("{}: talks without end", connection.link().name()));
            }
            tell(News::Line(line));
        }
        if let Some(picture) = connection.picture() {
            tell(News::Picture(Box::new(picture)));
        }
    }
}
