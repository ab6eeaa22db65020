//! `tavola league`: everybody against everybody on the boards of a league, with its points.
//!
//! Each pair plays every board twice, once with either side. One game at a time on one thread:
//! two at once would take time from each other.

pub mod boards;
pub mod standings;

use std::io::Write;

use clap::Args;
use engine::players::registry::{AnyPlayer, listings};
use engine::spec::GameSpec;
use serde::Serialize;

use self::boards::{Choice, League};
use self::standings::{Standing, Standings};
use crate::failure::{Failure, Status};
use crate::game_record::file::RecordFile;
use crate::game_record::{GameRecord, side_word};
use crate::games_bar::GamesBar;
use crate::judge::{self, Judge, Pairing};
use crate::move_limit::LimitArguments;
use crate::output_file::{self, Overwrite};
use crate::plot::{self, Bar};
use crate::seeds;
use crate::table_size::TableSize;

const EXAMPLES: &str = "\
Examples:
  tavola league mnk --players tavola,oneply --time 1s
  tavola league connect --boards all --nodes 10000 --json
  tavola league bricks --plot points.svg --record games.txt

Boards (all: those of the league; small: quicker):
  mnk      all: 25, from 3x3x3 to 70x70x10; small: 19, up to 7x7 with K up to 5, and 8x8x4
  connect  all: 35, X = 4 and 5 up to 7x7, and 20x20x10 to 50x50x10; small: the 16 with X = 4
  bricks   all: 11x11; small: 6x6 and 8x8

Points:
  mnk      win as first 2, win as second 3, win by forfeit 2, draw 1
  connect  win 3, also by forfeit, draw 1
  bricks   the sum of the margins; a forfeit is a margin of all cells

In --players a comma ends a player if a player's name follows; commas of parameters are kept, and
blanks and semicolons separate as well: \"tavola;oneply random\".

The limit is per move for all games (in the bricks tournament the clock is a total per player and
game); without --time and --nodes it is 1s. Illegal moves and late answers forfeit the game.

Exit codes: 0 done, 1 a game was forfeited, 2 usage or bad input.";

/// Time per move if no limit is given.
const DEFAULT_MILLISECONDS: u64 = 1_000;

/// The arguments of `tavola league`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The league
    #[arg(value_enum)]
    pub league: League,
    /// The players: tavola,oneply,random; without it, all that play the game
    #[arg(long, value_name = "LIST")]
    pub players: Option<String>,
    /// The limit of a move; 1s if none is given.
    #[command(flatten)]
    pub limit: LimitArguments,
    /// Which boards
    #[arg(long, value_enum, default_value_t = Choice::Small)]
    pub boards: Choice,
    /// Memory for each player's transposition table, in bytes: 512, 64K, 1M
    #[arg(long, value_name = "SIZE", default_value = "64K")]
    pub table: TableSize,
    /// All that is random follows from this number
    #[arg(long, value_name = "S", default_value = "0")]
    pub seed: u64,
    /// Write the games to this new file
    #[arg(long, value_name = "FILE")]
    pub record: Option<String>,
    /// Write a bar chart of the points to this new file
    #[arg(long, value_name = "FILE.svg")]
    pub plot: Option<String>,
    /// Overwrite the chart if it is there already
    #[arg(long, requires = "plot")]
    pub force: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// A game of the league as JSON.
#[derive(Clone, Debug, Serialize)]
struct GameLine {
    game: String,
    first: String,
    second: String,
    result: &'static str,
    moves: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    margin: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    forfeit: Option<ForfeitLine>,
}

#[derive(Clone, Debug, Serialize)]
struct ForfeitLine {
    side: &'static str,
    reason: String,
}

impl From<&GameRecord> for GameLine {
    fn from(record: &GameRecord) -> GameLine {
        let [first, second] = record.players.clone();
        GameLine {
            game: record.spec.to_string(),
            first,
            second,
            result: record.result(),
            moves: record.moves.len(),
            margin: record.margin().map(|margin| margin.as_f64()),
            forfeit: record.forfeit.as_ref().map(|forfeit| ForfeitLine {
                side: side_word(forfeit.side),
                reason: forfeit.reason.clone(),
            }),
        }
    }
}

