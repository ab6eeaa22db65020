//! A thumb and an eye at the emulated board: presses, what the matrix shows, what the LED says.
//!
//! The board is run in steps ([`STEPPED`](crate::uart_endpoint::STEPPED)), so all times are the
//! board's own.

use std::time::Duration;

use engine::ui::blink::{Pattern, TELLINGS};
use engine::ui::button::{DOUBLE_PRESS_GAP_MS, LONG_PRESS_MS, Press, PressReader};
use engine::ui::{self, Frame};
use host::link::emulator::screen::{Rgb, SIZE, Screen};

use crate::uart_endpoint::UartEndpoint;

/// The time between two looks at button and LED.
const LOOK_MS: u64 = 10;
const LOOK: Duration = Duration::from_millis(LOOK_MS);
/// The time between two looks at the matrix. It lights its rows in turn, in 16 ms; QEMU fades
/// those that are not lit between a few looks.
const MATRIX_LOOK_MS: u64 = 20;
const MATRIX_LOOK: Duration = Duration::from_millis(MATRIX_LOOK_MS);
/// How long a short press lasts: well above the bouncing, well below a long press.
const SHORT_MS: u64 = 100;
/// Time for the board to notice.
const NOTICE_MS: u64 = 50;
/// The LED changes with the frames of the display, so a flash may be longer or shorter by this.
const FRAME_MS: u64 = 33 + LOOK_MS;
/// Before this time the matrix shows what it should, in every row.
const SHOWN_MS: u64 = 200;

impl UartEndpoint {
    /// Presses the button and gives the time at which the press is certain.
    ///
    /// # Panics
    /// The board is gone.
    #[track_caller]
    pub fn press(&mut self, press: Press) -> u64 {
        let mut reader = PressReader::new();
        let mut told = Vec::new();
        // Down and up in turn.
        let times: &[u64] = match press {
            Press::Short => &[SHORT_MS, DOUBLE_PRESS_GAP_MS + NOTICE_MS],
            Press::Long => &[LONG_PRESS_MS + NOTICE_MS, DOUBLE_PRESS_GAP_MS + NOTICE_MS],
            Press::Double => &[SHORT_MS, SHORT_MS, SHORT_MS, DOUBLE_PRESS_GAP_MS + NOTICE_MS],
        };
        for (n, &time_ms) in times.iter().enumerate() {
            let down = n % 2 == 0;
            let emulator = self.emulator();
            let set = if down { emulator.press_button() } else { emulator.release_button() };
            set.unwrap_or_else(|error| panic!("{error}"));
            for _ in 0..time_ms / LOOK_MS {
                self.step(LOOK);
                reader.edge(down, self.now_ms());
                told.extend(reader.poll(self.now_ms()).map(|press| (press, self.now_ms())));
            }
        }
        match told[..] {
            [(only, now_ms)] if only == press => now_ms,
            _ => panic!("{press:?} is read as {told:?}"),
        }
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
        let start_ms = self.now_ms();
        let looks = (0..round_ms / LOOK_MS).map(|_| {
            self.step(LOOK);
            let lit = self.emulator().led().unwrap_or_else(|error| panic!("{error}"));
            (self.now_ms() - start_ms, lit)
        });
        let seen = parts(looks);
        (0..expected.len()).any(|start| is_part_of(&seen, &expected[start..]))
    }

    /// Looks at the matrix until it shows what is expected by then, for which it has
    /// `SHOWN_MS`: a look may come in the middle of a change.
    ///
    /// # Panics
    /// It does not.
    #[track_caller]
    pub fn until_shown(&mut self, mut expected: impl FnMut(&Screen, u64) -> bool) {
        for _ in 0..SHOWN_MS / MATRIX_LOOK_MS {
            self.step(MATRIX_LOOK);
            let screen = self.emulator().screen().unwrap_or_else(|error| panic!("{error}"));
            if expected(&screen, self.now_ms()) {
                return;
            }
        }
        let screen = self.emulator().screen().unwrap_or_else(|error| panic!("{error}"));
        panic!("the matrix shows\n{screen}");
    }

    /// The matrix shows the picture that belongs to this moment, or that of a moment before.
    ///
    /// # Panics
    /// It does not.
    #[track_caller]
    pub fn shows(&mut self, frame: impl Fn(u64) -> Frame) {
        self.until_shown(|screen, now_ms| {
            (now_ms.saturating_sub(SHOWN_MS)..=now_ms)
                .rev()
                .any(|then_ms| *screen == screen_of(&frame(then_ms)))
        });
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
            let least_ms = if is_whole(n) { as_ms.saturating_sub(FRAME_MS) } else { 0 };
            lit == as_lit && (least_ms..=as_ms + FRAME_MS).contains(&ms)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_told_apart_by_what_is_seen() {
        let seen = |pattern: Pattern, from_ms: u64| {
            // The LED is set 30 times a second.
            let frame = |ms: u64| ms / 33 * 33;
            parts((0..10_000).map(|ms| (ms, pattern.is_lit(frame(from_ms + ms)))))
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
