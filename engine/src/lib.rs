//! A board-game engine that fits in a microcontroller: no heap, no `unsafe`, hard deadlines.
//!
//! Three families of games, (M,N,K) k-in-a-row, Connect X and Bricks, are positions behind one
//! trait; one search plays them all and one solver proves their values.
//!
//! # Layers
//! From the outside in; each knows only those below it:
//!
//! | module | what it is |
//! | --- | --- |
//! | [`ui`] | one button, an LED and a small matrix: presses in, orders and frames out |
//! | [`session`] | a conversation about a game: lines in, answers and jobs out |
//! | [`protocol`] | bytes to lines to commands, answers to text |
//! | [`players`] | position and limits in, decision out |
//! | [`search`] | limits in, report out: iterative deepening, solver, table, move order |
//! | [`game`] | the [`game::Game`] trait and the games: make and unmake, keys, tactics, bounds |
//! | [`drawing`], [`ending`] | a board as text; how a game was won |
//! | [`notation`] | moves as text |
//! | [`spec`] | games as text: `mnk:15x15x5` |
//! | [`score`] | what numbers mean: wins, draws, margins, guesses |
//!
//! # Memory
//! Nothing is allocated. A position is a plain value whose capacity is a type parameter; the
//! table lies in storage that the caller hands in, as does the [`search::Workspace`]. Reaching a
//! capacity is an error value ([`spec::SpecError::TooLarge`]) or a stated policy (see
//! [`search`]), never a panic.
//!
//! # Example
//! ```
//! use engine::game::{Game, any::AnyGame};
//! use engine::search::report::{Limits, NoClock};
//! use engine::search::table::{Bucket, Table};
//! use engine::search::{Options, Workspace, search};
//!
//! // Room for 15x15 stones, 6x7 columns and 8x8 bricks; 64 KiB of table.
//! let mut game = AnyGame::<225, 42, 64>::new("mnk:15x15x5".parse()?)?;
//! let mut storage = [Bucket::EMPTY; 1024];
//! let mut table = Table::new(&mut storage);
//! let mut workspace = Workspace::<2048>::new();
//! game.try_play(game.spec().parse_move("7,7")?)?;
//! let limits = Limits { nodes: Some(5_000), ..Limits::default() };
//! let report =
//!     search(&mut game, &limits, &Options::ALL, &NoClock, &mut table, &mut workspace).unwrap();
//! println!("{} ({}, depth {})", game.spec().show_move(report.best), report.value, report.depth);
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
#![no_std]
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod drawing;
pub mod ending;
pub mod game;
mod guarded;
pub mod notation;
pub mod players;
pub mod protocol;
pub mod score;
pub mod search;
pub mod session;
pub mod spec;
pub mod ui;

/// The examples in the project's README are compiled and run like any other.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct ReadmeExamples;
