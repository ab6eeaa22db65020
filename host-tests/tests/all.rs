//! All tests in one program, so that the engine is compiled for them once. `cargo test -p host-tests
//! search::` runs those of a file.

mod bench;
mod bricks_parts;
mod bricks_players;
mod cadrega;
mod connect_solver;
mod emulator_abuse;
mod emulator_button;
mod emulator_connect;
mod emulator_faults;
mod emulator_games;
mod emulator_harness;
mod emulator_lossy;
mod emulator_play;
mod emulator_same;
mod emulator_scenarios;
mod emulator_speed;
mod emulator_timing;
mod kernels;
mod lavahound;
mod mnk_players;
mod orders;
mod patterns;
mod pictures;
mod play_serial;
mod players;
mod positions;
mod rules;
mod saved_games;
mod scenarios;
mod search;
mod session_fuzz;
mod small_mnk;
mod soak;
mod stack;
mod tactics;
mod time_control;
mod trust;
mod ui;
mod values;

#[test]
fn every_file_is_part_of_this_program() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests");
    let listed = include_str!("all.rs");
    for file in std::fs::read_dir(folder).expect("the folder of the tests") {
        let name = file.expect("a file").file_name().into_string().expect("a plain name");
        let module = name.strip_suffix(".rs").expect("only tests are here");
        assert!(module == "all" || listed.contains(&format!("mod {module};")), "{module}");
    }
}
