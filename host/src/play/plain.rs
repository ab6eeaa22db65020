//! The plain mode: line by line, for pipes and screen readers.
//!
//! A line is a move or a word of [`WORDS`]. Lines wait while the other side thinks, so that a whole
//! game can come from a pipe. The end of the input is a clean end.

use std::collections::VecDeque;
use std::io::{BufRead, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use engine::game::Side;
use engine::spec::GameSpec;

use super::course::Course;
use super::round::{Change, Presence, Round, Seat, side_word};
use super::saved;
use super::setup::{HumanSide, Setup};
use super::world::{self, World};
use crate::board_text;
use crate::failure::{Failure, Status};
use crate::partner::News;
use crate::partner::dialog::{Question, Worth};
use crate::partner::place::{Local, Place};
use crate::position::moves_of;

/// How often time is looked at.
const TICK: Duration = Duration::from_millis(50);
/// The most bytes of a line that is read.
const MAX_LINE: u64 = 4_096;

/// The words and what they do, for people.
pub const WORDS: &[(&str, &str)] = &[
    ("7,7", "a move: x,y (stones), x (pieces), x,y,h or x,y,v (bricks)"),
    ("tip", "a good move for you"),
    ("eval", "what the position is worth"),
    ("undo, redo", "take back, play again"),
    ("swap", "change sides"),
    ("now", "stop thinking and move"),
    ("resign", "give the game up"),
    ("new [GAME]", "another game, as in new connect:6x7x4"),
    ("show, moves", "the board, the moves"),
    ("save FILE", "write the game to a new file"),
    ("load FILE", "open a saved game"),
    ("reconnect, local", "after a partner was lost: look again, or go on in this program"),
    ("quit", "the end"),
];

/// What wakes the loop.
enum Input {
    Line(String),
    End,
    News(usize, u32, News),
}

/// The conversation.
pub struct Plain<'a> {
    round: Round,
    setup: Setup,
    local: Local,
    out: &'a mut dyn Write,
    start: Instant,
    /// Lines that could not be obeyed.
    refused: usize,
    over_told: bool,
    /// Nobody but partners plays.
    watching: bool,
}

