//! A program that speaks the protocol on its standard input and output, as Gomocup's brains do.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use super::{Link, LinkError};

/// Bytes read at a time, and how often before somebody takes them.
const CHUNK: usize = 4_096;
const MAX_PIECES: usize = 16;
/// How long a program may take to end after its input has ended.
const LAST_WORDS: Duration = Duration::from_secs(1);
/// How often an ending program is looked at.
const STEP: Duration = Duration::from_millis(10);

/// A running program. It ends with this value.
#[derive(Debug)]
pub struct ProgramLink {
    name: String,
    child: Child,
    input: Option<ChildStdin>,
    output: mpsc::Receiver<Vec<u8>>,
    rest: VecDeque<u8>,
}

impl ProgramLink {
    /// Starts a program: the name of a file, or a command with arguments separated by blanks.
    /// What it writes to its standard error is thrown away.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn start(command: &str) -> Result<ProgramLink, LinkError> {
        let refused = |error| LinkError::System(command.to_string(), error);
        let mut words = words(command).into_iter();
        let mut child = Command::new(words.next().unwrap_or_default())
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(refused)?;
        let (input, from) = (child.stdin.take(), child.stdout.take());
        let (pieces, output) = mpsc::sync_channel(MAX_PIECES);
        if let Some(from) = from {
            thread::spawn(move || read_all(from, &pieces));
        }
        Ok(ProgramLink { name: command.into(), child, input, output, rest: VecDeque::new() })
    }

    fn closed(&self) -> LinkError {
        LinkError::Closed(self.name.clone())
    }
}

/// The program and its arguments.
fn words(command: &str) -> Vec<OsString> {
    if Path::new(command).is_file() {
        vec![command.into()]
    } else {
        command.split_whitespace().map(OsString::from).collect()
    }
}

fn read_all(mut from: impl Read, pieces: &mpsc::SyncSender<Vec<u8>>) {
    let mut chunk = [0; CHUNK];
    while let Ok(count @ 1..) = from.read(&mut chunk) {
        if pieces.send(chunk[..count].to_vec()).is_err() {
            return;
        }
    }
}

impl Link for ProgramLink {
    fn name(&self) -> &str {
        &self.name
    }

    fn read(&mut self, buffer: &mut [u8], timeout: Duration) -> Result<usize, LinkError> {
        if self.rest.is_empty() {
            match self.output.recv_timeout(timeout) {
                Ok(piece) => self.rest.extend(piece),
                Err(RecvTimeoutError::Timeout) => return Ok(0),
                Err(RecvTimeoutError::Disconnected) => return Err(self.closed()),
            }
        }
        self.rest.read(buffer).map_err(|error| LinkError::System(self.name.clone(), error))
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), LinkError> {
        // Lines are short and few: a program that does not read them would need hundreds of moves
        // to fill the pipe.
        match self.input.as_mut().map(|input| input.write_all(bytes).and_then(|()| input.flush())) {
            Some(Ok(())) => Ok(()),
            _ => Err(self.closed()),
        }
    }
}

impl Drop for ProgramLink {
    fn drop(&mut self) {
        // The end of its input tells it to go; one that does not is made to.
        self.input = None;
        let deadline = Instant::now() + LAST_WORDS;
        while Instant::now() < deadline {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            thread::sleep(STEP);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
