//! A board-game engine that fits in a microcontroller: no heap, no `unsafe`, hard deadlines.
#![no_std]
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod game;
pub mod notation;
pub mod score;
pub mod search;
pub mod spec;
