//! What whoever uses the inputs as a library may call.

use heliostat_index::FastSet;
use heliostat_program::{ClassId, MethodId};
use heliostat_pta::is_instantiable;

use crate::Opened;

/// The classes whose public and protected fields users see: the public ones of the inputs, and what they inherit from hidden ones.
pub(super) fn classes(opened: &Opened) -> Vec<ClassId> {
    let mut seen = FastSet::default();
    let classes = public(opened).flat_map(|class| [class].into_iter().chain(hidden_ancestors(opened, class)));
    classes.filter(|&class| opened.is_input(class) && seen.insert(class)).collect()
}

fn public(opened: &Opened) -> impl Iterator<Item = ClassId> {
    let classes = opened.program.classes().iter();
    classes.filter(|&(id, class)| class.flags.is_public() && opened.is_input(id)).map(|(id, _)| id)
}

/// The public and protected members of the public types of the inputs, in the order of the types; those that a type inherits from types
/// that users do not see among them. Abstract ones are there too: what implements them is called.
pub(super) fn members(opened: &Opened) -> Vec<MethodId> {
    let mut seen = FastSet::default();
    let members = public(opened).flat_map(|class| {
        let own = opened.methods_of(class);
        let hidden = hidden_ancestors(opened, class).into_iter();
        let inherited = hidden.flat_map(|from| opened.methods_of(from));
        own.chain(inherited.filter(|&method| is_inherited(opened, method)))
    });
    let members: Vec<_> = members.filter(|&m| is_seen(opened, m) && seen.insert(m)).collect();
    let is_code = |&method: &MethodId| !opened.program.methods()[method].flags.is_abstract();
    let makes = |class: ClassId| is_instantiable(&opened.program, class);
    let runs = members.iter().any(is_code) || opened.input_classes().iter().any(makes);
    // Interfaces that nothing implements: there is nothing to analyse.
    if runs { members } else { Vec::new() }
}

/// The superclasses and superinterfaces that are not public.
fn hidden_ancestors(opened: &Opened, class: ClassId) -> Vec<ClassId> {
    let program = &opened.program;
    let ancestors = program.super_classes(class).chain(program.super_interfaces(class).iter().copied());
    ancestors.filter(|&c| c != class && !program.classes()[c].flags.is_public()).collect()
}

/// Neither constructors nor static methods of interfaces are (JLS 8.2, 8.4.8).
fn is_inherited(opened: &Opened, method: MethodId) -> bool {
    let program = &opened.program;
    let data = &program.methods()[method];
    let of_interface = program.classes()[data.class].flags.is_interface();
    !(program.is_constructor(method) || of_interface && data.flags.is_static())
}

fn is_seen(opened: &Opened, method: MethodId) -> bool {
    let data = &opened.program.methods()[method];
    let name = opened.program.symbols.bytes(opened.program.selector(data.selector).name);
    (data.flags.is_public() || data.flags.is_protected()) && name != b"<clinit>"
}
