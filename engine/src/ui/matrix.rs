//! Frames for an 8x8 matrix of coloured LEDs.
//!
//! | what | colour |
//! | --- | --- |
//! | first player, second player | red, blue; in bricks red, green |
//! | last move | the same, bright |
//! | empty cell | very dim white; outside the board dark |
//! | empty cell where the board goes on | dim orange |
//! | cursor | white and yellow in turn |
//! | cells that the chosen column offers | dim yellow |
//! | winning line | bright and white in turn |
//! | thinking | a turquoise dot with a tail that runs round the rim |
//! | won, lost, draw | a smile, a sad face, an equals sign; in the winner's colour, or yellow |
//! | something was refused | a rim that flashes violet |
//! | menu | top row: the items, the current one bright; below: the number; bottom row: which option |

use crate::game::Side;
use crate::spec::GameSpec;

use super::menu::{Item, Menu};
use super::pictures::{self, DIGIT_WIDTH};
use super::window::{Cell, SIDE, Window};

/// A colour: red, green, blue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rgb(pub u8, pub u8, pub u8);

/// No light.
pub const DARK: Rgb = Rgb(0, 0, 0);
/// An empty cell.
pub const EMPTY: Rgb = Rgb(6, 6, 6);
/// An empty cell at an edge of the window beyond which the board goes on.
pub const EDGE: Rgb = Rgb(24, 10, 0);
/// The cursor, in turn.
pub const CURSOR: [Rgb; 2] = [Rgb(255, 255, 255), Rgb(120, 90, 0)];
/// A cell that the chosen column offers.
pub const CANDIDATE: Rgb = Rgb(40, 30, 0);
/// The winning line, in turn with its own bright colour.
pub const LINE: Rgb = Rgb(255, 255, 255);
/// The dot that runs while the engine thinks, and its tail.
pub const THINKING: [Rgb; 2] = [Rgb(0, 120, 120), Rgb(0, 40, 40)];
/// The rim while something was refused.
pub const ERROR: Rgb = Rgb(160, 0, 200);
/// The sign of a draw.
pub const DRAWN: Rgb = Rgb(160, 130, 0);
/// The items of the menu; a dim one is an eighth of it.
pub const ITEMS: [Rgb; 5] =
    [Rgb(160, 160, 160), Rgb(160, 120, 0), Rgb(160, 0, 120), Rgb(0, 140, 140), Rgb(0, 160, 0)];

/// Each of the two colours of the cursor is shown for so long.
pub const CURSOR_MS: u64 = 250;
/// Each of the two colours of a winning line is shown for so long.
pub const LINE_MS: u64 = 200;
/// The thinking dot stays so long on a pixel.
pub const DOT_MS: u64 = 60;
/// Pixels of the rim.
pub const RIM: u64 = 28;

/// The colour of a side's stones, bright for the last move.
#[must_use]
pub const fn stone(spec: GameSpec, side: Side, bright: bool) -> Rgb {
    let light = if bright { 255 } else { 90 };
    match (side, spec) {
        (Side::First, _) => Rgb(light, 0, 0),
        (Side::Second, GameSpec::Bricks { .. }) => Rgb(0, light, 0),
        (Side::Second, _) => Rgb(0, 0, light),
    }
}

/// A picture for the matrix, row by row from the top.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// The pixels: `pixels[row][column]`.
    pub pixels: [[Rgb; SIDE]; SIDE],
}

impl Frame {
    /// The colour of a pixel; dark outside.
    #[must_use]
    pub fn pixel(&self, x: usize, y: usize) -> Rgb {
        self.pixels.get(y).and_then(|row| row.get(x)).copied().unwrap_or(DARK)
    }

    fn set(&mut self, x: usize, y: usize, colour: Rgb) {
        if let Some(pixel) = self.pixels.get_mut(y).and_then(|row| row.get_mut(x)) {
            *pixel = colour;
        }
    }

