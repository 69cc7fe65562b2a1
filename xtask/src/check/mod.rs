//! `cargo xtask check`: what must hold of Heliostat's results on real programs, whatever they cost.

mod pta;

use std::path::Path;

use anyhow::Result;

/// What to check.
#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// Call graphs: contexts within insens, insens within the class hierarchy, the same bytes from any run
    Pta(pta::Options),
}

pub(crate) fn run(root: &Path, command: &Command) -> Result<()> {
    match command {
        Command::Pta(options) => pta::run(root, options),
    }
}
