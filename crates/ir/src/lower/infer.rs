//! Types of phis and of elements of arrays, inferred.

use heliostat_classfile::ValueKind;
use heliostat_program::{Program, TypeId};

use super::ssa::Ssa;
use crate::Value;
use crate::types::element_type;

/// Raises the types of reference phis and of loaded array elements until nothing changes.
/// `loads` are pairs of a loaded value and the array it comes from.
pub(super) fn infer(program: &Program, ssa: &mut Ssa, loads: &[(Value, Value)]) {
    let phis: Vec<usize> = (0..ssa.phis.len())
        .filter(|&i| !ssa.is_dropped(&ssa.phis[i]) && ssa.kind(ssa.phis[i].value) == ValueKind::Ref)
        .collect();
    loop {
        let mut changed = false;
        for &index in &phis {
            let phi = &ssa.phis[index];
            let value = phi.value;
            let args = ssa.phi_args(phi).iter();
            let ty = args.fold(ssa.types[value], |ty, &arg| program.join(ty, ssa.types[ssa.found(arg)]));
            changed |= raise(ssa, value, ty);
        }
        for &(value, array) in loads {
            let element = element_type(program, ssa.types[ssa.found(array)]);
            let ty = program.join(ssa.types[value], element);
            changed |= raise(ssa, value, ty);
        }
        if !changed {
            return;
        }
    }
}

fn raise(ssa: &mut Ssa, value: Value, ty: TypeId) -> bool {
    let changed = ssa.types[value] != ty;
    ssa.types[value] = ty;
    changed
}
