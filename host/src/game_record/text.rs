//! Records of games as text, much like chess players' PGN.
//!
//! ```text
//! [Game "mnk:3x3x3"]
//! [First "random"]
//! [Second "oneply"]
//! [Limit "500 nodes"]
//! [Table "64K"]
//! [Opening "2"]
//! [Result "0-1"]
//!
//! 1. 0,0 2,1
//! 2. 2,2 {0 nodes} 1,1 {+14; 7 nodes}
//! 3. 0,1 {0 nodes} 0,2 {loss in 2; 5 nodes}
//! ...
//! 0-1
//! ```
//!
//! A game is a block of tags, then its moves with their numbers, then the result. Moves are in
//! the engine's notation. Behind a move that a player chose stands what it thought of the
//! position, its nodes, and under time limits its microseconds. `Game`, `First` and `Second` must
//! be there; bricks have `Margin`, games given away `Forfeit`. Tags of other names are skipped.
//!
//! The reader trusts nothing: it plays every move by the rules, and result, margin and forfeit
//! must agree with what comes of that. Errors are one line and begin with the line's number.

use std::fmt::Write as _;

use engine::game::{Game, Move, Side};
use engine::score::Value;
use engine::spec::GameSpec;

use super::{Forfeit, GameRecord, Turn, final_difference, result_word, side_word};
use crate::position;

/// The record as text, with a newline at the end.
#[must_use]
pub fn write(record: &GameRecord) -> String {
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        // Writing to a string cannot fail.
        let _ = writeln!(text, "[{name} \"{value}\"]");
    };
    tag("Game", &record.spec.to_string());
    tag("First", &record.players[0]);
    tag("Second", &record.players[1]);
    if let Some(limit) = record.limit {
        tag("Limit", &limit.to_string());
    }
    if let Some(table) = record.table {
        tag("Table", &table.to_string());
    }
    if record.opening > 0 {
        tag("Opening", &record.opening.to_string());
    }
    tag("Result", record.result());
    if let Some(margin) = record.margin() {
        tag("Margin", &margin.to_string());
    }
    if let Some(forfeit) = &record.forfeit {
        tag("Forfeit", &format!("{}: {}", side_word(forfeit.side), forfeit.reason));
    }
    text.push('\n');
    for (ply, mv) in record.moves.iter().enumerate() {
        let separator = match ply {
            0 => "",
            _ if Side::at_ply(ply) == Side::First => "\n",
            _ => " ",
        };
        text.push_str(separator);
        if Side::at_ply(ply) == Side::First {
            let _ = write!(text, "{}. ", ply / 2 + 1);
        }
        let _ = write!(text, "{}", record.spec.show_move(*mv));
        if let Some(turn) = record.turns.get(ply).filter(|_| ply >= record.opening) {
            text.push_str(" {");
            if let Some(value) = turn.value {
                let _ = write!(text, "{value}; ");
            }
            let _ = write!(text, "{} nodes", turn.nodes);
            if let Some(microseconds) = turn.microseconds {
                let _ = write!(text, "; {microseconds} us");
            }
            text.push('}');
        }
    }
    if !record.moves.is_empty() {
        text.push('\n');
    }
    text.push_str(record.result());
    text.push('\n');
    text
}

/// All games of a file, with at least one.
///
/// # Errors
/// The first thing that is wrong, in one line that begins with its place.
pub fn read(bytes: &[u8]) -> Result<Vec<GameRecord>, String> {
    let mut records = Vec::new();
    let mut unfinished: Option<Draft> = None;
    let mut number = 0;
    for line in bytes.split(|&byte| byte == b'\n') {
        number += 1;
        let at = |error: String| format!("line {number}: {error}");
        let line = std::str::from_utf8(line)
            .map_err(|_| at("not text: is this a record of games?".into()))?
            .trim();
        if line.is_empty() {
            continue;
        }
        let draft = unfinished.get_or_insert_default();
        if line.starts_with('[') {
            draft.read_tag(line).map_err(at)?;
        } else if draft.read_moves(line).map_err(at)? {
            records.extend(unfinished.take().map(Draft::finish).transpose().map_err(at)?);
        }
    }
    if unfinished.is_some() {
        return Err(format!("line {number}: the file ends before the game has a result"));
    }
    if records.is_empty() {
        return Err("line 1: there is no game in this file".into());
    }
    Ok(records)
}

