//! `tavola show`: the games of a record, and the board at any move.
//!
//! The whole file is checked by the rules before anything is shown; see
//! [`crate::game_record::text`].

use std::io::Write;

use clap::Args;
use engine::drawing::letter;
use engine::game::{Game, Side};

use crate::board_text;
use crate::failure::{Failure, Status};
use crate::game_record::text::{self, clipped};
use crate::game_record::{GameRecord, side_word};
use crate::input;
use crate::position;

const EXAMPLES: &str = "\
Examples:
  tavola show games.txt
  tavola show games.txt --game 3
  tavola show games.txt --game 3 --ply 10

`tavola arena --record games.txt` writes such files. Exit codes: 0 shown, 2 usage or bad file.";

/// The arguments of `tavola show`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// A record of games; - is the standard input
    pub file: String,
    /// Which game, counted from 1; without it, a file of several games is listed
    #[arg(long, value_name = "N")]
    pub game: Option<usize>,
    /// The board after this many moves instead of at the end
    #[arg(long, value_name = "P")]
    pub ply: Option<usize>,
}

/// Runs the command.
///
/// # Errors
/// The file cannot be read or is no record of games, or the output cannot be written.
pub fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Status, Failure> {
    let file = &arguments.file;
    let games = text::read(&input::read(file)?)
        .map_err(|error| Failure::Input(format!("`{file}`: {error}")))?;
    let number = match (arguments.game, arguments.ply) {
        (Some(number), _) => number,
        (None, None) if games.len() > 1 => {
            list(&games, out)?;
            return Ok(Status::Done);
        }
        (None, Some(_)) if games.len() > 1 => {
            return Err(Failure::Input(format!(
                "there are {} games: choose one with --game",
                games.len()
            )));
        }
        (None, _) => 1,
    };
    let game = number.checked_sub(1).and_then(|index| games.get(index)).ok_or_else(|| {
        Failure::Input(format!("there is no game {number}: expected 1 to {}", games.len()))
    })?;
    let moves = game.moves.len();
    let ply = arguments.ply.unwrap_or(moves);
    if ply > moves {
        return Err(Failure::Input(format!("there is no ply {ply}: expected 0 to {moves}")));
    }
    show(game, (number, games.len()), ply, out)?;
    Ok(Status::Done)
}

fn list(games: &[GameRecord], out: &mut dyn Write) -> Result<(), Failure> {
    let names: Vec<[String; 2]> =
        games.iter().map(|game| [0, 1].map(|side: usize| clipped(&game.players[side]))).collect();
    let widest = |side: usize| {
        names.iter().map(|names| names[side].chars().count()).max().unwrap_or(0).max(6)
    };
    let (first, second) = (widest(0), widest(1));
    writeln!(
        out,
        "{:>4}  {:<18} {:first$} {:second$} {:>5}  result",
        "game", "board", "first", "second", "moves"
    )?;
    for (index, (game, names)) in games.iter().zip(&names).enumerate() {
        writeln!(
            out,
            "{:>4}  {:<18} {:first$} {:second$} {:>5}  {}",
            index + 1,
            game.spec.to_string(),
            names[0],
            names[1],
            game.moves.len(),
            result_words(game)
        )?;
    }
    Ok(())
}

/// `1-0`, with the margin or the reason of a forfeit.
fn result_words(game: &GameRecord) -> String {
    let mut words = game.result().to_string();
    if let Some(margin) = game.margin() {
        words.push_str(&format!(" {margin}"));
    }
    if let Some(forfeit) = &game.forfeit {
        // A reason can be long; only what a terminal would act on has to go.
        let reason: String = forfeit.reason.chars().flat_map(char::escape_debug).collect();
        words.push_str(&format!(" (forfeit of {}: {reason})", side_word(forfeit.side)));
    }
    words
}

fn show(
    game: &GameRecord,
    (number, games): (usize, usize),
    ply: usize,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let spec = game.spec;
    writeln!(out, "game {number} of {games}: {spec}")?;
    for side in Side::BOTH {
        writeln!(
            out,
            "{:<6} {} {}",
            side_word(side),
            letter(spec, side),
            clipped(&game.players[side.index()])
        )?;
    }
    writeln!(out, "result {} after {} moves", result_words(game), game.moves.len())?;
    // The moves are legal: they were played when the file was read.
    let mut position = Box::new(position::start(spec).map_err(Failure::Input)?);
    for &mv in game.moves.iter().take(ply) {
        position.try_play(mv).map_err(|error| Failure::Input(error.to_string()))?;
    }
    match ply.checked_sub(1) {
        None => writeln!(out, "before the first move:")?,
        Some(last) => {
            let side = side_word(Side::at_ply(last));
            let by = if last < game.opening { "the opening" } else { side };
            write!(out, "after move {ply}, {} by {by}", spec.show_move(game.moves[last]))?;
            if let Some(value) = game.turns[last].value {
                write!(out, " ({value})")?;
            }
            writeln!(out, ":")?;
        }
    }
    write!(out, "{}", board_text::draw(&position))?;
    Ok(())
}
