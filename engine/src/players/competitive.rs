//! `competitive`: deepening alpha-beta around the last moves, positions valued by each player's
//! best streak.
//!
//! Source: "Competitive" (Lervini, Lodi, Vallese), source document 0, and for what the document
//! leaves out the authors' program: depth caps, share of the time, opening.
//!
//! - Moves (`bestCells`): the free cells next to the cells marked in the last [`LAST_TURNS`]
//!   turns, the latest first; if there are none, [`RANDOM_CELLS`] free cells at random. That makes
//!   at most [`MAX_CELLS`]. A cell that wins at once comes before all others.
//! - Value of a position: `(atan(p2) - atan(p1)) / (pi / 2)`, where p1 and p2 are the weighted
//!   lengths of the players' best streaks; see [`value`].
//! - Time: a share of what is left, and no deeper than [`depth_cap`]. When time runs out in the
//!   middle of a depth, the move is the best of the last complete depth and of those tried so far.
//! - Opening: the centre. A win at once is played without a search.
//!
//! # Where it differs from the document
//! - Values are whole numbers, [`ONE`] for 1, instead of floating-point numbers, and the search
//!   sees them from the side to move. A decided game has the engine's score of a win, so that the
//!   sooner win counts for more; the document has -1 and 1 for all.
//! - A win at once is seen wherever it is on the board, and also where the depth is used up: one
//!   ply deeper than in the document. A threat of the opponent is met as in the document: by
//!   search, among the cells near the last moves only.
//! - Alpha-beta, order by killers and history, null windows: the engine's. They do not change
//!   values. The table and aspiration windows stay off: the document has neither, and which moves
//!   are tried depends on the order of the last moves, which the table does not know.
//! - The random cells follow from the seed and the position, so that a position met twice has the
//!   same moves.
//! - A board of up to 8 cells would get more than 100 % of the time by the formula; it gets all.
//!
//! # Bounds
//! The best streaks are kept per line, and a move looks again at the four lines through its cell:
//! at most 280 cells, and 418 lines for the value, on a 70x70 board. The first look at the board
//! asks for the time once per direction, after at most 4,900 cells.

use super::random::Dice;
use super::styled::{Style, Styled};
use super::{Decision, Player, Tools, Why, next_legal};
use crate::game::line::Direction;
use crate::game::{Game, Move, Side, Tactics};
use crate::guarded::row_and_col;
use crate::score::{HEURISTIC_LIMIT, Score, Value};
use crate::search::ordering::{Candidate, MoveSink};
use crate::search::report::Limits;
use crate::search::{MAX_DEPTH, Options, search};
use crate::spec::{GameSpec, MNK_MAX_SIDE};

/// Moves are looked for around the cells marked in this many turns.
pub const LAST_TURNS: usize = 10;
/// How many free cells are tried if there is none around the last moves.
pub const RANDOM_CELLS: usize = 3;
/// The most moves that are tried: the neighbours of the last moves.
pub const MAX_CELLS: usize = 8 * LAST_TURNS;

/// What stands for 1 in the value of a position: a win of the second player, never reached.
pub const ONE: Score = 100_000;
const _: () = assert!(ONE < HEURISTIC_LIMIT);

/// The parts of the engine's search that the player uses.
const OPTIONS: Options = Options {
    table: false,
    bounds: false,
    symmetry: false,
    aspiration: false,
    extend_forced: false,
    ..Options::ALL
};

/// The deepest that the player looks on a board of this many cells.
#[must_use]
pub const fn depth_cap(cells: usize) -> u32 {
    match cells {
        0..=12 => cells as u32,
        13..=20 => 7,
        21..=30 => 6,
        31..=50 => 5,
        51..=600 => 4,
        601..=2_000 => 3,
        _ => 2,
    }
}

/// The share of the time left that the player uses on a board of this many cells, in percent.
#[must_use]
pub const fn time_share(cells: usize) -> u64 {
    let share = match 441usize.checked_div(cells) {
        Some(extra) => 50 + extra as u64,
        None => 100,
    };
    if share > 100 { 100 } else { share }
}

/// The document's value of a position, in units of 1 / [`ONE`]: negative if the first player is
/// ahead, positive if the second, strictly between -[`ONE`] and [`ONE`]. The same stones with
/// the colours swapped have the opposite value. 0 for games other than mnk.
///
/// A streak is a row of a player's stones along a line, with at most one empty cell between two
/// of them (a hole). Its weighted length is the number of stones, times 0.9 for each end where no
/// free cell follows. A streak without a free cell at either end counts for nothing if stones and
/// holes together are fewer than K.
#[must_use]
pub fn value<G: Game>(game: &G) -> Score {
    let mut streaks = Streaks::new(game);
    for direction in Direction::ALL {
        streaks.look_along(game, direction);
    }
    streaks.value()
}

