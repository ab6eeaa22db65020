//! NUCLEO-H743ZI2: STM32H743ZI at 480 MHz, 2 MiB flash, 512 KiB RAM and 128 KiB DTCM in use.
//!
//! | what | where |
//! | --- | --- |
//! | UART | USART3, PD8 out, PD9 in: the virtual COM port of the ST-LINK |
//! | button | B1, PC13, blue, high when pressed |
//! | LEDs | LD1 to LD3: PB0, PE1, PB14 |
//! | clock | internal, 64 MHz; 480 MHz needs revision V of the chip, which the board has |

use embassy_stm32::gpio::{Input, Level, Output, Pull, Speed};
use embassy_stm32::pac::{self, usart::Usart};
use embassy_stm32::rcc::{
    AHBPrescaler, APBPrescaler, HSIPrescaler, Pll, PllDiv, PllMul, PllPreDiv, PllSource, Sysclk,
    VoltageScale,
};
use embassy_stm32::usart::Uart;
use embassy_stm32::{Config, bind_interrupts, interrupt, peripherals};

use super::{Board, ResetCause, Watchdog, uart_config};
use crate::button::Button;
use crate::uart;

/// What the board is called.
pub const NAME: &str = "nucleo-h743zi2";
/// The chip's name for probe-rs.
pub const CHIP: &str = "STM32H743ZITx";
/// The processor's clock.
pub const CORE_HZ: u32 = 480_000_000;

/// The largest boards: 70x70, 100x100 and 20x20.
pub const MNK_CELLS: usize = 4_900;
/// See [`MNK_CELLS`].
pub const CONNECT_CELLS: usize = 10_000;
/// See [`MNK_CELLS`].
pub const BRICKS_CELLS: usize = 400;
/// Candidate moves that the search holds at a time.
pub const MOVE_STACK: usize = 8_192;
/// Nodes that a player may keep from one turn to the next.
pub const PLAYER_NODES: usize = 2_048;
/// Buckets of transposition table, 64 bytes each, beside a game up to 64 cells.
pub const SMALL_BUCKETS: usize = 4_096;
/// The same beside bricks of more than 64 cells.
pub const LARGE_BRICKS_BUCKETS: usize = 4_096;
/// The same beside any other larger game, which takes the room.
pub const LARGE_BUCKETS: usize = 4096;
/// Bytes that a game in progress may take in retained memory.
pub const JOURNAL_BYTES: usize = 10_000;
/// Bytes that may wait to be worked on.
pub const RECEIVE_RING: usize = 1024;
/// Bytes that may wait to be sent.
pub const SEND_RING: usize = 1024;

/// The registers of the UART.
pub const UART: Usart = pac::USART3;
/// The interrupt of the UART.
pub type UartInterrupt = interrupt::typelevel::USART3;
/// The interrupt that the tasks run in; its peripheral is not used.
pub const TASKS: interrupt::Interrupt = interrupt::UART4;
/// The watchdog.
pub type WatchdogPeripheral = peripherals::IWDG1;

bind_interrupts!(struct Bindings {
    USART3 => uart::InterruptHandler;
});

#[interrupt]
unsafe fn UART4() {
    // SAFETY: this is the interrupt of the tasks, which `main` starts before it is unmasked.
    unsafe { crate::run_tasks() }
}

fn config() -> Config {
    let mut config = Config::default();
    config.rcc.hsi = Some(HSIPrescaler::DIV1);
    config.rcc.pll1 = Some(Pll {
        source: PllSource::HSI,
        prediv: PllPreDiv::DIV4,
        mul: PllMul::MUL60,
        fracn: None,
        divp: Some(PllDiv::DIV2),
        divq: None,
        divr: None,
    });
    config.rcc.sys = Sysclk::PLL1_P;
    config.rcc.ahb_pre = AHBPrescaler::DIV2;
    config.rcc.apb1_pre = APBPrescaler::DIV2;
    config.rcc.apb2_pre = APBPrescaler::DIV2;
    config.rcc.apb3_pre = APBPrescaler::DIV2;
    config.rcc.apb4_pre = APBPrescaler::DIV2;
    config.rcc.voltage_scale = VoltageScale::Scale0;
    config
}

/// Starts clocks and pins.
pub fn init() -> Board {
    // The flash is far slower than the core.
    // SAFETY: called once, at the start, before anything else uses the core's registers.
    let mut core = unsafe { cortex_m::Peripherals::steal() };
    core.SCB.enable_icache();
    core.SCB.enable_dcache(&mut core.CPUID);
    let p = embassy_stm32::init(config());
    Board {
        uart: defmt::unwrap!(Uart::new_blocking(p.USART3, p.PD9, p.PD8, uart_config()).ok()),
        button: Button { input: Input::new(p.PC13, Pull::Down), pressed: Level::High },
        leds: [
            Output::new(p.PB0, Level::Low, Speed::Low),
            Output::new(p.PE1, Level::Low, Speed::Low),
            Output::new(p.PB14, Level::Low, Speed::Low),
        ]
        .into_iter()
        .collect(),
        matrix: None,
        watchdog: Watchdog::start(p.IWDG1),
    }
}

/// Why the chip started; the next start is told apart from this one.
pub fn reset_cause() -> ResetCause {
    let flags = pac::RCC.rsr().read();
    pac::RCC.rsr().modify(|w| w.set_rmvf(true));
    let power = flags.porrstf() || flags.borrstf();
    ResetCause::from_flags(power, flags.iwdg1rstf(), flags.sftrstf(), flags.pinrstf())
}
