//! Keeping the game in the journal, and getting it back.

use core::fmt::Write;

use super::clock::Clocks;
use super::journal::{MAX_HEADER, decode, encode, move_bytes};
use super::memory::Memory;
use super::save::{Header, LoadError, Loader};
use super::{Reading, Session};
use crate::game::Game;
use crate::spec::GameSpec;

/// Moves that are written at a time when a whole game is.
const CHUNK: usize = 32;

impl<M: Memory, const MOVES: usize, const NODES: usize> Session<'_, M, MOVES, NODES> {
    /// What is worth keeping besides the moves.
    pub(super) fn header(&self) -> Header {
        let game = self.game();
        Header {
            spec: game.map_or(GameSpec::Bricks { size: 1 }, Game::spec),
            player: self.player.clone(),
            engine: self.engine,
            clocks_ms: crate::game::Side::BOTH.map(|side| self.clocks.used_ms(side)),
            moves: game.map_or(0, Game::ply),
        }
    }

    /// The game has changed from this ply on, or something else that is worth keeping has.
    pub(super) fn keep(&mut self, from: usize) {
        self.revision = self.revision.wrapping_add(1);
        let header = self.header();
        let mut text = heapless::String::<MAX_HEADER>::new();
        // Longer than any header.
        let _ = write!(text, "{header}");
        let Some(desk) = self.desk.as_deref() else { return };
        let (game, bytes) = (desk.game(), move_bytes(header.spec));
        let mut ply = from.min(header.moves);
        loop {
            let mut chunk = heapless::Vec::<u8, { 2 * CHUNK }>::new();
            let end = header.moves.min(ply + CHUNK);
            for mv in (ply..end).filter_map(|n| game.played(n)) {
                let _ = chunk.extend_from_slice(encode(mv).get(..bytes).unwrap_or(&[]));
            }
            // Without room the game is only not kept.
            let kept = self.journal.write(&text, ply * bytes, &chunk);
            ply = end;
            if ply == header.moves || !kept {
                return;
            }
        }
    }

    /// Puts the kept game on the board.
    ///
    /// # Errors
    /// There is none, or it is not a game.
    fn put_back(&mut self) -> Result<Header, LoadError> {
        let missing = LoadError::Cut { expected: "a game" };
        let desk = self.desk.as_deref_mut().ok_or(LoadError::Busy)?;
        let (text, moves) = self.journal.read().ok_or(missing)?;
        let mut header = Loader::read_header(text, desk)?;
        let bytes = move_bytes(header.spec);
        // The header may have been written before the last chunks of moves.
        header.moves = header.moves.min(moves.len() / bytes);
        for (n, bytes) in moves.chunks_exact(bytes).take(header.moves).enumerate() {
            let played = desk.game_mut().try_play(decode(bytes));
            played.map_err(|why| LoadError::Move { number: n + 1, why })?;
        }
        Ok(header)
    }

    /// Goes on with the game in the journal, if there is one: after a reset. `true` if so.
    pub(super) fn restore(&mut self) -> bool {
        let restored = self.put_back();
        let sound = restored.is_ok();
        match restored {
            Ok(header) => self.adopt(&header),
            Err(_) => self.start_anew(),
        }
        sound
    }

    /// Another game is on the board; everything else follows.
    pub(super) fn adopt(&mut self, header: &Header) {
        self.by_info = false;
        self.engine = header.engine;
        self.player.clone_from(&header.player);
        self.clocks = Clocks::at(header.moves, header.clocks_ms);
        self.time.restart();
        self.redo.clear();
        self.suggested = false;
        self.reading = Reading::Commands;
        self.seat_player();
        self.keep(0);
    }

    /// An empty board of the game that is there.
    fn start_anew(&mut self) {
        if let Some(desk) = self.desk.as_deref_mut() {
            let spec = desk.game().spec();
            // It was there before, so it fits.
            let _ = desk.rebuild(spec);
        }
        self.engine = None;
        self.clocks = Clocks::default();
        self.redo.clear();
        self.suggested = false;
        self.keep(0);
    }

    /// A command that has touched the board turned out to be bad: as if it had never come.
    pub(super) fn undo_damage(&mut self) {
        if self.put_back().is_err() {
            // The journal did not hold the game: only where its memory is too small or damaged.
            self.start_anew();
            self.message(format_args!("the game could not be put back: empty board"));
        }
    }

    /// A saved game on its way is not to be had.
    pub(super) fn give_up_loading(&mut self) {
        if let Some(loader) = self.loader.take()
            && loader.has_touched_the_board()
        {
            self.undo_damage();
        }
    }
}
