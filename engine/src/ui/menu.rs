//! The menu: game, size, player, level, side, one after the other.
//!
//! A short press takes the next option, a long one accepts it and goes to the next item, a double
//! one goes back an item. Sizes that the build cannot hold are left out, and so is the level of a
//! player that has none. What was chosen is kept for the next time.

use crate::players::tavola::MAX_LEVEL;
use crate::session::PlayerName;
use crate::spec::GameSpec;

/// Games of the menu.
pub const GAMES: usize = 3;

/// The sizes of each game, in the order of the menu: mnk, connect, bricks.
pub const SIZES: [[GameSpec; 4]; GAMES] = [
    [mnk(3, 3), mnk(6, 4), mnk(8, 5), mnk(15, 5)],
    [connect(4, 4, 3), connect(6, 7, 4), connect(8, 8, 4), connect(10, 10, 5)],
    [bricks(4), bricks(6), bricks(8), bricks(11)],
];

/// The players of each game. Only the first one has levels.
pub const PLAYERS: [[&str; 4]; GAMES] = [
    ["tavola", "oneply", "random", "competitive"],
    ["tavola", "oneply", "random", "lavahound"],
    ["tavola", "oneply", "random", "jfin5"],
];

const fn mnk(side: u8, k: u16) -> GameSpec {
    GameSpec::Mnk { rows: side, cols: side, k, exact: false }
}

const fn connect(rows: u8, cols: u8, x: u16) -> GameSpec {
    GameSpec::Connect { rows, cols, x }
}

const fn bricks(size: u8) -> GameSpec {
    GameSpec::Bricks { size }
}

/// What is asked for, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Item {
    /// mnk, connect or bricks.
    Game,
    /// One of [`SIZES`].
    Size,
    /// One of [`PLAYERS`].
    Player,
    /// The strength of the player, from 0 to 9.
    Level,
    /// Whether the person moves first or second.
    Side,
}

impl Item {
    /// All items.
    pub const ALL: [Item; 5] = [Item::Game, Item::Size, Item::Player, Item::Level, Item::Side];

    /// The item's number, from 0.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// A game as it was chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Chosen {
    pub spec: GameSpec,
    pub player: PlayerName,
    pub engine_first: bool,
}

/// The menu and its options as they stand.
#[derive(Clone, Debug)]
pub(super) struct Menu {
    /// Cells that the build holds for each game.
    capacities: [usize; GAMES],
    item: Item,
    game: u8,
    size: u8,
    player: u8,
    level: u8,
    second: bool,
}

impl Menu {
    pub const fn new(capacities: [usize; GAMES]) -> Menu {
        Menu {
            capacities,
            item: Item::Game,
            game: 0,
            size: 0,
            player: 0,
            level: MAX_LEVEL,
            second: false,
        }
    }

    /// Goes to the first item. `false` if the build holds no game of the menu at all.
    pub fn open(&mut self) -> bool {
        self.item = Item::Game;
        let Some(game) = next_of(GAMES, self.game, 0, |game| self.sizes(game).next().is_some())
        else {
            return false;
        };
        self.take_game(game);
        true
    }

    /// Takes the next option of the item.
    pub fn next(&mut self) {
        match self.item {
            Item::Game => {
                let has_size = |game| self.sizes(game).next().is_some();
                if let Some(game) = next_of(GAMES, self.game, 1, has_size) {
                    self.take_game(game);
                }
            }
            Item::Size => {
                let count = self.sizes(self.game).count();
                self.size = next_of(count, self.size, 1, |_| true).unwrap_or(0);
            }
            Item::Player => {
                let count = self.players().len();
                self.player = next_of(count, self.player, 1, |_| true).unwrap_or(0);
            }
            Item::Level => self.level = if self.level < MAX_LEVEL { self.level + 1 } else { 0 },
            Item::Side => self.second = !self.second,
        }
    }

    /// Goes to the next item. After the last one the game is complete.
    pub fn accept(&mut self) -> Option<Chosen> {
        let next = Item::ALL.iter().skip(self.item.index() + 1).find(|&&item| self.asks_for(item));
        match next {
            Some(&item) => {
                self.item = item;
                None
            }
            None => self.chosen(),
        }
    }

    /// Goes to the item before. `false` at the first one.
    pub fn back(&mut self) -> bool {
        let before = Item::ALL.iter().take(self.item.index()).rev();
        match before.into_iter().find(|&&item| self.asks_for(item)) {
            Some(&item) => {
                self.item = item;
                true
            }
            None => false,
        }
    }

    pub const fn item(&self) -> Item {
        self.item
    }

    /// Whether an item has options to choose from.
    pub const fn asks_for(&self, item: Item) -> bool {
        !matches!(item, Item::Level) || self.player == 0
    }

    /// How many options the item has.
    pub fn options(&self) -> u8 {
        (match self.item {
            Item::Game => GAMES,
            Item::Size => self.sizes(self.game).count(),
            Item::Player => self.players().len(),
            Item::Level => usize::from(MAX_LEVEL) + 1,
            Item::Side => 2,
        }) as u8
    }

