//! The command where there are sockets and terminals as it needs them.

use std::fs::File;
use std::io::{self, IsTerminal, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::Arguments;
use super::terminal::RawTerminal;
use crate::failure::{Failure, Status};
use crate::link::emulator::{
    Emulator, EmulatorError, Options, Pace, Uart, can_open_window, firmware,
};
use crate::link::{Link, LinkError};
use crate::output_file::{self, Overwrite};

/// The key that ends the program: Ctrl-].
const END_KEY: u8 = 0x1d;
/// How long the board may take to say its first word.
const BOOT_TIMEOUT: Duration = Duration::from_secs(60);
/// After this much silence the board has said what it says when it starts.
const BOOT_SILENCE: Duration = Duration::from_millis(200);
/// After the end of a pipe, the program ends when the board has been silent for so long.
const LAST_SILENCE: Duration = Duration::from_secs(5);
/// How often the board's line is looked at.
const STEP: Duration = Duration::from_millis(50);
/// Text of a pipe goes to the board in pieces with the pause that the real line would take:
/// 64 characters of 10 bits at 115,200 bits per second.
const PIECE: usize = 64;
const PIECE_PAUSE: Duration = Duration::from_micros(5_556);

impl From<EmulatorError> for Failure {
    fn from(error: EmulatorError) -> Failure {
        Failure::Input(error.to_string())
    }
}

impl From<LinkError> for Failure {
    fn from(error: LinkError) -> Failure {
        Failure::Input(error.to_string())
    }
}

/// Runs the command.
///
/// # Errors
/// The firmware or QEMU cannot be had, a file cannot be written, or the board is mute.
pub fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Status, Failure> {
    let screenshot = match &arguments.screenshot {
        Some(file) => Some((file, output_file::create(file, Overwrite::No)?)),
        None => None,
    };
    let result = start(arguments).and_then(|mut emulator| match &screenshot {
        Some((name, file)) => take_screenshot(&mut emulator, name, file, out),
        None => converse(emulator, out),
    });
    if let (Err(_), Some((name, _))) = (&result, &screenshot) {
        // Nothing was written to it.
        let _ = std::fs::remove_file(name);
    }
    result
}

fn start(arguments: &Arguments) -> Result<Emulator, Failure> {
    let firmware = match &arguments.firmware {
        Some(file) => file.clone(),
        None => firmware::build(&[])?,
    };
    let wanted = !arguments.headless && arguments.screenshot.is_none();
    let window = wanted && can_open_window();
    if wanted && !window {
        notice("no window for the LED matrix: no display, or QEMU without one (qemu-system-gui)");
    }
    // Somebody is waiting: what the board sleeps through passes as on the wall.
    let chip = Pace::Instructions { shift: 4, skip_idle: false };
    let pace = if arguments.icount { chip } else { Pace::Wall };
    Ok(Emulator::start(&firmware, Options { pace, window, ..Options::default() })?)
}

/// Waits until the board has said what it says when it starts, and passes it on. What is sent
/// earlier would be lost: the board does not listen yet.
fn await_boot(emulator: &mut Emulator, out: &mut dyn Write) -> Result<(), Failure> {
    let deadline = Instant::now() + BOOT_TIMEOUT;
    let mut buffer = [0; 256];
    let mut heard = false;
    while Instant::now() < deadline {
        let wait = if heard { BOOT_SILENCE } else { STEP };
        let result = emulator.uart().read(&mut buffer, wait);
        let count = emulator.explain(result)?;
        if count == 0 && heard {
            break;
        }
        heard |= count > 0;
        out.write_all(&buffer[..count]).and_then(|()| out.flush())?;
    }
    if heard { Ok(()) } else { Err(Failure::Input("the board says nothing".into())) }
}

fn take_screenshot(
    emulator: &mut Emulator,
    name: &str,
    file: &File,
    out: &mut dyn Write,
) -> Result<Status, Failure> {
    await_boot(emulator, &mut io::sink())?;
    let picture = emulator.picture()?;
    picture
        .write_png(io::BufWriter::new(file))
        .map_err(|error| output_file::unwritable(name, &error))?;
    writeln!(out, "{name}: {} x {} pixels", picture.width(), picture.height())?;
    Ok(Status::Done)
}

/// Passes bytes between the terminal and the board until one of them has enough.
fn converse(mut emulator: Emulator, out: &mut dyn Write) -> Result<Status, Failure> {
    static INPUT_HAS_ENDED: AtomicBool = AtomicBool::new(false);
    let mut writer = emulator.uart().writer()?;
    let terminal = io::stdin().is_terminal();
    if terminal {
        notice("Ctrl-] ends the emulation");
    }
    await_boot(&mut emulator, out)?;
    writer.write_line("HUMAN")?;
    let raw = RawTerminal::new().map_err(|error| Failure::Input(format!("terminal: {error}")))?;
    // The thread may hang at the standard input for ever, so nobody waits for it.
    std::thread::spawn(move || {
        // An error of the board's line is heard at its other end.
        let _ = pass_input(&mut io::stdin().lock(), &mut writer, terminal);
        INPUT_HAS_ENDED.store(true, Ordering::Relaxed);
    });
    let mut buffer = [0; 4096];
    let mut last_sign = Instant::now();
    let result = loop {
        let ended = INPUT_HAS_ENDED.load(Ordering::Relaxed);
        match emulator.uart().read(&mut buffer, STEP) {
            Ok(0) if ended && (terminal || last_sign.elapsed() >= LAST_SILENCE) => {
                break Ok(Status::Done);
            }
            Ok(0) => {}
            Ok(count) => {
                last_sign = Instant::now();
                if let Err(error) = out.write_all(&buffer[..count]).and_then(|()| out.flush()) {
                    break Err(error.into());
                }
            }
            // Somebody has closed the window, or QEMU failed and says why.
            Err(LinkError::Closed(_)) if emulator.has_ended_well() => break Ok(Status::Done),
            Err(error) => break emulator.explain(Err(error)).map_err(Failure::from),
        }
        if !ended {
            last_sign = Instant::now();
        }
    };
    drop(raw);
    if terminal {
        writeln!(out)?;
    }
    result
}

/// Sends what is typed until the end key, or a whole pipe at the speed of the real line.
fn pass_input(input: &mut dyn Read, uart: &mut Uart, terminal: bool) -> Result<(), LinkError> {
    let mut buffer = [0; PIECE];
    loop {
        let count = match input.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => return Ok(()),
        };
        let bytes = &buffer[..count];
        let end = bytes.iter().position(|&byte| terminal && byte == END_KEY);
        uart.write(&bytes[..end.unwrap_or(count)])?;
        if end.is_some() {
            return Ok(());
        }
        if !terminal {
            std::thread::sleep(PIECE_PAUSE);
        }
    }
}

/// Tells what is no result, where it disturbs none.
fn notice(text: &str) {
    let _ = writeln!(io::stderr(), "note: {text}");
}
