//! The format of a file, told from its content: names lie.

use crate::{class_name, jimage};

/// The first bytes of a `.jmod`; a zip file follows.
pub(crate) const JMOD_MAGIC: &[u8] = b"JM\x01\x00";

/// What a file's first bytes say it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Class,
    Image,
    Jmod,
    Zip,
    Empty,
    /// Maybe a zip file with something in front of it, such as the shell script of an executable jar.
    Other,
}

impl Format {
    /// The format of a file with these bytes.
    pub(crate) fn of(bytes: &[u8]) -> Self {
        if bytes.is_empty() {
            Self::Empty
        } else if bytes.starts_with(&class_name::MAGIC) {
            Self::Class
        } else if jimage::is_image(bytes) {
            Self::Image
        } else if bytes.starts_with(JMOD_MAGIC) {
            Self::Jmod
        } else if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06") {
            Self::Zip
        } else {
            Self::Other
        }
    }
}
