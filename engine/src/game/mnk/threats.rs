//! Wins by force: sequences of threats that leave the opponent no choice.
//!
//! A *four* is a stone after which another one wins (`k - 1` of `k` cells, whatever `k` is); the
//! opponent must answer there. [`Mnk::fours`] finds wins by fours alone: the last four threatens
//! two places. A *three* is any move after which such a win is threatened; the opponent has a few
//! answers. [`Mnk::attack`] finds wins by threes and fours.
//!
//! # Why an answer outside of the zone does not help
//! A win by fours fails only if a stone lies on one of its cells, or if an answer to one of the
//! fours becomes a four itself. So against a three the defender has: the cells of the sequence, the
//! cells of windows that an answer brings to `k - 2` stones, and fours of his own. These are tried,
//! all of them; if each loses, every other move does.
//!
//! # Bounds
//! A sequence has at most [`MAX_FOURS`] fours, an attack [`MAX_THREES`] threes with [`MAX_COUNTERS`]
//! fours of the defender each. What does not fit counts as not found.

use heapless::Vec;

use super::board::Mnk;
use crate::game::line::Direction;
use crate::game::line::board::LineBoard;
use crate::game::{ForcedWin, Game, Move, Side};
use crate::search::quest::Quest;
use crate::search::report::Clock;

/// The longest sequence of fours.
pub const MAX_FOURS: usize = 14;
/// The most threes of an attack.
pub const MAX_THREES: u8 = 3;
/// How often the defender may answer a three with a four of his own.
pub const MAX_COUNTERS: u8 = 2;

/// Cells that make a four at the start of a sequence; more are not looked at.
const SEEDS: usize = 32;
/// Cells that may answer a three; where there are more, the three is left alone.
const ZONE: usize = 48;
/// Threes that are tried in a position, those with the most points first.
const THREES: usize = 10;

const NONE: u16 = u16::MAX;

/// Cells that win at once: at most two for each direction.
pub type Wins = Vec<u16, 8>;
/// Cells that may answer a three.
type Zone = Vec<u16, ZONE>;

/// A four and the answer to it.
#[derive(Clone, Copy, Debug)]
struct Pair {
    four: u16,
    answer: u16,
}

/// A win by fours.
#[derive(Clone, Debug)]
pub(super) struct Sequence {
    /// The fours that are answered.
    pairs: Vec<Pair, MAX_FOURS>,
    /// The last one, which cannot be.
    last: u16,
    /// Where it threatens to win.
    wins: Wins,
}

impl Sequence {
    fn first(&self) -> usize {
        usize::from(self.pairs.first().map_or(self.last, |pair| pair.four))
    }

    /// Plies to the end: each four and its answer, and the stone that wins.
    fn plies(&self) -> usize {
        2 * self.pairs.len() + 3
    }
}

/// A point of a sequence where fours are tried.
#[derive(Clone, Copy, Debug)]
struct Point {
    /// The next cell to try, as a number.
    cursor: u16,
    /// The only cell that may be tried, since the defender threatens to win there.
    forced: u16,
}

impl<const CELLS: usize> Mnk<CELLS> {
    /// A win of the side to move by at most so many threes, and fours.
    pub(super) fn attack<C: Clock>(
        &mut self,
        threes: u8,
        quest: &mut Quest<'_, C>,
    ) -> Option<ForcedWin> {
        let attacker = self.side_to_move();
        if let Some(sequence) = self.fours(attacker, quest) {
            let best = Move::new(sequence.first());
            return Some(ForcedWin { best, plies: sequence.plies() });
        }
        if threes == 0 || quest.is_over() || self.winning_cells(attacker.other()).1 > 0 {
            return None;
        }
        let tried = self.threes(attacker);
        for cell in tried.into_iter().map(usize::from) {
            if !quest.enter() {
                return None;
            }
            let answers = self.board().wins_after(cell, attacker);
            self.make(Move::new(cell));
            let plies = match answers[..] {
                [] => self.holds(threes - 1, MAX_COUNTERS, quest),
                // A four comes before a three.
                [answer] => self.after_answer(answer, threes - 1, quest),
                _ => None,
            };
            self.unmake();
            if let Some(plies) = plies {
                return Some(ForcedWin { best: Move::new(cell), plies: plies + 1 });
            }
        }
        None
    }

