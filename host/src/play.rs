//! `tavola play` and `tavola match`: a game on the screen.
//!
//! ```text
//!   keys, mouse ─┐                       ┌─► effects: lines to partners, files, the end
//!   partners    ─┼─► app ─► round ─► ────┤
//!   time        ─┘    │       │          └─► drawing (a picture of the state, nothing else)
//!                     │       ├─ course   the game: position, moves taken back, time used
//!                     │       └─ chairs   one per partner: dialog, what it said, trouble
//!                     └─ menu, cursor, prompts
//! ```
//!
//! Design:
//!
//! - The game is here and nowhere else: [`course::Course`] holds it, and a partner (a session in
//!   this process, a board, a program; see [`crate::partner`]) is handed what it lacks. So undo,
//!   replay, a reset board and a change to another partner are all the same to it.
//! - [`round::Round`] knows whose turn it is, asks partners, and sorts out their answers. It is used
//!   by the full screen and by the plain mode alike.
//! - [`app::App`] and everything below it is pure: events and the time go in, the state changes,
//!   effects come out. Tests drive it without a terminal. [`terminal`] and [`plain`] are the two
//!   loops around it that touch the world.
//! - [`draw`] turns the state into a picture, at any size, with or without colours.

pub mod app;
pub mod course;
pub mod draw;
pub mod menu;
pub mod plain;
pub mod round;
pub mod saved;
pub mod setup;
pub mod signals;
pub mod terminal;
pub mod world;
