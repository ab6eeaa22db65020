//! The emulated board for tests, with the real firmware.
//!
//! Where QEMU or the firmware is missing a test prints why and passes without a check; where the
//! variable `CI` is set it fails instead.

use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Duration;

use host::link::emulator::{Emulator, EmulatorError, Options, firmware};

/// A test that waits this long for the board has failed. Far more than it takes, since the PC may
/// be busy with other tests.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// The variable that names a firmware to test instead of building it.
pub const FIRMWARE_VARIABLE: &str = "TAVOLA_FIRMWARE";

/// The firmware with the commands that tests need, built once.
///
/// # Errors
/// It is not there or does not compile.
pub fn firmware() -> Result<PathBuf, String> {
    static FIRMWARE: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let build = || match std::env::var_os(FIRMWARE_VARIABLE) {
        Some(file) => Ok(file.into()),
        None => firmware::build(&["fault-commands"]).map_err(|error| error.to_string()),
    };
    FIRMWARE.get_or_init(build).clone()
}

/// Starts the board before its first instruction; `None` if this machine cannot, which is told.
///
/// # Panics
/// The firmware or QEMU does not work; or this machine lacks them and `CI` is set.
#[must_use]
pub fn start_paused(options: Options) -> Option<Emulator> {
    if std::env::var_os(FIRMWARE_VARIABLE).is_none() && !firmware::has_source() {
        return skip("there is no firmware in this project");
    }
    let file = firmware().unwrap_or_else(|error| panic!("{error}"));
    match Emulator::start_paused(&file, options) {
        Ok(emulator) => Some(emulator),
        Err(error) if error.is_missing() => skip(&error.to_string()),
        Err(error) => panic!("{error}"),
    }
}

/// Starts the board and waits for its first line; `None` if this machine cannot, which is told.
///
/// # Panics
/// The firmware or QEMU does not work; or this machine lacks them and `CI` is set.
#[must_use]
pub fn start(options: Options) -> Option<(Emulator, String)> {
    let mut emulator = start_paused(options)?;
    let banner = emulator.resume().and_then(|()| next_line(&mut emulator));
    let banner = banner.unwrap_or_else(|error| panic!("{error}"));
    Some((emulator, banner))
}

/// The board's next line.
///
/// # Errors
/// It does not come, or QEMU is gone.
pub fn next_line(emulator: &mut Emulator) -> Result<String, EmulatorError> {
    let result = emulator.uart().read_line(PATIENCE);
    emulator.explain(result)?.ok_or_else(|| EmulatorError::Timeout("no line from the board".into()))
}

fn skip<T>(reason: &str) -> Option<T> {
    assert!(std::env::var_os("CI").is_none(), "the emulated board is needed in CI: {reason}");
    println!("skipped: {reason}");
    None
}
