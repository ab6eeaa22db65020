//! Iterative deepening: a complete answer at every depth, so that there is one at every moment.

use super::alphabeta::Searcher;
use super::ordering::{Candidate, MoveSink, Wanted};
use super::report::{Clock, Ending, Interim, Limits, Report};
use super::table::Table;
use super::{MAX_DEPTH, Memory, Options, Workspace};
use crate::game::{Effort, Game, GameVisitor, Move, Tactics};
use crate::score::{INFINITE, Score, Value, WIN, is_loss, is_win};

/// From this depth on an iteration starts with a narrow window.
const ASPIRATION_DEPTH: u32 = 3;
/// Half the width of the first window; it grows by [`ASPIRATION_GROWTH`] on each failure.
const ASPIRATION_WIDTH: Score = 150;
const ASPIRATION_GROWTH: Score = 4;

/// Finds the best move within the limits. The position is unchanged afterwards.
///
/// Returns `None` only if the game is over. With no budget at all the move still is legal and
/// sensible: an immediate win is taken, an immediate threat blocked.
pub fn search<G: Game, const MOVES: usize>(
    game: &mut G,
    limits: &Limits,
    options: &Options,
    clock: &impl Clock,
    table: &mut Table<'_>,
    workspace: &mut Workspace<MOVES>,
) -> Option<Report> {
    let Workspace { moves, memory } = workspace;
    game.dispatch(SearchVisitor { limits, options, clock, table, moves, memory })
}

/// Searches to one depth only, with the window `(alpha, beta)`, and no deepening before it: for
/// players whose behaviour depends on it. A limit leaves the best of the moves searched so far, or
/// the first move.
///
/// Returns `None` only if the game is over.
#[allow(clippy::too_many_arguments)]
pub fn search_to_depth<G: Game, const MOVES: usize>(
    game: &mut G,
    depth: u32,
    (alpha, beta): (Score, Score),
    limits: &Limits,
    options: &Options,
    clock: &impl Clock,
    table: &mut Table<'_>,
    workspace: &mut Workspace<MOVES>,
) -> Option<Report> {
    if game.outcome().is_some() {
        return None;
    }
    let Workspace { moves, memory } = workspace;
    let mut sink = MoveSink::wanting(Wanted::All, moves);
    game.generate(&mut sink);
    let first = sink.candidates().iter().max()?.mv();
    table.start_search();
    let (ply, has_margins) = (game.ply(), game.spec().has_margins());
    let mut silent = |_| {};
    let mut searcher = Searcher::new(
        game,
        clock,
        limits,
        options,
        Effort::Cheap,
        table,
        (moves, memory),
        &mut silent,
    );
    let value = searcher.negamax(alpha, beta, depth.clamp(1, MAX_DEPTH as u32), 0, 0);
    let (best, score) = match (searcher.root_best, searcher.stopped) {
        (Some((mv, score)), _) => (mv, score),
        (None, None) => (first, value),
        (None, Some(_)) => (first, 0),
    };
    let exact = searcher.stopped.is_none() && !searcher.horizon && alpha < score && score < beta;
    let mut line = super::report::Line::new();
    let _ = line.push(best);
    Some(Report {
        best,
        value: Value::from_score(score, ply, exact, has_margins),
        score,
        proved: exact && !searcher.selective,
        depth: if searcher.stopped.is_some() { 0 } else { depth },
        nodes: searcher.nodes,
        line,
        table: searcher.table.usage(),
        ending: searcher.stopped.unwrap_or(Ending::Depth),
    })
}

struct SearchVisitor<'a, 't, C> {
    limits: &'a Limits,
    options: &'a Options,
    clock: &'a C,
    table: &'a mut Table<'t>,
    moves: &'a mut [Candidate],
    memory: &'a mut Memory,
}

impl<C: Clock> GameVisitor for SearchVisitor<'_, '_, C> {
    type Output = Option<Report>;

