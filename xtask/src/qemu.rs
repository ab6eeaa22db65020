//! The emulator step: finds QEMU, or installs it where that is known how.
//!
//! The emulated board needs QEMU 9.1 or newer. Debian 13 and Ubuntu 25.04 have it; Debian 12 has
//! it among its backports. Elsewhere the step says in one line what to do. A machine that cannot
//! have QEMU skips the tests on the emulated board, which the summary tells; where the variable
//! `CI` is set that is a failure.

use std::fs;
use std::io::IsTerminal;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::steps::{Outcome, run_command, say};

const PROGRAM: &str = "qemu-system-arm";
/// The variable that names another QEMU than the one in the path; the tests know it as well.
const PROGRAM_VARIABLE: &str = "TAVOLA_QEMU";
/// The first version with the board.
const NEEDED: (u32, u32) = (9, 1);
/// Where Debian 12 is told of its backports.
const BACKPORTS_FILE: &str = "/etc/apt/sources.list.d/tavola-backports.list";

/// Makes sure that there is a QEMU for the tests.
///
/// # Errors
/// There is none, and `CI` is set.
pub fn ensure(_: &Path) -> Result<Outcome, String> {
    let reason = match find() {
        Ok(found) => {
            say(format_args!("{found}"));
            return Ok(Outcome::Passed);
        }
        Err(reason) => reason,
    };
    say(format_args!("{reason}"));
    // A QEMU that somebody has chosen is not replaced.
    let chosen = std::env::var_os(PROGRAM_VARIABLE).is_some();
    let second_try = if chosen { Err(reason) } else { install().and_then(|()| find()) };
    let reason = match second_try {
        Ok(found) => {
            say(format_args!("{found}"));
            return Ok(Outcome::Passed);
        }
        Err(reason) => reason,
    };
    if std::env::var_os("CI").is_some() {
        return Err(reason);
    }
    Ok(Outcome::Skipped(format!("tests on the emulated board: {reason}")))
}

/// The QEMU that the tests will use, or why they cannot.
fn find() -> Result<String, String> {
    let program = std::env::var_os(PROGRAM_VARIABLE).unwrap_or_else(|| PROGRAM.into());
    let shown = program.to_string_lossy();
    let output = Command::new(&program)
        .arg("--version")
        .output()
        .map_err(|error| format!("`{shown}` cannot be run: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let (major, minor) =
        version_in(&text).ok_or_else(|| format!("`{shown} --version` tells no version"))?;
    if (major, minor) < NEEDED {
        let (needed_major, needed_minor) = NEEDED;
        return Err(format!(
            "`{shown}` is version {major}.{minor}: {needed_major}.{needed_minor} is needed"
        ));
    }
    Ok(format!("`{shown}`, version {major}.{minor}"))
}

/// Major and minor of `QEMU emulator version 10.0.2 (Debian ...)`.
fn version_in(text: &str) -> Option<(u32, u32)> {
    let mut words = text.split_whitespace().skip_while(|word| *word != "version");
    let mut parts = words.nth(1)?.split('.');
    let major = parts.next()?.parse().ok()?;
    Some((major, parts.next()?.parse().ok()?))
}

/// Installs QEMU by apt, or says how to get it.
fn install() -> Result<(), String> {
    let release = fs::read_to_string("/etc/os-release").unwrap_or_default();
    let family = format!("{} {}", field(&release, "ID"), field(&release, "ID_LIKE"));
    if !family.split_whitespace().any(|name| name == "debian" || name == "ubuntu") {
        return Err(advice(std::env::consts::OS, &family).into());
    }
    let root = Root::find()?;
    let mut arguments = vec!["install", "--yes", "--no-install-recommends"];
    if field(&release, "VERSION_CODENAME") == "bookworm" {
        add_backports(&root)?;
        arguments.extend(["-t", "bookworm-backports"]);
    }
    arguments.push("qemu-system-arm");
    // A source that has nothing to do with QEMU may be out of order.
    if let Err(error) = root.run("apt-get", &["update"]) {
        say(format_args!("{error}; going on"));
    }
    root.run("apt-get", &arguments)
}

/// How to get QEMU where this program does not know how to install it.
fn advice(system: &str, family: &str) -> &'static str {
    let is = |name: &str| family.split_whitespace().any(|word| word == name);
    match system {
        "macos" => "install QEMU 9.1 or newer: brew install qemu",
        "linux" if is("fedora") => "install QEMU 9.1 or newer: sudo dnf install qemu-system-arm",
        "linux" if is("arch") => "install QEMU 9.1 or newer: sudo pacman -S qemu-system-arm",
        "linux" => "install QEMU 9.1 or newer with the program qemu-system-arm",
        _ => "the emulated board needs Linux or macOS, or WSL on Windows",
    }
}

/// The value of a line `NAME=value` or `NAME="value"`.
fn field<'a>(release: &'a str, name: &str) -> &'a str {
    release
        .lines()
        .find_map(|line| line.strip_prefix(name)?.strip_prefix('='))
        .map_or("", |value| value.trim().trim_matches('"'))
}

