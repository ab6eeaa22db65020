//! What QEMU and the board say to the host.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| host_tests::fuzz::harness(data));
