//! One button: contacts that bounce in, presses out.
//!
//! Whoever owns the pin tells every change of its level to [`PressReader::edge`] and asks
//! [`PressReader::poll`] every few milliseconds. A level counts once it has held for
//! [`DEBOUNCE_MS`]; a contact that never comes to rest counts as no press at all. A button that is
//! stuck gives one long press and then nothing until it is released.

/// A level counts when it has held for so long.
pub const DEBOUNCE_MS: u64 = 20;
/// A press of this length is a long one. It is told while the button is still down.
pub const LONG_PRESS_MS: u64 = 600;
/// Two presses with no more than this between them are a double press. A short press is told
/// after that time, when it is certain that it stays alone.
pub const DOUBLE_PRESS_GAP_MS: u64 = 200;

/// What a person did with the button.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Press {
    /// Down and up: next.
    Short,
    /// Held: yes.
    Long,
    /// Twice: back.
    Double,
}

/// What the button was doing when its level last settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Up, and nothing is open.
    Idle,
    /// Down since then: short or long.
    Down { since_ms: u64 },
    /// Up since then: a second press may follow.
    Between { since_ms: u64 },
    /// Down, and already told.
    Spent,
}

/// Reads presses from the levels of a button.
#[derive(Clone, Debug)]
pub struct PressReader {
    level: bool,
    level_since_ms: u64,
    /// The level that has settled.
    settled: bool,
    stage: Stage,
    ready: Option<Press>,
}

impl Default for PressReader {
    fn default() -> PressReader {
        PressReader::new()
    }
}

impl PressReader {
    /// A button that is up.
    #[must_use]
    pub const fn new() -> PressReader {
        PressReader {
            level: false,
            level_since_ms: 0,
            settled: false,
            stage: Stage::Idle,
            ready: None,
        }
    }

    /// The contact opened or closed. Telling the same level again does no harm.
    pub fn edge(&mut self, pressed: bool, now_ms: u64) {
        self.settle(now_ms);
        if pressed != self.level {
            self.level = pressed;
            self.level_since_ms = now_ms;
        }
    }

    /// The press that has become certain by now, once. If nobody asks, the latest one is kept.
    pub fn poll(&mut self, now_ms: u64) -> Option<Press> {
        self.settle(now_ms);
        self.ready.take()
    }

    /// Brings the stage up to date, for the level as it has been until now.
    fn settle(&mut self, now_ms: u64) {
        if self.level != self.settled {
            if now_ms.saturating_sub(self.level_since_ms) < DEBOUNCE_MS {
                return;
            }
            self.settled = self.level;
            let at_ms = self.level_since_ms;
            self.stage = if self.settled { self.went_down(at_ms) } else { self.went_up(at_ms) };
        }
        match self.stage {
            Stage::Down { since_ms } if now_ms.saturating_sub(since_ms) >= LONG_PRESS_MS => {
                self.ready = Some(Press::Long);
                self.stage = Stage::Spent;
            }
            Stage::Between { since_ms }
                if now_ms.saturating_sub(since_ms) > DOUBLE_PRESS_GAP_MS =>
            {
                self.ready = Some(Press::Short);
                self.stage = Stage::Idle;
            }
            _ => {}
        }
    }

    fn went_down(&mut self, at_ms: u64) -> Stage {
        match self.stage {
            Stage::Between { since_ms }
                if at_ms.saturating_sub(since_ms) <= DOUBLE_PRESS_GAP_MS =>
            {
                self.ready = Some(Press::Double);
                Stage::Spent
            }
            stage => {
                if matches!(stage, Stage::Between { .. }) {
                    self.ready = Some(Press::Short);
                }
                Stage::Down { since_ms: at_ms }
            }
        }
    }