    fn visit<G: Game>(self, game: &mut G) -> Option<Report> {
        let fallback = first_sight(game, self.moves)?;
        self.table.start_search();
        let spec = game.spec();
        let has_margins = spec.has_margins();
        let ply = game.ply();
        let mut silent = |_| {};
        let mut searcher = Searcher::new(
            game,
            self.clock,
            self.limits,
            self.options,
            Effort::Cheap,
            self.table,
            (self.moves, self.memory),
            &mut silent,
        );
        let mut answer = Answer { best: fallback, score: 0, depth: 0, exact: false };
        answer.score = searcher.game.evaluate();
        let mut line = super::report::Line::new();
        let _ = line.push(fallback);
        let most = self.limits.depth.unwrap_or(u32::MAX).clamp(1, MAX_DEPTH as u32);
        searcher.poll();
        let mut ending = searcher.stopped.unwrap_or(Ending::Depth);
        for depth in 1..=most {
            if searcher.stopped.is_some() {
                break;
            }
            searcher.root_first = Some(answer.best);
            let found = search_depth(&mut searcher, depth, &answer);
            if let Some(better) = found {
                answer = better;
                if let Some(best) = searcher.memory.lines.first()
                    && best.first() == Some(&answer.best)
                {
                    line.clone_from(best);
                } else {
                    line.clear();
                    let _ = line.push(answer.best);
                }
            }
            if let Some(stopped) = searcher.stopped {
                ending = stopped;
                break;
            }
            // Decided within the horizon: no shorter win or longer resistance is left to find.
            let distance = (WIN - answer.score.abs()) as usize;
            let decided = is_win(answer.score) || is_loss(answer.score);
            if answer.exact || (decided && distance <= ply + depth as usize) {
                ending = Ending::Complete;
                break;
            }
            // Where flash is scarce nobody listens.
            if !cfg!(feature = "compact") {
                let value = Value::from_score(answer.score, ply, false, has_margins);
                let nodes = searcher.nodes;
                self.clock.found(&Interim { spec, value, depth, nodes, line: &line });
            }
        }
        // Who wants the answer now does not want to wait for what comes after it.
        if !searcher.clock.should_stop() {
            searcher.continue_line(&mut line);
        }
        let decided = is_win(answer.score) || is_loss(answer.score);
        Some(Report {
            best: answer.best,
            value: Value::from_score(answer.score, ply, answer.exact, has_margins),
            score: answer.score,
            proved: !searcher.selective && (answer.exact || decided),
            depth: answer.depth,
            nodes: searcher.nodes,
            line,
            table: searcher.table.usage(),
            ending,
        })
    }
}

/// What is known after an iteration.
#[derive(Clone, Copy)]
struct Answer {
    best: Move,
    score: Score,
    depth: u32,
    /// No part of the score depends on the horizon.
    exact: bool,
}

/// A sensible move without search, or `None` if the game is over.
fn first_sight<G: Game>(game: &G, moves: &mut [Candidate]) -> Option<Move> {
    if game.outcome().is_some() {
        return None;
    }
    match game.tactics() {
        Tactics::Win(mv) | Tactics::Forced(mv) | Tactics::Lost(mv) => Some(mv),
        Tactics::Quiet => {
            let mut sink = MoveSink::new(moves);
            game.generate(&mut sink);
            sink.candidates().iter().max().map(|candidate| candidate.mv())
        }
    }
}

/// Runs one iteration. `None` if it was stopped before it found out anything that is sure to be
/// better than the last answer.
fn search_depth<G: Game, C: Clock>(
    searcher: &mut Searcher<'_, '_, G, C>,
    depth: u32,
    last: &Answer,
) -> Option<Answer> {
    let narrow = searcher.options.aspiration
        && depth >= ASPIRATION_DEPTH
        && !is_win(last.score)
        && !is_loss(last.score);
    let mut width = ASPIRATION_WIDTH;
    let (mut alpha, mut beta) =
        if narrow { (last.score - width, last.score + width) } else { (-INFINITE, INFINITE) };
    loop {
        searcher.root_best = None;
        let score = searcher.negamax(alpha, beta, depth, 0, 0);
        let best = searcher.root_best;
        if searcher.stopped.is_some() {
            // The first move tried is the last answer's. If a move beat the window's lower end,
            // it is that one or better; its exact score is known unless it left the window.
            // That this move loses says nothing of the others, though.
            return best.filter(|&(_, score)| !is_loss(score)).map(|(mv, score)| Answer {
                best: mv,
                score,
                exact: false,
                ..*last
            });
        }
        let exact = !searcher.horizon;
        if score <= alpha && alpha > -INFINITE {
            width = width.saturating_mul(ASPIRATION_GROWTH);
            alpha = (last.score - width).max(-INFINITE);
            if is_loss(alpha) || is_loss(score) {
                alpha = -INFINITE;
            }
        } else if score >= beta && beta < INFINITE {
            width = width.saturating_mul(ASPIRATION_GROWTH);
            beta = (last.score + width).min(INFINITE);
            if is_win(beta) || is_win(score) {
                beta = INFINITE;
            }
            // Whatever else the wider window brings, this move comes first in it.
            searcher.root_first = best.map(|(mv, _)| mv).or(searcher.root_first);
        } else {
            let best = best.map_or(last.best, |(mv, _)| mv);
            return Some(Answer { best, score, depth, exact });
        }
    }
}
