//! `tavola bench`: a fixed set of positions at a fixed number of nodes.
//!
//! It says how fast the search is on this machine, and by its signature whether the search still
//! does the same: node counts, best moves, scores and depths go into it and time does not. A
//! change that was meant to change nothing must leave the signature alone.

use std::io::Write;
use std::time::Instant;

use clap::Args;
use engine::game::Move;
use engine::game::any::Position;
use engine::score::Score;
use engine::search::Options;
use engine::search::report::{Limits, NoClock, Report};
use engine::spec::GameSpec;
use serde::Serialize;

use super::solve::answer::per_second;
use crate::clock::saturating_micros;
use crate::failure::{Failure, Status};
use crate::games_bar::GamesBar;
use crate::memory::Memory;
use crate::position;
use crate::table_size::TableSize;

/// Nodes searched per position.
pub const NODES_PER_POSITION: u64 = 20_000;

/// The positions: game, and moves played before.
pub const POSITIONS: [(&str, &str); 12] = [
    ("mnk:3x3x3", ""),
    ("mnk:7x7x4", "3,2 1,5 5,5 1,2 1,3 5,2 4,5 3,5 2,4 2,1"),
    ("mnk:15x15x5", "6,7 6,6 7,6 8,5 7,7 7,5 5,7 8,7 5,8 8,6 8,4 6,4 5,3 5,5"),
    ("mnk:70x70x10", "35,35 34,34 36,35 37,35 35,36 34,35 36,36 33,34 36,34 36,37 37,36 35,33"),
    ("connect:6x7x4", ""),
    ("connect:6x7x4", "3 3 3 3 3 2 2 4 1 1 5 1"),
    ("connect:20x20x10", "10 9 10 10 11 9 9 11 12 8 8 12 11 10 9 7"),
    ("connect:100x100x30", "50 49 51 50 48 52 50 51 49 47 53 48"),
    ("bricks:4", ""),
    ("bricks:8", "3,3,h 4,4,v 2,3,v 5,4,v 2,2,h 3,5,v"),
    ("bricks:11", "5,5,h 4,4,v 5,4,h 3,5,v 7,5,v 4,6,h 6,6,v 3,7,h"),
    ("bricks:20", "9,9,h 10,10,v 9,8,h 11,10,v 8,9,v 10,12,h"),
];

/// Boards whose cost per node is compared by `--sizes`.
pub const SIZES: [&str; 3] = ["mnk:10x10x5", "mnk:30x30x5", "mnk:70x70x10"];
/// Stones played before on these boards, seen from the middle cell: x and y.
const CLUSTER: [(isize, isize); 8] =
    [(0, 0), (1, 0), (2, 1), (0, 1), (-1, 3), (-1, -1), (1, -2), (1, 2)];
const NODES_PER_SIZE: u64 = 50_000;
const SIZE_RUNS: usize = 5;

const EXAMPLES: &str = "\
Examples:
  tavola bench
  tavola bench --sizes
  tavola bench --table 1M --json

The signature depends on the table's size: compare like with like.";

/// The arguments of `tavola bench`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// Memory for the transposition table, in bytes: 512, 64K, 1M
    #[arg(long, value_name = "SIZE", default_value = "64K")]
    pub table: TableSize,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Compare the cost of a node on boards of different sizes instead
    #[arg(long)]
    pub sizes: bool,
}

/// What the search found in one position.
#[derive(Clone, Debug, Serialize)]
pub struct PositionResult {
    /// The game.
    pub spec: &'static str,
    /// The moves played before.
    pub moves: &'static str,
    /// Nodes visited.
    pub nodes: u64,
    /// The last iteration that was completed.
    pub depth: u32,
    /// The best move, as text.
    pub best: String,
    /// The score for the side to move.
    pub score: Score,
    /// Time spent.
    pub microseconds: u64,
    /// Speed.
    pub nodes_per_second: u64,
}

