//! What the emulated LED matrix shows: 8 x 8 LEDs of any colour, drawn as squares of a picture.

use std::fmt;
use std::io::Write;

/// A colour, 0 to 255 each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rgb {
    /// Red.
    pub red: u8,
    /// Green.
    pub green: u8,
    /// Blue.
    pub blue: u8,
}

impl Rgb {
    /// A dark LED.
    pub const BLACK: Rgb = Rgb { red: 0, green: 0, blue: 0 };
}

impl fmt::Display for Rgb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.red, self.green, self.blue)
    }
}

/// The LEDs in a row and the rows of the matrix.
pub const SIZE: usize = 8;
/// No side of a picture is longer.
const SIDE_LIMIT: usize = 4096;

/// A picture, as QEMU draws it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    width: usize,
    height: usize,
    /// Red, green and blue of each pixel, row by row from the top.
    bytes: Vec<u8>,
}

impl Picture {
    /// Reads a binary PPM file (`P6`), as QEMU writes them.
    ///
    /// # Errors
    /// It is another kind of file, has no pixels or too many, or is cut off.
    pub fn from_ppm(file: &[u8]) -> Result<Picture, String> {
        let mut rest = file.strip_prefix(b"P6").ok_or("no binary PPM file")?;
        let mut numbers = [0; 3];
        for number in &mut numbers {
            (*number, rest) = header_number(rest)?;
        }
        let [width, height, most] = numbers;
        if most != 255 {
            return Err(format!("colours go to {most}: expected 255"));
        }
        if !(1..=SIDE_LIMIT).contains(&width) || !(1..=SIDE_LIMIT).contains(&height) {
            return Err(format!("the picture is {width} x {height}: expected 1 to {SIDE_LIMIT}"));
        }
        let bytes = match rest {
            [space, bytes @ ..] if space.is_ascii_whitespace() => bytes,
            _ => return Err("no pixels".into()),
        };
        let expected = width * height * 3;
        let bytes = bytes
            .get(..expected)
            .ok_or_else(|| format!("cut off: {} of {expected} bytes", bytes.len()))?;
        Ok(Picture { width, height, bytes: bytes.to_vec() })
    }

    /// Pixels in a row.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// Rows.
    #[must_use]
    pub fn height(&self) -> usize {
        self.height
    }

    /// The colour of a pixel, counted from the left and the top; black outside.
    #[must_use]
    pub fn pixel(&self, x: usize, y: usize) -> Rgb {
        let inside = x < self.width && y < self.height;
        let at = (y.min(self.height) * self.width + x) * 3;
        match self.bytes.get(at..).and_then(|bytes| bytes.first_chunk::<3>()) {
            Some(&[red, green, blue]) if inside => Rgb { red, green, blue },
            _ => Rgb::BLACK,
        }
    }

    /// The LEDs: the middle of each of 8 x 8 equal fields.
    #[must_use]
    pub fn leds(&self) -> Screen {
        let middle = |index: usize, length: usize| (2 * index + 1) * length / (2 * SIZE);
        let mut leds = [[Rgb::BLACK; SIZE]; SIZE];
        for (row, line) in leds.iter_mut().enumerate() {
            for (column, led) in line.iter_mut().enumerate() {
                *led = self.pixel(middle(column, self.width), middle(row, self.height));
            }
        }
        Screen(leds)
    }

    /// Writes the picture as a PNG file.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write_png(&self, file: impl Write) -> Result<(), std::io::Error> {
        // Both sides are at most `SIDE_LIMIT`.
        let mut encoder = png::Encoder::new(file, self.width as u32, self.height as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header().map_err(io_error)?;
        writer.write_image_data(&self.bytes).map_err(io_error)?;
        writer.finish().map_err(io_error)
    }
}

fn io_error(error: png::EncodingError) -> std::io::Error {
    match error {
        png::EncodingError::IoError(error) => error,
        other => std::io::Error::other(other),
    }
}

