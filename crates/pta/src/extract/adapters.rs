//! The code that lambdas and method handles run: made up here, hidden in the call graph, as in the JVM's stack traces.

use heliostat_index::PackedOption;
use heliostat_program::{
    ClassId, FieldRefId, Handle, HandleId, HandleKind, HandleMember, MethodId, MethodRefId, Program, TypeId,
};

use super::writer::{NewCall, Writer};
use crate::facts::{Callee, CodeId, EdgeKind, Facts, FieldKey, LambdaId, Stmt, Template, Var};

/// A value on its way to a target: its variable, if it is a reference, and its type.
type Source = (PackedOption<Var>, TypeId);

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
        sources.push((var.into(), ty));
    }
    let erased = program.method_type(lambda.erased);
    let instantiated = program.method_type(lambda.instantiated);
    for (number, &ty) in erased.parameters.iter().enumerate() {
        let in_truth = instantiated.parameters.get(number).copied().unwrap_or(ty);
        sources.push((parameter(&mut writer, ty, in_truth).into(), in_truth));
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
    let mut sources: Vec<Source> = Vec::new();
    for ty in handle_parameters(program, program.handle(handle)) {
        sources.push((parameter(&mut writer, ty, ty).into(), ty));
    }
    let result = invoke(&mut writer, handle, &sources, None);
    give_back(&mut writer, result, TypeId::OBJECT);
    writer.finish()
}

/// The parameters of a method handle's type (JVMS 5.4.3.5).
fn handle_parameters(program: &Program, handle: Handle) -> Vec<TypeId> {
    match handle.member {
        HandleMember::Field(field) => {
            let field = program.field_ref(field);
            match handle.kind {
                HandleKind::GetField => vec![field.owner],
                HandleKind::PutField => vec![field.owner, field.ty],
                HandleKind::PutStatic => vec![field.ty],
                _ => Vec::new(),
            }
        }
        HandleMember::Method(method) => {
            let method = program.method_ref(method);
            let declared = &program.method_type(program.selector(method.selector).descriptor).parameters;
            let has_receiver =
                !matches!(handle.kind, HandleKind::InvokeStatic | HandleKind::NewInvokeSpecial);
            has_receiver.then_some(method.owner).into_iter().chain(declared.iter().copied()).collect()
        }
    }
}

/// A parameter of an adapter, cast to the type it has in truth.
fn parameter(writer: &mut Writer<'_>, ty: TypeId, in_truth: TypeId) -> Option<Var> {
    let var = writer.program.types.is_reference(ty).then(|| writer.new_var());
    writer.template.params.push(var.into());
    let from = var?;
    if ty == in_truth || !writer.program.types.is_reference(in_truth) {
        return Some(from);
    }
    let to = writer.new_var();
    let filter = writer.facts.type_filter(in_truth);
    writer.push(Stmt::Assign { from, to, filter });
    Some(to)
}

/// Returns a result, in a box if it is a primitive value where a reference is due.
fn give_back(writer: &mut Writer<'_>, (result, ty): Source, due: TypeId) {
    if !writer.program.types.is_reference(due) {
        return;
    }
    let result = if writer.program.types.is_reference(ty) { result.expand() } else { boxed(writer, ty) };
    if let Some(result) = result {
        writer.returned(result);
    }
}

/// What a method handle does with these values; what comes of it.
fn invoke(writer: &mut Writer<'_>, handle: HandleId, sources: &[Source], from: Option<ClassId>) -> Source {
    const NOTHING: TypeId = TypeId::VOID;
    let Handle { kind, member } = writer.program.handle(handle);
    let done = match member {
        HandleMember::Field(field) => use_field(writer, kind, field, sources, from),
        HandleMember::Method(method) => call(writer, kind, method, sources, from),
    };
    done.unwrap_or((PackedOption::none(), NOTHING))
}

