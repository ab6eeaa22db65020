//! Memory that a reset keeps: what went wrong last, and the game in progress.
//!
//! It lies in a region that start-up code leaves alone, at an address that the memory map fixes.
//! After power-up it holds noise, so everything in it is sealed by a checksum; whatever does not
//! fit its seal is as good as empty.

use core::fmt::{self, Write};
use core::mem::MaybeUninit;
use core::sync::atomic::{AtomicBool, Ordering};

use engine::session::journal::{Journal as _, MAX_HEADER};

use crate::board::JOURNAL_BYTES;
use crate::crc::Crc;

/// The longest text of an incident; more is cut off.
pub const INCIDENT_TEXT: usize = 96;

/// What stopped the firmware.
#[derive(Clone, Copy, PartialEq, Eq, defmt::Format)]
#[repr(u32)]
pub enum Kind {
    /// A panic; the text has place and message.
    Panic = 1,
    /// The processor met something that it cannot do.
    HardFault = 2,
    /// The stack ran into its lower end.
    StackOverflow = 3,
    /// An interrupt without a handler; its number is the detail.
    Interrupt = 4,
    /// A part of the firmware stopped checking in with the watchdog; the text says which.
    Hang = 5,
}

impl Kind {
    fn from_number(number: u32) -> Option<Kind> {
        [Kind::Panic, Kind::HardFault, Kind::StackOverflow, Kind::Interrupt, Kind::Hang]
            .into_iter()
            .find(|&kind| kind as u32 == number)
    }
}

/// Something that went wrong before a reset.
#[derive(Clone)]
pub struct Incident {
    /// What.
    pub kind: Kind,
    /// Where: the address of the instruction, or 0 if it is not known.
    pub pc: u32,
    /// The fault status register, or the interrupt's number.
    pub detail: u32,
    /// The address that was touched, or 0.
    pub address: u32,
    /// More about it.
    pub text: heapless::String<INCIDENT_TEXT>,
}

impl fmt::Display for Incident {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.kind {
            Kind::Panic => "panic",
            Kind::HardFault => "hard fault",
            Kind::StackOverflow => "stack overflow",
            Kind::Interrupt => "unexpected interrupt",
            Kind::Hang => "hang",
        })?;
        if self.pc != 0 {
            write!(f, " at {:#010x}", self.pc)?;
        }
        if self.detail != 0 {
            write!(f, ", status {:#x}", self.detail)?;
        }
        if self.address != 0 {
            write!(f, ", address {:#010x}", self.address)?;
        }
        if !self.text.is_empty() {
            write!(f, ": {}", self.text)?;
        }
        Ok(())
    }
}

/// An incident as it is stored: numbers only, so that any noise is a value.
#[repr(C)]
struct Record {
    kind: u32,
    pc: u32,
    detail: u32,
    address: u32,
    length: u32,
    text: [u8; INCIDENT_TEXT],
    seal: u32,
}

impl Record {
    fn checksum(&self) -> u32 {
        Crc::new()
            .add_words(&[self.kind, self.pc, self.detail, self.address, self.length])
            .add(&self.text)
            .value()
    }

    fn read(&self) -> Option<Incident> {
        if self.seal != self.checksum() {
            return None;
        }
        let text = self.text.get(..self.length as usize)?;
        Some(Incident {
            kind: Kind::from_number(self.kind)?,
            pc: self.pc,
            detail: self.detail,
            address: self.address,
            text: core::str::from_utf8(text).ok()?.try_into().ok()?,
        })
    }
}

/// One of the two heads of a journal.
#[repr(C)]
#[derive(Clone, Copy)]
struct Head {
    /// Counts the changes; the head with the later number is the one that counts.
    number: u32,
    /// Bytes of moves.
    length: u32,
    /// Of the first `length` bytes.
    crc: u32,
    /// Bytes of the header.
    header_length: u32,
    /// The header's text.
    header: [u8; MAX_HEADER],
    /// Of all above.
    seal: u32,
}

impl Head {
    const fn is_later_than(&self, other: &Head) -> bool {
        (self.number.wrapping_sub(other.number) as i32) > 0
    }

    fn checksum(&self) -> u32 {
        Crc::new()
            .add_words(&[self.number, self.length, self.crc, self.header_length])
            .add(&self.header)
            .value()
    }

    fn text(&self) -> Option<&str> {
        let bytes = self.header.get(..self.header_length as usize)?;
        core::str::from_utf8(bytes).ok().filter(|text| !text.is_empty())
    }
}

/// The game in progress, as the engine's session writes it.
///
/// A reset at any moment leaves the contents before or after a change, never a mixture: moves are
/// written behind the end first, and then one of two heads, in turns. Moves are written over only
/// after the cut before them is sealed in both heads.
#[repr(C)]
pub struct Journal {
    heads: [Head; 2],
    bytes: [u8; JOURNAL_BYTES],
}

impl Journal {
    /// Empties it.
    fn clear(&mut self) {
        self.seal("", 0);
        self.seal("", 0);
    }

    /// The head that counts.
    fn head(&self) -> Option<&Head> {
        let [first, second] = &self.heads;
        let valid =
            |head: &&Head| head.seal == head.checksum() && head.length as usize <= JOURNAL_BYTES;
        match (Some(first).filter(valid), Some(second).filter(valid)) {
            (Some(first), Some(second)) if second.is_later_than(first) => Some(second),
            (Some(first), _) => Some(first),
            (None, second) => second,
        }
    }

