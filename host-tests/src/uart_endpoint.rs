//! The emulated board's UART as an [`Endpoint`], and the short way to ask it something.

use std::time::{Duration, Instant};

use host::link::Link;
use host::link::emulator::{Emulator, EmulatorError, Options, Pace};

use crate::board::{self, PATIENCE};
use crate::scenario::Endpoint;

/// A line that is answered in every mode and at any time, and the answer. Both are checked, so that
/// no scenario's own line is taken for them.
const MARK: (&str, &str) = ("PING*10", "PONG*16");

/// About the pace of the chip: 16 ns for each instruction. Idle time passes at once, and the
/// board's clock is exact.
pub const EXACT: Options = Options {
    pace: Pace::Instructions { shift: 4, skip_idle: true },
    window: false,
    stepped: false,
};

/// The same, and the board stands still while nobody waits for something: nothing that a test
/// sees depends on how busy the PC is.
pub const STEPPED: Options = Options { stepped: true, ..EXACT };

/// How long a board in steps runs at a time while a line is waited for.
const LINE_STEP: Duration = Duration::from_millis(5);
/// A board in steps that says nothing for so long of its own time will not.
const SILENCE: Duration = Duration::from_secs(120);

/// How often the guest's time is looked at.
const STEP: Duration = Duration::from_millis(1);

/// The first line of a board begins so.
pub const BANNER: &str = "MESSAGE Tavola ";

/// A board that is talked to over its UART.
#[derive(Debug)]
pub struct UartEndpoint {
    emulator: Emulator,
    stepped: bool,
    /// How long a board in steps has run since its start.
    passed: Duration,
}

impl UartEndpoint {
    /// Starts the board and gives the first line it says; `None` if this machine cannot, which is
    /// told.
    ///
    /// # Panics
    /// As [`board::start`].
    #[must_use]
    pub fn boot(options: Options) -> Option<(UartEndpoint, String)> {
        let emulator = board::start_paused(options)?;
        let mut endpoint =
            UartEndpoint { emulator, stepped: options.stepped, passed: Duration::ZERO };
        if !options.stepped {
            endpoint.emulator.resume().unwrap_or_else(|error| panic!("{error}"));
        }
        let banner = endpoint.next_line();
        Some((endpoint, banner))
    }

    /// The clock of a board in steps: how long it has run since its start.
    #[must_use]
    pub fn now_ms(&self) -> u64 {
        self.passed.as_millis() as u64
    }

    /// Lets a board in steps run.
    ///
    /// # Panics
    /// The board is gone.
    #[track_caller]
    pub fn step(&mut self, time: Duration) {
        self.emulator.run_for(time).unwrap_or_else(|error| panic!("{error}"));
        self.passed += time;
    }

    /// The next line, for which a board in steps must run.
    fn stepped_line(&mut self) -> Result<String, String> {
        let told = |error: EmulatorError| error.to_string();
        let give_up = self.passed + SILENCE;
        loop {
            let result = self.emulator.uart().read_line(Duration::ZERO);
            if let Some(line) = self.emulator.explain(result).map_err(told)? {
                return Ok(line);
            }
            if self.passed > give_up {
                return Err("the board says nothing".into());
            }
            self.step(LINE_STEP);
        }
    }

    /// The board behind the UART.
    pub fn emulator(&mut self) -> &mut Emulator {
        &mut self.emulator
    }

    /// Sends a line.
    ///
    /// # Panics
    /// The board is gone.
    #[track_caller]
    pub fn tell(&mut self, line: &str) {
        self.send(format!("{line}\n").as_bytes()).unwrap_or_else(|why| panic!("{line}: {why}"));
    }

    /// The board's next line.
    ///
    /// # Panics
    /// None comes.
    #[track_caller]
    pub fn next_line(&mut self) -> String {
        self.line().unwrap_or_else(|why| panic!("{why}"))
    }

    /// Sends a line and gives the one that comes back.
    ///
    /// # Panics
    /// None comes.
    #[track_caller]
    pub fn ask(&mut self, line: &str) -> String {
        self.tell(line);
        self.line().unwrap_or_else(|why| panic!("{line}: {why}"))
    }

