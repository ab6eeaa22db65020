//! Scenarios: a conversation as data, to be held with anything that speaks the protocol.
//!
//! ```text
//! # a remark
//! > START 15                a line to send
//! < OK                      the line that must come next
//! > TURN 7,7
//! @ 100                     milliseconds that pass
//! < {move}                  {move}, {int} and {any} stand for a move, a number, any text
//! * MESSAGE {any}           lines that may come next, none or more
//! ! PI\x00NG\r\n            bytes to send, and no line end but what is written
//! ```
//!
//! Escapes (`\r`, `\n`, `\t`, `\b`, `\\`, `\xhh`) are for `!`, `<` and `*`.
//!
//! When all steps are done, nothing more may have been said. Whoever is talked to has an
//! [`Endpoint`]: a session in this process ([`crate::endpoint`]), a program, or a board.

use std::fmt;
use std::fs;
use std::path::Path;

/// Something that can be talked to.
pub trait Endpoint {
    /// Sends bytes.
    ///
    /// # Errors
    /// They cannot be sent.
    fn send(&mut self, bytes: &[u8]) -> Result<(), String>;

    /// The next line, without its end. Waits for it, within reason.
    ///
    /// # Errors
    /// None comes.
    fn line(&mut self) -> Result<String, String>;

    /// Lets time pass.
    ///
    /// # Errors
    /// The other end has gone.
    fn wait(&mut self, milliseconds: u64) -> Result<(), String>;

    /// What was said and not yet read, if anything. Does not wait longer than it takes to be sure.
    fn rest(&mut self) -> String;
}

/// One step of a scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    Send(Vec<u8>),
    Expect(String),
    Skip(String),
    Wait(u64),
}

/// A conversation.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// Where it comes from, for messages.
    pub name: String,
    /// The number of each step's line, and the step.
    steps: Vec<(usize, Step)>,
}

/// Why a conversation went another way.
#[derive(Debug)]
pub struct Mismatch {
    name: String,
    line: usize,
    why: String,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.name, self.line, self.why)
    }
}

impl Scenario {
    /// Reads a scenario whose first line has the number `first_line`.
    ///
    /// # Errors
    /// A line is no step.
    pub fn parse(name: &str, first_line: usize, text: &str) -> Result<Scenario, Mismatch> {
        let mut steps = Vec::new();
        for (line, content) in (first_line..).zip(text.lines()) {
            let bad = |why: &str| Mismatch { name: name.into(), line, why: why.into() };
            let (mark, rest) = match content.split_at_checked(1) {
                None => continue,
                Some(("#", _)) => continue,
                Some((mark, rest)) => (mark, rest.strip_prefix(' ').unwrap_or(rest)),
            };
            let text = || {
                unescape(rest)
                    .and_then(|line| String::from_utf8(line).ok())
                    .ok_or_else(|| bad("bad escape"))
            };
            let step = match mark {
                ">" => Step::Send([rest.as_bytes(), b"\n"].concat()),
                "<" => Step::Expect(text()?),
                "*" => Step::Skip(text()?),
                "!" => Step::Send(unescape(rest).ok_or_else(|| bad("bad escape"))?),
                "@" => Step::Wait(rest.trim().parse().map_err(|_| bad("not a number"))?),
                _ => return Err(bad("expected a line that begins with # > < * ! or @")),
            };
            steps.push((line, step));
        }
        Ok(Scenario { name: name.into(), steps })
    }

    /// The scenarios in a text in Markdown: the blocks marked `transcript`.
    ///
    /// # Errors
    /// A line is no step.
    pub fn from_markdown(name: &str, text: &str) -> Result<Vec<Scenario>, Mismatch> {
        let mut scenarios = Vec::new();
        let mut block: Option<(usize, String)> = None;
        for (number, line) in (1..).zip(text.lines()) {
            match &mut block {
                None if line == "```transcript" => block = Some((number + 1, String::new())),
                None => {}
                Some((first, content)) if line == "```" => {
                    scenarios.push(Scenario::parse(name, *first, content)?);
                    block = None;
                }
                Some((_, content)) => {
                    content.push_str(line);
                    content.push('\n');
                }
            }
        }
        Ok(scenarios)
    }

    /// All of this project: those in files, and those in docs/protocol.md.
    ///
    /// # Panics
    /// One cannot be read.
    #[must_use]
    pub fn all() -> Vec<Scenario> {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut files: Vec<_> = fs::read_dir(here.join("scenarios"))
            .expect("the folder of scenarios")
            .map(|entry| entry.expect("an entry").path())
            .collect();
        files.sort();
        let mut scenarios = Vec::new();
        for path in files {
            let name = path.file_name().expect("a name").to_string_lossy();
            let text = fs::read_to_string(&path).expect("a scenario");
            let scenario = Scenario::parse(&name, 1, &text);
            scenarios.push(scenario.unwrap_or_else(|error| panic!("{error}")));
        }
        let text = fs::read_to_string(here.join("../docs/protocol.md")).expect("the documentation");
        let documented = Scenario::from_markdown("protocol.md", &text);
        scenarios.extend(documented.unwrap_or_else(|error| panic!("{error}")));
        scenarios
    }

    /// The lines that are sent.
    pub fn sent(&self) -> impl Iterator<Item = &[u8]> {
        self.steps.iter().filter_map(|(_, step)| match step {
            Step::Send(bytes) => Some(&bytes[..]),
            _ => None,
        })
    }

