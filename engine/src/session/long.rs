//! The answers that are made while they are sent: their length grows with the board or the game.

use core::fmt;

use super::Extra;
use super::crc::Crc32;
use super::save::{Header, crc_of};
use crate::drawing;
use crate::game::Game;
use crate::protocol::command::COMMANDS;
use crate::protocol::output::{Kind, Long, Piece};

/// Moves per piece of a list of moves.
const MOVES_PER_PIECE: usize = 16;

/// A long answer and how far it has come.
#[derive(Debug)]
pub enum LongAnswer {
    /// The drawn board; the line that comes next.
    Board(usize),
    /// All commands.
    Help {
        /// The one that comes next.
        next: usize,
        /// Those of the place where the session runs, after the others.
        extras: &'static [Extra],
    },
    /// The moves played; the one that comes next.
    Moves(usize),
    /// A saved game.
    Save {
        /// What comes before the moves.
        header: Header,
        /// The sum so far; `None` before the header.
        crc: Option<Crc32>,
        /// The move that comes next.
        next: usize,
    },
}

impl LongAnswer {
    /// A saved game.
    #[must_use]
    pub const fn save(header: Header) -> LongAnswer {
        LongAnswer::Save { header, crc: None, next: 0 }
    }
}

/// Line `n` of a game's drawing, for `format_args`.
struct DrawnLine<'a, G>(&'a G, usize);

impl<G: Game> fmt::Display for DrawnLine<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        drawing::write_line(self.0, self.1, f)
    }
}

/// Writes the next few moves, each after a space, and hands each to `seen`.
fn write_moves<G: Game>(
    game: &G,
    next: &mut usize,
    end: usize,
    piece: &mut Piece<'_>,
    mut seen: impl FnMut(fmt::Arguments<'_>),
) {
    let spec = game.spec();
    let stop = end.min(*next + MOVES_PER_PIECE);
    for mv in (*next..stop).filter_map(|n| game.played(n)) {
        let shown = spec.show_move(mv);
        piece.part(format_args!(" {shown}"));
        seen(format_args!(" {shown}"));
    }
    *next = stop;
}

impl<G: Game> Long<G> for LongAnswer {
    fn write_piece(&mut self, game: &G, piece: &mut Piece<'_>) -> bool {
        match self {
            LongAnswer::Board(line) => {
                piece.line(Kind::Message, format_args!("{}", DrawnLine(game, *line)));
                *line += 1;
                *line < drawing::line_count(game.spec())
            }
            LongAnswer::Help { next, extras } => {
                let own = COMMANDS.iter().map(|info| (info.usage, info.about));
                let mut all = own.chain(extras.iter().map(|extra| (extra.name, extra.about)));
                if let Some((usage, about)) = all.nth(*next) {
                    piece.line(Kind::Message, format_args!("{usage:<27} {about}"));
                }
                *next += 1;
                *next < COMMANDS.len() + extras.len()
            }
            LongAnswer::Moves(next) => {
                if *next == 0 {
                    piece.part(format_args!("MOVES"));
                }
                write_moves(game, next, game.ply(), piece, |_| {});
                if *next < game.ply() {
                    return true;
                }
                piece.end_line();
                false
            }
            LongAnswer::Save { header, crc, next } => {
                let Some(crc) = crc else {
                    piece.part(format_args!("LOAD {header}"));
                    *crc = Some(crc_of(header));
                    return true;
                };
                if *next < header.moves {
                    write_moves(game, next, header.moves, piece, |text| {
                        // A sum takes everything.
                        let _ = fmt::Write::write_fmt(crc, text);
                    });
                    return true;
                }
                piece.part(format_args!(" crc={:08X}", crc.value()));
                piece.end_line();
                false
            }
        }
    }
}
