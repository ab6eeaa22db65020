//! The registers of the two generations of USARTs, behind the same few functions.
//!
//! All accesses are whole words.

use embassy_stm32::pac::usart::Usart;

/// Something came in.
pub struct Event {
    /// The byte, if there is one.
    pub byte: Option<u8>,
    /// A byte was lost because this one, or an earlier one, was not fetched in time.
    pub overrun: bool,
    /// The byte had no stop bit.
    pub framing: bool,
    /// The line wavered within the byte.
    pub noise: bool,
}

/// Lets bytes that arrive raise the interrupt.
pub fn start(uart: Usart) {
    uart.cr1().modify(|w| {
        w.set_rxneie(true);
        w.set_txeie(false);
    });
}

/// Whether the interrupt is wanted while there is room for a byte to send. Not while it could
/// interrupt: from the handler, or with interrupts masked.
pub fn want_to_send(uart: Usart, want: bool) {
    uart.cr1().modify(|w| w.set_txeie(want));
}

pub use generation::{can_send, receive, send};

#[cfg(any(feature = "nucleo-f446re", feature = "stm32f4-discovery"))]
mod generation {
    //! STM32F4: one status register, cleared by reading it and then the data.
    use super::{Event, Usart};

    /// The next byte or error, if any.
    pub fn receive(uart: Usart) -> Option<Event> {
        let status = uart.sr().read();
        let (overrun, framing, noise) = (status.ore(), status.fe(), status.ne());
        if !(status.rxne() || overrun || framing || noise) {
            return None;
        }
        let data = uart.dr().read().dr() as u8;
        Some(Event { byte: status.rxne().then_some(data), overrun, framing, noise })
    }

    /// Whether a byte is wanted and can be sent now.
    pub fn can_send(uart: Usart) -> bool {
        uart.cr1().read().txeie() && uart.sr().read().txe()
    }

    /// Sends a byte. There must be room.
    pub fn send(uart: Usart, byte: u8) {
        uart.dr().write(|w| w.set_dr(byte.into()));
    }
}

#[cfg(not(any(feature = "nucleo-f446re", feature = "stm32f4-discovery")))]
mod generation {
    //! All later chips: flags are cleared in a register of their own.
    use super::{Event, Usart};

    /// The next byte or error, if any.
    pub fn receive(uart: Usart) -> Option<Event> {
        let status = uart.isr().read();
        let (overrun, framing, noise) = (status.ore(), status.fe(), status.ne());
        if !(status.rxne() || overrun || framing || noise) {
            return None;
        }
        let byte = status.rxne().then(|| uart.rdr().read().dr() as u8);
        if overrun || framing || noise {
            uart.icr().write(|w| {
                w.set_ore(overrun);
                w.set_fe(framing);
                w.set_ne(noise);
            });
        }
        Some(Event { byte, overrun, framing, noise })
    }

    /// Whether a byte is wanted and can be sent now.
    pub fn can_send(uart: Usart) -> bool {
        uart.cr1().read().txeie() && uart.isr().read().txe()
    }

    /// Sends a byte. There must be room.
    pub fn send(uart: Usart, byte: u8) {
        uart.tdr().write(|w| w.set_dr(byte.into()));
    }
}