    /// Holds the conversation.
    ///
    /// # Errors
    /// It goes another way.
    pub fn run(&self, endpoint: &mut impl Endpoint) -> Result<(), Mismatch> {
        let mut last = 0;
        // A line that was read and did not match a step that may be skipped.
        let mut held: Option<String> = None;
        for (line, step) in &self.steps {
            last = *line;
            let mut next = |endpoint: &mut _| match held.take() {
                Some(said) => Ok(said),
                None => Endpoint::line(endpoint),
            };
            let result = match step {
                Step::Send(bytes) => endpoint.send(bytes),
                Step::Wait(milliseconds) => endpoint.wait(*milliseconds),
                Step::Expect(pattern) => next(endpoint).and_then(|said| {
                    if matches(pattern, &said) {
                        Ok(())
                    } else {
                        Err(format!("expected `{pattern}`, got `{said}`"))
                    }
                }),
                Step::Skip(pattern) => loop {
                    match next(endpoint) {
                        Ok(said) if matches(pattern, &said) => {}
                        Ok(said) => {
                            held = Some(said);
                            break Ok(());
                        }
                        Err(why) => break Err(why),
                    }
                },
            };
            result.map_err(|why| Mismatch { name: self.name.clone(), line: *line, why })?;
        }
        match held.unwrap_or_default() + &endpoint.rest() {
            rest if rest.is_empty() => Ok(()),
            rest => Err(Mismatch {
                name: self.name.clone(),
                line: last,
                why: format!("expected nothing more, got `{rest}`"),
            }),
        }
    }
}

/// `\r`, `\n`, `\t`, `\b` (backspace), `\\` and `\xhh`.
fn unescape(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'\\' => match rest.next()? {
                b'r' => b'\r',
                b'n' => b'\n',
                b't' => b'\t',
                b'b' => 0x08,
                b'\\' => b'\\',
                b'x' => {
                    let digits = [rest.next()?, rest.next()?];
                    u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
                }
                _ => return None,
            },
            byte => byte,
        });
    }
    Some(bytes)
}

/// Whether a line is what a pattern with `{move}`, `{int}` and `{any}` says.
#[must_use]
pub fn matches(pattern: &str, line: &str) -> bool {
    let Some(at) = pattern.find('{') else { return pattern == line };
    let (before, rest) = pattern.split_at(at);
    let Some(line) = line.strip_prefix(before) else { return false };
    let fits: fn(&str) -> bool = match rest {
        _ if rest.starts_with("{move}") => |text| is_move(text),
        _ if rest.starts_with("{int}") => |text| text.parse::<i64>().is_ok(),
        _ if rest.starts_with("{any}") => |_| true,
        _ => return line.starts_with('{') && matches(&rest[1..], &line[1..]),
    };
    let rest = rest.split_once('}').map_or("", |(_, rest)| rest);
    (0..=line.len())
        .filter(|&end| line.is_char_boundary(end))
        .any(|end| fits(&line[..end]) && matches(rest, &line[end..]))
}

/// `x`, `x,y`, `x,y,h` or `x,y,v`.
fn is_move(text: &str) -> bool {
    let parts: Vec<&str> = text.split(',').collect();
    let numbers = |parts: &[&str]| parts.iter().all(|part| part.parse::<u32>().is_ok());
    match &parts[..] {
        [x, y, "h" | "v"] => numbers(&[x, y]),
        [_] | [_, _] => numbers(&parts),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_stand_for_moves_numbers_and_anything() {
        for (pattern, line, expected) in [
            ("OK", "OK", true),
            ("OK", "OK ", false),
            ("{move}", "7,7", true),
            ("{move}", "7,7 8,8", false),
            ("{move} {move}", "7,7 8,8", true),
            ("{move}", "5,5,h", true),
            ("{move}", "5,5,x", false),
            ("A {int} B {any}", "A -5 B ", true),
            ("A {int} B", "A x B", false),
            ("{odd}", "{odd}", true),
        ] {
            assert_eq!(matches(pattern, line), expected, "{pattern} {line}");
        }
    }

    /// Has said all of its lines already.
    struct Said(Vec<&'static str>);

    impl Endpoint for Said {
        fn send(&mut self, _: &[u8]) -> Result<(), String> {
            Ok(())
        }

        fn line(&mut self) -> Result<String, String> {
            if self.0.is_empty() { Err("silence".into()) } else { Ok(self.0.remove(0).into()) }
        }

        fn wait(&mut self, _: u64) -> Result<(), String> {
            Ok(())
        }

        fn rest(&mut self) -> String {
            self.0.concat()
        }
    }

    #[test]
    fn lines_that_may_come_may_stay_away() {
        let scenario = Scenario::parse("s", 1, "* M {any}\n< OK\n").expect("steps");
        for (said, fits) in [
            (vec!["OK"], true),
            (vec!["M a", "M b", "OK"], true),
            (vec!["M a", "X", "OK"], false),
            (vec!["M a", "OK", "M b"], false),
            (vec!["M a"], false),
        ] {
            assert_eq!(scenario.run(&mut Said(said.clone())).is_ok(), fits, "{said:?}");
        }
    }

    #[test]
    fn a_bad_step_is_told_with_its_line() {
        let error = Scenario::parse("s", 1, "> A\n? B\n").expect_err("bad step");
        assert!(error.to_string().starts_with("s:2: expected"), "{error}");
        assert!(Scenario::parse("s", 1, "! \\q\n").is_err());
        assert!(Scenario::parse("s", 1, "@ soon\n").is_err());
    }
}
