//! Spans of time as people write them: `10s`, `500ms`, `2m`.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// A span of time given on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeSpan(pub Duration);

impl fmt::Display for TimeSpan {
    /// In the largest unit that gives a whole number.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_millis() {
            0 => f.write_str("0ms"),
            span if span.is_multiple_of(3_600_000) => write!(f, "{}h", span / 3_600_000),
            span if span.is_multiple_of(60_000) => write!(f, "{}m", span / 60_000),
            span if span.is_multiple_of(1_000) => write!(f, "{}s", span / 1_000),
            span => write!(f, "{span}ms"),
        }
    }
}

/// A text that is no span of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeSpanError;

impl fmt::Display for TimeSpanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "not a span of time: expected a whole number and ms, s, m or h, as in 500ms, 10s or 2m",
        )
    }
}

impl std::error::Error for TimeSpanError {}

impl FromStr for TimeSpan {
    type Err = TimeSpanError;

    fn from_str(text: &str) -> Result<TimeSpan, TimeSpanError> {
        let unit_start = text.find(|c: char| !c.is_ascii_digit()).ok_or(TimeSpanError)?;
        let (digits, unit) = text.split_at(unit_start);
        let number: u64 = digits.parse().map_err(|_| TimeSpanError)?;
        let milliseconds_each = match unit {
            "ms" => 1,
            "s" => 1_000,
            "m" => 60_000,
            "h" => 3_600_000,
            _ => return Err(TimeSpanError),
        };
        let milliseconds = number.checked_mul(milliseconds_each).ok_or(TimeSpanError)?;
        Ok(TimeSpan(Duration::from_millis(milliseconds)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_read_in_their_unit() {
        for (text, milliseconds) in
            [("0ms", 0), ("500ms", 500), ("10s", 10_000), ("2m", 120_000), ("1h", 3_600_000)]
        {
            let span: TimeSpan = text.parse().expect(text);
            assert_eq!(span.0, Duration::from_millis(milliseconds));
        }
    }

    #[test]
    fn spans_survive_the_way_through_text() {
        for text in ["0ms", "500ms", "10s", "90s", "2m", "1h"] {
            assert_eq!(text.parse::<TimeSpan>().expect(text).to_string(), text);
        }
    }

    #[test]
    fn bad_spans_are_refused() {
        for text in ["", "10", "s", "-1s", "1.5s", "10 s", "10S", "10d", "99999999999999999999s"] {
            assert_eq!(text.parse::<TimeSpan>(), Err(TimeSpanError), "{text}");
        }
    }
}
