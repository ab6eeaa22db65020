//! One button, one LED and the matrix: whole games, the menu, and what must hold in any position.

use engine::game::any::{AnyGame, Position};
use engine::game::{Game, Move, Side};
use engine::players::registry;
use engine::search::Workspace;
use engine::search::report::NoClock;
use engine::search::table::Bucket;
use engine::session::desk::{Desk, StopFlag};
use engine::session::journal::MemoryJournal;
use engine::session::memory::Apart;
use engine::session::{Config, Order, Session};
use engine::spec::GameSpec;
use engine::ui::blink::{ERROR_SHOWN_MS, Pattern, TURN_MS};
use engine::ui::button::{DOUBLE_PRESS_GAP_MS, LONG_PRESS_MS};
use engine::ui::matrix::{self, CANDIDATE, CURSOR, DARK, EDGE, EMPTY, LINE, THINKING};
use engine::ui::menu::{PLAYERS, SIZES};
use engine::ui::{FINAL_BOARD_MS, Frame, Press, RESULT_MS, Rgb, SIDE, Status, Ui};
use host_tests::{Dice, legal_moves, play_at_random};
use proptest::prelude::*;

use Press::{Double, Long, Short};

/// The board of the smallest chip: every game in 64 cells.
type SmallBoard = AnyGame<64, 64, 64>;
const SMALL: [usize; 3] = [64; 3];

const RED: Rgb = Rgb(90, 0, 0);
const BRIGHT_RED: Rgb = Rgb(255, 0, 0);
const BLUE: Rgb = Rgb(0, 0, 90);
const BRIGHT_BLUE: Rgb = Rgb(0, 0, 255);
const GREEN: Rgb = Rgb(0, 90, 0);
const BRIGHT_GREEN: Rgb = Rgb(0, 255, 0);

/// A game at a table: the button, the displays, and an opponent who plays what is written down.
struct Table {
    game: SmallBoard,
    status: Status,
    ui: Ui,
    now_ms: u64,
    replies: Vec<Move>,
}

impl Table {
    fn new(spec: &str, replies: &str) -> Table {
        let spec: GameSpec = spec.parse().expect(spec);
        let mut replies: Vec<Move> = replies
            .split_whitespace()
            .map(|reply| spec.parse_move(reply).expect("a scripted move"))
            .collect();
        replies.reverse();
        let mut table = Table {
            game: SmallBoard::new(spec).expect("fits"),
            status: Status::default(),
            ui: Ui::with_capacities(SMALL),
            now_ms: 1_000,
            replies,
        };
        table.update();
        table
    }

    fn update(&mut self) {
        self.ui.update(Some(&self.game), &self.status, self.now_ms);
    }

    fn touch(&mut self) {
        self.status.revision += 1;
        self.update();
    }

    /// Presses the button and gives back the order, which nobody carries out.
    fn press(&mut self, press: Press) -> Option<Order> {
        self.now_ms += 1_000;
        self.ui.press(press, Some(&self.game), &self.status, self.now_ms)
    }

    fn presses(&mut self, presses: &[Press]) {
        for &press in presses {
            assert_eq!(self.press(press), None);
        }
    }

    /// A press that plays a move. The engine thinks for a while and answers.
    fn play(&mut self, press: Press, text: &str) {
        let mv = self.game.spec().parse_move(text).expect(text);
        assert_eq!(self.press(press), Some(Order::Play(mv)));
        self.game.try_play(mv).expect(text);
        self.status.engine = Some(self.game.side_to_move());
        self.status.thinking = self.game.outcome().is_none();
        self.touch();
        if self.status.thinking {
            self.think();
        }
    }

    fn think(&mut self) {
        // The game is away.
        let before = self.ui.frame(self.now_ms);
        for _ in 0..40 {
            self.now_ms += 33;
            self.ui.update(None::<&SmallBoard>, &self.status, self.now_ms);
            assert_eq!(self.ui.pattern(self.now_ms), Pattern::Thinking);
            assert_eq!(self.ui.leds4(self.now_ms)[1..], [false, true, false]);
            // All but the running dot and its tail stays.
            let now = self.ui.frame(self.now_ms);
            let changed = pixels(&now).zip(pixels(&before)).filter(|(now, then)| now != then);
            assert!(changed.count() <= 4);
            assert_eq!(pixels(&now).filter(|&pixel| pixel == THINKING[0]).count(), 1);
        }
        let flickers = light(&self.ui, self.now_ms, 1_000);
        assert!(flickers.len() >= 18, "{flickers:?}");
        let reply = self.replies.pop().expect("a reply is written down");
        self.game.try_play(reply).expect("a legal reply");
        self.status.thinking = false;
        self.touch();
    }

