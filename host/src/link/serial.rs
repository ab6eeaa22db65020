//! A board on a serial port, and how to find it.
//!
//! The boards' ST-LINK shows itself as a serial port ("virtual COM port") with known USB numbers,
//! by which [`find_board`] knows it. 115,200 baud, 8 data bits, no parity, 1 stop bit.

use std::io::{self, ErrorKind, Read, Write};
use std::time::Duration;

use serialport::{SerialPort, SerialPortInfo, SerialPortType, UsbPortInfo};

use super::{Link, LinkError};

/// Bits per second, as in docs/protocol.md.
pub const BAUD: u32 = 115_200;
/// The USB vendor number of STMicroelectronics.
const ST: u16 = 0x0483;
/// The product numbers of the ST-LINKs that have a serial port: V2-1 and V3.
const ST_LINKS: [u16; 6] = [0x374b, 0x374e, 0x374f, 0x3752, 0x3753, 0x3754];
/// A port that takes no bytes for so long takes none at all.
const WRITE_TIMEOUT: Duration = Duration::from_secs(5);
/// Bytes that go out at a time.
const PIECE: usize = 64;

/// A serial port.
pub struct SerialLink {
    name: String,
    port: Box<dyn SerialPort>,
}

impl SerialLink {
    /// Opens a port by its name, as `/dev/ttyACM0` or `COM3`.
    ///
    /// # Errors
    /// There is no such port, it is in use, or it may not be used; one line says what to do.
    pub fn open(name: &str) -> Result<SerialLink, String> {
        let port = serialport::new(name, BAUD)
            .timeout(WRITE_TIMEOUT)
            .open()
            .map_err(|error| explain(name, &error))?;
        Ok(SerialLink { name: name.into(), port })
    }

    fn error(&self, error: io::Error) -> LinkError {
        match error.kind() {
            ErrorKind::BrokenPipe | ErrorKind::NotConnected => LinkError::Closed(self.name.clone()),
            ErrorKind::TimedOut => LinkError::Stuck(self.name.clone()),
            _ => LinkError::System(self.name.clone(), error),
        }
    }
}

impl Link for SerialLink {
    fn name(&self) -> &str {
        &self.name
    }

    fn read(&mut self, buffer: &mut [u8], timeout: Duration) -> Result<usize, LinkError> {
        let set = self.port.set_timeout(timeout);
        set.map_err(|error| self.error(error.into()))?;
        match self.port.read(buffer) {
            Ok(0) => Err(LinkError::Closed(self.name.clone())),
            Ok(count) => Ok(count),
            Err(error) if matches!(error.kind(), ErrorKind::TimedOut | ErrorKind::Interrupted) => {
                Ok(0)
            }
            Err(error) => Err(self.error(error)),
        }
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), LinkError> {
        let set = self.port.set_timeout(WRITE_TIMEOUT);
        set.map_err(|error| self.error(error.into()))?;
        for piece in bytes.chunks(PIECE) {
            self.port.write_all(piece).map_err(|error| self.error(error))?;
        }
        Ok(())
    }
}

/// One line that says why a port cannot be opened, and what to do.
fn explain(name: &str, error: &serialport::Error) -> String {
    let advice = match error.kind() {
        serialport::ErrorKind::Io(ErrorKind::PermissionDenied) => {
            "; join the group that owns it (dialout or uucp) and log in again".into()
        }
        serialport::ErrorKind::NoDevice | serialport::ErrorKind::Io(ErrorKind::NotFound) => {
            format!("; {}", ports_in_words(&ports()))
        }
        _ => String::new(),
    };
    format!("cannot open the serial port `{name}`: {error}{advice}")
}

/// The port of the one board that is connected.
///
/// # Errors
/// There is none, or there are several; one line lists the ports.
pub fn find_board() -> Result<String, String> {
    choose_board(&ports())
}

/// The ports of this machine. One that cannot be listed has none.
fn ports() -> Vec<SerialPortInfo> {
    serialport::available_ports().unwrap_or_default()
}

fn choose_board(ports: &[SerialPortInfo]) -> Result<String, String> {
    let boards: Vec<&str> = ports
        .iter()
        .filter(|port| usb(port).is_some_and(|usb| usb.vid == ST && ST_LINKS.contains(&usb.pid)))
        .map(|port| port.port_name.as_str())
        .collect();
    match boards[..] {
        [board] => Ok(board.to_string()),
        [] => Err(format!("no board found (no ST-LINK port); {}", ports_in_words(ports))),
        [..] => Err(format!("several boards found: give one of {} by --on", boards.join(", "))),
    }
}

const fn usb(port: &SerialPortInfo) -> Option<&UsbPortInfo> {
    match &port.port_type {
        SerialPortType::UsbPort(usb) => Some(usb),
        _ => None,
    }
}

fn ports_in_words(ports: &[SerialPortInfo]) -> String {
    if ports.is_empty() {
        return "this machine has no serial ports".into();
    }
    let word = |port: &SerialPortInfo| match usb(port) {
        Some(usb) => format!("{} (USB {:04x}:{:04x})", port.port_name, usb.vid, usb.pid),
        None => port.port_name.clone(),
    };
    format!("the serial ports are {}", ports.iter().map(word).collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn port(name: &str, numbers: Option<(u16, u16)>) -> SerialPortInfo {
        let port_type = match numbers {
            Some((vid, pid)) => SerialPortType::UsbPort(UsbPortInfo {
                vid,
                pid,
                serial_number: None,
                manufacturer: None,
                product: None,
            }),
            None => SerialPortType::Unknown,
        };
        SerialPortInfo { port_name: name.into(), port_type }
    }

    #[test]
    fn the_board_is_known_by_its_usb_numbers() {
        let other = port("/dev/ttyUSB0", Some((0x1a86, 0x7523)));
        let board = port("/dev/ttyACM0", Some((ST, 0x374b)));
        let second = port("/dev/ttyACM1", Some((ST, 0x374e)));
        assert_eq!(choose_board(&[other.clone(), board.clone()]), Ok("/dev/ttyACM0".into()));
        let error = choose_board(&[board, second]).expect_err("two");
        assert!(error.contains("/dev/ttyACM0, /dev/ttyACM1"), "{error}");
        let error = choose_board(&[other, port("/dev/ttyS0", None)]).expect_err("none");
        assert!(error.contains("/dev/ttyUSB0 (USB 1a86:7523), /dev/ttyS0"), "{error}");
        assert!(choose_board(&[]).expect_err("none").contains("no serial ports"));
    }

    #[test]
    fn a_port_that_is_not_there_is_refused_in_one_line() {
        let error = SerialLink::open("/dev/no-such-port").err().expect("refused");
        assert!(error.contains("/dev/no-such-port") && !error.contains('\n'), "{error}");
    }
}
