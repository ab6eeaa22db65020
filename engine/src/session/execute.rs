//! What each command does.

use core::fmt::Write;

use super::clock::{Clocks, UNLIMITED_MS};
use super::desk::{Desk, Finding, Task};
use super::long::LongAnswer;
use super::memory::Memory;
use super::setup::Collected;
use super::swap2::Proposal;
use super::{
    DEFAULT_PLAYER, InfoError, Instead, MAX_PLAYER_NAME, Order, PlayerName, Purpose, Reading,
    Request, Session, Stones, StonesError, Work,
};
use crate::game::{Game, Move, Side};
use crate::players::{Decision, Why};
use crate::protocol::PROTOCOL_VERSION;
use crate::protocol::command::{self, Command, CommandError, Info};
use crate::protocol::output::Kind;
use crate::protocol::reply::{Bench, ClockReply, Eval, Holds, Reply, Version};
use crate::score::Value;
use crate::search::report::{LINE_CAPACITY, Limits, Report};
use crate::spec::GameSpec;

/// The program's name.
const NAME: &str = "tavola";
/// The program's version.
const VERSION: &str = env!("CARGO_PKG_VERSION");
/// Bytes of a move and a space.
const MOVE_TEXT: usize = 8;

impl<M: Memory, const MOVES: usize, const NODES: usize> Session<'_, M, MOVES, NODES> {
    /// A whole line.
    pub(super) fn line(&mut self, line: &str, now_us: u64) {
        let mut parsed = command::parse(line);
        if let Reading::Stones(stones) = self.reading {
            match parsed {
                Ok(Command::Done) => return self.place_stones(stones, now_us),
                Ok(Command::Stop | Command::Ping | Command::Info(_)) => {}
                // Whoever begins something else has given the position up.
                Ok(_) => self.reading = Reading::Commands,
                Err(_) => return self.add_stone(stones, line),
            }
        }
        if self.is_human() && parsed == Err(CommandError::Unknown) {
            parsed = read_as_a_person_means_it(line).ok_or(CommandError::Unknown);
        }
        match parsed {
            Ok(command) if self.is_thinking() => self.execute_meanwhile(command),
            Ok(command) => self.execute(command, now_us),
            Err(CommandError::Unknown) if self.find_extra(line) => {}
            Err(CommandError::Unknown) => self.not_known(format_args!("{}", CommandError::Unknown)),
            Err(error) => self.refuse(format_args!("{error}")),
        }
    }

    /// Whether this is a command of the place where the session runs; then it is passed on.
    fn find_extra(&mut self, line: &str) -> bool {
        let (name, argument) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        let mut extras = self.config.extras.iter();
        let Some(extra) = extras.find(|extra| extra.name.eq_ignore_ascii_case(name)) else {
            return false;
        };
        match heapless::String::try_from(argument.trim()) {
            _ if self.is_thinking() => self.refuse_busy(),
            Ok(argument) => self.request = Some(Request { name: extra.name, argument }),
            Err(_) => self.refuse(format_args!("expected {}: {}", extra.name, extra.about)),
        }
        true
    }

    /// A command while a job runs or is about to.
    fn execute_meanwhile(&mut self, command: Command<'_>) {
        match command {
            Command::Stop => self.stop.set(),
            Command::Ping => self.say(Reply::Pong),
            Command::Info(info) => self.info(info),
            Command::New { spec, by_info } => self.call_off(Instead::New { spec, by_info }),
            Command::Restart => self.call_off(Instead::Restart),
            Command::End => self.call_off(Instead::End),
            // The error comes with DONE, after the stones.
            Command::Board => self.read_stones(Purpose::Move),
            Command::YxBoard => self.read_stones(Purpose::Position),
            Command::Swap2Board => self.read_stones(Purpose::Swap2),
            _ => self.refuse_busy(),
        }
    }

    fn execute(&mut self, command: Command<'_>, now_us: u64) {
        if asks_for_play(&command)
            && let Some(error) = self.info_error.take()
        {
            return self.refuse(format_args!("{error}"));
        }
        match command {
            Command::New { spec, by_info } => self.new_game(spec, by_info),
            Command::Restart => self.restart(),
            Command::Begin => self.begin(now_us),
            Command::Turn(mv) => self.turn(mv, now_us),
            Command::Play(mv) => self.play_suggested(mv, now_us),
            Command::Moves(moves) => self.play_moves(moves, now_us),
            Command::Board => self.read_stones(Purpose::Move),
            Command::YxBoard => self.read_stones(Purpose::Position),
            Command::Swap2Board => self.read_stones(Purpose::Swap2),
            Command::Done => self.refuse(format_args!("DONE without BOARD")),
            Command::TakeBack(mv) => self.take_back(mv),
            Command::Info(info) => self.info(info),
            Command::About => self.say(Reply::About(concat!(
                "name=\"Tavola\", version=\"",
                env!("CARGO_PKG_VERSION"),
                "\", author=\"the Tavola developers\", country=\"EU\""
            ))),
            Command::End => self.end(),
            // An answer may have crossed the wish to have it: there is nothing to say.
            Command::Stop if !self.is_human() => {}
            Command::Stop => self.answer(format_args!("I am not thinking.")),
            Command::Player(None) => {
                let name = self.player.clone();
                self.say(Reply::Player(&name));
            }
            Command::Player(Some(name)) => self.set_player(name),
            Command::Level(level) => {
                let mut name = PlayerName::new();
                let _ = write!(name, "{DEFAULT_PLAYER}:level={level}");
                self.set_player(&name);
            }
            Command::Hint => self.think(Task::Hint, now_us),
            Command::Undo => self.undo(now_us),
            Command::Redo => self.redo(now_us),
            Command::Swap => {
                if self.game().is_some_and(|game| game.outcome().is_none()) {
                    self.engine = self.side_to_move();
                    self.keep(usize::MAX);
                }
                self.think(Task::Answer, now_us);
            }
            Command::Show => {
                self.output.long(LongAnswer::Board(0));
                self.end_of_list();
            }
            Command::List => self.output.long(LongAnswer::Moves(0)),
            Command::Eval => self.think(Task::Eval, now_us),
            Command::Stats => self.say(Reply::Stats(self.stats)),
            Command::Clock(None) => self.tell_clock(),
            Command::Clock(Some(ms)) => {
                self.time.turn_ms = ms;
                self.ok();
            }
            Command::Save => {
                let header = self.header();
                self.output.long(LongAnswer::save(header));
            }
            Command::Load => self.refuse(format_args!("LOAD: expected the line that SAVE gave")),
            Command::Bench(nodes) => {
                self.think(Task::Bench, now_us);
                if let Some(work) = &mut self.work {
                    let nodes = Some(u64::from(nodes));
                    work.job.limits = Limits { nodes, ..Limits::default() };
                }
            }
            Command::Version => self.tell_version(),
            Command::Help(None) => {
                self.output.long(LongAnswer::Help { next: 0, extras: self.config.extras });
                self.end_of_list();
            }
            Command::Help(Some(info)) => {
                self.message(format_args!("{}: {}", info.usage, info.about));
                self.end_of_list();
            }
            Command::Human => {
                self.output.style.human = true;
                self.message(format_args!(
                    "Tavola {VERSION}. Type a move, as in TURN or without it, or HELP. MACHINE leaves."
                ));
                self.output.long(LongAnswer::Board(0));
            }
            Command::Machine => {
                self.output.style.human = false;
                self.ok();
            }
            Command::Ping => self.say(Reply::Pong),
            Command::Check(on) => {
                self.lines.require_checksum = on;
                self.ok();
            }
        }
    }

    /// What was being collected in the table's memory is lost.
    pub(super) fn overtake(&mut self) {
        if let Reading::Stones(stones) = &mut self.reading {
            stones.error.get_or_insert(StonesError::Overtaken);
        }
        if let Some(loader) = &mut self.loader {
            loader.overtake();
            if loader.has_touched_the_board() {
                loader.forget_the_board();
                self.undo_damage();
            }
        }
    }

    /// Does what somebody at the board wants.
    pub(super) fn obey(&mut self, order: &Order, now_us: u64) {
        match order {
            Order::Stop => self.stop.set(),
            _ if self.is_thinking() => self.refuse_busy(),
            Order::Play(mv) => {
                let Some(spec) = self.game().map(Game::spec) else { return };
                let mut text = heapless::String::<MOVE_TEXT>::new();
                let _ = write!(text, "{}", spec.show_move(*mv));
                self.message(format_args!("the button plays {text}"));
                self.turn(&text, now_us);
            }
            Order::Undo => {
                self.message(format_args!("the button takes a turn back"));
                self.undo(now_us);
            }
            Order::New { spec, player, engine_first } => {
                self.message(format_args!("the button begins {spec} against {player}"));
                self.player.clone_from(player);
                self.new_game(*spec, false);
                if *engine_first && !self.refused {
                    self.begin(now_us);
                }
            }
        }
    }

    fn say(&mut self, reply: Reply<'_>) {
        self.answer(format_args!("{reply}"));
    }

    /// Ends an answer of many lines, for programs.
    fn end_of_list(&mut self) {
        if !self.is_human() {
            self.ok();
        }
    }

    // Games

    /// Calls the job off in favour of something else.
    fn call_off(&mut self, instead: Instead) {
        match &mut self.work {
            Some(work) if work.running => {
                work.instead = Some(instead);
                // The answer is to this line now.
                work.checked = self.output.style.checked;
                work.aside = self.output.style.aside;
                self.stop.set();
                return;
            }
            _ => self.work = None,
        }
        match instead {
            Instead::New { spec, by_info } => self.new_game(spec, by_info),
            Instead::Restart => self.restart(),
            Instead::End => self.end(),
        }
    }

    pub(super) fn new_game(&mut self, spec: GameSpec, by_info: bool) {
        let spec = self.with_rule(spec, by_info);
        let Some(desk) = self.desk.as_deref_mut() else { return };
        if let Err(error) = desk.rebuild(spec) {
            return self.refuse(format_args!("{error}"));
        }
        self.by_info = by_info;
        self.engine = None;
        self.clocks = Clocks::default();
        self.time.restart();
        self.redo.clear();
        self.suggested = false;
        self.reading = Reading::Commands;
        self.stats.games = self.stats.games.saturating_add(1);
        self.seat_player();
        self.keep(0);
        self.ok_and_board();
    }

    pub(super) fn restart(&mut self) {
        if let Some(spec) = self.game().map(Game::spec) {
            self.new_game(spec, self.by_info);
        }
    }

    /// The player for the game on the desk; if it does not know the game, the default one.
    pub(super) fn seat_player(&mut self) {
        let Some(desk) = self.desk.as_deref_mut() else { return };
        if let Err(error) = desk.seat(&self.player, self.seed) {
            // It plays everything.
            let _ = desk.seat(DEFAULT_PLAYER, self.seed);
            self.player = PlayerName::try_from(DEFAULT_PLAYER).unwrap_or_default();
            self.message(format_args!("{error}: {DEFAULT_PLAYER} plays"));
        }
    }

    fn set_player(&mut self, name: &str) {
        let Ok(stored) = PlayerName::try_from(name) else {
            return self
                .refuse(format_args!("player's name too long: at most {MAX_PLAYER_NAME} bytes"));
        };
        let Some(desk) = self.desk.as_deref_mut() else { return };
        match desk.seat(name, self.seed) {
            Ok(()) => {
                self.player = stored;
                self.keep(usize::MAX);
                self.ok();
            }
            Err(error) => self.refuse(format_args!("{error}")),
        }
    }

    /// The game with the rule that `INFO` asked for.
    const fn with_rule(&self, spec: GameSpec, by_info: bool) -> GameSpec {
        match spec {
            GameSpec::Mnk { rows, cols, k, .. } if by_info => {
                GameSpec::Mnk { rows, cols, k, exact: self.exact }
            }
            _ => spec,
        }
    }

    pub(super) fn end(&mut self) {
        self.output.clear();
        self.output.style.human = false;
        self.over = true;
    }

    // Moves

    fn side_to_move(&self) -> Option<Side> {
        self.game().map(Game::side_to_move)
    }

    fn is_game_over(&self) -> bool {
        self.game().is_some_and(|game| game.outcome().is_some())
    }

    /// Sets a job up, if the game goes on.
    fn think(&mut self, task: Task, now_us: u64) {
        if self.is_game_over() {
            self.refuse_over();
        } else {
            self.start(task, now_us);
        }
    }

    fn begin(&mut self, now_us: u64) {
        if self.game().is_some_and(|game| game.ply() > 0) {
            return self.refuse(format_args!(
                "BEGIN is for an empty board: SWAP makes me play the side to move"
            ));
        }
        self.engine = self.side_to_move();
        self.keep(usize::MAX);
        self.think(Task::Answer, now_us);
    }

    /// Reads a move and makes sure that it is legal; otherwise says why not.
    fn read_move(&mut self, text: &str) -> Option<Move> {
        if self.is_game_over() {
            self.refuse_over();
            return None;
        }
        let spec = self.game()?.spec();
        let mv = match spec.parse_move(text) {
            Ok(mv) => mv,
            Err(error) => {
                self.refuse(format_args!("{error}"));
                return None;
            }
        };
        match self.game()?.check(mv) {
            Ok(()) => Some(mv),
            Err(why) => {
                self.refuse(format_args!("{}: {why}", spec.show_move(mv)));
                None
            }
        }
    }

    /// Plays a legal move that took this long. What was taken back is gone.
    fn play(&mut self, mv: Move, took_us: u64, now_us: u64) {
        let Some(desk) = self.desk.as_deref_mut() else { return };
        let ply = desk.game().ply();
        if desk.game_mut().try_play(mv).is_ok() {
            self.clocks.played(ply, took_us);
            self.clocks.start_turn(now_us);
            self.redo.clear();
            self.suggested = false;
            self.keep(ply);
        }
    }

    fn turn(&mut self, text: &str, now_us: u64) {
        let Some(mv) = self.read_move(text) else { return };
        self.engine = self.side_to_move().map(Side::other);
        self.play(mv, self.clocks.turn_us(now_us), now_us);
        if self.is_game_over() {
            self.ok_and_board();
            return self.tell_ending();
        }
        if self.is_human() {
            self.output.long(LongAnswer::Board(0));
        }
        self.start(Task::Answer, now_us);
    }

    fn play_suggested(&mut self, text: &str, now_us: u64) {
        if !self.suggested {
            return self.refuse(format_args!("PLAY without SUGGEST: HINT suggests a move"));
        }
        let Some(mv) = self.read_move(text) else { return };
        self.engine = self.side_to_move();
        self.play(mv, self.clocks.turn_us(now_us), now_us);
        self.tell_move(mv, None);
        self.tell_ending();
    }

    /// Plays all of these moves or none.
    fn play_moves(&mut self, text: &str, now_us: u64) {
        let turn_us = self.clocks.turn_us(now_us);
        let Some(desk) = self.desk.as_deref_mut() else { return };
        let game = desk.game_mut();
        let (spec, before) = (game.spec(), game.ply());
        for (n, word) in text.split_whitespace().enumerate() {
            let number = n + 1;
            let refused = match spec.parse_move(word) {
                Err(error) => Some(format_text(format_args!("move {number}: {error}"))),
                Ok(mv) => match game.try_play(mv) {
                    Err(why) => Some(format_text(format_args!(
                        "move {number}: {}: {why}",
                        spec.show_move(mv)
                    ))),
                    Ok(()) => None,
                },
            };
            if let Some(why) = refused {
                while game.ply() > before {
                    game.unmake();
                }
                return self.refuse(format_args!("{why}"));
            }
        }
        let after = game.ply();
        for ply in before..after {
            self.clocks.played(ply, if ply == before { turn_us } else { 0 });
        }
        self.clocks.start_turn(now_us);
        self.redo.clear();
        self.suggested = false;
        self.keep(before);
        self.ok_and_board();
        self.tell_ending();
    }

    fn take_back(&mut self, text: &str) {
        let Some(game) = self.game() else { return };
        let spec = game.spec();
        let Some(last) = game.ply().checked_sub(1).and_then(|ply| game.played(ply)) else {
            return self.refuse(format_args!("the board is empty"));
        };
        match spec.parse_move(text) {
            Ok(mv) if mv == last => {
                self.unplay();
                self.ok_and_board();
            }
            Ok(_) => {
                let last = spec.show_move(last);
                self.refuse(format_args!("only the last move can be taken back: {last}"));
            }
            Err(error) => self.refuse(format_args!("{error}")),
        }
    }

    /// Takes the last move back, so that it can be played again.
    fn unplay(&mut self) {
        let Some(desk) = self.desk.as_deref_mut() else { return };
        let Some(ply) = desk.game().ply().checked_sub(1) else { return };
        let Some(mv) = desk.game().played(ply) else { return };
        desk.game_mut().unmake();
        self.clocks.taken_back(ply);
        if self.redo.is_full() {
            self.redo.remove(0);
        }
        let _ = self.redo.push(mv);
        self.suggested = false;
        self.keep(usize::MAX);
    }

    /// Whether the person, or whoever is not the engine, is to move.
    fn is_others_turn(&self) -> bool {
        self.engine.is_none() || self.engine != self.side_to_move()
    }

    fn undo(&mut self, now_us: u64) {
        let plies = self.game().map_or(0, Game::ply);
        // Back to the last position in which the other side was to move.
        let other = |ply: usize| self.engine != Some(Side::at_ply(ply));
        let Some(target) = (0..plies).rev().find(|&ply| other(ply)) else {
            return self.refuse(format_args!("there is no move of yours to take back"));
        };
        for _ in target..plies {
            self.unplay();
        }
        self.clocks.start_turn(now_us);
        self.ok_and_board();
    }

    fn redo(&mut self, now_us: u64) {
        if self.redo.is_empty() {
            return self.refuse(format_args!("there is nothing to play again"));
        }
        let from = self.game().map_or(0, Game::ply);
        while let Some(mv) = self.redo.pop() {
            let Some(desk) = self.desk.as_deref_mut() else { return };
            let ply = desk.game().ply();
            if desk.game_mut().try_play(mv).is_err() {
                // Cannot be: it was played here before.
                self.redo.clear();
                break;
            }
            self.clocks.replayed(ply);
            if self.is_others_turn() {
                break;
            }
        }
        self.clocks.start_turn(now_us);
        self.suggested = false;
        self.keep(from);
        self.ok_and_board();
        self.tell_ending();
    }

    // Positions

    fn read_stones(&mut self, purpose: Purpose) {
        let error = match self.game().map(Game::spec) {
            None => Some(StonesError::Busy),
            Some(_) if self.is_thinking() => Some(StonesError::Busy),
            Some(GameSpec::Mnk { .. }) => None,
            Some(_) => Some(StonesError::NotMnk),
        };
        let collected = Collected::default();
        self.reading = Reading::Stones(Stones { purpose, collected, count: [0; 2], error });
    }

    fn add_stone(&mut self, mut stones: Stones, line: &str) {
        if stones.error.is_none() {
            stones.error = self.read_stone(&mut stones, line).err();
        }
        self.reading = Reading::Stones(stones);
    }

    fn read_stone(&mut self, stones: &mut Stones, line: &str) -> Result<(), StonesError> {
        let desk = self.desk.as_deref_mut().ok_or(StonesError::Busy)?;
        let spec = desk.game().spec();
        let mut parts = line.split(',').map(str::trim);
        let mut number = || {
            let part = parts.next()?;
            let digits = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
            digits.then(|| part.parse::<usize>().unwrap_or(usize::MAX))
        };
        let (x, y) = (number().ok_or(StonesError::Form)?, number().ok_or(StonesError::Form)?);
        let owner = match (number(), stones.purpose) {
            (Some(1), Purpose::Move | Purpose::Position) => Side::First,
            (Some(2), Purpose::Move | Purpose::Position) => Side::Second,
            // Here the colours follow from the order.
            (None | Some(1..=3), Purpose::Swap2) => Side::at_ply(stones.collected.count()),
            _ => return Err(StonesError::Form),
        };
        if parts.next().is_some() {
            return Err(StonesError::Form);
        }
        let (rows, cols) = (spec.rows(), spec.cols());
        if x >= cols || y >= rows {
            return Err(StonesError::Outside { cols, rows });
        }
        let mv = Move::new(y * cols + x);
        stones.collected.push(desk, mv, owner).map_err(StonesError::Setup)?;
        stones.count[owner.index()] += 1;
        Ok(())
    }

    /// All stones have come.
    fn place_stones(&mut self, stones: Stones, now_us: u64) {
        self.reading = Reading::Commands;
        if let Some(error) = self.info_error.take() {
            return self.refuse(format_args!("{error}"));
        }
        let placed = match stones.error {
            Some(error) => Err(error),
            None if self.is_thinking() => Err(StonesError::Busy),
            None => self.set_up(&stones),
        };
        let engine = match placed {
            Ok(engine) => engine,
            Err(error) => return self.refuse(format_args!("{error}")),
        };
        self.engine = engine;
        self.redo.clear();
        self.suggested = false;
        self.clocks = Clocks::at(self.game().map_or(0, Game::ply), [0; 2]);
        self.keep(0);
        match stones.purpose {
            Purpose::Move => self.start(Task::Answer, now_us),
            Purpose::Position => self.ok_and_board(),
            Purpose::Swap2 => self.start(Task::Swap2, now_us),
        }
    }

    /// Puts the stones on the board and says which side is the engine's.
    fn set_up(&mut self, stones: &Stones) -> Result<Option<Side>, StonesError> {
        let [own, other] = stones.count;
        let may_be_over = stones.purpose == Purpose::Position;
        let (first_owner, engine) = match stones.purpose {
            Purpose::Swap2 if ![0, 3, 5].contains(&(own + other)) => {
                return Err(StonesError::Swap2Count);
            }
            Purpose::Swap2 => (Side::First, None),
            _ if own == other => (Side::First, Some(Side::First)),
            _ if other == own + 1 => (Side::Second, Some(Side::Second)),
            Purpose::Position if own == other + 1 => (Side::First, Some(Side::First)),
            _ => return Err(StonesError::Count { own, other }),
        };
        let desk = self.desk.as_deref_mut().ok_or(StonesError::Busy)?;
        if let Err(error) = stones.collected.place(desk, first_owner, may_be_over) {
            self.undo_damage();
            return Err(StonesError::Setup(error));
        }
        Ok(engine)
    }

    /// The last word of a saved game has come.
    pub(super) fn load(&mut self) {
        let mut loader = self.loader.take().unwrap_or_default();
        let desk = self.desk.as_deref_mut().filter(|_| self.work.is_none());
        loader.word(self.lines.text(), desk);
        match loader.finish() {
            Ok(header) => {
                self.stats.games = self.stats.games.saturating_add(1);
                self.adopt(header);
                self.ok_and_board();
            }
            Err(error) => {
                if loader.has_touched_the_board() {
                    self.undo_damage();
                }
                self.refuse(format_args!("LOAD: {error}"));
            }
        }
    }

    // Settings

    fn info(&mut self, info: Info) {
        let limit = |number: i64| u64::try_from(number).ok().filter(|&most| most > 0);
        let clamped = |ms: i64| ms.clamp(0, i64::from(u32::MAX)) as u32;
        match info {
            Info::TimeoutTurn(ms) => self.time.turn_ms = clamped(ms),
            Info::TimeoutMatch(ms) => self.time.match_ms = clamped(ms),
            Info::TimeLeft(ms) => self.time.set_left(ms),
            Info::MaxMemory(bytes) => self.limit_memory(bytes),
            Info::Rule(rule @ (0 | 1)) => self.set_rule(rule == 1),
            Info::Rule(rule) => self.info_error = Some(InfoError::Rule(rule)),
            Info::MaxNodes(nodes) => self.limits.nodes = limit(nodes),
            Info::MaxDepth(depth) => {
                self.limits.depth =
                    limit(depth).map(|depth| u32::try_from(depth).unwrap_or(u32::MAX));
            }
            Info::Seed(seed) => {
                self.seed = seed.cast_unsigned();
                if let Some(desk) = self.desk.as_deref_mut() {
                    // The same player as before, so it exists.
                    let _ = desk.seat(&self.player, self.seed);
                }
            }
            Info::ShowDetail(detail) => self.detail = detail != 0,
            Info::Ignored => {}
            Info::NotANumber(key) => self.info_error = Some(InfoError::NotANumber(key)),
        }
    }

    fn limit_memory(&mut self, bytes: i64) {
        let fixed = self.config.fixed_memory;
        let wanted = usize::try_from(bytes).unwrap_or(usize::MAX);
        self.memory = match wanted {
            _ if bytes <= 0 => usize::MAX,
            wanted if wanted < fixed => {
                self.info_error = Some(InfoError::Memory { least: fixed });
                return;
            }
            wanted => wanted - fixed,
        };
        if let Some(desk) = self.desk.as_deref_mut() {
            desk.limit_table(self.memory);
        }
    }

    /// The rule of a Gomocup game; for the game on the board if nothing is played yet.
    fn set_rule(&mut self, exact: bool) {
        self.exact = exact;
        let Some(spec) = self.game().filter(|game| game.ply() == 0).map(Game::spec) else { return };
        let ruled = self.with_rule(spec, self.by_info);
        if ruled != spec
            && let Some(desk) = self.desk.as_deref_mut()
            && desk.rebuild(ruled).is_ok()
        {
            self.keep(0);
        }
    }

    // Reports

    fn tell_clock(&mut self) {
        let [first_ms, second_ms] = Side::BOTH.map(|side| self.clocks.used_ms(side));
        let left_ms = self.time.left_us().map_or(UNLIMITED_MS, |us| us / 1_000);
        let (turn_ms, match_ms) = (self.time.turn_ms, self.time.match_ms);
        self.say(Reply::Clock(ClockReply { first_ms, second_ms, turn_ms, match_ms, left_ms }));
    }

    fn tell_version(&mut self) {
        let [mnk, connect, bricks] = M::CAPACITIES;
        let table = self.desk.as_deref_mut().map_or(0, Desk::table_bytes);
        let holds = Holds { protocol: PROTOCOL_VERSION, mnk, connect, bricks, table };
        self.say(Reply::Version(Version { name: NAME, version: VERSION, holds }));
    }

    /// What to make of a finding.
    pub(super) fn conclude(&mut self, work: &Work, finding: Finding, now_us: u64) {
        // The command came with a desk, so it is here again.
        let Some(spec) = self.game().map(Game::spec) else { return };
        let took_us = now_us.saturating_sub(work.started_us);
        match (work.job.task, finding) {
            (Task::Hint, Finding::Move(Some(decision))) => {
                let shown = spec.show_move(decision.best);
                self.tell_decision(spec, &decision);
                self.suggested = true;
                if self.is_human() {
                    self.answer(format_args!("Try {shown}."));
                } else {
                    self.answer(format_args!("SUGGEST {shown}"));
                }
            }
            (_, Finding::Move(decision)) => {
                let legal = |mv: &Move| self.game().is_some_and(|game| game.check(*mv).is_ok());
                let best = decision.map(|decision| decision.best).filter(legal);
                // A player always finds a move; if one did not, any will do.
                let any = || self.desk.as_deref().and_then(Desk::any_move);
                let Some(mv) = best.or_else(any) else { return self.refuse_over() };
                if let Some(decision) = &decision {
                    self.tell_decision(spec, decision);
                }
                self.play(mv, took_us, now_us);
                self.stats.moves = self.stats.moves.saturating_add(1);
                self.tell_move(mv, decision.as_ref());
                self.tell_ending();
            }
            (_, Finding::Worth(Some(report))) => self.tell_worth(spec, &report),
            (_, Finding::Worth(None)) => self.refuse_over(),
            (_, Finding::Speed { nodes, depth, elapsed_us }) => {
                self.say(Reply::Bench(Bench { nodes, depth, us: elapsed_us }));
            }
            (_, Finding::Opening(Proposal::Swap)) => {
                // The side to move is the second player's; the first player's is taken.
                self.engine = self.side_to_move().map(Side::other);
                self.say(Reply::Swap);
            }
            (_, Finding::Opening(Proposal::Stones(stones))) => {
                let mut text = heapless::String::<{ 3 * MOVE_TEXT }>::new();
                let side = self.side_to_move();
                for (n, &mv) in stones.iter().enumerate() {
                    // Where two stones make a line the game may be over before the last of them.
                    if self.game().is_some_and(|game| game.check(mv).is_err()) {
                        break;
                    }
                    let space = if n == 0 { "" } else { " " };
                    let _ = write!(text, "{space}{}", spec.show_move(mv));
                    self.play(mv, if n == 0 { took_us } else { 0 }, now_us);
                }
                self.engine = side.filter(|_| stones.len() == 1);
                self.say(Reply::Moves(&text));
                self.tell_ending();
            }
        }
    }

    /// What stands behind a move, for whoever asked for details.
    fn tell_decision(&mut self, spec: GameSpec, decision: &Decision) {
        let Decision { best, value: Some(value), why, nodes } = *decision else { return };
        let depth = if let Why::Depth(depth) = why { depth } else { 0 };
        self.tell_found(spec, (value, why == Why::Proved), (depth, nodes), &[best]);
    }

    /// `DEBUG EVAL ...`, for whoever asked for details. People are told in other words.
    pub(super) fn tell_found(
        &mut self,
        spec: GameSpec,
        (value, proved): (Value, bool),
        (depth, nodes): (u32, u64),
        line: &[Move],
    ) {
        // Where flash is scarce there are no details.
        if self.detail && !self.is_human() && !cfg!(feature = "compact") {
            let line = line_text(spec, line);
            let eval = Reply::Eval(Eval { value, proved, depth, nodes, line: &line });
            self.output.line(Kind::Debug, format_args!("{eval}"));
        }
    }

    fn tell_worth(&mut self, spec: GameSpec, report: &Report) {
        let line = line_text(spec, &report.line);
        let Report { value, proved, depth, nodes, .. } = *report;
        if self.is_human() {
            let proved = if proved { "proved" } else { "not proved" };
            self.answer(format_args!(
                "For the side to move: {value} ({proved}, depth {depth}, {nodes} nodes): {line}"
            ));
        } else {
            self.say(Reply::Eval(Eval { value, proved, depth, nodes, line: &line }));
        }
    }
}

