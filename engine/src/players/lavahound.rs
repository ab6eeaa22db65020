//! `lavahound`: LavaHound (Casalini, Casaburi), a player of Connect X.
//!
//! Two moves need no thought: the first of the game goes to the centre, and a single column left
//! is played. Otherwise an alpha-beta search deepens step by step over a transposition table.
//! Each depth gives a score; then the move is the first, from the left, whose value lies within
//! [`THRESHOLD`] of it.
//!
//! # The leaf value
//! For the side to move, where it can win with its next stone, [`ABOUT_TO_WIN`]; where the
//! opponent threatens to win in two columns, minus that. Else the *connections*: every window of
//! X cells with stones of one player and none of the other can still grow, and is worth 1, 10,
//! 1,000, 10,000 or 100,000 by the number of its stones. The value is own minus opponent's
//! connections after the side's best stone, or after the one that blocks a threat.
//!
//! # Where it differs from the report
//! - The report's table knows neither depth nor bound, so deeper iterations reuse shallow values.
//!   The engine's table knows both: a deeper iteration may well change the value.
//! - The report asks first whether *it* can win next, then whether its opponent can, whoever is to
//!   move. Here the side to move is asked first, since it would win first; and a threat that a
//!   stone can block is no loss yet. Taking it for one, as the report does, makes every check at
//!   the end of a line look like a win: it won 35 of the 52 test games against `oneply`, where
//!   46 are won now.
//! - When time runs out in an iteration, the report values what it has reached and goes on; here
//!   the last complete iteration has the word. A move before any is complete takes a win, blocks a
//!   threat or goes near the centre; the report's is random.
//! - `getBestMove` searches moves again for their value; here it asks only whether they come
//!   within the threshold, and the move that the search found ends the row.
//! - The report counts all connections anew for every column. Here the sum over the board is kept
//!   from move to move and a column adds only the windows through its lowest free cell, with the
//!   same result. Where even that is more than [`POLL_WORK`] cells (100 columns from X = 14 on),
//!   only as many columns as that allows are looked at, those around the last stone.
//! - Values beyond 100,000 are squeezed by [`SQUEEZE`], and cut short of [`ABOUT_TO_WIN`], to fit
//!   the engine's scores.
//! - Columns are searched from the centre outwards, which changes no value.
//!
//! The table is shared with whoever used it before: values of another player's evaluation do not
//! belong in it.

use super::styled::{Style, Styled};
use super::windows::Windows;
use super::{Decision, POLL_WORK, Player, Tools, Why, next_legal};
use crate::game::line::Direction;
use crate::game::{Game, Move, Side, Tactics};
use crate::guarded::between;
use crate::score::{HEURISTIC_LIMIT, INFINITE, Score, clamp_heuristic, is_loss, is_win};
use crate::search::ordering::MoveSink;
use crate::search::report::{Ending, Limits, Report};
use crate::search::{MAX_DEPTH, Options, search_to_depth};
use crate::spec::{CONNECT_MAX_SIDE, GameSpec};

/// The value of a position where the side to move can win at once.
pub const ABOUT_TO_WIN: Score = HEURISTIC_LIMIT - 1;
/// A move whose value lies within this of the best is as good.
pub const THRESHOLD: Score = 1;
/// Beyond 100,000 a point of value counts for this fraction.
pub const SQUEEZE: i64 = 64;

/// The share of the time that is used, in percent.
const SHARE: u64 = 90;
/// The value of a window by the stones in it.
const WEIGHTS: [i64; 6] = [0, 1, 10, 1_000, 10_000, 100_000];
const SQUEEZED_FROM: i64 = 100_000;
const MAX_COLS: usize = CONNECT_MAX_SIDE as usize;

/// What changes no value, and nothing else.
const OPTIONS: Options = Options {
    tactics: false,
    bounds: false,
    extend_forced: false,
    aspiration: false,
    ..Options::ALL
};

/// The player.
#[derive(Clone, Debug, Default)]
pub struct Lavahound {}

impl Lavahound {
    /// A player. It remembers nothing from turn to turn but what is in the table.
    #[must_use]
    pub const fn new() -> Lavahound {
        Lavahound {}
    }
}