    fn frame(&self) -> Frame {
        self.ui.frame(self.now_ms)
    }

    /// The board on the matrix as text; see [`drawn`].
    fn picture(&self) -> String {
        drawn(&self.frame())
    }

    /// What the LED says from now on: `.` and `-` for short and long flashes, a blank for a pause.
    fn told(&self, time_ms: u64) -> String {
        let parts = light(&self.ui, self.now_ms, time_ms);
        let text: String = parts
            .into_iter()
            .map(|(lit, length_ms)| match (lit, length_ms) {
                (true, ..=60) => "*",
                (true, ..=150) => ".",
                (true, _) => "-",
                (false, 900..) => " ",
                (false, _) => "",
            })
            .collect();
        text.trim_end().into()
    }

    /// One round of what the LED says.
    fn told_once(&self) -> String {
        self.told(self.ui.pattern(self.now_ms).length_ms())
    }
}

fn pixels(frame: &Frame) -> impl Iterator<Item = Rgb> {
    frame.pixels.into_iter().flatten()
}

/// Times of light and dark.
fn light(ui: &Ui, from_ms: u64, time_ms: u64) -> Vec<(bool, u64)> {
    let mut parts: Vec<(bool, u64)> = Vec::new();
    for now_ms in from_ms..from_ms + time_ms {
        let lit = ui.led(now_ms);
        match parts.last_mut() {
            Some((last, length_ms)) if *last == lit => *length_ms += 1,
            _ => parts.push((lit, 1)),
        }
    }
    parts
}

/// A letter for each colour, capitals for bright stones, without the dark lines around a board.
fn drawn(frame: &Frame) -> String {
    let letter = |colour: Rgb| match colour {
        DARK => ' ',
        EMPTY => '.',
        EDGE => ':',
        CANDIDATE => '?',
        RED => 'r',
        BRIGHT_RED => 'R',
        BLUE => 'b',
        BRIGHT_BLUE => 'B',
        GREEN => 'g',
        BRIGHT_GREEN => 'G',
        colour if CURSOR.contains(&colour) => '+',
        colour if THINKING.contains(&colour) => '~',
        colour => panic!("{colour:?} has no letter"),
    };
    let rows = frame.pixels.iter().map(|row| row.iter().map(|&pixel| letter(pixel)).collect());
    let rows: Vec<String> = rows.filter(|row: &String| !row.trim().is_empty()).collect();
    let left = rows.iter().map(|row| row.len() - row.trim_start().len()).min().unwrap_or(0);
    rows.iter().map(|row| row[left..].trim_end()).collect::<Vec<_>>().join("/")
}

