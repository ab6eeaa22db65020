//! Which game on which board: `mnk:6x5x4`, `connect:6x7x4`, `bricks:11`.
//!
//! ```
//! use engine::spec::GameSpec;
//!
//! let spec: GameSpec = "connect:6x7x4".parse()?;
//! assert_eq!(spec, GameSpec::Connect { rows: 6, cols: 7, x: 4 });
//! assert_eq!(format!("{spec}"), "connect:6x7x4");
//! # Ok::<(), engine::spec::SpecError>(())
//! ```

use core::fmt;
use core::str::FromStr;

/// The most rows and columns of an mnk board.
pub const MNK_MAX_SIDE: u32 = 70;
/// The most rows and columns of a Connect X board.
pub const CONNECT_MAX_SIDE: u32 = 100;
/// The most rows and columns of a bricks board.
pub const BRICKS_MAX_SIDE: u32 = 20;
/// The longest line that may be asked for. A line longer than the board is a draw from the start.
pub const MAX_LINE: u32 = 9_999;
/// Bytes that the text of any spec fits in.
pub const MAX_SPEC_LEN: usize = 24;

/// A game and its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameSpec {
    /// `mnk:ROWSxCOLSxK`: first with `k` cells in a row wins.
    Mnk {
        /// Rows of the board.
        rows: u8,
        /// Columns of the board.
        cols: u8,
        /// Length of a winning line.
        k: u16,
        /// `mnk:ROWSxCOLSxK:exact`: a line longer than `k` does not win.
        exact: bool,
    },
    /// `connect:ROWSxCOLSxX`: pieces fall down; first with `x` cells in a row wins.
    Connect {
        /// Rows of the board.
        rows: u8,
        /// Columns of the board.
        cols: u8,
        /// Length of a winning line.
        x: u16,
    },
    /// `bricks:N`: bricks of two cells; the sum of squared island sizes wins.
    Bricks {
        /// Rows and columns of the board.
        size: u8,
    },
}

impl GameSpec {
    /// Rows of the board.
    #[must_use]
    pub const fn rows(self) -> usize {
        match self {
            GameSpec::Mnk { rows, .. } | GameSpec::Connect { rows, .. } => rows as usize,
            GameSpec::Bricks { size } => size as usize,
        }
    }

    /// Columns of the board.
    #[must_use]
    pub const fn cols(self) -> usize {
        match self {
            GameSpec::Mnk { cols, .. } | GameSpec::Connect { cols, .. } => cols as usize,
            GameSpec::Bricks { size } => size as usize,
        }
    }

    /// Cells of the board.
    #[must_use]
    pub const fn cells(self) -> usize {
        self.rows() * self.cols()
    }

    /// All moves of the game have numbers below this; not every number is a move.
    #[must_use]
    pub const fn move_numbers(self) -> usize {
        match self {
            GameSpec::Mnk { .. } => self.cells(),
            GameSpec::Connect { .. } => self.cols(),
            GameSpec::Bricks { .. } => 2 * self.cells(),
        }
    }

    /// Whether a game ends with a margin of points (bricks) and not with a line.
    #[must_use]
    pub const fn has_margins(self) -> bool {
        matches!(self, GameSpec::Bricks { .. })
    }
}

impl fmt::Display for GameSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameSpec::Mnk { rows, cols, k, exact } => {
                write!(f, "mnk:{rows}x{cols}x{k}{}", if *exact { ":exact" } else { "" })
            }
            GameSpec::Connect { rows, cols, x } => write!(f, "connect:{rows}x{cols}x{x}"),
            GameSpec::Bricks { size } => write!(f, "bricks:{size}"),
        }
    }
}

/// Why a text is not a game spec.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpecError {
    /// The part before the colon names no game.
    UnknownGame,
    /// A game was named, but its sizes do not have this form.
    Form {
        /// The form that is accepted.
        expected: &'static str,
    },
    /// A size is not a whole number.
    NotANumber {
        /// What the size is.
        what: &'static str,
        /// The greatest accepted.
        max: u32,
    },
    /// A size is out of range.
    OutOfRange {
        /// What the size is.
        what: &'static str,
        /// The greatest accepted.
        max: u32,
    },
    /// A side of the board is out of range.
    Side {
        /// Which side.
        what: &'static str,
        /// The least accepted.
        min: u32,
        /// The greatest accepted.
        max: u32,
    },
    /// The board is larger than this build holds.
    TooLarge {
        /// Cells that this build holds for the game.
        capacity: usize,
    },
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SpecError::UnknownGame => f.write_str(
                "unknown game: expected mnk:ROWSxCOLSxK, connect:ROWSxCOLSxX or bricks:N",
            ),
            SpecError::Form { expected } => write!(f, "wrong form: expected {expected}"),
            SpecError::NotANumber { what, max } => {
                write!(f, "{what} is not a whole number: expected 1 to {max}")
            }
            SpecError::OutOfRange { what, max } => {
                write!(f, "{what} out of range: expected 1 to {max}")
            }
            SpecError::Side { what, min, max } => {
                write!(f, "{what} out of range: expected {min} to {max}")
            }
            SpecError::TooLarge { capacity } => {
                write!(f, "board too large for this build: at most {capacity} cells")
            }
        }
    }
}

