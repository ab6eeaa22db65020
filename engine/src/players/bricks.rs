//! The bricks players of "Trabajo Práctico 3", group 14 (Alex Aronson and Nicolás Ravasi,
//! Algoritmos y Estructuras de Datos III, Universidad de Buenos Aires, 2010).
//!
//! | name | parameters | what it does |
//! | --- | --- | --- |
//! | `minimax` | | the whole tree |
//! | `alphabeta` | | the same with cut-offs |
//! | `scorer1` | | greedy: points, 1 for every cell with room beside it |
//! | `scorer2` | | greedy: points, 1 for every direction with room |
//! | `scorer3` | adj, exp | greedy: points, (adj x directions) ^ exp for every cell |
//! | `scorer4` | tile, adj, exp | greedy: islands and the room around them, together ^ exp |
//! | `jfin1` | depth, adj, exp | alpha-beta over `scorer3` |
//! | `jfin2` | depth, offset, adj, exp | the same, at the root only what looks good at once |
//! | `jfin3` | depth, adj, exp | the same as `jfin1`, at random among equals |
//! | `jfin4` | depth, tile, adj, exp | alpha-beta over `scorer4` |
//! | `jfin5` | initial, middle, last, tile, adj, exp | the same, opens in the centre, quick at first |
//!
//! The evaluations are in [`scorers`], the rules of the search in `searchers`; the search itself
//! is the engine's. Moves are tried in the order of their numbers (horizontal by rows, then
//! vertical by rows) and the first of the best is kept, as the authors do; so their tables come
//! out to the last digit, among them the nodes on 4x4, the margins of `scorer4` and the matches of
//! `jfin5` (see `host-tests/tests/bricks_players.rs`).
//!
//! # Where the report is silent or wrong
//! - `jfin4` takes an exponent and squares all the same, as the authors' program does.
//! - A finished game is valued by the player's own scorer, as the authors' program does: with
//!   `scorer4` that is the margin times `tile ^ exp`.
//! - The authors' window: see `searchers`.
//! - `jfin3` of the authors takes moves that its window had cut off for equals of the best one.
//!   Here they are equals only if they have the same value.
//! - The greedy players of the authors begin with the window's lower end for a best value and
//!   repeat their last move, which is illegal, if no move is above it. Here the first of the best
//!   is kept whatever its value.
//! - The third phase of `jfin5` never comes: half as many plies as there are cells fill the board.
//! - The report names the two margins of `jfin5` against itself the wrong way round.
//! - The authors' programs know no clock. Here the greedy choice of the player's scorer is found
//!   first, and is the answer if the time ends before the search has valued its first move.

pub mod scorers;
mod searchers;

use super::random::Dice;
use super::{Decision, Player, Tools, Why, greedy};
use crate::game::{Game, Move};
use crate::search::MAX_DEPTH;
use crate::spec::BRICKS_MAX_SIDE;
use scorers::{MAX_EXPONENT, MAX_WEIGHT, Scorer};
use searchers::Search;

/// The deepest search that may be asked for, in plies.
pub const MAX_SEARCH_DEPTH: u32 = MAX_DEPTH as u32;
/// The widest offset of `jfin2`; no two values of games that anybody plays are further apart.
pub const MAX_OFFSET: u32 = 1_000_000;
/// The most plies that `jfin5` may play at first sight: all that fit on the largest board.
pub const MAX_INITIAL: u32 = BRICKS_MAX_SIDE * BRICKS_MAX_SIDE / 2;

