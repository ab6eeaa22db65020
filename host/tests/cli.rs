//! The command as a user meets it: arguments in, text and exit code out.

mod support;

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::Value;
use support::{Folder, assert_refused, json_lines, stderr, stdout, tavola, tavola_with_input};

#[test]
fn bad_input_is_refused_in_one_line_with_exit_code_2() {
    assert_refused(&["solve", "chess"], "unknown game: expected mnk:ROWSxCOLSxK");
    assert_refused(&["solve", "mnk:0x3x3"], "rows out of range: expected 1 to 70");
    assert_refused(&["solve", "connect:6x7"], "expected connect:ROWSxCOLSxX");
    assert_refused(&["solve"], "<SPEC>");
    assert_refused(&["solve", "mnk:3x3x3", "--table", "1"], "at least 64");
    assert_refused(&["solve", "mnk:3x3x3", "--time", "10"], "as in 500ms, 10s");
    assert_refused(&["solve", "mnk:3x3x3", "--nodes", "many"], "--nodes");
    assert_refused(&["solve", "mnk:3x3x3", "--columns", "11"], "for connect boards only");
    assert_refused(
        &["solve", "mnk:3x3x3", "--moves", "0,0 1,1 0,0"],
        "move 3 `0,0`: that place is taken",
    );
    assert_refused(&["solve", "connect:6x7x4", "--columns", "448"], "move 3 `8`: outside");
    assert_refused(&["solve", "connect:6x7x4", "--columns", "4", "--moves", "3"], "cannot be used");
    assert_refused(
        &["solve", "mnk:3x3x3", "--batch", "no/such/file"],
        "cannot read `no/such/file`",
    );
    assert_refused(&["sovle"], "solve");
}

#[test]
fn help_has_examples() {
    for arguments in [
        &["--help"][..],
        &["play", "--help"],
        &["match", "--help"],
        &["completions", "--help"],
        &["solve", "--help"],
        &["bench", "--help"],
        &["arena", "--help"],
        &["league", "--help"],
        &["show", "--help"],
        &["players", "--help"],
        &["brain", "--help"],
        &["clock", "--help"],
        &["emulate", "--help"],
        &["book", "--help"],
        &["verify", "--help"],
    ] {
        let output = tavola(arguments);
        assert_eq!(output.status.code(), Some(0));
        assert!(stdout(&output).contains("Examples:"));
    }
}

#[test]
fn tic_tac_toe_is_a_draw() {
    let output = tavola(&["solve", "mnk:3x3x3"]);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(text.lines().next(), Some("mnk:3x3x3 after 0 moves: draw"));
    for word in ["\nbest ", "\nline ", "\nnodes ", "\ntime ", "\ntable "] {
        assert!(text.contains(word), "{text}");
    }
    assert!(output.stderr.is_empty(), "no progress line where there is no terminal");
}

#[test]
fn a_win_is_told_with_its_distance_and_for_whom() {
    // X X .    The first player is to move and wins at once.
    // O O .
    // . . .
    let moves = "0,0 0,1 1,0 1,1";
    let text = stdout(&tavola(&["solve", "mnk:3x3x3", "--moves", moves]));
    let first_line = "mnk:3x3x3 after 4 moves: first wins (win in 1 for the side to move)";
    assert_eq!(text.lines().next(), Some(first_line));
    assert!(text.contains("\nbest   2,0\n"), "{text}");
    // With only the outcome asked there is no distance.
    let text = stdout(&tavola(&["solve", "mnk:3x3x3", "--moves", moves, "--outcome-only"]));
    assert_eq!(text.lines().next(), Some("mnk:3x3x3 after 4 moves: first wins"));
}

#[test]
fn a_loss_is_told_for_the_side_to_move() {
    // The second player is to move and cannot stop both ends of the row.
    let text = stdout(&tavola(&["solve", "connect:4x7x4", "--columns", "33445"]));
    let first_line = "connect:4x7x4 after 5 moves: first wins (loss in 2 for the side to move)";
    assert_eq!(text.lines().next(), Some(first_line));
}

#[test]
fn bricks_end_with_a_margin() {
    let text = stdout(&tavola(&["solve", "bricks:2"]));
    // Each player lays one brick of two cells.
    let first_line = "bricks:2 after 0 moves: draw (margin +0 for the side to move)";
    assert_eq!(text.lines().next(), Some(first_line));
}

