//! A thumb and an eye at the emulated board: presses, what the matrix shows, what the LED says.
//!
//! Presses are timed by the guest's clock. An eye needs a moment: what is expected must show before
//! patience ends.

use std::time::{Duration, Instant};

use engine::ui;
use engine::ui::blink::{Pattern, TELLINGS};
use engine::ui::button::{DOUBLE_PRESS_GAP_MS, LONG_PRESS_MS};
use host::link::emulator::screen::{Rgb, SIZE, Screen};

use crate::board::PATIENCE;
use crate::scenario::Endpoint;
use crate::uart_endpoint::UartEndpoint;

/// How long a short press lasts: well above the bouncing, well below a long press.
const SHORT_MS: u64 = 100;
/// Time for the board to notice and to draw, and more: its clock may be a little slow.
const NOTICE_MS: u64 = 150;
/// The LED changes with the frames of the display, so a flash may be longer by this. Its
/// clock may be slow besides; see [`CHIP`](crate::uart_endpoint::CHIP).
const FRAME_MS: u64 = 45;
/// Time between two looks at the LED.
const LOOK_MS: u64 = 8;
const LOOK: Duration = Duration::from_millis(LOOK_MS);
/// How often a pattern is looked for: a busy PC may miss a flash.
const LOOKS: usize = 3;

impl UartEndpoint {
    /// Down and up, and no second time.
    ///
    /// # Panics
    /// The board is gone.
    #[track_caller]
    pub fn press_short(&mut self) {
        self.press(SHORT_MS);
        self.pass(DOUBLE_PRESS_GAP_MS + NOTICE_MS);
    }

    /// Holds the button.
    ///
    /// # Panics
    /// The board is gone.
    #[track_caller]
    pub fn press_long(&mut self) {
        self.press(LONG_PRESS_MS + NOTICE_MS);
        self.pass(NOTICE_MS);
    }

    #[track_caller]
    fn press(&mut self, milliseconds: u64) {
        self.emulator().press_button().unwrap_or_else(|error| panic!("{error}"));
        self.pass(milliseconds);
        self.emulator().release_button().unwrap_or_else(|error| panic!("{error}"));
    }

    #[track_caller]
    fn pass(&mut self, milliseconds: u64) {
        self.wait(milliseconds).unwrap_or_else(|why| panic!("{why}"));
    }

    /// Watches the LED for a round of the pattern and tells whether it is this one, begun at any
    /// time.
    ///
    /// # Panics
    /// The board is gone.
    #[track_caller]
    pub fn led_says(&mut self, pattern: Pattern) -> bool {
        let turn_ms = Pattern::YourTurn.length_ms();
        let round_ms = pattern.length_ms().max(turn_ms);
        // A move is told a few times, then it is the person's turn.
        let rounds = if matches!(pattern, Pattern::Told(_)) { TELLINGS } else { 1 };
        let all_ms = rounds * round_ms + round_ms + turn_ms;
        let expected = parts((0..all_ms).map(|now_ms| (now_ms, pattern.is_lit(now_ms))));
        (0..LOOKS).any(|_| {
            let seen = self.watch_led(round_ms);
            (0..expected.len()).any(|start| is_part_of(&seen, &expected[start..]))
        })
    }

    /// What the LED does for some time.
    fn watch_led(&mut self, time_ms: u64) -> Vec<Part> {
        let start = self.now();
        let mut looks = Vec::new();
        loop {
            let now_ms = (self.now() - start).as_millis() as u64;
            looks.push((now_ms, self.emulator().led().unwrap_or_else(|error| panic!("{error}"))));
            if now_ms >= time_ms {
                return parts(looks.into_iter());
            }
            std::thread::sleep(LOOK);
        }
    }

    fn now(&mut self) -> Duration {
        self.emulator().virtual_time().unwrap_or_else(|error| panic!("{error}"))
    }
}

/// A time of light or dark, in milliseconds.
type Part = (bool, u64);

/// Times of light and dark, from looks at certain moments.
fn parts(looks: impl Iterator<Item = (u64, bool)>) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let mut before_ms = 0;
    for (now_ms, lit) in looks {
        if let Some((_, length_ms)) = parts.last_mut() {
            *length_ms += now_ms - before_ms;
        }
        if parts.last().is_none_or(|&(last, _)| last != lit) {
            parts.push((lit, 0));
        }
        before_ms = now_ms;
    }
    parts
}

/// Whether this was seen of what is expected from some moment on. The first and the last part may
/// be cut off.
fn is_part_of(seen: &[Part], expected: &[Part]) -> bool {
    let is_whole = |n: usize| n > 0 && n + 1 < seen.len();
    seen.len() <= expected.len()
        && seen.iter().zip(expected).enumerate().all(|(n, (&(lit, ms), &(as_lit, as_ms)))| {
            let least_ms = if is_whole(n) { (as_ms * 3 / 4).saturating_sub(LOOK_MS) } else { 0 };
            lit == as_lit && (least_ms..=as_ms * 3 / 2 + FRAME_MS).contains(&ms)
        })
}

/// A colour of the user interface as the emulated matrix shows it: dimmed by 63 of 64 parts, which
/// is as bright as the driver chip gets.
#[must_use]
pub const fn colours(ui::Rgb(red, green, blue): ui::Rgb) -> Rgb {
    const fn dimmed(level: u8) -> u8 {
        (level as u32 * 63 / 64) as u8
    }
    Rgb { red: dimmed(red), green: dimmed(green), blue: dimmed(blue) }
}

/// A picture of the user interface as the emulated matrix shows it.
#[must_use]
pub fn screen_of(frame: &ui::Frame) -> Screen {
    let mut screen = Screen::default();
    for row in 0..SIZE {
        for column in 0..SIZE {
            screen.0[row][column] = colours(frame.pixel(column, row));
        }
    }
    screen
}

/// Looks at the matrix until it shows what is expected. A look may come in the middle of a change.
///
/// # Panics
/// It never does.
#[track_caller]
pub fn until_shown(board: &mut UartEndpoint, mut expected: impl FnMut(&Screen) -> bool) {
    let give_up = Instant::now() + PATIENCE / 4;
    loop {
        let screen = board.emulator().screen().unwrap_or_else(|error| panic!("{error}"));
        if expected(&screen) {
            return;
        }
        assert!(Instant::now() < give_up, "the matrix shows\n{screen}");
        std::thread::sleep(LOOK);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_told_apart_by_what_is_seen() {
        let seen = |pattern: Pattern, from_ms: u64| {
            // A clock that is a little slow.
            let now = |ms: u64| ms * 9 / 10;
            parts((0..10_000).map(|ms| (ms, pattern.is_lit(from_ms + now(ms)))))
        };
        let expected =
            |pattern: Pattern| parts((0..20_000).map(|now_ms| (now_ms, pattern.is_lit(now_ms))));
        let patterns = [
            Pattern::YourTurn,
            Pattern::Choosing(1),
            Pattern::Choosing(2),
            Pattern::Menu { item: 1, option: 1 },
            Pattern::Menu { item: 1, option: 2 },
            Pattern::Menu { item: 2, option: 1 },
            Pattern::Won,
            Pattern::Lost,
            Pattern::Draw,
        ];
        for one in patterns {
            for other in patterns {
                let expected = expected(other);
                let fits = [0, 700, 1_900].map(|from_ms| {
                    let seen = seen(one, from_ms);
                    (0..expected.len()).any(|start| is_part_of(&seen, &expected[start..]))
                });
                assert_eq!(fits, [one == other; 3], "{one:?} {other:?}");
            }
        }
    }
}
