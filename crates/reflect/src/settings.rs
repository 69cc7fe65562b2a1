//! What is asked of the analysis of reflection.

/// How much is done about reflection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Mode {
    /// Nothing: reflective calls lead nowhere, unless a log says where.
    #[default]
    None,
    /// String constants that name classes and members.
    Constants,
}

impl Mode {
    /// All of them, from the least to the most.
    pub const ALL: [Self; 2] = [Self::None, Self::Constants];

    /// Its name on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Constants => "constants",
        }
    }

    /// The one of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.name() == name)
    }
}

/// What is asked of the analysis of reflection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// How much is done.
    pub mode: Mode,
    /// Of how many classes a call may ask for all members, for that to be done.
    pub most_classes: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { mode: Mode::None, most_classes: 50 }
    }
}
