//! `tavola show`: the games of a record, the board at any move, and a graph of the values.
//!
//! The whole file is checked by the rules before anything is shown; see
//! [`crate::game_record::text`].

use std::io::Write;

use clap::Args;
use engine::drawing::letter;
use engine::game::any::Position;
use engine::game::{Game, Side};
use engine::score::{Score, Value};
use serde::Serialize;

use crate::board_text;
use crate::failure::{Failure, Status};
use crate::game_record::text::{self, clipped};
use crate::game_record::{GameRecord, side_word};
use crate::input;
use crate::output_file::{self, Overwrite};
use crate::plot::{self, Course, Point};
use crate::position;

const EXAMPLES: &str = "\
Examples:
  tavola show games.txt
  tavola show games.txt --game 3
  tavola show games.txt --game 3 --ply 10
  tavola show games.txt --game 3 --plot values.svg
  tavola show games.txt --json

`tavola arena --record games.txt` writes such files. The graph shows what each player told of its own
moves, as values for the first player; a win is at the rim.

JSON: one line per game. The `value` of a move is that of the side that played it, before the move;
null is not told. `board` is drawn after `ply` moves.

Exit codes: 0 shown, 2 usage or bad file.";

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
    /// Draw the values of the game as an SVG file
    #[arg(long, value_name = "FILE.svg")]
    pub plot: Option<String>,
    /// Overwrite the graph's file
    #[arg(long, requires = "plot")]
    pub force: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// A game as JSON.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameReport {
    /// Its number in the file, from 1.
    pub game: usize,
    /// The game's name and size.
    pub spec: String,
    /// The player who moves first.
    pub first: String,
    /// The other one.
    pub second: String,
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub result: &'static str,
    /// Bricks: the margin for the first player.
    pub margin: Option<f64>,
    /// Who gave the game away, and why.
    pub forfeit: Option<ForfeitReport>,
    /// How many of the moves were given as an opening.
    pub opening: usize,
    /// The moves.
    pub moves: Vec<MoveReport>,
    /// The board is drawn after this many moves.
    pub ply: usize,
    /// The board, line by line.
    pub board: Vec<String>,
}

/// A game given away, as JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ForfeitReport {
    /// `first` or `second`.
    pub side: &'static str,
    /// Why.
    pub reason: String,
}

/// A move as JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MoveReport {
    /// The move, as text.
    #[serde(rename = "move")]
    pub played: String,
    /// `first` or `second`.
    pub side: &'static str,
    /// What its player thought of the position before it.
    pub value: Option<ValueReport>,
    /// Nodes visited.
    pub nodes: u64,
    /// Time spent, if it was taken.
    pub microseconds: Option<u64>,
}

/// A value as JSON, for the side that moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum ValueReport {
    /// Won.
    Win {
        /// Plies to the end.
        plies: usize,
    },
    /// Lost.
    Loss {
        /// Plies to the end.
        plies: usize,
    },
    /// Drawn.
    Draw,
    /// Bricks: the difference at the end.
    Margin {
        /// Points.
        points: Score,
    },
    /// Not decided.
    Guess {
        /// Greater is better.
        score: Score,
    },
}

impl From<Value> for ValueReport {
    fn from(value: Value) -> ValueReport {
        match value {
            Value::Win { plies } => ValueReport::Win { plies },
            Value::Loss { plies } => ValueReport::Loss { plies },
            Value::Draw => ValueReport::Draw,
            Value::Margin(points) => ValueReport::Margin { points },
            Value::Heuristic(score) => ValueReport::Guess { score },
        }
    }
}

