//! What can go wrong with the emulator.

use std::fmt;
use std::io;

use crate::link::LinkError;

/// Why the emulator cannot be used. Each shows itself as one line.
#[derive(Debug)]
pub enum EmulatorError {
    /// QEMU is not installed.
    Missing(String),
    /// QEMU does not know the board.
    TooOld(String),
    /// QEMU ended by itself; what it said.
    Ended(String),
    /// Something did not happen in time.
    Timeout(String),
    /// QEMU refused a command.
    Refused {
        /// The command.
        command: String,
        /// QEMU's reason.
        reason: String,
    },
    /// QEMU said something that cannot be understood.
    Protocol(String),
    /// The firmware cannot be built or found.
    Firmware(String),
    /// A file or socket cannot be used.
    System(String, io::Error),
}

impl EmulatorError {
    /// What was not understood, and in which protocol.
    pub(super) fn protocol(protocol: &str, what: impl fmt::Display) -> EmulatorError {
        EmulatorError::Protocol(format!("{protocol}: {what}"))
    }

    /// Whether the machine lacks a QEMU that knows the board: a reason to skip a test.
    #[must_use]
    pub fn is_missing(&self) -> bool {
        matches!(self, EmulatorError::Missing(_) | EmulatorError::TooOld(_))
    }
}

/// How to get a QEMU that does.
const ADVICE: &str = "QEMU 9.1 or newer is needed; `cargo xtask qemu` installs it or says how";

impl fmt::Display for EmulatorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EmulatorError::Missing(program) => write!(f, "cannot find `{program}`: {ADVICE}"),
            EmulatorError::TooOld(version) => write!(f, "{version} is too old: {ADVICE}"),
            EmulatorError::Ended(why) => write!(f, "QEMU ended: {why}"),
            EmulatorError::Timeout(what) => write!(f, "QEMU did not answer in time: {what}"),
            EmulatorError::Refused { command, reason } => {
                write!(f, "QEMU refused `{command}`: {reason}")
            }
            EmulatorError::Protocol(what) => write!(f, "QEMU is not understood: {what}"),
            EmulatorError::Firmware(why) => f.write_str(why),
            EmulatorError::System(what, error) => write!(f, "{what}: {error}"),
        }
    }
}

impl std::error::Error for EmulatorError {}

impl From<LinkError> for EmulatorError {
    fn from(error: LinkError) -> EmulatorError {
        match error {
            LinkError::Closed(name) => EmulatorError::Ended(format!("{name} is closed")),
            LinkError::Stuck(name) => EmulatorError::Timeout(format!("{name} takes no more")),
            LinkError::System(name, error) => EmulatorError::System(name, error),
        }
    }
}