/// One of the players; see the module's text.
#[derive(Clone, Debug)]
pub enum BricksPlayer {
    /// The whole tree, move by move.
    Minimax,
    /// The whole tree but for what cannot change the result.
    AlphaBeta,
    /// Greedy with [`Scorer::Room`].
    Scorer1,
    /// Greedy with [`Scorer::Directions`].
    Scorer2,
    /// Greedy with [`Scorer::Weighted`].
    Scorer3 {
        /// What a direction counts for.
        adj: u32,
        /// The power that a cell's directions are raised to.
        exp: u32,
    },
    /// Greedy with [`Scorer::Spread`].
    Scorer4 {
        /// What a cell counts for.
        tile: u32,
        /// What a free cell beside counts for.
        adj: u32,
        /// The power that an island is raised to.
        exp: u32,
    },
    /// Alpha-beta over [`Scorer::Weighted`].
    Jfin1 {
        /// Plies to search.
        depth: u32,
        /// As for `scorer3`.
        adj: u32,
        /// As for `scorer3`.
        exp: u32,
    },
    /// As `jfin1`, but at the root only moves that look good at once.
    Jfin2 {
        /// Plies to search.
        depth: u32,
        /// How much worse than the best a move may look at the root.
        offset: u32,
        /// As for `scorer3`.
        adj: u32,
        /// As for `scorer3`.
        exp: u32,
    },
    /// As `jfin1`, but at random among equals at the root.
    Jfin3 {
        /// Plies to search.
        depth: u32,
        /// As for `scorer3`.
        adj: u32,
        /// As for `scorer3`.
        exp: u32,
        /// What decides among equals.
        dice: Dice,
    },
    /// Alpha-beta over [`Scorer::Spread`].
    Jfin4 {
        /// Plies to search.
        depth: u32,
        /// As for `scorer4`.
        tile: u32,
        /// As for `scorer4`.
        adj: u32,
        /// Taken and not used: islands are squared, as in the authors' program.
        exp: u32,
    },
    /// As `jfin4`, but opens in the centre and looks deeper as the game goes on.
    Jfin5 {
        /// While fewer plies than this have been played it looks one ply ahead.
        initial: u32,
        /// Plies to search after that.
        middle: u32,
        /// Plies to search once as many plies as half the cells have been played: never while
        /// the game goes on, since every ply takes two cells.
        last: u32,
        /// As for `scorer4`.
        tile: u32,
        /// As for `scorer4`.
        adj: u32,
        /// As for `scorer4`.
        exp: u32,
    },
}

/// The parameters that a player has if none are given: those that the report found best; where it
/// names none (`scorer3`, `jfin1`..`jfin3`), the same `adj` and `exp` and three plies.
fn best_parameters(name: &str) -> &'static [u32] {
    match name {
        "scorer3" => &[1, 2],
        "scorer4" => &[5, 1, 2],
        "jfin1" | "jfin3" => &[3, 1, 2],
        "jfin2" => &[3, 100, 1, 2],
        "jfin4" => &[3, 5, 1, 2],
        "jfin5" => &[30, 4, 11, 5, 1, 2],
        _ => &[],
    }
}

/// Makes the player with this name. Without numbers it has the best parameters of the report; with
/// numbers, these, in the order of the module's table. What it does at random follows from the
/// seed.
///
/// `None` if there is no such player, or the numbers are too many or too few, or one of them makes
/// no sense: a depth or exponent of 0, a tile of 0, or one beyond [`MAX_SEARCH_DEPTH`],
/// [`MAX_OFFSET`], [`MAX_INITIAL`], [`MAX_WEIGHT`], [`MAX_EXPONENT`].
#[must_use]
pub fn from_parameters(name: &str, numbers: &[u32], seed: u64) -> Option<BricksPlayer> {
    let numbers = if numbers.is_empty() { best_parameters(name) } else { numbers };
    let player = match (name, numbers) {
        ("minimax", &[]) => BricksPlayer::Minimax,
        ("alphabeta", &[]) => BricksPlayer::AlphaBeta,
        ("scorer1", &[]) => BricksPlayer::Scorer1,
        ("scorer2", &[]) => BricksPlayer::Scorer2,
        ("scorer3", &[adj, exp]) => BricksPlayer::Scorer3 { adj, exp },
        ("scorer4", &[tile, adj, exp]) => BricksPlayer::Scorer4 { tile, adj, exp },
        ("jfin1", &[depth, adj, exp]) => BricksPlayer::Jfin1 { depth, adj, exp },
        ("jfin2", &[depth, offset, adj, exp]) => BricksPlayer::Jfin2 { depth, offset, adj, exp },
        ("jfin3", &[depth, adj, exp]) => {
            BricksPlayer::Jfin3 { depth, adj, exp, dice: Dice::new(seed) }
        }
        ("jfin4", &[depth, tile, adj, exp]) => BricksPlayer::Jfin4 { depth, tile, adj, exp },
        ("jfin5", &[initial, middle, last, tile, adj, exp]) => {
            BricksPlayer::Jfin5 { initial, middle, last, tile, adj, exp }
        }
        _ => return None,
    };
    player.makes_sense().then_some(player)
}

