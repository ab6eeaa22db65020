//! How tests run the command. Each test file uses what it needs.
#![allow(dead_code)]

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// A folder of its own for a test, gone with everything in it when the test ends.
pub struct Folder(PathBuf);

impl Folder {
    /// The names of tests that run at the same time must differ.
    pub fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("tavola-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("a folder");
        Folder(folder)
    }

    /// A file in it, as an argument.
    pub fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("text").to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Runs the command.
pub fn tavola(arguments: &[&str]) -> Output {
    tavola_with_input(arguments, "")
}

/// Runs the command with a text on its standard input.
pub fn tavola_with_input(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tavola"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("tavola starts");
    // A command that ends before it has read everything closes the pipe: no matter here.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    child.wait_with_output().expect("tavola ends")
}

/// What the command wrote.
pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("text")
}

/// What the command complained about.
pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("text")
}

/// What the command wrote, one JSON value per line.
pub fn json_lines(output: &Output) -> Vec<Value> {
    stdout(output).lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

/// The arguments are refused by exit code 2 and one line that holds the reason.
#[track_caller]
pub fn assert_refused(arguments: &[&str], reason: &str) {
    let output = tavola(arguments);
    let error = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
    assert_eq!(error.lines().count(), 1, "{arguments:?}: {error}");
    assert!(error.starts_with("error: ") && error.contains(reason), "{arguments:?}: {error}");
    assert!(output.stdout.is_empty());
}
