//! What QEMU's model of the B-L475E-IOT01A lacks, filled in. Only in emulated builds.
//!
//! - **Registers** ([`registers`]): PWR and FLASH read as zero in QEMU, and the HAL waits for bits
//!   in them while it sets up the clocks. For that time they are backed by memory.
//! - **Time** ([`time`]): there are no TIMs, so SysTick keeps the time.
//! - **Watchdog** ([`Watchdog`]): there is no IWDG, so SysTick's handler counts down instead. It
//!   outranks all but faults and masked interrupts, much like the real one.

pub mod registers;
pub mod time;

use core::sync::atomic::{AtomicU32, Ordering};

use embassy_time::Duration;

use crate::retained::{self, Kind};

/// SysTick periods to go until the watchdog bites; 0 while it is not running.
static TO_GO: AtomicU32 = AtomicU32::new(0);

/// The emulated watchdog.
pub struct Watchdog {
    periods: u32,
}

impl Watchdog {
    /// A watchdog that is running.
    pub fn start(timeout: Duration) -> Watchdog {
        let mut watchdog = Watchdog { periods: time::periods_in(timeout) };
        watchdog.pet();
        watchdog
    }

    /// Starts the time afresh.
    pub fn pet(&mut self) {
        TO_GO.store(self.periods, Ordering::Relaxed);
    }
}

/// Counts down; called once per SysTick period.
fn count_down() {
    let to_go = TO_GO.load(Ordering::Relaxed);
    TO_GO.store(to_go.saturating_sub(1), Ordering::Relaxed);
    if to_go == 1 {
        cortex_m::interrupt::disable();
        // The emulated chip does not know the cause of a reset, so it is written down.
        retained::record_if_none(Kind::Hang, format_args!("the watchdog was not petted"));
        cortex_m::peripheral::SCB::sys_reset()
    }
}
