//! The LEDs. All of them show the same: what the user interface says.

use core::cell::RefCell;

use embassy_stm32::gpio::Level;
use embassy_sync::blocking_mutex::Mutex;
use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;

use crate::board::Leds;

static LEDS: Mutex<CriticalSectionRawMutex, RefCell<Leds>> =
    Mutex::new(RefCell::new(heapless::Vec::new()));

/// Takes the LEDs over, dark.
pub fn start(leds: Leds) {
    LEDS.lock(|own| *own.borrow_mut() = leds);
}

/// Lights them or not.
pub fn set(lit: bool) {
    let level: Level = lit.into();
    LEDS.lock(|leds| leds.borrow_mut().iter_mut().for_each(|led| led.set_level(level)));
}
