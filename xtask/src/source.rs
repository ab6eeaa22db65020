//! The engine's source rules, which no lint of the compiler covers as a whole: no `unsafe`, no
//! heap, no floating point (the smallest chips have no unit for it, and results must be the same
//! everywhere). Comments, strings and items under `#[cfg(test)]` do not count.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::steps::say;

/// Checks all files of `engine/src` and prints every place that breaks a rule.
///
/// # Errors
/// Rules are broken, or the files cannot be read.
pub fn check(root: &Path) -> Result<(), String> {
    let folder = root.join("engine").join("src");
    let mut files = Vec::new();
    collect(&folder, &mut files)
        .map_err(|error| format!("cannot read {}: {error}", folder.display()))?;
    if files.is_empty() {
        return Err(format!("no source files in {}", folder.display()));
    }
    files.sort();
    let mut broken = 0;
    for file in &files {
        let text = fs::read_to_string(file)
            .map_err(|error| format!("cannot read {}: {error}", file.display()))?;
        let shown = file.strip_prefix(root).unwrap_or(file).display();
        for (line, rule) in violations(&text) {
            say(format_args!("{shown}:{line}: {rule}"));
            broken += 1;
        }
    }
    say(format_args!("{} files looked at", files.len()));
    match broken {
        0 => Ok(()),
        1 => Err("1 place breaks a rule".into()),
        _ => Err(format!("{broken} places break a rule")),
    }
}

/// All `.rs` files in a folder and below.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    Ok(())
}

/// A rule of the engine's source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    Unsafe,
    Heap,
    Float,
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Rule::Unsafe => "`unsafe` is not allowed in the engine",
            Rule::Heap => "`extern crate alloc` is not allowed in the engine",
            Rule::Float => "floating point is not allowed in the engine outside tests",
        })
    }
}

/// The lines, from 1, that break a rule.
fn violations(source: &str) -> Vec<(usize, Rule)> {
    let code = code_only(source);
    let tokens = without_test_items(tokens(&code));
    let mut found = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        let before = |n: usize| index.checked_sub(n).map_or("", |i| tokens[i].text);
        let number = token.text.starts_with(|c: char| c.is_ascii_digit());
        let plain_number = number && !token.text.starts_with("0x");
        let rule = if token.text == "unsafe" {
            Rule::Unsafe
        } else if token.text == "alloc" && before(1) == "crate" && before(2) == "extern" {
            Rule::Heap
        } else if ["f32", "f64"]
            .iter()
            .any(|float| token.text == *float || (plain_number && token.text.ends_with(float)))
        {
            Rule::Float
        } else if number
            && before(1) == "."
            && before(2).starts_with(|c: char| c.is_ascii_digit())
            && before(3) != "."
        {
            // `1.5`, but neither `pair.0.1` nor `0..5`, which has two dots between.
            Rule::Float
        } else {
            continue;
        };
        found.push((token.line, rule));
    }
    found
}

/// A word, a number, or a single other character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Token<'a> {
    text: &'a str,
    line: usize,
}

fn tokens(code: &str) -> Vec<Token<'_>> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut tokens = Vec::new();
    for (index, text) in code.lines().enumerate() {
        let mut rest = text.trim_start();
        while let Some(first) = rest.chars().next() {
            let length = if is_word(first) {
                rest.find(|c| !is_word(c)).unwrap_or(rest.len())
            } else {
                first.len_utf8()
            };
            let (token, after) = rest.split_at(length);
            tokens.push(Token { text: token, line: index + 1 });
            rest = after.trim_start();
        }
    }
    tokens
}

/// Leaves out every item under `#[cfg(test)]`, up to its closing brace or semicolon, and
/// everything after `#![cfg(test)]`.
fn without_test_items(tokens: Vec<Token<'_>>) -> Vec<Token<'_>> {
    let starts_with = |at: usize, wanted: &[&str]| {
        tokens[at..].len() >= wanted.len()
            && tokens[at..].iter().zip(wanted).all(|(token, wanted)| token.text == *wanted)
    };
    let outer = ["#", "[", "cfg", "(", "test", ")", "]"];
    let inner = ["#", "!", "[", "cfg", "(", "test", ")", "]"];
    let mut kept = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if starts_with(at, &inner) {
            break;
        }
        if !starts_with(at, &outer) {
            kept.push(tokens[at]);
            at += 1;
            continue;
        }
        at += outer.len();
        let mut depth = 0_i32;
        while let Some(token) = tokens.get(at) {
            at += 1;
            match token.text {
                "{" | "(" | "[" => depth += 1,
                "}" | ")" | "]" => depth -= 1,
                _ => {}
            }
            if depth <= 0 && matches!(token.text, "}" | ";") {
                break;
            }
        }
    }
    kept
}

