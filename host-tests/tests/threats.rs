//! Wins by force on mnk boards: each that is found is one, by the independent exact search; and
//! positions of which it is known.

use engine::game::mnk::board::Mnk;
use engine::game::mnk::small::MnkSmall;
use engine::game::{Game, Move, Tactics};
use engine::score::WIN;
use engine::search::quest::Quest;
use engine::search::report::{Goal, Limits, NoClock};
use engine::search::solve;
use host_tests::reference::minimax;
use host_tests::{Dice, Storage, legal_moves, nodes};

type Large = Mnk<64>;

/// Both layouts of a board after the same random moves, at most so many: nobody has won.
fn random_game(
    (rows, cols, k, exact): (u8, u8, u16, bool),
    plies: usize,
    dice: &mut Dice,
) -> (Large, MnkSmall) {
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

fn hunt(game: &mut Large, threats: u8) -> Option<(Move, usize)> {
    const MOST: u64 = 20_000;
    let before = game.clone();
    let mut quest = Quest::new(&NoClock, &Limits::default(), MOST);
    let win = game.forced_win(threats, &mut quest);
    assert_eq!(*game, before, "the position has changed");
    assert!(quest.nodes <= MOST);
    win.map(|win| (win.best, win.plies))
}

/// Hunts in random positions; what is found must be won in no more plies, by the solver for small
/// boards, which knows no hunt. Returns how many wins it found.
fn check(board: (u8, u8, u16, bool), plies: usize, games: u64) -> usize {
    let mut dice = Dice::new(u64::from(board.0) * 100 + u64::from(board.2));
    let mut storage = Storage::new(4_096);
    let mut found = 0;
    for _ in 0..games {
        let (mut large, mut small) = random_game(board, plies, &mut dice);
        if large.tactics() != Tactics::Quiet {
            continue;
        }
        let Some((best, most)) = (0..=3).find_map(|threats| hunt(&mut large, threats)) else {
            continue;
        };
        let (mut table, workspace) = storage.parts();
        small.make(best);
        let limits = nodes(300_000);
        let goal = Goal::Exact;
        let answer = solve(&mut small, goal, &limits, &NoClock, &mut table, workspace, &mut |_| {});
        let Some(_) = answer.value else { continue };
        let plies = (WIN + answer.low) as usize;
        assert!(answer.low < 0, "{board:?}: {best:?} does not win: {small:?}");
        assert!(plies <= large.ply() + most, "{board:?}: {plies} plies, not {most}: {small:?}");
        found += 1;
    }
    println!("{board:?} after {plies} plies: {found} wins by force in {games} positions");
    found
}

#[test]
fn what_is_found_is_won() {
    let found: usize = [
        check((6, 6, 4, false), 8, 300),
        check((7, 7, 4, false), 6, 200),
        check((7, 7, 5, false), 24, 300),
        check((8, 8, 5, false), 26, 300),
        check((8, 8, 5, true), 26, 300),
        check((8, 8, 6, false), 38, 300),
        check((5, 5, 3, false), 3, 200),
    ]
    .into_iter()
    .sum();
    assert!(found > 200, "only {found} wins were found");
}

#[test]
fn what_is_found_is_won_by_plain_minimax() {
    let mut dice = Dice::new(9);
    let mut found = 0;
    for _ in 0..300 {
        let (mut game, _) = random_game((4, 4, 3, false), 5, &mut dice);
        if game.tactics() != Tactics::Quiet {
            continue;
        }
        if let Some((best, most)) = hunt(&mut game, 3) {
            let ply = game.ply();
            game.make(best);
            let score = minimax(&mut game);
            assert!(score < 0 && (WIN + score) as usize <= ply + most, "{score} {most} {game:?}");
            found += 1;
        }
    }
    assert!(found > 20, "only {found} wins were found");
}
