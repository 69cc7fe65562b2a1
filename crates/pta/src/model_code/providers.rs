//! What `ServiceLoader` does to come to a provider of a service.

use heliostat_index::Ids;
use heliostat_program::{ClassId, MethodId, Program};

use super::entries::construct;
use crate::extract::{NewCall, Writer};
use crate::facts::{Callee, CodeId, EdgeKind, Facts, ProvidedBy, Stmt, Template, Var};

impl ProvidedBy {
    /// How a class provides: a method `provider` goes before constructors.
    pub fn of(program: &Program, class: ClassId) -> Self {
        if provider_method(program, class).is_some() { Self::Method } else { Self::Constructor }
    }
}

/// What makes a provider: its `provider` method, or its constructor.
pub(crate) fn provider_template(
    program: &Program,
    facts: &mut Facts,
    code: CodeId,
    class: ClassId,
) -> Template {
    let mut writer = Writer::new(program, facts, code);
    writer.push(Stmt::Init { class, offset: 0 });
    let thrown = Some(writer.thrown());
    let provider = match provider_method(program, class) {
        Some(method) => ask(&mut writer, method, thrown),
        None => construct(&mut writer, class, EdgeKind::Reflective, 0, thrown),
    };
    writer.returned(provider);
    writer.finish()
}

fn ask(writer: &mut Writer<'_>, method: MethodId, thrown: Option<Var>) -> Var {
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
    Ids::between(program.classes()[class].methods.clone()).find(|&method| {
        let data = &program.methods()[method];
        let selector = program.selector(data.selector);
        data.flags.is_static()
            && data.flags.is_public()
            && program.symbols.bytes(selector.name) == b"provider"
            && program.method_type(selector.descriptor).parameters.is_empty()
    })
}
