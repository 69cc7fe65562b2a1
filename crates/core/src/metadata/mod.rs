//! What tools that see only what code names have to be told of reflection: reachability metadata for GraalVM's native image,
//! and what shrinkers have to keep. Each entry says which calls need it.

mod artifact;
mod condition;
mod entries;
mod keep;
mod names;
mod needs;
mod reason;
mod scope;

pub use artifact::Artifact;
pub use entries::{Glob, Metadata, Named, ResourceEntry, TypeEntry};
pub use keep::{KeepMember, KeepRule, Strength, keep};
pub use needs::{Flag, Method};
pub use scope::Scope;

use crate::{Analysis, Opened};
use condition::Conditions;
use entries::Entries;
use needs::Unknown;
use scope::Origins;

/// What GraalVM's native image has to be told of the reflective calls of a program, as far as an analysis knows what they do.
pub fn metadata(opened: &Opened, analysis: &Analysis, scope: Scope) -> Metadata {
    let origins = Origins::new(opened);
    let unknown = Unknown::of(opened, analysis);
    let mut conditions = Conditions::new(opened, analysis);
    let mut entries = Entries::default();
    for target in analysis.reflective.iter().filter(|target| scope.has(&origins, target)) {
        let Some(need) = needs::of(target, unknown) else { continue };
        let module = origins.module(&need.subject);
        for condition in conditions.of(&target.place.method) {
            entries.add(&need, condition, module.as_deref(), target);
        }
    }
    entries.finish()
}