#[test]
fn a_finished_game_is_told_as_such() {
    let output = tavola(&["solve", "connect:6x7x4", "--columns", "1212121"]);
    assert_eq!(stdout(&output), "connect:6x7x4 after 7 moves: first wins (game over)\n");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_limit_ends_the_work_with_exit_code_1() {
    let output = tavola(&["solve", "connect:6x7x4", "--nodes", "10"]);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    let first_line = text.lines().next().unwrap_or_default();
    assert!(
        first_line.starts_with("connect:6x7x4 after 0 moves: not solved: value between "),
        "{text}"
    );
    let output = tavola(&["solve", "connect:20x20x10", "--time", "50ms", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(json_lines(&output)[0]["outcome"], Value::Null);
}

#[test]
fn json_has_all_fields() {
    let output =
        tavola(&["solve", "mnk:3x3x3", "--moves", "0,0 0,1 1,0 1,1", "--table", "1K", "--json"]);
    let [record] = &json_lines(&output)[..] else { panic!("one object expected") };
    assert_eq!(record["spec"], "mnk:3x3x3");
    assert_eq!(record["moves"], serde_json::json!(["0,0", "0,1", "1,0", "1,1"]));
    assert_eq!(record["outcome"], "first");
    assert_eq!(record["plies"], 1);
    assert_eq!(record["margin"], Value::Null);
    assert_eq!(record["best"], "2,0");
    assert_eq!(record["line"], serde_json::json!(["2,0"]));
    assert!(record["nodes"].is_u64() && record["microseconds"].is_u64());
    assert_eq!(record["table_bytes"], 1_024);
    assert_eq!(record["ending"], "complete");
}

#[test]
fn a_batch_goes_on_after_a_bad_line() {
    let input = "# comment\n33445 -5\n\n448\n1212121 -11\n121212 3\n121212 4 5\n";
    let arguments = ["solve", "connect:4x7x4", "--batch", "-"];
    let output = tavola_with_input(&arguments, input);
    let (text, errors) = (stdout(&output), stderr(&output));
    assert_eq!(output.status.code(), Some(1), "{text}{errors}");
    assert_eq!(errors.lines().count(), 2, "{errors}");
    assert!(errors.contains("line 4: move 3 `8`: outside the board"), "{errors}");
    assert!(errors.contains("line 7: `4 5` is not a score"), "{errors}");
    let lines: Vec<&str> = text.lines().skip(1).collect();
    // 28 cells: the winner's fourth stone is the eleventh from his last.
    assert!(lines[0].trim().starts_with("2  first "), "{text}");
    assert!(lines[0].ends_with("MISMATCH expected -5 got -11"), "{text}");
    assert!(lines[1].contains(" first ") && lines[1].ends_with("  ok"), "{text}");
    assert!(lines[2].ends_with("MISMATCH expected 3 got 11"), "{text}");
    assert!(
        lines[3].starts_with("3 positions: 3 solved, 0 not solved; 2 bad lines; 3 checked, 2 mis"),
        "{text}"
    );
    assert!(lines[4].starts_with("mean "), "{text}");

    // By the sign alone the two mismatches agree.
    let output =
        tavola_with_input(&[&arguments[..], &["--outcome-only", "--json"]].concat(), input);
    let records = json_lines(&output);
    assert_eq!(records.len(), 4);
    assert_eq!((&records[0]["number"], &records[0]["agrees"]), (&2.into(), &true.into()));
    assert_eq!(records[0]["plies"], Value::Null);
    assert_eq!(records[3]["mismatched"], 0);
    assert_eq!(records[3]["bad"], 2);
}

#[test]
fn a_clean_batch_ends_with_exit_code_0() {
    let output = tavola_with_input(&["solve", "mnk:3x3x3", "--batch", "-"], "1,1\n1,1 0,0\r\n");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("2 positions: 2 solved"));
}

#[test]
fn a_closed_pipe_is_no_reason_to_panic() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tavola"))
        .args(["solve", "mnk:3x3x3", "--batch", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("tavola starts");
    drop(child.stdout.take());
    let input = "1,1 0,0 2,2 0,2 0,1\n".repeat(50);
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    let output = child.wait_with_output().expect("tavola ends");
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty(), "{}", stderr(&output));
}

#[test]
fn bench_prints_a_signature() {
    let output = tavola(&["bench"]);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let signature = text.lines().last().and_then(|line| line.strip_prefix("signature "));
    assert!(signature.is_some_and(|hex| u32::from_str_radix(hex, 16).is_ok() && hex.len() == 8));
    let json = &json_lines(&tavola(&["bench", "--json"]))[0];
    assert_eq!(json["signature"].as_str(), signature, "the same on every run");
    assert_eq!(json["positions"].as_array().map(Vec::len), Some(12));
}

#[test]
fn bench_compares_sizes_of_boards() {
    let sizes = ["bench", "--sizes", "--table", "1M"];
    let output = tavola(&sizes);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(stdout(&output).lines().count(), 4);
    assert!(output.stderr.is_empty(), "no bar where there is no terminal");
    let output = tavola(&[&sizes[..], &["--json"]].concat());
    let boards = &json_lines(&output)[0];
    assert_eq!(boards[0]["percent_of_first"], 100);
    assert!(boards[2]["nodes"].as_u64() > Some(0), "{boards}");
}

#[test]
fn a_sample_is_the_same_for_the_same_seed() {
    let solve = |more: &[&str]| {
        let sample = ["solve", "connect:6x7x4", "--sample", "3", "--outcome-only", "--json"];
        let output = tavola(&[&sample[..], more].concat());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let records = json_lines(&output);
        let told = |name: &str| records.iter().map(|record| record[name].clone()).collect();
        let (moves, outcomes): (Vec<Value>, Vec<Value>) = (told("moves"), told("outcome"));
        (moves, outcomes)
    };
    let usual = solve(&[]);
    assert_eq!(solve(&["--seed", "0"]), usual);
    assert_ne!(solve(&["--seed", "1"]).0, usual.0);
    // Another way to the same answers.
    assert_eq!(solve(&["--without", "history"]), usual);
    assert_refused(&["solve", "connect:6x7x4", "--without", "luck"], "history");
    assert_refused(&["solve", "connect:6x7x4", "--sample", "3", "--batch", "-"], "cannot be used");
}

#[test]
fn verify_finds_nothing_given_away_on_a_small_board() {
    let verify =
        ["verify", "connect:4x4x3", "--solver-table", "1M", "--table", "64K", "--seed", "2"];
    let games = ["--decisions", "6", "--plies", "8", "--nodes", "20000", "--json"];
    let output = tavola(&[&verify[..], &games].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let verdict = &json_lines(&output)[0];
    assert_eq!((&verdict["decisions"], &verdict["mistakes"]), (&6.into(), &serde_json::json!([])));
    let set_up = ["--set-up", "3", "--decisions", "2", "--time", "500ms"];
    let output = tavola(&[&verify[..], &set_up].concat());
    let text = stdout(&output);
    assert!(text.starts_with("decisions     2: ") && text.contains("given away    0"), "{text}");
    let mnk = ["verify", "mnk:5x4x4", "--solver-nodes", "1", "--decisions", "4", "--nodes", "500"];
    assert!(stdout(&tavola(&mnk)).contains(" unknown\n"));
    let opened = ["verify", "mnk:4x3x3", "--opening", "2", "--decisions", "4", "--nodes", "2000"];
    assert!(stdout(&tavola(&opened)).contains("given away    0"));
    assert_refused(&["verify", "mnk:9x9x5"], "only connect and mnk boards of up to 64 cells");
    assert_refused(&["verify", "--set-up", "21"], "--set-up 21: expected at most 20 stones");
    let plies = ["verify", "connect:4x4x3", "--set-up", "16", "--plies", "99"];
    assert_refused(&plies, "expected at most 15 stones");
}

#[test]
fn a_book_goes_on_from_what_is_done() {
    let folder = Folder::new("book");
    let (file, part) = (folder.file("book.bin"), folder.file("done.txt"));
    // The one decision of this book is made already, the middle column, and what comes after it is tried.
    let done = format!(
        "tavola book {} table 1M\nfirst 0 0 1 3\nhard 77 first 0 0 1 300:2,33:4;\n",
        env!("CARGO_PKG_VERSION")
    );
    std::fs::write(&part, done).expect("a file");
    let size = ["book", &file, "--first", "1", "--second", "0", "--hard", "77"];
    let book = [&size[..], &["--table", "1M", "--part", &part]].concat();
    let output = tavola(&book);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains(" 1 decisions, 2 hard positions; 0 positions solved now"));
    let list = [12, 1, 0, 0, 0, 0, 0, 98, 9, 0, 0, 0, 0, 0];
    assert_eq!(std::fs::read(&file).expect("a book"), [&[1, 0, 3][..], &list].concat());
    assert_refused(&book, "exists already: choose another name, or overwrite it by --force");
    assert_eq!(tavola(&[&book[..], &["--force"]].concat()).status.code(), Some(0));
    let other_table = [&size[..], &["--table", "2M", "--part", &part, "--force"]].concat();
    assert_refused(&other_table, "with another --table");
    assert_refused(&["book", &file, "--first", "99"], "a side has at most");
}

#[test]
fn a_table_of_answers_is_the_same_from_both_sides_and_goes_on_from_what_is_done() {
    use engine::players::tavola::gomoku::{BYTES, SPAN, answer_of};
    let folder = Folder::new("gomoku");
    let file = folder.file("answers.bin");
    let book = ["book", "--game", "gomoku", &file, "--nodes", "800", "--table", "64K", "--force"];
    let output = tavola(&book);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("; 43 positions solved now"), "{}", stdout(&output));
    let bytes = std::fs::read(&file).expect("a table");
    assert_eq!(bytes.len(), BYTES);
    for (n, &byte) in bytes.iter().enumerate() {
        let (row, col) = (n / SPAN, n % SPAN);
        let turned = answer_of(bytes[col * SPAN + row]).map(|(rows, cols)| (cols, rows));
        // On the diagonal itself an answer may lie on either side.
        assert!(row == col || answer_of(byte) == turned, "{row} {col}");
    }
    // The first two stones themselves.
    assert_eq!(bytes.iter().filter(|&&byte| byte == 0).count(), 2);
    assert!(stdout(&tavola(&book)).contains("; 0 positions solved now"));
    assert_eq!(std::fs::read(&file).expect("a table"), bytes);
}

#[test]
fn a_book_of_small_boards_is_as_the_built_in_one_and_goes_on_from_what_is_done() {
    use engine::players::tavola::mnk_book::{MnkBook, built_in};
    let folder = Folder::new("mnk-book");
    let file = folder.file("book.bin");
    let book = ["book", "--game", "mnk", &file, "--board", "mnk:4x3x3", "--table", "1M", "--force"];
    let output = tavola(&book);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(!stdout(&output).contains("; 0 positions solved now"));
    let bytes = std::fs::read(&file).expect("a book");
    let chapters: Vec<_> = MnkBook::new(&bytes).expect("a book").chapters().collect();
    assert!(!chapters.is_empty());
    for chapter in chapters {
        let built_in = built_in()
            .expect("a book")
            .chapters()
            .find(|other| (other.spec, other.ply) == (chapter.spec, chapter.ply));
        let built_in = built_in.expect("the same board");
        let entries = |chapter: &engine::players::tavola::mnk_book::Chapter<'_>| -> Vec<_> {
            (0..chapter.len()).map(|n| chapter.entry(n)).collect()
        };
        assert_eq!(entries(&chapter), entries(&built_in));
    }
    assert!(stdout(&tavola(&book)).contains("; 0 positions solved now"));
    assert_eq!(std::fs::read(&file).expect("a book"), bytes);
    let part = folder.file("hard");
    let told = |limits: &[&str]| {
        let _ = std::fs::remove_file(&part);
        stdout(&tavola(&[&book[..], &["--hard", "5", "--part", &part], limits].concat()))
    };
    assert!(told(&[]).contains(" 9 positions, 0 given up"));
    assert!(told(&["--plies", "2"]).contains(" 5 positions, 0 given up"));
    assert!(told(&["--most", "5"]).contains(" 2 positions, 6 given up"));
    let connect = ["book", "--game", "mnk", &file, "--board", "connect:4x4x4", "--force"];
    assert_refused(
        &[&connect[..], &["--part", &folder.file("other")]].concat(),
        "the book is for mnk boards",
    );
}

