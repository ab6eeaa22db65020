//! A whole conversation from arbitrary bytes.
//!
//! The bytes choose what comes next: lines that a program could send, raw bytes, and what happens
//! to jobs meanwhile. The capacities are small and every job is cut short, so that a case takes
//! well under a millisecond.
//!
//! # The way out
//! Whatever was said before, [`RECOVERY`] brings a session back to commands, in machine mode, with
//! checksums optional, and nothing to think about:
//!
//! 1. a line end: it ends what is left of a line, or of an escape sequence in human mode;
//! 2. `RESTART`: calls a job off, leaves `BOARD`. With its checksum, as `CHECK ON` may hold;
//! 3. `MACHINE` and `CHECK OFF`, with their checksums: not before 2, as a job would refuse them;
//! 4. `RESTART` again: it takes the report of an impossible `INFO`, which would else come in the
//!    place of the next answer.
//!
//! Nothing shorter will do in all states. After `END` the host reopens the session first.

use engine::game::Game;
use engine::game::any::AnyGame;
use engine::protocol::command::COMMANDS;
use engine::protocol::reply::Reply;
use engine::session::memory::{Apart, Memory};

use super::arguments::{a_move, a_stone, arguments};
use super::script::Script;
use crate::legal_moves;
use crate::talk::{self, SmallBoard, Talk, with_checksum};

/// How often a job asks before it is stopped: at every few nodes.
const PATIENCE: u64 = 40;
/// The most bytes that a byte of input or a finished job may bring forth. The longest answers are
/// a drawn board (some 50 lines of 80 bytes) and the list of commands (40 such lines).
const MOST_OUTPUT: usize = 8_192;

/// See the module's text: the lines that bring a session back from anywhere.
pub const RECOVERY: [&str; 4] = ["RESTART", "MACHINE", "CHECK OFF", "RESTART"];

/// Holds a conversation.
///
/// # Panics
/// The session panics, says something that is no reply, says too much, holds a game that the rules
/// do not allow, or does not come back.
pub fn session(data: &[u8]) {
    talk::hold("mnk:6x6x4", |talk| {
        talk.patience = PATIENCE;
        let mut fuzz = Fuzz { talk, rest: String::new(), saved: None, revision: 0 };
        let mut script = Script::new(data);
        while !script.is_empty() {
            fuzz.step(&mut script);
        }
        fuzz.recover();
    });
}

struct Fuzz<'a, 'd> {
    talk: &'a mut Talk<'d, Apart<'d, SmallBoard>>,
    /// A line that has not come to its end.
    rest: String,
    /// What `SAVE` last said.
    saved: Option<String>,
    revision: u32,
}

impl Fuzz<'_, '_> {
    /// Does what the next bytes choose.
    fn step(&mut self, script: &mut Script<'_>) {
        match script.below(20) {
            0..=4 => {
                let name = COMMANDS[script.below(COMMANDS.len())].name;
                let line = format!("{name} {}", arguments(name, script));
                self.line(&line, script);
            }
            5 => {
                let line = format!("TURN {}", self.legal_move(script));
                self.line(&line, script);
            }
            6 => {
                let line = format!("MOVE {}", self.legal_move(script));
                self.line(&line, script);
            }
            7 => self.stones(script),
            8 => {
                let line = format!("INFO {}", arguments("INFO", script));
                self.line(&line, script);
            }
            9 => {
                let count = script.below(64);
                self.bytes(script.bytes(count));
            }
            10 => {
                let line = script.pick(&["STOP", "YXSTOP", "PING", "HUMAN", "MACHINE", "END"]);
                self.line(line, script);
            }
            11 | 12 => {
                self.talk.take_job();
                self.finish();
            }
            13 => {
                self.talk.take_job();
            }
            14 => self.finish(),
            15 => self.set_clock(script),
            16 => self.talk.session.mark_damaged(),
            17 => self.line("SAVE", script),
            18 => self.load(script),
            _ => {
                // Part of a line; the rest of it may come after other things have happened.
                let name = COMMANDS[script.below(COMMANDS.len())].name;
                let line = format!("{name} {}", arguments(name, script));
                let cut = script.below(line.len());
                self.bytes(&line.as_bytes()[..cut]);
            }
        }
        self.check_game();
    }

    fn line(&mut self, line: &str, script: &mut Script<'_>) {
        let line = match script.below(8) {
            0 | 1 => with_checksum(line),
            2 => format!("{line}*00"),
            _ => line.to_string(),
        };
        self.bytes(line.as_bytes());
        self.bytes(script.pick(&["\n", "\r\n", "\r", "\n"]).as_bytes());
    }

    /// A legal move if the game is there, or else any.
    fn legal_move(&self, script: &mut Script<'_>) -> String {
        let moves = self.talk.session.game().map(|game| (game.spec(), legal_moves(game)));
        match moves {
            Some((spec, moves)) if !moves.is_empty() => {
                let n = script.below(256) * moves.len() / 256;
                spec.show_move(moves[n]).to_string()
            }
            _ => a_move(script),
        }
    }

