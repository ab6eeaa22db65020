//! The board: everything that differs from one to the other, behind the same names.
//!
//! A board's file has its pins, clocks, interrupts, memory budget and capacities; the rest of the
//! firmware asks for them here and knows no pin. A new board is a file, a memory map and a feature.

#[cfg_attr(feature = "chip-l475vg", path = "board/b_l475e_iot01a.rs")]
#[cfg_attr(feature = "nucleo-f446re", path = "board/nucleo_f446re.rs")]
#[cfg_attr(feature = "stm32f4-discovery", path = "board/stm32f4_discovery.rs")]
#[cfg_attr(feature = "nucleo-h743zi2", path = "board/nucleo_h743zi2.rs")]
#[cfg_attr(feature = "nucleo-g071rb", path = "board/nucleo_g071rb.rs")]
mod chosen;

use core::fmt;

use embassy_stm32::gpio::Output;
use embassy_stm32::mode::Blocking;
use embassy_stm32::usart::{Config as UartConfig, Uart};

pub use chosen::*;

use crate::button::Button;
use crate::matrix::Wiring;
use crate::uart::BAUD;

/// LEDs on the board with the most of them.
pub const MAX_LEDS: usize = 4;

/// The LEDs of the board; all show the same.
pub type Leds = heapless::Vec<Output<'static>, MAX_LEDS>;

/// The parts of a board that is up and running.
pub struct Board {
    /// The serial line, set up but silent.
    pub uart: Uart<'static, Blocking>,
    /// The button.
    pub button: Button,
    /// The LEDs, dark.
    pub leds: Leds,
    /// The pins of the matrix shield, if the board has a place for it.
    pub matrix: Option<Wiring>,
    /// The watchdog, already running.
    pub watchdog: Watchdog,
}

/// What the UARTs of all boards are set to.
fn uart_config() -> UartConfig {
    let mut config = UartConfig::default();
    config.baudrate = BAUD;
    config
}

/// Why the chip started.
#[derive(Clone, Copy, PartialEq, Eq, defmt::Format)]
pub enum ResetCause {
    /// The power came on, or dipped.
    Power,
    /// The firmware asked for it.
    Software,
    /// The watchdog was not petted.
    Watchdog,
    /// The reset button, or a debugger.
    Pin,
    /// The chip does not say, as in the emulator.
    Unknown,
}

impl ResetCause {
    /// From what the chip says. Several may be true: the reset pin goes with all of them.
    const fn from_flags(power: bool, watchdog: bool, software: bool, pin: bool) -> ResetCause {
        match (power, watchdog, software, pin) {
            (true, ..) => ResetCause::Power,
            (_, true, ..) => ResetCause::Watchdog,
            (_, _, true, _) => ResetCause::Software,
            (.., true) => ResetCause::Pin,
            _ => ResetCause::Unknown,
        }
    }
}

impl fmt::Display for ResetCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ResetCause::Power => "power",
            ResetCause::Software => "software",
            ResetCause::Watchdog => "watchdog",
            ResetCause::Pin => "pin",
            ResetCause::Unknown => "unknown",
        })
    }
}

#[cfg(feature = "emulator")]
pub use crate::emulator::Watchdog;

/// The chip's independent watchdog.
#[cfg(not(feature = "emulator"))]
pub struct Watchdog(embassy_stm32::wdg::IndependentWatchdog<'static, WatchdogPeripheral>);

#[cfg(not(feature = "emulator"))]
impl Watchdog {
    /// A watchdog that is running; nothing but a reset stops it.
    fn start(peripheral: embassy_stm32::Peri<'static, WatchdogPeripheral>) -> Watchdog {
        let timeout_us = crate::watchdog::TIMEOUT.as_micros() as u32;
        let mut watchdog = embassy_stm32::wdg::IndependentWatchdog::new(peripheral, timeout_us);
        watchdog.unleash();
        Watchdog(watchdog)
    }

    /// Starts the time afresh.
    pub fn pet(&mut self) {
        self.0.pet();
    }
}
