//! The board thinks what a PC thinks: with the same limit of nodes the same move, value and number of
//! nodes, for positions of all games.
#![cfg(unix)]

use engine::spec::GameSpec;
use host::judge::random_opening;
use host_tests::endpoint::SessionEndpoint;
use host_tests::scenario::Endpoint;
use host_tests::uart_endpoint::{EXACT, UartEndpoint, number_in};

/// Boards of every size, by both layouts.
const GAMES: [&str; 15] = [
    "mnk:3x3x3",
    "mnk:6x5x4",
    "mnk:7x7x5",
    "mnk:10x10x5",
    "mnk:15x15x5",
    "mnk:20x20x6",
    "mnk:70x70x10",
    "connect:6x7x4",
    "connect:7x8x4",
    "connect:10x10x5",
    "connect:100x100x30",
    "bricks:4",
    "bricks:8",
    "bricks:11",
    "bricks:20",
];
const POSITIONS: usize = 50;
const NODES: u64 = 300;
/// The same for both, whatever the board has beside a game.
const MEMORY: u64 = 4 << 10;

/// What somebody who is told these lines says to the last of them.
fn ask(endpoint: &mut impl Endpoint, line: &str) -> String {
    endpoint.send(format!("{line}\r\n").as_bytes()).unwrap_or_else(|why| panic!("{line}: {why}"));
    endpoint.line().unwrap_or_else(|why| panic!("{line}: {why}"))
}

/// The evaluation of a position, the move for it, and all nodes so far.
fn opinion(endpoint: &mut impl Endpoint, game: &str, moves: &str) -> [String; 3] {
    assert_eq!(ask(endpoint, &format!("NEW {game}")), "OK");
    if !moves.is_empty() {
        assert_eq!(ask(endpoint, &format!("MOVE {moves}")), "OK", "{game} {moves}");
    }
    let value = ask(endpoint, "EVAL");
    let suggestion = ask(endpoint, "HINT");
    let nodes = number_in(&ask(endpoint, "STATS"), "nodes").expect("a number of nodes");
    [value, suggestion, nodes.to_string()]
}

#[test]
fn the_board_thinks_what_a_pc_thinks() {
    let Some((mut board, _)) = UartEndpoint::boot(EXACT) else { return };
    let mut pc = SessionEndpoint::new();
    for (key, value) in [("max_node", NODES), ("max_memory", MEMORY), ("timeout_turn", 600_000)] {
        let line = format!("INFO {key} {value}\r\n");
        board.send(line.as_bytes()).expect("sent");
        pc.send(line.as_bytes()).expect("sent");
    }
    for n in 0..POSITIONS {
        let game = GAMES[n % GAMES.len()];
        let spec: GameSpec = game.parse().expect("a game");
        let plies = (n / GAMES.len() * 5 + n % 4).min(spec.cells() / 4);
        let opening = random_opening(spec, plies, n as u64).expect("an opening");
        let moves: Vec<String> = opening.iter().map(|&mv| spec.show_move(mv).to_string()).collect();
        let moves = moves.join(" ");
        assert_eq!(
            opinion(&mut board, game, &moves),
            opinion(&mut pc, game, &moves),
            "{game} {moves}"
        );
    }
}