impl Player for Lavahound {
    /// Plays Connect X; of another game, the first legal move.
    fn decide<G: Game, const MOVES: usize>(
        &mut self,
        game: &mut G,
        tools: &mut Tools<'_, '_, MOVES>,
    ) -> Option<Decision> {
        let first_legal = next_legal(game, 0)?;
        let GameSpec::Connect { cols, .. } = game.spec() else {
            return Some(Decision::at_once(first_legal, Why::Rule));
        };
        if game.ply() == 0 {
            return Some(Decision::at_once(Move::new(usize::from(cols) / 2), Why::Rule));
        }
        if next_legal(game, first_legal.index() + 1).is_none() {
            return Some(Decision::at_once(first_legal, Why::Rule));
        }
        let limits = tools.share_of_time(SHARE);
        let at_once = Decision::at_once(at_first_sight(game, first_legal), Why::Heuristic);
        let Some(mut view) = View::new(game, || tools.time_is_up()) else { return Some(at_once) };
        Some(deepen(game, &mut view, &limits, tools, at_once))
    }
}

/// A win, else a threat to block, else the column nearest to the centre.
fn at_first_sight<G: Game>(game: &G, first_legal: Move) -> Move {
    match game.tactics() {
        Tactics::Win(mv) | Tactics::Forced(mv) | Tactics::Lost(mv) => mv,
        Tactics::Quiet => {
            let cols = game.spec().cols();
            let legal = (0..cols).map(Move::new).filter(|&mv| game.check(mv).is_ok());
            legal.max_by_key(|mv| centrality(mv.index(), cols)).unwrap_or(first_legal)
        }
    }
}

/// How near a column is to the centre, from 0 at the edge upwards.
fn centrality(col: usize, cols: usize) -> usize {
    col.min((cols - 1).saturating_sub(col))
}

/// Searches deeper and deeper until a limit is reached or the game is decided.
fn deepen<G: Game, const MOVES: usize>(
    game: &mut G,
    view: &mut View,
    limits: &Limits,
    tools: &mut Tools<'_, '_, MOVES>,
    at_once: Decision,
) -> Decision {
    let mut answer = at_once;
    let most = limits.depth.unwrap_or(u32::MAX).clamp(1, MAX_DEPTH as u32);
    for depth in 1..=most {
        let window = (-INFINITE, INFINITE);
        let Some(report) = search_once(game, view, depth, window, limits, tools, &mut answer.nodes)
        else {
            break;
        };
        let best = best_move(game, view, depth, &report, limits, tools, &mut answer.nodes);
        answer = Decision { best, nodes: answer.nodes, ..Decision::from(&report) };
        if report.proved || is_win(report.score) || is_loss(report.score) {
            break;
        }
    }
    answer
}

/// The first move from the left that comes within the threshold of the score found, as far as the
/// limits allow to ask; else the move that the search found.
fn best_move<G: Game, const MOVES: usize>(
    game: &mut G,
    view: &mut View,
    depth: u32,
    found: &Report,
    limits: &Limits,
    tools: &mut Tools<'_, '_, MOVES>,
    nodes: &mut u64,
) -> Move {
    let enough = found.score - THRESHOLD;
    let mut from = 0;
    while let Some(mv) = next_legal(game, from)
        && mv != found.best
    {
        from = mv.index() + 1;
        Styled::new(game, view).make(mv);
        let value = match game.final_score() {
            Some(score) => Some(-score),
            None if depth == 1 => Some(-view.evaluate(game)),
            // Whether the move is worth enough, from the opponent's side.
            None => {
                let window = (-enough, 1 - enough);
                search_once(game, view, depth - 1, window, limits, tools, nodes)
                    .map(|report| -report.score)
            }
        };
        Styled::new(game, view).unmake();
        match value {
            Some(value) if value >= enough => return mv,
            Some(_) => {}
            None => break,
        }
    }
    found.best
}

