//! Every scenario file and every transcript of docs/protocol.md, held with the emulated board over
//! its UART. Each meets a board that was just switched on.
#![cfg(unix)]

use std::sync::Mutex;
use std::time::Duration;

use host_tests::board::start_paused;
use host_tests::scenario::{Endpoint, Scenario};
use host_tests::uart_endpoint::{BANNER, EXACT, UartEndpoint};

/// Boards at a time.
const BOARDS: usize = 2;

/// Holds one scenario with a fresh board.
fn hold(scenario: &Scenario) -> Result<(), String> {
    let (mut endpoint, banner) = UartEndpoint::boot(EXACT).ok_or("no board")?;
    if !banner.starts_with(BANNER) {
        return Err(format!("the banner is `{banner}`"));
    }
    scenario.run(&mut endpoint).map_err(|error| error.to_string())
}

#[test]
fn every_scenario_goes_as_written_over_the_uart() {
    // Builds the firmware and tells if there is no emulator.
    if start_paused(EXACT).is_none() {
        return;
    }
    let waiting = Mutex::new(Scenario::all());
    let count = waiting.lock().expect("not poisoned").len();
    let wrong = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..BOARDS {
            scope.spawn(|| {
                while let Some(scenario) = { waiting.lock().expect("not poisoned").pop() } {
                    if let Err(why) = hold(&scenario) {
                        wrong.lock().expect("not poisoned").push(why);
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().expect("not poisoned");
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_board_that_waits_lets_its_own_time_pass() {
    let Some((mut endpoint, _)) = UartEndpoint::boot(EXACT) else { return };
    let before = endpoint.emulator().virtual_time().expect("time");
    endpoint.wait(100).expect("waited");
    let after = endpoint.emulator().virtual_time().expect("time");
    assert!(after - before >= Duration::from_millis(100), "{before:?} {after:?}");
    assert_eq!(endpoint.rest(), "");
}
