//! Checks, downloads and benchmarks of this repository.
fn main() {}
