//! Ctrl-C: the first asks for an orderly end, the second is one.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::SIGINT;
use signal_hook::flag;

/// What a shell reports for a program that an interrupt has ended.
const INTERRUPTED: i32 = 128 + SIGINT;

/// A flag that the first Ctrl-C sets; the second ends the process. Where signals cannot be caught, the first does.
pub(crate) fn flag() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    // In this order: the end comes only if the flag was set before.
    if flag::register_conditional_shutdown(SIGINT, INTERRUPTED, Arc::clone(&stop)).is_ok() {
        let _ = flag::register(SIGINT, Arc::clone(&stop));
    }
    stop
}
