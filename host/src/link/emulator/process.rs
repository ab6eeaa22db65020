//! QEMU as a process: its folder, what it complains about, and its end.
//!
//! QEMU ends with this value, and also if this program is killed: a small shell waits at a pipe
//! that only this program holds, and when that closes it ends QEMU and removes the folder.

use std::ffi::OsString;
use std::fs::{self, DirBuilder, File};
use std::io::ErrorKind;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use super::error::EmulatorError;

/// The variable that names another QEMU than the one in the path.
pub const PROGRAM_VARIABLE: &str = "TAVOLA_QEMU";
const PROGRAM: &str = "qemu-system-arm";
/// Of what QEMU complains about, this much is told: what follows are registers.
const COMPLAINT_LIMIT: usize = 300;
/// How often a QEMU that ends is looked at.
const END_STEP: Duration = Duration::from_millis(2);
/// What is no reason to worry.
const HARMLESS: &str = "warning: hub 0 with no nics";

/// The QEMU to run.
pub(super) fn program() -> OsString {
    std::env::var_os(PROGRAM_VARIABLE).unwrap_or_else(|| PROGRAM.into())
}

/// An option of QEMU that ends with a path. Commas in it count only when doubled.
pub(super) fn option_with_path(option: &str, path: &Path) -> OsString {
    let mut bytes = option.as_bytes().to_vec();
    for &byte in path.as_os_str().as_bytes() {
        bytes.push(byte);
        if byte == b',' {
            bytes.push(byte);
        }
    }
    OsString::from_vec(bytes)
}

/// A new folder that only this user can open, removed with this value.
#[derive(Debug)]
pub(super) struct Folder(PathBuf);

impl Folder {
    pub(super) fn new() -> Result<Folder, EmulatorError> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        loop {
            let count = COUNT.fetch_add(1, Ordering::Relaxed);
            let name = format!("tavola-{}-{count}", std::process::id());
            let path = std::env::temp_dir().join(name);
            match DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => return Ok(Folder(path)),
                // Left by a program of the same number that was killed.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => {
                    return Err(EmulatorError::System(format!("folder {}", path.display()), error));
                }
            }
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A folder that stays in the folder for such is no harm.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A running QEMU. Dropping it ends QEMU and removes its folder.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    guard: Option<Child>,
    folder: Folder,
}

impl Process {
    /// Starts QEMU; what it complains about goes to a file in the folder.
    pub(super) fn start(folder: Folder, arguments: &[OsString]) -> Result<Process, EmulatorError> {
        let program = program();
        let complaints = File::create(complaints(&folder))
            .map_err(|error| EmulatorError::System("QEMU's messages".into(), error))?;
        let child = Command::new(&program)
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(complaints)
            .spawn()
            .map_err(|error| match error.kind() {
                ErrorKind::NotFound => {
                    EmulatorError::Missing(program.to_string_lossy().into_owned())
                }
                _ => EmulatorError::System("cannot start QEMU".into(), error),
            })?;
        let mut process = Process { child, guard: None, folder };
        process.guard = process.spawn_guard();
        Ok(process)
    }

    /// The shell that outlives a killed program. Without a shell there is none, which only matters
    /// in that case.
    fn spawn_guard(&self) -> Option<Child> {
        Command::new("sh")
            .args(["-c", "read -r _; kill -9 \"$1\" 2>/dev/null; rm -rf \"$2\"", "sh"])
            .arg(self.child.id().to_string())
            .arg(self.folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .ok()
    }

    /// The folder for sockets and files.
    pub(super) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// How QEMU ended, if it ends within `timeout`.
    pub(super) fn end(&mut self, timeout: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + timeout;
        loop {
            match self.child.try_wait() {
                Ok(None) if Instant::now() < deadline => std::thread::sleep(END_STEP),
                result => return result.ok().flatten(),
            }
        }
    }

    /// An error if QEMU has ended, or does so within `timeout`: what it said, in one line.
    pub(super) fn check(&mut self, timeout: Duration) -> Result<(), EmulatorError> {
        let Some(status) = self.end(timeout) else { return Ok(()) };
        let complaints = self.complaints();
        if complaints.contains("unsupported machine type") {
            return Err(EmulatorError::TooOld("this QEMU".into()));
        }
        Err(EmulatorError::Ended(match &complaints[..] {
            "" => status.to_string(),
            _ => format!("{complaints} ({status})"),
        }))
    }

    /// What QEMU has complained about, in one line; empty if it has not.
    pub(super) fn complaints(&self) -> String {
        let bytes = fs::read(complaints(&self.folder)).unwrap_or_default();
        one_line(&String::from_utf8_lossy(&bytes))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // The guard first: it must not end another process that got QEMU's number.
        for child in self.guard.as_mut().into_iter().chain([&mut self.child]) {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn complaints(folder: &Folder) -> PathBuf {
    folder.path().join("stderr")
}

/// The beginning of a text, folded into one line.
fn one_line(text: &str) -> String {
    let lines: Vec<&str> = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.ends_with(HARMLESS))
        .collect();
    lines.join("; ").chars().take(COMPLAINT_LIMIT).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_new_and_go_with_their_owner() {
        let (one, two) = (Folder::new().unwrap(), Folder::new().unwrap());
        assert_ne!(one.path(), two.path());
        assert!(one.path().is_dir());
        let path = one.path().to_path_buf();
        drop(one);
        assert!(!path.exists() && two.path().is_dir());
    }

    #[test]
    fn commas_in_a_path_are_doubled() {
        assert_eq!(option_with_path("unix:", Path::new("/a,b/c")), "unix:/a,,b/c");
    }

    #[test]
    fn complaints_become_one_line_without_the_harmless_one() {
        let text = "qemu-system-arm: warning: hub 0 with no nics\n\nqemu: no\n  such file\n";
        assert_eq!(one_line(text), "qemu: no; such file");
        assert_eq!(one_line(&"x".repeat(5000)).len(), COMPLAINT_LIMIT);
    }
}
