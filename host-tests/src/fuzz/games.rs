//! Games played forwards and backwards by arbitrary bytes: what is kept up to date move by move must
//! be what a fresh board gives, in every layout, and a win must be one by the slow reference.

use engine::game::any::AnyGame;
use engine::game::{Game, Outcome, Side};
use engine::spec::GameSpec;

use super::script::Script;
use crate::reference::Grid;
use crate::{generated, layouts, legal_moves};

/// Boards of all kinds, at the edges of their layouts too.
const GAMES: [&str; 20] = [
    "mnk:3x3x3",
    "mnk:4x4x3:exact",
    "mnk:8x8x5",
    "mnk:9x9x5:exact",
    "mnk:1x9x3",
    "mnk:5x12x4",
    "mnk:15x15x5",
    "mnk:6x6x1:exact",
    "mnk:3x3x9",
    "connect:6x7x4",
    "connect:4x4x3",
    "connect:7x8x4",
    "connect:12x12x5",
    "connect:1x9x2",
    "connect:9x1x2",
    "connect:3x3x1",
    "bricks:1",
    "bricks:4",
    "bricks:7",
    "bricks:8",
];

type Board = AnyGame<225, 144, 64>;

/// Plays a game.
///
/// # Panics
/// Something that is kept up to date differs from what it should be.
pub fn games(data: &[u8]) {
    let mut script = Script::new(data);
    let spec: GameSpec = script.pick(&GAMES).parse().expect("a game");
    let mut boards: Vec<Board> = layouts(spec);
    while !script.is_empty() {
        let choice = script.byte();
        if choice >= 224 {
            for board in &mut boards {
                board.unmake();
            }
        } else {
            let legal = legal_moves(&boards[0]);
            if legal.is_empty() {
                // Over: only the way back is left.
                for board in &mut boards {
                    board.unmake();
                }
                continue;
            }
            let mv = legal[usize::from(choice) * legal.len() / 224];
            for board in &mut boards {
                assert_eq!(board.try_play(mv), Ok(()), "{spec}");
            }
        }
        check(spec, &boards);
    }
}

fn check(spec: GameSpec, boards: &[Board]) {
    let first = &boards[0];
    for (board, empty) in boards.iter().zip(layouts::<225, 144, 64>(spec)) {
        let mut fresh = empty;
        for n in 0..board.ply() {
            let mv = board.played(n).expect("played");
            assert_eq!(fresh.try_play(mv), Ok(()), "{spec}: ply {n}");
        }
        assert!(fresh == *board, "{spec}: not what its {} moves make of it", board.ply());
        assert_eq!(fresh.key(), board.key());
        assert_eq!(fresh.evaluate(), board.evaluate());
        assert_eq!(fresh.outcome(), board.outcome());
        // The layouts agree on everything that the rules say.
        assert_eq!(board.outcome(), first.outcome(), "{spec}");
        assert_eq!(legal_moves(board), legal_moves(first), "{spec}");
        assert_eq!(board.final_score(), first.final_score(), "{spec}");
        assert!((0..spec.cells()).all(|cell| board.stone(cell) == first.stone(cell)), "{spec}");
        if board.outcome().is_none() {
            let moves = generated(board);
            assert!(!moves.is_empty(), "{spec}: nothing to search");
            assert!(moves.iter().all(|&(mv, _)| board.check(mv).is_ok()), "{spec}");
        }
    }
    let (k, exact) = match spec {
        GameSpec::Mnk { k, exact, .. } => (usize::from(k), exact),
        GameSpec::Connect { x, .. } => (usize::from(x), false),
        GameSpec::Bricks { .. } => return,
    };
    let mut grid = Grid::new(spec.rows(), spec.cols());
    for cell in 0..spec.cells() {
        if let Some(side) = first.stone(cell) {
            grid.put(cell / spec.cols(), cell % spec.cols(), side);
        }
    }
    let winner = Side::BOTH.into_iter().find(|&side| grid.has_line(side, k, exact));
    let expected = match winner {
        Some(side) => Some(Outcome::Win(side)),
        None if grid.is_full() => Some(Outcome::Draw),
        None => None,
    };
    assert_eq!(first.outcome(), expected, "{spec} after {} moves", first.ply());
}
