//! Why a command ended early.

use std::io;

use heliostat_core::InputError;

/// Why a command ended early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Whoever read the output wants no more of it, as `head` does: no failure of ours.
    ReaderGone,
    /// Something to tell the user.
    Message(String),
    /// The same, where a limit or Ctrl-C ended it before there was anything to write.
    Ended(String),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::ReaderGone,
            _ => Self::Message(format!("cannot write the output: {error}")),
        }
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        Self::from(io::Error::from(error))
    }
}

impl From<InputError> for Failure {
    fn from(error: InputError) -> Self {
        Self::Message(error.to_string())
    }
}
