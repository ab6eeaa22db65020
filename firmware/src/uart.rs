//! The serial line: bytes in, bytes out, both by interrupt, and nothing lost in silence.
//!
//! The HAL's own buffered driver drops bytes when its ring is full and only logs errors of the
//! line, so the interrupt handler is our own. An error (overrun, framing, noise, full ring) is
//! counted and marks the next byte: whoever assembles lines learns that something was lost before
//! it and can refuse the line.
//!
//! The handler runs above all tasks, and its work is bounded by the bytes that have arrived.
//! Sending never waits: what does not fit in the ring is left to the caller.

mod registers;

use core::fmt;
use core::sync::atomic::Ordering;

use embassy_stm32::interrupt::typelevel::{Handler, Interrupt};
use embassy_stm32::mode::Blocking;
use embassy_stm32::usart::Uart;
use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_sync::channel::Channel;
use embassy_sync::pipe::Pipe;
use portable_atomic::{AtomicBool, AtomicU32};

use crate::board::{self, RECEIVE_RING, SEND_RING};

/// Symbols per second. Eight bits, no parity, one stop bit.
pub const BAUD: u32 = 115_200;

/// Marks a byte before which something was lost.
const DAMAGED: u16 = 0x100;

static RECEIVED: Channel<CriticalSectionRawMutex, u16, RECEIVE_RING> = Channel::new();
static TO_SEND: Pipe<CriticalSectionRawMutex, SEND_RING> = Pipe::new();
/// Something was lost since the last byte that went into the ring.
static LOST: AtomicBool = AtomicBool::new(false);
static COUNTS: [AtomicU32; 4] = [const { AtomicU32::new(0) }; 4];

const OVERRUN: usize = 0;
const FRAMING: usize = 1;
const NOISE: usize = 2;
const RING_FULL: usize = 3;

/// How often something went wrong since the last reset.
#[derive(Clone, Copy, PartialEq, Eq, defmt::Format)]
pub struct Errors {
    /// A byte arrived before the one before it was fetched.
    pub overrun: u32,
    /// A stop bit was missing: another speed, or a broken line.
    pub framing: u32,
    /// The line wavered within a bit.
    pub noise: u32,
    /// Lines came in faster than they were worked on.
    pub ring_full: u32,
}

impl fmt::Display for Errors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Errors { overrun, framing, noise, ring_full } = self;
        write!(f, "overrun {overrun} framing {framing} noise {noise} ring-full {ring_full}")
    }
}

/// The counts so far.
pub fn errors() -> Errors {
    let count = |n: usize| COUNTS.get(n).map_or(0, |count| count.load(Ordering::Relaxed));
    let [overrun, framing, noise, ring_full] = [OVERRUN, FRAMING, NOISE, RING_FULL].map(count);
    Errors { overrun, framing, noise, ring_full }
}

/// What arrived.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Arrival {
    /// How many bytes.
    pub count: usize,
    /// Something was lost just before the first of them.
    pub damaged: bool,
}

/// Our end of the line. One of it exists.
pub struct Port {
    /// Holds the pins and keeps the clock running.
    _uart: Uart<'static, Blocking>,
    /// The first byte of the next arrival, if it was fetched too early.
    held: Option<u16>,
}

impl Port {
    /// Starts the interrupts of a UART that is set up.
    pub fn start(uart: Uart<'static, Blocking>) -> Port {
        registers::start(board::UART);
        board::UartInterrupt::unpend();
        // SAFETY: the handler is bound in the board's file, and no critical section is open.
        unsafe { board::UartInterrupt::enable() };
        Port { _uart: uart, held: None }
    }

    /// Waits for bytes. After damage a new arrival begins, so that the mark is exact. `buffer`
    /// must not be empty. Nothing is lost if the future is dropped.
    pub async fn receive(&mut self, buffer: &mut [u8]) -> Arrival {
        let first = match self.held.take() {
            Some(held) => held,
            None => RECEIVED.receive().await,
        };
        if let Some(place) = buffer.first_mut() {
            *place = first as u8;
        }
        let mut count = 1;
        while let Some(place) = buffer.get_mut(count)
            && let Ok(next) = RECEIVED.try_receive()
        {
            if next & DAMAGED != 0 {
                self.held = Some(next);
                break;
            }
            *place = next as u8;
            count += 1;
        }
        Arrival { count, damaged: first & DAMAGED != 0 }
    }
}

/// Queues as many bytes as there is room for, at least one, and tells how many; waits only while
/// the ring is full. For tasks on the interrupt executor, whose waiting delays nobody.
pub async fn send(bytes: &[u8]) -> usize {
    let count = TO_SEND.write(bytes).await;
    critical_section::with(|_| registers::want_to_send(board::UART, true));
    count
}

/// Queues all bytes, waiting for room as often as needed.
pub async fn send_all(mut bytes: &[u8]) {
    while !bytes.is_empty() {
        let count = send(bytes).await;
        bytes = bytes.get(count..).unwrap_or(&[]);
    }
}

/// The interrupt handler, bound in the board's file.
pub struct InterruptHandler;

impl Handler<board::UartInterrupt> for InterruptHandler {
    unsafe fn on_interrupt() {
        while let Some(event) = registers::receive(board::UART) {
            let errors = [event.overrun, event.framing, event.noise];
            for (count, _) in COUNTS.iter().zip(errors).filter(|(_, error)| *error) {
                count.fetch_add(1, Ordering::Relaxed);
                LOST.store(true, Ordering::Relaxed);
            }
            let Some(byte) = event.byte else { continue };
            let mark = if LOST.load(Ordering::Relaxed) { DAMAGED } else { 0 };
            let queued = RECEIVED.try_send(u16::from(byte) | mark).is_ok();
            LOST.store(!queued, Ordering::Relaxed);
            if !queued {
                COUNTS[RING_FULL].fetch_add(1, Ordering::Relaxed);
            }
        }
        while registers::can_send(board::UART) {
            let mut byte = [0];
            match TO_SEND.try_read(&mut byte) {
                Ok(1..) => registers::send(board::UART, byte[0]),
                _ => registers::want_to_send(board::UART, false),
            }
        }
    }
}
