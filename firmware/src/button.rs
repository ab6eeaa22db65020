//! The button: looks at the level and hands presses on; what is a press is the engine's affair.
//!
//! The level is sampled, not waited for: at 200 looks a second this costs next to nothing, works
//! on any pin, and a bouncing contact cannot flood the chip with interrupts.

use core::sync::atomic::{AtomicBool, Ordering};

use embassy_stm32::gpio::{Input, Level};
use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_sync::channel::Channel;
use embassy_time::{Duration, Instant, Ticker};
use engine::ui::{Press, PressReader};

use crate::watchdog::{self, Part};

/// The time between two looks at the level.
pub const SAMPLE_MS: u64 = 5;
/// Presses that may wait to be looked at; more are dropped.
const WAITING: usize = 8;

/// The presses that were not looked at yet.
pub static PRESSES: Channel<CriticalSectionRawMutex, Press, WAITING> = Channel::new();

static DOWN: AtomicBool = AtomicBool::new(false);

/// Whether the button is down, bouncing or not, at the last look.
pub fn is_down() -> bool {
    DOWN.load(Ordering::Relaxed)
}

/// The button's pin.
pub struct Button {
    /// The pin.
    pub input: Input<'static>,
    /// The level while it is pressed.
    pub pressed: Level,
}

impl Button {
    fn is_pressed(&self) -> bool {
        self.input.get_level() == self.pressed
    }
}

/// Watches the button.
#[embassy_executor::task]
pub async fn watch(button: Button) {
    let mut ticker = Ticker::every(Duration::from_millis(SAMPLE_MS));
    let mut reader = PressReader::new();
    loop {
        ticker.next().await;
        watchdog::check_in(Part::Interface);
        let down = button.is_pressed();
        DOWN.store(down, Ordering::Relaxed);
        let now_ms = Instant::now().as_millis();
        reader.edge(down, now_ms);
        if let Some(press) = reader.poll(now_ms) {
            // Nobody presses so fast that it fills up; if somebody does, the last one is lost.
            let _ = PRESSES.try_send(press);
        }
    }
}
