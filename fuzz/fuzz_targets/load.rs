//! Arbitrary words as a saved game.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| host_tests::fuzz::saved_game(data));
