//! Questions to a partner and its answers, as pure state: no link, no clock, no thread.
//!
//! One order at a time is under way, and each has a moment by which it must be answered. A question
//! is asked with as few lines as possible: `TURN move` if the partner has the game up to that move,
//! and if it does not, or nobody knows, the whole game:
//!
//! ```text
//!   PING  NEW game  PLAYER name  INFO ...  LOAD game  SWAP         a session
//!   START size  INFO ...  BOARD stones DONE                       a Gomocup brain
//! ```
//!
//! `PING` is a barrier: what was under way before it is over when `PONG` comes. Lines to a session
//! have checksums, and so have its answers. After a damaged answer, a refusal or a reset of the
//! board the whole game is handed over again, [`MAX_RETRIES`] times at most.

use std::collections::VecDeque;
use std::fmt;
use std::time::Duration;

use engine::game::{Game, Move, Side};
use engine::protocol::checksum::{self, Checksum, MARK, Suffix};
use engine::protocol::reply::{Eval, Reply};
use engine::score::Value;
use engine::spec::GameSpec;

use crate::play::saved;
use crate::position;

/// How often a question is asked again after answers that cannot be used.
pub const MAX_RETRIES: u32 = 2;
/// What an answer may take besides thinking.
const GRACE: Duration = Duration::from_secs(10);
/// What a byte may take on its way: twice the time of ten bits at 115,200 bits per second.
const BYTE_TIME: Duration = Duration::from_micros(174);
/// More new moves than this are handed over with the whole game: they would not fit into a line.
const MAX_NEW_MOVES: usize = 16;
/// A game without a time limit, as Gomocup says it.
const UNLIMITED_MS: u128 = 2_147_483_647;
/// How a board begins to tell that it has started.
const BANNER: &str = "Tavola ";
/// How a session tells that a game is over.
const GAME_OVER: &str = "game over: ";
/// How it tells that somebody used its button.
const BUTTON: &str = "the button ";

/// What language the partner speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// All of docs/protocol.md.
    Session,
    /// Gomocup's part of it.
    Gomocup,
}

/// What to find out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// The partner's move.
    Move,
    /// A good move for the side to move.
    Hint,
    /// What the position is worth.
    Worth,
}

/// A question with all that is needed to answer it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Brief {
    /// What to find out.
    pub question: Question,
    /// The game.
    pub spec: GameSpec,
    /// The moves so far, all of them legal. The game is not over.
    pub moves: Vec<Move>,
    /// Who plays for the partner.
    pub player: String,
    /// Time for the move.
    pub turn: Duration,
    /// Time for the game, and what is left of it, if it has a limit.
    pub game: Option<(Duration, Duration)>,
}

/// What a partner thinks of a position, for the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worth {
    /// The value.
    pub value: Value,
    /// Whether it is proved.
    pub proved: bool,
    /// The depth searched.
    pub depth: u32,
    /// Nodes visited.
    pub nodes: u64,
    /// The expected course of the game: moves separated by spaces.
    pub line: String,
}

impl From<Eval<'_>> for Worth {
    fn from(eval: Eval<'_>) -> Worth {
        let Eval { value, proved, depth, nodes, line } = eval;
        Worth { value, proved, depth, nodes, line: line.into() }
    }
}

/// What a line of the partner means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// Its move, which the rules allow.
    Move(Move),
    /// A good move, which the rules allow.
    Hint(Move),
    /// What the position is worth.
    Worth(Worth),
    /// The same while it thinks, or behind a move.
    Progress(Worth),
    /// Something for people.
    Said(String),
    /// The question cannot be answered.
    Trouble(Trouble),
}

/// Why a question cannot be answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// No answer came in time.
    Mute,
    /// What came makes no sense.
    Garbage(String),
    /// The partner refuses.
    Refused(String),
    /// A move that the rules do not allow.
    Illegal(String),
    /// The partner does not know the game.
    Unfit(String),
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::Mute => f.write_str("no answer in time"),
            Trouble::Garbage(line) => write!(f, "answers cannot be understood: `{line}`"),
            Trouble::Refused(why) => write!(f, "refuses: {why}"),
            Trouble::Illegal(mv) => write!(f, "plays {mv}, which the rules do not allow"),
            Trouble::Unfit(why) => f.write_str(why),
        }
    }
}

