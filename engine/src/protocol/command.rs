//! Lines to commands. Names are matched without regard to case.
//!
//! [`COMMANDS`] is the one list of commands: the parser finds a name in it, `HELP` prints it, and
//! an error quotes the usage from it.

use core::fmt;

use crate::players::tavola::MAX_LEVEL;
use crate::spec::{GameSpec, SpecError};

/// Something to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command<'a> {
    /// `START n`, `RECTSTART w,h`, `NEW spec`: an empty board.
    New {
        /// The game.
        spec: GameSpec,
        /// A Gomocup game, whose rule `INFO rule` decides.
        by_info: bool,
    },
    /// `RESTART`: the same game from the start.
    Restart,
    /// `BEGIN`: the engine opens.
    Begin,
    /// `TURN move`: the opponent's move; the engine answers.
    Turn(&'a str),
    /// `PLAY move`: play this after a `SUGGEST`.
    Play(&'a str),
    /// `MOVE moves`: play these without an answer.
    Moves(&'a str),
    /// `BOARD`: a position follows, then the engine moves.
    Board,
    /// `YXBOARD`: a position follows.
    YxBoard,
    /// `SWAP2BOARD`: an opening by the swap2 rule follows.
    Swap2Board,
    /// `DONE`: the end of a position.
    Done,
    /// `TAKEBACK move`: remove the last stone.
    TakeBack(&'a str),
    /// `INFO key value`.
    Info(Info),
    /// `ABOUT`: name, version, author.
    About,
    /// `END`: nothing more to say.
    End,
    /// `STOP`, `YXSTOP`: answer now.
    Stop,
    /// `PLAYER name`: who plays; without a name, tell.
    Player(Option<&'a str>),
    /// `LEVEL n`: how well.
    Level(u8),
    /// `HINT`: a good move for the side to move.
    Hint,
    /// `UNDO`: take the last turn back.
    Undo,
    /// `REDO`: play it again.
    Redo,
    /// `SWAP`: change sides.
    Swap,
    /// `SHOW`: the board.
    Show,
    /// `MOVES`: the moves played.
    List,
    /// `EVAL`: what the position is worth.
    Eval,
    /// `STATS`: counters.
    Stats,
    /// `CLOCK`: time used; with a number, the time per move in milliseconds.
    Clock(Option<u32>),
    /// `SAVE`: the game as a line.
    Save,
    /// `LOAD` with nothing behind it. With words behind it the line is read word by word.
    Load,
    /// `BENCH nodes`: search this many nodes.
    Bench(u32),
    /// `VERSION`: who this is and what it holds.
    Version,
    /// `HELP`: all commands, or one.
    Help(Option<&'static CommandInfo>),
    /// `HUMAN`: prompt, echo, drawn boards.
    Human,
    /// `MACHINE`: none of these.
    Machine,
    /// `PING`: are you there?
    Ping,
    /// `CHECK ON|OFF`: refuse lines without a checksum, or not.
    Check(bool),
}

/// What `INFO` tells. Milliseconds and bytes as the manager sends them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Info {
    /// Time per move; 0: answer as fast as possible.
    TimeoutTurn(i64),
    /// Time per game; 0: no limit.
    TimeoutMatch(i64),
    /// What is left of it.
    TimeLeft(i64),
    /// Memory; 0: no limit.
    MaxMemory(i64),
    /// Bit mask: 1 exactly five, 2 continuous game, 4 renju, 8 caro.
    Rule(i64),
    /// The most nodes per move; 0: no limit.
    MaxNodes(i64),
    /// The deepest search; 0: no limit.
    MaxDepth(i64),
    /// Where the players' dice start.
    Seed(i64),
    /// Whether to tell what the search finds while it thinks; 0: no.
    ShowDetail(i64),
    /// A key that changes nothing here, or one that nobody knows.
    Ignored,
    /// The value of a known key is not a number.
    NotANumber(&'static str),
}

/// What there is to know about a command.
#[derive(Debug)]
pub struct CommandInfo {
    /// The name, in capitals.
    pub name: &'static str,
    /// How it is written.
    pub usage: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
    parse: for<'a> fn(&'a str) -> Result<Command<'a>, Bad>,
}

impl PartialEq for CommandInfo {
    fn eq(&self, other: &CommandInfo) -> bool {
        self.name == other.name
    }
}

impl Eq for CommandInfo {}

/// What is wrong with a command's arguments.
enum Bad {
    Usage,
    Size(SpecError),
}

/// A command without arguments.
macro_rules! plain {
    ($name:literal, $about:literal, $command:expr) => {
        CommandInfo {
            name: $name,
            usage: $name,
            about: $about,
            parse: |rest| if rest.is_empty() { Ok($command) } else { Err(Bad::Usage) },
        }
    };
}

/// A command with one argument that the session reads.
macro_rules! with_text {
    ($name:literal, $usage:literal, $about:literal, $command:expr) => {
        CommandInfo {
            name: $name,
            usage: $usage,
            about: $about,
            parse: |rest| if rest.is_empty() { Err(Bad::Usage) } else { Ok($command(rest)) },
        }
    };
}

/// All commands.
pub const COMMANDS: &[CommandInfo] = &[
    CommandInfo {
        name: "NEW",
        usage: "NEW game",
        about: "empty board: mnk:15x15x5, connect:6x7x4, bricks:11",
        parse: |rest| Ok(Command::New { spec: rest.parse().map_err(Bad::Size)?, by_info: false }),
    },
    with_text!("TURN", "TURN move", "your move; I answer with mine", Command::Turn),
    plain!("BEGIN", "I play the first move", Command::Begin),
    plain!("SWAP", "change sides: I play the side to move", Command::Swap),
    with_text!("MOVE", "MOVE move ...", "play moves without an answer", Command::Moves),
    plain!("UNDO", "take back your last move and my answer", Command::Undo),
    plain!("REDO", "play again what was taken back", Command::Redo),
    plain!("HINT", "a good move for you", Command::Hint),
    plain!("SHOW", "the board", Command::Show),
    plain!("MOVES", "the moves played", Command::List),
    plain!("EVAL", "what the position is worth for the side to move", Command::Eval),
    CommandInfo {
        name: "LEVEL",
        usage: "LEVEL 0-9",
        about: "how well I play; 9 is full strength",
        parse: |rest| match whole(rest) {
            Some(level) if level <= u32::from(MAX_LEVEL) => Ok(Command::Level(level as u8)),
            _ => Err(Bad::Usage),
        },
    },
    CommandInfo {
        name: "PLAYER",
        usage: "PLAYER [name[:parameters]]",
        about: "who plays, as in PLAYER lavahound",
        parse: |rest| Ok(Command::Player((!rest.is_empty()).then_some(rest))),
    },
    CommandInfo {
        name: "CLOCK",
        usage: "CLOCK [seconds]",
        about: "time used; with a number, time per move, as in CLOCK 0.5",
        parse: |rest| match rest {
            "" => Ok(Command::Clock(None)),
            _ => milliseconds(rest).map(|ms| Command::Clock(Some(ms))).ok_or(Bad::Usage),
        },
    },
    plain!("SAVE", "the game as a line; send that line to load it", Command::Save),
    CommandInfo {
        name: "LOAD",
        usage: "LOAD line",
        about: "a game from the line that SAVE gave",
        parse: |_| Ok(Command::Load),
    },
    plain!("STOP", "stop thinking and answer now", Command::Stop),
    plain!("RESTART", "the same game from the start", Command::Restart),
    plain!("STATS", "counters since the start", Command::Stats),
    CommandInfo {
        name: "BENCH",
        usage: "BENCH [nodes]",
        about: "search the position for so many nodes and take the time",
        parse: |rest| match rest {
            "" => Ok(Command::Bench(BENCH_NODES)),
            _ => whole(rest).filter(|&n| n > 0).map(Command::Bench).ok_or(Bad::Usage),
        },
    },
    plain!("PING", "answered with PONG, also while thinking", Command::Ping),
    CommandInfo {
        name: "CHECK",
        usage: "CHECK ON|OFF",
        about: "whether every line must have a checksum",
        parse: |rest| match rest {
            _ if rest.eq_ignore_ascii_case("ON") => Ok(Command::Check(true)),
            _ if rest.eq_ignore_ascii_case("OFF") => Ok(Command::Check(false)),
            _ => Err(Bad::Usage),
        },
    },
    plain!("HUMAN", "prompt, echo and drawn boards, for people", Command::Human),
    plain!("MACHINE", "none of these, for programs (the default)", Command::Machine),
    plain!("VERSION", "name, version and capacities", Command::Version),
    CommandInfo {
        name: "HELP",
        usage: "HELP [command]",
        about: "this list, or one command",
        parse: |rest| match rest {
            "" => Ok(Command::Help(None)),
            _ => find(rest).map(|info| Command::Help(Some(info))).ok_or(Bad::Usage),
        },
    },
    plain!("ABOUT", "name, version, author, as Gomocup wants them", Command::About),
    CommandInfo {
        name: "START",
        usage: "START size",
        about: "Gomocup: five in a row on an empty square board, as in START 15",
        parse: |rest| {
            let size = whole(rest).ok_or(Bad::Usage)?;
            five_in_a_row(size, size)
        },
    },
    CommandInfo {
        name: "RECTSTART",
        usage: "RECTSTART width,height",
        about: "Gomocup: the same on a rectangle, as in RECTSTART 20,15",
        parse: |rest| {
            let (width, height) = rest.split_once(',').ok_or(Bad::Usage)?;
            match (whole(width.trim()), whole(height.trim())) {
                (Some(width), Some(height)) => five_in_a_row(width, height),
                _ => Err(Bad::Usage),
            }
        },
    },
    plain!("BOARD", "Gomocup: lines x,y,1 (mine) or x,y,2 (yours), DONE; I move", Command::Board),
    plain!("YXBOARD", "the same, but I do not move", Command::YxBoard),
    plain!("SWAP2BOARD", "Gomocup: lines x,y of 0, 3 or 5 stones, DONE", Command::Swap2Board),
    plain!("DONE", "ends BOARD, YXBOARD and SWAP2BOARD", Command::Done),
    with_text!("TAKEBACK", "TAKEBACK move", "Gomocup: remove the last stone", Command::TakeBack),
    with_text!("PLAY", "PLAY move", "Gomocup: play this after a SUGGEST", Command::Play),
    CommandInfo {
        name: "INFO",
        usage: "INFO key value",
        about: "Gomocup: time, memory, rule; never answered",
        parse: |rest| Ok(Command::Info(parse_info(rest))),
    },
    plain!("YXSTOP", "the same as STOP", Command::Stop),
    plain!("END", "stop at once, without an answer", Command::End),
];

/// What `BENCH` searches if no number is given.
pub const BENCH_NODES: u32 = 20_000;

/// The length of a line in Gomocup's games.
const FIVE: u32 = 5;

/// Why a line is not a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandError {
    /// No command has this name.
    Unknown,
    /// The arguments are not what the command takes.
    Usage(&'static CommandInfo),
    /// The game or its size.
    Size(SpecError),
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CommandError::Unknown => f.write_str("no such command: HELP lists them"),
            CommandError::Usage(info) => write!(f, "expected {}: {}", info.usage, info.about),
            CommandError::Size(error) => write!(f, "{error}"),
        }
    }
}

impl core::error::Error for CommandError {}

/// The command with this name.
#[must_use]
pub fn find(name: &str) -> Option<&'static CommandInfo> {
    COMMANDS.iter().find(|info| info.name.eq_ignore_ascii_case(name))
}

/// Reads a line.
///
/// # Errors
/// No such command, or wrong arguments.
pub fn parse(line: &str) -> Result<Command<'_>, CommandError> {
    let line = line.trim();
    let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let info = find(name).ok_or(CommandError::Unknown)?;
    (info.parse)(rest.trim()).map_err(|bad| match bad {
        Bad::Usage => CommandError::Usage(info),
        Bad::Size(error) => CommandError::Size(error),
    })
}

