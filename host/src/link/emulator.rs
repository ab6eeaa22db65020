//! The emulated board: stock QEMU with the real firmware, driven as a person and a PC would.
//!
//! QEMU models ST's B-L475E-IOT01A with its UART, button, LED and the 8 x 8 LED matrix shield.
//! [`Emulator`] starts it and is all that a test or a command needs:
//!
//! - [`Emulator::uart`]: bytes and lines to and from the firmware
//! - [`Emulator::press_button`], [`Emulator::release_button`]: the user button
//! - [`Emulator::led`]: the user LED
//! - [`Emulator::picture`], [`Emulator::screen`]: the matrix
//! - [`Emulator::pause`], [`Emulator::resume`], [`Emulator::reset`]: the machine
//! - [`Emulator::run_for`]: the machine in steps of an exact time
//! - [`Emulator::virtual_time`], [`Emulator::instructions`]: the guest's time
//!
//! Every wait is bounded. QEMU ends with the value, also when a test panics.

mod clock;
mod error;
pub mod firmware;
mod process;
pub mod qmp;
pub mod qtest;
pub mod screen;
mod socket;
mod stepper;
mod uart;

pub use error::EmulatorError;
pub use process::PROGRAM_VARIABLE;
pub use uart::Uart;

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::json;

use clock::{ClockPlan, VirtualClock};
use process::{Folder, Process, option_with_path};
use qmp::Qmp;
use qtest::Qtest;
use screen::{Picture, Screen};
use socket::{Listener, Socket};
use stepper::{PERIOD, Places, Stepper};

/// How long QEMU may take for an answer or to start. A loaded machine is slow; only a QEMU that
/// hangs takes this long.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long QEMU may take to end after it has closed its sockets.
const LAST_WORDS: Duration = Duration::from_secs(2);
/// How often a QEMU that starts is looked at.
const START_STEP: Duration = Duration::from_millis(2);

const MACHINE: &str = "b-l475e-iot01a";
/// The port and pin of the user button, which connects the pin to ground.
const BUTTON: &str = "/machine/soc/gpioc unnamed-gpio-in 13";
/// The output register of the user LED's port, and its pin.
const LED_OUTPUT_REGISTER: u32 = 0x4800_0414;
const LED_PIN: u32 = 14;

/// How fast the guest's time goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pace {
    /// As on the wall; the guest computes as fast as the PC can.
    #[default]
    Wall,
    /// Every instruction takes 2^`shift` ns, on every PC: 0 to count instructions, 4 for about
    /// the pace of the chip.
    Instructions {
        /// The power of two.
        shift: u8,
        /// Whether time in which the guest sleeps passes at once instead of as on the wall.
        skip_idle: bool,
    },
}

/// How to start the emulator.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// How fast the guest's time goes.
    pub pace: Pace,
    /// Whether to open a window with the matrix.
    pub window: bool,
    /// Whether it is run in steps by [`Emulator::run_for`] only. Best with
    /// [`Pace::Instructions`] that skips idle time: then nothing depends on the PC.
    pub stepped: bool,
}

/// A running emulated board.
#[derive(Debug)]
pub struct Emulator {
    // Fields end in this order: QEMU first, so that all who listen to it hear its end.
    process: Process,
    uart: Uart,
    qmp: Qmp,
    qtest: Qtest,
    clock: VirtualClock,
    stepper: Option<Stepper>,
    button_pressed: bool,
}

impl Emulator {
    /// Starts QEMU with the firmware in this ELF file and lets it run.
    ///
    /// # Errors
    /// The file, QEMU or the system cannot be used.
    pub fn start(firmware: &Path, options: Options) -> Result<Emulator, EmulatorError> {
        let mut emulator = Emulator::start_paused(firmware, options)?;
        emulator.resume()?;
        Ok(emulator)
    }