/// Tells apt of the backports, unless it knows them.
fn add_backports(root: &Root) -> Result<(), String> {
    let sources = apt_sources();
    if sources.contains("bookworm-backports") {
        return Ok(());
    }
    let line = format!("deb {} bookworm-backports main", mirror(&sources));
    say(format_args!("adding to {BACKPORTS_FILE}: {line}"));
    root.run("sh", &["-c", "printf '%s\\n' \"$1\" > \"$2\"", "sh", &line, BACKPORTS_FILE])
}

/// Everything that apt is told about where packages are, without comments.
fn apt_sources() -> String {
    let more = fs::read_dir("/etc/apt/sources.list.d").into_iter().flatten().flatten();
    let files = [Path::new("/etc/apt/sources.list").to_path_buf()];
    files
        .into_iter()
        .chain(more.map(|entry| entry.path()))
        .filter_map(|file| fs::read_to_string(file).ok())
        .flat_map(|text| text.lines().map(|line| format!("{line}\n")).collect::<Vec<_>>())
        .filter(|line| !line.trim_start().starts_with('#'))
        .collect()
}

/// The mirror that packages of Debian itself come from.
fn mirror(sources: &str) -> &str {
    sources
        .split_whitespace()
        .map(|word| word.trim_end_matches('/'))
        .find(|word| word.contains("://") && word.ends_with("/debian"))
        .unwrap_or("http://deb.debian.org/debian")
}

/// How commands get the rights to install.
enum Root {
    /// By themselves.
    Own,
    /// By sudo, which may ask for a password.
    Sudo,
    /// By sudo, with nobody there to ask.
    SilentSudo,
}

impl Root {
    fn find() -> Result<Root, String> {
        let id = Command::new("id").arg("-u").output();
        if id.is_ok_and(|output| output.stdout.trim_ascii() == b"0") {
            return Ok(Root::Own);
        }
        let sudo = Command::new("sudo").arg("--version").stdout(Stdio::null()).status();
        if !sudo.is_ok_and(|status| status.success()) {
            return Err("as root, run: apt-get install qemu-system-arm (9.1 or newer)".into());
        }
        Ok(if std::io::stdin().is_terminal() { Root::Sudo } else { Root::SilentSudo })
    }

    fn run(&self, program: &str, arguments: &[&str]) -> Result<(), String> {
        let prefix: &[&str] = match self {
            Root::Own => &[],
            Root::Sudo => &["sudo"],
            Root::SilentSudo => &["sudo", "--non-interactive"],
        };
        let fixed = ["env", "DEBIAN_FRONTEND=noninteractive", program];
        let words = [prefix, &fixed, arguments].concat();
        say(format_args!("running: {}", words.join(" ")));
        run_command(Command::new(words[0]).args(&words[1..]).stdin(Stdio::inherit()))
            .map_err(|error| format!("cannot install QEMU: {program}: {error}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read() {
        let debian = "QEMU emulator version 10.0.2 (Debian 1:10.0.2+ds-2)\nCopyright (c) 2003\n";
        assert_eq!(version_in(debian), Some((10, 0)));
        assert_eq!(version_in("QEMU emulator version 9.1.0"), Some((9, 1)));
        for text in ["", "version", "QEMU emulator version x.y", "QEMU emulator version 9"] {
            assert_eq!(version_in(text), None, "{text}");
        }
    }

    #[test]
    fn the_system_is_recognised() {
        let release = "NAME=\"Debian GNU/Linux\"\nVERSION_CODENAME=bookworm\nID=debian\n";
        assert_eq!(field(release, "ID"), "debian");
        assert_eq!(field(release, "VERSION_CODENAME"), "bookworm");
        assert_eq!(field(release, "ID_LIKE"), "");
        assert!(advice("linux", "fedora").contains("dnf"));
        assert!(advice("macos", "").contains("brew"));
        assert!(advice("windows", "").contains("WSL"));
    }

    #[test]
    fn backports_come_from_the_mirror_in_use() {
        let new = "Types: deb\nURIs: http://deb.debian.org/debian-security\n\
                   URIs: https://mirror.example/debian/\nSuites: bookworm\n";
        assert_eq!(mirror(new), "https://mirror.example/debian");
        let old = "deb [arch=amd64] http://ftp.example.org/debian bookworm main\n";
        assert_eq!(mirror(old), "http://ftp.example.org/debian");
        assert_eq!(mirror(""), "http://deb.debian.org/debian");
    }
}
