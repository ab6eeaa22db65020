//! Where a partner thinks: `local`, `emulator`, `board`, a serial port, or `brain:PROGRAM`.

use std::fmt;
use std::io::Write as _;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use super::Matrix;
use crate::brain::Settings;
use crate::link::Link;
use crate::link::local::LocalLink;
use crate::link::program::ProgramLink;
use crate::link::serial::{SerialLink, find_board};

/// How long a session in this process and an emulated board may take to start.
const START_PATIENCE: Duration = Duration::from_secs(60);
/// How long a board that runs already may take to answer.
const BOARD_PATIENCE: Duration = Duration::from_secs(6);
/// What names a program.
const PROGRAM: &str = "brain:";

/// Where a partner thinks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// In this process.
    Local(Local),
    /// On an emulated board; the firmware, once it is known.
    Emulator(Option<PathBuf>),
    /// On the board that is connected.
    Board,
    /// On a serial port.
    Serial(String),
    /// In another program that speaks Gomocup's protocol.
    Program(String),
}

/// A session in this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Local {
    /// The table.
    pub table: crate::table_size::TableSize,
    /// Where the players' dice start.
    pub seed: u64,
}

/// A text that is no place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlaceError;

impl fmt::Display for PlaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "not a place: expected local, emulator, board, or a serial port as in /dev/ttyACM0 or COM3",
        )
    }
}

impl std::error::Error for PlaceError {}

/// A place as it is given on the command line, before its details are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlaceName {
    /// `local`.
    Local,
    /// `emulator`.
    Emulator,
    /// `board`.
    Board,
    /// A port.
    Serial(String),
}

impl FromStr for PlaceName {
    type Err = PlaceError;

    fn from_str(text: &str) -> Result<PlaceName, PlaceError> {
        match text {
            "local" => Ok(PlaceName::Local),
            "emulator" => Ok(PlaceName::Emulator),
            "board" => Ok(PlaceName::Board),
            _ if is_port(text) => Ok(PlaceName::Serial(text.into())),
            _ => Err(PlaceError),
        }
    }
}

impl PlaceName {
    /// The place; a session in this process gets this table and seed.
    #[must_use]
    pub fn place(&self, local: Local) -> Place {
        match self {
            PlaceName::Local => Place::Local(local),
            PlaceName::Emulator => Place::Emulator(None),
            PlaceName::Board => Place::Board,
            PlaceName::Serial(port) => Place::Serial(port.clone()),
        }
    }
}

/// Whether this can be the name of a serial port.
fn is_port(text: &str) -> bool {
    text.contains('/') || text.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("COM"))
}

/// The command behind `brain:`.
#[must_use]
pub fn program(text: &str) -> Option<&str> {
    text.strip_prefix(PROGRAM)
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Local(_) => f.write_str("local"),
            Place::Emulator(_) => f.write_str("emulator"),
            Place::Board => f.write_str("board"),
            Place::Serial(port) => f.write_str(port),
            Place::Program(command) => write!(f, "{PROGRAM}{command}"),
        }
    }
}

/// A link and what comes with it.
pub trait Connection: Send {
    /// The link.
    fn link(&mut self) -> &mut dyn Link;

    /// A new picture of the matrix, now and then.
    fn picture(&mut self) -> Option<Matrix> {
        None
    }
}

/// A link and nothing more.
struct Plain<L>(L);

impl<L: Link + Send> Connection for Plain<L> {
    fn link(&mut self) -> &mut dyn Link {
        &mut self.0
    }
}

impl Place {
    /// Finds out what must be known before the screen is taken over: the compiler may have to
    /// make the firmware first, and tells what it does.
    ///
    /// # Errors
    /// The firmware cannot be had, in a line.
    pub fn prepared(self) -> Result<Place, String> {
        match self {
            #[cfg(unix)]
            Place::Emulator(None) => {
                let mut stderr = std::io::stderr();
                // Whoever does not read it waits without knowing why.
                let _ = writeln!(stderr, "note: looking for the emulated board's firmware");
                crate::link::emulator::firmware::build(&[])
                    .map(|file| Place::Emulator(Some(file)))
                    .map_err(|error| error.to_string())
            }
            place => Ok(place),
        }
    }

