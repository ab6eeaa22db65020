//! Training of the network that values lines of five ([`engine::game::line::patterns::net`]): the same network
//! with numbers that have fractions, brought nearer to the results of games step by step (Adam).
//!
//! A sample is a quiet position: the classes of its cells, what prices say of it, and how the game went for the
//! side to move. The network learns what must be added to the prices to foretell that. A batch is always cut
//! into the same shards, so that the numbers that come out do not depend on the machine.

use engine::game::line::patterns::net::{
    BIAS_BITS, BYTES, CELL_BITS, CHANNELS, HIDDEN, HIDDEN_BITS, LAST_BITS, MOST_WEIGHT, PAIRS,
    WORTH_BITS, pair,
};
use engine::players::random::Dice;

/// Positions with their results.
#[derive(Default)]
pub struct Samples {
    /// Four pairs per cell, the side to move being the own one.
    cells: Vec<[u8; 4]>,
    samples: Vec<Sample>,
}

#[derive(Clone, Copy)]
struct Sample {
    first_cell: usize,
    cells: usize,
    /// What prices say.
    points: f32,
    /// How it went, from 0 to 1.
    result: f32,
}

impl Samples {
    /// Adds a position: the classes of its cells with the side to move in the low halves, what prices say of it,
    /// and how it went for that side.
    pub fn push(&mut self, cells: &[[u8; 4]], points: f32, result: f32) {
        let first_cell = self.cells.len();
        let pairs = |both: u8| pair(both & 0xF, both >> 4) as u8;
        self.cells.extend(cells.iter().map(|classes| classes.map(pairs)));
        self.samples.push(Sample { first_cell, cells: cells.len(), points, result });
    }

    /// How many positions there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.samples.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.samples.is_empty()
    }

    fn cells(&self, sample: &Sample) -> &[[u8; 4]] {
        &self.cells[sample.first_cell..sample.first_cell + sample.cells]
    }
}

const BOTH: usize = 2 * CHANNELS;
/// The greatest number of a row.
const MOST: f32 = 127.0 / (1 << CELL_BITS) as f32;

/// Where the numbers lie in one long row of them.
const ROWS: usize = 0;
const WEIGHTS: usize = ROWS + PAIRS * CHANNELS;
const HIDDEN_BIAS: usize = WEIGHTS + HIDDEN * BOTH;
const LAST: usize = HIDDEN_BIAS + HIDDEN;
const LAST_BIAS: usize = LAST + HIDDEN;
const NUMBERS: usize = LAST_BIAS + 1;

type Numbers = [f32; NUMBERS];

/// The pair seen from the other side.
const SWAPPED: [u8; PAIRS] = {
    let mut swapped = [0; PAIRS];
    let levels = PAIRS.isqrt();
    let mut n = 0;
    while n < PAIRS {
        swapped[n] = (n % levels * levels + n / levels) as u8;
        n += 1;
    }
    swapped
};

/// A network in training.
pub struct Training {
    numbers: Box<Numbers>,
    mean: Box<Numbers>,
    square: Box<Numbers>,
    steps: i32,
    /// The chance to win, as a logit, per point of the prices.
    per_point: f32,
}

/// Positions per step.
const BATCH: usize = 1_024;
/// Parts of a batch, each done by a thread.
const SHARDS: usize = 2;
/// How much Adam remembers.
const MEAN_DECAY: f32 = 0.9;
const SQUARE_DECAY: f32 = 0.999;
/// How much weights are drawn to 0, per step and unit of the rate.
const PULL: f32 = 1e-4;

impl Training {
    /// A network that adds nothing yet.
    #[must_use]
    pub fn new(per_point: f32, seed: u64) -> Training {
        let mut numbers = Box::new([0.0; NUMBERS]);
        let mut dice = Dice::new(seed);
        let mut spread = |range: std::ops::Range<usize>, numbers: &mut Numbers, width: f32| {
            for number in &mut numbers[range] {
                *number = (dice.roll(2_001) as f32 / 1_000.0 - 1.0) * width;
            }
        };
        spread(ROWS..WEIGHTS, &mut numbers, 0.3);
        spread(WEIGHTS..HIDDEN_BIAS, &mut numbers, 0.02);
        spread(LAST..LAST_BIAS, &mut numbers, 0.2);
        let zeros = || Box::new([0.0; NUMBERS]);
        Training { numbers, mean: zeros(), square: zeros(), steps: 0, per_point }
    }

