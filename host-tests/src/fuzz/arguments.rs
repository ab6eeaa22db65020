//! Arguments that a command may mean: good ones, and ones at the edge.

use super::script::Script;

const GAMES: &[&str] = &[
    "mnk:3x3x3",
    "connect:6x7x4",
    "bricks:4",
    "mnk:6x6x4",
    "mnk:15x15x5",
    "mnk:8x8x5:exact",
    "mnk:9x9x5:exact",
    "connect:12x12x5",
    "connect:4x4x4",
    "bricks:8",
    "bricks:1",
    "mnk:1x1x1",
    "mnk:3x3x1",
    "mnk:4x4x2",
    "mnk:2x2x9999",
    "connect:1x9x2",
    "mnk:70x70x5",
    "connect:100x100x9",
    "bricks:20",
    "chess",
    "mnk:0x0x0",
];

const PLAYERS: &[&str] = &[
    "",
    "tavola",
    "tavola:level=0",
    "tavola:level=5",
    "tavola:level=10",
    "oneply",
    "random",
    "competitive",
    "aipvs",
    "cadrega",
    "lavahound",
    "minimax",
    "alphabeta",
    "scorer1",
    "scorer2",
    "scorer3:1,2",
    "scorer4:1,2,3",
    "scorer4:4294967295,4294967295,4294967295",
    "jfin1:2,1,1",
    "jfin2:2,4,1,1",
    "jfin3:2,1,1",
    "jfin4:2,1,1,1",
    "jfin5:30,4,11,5,1,2",
    "jfin5:4294967295,4294967295,4294967295,1,1,1",
    "RANDOM:",
    "a name that is longer than any player has, by far *00",
];

const KEYS: &[&str] = &[
    "timeout_turn",
    "timeout_match",
    "time_left",
    "max_memory",
    "rule",
    "max_node",
    "max_depth",
    "seed",
    "folder",
    "evaluate",
    "game_type",
];

const NUMBERS: &[&str] = &[
    "0",
    "1",
    "5",
    "100",
    "-1",
    "2",
    "15",
    "4096",
    "65535",
    "2147483647",
    "4294967296",
    "9223372036854775807",
    "-9223372036854775808",
    "99999999999999999999",
    "",
    "x",
    "0.5",
    "+1",
];

/// What may stand behind the name of a command.
pub fn arguments(name: &str, script: &mut Script<'_>) -> String {
    // Now and then something that belongs elsewhere.
    let name = if script.below(16) == 15 { script.pick(&["NEW", "TURN", "INFO"]) } else { name };
    match name {
        "NEW" => script.pick(GAMES).to_string(),
        "TURN" | "PLAY" | "TAKEBACK" => a_move(script),
        "MOVE" => {
            let count = script.below(6);
            (0..count).map(|_| a_move(script)).collect::<Vec<_>>().join(" ")
        }
        "PLAYER" => script.pick(PLAYERS).to_string(),
        "INFO" => format!("{} {}", script.pick(KEYS), script.pick(NUMBERS)),
        "LEVEL" | "CLOCK" | "BENCH" | "START" => script.pick(NUMBERS).to_string(),
        "RECTSTART" => format!("{},{}", script.below(20), script.below(20)),
        "CHECK" => script.pick(&["ON", "OFF", "on", "maybe"]).to_string(),
        "HELP" => script.pick(&["", "HELP", "info", "*"]).to_string(),
        "LOAD" => script.pick(LOADS).to_string(),
        _ => String::new(),
    }
}

const LOADS: &[&str] = &[
    "",
    "1 mnk:3x3x3",
    "1 connect:6x7x4 player=tavola engine=none clocks=0,0 moves=3 3 3 3",
    "1 connect:6x7x4 player=tavola engine=none clocks=0,0 moves=3 6 6 6 crc=00000000",
    "1 mnk:3x3x3 player=tavola engine=first clocks=1,2 moves=18446744073709551615 1,1 0,0",
    "2 x",
];

/// A move of some game, on the board or beside it.
pub fn a_move(script: &mut Script<'_>) -> String {
    let (x, y) = (script.below(18), script.below(18));
    match script.below(5) {
        0 | 1 => format!("{x},{y}"),
        2 => format!("{x}"),
        3 => format!("{x},{y},h"),
        _ => format!("{x},{y},v"),
    }
}

/// A line of a `BOARD`.
pub fn a_stone(script: &mut Script<'_>) -> String {
    let (x, y, owner) = (script.below(8), script.below(8), script.below(5));
    if owner == 0 { format!("{x},{y}") } else { format!("{x},{y},{owner}") }
}
