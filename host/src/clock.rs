//! The engine's clock on a PC: the system's monotonic clock and a stop flag.
//!
//! The search asks the clock at every node of a large board and at every few nodes of a small
//! one. Asking the system takes some 25 nanoseconds, so [`WallClock`] asks it only at every
//! [`CALLS_PER_READING`]th call and gives the last reading in between. A deadline is then noticed
//! up to 15 calls late: well under a millisecond. The stop flag is looked at on every call.

use std::cell::Cell;
use std::time::{Duration, Instant};

use engine::search::report::Clock;
use engine::session::desk::StopFlag;

/// At every so manieth call of [`Clock::now_us`] the system's clock is read.
pub const CALLS_PER_READING: u32 = 16;

/// Microseconds since a moment, and maybe a flag by which any thread can stop the search.
#[derive(Debug)]
pub struct WallClock<'a> {
    start: Instant,
    calls_left: Cell<u32>,
    last_us: Cell<u64>,
    stop: Option<&'a StopFlag>,
}

impl<'a> WallClock<'a> {
    /// A clock that starts now at 0, and that nobody stops.
    #[must_use]
    pub fn new() -> WallClock<'a> {
        let start = Instant::now();
        WallClock { start, calls_left: Cell::new(0), last_us: Cell::new(0), stop: None }
    }

    /// A clock that counts from `start` and looks at this flag.
    #[must_use]
    pub const fn shared(start: Instant, stop: &'a StopFlag) -> WallClock<'a> {
        WallClock { start, calls_left: Cell::new(0), last_us: Cell::new(0), stop: Some(stop) }
    }

    /// The time, read from the system in any case; also what the next cheap calls will give.
    pub fn precise_us(&self) -> u64 {
        let now = saturating_micros(self.start.elapsed());
        self.last_us.set(now);
        self.calls_left.set(CALLS_PER_READING - 1);
        now
    }

    /// The moment that is `span` from now: for [`engine::search::report::Limits::deadline_us`].
    pub fn deadline_us(&self, span: Duration) -> u64 {
        self.precise_us().saturating_add(saturating_micros(span))
    }
}

impl Default for WallClock<'_> {
    fn default() -> Self {
        WallClock::new()
    }
}

impl Clock for WallClock<'_> {
    fn now_us(&self) -> u64 {
        match self.calls_left.get().checked_sub(1) {
            Some(left) => {
                self.calls_left.set(left);
                self.last_us.get()
            }
            None => self.precise_us(),
        }
    }

    fn should_stop(&self) -> bool {
        self.stop.is_some_and(StopFlag::is_set)
    }
}

/// A duration in microseconds; what does not fit is the greatest number.
#[must_use]
pub fn saturating_micros(span: Duration) -> u64 {
    u64::try_from(span.as_micros()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_system_is_asked_at_every_sixteenth_call() {
        let clock = WallClock::new();
        let first = clock.now_us();
        std::thread::sleep(Duration::from_millis(2));
        for _ in 1..CALLS_PER_READING {
            assert_eq!(clock.now_us(), first);
        }
        assert!(clock.now_us() >= first + 2_000);
    }

    #[test]
    fn the_stop_flag_is_seen_at_once() {
        let stop = StopFlag::new();
        let clock = WallClock::shared(Instant::now(), &stop);
        assert!(!clock.should_stop());
        stop.set();
        assert!(clock.should_stop());
    }

    #[test]
    fn a_deadline_without_end_does_not_overflow() {
        assert_eq!(WallClock::new().deadline_us(Duration::MAX), u64::MAX);
    }
}
