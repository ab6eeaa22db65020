//! One button, one LED and an 8x8 matrix as a pure state machine: presses in, frames out.
//!
//! Whoever owns the pins reads presses with [`button::PressReader`] and hands them to
//! [`Ui::press`], which may answer with an [`Order`] for the session. [`Ui::update`] is told how
//! the game stands; [`Ui::frame`] and [`Ui::led`] say what to show, at any time. Nothing here
//! knows a peripheral, and nothing can fail: a press that makes no sense does nothing.
//!
//! | it is | short press | long press | double press |
//! | --- | --- | --- | --- |
//! | your turn | shows the cursor | opens the menu | takes the last turn back |
//! | your turn, choosing | next column, row, direction | confirms it | a step back, or as above |
//! | thinking | - | stops: answer now | - |
//! | the end of a game | shows the result again | opens the menu | takes the last turn back |
//! | the menu | next option | accepts, next item | item before; at the first one leaves |
//!
//! Where nothing can be taken back, a double press opens the menu.
//!
//! # Bounds
//! A `Ui` takes less than [`MAX_SIZE`] bytes: it keeps a copy of the 8x8 cells that can be seen,
//! since the board itself is away while the engine thinks. A press looks at each move of the game
//! at most once.

pub mod blink;
pub mod button;
mod choice;
pub mod matrix;
pub mod menu;
mod pictures;
mod window;

pub use button::{Press, PressReader};
pub use matrix::{Frame, Rgb};
pub use window::SIDE;

use crate::game::{Game, Outcome, Side};
use crate::session::Order;
use blink::{ERROR_SHOWN_MS, Numbers, Pattern};
use choice::Choice;
use menu::{Chosen, GAMES, Menu};
use window::Window;

/// Bytes that a [`Ui`] stays below.
pub const MAX_SIZE: usize = 256;
const _: () = assert!(size_of::<Ui>() < MAX_SIZE);

/// After the end of a game the board is shown for so long, then the result, then the board.
pub const FINAL_BOARD_MS: u64 = 2_000;
/// How long the result is shown.
pub const RESULT_MS: u64 = 3_000;

/// How the session stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Status {
    /// The side that the engine plays, if that is settled.
    pub engine: Option<Side>,
    /// A job is set up or runs.
    pub thinking: bool,
    /// A number that changes whenever the game, the sides or the player do.
    pub revision: u32,
    /// The last order or line was an error. It is shown when this becomes true, and when it is
    /// true after an order.
    pub refused: bool,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Verdict {
    winner: Option<Side>,
    person_won: bool,
    /// How long the board is shown before the result.
    board_ms: u64,
}

/// What the button does at the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// There is nothing to show yet, or an order is on its way.
    Waiting,
    Thinking,
    /// The person's turn, with the numbers of the engine's move if that is to be told.
    Turn(Numbers),
    Choosing(Choice),
    Over(Verdict),
    Menu,
}

/// What is known about the game that the mode was made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Known {
    revision: u32,
    engine: Option<Side>,
    ply: u16,
}

/// The state of button, LED and matrix.
#[derive(Clone, Debug)]
pub struct Ui {
    menu: Menu,
    window: Window,
    mode: Mode,
    /// When the mode, or what is shown in it, began.
    since_ms: u64,
    known: Option<Known>,
    refused: bool,
    error_since_ms: Option<u64>,
}

impl Default for Ui {
    fn default() -> Ui {
        Ui::new()
    }
}

impl Ui {
    /// Everything dark, until the first [`Ui::update`]. The menu offers all sizes.
    #[must_use]
    pub const fn new() -> Ui {
        Ui::with_capacities([usize::MAX; GAMES])
    }

    /// The same for a build that holds boards of so many cells: mnk, connect, bricks. The menu
    /// hides larger sizes, and games that have none left.
    #[must_use]
    pub const fn with_capacities(cells: [usize; GAMES]) -> Ui {
        Ui {
            menu: Menu::new(cells),
            window: Window::new(),
            mode: Mode::Waiting,
            since_ms: 0,
            known: None,
            refused: false,
            error_since_ms: None,
        }
    }

    /// The person pressed the button. The order, if there is one, is to be carried out now, and
    /// [`Ui::update`] to be called then.
    pub fn press<G: Game>(
        &mut self,
        press: Press,
        game: Option<&G>,
        status: &Status,
        now_ms: u64,
    ) -> Option<Order> {
        self.update(game, status, now_ms);
        self.error_since_ms = None;
        let order = match self.mode {
            Mode::Waiting if press == Press::Long => self.open_menu(now_ms),
            Mode::Waiting => None,
            Mode::Thinking => (press == Press::Long).then_some(Order::Stop),
            Mode::Turn(_) => self.press_at_turn(press, game?, status, now_ms),
            Mode::Choosing(choice) => self.press_at_choice(choice, press, game?, status, now_ms),
            Mode::Over(verdict) => self.press_at_end(verdict, press, game?, status, now_ms),
            Mode::Menu => self.press_in_menu(press, game, status, now_ms),
        };
        if order.is_some() {
            self.refused = false;
        }
        if let Some(game) = game {
            self.capture(game);
        }
        order
    }

