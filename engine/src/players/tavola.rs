//! `tavola`: the best that the engine has, for every game, and weaker versions of it.
//!
//! At full strength a small board is first tried for a proof, within a part of the limits: that a
//! move does not lose, then which one is best. Without a proof, and on large boards, the search
//! deepens until the limits are reached.
//!
//! Levels 0 to 8 search less, and up to level 4 with an evaluation that is blurred by a noise that
//! follows from the seed: the moves get worse but stay sensible. Level 0 also overlooks threats.

use super::random::Dice;
use super::styled::{Style, Styled};
use super::{Decision, Player, Tools, Why};
use crate::game::{Game, Tactics};
use crate::score::{Score, Value, clamp_heuristic};
use crate::search::report::{Goal, Limits, Solution};
use crate::search::{MAX_DEPTH, Options, search, solve};

/// What may be tried for a proof, one after the other, each with the share of the limits that are
/// left, in percent. Not to lose comes first.
const PROOFS: [(Goal, u64); 2] = [(Goal::Safety, 80), (Goal::Exact, 60)];

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
    let mut safe = None;
    if game.spec().cells() <= MAX_DEPTH && tools.limits.depth.is_none() {
        for (goal, share) in PROOFS {
            let limits = Limits {
                nodes: tools
                    .limits
                    .nodes
                    .map(|nodes| spent + nodes.saturating_sub(spent) / 100 * share),
                ..tools.share_of_time(share)
            };
            let solution = prove(game, goal, &limits, spent, tools);
            spent += solution.nodes;
            let proved = |value| {
                let best = solution.best?;
                Some(Decision { best, value, why: Why::Proved, nodes: spent })
            };
            match solution.value {
                Some(value) if goal == Goal::Exact => return proved(Some(value)),
                // A loss is a matter of how long it takes.
                Some(Value::Loss { .. }) | None if solution.low < 0 => {}
                _ => safe = proved(None),
            }
            // A win is worth more than its shortest way.
            if solution.low > 0 {
                let value =
                    Value::from_score(solution.low, game.ply(), true, game.spec().has_margins());
                return proved(Some(value));
            }
            if safe.is_none() && solution.value.is_none() {
                break;
            }
        }
    }
    if safe.is_some() {
        return safe;
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

/// Works towards a proof until `limits`, of whose nodes `spent` are used up.
fn prove<G: Game, const MOVES: usize>(
    game: &mut G,
    goal: Goal,
    limits: &Limits,
    spent: u64,
    tools: &mut Tools<'_, '_, MOVES>,
) -> Solution {
    let limits = Limits { nodes: limits.nodes.map(|nodes| nodes.saturating_sub(spent)), ..*limits };
    let Tools { clock, table, workspace, .. } = tools;
    solve(game, goal, &limits, clock, table, workspace, &mut |_| {})
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
