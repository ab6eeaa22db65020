//! `tavola arena`: many games between two players, and what they say about their strength.
//!
//! The sides alternate: A begins the first game, B the second. With `--openings` each two games
//! share an opening, so that both players have both sides of it. With a node limit the whole run
//! follows from the seed: the same games, the same output, the same record.

use std::collections::HashSet;
use std::io::Write;

use clap::Args;
use engine::game::{Outcome, Side};
use engine::spec::GameSpec;
use serde::Serialize;

use crate::elo::Elo;
use crate::failure::{Failure, Status};
use crate::game_record::file::RecordFile;
use crate::game_record::{GameRecord, Points, side_word};
use crate::games_bar::GamesBar;
use crate::judge::{self, Judge, Means, Pairing};
use crate::move_limit::{LimitArguments, MoveLimit};
use crate::seeds;
use crate::table_size::TableSize;
use crate::tally::Tally;
use crate::time_span::TimeSpan;

const EXAMPLES: &str = "\
Examples:
  tavola arena tavola oneply --game mnk:15x15x5 --games 20 --time 100ms --openings 4
  tavola arena oneply random --game bricks:8 --games 100 --nodes 10000 --seed 7
  tavola arena tavola random --game connect:6x7x4 --record games.txt
  tavola arena tavola jfin4 --game bricks:11 --game-time 12s --game-time-b 120s --openings 4

`tavola players` lists the players; `tavola show games.txt` shows the games of a record.

Without a limit it is 100ms per move. With --game-time the clock is a total per player and game, as
in the bricks tournament. Illegal moves and late answers forfeit the game. Players that do nothing at random repeat
their games: give them --openings. Times are only told under a time limit.

JSON: `elo` has `difference`, `low` and `high` (95 %); null is infinite. All figures are player A's.

Exit codes: 0 done, 1 a game was forfeited, 2 usage or bad input.";

/// Time per move if no limit is given.
const DEFAULT_MILLISECONDS: u64 = 100;

/// The arguments of `tavola arena`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// One player: NAME or NAME:PARAMETERS
    pub a: String,
    /// The other player
    pub b: String,
    /// The game: mnk:ROWSxCOLSxK, connect:ROWSxCOLSxX or bricks:N
    #[arg(long, value_name = "SPEC")]
    pub game: GameSpec,
    /// How many games; the sides alternate
    #[arg(long, value_name = "N", default_value = "10")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub games: u64,
    /// The limit of a move; 100ms if none is given.
    #[command(flatten)]
    pub limit: LimitArguments,
    /// Time per player and game, instead of per move: 12s, 2m
    #[arg(long, value_name = "SPAN", conflicts_with_all = ["time", "nodes"])]
    pub game_time: Option<TimeSpan>,
    /// Time per move of player B, if it has a limit of its own
    #[arg(long, value_name = "SPAN")]
    pub time_b: Option<TimeSpan>,
    /// Nodes per move of player B
    #[arg(long, value_name = "N", conflicts_with = "time_b")]
    pub nodes_b: Option<u64>,
    /// Time per game of player B
    #[arg(long, value_name = "SPAN", conflicts_with_all = ["time_b", "nodes_b"])]
    pub game_time_b: Option<TimeSpan>,
    /// Memory for each player's transposition table, in bytes: 512, 64K, 1M
    #[arg(long, value_name = "SIZE", default_value = "64K")]
    pub table: TableSize,
    /// Memory for player B's table, if its size is another
    #[arg(long, value_name = "SIZE")]
    pub table_b: Option<TableSize>,
    /// All that is random follows from this number
    #[arg(long, value_name = "S", default_value = "0")]
    pub seed: u64,
    /// Random moves at the beginning of each game, the same for two games in a row: 0 to 40
    #[arg(long, value_name = "PLIES", default_value = "0")]
    #[arg(value_parser = clap::value_parser!(u64).range(0..=40))]
    pub openings: u64,
    /// Write the games to this new file
    #[arg(long, value_name = "FILE")]
    pub record: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

impl Arguments {
    /// What A and B have.
    fn means(&self) -> [Means; 2] {
        let a = match self.game_time {
            Some(span) => MoveLimit::Game(span),
            None => self.limit.or_milliseconds(DEFAULT_MILLISECONDS),
        };
        let b = (self.time_b.map(MoveLimit::Time))
            .or(self.nodes_b.map(MoveLimit::Nodes))
            .or(self.game_time_b.map(MoveLimit::Game));
        let table_b = self.table_b.unwrap_or(self.table);
        [Means { limit: a, table: self.table }, Means { limit: b.unwrap_or(a), table: table_b }]
    }
}