#[cfg(unix)]
#[test]
fn a_board_that_cannot_be_emulated_leaves_no_picture() {
    let folder = Folder::new("emulate");
    let picture = &folder.file("matrix.png");
    let arguments = [
        "emulate",
        "--firmware",
        "no/such/file",
        "--headless",
        "--icount",
        "--screenshot",
        picture,
    ];
    // The reason is QEMU's own, or that there is none.
    assert_refused(&arguments, "");
    assert!(!std::path::Path::new(picture).exists());
    std::fs::write(picture, "mine").expect("a file");
    assert_refused(&arguments, "exists already: choose another name");
    assert_eq!(std::fs::read(picture).expect("a file"), b"mine");
}

#[test]
fn brain_answers_on_its_standard_output() {
    let input = "START 15\r\nINFO timeout_turn 50\r\nTURN 7,7\r\n";
    let output = tavola_with_input(&["brain", "--table", "64K", "--seed", "1"], input);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let (ok, mv) = text.trim_end().split_once('\n').expect("two lines");
    assert_eq!(ok, "OK");
    assert!(mv.split(',').all(|number| number.parse::<u8>().is_ok_and(|n| n < 15)), "{mv}");
    assert_refused(&["brain", "--table", "none"], "not a table size");
}

#[test]
fn clock_shares_a_game_out_and_draws_it() {
    let folder = Folder::new("clock");
    let file = &folder.file("clock.svg");
    let arguments = ["clock", "connect:6x7x4", "--turn", "10s", "--match", "60s", "--plot", file];
    let output = tavola(&arguments);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(stdout(&output).lines().count(), 22);
    assert!(std::fs::read_to_string(file).expect("a chart").ends_with("</svg>\n"));
    assert_refused(&arguments, "exists already");
    assert_eq!(tavola(&[&arguments[..], &["--force"]].concat()).status.code(), Some(0));
    assert_refused(&["clock", "chess"], "unknown game");
    assert_refused(&["clock", "bricks:5", "--turn", "2000h"], "too long");
}

