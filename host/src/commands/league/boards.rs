//! The leagues and their boards.

use clap::ValueEnum;
use engine::spec::GameSpec;

/// A league that our users know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum League {
    /// (M,N,K) games
    Mnk,
    /// Connect X
    Connect,
    /// The bricks tournament
    Bricks,
}

/// Which boards of a league.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Choice {
    /// A quick choice
    Small,
    /// All boards of the league
    All,
}

/// Rows, columns and line length of the (M,N,K) league.
const MNK: [(u8, u8, u16); 25] = [
    (3, 3, 3),
    (4, 3, 3),
    (4, 4, 3),
    (4, 4, 4),
    (5, 4, 4),
    (5, 5, 4),
    (5, 5, 5),
    (6, 4, 4),
    (6, 5, 4),
    (6, 6, 4),
    (6, 6, 5),
    (6, 6, 6),
    (7, 4, 4),
    (7, 5, 4),
    (7, 6, 4),
    (7, 7, 4),
    (7, 5, 5),
    (7, 6, 5),
    (7, 7, 5),
    (7, 7, 6),
    (7, 7, 7),
    (8, 8, 4),
    (10, 10, 5),
    (50, 50, 10),
    (70, 70, 10),
];

/// Sizes of the square boards with lines of 10 in the Connect X league.
const LARGE_CONNECT: [u8; 4] = [20, 30, 40, 50];

impl League {
    /// The name, as in a game's spec.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            League::Mnk => "mnk",
            League::Connect => "connect",
            League::Bricks => "bricks",
        }
    }

    /// The boards, in the league's order. Small are: mnk, boards up to 7x7 with lines of up to
    /// 5, and 8x8x4, where games are short; connect, lines of 4; bricks, 6x6 and 8x8, which the
    /// tournament does not have.
    #[must_use]
    pub fn boards(self, choice: Choice) -> Vec<GameSpec> {
        let all = choice == Choice::All;
        match self {
            League::Mnk => MNK
                .into_iter()
                .filter(|&(rows, _, k)| all || (rows <= 7 && k <= 5) || (rows, k) == (8, 4))
                .map(|(rows, cols, k)| GameSpec::Mnk { rows, cols, k, exact: false })
                .collect(),
            League::Connect => {
                let lines = if all { 4..=5 } else { 4..=4 };
                let small = lines.flat_map(|x| {
                    (4..=7).flat_map(move |rows| {
                        (4..=7)
                            .filter(move |&cols| x == 4 || (rows, cols) != (4, 4))
                            .map(move |cols| GameSpec::Connect { rows, cols, x })
                    })
                });
                let large = LARGE_CONNECT.into_iter().filter(|_| all);
                small
                    .chain(large.map(|size| GameSpec::Connect { rows: size, cols: size, x: 10 }))
                    .collect()
            }
            League::Bricks => {
                let sizes: &[u8] = if all { &[11] } else { &[6, 8] };
                sizes.iter().map(|&size| GameSpec::Bricks { size }).collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position;

    #[test]
    fn the_leagues_have_as_many_boards_as_they_should() {
        let count = |league: League, choice| {
            let boards = league.boards(choice);
            for &spec in &boards {
                assert!(spec.to_string().starts_with(league.name()));
                position::start(spec).expect("this build holds it");
                assert_eq!(boards.iter().filter(|&&other| other == spec).count(), 1, "{spec}");
            }
            boards.len()
        };
        assert_eq!(count(League::Mnk, Choice::All), 25);
        assert_eq!(count(League::Mnk, Choice::Small), 19);
        assert_eq!(count(League::Connect, Choice::All), 35);
        assert_eq!(count(League::Connect, Choice::Small), 16);
        assert_eq!(count(League::Bricks, Choice::All), 1);
        assert_eq!(count(League::Bricks, Choice::Small), 2);
    }
}
