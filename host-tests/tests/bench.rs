//! The signature of `tavola bench`: a checksum of how the search behaves.
//!
//! A change that is meant to change nothing must leave it alone. Where the search is meant to
//! behave differently, the new signature goes in here and the commit says why.

use host::commands::bench::measure;

const SIGNATURE: &str = "587772cc";

#[test]
fn the_search_behaves_as_recorded() {
    let report = measure("64K".parse().expect("a size")).expect("64 KiB of memory");
    assert_eq!(report.signature, SIGNATURE, "{report:#?}");
}