#[test]
fn tic_tac_toe_is_won_with_the_button_alone() {
    let mut table = Table::new("mnk:3x3x3", "0,0 1,0");
    assert_eq!(table.told(6_000), "* * *");
    assert_eq!(table.picture(), ".../.../...");
    // In the middle of the matrix.
    assert_eq!(table.frame().pixel(2, 2), EMPTY);
    assert_eq!(table.frame().pixel(1, 2), DARK);

    // The centre: column 2, row 2.
    table.presses(&[Short]);
    assert_eq!((table.told_once().as_str(), table.picture().as_str()), (".", "+../?../?.."));
    table.presses(&[Short]);
    assert_eq!((table.told_once().as_str(), table.picture().as_str()), ("..", ".+./.?./.?."));
    table.presses(&[Long]);
    assert_eq!((table.told_once().as_str(), table.picture().as_str()), (".", ".+./.../..."));
    table.presses(&[Short]);
    assert_eq!((table.told_once().as_str(), table.picture().as_str()), ("..", ".../.+./..."));
    assert_eq!(table.ui.leds4(table.now_ms)[1..], [true, false, false]);
    table.play(Long, "1,1");
    // The engine's answer in blinks, twice, then my turn.
    assert_eq!(table.ui.pattern(table.now_ms), Pattern::Told([1, 1, 0]));
    assert_eq!(table.told(2 * table.ui.pattern(0).length_ms() + 4_000), ". . . . * *");
    assert_eq!(table.picture(), "B../.r./...");

    // Column 1 has two free rows, the first of them the second row.
    table.presses(&[Short]);
    assert_eq!((table.told_once().as_str(), table.picture().as_str()), (".", "B../+r./?.."));
    table.presses(&[Long]);
    assert_eq!((table.told_once().as_str(), table.picture().as_str()), ("..", "B../+r./..."));
    // Changed my mind: back to the column.
    table.presses(&[Double, Long, Short]);
    assert_eq!((table.told_once().as_str(), table.picture().as_str()), ("...", "B../.r./+.."));
    table.play(Long, "0,2");
    assert_eq!(table.told_once(), ".. .");
    assert_eq!(table.picture(), "bB./.r./r..");

    // Column 1 has one free row; after column 3 comes column 1 again.
    table.presses(&[Short; 4]);
    assert_eq!((table.told_once().as_str(), table.picture().as_str()), (".", "bB./+r./r.."));
    table.presses(&[Short, Short, Long]);
    assert_eq!((table.told_once().as_str(), table.picture().as_str()), (".", "bB+/.r./r.."));
    table.play(Long, "2,0");
    assert_eq!(table.ui.pattern(table.now_ms), Pattern::Won);
    assert_eq!(table.told_once(), "...-");
    assert_eq!(table.picture(), "bbR/.R./R..");
    assert!(table.replies.is_empty());
}

#[test]
fn the_end_of_tic_tac_toe_shows_line_and_result() {
    let mut table = Table::new("mnk:3x3x3", "0,0 1,0");
    table.presses(&[Short, Short, Long, Short]);
    table.play(Long, "1,1");
    table.presses(&[Short, Long, Short]);
    table.play(Long, "0,2");
    table.presses(&[Short, Short, Short, Long]);
    table.play(Long, "2,0");

    assert_eq!(table.ui.pattern(table.now_ms), Pattern::Won);
    assert_eq!(table.told_once(), "...-");
    assert_eq!(table.ui.leds4(table.now_ms)[1..], [false, false, true]);
    // The line is bright, then white, then bright.
    assert_eq!(table.picture(), "bbR/.R./R..");
    let line = |table: &Table, now_ms| {
        [(4, 2), (3, 3), (2, 4)].map(|(x, y)| table.ui.frame(now_ms).pixel(x, y))
    };
    assert_eq!(line(&table, table.now_ms + matrix::LINE_MS), [LINE; 3]);
    assert_eq!(line(&table, table.now_ms + 2 * matrix::LINE_MS), [BRIGHT_RED; 3]);
    // Then a face in the winner's colour, then the board again.
    let face = table.ui.frame(table.now_ms + FINAL_BOARD_MS);
    assert_eq!((face.pixel(2, 0), face.pixel(0, 0)), (BRIGHT_RED, DARK));
    assert_eq!(drawn(&table.ui.frame(table.now_ms + FINAL_BOARD_MS + RESULT_MS + 200)).len(), 11);

    // A short press shows the face at once.
    table.now_ms += 10_000;
    table.presses(&[Short]);
    assert_eq!((table.frame(), table.told_once().as_str()), (face, "...-"));
    // A double press takes back, a long one opens the menu.
    assert_eq!(table.press(Double), Some(Order::Undo));
    table.game.unmake();
    table.touch();
    assert_eq!(table.ui.pattern(table.now_ms), Pattern::YourTurn);
    assert_eq!(table.picture(), "bB./.r./r..");
    table.presses(&[Long]);
    assert_eq!(table.ui.pattern(table.now_ms), Pattern::Menu { item: 1, option: 1 });
    table.presses(&[Double]);
    assert_eq!(table.ui.pattern(table.now_ms), Pattern::YourTurn);
}

