//! Positions from text: moves in the engine's notation, or a string of column digits.
//!
//! Errors name the number of the move, the move and the reason, since the text may hold hundreds
//! of moves.

use engine::game::any::Position;
use engine::game::{Game, Move};
use engine::spec::GameSpec;

/// The start position of a game.
///
/// # Errors
/// The board is larger than this build holds.
pub fn start(spec: GameSpec) -> Result<Position, String> {
    Position::new(spec).map_err(|error| format!("{spec}: {error}"))
}

/// The position after moves in the engine's notation, separated by blanks.
///
/// # Errors
/// The first move that is not a move or not legal.
pub fn after_moves(spec: GameSpec, moves: &str) -> Result<Position, String> {
    let mut position = start(spec)?;
    for (index, text) in moves.split_whitespace().enumerate() {
        let number = index + 1;
        let mv =
            spec.parse_move(text).map_err(|error| format!("move {number} `{text}`: {error}"))?;
        position.try_play(mv).map_err(|error| format!("move {number} `{text}`: {error}"))?;
    }
    Ok(position)
}

/// The position of a connect board after a string of digits, each a column counted from 1.
///
/// # Errors
/// The game has no columns to name, a character is not a digit from 1 to 9, or the first move
/// that is not legal.
pub fn after_columns(spec: GameSpec, columns: &str) -> Result<Position, String> {
    if !matches!(spec, GameSpec::Connect { .. }) {
        return Err(format!("column digits are for connect boards only, not for {spec}"));
    }
    let mut position = start(spec)?;
    for (index, digit) in columns.chars().enumerate() {
        let number = index + 1;
        let column = match digit.to_digit(10) {
            Some(column @ 1..) => column as usize,
            _ => {
                return Err(format!(
                    "move {number} `{digit}`: expected a digit from 1 to 9; columns beyond 9 \
                     can only be given with --moves, which counts from 0"
                ));
            }
        };
        if column > spec.cols() {
            return Err(format!(
                "move {number} `{digit}`: outside the board: columns are 1 to {}",
                spec.cols()
            ));
        }
        position
            .try_play(Move::new(column - 1))
            .map_err(|error| format!("move {number} `{digit}`: {error}"))?;
    }
    Ok(position)
}

/// The moves played so far, as text.
#[must_use]
pub fn moves_of(position: &Position) -> Vec<String> {
    let spec = position.spec();
    (0..position.ply())
        .map_while(|n| position.played(n))
        .map(|mv| spec.show_move(mv).to_string())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(text: &str) -> GameSpec {
        text.parse().expect(text)
    }

    #[test]
    fn columns_count_from_one_and_moves_from_zero() {
        let columns = after_columns(spec("connect:6x7x4"), "4453").expect("legal");
        let moves = after_moves(spec("connect:6x7x4"), " 3 3  4 2 ").expect("legal");
        assert_eq!(moves_of(&columns), ["3", "3", "4", "2"]);
        assert_eq!(columns.key(), moves.key());
        assert_eq!(after_columns(spec("connect:6x7x4"), "").expect("legal").ply(), 0);
    }

    #[test]
    fn bad_columns_are_refused_with_number_and_reason() {
        let error = |game: &str, columns| {
            after_columns(spec(game), columns).map(|p| p.ply()).expect_err(columns)
        };
        assert!(error("mnk:3x3x3", "11").contains("for connect boards only"));
        assert!(error("connect:6x7x4", "448").starts_with("move 3 `8`: outside the board"));
        assert!(error("connect:6x12x4", "1:").contains("columns beyond 9"));
        assert!(error("connect:6x7x4", "40").starts_with("move 2 `0`: expected a digit"));
        assert!(error("connect:2x7x4", "111").ends_with("move 3 `1`: that place is taken"));
        assert!(error("connect:6x7x4", "12121214").ends_with("move 8 `4`: the game is over"));
    }

    #[test]
    fn bad_moves_are_refused_with_number_and_reason() {
        let error =
            |moves| after_moves(spec("mnk:3x3x3"), moves).map(|p| p.ply()).expect_err(moves);
        assert_eq!(error("0,0 1,1 0,0"), "move 3 `0,0`: that place is taken");
        assert_eq!(error("0,0 x"), "move 2 `x`: not a move: expected x,y, as in 7,7");
        assert!(error("3,0").starts_with("move 1 `3,0`: outside the board"));
    }
}
