//! `tavola` on small mnk boards: it keeps what a position is worth, in 64 KiB and with about as many nodes
//! as a second is good for.

use engine::game::any::Position;
use engine::game::{Game, Move, Outcome, Side};
use engine::players::aipvs::Aipvs;
use engine::players::cadrega::{CADREGA_NODES, Cadrega};
use engine::players::competitive::Competitive;
use engine::players::oneply::OnePly;
use engine::players::random::Random;
use engine::players::tavola::{MAX_LEVEL, Tavola};
use engine::players::{Decision, Player};
use engine::score::Value;
use engine::search::report::{Goal, Limits, NoClock};
use engine::search::solve;
use host_tests::{Dice, Storage, decide, legal_moves};

/// Buckets of 64 bytes in 64 KiB.
const BUCKETS_64K: usize = 1024;
/// About a second's worth on a busy machine.
const NODES: u64 = 1_000_000;

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

/// First moves that the second player wins against, among those that take the most nodes to prove.
#[test]
fn wins_of_the_second_player_are_not_given_away() {
    let mut judge = Storage::new(1 << 18);
    for (spec, moves, most) in [
        ("mnk:7x5x4", &[3 * 5][..], NODES),
        ("mnk:7x5x4", &[2 * 5], NODES),
        ("mnk:6x6x4", &[2], NODES),
        // A million nodes are too few for this one.
        ("mnk:7x6x4", &[2], 1_500_000),
        ("mnk:7x7x4", &[3], NODES),
    ] {
        let mut game = after(spec, moves);
        let mut storage = Storage::new(BUCKETS_64K);
        let mv = move_of(&mut Tavola::new(MAX_LEVEL, 0), &mut game, most, &mut storage);
        game.try_play(mv).expect("legal");
        let (after, _) = solved(&mut game, &mut judge);
        assert_eq!(after, -1, "{spec} {moves:?}, then {mv:?}");
    }
}
