//! The live line on the terminal while the solver works: nodes, speed, what is known so far.
//!
//! It goes to stderr and only if that is a terminal, so that logs and pipes stay clean.

use engine::search::Progress;
use engine::spec::GameSpec;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::answer::{bounds_words, per_second};

/// A line on stderr that is rewritten in place; nothing at all if stderr is no terminal.
pub struct ProgressLine {
    bar: ProgressBar,
}

impl ProgressLine {
    /// A line that is empty until the first [`ProgressLine::update`].
    #[must_use]
    pub fn new() -> ProgressLine {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("{spinner} {prefix}{wide_msg}") {
            bar.set_style(style);
        }
        ProgressLine { bar }
    }

    /// Says which line of a batch is being solved.
    pub fn set_line_number(&self, number: u64) {
        self.bar.set_prefix(format!("line {number}: "));
    }

    /// Shows how far the solver is, in a position at `ply`.
    pub fn update(&self, spec: GameSpec, ply: usize, now: &Progress, microseconds: u64) {
        if self.bar.is_hidden() {
            return;
        }
        self.bar.set_message(format!(
            "{} nodes, {} nodes/s, {}",
            now.nodes,
            per_second(now.nodes, microseconds),
            bounds_words(spec, ply, (now.low, now.high))
        ));
        self.bar.tick();
    }

    /// Takes the line away while `print` writes to the same terminal.
    pub fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }

    /// Takes the line away for good.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Default for ProgressLine {
    fn default() -> ProgressLine {
        ProgressLine::new()
    }
}
