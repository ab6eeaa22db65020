//! `tavola tune`: better weights for the evaluation of large mnk boards, by self-play.
//!
//! One weight after the other is tried a step larger and a step smaller against the weights so far. A
//! change is kept if it scores well enough over the games of a trial; the first round has wide steps,
//! each further round narrower ones. The same arguments give the same weights on every machine. What
//! comes out goes into `Worth::DEFAULT` by hand.

use std::io::Write;

use clap::Args;
use engine::game::line::patterns::{CLASSES, Worth};
use engine::spec::GameSpec;

use crate::elo::Elo;
use crate::failure::{Failure, Status};
use crate::games_bar::GamesBar;
use crate::self_play::{Conditions, Desk, GamesArguments, Version};
use crate::tally::Tally;

const EXAMPLES: &str = "\
Examples:
  tavola tune
  tavola tune --game mnk:15x15x5 --rounds 3 --pairs 100 --nodes 2000

Prints every trial and, at the end, the weights. Only classes that the length of the line can have
are tried.";

/// The arguments of `tavola tune`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The game: an mnk board of more than 64 cells
    #[arg(long, value_name = "SPEC", default_value = "mnk:15x15x5")]
    pub game: GameSpec,
    /// How often to go through all weights
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub rounds: u32,
    /// Openings per trial, each played twice
    #[arg(long, value_name = "N", default_value_t = 60)]
    pub pairs: u64,
    /// Nodes per move
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    pub nodes: u64,
    /// How games begin, and the memory
    #[command(flatten)]
    pub games: GamesArguments,
    /// Weights to begin with instead of those in use: the classes from 0 to 15, four-three,
    /// three-three, initiative and tempo, 20 numbers
    #[arg(long, value_name = "W,...", value_delimiter = ',')]
    pub from: Vec<u16>,
}

/// What a change must score at least to be kept, in percent.
const GOOD_ENOUGH: f64 = 53.0;

/// The weights that can be changed, by name.
struct Knob {
    name: String,
    get: fn(&Worth, usize) -> u16,
    set: fn(&mut Worth, usize, u16),
    index: usize,
}

/// All knobs for lines of this length.
fn knobs(k: u16) -> Vec<Knob> {
    let lowest = CLASSES.saturating_sub(1 + 2 * usize::from(k.max(2) - 1)).max(1);
    let mut knobs: Vec<Knob> = (lowest..CLASSES)
        .rev()
        .map(|index| Knob {
            name: format!("class {index}"),
            get: |worth, index| worth.classes[index],
            set: |worth, index, value| worth.classes[index] = value,
            index,
        })
        .collect();
    let mut single = |name: &str, get, set| {
        knobs.push(Knob { name: name.into(), get, set, index: 0 });
    };
    single("four_three", |worth, _| worth.four_three, |worth, _, value| worth.four_three = value);
    single(
        "three_three",
        |worth, _| worth.three_three,
        |worth, _, value| worth.three_three = value,
    );
    single("initiative", |worth, _| worth.initiative, |worth, _, value| worth.initiative = value);
    single("tempo", |worth, _| worth.tempo, |worth, _, value| worth.tempo = value);
    knobs
}

/// Steps per round: how many percent a weight is changed by.
const STEPS: [u32; 4] = [60, 35, 20, 12];

/// Runs the command.
///
/// # Errors
/// The game has no such weights, memory is short, or the output cannot be written.
pub fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Status, Failure> {
    let GameSpec::Mnk { k, .. } = arguments.game else {
        return Err(Failure::Input(format!(
            "{}: only mnk boards of more than 64 cells have weights to tune",
            arguments.game
        )));
    };
    if arguments.game.cells() <= 64 {
        return Err(Failure::Input(format!(
            "{}: a board of up to 64 cells is valued in another way; take a larger one",
            arguments.game
        )));
    }
    let conditions = Conditions {
        spec: arguments.game,
        nodes: arguments.nodes,
        opening: arguments.games.openings,
        seed: arguments.games.seed,
    };
    let mut desk = Desk::new(arguments.games.table)?;
    let mut worth = start(&arguments.from)?;
    let mut trials = 0;
    for round in 0..arguments.rounds {
        let percent = STEPS[(round as usize).min(STEPS.len() - 1)];
        for knob in knobs(k) {
            let now = u32::from((knob.get)(&worth, knob.index));
            let step = (now * percent / 100).max(1);
            for candidate in [now + step, now.saturating_sub(step)] {
                let candidate = u16::try_from(candidate).unwrap_or(u16::MAX);
                let mut changed = worth;
                (knob.set)(&mut changed, knob.index, candidate);
                trials += 1;
                let versions = [
                    &Version { worth: changed, ..Version::default() },
                    &Version { worth, ..Version::default() },
                ];
                let tally = trial(&mut desk, versions, &conditions, arguments.pairs, trials)?;
                let kept = tally.score() * 100.0 >= GOOD_ENOUGH;
                writeln!(
                    out,
                    "round {round} {:<11} {now:>5} -> {candidate:>5}: {:>3} won, {:>3} drawn, {:>3} lost{}",
                    knob.name,
                    tally.won,
                    tally.drawn,
                    tally.lost,
                    if kept { ", kept" } else { "" }
                )?;
                out.flush()?;
                if kept {
                    worth = changed;
                    break;
                }
            }
        }
    }
    let versions = [
        &Version { worth, ..Version::default() },
        &Version { worth: Worth::DEFAULT, ..Version::default() },
    ];
    let tally = trial(&mut desk, versions, &conditions, arguments.pairs, trials + 1)?;
    writeln!(out, "against the weights at the start: {}", Elo::of(tally))?;
    writeln!(out, "{worth:?}")?;
    Ok(Status::Done)
}

/// The weights to begin with.
fn start(from: &[u16]) -> Result<Worth, Failure> {
    if from.is_empty() {
        return Ok(Worth::DEFAULT);
    }
    let (classes, rest) = from.split_at_checked(CLASSES).unwrap_or((&[], &[]));
    match (classes.try_into(), rest) {
        (Ok(classes), &[four_three, three_three, initiative, tempo]) => {
            Ok(Worth { classes, four_three, three_three, initiative, tempo })
        }
        _ => Err(Failure::Input(format!(
            "--from: expected {} numbers, not {}",
            CLASSES + 4,
            from.len()
        ))),
    }
}

/// Plays the openings of one trial.
///
/// # Errors
/// The board is larger than this build holds.
fn trial(
    desk: &mut Desk,
    versions: [&Version; 2],
    conditions: &Conditions,
    pairs: u64,
    number: u64,
) -> Result<Tally, Failure> {
    let mut tally = Tally::default();
    let bar = GamesBar::counting(pairs, "pairs of games");
    for pair in 0..pairs {
        let pair = number * pairs + pair;
        tally = tally + desk.play_pair(versions, conditions, pair)?;
        bar.advance();
    }
    Ok(tally)
}
