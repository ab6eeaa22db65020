//! Players by name: `random`, `tavola:level=3`, `jfin5:30,4,11,5,1,2`.

use core::fmt;

use super::oneply::OnePly;
use super::random::Random;
use super::tavola::Tavola;
use super::{Decision, Player, Tools};
use crate::game::Game;
use crate::spec::GameSpec;

/// The games that a player knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plays {
    /// All of them.
    Everything,
    /// mnk only.
    Mnk,
    /// Connect X only.
    Connect,
    /// Bricks only.
    Bricks,
}

impl Plays {
    /// Whether this game is among them.
    #[must_use]
    pub const fn includes(self, spec: GameSpec) -> bool {
        match self {
            Plays::Everything => true,
            Plays::Mnk => matches!(spec, GameSpec::Mnk { .. }),
            Plays::Connect => matches!(spec, GameSpec::Connect { .. }),
            Plays::Bricks => matches!(spec, GameSpec::Bricks { .. }),
        }
    }
}

impl fmt::Display for Plays {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Plays::Everything => "all games",
            Plays::Mnk => "mnk",
            Plays::Connect => "connect",
            Plays::Bricks => "bricks",
        })
    }
}

/// What there is to know about a player before making one.
#[derive(Clone, Copy, Debug)]
pub struct Listing {
    /// The name.
    pub name: &'static str,
    /// The parameters after the colon, as they may be given; empty if there are none.
    pub parameters: &'static str,
    /// The games that it plays.
    pub plays: Plays,
    /// What it is, in a line.
    pub about: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    make: fn(&Parameters<'_>) -> Result<AnyPlayer, PlayerError>,
}

/// All players.
pub const LISTINGS: [Listing; 3] = [
    Listing {
        name: "tavola",
        parameters: "",
        plays: Plays::Everything,
        about: "the best that the engine has",
        source: "Tavola",
        make: |parameters| Ok(AnyPlayer::Tavola(Tavola::new(9, parameters.seed))),
    },
    Listing {
        name: "oneply",
        parameters: "",
        plays: Plays::Everything,
        about: "looks one move ahead",
        source: "Tavola",
        make: |_| Ok(AnyPlayer::OnePly(OnePly)),
    },
    Listing {
        name: "random",
        parameters: "",
        plays: Plays::Everything,
        about: "any legal move",
        source: "Tavola",
        make: |parameters| Ok(AnyPlayer::Random(Random::new(parameters.seed))),
    },
];

/// Why there is no such player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayerError {
    /// No player has this name.
    Unknown,
    /// The player does not play this game.
    WrongGame {
        /// The player.
        name: &'static str,
        /// What it plays.
        plays: Plays,
    },
    /// The parameters are not of this form.
    Parameters {
        /// The player.
        name: &'static str,
        /// What is accepted.
        expected: &'static str,
    },
}

impl fmt::Display for PlayerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayerError::Unknown => {
                f.write_str("unknown player: expected one of")?;
                LISTINGS.iter().try_for_each(|listing| write!(f, " {}", listing.name))
            }
            PlayerError::WrongGame { name, plays } => write!(f, "{name} plays {plays} only"),
            PlayerError::Parameters { name, expected: "" } => {
                write!(f, "{name} has no parameters")
            }
            PlayerError::Parameters { name, expected } => {
                write!(f, "bad parameters: expected {name}:{expected}")
            }
        }
    }
}

impl core::error::Error for PlayerError {}

/// What a player is made from.
struct Parameters<'a> {
    listing: &'static Listing,
    /// The text after the colon.
    text: &'a str,
    seed: u64,
}

impl Parameters<'_> {
    fn error(&self) -> PlayerError {
        PlayerError::Parameters { name: self.listing.name, expected: self.listing.parameters }
    }
}

/// Any player as one type.
#[derive(Clone, Debug)]
pub enum AnyPlayer {
    /// See [`super::tavola`].
    Tavola(Tavola),
    /// See [`super::oneply`].
    OnePly(OnePly),
    /// See [`super::random`].
    Random(Random),
}

impl AnyPlayer {
    /// Makes a player for a game from its name and parameters. What it does at random follows
    /// from the seed.
    ///
    /// # Errors
    /// No such player, or not for this game, or bad parameters.
    pub fn new(text: &str, spec: GameSpec, seed: u64) -> Result<AnyPlayer, PlayerError> {
        let (name, parameters) = text.split_once(':').unwrap_or((text, ""));
        let listing = LISTINGS
            .iter()
            .find(|listing| listing.name.eq_ignore_ascii_case(name))
            .ok_or(PlayerError::Unknown)?;
        if !listing.plays.includes(spec) {
            return Err(PlayerError::WrongGame { name: listing.name, plays: listing.plays });
        }
        let parameters = Parameters { listing, text: parameters, seed };
        if listing.parameters.is_empty() && text.contains(':') {
            return Err(parameters.error());
        }
        (listing.make)(&parameters)
    }
}

impl Player for AnyPlayer {
    fn decide<G: Game, const MOVES: usize>(
        &mut self,
        game: &mut G,
        tools: &mut Tools<'_, '_, MOVES>,
    ) -> Option<Decision> {
        match self {
            AnyPlayer::Tavola(player) => player.decide(game, tools),
            AnyPlayer::OnePly(player) => player.decide(game, tools),
            AnyPlayer::Random(player) => player.decide(game, tools),
        }
    }
}