    /// Goes through all samples once, in a random order.
    pub fn epoch(&mut self, samples: &Samples, rate: f32, seed: u64) {
        let mut order: Vec<u32> = (0..samples.len() as u32).collect();
        let mut dice = Dice::new(seed);
        for n in (1..order.len()).rev() {
            order.swap(n, dice.roll(n + 1));
        }
        for batch in order.chunks(BATCH) {
            let slopes = self.slopes(samples, batch);
            self.step(&slopes, batch.len(), rate);
        }
    }

    fn slopes(&self, samples: &Samples, batch: &[u32]) -> Box<Numbers> {
        let shards = batch.chunks(batch.len().div_ceil(SHARDS));
        let parts: Vec<Box<Numbers>> = std::thread::scope(|scope| {
            let work = |shard: &[u32]| {
                let mut slopes = Box::new([0.0; NUMBERS]);
                for &n in shard {
                    let sample = &samples.samples[n as usize];
                    self.learn(samples.cells(sample), sample, &mut slopes);
                }
                slopes
            };
            let threads: Vec<_> = shards.map(|shard| scope.spawn(move || work(shard))).collect();
            let join = |thread: std::thread::ScopedJoinHandle<'_, _>| {
                thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            threads.into_iter().map(join).collect()
        });
        let mut parts = parts.into_iter();
        let mut sum = parts.next().unwrap_or_else(|| Box::new([0.0; NUMBERS]));
        for part in parts {
            sum.iter_mut().zip(part.iter()).for_each(|(sum, part)| *sum += part);
        }
        sum
    }

    fn step(&mut self, slopes: &Numbers, count: usize, rate: f32) {
        self.steps += 1;
        let [mean_known, square_known] =
            [MEAN_DECAY, SQUARE_DECAY].map(|decay| 1.0 - decay.powi(self.steps));
        let limit = f32::from(MOST_WEIGHT) / (1 << HIDDEN_BITS) as f32;
        let moments = self.mean.iter_mut().zip(self.square.iter_mut());
        let numbers = self.numbers.iter_mut().zip(moments).zip(slopes).enumerate();
        for (n, ((number, (mean, square)), slope)) in numbers {
            let slope = slope / count as f32;
            *mean += (1.0 - MEAN_DECAY) * (slope - *mean);
            *square += (1.0 - SQUARE_DECAY) * (slope * slope - *square);
            let step = *mean / mean_known / ((*square / square_known).sqrt() + 1e-8);
            // The hidden layer's weights are small, for what goes in is large.
            let own_rate = if (WEIGHTS..HIDDEN_BIAS).contains(&n) { rate / 10.0 } else { rate };
            *number -= own_rate * step + rate * PULL * *number;
            let most = match n {
                ..WEIGHTS => MOST,
                WEIGHTS..HIDDEN_BIAS => limit,
                _ => f32::MAX,
            };
            *number = number.clamp(-most, most);
        }
    }

    /// What the sides have, by channel: the side to move first.
    fn sums(&self, cells: &[[u8; 4]]) -> [f32; BOTH] {
        let mut sums = [[0.0; CHANNELS]; 2];
        for cell in cells {
            for (side, sums) in sums.iter_mut().enumerate() {
                let cell = self.cell(cell, side);
                sums.iter_mut().zip(cell).for_each(|(sum, x)| *sum += x.max(0.0));
            }
        }
        let mut both = [0.0; BOTH];
        both[..CHANNELS].copy_from_slice(&sums[0]);
        both[CHANNELS..].copy_from_slice(&sums[1]);
        both
    }

    fn cell(&self, cell: &[u8; 4], side: usize) -> [f32; CHANNELS] {
        let mut sum = [0.0; CHANNELS];
        for &pair in cell {
            let row = &self.numbers[row(pair, side)..][..CHANNELS];
            sum.iter_mut().zip(row).for_each(|(sum, x)| *sum += x);
        }
        sum
    }

