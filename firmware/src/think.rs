//! Thinking, in thread mode: below every interrupt and task, with the processor's spare time.
//!
//! ```text
//!  task                        thread mode
//!  start(job, desk)  ───────►  run: thinks with the desk's game, table and workspace
//!  STOP, by session or alarm►  flag that the search looks at
//!  finished().await  ◄───────  desk and result
//! ```
//!
//! The desk goes to and fro by value, so task and search never share memory and nothing is locked.
//! The deadline is an alarm of the hardware timer, whose task sets the flag; the search
//! also compares the time itself where it divides what is left.

use core::fmt;
use core::sync::atomic::{AtomicBool, Ordering};

use embassy_futures::select::{Either, select};
use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_sync::signal::Signal;
use embassy_time::{Instant, Timer};
use engine::search::report::Clock;
use engine::session::desk::{Finding, Job, StopFlag};

use crate::serve::BoardDesk;
use crate::watchdog::{self, Part};

/// A job with all that it needs.
type Errand = (Job, &'static mut BoardDesk);

static ERRAND: Signal<CriticalSectionRawMutex, Errand> = Signal::new();
static RESULT: Signal<CriticalSectionRawMutex, (&'static mut BoardDesk, Finding)> = Signal::new();
/// The wish to have the answer now: of the session, or of the alarm.
pub static STOP: StopFlag = StopFlag::new();
/// A job is under way, so that an alarm means something.
static RUNNING: AtomicBool = AtomicBool::new(false);
/// The moment of the alarm, or none.
static ALARM: Signal<CriticalSectionRawMutex, Option<Instant>> = Signal::new();

/// Hands a job to thread mode. The desk comes back from [`finished`].
pub fn start(job: Job, desk: &'static mut BoardDesk) {
    ALARM.signal(job.limits.deadline_us.map(Instant::from_micros));
    RUNNING.store(true, Ordering::Relaxed);
    ERRAND.signal((job, desk));
    cortex_m::asm::sev();
}

/// Waits for the job under way. Nothing is lost if the future is dropped.
pub async fn finished() -> (&'static mut BoardDesk, Finding) {
    RESULT.wait().await
}

/// How soon the search gives way when it is asked to.
#[derive(Default)]
pub struct Promptness {
    asked: Option<Instant>,
    count: u32,
    worst_us: u64,
}

impl Promptness {
    /// To be called whenever somebody may have asked for the answer.
    pub fn look(&mut self) {
        if self.asked.is_none() && STOP.is_set() && RUNNING.load(Ordering::Relaxed) {
            self.asked = Some(Instant::now());
        }
    }

    /// The desk is back.
    pub fn answered(&mut self) {
        if let Some(asked) = self.asked.take() {
            self.count = self.count.saturating_add(1);
            self.worst_us = self.worst_us.max(asked.elapsed().as_micros());
        }
    }
}

impl fmt::Display for Promptness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "count={} worst_us={}", self.count, self.worst_us)
    }
}

/// The clock that the search sees. Every look at it shows the watchdog that the search is alive.
pub struct SearchClock;

impl Clock for SearchClock {
    #[inline]
    fn now_us(&self) -> u64 {
        Instant::now().as_micros()
    }

    #[inline]
    fn should_stop(&self) -> bool {
        watchdog::check_in(Part::Search);
        STOP.is_set()
    }
}

/// Runs jobs for ever. To be called in thread mode.
pub fn run() -> ! {
    loop {
        watchdog::check_in(Part::Search);
        match ERRAND.try_take() {
            Some((job, desk)) => {
                let finding = desk.think(&job, &SearchClock);
                RUNNING.store(false, Ordering::Relaxed);
                ALARM.signal(None);
                RESULT.signal((desk, finding));
            }
            None => rest(),
        }
        #[cfg(feature = "fault-commands")]
        if HANG.load(Ordering::Relaxed) {
            crate::fault::hang();
        }
    }
}

/// Sleeps until an interrupt. Every interrupt ends the wait, also one between the last look for work
/// and here.
#[cfg(not(feature = "emulator"))]
fn rest() {
    cortex_m::asm::wfe();
}

/// The emulator does not sleep on an event. An interrupt that comes just before the wait is made up
/// for by the next one: the timer's, within a millisecond.
#[cfg(feature = "emulator")]
fn rest() {
    cortex_m::asm::wfi();
}

/// Lets thread mode hang.
#[cfg(feature = "fault-commands")]
static HANG: AtomicBool = AtomicBool::new(false);

/// For tests: thread mode never looks for a job again.
#[cfg(feature = "fault-commands")]
pub fn hang() {
    HANG.store(true, Ordering::Relaxed);
}

/// Stops the search at its deadline.
#[embassy_executor::task]
pub async fn alarm() {
    let mut moment = None;
    loop {
        let ring = async {
            match moment {
                Some(at) => Timer::at(at).await,
                None => core::future::pending().await,
            }
        };
        moment = match select(ALARM.wait(), ring).await {
            Either::First(next) => next,
            Either::Second(()) => {
                if RUNNING.load(Ordering::Relaxed) {
                    STOP.set();
                }
                None
            }
        };
    }
}
