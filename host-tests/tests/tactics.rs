//! Forced wins and forced defences: the hunt against the exact solver on small boards, and the player
//! against a suite of positions.

use engine::game::any::Position;
use engine::game::mnk::board::Mnk;
use engine::game::mnk::small::MnkSmall;
use engine::game::{Game, Move, Tactics};
use engine::players::tavola::{MAX_LEVEL, Parts, Tavola};
use engine::score::WIN;
use engine::search::hunt::{Catch, hunt};
use engine::search::report::{Goal, Limits, NoClock};
use engine::search::solve;
use engine::spec::GameSpec;
use host_tests::{Dice, Storage, decide, legal_moves, nodes};

/// Both layouts of a board after the same random moves, at most so many: nobody has won.
fn random_game(
    (rows, cols, k, exact): (u8, u8, u16, bool),
    plies: usize,
    dice: &mut Dice,
) -> (Mnk<64>, MnkSmall) {
    let mut large = Mnk::new(rows, cols, k, exact).expect("fits");
    let mut small = MnkSmall::new(rows, cols, k, exact).expect("fits");
    for _ in 0..plies {
        let moves = legal_moves(&large);
        let mv = moves[dice.roll(moves.len())];
        large.make(mv);
        if large.outcome().is_some() {
            large.unmake();
            break;
        }
        small.make(mv);
    }
    (large, small)
}

/// Hunts in random positions. What is found must be won in no more plies, by the solver for small
/// boards, which knows no hunt, and the move must keep the win. Returns how many wins were found.
fn check_hunts(board: (u8, u8, u16, bool), plies: usize, games: usize) -> usize {
    let mut dice = Dice::new(u64::from(board.0) * 100 + u64::from(board.2));
    let mut storage = Storage::new(4_096);
    let mut found = 0;
    for _ in 0..games {
        let (mut large, mut small) = random_game(board, plies, &mut dice);
        if large.tactics() != Tactics::Quiet {
            continue;
        }
        let before = large.clone();
        let (mut table, workspace) = storage.parts();
        table.clear();
        let Catch { win, nodes } =
            hunt(&mut large, &nodes(20_000), &NoClock, &mut table, workspace);
        assert_eq!(large, before, "the position has changed");
        assert!(nodes <= 20_000);
        let Some((best, most)) = win else { continue };
        found += 1;
        let mut exact_score = |game: &mut MnkSmall| {
            let (mut table, workspace) = storage.parts();
            table.clear();
            let limits = Limits::default();
            solve(game, Goal::Exact, &limits, &NoClock, &mut table, workspace, &mut |_| {}).low
        };
        let ply = small.ply();
        let plies = WIN - exact_score(&mut small);
        assert!(plies > 0 && plies as usize <= ply + most, "{board:?}: {plies} {most}");
        small.make(best);
        let after = exact_score(&mut small);
        assert!(after < 0 && (WIN + after) as usize <= ply + most, "{board:?}: {after} {most}");
    }
    found
}

#[test]
fn what_a_hunt_finds_is_won() {
    let mut found = 0;
    for (board, plies) in [
        ((5, 5, 4, false), 8),
        ((6, 6, 4, false), 10),
        ((6, 6, 4, true), 12),
        ((7, 7, 5, false), 28),
        ((7, 7, 5, true), 30),
        ((6, 6, 5, false), 18),
        ((4, 5, 3, false), 4),
    ] {
        found += check_hunts(board, plies, 60);
    }
    assert!(found >= 100, "only {found} wins by force");
}

/// The suite, one position a line; see src/bin/tactics.rs.
const SUITE: &str = include_str!("../data/tactics.txt");

/// How many positions of a kind the suite has, and how many of them were solved.
struct Solved {
    kind: &'static str,
    all: usize,
    right: usize,
}

/// Gives the suite to a player with so many nodes for each position.
fn solve_suite(player: &Tavola, most_nodes: u64) -> Vec<Solved> {
    let mut storage = Storage::new(1_024);
    let mut kinds: Vec<Solved> = vec![];
    for line in SUITE.lines().filter(|line| !line.starts_with('#')) {
        let (question, accepted) = line.split_once(" -> ").expect("an arrow");
        let mut words = question.split(' ');
        let kind = words.next().expect("a kind");
        let spec: GameSpec = words.next().expect("a game").parse().expect("a game");
        let parse = |text: &str| spec.parse_move(text).expect("a move");
        let mut game = Position::new(spec).expect("fits");
        words.for_each(|text| game.try_play(parse(text)).expect("a legal move"));
        let accepted: Vec<Move> = accepted.split(' ').map(parse).collect();
        let decision =
            decide(&mut player.clone(), &mut game, nodes(most_nodes), &NoClock, &mut storage);
        let solved = decision.is_some_and(|decision| accepted.contains(&decision.best));
        if !solved {
            println!(
                "not solved, {:?}: {line}",
                decision.map(|it| spec.show_move(it.best).to_string())
            );
        }
        let at = kinds.iter().position(|it| it.kind == kind).unwrap_or_else(|| {
            kinds.push(Solved { kind, all: 0, right: 0 });
            kinds.len() - 1
        });
        kinds[at].all += 1;
        kinds[at].right += usize::from(solved);
    }
    kinds
}

#[test]
fn the_player_solves_the_tactical_suite() {
    let kinds = solve_suite(&Tavola::new(MAX_LEVEL, 0), 100_000);
    let all: usize = kinds.iter().map(|it| it.all).sum();
    let right: usize = kinds.iter().map(|it| it.right).sum();
    assert!(all >= 60 && kinds.len() == 3);
    assert!(right * 100 >= all * 95, "{right} of {all}");
}

#[test]
#[ignore = "for docs/results.md: what the hunt is worth"]
fn the_suite_without_the_hunt() {
    for most_nodes in [5_000, 20_000, 100_000] {
        for hunt in [true, false] {
            let player = Tavola::of_parts(Parts { hunt, ..Parts::ALL });
            let kinds = solve_suite(&player, most_nodes);
            let figures: Vec<String> =
                kinds.iter().map(|it| format!("{} {}", it.kind, it.right)).collect();
            println!("{most_nodes} nodes, hunt {hunt}: {}", figures.join(", "));
        }
    }
}
