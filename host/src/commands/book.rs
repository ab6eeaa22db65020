//! `tavola book`: makes the opening books that are built into the engine, of Connect Four here, of
//! small [mnk] boards and of five in a row on large ones ([gomoku]).
//!
//! For both sides, every position that can come up when we play by the book and the opponent plays
//! anything is solved, down to a number of own decisions; and the positions of our next decision are
//! tried, to keep those that take long. The work is cut into units: the first
//! decisions one by one, then each subtree below them, then what comes after each subtree. A unit
//! begins with an empty table, so what
//! comes out of it does not depend on where the work was interrupted, and units that are done are
//! noted down in a file, from which the command goes on.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use engine::game::any::Position;
use engine::game::{Game, Move, Side};
use engine::players::tavola::book::{
    COLS, FIRST_COLS, HEADER, MAX_BYTES, MAX_DECISIONS, NOTHING, entry, number, places, start,
};
use engine::score::Value;
use engine::search::report::{Goal, Limits, NoClock, Solution};
use engine::search::table::Table;
use engine::search::{Workspace, solve};
use engine::spec::GameSpec;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::failure::{Failure, Status};
use crate::memory::Memory;
use crate::output_file::{self, Overwrite};
use crate::table_size::TableSize;

pub mod gomoku;
pub mod mnk;

/// The game that the book is for.
const GAME: GameSpec = GameSpec::Connect { rows: 6, cols: COLS as u8, x: 4 };

/// Per side: each decision below this number is a unit of its own; then subtrees are.
const TRUNK: [usize; 2] = [1, 0];

/// From this ply on, a lost game is lost as late as can be found out with so many nodes.
const LATE_LOSS_PLY: usize = 8;
const LATE_LOSS_NODES: u64 = 200_000;

/// The table that hard positions are measured with: a board's.
const CHIP_TABLE: TableSize = TableSize::from_bytes(64 << 10).expect("a table");
/// From so many nodes on a position is hard, unless the arguments say otherwise.
const HARD_NODES: u64 = 5_000;
/// How the line of a unit of hard positions ends.
const HARD_END: char = ';';

const EXAMPLES: &str = "\
Examples:
  tavola book engine/src/players/tavola/connect_book.bin --force
  tavola book small.bin --first 3 --second 3 --hard 0
  tavola book --game mnk engine/src/players/tavola/mnk_book.bin --table 64M --force
  tavola book --game gomoku engine/src/players/tavola/gomoku.bin --table 64M --force

The book is the same on every machine and after every interruption if --table is the same.";

/// Whose book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Openings {
    /// Connect Four
    Connect,
    /// Small mnk boards
    Mnk,
    /// Five in a row on large boards
    Gomoku,
}

/// The arguments of `tavola book`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The file to write
    pub file: String,
    /// The game
    #[arg(long, value_enum, default_value_t = Openings::Connect)]
    pub game: Openings,
    /// Connect Four: decisions of the first player on a way through the book
    #[arg(long, value_name = "N", default_value_t = 7)]
    pub first: usize,
    /// Connect Four: decisions of the second player on a way through the book
    #[arg(long, value_name = "N", default_value_t = 6)]
    pub second: usize,
    /// Memory for the transposition table, in bytes: 64K, 16M
    #[arg(long, value_name = "SIZE", default_value = "16M")]
    pub table: TableSize,
    /// Keep the positions that take more nodes than this to solve with 64K of table; connect: those after
    /// the last decisions, 0 for none [default: connect 5000, mnk 10000]
    #[arg(long, value_name = "NODES")]
    pub hard: Option<u64>,
    /// mnk: the last ply of a position in the book
    #[arg(long, value_name = "PLY", default_value_t = 13)]
    pub plies: usize,
    /// mnk: nodes after which a position is given up
    #[arg(long, value_name = "NODES", default_value_t = 100_000_000)]
    pub most: u64,
    /// gomoku: nodes of the long search for an answer; games have a 400th to a 100th of it per move
    #[arg(long, value_name = "NODES", default_value_t = 8_000_000)]
    pub nodes: u64,
    /// mnk: only these boards, such as mnk:7x6x4 [default: those of the league but 7x7x5]
    #[arg(long = "board", value_name = "SPEC")]
    pub boards: Vec<GameSpec>,
    /// Where to note down what is done, to go on from there [default: FILE.part]
    #[arg(long, value_name = "FILE")]
    pub part: Option<String>,
    /// Overwrite the file if it is there
    #[arg(long)]
    pub force: bool,
}

