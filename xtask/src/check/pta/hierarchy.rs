//! Class-hierarchy analysis (Dean, Grove and Chambers, ECOOP'95): a call may run what any class below the declared
//! type of its receiver, of which there can be objects, selects.

use heliostat_core::program::{
    ClassId, Constant, DynamicType, MethodId, MethodRef, PoolEntry, Program, Subtype, TypeId, TypeKind,
};
use heliostat_core::pta::facts::EdgeKind;
use heliostat_index::{FastMap, FastSet};

/// What gives a callee.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// The instruction alone, or a class below the declared one.
    Class,
    /// Only the class that the JVM makes for a lambda of an interface below the declared one.
    Lambda,
    /// Only a class that may be below the declared one: a class above it is missing.
    Missing,
}

/// Who may make objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum World {
    /// The program alone.
    Closed,
    /// Whoever uses it as a library: they may implement any interface and extend any class.
    Open,
}

impl World {
    /// Whether there can be objects that have the methods of a class.
    fn has_objects(self, program: &Program, class: ClassId) -> bool {
        let flags = program.classes()[class].flags;
        self == Self::Open || !flags.is_abstract() && !flags.is_interface()
    }
}

/// The callees of calls by the class hierarchy.
pub(super) struct Hierarchy<'a> {
    program: &'a Program,
    world: World,
    /// Interfaces that a lambda of the linked classes may have.
    lambdas: Vec<ClassId>,
    /// Classes of which there can be objects, and above which something is missing.
    incomplete: Vec<ClassId>,
    /// What the classes below a type select for a method.
    selected: FastMap<(TypeId, MethodId), FastSet<MethodId>>,
}

impl<'a> Hierarchy<'a> {
    /// Knows the lambdas of all classes that are linked.
    pub(super) fn new(program: &'a Program, world: World) -> Self {
        let classes = || program.classes().ids();
        let incomplete = classes().filter(|&c| program.is_incomplete(c) && world.has_objects(program, c));
        let mut lambdas: Vec<ClassId> = classes().flat_map(|class| lambdas_of(program, class)).collect();
        lambdas.sort_unstable();
        lambdas.dedup();
        Self { program, world, lambdas, incomplete: incomplete.collect(), selected: FastMap::default() }
    }

    /// How a call by code of the class `from` may run `callee`; none if it may not.
    pub(super) fn way(
        &mut self,
        kind: EdgeKind,
        reference: MethodRef,
        from: ClassId,
        callee: MethodId,
    ) -> Option<Way> {
        let program = self.program;
        let resolved = program.resolve_method(reference, from).member()?;
        let is_it = |method: Option<MethodId>| (method == Some(callee)).then_some(Way::Class);
        match kind {
            EdgeKind::Static => is_it(Some(resolved)),
            EdgeKind::Special => is_it(program.select_special(reference, resolved, from).method()),
            _ if self.selected(reference.owner, resolved).contains(&callee) => Some(Way::Class),
            _ if self.by_lambda(reference, callee) => Some(Way::Lambda),
            _ if self.by_missing(reference.owner, resolved, callee) => Some(Way::Missing),
            _ => None,
        }
    }

    fn selected(&mut self, owner: TypeId, resolved: MethodId) -> &FastSet<MethodId> {
        let (program, world) = (self.program, self.world);
        self.selected.entry((owner, resolved)).or_insert_with(|| {
            let selected = |class| program.select(program.classes()[class].ty, resolved).method();
            below(program, world, owner).into_iter().filter_map(selected).collect()
        })
    }

    /// Whether a lambda's class inherits it: it has no methods of its own besides that of its interface.
    fn by_lambda(&self, reference: MethodRef, callee: MethodId) -> bool {
        let program = self.program;
        let Some(owner) = program.class_of(reference.owner) else { return false };
        if program.methods()[callee].flags.is_abstract() {
            return false;
        }
        self.lambdas.iter().filter(|&&lambda| program.is_subtype_class(lambda, owner)).any(|&lambda| {
            let inherited = MethodRef { owner: program.classes()[lambda].ty, interface: true, ..reference };
            program.resolve_method(inherited, lambda).member() == Some(callee)
        })
    }

    fn by_missing(&self, owner: TypeId, resolved: MethodId, callee: MethodId) -> bool {
        let program = self.program;
        self.incomplete.iter().any(|&class| {
            let ty = program.classes()[class].ty;
            program.subtype(ty, owner) == Subtype::Unknown
                && program.select(ty, resolved).method() == Some(callee)
        })
    }
}

/// The classes of which there can be objects, at and below a type. The methods of an array are those of `Object`.
fn below(program: &Program, world: World, ty: TypeId) -> Vec<ClassId> {
    if let TypeKind::Array(_) = program.types.kind(ty) {
        return program.class_of(TypeId::OBJECT).into_iter().collect();
    }
    let mut classes = program.class_of(ty).map_or(Vec::new(), |class| program.subtypes(class));
    classes.retain(|&class| world.has_objects(program, class));
    classes
}

/// The interfaces that the `invokedynamic` instructions of a linked class make objects of: what they return, and the
/// other classes that they name.
fn lambdas_of(program: &Program, class: ClassId) -> Vec<ClassId> {
    let Some(linked) = program.linked(class) else { return Vec::new() };
    let mut types = Vec::new();
    for entry in linked.entries() {
        let &PoolEntry::Call(dynamic) = entry else { continue };
        let dynamic = program.dynamic(dynamic);
        let DynamicType::Call(descriptor) = dynamic.ty else { continue };
        types.push(program.method_type(descriptor).result);
        let arguments = linked.bootstrap(dynamic.bootstrap).map_or(&[][..], |row| &row.arguments);
        types.extend(arguments.iter().filter_map(|argument| match argument {
            Constant::Class(ty) => Some(*ty),
            _ => None,
        }));
    }
    let classes = types.into_iter().filter_map(|ty| program.class_of(ty));
    classes.filter(|&class| program.classes()[class].flags.is_interface()).collect()
}
