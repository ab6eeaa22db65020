//! The emulated board's UART.

use std::time::Duration;

use super::socket::Socket;
use crate::link::lines::{LineBuffer, read_line};
use crate::link::{Link, LinkError};

/// The board's lines are shorter; longer ones are cut.
const LINE_LIMIT: usize = 64 << 10;

/// The emulated board's UART, read in lines or in bytes (what the one has taken in the other does
/// not see).
#[derive(Debug)]
pub struct Uart {
    socket: Socket,
    lines: LineBuffer,
}

impl Uart {
    pub(super) fn new(socket: Socket) -> Uart {
        Uart { socket, lines: LineBuffer::new(LINE_LIMIT) }
    }

    /// The next line from the board, without its end; `None` if there was none in time.
    ///
    /// # Errors
    /// QEMU is gone.
    pub fn read_line(&mut self, timeout: Duration) -> Result<Option<String>, LinkError> {
        read_line(&mut self.socket, &mut self.lines, timeout)
    }

    /// What has come of a line that is not complete, as a prompt is.
    #[must_use]
    pub fn rest(&self) -> String {
        self.lines.rest()
    }

    /// Sends a line and its end.
    ///
    /// # Errors
    /// QEMU is gone, or the board takes no bytes.
    pub fn write_line(&mut self, line: &str) -> Result<(), LinkError> {
        self.socket.write_all(format!("{line}\n").as_bytes())
    }

    /// A second handle on the same line, for a thread that only writes.
    ///
    /// # Errors
    /// The system refused.
    pub fn writer(&self) -> Result<Uart, LinkError> {
        Ok(Uart::new(self.socket.try_clone()?))
    }
}

impl Link for Uart {
    fn name(&self) -> &str {
        "emulator"
    }

    fn read(&mut self, buffer: &mut [u8], timeout: Duration) -> Result<usize, LinkError> {
        self.socket.read(buffer, timeout)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), LinkError> {
        self.socket.write_all(bytes)
    }
}
