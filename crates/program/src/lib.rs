//! The types, methods and fields of a whole Java program, with resolution, dispatch and subtyping.
