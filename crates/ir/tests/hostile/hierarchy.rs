//! Hierarchies that no JVM would load.

use heliostat_program::{
    ClassId, FieldRef, HierarchyProblem, MethodRef, Program, Resolution, Subtype, TypeId,
};

use crate::asm::Asm;
use crate::{bounded, program};

fn find(program: &Program, name: &str) -> ClassId {
    program.find_class(name).unwrap()
}

/// Everything that walks the hierarchy, for every class.
fn walk(program: &mut Program) {
    for class in program.classes().ids().collect::<Vec<_>>() {
        let ty = program.classes()[class].ty;
        assert!(program.super_classes(class).count() <= 4097);
        assert!(program.super_interfaces(class).len() <= 4096);
        assert_eq!(program.subtype(ty, ty), Subtype::Yes);
        program.missing_from(class);
    }
}

#[test]
fn cycles() {
    let object = Asm::new("java/lang/Object").bytes();
    let classes = [
        object,
        Asm::new("Self").extends("Self").bytes(),
        Asm::new("A").extends("B").bytes(),
        Asm::new("B").extends("C").bytes(),
        Asm::new("C").extends("A").bytes(),
        Asm::interface("I").implements("J").bytes(),
        Asm::interface("J").implements("I").implements("I").implements("J").bytes(),
        // Through a class that implements an interface that extends the class.
        Asm::new("Mixed").implements("Back").bytes(),
        Asm::interface("Back").extends("Mixed").bytes(),
        Asm::new("Below").extends("A").implements("I").bytes(),
    ];
    let (mut program, problems, cycles) = program(&classes);
    assert_eq!(problems, []);
    let mut told: Vec<_> = cycles
        .iter()
        .map(|problem| match problem {
            HierarchyProblem::Cycle { class, parent } => {
                format!("{} {}", program.class_name(*class), program.class_name(*parent))
            }
            other => panic!("{other:?}"),
        })
        .collect();
    told.dedup();
    assert_eq!(told, ["Self Self", "C A", "J I", "J J", "Back Mixed"]);
    walk(&mut program);
    let below = find(&program, "Below");
    assert!(program.is_incomplete(below));
    assert!(program.is_subclass(below, find(&program, "C")));
    assert!(program.is_subtype_class(below, find(&program, "J")));
    let [a, c] = ["A", "C"].map(|name| program.classes()[find(&program, name)].ty);
    assert_eq!(program.join(a, c), c);
    assert_eq!(program.join(c, a), c);
}

#[test]
fn a_chain_of_50_000_superclasses() {
    let class = |i: u32| {
        let name = format!("C{i}");
        let asm = if i == 0 { Asm::new(&name) } else { Asm::new(&name).extends(&format!("C{}", i - 1)) };
        asm.bytes()
    };
    let mut last = Asm::new("Last").extends("C49999");
    for i in 0..8000 {
        last.member(10, "C49999", &format!("m{i}"), "()V");
        last.member(9, "C49999", &format!("f{i}"), "I");
    }
    let classes: Vec<_> = (0..50_000).map(class).chain([last.bytes()]).collect();
    bounded(|| {
        let (mut program, problems, cuts) = program(&classes);
        assert_eq!(problems, []);
        assert_eq!(cuts.len(), 12);
        let id = |i: u32| ClassId::from_u32(i);
        assert_eq!(cuts[0], HierarchyProblem::TooDeep(id(4097)));
        assert_eq!([4096, 4097].map(|i| program.super_classes(id(i)).count()), [4097, 1]);
        walk(&mut program);
        let ty = |i: u32| program.classes()[id(i)].ty;
        for i in 0..4096 {
            assert_eq!(program.join(ty(i), ty(4096 - i)), ty(i.min(4096 - i)));
        }
        assert_eq!(program.join(ty(100), ty(5000)), TypeId::OBJECT);
    });
}

