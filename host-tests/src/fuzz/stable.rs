//! Fuzzing without a fuzzer, for the stable toolchain: seeds are cut, joined and altered by dice, and
//! every case can be made again from its number.

use std::path::{Path, PathBuf};

use crate::Dice;

/// The longest input.
const LONGEST: usize = 1_024;
/// The most alterations of one seed.
const ALTERATIONS: usize = 8;

/// The seeds of a target.
///
/// # Panics
/// There are none.
#[must_use]
pub fn seeds(target: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus").join(target);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{target}: {error}"));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    assert!(!files.is_empty(), "no seeds in {}", folder.display());
    files.into_iter().map(|path| (path.clone(), std::fs::read(path).expect("a seed"))).collect()
}

/// The case of this number: a seed with some alterations, or plain noise.
#[must_use]
pub fn case(seeds: &[(PathBuf, Vec<u8>)], number: u64) -> Vec<u8> {
    let mut dice = Dice::new(number);
    let pick = |dice: &mut Dice| seeds[dice.roll(seeds.len())].1.clone();
    let mut data = match dice.roll(8) {
        0 => (0..dice.roll(200)).map(|_| dice.roll(256) as u8).collect(),
        _ => pick(&mut dice),
    };
    for _ in 0..1 + dice.roll(ALTERATIONS) {
        let at = dice.roll(data.len() + 1);
        match dice.roll(7) {
            0 => data.truncate(at),
            1 => data.insert(at, dice.roll(256) as u8),
            2 if at < data.len() => data[at] ^= 1 << dice.roll(8),
            3 if at < data.len() => data[at] = dice.roll(256) as u8,
            4 if at < data.len() => {
                data.remove(at);
            }
            5 => {
                // A piece of another seed.
                let other = pick(&mut dice);
                let from = dice.roll(other.len() + 1);
                let count = dice.roll(40).min(other.len() - from);
                data.splice(at..at, other[from..from + count].iter().copied());
            }
            _ => {
                // A piece of its own again.
                let count = dice.roll(40).min(data.len() - at);
                let piece = data[at..at + count].to_vec();
                data.extend(piece);
            }
        }
    }
    data.truncate(LONGEST);
    data
}