    /// Starts QEMU as [`Emulator::start`] does, but before the first instruction the guest waits
    /// for [`Emulator::resume`].
    ///
    /// # Errors
    /// The file, QEMU or the system cannot be used.
    pub fn start_paused(firmware: &Path, options: Options) -> Result<Emulator, EmulatorError> {
        // QEMU would complain about its own option.
        if let Err(error) = std::fs::File::open(firmware) {
            let file = firmware.display();
            return Err(EmulatorError::Firmware(format!("cannot read `{file}`: {error}")));
        }
        let folder = Folder::new()?;
        let clock = ClockPlan::new(folder.path())?;
        let [uart, qmp, qtest] = ["uart", "qmp", "qtest"].map(|n| Listener::new(folder.path(), n));
        let (uart, qmp, qtest) = (uart?, qmp?, qtest?);
        let mut arguments = arguments(firmware, options);
        arguments.extend([
            "-chardev".into(),
            option_with_path("socket,id=uart,path=", uart.path()),
            "-serial".into(),
            "chardev:uart".into(),
            "-qmp".into(),
            option_with_path("unix:", qmp.path()),
            "-qtest".into(),
            option_with_path("unix:", qtest.path()),
            "-qtest-log".into(),
            "none".into(),
        ]);
        arguments.extend(clock.arguments());
        let debugger = match options.stepped {
            true => Some((Listener::new(folder.path(), "debugger")?, Places::find(firmware)?)),
            false => None,
        };
        if let Some((listener, _)) = &debugger {
            arguments.extend([
                "-chardev".into(),
                option_with_path("socket,id=debugger,path=", listener.path()),
                "-gdb".into(),
                "chardev:debugger".into(),
            ]);
        }
        let mut process = Process::start(folder, &arguments)?;
        let deadline = Instant::now() + PATIENCE;
        let [probe, echo] = clock.listeners();
        let mut come = |listener| wait_for(listener, &mut process, deadline);
        let uart = Uart::new(come(&uart)?);
        let (qmp, qtest, probe, echo) = (come(&qmp)?, come(&qtest)?, come(probe)?, come(echo)?);
        let stepper = match debugger {
            Some((listener, places)) => Some(Stepper::new(come(&listener)?, places, PATIENCE)?),
            None => None,
        };
        let qmp = Qmp::new(qmp, PATIENCE)?;
        let qtest = Qtest::new(qtest);
        let clock = VirtualClock::new(&clock, [probe, echo], PATIENCE)?;
        let mut emulator =
            Emulator { process, uart, qmp, qtest, clock, stepper, button_pressed: false };
        emulator.set_button(false)?;
        Ok(emulator)
    }

    /// QEMU's version, major and minor.
    #[must_use]
    pub fn qemu_version(&self) -> (u64, u64) {
        self.qmp.version()
    }

    /// Whether QEMU has ended by itself and without an error, as when its window is closed. To be
    /// asked when the UART is closed.
    pub fn has_ended_well(&mut self) -> bool {
        self.process.end(LAST_WORDS).is_some_and(|status| status.success())
    }

    /// The UART.
    pub fn uart(&mut self) -> &mut Uart {
        &mut self.uart
    }

    /// Holds the button down.
    ///
    /// # Errors
    /// QEMU does not answer.
    pub fn press_button(&mut self) -> Result<(), EmulatorError> {
        self.set_button(true)
    }

    /// Lets the button go.
    ///
    /// # Errors
    /// QEMU does not answer.
    pub fn release_button(&mut self) -> Result<(), EmulatorError> {
        self.set_button(false)
    }

    fn set_button(&mut self, pressed: bool) -> Result<(), EmulatorError> {
        self.button_pressed = pressed;
        self.test(&format!("set_irq_in {BUTTON} {}", u8::from(!pressed)))?;
        Ok(())
    }

    /// Whether the LED is on.
    ///
    /// # Errors
    /// QEMU does not answer.
    pub fn led(&mut self) -> Result<bool, EmulatorError> {
        Ok(self.read_word(LED_OUTPUT_REGISTER)? >> LED_PIN & 1 == 1)
    }

