//! The bricks players of TP3, group 14 (Aronson and Ravasi): the figures of their report, to the
//! last digit, and what a player must do whatever its parameters and limits are.

use std::cell::Cell;

use engine::game::bricks::{Bricks, BricksSmall};
use engine::game::{Game, Move, Side};
use engine::players::bricks::scorers::{MAX_EXPONENT, MAX_WEIGHT, Scorer};
use engine::players::bricks::{
    BricksPlayer, MAX_INITIAL, MAX_OFFSET, MAX_SEARCH_DEPTH, from_parameters,
};
use engine::players::{Decision, Why};
use engine::score::{Score, Value};
use engine::search::report::{Clock, Limits, NoClock};
use host_tests::{Dice, Storage, decide, legal_moves, play_at_random};

/// The board of the tournament.
type Tournament = Bricks<121>;

const NAMES: [&str; 11] = [
    "minimax",
    "alphabeta",
    "scorer1",
    "scorer2",
    "scorer3",
    "scorer4",
    "jfin1",
    "jfin2",
    "jfin3",
    "jfin4",
    "jfin5",
];

fn player(name: &str, numbers: &[u32]) -> BricksPlayer {
    from_parameters(name, numbers, 1).unwrap_or_else(|| panic!("{name} {numbers:?}"))
}

/// Whoever sits at the board: one of the players, or the course's `fixed`, which lays the first
/// brick that fits, cell by cell, horizontal before vertical.
enum Seat {
    Player(BricksPlayer),
    Fixed,
}

impl From<BricksPlayer> for Seat {
    fn from(player: BricksPlayer) -> Seat {
        Seat::Player(player)
    }
}

fn fixed<G: Game>(game: &G) -> Move {
    let cells = game.spec().cells();
    let by_cells = |mv: &Move| (mv.index() % cells, mv.index() / cells);
    legal_moves(game).into_iter().min_by_key(by_cells).expect("the game goes on")
}

/// Plays a game to the end. Returns red's points minus green's, and the moves that each side
/// tried in its searches.
fn play<G: Game>(game: &mut G, seats: [Seat; 2]) -> (Score, [Vec<u64>; 2]) {
    let mut storage = Storage::new(0);
    let mut tried = [Vec::new(), Vec::new()];
    let mut seats = seats;
    while game.outcome().is_none() {
        let side = game.side_to_move().index();
        let mv = match &mut seats[side] {
            Seat::Fixed => fixed(game),
            Seat::Player(player) => {
                let decision = decide(player, game, Limits::default(), &NoClock, &mut storage);
                let Decision { best, nodes, .. } = decision.expect("the game goes on");
                // The root is a node, but no move.
                tried[side].push(nodes.saturating_sub(1));
                best
            }
        };
        game.try_play(mv).expect("a legal move");
    }
    let margin = game.final_score().expect("the game is over");
    (if game.side_to_move() == Side::First { margin } else { -margin }, tried)
}

/// The judge's margin on 11x11: the root of the difference, signed by the winner.
fn margin(red: BricksPlayer, green: BricksPlayer) -> String {
    let mut game = Tournament::new(11).expect("fits");
    let (points, _) = play(&mut game, [red.into(), green.into()]);
    format!("{:.3}", f64::from(points.signum()) * f64::from(points.abs()).sqrt())
}

fn scorer4(tile: u32) -> BricksPlayer {
    player("scorer4", &[tile, 1, 2])
}

/// The moves that `name` tries in a game on 4x4 against the course's `fixed`, turn by turn.
fn moves_tried(name: &str, side: Side) -> Vec<u64> {
    let mut seats = [Seat::Fixed, Seat::Fixed];
    seats[side.index()] = player(name, &[]).into();
    let (_, tried) = play(&mut BricksSmall::new(4).expect("fits"), seats);
    tried[side.index()].clone()
}

#[test]
fn minimax_tries_the_moves_of_the_report() {
    let red = moves_tried("minimax", Side::First);
    assert_eq!(red[0], 6_257_128, "every placement in every order");
    assert_eq!(red.iter().sum::<u64>(), 6_289_042);
    assert_eq!(moves_tried("minimax", Side::Second).iter().sum::<u64>(), 373_880);
}

