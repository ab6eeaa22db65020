//! Games of the engine against itself with something changed: other weights, or a part of the search
//! left out.
//!
//! Both sides get the same number of nodes, and every opening is played twice with the sides changed,
//! so that a difference in the result comes from the change.

use clap::Args;
use engine::game::any::{OneOf, Position};
use engine::game::bricks::survey::{Weights, evaluate_with};
use engine::game::line::patterns::net::Net;
use engine::game::line::patterns::{PriceList, Worth};
use engine::game::{Game, Outcome, Side};
use engine::players::random::Dice;
use engine::players::styled::{Style, Styled};
use engine::players::tavola::{Parts, Tavola};
use engine::players::{Player, Tools};
use engine::score::Score;
use engine::search::ordering::{Candidate, MoveSink};
use engine::search::report::{Limits, NoClock};
use engine::search::{MAX_DEPTH, Options, search};
use engine::spec::GameSpec;

use crate::failure::Failure;
use crate::memory::Memory;
use crate::position;
use crate::seeds::derived;
use crate::table_size::TableSize;
use crate::tally::Tally;

/// A version of the engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Version {
    /// The parts of the search that are on.
    pub options: Options,
    /// What cells are worth on large mnk boards, if not what they always are.
    pub prices: Option<&'static PriceList>,
    /// What bricks are worth, if given: the search then sees the game through them, without bounds and
    /// without moves that are searched less deep.
    pub weights: Option<Weights>,
    /// Whether zugzwang is left out of what large connect boards are worth.
    pub ignores_zugzwang: bool,
    /// What the player `tavola` does besides its search, if given; else only the search plays.
    pub parts: Option<Parts>,
}

impl Version {
    /// The whole engine, with cells of large mnk boards worth this and nothing else. The memory for it is never
    /// given back.
    #[must_use]
    pub fn valuing(worth: Worth) -> Version {
        let prices: &'static PriceList = Box::leak(Box::new(PriceList::new(worth)));
        Version { prices: Some(prices), ..Version::default() }
    }

    /// The whole engine with this network for lines of five. The memory for it is never given back.
    #[must_use]
    pub fn with_net(net: Net) -> Version {
        let net: &'static Net = Box::leak(Box::new(net));
        let prices = Box::leak(Box::new(PriceList::new(Worth::OF_FIVES).with_net(net)));
        Version { prices: Some(prices), ..Version::default() }
    }

    /// Makes a position see its cells as this version does.
    pub fn value(&self, board: &mut Position) {
        match (board, self.prices) {
            (OneOf::Mnk(game), Some(prices)) => game.set_prices(prices),
            (OneOf::Connect(game), _) if self.ignores_zugzwang => game.ignore_zugzwang(),
            _ => {}
        }
    }

    /// The player `tavola` with only these parts besides its search.
    #[must_use]
    pub fn playing(parts: Parts) -> Version {
        Version { parts: Some(parts), ..Version::default() }
    }
}

/// What the commands that play such games have in common.
#[derive(Args, Clone, Copy, Debug)]
pub struct GamesArguments {
    /// Random moves at the beginning of a game
    #[arg(long, value_name = "PLIES", default_value_t = 4)]
    pub openings: usize,
    /// Memory for each version's table
    #[arg(long, value_name = "SIZE", default_value = "64K")]
    pub table: TableSize,
    /// Other openings
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub seed: u64,
}

/// How games are played.
#[derive(Clone, Copy, Debug)]
pub struct Conditions {
    /// The game.
    pub spec: GameSpec,
    /// Nodes per move.
    pub nodes: u64,
    /// Moves at random, though not senseless ones, at the beginning.
    pub opening: usize,
    /// Where the openings come from.
    pub seed: u64,
}

/// A move of an opening is one of this many that are best at first sight.
const OPENING_WIDTH: usize = 12;
/// Of this many openings the one is played that a short search finds most even: games that one
/// side is bound to win tell nothing.
const OPENINGS_TRIED: usize = 12;
/// How short it is, in nodes.
const OPENING_NODES: u64 = 3_000;

/// The memory for two versions.
pub struct Desk {
    memories: [Memory; 2],
}

impl Desk {
    /// Two tables of this size.
    ///
    /// # Errors
    /// The system does not give that much memory.
    pub fn new(table: TableSize) -> Result<Desk, Failure> {
        Ok(Desk { memories: [Memory::new(table)?, Memory::new(table)?] })
    }

    /// Plays the opening number `pair` twice; counts the games from the first version's side.
    ///
    /// # Errors
    /// The board is larger than this build holds.
    pub fn play_pair(
        &mut self,
        versions: [&Version; 2],
        conditions: &Conditions,
        pair: u64,
    ) -> Result<Tally, Failure> {
        let mut tally = Tally::default();
        let opening = self.even_opening(conditions, pair)?;
        for (side, versions) in
            [(Side::First, versions), (Side::Second, [versions[1], versions[0]])]
        {
            let end = self.play(versions, &opening, conditions.nodes, |_| {})?;
            tally.count(end.outcome().unwrap_or(Outcome::Draw), side);
        }
        Ok(tally)
    }

