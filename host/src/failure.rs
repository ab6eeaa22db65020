//! Why a command could not do its work, and how well it did if it could.

use std::fmt;
use std::io;

/// How a command ended that could do its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// All that was asked for is done: exit code 0.
    Done,
    /// Something stayed open: a position not solved, a bad line, a mismatch, a forfeit.
    /// Exit code 1.
    Incomplete,
}

/// Why a command gave up: exit code 2.
#[derive(Debug)]
pub enum Failure {
    /// The input cannot be used. The text is one line and says what is accepted.
    Input(String),
    /// The output cannot be written.
    Output(io::Error),
}

impl Failure {
    /// Whether the reader of the output has gone, as `head` does: no reason to complain.
    #[must_use]
    pub fn is_closed_pipe(&self) -> bool {
        matches!(self, Failure::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Input(text) => f.write_str(text),
            Failure::Output(error) => write!(f, "cannot write the output: {error}"),
        }
    }
}

impl std::error::Error for Failure {}

// Every `io::Error` that reaches a command through `?` comes from writing; errors of reading are
// turned into `Failure::Input` on the spot, with the file's name.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Output(error)
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Failure {
        Failure::Output(error.into())
    }
}
