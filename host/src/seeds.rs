//! Seeds from a seed: one number on the command line gives every game and player its own.

use engine::game::keys::scatter;

/// The seed for one purpose, told by its numbers (such as game and player). Different purposes
/// have unrelated seeds, the same purpose has the same seed on every run.
#[must_use]
pub fn derived(seed: u64, purpose: &[u64]) -> u64 {
    purpose.iter().fold(scatter(seed), |mixed, &number| {
        scatter(mixed.rotate_left(1) ^ scatter(number.wrapping_add(0x9E37_79B9_7F4A_7C15)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_purpose_has_a_seed_of_its_own() {
        let mut seen = HashSet::new();
        for seed in 0..10 {
            for game in 0..100 {
                for player in 0..2 {
                    assert!(seen.insert(derived(seed, &[game, player])));
                }
            }
        }
        assert_eq!(derived(7, &[1, 2]), derived(7, &[1, 2]));
        assert_ne!(derived(7, &[1, 2]), derived(7, &[2, 1]));
    }
}
