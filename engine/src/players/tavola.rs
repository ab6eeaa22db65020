//! `tavola`: the best that the engine has, for every game, and weaker versions of it.
//!
//! At full strength a small board, after a short search, is tried for a proof, within a part of the
//! limits: that a move does not lose or wins, then which one is best. Without a proof, and on large boards,
//! the search deepens until the limits are reached. Lines of eight and more, which nobody can force, are built: the
//! move that promises most at first sight is played, unless the search objects. Connect Four begins with a [`book`], small mnk boards
//! with [another one](mnk_book), five in a row on a large board with [a few answers](gomoku) and then, like
//! any large mnk board, with a hunt for a win by threats alone.
//!
//! Levels 0 to 8 search less, and up to level 4 with an evaluation that is blurred by a noise that
//! follows from the seed: the moves get worse but stay sensible. Level 0 also overlooks threats.
//! Level 8 proves what it can on small boards of Connect X, where more nodes alone make no difference,
//! but does not know the book.

pub mod book;
pub mod gomoku;
pub mod mnk_book;

use super::random::Dice;
use super::styled::{Style, Styled};
use super::{Decision, Player, Tools, Why, next_legal};
#[cfg(not(feature = "compact"))]
use crate::game::mnk::UNFORCEABLE_LINE;
use crate::game::{Game, Move, Tactics};
use crate::score::{Score, Value, clamp_heuristic};
#[cfg(not(feature = "compact"))]
use crate::search::hunt::{Catch, hunt};
use crate::search::report::{Goal, Limits, Report, Solution};
use crate::search::{MAX_DEPTH, Options, search, solve};
#[cfg(not(feature = "compact"))]
use crate::spec::GameSpec;

/// What is tried for a proof, one after the other, each with the share of the limits that are left,
/// in percent. Where a position is drawn, it takes little to see that it is not lost and much to see
/// that it is not won; where it is won, it is the other way round. So both are tried.
const PROOFS: &[(Goal, u64)] =
    &[(Goal::Safety, 10), (Goal::Outcome, 75), (Goal::Safety, 80), (Goal::Exact, 60)];
/// In Connect X whether a game is won is often as easy to see as whether it is lost, and a win must
/// not be given away for a move that only does not lose.
const CONNECT_PROOFS: &[(Goal, u64)] =
    &[(Goal::Safety, 50), (Goal::Outcome, 80), (Goal::Exact, 60)];
/// In bricks the margin counts, and it can be proved only near the end.
const MARGIN_PROOFS: &[(Goal, u64)] = &[(Goal::Exact, 60)];
/// The most plies to go for which a margin is tried for.
const MARGIN_PROOF_PLIES: usize = 16;

/// The share of what is left that goes into finding a difficult move in a drawn position, in
/// percent. The rest is for proving that it does not lose.
const SWINDLE_SHARE: u64 = 50;
/// The share of what is left then for that proof. A move that takes more to prove could lead to a position
/// where the same limits do not suffice to see what keeps the draw.
const SWINDLE_PROOF_SHARE: u64 = 20;

/// The share of the limits, in percent, for a hunt for a win by threats alone.
#[cfg(not(feature = "compact"))]
const HUNT_SHARE: u64 = 15;

/// Where lines are built, the share of what is left, in percent, for a search that may object. The rest is for
/// looking at what the opponent can do about the move.
#[cfg(not(feature = "compact"))]
const OBJECTION_SHARE: u64 = 60;

/// A proof that is cut short leaves nothing behind, so a short search comes first: this share of
/// the limits, in percent, but no more than so many nodes.
const FIRST_LOOK_SHARE: u64 = 10;
const FIRST_LOOK_NODES: u64 = 2_000;

/// How many kinds of noise there are; a number that every processor has.
const SEEDS: usize = u32::MAX as usize;

/// Full strength.
pub const MAX_LEVEL: u8 = 9;

/// The player.
#[derive(Clone, Debug)]
pub struct Tavola {
    level: u8,
    dice: Dice,
    parts: Parts,
}

/// What the player does besides search and proofs, each of which can be left out to see what it is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts {
    /// Knows the openings of small boards.
    pub books: bool,
    /// Hunts for a win by threats first, on large mnk boards.
    pub hunt: bool,
    /// Knows answers to the first stones of five in a row on large boards.
    pub first_stones: bool,
}

