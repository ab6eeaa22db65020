//! The opening book of small mnk boards: the positions that can come up when we play by the book and that
//! take more nodes to decide than a player may have.
//!
//! Beginning with the empty board and with every first move, positions of our own decisions are tried. One
//! that is solved quickly needs no entry, and nothing after it does: its proof holds the answers to what
//! comes next. One that is hard gets an entry, and the positions after it and each reply are tried in turn;
//! that is a unit of work. Lost positions get an entry only if they are first decisions, so that what an
//! opponent who errs may lead to afterwards is known too.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::iter::successors;

use engine::game::mnk::small::MnkSmall;
use engine::game::{Game, Move};
use engine::players::next_legal;
use engine::players::tavola::mnk_book::{MAX_STONES, Stones, entry, turned};
use engine::score::Value;
use engine::search::report::{Goal, Limits, NoClock, Solution};
use engine::search::{MAX_DEPTH, solve};
use engine::spec::GameSpec;
use indicatif::ProgressBar;

use super::{Arguments, CHIP_TABLE, Ledger, Work, bar};
use crate::commands::league::boards::{Choice, League};
use crate::failure::Failure;
use crate::memory::Memory;

/// From so many nodes on a position is hard, unless the arguments say otherwise.
const HARD_NODES: u64 = 10_000;
/// The last ply at which a lost position gets an entry.
const LAST_LOST_PLY: usize = 1;
/// Nodes to look for the move that loses latest.
const LATE_LOSS_NODES: u64 = 200_000;

/// The board of the league whose hard positions take hours: it has no entries unless it is asked for.
const TOO_LONG: GameSpec = GameSpec::Mnk { rows: 7, cols: 7, k: 5, exact: false };
/// In the file of what is done: no move, since the position could not be solved.
const GIVEN_UP: u8 = u8::MAX;

/// The hard positions of a board: stones as the book lists them, our move there.
type Entries = BTreeMap<Stones, Move>;

/// Makes the book; tells its bytes and what it holds.
pub(super) fn make(
    arguments: &Arguments,
    ledger: &mut Ledger,
    work: &mut Work,
) -> Result<(Vec<u8>, String), Failure> {
    let boards = if arguments.boards.is_empty() {
        League::Mnk.boards(Choice::All).into_iter().filter(|board| *board != TOO_LONG).collect()
    } else {
        arguments.boards.clone()
    };
    let mut maker = Maker {
        hard: arguments.hard.unwrap_or(HARD_NODES),
        most: arguments.most,
        plies: arguments.plies.min(MAX_STONES),
        memory: Memory::new(arguments.table)?,
        chip_memory: Memory::new(CHIP_TABLE)?,
        ledger,
        work,
        bar: bar(0),
        given_up: 0,
    };
    let mut bytes = Vec::new();
    let mut count = 0;
    for spec in boards.into_iter().filter(|spec| spec.cells() <= MAX_DEPTH) {
        let GameSpec::Mnk { rows, cols, k, exact: false } = spec else {
            return Err(Failure::Input(format!("{spec}: the book is for mnk boards")));
        };
        let empty = MnkSmall::new(rows, cols, k, false)
            .map_err(|error| Failure::Input(format!("{spec}: {error}")))?;
        let entries = maker.entries(&empty)?;
        count += entries.len();
        let plies = |stones: &Stones| stones.iter().map(|set| set.count_ones()).sum::<u32>() as u8;
        for ply in 0..=MAX_STONES as u8 {
            let of_ply = || entries.iter().filter(|(stones, _)| plies(stones) == ply);
            if of_ply().next().is_some() {
                bytes.extend([rows, cols, k as u8, ply]);
                bytes.extend((of_ply().count() as u16).to_le_bytes());
                bytes.extend(of_ply().flat_map(|(&stones, &mv)| entry(stones, mv)));
            }
        }
    }
    maker.bar.finish_and_clear();
    Ok((bytes, format!("{count} positions, {} given up", maker.given_up)))
}

/// A piece of work: positions of our decisions, tried one after the other.
struct Unit {
    name: String,
    tries: Vec<MnkSmall>,
}

impl Unit {
    /// The first decision of the first player.
    fn empty_board(empty: &MnkSmall) -> Unit {
        Unit { name: format!("{} first", empty.spec()), tries: vec![empty.clone()] }
    }

    /// The decisions after each move of the opponent, those that are the same by symmetry left out.
    fn after(before: &MnkSmall) -> Unit {
        let mut met = BTreeSet::new();
        let moves = successors(next_legal(before, 0), |mv| next_legal(before, mv.index() + 1));
        let tries = moves
            .map(|mv| {
                let mut position = before.clone();
                position.make(mv);
                position
            })
            .filter(|position| position.outcome().is_none())
            .filter(|position| turned(position).is_some_and(|(stones, _)| met.insert(stones)))
            .collect();
        let cells = (0..before.ply()).filter_map(|n| before.played(n));
        let names = cells.map(|mv| mv.index().to_string()).collect::<Vec<_>>();
        Unit { name: format!("{} after {}", before.spec(), names.join("-")), tries }
    }
}

