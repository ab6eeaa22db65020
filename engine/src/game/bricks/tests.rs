//! What both representations must do, checked against the rules written out naively, against each
//! other, and against known figures.

extern crate std;

use std::collections::HashSet;
use std::format;
use std::vec;
use std::vec::Vec;

use crate::game::bricks::account::{Holdings, Standing, Totals};
use crate::game::bricks::islands::Island;
use crate::game::bricks::survey::{self, Ground, Plan, Prospects, Sums, evaluate_without, parts};
use crate::game::bricks::{Bricks, BricksSmall, is_surveyed};
use crate::game::keys::{Keys, scatter};
use crate::game::{Effort, Game, IllegalMove, Move, Outcome, Side, Symmetry};
use crate::score::{INFINITE, Score};
use crate::search::ordering::{Candidate, MoveSink, Wanted};
use crate::spec::{GameSpec, SpecError};

fn array(size: u8) -> Bricks<400> {
    Bricks::new(size).expect("fits")
}

fn words(size: u8) -> BricksSmall {
    BricksSmall::new(size).expect("fits")
}

/// A source of numbers that are the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(1);
        (scatter(self.0) % sides as u64) as usize
    }
}

fn candidates(game: &impl Game) -> Vec<Candidate> {
    list(game, |sink| MoveSink::wanting(Wanted::All, sink))
}

fn list(game: &impl Game, sink: impl Fn(&mut [Candidate]) -> MoveSink<'_>) -> Vec<Candidate> {
    let mut storage = [Candidate::NONE; 760];
    let mut sink = sink(&mut storage);
    game.generate(&mut sink);
    assert!(!sink.overflowed());
    sink.candidates().to_vec()
}

/// The legal moves by number, found by asking for every number.
fn legal(game: &impl Game) -> Vec<Move> {
    let moves = 2 * game.spec().cells();
    (0..moves).map(Move::new).filter(|&mv| game.check(mv).is_ok()).collect()
}

fn random_move(game: &impl Game, dice: &mut Dice) -> Option<Move> {
    let moves = legal(game);
    if moves.is_empty() { None } else { Some(moves[dice.roll(moves.len())]) }
}

/// The rules, naively: colours of the cells, and everything worked out from them.
struct Naive {
    size: usize,
    cells: Vec<Option<Side>>,
}

impl Naive {
    fn replay(game: &impl Game) -> Naive {
        let size = game.spec().rows();
        let mut naive = Naive { size, cells: vec![None; size * size] };
        for (ply, mv) in (0..).map_while(|n| game.played(n)).enumerate() {
            for cell in naive.pair(mv.index()).expect("inside") {
                assert_eq!(naive.cells[cell], None);
                naive.cells[cell] = Some(Side::at_ply(ply));
            }
        }
        naive
    }

    fn pair(&self, index: usize) -> Option<[usize; 2]> {
        let (vertical, cell) = (index / self.cells.len(), index % self.cells.len());
        let (row, col) = (cell / self.size, cell % self.size);
        match vertical {
            0 if col + 1 < self.size => Some([cell, cell + 1]),
            1 if row + 1 < self.size => Some([cell, cell + self.size]),
            _ => None,
        }
    }

    fn beside(&self, cell: usize) -> Vec<usize> {
        let near = |a: usize, b: usize| {
            let (rows, cols) =
                ((a / self.size).abs_diff(b / self.size), (a % self.size).abs_diff(b % self.size));
            rows + cols == 1
        };
        (0..self.cells.len()).filter(|&other| near(cell, other)).collect()
    }

    fn placements(&self) -> Vec<usize> {
        let fits = |pair: [usize; 2]| pair.iter().all(|&cell| self.cells[cell].is_none());
        (0..2 * self.cells.len()).filter(|&index| self.pair(index).is_some_and(fits)).collect()
    }

    fn is_open(&self, cell: usize) -> bool {
        self.cells[cell].is_none()
            && self.beside(cell).iter().any(|&other| self.cells[other].is_none())
    }