impl<'a> Plain<'a> {
    /// A game of a person and a partner.
    ///
    /// # Errors
    /// The board is too large.
    pub fn new(
        setup: Setup,
        place: Place,
        local: Local,
        out: &'a mut dyn Write,
    ) -> Result<Plain<'a>, Failure> {
        let round = Round::with_person(&setup, place).map_err(Failure::Input)?;
        Ok(Plain::of(round, setup, local, out, false))
    }

    /// A game of two partners.
    pub fn watch(round: Round, setup: Setup, local: Local, out: &'a mut dyn Write) -> Plain<'a> {
        Plain::of(round, setup, local, out, true)
    }

    fn of(
        round: Round,
        setup: Setup,
        local: Local,
        out: &'a mut dyn Write,
        watching: bool,
    ) -> Plain<'a> {
        let start = Instant::now();
        Plain { round, setup, local, out, start, refused: 0, over_told: false, watching }
    }

    /// Puts a game out of a file on the board.
    ///
    /// # Errors
    /// It does not fit.
    pub fn open(&mut self, saved: &saved::Saved) -> Result<(), Failure> {
        let course = Course::after(saved.spec, &saved.moves, saved.used).map_err(Failure::Input)?;
        self.setup.spec = saved.spec;
        if let Some(player) = &saved.player {
            self.setup.player.clone_from(player);
        }
        self.setup.human = match saved.engine {
            Some(Side::First) => HumanSide::Second,
            Some(Side::Second) => HumanSide::First,
            None => HumanSide::Both,
        };
        self.round.restart(&self.setup, course, self.now());
        self.over_told = false;
        Ok(())
    }

    fn now(&self) -> Duration {
        self.start.elapsed()
    }

    /// Talks until the end of the input, `quit`, or, when partners play alone, the end of the game.
    /// Gives back how things stand besides.
    ///
    /// # Errors
    /// The output cannot be written, or a partner was lost and the input ended without a word
    /// about it.
    pub fn run(
        mut self,
        input: Option<Box<dyn BufRead + Send>>,
    ) -> Result<(Status, Round), Failure> {
        let (send, queue) = mpsc::channel();
        let teller = Mutex::new(send.clone());
        let mut world = World::new(Arc::new(move |chair, attempt, news| {
            if let Ok(send) = teller.lock() {
                let _ = send.send(Input::News(chair, attempt, news));
            }
        }));
        if let Some(input) = input {
            thread::spawn(move || read_lines(input, &send));
        }
        let mut lines: VecDeque<String> = VecDeque::new();
        let mut ended = false;
        self.tell_start()?;
        loop {
            for effect in self.round.take_effects() {
                world.carry_out(effect);
            }
            self.tell_over()?;
            self.out.flush()?;
            if self.watching && self.round.course.outcome().is_some() {
                return Ok(self.status());
            }
            let impatient = lines.front().is_some_and(|line| is_impatient(line));
            if !self.is_busy() || impatient {
                match lines.pop_front() {
                    Some(line) => {
                        if !self.obey(&line)? {
                            return Ok(self.status());
                        }
                        continue;
                    }
                    None if ended && !self.watching => return self.end(),
                    None => {}
                }
            }
            match queue.recv_timeout(TICK) {
                Ok(Input::Line(line)) => lines.push_back(line),
                Ok(Input::End) => ended = true,
                Ok(Input::News(chair, attempt, news)) => {
                    let now = self.now();
                    let changes = self.round.news(chair, attempt, news, now);
                    self.tell(changes)?;
                }
                Err(_) => {
                    let now = self.now();
                    let changes = self.round.tick(now);
                    self.tell(changes)?;
                }
            }
        }
    }

    fn status(self) -> (Status, Round) {
        let status = if self.refused == 0 { Status::Done } else { Status::Incomplete };
        (status, self.round)
    }

    /// The input has ended.
    fn end(self) -> Result<(Status, Round), Failure> {
        for chair in &self.round.chairs {
            if let Presence::Lost(why) = &chair.presence {
                return Err(Failure::Input(why.clone()));
            }
        }
        Ok(self.status())
    }

    /// Whether a person has to wait.
    fn is_busy(&self) -> bool {
        let lost = |presence: &Presence| matches!(presence, Presence::Lost(_));
        if self.round.chairs.iter().any(|chair| lost(&chair.presence)) {
            return false;
        }
        let coming = self.round.chairs.iter().any(|chair| chair.presence == Presence::Coming);
        coming
            || self.round.thinking().is_some()
            || matches!(self.round.to_move(), Some(Seat::Chair(_)))
    }

    fn tell_start(&mut self) -> Result<(), Failure> {
        let spec = self.round.course.spec();
        if self.watching {
            let [first, second] = [0, 1].map(|chair: usize| self.round.chairs[chair].name());
            writeln!(self.out, "{spec}: {first} (first) against {second} (second)")?;
            return Ok(());
        }
        let player = &self.round.chairs[0].name();
        let human = self.setup.human;
        writeln!(self.out, "{spec} with {player}; you play {human}. help lists the words.")?;
        self.show()
    }

    fn show(&mut self) -> Result<(), Failure> {
        write!(self.out, "{}", board_text::draw(self.round.course.position()))?;
        if self.round.to_move() == Some(Seat::Human) {
            let side = side_word(self.round.course.spec(), self.round.course.side_to_move());
            writeln!(self.out, "{side} to move: your move")?;
        }
        Ok(())
    }

    fn tell_over(&mut self) -> Result<(), Failure> {
        match self.round.result() {
            Some(result) if !self.over_told => {
                self.over_told = true;
                writeln!(self.out, "{result}")?;
            }
            Some(_) => {}
            None => self.over_told = false,
        }
        Ok(())
    }

    fn tell(&mut self, changes: Vec<Change>) -> Result<(), Failure> {
        let spec = self.round.course.spec();
        for change in changes {
            match change {
                Change::Moved(mv) => {
                    let side = self.round.course.side_to_move().other();
                    let name = self.name_of(side);
                    let word = side_word(spec, side);
                    let thought = self.thought_of(side);
                    writeln!(self.out, "{name} ({word}) plays {}{thought}", spec.show_move(mv))?;
                    if self.watching {
                        continue;
                    }
                    self.show()?;
                }
                Change::Hint(mv) => writeln!(self.out, "try {}", spec.show_move(mv))?,
                Change::Worth(worth) => {
                    let side = side_word(spec, self.round.course.side_to_move());
                    let Worth { line, .. } = &worth;
                    writeln!(self.out, "for {side}: {}; expected: {line}", in_words(&worth))?;
                }
                Change::Said(text) => writeln!(self.out, "note: {text}")?,
                Change::Ready(_) => {}
                Change::Lost(chair, why) => {
                    writeln!(self.out, "lost: {why}")?;
                    if !self.watching {
                        let place = &self.round.chairs[chair].place;
                        writeln!(
                            self.out,
                            "the game is kept: reconnect looks for {place} again, local goes on \
                             in this program"
                        )?;
                    }
                }
            }
        }
        Ok(())
    }

    fn name_of(&self, side: Side) -> String {
        match self.round.seats[side.index()] {
            Seat::Human => "you".into(),
            Seat::Chair(chair) => self.round.chairs[chair].name(),
        }
    }

    /// What a partner thought when it moved.
    fn thought_of(&self, side: Side) -> String {
        let Seat::Chair(chair) = self.round.seats[side.index()] else { return String::new() };
        let worth = self.round.chairs[chair].worth.as_ref();
        worth.map_or_else(String::new, |(worth, _)| format!(" ({})", in_words(worth)))
    }

    /// Does what a line says; `false` at the end.
    fn obey(&mut self, line: &str) -> Result<bool, Failure> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let (rest, now) = (rest.trim(), self.now());
        let result = match word.to_ascii_lowercase().as_str() {
            "" => Ok(()),
            "quit" | "exit" | "q" => return Ok(false),
            "help" | "?" => {
                for (words, what) in WORDS {
                    writeln!(self.out, "{words:>18}  {what}")?;
                }
                Ok(())
            }
            "show" => return self.show().map(|()| true),
            "moves" => {
                let moves = moves_of(self.round.course.position());
                writeln!(self.out, "moves: {}", moves.join(" "))?;
                Ok(())
            }
            "tip" | "hint" => self.round.advise(Question::Hint, now),
            "eval" => self.round.advise(Question::Worth, now),
            "undo" => self.changed(Round::undo, "there is no move of yours to take back")?,
            "redo" => self.changed(Round::redo, "there is nothing to play again")?,
            "swap" => {
                self.round.swap(now);
                Ok(())
            }
            "now" | "stop" => {
                self.round.hurry();
                Ok(())
            }
            "resign" => {
                let done = self.round.resign(now);
                if done { Ok(()) } else { Err("there is nothing to give up".into()) }
            }
            "new" => self.new_game(rest)?,
            "save" => self.save(rest)?,
            "load" => self.load(rest)?,
            "reconnect" => {
                self.round.connect(0);
                Ok(())
            }
            "local" => {
                self.round.replace(0, Place::Local(self.local));
                Ok(())
            }
            _ => self.play(line),
        };
        if let Err(why) = result {
            self.refused += 1;
            writeln!(self.out, "not done: {why}")?;
        }
        Ok(true)
    }

    fn play(&mut self, line: &str) -> Result<(), String> {
        let spec = self.round.course.spec();
        let text = line.strip_prefix("play ").unwrap_or(line);
        let mv = spec
            .parse_move(text)
            .map_err(|error| format!("`{}`: {error}; help lists the words", text.escape_debug()))?;
        self.round.play(mv, self.now())
    }

    /// Goes back or forward and shows the board.
    fn changed(
        &mut self,
        change: fn(&mut Round, Duration) -> bool,
        otherwise: &str,
    ) -> Result<Result<(), String>, Failure> {
        let now = self.now();
        if !change(&mut self.round, now) {
            return Ok(Err(otherwise.into()));
        }
        self.show()?;
        Ok(Ok(()))
    }

    fn new_game(&mut self, spec: &str) -> Result<Result<(), String>, Failure> {
        let mut setup = self.setup.clone();
        if !spec.is_empty() {
            match spec.parse::<GameSpec>() {
                Ok(spec) => setup.spec = spec,
                Err(error) => return Ok(Err(error.to_string())),
            }
        }
        if setup.check().is_err() {
            setup.player = Setup::default().player;
        }
        let now = self.now();
        match Course::new(setup.spec) {
            Ok(course) => self.round.restart(&setup, course, now),
            Err(error) => return Ok(Err(error)),
        }
        self.setup = setup;
        self.show()?;
        Ok(Ok(()))
    }

    fn save(&mut self, file: &str) -> Result<Result<(), String>, Failure> {
        if file.is_empty() {
            return Ok(Err("expected save FILE".into()));
        }
        let course = &self.round.course;
        let used = Side::BOTH.map(|side| course.used(side));
        let engine = self.round.side_of(0);
        let player = &self.round.chairs[0].player;
        let mut text = saved::text(course.spec(), player, engine, used, &course.moves());
        text.push('\n');
        Ok(match world::write(file, &text) {
            Ok(done) => {
                writeln!(self.out, "{done}")?;
                Ok(())
            }
            Err(error) => Err(error),
        })
    }

    fn load(&mut self, file: &str) -> Result<Result<(), String>, Failure> {
        if file.is_empty() {
            return Ok(Err("expected load FILE".into()));
        }
        let saved = match world::read(Path::new(file), None) {
            Ok(saved) => saved,
            Err(error) => return Ok(Err(error)),
        };
        self.open(&saved)?;
        self.show()?;
        Ok(Ok(()))
    }
}

/// `+12, depth 5, 1234 nodes`.
fn in_words(worth: &Worth) -> String {
    let Worth { value, proved, depth, nodes, .. } = worth;
    let proved = if *proved { ", proved" } else { "" };
    format!("{value}{proved}, depth {depth}, {nodes} nodes")
}

/// Words that do not wait for the end of thinking.
fn is_impatient(line: &str) -> bool {
    ["now", "stop"].iter().any(|word| line.trim().eq_ignore_ascii_case(word))
}

/// Passes on lines, whatever bytes they are made of. Very long ones come in pieces.
fn read_lines(mut input: Box<dyn BufRead + Send>, send: &mpsc::Sender<Input>) {
    use std::io::Read;
    loop {
        let mut bytes = Vec::new();
        match input.by_ref().take(MAX_LINE).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => break,
            Ok(_) => {
                let line = String::from_utf8_lossy(&bytes).into_owned();
                if send.send(Input::Line(line)).is_err() {
                    return;
                }
            }
        }
    }
    let _ = send.send(Input::End);
}