    /// Tells how the game stands: after every line and order, *before* a job takes the game away,
    /// and some 30 times a second. Without a game (the engine has it) the last picture of the board
    /// stays.
    pub fn update<G: Game>(&mut self, game: Option<&G>, status: &Status, now_ms: u64) {
        if status.refused && !self.refused {
            self.error_since_ms = Some(now_ms);
        }
        self.refused = status.refused;
        if self.error_since_ms.is_some_and(|since| now_ms.saturating_sub(since) >= ERROR_SHOWN_MS) {
            self.error_since_ms = None;
        }
        if status.thinking && !matches!(self.mode, Mode::Thinking | Mode::Menu) {
            self.enter(Mode::Thinking, now_ms);
        }
        let Some(game) = game else { return };
        // A game has at most 10,000 plies.
        let ply = game.ply() as u16;
        let known = Known { revision: status.revision, engine: status.engine, ply };
        let is_open = matches!(self.mode, Mode::Waiting | Mode::Thinking);
        if !status.thinking && self.mode != Mode::Menu && (is_open || self.known != Some(known)) {
            // More moves than before, or others if there was a thought in between.
            let thought = self.mode == Mode::Thinking;
            let is_new = self.known.is_none_or(|before| {
                before.ply < ply || (thought && before.revision != status.revision)
            });
            let mode = mode_of(game, status, is_new);
            self.enter(mode, now_ms);
        }
        self.known = Some(known);
        self.capture(game);
    }

    /// What the matrix shows.
    #[must_use]
    pub fn frame(&self, now_ms: u64) -> Frame {
        let elapsed_ms = now_ms.saturating_sub(self.since_ms);
        let mut frame = match self.mode {
            Mode::Menu => Frame::menu(&self.menu),
            Mode::Over(Verdict { winner, person_won, board_ms })
                if (board_ms..board_ms + RESULT_MS).contains(&elapsed_ms) =>
            {
                let spec = self.window.spec();
                spec.map_or(Frame::default(), |spec| Frame::result(spec, winner, person_won))
            }
            _ => Frame::board(&self.window, elapsed_ms),
        };
        if self.mode == Mode::Thinking {
            frame.add_dot(elapsed_ms);
        }
        if self.error_at(now_ms).is_some() && self.led(now_ms) {
            frame.add_rim(matrix::ERROR);
        }
        frame
    }

    /// Whether the LED is lit.
    #[must_use]
    pub fn led(&self, now_ms: u64) -> bool {
        let (pattern, since_ms) = self.pattern_since(now_ms);
        pattern.is_lit(now_ms.saturating_sub(since_ms))
    }

    /// Four LEDs, where a board has them: the one of [`Ui::led`], your turn, thinking, game over.
    #[must_use]
    pub fn leds4(&self, now_ms: u64) -> [bool; 4] {
        [
            self.led(now_ms),
            matches!(self.mode, Mode::Turn(_) | Mode::Choosing(_)),
            self.mode == Mode::Thinking,
            matches!(self.mode, Mode::Over(_)),
        ]
    }

    /// What the LED says.
    #[must_use]
    pub fn pattern(&self, now_ms: u64) -> Pattern {
        self.pattern_since(now_ms).0
    }

    /// What the LED says, and since when.
    fn pattern_since(&self, now_ms: u64) -> (Pattern, u64) {
        if let Some(since_ms) = self.error_at(now_ms) {
            return (Pattern::Error, since_ms);
        }
        let pattern = match self.mode {
            Mode::Waiting => Pattern::Dark,
            Mode::Thinking => Pattern::Thinking,
            Mode::Turn([0, ..]) => Pattern::YourTurn,
            Mode::Turn(numbers) => Pattern::Told(numbers),
            Mode::Choosing(choice) => Pattern::Choosing(choice.number()),
            Mode::Over(Verdict { winner: None, .. }) => Pattern::Draw,
            Mode::Over(Verdict { person_won: true, .. }) => Pattern::Won,
            Mode::Over(_) => Pattern::Lost,
            Mode::Menu => Pattern::Menu {
                item: self.menu.item().index() as u8 + 1,
                option: self.menu.option(),
            },
        };
        (pattern, self.since_ms)
    }