    /// Whether the side that has just moved wins whatever the other does, since it threatens to win
    /// by fours; and in how many plies.
    fn holds<C: Clock>(
        &mut self,
        threes: u8,
        counters: u8,
        quest: &mut Quest<'_, C>,
    ) -> Option<usize> {
        let defender = self.side_to_move();
        let attacker = defender.other();
        if self.winning_cells(defender).1 > 0 {
            return None;
        }
        let sequence = self.fours(attacker, quest)?;
        let zone = self.zone(&sequence, attacker)?;
        let mut worst = sequence.plies() + 1;
        for cell in zone.into_iter().map(usize::from) {
            if !quest.enter() {
                return None;
            }
            let counter = self.board().wins_after(cell, defender);
            self.make(Move::new(cell));
            let plies = match counter[..] {
                [] => self.attack(threes, quest).map(|win| win.plies),
                [answer] if counters > 0 => self.after_counter(answer, threes, counters - 1, quest),
                _ => None,
            };
            self.unmake();
            worst = worst.max(plies? + 1);
        }
        Some(worst)
    }

    /// The attacker, to move, must answer a four of the defender's at `cell`.
    fn after_counter<C: Clock>(
        &mut self,
        cell: u16,
        threes: u8,
        counters: u8,
        quest: &mut Quest<'_, C>,
    ) -> Option<usize> {
        let attacker = self.side_to_move();
        let threat = self.board().wins_after(usize::from(cell), attacker);
        self.make(Move::new(usize::from(cell)));
        let plies = match threat[..] {
            [] => self.holds(threes, counters, quest),
            [answer] => self.after_answer(answer, threes, quest),
            // Two places to win: the defender can close one.
            _ => Some(2),
        };
        self.unmake();
        plies.map(|plies| plies + 1)
    }

    /// The defender, to move, must answer a four at `cell`.
    fn after_answer<C: Clock>(
        &mut self,
        cell: u16,
        threes: u8,
        quest: &mut Quest<'_, C>,
    ) -> Option<usize> {
        let defender = self.side_to_move();
        let cell = usize::from(cell);
        if self.board().completes(cell, defender) {
            return None;
        }
        self.make(Move::new(cell));
        let win = self.attack(threes, quest);
        self.unmake();
        win.map(|win| win.plies + 1)
    }

    /// The cells most likely to threaten something, the best first.
    fn threes(&self, side: Side) -> Vec<u16, THREES> {
        let board = self.board();
        let mut best: Vec<u16, THREES> = Vec::new();
        let points = |cell: u16| board.points(usize::from(cell), side);
        for cell in self.near_cells().filter(|&cell| board.may_reach(cell, side, 3)) {
            let cell = cell as u16;
            let place = best.iter().position(|&other| points(other) < points(cell));
            if best.is_full() {
                // The last one goes, or this one.
                let Some(place) = place else { continue };
                best.pop();
                let _ = best.insert(place, cell);
            } else {
                let _ = best.insert(place.unwrap_or(best.len()), cell);
            }
        }
        best
    }

    /// Where the defender may stop a sequence of fours. `None` if there are too many places.
    fn zone(&mut self, sequence: &Sequence, attacker: Side) -> Option<Zone> {
        let defender = attacker.other();
        let mut zone = Zone::new();
        let mut add = |cell: u16| zone.contains(&cell) || zone.push(cell).is_ok();
        let mut fits = true;
        for pair in &sequence.pairs {
            fits &= add(pair.four) && add(pair.answer);
        }
        fits &= add(sequence.last);
        fits &= sequence.wins.iter().all(|&cell| add(cell));
        for pair in &sequence.pairs {
            let (four, answer) = (usize::from(pair.four), usize::from(pair.answer));
            self.board_mut().place(four, attacker);
            self.board_mut().place(answer, defender);
            self.board().for_each_gap(answer, defender, 2, &mut |cell| fits &= add(cell as u16));
        }
        for pair in sequence.pairs.iter().rev() {
            self.board_mut().remove(usize::from(pair.answer), defender);
            self.board_mut().remove(usize::from(pair.four), attacker);
        }
        for cell in self.near_cells() {
            if self.board().makes_four(cell, defender) {
                fits &= add(cell as u16);
            }
        }
        fits.then_some(zone)
    }

