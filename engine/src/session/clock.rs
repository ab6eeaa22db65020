//! Time: what was said about it, what was used of it, and how much the next move may take.
//!
//! All arithmetic saturates: a clock that jumps or stands still and limits that are negative or
//! absurd give odd budgets, never a panic or an answer that does not come.

use crate::game::Side;

/// Time per move if nobody says anything.
pub const DEFAULT_TURN_MS: u32 = 2_000;
/// The least time that a search gets while there is any left.
pub const LEAST_THINKING_US: u64 = 1_000;
/// `INFO time_left` with this or more means that there is no limit.
pub const UNLIMITED_MS: i64 = 2_147_483_647;
/// A move gets one part in so many of what is left of the game, if so many moves are still to come.
pub const HORIZON: u64 = 16;
/// Plies whose time is remembered, so that it can be given back.
pub const REMEMBERED_PLIES: usize = if cfg!(feature = "compact") { 64 } else { 256 };

/// A margin for the way there and back: one part in so many of the limit, within bounds.
const MARGIN_PART: u64 = 20;
const LEAST_MARGIN_US: u64 = 1_000;
const MOST_MARGIN_US: u64 = 250_000;

/// What was said about time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// Time per move, in milliseconds; 0: answer as fast as possible.
    pub turn_ms: u32,
    /// Time per game; 0: no limit.
    pub match_ms: u32,
    /// What was left when it was last told, and the time that the engine had used by then.
    left: Option<(i64, u64)>,
    /// What the engine has used in this game.
    used_us: u64,
    /// What an answer takes on its way.
    latency_us: u32,
}

impl TimeControl {
    /// The default, on a link on which an answer takes this long.
    #[must_use]
    pub const fn new(latency_us: u32) -> TimeControl {
        TimeControl { turn_ms: DEFAULT_TURN_MS, match_ms: 0, left: None, used_us: 0, latency_us }
    }

    /// `INFO time_left`: what is left of the game from now on.
    pub const fn set_left(&mut self, left_ms: i64) {
        self.left = if left_ms >= UNLIMITED_MS { None } else { Some((left_ms, self.used_us)) };
    }

    /// A new game: nothing is used yet.
    pub const fn restart(&mut self) {
        self.left = None;
        self.used_us = 0;
    }

    /// The engine has thought for this long, and its answer is on its way.
    pub const fn charge(&mut self, us: u64) {
        self.used_us = self.used_us.saturating_add(us).saturating_add(self.latency_us as u64);
    }

    /// What is left of the game, in microseconds; negative if it is overdrawn, `None` without a
    /// limit.
    #[must_use]
    pub const fn left_us(&self) -> Option<i64> {
        let (left_ms, then_us) = match self.left {
            Some(left) => left,
            None if self.match_ms > 0 => (self.match_ms as i64, 0),
            None => return None,
        };
        let since = self.used_us.saturating_sub(then_us);
        let since = if since > i64::MAX as u64 { i64::MAX } else { since as i64 };
        Some(left_ms.saturating_mul(1_000).saturating_sub(since))
    }

    /// How long to think about a move if at most `moves_to_go` own moves are still to come,
    /// including this one.
    #[must_use]
    pub fn budget_us(&self, moves_to_go: usize) -> u64 {
        let Some(spendable) = self.spendable_us(moves_to_go) else { return self.turn_us() };
        self.turn_us().min(spendable / (moves_to_go as u64).clamp(1, HORIZON))
    }

    /// What the limit of a turn leaves for thinking.
    fn turn_us(&self) -> u64 {
        match u64::from(self.turn_ms) * 1_000 {
            0 => LEAST_THINKING_US,
            turn => turn.saturating_sub(self.margin(turn)).max(LEAST_THINKING_US.min(turn / 2)),
        }
    }

    /// What is left of the game for thinking; `None` without a limit.
    fn spendable_us(&self, moves_to_go: usize) -> Option<u64> {
        let left = u64::try_from(self.left_us()?).unwrap_or(0);
        // Later moves take time too, even if nobody thinks about them.
        let later = (moves_to_go as u64).max(1) - 1;
        let least_later = self.least_move_us().saturating_mul(later).min(left / 2);
        Some(left.saturating_sub(self.margin(left)).saturating_sub(least_later))
    }

    /// What a move takes at least.
    fn least_move_us(&self) -> u64 {
        LEAST_THINKING_US + u64::from(self.latency_us)
    }

    fn margin(&self, limit_us: u64) -> u64 {
        let share = (limit_us / MARGIN_PART).clamp(LEAST_MARGIN_US, MOST_MARGIN_US);
        share.saturating_add(u64::from(self.latency_us))
    }
}

/// What both sides have used, ply by ply.
#[derive(Clone, Debug)]
pub struct Clocks {
    used_us: [u64; 2],
    /// The time of ply `n` is at `n % REMEMBERED_PLIES`.
    spent_us: [u32; REMEMBERED_PLIES],
    /// Plies before this one are not remembered.
    known_from: usize,
    /// When the side to move got the move.
    turn_started_us: Option<u64>,
}