    /// The matrix as QEMU draws it.
    ///
    /// # Errors
    /// QEMU does not answer, or writes a file that is no picture.
    pub fn picture(&mut self) -> Result<Picture, EmulatorError> {
        let file = self.process.folder().join("screen.ppm");
        self.command("screendump", json!({ "filename": file }))?;
        let bytes = std::fs::read(&file)
            .map_err(|error| EmulatorError::System("the picture of the matrix".into(), error))?;
        Picture::from_ppm(&bytes).map_err(|error| EmulatorError::protocol("screendump", error))
    }

    /// The colours of the matrix.
    ///
    /// # Errors
    /// As [`Emulator::picture`].
    pub fn screen(&mut self) -> Result<Screen, EmulatorError> {
        Ok(self.picture()?.leds())
    }

    /// Stops the guest and its time.
    ///
    /// # Errors
    /// QEMU does not answer.
    pub fn pause(&mut self) -> Result<(), EmulatorError> {
        self.command("stop", json!({}))
    }

    /// Lets the guest run (on).
    ///
    /// # Errors
    /// QEMU does not answer.
    pub fn resume(&mut self) -> Result<(), EmulatorError> {
        self.command("cont", json!({}))
    }

    /// Lets a board that is run in steps run for this much of its own time, rounded down to periods
    /// of its timer and at least one, and stops it again. Its time begins anew with a reset; one
    /// that it brings about itself within a step makes the step longer.
    ///
    /// # Errors
    /// The board is not run in steps ([`Options::stepped`]), or QEMU does not answer.
    pub fn run_for(&mut self, time: Duration) -> Result<(), EmulatorError> {
        let periods = u32::try_from(time.as_micros() / PERIOD.as_micros()).unwrap_or(u32::MAX);
        let Some(stepper) = &mut self.stepper else {
            return Err(EmulatorError::protocol("debugger", "the board is not run in steps"));
        };
        let result = stepper.run(periods, PATIENCE + time);
        self.explain(result)
    }

    /// Resets the chip as its reset pin does: its memory is kept, and so is a button held down.
    ///
    /// # Errors
    /// QEMU does not answer.
    pub fn reset(&mut self) -> Result<(), EmulatorError> {
        self.qmp.forget_events();
        self.command("system_reset", json!({}))?;
        let result = self.qmp.wait_for("RESET", PATIENCE);
        self.explain(result)?;
        if let Some(stepper) = &mut self.stepper {
            stepper.begin_anew();
        }
        self.set_button(self.button_pressed)
    }

    /// The guest's time since the start, in steps of 1 us. A reset does not change it. It is exact
    /// while the guest is paused; while it runs it may lag behind.
    ///
    /// # Errors
    /// QEMU does not answer.
    pub fn virtual_time(&mut self) -> Result<Duration, EmulatorError> {
        let result = self.clock.now(PATIENCE);
        self.explain(result)
    }

    /// The instructions that the guest has executed, without the time it slept. 0 at the pace
    /// of the wall, where QEMU does not count.
    ///
    /// # Errors
    /// QEMU does not answer.
    pub fn instructions(&mut self) -> Result<u64, EmulatorError> {
        let result = self.qmp.ask("query-replay", json!({}), PATIENCE);
        let answer = self.explain(result)?;
        answer["icount"].as_u64().ok_or_else(|| EmulatorError::protocol("query-replay", answer))
    }

    /// A word of the guest's memory or of a register, read without the guest's knowledge.
    ///
    /// # Errors
    /// QEMU does not answer.
    pub fn read_word(&mut self, address: u32) -> Result<u32, EmulatorError> {
        let result = self.qtest.read_word(address, PATIENCE);
        self.explain(result)
    }

    fn command(&mut self, name: &str, arguments: serde_json::Value) -> Result<(), EmulatorError> {
        let result = self.qmp.ask(name, arguments, PATIENCE);
        self.explain(result).map(|_| ())
    }

