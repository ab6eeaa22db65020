//! Whole games on the emulated board by the button alone, from the menu to the end.
//!
//! The same presses go to a user interface in this process. After each of them the emulated matrix
//! must show the picture that it shows, and the emulated LED must blink its pattern. The UART only
//! tells what the engine played.
#![cfg(unix)]

use engine::game::any::Position;
use engine::game::{Game, Outcome, Side};
use engine::session::Order;
use engine::spec::GameSpec;
use engine::ui::blink::Pattern;
use engine::ui::{FINAL_BOARD_MS, Press, RESULT_MS, Status, Ui};
use host_tests::scenario::Endpoint;
use host_tests::uart_endpoint::{STEPPED, UartEndpoint};

use Press::{Double, Long, Short};

/// Cells that the board's memory holds: mnk, connect, bricks.
const CAPACITIES: [usize; 3] = [4_900, 10_000, 400];

/// The board, and what it should show.
struct Player {
    board: UartEndpoint,
    ui: Ui,
    game: Position,
    status: Status,
}

impl Player {
    fn new() -> Option<Player> {
        let (board, _) = UartEndpoint::boot(STEPPED)?;
        let mut player = Player {
            board,
            ui: Ui::with_capacities(CAPACITIES),
            game: Position::new("mnk:3x3x3".parse().expect("a game")).expect("fits"),
            status: Status::default(),
        };
        player.update();
        player.check();
        Some(player)
    }

    fn update(&mut self) {
        self.ui.update(Some(&self.game), &self.status, self.board.now_ms());
    }

    /// Matrix and LED show what they should.
    #[track_caller]
    fn check(&mut self) {
        self.board.shows(|now_ms| self.ui.frame(now_ms));
        let pattern = self.pattern();
        assert!(self.board.led_says(pattern), "the LED does not say {pattern:?}");
    }

    fn pattern(&self) -> Pattern {
        self.ui.pattern(self.board.now_ms())
    }

    /// Presses the button here and there, and plays what comes of it.
    #[track_caller]
    fn press(&mut self, press: Press) {
        let certain_ms = self.board.press(press);
        match self.ui.press(press, Some(&self.game), &self.status, certain_ms) {
            Some(Order::Play(mv)) => self.play(mv),
            Some(Order::New { spec, player, .. }) => {
                let said = self.board.next_line();
                assert_eq!(said, format!("MESSAGE the button begins {spec} against {player}"));
                self.game = Position::new(spec).expect("fits");
                self.status = Status { revision: self.status.revision + 1, ..Status::default() };
            }
            Some(Order::Undo) => self.take_back(),
            Some(order) => panic!("{order:?}"),
            None => {}
        }
        self.update();
        self.check();
    }

    /// The button has taken the last turn back.
    fn take_back(&mut self) {
        let said = self.board.next_line();
        assert_eq!(said, "MESSAGE the button takes a turn back");
        // The engine's move and the person's.
        self.game.unmake();
        self.game.unmake();
        self.status.revision += 1;
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

    /// Plays the first column that is offered, and its first row.
    fn turn(&mut self) {
        let steps = if matches!(self.game.spec(), GameSpec::Connect { .. }) { 1 } else { 2 };
        self.press(Short);
        assert!(matches!(self.pattern(), Pattern::Choosing(_)));
        for _ in 0..steps {
            self.press(Long);
        }
    }

    /// Presses until the game is over, and sees how it ended.
    fn play_to_the_end(&mut self) {
        while self.game.outcome().is_none() {
            self.turn();
        }
        let engine = self.status.engine;
        let expected = match self.game.outcome() {
            Some(Outcome::Draw) => Pattern::Draw,
            Some(Outcome::Win(side)) if Some(side) == engine => Pattern::Lost,
            _ => Pattern::Won,
        };
        assert_eq!(self.pattern(), expected);
        // The board with its line and the face of the result are shown in turn.
        for _ in 0..2 {
            for time_ms in [FINAL_BOARD_MS, RESULT_MS] {
                self.board.shows(|now_ms| self.ui.frame(now_ms));
                self.board.wait(time_ms).expect("the board is there");
            }
        }
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
fn tic_tac_toe_is_played_with_the_button_alone() {
    let Some(mut player) = Player::new() else { return };
    // mnk, 3x3, the random player, first.
    choose(&mut player, &[0, 0, 2, 0]);
    assert_eq!(player.game.spec().to_string(), "mnk:3x3x3");
    player.play_to_the_end();
}

#[test]
fn connect_four_is_played_with_the_button_alone() {
    let Some(mut player) = Player::new() else { return };
    // Connect, 6x7, the random player, first.
    choose(&mut player, &[1, 1, 2, 0]);
    assert_eq!(player.game.spec().to_string(), "connect:6x7x4");
    player.turn();
    player.press(Double);
    assert_eq!(player.game.ply(), 0);
    player.play_to_the_end();
}

#[test]
fn a_board_that_thinks_shows_it() {
    let Some(mut player) = Player::new() else { return };
    player.board.obey("START 8");
    player.board.tell("INFO timeout_turn 10000");
    player.board.tell("TURN 3,3");
    assert_eq!(player.board.ask("PING"), "PONG");
    let spec: GameSpec = "mnk:8x8x5".parse().expect("a game");
    player.game = Position::new(spec).expect("fits");
    player.game.try_play(spec.parse_move("3,3").expect("a move")).expect("a legal move");
    player.status =
        Status { engine: Some(Side::Second), thinking: true, revision: 1, refused: false };
    player.update();
    assert_eq!(player.pattern(), Pattern::Thinking);
    player.check();
    // A long press ends it.
    player.board.press(Long);
    let answer = player.board.next_line();
    player.game.try_play(spec.parse_move(&answer).expect("a move")).expect("a legal move");
    player.status = Status { thinking: false, revision: 2, ..player.status };
    player.update();
    player.check();
}