#[test]
fn alphabeta_tries_the_moves_of_the_report() {
    assert_eq!(moves_tried("alphabeta", Side::First).iter().sum::<u64>(), 207_497);
    assert_eq!(moves_tried("alphabeta", Side::Second).iter().sum::<u64>(), 16_668);
}

#[test]
fn minimax_and_alphabeta_play_the_same_game() {
    let names = [["minimax", "alphabeta"], ["alphabeta", "minimax"], ["alphabeta", "alphabeta"]];
    let games = names.map(|names| {
        let mut game = BricksSmall::new(4).expect("fits");
        let (points, tried) = play(&mut game, names.map(|name| player(name, &[]).into()));
        (game, points, tried.map(|tried| tried.iter().sum::<u64>()))
    });
    assert!(games.iter().all(|game| (&game.0, game.1) == (&games[0].0, games[0].1)));
    assert_eq!(
        games.map(|game| game.2),
        [[6_283_380, 16_668], [210_072, 373_880], [210_072, 16_668]]
    );
}

#[test]
fn scorer4_has_the_margins_of_the_report() {
    // Green's tile by rows, red's by columns: by how much green loses.
    let table = [
        ["", "34.814", "34.814", "35.721", "35.721"],
        ["10.954", "", "14.000", "19.287", "26.230"],
        ["7.746", "7.746", "", "19.287", "23.065"],
        ["6.928", "6.928", "14.000", "", "19.799"],
        ["14.283", "14.283", "0.000", "13.856", ""],
    ];
    for (green, row) in (1..).zip(table) {
        for (red, expected) in (1..).zip(row) {
            if red != green {
                assert_eq!(margin(scorer4(red), scorer4(green)), expected, "{red} : {green}");
            }
        }
    }
    assert_eq!(margin(scorer4(5), scorer4(6)), "20.688");
    assert_eq!(margin(scorer4(6), scorer4(5)), "19.799");
}

#[test]
fn jfin5_has_the_margins_of_the_report_as_red() {
    let best = || player("jfin5", &[30, 4, 11, 5, 1, 2]);
    assert_eq!(margin(best(), player("jfin4", &[3, 5, 1, 2])), "14.560");
    assert_eq!(margin(best(), player("jfin5", &[0, 3, 3, 5, 1, 2])), "14.560");
}

#[test]
fn jfin5_has_the_margins_of_the_report_as_green() {
    let best = || player("jfin5", &[30, 4, 11, 5, 1, 2]);
    assert_eq!(margin(player("jfin4", &[3, 5, 1, 2]), best()), "-13.416");
    assert_eq!(margin(player("jfin5", &[0, 3, 3, 5, 1, 2]), best()), "24.000");
}

#[test]
fn scorers_value_a_corner_as_written_out_by_hand() {
    let all = [
        Scorer::Points,
        Scorer::Room,
        Scorer::Directions,
        Scorer::Weighted { adj: 2, exp: 2 },
        Scorer::Spread { tile: 5, adj: 1, exp: 2 },
        Scorer::Spread { tile: 1, adj: 3, exp: 1 },
    ];
    let mut game = Bricks::<9>::new(3).expect("fits");
    let after = |game: &mut Bricks<9>, text| {
        game.try_play(game.spec().parse_move(text).expect(text)).expect(text);
        all.map(|scorer| scorer.totals(game))
    };
    // 0 0 .   Room below the one cell, below and beside the other. Three pairs of free cells,
    // . . .   which are 6.
    // . . .
    let red = [4, 4 + 2, 4 + 3, 4 + 4 + 16, (10 + 6) * (10 + 6), 2 + 18];
    assert_eq!(after(&mut game, "0,0,h"), red.map(|red| [red, 0]));
    // 0 0 .   Red, which is met first, takes the middle row in two pairs and leaves nothing to
    // . . .   green, although the bricks lie alike.
    // 1 1 .
    let both = [[4, 4], [6, 6], [7, 7], [24, 24], [14 * 14, 10 * 10], [2 + 12, 2]];
    assert_eq!(after(&mut game, "0,2,h"), both);
    assert_eq!(all[4].value(&game), 96, "red is to move");
    // 0 0 .   Two islands of red, one of green. One cell is free, but no brick fits.
    // 1 1 0
    // 1 1 0
    after(&mut game, "2,1,v");
    let closed = after(&mut game, "0,1,h");
    assert_eq!(closed[..4], [[8, 16]; 4]);
    assert_eq!(closed[4], [25 * 8, 25 * 16]);
}

