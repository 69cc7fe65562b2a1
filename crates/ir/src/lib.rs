//! Typed SSA form of method bodies, its verifier and its text form.