    /// Plays the opening number `game` once, the versions in the order of the sides. `visit` is told
    /// each position that is searched. Returns the last one.
    ///
    /// # Errors
    /// The board is larger than this build holds.
    pub fn play_one(
        &mut self,
        versions: [&Version; 2],
        conditions: &Conditions,
        game: u64,
        visit: impl FnMut(&Position),
    ) -> Result<Position, Failure> {
        let opening = opening(conditions, &mut Dice::new(derived(conditions.seed, &[game])))?;
        self.play(versions, &opening, conditions.nodes, visit)
    }

    fn play(
        &mut self,
        versions: [&Version; 2],
        opening: &Position,
        nodes: u64,
        mut visit: impl FnMut(&Position),
    ) -> Result<Position, Failure> {
        let mut boards = [opening, opening].map(Clone::clone);
        for (board, version) in boards.iter_mut().zip(versions) {
            version.value(board);
        }
        self.memories.iter_mut().for_each(|memory| {
            memory.fresh();
        });
        loop {
            if boards[0].outcome().is_some() {
                let [end, _] = boards;
                return Ok(end);
            }
            visit(&boards[0]);
            let turn = boards[0].ply() % 2;
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let memory = &mut self.memories[turn];
            let (mut table, workspace) = memory.parts();
            let options = &versions[turn].options;
            let board = &mut boards[turn];
            let best = match (versions[turn].parts, versions[turn].weights) {
                (Some(parts), _) => {
                    let clock = &NoClock;
                    let mut tools = Tools { limits, clock, table: &mut table, workspace };
                    Tavola::of_parts(parts).decide(board, &mut tools).map(|decision| decision.best)
                }
                (None, Some(weights)) => {
                    let mut style = Weighed(weights);
                    let mut view = Styled::new(board, &mut style);
                    search(&mut view, &limits, options, &NoClock, &mut table, workspace)
                        .map(|report| report.best)
                }
                (None, None) => search(board, &limits, options, &NoClock, &mut table, workspace)
                    .map(|report| report.best),
            };
            let age = table.age();
            memory.keep_age(age);
            let Some(best) = best else {
                return Err(Failure::Input("no move in a game that goes on".into()));
            };
            boards.iter_mut().for_each(|board| board.make(best));
        }
    }

    /// The most even of some openings.
    fn even_opening(&mut self, conditions: &Conditions, pair: u64) -> Result<Position, Failure> {
        let mut dice = Dice::new(derived(conditions.seed, &[pair]));
        let mut best: Option<(i32, Position)> = None;
        for _ in 0..OPENINGS_TRIED {
            let mut board = opening(conditions, &mut dice)?;
            let limits = Limits { nodes: Some(OPENING_NODES), ..Limits::default() };
            let (mut table, workspace) = self.memories[0].fresh();
            let report =
                search(&mut board, &limits, &Options::ALL, &NoClock, &mut table, workspace);
            let lead = report.map_or(i32::MAX, |report| report.score.abs());
            if best.as_ref().is_none_or(|(least, _)| lead < *least) {
                best = Some((lead, board));
            }
        }
        best.map(|(_, board)| board).ok_or_else(|| Failure::Input("no opening".into()))
    }
}

/// Bricks with other weights.
struct Weighed(Weights);

impl<G: Game> Style<G> for Weighed {
    fn evaluate(&self, game: &G) -> Score {
        evaluate_with(game, &self.0)
    }
}

/// Whether the engine values positions of this game by a network.
#[must_use]
pub fn has_network(game: GameSpec) -> bool {
    let GameSpec::Mnk { k, .. } = game else { return false };
    game.cells() > MAX_DEPTH && PriceList::for_board(game.cells(), k).has_network()
}

/// A position to begin with: moves that look sensible, at random.
pub(crate) fn opening(conditions: &Conditions, dice: &mut Dice) -> Result<Position, Failure> {
    let mut storage = vec![Candidate::NONE; conditions.spec.move_numbers().max(1)];
    loop {
        let mut board = position::start(conditions.spec).map_err(Failure::Input)?;
        for _ in 0..conditions.opening {
            if board.outcome().is_some() {
                break;
            }
            let mut sink = MoveSink::new(&mut storage);
            board.generate(&mut sink);
            let count = sink.len();
            let moves = &mut storage[..count];
            moves.sort_unstable_by(|one, other| other.cmp(one));
            board.make(moves[dice.roll(count.min(OPENING_WIDTH))].mv());
        }
        if board.outcome().is_none() {
            return Ok(board);
        }
    }
}
