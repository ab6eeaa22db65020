//! The engine on a PC: everything behind the command `tavola`.
//!
//! The command's parts are a library so that tests and other tools can call them without a
//! process. What a PC has and the chip has not (files, a terminal, a wall clock, memory of any
//! size) is here; what is the same on both is in `engine`.
//!
//! - [`cli`]: the command line, exit codes, and where a new command is entered
//! - [`commands`]: one file per command
//! - [`clock`], [`memory`], [`table_size`], [`time_span`], [`position`], [`failure`]: what the
//!   commands share

pub mod cli;
pub mod clock;
pub mod commands;
pub mod failure;
pub mod memory;
pub mod position;
pub mod table_size;
pub mod time_span;