    /// Sends a line that must be answered with `OK`.
    ///
    /// # Panics
    /// It is not.
    #[track_caller]
    pub fn obey(&mut self, line: &str) {
        let answer = self.ask(line);
        assert_eq!(answer, "OK", "{line}");
    }

    /// The number behind `key=` in the answer to a line, as in `STATS late_us`.
    ///
    /// # Panics
    /// The answer has no such number.
    #[track_caller]
    pub fn number(&mut self, line: &str, key: &str) -> u64 {
        let answer = self.ask(line);
        number_in(&answer, key).unwrap_or_else(|| panic!("{line}: no number {key} in `{answer}`"))
    }

    /// Waits for the banner of a board that starts again, and gives it with what is told after it.
    ///
    /// # Panics
    /// It does not come.
    #[track_caller]
    pub fn boot_lines(&mut self) -> Vec<String> {
        let mut banner = self.next_line();
        while !banner.contains(BANNER) {
            banner = self.next_line();
        }
        let rest = self.lines_until_quiet().unwrap_or_else(|why| panic!("{why}"));
        [vec![banner], rest].concat()
    }

    /// Resets the chip as its reset pin does, and gives what the board tells when it is up again.
    ///
    /// # Panics
    /// It does not come up.
    #[track_caller]
    pub fn reset(&mut self) -> Vec<String> {
        self.emulator.reset().unwrap_or_else(|error| panic!("{error}"));
        self.passed = Duration::ZERO;
        self.boot_lines()
    }

    /// All lines that the board has to say before it answers the next one. Not for human mode.
    ///
    /// # Errors
    /// It does not answer.
    pub fn lines_until_quiet(&mut self) -> Result<Vec<String>, String> {
        let (ping, pong) = MARK;
        self.send(format!("{ping}\n").as_bytes())?;
        let mut lines = Vec::new();
        loop {
            match self.line()? {
                line if line == pong => return Ok(lines),
                line => lines.push(line),
            }
        }
    }
}

/// The number behind `key=`, up to the next blank.
#[must_use]
pub fn number_in(line: &str, key: &str) -> Option<u64> {
    line.split_whitespace().find_map(|word| word.strip_prefix(key)?.strip_prefix('=')?.parse().ok())
}

impl Endpoint for UartEndpoint {
    fn send(&mut self, bytes: &[u8]) -> Result<(), String> {
        let result = self.emulator.uart().write(bytes);
        self.emulator.explain(result).map_err(|error| error.to_string())
    }

    fn line(&mut self) -> Result<String, String> {
        if self.stepped {
            return self.stepped_line();
        }
        board::next_line(&mut self.emulator).map_err(|error| error.to_string())
    }

    /// At least this much of the guest's time.
    fn wait(&mut self, milliseconds: u64) -> Result<(), String> {
        if self.stepped {
            self.step(Duration::from_millis(milliseconds));
            return Ok(());
        }
        let told = |error: EmulatorError| error.to_string();
        // Exact only in a pause.
        self.emulator.pause().map_err(told)?;
        let start = self.emulator.virtual_time().map_err(told)?;
        self.emulator.resume().map_err(told)?;
        let end = start + Duration::from_millis(milliseconds);
        let give_up = Instant::now() + PATIENCE;
        loop {
            let now = self.emulator.virtual_time().map_err(told)?;
            let left = end.saturating_sub(now);
            if left.is_zero() {
                return Ok(());
            }
            if Instant::now() > give_up {
                return Err("the board's time stands still".into());
            }
            std::thread::sleep(left.min(STEP));
        }
    }

    /// A board is never gone, so it is asked: what it says before the answer is the rest.
    fn rest(&mut self) -> String {
        match self.lines_until_quiet() {
            Ok(lines) => lines.join("\n"),
            Err(why) => why,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_by_their_key() {
        let line = "STATS games=1 late_us=250 longest_us=9";
        assert_eq!(number_in(line, "late_us"), Some(250));
        assert_eq!(number_in(line, "longest_us"), Some(9));
        assert_eq!(number_in(line, "us"), None);
        assert_eq!(number_in("late_us=x", "late_us"), None);
    }
}
