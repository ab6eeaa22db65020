//! No command and no flag without a test, and no guide that tells of one that is not there.
//!
//! What there is comes from the command line itself. The tests' sources are read as text: a flag
//! counts as tested if a function of a test file, with the functions and constants of that file
//! that it uses, holds both the command's name and the flag. The guides' command lines, and those
//! that `--help` shows, are parsed as if they had been typed.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use clap::error::ErrorKind;
use clap::{Command, CommandFactory, Parser};
use engine::players::registry;
use host::cli::Cli;
use host::commands::match_command::Contestant;

/// Flags that clap adds to every command.
const EVERYWHERE: [&str; 2] = ["help", "version"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The files of a folder whose names end like this, in order.
fn files(folder: &str, ending: &str) -> Vec<PathBuf> {
    let folder = root().join(folder);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{folder:?}: {error}"));
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.to_string_lossy().ends_with(ending))
        .collect();
    files.sort();
    files
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{path:?}: {error}"))
}

/// The long flags of a command, without the dashes.
fn flags(command: &Command) -> Vec<String> {
    let all = command.get_arguments().filter_map(|argument| argument.get_long());
    all.filter(|flag| !EVERYWHERE.contains(flag)).map(str::to_owned).collect()
}

// The tests

/// A function or another item at the left margin of a source.
struct Item {
    name: String,
    text: String,
}

/// The items of a source, without comments.
fn items(source: &str) -> Vec<Item> {
    const BEGINNINGS: [&str; 5] = ["fn ", "const ", "static ", "struct ", "impl "];
    let mut items: Vec<Item> = Vec::new();
    for line in source.lines().filter(|line| !line.trim_start().starts_with("//")) {
        let plain = line.strip_prefix("pub ").unwrap_or(line);
        let name = BEGINNINGS.iter().find_map(|word| plain.strip_prefix(word)).map(|rest| {
            rest.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect()
        });
        if let Some(name) = name {
            items.push(Item { name, text: String::new() });
        }
        if let Some(item) = items.last_mut() {
            item.text.push_str(line);
            item.text.push('\n');
        }
    }
    items
}

/// The words of a text: letters, digits, `_` and `-`.
fn words(text: &str) -> BTreeSet<&str> {
    text.split(|letter: char| !(letter.is_alphanumeric() || "_-".contains(letter))).collect()
}

/// What each function of a source says, with the items of this source that it uses.
fn reaches(source: &str) -> Vec<String> {
    let items = items(source);
    let uses: Vec<BTreeSet<&str>> = items.iter().map(|item| words(&item.text)).collect();
    (0..items.len())
        .map(|start| {
            let mut reached = vec![start];
            let mut next = 0;
            while let Some(&from) = reached.get(next) {
                for (to, item) in items.iter().enumerate() {
                    if !reached.contains(&to) && uses[from].contains(item.name.as_str()) {
                        reached.push(to);
                    }
                }
                next += 1;
            }
            reached.iter().map(|&n| items[n].text.as_str()).collect()
        })
        .collect()
}

/// Whether a piece of a test runs this command: its name is a string, or follows the program in one.
fn runs(text: &str, command: &str) -> bool {
    text.contains(&format!("\"{command}\"")) || text.contains(&format!("{{}} {command}"))
}

#[test]
fn every_command_and_every_flag_has_a_test() {
    let own = Path::new(file!()).file_name();
    let sources: Vec<String> = [files("host/tests", ".rs"), files("host-tests/tests", ".rs")]
        .concat()
        .iter()
        .filter(|path| path.file_name() != own)
        .flat_map(|path| reaches(&read(path)))
        .collect();
    let mut missing = Vec::new();
    for command in Cli::command().get_subcommands() {
        let name = command.get_name();
        let tests: Vec<&String> = sources.iter().filter(|text| runs(text, name)).collect();
        if tests.is_empty() {
            missing.push(name.to_owned());
        }
        for flag in flags(command).iter().map(|flag| format!("--{flag}")) {
            if !tests.iter().any(|text| words(text).contains(flag.as_str())) {
                missing.push(format!("{name} {flag}"));
            }
        }
    }
    assert!(missing.is_empty(), "no test has these:\n{}", missing.join("\n"));
}

