//! Tests of `heliostat-input` through its public door, on archives made byte by byte.

mod class_path;
mod damaged;
mod hostile;
mod image;
mod jars;
mod jdk;
mod mutation;
mod support;