#[test]
fn a_crowd_of_interfaces() {
    let mut asm = Asm::interface("All");
    for i in 0..30_000 {
        let interface = asm.class(format!("I{i}"));
        asm.interfaces.extend([interface; 2]);
    }
    let mut classes: Vec<_> = (0..30_000).map(|i| Asm::interface(&format!("I{i}")).bytes()).collect();
    classes.push(asm.bytes());
    bounded(|| {
        let (mut program, _, problems) = program(&classes);
        assert_eq!(problems, [HierarchyProblem::TooManyInterfaces(ClassId::from_u32(30_000))]);
        walk(&mut program);
    });
}

#[test]
fn a_chain_of_5_000_interfaces() {
    let interface = |i: u32| {
        let asm = Asm::interface(&format!("I{i}"));
        let mut asm = if i == 0 { asm } else { asm.implements(&format!("I{}", i - 1)) };
        asm.abstract_method("m", "()V");
        asm.bytes()
    };
    let mut classes: Vec<_> = (0..5000).map(interface).collect();
    classes.push(Asm::new("java/lang/Object").bytes());
    for i in 0..1000 {
        let mut asm = Asm::new(format!("C{i}")).implements("I4000");
        asm.member(10, &format!("C{i}"), "m", "()V");
        asm.member(9, &format!("C{i}"), "f", "I");
        // The same list of 4,001 over and over.
        let again = *asm.interfaces.first().unwrap();
        asm.interfaces.extend([again; 1000]);
        classes.push(asm.bytes());
    }
    bounded(|| {
        let (mut program, _, problems) = program(&classes);
        assert_eq!(problems, [HierarchyProblem::TooManyInterfaces(find(&program, "I4097"))]);
        walk(&mut program);
        let [class, interface] = ["C7", "I4000"].map(|name| find(&program, name));
        let selector = program.find_selector("m", "()V").unwrap();
        let owner = program.classes()[class].ty;
        let found = program.resolve_method(MethodRef { owner, selector, interface: false }, class);
        assert_eq!(found, Resolution::Found(program.declared_method(interface, selector).unwrap()));
    });
}

/// Layers of interfaces, each of which extends all of the layer before.
#[test]
fn a_lattice_of_interfaces() {
    let mut classes = Vec::new();
    for layer in 0..60 {
        for i in 0..60 {
            let mut asm = Asm::interface(&format!("L{layer}x{i}"));
            asm.abstract_method("m", "()V");
            for above in (0..60).filter(|_| layer > 0) {
                asm = asm.implements(&format!("L{}x{above}", layer - 1));
            }
            classes.push(asm.bytes());
        }
    }
    bounded(|| {
        let (mut program, _, problems) = program(&classes);
        assert_eq!(problems, []);
        walk(&mut program);
        assert_eq!(program.super_interfaces(find(&program, "L59x0")).len(), 59 * 60);
    });
}

/// JVMS 5.4.3.2: a class's own interfaces, but not its superclass's, come before the superclass.
#[test]
fn fields_of_superclass_and_interface() {
    let field = |mut asm: Asm| {
        asm.field("f", "I");
        asm.bytes()
    };
    let classes = [
        field(Asm::interface("I")),
        field(Asm::interface("J")),
        field(Asm::new("B").implements("I")),
        Asm::new("C").extends("B").bytes(),
        Asm::new("D").extends("B").implements("J").bytes(),
        Asm::new("E").implements("J").implements("I").bytes(),
    ];
    let (program, ..) = program(&classes);
    let declared_in = |name: &str| {
        let class = find(&program, name);
        let owner = program.classes()[class].ty;
        let reference = FieldRef { owner, name: program.symbols.find(b"f").unwrap(), ty: TypeId::INT };
        let field = program.resolve_field(reference, class).member().unwrap();
        program.class_name(program.fields()[field].class)
    };
    assert_eq!(["B", "C", "D", "E"].map(declared_in), ["B", "B", "J", "J"]);
}