    /// Seals this header and the first `length` bytes.
    fn seal(&mut self, header: &str, length: usize) {
        let last = self.head().map(|head| (head.number, head.length as usize, head.crc));
        let number = last.map_or(0, |(number, ..)| number).wrapping_add(1);
        // What is new at the end is added to the sum; after a cut it is taken anew.
        let crc = match last {
            Some((_, old, crc)) if old <= length => {
                Crc::resume(crc).add(self.bytes.get(old..length).unwrap_or(&[]))
            }
            _ => Crc::new().add(self.bytes.get(..length).unwrap_or(&[])),
        };
        let mut text = [0; MAX_HEADER];
        let fits = header.len().min(MAX_HEADER);
        for (place, &byte) in text.iter_mut().zip(header.as_bytes()) {
            *place = byte;
        }
        let mut head = Head {
            number,
            length: length as u32,
            crc: crc.value(),
            header_length: fits as u32,
            header: text,
            seal: 0,
        };
        head.seal = head.checksum();
        // The moves must be in memory before the head that counts them.
        core::sync::atomic::compiler_fence(Ordering::SeqCst);
        // SAFETY: the reference is unique; volatile so that the write is neither moved nor dropped.
        unsafe { core::ptr::write_volatile(&raw mut self.heads[number as usize & 1], head) };
        core::sync::atomic::compiler_fence(Ordering::SeqCst);
    }
}

impl engine::session::journal::Journal for Journal {
    fn write(&mut self, header: &str, kept: usize, moves: &[u8]) -> bool {
        let length = self.head().map_or(0, |head| head.length as usize);
        let end = kept.saturating_add(moves.len());
        if kept > length || end > JOURNAL_BYTES || header.len() > MAX_HEADER {
            self.clear();
            return false;
        }
        if kept < length {
            // Twice, so that no head is left that counts bytes which may be written over.
            self.seal(header, kept);
            self.seal(header, kept);
        }
        for (place, &byte) in self.bytes.iter_mut().skip(kept).zip(moves) {
            *place = byte;
        }
        self.seal(header, end);
        true
    }

    fn read(&self) -> Option<(&str, &[u8])> {
        let head = self.head()?;
        let moves = self.bytes.get(..head.length as usize)?;
        let sound = Crc::new().add(moves).value() == head.crc;
        head.text().filter(|_| sound).map(|text| (text, moves))
    }
}

/// All that is kept.
#[repr(C)]
struct Retained {
    record: Record,
    journal: Journal,
}

/// Makes the linker check that there is room for it.
#[used]
#[unsafe(link_section = ".retained")]
static ROOM: [MaybeUninit<u64>; size_of::<Retained>().div_ceil(8)] =
    [MaybeUninit::uninit(); size_of::<Retained>().div_ceil(8)];

unsafe extern "C" {
    /// The start of the retained memory, from the memory map. A symbol of the linker, so that the
    /// compiler cannot think to know what is in it.
    static mut _retained: Retained;
}

/// Stores an incident, in place of an earlier one. For handlers that never return and for code
/// that holds off everything else: interrupts must be masked.
pub fn record(kind: Kind, pc: u32, detail: u32, address: u32, text: fmt::Arguments<'_>) {
    let start = &raw mut _retained;
    // SAFETY: interrupts are masked and there is one core, so nobody else uses the record; the
    // reference that `take` gives out is to the journal only.
    let record = unsafe { &mut (*start).record };
    let mut writer = Cut { text: &mut record.text, length: 0 };
    let _ = writer.write_fmt(text);
    let length = writer.length;
    record.text.iter_mut().skip(length).for_each(|byte| *byte = 0);
    record.length = length as u32;
    record.kind = kind as u32;
    record.pc = pc;
    record.detail = detail;
    record.address = address;
    record.seal = record.checksum();
}

/// As [`record`], but an incident that is there already stays, as it is closer to the cause.
#[cfg(feature = "emulator")]
pub fn record_if_none(kind: Kind, text: fmt::Arguments<'_>) {
    let start = &raw const _retained;
    // SAFETY: as in `record`.
    if unsafe { (*start).record.read() }.is_none() {
        record(kind, 0, 0, 0, text);
    }
}

/// What a reset kept: the incident before it, which is then forgotten, and the journal. After
/// power-up the memory holds noise and is emptied without being read (on chips with checked
/// memory, reading it first could fault).
///
/// # Panics
/// On the second call.
pub fn take(power_up: bool) -> (Option<Incident>, &'static mut Journal) {
    static TAKEN: AtomicBool = AtomicBool::new(false);
    assert!(!TAKEN.load(Ordering::Relaxed), "retained memory taken twice");
    TAKEN.store(true, Ordering::Relaxed);
    let start = &raw mut _retained;
    if power_up {
        // SAFETY: the memory is there, see ROOM, and not in use yet, see TAKEN.
        unsafe { start.write_bytes(0, 1) };
    }
    // SAFETY: as above; all fields are integers, for which any contents are valid.
    let (record, journal) = unsafe { (&mut (*start).record, &mut (*start).journal) };
    let incident = record.read();
    record.seal = !record.checksum();
    if journal.read().is_none() {
        journal.clear();
    }
    (incident, journal)
}

/// Text into a fixed buffer, cut off where it ends, at a whole character.
struct Cut<'a> {
    text: &'a mut [u8],
    length: usize,
}

impl Write for Cut<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let room = self.text.len() - self.length;
        let mut fits = text.len().min(room);
        while !text.is_char_boundary(fits) {
            fits -= 1;
        }
        for (place, &byte) in self.text.iter_mut().skip(self.length).zip(&text.as_bytes()[..fits]) {
            *place = byte;
        }
        self.length += fits;
        if fits < text.len() { Err(fmt::Error) } else { Ok(()) }
    }
}
