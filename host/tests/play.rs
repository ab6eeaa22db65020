//! `tavola play` and `tavola match`: the screen without a terminal, the lines through pipes, and
//! the real program in tmux.

#[path = "support/screen.rs"]
mod screen;
mod support;

use std::ffi::OsStr;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use engine::game::{Outcome, Side};
use host::partner::place::Place;
use host::play::app::{App, Overlay};
use host::play::round::{Chair, Round};
use host::play::setup::{HumanSide, Setup};
use host::play::terminal;
use ratatui::crossterm::event::KeyCode;
use ratatui::style::{Color, Modifier};
use screen::{COLOUR, PLAIN, Screen, local, quick};
use support::{Folder, assert_refused, stderr, stdout, tavola, tavola_with_input};

/// The usual terminal.
const USUAL: (u16, u16) = (80, 24);

fn both(spec: &str) -> Setup {
    Setup { human: HumanSide::Both, ..quick(spec) }
}

// The full screen

#[test]
fn the_menu_leads_to_a_game_and_the_partner_answers() {
    let mut screen = Screen::new(quick("mnk:15x15x5"), COLOUR, true, USUAL);
    assert!(screen.text().contains("stones in a row"), "{}", screen.text());
    screen.press(KeyCode::Right);
    assert!(screen.text().contains("pieces that fall"));
    screen.press(KeyCode::Left);
    screen.press(KeyCode::Down);
    screen.type_text("9");
    screen.press(KeyCode::Enter);
    assert!(screen.text().contains("mnk:9x15x5"), "{}", screen.text());
    screen.press(KeyCode::Enter);
    screen.until_ply(2);
    let text = screen.text();
    assert!(text.contains("Your move.") && text.contains("1. 7,4"), "{text}");
}

#[test]
fn a_win_is_marked_and_told_without_colours_too() {
    let mut screen = Screen::new(both("mnk:3x3x3"), PLAIN, false, USUAL);
    screen.until(|app| app.round.thinking().is_none());
    for mv in ["0,0", "0,1", "1,0", "1,1", "2,0"] {
        screen.play(mv);
    }
    let text = screen.text();
    assert!(text.contains("first wins: 3 in a row from 0,0 to 2,0."), "{text}");
    // The line is in capitals, the last move in brackets.
    assert!(text.contains("0  X   X  (X)") && text.contains("1  o   o   ."), "{text}");
    assert!(
        text.is_ascii() || text.chars().all(|c| c.is_ascii() || "│┌┐└┘─".contains(c)),
        "{text}"
    );
    let coloured =
        |cell: &ratatui::buffer::Cell| cell.fg != Color::Reset || cell.bg != Color::Reset;
    assert!(!screen.buffer().content.iter().any(coloured));
    screen.play("2,2");
    assert!(screen.text().contains("the game is over; u takes back"), "{}", screen.text());
}

#[test]
fn the_winning_line_has_another_shape_and_is_reversed() {
    let mut screen = Screen::new(both("connect:4x4x3"), COLOUR, false, USUAL);
    for mv in ["0", "0", "1", "1", "2"] {
        screen.play(mv);
    }
    let buffer = screen.buffer();
    let winning = buffer.content.iter().filter(|cell| cell.symbol() == "◆");
    assert_eq!(winning.clone().count(), 3);
    assert!(winning.clone().all(|cell| cell.modifier.contains(Modifier::REVERSED)));
}

#[test]
fn moves_are_taken_back_and_played_again() {
    let mut screen = Screen::new(quick("mnk:7x7x5"), COLOUR, false, USUAL);
    screen.press(KeyCode::Enter);
    screen.until_ply(2);
    screen.press(KeyCode::Char('u'));
    assert_eq!(screen.app.round.course.ply(), 0);
    screen.press(KeyCode::Char('u'));
    assert!(screen.text().contains("no move of yours to take back"));
    screen.press(KeyCode::Char('y'));
    assert_eq!(screen.app.round.course.ply(), 2);
    // The partner is handed the game that it is now.
    screen.play("0,0");
    screen.until_ply(4);
    assert_eq!(screen.app.round.course.ply(), 4);
}

