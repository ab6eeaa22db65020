//! What cells count for in the order of moves: by class, and with two threats at once.

use super::{CLASSES, Classes, Marks};

const PLAIN: [u32; CLASSES] = [0, 1, 2, 3, 5, 6, 9, 4, 6, 9, 22, 32, 160, 130, 520, 1_200];
const FOUR_THREE: u32 = 500;
const THREE_THREE: u32 = 200;

const MARKS_SHIFT: u32 = 16;

/// What a class counts for and, above it, its marks.
const ENTRIES: [u32; CLASSES] = {
    let mut entries = PLAIN;
    let mut class = 0;
    while class < CLASSES {
        entries[class] |= (Marks::OF[class] as u32) << MARKS_SHIFT;
        class += 1;
    }
    entries
};

/// What a cell with these classes counts for, seen by one side.
#[inline]
pub fn points(classes: Classes, side: usize) -> u32 {
    let sum: u32 = classes.of(side).into_iter().map(|class| ENTRIES[class % CLASSES]).sum();
    let marks = Marks((sum >> MARKS_SHIFT) as u16);
    let plain = sum & ((1 << MARKS_SHIFT) - 1);
    plain
        + match (marks.fours(), marks.threes()) {
            (1.., 1..) => FOUR_THREE,
            (_, 2..) => THREE_THREE,
            _ => 0,
        }
}
