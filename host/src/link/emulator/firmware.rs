//! The firmware for the emulated board, built by cargo when it is asked for.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use super::error::EmulatorError;

/// The chip's instruction set.
const TARGET: &str = "thumbv7em-none-eabihf";
/// The feature that makes firmware for the emulated board.
const FEATURE: &str = "emulator";

/// Whether this program can find the firmware's source.
#[must_use]
pub fn has_source() -> bool {
    is_root(&root())
}

/// Builds the firmware for the emulated board, with more features if wanted, and returns its
/// file. What the compiler says goes to stderr.
///
/// # Errors
/// There is no source, no cargo, or the firmware does not compile.
pub fn build(features: &[&str]) -> Result<PathBuf, EmulatorError> {
    let root = root();
    if !is_root(&root) {
        return Err(failed("there is no source in this place: give a file by --firmware"));
    }
    let features = [&[FEATURE], features].concat().join(",");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["build", "--quiet", "--package", "firmware", "--profile", "firmware"])
        .args(["--target", TARGET, "--no-default-features", "--features", &features])
        .arg("--message-format=json-render-diagnostics")
        .current_dir(&root)
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| failed(&format!("cannot run cargo: {error}")))?;
    if !output.status.success() {
        return Err(failed(&format!(
            "cargo build --package firmware --profile firmware --features {features}: {}",
            output.status
        )));
    }
    executable(&String::from_utf8_lossy(&output.stdout))
        .ok_or_else(|| failed("cargo does not say where it is"))
}

fn failed(why: &str) -> EmulatorError {
    EmulatorError::Firmware(format!("cannot build the firmware: {why}"))
}

/// The project's root: the folder above the crate that cargo runs, or above this one when it was
/// built. Copies of the project may share one target folder, so the first goes first.
fn root() -> PathBuf {
    let running = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let built = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let above = |folder: PathBuf| folder.parent().map(Path::to_path_buf);
    running
        .and_then(above)
        .filter(|folder| is_root(folder))
        .or_else(|| above(built))
        .unwrap_or_default()
}

fn is_root(folder: &Path) -> bool {
    folder.join("firmware").join("Cargo.toml").is_file()
}

/// The firmware's file, from cargo's messages.
fn executable(messages: &str) -> Option<PathBuf> {
    messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|message| message.pointer("/target/kind/0") == Some(&Value::from("bin")))
        .find_map(|message| message.get("executable")?.as_str().map(PathBuf::from))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_taken_from_cargos_messages() {
        let messages = "not JSON\n\
            {\"target\":{\"kind\":[\"lib\"],\"name\":\"engine\"},\"executable\":null}\n\
            {\"target\":{\"kind\":[\"custom-build\"]},\"executable\":\"/x/build\"}\n\
            {\"target\":{\"kind\":[\"bin\"]},\"executable\":\"/x/firmware\"}\n\
            {\"reason\":\"build-finished\",\"success\":true}\n";
        assert_eq!(executable(messages), Some(PathBuf::from("/x/firmware")));
        assert_eq!(executable("{\"reason\":\"build-finished\"}"), None);
    }
}