#[test]
fn undo_is_possible_while_the_partner_thinks() {
    let slow =
        Setup { turn: Duration::from_secs(600), player: "tavola".into(), ..quick("mnk:15x15x5") };
    let mut screen = Screen::new(slow, COLOUR, false, USUAL);
    screen.press(KeyCode::Enter);
    screen.until(|app| app.round.thinking().is_some());
    assert!(screen.text().contains("thinks ..."), "{}", screen.text());
    screen.press(KeyCode::Char('u'));
    assert!(screen.app.round.thinking().is_none());
    screen.play("0,0");
    screen.until(|app| app.round.chairs[0].worth.is_some());
    assert!(screen.text().contains("nodes"), "{}", screen.text());
    screen.press(KeyCode::Char('m'));
    screen.until_ply(2);
}

#[test]
fn tips_and_values_are_shown() {
    let mut screen = Screen::new(both("mnk:3x3x3"), COLOUR, false, USUAL);
    for mv in ["0,0", "0,1", "1,0", "1,1"] {
        screen.play(mv);
    }
    screen.until(|app| app.round.chairs[0].presence == host::play::round::Presence::Ready);
    screen.press(KeyCode::Char('t'));
    screen.until(|app| app.hint.is_some());
    assert!(screen.text().contains("Try 2,0"), "{}", screen.text());
    screen.press(KeyCode::Char('e'));
    screen.until(|app| app.worth.is_some());
    assert!(screen.text().contains("win in 1 for first ●, proved"), "{}", screen.text());
    screen.press(KeyCode::Enter);
    assert_eq!(screen.app.round.course.outcome(), Some(Outcome::Win(Side::First)));
}

#[test]
fn sides_are_swapped_and_games_given_up() {
    let mut screen = Screen::new(quick("connect:6x7x4"), COLOUR, false, USUAL);
    screen.press(KeyCode::Char('s'));
    screen.until_ply(1);
    screen.press(KeyCode::Enter);
    screen.until_ply(3);
    screen.press(KeyCode::Char('g'));
    assert!(screen.text().contains("Give the game up?"));
    screen.press(KeyCode::Char('n'));
    assert_eq!(screen.app.round.course.outcome(), None);
    screen.press(KeyCode::Char('g'));
    screen.press(KeyCode::Char('y'));
    assert!(screen.text().contains("resigned."), "{}", screen.text());
}

#[test]
fn the_mouse_chooses_and_plays() {
    let mut screen = Screen::new(both("mnk:3x3x3"), COLOUR, false, USUAL);
    // Inside the frame, behind the row's number, below the columns' numbers.
    screen.click(2 + 2, 2);
    assert_eq!((screen.app.cursor, screen.app.round.course.ply()), ((0, 0), 0));
    screen.click(2 + 2, 2);
    assert_eq!(screen.app.round.course.ply(), 1);
    screen.click(79, 23);
    screen.click(0, 0);
    assert_eq!(screen.app.round.course.ply(), 1);
}

#[test]
fn bricks_are_turned_and_stay_on_the_board() {
    let mut screen = Screen::new(both("bricks:4"), COLOUR, false, USUAL);
    for _ in 0..9 {
        screen.press(KeyCode::Right);
    }
    assert_eq!(screen.app.cursor.0, 2);
    screen.press(KeyCode::Char('r'));
    screen.press(KeyCode::Char('l'));
    assert_eq!(screen.app.cursor.0, 3);
    screen.press(KeyCode::Enter);
    let text = screen.text();
    assert!(text.contains("1. 3,2,v") && text.contains("4 points"), "{text}");
}

#[test]
fn the_screen_can_have_any_size() {
    for spec in ["mnk:15x15x5", "connect:100x100x4", "bricks:20", "mnk:70x70x5", "mnk:1x1x1"] {
        let mut screen = Screen::new(both(spec), COLOUR, false, USUAL);
        for (width, height) in [(80, 24), (200, 120), (40, 10), (12, 5), (3, 2), (1, 1), (80, 24)] {
            screen.resize(width, height);
            screen.press(KeyCode::Char('L'));
            screen.press(KeyCode::Char('J'));
            for overlay in ['?', ':', 'w'] {
                screen.press(KeyCode::Char(overlay));
                let _ = screen.text();
                screen.press(KeyCode::Esc);
            }
        }
        let text = screen.text();
        assert!(text.contains(spec) && text.contains("q quit"), "{text}");
        assert_eq!(text.lines().count(), 24);
    }
}

