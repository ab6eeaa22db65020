//! The watchdog: petted only while search, UART and user interface all check in.
//!
//! Each part sets its mark from where it does its work: the search whenever it looks at the clock,
//! the tasks in their loops. A supervisor task collects the marks. When one stays away for
//! [`PATIENCE`], the incident is written down (so that the next boot can name the part) and the
//! petting ends; the chip is reset [`TIMEOUT`] after the last time. If the supervisor itself hangs,
//! only the reset cause is known.
//!
//! While a task works on and on, as when a game of thousands of moves is brought back or loaded, nobody else
//! can check in, the supervisor included. That time does not count, but it must be shorter than
//! [`TIMEOUT`].

use core::sync::atomic::{AtomicBool, Ordering};

use embassy_time::{Duration, Instant, Timer};

use crate::board::Watchdog;
use crate::retained::{self, Kind};

/// How long a part may stay away.
pub const PATIENCE: Duration = Duration::from_secs(2);
/// The time from the last petting to the reset. The longest game is brought back within it.
pub const TIMEOUT: Duration = Duration::from_secs(8);
/// How often the marks are collected.
const PERIOD: Duration = Duration::from_millis(250);

/// A part of the firmware that must show that it is alive.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(usize)]
pub enum Part {
    /// Thread mode: thinking, or waiting for a job.
    Search,
    /// The task that reads and answers lines.
    Uart,
    /// The task that watches the button.
    Interface,
}

const PARTS: [(Part, &str); 3] =
    [(Part::Search, "search"), (Part::Uart, "uart"), (Part::Interface, "interface")];

static MARKS: [AtomicBool; PARTS.len()] = [const { AtomicBool::new(false) }; PARTS.len()];

/// Shows that a part is alive. Cheap: one store.
#[inline]
pub fn check_in(part: Part) {
    MARKS[part as usize].store(true, Ordering::Relaxed);
}

/// Pets the watchdog while all parts check in.
#[embassy_executor::task]
pub async fn supervise(mut watchdog: Watchdog) {
    let mut last = Instant::now();
    let mut seen = [last; PARTS.len()];
    loop {
        Timer::after(PERIOD).await;
        let now = Instant::now();
        let kept_waiting = (now - last).checked_sub(PERIOD).unwrap_or(Duration::MIN);
        last = now;
        for (seen, mark) in seen.iter_mut().zip(&MARKS) {
            *seen += kept_waiting;
            if mark.load(Ordering::Relaxed) {
                mark.store(false, Ordering::Relaxed);
                *seen = now;
            }
        }
        let missing = PARTS.iter().zip(&seen).find(|(_, seen)| now - **seen > PATIENCE);
        match missing {
            None => watchdog.pet(),
            Some(((_, name), _)) => {
                defmt::error!("{} does not check in: waiting for the watchdog", name);
                critical_section::with(|_| {
                    retained::record(Kind::Hang, 0, 0, 0, format_args!("{name} did not check in"));
                });
                break;
            }
        }
    }
}
