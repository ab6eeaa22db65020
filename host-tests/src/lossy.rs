//! A serial line that loses, doubles, flips and delays bytes, and a host that plays over it.
//!
//! ```text
//!   dialog (the host's own) ──► LossyLink ──► the board's UART
//!          ▲                        │
//!          └──── lines ◄────────────┘   + resets, + the plug pulled for a while
//! ```
//!
//! The host's side is the one of `tavola play` ([`Dialog`]): it keeps the game, asks for moves, and
//! asks again after a damaged or missing answer. What is random comes from one seed.

use std::collections::VecDeque;
use std::fmt;
use std::time::{Duration, Instant};

use engine::game::any::Position;
use engine::game::{Game, Move};
use engine::spec::GameSpec;
use host::link::lines::{LineBuffer, read_line};
use host::link::{Link, LinkError};
use host::partner::dialog::{Brief, Dialect, Dialog, Heard, Question, Trouble, checked};

use crate::{Dice, legal_moves};

/// How bad the line is: one byte in so many suffers, for each kind of damage.
#[derive(Clone, Copy, Debug)]
pub struct Damage {
    /// A byte gets lost.
    pub drop: usize,
    /// A byte comes twice.
    pub double: usize,
    /// One bit of a byte flips.
    pub flip: usize,
    /// A byte, and all behind it, come later.
    pub delay: usize,
}

/// What happened on the line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Bytes that were to be carried.
    pub bytes: u64,
    /// Bytes lost one by one.
    pub dropped: u64,
    /// Bytes doubled.
    pub doubled: u64,
    /// Bits flipped.
    pub flipped: u64,
    /// Delays.
    pub delayed: u64,
    /// Bytes lost while the plug was out.
    pub unplugged: u64,
}

/// The longest delay.
const MAX_DELAY_MS: usize = 60;
/// How long the plug may be out.
const MAX_UNPLUGGED_MS: usize = 300;
/// How long is waited for a byte before time is looked at.
const STEP: Duration = Duration::from_millis(2);
/// The host's clock runs so many times as fast: it waits ten seconds for an answer that does not
/// come, which would make a test of a thousand games last hours. (The emulated UART takes two bytes in
/// a millisecond, so it cannot be made much shorter.)
const HASTE: u32 = 20;
/// A move that has been asked for so many times will not come.
const MOST_QUESTIONS: u32 = 60;
/// The most bytes of a line.
const LINE_LIMIT: usize = 64 << 10;
/// The line is quiet if nothing comes for so long.
const QUIET: Duration = Duration::from_millis(60);

/// How long an answer on a sound line may take on a busy PC.
const SOUND_PATIENCE: Duration = Duration::from_secs(20);

/// A way for bytes, in one direction.
#[derive(Debug, Default)]
struct Way {
    /// Bytes under way, with the moment at which each may arrive.
    queue: VecDeque<(Instant, u8)>,
}

impl Way {
    /// Sends bytes on their way.
    fn put(&mut self, bytes: &[u8], damage: Option<Damage>, dice: &mut Dice, counts: &mut Counts) {
        let now = Instant::now();
        for &byte in bytes {
            counts.bytes += 1;
            let mut due = self.queue.back().map_or(now, |&(due, _)| due.max(now));
            let (mut byte, mut times) = (byte, 1);
            if let Some(damage) = damage {
                let mut hits = |one_in: usize| one_in > 0 && dice.roll(one_in) == 0;
                if hits(damage.drop) {
                    counts.dropped += 1;
                    times = 0;
                }
                if hits(damage.double) {
                    counts.doubled += 1;
                    times *= 2;
                }
                if hits(damage.flip) {
                    counts.flipped += 1;
                    byte ^= 1 << dice.roll(8);
                }
                if dice.roll(damage.delay.max(1)) == 0 && damage.delay > 0 {
                    counts.delayed += 1;
                    due += Duration::from_millis(dice.roll(MAX_DELAY_MS) as u64);
                }
            }
            self.queue.extend((0..times).map(|_| (due, byte)));
        }
    }

