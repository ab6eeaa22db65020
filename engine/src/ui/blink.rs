//! What one LED says: patterns of light and dark that follow from the time alone.
//!
//! | pattern | light |
//! | --- | --- |
//! | thinking | fast flicker |
//! | your turn | one short flash every 2 s |
//! | choosing | the number of the column or row, from 1; 1 = horizontal, 2 = vertical; again and again |
//! | the engine's move | its numbers, column first, told twice; then "your turn" |
//! | menu | the item's number in long flashes, the option's number in blinks |
//! | you won | three short, one long |
//! | you lost | one second of light, one of dark |
//! | draw | two long |
//! | error | two quick flashes, three times, once |
//!
//! A number is told in blinks, as many as it says; from 10 on each ten is one long flash, told
//! first. So 3 is `. . .` and 12 is `- . .`.

/// Thinking: light and dark.
pub const FLICKER_MS: (u32, u32) = (40, 60);
/// Your turn: light and dark.
pub const TURN_MS: (u32, u32) = (60, 1_940);
/// A blink that counts one: light and dark.
pub const ONE_MS: (u32, u32) = (150, 250);
/// A flash that counts ten, and one that counts the menu's items: light and dark.
pub const TEN_MS: (u32, u32) = (600, 300);
/// Dark between two numbers that belong together, besides the dark of the last blink.
pub const NUMBER_PAUSE_MS: u32 = 700;
/// Dark before a pattern of numbers begins again, besides the dark of the last blink.
pub const REPEAT_PAUSE_MS: u32 = 1_400;
/// You won: short flashes and how many, then one long flash.
pub const WON_SHORT_MS: (u32, u32) = (100, 100);
/// Short flashes of "you won".
pub const WON_SHORT: u32 = 3;
/// You won: the long flash, and the dark after it.
pub const WON_LONG_MS: (u32, u32) = (700, 800);
/// You lost: light and dark.
pub const LOST_MS: (u32, u32) = (1_000, 1_000);
/// Draw: each of the two flashes, light and dark.
pub const DRAW_MS: (u32, u32) = (400, 200);
/// Draw: dark after the two flashes.
pub const DRAW_PAUSE_MS: u32 = 1_200;
/// Error: each of two quick flashes, light and dark.
pub const ERROR_MS: (u32, u32) = (80, 80);
/// Error: dark after the two flashes.
pub const ERROR_PAUSE_MS: u32 = 280;
/// How long an error is shown: three rounds.
pub const ERROR_SHOWN_MS: u64 = 3 * (2 * (ERROR_MS.0 + ERROR_MS.1) + ERROR_PAUSE_MS) as u64;
/// How often the engine's move is told.
pub const TELLINGS: u64 = 2;

/// Numbers to tell one after the other: column, row, direction; 0 ends them.
pub type Numbers = [u8; 3];

/// Something that the LED can say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// Nothing.
    Dark,
    /// The engine thinks.
    Thinking,
    /// It is the person's turn.
    YourTurn,
    /// The number of what is being chosen.
    Choosing(u8),
    /// The engine's move, told [`TELLINGS`] times, then the person's turn.
    Told(Numbers),
    /// An item of the menu and its option, both from 1.
    Menu {
        /// The item's number.
        item: u8,
        /// The option's number.
        option: u8,
    },
    /// The person won.
    Won,
    /// The person lost.
    Lost,
    /// Nobody won.
    Draw,
    /// Something was refused.
    Error,
}

impl Pattern {
    /// Whether the LED is lit so long after the pattern began.
    #[must_use]
    pub fn is_lit(self, elapsed_ms: u64) -> bool {
        let length_ms = self.length_ms();
        if let Pattern::Told(_) = self {
            let told_ms = length_ms.saturating_mul(TELLINGS);
            if elapsed_ms >= told_ms {
                return Pattern::YourTurn.is_lit(elapsed_ms - told_ms);
            }
        }
        let mut left_ms = elapsed_ms.checked_rem(length_ms).unwrap_or(0);
        let mut now = None;
        self.each_part(&mut |lit, part_ms| {
            if now.is_none() {
                match left_ms.checked_sub(u64::from(part_ms)) {
                    Some(rest_ms) => left_ms = rest_ms,
                    None => now = Some(lit),
                }
            }
        });
        now.unwrap_or(false)
    }

    /// After this time the pattern begins again.
    #[must_use]
    pub fn length_ms(self) -> u64 {
        let mut length_ms = 0;
        self.each_part(&mut |_, part_ms| length_ms += u64::from(part_ms));
        length_ms
    }

    /// Hands over the times of light and dark of one round.
    fn each_part(self, part: &mut dyn FnMut(bool, u32)) {
        match self {
            Pattern::Dark => {}
            Pattern::Thinking => flashes(1, FLICKER_MS, part),
            Pattern::YourTurn => flashes(1, TURN_MS, part),
            Pattern::Choosing(number) => {
                count(number, part);
                part(false, REPEAT_PAUSE_MS);
            }
            Pattern::Told(numbers) => {
                for (n, &number) in numbers.iter().take_while(|&&number| number > 0).enumerate() {
                    if n > 0 {
                        part(false, NUMBER_PAUSE_MS);
                    }
                    count(number, part);
                }
                part(false, REPEAT_PAUSE_MS);
            }
            Pattern::Menu { item, option } => {
                flashes(u32::from(item), TEN_MS, part);
                part(false, NUMBER_PAUSE_MS);
                count(option, part);
                part(false, REPEAT_PAUSE_MS);
            }
            Pattern::Won => {
                flashes(WON_SHORT, WON_SHORT_MS, part);
                flashes(1, WON_LONG_MS, part);
            }
            Pattern::Lost => flashes(1, LOST_MS, part),
            Pattern::Draw => {
                flashes(2, DRAW_MS, part);
                part(false, DRAW_PAUSE_MS);
            }
            Pattern::Error => {
                flashes(2, ERROR_MS, part);
                part(false, ERROR_PAUSE_MS);
            }
        }
    }
}

