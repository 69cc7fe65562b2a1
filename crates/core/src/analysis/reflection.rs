//! Reflective call sites in reached code: how many there are, and which of them lead to nothing.

use heliostat_index::{FastMap, FastSet, Symbol};
use heliostat_program::{ClassId, MethodId, Program};
use heliostat_pta::facts::{AllocKind, CallSite, Callee, CodeId, EdgeKind, Facts, Stmt, Var};
use heliostat_pta::{InstanceId, Solution};
use serde::Serialize;

use super::place::Place;

/// What a reflective call gives, hence how to see whether anything is known of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Gives {
    /// A class: known if the result is class objects of classes, and none of which nothing is known.
    Class,
    /// An object that it makes: known if the result is one that a model has made.
    Object,
    /// A member, a call, or the value of a field: nothing but a log of real runs knows these.
    Member,
}

/// The reflection API: class, names of methods whatever their parameters, and what they give.
const API: &[(&str, &[&str], Gives)] = &[
    ("java/lang/Class", &["forName"], Gives::Class),
    ("java/lang/ClassLoader", &["loadClass"], Gives::Class),
    ("java/lang/invoke/MethodHandles$Lookup", &["findClass"], Gives::Class),
    ("java/lang/Class", &["newInstance"], Gives::Object),
    ("java/lang/reflect/Constructor", &["newInstance"], Gives::Object),
    ("java/lang/reflect/Array", &["newInstance"], Gives::Object),
    ("java/lang/reflect/Proxy", &["newProxyInstance", "getProxyClass"], Gives::Member),
    ("java/lang/reflect/Method", &["invoke"], Gives::Member),
    ("java/lang/reflect/Field", &["get", "set"], Gives::Member),
    (
        "java/lang/Class",
        &[
            "getMethod",
            "getMethods",
            "getDeclaredMethod",
            "getDeclaredMethods",
            "getField",
            "getFields",
            "getDeclaredField",
            "getDeclaredFields",
            "getConstructor",
            "getConstructors",
            "getDeclaredConstructor",
            "getDeclaredConstructors",
        ],
        Gives::Member,
    ),
    (
        "java/lang/invoke/MethodHandles$Lookup",
        &[
            "findVirtual",
            "findStatic",
            "findSpecial",
            "findConstructor",
            "findGetter",
            "findSetter",
            "findStaticGetter",
            "findStaticSetter",
            "findVarHandle",
            "findStaticVarHandle",
            "unreflect",
            "unreflectSpecial",
            "unreflectConstructor",
            "unreflectGetter",
            "unreflectSetter",
            "unreflectVarHandle",
        ],
        Gives::Member,
    ),
];

/// A call of the reflection API in reached code.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct ReflectiveCall {
    /// Where it is.
    pub place: Place,
    /// The method of the API.
    pub api: String,
    /// Whether anything is known of what it gives; otherwise that is not part of the result.
    pub resolved: bool,
    /// Whether that is so without a log of real runs, too.
    #[serde(skip)]
    pub resolved_without_log: bool,
    /// The method that it is in.
    #[serde(skip)]
    pub caller: MethodId,
}

/// All reflective calls of reached methods, in the order of places. What models say of the API's own methods is none.
pub(super) fn find(program: &Program, solution: &Solution) -> Vec<ReflectiveCall> {
    let api = Api::new(program);
    let finder = Finder::new(solution);
    let mut calls = Vec::new();
    for (_, site) in solution.facts.sites().iter() {
        let Some(caller) = solution.facts.method(site.code) else { continue };
        let called = called(&solution.facts, site).filter(|_| !solution.facts.is_modelled(site.code));
        let Some((called, gives)) = called.and_then(|m| Some((m, api.gives(program, m)?))) else { continue };
        let resolved_without_log = finder.is_resolved_without_log(site, gives);
        calls.push(ReflectiveCall {
            place: Place::new(program, caller, site.offset),
            api: program.method_name(called),
            resolved: resolved_without_log || finder.is_logged(site),
            resolved_without_log,
            caller,
        });
    }
    merged(calls)
}

/// One for all copies of an instruction, as of the body of a `jsr`, in the order of places. It is resolved if all copies are.
fn merged(mut calls: Vec<ReflectiveCall>) -> Vec<ReflectiveCall> {
    // Of equals, those that are not resolved come first, and the first stays.
    calls.sort_unstable();
    calls.dedup_by(|a, b| (a.caller, a.place.offset, &a.api) == (b.caller, b.place.offset, &b.api));
    calls
}