    /// A win by fours for a side that may move now, whoever's turn it is. It must not be able to
    /// win at once.
    pub(super) fn fours<C: Clock>(
        &mut self,
        attacker: Side,
        quest: &mut Quest<'_, C>,
    ) -> Option<Sequence> {
        let defender = attacker.other();
        let mut seeds: Vec<u16, SEEDS> = Vec::new();
        for cell in self.near_cells() {
            if self.board().makes_four(cell, attacker) && seeds.push(cell as u16).is_err() {
                break;
            }
        }
        if seeds.is_empty() {
            return None;
        }
        let forced = match self.winning_cells(defender) {
            (None, _) => NONE,
            (Some(cell), 1) => cell as u16,
            _ => return None,
        };
        let mut pairs: Vec<Pair, MAX_FOURS> = Vec::new();
        let mut points: Vec<Point, { MAX_FOURS + 1 }> = Vec::new();
        let _ = points.push(Point { cursor: 0, forced });
        let board = self.board_mut();
        let found = loop {
            let Some(point) = points.last_mut() else { break None };
            let Some(cell) = board.next_four(point, &seeds, &pairs) else {
                points.pop();
                if let Some(pair) = pairs.pop() {
                    board.remove(usize::from(pair.answer), defender);
                    board.remove(usize::from(pair.four), attacker);
                }
                continue;
            };
            let wins = board.wins_after(cell, attacker);
            if wins.is_empty() {
                continue;
            }
            if !quest.enter() {
                break None;
            }
            if wins.len() > 1 {
                break Some((cell as u16, wins));
            }
            let answer = usize::from(wins[0]);
            if pairs.is_full() || board.completes(answer, defender) {
                continue;
            }
            board.place(cell, attacker);
            board.place(answer, defender);
            let threats = board.wins_through(answer, defender);
            let forced = match threats[..] {
                [] => NONE,
                [only] => only,
                _ => {
                    board.remove(answer, defender);
                    board.remove(cell, attacker);
                    continue;
                }
            };
            let _ = pairs.push(Pair { four: cell as u16, answer: answer as u16 });
            let _ = points.push(Point { cursor: 0, forced });
        };
        for pair in pairs.iter().rev() {
            board.remove(usize::from(pair.answer), defender);
            board.remove(usize::from(pair.four), attacker);
        }
        found.map(|(last, wins)| Sequence { pairs, last, wins })
    }
}

impl<const CELLS: usize> LineBoard<CELLS> {
    /// Whether a stone on the empty cell makes a four.
    fn makes_four(&self, cell: usize, side: Side) -> bool {
        self.may_reach(cell, side, 2) && !self.wins_after(cell, side).is_empty()
    }

    /// The next empty cell that may make a four at this point of a sequence: first those that
    /// could at its start, then those in line with a stone of the sequence.
    fn next_four(&self, point: &mut Point, seeds: &[u16], pairs: &[Pair]) -> Option<usize> {
        let attacker_may = |cell: usize| self.is_empty(cell);
        if point.forced != NONE {
            let cell = usize::from(point.forced);
            point.cursor += 1;
            return (point.cursor == 1).then_some(cell);
        }
        let rays = 2 * Direction::ALL.len() * (self.line_length() - 1);
        loop {
            let number = usize::from(point.cursor);
            point.cursor += 1;
            if let Some(&seed) = seeds.get(number) {
                if attacker_may(usize::from(seed)) {
                    return Some(usize::from(seed));
                }
                continue;
            }
            let number = number - seeds.len();
            // The last stone first.
            let stone = pairs.len().checked_sub(1 + number / rays)?;
            let cell = self.along(usize::from(pairs[stone].four), number % rays);
            if let Some(cell) = cell
                && attacker_may(cell)
                && !seeds.contains(&(cell as u16))
            {
                return Some(cell);
            }
        }
    }

    /// The cell of this number among those in line with `cell`: direction by direction, back and
    /// forth, near ones first.
    fn along(&self, cell: usize, number: usize) -> Option<usize> {
        let cols = self.cols();
        let direction = Direction::ALL[number % Direction::ALL.len()];
        let number = number / Direction::ALL.len();
        let (back, forward) = direction.reach(cell / cols, cell % cols, self.rows(), cols);
        let distance = number / 2 + 1;
        if number % 2 == 0 {
            (distance <= forward).then(|| cell + distance * direction.step(cols))
        } else {
            (distance <= back).then(|| cell - distance * direction.step(cols))
        }
    }
}