/// What came of a run over all positions.
#[derive(Clone, Debug, Serialize)]
pub struct BenchReport {
    /// One result per position, in order.
    pub positions: Vec<PositionResult>,
    /// Nodes visited in all.
    pub nodes: u64,
    /// Time spent in all.
    pub microseconds: u64,
    /// Speed.
    pub nodes_per_second: u64,
    /// The table's size.
    pub table_bytes: usize,
    /// Eight hexadecimal digits that change whenever the search behaves differently.
    pub signature: String,
}

/// Searches a position with an empty table; the report and the microseconds it took. `None` if
/// the game is over.
fn search_afresh(
    position: &mut Position,
    nodes: u64,
    memory: &mut Memory,
) -> Option<(Report, u64)> {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let (mut table, workspace) = memory.fresh();
    let start = Instant::now();
    let report = engine::search::search(
        position,
        &limits,
        &Options::default(),
        &NoClock,
        &mut table,
        workspace,
    )?;
    Some((report, saturating_micros(start.elapsed())))
}

/// Searches all [`POSITIONS`], each with an empty table of this size.
///
/// # Errors
/// There is not enough memory for the table.
pub fn measure(table_size: TableSize) -> Result<BenchReport, Failure> {
    let mut memory = Memory::new(table_size)?;
    let mut hash = Fnv1a::new();
    let mut positions = Vec::new();
    let bar = GamesBar::counting(POSITIONS.len() as u64, "positions");
    for (spec_text, moves) in POSITIONS {
        bar.say(|| spec_text.into());
        let input = |error: String| Failure::Input(format!("{spec_text}: {error}"));
        let spec: GameSpec = spec_text.parse().map_err(|error| input(format!("{error}")))?;
        let mut position = position::after_moves(spec, moves).map_err(input)?;
        let (report, microseconds) = search_afresh(&mut position, NODES_PER_POSITION, &mut memory)
            .ok_or_else(|| input("the game is over".into()))?;
        let best: Move = report.best;
        hash.add(report.nodes);
        hash.add(best.index() as u64);
        hash.add(i64::from(report.score).cast_unsigned());
        hash.add(u64::from(report.depth));
        positions.push(PositionResult {
            spec: spec_text,
            moves,
            nodes: report.nodes,
            depth: report.depth,
            best: spec.show_move(best).to_string(),
            score: report.score,
            microseconds,
            nodes_per_second: per_second(report.nodes, microseconds),
        });
        bar.advance();
    }
    let nodes = positions.iter().map(|result| result.nodes).sum();
    let microseconds = positions.iter().map(|result| result.microseconds).sum();
    Ok(BenchReport {
        positions,
        nodes,
        microseconds,
        nodes_per_second: per_second(nodes, microseconds),
        table_bytes: table_size.bytes(),
        signature: format!("{:08x}", hash.folded()),
    })
}

/// What a node costs on a board of some size.
#[derive(Clone, Debug, Serialize)]
pub struct SizeResult {
    /// The game.
    pub spec: &'static str,
    /// Nodes visited.
    pub nodes: u64,
    /// The least time of several runs.
    pub microseconds: u64,
    /// Time per node.
    pub nanoseconds_per_node: u64,
    /// Time per node relative to the first board, in percent.
    pub percent_of_first: u64,
}

/// Searches the same stones in the middle of the boards of [`SIZES`].
///
/// # Errors
/// There is not enough memory for the table.
pub fn measure_sizes(table_size: TableSize) -> Result<Vec<SizeResult>, Failure> {
    let mut memory = Memory::new(table_size)?;
    let mut results: Vec<SizeResult> = Vec::new();
    let mut first_per_node = None;
    let bar = GamesBar::counting((SIZES.len() * SIZE_RUNS) as u64, "runs");
    for spec_text in SIZES {
        bar.say(|| spec_text.into());
        let spec: GameSpec =
            spec_text.parse().map_err(|error| Failure::Input(format!("{spec_text}: {error}")))?;
        let (middle_x, middle_y) = (spec.cols() as isize / 2, spec.rows() as isize / 2);
        let moves: Vec<String> =
            CLUSTER.iter().map(|(x, y)| format!("{},{}", middle_x + x, middle_y + y)).collect();
        let mut position = position::after_moves(spec, &moves.join(" ")).map_err(Failure::Input)?;
        let mut best: Option<(u64, u64)> = None;
        for _ in 0..SIZE_RUNS {
            if let Some((report, microseconds)) =
                search_afresh(&mut position, NODES_PER_SIZE, &mut memory)
            {
                let run = (microseconds.max(1), report.nodes);
                best = Some(best.map_or(run, |least| least.min(run)));
            }
            bar.advance();
        }
        let (microseconds, nodes) = best.unwrap_or((1, 0));
        let per_node = microseconds * 1_000 / nodes.max(1);
        let first = *first_per_node.get_or_insert(per_node.max(1));
        results.push(SizeResult {
            spec: spec_text,
            nodes,
            microseconds,
            nanoseconds_per_node: per_node,
            percent_of_first: per_node * 100 / first,
        });
    }
    Ok(results)
}