/// What an order must be answered with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expected {
    /// Nothing at all.
    Nothing,
    Pong,
    Ok,
    Answer,
}

/// A line to send.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Order {
    line: String,
    expected: Expected,
}

/// A question under way.
#[derive(Clone, Debug)]
struct Asked {
    brief: Brief,
    orders: VecDeque<Order>,
    expected: Expected,
    deadline: Duration,
    retries: u32,
}

/// What the partner is known to have on its board.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Known {
    spec: GameSpec,
    player: String,
    moves: Vec<Move>,
}

/// A conversation with one partner.
#[derive(Clone, Debug)]
pub struct Dialog {
    dialect: Dialect,
    known: Option<Known>,
    asked: Option<Asked>,
    outbox: Vec<String>,
}

impl Dialog {
    /// A conversation that begins.
    #[must_use]
    pub const fn new(dialect: Dialect) -> Dialog {
        Dialog { dialect, known: None, asked: None, outbox: Vec::new() }
    }

    /// What is being asked.
    #[must_use]
    pub fn question(&self) -> Option<Question> {
        self.asked.as_ref().map(|asked| asked.brief.question)
    }

    /// The lines that are to be sent now.
    pub fn take_lines(&mut self) -> Vec<String> {
        std::mem::take(&mut self.outbox)
    }

    /// Asks. A question that was under way is called off.
    pub fn ask(&mut self, brief: Brief, now: Duration) -> Option<Trouble> {
        self.call_off();
        if let Err(why) = self.fits(&brief) {
            return Some(Trouble::Unfit(why));
        }
        self.begin(brief, 0, now);
        None
    }

    /// Has the answer now. Without a question this does nothing.
    pub fn hurry(&mut self) {
        if self.asked.as_ref().is_some_and(|asked| asked.expected == Expected::Answer) {
            let stop = match self.dialect {
                Dialect::Session => "STOP",
                Dialect::Gomocup => "YXSTOP",
            };
            self.send(stop);
        }
    }

    /// Does not want the answer any more.
    pub fn call_off(&mut self) {
        self.hurry();
        if self.asked.take().is_some() {
            self.known = None;
        }
    }

    /// The partner is another one now, or has forgotten everything.
    pub fn forget(&mut self) {
        self.asked = None;
        self.known = None;
        self.outbox.clear();
    }

    /// Tells the time: whether the question has waited too long.
    pub fn tick(&mut self, now: Duration) -> Option<Trouble> {
        if self.asked.as_ref().is_some_and(|asked| now > asked.deadline) {
            self.asked = None;
            self.known = None;
            return Some(Trouble::Mute);
        }
        None
    }

    /// Takes a line of the partner.
    pub fn hear(&mut self, line: &str, now: Duration) -> Option<Heard> {
        // Some brains say more than they need to.
        let line = match self.dialect {
            Dialect::Gomocup if line.starts_with("OK") => "OK",
            _ => line.trim(),
        };
        match Reply::parse(line) {
            Ok(Reply::Message(text)) => {
                if text.starts_with(BANNER) || text.starts_with(BUTTON) {
                    self.known = None;
                    if self.dialect == Dialect::Session
                        && let Some(trouble) = self.ask_again(Trouble::Garbage(text.into()), now)
                    {
                        return Some(trouble);
                    }
                }
                // How a game ended is known here.
                (!text.starts_with(GAME_OVER)).then(|| Heard::Said(text.into()))
            }
            Ok(Reply::Debug(text)) => match Reply::parse(text) {
                Ok(Reply::Eval(eval)) if self.asked.is_some() => Some(Heard::Progress(eval.into())),
                _ => None,
            },
            // Every line to a session has a checksum, so its answers have one too: an answer without
            // it is an old one, or has lost its end.
            Ok(_) if self.dialect == Dialect::Session && !has_checksum(line) => {
                match self.asked.as_ref()?.expected {
                    Expected::Pong | Expected::Nothing => None,
                    Expected::Ok | Expected::Answer => {
                        self.ask_again(Trouble::Garbage(line.into()), now)
                    }
                }
            }
            Ok(reply) => self.match_up(reply, now),
            Err(_) if line.is_empty() => None,
            Err(_) => {
                let line = line.chars().flat_map(char::escape_default).collect();
                self.ask_again(Trouble::Garbage(line), now)
            }
        }
    }

