//! `tavola tune`: weights for the evaluation of large mnk boards and of bricks, from
//! self-play.
//!
//! There are two ways, one after the other. To *learn*, the engine plays itself from openings at random;
//! of every quiet position it is noted what the evaluation counts there and how the game ended, and the
//! weights are those that make the results most likely ([`crate::fit`]). That gives a good place to start
//! from, though not the strongest weights. To learn *on top*, the evaluation in use counts as one more
//! feature, and what the others add to it is added to the weights in use. To *climb*, one weight after
//! the other is tried a step larger and a step smaller in games against the weights so far, and the
//! better is kept if it does well enough.
//!
//! In the end the weights are played against those in use. The same arguments
//! give the same weights. What comes out goes into `Worth::OF_FIVES`, `OF_LONG_LINES` or `OF_OTHERS` by hand.
//!
//! For lines of five a network is learned on top of the prices, and written to a file.

mod bricks;
mod net;

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use engine::game::any::{OneOf, Position};
use engine::game::line::patterns::{
    CLASSES, COMPLETES, CROSSINGS, Census, Crossing, OPEN_THREE, Prices, Worth,
};
use engine::game::{Game, Outcome, Side, Tactics};
use engine::spec::GameSpec;

use crate::elo::Elo;
use crate::failure::{Failure, Status};
use crate::fit::{Sample, fit, surprise};
use crate::games_bar::GamesBar;
use crate::self_play::{Conditions, Desk, GamesArguments, Version};
use crate::tally::Tally;

const EXAMPLES: &str = "\
Examples:
  tavola tune --learn 2500
  tavola tune --learn 1500 --on-top --nodes 800
  tavola tune --rounds 2 --nodes 2000 --pairs 200
  tavola tune --game mnk:20x20x6 --learn 1000 --rounds 1
  tavola tune --game bricks:11 --learn 2000 --nodes 600
  tavola tune --net first.bin --learn 60000 --nodes 800 --kept games.txt
  tavola tune --net second.bin --learn 160000 --nodes 1000 --kept games.txt --played-by first.bin

Prints every trial, the weights, and how they do against those in use. Classes that the length of the line cannot
have get no weight. Weights of bricks are learned, not climbed: 7 moments of the game with 10 numbers each.";

/// The arguments of `tavola tune`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The game: an mnk board of more than 64 cells, or bricks up to 12x12
    #[arg(long, value_name = "SPEC", default_value = "mnk:15x15x5")]
    pub game: GameSpec,
    /// Games to learn from; without any, the start is the weights in use
    #[arg(long, value_name = "GAMES", default_value_t = 0)]
    pub learn: u64,
    /// Learn what is to be added to the weights in use instead of new ones (mnk)
    #[arg(long, requires = "learn")]
    pub on_top: bool,
    /// How often to climb through all weights
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub rounds: usize,
    /// Openings per trial, each played twice
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub pairs: u64,
    /// Nodes per move
    #[arg(long, value_name = "N", default_value_t = 1_500)]
    pub nodes: u64,
    /// How games begin, and the memory
    #[command(flatten)]
    pub games: GamesArguments,
    /// Learn the network for lines of five instead, and write it to this file
    #[arg(long, value_name = "FILE", requires = "learn", conflicts_with_all = ["on_top", "rounds", "from"])]
    pub net: Option<String>,
    /// Overwrite that file if it exists
    #[arg(long, requires = "net")]
    pub force: bool,
    /// A file that keeps the games that a network learns from: those in it are not played again
    #[arg(long, value_name = "FILE", requires = "net")]
    pub kept: Option<PathBuf>,
    /// The network that plays the games to learn from; without one the prices alone do
    #[arg(long, value_name = "FILE", requires = "net")]
    pub played_by: Option<PathBuf>,
    /// Weights to start from instead of those in use: those of the side to move, of the other side, each by
    /// class from 0 to 15 and by crossing, and of the move itself, 53 numbers. In bricks 70
    #[arg(long, value_name = "W,...", value_delimiter = ',', allow_hyphen_values = true)]
    pub from: Vec<i16>,
}