/// A piece of work: the subtree of a place, down to a number of decisions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Unit {
    side: Side,
    /// The decision at its root, from 0.
    decision: usize,
    /// The place of its root.
    place: usize,
    /// How many decisions deep it is.
    depth: usize,
}

impl Unit {
    /// How a line of the file of what is done begins.
    fn name(&self) -> String {
        let side = if self.side == Side::First { "first" } else { "second" };
        format!("{side} {} {} {}", self.decision, self.place, self.depth)
    }

    /// The same for what comes after it, if more nodes than this are too many.
    fn name_of_hard(&self, nodes: u64) -> String {
        format!("hard {nodes} {}", self.name())
    }

    /// How many places it has.
    fn len(&self) -> usize {
        (0..self.depth as u32).map(|n| COLS.pow(n)).sum()
    }
}

/// All units of a book, in order.
fn units(decisions: [usize; 2]) -> Vec<Unit> {
    let mut units = Vec::new();
    for side in Side::BOTH {
        let (all, trunk) = (decisions[side.index()], TRUNK[side.index()]);
        for decision in 0..all.min(trunk + 1) {
            let depth = if decision == trunk { all - trunk } else { 1 };
            units.extend((0..places(side, decision)).map(|place| Unit {
                side,
                decision,
                place,
                depth,
            }));
        }
    }
    units
}

/// A book while it is made.
struct Draft {
    decisions: [usize; 2],
    /// A column, or [`NOTHING`], for every place.
    columns: Vec<u8>,
    /// The positions beyond, by number, with our columns.
    hard: BTreeMap<u64, u8>,
}

impl Draft {
    fn new(decisions: [usize; 2]) -> Draft {
        let all = start(Side::Second, decisions[1], decisions[0]);
        Draft { decisions, columns: vec![NOTHING; all], hard: BTreeMap::new() }
    }

    /// The number of a place among all.
    fn index(&self, side: Side, decision: usize, place: usize) -> usize {
        start(side, decision, self.decisions[0]) + place
    }

    /// Where the columns of a unit go, level by level.
    fn indices(&self, unit: Unit) -> Vec<usize> {
        (0..unit.depth)
            .flat_map(|n| {
                let width = COLS.pow(n as u32);
                let first = self.index(unit.side, unit.decision + n, unit.place * width);
                first..first + width
            })
            .collect()
    }

    /// The moves of a game that leads to a place; `None` if no game does.
    fn way(&self, side: Side, decision: usize, place: usize) -> Option<Vec<usize>> {
        let answered = decision + side.index();
        let mut theirs = Vec::new();
        let mut rest = place;
        for _ in 0..answered {
            theirs.push(rest % COLS);
            rest /= COLS;
        }
        theirs.reverse();
        let mut moves = Vec::new();
        let mut place = 0;
        for n in 0..=answered {
            // Our decision before the opponent's move n, if we have one there.
            if let Some(ours) = n.checked_sub(side.index()).filter(|&ours| ours < decision) {
                let column = self.columns[self.index(side, ours, place)];
                if column == NOTHING {
                    return None;
                }
                moves.push(usize::from(column));
            }
            if let Some(&column) = theirs.get(n) {
                moves.push(column);
                place = place * COLS + column;
            }
        }
        Some(moves)
    }

    /// The book as a file.
    fn bytes(&self) -> Vec<u8> {
        const BITS: usize = 3;
        let mut bytes = vec![self.decisions[0] as u8, self.decisions[1] as u8];
        bytes.resize(HEADER + (self.columns.len() * BITS).div_ceil(8), 0);
        for (n, column) in self.columns.iter().enumerate() {
            let bit = n * BITS;
            let [low, high] = (u16::from(*column) << (bit % 8)).to_le_bytes();
            bytes[HEADER + bit / 8] |= low;
            if high != 0 {
                bytes[HEADER + bit / 8 + 1] |= high;
            }
        }
        bytes.extend(self.hard.iter().flat_map(|(&number, &column)| entry(number, column)));
        bytes
    }
}

/// What was done.
#[derive(Clone, Copy, Debug, Default)]
struct Work {
    positions: u64,
    nodes: u64,
}