#[test]
fn a_large_board_scrolls_with_the_cursor() {
    let mut screen = Screen::new(both("connect:100x100x4"), COLOUR, false, USUAL);
    for _ in 0..30 {
        screen.press(KeyCode::Char('L'));
    }
    assert_eq!(screen.app.cursor.0, 99);
    screen.press(KeyCode::Enter);
    let text = screen.text();
    assert!(text.contains("(●)") && text.contains("▼") && text.contains(" to 99"), "{text}");
    let mut screen = Screen::new(both("mnk:70x70x5"), COLOUR, false, USUAL);
    screen.play("69,69");
    screen.play("0,0");
    assert!(screen.text().contains("columns 0 to"), "{}", screen.text());
    for _ in 0..30 {
        screen.press(KeyCode::Char('J'));
    }
    assert!(screen.text().contains("rows 51 to 69"), "{}", screen.text());
}

#[test]
fn games_are_saved_loaded_and_looked_through_and_nothing_is_overwritten() {
    let folder = Folder::new("save");
    let file = folder.file("game.txt");
    let mut screen = Screen::new(both("mnk:3x3x3"), COLOUR, false, (120, 24));
    for mv in ["0,0", "1,1", "2,2"] {
        screen.play(mv);
    }
    screen.type_text(&format!("w{file}"));
    screen.press(KeyCode::Enter);
    assert!(screen.text().contains("written to"), "{}", screen.text());
    let kept = std::fs::read(&file).expect("a file");
    screen.play("2,0");
    screen.type_text(&format!("w{file}"));
    screen.press(KeyCode::Enter);
    assert!(screen.text().contains("exists already"), "{}", screen.text());
    assert_eq!(std::fs::read(&file).expect("a file"), kept);
    screen.type_text(&format!("o{file}"));
    screen.press(KeyCode::Enter);
    assert_eq!(screen.app.round.course.ply(), 3);
    screen.press(KeyCode::Home);
    assert!(screen.text().contains("Looking: after move 0 of 3."), "{}", screen.text());
    screen.type_text("]]");
    assert_eq!(screen.app.round.course.ply(), 2);
    std::fs::write(&file, b"\xff\xfe").expect("written");
    screen.type_text(&format!("o{file}"));
    screen.press(KeyCode::Enter);
    assert!(screen.text().contains("not text in UTF-8"), "{}", screen.text());
    assert_eq!(screen.app.round.course.ply(), 2, "the game is kept");
}

#[test]
fn leaving_a_game_has_to_be_confirmed() {
    let mut screen = Screen::new(both("mnk:3x3x3"), COLOUR, false, USUAL);
    screen.press(KeyCode::Enter);
    screen.press(KeyCode::Char('q'));
    assert_eq!(screen.app.overlay, Some(Overlay::Confirm(host::play::app::Doubt::Quit)));
    screen.press(KeyCode::Char('x'));
    assert!(!screen.ended);
    screen.press(KeyCode::Char('q'));
    screen.press(KeyCode::Char('y'));
    assert!(screen.ended);
}

#[test]
fn a_lost_partner_is_told_and_the_game_goes_on_locally() {
    let place = Place::Serial("/dev/no-such-port".into());
    let app = App::new(quick("mnk:7x7x5"), place, local(), COLOUR, false).expect("fits");
    let mut screen = Screen::of(app, USUAL);
    screen.until(|app| app.overlay.is_some());
    let text = screen.text();
    assert!(text.contains("the game is kept") && text.contains("/dev/no-such-port"), "{text}");
    screen.press(KeyCode::Char('z'));
    assert!(screen.app.overlay.is_some(), "only an answer closes it");
    screen.press(KeyCode::Char('r'));
    screen.until(|app| app.overlay.is_some());
    screen.press(KeyCode::Char('l'));
    screen.press(KeyCode::Enter);
    screen.until_ply(2);
}

