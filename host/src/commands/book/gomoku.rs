//! The table of fourth stones in five in a row: for every third stone near the first two, what a long search
//! answers in the middle of a large board. A third stone is a unit of work.

use engine::game::any::Position;
use engine::game::{Game, Move};
use engine::players::tavola::gomoku::{BYTES, REACH, Way, byte, place};
use engine::search::report::{Limits, NoClock};
use engine::search::{Options, search};
use engine::spec::GameSpec;

use super::{Arguments, Ledger, Work, bar};
use crate::failure::Failure;
use crate::memory::Memory;

/// Where the answers are looked for.
const GAME: GameSpec = GameSpec::Mnk { rows: 15, cols: 15, k: 5, exact: false };
/// The first stone is here, in the middle, the second at its lower right.
const FIRST: Way = (7, 7);
const SECOND: Way = (1, 1);

/// Makes the table; tells its bytes and what it holds.
pub(super) fn make(
    arguments: &Arguments,
    ledger: &mut Ledger,
    work: &mut Work,
) -> Result<(Vec<u8>, String), Failure> {
    let mut memory = Memory::new(arguments.table)?;
    let mut bytes = vec![0; BYTES];
    // What lies on the other side of the first two stones' diagonal has the same answer, turned over.
    let thirds: Vec<Way> = (-REACH..=REACH)
        .flat_map(|rows| (-REACH..=rows).map(move |cols| (rows, cols)))
        .filter(|&third| third != (0, 0) && third != SECOND)
        .collect();
    let bar = bar(thirds.len() as u64);
    for &third in &thirds {
        let name = format!("third {} {} {}", third.0, third.1, arguments.nodes);
        let cell = match ledger.pairs(&name).as_deref() {
            Some(&[(_, cell)]) => cell,
            _ => {
                let cell = answer(third, arguments, &mut memory, work)?;
                ledger.note_pairs(&name, &[(0, cell)])?;
                cell
            }
        };
        let at = usize::from(cell);
        let fourth = ((at / GAME.cols()) as isize - FIRST.0, (at % GAME.cols()) as isize - FIRST.1);
        for (third, fourth) in [(third, fourth), (turned(third), turned(fourth))] {
            if let Some(slot) = place(third).and_then(|place| bytes.get_mut(place)) {
                *slot = byte(fourth);
            }
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok((bytes, format!("{} third stones", thirds.len())))
}

/// The cell that a long search likes best after the third stone.
fn answer(
    third: Way,
    arguments: &Arguments,
    memory: &mut Memory,
    work: &mut Work,
) -> Result<u8, Failure> {
    let broken = |text: &str| Failure::Input(format!("third stone {third:?}: {text}"));
    let mut position = Position::new(GAME).map_err(|error| broken(&error.to_string()))?;
    for (rows, cols) in [(0, 0), SECOND, third] {
        let cell = (FIRST.0 + rows) as usize * GAME.cols() + (FIRST.1 + cols) as usize;
        position.try_play(Move::new(cell)).map_err(|error| broken(&error.to_string()))?;
    }
    let limits = Limits { nodes: Some(arguments.nodes), ..Limits::default() };
    let (mut table, workspace) = memory.fresh();
    let report = search(&mut position, &limits, &Options::ALL, &NoClock, &mut table, workspace)
        .ok_or_else(|| broken("the game is over"))?;
    work.positions += 1;
    work.nodes += report.nodes;
    u8::try_from(report.best.index()).map_err(|_| broken("the board is too large"))
}

/// A way, turned over at the diagonal.
fn turned((rows, cols): Way) -> Way {
    (cols, rows)
}
