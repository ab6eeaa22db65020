//! `tavola` on small mnk boards: it keeps what a position is worth, in 64 KiB and with fewer nodes than a
//! second is good for; and its opening book.

use engine::game::any::Position;
use engine::game::mnk::small::MnkSmall;
use engine::game::{Game, Move, Outcome, Side, Symmetry};
use engine::players::aipvs::Aipvs;
use engine::players::cadrega::{CADREGA_NODES, Cadrega};
use engine::players::competitive::Competitive;
use engine::players::oneply::OnePly;
use engine::players::random::Random;
use engine::players::tavola::mnk_book::{self, Chapter, Stones};
use engine::players::tavola::{MAX_LEVEL, Tavola};
use engine::players::{Decision, Player};
use engine::score::Value;
use engine::search::report::{Goal, Limits, NoClock};
use engine::search::solve;
use engine::spec::GameSpec;
use host::commands::league::boards::{Choice, League};
use host::commands::verify;
use host::move_limit::LimitArguments;
use host_tests::{Dice, Storage, decide, legal_moves};

/// Buckets of 64 bytes in 64 KiB.
const BUCKETS_64K: usize = 1024;
/// Less than a second's worth on a PC.
const NODES: u64 = 300_000;
/// About ten seconds' worth on a board.
const CHIP_NODES: u64 = 60_000;

/// Set this variable for all boards and the whole book; see docs/results.md.
const LONG_TESTS: &str = "TAVOLA_LONG_TESTS";

fn is_long() -> bool {
    std::env::var_os(LONG_TESTS).is_some()
}

/// Boards that the first player wins.
const FIRST_WINS: [&str; 7] =
    ["mnk:4x3x3", "mnk:6x5x4", "mnk:6x6x4", "mnk:7x5x4", "mnk:7x6x4", "mnk:7x7x4", "mnk:8x8x4"];

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

fn after(spec: &str, moves: &[usize]) -> Box<Position> {
    let mut game = Box::new(Position::new(spec.parse().expect(spec)).expect(spec));
    for &mv in moves {
        game.try_play(Move::new(mv)).expect(spec);
    }
    game
}

fn move_of(
    player: &mut impl Player,
    game: &mut Position,
    most: u64,
    storage: &mut Storage,
) -> Move {
    let decision: Option<Decision> = decide(player, game, nodes(most), &NoClock, storage);
    decision.expect("the game goes on").best
}

/// What a position is worth for the side to move, and a move that keeps it.
fn solved(game: &mut Position, storage: &mut Storage) -> (i32, Option<Move>) {
    match game.outcome() {
        Some(Outcome::Draw) => return (0, None),
        Some(Outcome::Win(_)) => return (-1, None),
        None => {}
    }
    let (mut table, workspace) = storage.parts();
    let limits = nodes(50_000_000);
    let found = solve(game, Goal::Outcome, &limits, &NoClock, &mut table, workspace, &mut |_| {});
    let worth = match found.value {
        Some(Value::Win { .. }) => 1,
        Some(Value::Draw) => 0,
        Some(Value::Loss { .. }) => -1,
        other => panic!("{}: {other:?}", game.spec()),
    };
    (worth, found.best)
}

/// An opponent who plays best moves, and as the loser now and then any move.
struct Exact {
    dice: Dice,
    storage: Storage,
}

impl Exact {
    fn move_in(&mut self, game: &mut Position) -> Move {
        let (worth, best) = solved(game, &mut self.storage);
        match best.filter(|_| worth >= 0 || self.dice.roll(2) == 0) {
            Some(best) => best,
            None => {
                let moves = legal_moves(game);
                moves[self.dice.roll(moves.len())]
            }
        }
    }
}

/// Plays a board that the first player wins, as first.
fn assert_won(spec: &str, name: &str, mut reply: impl FnMut(&mut Position) -> Move) {
    let mut game = after(spec, &[]);
    let mut tavola = Tavola::new(MAX_LEVEL, 0);
    let mut storage = Storage::new(BUCKETS_64K);
    while game.outcome().is_none() {
        let mv = match game.side_to_move() {
            Side::First => move_of(&mut tavola, &mut game, NODES, &mut storage),
            Side::Second => reply(&mut game),
        };
        game.try_play(mv).expect("legal");
    }
    assert_eq!(game.outcome(), Some(Outcome::Win(Side::First)), "{spec} against {name}");
}

#[test]
fn boards_that_the_first_player_wins_are_won_against_everybody() {
    fn check(player: &mut impl Player, spec: &str, name: &str) {
        let mut storage = Storage::new(BUCKETS_64K);
        assert_won(spec, name, |game| {
            decide(player, game, nodes(20_000), &NoClock, &mut storage)
                .expect("the game goes on")
                .best
        });
    }
    for spec in FIRST_WINS {
        check(&mut Random::new(1), spec, "random");
        check(&mut OnePly, spec, "oneply");
        check(&mut Cadrega::<CADREGA_NODES>::new(), spec, "cadrega");
        check(&mut Competitive::new(1), spec, "competitive");
        check(&mut Aipvs::new(), spec, "aipvs");
        let mut exact = Exact { dice: Dice::new(3), storage: Storage::new(1 << 14) };
        assert_won(spec, "best moves", |game| exact.move_in(game));
    }
}

