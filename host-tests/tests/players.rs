//! What every player of the registry owes: a legal move in time on every board, and clear words
//! about names and parameters.

use core::cell::Cell;

use engine::game::any::Position;
use engine::game::{Game, Move, Outcome, Side, Symmetry};
use engine::players::registry::{AnyPlayer, PlayerError, listings};
use engine::players::tavola::{MAX_LEVEL, Parts, Tavola};
use engine::players::{Player, Tools, Why};
use engine::score::Value;
use engine::search::report::{Clock, Limits, NoClock};
use engine::spec::GameSpec;
use host_tests::{Dice, Storage, decide, nodes, play_at_random};

/// A clock that advances by a fixed step at every look, so that "late" is counted in looks: the
/// engine promises a fixed small amount of work between two of them.
struct Steps {
    step_us: u64,
    deadline_us: u64,
    now_us: Cell<u64>,
    late_looks: Cell<u64>,
}

impl Clock for Steps {
    fn now_us(&self) -> u64 {
        let now = self.now_us.get() + self.step_us;
        self.now_us.set(now);
        if now > self.deadline_us {
            self.late_looks.set(self.late_looks.get() + 1);
        }
        now
    }
}

/// A player may look at the clock this often after its time is up: once per stage of its work
/// (a proof, a search, a choice), since each stage finds out for itself.
const MOST_LATE_LOOKS: u64 = 8;

/// A random board of a kind that a listing plays, small ones more often than large ones.
fn random_spec(plays: engine::players::registry::Plays, dice: &mut Dice) -> GameSpec {
    use engine::players::registry::Plays;
    let kind = match plays {
        Plays::Mnk => 0,
        Plays::Connect => 1,
        Plays::Bricks => 2,
        Plays::Everything => dice.roll(3),
    };
    let mut side = |most: usize| {
        let limit = [4, 8, 15, most][dice.roll(16).saturating_sub(12)].min(most);
        1 + dice.roll(limit)
    };
    let text = match kind {
        0 => {
            let (rows, cols, k) = (side(70), side(70), side(12));
            format!("mnk:{rows}x{cols}x{k}{}", if dice.roll(4) == 0 { ":exact" } else { "" })
        }
        1 => {
            let (rows, cols, x) = (side(100), side(100), side(30));
            format!("connect:{rows}x{cols}x{x}")
        }
        _ => format!("bricks:{}", side(20)),
    };
    text.parse().expect("a spec made to fit")
}

/// The largest boards of all, for every player that plays them.
const LARGEST: [&str; 4] = ["mnk:70x70x10", "mnk:70x70x5", "connect:100x100x30", "bricks:20"];

fn assert_legal_and_in_time(text: &str, spec: GameSpec, dice: &mut Dice, storage: &mut Storage) {
    let mut position = Box::new(Position::new(spec).expect("the host holds every board"));
    let plies = dice.roll(position.plies_left().min(40) + 1);
    play_at_random(&mut *position, plies, dice);
    if position.outcome().is_some() {
        return;
    }
    let before = position.clone();
    let mut player = AnyPlayer::new(text, spec, dice.roll(1_000) as u64).expect(text);
    // 1 ms, at 1 to 100 looks.
    let deadline_us = 1_000;
    let clock = Steps {
        step_us: [10, 40, 200, 1_000][dice.roll(4)],
        deadline_us,
        now_us: Cell::new(0),
        late_looks: Cell::new(0),
    };
    let (mut table, workspace) = storage.parts();
    let decision = {
        let limits = Limits { deadline_us: Some(deadline_us), ..Limits::default() };
        let mut tools = Tools { limits, clock: &clock, table: &mut table, workspace };
        player.decide(&mut *position, &mut tools)
    };
    let decision = decision.unwrap_or_else(|| panic!("{text} on {spec}: no move"));
    assert!(position.check(decision.best).is_ok(), "{text} on {spec}: {decision:?}");
    assert!(position == before, "{text} on {spec}: the position has changed");
    let late = clock.late_looks.get();
    assert!(late <= MOST_LATE_LOOKS, "{text} on {spec}: {late} looks after the deadline");
}

