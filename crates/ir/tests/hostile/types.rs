//! Joins of types that nothing named together.

use heliostat_program::{ClassId, TypeId};

use crate::asm::Asm;
use crate::program;

/// A and B extend C; C and D extend P, which extends `Object`. Of the array types only some exist.
#[test]
fn join_of_arrays_does_not_depend_on_order() {
    let classes = [("P", "java/lang/Object"), ("C", "P"), ("D", "P"), ("A", "C"), ("B", "C")];
    for existing in [&[][..], &["[[LP;"], &["[[LC;"], &["[[Ljava/lang/Object;"], &["[[LP;", "[[LC;"]] {
        let mut asm = Asm::new("Arrays");
        let leaves = ["[[LA;", "[[LB;", "[[LD;", "[[I", "[[[LA;"];
        for name in leaves.iter().chain(existing) {
            asm.class(name);
        }
        let mut files: Vec<_> = classes.iter().map(|(n, s)| Asm::new(n).extends(s).bytes()).collect();
        files.extend([Asm::new("java/lang/Object").bytes(), asm.bytes()]);
        let (mut program, problems, _) = program(&files);
        assert_eq!(problems, []);
        program.link(ClassId::from_u32(6));
        let types: Vec<TypeId> = leaves.iter().map(|name| program.intern_type(name.as_bytes())).collect();
        for &a in &types {
            for &b in &types {
                assert_eq!(program.join(a, b), program.join(b, a));
                for &c in &types {
                    let (left, right) =
                        (program.join(program.join(a, b), c), program.join(a, program.join(b, c)));
                    assert_eq!(left, right, "with {existing:?}");
                }
            }
        }
    }
}
