//! Exit codes: part of the contract with scripts.

/// Done. Problems in the input do not change that: the rest was read.
pub(crate) const DONE: u8 = 0;
/// Findings were asked to fail, or a check found a difference.
pub(crate) const FINDINGS: u8 = 1;
/// Bad usage, or input that cannot be read at all.
pub(crate) const BAD: u8 = 2;
/// A budget ended the analysis; partial results were written.
pub(crate) const BUDGET: u8 = 3;

const MEANINGS: [(u8, &str); 4] = [
    (DONE, "done; problems in the input are told, the rest of it is read"),
    (FINDINGS, "a check differs, or findings were asked to fail"),
    (BAD, "bad usage, or input that cannot be read"),
    (BUDGET, "a budget ended the analysis, partial results were written"),
];

/// The table of exit codes, for the help.
pub(crate) fn table() -> String {
    MEANINGS.map(|(code, meaning)| format!("  {code}  {meaning}")).join("\n")
}
