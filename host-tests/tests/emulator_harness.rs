//! The harness around the emulated board: what a test may rely on, whatever the firmware does.
#![cfg(unix)]

use std::time::{Duration, Instant};

use clap::Parser;
use host::cli::Cli;
use host::failure::Status;
use host::link::Link;
use host::link::emulator::{Emulator, Options, Pace};
use host_tests::board::{self, PATIENCE, next_line, start, start_paused};

const COUNTED: Options = Options {
    pace: Pace::Instructions { shift: 4, skip_idle: false },
    window: false,
    stepped: false,
};

/// Waits until something holds that the guest brings about.
#[track_caller]
fn wait_until(emulator: &mut Emulator, mut holds: impl FnMut(&mut Emulator) -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !holds(emulator) {
        assert!(Instant::now() < deadline, "it did not happen");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn the_board_speaks_when_it_starts_and_again_after_a_reset() {
    let Some((mut emulator, banner)) = start(Options::default()) else { return };
    assert!(!banner.is_empty());
    assert!(emulator.qemu_version() >= (9, 1));
    emulator.reset().expect("reset");
    let deadline = Instant::now() + PATIENCE;
    while next_line(&mut emulator).expect("a line") != banner {
        assert!(Instant::now() < deadline, "the banner does not come again");
    }
}

#[test]
fn time_stands_still_before_the_start_and_in_a_pause() {
    let Some(mut emulator) = start_paused(COUNTED) else { return };
    assert_eq!(emulator.virtual_time().expect("time"), Duration::ZERO);
    assert_eq!(emulator.instructions().expect("a count"), 0);
    emulator.resume().expect("resume");
    next_line(&mut emulator).expect("the banner");
    emulator.pause().expect("pause");
    let time = emulator.virtual_time().expect("time");
    let instructions = emulator.instructions().expect("a count");
    assert!(time > Duration::ZERO && instructions > 0);
    // An instruction takes 16 ns; what the guest sleeps through comes on top.
    assert!(time >= Duration::from_micros(instructions * 16 / 1000), "{time:?} {instructions}");
    assert_eq!(emulator.virtual_time().expect("time"), time);
    assert_eq!(emulator.instructions().expect("a count"), instructions);
    emulator.resume().expect("resume");
    wait_until(&mut emulator, |emulator| emulator.virtual_time().expect("time") > time);
}

#[test]
fn a_paused_board_is_mute_and_has_forgotten_nothing() {
    let Some(mut emulator) = start_paused(Options::default()) else { return };
    let mut byte = [0];
    assert_eq!(emulator.uart().read(&mut byte, Duration::ZERO).expect("silence"), 0);
    emulator.resume().expect("resume");
    assert!(!next_line(&mut emulator).expect("the banner").is_empty());
}

#[test]
fn the_matrix_can_be_looked_at() {
    let Some((mut emulator, _)) = start(Options::default()) else { return };
    let picture = emulator.picture().expect("a picture");
    assert_eq!((picture.width(), picture.height()), (800, 800));
    assert_eq!(emulator.screen().expect("a screen").to_string().lines().count(), 8);
}

#[test]
fn the_command_takes_a_picture_of_the_matrix() {
    if start_paused(Options::default()).is_none() {
        return;
    }
    let firmware = board::firmware().expect("it was started");
    let file = std::env::temp_dir().join(format!("tavola-matrix-{}.png", std::process::id()));
    let (firmware, name) = (firmware.to_str().expect("text"), file.to_str().expect("text"));
    let arguments = ["tavola", "emulate", "--headless", "--icount", "--firmware", firmware];
    let cli = Cli::try_parse_from([&arguments[..], &["--screenshot", name]].concat());
    let mut out = Vec::new();
    let status = cli.expect("a command line").command.run(&mut out);
    assert_eq!(status.expect("a picture"), Status::Done);
    assert_eq!(String::from_utf8_lossy(&out), format!("{name}: 800 x 800 pixels\n"));
    let picture = std::fs::read(&file).expect("a file");
    assert!(picture.starts_with(b"\x89PNG"));
    std::fs::remove_file(&file).expect("removed");
}

#[test]
fn the_button_can_be_pressed_and_stays_so_over_a_reset() {
    let Some((mut emulator, _)) = start(Options::default()) else { return };
    /// The input register of the button's port.
    const INPUT: u32 = 0x4800_0810;
    let level = |emulator: &mut Emulator| emulator.read_word(INPUT).expect("a word") >> 13 & 1;
    assert_eq!(level(&mut emulator), 1);
    emulator.press_button().expect("pressed");
    assert_eq!(level(&mut emulator), 0);
    emulator.reset().expect("reset");
    next_line(&mut emulator).expect("a line");
    assert_eq!(level(&mut emulator), 0);
    emulator.release_button().expect("released");
    assert_eq!(level(&mut emulator), 1);
}

#[test]
fn a_board_in_steps_runs_for_the_time_it_is_given_and_no_longer() {
    let pace = Pace::Instructions { shift: 4, skip_idle: true };
    let Some(mut emulator) = start_paused(Options { pace, stepped: true, ..COUNTED }) else {
        return;
    };
    assert_eq!(emulator.virtual_time().expect("time"), Duration::ZERO);
    for reset in [false, true] {
        if reset {
            emulator.reset().expect("reset");
        }
        // The first step includes the start, before the timer runs.
        emulator.run_for(Duration::from_millis(100)).expect("a step");
        for milliseconds in [1, 10, 250] {
            let time = Duration::from_millis(milliseconds);
            let before = emulator.virtual_time().expect("time");
            emulator.run_for(time).expect("a step");
            let after = emulator.virtual_time().expect("time");
            // The timer's interrupt may have to wait for a moment.
            let wrong = (after - before).abs_diff(time);
            assert!(wrong < Duration::from_micros(100), "{milliseconds} ms: {:?}", after - before);
            assert_eq!(emulator.virtual_time().expect("time"), after);
        }
        assert!(!next_line(&mut emulator).expect("the banner").is_empty());
    }
}

#[test]
fn a_board_that_runs_by_itself_has_no_steps() {
    let Some(mut emulator) = start_paused(Options::default()) else { return };
    let error = emulator.run_for(Duration::from_millis(1)).expect_err("no steps");
    assert!(error.to_string().contains("not run in steps"), "{error}");
}

#[test]
fn several_boards_run_side_by_side() {
    let Some((mut one, banner)) = start(Options::default()) else { return };
    let Some((mut two, same)) = start(Options::default()) else { return };
    assert_eq!(banner, same);
    one.pause().expect("pause");
    two.pause().expect("pause");
    drop(one);
    two.resume().expect("the other one still runs");
}

#[test]
fn a_firmware_that_is_none_ends_with_qemus_reason() {
    let Some(emulator) = start_paused(Options::default()) else { return };
    drop(emulator);
    let file = std::env::temp_dir().join(format!("tavola-no-firmware-{}", std::process::id()));
    std::fs::write(&file, "no firmware").expect("a file");
    let result = Emulator::start(&file, Options::default());
    let error = result.and_then(|mut emulator| {
        // QEMU takes it for code and gives up when it runs it.
        let result = emulator.uart().read_line(PATIENCE);
        emulator.explain(result)
    });
    std::fs::remove_file(&file).expect("removed");
    let text = error.expect_err("it cannot run").to_string();
    assert!(text.starts_with("QEMU ended: ") && !text.contains('\n'), "{text}");
}

#[test]
fn the_firmware_is_built_once() {
    if start_paused(Options::default()).is_some() {
        assert_eq!(board::firmware(), board::firmware());
    }
}
