//! The firmware: the engine behind a serial line, a button, LEDs and a matrix.
//!
//! ```text
//!  interrupts    bytes in and out, the timer                        (uart, time driver)
//!  tasks         lines, button, LEDs, matrix, deadline, watchdog    (on one interrupt, below)
//!  thread mode   thinking, in all the time that is left             (think)
//! ```
//!
//! A level is never kept waiting by one below it: while the search runs, input is read, STOP is
//! obeyed and the display is refreshed. This file only says what runs where.
#![no_std]
#![no_main]

mod board;
mod button;
mod crc;
#[cfg(feature = "emulator")]
mod emulator;
mod fault;
mod led;
mod matrix;
mod retained;
mod selftest;
mod serve;
mod stack;
mod think;
mod uart;
mod watchdog;

use defmt_rtt as _;
use embassy_executor::InterruptExecutor;
use embassy_stm32::interrupt::{InterruptExt, Priority};
use embassy_time::Instant;

use crate::serve::Boot;
use crate::uart::Port;

/// The priority of the tasks: below all other interrupts, which keep the highest.
const TASK_PRIORITY: Priority = Priority::P3;

static TASKS: InterruptExecutor = InterruptExecutor::new();

defmt::timestamp!("{=u64:us}", Instant::now().as_micros());

/// Runs the tasks that have something to do.
///
/// # Safety
/// Only from the interrupt of the tasks, which `main` unmasks.
unsafe fn run_tasks() {
    // SAFETY: see above.
    unsafe { TASKS.on_interrupt() }
}

#[cortex_m_rt::entry]
fn main() -> ! {
    let cause = board::reset_cause();
    let (incident, journal) = retained::take(cause == board::ResetCause::Power);
    let board = board::init();
    defmt::info!("{} started, reset cause {}", board::NAME, cause);

    board::TASKS.set_priority(TASK_PRIORITY);
    let spawner = TASKS.start(board::TASKS);
    let boot = Boot { cause, incident, journal };
    spawner.spawn(defmt::unwrap!(watchdog::supervise(board.watchdog)));
    spawner.spawn(defmt::unwrap!(think::alarm()));
    led::start(board.leds);
    spawner.spawn(defmt::unwrap!(button::watch(board.button)));
    if let Some(wiring) = board.matrix {
        spawner.spawn(defmt::unwrap!(matrix::refresh(wiring)));
    }
    spawner.spawn(defmt::unwrap!(serve::serve(Port::start(board.uart), serve::desk(), boot)));
    think::run()
}