/// A number: tens, then ones.
fn count(number: u8, part: &mut dyn FnMut(bool, u32)) {
    flashes(u32::from(number / 10), TEN_MS, part);
    flashes(u32::from(number % 10), ONE_MS, part);
}

fn flashes(times: u32, (light_ms, dark_ms): (u32, u32), part: &mut dyn FnMut(bool, u32)) {
    for _ in 0..times {
        part(true, light_ms);
        part(false, dark_ms);
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use std::string::String;
    use std::vec::Vec;

    /// The flashes of some time as the lengths of light and dark, in milliseconds.
    fn trace(pattern: Pattern, end_ms: u64) -> Vec<(bool, u64)> {
        let mut parts: Vec<(bool, u64)> = Vec::new();
        for now_ms in 0..end_ms {
            let lit = pattern.is_lit(now_ms);
            match parts.last_mut() {
                Some((last, length_ms)) if *last == lit => *length_ms += 1,
                _ => parts.push((lit, 1)),
            }
        }
        parts
    }

    /// `.` for a blink, `-` for a long flash, a blank for a pause.
    fn told(pattern: Pattern, end_ms: u64) -> String {
        let text: String = trace(pattern, end_ms)
            .into_iter()
            .map(|(lit, length_ms)| match (lit, length_ms) {
                (true, 150) => ".",
                (true, 600) => "-",
                (true, 60) => "*",
                (true, _) => "?",
                (false, 900..) => " ",
                (false, _) => "",
            })
            .collect();
        text.trim_end().into()
    }

    fn round(pattern: Pattern) -> String {
        told(pattern, pattern.length_ms())
    }

    #[test]
    fn numbers_are_told_in_blinks_and_tens_in_long_flashes() {
        assert_eq!(round(Pattern::Choosing(1)), ".");
        assert_eq!(round(Pattern::Choosing(9)), ".........");
        assert_eq!(round(Pattern::Choosing(10)), "-");
        assert_eq!(round(Pattern::Choosing(12)), "-..");
        assert_eq!(round(Pattern::Choosing(100)), "----------");
    }

    #[test]
    fn a_choice_is_told_again_and_again() {
        let pattern = Pattern::Choosing(3);
        assert_eq!(told(pattern, 3 * pattern.length_ms()), "... ... ...");
    }

    #[test]
    fn a_move_is_told_twice_and_then_it_is_your_turn() {
        let pattern = Pattern::Told([2, 1, 0]);
        assert_eq!(told(pattern, 2 * pattern.length_ms() + 4_000), ".. . .. . * *");
        let brick = Pattern::Told([3, 12, 2]);
        assert_eq!(round(brick), "... -.. ..");
    }

    #[test]
    fn the_menu_tells_the_item_in_long_flashes() {
        assert_eq!(round(Pattern::Menu { item: 2, option: 3 }), "-- ...");
        assert_eq!(round(Pattern::Menu { item: 4, option: 10 }), "---- -");
    }

    #[test]
    fn no_two_patterns_look_alike() {
        let patterns = [
            Pattern::Dark,
            Pattern::Thinking,
            Pattern::YourTurn,
            Pattern::Choosing(1),
            Pattern::Choosing(2),
            Pattern::Menu { item: 1, option: 1 },
            Pattern::Told([1, 1, 0]),
            Pattern::Told([1, 1, 1]),
            Pattern::Won,
            Pattern::Lost,
            Pattern::Draw,
            Pattern::Error,
        ];
        let traces: Vec<_> = patterns.iter().map(|&pattern| trace(pattern, 10_000)).collect();
        for (n, trace) in traces.iter().enumerate() {
            assert!(!traces[..n].contains(trace), "{:?}", patterns[n]);
        }
    }

    #[test]
    fn rhythms_are_those_of_the_table() {
        assert_eq!(trace(Pattern::Thinking, 100), [(true, 40), (false, 60)]);
        assert_eq!(trace(Pattern::YourTurn, 2_000), [(true, 60), (false, 1_940)]);
        assert_eq!(trace(Pattern::Lost, 2_000), [(true, 1_000), (false, 1_000)]);
        let won: Vec<_> = trace(Pattern::Won, 2_100).into_iter().map(|(_, ms)| ms).collect();
        assert_eq!(won, [100, 100, 100, 100, 100, 100, 700, 800]);
        let draw: Vec<_> = trace(Pattern::Draw, 2_400).into_iter().map(|(_, ms)| ms).collect();
        assert_eq!(draw, [400, 200, 400, 1_400]);
        assert_eq!(trace(Pattern::Dark, 5_000), [(false, 5_000)]);
        let error: Vec<_> = trace(Pattern::Error, 600).into_iter().map(|(_, ms)| ms).collect();
        assert_eq!(error, [80, 80, 80, 360]);
        assert_eq!(ERROR_SHOWN_MS, 3 * Pattern::Error.length_ms());
    }

    #[test]
    fn no_time_is_too_late() {
        for pattern in [Pattern::Dark, Pattern::Told([255; 3]), Pattern::Told([0; 3])] {
            let _ = pattern.is_lit(u64::MAX);
        }
    }
}
