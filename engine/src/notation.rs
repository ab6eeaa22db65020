//! Moves as text, and back. Coordinates count from 0, column first, as Gomocup has them:
//! `x,y` (mnk), `x` (connect), `x,y,h` or `x,y,v` (bricks, the brick's upper or left cell).

use core::fmt;

use crate::game::Move;
use crate::spec::GameSpec;

/// Why a text is not a move of the game. Whether a move is legal is for the position to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotationError {
    /// The text does not have the form of a move of this game.
    Form {
        /// The form that is accepted.
        expected: &'static str,
    },
    /// The coordinates lie outside the board.
    OutsideBoard {
        /// Columns of the board.
        cols: usize,
        /// Rows of the board.
        rows: usize,
    },
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotationError::Form { expected } => write!(f, "not a move: expected {expected}"),
            NotationError::OutsideBoard { cols, rows } => write!(
                f,
                "outside the board: x is 0 to {}, y is 0 to {}",
                cols.saturating_sub(1),
                rows.saturating_sub(1)
            ),
        }
    }
}

impl core::error::Error for NotationError {}

impl GameSpec {
    /// Reads a move of this game.
    ///
    /// # Errors
    /// The text has another form, or the coordinates lie outside the board.
    pub fn parse_move(self, text: &str) -> Result<Move, NotationError> {
        let expected = match self {
            GameSpec::Mnk { .. } => "x,y, as in 7,7",
            GameSpec::Connect { .. } => "a column, as in 3",
            GameSpec::Bricks { .. } => "x,y,h or x,y,v, as in 5,5,h",
        };
        let form = NotationError::Form { expected };
        let number = |part: Option<&str>| -> Result<usize, NotationError> {
            let part = part.map(str::trim).filter(|part| !part.is_empty()).ok_or(form)?;
            if !part.bytes().all(|byte| byte.is_ascii_digit()) {
                return Err(form);
            }
            // Digits only, so that what does not fit is merely far outside the board.
            Ok(part.parse().unwrap_or(usize::MAX))
        };
        let mut parts = text.trim().split(',');
        let (rows, cols) = (self.rows(), self.cols());
        let x = number(parts.next())?;
        let (y, vertical) = match self {
            GameSpec::Connect { .. } => (0, false),
            GameSpec::Mnk { .. } => (number(parts.next())?, false),
            GameSpec::Bricks { .. } => {
                let y = number(parts.next())?;
                let direction = parts.next().map(str::trim).ok_or(form)?;
                if direction.eq_ignore_ascii_case("h") {
                    (y, false)
                } else if direction.eq_ignore_ascii_case("v") {
                    (y, true)
                } else {
                    return Err(form);
                }
            }
        };
        if parts.next().is_some() {
            return Err(form);
        }
        let brick = usize::from(matches!(self, GameSpec::Bricks { .. }));
        let (width, height) = if vertical { (1, 2) } else { (1 + brick, 1) };
        if x >= cols || y >= rows || x + width > cols || y + height > rows {
            return Err(NotationError::OutsideBoard { cols, rows });
        }
        Ok(match self {
            GameSpec::Connect { .. } => Move::new(x),
            _ => Move::new(y * cols + x + if vertical { self.cells() } else { 0 }),
        })
    }

    /// The move as text, for `format!` and `write!`.
    #[must_use]
    pub const fn show_move(self, mv: Move) -> ShownMove {
        ShownMove { spec: self, mv }
    }
}

/// A move that knows its game, so that it can be written as text.
#[derive(Clone, Copy, Debug)]
pub struct ShownMove {
    spec: GameSpec,
    mv: Move,
}

impl fmt::Display for ShownMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (cells, cols) = (self.spec.cells().max(1), self.spec.cols().max(1));
        let index = self.mv.index();
        let (x, y) = (index % cells % cols, index % cells / cols);
        match self.spec {
            GameSpec::Mnk { .. } => write!(f, "{x},{y}"),
            GameSpec::Connect { .. } => write!(f, "{index}"),
            GameSpec::Bricks { .. } => {
                write!(f, "{x},{y},{}", if index >= cells { 'v' } else { 'h' })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::string::ToString;

    fn spec(text: &str) -> GameSpec {
        text.parse().expect(text)
    }

    #[test]
    fn every_move_survives_the_way_through_text() {
        for text in ["mnk:3x4x3", "mnk:70x70x5", "connect:6x7x4", "bricks:1", "bricks:5"] {
            let spec = spec(text);
            let moves = match spec {
                GameSpec::Mnk { .. } => spec.cells(),
                GameSpec::Connect { .. } => spec.cols(),
                GameSpec::Bricks { .. } => 2 * spec.cells(),
            };
            for index in 0..moves {
                let mv = Move::new(index);
                let shown = spec.show_move(mv).to_string();
                match spec.parse_move(&shown) {
                    Ok(read) => assert_eq!(read, mv, "{shown}"),
                    // A brick that would stick out of the board.
                    Err(error) => {
                        let size = spec.cols();
                        assert!(spec.has_margins(), "{shown}: {error}");
                        let cell = index % spec.cells();
                        let last = if index >= spec.cells() { cell / size } else { cell % size };
                        assert_eq!(last, size - 1, "{shown}");
                    }
                }
            }
        }
    }

    #[test]
    fn bad_moves_are_refused_with_what_is_accepted() {
        for text in ["", "1", "1,", ",1", "a,b", "1,2,3", "-1,2", "1;2", "1,2,h", "+1,1"] {
            assert!(matches!(spec("mnk:3x3x3").parse_move(text), Err(NotationError::Form { .. })));
        }
        for text in ["3,0", "0,3", "99999999999999999999999,0"] {
            let error = spec("mnk:3x3x3").parse_move(text).expect_err(text);
            assert_eq!(error.to_string(), "outside the board: x is 0 to 2, y is 0 to 2");
        }
        assert!(spec("bricks:4").parse_move("3,0,h").is_err());
        assert!(spec("bricks:4").parse_move("0,3,v").is_err());
        assert!(spec("bricks:4").parse_move("0,3,x").is_err());
        assert!(spec("bricks:1").parse_move("0,0,h").is_err());
        assert!(spec("connect:6x7x4").parse_move("7").is_err());
        assert!(spec("connect:6x7x4").parse_move("1,2").is_err());
    }
}