    /// How long to wait for the first answer; `None` where nobody greets.
    #[must_use]
    pub const fn patience(&self) -> Option<Duration> {
        match self {
            Place::Local(_) | Place::Emulator(_) => Some(START_PATIENCE),
            Place::Board | Place::Serial(_) => Some(BOARD_PATIENCE),
            Place::Program(_) => None,
        }
    }

    /// Opens the link.
    ///
    /// # Errors
    /// It cannot be opened, in a line.
    pub fn connect(&self) -> Result<Box<dyn Connection>, String> {
        match self {
            Place::Local(Local { table, seed }) => {
                let settings = Settings { table: *table, seed: *seed, echo: false };
                let link = LocalLink::start(settings).map_err(|error| error.to_string())?;
                Ok(Box::new(Plain(link)))
            }
            Place::Serial(port) => Ok(Box::new(Plain(SerialLink::open(port)?))),
            Place::Board => Ok(Box::new(Plain(SerialLink::open(&find_board()?)?))),
            Place::Program(command) => {
                let started = ProgramLink::start(command);
                Ok(Box::new(Plain(started.map_err(|error| error.to_string())?)))
            }
            Place::Emulator(firmware) => emulated::connect(firmware.as_deref()),
        }
    }
}

#[cfg(not(unix))]
mod emulated {
    //! No emulated board here.

    use super::Connection;

    pub(super) fn connect(_: Option<&std::path::Path>) -> Result<Box<dyn Connection>, String> {
        Err("the emulated board needs Linux or macOS; on Windows, use WSL".into())
    }
}

#[cfg(unix)]
mod emulated {
    //! The emulated board, with its matrix.

    use std::path::Path;
    use std::thread;
    use std::time::{Duration, Instant};

    use super::{Connection, Matrix};
    use crate::link::emulator::{Emulator, Options, firmware};
    use crate::link::{Link, LinkError};

    /// How often the matrix is looked at.
    const PICTURE_STEP: Duration = Duration::from_millis(300);
    /// Text goes to the board at the speed of the real line: 64 characters of 10 bits at 115,200
    /// bits per second, and the pause that they take.
    const PIECE: usize = 64;
    const PIECE_PAUSE: Duration = Duration::from_micros(5_556);

    struct Emulated {
        emulator: Emulator,
        next_picture: Instant,
    }

    pub(super) fn connect(file: Option<&Path>) -> Result<Box<dyn Connection>, String> {
        let file = match file {
            Some(file) => file.to_path_buf(),
            None => firmware::build(&[]).map_err(|error| error.to_string())?,
        };
        let emulator =
            Emulator::start(&file, Options::default()).map_err(|error| error.to_string())?;
        Ok(Box::new(Emulated { emulator, next_picture: Instant::now() }))
    }

    impl Connection for Emulated {
        fn link(&mut self) -> &mut dyn Link {
            self
        }

        fn picture(&mut self) -> Option<Matrix> {
            if Instant::now() < self.next_picture {
                return None;
            }
            self.next_picture = Instant::now() + PICTURE_STEP;
            // Without a picture the game goes on.
            let screen = self.emulator.screen().ok()?;
            Some(screen.0.map(|row| row.map(|led| (led.red, led.green, led.blue))))
        }
    }

    impl Link for Emulated {
        fn name(&self) -> &str {
            "emulator"
        }

        fn read(&mut self, buffer: &mut [u8], timeout: Duration) -> Result<usize, LinkError> {
            self.emulator.uart().read(buffer, timeout)
        }

        fn write(&mut self, bytes: &[u8]) -> Result<(), LinkError> {
            for piece in bytes.chunks(PIECE) {
                self.emulator.uart().write(piece)?;
                thread::sleep(PIECE_PAUSE);
            }
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read_by_name() {
        assert_eq!("local".parse(), Ok(PlaceName::Local));
        assert_eq!("emulator".parse(), Ok(PlaceName::Emulator));
        assert_eq!("board".parse(), Ok(PlaceName::Board));
        for port in ["/dev/ttyACM0", "COM3", "./pty"] {
            assert_eq!(port.parse(), Ok(PlaceName::Serial(port.into())));
        }
        for text in ["", "moon", "Local", "CO"] {
            assert_eq!(text.parse::<PlaceName>(), Err(PlaceError), "{text}");
        }
    }
}