/// A whole number in digits only.
fn whole(text: &str) -> Option<u32> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().ok())?
}

/// Seconds with up to three decimals, in milliseconds.
fn milliseconds(text: &str) -> Option<u32> {
    let (seconds, decimals) = text.split_once('.').unwrap_or((text, ""));
    let seconds = whole(seconds)?.checked_mul(1_000)?;
    let thousandths = match decimals.len() {
        0 if text.contains('.') => return None,
        0 => 0,
        1 => whole(decimals)? * 100,
        2 => whole(decimals)? * 10,
        3 => whole(decimals)?,
        _ => return None,
    };
    seconds.checked_add(thousandths)
}

/// A Gomocup board. The rule is filled in by the session.
fn five_in_a_row<'a>(width: u32, height: u32) -> Result<Command<'a>, Bad> {
    use crate::spec::MNK_MAX_SIDE;
    for (what, size) in [("width", width), ("height", height)] {
        if !(FIVE..=MNK_MAX_SIDE).contains(&size) {
            return Err(Bad::Size(SpecError::Side { what, min: FIVE, max: MNK_MAX_SIDE }));
        }
    }
    let (rows, cols) = (height as u8, width as u8);
    let spec = GameSpec::Mnk { rows, cols, k: FIVE as u16, exact: false };
    Ok(Command::New { spec, by_info: true })
}

