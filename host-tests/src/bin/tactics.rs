//! Makes the suite of tactical positions on 15x15 and 10x10 boards: `cargo run --release -p host-tests
//! --bin tactics > host-tests/data/tactics.txt`.
//!
//! Positions come from careless games and from stones strewn at random. A line is
//! `kind spec moves -> accepted moves`, of which there are at most [`MOST_ACCEPTED`]:
//!
//! - `fours`: the side to move wins by fours, in 5 to 15 plies by the slow look of
//!   [`host_tests::forced_wins`]; accepted is every move that keeps a win by fours.
//! - `defence`: the opponent threatens to win by fours; accepted are the moves after which no such win
//!   is left.
//! - `threes`: no win by fours, but one by threes and fours that a long hunt finds; accepted is every
//!   threat against which every answer meets a win again.

use engine::game::any::Position;
use engine::game::{Game, Move, Side, Tactics};
use engine::search::hunt::hunt;
use engine::search::ordering::{Candidate, MoveSink, Wanted};
use engine::search::report::{Limits, NoClock};
use engine::search::{Options, search};
use engine::spec::GameSpec;
use host_tests::forced_wins::PlainBoard;
use host_tests::{Dice, Storage, generated, nodes};

/// Positions wanted of each kind.
const WANTED: usize = 24;
/// More right answers than this make it too easy.
const MOST_ACCEPTED: usize = 4;
/// Fours that the slow look tries in a row.
const MOST_FOURS: usize = 7;
/// Nodes of a long hunt.
const HUNT_NODES: u64 = 30_000;

fn plain(game: &Position) -> PlainBoard {
    let size = game.spec().cols();
    let mut board = PlainBoard::new(size);
    for cell in 0..size * size {
        board.set(cell, game.stone(cell));
    }
    board
}

/// In how many plies a side wins by fours, if it does; an error if that takes too long to see.
fn wins_by_fours(game: &Position, side: Side) -> Result<Option<usize>, TooLong> {
    let mut board = plain(game);
    let plies = board.win_by_fours(side, MOST_FOURS);
    if board.gave_up() { Err(TooLong) } else { Ok(plies) }
}

/// A position that the slow look cannot judge.
struct TooLong;

/// Whether the side to move has a win that a long hunt finds.
fn hunted(game: &mut Position, storage: &mut Storage) -> bool {
    let (mut table, workspace) = storage.parts();
    table.clear();
    hunt(game, &nodes(HUNT_NODES), &NoClock, &mut table, workspace).win.is_some()
}

/// Whether the side that is not to move has just threatened something.
fn threatens(game: &Position) -> bool {
    game.outcome().is_none() && (game.is_threatened() || game.tactics() != Tactics::Quiet)
}

/// The replies to a threat that do not lose at once.
fn answers(game: &Position) -> Vec<Move> {
    if let Tactics::Forced(mv) | Tactics::Lost(mv) | Tactics::Win(mv) = game.tactics() {
        return vec![mv];
    }
    let mut storage = vec![Candidate::NONE; 1_000];
    let mut sink = MoveSink::wanting(Wanted::Answers, &mut storage);
    game.generate(&mut sink);
    sink.candidates().iter().map(|candidate| candidate.mv()).collect()
}