#[test]
fn tic_tac_toe_may_be_lost_or_drawn() {
    let mut table = Table::new("mnk:3x3x3", "0,0 0,1 0,2");
    table.presses(&[Short, Short, Long]);
    table.play(Long, "1,0");
    table.presses(&[Short, Short, Short, Long]);
    table.play(Long, "2,0");
    table.presses(&[Short, Short, Long]);
    table.play(Long, "1,1");
    assert_eq!(table.ui.pattern(table.now_ms), Pattern::Lost);
    assert_eq!(
        light(&table.ui, table.now_ms, 4_000),
        [(true, 1_000), (false, 1_000), (true, 1_000), (false, 1_000)]
    );
    let face = table.ui.frame(table.now_ms + FINAL_BOARD_MS);
    assert_eq!((face.pixel(2, 0), face.pixel(3, 4)), (BRIGHT_BLUE, BRIGHT_BLUE));

    let mut table = Table::new("mnk:1x1x2", "");
    table.presses(&[Short, Long]);
    table.play(Long, "0,0");
    assert_eq!(table.ui.pattern(table.now_ms), Pattern::Draw);
    assert_eq!(table.told_once(), "--");
    let sign = table.ui.frame(table.now_ms + FINAL_BOARD_MS);
    assert_eq!((sign.pixel(1, 1), sign.pixel(1, 0)), (matrix::DRAWN, DARK));
}

#[test]
fn connect_four_is_played_to_the_end_with_the_button_alone() {
    let mut table = Table::new("connect:6x7x4", "0 1 3");
    let empty = "......./......./......./......./......./.......";
    assert_eq!(table.picture(), empty);
    // Row 0 lies at the bottom: one dark row below and one above.
    assert_eq!((table.frame().pixel(0, 6), table.frame().pixel(0, 7)), (EMPTY, DARK));

    table.presses(&[Short]);
    assert!(table.picture().ends_with("/+......"));
    assert_eq!(table.told_once(), ".");
    table.play(Long, "0");
    assert!(table.picture().ends_with("/......./B....../r......"), "{}", table.picture());
    // A column says all.
    assert_eq!(table.ui.pattern(table.now_ms), Pattern::Told([1, 0, 0]));
    assert_eq!(table.told_once(), ".");

    table.presses(&[Short]);
    assert!(table.picture().ends_with("/......./+....../B....../r......"));
    table.presses(&[Short]);
    assert!(table.picture().ends_with("/B....../r+....."));
    assert_eq!(table.told_once(), "..");
    // Seven presses later the cursor is where it was.
    table.presses(&[Short; 7]);
    assert!(table.picture().ends_with("/B....../r+....."));
    table.play(Long, "1");
    assert!(table.picture().ends_with("/bB...../rr....."));
    table.presses(&[Short; 3]);
    assert_eq!(table.told_once(), "...");
    table.play(Long, "2");
    assert!(table.picture().ends_with("/bb...../rrrB..."));
    assert_eq!(table.told_once(), "....");

    // The engine has blocked; up the third column then.
    table.replies = [4, 5, 6].into_iter().rev().map(Move::new).collect();
    for row in 0..3 {
        table.presses(&[Short; 3]);
        let at = table.frame().pixel(2, 5 - row);
        assert_eq!(at, CURSOR[0]);
        table.play(Long, "2");
    }
    assert_eq!(table.ui.pattern(table.now_ms), Pattern::Won);
    let (bright, white) = (table.frame(), table.ui.frame(table.now_ms + matrix::LINE_MS));
    for y in 3..7 {
        assert_eq!((bright.pixel(2, y), white.pixel(2, y)), (BRIGHT_RED, LINE));
    }
    assert_eq!((bright.pixel(1, 6), white.pixel(1, 6)), (RED, RED));
    assert_eq!(table.ui.frame(table.now_ms + FINAL_BOARD_MS).pixel(2, 0), BRIGHT_RED);
}

#[test]
fn a_brick_takes_column_row_and_direction() {
    let mut table = Table::new("bricks:4", "2,0,v");
    table.presses(&[Short, Long, Long]);
    assert_eq!(
        (table.told_once().as_str(), table.picture().as_str()),
        (".", "++../..../..../....")
    );
    table.presses(&[Short]);
    assert_eq!(
        (table.told_once().as_str(), table.picture().as_str()),
        ("..", "+.../+.../..../....")
    );
    table.presses(&[Double]);
    assert_eq!(table.picture(), "+.../..../..../....");
    table.presses(&[Long]);
    table.play(Long, "0,0,h");
    assert_eq!(table.told_once(), "... . ..");
    assert_eq!(table.picture(), "rrG./..G./..../....");
}

