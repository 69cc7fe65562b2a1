//! Types of phis and of elements of arrays, inferred.

use heliostat_classfile::{Malformed, ValueKind};
use heliostat_index::{Id, IdMap, Lists, PackedOption, id};
use heliostat_program::{Program, TypeId};

use super::ssa::Ssa;
use super::{Source, bounds};
use crate::Value;
use crate::types::element_type;

id! {
    /// A value whose type depends on others'.
    struct Merge = "merge";
}

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
    let users = users(ssa, &merges);
    let mut waiting = vec![true; merges.len()];
    // The last is taken first: in the order of the code, most need one look.
    let mut queue: Vec<Merge> = (0..merges.len()).rev().map(Merge::new).collect();
    let mut steps = 0;
    while let Some(at) = queue.pop() {
        waiting[at.index()] = false;
        let (value, ref from) = merges[at.index()];
        steps += 1 + operands(ssa, from).len();
        if steps > bounds::INFER_STEPS {
            return Err(source.invalid(0, "types that merge too often"));
        }
        let ty = source.program.join(ssa.types[value], merged_type(source.program, ssa, from));
        if ssa.types[value] != ty {
            ssa.types[value] = ty;
            let idle = |user: &&Merge| !std::mem::replace(&mut waiting[user.index()], true);
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

/// Which of the merges depend on each of them.
fn users(ssa: &Ssa, merges: &[(Value, From)]) -> Lists<Merge, Merge> {
    let mut number = IdMap::sized(ssa.types.len(), PackedOption::none());
    for (i, &(value, _)) in merges.iter().enumerate() {
        number[value] = Merge::new(i).into();
    }
    let number = &number;
    let uses = merges.iter().enumerate().flat_map(move |(user, (_, from))| {
        let used = operands(ssa, from).iter().filter_map(|&operand| number[ssa.found(operand)].expand());
        used.map(move |used| (used, Merge::new(user)))
    });
    Lists::new(merges.len(), uses)
}
