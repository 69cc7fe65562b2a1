//! Which parts of the JDK have to do with each other.
//!
//! Without contexts, whatever is put into any collection comes out of all of them, so that every name of a class that
//! the JDK has somewhere arrives at every place where it loads classes by name. But what one part of the JDK names, it does not mean for
//! another: at a call in the JDK, a class of the JDK counts only if both are of one module or of one family of packages. A class of the
//! program counts there only if it extends or implements such a class of the JDK, as what is plugged in there does; where the JDK is there
//! for any class, as for beans, it counts anyway. Calls of the program are about all classes.

use heliostat_index::IdMap;
use heliostat_program::{ClassId, Program, TypeId};

/// Where in the JDK a class is: the numbers of its module and of the first two parts of its package.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Area {
    /// The module; 0 for `java.base`, which has parts of everything, and where there are no modules.
    pub module: u32,
    /// The family of packages; 0 for classes that are not the JDK's.
    pub family: u32,
    /// Whether its code is there for any class of programs.
    pub is_generic: bool,
}

impl Area {
    fn is_near(self, other: Self) -> bool {
        self.family == other.family || (self.module != 0 && self.module == other.module)
    }
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
    pub(crate) fn may_mean(&self, program: &Program, caller: ClassId, class: ClassId) -> bool {
        let (area, target) = (self.0[caller], self.0[class]);
        if area.family == 0 || area.is_generic {
            return true;
        }
        if target.family != 0 {
            return area.is_near(target);
        }
        let mut above = program.super_classes(class).chain(program.super_interfaces(class).iter().copied());
        above.any(|above| {
            let is_known = program.classes()[above].ty != TypeId::OBJECT && self.is_platform(above);
            is_known && area.is_near(self.0[above])
        })
    }
}
