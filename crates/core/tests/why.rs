//! Everything that an analysis finds has an explanation, in whatever contexts.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::PathBuf;

use heliostat_core::analysis::{AnalysisSettings, parse_context};
use heliostat_core::pta::facts::{CallSite, FieldKey, Stmt, Template, Var};
use heliostat_core::pta::why::{How, Place, Step, StmtAt, Why};
use heliostat_core::pta::{CallEdge, InstanceId, ObjectId, Solution};
use heliostat_core::{Environment, JdkChoice, MemoryFile, Opened, Settings, analyse, open};

/// Of so many pairs of a variable and an object, one is looked at.
const SAMPLE: usize = 200_003;

fn demo() -> Opened {
    let jar = include_bytes!("../../heliostat/demo/demo.jar");
    let memory = vec![MemoryFile { name: "demo.jar".to_owned(), bytes: bytes::Bytes::from_static(jar) }];
    let environment = Environment {
        java_home: std::env::var_os("JAVA_HOME").map(PathBuf::from),
        path: std::env::var_os("PATH"),
        home: None,
    };
    open(&Settings { memory, jdk: JdkChoice::Auto, environment, ..Settings::default() }).unwrap()
}

#[test]
fn everything_has_an_explanation() {
    for context in ["insens", "1obj"] {
        let mut opened = demo();
        let settings =
            AnalysisSettings { context: parse_context(context).unwrap(), ..AnalysisSettings::default() };
        let analysis = analyse(&mut opened, &settings, &mut |_| ()).unwrap();
        let why = Why::new(&analysis.solution, &opened.program);
        every_instance_is_reached(&analysis.solution, &why, context);
        every_object_comes_from_somewhere(&analysis.solution, &why, context);
    }
}

fn every_instance_is_reached(solution: &Solution, why: &Why<'_>, context: &str) {
    for (instance, code, _) in solution.instances() {
        let way = why.reached().way_to(instance);
        assert!(way.is_some(), "{context}: {code} is reached");
    }
}

fn every_object_comes_from_somewhere(solution: &Solution, why: &Why<'_>, context: &str) {
    let variables = solution.instances().flat_map(|(instance, code, _)| {
        let vars = solution.facts.template(code).map_or(0, |template| template.vars);
        (0..vars).map(move |var| (instance, Var::from_u32(var)))
    });
    let pairs = variables.flat_map(|(instance, var)| {
        solution.points_to(instance, var).map(move |object| (instance, var, object))
    });
    for (instance, var, object) in pairs.step_by(SAMPLE) {
        let place = Place::Var { instance, var };
        let way = why.points_to(place, object);
        assert!(way.is_some(), "{context}: {place:?} has {object}");
        Checker { solution, why }.check(&way.unwrap(), why.canonical(place), object);
    }
}

/// Checks ways against what code says.
struct Checker<'a> {
    solution: &'a Solution,
    why: &'a Why<'a>,
}