    /// When the error that is being shown began.
    fn error_at(&self, now_ms: u64) -> Option<u64> {
        self.error_since_ms.filter(|&since| now_ms.saturating_sub(since) < ERROR_SHOWN_MS)
    }

    const fn enter(&mut self, mode: Mode, now_ms: u64) {
        self.mode = mode;
        self.since_ms = now_ms;
    }

    fn capture<G: Game>(&mut self, game: &G) {
        let choice = match self.mode {
            Mode::Choosing(choice) => Some(choice),
            _ => None,
        };
        self.window.capture(game, choice);
    }

    fn press_at_turn<G: Game>(
        &mut self,
        press: Press,
        game: &G,
        status: &Status,
        now_ms: u64,
    ) -> Option<Order> {
        match press {
            Press::Short => {
                if let Some(choice) = Choice::begin(game) {
                    self.enter(Mode::Choosing(choice), now_ms);
                }
                None
            }
            Press::Long => self.open_menu(now_ms),
            Press::Double => self.take_back(game, status, now_ms),
        }
    }

    fn press_at_choice<G: Game>(
        &mut self,
        choice: Choice,
        press: Press,
        game: &G,
        status: &Status,
        now_ms: u64,
    ) -> Option<Order> {
        let spec = game.spec();
        let changed = match press {
            Press::Short => choice.next(game),
            Press::Long => match choice.confirm(spec) {
                Some(next) => next,
                None => {
                    self.enter(Mode::Waiting, now_ms);
                    return Some(Order::Play(choice.to_move(spec)));
                }
            },
            Press::Double => match choice.back(game) {
                Some(before) => before,
                None => return self.take_back(game, status, now_ms),
            },
        };
        self.enter(Mode::Choosing(changed), now_ms);
        None
    }

    fn press_at_end<G: Game>(
        &mut self,
        verdict: Verdict,
        press: Press,
        game: &G,
        status: &Status,
        now_ms: u64,
    ) -> Option<Order> {
        match press {
            Press::Short => {
                self.enter(Mode::Over(Verdict { board_ms: 0, ..verdict }), now_ms);
                None
            }
            Press::Long => self.open_menu(now_ms),
            Press::Double => self.take_back(game, status, now_ms),
        }
    }

    fn press_in_menu<G: Game>(
        &mut self,
        press: Press,
        game: Option<&G>,
        status: &Status,
        now_ms: u64,
    ) -> Option<Order> {
        self.since_ms = now_ms;
        match press {
            Press::Short => self.menu.next(),
            Press::Long => {
                let Chosen { spec, player, engine_first } = self.menu.accept()?;
                self.enter(Mode::Waiting, now_ms);
                // The moves of the new game are all news.
                self.known = None;
                return Some(Order::New { spec, player, engine_first });
            }
            Press::Double if self.menu.back() => {}
            Press::Double => {
                let mode = match game {
                    _ if status.thinking => Mode::Thinking,
                    Some(game) => mode_of(game, status, false),
                    None => Mode::Waiting,
                };
                self.enter(mode, now_ms);
            }
        }
        None
    }

    /// Takes the last turn back; if the person has not moved yet, opens the menu.
    fn take_back<G: Game>(&mut self, game: &G, status: &Status, now_ms: u64) -> Option<Order> {
        let own = |ply: usize| status.engine != Some(Side::at_ply(ply));
        // One of the first two plies is the person's, if there are two.
        if (0..game.ply().min(2)).any(own) {
            self.enter(Mode::Waiting, now_ms);
            Some(Order::Undo)
        } else {
            self.open_menu(now_ms)
        }
    }

    fn open_menu(&mut self, now_ms: u64) -> Option<Order> {
        if self.menu.open() {
            self.enter(Mode::Menu, now_ms);
        }
        None
    }
}

/// What the button does in a position that nobody thinks about. A move of the engine is told if it
/// is new.
fn mode_of<G: Game>(game: &G, status: &Status, is_new: bool) -> Mode {
    let over = |winner: Option<Side>| {
        let person_won = winner.is_some() && winner != status.engine;
        Mode::Over(Verdict { winner, person_won, board_ms: FINAL_BOARD_MS })
    };
    match game.outcome() {
        Some(Outcome::Win(side)) => over(Some(side)),
        Some(Outcome::Draw) => over(None),
        None => {
            let last = game.ply().checked_sub(1).map(Side::at_ply);
            let is_told = is_new && last.is_some() && last == status.engine;
            Mode::Turn(if is_told { choice::last_numbers(game) } else { [0; 3] })
        }
    }
}