/// Weights are scaled so that an open three of the side to move is worth this.
const OPEN_THREE_PRICE: f64 = 160.0;
/// A cell that completes a line is seen by the search: its weight hardly matters.
const COMPLETING_PRICE: i16 = 1_200;
/// How much weights that results say little about are drawn to 0.
const RIDGE: f64 = 1e-5;
/// One game in so many is kept apart, to see how the weights do on games they do not come from.
const HELD_BACK: u64 = 5;
/// What a change must score at least to be kept, in percent.
const GOOD_ENOUGH: f64 = 52.0;
/// By how many percent a weight is changed, by round; in further rounds as in the last.
const STEPS: [i32; 3] = [45, 30, 20];
/// The least change.
const LEAST_STEP: i32 = 2;
/// Openings of trials are other ones than those learned from.
const TRIAL_SEED: u64 = 0x7121;

/// Numbers per side.
const PRICES: usize = CLASSES + CROSSINGS;

/// Runs the command.
///
/// # Errors
/// The game has no such weights, memory is short, or the output cannot be written.
pub fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Status, Failure> {
    if let Some(file) = &arguments.net {
        return net::run(arguments, file, out);
    }
    let k = match arguments.game {
        GameSpec::Mnk { k, .. } => k,
        GameSpec::Bricks { .. } => return bricks::run(arguments, out),
        GameSpec::Connect { .. } => {
            return Err(Failure::Input(format!(
                "{}: only mnk boards of more than 64 cells and bricks have weights to tune",
                arguments.game
            )));
        }
    };
    if arguments.game.cells() <= 64 {
        return Err(Failure::Input(format!(
            "{}: a board of up to 64 cells is valued in another way; take a larger one",
            arguments.game
        )));
    }
    let conditions = conditions(arguments);
    let mut desks = [Desk::new(arguments.games.table)?, Desk::new(arguments.games.table)?];
    let mut worth = match given(&arguments.from)? {
        Some(worth) => worth,
        None if arguments.learn > 0 => {
            let base = arguments.on_top.then(|| Worth::for_length(k));
            learn(&mut desks[0], &conditions, arguments.learn, base, out)?
        }
        None => Worth::for_length(k),
    };
    let mut trials = Trials::new(arguments);
    for round in 0..arguments.rounds {
        let percent = STEPS[round.min(STEPS.len() - 1)];
        for knob in knobs(k) {
            worth = trials.climb(&mut desks, worth, &knob, percent, out)?;
        }
    }
    writeln!(out, "{worth:?}")?;
    let versions = [worth, Worth::for_length(k)].map(Version::valuing);
    trials.compare(&mut desks[0], &versions, out)?;
    Ok(Status::Done)
}

fn conditions(arguments: &Arguments) -> Conditions {
    Conditions {
        spec: arguments.game,
        nodes: arguments.nodes,
        opening: arguments.games.openings,
        seed: arguments.games.seed,
    }
}

/// A weight that can be changed.
struct Knob {
    name: String,
    of: Box<dyn Fn(&mut Worth) -> &mut i16>,
}

/// All knobs for lines of this length, those that matter most first.
fn knobs(k: u16) -> Vec<Knob> {
    let lowest = COMPLETES.saturating_sub(2 * usize::from(k.max(2) - 1)).max(1);
    let mut knobs = vec![];
    let mut add = |name: String, of: Box<dyn Fn(&mut Worth) -> &mut i16>| {
        knobs.push(Knob { name, of });
    };
    for class in (lowest..COMPLETES).rev() {
        add(format!("mover {class}"), Box::new(move |worth| &mut worth.mover.classes[class]));
        add(format!("waiter {class}"), Box::new(move |worth| &mut worth.waiter.classes[class]));
    }
    add("tempo".into(), Box::new(|worth| &mut worth.tempo));
    for crossing in Crossing::ALL {
        let n = crossing as usize;
        add(format!("mover {crossing:?}"), Box::new(move |worth| &mut worth.mover.crossings[n]));
        add(format!("waiter {crossing:?}"), Box::new(move |worth| &mut worth.waiter.crossings[n]));
    }
    knobs
}

/// Games between weights.
struct Trials {
    pairs: u64,
    conditions: Conditions,
    /// Every trial has openings of its own.
    played: u64,
}