impl Default for Clocks {
    fn default() -> Clocks {
        Clocks {
            used_us: [0; 2],
            spent_us: [0; REMEMBERED_PLIES],
            known_from: 0,
            turn_started_us: None,
        }
    }
}

impl Clocks {
    /// Clocks that have run for so long before `ply`.
    #[must_use]
    pub fn at(ply: usize, used_ms: [u64; 2]) -> Clocks {
        let used_us = used_ms.map(|ms| ms.saturating_mul(1_000));
        Clocks { used_us, known_from: ply, ..Clocks::default() }
    }

    /// What a side has used, in milliseconds.
    #[must_use]
    pub const fn used_ms(&self, side: Side) -> u64 {
        self.used_us[side.index()] / 1_000
    }

    /// The side to move has the move from now on.
    pub const fn start_turn(&mut self, now_us: u64) {
        self.turn_started_us = Some(now_us);
    }

    /// How long the side to move has had the move. The first move of a game costs nothing.
    #[must_use]
    pub fn turn_us(&self, now_us: u64) -> u64 {
        self.turn_started_us.map_or(0, |started| now_us.saturating_sub(started))
    }

    /// Ply number `ply` was played and took this long. Plies whose time is forgotten cannot be
    /// given back.
    pub fn played(&mut self, ply: usize, us: u64) {
        let us = u32::try_from(us).unwrap_or(u32::MAX);
        self.spent_us[ply % REMEMBERED_PLIES] = us;
        self.known_from = self.known_from.max((ply + 1).saturating_sub(REMEMBERED_PLIES));
        self.add(ply, us);
    }

    /// Ply number `ply` was taken back.
    pub fn taken_back(&mut self, ply: usize) {
        if ply >= self.known_from {
            let used = &mut self.used_us[Side::at_ply(ply).index()];
            *used = used.saturating_sub(u64::from(self.spent_us[ply % REMEMBERED_PLIES]));
        } else {
            // Its time is not known and stays with the player.
            self.known_from = ply;
            self.spent_us[ply % REMEMBERED_PLIES] = 0;
        }
    }

    /// Ply number `ply`, taken back before, was played again.
    pub fn replayed(&mut self, ply: usize) {
        self.add(ply, self.spent_us[ply % REMEMBERED_PLIES]);
    }

    fn add(&mut self, ply: usize, us: u32) {
        let used = &mut self.used_us[Side::at_ply(ply).index()];
        *used = used.saturating_add(u64::from(us));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn control(turn_ms: u32, match_ms: u32) -> TimeControl {
        TimeControl { turn_ms, match_ms, ..TimeControl::new(2_000) }
    }

    #[test]
    fn a_turn_leaves_a_margin() {
        assert_eq!(control(100, 0).budget_us(50), 93_000);
        assert_eq!(control(10_000, 0).budget_us(50), 9_748_000);
        assert_eq!(control(0, 0).budget_us(50), LEAST_THINKING_US);
        assert_eq!(control(1, 0).budget_us(50), 500);
    }

    #[test]
    fn a_game_is_shared_among_the_moves_to_come() {
        let time = control(30_000, 60_000);
        assert_eq!(time.budget_us(100), (60_000_000 - 252_000 - 99 * 3_000) / 16);
        assert_eq!(time.budget_us(1), 29_748_000);
    }

    #[test]
    fn what_is_left_shrinks_with_use_until_it_is_told_anew() {
        let mut time = control(30_000, 60_000);
        time.charge(50_000_000);
        // Thinking, and the way of the answer.
        assert_eq!(time.left_us(), Some(9_998_000));
        time.set_left(3_000);
        assert_eq!(time.left_us(), Some(3_000_000));
        time.charge(4_000_000);
        assert_eq!(time.left_us(), Some(-1_002_000));
        assert_eq!(time.budget_us(10), 0);
        time.set_left(UNLIMITED_MS);
        time.match_ms = 0;
        assert_eq!(time.left_us(), None);
    }

    #[test]
    fn absurd_numbers_give_a_budget_all_the_same() {
        for left in [i64::MIN, -1, 0, 1, i64::MAX] {
            for turn in [0, 1, u32::MAX] {
                let mut time = control(turn, u32::MAX);
                time.charge(u64::MAX);
                time.set_left(left);
                time.charge(u64::MAX);
                let _ = time.budget_us(usize::MAX);
                assert_eq!(time.budget_us(0), 0);
            }
        }
    }

    #[test]
    fn time_is_given_back_and_taken_again() {
        let mut clocks = Clocks::default();
        for ply in 0..300 {
            clocks.played(ply, 1_000_000);
        }
        assert_eq!(clocks.used_ms(Side::First), 150_000);
        for ply in (0..300).rev() {
            clocks.taken_back(ply);
        }
        // The last 256 are known.
        assert_eq!(clocks.used_ms(Side::First), 22_000);
        for ply in 0..300 {
            clocks.replayed(ply);
        }
        assert!(clocks.used_ms(Side::First) <= 150_000);
    }
}