    fn totals(&self, side: Side) -> Totals {
        let mut totals = Totals::new(self.size);
        let mut seen = vec![false; self.cells.len()];
        for start in 0..self.cells.len() {
            let mut island = Island { cells: 0, exits: 0 };
            let mut waiting = vec![start];
            while let Some(cell) = waiting.pop() {
                if self.cells[cell] != Some(side) || seen[cell] {
                    continue;
                }
                seen[cell] = true;
                island.cells += 1;
                for other in self.beside(cell) {
                    island.exits += u16::from(self.is_open(other));
                    waiting.push(other);
                }
            }
            if island.cells > 0 {
                totals.add(island);
            }
        }
        totals
    }

    fn chart(&self) -> Plan {
        Plan::new(self.size, |cell| self.cells[cell])
    }

    /// The cells that are connected with `start` through cells of this kind, itself included.
    fn connected(&self, start: usize, inside: impl Fn(usize) -> bool) -> HashSet<usize> {
        let mut found = HashSet::new();
        let mut waiting = vec![start];
        while let Some(cell) = waiting.pop() {
            if inside(cell) && found.insert(cell) {
                waiting.extend(self.beside(cell));
            }
        }
        found
    }

    /// The groups of a side, as sets of cells: islands, joined wherever `bridge` says that some
    /// free cells bring together what borders on them.
    fn groups(&self, side: Side, bridges: &[HashSet<usize>]) -> Vec<HashSet<usize>> {
        let stone = |cell: usize| self.cells[cell] == Some(side);
        let mut groups: Vec<HashSet<usize>> = Vec::new();
        for cell in (0..self.cells.len()).filter(|&cell| stone(cell)) {
            if !groups.iter().any(|group| group.contains(&cell)) {
                groups.push(self.connected(cell, stone));
            }
        }
        for bridge in bridges {
            let coast: Vec<usize> = bridge.iter().flat_map(|&cell| self.beside(cell)).collect();
            let (touching, mut rest): (Vec<_>, Vec<_>) =
                groups.into_iter().partition(|group| coast.iter().any(|cell| group.contains(cell)));
            let joined: HashSet<usize> = touching.into_iter().flatten().collect();
            if !joined.is_empty() {
                rest.push(joined);
            }
            groups = rest;
        }
        groups
    }

    fn prospects(&self, side: Side) -> Prospects {
        let cells = self.cells.len();
        let open: Vec<usize> = (0..cells).filter(|&cell| self.is_open(cell)).collect();
        let bricks: Vec<HashSet<usize>> = self
            .placements()
            .iter()
            .filter_map(|&index| self.pair(index))
            .map(|pair| pair.into_iter().collect())
            .collect();
        let pieces: Vec<HashSet<usize>> =
            open.iter().map(|&cell| self.connected(cell, |cell| self.is_open(cell))).collect();
        let squares = |groups: &[HashSet<usize>]| {
            groups.iter().map(|group| group.len() * group.len()).sum::<usize>() as Score
        };
        let in_reach = self.groups(side, &pieces);
        let hopes = in_reach.iter().map(|group| {
            let reached = pieces.iter().filter(|piece| self.touches(group, piece));
            group.len() * reached.flatten().collect::<HashSet<_>>().len()
        });
        let [own, opponent] = [side, side.other()].map(|side| {
            let linked = self.groups(side, &bricks);
            let coast = |group: &HashSet<usize>| -> HashSet<usize> {
                let touches = |cell: &usize| self.touches(group, &HashSet::from([*cell]));
                open.iter().copied().filter(touches).collect()
            };
            let growing = linked.iter().filter(|group| !coast(group).is_empty());
            let largest = growing.clone().map(HashSet::len).max().unwrap_or(0);
            let of_largest = growing.clone().filter(|group| group.len() == largest);
            let beside_largest: HashSet<usize> = of_largest.flat_map(&coast).collect();
            let beside_all: HashSet<usize> = growing.flat_map(&coast).collect();
            (largest, beside_largest, beside_all)
        });
        Prospects {
            points: squares(&self.groups(side, &[])),
            linked: squares(&self.groups(side, &bricks)),
            in_reach: Sums { squares: squares(&in_reach), hopes: hopes.sum::<usize>() as Score },
            largest: own.0 as Score,
            of_largest: self.ground(own.1, opponent.1),
            of_all: self.ground(own.2, opponent.2),
        }
    }

    fn touches(&self, group: &HashSet<usize>, cells: &HashSet<usize>) -> bool {
        cells.iter().any(|&cell| self.beside(cell).iter().any(|other| group.contains(other)))
    }

