//! NUCLEO-G071RB: STM32G071RB (Cortex-M0+) at 64 MHz, 128 KiB flash, 36 KiB RAM.
//!
//! | what | where |
//! | --- | --- |
//! | UART | USART2, PA2 out, PA3 in: the virtual COM port of the ST-LINK |
//! | button | B1, PC13, blue, low when pressed |
//! | LED | LD4, PA5 |
//! | clock | internal, 16 MHz |

use embassy_stm32::gpio::{Input, Level, Output, Pull, Speed};
use embassy_stm32::pac::{self, usart::Usart};
use embassy_stm32::rcc::{Hsi, HsiSysDiv, Pll, PllMul, PllPreDiv, PllRDiv, PllSource, Sysclk};
use embassy_stm32::usart::Uart;
use embassy_stm32::{Config, bind_interrupts, interrupt, peripherals};

use super::{Board, ResetCause, Watchdog, uart_config};
use crate::button::Button;
use crate::uart;

/// What the board is called.
pub const NAME: &str = "nucleo-g071rb";
/// The chip's name for probe-rs.
pub const CHIP: &str = "STM32G071RBTx";
/// The processor's clock.
pub const CORE_HZ: u32 = 64_000_000;

/// The largest boards: 15x15, 15x15 and 10x10.
pub const MNK_CELLS: usize = 225;
/// See [`MNK_CELLS`].
pub const CONNECT_CELLS: usize = 225;
/// See [`MNK_CELLS`].
pub const BRICKS_CELLS: usize = 100;
/// Candidate moves that the search holds at a time.
pub const MOVE_STACK: usize = 256;
/// Nodes that a player may keep from one turn to the next.
pub const PLAYER_NODES: usize = 16;
/// Buckets of transposition table, 64 bytes each, beside a game up to 64 cells.
pub const SMALL_BUCKETS: usize = 32;
/// The same beside bricks of more than 64 cells.
pub const LARGE_BRICKS_BUCKETS: usize = 16;
/// The same beside any other larger game, which takes the room.
pub const LARGE_BUCKETS: usize = 16;
/// Bytes that a game in progress may take in retained memory.
pub const JOURNAL_BYTES: usize = 450;
/// Bytes that may wait to be worked on.
pub const RECEIVE_RING: usize = 256;
/// Bytes that may wait to be sent.
pub const SEND_RING: usize = 256;

/// The registers of the UART.
pub const UART: Usart = pac::USART2;
/// The interrupt of the UART.
pub type UartInterrupt = interrupt::typelevel::USART2;
/// The interrupt that the tasks run in; its peripheral is not used.
pub const TASKS: interrupt::Interrupt = interrupt::SPI2;
/// The watchdog.
pub type WatchdogPeripheral = peripherals::IWDG;

bind_interrupts!(struct Bindings {
    USART2 => uart::InterruptHandler;
});

#[interrupt]
unsafe fn SPI2() {
    // SAFETY: this is the interrupt of the tasks, which `main` starts before it is unmasked.
    unsafe { crate::run_tasks() }
}

fn config() -> Config {
    let mut config = Config::default();
    config.rcc.hsi = Some(Hsi { sys_div: HsiSysDiv::DIV1 });
    config.rcc.pll = Some(Pll {
        source: PllSource::HSI,
        prediv: PllPreDiv::DIV1,
        mul: PllMul::MUL8,
        divp: None,
        divq: None,
        divr: Some(PllRDiv::DIV2),
    });
    config.rcc.sys = Sysclk::PLL1_R;
    config
}

/// Starts clocks and pins.
pub fn init() -> Board {
    let p = embassy_stm32::init(config());
    Board {
        uart: defmt::unwrap!(Uart::new_blocking(p.USART2, p.PA3, p.PA2, uart_config()).ok()),
        button: Button { input: Input::new(p.PC13, Pull::Up), pressed: Level::Low },
        leds: [Output::new(p.PA5, Level::Low, Speed::Low)].into_iter().collect(),
        matrix: None,
        watchdog: Watchdog::start(p.IWDG),
    }
}

/// Why the chip started; the next start is told apart from this one.
pub fn reset_cause() -> ResetCause {
    let flags = pac::RCC.csr().read();
    pac::RCC.csr().modify(|w| w.set_rmvf(true));
    ResetCause::from_flags(flags.pwrrstf(), flags.iwdgrstf(), flags.sftrstf(), flags.pinrstf())
}