    /// A frame made pixel by pixel.
    fn from_pixels(colour: impl Fn(usize, usize) -> Rgb) -> Frame {
        let mut frame = Frame::default();
        for (y, row) in frame.pixels.iter_mut().enumerate() {
            for (x, pixel) in row.iter_mut().enumerate() {
                *pixel = colour(x, y);
            }
        }
        frame
    }

    /// The board as the window has it.
    pub(super) fn board(window: &Window, elapsed_ms: u64) -> Frame {
        let mut frame = Frame::default();
        let Some(spec) = window.spec() else { return frame };
        for (row, cells) in frame.pixels.iter_mut().zip(window.cells()) {
            for (pixel, &cell) in row.iter_mut().zip(cells) {
                *pixel = cell_colour(spec, cell, elapsed_ms);
            }
        }
        frame
    }

    /// Adds the dot that runs round the rim.
    pub(super) fn add_dot(&mut self, elapsed_ms: u64) {
        let steps = elapsed_ms / DOT_MS;
        let [dot, tail] = THINKING;
        for (behind, colour) in [(1, tail), (0, dot)] {
            let (x, y) = rim(steps % RIM + RIM - behind);
            self.set(x, y, colour);
        }
    }

    /// Adds a rim of one colour.
    pub(super) fn add_rim(&mut self, colour: Rgb) {
        for n in 0..RIM {
            let (x, y) = rim(n);
            self.set(x, y, colour);
        }
    }

    /// How the game ended: who won, and whether that is the person.
    pub(super) fn result(spec: GameSpec, winner: Option<Side>, person_won: bool) -> Frame {
        let (picture, colour) = match winner {
            None => (&pictures::DRAW, DRAWN),
            Some(side) if person_won => (&pictures::WON, stone(spec, side, true)),
            Some(side) => (&pictures::LOST, stone(spec, side, true)),
        };
        Frame::from_pixels(|x, y| if pictures::is_lit(picture, x, y) { colour } else { DARK })
    }

    /// The menu.
    pub(super) fn menu(menu: &Menu) -> Frame {
        let current = menu.item();
        let colour_of = |item: Item| ITEMS.get(item.index()).copied().unwrap_or(DARK);
        let colour = colour_of(current);
        let number = menu.shown_number();
        let mut frame =
            Frame::from_pixels(|x, y| if is_number_lit(number, x, y) { colour } else { DARK });
        for (x, item) in Item::ALL.into_iter().enumerate().filter(|&(_, i)| menu.asks_for(i)) {
            let light = if item == current { colour } else { dim(colour_of(item)) };
            frame.set(x, 0, light);
        }
        let options = usize::from(menu.options());
        for x in (0..options).filter(|_| options <= SIDE) {
            let is_current = x + 1 == usize::from(menu.option());
            frame.set(x, SIDE - 1, if is_current { colour } else { dim(colour) });
        }
        frame
    }
}

const fn dim(Rgb(red, green, blue): Rgb) -> Rgb {
    Rgb(red / 8, green / 8, blue / 8)
}

/// The row at which a number of the menu begins.
const NUMBER_TOP: usize = 1;
/// The columns at which its tens and its ones begin.
const NUMBER_LEFT: [usize; 2] = [SIDE - 2 * DIGIT_WIDTH - 1, SIDE - DIGIT_WIDTH];

/// One digit or two. The ones lie right of the items, so that nothing touches them.
fn is_number_lit(number: u8, x: usize, y: usize) -> bool {
    let Some(y) = y.checked_sub(NUMBER_TOP) else { return false };
    let digit_at = |digit: u8, left: usize| {
        x.checked_sub(left).is_some_and(|x| pictures::is_digit_lit(digit, x, y))
    };
    let [tens, ones] = NUMBER_LEFT;
    (number >= 10 && digit_at(number / 10, tens)) || digit_at(number % 10, ones)
}

/// The pixel number `n` of the rim, clockwise from the upper left, round and round.
const fn rim(n: u64) -> (usize, usize) {
    let (side, last) = ((n % RIM / 7) as u8, SIDE - 1);
    let along = (n % 7) as usize;
    match side {
        0 => (along, 0),
        1 => (last, along),
        2 => (last - along, last),
        _ => (0, last - along),
    }
}

