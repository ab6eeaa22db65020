//! The guest's time, which QEMU has no command for.
//!
//! QEMU's capture of network packets stamps each with the guest's time. So a network is set up
//! that the guest knows nothing of: a packet sent into it is captured, then sent back (which tells
//! that it was captured), and the last stamp in the file is the time. The first reading, before
//! the guest runs, is its zero.
//!
//! ```text
//!  probe socket -> netdev -> filter-dump (file) -> filter-redirector -> echo socket
//! ```
//!
//! Times are in steps of 1 us. While the guest runs with `-icount`, QEMU publishes its time only
//! now and then, at the latest when a timer is due: pause it for an exact reading.

use std::ffi::OsString;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::error::EmulatorError;
use super::process::option_with_path;
use super::socket::{Listener, Socket};

/// The smallest packet that is one: two addresses, a type for experiments, and nothing.
const PACKET: [u8; 16] = {
    let mut packet = [0xff; 16];
    (packet[12], packet[13], packet[14], packet[15]) = (0x88, 0xb5, 0, 0);
    packet
};
/// Packets go over the sockets after their length.
const LENGTH: [u8; 4] = (PACKET.len() as u32).to_be_bytes();
/// The header of a record in the file: seconds, microseconds and two lengths.
const HEADER: usize = 16;

/// The sockets before QEMU has come to them.
#[derive(Debug)]
pub(super) struct ClockPlan {
    probe: Listener,
    echo: Listener,
    file: PathBuf,
}

impl ClockPlan {
    pub(super) fn new(folder: &Path) -> Result<ClockPlan, EmulatorError> {
        Ok(ClockPlan {
            probe: Listener::new(folder, "clock")?,
            echo: Listener::new(folder, "clock-echo")?,
            file: folder.join("clock.pcap"),
        })
    }

    /// What QEMU is to be told.
    pub(super) fn arguments(&self) -> Vec<OsString> {
        let stream = "stream,id=clock,server=off,addr.type=unix,addr.path=";
        let dump = "filter-dump,id=clock-dump,netdev=clock,queue=tx,maxlen=64,file=";
        let end = "filter-redirector,id=clock-end,netdev=clock,queue=tx,outdev=clock-echo";
        vec![
            "-netdev".into(),
            option_with_path(stream, self.probe.path()),
            "-netdev".into(),
            "hubport,id=clock-hub,hubid=0,netdev=clock".into(),
            "-chardev".into(),
            option_with_path("socket,id=clock-echo,path=", self.echo.path()),
            "-object".into(),
            option_with_path(dump, &self.file),
            "-object".into(),
            end.into(),
        ]
    }

    /// The listeners, in the order in which [`VirtualClock::new`] takes their sockets.
    pub(super) fn listeners(&self) -> [&Listener; 2] {
        [&self.probe, &self.echo]
    }
}

/// The guest's clock.
#[derive(Debug)]
pub(super) struct VirtualClock {
    probe: Socket,
    echo: Socket,
    file: PathBuf,
    zero: Duration,
}

impl VirtualClock {
    /// A clock whose zero is now.
    pub(super) fn new(
        plan: &ClockPlan,
        [probe, echo]: [Socket; 2],
        timeout: Duration,
    ) -> Result<VirtualClock, EmulatorError> {
        let file = plan.file.clone();
        let mut clock = VirtualClock { probe, echo, file, zero: Duration::ZERO };
        clock.zero = clock.stamp(timeout)?;
        Ok(clock)
    }

    /// The guest's time since the clock's zero.
    pub(super) fn now(&mut self, timeout: Duration) -> Result<Duration, EmulatorError> {
        Ok(self.stamp(timeout)?.saturating_sub(self.zero))
    }

    fn stamp(&mut self, timeout: Duration) -> Result<Duration, EmulatorError> {
        self.probe.write_all(&[&LENGTH[..], &PACKET].concat())?;
        let deadline = Instant::now() + timeout;
        let mut missing = LENGTH.len() + PACKET.len();
        while missing > 0 {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(EmulatorError::Timeout("the clock".into()));
            }
            let mut buffer = [0; LENGTH.len() + PACKET.len()];
            missing -= self.echo.read(&mut buffer[..missing], left)?;
        }
        let failed = |error| EmulatorError::System("the clock".into(), error);
        let mut file = File::open(&self.file).map_err(failed)?;
        let mut record = [0; HEADER + PACKET.len()];
        file.seek(SeekFrom::End(-(record.len() as i64))).map_err(failed)?;
        file.read_exact(&mut record).map_err(failed)?;
        stamp_of(&record)
            .ok_or_else(|| EmulatorError::protocol("the clock", "the capture is damaged"))
    }
}

/// The stamp of a captured [`PACKET`], `None` if it is not one.
fn stamp_of(record: &[u8; HEADER + PACKET.len()]) -> Option<Duration> {
    let (header, packet) = record.split_at(HEADER);
    // QEMU writes the numbers as the machine has them.
    let word =
        |index: usize| header[4 * index..].first_chunk().map(|bytes| u32::from_ne_bytes(*bytes));
    let length = PACKET.len() as u32;
    if packet != PACKET || word(2)? != length || word(3)? != length || word(1)? >= 1_000_000 {
        return None;
    }
    Some(Duration::new(word(0)?.into(), word(1)? * 1_000))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(words: [u32; 4]) -> [u8; HEADER + PACKET.len()] {
        let mut record = [0; HEADER + PACKET.len()];
        for (index, word) in words.into_iter().enumerate() {
            record[4 * index..4 * index + 4].copy_from_slice(&word.to_ne_bytes());
        }
        record[HEADER..].copy_from_slice(&PACKET);
        record
    }

    #[test]
    fn stamps_are_seconds_and_microseconds() {
        let expected = Duration::from_micros(7_000_123);
        assert_eq!(stamp_of(&record([7, 123, 16, 16])), Some(expected));
    }

    #[test]
    fn a_record_that_is_not_ours_is_refused() {
        assert_eq!(stamp_of(&record([7, 1_000_000, 16, 16])), None);
        assert_eq!(stamp_of(&record([7, 1, 15, 16])), None);
        let mut other = record([7, 1, 16, 16]);
        other[HEADER] = 0;
        assert_eq!(stamp_of(&other), None);
    }
}
