//! Methods that anybody may call: which objects their receivers and parameters are given.
//!
//! Whoever uses a library may pass an object of any type that fits, those that the library hides among them: it gets them
//! from factories. Such objects are made here, one per type: those of the inputs by their constructors, others by the one without
//! parameters, if there is one.

use heliostat_index::{FastMap, FastSet, IdSet, Ids, PackedOption};
use heliostat_program::{ClassId, MethodId, Program, TypeId};

use crate::extract::{NewCall, Writer};
use crate::facts::{Bounded, Callee, EdgeKind, Facts, FieldKey, Stmt, Var};
use crate::heap::is_instantiable;

/// How many types of the inputs are tried, at most, for what anybody may pass or write: a receiver, a parameter or a field.
pub const OWN_TYPES: usize = 128;
/// How many types outside the inputs are.
pub const OTHER_TYPES: usize = 32;

/// The types outside the inputs that are tried before others: what is passed most.
const COMMON: [&str; OTHER_TYPES] = [
    "java/lang/String",
    "java/lang/Integer",
    "java/lang/Long",
    "java/lang/Boolean",
    "java/lang/Double",
    "java/lang/Character",
    "java/lang/Byte",
    "java/lang/Short",
    "java/lang/Float",
    "java/lang/StringBuilder",
    "java/lang/Exception",
    "java/lang/RuntimeException",
    "java/util/ArrayList",
    "java/util/LinkedList",
    "java/util/HashMap",
    "java/util/LinkedHashMap",
    "java/util/TreeMap",
    "java/util/HashSet",
    "java/util/LinkedHashSet",
    "java/util/TreeSet",
    "java/util/ArrayDeque",
    "java/util/Vector",
    "java/util/Properties",
    "java/util/Optional",
    "java/util/Date",
    "java/util/Locale",
    "java/util/UUID",
    "java/util/concurrent/ConcurrentHashMap",
    "java/math/BigDecimal",
    "java/math/BigInteger",
    "java/io/File",
    "java/net/URI",
];

/// The types of the objects that a receiver, a parameter or a field is given.
struct Fitting {
    /// The type itself first, then those of the inputs, then others.
    types: Vec<TypeId>,
    /// How many others would fit, beyond the bounds.
    left_out: usize,
}

/// The types of the objects that something of a type is given: instantiable ones, itself and below. An abstract type of the inputs stands
/// for what users make of it, and so does a type that nothing instantiable fits. Every class fits `Object`, even where that is missing.
fn fitting_types(program: &Program, inputs: &IdSet<ClassId>, ty: TypeId) -> Fitting {
    let class = program.class_of(ty);
    let is_own = |c: ClassId| inputs.contains(c);
    let below: Vec<ClassId> = match class {
        _ if ty == TypeId::OBJECT => program.classes().ids().collect(),
        Some(class) => program.subtypes(class),
        None => Vec::new(),
    };
    let below = below.into_iter().filter(|&c| Some(c) != class && is_instantiable(program, c));
    let (own, mut others): (Vec<ClassId>, Vec<ClassId>) = below.partition(|&c| is_own(c));
    if others.len() > OTHER_TYPES {
        let common: Vec<ClassId> = COMMON.iter().filter_map(|name| program.find_class(name)).collect();
        others.sort_by_cached_key(|other| common.iter().position(|c| c == other).unwrap_or(OTHER_TYPES));
    }
    let left_out = own.len().saturating_sub(OWN_TYPES) + others.len().saturating_sub(OTHER_TYPES);
    let nothing_fits = own.is_empty() && others.is_empty();
    let is_given = class.is_none_or(|class| is_instantiable(program, class) || is_own(class));
    let itself = (is_given || nothing_fits).then_some(ty);
    let below = own.into_iter().take(OWN_TYPES).chain(others.into_iter().take(OTHER_TYPES));
    let types = itself.into_iter().chain(below.map(|c| program.classes()[c].ty)).collect();
    Fitting { types, left_out }
}

/// What has been made for the methods that anybody may call.
pub(crate) struct Open<'a> {
    inputs: &'a IdSet<ClassId>,
    /// What holds the objects that fit a type.
    given: FastMap<TypeId, Var>,
    made: FastSet<TypeId>,
    /// Classes whose constructors have not run yet.
    unmade: Vec<ClassId>,
}

impl<'a> Open<'a> {
    pub(crate) fn new(inputs: &'a IdSet<ClassId>) -> Self {
        Self { inputs, given: FastMap::default(), made: FastSet::default(), unmade: Vec::new() }
    }

