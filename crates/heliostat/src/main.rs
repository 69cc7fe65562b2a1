//! The `heliostat` binary: arguments, environment, progress, messages and exit codes.
//!
//! What it knows about programs it gets from `heliostat-core`; here it is only asked for and shown.

mod args;
mod commands;
mod console;
mod exit;
mod failure;
mod interrupt;
mod jdk;
mod progress;
mod session;
mod text;

use std::env;
use std::process::ExitCode;

use clap::Parser;

use args::Arguments;
use failure::Failure;

fn main() -> ExitCode {
    let code = match Arguments::try_parse_from(args::java_habits(env::args_os())) {
        Ok(arguments) => match commands::run(&arguments.command) {
            Ok(code) => code,
            Err(failure) => failed(&failure),
        },
        Err(error) => console::usage(&error),
    };
    ExitCode::from(code)
}

fn failed(failure: &Failure) -> u8 {
    match failure {
        Failure::ReaderGone => exit::DONE,
        Failure::Message(message) => {
            console::error(message);
            exit::BAD
        }
        Failure::Ended(message) => {
            console::error(message);
            exit::BUDGET
        }
    }
}