#[test]
fn a_test_is_seen_with_what_it_uses() {
    let source = "const RUN: [&str; 1] = [\"solve\"];\n// \"bench\"\nfn run() {\n    RUN\n}\n\n\
                  #[test]\nfn one() {\n    run(\"--json\")\n}\n\nfn other() {\n    \"--time\"\n}\n";
    let reaches = reaches(source);
    let of = |flag: &str| reaches.iter().filter(|text| text.contains(flag)).collect::<Vec<_>>();
    assert!(of("--json").iter().all(|text| runs(text, "solve") && !runs(text, "bench")));
    assert!(!of("--time").is_empty() && of("--time").iter().all(|text| !runs(text, "solve")));
}

// The guides

/// A command line in a guide.
struct Line {
    /// Where it stands.
    place: String,
    /// What is typed, beginning with the program.
    text: String,
    /// Whether it stands in the middle of a sentence, where it may be incomplete.
    is_mention: bool,
}

/// How this program is called, and what that means.
const CALLS: [(&str, &str); 4] = [
    ("cargo tavola", "tavola"),
    ("cargo play", "tavola play"),
    ("cargo emulate", "tavola emulate"),
    ("tavola", "tavola"),
];
/// What separates commands of a shell.
const SEPARATORS: [&str; 6] = [" | ", "; ", " && ", " > ", " do ", " # "];
/// Words that stand for something, and an example of it.
const EXAMPLES: [(&str, &str); 8] = [
    ("SPEC", "mnk:3x3x3"),
    ("mnk:$board", "mnk:3x3x3"),
    ("connect:$board", "connect:6x7x4"),
    ("FILE", "games.txt"),
    ("N", "1"),
    ("P", "0"),
    ("A", "tavola"),
    ("B", "random"),
];

/// The calls of this program in a line for a shell.
fn calls(text: &str) -> Vec<String> {
    let mut parts = vec![text.trim().trim_start_matches("$ ").to_owned()];
    for separator in SEPARATORS {
        parts = parts.iter().flat_map(|part| part.split(separator)).map(str::to_owned).collect();
    }
    let call = |part: &String| {
        let part = part.trim();
        CALLS.iter().find_map(|(call, meaning)| {
            let rest = part.strip_prefix(call)?;
            (rest.is_empty() || rest.starts_with(' ')).then(|| format!("{meaning}{rest}"))
        })
    };
    parts.iter().filter_map(call).collect()
}

/// The command lines of a guide: those in blocks of code, and those in sentences.
fn lines_of(name: &str, guide: &str) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut prose = String::new();
    let mut is_code = false;
    for (index, line) in guide.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if is_code {
            let place = format!("{name}:{}", index + 1);
            let found = calls(line).into_iter();
            lines.extend(found.map(|text| Line { place: place.clone(), text, is_mention: false }));
        } else {
            prose.push_str(line);
            prose.push(' ');
        }
    }
    // Between backquotes.
    for text in prose.split('`').skip(1).step_by(2).flat_map(calls) {
        lines.push(Line { place: name.to_owned(), text, is_mention: true });
    }
    lines
}

/// The examples that the command's help shows. What follows after some space is a remark.
fn lines_of_help(command: &Command) -> Vec<Line> {
    let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let examples = help.lines().filter_map(|line| line.strip_prefix("  "));
    let typed = examples.map(|line| line.trim().split("  ").next().unwrap_or_default());
    let place = format!("{} --help", command.get_name());
    let line = |text| Line { place: place.clone(), text, is_mention: false };
    typed.flat_map(calls).map(line).collect()
}

/// The words that the program would get, with examples for what is left open.
fn typed(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (index, piece) in line.split(['"', '\'']).enumerate() {
        if index % 2 == 1 {
            words.push(piece.to_owned());
            continue;
        }
        for word in piece.split_whitespace().filter(|word| *word != "...") {
            let word = word.trim_start_matches('[').trim_end_matches(']');
            let word = word.split('|').next().unwrap_or(word);
            let example = EXAMPLES.iter().find(|(name, _)| *name == word);
            words.push(example.map_or(word, |(_, example)| example).to_owned());
        }
    }
    words
}

