//! The one recursive search: principal-variation alpha-beta (negamax, fail-soft).

use super::ordering::{Candidate, MoveSink, Wanted, pick_next};
use super::report::{Clock, Ending, Limits, Line};
use super::table::{Bound, Entry, Place, TO_THE_END, Table};
use super::{MAX_DEPTH, Memory, Options, SMALL_BOARD_POLL, SYMMETRY_MAX_PLY};
use crate::game::{Effort, Game, Move, Symmetry, Tactics};
use crate::guarded::between;
use crate::score::{INFINITE, Score, is_loss, is_win, loss_at, win_at};

/// A search under way.
pub(super) struct Searcher<'a, 't, G, C> {
    pub game: &'a mut G,
    pub clock: &'a C,
    pub limits: Limits,
    pub options: Options,
    pub effort: Effort,
    pub table: &'a mut Table<'t>,
    pub moves: &'a mut [Candidate],
    pub memory: &'a mut Memory,
    pub progress: &'a mut dyn FnMut(u64),
    pub nodes: u64,
    /// Set once a limit is reached; all values returned after that are void.
    pub stopped: Option<Ending>,
    /// The value of the node just left depends on where the search stopped looking.
    pub horizon: bool,
    /// Moves that could matter were left out somewhere.
    pub selective: bool,
    /// The move to try first at the root.
    pub root_first: Option<Move>,
    /// The best move of the root so far in this call, and its score.
    pub root_best: Option<(Move, Score)>,
    pub poll_interval: u64,
}

/// How often [`Searcher::progress`] is called, in nodes.
const PROGRESS_INTERVAL: u64 = 1 << 14;

impl<'a, 't, G: Game, C: Clock> Searcher<'a, 't, G, C> {
    #[allow(clippy::too_many_arguments)]
    pub fn new(
        game: &'a mut G,
        clock: &'a C,
        limits: &Limits,
        options: &Options,
        effort: Effort,
        table: &'a mut Table<'t>,
        (moves, memory): (&'a mut [Candidate], &'a mut Memory),
        progress: &'a mut dyn FnMut(u64),
    ) -> Self {
        memory.reset();
        let small = game.spec().cells() <= 64;
        Searcher {
            game,
            clock,
            limits: *limits,
            options: *options,
            effort,
            table,
            moves,
            memory,
            progress,
            nodes: 0,
            stopped: None,
            horizon: false,
            selective: false,
            root_first: None,
            root_best: None,
            poll_interval: if small { SMALL_BOARD_POLL } else { 1 },
        }
    }

    /// Looks at the clock and the stop signal.
    pub fn poll(&mut self) {
        let late = self.limits.deadline_us.is_some_and(|deadline| self.clock.now_us() >= deadline);
        if late || self.clock.should_stop() {
            self.stopped = Some(Ending::Stopped);
        }
    }

    /// Counts a node; tells whether the search must stop.
    pub(super) fn enter_node(&mut self) -> bool {
        if self.stopped.is_none() {
            if self.limits.nodes.is_some_and(|most| self.nodes >= most) {
                self.stopped = Some(Ending::Nodes);
                return true;
            }
            self.nodes += 1;
            if self.nodes.is_multiple_of(self.poll_interval) {
                self.poll();
            } else if self.clock.should_stop() {
                self.stopped = Some(Ending::Stopped);
            }
            if self.nodes.is_multiple_of(PROGRESS_INTERVAL) {
                (self.progress)(self.nodes);
            }
        }
        self.stopped.is_some()
    }

