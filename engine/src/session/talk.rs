//! How things are said: to programs by words that they know, to people in sentences.

use core::fmt;

use super::long::LongAnswer;
use super::memory::Memory;
use super::{InfoError, Session, StonesError};
use crate::drawing::letter;
use crate::ending::Ending;
use crate::game::{Game, Move, Outcome, Side};
use crate::players::Decision;
use crate::protocol::output::Kind;
use crate::spec::GameSpec;

/// What a person sees when it is his turn to type.
const PROMPT: &str = "> ";

/// `first (x)`: a side for people.
struct SideWord(GameSpec, Side);

impl fmt::Display for SideWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = super::side_name(Some(self.1));
        write!(f, "{name} ({})", letter(self.0, self.1))
    }
}

impl<M: Memory, const MOVES: usize, const NODES: usize> Session<'_, M, MOVES, NODES> {
    /// An answer that a program reads.
    pub(super) fn answer(&mut self, line: fmt::Arguments<'_>) {
        self.output.line(Kind::Answer, line);
    }

    /// Information.
    pub(super) fn message(&mut self, line: fmt::Arguments<'_>) {
        self.output.line(Kind::Message, line);
    }

    /// A command that is impossible.
    pub(super) fn refuse(&mut self, why: fmt::Arguments<'_>) {
        self.stats.errors = self.stats.errors.saturating_add(1);
        self.refused = true;
        self.output.line(Kind::Error, why);
    }

    /// A line that is no command.
    pub(super) fn not_known(&mut self, why: fmt::Arguments<'_>) {
        self.stats.errors = self.stats.errors.saturating_add(1);
        self.output.line(Kind::Unknown, why);
    }

    /// Done. Nobody waits to hear it if nobody asked.
    pub(super) fn ok(&mut self) {
        if self.output.style.aside {
            return;
        }
        self.answer(if self.is_human() { format_args!("Done.") } else { format_args!("OK") });
    }

    /// Done, and the board looks different now.
    pub(super) fn ok_and_board(&mut self) {
        if self.is_human() {
            self.output.long(LongAnswer::Board(0));
        } else {
            self.ok();
        }
    }

    /// A person's turn to type, unless the engine has something to do.
    pub(super) fn prompt(&mut self) {
        let waits = self.is_thinking() || self.over || self.request.is_some();
        if self.is_human() && !waits {
            self.output.text(PROMPT);
        }
    }

    /// The engine's move, which is on the board already.
    pub(super) fn tell_move(&mut self, mv: Move, decision: Option<&Decision>) {
        let Some(spec) = self.game().map(Game::spec) else { return };
        let shown = spec.show_move(mv);
        if !self.is_human() {
            let words = if self.output.style.aside { "I play " } else { "" };
            self.answer(format_args!("{words}{shown}"));
            return;
        }
        match decision.and_then(|decision| decision.value.map(|value| (value, decision.why))) {
            Some((value, why)) => self.answer(format_args!("I play {shown} ({value}, {why}).")),
            None => self.answer(format_args!("I play {shown}.")),
        }
        self.output.long(LongAnswer::Board(0));
    }

    /// If the game is over: who won, and how.
    pub(super) fn tell_ending(&mut self) {
        let Some((spec, Some(ending))) = self.game().map(|game| (game.spec(), Ending::of(game)))
        else {
            return;
        };
        match (ending.outcome, self.engine, self.is_human()) {
            (Outcome::Draw, _, false) => self.message(format_args!("game over: draw, {ending}")),
            (Outcome::Draw, _, true) => self.message(format_args!("A draw: {ending}.")),
            (Outcome::Win(side), Some(engine), true) if side == engine => {
                self.message(format_args!("I win: {ending}."));
            }
            (Outcome::Win(_), Some(_), true) => self.message(format_args!("You win: {ending}.")),
            (Outcome::Win(side), ..) => {
                let side = SideWord(spec, side);
                self.message(format_args!("game over: {side} wins, {ending}"));
            }
        }
    }

    /// Refuses to go on with a game that is over.
    pub(super) fn refuse_over(&mut self) {
        self.refuse(format_args!("the game is over: NEW, RESTART or UNDO"));
    }

    /// Refuses a command while the engine thinks.
    pub(super) fn refuse_busy(&mut self) {
        self.refuse(format_args!("busy: thinking; STOP, PING, NEW, RESTART and END are obeyed"));
    }
}

impl fmt::Display for StonesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StonesError::Busy => f.write_str("busy: thinking; STOP first"),
            StonesError::Overtaken => f.write_str("overtaken by a button: send it again"),
            StonesError::NotMnk => {
                f.write_str("stones can be set up in mnk games only: MOVE plays any moves")
            }
            StonesError::Form => f.write_str("not a stone: expected x,y,1 (mine) or x,y,2 (yours)"),
            StonesError::Outside { cols, rows } => {
                write!(f, "stone outside the board: x is 0 to {}, y is 0 to {}", cols - 1, rows - 1)
            }
            StonesError::Count { own, other } => write!(
                f,
                "{own} stones of mine and {other} of yours: expected as many, or one more of yours"
            ),
            StonesError::Swap2Count => f.write_str("expected 0, 3 or 5 stones"),
            StonesError::Setup(error) => write!(f, "{error}"),
        }
    }
}

impl fmt::Display for InfoError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InfoError::NotANumber(key) => write!(f, "INFO {key}: expected a whole number"),
            InfoError::Memory { least } => {
                write!(f, "INFO max_memory: at least {least} bytes are needed")
            }
            InfoError::Rule(rule) => {
                write!(f, "INFO rule {rule}: expected 0 (five or more win) or 1 (exactly five)")
            }
        }
    }
}
