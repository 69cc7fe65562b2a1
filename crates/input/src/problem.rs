//! What can go wrong: problems, which are data, and errors, which stop.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// Something in the input that could not be read. The rest was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The archive as [`Archive::name`](crate::Archive::name) writes it, or what was looked for.
    pub archive: String,
    /// The path inside the archive, with what is not UTF-8 replaced.
    pub entry: Option<String>,
    /// The byte offset in the archive.
    pub offset: Option<u64>,
    /// What is wrong, as a sentence without a full stop.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.archive)?;
        if let Some(entry) = &self.entry {
            write!(f, "!/{}", entry.trim_start_matches('/'))?;
        }
        if let Some(offset) = self.offset {
            write!(f, " at offset {offset}")?;
        }
        write!(f, ": {}", self.message)
    }
}

/// Why [`open`](crate::open) gave up: something that the user named cannot be used at all.
#[derive(Debug)]
pub enum InputError {
    /// A named file or directory does not exist or cannot be read.
    Unreadable {
        /// What was named.
        path: PathBuf,
        /// Why it cannot be read.
        source: io::Error,
    },
    /// An input is named by an empty text.
    EmptyInput,
    /// The named JDK home holds no JDK.
    NoJdk {
        /// What was named.
        home: PathBuf,
    },
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable { path, source } => write!(f, "cannot read {}: {source}", path.display()),
            Self::EmptyInput => f.write_str("an input has an empty name"),
            Self::NoJdk { home } => write!(
                f,
                "no JDK at {}: it has neither lib/modules nor rt.jar nor .jmod files",
                home.display()
            ),
        }
    }
}

impl std::error::Error for InputError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Unreadable { source, .. } => Some(source),
            Self::EmptyInput | Self::NoJdk { .. } => None,
        }
    }
}

/// What a reader of one format found wrong, before archive and entry are known.
#[derive(Debug)]
pub(crate) struct Defect {
    pub(crate) offset: Option<u64>,
    pub(crate) message: String,
}

impl Defect {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { offset: None, message: message.into() }
    }

    pub(crate) fn at(offset: u64, message: impl Into<String>) -> Self {
        Self { offset: Some(offset), message: message.into() }
    }
}