    /// Enters a method; as a member that users see, also what implements or overrides it.
    pub(crate) fn enter(
        &mut self,
        writer: &mut Writer<'_>,
        method: MethodId,
        is_member: bool,
        offset: u32,
        thrown: Option<Var>,
    ) {
        let program = writer.program;
        let data = program.methods()[method];
        writer.push(Stmt::Init { class: data.class, offset });
        let types: Vec<TypeId> = program.parameters(method).collect();
        let vars: Vec<PackedOption<Var>> = types.into_iter().map(|ty| self.var(writer, ty).into()).collect();
        let (receiver, args) = match &vars[..] {
            [receiver, args @ ..] if !data.flags.is_static() => (receiver.expand(), args),
            args => (None, args),
        };
        let itself = Callee::Fixed(Facts::code(method));
        let is_dispatched = is_member && !data.flags.is_static() && !program.is_constructor(method);
        let selected = is_dispatched.then(|| writer.selected(method)).filter(|&callee| callee != itself);
        for callee in (!data.flags.is_abstract()).then_some(itself).into_iter().chain(selected) {
            let kind = EdgeKind::Implicit;
            writer.call(&NewCall { offset, kind, callee, receiver, args, result: None, thrown });
        }
    }

    /// Users write the fields of a class that they see: whatever fits.
    pub(crate) fn write_fields(&mut self, writer: &mut Writer<'_>, class: ClassId) {
        let program = writer.program;
        for id in Ids::between(program.classes()[class].fields.clone()) {
            let field = program.fields()[id];
            let is_seen = field.flags.is_public() || field.flags.is_protected();
            if !is_seen || field.flags.is_final() {
                continue;
            }
            let Some(from) = self.var(writer, field.ty) else { continue };
            if field.flags.is_static() {
                writer.push(Stmt::StoreStatic { field: id, from });
            } else if let Some(base) = self.var(writer, program.classes()[class].ty) {
                writer.push(Stmt::Store { base, field: FieldKey::field(id), from });
            }
        }
    }

    /// Makes the objects that were given: those of the inputs by all their constructors, others by the one without parameters.
    pub(crate) fn make(&mut self, writer: &mut Writer<'_>, offset: u32, thrown: Option<Var>) {
        let program = writer.program;
        while let Some(class) = self.unmade.pop() {
            let is_own = self.inputs.contains(class);
            writer.push(Stmt::Init { class, offset });
            for method in Ids::between(program.classes()[class].methods.clone()) {
                let has_parameters = program.parameters(method).count() > 1;
                if program.is_constructor(method) && (is_own || !has_parameters) {
                    let ty = program.classes()[class].ty;
                    self.construct(writer, ty, method, offset, thrown);
                }
            }
        }
    }

    fn construct(
        &mut self,
        writer: &mut Writer<'_>,
        ty: TypeId,
        method: MethodId,
        offset: u32,
        thrown: Option<Var>,
    ) {
        let object = writer.new_var();
        writer.jvm_object(object, ty);
        let types: Vec<TypeId> = writer.program.parameters(method).skip(1).collect();
        let args: Vec<PackedOption<Var>> = types.into_iter().map(|ty| self.var(writer, ty).into()).collect();
        let (kind, callee) = (EdgeKind::Implicit, Callee::Fixed(Facts::code(method)));
        let receiver = Some(object);
        writer.call(&NewCall { offset, kind, callee, receiver, args: &args, result: None, thrown });
    }

    /// What holds the objects that fit a type; nothing does for a primitive.
    fn var(&mut self, writer: &mut Writer<'_>, ty: TypeId) -> Option<Var> {
        if !writer.program.types.is_reference(ty) {
            return None;
        }
        if let Some(&var) = self.given.get(&ty) {
            return Some(var);
        }
        let var = writer.new_var();
        self.given.insert(ty, var);
        let Fitting { types, left_out } = fitting_types(writer.program, self.inputs, ty);
        if left_out > 0 {
            writer.facts.bounded.push(Bounded { ty, left_out });
        }
        for fitting in types {
            writer.jvm_object(var, fitting);
            if self.made.insert(fitting) {
                self.unmade.extend(writer.program.class_of(fitting));
            }
        }
        // An array holds what fits its elements.
        let element = writer.program.types.element(ty);
        if let Some(from) = element.and_then(|element| self.var(writer, element)) {
            writer.push(Stmt::Store { base: var, field: FieldKey::ELEMENTS, from });
        }
        Some(var)
    }
}