    /// The ground of a side that sets out from some open cells when the other does so from others.
    fn ground(&self, own: HashSet<usize>, opponent: HashSet<usize>) -> Ground {
        let (mut own, mut opponent) = (own, opponent);
        loop {
            let taken: HashSet<usize> = own.union(&opponent).copied().collect();
            let step = |cells: &HashSet<usize>| -> HashSet<usize> {
                let beside = cells.iter().flat_map(|&cell| self.beside(cell));
                beside.filter(|cell| self.is_open(*cell) && !taken.contains(cell)).collect()
            };
            let (more, others) = (step(&own), step(&opponent));
            if more.is_empty() && others.is_empty() {
                let shared = own.intersection(&opponent).count();
                return Ground { own: (own.len() - shared) as Score, shared: shared as Score };
            }
            own.extend(more);
            opponent.extend(others);
        }
    }

    fn key(&self, keys: Keys) -> u64 {
        let stones = self.cells.iter().enumerate();
        stones.fold(0, |key, (cell, colour)| match colour {
            Some(side) => keys.with(key, cell, *side),
            None => key,
        })
    }
}

/// Checks everything that a position says of itself against the naive rules.
fn check_against_rules<G: Game + Standing>(game: &G, keys: Keys) {
    let naive = Naive::replay(game);
    let placements = naive.placements();
    let side = game.side_to_move();
    let [own, opponent] = [side, side.other()].map(|side| naive.totals(side));
    let moves: Vec<_> = legal(game).iter().map(|mv| mv.index()).collect();
    assert_eq!(moves, placements);
    assert_eq!(game.points(side), own.points);
    assert_eq!(game.points(side.other()), opponent.points);
    assert_eq!(game.holdings(side), own.holdings);
    assert_eq!(game.holdings(side.other()), opponent.holdings);
    let hoped = own.points + own.growth - opponent.points - opponent.growth;
    let evaluation =
        if is_surveyed(naive.size) { survey::evaluate(&naive.chart(), side, 0) } else { hoped };
    assert_eq!(game.evaluate(), evaluation, "{:?}", naive.cells);
    assert_eq!(game.key(), naive.key(keys));
    assert_eq!(game.key_under(Symmetry::IDENTITY), game.key());
    assert_eq!(game.outcome().is_some(), placements.is_empty());
    assert_eq!(game.plies_left() == 0, placements.is_empty());
    let margin = own.points - opponent.points;
    assert_eq!(game.final_score(), placements.is_empty().then_some(margin));
    let winner = match margin {
        0 => Outcome::Draw,
        1.. => Outcome::Win(side),
        _ => Outcome::Win(side.other()),
    };
    assert_eq!(game.outcome(), placements.is_empty().then_some(winner));
}

/// Plays random games to the end and back, calling `at` at every position on the way forth.
/// On the way back every position must equal the one left behind.
fn along_random_games<G: Game + Clone + PartialEq + core::fmt::Debug>(
    empty: &G,
    games: u64,
    mut at: impl FnMut(&G),
) {
    for seed in 0..games {
        let mut dice = Dice(seed << 32);
        let mut trail = vec![empty.clone()];
        let mut game = empty.clone();
        at(&game);
        while let Some(mv) = random_move(&game, &mut dice) {
            assert_eq!(game.try_play(mv), Ok(()));
            assert_eq!(game.played(game.ply() - 1), Some(mv));
            assert_eq!(game.played(game.ply()), None);
            at(&game);
            trail.push(game.clone());
        }
        while let Some(before) = trail.pop() {
            assert_eq!(game, before);
            game.unmake();
        }
        assert_eq!(&game, empty);
    }
}

#[test]
fn the_array_board_keeps_to_the_rules_and_is_restored_bit_for_bit() {
    for (size, games) in [(1, 1), (2, 9), (3, 20), (4, 20), (5, 20), (8, 10), (11, 4), (20, 1)] {
        along_random_games(&array(size), games, |game| check_against_rules(game, Keys::Hashed));
    }
}

#[test]
fn the_word_board_keeps_to_the_rules_and_is_restored_bit_for_bit() {
    for (size, games) in [(1, 1), (2, 9), (3, 20), (4, 20), (5, 20), (6, 10), (7, 10), (8, 10)] {
        let keys = if size <= 6 { Keys::Exact } else { Keys::Hashed };
        along_random_games(&words(size), games, |game| check_against_rules(game, keys));
    }
}