/// Runs the command.
///
/// # Errors
/// There is not enough memory for the table, or the output cannot be written.
pub fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Status, Failure> {
    if arguments.sizes {
        let results = measure_sizes(arguments.table)?;
        if arguments.json {
            serde_json::to_writer(&mut *out, &results)?;
            writeln!(out)?;
            return Ok(Status::Done);
        }
        writeln!(out, "{:<14} {:>8} {:>8} {:>9}", "board", "nodes", "ns/node", "relative")?;
        for result in results {
            writeln!(
                out,
                "{:<14} {:>8} {:>8} {:>7} %",
                result.spec, result.nodes, result.nanoseconds_per_node, result.percent_of_first
            )?;
        }
        return Ok(Status::Done);
    }
    let report = measure(arguments.table)?;
    if arguments.json {
        serde_json::to_writer(&mut *out, &report)?;
        writeln!(out)?;
        return Ok(Status::Done);
    }
    writeln!(
        out,
        "{:<18} {:>5} {:>8} {:>5} {:>8} {:>8} {:>10}",
        "position", "moves", "nodes", "depth", "best", "score", "nodes/s"
    )?;
    for result in &report.positions {
        writeln!(
            out,
            "{:<18} {:>5} {:>8} {:>5} {:>8} {:>8} {:>10}",
            result.spec,
            result.moves.split_whitespace().count(),
            result.nodes,
            result.depth,
            result.best,
            result.score,
            result.nodes_per_second
        )?;
    }
    writeln!(
        out,
        "total {} nodes in {} ms, {} nodes/s, table {} bytes",
        report.nodes,
        report.microseconds / 1_000,
        report.nodes_per_second,
        report.table_bytes
    )?;
    writeln!(out, "signature {}", report.signature)?;
    Ok(Status::Done)
}

/// The 64-bit hash FNV-1a (Fowler, Noll, Vo), fed with numbers, lowest byte first.
struct Fnv1a(u64);

impl Fnv1a {
    const fn new() -> Fnv1a {
        Fnv1a(0xCBF2_9CE4_8422_2325)
    }

    fn add(&mut self, number: u64) {
        self.add_bytes(&number.to_le_bytes());
    }

    fn add_bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
        }
    }

    /// Both halves in one.
    const fn folded(&self) -> u32 {
        (self.0 ^ (self.0 >> 32)) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::game::{Game, Tactics};

    #[test]
    fn every_position_is_legal_and_undecided() {
        for (spec, moves) in POSITIONS {
            let spec: GameSpec = spec.parse().expect(spec);
            let position = position::after_moves(spec, moves)
                .unwrap_or_else(|error| panic!("{spec} {moves}: {error}"));
            assert!(position.outcome().is_none(), "{spec} {moves}");
            assert!(!matches!(position.tactics(), Tactics::Win(_) | Tactics::Lost(_)));
        }
    }

    #[test]
    fn the_hash_is_fnv_1a() {
        let mut hash = Fnv1a::new();
        hash.add_bytes(b"foobar");
        assert_eq!(hash.0, 0x8594_4171_F739_67E8);
        assert_eq!(hash.folded(), 0x8594_4171 ^ 0xF739_67E8);
    }
}
