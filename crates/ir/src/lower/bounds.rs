//! How large a method may be made by what it says.
//!
//! Code has at most 65,535 bytes, but blocks times local variables, blocks times handlers, copies of
//! subroutines and values that merge can be many more. Each bound is far above what the largest
//! real methods need (the number in brackets is the largest of JDK 17, JDK 25 and the benchmark jars)
//! and low enough for a hostile method to cost at most some 250 MiB and a few seconds.

/// Blocks × local variables \[55,998\].
pub(super) const CELLS: usize = 1 << 22;
/// Blocks, copies of subroutines included \[2,011\]. Code without subroutines always fits.
pub(super) const BLOCKS: usize = 1 << 17;
/// Edges between blocks, exceptional ones included \[4,266\].
pub(super) const EDGES: usize = 1 << 20;
/// Bytes of code, copies of subroutines included. Code without subroutines always fits.
pub(super) const CODE: usize = 1 << 20;
/// Calls of subroutines, each within its own calls.
pub(super) const SUBROUTINES: usize = 4096;
/// Handlers × blocks, which are all compared.
pub(super) const HANDLER_TESTS: usize = 1 << 26;
/// Values on the operand stack at the ends of all blocks together \[1,161\].
pub(super) const STACKS: usize = 1 << 20;
/// Merging values \[8,136\].
pub(super) const PHIS: usize = 1 << 19;
/// Operands of merging values \[56,811\].
pub(super) const PHI_ARGS: usize = 1 << 22;
/// Looks at a phi while needless ones are dropped; past that, they stay. Each reads its operands but once.
pub(super) const DROP_STEPS: usize = 1 << 26;
/// Looks at an operand while types are inferred.
pub(super) const INFER_STEPS: usize = 1 << 26;
/// Slots that all frames of a `StackMapTable` together speak of \[15,634\].
pub(crate) const FRAME_SLOTS: usize = 1 << 20;
