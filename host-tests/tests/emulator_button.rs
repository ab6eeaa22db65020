//! Whole games on the emulated board by the button alone, from the menu to the end.
//!
//! The same presses go to a user interface in this process. After each of them the emulated matrix
//! must show one of the pictures that it shows in turn, and the emulated LED must blink its pattern.
//! The UART only tells what the engine played.
#![cfg(unix)]

use engine::game::any::Position;
use engine::game::{Game, Outcome};
use engine::session::Order;
use engine::spec::GameSpec;
use engine::ui::blink::Pattern;
use engine::ui::{FINAL_BOARD_MS, Press, Status, Ui};
use host::link::emulator::screen::Screen;
use host_tests::thumb::{screen_of, until_shown};
use host_tests::uart_endpoint::{CHIP, UartEndpoint};

use Press::{Long, Short};

/// Cells that the board's memory holds: mnk, connect, bricks.
const CAPACITIES: [usize; 3] = [4_900, 10_000, 400];
/// Within this time a picture that changes has shown all that it shows.
const CYCLE_MS: u64 = 6_000;
const CYCLE_STEP_MS: usize = 10;

/// The board, and what it should show.
struct Player {
    board: UartEndpoint,
    ui: Ui,
    game: Position,
    status: Status,
    now_ms: u64,
}

impl Player {
    fn new() -> Option<Player> {
        let (board, _) = UartEndpoint::boot(CHIP)?;
        let mut player = Player {
            board,
            ui: Ui::with_capacities(CAPACITIES),
            game: Position::new("mnk:3x3x3".parse().expect("a game")).expect("fits"),
            status: Status::default(),
            now_ms: 0,
        };
        player.update();
        player.check();
        Some(player)
    }

    fn update(&mut self) {
        self.ui.update(Some(&self.game), &self.status, self.now_ms);
    }

    /// Matrix and LED show what they should.
    #[track_caller]
    fn check(&mut self) {
        let times = (self.now_ms..self.now_ms + CYCLE_MS).step_by(CYCLE_STEP_MS);
        let screens: Vec<Screen> = times.map(|now_ms| screen_of(&self.ui.frame(now_ms))).collect();
        until_shown(&mut self.board, |screen| screens.contains(screen));
        let pattern = self.pattern();
        assert!(self.board.led_says(pattern), "the LED does not say {pattern:?}");
    }

    fn pattern(&self) -> Pattern {
        self.ui.pattern(self.now_ms)
    }

    /// Presses the button here and there, and plays what comes of it.
    #[track_caller]
    fn press(&mut self, press: Press) {
        self.now_ms += 1_000;
        let order = self.ui.press(press, Some(&self.game), &self.status, self.now_ms);
        match press {
            Short => self.board.press_short(),
            Long => self.board.press_long(),
            Press::Double => unreachable!("nobody goes back here"),
        }
        match order {
            Some(Order::Play(mv)) => self.play(mv),
            Some(Order::New { spec, player, .. }) => {
                let said = self.board.next_line();
                assert_eq!(said, format!("MESSAGE the button begins {spec} against {player}"));
                self.game = Position::new(spec).expect("fits");
                self.status = Status { revision: self.status.revision + 1, ..Status::default() };
            }
            Some(order) => panic!("{order:?}"),
            None => {}
        }
        self.update();
        self.check();
    }

    /// The button has played this move. The engine's answer is told on the UART.
    fn play(&mut self, mv: engine::game::Move) {
        let spec = self.game.spec();
        let said = self.board.next_line();
        assert_eq!(said, format!("MESSAGE the button plays {}", spec.show_move(mv)));
        self.status.engine = Some(self.game.side_to_move().other());
        self.game.try_play(mv).expect("a legal move");
        self.status.revision += 1;
        if self.game.outcome().is_none() {
            self.status.thinking = true;
            self.update();
            let said = self.board.next_line();
            let reply = said.strip_prefix("MESSAGE I play ").unwrap_or_else(|| panic!("{said}"));
            self.game.try_play(spec.parse_move(reply).expect("a move")).expect("a legal move");
            self.status.thinking = false;
            self.status.revision += 1;
        }
        if self.game.outcome().is_some() {
            let said = self.board.next_line();
            assert!(said.starts_with("MESSAGE game over: "), "{said}");
        }
    }

    /// Presses until the game is over, and sees how it ended.
    fn play_to_the_end(&mut self) {
        let steps = if matches!(self.game.spec(), GameSpec::Connect { .. }) { 1 } else { 2 };
        while self.game.outcome().is_none() {
            // The first column that is offered, and its first row.
            self.press(Short);
            assert!(matches!(self.pattern(), Pattern::Choosing(_)));
            for _ in 0..steps {
                self.press(Long);
            }
        }
        let engine = self.status.engine;
        let expected = match self.game.outcome() {
            Some(Outcome::Draw) => Pattern::Draw,
            Some(Outcome::Win(side)) if Some(side) == engine => Pattern::Lost,
            _ => Pattern::Won,
        };
        assert_eq!(self.pattern(), expected);
        // The face comes after the line, again and again.
        self.press(Short);
        let face = screen_of(&self.ui.frame(self.now_ms + FINAL_BOARD_MS));
        assert_ne!(face, Screen::default());
    }
}

/// Opens the menu and chooses: the number of short presses for each item.
fn choose(player: &mut Player, options: &[usize]) {
    player.press(Long);
    for &option in options {
        for _ in 0..option {
            player.press(Short);
        }
        player.press(Long);
    }
}

#[test]
#[ignore = "takes minutes: cargo test -p host-tests --test emulator_button -- --ignored"]
fn tic_tac_toe_is_played_with_the_button_alone() {
    let Some(mut player) = Player::new() else { return };
    // mnk, 3x3, the random player, first.
    choose(&mut player, &[0, 0, 2, 0]);
    assert_eq!(player.game.spec().to_string(), "mnk:3x3x3");
    player.play_to_the_end();
}

#[test]
#[ignore = "takes minutes: cargo test -p host-tests --test emulator_button -- --ignored"]
fn connect_four_is_played_with_the_button_alone() {
    let Some(mut player) = Player::new() else { return };
    // Connect, 6x7, the random player, first.
    choose(&mut player, &[1, 1, 2, 0]);
    assert_eq!(player.game.spec().to_string(), "connect:6x7x4");
    player.play_to_the_end();
}