/// The player.
#[derive(Clone, Debug)]
pub struct Competitive {
    seed: u64,
}

impl Competitive {
    /// A player whose random cells follow from the seed.
    #[must_use]
    pub const fn new(seed: u64) -> Competitive {
        Competitive { seed }
    }

    /// The document's `bestCells`: the moves to try, the first with the greatest order. At most
    /// [`MAX_CELLS`], and at least one while the game goes on.
    pub fn best_cells<G: Game>(&self, game: &G, sink: &mut MoveSink<'_>) {
        if let Tactics::Win(mv) = game.tactics() {
            sink.push(mv, Candidate::MAX_ORDER);
        }
        self.cells_near_last_moves(game, sink);
    }

    /// [`Competitive::best_cells`] without a win at once.
    fn cells_near_last_moves<G: Game>(&self, game: &G, sink: &mut MoveSink<'_>) {
        let spec = game.spec();
        let (rows, cols) = (spec.rows(), spec.cols());
        let last_moves = (0..game.ply()).rev().take(LAST_TURNS).filter_map(|n| game.played(n));
        for last in last_moves {
            let (row, col) = row_and_col(last.index(), cols);
            for near_row in row.saturating_sub(1)..(row + 2).min(rows) {
                for near_col in col.saturating_sub(1)..(col + 2).min(cols) {
                    let mv = Move::new(near_row * cols + near_col);
                    let is_new = !sink.candidates().iter().any(|listed| listed.mv() == mv);
                    if is_new && game.stone(mv.index()).is_none() && sink.len() < MAX_CELLS {
                        sink.push(mv, (MAX_CELLS - sink.len()) as u32);
                    }
                }
            }
        }
        if sink.is_empty() {
            self.random_cells(game, sink);
        }
        if sink.len() < game.plies_left() {
            sink.mark_selective();
        }
    }

    /// Some free cells, every choice as likely as any other.
    fn random_cells<G: Game>(&self, game: &G, sink: &mut MoveSink<'_>) {
        let mut dice = Dice::new(self.seed ^ game.key());
        let mut wanted = RANDOM_CELLS;
        let free = (0..game.spec().cells()).filter(|&cell| game.stone(cell).is_none());
        for (cell, left) in free.zip((1..=game.plies_left()).rev()) {
            if dice.roll(left) < wanted {
                sink.push(Move::new(cell), wanted as u32);
                wanted -= 1;
            }
        }
    }
}

impl Player for Competitive {
    fn decide<G: Game, const MOVES: usize>(
        &mut self,
        game: &mut G,
        tools: &mut Tools<'_, '_, MOVES>,
    ) -> Option<Decision> {
        let any_move = next_legal(game, 0)?;
        let GameSpec::Mnk { .. } = game.spec() else {
            return Some(Decision::at_once(any_move, Why::Heuristic));
        };
        let (rows, cols, cells) = (game.spec().rows(), game.spec().cols(), game.spec().cells());
        if let Tactics::Win(mv) = game.tactics() {
            let value = Some(Value::Win { plies: 1 });
            return Some(Decision { value, ..Decision::at_once(mv, Why::Rule) });
        }
        if game.ply() == 0 {
            let centre = Move::new(rows / 2 * cols + cols / 2);
            return Some(Decision::at_once(centre, Why::Rule));
        }
        let depth = depth_cap(cells).min(tools.limits.depth.unwrap_or(u32::MAX));
        let limits = Limits { depth: Some(depth), ..tools.share_of_time(time_share(cells)) };
        let mut view = View { player: self, streaks: Streaks::new(game) };
        let seen = Direction::ALL.into_iter().all(|direction| {
            let in_time = !tools.time_is_up();
            if in_time {
                view.streaks.look_along(game, direction);
            }
            in_time
        });
        let mut styled = Styled::new(game, &mut view);
        let report =
            search(&mut styled, &limits, &OPTIONS, &tools.clock, tools.table, tools.workspace);
        let Some(report) = report else {
            return Some(Decision::at_once(any_move, Why::Heuristic));
        };
        let decision = Decision::from(&report);
        // Who has not looked at the whole board has no opinion.
        Some(Decision { value: decision.value.filter(|_| seen), ..decision })
    }
}

/// How the player sees a position during a search.
struct View<'a> {
    player: &'a Competitive,
    streaks: Streaks,
}

