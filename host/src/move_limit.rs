//! How long a player may think: `100ms` or `10000 nodes` about a move, or `2m per game`.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use clap::Args;

use crate::time_span::TimeSpan;

/// The limit of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveLimit {
    /// Time for each move on the wall clock.
    Time(TimeSpan),
    /// Nodes of the search for each move. Nothing then depends on time: every run is the same.
    Nodes(u64),
    /// Time for all moves of a game.
    Game(TimeSpan),
}

impl MoveLimit {
    /// The most time from question to answer, or for all answers of a game, before the game is
    /// forfeited: the limit, 5 % and 100 ms. The extra is for what no player can help: the system may give the processor to
    /// somebody else just when the answer is due. Node limits know no lateness.
    #[must_use]
    pub fn longest_answer(self) -> Option<Duration> {
        match self {
            MoveLimit::Time(TimeSpan(span)) | MoveLimit::Game(TimeSpan(span)) => {
                Some(span.saturating_add(span / 20).saturating_add(Duration::from_millis(100)))
            }
            MoveLimit::Nodes(_) => None,
        }
    }

    /// The limit and what it is for: `100ms per move`.
    #[must_use]
    pub fn in_full(self) -> String {
        match self {
            MoveLimit::Time(_) | MoveLimit::Nodes(_) => format!("{self} per move"),
            MoveLimit::Game(_) => self.to_string(),
        }
    }
}

impl fmt::Display for MoveLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MoveLimit::Time(span) => span.fmt(f),
            MoveLimit::Nodes(nodes) => write!(f, "{nodes} nodes"),
            MoveLimit::Game(span) => write!(f, "{span}{PER_GAME}"),
        }
    }
}

const PER_GAME: &str = " per game";

/// A text that is no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveLimitError;

impl fmt::Display for MoveLimitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a limit: expected a span of time or nodes, as in 100ms or 10000 nodes")
    }
}

impl std::error::Error for MoveLimitError {}

impl FromStr for MoveLimit {
    type Err = MoveLimitError;

    fn from_str(text: &str) -> Result<MoveLimit, MoveLimitError> {
        if let Some(span) = text.strip_suffix(PER_GAME) {
            return span.parse().map(MoveLimit::Game).map_err(|_| MoveLimitError);
        }
        match text.strip_suffix(" nodes") {
            Some(nodes) => nodes.parse().map(MoveLimit::Nodes).map_err(|_| MoveLimitError),
            None => text.parse().map(MoveLimit::Time).map_err(|_| MoveLimitError),
        }
    }
}

/// The limit as it is given on the command line.
#[derive(Args, Clone, Copy, Debug)]
pub struct LimitArguments {
    /// Time per move: 100ms, 1s. An answer more than 5 % and 100 ms late forfeits the game
    #[arg(long, value_name = "SPAN", conflicts_with = "nodes")]
    pub time: Option<TimeSpan>,
    /// Nodes per move, instead of time: every run is then the same
    #[arg(long, value_name = "N")]
    pub nodes: Option<u64>,
}

impl LimitArguments {
    /// The limit that was given, or else this much time.
    #[must_use]
    pub fn or_milliseconds(self, milliseconds: u64) -> MoveLimit {
        match (self.nodes, self.time) {
            (Some(nodes), _) => MoveLimit::Nodes(nodes),
            (None, Some(span)) => MoveLimit::Time(span),
            (None, None) => MoveLimit::Time(TimeSpan(Duration::from_millis(milliseconds))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_survive_the_way_through_text() {
        for text in ["100ms", "10000 nodes", "1s", "0ms", "2m", "2m per game"] {
            let limit: MoveLimit = text.parse().expect(text);
            assert_eq!(limit.to_string(), text);
        }
        for text in ["", "100", "nodes", " nodes", "-1 nodes", "1 s", " per game", "9 per game"] {
            assert_eq!(text.parse::<MoveLimit>(), Err(MoveLimitError), "{text}");
        }
    }

    #[test]
    fn an_answer_may_be_a_little_late() {
        let limit: MoveLimit = "1s".parse().expect("a limit");
        assert_eq!(limit.longest_answer(), Some(Duration::from_millis(1_150)));
        assert_eq!(MoveLimit::Nodes(1).longest_answer(), None);
    }
}
