//! What QEMU and a board say, as the host's harness reads it: arbitrary bytes do no harm.

use host::link::emulator::screen::Picture;
use host::link::emulator::{qmp, qtest};
use host::link::lines::LineBuffer;

use super::script::Script;
use crate::scenario::{Scenario, matches};
use crate::uart_endpoint::number_in;

/// The longest line of the buffer under test.
const LIMIT: usize = 100;

/// Reads bytes as everything that the harness reads.
///
/// # Panics
/// A line is longer than its limit or depends on how its bytes were cut, or a picture has other
/// pixels than its size says.
pub fn harness(data: &[u8]) {
    let mut whole = LineBuffer::new(LIMIT);
    whole.push(data);
    let mut pieces = LineBuffer::new(LIMIT);
    let mut script = Script::new(data);
    while !script.is_empty() {
        // The bytes that cut are carried too.
        let cut = 1 + usize::from(data[data.len() / 2]) % 7;
        pieces.push(script.bytes(cut));
    }
    assert_eq!(whole.rest(), pieces.rest());
    while let Some(line) = whole.pop() {
        assert_eq!(pieces.pop().as_deref(), Some(&line[..]));
        assert!(line.chars().count() <= LIMIT);
        if let Err(error) = qmp::parse(&line) {
            assert!(!error.is_empty());
        }
        if let Some(qtest::Line::Done(value)) = qtest::parse(&line) {
            let number = qtest::parse_number(&value);
            assert!(number.is_none() || value.starts_with("0x"), "{value}");
        }
        let _ = number_in(&line, "used");
        assert!(!line.contains('{') || line.len() > 60 || matches("{any}", &line));
    }
    assert_eq!(pieces.pop(), None);
    if let Ok(picture) = Picture::from_ppm(data) {
        let leds = picture.leds();
        assert!(leds.lit() <= 64 && picture.width() * picture.height() * 3 <= data.len());
    }
    let _ = Scenario::parse("fuzz", 1, &String::from_utf8_lossy(data)).map_err(|e| e.to_string());
}
