//! A round: a game, who sits at it, and what is going on between them.
//!
//! Pure state. News of partners and the time go in; [`Change`]s tell the screen what happened, and
//! [`Effect`]s tell the loop what to do.

use std::time::Duration;

use engine::game::{IllegalMove, Move, Outcome, Side};
use engine::protocol::reply::Holds;
use engine::session::side_name;
use engine::spec::GameSpec;

use super::course::Course;
use super::setup::Setup;
use crate::partner::dialog::{Brief, Dialect, Dialog, Heard, Question, Trouble, Worth};
use crate::partner::place::Place;
use crate::partner::{Matrix, News};

/// Who decides for a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seat {
    /// A person at the screen.
    Human,
    /// The partner with this number.
    Chair(usize),
}

/// Whether a partner can be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Presence {
    /// It is being looked for.
    Coming,
    /// It is there.
    Ready,
    /// Something is wrong: what, in a line.
    Lost(String),
}

/// A partner at the table.
#[derive(Clone, Debug)]
pub struct Chair {
    /// Where it thinks.
    pub place: Place,
    /// Who plays there.
    pub player: String,
    /// Whether it can be asked.
    pub presence: Presence,
    /// What it thinks of the position, and for which side.
    pub worth: Option<(Worth, Side)>,
    /// What its matrix shows.
    pub matrix: Option<Box<Matrix>>,
    /// When it was asked.
    pub asked_at: Duration,
    dialog: Dialog,
    /// Which of several attempts to reach it this is: news of older ones do not count.
    attempt: u32,
}

impl Chair {
    /// A partner that has to be looked for.
    #[must_use]
    pub fn new(place: Place, player: String) -> Chair {
        Chair {
            dialog: Dialog::new(dialect(&place)),
            place,
            player,
            presence: Presence::Coming,
            worth: None,
            matrix: None,
            asked_at: Duration::ZERO,
            attempt: 0,
        }
    }

    /// What it has been asked and not answered yet.
    #[must_use]
    pub fn question(&self) -> Option<Question> {
        self.dialog.question()
    }

    /// Its name for people.
    #[must_use]
    pub fn name(&self) -> String {
        match &self.place {
            Place::Local(_) => self.player.clone(),
            Place::Program(command) => {
                let file = command.split_whitespace().next().unwrap_or(command);
                file.rsplit(['/', '\\']).next().unwrap_or(file).to_string()
            }
            place => format!("{} on {place}", self.player),
        }
    }
}

const fn dialect(place: &Place) -> Dialect {
    match place {
        Place::Program(_) => Dialect::Gomocup,
        _ => Dialect::Session,
    }
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// A partner moved.
    Moved(Move),
    /// A good move.
    Hint(Move),
    /// What the position is worth for the side to move.
    Worth(Worth),
    /// A partner said something for people.
    Said(String),
    /// A partner is there.
    Ready(usize),
    /// A partner cannot go on: why, in a line.
    Lost(usize, String),
}

/// Something to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Look for a partner; one that was there before is left.
    Connect {
        /// The chair.
        chair: usize,
        /// To be told with its news.
        attempt: u32,
        /// Where.
        place: Place,
    },
    /// Send a line.
    Send {
        /// The chair.
        chair: usize,
        /// The line.
        line: String,
    },
}

/// A round.
#[derive(Clone, Debug)]
pub struct Round {
    /// The game.
    pub course: Course,
    /// Who decides for the two sides.
    pub seats: [Seat; 2],
    /// The partners.
    pub chairs: Vec<Chair>,
    /// Time per move.
    pub turn: Duration,
    /// Time per game, if it has a limit.
    pub game: Option<Duration>,
    /// Somebody looks at the game, or halts it: partners are not asked to move.
    pub halted: bool,
    /// A partner that fails loses, as before a judge.
    strict: bool,
    turn_started: Duration,
    effects: Vec<Effect>,
}

impl Round {
    /// A round of a person and a partner.
    ///
    /// # Errors
    /// The board is too large.
    pub fn with_person(setup: &Setup, place: Place) -> Result<Round, String> {
        let course = Course::new(setup.spec)?;
        let seats = Side::BOTH
            .map(|side| if setup.human.plays(side) { Seat::Human } else { Seat::Chair(0) });
        let chairs = vec![Chair::new(place, setup.player.clone())];
        let mut round = Round::of(course, seats, chairs, setup);
        round.connect(0);
        Ok(round)
    }

