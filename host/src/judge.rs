//! One game between two players, under a judge's eyes.
//!
//! Each player has a table and workspace of its own, emptied before the game and kept during it.
//! The limit is per move, or, as in the bricks tournament, one total per player and game, which is
//! then shared out among the moves as [`TimeControl`] does. Each player may have a limit of its own.
//! A player forfeits the game by an illegal move, by no move, by an answer that is late by more
//! than [`MoveLimit::longest_answer`] allows, and by a panic.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use engine::game::any::Position;
use engine::game::{Game, Move, Outcome, Side};
use engine::players::random::Dice;
use engine::players::registry::AnyPlayer;
use engine::players::{Player, Tools, next_legal};
use engine::search::Workspace;
use engine::search::report::{Limits, NoClock};
use engine::search::table::Table;
use engine::session::clock::TimeControl;
use engine::spec::GameSpec;

use crate::clock::{WallClock, saturating_micros};
use crate::failure::Failure;
use crate::game_record::{Forfeit, GameRecord, Turn, final_difference};
use crate::memory::Memory;
use crate::move_limit::MoveLimit;
use crate::position;
use crate::table_size::TableSize;

/// Makes a player; the error names it.
///
/// # Errors
/// No such player, or not for this game, or bad parameters.
pub fn player(name: &str, spec: GameSpec, seed: u64) -> Result<AnyPlayer, Failure> {
    AnyPlayer::new(name, spec, seed).map_err(|error| Failure::Input(format!("`{name}`: {error}")))
}

/// What the judge needs to know before a game.
#[derive(Clone, Copy, Debug)]
pub struct Pairing<'a> {
    /// The game.
    pub spec: GameSpec,
    /// The players' names, the one who moves first before the other.
    pub names: [&'a str; 2],
    /// Moves that are played before the players are asked.
    pub opening: &'a [Move],
}

/// What a player has.
#[derive(Clone, Copy, Debug)]
pub struct Means {
    /// The limit of a move, or of all.
    pub limit: MoveLimit,
    /// The size of the table.
    pub table: TableSize,
}

/// A judge: what the players have, and their memory, for one game after the other.
pub struct Judge {
    /// Of the player who moves first and of the other.
    means: [Means; 2],
    memories: [Memory; 2],
}

impl Judge {
    /// A judge with memory for two players that have the same.
    ///
    /// # Errors
    /// There is not enough memory for the tables.
    pub fn new(limit: MoveLimit, table: TableSize) -> Result<Judge, Failure> {
        Judge::with_means([Means { limit, table }; 2])
    }

    /// A judge with memory for the player who moves first, and for the other.
    ///
    /// # Errors
    /// There is not enough memory for the tables.
    pub fn with_means(means: [Means; 2]) -> Result<Judge, Failure> {
        let memories = [Memory::new(means[0].table)?, Memory::new(means[1].table)?];
        Ok(Judge { means, memories })
    }

    /// From now on the other player moves first.
    pub fn swap_sides(&mut self) {
        self.means.reverse();
        self.memories.reverse();
    }

    /// Plays a game between players of the registry. The seeds belong to the names.
    ///
    /// # Errors
    /// A player cannot be made, or the board or the opening cannot be set up.
    pub fn play_named(
        &mut self,
        pairing: &Pairing<'_>,
        seeds: [u64; 2],
    ) -> Result<GameRecord, Failure> {
        let mut first = player(pairing.names[0], pairing.spec, seeds[0])?;
        let mut second = player(pairing.names[1], pairing.spec, seeds[1])?;
        self.play(pairing, &mut first, &mut second)
    }