impl Trials {
    fn new(arguments: &Arguments) -> Trials {
        let conditions = conditions(arguments);
        Trials {
            pairs: arguments.pairs,
            conditions: Conditions { seed: conditions.seed ^ TRIAL_SEED, ..conditions },
            played: 0,
        }
    }

    /// Plays new weights against those in use and tells the result.
    fn compare(
        &self,
        desk: &mut Desk,
        versions: &[Version; 2],
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let tally = self.play(desk, versions)?;
        let Tally { won, drawn, lost } = tally;
        writeln!(
            out,
            "against the weights in use: {won} won, {drawn} drawn, {lost} lost, Elo {}",
            Elo::of(tally)
        )?;
        Ok(())
    }

    /// Tries a weight a step larger and a step smaller, both at the same time, and returns the best.
    fn climb(
        &mut self,
        desks: &mut [Desk; 2],
        worth: Worth,
        knob: &Knob,
        percent: i32,
        out: &mut dyn Write,
    ) -> Result<Worth, Failure> {
        let now = i32::from(*(knob.of)(&mut { worth }));
        let step = (now.abs() * percent / 100).max(LEAST_STEP);
        let tried = [now + step, now - step].map(|value| {
            let mut changed = worth;
            *(knob.of)(&mut changed) = value.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
            changed
        });
        let trials = &*self;
        let tallies = std::thread::scope(|scope| {
            let games = desks.iter_mut().zip(&tried).map(|(desk, &changed)| {
                let versions = [changed, worth].map(Version::valuing);
                scope.spawn(move || trials.play(desk, &versions))
            });
            let games: Vec<_> = games.collect();
            games.into_iter().map(|game| game.join()).collect::<Vec<_>>()
        });
        self.played += 1;
        let mut best = (GOOD_ENOUGH / 100.0, worth);
        for (tally, mut changed) in tallies.into_iter().zip(tried) {
            let tally = tally.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
            let Tally { won, drawn, lost } = tally;
            let value = *(knob.of)(&mut changed);
            writeln!(
                out,
                "{:<18} {now:>5} -> {value:>5}: {won:>3} won, {drawn:>3} drawn, {lost:>3} lost",
                knob.name
            )?;
            if tally.score() >= best.0 {
                best = (tally.score(), changed);
            }
        }
        let mut kept = best.1;
        if kept != worth {
            writeln!(out, "{:<18} is {} now", knob.name, *(knob.of)(&mut kept))?;
        }
        out.flush()?;
        Ok(kept)
    }

    /// Plays the openings of the next trial.
    fn play(&self, desk: &mut Desk, versions: &[Version; 2]) -> Result<Tally, Failure> {
        let mut tally = Tally::default();
        let bar = GamesBar::counting(self.pairs, "pairs of games");
        for pair in 0..self.pairs {
            let pair = self.played * self.pairs + pair;
            tally = tally + desk.play_pair(versions.each_ref(), &self.conditions, pair)?;
            bar.advance();
        }
        Ok(tally)
    }
}

/// The weights of `--from`, if there are any.
fn given(numbers: &[i16]) -> Result<Option<Worth>, Failure> {
    if numbers.is_empty() {
        return Ok(None);
    }
    let prices = |numbers: &[i16]| {
        let (classes, rest) = numbers.split_first_chunk::<CLASSES>()?;
        Some(Prices { classes: *classes, crossings: rest.try_into().ok()? })
    };
    let worth = || {
        let (mover, rest) = numbers.split_at_checked(PRICES)?;
        let (waiter, rest) = rest.split_at_checked(PRICES)?;
        let &[tempo] = rest else { return None };
        Some(Worth { mover: prices(mover)?, waiter: prices(waiter)?, tempo })
    };
    let wrong = || {
        let (wanted, given) = (2 * PRICES + 1, numbers.len());
        Failure::Input(format!("--from: expected {wanted} numbers, not {given}"))
    };
    worth().map(Some).ok_or_else(wrong)
}