/// The source with blanks in place of comments, strings and character literals; lines stay.
fn code_only(source: &str) -> String {
    let chars: Vec<char> = source.chars().collect();
    let at = |index: usize| chars.get(index).copied().unwrap_or('\0');
    let mut code = String::with_capacity(source.len());
    let mut index = 0;
    while index < chars.len() {
        let end = match (at(index), at(index + 1)) {
            ('/', '/') => line_comment_end(&chars, index),
            ('/', '*') => block_comment_end(&chars, index),
            ('"', _) => string_end(&chars, index),
            ('r', '"' | '#') if index == 0 || !is_word(at(index - 1)) || at(index - 1) == 'b' => {
                raw_string_end(&chars, index)
            }
            ('\'', '\\') => character_end(&chars, index),
            ('\'', _) if at(index + 2) == '\'' => index + 3,
            _ => index,
        };
        if end == index {
            code.push(chars[index]);
            index += 1;
        } else {
            let end = end.min(chars.len());
            code.extend(chars[index..end].iter().map(|&c| if c == '\n' { '\n' } else { ' ' }));
            index = end;
        }
    }
    code
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn line_comment_end(chars: &[char], start: usize) -> usize {
    chars[start..].iter().position(|&c| c == '\n').map_or(chars.len(), |length| start + length)
}

/// Block comments nest.
fn block_comment_end(chars: &[char], start: usize) -> usize {
    let mut depth = 0;
    let mut index = start;
    while index < chars.len() {
        match chars[index..] {
            ['/', '*', ..] => {
                depth += 1;
                index += 2;
            }
            ['*', '/', ..] => {
                depth -= 1;
                index += 2;
                if depth == 0 {
                    return index;
                }
            }
            _ => index += 1,
        }
    }
    chars.len()
}

fn string_end(chars: &[char], start: usize) -> usize {
    let mut index = start + 1;
    while index < chars.len() {
        match chars[index] {
            '\\' => index += 2,
            '"' => return index + 1,
            _ => index += 1,
        }
    }
    chars.len()
}

/// `r"..."` or `r#"..."#`; `start` itself if it is neither, as in `r#type`.
fn raw_string_end(chars: &[char], start: usize) -> usize {
    let hashes = chars[start + 1..].iter().take_while(|&&c| c == '#').count();
    let open = start + 1 + hashes;
    if chars.get(open) != Some(&'"') {
        return start;
    }
    let mut index = open + 1;
    while index < chars.len() {
        let closing = chars[index + 1..].iter().take_while(|&&c| c == '#').count();
        if chars[index] == '"' && closing >= hashes {
            return index + 1 + hashes;
        }
        index += 1;
    }
    chars.len()
}

/// `'\n'`, `'\''`, `'\u{41}'`.
fn character_end(chars: &[char], start: usize) -> usize {
    let after_escape = start + 3;
    chars
        .get(after_escape..)
        .and_then(|rest| rest.iter().position(|&c| c == '\''))
        .map_or(chars.len(), |length| after_escape + length + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(source: &str) -> Vec<(usize, Rule)> {
        violations(source)
    }

    #[test]
    fn broken_rules_are_found_with_their_line() {
        assert_eq!(rules("fn a() {\n    unsafe { b() }\n}"), [(2, Rule::Unsafe)]);
        assert_eq!(rules("#![no_std]\nextern crate  alloc;"), [(2, Rule::Heap)]);
        assert_eq!(rules("let a = b as f32;\n\nlet c: f64;"), [(1, Rule::Float), (3, Rule::Float)]);
        assert_eq!(rules("let a = 1.5;"), [(1, Rule::Float)]);
        assert_eq!(rules("let a = 1f64;"), [(1, Rule::Float)]);
    }

    #[test]
    fn words_that_only_look_like_it_are_not_found() {
        assert!(rules("#![forbid(unsafe_code)]\nlet alloc = 0xf32;").is_empty());
        assert!(rules("let a = pair.0.1; for n in 0..5 {}").is_empty());
        assert!(rules("let a = 10_000; let b = f(1).1;").is_empty());
    }

    #[test]
    fn comments_and_strings_do_not_count() {
        assert!(rules("//! no `unsafe`\n/// f64\n/* unsafe /* f32 */ unsafe */").is_empty());
        assert!(rules("let a = \"unsafe \\\" f64\"; let b = r#\"f32 \" \"#;").is_empty());
        assert_eq!(rules("let a = ['\"', '\\'', '\\u{22}']; unsafe {}"), [(1, Rule::Unsafe)]);
        assert_eq!(rules("fn a<'a>(b: &'a str) { unsafe {} }"), [(1, Rule::Unsafe)]);
        assert_eq!(rules("let r#type = r\"x\"; unsafe {}"), [(1, Rule::Unsafe)]);
    }

    #[test]
    fn tests_do_not_count_but_what_follows_them_does() {
        let source = "#[cfg(test)]\nmod tests {\n    fn a() -> f64 { 1.0 }\n}\nfn b() -> f64 {}";
        assert_eq!(rules(source), [(5, Rule::Float)]);
        assert_eq!(rules("#[cfg(test)]\nmod a;\nunsafe fn b() {}"), [(3, Rule::Unsafe)]);
        assert!(rules("#![cfg(test)]\nfn b() -> f64 {}").is_empty());
    }
}
