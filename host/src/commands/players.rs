//! `tavola players`: who can play, with what parameters, and where they come from.

use std::io::Write;

use clap::Args;
use engine::players::registry::{Listing, listings};
use serde::Serialize;

use crate::failure::{Failure, Status};

const EXAMPLES: &str = "\
Examples:
  tavola players
  tavola players --json

A player with parameters is written NAME:PARAMETERS; without them it has its usual ones.";

/// The arguments of `tavola players`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// A player as JSON.
#[derive(Debug, Serialize)]
struct Entry {
    name: &'static str,
    parameters: &'static str,
    plays: String,
    about: &'static str,
    source: &'static str,
}

impl From<&Listing> for Entry {
    fn from(listing: &Listing) -> Entry {
        Entry {
            name: listing.name,
            parameters: listing.parameters,
            plays: listing.plays.to_string(),
            about: listing.about,
            source: listing.source,
        }
    }
}

/// Runs the command.
///
/// # Errors
/// The output cannot be written.
pub fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Status, Failure> {
    let entries: Vec<Entry> = listings().map(Entry::from).collect();
    if arguments.json {
        serde_json::to_writer(&mut *out, &entries)?;
        writeln!(out)?;
        return Ok(Status::Done);
    }
    let widest = |text: fn(&Entry) -> &str| {
        entries.iter().map(|entry| text(entry).chars().count()).max().unwrap_or(0)
    };
    let (names, games) = (widest(|entry| entry.name), widest(|entry| &entry.plays));
    let abouts = widest(|entry| entry.about);
    for entry in &entries {
        let Entry { name, parameters, plays, about, source } = entry;
        writeln!(out, "{name:names$}  {plays:games$}  {about:abouts$}  {source}")?;
        if !parameters.is_empty() {
            writeln!(out, "{:names$}  {:games$}  {name}:{parameters}", "", "")?;
        }
    }
    Ok(Status::Done)
}