/// A game that is being read.
#[derive(Default)]
struct Draft {
    tags: Vec<(String, String)>,
    /// The board, once moves have begun.
    play: Option<Play>,
    result: Option<String>,
}

struct Play {
    position: Box<engine::game::any::Position>,
    turns: Vec<Turn>,
}

impl Draft {
    fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|tag| tag.0 == name).map(|tag| tag.1.as_str())
    }

    /// Reads `[Name "value"]`.
    fn read_tag(&mut self, line: &str) -> Result<(), String> {
        if self.play.is_some() {
            return Err("a tag among the moves: the game before it has no result".into());
        }
        let form = || format!("not a tag: expected [Name \"value\"], found `{}`", clipped(line));
        let inner = line.strip_prefix('[').and_then(|rest| rest.strip_suffix("\"]"));
        let (name, value) = inner.and_then(|inner| inner.split_once(" \"")).ok_or_else(form)?;
        if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return Err(form());
        }
        if self.tag(name).is_some() {
            return Err(format!("the tag {} is there twice", clipped(name)));
        }
        let mut plain = String::new();
        let mut characters = value.chars();
        while let Some(character) = characters.next() {
            plain.push(match character {
                '\\' => characters.next().ok_or_else(form)?,
                '"' => return Err(form()),
                _ => character,
            });
        }
        self.tags.push((name.into(), plain));
        Ok(())
    }

    /// Sets up the board when the tags are complete.
    fn begin(&self) -> Result<Play, String> {
        let game = self.tag("Game").ok_or("the tag Game is missing before the moves")?;
        let spec: GameSpec =
            game.parse().map_err(|error| format!("game `{}`: {error}", clipped(game)))?;
        for name in ["First", "Second"] {
            self.tag(name).ok_or_else(|| format!("the tag {name} is missing before the moves"))?;
        }
        Ok(Play { position: Box::new(position::start(spec)?), turns: Vec::new() })
    }

    /// Reads a line of moves. `true` if the result was on it.
    fn read_moves(&mut self, line: &str) -> Result<bool, String> {
        let mut play = match self.play.take() {
            Some(play) => play,
            None => self.begin()?,
        };
        let mut rest = line;
        while !rest.is_empty() {
            if self.result.is_some() {
                return Err(format!("`{}` stands behind the result", clipped(rest)));
            }
            if let Some(inside) = rest.strip_prefix('{') {
                let (remark, after) =
                    inside.split_once('}').ok_or("a remark that opens by { must close by }")?;
                let turn = play.turns.last_mut().ok_or("a remark before the first move")?;
                *turn = read_turn(remark)?;
                rest = after.trim_start();
                continue;
            }
            let end = rest.find([' ', '\t', '{']).unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            rest = after.trim_start();
            let ply = play.position.ply();
            if let Some(move_number) = word.strip_suffix('.') {
                let expected = ply / 2 + 1;
                if move_number != expected.to_string() || Side::at_ply(ply) != Side::First {
                    return Err(format!("`{}` is not the number of the next move", clipped(word)));
                }
            } else if ["1-0", "0-1", "1/2-1/2"].contains(&word) {
                self.result = Some(word.into());
            } else {
                play_word(&mut play, word)
                    .map_err(|error| format!("move {} `{}`: {error}", ply + 1, clipped(word)))?;
            }
        }
        self.play = Some(play);
        Ok(self.result.is_some())
    }

    /// The game, if all that the record says of its end agrees with the rules.
    fn finish(self) -> Result<GameRecord, String> {
        let parsed = |name: &str, what: &str| match self.tag(name) {
            None => Ok(None),
            Some(text) => text
                .parse()
                .map(Some)
                .map_err(|_| format!("{name} `{}` is not {what}", clipped(text))),
        };
        let opening = parsed("Opening", "a number of moves")?.unwrap_or(0);
        let read_limit = |text: &str| {
            text.parse().map_err(|error| format!("limit `{}`: {error}", clipped(text)))
        };
        let read_table = |text: &str| {
            text.parse().map_err(|error| format!("table `{}`: {error}", clipped(text)))
        };
        let limit = self.tag("Limit").map(read_limit).transpose()?;
        let table = self.tag("Table").map(read_table).transpose()?;
        let forfeit = self.tag("Forfeit").map(read_forfeit).transpose()?;
        let players = ["First", "Second"].map(|name| self.tag(name).unwrap_or_default().into());
        let Some(play) = &self.play else { return Err("a game without moves and result".into()) };
        let position = &play.position;
        if opening > position.ply() {
            return Err(format!("an opening of {opening} moves in a game of {}", position.ply()));
        }
        let outcome = match (&forfeit, position.outcome()) {
            (None, Some(outcome)) => outcome,
            (None, None) => return Err("a result, but the game is not over".into()),
            (Some(_), Some(_)) => return Err("a forfeit, but the game was played out".into()),
            (Some(forfeit), None) if forfeit.side == position.side_to_move() => {
                engine::game::Outcome::Win(forfeit.side.other())
            }
            (Some(_), None) => return Err("a forfeit of the side that was not to move".into()),
        };
        let moves: Vec<Move> = (0..position.ply()).map_while(|n| position.played(n)).collect();
        let record = GameRecord {
            spec: position.spec(),
            players,
            limit,
            table,
            opening,
            moves,
            turns: play.turns.clone(),
            outcome,
            difference: final_difference(position),
            forfeit,
        };
        let expected = result_word(outcome);
        for told in self.result.as_deref().into_iter().chain(self.tag("Result")) {
            if told != expected {
                return Err(format!(
                    "the result is {expected} by the rules, the record says {}",
                    clipped(told)
                ));
            }
        }
        if let Some(told) = self.tag("Margin") {
            let margin = record.margin().map(|margin| margin.to_string()).unwrap_or_default();
            if told != margin {
                return Err(format!(
                    "the margin is `{margin}` by the rules, the record says `{}`",
                    clipped(told)
                ));
            }
        }
        Ok(record)
    }
}

