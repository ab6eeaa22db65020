//! `tavola`: the best that the engine has, for every game.
//!
//! A small board is first tried for a proof, within a part of the time; otherwise, and on large
//! boards, the search deepens until the limits are reached.

use super::{Decision, Player, Tools};
use crate::game::Game;
use crate::search::report::{Goal, Limits};
use crate::search::{MAX_DEPTH, Options, search, solve};

/// The share of the limits that goes into trying for a proof, in percent.
const PROOF_SHARE: u64 = 60;

/// The player.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tavola;

impl Player for Tavola {
    fn decide<G: Game, const MOVES: usize>(
        &mut self,
        game: &mut G,
        tools: &mut Tools<'_, '_, MOVES>,
    ) -> Option<Decision> {
        if game.outcome().is_some() {
            return None;
        }
        let small = game.spec().cells() <= MAX_DEPTH;
        let mut spent = 0;
        if small && tools.limits.depth.is_none() {
            let limits = Limits {
                nodes: tools.limits.nodes.map(|nodes| nodes / 100 * PROOF_SHARE),
                ..tools.share_of_time(PROOF_SHARE)
            };
            let solution = solve(
                game,
                Goal::Exact,
                &limits,
                &tools.clock,
                tools.table,
                tools.workspace,
                &mut |_| {},
            );
            spent = solution.nodes;
            if let (Some(best), Some(value)) = (solution.best, solution.value) {
                let why = super::Why::Proved;
                return Some(Decision { best, value: Some(value), why, nodes: spent });
            }
        }
        let limits = Limits {
            nodes: tools.limits.nodes.map(|nodes| nodes.saturating_sub(spent)),
            ..tools.limits
        };
        let report =
            search(game, &limits, &Options::ALL, &tools.clock, tools.table, tools.workspace)?;
        let decision = Decision::from(&report);
        Some(Decision { nodes: decision.nodes + spent, ..decision })
    }
}