fn use_field(
    writer: &mut Writer<'_>,
    kind: HandleKind,
    reference: FieldRefId,
    sources: &[Source],
    from: Option<ClassId>,
) -> Option<Source> {
    let ty = writer.program.field_ref(reference).ty;
    let var = |number: usize| sources.get(number).and_then(|s| s.0.expand());
    let owner = writer.program.class_of(writer.program.field_ref(reference).owner)?;
    let from = from.unwrap_or(owner);
    let field = writer.program.resolve_field(writer.program.field_ref(reference), from).member()?;
    match kind {
        HandleKind::GetField => return Some((read_field(writer, var(0)?, reference, from).into(), ty)),
        HandleKind::PutField => {
            let (base, from) = (var(0)?, var(1)?);
            writer.push(Stmt::Store { base, field: FieldKey::field(field), from });
        }
        HandleKind::GetStatic => {
            let to = writer.new_var();
            writer.push(Stmt::Init { class: writer.program.fields()[field].class, offset: 0 });
            writer.push(Stmt::LoadStatic { field, to });
            return Some((to.into(), ty));
        }
        HandleKind::PutStatic => {
            let from = var(0)?;
            writer.push(Stmt::Init { class: writer.program.fields()[field].class, offset: 0 });
            writer.push(Stmt::StoreStatic { field, from });
        }
        _ => {}
    }
    None
}

/// `base.field`, if it is a reference.
pub(super) fn read_field(
    writer: &mut Writer<'_>,
    base: Var,
    field: FieldRefId,
    from: ClassId,
) -> Option<Var> {
    let reference = writer.program.field_ref(field);
    if !writer.program.types.is_reference(reference.ty) {
        return None;
    }
    let field = FieldKey::field(writer.program.resolve_field(reference, from).member()?);
    let to = writer.new_var();
    writer.push(Stmt::Load { base, field, to });
    Some(to)
}

fn call(
    writer: &mut Writer<'_>,
    kind: HandleKind,
    reference: MethodRefId,
    sources: &[Source],
    from: Option<ClassId>,
) -> Option<Source> {
    let program = writer.program;
    let reference = program.method_ref(reference);
    let from = from.or_else(|| program.class_of(reference.owner))?;
    let resolved = program.resolve_method(reference, from).member()?;
    let method_type = program.method_type(program.selector(reference.selector).descriptor);
    let class = program.methods()[resolved].class;
    let (callee, receiver, rest) = match kind {
        HandleKind::InvokeStatic => {
            writer.push(Stmt::Init { class, offset: 0 });
            (Callee::Fixed(Facts::code(resolved)), None, sources)
        }
        HandleKind::NewInvokeSpecial => {
            let object = writer.new_var();
            writer.push(Stmt::Init { class, offset: 0 });
            writer.alloc(object, program.classes()[class].ty, 0, 0);
            (Callee::Fixed(Facts::code(resolved)), Some(object), sources)
        }
        _ => {
            let (first, rest) = sources.split_first()?;
            let callee = match kind {
                HandleKind::InvokeSpecial => {
                    Callee::Fixed(Facts::code(program.select_special(reference, resolved, from).method()?))
                }
                _ => writer.selected(resolved),
            };
            (callee, Some(first.0.expand()?), rest)
        }
    };
    let args: Vec<PackedOption<Var>> = method_type
        .parameters
        .iter()
        .zip(rest)
        .map(|(&to, &source)| adapted(writer, source, to).into())
        .collect();
    let result = program.types.is_reference(method_type.result).then(|| writer.new_var());
    let thrown = Some(writer.thrown());
    let kind_of_edge = EdgeKind::Dynamic;
    writer.call(&NewCall { offset: 0, kind: kind_of_edge, callee, receiver, args: &args, result, thrown });
    match kind {
        HandleKind::NewInvokeSpecial => Some((receiver.into(), reference.owner)),
        _ => Some((result.into(), method_type.result)),
    }
}

/// A value as a parameter of this type wants it.
fn adapted(writer: &mut Writer<'_>, (var, ty): Source, to: TypeId) -> Option<Var> {
    if !writer.program.types.is_reference(to) {
        return None;
    }
    if writer.program.types.is_reference(ty) { var.expand() } else { boxed(writer, ty) }
}

/// A primitive value in its box.
fn boxed(writer: &mut Writer<'_>, primitive: TypeId) -> Option<Var> {
    let callee = Callee::Fixed(Facts::code(box_method(writer.program, primitive)?));
    let result = writer.new_var();
    let none = PackedOption::none();
    writer.call(&NewCall {
        offset: 0,
        kind: EdgeKind::Implicit,
        callee,
        receiver: None,
        args: &[none],
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
