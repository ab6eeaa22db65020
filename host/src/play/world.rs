//! What the loops share: partners that come and go, and files.

use std::fs::File;
use std::io::Read;
use std::sync::Arc;

use super::round::Effect;
use super::saved::{self, MAX_FILE, Saved};
use crate::output_file::{self, Overwrite};
use crate::partner::{self, News, Partner};

/// Who is told of news: chair, attempt, news.
pub type Tell = Arc<dyn Fn(usize, u32, News) + Send + Sync>;

/// The partners of a round.
pub struct World {
    partners: Vec<Option<Partner>>,
    tell: Tell,
}

impl World {
    /// Nobody is there yet.
    #[must_use]
    pub fn new(tell: Tell) -> World {
        World { partners: Vec::new(), tell }
    }

    /// Does what a round wants.
    pub fn carry_out(&mut self, effect: Effect) {
        match effect {
            Effect::Connect { chair, attempt, place } => {
                if self.partners.len() <= chair {
                    self.partners.resize_with(chair + 1, || None);
                }
                let tell = Arc::clone(&self.tell);
                let tell = move |news| tell(chair, attempt, news);
                let old = self.partners[chair].take();
                self.partners[chair] = Some(partner::start(place, old, tell));
            }
            Effect::Send { chair, line } => {
                if let Some(Some(partner)) = self.partners.get(chair) {
                    partner.send(&line);
                }
            }
        }
    }
}

/// Writes a new file and says so.
///
/// # Errors
/// The file is there already or cannot be written, in a line.
pub fn write(file: &str, text: &str) -> Result<String, String> {
    let mut opened = output_file::create(file, Overwrite::No).map_err(|error| error.to_string())?;
    output_file::fill(file, &mut opened, text).map_err(|error| error.to_string())?;
    Ok(format!("written to `{file}`"))
}

/// Reads a game out of a file.
///
/// # Errors
/// It cannot be read or is no game, in a line.
pub fn read(file: &std::path::Path, game: Option<usize>) -> Result<Saved, String> {
    let name = file.display();
    let unreadable = |error| format!("cannot read `{name}`: {error}");
    let mut bytes = Vec::new();
    let opened = File::open(file).map_err(unreadable)?;
    opened.take(MAX_FILE).read_to_end(&mut bytes).map_err(unreadable)?;
    saved::read(&bytes, game).map_err(|error| format!("`{name}`: {error}"))
}
