//! The game as it goes: position, moves taken back, time used, and how it ended.

use std::time::Duration;

use engine::ending::Ending;
use engine::game::any::Position;
use engine::game::{Game, IllegalMove, Move, Outcome, Side};
use engine::spec::GameSpec;

use crate::position;

/// A game given away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenUp {
    /// Who gave it away.
    pub side: Side,
    /// Why, in a few words.
    pub why: String,
}

/// A game in progress. What was taken back can be played again until another move is played.
#[derive(Clone, Debug)]
pub struct Course {
    position: Box<Position>,
    /// Moves taken back and their time, the next one last.
    undone: Vec<(Move, Duration)>,
    /// The time of each move.
    times: Vec<Duration>,
    /// Time used before the first of `times`, as a saved game tells it.
    before: [Duration; 2],
    given_up: Option<GivenUp>,
}

impl Course {
    /// The empty board.
    ///
    /// # Errors
    /// The board is too large.
    pub fn new(spec: GameSpec) -> Result<Course, String> {
        Ok(Course {
            position: Box::new(position::start(spec)?),
            undone: Vec::new(),
            times: Vec::new(),
            before: [Duration::ZERO; 2],
            given_up: None,
        })
    }

    /// A game after these moves, for which the sides used so much time.
    ///
    /// # Errors
    /// The board is too large, or a move is not legal.
    pub fn after(spec: GameSpec, moves: &[Move], used: [Duration; 2]) -> Result<Course, String> {
        let mut course = Course::new(spec)?;
        for &mv in moves {
            course
                .play(mv, Duration::ZERO)
                .map_err(|error| format!("{}: {error}", spec.show_move(mv)))?;
        }
        course.before = used;
        Ok(course)
    }

    /// The position.
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The game.
    #[must_use]
    pub fn spec(&self) -> GameSpec {
        self.position.spec()
    }

    /// How many moves are on the board.
    #[must_use]
    pub fn ply(&self) -> usize {
        self.position.ply()
    }

    /// The moves on the board.
    #[must_use]
    pub fn moves(&self) -> Vec<Move> {
        (0..self.ply()).map_while(|ply| self.position.played(ply)).collect()
    }

    /// The moves that were taken back, the next one first.
    pub fn undone(&self) -> impl Iterator<Item = Move> {
        self.undone.iter().rev().map(|&(mv, _)| mv)
    }

    /// The side to move.
    #[must_use]
    pub fn side_to_move(&self) -> Side {
        self.position.side_to_move()
    }

    /// Time that a side has used for the moves on the board.
    #[must_use]
    pub fn used(&self, side: Side) -> Duration {
        let own = |(ply, _): &(usize, &Duration)| Side::at_ply(*ply) == side;
        let times: Duration =
            self.times.iter().enumerate().filter(own).map(|(_, time)| *time).sum();
        self.before[side.index()] + times
    }

    /// How the game ended by the rules.
    #[must_use]
    pub fn ending(&self) -> Option<Ending> {
        Ending::of(&*self.position)
    }

    /// Who gave the game away.
    #[must_use]
    pub const fn given_up(&self) -> Option<&GivenUp> {
        self.given_up.as_ref()
    }

    /// How the game ended, in whatever way.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        match &self.given_up {
            Some(given_up) => Some(Outcome::Win(given_up.side.other())),
            None => self.position.outcome(),
        }
    }

    /// Gives the game away.
    pub fn give_up(&mut self, side: Side, why: impl Into<String>) {
        if self.outcome().is_none() {
            self.given_up = Some(GivenUp { side, why: why.into() });
        }
    }

    /// Plays a move that took this long. What was taken back is gone, unless it is the same move.
    ///
    /// # Errors
    /// The rules do not allow it.
    pub fn play(&mut self, mv: Move, took: Duration) -> Result<(), IllegalMove> {
        if self.given_up.is_some() {
            return Err(IllegalMove::GameOver);
        }
        self.position.try_play(mv)?;
        self.times.push(took);
        match self.undone.last() {
            Some(&(next, _)) if next == mv => {
                self.undone.pop();
            }
            _ => self.undone.clear(),
        }
        Ok(())
    }

    /// Takes the last move back; `false` on the empty board.
    pub fn back(&mut self) -> bool {
        self.given_up = None;
        let Some(mv) = self.ply().checked_sub(1).and_then(|ply| self.position.played(ply)) else {
            return false;
        };
        self.position.unmake();
        self.undone.push((mv, self.times.pop().unwrap_or_default()));
        true
    }

    /// Plays the next move again that was taken back; `false` if there is none.
    pub fn forward(&mut self) -> bool {
        let Some((mv, time)) = self.undone.pop() else { return false };
        // It was played here before.
        if self.position.try_play(mv).is_err() {
            return false;
        }
        self.times.push(time);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_and_their_time_come_back() {
        let mut course = Course::new("mnk:3x3x3".parse().expect("a game")).expect("fits");
        for (cell, seconds) in [(4, 1), (0, 2), (8, 4)] {
            course.play(Move::new(cell), Duration::from_secs(seconds)).expect("legal");
        }
        assert_eq!(course.used(Side::First), Duration::from_secs(5));
        assert!(course.back() && course.back());
        assert_eq!(course.used(Side::Second), Duration::ZERO);
        assert_eq!(course.undone().map(Move::index).collect::<Vec<_>>(), [0, 8]);
        assert!(course.forward());
        assert_eq!(course.used(Side::Second), Duration::from_secs(2));
        // Another move makes the rest of the old game go away.
        course.play(Move::new(1), Duration::ZERO).expect("legal");
        assert!(!course.forward());
    }

    #[test]
    fn a_game_given_up_is_over_until_it_is_taken_back() {
        let mut course = Course::new("mnk:3x3x3".parse().expect("a game")).expect("fits");
        course.play(Move::new(4), Duration::ZERO).expect("legal");
        course.give_up(Side::Second, "resigned");
        assert_eq!(course.outcome(), Some(Outcome::Win(Side::First)));
        assert_eq!(course.play(Move::new(0), Duration::ZERO), Err(IllegalMove::GameOver));
        assert!(course.back());
        assert_eq!(course.outcome(), None);
    }
}