    fn test(&mut self, command: &str) -> Result<String, EmulatorError> {
        let result = self.qtest.ask(command, PATIENCE);
        self.explain(result)
    }

    /// Gives an error its reason: if QEMU has ended, that and what it said is the error to tell;
    /// if it does not answer, what it complained about is added.
    ///
    /// # Errors
    /// The given one, explained.
    pub fn explain<T, E: Into<EmulatorError>>(
        &mut self,
        result: Result<T, E>,
    ) -> Result<T, EmulatorError> {
        let error = match result {
            Ok(value) => return Ok(value),
            Err(error) => error.into(),
        };
        let ended = matches!(error, EmulatorError::Ended(_));
        self.process.check(if ended { LAST_WORDS } else { Duration::ZERO })?;
        Err(match (error, self.process.complaints()) {
            (EmulatorError::Timeout(what), complaints) if !complaints.is_empty() => {
                EmulatorError::Timeout(format!("{what} ({complaints})"))
            }
            (error, _) => error,
        })
    }
}

/// Whether this QEMU can open windows, and there is a screen for them.
#[must_use]
pub fn can_open_window() -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    if !cfg!(target_os = "macos") && !set("DISPLAY") && !set("WAYLAND_DISPLAY") {
        return false;
    }
    let output = Command::new(process::program()).args(["-display", "help"]).output();
    output.is_ok_and(|output| {
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        text.lines().any(|line| ["gtk", "sdl", "cocoa"].contains(&line.trim()))
    })
}

/// What QEMU is to be told, but for the connections.
fn arguments(firmware: &Path, options: Options) -> Vec<OsString> {
    let display = if options.window { "default" } else { "none" };
    let mut arguments: Vec<OsString> =
        ["-M", MACHINE, "-nodefaults", "-monitor", "none", "-display", display, "-S"]
            .map(OsString::from)
            .to_vec();
    arguments.extend(["-kernel".into(), firmware.into()]);
    if let Pace::Instructions { shift, skip_idle } = options.pace {
        let sleep = if skip_idle { "off" } else { "on" };
        arguments.extend(["-icount".into(), format!("shift={shift},sleep={sleep}").into()]);
    }
    arguments
}

/// Waits for QEMU to come.
fn wait_for(
    listener: &Listener,
    process: &mut Process,
    deadline: Instant,
) -> Result<Socket, EmulatorError> {
    loop {
        if let Some(socket) = listener.accept()? {
            return Ok(socket);
        }
        process.check(Duration::ZERO)?;
        if Instant::now() > deadline {
            let complaints = process.complaints();
            return Err(EmulatorError::Timeout(format!("the start ({complaints})")));
        }
        std::thread::sleep(START_STEP);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(options: Options) -> String {
        let arguments = arguments(Path::new("firmware.elf"), options);
        arguments.join(&OsString::from(" ")).into_string().expect("text")
    }

    #[test]
    fn options_become_arguments() {
        let plain = text(Options::default());
        assert!(plain.contains("-M b-l475e-iot01a") && plain.contains("-display none"), "{plain}");
        assert!(plain.contains("-kernel firmware.elf") && !plain.contains("-icount"), "{plain}");
        let pace = Pace::Instructions { shift: 4, skip_idle: true };
        let counted = text(Options { pace, window: true, ..Options::default() });
        assert!(counted.contains("-icount shift=4,sleep=off"), "{counted}");
        assert!(counted.contains("-display default"), "{counted}");
    }

    #[test]
    fn a_firmware_that_is_not_there_is_an_error_in_one_line() {
        let error = Emulator::start(Path::new("no/such/file"), Options::default()).unwrap_err();
        let text = error.to_string();
        assert!(text.starts_with("cannot read `no/such/file`: "), "{text}");
        assert!(!text.contains('\n') && !error.is_missing());
    }
}
