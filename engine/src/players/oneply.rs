//! `oneply`: looks one move ahead. Takes a win, blocks a threat, else plays the move after which
//! the engine's evaluation is best; among equals the one with the lowest number.

use super::{Decision, Player, Tools};
use crate::game::Game;
use crate::search::report::Limits;
use crate::search::{Options, search};

/// The player.
#[derive(Clone, Copy, Debug, Default)]
pub struct OnePly;

impl Player for OnePly {
    fn decide<G: Game, const MOVES: usize>(
        &mut self,
        game: &mut G,
        tools: &mut Tools<'_, '_, MOVES>,
    ) -> Option<Decision> {
        let limits = Limits { depth: Some(1), ..tools.limits };
        let options = Options { extend_forced: false, table: false, ..Options::ALL };
        let report = search(game, &limits, &options, &tools.clock, tools.table, tools.workspace)?;
        Some(Decision::from(&report))
    }
}