#[test]
fn parameters_are_counted_and_bounded() {
    let make = |name, numbers: &[u32]| from_parameters(name, numbers, 0);
    for name in NAMES {
        assert!(make(name, &[]).is_some(), "{name}");
        assert!(make(name, &[1; 7]).is_none(), "{name}");
    }
    assert!(make("scorer5", &[]).is_none() && make("", &[]).is_none());
    // Per player: good numbers, and for each of them one that is too small, if any is, and one
    // that is too great.
    let adj = (None, Some(MAX_WEIGHT + 1));
    let tile = (Some(0), Some(MAX_WEIGHT + 1));
    let exp = (Some(0), Some(MAX_EXPONENT + 1));
    let depth = (Some(0), Some(MAX_SEARCH_DEPTH + 1));
    let offset = (None, Some(MAX_OFFSET + 1));
    let initial = (None, Some(MAX_INITIAL + 1));
    type Bounds = (Option<u32>, Option<u32>);
    let players: [(&str, &[u32], &[Bounds]); 7] = [
        ("scorer3", &[0, 1], &[adj, exp]),
        ("scorer4", &[MAX_WEIGHT, MAX_WEIGHT, MAX_EXPONENT], &[tile, adj, exp]),
        ("jfin1", &[MAX_SEARCH_DEPTH, 1, 2], &[depth, adj, exp]),
        ("jfin2", &[1, MAX_OFFSET, 1, 2], &[depth, offset, adj, exp]),
        ("jfin3", &[1, 1, 1], &[depth, adj, exp]),
        ("jfin4", &[3, 5, 1, 2], &[depth, tile, adj, exp]),
        ("jfin5", &[MAX_INITIAL, 4, 11, 5, 1, 2], &[initial, depth, depth, tile, adj, exp]),
    ];
    for (name, good, bounds) in players {
        assert!(make(name, good).is_some(), "{name} {good:?}");
        assert!(make(name, &good[1..]).is_none(), "{name} with too few");
        for (n, &(low, high)) in bounds.iter().enumerate() {
            for bad in [low, high, Some(u32::MAX)].into_iter().flatten() {
                let mut numbers = good.to_vec();
                numbers[n] = bad;
                assert!(make(name, &numbers).is_none(), "{name} {numbers:?}");
            }
        }
    }
}

/// A clock that passes its deadline of 1 after some looks at it.
struct RunningOut {
    looks: Cell<u64>,
}

impl Clock for RunningOut {
    fn now_us(&self) -> u64 {
        self.looks.set(self.looks.get().saturating_sub(1));
        u64::from(self.looks.get() == 0)
    }
}