/// What a player's moves cost.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Cost {
    /// The player.
    pub player: String,
    /// Moves that it was asked for and made.
    pub moves: u64,
    /// Nodes visited in all.
    pub nodes: u64,
    /// The most nodes of a move.
    pub most_nodes: u64,
    /// Time in all; null under node limits.
    pub microseconds: Option<u64>,
    /// The longest time of a move; null under node limits.
    pub most_microseconds: Option<u64>,
}

impl Cost {
    fn add(&mut self, record: &GameRecord, side: Side) {
        let asked = record.turns.iter().enumerate().skip(record.opening);
        for (_, turn) in asked.filter(|&(ply, _)| Side::at_ply(ply) == side) {
            self.moves += 1;
            self.nodes = self.nodes.saturating_add(turn.nodes);
            self.most_nodes = self.most_nodes.max(turn.nodes);
            if let Some(microseconds) = turn.microseconds {
                *self.microseconds.get_or_insert(0) += microseconds;
                self.most_microseconds = self.most_microseconds.max(Some(microseconds));
            }
        }
    }
}

/// A game given away.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ForfeitLine {
    /// The number of the game, from 1.
    pub game: u64,
    /// Who gave it away.
    pub player: String,
    /// With which side.
    pub side: &'static str,
    /// Why.
    pub reason: String,
}

/// What came of all games. All figures are player A's.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ArenaReport {
    /// The game.
    pub game: String,
    /// One player.
    pub a: String,
    /// The other.
    pub b: String,
    /// Games played.
    pub games: u64,
    /// Games that differ from all games before.
    pub different_games: u64,
    /// A's limit.
    pub limit: String,
    /// B's limit.
    pub limit_b: String,
    /// The size of A's table.
    pub table_bytes: usize,
    /// The size of B's table.
    pub table_bytes_b: usize,
    /// The seed.
    pub seed: u64,
    /// Random moves at the beginning of a game.
    pub openings: u64,
    /// All games.
    pub all: Tally,
    /// Games in which A moved first.
    pub as_first: Tally,
    /// Games in which A moved second.
    pub as_second: Tally,
    /// Wins, and draws by half, as a share of the games.
    pub score: f64,
    /// What the score says about strength.
    pub elo: Elo,
    /// Bricks: the sum of the margins.
    pub margin_sum: Option<f64>,
    /// Bricks: the mean of the margins.
    pub margin_mean: Option<f64>,
    /// Bricks: the least of the margins.
    pub margin_least: Option<f64>,
    /// Pairs of games with the same opening, each player once with each side.
    pub pairs: u64,
    /// Pairs of which A won both games.
    pub pairs_won: u64,
    /// What the moves of A and B cost.
    pub costs: [Cost; 2],
    /// Games given away.
    pub forfeits: Vec<ForfeitLine>,
}

/// Runs the command.
///
/// # Errors
/// A player or file cannot be used, or the output cannot be written.
pub fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Status, Failure> {
    let report = compete(arguments)?;
    if arguments.json {
        serde_json::to_writer(&mut *out, &report)?;
        writeln!(out)?;
    } else {
        print(arguments, &report, out)?;
    }
    Ok(if report.forfeits.is_empty() { Status::Done } else { Status::Incomplete })
}