#[test]
fn every_player_moves_legally_and_in_time_on_ten_thousand_positions() {
    let mut dice = Dice::new(5);
    let mut storage = Storage::new(64);
    let positions_each = 10_000;
    for listing in listings() {
        for _ in 0..positions_each {
            let spec = random_spec(listing.plays, &mut dice);
            assert_legal_and_in_time(listing.name, spec, &mut dice, &mut storage);
        }
        for spec in LARGEST.map(|text| text.parse().expect(text)) {
            if listing.plays.includes(spec) {
                assert_legal_and_in_time(listing.name, spec, &mut dice, &mut storage);
            }
        }
    }
}

#[test]
fn the_second_stone_of_five_in_a_row_lies_aslant_of_the_first() {
    let mut storage = Storage::new(64);
    let mut reply = |spec: &str, first: &str| {
        let spec: GameSpec = spec.parse().expect("a game");
        let mut game = Position::new(spec).expect("fits");
        game.try_play(spec.parse_move(first).expect("a move")).expect("legal");
        let mut player = Tavola::new(MAX_LEVEL, 0);
        let decision = decide(&mut player, &mut game, nodes(300), &NoClock, &mut storage);
        let decision = decision.expect("a move");
        (spec.show_move(decision.best).to_string(), decision.why)
    };
    assert_eq!(reply("mnk:15x15x5", "7,7"), ("8,8".into(), Why::Rule));
    assert_eq!(reply("mnk:15x15x5", "3,11"), ("4,10".into(), Why::Rule));
    assert_eq!(reply("mnk:10x20x5:exact", "16,6"), ("15,5".into(), Why::Rule));
    // Near an edge, on small boards and with other lines, it is thought about.
    for (spec, first) in [
        ("mnk:15x15x5", "7,2"),
        ("mnk:15x15x5", "12,7"),
        ("mnk:7x7x5", "3,3"),
        ("mnk:15x15x6", "7,7"),
    ] {
        assert_ne!(reply(spec, first).1, Why::Rule, "{spec} {first}");
    }
}

#[test]
fn the_fourth_stone_is_known_however_the_board_lies() {
    let mut storage = Storage::new(64);
    let spec: GameSpec = "mnk:19x19x5".parse().expect("a game");
    let mut reply = |stones: [Move; 3], spec: GameSpec| {
        let mut game = Position::new(spec).expect("fits");
        stones.into_iter().for_each(|mv| game.try_play(mv).expect("legal"));
        let mut player = Tavola::new(MAX_LEVEL, 0);
        let decision = decide(&mut player, &mut game, nodes(300), &NoClock, &mut storage);
        decision.map(|decision| (decision.best, decision.why)).expect("a move")
    };
    let parse = |text: &str| spec.parse_move(text).expect("a move");
    let board = Position::new(spec).expect("fits");
    for third in ["11,9", "8,9", "6,5", "13,12", "9,10"] {
        let stones = [parse("9,9"), parse("10,10"), parse(third)];
        let (best, why) = reply(stones, spec);
        assert_eq!(why, Why::Rule, "{third}");
        for n in 1..Symmetry::COUNT as u8 {
            let turn = |mv: Move| board.map_move(mv, Symmetry::new(n));
            assert_eq!(reply(stones.map(turn), spec), (turn(best), Why::Rule), "{third} {n}");
        }
    }
    // Far away, near an edge, or where the second stone is not aslant of the first, it is thought about.
    for stones in [["9,9", "10,10", "14,9"], ["9,9", "9,10", "11,9"], ["2,9", "3,10", "4,9"]] {
        assert_ne!(reply(stones.map(parse), spec).1, Why::Rule, "{stones:?}");
    }
    // So it is where edges are near whatever the first stone is.
    let small: GameSpec = "mnk:10x10x5".parse().expect("a game");
    let stones = ["4,4", "5,5", "6,4"].map(|text| small.parse_move(text).expect("a move"));
    assert_ne!(reply(stones, small).1, Why::Rule);
}

