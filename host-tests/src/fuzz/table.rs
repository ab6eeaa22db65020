//! The table against a map: what it finds is what was stored last for that position, or nothing.

use std::collections::HashMap;

use engine::game::Move;
use engine::score::{INFINITE, Score};
use engine::search::table::exact::{Bounds, MAX_BOUND};
use engine::search::table::{Bound, Bucket, Entry, TO_THE_END, Table};

use super::script::Script;

/// Keys of so many bits: with the tag and the bucket's number, a hit is the same position.
const KEY_BITS: u32 = 40;
const MAX_BUCKETS: usize = 16;

/// Stores and probes by arbitrary bytes.
///
/// # Panics
/// The table finds something that was not stored, or forgets what it was told last.
pub fn table(data: &[u8]) {
    let mut script = Script::new(data);
    let mut storage = vec![Bucket::EMPTY; script.below(MAX_BUCKETS + 1)];
    let is_empty = storage.is_empty();
    let mut table = Table::new(&mut storage);
    let mut known: HashMap<u64, Entry> = HashMap::new();
    let mut proved: HashMap<u64, Bounds> = HashMap::new();
    let mut exact = false;
    while !script.is_empty() {
        match script.below(16) {
            0 => {
                table.clear();
                known.clear();
                proved.clear();
                exact = false;
            }
            1 => {
                table.start_search();
                proved.clear();
                if exact {
                    known.clear();
                }
                exact = false;
            }
            2 => {
                table.start_exact();
                if !exact {
                    proved.clear();
                }
                known.clear();
                exact = true;
            }
            3 => assert!(table.usage().full_permille <= 1_000),
            n => {
                let key = a_key(&mut script);
                let work = 1 << script.below(64);
                if exact {
                    let place = table.place_exact(key, KEY_BITS);
                    let found = table.probe_exact(place);
                    assert!(found.is_none() || found == proved.get(&key).copied(), "{key}");
                    if n < 10 {
                        let mut bound =
                            || script.below(2 * MAX_BOUND as usize + 1) as i32 - MAX_BOUND;
                        let (one, other) = (bound(), bound());
                        let bounds = Bounds { low: one.min(other), high: one.max(other) };
                        table.store_exact(place, bounds, work);
                        proved.insert(key, bounds);
                        let found = table.probe_exact(place);
                        assert!(found == Some(bounds) || is_empty, "{key}");
                    }
                } else {
                    let place = table.place(key, KEY_BITS);
                    let found = table.probe(place);
                    assert!(found.is_none() || found == known.get(&key).copied(), "{key}");
                    if n < 10 {
                        let entry = an_entry(&mut script);
                        table.store(place, &entry, work);
                        known.insert(key, entry);
                        assert!(table.probe(place) == Some(entry) || is_empty, "{key}");
                    }
                }
            }
        }
    }
}

/// Few enough for positions to come again.
fn a_key(script: &mut Script<'_>) -> u64 {
    let (high, low) = (u64::from(script.byte() & 15), u64::from(script.byte() & 63));
    high << (KEY_BITS - 4) | low
}

fn an_entry(script: &mut Script<'_>) -> Entry {
    let most = INFINITE as usize;
    let score = (usize::from(script.byte()) << 8 | usize::from(script.byte())) * most / 65_535;
    let number = usize::from(script.byte()) << 8 | usize::from(script.byte());
    Entry {
        score: if script.below(2) == 0 { score as Score } else { -(score as Score) },
        bound: script.pick(&[Bound::Upper, Bound::Lower, Bound::Exact]),
        depth: (script.byte() as u32).min(TO_THE_END),
        best: (script.below(4) > 0).then(|| Move::new(number % (Move::LIMIT - 1))),
    }
}
