//! Players against each other, as a user meets them: `arena`, `league`, `show` and `players`.

mod support;

use std::fs;
use std::path::PathBuf;

use serde_json::Value;
use support::{assert_refused, json_lines, stderr, stdout, tavola, tavola_with_input};

/// The path of a file for a test that does not exist yet.
fn new_file(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_file(&path);
    path.to_str().expect("a plain path").into()
}

const ARENA: [&str; 9] =
    ["arena", "random", "oneply", "--game", "mnk:3x3x3", "--nodes", "500", "--games", "4"];

#[test]
fn an_arena_with_a_node_limit_is_the_same_twice() {
    let (one, two) = (new_file("same-1.txt"), new_file("same-2.txt"));
    let first = tavola(&[&ARENA[..], &["--record", &one]].concat());
    let second = tavola(&[&ARENA[..], &["--record", &two]].concat());
    assert_eq!(first.status.code(), Some(0), "{}", stderr(&first));
    assert_eq!(stdout(&first), stdout(&second));
    assert_eq!(fs::read(&one).expect("a record"), fs::read(&two).expect("a record"));
    assert!(first.stderr.is_empty(), "no bar where there is no terminal");
    let text = stdout(&first);
    for line in [
        "random against oneply: mnk:3x3x3, 4 games, 500 nodes per move, table 64K, seed 0\n",
        "\nall ",
        "\nas first ",
        "\nas second ",
        "\nElo ",
        "\nforfeits  0\n",
    ] {
        assert!(text.contains(line), "{text}");
    }
    let other = tavola(&[&ARENA[..], &["--seed", "1", "--openings", "2"]].concat());
    assert_ne!(stdout(&other), text);
}

#[test]
fn an_arena_counts_its_games_by_side() {
    let output = tavola(&[&ARENA[..], &["--json"]].concat());
    let [report] = &json_lines(&output)[..] else { panic!("one object expected") };
    let count =
        |part: &str| ["won", "drawn", "lost"].map(|word| report[part][word].as_u64().expect(word));
    let (all, first, second) = (count("all"), count("as_first"), count("as_second"));
    assert_eq!(all.iter().sum::<u64>(), 4);
    assert_eq!(first.iter().sum::<u64>(), 2);
    for index in 0..3 {
        assert_eq!(all[index], first[index] + second[index]);
    }
    assert!(report["elo"]["low"].as_f64() < report["elo"]["high"].as_f64());
    assert_eq!(report["costs"][0]["microseconds"], Value::Null);
    assert_eq!(report["forfeits"], serde_json::json!([]));
    assert_eq!(report["margin_sum"], Value::Null);
}

#[test]
fn an_arena_of_bricks_adds_up_margins() {
    let arguments =
        ["arena", "oneply", "random", "--game", "bricks:4", "--time", "2s", "--games", "2"];
    let output = tavola(&arguments);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains("\nmargins   sum ") && text.contains(" ms per move (most "), "{text}");
    let report = &json_lines(&tavola(&[&arguments[..], &["--json"]].concat()))[0];
    assert_eq!(
        report["margin_sum"].as_f64().expect("a sum") / 2.0,
        report["margin_mean"].as_f64().expect("a mean")
    );
    assert!(report["costs"][0]["most_microseconds"].is_u64());
}

