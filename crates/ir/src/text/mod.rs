//! The text form of the IR.
