//! STM32F4DISCOVERY: STM32F407VG at 168 MHz, 1 MiB flash, 128 KiB RAM and 64 KiB CCM.
//!
//! | what | where |
//! | --- | --- |
//! | UART | USART2, PA2 out, PA3 in; needs a serial adapter of 3.3 V |
//! | button | B1, PA0, blue, high when pressed |
//! | LEDs | LD3 to LD6, PD12 to PD15 |
//! | clock | crystal of 8 MHz |

use embassy_stm32::gpio::{Input, Level, Output, Pull, Speed};
use embassy_stm32::pac::{self, usart::Usart};
use embassy_stm32::rcc::{
    AHBPrescaler, APBPrescaler, Hse, HseMode, Pll, PllMul, PllPDiv, PllPreDiv, PllSource, Sysclk,
};
use embassy_stm32::time::Hertz;
use embassy_stm32::usart::Uart;
use embassy_stm32::{Config, bind_interrupts, interrupt, peripherals};

use super::{Board, ResetCause, Watchdog, uart_config};
use crate::button::Button;
use crate::uart;

/// What the board is called.
pub const NAME: &str = "stm32f4-discovery";
/// The chip's name for probe-rs.
pub const CHIP: &str = "STM32F407VGTx";
/// The processor's clock.
pub const CORE_HZ: u32 = 168_000_000;

/// The largest boards: 70x70, 100x100 and 20x20.
pub const MNK_CELLS: usize = 4_900;
/// See [`MNK_CELLS`].
pub const CONNECT_CELLS: usize = 10_000;
/// See [`MNK_CELLS`].
pub const BRICKS_CELLS: usize = 400;
/// Candidate moves that the search holds at a time.
pub const MOVE_STACK: usize = 2_048;
/// Nodes that a player may keep from one turn to the next.
pub const PLAYER_NODES: usize = 512;
/// Buckets of transposition table, 64 bytes each, beside a game up to 64 cells.
pub const SMALL_BUCKETS: usize = 1_024;
/// The same beside bricks of more than 64 cells.
pub const LARGE_BRICKS_BUCKETS: usize = 1_024;
/// The same beside any other larger game, which takes the room.
pub const LARGE_BUCKETS: usize = 512;
/// Bytes that a game in progress may take in retained memory.
pub const JOURNAL_BYTES: usize = 10_000;
/// Bytes that may wait to be worked on.
pub const RECEIVE_RING: usize = 512;
/// Bytes that may wait to be sent.
pub const SEND_RING: usize = 512;

/// The registers of the UART.
pub const UART: Usart = pac::USART2;
/// The interrupt of the UART.
pub type UartInterrupt = interrupt::typelevel::USART2;
/// The interrupt that the tasks run in; its peripheral is not used.
pub const TASKS: interrupt::Interrupt = interrupt::UART4;
/// The watchdog.
pub type WatchdogPeripheral = peripherals::IWDG;

bind_interrupts!(struct Bindings {
    USART2 => uart::InterruptHandler;
});

#[interrupt]
unsafe fn UART4() {
    // SAFETY: this is the interrupt of the tasks, which `main` starts before it is unmasked.
    unsafe { crate::run_tasks() }
}

fn config() -> Config {
    let mut config = Config::default();
    config.rcc.hse = Some(Hse { freq: Hertz(8_000_000), mode: HseMode::Oscillator });
    config.rcc.pll_src = PllSource::HSE;
    config.rcc.pll = Some(Pll {
        prediv: PllPreDiv::DIV4,
        mul: PllMul::MUL168,
        divp: Some(PllPDiv::DIV2),
        divq: None,
        divr: None,
    });
    config.rcc.sys = Sysclk::PLL1_P;
    config.rcc.ahb_pre = AHBPrescaler::DIV1;
    config.rcc.apb1_pre = APBPrescaler::DIV4;
    config.rcc.apb2_pre = APBPrescaler::DIV2;
    config
}

/// Starts clocks and pins.
pub fn init() -> Board {
    let p = embassy_stm32::init(config());
    Board {
        uart: defmt::unwrap!(Uart::new_blocking(p.USART2, p.PA3, p.PA2, uart_config()).ok()),
        button: Button { input: Input::new(p.PA0, Pull::Down), pressed: Level::High },
        leds: [
            Output::new(p.PD12, Level::Low, Speed::Low),
            Output::new(p.PD13, Level::Low, Speed::Low),
            Output::new(p.PD14, Level::Low, Speed::Low),
            Output::new(p.PD15, Level::Low, Speed::Low),
        ]
        .into_iter()
        .collect(),
        matrix: None,
        watchdog: Watchdog::start(p.IWDG),
    }
}

/// Why the chip started; the next start is told apart from this one.
pub fn reset_cause() -> ResetCause {
    let flags = pac::RCC.csr().read();
    pac::RCC.csr().modify(|w| w.set_rmvf(true));
    let power = flags.porrstf() || flags.borrstf();
    ResetCause::from_flags(power, flags.wdgrstf(), flags.sftrstf(), flags.padrstf())
}