#[test]
fn moves_are_legal_whatever_the_limits_are() {
    let mut storage = Storage::new(0);
    let mut dice = Dice::new(3);
    for size in 1..=20 {
        let empty = Bricks::<400>::new(size).expect("fits");
        for filled in [0, 30, 60, 90] {
            let mut game = empty.clone();
            play_at_random(&mut game, empty.plies_left() * filled / 100, &mut dice);
            let before = game.clone();
            for name in NAMES {
                let mut player = player(name, &[]);
                let nodes = Limits { nodes: Some(50), ..Limits::default() };
                let time = Limits { deadline_us: Some(1), ..Limits::default() };
                for (limits, looks) in [(nodes, 0), (time, 0), (time, 40), (time, 1_000)] {
                    let clock = RunningOut { looks: Cell::new(looks) };
                    let decision = decide(&mut player, &mut game, limits, &clock, &mut storage);
                    assert_eq!(game, before, "{name}");
                    match decision {
                        None => assert!(game.outcome().is_some(), "{name}"),
                        Some(decision) => {
                            assert_eq!(game.check(decision.best), Ok(()), "{name} on {size}");
                            let search = name.starts_with(['m', 'a', 'j']);
                            assert!(!search || limits != nodes || decision.nodes <= 50, "{name}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn greatest_parameters_overflow_nowhere() {
    let (w, e) = (MAX_WEIGHT, MAX_EXPONENT);
    let mut dice = Dice::new(4);
    let mut storage = Storage::new(0);
    let players: [(&str, &[u32]); 6] = [
        ("scorer3", &[w, e]),
        ("scorer4", &[w, w, e]),
        ("jfin2", &[2, MAX_OFFSET, w, e]),
        ("jfin3", &[2, w, e]),
        ("jfin4", &[2, w, w, e]),
        ("jfin5", &[0, 2, 2, w, w, e]),
    ];
    for (name, numbers) in players {
        let mut game = Bricks::<400>::new(20).expect("fits");
        play_at_random(&mut game, 150, &mut dice);
        let limits = Limits { nodes: Some(2_000), ..Limits::default() };
        let decision =
            decide(&mut player(name, numbers), &mut game, limits, &NoClock, &mut storage);
        assert!(decision.is_some(), "{name}");
    }
}

/// The first of the best moves and its value by plain minimax, cut to the authors' window.
fn reference<G: Game>(game: &mut G, scorer: Scorer, depth: u32) -> (Option<Move>, i64) {
    if depth == 0 || game.outcome().is_some() {
        return (None, scorer.value(game));
    }
    let window = (game.spec().cells() as i64).pow(2) + 1;
    let mut best = (None, -window);
    for mv in legal_moves(game) {
        game.make(mv);
        let value = (-reference(game, scorer, depth - 1).1).clamp(-window, window);
        game.unmake();
        if best.0.is_none() || value > best.1 {
            best = (Some(mv), value);
        }
    }
    best
}

#[test]
fn searches_choose_the_first_of_the_best_moves_of_minimax() {
    let mut dice = Dice::new(5);
    let mut storage = Storage::new(0);
    let players: [(&str, &[u32]); 6] = [
        ("jfin1", &[2, 1, 2]),
        ("jfin1", &[3, 2, 3]),
        ("jfin2", &[3, MAX_OFFSET, 1, 1]),
        ("jfin4", &[2, 5, 1, 2]),
        ("jfin4", &[3, 3, 1, 2]),
        ("jfin5", &[6, 3, 3, 5, 1, 2]),
    ];
    for size in [4, 5] {
        for round in 0..30 {
            let mut game = Bricks::<25>::new(size).expect("fits");
            play_at_random(&mut game, 4 + dice.roll(6), &mut dice);
            for (name, numbers) in players {
                if game.outcome().is_some() {
                    continue;
                }
                let mut player = player(name, numbers);
                let depth =
                    if name == "jfin5" { [3, 1][usize::from(game.ply() < 6)] } else { numbers[0] };
                let expected = reference(&mut game, player.scorer(), depth);
                let found =
                    decide(&mut player, &mut game, Limits::default(), &NoClock, &mut storage);
                let found = found.expect("the game goes on");
                let Some(Value::Heuristic(value) | Value::Margin(value)) = found.value else {
                    panic!("{name}: {found:?}");
                };
                assert_eq!((Some(found.best), i64::from(value)), expected, "{name} {round}");
            }
        }
    }
}

#[test]
fn a_search_without_room_for_nodes_plays_what_its_scorer_likes_at_sight() {
    let mut dice = Dice::new(6);
    let mut storage = Storage::new(0);
    let limits = Limits { nodes: Some(1), ..Limits::default() };
    for (search, scorer) in [("jfin1", "scorer3"), ("jfin4", "scorer4"), ("jfin5", "scorer4")] {
        let mut game = Tournament::new(11).expect("fits");
        play_at_random(&mut game, 12, &mut dice);
        let [searched, greedy] =
            [(search, limits), (scorer, Limits::default())].map(|(name, limits)| {
                decide(&mut player(name, &[]), &mut game, limits, &NoClock, &mut storage)
                    .expect("the game goes on")
            });
        assert_eq!((searched.best, searched.why), (greedy.best, Why::Heuristic), "{search}");
    }
}

#[test]
fn jfin2_searches_only_what_looks_good_at_once() {
    let mut storage = Storage::new(0);
    let mut game = Tournament::new(11).expect("fits");
    play_at_random(&mut game, 20, &mut Dice::new(7));
    let mut nodes = [0, 30, 1_000].map(|offset| {
        let mut player = player("jfin2", &[2, offset, 1, 2]);
        decide(&mut player, &mut game, Limits::default(), &NoClock, &mut storage)
            .map_or(0, |decision| decision.nodes)
    });
    assert!(nodes.is_sorted() && nodes[0] < nodes[2] / 2, "{nodes:?}");
    nodes[0] = decide(
        &mut player("jfin1", &[2, 1, 2]),
        &mut game,
        Limits::default(),
        &NoClock,
        &mut storage,
    )
    .map_or(0, |decision| decision.nodes);
    assert_eq!(nodes[0], nodes[2], "with a wide offset it is jfin1");
}

#[test]
fn jfin3_chooses_at_random_among_moves_of_the_same_value_only() {
    let mut storage = Storage::new(0);
    let mut game = Bricks::<25>::new(5).expect("fits");
    let scorer = player("jfin3", &[]).scorer();
    play_at_random(&mut game, 2, &mut Dice::new(8));
    let (_, most) = reference(&mut game, scorer, 3);
    let mut chosen = Vec::new();
    for seed in 0..40 {
        let mut player = from_parameters("jfin3", &[3, 1, 2], seed).expect("good parameters");
        let decision = decide(&mut player, &mut game, Limits::default(), &NoClock, &mut storage);
        chosen.push(decision.expect("the game goes on").best);
    }
    chosen.sort_unstable();
    chosen.dedup();
    let best: Vec<Move> = legal_moves(&game)
        .into_iter()
        .filter(|&mv| {
            game.make(mv);
            let value = -reference(&mut game, scorer, 2).1;
            game.unmake();
            value == most
        })
        .collect();
    assert!(best.len() > 1, "the position has equals");
    assert_eq!(chosen, best);
}

#[test]
fn jfin4_squares_whatever_its_exponent_is() {
    let scorers = [1, 2, 4].map(|exp| player("jfin4", &[3, 5, 1, exp]).scorer());
    assert_eq!(scorers, [Scorer::Spread { tile: 5, adj: 1, exp: 2 }; 3]);
}

#[test]
fn jfin5_opens_in_the_centre_if_it_can() {
    let mut storage = Storage::new(0);
    let limits = Limits { nodes: Some(50), ..Limits::default() };
    let mut opens = |size: u8, moves: &[&str]| {
        let mut game = Bricks::<121>::new(size).expect("fits");
        for text in moves {
            game.try_play(game.spec().parse_move(text).expect(text)).expect(text);
        }
        let decision = decide(&mut player("jfin5", &[]), &mut game, limits, &NoClock, &mut storage);
        let decision = decision.expect("the game goes on");
        (decision.why == Why::Rule).then(|| game.spec().show_move(decision.best).to_string())
    };
    assert_eq!(opens(11, &[]).as_deref(), Some("5,5,h"));
    assert_eq!(opens(11, &["0,0,h"]).as_deref(), Some("5,5,h"));
    assert_eq!(opens(11, &["6,5,v"]), None, "taken");
    assert_eq!(opens(11, &["0,0,h", "0,1,h"]), None, "no longer the opening");
    assert_eq!(opens(2, &[]), None, "it does not fit");
}