/// Runs the command.
///
/// # Errors
/// A file cannot be used, or there is not enough memory.
pub fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Status, Failure> {
    let decisions = [arguments.first, arguments.second];
    if decisions.iter().any(|&decisions| decisions > MAX_DECISIONS) {
        return Err(Failure::Input(format!("a side has at most {MAX_DECISIONS} decisions")));
    }
    let overwrite = if arguments.force { Overwrite::Forced } else { Overwrite::NotUnlessForced };
    let mut file = output_file::create(&arguments.file, overwrite)?;
    let part = arguments.part.clone().unwrap_or_else(|| format!("{}.part", arguments.file));
    let mut ledger = Ledger::open(part, &heading(arguments))?;
    let started = Instant::now();
    let mut work = Work::default();
    let (bytes, content) = match arguments.game {
        Openings::Connect => connect(arguments, decisions, &mut ledger, &mut work)?,
        Openings::Mnk => mnk::make(arguments, &mut ledger, &mut work)?,
        Openings::Gomoku => gomoku::make(arguments, &mut ledger, &mut work)?,
    };
    if bytes.len() > MAX_BYTES {
        return Err(Failure::Input(format!(
            "the book would have {} bytes, more than {MAX_BYTES}: take fewer decisions or a higher --hard",
            bytes.len()
        )));
    }
    file.set_len(0)
        .and_then(|()| file.write_all(&bytes))
        .map_err(|error| output_file::unwritable(&arguments.file, &error))?;
    writeln!(
        out,
        "{}: {} bytes, {content}; {} positions solved now, {} nodes, {} s",
        arguments.file,
        bytes.len(),
        work.positions,
        work.nodes,
        started.elapsed().as_secs()
    )?;
    Ok(Status::Done)
}

/// The book of Connect Four, and what it holds.
fn connect(
    arguments: &Arguments,
    decisions: [usize; 2],
    ledger: &mut Ledger,
    work: &mut Work,
) -> Result<(Vec<u8>, String), Failure> {
    let hard = arguments.hard.unwrap_or(HARD_NODES);
    let mut draft = Draft::new(decisions);
    let mut memory = Memory::new(arguments.table)?;
    let units = units(decisions);
    let afterwards: Vec<Unit> = units
        .iter()
        .copied()
        .filter(|_| hard > 0)
        .filter(|unit| unit.decision + unit.depth == decisions[unit.side.index()])
        .collect();
    let bar = bar((units.len() + afterwards.len()) as u64);
    for unit in units {
        let indices = draft.indices(unit);
        let columns = match ledger.done(&unit.name()).map(columns_of) {
            Some(columns) if columns.len() == unit.len() => columns,
            _ => {
                fill(&mut draft, unit, &mut memory, work, &bar);
                let columns: Vec<u8> = indices.iter().map(|&n| draft.columns[n]).collect();
                let digits: String =
                    columns.iter().map(|&column| char::from(b'0' + column)).collect();
                ledger.note(&unit.name(), &digits)?;
                columns
            }
        };
        for (&n, column) in indices.iter().zip(columns) {
            draft.columns[n] = column;
        }
        bar.inc(1);
    }
    let mut chip_memory = Memory::new(CHIP_TABLE)?;
    for unit in afterwards {
        let name = unit.name_of_hard(hard);
        let found = match ledger.pairs(&name) {
            Some(found) => found,
            None => {
                let memories = [&mut memory, &mut chip_memory];
                let found = find_hard(&draft, unit, hard, memories, work, &bar);
                ledger.note_pairs(&name, &found)?;
                found
            }
        };
        draft.hard.extend(found);
        bar.inc(1);
    }
    bar.finish_and_clear();
    let decided = draft.columns.iter().filter(|&&column| column != NOTHING).count();
    let content = format!("{decided} decisions, {} hard positions", draft.hard.len());
    Ok((draft.bytes(), content))
}

/// Solves all places of a unit, from its root on.
fn fill(draft: &mut Draft, unit: Unit, memory: &mut Memory, work: &mut Work, bar: &ProgressBar) {
    let (mut table, workspace) = memory.fresh();
    let mut answers: HashMap<u64, u8> = HashMap::new();
    for n in 0..unit.depth {
        let decision = unit.decision + n;
        let width = COLS.pow(n as u32);
        for place in unit.place * width..(unit.place + 1) * width {
            let Some(mut position) = draft
                .way(unit.side, decision, place)
                .and_then(|moves| after(&moves))
                .filter(|position| position.outcome().is_none())
            else {
                continue;
            };
            let column = *answers.entry(position.key()).or_insert_with(|| {
                work.positions += 1;
                decide(&mut position, &mut table, workspace, &mut work.nodes)
            });
            if !bar.is_hidden() {
                bar.set_message(format!(
                    "{}: decision {decision}, {} positions, {} nodes",
                    unit.name(),
                    work.positions,
                    work.nodes
                ));
            }
            let index = draft.index(unit.side, decision, place);
            draft.columns[index] = column;
        }
    }
}

