//! What a game on the screen is about: board, player, side, time.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use engine::game::Side;
use engine::players::registry;
use engine::spec::GameSpec;

/// Time per move if nobody says anything.
pub const DEFAULT_TURN: Duration = Duration::from_secs(2);

/// Which side a person plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HumanSide {
    /// The one that moves first.
    First,
    /// The other one.
    Second,
    /// Both: two people, or one who looks at a position.
    Both,
}

impl HumanSide {
    /// All of them.
    pub const ALL: [HumanSide; 3] = [HumanSide::First, HumanSide::Second, HumanSide::Both];

    /// Whether a person plays this side.
    #[must_use]
    pub const fn plays(self, side: Side) -> bool {
        matches!(
            (self, side),
            (HumanSide::Both, _)
                | (HumanSide::First, Side::First)
                | (HumanSide::Second, Side::Second)
        )
    }

    /// The partner's side, if it has one.
    #[must_use]
    pub const fn engine(self) -> Option<Side> {
        match self {
            HumanSide::First => Some(Side::Second),
            HumanSide::Second => Some(Side::First),
            HumanSide::Both => None,
        }
    }
}

impl fmt::Display for HumanSide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            HumanSide::First => "first",
            HumanSide::Second => "second",
            HumanSide::Both => "both",
        })
    }
}

/// A text that is no side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HumanSideError;

impl fmt::Display for HumanSideError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a side: expected first, second or both")
    }
}

impl std::error::Error for HumanSideError {}

impl FromStr for HumanSide {
    type Err = HumanSideError;

    fn from_str(text: &str) -> Result<HumanSide, HumanSideError> {
        HumanSide::ALL.into_iter().find(|side| side.to_string() == text).ok_or(HumanSideError)
    }
}

/// A game to begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The board.
    pub spec: GameSpec,
    /// Who plays for the partner, with parameters.
    pub player: String,
    /// Which side the person plays.
    pub human: HumanSide,
    /// Time per move.
    pub turn: Duration,
    /// Time per game, if it has a limit.
    pub game: Option<Duration>,
}

impl Default for Setup {
    fn default() -> Setup {
        Setup {
            spec: GameSpec::Mnk { rows: 15, cols: 15, k: 5, exact: false },
            player: "tavola".into(),
            human: HumanSide::First,
            turn: DEFAULT_TURN,
            game: None,
        }
    }
}

impl Setup {
    /// Whether there is such a player for this game.
    ///
    /// # Errors
    /// There is none, in a line.
    pub fn check(&self) -> Result<(), String> {
        registry::check(&self.player, self.spec)
            .map_err(|error| format!("player `{}`: {error}", self.player))
    }
}
