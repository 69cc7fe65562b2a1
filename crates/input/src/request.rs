//! What to open, as plain data.

use std::ffi::OsString;
use std::path::PathBuf;

use bytes::Bytes;

/// What to open. `Request::default()` names nothing and uses no JDK.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The programs to analyse: a jar, WAR, `.jmod`, modules image, `.class` file or directory each;
    /// `@file` for a file that holds a class path, and `dir/*` for all jars of a directory.
    pub inputs: Vec<OsString>,
    /// More programs to analyse, which no disk holds; they come after the others.
    pub memory: Vec<MemoryFile>,
    /// The libraries: class paths as `java -cp` takes them, each one or more of the above with the
    /// platform's path separator between.
    pub class_path: Vec<OsString>,
    /// Which JDK's classes to add.
    pub jdk: JdkChoice,
    /// Where to look for a JDK.
    pub environment: Environment,
    /// How much hostile input may cost.
    pub limits: Limits,
}

/// A jar, class file or the like that lies in memory.
#[derive(Clone, Debug)]
pub struct MemoryFile {
    /// The name that its archive gets.
    pub name: String,
    /// Its content.
    pub bytes: Bytes,
}

/// Which JDK to use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum JdkChoice {
    /// None.
    #[default]
    None,
    /// The one that [`Environment`] leads to; if there is none, that is a problem, not an error.
    Auto,
    /// This one: a JDK or JRE home, a modules image, an `rt.jar`, or a directory of `.jmod` files.
    Home(PathBuf),
}

/// What a search for a JDK may look at. The caller fills it in: a library reads no environment.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    /// The value of `JAVA_HOME`.
    pub java_home: Option<PathBuf>,
    /// The value of `PATH`.
    pub path: Option<OsString>,
    /// The user's home directory.
    pub home: Option<PathBuf>,
}

/// Bounds on what an input may cost, whatever it declares about itself.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The largest class or resource that is read, in bytes.
    pub entry_bytes: u64,
    /// The bytes of memory that all classes that are not [mapped](crate::Inputs::is_mapped) may take; what
    /// comes after is not read.
    pub class_bytes: u64,
    /// The bytes of memory that all nested jars, which must be inflated to be read, may take.
    pub nested_bytes: u64,
    /// How many jars deep a class may lie: 1 allows jars in a jar.
    pub nesting: u32,
    /// How many times its compressed size an entry may inflate to, once past 1 MiB.
    pub ratio: u64,
    /// The number of entries of all archives together.
    pub entries: u32,
    /// How many problems, duplicates and missing entries of `Class-Path` are listed per archive; the others
    /// are counted.
    pub listed: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            entry_bytes: 256 << 20,
            class_bytes: 1 << 30,
            nested_bytes: 1 << 30,
            nesting: 3,
            ratio: 200,
            entries: 4_000_000,
            listed: 100,
        }
    }
}