/// The positions of our next decision after a unit that take more than so many nodes to solve in the
/// chip's memory, with our moves: numbers and columns as in the book.
fn find_hard(
    draft: &Draft,
    unit: Unit,
    most_nodes: u64,
    [memory, chip_memory]: [&mut Memory; 2],
    work: &mut Work,
    bar: &ProgressBar,
) -> Vec<(u64, u8)> {
    let mut found = Vec::new();
    let mut met = HashSet::new();
    let last = unit.depth.saturating_sub(1);
    let width = COLS.pow(last as u32);
    for place in unit.place * width..(unit.place + 1) * width {
        let Some(before) = draft.way(unit.side, unit.decision + last, place) else { continue };
        let ours = draft.columns[draft.index(unit.side, unit.decision + last, place)];
        for theirs in (0..COLS).filter(|_| ours != NOTHING) {
            let moves: Vec<usize> = before.iter().copied().chain([ours.into(), theirs]).collect();
            let Some(mut position) = after(&moves).filter(|position| position.outcome().is_none())
            else {
                continue;
            };
            let Some((number, is_mirrored)) = position.stacks().map(|stacks| number(&stacks))
            else {
                continue;
            };
            if !met.insert(number) {
                continue;
            }
            let (mut table, workspace) = chip_memory.fresh();
            let limits = Limits { nodes: Some(most_nodes), ..Limits::default() };
            let goal = Goal::Outcome;
            let tried =
                solve(&mut position, goal, &limits, &NoClock, &mut table, workspace, &mut |_| {});
            work.positions += 1;
            work.nodes += tried.nodes;
            if tried.value.is_none() {
                let (mut table, workspace) = memory.fresh();
                let column = decide(&mut position, &mut table, workspace, &mut work.nodes);
                let mirrored = (COLS - 1) as u8 - column;
                found.push((number, if is_mirrored { mirrored } else { column }));
            }
        }
        if !bar.is_hidden() {
            bar.set_message(format!(
                "after {}: {} hard of {} positions",
                unit.name(),
                found.len(),
                met.len()
            ));
        }
    }
    found
}

/// The position after these moves, if they are legal.
fn after(moves: &[usize]) -> Option<Position> {
    let mut position = Position::new(GAME).ok()?;
    for &column in moves {
        position.try_play(Move::new(column)).ok()?;
    }
    Some(position)
}

/// The best move: it keeps the outcome, and of a lost game it makes a long one if that can be had for
/// a fair price.
fn decide(
    position: &mut Position,
    table: &mut Table<'_>,
    workspace: &mut Workspace,
    nodes: &mut u64,
) -> u8 {
    let mut ask = |position: &mut Position, goal: Goal, most: Option<u64>| -> Solution {
        let limits = Limits { nodes: most, ..Limits::default() };
        let solution = solve(position, goal, &limits, &NoClock, table, workspace, &mut |_| {});
        *nodes += solution.nodes;
        solution
    };
    let outcome = ask(position, Goal::Outcome, None);
    let lost = matches!(outcome.value, Some(Value::Loss { .. }));
    let late = (lost && position.ply() >= LATE_LOSS_PLY)
        .then(|| ask(position, Goal::Exact, Some(LATE_LOSS_NODES)));
    late.and_then(|late| late.best).or(outcome.best).map_or(NOTHING, |best| best.index() as u8)
}

/// The first line of the file of what is done.
fn heading(arguments: &Arguments) -> String {
    let game = match arguments.game {
        Openings::Connect => "",
        Openings::Mnk => " mnk",
        Openings::Gomoku => " gomoku",
    };
    format!("tavola book{game} {} table {}", env!("CARGO_PKG_VERSION"), arguments.table)
}

/// The file of what is done, from which the work goes on: a line for each unit, its name and what came
/// out of it.
struct Ledger {
    part: String,
    file: File,
    done: HashMap<String, String>,
}