#[test]
fn a_double_press_takes_back_and_opens_the_menu_where_there_is_nothing() {
    let mut table = Table::new("connect:4x4x3", "0");
    table.presses(&[Double]);
    assert_eq!(table.ui.pattern(table.now_ms), Pattern::Menu { item: 1, option: 1 });
    table.presses(&[Double, Short]);
    table.play(Long, "0");
    table.presses(&[Short, Short]);
    assert_eq!(table.press(Double), Some(Order::Undo));
    // Only the engine has moved: nothing of mine to take back.
    let mut table = Table::new("connect:4x4x3", "");
    table.status.engine = Some(Side::First);
    table.game.make(Move::new(2));
    table.touch();
    assert_eq!(table.told_once(), "...");
    table.presses(&[Double]);
    assert_eq!(table.ui.pattern(table.now_ms), Pattern::Menu { item: 1, option: 1 });
}

#[test]
fn a_long_press_stops_the_engine_and_others_do_nothing() {
    let mut table = Table::new("connect:4x4x3", "");
    table.status.thinking = true;
    table.update();
    for (press, order) in [(Short, None), (Double, None), (Long, Some(Order::Stop))] {
        let away = None::<&SmallBoard>;
        assert_eq!(table.ui.press(press, away, &table.status, table.now_ms), order);
        assert_eq!(table.ui.pattern(table.now_ms), Pattern::Thinking);
    }
}

#[test]
fn the_first_move_of_a_new_game_is_told_and_a_turn_taken_back_is_not() {
    let mut table = Table::new("connect:4x4x3", "0");
    table.presses(&[Short]);
    table.play(Long, "0");
    // Another game begins elsewhere, and the first look at it comes when the engine has opened.
    table.status.thinking = true;
    table.ui.update(None::<&SmallBoard>, &table.status, table.now_ms);
    table.game = SmallBoard::new(table.game.spec()).expect("fits");
    table.game.make(Move::new(3));
    table.status = Status { engine: Some(Side::First), thinking: false, ..table.status };
    table.touch();
    assert_eq!(table.ui.pattern(table.now_ms), Pattern::Told([4, 0, 0]));
    // Two plies on and back: the engine's stone is old.
    table.game.make(Move::new(1));
    table.game.make(Move::new(1));
    table.touch();
    assert_eq!(table.ui.pattern(table.now_ms), Pattern::Told([2, 0, 0]));
    table.game.unmake();
    table.game.unmake();
    table.touch();
    assert_eq!(table.ui.pattern(table.now_ms), Pattern::YourTurn);
}

#[test]
fn what_is_refused_is_shown_for_a_while() {
    let mut table = Table::new("mnk:3x3x3", "");
    table.presses(&[Short, Long]);
    let order = table.press(Long);
    assert_eq!(order, Some(Order::Play(Move::new(0))));
    table.status.refused = true;
    table.update();
    assert_eq!(table.ui.pattern(table.now_ms), Pattern::Error);
    assert_eq!(table.told(600), "..");
    assert_eq!(table.frame().pixel(0, 0), matrix::ERROR);
    assert_eq!(table.ui.frame(table.now_ms + 100).pixel(0, 0), DARK);
    table.now_ms += ERROR_SHOWN_MS;
    assert_eq!(table.ui.pattern(table.now_ms), Pattern::YourTurn);
    table.update();
    assert_eq!(
        (table.ui.pattern(table.now_ms), table.frame().pixel(0, 0)),
        (Pattern::YourTurn, DARK)
    );
    // The same error is not news, one after another order is.
    table.presses(&[Short, Long]);
    table.update();
    assert_eq!(table.ui.pattern(table.now_ms), Pattern::Choosing(1));
    assert!(table.press(Long).is_some());
    table.update();
    assert_eq!(table.ui.pattern(table.now_ms), Pattern::Error);
}

