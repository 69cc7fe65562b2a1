//! The reflective calls of a program: their targets, how these are known, and what is unknown.

pub mod annotations;
pub mod json;
pub mod sarif;
mod shown;
pub mod tamiflex;
pub mod text;

use heliostat_core::Origin;
use heliostat_core::analysis::{Known, ReflectiveSite, Summary};

/// What is written of the reflective calls of an analysis.
#[derive(Debug, Clone)]
pub struct Sites<'a> {
    /// The numbers of the analysis.
    pub summary: &'a Summary,
    /// The calls that are asked for, in the order of places.
    pub sites: Vec<&'a ReflectiveSite>,
    /// How many there are, with those that are not asked for.
    pub total: usize,
    /// Whether those in the JDK's own code are meant for people, too.
    pub with_jdk: bool,
}

impl<'a> Sites<'a> {
    /// Those that are meant for people.
    fn for_people(&self) -> impl Iterator<Item = &'a ReflectiveSite> {
        let sites = self.sites.iter().copied();
        sites.filter(|site| self.with_jdk || site.origin != Origin::Jdk)
    }

    fn count(&self, origin: Origin, known: Known) -> usize {
        self.sites.iter().filter(|site| site.origin == origin && site.known == known).count()
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use heliostat_core::analysis::{How, Place, SiteTarget, Target};

    use super::*;

    pub(crate) fn site(offset: u32, known: Known, targets: &[Target]) -> ReflectiveSite {
        let place = Place {
            method: "a/B$C.load(ILjava/lang/String;)V".to_owned(),
            offset,
            line: Some(offset as u16 + 10),
            source_file: Some("B.java".to_owned()),
        };
        let target = |target: &Target| SiteTarget {
            target: target.clone(),
            api: "Method.invoke",
            how: How::Log,
            because: Vec::new(),
        };
        ReflectiveSite {
            place,
            api: "Method.invoke".to_owned(),
            callee: Some("java/lang/reflect/Method.invoke()V".to_owned()),
            index: Some(0),
            origin: Origin::Input,
            known,
            targets: targets.iter().map(target).collect(),
        }
    }
}
