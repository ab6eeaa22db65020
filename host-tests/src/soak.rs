//! Games of all kinds with random commands in between, held with anything that speaks the protocol.
//!
//! Beside the other side's game stands a list of moves of one's own. After every command the two
//! must be the same, and the rules must allow them; what a command answers must be a reply of the
//! kind that belongs to it. Whatever is not so is a *defect*, told with all that led to it.

use std::fmt;

use engine::game::any::Position;
use engine::game::{Game, Move};
use engine::protocol::reply::Reply;
use engine::spec::GameSpec;

use crate::scenario::Endpoint;
use crate::{Dice, legal_moves};

/// A line that is answered at any time, and the answer.
const MARK: (&str, &str) = ("PING*10", "PONG*16");
/// The first line of a board that has started.
const BANNER: &str = "MESSAGE Tavola ";
/// Commands of a game after which it is given up: some players never end one.
const LONGEST_GAME: usize = 160;
/// The most lines of one answer: the board of the largest game, or the list of commands.
const MOST_LINES: usize = 400;

/// Games by how often they are played, with players for them.
const GAMES: [(&str, &[&str]); 14] = [
    ("mnk:3x3x3", &["tavola", "competitive", "aipvs", "cadrega", "oneply", "random"]),
    ("connect:6x7x4", &["tavola", "tavola:level=3", "lavahound", "oneply", "random"]),
    ("bricks:4", &["tavola", "minimax", "alphabeta", "scorer4", "jfin5"]),
    ("mnk:4x4x3", &["tavola:level=1", "competitive", "aipvs", "cadrega"]),
    ("connect:4x4x3", &["tavola:level=5", "lavahound"]),
    ("bricks:5", &["tavola:level=2", "scorer1", "jfin1:2,1,1"]),
    ("mnk:6x6x5:exact", &["tavola", "competitive"]),
    ("mnk:8x8x5", &["tavola", "aipvs", "cadrega"]),
    ("connect:8x9x5", &["tavola", "lavahound"]),
    ("bricks:8", &["tavola", "alphabeta", "jfin2:2,4,1,1"]),
    ("mnk:1x1x1", &["tavola"]),
    ("mnk:15x15x5", &["tavola", "competitive", "cadrega"]),
    ("mnk:2x2x9", &["random"]),
    ("bricks:1", &["tavola"]),
];
/// Played now and then: they are large.
const LARGE_GAMES: [(&str, &[&str]); 4] = [
    ("mnk:70x70x5", &["tavola", "cadrega"]),
    ("connect:100x100x4", &["tavola", "lavahound"]),
    ("bricks:20", &["tavola", "jfin5"]),
    ("mnk:30x30x6", &["competitive", "aipvs"]),
];
/// One game in so many is a large one.
const LARGE_EVERY: usize = 50;

/// What came of the games.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Games begun, and how many of them were played to their end.
    pub games: [u64; 2],
    /// Moves of both sides.
    pub moves: u64,
    /// Commands sent.
    pub commands: u64,
    /// Commands that were refused, as they should be.
    pub refused: u64,
    /// Starts that nobody asked for.
    pub resets: u64,
    /// What is wrong.
    pub defects: Vec<String>,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { games: [begun, ended], moves, commands, refused, resets, defects } = self;
        write!(
            f,
            "{begun} games, {ended} to their end, {moves} moves, {commands} commands, {refused} \
             refused as they should be; {resets} resets by itself, {} defects",
            defects.len()
        )
    }
}

/// What a command did.
struct Answer {
    /// The line that answers it, if there is one.
    reply: Option<String>,
    /// What else was said.
    others: Vec<String>,
}

/// A soak run with one partner.
pub struct Soak<'e, E> {
    partner: &'e mut E,
    dice: Dice,
    /// What came of it so far.
    pub report: Report,
    spec: GameSpec,
    moves: Vec<Move>,
    saved: Option<String>,
    /// The last commands, for the report of a defect.
    said: Vec<String>,
}

