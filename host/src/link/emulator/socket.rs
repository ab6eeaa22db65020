//! The sockets between this program and QEMU: this side listens, QEMU comes, so nobody has to
//! guess when the other is ready. Every wait is bounded.

use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::error::EmulatorError;
use crate::link::{Link, LinkError};

/// How long QEMU may take no bytes. The emulated UART takes them at the guest's pace, and a
/// debugger may hold the guest for a while.
const WRITE_TIMEOUT: Duration = Duration::from_secs(30);

/// A place that QEMU is told to connect to.
#[derive(Debug)]
pub(super) struct Listener {
    listener: UnixListener,
    path: PathBuf,
    name: &'static str,
}

impl Listener {
    /// Listens at a new socket in the folder.
    pub(super) fn new(folder: &Path, name: &'static str) -> Result<Listener, EmulatorError> {
        let path = folder.join(name);
        let failed = |error| EmulatorError::System(format!("socket {}", path.display()), error);
        let listener = UnixListener::bind(&path).map_err(failed)?;
        listener.set_nonblocking(true).map_err(failed)?;
        Ok(Listener { listener, path, name })
    }

    /// Where the socket is.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// QEMU, if it has come.
    pub(super) fn accept(&self) -> Result<Option<Socket>, EmulatorError> {
        let failed = |error| EmulatorError::System(self.name.into(), error);
        match self.listener.accept() {
            Ok((stream, _)) => {
                stream.set_nonblocking(false).map_err(failed)?;
                stream.set_write_timeout(Some(WRITE_TIMEOUT)).map_err(failed)?;
                Ok(Some(Socket { stream, name: self.name }))
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(None),
            Err(error) => Err(failed(error)),
        }
    }
}

/// A stream of bytes to and from QEMU.
#[derive(Debug)]
pub struct Socket {
    stream: UnixStream,
    name: &'static str,
}

impl Socket {
    /// Reads what has come; 0 bytes if nothing did within `timeout`.
    pub(super) fn read(
        &mut self,
        buffer: &mut [u8],
        timeout: Duration,
    ) -> Result<usize, LinkError> {
        // The system takes no timeout of zero.
        let timeout = timeout.max(Duration::from_micros(1));
        self.stream.set_read_timeout(Some(timeout)).map_err(|error| self.failed(error))?;
        loop {
            match self.stream.read(buffer) {
                Ok(0) if !buffer.is_empty() => return Err(LinkError::Closed(self.name.into())),
                Ok(count) => return Ok(count),
                Err(error) => match error.kind() {
                    ErrorKind::WouldBlock | ErrorKind::TimedOut => return Ok(0),
                    ErrorKind::Interrupted => {}
                    _ => return Err(self.failed(error)),
                },
            }
        }
    }

    /// Writes all bytes.
    pub(super) fn write_all(&mut self, bytes: &[u8]) -> Result<(), LinkError> {
        self.stream.write_all(bytes).map_err(|error| self.failed(error))
    }

    /// A second handle on the same stream.
    pub(super) fn try_clone(&self) -> Result<Socket, LinkError> {
        let stream = self.stream.try_clone().map_err(|error| self.failed(error))?;
        Ok(Socket { stream, name: self.name })
    }

    fn failed(&self, error: io::Error) -> LinkError {
        let name = self.name.to_string();
        match error.kind() {
            ErrorKind::BrokenPipe | ErrorKind::ConnectionReset | ErrorKind::NotConnected => {
                LinkError::Closed(name)
            }
            ErrorKind::WouldBlock | ErrorKind::TimedOut => LinkError::Stuck(name),
            _ => LinkError::System(name, error),
        }
    }
}

impl Link for Socket {
    fn name(&self) -> &str {
        self.name
    }

    fn read(&mut self, buffer: &mut [u8], timeout: Duration) -> Result<usize, LinkError> {
        Socket::read(self, buffer, timeout)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), LinkError> {
        self.write_all(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair() -> (Socket, UnixStream) {
        let (stream, other) = UnixStream::pair().expect("a pair of sockets");
        (Socket { stream, name: "test" }, other)
    }

    #[test]
    fn silence_is_no_bytes_and_a_closed_end_is_an_error() {
        let (mut socket, other) = pair();
        let mut buffer = [0; 8];
        assert_eq!(socket.read(&mut buffer, Duration::ZERO).unwrap(), 0);
        drop(other);
        assert!(matches!(
            socket.read(&mut buffer, Duration::from_secs(60)),
            Err(LinkError::Closed(_))
        ));
        assert!(matches!(socket.write_all(b"x"), Err(LinkError::Closed(_))));
    }

    #[test]
    fn bytes_go_both_ways() {
        let (mut socket, mut other) = pair();
        other.write_all(b"ping").unwrap();
        let mut buffer = [0; 8];
        assert_eq!(socket.read(&mut buffer, Duration::from_secs(60)).unwrap(), 4);
        socket.write_all(b"pong").unwrap();
        let mut answer = [0; 4];
        other.read_exact(&mut answer).unwrap();
        assert_eq!((&buffer[..4], &answer), (&b"ping"[..], b"pong"));
    }
}