    /// Whether the answer is one to the order that is under way.
    fn match_up(&mut self, reply: Reply<'_>, now: Duration) -> Option<Heard> {
        let asked = self.asked.as_mut()?;
        let spec = asked.brief.spec;
        match (asked.expected, asked.brief.question, reply) {
            (Expected::Pong, _, Reply::Pong) | (Expected::Ok, _, Reply::Ok) => {
                self.go_on(now);
                None
            }
            // Behind a barrier nothing old can come but the answer to a question called off.
            (Expected::Pong | Expected::Nothing, ..) => None,
            (_, _, Reply::Error(why) | Reply::Unknown(why)) => {
                self.ask_again(Trouble::Refused(why.into()), now)
            }
            (Expected::Answer, Question::Move, Reply::Moves(text)) => {
                match legal(&asked.brief, text) {
                    Some(mv) => {
                        self.finish(Some(mv));
                        Some(Heard::Move(mv))
                    }
                    None => self.ask_again(Trouble::Illegal(text.into()), now),
                }
            }
            (Expected::Answer, Question::Hint, Reply::Suggest(text)) => {
                let mv = spec.parse_move(text).ok().filter(|_| legal(&asked.brief, text).is_some());
                self.finish(None);
                mv.map(Heard::Hint)
            }
            (Expected::Answer, Question::Worth, Reply::Eval(eval)) => {
                self.finish(None);
                Some(Heard::Worth(eval.into()))
            }
            _ => None,
        }
    }

    /// The question is answered, maybe by a move, which the partner has played.
    fn finish(&mut self, mv: Option<Move>) {
        let Some(Asked { brief, .. }) = self.asked.take() else { return };
        let mut moves = brief.moves;
        moves.extend(mv);
        self.known = Some(Known { spec: brief.spec, player: brief.player, moves });
    }

    /// Asks once more from scratch, unless that has been done often enough.
    fn ask_again(&mut self, why: Trouble, now: Duration) -> Option<Heard> {
        let Asked { brief, retries, .. } = self.asked.take()?;
        self.known = None;
        if retries >= MAX_RETRIES || self.dialect == Dialect::Gomocup {
            return Some(Heard::Trouble(why));
        }
        self.begin(brief, retries + 1, now);
        None
    }

    fn begin(&mut self, brief: Brief, retries: u32, now: Duration) {
        let orders = self.plan(&brief).into();
        let (expected, deadline) = (Expected::Nothing, now);
        self.asked = Some(Asked { brief, orders, expected, deadline, retries });
        self.go_on(now);
    }

    /// Sends the next order, and before it what needs no answer.
    fn go_on(&mut self, now: Duration) {
        while let Some(asked) = &mut self.asked
            && let Some(Order { line, expected }) = asked.orders.pop_front()
        {
            asked.expected = expected;
            let way = BYTE_TIME * u32::try_from(line.len()).unwrap_or(u32::MAX);
            let thinking = if expected == Expected::Answer { asked.brief.turn } else { way };
            asked.deadline = now + GRACE + way + thinking;
            self.send(&line);
            if expected != Expected::Nothing {
                return;
            }
        }
    }

    fn send(&mut self, line: &str) {
        self.outbox.push(match self.dialect {
            Dialect::Session => checked(line),
            Dialect::Gomocup => line.to_string(),
        });
    }

    /// Whether the partner can play this at all.
    fn fits(&self, brief: &Brief) -> Result<(), String> {
        match (self.dialect, brief.spec) {
            (Dialect::Session, _)
            | (Dialect::Gomocup, GameSpec::Mnk { k: 5, rows: 5.., cols: 5.., .. }) => Ok(()),
            (Dialect::Gomocup, spec) => Err(format!(
                "a Gomocup brain does not know {spec}: expected mnk:ROWSxCOLSx5, 5x5 or larger"
            )),
        }
    }

    /// The orders that lead to the answer.
    fn plan(&self, brief: &Brief) -> Vec<Order> {
        let known = self
            .known
            .as_ref()
            .filter(|known| known.spec == brief.spec && known.player == brief.player)
            .and_then(|known| brief.moves.strip_prefix(&known.moves[..]))
            .filter(|new| new.len() <= MAX_NEW_MOVES);
        match self.dialect {
            Dialect::Session => session_plan(brief, known),
            Dialect::Gomocup => gomocup_plan(brief, known),
        }
    }
}