/// Counts how the second player fares after every third stone of the table, with and without the table.
#[test]
#[ignore = "for docs/results.md: what the table of fourth stones is worth"]
fn the_fourth_stone_by_the_table_and_by_a_search() {
    use engine::players::tavola::gomoku::REACH;
    let spec: GameSpec = "mnk:15x15x5".parse().expect("a game");
    let cell = |(rows, cols): (isize, isize)| Move::new(((7 + rows) * 15 + 7 + cols) as usize);
    let ways = |reach: isize| {
        (-reach..=reach).flat_map(move |rows| (-reach..=rows).map(move |cols| (rows, cols)))
    };
    let mut storages = [Storage::new(1_024), Storage::new(1_024)];
    // Third stones that are answered by games get more nodes.
    for (most_nodes, reach) in [(1_000, REACH), (4_000, REACH), (12_000, REACH), (50_000, 2)] {
        for first_stones in [true, false] {
            let mut ends = [0; 3];
            // A few nodes more or less make another game.
            let more_nodes = [0, 50, 100];
            for (third, more) in ways(reach).flat_map(|way| more_nodes.map(|more| (way, more))) {
                let mut game = Position::new(spec).expect("fits");
                let opening = [(0, 0), (1, 1), third].map(cell);
                if opening.into_iter().any(|mv| game.try_play(mv).is_err()) {
                    continue;
                }
                while game.outcome().is_none() {
                    let mut player = Tavola::of_parts(Parts { first_stones, ..Parts::ALL });
                    let storage = &mut storages[game.ply() % 2];
                    let limits = nodes(most_nodes + more);
                    let decision = decide(&mut player, &mut game, limits, &NoClock, storage);
                    game.make(decision.expect("a move").best);
                }
                ends[match game.outcome() {
                    Some(Outcome::Win(Side::First)) => 0,
                    Some(Outcome::Win(Side::Second)) => 2,
                    _ => 1,
                }] += 1;
            }
            let [lost, drawn, won] = ends;
            println!("{most_nodes} nodes, table {first_stones}: +{won} ={drawn} -{lost}");
        }
    }
}

#[test]
fn a_finished_game_has_no_decision() {
    let mut storage = Storage::new(1);
    for listing in listings() {
        for (spec, moves) in [("mnk:1x1x1", 1), ("connect:1x1x1", 1), ("bricks:2", 2)] {
            let spec: GameSpec = spec.parse().expect(spec);
            if !listing.plays.includes(spec) {
                continue;
            }
            let mut position = Position::new(spec).expect("fits");
            play_at_random(&mut position, moves, &mut Dice::new(1));
            assert!(position.outcome().is_some());
            let mut player = AnyPlayer::new(listing.name, spec, 1).expect(listing.name);
            let (mut table, workspace) = storage.parts();
            let mut tools = Tools {
                limits: Limits { nodes: Some(10), ..Limits::default() },
                clock: &engine::search::report::NoClock,
                table: &mut table,
                workspace,
            };
            assert_eq!(player.decide(&mut position, &mut tools), None, "{}", listing.name);
        }
    }
}

#[test]
fn names_and_parameters_are_checked_with_words_that_help() {
    let spec = |text: &str| -> GameSpec { text.parse().expect(text) };
    let error = |player: &str, game: &str| {
        AnyPlayer::new(player, spec(game), 0).expect_err(player).to_string()
    };
    assert!(error("deepblue", "mnk:3x3x3").starts_with("unknown player: expected one of tavola"));
    assert_eq!(
        AnyPlayer::new("", spec("mnk:3x3x3"), 0).expect_err("no name"),
        PlayerError::Unknown
    );
    assert_eq!(error("lavahound", "mnk:3x3x3"), "lavahound plays connect only");
    assert_eq!(error("cadrega", "bricks:4"), "cadrega plays mnk only");
    assert_eq!(error("random:3", "bricks:4"), "random has no parameters");
    assert_eq!(error("tavola:level=10", "bricks:4"), "bad parameters: expected tavola:level=0..9");
    assert_eq!(error("scorer4:1,2", "bricks:4"), "bad parameters: expected scorer4:TILE,ADJ,EXP");
    for bad in ["jfin5:1", "jfin5:a,b,c,d,e,f", "jfin5:30,4,11,5,1,2,3", "jfin5:,,,,,", "jfin5:-1"]
    {
        assert!(error(bad, "bricks:4").starts_with("bad parameters: expected jfin5:"), "{bad}");
    }
    for good in ["jfin5", "jfin5:30,4,11,5,1,2", "TAVOLA:level=3", "scorer4:5,1,2", "jfin4:3,5,1,2"]
    {
        assert!(AnyPlayer::new(good, spec("bricks:11"), 0).is_ok(), "{good}");
    }
}