    /// The score of the position for the side to move, searched `depth` plies deep.
    ///
    /// If it lies inside the window `(alpha, beta)` it is returned; a value at or below `alpha`
    /// is an upper bound of it, a value at or above `beta` a lower bound. `height` counts plies
    /// from the root, `base` is where the free part of the move stack begins. After a stop the
    /// value means nothing.
    pub fn negamax(
        &mut self,
        alpha: Score,
        beta: Score,
        depth: u32,
        height: usize,
        base: usize,
    ) -> Score {
        self.memory.clear_line(height);
        self.horizon = false;
        if self.enter_node() {
            return 0;
        }
        if let Some(score) = self.game.final_score() {
            return score;
        }
        let ply = self.game.ply();
        let tactics = if self.options.tactics { self.game.tactics() } else { Tactics::Quiet };
        let forced = match tactics {
            Tactics::Win(mv) => return self.decided(mv, win_at(ply + 1), height),
            Tactics::Lost(mv) => return self.decided(mv, loss_at(ply + 2), height),
            Tactics::Forced(mv) => Some(mv),
            Tactics::Quiet => None,
        };
        let threats = self.options.threats && self.options.tactics;
        if threats
            && forced.is_none()
            && let Some(mv) = self.game.double_threat()
        {
            return self.decided(mv, win_at(ply + 3), height);
        }

        let view = self.look_from_all_sides(ply);
        let entry = if self.options.table { self.table.probe(view.place) } else { None };
        if let Some(entry) = entry
            && height > 0
            && (entry.depth >= depth || entry.depth == TO_THE_END)
            && match entry.bound {
                Bound::Exact => true,
                Bound::Lower => entry.score >= beta,
                Bound::Upper => entry.score <= alpha,
            }
        {
            self.horizon = entry.depth < TO_THE_END;
            return entry.score;
        }

        // The root is always searched: a move is wanted, not only a value.
        let (low, high) = if self.options.bounds && self.options.tactics && height > 0 {
            self.game.bounds(alpha, beta, self.effort)
        } else {
            (-INFINITE, INFINITE)
        };
        if low >= beta || high <= alpha || low == high {
            return if low >= beta { low } else { high };
        }
        let window = Window { alpha: alpha.max(low), beta: beta.min(high), low, high };

        if forced.is_none()
            && height > 0
            && let Some(guess) = self.promise(&window, depth)
        {
            self.horizon = true;
            return guess;
        }
        let extend = forced.is_some() && self.options.extend_forced;
        if (depth == 0 && !extend) || height >= MAX_DEPTH {
            self.horizon = true;
            return between(self.game.evaluate(), low, high);
        }
        let depth_below = if extend { depth } else { depth - 1 };
        let wanted = match (self.options.tactics, threats) {
            (false, _) => Wanted::All,
            (true, false) => Wanted::Worthwhile,
            (true, true) => Wanted::Answers,
        };

        let learned = if height == 0 { self.root_first } else { None };
        let best_known = learned.or(entry.and_then(|entry| self.known_move(&entry, &view)));
        let Some(list) = self.list_moves(base, wanted, forced, best_known, height, &view) else {
            self.horizon = true;
            return between(self.game.evaluate(), low, high);
        };
        // Where nothing was left out so far, nothing is: the result may be a proof.
        let narrow = self.options.narrow && list.selective && height > 0;
        let width = G::WIDTHS.get((depth as usize).saturating_sub(1)).filter(|_| narrow);
        let list = if let Some(&width) = width { list.cut(width) } else { list };

        let started = self.nodes;
        // Where all moves are searched, shortest wins are wanted: nothing is left to chance there.
        let quiet = self.selective && forced.is_none();
        let (best, best_move, horizon) = self.try_moves(&window, depth_below, quiet, height, &list);
        if self.stopped.is_some() {
            return 0;
        }
        self.horizon = horizon;
        let entry = window.conclude(best, best_move, depth, horizon);
        if self.options.table {
            let best = entry.best.map(|mv| self.game.map_move(mv, view.symmetry));
            self.table.store(view.place, &Entry { best, ..entry }, self.nodes - started + 1);
        }
        entry.score
    }

    /// Adds to a line that begins at the root what the table knows of its continuation: a search
    /// that met a known position did not look at its moves again.
    pub fn continue_line(&mut self, line: &mut Line) {
        let made = line.iter().take_while(|&&mv| self.game.try_play(mv).is_ok()).count();
        let mut grown = 0;
        while !line.is_full() && made == line.len() - grown && self.game.outcome().is_none() {
            let next = match self.game.tactics() {
                Tactics::Win(mv) | Tactics::Forced(mv) | Tactics::Lost(mv) => Some(mv),
                Tactics::Quiet => {
                    let view = self.look_from_all_sides(self.game.ply());
                    let entry =
                        if self.options.table { self.table.probe(view.place) } else { None };
                    entry.and_then(|entry| self.known_move(&entry, &view))
                }
            };
            let Some(mv) = next.filter(|&mv| self.game.try_play(mv).is_ok()) else { break };
            let _ = line.push(mv);
            grown += 1;
        }
        for _ in 0..made + grown {
            self.game.unmake();
        }
    }

    /// The best move of a table entry, turned back to how the position lies. A table that served
    /// another game may hold numbers that are no moves here.
    fn known_move(&self, entry: &Entry, view: &View) -> Option<Move> {
        let mv = entry.best.filter(|mv| mv.index() < self.game.spec().move_numbers())?;
        Some(self.game.map_move(mv, view.symmetry.inverse()))
    }

    /// What a look at a position that is not threatened promises, if it is so much more than a null
    /// window asks for that so few plies will hardly change it.
    fn promise(&self, window: &Window, depth: u32) -> Option<Score> {
        let asked = G::THREATS
            && self.options.believe
            && self.options.tactics
            && self.selective
            && (1..=BELIEF_DEPTH).contains(&depth)
            && window.beta - window.alpha == 1
            && !is_win(window.beta)
            && !is_loss(window.beta);
        if !asked || self.game.is_threatened() {
            return None;
        }
        let guess = between(self.game.evaluate(), window.low, window.high);
        let margin = BELIEF_MARGIN * depth as Score;
        (guess.saturating_sub(margin) >= window.beta).then_some(guess)
    }