#[test]
fn a_survey_finds_what_brute_force_finds() {
    for (size, games) in [(1, 1), (2, 4), (3, 20), (4, 20), (5, 20), (8, 8), (11, 3)] {
        along_random_games(&array(size), games, |game| {
            let naive = Naive::replay(game);
            let expected = Side::BOTH.map(|side| naive.prospects(side));
            assert_eq!(survey::prospects(&naive.chart()), expected, "{:?}", naive.cells);
            let value = survey::evaluate(&naive.chart(), game.side_to_move(), 0);
            assert_eq!(evaluate_without(game, 0), value);
        });
    }
}

#[test]
fn both_boards_agree_on_everything() {
    for size in 1..=8 {
        for seed in 0..12 {
            let mut dice = Dice(seed);
            let (mut one, mut other) = (array(size), words(size));
            loop {
                assert_eq!(one.spec(), other.spec());
                assert_eq!(candidates(&one), candidates(&other));
                assert_eq!(
                    list(&one, |sink| MoveSink::new(sink)),
                    list(&other, |sink| MoveSink::new(sink))
                );
                assert_eq!(
                    list(&one, |sink| MoveSink::new(sink).for_proof(true)),
                    list(&other, |sink| MoveSink::new(sink).for_proof(true))
                );
                assert_eq!(one.outcome(), other.outcome());
                assert_eq!(one.final_score(), other.final_score());
                assert_eq!(one.evaluate(), other.evaluate());
                assert_eq!(one.plies_left(), other.plies_left());
                for effort in [Effort::Cheap, Effort::Thorough] {
                    for (alpha, beta) in [(-INFINITE, INFINITE), (-9, 9), (40, 41)] {
                        assert_eq!(
                            one.bounds(alpha, beta, effort),
                            other.bounds(alpha, beta, effort)
                        );
                    }
                }
                for cell in 0..70 {
                    assert_eq!(one.stone(cell), other.stone(cell));
                }
                if size > 6 {
                    assert_eq!((one.key(), one.key_bits()), (other.key(), other.key_bits()));
                }
                let Some(mv) = random_move(&one, &mut dice) else {
                    break;
                };
                one.make(mv);
                other.make(mv);
            }
        }
    }
}

#[test]
fn generated_moves_are_the_legal_ones_by_number_and_gains_order_them() {
    along_random_games(&words(5), 10, |game| {
        let moves: Vec<_> = candidates(game).iter().map(|candidate| candidate.mv()).collect();
        assert_eq!(moves, legal(game));
    });
    let proof = |game: &BricksSmall| list(game, |sink| MoveSink::new(sink).for_proof(true));
    let empty = list(&array(11), |sink| MoveSink::new(sink).for_proof(true));
    assert_eq!(empty.len(), 220);
    assert!(empty.is_sorted_by(|one, next| one > next && one.order() == next.order()));

    // . 0 0 .     The first player to move gains most where a brick joins its island, and the
    // . 1 1 .     same places are worth something to it because the opponent wants them.
    // . . . .
    // . . . .
    let mut game = words(4);
    for index in [1, 5] {
        game.make(Move::new(index));
    }
    let order = |list: &[Candidate], wanted: usize| {
        list.iter().find(|c| c.mv().index() == wanted).map(|c| c.order())
    };
    let in_proof = proof(&game);
    assert_eq!(order(&in_proof, 16), Some(12 + 12 / 2)); // in the upper left corner: joins both
    assert_eq!(order(&in_proof, 16 + 4), Some(4 + 12 / 2)); // below it: only the opponent's island
    assert_eq!(order(&in_proof, 12), Some(4 + 4 / 2)); // far away
    if is_surveyed(4) {
        // One, two and three cells with room beside the brick; the second one also comes near the
        // own island, the third one near the opponent's.
        let all = candidates(&game);
        assert_eq!(order(&all, 16), Some(12 + (12 + 4) / 2));
        assert_eq!(order(&all, 16 + 4), Some(4 + (12 + 2 * (2 + 2)) / 2));
        assert_eq!(order(&all, 12), Some(4 + (4 + 2 * 2 + 2 * 3) / 2));
    }
}