    /// A round of two partners, who lose if they fail.
    ///
    /// # Errors
    /// The board is too large.
    pub fn between(setup: &Setup, partners: [Chair; 2]) -> Result<Round, String> {
        let course = Course::new(setup.spec)?;
        let seats = [Seat::Chair(0), Seat::Chair(1)];
        let mut round = Round::of(course, seats, partners.into(), setup);
        round.strict = true;
        round.connect(0);
        round.connect(1);
        Ok(round)
    }

    fn of(course: Course, seats: [Seat; 2], chairs: Vec<Chair>, setup: &Setup) -> Round {
        Round {
            course,
            seats,
            chairs,
            turn: setup.turn,
            game: setup.game,
            halted: false,
            strict: false,
            turn_started: Duration::ZERO,
            effects: Vec::new(),
        }
    }

    /// Begins another game with the same partners.
    pub fn restart(&mut self, setup: &Setup, course: Course, now: Duration) {
        self.course = course;
        self.seats = Side::BOTH
            .map(|side| if setup.human.plays(side) { Seat::Human } else { Seat::Chair(0) });
        self.turn = setup.turn;
        self.game = setup.game;
        if let Some(chair) = self.chairs.first_mut() {
            chair.player.clone_from(&setup.player);
        }
        self.halted = false;
        self.settle(now);
    }

    /// What is to be done now.
    pub fn take_effects(&mut self) -> Vec<Effect> {
        for (chair, partner) in self.chairs.iter_mut().enumerate() {
            let lines = partner.dialog.take_lines();
            self.effects.extend(lines.into_iter().map(|line| Effect::Send { chair, line }));
        }
        std::mem::take(&mut self.effects)
    }

    /// Who decides on the next move; `None` if the game is over.
    #[must_use]
    pub fn to_move(&self) -> Option<Seat> {
        self.course.outcome().is_none().then(|| self.seats[self.course.side_to_move().index()])
    }

    /// The partner that thinks, if one does, and about what.
    #[must_use]
    pub fn thinking(&self) -> Option<(&Chair, Question)> {
        self.chairs.iter().find_map(|chair| Some((chair, chair.question()?)))
    }

    /// The side of a partner.
    #[must_use]
    pub fn side_of(&self, chair: usize) -> Option<Side> {
        Side::BOTH.into_iter().find(|side| self.seats[side.index()] == Seat::Chair(chair))
    }

    /// Time that a side has used, with that of the move it thinks about.
    #[must_use]
    pub fn used(&self, side: Side, now: Duration) -> Duration {
        let runs = !self.halted
            && self.course.outcome().is_none()
            && self.course.side_to_move() == side
            && self.chairs.iter().all(|chair| chair.presence == Presence::Ready);
        let current = if runs { now.saturating_sub(self.turn_started) } else { Duration::ZERO };
        self.course.used(side) + current
    }

    /// Takes news of a partner.
    pub fn news(&mut self, chair: usize, attempt: u32, news: News, now: Duration) -> Vec<Change> {
        let spec = self.course.spec();
        let Some(partner) = self.chairs.get_mut(chair) else { return Vec::new() };
        if partner.attempt != attempt {
            return Vec::new();
        }
        let mut changes = Vec::new();
        match news {
            News::Ready(holds) => match holds.map_or(Ok(()), |holds| check_size(spec, holds)) {
                Ok(()) => {
                    partner.presence = Presence::Ready;
                    partner.dialog.forget();
                    self.turn_started = now;
                    changes.push(Change::Ready(chair));
                }
                Err(why) => changes.extend(self.lose(chair, why)),
            },
            News::Picture(matrix) => partner.matrix = Some(matrix),
            News::Gone(why) => changes.extend(self.lose(chair, why)),
            News::Line(line) => {
                if let Some(heard) = partner.dialog.hear(&line, now) {
                    changes.extend(self.heard(chair, heard, now));
                }
            }
        }
        self.go_on(now);
        changes
    }

    /// Lets time pass.
    pub fn tick(&mut self, now: Duration) -> Vec<Change> {
        let mut changes = Vec::new();
        for chair in 0..self.chairs.len() {
            if let Some(trouble) = self.chairs[chair].dialog.tick(now) {
                changes.extend(self.trouble(chair, &trouble));
            }
        }
        self.go_on(now);
        changes
    }

    fn heard(&mut self, chair: usize, heard: Heard, now: Duration) -> Option<Change> {
        let side = self.course.side_to_move();
        match heard {
            Heard::Move(mv) => {
                let took = now.saturating_sub(self.turn_started);
                if let Err(why) = self.course.play(mv, took) {
                    return self.lose(chair, why.to_string());
                }
                self.turn_started = now;
                self.judge_time(side);
                Some(Change::Moved(mv))
            }
            Heard::Hint(mv) => Some(Change::Hint(mv)),
            Heard::Worth(worth) => {
                self.chairs[chair].worth = Some((worth.clone(), side));
                Some(Change::Worth(worth))
            }
            Heard::Progress(worth) => {
                self.chairs[chair].worth = Some((worth, side));
                None
            }
            Heard::Said(text) => Some(Change::Said(text)),
            Heard::Trouble(trouble) => self.trouble(chair, &trouble),
        }
    }