/// The whole league as JSON.
#[derive(Debug, Serialize)]
struct LeagueReport {
    league: &'static str,
    boards: Vec<String>,
    limit: String,
    table_bytes: usize,
    seed: u64,
    standings: Vec<Standing>,
    games: Vec<GameLine>,
}

/// Runs the command.
///
/// # Errors
/// A player or file cannot be used, or the output cannot be written.
pub fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Status, Failure> {
    let league = arguments.league;
    let limit = arguments.limit.or_milliseconds(DEFAULT_MILLISECONDS);
    let boards = league.boards(arguments.boards);
    let names = match &arguments.players {
        Some(list) => split_players(list),
        None => default_players(&boards),
    };
    check_players(&names, &boards)?;
    let mut judge = Judge::new(limit, arguments.table)?;
    let mut file = arguments.record.as_deref().map(RecordFile::create).transpose()?;
    let overwrite = if arguments.force { Overwrite::Forced } else { Overwrite::NotUnlessForced };
    let chart = match &arguments.plot {
        Some(name) => {
            let chart = output_file::create(name, overwrite).inspect_err(|_| {
                // Nothing will be played: the empty record need not stay.
                if let Some(record) = &arguments.record {
                    let _ = std::fs::remove_file(record);
                }
            })?;
            Some((name, chart))
        }
        None => None,
    };

    let mut standings = Standings::new(league, &names);
    let mut games: Vec<GameLine> = Vec::new();
    let bar = GamesBar::new((boards.len() * names.len() * (names.len() - 1)) as u64);
    for &spec in &boards {
        for (first, second) in pairings(names.len()) {
            let pairing = Pairing { spec, names: [&names[first], &names[second]], opening: &[] };
            bar.say(|| format!("{spec}: {} - {}", names[first], names[second]));
            let game_seed = seeds::derived(arguments.seed, &[games.len() as u64]);
            let player_seeds = [0, 1].map(|side| seeds::derived(game_seed, &[side]));
            let record = judge.play_named(&pairing, player_seeds)?;
            standings.count(&record, [first, second]);
            if let Some(file) = &mut file {
                file.add(&record)?;
            }
            games.push(GameLine::from(&record));
            bar.advance();
        }
    }
    drop(bar);

    let sorted = standings.sorted();
    let forfeits = games.iter().any(|game| game.forfeit.is_some());
    let title = format!(
        "{} league, {} boards, {limit} per move, table {}",
        league.name(),
        boards.len(),
        arguments.table
    );
    if arguments.json {
        let report = LeagueReport {
            league: league.name(),
            boards: boards.iter().map(GameSpec::to_string).collect(),
            limit: limit.to_string(),
            table_bytes: arguments.table.bytes(),
            seed: arguments.seed,
            standings: sorted.clone(),
            games,
        };
        serde_json::to_writer(&mut *out, &report)?;
        writeln!(out)?;
    } else {
        writeln!(out, "{title}, seed {}, {} games", arguments.seed, games.len())?;
        print(&sorted, out)?;
        print_forfeits(&games, out)?;
    }
    if let Some((name, mut chart)) = chart {
        let bars: Vec<Bar> = sorted
            .iter()
            .map(|standing| Bar {
                name: standing.player.clone(),
                value: standing.points,
                label: standing.shown_points.clone(),
            })
            .collect();
        output_file::fill(name, &mut chart, plot::bar_chart(&title, &bars))?;
    }
    Ok(if forfeits { Status::Incomplete } else { Status::Done })
}

fn print(sorted: &[Standing], out: &mut dyn Write) -> Result<(), Failure> {
    let names = sorted.iter().map(|standing| standing.player.chars().count()).max().unwrap_or(0);
    let names = names.max("player".len());
    writeln!(
        out,
        "{:>4}  {:names$} {:>10} {:>6} {:>6} {:>6} {:>6} {:>8}",
        "rank", "player", "points", "games", "won", "drawn", "lost", "forfeits"
    )?;
    for standing in sorted {
        writeln!(
            out,
            "{:>4}  {:names$} {:>10} {:>6} {:>6} {:>6} {:>6} {:>8}",
            standing.rank,
            standing.player,
            standing.shown_points,
            standing.tally.games(),
            standing.tally.won,
            standing.tally.drawn,
            standing.tally.lost,
            standing.forfeits
        )?;
    }
    Ok(())
}