impl Checker<'_> {
    /// The object is made first, is at every place of the way, and each step leads from the place before to its own; the last is
    /// the one asked for.
    fn check(&self, way: &[Step], place: Place, object: ObjectId) {
        let (first, last) = (way.first().unwrap(), way.last().unwrap());
        assert!(self.makes(first), "{first:?}");
        assert_eq!((last.place, last.object), (place, object), "{way:?}");
        for step in way {
            assert!(self.solution.is_at(step.place, step.object), "{step:?}");
        }
        for pair in way.windows(2) {
            let (before, step) = (&pair[0], &pair[1]);
            assert!(self.leads(before, step), "{before:?} to {step:?}");
            let derived = matches!(step.how, How::Derived(_));
            assert!(derived || before.object == step.object, "{before:?} to {step:?}");
        }
    }

    fn makes(&self, step: &Step) -> bool {
        match step.how {
            How::Made(by) => {
                matches!(self.stmt(by), Stmt::Alloc { to, .. } if self.is_var(step.place, by.instance, to))
            }
            How::Kept => matches!(step.place, Place::Global(_)),
            How::Derived(_)
            | How::Moved(_)
            | How::Argument(..)
            | How::Receiver(_)
            | How::Returned(_)
            | How::Thrown(_) => false,
        }
    }

    /// Whether a step starts at the place of the one before, and ends at its own.
    fn leads(&self, before: &Step, step: &Step) -> bool {
        match step.how {
            How::Made(_) | How::Kept => false,
            How::Derived(by) => match self.stmt(by) {
                Stmt::Derive { from, to, .. } => {
                    self.is_var(before.place, by.instance, from) && self.is_var(step.place, by.instance, to)
                }
                _ => false,
            },
            How::Moved(by) => self.moves(by, before.place, step.place),
            How::Argument(edge, number) => self.passes(edge, before.place, step.place, |site, callee| {
                Some((site.args.get(number)?.expand(), callee.params.get(number)?.expand()))
            }),
            How::Receiver(edge) => self.passes(edge, before.place, step.place, |site, callee| {
                Some((site.receiver.expand(), callee.this.expand()))
            }),
            How::Returned(edge) => self.passes(edge, step.place, before.place, |site, callee| {
                Some((site.result.expand(), callee.result.expand()))
            }),
            How::Thrown(edge) => self.passes(edge, step.place, before.place, |site, callee| {
                Some((site.thrown.expand(), callee.thrown.expand()))
            }),
        }
    }

    fn moves(&self, by: StmtAt, before: Place, after: Place) -> bool {
        let is_var = |place, var| self.is_var(place, by.instance, var);
        match self.stmt(by) {
            Stmt::Assign { from, to, .. } => is_var(before, from) && is_var(after, to),
            Stmt::Load { base, field, to } => {
                self.is_field(before, by, base, Some(field)) && is_var(after, to)
            }
            Stmt::LoadAny { base, to } => self.is_field(before, by, base, None) && is_var(after, to),
            Stmt::Store { base, field, from } => {
                is_var(before, from) && self.is_field(after, by, base, Some(field))
            }
            Stmt::StoreAny { base, from } => is_var(before, from) && self.is_field(after, by, base, None),
            Stmt::LoadStatic { field, to } => before == Place::Static(field) && is_var(after, to),
            Stmt::StoreStatic { field, from } => is_var(before, from) && after == Place::Static(field),
            Stmt::LoadGlobal { global, to } => before == Place::Global(global) && is_var(after, to),
            Stmt::StoreGlobal { global, from } => is_var(before, from) && after == Place::Global(global),
            Stmt::Alloc { .. }
            | Stmt::Derive { .. }
            | Stmt::Call(_)
            | Stmt::Init { .. }
            | Stmt::InitOf { .. }
            | Stmt::Listen { .. } => false,
        }
    }

    /// Whether an edge is there, and joins a place of the caller to one of the callee: those of these variables.
    fn passes(
        &self,
        edge: CallEdge,
        of_caller: Place,
        of_callee: Place,
        ends: impl Fn(&CallSite, &Template) -> Option<(Option<Var>, Option<Var>)>,
    ) -> bool {
        let site = &self.solution.facts.sites()[edge.site];
        let ends = ends(site, self.template(edge.callee));
        let Some((Some(given), Some(taken))) = ends else { return false };
        self.why.calls_from(edge.caller).any(|other| other == edge)
            && self.is_var(of_caller, edge.caller, given)
            && self.is_var(of_callee, edge.callee, taken)
    }

    /// Whether a place is a variable; where all contexts share it, steps have one place for all.
    fn is_var(&self, place: Place, instance: InstanceId, var: Var) -> bool {
        place == self.why.canonical(Place::Var { instance, var })
    }

    /// Whether a place is a field (this one, if it is said) of an object that the base of a statement has.
    fn is_field(&self, place: Place, by: StmtAt, base: Var, named: Option<FieldKey>) -> bool {
        let Place::Field { object, field } = place else { return false };
        let base = Place::Var { instance: by.instance, var: base };
        named.is_none_or(|named| named == field) && self.solution.is_at(base, object)
    }

    fn stmt(&self, by: StmtAt) -> Stmt {
        self.template(by.instance).stmts[by.number as usize]
    }

    fn template(&self, instance: InstanceId) -> &Template {
        self.solution.facts.template(self.solution.code_of(instance)).unwrap()
    }
}