/// The moves that are right here, if the position is of some kind.
fn examine(game: &mut Position, storage: &mut Storage) -> Option<(&'static str, Vec<Move>)> {
    if game.outcome().is_some() || game.tactics() != Tactics::Quiet {
        return None;
    }
    let us = game.side_to_move();
    let tries: Vec<Move> = generated(game).into_iter().map(|(mv, _)| mv).collect();
    let keep = |game: &mut Position, right: &mut dyn FnMut(&mut Position) -> bool| {
        let mut kept = vec![];
        for &mv in &tries {
            game.make(mv);
            if right(game) {
                kept.push(mv);
            }
            game.unmake();
        }
        kept
    };
    match wins_by_fours(game, us).ok()? {
        Some(5..=15) => {
            // The opponent has one answer to a four, and it must lose.
            let accepted = keep(game, &mut |game| match game.tactics() {
                Tactics::Lost(_) => true,
                Tactics::Forced(mv) => {
                    game.make(mv);
                    let wins = matches!(wins_by_fours(game, us), Ok(Some(_)));
                    game.unmake();
                    wins
                }
                _ => false,
            });
            return Some(("fours", accepted));
        }
        Some(_) => return None,
        None => {}
    }
    if wins_by_fours(game, us.other()).ok()?.is_some_and(|plies| plies >= 3) {
        let accepted = keep(game, &mut |game| matches!(wins_by_fours(game, us.other()), Ok(None)));
        // A win of one's own would be another answer.
        if !hunted(game, storage) {
            return Some(("defence", accepted));
        }
        return None;
    }
    if hunted(game, storage) {
        let accepted = keep(game, &mut |game| {
            threatens(game)
                && answers(game).into_iter().all(|reply| {
                    game.make(reply);
                    let wins = game.outcome().is_none() && hunted(game, storage);
                    game.unmake();
                    wins
                })
        });
        if !accepted.is_empty() {
            return Some(("threes", accepted));
        }
    }
    None
}

/// A game between two who see one ply ahead and sometimes less: there is much to overlook.
fn careless_game(spec: GameSpec, dice: &mut Dice, storage: &mut Storage) -> Position {
    let mut game = Position::new(spec).expect("the board fits");
    let length = 8 + dice.roll(30);
    while game.outcome().is_none() && game.ply() < length {
        let mv = if dice.roll(4) == 0 || game.ply() < 3 {
            let mut moves: Vec<_> =
                generated(&game).into_iter().map(|(mv, order)| (order, mv)).collect();
            moves.sort_unstable_by(|one, other| other.cmp(one));
            moves[dice.roll(moves.len().min(10))].1
        } else {
            let (mut table, workspace) = storage.parts();
            let limits = Limits { depth: Some(1), ..Limits::default() };
            let options = Options { threats: false, extend_forced: false, ..Options::ALL };
            search(&mut game, &limits, &options, &NoClock, &mut table, workspace)
                .expect("the game goes on")
                .best
        };
        game.make(mv);
    }
    game
}

/// Stones at random in the middle of the board, where fours abound.
fn scattered_game(spec: GameSpec, dice: &mut Dice) -> Position {
    const SIDE: usize = 9;
    let mut game = Position::new(spec).expect("the board fits");
    let corner = (spec.cols() - SIDE) / 2;
    let length = 18 + dice.roll(14);
    while game.outcome().is_none() && game.ply() < length {
        let cell = (corner + dice.roll(SIDE)) * spec.cols() + corner + dice.roll(SIDE);
        let _ = game.try_play(Move::new(cell));
    }
    game
}

fn main() {
    let specs =
        ["mnk:15x15x5", "mnk:10x10x5"].map(|text| text.parse::<GameSpec>().expect("a game"));
    let mut storage = Storage::new(16_384);
    let mut counts = [("fours", 0), ("defence", 0), ("threes", 0)];
    println!("# kind spec moves -> accepted moves; made by host-tests/src/bin/tactics.rs");
    for seed in 0.. {
        if counts.iter().all(|&(_, count)| count >= WANTED) {
            break;
        }
        let mut dice = Dice::new(seed);
        let spec = specs[usize::from(seed % 3 == 2)];
        let mut game = if seed % 2 == 0 {
            careless_game(spec, &mut dice, &mut storage)
        } else {
            scattered_game(spec, &mut dice)
        };
        if let Some((kind, accepted)) = examine(&mut game, &mut storage)
            && (1..=MOST_ACCEPTED).contains(&accepted.len())
            && let Some((_, count)) =
                counts.iter_mut().find(|(name, count)| *name == kind && *count < WANTED)
        {
            *count += 1;
            let show = |mv: &Move| spec.show_move(*mv).to_string();
            let moves: Vec<String> =
                (0..game.ply()).filter_map(|n| game.played(n)).map(|mv| show(&mv)).collect();
            let accepted: Vec<String> = accepted.iter().map(show).collect();
            println!("{kind} {spec} {} -> {}", moves.join(" "), accepted.join(" "));
        }
    }
}
