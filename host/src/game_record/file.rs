//! A new file that games are added to as they end, so that an interrupted run keeps what is done.

use std::fs::File;
use std::io::Write;

use super::{GameRecord, text};
use crate::failure::Failure;
use crate::output_file::{self, Overwrite};

/// A file of records.
pub struct RecordFile {
    name: String,
    file: File,
    separator: &'static str,
}

impl RecordFile {
    /// A new file.
    ///
    /// # Errors
    /// The file is there already, or cannot be written.
    pub fn create(name: &str) -> Result<RecordFile, Failure> {
        let file = output_file::create(name, Overwrite::No)?;
        Ok(RecordFile { name: name.into(), file, separator: "" })
    }

    /// Adds a game.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn add(&mut self, record: &GameRecord) -> Result<(), Failure> {
        let text = format!("{}{}", self.separator, text::write(record));
        self.separator = "\n";
        self.file
            .write_all(text.as_bytes())
            .map_err(|error| output_file::unwritable(&self.name, &error))
    }
}
