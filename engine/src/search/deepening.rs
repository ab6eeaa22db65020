//! Iterative deepening: a complete answer at every depth, so that there is one at every moment.

use super::alphabeta::Searcher;
use super::ordering::{Candidate, MoveSink};
use super::report::{Clock, Ending, Interim, Limits, Report};
use super::table::Table;
use super::{MAX_DEPTH, Memory, Options, Workspace};
use crate::game::{Effort, ForcedWin, Game, GameVisitor, Move, Tactics};
use crate::score::{INFINITE, Score, Value, WIN, is_loss, is_win, win_at};

/// From this depth on an iteration starts with a narrow window.
const ASPIRATION_DEPTH: u32 = 3;
/// Half the width of the first window; it grows by [`ASPIRATION_GROWTH`] on each failure.
const ASPIRATION_WIDTH: Score = 150;
const ASPIRATION_GROWTH: Score = 4;

/// The share of the limits, in percent, that may go into the hunt for a forced win, and the most
/// moves to try.
const HUNT_SHARE: u64 = 10;
const HUNT_NODES: u64 = 200_000;
/// The most threats of a hunt that allow more than one answer.
const HUNT_THREATS: u8 = 3;

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
    let mut sink = MoveSink::for_all_moves(moves);
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
        let has_margins = game.spec().has_margins();
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
        if let Some(win) = hunt(&mut searcher) {
            let score = win_at(ply + win.plies);
            let mut line = super::report::Line::new();
            let _ = line.push(win.best);
            return Some(Report {
                best: win.best,
                value: Value::from_score(score, ply, true, has_margins),
                score,
                proved: true,
                depth: 0,
                nodes: searcher.nodes,
                line,
                table: searcher.table.usage(),
                ending: Ending::Complete,
            });
        }
        let mut found = Found {
            answer: Answer {
                best: fallback,
                score: searcher.game.evaluate(),
                depth: 0,
                exact: false,
            },
            line: super::report::Line::new(),
            ending: Ending::Depth,
        };
        let _ = found.line.push(fallback);
        let most = self.limits.depth.unwrap_or(u32::MAX).clamp(1, MAX_DEPTH as u32);
        searcher.poll();
        deepen(&mut searcher, most, &mut found);
        let Found { answer, mut line, ending } = found;
        searcher.continue_line(&mut line);
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

/// What is known so far: the answer, the expected course of the game, and why the search ended.
struct Found {
    answer: Answer,
    line: super::report::Line,
    ending: Ending,
}

/// Searches deeper and deeper until a limit is reached or nothing is left to find out.
fn deepen<G: Game, C: Clock>(searcher: &mut Searcher<'_, '_, G, C>, most: u32, found: &mut Found) {
    let ply = searcher.game.ply();
    found.ending = searcher.stopped.unwrap_or(Ending::Depth);
    for depth in 1..=most {
        if searcher.stopped.is_some() {
            break;
        }
        searcher.root_first = Some(found.answer.best);
        if let Some(better) = search_depth(searcher, depth, &found.answer) {
            found.answer = better;
            if let Some(best) = searcher.memory.lines.first()
                && best.first() == Some(&better.best)
            {
                found.line.clone_from(best);
            } else {
                found.line.clear();
                let _ = found.line.push(better.best);
            }
        }
        if let Some(stopped) = searcher.stopped {
            found.ending = stopped;
            break;
        }
        // Decided within the horizon: no shorter win or longer resistance is left to find.
        let score = found.answer.score;
        let distance = (WIN - score.abs()) as usize;
        let decided = is_win(score) || is_loss(score);
        if found.answer.exact || (decided && distance <= ply + depth as usize) {
            found.ending = Ending::Complete;
            break;
        }
        // Where flash is scarce nobody listens.
        if !cfg!(feature = "compact") {
            let spec = searcher.game.spec();
            let value = Value::from_score(score, ply, false, spec.has_margins());
            let (nodes, line) = (searcher.nodes, &found.line);
            searcher.clock.found(&Interim { spec, value, depth, nodes, line });
        }
    }
}

/// The limits with a share, in percent, of what is left of them.
fn share_of<G: Game, C: Clock>(
    searcher: &Searcher<'_, '_, G, C>,
    limits: &Limits,
    share: u64,
) -> Limits {
    let part = |whole: u64| whole / 100 * share + whole % 100 * share / 100;
    let now_us = searcher.clock.now_us();
    Limits {
        deadline_us: limits.deadline_us.map(|end| now_us + part(end.saturating_sub(now_us))),
        nodes: limits.nodes.map(|most| searcher.nodes + part(most.saturating_sub(searcher.nodes))),
        ..*limits
    }
}

/// Hunts for a win by force with a share of the limits: by threats that allow one answer, then with
/// more and more that allow a few.
fn hunt<G: Game, C: Clock>(searcher: &mut Searcher<'_, '_, G, C>) -> Option<ForcedWin> {
    if !searcher.hunts() || searcher.game.tactics() != Tactics::Quiet {
        return None;
    }
    let limits = searcher.limits;
    searcher.limits = share_of(searcher, &limits, HUNT_SHARE);
    let end = searcher.limits.nodes.unwrap_or(u64::MAX).min(searcher.nodes + HUNT_NODES);
    let win = (0..=HUNT_THREATS).find_map(|threats| {
        let left = end.saturating_sub(searcher.nodes);
        if left > 0 { searcher.win_by_force(threats, left) } else { None }
    });
    searcher.limits = limits;
    win
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