impl<'e, E: Endpoint> Soak<'e, E> {
    /// Begins. All that is random comes from the seed.
    ///
    /// # Panics
    /// Never: the first game is one.
    pub fn new(partner: &'e mut E, seed: u64) -> Soak<'e, E> {
        Soak {
            partner,
            dice: Dice::new(seed),
            report: Report::default(),
            spec: "mnk:3x3x3".parse().expect("a game"),
            moves: Vec::new(),
            saved: None,
            said: Vec::new(),
        }
    }

    /// Who is talked to.
    pub fn partner(&mut self) -> &mut E {
        self.partner
    }

    /// Plays a game. `false` if the partner does not answer any more.
    pub fn game(&mut self) -> bool {
        self.said.clear();
        let result = self.play();
        if let Err(why) = &result {
            let from = self.said.len().saturating_sub(12);
            let last = self.said[from..].join(" | ");
            self.report.defects.push(format!("{why}; after: {last}"));
        }
        // After a defect a new game must still be possible.
        result.is_ok() || self.ask("NEW mnk:3x3x3").is_ok()
    }

    /// The moves that the other side must have.
    #[must_use]
    pub fn moves(&self) -> usize {
        self.moves.len()
    }

    fn play(&mut self) -> Result<(), String> {
        let games = if self.dice.roll(LARGE_EVERY) == 0 { &LARGE_GAMES[..] } else { &GAMES[..] };
        let (game, players) = games[self.dice.roll(games.len())];
        let player = players[self.dice.roll(players.len())];
        self.spec = game.parse().map_err(|_| "no game")?;
        self.moves.clear();
        self.saved = None;
        self.report.games[0] += 1;
        self.obey(&format!("NEW {game}"))?;
        self.obey(&format!("PLAYER {player}"))?;
        let turn_ms = self.pick(&["0", "2", "5", "10"]);
        self.tell(&format!("INFO timeout_turn {turn_ms}"))?;
        self.tell("INFO time_left 2147483647")?;
        let seed = self.dice.roll(1_000);
        self.tell(&format!("INFO seed {seed}"))?;
        for _ in 0..LONGEST_GAME {
            let mut position = self.position()?;
            if position.outcome().is_some() {
                self.report.games[1] += 1;
                let refused = self.ask("SWAP")?;
                self.expect(&refused, |reply| matches!(reply, Reply::Error(_)))?;
                return Ok(());
            }
            self.command(&mut position)?;
            self.compare()?;
        }
        Ok(())
    }

    fn pick(&mut self, choices: &[&'static str]) -> &'static str {
        choices[self.dice.roll(choices.len())]
    }

    /// The position that the moves make.
    fn position(&self) -> Result<Box<Position>, String> {
        let mut position = Box::new(Position::new(self.spec).map_err(|error| error.to_string())?);
        for &mv in &self.moves {
            position.try_play(mv).map_err(|why| format!("a move that is not legal: {why}"))?;
        }
        Ok(position)
    }

    /// One command, and what must come of it.
    fn command(&mut self, position: &mut Position) -> Result<(), String> {
        let legal = legal_moves(position);
        let mv = legal[self.dice.roll(legal.len())];
        let text = self.spec.show_move(mv).to_string();
        match self.dice.roll(40) {
            0..=17 => {
                let answer = self.ask(&format!("TURN {text}"))?;
                self.moves.push(mv);
                position.try_play(mv).map_err(|_| "not legal")?;
                if position.outcome().is_some() {
                    return self.expect(&answer, |reply| matches!(reply, Reply::Ok));
                }
                self.take_move(&answer, position)?;
            }
            18..=20 => {
                let answer = self.ask("SWAP")?;
                self.take_move(&answer, position)?;
            }
            21 | 22 => {
                let answer = self.ask(&format!("MOVE {text}"))?;
                self.expect(&answer, |reply| matches!(reply, Reply::Ok))?;
                self.moves.push(mv);
            }
            23 => {
                let answer = self.ask("HINT")?;
                self.expect(&answer, |reply| matches!(reply, Reply::Suggest(_)))?;
                let hint = answer.reply.as_deref().and_then(|line| line.strip_prefix("SUGGEST "));
                let mv = hint.and_then(|hint| self.spec.parse_move(hint).ok());
                if mv.is_none_or(|mv| position.check(mv).is_err()) {
                    return Err(format!("a hint that is not legal: {hint:?}"));
                }
            }
            24 => {
                let answer = self.ask("EVAL")?;
                self.expect(&answer, |reply| matches!(reply, Reply::Eval(_)))?;
            }
            25 => {
                let answer = self.ask("BENCH 40")?;
                self.expect(&answer, |reply| matches!(reply, Reply::Bench(_)))?;
            }
            26 => {
                let answer = self.ask("SHOW")?;
                self.expect(&answer, |reply| matches!(reply, Reply::Ok))?;
                if answer.others.len() < position.spec().rows() {
                    return Err("a board with too few rows".into());
                }
            }
            27 => {
                let answer = self.ask("SAVE")?;
                self.expect(&answer, |reply| matches!(reply, Reply::Saved(_)))?;
                self.saved = answer.reply;
            }
            28 => self.load()?,
            29 | 30 => self.back_and_forth()?,
            31 => {
                let last = self.moves.last().map(|&mv| self.spec.show_move(mv).to_string());
                let answer = self.ask(&format!("TAKEBACK {}", last.clone().unwrap_or_default()))?;
                if last.is_none() {
                    return self.expect_refusal(&answer);
                }
                self.expect(&answer, |reply| matches!(reply, Reply::Ok))?;
                self.moves.pop();
            }
            32 => {
                let bad =
                    ["TURN 99,99", "TURN x", "MOVE", "FLY", "LEVEL 11", "NEW chess", "\u{e9}"];
                let line = self.pick(&bad);
                let answer = self.ask(line)?;
                self.expect_refusal(&answer)?;
            }
            33 if !self.moves.is_empty() => {
                let taken = self.moves[self.dice.roll(self.moves.len())];
                if position.check(taken).is_err() {
                    let answer = self.ask(&format!("TURN {}", self.spec.show_move(taken)))?;
                    self.expect_refusal(&answer)?;
                }
            }
            34 => {
                // A line that was cut off; the next one counts.
                self.partner.send(b"TURN 1,1*0")?;
                let answer = self.ask("")?;
                self.expect_refusal(&answer)?;
            }
            35 => self.set_up()?,
            36 => {
                let info = ["rule 0", "max_memory 0", "max_memory 4096", "evaluate 1,1", "xyzzy 3"];
                let info = self.pick(&info);
                self.tell(&format!("INFO {info}"))?;
            }
            _ => {
                let line = ["STATS", "CLOCK", "PING", "VERSION", "ABOUT", "PLAYER", "HELP"];
                let line = self.pick(&line);
                let answer = self.ask(line)?;
                self.expect(&answer, |reply| {
                    !matches!(reply, Reply::Error(_) | Reply::Unknown(_))
                })?;
            }
        }
        Ok(())
    }

    fn load(&mut self) -> Result<(), String> {
        let Some(saved) = self.saved.clone() else { return Ok(()) };
        if self.dice.roll(2) == 0 {
            // One character less, or another one: refused, and nothing changes.
            let at = 5 + self.dice.roll(saved.len() - 5);
            let mut altered = saved.clone();
            altered.remove(at);
            let answer = self.ask(&altered)?;
            return self.expect_refusal(&answer);
        }
        let answer = self.ask(&saved)?;
        self.expect(&answer, |reply| matches!(reply, Reply::Ok))?;
        let count = saved.split_once(" moves=").and_then(|(_, rest)| rest.split(' ').next());
        let count: usize = count.and_then(|count| count.parse().ok()).ok_or("no count")?;
        let words = saved.split(' ').rev().skip(1).take(count);
        let moves: Option<Vec<Move>> = words.map(|word| self.spec.parse_move(word).ok()).collect();
        self.moves = moves.ok_or("moves that cannot be read")?;
        self.moves.reverse();
        Ok(())
    }

    /// Takes moves back and plays them again.
    fn back_and_forth(&mut self) -> Result<(), String> {
        let before = self.moves.clone();
        let answer = self.ask("UNDO")?;
        if self.reply(&answer)? != "OK" {
            return self.expect_refusal(&answer);
        }
        let undone = self.played()?;
        if undone.len() >= before.len() || before[..undone.len()] != undone[..] {
            return Err(format!("UNDO of {} moves leaves {}", before.len(), undone.len()));
        }
        self.moves = undone;
        if self.dice.roll(2) == 0 {
            let answer = self.ask("REDO")?;
            self.expect(&answer, |reply| matches!(reply, Reply::Ok))?;
            // And what a TAKEBACK before that had taken back.
            let redone = self.played()?;
            if !redone.starts_with(&before) {
                return Err(format!("REDO leads to {} moves", redone.len()));
            }
            self.moves = redone;
        }
        Ok(())
    }

    /// Sets a position up, stone by stone: of the mnk games only.
    fn set_up(&mut self) -> Result<(), String> {
        if !matches!(self.spec, GameSpec::Mnk { .. }) {
            return Ok(());
        }
        self.tell("YXBOARD")?;
        // The same stone twice: refused at the end, and the old game stays.
        for stone in ["0,0,2", "0,0,1"] {
            self.tell(stone)?;
        }
        let answer = self.ask("DONE")?;
        self.expect_refusal(&answer)
    }

    fn take_move(&mut self, answer: &Answer, position: &mut Position) -> Result<(), String> {
        let reply = self.reply(answer)?;
        let mv = self.spec.parse_move(&reply).map_err(|_| format!("no move: {reply}"))?;
        position.try_play(mv).map_err(|why| format!("it plays {reply}: {why}"))?;
        self.moves.push(mv);
        self.report.moves += 2;
        Ok(())
    }

    /// What the other side has.
    fn played(&mut self) -> Result<Vec<Move>, String> {
        let answer = self.ask("MOVES")?;
        let line = self.reply(&answer)?;
        let Ok(Reply::Played(text)) = Reply::parse(&line) else {
            return Err(format!("MOVES: {line}"));
        };
        let moves = text.split_whitespace().map(|word| self.spec.parse_move(word).ok());
        moves.collect::<Option<_>>().ok_or_else(|| format!("MOVES: {line}"))
    }

    /// The other side has the same game.
    fn compare(&mut self) -> Result<(), String> {
        let theirs = self.played()?;
        if theirs != self.moves {
            let (theirs, ours) = (theirs.len(), self.moves.len());
            return Err(format!("another game: {theirs} moves there, {ours} here"));
        }
        self.position().map(|_| ())
    }

    fn reply(&self, answer: &Answer) -> Result<String, String> {
        answer.reply.clone().ok_or_else(|| "no answer".into())
    }

    fn expect(&self, answer: &Answer, fits: impl Fn(&Reply<'_>) -> bool) -> Result<(), String> {
        let line = self.reply(answer)?;
        match Reply::parse(&line) {
            Ok(reply) if fits(&reply) => Ok(()),
            _ => Err(format!("answered `{line}`")),
        }
    }

    fn expect_refusal(&mut self, answer: &Answer) -> Result<(), String> {
        self.report.refused += 1;
        self.expect(answer, |reply| matches!(reply, Reply::Error(_) | Reply::Unknown(_)))
    }

    fn obey(&mut self, line: &str) -> Result<(), String> {
        let answer = self.ask(line)?;
        self.expect(&answer, |reply| matches!(reply, Reply::Ok))
    }

    /// Sends a line that has no answer.
    fn tell(&mut self, line: &str) -> Result<(), String> {
        self.report.commands += 1;
        self.said.push(line.to_string());
        self.partner.send(format!("{line}\n").as_bytes())
    }

    /// Sends a line and waits for its answer and all that belongs to it.
    fn ask(&mut self, line: &str) -> Result<Answer, String> {
        self.tell(line)?;
        let (ping, pong) = MARK;
        let (mut reply, mut others) = (None, Vec::new());
        // Thinking is not over when a PING is answered: the answer itself is waited for.
        while reply.is_none() && others.len() < MOST_LINES {
            let said = self.partner.line().map_err(|why| format!("{line}: {why}"))?;
            self.report.resets += u64::from(said.starts_with(BANNER));
            let aside = said.starts_with("MESSAGE") || said.starts_with("DEBUG");
            if aside { others.push(said) } else { reply = Some(said) }
        }
        self.partner.send(format!("{ping}\n").as_bytes())?;
        while others.len() < MOST_LINES {
            let said = self.partner.line().map_err(|why| format!("{line}: {why}"))?;
            if said == pong {
                return Ok(Answer { reply, others });
            }
            if !said.starts_with("MESSAGE") {
                return Err(format!("{line}: answered twice: `{said}`"));
            }
            others.push(said);
        }
        Err(format!("{line}: talks without end"))
    }
}
