//! A game as one line of text, and back.
//!
//! ```text
//! LOAD 1 connect:6x7x4 player=tavola engine=second clocks=1200,350 moves=3 3 3 2 crc=5A7C01D2
//! ```
//!
//! The line is what `SAVE` answers, and what to send to have the game again, on this session or
//! another: format version, game, who plays, which side the engine has, milliseconds used by both
//! sides, how many moves, the moves, and a CRC-32 over the words before it, joined by single
//! spaces. A line that was cut or altered is refused and nothing changes.
//!
//! It has as many words as the game has moves, so it is written piece by piece and read word by
//! word: the moves are played on the board as they come, and if the line turns out to be bad the
//! old game is put back from the journal.

use core::fmt::{self, Write};

use super::crc::Crc32;
use super::desk::Desk;
use super::memory::Memory;
use super::{PlayerName, side_name};
use crate::game::{Game, IllegalMove, Side};
use crate::notation::NotationError;
use crate::players::registry;
use crate::spec::{GameSpec, SpecError};

/// The version of the format.
pub const FORMAT: &str = "1";

/// What a saved game holds besides the moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The game.
    pub spec: GameSpec,
    /// Who plays for the engine.
    pub player: PlayerName,
    /// The engine's side.
    pub engine: Option<Side>,
    /// Milliseconds used by both sides.
    pub clocks_ms: [u64; 2],
    /// How many moves.
    pub moves: usize,
}

impl fmt::Display for Header {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Header { spec, player, engine, clocks_ms: [first, second], moves } = self;
        let engine = side_name(*engine);
        write!(
            f,
            "{FORMAT} {spec} player={player} engine={engine} clocks={first},{second} moves={moves}"
        )
    }
}

/// Why a line is not a saved game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoadError {
    /// The line ends too early.
    Cut {
        /// What should have come.
        expected: &'static str,
    },
    /// A word is not what should stand there.
    Word {
        /// What should.
        expected: &'static str,
    },
    /// The format is a later one.
    Format,
    /// The game.
    Spec(SpecError),
    /// A move cannot be read.
    Notation {
        /// Which, counted from 1.
        number: usize,
        /// Why.
        why: NotationError,
    },
    /// The sum does not match.
    Altered,
    /// More words after the sum.
    TooLong,
    /// There is nobody with this name and parameters for this game.
    Player,
    /// The rules do not allow a move.
    Move {
        /// Which, counted from 1.
        number: usize,
        /// Why.
        why: IllegalMove,
    },
    /// The engine is thinking.
    Busy,
    /// Somebody played at the board meanwhile.
    Overtaken,
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::Cut { expected } => write!(f, "line is cut: {expected} is missing"),
            LoadError::Word { expected } => write!(f, "not a saved game: expected {expected}"),
            LoadError::Format => write!(f, "unknown format: expected {FORMAT}"),
            LoadError::Spec(error) => write!(f, "{error}"),
            LoadError::Notation { number, why } => write!(f, "move {number}: {why}"),
            LoadError::Altered => f.write_str("line was altered: its crc does not match"),
            LoadError::TooLong => f.write_str("line is too long: words after the crc"),
            LoadError::Player => f.write_str("no such player for this game"),
            LoadError::Move { number, why } => write!(f, "move {number}: {why}"),
            LoadError::Overtaken => f.write_str("overtaken by a button: send it again"),
            LoadError::Busy => f.write_str("busy: thinking; STOP first"),
        }
    }
}

impl core::error::Error for LoadError {}

/// What the next word should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Format,
    Game,
    Player,
    Engine,
    Clocks,
    Count,
    Moves,
    Crc,
    End,
}

impl Step {
    const fn expected(self) -> &'static str {
        match self {
            Step::Format => "the format's number",
            Step::Game => "the game",
            Step::Player => "player=name",
            Step::Engine => "engine=first, second or none",
            Step::Clocks => "clocks=ms,ms",
            Step::Count => "moves=count",
            Step::Moves => "a move",
            Step::Crc => "crc=sum",
            Step::End => "nothing more",
        }
    }
}

/// Reads a saved game word by word.
#[derive(Clone, Debug)]
pub struct Loader {
    step: Step,
    header: Header,
    crc: Crc32,
    /// Moves that are on the board; `None` as long as the old game is there.
    played: Option<usize>,
    error: Option<LoadError>,
}

impl Loader {
    /// At the start of the line, behind `LOAD`.
    #[must_use]
    pub fn new() -> Loader {
        Loader {
            step: Step::Format,
            header: Header {
                spec: GameSpec::Bricks { size: 1 },
                player: PlayerName::new(),
                engine: None,
                clocks_ms: [0; 2],
                moves: 0,
            },
            crc: Crc32::new(),
            played: None,
            error: None,
        }
    }

