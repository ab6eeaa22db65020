//! The board in steps: it runs for an exact time of its own and stands still in between, so that
//! what a test sees does not depend on how busy the PC is.
//!
//! The emulated firmware counts the periods of its timer, and calls a function in the period that
//! it finds in a word of its memory. QEMU's debugger stops it there.

use std::path::Path;
use std::time::{Duration, Instant};

use object::{Object, ObjectSymbol};

use super::error::EmulatorError;
use super::socket::Socket;

/// The firmware's names for the period to pause in, and the place.
const PAUSE_AT: &str = "TAVOLA_PAUSE_AT";
const PAUSE: &str = "tavola_pause";
/// The time of a period.
pub const PERIOD: Duration = Duration::from_micros(250);
/// Answers of the debugger that are used are shorter.
const ANSWER_LIMIT: usize = 1 << 12;

/// What the stepper needs to know of a firmware.
#[derive(Clone, Copy, Debug)]
pub(super) struct Places {
    pause_at: u32,
    pause: u32,
}

impl Places {
    /// Looks the places up in the firmware's file.
    pub(super) fn find(firmware: &Path) -> Result<Places, EmulatorError> {
        let failed = |why: String| {
            let file = firmware.display();
            EmulatorError::Firmware(format!("`{file}` cannot be run in steps: {why}"))
        };
        let bytes = std::fs::read(firmware).map_err(|error| failed(error.to_string()))?;
        let file = object::File::parse(&*bytes).map_err(|error| failed(error.to_string()))?;
        let address = |name: &str| {
            let symbol = file.symbol_by_name(name).ok_or_else(|| failed(format!("no `{name}`")))?;
            u32::try_from(symbol.address()).map_err(|error| failed(error.to_string()))
        };
        // Addresses of code are odd.
        Ok(Places { pause_at: address(PAUSE_AT)?, pause: address(PAUSE)? & !1 })
    }
}

/// A board that is run in steps, through QEMU's debugger.
#[derive(Debug)]
pub(super) struct Stepper {
    gdb: Gdb,
    places: Places,
    /// The count of periods at the last stop.
    now: u32,
}

impl Stepper {
    /// Takes over a board that stands still.
    pub(super) fn new(
        socket: Socket,
        places: Places,
        timeout: Duration,
    ) -> Result<Stepper, EmulatorError> {
        let mut gdb = Gdb { socket, input: Vec::new() };
        let answer = gdb.ask(&format!("Z1,{:x},2", places.pause), timeout)?;
        if answer != "OK" {
            return Err(EmulatorError::protocol("breakpoint", answer));
        }
        Ok(Stepper { gdb, places, now: 0 })
    }

    /// To be called after a reset: the board counts from zero.
    pub(super) fn begin_anew(&mut self) {
        self.now = 0;
    }

    /// Lets the board run until its timer has counted so many periods, at least one.
    pub(super) fn run(&mut self, periods: u32, timeout: Duration) -> Result<(), EmulatorError> {
        self.now = self.now.wrapping_add(periods.max(1));
        self.gdb.write_word(self.places.pause_at, self.now, timeout)?;
        self.gdb.go("c", timeout)?;
        // An instruction further, or the same breakpoint would stop it again.
        self.gdb.go("s", timeout)
    }
}

/// The remote protocol of GDB, as far as it is needed: packets of text with a sum of their bytes.
#[derive(Debug)]
struct Gdb {
    socket: Socket,
    input: Vec<u8>,
}

impl Gdb {
    fn ask(&mut self, question: &str, timeout: Duration) -> Result<String, EmulatorError> {
        self.socket.write_all(packet(question).as_bytes())?;
        let deadline = Instant::now() + timeout;
        let mut buffer = [0; 256];
        loop {
            if let Some(answer) = take_packet(&mut self.input) {
                // QEMU waits for this before it sends the next one.
                self.socket.write_all(b"+")?;
                return Ok(answer);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(EmulatorError::Timeout(format!("debugger: {question}")));
            }
            let count = self.socket.read(&mut buffer, left)?;
            self.input.extend(&buffer[..count]);
            if self.input.len() > ANSWER_LIMIT {
                return Err(EmulatorError::protocol("debugger", "an endless answer"));
            }
        }
    }

    /// Lets the guest go on until it is stopped.
    fn go(&mut self, command: &str, timeout: Duration) -> Result<(), EmulatorError> {
        let stopped = self.ask(command, timeout)?;
        let is_trap = stopped.starts_with("T05");
        if is_trap { Ok(()) } else { Err(EmulatorError::protocol("debugger", stopped)) }
    }

    fn write_word(
        &mut self,
        address: u32,
        word: u32,
        timeout: Duration,
    ) -> Result<(), EmulatorError> {
        let answer = self.ask(&format!("M{address:x},4:{:08x}", word.swap_bytes()), timeout)?;
        if answer == "OK" { Ok(()) } else { Err(EmulatorError::protocol("debugger", answer)) }
    }
}

/// A packet with its sum.
fn packet(text: &str) -> String {
    let sum = text.bytes().fold(0, u8::wrapping_add);
    format!("${text}#{sum:02x}")
}

/// The first whole packet of what has come, if there is one. What is before it are receipts. The
/// sum is not looked at: a socket damages nothing.
fn take_packet(input: &mut Vec<u8>) -> Option<String> {
    let start = input.iter().position(|&byte| byte == b'$')?;
    let end = start + input[start..].iter().position(|&byte| byte == b'#')?;
    let behind = end + 3;
    if input.len() < behind {
        return None;
    }
    let text = String::from_utf8_lossy(&input[start + 1..end]).into_owned();
    input.drain(..behind);
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_carry_their_sum() {
        assert_eq!(packet("c"), "$c#63");
        assert_eq!(packet(""), "$#00");
        assert_eq!(packet("m0,4"), "$m0,4#fd");
    }

    #[test]
    fn packets_are_taken_out_of_what_came() {
        let mut input = b"+$OK#9a+$T05thread:01;#0".to_vec();
        assert_eq!(take_packet(&mut input).as_deref(), Some("OK"));
        assert_eq!(take_packet(&mut input), None);
        input.extend(b"7");
        assert_eq!(take_packet(&mut input).as_deref(), Some("T05thread:01;"));
        assert_eq!(take_packet(&mut input), None);
        assert!(input.is_empty());
    }
}
