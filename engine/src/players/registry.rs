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
use crate::game::{Family, Game, GameVisitor};
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
    make: fn(&Parameters<'_>) -> Result<Recipe, PlayerError>,
}

/// The source of our own players.
const OWN: &str = "Tavola";
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
                .map(Recipe::Bricks)
                .ok_or(parameters.error())
        },
    }
}

/// The players of this build.
pub fn listings() -> impl Iterator<Item = &'static Listing> {
    OWN_PLAYERS.iter().chain(SOURCE_PLAYERS)
}

/// Our own players.
const OWN_PLAYERS: &[Listing] = &[
    Listing {
        name: "tavola",
        parameters: "level=0..9",
        plays: Plays::Everything,
        about: "the best that the engine has; weaker at lower levels",
        source: OWN,
        make: |parameters| {
            let level = match parameters.text {
                "" => MAX_LEVEL,
                text => text
                    .strip_prefix("level=")
                    .and_then(|level| level.parse().ok())
                    .filter(|&level| level <= MAX_LEVEL)
                    .ok_or(parameters.error())?,
            };
            Ok(Recipe::Tavola(Tavola::new(level, parameters.seed)))
        },
    },
    Listing {
        name: "oneply",
        parameters: "",
        plays: Plays::Everything,
        about: "looks one move ahead",
        source: OWN,
        make: |_| Ok(Recipe::OnePly(OnePly)),
    },
    Listing {
        name: "random",
        parameters: "",
        plays: Plays::Everything,
        about: "any legal move",
        source: OWN,
        make: |parameters| Ok(Recipe::Random(Random::new(parameters.seed))),
    },
];

/// The players of the source documents, where there is room for them.
const SOURCE_PLAYERS: &[Listing] = if cfg!(feature = "source-players") { ALL_SOURCES } else { &[] };