    /// The hidden layer before what is negative is cut off.
    fn hidden(&self, sums: &[f32; BOTH]) -> [f32; HIDDEN] {
        std::array::from_fn(|unit| {
            let weights = &self.numbers[WEIGHTS + unit * BOTH..][..BOTH];
            let sum: f32 = weights.iter().zip(sums).map(|(w, x)| w * x).sum();
            sum + self.numbers[HIDDEN_BIAS + unit]
        })
    }

    fn logit(&self, hidden: &[f32; HIDDEN], points: f32) -> f32 {
        let last = &self.numbers[LAST..LAST_BIAS];
        let sum: f32 = last.iter().zip(hidden).map(|(w, x)| w * x.max(0.0)).sum();
        sum + self.numbers[LAST_BIAS] + points * self.per_point
    }

    /// Adds what a sample says of every number to the slopes.
    fn learn(&self, cells: &[[u8; 4]], sample: &Sample, slopes: &mut Numbers) {
        let sums = self.sums(cells);
        let hidden = self.hidden(&sums);
        let error = chance(self.logit(&hidden, sample.points)) - sample.result;
        slopes[LAST_BIAS] += error;
        let mut back = [0.0; BOTH];
        for (unit, &x) in hidden.iter().enumerate() {
            if x <= 0.0 {
                continue;
            }
            slopes[LAST + unit] += error * x;
            let slope = error * self.numbers[LAST + unit];
            slopes[HIDDEN_BIAS + unit] += slope;
            let at = WEIGHTS + unit * BOTH;
            for n in 0..BOTH {
                slopes[at + n] += slope * sums[n];
                back[n] += slope * self.numbers[at + n];
            }
        }
        for cell in cells {
            for side in 0..2 {
                let mut slope = [0.0; CHANNELS];
                slope.copy_from_slice(&back[side * CHANNELS..][..CHANNELS]);
                for (slope, x) in slope.iter_mut().zip(self.cell(cell, side)) {
                    *slope = if x > 0.0 { *slope } else { 0.0 };
                }
                for at in cell.iter().map(|&pair| row(pair, side)) {
                    slopes[at..at + CHANNELS].iter_mut().zip(slope).for_each(|(sum, x)| *sum += x);
                }
            }
        }
    }

    /// The mean surprise of the results (see [`crate::fit::surprise`]), with the network and with prices alone,
    /// and the root mean square of what the network adds, in points.
    #[must_use]
    pub fn surprise(&self, samples: &Samples) -> (f64, f64, f64) {
        let (mut with, mut without, mut added) = (0.0, 0.0, 0.0);
        for sample in &samples.samples {
            let hidden = self.hidden(&self.sums(samples.cells(sample)));
            let plain = sample.points * self.per_point;
            let logit = self.logit(&hidden, sample.points);
            let of = |logit: f32| {
                let chance = f64::from(chance(logit)).clamp(1e-9, 1.0 - 1e-9);
                let result = f64::from(sample.result);
                -(result * chance.ln() + (1.0 - result) * (1.0 - chance).ln())
            };
            with += of(logit);
            without += of(plain);
            added += f64::from((logit - plain) / self.per_point).powi(2);
        }
        let count = samples.len().max(1) as f64;
        (with / count, without / count, (added / count).sqrt())
    }

    /// The network in whole numbers.
    #[must_use]
    pub fn bytes(&self) -> [u8; BYTES] {
        let scaled =
            |n: usize, scale: f32, most: f32| (self.numbers[n] * scale).round().clamp(-most, most);
        let power = |bits: u32| (1u32 << bits) as f32;
        let mut bytes = Vec::with_capacity(BYTES);
        bytes.extend((ROWS..WEIGHTS).map(|n| scaled(n, power(CELL_BITS), 127.0) as i8 as u8));
        for n in WEIGHTS..HIDDEN_BIAS {
            let weight = scaled(n, power(HIDDEN_BITS), f32::from(MOST_WEIGHT)) as i16;
            bytes.extend(weight.to_le_bytes());
        }
        for n in HIDDEN_BIAS..LAST {
            bytes.extend((scaled(n, power(BIAS_BITS), 1e9) as i32).to_le_bytes());
        }
        let points = 1.0 / self.per_point;
        for n in LAST..LAST_BIAS {
            bytes.extend((scaled(n, power(LAST_BITS) * points, 32_767.0) as i16).to_le_bytes());
        }
        let bias = scaled(LAST_BIAS, points * power(WORTH_BITS), 1e9) as i32;
        bytes.extend(bias.to_le_bytes());
        bytes.try_into().unwrap_or([0; BYTES])
    }
}

