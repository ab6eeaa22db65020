//! All games, forwards and backwards, against fresh boards and references.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| host_tests::fuzz::games(data));