/// One search to one depth; `None` if a limit cut it short. Adds to the nodes spent.
fn search_once<G: Game, const MOVES: usize>(
    game: &mut G,
    view: &mut View,
    depth: u32,
    window: (Score, Score),
    limits: &Limits,
    tools: &mut Tools<'_, '_, MOVES>,
    nodes: &mut u64,
) -> Option<Report> {
    // A short search may end without a look at the clock.
    let clock = tools.clock;
    if clock.should_stop() || limits.deadline_us.is_some_and(|deadline| clock.now_us() >= deadline)
    {
        return None;
    }
    let left = Limits { nodes: limits.nodes.map(|most| most.saturating_sub(*nodes)), ..*limits };
    let mut styled = Styled::new(game, view);
    let (table, workspace) = (&mut *tools.table, &mut *tools.workspace);
    let report =
        search_to_depth(&mut styled, depth, window, &left, &OPTIONS, &clock, table, workspace)?;
    *nodes += report.nodes;
    (report.ending == Ending::Depth).then_some(report)
}

/// A game as the player sees it while it searches.
#[derive(Debug)]
struct View {
    windows: Windows,
    rows: usize,
    cols: usize,
    /// Stones in each column.
    heights: [u8; MAX_COLS],
    /// The column of the last stone.
    last: usize,
    /// The first player's connections minus the second player's.
    balance: i64,
    /// `last` and `balance` before each move made, and its column.
    before: [Before; MAX_DEPTH + 1],
    made: usize,
}

#[derive(Clone, Copy, Debug)]
struct Before {
    balance: i64,
    last: u8,
    column: u8,
}

impl View {
    /// A view of the position; `None` if the time is up before all cells have been looked at.
    fn new<G: Game>(game: &G, time_is_up: impl Fn() -> bool) -> Option<View> {
        let (rows, cols, x) = match game.spec() {
            GameSpec::Connect { rows, cols, x } => (rows, cols, x),
            _ => return None,
        };
        let (rows, cols) = (usize::from(rows), usize::from(cols));
        let windows = Windows::new(rows, cols, usize::from(x));
        let mut balance = 0;
        for direction in Direction::ALL {
            if time_is_up() {
                return None;
            }
            balance += windows.balance(game, direction, weight);
        }
        let mut heights = [0; MAX_COLS];
        let mut last = 0;
        for mv in (0..game.ply()).filter_map(|n| game.played(n)) {
            last = mv.index();
            if let Some(height) = heights.get_mut(last) {
                *height += 1;
            }
        }
        let before = [Before { balance: 0, last: 0, column: 0 }; MAX_DEPTH + 1];
        Some(View { windows, rows, cols, heights, last, balance, before, made: 0 })
    }

    /// The lowest free cell of a column, if there is one.
    fn landing(&self, col: usize) -> Option<usize> {
        let height = usize::from(*self.heights.get(col)?);
        (height < self.rows && col < self.cols).then_some(height * self.cols + col)
    }

    /// The cells where a stone can come to lie, in the columns that are looked at: all, or as
    /// many around the last stone as a node has time for.
    fn landings(&self) -> impl Iterator<Item = usize> {
        let most = between(POLL_WORK / self.windows.cells_around(), 1, self.cols);
        let first = self.last.saturating_sub(most / 2).min(self.cols - most);
        (first..first + most).filter_map(|col| self.landing(col))
    }

    fn evaluate<G: Game>(&self, game: &G) -> Score {
        let us = game.side_to_move();
        let them = us.other();
        let x = self.windows.k();
        let mut best = None;
        // The gain of the stone that blocks the opponent's threat, and whether there are more.
        let mut block = None;
        let mut lost = false;
        for cell in self.landings() {
            let mut gain = 0;
            let mut wins = false;
            let mut threatened = false;
            self.windows.through(game, cell, |stones| {
                let (own, their) = (stones[us.index()], stones[them.index()]);
                if their == 0 {
                    gain += weight(own + 1) - weight(own);
                    wins |= own + 1 == x;
                }
                if own == 0 {
                    gain += weight(their);
                    threatened |= their + 1 == x;
                }
            });
            if wins {
                return ABOUT_TO_WIN;
            }
            best = best.max(Some(gain));
            if threatened {
                lost |= block.replace(gain).is_some();
            }
        }
        if lost {
            return -ABOUT_TO_WIN;
        }
        let lead = if us == Side::First { self.balance } else { -self.balance };
        squeeze(lead + block.or(best).unwrap_or(0))
    }
}