    /// A node that is decided at first sight.
    fn decided(&mut self, mv: Move, score: Score, height: usize) -> Score {
        self.memory.clear_line(height + 1);
        self.memory.set_line(height, mv);
        if height == 0 {
            self.root_best = Some((mv, score));
        }
        score
    }

    /// Tries the moves of a list, best first, until the window is left. Returns
    /// the best score, its move if it beat the window's lower end, and whether the score depends
    /// on the horizon.
    fn try_moves(
        &mut self,
        window: &Window,
        depth: u32,
        quiet: bool,
        height: usize,
        &MoveList { base, tried, count, .. }: &MoveList,
    ) -> (Score, Option<Move>, bool) {
        let side = self.game.side_to_move().index();
        let Window { mut alpha, beta, .. } = *window;
        if !self.options.prune {
            alpha = -INFINITE;
        }
        let mut best = -INFINITE;
        let mut best_move = None;
        let mut horizon = false;
        let end = base + count;
        for n in base..base + tried {
            let Some(candidate) = self.moves.get_mut(n..end).and_then(pick_next) else { break };
            let mv = candidate.mv();
            self.game.make(mv);
            let null_window = n > base && self.options.null_window && beta - alpha > 1;
            // Late moves are first asked whether a shallower search likes them.
            let reduction = if !G::WIDTHS.is_empty() && quiet && self.options.reduce {
                reduction(depth, n - base)
            } else {
                0
            };
            if reduction > 0 {
                let score = -self.negamax(-alpha - 1, -alpha, depth - reduction, height + 1, end);
                if self.stopped.is_none() && score <= alpha {
                    self.game.unmake();
                    if score > best {
                        best = score;
                    }
                    horizon |= self.horizon;
                    continue;
                }
            }
            let mut score = if null_window {
                -self.negamax(-alpha - 1, -alpha, depth, height + 1, end)
            } else {
                let floor = if self.options.prune { alpha } else { -INFINITE };
                -self.negamax(-beta, -floor, depth, height + 1, end)
            };
            if null_window && self.stopped.is_none() && score > alpha && score < beta {
                score = -self.negamax(-beta, -alpha, depth, height + 1, end);
            }
            self.game.unmake();
            if self.stopped.is_some() {
                break;
            }
            horizon |= self.horizon;
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = Some(mv);
                    self.memory.set_line(height, mv);
                    if height == 0 {
                        self.root_best = Some((mv, score));
                    }
                }
            }
            if alpha >= beta && self.options.prune {
                // Only this move counts for the bound.
                horizon = self.horizon;
                self.memory.remember_cutoff(height, side, self.game.deed(mv), depth + 1);
                break;
            }
        }
        (best, best_move, horizon)
    }

    /// Puts the moves of the position on the stack from `base` on, each with its order. Returns
    /// `None` if there is no room.
    fn list_moves(
        &mut self,
        base: usize,
        wanted: Wanted,
        forced: Option<Move>,
        best_known: Option<Move>,
        height: usize,
        view: &View,
    ) -> Option<MoveList> {
        let storage = self.moves.get_mut(base..)?;
        let mut sink =
            MoveSink::wanting(wanted, storage).for_proof(self.effort == Effort::Thorough);
        match forced {
            Some(mv) => sink.push(mv, 0),
            None => self.game.generate(&mut sink),
        }
        if sink.overflowed() {
            return None;
        }
        let selective = sink.is_selective();
        let count = sink.len();
        self.selective |= selective;
        let moves = self.moves.get_mut(base..base + count)?;
        let side = self.game.side_to_move().index();
        let killers = self.memory.killers.get(height).copied().unwrap_or([None; 2]);
        for candidate in moves.iter_mut() {
            let mv = candidate.mv();
            let mut order = if self.options.static_order { candidate.order() } else { 0 };
            if self.options.learned_order {
                let deed = self.game.deed(mv);
                let history = self.memory.history[side][deed % super::HISTORY_SLOTS];
                order += u32::from(history) / HISTORY_SHARE;
                if killers.contains(&Some(deed as u16)) {
                    order += KILLER_ORDER;
                }
                order = order.min(Candidate::MAX_ORDER - 1);
                if best_known == Some(mv) {
                    order = Candidate::MAX_ORDER;
                }
            }
            *candidate = Candidate::new(mv, order);
        }
        if selective || view.stabiliser == 1 {
            return Some(MoveList { base, count, tried: count, selective });
        }
        // Of moves that are the same by symmetry only the one with the lowest number is kept.
        let mut kept = 0;
        for n in 0..count {
            let Some(candidate) = moves.get(n).copied() else { break };
            let mv = candidate.mv();
            let lowest = (1..Symmetry::COUNT as u8)
                .filter(|bits| view.stabiliser >> bits & 1 == 1)
                .all(|bits| self.game.map_move(mv, Symmetry::new(bits)) >= mv);
            if lowest && let Some(slot) = moves.get_mut(kept) {
                *slot = candidate;
                kept += 1;
            }
        }
        let count = if kept == 0 { count } else { kept };
        Some(MoveList { base, count, tried: count, selective })
    }

    /// Puts threats, answers or the one forced move on the stack from `base` on, in the game's
    /// order. Returns how many, or `None` if there is no room.
    #[cfg(not(feature = "compact"))]
    pub(super) fn list_threats(
        &mut self,
        base: usize,
        wanted: Wanted,
        forced: Option<Move>,
    ) -> Option<usize> {
        let mut sink = MoveSink::wanting(wanted, self.moves.get_mut(base..)?);
        match forced {
            Some(mv) => sink.push(mv, 0),
            None => self.game.generate(&mut sink),
        }
        if sink.overflowed() { None } else { Some(sink.len()) }
    }

    /// The best of the moves on the stack from `from` to `end`, brought to the front.
    #[cfg(not(feature = "compact"))]
    pub(super) fn next_of(&mut self, from: usize, end: usize) -> Option<Move> {
        self.moves.get_mut(from..end).and_then(pick_next).map(Candidate::mv)
    }

    /// Finds the position's place in the table and, near the start of a game, its symmetries.
    fn look_from_all_sides(&self, ply: usize) -> View {
        let key = self.game.key();
        let bits = self.game.key_bits();
        if !self.options.symmetry || ply > SYMMETRY_MAX_PLY {
            let place = self.table.place(key, bits);
            return View { place, symmetry: Symmetry::IDENTITY, stabiliser: 1 };
        }
        let all = self.game.symmetries();
        let mut lowest = (key, Symmetry::IDENTITY);
        let mut stabiliser = 1;
        for n in (1..Symmetry::COUNT as u8).filter(|n| all >> n & 1 == 1) {
            let symmetry = Symmetry::new(n);
            let mapped = self.game.key_under(symmetry);
            if mapped == key {
                stabiliser |= 1 << n;
            } else if mapped < lowest.0 {
                lowest = (mapped, symmetry);
            }
        }
        View { place: self.table.place(lowest.0, bits), symmetry: lowest.1, stabiliser }
    }
}