/// Nodes of the whole tree below a position.
fn perft(game: &mut impl Game) -> u64 {
    if game.outcome().is_some() {
        return 0;
    }
    let mut storage = [Candidate::NONE; 24];
    let mut sink = MoveSink::new(&mut storage);
    game.generate(&mut sink);
    let len = sink.len();
    let mut nodes = 0;
    for candidate in &storage[..len] {
        game.make(candidate.mv());
        nodes += 1 + perft(game);
        game.unmake();
    }
    nodes
}

#[test]
fn the_tree_has_as_many_nodes_as_is_known() {
    for (size, nodes) in [(1, 0), (2, 8), (3, 868), (4, 6_257_128)] {
        assert_eq!(perft(&mut array(size)), nodes);
        assert_eq!(perft(&mut words(size)), nodes);
    }
}

/// Adds to `counts[k]` the sets of `k` more bricks with numbers from `from` on.
fn count_sets(game: &mut impl Game, from: usize, counts: &mut [u64]) {
    counts[game.ply()] += 1;
    for mv in legal(game).into_iter().filter(|mv| mv.index() >= from) {
        game.make(mv);
        count_sets(game, mv.index() + 1, counts);
        game.unmake();
    }
}

#[test]
fn bricks_fit_on_4x4_in_as_many_ways_as_is_known() {
    let expected = [1, 24, 224, 1044, 2593, 3388, 2150, 552, 36];
    let (mut arrays, mut sets) = ([0; 9], [0; 9]);
    count_sets(&mut array(4), 0, &mut arrays);
    count_sets(&mut words(4), 0, &mut sets);
    assert_eq!(arrays, expected);
    assert_eq!(sets, expected);
}

#[test]
fn keys_under_symmetries_are_the_keys_of_the_mapped_positions() {
    fn check<G: Game + Clone + PartialEq + core::fmt::Debug>(empty: &G, games: u64) {
        assert_eq!(empty.symmetries(), 0xFF);
        along_random_games(empty, games, |game| {
            for bits in 0..8 {
                let symmetry = Symmetry::new(bits);
                let mut mapped = empty.clone();
                for mv in (0..).map_while(|n| game.played(n)) {
                    assert_eq!(mapped.try_play(game.map_move(mv, symmetry)), Ok(()));
                }
                assert_eq!(game.key_under(symmetry), mapped.key());
                assert_eq!(game.evaluate(), mapped.evaluate());
                assert_eq!(
                    game.bounds(-INFINITE, INFINITE, Effort::Thorough),
                    mapped.bounds(-INFINITE, INFINITE, Effort::Thorough)
                );
            }
        });
    }
    for size in 1..=6 {
        check(&array(size), 2);
        check(&words(size), 2);
    }
    check(&words(8), 2);
    check(&array(11), 1);
}

#[test]
fn exact_keys_tell_all_colourings_apart_and_only_those() {
    fn walk(game: &mut BricksSmall, seen: &mut HashSet<(u64, Vec<Option<Side>>)>) {
        assert!(game.key() < 1 << game.key_bits());
        seen.insert((game.key(), (0..9).map(|cell| game.stone(cell)).collect()));
        for mv in legal(game) {
            game.make(mv);
            walk(game, seen);
            game.unmake();
        }
    }
    let mut seen = HashSet::new();
    walk(&mut words(3), &mut seen);
    let keys: HashSet<_> = seen.iter().map(|(key, _)| *key).collect();
    let colourings: HashSet<_> = seen.iter().map(|(_, cells)| cells.clone()).collect();
    assert_eq!((keys.len(), colourings.len()), (seen.len(), seen.len()));
    assert_eq!([1, 2, 6, 7].map(|size| words(size).key_bits()), [2, 7, 58, 64]);
}

#[test]
fn far_from_the_end_only_the_best_moves_are_searched_unless_somebody_wants_all() {
    let game = array(11);
    let all = candidates(&game);
    let mut storage = [Candidate::NONE; 760];
    let mut sink = MoveSink::new(&mut storage);
    game.generate(&mut sink);
    assert_eq!(sink.is_selective(), is_surveyed(11));
    let worst = sink.candidates().iter().min().copied().expect("moves");
    let better = all.iter().filter(|&&candidate| candidate >= worst).count();
    assert_eq!(sink.len(), better, "the best, and all of them");
    // Three bricks fit on a board of 3x3 after the first one.
    let mut game = array(3);
    game.make(Move::new(0));
    assert_eq!(list(&game, |sink| MoveSink::new(sink)), candidates(&game));
}

