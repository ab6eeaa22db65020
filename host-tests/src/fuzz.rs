//! The bodies of the fuzz targets: arbitrary bytes in, a panic if something is wrong. The targets
//! of `fuzz/` and the tests on the stable toolchain call the same functions.
//!
//! | function | what it tries |
//! | --- | --- |
//! | [`line_assembler`] | bytes to lines: bounds, one verdict per line, the same in any pieces |
//! | [`command_parser`] | lines to commands, lines to replies |
//! | [`session()`] | a whole conversation with arbitrary job timings, and the way out of it |
//! | [`saved_game`] | words to saved games: refused without a trace, or a game that play can reach |
//! | [`game_spec`] | text to games and moves, and back |
//! | [`games()`] | keys, values, wins and layouts of all games against fresh boards and references |
//! | [`table()`] | the table against a map |
//! | [`harness()`] | what QEMU and the board say to the host |

mod arguments;
mod games;
#[cfg(unix)]
mod harness;
mod load;
mod script;
mod session;
mod spec;
pub mod stable;
mod table;

use engine::protocol::checksum::Checksum;
use engine::protocol::command;
use engine::protocol::line::{Event, LineAssembler, MAX_LINE};
use engine::protocol::reply::Reply;
pub use games::games;
#[cfg(unix)]
pub use harness::harness;
pub use load::saved_game;
pub use session::session;
pub use spec::game_spec;
pub use table::table;

/// What a target does with its input.
pub type Body = fn(&[u8]);

/// All targets by their names in `fuzz/`.
pub const TARGETS: &[(&str, Body)] = &[
    ("line", line_assembler),
    ("command", command_parser),
    ("session", session),
    ("load", saved_game),
    ("spec", game_spec),
    ("games", games),
    ("table", table),
    #[cfg(unix)]
    ("harness", harness),
];

/// Lines that leave the assembler, as text; damage is told by its message.
fn events(lines: &mut LineAssembler, bytes: &[u8]) -> Vec<(Event, String)> {
    let mut events = Vec::new();
    for &byte in bytes {
        let event = lines.push(byte);
        let text = lines.text();
        assert!(text.len() <= MAX_LINE);
        match event {
            Event::Pending => continue,
            Event::Bad(damage) => {
                assert_eq!(text, "", "nobody sees part of a bad line");
                assert!(!damage.to_string().is_empty());
            }
            Event::Line | Event::Word | Event::LastWord => {
                assert!(text.bytes().all(|byte| byte >= b' '), "{text:?}");
            }
        }
        events.push((event, text.to_string()));
    }
    events
}

/// Feeds arbitrary bytes to the line assembler. The first byte says whether checksums are required
/// and where bytes get lost.
///
/// # Panics
/// A line breaks a bound, a damaged line is not reported, or the assembler does not recover.
pub fn line_assembler(data: &[u8]) {
    let (&setting, bytes) = data.split_first().unwrap_or((&0, &[]));
    let mut lines = LineAssembler::default();
    lines.require_checksum = setting & 1 == 1;
    if setting & 2 == 2 {
        let cut = usize::from(setting >> 2).min(bytes.len());
        events(&mut lines, &bytes[..cut]);
        lines.mark_damaged();
        assert!(!lines.is_empty());
        let rest: Vec<u8> = bytes[cut..].iter().copied().filter(|byte| !is_end(*byte)).collect();
        assert_eq!(events(&mut lines, &rest), []);
        let end = events(&mut lines, b"\n");
        assert!(matches!(end[..], [(Event::Bad(_), _)]), "{end:?}");
    } else {
        let all = events(&mut lines, bytes);
        let ends = bytes.iter().filter(|byte| is_end(**byte)).count();
        let lines_out = all.iter().filter(|(event, _)| *event != Event::Word).count();
        assert!(lines_out <= ends, "one event per line");
    }
    // Whatever came before: a line end, and the next line counts.
    events(&mut lines, b"\n");
    assert!(lines.is_empty());
    let line = format!("PING*{:02X}", Checksum::of(b"PING").value());
    assert_eq!(events(&mut lines, line.as_bytes()), []);
    assert_eq!(events(&mut lines, b"\n"), [(Event::Line, "PING".to_string())]);
    assert!(lines.was_checked());
}

const fn is_end(byte: u8) -> bool {
    matches!(byte, b'\r' | b'\n')
}

/// Reads arbitrary text as a command and as a reply.
///
/// # Panics
/// An error has no text, the outcome depends on the case of the command's name or on the space
/// around the line, or a reply is not written as it was read.
pub fn command_parser(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    for line in text.lines() {
        let parsed = command::parse(line);
        if let Err(error) = parsed {
            assert!(!error.to_string().is_empty());
        }
        let name_end = line.trim_start().find(char::is_whitespace).unwrap_or(line.len());
        let (name, rest) = line.trim_start().split_at(name_end.min(line.trim_start().len()));
        let other = format!("  {}{rest} ", name.to_ascii_lowercase());
        assert_eq!(command::parse(&other), parsed, "{line:?}");
        if let Ok(reply) = Reply::parse(line) {
            let written = reply.to_string();
            assert_eq!(Reply::parse(&written), Ok(reply), "{line:?}");
        }
    }
}
