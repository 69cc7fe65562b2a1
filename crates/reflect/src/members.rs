//! What classes have: by name, by parameters, or all of it, as the methods of `Class` look for it.

use heliostat_index::{FastSet, Ids, Symbol};
use heliostat_program::{ClassId, FieldId, MethodId, Program, TypeId};
use heliostat_pta::reflection::{Element, Shape};

/// Which members a look-up means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Scope {
    /// The public ones, inherited ones too.
    Public,
    /// Those that the class itself declares, public or not.
    Declared,
}

/// The classes whose members a look-up in a class finds: in the order of the library's own search.
fn searched(program: &Program, class: ClassId, scope: Scope) -> Vec<ClassId> {
    if scope == Scope::Declared {
        return vec![class];
    }
    let interfaces = program.super_interfaces(class).iter().copied();
    if program.classes()[class].flags.is_interface() {
        return std::iter::once(class).chain(interfaces.filter(|&other| other != class)).collect();
    }
    program.super_classes(class).chain(interfaces).collect()
}

/// The methods of a class, each selector once; of a class that implements or overrides another's, its own.
pub(crate) fn methods(program: &Program, class: ClassId, scope: Scope) -> Vec<MethodId> {
    let mut seen = FastSet::default();
    let all = searched(program, class, scope).into_iter();
    let all = all.flat_map(|class| Ids::between(program.classes()[class].methods.clone()));
    let is_meant = |&method: &MethodId| {
        let data = &program.methods()[method];
        let is_seen = scope == Scope::Declared || data.flags.is_public();
        is_seen && !is_special(program, method) && seen.insert(data.selector)
    };
    all.filter(is_meant).collect()
}

/// Whether a method is a constructor or a class initialiser.
fn is_special(program: &Program, method: MethodId) -> bool {
    program.symbols.bytes(program.selector(program.methods()[method].selector).name).starts_with(b"<")
}

/// The constructors of a class: they are not inherited.
pub(crate) fn constructors(program: &Program, class: ClassId, scope: Scope) -> Vec<MethodId> {
    let own = Ids::between(program.classes()[class].methods.clone());
    let is_meant = |&method: &MethodId| {
        let is_seen = scope == Scope::Declared || program.methods()[method].flags.is_public();
        is_seen && program.is_constructor(method)
    };
    own.filter(is_meant).collect()
}

/// The fields of a class.
pub(crate) fn fields(program: &Program, class: ClassId, scope: Scope) -> Vec<FieldId> {
    let all = searched(program, class, scope).into_iter();
    let all = all.flat_map(|class| Ids::between(program.classes()[class].fields.clone()));
    let is_meant = |&field: &FieldId| scope == Scope::Declared || program.fields()[field].flags.is_public();
    all.filter(is_meant).collect()
}

/// The name of a method.
pub(crate) fn method_name(program: &Program, method: MethodId) -> Symbol {
    program.selector(program.methods()[method].selector).name
}

/// Whether a method has the parameters that an array of class objects asks for, as far as that is known.
pub(crate) fn takes(program: &Program, method: MethodId, asked: &Shape) -> bool {
    let descriptor = program.selector(program.methods()[method].selector).descriptor;
    let parameters = &program.method_type(descriptor).parameters;
    match asked {
        Shape::Null => parameters.is_empty(),
        Shape::Array(elements) => {
            let fits = |(element, &parameter): (&Element, &TypeId)| match *element {
                Element::Class(ty) => ty == parameter,
                Element::Null => false,
                Element::Var(_) | Element::Unknown => true,
            };
            elements.len() == parameters.len() && elements.iter().zip(parameters.iter()).all(fits)
        }
        Shape::Unknown | Shape::Int(_) => true,
    }
}

/// Whether a method can be given as many arguments as an array of arguments has, as far as that is known.
pub(crate) fn takes_as_many(program: &Program, method: MethodId, given: &Shape) -> bool {
    let descriptor = program.selector(program.methods()[method].selector).descriptor;
    let parameters = program.method_type(descriptor).parameters.len();
    match given {
        Shape::Null => parameters == 0,
        Shape::Array(elements) => elements.len() == parameters,
        Shape::Unknown | Shape::Int(_) => true,
    }
}
