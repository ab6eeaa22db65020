//! How the searching players of TP3, group 14 (Aronson and Ravasi) look ahead: the engine's plain
//! alpha-beta below every move of the root.
//!
//! # The authors' window
//! Their searches begin with the window `±(n^4 + 1)`, which holds every margin of points on an
//! `n x n` board, but not every value of `scorer4`, nor of `scorer3` with large parameters. Of
//! moves whose values are all below the window the first is played; the first whose value is above
//! it ends the search. This is kept, since the report's figures depend on it: with a window for
//! all values, `jfin5:30,4,11,5,1,2` as green loses to `jfin5:0,3,3,5,1,2` by 26.458 and not by
//! 24.000. A fail-hard search, as theirs, and the engine's fail-soft one try the same moves and
//! choose the same one.
//!
//! The window is at most ±160,001 on 20x20, inside the range of the engine's heuristic values;
//! that values are cut to that range therefore changes nothing.
//!
//! # Differences
//! - The window below a root move of `jfin3` is wider by one, so that equals can be told from
//!   what is only known not to be better; the authors' program cannot tell.
//! - The greedy choice is found first, for `jfin2`'s offset and as an answer at any time. It is
//!   not counted among the nodes: with the root, these are the authors' moves tried plus one.

use crate::game::{Game, Move, Tactics};
use crate::players::bricks::scorers::Scorer;
use crate::players::random::Dice;
use crate::players::styled::{Style, Styled};
use crate::players::{Decision, Tools, Why, greedy, next_legal};
use crate::score::{HEURISTIC_LIMIT, Score, Value, clamp_heuristic};
use crate::search::ordering::MoveSink;
use crate::search::report::{Ending, Limits};
use crate::search::{MAX_DEPTH, Options, search_to_depth};
use crate::spec::{BRICKS_MAX_SIDE, GameSpec};

/// One more than the greatest margin of points: the authors' window.
const fn window(spec: GameSpec) -> Score {
    let cells = if spec.cells() < MAX_CELLS { spec.cells() } else { MAX_CELLS };
    (cells * cells + 1) as Score
}

const MAX_CELLS: usize = (BRICKS_MAX_SIDE * BRICKS_MAX_SIDE) as usize;
const _: () = assert!(MAX_CELLS * MAX_CELLS + 1 < HEURISTIC_LIMIT as usize);

/// How a player searches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Search {
    /// What the positions at the horizon are worth.
    pub scorer: Scorer,
    /// Plies to search, at least 1.
    pub depth: u32,
    /// Leave out what cannot change the result.
    pub prune: bool,
    /// At the root, only moves that look at most this much worse than the best.
    pub offset: Option<u32>,
}

/// The best move of the root so far.
#[derive(Clone, Copy)]
struct Best {
    mv: Move,
    score: Score,
    /// How many moves have this score.
    equals: usize,
}

