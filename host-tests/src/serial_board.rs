//! A board at the other end of a pseudo-terminal, and a person who plays it line by line.
//!
//! [`SerialBoard`] passes bytes between a pseudo-terminal and whatever thinks ([`FarEnd`]): to the
//! program under test it is a serial port like any other. It can be unplugged, plugged in again,
//! reset, and made mute or mad. [`play`] runs the plain mode of `tavola play` on that port, with a
//! [`Step`]-by-step script instead of a person.

use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use host::brain::Settings;
use host::failure::{Failure, Status};
use host::link::emulator::Emulator;
use host::link::local::LocalLink;
use host::link::{Link, LinkError};
use host::partner::place::{Local, Place};
use host::play::plain::Plain;
use host::play::round::Round;
use host::play::setup::Setup;
use serialport::{SerialPort, TTYPort};

/// A test that waits this long has failed. Far more than it takes.
pub const PATIENCE: Duration = Duration::from_secs(180);
/// How long the bridge listens on one side before it looks at the other.
const STEP: Duration = Duration::from_millis(2);
/// Bytes passed on at a time.
const CHUNK: usize = 64;

/// What thinks at the far end of the line.
pub trait FarEnd: Send + 'static {
    /// The line to it.
    fn link(&mut self) -> &mut dyn Link;

    /// Presses its reset.
    fn reset(&mut self);
}

/// A session in this process that plays a board.
pub struct SessionBoard {
    link: LocalLink,
    /// What it says first after a reset.
    banner: Vec<u8>,
}

impl SessionBoard {
    /// A board that has just started.
    ///
    /// # Panics
    /// The system gives no thread.
    #[must_use]
    pub fn new() -> SessionBoard {
        SessionBoard { link: session(), banner: Vec::new() }
    }
}

fn session() -> LocalLink {
    let settings = Settings { table: "64K".parse().expect("a size"), seed: 1, echo: false };
    LocalLink::start(settings).expect("a session")
}

impl Default for SessionBoard {
    fn default() -> SessionBoard {
        SessionBoard::new()
    }
}

impl FarEnd for SessionBoard {
    fn link(&mut self) -> &mut dyn Link {
        self
    }

    fn reset(&mut self) {
        *self = SessionBoard::new();
        self.banner = b"MESSAGE Tavola 0.1.0 on a desk, reset: pin\n".to_vec();
    }
}

impl Link for SessionBoard {
    fn name(&self) -> &str {
        "session"
    }

    fn read(&mut self, buffer: &mut [u8], timeout: Duration) -> Result<usize, LinkError> {
        if self.banner.is_empty() {
            return match self.link.read(buffer, timeout) {
                // A board does not go away at `END`.
                Err(LinkError::Closed(_)) => {
                    self.link = session();
                    Ok(0)
                }
                result => result,
            };
        }
        let count = self.banner.len().min(buffer.len());
        buffer[..count].copy_from_slice(&self.banner[..count]);
        self.banner.drain(..count);
        Ok(count)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), LinkError> {
        // What is sent to a session that has just ended is lost, as in a reset.
        let _ = self.link.write(bytes);
        Ok(())
    }
}

impl FarEnd for Emulator {
    fn link(&mut self) -> &mut dyn Link {
        self.uart()
    }

    fn reset(&mut self) {
        Emulator::reset(self).expect("QEMU answers");
    }
}

/// What can be done to the board.
enum Order {
    Unplug,
    PlugIn,
    Reset,
    /// Nothing is heard of it any more.
    Mute,
    /// Every byte of it is damaged.
    Garble,
}

/// A board on a pseudo-terminal. The port has a name that stays when it is plugged in again.
#[derive(Clone)]
pub struct SerialBoard {
    folder: Arc<Folder>,
    orders: mpsc::Sender<(Order, mpsc::Sender<()>)>,
}

/// A folder that goes away with the test.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl SerialBoard {
    /// Plugs a board in.
    ///
    /// # Panics
    /// The system has no pseudo-terminals.
    #[must_use]
    pub fn new(far: impl FarEnd) -> SerialBoard {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("tavola-board-{}-{number}", std::process::id());
        let folder = Arc::new(Folder(std::env::temp_dir().join(name)));
        std::fs::create_dir_all(&folder.0).expect("a folder");
        let (orders, queue) = mpsc::channel();
        let board = SerialBoard { folder, orders };
        let port = board.port();
        thread::spawn(move || bridge(far, &port, &queue));
        board.order(Order::PlugIn);
        board
    }

    /// The name of the port.
    #[must_use]
    pub fn port(&self) -> PathBuf {
        self.folder.0.join("ttyACM0")
    }

    /// Pulls the plug.
    pub fn unplug(&self) {
        self.order(Order::Unplug);
    }

    /// Puts it in again.
    pub fn plug_in(&self) {
        self.order(Order::PlugIn);
    }

    /// Presses the reset.
    pub fn reset(&self) {
        self.order(Order::Reset);
    }

    /// Nothing is heard of it from now on.
    pub fn mute(&self) {
        self.order(Order::Mute);
    }

    /// What is heard of it from now on makes no sense.
    pub fn garble(&self) {
        self.order(Order::Garble);
    }

    /// Has it done before it returns.
    fn order(&self, order: Order) {
        let (done, wait) = mpsc::channel();
        self.orders.send((order, done)).expect("the bridge runs");
        wait.recv_timeout(PATIENCE).expect("the bridge obeys");
    }
}

/// What becomes of the board's words on their way.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Voice {
    Clear,
    Mute,
    Garbled,
}