#[test]
fn ablate_and_tune_play_the_engine_against_itself() {
    let board = ["--game", "mnk:9x9x4", "--pairs", "1", "--nodes", "50", "--openings", "2"];
    let rest = ["--table", "4K", "--seed", "3"];
    let ablate = [&["ablate", "reduce"][..], &board, &rest].concat();
    let text = stdout(&tavola(&ablate));
    assert!(text.contains("mnk:9x9x4, 2 games each, 50 nodes per move"), "{text}");
    assert!(text.lines().last().is_some_and(|line| line.starts_with("reduce")), "{text}");
    assert_refused(&["ablate", "brains"], "no part `brains`: there are table");

    let prices = "0,1,2,3,5,6,9,4,6,9,22,32,160,130,520,1200,0,500,200,0,0,0,0,0,0,0";
    let from = format!("{prices},{prices},-150");
    let tune = [&["tune", "--from", &from][..], &board, &rest].concat();
    let text = stdout(&tavola(&tune));
    assert!(text.contains("against the weights in use"), "{text}");
    assert!(text.contains("tempo: -150"), "{text}");
    let board = ["--game", "mnk:10x10x5", "--pairs", "1", "--nodes", "50", "--openings", "2"];
    let tune = [&["tune", "--learn", "40", "--rounds", "1"][..], &board, &rest].concat();
    let text = stdout(&tavola(&tune));
    assert!(text.contains("positions of 40 games; surprise 0."), "{text}");
    assert!(text.contains("waiter 12"), "{text}");
    assert_eq!(text, stdout(&tavola(&tune)), "the same every time");
    let on_top = [&["tune", "--learn", "40", "--on-top"][..], &board, &rest].concat();
    assert!(stdout(&tavola(&on_top)).contains("positions of 40 games; surprise 0."));
    assert_refused(&["tune", "--from", "1,2"], "--from: expected 53 numbers, not 2");
    let few = [&["tune", "--learn", "1", "--nodes", "1"][..], &board[..4], &rest].concat();
    assert_refused(&few, "give a larger --learn");
    assert_refused(&["tune", "--game", "mnk:5x5x4"], "take a larger one");
    assert_refused(&["tune", "--game", "connect:6x7x4"], "only mnk boards");
}