impl BricksPlayer {
    fn makes_sense(&self) -> bool {
        let weight = |adj: u32| adj <= MAX_WEIGHT;
        let tile = |tile: u32| (1..=MAX_WEIGHT).contains(&tile);
        let exponent = |exp: u32| (1..=MAX_EXPONENT).contains(&exp);
        let plies = |depth: u32| (1..=MAX_SEARCH_DEPTH).contains(&depth);
        match *self {
            BricksPlayer::Minimax
            | BricksPlayer::AlphaBeta
            | BricksPlayer::Scorer1
            | BricksPlayer::Scorer2 => true,
            BricksPlayer::Scorer3 { adj, exp } => weight(adj) && exponent(exp),
            BricksPlayer::Scorer4 { tile: each, adj, exp } => {
                tile(each) && weight(adj) && exponent(exp)
            }
            BricksPlayer::Jfin1 { depth, adj, exp }
            | BricksPlayer::Jfin3 { depth, adj, exp, .. } => {
                plies(depth) && weight(adj) && exponent(exp)
            }
            BricksPlayer::Jfin2 { depth, offset, adj, exp } => {
                plies(depth) && offset <= MAX_OFFSET && weight(adj) && exponent(exp)
            }
            BricksPlayer::Jfin4 { depth, tile: each, adj, exp } => {
                plies(depth) && tile(each) && weight(adj) && exponent(exp)
            }
            BricksPlayer::Jfin5 { initial, middle, last, tile: each, adj, exp } => {
                initial <= MAX_INITIAL
                    && plies(middle)
                    && plies(last)
                    && tile(each)
                    && weight(adj)
                    && exponent(exp)
            }
        }
    }

    /// How the player values a position.
    #[must_use]
    pub fn scorer(&self) -> Scorer {
        match *self {
            BricksPlayer::Minimax | BricksPlayer::AlphaBeta => Scorer::Points,
            BricksPlayer::Scorer1 => Scorer::Room,
            BricksPlayer::Scorer2 => Scorer::Directions,
            BricksPlayer::Scorer3 { adj, exp }
            | BricksPlayer::Jfin1 { adj, exp, .. }
            | BricksPlayer::Jfin2 { adj, exp, .. }
            | BricksPlayer::Jfin3 { adj, exp, .. } => Scorer::Weighted { adj, exp },
            BricksPlayer::Jfin4 { tile, adj, .. } => Scorer::Spread { tile, adj, exp: 2 },
            BricksPlayer::Scorer4 { tile, adj, exp }
            | BricksPlayer::Jfin5 { tile, adj, exp, .. } => Scorer::Spread { tile, adj, exp },
        }
    }

    /// How deep `jfin5` looks in this position.
    fn jfin5_depth(game: &impl Game, initial: u32, middle: u32, last: u32) -> u32 {
        let ply = game.ply();
        if ply < initial as usize {
            1
        } else if ply < game.spec().cells() / 2 {
            middle
        } else {
            last
        }
    }
}

/// The brick in the centre with which `jfin5` opens, if it is the player's first move and fits.
fn opening(game: &impl Game) -> Option<Move> {
    let half = game.spec().rows() / 2;
    let centre = Move::new(half * game.spec().cols() + half);
    (game.ply() < 2 && game.check(centre).is_ok()).then_some(centre)
}

impl Player for BricksPlayer {
    fn decide<G: Game, const MOVES: usize>(
        &mut self,
        game: &mut G,
        tools: &mut Tools<'_, '_, MOVES>,
    ) -> Option<Decision> {
        if game.outcome().is_some() {
            return None;
        }
        let scorer = self.scorer();
        let plain = Search { scorer, depth: 1, prune: true, offset: None };
        match self {
            BricksPlayer::Scorer1
            | BricksPlayer::Scorer2
            | BricksPlayer::Scorer3 { .. }
            | BricksPlayer::Scorer4 { .. } => {
                greedy(game, tools, |after| scorer.value(after).saturating_neg())
            }
            BricksPlayer::Minimax => {
                Search { depth: MAX_SEARCH_DEPTH, prune: false, ..plain }.decide(game, tools, None)
            }
            BricksPlayer::AlphaBeta => {
                Search { depth: MAX_SEARCH_DEPTH, ..plain }.decide(game, tools, None)
            }
            &mut BricksPlayer::Jfin1 { depth, .. } | &mut BricksPlayer::Jfin4 { depth, .. } => {
                Search { depth, ..plain }.decide(game, tools, None)
            }
            &mut BricksPlayer::Jfin2 { depth, offset, .. } => {
                Search { depth, offset: Some(offset), ..plain }.decide(game, tools, None)
            }
            BricksPlayer::Jfin3 { depth, dice, .. } => {
                Search { depth: *depth, ..plain }.decide(game, tools, Some(dice))
            }
            &mut BricksPlayer::Jfin5 { initial, middle, last, .. } => {
                if let Some(centre) = opening(game) {
                    return Some(Decision::at_once(centre, Why::Rule));
                }
                let depth = BricksPlayer::jfin5_depth(game, initial, middle, last);
                Search { depth, ..plain }.decide(game, tools, None)
            }
        }
    }
}
