//! The commands of `tavola`: one file each, with its `Arguments` and a function `run`.

pub mod ablate;
pub mod arena;
pub mod bench;
pub mod book;
pub mod brain;
pub mod clock;
pub mod completions;
pub mod emulate;
pub mod league;
pub mod match_command;
pub mod play;
pub mod players;
pub mod show;
pub mod solve;
pub mod tune;
pub mod verify;