fn play_word(play: &mut Play, word: &str) -> Result<(), String> {
    let mv = play.position.spec().parse_move(word).map_err(|error| error.to_string())?;
    play.position.try_play(mv).map_err(|error| error.to_string())?;
    play.turns.push(Turn::default());
    Ok(())
}

/// Reads the inside of `{+14; 7 nodes; 250 us}`.
fn read_turn(remark: &str) -> Result<Turn, String> {
    let mut turn = Turn::default();
    let wrong = || {
        let found = clipped(remark);
        format!("not a remark: expected value; N nodes; N us, found `{found}`")
    };
    for part in remark.split("; ") {
        if let Some(nodes) = part.strip_suffix(" nodes") {
            turn.nodes = nodes.parse().map_err(|_| wrong())?;
        } else if let Some(microseconds) = part.strip_suffix(" us") {
            turn.microseconds = Some(microseconds.parse().map_err(|_| wrong())?);
        } else {
            turn.value = Some(read_value(part).ok_or_else(wrong)?);
        }
    }
    Ok(turn)
}

/// Reads what [`Value`]'s `Display` writes.
fn read_value(text: &str) -> Option<Value> {
    if let Some(plies) = text.strip_prefix("win in ") {
        Some(Value::Win { plies: plies.parse().ok()? })
    } else if let Some(plies) = text.strip_prefix("loss in ") {
        Some(Value::Loss { plies: plies.parse().ok()? })
    } else if let Some(margin) = text.strip_prefix("margin ") {
        Some(Value::Margin(margin.parse().ok()?))
    } else if text == "draw" {
        Some(Value::Draw)
    } else {
        Some(Value::Heuristic(text.parse().ok()?))
    }
}