/// The work, and what it is done with.
struct Maker<'a> {
    hard: u64,
    most: u64,
    plies: usize,
    memory: Memory,
    chip_memory: Memory,
    ledger: &'a mut Ledger,
    work: &'a mut Work,
    bar: ProgressBar,
    given_up: usize,
}

impl Maker<'_> {
    /// The entries of a board, found unit by unit.
    fn entries(&mut self, empty: &MnkSmall) -> Result<Entries, Failure> {
        let mut entries = Entries::new();
        let mut queue = VecDeque::from([Unit::empty_board(empty), Unit::after(empty)]);
        self.bar.inc_length(queue.len() as u64);
        while let Some(unit) = queue.pop_front() {
            let name = format!("{} {} {}", unit.name, self.hard, self.most);
            let found = match self.ledger.pairs(&name) {
                Some(found) => found,
                None => {
                    let found = self.find_hard(&unit, &entries);
                    self.ledger.note_pairs(&name, &found)?;
                    found
                }
            };
            for (n, cell) in found {
                let Some(position) = unit.tries.get(n as usize) else { continue };
                let Some((stones, symmetry)) = turned(position) else { continue };
                if cell == GIVEN_UP {
                    self.given_up += 1;
                    continue;
                }
                let mv = Move::new(cell.into());
                entries.insert(stones, position.map_move(mv, symmetry));
                let mut next = position.clone();
                if next.try_play(mv).is_ok() && next.ply() < self.plies && next.outcome().is_none()
                {
                    queue.push_back(Unit::after(&next));
                    self.bar.inc_length(1);
                }
            }
            self.bar.inc(1);
        }
        Ok(entries)
    }

    /// The hard positions of a unit that have no entry yet: their numbers, with our moves.
    fn find_hard(&mut self, unit: &Unit, entries: &Entries) -> Vec<(u64, u8)> {
        let mut found = Vec::new();
        self.memory.fresh();
        for (n, position) in unit.tries.iter().enumerate() {
            if turned(position).is_some_and(|(stones, _)| entries.contains_key(&stones)) {
                continue;
            }
            self.work.positions += 1;
            if let Some(cell) = self.move_if_hard(&mut position.clone()) {
                found.push((n as u64, cell));
            }
            if !self.bar.is_hidden() {
                self.bar.set_message(format!(
                    "{}: {} hard of {}, {} entries, {} nodes",
                    unit.name,
                    found.len(),
                    n + 1,
                    entries.len(),
                    self.work.nodes
                ));
            }
        }
        found
    }

    /// Our move, if the position is hard, or that it was given up.
    fn move_if_hard(&mut self, position: &mut MnkSmall) -> Option<u8> {
        let quick = self.try_quickly(position, Goal::Outcome);
        let is_quick = quick.value.is_some();
        let solution =
            if is_quick { quick } else { self.solve(position, Goal::Outcome, self.most) };
        let is_safe = |maker: &mut Self, position: &mut MnkSmall| {
            maker.try_quickly(position, Goal::Safety).low >= 0
        };
        let best = match solution.value {
            Some(Value::Loss { .. }) if position.ply() > LAST_LOST_PLY => return None,
            Some(Value::Loss { .. }) => {
                self.solve(position, Goal::Exact, LATE_LOSS_NODES).best.or(solution.best)
            }
            Some(_) if is_quick => return None,
            Some(Value::Draw) | None if is_safe(self, position) => return None,
            Some(_) => solution.best,
            None => {
                let safe = self.solve(position, Goal::Safety, self.most);
                if safe.low < 0 {
                    return Some(GIVEN_UP);
                }
                safe.best
            }
        };
        best.map(|mv| mv.index() as u8)
    }

    /// As a player may do it: in little memory and with few nodes.
    fn try_quickly(&mut self, position: &mut MnkSmall, goal: Goal) -> Solution {
        let limits = Limits { nodes: Some(self.hard), ..Limits::default() };
        let (mut table, workspace) = self.chip_memory.fresh();
        let solution = solve(position, goal, &limits, &NoClock, &mut table, workspace, &mut |_| {});
        self.work.nodes += solution.nodes;
        solution
    }

    /// With the large table, in which what the unit found out so far is kept.
    fn solve(&mut self, position: &mut MnkSmall, goal: Goal, nodes: u64) -> Solution {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let (mut table, workspace) = self.memory.parts();
        let solution = solve(position, goal, &limits, &NoClock, &mut table, workspace, &mut |_| {});
        let age = table.age();
        self.memory.keep_age(age);
        self.work.nodes += solution.nodes;
        solution
    }
}
