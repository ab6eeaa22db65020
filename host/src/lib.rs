//! The engine on a PC: everything behind the command `tavola`.
//!
//! The command's parts are a library so that tests and other tools can call them without a
//! process. What a PC has and the chip has not (files, a terminal, a wall clock, memory of any
//! size) is here; what is the same on both is in `engine`.
//!
//! - [`cli`]: the command line, exit codes, and where a new command is entered
//! - [`commands`]: one file per command
//! - [`judge`], [`game_record`], [`board_text`]: games between players, played, kept and drawn
//! - [`brain`]: a session on the standard input and output
//! - [`link`]: byte streams to a board, and the emulated board
//! - [`partner`], [`play`]: who thinks, and the game on the screen
//! - [`tally`], [`elo`], [`plot`]: what many games say
//! - [`fit`], [`training`]: what is learned from games
//! - [`clock`], [`memory`], [`position`], [`seeds`]: what the engine is given
//! - [`table_size`], [`time_span`], [`move_limit`], [`input`], [`output_file`], [`games_bar`], [`workers`],
//!   [`failure`]: what the commands share

pub mod board_text;
pub mod brain;
pub mod cli;
pub mod clock;
pub mod commands;
pub mod elo;
pub mod failure;
pub mod fit;
pub mod game_record;
pub mod games_bar;
pub mod input;
pub mod judge;
pub mod link;
pub mod memory;
pub mod move_limit;
pub mod output_file;
pub mod partner;
pub mod play;
pub mod plot;
pub mod position;
pub mod seeds;
pub mod self_play;
pub mod table_size;
pub mod tally;
pub mod time_span;
pub mod training;
pub mod workers;
