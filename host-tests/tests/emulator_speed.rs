//! The speed of the search on the chip, in instructions: the same on every PC.
//!
//! Under `-icount shift=0` an instruction takes 1 ns of the guest's time, so `BENCH` counts
//! instructions: those of the search, and the few that the display and the timer take meanwhile.
#![cfg(unix)]

use host::link::emulator::{Options, Pace};
use host_tests::uart_endpoint::{UartEndpoint, number_in};

const COUNTING: Options = Options {
    pace: Pace::Instructions { shift: 0, skip_idle: false },
    window: false,
    stepped: false,
};

/// Growth that fails the test, in percent.
const TOLERANCE: u64 = 5;

/// A position, the nodes to search, and the instructions per node that were measured last.
struct Record {
    game: &'static str,
    moves: &'static str,
    nodes: u64,
    per_node: u64,
}

/// The last measurements. If a change is worth its price, or made the search faster, put here what
/// the test prints.
const RECORDS: [Record; 8] = [
    Record { game: "mnk:3x3x3", moves: "", nodes: 500, per_node: 15_850 },
    Record { game: "mnk:15x15x5", moves: "7,7 8,8 7,8 8,7", nodes: 2_000, per_node: 31_000 },
    Record { game: "mnk:70x70x5", moves: "35,35 36,36", nodes: 500, per_node: 14_040 },
    Record { game: "connect:6x7x4", moves: "3 3", nodes: 5_000, per_node: 5_870 },
    Record { game: "connect:10x10x5", moves: "5 5", nodes: 2_000, per_node: 5_790 },
    Record { game: "connect:100x100x4", moves: "50 50", nodes: 500, per_node: 8_950 },
    Record { game: "bricks:8", moves: "", nodes: 1_000, per_node: 31_860 },
    Record { game: "bricks:20", moves: "", nodes: 200, per_node: 12_500 },
];

/// Nodes that were searched, and instructions per node.
fn measure(board: &mut UartEndpoint, record: &Record) -> (u64, u64) {
    board.obey(&format!("NEW {}", record.game));
    if !record.moves.is_empty() {
        board.obey(&format!("MOVE {}", record.moves));
    }
    let answer = board.ask(&format!("BENCH {}", record.nodes));
    let number = |key| number_in(&answer, key).unwrap_or_else(|| panic!("{answer}"));
    let (nodes, us) = (number("nodes"), number("us"));
    (nodes, us * 1_000 / nodes.max(1))
}

#[test]
fn the_search_takes_no_more_instructions_than_it_did() {
    let Some((mut board, _)) = UartEndpoint::boot(COUNTING) else { return };
    println!("| position | nodes | instructions per node | recorded |");
    println!("| --- | --- | --- | --- |");
    let mut slower = Vec::new();
    for record in &RECORDS {
        let Record { game, moves, per_node: recorded, .. } = record;
        let (nodes, per_node) = measure(&mut board, record);
        println!("| `{game}` {moves} | {nodes} | {per_node} | {recorded} |");
        if per_node * 100 > recorded * (100 + TOLERANCE) {
            slower.push(format!("{game}: {per_node} instructions per node, recorded {recorded}"));
        }
        // The same again: what differs is only when the display draws.
        let (again, second) = measure(&mut board, record);
        assert_eq!(again, nodes, "{game}");
        assert!(second.abs_diff(per_node) * 100 <= per_node, "{game}: {per_node}, then {second}");
    }
    assert!(
        slower.is_empty(),
        "more than {TOLERANCE} % slower than recorded (if it must be, change RECORDS):\n{}",
        slower.join("\n")
    );
}
