//! The hunt: wins by force, where every move of the attacker is a threat that must be answered.
//!
//! The attacker tries only threats: fours first (the opponent has one answer), then also open threes
//! (the opponent must do something about two fours at once). The defender tries every answer that
//! could help, so a win that is found is a win. It need not be the shortest, and a win that needs a
//! quiet move is not found. The number of threats grows step by step.
//!
//! # Bounds
//! A hunt of `n` threats is at most `2 n + 2` calls deep; `n` is at most [`MOST_THREATS`]. Nodes, clock and
//! stop signal are those of any search. The table remembers where a hunt failed, under keys of its
//! own.

use super::alphabeta::Searcher;
use super::ordering::{Candidate, Wanted};
use super::report::{Clock, Limits};
use super::table::{Bound, Entry, Table};
use super::{Memory, Options, Workspace};
use crate::game::{Effort, Game, GameVisitor, Move, Tactics};

/// The most threats in a row.
pub const MOST_THREATS: u32 = 14;

/// Parts of keys that keep the two kinds of hunts apart, and apart from other searches.
const SALTS: [u64; 2] = [0x5851_F42D_4C95_7F2D, 0x1405_7B7E_F767_814F];

/// What a hunt came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Catch {
    /// The first move of a win by force, and in how many plies it wins at the latest.
    pub win: Option<(Move, usize)>,
    /// Nodes visited.
    pub nodes: u64,
}

/// Looks for a win by force for the side to move. Games that know of no threats have none.
pub fn hunt<G: Game, const MOVES: usize>(
    game: &mut G,
    limits: &Limits,
    clock: &impl Clock,
    table: &mut Table<'_>,
    workspace: &mut Workspace<MOVES>,
) -> Catch {
    let Workspace { moves, memory } = workspace;
    game.dispatch(HuntVisitor { limits, clock, table, moves, memory })
}

struct HuntVisitor<'a, 't, C> {
    limits: &'a Limits,
    clock: &'a C,
    table: &'a mut Table<'t>,
    moves: &'a mut [Candidate],
    memory: &'a mut Memory,
}

impl<C: Clock> GameVisitor for HuntVisitor<'_, '_, C> {
    type Output = Catch;

    fn visit<G: Game>(self, game: &mut G) -> Catch {
        if !G::THREATS || game.outcome().is_some() {
            return Catch::default();
        }
        self.table.start_search();
        let mut silent = |_| {};
        let mut searcher = Searcher::new(
            game,
            self.clock,
            self.limits,
            &Options::ALL,
            Effort::Cheap,
            self.table,
            (self.moves, self.memory),
            &mut silent,
        );
        for wanted in [Wanted::Fours, Wanted::Attacks] {
            // What fails with so many threats and comes to no end within them may win with more.
            for threats in 1..=MOST_THREATS {
                searcher.horizon = false;
                searcher.root_best = None;
                let plies = searcher.attack(wanted, threats, 0, 0);
                if searcher.stopped.is_some() {
                    return Catch { win: None, nodes: searcher.nodes };
                }
                if let (Some(plies), Some((best, _))) = (plies, searcher.root_best) {
                    return Catch { win: Some((best, plies)), nodes: searcher.nodes };
                }
                if !searcher.horizon {
                    break;
                }
            }
        }
        Catch { win: None, nodes: searcher.nodes }
    }
}

impl<G: Game, C: Clock> Searcher<'_, '_, G, C> {
    /// In how many plies the side to move wins by at most so many threats, if it does. Sets
    /// `horizon` if more threats might do.
    fn attack(
        &mut self,
        wanted: Wanted,
        threats: u32,
        height: usize,
        base: usize,
    ) -> Option<usize> {
        if self.enter_node() {
            return None;
        }
        let forced = match self.game.tactics() {
            Tactics::Win(mv) => return self.caught(mv, 1, height),
            Tactics::Lost(_) => return None,
            Tactics::Forced(mv) => Some(mv),
            Tactics::Quiet => None,
        };
        if forced.is_none()
            && let Some(mv) = self.game.double_threat()
        {
            return self.caught(mv, 3, height);
        }
        if threats == 0 {
            self.horizon = true;
            return None;
        }
        let salt = SALTS[usize::from(wanted == Wanted::Attacks)];
        let place = self.table.place(self.game.key() ^ salt, u64::BITS);
        if let Some(entry) = self.table.probe(place)
            && entry.depth >= threats
            && height > 0
        {
            self.horizon |= entry.bound == Bound::Upper;
            return None;
        }
        // Who is threatened has no time for less than a four.
        let wanted_here = if self.game.is_threatened() { Wanted::Fours } else { wanted };
        let started = self.nodes;
        let outer_horizon = core::mem::replace(&mut self.horizon, false);
        let count = self.list_threats(base, wanted_here, forced)?;
        for n in base..base + count {
            let Some(mv) = self.next_of(n, base + count) else { break };
            self.game.make(mv);
            let plies = self.defend(wanted, threats - 1, height + 1, base + count);
            self.game.unmake();
            if self.stopped.is_some() {
                return None;
            }
            if let Some(plies) = plies {
                return self.caught(mv, plies + 1, height);
            }
        }
        let bound = if self.horizon { Bound::Upper } else { Bound::Exact };
        let entry = Entry { score: 0, bound, depth: threats, best: None };
        self.table.store(place, &entry, self.nodes - started + 1);
        self.horizon |= outer_horizon;
        None
    }

    /// In how many plies the side to move loses whatever it does, if it does so by threats.
    fn defend(
        &mut self,
        wanted: Wanted,
        threats: u32,
        height: usize,
        base: usize,
    ) -> Option<usize> {
        if self.enter_node() {
            return None;
        }
        let forced = match self.game.tactics() {
            Tactics::Win(_) => return None,
            Tactics::Lost(_) => return Some(2),
            Tactics::Forced(mv) => Some(mv),
            // Not a threat, or one that comes too late.
            Tactics::Quiet if !self.game.is_threatened() => return None,
            Tactics::Quiet if self.game.double_threat().is_some() => return None,
            Tactics::Quiet => None,
        };
        let count = self.list_threats(base, Wanted::Answers, forced)?;
        let mut most = 0;
        for n in base..base + count {
            let mv = self.next_of(n, base + count)?;
            self.game.make(mv);
            let plies = self.attack(wanted, threats, height + 1, base + count);
            self.game.unmake();
            most = most.max(plies? + 1);
        }
        Some(most)
    }

    fn caught(&mut self, mv: Move, plies: usize, height: usize) -> Option<usize> {
        if height == 0 {
            self.root_best = Some((mv, 0));
        }
        Some(plies)
    }
}
