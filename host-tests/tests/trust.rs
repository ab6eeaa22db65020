//! The serial line is a trust boundary: whatever is sent, nothing but the game can be read or
//! changed, and no saved line or set-up position leads to a game that play could not reach.

use engine::game::Game;
use engine::protocol::command::COMMANDS;
use engine::session::crc::Crc32;
use engine::session::memory::Memory;
use host_tests::talk::{self, Talk};

/// All commands, by what they may do. A new one has to be put somewhere.
const CHANGES_THE_GAME: &[&str] = &[
    "NEW",
    "TURN",
    "BEGIN",
    "SWAP",
    "MOVE",
    "UNDO",
    "REDO",
    "LOAD",
    "RESTART",
    "START",
    "RECTSTART",
    "BOARD",
    "YXBOARD",
    "SWAP2BOARD",
    "DONE",
    "TAKEBACK",
    "PLAY",
];
const TELLS_ABOUT_THE_GAME: &[&str] = &[
    "HINT", "SHOW", "MOVES", "EVAL", "SAVE", "STATS", "BENCH", "VERSION", "ABOUT", "HELP", "PING",
];
const CHANGES_SETTINGS: &[&str] =
    &["LEVEL", "PLAYER", "CLOCK", "STOP", "YXSTOP", "CHECK", "HUMAN", "MACHINE", "INFO", "END"];

#[test]
fn there_are_no_commands_but_those_of_the_game() {
    let known = [CHANGES_THE_GAME, TELLS_ABOUT_THE_GAME, CHANGES_SETTINGS].concat();
    for command in COMMANDS {
        assert!(known.contains(&command.name), "{}: what may it do?", command.name);
    }
    for name in known {
        assert!(COMMANDS.iter().any(|command| command.name == name), "{name} is gone");
    }
}

/// What can be seen of a session.
fn state<M: Memory>(talk: &mut Talk<'_, M>) -> (String, Vec<String>, String) {
    (talk.ask_one("SAVE"), talk.ask("SHOW"), talk.ask_one("PLAYER"))
}

#[test]
fn words_that_look_into_memory_or_break_things_are_no_commands() {
    talk::hold("connect:6x7x4", |talk| {
        talk.ask_one("MOVE 3 3 2");
        let before = state(talk);
        for word in [
            "PEEK",
            "POKE",
            "READ",
            "WRITE",
            "DUMP",
            "MEMORY",
            "ERASE",
            "FLASH",
            "RESET",
            "REBOOT",
            "EXEC",
            "SHELL",
            "DEBUG",
            "TEST",
            "BOOT",
            "DFU",
            "GO",
            "JUMP",
            "SEAL",
            "KEY",
            // The commands that test builds of the firmware have.
            "PANIC",
            "FAULT",
            "OVERFLOW",
            "HANG",
            "HANG search",
        ] {
            for arguments in ["", " 0", " 0x20000000", " 0x08000000 64", " ../../etc"] {
                let answer = talk.ask_one(&format!("{word}{arguments}"));
                assert!(answer.starts_with("UNKNOWN "), "{word}{arguments}: {answer}");
            }
        }
        assert_eq!(state(talk), before);
    });
}

#[test]
fn commands_that_only_tell_change_nothing() {
    talk::hold("mnk:6x6x4", |talk| {
        talk.patience = 50;
        talk.ask_one("MOVE 1,1 2,2 3,3");
        let before = state(talk);
        for name in TELLS_ABOUT_THE_GAME {
            for argument in ["", " 1", " 0,0", " -1", " 99999999999999999999", " NEW"] {
                talk.ask(&format!("{name}{argument}"));
                assert_eq!(state(talk), before, "{name}{argument}");
            }
        }
    });
}

/// A saved game with its sum made right.
fn sealed(body: &str) -> String {
    let mut crc = Crc32::new();
    crc.add(body.as_bytes());
    format!("LOAD {body} crc={:08X}", crc.value())
}