    /// Before a judge, a game that took too long is lost.
    fn judge_time(&mut self, side: Side) {
        if self.strict && self.game.is_some_and(|limit| self.course.used(side) > limit) {
            self.course.give_up(side, "out of time");
        }
    }

    fn trouble(&mut self, chair: usize, trouble: &Trouble) -> Option<Change> {
        let name = self.chairs.get(chair)?.place.to_string();
        self.lose(chair, format!("{name}: {trouble}"))
    }

    fn lose(&mut self, chair: usize, why: String) -> Option<Change> {
        let partner = self.chairs.get_mut(chair)?;
        partner.dialog.forget();
        partner.presence = Presence::Lost(why.clone());
        if self.strict
            && let Some(side) = self.side_of(chair)
        {
            self.course.give_up(side, why.clone());
        }
        Some(Change::Lost(chair, why))
    }

    /// The position has changed by somebody's hand.
    fn settle(&mut self, now: Duration) {
        self.turn_started = now;
        for chair in &mut self.chairs {
            chair.dialog.call_off();
            chair.worth = None;
        }
        self.go_on(now);
    }

    /// Asks the partner whose turn it is.
    fn go_on(&mut self, now: Duration) {
        let everybody_there = self.chairs.iter().all(|chair| chair.presence == Presence::Ready);
        let Some(Seat::Chair(chair)) = self.to_move() else { return };
        if self.halted || !everybody_there || self.chairs[chair].question().is_some() {
            return;
        }
        self.ask(chair, Question::Move, now);
    }

    fn ask(&mut self, chair: usize, question: Question, now: Duration) {
        let side = self.course.side_to_move();
        let used = self.course.used(side);
        let game = self.game.map(|whole| (whole, whole.saturating_sub(used)));
        let turn = game.map_or(self.turn, |(_, left)| left.min(self.turn));
        let partner = &mut self.chairs[chair];
        let brief = Brief {
            question,
            spec: self.course.spec(),
            moves: self.course.moves(),
            player: partner.player.clone(),
            turn,
            game,
        };
        partner.asked_at = now;
        partner.worth = None;
        let trouble = partner.dialog.ask(brief, now);
        if let Some(trouble) = trouble {
            self.trouble(chair, &trouble);
        }
    }

    /// A person plays.
    ///
    /// # Errors
    /// It is not a person's turn, or the rules do not allow it: why, in a line.
    pub fn play(&mut self, mv: Move, now: Duration) -> Result<(), String> {
        match self.to_move() {
            None => return Err(IllegalMove::GameOver.to_string()),
            Some(Seat::Chair(chair)) if !self.halted => {
                return Err(match &self.chairs[chair].presence {
                    Presence::Lost(why) => why.clone(),
                    _ => "it is not your turn".into(),
                });
            }
            Some(_) => {}
        }
        let took = now.saturating_sub(self.turn_started);
        let took = if self.halted { Duration::ZERO } else { took };
        self.course
            .play(mv, took)
            .map_err(|error| format!("{}: {error}", self.course.spec().show_move(mv)))?;
        self.halted = false;
        self.settle_after_play(now);
        Ok(())
    }

    /// After a move in its turn a partner's thoughts are not disturbed, but a hint is.
    fn settle_after_play(&mut self, now: Duration) {
        self.turn_started = now;
        for chair in &mut self.chairs {
            if chair.question().is_some() {
                chair.dialog.call_off();
            }
        }
        self.go_on(now);
    }

    /// Asks for advice.
    ///
    /// # Errors
    /// Nobody can give it now: why, in a line.
    pub fn advise(&mut self, question: Question, now: Duration) -> Result<(), String> {
        if self.course.outcome().is_some() {
            return Err(IllegalMove::GameOver.to_string());
        }
        let Some(partner) = self.chairs.first() else {
            return Err("there is nobody to ask".into());
        };
        match (&partner.presence, partner.question()) {
            (Presence::Coming, _) => Err("the partner is not there yet".into()),
            (Presence::Lost(why), _) => Err(why.clone()),
            (Presence::Ready, Some(_)) => Err("busy: thinking; m has the answer now".into()),
            (Presence::Ready, None) => {
                self.ask(0, question, now);
                Ok(())
            }
        }
    }

