//! Which parts of the JDK have to do with each other.
//!
//! Without contexts, whatever is put into any collection comes out of all of them, so that every name of a class that
//! the JDK has somewhere arrives at every place where it loads classes by name. But what one part of the JDK names, it does not mean for
//! another: at a call in the JDK, a class of the JDK counts only if both are of one module or of one family of packages. Classes
//! of the program count everywhere, and calls of the program are about all classes.

use heliostat_index::IdMap;
use heliostat_program::ClassId;

/// Where in the JDK a class is: the numbers of its module and of the first two parts of its package.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Area {
    /// The module; 0 for `java.base`, which has parts of everything, and where there are no modules.
    pub module: u32,
    /// The family of packages; 0 for classes that are not the JDK's.
    pub family: u32,
}

/// The areas of all classes.
#[derive(Debug, Clone)]
pub struct Areas(IdMap<ClassId, Area>);

impl Default for Areas {
    fn default() -> Self {
        Self::new()
    }
}

impl Areas {
    /// Areas, none of which is known.
    pub fn new() -> Self {
        Self(IdMap::with_default(Area::default()))
    }

    /// Says where a class of the JDK is.
    pub fn set(&mut self, class: ClassId, area: Area) {
        self.0[class] = area;
    }

    /// Whether a class is the JDK's.
    pub(crate) fn is_platform(&self, class: ClassId) -> bool {
        self.0[class].family != 0
    }

    /// Whether a call in one class may well be about another.
    pub(crate) fn may_mean(&self, caller: ClassId, class: ClassId) -> bool {
        let (caller, class) = (self.0[caller], self.0[class]);
        caller.family == 0
            || class.family == 0
            || caller.family == class.family
            || (caller.module != 0 && caller.module == class.module)
    }
}