/// The method that a call names.
fn called(facts: &Facts, site: &CallSite) -> Option<MethodId> {
    if let Callee::Virtual(method) = site.callee {
        return Some(method);
    }
    let (Callee::Fixed(code) | Callee::Inlined(code)) = site.callee else { return None };
    facts.method(code)
}

/// The reflection API of a program's JDK, by the names of methods.
struct Api(FastMap<Symbol, Vec<(ClassId, Gives)>>);

impl Api {
    fn new(program: &Program) -> Self {
        let mut by_name: FastMap<Symbol, Vec<(ClassId, Gives)>> = FastMap::default();
        for &(class, names, gives) in API {
            let Some(class) = program.find_class(class) else { continue };
            for name in names.iter().filter_map(|name| program.symbols.find(name.as_bytes())) {
                by_name.entry(name).or_default().push((class, gives));
            }
        }
        Self(by_name)
    }

    /// What a method gives, if it is one of the API or overrides one.
    fn gives(&self, program: &Program, method: MethodId) -> Option<Gives> {
        let data = &program.methods()[method];
        let found = self.0.get(&program.selector(data.selector).name)?;
        let of = found.iter().find(|&&(class, _)| program.is_subclass(data.class, class));
        of.map(|&(_, gives)| gives)
    }
}

struct Finder<'a> {
    solution: &'a Solution,
    instances: FastMap<CodeId, Vec<InstanceId>>,
    /// The call instructions of which a log says what they did.
    logged: FastSet<(CodeId, u32)>,
}

impl<'a> Finder<'a> {
    fn new(solution: &'a Solution) -> Self {
        let logged = solution.facts.logged().iter();
        let logged = logged.map(|logged| (Facts::code(logged.call.caller), logged.offset)).collect();
        Self { solution, instances: solution.instances_by_code().into_iter().collect(), logged }
    }

    /// Whether a model knows anything of what a call gives.
    fn is_resolved_without_log(&self, site: &CallSite, gives: Gives) -> bool {
        let template = self.solution.facts.template(site.code);
        // What an inline model makes, the caller makes at the offset of the call.
        let made = template.into_iter().flat_map(|template| &template.stmts).filter_map(|stmt| match *stmt {
            Stmt::Derive { to, offset, .. } if offset == site.offset => Some(to),
            _ => None,
        });
        // The result has what a log says, too.
        let result = site.result.expand().filter(|_| !self.is_logged(site));
        let mut results = result.into_iter().chain(made);
        results.any(|var| self.holds(site.code, var, gives))
    }

    /// What the log says is of the instruction, not of what that calls by reflection.
    fn is_logged(&self, site: &CallSite) -> bool {
        site.kind != EdgeKind::Reflective && self.logged.contains(&(site.code, site.offset))
    }

    fn holds(&self, code: CodeId, var: Var, gives: Gives) -> bool {
        let instances = self.instances.get(&code).into_iter().flatten();
        let objects = instances.flat_map(|&instance| self.solution.points_to(instance, var));
        let allocs = objects.filter_map(|object| self.solution.object(object)).map(|object| object.alloc);
        let mut kinds = allocs.map(|alloc| self.solution.facts.allocs()[alloc].kind).peekable();
        match gives {
            Gives::Class => kinds.peek().is_some() && kinds.all(|kind| matches!(kind, AllocKind::Class(_))),
            Gives::Object => kinds.any(|kind| matches!(kind, AllocKind::Reflective(_))),
            Gives::Member => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_are_one_and_resolved_only_if_all_are() {
        let call = |offset, api: &str, resolved| ReflectiveCall {
            place: Place { method: "a/A.m()V".to_owned(), offset, line: None, source_file: None },
            api: api.to_owned(),
            resolved,
            resolved_without_log: resolved,
            caller: MethodId::from_u32(7),
        };
        let found = vec![
            call(8, "forName", true),
            call(4, "forName", true),
            call(4, "getMethod", true),
            call(4, "forName", false),
            call(8, "forName", true),
        ];
        let expected = [call(4, "forName", false), call(4, "getMethod", true), call(8, "forName", true)];
        assert_eq!(merged(found), expected);
    }
}
