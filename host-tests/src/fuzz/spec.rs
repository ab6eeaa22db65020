//! Arbitrary text as a game and as moves of it.

use engine::game::Move;
use engine::game::any::Position;
use engine::spec::{GameSpec, MAX_SPEC_LEN};

/// Reads arbitrary lines as games, and what follows a game in its line as moves.
///
/// # Panics
/// An error has no text, a game or a move is not written as it was read, or a game that is one
/// cannot be begun.
pub fn game_spec(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    for line in text.lines() {
        let (game, moves) = line.split_once(' ').unwrap_or((line, ""));
        let spec: GameSpec = match game.parse() {
            Ok(spec) => spec,
            Err(error) => {
                let error: engine::spec::SpecError = error;
                assert!(!error.to_string().is_empty());
                continue;
            }
        };
        let written = spec.to_string();
        assert!(written.len() <= MAX_SPEC_LEN, "{written}");
        assert_eq!(written.parse(), Ok(spec), "{game:?}");
        assert_eq!(spec.cells(), spec.rows() * spec.cols());
        assert!(spec.cells() > 0 && spec.move_numbers() <= Move::LIMIT, "{written}");
        Position::new(spec).unwrap_or_else(|error| panic!("{written}: {error}"));
        for word in moves.split(' ') {
            match spec.parse_move(word) {
                Ok(mv) => {
                    assert!(mv.index() < spec.move_numbers(), "{written}: {word:?}");
                    let shown = spec.show_move(mv).to_string();
                    assert_eq!(spec.parse_move(&shown), Ok(mv), "{written}: {word:?}");
                }
                Err(error) => assert!(!error.to_string().is_empty()),
            }
        }
    }
}