    /// Has the answer now.
    pub fn hurry(&mut self) {
        for chair in &mut self.chairs {
            chair.dialog.hurry();
        }
    }

    /// Takes back to a person's last turn; `false` if there was none.
    pub fn undo(&mut self, now: Duration) -> bool {
        let plies = self.course.ply();
        let human = |ply: usize| self.seats[Side::at_ply(ply).index()] == Seat::Human;
        let Some(target) = (0..plies).rev().find(|&ply| human(ply)) else {
            return false;
        };
        while self.course.ply() > target {
            self.course.back();
        }
        self.halted = false;
        self.settle(now);
        true
    }

    /// Plays again what was taken back, up to a person's turn; `false` if there is nothing.
    pub fn redo(&mut self, now: Duration) -> bool {
        if !self.course.forward() {
            return false;
        }
        while !matches!(self.to_move(), Some(Seat::Human)) && self.course.forward() {}
        self.settle(now);
        true
    }

    /// Goes to another point of the game and halts there.
    pub fn look_at(&mut self, ply: usize, now: Duration) {
        while self.course.ply() > ply && self.course.back() {}
        while self.course.ply() < ply && self.course.forward() {}
        self.halted = true;
        self.settle(now);
    }

    /// Goes on from here.
    pub fn resume(&mut self, now: Duration) {
        self.halted = false;
        self.settle(now);
    }

    /// Changes sides.
    pub fn swap(&mut self, now: Duration) {
        self.seats.swap(0, 1);
        self.halted = false;
        self.settle(now);
    }

    /// A person gives the game away; `false` if there is nothing to give.
    pub fn resign(&mut self, now: Duration) -> bool {
        let side = self.course.side_to_move();
        let human = |side: &Side| self.seats[side.index()] == Seat::Human;
        let Some(side) = [side, side.other()].into_iter().find(human) else { return false };
        if self.course.outcome().is_some() {
            return false;
        }
        self.course.give_up(side, "resigned");
        self.settle(now);
        true
    }

    /// Looks for a partner, again or for the first time.
    pub fn connect(&mut self, chair: usize) {
        let Some(partner) = self.chairs.get_mut(chair) else { return };
        partner.attempt += 1;
        partner.presence = Presence::Coming;
        partner.dialog = Dialog::new(dialect(&partner.place));
        let (attempt, place) = (partner.attempt, partner.place.clone());
        self.effects.push(Effect::Connect { chair, attempt, place });
    }

    /// Puts another partner into the chair.
    pub fn replace(&mut self, chair: usize, place: Place) {
        if let Some(partner) = self.chairs.get_mut(chair) {
            partner.place = place;
            partner.matrix = None;
            self.connect(chair);
        }
    }

    /// Asks a partner again that had nothing to say.
    pub fn wait_for(&mut self, chair: usize, now: Duration) {
        if let Some(partner) = self.chairs.get_mut(chair) {
            partner.presence = Presence::Ready;
            partner.dialog.forget();
            self.go_on(now);
        }
    }

    /// Who won and how, in a line; `None` while the game goes on.
    #[must_use]
    pub fn result(&self) -> Option<String> {
        let how = match (self.course.given_up(), self.course.ending()) {
            (Some(given_up), _) => {
                format!("{} {}", side_name(Some(given_up.side)), given_up.why)
            }
            (None, Some(ending)) => ending.to_string(),
            (None, None) => return None,
        };
        Some(match self.course.outcome()? {
            Outcome::Draw => format!("A draw: {how}."),
            Outcome::Win(side) => match self.seats[side.index()] {
                Seat::Human if self.seats[side.other().index()] != Seat::Human => {
                    format!("You win: {how}.")
                }
                Seat::Human => format!("{} wins: {how}.", side_name(Some(side))),
                Seat::Chair(chair) => {
                    let name = self.chairs.get(chair).map_or_else(String::new, Chair::name);
                    format!("{name} ({}) wins: {how}.", side_name(Some(side)))
                }
            },
        })
    }
}

/// `first (x)`: a side for people.
#[must_use]
pub fn side_word(spec: GameSpec, side: Side) -> String {
    let name = side_name(Some(side));
    format!("{name} ({})", engine::drawing::letter(spec, side))
}

/// Whether the partner's boards are large enough.
fn check_size(spec: GameSpec, holds: Holds) -> Result<(), String> {
    let capacity = match spec {
        GameSpec::Mnk { .. } => holds.mnk,
        GameSpec::Connect { .. } => holds.connect,
        GameSpec::Bricks { .. } => holds.bricks,
    };
    if spec.cells() > capacity {
        return Err(format!("{spec} is too large for this board: at most {capacity} cells"));
    }
    Ok(())
}
