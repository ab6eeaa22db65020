//! Fits weights to results: logistic regression by Newton's method, or least squares.
//!
//! A sample is what a position has of each feature and how its game ended for the side to move, from 0
//! (lost) to 1 (won). The weights found make the results most likely, if the chance to win is the
//! logistic function of the weighted sum. Where games have margins, the result is the margin and the
//! weights are those whose weighted sum is nearest to it.

/// What a position has of each feature, and the result of its game.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// As many in every sample.
    pub features: Vec<f64>,
    /// From 0 to 1, or the margin.
    pub result: f64,
}

/// The most steps; a handful is enough for samples that are not degenerate.
const MOST_STEPS: usize = 50;
/// Steps less than this, in units of a weight times its feature's spread, end the fit.
const SMALL_STEP: f64 = 1e-6;

/// The weights. `ridge` draws those that the samples say little about towards 0: it is the share of a
/// sample that speaks for 0, per sample.
///
/// Empty without samples.
#[must_use]
pub fn fit(samples: &[Sample], ridge: f64) -> Vec<f64> {
    let Some(count) = samples.first().map(|sample| sample.features.len()) else { return vec![] };
    let spreads: Vec<f64> = (0..count)
        .map(|n| {
            let squares: f64 = samples.iter().map(|sample| sample.features[n].powi(2)).sum();
            (squares / samples.len() as f64).sqrt().max(f64::MIN_POSITIVE)
        })
        .collect();
    let mut weights = vec![0.0; count];
    for _ in 0..MOST_STEPS {
        let pull = ridge * samples.len() as f64;
        let mut slope: Vec<f64> = weights.iter().map(|weight| weight * pull).collect();
        let mut curve = vec![vec![0.0; count]; count];
        for (n, row) in curve.iter_mut().enumerate() {
            row[n] = pull.max(f64::MIN_POSITIVE);
        }
        for Sample { features, result } in samples {
            let scaled: Vec<f64> = features.iter().zip(&spreads).map(|(x, s)| x / s).collect();
            let chance = chance(&scaled, &weights);
            let weight = chance * (1.0 - chance);
            for (n, x) in scaled.iter().enumerate().filter(|(_, x)| **x != 0.0) {
                slope[n] += x * (chance - result);
                for (sum, y) in curve[n].iter_mut().zip(&scaled) {
                    *sum += weight * x * y;
                }
            }
        }
        let step = solve(curve, slope);
        let largest = step.iter().fold(0.0, |most: f64, step| most.max(step.abs()));
        for (weight, step) in weights.iter_mut().zip(step) {
            *weight -= step;
        }
        if largest < SMALL_STEP {
            break;
        }
    }
    weights.iter().zip(&spreads).map(|(weight, spread)| weight / spread).collect()
}

/// The weights whose sums are nearest to the margins, by least squares; `ridge` as in [`fit`].
#[must_use]
pub fn fit_margins(samples: &[Sample], ridge: f64) -> Vec<f64> {
    let Some(count) = samples.first().map(|sample| sample.features.len()) else { return vec![] };
    let (mut rows, mut right) = (vec![vec![0.0; count]; count], vec![0.0; count]);
    for Sample { features, result } in samples {
        for (n, x) in features.iter().enumerate().filter(|(_, x)| **x != 0.0) {
            right[n] += x * result;
            for (sum, y) in rows[n].iter_mut().zip(features) {
                *sum += x * y;
            }
        }
    }
    for (n, row) in rows.iter_mut().enumerate() {
        row[n] *= 1.0 + ridge;
    }
    solve(rows, right)
}

/// By how much sums with these weights miss the margins: the root of the mean square.
#[must_use]
pub fn miss(samples: &[Sample], weights: &[f64]) -> f64 {
    let of = |sample: &Sample| (sample.result - sum(&sample.features, weights)).powi(2);
    (samples.iter().map(of).sum::<f64>() / samples.len().max(1) as f64).sqrt()
}