#[test]
fn two_games_in_a_row_share_an_opening() {
    let file = new_file("openings.txt");
    let output = tavola(&[
        "arena",
        "oneply",
        "random",
        "--game",
        "connect:6x7x4",
        "--nodes",
        "50",
        "--games",
        "4",
        "--openings",
        "4",
        "--record",
        &file,
    ]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = fs::read_to_string(&file).expect("a record");
    let openings: Vec<String> = text
        .lines()
        .filter(|line| line.starts_with("1. "))
        .zip(text.lines().filter(|line| line.starts_with("2. ")))
        .map(|(one, two)| format!("{one} {two}"))
        .collect();
    assert_eq!(openings.len(), 4);
    assert_eq!((&openings[0], &openings[2]), (&openings[1], &openings[3]));
    assert_ne!(openings[0], openings[2]);
}

#[test]
fn a_record_is_shown() {
    let file = new_file("show.txt");
    assert_eq!(tavola(&[&ARENA[..], &["--record", &file]].concat()).status.code(), Some(0));
    let list = stdout(&tavola(&["show", &file]));
    assert_eq!(list.lines().count(), 5, "{list}");
    let begin = stdout(&tavola(&["show", &file, "--game", "2", "--ply", "0"]));
    let board = "before the first move:\n    0 1 2\n  0 . . .\n  1 . . .\n  2 . . .\n";
    assert!(begin.starts_with("game 2 of 4: mnk:3x3x3\nfirst  x oneply\nsecond o random\n"));
    assert!(begin.ends_with(board), "{begin}");
    // One ply looks ahead and takes the middle.
    let moved = stdout(&tavola(&["show", &file, "--game", "2", "--ply", "1"]));
    assert!(moved.ends_with("\n  0 . . .\n  1 . X .\n  2 . . .\n"), "{moved}");
    let end = stdout(&tavola(&["show", &file, "--game", "1"]));
    assert!(end.contains("\nresult ") && end.contains("\nafter move "), "{end}");

    assert_refused(&["show", &file, "--ply", "1"], "there are 4 games: choose one with --game");
    assert_refused(&["show", &file, "--game", "0"], "no game 0: expected 1 to 4");
    assert_refused(&["show", &file, "--game", "5"], "no game 5: expected 1 to 4");
    assert_refused(&["show", &file, "--game", "1", "--ply", "10"], "there is no ply 10");
}

/// A game with values of all kinds, and one move without.
const VALUES: &str = "[Game \"mnk:3x3x3\"]\n[First \"a<b\"]\n[Second \"c\"]\n\n\
                      1. 0,0 {+5; 7 nodes} 0,1 {-20; 9 nodes; 3 us}\n\
                      2. 1,0 {0 nodes} 1,1 {loss in 1; 2 nodes}\n3. 2,0 {win in 1; 1 nodes}\n1-0\n";

#[test]
fn the_values_of_a_game_are_drawn() {
    let (record, graph) = (new_file("values.txt"), new_file("values.svg"));
    fs::write(&record, VALUES).expect("a file");
    let arguments = ["show", &record, "--game", "1", "--plot", &graph];
    let output = tavola(&arguments);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).starts_with("game 1 of 1"), "the board is shown as ever");
    let svg = fs::read_to_string(&graph).expect("a graph");
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"), "{svg}");
    for text in [
        ">first: a&lt;b</text>",
        ">second: c</text>",
        ">+20</text>",
        ">-20</text>",
        "<title>move 2, 0,1 by c: -20</title>",
        "<title>move 5, 2,0 by a&lt;b: win in 1</title>",
    ] {
        assert!(svg.contains(text), "{text}: {svg}");
    }
    assert!(!svg.contains("<title>move 3,"), "no value, no dot");
    assert_refused(&arguments, "exists already: choose another name, or overwrite it by --force");
    let output = tavola(&[&arguments[..], &["--force", "--json"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(json_lines(&output).len(), 1);
    assert_eq!(fs::read_to_string(&graph).expect("a graph"), svg);
    assert_refused(&["show", &record, "--force"], "--plot");
}

#[test]
fn a_game_without_values_is_not_drawn() {
    let (record, graph) = (new_file("no-values.txt"), new_file("no-values.svg"));
    let bare = "[Game \"mnk:3x3x3\"]\n[First \"a\"]\n[Second \"b\"]\n\n\
                1. 0,0 0,1 2. 1,0 1,1 3. 2,0 {0 nodes}\n1-0\n";
    fs::write(&record, format!("{VALUES}{bare}")).expect("a file");
    let plot = |game| ["show", &record, "--game", game, "--plot", &graph];
    assert_refused(&plot("2"), "nothing to plot: no move of game 2 has a value");
    assert!(!PathBuf::from(&graph).exists(), "no empty file is left behind");
    assert_refused(&["show", &record, "--plot", &graph], "2 games: choose one with --game");
    assert_eq!(tavola(&plot("1")).status.code(), Some(0));
}

#[test]
fn a_record_is_shown_as_json() {
    let file = new_file("json.txt");
    let bricks = "[Game \"bricks:2\"]\n[First \"a\"]\n[Second \"b\"]\n\
                  [Forfeit \"second: late\"]\n\n1. 0,0,h {margin +0; 1 nodes}\n1-0\n";
    fs::write(&file, format!("{VALUES}{bricks}")).expect("a file");
    let games = json_lines(&tavola(&["show", &file, "--json"]));
    let [mnk, bricks] = &games[..] else { panic!("{games:?}") };
    assert_eq!((&mnk["game"], &bricks["game"]), (&1.into(), &2.into()));
    assert_eq!(mnk["spec"], "mnk:3x3x3");
    assert_eq!((&mnk["first"], &mnk["second"]), (&"a<b".into(), &"c".into()));
    assert_eq!((&mnk["result"], &mnk["margin"]), (&"1-0".into(), &Value::Null));
    let json = serde_json::json!({"move": "0,1", "side": "second", "nodes": 9, "microseconds": 3,
        "value": {"kind": "guess", "score": -20}});
    assert_eq!(mnk["moves"][1], json);
    assert_eq!(mnk["moves"][2]["value"], Value::Null);
    assert_eq!(mnk["moves"][3]["value"], serde_json::json!({"kind": "loss", "plies": 1}));
    assert_eq!(mnk["ply"], 5);
    assert_eq!(bricks["forfeit"], serde_json::json!({"side": "second", "reason": "late"}));
    assert_eq!(bricks["margin"], 4.0);
    assert_eq!(bricks["moves"][0]["value"], serde_json::json!({"kind": "margin", "points": 0}));
    let one = json_lines(&tavola(&["show", &file, "--game", "1", "--ply", "1", "--json"]));
    let board = serde_json::json!(["    0 1 2", "  0 X . .", "  1 . . .", "  2 . . ."]);
    assert_eq!((&one[0]["ply"], &one[0]["board"]), (&1.into(), &board));
}

#[test]
fn broken_records_are_refused_with_the_line() {
    let game = "[Game \"mnk:3x3x3\"]\n[First \"a\"]\n[Second \"b\"]\n\n1. 0,0 0,0\n1-0\n";
    let output = tavola_with_input(&["show", "-"], game);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(stderr(&output), "error: `-`: line 5: move 2 `0,0`: that place is taken\n");
    let file = new_file("bytes.txt");
    fs::write(&file, (0..=255).collect::<Vec<u8>>()).expect("a file");
    assert_refused(&["show", &file], "line ");
    fs::write(&file, "").expect("a file");
    assert_refused(&["show", &file], "line 1: there is no game");
    assert_refused(&["show", "no/such/file"], "cannot read `no/such/file`");
}

#[test]
fn a_file_is_never_overwritten_by_accident() {
    let file = new_file("kept.txt");
    fs::write(&file, "precious").expect("a file");
    assert_refused(&[&ARENA[..], &["--record", &file]].concat(), "exists already");
    let league = ["league", "bricks", "--players", "random,oneply", "--nodes", "1"];
    let record = new_file("not-left-behind.txt");
    assert_refused(
        &[&league[..], &["--plot", &file, "--record", &record]].concat(),
        "exists already: choose another name, or overwrite it by --force",
    );
    assert!(!PathBuf::from(&record).exists());
    assert_eq!(fs::read_to_string(&file).expect("a file"), "precious");
    let output = tavola(&[&league[..], &["--plot", &file, "--force"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let svg = fs::read_to_string(&file).expect("a chart");
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"), "{svg}");
    assert!(svg.contains(">random</text>") && svg.contains(">oneply</text>"));
    assert_refused(&[&ARENA[..], &["--record", "no/such/file"]].concat(), "cannot write");
}

#[test]
fn a_league_ends_with_a_table() {
    let league = ["league", "connect", "--players", "random,oneply", "--nodes", "20"];
    let output = tavola(&league);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(text, stdout(&tavola(&league)), "the same on every run");
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].contains("16 boards") && lines[0].ends_with("32 games"), "{text}");
    assert!(lines[2].trim().starts_with("1  oneply "), "{text}");
    assert!(lines[3].trim().starts_with("2  random "), "{text}");

    let report = &json_lines(&tavola(&[&league[..], &["--json"]].concat()))[0];
    assert_eq!(report["games"].as_array().map(Vec::len), Some(32));
    let points = |row: usize| report["standings"][row]["points"].as_f64().expect("points");
    let number = |row: usize, word: &str| {
        report["standings"][row][word].as_f64().unwrap_or_else(|| panic!("{word}"))
    };
    for row in 0..2 {
        assert_eq!(points(row), 3.0 * number(row, "won") + number(row, "drawn"));
        assert_eq!(number(row, "won") + number(row, "drawn") + number(row, "lost"), 32.0);
    }
}

#[test]
fn margins_of_a_bricks_league_add_up_to_nothing() {
    let output =
        tavola(&["league", "bricks", "--players", "random;oneply", "--nodes", "20", "--json"]);
    let report = &json_lines(&output)[0];
    let points = |row: usize| report["standings"][row]["points"].as_f64().expect("points");
    assert!((points(0) + points(1)).abs() < 1e-9);
    assert_eq!(report["boards"], serde_json::json!(["bricks:6", "bricks:8"]));
}

#[test]
fn tables_seeds_and_boards_are_given_by_flags() {
    let arena = tavola(&[&ARENA[..], &["--table", "1K", "--seed", "5"]].concat());
    assert!(stdout(&arena).contains("table 1K, seed 5\n"), "{}", stdout(&arena));
    let record = new_file("league.txt");
    let league = ["league", "bricks", "--players", "random,oneply", "--boards", "small"];
    let more = ["--time", "5s", "--table", "1K", "--seed", "5", "--record", &record];
    let output = tavola(&[&league[..], &more].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = fs::read_to_string(&record).expect("a record");
    assert!(text.contains("[Limit \"5s\"]\n[Table \"1K\"]\n"), "{text}");
    assert_refused(&["league", "mnk", "--boards", "large"], "small, all");
}

#[test]
fn the_players_are_listed() {
    let text = stdout(&tavola(&["players"]));
    let records = json_lines(&tavola(&["players", "--json"]));
    let players = records[0].as_array().expect("an array");
    for name in ["tavola", "oneply", "random"] {
        assert!(text.lines().any(|line| line.starts_with(name)), "{text}");
        assert!(players.iter().any(|player| player["name"] == name));
    }
    for player in players {
        for field in ["name", "parameters", "plays", "about", "source"] {
            assert!(player[field].is_string(), "{field}");
        }
    }
}

#[test]
fn bad_names_and_numbers_are_refused() {
    let board = ["--game", "mnk:3x3x3"];
    let arena = |a, b| [&["arena", a, b][..], &board].concat();
    assert_refused(&arena("nobody", "random"), "`nobody`: unknown player: expected one of");
    assert_refused(&arena("random", ""), "``: unknown player");
    assert_refused(&arena("random:x", "oneply"), "`random:x`: random has no parameters");
    assert_refused(&["arena", "random", "oneply"], "--game <SPEC>");
    assert_refused(&["arena", "random", "oneply", "--game", "mnk:0x3x3"], "rows out of range");
    let extra = |more: &[&'static str]| [&arena("random", "oneply")[..], more].concat();
    assert_refused(&extra(&["--games", "0"]), "--games");
    assert_refused(&extra(&["--openings", "41"]), "--openings");
    assert_refused(&extra(&["--nodes", "5", "--time", "1s"]), "cannot be used with");
    assert_refused(&extra(&["--time", "5"]), "as in 500ms, 10s");
    assert_refused(&["league", "chess"], "mnk, connect, bricks");
    assert_refused(&["league", "mnk", "--players", "oneply,nobody"], "`nobody`: unknown player");
    assert_refused(&["league", "mnk", "--players", "oneply"], "needs two players");
    assert_refused(&["league", "mnk", "--force"], "--plot");
}
