//! A whole conversation with arbitrary job timings.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| host_tests::fuzz::session(data));