/// The mean surprise of the results under these weights: 0.693 (the logarithm of 2) for who knows
/// nothing, 0 for who knows all.
#[must_use]
pub fn surprise(samples: &[Sample], weights: &[f64]) -> f64 {
    let of = |sample: &Sample| {
        let chance = chance(&sample.features, weights).clamp(1e-9, 1.0 - 1e-9);
        -(sample.result * chance.ln() + (1.0 - sample.result) * (1.0 - chance).ln())
    };
    samples.iter().map(of).sum::<f64>() / samples.len().max(1) as f64
}

fn chance(features: &[f64], weights: &[f64]) -> f64 {
    1.0 / (1.0 + (-sum(features, weights)).exp())
}

fn sum(features: &[f64], weights: &[f64]) -> f64 {
    features.iter().zip(weights).map(|(x, w)| x * w).sum()
}

/// Solves a system of linear equations by elimination, largest pivot first. An unknown that nothing
/// is said about is 0.
fn solve(mut rows: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let count = right.len();
    for n in 0..count {
        let pivot = (n..count)
            .max_by(|&one, &other| rows[one][n].abs().total_cmp(&rows[other][n].abs()))
            .unwrap_or(n);
        rows.swap(n, pivot);
        right.swap(n, pivot);
        if rows[n][n] == 0.0 {
            continue;
        }
        for below in n + 1..count {
            let times = rows[below][n] / rows[n][n];
            if times != 0.0 {
                let (upper, lower) = rows.split_at_mut(below);
                for (to, from) in lower[0].iter_mut().zip(&upper[n]).skip(n) {
                    *to -= times * from;
                }
                right[below] -= times * right[n];
            }
        }
    }
    for n in (0..count).rev() {
        let known: f64 = (n + 1..count).map(|other| rows[n][other] * right[other]).sum();
        right[n] = if rows[n][n] == 0.0 { 0.0 } else { (right[n] - known) / rows[n][n] };
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equations_are_solved_in_any_order_of_their_rows() {
        let rows = vec![vec![0.0, 2.0, 1.0], vec![1.0, -2.0, -3.0], vec![-1.0, 1.0, 2.0]];
        let found = solve(rows, vec![-8.0, 0.0, 3.0]);
        for (found, expected) in found.into_iter().zip([-4.0, -5.0, 2.0]) {
            assert!((found - expected).abs() < 1e-9);
        }
        assert_eq!(solve(vec![vec![0.0]], vec![1.0]), [0.0]);
    }

    #[test]
    fn weights_come_back_from_results_that_follow_them() {
        let truth = [0.8, -0.3, 0.0];
        let samples: Vec<Sample> = (0..2_000)
            .map(|n| {
                let features = vec![f64::from(n % 7) - 3.0, f64::from(n % 11) - 5.0, 1.0];
                let result = chance(&features, &truth);
                Sample { features, result }
            })
            .collect();
        let found = fit(&samples, 0.0);
        for (found, truth) in found.iter().zip(truth) {
            assert!((found - truth).abs() < 1e-4, "{found} {truth}");
        }
        assert!(surprise(&samples, &found) < surprise(&samples, &[0.0; 3]));
        assert_eq!(fit(&[], 0.0), [0.0; 0]);
    }

    #[test]
    fn weights_come_back_from_margins_that_follow_them() {
        let truth = [12.0, -7.0, 0.0];
        let samples: Vec<Sample> = (0..200)
            .map(|n| {
                let features = vec![f64::from(n % 7) - 3.0, f64::from(n % 11) - 5.0, 0.0];
                let result = sum(&features, &truth);
                Sample { features, result }
            })
            .collect();
        let found = fit_margins(&samples, 0.0);
        for (found, truth) in found.iter().zip(truth) {
            assert!((found - truth).abs() < 1e-9, "{found} {truth}");
        }
        assert!(miss(&samples, &found) < 1e-9 && miss(&samples, &[0.0; 3]) > 1.0);
        assert!(fit_margins(&samples, 1.0)[0] < 12.0, "a ridge draws to 0");
        assert_eq!(fit_margins(&[], 0.0), [0.0; 0]);
    }
}