const ALL_SOURCES: &[Listing] = &[
    Listing {
        name: "competitive",
        parameters: "",
        plays: Plays::Mnk,
        about: "deepening alpha-beta near the last moves, values streaks with holes",
        source: SEED_0,
        make: |parameters| Ok(Recipe::Competitive(Competitive::new(parameters.seed))),
    },
    Listing {
        name: "aipvs",
        parameters: "",
        plays: Plays::Mnk,
        about: "deepening negamax with aspiration windows and a table",
        source: SEED_1,
        make: |_| Ok(Recipe::Aipvs(Aipvs::new())),
    },
    Listing {
        name: "cadrega",
        parameters: "",
        plays: Plays::Mnk,
        about: "counts open windows per cell, keeps its tree between turns",
        source: SEED_4,
        make: |_| Ok(Recipe::Cadrega(Cadrega::new())),
    },
    Listing {
        name: "lavahound",
        parameters: "",
        plays: Plays::Connect,
        about: "deepening alpha-beta, values connections that can still grow",
        source: SEED_2,
        make: |_| Ok(Recipe::Lavahound(Lavahound::new())),
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
                listings().try_for_each(|listing| write!(f, " {}", listing.name))
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

/// Any player as one type, with as much memory as a PC has to spare.
pub type AnyPlayer = SizedPlayer<CADREGA_NODES>;

/// Whether there is such a player for a game.
///
/// # Errors
/// As [`SizedPlayer::new`].
pub fn check(text: &str, spec: GameSpec) -> Result<(), PlayerError> {
    Recipe::new(text, spec, 0).map(|_| ())
}

/// A player that is chosen but has no memory yet.
type Recipe = SizedPlayer<0>;

/// Any player as one type; `NODES` is what [`Cadrega`] may keep between turns.
#[allow(clippy::large_enum_variant)] // There is no heap; few players exist at a time.
#[derive(Clone, Debug)]
pub enum SizedPlayer<const NODES: usize> {
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
    Cadrega(Cadrega<NODES>),
    /// See [`super::lavahound`].
    Lavahound(Lavahound),
    /// See [`super::bricks`].
    Bricks(BricksPlayer),
}

impl<const NODES: usize> SizedPlayer<NODES> {
    /// Makes a player for a game from its name and parameters. What it does at random follows
    /// from the seed.
    ///
    /// # Errors
    /// No such player, or not for this game, or bad parameters.
    pub fn new(text: &str, spec: GameSpec, seed: u64) -> Result<Self, PlayerError> {
        let (name, parameters) = text.split_once(':').unwrap_or((text, ""));
        let listing = listings()
            .find(|listing| listing.name.eq_ignore_ascii_case(name))
            .ok_or(PlayerError::Unknown)?;
        if !listing.plays.includes(spec) {
            return Err(PlayerError::WrongGame { name: listing.name, plays: listing.plays });
        }
        let parameters = Parameters { listing, text: parameters, seed };
        if listing.parameters.is_empty() && text.contains(':') {
            return Err(parameters.error());
        }
        Ok(match (listing.make)(&parameters)? {
            Recipe::Tavola(player) => SizedPlayer::Tavola(player),
            Recipe::OnePly(player) => SizedPlayer::OnePly(player),
            Recipe::Random(player) => SizedPlayer::Random(player),
            Recipe::Competitive(player) => SizedPlayer::Competitive(player),
            Recipe::Aipvs(player) => SizedPlayer::Aipvs(player),
            Recipe::Cadrega(_) => SizedPlayer::Cadrega(Cadrega::new()),
            Recipe::Lavahound(player) => SizedPlayer::Lavahound(player),
            Recipe::Bricks(player) => SizedPlayer::Bricks(player),
        })
    }
}

impl<const NODES: usize> Player for SizedPlayer<NODES> {
    fn decide<G: Game, const MOVES: usize>(
        &mut self,
        game: &mut G,
        tools: &mut Tools<'_, '_, MOVES>,
    ) -> Option<Decision> {
        game.dispatch(Turn { player: self, tools })
    }
}

/// A player's turn at a game whose kind is known, so that its search is compiled for that kind.
struct Turn<'a, 'b, 't, const NODES: usize, const MOVES: usize> {
    player: &'a mut SizedPlayer<NODES>,
    tools: &'a mut Tools<'b, 't, MOVES>,
}

impl<const NODES: usize, const MOVES: usize> GameVisitor for Turn<'_, '_, '_, NODES, MOVES> {
    type Output = Option<Decision>;

    fn visit<G: Game>(self, game: &mut G) -> Option<Decision> {
        // Known when this is compiled: a player's code is made only for the games that it plays.
        let is = |family| {
            cfg!(feature = "source-players") && const { G::FAMILY }.is_none_or(|own| own == family)
        };
        match self.player {
            SizedPlayer::Tavola(player) => turn_of(player, game, self.tools),
            SizedPlayer::Random(player) => turn_of(player, game, self.tools),
            SizedPlayer::Competitive(player) if is(Family::Mnk) => {
                turn_with_own_eyes(player, game, self.tools)
            }
            SizedPlayer::Aipvs(player) if is(Family::Mnk) => {
                turn_with_own_eyes(player, game, self.tools)
            }
            SizedPlayer::Cadrega(player) if is(Family::Mnk) => {
                turn_with_own_eyes(player, game, self.tools)
            }
            SizedPlayer::Lavahound(player) if is(Family::Connect) => {
                turn_of(player, game, self.tools)
            }
            SizedPlayer::Bricks(player) if is(Family::Bricks) => turn_of(player, game, self.tools),
            // Also for a player that was made for another game.
            _ => turn_of(&mut OnePly, game, self.tools),
        }
    }
}

/// A player's turn as a function of its own: no player's search stands on the stack that another
/// one needs.
#[inline(never)]
fn turn_of<P: Player, G: Game, const MOVES: usize>(
    player: &mut P,
    game: &mut G,
    tools: &mut Tools<'_, '_, MOVES>,
) -> Option<Decision> {
    player.decide(game, tools)
}

/// The turn of a player that values positions in its own way.
fn turn_with_own_eyes<P: Player, G: Game, const MOVES: usize>(
    player: &mut P,
    game: &mut G,
    tools: &mut Tools<'_, '_, MOVES>,
) -> Option<Decision> {
    game.expect_evaluation(false);
    let decision = turn_of(player, game, tools);
    game.expect_evaluation(true);
    decision
}
