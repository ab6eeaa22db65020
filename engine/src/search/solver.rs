//! The exact solver: proves who wins, and by when or by how much, with yes-or-no questions.
//!
//! A question is a search to the end of the game with a window of width one: "does the side to
//! move score at least t?" Such a search prunes far more than one for the exact score, and two
//! of them, at the two sides of 0, tell the outcome. The exact score follows from further ones
//! at thresholds between the bounds known so far.

use super::alphabeta::Searcher;
#[cfg(not(feature = "compact"))]
use super::connect::{HistoryUse, Proof, Prover};
use super::ordering::Candidate;
use super::report::{Clock, Ending, Goal, Limits, Line, Solution};
use super::table::Table;
use super::{MAX_DEPTH, Memory, Options, Workspace};
#[cfg(not(feature = "compact"))]
use crate::game::connect::grid::{Four, Grid, Other, Shape, Stacks};
use crate::game::{Effort, Game, GameVisitor, Move, Tactics};
use crate::score::{Score, Value, loss_at, win_at, win_ply};

/// How many plies the first question about a win looks ahead. Odd: a side to move wins after an
/// odd number of plies.
const FIRST_STEP: usize = 7;

/// What is known while the solver works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Nodes visited.
    pub nodes: u64,
    /// The score for the side to move is at least this.
    pub low: Score,
    /// The score for the side to move is at most this.
    pub high: Score,
    /// Questions answered.
    pub questions: u32,
}

/// Finds out the position's value. The position is unchanged afterwards. `progress` is called
/// every few thousand nodes.
///
/// If a limit ends the work, the solution holds the bounds known by then. Boards with more than
/// [`MAX_DEPTH`] plies to go are decided by bounds that need no search, or not at all.
pub fn solve<G: Game, const MOVES: usize>(
    game: &mut G,
    goal: Goal,
    limits: &Limits,
    clock: &impl Clock,
    table: &mut Table<'_>,
    workspace: &mut Workspace<MOVES>,
    progress: &mut dyn FnMut(&Progress),
) -> Solution {
    let Workspace { moves, memory } = workspace;
    game.dispatch(SolveVisitor { goal, limits, clock, table, moves, memory, progress })
}

struct SolveVisitor<'a, 't, C> {
    goal: Goal,
    limits: &'a Limits,
    clock: &'a C,
    table: &'a mut Table<'t>,
    moves: &'a mut [Candidate],
    memory: &'a mut Memory,
    progress: &'a mut dyn FnMut(&Progress),
}

impl<C: Clock> GameVisitor for SolveVisitor<'_, '_, C> {
    type Output = Solution;

    fn visit<G: Game>(mut self, game: &mut G) -> Solution {
        #[cfg(not(feature = "compact"))]
        if let Some(stacks) = game.stacks().filter(|_| game.outcome().is_none()) {
            return self.prove_connect::<0>(&stacks);
        }
        self.table.start_search();
        let ply = game.ply();
        let last_ply = ply + game.plies_left();
        let has_margins = game.spec().has_margins();
        let mut known = Known::at_first_sight(game);
        let mut found = Found { nodes: 1, ..Found::default() };
        let mut ending = Ending::Complete;
        loop {
            let question = known.next_question(self.goal, ply, last_ply, game.wins_soon());
            // When all is known but a move, any move that keeps the value will do.
            let wants_move = found.best.is_none() && game.outcome().is_none();
            let Some(threshold) = question.or(wants_move.then_some(known.low)) else { break };
            match self.ask(game, threshold, &known, &mut found) {
                Err(reason) => {
                    if question.is_some() {
                        ending = reason;
                    }
                    break;
                }
                Ok(score) if score >= threshold => known.low = known.low.max(score),
                Ok(score) => known.high = known.high.min(score),
            }
        }
        Solution {
            low: known.low,
            high: known.high,
            value: known.value(self.goal, ply, has_margins),
            best: found.best,
            line: found.line,
            nodes: found.nodes,
            table: self.table.usage(),
            ending,
        }
    }
}

#[cfg(not(feature = "compact"))]
impl<C: Clock> SolveVisitor<'_, '_, C> {
    /// Solves a game of Connect X that is not over, without some [`super::connect::parts`].
    fn prove_connect<const LEFT_OUT: u32>(self, stacks: &Stacks) -> Solution {
        if Four::fits(stacks) {
            self.prove_on::<_, LEFT_OUT>(Grid::new(Four, stacks), stacks)
        } else {
            self.prove_on::<_, LEFT_OUT>(Grid::new(Other::new(stacks), stacks), stacks)
        }
    }

    fn prove_on<S: Shape, const LEFT_OUT: u32>(self, grid: Grid<S>, stacks: &Stacks) -> Solution {
        self.table.start_exact();
        let history_use = HistoryUse::with_free(grid.cells - stacks.ply());
        let mut prover = Prover::<_, _, LEFT_OUT> {
            grid,
            clock: self.clock,
            limits: *self.limits,
            table: self.table,
            moves: self.moves,
            history: &mut self.memory.history,
            history_use,
            progress: self.progress,
            nodes: 1,
            stopped: None,
            known: Progress { nodes: 1, low: 0, high: 0, questions: 0 },
        };
        let Proof { low, high, best } = prover.prove(stacks, self.goal);
        let mut line = Line::new();
        if let Some(best) = best {
            let _ = line.push(best);
        }
        Solution {
            low,
            high,
            value: Known { low, high }.value(self.goal, stacks.ply() as usize, false),
            best,
            line,
            nodes: prover.nodes,
            table: prover.table.usage(),
            ending: prover.stopped.unwrap_or(Ending::Complete),
        }
    }
}