impl core::error::Error for SpecError {}

impl FromStr for GameSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<GameSpec, SpecError> {
        let (game, sizes) = text.split_once(':').unwrap_or((text, ""));
        if game.eq_ignore_ascii_case("mnk") {
            let (sizes, exact) = match sizes.split_once(':') {
                Some((sizes, rule)) if rule.eq_ignore_ascii_case("exact") => (sizes, true),
                Some(_) => {
                    return Err(SpecError::Form { expected: "mnk:ROWSxCOLSxK or ...:exact" });
                }
                None => (sizes, false),
            };
            let [rows, cols, k] = split(sizes, "mnk:ROWSxCOLSxK, as in mnk:15x15x5")?;
            Ok(GameSpec::Mnk {
                rows: size(rows, "rows", MNK_MAX_SIDE)? as u8,
                cols: size(cols, "columns", MNK_MAX_SIDE)? as u8,
                k: size(k, "line length", MAX_LINE)? as u16,
                exact,
            })
        } else if game.eq_ignore_ascii_case("connect") {
            let [rows, cols, x] = split(sizes, "connect:ROWSxCOLSxX, as in connect:6x7x4")?;
            Ok(GameSpec::Connect {
                rows: size(rows, "rows", CONNECT_MAX_SIDE)? as u8,
                cols: size(cols, "columns", CONNECT_MAX_SIDE)? as u8,
                x: size(x, "line length", MAX_LINE)? as u16,
            })
        } else if game.eq_ignore_ascii_case("bricks") {
            if sizes.is_empty() {
                return Err(SpecError::Form { expected: "bricks:N, as in bricks:11" });
            }
            Ok(GameSpec::Bricks { size: size(sizes, "size", BRICKS_MAX_SIDE)? as u8 })
        } else {
            Err(SpecError::UnknownGame)
        }
    }
}

/// Splits `AxBxC` into its three parts.
fn split<'a>(text: &'a str, expected: &'static str) -> Result<[&'a str; 3], SpecError> {
    let mut parts = text.split(['x', 'X']);
    match (parts.next(), parts.next(), parts.next(), parts.next()) {
        (Some(a), Some(b), Some(c), None) => Ok([a, b, c]),
        _ => Err(SpecError::Form { expected }),
    }
}

/// Reads a whole number from 1 to `max`, of digits only: no sign, no blank.
fn size(text: &str, what: &'static str, max: u32) -> Result<u32, SpecError> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(SpecError::NotANumber { what, max });
    }
    // Only digits: the one thing that can still go wrong is overflow.
    match text.parse() {
        Ok(number) if (1..=max).contains(&number) => Ok(number),
        _ => Err(SpecError::OutOfRange { what, max }),
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::string::ToString;

    fn error(text: &str) -> std::string::String {
        text.parse::<GameSpec>().expect_err(text).to_string()
    }

    #[test]
    fn specs_survive_the_way_through_text() {
        for text in [
            "mnk:3x3x3",
            "mnk:70x70x10",
            "mnk:1x1x1",
            "mnk:15x15x5:exact",
            "mnk:4x4x9999",
            "connect:6x7x4",
            "connect:100x100x30",
            "bricks:11",
            "bricks:20",
        ] {
            let spec: GameSpec = text.parse().expect(text);
            assert_eq!(spec.to_string(), text);
            assert!(text.len() <= MAX_SPEC_LEN);
        }
        assert_eq!("MNK:3X4X3".parse::<GameSpec>().map(|s| (s.rows(), s.cols())), Ok((3, 4)));
    }

    #[test]
    fn errors_say_what_is_wrong_and_what_is_accepted() {
        assert_eq!(error("mnk:0x3x3"), "rows out of range: expected 1 to 70");
        assert_eq!(error("mnk:3x71x3"), "columns out of range: expected 1 to 70");
        assert_eq!(error("mnk:3x3x-1"), "line length is not a whole number: expected 1 to 9999");
        assert_eq!(error("mnk:3x3x+1"), "line length is not a whole number: expected 1 to 9999");
        assert_eq!(error("mnk:3x3x"), "line length is not a whole number: expected 1 to 9999");
        assert_eq!(
            error("connect:6x7"),
            "wrong form: expected connect:ROWSxCOLSxX, as in connect:6x7x4"
        );
        assert_eq!(error("mnk:3x3x3x3"), "wrong form: expected mnk:ROWSxCOLSxK, as in mnk:15x15x5");
        assert_eq!(error("bricks:99"), "size out of range: expected 1 to 20");
        assert_eq!(error("bricks"), "wrong form: expected bricks:N, as in bricks:11");
        assert_eq!(
            error("connect:99999999999999999999x7x4"),
            "rows out of range: expected 1 to 100"
        );
        assert_eq!(error("mnk:3x3x3:renju"), "wrong form: expected mnk:ROWSxCOLSxK or ...:exact");
        assert!(error("chess").starts_with("unknown game"));
        assert!(error("").starts_with("unknown game"));
    }
}
