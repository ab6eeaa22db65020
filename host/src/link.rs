//! Byte streams to a board, whatever carries them.
//!
//! - [`Link`]: what every such stream can do
//! - [`lines`]: lines out of bytes, with a bound on their length
//! - [`emulator`]: the emulated board, driven through its UART, button, LED and matrix
//! - [`serial`]: a board on a serial port
//! - [`local`]: a session in this process
//! - [`program`]: a program that speaks the protocol

#[cfg(unix)]
pub mod emulator;
pub mod lines;
pub mod local;
pub mod program;
pub mod serial;

use std::fmt;
use std::io;
use std::time::Duration;

/// A byte stream to a board. No call waits without a bound.
pub trait Link {
    /// What the link leads to, for messages: `emulator`, `/dev/ttyACM0`.
    fn name(&self) -> &str;

    /// Reads what has come into the buffer and returns how many bytes that was. Waits for the
    /// first byte at most `timeout`; 0 means that none came.
    ///
    /// # Errors
    /// The other side is gone, or the system refused.
    fn read(&mut self, buffer: &mut [u8], timeout: Duration) -> Result<usize, LinkError>;

    /// Writes all bytes.
    ///
    /// # Errors
    /// The other side is gone or takes no bytes, or the system refused.
    fn write(&mut self, bytes: &[u8]) -> Result<(), LinkError>;
}

/// Why a link cannot be used any more. Each shows itself as one line.
#[derive(Debug)]
pub enum LinkError {
    /// The other side is gone.
    Closed(String),
    /// The other side does not take what is written.
    Stuck(String),
    /// The system refused.
    System(String, io::Error),
}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LinkError::Closed(name) => write!(f, "{name}: the connection is closed"),
            LinkError::Stuck(name) => write!(f, "{name}: takes no more bytes"),
            LinkError::System(name, error) => write!(f, "{name}: {error}"),
        }
    }
}

impl std::error::Error for LinkError {}