/// Which of two phases it is, the first one to begin with.
const fn is_first_phase(elapsed_ms: u64, phase_ms: u64) -> bool {
    (elapsed_ms / phase_ms).is_multiple_of(2)
}

fn cell_colour(spec: GameSpec, cell: Cell, elapsed_ms: u64) -> Rgb {
    let side = if cell.has(Cell::FIRST) {
        Some(Side::First)
    } else if cell.has(Cell::SECOND) {
        Some(Side::Second)
    } else {
        None
    };
    let [bright_cursor, dim_cursor] = CURSOR;
    match side {
        _ if cell.has(Cell::CURSOR) && is_first_phase(elapsed_ms, CURSOR_MS) => bright_cursor,
        _ if cell.has(Cell::CURSOR) => dim_cursor,
        Some(_) if cell.has(Cell::LINE) && !is_first_phase(elapsed_ms, LINE_MS) => LINE,
        Some(side) => stone(spec, side, cell.has(Cell::LAST) || cell.has(Cell::LINE)),
        None if cell.has(Cell::CANDIDATE) => CANDIDATE,
        None if cell.has(Cell::EDGE) => EDGE,
        None if cell.has(Cell::BOARD) => EMPTY,
        None => DARK,
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use std::collections::HashSet;
    use std::string::String;

    fn lit(frame: &Frame, rows: core::ops::Range<usize>) -> String {
        let mut text = String::new();
        for y in rows {
            text.extend((0..SIDE).map(|x| if frame.pixel(x, y) == DARK { '.' } else { '#' }));
            text.push('\n');
        }
        text
    }

    #[test]
    fn the_rim_is_walked_round_once() {
        let rim: HashSet<_> = (0..RIM).map(rim).collect();
        assert_eq!(rim.len() as u64, RIM);
        assert!(rim.iter().all(|&(x, y)| x == 0 || y == 0 || x == SIDE - 1 || y == SIDE - 1));
    }

    #[test]
    fn the_dot_covers_two_pixels_at_any_time() {
        for elapsed_ms in (0..5_000).chain(u64::MAX - 100..=u64::MAX) {
            let mut frame = Frame::default();
            frame.add_dot(elapsed_ms);
            let pixels: std::vec::Vec<_> =
                frame.pixels.iter().flatten().filter(|&&pixel| pixel != DARK).collect();
            assert_eq!(pixels.len(), 2);
        }
    }

    #[test]
    fn the_menu_shows_items_number_and_option() {
        let mut menu = Menu::new([4_900, 10_000, 400]);
        assert!(menu.open());
        menu.next();
        let frame = Frame::menu(&menu);
        assert_eq!(
            lit(&frame, 0..8),
            "#####...\n.....###\n.......#\n.....###\n.....#..\n.....###\n........\n###.....\n"
        );
        assert_eq!(frame.pixel(0, 0), ITEMS[0]);
        assert_eq!(frame.pixel(1, 0), dim(ITEMS[1]));
        assert_eq!(frame.pixel(1, 7), ITEMS[0]);
        assert_eq!(menu.accept(), None);
        (0..3).for_each(|_| menu.next());
        // Connect on 10 columns.
        assert_eq!(
            lit(&Frame::menu(&menu), 1..6),
            "..#..###\n.##..#.#\n..#..#.#\n..#..#.#\n.###.###\n"
        );
    }

    #[test]
    fn an_item_that_is_not_asked_for_is_dark() {
        let mut menu = Menu::new([4_900, 10_000, 400]);
        assert!(menu.open());
        assert_eq!((menu.accept(), menu.accept()), (None, None));
        assert_eq!(lit(&Frame::menu(&menu), 0..1), "#####...\n");
        menu.next();
        assert_eq!(lit(&Frame::menu(&menu), 0..1), "###.#...\n");
    }
}
