//! Inflating with bounds: what a stream declares about itself is never trusted with memory.

use flate2::{Decompress, FlushDecompress, Status};

use crate::Limits;
use crate::problem::Defect;

/// Deflate cannot do better than this: a match of 258 bytes in two bits.
const DEFLATE_MAX_RATIO: u64 = 1032;
/// Entries up to this size may have any ratio.
const RATIO_FLOOR: u64 = 16 << 20;

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
    let status = state
        .decompress_vec(packed, &mut out, FlushDecompress::Finish)
        .map_err(|e| Defect::new(format!("is not valid deflate data: {e}")))?;
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
