//! `aipvs`: deepening alpha-beta with a table and aspiration windows, positions valued by the
//! windows of K cells that are still open.
//!
//! Source: "AiPvs" (Cucci, Bindi), source document 1.
//!
//! - Value of a position: rows, columns and diagonals are gone through for windows of K cells that
//!   hold stones of one player only; see [`value`]. The document says that lines are analysed and
//!   not what a line is worth: the weights are ours.
//! - Time: all there is, at most [`MOVE_TIME_US`].
//! - The document's list of solved boards is [`known_outcome`]; the value that comes with the
//!   first move of a board that it calls drawn is a draw.
//!
//! # Where it differs from the document
//! - Its table took values of any depth for good, and used upper bounds as lower ones and lower as
//!   upper ones. The engine's table keeps depth and bound and gives back what holds.
//! - Its move could come from an iteration with a window that the value had left, or from an
//!   earlier depth with a greater score. Here the last complete depth decides, or a move of the
//!   depth under way that was found better.
//! - It is "blind to closing moves", as its authors write. Here a win at once is taken, a single
//!   threat is met and a double threat is seen as lost, at every node; forced moves count against
//!   the depth all the same.
//! - Aspiration: the window is the engine's, 150 to either side and growing when the value leaves
//!   it, instead of 100 and then the full one. Values are the same.
//! - The engine's killers, history, null windows and symmetries save work without changing values.
//! - The position is taken back move by move instead of cloned and restored.
//! - The document tries every free cell, row by row. Here the moves and their order are the
//!   engine's: on boards of up to 64 cells every cell that a line can still pass through, on larger
//!   ones the best of the cells near a stone. With all cells of a 70x70 board not even two plies
//!   would fit the move stack, and row by row (6,5,4) takes 38 times as many nodes.
//! - The list calls every board with K = 2 won by the first player. With one or two
//!   cells it is drawn.
//!
//! # Bounds
//! The value is brought up to date with every move from the windows through its cell: at most 280
//! cells on a 70x70 board. The first look at the board asks for the time once per direction, after
//! at most 4,900 cells.

use super::styled::{Style, Styled};
use super::{Decision, Player, Tools, Why, next_legal};
use crate::game::line::Direction;
use crate::game::{Game, Move, Outcome, Side};
use crate::guarded::row_and_col;
use crate::score::{Score, Value, clamp_heuristic};
use crate::search::report::Limits;
use crate::search::{MAX_DEPTH, Options, search};
use crate::spec::GameSpec;

/// The most time for a move: ten seconds.
pub const MOVE_TIME_US: u64 = 10_000_000;

/// The parts of the engine's search that the player uses.
const OPTIONS: Options = Options {
    bounds: false,
    extend_forced: false,
    threats: false,
    reduce: false,
    believe: false,
    narrow: false,
    ..Options::ALL
};

/// How a game from the empty board ends under best play, as far as the document's list says. It
/// says nothing about the exact rule and about games other than mnk.
#[must_use]
pub fn known_outcome(spec: GameSpec) -> Option<Outcome> {
    let GameSpec::Mnk { rows, cols, k, exact: false } = spec else { return None };
    let (short, long) = (rows.min(cols), rows.max(cols));
    // A drawn board stays drawn with fewer rows or columns and with longer lines.
    let within = |most_short, most_long| short <= most_short && long <= most_long;
    match k {
        1 => Some(Outcome::Win(Side::First)),
        2 if long > 2 || short > 1 => Some(Outcome::Win(Side::First)),
        2 => Some(Outcome::Draw),
        _ if u16::from(short) < k || k >= 8 => Some(Outcome::Draw),
        3 if long == 3 => Some(Outcome::Draw),
        3 => Some(Outcome::Win(Side::First)),
        4.. if within(5, 5) => Some(Outcome::Draw),
        4 if short >= 5 => Some(Outcome::Win(Side::First)),
        6.. if within(6, 9) || within(7, 7) => Some(Outcome::Draw),
        _ => None,
    }
}

/// The value of a position for the first player: the worth of the windows of K cells that hold
/// only its stones, less that of the second player's. Kept within the range of heuristic scores.
/// The same stones with the colours swapped have the opposite value. 0 for games other than mnk.
///
/// A window is worth its number of stones, and 1,000, 100 or 10 more if it lacks one, two or three
/// stones. An empty one is worth nothing.
#[must_use]
pub fn value<G: Game>(game: &G) -> Score {
    let windows = Windows::new(game);
    let total = Direction::ALL.iter().map(|&direction| windows.sum_along(game, direction)).sum();
    clamp_heuristic(total)
}

/// The player.
#[derive(Clone, Copy, Debug, Default)]
pub struct Aipvs;

impl Aipvs {
    /// The player.
    #[must_use]
    pub const fn new() -> Aipvs {
        Aipvs
    }