    fn stones(&mut self, script: &mut Script<'_>) {
        let begin = script.pick(&["BOARD", "YXBOARD", "SWAP2BOARD", "", ""]);
        if !begin.is_empty() {
            self.line(begin, script);
        }
        for _ in 0..script.below(7) {
            let stone = a_stone(script);
            self.line(&stone, script);
        }
        if script.below(3) > 0 {
            self.line("DONE", script);
        }
    }

    fn set_clock(&mut self, script: &mut Script<'_>) {
        let clock = &self.talk.clock;
        match script.below(5) {
            0 => clock.set_step_us(0),
            1 => clock.set_step_us(1 << script.below(40)),
            2 => clock.set_us(script.pick(&[0, 1, u64::MAX / 2, u64::MAX])),
            3 => clock.jump_after(u64::from(script.byte()), script.pick(&[0, 1 << 40, u64::MAX])),
            _ => clock.pass_us(1 << script.below(64)),
        }
    }

    /// Loads what was saved, whole or altered, in one go or with a job in between.
    fn load(&mut self, script: &mut Script<'_>) {
        let Some(mut line) = self.saved.clone().map(String::into_bytes) else { return };
        if script.below(4) == 0 {
            let at = script.below(256) * line.len() / 256;
            line[at] = script.byte();
        }
        let cut = script.below(256) * line.len() / 256;
        self.bytes(&line[..cut]);
        match script.below(4) {
            0 => {
                self.talk.take_job();
            }
            1 => {
                self.talk.take_job();
                self.finish();
            }
            _ => {}
        }
        self.bytes(&line[cut..]);
        self.bytes(b"\n");
    }

    /// Sends bytes one by one, so that it is known what each of them brings forth.
    fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            if self.talk.session.is_over() {
                assert_eq!(self.talk.take_text(), "", "END is the last word");
                assert_eq!(self.talk.offer(b"PING\n"), 0);
                self.talk.session.reopen();
                self.rest.clear();
            }
            let human = self.talk.session.is_human();
            if self.talk.offer(&[*byte]) == 0 {
                // A job that was called off: nothing is taken before it is done.
                assert!(self.talk.is_running(), "nothing taken and nothing to wait for");
                self.finish();
                if !self.talk.session.is_over() {
                    assert_eq!(self.talk.offer(&[*byte]), 1, "taken when the job is done");
                }
            }
            self.hear(human);
        }
    }

    fn finish(&mut self) {
        let human = self.talk.session.is_human();
        self.talk.finish_job();
        self.hear(human);
    }

    /// Checks what was said.
    fn hear(&mut self, was_human: bool) {
        let text = self.talk.take_text();
        assert!(text.len() <= MOST_OUTPUT, "{} bytes: {text}", text.len());
        if was_human || self.talk.session.is_human() || self.talk.session.is_over() {
            self.rest.clear();
            return;
        }
        self.rest.push_str(&text);
        assert!(self.rest.is_empty() || self.rest.ends_with('\n'), "half a line: {}", self.rest);
        for line in std::mem::take(&mut self.rest).lines() {
            let reply = Reply::parse(line);
            let written = reply.map(|reply| reply.to_string());
            let sum = line.rsplit_once('*').filter(|(_, sum)| sum.len() == 2);
            let body = sum.map_or(line, |(body, _)| body);
            assert!(
                written.as_deref().is_ok_and(|text| text == line || text == body),
                "{line}: {reply:?}"
            );
            if let Ok(Reply::Saved(_)) = reply {
                self.saved = Some(body.to_string());
            }
        }
    }

    /// Plays the game again on an empty board.
    fn check_game(&mut self) {
        if self.talk.session.revision() == self.revision {
            return;
        }
        let Some(game) = self.talk.session.game() else { return };
        self.revision = self.talk.session.revision();
        let mut again = AnyGame::new(game.spec()).expect("it fits");
        for n in 0..game.ply() {
            let mv = game.played(n).expect("played");
            assert_eq!(again.try_play(mv), Ok(()), "ply {n} of {}", game.spec());
        }
        assert_eq!(*game, again, "a game is what its moves make of it");
    }

    /// Takes the way out and makes sure that it leads somewhere.
    fn recover(&mut self) {
        self.bytes(b"\n");
        for line in RECOVERY {
            self.bytes(with_checksum(line).as_bytes());
            self.bytes(b"\n");
        }
        self.talk.clock.set_step_us(1);
        recovered(self.talk);
    }
}

/// The session answers as a fresh one does.
fn recovered<M: Memory>(talk: &mut Talk<'_, M>) {
    // A message may say that the player does not know this game.
    assert_eq!(talk.ask("NEW connect:6x7x4").last().map(String::as_str), Some("OK"));
    let board = talk.ask("SHOW");
    assert!(board.len() > 6, "{board:?}");
    assert_eq!(board.last().map(String::as_str), Some("OK"));
    assert_eq!(talk.ask("MOVES"), ["MOVES"]);
    let answer = talk.ask_one("TURN 3");
    assert!(matches!(Reply::parse(&answer), Ok(Reply::Moves(_))), "{answer}");
}
