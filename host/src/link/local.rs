//! A session in this process, reached like a board: bytes to a thread and back.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use super::{Link, LinkError};
use crate::brain::{self, Settings};

/// The stack of the session's thread, which makes the largest board once.
const STACK: usize = 16 << 20;
/// What the link is called.
const NAME: &str = "local";

/// The near end of a line to a session in this process.
#[derive(Debug)]
pub struct LocalLink {
    to_session: mpsc::Sender<Vec<u8>>,
    from_session: mpsc::Receiver<Vec<u8>>,
    rest: VecDeque<u8>,
}

impl LocalLink {
    /// Starts a session. It ends with this value; its memory is not given back.
    ///
    /// # Errors
    /// The system gives no thread.
    pub fn start(settings: Settings) -> Result<LocalLink, LinkError> {
        let (to_session, input) = mpsc::channel();
        let (output, from_session) = mpsc::channel();
        let converse = move || {
            let input = FarInput { pieces: input, rest: VecDeque::new() };
            // Why it failed does not matter to whoever finds the line closed.
            let _ = brain::converse(settings, input, FarOutput(output));
        };
        thread::Builder::new()
            .stack_size(STACK)
            .spawn(converse)
            .map_err(|error| LinkError::System(NAME.into(), error))?;
        Ok(LocalLink { to_session, from_session, rest: VecDeque::new() })
    }
}

impl Link for LocalLink {
    fn name(&self) -> &str {
        NAME
    }

    fn read(&mut self, buffer: &mut [u8], timeout: Duration) -> Result<usize, LinkError> {
        if self.rest.is_empty() {
            match self.from_session.recv_timeout(timeout) {
                Ok(piece) => self.rest.extend(piece),
                Err(RecvTimeoutError::Timeout) => return Ok(0),
                Err(RecvTimeoutError::Disconnected) => return Err(LinkError::Closed(NAME.into())),
            }
        }
        // A queue of bytes reads without errors.
        self.rest.read(buffer).map_err(|error| LinkError::System(NAME.into(), error))
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), LinkError> {
        self.to_session.send(bytes.to_vec()).map_err(|_| LinkError::Closed(NAME.into()))
    }
}

/// What the session reads.
struct FarInput {
    pieces: mpsc::Receiver<Vec<u8>>,
    rest: VecDeque<u8>,
}

impl Read for FarInput {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.rest.is_empty() {
            match self.pieces.recv() {
                Ok(piece) => self.rest.extend(piece),
                Err(mpsc::RecvError) => return Ok(0),
            }
        }
        self.rest.read(buffer)
    }
}

/// What the session writes to.
struct FarOutput(mpsc::Sender<Vec<u8>>);

impl Write for FarOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.0.send(bytes.to_vec()) {
            Ok(()) => Ok(bytes.len()),
            Err(_) => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