#[test]
fn the_key_does_not_depend_on_how_cells_are_paired() {
    // Two horizontal bricks of a side on a 2x2 square, or two vertical ones.
    let mut lying = array(4);
    let mut standing = array(4);
    for (index, twin) in [(0, 16), (8, 8), (4, 17)] {
        lying.make(Move::new(index));
        standing.make(Move::new(twin));
    }
    assert_eq!(lying.key(), standing.key());
    assert_eq!(lying.evaluate(), standing.evaluate());
}

#[test]
fn swapping_the_colours_negates_the_evaluation() {
    // The same bricks after an even number of plies, each pair of moves in reverse order: the
    // same side is to move, and every stone has the other colour.
    for seed in 0..20 {
        let mut dice = Dice(seed);
        let mut game = array(6);
        for _ in 0..8 {
            let Some(mv) = random_move(&game, &mut dice) else { break };
            game.make(mv);
        }
        let mut swapped = array(6);
        for n in (0..game.ply()).step_by(2) {
            for index in [n + 1, n] {
                swapped.make(game.played(index).expect("played"));
            }
        }
        assert_eq!(game.ply() % 2, 0);
        // What only the side to move has aside.
        let [one, other] = [&game, &swapped].map(|game| evaluate_without(game, parts::SHARED));
        assert_eq!(one, -other);
    }
}

/// The exact value for the side to move, and the most plies to the end, by looking at everything.
fn minimax(game: &mut BricksSmall) -> (Score, usize) {
    if let Some(score) = game.final_score() {
        return (score, 0);
    }
    let mut best = (-INFINITE, 0);
    for mv in legal(game) {
        game.make(mv);
        let (score, plies) = minimax(game);
        game.unmake();
        best = (best.0.max(-score), best.1.max(plies + 1));
    }
    best
}

#[test]
fn bounds_and_plies_left_hold_against_full_minimax() {
    let (mut positions, mut cheap_width, mut thorough_width) = (0, 0, 0);
    for seed in 0..260 {
        let mut dice = Dice(seed << 20);
        let size = 3 + dice.roll(6) as u8;
        let mut game = words(size);
        // Towards the end of the game, where the whole tree can be seen.
        while game.plies_left() > 6 {
            let Some(mv) = random_move(&game, &mut dice) else { break };
            game.make(mv);
        }
        loop {
            let (value, plies) = minimax(&mut game);
            assert!(plies <= game.plies_left());
            let (low, high) = game.bounds(-INFINITE, INFINITE, Effort::Cheap);
            let (lower, higher) = game.bounds(-INFINITE, INFINITE, Effort::Thorough);
            let told = format!("{value} in {low}..{high}, {lower}..{higher}: {game:?}");
            assert!(low <= lower && lower <= value && value <= higher && higher <= high, "{told}");
            // Bounds that already leave the window are handed out as they are, and hold as well.
            let (least, most) = game.bounds(value - 1, value + 1, Effort::Thorough);
            assert!(least <= value && value <= most, "{told}");
            positions += 1;
            cheap_width += high - low;
            thorough_width += higher - lower;
            let Some(mv) = random_move(&game, &mut dice) else { break };
            game.make(mv);
            assert!(game.plies_left() > 0 || game.outcome().is_some());
        }
        let (value, _) = minimax(&mut game);
        assert_eq!(game.bounds(-INFINITE, INFINITE, Effort::Cheap), (value, value));
    }
    assert!(positions > 1_000 && thorough_width < cheap_width);
}

#[test]
fn bounds_hold_in_every_position_of_the_small_boards() {
    fn walk(game: &mut BricksSmall) -> Score {
        if let Some(score) = game.final_score() {
            return score;
        }
        let mut best = -INFINITE;
        for mv in legal(game) {
            game.make(mv);
            best = best.max(-walk(game));
            game.unmake();
        }
        for effort in [Effort::Cheap, Effort::Thorough] {
            let (low, high) = game.bounds(-INFINITE, INFINITE, effort);
            assert!(low <= best && best <= high, "{best} in {low}..{high}: {game:?}");
        }
        best
    }
    assert_eq!(walk(&mut words(2)), 0);
    walk(&mut words(3));
}

