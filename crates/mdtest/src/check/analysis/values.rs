//! Expectations about values: what they may point to, and whether casts may fail.

use std::collections::BTreeSet;

use heliostat_core::ir::{Body, Op, Value};
use heliostat_core::program::{Constant, TypeId};
use heliostat_core::pta::facts::{Facts, Template, Var};
use heliostat_index::Id;

use super::setup::OwnMethod;
use super::view::{At, View};
use super::{Checked, same_set};

/// What the value of a line points to: a parameter, what has to do with a member of this name, or what the line as a
/// whole comes to.
pub(super) fn points_to(view: &View<'_>, line: u32, name: Option<&str>, expected: &[String]) -> Checked {
    let (own, value) = match (name, view.declared(line)) {
        (Some(name), Some(declared)) => {
            let (own, declared) = declared?;
            view.must_be_reached(own.method)?;
            (own, parameter(view, own, &declared.parameters, name)?)
        }
        (Some(name), None) => {
            let is_named = |at: &At<'_>| view.member_name(at.op).as_deref() == Some(name);
            let found = view.some_at(line, "member of that name", is_named)?;
            let found: Vec<_> = found.iter().filter_map(|at| Some((at.own, value_of(view, *at)?))).collect();
            let is_same =
                found.windows(2).all(|two| two[0].0.method == two[1].0.method && two[0].1 == two[1].1);
            let several = || format!("   found several values {}", view.line_text(line));
            *found.first().filter(|_| is_same).ok_or_else(several)?
        }
        (None, _) => last_value(view, line)?,
    };
    same_set(expected, &objects(view, own, value)?.into_iter().collect::<Vec<_>>(), |e, f| e == f)
}

fn parameter(view: &View<'_>, own: &OwnMethod, parameters: &[String], name: &str) -> Result<Value, String> {
    let is_static = view.program.methods()[own.method].flags.is_static();
    let number = parameters.iter().position(|p| p == name).map(|number| number + usize::from(!is_static));
    let number = if name == "this" && !is_static { Some(0) } else { number };
    number.map(Value::new).ok_or_else(|| format!("   but the method has no parameter {name}"))
}

/// The value of the last instruction of a line that has one.
fn last_value<'a>(view: &View<'a>, line: u32) -> Result<(&'a OwnMethod, Value), String> {
    let places = view.some_at(line, "value", |at| value_of(view, *at).is_some())?;
    let last = places.iter().max_by_key(|at| at.offset).and_then(|at| Some((at.own, value_of(view, *at)?)));
    last.ok_or_else(|| format!("   found no value {}", view.line_text(line)))
}

/// The reference that an instruction gives, stores, returns or throws; the last one that it passes to a call which gives
/// none; the object that a constructor is called for.
fn value_of(view: &View<'_>, at: At<'_>) -> Option<Value> {
    let body = at.own.body.as_ref()?;
    let is_reference = |value: &Value| view.program.types.is_reference(body.values[*value].ty);
    if let Some(result) = body.insts[at.inst].result.expand().filter(is_reference) {
        return Some(result).filter(|_| at.op != Op::Phi);
    }
    let args = body.args(at.inst);
    match at.op {
        Op::PutField(_) | Op::PutStatic(_) | Op::ArrayStore(_) | Op::Return | Op::Throw => {
            args.last().copied().filter(is_reference)
        }
        Op::Call(..) if view.member_name(at.op).as_deref() == Some("<init>") => args.first().copied(),
        Op::Call(..) => args.iter().rfind(|value| is_reference(value)).copied(),
        _ => None,
    }
}

/// What a value may be, in all contexts together.
pub(super) fn objects(view: &View<'_>, own: &OwnMethod, value: Value) -> Result<BTreeSet<String>, String> {
    let idle = || "   but nothing reads the value, so that the analysis does not look at it".to_owned();
    let (Some(body), Some(template)) = (&own.body, view.solution.facts.template(Facts::code(own.method)))
    else {
        return Err(idle());
    };
    if is_null(body, value) {
        return Ok(BTreeSet::new());
    }
    let var = var_of(body, template, value).ok_or_else(idle)?;
    Ok(view.instances(own.method).iter().flat_map(|&instance| view.objects_of(instance, var)).collect())
}

/// The variable of a value. A phi of but one value has none of its own.
fn var_of(body: &Body, template: &Template, value: Value) -> Option<Var> {
    if let Some(number) = template.values.iter().position(|v| v.expand() == Some(value)) {
        return Some(Var::new(number));
    }
    let (phi, Op::Phi) = body.def(value)? else { return None };
    let mut others = body.args(phi).iter().filter(|&&v| v != value && !is_null(body, v));
    let first = *others.next()?;
    if others.all(|&v| v == first) { var_of(body, template, first) } else { None }
}

fn is_null(body: &Body, value: Value) -> bool {
    body.values[value].ty == TypeId::NULL || body.constant(value) == Some(Constant::Null)
}

/// The value that an instruction gives.
pub(super) fn result(at: At<'_>) -> Option<Value> {
    at.own.body.as_ref()?.insts[at.inst].result.expand()
}

/// Whether the cast of a line, the one to this type if told, may fail.
pub(super) fn may_fail(view: &View<'_>, line: u32, ty: Option<&str>, expected: bool) -> Checked {
    let is_cast = |at: &At<'_>| match at.op {
        Op::CheckCast(to) => ty.is_none_or(|ty| view.own.shown(&view.program.type_name(to)) == ty),
        _ => false,
    };
    let places = view.some_at(line, "cast", is_cast)?;
    let casts = view.solution.casts(view.program);
    let mut found = casts.iter().filter(|cast| places.iter().any(|at| at.is_place(cast.method, cast.offset)));
    match (found.next(), found.next()) {
        (Some(cast), None) if cast.may_fail == expected => Ok(()),
        (Some(_), None) => Err("   found the contrary".to_owned()),
        (None, _) => Err("   found that nothing but null is cast".to_owned()),
        (Some(_), Some(_)) => Err(format!("   found more than one cast {}", view.line_text(line))),
    }
}
