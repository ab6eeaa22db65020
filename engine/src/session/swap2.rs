//! The swap2 opening of five in a row: one side puts three stones, the other takes a colour, or
//! puts two more and leaves the choice to the first.
//!
//! The stones are put so that neither colour is better, as far as a short search tells; the choice
//! goes to the colour that the search prefers. A position that is worth less than `BALANCED` to
//! either side counts as even.

use crate::game::{Game, Move};
use crate::players::Tools;
use crate::score::{HEURISTIC_LIMIT, Score};
use crate::search::report::Limits;
use crate::search::{Options, search};
use crate::spec::GameSpec;

/// A value up to this says nothing about who is better. (An open three is worth far more.)
const BALANCED: Score = 200;

/// Three stones as (column, row) steps from the middle of the board: second-player stones far and
/// near, straight and slanted, so that some of them are close to even under any evaluation.
const OPENINGS: [[(i8, i8); 3]; 8] = [
    [(0, 0), (1, 0), (4, 3)],
    [(0, 0), (1, 1), (-4, 3)],
    [(0, 0), (2, 1), (-3, -4)],
    [(0, 0), (-1, 1), (5, 1)],
    [(-2, 0), (0, 1), (3, -3)],
    [(-3, -2), (0, 0), (3, 2)],
    [(-4, 0), (0, 0), (2, 4)],
    [(-3, 3), (1, 0), (2, -4)],
];

/// How many replies are tried as the fifth stone.
const FIFTH_STONES: usize = 8;

/// An answer to `SWAP2BOARD`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proposal {
    /// Take the other colour.
    Swap,
    /// Put these stones: three to open; one to stay with the colour; two to leave the choice.
    Stones(heapless::Vec<Move, 3>),
}

/// Answers the position, which has 0, 3 or 5 stones and is unchanged afterwards.
pub(super) fn propose<G: Game, const MOVES: usize>(
    game: &mut G,
    tools: &mut Tools<'_, '_, MOVES>,
) -> Proposal {
    match game.ply() {
        0 => Proposal::Stones(open(game, tools)),
        3 => choose(game, tools, true),
        _ => choose(game, tools, false),
    }
}

/// The value for the side to move and its best move, within a share of the time in percent.
fn look<G: Game, const MOVES: usize>(
    game: &mut G,
    tools: &mut Tools<'_, '_, MOVES>,
    percent: u64,
) -> Option<(Score, Move)> {
    let limits = tools.share_of_time(percent);
    let share = |nodes: u64| nodes / 100 * percent + nodes % 100 * percent / 100;
    let nodes = limits.nodes.map(|nodes| share(nodes).max(1));
    let Tools { clock, table, workspace, .. } = tools;
    let limits = Limits { nodes, ..limits };
    let report = search(game, &limits, &Options::ALL, clock, table, workspace)?;
    Some((report.score, report.best))
}

/// The most even of the openings that fit on the board, or any three stones on a tiny one.
fn open<G: Game, const MOVES: usize>(
    game: &mut G,
    tools: &mut Tools<'_, '_, MOVES>,
) -> heapless::Vec<Move, 3> {
    let mut best = heapless::Vec::new();
    let mut least = HEURISTIC_LIMIT;
    for (n, opening) in OPENINGS.iter().enumerate() {
        let Some(stones) = place(game.spec(), opening) else { continue };
        let share = 100 / (OPENINGS.len() - n).max(1) as u64;
        let Some(value) = value_after(game, tools, &stones, share) else { continue };
        if value.abs() < least {
            least = value.abs();
            best = stones;
        }
    }
    if best.is_empty() {
        for n in 0..game.spec().move_numbers() {
            // Full after three.
            if best.push(Move::new(n)).is_err() {
                break;
            }
        }
    }
    best
}

/// The value for the side to move after these moves, `None` if they cannot be played.
fn value_after<G: Game, const MOVES: usize>(
    game: &mut G,
    tools: &mut Tools<'_, '_, MOVES>,
    stones: &[Move],
    percent: u64,
) -> Option<Score> {
    let before = game.ply();
    let playable = stones.iter().all(|&mv| game.try_play(mv).is_ok());
    let value = if playable { look(game, tools, percent).map(|(value, _)| value) } else { None };
    while game.ply() > before {
        game.unmake();
    }
    value
}

fn place(spec: GameSpec, opening: &[(i8, i8); 3]) -> Option<heapless::Vec<Move, 3>> {
    let (rows, cols) = (spec.rows(), spec.cols());
    let mut moves = heapless::Vec::new();
    for &(x, y) in opening {
        let col = (cols / 2).checked_add_signed(isize::from(x)).filter(|&col| col < cols)?;
        let row = (rows / 2).checked_add_signed(isize::from(y)).filter(|&row| row < rows)?;
        moves.push(Move::new(row * cols + col)).ok()?;
    }
    Some(moves)
}

/// Takes a colour, or, if that is allowed and the position is even, puts two more stones.
fn choose<G: Game, const MOVES: usize>(
    game: &mut G,
    tools: &mut Tools<'_, '_, MOVES>,
    may_put_two: bool,
) -> Proposal {
    let share = if may_put_two { 50 } else { 100 };
    let Some((value, best)) = look(game, tools, share) else { return Proposal::Swap };
    let mut stones = heapless::Vec::new();
    let _ = stones.push(best);
    if may_put_two && value.abs() <= BALANCED {
        if let Some(fifth) = most_even_reply(game, tools, best) {
            let _ = stones.push(fifth);
        }
        return Proposal::Stones(stones);
    }
    // The side to move is the second player; its opponent's colour is the one to swap to.
    if value < 0 { Proposal::Swap } else { Proposal::Stones(stones) }
}

/// The reply to `fourth` after which neither side is better: the best reply, or one near it.
fn most_even_reply<G: Game, const MOVES: usize>(
    game: &mut G,
    tools: &mut Tools<'_, '_, MOVES>,
    fourth: Move,
) -> Option<Move> {
    game.try_play(fourth).ok()?;
    let first = look(game, tools, 20).map(|(_, best)| best);
    let mut chosen = None;
    let mut least = HEURISTIC_LIMIT;
    if let Some(first) = first {
        let cells = game.spec().cells();
        // Neighbours of the best reply, near and far, the best reply itself first.
        let steps = (0..FIFTH_STONES).map(|n| (first.index() + n * (cells / 7 + 1)) % cells.max(1));
        for (n, cell) in steps.enumerate() {
            let share = 100 / (FIFTH_STONES - n) as u64;
            let stone = Move::new(cell);
            if let Some(value) = value_after(game, tools, &[stone], share)
                && value.abs() < least
            {
                least = value.abs();
                chosen = Some(stone);
            }
        }
    }
    game.unmake();
    chosen
}
