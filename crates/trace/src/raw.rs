//! The files of processes themselves, for whoever keeps them.

use heliostat_weave::table;

pub use heliostat_weave::log::{Record, Records, write};

/// A table without its free slots; none if it is as small as it gets, or no table, or cut off: then it stays what it is.
pub fn compacted(bytes: &[u8]) -> Option<Vec<u8>> {
    let read = table::read(bytes).filter(|read| !read.is_cut_off)?;
    let small = table::write(&read.calls, read.lost);
    (small.len() < bytes.len()).then_some(small)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_made_small_once() {
        let calls = [table::Counted { site: 1, method: 2, count: 3 }];
        let mut full = table::write(&calls, 4);
        // As a running program has it.
        full[16..24].fill(0);
        full.resize(table::BYTES as usize, 0);
        let small = compacted(&full).unwrap();
        assert_eq!(table::read(&small), table::read(&full));
        assert_eq!((compacted(&small), compacted(b"x"), compacted(&full[..5000])), (None, None, None));
    }
}
