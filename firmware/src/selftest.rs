//! The self-test: what can be checked without taking the board apart.

use core::fmt;
use core::hint::black_box;

#[cfg(not(feature = "emulator"))]
use embassy_time::{Duration, Instant};

#[cfg(not(feature = "emulator"))]
use crate::board;
use crate::button;
use crate::crc::Crc;

/// Words of memory that the pattern test writes, on the stack of the caller.
const SCRATCH_WORDS: usize = 64;
/// Each is written everywhere and read back, besides each word's own address.
const RAM_PATTERNS: [u32; 4] = [0x0000_0000, 0xFFFF_FFFF, 0xAAAA_AAAA, 0x5555_5555];
/// For how long the two clocks are compared.
#[cfg(not(feature = "emulator"))]
const CLOCK_TIME: Duration = Duration::from_millis(10);
/// How far they may be apart, in thousandths. Both derive from one oscillator.
#[cfg(not(feature = "emulator"))]
const CLOCK_TOLERANCE_PERMILLE: u64 = 5;

/// What the self-test found.
#[derive(Clone, Copy)]
pub struct Findings {
    /// Memory keeps what is written to it.
    pub ram: bool,
    /// The checksum of the image in flash. To be compared with the file that was flashed.
    pub flash_crc: u32,
    /// How many bytes that checksum covers.
    pub flash_bytes: usize,
    /// The processor's clock agrees with the timer. `None` where there is only one clock.
    pub clock: Option<bool>,
    /// The button is down.
    pub button_down: bool,
}

impl Findings {
    /// Whether all is well, as far as it can be told.
    pub fn passed(&self) -> bool {
        self.ram && self.clock != Some(false)
    }
}

impl fmt::Display for Findings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = |good| if good { "ok" } else { "BAD" };
        write!(
            f,
            "{} ram={} flash={:08x}/{} clock={} button={} leds=lit",
            if self.passed() { "passed" } else { "FAILED" },
            word(self.ram),
            self.flash_crc,
            self.flash_bytes,
            self.clock.map_or("untested", word),
            if self.button_down { "down" } else { "up" },
        )
    }
}

/// Runs all tests. Takes some 100 ms, most of it for the flash; the LEDs are lit meanwhile.
pub fn run() -> Findings {
    crate::led::set(true);
    let image = image();
    Findings {
        ram: ram(&mut [0; SCRATCH_WORDS]),
        flash_crc: Crc::new().add(image).value(),
        flash_bytes: image.len(),
        clock: clock(),
        button_down: button::is_down(),
    }
}

/// Writes patterns to memory, whose contents are lost, and reads them back.
fn ram(scratch: &mut [u32]) -> bool {
    let patterns = RAM_PATTERNS.iter().all(|&pattern| {
        black_box(&mut *scratch).fill(pattern);
        black_box(&*scratch).iter().all(|&word| word == pattern)
    });
    // Each word another value: finds address lines that are stuck.
    let value = |n: usize| (n as u32).wrapping_mul(0x9E37_79B9);
    black_box(&mut *scratch).iter_mut().enumerate().for_each(|(n, word)| *word = value(n));
    patterns && black_box(&*scratch).iter().enumerate().all(|(n, &word)| word == value(n))
}

/// The image in flash: from the vector table to the end of the initial values of variables.
fn image() -> &'static [u8] {
    unsafe extern "C" {
        static __vector_table: u8;
        static __sidata: u8;
        static __sdata: u8;
        static __edata: u8;
    }
    let start = &raw const __vector_table;
    let data = (&raw const __edata).addr() - (&raw const __sdata).addr();
    let length = (&raw const __sidata).addr() + data - start.addr();
    // SAFETY: the linker places all of this in flash, one behind the other; nothing writes there.
    unsafe { core::slice::from_raw_parts(start, length) }
}

/// Counts the processor's clock with SysTick for a while of the timer's time.
#[cfg(not(feature = "emulator"))]
fn clock() -> Option<bool> {
    use cortex_m::peripheral::syst::SystClkSource;
    const TOP: u32 = 0x00FF_FFFF;
    // SAFETY: nothing else uses SysTick in builds for a chip.
    let mut systick = unsafe { cortex_m::Peripherals::steal() }.SYST;
    systick.set_clock_source(SystClkSource::Core);
    systick.set_reload(TOP);
    systick.clear_current();
    systick.enable_counter();
    let start = Instant::now();
    while start.elapsed() < CLOCK_TIME {}
    let cycles = u64::from(TOP - cortex_m::peripheral::SYST::get_current());
    let elapsed_us = start.elapsed().as_micros();
    systick.disable_counter();
    let expected = u64::from(board::CORE_HZ) / 1_000_000 * elapsed_us;
    Some(cycles.abs_diff(expected) * 1_000 <= expected * CLOCK_TOLERANCE_PERMILLE)
}

/// In the emulator SysTick is the timer, and there is nothing to compare it with.
#[cfg(feature = "emulator")]
fn clock() -> Option<bool> {
    None
}
