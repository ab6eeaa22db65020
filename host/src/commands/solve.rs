//! `tavola solve`: who wins, when, and how. One position, or a file of them.
//!
//! The answer is the engine's proof and not a guess; when a limit ends the work first, the command
//! says what is known so far and ends with exit code 1.

pub mod answer;
pub mod batch;
pub mod progress;
pub mod sample;

use std::io::Write;
use std::time::Duration;

use clap::Args;
use clap::builder::PossibleValuesParser;
use engine::game::any::Position;
use engine::game::mnk::small::{MnkSmall, parts as mnk_parts};
use engine::game::{Game, Move};
use engine::search::connect::parts;
use engine::search::report::{Goal, LINE_CAPACITY, Limits, NoClock, Solution};
use engine::search::table::Table;
use engine::search::{Workspace, solve, solve_without};
use engine::spec::GameSpec;

use self::answer::{Answer, Record};
use self::progress::ProgressLine;
use crate::clock::WallClock;
use crate::failure::{Failure, Status};
use crate::input;
use crate::memory::Memory;
use crate::position;
use crate::table_size::TableSize;
use crate::time_span::TimeSpan;

const EXAMPLES: &str = "\
Examples:
  tavola solve mnk:3x3x3
  tavola solve mnk:4x4x3 --moves \"1,1 0,0\"
  tavola solve connect:6x7x4 --columns 4453 --table 1M --time 10s
  tavola solve bricks:4 --outcome-only --json
  tavola solve connect:6x7x4 --batch positions.txt
  tavola solve connect:6x7x4 --sample 1000 --outcome-only
  tavola solve connect:6x7x4 --sample 200 --without history
  tavola solve mnk:6x4x4 --outcome-only --without mnk-pairing

A line of a batch: moves separated by blanks; for connect boards column digits from 1, and after a
blank, if it is known, the score that the answer is checked against (0 draw; n: the side to move
wins with its n-th stone from the last, -n: the opponent does). Empty lines and lines that start
with # are skipped.

JSON: `outcome` is \"first\", \"second\", \"draw\" or null (not solved); `plies` is the distance to
the end of a win or loss; `margin`, for bricks, is the first player's points less the second's.";

/// The arguments of `tavola solve`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The game: mnk:ROWSxCOLSxK, connect:ROWSxCOLSxX or bricks:N
    pub spec: GameSpec,
    /// Moves played before, separated by blanks and counted from 0: "3,3 2,2"
    #[arg(long, value_name = "MOVES", conflicts_with_all = ["columns", "batch"])]
    pub moves: Option<String>,
    /// Moves played before on a connect board, as digits counted from 1: 4453
    #[arg(long, value_name = "DIGITS", conflicts_with = "batch")]
    pub columns: Option<String>,
    /// Memory for the transposition table, in bytes: 512, 64K, 1M
    #[arg(long, value_name = "SIZE", default_value = "64K")]
    pub table: TableSize,
    /// The most time to spend (in a batch: per line): 500ms, 10s, 2m
    #[arg(long, value_name = "SPAN")]
    pub time: Option<TimeSpan>,
    /// The most nodes to visit (in a batch: per line)
    #[arg(long, value_name = "N")]
    pub nodes: Option<u64>,
    /// Find out only who wins, not when or by how much: quicker
    #[arg(long)]
    pub outcome_only: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Solve one position per line of this file; - is the standard input
    #[arg(long, value_name = "FILE")]
    pub batch: Option<String>,
    /// Solve this many random positions of a connect board, with 14 to 28 stones and 14 to 28 plies
    /// to go under best play
    #[arg(long, value_name = "N", conflicts_with_all = ["batch", "moves", "columns"])]
    pub sample: Option<usize>,
    /// Another sample
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Leave out a part of the solver of small connect or mnk boards, to see what it is worth
    #[arg(long, value_name = "PART", value_parser = PossibleValuesParser::new(PART_NAMES))]
    pub without: Option<String>,
}

/// How many parts can be left out.
const PARTS: usize = parts::ALL.len() + mnk_parts::ALL.len();

/// The names of the parts that can be left out: first those of connect boards.
const PART_NAMES: [&str; PARTS] = {
    let mut names = [""; PARTS];
    let mut n = 0;
    while n < PARTS {
        names[n] = match n.checked_sub(parts::ALL.len()) {
            None => parts::ALL[n].0,
            Some(n) => mnk_parts::ALL[n].0,
        };
        n += 1;
    }
    names
};

/// The value of a part with this name, 0 if it is another game's.
fn part_in<T: Copy + Default>(all: &[(&str, T)], name: Option<&str>) -> T {
    let found = all.iter().find(|(part, _)| Some(*part) == name);
    found.map_or(T::default(), |(_, part)| *part)
}