#[test]
fn a_move_made_elsewhere_is_seen_and_ends_the_choice() {
    let mut table = Table::new("mnk:3x3x3", "");
    table.presses(&[Short, Long]);
    table.game.make(Move::new(0));
    table.touch();
    assert_eq!(table.picture(), "R../.../...");
    assert_eq!(table.ui.pattern(table.now_ms), Pattern::YourTurn);
    // The menu stays open, whatever happens on the board.
    table.presses(&[Long, Short]);
    table.game.make(Move::new(1));
    table.touch();
    assert_eq!(table.ui.pattern(table.now_ms), Pattern::Menu { item: 1, option: 2 });
    table.presses(&[Double]);
    assert_eq!(table.picture(), "rB./.../...");
}

/// Walks the menu by presses: so many short ones at each item, then a long one.
fn through_the_menu(ui: &mut Ui, short: [usize; 5]) -> Option<Order> {
    let (game, status) = (None::<&SmallBoard>, Status::default());
    assert_eq!(ui.press(Long, game, &status, 0), None);
    while let Pattern::Menu { item, .. } = ui.pattern(0) {
        for _ in 0..short[usize::from(item) - 1] {
            assert_eq!(ui.press(Short, game, &status, 0), None);
        }
        if let Some(order) = ui.press(Long, game, &status, 0) {
            return Some(order);
        }
    }
    None
}

#[test]
fn every_way_through_the_menu_begins_a_game_that_fits() {
    for (capacities, sizes) in [(SMALL, 9), ([4_900, 10_000, 400], 12)] {
        let mut specs = std::collections::HashSet::new();
        for game in 0..3 {
            for (size, player) in (0..4).flat_map(|size| (0..4).map(move |n| (size, n))) {
                for (level, side) in (0..10).flat_map(|level| (0..2).map(move |n| (level, n))) {
                    let mut ui = Ui::with_capacities(capacities);
                    let order = through_the_menu(&mut ui, [game, size, player, level, side]);
                    let Some(Order::New { spec, player: name, engine_first }) = order else {
                        panic!("{order:?}");
                    };
                    assert_eq!(engine_first, side == 1);
                    assert_eq!(registry::check(&name, spec), Ok(()), "{name} {spec}");
                    assert!(name.starts_with(PLAYERS[game][player]), "{name}");
                    if player == 0 {
                        assert_eq!(name, format!("tavola:level={}", (9 + level) % 10).as_str());
                    }
                    assert!(SIZES[game].contains(&spec));
                    if capacities == SMALL {
                        assert!(SmallBoard::new(spec).is_ok(), "{spec}");
                    }
                    specs.insert(spec);
                }
            }
        }
        assert_eq!(specs.len(), sizes);
    }
}

#[test]
fn the_guide_tells_the_menu_and_the_times_as_they_are() {
    let guide = include_str!("../../docs/button.md");
    let names = PLAYERS.iter().flatten().map(|name| format!("`{name}`"));
    let sizes = SIZES.iter().flatten().map(|spec| format!("`{spec}`"));
    let times = [
        format!("hold for {LONG_PRESS_MS} ms"),
        format!("at most {DOUBLE_PRESS_GAP_MS} ms between"),
        format!("every {} s", (TURN_MS.0 + TURN_MS.1) / 1_000),
        format!("flashes for {} s", FINAL_BOARD_MS / 1_000),
        format!("shown for {} s", RESULT_MS / 1_000),
    ];
    for text in names.chain(sizes).chain(times) {
        assert!(guide.contains(&text), "{text}");
    }
}

#[test]
fn a_menu_without_games_does_not_open() {
    let mut ui = Ui::with_capacities([0; 3]);
    assert_eq!(through_the_menu(&mut ui, [0; 5]), None);
    assert_eq!(ui.pattern(0), Pattern::Dark);
}

type SmallSession<'d, 't> = Session<'d, Apart<'t, SmallBoard>, 512>;

/// Has an order carried out, lets the session think to the end, and gives what it said.
fn obey(session: &mut SmallSession<'_, '_>, ui: &mut Ui, order: &Order, now_ms: u64) -> String {
    let mut answers = String::new();
    assert!(session.order(order, 0), "nothing is being sent");
    loop {
        ui.update(session.game(), &status(session), now_ms);
        while let Some(piece) = session.output() {
            answers.push_str(piece);
        }
        let Some((job, desk)) = session.take_job() else { return answers };
        ui.update(session.game(), &status(session), now_ms);
        assert_eq!(ui.pattern(now_ms), Pattern::Thinking);
        let finding = desk.think(&job, &NoClock);
        session.finish(desk, finding, 0);
    }
}

