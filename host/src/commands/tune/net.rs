//! The network for lines of five, learned from games.
//!
//! The engine, with prices alone or with an earlier network, plays itself on boards of several sizes, from
//! openings at random and with a random move now and then, so that more is seen than good play. How a position
//! went is told by the scores of the searches that followed and, the nearer it is the more, by the end of the
//! game. [`crate::training`] then learns from the quiet positions. Games can be kept in a file, one per line:
//!
//! ```text
//! number  board       who won   moves with the score of the search; `-` for a random one
//! 17      mnk:10x10x5 first     44:- 55:12 45:-30 ...
//! ```

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::Write;

use engine::game::any::OneOf;
use engine::game::line::patterns::net::{BYTES, MOST_CELLS, Net};
use engine::game::line::patterns::{PriceList, Worth};
use engine::game::{Game, Move, Outcome, Side, Tactics};
use engine::players::random::Dice;
use engine::score::{Score, is_loss, is_win};
use engine::search::ordering::{Candidate, MoveSink};
use engine::search::report::{Limits, NoClock};
use engine::search::{Options, search};
use engine::spec::GameSpec;

use super::{Arguments, HELD_BACK, Trials};
use crate::failure::{Failure, Status};
use crate::fit::{Sample, fit};
use crate::games_bar::GamesBar;
use crate::memory::Memory;
use crate::output_file::{self, Overwrite};
use crate::position;
use crate::seeds::derived;
use crate::self_play::{Conditions, Desk, Version, has_network, opening};
use crate::training::{Samples, Training};
use crate::workers;

/// Rows and columns of the boards that games are played on, in turns.
const BOARDS: [u8; 6] = [15, 10, 12, 15, 10, 20];
/// One move in so many is a random one.
const RANDOM_PART: usize = 25;
/// A random move is one of this many that are best at first sight.
const RANDOM_WIDTH: usize = 8;
/// A game begins with up to this many moves at random.
const LONGEST_OPENING: usize = 7;
/// Of what is known of a position, this part comes from the next one and the rest from its own search.
const FROM_NEXT: f32 = 0.93;
/// How often all positions are gone through.
const EPOCHS: u64 = 16;
/// How far a step goes in the first and in the last epoch.
const RATES: [f32; 2] = [3e-3, 1e-4];

/// A game that was played.
struct Played {
    spec: GameSpec,
    winner: Option<Side>,
    /// Moves, each with the score of the search unless it was a random one.
    moves: Vec<(Move, Option<Score>)>,
}

/// Plays games, learns, writes the network down and plays it against the engine as it is.
pub(super) fn run(
    arguments: &Arguments,
    name: &str,
    out: &mut dyn Write,
) -> Result<Status, Failure> {
    if !has_network(arguments.game) {
        return Err(Failure::Input(format!(
            "{}: a network is for mnk boards with lines of five and 65 to {MOST_CELLS} cells",
            arguments.game
        )));
    }
    let overwrite = if arguments.force { Overwrite::Forced } else { Overwrite::NotUnlessForced };
    let mut file = output_file::create(name, overwrite)?;
    let games = games(arguments)?;
    let (mut samples, mut held_back) = (Samples::default(), Samples::default());
    let per_point = PerPoint::of(games.values())?;
    for (number, game) in &games {
        let chosen = if number % HELD_BACK == 0 { &mut held_back } else { &mut samples };
        add(game, &per_point, chosen)?;
    }
    writeln!(
        out,
        "{} positions of {} games; a point of the prices is worth {:.5}, one of a search {:.5}",
        samples.len(),
        games.len(),
        per_point.prices,
        per_point.search,
    )?;
    let mut training = Training::new(per_point.prices as f32, arguments.games.seed);
    for epoch in 0..EPOCHS {
        let part = epoch as f32 / (EPOCHS - 1) as f32;
        let rate = RATES[0] * (RATES[1] / RATES[0]).powf(part);
        training.epoch(&samples, rate, derived(arguments.games.seed, &[epoch]));
        let (with, without, added) = training.surprise(&held_back);
        writeln!(
            out,
            "epoch {epoch}: surprise {with:.5}, of prices {without:.5}, adds {added:.0} points"
        )?;
        out.flush()?;
    }
    let bytes = training.bytes();
    output_file::fill(name, &mut file, bytes)?;
    let versions = [Version::with_net(network(name, &bytes)?), Version::default()];
    let mut desk = Desk::new(arguments.games.table)?;
    Trials::new(arguments).compare(&mut desk, &versions, out)?;
    Ok(Status::Done)
}

