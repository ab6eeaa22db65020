//! Players by name: `random`, `tavola:level=3`, `jfin5:30,4,11,5,1,2`.

use core::fmt;

use super::aipvs::Aipvs;
use super::bricks::BricksPlayer;
use super::cadrega::{CADREGA_NODES, Cadrega};
use super::competitive::Competitive;
use super::lavahound::Lavahound;
use super::oneply::OnePly;
use super::random::Random;
use super::tavola::{MAX_LEVEL, Tavola};
use super::{Decision, Player, Tools};
use crate::game::{Game, GameVisitor};
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

const SEED_0: &str = "Competitive (Lervini, Lodi, Vallese)";
const SEED_1: &str = "AiPvs (Cucci, Bindi)";
const SEED_2: &str = "LavaHound (Casalini, Casaburi)";
const SEED_3: &str = "TP3, group 14 (Aronson, Ravasi)";
const SEED_4: &str = "CadregaBot (Goretti, Mariano)";

const fn bricks(name: &'static str, parameters: &'static str, about: &'static str) -> Listing {
    Listing {
        name,
        parameters,
        plays: Plays::Bricks,
        about,
        source: SEED_3,
        make: |parameters| {
            let numbers = parameters.numbers()?;
            super::bricks::from_parameters(parameters.listing.name, &numbers, parameters.seed)
                .map(AnyPlayer::Bricks)
                .ok_or(parameters.error())
        },
    }
}

/// All players.
pub const LISTINGS: [Listing; 18] = [
    Listing {
        name: "tavola",
        parameters: "level=0..9",
        plays: Plays::Everything,
        about: "the best that the engine has; weaker at lower levels",
        source: "Tavola",
        make: |parameters| {
            let level = match parameters.text {
                "" => MAX_LEVEL,
                text => text
                    .strip_prefix("level=")
                    .and_then(|level| level.parse().ok())
                    .filter(|&level| level <= MAX_LEVEL)
                    .ok_or(parameters.error())?,
            };
            Ok(AnyPlayer::Tavola(Tavola::new(level, parameters.seed)))
        },
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
    Listing {
        name: "competitive",
        parameters: "",
        plays: Plays::Mnk,
        about: "deepening alpha-beta near the last moves, values streaks with holes",
        source: SEED_0,
        make: |parameters| Ok(AnyPlayer::Competitive(Competitive::new(parameters.seed))),
    },
    Listing {
        name: "aipvs",
        parameters: "",
        plays: Plays::Mnk,
        about: "deepening negamax with aspiration windows and a table",
        source: SEED_1,
        make: |_| Ok(AnyPlayer::Aipvs(Aipvs::new())),
    },
    Listing {
        name: "cadrega",
        parameters: "",
        plays: Plays::Mnk,
        about: "counts open windows per cell, keeps its tree between turns",
        source: SEED_4,
        make: |_| Ok(AnyPlayer::Cadrega(Cadrega::new())),
    },
    Listing {
        name: "lavahound",
        parameters: "",
        plays: Plays::Connect,
        about: "deepening alpha-beta, values connections that can still grow",
        source: SEED_2,
        make: |_| Ok(AnyPlayer::Lavahound(Lavahound::new())),
    },
    bricks("minimax", "", "plain minimax to the end of the game"),
    bricks("alphabeta", "", "plain alpha-beta to the end of the game"),
    bricks("scorer1", "", "one ply: islands, and cells with room beside them"),
    bricks("scorer2", "", "one ply: islands, and directions with room"),
    bricks("scorer3", "ADJ,EXP", "one ply: directions with room, weighted"),
    bricks("scorer4", "TILE,ADJ,EXP", "one ply: islands with room for bricks around them"),
    bricks("jfin1", "DEPTH,ADJ,EXP", "alpha-beta over scorer3"),
    bricks("jfin2", "DEPTH,OFFSET,ADJ,EXP", "as jfin1, only moves that look good at the root"),
    bricks("jfin3", "DEPTH,ADJ,EXP", "as jfin1, random among equals"),
    bricks("jfin4", "DEPTH,TILE,ADJ,EXP", "alpha-beta over scorer4"),
    bricks("jfin5", "INITIAL,MIDDLE,FINAL,TILE,ADJ,EXP", "as jfin4, deeper as the game goes on"),
];

/// The most parameters of any player.
const MAX_PARAMETERS: usize = 6;

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

    /// The parameters as numbers separated by commas.
    fn numbers(&self) -> Result<heapless::Vec<u32, MAX_PARAMETERS>, PlayerError> {
        let mut numbers = heapless::Vec::new();
        for part in self.text.split(',').filter(|_| !self.text.is_empty()) {
            let digits = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
            let number = part.parse().ok().filter(|_| digits).ok_or(self.error())?;
            numbers.push(number).map_err(|_| self.error())?;
        }
        Ok(numbers)
    }
}

/// Any player as one type.
#[allow(clippy::large_enum_variant)] // There is no heap; few players exist at a time.
#[derive(Clone, Debug)]
pub enum AnyPlayer {
    /// See [`super::tavola`].
    Tavola(Tavola),
    /// See [`super::oneply`].
    OnePly(OnePly),
    /// See [`super::random`].
    Random(Random),
    /// See [`super::competitive`].
    Competitive(Competitive),
    /// See [`super::aipvs`].
    Aipvs(Aipvs),
    /// See [`super::cadrega`].
    Cadrega(Cadrega<CADREGA_NODES>),
    /// See [`super::lavahound`].
    Lavahound(Lavahound),
    /// See [`super::bricks`].
    Bricks(BricksPlayer),
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
        game.dispatch(Turn { player: self, tools })
    }
}

/// A player's turn at a game whose kind is known, so that its search is compiled for that kind.
struct Turn<'a, 'b, 't, const MOVES: usize> {
    player: &'a mut AnyPlayer,
    tools: &'a mut Tools<'b, 't, MOVES>,
}

impl<const MOVES: usize> GameVisitor for Turn<'_, '_, '_, MOVES> {
    type Output = Option<Decision>;

    fn visit<G: Game>(self, game: &mut G) -> Option<Decision> {
        match self.player {
            AnyPlayer::Tavola(player) => player.decide(game, self.tools),
            AnyPlayer::OnePly(player) => player.decide(game, self.tools),
            AnyPlayer::Random(player) => player.decide(game, self.tools),
            AnyPlayer::Competitive(player) => player.decide(game, self.tools),
            AnyPlayer::Aipvs(player) => player.decide(game, self.tools),
            AnyPlayer::Cadrega(player) => player.decide(game, self.tools),
            AnyPlayer::Lavahound(player) => player.decide(game, self.tools),
            AnyPlayer::Bricks(player) => player.decide(game, self.tools),
        }
    }
}