    /// The same decision with parts of the search switched off, to see that they change nothing.
    /// See [`Player::decide`].
    pub fn decide_with<G: Game, const MOVES: usize>(
        self,
        options: &Options,
        game: &mut G,
        tools: &mut Tools<'_, '_, MOVES>,
    ) -> Option<Decision> {
        let any_move = next_legal(game, 0)?;
        let spec = game.spec();
        let GameSpec::Mnk { .. } = spec else {
            return Some(Decision::at_once(any_move, Why::Heuristic));
        };
        let latest = tools.clock.now_us().saturating_add(MOVE_TIME_US);
        let deadline_us = tools.limits.deadline_us.map_or(latest, |deadline| deadline.min(latest));
        let limits = Limits { deadline_us: Some(deadline_us), ..tools.limits };
        let windows = Windows::new(game);
        let mut total = Some(0);
        for direction in Direction::ALL {
            let in_time = !tools.time_is_up();
            total = total.filter(|_| in_time).map(|sum| sum + windows.sum_along(game, direction));
        }
        let mut totals = [0; MAX_DEPTH + 1];
        totals[0] = total.unwrap_or(0);
        let mut view = View { windows, root_ply: game.ply(), totals };
        let mut styled = Styled::new(game, &mut view);
        let report =
            search(&mut styled, &limits, options, &tools.clock, tools.table, tools.workspace);
        let Some(report) = report else {
            return Some(Decision::at_once(any_move, Why::Heuristic));
        };
        let decision = Decision::from(&report);
        let value = match known_outcome(spec) {
            Some(Outcome::Draw) if game.ply() == 0 => Some(Value::Draw),
            // Who has not looked at the whole board has no opinion.
            _ => decision.value.filter(|_| total.is_some()),
        };
        Some(Decision { value, ..decision })
    }
}

impl Player for Aipvs {
    fn decide<G: Game, const MOVES: usize>(
        &mut self,
        game: &mut G,
        tools: &mut Tools<'_, '_, MOVES>,
    ) -> Option<Decision> {
        self.decide_with(&OPTIONS, game, tools)
    }
}

/// How the player sees a position during a search.
struct View {
    windows: Windows,
    root_ply: usize,
    /// The value for the first player at the root and after each move of the search.
    totals: [i64; MAX_DEPTH + 1],
}

impl<G: Game> Style<G> for View {
    fn evaluate(&self, game: &G) -> Score {
        let total = self.totals.get(game.ply() - self.root_ply).copied().unwrap_or(0);
        clamp_heuristic(match game.side_to_move() {
            Side::First => total,
            Side::Second => -total,
        })
    }

    fn made(&mut self, game: &G, mv: Move) {
        let height = game.ply() - self.root_ply;
        if let Some([before, after]) = self.totals.get_mut(height - 1..=height) {
            *after = *before + self.windows.gain(game, mv.index(), game.side_to_move().other());
        }
    }
}

/// What windows are worth, for K cells.
struct Windows {
    k: usize,
}

impl Windows {
    fn new<G: Game>(game: &G) -> Windows {
        Windows {
            k: match game.spec() {
                GameSpec::Mnk { k, .. } => usize::from(k.max(1)),
                _ => usize::MAX,
            },
        }
    }

    /// The worth for the first player of a window with these stones of the two players.
    fn worth(&self, stones: [usize; 2]) -> i64 {
        let of = |own: usize| {
            own as i64
                + match self.k.saturating_sub(own) {
                    0 | 1 => 1_000,
                    2 => 100,
                    3 => 10,
                    _ => 0,
                }
        };
        match stones {
            [0, 0] => 0,
            [own, 0] => of(own),
            [0, own] => -of(own),
            _ => 0,
        }
    }

    /// The worth of all windows in a direction.
    fn sum_along<G: Game>(&self, game: &G, direction: Direction) -> i64 {
        let (rows, cols) = (game.spec().rows(), game.spec().cols());
        let mut sum = 0;
        for cell in 0..rows * cols {
            let (row, col) = row_and_col(cell, cols);
            let (back, forward) = direction.reach(row, col, rows, cols);
            if back == 0 {
                let cells = (0..forward + 1).map(|n| cell + n * step(direction, cols));
                self.slide(game, cells, |stones| sum += self.worth(stones));
            }
        }
        sum
    }

    /// By how much the stone of `side` on `cell` changed the worth of the windows through it.
    fn gain<G: Game>(&self, game: &G, cell: usize, side: Side) -> i64 {
        let (rows, cols) = (game.spec().rows(), game.spec().cols());
        let mut gain = 0;
        for direction in Direction::ALL {
            let (row, col) = row_and_col(cell, cols);
            let (back, forward) = direction.reach(row, col, rows, cols);
            let (back, forward) = (back.min(self.k - 1), forward.min(self.k - 1));
            let step = step(direction, cols);
            let start = cell - back * step;
            self.slide(game, (0..back + forward + 1).map(|n| start + n * step), |stones| {
                let mut before = stones;
                before[side.index()] -= 1;
                gain += self.worth(stones) - self.worth(before);
            });
        }
        gain
    }

    /// Slides a window along these cells and tells how many stones of the two players it holds.
    fn slide<G: Game>(
        &self,
        game: &G,
        cells: impl ExactSizeIterator<Item = usize> + Clone,
        mut visit: impl FnMut([usize; 2]),
    ) {
        if cells.len() < self.k {
            return;
        }
        let mut stones = [0; 2];
        let mut leaving = cells.clone();
        for (n, cell) in cells.enumerate() {
            if let Some(side) = game.stone(cell) {
                stones[side.index()] += 1;
            }
            if n + 1 >= self.k {
                visit(stones);
                if let Some(side) = leaving.next().and_then(|cell| game.stone(cell)) {
                    stones[side.index()] -= 1;
                }
            }
        }
    }
}

/// How much the number of a cell grows along a direction.
const fn step(direction: Direction, cols: usize) -> usize {
    match direction {
        Direction::Right => 1,
        Direction::Down => cols,
        Direction::DownRight => cols + 1,
        Direction::DownLeft => cols - 1,
    }
}