    /// What has arrived.
    fn take(&mut self) -> Vec<u8> {
        let now = Instant::now();
        let count = self.queue.iter().take_while(|(due, _)| *due <= now).count();
        self.queue.drain(..count).map(|(_, byte)| byte).collect()
    }
}

/// A link whose bytes suffer on their way.
pub struct LossyLink<'l, L> {
    link: &'l mut L,
    damage: Option<Damage>,
    dice: Dice,
    there: Way,
    back: Way,
    arrived: VecDeque<u8>,
    unplugged_until: Option<Instant>,
    counts: Counts,
}

impl<'l, L: Link> LossyLink<'l, L> {
    /// A line that is sound so far.
    pub fn new(link: &'l mut L, seed: u64) -> LossyLink<'l, L> {
        let (there, back, arrived) = (Way::default(), Way::default(), VecDeque::new());
        let (dice, counts) = (Dice::new(seed), Counts::default());
        LossyLink { link, damage: None, dice, there, back, arrived, unplugged_until: None, counts }
    }

    /// Makes it as bad as this from now on; `None`: sound.
    pub fn set_damage(&mut self, damage: Option<Damage>) {
        self.damage = damage;
    }

    /// Pulls the plug; it is put in again after a while.
    pub fn unplug(&mut self) {
        let time = Duration::from_millis(self.dice.roll(MAX_UNPLUGGED_MS) as u64);
        self.unplugged_until = Some(Instant::now() + time);
        self.counts.unplugged += (self.there.queue.len() + self.back.queue.len()) as u64;
        self.there.queue.clear();
        self.back.queue.clear();
    }

    fn is_unplugged(&mut self) -> bool {
        if self.unplugged_until.is_some_and(|until| Instant::now() >= until) {
            self.unplugged_until = None;
        }
        self.unplugged_until.is_some()
    }

    /// Moves bytes along on both ways.
    fn carry(&mut self, timeout: Duration) -> Result<(), LinkError> {
        let ready = self.there.take();
        if !ready.is_empty() {
            self.link.write(&ready)?;
        }
        let mut buffer = [0; 512];
        let count = self.link.read(&mut buffer, timeout)?;
        if self.is_unplugged() {
            self.counts.unplugged += count as u64;
        } else {
            self.back.put(&buffer[..count], self.damage, &mut self.dice, &mut self.counts);
        }
        self.arrived.extend(self.back.take());
        Ok(())
    }
}

impl<L: Link> Link for LossyLink<'_, L> {
    fn name(&self) -> &str {
        "lossy line"
    }

    fn read(&mut self, buffer: &mut [u8], timeout: Duration) -> Result<usize, LinkError> {
        let deadline = Instant::now() + timeout;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            self.carry(left.min(STEP))?;
            let count = self.arrived.len().min(buffer.len());
            if count > 0 || left.is_zero() {
                for (place, byte) in buffer.iter_mut().zip(self.arrived.drain(..count)) {
                    *place = byte;
                }
                return Ok(count);
            }
        }
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), LinkError> {
        if self.is_unplugged() {
            self.counts.unplugged += bytes.len() as u64;
        } else {
            self.there.put(bytes, self.damage, &mut self.dice, &mut self.counts);
        }
        self.carry(Duration::ZERO)
    }
}

/// What came of the games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games played to their end.
    pub games: u64,
    /// Moves of both sides.
    pub moves: u64,
    /// Questions that had to be asked again by the player, after the dialog had given up.
    pub asked_again: u64,
    /// Resets in the middle of something.
    pub resets: u64,
    /// Times the plug was pulled.
    pub unplugs: u64,
    /// What happened to the bytes.
    pub counts: Counts,
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { games, moves, asked_again, resets, unplugs, counts } = self;
        let Counts { bytes, dropped, doubled, flipped, delayed, unplugged } = counts;
        write!(
            f,
            "{games} games, {moves} moves, {bytes} bytes: {dropped} dropped, {doubled} doubled, \
             {flipped} flipped, {delayed} delays, {unplugged} lost in {unplugs} unpluggings, \
             {resets} resets; {asked_again} questions asked again"
        )
    }
}