/// Passes bytes between the port, when it is plugged in, and the far end.
fn bridge(mut far: impl FarEnd, name: &Path, orders: &mpsc::Receiver<(Order, mpsc::Sender<()>)>) {
    let mut port: Option<TTYPort> = None;
    let mut voice = Voice::Clear;
    let mut chunk = [0; CHUNK];
    loop {
        match orders.try_recv() {
            Ok((order, done)) => {
                match order {
                    Order::Unplug => {
                        port = None;
                        let _ = std::fs::remove_file(name);
                    }
                    Order::PlugIn => {
                        voice = Voice::Clear;
                        port = Some(plug_in(name));
                    }
                    Order::Reset => far.reset(),
                    Order::Mute => voice = Voice::Mute,
                    Order::Garble => voice = Voice::Garbled,
                }
                let _ = done.send(());
            }
            Err(mpsc::TryRecvError::Empty) => {}
            Err(mpsc::TryRecvError::Disconnected) => return,
        }
        if let Some(port) = &mut port {
            // An error means that nobody has opened it.
            let count = port.read(&mut chunk).unwrap_or(0);
            far.link().write(&chunk[..count]).expect("the far end takes bytes");
        }
        let count = far.link().read(&mut chunk, STEP).expect("the far end speaks");
        let said = &mut chunk[..count];
        if voice == Voice::Garbled {
            said.iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte |= 0x80);
        }
        if let Some(port) = &mut port
            && voice != Voice::Mute
        {
            // What is sent to nobody is lost, as on a real line.
            let _ = port.write_all(said);
        }
    }
}

fn plug_in(name: &Path) -> TTYPort {
    let (mut near, far) = TTYPort::pair().expect("a pseudo-terminal");
    near.set_timeout(STEP).expect("a timeout");
    let device = far.name().expect("a name");
    let _ = std::fs::remove_file(name);
    std::os::unix::fs::symlink(device, name).expect("a link");
    near
}

/// What the person does next.
pub enum Step {
    /// Types a line.
    Type(String),
    /// Waits until the program has said this, after all that was awaited before.
    Await(&'static str),
    /// Does something to the board.
    Do(Box<dyn FnOnce() + Send>),
}

/// Types a line.
#[must_use]
pub fn line(text: impl Into<String>) -> Step {
    Step::Type(format!("{}\n", text.into()))
}

/// Does something to a board.
#[must_use]
pub fn act(board: &SerialBoard, action: fn(&SerialBoard)) -> Step {
    let board = board.clone();
    Step::Do(Box::new(move || action(&board)))
}

/// What the program has said.
#[derive(Clone, Default)]
struct Said(Arc<Mutex<String>>);

impl Write for Said {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut said = self.0.lock().expect("no panic");
        said.push_str(&String::from_utf8_lossy(bytes));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The person: reads as a program reads a terminal.
struct Script {
    steps: std::vec::IntoIter<Step>,
    said: Said,
    /// How much of it was awaited.
    heard: usize,
}

impl Read for Script {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.steps.next() {
                None => return Ok(0),
                Some(Step::Type(line)) => {
                    buffer[..line.len()].copy_from_slice(line.as_bytes());
                    return Ok(line.len());
                }
                Some(Step::Do(action)) => action(),
                Some(Step::Await(text)) => self.wait_for(text)?,
            }
        }
    }
}

impl Script {
    fn wait_for(&mut self, text: &str) -> io::Result<()> {
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline {
            let said = self.said.0.lock().expect("no panic").clone();
            if let Some(at) = said[self.heard..].find(text) {
                self.heard += at + text.len();
                return Ok(());
            }
            thread::sleep(STEP);
        }
        eprintln!("never said: `{text}`");
        Err(io::ErrorKind::TimedOut.into())
    }
}

/// Plays by the plain mode on a port and gives back how it ended and what was said.
pub fn play(setup: Setup, port: &Path, steps: Vec<Step>) -> (Result<Status, Failure>, String) {
    let place = Place::Serial(port.to_string_lossy().into_owned());
    let (result, said) = play_at(setup, place, steps);
    (result.map(|(status, _)| status), said)
}

/// Plays by the plain mode and gives back how it ended, how things stood, and what was said.
pub fn play_at(
    setup: Setup,
    place: Place,
    steps: Vec<Step>,
) -> (Result<(Status, Round), Failure>, String) {
    let said = Said::default();
    let mut out = said.clone();
    let local = Local { table: "64K".parse().expect("a size"), seed: 1 };
    let script = Script { steps: steps.into_iter(), said: said.clone(), heard: 0 };
    let result = Plain::new(setup, place, local, &mut out)
        .and_then(|plain| plain.run(Some(Box::new(BufReader::new(script)))));
    let text = said.0.lock().expect("no panic").clone();
    (result, text)
}

/// A setup for a quick game, the person first.
///
/// # Panics
/// The game is none.
#[must_use]
pub fn quick(spec: &str) -> Setup {
    Setup {
        spec: spec.parse().expect(spec),
        player: "tavola:level=2".into(),
        turn: Duration::from_millis(200),
        ..Setup::default()
    }
}

/// Lines that play any game of this kind to its end: every move again and again. Those that the
/// rules do not allow are refused.
///
/// # Panics
/// The game is none.
#[must_use]
pub fn every_move(spec: &str) -> Vec<Step> {
    let spec: engine::spec::GameSpec = spec.parse().expect(spec);
    let again =
        if matches!(spec, engine::spec::GameSpec::Connect { .. }) { spec.rows() } else { 1 };
    let moves = (0..spec.move_numbers()).map(engine::game::Move::new);
    let lines: Vec<String> = moves.map(|mv| spec.show_move(mv).to_string()).collect();
    (0..again).flat_map(|_| lines.clone()).map(line).collect()
}