/// Games on large boards go on long after the last line is dead, and nobody should have to wait then.
#[test]
fn where_nobody_can_win_any_more_tavola_answers_without_a_search() {
    let mut storage = Storage::new(64);
    for spec in ["mnk:9x9x7", "mnk:30x30x20", "connect:9x9x8", "connect:30x20x15"] {
        let spec: GameSpec = spec.parse().expect("a game");
        let mut dead_games = 0;
        for seed in 0..5 {
            let mut game = Position::new(spec).expect("fits");
            let mut dice = Dice::new(seed);
            let mut was_dead = false;
            while game.outcome().is_none() {
                if !game.is_dead() {
                    play_at_random(&mut game, 1, &mut dice);
                    continue;
                }
                was_dead = true;
                let mut player = Tavola::new(MAX_LEVEL, 0);
                let decision = decide(&mut player, &mut game, nodes(300), &NoClock, &mut storage);
                let decision = decision.expect("a move");
                assert_eq!((decision.nodes, decision.value), (0, Some(Value::Draw)), "{spec}");
                game.try_play(decision.best).expect("legal");
            }
            // Until then somebody may have won by chance.
            if was_dead {
                assert_eq!(game.outcome(), Some(Outcome::Draw), "{spec}");
                dead_games += 1;
            }
        }
        assert!(dead_games > 0, "{spec}");
    }
}

/// Lines of ten cannot be forced, so they must be built while the opponent looks elsewhere: a search that expects
/// it to stop every line begins a hundred of them.
#[test]
fn a_long_line_is_built_against_who_does_not_stop_it() {
    const SOON: usize = 250;
    let spec: GameSpec = "mnk:50x50x10".parse().expect("a game");
    for side in Side::BOTH {
        let mut game = Position::new(spec).expect("fits");
        let mut tavola = Tavola::new(MAX_LEVEL, 0);
        let mut cadrega = AnyPlayer::new("cadrega", spec, 0).expect("a player");
        let mut storages = [Storage::new(64), Storage::new(64)];
        while game.outcome().is_none() && game.ply() < SOON {
            let mover = game.side_to_move();
            let storage = &mut storages[mover.index()];
            let decision = if mover == side {
                decide(&mut tavola, &mut game, nodes(500), &NoClock, storage)
            } else {
                decide(&mut cadrega, &mut game, nodes(500), &NoClock, storage)
            };
            game.try_play(decision.expect("a move").best).expect("legal");
        }
        assert_eq!(game.outcome(), Some(Outcome::Win(side)), "{side:?} after {}", game.ply());
    }
}

/// However much room there is elsewhere, who is about to lose does something about it.
#[test]
fn where_lines_are_built_a_threat_is_answered() {
    const COLS: usize = 20;
    let cell = |row: usize, col: usize| row * COLS + col;
    let spec: GameSpec = "mnk:20x20x8".parse().expect("a game");
    let mut game = Position::new(spec).expect("fits");
    // Six in a row with room to both sides, and stones that have nothing to do with each other.
    let strewn = [(1, 1), (3, 16), (17, 3), (15, 17), (1, 10)];
    for n in 0..6 {
        game.try_play(Move::new(cell(9, 6 + n))).expect("legal");
        if let Some(&(row, col)) = strewn.get(n) {
            game.try_play(Move::new(cell(row, col))).expect("legal");
        }
    }
    for most in [1, 20, 2_000] {
        let mut storage = Storage::new(64);
        let mut player = Tavola::new(MAX_LEVEL, 0);
        let decision = decide(&mut player, &mut game, nodes(most), &NoClock, &mut storage);
        let best = decision.expect("a move").best.index();
        assert!([cell(9, 4), cell(9, 5), cell(9, 12), cell(9, 13)].contains(&best), "{best}");
    }
}