/// What a key of `INFO` makes of a number.
type MakeInfo = fn(i64) -> Info;

/// The keys of `INFO` that change something.
const INFO_KEYS: &[(&str, MakeInfo)] = &[
    ("timeout_turn", Info::TimeoutTurn),
    ("timeout_match", Info::TimeoutMatch),
    ("time_left", Info::TimeLeft),
    ("max_memory", Info::MaxMemory),
    ("rule", Info::Rule),
    ("max_node", Info::MaxNodes),
    ("max_depth", Info::MaxDepth),
    ("seed", Info::Seed),
    ("show_detail", Info::ShowDetail),
];

fn parse_info(rest: &str) -> Info {
    let (key, value) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let Some((key, make)) = INFO_KEYS.iter().find(|(name, _)| name.eq_ignore_ascii_case(key))
    else {
        return Info::Ignored;
    };
    let value = value.trim();
    let digits = value.strip_prefix('-').unwrap_or(value);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Info::NotANumber(key);
    }
    // What does not fit is as good as endless.
    let endless = if value.starts_with('-') { i64::MIN } else { i64::MAX };
    make(value.parse().unwrap_or(endless))
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use std::string::ToString;

    #[test]
    fn names_are_matched_without_regard_to_case() {
        assert_eq!(parse("begin"), Ok(Command::Begin));
        assert_eq!(parse("  Turn   7,7 "), Ok(Command::Turn("7,7")));
    }

    #[test]
    fn every_command_is_listed_once_and_takes_its_own_usage() {
        for (n, info) in COMMANDS.iter().enumerate() {
            assert_eq!(find(info.name), Some(info));
            assert_eq!(info.name, info.name.to_ascii_uppercase());
            assert!(info.usage.starts_with(info.name), "{}", info.usage);
            assert!(COMMANDS[..n].iter().all(|other| other.name != info.name), "{}", info.name);
        }
    }

    #[test]
    fn wrong_arguments_are_told_with_the_usage() {
        for (line, expected) in [
            ("FLY", "no such command: HELP lists them"),
            ("", "no such command: HELP lists them"),
            ("START", "expected START size"),
            ("START 4", "width out of range: expected 5 to 70"),
            ("START 71", "width out of range: expected 5 to 70"),
            ("START -3", "expected START size"),
            ("RECTSTART 20,3", "height out of range: expected 5 to 70"),
            ("RECTSTART 20", "expected RECTSTART width,height"),
            ("BEGIN now", "expected BEGIN"),
            ("TURN", "expected TURN move"),
            ("LEVEL 10", "expected LEVEL 0-9"),
            ("LEVEL x", "expected LEVEL 0-9"),
            ("NEW chess", "unknown game"),
            ("NEW", "unknown game"),
            ("CLOCK 1.", "expected CLOCK"),
            ("CLOCK soon", "expected CLOCK"),
            ("BENCH 0", "expected BENCH"),
            ("HELP FLY", "expected HELP"),
            ("CHECK maybe", "expected CHECK ON|OFF"),
        ] {
            let error = parse(line).expect_err(line).to_string();
            assert!(error.starts_with(expected), "{line}: {error}");
        }
    }

    #[test]
    fn numbers_of_info_may_be_negative_or_absurd() {
        for (line, info) in [
            ("INFO time_left -5", Info::TimeLeft(-5)),
            ("INFO TIMEOUT_TURN 100", Info::TimeoutTurn(100)),
            ("INFO time_left 99999999999999999999", Info::TimeLeft(i64::MAX)),
            ("INFO time_left -99999999999999999999", Info::TimeLeft(i64::MIN)),
            ("INFO max_memory lots", Info::NotANumber("max_memory")),
            ("INFO rule", Info::NotANumber("rule")),
            ("INFO folder /tmp/x", Info::Ignored),
            ("INFO nonsense", Info::Ignored),
            ("INFO", Info::Ignored),
        ] {
            assert_eq!(parse(line), Ok(Command::Info(info)), "{line}");
        }
    }

    #[test]
    fn seconds_have_up_to_three_decimals() {
        for (line, ms) in
            [("CLOCK 5", 5_000), ("CLOCK 0.5", 500), ("CLOCK 1.25", 1_250), ("CLOCK 0.001", 1)]
        {
            assert_eq!(parse(line), Ok(Command::Clock(Some(ms))), "{line}");
        }
    }
}
