//! Arbitrary text as games and moves.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| host_tests::fuzz::game_spec(data));