/// As [`solve`], for Connect X on boards in 64 bits, but without some parts of its solver, a set of
/// [`super::connect::parts`], to see what they are worth. `None` for other games.
#[cfg(not(feature = "compact"))]
pub fn solve_without<const LEFT_OUT: u32, G: Game, const MOVES: usize>(
    game: &G,
    goal: Goal,
    limits: &Limits,
    clock: &impl Clock,
    table: &mut Table<'_>,
    workspace: &mut Workspace<MOVES>,
) -> Option<Solution> {
    let stacks = game.stacks().filter(|_| game.outcome().is_none())?;
    let Workspace { moves, memory } = workspace;
    let progress = &mut |_: &Progress| {};
    let visitor = SolveVisitor { goal, limits, clock, table, moves, memory, progress };
    Some(visitor.prove_connect::<LEFT_OUT>(&stacks))
}

/// What the questions bring to light besides their answers.
#[derive(Default)]
struct Found {
    nodes: u64,
    questions: u32,
    best: Option<Move>,
    line: Line,
}

impl<C: Clock> SolveVisitor<'_, '_, C> {
    /// Asks whether the score is at least `threshold`: returns a score at or above it for yes,
    /// below it for no, each a bound of the true one; or why there is no answer.
    fn ask<G: Game>(
        &mut self,
        game: &mut G,
        threshold: Score,
        known: &Known,
        found: &mut Found,
    ) -> Result<Score, Ending> {
        if game.plies_left() > MAX_DEPTH {
            return Err(Ending::Depth);
        }
        let (before, questions) = (found.nodes, found.questions);
        let (low, high) = (known.low, known.high);
        let mut tick = |nodes: u64| {
            (self.progress)(&Progress { nodes: before + nodes, low, high, questions });
        };
        let limits = Limits {
            nodes: self.limits.nodes.map(|most| most.saturating_sub(before)),
            ..*self.limits
        };
        let mut searcher = Searcher::new(
            game,
            self.clock,
            &limits,
            &Options::ALL,
            Effort::Thorough,
            self.table,
            (self.moves, self.memory),
            &mut tick,
        );
        searcher.root_first = found.best;
        let score = searcher.negamax(threshold - 1, threshold, MAX_DEPTH as u32, 0, 0);
        found.nodes += searcher.nodes;
        if let Some(stopped) = searcher.stopped {
            return Err(stopped);
        }
        if searcher.horizon || searcher.selective {
            return Err(Ending::Depth);
        }
        found.questions += 1;
        if score >= threshold {
            found.best = searcher.root_best.map(|(mv, _)| mv).or(found.best);
            if let Some(line) = searcher.memory.lines.first() {
                found.line.clone_from(line);
                searcher.continue_line(&mut found.line);
            }
        }
        Ok(score)
    }
}

/// Bounds of the score, inclusive.
struct Known {
    low: Score,
    high: Score,
}

impl Known {
    /// What the position shows without search.
    fn at_first_sight<G: Game>(game: &G) -> Known {
        let ply = game.ply();
        if let Some(score) = game.final_score() {
            return Known { low: score, high: score };
        }
        let (low, high) = match game.tactics() {
            Tactics::Win(_) => (win_at(ply + 1), win_at(ply + 1)),
            Tactics::Lost(_) => (loss_at(ply + 2), loss_at(ply + 2)),
            // Either half of an impossible window asks for all bounds there are.
            _ => {
                let (low, _) = game.bounds(-1, 0, Effort::Thorough);
                let (_, high) = game.bounds(0, 1, Effort::Thorough);
                (low, high)
            }
        };
        Known { low, high }
    }

    /// The threshold to ask for next: "is the score at least this?" `None` when the goal is met.
    ///
    /// In a game of quick wins it is asked whether a side wins soon before it is asked whether it
    /// wins at all: if it does, that is far easier to see, and if not, the answer costs little
    /// beside the next one.
    fn next_question(
        &self,
        goal: Goal,
        ply: usize,
        last_ply: usize,
        wins_soon: bool,
    ) -> Option<Score> {
        let Known { low, high } = *self;
        if low >= high {
            return None;
        }
        // How many plies ahead to look next, when a win by the ply in `best` is not excluded;
        // `None` to look to the end.
        let next_step = |best: Score| {
            let excluded = win_ply(best)?.saturating_sub(ply);
            let step = if excluded < FIRST_STEP { FIRST_STEP } else { 2 * excluded + 1 };
            Some(step).filter(|step| wins_soon && ply + step < last_ply)
        };
        let wants_win = goal != Goal::Safety;
        let win = (wants_win && low < 1 && high >= 1).then(|| next_step(high));
        let loss = (low < 0 && high >= 0).then(|| next_step(-low));
        match (win, loss) {
            (Some(Some(win)), Some(Some(loss))) if loss < win => Some(loss_at(ply + loss + 1) + 1),
            (Some(Some(win)), _) => Some(win_at(ply + win)),
            (_, Some(Some(loss))) => Some(loss_at(ply + loss + 1) + 1),
            (Some(None), _) => Some(1),
            (None, Some(None)) => Some(0),
            (None, None) if goal != Goal::Exact => None,
            (None, None) => Some(low + (high - low + 1) / 2),
        }
    }

    /// The value, if the goal is met.
    fn value(&self, goal: Goal, ply: usize, has_margins: bool) -> Option<Value> {
        let Known { low, high } = *self;
        if low == high {
            return Some(Value::from_score(low, ply, true, has_margins));
        }
        if goal == Goal::Exact {
            return None;
        }
        let score = if low >= 1 {
            low
        } else if high <= -1 {
            high
        } else {
            return None;
        };
        Some(Value::from_score(score, ply, true, has_margins))
    }
}
