//! `tavola ablate`: what each part of the search is worth, by games of the whole engine against itself
//! with that part left out.

use std::io::Write;

use clap::Args;
use engine::game::line::patterns::{CROSSINGS, Worth};
use engine::players::tavola::Parts;
use engine::search::Options;
use engine::spec::GameSpec;

use crate::elo::Elo;
use crate::failure::{Failure, Status};
use crate::games_bar::GamesBar;
use crate::self_play::{Conditions, Desk, GamesArguments, Version, has_network};
use crate::tally::Tally;

const EXAMPLES: &str = "\
Examples:
  tavola ablate
  tavola ablate threats reduce --game mnk:15x15x5 --pairs 100 --nodes 5000

Parts: table, static-order, learned-order, bounds, symmetry, null-window, aspiration, extend-forced,
threats, reduce, believe, narrow; crossings and hunt (mnk boards of more than 64 cells), network (those
with lines of five), first-stones (with --openings 1); zugzwang (connect boards that do not fit in 64 bits).
Without any, all of them, one after the other. The figures are those of the whole search, for hunt and
first-stones of the whole player, for crossings of prices without the network. How connect boards are solved has
parts of its own: `tavola solve --without`.";

/// The arguments of `tavola ablate`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The parts to leave out, one at a time
    pub parts: Vec<String>,
    /// The game
    #[arg(long, value_name = "SPEC", default_value = "mnk:15x15x5")]
    pub game: GameSpec,
    /// Openings, each played twice
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub pairs: u64,
    /// Nodes per move
    #[arg(long, value_name = "N", default_value_t = 2_000)]
    pub nodes: u64,
    /// How games begin, and the memory
    #[command(flatten)]
    pub games: GamesArguments,
}

/// A part of the engine, and the whole and the engine without it.
type Part = (&'static str, [Version; 2]);

const SEARCH: [(&str, Options); 12] = [
    ("table", Options { table: false, ..Options::ALL }),
    ("static-order", Options { static_order: false, ..Options::ALL }),
    ("learned-order", Options { learned_order: false, ..Options::ALL }),
    ("bounds", Options { bounds: false, ..Options::ALL }),
    ("symmetry", Options { symmetry: false, ..Options::ALL }),
    ("null-window", Options { null_window: false, ..Options::ALL }),
    ("aspiration", Options { aspiration: false, ..Options::ALL }),
    ("extend-forced", Options { extend_forced: false, ..Options::ALL }),
    ("threats", Options { threats: false, ..Options::ALL }),
    ("reduce", Options { reduce: false, ..Options::ALL }),
    ("believe", Options { believe: false, ..Options::ALL }),
    ("narrow", Options { narrow: false, ..Options::ALL }),
];

const PLAYER: [(&str, Parts); 2] = [
    ("hunt", Parts { hunt: false, ..Parts::ALL }),
    ("first-stones", Parts { first_stones: false, ..Parts::ALL }),
];

/// All parts.
fn parts(game: GameSpec) -> Vec<Part> {
    let mut all: Vec<Part> = vec![];
    for (name, options) in SEARCH {
        all.push((name, [Version::default(), Version { options, ..Version::default() }]));
    }
    if let GameSpec::Mnk { k, .. } = game {
        let prices = Version::valuing(Worth::for_length(k));
        all.push(("crossings", [prices, Version::valuing(without_crossings(k))]));
        if has_network(game) {
            all.push(("network", [Version::default(), prices]));
        }
    }
    if let GameSpec::Connect { .. } = game {
        let without = Version { ignores_zugzwang: true, ..Version::default() };
        all.push(("zugzwang", [Version::default(), without]));
    }
    for (name, parts) in PLAYER {
        all.push((name, [Version::playing(Parts::ALL), Version::playing(parts)]));
    }
    all
}

/// Nothing but classes counts.
fn without_crossings(k: u16) -> Worth {
    let mut worth = Worth::for_length(k);
    worth.mover.crossings = [0; CROSSINGS];
    worth.waiter.crossings = [0; CROSSINGS];
    worth
}

/// Runs the command.
///
/// # Errors
/// There is no such part, memory is short, or the output cannot be written.
pub fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Status, Failure> {
    let all = parts(arguments.game);
    let find = |name: &String| {
        all.iter().find(|(part, _)| part == name).copied().ok_or_else(|| {
            let names: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
            Failure::Input(format!("no part `{name}`: there are {}", names.join(", ")))
        })
    };
    let parts: Vec<Part> = if arguments.parts.is_empty() {
        all.clone()
    } else {
        arguments.parts.iter().map(find).collect::<Result<_, _>>()?
    };
    let conditions = Conditions {
        spec: arguments.game,
        nodes: arguments.nodes,
        opening: arguments.games.openings,
        seed: arguments.games.seed,
    };
    let mut desk = Desk::new(arguments.games.table)?;
    writeln!(
        out,
        "{}, {} games each, {} nodes per move, table {}, seed {}",
        arguments.game,
        2 * arguments.pairs,
        arguments.nodes,
        arguments.games.table,
        arguments.games.seed
    )?;
    writeln!(out, "{:<14} {:>5} {:>6} {:>5}  Elo of the part", "left out", "won", "drawn", "lost")?;
    for (name, versions) in parts {
        let mut tally = Tally::default();
        let bar = GamesBar::counting(arguments.pairs, "pairs of games");
        for pair in 0..arguments.pairs {
            tally = tally + desk.play_pair(versions.each_ref(), &conditions, pair)?;
            bar.advance();
        }
        drop(bar);
        let Tally { won, drawn, lost } = tally;
        writeln!(out, "{name:<14} {won:>5} {drawn:>6} {lost:>5}  {}", Elo::of(tally))?;
        out.flush()?;
    }
    Ok(Status::Done)
}
