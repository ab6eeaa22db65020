//! The time from SysTick, for [`embassy_time`].
//!
//! SysTick interrupts every [`PERIOD_US`]; the time within a period is read from its counter.
//! Alarms are looked at on the interrupt, so they are late by up to a period. The count of periods
//! wraps after 12 days, which an emulated board does not see.
//!
//! A test can let the board run for an exact time: it writes the period to pause at and puts a
//! breakpoint on [`tavola_pause`].

use core::cell::{Cell, RefCell};
use core::task::Waker;

use core::sync::atomic::{AtomicU32, Ordering};
use cortex_m::peripheral::{SCB, SYST, syst::SystClkSource};
use cortex_m_rt::exception;
use critical_section::{CriticalSection, Mutex};
use embassy_time::Duration;
use embassy_time_driver::Driver;
use embassy_time_queue_utils::Queue;

use crate::board::CORE_HZ;

/// The time between two interrupts.
pub const PERIOD_US: u32 = 250;
const CYCLES_PER_US: u32 = CORE_HZ / 1_000_000;
const RELOAD: u32 = PERIOD_US * CYCLES_PER_US - 1;

/// How many periods a time is, rounded down.
pub fn periods_in(time: Duration) -> u32 {
    (time.as_micros() / u64::from(PERIOD_US)) as u32
}

/// The period in which [`tavola_pause`] is called. Written from outside at any time, also before
/// the start, so the start leaves it alone.
#[unsafe(no_mangle)]
#[unsafe(link_section = ".uninit.TAVOLA_PAUSE_AT")]
static TAVOLA_PAUSE_AT: AtomicU32 = AtomicU32::new(0);

/// The place of the breakpoint.
#[unsafe(no_mangle)]
#[inline(never)]
extern "C" fn tavola_pause() {
    cortex_m::asm::nop();
}

struct SysTickDriver {
    periods: AtomicU32,
    next_alarm: Mutex<Cell<u64>>,
    queue: Mutex<RefCell<Queue>>,
}

embassy_time_driver::time_driver_impl!(static DRIVER: SysTickDriver = SysTickDriver {
    periods: AtomicU32::new(0),
    next_alarm: Mutex::new(Cell::new(u64::MAX)),
    queue: Mutex::new(RefCell::new(Queue::new())),
});

/// Starts the time. The core must run at [`CORE_HZ`].
pub fn start(systick: &mut SYST) {
    systick.set_clock_source(SystClkSource::Core);
    systick.set_reload(RELOAD);
    systick.clear_current();
    systick.enable_interrupt();
    systick.enable_counter();
}

impl SysTickDriver {
    /// Wakes who is due, until the next alarm lies in the future.
    fn look_at_alarms(&self, cs: CriticalSection<'_>) {
        let mut queue = self.queue.borrow_ref_mut(cs);
        let now = self.now();
        if now >= self.next_alarm.borrow(cs).get() {
            self.next_alarm.borrow(cs).set(queue.next_expiration(now));
        }
    }
}

impl Driver for SysTickDriver {
    fn now(&self) -> u64 {
        loop {
            let before = self.periods.load(Ordering::Acquire);
            let mut left = SYST::get_current();
            // With interrupts masked, the end of a period may not be counted yet.
            let uncounted = u32::from(SCB::is_pendst_pending());
            if uncounted == 1 {
                left = SYST::get_current();
            }
            if self.periods.load(Ordering::Acquire) == before {
                let periods = u64::from(before.wrapping_add(uncounted));
                return periods * u64::from(PERIOD_US) + u64::from((RELOAD - left) / CYCLES_PER_US);
            }
        }
    }

    fn schedule_wake(&self, at: u64, waker: &Waker) {
        critical_section::with(|cs| {
            let mut queue = self.queue.borrow_ref_mut(cs);
            if queue.schedule_wake(at, waker) {
                let next = queue.next_expiration(self.now());
                self.next_alarm.borrow(cs).set(next);
            }
        });
    }
}

#[exception]
fn SysTick() {
    let periods = DRIVER.periods.load(Ordering::Relaxed).wrapping_add(1);
    DRIVER.periods.store(periods, Ordering::Release);
    critical_section::with(|cs| DRIVER.look_at_alarms(cs));
    super::count_down();
    if periods == TAVOLA_PAUSE_AT.load(Ordering::Relaxed) {
        tavola_pause();
    }
}