fn print_forfeits(games: &[GameLine], out: &mut dyn Write) -> Result<(), Failure> {
    for game in games {
        if let Some(forfeit) = &game.forfeit {
            writeln!(
                out,
                "forfeit: {}, {} - {}: {} {}",
                game.game, game.first, game.second, forfeit.side, forfeit.reason
            )?;
        }
    }
    Ok(())
}

/// All ordered pairs: each pair with either side, one after the other.
fn pairings(players: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..players).flat_map(move |a| (a + 1..players).flat_map(move |b| [(a, b), (b, a)]))
}

/// All players that play every board without parameters.
fn default_players(boards: &[GameSpec]) -> Vec<String> {
    listings()
        .filter(|listing| boards.iter().all(|&spec| AnyPlayer::new(listing.name, spec, 0).is_ok()))
        .map(|listing| listing.name.into())
        .collect()
}

/// Splits `tavola,jfin5:30,4,oneply` into `tavola`, `jfin5:30,4` and `oneply`.
fn split_players(list: &str) -> Vec<String> {
    let is_player = |text: &str| {
        let name = text.split(':').next().unwrap_or(text);
        listings().any(|listing| listing.name.eq_ignore_ascii_case(name))
    };
    let mut players: Vec<String> = Vec::new();
    for group in list.split([';', ' ', '\t', '\n']).filter(|group| !group.is_empty()) {
        for (index, part) in group.split(',').enumerate() {
            match players.last_mut() {
                Some(last) if index > 0 && last.contains(':') && !is_player(part) => {
                    last.push(',');
                    last.push_str(part);
                }
                _ => players.push(part.into()),
            }
        }
    }
    players
}

fn check_players(names: &[String], boards: &[GameSpec]) -> Result<(), Failure> {
    for (index, name) in names.iter().enumerate() {
        for &spec in boards {
            judge::player(name, spec, 0)?;
        }
        if names.iter().take(index).any(|other| other.eq_ignore_ascii_case(name)) {
            return Err(Failure::Input(format!("`{name}` is there twice")));
        }
    }
    if names.len() < 2 {
        return Err(Failure::Input(format!("a league needs two players, not {}", names.len())));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_plays_both_sides() {
        let pairs: Vec<_> = pairings(3).collect();
        assert_eq!(pairs, [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)]);
    }

    #[test]
    fn lists_of_players_may_have_parameters_with_commas() {
        assert_eq!(split_players("tavola,oneply,random"), ["tavola", "oneply", "random"]);
        assert_eq!(split_players("Tavola:1,2,3,oneply"), ["Tavola:1,2,3", "oneply"]);
        assert_eq!(
            split_players("tavola:a=1;tavola:a=2 random"),
            ["tavola:a=1", "tavola:a=2", "random"]
        );
        assert_eq!(split_players("nobody,oneply"), ["nobody", "oneply"]);
        assert_eq!(split_players("oneply,nobody"), ["oneply", "nobody"]);
        assert!(split_players(" ").is_empty());
    }

    #[test]
    fn bad_lists_of_players_are_refused() {
        let boards = League::Mnk.boards(Choice::Small);
        let error =
            |list: &str| check_players(&split_players(list), &boards).expect_err(list).to_string();
        assert!(error("tavola,nobody").starts_with("`nobody`: unknown player"));
        assert!(error("tavola,,oneply").starts_with("``: unknown player"));
        assert_eq!(error("oneply,Oneply"), "`Oneply` is there twice");
        assert_eq!(error("oneply"), "a league needs two players, not 1");
        assert_eq!(error(""), "a league needs two players, not 0");
    }

    #[test]
    fn without_a_list_all_players_of_the_game_play() {
        for league in [League::Mnk, League::Connect, League::Bricks] {
            let names = default_players(&league.boards(Choice::Small));
            for name in ["tavola", "oneply", "random"] {
                assert!(names.iter().any(|known| known == name), "{name}");
            }
        }
    }
}
