//! The code that lambdas and method handles run: made up here, hidden in the call graph, as in the JVM's stack traces.

use heliostat_index::PackedOption;
use heliostat_program::{ClassId, FieldId, HandleId, HandleKind, HandleMember, MethodId, Program, TypeId};

use super::handles::{self, Member};
use super::listening::Known;
use super::writer::{NewCall, Writer};
use crate::facts::{Callee, CodeId, EdgeKind, Facts, FieldKey, LambdaId, Stmt, Template, Var};

/// A value on its way to or from a target.
#[derive(Clone, Copy)]
struct Source {
    /// Its variable, if it is a reference.
    var: PackedOption<Var>,
    ty: TypeId,
}

impl Source {
    /// A primitive value, or nothing if the type is `void`.
    fn primitive(ty: TypeId) -> Self {
        Self { var: PackedOption::none(), ty }
    }
}

/// What a lambda's object runs: its captured values and the arguments go to the target.
pub(crate) fn lambda_template(program: &Program, facts: &mut Facts, id: LambdaId) -> Template {
    let lambda = facts.lambda(id).clone();
    let mut writer = Writer::new(program, facts, lambda.adapter);
    let this = writer.new_var();
    writer.template.this = this.into();
    let mut sources: Vec<Source> = Vec::new();
    for (number, &ty) in lambda.captures.iter().enumerate() {
        let var = program.types.is_reference(ty).then(|| writer.new_var());
        if let Some(to) = var {
            writer.push(Stmt::Load { base: this, field: FieldKey::capture(number), to });
        }
        sources.push(Source { var: var.into(), ty });
    }
    let erased = program.method_type(lambda.erased);
    let instantiated = program.method_type(lambda.instantiated);
    for (number, &ty) in erased.parameters.iter().enumerate() {
        let in_truth = instantiated.parameters.get(number).copied().unwrap_or(ty);
        sources.push(parameter(&mut writer, ty, in_truth));
    }
    let result = invoke(&mut writer, lambda.target, &sources, Some(lambda.class));
    give_back(&mut writer, result, erased.result);
    writer.finish()
}

/// What a method handle runs.
pub(crate) fn handle_template(
    program: &Program,
    facts: &mut Facts,
    code: CodeId,
    handle: HandleId,
) -> Template {
    let mut writer = Writer::new(program, facts, code);
    let types = handles::parameters(program, handle);
    let sources: Vec<Source> = types.into_iter().map(|ty| parameter(&mut writer, ty, ty)).collect();
    let result = invoke(&mut writer, handle, &sources, None);
    give_back(&mut writer, result, TypeId::OBJECT);
    writer.finish()
}

/// A parameter of an adapter, cast to the type it has in truth.
fn parameter(writer: &mut Writer<'_>, ty: TypeId, in_truth: TypeId) -> Source {
    let var = writer.program.types.is_reference(ty).then(|| writer.new_var());
    writer.template.params.push(var.into());
    let is_cast = ty != in_truth && writer.program.types.is_reference(in_truth);
    let Some(from) = var.filter(|_| is_cast) else { return Source { var: var.into(), ty: in_truth } };
    let to = writer.new_var();
    let filter = writer.facts.type_filter(in_truth);
    writer.push(Stmt::Assign { from, to, filter });
    Source { var: to.into(), ty: in_truth }
}

/// Returns a result, in a box if it is a primitive value where a reference is due.
fn give_back(writer: &mut Writer<'_>, result: Source, due: TypeId) {
    if let Some(result) = adapted(writer, result, due) {
        writer.returned(result);
    }
}

/// What a method handle does with these values; what comes of it. Nothing, if its member is not there: who makes it says so.
fn invoke(writer: &mut Writer<'_>, handle: HandleId, sources: &[Source], from: Option<ClassId>) -> Source {
    let program = writer.program;
    let from = from.or_else(|| handles::owner(program, handle));
    let done = match from.and_then(|from| handles::member(program, handle, from)) {
        Some(Member::Field(field)) => use_field(writer, program.handle(handle).kind, field, sources),
        Some(Member::Method(method)) => call(writer, handle, method, sources),
        None => None,
    };
    done.unwrap_or_else(|| Source::primitive(TypeId::VOID))
}

fn use_field(
    writer: &mut Writer<'_>,
    kind: HandleKind,
    field: FieldId,
    sources: &[Source],
) -> Option<Source> {
    let data = writer.program.fields()[field];
    if data.flags.is_static() {
        writer.push(Stmt::Init { class: data.class, offset: 0 });
    }
    let is_read = matches!(kind, HandleKind::GetField | HandleKind::GetStatic);
    if !writer.program.types.is_reference(data.ty) {
        return is_read.then(|| Source::primitive(data.ty));
    }
    let var = |number: usize| sources.get(number).and_then(|s| s.var.expand());
    match (is_read, data.flags.is_static()) {
        (true, false) => return Some(Source { var: read_field(writer, var(0)?, field).into(), ty: data.ty }),
        (true, true) => {
            let to = writer.new_var();
            writer.push(Stmt::LoadStatic { field, to });
            return Some(Source { var: to.into(), ty: data.ty });
        }
        (false, false) => {
            let (base, from) = (var(0)?, var(1)?);
            writer.push(Stmt::Store { base, field: FieldKey::field(field), from });
        }
        (false, true) => writer.push(Stmt::StoreStatic { field, from: var(0)? }),
    }
    None
}