/// Runs the command.
///
/// # Errors
/// The position or file cannot be used, or the output cannot be written.
pub fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Status, Failure> {
    let goal = if arguments.outcome_only { Goal::Outcome } else { Goal::Exact };
    let mut solver = Solver {
        memory: Memory::new(arguments.table)?,
        table_size: arguments.table,
        goal,
        time: arguments.time.map(|span| span.0),
        nodes: arguments.nodes,
        left_out: part_in(&parts::ALL, arguments.without.as_deref()),
        left_out_of_mnk: part_in(&mnk_parts::ALL, arguments.without.as_deref()),
    };
    if let Some(count) = arguments.sample {
        let text = sample::batch(arguments.spec, count, arguments.seed)?;
        return batch::run(arguments.spec, &mut text.as_bytes(), &mut solver, arguments.json, out);
    }
    if let Some(file) = &arguments.batch {
        position::start(arguments.spec).map_err(Failure::Input)?;
        let mut input = input::open(file)?;
        return batch::run(arguments.spec, &mut input, &mut solver, arguments.json, out);
    }
    let mut position = match (&arguments.moves, &arguments.columns) {
        (Some(moves), _) => position::after_moves(arguments.spec, moves),
        (None, Some(columns)) => position::after_columns(arguments.spec, columns),
        (None, None) => position::start(arguments.spec),
    }
    .map_err(Failure::Input)?;

    let progress = ProgressLine::new();
    let mut answer = solver.solve(&mut position, &progress);
    progress.finish();
    if answer.verdict.is_some() && goal == Goal::Exact {
        answer.line = solver.follow(&mut position, &answer);
    }
    if arguments.json {
        serde_json::to_writer(&mut *out, &Record::new(&answer))?;
        writeln!(out)?;
    } else {
        write!(out, "{answer}")?;
    }
    Ok(if answer.verdict.is_some() { Status::Done } else { Status::Incomplete })
}

/// However quick the answer was, following its line may take this many nodes per move.
const FREE_NODES: u64 = 100_000;

/// The engine's solver with its memory and limits, for one position after the other.
pub struct Solver {
    /// The table and the workspace.
    pub memory: Memory,
    /// The size of the table.
    pub table_size: TableSize,
    /// How much to find out.
    pub goal: Goal,
    /// The most time for a position.
    pub time: Option<Duration>,
    /// The most nodes for a position.
    pub nodes: Option<u64>,
    /// The part of the connect solver that is left out: one of [`parts`], or 0.
    pub left_out: u32,
    /// The same of the solver of small mnk boards.
    pub left_out_of_mnk: u8,
}

/// A small mnk board with a part of its solver left out. `None` if none is, or it is another game.
fn board_without(left_out: u8, position: &Position) -> Option<MnkSmall> {
    let GameSpec::Mnk { rows, cols, k, exact } = position.spec() else { return None };
    let mut board = MnkSmall::new(rows, cols, k, exact).ok().filter(|_| left_out != 0)?;
    board.leave_out(left_out);
    (0..position.ply()).filter_map(|n| position.played(n)).for_each(|mv| board.make(mv));
    Some(board)
}

/// Solves without a part of the solver. `None` if none is left out or the game has no such solver.
fn solve_partly(
    left_out: u32,
    position: &Position,
    goal: Goal,
    limits: &Limits,
    clock: &WallClock<'_>,
    table: &mut Table<'_>,
    workspace: &mut Workspace,
) -> Option<Solution> {
    macro_rules! without {
        ($($part:ident),*) => {
            match left_out {
                $(parts::$part => solve_without::<{ parts::$part }, _, _>(
                    position, goal, limits, clock, table, workspace,
                ),)*
                _ => None,
            }
        };
    }
    without!(
        FOLLOW_UP,
        ODD_THREATS,
        REACH,
        PAIRS,
        DEAD_LINES,
        TABLE_AT_CHILDREN,
        THREAT_ORDER,
        HISTORY,
        MIRROR,
        GLANCE,
        SPARE,
        LINE_ORDER,
        ONLY_MOVES
    )
}

impl Solver {
    /// Solves a position with a fresh table. The position is left as it was.
    pub fn solve(&mut self, position: &mut Position, progress: &ProgressLine) -> Answer {
        if position.outcome().is_some() {
            return Answer::of_finished_game(position, self.table_size);
        }
        let (spec, ply) = (position.spec(), position.ply());
        let (mut table, workspace) = self.memory.fresh();
        let clock = WallClock::new();
        let limits = Limits {
            deadline_us: self.time.map(|span| clock.deadline_us(span)),
            nodes: self.nodes,
            depth: None,
        };
        let start_us = clock.precise_us();
        let partly = solve_partly(
            self.left_out,
            position,
            self.goal,
            &limits,
            &clock,
            &mut table,
            workspace,
        );
        let tick = &mut |now: &_| progress.update(spec, ply, now, clock.precise_us() - start_us);
        let (goal, limits) = (self.goal, &limits);
        let solution = match (partly, board_without(self.left_out_of_mnk, position)) {
            (Some(solution), _) => solution,
            (None, Some(mut board)) => {
                solve(&mut board, goal, limits, &clock, &mut table, workspace, tick)
            }
            (None, None) => solve(position, goal, limits, &clock, &mut table, workspace, tick),
        };
        let microseconds = clock.precise_us() - start_us;
        let age = table.age();
        self.memory.keep_age(age);
        Answer::of_solution(position, &solution, self.goal, microseconds, self.table_size)
    }

    /// The course of the game from a solved position on, best moves only: each further position
    /// is solved with what the table still holds. It ends early where that would take longer than
    /// the answer did. The position is left as it was.
    pub fn follow(&mut self, position: &mut Position, answer: &Answer) -> Vec<Move> {
        let limits = Limits { nodes: Some(answer.nodes.max(FREE_NODES)), ..Limits::default() };
        let (mut table, workspace) = self.memory.parts();
        let mut line = Vec::new();
        let mut next = answer.best;
        while let Some(mv) = next.filter(|_| line.len() < LINE_CAPACITY) {
            if position.try_play(mv).is_err() {
                break;
            }
            line.push(mv);
            let clock = NoClock;
            let solution =
                solve(position, Goal::Exact, &limits, &clock, &mut table, workspace, &mut |_| {});
            next = solution.best.filter(|_| solution.value.is_some());
        }
        for _ in &line {
            position.unmake();
        }
        line
    }
}
