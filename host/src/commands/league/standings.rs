//! Points of a league, and who is where in its table.

use engine::game::{Outcome, Side};
use serde::Serialize;

use super::boards::League;
use crate::game_record::{GameRecord, Points};
use crate::tally::Tally;

/// What a game brings the player with this side.
///
/// - mnk: win as first 2, win as second 3, win by forfeit 2, draw 1
/// - connect: win 3, also by forfeit, draw 1
/// - bricks: the margin, negative for the loser; a forfeit is a margin of all cells
#[must_use]
pub fn points(league: League, record: &GameRecord, side: Side) -> Points {
    if league == League::Bricks {
        let margin = record.margin().unwrap_or_default();
        return if side == Side::First { margin } else { -margin };
    }
    let forfeit = record.forfeit.is_some();
    Points::whole(match (record.outcome, league) {
        (Outcome::Draw, _) => 1,
        (Outcome::Win(winner), _) if winner != side => 0,
        (Outcome::Win(Side::Second), League::Mnk) if !forfeit => 3,
        (Outcome::Win(_), League::Mnk) => 2,
        (Outcome::Win(_), _) => 3,
    })
}

/// A row of the table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standing {
    /// The place, from 1; players with equal points share it.
    pub rank: usize,
    /// The player.
    pub player: String,
    /// Its points.
    pub points: f64,
    /// The points as text: whole numbers, in bricks with sign and three decimals.
    #[serde(skip)]
    pub shown_points: String,
    /// Its games.
    #[serde(flatten)]
    pub tally: Tally,
    /// Games that it gave away; they are among those lost.
    pub forfeits: u64,
}

#[derive(Clone, Debug)]
struct Row {
    player: String,
    points: Vec<Points>,
    tally: Tally,
    forfeits: u64,
}

/// The table while games come in.
#[derive(Clone, Debug)]
pub struct Standings {
    league: League,
    rows: Vec<Row>,
}

impl Standings {
    /// A table without games.
    #[must_use]
    pub fn new(league: League, players: &[String]) -> Standings {
        let row = |player: &String| Row {
            player: player.clone(),
            points: Vec::new(),
            tally: Tally::default(),
            forfeits: 0,
        };
        Standings { league, rows: players.iter().map(row).collect() }
    }

    /// Counts a game of the players with these numbers; the first one moved first.
    pub fn count(&mut self, record: &GameRecord, players: [usize; 2]) {
        for side in Side::BOTH {
            let Some(row) = self.rows.get_mut(players[side.index()]) else { continue };
            row.points.push(points(self.league, record, side));
            row.tally.count(record.outcome, side);
            row.forfeits +=
                u64::from(record.forfeit.as_ref().is_some_and(|forfeit| forfeit.side == side));
        }
    }

    /// The rows by points, then by wins, then as the players were given.
    #[must_use]
    pub fn sorted(&self) -> Vec<Standing> {
        let mut rows: Vec<(Points, &Row)> =
            self.rows.iter().map(|row| (row.points.iter().copied().sum(), row)).collect();
        rows.sort_by_key(|(points, row)| std::cmp::Reverse((*points, row.tally.won)));
        let rank = |points: Points| 1 + rows.iter().filter(|row| row.0 > points).count();
        let shown = |points: Points| match self.league {
            League::Bricks => points.to_string(),
            League::Mnk | League::Connect => format!("{:.0}", points.as_f64()),
        };
        rows.iter()
            .map(|&(points, row)| Standing {
                rank: rank(points),
                player: row.player.clone(),
                points: points.as_f64(),
                shown_points: shown(points),
                tally: row.tally,
                forfeits: row.forfeits,
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game_record::Forfeit;
    use engine::spec::GameSpec;

    fn game(spec: &str, outcome: Outcome, forfeit: bool, difference: Option<i32>) -> GameRecord {
        let spec: GameSpec = spec.parse().expect(spec);
        let loser = match outcome {
            Outcome::Win(winner) => winner.other(),
            Outcome::Draw => Side::First,
        };
        GameRecord {
            spec,
            players: ["a".into(), "b".into()],
            limit: None,
            table: None,
            opening: 0,
            moves: Vec::new(),
            turns: Vec::new(),
            outcome,
            difference,
            forfeit: forfeit.then(|| Forfeit { side: loser, reason: "late".into() }),
        }
    }

    #[test]
    fn points_are_those_of_the_leagues() {
        let both = |league, record: &GameRecord| {
            Side::BOTH.map(|side| points(league, record, side).as_f64())
        };
        let (first, second) = (Outcome::Win(Side::First), Outcome::Win(Side::Second));
        let mnk = |outcome, forfeit| both(League::Mnk, &game("mnk:3x3x3", outcome, forfeit, None));
        assert_eq!(mnk(first, false), [2.0, 0.0]);
        assert_eq!(mnk(second, false), [0.0, 3.0]);
        assert_eq!(mnk(Outcome::Draw, false), [1.0, 1.0]);
        assert_eq!(mnk(first, true), [2.0, 0.0]);
        assert_eq!(mnk(second, true), [0.0, 2.0]);
        let connect = |outcome, forfeit| {
            both(League::Connect, &game("connect:6x7x4", outcome, forfeit, None))
        };
        assert_eq!(connect(first, false), [3.0, 0.0]);
        assert_eq!(connect(second, false), [0.0, 3.0]);
        assert_eq!(connect(Outcome::Draw, false), [1.0, 1.0]);
        assert_eq!(connect(second, true), [0.0, 3.0]);
        let bricks = |outcome, forfeit, difference| {
            both(League::Bricks, &game("bricks:11", outcome, forfeit, difference))
        };
        assert_eq!(bricks(first, false, Some(1_212)), [34.814, -34.814]);
        assert_eq!(bricks(second, false, Some(-4)), [-2.0, 2.0]);
        assert_eq!(bricks(Outcome::Draw, false, Some(0)), [0.0, 0.0]);
        assert_eq!(bricks(second, true, None), [-121.0, 121.0]);
    }

    #[test]
    fn the_table_is_sorted_by_points_and_equal_points_share_a_rank() {
        let names = ["a", "b", "c"].map(String::from);
        let mut standings = Standings::new(League::Mnk, &names);
        standings.count(&game("mnk:3x3x3", Outcome::Win(Side::Second), true, None), [0, 1]);
        standings.count(&game("mnk:3x3x3", Outcome::Win(Side::First), false, None), [2, 0]);
        standings.count(&game("mnk:3x3x3", Outcome::Draw, false, None), [1, 2]);
        let sorted = standings.sorted();
        let places: Vec<_> =
            sorted.iter().map(|row| (row.rank, row.player.as_str(), row.points)).collect();
        assert_eq!(places, [(1, "b", 3.0), (1, "c", 3.0), (3, "a", 0.0)]);
        assert_eq!((sorted[2].tally.lost, sorted[2].forfeits), (2, 1));
        assert_eq!(sorted[0].shown_points, "3");
    }
}