/// Up to this depth a look may be believed...
const BELIEF_DEPTH: u32 = 3;
/// ... if it promises so much more for every ply.
const BELIEF_MARGIN: Score = 300;

/// By how much less deep the move tried as number `late` is searched at first.
fn reduction(depth: u32, late: usize) -> u32 {
    match (depth, late) {
        (..2, _) | (_, ..4) => 0,
        (4.., 12..) => 2,
        _ => 1,
    }
}

/// History counts for this fraction of its value in the order of moves.
const HISTORY_SHARE: u32 = 64;
/// What a killer adds to the order of a move.
const KILLER_ORDER: u32 = 100;

/// Moves on the stack.
struct MoveList {
    /// Where they begin.
    base: usize,
    count: usize,
    /// How many of them are tried.
    tried: usize,
    /// The game left out moves that might matter.
    selective: bool,
}

impl MoveList {
    /// Only so many are tried.
    fn cut(self, width: usize) -> MoveList {
        MoveList { tried: self.tried.min(width), ..self }
    }
}

/// A position with its symmetries in mind.
struct View {
    /// Where the table keeps the position, turned as `symmetry` says.
    place: Place,
    symmetry: Symmetry,
    /// The symmetries that leave the position as it is, as a bit set.
    stabiliser: u8,
}

/// The window of a node, narrowed by bounds that are known without search.
struct Window {
    alpha: Score,
    beta: Score,
    low: Score,
    high: Score,
}

impl Window {
    /// What is now known about the node.
    fn conclude(&self, best: Score, mv: Option<Move>, depth: u32, horizon: bool) -> Entry {
        let score = between(best, self.low, self.high);
        let mut bound = if score >= self.beta && score < self.high {
            Bound::Lower
        } else if score <= self.alpha && score > self.low {
            Bound::Upper
        } else {
            Bound::Exact
        };
        if !horizon {
            return Entry { score, bound, depth: TO_THE_END, best: mv };
        }
        // That a game is won or lost does not depend on how far the search looked; how soon does:
        // a shorter win might lie beyond the horizon.
        let (win, loss) =
            (is_win(score) && bound != Bound::Upper, is_loss(score) && bound != Bound::Lower);
        if win {
            bound = Bound::Lower;
        } else if loss {
            bound = Bound::Upper;
        }
        Entry { score, bound, depth: if win || loss { TO_THE_END } else { depth }, best: mv }
    }
}
