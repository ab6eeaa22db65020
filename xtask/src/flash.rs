//! `cargo flash`: builds a board's firmware, writes it to the board and shows its log.
//!
//! probe-rs does the work. What it needs is looked at first, in the order in which a newcomer
//! lacks it, and every lack is told in one line with what to do about it.

use std::io;
use std::path::Path;
use std::process::{Command, ExitCode};

use crate::firmware::{self, BOARDS, Board};
use crate::steps::{root, run_command, say};
use crate::toolchain;

const HELP: &str = "\
Builds a board's firmware, writes it to the board and shows its log

Usage: cargo flash [--board NAME] [--no-log]

Options:
  --board NAME  The board; without it, the default one: b-l475e-iot01a
  --no-log      Write it, start it, and end
  --help        This text

Ctrl-C ends the log; the board plays on. With several probes, PROBE_RS_PROBE=VID:PID:SERIAL chooses
one (`probe-rs list` names them); PROBE_RS_CONNECT_UNDER_RESET=true helps with a chip that sleeps.

Exit codes: 0 done, 1 it failed, 2 usage";

const PROGRAM: &str = "probe-rs";

/// What the arguments ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wish {
    Help,
    Flash { board: &'static Board, log: bool },
}

/// Does what the arguments say.
pub fn task(arguments: &[&str]) -> ExitCode {
    match parse(arguments) {
        Ok(Wish::Help) => {
            say(format_args!("{HELP}"));
            ExitCode::SUCCESS
        }
        Ok(Wish::Flash { board, log }) => match flash(&root(), board, log) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("error: {error}");
                ExitCode::from(1)
            }
        },
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn parse(arguments: &[&str]) -> Result<Wish, String> {
    let (mut board, mut log) = (&BOARDS[0], true);
    let mut rest = arguments.iter();
    while let Some(&argument) = rest.next() {
        let name = match argument {
            "--help" | "-h" => return Ok(Wish::Help),
            "--no-log" => {
                log = false;
                continue;
            }
            "--board" => rest.next().copied().unwrap_or(""),
            _ => argument
                .strip_prefix("--board=")
                .ok_or_else(|| format!("unknown argument `{argument}`: see cargo flash --help"))?,
        };
        board = find(name)?;
    }
    Ok(Wish::Flash { board, log })
}

/// The board of this name. The emulated one cannot be flashed.
fn find(name: &str) -> Result<&'static Board, String> {
    let real = || BOARDS.iter().filter(|board| !board.chip.is_empty());
    real().find(|board| board.features == name).ok_or_else(|| {
        let names: Vec<_> = real().map(|board| board.features).collect();
        let what =
            if name.is_empty() { "no board given".into() } else { format!("no board `{name}`") };
        format!("{what}: the boards are {}", names.join(", "))
    })
}

fn flash(root: &Path, board: &Board, log: bool) -> Result<(), String> {
    if toolchain::has_target(root, board.target) == Some(false) {
        let target = board.target;
        return Err(format!("the target {target} is not installed: rustup target add {target}"));
    }
    let list = list_probes()?;
    let probes = probes_in(&list);
    if probes.is_empty() {
        return Err(no_probe(std::env::consts::OS).into());
    }
    if let ([_, _, ..], None) = (&probes[..], std::env::var_os("PROBE_RS_PROBE")) {
        say(format_args!("note: {} probes: PROBE_RS_PROBE=VID:PID:SERIAL chooses", probes.len()));
    }
    let file = firmware::build(root, board)?;
    let probe_rs = |arguments: &[&str]| {
        let mut command = Command::new(PROGRAM);
        command.args(arguments).args(["--chip", board.chip]).current_dir(root);
        command
    };
    let (name, chip) = (board.features, board.chip);
    say(format_args!("flashing {name} ({chip}) with {}", file.display()));
    let explain = |error| format!("{PROGRAM}: {error} (see Troubleshooting in README.md)");
    if log {
        return run_command(probe_rs(&["run"]).arg(&file)).map_err(explain);
    }
    run_command(probe_rs(&["download"]).arg(&file)).map_err(explain)?;
    run_command(&mut probe_rs(&["reset"])).map_err(explain)
}