#[test]
fn any_keys_at_all_do_no_harm() {
    let mut dice = engine::players::random::Dice::new(7);
    for spec in ["mnk:4x4x3", "connect:4x4x3", "bricks:4"] {
        let mut screen = Screen::new(quick(spec), COLOUR, true, USUAL);
        for _ in 0..400 {
            let code = match dice.roll(12) {
                0 => KeyCode::Enter,
                1 => KeyCode::Esc,
                2 => KeyCode::Up,
                3 => KeyCode::Home,
                4 => KeyCode::Backspace,
                5 => KeyCode::Char('ü'),
                // No files.
                _ => match char::from(b' ' + dice.roll(95) as u8) {
                    'w' | 'o' => KeyCode::Tab,
                    letter => KeyCode::Char(letter),
                },
            };
            screen.press(code);
            screen.click(dice.roll(90) as u16, dice.roll(30) as u16);
            let _ = screen.text();
        }
    }
}

#[test]
fn two_players_are_watched_to_the_end() {
    let setup = quick("connect:4x5x3");
    let chair = |player: &str| Chair::new(Place::Local(local()), player.into());
    let round = Round::between(&setup, [chair("tavola:level=2"), chair("random")]).expect("fits");
    let mut screen = Screen::of(App::watch(round, setup, local(), COLOUR), USUAL);
    screen.until(|app| app.round.course.outcome().is_some());
    screen.press(KeyCode::Enter);
    screen.press(KeyCode::Char('u'));
    let text = screen.text();
    assert!(
        text.contains("random") && (text.contains(" wins: ") || text.contains("A draw")),
        "{text}"
    );
}

// Line by line

/// Lines to `tavola play` with these arguments, through pipes.
fn plain(arguments: &[&str], input: &str) -> Output {
    tavola_with_input(&[&["play", "--plain", "--table", "64K"], arguments].concat(), input)
}

#[test]
fn a_whole_game_comes_from_a_pipe() {
    let cells: String = (0..9).map(|cell| format!("{},{}\n", cell % 3, cell / 3)).collect();
    let output = plain(&["mnk:3x3x3", "--level", "9", "--time", "200ms"], &cells);
    let text = stdout(&output);
    // Moves that the partner took are refused.
    assert_eq!(output.status.code(), Some(1), "{text}{}", stderr(&output));
    assert!(text.contains("(second) wins: 3 in a row") || text.contains("A draw"), "{text}");
    assert!(output.stderr.is_empty());
}

#[test]
fn the_end_of_the_input_is_a_clean_end() {
    for input in ["", "1,1\n", "1,1", "quit\n1,1\n"] {
        let output = plain(&["mnk:3x3x3", "--time", "100ms"], input);
        assert_eq!(output.status.code(), Some(0), "{input}: {}", stdout(&output));
        assert_eq!(stdout(&output).contains("plays"), input.starts_with('1'), "{input}");
    }
}

#[test]
fn every_word_is_obeyed() {
    let folder = Folder::new("words");
    let file = folder.file("game.txt");
    let input = format!(
        "help\n3\ntip\neval\nundo\nredo\nmoves\nshow\nsave {file}\nswap\nnow\nresign\n\
         new bricks:4\n0,0,h\nload {file}\nmoves\n?\nexit\n"
    );
    let output = plain(&["connect:6x7x4", "--level", "2"], &input);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{text}{}", stderr(&output));
    for word in ["try ", "for first (x): ", "moves: 3 ", "written to", "resigned", "wins", "r r"] {
        assert!(text.to_lowercase().contains(word), "{word}: {text}");
    }
    let saved = std::fs::read_to_string(&file).expect("a file");
    assert!(
        saved.starts_with("LOAD 1 connect:6x7x4 player=tavola:level=2 engine=second"),
        "{saved}"
    );
    let output = plain(&["--load", &file], "moves\n");
    assert!(stdout(&output).contains("moves: 3 "), "{}", stdout(&output));
}

#[test]
fn lines_that_make_no_sense_are_answered_and_counted() {
    let folder = Folder::new("bad-lines");
    let taken = folder.file("taken");
    std::fs::write(&taken, "mine").expect("a file");
    for (line, reason) in [
        ("fly", "not a move: expected x,y"),
        ("9,9", "outside the board"),
        ("new chess", "unknown game: expected"),
        ("undo", "no move of yours"),
        ("redo", "nothing to play again"),
        ("save", "expected save FILE"),
        ("load", "expected load FILE"),
        ("load no-such-file", "cannot read `no-such-file`"),
        (&format!("load {taken}"), "expected a game saved by"),
        (&format!("save {taken}"), "exists already"),
        ("\u{7f}\u{1b}[2J", "not a move"),
    ] {
        let output = plain(&["mnk:3x3x3"], &format!("{line}\n"));
        let text = stdout(&output);
        assert_eq!(output.status.code(), Some(1), "{line}: {text}");
        assert!(text.contains("not done: ") && text.contains(reason), "{line}: {text}");
        assert!(!text.contains('\u{1b}'), "{text}");
    }
    assert_eq!(std::fs::read_to_string(&taken).expect("a file"), "mine");
}

