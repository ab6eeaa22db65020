//! Games in files: the line of `SAVE`, or a record of finished games.
//!
//! A game in progress is kept as the line that a session gives to `SAVE` and takes back (see
//! docs/protocol.md), so that it can also be sent to a board. Records are those of `tavola arena`.

use std::fmt::Write as _;
use std::time::Duration;

use engine::game::{Game, Move, Side};
use engine::search::table::Bucket;
use engine::session::crc::Crc32;
use engine::session::desk::Desk;
use engine::session::memory::Apart;
use engine::session::save::{Header, Loader};
use engine::session::{PlayerName, side_name};
use engine::spec::GameSpec;

use crate::game_record::text as records;
use crate::position;

/// The word that a saved game begins with.
const LOAD: &str = "LOAD ";
/// The most bytes of a file: far more than any game, or a league of them.
pub const MAX_FILE: u64 = 64 << 20;

/// A game out of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saved {
    /// The game.
    pub spec: GameSpec,
    /// The moves, all of them legal.
    pub moves: Vec<Move>,
    /// Who played for the engine, and on which side.
    pub player: Option<String>,
    /// The engine's side.
    pub engine: Option<Side>,
    /// Time used by both sides.
    pub used: [Duration; 2],
    /// Who played, if it is a finished game of a record.
    pub record: Option<[String; 2]>,
}

/// The line of a game in progress.
#[must_use]
pub fn text(
    spec: GameSpec,
    player: &str,
    engine: Option<Side>,
    used: [Duration; 2],
    moves: &[Move],
) -> String {
    let format = engine::session::save::FORMAT;
    let (side, count) = (side_name(engine), moves.len());
    let [first, second] = used.map(|time| time.as_millis());
    let mut text = format!(
        "{format} {spec} player={player} engine={side} clocks={first},{second} moves={count}"
    );
    for &mv in moves {
        // A string takes everything.
        let _ = write!(text, " {}", spec.show_move(mv));
    }
    let mut crc = Crc32::new();
    crc.add(text.as_bytes());
    format!("{LOAD}{text} crc={:08X}", crc.value())
}

/// Reads a file: a saved game, or game number `game` (from 1) of a record.
///
/// # Errors
/// It is neither, in a line that says what is accepted.
pub fn read(bytes: &[u8], game: Option<usize>) -> Result<Saved, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| {
        "not text in UTF-8: expected a game saved by `tavola play`, or a record of games"
            .to_string()
    })?;
    match text.trim().strip_prefix(LOAD) {
        Some(_) if game.is_some_and(|number| number != 1) => {
            Err("a saved game is one game: leave --game away".into())
        }
        Some(line) => read_line(line),
        None => read_record(bytes, game),
    }
}

/// Reads the words behind `LOAD` as a session does.
fn read_line(line: &str) -> Result<Saved, String> {
    let mut storage = [Bucket::EMPTY; 1];
    let mut workspace = Box::default();
    let start = position::start(GameSpec::Bricks { size: 1 })?;
    let mut desk: Box<Desk<'_, _>> =
        Box::new(Desk::new(Apart::new(start, &mut storage), &mut workspace));
    let mut loader = Loader::new();
    for word in line.split_whitespace() {
        loader.word(word, Some(&mut *desk));
    }
    let header = loader.finish().map_err(|error| format!("not a saved game: {error}"))?;
    let Header { spec, player, engine, clocks_ms, .. } = header;
    let moves = (0..desk.game().ply()).map_while(|ply| desk.game().played(ply)).collect();
    Ok(Saved {
        spec: *spec,
        moves,
        player: Some(PlayerName::to_string(player)),
        engine: *engine,
        used: clocks_ms.map(Duration::from_millis),
        record: None,
    })
}

fn read_record(bytes: &[u8], game: Option<usize>) -> Result<Saved, String> {
    let games = records::read(bytes).map_err(|error| {
        format!("{error} (expected a game saved by `tavola play`, or a record of games)")
    })?;
    let count = games.len();
    let number = game.unwrap_or(1);
    let record = number
        .checked_sub(1)
        .and_then(|index| games.into_iter().nth(index))
        .ok_or_else(|| format!("there is no game {number}: expected 1 to {count}"))?;
    Ok(Saved {
        spec: record.spec,
        moves: record.moves,
        player: None,
        engine: None,
        used: [Duration::ZERO; 2],
        record: Some(record.players),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_saved_game_survives_the_way_through_text() {
        let spec: GameSpec = "connect:6x7x4".parse().expect("a game");
        let moves: Vec<Move> = [3, 3, 2].map(Move::new).to_vec();
        let used = [Duration::from_millis(1_200), Duration::from_millis(7)];
        let line = text(spec, "tavola:level=3", Some(Side::Second), used, &moves);
        let saved = read(format!("{line}\n").as_bytes(), None).expect("a saved game");
        assert_eq!((saved.spec, saved.moves, saved.used), (spec, moves, used));
        assert_eq!(
            (saved.player.as_deref(), saved.engine),
            (Some("tavola:level=3"), Some(Side::Second))
        );
    }

    #[test]
    fn the_line_is_the_one_of_a_session() {
        let spec: GameSpec = "connect:6x7x4".parse().expect("a game");
        let moves: Vec<Move> = [3, 3, 2].map(Move::new).to_vec();
        let line = text(spec, "random", None, [Duration::ZERO; 2], &moves);
        let expected =
            "LOAD 1 connect:6x7x4 player=random engine=none clocks=0,0 moves=3 3 3 2 crc=35D51A75";
        assert_eq!(line, expected);
    }

    #[test]
    fn other_files_are_refused_with_what_is_accepted() {
        for (bytes, reason) in [
            (&b"\xff\xfe"[..], "not text in UTF-8: expected a game saved"),
            (b"LOAD 1 mnk:3x3x3", "not a saved game: line is cut"),
            (
                b"LOAD 1 connect:6x7x4 player=random engine=none clocks=0,0 moves=1 9 crc=0",
                "outside the board",
            ),
            (b"hello", "expected a game saved by"),
            (b"", "expected a game saved by"),
        ] {
            let error = read(bytes, None).expect_err("refused");
            assert!(error.contains(reason) && !error.contains('\n'), "{error}");
        }
    }
}
