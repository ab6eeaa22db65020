//! `tavola verify`: whether the player `tavola` ever gives away what a position of Connect X or of a
//! small mnk board is worth.
//!
//! Games are played as either side against an opponent who plays at random, or now and then as well
//! as can be; or positions are set up at random. Each decision of `tavola` is compared with the
//! solver's verdict on the position before and after it.

use std::collections::HashMap;
use std::io::Write;

use clap::Args;
use engine::game::any::Position;
use engine::game::{Game, Move, Outcome};
use engine::players::random::Dice;
use engine::players::tavola::{MAX_LEVEL, Tavola};
use engine::players::{Decision, Player, Tools, Why, next_legal};
use engine::score::Value;
use engine::search::report::{Goal, Limits, NoClock};
use engine::search::table::Table;
use engine::search::{MAX_DEPTH, solve};
use engine::spec::GameSpec;
use serde::Serialize;

use crate::clock::WallClock;
use crate::failure::{Failure, Status};
use crate::games_bar::GamesBar;
use crate::memory::Memory;
use crate::move_limit::{LimitArguments, MoveLimit};
use crate::position;
use crate::seeds::derived;
use crate::table_size::TableSize;

const EXAMPLES: &str = "\
Examples:
  tavola verify --decisions 2000 --time 1s
  tavola verify --decisions 200 --nodes 100000
  tavola verify --set-up 14 --decisions 500 --time 1s
  tavola verify mnk:6x6x4 --decisions 100 --time 1s --plies 35
  tavola verify mnk:7x6x4 --decisions 100 --nodes 300000 --plies 63 --opening 3

In a third of the games the opponent plays at random, in a third every second move is the best one
there is, and in a third most are; with --opening he begins at random and then plays only best ones. Exit code 1 if a decision gave something away.";

/// The arguments of `tavola verify`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The game: a connect or mnk board of up to 64 cells
    #[arg(default_value = "connect:6x7x4")]
    pub spec: GameSpec,
    /// Decisions to look at
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub decisions: u64,
    /// The last ply at which decisions are looked at
    #[arg(long, value_name = "PLY", default_value_t = 20)]
    pub plies: usize,
    /// The opponent's first moves are at random, up to this many of them, and all others are the best there are
    #[arg(long, value_name = "MOVES", conflicts_with = "set_up")]
    pub opening: Option<usize>,
    /// Instead of games, positions set up at random with this many stones or more, up to --plies
    #[arg(long, value_name = "PLY")]
    pub set_up: Option<usize>,
    /// How long `tavola` may think
    #[command(flatten)]
    pub limit: LimitArguments,
    /// Memory for the player's table, in bytes
    #[arg(long, value_name = "SIZE", default_value = "64K")]
    pub table: TableSize,
    /// Memory for the table of the solver that checks
    #[arg(long, value_name = "SIZE", default_value = "64M")]
    pub solver_table: TableSize,
    /// Nodes after which the solver that checks gives up on a position
    #[arg(long, value_name = "N", default_value_t = 500_000_000)]
    pub solver_nodes: u64,
    /// Another sample
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// A decision that made the position worse.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Mistake {
    /// The moves before it.
    pub moves: Vec<String>,
    /// The move.
    pub played: String,
    /// What the position was worth: 1 won, 0 drawn, -1 lost.
    pub before: i8,
    /// What it is worth after the move, for the same side.
    pub after: i8,
}

/// What came of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// Decisions that were looked at.
    pub decisions: u64,
    /// Of these, from the book or by another rule.
    pub by_rule: u64,
    /// Of these, proved to be best.
    pub proved: u64,
    /// Of these, found by search only.
    pub searched: u64,
    /// Positions that were won, drawn and lost before the decision.
    pub worth: [u64; 3],
    /// Decisions that the solver could not judge.
    pub unknown: u64,
    /// The longest that a decision took, in microseconds.
    pub longest_microseconds: u64,
    /// The most nodes of a decision.
    pub most_nodes: u64,
    /// What was given away.
    pub mistakes: Vec<Mistake>,
}

/// The solver that checks, with what it found out already.
struct Referee<'a, 't> {
    table: Table<'t>,
    workspace: &'a mut engine::search::Workspace,
    limits: Limits,
    known: HashMap<u64, (Option<i8>, Option<Move>)>,
}