/// Something that a board can be reset with.
pub trait Board {
    /// The line to it.
    type Line: Link;

    /// The line to it.
    fn line(&mut self) -> &mut Self::Line;

    /// Presses its reset.
    fn reset(&mut self);
}

#[cfg(unix)]
impl Board for host::link::emulator::Emulator {
    type Line = host::link::emulator::Uart;

    fn line(&mut self) -> &mut Self::Line {
        self.uart()
    }

    fn reset(&mut self) {
        host::link::emulator::Emulator::reset(self).expect("QEMU answers");
    }
}

/// Plays a game over a bad line to its end, and makes sure that both sides have the same one.
///
/// # Panics
/// A move does not come, the sides do not agree, or the board holds a game that the rules do not
/// allow.
pub fn play(
    board: &mut impl Board,
    spec: GameSpec,
    player: &str,
    turn: Duration,
    damage: Damage,
    seed: u64,
) -> Tally {
    let mut dice = Dice::new(seed);
    let mut tally = Tally::default();
    let mut game = Box::new(Position::new(spec).expect("the largest boards fit"));
    let mut dialog = Dialog::new(Dialect::Session);
    let mut lines = LineBuffer::new(LINE_LIMIT);
    let mut moves: Vec<Move> = Vec::new();
    let mut handed_over = 0;
    let host_side = dice.roll(2);
    while game.outcome().is_none() {
        if moves.len() % 2 == host_side {
            let legal = legal_moves(&*game);
            let mv = legal[dice.roll(legal.len())];
            game.try_play(mv).expect("a legal move");
            moves.push(mv);
            continue;
        }
        // Something happens during every few questions.
        let event = dice.roll(12);
        if event == 0 {
            board.reset();
            tally.resets += 1;
        }
        let mut line = LossyLink::new(board.line(), seed ^ (moves.len() as u64) << 32);
        line.set_damage(Some(damage));
        if event == 1 {
            line.unplug();
            tally.unplugs += 1;
        }
        let (player, moves_so_far) = (player.to_string(), moves.clone());
        let brief =
            Brief { question: Question::Move, spec, moves: moves_so_far, player, turn, game: None };
        let mut later = (event == 2).then(|| Instant::now() + turn / 2);
        let mv = loop {
            match ask(&mut dialog, &mut line, &mut lines, &brief, later) {
                Answer::Move(mv, questions) => {
                    tally.asked_again += u64::from(questions - 1);
                    break mv;
                }
                Answer::Interrupted => {
                    // A reset while it thinks, or while a line is under way.
                    later = None;
                    add(&mut tally.counts, line.counts);
                    board.reset();
                    tally.resets += 1;
                    line = LossyLink::new(board.line(), seed ^ 0xFFFF ^ (moves.len() as u64) << 32);
                    line.set_damage(Some(damage));
                }
            }
        };
        add(&mut tally.counts, line.counts);
        game.try_play(mv).expect("the dialog lets only legal moves through");
        moves.push(mv);
        handed_over = moves.len();
    }
    tally.moves = moves.len() as u64;
    tally.games = 1;
    agree(board.line(), &mut lines, spec, &moves, handed_over);
    tally
}

/// Adds what happened on one line to all.
fn add(all: &mut Counts, one: Counts) {
    all.bytes += one.bytes;
    all.dropped += one.dropped;
    all.doubled += one.doubled;
    all.flipped += one.flipped;
    all.delayed += one.delayed;
    all.unplugged += one.unplugged;
}

impl Tally {
    /// Adds what came of further games.
    pub fn add(&mut self, other: &Tally) {
        self.games += other.games;
        self.moves += other.moves;
        self.asked_again += other.asked_again;
        self.resets += other.resets;
        self.unplugs += other.unplugs;
        add(&mut self.counts, other.counts);
    }
}

