//! The library door of Heliostat: open inputs, get a program and its problems.