impl Referee<'_, '_> {
    /// What a position is worth for the side to move, if it can be told, and a move that keeps it.
    fn worth(&mut self, position: &mut Position) -> (Option<i8>, Option<Move>) {
        match position.outcome() {
            Some(Outcome::Draw) => return (Some(0), None),
            Some(Outcome::Win(_)) => return (Some(-1), None),
            None => {}
        }
        if let Some(&known) = self.known.get(&position.key()) {
            return known;
        }
        let Referee { table, workspace, limits, .. } = self;
        let goal = Goal::Outcome;
        let solution = solve(position, goal, limits, &NoClock, table, workspace, &mut |_| {});
        let worth = match solution.value {
            Some(Value::Win { .. }) => Some(1),
            Some(Value::Loss { .. }) => Some(-1),
            Some(Value::Draw) => Some(0),
            _ => None,
        };
        self.known.insert(position.key(), (worth, solution.best));
        (worth, solution.best)
    }
}

/// Whose decisions are looked at: the player here, or a board.
pub trait Decider {
    /// A new game begins.
    fn begin(&mut self, game: u64);

    /// Decides as in a game; with the microseconds that it took.
    ///
    /// # Errors
    /// There is no answer.
    fn decide(&mut self, position: &mut Position) -> Result<(Decision, u64), Failure>;
}

/// The player in this program.
struct Here {
    player: Tavola,
    memory: Memory,
    limit: MoveLimit,
}

impl Decider for Here {
    fn begin(&mut self, game: u64) {
        self.player = Tavola::new(MAX_LEVEL, game);
        self.memory.fresh();
        self.memory.keep_age(0);
    }

    fn decide(&mut self, position: &mut Position) -> Result<(Decision, u64), Failure> {
        let clock = WallClock::new();
        let limits = match self.limit {
            MoveLimit::Nodes(nodes) => Limits { nodes: Some(nodes), ..Limits::default() },
            MoveLimit::Time(span) | MoveLimit::Game(span) => {
                Limits { deadline_us: Some(clock.deadline_us(span.0)), ..Limits::default() }
            }
        };
        let (mut table, workspace) = self.memory.parts();
        let mut tools = Tools { limits, clock: &clock, table: &mut table, workspace };
        let decision = self.player.decide(position, &mut tools);
        let age = table.age();
        self.memory.keep_age(age);
        let decision = decision.ok_or_else(|| Failure::Input("no move".to_owned()))?;
        Ok((decision, clock.precise_us()))
    }
}

/// Runs the command.
///
/// # Errors
/// The game is not one that can be solved, or there is not enough memory.
pub fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Status, Failure> {
    let verdict = verify(arguments)?;
    if arguments.json {
        serde_json::to_writer(&mut *out, &verdict)?;
        writeln!(out)?;
    } else {
        let Verdict { decisions, by_rule, proved, searched, .. } = verdict;
        let [won, drawn, lost] = verdict.worth;
        let unknown = match verdict.unknown {
            0 => String::new(),
            unknown => format!(", {unknown} unknown"),
        };
        writeln!(out, "decisions     {decisions}: {won} won, {drawn} drawn, {lost} lost{unknown}")?;
        writeln!(out, "made by       book {by_rule}, proof {proved}, search {searched}")?;
        writeln!(
            out,
            "at most       {} us, {} nodes",
            verdict.longest_microseconds, verdict.most_nodes
        )?;
        writeln!(out, "given away    {}", verdict.mistakes.len())?;
        for mistake in &verdict.mistakes {
            let Mistake { moves, played, before, after } = mistake;
            writeln!(out, "  {} then {played}: {before} becomes {after}", moves.join(" "))?;
        }
    }
    Ok(if verdict.mistakes.is_empty() { Status::Done } else { Status::Incomplete })
}

/// Looks at decisions of `tavola` until there are enough.
///
/// # Errors
/// The game is not one that can be solved, or there is not enough memory.
pub fn verify(arguments: &Arguments) -> Result<Verdict, Failure> {
    let memory = Memory::new(arguments.table)?;
    let limit = arguments.limit.or_milliseconds(1_000);
    verify_with(arguments, &mut Here { player: Tavola::new(MAX_LEVEL, 0), memory, limit })
}