fn status(session: &SmallSession<'_, '_>) -> Status {
    Status {
        engine: session.engine_side(),
        thinking: session.is_thinking(),
        revision: session.revision(),
        refused: session.was_refused(),
    }
}

#[test]
fn button_and_session_play_whole_games() {
    let mut storage = [Bucket::EMPTY; 64];
    let game = SmallBoard::new("mnk:3x3x3".parse().expect("a game")).expect("fits");
    let mut workspace = Workspace::new();
    let mut desk = Desk::<_, 512>::new(Apart::new(game, &mut storage), &mut workspace);
    let (stop, mut journal) = (StopFlag::new(), MemoryJournal::<512>::new());
    let mut session = Session::new(&mut desk, &stop, &mut journal, Config::default());
    let mut ui = Ui::with_capacities(SMALL);
    assert_eq!(session.accept(b"INFO max_node 500\n", 0), 18);
    let mut dice = Dice::new(5);
    let mut over = 0;
    let mut games = std::collections::HashSet::new();
    for now_ms in (0..4_000_000).step_by(500) {
        // Mostly forwards, so that games come to an end.
        let press = [Short, Short, Long, Long, Long, Double][dice.roll(6)];
        let order = ui.press(press, session.game(), &status(&session), now_ms);
        if let Some(order) = order {
            let answers = obey(&mut session, &mut ui, &order, now_ms);
            assert!(!session.was_refused(), "{order:?}: {answers}");
            assert_ne!(ui.pattern(now_ms), Pattern::Error);
            games.insert(session.game().expect("back").spec());
            over += usize::from(matches!(
                ui.pattern(now_ms),
                Pattern::Won | Pattern::Lost | Pattern::Draw
            ));
        }
    }
    assert!(over >= 5 && games.len() >= 3, "{over} games over of {games:?}");
}

fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

fn any_game() -> impl Strategy<Value = GameSpec> {
    let mnk = (1..=70u8, 1..=70u8, 3..=10u16).prop_map(|(rows, cols, k)| GameSpec::Mnk {
        rows,
        cols,
        k,
        exact: false,
    });
    let connect = (1..=100u8, 1..=100u8, 3..=10u16).prop_map(|(rows, cols, x)| GameSpec::Connect {
        rows,
        cols,
        x,
    });
    let bricks = (1..=20u8).prop_map(|size| GameSpec::Bricks { size });
    let listed = prop::sample::select(
        [
            "mnk:70x70x5",
            "connect:100x100x10",
            "bricks:20",
            "mnk:3x3x3",
            "connect:6x7x4",
            "bricks:4",
        ]
        .map(|text| text.parse::<GameSpec>().expect(text))
        .to_vec(),
    );
    prop_oneof![2 => mnk, 2 => connect, 2 => bricks, 2 => listed]
}

/// A position after some random moves, or nearly all.
fn random_position(spec: GameSpec, share: usize, seed: u64) -> Box<Position> {
    let mut game = Box::new(Position::new(spec).expect("fits"));
    let mut dice = Dice::new(seed);
    // All of a large board takes long, and the last moves matter most.
    let plies = game.plies_left() * share / 100;
    if plies <= 500 {
        play_at_random(&mut *game, plies, &mut dice);
    } else {
        for _ in 0..plies.min(2_000) {
            let mv = Move::new(dice.roll(spec.move_numbers()));
            let _ = game.try_play(mv);
        }
    }
    game
}

fn shows_cursor(frame: &Frame) -> bool {
    pixels(frame).any(|pixel| CURSOR.contains(&pixel))
}