/// `base.field`, if it is a reference.
pub(super) fn read_field(writer: &mut Writer<'_>, base: Var, field: FieldId) -> Option<Var> {
    if !writer.program.types.is_reference(writer.program.fields()[field].ty) {
        return None;
    }
    let to = writer.new_var();
    writer.push(Stmt::Load { base, field: FieldKey::field(field), to });
    Some(to)
}

fn call(writer: &mut Writer<'_>, handle: HandleId, method: MethodId, sources: &[Source]) -> Option<Source> {
    let program = writer.program;
    let class = program.methods()[method].class;
    let fixed = Callee::Fixed(Facts::code(method));
    let kind = program.handle(handle).kind;
    let (callee, receiver, rest) = match kind {
        HandleKind::InvokeStatic => {
            writer.push(Stmt::Init { class, offset: 0 });
            (fixed, None, sources)
        }
        HandleKind::NewInvokeSpecial => {
            let object = writer.new_var();
            writer.push(Stmt::Init { class, offset: 0 });
            writer.alloc(object, program.classes()[class].ty, 0, 0);
            (fixed, Some(object), sources)
        }
        HandleKind::InvokeSpecial => {
            let (first, rest) = sources.split_first()?;
            (fixed, Some(first.var.expand()?), rest)
        }
        HandleKind::InvokeVirtual | HandleKind::InvokeInterface => {
            let (first, rest) = sources.split_first()?;
            (writer.selected(method), Some(first.var.expand()?), rest)
        }
        HandleKind::GetField | HandleKind::GetStatic | HandleKind::PutField | HandleKind::PutStatic => {
            return None;
        }
    };
    let HandleMember::Method(reference) = program.handle(handle).member else { return None };
    let method_type =
        program.method_type(program.selector(program.method_ref(reference).selector).descriptor);
    let args: Vec<PackedOption<Var>> = method_type
        .parameters
        .iter()
        .zip(rest)
        .map(|(&to, &from)| adapted(writer, from, to).into())
        .collect();
    let result = program.types.is_reference(method_type.result).then(|| writer.new_var());
    let (edge, thrown) = (EdgeKind::Dynamic, Some(writer.thrown()));
    let call = NewCall { offset: 0, kind: edge, callee, receiver, args: &args, result, thrown };
    writer.call(&call);
    writer.listen(method, &call, Known::default());
    if kind == HandleKind::NewInvokeSpecial {
        return Some(Source { var: receiver.into(), ty: program.classes()[class].ty });
    }
    Some(Source { var: result.into(), ty: method_type.result })
}

/// A value as something of this type wants it: in a box if it is a primitive where a reference is due.
fn adapted(writer: &mut Writer<'_>, from: Source, to: TypeId) -> Option<Var> {
    if !writer.program.types.is_reference(to) {
        return None;
    }
    if writer.program.types.is_reference(from.ty) { from.var.expand() } else { boxed(writer, from.ty) }
}

/// A primitive value in its box; none for what is not primitive.
pub(crate) fn boxed(writer: &mut Writer<'_>, primitive: TypeId) -> Option<Var> {
    let method = box_method(writer.program, primitive)?;
    let (result, offset) = (writer.new_var(), writer.at);
    writer.push(Stmt::Init { class: writer.program.methods()[method].class, offset });
    writer.call(&NewCall {
        offset,
        kind: EdgeKind::Implicit,
        callee: Callee::Fixed(Facts::code(method)),
        receiver: None,
        args: &[PackedOption::none()],
        result: Some(result),
        thrown: None,
    });
    Some(result)
}

/// `valueOf` of the class that boxes a primitive type.
fn box_method(program: &Program, primitive: TypeId) -> Option<MethodId> {
    let (class, letter) = match primitive {
        TypeId::BOOLEAN => ("java/lang/Boolean", 'Z'),
        TypeId::BYTE => ("java/lang/Byte", 'B'),
        TypeId::CHAR => ("java/lang/Character", 'C'),
        TypeId::SHORT => ("java/lang/Short", 'S'),
        TypeId::INT => ("java/lang/Integer", 'I'),
        TypeId::LONG => ("java/lang/Long", 'J'),
        TypeId::FLOAT => ("java/lang/Float", 'F'),
        TypeId::DOUBLE => ("java/lang/Double", 'D'),
        _ => return None,
    };
    let selector = program.find_selector("valueOf", &format!("({letter})L{class};"))?;
    program.declared_method(program.find_class(class)?, selector)
}
