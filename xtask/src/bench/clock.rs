//! What this process has used so far, and today's date.

use std::fs;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};
use rustix::time::{ClockId, clock_gettime};

/// CPU time of this process, user and system together.
fn cpu_time() -> Duration {
    let now = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}

/// What some work gives, and the CPU time that it takes.
pub(super) fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let before = cpu_time();
    let result = work();
    (result, cpu_time().saturating_sub(before))
}

/// The most memory that this process has had resident so far, mapped files included.
pub(super) fn peak_bytes() -> Result<u64> {
    let status =
        fs::read_to_string("/proc/self/status").context("the peak of memory is known on Linux only")?;
    kibibytes(&status, "VmHWM").context("no VmHWM in /proc/self/status")
}

/// The value of a line such as `VmHWM: 184296 kB`, in bytes.
pub(super) fn kibibytes(text: &str, key: &str) -> Option<u64> {
    let value = text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'))?;
    value.trim().strip_suffix(" kB")?.parse::<u64>().ok().map(|n| n << 10)
}

/// Today in UTC, as `2025-11-15`.
pub(crate) fn today() -> Result<String> {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).context("the clock is before 1970")?;
    let (year, month, day) = civil(since.as_secs() / 86_400);
    Ok(format!("{year}-{month:02}-{day:02}"))
}

/// Year, month and day of a number of days since 1970. Counts in years that begin in March, so that a leap day is
/// the last day of its year, and in eras of 400 years, which all have the same number of days.
fn civil(days: u64) -> (u64, u64, u64) {
    const DAYS_TO_1970: u64 = 719_468;
    const DAYS_PER_ERA: u64 = 146_097;
    let days = days + DAYS_TO_1970;
    let (era, day) = (days / DAYS_PER_ERA, days % DAYS_PER_ERA);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, after_new_year) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (era * 400 + year + after_new_year, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_become_dates() {
        assert_eq!(civil(0), (1970, 1, 1));
        assert_eq!(civil(11_016), (2000, 2, 29));
        assert_eq!(civil(11_017), (2000, 3, 1));
        assert_eq!(civil(20_088), (2024, 12, 31));
        assert_eq!(civil(20_407), (2025, 11, 15));
        assert_eq!(civil(47_540), (2100, 2, 28));
        assert_eq!(civil(47_541), (2100, 3, 1));
    }

    #[test]
    fn sizes_of_proc_are_in_kibibytes() {
        assert_eq!(kibibytes("VmPeak:\t 9 kB\nVmHWM:\t  184 kB\n", "VmHWM"), Some(184 << 10));
        assert_eq!(kibibytes("VmHWMx: 1 kB\n", "VmHWM"), None);
    }
}
