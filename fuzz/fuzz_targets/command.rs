//! Arbitrary text to commands and replies.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| host_tests::fuzz::command_parser(data));