/// Plays all games.
///
/// # Errors
/// A player or file cannot be used.
pub fn compete(arguments: &Arguments) -> Result<ArenaReport, Failure> {
    let spec = arguments.game;
    let means = arguments.means();
    let names = [arguments.a.as_str(), arguments.b.as_str()];
    for name in names {
        judge::player(name, spec, 0)?;
    }
    let mut judge = Judge::with_means(means)?;
    let mut file = arguments.record.as_deref().map(RecordFile::create).transpose()?;
    let bar = GamesBar::new(arguments.games);
    let mut tallies = [Tally::default(); 2];
    let mut margins: Vec<Points> = Vec::new();
    let mut costs = names.map(|player| Cost { player: player.into(), ..Cost::default() });
    let mut forfeits = Vec::new();
    let mut seen = HashSet::new();
    let (mut won_before, mut pairs_won) = (false, 0);
    for game in 0..arguments.games {
        let plies = arguments.openings as usize;
        let opening =
            judge::random_opening(spec, plies, seeds::derived(arguments.seed, &[0, game / 2]))?;
        // A has the first move in games with even numbers.
        let side = Side::at_ply((game % 2) as usize);
        let mut names = names;
        let mut player_seeds =
            [0, 1].map(|player| seeds::derived(arguments.seed, &[1, game, player]));
        if side == Side::Second {
            names.reverse();
            player_seeds.reverse();
        }
        let pairing = Pairing { spec, names, opening: &opening };
        let record = judge.play_named(&pairing, player_seeds)?;
        judge.swap_sides();
        tallies[side.index()].count(record.outcome, side);
        let won = record.outcome == Outcome::Win(side);
        pairs_won += u64::from(won && won_before);
        won_before = won && side == Side::First;
        margins.extend(record.margin().map(|margin| match side {
            Side::First => margin,
            Side::Second => -margin,
        }));
        costs[0].add(&record, side);
        costs[1].add(&record, side.other());
        if let Some(forfeit) = &record.forfeit {
            forfeits.push(ForfeitLine {
                game: game + 1,
                player: names[forfeit.side.index()].into(),
                side: side_word(forfeit.side),
                reason: forfeit.reason.clone(),
            });
        }
        if let Some(file) = &mut file {
            file.add(&record)?;
        }
        seen.insert((side, record.moves));
        bar.advance();
        bar.say(|| {
            let Tally { won, drawn, lost } = tallies[0] + tallies[1];
            format!("{}: won {won}, drawn {drawn}, lost {lost}", arguments.a)
        });
    }
    let all = tallies[0] + tallies[1];
    let sum: Option<f64> =
        spec.has_margins().then(|| margins.iter().copied().sum::<Points>().as_f64());
    Ok(ArenaReport {
        game: spec.to_string(),
        a: arguments.a.clone(),
        b: arguments.b.clone(),
        games: arguments.games,
        different_games: seen.len() as u64,
        limit: means[0].limit.in_full(),
        limit_b: means[1].limit.in_full(),
        table_bytes: means[0].table.bytes(),
        table_bytes_b: means[1].table.bytes(),
        seed: arguments.seed,
        openings: arguments.openings,
        all,
        as_first: tallies[0],
        as_second: tallies[1],
        score: all.score(),
        elo: Elo::of(all),
        margin_sum: sum,
        margin_mean: sum.map(|sum| sum / arguments.games as f64),
        margin_least: margins.iter().map(|margin| margin.as_f64()).min_by(f64::total_cmp),
        pairs: arguments.games / 2,
        pairs_won,
        costs,
        forfeits,
    })
}

fn print(arguments: &Arguments, report: &ArenaReport, out: &mut dyn Write) -> Result<(), Failure> {
    let both = |a: String, b: String| if a == b { a } else { format!("{a} against {b}") };
    let limit = both(report.limit.clone(), report.limit_b.clone());
    let [a, b] = arguments.means().map(|means| means.table.to_string());
    writeln!(
        out,
        "{} against {}: {}, {} games, {limit}, table {}, seed {}",
        report.a,
        report.b,
        report.game,
        report.games,
        both(a, b),
        report.seed
    )?;
    let names = report.a.chars().count().max(report.b.chars().count()).max(9);
    writeln!(
        out,
        "{:names$} {:>7} {:>7} {:>7} {:>7} {:>8}",
        "", "games", "won", "drawn", "lost", "score"
    )?;
    for (name, tally) in
        [("all", report.all), ("as first", report.as_first), ("as second", report.as_second)]
    {
        let Tally { won, drawn, lost } = tally;
        let games = tally.games();
        if games > 0 {
            let percent = 100.0 * tally.score();
            writeln!(
                out,
                "{name:names$} {games:>7} {won:>7} {drawn:>7} {lost:>7} {percent:>6.1} %"
            )?;
        }
    }
    writeln!(out, "{:names$} {}", "Elo", report.elo)?;
    if let (Some(sum), Some(mean), Some(least)) =
        (report.margin_sum, report.margin_mean, report.margin_least)
    {
        writeln!(out, "{:names$} sum {sum:+.3}, mean {mean:+.3}, least {least:+.3}", "margins")?;
    }
    if report.openings > 0 && report.pairs > 0 {
        let (won, pairs) = (report.pairs_won, report.pairs);
        writeln!(out, "{:names$} {won} of {pairs} won with both sides", "openings")?;
    }
    writeln!(out, "{:names$} {} of {} games", "different", report.different_games, report.games)?;
    for cost in &report.costs {
        let moves = cost.moves.max(1);
        write!(
            out,
            "{:names$} {} moves, {} nodes per move (most {})",
            cost.player,
            cost.moves,
            cost.nodes / moves,
            cost.most_nodes
        )?;
        if let (Some(all), Some(most)) = (cost.microseconds, cost.most_microseconds) {
            let mean = all as f64 / moves as f64 / 1_000.0;
            write!(out, ", {mean:.1} ms per move (most {:.1})", most as f64 / 1_000.0)?;
        }
        writeln!(out)?;
    }
    writeln!(out, "{:names$} {}", "forfeits", report.forfeits.len())?;
    for forfeit in &report.forfeits {
        writeln!(
            out,
            "  game {}: {} as {}: {}",
            forfeit.game, forfeit.player, forfeit.side, forfeit.reason
        )?;
    }
    Ok(())
}