fn row(pair: u8, side: usize) -> usize {
    let pair = if side == 0 { pair } else { SWAPPED[usize::from(pair)] };
    ROWS + usize::from(pair) * CHANNELS
}

fn chance(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

#[cfg(test)]
mod tests {
    use engine::game::line::patterns::net::Net;
    use engine::game::line::patterns::{CLASSES, CROSSINGS, PriceList, Prices, Worth};
    use engine::game::mnk::board::Mnk;
    use engine::game::{Game, Move};

    use super::*;

    const PER_POINT: f32 = 0.001;

    /// A network of random numbers, larger than those that training begins with: less is lost where they become
    /// whole.
    fn network() -> Training {
        let mut training = Training::new(PER_POINT, 7);
        training.numbers[ROWS..WEIGHTS].iter_mut().for_each(|number| *number *= 4.0);
        training.numbers[LAST..].iter_mut().for_each(|number| *number *= 2.0);
        training
    }

    #[test]
    fn whole_numbers_say_what_numbers_with_fractions_say() {
        let nothing = Prices { classes: [0; CLASSES], crossings: [0; CROSSINGS] };
        let nothing = PriceList::new(Worth { mover: nothing, waiter: nothing, tempo: 0 });
        let training = network();
        let net = Box::leak(Box::new(Net::read(&training.bytes()).expect("weights are small")));
        let list: &'static PriceList = Box::leak(Box::new(nothing.with_net(net)));
        let mut dice = Dice::new(3);
        let (mut told, mut apart) = (0.0_f32, 0.0_f32);
        for _ in 0..20 {
            let mut board = Mnk::<225>::new(15, 15, 5, false).expect("fits");
            board.set_prices(list);
            while board.ply() < 30 && board.outcome().is_none() {
                let _ = board.try_play(Move::new(dice.roll(225)));
                let mut samples = Samples::default();
                let turn = 4 * (board.ply() as u32 % 2);
                let cells: Vec<_> = board
                    .cells_in_line()
                    .map(|cell| cell.map(|both| both.rotate_left(turn)))
                    .collect();
                samples.push(&cells, 0.0, 0.5);
                let sums = training.sums(samples.cells(&samples.samples[0]));
                let fraction = training.logit(&training.hidden(&sums), 0.0) / PER_POINT;
                told = told.max(fraction.abs());
                apart = apart.max((fraction - board.evaluate() as f32).abs());
            }
        }
        assert!(told > 500.0, "the network says little: {told}");
        assert!(apart < 0.05 * told, "{apart} of {told} points apart");
    }

    #[test]
    fn training_learns_what_is_so() {
        // Who has the class 12 somewhere wins.
        let mut samples = Samples::default();
        let mut dice = Dice::new(5);
        for n in 0..6_000 {
            let own = [0x77, 0x7C][n % 2];
            let cells: Vec<_> = (0..1 + dice.roll(6))
                .map(|at| [if at == 0 { own } else { 0x79 }, 0x97, 0x77, 0x77])
                .collect();
            samples.push(&cells, 0.0, (n % 2) as f32);
        }
        let mut training = Training::new(PER_POINT, 1);
        let (before, prices, _) = training.surprise(&samples);
        assert!(before > 0.5 && prices > 0.69, "{before} {prices}");
        (0..80).for_each(|epoch| training.epoch(&samples, 3e-3, epoch));
        let (after, ..) = training.surprise(&samples);
        assert!(after < 0.2, "{before} {after}");
    }
}
