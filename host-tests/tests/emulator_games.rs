//! The emulated board plays: whole games over the UART, and one game on UART, button and matrix.
#![cfg(unix)]

use engine::game::any::Position;
use engine::game::{Game, Side};
use engine::spec::GameSpec;
use engine::ui::button::Press::{Long, Short};
use engine::ui::matrix::{EMPTY, stone};
use host_tests::thumb::colours;
use host_tests::uart_endpoint::{BANNER, EXACT, STEPPED, UartEndpoint};
use host_tests::{Dice, legal_moves};

/// Plays a game at random against the board's player, until both agree that it is over.
fn play(board: &mut UartEndpoint, spec: &str, player: &str, dice: &mut Dice) -> Position {
    board.obey(&format!("NEW {spec}"));
    board.obey(player);
    let spec: GameSpec = spec.parse().expect("a game");
    let mut game = Position::new(spec).expect("fits");
    let mut answer;
    loop {
        let moves = legal_moves(&game);
        let mv = moves[dice.roll(moves.len())];
        game.try_play(mv).expect("a legal move");
        answer = board.ask(&format!("TURN {}", spec.show_move(mv)));
        if game.outcome().is_some() {
            assert_eq!(answer, "OK", "the game was over");
            break;
        }
        let reply = spec.parse_move(&answer).unwrap_or_else(|error| panic!("{answer}: {error}"));
        game.try_play(reply).unwrap_or_else(|error| panic!("{answer}: {error}"));
        if game.outcome().is_some() {
            break;
        }
    }
    let ending = board.next_line();
    assert!(ending.starts_with("MESSAGE game over: "), "{ending}");
    let played = (0..game.ply()).filter_map(|n| game.played(n));
    let moves: String = played.map(|mv| format!(" {}", spec.show_move(mv))).collect();
    assert_eq!(board.ask("MOVES"), format!("MOVES{moves}"));
    assert!(board.ask("TURN 0").starts_with("ERROR the game is over"));
    game
}

#[test]
fn the_board_tells_who_it_is_and_why_it_started() {
    let Some((mut board, banner)) = UartEndpoint::boot(EXACT) else { return };
    let version = env!("CARGO_PKG_VERSION");
    let expected =
        format!("{BANNER}{version} on b-l475e-iot01a (emulated) (STM32L475VG), reset: unknown");
    assert_eq!(banner, expected);
    // There is nothing else to tell after power-up.
    assert_eq!(board.lines_until_quiet().expect("quiet"), [""; 0]);
    let version = board.ask("VERSION");
    assert!(version.contains(" mnk=4900 connect=10000 bricks=400 table=65536"), "{version}");
    let findings = board.ask("SELFTEST");
    assert!(findings.starts_with("SELFTEST passed ram=ok "), "{findings}");
}

#[test]
fn whole_games_of_all_kinds_are_played_over_the_uart() {
    let Some((mut board, _)) = UartEndpoint::boot(EXACT) else { return };
    let mut dice = Dice::new(5);
    for spec in ["mnk:3x3x3", "connect:6x7x4", "bricks:5"] {
        for player in ["PLAYER random", "LEVEL 2"] {
            let game = play(&mut board, spec, player, &mut dice);
            println!("{spec} {player}: {} plies, {}", game.ply(), board.ask("STACK"));
        }
    }
    assert_eq!(board.number("STATS", "damaged"), 0);
    assert_eq!(board.ask("LINE"), "LINE overrun 0 framing 0 noise 0 ring-full 0");
}

#[test]
fn a_move_on_the_uart_shows_on_the_matrix() {
    let Some((mut board, _)) = UartEndpoint::boot(STEPPED) else { return };
    let spec: GameSpec = "mnk:3x3x3".parse().expect("a game");
    board.obey("NEW mnk:3x3x3");
    // The board is in the middle of the matrix.
    board.until_shown(|screen, _| screen.led(2, 2) == Some(colours(EMPTY)));
    board.obey("MOVE 0,0");
    let bright = colours(stone(spec, Side::First, true));
    board.until_shown(|screen, _| screen.led(2, 2) == Some(bright));
    board.obey("MOVE 2,1");
    let (dim, last) = (stone(spec, Side::First, false), stone(spec, Side::Second, true));
    board.until_shown(|screen, _| {
        screen.led(2, 2) == Some(colours(dim)) && screen.led(4, 3) == Some(colours(last))
    });
    board.obey("UNDO");
    board.until_shown(|screen, _| screen.led(4, 3) == Some(colours(EMPTY)));
}

#[test]
fn a_move_by_the_button_is_told_on_the_uart() {
    let Some((mut board, _)) = UartEndpoint::boot(STEPPED) else { return };
    board.obey("NEW connect:6x7x4");
    board.obey("LEVEL 1");
    // Column 2.
    for press in [Short, Short, Long] {
        board.press(press);
    }
    assert_eq!(board.next_line(), "MESSAGE the button plays 1");
    let answer = board.next_line();
    let column = answer.strip_prefix("MESSAGE I play ").unwrap_or_else(|| panic!("{answer}"));
    assert_eq!(board.ask("MOVES"), format!("MOVES 1 {column}"));
    // And the game goes on over the UART.
    let answer = board.ask("TURN 0");
    assert_eq!(board.ask("MOVES"), format!("MOVES 1 {column} 0 {answer}"));
}