/// The value of a window with stones of one player only.
fn weight(stones: usize) -> i64 {
    WEIGHTS[stones.min(WEIGHTS.len() - 1)]
}

/// Fits a value to the engine's scores without changing which of two is greater, as far as there
/// is room.
fn squeeze(value: i64) -> Score {
    let beyond = (value.abs() - SQUEEZED_FROM).max(0);
    let size = value.abs() - beyond + beyond / SQUEEZE;
    clamp_heuristic(size.min(i64::from(ABOUT_TO_WIN) - 1) * value.signum())
}

impl<G: Game> Style<G> for View {
    fn evaluate(&self, game: &G) -> Score {
        View::evaluate(self, game)
    }

    fn generate(&self, _game: &G, sink: &mut MoveSink<'_>) {
        for col in (0..self.cols).filter(|&col| self.landing(col).is_some()) {
            sink.push(Move::new(col), centrality(col, self.cols) as u32);
        }
    }

    fn made(&mut self, game: &G, mv: Move) {
        let column = mv.index();
        if let Some(before) = self.before.get_mut(self.made) {
            let (balance, last) = (self.balance, self.last as u8);
            *before = Before { balance, last, column: column as u8 };
        }
        self.made += 1;
        self.last = column;
        let Some(cell) = self.landing(column) else { return };
        if let Some(height) = self.heights.get_mut(column) {
            *height += 1;
        }
        let mover = game.side_to_move().other();
        let gain = self.windows.gain(game, cell, mover, weight);
        self.balance += if mover == Side::First { gain } else { -gain };
    }

    fn unmade(&mut self, _game: &G) {
        self.made = self.made.saturating_sub(1);
        let Some(&Before { balance, last, column }) = self.before.get(self.made) else { return };
        (self.balance, self.last) = (balance, usize::from(last));
        if let Some(height) = self.heights.get_mut(usize::from(column)) {
            *height = height.saturating_sub(1);
        }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use crate::game::connect::board::Connect;
    use crate::players::random::Dice;
    use std::vec::Vec;

    #[test]
    fn the_connections_kept_move_by_move_are_those_counted_anew() {
        let mut dice = Dice::new(2);
        for (rows, cols, x) in [(1, 1, 1), (4, 4, 3), (6, 7, 4), (2, 9, 5), (9, 5, 6), (3, 3, 9)] {
            let mut game = Connect::<64>::new(rows, cols, x).expect("fits");
            let mut view = View::new(&game, || false).expect("there is time");
            let mut values = Vec::new();
            loop {
                let anew = View::new(&game, || false).expect("there is time");
                assert_eq!(
                    (view.balance, view.heights, view.evaluate(&game)),
                    (anew.balance, anew.heights, anew.evaluate(&game)),
                    "{}",
                    game.spec()
                );
                let columns = (0..usize::from(cols)).map(Move::new);
                let Some(mv) = dice.pick(columns.filter(|&mv| game.check(mv).is_ok())) else {
                    break;
                };
                values.push(view.balance);
                Styled::new(&mut game, &mut view).make(mv);
            }
            while let Some(balance) = values.pop() {
                Styled::new(&mut game, &mut view).unmake();
                assert_eq!(view.balance, balance);
            }
            assert_eq!(view.heights, [0; MAX_COLS]);
        }
    }

    #[test]
    fn a_leaf_counts_own_minus_the_opponents_windows_after_the_best_stone() {
        let mut game = Connect::<64>::new(1, 5, 3).expect("fits");
        game.make(Move::new(0));
        let view = View::new(&game, || false).expect("there is time");
        // The second player's best is the middle: it gets two of the three windows, and the first
        // player's is gone.
        assert_eq!((view.balance, view.evaluate(&game)), (1, 2));
    }

    #[test]
    fn great_values_keep_their_order() {
        let values = [0, 1, 99_999, 100_000, 100_064, 1_000_000, 5_000_000];
        assert!(values.windows(2).all(|pair| squeeze(pair[0]) < squeeze(pair[1])));
        assert!(values.iter().all(|&value| squeeze(value) == -squeeze(-value)));
        assert!(squeeze(i64::MAX / 2) < ABOUT_TO_WIN);
    }
}
