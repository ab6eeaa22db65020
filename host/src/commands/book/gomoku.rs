//! The table of fourth stones in five in a row, for every third stone near the first two in the middle of a
//! large board.
//!
//! A long search answers every third stone. Where the third stone is next to the first ones, that is only
//! one of the answers that are tried: what so early a stone is worth shows in games. The player plays them
//! against itself, and the search's answer gives way only to one that does better in games of its own. A
//! third stone is a unit of work, and the same whichever thread does it.

use engine::game::any::Position;
use engine::game::{Game, Move, Outcome, Side};
use engine::players::tavola::gomoku::{BYTES, REACH, Way, byte, place};
use engine::players::tavola::{Parts, Tavola};
use engine::players::{Player, Tools};
use engine::search::ordering::{Candidate, MoveSink};
use engine::search::report::{Limits, NoClock};
use engine::search::{Options, search};
use engine::spec::GameSpec;

use super::{Arguments, CHIP_TABLE, Ledger, Work, bar};
use crate::failure::Failure;
use crate::memory::Memory;
use crate::workers;

/// Where the answers are looked for.
const GAME: GameSpec = GameSpec::Mnk { rows: 15, cols: 15, k: 5, exact: false };
/// The first stone is here, in the middle, the second at its lower right.
const FIRST: Way = (7, 7);
const SECOND: Way = (1, 1);

/// Third stones at most so many rows and columns from the first are answered by games.
const NEAR: isize = 2;
/// How many answers play the first games: that of the long search and the best of short ones.
const TRIED: usize = 7;
/// The nodes of a short search, as a part of those of the long one: one in so many.
const SHORT_PART: u64 = 80;
/// The same of the fewest and the most nodes per move in a game. Other nodes make another game. Few will not
/// do: a stone that holds against 20,000 nodes may lose every game against 70,000.
const GAME_PARTS: (u64, u64) = (400, 100);

/// The games that an answer plays one after the other, as long as it is in the running.
#[derive(Clone, Copy)]
struct Round {
    games: u64,
    /// How many quarters of a step from one game's nodes to the next one's are added, so that no game is that
    /// of another round.
    quarters: u64,
    /// Whether the board is turned over, which makes other games too.
    turned: bool,
}

/// All answers play these, ...
const FIRST_ROUND: Round = Round { games: 8, quarters: 0, turned: false };
/// ... the best two of them these, ...
const SECOND_ROUND: Round = Round { games: 16, quarters: 1, turned: false };
/// ... and one that beats the long search's answer must do so in these again.
const LAST_ROUND: Round = Round { games: 20, quarters: 2, turned: true };

/// Makes the table; tells its bytes and what it holds.
pub(super) fn make(
    arguments: &Arguments,
    ledger: &mut Ledger,
    work: &mut Work,
) -> Result<(Vec<u8>, String), Failure> {
    // What lies on the other side of the first two stones' diagonal has the same answer, turned over.
    let thirds: Vec<Way> = (-REACH..=REACH)
        .flat_map(|rows| (-REACH..=rows).map(move |cols| (rows, cols)))
        .filter(|&third| third != (0, 0) && third != SECOND)
        .collect();
    let name = |third: Way| format!("third {} {} {}", third.0, third.1, arguments.nodes);
    let mut bytes = vec![0; BYTES];
    let mut enter = |third: Way, cell: u8| {
        let fourth = way_to(cell);
        for (third, fourth) in [(third, fourth), (turned(third), turned(fourth))] {
            if let Some(slot) = place(third).and_then(|place| bytes.get_mut(place)) {
                *slot = byte(fourth);
            }
        }
    };
    let mut to_do = Vec::new();
    for &third in &thirds {
        match ledger.pairs(&name(third)).as_deref() {
            Some(&[(_, cell)]) => enter(third, cell),
            _ => to_do.push(third),
        }
    }
    let bar = bar(thirds.len() as u64);
    bar.inc((thirds.len() - to_do.len()) as u64);
    workers::share(
        &to_do,
        || Ok(()),
        |(), &third| {
            let mut trial = Trial::new(third, arguments)?;
            Ok((trial.answer()?, trial.work))
        },
        |&third, (cell, done)| {
            ledger.note_pairs(&name(third), &[(0, cell)])?;
            enter(third, cell);
            work.positions += done.positions;
            work.nodes += done.nodes;
            bar.inc(1);
            Ok(())
        },
    )?;
    bar.finish_and_clear();
    Ok((bytes, format!("{} third stones", thirds.len())))
}

/// A third stone whose answer is looked for.
struct Trial {
    third: Way,
    /// Nodes of the long search.
    nodes: u64,
    /// For searches.
    memory: Memory,
    /// For games, one for each side.
    players: [Memory; 2],
    work: Work,
}

impl Trial {
    fn new(third: Way, arguments: &Arguments) -> Result<Trial, Failure> {
        let memory = Memory::new(arguments.table)?;
        let players = [Memory::new(CHIP_TABLE)?, Memory::new(CHIP_TABLE)?];
        Ok(Trial { third, nodes: arguments.nodes, memory, players, work: Work::default() })
    }