impl<G: Game> Style<G> for View<'_> {
    fn evaluate(&self, game: &G) -> Score {
        match game.side_to_move() {
            Side::First => -self.streaks.value(),
            Side::Second => self.streaks.value(),
        }
    }

    fn generate(&self, game: &G, sink: &mut MoveSink<'_>) {
        // Where there is a win at once, `tactics` has taken it.
        self.player.cells_near_last_moves(game, sink);
    }

    /// Only a win at once is seen; threats are left to the search.
    fn tactics(&self, game: &G) -> Tactics {
        match game.tactics() {
            Tactics::Win(mv) => Tactics::Win(mv),
            _ => Tactics::Quiet,
        }
    }

    fn made(&mut self, game: &G, mv: Move) {
        if let Some(slot) = self.streaks.made.get_mut(game.ply() - self.streaks.root_ply) {
            *slot = mv;
        }
        self.streaks.look_through(game, mv.index());
    }

    fn unmade(&mut self, game: &G) {
        let taken_back = self.streaks.made.get(game.ply() + 1 - self.streaks.root_ply).copied();
        if let Some(mv) = taken_back {
            self.streaks.look_through(game, mv.index());
        }
    }
}

/// Rows, columns and diagonals of the largest board, each kind from its own start.
const MAX_SIDE: usize = MNK_MAX_SIDE as usize;
const LINES: usize = 2 * MAX_SIDE + 2 * (2 * MAX_SIDE - 1);

/// The weighted length of each player's best streak in every line, in hundredths.
#[derive(Clone, Debug)]
struct Streaks {
    /// Length of a winning line.
    k: usize,
    best: [[u16; 2]; LINES],
    root_ply: usize,
    /// The moves of the search since the root, each at the number of plies after it.
    made: [Move; MAX_DEPTH + 1],
}

impl Streaks {
    /// Nothing looked at yet.
    fn new<G: Game>(game: &G) -> Streaks {
        let k = match game.spec() {
            GameSpec::Mnk { k, .. } => usize::from(k),
            _ => usize::MAX,
        };
        Streaks {
            k,
            best: [[0; 2]; LINES],
            root_ply: game.ply(),
            made: [Move::new(0); MAX_DEPTH + 1],
        }
    }

    /// Looks at all lines in a direction.
    fn look_along<G: Game>(&mut self, game: &G, direction: Direction) {
        let GameSpec::Mnk { .. } = game.spec() else { return };
        let (rows, cols) = (game.spec().rows(), game.spec().cols());
        for cell in 0..rows * cols {
            let (row, col) = row_and_col(cell, cols);
            if direction.reach(row, col, rows, cols).0 == 0 {
                self.look(game, cell, direction);
            }
        }
    }

    /// Looks at the four lines through a cell.
    fn look_through<G: Game>(&mut self, game: &G, cell: usize) {
        for direction in Direction::ALL {
            self.look(game, cell, direction);
        }
    }

    /// Looks at the line through a cell in a direction.
    fn look<G: Game>(&mut self, game: &G, cell: usize, direction: Direction) {
        let (rows, cols) = (game.spec().rows(), game.spec().cols());
        let (row, col) = row_and_col(cell, cols);
        let (back, forward) = direction.reach(row, col, rows, cols);
        let (step, line) = match direction {
            Direction::Right => (1, row),
            Direction::Down => (cols, MAX_SIDE + col),
            Direction::DownRight => (cols + 1, 2 * MAX_SIDE + row + (cols - 1 - col)),
            Direction::DownLeft => (cols - 1, 4 * MAX_SIDE - 1 + row + col),
        };
        let start = cell - back * step;
        let stones = (0..=back + forward).map(|n| game.stone(start + n * step));
        if let Some(best) = self.best.get_mut(line) {
            *best = best_streaks(stones, self.k);
        }
    }

    /// The value of the position, as in [`value`].
    fn value(&self) -> Score {
        let best = |side: Side| self.best.iter().map(|best| best[side.index()]).max().unwrap_or(0);
        arctangent(best(Side::Second)) - arctangent(best(Side::First))
    }
}

/// The weighted length of the best streak of each player in a line, in hundredths.
fn best_streaks(stones: impl Iterator<Item = Option<Side>>, k: usize) -> [u16; 2] {
    let mut best = [0; 2];
    let mut streaks = [const { Streak::NONE }; 2];
    let mut end = |streak: &mut Streak, side: Side| {
        let best = &mut best[side.index()];
        *best = streak.weighted_length(k).max(*best);
        *streak = Streak::NONE;
    };
    // Beyond the border no cell is free.
    let mut free_before = false;
    for stone in stones {
        for side in Side::BOTH {
            let streak = &mut streaks[side.index()];
            if stone == Some(side) {
                streak.add_stone(free_before);
            } else if stone.is_some() || streak.free_after {
                end(streak, side);
            } else {
                streak.free_after = streak.stones > 0;
            }
        }
        free_before = stone.is_none();
    }
    for side in Side::BOTH {
        end(&mut streaks[side.index()], side);
    }
    best
}