    fn went_up(&mut self, at_ms: u64) -> Stage {
        match self.stage {
            Stage::Down { since_ms } if at_ms.saturating_sub(since_ms) < LONG_PRESS_MS => {
                Stage::Between { since_ms: at_ms }
            }
            Stage::Down { .. } => {
                self.ready = Some(Press::Long);
                Stage::Idle
            }
            _ => Stage::Idle,
        }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use std::vec::Vec;

    /// What a reader that is asked every `poll_ms` makes of these edges, until `end_ms`.
    fn presses(edges: &[(u64, bool)], poll_ms: u64, end_ms: u64) -> Vec<(u64, Press)> {
        let mut reader = PressReader::new();
        let mut edges = edges.iter().peekable();
        let mut found = Vec::new();
        for now_ms in 0..=end_ms {
            while let Some(&(_, level)) = edges.next_if(|&&(at_ms, _)| at_ms <= now_ms) {
                reader.edge(level, now_ms);
            }
            if now_ms % poll_ms == 0
                && let Some(press) = reader.poll(now_ms)
            {
                found.push((now_ms, press));
            }
        }
        found
    }

    fn kinds(edges: &[(u64, bool)], poll_ms: u64, end_ms: u64) -> Vec<Press> {
        presses(edges, poll_ms, end_ms).into_iter().map(|(_, press)| press).collect()
    }

    #[test]
    fn a_tap_is_a_short_press_once_no_second_one_can_follow() {
        let tap = [(100, true), (180, false)];
        assert_eq!(presses(&tap, 1, 2_000), [(180 + DOUBLE_PRESS_GAP_MS + 1, Press::Short)]);
    }

    #[test]
    fn a_held_button_is_a_long_press_before_it_is_released() {
        let held = [(100, true), (1_500, false)];
        assert_eq!(presses(&held, 1, 3_000), [(100 + LONG_PRESS_MS, Press::Long)]);
    }

    #[test]
    fn two_quick_taps_are_one_double_press_and_two_slow_ones_are_two() {
        let quick = [(100, true), (180, false), (300, true), (380, false)];
        assert_eq!(kinds(&quick, 1, 2_000), [Press::Double]);
        let slow = [(100, true), (180, false), (500, true), (580, false)];
        assert_eq!(kinds(&slow, 1, 2_000), [Press::Short, Press::Short]);
        // The second press of a double one may be held: it is no long press.
        let held = [(100, true), (180, false), (300, true), (2_000, false)];
        assert_eq!(kinds(&held, 1, 3_000), [Press::Double]);
    }

    #[test]
    fn bouncing_contacts_make_one_press() {
        let mut edges = Vec::new();
        for (from, ends) in [(100, true), (220, false)] {
            // Eight bounces of 2 ms, then the level holds.
            edges.extend((0..8).map(|n| (from + 2 * n, (n % 2 == 0) == ends)));
            edges.push((from + 16, ends));
        }
        assert_eq!(kinds(&edges, 1, 2_000), [Press::Short]);
    }

    #[test]
    fn a_spike_and_an_endless_flutter_are_no_press() {
        assert_eq!(kinds(&[(100, true), (105, false)], 1, 1_000), []);
        let flutter: Vec<_> = (0..1_000).map(|n| (n * 7, n % 2 == 0)).collect();
        assert_eq!(kinds(&flutter, 1, 7_500), []);
    }

    #[test]
    fn a_stuck_button_gives_one_long_press() {
        assert_eq!(kinds(&[(0, true)], 1, 600_000), [Press::Long]);
        let freed = [(0, true), (10_000, false), (12_000, true), (12_100, false)];
        assert_eq!(kinds(&freed, 1, 20_000), [Press::Long, Press::Short]);
    }

    #[test]
    fn presses_are_told_apart_when_asked_for_rarely() {
        for poll_ms in [10, 33, 100] {
            let tap = [(105, true), (185, false)];
            assert_eq!(kinds(&tap, poll_ms, 2_000), [Press::Short], "{poll_ms}");
            let quick = [(105, true), (185, false), (305, true), (385, false)];
            assert_eq!(kinds(&quick, poll_ms, 2_000), [Press::Double], "{poll_ms}");
            let held = [(105, true), (905, false)];
            assert_eq!(kinds(&held, poll_ms, 2_000), [Press::Long], "{poll_ms}");
        }
    }

    #[test]
    fn a_clock_that_goes_back_does_no_harm() {
        let mut reader = PressReader::new();
        reader.edge(true, u64::MAX);
        assert_eq!(reader.poll(0), None);
        reader.edge(false, 0);
        assert_eq!(reader.poll(u64::MAX), None);
    }
}
