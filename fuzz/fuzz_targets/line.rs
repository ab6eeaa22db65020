//! Arbitrary bytes to lines.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| host_tests::fuzz::line_assembler(data));