/// A streak as far as it has been seen.
struct Streak {
    stones: usize,
    /// Single empty cells between stones.
    holes: usize,
    free_before: bool,
    /// The cell after the last stone is empty; with a further stone it becomes a hole.
    free_after: bool,
}

impl Streak {
    const NONE: Streak = Streak { stones: 0, holes: 0, free_before: false, free_after: false };

    fn add_stone(&mut self, free_before: bool) {
        if self.stones == 0 {
            self.free_before = free_before;
        } else if self.free_after {
            self.holes += 1;
        }
        self.free_after = false;
        self.stones += 1;
    }

    /// In hundredths; at most 100 for each of the 70 cells of a line.
    fn weighted_length(&self, k: usize) -> u16 {
        let percent = match (self.free_before, self.free_after) {
            (true, true) => 100,
            (false, false) if self.stones + self.holes < k => 0,
            (false, false) => 81,
            _ => 90,
        };
        (self.stones * percent) as u16
    }
}

/// `atan(hundredths / 100) / (pi / 2)` in units of 1 / [`ONE`], to the nearest: 0 for 0, below
/// [`ONE`] for the longest streak.
///
/// CORDIC: the vector (1, tangent) is turned back and forth by the angles with tangents 1, 1/2,
/// 1/4, ... until it lies on the axis; the angles add up to the one looked for.
fn arctangent(hundredths: u16) -> Score {
    /// A quarter of a turn.
    const QUARTER: i64 = 1 << 30;
    /// The angles with tangent `1 / 2^n`, where [`QUARTER`] is a right angle.
    const ANGLES: [i64; 24] = [
        536_870_912,
        316_933_406,
        167_458_907,
        85_004_756,
        42_667_331,
        21_354_465,
        10_679_838,
        5_340_245,
        2_670_163,
        1_335_087,
        667_544,
        333_772,
        166_886,
        83_443,
        41_722,
        20_861,
        10_430,
        5_215,
        2_608,
        1_304,
        652,
        326,
        163,
        81,
    ];
    if hundredths == 0 {
        return 0;
    }
    let (mut x, mut y) = (100i64 << 24, i64::from(hundredths) << 24);
    let mut angle = 0;
    for (n, turn) in ANGLES.into_iter().enumerate() {
        if y > 0 {
            (x, y) = (x + (y >> n), y - (x >> n));
            angle += turn;
        } else {
            (x, y) = (x - (y >> n), y + (x >> n));
            angle -= turn;
        }
    }
    ((angle * i64::from(ONE) + QUARTER / 2) / QUARTER) as Score
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;

    #[test]
    fn the_arctangent_is_right_for_every_weighted_length() {
        for hundredths in 0..=100 * MAX_SIDE as u16 {
            let exact = (f64::from(hundredths) / 100.0).atan() / core::f64::consts::FRAC_PI_2;
            let error = f64::from(arctangent(hundredths)) - exact * f64::from(ONE);
            assert!(error.abs() < 0.6, "{hundredths}: {error}");
            assert!((0..ONE).contains(&arctangent(hundredths)));
        }
    }

    #[test]
    fn streaks_are_weighed_as_in_the_document() {
        let best = |line: &str, k| {
            let stones = line.chars().map(|c| match c {
                'X' => Some(Side::First),
                'O' => Some(Side::Second),
                _ => None,
            });
            best_streaks(stones, k)
        };
        // Free at both ends, at one, at none but long enough, at none and too short.
        assert_eq!(best(".XXX.", 5), [300, 0]);
        assert_eq!(best("XXX.", 5), [270, 0]);
        assert_eq!(best("OXXX.", 5), [270, 0]);
        assert_eq!(best("OXXXO", 3), [243, 0]);
        assert_eq!(best("OXXXO", 4), [0, 0]);
        // Holes count for the room, not for the length.
        assert_eq!(best("XX.X", 4), [243, 0]);
        assert_eq!(best("XX.X", 5), [0, 0]);
        assert_eq!(best(".X.X.X.", 5), [300, 0]);
        // Two empty cells end a streak, and are free for both.
        assert_eq!(best("XX..XXX", 4), [270, 0]);
        assert_eq!(best("XX..OOO", 4), [180, 270]);
        // The empty cell before an opponent's stone is free, not a hole.
        assert_eq!(best("OXX.O", 4), [180, 90]);
        assert_eq!(best("", 3), [0, 0]);
        assert_eq!(best("X", 1), [81, 0]);
        assert_eq!(best("X", 2), [0, 0]);
    }
}