/// The same for the decisions of somebody else. The limits among the arguments are not looked at.
///
/// # Errors
/// As [`verify`], or somebody gave no answer.
pub fn verify_with(arguments: &Arguments, decider: &mut dyn Decider) -> Result<Verdict, Failure> {
    let empty = position::start(arguments.spec).map_err(Failure::Input)?;
    let is_small = match arguments.spec {
        GameSpec::Connect { .. } => empty.stacks().is_some(),
        GameSpec::Mnk { .. } => arguments.spec.cells() <= MAX_DEPTH,
        GameSpec::Bricks { .. } => false,
    };
    if !is_small {
        return Err(Failure::Input(format!(
            "{}: only connect and mnk boards of up to {MAX_DEPTH} cells can be checked",
            arguments.spec
        )));
    }
    // Otherwise there would never be a decision to look at.
    let last = arguments.plies.min(arguments.spec.cells() - 1);
    if let Some(least) = arguments.set_up.filter(|&least| least > last) {
        return Err(Failure::Input(format!("--set-up {least}: expected at most {last} stones")));
    }
    let mut solver_memory = Memory::new(arguments.solver_table)?;
    let (table, workspace) = solver_memory.fresh();
    let limits = Limits { nodes: Some(arguments.solver_nodes), ..Limits::default() };
    let mut referee = Referee { table, workspace, limits, known: HashMap::new() };
    let mut verdict = Verdict::default();
    let bar = GamesBar::counting(arguments.decisions, "decisions");
    for game in 0.. {
        let mut dice = Dice::new(derived(arguments.seed, &[game]));
        let mut position = empty.clone();
        let ours = (game % 2) as usize;
        // The opponent's best moves in six.
        let best_in_six = [0, 3, 5][(game / 2 % 3) as usize];
        let opening = arguments.opening.map(|most| dice.roll(most + 1));
        let stones = arguments.set_up.map(|least| least + dice.roll(last + 1 - least));
        decider.begin(game);
        while position.outcome().is_none() && position.ply() <= last {
            if verdict.decisions == arguments.decisions {
                return Ok(verdict);
            }
            let set_up = stones.is_some_and(|stones| position.ply() < stones);
            let mine = stones.is_some() || position.ply() % 2 == ours;
            let mv = if set_up {
                random_move(&position, &mut dice)
            } else if mine {
                let (decision, microseconds) = decider.decide(&mut position)?;
                verdict.longest_microseconds = verdict.longest_microseconds.max(microseconds);
                judge(decision, &mut position, &mut referee, &mut verdict);
                bar.advance();
                stones.is_none().then_some(decision.best)
            } else {
                let plays_best = match opening {
                    Some(at_random) => position.ply() / 2 >= at_random,
                    None => dice.roll(6) < best_in_six,
                };
                let best = if plays_best { referee.worth(&mut position).1 } else { None };
                best.or_else(|| random_move(&position, &mut dice))
            };
            let Some(mv) = mv.filter(|&mv| position.try_play(mv).is_ok()) else { break };
            bar.say(|| format!("game {game}, move {}", arguments.spec.show_move(mv)));
        }
    }
    Ok(verdict)
}

/// Any legal move.
fn random_move(position: &Position, dice: &mut Dice) -> Option<Move> {
    let moves =
        std::iter::successors(next_legal(position, 0), |mv| next_legal(position, mv.index() + 1));
    dice.pick(moves)
}

/// Compares a decision with what the position is worth.
fn judge(
    decision: Decision,
    position: &mut Position,
    referee: &mut Referee<'_, '_>,
    verdict: &mut Verdict,
) {
    let (before, _) = referee.worth(position);
    let moves = position::moves_of(position);
    position.make(decision.best);
    // What is lost cannot be given away.
    let after = match before {
        Some(-1) => Some(-1),
        _ => referee.worth(position).0.map(|worth| -worth),
    };
    position.unmake();
    verdict.decisions += 1;
    verdict.most_nodes = verdict.most_nodes.max(decision.nodes);
    match decision.why {
        Why::Rule => verdict.by_rule += 1,
        Why::Proved => verdict.proved += 1,
        Why::Heuristic | Why::Depth(_) => verdict.searched += 1,
    }
    let (Some(before), Some(after)) = (before, after) else {
        verdict.unknown += 1;
        return;
    };
    verdict.worth[(1 - before) as usize] += 1;
    if after < before {
        let played = position.spec().show_move(decision.best).to_string();
        verdict.mistakes.push(Mistake { moves, played, before, after });
    }
}