impl Ledger {
    /// Reads the file, if it is there, and goes on with it.
    fn open(part: String, heading: &str) -> Result<Ledger, Failure> {
        let done = read_part(&part, heading)?;
        let mut file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&part)
            .map_err(|error| output_file::unwritable(&part, &error))?;
        // If the last line was cut short, it is ended here.
        let begin = if done.is_empty() { heading } else { "" };
        writeln!(file, "{begin}").map_err(|error| output_file::unwritable(&part, &error))?;
        Ok(Ledger { part, file, done })
    }

    /// What came out of a unit that is done.
    fn done(&self, name: &str) -> Option<&str> {
        self.done.get(name).map(String::as_str)
    }

    fn note(&mut self, name: &str, text: &str) -> Result<(), Failure> {
        writeln!(self.file, "{name} {text}")
            .map_err(|error| output_file::unwritable(&self.part, &error))
    }

    /// Positions and our moves that came out of a unit that is done; `None` if its line was cut short.
    fn pairs(&self, name: &str) -> Option<Vec<(u64, u8)>> {
        let list = self.done(name)?.strip_suffix(HARD_END)?;
        let of = |text: &str| -> Option<(u64, u8)> {
            let (number, mv) = text.split_once(':')?;
            Some((number.parse().ok()?, mv.parse().ok()?))
        };
        list.split(',').filter(|text| !text.is_empty()).map(of).collect()
    }

    fn note_pairs(&mut self, name: &str, found: &[(u64, u8)]) -> Result<(), Failure> {
        let texts: Vec<String> =
            found.iter().map(|(number, mv)| format!("{number}:{mv}")).collect();
        self.note(name, &format!("{}{HARD_END}", texts.join(",")))
    }
}

/// The units that are done, by name.
fn read_part(part: &str, heading: &str) -> Result<HashMap<String, String>, Failure> {
    let text = match std::fs::read_to_string(part) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(HashMap::new()),
        Err(error) => return Err(Failure::Input(format!("cannot read `{part}`: {error}"))),
    };
    let mut lines = text.lines();
    if lines.next() != Some(heading) {
        return Err(Failure::Input(format!(
            "`{part}` was begun by another version or with another --table: remove it first"
        )));
    }
    Ok(lines
        .filter_map(|line| line.rsplit_once(' '))
        .map(|(name, digits)| (name.to_owned(), digits.to_owned()))
        .collect())
}

/// The columns of a unit from its line. One that was cut short has too few and is done again.
fn columns_of(digits: &str) -> Vec<u8> {
    digits.bytes().filter(u8::is_ascii_digit).map(|digit| digit - b'0').collect()
}

/// The bar on the terminal: units done and to come.
fn bar(units: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(units), ProgressDrawTarget::stderr());
    if let Ok(style) =
        ProgressStyle::with_template("{bar:24} {pos}/{len} units, {elapsed} gone  {wide_msg}")
    {
        bar.set_style(style);
    }
    if !bar.is_hidden() {
        bar.enable_steady_tick(Duration::from_secs(1));
    }
    bar
}

const _: () = assert!(FIRST_COLS == 4);

#[cfg(test)]
mod tests {
    use super::*;
    use engine::players::tavola::book::Book;

    #[test]
    fn units_cover_every_place_once() {
        for decisions in [[3, 3], [1, 0], [0, 2], [2, 1]] {
            let draft = Draft::new(decisions);
            let mut met = vec![0; draft.columns.len()];
            for unit in units(decisions) {
                let indices = draft.indices(unit);
                assert_eq!(indices.len(), unit.len());
                indices.into_iter().for_each(|n| met[n] += 1);
            }
            assert!(met.iter().all(|&times| times == 1), "{decisions:?}");
        }
    }

    #[test]
    fn what_is_written_is_what_is_looked_up() {
        let mut draft = Draft::new([3, 3]);
        for (n, column) in draft.columns.iter_mut().enumerate() {
            *column = ((n * 5 + n / 7) % COLS) as u8;
        }
        let bytes = draft.bytes();
        let book = Book::new(&bytes).expect("a book");
        for side in Side::BOTH {
            for decision in 0..3 {
                for place in 0..places(side, decision) {
                    let way = draft.way(side, decision, place);
                    let Some(position) = way.and_then(|moves| after(&moves)) else { continue };
                    let stacks = position.stacks().expect("a small board");
                    let found = book.look_up(&stacks);
                    // Another order of moves may lead here too, with another move in this book.
                    assert!(found.is_some(), "{side:?} {decision} {place}");
                }
            }
        }
    }
}