/// The network in the bytes of the file `name`.
fn network(name: &str, bytes: &[u8]) -> Result<Net, Failure> {
    let known = bytes.try_into().ok().and_then(Net::read);
    known.ok_or_else(|| Failure::Input(format!("{name}: no network of {BYTES} bytes")))
}

/// The games to learn from, by number.
fn games(arguments: &Arguments) -> Result<BTreeMap<u64, Played>, Failure> {
    let version = match &arguments.played_by {
        Some(file) => {
            let name = &file.display().to_string();
            let bytes =
                std::fs::read(file).map_err(|error| Failure::Input(format!("{name}: {error}")))?;
            Version::with_net(network(name, &bytes)?)
        }
        None => Version::valuing(Worth::OF_FIVES),
    };
    let mut games = BTreeMap::new();
    let mut kept = None;
    if let Some(path) = &arguments.kept {
        let failed = |error| Failure::Input(format!("{}: {error}", path.display()));
        let text = match std::fs::read_to_string(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            text => text.map_err(failed)?,
        };
        // A last line without an end was cut off when the program was ended.
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        for (n, line) in text[..whole].lines().enumerate() {
            let Some((number, game)) = read(line) else {
                let line = n + 1;
                let name = path.display();
                return Err(Failure::Input(format!("{name}: line {line} is no game")));
            };
            games.insert(number, game);
        }
        let file = OpenOptions::new().create(true).append(true).open(path).map_err(failed)?;
        file.set_len(whole as u64).map_err(failed)?;
        kept = Some(file);
    }
    games.retain(|&number, _| number < arguments.learn);
    let to_play: Vec<u64> = (0..arguments.learn).filter(|n| !games.contains_key(n)).collect();
    let bar = GamesBar::new(to_play.len() as u64);
    workers::share(
        &to_play,
        || Memory::new(arguments.games.table),
        |memory, &number| play(arguments, &version, number, memory),
        |&number, game| {
            if let Some(file) = &mut kept {
                // At once, so that no half of a line is left if the program is ended.
                file.write_all(format!("{}\n", text(number, &game)).as_bytes())?;
            }
            games.insert(number, game);
            bar.advance();
            Ok(())
        },
    )?;
    Ok(games)
}

fn text(number: u64, game: &Played) -> String {
    let winner = match game.winner {
        Some(Side::First) => "first",
        Some(Side::Second) => "second",
        None => "nobody",
    };
    let mut text = format!("{number} {} {winner}", game.spec);
    for (mv, score) in &game.moves {
        let score = score.map_or("-".into(), |score| score.to_string());
        text += &format!(" {}:{score}", mv.index());
    }
    text
}

fn read(line: &str) -> Option<(u64, Played)> {
    let mut words = line.split_whitespace();
    let number = words.next()?.parse().ok()?;
    let spec: GameSpec = words.next()?.parse().ok()?;
    let winner = match words.next()? {
        "first" => Some(Side::First),
        "second" => Some(Side::Second),
        "nobody" => None,
        _ => return None,
    };
    let mv = |word: &str| {
        let (cell, score) = word.split_once(':')?;
        let cell = cell.parse().ok().filter(|&cell: &usize| cell < spec.cells())?;
        let score = if score == "-" { None } else { Some(score.parse().ok()?) };
        Some((Move::new(cell), score))
    };
    let moves = words.map(mv).collect::<Option<Vec<_>>>()?;
    Some((number, Played { spec, winner, moves }))
}

/// Plays the game with this number.
fn play(
    arguments: &Arguments,
    version: &Version,
    number: u64,
    memory: &mut Memory,
) -> Result<Played, Failure> {
    let mut dice = Dice::new(derived(arguments.games.seed, &[number]));
    let side = BOARDS[number as usize % BOARDS.len()];
    let spec = GameSpec::Mnk { rows: side, cols: side, k: 5, exact: false };
    let conditions = Conditions {
        spec,
        nodes: arguments.nodes,
        opening: 1 + dice.roll(LONGEST_OPENING),
        seed: 0,
    };
    let mut board = opening(&conditions, &mut dice)?;
    version.value(&mut board);
    let mut moves: Vec<_> =
        (0..board.ply()).filter_map(|n| Some((board.played(n)?, None))).collect();
    let mut storage = vec![Candidate::NONE; spec.move_numbers()];
    memory.fresh();
    while board.outcome().is_none() {
        let limits = Limits { nodes: Some(arguments.nodes), ..Limits::default() };
        let (mut table, workspace) = memory.parts();
        let report = search(&mut board, &limits, &Options::ALL, &NoClock, &mut table, workspace);
        let age = table.age();
        memory.keep_age(age);
        let Some(report) = report else { break };
        let mut next = (report.best, Some(report.score));
        if dice.roll(RANDOM_PART) == 0 && board.tactics() == Tactics::Quiet {
            let mut sink = MoveSink::new(&mut storage);
            board.generate(&mut sink);
            let count = sink.len();
            let found = &mut storage[..count];
            found.sort_unstable_by(|one, other| other.cmp(one));
            if let Some(random) = found.get(dice.roll(count.clamp(1, RANDOM_WIDTH))) {
                // What was seen before it is known all the same, of the position and not of the move.
                next = (random.mv(), None);
            }
        }
        board.make(next.0);
        moves.push(next);
    }
    let winner = match board.outcome() {
        Some(Outcome::Win(side)) => Some(side),
        _ => None,
    };
    Ok(Played { spec, winner, moves })
}

