//! Types of phis and of elements of arrays, inferred.

use heliostat_classfile::{Malformed, ValueKind};
use heliostat_index::IdMap;
use heliostat_program::{Program, TypeId};

use super::ssa::Ssa;
use super::{Source, bounds};
use crate::Value;
use crate::types::element_type;

/// Of a value whose type depends on no other.
const NONE: u32 = u32::MAX;

/// Where the type of a value comes from.
enum From {
    /// The operands of the phi of this number.
    Phi(u32),
    /// The element type of this array.
    Load(Value),
}

/// Raises the types of reference phis and of loaded array elements until nothing changes.
/// `loads` are pairs of a loaded value and the array it comes from.
pub(super) fn infer(source: &Source<'_>, ssa: &mut Ssa, loads: &[(Value, Value)]) -> Result<(), Malformed> {
    let merges = merges(ssa, loads);
    if merges.is_empty() {
        return Ok(());
    }
    let users = Users::new(ssa, &merges);
    let mut waiting = vec![true; merges.len()];
    // The last is taken first: in the order of the code, most need one look.
    let mut queue: Vec<u32> = (0..merges.len() as u32).rev().collect();
    let mut steps = 0;
    while let Some(at) = queue.pop() {
        waiting[at as usize] = false;
        let (value, ref from) = merges[at as usize];
        steps += 1 + operands(ssa, from).len();
        if steps > bounds::INFER_STEPS {
            return Err(source.invalid(0, "types that merge too often"));
        }
        let ty = source.program.join(ssa.types[value], merged_type(source.program, ssa, from));
        if ssa.types[value] != ty {
            ssa.types[value] = ty;
            let idle = |user: &&u32| !std::mem::replace(&mut waiting[**user as usize], true);
            queue.extend(users.of(at).iter().filter(idle));
        }
    }
    Ok(())
}

fn merges(ssa: &Ssa, loads: &[(Value, Value)]) -> Vec<(Value, From)> {
    let phis = ssa.phis.iter().enumerate();
    let phis = phis.filter(|(_, phi)| !ssa.is_dropped(phi) && ssa.kind(phi.value) == ValueKind::Ref);
    let phis = phis.map(|(i, phi)| (phi.value, From::Phi(i as u32)));
    phis.chain(loads.iter().map(|&(value, array)| (value, From::Load(array)))).collect()
}

fn operands<'a>(ssa: &'a Ssa, from: &'a From) -> &'a [Value] {
    match from {
        From::Phi(index) => ssa.phi_args(&ssa.phis[*index as usize]),
        From::Load(array) => std::slice::from_ref(array),
    }
}

fn merged_type(program: &Program, ssa: &Ssa, from: &From) -> TypeId {
    let types = operands(ssa, from).iter().map(|&value| ssa.types[ssa.found(value)]);
    match from {
        From::Phi(_) => types.fold(TypeId::NULL, |a, b| program.join(a, b)),
        From::Load(_) => types.fold(TypeId::NULL, |_, array| element_type(program, array)),
    }
}

/// Which of the values depend on each of them.
struct Users {
    starts: Vec<u32>,
    users: Vec<u32>,
}

impl Users {
    fn new(ssa: &Ssa, merges: &[(Value, From)]) -> Self {
        let mut number = IdMap::sized(ssa.types.len(), NONE);
        for (i, &(value, _)) in merges.iter().enumerate() {
            number[value] = i as u32;
        }
        let dependences = |each: &mut dyn FnMut(usize, u32)| {
            for (user, (_, from)) in merges.iter().enumerate() {
                for &operand in operands(ssa, from) {
                    let used = number[ssa.found(operand)];
                    if used != NONE {
                        each(used as usize, user as u32);
                    }
                }
            }
        };
        let mut starts = vec![0; merges.len() + 1];
        dependences(&mut |used, _| starts[used + 1] += 1);
        for i in 0..merges.len() {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let mut users = vec![0; starts[merges.len()] as usize];
        dependences(&mut |used, user| {
            users[next[used] as usize] = user;
            next[used] += 1;
        });
        Self { starts, users }
    }

    fn of(&self, merge: u32) -> &[u32] {
        &self.users[self.starts[merge as usize] as usize..self.starts[merge as usize + 1] as usize]
    }
}