/// Runs the command.
///
/// # Errors
/// The file cannot be read or is no record of games, or the output cannot be written.
pub fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Status, Failure> {
    let file = &arguments.file;
    let games = text::read(&input::read(file)?)
        .map_err(|error| Failure::Input(format!("`{file}`: {error}")))?;
    let one = arguments.ply.is_some() || arguments.plot.is_some();
    let number = match arguments.game {
        Some(number) => number,
        None if games.len() == 1 => 1,
        None if one => {
            return Err(Failure::Input(format!(
                "there are {} games: choose one with --game",
                games.len()
            )));
        }
        None if arguments.json => {
            for (index, game) in games.iter().enumerate() {
                write_json(game, index + 1, game.moves.len(), out)?;
            }
            return Ok(Status::Done);
        }
        None => {
            list(&games, out)?;
            return Ok(Status::Done);
        }
    };
    let game = number.checked_sub(1).and_then(|index| games.get(index)).ok_or_else(|| {
        Failure::Input(format!("there is no game {number}: expected 1 to {}", games.len()))
    })?;
    let moves = game.moves.len();
    let ply = arguments.ply.unwrap_or(moves);
    if ply > moves {
        return Err(Failure::Input(format!("there is no ply {ply}: expected 0 to {moves}")));
    }
    if let Some(file) = &arguments.plot {
        let graph = graph(game, number)?;
        let overwrite =
            if arguments.force { Overwrite::Forced } else { Overwrite::NotUnlessForced };
        output_file::fill(file, &mut output_file::create(file, overwrite)?, &graph)?;
    }
    if arguments.json {
        write_json(game, number, ply, out)?;
    } else {
        show(game, (number, games.len()), ply, out)?;
    }
    Ok(Status::Done)
}

/// The values of a game as a graph.
fn graph(game: &GameRecord, number: usize) -> Result<String, Failure> {
    if game.turns.iter().all(|turn| turn.value.is_none()) {
        return Err(Failure::Input(format!(
            "there is nothing to plot: no move of game {number} has a value"
        )));
    }
    let courses = Side::BOTH.map(|side| {
        let player = &game.players[side.index()];
        let turns = game.turns.iter().enumerate();
        let own = turns.filter(|&(ply, _)| Side::at_ply(ply) == side);
        let points = own.map(|(ply, turn)| {
            turn.value.map(|value| Point {
                number: ply + 1,
                value: for_first(value, side),
                label: format!(
                    "move {}, {} by {player}: {value}",
                    ply + 1,
                    game.spec.show_move(game.moves[ply])
                ),
            })
        });
        let name = format!("{}: {player}", side_word(side));
        Course { name, points: points.collect() }
    });
    let title = format!("game {number}, {}: value for the first player at each move", game.spec);
    Ok(plot::value_graph(&title, &courses, game.moves.len()))
}

/// A value of this side as a number for the first player; wins are infinite.
fn for_first(value: Value, side: Side) -> f64 {
    let number = match value {
        Value::Win { .. } => f64::INFINITY,
        Value::Loss { .. } => f64::NEG_INFINITY,
        Value::Draw => 0.0,
        Value::Margin(score) | Value::Heuristic(score) => f64::from(score),
    };
    if side == Side::First { number } else { -number }
}

fn write_json(
    game: &GameRecord,
    number: usize,
    ply: usize,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let [first, second] = game.players.clone();
    let moves = game.moves.iter().zip(&game.turns).enumerate();
    let report = GameReport {
        game: number,
        spec: game.spec.to_string(),
        first,
        second,
        result: game.result(),
        margin: game.margin().map(|margin| margin.as_f64()),
        forfeit: game.forfeit.as_ref().map(|forfeit| ForfeitReport {
            side: side_word(forfeit.side),
            reason: forfeit.reason.clone(),
        }),
        opening: game.opening,
        moves: moves
            .map(|(ply, (&mv, turn))| MoveReport {
                played: game.spec.show_move(mv).to_string(),
                side: side_word(Side::at_ply(ply)),
                value: turn.value.map(ValueReport::from),
                nodes: turn.nodes,
                microseconds: turn.microseconds,
            })
            .collect(),
        ply,
        board: board_text::draw(&*position_at(game, ply)?).lines().map(str::to_owned).collect(),
    };
    serde_json::to_writer(&mut *out, &report)?;
    writeln!(out)?;
    Ok(())
}

/// The position after so many moves.
fn position_at(game: &GameRecord, ply: usize) -> Result<Box<Position>, Failure> {
    // The moves are legal: they were played when the file was read.
    let mut position = Box::new(position::start(game.spec).map_err(Failure::Input)?);
    for &mv in game.moves.iter().take(ply) {
        position.try_play(mv).map_err(|error| Failure::Input(error.to_string()))?;
    }
    Ok(position)
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
    let position = position_at(game, ply)?;
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
