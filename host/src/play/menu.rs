//! The menu: a list of choices, changed by arrows or by typing numbers.

use std::time::Duration;

use engine::game::Family;
use engine::players::registry::{Listing, listings};
use engine::players::tavola::MAX_LEVEL;
use engine::spec::{BRICKS_MAX_SIDE, CONNECT_MAX_SIDE, GameSpec, MAX_LINE, MNK_MAX_SIDE};

use super::setup::{HumanSide, Setup};
use crate::time_span::TimeSpan;

/// The times per move that can be chosen, in milliseconds.
const TURNS_MS: [u64; 10] = [100, 200, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 300_000];
/// The board of each game to begin with: rows, columns, line.
const FIRST_SIZES: [[u32; 3]; 3] = [[15, 15, 5], [6, 7, 4], [8, 8, 0]];
/// The player that has levels.
const LEVELLED: &str = "tavola";

/// A line of the menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// Which game.
    Game,
    /// Rows, or both in bricks.
    Rows,
    /// Columns.
    Columns,
    /// The length of a line.
    Line,
    /// Who plays.
    Player,
    /// How well.
    Level,
    /// Which side the person plays.
    Side,
    /// Time per move.
    Time,
    /// Begin.
    Start,
}

/// What has been chosen so far.
#[derive(Clone, Debug)]
pub struct Menu {
    family: Family,
    /// Rows, columns and line of the three games.
    sizes: [[u32; 3]; 3],
    exact: bool,
    player: String,
    level: u8,
    side: HumanSide,
    turn: Duration,
    game: Option<Duration>,
    selected: usize,
    /// Digits are being typed.
    typing: bool,
}

impl Menu {
    /// A menu that shows this game.
    #[must_use]
    pub fn new(setup: &Setup) -> Menu {
        let family = match setup.spec {
            GameSpec::Mnk { .. } => Family::Mnk,
            GameSpec::Connect { .. } => Family::Connect,
            GameSpec::Bricks { .. } => Family::Bricks,
        };
        let mut sizes = FIRST_SIZES;
        let (rows, cols) = (setup.spec.rows() as u32, setup.spec.cols() as u32);
        let (line, exact) = match setup.spec {
            GameSpec::Mnk { k, exact, .. } => (k, exact),
            GameSpec::Connect { x, .. } => (x, false),
            GameSpec::Bricks { .. } => (0, false),
        };
        sizes[family as usize] = [rows, cols, u32::from(line)];
        let level = setup.player.strip_prefix("tavola:level=").and_then(|level| level.parse().ok());
        Menu {
            family,
            sizes,
            exact,
            player: if level.is_some() { LEVELLED.into() } else { setup.player.clone() },
            level: level.unwrap_or(MAX_LEVEL),
            side: setup.human,
            turn: setup.turn,
            game: setup.game,
            selected: 0,
            typing: false,
        }
    }

    /// The lines of the menu.
    #[must_use]
    pub fn fields(&self) -> Vec<Field> {
        let mut fields = vec![Field::Game, Field::Rows];
        if self.family != Family::Bricks {
            fields.extend([Field::Columns, Field::Line]);
        }
        fields.push(Field::Player);
        if self.player == LEVELLED {
            fields.push(Field::Level);
        }
        fields.extend([Field::Side, Field::Time, Field::Start]);
        fields
    }

    /// The line that the keys are for.
    #[must_use]
    pub fn selected(&self) -> Field {
        let fields = self.fields();
        fields[self.selected.min(fields.len() - 1)]
    }

    /// The name of a line and what is chosen.
    #[must_use]
    pub fn words(&self, field: Field) -> (&'static str, String) {
        let [rows, cols, line] = self.sizes[self.family as usize];
        match field {
            Field::Game => (
                "Game",
                match self.family {
                    Family::Mnk => "stones in a row",
                    Family::Connect => "pieces that fall",
                    Family::Bricks => "bricks",
                }
                .into(),
            ),
            Field::Rows if self.family == Family::Bricks => ("Size", rows.to_string()),
            Field::Rows => ("Rows", rows.to_string()),
            Field::Columns => ("Columns", cols.to_string()),
            Field::Line => ("In a row", line.to_string()),
            Field::Player => ("Player", self.player.clone()),
            Field::Level => ("Level", format!("{} of {MAX_LEVEL}", self.level)),
            Field::Side => (
                "You play",
                match self.side {
                    HumanSide::First => "first",
                    HumanSide::Second => "second",
                    HumanSide::Both => "both sides",
                }
                .into(),
            ),
            Field::Time => ("Time per move", TimeSpan(self.turn).to_string()),
            Field::Start => ("Start", String::new()),
        }
    }

    /// Goes up or down.
    pub fn select(&mut self, step: isize) {
        let count = self.fields().len();
        self.selected = self.selected.min(count - 1).saturating_add_signed(step).min(count - 1);
        self.typing = false;
    }

    /// Goes to a line.
    pub fn select_line(&mut self, line: usize) {
        self.selected = line.min(self.fields().len() - 1);
        self.typing = false;
    }

