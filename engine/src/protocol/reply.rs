//! Answers as values: what a session writes, and what a program that talks to one reads.
//!
//! [`Reply::parse`] reads every line that a session can send in machine mode, and writing the reply
//! gives the same line again.

use core::fmt;

use super::checksum::{self, Checksum, Suffix};
use crate::score::Value;

/// A line of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply<'a> {
    /// `OK`: done.
    Ok,
    /// `PONG`: the answer to `PING`.
    Pong,
    /// One move, or two or three by the swap2 rule, separated by spaces.
    Moves(&'a str),
    /// `SWAP`: by the swap2 rule.
    Swap,
    /// `SUGGEST move`.
    Suggest(&'a str),
    /// `ERROR why`: a known command that is impossible; nothing has changed.
    Error(&'a str),
    /// `UNKNOWN why`: not a command.
    Unknown(&'a str),
    /// `MESSAGE text`, for the user.
    Message(&'a str),
    /// `DEBUG text`, for the author.
    Debug(&'a str),
    /// `name="...", version="...", ...`: the answer to `ABOUT`.
    About(&'a str),
    /// `PLAYER name`: who plays.
    Player(&'a str),
    /// `MOVES m m m`: the moves played.
    Played(&'a str),
    /// `LOAD ...`: a saved game.
    Saved(&'a str),
    /// `EVAL ...`: what a position is worth.
    Eval(Eval<'a>),
    /// `BENCH ...`: a measurement.
    Bench(Bench),
    /// `CLOCK ...`: time used and time given.
    Clock(ClockReply),
    /// `STATS ...`: counters.
    Stats(Stats),
    /// `VERSION ...`: name, version and capacities.
    Version(Version<'a>),
}

/// What a position is worth for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Eval<'a> {
    /// The value.
    pub value: Value,
    /// Whether it is proved.
    pub proved: bool,
    /// The depth searched.
    pub depth: u32,
    /// Nodes visited.
    pub nodes: u64,
    /// The expected course of the game: moves separated by spaces.
    pub line: &'a str,
}

/// Declares a reply that is a word and a list of `name=number`.
macro_rules! numbers {
    ($(#[$about:meta])* $name:ident, $word:literal, { $($(#[$doc:meta])* $field:ident: $type:ty,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct $name {
            $($(#[$doc])* pub $field: $type,)*
        }

        impl $name {
            fn parse(text: &str) -> Option<$name> {
                let mut words = text.split(' ');
                let reply = $name { $($field: field(words.next()?, stringify!($field))?.parse().ok()?,)* };
                words.next().is_none().then_some(reply)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str($word)?;
                $(write!(f, concat!(" ", stringify!($field), "={}"), self.$field)?;)*
                Ok(())
            }
        }
    };
}

numbers! {
    /// A measurement of the search.
    Bench, "BENCH", {
        /// Nodes visited.
        nodes: u64,
        /// The last depth completed.
        depth: u32,
        /// Microseconds.
        us: u64,
    }
}

numbers! {
    /// Time, in milliseconds.
    ClockReply, "CLOCK", {
        /// Used by the first player.
        first_ms: u64,
        /// Used by the second player.
        second_ms: u64,
        /// Given per move.
        turn_ms: u32,
        /// Given per game; 0: no limit.
        match_ms: u32,
        /// Left of the game; 2147483647: no limit.
        left_ms: i64,
    }
}

numbers! {
    /// Counters since the start.
    Stats, "STATS", {
        /// Games begun.
        games: u32,
        /// Moves answered.
        moves: u32,
        /// Nodes visited.
        nodes: u64,
        /// Time spent thinking, in milliseconds.
        thinking_ms: u64,
        /// The longest time spent on a job, in microseconds.
        longest_us: u64,
        /// The most that a job took beyond its deadline, in microseconds.
        late_us: u64,
        /// Lines read.
        lines: u32,
        /// Lines answered with `ERROR` or `UNKNOWN`.
        errors: u32,
        /// Lines thrown away because they were damaged.
        damaged: u32,
    }
}

/// Who this is and what it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Version<'a> {
    /// Name and version, as in `tavola 0.1.0`.
    pub name: &'a str,
    /// The version.
    pub version: &'a str,
    /// The numbers behind them.
    pub holds: Holds,
}

numbers! {
    /// What a session holds.
    Holds, "", {
        /// The version of the protocol.
        protocol: u32,
        /// The most cells of an mnk board.
        mnk: usize,
        /// The most cells of a connect board.
        connect: usize,
        /// The most cells of a bricks board.
        bricks: usize,
        /// Bytes of table.
        table: usize,
    }
}

/// The value of `name=value`.
fn field<'a>(word: &'a str, name: &str) -> Option<&'a str> {
    word.strip_prefix(name)?.strip_prefix('=')
}

impl fmt::Display for Eval<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("EVAL value=")?;
        match self.value {
            Value::Win { plies } => write!(f, "win:{plies}")?,
            Value::Loss { plies } => write!(f, "loss:{plies}")?,
            Value::Draw => f.write_str("draw")?,
            Value::Margin(margin) => write!(f, "margin:{margin}")?,
            Value::Heuristic(score) => write!(f, "guess:{score}")?,
        }
        let proved = if self.proved { "yes" } else { "no" };
        write!(f, " proved={proved} depth={} nodes={}", self.depth, self.nodes)?;
        write!(f, " line={}", self.line)
    }
}

impl<'a> Eval<'a> {
    fn parse(text: &'a str) -> Option<Eval<'a>> {
        let (numbers, line) = text.split_once(" line=")?;
        let mut words = numbers.split(' ');
        let value = field(words.next()?, "value")?;
        let (kind, number) = value.split_once(':').unwrap_or((value, ""));
        let value = match kind {
            "win" => Value::Win { plies: number.parse().ok()? },
            "loss" => Value::Loss { plies: number.parse().ok()? },
            "draw" if number.is_empty() => Value::Draw,
            "margin" => Value::Margin(number.parse().ok()?),
            "guess" => Value::Heuristic(number.parse().ok()?),
            _ => return None,
        };
        let proved = match field(words.next()?, "proved")? {
            "yes" => true,
            "no" => false,
            _ => return None,
        };
        let depth = field(words.next()?, "depth")?.parse().ok()?;
        let nodes = field(words.next()?, "nodes")?.parse().ok()?;
        words.next().is_none().then_some(Eval { value, proved, depth, nodes, line })
    }
}

/// Why a line is not a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplyError {
    /// No session says this.
    NotAReply,
    /// The checksum is wrong.
    Checksum,
}

impl fmt::Display for ReplyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ReplyError::NotAReply => "not an answer of a session",
            ReplyError::Checksum => "bad checksum",
        })
    }
}

impl core::error::Error for ReplyError {}

impl<'a> Reply<'a> {
    /// Reads a line, without its line end, and takes a checksum off it if there is one.
    ///
    /// # Errors
    /// The line is damaged, or no session says this.
    pub fn parse(line: &'a str) -> Result<Reply<'a>, ReplyError> {
        let line = match checksum::split(line.as_bytes()) {
            Suffix::Sum(text, sum) if Checksum::of(text).value() == sum => {
                line.get(..text.len()).ok_or(ReplyError::NotAReply)?
            }
            // A star may stand in a text that quotes what was sent.
            Suffix::None(_) | Suffix::Malformed => line,
            Suffix::Sum(..) => return Err(ReplyError::Checksum),
        };
        Reply::parse_unchecked(line).ok_or(ReplyError::NotAReply)
    }

    fn parse_unchecked(line: &'a str) -> Option<Reply<'a>> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        Some(match word {
            "OK" if rest.is_empty() => Reply::Ok,
            "PONG" if rest.is_empty() => Reply::Pong,
            "SWAP" if rest.is_empty() => Reply::Swap,
            "SUGGEST" => Reply::Suggest(Some(rest).filter(|rest| is_move(rest))?),
            "ERROR" => Reply::Error(rest),
            "UNKNOWN" => Reply::Unknown(rest),
            "MESSAGE" => Reply::Message(rest),
            "DEBUG" => Reply::Debug(rest),
            "PLAYER" => Reply::Player(rest),
            "MOVES" => Reply::Played(rest),
            "LOAD" => Reply::Saved(rest),
            "EVAL" => Reply::Eval(Eval::parse(rest)?),
            "BENCH" => Reply::Bench(Bench::parse(rest)?),
            "CLOCK" => Reply::Clock(ClockReply::parse(rest)?),
            "STATS" => Reply::Stats(Stats::parse(rest)?),
            "VERSION" => {
                let (name, rest) = rest.split_once(' ')?;
                let (version, rest) = rest.split_once(' ')?;
                Reply::Version(Version { name, version, holds: Holds::parse(rest)? })
            }
            _ if word.starts_with("name=\"") => Reply::About(line),
            _ if line.split(' ').count() <= 3 && line.split(' ').all(is_move) => Reply::Moves(line),
            _ => return None,
        })
    }
}

/// Whether this looks like a move of some game.
fn is_move(word: &str) -> bool {
    let mut parts = word.split(',');
    let number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let first = parts.next().is_some_and(number);
    first
        && match (parts.next(), parts.next(), parts.next()) {
            (None, ..) => true,
            (Some(y), None, _) => number(y),
            (Some(y), Some("h" | "v"), None) => number(y),
            _ => false,
        }
}

impl fmt::Display for Reply<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Ok => f.write_str("OK"),
            Reply::Pong => f.write_str("PONG"),
            Reply::Swap => f.write_str("SWAP"),
            Reply::Moves(text) | Reply::About(text) => f.write_str(text),
            Reply::Suggest(text) => write!(f, "SUGGEST {text}"),
            Reply::Error(text) => write!(f, "ERROR {text}"),
            Reply::Unknown(text) => write!(f, "UNKNOWN {text}"),
            Reply::Message(text) => write!(f, "MESSAGE {text}"),
            Reply::Debug(text) => write!(f, "DEBUG {text}"),
            Reply::Player(text) => write!(f, "PLAYER {text}"),
            Reply::Played("") => f.write_str("MOVES"),
            Reply::Played(text) => write!(f, "MOVES {text}"),
            Reply::Saved(text) => write!(f, "LOAD {text}"),
            Reply::Eval(eval) => write!(f, "{eval}"),
            Reply::Bench(bench) => write!(f, "{bench}"),
            Reply::Clock(clock) => write!(f, "{clock}"),
            Reply::Stats(stats) => write!(f, "{stats}"),
            Reply::Version(Version { name, version, holds }) => {
                write!(f, "VERSION {name} {version}{holds}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use std::string::ToString;

    #[test]
    fn every_kind_of_reply_is_read_and_written_alike() {
        for line in [
            "OK",
            "PONG",
            "SWAP",
            "7,7",
            "3",
            "5,5,h",
            "7,7 8,7 9,9",
            "SUGGEST 7,7",
            "ERROR busy: thinking",
            "UNKNOWN no such command: HELP lists them",
            "MESSAGE   0 . . x",
            "DEBUG 5*6",
            "name=\"Tavola\", version=\"0.1.0\"",
            "PLAYER tavola:level=3",
            "MOVES",
            "MOVES 3 3 2",
            "LOAD 1 bricks:5 player=tavola engine=none clocks=0,0 moves=0 crc=00000000",
            "EVAL value=win:7 proved=yes depth=7 nodes=123 line=3 3 2",
            "EVAL value=guess:-12 proved=no depth=7 nodes=123 line=7,7",
            "EVAL value=draw proved=yes depth=0 nodes=0 line=",
            "EVAL value=margin:-3 proved=yes depth=3 nodes=9 line=0,0,h",
            "BENCH nodes=20000 depth=9 us=1234",
            "CLOCK first_ms=1 second_ms=2 turn_ms=3 match_ms=4 left_ms=-5",
            "STATS games=1 moves=2 nodes=3 thinking_ms=4 longest_us=5 late_us=6 lines=7 errors=8 damaged=9",
            "VERSION tavola 0.1.0 protocol=1 mnk=4900 connect=10000 bricks=400 table=65536",
        ] {
            let reply = Reply::parse(line).unwrap_or_else(|error| panic!("{line}: {error}"));
            assert_eq!(reply.to_string(), line, "{reply:?}");
        }
    }

    #[test]
    fn a_checksum_is_taken_off_or_refused() {
        assert_eq!(Reply::parse("PONG*16"), Ok(Reply::Pong));
        assert_eq!(Reply::parse("PONG*17"), Err(ReplyError::Checksum));
    }

    #[test]
    fn other_lines_are_not_replies() {
        for line in ["", "ok", "OK then", "7,", "7,7,7", "1 2 3 4", "EVAL value=great", "BENCH"] {
            assert_eq!(Reply::parse(line), Err(ReplyError::NotAReply), "{line}");
        }
    }
}
