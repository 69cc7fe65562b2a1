//! A global allocator that counts, per thread, so that a test can bound what hostile input costs.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::time::{Duration, Instant};

thread_local! {
    static METER: Cell<Meter> = const { Cell::new(Meter { live: 0, peak: 0, largest: 0 }) };
}

#[derive(Clone, Copy)]
struct Meter {
    /// Bytes in use; another thread may free what this one allocated, hence signed.
    live: isize,
    peak: isize,
    largest: usize,
}

/// What some work cost.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cost {
    /// The most bytes in use at a time, beyond those in use before.
    pub peak: usize,
    /// The largest single request.
    pub largest: usize,
    /// How long it took.
    pub time: Duration,
}

/// Runs `work` and says what it cost this thread.
pub fn measure<T>(work: impl FnOnce() -> T) -> (T, Cost) {
    let before = METER.get().live;
    METER.set(Meter { live: before, peak: before, largest: 0 });
    let start = Instant::now();
    let result = work();
    let time = start.elapsed();
    let after = METER.get();
    let peak = usize::try_from(after.peak - before).unwrap_or(0);
    (result, Cost { peak, largest: after.largest, time })
}

/// [`System`], counted.
pub struct Counting;

fn count(grown: usize, shrunk: usize) {
    // Past the end of its thread a meter is gone, and what is freed then is of no interest.
    let _ = METER.try_with(|meter| {
        let Meter { live, peak, largest } = meter.get();
        let live = live + grown as isize - shrunk as isize;
        meter.set(Meter { live, peak: peak.max(live), largest: largest.max(grown) });
    });
}

#[allow(unsafe_code, reason = "the trait is unsafe; every call is passed on to `System` unchanged")]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 0);
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 0);
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        count(0, layout.size());
        unsafe { System.dealloc(at, layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Old and new may exist side by side while it is copied.
        count(size, 0);
        count(0, layout.size());
        unsafe { System.realloc(at, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;