/// Moves separated by spaces; what does not fit is left out.
fn line_text(spec: GameSpec, moves: &[Move]) -> heapless::String<{ LINE_CAPACITY * MOVE_TEXT }> {
    let mut line = heapless::String::new();
    for &mv in moves {
        let space = if line.is_empty() { "" } else { " " };
        let _ = write!(line, "{space}{}", spec.show_move(mv));
    }
    line
}

/// The text of an error that must outlive what it speaks of.
fn format_text(text: core::fmt::Arguments<'_>) -> heapless::String<96> {
    let mut string = heapless::String::new();
    // Longer than any of them.
    let _ = string.write_fmt(text);
    string
}

/// A line that is no command, as a person may mean it: a move, or a word from elsewhere.
fn read_as_a_person_means_it(line: &str) -> Option<Command<'_>> {
    let line = line.trim();
    match line {
        "?" => Some(Command::Help(None)),
        _ if ["quit", "exit", "bye"].iter().any(|word| line.eq_ignore_ascii_case(word)) => {
            Some(Command::End)
        }
        _ if line.starts_with(|first: char| first.is_ascii_digit()) => Some(Command::Turn(line)),
        _ => None,
    }
}

/// Whether an impossible `INFO` is reported instead of doing this.
const fn asks_for_play(command: &Command<'_>) -> bool {
    matches!(
        command,
        Command::New { .. }
            | Command::Restart
            | Command::Begin
            | Command::Turn(_)
            | Command::Play(_)
            | Command::Moves(_)
            | Command::Swap
            | Command::Hint
            | Command::Eval
    )
}