#[test]
fn a_network_is_learned_from_games_that_are_kept() {
    let folder = Folder::new("network");
    let [first, second, kept] =
        ["first.bin", "second.bin", "games.txt"].map(|name| folder.file(name));
    let common = ["tune", "--nodes", "40", "--pairs", "1", "--table", "4K", "--seed", "3"];
    let arguments = [&common[..], &["--net", &first, "--kept", &kept, "--learn", "40"]].concat();
    let text = stdout(&tavola(&arguments));
    assert!(text.contains("positions of 40 games"), "{text}");
    assert!(text.contains("against the weights in use: "), "{text}");
    assert_refused(&arguments, "exists already: choose another name, or overwrite it by --force");
    let network = std::fs::read(&first).expect("a network");
    let games = std::fs::read_to_string(&kept).expect("games");
    assert_eq!(games.lines().count(), 40);
    let again = stdout(&tavola(&[&arguments[..], &["--force"]].concat()));
    assert_eq!(text, again, "kept games say the same");
    assert_eq!(std::fs::read(&first).expect("a network"), network);
    assert_eq!(std::fs::read_to_string(&kept).expect("games"), games);

    // What was cut off is played again.
    let cut_off = games.rfind(" ").expect("a move");
    std::fs::write(&kept, &games[..cut_off]).expect("a file");
    assert_eq!(stdout(&tavola(&[&arguments[..], &["--force"]].concat())), text);
    assert_eq!(std::fs::read_to_string(&kept).expect("games"), games);

    // Only those that are missing are played, by the network.
    let more = ["--net", &second, "--kept", &kept, "--learn", "50", "--played-by", &first];
    assert!(stdout(&tavola(&[&common[..], &more].concat())).contains("positions of 50 games"));
    let games = std::fs::read_to_string(&kept).expect("games");
    assert_eq!(games.lines().count(), 50);

    std::fs::write(&second, "nothing").expect("a file");
    let third = folder.file("third.bin");
    let no_network = ["--net", &third, "--learn", "9", "--played-by", &second];
    assert_refused(
        &[&common[..], &no_network].concat(),
        &format!("no network of {} bytes", engine::game::line::patterns::net::BYTES),
    );
    std::fs::write(&kept, "17 mnk:10x10x5 first 44:-\nrubbish\n18").expect("a file");
    let fourth = folder.file("fourth.bin");
    let rubbish = ["--net", &fourth, "--learn", "9", "--kept", &kept];
    assert_refused(&[&common[..], &rubbish].concat(), "line 2 is no game");
    let fifth = folder.file("fifth.bin");
    let wrong = ["--net", &fifth, "--learn", "9", "--game", "mnk:10x10x6"];
    assert_refused(
        &[&common[..], &wrong].concat(),
        "a network is for mnk boards with lines of five",
    );
}