impl Parts {
    /// Everything.
    pub const ALL: Parts = Parts { books: true, hunt: true, first_stones: true };
}

/// What a level may do.
struct Level {
    depth: Option<u32>,
    nodes: Option<u64>,
    /// How far the evaluation may be off, in percent of itself.
    noise: i64,
    sees_threats: bool,
    /// Whether it proves the outcome of Connect X where it can.
    proves: bool,
}

const LEVELS: [Level; MAX_LEVEL as usize] = [
    Level { depth: Some(1), nodes: None, noise: 250, sees_threats: false, proves: false },
    Level { depth: Some(1), nodes: None, noise: 100, sees_threats: true, proves: false },
    Level { depth: Some(1), nodes: None, noise: 40, sees_threats: true, proves: false },
    Level { depth: Some(2), nodes: None, noise: 15, sees_threats: true, proves: false },
    Level { depth: Some(4), nodes: Some(1_000), noise: 5, sees_threats: true, proves: false },
    Level { depth: None, nodes: Some(2_000), noise: 0, sees_threats: true, proves: false },
    Level { depth: None, nodes: Some(6_000), noise: 0, sees_threats: true, proves: false },
    Level { depth: None, nodes: Some(20_000), noise: 0, sees_threats: true, proves: false },
    Level { depth: None, nodes: Some(64_000), noise: 0, sees_threats: true, proves: true },
];

impl Tavola {
    /// The player at a level from 0 to [`MAX_LEVEL`]; higher ones count as that.
    #[must_use]
    pub const fn new(level: u8, seed: u64) -> Tavola {
        Tavola { level, dice: Dice::new(seed), parts: Parts::ALL }
    }

    /// The player at full strength with only these parts.
    #[must_use]
    pub const fn of_parts(parts: Parts) -> Tavola {
        Tavola { parts, ..Tavola::new(MAX_LEVEL, 0) }
    }

