//! What the library asks of classes by reflection: providers of services, and the constants of enums.

use heliostat_index::Ids;
use heliostat_program::{ClassId, MethodId, Program};

use super::entries::construct;
use crate::extract::{NewCall, Writer};
use crate::facts::{Ask, Callee, CodeId, EdgeKind, Facts, Stmt, Template, Var};

impl Ask {
    /// What `ServiceLoader` asks a provider for: a method `provider` goes before constructors.
    pub fn of_provider(program: &Program, class: ClassId) -> Self {
        if provider_method(program, class).is_some() { Self::Provided } else { Self::Constructed }
    }
}

/// Does what a class is asked for, and returns what comes of it.
pub(crate) fn asked_template(
    program: &Program,
    facts: &mut Facts,
    code: CodeId,
    ask: Ask,
    class: ClassId,
) -> Template {
    let mut writer = Writer::new(program, facts, code);
    writer.push(Stmt::Init { class, offset: 0 });
    let thrown = Some(writer.thrown());
    let answer = match ask {
        Ask::Constructed => Some(construct(&mut writer, class, EdgeKind::Reflective, 0, thrown)),
        Ask::Provided => provider_method(program, class).map(|method| call(&mut writer, method, thrown)),
        Ask::Constants => values_method(program, class).map(|method| call(&mut writer, method, thrown)),
    };
    if let Some(answer) = answer {
        writer.returned(answer);
    }
    writer.finish()
}

fn call(writer: &mut Writer<'_>, method: MethodId, thrown: Option<Var>) -> Var {
    let result = writer.new_var();
    writer.call(&NewCall {
        offset: 0,
        kind: EdgeKind::Reflective,
        callee: Callee::Fixed(Facts::code(method)),
        receiver: None,
        args: &[],
        result: Some(result),
        thrown,
    });
    result
}

fn provider_method(program: &Program, class: ClassId) -> Option<MethodId> {
    static_method(program, class, b"provider")
}

/// The method that gives the constants of an enum.
pub(crate) fn values_method(program: &Program, class: ClassId) -> Option<MethodId> {
    if !program.classes()[class].flags.is_enum() {
        return None;
    }
    static_method(program, class, b"values")
}

/// The public static method of this name that takes nothing.
fn static_method(program: &Program, class: ClassId, name: &[u8]) -> Option<MethodId> {
    Ids::between(program.classes()[class].methods.clone()).find(|&method| {
        let data = &program.methods()[method];
        let selector = program.selector(data.selector);
        data.flags.is_static()
            && data.flags.is_public()
            && program.symbols.bytes(selector.name) == name
            && program.method_type(selector.descriptor).parameters.is_empty()
    })
}