    /// Takes the next word. After the first error the rest is skipped. Without a desk there is
    /// nowhere to put the moves: the engine is thinking.
    pub fn word<M: Memory, const MOVES: usize, const NODES: usize>(
        &mut self,
        word: &str,
        desk: Option<&mut Desk<'_, M, MOVES, NODES>>,
    ) {
        if self.error.is_some() || word.is_empty() {
            return;
        }
        let result = match desk {
            Some(desk) => self.read(word, desk),
            None => Err(LoadError::Busy),
        };
        match result {
            Ok(step) => {
                if self.step != Step::Format {
                    self.crc.add(b" ");
                }
                self.crc.add(word.as_bytes());
                self.step = step;
            }
            Err(error) => self.error = Some(error),
        }
    }

    /// What the word says, and what comes next.
    fn read<M: Memory, const MOVES: usize, const NODES: usize>(
        &mut self,
        word: &str,
        desk: &mut Desk<'_, M, MOVES, NODES>,
    ) -> Result<Step, LoadError> {
        let wrong = LoadError::Word { expected: self.step.expected() };
        let header = &mut self.header;
        let after_moves =
            |done: usize, all: usize| if done < all { Step::Moves } else { Step::Crc };
        match self.step {
            Step::Format if word == FORMAT => Ok(Step::Game),
            Step::Format => Err(LoadError::Format),
            Step::Game => {
                header.spec = word.parse().map_err(LoadError::Spec)?;
                Ok(Step::Player)
            }
            Step::Player => {
                let name = word.strip_prefix("player=").ok_or(wrong)?;
                header.player = PlayerName::try_from(name).map_err(|_| wrong)?;
                Ok(Step::Engine)
            }
            Step::Engine => {
                header.engine = match word.strip_prefix("engine=") {
                    Some("first") => Some(Side::First),
                    Some("second") => Some(Side::Second),
                    Some("none") => None,
                    _ => return Err(wrong),
                };
                Ok(Step::Clocks)
            }
            Step::Clocks => {
                let times = word.strip_prefix("clocks=").and_then(|times| times.split_once(','));
                let (first, second) = times.ok_or(wrong)?;
                header.clocks_ms =
                    [first.parse().map_err(|_| wrong)?, second.parse().map_err(|_| wrong)?];
                Ok(Step::Count)
            }
            Step::Count => {
                let count = word.strip_prefix("moves=").ok_or(wrong)?;
                header.moves = count.parse().map_err(|_| wrong)?;
                registry::check(&header.player, header.spec).map_err(|_| LoadError::Player)?;
                desk.rebuild(header.spec).map_err(LoadError::Spec)?;
                self.played = Some(0);
                Ok(after_moves(0, header.moves))
            }
            Step::Moves => {
                let number = self.played.unwrap_or(0) + 1;
                let mv = header.spec.parse_move(word);
                let mv = mv.map_err(|why| LoadError::Notation { number, why })?;
                let played = desk.game_mut().try_play(mv);
                played.map_err(|why| LoadError::Move { number, why })?;
                self.played = Some(number);
                Ok(after_moves(number, header.moves))
            }
            Step::Crc => {
                // As it is written, and in no other way.
                let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'A'..=b'F');
                let digits = word.strip_prefix("crc=").filter(|digits| digits.len() == 8);
                let digits = digits.filter(|digits| digits.bytes().all(is_digit));
                let sum = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
                if sum.ok_or(wrong)? == self.crc.value() {
                    Ok(Step::End)
                } else {
                    Err(LoadError::Altered)
                }
            }
            Step::End => Err(LoadError::TooLong),
        }
    }

    /// Somebody else needs the board: the line is given up.
    pub fn overtake(&mut self) {
        self.error.get_or_insert(LoadError::Overtaken);
    }

    /// Whether the board is no longer what it was before the line.
    #[must_use]
    pub const fn has_touched_the_board(&self) -> bool {
        self.played.is_some()
    }

    /// The old game was put back.
    pub const fn forget_the_board(&mut self) {
        self.played = None;
    }

    /// What the line says besides the moves, when the whole line has come; the game is on the board
    /// then.
    ///
    /// # Errors
    /// The line is not a saved game; if the board was touched it has to be put back.
    pub fn finish(&self) -> Result<&Header, LoadError> {
        match (self.error, self.step) {
            (Some(error), _) => Err(error),
            (None, Step::End) => Ok(&self.header),
            (None, step) => Err(LoadError::Cut { expected: step.expected() }),
        }
    }

    /// The header of a journal: the words up to the moves.
    ///
    /// # Errors
    /// The text is not a header.
    pub(super) fn read_header<M: Memory, const MOVES: usize, const NODES: usize>(
        text: &str,
        desk: &mut Desk<'_, M, MOVES, NODES>,
    ) -> Result<Header, LoadError> {
        let mut loader = Loader::new();
        for word in text.split(' ') {
            loader.word(word, Some(desk));
        }
        match (loader.error, loader.step) {
            (Some(error), _) => Err(error),
            (None, Step::Moves | Step::Crc) => Ok(loader.header),
            (None, step) => Err(LoadError::Cut { expected: step.expected() }),
        }
    }
}

impl Default for Loader {
    fn default() -> Loader {
        Loader::new()
    }
}

/// The sum over a header and what follows.
pub(super) fn crc_of(header: &Header) -> Crc32 {
    let mut crc = Crc32::new();
    // A sum takes everything.
    let _ = write!(crc, "{header}");
    crc
}
