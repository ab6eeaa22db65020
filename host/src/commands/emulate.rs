//! `tavola emulate`: the firmware on an emulated board, its UART on this terminal.
//!
//! The board is put in human mode first, so that a person can type. Keys go to the board one by
//! one and the board echoes them; Ctrl-] ends the program. With a pipe for input, its text goes to
//! the board at the speed of the real line, and the program ends when the board has been silent
//! for a while after it.

use clap::Args;

const EXAMPLES: &str = "\
Examples:
  cargo emulate
  cargo emulate --headless
  cargo emulate --screenshot board.png
  echo help | cargo emulate --headless
  tavola emulate --firmware firmware.elf --icount

Ctrl-] ends it. QEMU 9.1 or newer is needed (qemu-system-arm); TAVOLA_QEMU names another one than
that in the path. Without --firmware the firmware of this project is built first.";

/// The arguments of `tavola emulate`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The firmware as an ELF file; without it, this project's is built
    #[arg(long, value_name = "ELF")]
    pub firmware: Option<std::path::PathBuf>,
    /// Do not open a window with the LED matrix
    #[arg(long)]
    pub headless: bool,
    /// Let the board start, write a picture of the LED matrix to this file, and end
    #[arg(long, value_name = "FILE.png")]
    pub screenshot: Option<String>,
    /// Run at about the speed of the chip instead of that of the PC
    #[arg(long)]
    pub icount: bool,
}

#[cfg(unix)]
mod terminal;
#[cfg(unix)]
mod unix;
#[cfg(unix)]
pub use unix::run;

/// Runs the command.
///
/// # Errors
/// Always: the emulator is driven over sockets that this system lacks.
#[cfg(not(unix))]
pub fn run(
    _: &Arguments,
    _: &mut dyn std::io::Write,
) -> Result<crate::failure::Status, crate::failure::Failure> {
    let reason = "the emulated board needs Linux or macOS; on Windows, use WSL";
    Err(crate::failure::Failure::Input(reason.into()))
}
