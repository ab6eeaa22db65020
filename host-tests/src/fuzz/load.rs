//! Arbitrary words as a saved game. The sum at the end is made right, so that the loader itself is
//! tried and not only the sum.

use engine::game::Game;
use engine::game::any::AnyGame;
use engine::session::crc::Crc32;

use crate::talk;

/// Every line is a saved game: as it is, and with its sum made right.
///
/// # Panics
/// A line that is refused changes something, or one that is taken leads to a game that play could
/// not reach.
pub fn saved_game(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    talk::hold("mnk:6x6x4", |talk| {
        assert_eq!(talk.ask_one("MOVE 1,1 2,2 3,3"), "OK");
        for line in text.lines().filter(|line| !line.chars().any(char::is_control)) {
            // Up to the sum, if there is one; the loader joins words by single spaces.
            let body = line.rsplit_once(" crc=").map_or(line, |(body, _)| body);
            let words: Vec<&str> = body.split([' ', '\t']).filter(|w| !w.is_empty()).collect();
            let body = words.join(" ");
            let mut crc = Crc32::new();
            crc.add(body.as_bytes());
            for attempt in [line.to_string(), format!("{body} crc={:08X}", crc.value())] {
                let before = talk.ask_one("SAVE");
                let answers = talk.ask(&format!("LOAD {attempt}"));
                let taken =
                    answers.iter().any(|answer| answer == "OK" || answer.starts_with("OK*"));
                let after = talk.ask("SAVE");
                if !taken {
                    assert_eq!(after, [before], "{attempt}: {answers:?}");
                    continue;
                }
                let game = talk.session.game().expect("nobody thinks");
                let mut again = AnyGame::new(game.spec()).expect("it fits");
                for n in 0..game.ply() {
                    let mv = game.played(n).expect("played");
                    assert_eq!(again.try_play(mv), Ok(()), "{attempt}: ply {n}");
                }
                assert!(again == *game, "{attempt}: not what its moves make of it");
                // What it is saved as leads to the same.
                assert_eq!(talk.ask_one(&after[0]), "OK", "{attempt}");
                assert_eq!(talk.ask("SAVE"), after, "{attempt}");
            }
        }
    });
}