    /// Where flash is scarce nothing can be left out.
    fn parts(&self) -> Parts {
        if cfg!(feature = "compact") { Parts::ALL } else { self.parts }
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
        if game.is_dead() {
            let best = next_legal(game, 0)?;
            return Some(Decision {
                value: Some(Value::Draw),
                ..Decision::at_once(best, Why::Rule)
            });
        }
        match LEVELS.get(usize::from(self.level)) {
            Some(level) if !level.proves || game.stacks().is_none() => {
                decide_at(level, game, tools, &mut self.dice)
            }
            level => {
                let nodes = level.and_then(|level| level.nodes);
                tools.limits.nodes = tighter(nodes, tools.limits.nodes);
                let parts = self.parts();
                #[cfg(not(feature = "compact"))]
                if is_built(game.spec()) && tools.limits.depth.is_none() {
                    return build(parts, game, tools);
                }
                decide_fully(Parts { books: parts.books && level.is_none(), ..parts }, game, tools)
            }
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
        let mut style = Blurred { noise: level.noise, seed: dice.roll(SEEDS) as u64, level };
        let mut view = Styled::new(game, &mut style);
        search(&mut view, &limits, &options, clock, table, workspace)?
    };
    Some(Decision::from(&report))
}

fn decide_fully<G: Game, const MOVES: usize>(
    parts: Parts,
    game: &mut G,
    tools: &mut Tools<'_, '_, MOVES>,
) -> Option<Decision> {
    let stacks = game.stacks();
    let book = book::built_in().filter(|_| parts.books);
    let known = stacks.zip(book).and_then(|(stacks, book)| book.look_up(&stacks));
    if let Some(column) = known {
        return Some(Decision::at_once(Move::new(column), Why::Rule));
    }
    let known = mnk_book::built_in().filter(|_| parts.books).and_then(|book| book.look_up(game));
    let known = known.or_else(|| gomoku::answer(game).filter(|_| parts.first_stones));
    if let Some(best) = known {
        return Some(Decision::at_once(best, Why::Rule));
    }
    let mut budget = Budget { spent: 0 };
    if parts.hunt
        && tools.limits.depth.is_none()
        && let Some(caught) = budget.hunt(game, tools)
    {
        return Some(caught);
    }
    let mut safe: Option<Decision> = None;
    let mut won: Option<Decision> = None;
    let proofs = match (game.spec().has_margins(), game.plies_left()) {
        _ if tools.limits.depth.is_some() => &[],
        (true, 0..=MARGIN_PROOF_PLIES) => MARGIN_PROOFS,
        _ if stacks.is_some() => CONNECT_PROOFS,
        (false, _) if game.spec().cells() <= MAX_DEPTH => PROOFS,
        _ => &[],
    };
    let mut first_look: Option<Decision> = None;
    if !proofs.is_empty() {
        let limits = budget.limits(FIRST_LOOK_SHARE, tools);
        let limits = Limits { nodes: tighter(limits.nodes, Some(FIRST_LOOK_NODES)), ..limits };
        let Tools { clock, table, workspace, .. } = tools;
        let report = search(game, &limits, &Options::ALL, clock, table, workspace)?;
        budget.spent += report.nodes;
        first_look = Some(Decision::from(&report));
    }
    let mut is_lost = false;
    for &(goal, share) in proofs {
        let is_known = match goal {
            Goal::Safety => is_lost || safe.is_some(),
            Goal::Outcome => is_lost,
            Goal::Exact => false,
        };
        if is_known {
            continue;
        }
        let solution = budget.prove(game, goal, share, tools);
        let has_margins = game.spec().has_margins();
        let value = match solution.value {
            // A margin that is not fully known is of little use.
            None if has_margins => break,
            // A win is a win, whether or not it is known to be the shortest.
            None if solution.low > 0 => {
                Some(Value::from_score(solution.low, game.ply(), true, has_margins))
            }
            value => value,
        };
        let Some(best) = solution.best else {
            if tools.time_is_up() {
                break;
            }
            continue;
        };
        let decision = Decision { best, value, why: Why::Proved, nodes: budget.spent };
        let draws = matches!(value, None | Some(Value::Draw)) && solution.low >= 0;
        match value {
            // A loss is a matter of how long it takes.
            Some(Value::Loss { .. }) if goal != Goal::Exact => is_lost = true,
            // So is a win, but one in the hand is better.
            Some(Value::Win { .. }) if goal != Goal::Exact && stacks.is_some() => {
                won = Some(decision);
            }
            Some(_) if !draws => return Some(decision),
            _ if draws => safe = Some(decision),
            _ => {}
        }
        if value == Some(Value::Draw) {
            break;
        }
    }
    if won.is_some() {
        return won;
    }
    // A search would only clear the table.
    if let Some(decision) = safe.or(first_look)
        && tools.time_is_up()
    {
        return Some(Decision { nodes: budget.spent, ..decision });
    }
    let share = if safe.is_some() { SWINDLE_SHARE } else { 100 };
    let report = budget.search(game, share, tools)?;
    let found = Decision::from(&report);
    // If the time was up by now, the first look is the deeper one.
    let found = match first_look {
        Some(first @ Decision { why: Why::Depth(first_depth), .. })
            if report.depth < first_depth =>
        {
            first
        }
        _ => found,
    };
    let found = Decision { nodes: budget.spent, ..found };
    let Some(safe) = safe else { return Some(found) };
    // Of moves that do not lose, the one that the search likes best sets the opponent more
    // difficult questions than the one that was easiest to prove.
    let keeps_the_draw = found.best == safe.best || {
        game.make(found.best);
        let reply = budget.prove(game, Goal::Outcome, SWINDLE_PROOF_SHARE, tools);
        game.unmake();
        reply.high <= 0
    };
    let best = if keeps_the_draw { found.best } else { safe.best };
    Some(Decision { best, nodes: budget.spent, ..safe })
}

/// Whether lines are so long that they must be built on an opponent's mistakes, on a board too large for proofs.
#[cfg(not(feature = "compact"))]
fn is_built(spec: GameSpec) -> bool {
    match spec {
        GameSpec::Mnk { k, .. } => usize::from(k) >= UNFORCEABLE_LINE && spec.cells() > MAX_DEPTH,
        _ => false,
    }
}

/// Chooses the move that promises most at first sight. The search, which expects the opponent to stop every
/// line, sees no difference between those that are begun and those that are gone on with; it is heard if it
/// sees the end of the game.
#[cfg(not(feature = "compact"))]
#[inline(never)]
fn build<G: Game, const MOVES: usize>(
    parts: Parts,
    game: &mut G,
    tools: &mut Tools<'_, '_, MOVES>,
) -> Option<Decision> {
    let mut budget = Budget { spent: 0 };
    if parts.hunt
        && let Some(caught) = budget.hunt(game, tools)
    {
        return Some(caught);
    }
    let Decision { best: first, .. } = budget.first_sight(game, tools)?;
    let found = budget.look(game, OBJECTION_SHARE, tools)?;
    let is_kept = match found.why {
        _ if first == found.best => true,
        Why::Heuristic => true,
        _ if matches!(found.value, Some(Value::Win { .. } | Value::Loss { .. })) => false,
        _ => {
            game.make(first);
            let reply = budget.look(game, 100, tools);
            game.unmake();
            reply.is_some_and(|reply| {
                reply.why != Why::Heuristic && !matches!(reply.value, Some(Value::Win { .. }))
            })
        }
    };
    let best = if is_kept { first } else { found.best };
    Some(Decision { best, nodes: budget.spent, ..found })
}

/// What of the limits is used up.
struct Budget {
    spent: u64,
}

impl Budget {
    /// The limits with a share, in percent, of what is left.
    fn limits<const MOVES: usize>(&self, share: u64, tools: &Tools<'_, '_, MOVES>) -> Limits {
        let left = tools.limits.nodes.map(|nodes| nodes.saturating_sub(self.spent));
        Limits { nodes: left.map(|left| left / 100 * share), ..tools.share_of_time(share) }
    }