    /// Plays a game between any two players.
    ///
    /// # Errors
    /// The board or the opening cannot be set up.
    pub fn play<A: Player, B: Player>(
        &mut self,
        pairing: &Pairing<'_>,
        first: &mut A,
        second: &mut B,
    ) -> Result<GameRecord, Failure> {
        let mut position = Box::new(position::start(pairing.spec).map_err(Failure::Input)?);
        for &mv in pairing.opening {
            position.try_play(mv).map_err(|error| Failure::Input(format!("opening: {error}")))?;
        }
        let mut moves = pairing.opening.to_vec();
        let mut turns = vec![Turn::default(); moves.len()];
        let limits = self.means.map(|means| means.limit);
        let tables = self.means.map(|means| means.table);
        let [first_memory, second_memory] = &mut self.memories;
        let mut first_desk = Desk::new(first_memory, limits[0]);
        let mut second_desk = Desk::new(second_memory, limits[1]);
        let (outcome, forfeit) = loop {
            if let Some(outcome) = position.outcome() {
                break (outcome, None);
            }
            let side = position.side_to_move();
            let answer = match side {
                Side::First => first_desk.ask(first, &mut position),
                Side::Second => second_desk.ask(second, &mut position),
            };
            match answer {
                Ok((mv, turn)) => {
                    position.make(mv);
                    moves.push(mv);
                    turns.push(turn);
                }
                Err(reason) => {
                    break (Outcome::Win(side.other()), Some(Forfeit { side, reason }));
                }
            }
        };
        let difference = if forfeit.is_none() { final_difference(&position) } else { None };
        Ok(GameRecord {
            spec: pairing.spec,
            players: pairing.names.map(String::from),
            limit: (limits[0] == limits[1]).then_some(limits[0]),
            table: (tables[0] == tables[1]).then_some(tables[0]),
            opening: pairing.opening.len(),
            moves,
            turns,
            outcome,
            difference,
            forfeit,
        })
    }
}

/// What a player works with during a game.
struct Desk<'a> {
    table: Table<'a>,
    workspace: &'a mut Workspace,
    limit: MoveLimit,
    /// Time for all moves so far.
    used: Duration,
}

