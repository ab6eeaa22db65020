//! A hunt for a forced win, within limits.

use super::report::{Clock, Limits};

/// Counts what a hunt does and tells it when to give up.
#[derive(Debug)]
pub struct Quest<'a, C> {
    clock: &'a C,
    deadline_us: Option<u64>,
    nodes_left: u64,
    /// The moves tried so far.
    pub nodes: u64,
}

impl<'a, C: Clock> Quest<'a, C> {
    /// A hunt that tries at most so many moves, until the deadline of the limits.
    pub fn new(clock: &'a C, limits: &Limits, nodes: u64) -> Quest<'a, C> {
        Quest { clock, deadline_us: limits.deadline_us, nodes_left: nodes, nodes: 0 }
    }

    /// Counts a move to try; `false` if it must not be tried any more.
    pub fn enter(&mut self) -> bool {
        let late = self.deadline_us.is_some_and(|deadline| self.clock.now_us() >= deadline);
        if late || self.clock.should_stop() {
            self.nodes_left = 0;
        }
        if self.is_over() {
            return false;
        }
        self.nodes_left -= 1;
        self.nodes += 1;
        true
    }

    /// Whether the hunt was given up: what was not found may be there.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.nodes_left == 0
    }
}