/// A number of a PPM header, after white space and comments, and what follows it.
fn header_number(mut bytes: &[u8]) -> Result<(usize, &[u8]), String> {
    loop {
        bytes = bytes.trim_ascii_start();
        if bytes.first() != Some(&b'#') {
            break;
        }
        let end = bytes.iter().position(|&byte| byte == b'\n').unwrap_or(bytes.len());
        bytes = &bytes[end..];
    }
    let length = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (digits, rest) = bytes.split_at(length);
    let number = std::str::from_utf8(digits).ok().and_then(|digits| digits.parse().ok());
    Ok((number.ok_or("a number is missing in the header")?, rest))
}

/// The colours of the LEDs: rows from the top, columns from the left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Screen(pub [[Rgb; SIZE]; SIZE]);

impl Screen {
    /// The colour of an LED, `None` outside the matrix.
    #[must_use]
    pub fn led(&self, column: usize, row: usize) -> Option<Rgb> {
        self.0.get(row)?.get(column).copied()
    }

    /// How many LEDs are not dark.
    #[must_use]
    pub fn lit(&self) -> usize {
        self.0.iter().flatten().filter(|&&led| led != Rgb::BLACK).count()
    }
}

impl fmt::Display for Screen {
    /// Eight lines of eight colours; dark LEDs are dots.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in &self.0 {
            for (column, led) in row.iter().enumerate() {
                let gap = if column == 0 { "" } else { " " };
                match *led {
                    Rgb::BLACK => write!(f, "{gap}.......")?,
                    led => write!(f, "{gap}{led}")?,
                }
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A picture whose red and green tell the field that a pixel is in.
    fn fields(side: usize) -> Vec<u8> {
        let mut file = format!("P6\n{} {}\n255\n", side * SIZE, side * SIZE).into_bytes();
        for y in 0..side * SIZE {
            for x in 0..side * SIZE {
                file.extend([(x / side) as u8, (y / side) as u8, 7]);
            }
        }
        file
    }

    #[test]
    fn leds_are_read_from_the_middle_of_their_fields() {
        for side in [1, 2, 10] {
            let screen = Picture::from_ppm(&fields(side)).expect("a picture").leds();
            for row in 0..SIZE {
                for column in 0..SIZE {
                    let expected = Rgb { red: column as u8, green: row as u8, blue: 7 };
                    assert_eq!(screen.led(column, row), Some(expected));
                }
            }
            assert_eq!((screen.led(SIZE, 0), screen.lit()), (None, 64));
        }
    }

    #[test]
    fn headers_may_hold_comments() {
        let file = b"P6 # by hand\n# two\n1 1\n255\n\x01\x02\x03";
        let picture = Picture::from_ppm(file).expect("a picture");
        assert_eq!(picture.pixel(0, 0), Rgb { red: 1, green: 2, blue: 3 });
        assert_eq!(picture.pixel(1, 0), Rgb::BLACK);
        assert_eq!(picture.pixel(0, usize::MAX), Rgb::BLACK);
    }

    #[test]
    fn anything_else_is_refused() {
        for file in [
            &b""[..],
            b"P6",
            b"P5 1 1 255 x",
            b"P6 1 1",
            b"P6 1 1 255",
            b"P6 1 1 255\n\x01\x02",
            b"P6 0 1 255\n",
            b"P6 1 -1 255\n",
            b"P6 1 1 65535\n\x01\x02\x03\x04\x05\x06",
            b"P6 4294967296 4294967296 255\n",
            b"P6 99999999999999999999999 1 255\n",
            b"P6 #",
        ] {
            assert!(Picture::from_ppm(file).is_err(), "{file:?}");
        }
    }

    #[test]
    fn a_png_file_holds_the_same_pixels() {
        let picture = Picture::from_ppm(&fields(3)).expect("a picture");
        let mut file = Vec::new();
        picture.write_png(&mut file).expect("written");
        let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().expect("PNG");
        let mut bytes = vec![0; picture.bytes.len()];
        let frame = reader.next_frame(&mut bytes).expect("a frame");
        assert_eq!((frame.width as usize, frame.height as usize), (24, 24));
        assert_eq!(bytes, picture.bytes);
    }

    #[test]
    fn a_screen_shows_itself() {
        let mut screen = Screen::default();
        screen.0[0][1] = Rgb { red: 255, green: 0, blue: 16 };
        let text = screen.to_string();
        assert_eq!(text.lines().count(), SIZE);
        assert!(text.starts_with("....... #ff0010 ......."));
    }
}