#[test]
fn sides_players_and_seeds_are_given_by_flags() {
    let output = plain(&["mnk:5x5x4", "--side", "second", "--player", "random", "--seed", "3"], "");
    assert!(stdout(&output).contains("random (first (x)) plays"), "{}", stdout(&output));
    let output =
        plain(&["bricks:4", "--side", "both", "--match-time", "9s"], "0,0,h\n2,2,v\nmoves\n");
    assert!(stdout(&output).contains("moves: 0,0,h 2,2,v"), "{}", stdout(&output));
    let output = plain(&["mnk:5x5x4", "--on", "local", "--ascii"], "");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn bad_arguments_are_refused_in_one_line() {
    let folder = Folder::new("bad-arguments");
    let file = |name: &str, bytes: &[u8]| {
        let file = folder.file(name);
        std::fs::write(&file, bytes).expect("a file");
        file
    };
    let (binary, cut) = (file("binary", b"\xff\xfe\x00"), file("cut", b"LOAD 1 mnk:3x3x3"));
    let record = "[Game \"mnk:3x3x3\"]\n[First \"a\"]\n[Second \"b\"]\n[Result \"1-0\"]\n\n\
                  1. 0,0 1,1\n2. 1,0 2,2\n3. 2,0\n1-0\n";
    let record = file("record", record.as_bytes());
    for (arguments, reason) in [
        (&["play", "chess"][..], "unknown game: expected mnk:"),
        (&["play", "mnk:3x3x3", "--player", "nobody"], "nobody"),
        (&["play", "mnk:3x3x3", "--player", "topolino:1"], "topolino"),
        (&["play", "mnk:3x3x3", "--level", "10"], "0..=9"),
        (&["play", "mnk:3x3x3", "--level", "3", "--player", "random"], "cannot be used with"),
        (&["play", "--side", "third"], "expected first, second or both"),
        (&["play", "--time", "soon"], "as in 500ms"),
        (&["play", "--on", "moon"], "expected local, emulator, board, or a serial port"),
        (&["play", "--plain", "--on", "/dev/no-such-port"], "cannot open the serial port"),
        (&["play", "--load", "no-such-file"], "cannot read `no-such-file`"),
        (&["play", "--load", &binary], "not text in UTF-8: expected a game saved"),
        (&["play", "--load", &cut], "line is cut"),
        (&["play", "--load", &record, "--game", "2"], "there is no game 2: expected 1 to 1"),
        (&["play", "--game", "2"], "--load"),
        (&["play"], "the full screen needs a terminal"),
        (&["match", "tavola"], "<SECOND>"),
        (&["match", "tavola", "nobody"], "expected a player's name, emulator, board"),
        (&["match", "tavola", "random"], "the full screen needs a terminal"),
        (&["match", "tavola:level=10", "random", "--plain"], "level"),
        (&["completions", "cobol"], "bash"),
    ] {
        let output = tavola_with_input(arguments, "");
        let error = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert_eq!(error.lines().count(), 1, "{arguments:?}: {error}");
        assert!(error.starts_with("error: ") && error.contains(reason), "{arguments:?}: {error}");
    }
    let output = plain(&["--load", &record, "--game", "1"], "moves\n");
    assert!(stdout(&output).contains("moves: 0,0 1,1 1,0 2,2 2,0"), "{}", stdout(&output));
    assert_refused(&["match", "tavola", "brain:", "--plain"], "expected a player's name");
}

#[cfg(unix)]
#[test]
fn arguments_that_are_not_text_are_refused() {
    use std::os::unix::ffi::OsStrExt;
    let strange = OsStr::from_bytes(b"\xff\xfe");
    for (arguments, reason) in [
        (&[OsStr::new("play"), strange][..], "UTF-8"),
        (&[OsStr::new("play"), OsStr::new("--on"), strange], "UTF-8"),
        (&[OsStr::new("play"), OsStr::new("--load"), strange], "cannot read"),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_tavola"))
            .args(arguments)
            .stdin(Stdio::null())
            .output()
            .expect("tavola runs");
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.lines().count() == 1 && error.contains(reason), "{error}");
    }
}

