//! Pairing strategies: a defender who can name two empty cells for each line that the attacker
//! could still fill, no cell twice, answers each stone in a pair with the other one. The attacker
//! then never fills a line, whoever moves first.
//!
//! One pair serves all windows that contain both its cells. So neighbouring windows of one line
//! are taken together as long as they share at least two empty cells; each such group wants two
//! of its shared cells. Finding them is a matching problem between groups and cells, solved by
//! augmenting paths.

use crate::game::line::bits::{Cells, LineBits, MAX_CELLS};

/// Each group takes two cells, so no more groups than this can be served.
const MAX_GROUPS: usize = MAX_CELLS / 2;
const NOBODY: u8 = u8::MAX;

/// Whether the opponent of the owner of `own` has a pairing strategy against all windows inside
/// `own | empty` that hold at least `least` own stones. A `false` only says that none was found.
#[must_use]
pub fn can_be_paired(lines: &LineBits, own: Cells, empty: Cells, least: u32) -> bool {
    match Groups::collect(lines, own, empty, least) {
        Some(groups) => groups.serve_all(),
        None => false,
    }
}

/// Groups of windows, each with the empty cells that all its windows share.
struct Groups {
    shared: heapless::Vec<Cells, MAX_GROUPS>,
}

impl Groups {
    /// The groups of these windows, or `None` if some window has fewer than two empty cells
    /// or there are more groups than pairs of cells.
    fn collect(lines: &LineBits, own: Cells, empty: Cells, least: u32) -> Option<Groups> {
        let most = empty.count_ones() as usize / 2;
        let mut shared = heapless::Vec::new();
        for (direction, mut live) in lines.windows_inside(own | empty).into_iter().enumerate() {
            let shift = lines.shift(direction);
            while live != 0 {
                let mut start = live.trailing_zeros();
                let window = lines.window(direction, start);
                live &= live - 1;
                if (window & own).count_ones() < least {
                    continue;
                }
                let mut group = window & empty;
                if group.count_ones() < 2 {
                    return None;
                }
                // The next window of the same line starts one step ahead. A start in the next
                // row or column of the board shares no cells, which ends the group as well.
                while start + shift < MAX_CELLS as u32 && live >> (start + shift) & 1 == 1 {
                    let next = lines.window(direction, start + shift);
                    if (next & own).count_ones() < least {
                        break;
                    }
                    let narrowed = group & next;
                    if narrowed.count_ones() < 2 {
                        break;
                    }
                    start += shift;
                    group = narrowed;
                    live &= !(1 << start);
                }
                if shared.len() >= most {
                    return None;
                }
                shared.push(group).ok()?;
            }
        }
        Some(Groups { shared })
    }

    /// Whether two cells can be found for every group.
    fn serve_all(&self) -> bool {
        let mut owner = [NOBODY; MAX_CELLS];
        (0..self.shared.len())
            .all(|group| self.serve(group, &mut owner) && self.serve(group, &mut owner))
    }

    /// Finds one more cell for `group`, moving other groups to other cells where needed: a
    /// breadth-first search for an augmenting path.
    fn serve(&self, group: usize, owner: &mut [u8; MAX_CELLS]) -> bool {
        // Which group wants the cell that the search reached; which cell the search left for it.
        let mut wanted_by = [NOBODY; MAX_CELLS];
        let mut gives_up = [NOBODY; MAX_GROUPS];
        let mut queue: heapless::Vec<u8, MAX_CELLS> = heapless::Vec::new();
        let mut seen: Cells = 0;
        let mut next = 0;
        let _ = queue.push(group as u8);
        while let Some(&asking) = queue.get(next) {
            next += 1;
            let mut cells = self.shared.get(usize::from(asking)).map_or(0, |shared| shared & !seen);
            seen |= cells;
            while cells != 0 {
                let cell = cells.trailing_zeros() as usize;
                cells &= cells - 1;
                let holder = owner[cell];
                // A cell that a group on the path holds already is of no use to it.
                if holder == asking {
                    continue;
                }
                wanted_by[cell] = asking;
                if holder == NOBODY {
                    hand_over(cell, group, owner, &wanted_by, &gives_up);
                    return true;
                }
                let given_up = &mut gives_up[usize::from(holder) % MAX_GROUPS];
                if usize::from(holder) != group && *given_up == NOBODY {
                    *given_up = cell as u8;
                    let _ = queue.push(holder);
                }
            }
        }
        false
    }
}

/// Walks the path back: each cell goes to the group that wanted it.
fn hand_over(
    free: usize,
    group: usize,
    owner: &mut [u8; MAX_CELLS],
    wanted_by: &[u8; MAX_CELLS],
    gives_up: &[u8; MAX_GROUPS],
) {
    let mut cell = free;
    // Each step serves another group, so the path is no longer than there are groups.
    for _ in 0..=MAX_GROUPS {
        let taker = wanted_by[cell % MAX_CELLS];
        owner[cell % MAX_CELLS] = taker;
        if usize::from(taker) == group {
            return;
        }
        cell = usize::from(gives_up[usize::from(taker) % MAX_GROUPS]);
    }
}