/// How a question ended.
enum Answer {
    /// With a move, after so many questions.
    Move(Move, u32),
    /// The moment has come at which the board is to be reset.
    Interrupted,
}

/// Asks until the move is there.
fn ask<L: Link>(
    dialog: &mut Dialog,
    line: &mut LossyLink<'_, L>,
    lines: &mut LineBuffer,
    brief: &Brief,
    interrupt: Option<Instant>,
) -> Answer {
    let start = Instant::now();
    let now = || start.elapsed() * HASTE;
    let mut troubles: Vec<Trouble> = Vec::new();
    assert_eq!(dialog.ask(brief.clone(), now()), None, "a session knows every game");
    let (mut questions, mut heard) = (1, 0);
    loop {
        if interrupt.is_some_and(|moment| Instant::now() >= moment) {
            return Answer::Interrupted;
        }
        for text in dialog.take_lines() {
            line.write(format!("{text}\n").as_bytes()).expect("the board is there");
        }
        let said = read_line(line, lines, STEP).expect("the board is there");
        heard += u64::from(said.is_some());
        let trouble = match said.and_then(|said| dialog.hear(&said, now())) {
            Some(Heard::Move(mv)) => return Answer::Move(mv, questions),
            Some(Heard::Trouble(trouble)) => Some(trouble),
            _ => dialog.tick(now()),
        };
        if let Some(trouble) = trouble {
            troubles.push(trouble);
            if questions >= MOST_QUESTIONS {
                let counts = line.counts;
                let last = troubles.split_off(troubles.len().saturating_sub(5));
                panic!("{}: no answer: {last:?}, {heard} lines heard, {counts:?}", brief.spec);
            }
            questions += 1;
            assert_eq!(dialog.ask(brief.clone(), now()), None);
        }
    }
}

/// On a sound line: the board has the game as far as it was handed over, takes the rest, and then
/// has the whole game. The rules allow all of it.
fn agree<L: Link>(
    link: &mut L,
    lines: &mut LineBuffer,
    spec: GameSpec,
    moves: &[Move],
    handed_over: usize,
) {
    let show = |moves: &[Move]| -> String {
        let text = moves.iter().map(|&mv| format!(" {}", spec.show_move(mv)));
        checked(&format!("MOVES{}", text.collect::<String>()))
    };
    // What is left of a damaged line ends here, and its answers are read.
    link.write(b"\n").expect("the board is there");
    let mut asides = Vec::new();
    while let Some(said) = read_line(link, lines, QUIET).expect("the board is there") {
        asides.push(said);
    }
    // What the bad line has kept of a line of the board is no beginning of the next one.
    lines.clear();
    let mut ask = |text: &str| {
        link.write(format!("{}\n", checked(text)).as_bytes()).expect("the board is there");
        loop {
            let said = read_line(link, lines, SOUND_PATIENCE).expect("the board is there");
            match said {
                Some(said) if said.starts_with("MESSAGE") || said.starts_with("DEBUG") => {
                    asides.push(said);
                }
                Some(said) => return said,
                None => {
                    // Whether it is there at all.
                    link.write(format!("\n{}\n", checked("PING")).as_bytes()).expect("sent");
                    let pong = read_line(link, lines, SOUND_PATIENCE);
                    panic!("{spec}: {text}: no answer on a sound line, PING: {pong:?}; {asides:?}");
                }
            }
        }
    };
    assert_eq!(ask("MOVES"), show(&moves[..handed_over]), "{spec}: the sides do not agree");
    for mv in &moves[handed_over..] {
        assert_eq!(ask(&format!("MOVE {}", spec.show_move(*mv))), checked("OK"));
    }
    assert_eq!(ask("MOVES"), show(moves));
    assert!(ask("TURN 0").starts_with("ERROR "), "the game is over for both");
}