// Matches

#[test]
fn a_player_meets_a_program() {
    let brain = format!("brain:{} brain --table 64K", env!("CARGO_BIN_EXE_tavola"));
    let arguments =
        ["match", "tavola:level=2", &brain, "--plain", "--time", "50ms", "--game", "mnk:7x7x5"];
    let output = tavola(&arguments);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{text}{}", stderr(&output));
    assert!(text.contains("tavola (second (o)) plays"), "{text}");
    assert!(text.contains(" wins: ") || text.contains("A draw"), "{text}");
}

#[test]
fn dice_and_time_of_a_match_are_given_by_flags() {
    let play = |seed: &str| {
        let game = ["match", "random", "random", "--game", "mnk:5x5x4", "--match-time", "60s"];
        let look = ["--plain", "--ascii", "--table", "64K", "--seed", seed];
        let output = tavola(&[&game[..], &look].concat());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        stdout(&output)
    };
    assert!(play("1").is_ascii(), "{}", play("1"));
    assert_ne!(play("1"), play("2"));
}

#[cfg(unix)]
#[test]
fn a_contestant_that_fails_loses() {
    for (second, reason) in [
        ("brain:no-such-program", "no-such-program"),
        ("brain:true", "closed"),
        ("brain:cat", "cannot be understood"),
        // It talks without end, or is asked before that is noticed.
        ("brain:yes", "yes: "),
    ] {
        let output = tavola(&["match", "random", second, "--plain", "--table", "64K"]);
        let text = stdout(&output);
        assert_eq!(output.status.code(), Some(1), "{second}: {text}{}", stderr(&output));
        assert!(text.contains("random (first) wins: second") && text.contains(reason), "{text}");
    }
    let output = tavola(&["match", "random", "brain:cat", "--plain", "--game", "connect:6x7x4"]);
    assert!(stdout(&output).contains("expected mnk:ROWSxCOLSx5"), "{}", stdout(&output));
}

// The rest of the command line

#[test]
fn shells_are_helped() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = tavola(&["completions", shell]);
        assert_eq!(output.status.code(), Some(0));
        assert!(stdout(&output).contains("match-time"), "{shell}");
    }
    for command in ["play", "match", "completions"] {
        assert!(stdout(&tavola(&[command, "--help"])).contains("Examples:"), "{command}");
    }
}

// The real program in a real terminal

/// A tmux server of its own, which ends with the test.
struct Tmux {
    socket: String,
}

impl Tmux {
    fn start(name: &str, command: &str) -> Option<Tmux> {
        let tmux = Tmux { socket: format!("tavola-test-{}-{name}", std::process::id()) };
        let run =
            tmux.run(&["-f", "/dev/null", "new-session", "-d", "-x", "80", "-y", "24", command]);
        match run {
            Ok(output) if output.status.success() => Some(tmux),
            Ok(output) => {
                println!("skipped: tmux: {}", String::from_utf8_lossy(&output.stderr));
                None
            }
            Err(error) => {
                println!("skipped: no tmux: {error}");
                None
            }
        }
    }

    fn run(&self, arguments: &[&str]) -> std::io::Result<Output> {
        Command::new("tmux").args(["-L", &self.socket]).args(arguments).output()
    }

    fn keys(&self, keys: &[&str]) {
        self.run(&[&["send-keys"], keys].concat()).expect("tmux runs");
    }

    /// The shell is back: the terminal reads lines, shows its cursor and the usual screen, and keeps
    /// the mouse for itself.
    #[track_caller]
    fn assert_given_back(&self) {
        let seen = self.until(" icanon");
        assert!(!seen.contains("-icanon") && !seen.contains("-echo "), "{seen}");
        let flags = "#{cursor_flag} #{alternate_on} #{mouse_any_flag}";
        let output = self.run(&["display-message", "-p", flags]).expect("tmux runs");
        assert_eq!(stdout(&output), "1 0 0\n", "{seen}");
    }