    /// The cell of the answer.
    fn answer(&mut self) -> Result<u8, Failure> {
        self.work.positions += 1;
        let start = self.position(&[], false)?;
        let (by_search, _) = self.search(start, self.nodes)?;
        let by_search = way_to(by_search.index() as u8);
        let is_near = self.third.0.abs().max(self.third.1.abs()) <= NEAR;
        let best = if is_near { self.best_in_games(by_search)? } else { by_search };
        u8::try_from(cell(best)).map_err(|_| self.broken("the board is too large"))
    }

    /// The answer that does best in games.
    fn best_in_games(&mut self, by_search: Way) -> Result<Way, Failure> {
        let mut tried: Vec<(u64, Way)> = Vec::new();
        for way in self.promising(by_search)? {
            tried.push((self.play(way, FIRST_ROUND)?, way));
        }
        // Among equals the search's answer, then the one that the short search liked better.
        tried.sort_by_key(|&(points, _)| std::cmp::Reverse(points));
        tried.truncate(2);
        for (points, way) in &mut tried {
            *points += self.play(*way, SECOND_ROUND)?;
        }
        tried.sort_by_key(|&(points, _)| std::cmp::Reverse(points));
        let Some(&(_, best)) = tried.first() else { return Ok(by_search) };
        let holds =
            best == by_search || self.play(best, LAST_ROUND)? > self.play(by_search, LAST_ROUND)?;
        Ok(if holds { best } else { by_search })
    }

    /// The long search's answer and the best of short searches.
    fn promising(&mut self, by_search: Way) -> Result<Vec<Way>, Failure> {
        let start = self.position(&[], false)?;
        let mut storage = vec![Candidate::NONE; GAME.move_numbers()];
        let mut sink = MoveSink::new(&mut storage);
        start.generate(&mut sink);
        let ways: Vec<Way> = sink
            .candidates()
            .iter()
            .map(|candidate| way_to(candidate.mv().index() as u8))
            .filter(|&way| way != by_search)
            .collect();
        let mut scored = Vec::new();
        for way in ways {
            let after = self.position(&[way], false)?;
            scored.push((self.search(after, self.nodes / SHORT_PART)?.1, way));
        }
        // What the opponent has then should be little.
        scored.sort_unstable();
        let others = scored.into_iter().map(|(_, way)| way).take(TRIED - 1);
        Ok([by_search].into_iter().chain(others).collect())
    }

    /// Half points of the second player in the games of a round.
    fn play(&mut self, fourth: Way, round: Round) -> Result<u64, Failure> {
        let (fewest, most) = (self.nodes / GAME_PARTS.0, self.nodes / GAME_PARTS.1);
        let mut points = 0;
        for n in 0..round.games {
            let step = (most - fewest) * (4 * n + round.quarters) / (4 * round.games);
            let nodes = (fewest + step).max(1);
            let mut game = self.position(&[fourth], round.turned)?;
            self.players.iter_mut().for_each(|memory| {
                memory.fresh();
            });
            while game.outcome().is_none() {
                let memory = &mut self.players[game.ply() % 2];
                let (mut table, workspace) = memory.parts();
                let limits = Limits { nodes: Some(nodes), ..Limits::default() };
                let mut tools = Tools { limits, clock: &NoClock, table: &mut table, workspace };
                let decision = Tavola::of_parts(Parts::ALL).decide(&mut game, &mut tools);
                let age = table.age();
                memory.keep_age(age);
                let decision = decision.ok_or_else(|| self.broken("no move in a game"))?;
                self.work.nodes += decision.nodes;
                game.make(decision.best);
            }
            points += match game.outcome() {
                Some(Outcome::Win(Side::Second)) => 2,
                Some(Outcome::Win(Side::First)) => 0,
                _ => 1,
            };
        }
        Ok(points)
    }

    /// What a search likes best and what that is worth.
    fn search(&mut self, mut position: Position, nodes: u64) -> Result<(Move, i32), Failure> {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let (mut table, workspace) = self.memory.fresh();
        let report = search(&mut position, &limits, &Options::ALL, &NoClock, &mut table, workspace)
            .ok_or_else(|| self.broken("the game is over"))?;
        self.work.nodes += report.nodes;
        Ok((report.best, report.score))
    }

    /// The position after the third stone and these, turned over or not.
    fn position(&self, more: &[Way], is_turned: bool) -> Result<Position, Failure> {
        let mut position = Position::new(GAME).map_err(|error| self.broken(&error.to_string()))?;
        for &way in [(0, 0), SECOND, self.third].iter().chain(more) {
            let way = if is_turned { turned(way) } else { way };
            position
                .try_play(Move::new(cell(way)))
                .map_err(|error| self.broken(&error.to_string()))?;
        }
        Ok(position)
    }

    fn broken(&self, text: &str) -> Failure {
        Failure::Input(format!("third stone {:?}: {text}", self.third))
    }
}

/// The cell that lies so far from the first stone.
fn cell((rows, cols): Way) -> usize {
    (FIRST.0 + rows) as usize * GAME.cols() + (FIRST.1 + cols) as usize
}

/// How far a cell lies from the first stone.
fn way_to(cell: u8) -> Way {
    let at = usize::from(cell);
    ((at / GAME.cols()) as isize - FIRST.0, (at % GAME.cols()) as isize - FIRST.1)
}

/// A way, turned over at the diagonal.
fn turned((rows, cols): Way) -> Way {
    (cols, rows)
}
