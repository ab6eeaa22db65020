//! Weights for bricks, learned from margins.
//!
//! The engine plays itself from openings at random. Of every position it is noted by how much the side
//! to move leads in each of the numbers that the evaluation counts, and by how many points its side won
//! in the end. The weights are those whose sums come nearest to these margins, drawn a little to the
//! weights in use: what the games say little about stays as it is.

use std::io::Write;

use engine::game::Game;
use engine::game::bricks::MAX_SURVEYED_SIDE;
use engine::game::bricks::survey::{KINDS, Leads, MOMENTS, STEPS, UNIT, WEIGHTS, Weights, leads};

use super::{Arguments, HELD_BACK, Trials, conditions};
use crate::failure::{Failure, Status};
use crate::fit::{Sample, fit_margins, miss};
use crate::games_bar::GamesBar;
use crate::self_play::{Conditions, Desk, Version};

/// How much weights are drawn to those in use.
const RIDGE: f64 = 0.02;

/// Runs `tavola tune` for bricks.
pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Status, Failure> {
    let wrong = |what: String| Failure::Input(format!("{}: {what}", arguments.game));
    if arguments.game.rows() > MAX_SURVEYED_SIDE {
        let most = MAX_SURVEYED_SIDE;
        return Err(wrong(format!("boards over {most}x{most} have no weights to tune")));
    }
    if arguments.rounds > 0 {
        return Err(wrong("weights of bricks are not climbed: give --learn, not --rounds".into()));
    }
    let mut desk = Desk::new(arguments.games.table)?;
    let weights = if arguments.learn > 0 {
        learn(&mut desk, &conditions(arguments), arguments.learn, out)?
    } else {
        given(&arguments.from)?
    };
    for row in weights {
        writeln!(out, "{row:?},")?;
    }
    let versions =
        [weights, WEIGHTS].map(|weights| Version { weights: Some(weights), ..Version::default() });
    Trials::new(arguments).compare(&mut desk, &versions, out)?;
    Ok(Status::Done)
}

/// The weights of `--from`.
fn given(numbers: &[i16]) -> Result<Weights, Failure> {
    let mut weights = WEIGHTS;
    let (wanted, count) = (KINDS * MOMENTS, numbers.len());
    if count != wanted {
        return Err(Failure::Input(format!("--from: expected {wanted} numbers, not {count}")));
    }
    for (weight, &number) in weights.as_flattened_mut().iter_mut().zip(numbers) {
        *weight = number;
    }
    Ok(weights)
}

/// Plays games and fits weights to their margins.
fn learn(
    desk: &mut Desk,
    conditions: &Conditions,
    games: u64,
    out: &mut dyn Write,
) -> Result<Weights, Failure> {
    let in_use: Vec<f64> = WEIGHTS.as_flattened().iter().copied().map(f64::from).collect();
    let (mut samples, mut held_back) = (vec![], vec![]);
    let bar = GamesBar::new(games);
    for game in 0..games {
        let mut seen = vec![];
        let version = Version::default();
        let end = desk.play_one([&version; 2], conditions, game, |position| {
            seen.push((position.side_to_move(), features(&leads(position))));
        })?;
        let margin = f64::from(end.final_score().unwrap_or(0));
        let chosen = if game % HELD_BACK == 0 { &mut held_back } else { &mut samples };
        chosen.extend(seen.into_iter().map(|(side, features)| {
            let result = if side == end.side_to_move() { margin } else { -margin };
            Sample { features, result }
        }));
        bar.advance();
    }
    drop(bar);
    // What is left of the margins when the weights in use have said their part.
    let rest: Vec<Sample> = samples.iter().map(|sample| less(sample, &in_use)).collect();
    let change = fit_margins(&rest, RIDGE);
    let weights: Vec<f64> = in_use.iter().zip(change).map(|(weight, more)| weight + more).collect();
    writeln!(
        out,
        "{} positions of {games} games; off by {:.1} points, on {} held back {:.1}, weights in use {:.1}",
        samples.len(),
        miss(&samples, &weights),
        held_back.len(),
        miss(&held_back, &weights),
        miss(&held_back, &in_use)
    )?;
    given(&weights.iter().map(|weight| weight.round() as i16).collect::<Vec<i16>>())
}

/// The leads, each times the share that a weight of each moment has, in points per part of a point.
fn features(seen: &Leads) -> Vec<f64> {
    let mut features = vec![0.0; KINDS * MOMENTS];
    let share = seen.share as f64 / STEPS as f64;
    for (row, share) in [(seen.moment, 1.0 - share), (seen.moment + 1, share)] {
        for (kind, &lead) in seen.leads.iter().enumerate() {
            features[row * KINDS + kind] = f64::from(lead) * share / UNIT as f64;
        }
    }
    features
}

/// The sample with what these weights make of it taken off its margin.
fn less(sample: &Sample, weights: &[f64]) -> Sample {
    let known: f64 = sample.features.iter().zip(weights).map(|(x, w)| x * w).sum();
    Sample { features: sample.features.clone(), result: sample.result - known }
}
