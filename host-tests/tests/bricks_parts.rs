//! What the parts of the evaluation and of the choice of moves in bricks are worth: games at equal
//! nodes between the search with all of them and the search without one. It takes minutes:
//!
//! ```text
//! cargo test -p host-tests bricks_parts:: -- --ignored --nocapture
//! ```

use engine::game::bricks::survey::{evaluate_without, generate_without, parts};
use engine::game::{Game, Outcome, Side, Tactics};
use engine::players::styled::{Style, Styled};
use engine::players::{Decision, Player, Tools};
use engine::score::Score;
use engine::search::ordering::MoveSink;
use engine::search::{Options, search};
use engine::spec::GameSpec;
use host::judge::{Judge, Pairing, random_opening};
use host::table_size::TableSize;

const GAMES: u64 = 200;
const OPENING_PLIES: usize = 4;
const NODES: &str = "2000 nodes";

/// The search without some parts.
struct Without(u32);

impl<G: Game> Style<G> for Without {
    fn evaluate(&self, game: &G) -> Score {
        evaluate_without(game, self.0)
    }

    fn generate(&self, game: &G, sink: &mut MoveSink<'_>) {
        generate_without(game, self.0, sink);
    }

    fn tactics(&self, _game: &G) -> Tactics {
        Tactics::Quiet
    }
}

impl Player for Without {
    fn decide<G: Game, const MOVES: usize>(
        &mut self,
        game: &mut G,
        tools: &mut Tools<'_, '_, MOVES>,
    ) -> Option<Decision> {
        let Tools { limits, clock, table, workspace } = tools;
        let mut view = Styled::new(game, self);
        let report = search(&mut view, limits, &Options::ALL, clock, table, workspace)?;
        Some(Decision::from(&report))
    }
}

/// Won, lost and the mean margin of the search with all parts.
fn compete(left_out: u32, spec: GameSpec) -> (u64, u64, f64) {
    let size = TableSize::from_bytes(64 << 10).expect("a size");
    let mut judge = Judge::new(NODES.parse().expect("a limit"), size).expect("memory");
    let (mut won, mut lost, mut margins) = (0, 0, 0.0);
    for game in 0..GAMES {
        let opening = random_opening(spec, OPENING_PLIES, game / 2).expect("an opening");
        let pairing = Pairing { spec, names: ["first", "second"], opening: &opening };
        let side = Side::at_ply(game as usize % 2);
        let (mut full, mut lame) = (Without(0), Without(left_out));
        let record = match side {
            Side::First => judge.play(&pairing, &mut full, &mut lame),
            Side::Second => judge.play(&pairing, &mut lame, &mut full),
        }
        .expect("a game");
        won += u64::from(record.outcome == Outcome::Win(side));
        lost += u64::from(record.outcome == Outcome::Win(side.other()));
        let margin = record.margin().expect("a margin").as_f64();
        margins += if side == Side::First { margin } else { -margin };
    }
    (won, lost, margins / GAMES as f64)
}

#[test]
#[ignore = "for docs/results.md: what the parts are worth"]
fn all_parts_against_all_but_one() {
    let spec: GameSpec = "bricks:11".parse().expect("a game");
    println!("{GAMES} games on {spec}, {NODES} per move; all parts against all but one");
    for (name, part) in parts::ALL {
        let (won, lost, mean) = compete(part, spec);
        println!("without {name:8} won {won:3}, lost {lost:3}, mean margin {mean:+.2}");
    }
}

#[test]
fn leaving_out_nothing_is_what_the_game_itself_does() {
    let spec: GameSpec = "bricks:11".parse().expect("a game");
    for seed in 0..40 {
        let opening = random_opening(spec, seed as usize, seed).expect("an opening");
        let mut position = Box::new(host::position::start(spec).expect("a board"));
        for mv in opening {
            position.try_play(mv).expect("legal");
        }
        assert_eq!(evaluate_without(&*position, 0), position.evaluate());
        let list = |generate: &dyn Fn(&mut MoveSink<'_>)| {
            let mut storage = [engine::search::ordering::Candidate::NONE; 256];
            let mut sink = MoveSink::new(&mut storage);
            generate(&mut sink);
            (sink.candidates().to_vec(), sink.is_selective())
        };
        assert_eq!(
            list(&|sink| generate_without(&*position, 0, sink)),
            list(&|sink| position.generate(sink))
        );
    }
}
