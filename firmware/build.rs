//! Picks the board's memory map and hands the linker its scripts.
//!
//! A wrong choice of boards ends here, before any dependency is built: their own messages would
//! not tell which features of this crate are meant.

use std::env;
use std::fs;
use std::path::PathBuf;

#[cfg(not(any(
    feature = "b-l475e-iot01a",
    feature = "nucleo-f446re",
    feature = "stm32f4-discovery",
    feature = "nucleo-h743zi2",
    feature = "nucleo-g071rb",
    feature = "emulator"
)))]
compile_error!(
    "no board chosen: leave the default features on, or give \
     `--no-default-features --features BOARD` with one of b-l475e-iot01a, nucleo-f446re, \
     stm32f4-discovery, nucleo-h743zi2, nucleo-g071rb, emulator"
);

/// Forbids each pair of features in a list.
macro_rules! at_most_one {
    ($first:literal $(, $other:literal)*) => {
        $(
            #[cfg(all(feature = $first, feature = $other))]
            compile_error!(concat!(
                "two boards chosen, `", $first, "` and `", $other, "`: a firmware is for one. \
                 For a board other than the default, and for the emulator, give \
                 `--no-default-features --features BOARD`"
            ));
        )*
        at_most_one!($($other),*);
    };
    () => {};
}

at_most_one!(
    "b-l475e-iot01a",
    "nucleo-f446re",
    "stm32f4-discovery",
    "nucleo-h743zi2",
    "nucleo-g071rb",
    "emulator"
);

/// The memory map of the chosen board, from this crate's folder. The `memory.x` in the root of the
/// workspace includes it.
const MEMORY_MAP: &str = if cfg!(feature = "nucleo-f446re") {
    "src/board/nucleo_f446re.x"
} else if cfg!(feature = "stm32f4-discovery") {
    "src/board/stm32f4_discovery.x"
} else if cfg!(feature = "nucleo-h743zi2") {
    "src/board/nucleo_h743zi2.x"
} else if cfg!(feature = "nucleo-g071rb") {
    "src/board/nucleo_g071rb.x"
} else {
    "src/board/b_l475e_iot01a.x"
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let out = PathBuf::from(env::var("OUT_DIR")?);
    fs::copy(MEMORY_MAP, out.join("board-memory.x"))
        .map_err(|error| format!("cannot read the memory map {MEMORY_MAP}: {error}"))?;
    println!("cargo::rustc-link-search={}", out.display());
    println!("cargo::rerun-if-changed={MEMORY_MAP}");
    println!("cargo::rerun-if-changed=../memory.x");
    println!("cargo::rerun-if-changed=build.rs");
    for argument in ["--nmagic", "-Tlink.x", "-Tdefmt.x"] {
        println!("cargo::rustc-link-arg-bins={argument}");
    }
    Ok(())
}