/// Plays games and fits weights to their results.
fn learn(
    desk: &mut Desk,
    conditions: &Conditions,
    games: u64,
    base: Option<Worth>,
    out: &mut dyn Write,
) -> Result<Worth, Failure> {
    let (mut samples, mut held_back) = (vec![], vec![]);
    let version = match conditions.spec {
        GameSpec::Mnk { k, .. } => Version::valuing(Worth::for_length(k)),
        _ => Version::default(),
    };
    let bar = GamesBar::new(games);
    for game in 0..games {
        let mut seen = vec![];
        let end = desk.play_one([&version; 2], conditions, game, |position| {
            seen.extend(features(position).map(|mut features| {
                if base.is_some() {
                    features.push(f64::from(position.evaluate()));
                }
                (position.side_to_move(), features)
            }));
        })?;
        let outcome = end.outcome().unwrap_or(Outcome::Draw);
        let chosen = if game % HELD_BACK == 0 { &mut held_back } else { &mut samples };
        chosen.extend(seen.into_iter().map(|(side, features)| {
            let result = match outcome {
                Outcome::Draw => 0.5,
                Outcome::Win(winner) => f64::from(u8::from(winner == side)),
            };
            Sample { features, result }
        }));
        bar.advance();
    }
    drop(bar);
    let weights = fit(&samples, RIDGE);
    let yardstick = if base.is_some() { weights.last() } else { weights.get(OPEN_THREE) };
    if yardstick.is_none_or(|&weight| weight <= 0.0) {
        return Err(Failure::Input(format!("{games} games say too little: give a larger --learn")));
    }
    writeln!(
        out,
        "{} positions of {games} games; surprise {:.4}, on {} held back {:.4}",
        samples.len(),
        surprise(&samples, &weights),
        held_back.len(),
        surprise(&held_back, &weights)
    )?;
    Ok(match base {
        Some(base) => added(&base, &weights),
        None => scaled(&weights),
    })
}

/// What counts in a quiet position: each number of either side's [`Census`], the waiting side's with
/// a minus, and 1 for the move. `None` if the next moves are forced: a search sees to them.
fn features(position: &Position) -> Option<Vec<f64>> {
    let OneOf::Mnk(game) = position else { return None };
    if game.tactics() != Tactics::Quiet || game.double_threat().is_some() {
        return None;
    }
    let us = game.side_to_move();
    let of = |side: Side, sign: f64| {
        let Census { mut classes, mut crossings } = game.census(side);
        // Every cell has some class: to count the others too would say the same twice.
        classes[0] = 0;
        crossings[Crossing::None as usize] = 0;
        let counts = classes.into_iter().chain(crossings);
        counts.map(move |count| sign * f64::from(count))
    };
    Some(of(us, 1.0).chain(of(us.other(), -1.0)).chain([1.0]).collect())
}

/// These weights and what was learned on top of them, the last of which is that of the evaluation itself.
fn added(base: &Worth, weights: &[f64]) -> Worth {
    let scale = weights.last().map_or(0.0, |evaluation| 1.0 / evaluation);
    let whole = |n: usize| weights.get(n).map_or(0, |weight| (weight * scale).round() as i16);
    let prices = |base: &Prices, start: usize| Prices {
        classes: std::array::from_fn(|class| match class {
            COMPLETES => COMPLETING_PRICE,
            _ => base.classes[class].saturating_add(whole(start + class)),
        }),
        crossings: std::array::from_fn(|n| {
            base.crossings[n].saturating_add(whole(start + CLASSES + n))
        }),
    };
    Worth {
        mover: prices(&base.mover, 0),
        waiter: prices(&base.waiter, PRICES),
        tempo: base.tempo.saturating_add(whole(2 * PRICES)),
    }
}

/// The weights in whole numbers.
fn scaled(weights: &[f64]) -> Worth {
    let scale = OPEN_THREE_PRICE / weights[OPEN_THREE];
    let whole = |n: usize| (weights[n] * scale).round() as i16;
    let prices = |start: usize| {
        let mut classes: [i16; CLASSES] = std::array::from_fn(|class| whole(start + class));
        classes[COMPLETES] = COMPLETING_PRICE;
        Prices { classes, crossings: std::array::from_fn(|n| whole(start + CLASSES + n)) }
    };
    Worth { mover: prices(0), waiter: prices(PRICES), tempo: whole(2 * PRICES) }
}