fn read_forfeit(text: &str) -> Result<Forfeit, String> {
    let wrong =
        || format!("not a forfeit: expected first or second: reason, found `{}`", clipped(text));
    let (side, reason) = text.split_once(": ").ok_or_else(wrong)?;
    let side = Side::BOTH.into_iter().find(|&known| side_word(known) == side).ok_or_else(wrong)?;
    Ok(Forfeit { side, reason: reason.into() })
}

/// A text from outside, short enough for a message and without anything that a terminal would
/// act on.
#[must_use]
pub fn clipped(text: &str) -> String {
    const MOST: usize = 40;
    let mut shown: String = text.chars().take(MOST).flat_map(char::escape_debug).collect();
    if text.chars().nth(MOST).is_some() {
        shown.push_str("...");
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::game::Outcome;

    const GAME: &str = "\
[Game \"mnk:3x3x3\"]
[First \"a\"]
[Second \"b:x=1\"]
[Limit \"500 nodes\"]
[Table \"64K\"]
[Opening \"2\"]
[Result \"1-0\"]

1. 0,0 0,1
2. 1,0 {win in 3; 7 nodes; 12 us} 1,1 {-5; 9 nodes}
3. 2,0 {0 nodes}
1-0
";

    fn parse(text: &str) -> Vec<GameRecord> {
        read(text.as_bytes()).unwrap_or_else(|error| panic!("{error}"))
    }

    #[track_caller]
    fn assert_broken(text: &str, error: &str) {
        let found = read(text.as_bytes()).expect_err(text);
        assert!(found.contains(error) && !found.contains('\n'), "{found}");
    }

    #[test]
    fn a_record_is_read_as_it_was_written() {
        let bricks = GameRecord {
            spec: GameSpec::Bricks { size: 2 },
            players: ["quoted \" name".into(), "back\\slash".into()],
            limit: Some("100ms".parse().expect("a limit")),
            table: None,
            opening: 0,
            moves: [0, 2].map(Move::new).to_vec(),
            turns: vec![
                Turn { value: Some(Value::Margin(-3)), nodes: 1, microseconds: Some(2) },
                Turn { value: Some(Value::Draw), nodes: u64::MAX, microseconds: None },
            ],
            outcome: Outcome::Draw,
            difference: Some(0),
            forfeit: None,
        };
        let forfeited = GameRecord {
            moves: vec![Move::new(0)],
            turns: vec![Turn { value: Some(Value::Loss { plies: 4 }), ..Turn::default() }],
            outcome: Outcome::Win(Side::First),
            difference: None,
            forfeit: Some(Forfeit { side: Side::Second, reason: "answered: late".into() }),
            ..bricks.clone()
        };
        let at_once = GameRecord {
            moves: Vec::new(),
            turns: Vec::new(),
            outcome: Outcome::Win(Side::Second),
            forfeit: Some(Forfeit { side: Side::First, reason: "no answer".into() }),
            ..forfeited.clone()
        };
        let all = [bricks, forfeited, at_once];
        let text = all.iter().map(write).collect::<Vec<_>>().join("\n");
        assert_eq!(parse(&text), all);
        assert_eq!(parse(&text.replace('\n', "\r\n")), all);
    }

    #[test]
    fn a_text_is_written_as_it_was_read() {
        let [record] = &parse(GAME)[..] else { panic!("one game") };
        assert_eq!(write(record), GAME);
        assert_eq!(record.turns[2].value, Some(Value::Win { plies: 3 }));
        assert_eq!(record.turns[0], Turn::default());
    }

    #[test]
    fn layout_and_strange_tags_do_not_matter() {
        let text = "[Event \"x\"]\n[Game \"connect:6x7x4\"]\n[First \"a\"]\n[Second \"b\"]\n\
                    0 1 0{draw; 1 nodes}1\n\n3. 0 1\n0 1-0";
        let [record] = &parse(text)[..] else { panic!("one game") };
        assert_eq!(record.moves.len(), 7);
        assert_eq!(record.turns[2].value, Some(Value::Draw));
    }

    #[test]
    fn broken_records_are_refused_with_the_line() {
        let changed = |from: &str, to: &str| {
            assert!(GAME.contains(from), "{from}");
            GAME.replacen(from, to, 1)
        };
        assert_broken("", "line 1: there is no game");
        assert_broken("hello", "line 1: the tag Game is missing");
        assert_broken(&changed("mnk:3x3x3", "mnk:3x3"), "line 9: game `mnk:3x3`: wrong form");
        assert_broken(&changed("[First \"a\"]\n", ""), "line 8: the tag First is missing");
        assert_broken(&changed("\"b:x=1\"]", "\"b"), "line 3: not a tag");
        assert_broken(&changed("[Second", "[First"), "line 3: the tag First is there twice");
        assert_broken(&changed("1,1", "1,0"), "line 10: move 4 `1,0`: that place is taken");
        assert_broken(&changed("1,1", "9,9"), "line 10: move 4 `9,9`: outside the board");
        assert_broken(&changed("1,1", "\u{1b}[31m"), "move 4 `\\u{1b}[31m`: not a move");
        assert_broken(&changed("2. ", "3. "), "line 10: `3.` is not the number");
        assert_broken(&changed("9 nodes}", "9 nodes"), "line 10: a remark that opens");
        assert_broken(&changed("-5; 9", "-5; x"), "line 10: not a remark");
        assert_broken(&changed("\n1-0", " 1,2\n1-0"), "line 11: move 6 `1,2`: the game is over");
        assert_broken(&changed("\n1-0", "\n0-1"), "line 12: the result is 1-0 by the rules");
        assert_broken(&changed("\"1-0\"", "\"0-1\""), "line 12: the result is 1-0 by the rules");
        assert_broken(&changed("3. 2,0 {0 nodes}\n", ""), "line 11: a result, but the game is not");
        assert_broken(&changed("\n1-0\n", "\n"), "line 12: the file ends before");
        assert_broken(&changed("\"2\"", "\"9\""), "an opening of 9 moves in a game of 5");
        assert_broken(&changed("\"2\"", "\"x\""), "Opening `x` is not a number of moves");
        assert_broken(&changed("\"500 nodes\"", "\"fast\""), "limit `fast`: not a limit");
        assert_broken(&changed("\n\n1.", "\n[Margin \"+1.000\"]\n\n1."), "the margin is ``");
        let forfeit = "\n[Forfeit \"second: late\"]\n\n1.";
        assert_broken(&changed("\n\n1.", forfeit), "a forfeit, but the game was played out");
        assert_broken(&format!("{GAME}{}", "x".repeat(1000)), "line 13: the tag Game is missing");
        let error = read(b"[Game \"mnk:3x3x3\"]\n\xff\xfe").expect_err("bytes");
        assert!(error.starts_with("line 2: not text"), "{error}");
    }

    #[test]
    fn no_change_of_a_byte_makes_the_reader_panic() {
        for at in 0..GAME.len() {
            for byte in [0, b' ', b'"', b'[', b'{', b'}', b'9', b'\n', 0xFF] {
                let mut bytes = GAME.as_bytes().to_vec();
                bytes[at] = byte;
                if let Err(error) = read(&bytes) {
                    assert!(error.starts_with("line ") && !error.contains('\n'), "{error}");
                }
                let _ = read(&bytes[..at]);
            }
        }
    }
}