proptest! {
    #![proptest_config(cases(96))]

    /// Whatever is pressed, the cursor can be seen and confirming it plays a legal move.
    #[test]
    fn the_cursor_never_lands_on_an_illegal_choice(
        spec in any_game(), share in 0..=100usize, seed: u64, presses in prop::collection::vec(0..8usize, 1..40),
    ) {
        let game = random_position(spec, share, seed);
        let status = Status { engine: None, thinking: false, revision: 1, refused: false };
        let mut ui = Ui::new();
        let mut now_ms = seed % 10_000;
        for press in presses {
            now_ms += 137;
            let press = [Short, Short, Short, Short, Short, Long, Long, Double][press];
            let order = ui.press(press, Some(&*game), &status, now_ms);
            if let Some(Order::Play(mv)) = order {
                prop_assert_eq!(game.check(mv), Ok(()));
            }
            if let Pattern::Choosing(number) = ui.pattern(now_ms) {
                prop_assert!(number >= 1 && usize::from(number) <= spec.rows().max(spec.cols()).max(2));
                for ms in 0..4 {
                    prop_assert!(shows_cursor(&ui.frame(now_ms + ms * 125)));
                }
                // From here, yes to everything.
                let mut sure = ui.clone();
                let played = (0..3).find_map(|_| sure.press(Long, Some(&*game), &status, now_ms));
                let Some(Order::Play(mv)) = played else { panic!("{played:?}") };
                prop_assert_eq!(game.check(mv), Ok(()));
            }
        }
    }

    /// Every legal move can be reached: with the right number of presses at each step.
    #[test]
    fn every_legal_move_can_be_chosen(spec in any_game(), share in 0..=100usize, seed: u64, pick: prop::sample::Index) {
        let game = random_position(spec, share, seed);
        let moves = legal_moves(&*game);
        if moves.is_empty() {
            return Ok(());
        }
        let wanted = *pick.get(&moves);
        let text = spec.show_move(wanted).to_string();
        let mut numbers = text.split(',').map(|part| match part {
            "h" => 1,
            "v" => 2,
            number => number.parse::<u8>().expect("a coordinate") + 1,
        });
        let status = Status::default();
        let mut ui = Ui::new();
        let mut order = ui.press(Short, Some(&*game), &status, 0);
        while order.is_none() {
            let number = numbers.next().expect("no more steps than coordinates");
            let mut left = 101;
            while ui.pattern(0) != Pattern::Choosing(number) && left > 0 {
                prop_assert_eq!(ui.press(Short, Some(&*game), &status, 0), None);
                left -= 1;
            }
            prop_assert_eq!(ui.pattern(0), Pattern::Choosing(number));
            order = ui.press(Long, Some(&*game), &status, 0);
        }
        prop_assert_eq!(order, Some(Order::Play(wanted)));
    }

    /// Presses, games that come, change and go, and clocks that jump: there is always a picture.
    #[test]
    fn nothing_makes_the_displays_fail(
        specs in prop::collection::vec(any_game(), 1..4),
        steps in prop::collection::vec((0..9u8, any::<bool>(), any::<bool>(), 0..3usize, any::<u64>(), any::<u32>()), 1..60),
        capacities in prop::array::uniform3(0..300usize),
    ) {
        let mut games: Vec<_> = specs.iter().map(|&spec| Box::new(Position::new(spec).expect("fits"))).collect();
        let count = games.len();
        let mut ui = Ui::with_capacities(capacities);
        for (kind, thinking, refused, engine, time, number) in steps {
            let game = &mut games[number as usize % count];
            let mv = Move::new(number as usize % game.spec().move_numbers().max(1));
            let now_ms = time >> (number % 64);
            let engine = [None, Some(Side::First), Some(Side::Second)][engine];
            let status = Status { engine, thinking, revision: number % 4, refused };
            let shown = (kind % 3 != 0).then_some(&**game);
            match kind {
                0..=4 => {
                    let press = [Short, Long, Double][usize::from(kind) % 3];
                    if let Some(Order::Play(mv)) = ui.press(press, shown, &status, now_ms) {
                        prop_assert_eq!(game.check(mv), Ok(()));
                    }
                }
                5 | 6 => ui.update(shown, &status, now_ms),
                7 => { let _ = game.try_play(mv); }
                _ => game.unmake(),
            }
            for at_ms in [now_ms, 0, u64::MAX, time] {
                let frame = ui.frame(at_ms);
                prop_assert_eq!(frame.pixel(SIDE, SIDE), DARK);
                prop_assert_eq!(ui.led(at_ms), ui.leds4(at_ms)[0]);
                let _ = ui.pattern(at_ms);
            }
        }
    }
}