/// Plain alpha-beta without any cleverness, moves by number; counts the moves tried.
fn alpha_beta(game: &mut impl Game, mut alpha: Score, beta: Score, nodes: &mut u64) -> Score {
    if let Some(score) = game.final_score() {
        return score.clamp(alpha, beta);
    }
    let mut storage = [Candidate::NONE; 24];
    let mut sink = MoveSink::new(&mut storage);
    game.generate(&mut sink);
    let len = sink.len();
    for candidate in &storage[..len] {
        *nodes += 1;
        game.make(candidate.mv());
        let score = -alpha_beta(game, -beta, -alpha, nodes);
        game.unmake();
        if score >= beta {
            return beta;
        }
        alpha = alpha.max(score);
    }
    alpha
}

#[test]
fn plain_alpha_beta_visits_three_percent_of_the_4x4_tree() {
    let (mut nodes, mut word_nodes) = (0, 0);
    let value = alpha_beta(&mut array(4), -INFINITE, INFINITE, &mut nodes);
    assert_eq!(alpha_beta(&mut words(4), -INFINITE, INFINITE, &mut word_nodes), value);
    assert_eq!((value, nodes, word_nodes), (0, 205_580, 205_580));
}

#[test]
fn illegal_moves_are_refused_with_the_reason() {
    fn check<G: Game + Clone + PartialEq + core::fmt::Debug>(mut game: G) {
        let first = Move::new(0);
        assert_eq!(game.try_play(first), Ok(()));
        let before = game.clone();
        for (index, reason) in [
            (0, IllegalMove::Occupied),
            (1, IllegalMove::Occupied),
            (9, IllegalMove::Occupied),
            (2, IllegalMove::OutsideBoard),  // sticks out on the right
            (15, IllegalMove::OutsideBoard), // sticks out below
            (18, IllegalMove::OutsideBoard),
            (8_191, IllegalMove::OutsideBoard),
        ] {
            assert_eq!(game.try_play(Move::new(index)), Err(reason), "{index}");
            assert_eq!(game, before);
        }
        for index in [11, 12, 7] {
            assert_eq!(game.try_play(Move::new(index)), Ok(()));
        }
        for index in 0..Move::LIMIT {
            assert_eq!(game.check(Move::new(index)), Err(IllegalMove::GameOver));
        }
    }
    check(array(3));
    check(words(3));
}

#[test]
fn no_move_number_makes_a_position_panic() {
    for size in 1..=20 {
        let game = array(size);
        let allowed = (0..Move::LIMIT).filter(|&index| game.check(Move::new(index)).is_ok());
        assert_eq!(allowed.count(), 2 * size as usize * (size as usize - 1));
        if size <= 8 {
            for index in 0..Move::LIMIT {
                let mv = Move::new(index);
                assert_eq!(words(size).check(mv), game.check(mv));
            }
        }
    }
}

#[test]
fn sizes_that_do_not_fit_are_refused() {
    let out_of_range = SpecError::OutOfRange { what: "size", max: 20 };
    assert_eq!(Bricks::<400>::new(0), Err(out_of_range));
    assert_eq!(Bricks::<400>::new(21), Err(out_of_range));
    assert_eq!(Bricks::<121>::new(12), Err(SpecError::TooLarge { capacity: 121 }));
    assert_eq!(BricksSmall::new(0), Err(out_of_range));
    assert_eq!(BricksSmall::new(9), Err(SpecError::TooLarge { capacity: 64 }));
    assert_eq!(BricksSmall::new(255), Err(out_of_range));
    assert_eq!(Bricks::<121>::new(11).map(|game| game.spec()), Ok(GameSpec::Bricks { size: 11 }));
}

#[test]
fn a_board_without_room_for_a_brick_is_a_draw_at_once() {
    fn check(game: &impl Game) {
        assert_eq!((game.outcome(), game.final_score()), (Some(Outcome::Draw), Some(0)));
        assert_eq!(game.bounds(-1, 1, Effort::Thorough), (0, 0));
        assert_eq!(game.check(Move::new(0)), Err(IllegalMove::GameOver));
    }
    check(&array(1));
    check(&words(1));
    assert_eq!(words(1).holdings(Side::First), Holdings::default());
}