/// Why the program would refuse a line, if it would.
fn refusal(line: &Line) -> Option<String> {
    let mut words = typed(&line.text);
    if words == ["tavola"] {
        return None;
    }
    // `--without PART`: any part will do.
    for index in 1..words.len() {
        let flag = words[index - 1].trim_start_matches("--").to_owned();
        if words[index] == "PART" {
            words[index] = first_choice(&words[1], &flag);
        }
    }
    let told = |reason: String| Some(format!("{}: `{}`: {reason}", line.place, line.text));
    let error = match Cli::try_parse_from(&words) {
        Ok(cli) => return wrong_player(&cli.command).and_then(told),
        Err(error) => error,
    };
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => None,
        // A sentence may name a flag without its value.
        ErrorKind::MissingRequiredArgument | ErrorKind::InvalidValue
            if line.is_mention && error.to_string().contains("required") =>
        {
            None
        }
        _ => told(error.to_string()),
    }
}

/// Why a player that the command names cannot play its game.
fn wrong_player(command: &host::cli::Command) -> Option<String> {
    use host::cli::Command;
    let (players, spec) = match command {
        Command::Arena(arena) => (vec![arena.a.clone(), arena.b.clone()], arena.game),
        Command::Match(arguments) => {
            let player = |contestant: &Contestant| match contestant {
                Contestant::Player(name) => Some(name.clone()),
                Contestant::Board(_) | Contestant::Program(_) => None,
            };
            let both = [&arguments.first, &arguments.second];
            (both.into_iter().filter_map(player).collect(), arguments.game)
        }
        Command::Play(play) => (play.player.clone().into_iter().collect(), play.spec?),
        _ => return None,
    };
    let refusal = |name: &String| registry::check(name, spec).err().map(|error| error.to_string());
    players.iter().find_map(refusal)
}

/// The first of the values that a flag knows.
fn first_choice(command: &str, flag: &str) -> String {
    let all = Cli::command();
    let command = all.find_subcommand(command).expect(command);
    let argument = command.get_arguments().find(|argument| argument.get_long() == Some(flag));
    let values = argument.expect(flag).get_possible_values();
    values.first().expect("choices").get_name().to_owned()
}

#[test]
fn every_command_line_in_the_guides_can_be_typed() {
    let guides = [vec![root().join("README.md")], files("docs", ".md")].concat();
    let mut lines: Vec<Line> = Vec::new();
    for guide in &guides {
        let name = guide.file_name().expect("a name").to_string_lossy().into_owned();
        lines.extend(lines_of(&name, &read(guide)));
    }
    let told = lines.len();
    let command = Cli::command();
    lines.extend(lines_of_help(&command));
    lines.extend(command.get_subcommands().flat_map(lines_of_help));
    // If the lines were not found, all of them would be right.
    assert!(told > 40 && lines.len() - told > 40, "{told} of {}", lines.len());
    let refused: Vec<String> = lines.iter().filter_map(refusal).collect();
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

#[test]
fn wrong_command_lines_are_found() {
    let guide = "`tavola show FILE --gmae N` and `cargo tavola\nsolv`\n```sh\n$ cargo play --leval 3\n\
                 echo | cargo tavola solve  # nothing\ntavola arena oneply lavahound --game SPEC\n```\n`tavola arena --record` `tavola`\n";
    let lines = lines_of("guide", guide);
    let refused: Vec<String> = lines.iter().filter_map(refusal).collect();
    let text = refused.join("\n");
    assert_eq!((lines.len(), refused.len()), (7, 5), "{text}");
    for part in
        ["--gmae", "'solv'", "guide:4: `tavola play --leval 3`", "guide:5", "<SPEC>", "guide:6"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn the_guide_to_playing_lists_every_flag() {
    let guide = read(&root().join("docs/play.md"));
    let rows = guide.lines().filter(|line| line.starts_with("| `--"));
    let cells = rows.filter_map(|row| row.split('|').nth(1));
    let told: BTreeSet<String> = cells
        .flat_map(|cell| cell.split('`').filter_map(|code| code.strip_prefix("--")))
        .map(|code| code.split(' ').next().unwrap_or(code).to_owned())
        .collect();
    let command = Cli::command();
    let play = command.find_subcommand("play").expect("play");
    assert_eq!(told, flags(play).into_iter().collect());
}