/// What `probe-rs list` says.
fn list_probes() -> Result<String, String> {
    match Command::new(PROGRAM).arg("list").output() {
        Ok(output) => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(format!(
            "{PROGRAM} is not installed: cargo install probe-rs-tools --locked, or see \
             https://probe.rs/docs/getting-started/installation"
        )),
        Err(error) => Err(format!("{PROGRAM} cannot be run: {error}")),
    }
}

/// The probes in the output of `probe-rs list`: lines like `[0]: STLink V2-1 -- 0483:374b:0669FF
/// (ST-LINK)`.
fn probes_in(list: &str) -> Vec<&str> {
    let probe = |line| {
        let (number, probe) = str::strip_prefix(line, "[")?.split_once("]:")?;
        number.parse::<u32>().ok().map(|_| probe.trim())
    };
    list.lines().map(str::trim).filter_map(probe).collect()
}

/// What to do when no probe is found.
fn no_probe(system: &str) -> &'static str {
    match system {
        "linux" => {
            "no debug probe found: connect the board by its ST-LINK USB port with a cable that \
             carries data; if `lsusb` lists 0483, install the udev rules: \
             https://probe.rs/docs/getting-started/probe-setup"
        }
        "windows" => {
            "no debug probe found: connect the board by its ST-LINK USB port with a cable that \
             carries data, and install ST's driver for ST-LINK (STSW-LINK009)"
        }
        _ => {
            "no debug probe found: connect the board by its ST-LINK USB port with a cable that \
             carries data"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(arguments: &[&str]) -> Result<&'static str, String> {
        parse(arguments).map(|wish| match wish {
            Wish::Help => "help",
            Wish::Flash { board, .. } => board.features,
        })
    }

    #[test]
    fn the_default_board_needs_no_name() {
        assert_eq!(board(&[]).as_deref(), Ok("b-l475e-iot01a"));
        assert_eq!(board(&["--board", "nucleo-f446re"]).as_deref(), Ok("nucleo-f446re"));
        assert_eq!(board(&["--board=nucleo-g071rb"]).as_deref(), Ok("nucleo-g071rb"));
        assert!(board(&["--board", "x", "--help"]).is_err());
        assert_eq!(board(&["--help"]).as_deref(), Ok("help"));
        assert!(matches!(parse(&["--no-log"]), Ok(Wish::Flash { log: false, .. })));
        assert!(matches!(parse(&[]), Ok(Wish::Flash { log: true, .. })));
    }

    #[test]
    fn an_unknown_board_gets_the_list_of_boards() {
        let error = board(&["--board", "uno"]).expect_err("no such board");
        assert_eq!(
            error,
            "no board `uno`: the boards are b-l475e-iot01a, nucleo-f446re, stm32f4-discovery, \
             nucleo-h743zi2, nucleo-g071rb"
        );
        assert!(board(&["--board"]).expect_err("no name").starts_with("no board given: "));
        assert!(board(&["--board", "emulator,fault-commands"]).is_err(), "not a real board");
        assert!(board(&["nucleo-f446re"]).expect_err("no option").contains("cargo flash --help"));
    }

    #[test]
    fn probes_are_read_from_the_list() {
        let two = "The following debug probes were found:\n\
                   [0]: STLink V2-1 -- 0483:374b:0669FF495087534867142424 (ST-LINK)\n\
                   [1]: CMSIS-DAP -- 0d28:0204:990000 (CMSIS-DAP) (included in: bench)\n";
        let probes = probes_in(two);
        assert_eq!(probes.len(), 2);
        assert!(probes[0].starts_with("STLink V2-1 -- 0483:374b"), "{probes:?}");
        let none = "No debug probes were found.\nHint: [udev]: rules\n[x]: y\n";
        assert!(probes_in(none).is_empty());
        assert!(probes_in("").is_empty());
    }

    #[test]
    fn advice_is_one_line() {
        for system in ["linux", "windows", "macos"] {
            assert!(no_probe(system).starts_with("no debug probe found: "));
            assert!(!no_probe(system).contains('\n'));
        }
        assert!(no_probe("linux").contains("udev"));
    }
}
