//! The terminal while it belongs to the board: keys come one by one, unseen and unchanged.

use std::io::{self, IsTerminal};

use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

/// A terminal that gets its usual ways back when this value ends.
pub struct RawTerminal {
    usual: Termios,
}

impl RawTerminal {
    /// Takes the standard input over; `None` if that is no terminal.
    ///
    /// # Errors
    /// The terminal does not allow it.
    pub fn new() -> io::Result<Option<RawTerminal>> {
        let input = io::stdin();
        if !input.is_terminal() {
            return Ok(None);
        }
        let usual = tcgetattr(&input)?;
        let mut raw = usual.clone();
        raw.make_raw();
        // Lines that end in `\n` alone still begin at the left.
        raw.output_modes = usual.output_modes;
        raw.local_modes.remove(LocalModes::ECHO);
        tcsetattr(&input, OptionalActions::Now, &raw)?;
        Ok(Some(RawTerminal { usual }))
    }
}

impl Drop for RawTerminal {
    fn drop(&mut self) {
        // A terminal that has gone needs nothing back.
        let _ = tcsetattr(io::stdin(), OptionalActions::Now, &self.usual);
    }
}
