//! `tavola play`: a game against a player, a board or yourself; see [`crate::play`].

use std::io::{self, BufReader, Write};
use std::path::PathBuf;

use clap::Args;
use engine::players::tavola::MAX_LEVEL;
use engine::spec::GameSpec;

use crate::failure::{Failure, Status};
use crate::partner::place::{Local, PlaceName};
use crate::play::app::App;
use crate::play::draw::Look;
use crate::play::plain::Plain;
use crate::play::saved::Saved;
use crate::play::setup::{HumanSide, Setup};
use crate::play::{terminal, world};
use crate::table_size::TableSize;
use crate::time_span::TimeSpan;

const EXAMPLES: &str = "\
Examples:
  tavola play                                   choose by menu
  tavola play connect:6x7x4 --level 3           a quick game, easy
  tavola play mnk:15x15x5 --side second --time 10s
  tavola play bricks:8 --player minimax --side both
  tavola play --on board                        the connected board thinks
  tavola play --on emulator                     an emulated board thinks
  tavola play --load game.txt                   a saved game, or a record of games to look through
  printf '1,1\\n0,2\\n' | tavola play mnk:3x3x3 --plain

`tavola players` lists the players. In the game, ? lists the keys; with --plain, help lists the words.
Exit codes: 0 ended, 1 lines of --plain that could not be obeyed, 2 usage, bad files, no board.";

/// The arguments of `tavola play`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The game, as in mnk:15x15x5, connect:6x7x4 or bricks:8; without any argument a menu asks
    #[arg(value_name = "GAME")]
    pub spec: Option<GameSpec>,
    /// Who plays against you, with or without parameters
    #[arg(long, value_name = "NAME")]
    pub player: Option<String>,
    /// How well `tavola` plays, 0 to 9
    #[arg(long, value_name = "N", conflicts_with = "player",
        value_parser = clap::value_parser!(u8).range(0..=i64::from(MAX_LEVEL)))]
    pub level: Option<u8>,
    /// Your side: first, second or both
    #[arg(long, value_name = "SIDE")]
    pub side: Option<HumanSide>,
    /// Time per move of the other side, as in 500ms or 10s
    #[arg(long, value_name = "TIME")]
    pub time: Option<TimeSpan>,
    /// Time per game of the other side, as in 180s; without it there is no limit
    #[arg(long, value_name = "TIME")]
    pub match_time: Option<TimeSpan>,
    /// Where the other side thinks: local, emulator, board, or a serial port as in /dev/ttyACM0
    #[arg(long, value_name = "PLACE", default_value = "local")]
    pub on: PlaceName,
    /// A saved game to go on with, or a record of games to look through
    #[arg(long, value_name = "FILE", conflicts_with = "spec")]
    pub load: Option<PathBuf>,
    /// Which game of a record, counted from 1
    #[arg(long, value_name = "N", requires = "load")]
    pub game: Option<usize>,
    /// Line by line, for pipes and screen readers
    #[arg(long)]
    pub plain: bool,
    /// Letters instead of signs, for terminals that have no others
    #[arg(long)]
    pub ascii: bool,
    /// Bytes for the transposition table where the other side thinks in this program
    #[arg(long, value_name = "SIZE", default_value = super::brain::DEFAULT_TABLE)]
    pub table: TableSize,
    /// Where the players' dice start
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
}

impl Arguments {
    /// Whether the game is chosen, so that no menu is needed.
    const fn is_chosen(&self) -> bool {
        self.spec.is_some()
            || self.player.is_some()
            || self.level.is_some()
            || self.side.is_some()
            || self.time.is_some()
            || self.match_time.is_some()
            || self.load.is_some()
    }

    fn setup(&self) -> Result<Setup, Failure> {
        let default = Setup::default();
        let level = self.level.map(|level| format!("tavola:level={level}"));
        let setup = Setup {
            spec: self.spec.unwrap_or(default.spec),
            player: self.player.clone().or(level).unwrap_or(default.player),
            human: self.side.unwrap_or(default.human),
            turn: self.time.map_or(default.turn, |time| time.0),
            game: self.match_time.map(|time| time.0),
        };
        // Who plays in a saved game is written in it.
        if self.load.is_none() {
            setup.check().map_err(Failure::Input)?;
        }
        Ok(setup)
    }

    fn saved(&self) -> Result<Option<Saved>, Failure> {
        let read = |file: &PathBuf| world::read(file, self.game).map_err(Failure::Input);
        self.load.as_ref().map(read).transpose()
    }
}

/// Runs the command.
///
/// # Errors
/// The arguments, the file or the terminal cannot be used, or there is no board.
pub fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Status, Failure> {
    let mut setup = arguments.setup()?;
    let saved = arguments.saved()?;
    if let Some(saved) = &saved {
        setup.spec = saved.spec;
    }
    if !arguments.plain {
        terminal::require()?;
    }
    let local = Local { table: arguments.table, seed: arguments.seed };
    let place = arguments.on.place(local).prepared().map_err(Failure::Input)?;
    if arguments.plain {
        let mut plain = Plain::new(setup, place, local, out)?;
        if let Some(saved) = &saved {
            plain.open(saved)?;
        }
        let input = Box::new(BufReader::new(io::stdin()));
        return plain.run(Some(input)).map(|(status, _)| status);
    }
    let look = Look::of_environment(arguments.ascii);
    let mut app =
        App::new(setup, place, local, look, !arguments.is_chosen()).map_err(Failure::Input)?;
    if let Some(saved) = &saved {
        app.open(saved).map_err(Failure::Input)?;
    }
    let app = terminal::run(app)?;
    if let Some(result) = app.round.result() {
        writeln!(out, "{result}")?;
    }
    Ok(Status::Done)
}
