//! `tavola solve --sample`: positions of a connect board picked at random, all about as hard.
//!
//! A position is reached by random moves, nobody can win at once, and under best play the game ends
//! neither soon nor late. The same number and seed give the same positions.

use std::ops::RangeInclusive;

use engine::game::any::Position;
use engine::game::{Game, Tactics};
use engine::players::next_legal;
use engine::players::random::Dice;
use engine::score::Value;
use engine::search::report::{Goal, Limits, NoClock};
use engine::spec::GameSpec;

use crate::failure::Failure;
use crate::memory::Memory;
use crate::position;
use crate::seeds::derived;
use crate::table_size::TableSize;

/// Stones on the board, about as in the set "middle, medium" of Pascal Pons' benchmark.
pub const STONES: RangeInclusive<usize> = 14..=28;
/// Plies to the end under best play, as there.
pub const PLIES: RangeInclusive<usize> = 14..=28;
/// The table of the solver that picks.
const TABLE_BYTES: usize = 1 << 20;

/// A batch of this many positions, as text.
///
/// # Errors
/// The game is no connect board that can be solved, or hardly any position will do.
pub fn batch(spec: GameSpec, count: usize, seed: u64) -> Result<String, Failure> {
    let empty = position::start(spec).map_err(Failure::Input)?;
    let unsuitable = || Failure::Input(format!("{spec}: no board to take samples from"));
    if empty.stacks().is_none() || spec.cols() > 9 || spec.cells() < *STONES.end() {
        return Err(unsuitable());
    }
    let size = TableSize::from_bytes(TABLE_BYTES).ok_or_else(unsuitable)?;
    let mut memory = Memory::new(size)?;
    let mut text = String::new();
    let mut found = 0;
    for attempt in 0..1_000 * count as u64 {
        if found == count {
            return Ok(text);
        }
        let mut dice = Dice::new(derived(seed, &[attempt]));
        let stones = STONES.start() + dice.roll(STONES.end() - STONES.start() + 1);
        let Some(mut position) = scatter(&empty, stones, &mut dice) else { continue };
        if PLIES.contains(&plies_left(&mut position, &mut memory)) {
            found += 1;
            let columns = position::moves_of(&position);
            text.extend(columns.iter().filter_map(|column| {
                column.parse::<u32>().ok().and_then(|column| char::from_digit(column + 1, 10))
            }));
            text.push('\n');
        }
    }
    Err(unsuitable())
}

/// Random moves; `None` if somebody could win on the way or at the end.
fn scatter(empty: &Position, stones: usize, dice: &mut Dice) -> Option<Position> {
    let mut position = empty.clone();
    for _ in 0..stones {
        if matches!(position.tactics(), Tactics::Win(_)) {
            return None;
        }
        let moves = std::iter::successors(next_legal(&position, 0), |mv| {
            next_legal(&position, mv.index() + 1)
        });
        let mv = dice.pick(moves)?;
        position.make(mv);
    }
    let goes_on = position.outcome().is_none() && !matches!(position.tactics(), Tactics::Win(_));
    goes_on.then_some(position)
}

/// How many plies the game takes from here under best play.
fn plies_left(position: &mut Position, memory: &mut Memory) -> usize {
    let (mut table, workspace) = memory.fresh();
    let solution = engine::search::solve(
        position,
        Goal::Exact,
        &Limits::default(),
        &NoClock,
        &mut table,
        workspace,
        &mut |_| {},
    );
    match solution.value {
        Some(Value::Win { plies } | Value::Loss { plies }) => plies,
        _ => position.plies_left(),
    }
}