#[test]
fn a_saved_line_cannot_bring_what_play_cannot_reach() {
    let header = "player=tavola engine=none clocks=0,0";
    talk::hold("mnk:6x6x4", |talk| {
        talk.ask_one("MOVE 1,1 2,2 3,3");
        let before = state(talk);
        for body in [
            // A move after the end of the game.
            format!("1 mnk:3x3x3 {header} moves=6 0,0 0,1 1,0 1,1 2,0 2,2"),
            format!("1 connect:4x4x3 {header} moves=6 0 1 0 1 0 2"),
            // A cell twice; a brick across another; a full column.
            format!("1 mnk:3x3x3 {header} moves=2 1,1 1,1"),
            format!("1 bricks:4 {header} moves=2 0,0,h 1,0,v"),
            format!("1 connect:2x2x2 {header} moves=3 0 0 0"),
            // Beside the board.
            format!("1 mnk:3x3x3 {header} moves=1 3,0"),
            format!("1 bricks:4 {header} moves=1 3,0,h"),
            format!("1 connect:2x2x2 {header} moves=1 2"),
            // Fewer or more moves than are told.
            format!("1 mnk:3x3x3 {header} moves=3 0,0 0,1"),
            format!("1 mnk:3x3x3 {header} moves=1 0,0 0,1"),
            format!("1 mnk:3x3x3 {header} moves=18446744073709551615 0,0"),
            format!("1 mnk:3x3x3 {header} moves=-1"),
            // Games and players that this session does not have.
            format!("1 mnk:70x70x5 {header} moves=0"),
            format!("1 mnk:0x3x3 {header} moves=0"),
            "1 mnk:3x3x3 player=lavahound engine=none clocks=0,0 moves=0".into(),
            "1 mnk:3x3x3 player=nobody engine=none clocks=0,0 moves=0".into(),
            "1 mnk:3x3x3 player=tavola:level=99 engine=none clocks=0,0 moves=0".into(),
            "1 mnk:3x3x3 player=tavola engine=both clocks=0,0 moves=0".into(),
            "1 mnk:3x3x3 player=tavola engine=none clocks=-1,0 moves=0".into(),
            format!("2 mnk:3x3x3 {header} moves=0"),
        ] {
            let answer = talk.ask_one(&sealed(&body));
            assert!(answer.starts_with("ERROR "), "{body}: {answer}");
            assert_eq!(state(talk), before, "{body}");
        }
        // With a good one the sum is what counts: the same without it is refused.
        let good = format!("1 mnk:3x3x3 {header} moves=2 0,0 1,1");
        assert!(talk.ask_one(&format!("LOAD {good} crc=00000000")).starts_with("ERROR "));
        assert_eq!(state(talk), before);
        assert_eq!(talk.ask_one(&sealed(&good)), "OK");
        assert_eq!(talk.ask_one("MOVES"), "MOVES 0,0 1,1");
    });
}

#[test]
fn absurd_clocks_of_a_saved_line_do_no_harm() {
    let body = "1 mnk:3x3x3 player=tavola engine=second \
                clocks=18446744073709551615,18446744073709551615 moves=0";
    talk::hold("mnk:6x6x4", |talk| {
        assert_eq!(talk.ask_one(&sealed(body)), "OK");
        talk.clock.pass_us(5_000_000);
        assert!(talk.ask_one("TURN 1,1").contains(','));
        assert!(talk.ask_one("CLOCK").starts_with("CLOCK "));
        assert_eq!(talk.ask_one("UNDO"), "OK");
        let saved = talk.ask_one("SAVE");
        assert_eq!(talk.ask_one(&saved), "OK");
    });
}

#[test]
fn a_position_that_cannot_be_reached_is_not_set_up() {
    talk::hold("mnk:6x6x3", |talk| {
        talk.ask_one("MOVE 5,5");
        for stones in [
            // Both sides have won.
            &["0,0,1", "1,0,1", "2,0,1", "0,2,2", "1,2,2", "2,2,2"][..],
            // More stones than turns; two on a cell; outside.
            &["0,0,1", "1,0,1"],
            &["0,0,2", "1,0,2", "3,3,2", "0,5,1"],
            &["0,0,1", "0,0,2"],
            &["6,0,1", "0,0,2"],
            &["0,0,3", "1,1,1"],
        ] {
            assert_eq!(talk.ask("YXBOARD"), [""; 0]);
            for stone in stones {
                assert_eq!(talk.ask(stone), [""; 0], "{stone}");
            }
            let answer = talk.ask_one("DONE");
            assert!(answer.starts_with("ERROR "), "{stones:?}: {answer}");
            assert_eq!(talk.ask_one("MOVES"), "MOVES 5,5", "{stones:?}");
            assert_eq!(talk.session.game().map(Game::ply), Some(1));
        }
    });
}
