//! The bar on the terminal while games are played or positions searched: done, to come, time left.
//!
//! It goes to stderr and only if that is a terminal, so that logs and pipes stay clean.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar that counts games.
pub struct GamesBar {
    bar: ProgressBar,
}

impl GamesBar {
    /// A bar for this many games.
    #[must_use]
    pub fn new(games: u64) -> GamesBar {
        GamesBar::counting(games, "games")
    }

    /// A bar for this many of something else.
    #[must_use]
    pub fn counting(games: u64, what: &str) -> GamesBar {
        let bar = ProgressBar::with_draw_target(Some(games), ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template(&format!(
            "{{bar:24}} {{pos}}/{{len}} {what}, {{elapsed}} gone, {{eta}} to go  {{wide_msg}}",
        )) {
            bar.set_style(style);
        }
        if !bar.is_hidden() {
            bar.enable_steady_tick(Duration::from_secs(1));
        }
        GamesBar { bar }
    }

    /// Says what is going on.
    pub fn say(&self, text: impl FnOnce() -> String) {
        if !self.bar.is_hidden() {
            self.bar.set_message(text());
        }
    }

    /// One more game is done.
    pub fn advance(&self) {
        self.bar.inc(1);
    }
}

impl Drop for GamesBar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
