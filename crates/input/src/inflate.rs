//! Inflating with bounds: what a stream declares about itself is never trusted with memory.

use flate2::{Decompress, FlushDecompress, Status};

use crate::Limits;
use crate::problem::Defect;

/// Deflate cannot do better than this: a match of 258 bytes in two bits.
const DEFLATE_MAX_RATIO: u64 = 1032;
/// Entries up to this size may have any ratio.
const RATIO_FLOOR: u64 = 1 << 20;

/// What it costs to begin with a stream, in bytes inflated in that time.
const MEASURE_SETUP: u64 = 1 << 12;

/// How a deflate stream is wrapped.
#[derive(Clone, Copy)]
pub(crate) enum Wrapping {
    /// As in zip files.
    Raw,
    /// As in jimage resources.
    Zlib,
}

/// The largest size that an entry of `packed` bytes may inflate to.
fn size_limit(packed: u64, limits: &Limits) -> u64 {
    limits.entry_bytes.min(packed.saturating_mul(limits.ratio).max(RATIO_FLOOR))
}

/// Inflates a whole stream that declares to hold `declared` bytes, all of them and no more.
pub(crate) fn inflate(
    packed: &[u8],
    declared: u64,
    wrapping: Wrapping,
    limits: &Limits,
) -> Result<Vec<u8>, Defect> {
    let limit = size_limit(packed.len() as u64, limits);
    if declared > limit {
        return Err(Defect::new(format!(
            "declares {declared} bytes from {} compressed ones; the limit is {limit}",
            packed.len()
        )));
    }
    let possible = (packed.len() as u64).saturating_mul(DEFLATE_MAX_RATIO);
    // One byte of room beyond what is declared shows a stream that goes on.
    let mut out = Vec::with_capacity(declared.min(possible) as usize + 1);
    let mut state = Decompress::new(matches!(wrapping, Wrapping::Zlib));
    let status =
        state.decompress_vec(packed, &mut out, FlushDecompress::Finish).map_err(|e| match e.message() {
            Some(message) => Defect::new(format!("is not valid deflate data: {message}")),
            None => Defect::new("is not valid deflate data"),
        })?;
    if out.len() as u64 > declared {
        return Err(Defect::new(format!("inflates to more than the {declared} bytes it declares")));
    }
    if !matches!(status, Status::StreamEnd) {
        return Err(Defect::new(format!("ends after {} of {declared} declared bytes", out.len())));
    }
    if (out.len() as u64) < declared {
        return Err(Defect::new(format!("inflates to {} bytes but declares {declared}", out.len())));
    }
    Ok(out)
}

/// The packed and the unpacked size of the raw stream that `packed` begins with; its bytes are not kept. What it
/// reads and writes is taken off `budget`, whether the stream has an end or not.
pub(crate) fn measure(packed: &[u8], budget: &mut u64) -> Option<(u64, u64)> {
    *budget = budget.checked_sub(MEASURE_SETUP)?;
    let mut state = Decompress::new(false);
    let mut scratch = vec![0; 1 << 16];
    loop {
        let before = (state.total_in(), state.total_out());
        let rest = packed.get(before.0 as usize..)?;
        let status = state.decompress(rest, &mut scratch, FlushDecompress::None).ok()?;
        let sizes = (state.total_in(), state.total_out());
        let work = sizes.0 - before.0 + sizes.1 - before.1;
        *budget = budget.saturating_sub(work);
        if matches!(status, Status::StreamEnd) {
            return Some(sizes);
        }
        if work == 0 || *budget == 0 {
            return None;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn deflate(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
        let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(bytes)?;
        encoder.finish()
    }

    fn outcome(packed: &[u8], declared: u64, limits: &Limits) -> Result<usize, String> {
        inflate(packed, declared, Wrapping::Raw, limits).map(|v| v.len()).map_err(|d| d.message)
    }

    #[test]
    fn only_the_declared_size_is_accepted() -> std::io::Result<()> {
        let limits = Limits::default();
        let packed = deflate(&[7; 1000])?;
        assert_eq!(outcome(&packed, 1000, &limits), Ok(1000));
        assert!(outcome(&packed, 999, &limits).is_err_and(|m| m.contains("more than")));
        assert!(outcome(&packed, 1001, &limits).is_err_and(|m| m.contains("inflates to 1000")));
        assert!(outcome(&packed[..packed.len() - 2], 1000, &limits).is_err());
        assert_eq!(outcome(&deflate(&[])?, 0, &limits), Ok(0));
        Ok(())
    }

    #[test]
    fn a_stream_without_a_known_size_is_measured_within_a_budget() -> std::io::Result<()> {
        let mut packed = deflate(&vec![7; 1 << 20])?;
        let length = packed.len() as u64;
        packed.extend(b"what follows");
        let mut budget = 2 << 20;
        assert_eq!(measure(&packed, &mut budget), Some((length, 1 << 20)));
        assert_eq!(budget, (1 << 20) - length - MEASURE_SETUP);
        budget /= 2;
        assert_eq!((measure(&packed, &mut budget), budget), (None, 0));
        assert_eq!(measure(&packed[..length as usize / 2], &mut (2 << 20)), None);
        assert_eq!(measure(b"\xFF\xFF", &mut (2 << 20)), None);
        Ok(())
    }

    #[test]
    fn nonsense_is_said_to_be_so_once() {
        let message = outcome(&[0xFF; 4], 4, &Limits::default()).err().unwrap_or_default();
        assert!(message.starts_with("is not valid deflate data"), "{message}");
        assert_eq!(message.matches("deflate").count(), 1, "{message}");
    }

    #[test]
    fn a_huge_declaration_costs_nothing() {
        assert!(outcome(&[0; 10], u64::MAX, &Limits::default()).is_err_and(|m| m.contains("limit")));
        assert!(outcome(&[], 1 << 20, &Limits::default()).is_err());
    }

    #[test]
    fn the_ratio_counts_past_the_floor() -> std::io::Result<()> {
        let size = (RATIO_FLOOR + 1) as usize;
        let packed = deflate(&vec![0; size])?;
        assert!(outcome(&packed, size as u64, &Limits::default()).is_err());
        assert_eq!(outcome(&packed, size as u64, &Limits { ratio: 2000, ..Limits::default() }), Ok(size));
        Ok(())
    }
}