    /// Hunts for a win by threats with its share of the limits.
    #[cfg(not(feature = "compact"))]
    fn hunt<G: Game, const MOVES: usize>(
        &mut self,
        game: &mut G,
        tools: &mut Tools<'_, '_, MOVES>,
    ) -> Option<Decision> {
        let limits = self.limits(HUNT_SHARE, tools);
        let Tools { clock, table, workspace, .. } = tools;
        let Catch { win, nodes } = hunt(game, &limits, clock, table, workspace);
        self.spent += nodes;
        let (best, plies) = win?;
        let value = Some(Value::Win { plies });
        Some(Decision { best, value, why: Why::Proved, nodes: self.spent })
    }

    /// The move that looks best one ply ahead.
    #[cfg(not(feature = "compact"))]
    #[inline(never)]
    fn first_sight<G: Game, const MOVES: usize>(
        &mut self,
        game: &mut G,
        tools: &mut Tools<'_, '_, MOVES>,
    ) -> Option<Decision> {
        let limits = Limits { depth: Some(1), ..self.limits(100, tools) };
        // What the table knows was seen from further ahead.
        let options = Options { table: false, ..Options::ALL };
        let Tools { clock, table, workspace, .. } = tools;
        let report = search(game, &limits, &options, clock, table, workspace)?;
        self.spent += report.nodes;
        Some(Decision::from(&report))
    }

    /// [`Self::search`], told in short.
    #[cfg(not(feature = "compact"))]
    #[inline(never)]
    fn look<G: Game, const MOVES: usize>(
        &mut self,
        game: &mut G,
        share: u64,
        tools: &mut Tools<'_, '_, MOVES>,
    ) -> Option<Decision> {
        self.search(game, share, tools).map(|report| Decision::from(&report))
    }

    /// Where flash is scarce nobody hunts.
    #[cfg(feature = "compact")]
    fn hunt<G: Game, const MOVES: usize>(
        &mut self,
        _game: &mut G,
        _tools: &mut Tools<'_, '_, MOVES>,
    ) -> Option<Decision> {
        None
    }

    /// Searches for a move with a share of what is left.
    fn search<G: Game, const MOVES: usize>(
        &mut self,
        game: &mut G,
        share: u64,
        tools: &mut Tools<'_, '_, MOVES>,
    ) -> Option<Report> {
        let limits = self.limits(share, tools);
        let Tools { clock, table, workspace, .. } = tools;
        let report = search(game, &limits, &Options::ALL, clock, table, workspace)?;
        self.spent += report.nodes;
        Some(report)
    }

    /// Works towards a proof with a share of what is left.
    fn prove<G: Game, const MOVES: usize>(
        &mut self,
        game: &mut G,
        goal: Goal,
        share: u64,
        tools: &mut Tools<'_, '_, MOVES>,
    ) -> Solution {
        let limits = self.limits(share, tools);
        let Tools { clock, table, workspace, .. } = tools;
        let solution = solve(game, goal, &limits, clock, table, workspace, &mut |_| {});
        self.spent += solution.nodes;
        solution
    }
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
