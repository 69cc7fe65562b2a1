//! Casts, and whether they may fail.

use heliostat_index::{FastMap, SetId};
use heliostat_program::{MethodId, Program, Subtype, TypeId};

use crate::facts::Cast;
use crate::solution::Solution;
use crate::types::Types;

/// A cast of reached bytecode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReachedCast {
    /// The method that has it.
    pub method: MethodId,
    /// Its bytecode offset.
    pub offset: u32,
    /// Whether an object arrives that is not known to be of the type.
    pub may_fail: bool,
}

impl Solution {
    /// All reached casts, in order.
    pub fn casts(&self, program: &Program) -> Vec<ReachedCast> {
        let types = Types { program, facts: &self.facts };
        let mut casts: Vec<ReachedCast> = Vec::new();
        let mut known: FastMap<(SetId, TypeId), bool> = FastMap::default();
        for (code, instances) in self.instances_by_code() {
            let Some(method) = self.facts.method(code) else { continue };
            for &Cast { from, ty, offset } in self.facts.template(code).map_or(&[][..], |t| &t.casts) {
                let may_fail = instances.iter().any(|&i| {
                    let node = self.node(i, from);
                    *known.entry((self.solver.set(node), ty)).or_insert_with(|| {
                        let mut arrived = self.solver.blocks(node).iter();
                        arrived.any(|&b| {
                            types.is_of(self.groups[self.solver.block_group(b)], ty) != Subtype::Yes
                        })
                    })
                });
                casts.push(ReachedCast { method, offset, may_fail });
            }
        }
        merged(casts)
    }
}

/// Copies of one instruction, as of the body of a `jsr`, are one cast, which may fail if one of them may.
fn merged(mut casts: Vec<ReachedCast>) -> Vec<ReachedCast> {
    casts.sort_unstable_by_key(|cast| (cast.method, cast.offset));
    casts.dedup_by(|copy, first| {
        let is_copy = (copy.method, copy.offset) == (first.method, first.offset);
        first.may_fail |= is_copy && copy.may_fail;
        is_copy
    });
    casts
}