    /// The number of the option, from 1.
    pub const fn option(&self) -> u8 {
        1 + match self.item {
            Item::Game => self.game,
            Item::Size => self.size,
            Item::Player => self.player,
            Item::Level => self.level,
            Item::Side => self.second as u8,
        }
    }

    /// The number that a display shows: of a size the columns, of a level the level, otherwise the
    /// number of the option.
    pub fn shown_number(&self) -> u8 {
        match self.item {
            Item::Size => self.spec().map_or(0, |spec| spec.cols() as u8),
            Item::Level => self.level,
            _ => self.option(),
        }
    }

    fn take_game(&mut self, game: u8) {
        if game != self.game || self.spec().is_none() {
            self.game = game;
            self.size = 0;
        }
    }

    /// The sizes of a game that the build holds.
    fn sizes(&self, game: u8) -> impl Iterator<Item = GameSpec> {
        let capacity = self.capacities.get(usize::from(game)).copied().unwrap_or(0);
        let sizes = SIZES.get(usize::from(game)).map_or(&[][..], |sizes| sizes);
        sizes.iter().copied().filter(move |spec| spec.cells() <= capacity)
    }

    fn spec(&self) -> Option<GameSpec> {
        self.sizes(self.game).nth(usize::from(self.size))
    }

    fn players(&self) -> &'static [&'static str] {
        PLAYERS.get(usize::from(self.game)).map_or(&[], |players| players)
    }

    fn chosen(&self) -> Option<Chosen> {
        let name = self.players().get(usize::from(self.player))?;
        let mut player = PlayerName::try_from(*name).ok()?;
        if self.asks_for(Item::Level) {
            player.push_str(":level=").ok()?;
            player.push(char::from(b'0' + self.level)).ok()?;
        }
        Some(Chosen { spec: self.spec()?, player, engine_first: self.second })
    }
}

/// The first number below `count` that fits, from `step` after `now` on and round.
fn next_of(count: usize, now: u8, step: usize, fits: impl Fn(u8) -> bool) -> Option<u8> {
    let numbers = (0..count).map(|n| ((usize::from(now) + step + n) % count) as u8);
    numbers.into_iter().find(|&number| fits(number))
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use crate::players::registry;
    use std::string::ToString;
    use std::vec::Vec;

    const LARGEST: [usize; GAMES] = [4_900, 10_000, 400];

    fn press(menu: &mut Menu, short: usize) -> Option<Chosen> {
        (0..short).for_each(|_| menu.next());
        menu.accept()
    }

    #[test]
    fn the_menu_asks_for_one_item_after_the_other() {
        let mut menu = Menu::new(LARGEST);
        assert!(menu.open());
        assert_eq!(press(&mut menu, 1), None);
        assert_eq!(press(&mut menu, 1), None);
        assert_eq!(press(&mut menu, 0), None);
        assert_eq!((menu.item(), menu.shown_number(), menu.option()), (Item::Level, 9, 10));
        assert_eq!(press(&mut menu, 4), None);
        let chosen = press(&mut menu, 1).expect("complete");
        assert_eq!(chosen.spec.to_string(), "connect:6x7x4");
        assert_eq!((chosen.player.as_str(), chosen.engine_first), ("tavola:level=3", true));
        // The next time everything stands as it was left.
        assert!(menu.open());
        let again = (0..5).find_map(|_| menu.accept());
        assert_eq!(again, Some(chosen));
    }

    #[test]
    fn players_without_levels_are_not_asked_for_one() {
        let mut menu = Menu::new(LARGEST);
        assert!(menu.open());
        let items: Vec<_> = (0..2).map(|_| press(&mut menu, 0)).collect();
        assert_eq!((items, menu.item()), ([None, None].into(), Item::Player));
        assert_eq!(press(&mut menu, 2), None);
        assert_eq!(menu.item(), Item::Side);
        assert!(menu.back());
        assert_eq!(menu.item(), Item::Player);
        assert!(menu.back() && menu.back() && !menu.back());
        assert_eq!(menu.item(), Item::Game);
    }

    #[test]
    fn every_player_of_the_menu_plays_the_game() {
        for (sizes, players) in SIZES.iter().zip(PLAYERS) {
            for (spec, player) in sizes.iter().flat_map(|spec| players.map(|name| (spec, name))) {
                assert_eq!(registry::check(player, *spec), Ok(()), "{player} {spec}");
            }
        }
    }

    #[test]
    fn sizes_and_games_that_do_not_fit_are_left_out() {
        let mut menu = Menu::new([64, 42, 0]);
        assert!(menu.open());
        menu.next();
        assert_eq!(menu.option(), 2);
        menu.next();
        assert_eq!(menu.option(), 1, "bricks has no board that fits");
        assert_eq!(menu.accept(), None);
        let widths: Vec<_> = (0..4)
            .map(|_| {
                menu.next();
                menu.shown_number()
            })
            .collect();
        assert_eq!((menu.options(), widths), (3, [6, 8, 3, 6].into()));
        assert!(!Menu::new([8, 15, 15]).open());
        // A game that was chosen before and is gone.
        let mut menu = Menu::new([0, 42, 0]);
        assert!(menu.open());
        assert_eq!(menu.option(), 2);
    }
}
