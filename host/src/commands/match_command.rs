//! `tavola match`: two players, boards or programs against each other, to be watched.

use std::fmt;
use std::io::Write;
use std::str::FromStr;

use clap::Args;
use engine::players::registry;
use engine::spec::GameSpec;

use crate::failure::{Failure, Status};
use crate::partner::place::{Local, Place, PlaceName, program};
use crate::play::app::App;
use crate::play::draw::Look;
use crate::play::plain::Plain;
use crate::play::round::{Chair, Round};
use crate::play::setup::{HumanSide, Setup};
use crate::play::terminal;
use crate::table_size::TableSize;
use crate::time_span::TimeSpan;

const EXAMPLES: &str = "\
Examples:
  tavola match tavola cadrega --game mnk:15x15x5 --time 1s
  tavola match tavola:level=3 emulator --game connect:6x7x4
  tavola match board brain:./pbrain-other --time 5s --match-time 180s
  tavola match /dev/ttyACM0 /dev/ttyACM1 --plain

A contestant is a player (`tavola players` lists them), emulator, board, a serial port, or
brain:PROGRAM for a program that speaks Gomocup's protocol (mnk boards with 5 in a row).
Exit codes: 0 the game was played to its end, 1 a contestant failed or the game was left, 2 usage.";

/// Who plays when nobody else is named, as on a board.
const DEFAULT_PLAYER: &str = "tavola";

/// The arguments of `tavola match`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// Who moves first
    pub first: Contestant,
    /// Who moves second
    pub second: Contestant,
    /// The game
    #[arg(long, value_name = "GAME", default_value = "mnk:15x15x5")]
    pub game: GameSpec,
    /// Time per move
    #[arg(long, value_name = "TIME", default_value = "2s")]
    pub time: TimeSpan,
    /// Time per game; without it there is no limit
    #[arg(long, value_name = "TIME")]
    pub match_time: Option<TimeSpan>,
    /// Line by line, for pipes and screen readers
    #[arg(long)]
    pub plain: bool,
    /// Letters instead of signs, for terminals that have no others
    #[arg(long)]
    pub ascii: bool,
    /// Bytes for each transposition table in this program
    #[arg(long, value_name = "SIZE", default_value = super::brain::DEFAULT_TABLE)]
    pub table: TableSize,
    /// Where the players' dice start
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
}

/// Somebody who can play against somebody else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Contestant {
    /// A player in this process.
    Player(String),
    /// A board of some kind.
    Board(PlaceName),
    /// A program.
    Program(String),
}

/// A text that names nobody.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContestantError(String);

impl fmt::Display for ContestantError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.0;
        write!(
            f,
            "no such contestant `{name}`: expected a player's name, emulator, board, a serial \
             port or brain:PROGRAM"
        )
    }
}

impl std::error::Error for ContestantError {}

impl FromStr for Contestant {
    type Err = ContestantError;

    fn from_str(text: &str) -> Result<Contestant, ContestantError> {
        let known = |name: &str| registry::listings().any(|l| l.name.eq_ignore_ascii_case(name));
        match (program(text), text.parse()) {
            (Some(""), _) => Err(ContestantError(text.into())),
            (Some(command), _) => Ok(Contestant::Program(command.into())),
            (None, Ok(PlaceName::Local)) => Ok(Contestant::Player(DEFAULT_PLAYER.into())),
            (None, Ok(place)) => Ok(Contestant::Board(place)),
            (None, Err(_)) if known(text.split(':').next().unwrap_or(text)) => {
                Ok(Contestant::Player(text.into()))
            }
            (None, Err(_)) => Err(ContestantError(text.into())),
        }
    }
}

impl Contestant {
    /// The chair to put this one in.
    fn chair(&self, spec: GameSpec, local: Local) -> Result<Chair, Failure> {
        match self {
            Contestant::Player(player) => {
                registry::check(player, spec)
                    .map_err(|error| Failure::Input(format!("player `{player}`: {error}")))?;
                Ok(Chair::new(Place::Local(local), player.clone()))
            }
            Contestant::Board(place) => {
                let place = place.place(local).prepared().map_err(Failure::Input)?;
                Ok(Chair::new(place, DEFAULT_PLAYER.into()))
            }
            Contestant::Program(command) => {
                Ok(Chair::new(Place::Program(command.clone()), String::new()))
            }
        }
    }
}

/// Runs the command.
///
/// # Errors
/// The arguments or the terminal cannot be used.
pub fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Status, Failure> {
    if !arguments.plain {
        terminal::require()?;
    }
    let spec = arguments.game;
    let local = Local { table: arguments.table, seed: arguments.seed };
    let other = Local { seed: arguments.seed.wrapping_add(1), ..local };
    let chairs = [arguments.first.chair(spec, local)?, arguments.second.chair(spec, other)?];
    let setup = Setup {
        spec,
        player: DEFAULT_PLAYER.into(),
        human: HumanSide::Both,
        turn: arguments.time.0,
        game: arguments.match_time.map(|time| time.0),
    };
    let round = Round::between(&setup, chairs).map_err(Failure::Input)?;
    let round = if arguments.plain {
        Plain::watch(round, setup, local, out).run(None)?.1
    } else {
        let app = App::watch(round, setup, local, Look::of_environment(arguments.ascii));
        let round = terminal::run(app)?.round;
        if let Some(result) = round.result() {
            writeln!(out, "{result}")?;
        }
        round
    };
    let whole = round.course.given_up().is_none() && round.course.outcome().is_some();
    Ok(if whole { Status::Done } else { Status::Incomplete })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contestants_are_known_by_name() {
        assert_eq!("emulator".parse(), Ok(Contestant::Board(PlaceName::Emulator)));
        assert_eq!("tavola:level=3".parse(), Ok(Contestant::Player("tavola:level=3".into())));
        assert_eq!("brain:a b".parse(), Ok(Contestant::Program("a b".into())));
        for text in ["", "brain:", "nobody", "bra in:x"] {
            let error = text.parse::<Contestant>().expect_err(text);
            assert!(error.to_string().contains("expected a player's name"), "{error}");
        }
    }
}