    /// The next or the previous choice.
    pub fn change(&mut self, step: isize) {
        self.typing = false;
        match self.selected() {
            Field::Game => {
                const FAMILIES: [Family; 3] = [Family::Mnk, Family::Connect, Family::Bricks];
                let next = (self.family as isize + step).rem_euclid(FAMILIES.len() as isize);
                self.family = FAMILIES[next as usize];
                self.keep_a_player_that_plays();
            }
            field @ (Field::Rows | Field::Columns | Field::Line) => {
                let now = self.size(field);
                self.set_size(field, now.saturating_add_signed(step as i32));
            }
            Field::Player => {
                let names = self.players();
                let at = names.iter().position(|&name| name == self.player).unwrap_or(0);
                let next = (at as isize + step).rem_euclid(names.len() as isize);
                self.player = names[next as usize].into();
            }
            Field::Level => {
                self.level = self.level.saturating_add_signed(step as i8).min(MAX_LEVEL);
            }
            Field::Side => {
                let at = HumanSide::ALL.iter().position(|&side| side == self.side).unwrap_or(0);
                let next = (at as isize + step).rem_euclid(HumanSide::ALL.len() as isize);
                self.side = HumanSide::ALL[next as usize];
            }
            Field::Time => {
                let now = self.turn.as_millis();
                let at = TURNS_MS.iter().take_while(|&&turn| u128::from(turn) < now).count();
                let next = at.saturating_add_signed(step).min(TURNS_MS.len() - 1);
                self.turn = Duration::from_millis(TURNS_MS[next]);
            }
            Field::Start => {}
        }
    }

    /// A digit is typed.
    pub fn digit(&mut self, digit: u32) {
        let field = self.selected();
        match field {
            Field::Rows | Field::Columns | Field::Line => {
                let before = if self.typing { self.size(field) } else { 0 };
                self.set_size(field, before.saturating_mul(10).saturating_add(digit));
                self.typing = true;
            }
            Field::Level => self.level = (digit as u8).min(MAX_LEVEL),
            _ => {}
        }
    }

    fn size(&self, field: Field) -> u32 {
        self.sizes[self.family as usize][index_of(field)]
    }

    fn set_size(&mut self, field: Field, size: u32) {
        let most = match (self.family, field) {
            (_, Field::Line) => MAX_LINE,
            (Family::Mnk, _) => MNK_MAX_SIDE,
            (Family::Connect, _) => CONNECT_MAX_SIDE,
            (Family::Bricks, _) => BRICKS_MAX_SIDE,
        };
        self.sizes[self.family as usize][index_of(field)] = size.clamp(1, most);
    }

    /// The players of the chosen game.
    fn players(&self) -> Vec<&'static str> {
        let spec = self.spec();
        listings()
            .filter(|listing: &&Listing| listing.plays.includes(spec))
            .map(|l| l.name)
            .collect()
    }

    fn keep_a_player_that_plays(&mut self) {
        let name = self.player.split(':').next().unwrap_or_default().to_string();
        if !self.players().contains(&name.as_str()) {
            self.player = LEVELLED.into();
        }
    }

    fn spec(&self) -> GameSpec {
        let [rows, cols, line] = self.sizes[self.family as usize];
        let (rows, cols, line) = (rows as u8, cols as u8, line as u16);
        match self.family {
            Family::Mnk => GameSpec::Mnk { rows, cols, k: line, exact: self.exact },
            Family::Connect => GameSpec::Connect { rows, cols, x: line },
            Family::Bricks => GameSpec::Bricks { size: rows },
        }
    }

    /// The game that is chosen.
    #[must_use]
    pub fn setup(&self) -> Setup {
        let player = match self.player.as_str() {
            LEVELLED if self.level < MAX_LEVEL => format!("{LEVELLED}:level={}", self.level),
            player => player.to_string(),
        };
        let (spec, human, turn, game) = (self.spec(), self.side, self.turn, self.game);
        Setup { spec, player, human, turn, game }
    }
}

/// Where a size stands among the sizes.
const fn index_of(field: Field) -> usize {
    match field {
        Field::Columns => 1,
        Field::Line => 2,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_is_what_is_played() {
        for (spec, player) in [("mnk:7x9x4:exact", "tavola:level=3"), ("bricks:11", "tavola")] {
            let setup = Setup {
                spec: spec.parse().expect(spec),
                player: player.into(),
                human: HumanSide::Second,
                turn: Duration::from_millis(700),
                game: Some(Duration::from_secs(9)),
            };
            assert_eq!(Menu::new(&setup).setup(), setup);
        }
    }

    #[test]
    fn numbers_are_typed_and_kept_within_bounds() {
        let mut menu = Menu::new(&Setup::default());
        menu.select(1);
        for digit in [9, 9] {
            menu.digit(digit);
        }
        assert_eq!(menu.setup().spec.rows(), 70);
        menu.change(-1);
        assert_eq!(menu.setup().spec.rows(), 69);
        menu.digit(8);
        assert_eq!(menu.setup().spec.rows(), 8);
        menu.select(isize::MAX);
        assert_eq!(menu.selected(), Field::Start);
    }

    #[test]
    fn a_player_that_does_not_know_the_game_gives_way() {
        let mut menu = Menu::new(&Setup { player: "lavahound".into(), ..Setup::default() });
        menu.change(1);
        assert!(menu.setup().check().is_ok());
    }
}
