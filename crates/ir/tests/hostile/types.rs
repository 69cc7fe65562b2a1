//! Joins of types that nothing named together, and what is looked up where `Object` is not as it should be.

use heliostat_program::{ClassId, MethodId, MethodRef, Program, Resolution, Selection, TypeId};

use crate::asm::{Asm, shorts};
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

/// The reference to a method of a type, as class 0 sees it.
fn resolve(program: &mut Program, owner: &str, name: &str, descriptor: &str) -> Resolution<MethodId> {
    let owner = program.intern_type(owner.as_bytes());
    let id = program.intern_method_ref(owner, name.as_bytes(), descriptor.as_bytes(), false).unwrap();
    let MethodRef { selector, .. } = program.method_ref(id);
    program.resolve_method(MethodRef { owner, selector, interface: false }, ClassId::from_u32(0))
}

/// What an array inherits comes from `Object`: that is what is missing, not the array.
#[test]
fn arrays_without_object() {
    let mut asm = Asm::new("A");
    asm.abstract_method("m", "()V");
    let (mut program, ..) = program(&[asm.bytes()]);
    assert_eq!(resolve(&mut program, "[I", "clone", "()V"), Resolution::MissingClass(TypeId::OBJECT));
    let array = program.intern_type(b"[I");
    assert_eq!(program.select(array, MethodId::from_u32(0)), Selection::MissingClass(TypeId::OBJECT));
}

/// JVMS 2.9.3: native, of variable arity, and with a single parameter of type `Object[]`.
#[test]
fn signature_polymorphic_methods() {
    let methods = [
        ("right", 0x181, "([Ljava/lang/Object;)V"),
        ("one", 0x181, "(Ljava/lang/Object;)V"),
        ("deep", 0x181, "([[Ljava/lang/Object;)V"),
        ("more", 0x181, "(I[Ljava/lang/Object;)V"),
        ("fixed", 0x101, "([Ljava/lang/Object;)V"),
    ];
    let mut asm = Asm::new("java/lang/invoke/MethodHandle");
    for (name, flags, descriptor) in methods {
        let (name, descriptor) = (asm.utf8(name), asm.utf8(descriptor));
        asm.raw_method(&shorts(&[flags, name, descriptor, 0]));
    }
    let (mut program, problems, _) = program(&[asm.bytes(), Asm::new("java/lang/Object").bytes()]);
    assert_eq!(problems, []);
    for (i, (name, ..)) in methods.iter().enumerate() {
        let found = resolve(&mut program, "java/lang/invoke/MethodHandle", name, "(I)I");
        let right = Resolution::SignaturePolymorphic(MethodId::from_u32(0));
        assert_eq!(found, if i == 0 { right } else { Resolution::NotFound }, "{name}");
    }
}
