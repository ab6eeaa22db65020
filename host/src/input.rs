//! Files to read, where `-` is the standard input.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};

use crate::failure::Failure;

/// The file, to be read line by line; `-` is the standard input.
///
/// # Errors
/// The file cannot be opened.
pub fn open(file: &str) -> Result<Box<dyn BufRead>, Failure> {
    if file == "-" {
        return Ok(Box::new(io::stdin().lock()));
    }
    match File::open(file) {
        Ok(opened) => Ok(Box::new(BufReader::new(opened))),
        Err(error) => Err(unreadable(file, &error)),
    }
}

/// All bytes of the file; `-` is the standard input.
///
/// # Errors
/// The file cannot be read.
pub fn read(file: &str) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    open(file)?.read_to_end(&mut bytes).map_err(|error| unreadable(file, &error))?;
    Ok(bytes)
}

fn unreadable(file: &str, error: &io::Error) -> Failure {
    Failure::Input(format!("cannot read `{file}`: {error}"))
}
