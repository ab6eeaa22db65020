//! The firmware's boards, and what cargo is asked to do for each.
//!
//! The firmware is built for other targets than everything else and with one board at a time, so
//! it is left out of the calls for the whole workspace and gets calls of its own.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A board's firmware.
#[derive(Debug, PartialEq, Eq)]
pub struct Board {
    /// The cargo features.
    pub features: &'static str,
    /// The target.
    pub target: &'static str,
    /// The cargo profile.
    pub profile: &'static str,
    /// The chip's name for probe-rs; empty for the emulated board.
    pub chip: &'static str,
    /// The engine's `MAX_DEPTH` on it.
    pub search_depth: u32,
}

impl Board {
    /// What it is called.
    pub fn name(&self) -> &'static str {
        if self.chip.is_empty() { "emulator" } else { self.features }
    }

    /// Its file in `firmware/src/board`, without the extension.
    pub fn file(&self) -> String {
        let name = if self.chip.is_empty() { BOARDS[0].features } else { self.features };
        name.replace('-', "_")
    }
}

const CORTEX_M4F: &str = "thumbv7em-none-eabihf";

const fn board(features: &'static str, chip: &'static str) -> Board {
    Board { features, target: CORTEX_M4F, profile: "firmware", chip, search_depth: 64 }
}

/// The boards, the default one first. The last is the emulated one, with the commands that tests
/// need.
pub const BOARDS: [Board; 6] = [
    board("b-l475e-iot01a", "STM32L475VG"),
    board("nucleo-f446re", "STM32F446RETx"),
    board("stm32f4-discovery", "STM32F407VGTx"),
    board("nucleo-h743zi2", "STM32H743ZITx"),
    Board {
        features: "nucleo-g071rb",
        target: "thumbv6m-none-eabi",
        profile: "firmware-small",
        chip: "STM32G071RBTx",
        search_depth: 32,
    },
    board("emulator,fault-commands", ""),
];

/// Whether the project has its firmware.
pub fn is_there(root: &Path) -> bool {
    root.join("firmware").join("Cargo.toml").is_file()
}

/// The arguments that choose everything but the firmware.
pub fn all_others(root: &Path) -> &'static str {
    if is_there(root) { "--workspace --exclude firmware" } else { "--workspace" }
}

/// The arguments that choose the firmware of a board.
pub fn only(board: &Board) -> String {
    let Board { features, target, profile, .. } = board;
    format!(
        "--package firmware --profile {profile} --no-default-features --features {features} --target {target}"
    )
}

/// Builds the firmware of a board and returns its file. Boards of the same target share the file's
/// name, so it is to be used before another board is built. What the compiler says goes to stderr.
///
/// # Errors
/// It does not compile, or cargo cannot be run.
pub fn build(root: &Path, board: &Board) -> Result<PathBuf, String> {
    let name = board.features;
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .arg("build")
        .args(only(board).split(' '))
        .arg("--message-format=json-render-diagnostics")
        .current_dir(root)
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("cannot run cargo: {error}"))?;
    if !output.status.success() {
        return Err(format!("cannot build the firmware for {name}: cargo {}", output.status));
    }
    executable(&String::from_utf8_lossy(&output.stdout))
        .ok_or_else(|| format!("cargo does not say where the firmware for {name} is"))
}

/// The last file that cargo's messages name as a program.
fn executable(messages: &str) -> Option<PathBuf> {
    let (_, rest) = messages.rsplit_once("\"executable\":\"")?;
    let mut path = String::new();
    let mut characters = rest.chars();
    loop {
        match characters.next()? {
            '"' => return Some(PathBuf::from(path)),
            // In a path only the separator of Windows is escaped.
            '\\' => path.push(characters.next()?),
            other => path.push(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_taken_from_cargos_messages() {
        let messages = "{\"executable\":null}\n{\"executable\":\"/x/build\"}\n\
                        {\"executable\":\"C:\\\\x\\\\firmware\",\"fresh\":true}\n";
        assert_eq!(executable(messages), Some(PathBuf::from("C:\\x\\firmware")));
        assert_eq!(executable("{\"executable\":null}"), None);
        assert_eq!(executable(""), None);
    }
}
