//! Files to write that never take the place of another by accident.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Write};

use crate::failure::Failure;

/// Whether a file that is there already may be overwritten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overwrite {
    /// Never.
    No,
    /// No, but the user may say `--force`.
    NotUnlessForced,
    /// The user said `--force`.
    Forced,
}

/// Opens a new file for writing. Commands do so before their work begins, so that hours of games
/// are not lost to a folder that does not exist. A file that may be overwritten keeps what is in
/// it until the caller empties it.
///
/// # Errors
/// The file is there already, or cannot be written.
pub fn create(file: &str, overwrite: Overwrite) -> Result<File, Failure> {
    let mut options = OpenOptions::new();
    options.write(true);
    match overwrite {
        Overwrite::Forced => options.create(true).truncate(false),
        Overwrite::No | Overwrite::NotUnlessForced => options.create_new(true),
    };
    options.open(file).map_err(|error| {
        Failure::Input(match (error.kind(), overwrite) {
            (ErrorKind::AlreadyExists, Overwrite::NotUnlessForced) => {
                format!("`{file}` exists already: choose another name, or overwrite it by --force")
            }
            (ErrorKind::AlreadyExists, _) => {
                format!("`{file}` exists already: choose another name")
            }
            _ => format!("cannot write `{file}`: {error}"),
        })
    })
}

/// What to say when a file that was opened cannot be written after all.
#[must_use]
pub fn unwritable(file: &str, error: &std::io::Error) -> Failure {
    Failure::Input(format!("cannot write `{file}`: {error}"))
}

/// Writes the whole content of a file that was opened by [`create`].
///
/// # Errors
/// It cannot be written.
pub fn fill(name: &str, file: &mut File, content: impl AsRef<[u8]>) -> Result<(), Failure> {
    file.set_len(0)
        .and_then(|()| file.write_all(content.as_ref()))
        .map_err(|error| unwritable(name, &error))
}
