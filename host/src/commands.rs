//! The commands of `tavola`: one file each, with its `Arguments` and a function `run`.

pub mod bench;
pub mod solve;
