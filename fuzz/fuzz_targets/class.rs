//! Classes through everything below the analyses: no panic, and whatever is lowered is well formed.
//!
//! The input is one class file after the other, told apart by their magic number. The last is the one that is
//! lowered; the others are what it may inherit from. Run it with
//!
//! ```text
//! cargo +nightly fuzz run class -- -rss_limit_mb=1024 -timeout=10
//! ```
#![no_main]

#[path = "../../crates/ir/tests/support/round.rs"]
mod round;

use bytes::Bytes;
use heliostat_ir::Lowerer;
use libfuzzer_sys::fuzz_target;

const MAGIC: [u8; 4] = [0xCA, 0xFE, 0xBA, 0xBE];

fuzz_target!(|input: &[u8]| {
    let starts = (0..input.len()).filter(|&at| input[at..].starts_with(&MAGIC));
    let mut starts: Vec<usize> = starts.chain([input.len()]).collect();
    starts.insert(0, 0);
    let classes = starts.windows(2).map(|w| Bytes::copy_from_slice(&input[w[0]..w[1]]));
    let mut classes: Vec<Bytes> = classes.filter(|class| !class.is_empty()).collect();
    if let Some(last) = classes.pop() {
        round::round(&last, &classes, &mut Lowerer::new());
    }
});
