//! The 8x8 RGB matrix shield: a DM163 driver for the columns, a switch per row.
//!
//! One row is lit at a time, [`ROW_TIME`] each, so the whole picture is shown 62 times a second.
//! For each row 192 bits are shifted out by hand (8 LEDs, 3 colours, 8 bits, the most significant
//! first, the last LED first, blue before green before red). Pins are written through their
//! set-reset registers, which needs no masking of interrupts.

use core::cell::RefCell;

use embassy_stm32::pac::gpio::{Gpio, regs::Bsrr};
use embassy_sync::blocking_mutex::Mutex;
use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_time::{Duration, Ticker};
use engine::ui::{Frame, Rgb, SIDE};

/// How long a row is lit.
pub const ROW_TIME: Duration = Duration::from_millis(2);
/// The brightest level of the dimming that the driver applies to each colour, of 6 bits.
const FULL_DIMMING: u8 = 0x3F;

static FRAME: Mutex<CriticalSectionRawMutex, RefCell<Frame>> =
    Mutex::new(RefCell::new(Frame { pixels: [[Rgb(0, 0, 0); SIDE]; SIDE] }));

/// Changes the picture; seen from the next row on.
pub fn show(frame: &Frame) {
    FRAME.lock(|shown| shown.borrow_mut().clone_from(frame));
}

/// An output pin, by its place in the registers. It must have been made an output before.
#[derive(Clone, Copy)]
pub struct Line {
    /// The port's registers.
    pub port: Gpio,
    /// The pin's number in the port.
    pub pin: u8,
}

impl Line {
    #[inline]
    fn high(self) {
        self.port.bsrr().write_value(Bsrr(1 << self.pin));
    }

    #[inline]
    fn low(self) {
        self.port.bsrr().write_value(Bsrr(1 << (self.pin + 16)));
    }
}

/// Which pins the shield is on.
#[derive(Clone, Copy)]
pub struct Wiring {
    /// High lights the row.
    pub rows: [Line; SIDE],
    /// Serial data.
    pub data: Line,
    /// A rising edge shifts.
    pub clock: Line,
    /// Low resets the driver.
    pub reset: Line,
    /// A falling edge shows what was shifted.
    pub latch: Line,
    /// Low for the 6-bit bank (dimming), high for the 8-bit bank (colours).
    pub bank: Line,
}

impl Wiring {
    /// Puts the driver in order: dark, with full dimming values.
    fn start(&self) {
        self.rows.iter().for_each(|row| row.low());
        self.clock.low();
        self.latch.low();
        self.reset.low();
        cortex_m::asm::delay(100);
        self.reset.high();
        self.bank.low();
        for _ in 0..SIDE * 3 {
            self.shift(FULL_DIMMING, 6);
        }
        self.strobe();
        self.bank.high();
    }

    fn strobe(&self) {
        self.latch.high();
        self.latch.low();
    }

    /// Shifts out the low bits of a value.
    #[inline]
    fn shift(&self, value: u8, bits: u32) {
        for bit in (0..bits).rev() {
            if value >> bit & 1 == 1 {
                self.data.high();
            } else {
                self.data.low();
            }
            self.clock.high();
            self.clock.low();
        }
    }
}

/// Refreshes the picture, row by row.
#[embassy_executor::task]
pub async fn refresh(wiring: Wiring) {
    wiring.start();
    let mut ticker = Ticker::every(ROW_TIME);
    let mut lit: Option<Line> = None;
    for (row, line) in wiring.rows.iter().enumerate().cycle() {
        ticker.next().await;
        let leds = FRAME.lock(|shown| shown.borrow().pixels.get(row).copied().unwrap_or_default());
        for Rgb(red, green, blue) in leds.into_iter().rev() {
            for value in [blue, green, red] {
                wiring.shift(value, 8);
            }
        }
        if let Some(line) = lit.take() {
            line.low();
        }
        wiring.strobe();
        line.high();
        lit = Some(*line);
    }
}