fn order(line: impl Into<String>, expected: Expected) -> Order {
    Order { line: line.into(), expected }
}

/// What a session must be told; `new` are the moves that it lacks, if it has the others.
fn session_plan(brief: &Brief, new: Option<&[Move]>) -> Vec<Order> {
    let Brief { spec, moves, player, .. } = brief;
    let mut orders = Vec::new();
    if new.is_none() {
        orders.push(order("PING", Expected::Pong));
        orders.push(order(format!("NEW {spec}"), Expected::Ok));
        orders.push(order(format!("PLAYER {player}"), Expected::Ok));
        // What somebody else may have set before.
        for line in ["max_node 0", "max_depth 0", "timeout_match 0", "show_detail 1"] {
            orders.push(order(format!("INFO {line}"), Expected::Nothing));
        }
        orders.push(order(format!("INFO time_left {UNLIMITED_MS}"), Expected::Nothing));
        if !moves.is_empty() {
            let text = saved::text(*spec, player, None, [Duration::ZERO; 2], moves);
            orders.push(order(text, Expected::Ok));
        }
    }
    orders.extend(time_orders(brief));
    let last_moves = new.unwrap_or(&[]);
    match (brief.question, last_moves) {
        (Question::Move, [mv]) => {
            orders.push(order(format!("TURN {}", spec.show_move(*mv)), Expected::Answer));
            return orders;
        }
        (_, []) => {}
        (_, last_moves) => {
            let text: String =
                last_moves.iter().map(|&mv| format!(" {}", spec.show_move(mv))).collect();
            orders.push(order(format!("MOVE{text}"), Expected::Ok));
        }
    }
    let question = match brief.question {
        Question::Move => "SWAP",
        Question::Hint => "HINT",
        Question::Worth => "EVAL",
    };
    orders.push(order(question, Expected::Answer));
    orders
}

/// What a Gomocup brain must be told.
fn gomocup_plan(brief: &Brief, new: Option<&[Move]>) -> Vec<Order> {
    let Brief { spec, moves, .. } = brief;
    let mut orders = Vec::new();
    if new.is_none() {
        let exact = matches!(spec, GameSpec::Mnk { exact: true, .. });
        let start = match (spec.cols(), spec.rows()) {
            (width, height) if width == height => format!("START {width}"),
            (width, height) => format!("RECTSTART {width},{height}"),
        };
        orders.push(order(start, Expected::Ok));
        orders.push(order(format!("INFO rule {}", u8::from(exact)), Expected::Nothing));
    }
    orders.extend(time_orders(brief));
    match (moves.as_slice(), new) {
        ([], _) => orders.push(order("BEGIN", Expected::Answer)),
        (_, Some([mv])) => {
            orders.push(order(format!("TURN {}", spec.show_move(*mv)), Expected::Answer));
        }
        ([mv], None) => {
            orders.push(order(format!("TURN {}", spec.show_move(*mv)), Expected::Answer));
        }
        _ => {
            orders.push(order("BOARD", Expected::Nothing));
            let own = Side::at_ply(moves.len());
            for (ply, mv) in moves.iter().enumerate() {
                let owner = if Side::at_ply(ply) == own { 1 } else { 2 };
                let stone = format!("{},{owner}", spec.show_move(*mv));
                orders.push(order(stone, Expected::Nothing));
            }
            orders.push(order("DONE", Expected::Answer));
        }
    }
    orders
}

fn time_orders(brief: &Brief) -> Vec<Order> {
    let mut lines = vec![format!("INFO timeout_turn {}", brief.turn.as_millis().min(UNLIMITED_MS))];
    if let Some((whole, left)) = brief.game {
        lines.push(format!("INFO timeout_match {}", whole.as_millis().min(UNLIMITED_MS)));
        lines.push(format!("INFO time_left {}", left.as_millis().min(UNLIMITED_MS - 1)));
    }
    lines.into_iter().map(|line| order(line, Expected::Nothing)).collect()
}

