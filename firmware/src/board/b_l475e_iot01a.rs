//! B-L475E-IOT01A: STM32L475VG at 80 MHz, 1 MiB flash, 96 + 32 KiB RAM. The default board, and the
//! one that QEMU models.
//!
//! | what | where |
//! | --- | --- |
//! | UART | USART1, PB6 out, PB7 in: the virtual COM port of the ST-LINK |
//! | button | PC13, blue, low when pressed |
//! | LED | LED2, PB14. LED1, PA5, is a row line of the matrix and flickers |
//! | matrix | "colors shield" on the Arduino connector, see [`MATRIX`] |
//!
//! # Memory
//! SRAM2 holds the stack. SRAM1 holds the rest: a position of up to 100x100 is 59 KiB, what a reset
//! keeps 11 KiB, and the table gets what is left.

use embassy_stm32::gpio::{Input, Level, Output, Pull, Speed};
use embassy_stm32::pac::{self, usart::Usart};
#[cfg(not(feature = "emulator"))]
use embassy_stm32::peripherals;
use embassy_stm32::rcc::{Pll, PllMul, PllPreDiv, PllRDiv, PllSource, Sysclk};
use embassy_stm32::usart::Uart;
use embassy_stm32::{Config, bind_interrupts, interrupt};

use super::{Board, ResetCause, Watchdog, uart_config};
use crate::button::Button;
use crate::matrix::{Line, Wiring};
use crate::uart;

/// What the board is called.
pub const NAME: &str =
    if cfg!(feature = "emulator") { "b-l475e-iot01a (emulated)" } else { "b-l475e-iot01a" };
/// The chip's name for probe-rs.
pub const CHIP: &str = "STM32L475VG";
/// The processor's clock.
pub const CORE_HZ: u32 = 80_000_000;

/// The largest boards: 70x70, 100x100 and 20x20.
pub const MNK_CELLS: usize = 4_900;
/// See [`MNK_CELLS`].
pub const CONNECT_CELLS: usize = 10_000;
/// See [`MNK_CELLS`].
pub const BRICKS_CELLS: usize = 400;
/// Candidate moves that the search holds at a time.
pub const MOVE_STACK: usize = 1_024;
/// Nodes that a player may keep from one turn to the next.
pub const PLAYER_NODES: usize = 128;
/// Buckets of transposition table, 64 bytes each, beside a game up to 64 cells.
pub const SMALL_BUCKETS: usize = 1_024;
/// The same beside bricks of more than 64 cells.
pub const LARGE_BRICKS_BUCKETS: usize = 512;
/// The same beside any other larger game, which takes the room.
pub const LARGE_BUCKETS: usize = 64;
/// Bytes that a game in progress may take in retained memory.
pub const JOURNAL_BYTES: usize = 10_000;
/// Bytes that may wait to be worked on.
pub const RECEIVE_RING: usize = 512;
/// Bytes that may wait to be sent.
pub const SEND_RING: usize = 512;

/// The registers of the UART.
pub const UART: Usart = pac::USART1;
/// The interrupt of the UART.
pub type UartInterrupt = interrupt::typelevel::USART1;
/// The interrupt that the tasks run in; its peripheral is not used.
pub const TASKS: interrupt::Interrupt = interrupt::UART4;
#[cfg(not(feature = "emulator"))]
pub type WatchdogPeripheral = peripherals::IWDG;

bind_interrupts!(struct Bindings {
    USART1 => uart::InterruptHandler;
});

#[interrupt]
unsafe fn UART4() {
    // SAFETY: this is the interrupt of the tasks, which `main` starts before it is unmasked.
    unsafe { crate::run_tasks() }
}

/// The pins of the matrix shield.
const MATRIX: Wiring = Wiring {
    rows: [
        Line { port: pac::GPIOB, pin: 2 },
        Line { port: pac::GPIOA, pin: 15 },
        Line { port: pac::GPIOA, pin: 2 },
        Line { port: pac::GPIOA, pin: 7 },
        Line { port: pac::GPIOA, pin: 6 },
        Line { port: pac::GPIOA, pin: 5 },
        Line { port: pac::GPIOB, pin: 0 },
        Line { port: pac::GPIOA, pin: 3 },
    ],
    data: Line { port: pac::GPIOA, pin: 4 },
    clock: Line { port: pac::GPIOB, pin: 1 },
    reset: Line { port: pac::GPIOC, pin: 3 },
    latch: Line { port: pac::GPIOC, pin: 4 },
    bank: Line { port: pac::GPIOC, pin: 5 },
};

fn config() -> Config {
    let mut config = Config::default();
    config.rcc.hsi = true;
    config.rcc.msi = None;
    config.rcc.pll = Some(Pll {
        source: PllSource::HSI,
        prediv: PllPreDiv::DIV1,
        mul: PllMul::MUL10,
        divp: None,
        divq: None,
        divr: Some(PllRDiv::DIV2),
    });
    config.rcc.sys = Sysclk::PLL1_R;
    config
}

/// Starts clocks and pins.
pub fn init() -> Board {
    #[cfg(not(feature = "emulator"))]
    let p = embassy_stm32::init(config());
    #[cfg(feature = "emulator")]
    let p = {
        // SAFETY: called once, at the start, before anything else uses them.
        let mut core = unsafe { cortex_m::Peripherals::steal() };
        let p = crate::emulator::registers::with_backing(&mut core.MPU, || {
            embassy_stm32::init(config())
        });
        crate::emulator::time::start(&mut core.SYST);
        p
    };

    // The matrix lines stay outputs for ever; from here on they are used through their registers.
    macro_rules! outputs {
        ($($pin:ident),*) => {
            $(core::mem::forget(Output::new(p.$pin, Level::Low, Speed::High));)*
        };
    }
    outputs!(PB2, PA15, PA2, PA7, PA6, PA5, PB0, PA3, PA4, PB1, PC3, PC4, PC5);

    Board {
        uart: defmt::unwrap!(Uart::new_blocking(p.USART1, p.PB7, p.PB6, uart_config()).ok()),
        button: Button { input: Input::new(p.PC13, Pull::Up), pressed: Level::Low },
        leds: [Output::new(p.PB14, Level::Low, Speed::Low)].into_iter().collect(),
        matrix: Some(MATRIX),
        #[cfg(not(feature = "emulator"))]
        watchdog: Watchdog::start(p.IWDG),
        #[cfg(feature = "emulator")]
        watchdog: Watchdog::start(crate::watchdog::TIMEOUT),
    }
}

/// Why the chip started; the next start is told apart from this one.
pub fn reset_cause() -> ResetCause {
    if cfg!(feature = "emulator") {
        // The emulated chip claims power-up after every reset.
        return ResetCause::Unknown;
    }
    let flags = pac::RCC.csr().read();
    pac::RCC.csr().modify(|w| w.set_rmvf(true));
    ResetCause::from_flags(flags.borrstf(), flags.iwdgrstf(), flags.sftrstf(), flags.pinrstf())
}