/// By how much a point makes a win more likely, as a logit.
struct PerPoint {
    prices: f64,
    search: f64,
}

impl PerPoint {
    /// Fits both to the results of games.
    fn of<'a>(games: impl Iterator<Item = &'a Played>) -> Result<PerPoint, Failure> {
        /// Games that are looked at.
        const LOOKED_AT: usize = 3_000;
        let (mut prices, mut search) = (vec![], vec![]);
        for game in games.take(LOOKED_AT) {
            replay(game, |position, score| {
                let side = position.side_to_move();
                let result = match game.winner {
                    None => 0.5,
                    Some(winner) => f64::from(u8::from(winner == side)),
                };
                let sample = |points: Score| Sample { features: vec![f64::from(points)], result };
                prices.push(sample(position.evaluate()));
                if let Some(score) = score.filter(|&score| !is_win(score) && !is_loss(score)) {
                    search.push(sample(score));
                }
            })?;
        }
        let of = |samples: &[Sample]| fit(samples, 0.0).first().copied().unwrap_or(0.0);
        let found = PerPoint { prices: of(&prices), search: of(&search) };
        if found.prices <= 0.0 || found.search <= 0.0 {
            return Err(Failure::Input("the games say too little: give a larger --learn".into()));
        }
        Ok(found)
    }
}

/// A board of more than 64 cells.
type Board = engine::game::mnk::board::Mnk<4_900>;

/// Calls `visit` with every quiet position of a game and the score of the search there.
fn replay(game: &Played, mut visit: impl FnMut(&Board, Option<Score>)) -> Result<(), Failure> {
    static PRICES_ONLY: PriceList = PriceList::new(Worth::OF_FIVES);
    let mut position = position::start(game.spec).map_err(Failure::Input)?;
    let OneOf::Mnk(board) = &mut position else {
        return Err(Failure::Input(format!(
            "{}: a board of more than 64 cells is wanted",
            game.spec
        )));
    };
    board.set_prices(&PRICES_ONLY);
    for &(mv, score) in &game.moves {
        if board.tactics() == Tactics::Quiet && board.double_threat().is_none() && board.ply() > 0 {
            visit(board, score);
        }
        board.try_play(mv).map_err(|error| Failure::Input(format!("{}: {error}", game.spec)))?;
    }
    Ok(())
}

/// Adds the quiet positions of a game.
fn add(game: &Played, per_point: &PerPoint, samples: &mut Samples) -> Result<(), Failure> {
    // For the first player, from the end backwards.
    let mut known = match game.winner {
        None => 0.5,
        Some(Side::First) => 1.0,
        Some(Side::Second) => 0.0,
    };
    let mut results = vec![0.5; game.moves.len()];
    for (ply, (_, score)) in game.moves.iter().enumerate().rev() {
        match score {
            None => known = f32::NAN,
            Some(score) => {
                let logit = (f64::from(*score) * per_point.search).clamp(-8.0, 8.0);
                let seen = (1.0 / (1.0 + (-logit).exp())) as f32;
                let seen = if ply % 2 == 0 { seen } else { 1.0 - seen };
                known = if known.is_nan() {
                    seen
                } else {
                    FROM_NEXT * known + (1.0 - FROM_NEXT) * seen
                };
            }
        }
        results[ply] = known;
    }
    let mut cells = vec![];
    replay(game, |position, score| {
        if score.is_none() {
            return;
        }
        let known = results[position.ply()];
        let first = position.side_to_move() == Side::First;
        cells.clear();
        cells.extend(
            position.cells_in_line().map(|classes| {
                if first { classes } else { classes.map(|both| both.rotate_left(4)) }
            }),
        );
        let result = if first { known } else { 1.0 - known };
        samples.push(&cells, position.evaluate() as f32, result);
    })
}
