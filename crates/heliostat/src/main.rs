//! The `heliostat` binary.
fn main() {}