#[test]
fn weights_of_bricks_are_learned_from_margins() {
    let board = ["--game", "bricks:6", "--pairs", "1", "--nodes", "50", "--openings", "2"];
    let rest = ["--table", "4K", "--seed", "3"];
    let tune = [&["tune", "--learn", "20"][..], &board, &rest].concat();
    let text = stdout(&tavola(&tune));
    assert!(text.contains("positions of 20 games; off by "), "{text}");
    assert!(text.contains("against the weights in use: "), "{text}");
    assert_eq!(text.lines().filter(|line| line.starts_with('[')).count(), 7, "{text}");
    assert_eq!(text, stdout(&tavola(&tune)), "the same every time");

    let from = ["82,-60,13,74,-31,58,1,2,3,4"; 7].join(",");
    let tune = [&["tune", "--from", &from][..], &board, &rest].concat();
    let text = stdout(&tavola(&tune));
    assert!(text.starts_with("[82, -60, 13, 74, -31, 58, 1, 2, 3, 4],"), "{text}");
    assert_refused(&["tune", "--game", "bricks:6"], "--from: expected 70 numbers, not 0");
    assert_refused(&["tune", "--game", "bricks:6", "--rounds", "1"], "not climbed");
    assert_refused(&["tune", "--game", "bricks:13", "--learn", "1"], "boards over 12x12");
}

#[test]
fn each_player_of_the_arena_can_have_a_limit_and_a_table_of_its_own() {
    let games = ["arena", "oneply", "random", "--game", "bricks:4", "--games", "2"];
    for limits in [
        &["--nodes", "100", "--nodes-b", "50"][..],
        &["--time", "2s", "--time-b", "1s"],
        &["--game-time", "20s", "--game-time-b", "10s"],
    ] {
        let text = stdout(&tavola(&[&games[..], limits].concat()));
        assert!(text.contains("2 games"), "{text}");
    }
    let tables = ["--nodes", "50", "--table", "32K", "--table-b", "4K"];
    let text = stdout(&tavola(&[&games[..], &tables].concat()));
    assert!(text.contains("2 games, 50 nodes per move, table 32K against 4K, seed 0"), "{text}");
}