/// First moves that the second player wins against, among those that take the most nodes to prove: up to
/// 1.4 million.
#[test]
fn wins_of_the_second_player_are_not_given_away() {
    let mut judge = Storage::new(1 << 18);
    for (spec, moves) in [
        ("mnk:7x5x4", &[3 * 5][..]),
        ("mnk:7x5x4", &[2 * 5]),
        ("mnk:6x6x4", &[2]),
        ("mnk:7x6x4", &[1]),
        ("mnk:7x6x4", &[2]),
        ("mnk:7x7x4", &[3]),
    ] {
        let mut game = after(spec, moves);
        let mut storage = Storage::new(BUCKETS_64K);
        let mv = move_of(&mut Tavola::new(MAX_LEVEL, 0), &mut game, CHIP_NODES, &mut storage);
        game.try_play(mv).expect("legal");
        let (after, _) = solved(&mut game, &mut judge);
        assert_eq!(after, -1, "{spec} {moves:?}, then {mv:?}");
    }
}

/// Games against an opponent who begins at random and then plays best moves.
fn assert_nothing_is_given_away(spec: &str, decisions: u64, nodes: u64) {
    let arguments = verify::Arguments {
        spec: spec.parse().expect(spec),
        decisions,
        plies: 63,
        opening: Some(3),
        set_up: None,
        limit: LimitArguments { time: None, nodes: Some(nodes) },
        table: "64K".parse().expect("size"),
        solver_table: "16M".parse().expect("size"),
        solver_nodes: 10_000_000,
        seed: 1,
        json: false,
    };
    let verdict = verify::verify(&arguments).expect("a verdict");
    assert_eq!(verdict.mistakes, [], "{spec}: {verdict:?}");
}

#[test]
fn nothing_is_given_away_to_an_opponent_who_opens_at_random() {
    for spec in ["mnk:5x4x4", "mnk:6x5x4", "mnk:6x6x5", "mnk:7x5x4", "mnk:7x7x4"] {
        assert_nothing_is_given_away(spec, 12, CHIP_NODES);
    }
    if is_long() {
        for spec in League::Mnk.boards(Choice::All) {
            if spec.cells() <= 64 {
                assert_nothing_is_given_away(&spec.to_string(), 60, NODES);
                assert_nothing_is_given_away(&spec.to_string(), 30, CHIP_NODES);
            }
        }
    }
}

/// The position of a chapter with these stones, its moves in an order that the rules allow.
fn position_of(chapter: &Chapter<'_>, stones: Stones) -> MnkSmall {
    let GameSpec::Mnk { rows, cols, k, exact } = chapter.spec else { panic!("another game") };
    let mut game = MnkSmall::new(rows, cols, k, exact).expect("a small board");
    let cells = |side: usize| (0..64).filter(move |cell| stones[side] >> cell & 1 == 1);
    let mut sides = [cells(0), cells(1)];
    for ply in 0..chapter.ply {
        let cell = sides[ply % 2].next().expect("a stone");
        game.try_play(Move::new(cell)).expect("legal");
    }
    game
}

fn all_entries() -> impl Iterator<Item = (MnkSmall, Move)> {
    mnk_book::built_in().expect("this build has a book").chapters().flat_map(|chapter| {
        (0..chapter.len()).map(move |n| {
            let (stones, mv) = chapter.entry(n).expect("an entry");
            (position_of(&chapter, stones), mv)
        })
    })
}

#[test]
fn moves_of_the_book_are_found_under_all_symmetries() {
    let book = mnk_book::built_in().expect("this build has a book");
    let mut count = 0;
    for (game, mv) in all_entries() {
        let empty = |game: &MnkSmall| {
            let mut image = game.clone();
            (0..game.ply()).for_each(|_| image.unmake());
            image
        };
        for symmetry in (0..8).filter(|n| game.symmetries() >> n & 1 == 1).map(Symmetry::new) {
            let mut image = empty(&game);
            for played in (0..game.ply()).filter_map(|n| game.played(n)) {
                image.try_play(game.map_move(played, symmetry)).expect("legal");
            }
            let found = book.look_up(&image).expect("an entry for every image");
            image.try_play(found).expect("legal");
            // Where the position is its own image, so may be another move.
            let mut expected = game.clone();
            expected.try_play(mv).expect("legal");
            let lowest = |game: &MnkSmall| mnk_book::turned(game).map(|(stones, _)| stones);
            assert_eq!(lowest(&image), lowest(&expected), "{} {mv:?}", game.spec());
        }
        count += 1;
    }
    assert!(count > 300, "{count} entries");
}

#[test]
fn moves_of_the_book_keep_what_a_position_is_worth() {
    // Every so many-th of those that do not take long.
    const STEP: usize = 25;
    const FROM_PLY: usize = 5;
    let mut storage = Storage::new(1 << 18);
    let mut worth = |game: &mut MnkSmall| {
        let (mut table, workspace) = storage.parts();
        let limits = nodes(100_000_000);
        let found =
            solve(game, Goal::Outcome, &limits, &NoClock, &mut table, workspace, &mut |_| {});
        found.value.map(|value| match value {
            Value::Win { .. } => 1,
            Value::Loss { .. } => -1,
            _ => 0,
        })
    };
    let entries = all_entries().filter(|(game, _)| is_long() || game.ply() >= FROM_PLY);
    for (mut game, mv) in entries.step_by(if is_long() { 1 } else { STEP }) {
        let before = worth(&mut game);
        game.make(mv);
        let after = worth(&mut game).map(|worth| -worth);
        assert_eq!(before, after, "{} {mv:?}", game.spec());
    }
}
