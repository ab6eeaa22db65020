//! What cells count for in the order of moves: by class, and with two threats at once.

use super::{CLASSES, Classes, Marks};

const PLAIN: [u32; CLASSES] = [0, 1, 2, 3, 5, 6, 9, 4, 6, 9, 22, 32, 160, 130, 520, 1_200];
/// In long lines, where the low classes tell of room.
const PLAIN_IN_LONG_LINES: [u32; CLASSES] =
    [0, 1, 2, 4, 8, 16, 32, 64, 128, 140, 200, 250, 700, 500, 1_500, 2_000];
const FOUR_THREE: u32 = 500;
const THREE_THREE: u32 = 200;

/// Where the marks of the two sides begin in an entry: below is what both sides' classes count for.
const MARKS_SHIFTS: [u32; 2] = [14, 21];
const PLAIN_MASK: u32 = (1 << MARKS_SHIFTS[0]) - 1;
const _: () = assert!(8 * PLAIN[CLASSES - 1] <= PLAIN_MASK);
const _: () = assert!(8 * PLAIN_IN_LONG_LINES[CLASSES - 1] <= PLAIN_MASK);
/// The marks that count here: threes and fours.
const MARKS_MASK: u32 = (1 << (Marks::COMPLETES_SHIFT - Marks::THREES_SHIFT)) - 1;

const fn marks(class: usize) -> u32 {
    Marks::OF[class] as u32 >> Marks::THREES_SHIFT & MARKS_MASK
}

/// By both sides' classes in a direction.
type Entries = [u32; CLASSES * CLASSES];

static ENTRIES: Entries = entries(&PLAIN);
static ENTRIES_OF_LONG_LINES: Entries = entries(&PLAIN_IN_LONG_LINES);

const fn entries(plain: &[u32; CLASSES]) -> Entries {
    let mut entries = [0; CLASSES * CLASSES];
    let mut both = 0;
    while both < entries.len() {
        let (first, second) = (both % CLASSES, both / CLASSES);
        entries[both] = (plain[first] + plain[second])
            | marks(first) << MARKS_SHIFTS[0]
            | marks(second) << MARKS_SHIFTS[1];
        both += 1;
    }
    entries
}

/// What a cell with these classes counts for, to both sides together.
#[inline]
pub fn points(classes: Classes, is_long: bool) -> u32 {
    let entries = if is_long { &ENTRIES_OF_LONG_LINES } else { &ENTRIES };
    let sum: u32 = classes.0.into_iter().map(|both| entries[usize::from(both)]).sum();
    let plain = sum & PLAIN_MASK;
    if sum == plain {
        return plain;
    }
    let two_at_once = MARKS_SHIFTS.map(|shift| {
        let marks = Marks(((sum >> shift & MARKS_MASK) << Marks::THREES_SHIFT) as u16);
        match (marks.fours(), marks.threes()) {
            (1.., 1..) => FOUR_THREE,
            (_, 2..) => THREE_THREE,
            _ => 0,
        }
    });
    plain + two_at_once[0] + two_at_once[1]
}