impl<'a> Desk<'a> {
    fn new(memory: &'a mut Memory, limit: MoveLimit) -> Desk<'a> {
        let (table, workspace) = memory.fresh();
        Desk { table, workspace, limit, used: Duration::ZERO }
    }

    /// The limits of the next move if there is this much time for all moves.
    fn share(&self, all: Duration, position: &Position, clock: &WallClock) -> Limits {
        let milliseconds = |span: Duration| u32::try_from(span.as_millis()).unwrap_or(u32::MAX);
        let mut control = TimeControl::new(0);
        (control.turn_ms, control.match_ms) = (milliseconds(all), milliseconds(all));
        control.charge(saturating_micros(self.used));
        let budget = Duration::from_micros(control.budget_us(position.plies_left().div_ceil(2)));
        Limits { deadline_us: Some(clock.deadline_us(budget)), ..Limits::default() }
    }

    /// Asks the player for a move and judges the answer: a legal move, or why it forfeits.
    fn ask<P: Player>(
        &mut self,
        player: &mut P,
        position: &mut Position,
    ) -> Result<(Move, Turn), String> {
        let limit = self.limit;
        let (ply, key) = (position.ply(), position.key());
        let clock = WallClock::new();
        let start = Instant::now();
        let (limits, nodes_only) = match limit {
            MoveLimit::Time(span) => {
                let deadline_us = Some(clock.deadline_us(span.0));
                (Limits { deadline_us, ..Limits::default() }, None)
            }
            MoveLimit::Game(span) => (self.share(span.0, position, &clock), None),
            MoveLimit::Nodes(nodes) => {
                (Limits { nodes: Some(nodes), ..Limits::default() }, Some(NoClock))
            }
        };
        let mut tools = Tools {
            limits,
            // Under node limits not even a player that looks at the clock may depend on time.
            clock: match &nodes_only {
                Some(still) => still,
                None => &clock,
            },
            table: &mut self.table,
            workspace: &mut *self.workspace,
        };
        // After a panic the game ends, and what it left behind is not used again.
        let decision = catch_unwind(AssertUnwindSafe(|| player.decide(position, &mut tools)))
            .map_err(|_| "panicked")?;
        let took = start.elapsed();
        self.used = self.used.saturating_add(took);
        let counted = if matches!(limit, MoveLimit::Game(_)) { self.used } else { took };
        if limit.longest_answer().is_some_and(|longest| counted > longest) {
            return Err(format!("answered after {} ms, allowed {limit}", counted.as_millis()));
        }
        let decision = decision.ok_or("gave no move")?;
        if (position.ply(), position.key()) != (ply, key) {
            return Err("changed the position".into());
        }
        let mv = decision.best;
        position
            .check(mv)
            .map_err(|error| format!("illegal move {}: {error}", position.spec().show_move(mv)))?;
        let microseconds = limit.longest_answer().is_some().then(|| saturating_micros(took));
        Ok((mv, Turn { value: decision.value, nodes: decision.nodes, microseconds }))
    }
}

/// How often an opening that ends the game is thrown again before it is made shorter.
const OPENING_TRIES: usize = 100;

/// An opening of this many random moves, the same for the same seed. It never ends the game; if
/// the board is too small for that, it is shorter.
///
/// # Errors
/// The board is larger than this build holds.
pub fn random_opening(spec: GameSpec, plies: usize, seed: u64) -> Result<Vec<Move>, Failure> {
    let mut position = Box::new(position::start(spec).map_err(Failure::Input)?);
    let mut dice = Dice::new(seed);
    // No game is longer than it has moves.
    for plies in (1..=plies.min(position.plies_left())).rev() {
        for _ in 0..OPENING_TRIES {
            while position.ply() > 0 {
                position.unmake();
            }
            while position.ply() < plies && position.outcome().is_none() {
                let legal = std::iter::successors(next_legal(&*position, 0), |mv| {
                    next_legal(&*position, mv.index() + 1)
                });
                let Some(mv) = dice.pick(legal) else { break };
                position.make(mv);
            }
            if position.ply() == plies && position.outcome().is_none() {
                return Ok((0..plies).map_while(|n| position.played(n)).collect());
            }
        }
    }
    Ok(Vec::new())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game_record::text;
    use engine::players::{Decision, Why};

    /// Plays legal moves until its turn comes to do something else.
    struct Culprit(fn(&mut Doings));

    /// What a culprit may do.
    struct Doings {
        answer: Option<Move>,
        play_it: bool,
    }

    impl Player for Culprit {
        fn decide<G: Game, const MOVES: usize>(
            &mut self,
            game: &mut G,
            _tools: &mut Tools<'_, '_, MOVES>,
        ) -> Option<Decision> {
            let mut doings = Doings { answer: next_legal(game, 0), play_it: false };
            (self.0)(&mut doings);
            if let (true, Some(mv)) = (doings.play_it, doings.answer) {
                game.make(mv);
            }
            doings.answer.map(|mv| Decision::at_once(mv, Why::Rule))
        }
    }

    fn game(limit: &str, second: fn(&mut Doings)) -> GameRecord {
        let size = TableSize::from_bytes(1_024).expect("a size");
        let mut judge = Judge::new(limit.parse().expect(limit), size).expect("memory");
        let spec = "mnk:3x3x3".parse().expect("a game");
        let pairing = Pairing { spec, names: ["good", "culprit"], opening: &[] };
        judge.play(&pairing, &mut Culprit(|_| {}), &mut Culprit(second)).expect("a game")
    }

    #[track_caller]
    fn assert_forfeits(record: &GameRecord, reason: &str) {
        let forfeit = record.forfeit.as_ref().expect("a forfeit");
        assert_eq!(forfeit.side, Side::Second);
        assert!(forfeit.reason.contains(reason), "{}", forfeit.reason);
        assert_eq!(record.outcome, Outcome::Win(Side::First));
        assert_eq!(record.moves.len(), 1, "only legal moves count");
        assert_eq!(
            text::read(text::write(record).as_bytes()).as_deref(),
            Ok(&[record.clone()][..])
        );
    }

    #[test]
    fn what_breaks_the_rules_forfeits_the_game() {
        let illegal = game("9 nodes", |doings| doings.answer = Some(Move::new(0)));
        assert_forfeits(&illegal, "illegal move 0,0: that place is taken");
        let outside = game("9 nodes", |doings| doings.answer = Some(Move::new(4_000)));
        assert_forfeits(&outside, "that is outside the board");
        assert_forfeits(&game("9 nodes", |doings| doings.answer = None), "gave no move");
        let changed = game("9 nodes", |doings| doings.play_it = true);
        assert_forfeits(&changed, "changed the position");
    }

    #[test]
    fn a_late_answer_forfeits_the_game_but_only_under_a_time_limit() {
        let late = |_: &mut Doings| std::thread::sleep(Duration::from_millis(200));
        assert_forfeits(&game("1ms", late), "ms, allowed 1ms");
        let record = game("9 nodes", late);
        assert_eq!(record.forfeit, None);
        assert!(record.turns.iter().all(|turn| turn.microseconds.is_none()));
    }

    #[test]
    fn the_clock_of_a_game_counts_all_moves_of_a_player() {
        let late = |_: &mut Doings| std::thread::sleep(Duration::from_millis(60));
        let record = game("5ms per game", late);
        assert_eq!(record.moves.len(), 3, "one late answer is within what the judge allows");
        let reason = &record.forfeit.as_ref().expect("a forfeit").reason;
        assert!(reason.contains("ms, allowed 5ms per game"), "{reason}");
        assert_eq!(game("1h per game", |_| {}).forfeit, None);
    }

    #[test]
    fn each_player_has_the_limit_of_its_own() {
        let size = TableSize::from_bytes(1_024).expect("a size");
        let [nodes, time] = ["9 nodes", "1h"].map(|text| text.parse().expect("a limit"));
        let means = [nodes, time].map(|limit| Means { limit, table: size });
        let mut judge = Judge::with_means(means).expect("memory");
        let spec = "mnk:3x3x3".parse().expect("a game");
        let pairing = Pairing { spec, names: ["one", "other"], opening: &[] };
        for timed in [1, 0] {
            let record =
                judge.play(&pairing, &mut Culprit(|_| {}), &mut Culprit(|_| {})).expect("a game");
            assert_eq!((record.limit, record.table), (None, Some(size)), "no single limit");
            for (ply, turn) in record.turns.iter().enumerate() {
                assert_eq!(turn.microseconds.is_some(), ply % 2 == timed);
            }
            judge.swap_sides();
        }
    }

    /// Plays legal moves and notes the size of its table.
    struct Measurer(usize);

    impl Player for Measurer {
        fn decide<G: Game, const MOVES: usize>(
            &mut self,
            game: &mut G,
            tools: &mut Tools<'_, '_, MOVES>,
        ) -> Option<Decision> {
            self.0 = tools.table.bytes();
            next_legal(game, 0).map(|mv| Decision::at_once(mv, Why::Rule))
        }
    }

    #[test]
    fn each_player_has_a_table_of_its_own_size() {
        let limit = "9 nodes".parse().expect("a limit");
        let sizes = [64, 4_096].map(|bytes| TableSize::from_bytes(bytes).expect("a size"));
        let mut judge =
            Judge::with_means(sizes.map(|table| Means { limit, table })).expect("memory");
        let spec = "mnk:3x3x3".parse().expect("a game");
        let pairing = Pairing { spec, names: ["one", "other"], opening: &[] };
        for expected in [[64, 4_096], [4_096, 64]] {
            let (mut first, mut second) = (Measurer(0), Measurer(0));
            let record = judge.play(&pairing, &mut first, &mut second).expect("a game");
            assert_eq!([first.0, second.0], expected);
            assert_eq!(record.table, None, "no single size");
            judge.swap_sides();
        }
    }

    #[test]
    fn a_panic_forfeits_the_game() {
        let record = game("9 nodes", |_| std::panic::resume_unwind(Box::new("on purpose")));
        assert_forfeits(&record, "panicked");
    }

    #[test]
    fn openings_never_end_the_game_and_follow_from_the_seed() {
        for text in ["mnk:3x3x3", "connect:4x4x4", "bricks:3", "mnk:1x1x1", "mnk:2x2x5"] {
            let spec: GameSpec = text.parse().expect(text);
            for plies in 0..12 {
                let opening = random_opening(spec, plies, 7).expect("an opening");
                assert_eq!(opening, random_opening(spec, plies, 7).expect("an opening"));
                assert!(opening.len() <= plies);
                let mut position = position::start(spec).expect("a board");
                for mv in opening {
                    position.try_play(mv).expect("legal");
                }
                assert!(position.outcome().is_none(), "{text} {plies}");
            }
        }
        let spec: GameSpec = "mnk:15x15x5".parse().expect("a game");
        assert_eq!(random_opening(spec, 6, 1).expect("an opening").len(), 6);
        assert_ne!(random_opening(spec, 6, 1).ok(), random_opening(spec, 6, 2).ok());
    }
}