impl Search {
    /// Decides on a move: the first of the best, or with dice any of them.
    pub(super) fn decide<G: Game, const MOVES: usize>(
        &self,
        game: &mut G,
        tools: &mut Tools<'_, '_, MOVES>,
        mut dice: Option<&mut Dice>,
    ) -> Option<Decision> {
        let mut most = i64::MIN;
        let at_sight = |after: &G| self.scorer.value(after).saturating_neg();
        let first_sight = greedy(game, tools, |after| {
            let value = at_sight(after);
            most = most.max(value);
            value
        })?;
        let least = self.offset.map(|offset| most.saturating_sub(i64::from(offset)));
        let deepest = tools.limits.depth.unwrap_or(u32::MAX).min(game.plies_left() as u32);
        let depth = self.depth.min(deepest).max(1);
        let window = window(game.spec());

        let mut best: Option<Best> = None;
        let mut nodes = 1;
        let mut complete = true;
        let mut from = 0;
        while let Some(mv) = next_legal(game, from) {
            from = mv.index() + 1;
            let alpha = best.map_or(-window, |best| best.score) - Score::from(dice.is_some());
            game.make(mv);
            let looks_bad = least.is_some_and(|least| at_sight(game) < least);
            let below = (-window, -alpha);
            let score = if looks_bad {
                None
            } else {
                self.score(game, depth - 1, below, tools, &mut nodes)
            };
            game.unmake();
            let Some(score) = score else {
                if looks_bad && !tools.time_is_up() {
                    continue;
                }
                complete = false;
                break;
            };
            let score = score.saturating_neg().clamp(-window, window);
            match &mut best {
                Some(best) if score < best.score => {}
                Some(best) if score == best.score => {
                    best.equals += 1;
                    if dice.as_mut().is_some_and(|dice| dice.roll(best.equals) == 0) {
                        best.mv = mv;
                    }
                }
                _ => best = Some(Best { mv, score, equals: 1 }),
            }
            if score >= window && self.prune {
                break;
            }
        }
        let Some(Best { mv, score, .. }) = best else {
            return Some(Decision { nodes, ..first_sight });
        };
        let proved = complete && score.abs() < window && self.sees_the_end::<_, MOVES>(game, depth);
        Some(Decision {
            best: mv,
            value: Some(Value::from_score(score, game.ply(), proved, game.spec().has_margins())),
            why: match (proved, complete) {
                (true, _) => Why::Proved,
                (false, true) => Why::Depth(depth),
                (false, false) => Why::Heuristic,
            },
            nodes,
        })
    }

    /// The score of a position below the root for the side to move, and its nodes counted. `None`
    /// if a limit was reached.
    fn score<G: Game, const MOVES: usize>(
        &self,
        game: &mut G,
        depth: u32,
        window: (Score, Score),
        tools: &mut Tools<'_, '_, MOVES>,
        nodes: &mut u64,
    ) -> Option<Score> {
        let left = tools.limits.nodes.map(|most| most.saturating_sub(*nodes));
        if left == Some(0) || tools.time_is_up() {
            return None;
        }
        let mut scorer = self.scorer;
        let mut judged = Styled::new(game, &mut scorer);
        if depth == 0 || judged.outcome().is_some() {
            *nodes += 1;
            return Some(judged.final_score().unwrap_or_else(|| judged.evaluate()));
        }
        let limits = Limits { nodes: left, ..tools.limits };
        let options = Options { prune: self.prune, ..Options::NONE };
        let report = search_to_depth(
            &mut judged,
            depth,
            window,
            &limits,
            &options,
            &tools.clock,
            tools.table,
            tools.workspace,
        )?;
        *nodes += report.nodes;
        matches!(report.ending, Ending::Complete | Ending::Depth).then_some(report.score)
    }

    /// Whether a search that is not interrupted goes to the end of every game and values it as
    /// the judge does: deep enough, room for the moves of all levels, no move left out.
    fn sees_the_end<G: Game, const MOVES: usize>(&self, game: &G, depth: u32) -> bool {
        let plies = game.plies_left();
        plies <= (depth as usize).min(MAX_DEPTH)
            && plies.saturating_mul(game.spec().move_numbers()) <= MOVES
            && self.offset.is_none()
            && self.scorer.ends_with_the_margin()
    }
}

/// The search with the scorer's evaluation, and every legal brick in the order of its number.
///
/// The authors value the end of a game as any other leaf, and their figures depend on it: with the
/// judge's margin `jfin5` as red would beat `jfin4` by 14.832 and not by 14.560.
impl<G: Game> Style<G> for Scorer {
    fn evaluate(&self, game: &G) -> Score {
        clamp_heuristic(self.value(game))
    }

    fn final_score(&self, game: &G) -> Option<Score> {
        if self.ends_with_the_margin() {
            game.final_score()
        } else {
            game.outcome().map(|_| self.evaluate(game))
        }
    }

    fn generate(&self, game: &G, sink: &mut MoveSink<'_>) {
        let mut from = 0;
        while let Some(mv) = next_legal(game, from) {
            sink.push(mv, 0);
            from = mv.index() + 1;
        }
    }

    fn tactics(&self, _game: &G) -> Tactics {
        Tactics::Quiet
    }
}