    #[track_caller]
    fn until(&self, text: &str) -> String {
        let deadline = Instant::now() + Duration::from_secs(120);
        loop {
            let output = self.run(&["capture-pane", "-p"]).expect("tmux runs");
            let seen = String::from_utf8_lossy(&output.stdout).into_owned();
            if seen.contains(text) {
                return seen;
            }
            assert!(Instant::now() < deadline, "never seen: {text}\n{seen}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Tmux {
    fn drop(&mut self) {
        let _ = self.run(&["kill-server"]);
    }
}

#[test]
fn the_program_plays_in_a_terminal_and_gives_it_back() {
    let command = format!(
        "env LC_ALL=C.UTF-8 {} play mnk:3x3x3 --side both --table 64K; echo code $?; stty -a; sleep 600",
        env!("CARGO_BIN_EXE_tavola")
    );
    let Some(tmux) = Tmux::start("game", &command) else { return };
    tmux.until("first ● to move.");
    for mv in ["0,0", "0,1", "1,0", "1,1"] {
        tmux.keys(&[":", mv, "Enter"]);
    }
    tmux.until("2. 1,0");
    tmux.run(&["resize-window", "-x", "60", "-y", "18"]).expect("tmux runs");
    tmux.keys(&["u"]);
    tmux.keys(&["y"]);
    tmux.keys(&["k", "l", "Enter"]);
    let seen = tmux.until("first wins: 3 in a row");
    assert!(seen.contains("◆"), "{seen}");
    tmux.keys(&["q"]);
    let seen = tmux.until("code 0");
    assert!(seen.contains("first wins: 3 in a row"), "{seen}");
    tmux.assert_given_back();
}

#[test]
fn control_c_gives_the_terminal_back() {
    let command =
        format!("{} play; echo code $?; stty -a; sleep 600", env!("CARGO_BIN_EXE_tavola"));
    let Some(tmux) = Tmux::start("stop", &command) else { return };
    tmux.until("A new game");
    tmux.keys(&["C-c"]);
    tmux.until("code 0");
    tmux.assert_given_back();
}

#[test]
fn signals_end_the_program_and_give_the_terminal_back() {
    let folder = Folder::new("signals");
    for (signal, code) in [("-TERM", "code 143"), ("-HUP", "code 129"), ("-INT", "code 130")] {
        let file = folder.file(signal);
        let command = format!(
            "sh -c 'echo $$ > {file}; exec {} play'; echo code $?; stty -a; sleep 600",
            env!("CARGO_BIN_EXE_tavola")
        );
        let Some(tmux) = Tmux::start(&format!("signal{signal}"), &command) else { return };
        tmux.until("A new game");
        let process = std::fs::read_to_string(&file).expect("a number");
        let killed = Command::new("kill").args([signal, process.trim()]).status();
        assert!(killed.is_ok_and(|status| status.success()), "{signal} {process}");
        tmux.until(code);
        tmux.assert_given_back();
    }
}

/// When this file appears, [`a_game_that_panics`] does so.
const PANIC_FILE: &str = "TAVOLA_TEST_PANIC_FILE";

#[test]
#[ignore = "runs in a terminal, for the test of panics"]
fn a_game_that_panics() {
    let Some(file) = std::env::var_os(PANIC_FILE) else { return };
    std::thread::spawn(move || {
        while !std::path::Path::new(&file).exists() {
            std::thread::sleep(Duration::from_millis(20));
        }
        // Nothing is drawn any more, as after a panic of the loop itself.
        let _still = std::io::stdout().lock();
        let _ = std::panic::catch_unwind(|| panic!("on purpose"));
        std::process::exit(101);
    });
    let app = App::new(quick("mnk:3x3x3"), Place::Local(local()), local(), PLAIN, true);
    let _ = terminal::run(app.expect("a game"));
}

#[test]
fn a_panic_gives_the_terminal_back() {
    let folder = Folder::new("panic");
    let file = folder.file("now");
    let command = format!(
        "env RUST_BACKTRACE=0 {PANIC_FILE}={file} {} --exact a_game_that_panics --ignored --nocapture; echo code $?; \
         stty -a; sleep 600",
        std::env::current_exe().expect("a path").display()
    );
    let Some(tmux) = Tmux::start("panic", &command) else { return };
    tmux.until("A new game");
    std::fs::write(&file, "").expect("a file");
    let seen = tmux.until("code 101");
    assert!(seen.contains("on purpose"), "{seen}");
    tmux.assert_given_back();
}