/// The move, if the rules allow it.
fn legal(brief: &Brief, text: &str) -> Option<Move> {
    let mv = brief.spec.parse_move(text).ok()?;
    let mut position = Box::new(position::start(brief.spec).ok()?);
    for &played in &brief.moves {
        position.try_play(played).ok()?;
    }
    position.check(mv).ok().map(|()| mv)
}

/// Whether a line ends with a checksum; it was compared before.
fn has_checksum(line: &str) -> bool {
    matches!(checksum::split(line.as_bytes()), Suffix::Sum(..))
}

/// A line with its checksum.
#[must_use]
pub fn checked(line: &str) -> String {
    format!("{line}{}{:02X}", char::from(MARK), Checksum::of(line.as_bytes()).value())
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Duration = Duration::ZERO;

    fn brief(question: Question, moves: &str) -> Brief {
        let spec: GameSpec = "mnk:15x15x5".parse().expect("a game");
        let moves = moves.split_whitespace().map(|mv| spec.parse_move(mv).expect(mv)).collect();
        let turn = Duration::from_secs(1);
        Brief { question, spec, moves, player: "tavola".into(), turn, game: None }
    }

    /// The lines that went out, without their checksums.
    fn sent(dialog: &mut Dialog) -> Vec<String> {
        let plain = |line: String| line.split('*').next().unwrap_or("").to_string();
        dialog.take_lines().into_iter().map(plain).collect()
    }

    /// What is heard of these lines. A session's answers come with their checksums.
    fn answer(dialog: &mut Dialog, lines: &[&str]) -> Vec<Heard> {
        let is_sent_as_it_is = |line: &str| line.contains('*') || !line.is_ascii();
        let whole = |line: &&str| match dialog.dialect {
            Dialect::Session if !is_sent_as_it_is(line) => checked(line),
            _ => line.to_string(),
        };
        let lines: Vec<String> = lines.iter().map(whole).collect();
        lines.iter().filter_map(|line| dialog.hear(line, NOW)).collect()
    }

    #[test]
    fn an_answer_that_has_lost_its_checksum_is_not_believed() {
        let mut dialog = Dialog::new(Dialect::Session);
        dialog.ask(brief(Question::Move, ""), NOW);
        sent(&mut dialog);
        // Old answers do not matter before the barrier.
        assert_eq!(dialog.hear("PONG", NOW), None);
        assert_eq!(dialog.hear("3,3", NOW), None);
        assert_eq!(sent(&mut dialog), [""; 0]);
        answer(&mut dialog, &["PONG", "OK", "OK"]);
        assert_eq!(sent(&mut dialog).last().map(String::as_str), Some("SWAP"));
        // `1,1*1C` without its star and one digit is a move too.
        assert_eq!(dialog.hear("1,11", NOW), None);
        assert_eq!(sent(&mut dialog), ["PING"], "asked again");
    }

    fn mv(text: &str) -> Move {
        "mnk:15x15x5".parse::<GameSpec>().expect("a game").parse_move(text).expect(text)
    }

    #[test]
    fn a_session_is_handed_the_game_once_and_then_the_moves() {
        let mut dialog = Dialog::new(Dialect::Session);
        dialog.ask(brief(Question::Move, "7,7"), NOW);
        assert_eq!(sent(&mut dialog), ["PING"]);
        // Whatever was under way before does not matter.
        assert_eq!(answer(&mut dialog, &["OK", "3,3", "ERROR busy", "PONG"]), []);
        assert_eq!(sent(&mut dialog), ["NEW mnk:15x15x5"]);
        assert_eq!(answer(&mut dialog, &["9,9", "OK", "OK"]), []);
        let lines = sent(&mut dialog);
        assert_eq!(lines[0], "PLAYER tavola");
        assert!(lines.iter().any(|line| line == "INFO show_detail 1"), "{lines:?}");
        let last = lines.last().expect("lines");
        assert!(last.starts_with("LOAD 1 mnk:15x15x5 player=tavola"), "{lines:?}");
        assert_eq!(answer(&mut dialog, &["OK"]), []);
        assert_eq!(sent(&mut dialog), ["INFO timeout_turn 1000", "SWAP"]);
        assert_eq!(answer(&mut dialog, &["8,8"]), [Heard::Move(mv("8,8"))]);
        dialog.ask(brief(Question::Move, "7,7 8,8 7,8"), NOW);
        assert_eq!(sent(&mut dialog), ["INFO timeout_turn 1000", "TURN 7,8"]);
        assert_eq!(answer(&mut dialog, &["7,9"]), [Heard::Move(mv("7,9"))]);
        dialog.ask(brief(Question::Hint, "7,7 8,8 7,8 7,9"), NOW);
        assert_eq!(sent(&mut dialog), ["INFO timeout_turn 1000", "HINT"]);
        assert_eq!(answer(&mut dialog, &["SUGGEST 0,0"]), [Heard::Hint(mv("0,0"))]);
        // A move back: the partner has more than the game has.
        dialog.ask(brief(Question::Worth, "7,7 8,8"), NOW);
        assert_eq!(sent(&mut dialog), ["PING"]);
    }

    #[test]
    fn a_brain_is_asked_as_a_manager_asks() {
        let mut dialog = Dialog::new(Dialect::Gomocup);
        dialog.ask(brief(Question::Move, ""), NOW);
        assert_eq!(dialog.take_lines(), ["START 15"]);
        assert_eq!(answer(&mut dialog, &["OK"]), []);
        assert_eq!(dialog.take_lines(), ["INFO rule 0", "INFO timeout_turn 1000", "BEGIN"]);
        assert_eq!(answer(&mut dialog, &["DEBUG x", "7,7"]), [Heard::Move(mv("7,7"))]);
        dialog.ask(brief(Question::Move, "7,7 8,8"), NOW);
        assert_eq!(dialog.take_lines(), ["INFO timeout_turn 1000", "TURN 8,8"]);
        let heard = answer(&mut dialog, &["7,7"]);
        assert_eq!(heard, [Heard::Trouble(Trouble::Illegal("7,7".into()))]);
        dialog.ask(brief(Question::Move, "7,7 8,8 9,9"), NOW);
        answer(&mut dialog, &["OK"]);
        let lines = dialog.take_lines();
        assert_eq!(lines[3..], ["BOARD", "7,7,2", "8,8,1", "9,9,2", "DONE"]);
        let small =
            Brief { spec: "connect:6x7x4".parse().expect("a game"), ..brief(Question::Move, "") };
        assert!(matches!(dialog.ask(small, NOW), Some(Trouble::Unfit(_))));
    }

    #[test]
    fn damage_refusal_and_reset_are_answered_with_the_whole_game_and_then_with_trouble() {
        let mut dialog = Dialog::new(Dialect::Session);
        dialog.ask(brief(Question::Move, ""), NOW);
        for line in ["\u{fffd}\u{fffd}", "MESSAGE Tavola 0.1.0 on a board, reset: pin"] {
            sent(&mut dialog);
            let heard = answer(&mut dialog, &[line]);
            assert!(!heard.iter().any(|heard| matches!(heard, Heard::Trouble(_))), "{heard:?}");
            assert_eq!(sent(&mut dialog), ["PING"]);
        }
        let heard = answer(&mut dialog, &["PONG*00"]);
        assert!(matches!(heard[..], [Heard::Trouble(Trouble::Garbage(_))]), "{heard:?}");
        assert_eq!(dialog.question(), None);
    }

    #[test]
    fn an_answer_that_does_not_come_is_noticed() {
        let mut dialog = Dialog::new(Dialect::Session);
        assert_eq!(dialog.tick(Duration::MAX), None);
        dialog.ask(brief(Question::Move, ""), NOW);
        assert_eq!(dialog.tick(Duration::from_secs(1)), None);
        assert_eq!(dialog.tick(Duration::from_secs(60)), Some(Trouble::Mute));
        assert_eq!(dialog.tick(Duration::from_secs(61)), None);
    }

    #[test]
    fn details_are_heard_while_it_thinks() {
        let mut dialog = Dialog::new(Dialect::Session);
        let line = "DEBUG EVAL value=guess:5 proved=no depth=3 nodes=99 line=7,7 8,8";
        assert_eq!(dialog.hear(line, NOW), None);
        dialog.ask(brief(Question::Move, ""), NOW);
        let heard = dialog.hear(line, NOW);
        assert!(matches!(heard, Some(Heard::Progress(Worth { depth: 3, nodes: 99, .. }))));
    }
}
