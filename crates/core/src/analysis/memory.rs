//! How much memory this process takes, where the system tells (Linux).

use std::fs;

/// The bytes that it takes now.
pub(super) fn resident() -> Option<u64> {
    field("VmRSS:")
}

/// The most bytes that it has ever taken.
pub(super) fn peak() -> Option<u64> {
    field("VmHWM:")
}

/// A field of `/proc/self/status`, which is in kilobytes whatever the size of a page.
fn field(name: &str) -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let value = status.lines().find_map(|line| line.strip_prefix(name))?;
    let kilobytes: u64 = value.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_peak_is_the_highest() {
        let Some(now) = resident() else { return };
        assert!(now > 1 << 16 && peak().is_some_and(|peak| peak > 1 << 16));
    }
}
