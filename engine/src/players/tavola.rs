//! `tavola`: the best that the engine has, for every game, and weaker versions of it.
//!
//! At full strength a small board is first tried for a proof, within a part of the limits;
//! otherwise, and on large boards, the search deepens until the limits are reached.
//!
//! Levels 0 to 8 search less, and up to level 4 with an evaluation that is blurred by a noise that
//! follows from the seed: the moves get worse but stay sensible. Level 0 also overlooks threats.

use super::random::Dice;
use super::styled::{Style, Styled};
use super::{Decision, Player, Tools, Why};
use crate::game::{Game, Tactics};
use crate::score::{Score, clamp_heuristic};
use crate::search::report::{Goal, Limits};
use crate::search::{MAX_DEPTH, Options, search, solve};

/// The share of the limits that goes into trying for a proof, in percent.
const PROOF_SHARE: u64 = 60;

/// Full strength.
pub const MAX_LEVEL: u8 = 9;

/// The player.
#[derive(Clone, Debug)]
pub struct Tavola {
    level: u8,
    dice: Dice,
}

/// What a level may do.
struct Level {
    depth: Option<u32>,
    nodes: Option<u64>,
    /// How far the evaluation may be off, in percent of itself.
    noise: i64,
    sees_threats: bool,
}

const LEVELS: [Level; MAX_LEVEL as usize] = [
    Level { depth: Some(1), nodes: None, noise: 100, sees_threats: false },
    Level { depth: Some(1), nodes: None, noise: 80, sees_threats: true },
    Level { depth: Some(2), nodes: None, noise: 60, sees_threats: true },
    Level { depth: Some(2), nodes: None, noise: 30, sees_threats: true },
    Level { depth: Some(3), nodes: None, noise: 15, sees_threats: true },
    Level { depth: None, nodes: Some(1_000), noise: 0, sees_threats: true },
    Level { depth: None, nodes: Some(4_000), noise: 0, sees_threats: true },
    Level { depth: None, nodes: Some(16_000), noise: 0, sees_threats: true },
    Level { depth: None, nodes: Some(64_000), noise: 0, sees_threats: true },
];

impl Tavola {
    /// The player at a level from 0 to [`MAX_LEVEL`]; higher ones count as that.
    #[must_use]
    pub const fn new(level: u8, seed: u64) -> Tavola {
        Tavola { level, dice: Dice::new(seed) }
    }
}

impl Player for Tavola {
    fn decide<G: Game, const MOVES: usize>(
        &mut self,
        game: &mut G,
        tools: &mut Tools<'_, '_, MOVES>,
    ) -> Option<Decision> {
        if game.outcome().is_some() {
            return None;
        }
        match LEVELS.get(usize::from(self.level)) {
            Some(level) => decide_at(level, game, tools, &mut self.dice),
            None => decide_fully(game, tools),
        }
    }
}

/// The lesser of two limits, where `None` is no limit.
fn tighter<T: Ord>(one: Option<T>, other: Option<T>) -> Option<T> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

fn decide_at<G: Game, const MOVES: usize>(
    level: &Level,
    game: &mut G,
    tools: &mut Tools<'_, '_, MOVES>,
    dice: &mut Dice,
) -> Option<Decision> {
    let limits = Limits {
        depth: tighter(level.depth, tools.limits.depth),
        nodes: tighter(level.nodes, tools.limits.nodes),
        ..tools.limits
    };
    let options = Options { tactics: level.sees_threats, table: level.noise == 0, ..Options::ALL };
    let Tools { clock, table, workspace, .. } = tools;
    let report = if level.noise == 0 {
        search(game, &limits, &options, clock, table, workspace)?
    } else {
        // Another noise for every move, the same throughout its search.
        let mut style = Blurred { noise: level.noise, seed: dice.roll(usize::MAX) as u64, level };
        let mut view = Styled::new(game, &mut style);
        search(&mut view, &limits, &options, clock, table, workspace)?
    };
    Some(Decision::from(&report))
}

fn decide_fully<G: Game, const MOVES: usize>(
    game: &mut G,
    tools: &mut Tools<'_, '_, MOVES>,
) -> Option<Decision> {
    let mut spent = 0;
    if game.spec().cells() <= MAX_DEPTH && tools.limits.depth.is_none() {
        let limits = Limits {
            nodes: tools.limits.nodes.map(|nodes| nodes / 100 * PROOF_SHARE),
            ..tools.share_of_time(PROOF_SHARE)
        };
        let Tools { clock, table, workspace, .. } = tools;
        let solution = solve(game, Goal::Exact, &limits, clock, table, workspace, &mut |_| {});
        spent = solution.nodes;
        if let (Some(best), Some(value)) = (solution.best, solution.value) {
            return Some(Decision { best, value: Some(value), why: Why::Proved, nodes: spent });
        }
    }
    let limits = Limits {
        nodes: tools.limits.nodes.map(|nodes| nodes.saturating_sub(spent)),
        ..tools.limits
    };
    let Tools { clock, table, workspace, .. } = tools;
    let report = search(game, &limits, &Options::ALL, clock, table, workspace)?;
    let decision = Decision::from(&report);
    Some(Decision { nodes: decision.nodes + spent, ..decision })
}

/// The game's own evaluation, blurred.
struct Blurred<'a> {
    noise: i64,
    seed: u64,
    level: &'a Level,
}

impl<G: Game> Style<G> for Blurred<'_> {
    fn evaluate(&self, game: &G) -> Score {
        const STEPS: usize = 201;
        /// Where the evaluation is near 0, it may still be off by the noise of this value.
        const FLOOR: i64 = 100;
        let value = i64::from(game.evaluate());
        let roll = Dice::new(game.key() ^ self.seed).roll(STEPS) as i64 - STEPS as i64 / 2;
        clamp_heuristic(value + (value.abs() + FLOOR) * self.noise * roll / 10_000)
    }

    fn tactics(&self, game: &G) -> Tactics {
        if self.level.sees_threats { game.tactics() } else { Tactics::Quiet }
    }
}
