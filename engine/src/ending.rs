//! How a finished game was won: the line, or the margin. For people and displays.

use core::fmt;

use crate::drawing::last_cells;
use crate::game::{Game, Outcome, Side};
use crate::guarded::row_and_col;
use crate::score::Score;
use crate::spec::GameSpec;

/// A winning line: where it starts and ends, in the coordinates of moves, and its length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WinningLine {
    /// Column and row of one end.
    pub from: (usize, usize),
    /// Column and row of the other.
    pub to: (usize, usize),
    /// Cells.
    pub length: usize,
}

impl WinningLine {
    /// The cells of the line as columns and rows.
    pub fn cells(self) -> impl Iterator<Item = (usize, usize)> {
        let step = |from: usize, to: usize, n: usize| match from.cmp(&to) {
            core::cmp::Ordering::Less => from + n,
            core::cmp::Ordering::Equal => from,
            core::cmp::Ordering::Greater => from.saturating_sub(n),
        };
        (0..self.length)
            .map(move |n| (step(self.from.0, self.to.0, n), step(self.from.1, self.to.1, n)))
    }
}

/// What decided a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decided {
    /// A line.
    Line(WinningLine),
    /// Bricks: the difference of points, not negative.
    Points(Score),
    /// The board is full, or no line can be completed.
    Full,
}

/// The end of a game: who won, if anybody, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Who won.
    pub outcome: Outcome,
    /// How.
    pub decided: Decided,
}

impl Ending {
    /// How the game ended, or `None` while it goes on.
    pub fn of<G: Game>(game: &G) -> Option<Ending> {
        let outcome = game.outcome()?;
        let decided = if game.spec().has_margins() {
            Decided::Points(game.final_score().unwrap_or(0).abs())
        } else {
            winning_line(game).map_or(Decided::Full, Decided::Line)
        };
        Some(Ending { outcome, decided })
    }
}

impl fmt::Display for Ending {
    /// What decided it; who won is said by the caller, who knows the players.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.decided {
            Decided::Line(WinningLine { from, to, length }) => {
                write!(f, "{length} in a row from {},{} to {},{}", from.0, from.1, to.0, to.1)
            }
            Decided::Points(0) => f.write_str("equal points"),
            Decided::Points(points) => write!(f, "{points} points ahead"),
            Decided::Full => f.write_str("no line is left to make"),
        }
    }
}

/// The line that the last move completed, if it completed one.
pub fn winning_line<G: Game>(game: &G) -> Option<WinningLine> {
    let spec = game.spec();
    let (k, exact) = match spec {
        GameSpec::Mnk { k, exact, .. } => (usize::from(k), exact),
        GameSpec::Connect { x, .. } => (usize::from(x), false),
        GameSpec::Bricks { .. } => return None,
    };
    let (rows, cols) = (spec.rows() as isize, spec.cols() as isize);
    let last = *last_cells(game).first()?;
    let side: Side = game.stone(last)?;
    let (row, col) = row_and_col(last, spec.cols());
    let at = (col as isize, row as isize);
    let own = |(x, y): (isize, isize)| {
        (0..cols).contains(&x)
            && (0..rows).contains(&y)
            && game.stone((y * cols + x) as usize) == Some(side)
    };
    for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
        let reach = |sign: isize| {
            let beyond = |&n: &isize| own((at.0 + sign * n * dx, at.1 + sign * n * dy));
            (1..).take_while(beyond).count() as isize
        };
        let (back, ahead) = (reach(-1), reach(1));
        let length = (back + 1 + ahead) as usize;
        if length == k || (length > k && !exact) {
            let point = |n: isize| ((at.0 + n * dx) as usize, (at.1 + n * dy) as usize);
            return Some(WinningLine { from: point(-back), to: point(ahead), length });
        }
    }
    None
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use crate::game::any::AnyGame;
    use std::string::ToString;
    use std::vec::Vec;

    fn after(spec: &str, moves: &str) -> Option<Ending> {
        let mut game = AnyGame::<225, 144, 64>::new(spec.parse().expect(spec)).expect(spec);
        for mv in moves.split_whitespace() {
            game.try_play(game.spec().parse_move(mv).expect(mv)).expect(mv);
        }
        Ending::of(&game)
    }

    #[test]
    fn a_line_is_told_from_end_to_end() {
        let ending = after("mnk:3x3x3", "0,2 0,0 1,1 1,0 2,0").expect("over");
        assert_eq!(ending.outcome, Outcome::Win(Side::First));
        assert_eq!(ending.to_string(), "3 in a row from 0,2 to 2,0");
        let Decided::Line(line) = ending.decided else { panic!("{ending:?}") };
        assert_eq!(line.cells().collect::<Vec<_>>(), [(0, 2), (1, 1), (2, 0)]);
        let ending = after("connect:6x7x4", "0 1 0 1 0 1 0").expect("over");
        assert_eq!(ending.to_string(), "4 in a row from 0,0 to 0,3");
    }

    #[test]
    fn a_game_that_goes_on_has_no_ending() {
        assert_eq!(after("mnk:3x3x3", "0,2 0,0"), None);
    }

    #[test]
    fn a_draw_has_no_line_and_bricks_have_points() {
        let draw = after("mnk:3x3x3", "1,1 0,0 2,0 0,2 0,1 2,1 1,0 1,2 2,2").expect("over");
        assert_eq!((draw.outcome, draw.decided), (Outcome::Draw, Decided::Full));
        let bricks = after("bricks:3", "0,0,h 2,0,v 0,1,v 1,2,h").expect("over");
        assert_eq!(bricks.decided, Decided::Points(0));
    }
}
