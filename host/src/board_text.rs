//! A board as plain text: all lines of [`engine::drawing`].

use engine::drawing::{line_count, write_line};
use engine::game::Game;
use engine::game::any::Position;

/// Draws the position, one line per row, with a newline at the end of each.
#[must_use]
pub fn draw(position: &Position) -> String {
    let mut text = String::new();
    for n in 0..line_count(position.spec()) {
        // A string takes everything.
        let _ = write_line(position, n, &mut text);
        text.push('\n');
    }
    text
}
