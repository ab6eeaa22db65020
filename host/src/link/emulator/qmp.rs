//! QMP, the control protocol of QEMU: JSON objects, one per line.
//!
//! [`parse`] turns a line into a [`Message`] and accepts any input; [`Qmp`] asks one question at a
//! time and keeps the events that come in between.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::error::EmulatorError;
use super::socket::Socket;
use crate::link::lines::LineBuffer;

/// QEMU's answers are below a kilobyte; this leaves room for any of them.
const LINE_LIMIT: usize = 1 << 20;
/// Events kept until somebody asks for them; older ones are dropped.
const EVENT_LIMIT: usize = 64;

/// What QEMU says in a line.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// The first line: QEMU's version.
    Greeting {
        /// As in 10 of 10.0.2.
        major: u64,
        /// As in 0 of 10.0.2.
        minor: u64,
    },
    /// A command is done; the value that it returns.
    Return(Value),
    /// A command is refused; the reason.
    Error(String),
    /// Something happened; its name.
    Event(String),
}

/// Reads a line. Anything but a QMP message is an error that says what was wrong.
///
/// # Errors
/// The line is not JSON, or no message that QMP knows.
pub fn parse(line: &str) -> Result<Message, String> {
    let mut value: Value =
        serde_json::from_str(line).map_err(|error| format!("not JSON: {error}"))?;
    if let Some(returned) = value.get_mut("return") {
        return Ok(Message::Return(returned.take()));
    }
    if let Some(error) = value.get("error") {
        let reason = error.get("desc").and_then(Value::as_str).unwrap_or("no reason given");
        return Ok(Message::Error(reason.to_string()));
    }
    if let Some(event) = value.get("event").and_then(Value::as_str) {
        return Ok(Message::Event(event.to_string()));
    }
    let number = |name: &str| value.pointer(&format!("/QMP/version/qemu/{name}"))?.as_u64();
    match (number("major"), number("minor")) {
        (Some(major), Some(minor)) => Ok(Message::Greeting { major, minor }),
        _ => Err("no message of QMP".into()),
    }
}

/// A conversation with QEMU.
#[derive(Debug)]
pub struct Qmp {
    socket: Socket,
    lines: LineBuffer,
    events: VecDeque<String>,
    version: (u64, u64),
}

impl Qmp {
    /// Greets: waits for QEMU's version and leaves the state in which only that can be asked.
    ///
    /// # Errors
    /// QEMU does not answer in time, or in another language.
    pub fn new(socket: Socket, timeout: Duration) -> Result<Qmp, EmulatorError> {
        let lines = LineBuffer::new(LINE_LIMIT);
        let mut qmp = Qmp { socket, lines, events: VecDeque::new(), version: (0, 0) };
        let deadline = Instant::now() + timeout;
        match qmp.message("the greeting", deadline)? {
            Message::Greeting { major, minor } => qmp.version = (major, minor),
            other => return Err(EmulatorError::protocol("QMP", format!("{other:?}"))),
        }
        qmp.ask("qmp_capabilities", json!({}), timeout)?;
        Ok(qmp)
    }

    /// QEMU's version, major and minor.
    #[must_use]
    pub fn version(&self) -> (u64, u64) {
        self.version
    }

    /// Runs a command and returns what it returns.
    ///
    /// # Errors
    /// QEMU refuses the command, does not answer in time, or is gone.
    pub fn ask(
        &mut self,
        command: &str,
        arguments: Value,
        timeout: Duration,
    ) -> Result<Value, EmulatorError> {
        let deadline = Instant::now() + timeout;
        let request = json!({ "execute": command, "arguments": arguments });
        self.socket.write_all(format!("{request}\n").as_bytes())?;
        loop {
            match self.message(command, deadline)? {
                Message::Return(value) => return Ok(value),
                Message::Error(reason) => {
                    return Err(EmulatorError::Refused { command: command.into(), reason });
                }
                Message::Event(name) => self.keep(name),
                Message::Greeting { .. } => {}
            }
        }
    }

    /// Waits for an event; one that came since [`Qmp::forget_events`] counts.
    ///
    /// # Errors
    /// It does not come in time, or QEMU is gone.
    pub fn wait_for(&mut self, event: &str, timeout: Duration) -> Result<(), EmulatorError> {
        let deadline = Instant::now() + timeout;
        loop {
            if let Some(index) = self.events.iter().position(|name| name == event) {
                self.events.remove(index);
                return Ok(());
            }
            if let Message::Event(name) = self.message(event, deadline)? {
                self.keep(name);
            }
        }
    }

    /// Forgets the events that came so far.
    pub fn forget_events(&mut self) {
        self.events.clear();
    }

    fn keep(&mut self, event: String) {
        if self.events.len() == EVENT_LIMIT {
            self.events.pop_front();
        }
        self.events.push_back(event);
    }

    fn message(&mut self, what: &str, deadline: Instant) -> Result<Message, EmulatorError> {
        loop {
            if let Some(line) = self.lines.pop() {
                return parse(&line).map_err(|error| EmulatorError::protocol("QMP", error));
            }
            let mut buffer = [0; 4096];
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(EmulatorError::Timeout(format!("QMP: {what}")));
            }
            let count = self.socket.read(&mut buffer, left)?;
            self.lines.push(&buffer[..count]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_told_apart() {
        let greeting = r#"{"QMP": {"version": {"qemu": {"micro": 2, "minor": 0, "major": 10},
                          "package": ""}, "capabilities": ["oob"]}}"#;
        assert_eq!(parse(greeting), Ok(Message::Greeting { major: 10, minor: 0 }));
        assert_eq!(parse(r#"{"return": {}}"#), Ok(Message::Return(json!({}))));
        assert_eq!(
            parse(r#"{"error": {"class": "GenericError", "desc": "no such file"}}"#),
            Ok(Message::Error("no such file".into()))
        );
        assert_eq!(
            parse(r#"{"timestamp": {"seconds": 1, "microseconds": 2}, "event": "STOP"}"#),
            Ok(Message::Event("STOP".into()))
        );
    }

    #[test]
    fn anything_else_is_refused() {
        for line in [
            "",
            "{",
            "[]",
            "17",
            "\"return\"",
            "{\"event\": 3}",
            "{\"QMP\": {\"version\": {\"qemu\": {\"major\": -1, \"minor\": 0}}}}",
            "{\"QMP\": 1}",
            "IRQ raise 14",
        ] {
            assert!(parse(line).is_err(), "{line}");
        }
        assert_eq!(parse("{\"error\": 1}"), Ok(Message::Error("no reason given".into())));
    }
}
