//! Exit codes: part of the contract with scripts.

/// Done. Problems in the input do not change that: the rest was read.
pub(crate) const DONE: u8 = 0;
/// Findings were asked to fail, or a check found a difference.
pub(crate) const FINDINGS: u8 = 1;
/// Bad usage, or input that cannot be read at all.
pub(crate) const BAD: u8 = 2;
/// A budget ended the analysis; partial results were written.
pub(crate) const BUDGET: u8 = 3;

/// What the codes of a command mean.
type Meanings = [(u8, &'static str)];

const READ: (u8, &str) = (DONE, "done; problems in the input are told, the rest of it is read");

const ENDED: (u8, &str) =
    (BUDGET, "a limit or Ctrl-C ended the analysis; the results so far are written and marked incomplete");

/// Those of any command.
pub(crate) const ANY: &Meanings = &[
    READ,
    (FINDINGS, "--check found a difference"),
    (BAD, "bad usage, or input that cannot be read"),
    ENDED,
];
/// Those of `info`.
pub(crate) const INFO: &Meanings =
    &[READ, (BAD, "bad usage, input that cannot be read, or not a single class in it")];
/// Those of `ir`.
pub(crate) const IR: &Meanings =
    &[READ, (BAD, "bad usage, input that cannot be read, a pattern without a match, or no method with IR")];

/// Those of what analyses.
pub(crate) const ANALYSIS: &Meanings = &[
    READ,
    (BAD, "bad usage, input that cannot be read, nothing to start from, or files that cannot be written"),
    ENDED,
];

/// Those of what analyses and checks a file.
pub(crate) const CHECKED: &Meanings = &[
    READ,
    (FINDINGS, "--check found a difference"),
    (BAD, "bad usage, input that cannot be read, nothing to start from, or files that cannot be written"),
    ENDED,
];

/// Those of `why`.
pub(crate) const WHY: &Meanings = &[
    (DONE, "answered; `not reachable` and the like are answers too"),
    (BAD, "bad usage, input that cannot be read, nothing to start from, or names that mean nothing"),
    (BUDGET, "a limit or Ctrl-C ended the analysis; what it has not found so far, it does not deny"),
];

/// Those of `reflection`.
pub(crate) const REFLECTION: &Meanings = &[
    READ,
    (BAD, "bad usage, input that cannot be read, nothing to start from, or a pattern without a match"),
    ENDED,
];

/// Those of `trace`.
pub(crate) const TRACE: &Meanings = &[
    (DONE, "done, as every code is that the program ends with; 128 and the signal's number if one ended it"),
    (BAD, "bad usage, a program that cannot be started, none with a JVM, or files that cannot be written"),
];

/// Those of `compare`.
pub(crate) const COMPARE: &Meanings =
    &[(DONE, "compared, whatever was missed"), (BAD, "bad usage, or a run or a trace that cannot be read")];

/// A table of exit codes, for the help.
pub(crate) fn table(meanings: &Meanings) -> String {
    let lines: Vec<_> = meanings.iter().map(|(code, meaning)| format!("  {code}  {meaning}")).collect();
    format!("Exit codes:\n{}", lines.join("\n"))
}
