//! What real runs did, held against what an analysis said.
//!
//! An edge of a recorded run is *covered* if the analysis has it, *missed* if not. For each missed one the
//! first cause is found: if the caller was never reached, that is the edge by which the run first left what
//! was reached, on a shortest way to the caller, over calls of the program's own if there is such a way. If what was called on was never made, that is the first
//! cause of its maker's not being reached.

mod causes;
mod makers;
mod sides;

use heliostat_index::{FastMap, FastSet};
use serde::Serialize;

pub use causes::{Cause, RootCause};
use sides::class_of;
pub use sides::{BadRun, Recorded, RecordedAction, RecordedCall, RecordedClass, StaticRun};

/// How the edges of a run are told apart, besides where they lead.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Filter {
    /// To a class initialiser: the JVM runs it when it comes to it.
    ClassInitialiser,
    /// From or to code that was made at run time.
    Generated,
    /// From or to a class that the analysis did not have: made at run time as if from where its maker is, or not among the inputs.
    UnknownClass,
    /// From a site of a method handle, as an `invokedynamic` is, to what links it and leads to its target.
    Linkage,
    /// The JVM or native code called, as to load a class.
    CalledBack,
    /// The JVM called, with no method of the program below.
    FromTheJvm,
}

/// Between which parts of the program an edge goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// From the inputs to the inputs.
    AppToApp,
    /// From the inputs to anything else.
    AppToLibrary,
    /// From anything else to the inputs.
    LibraryToApp,
    /// Neither end in the inputs.
    Library,
}

impl Part {
    /// In the order in which they are told.
    pub const ALL: [Self; 4] = [Self::AppToApp, Self::AppToLibrary, Self::LibraryToApp, Self::Library];
}

/// How many edges there are, and how many of them the analysis has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Coverage {
    /// Those that the run had.
    pub recorded: u64,
    /// Those that the analysis does not have.
    pub missed: u64,
}

impl Coverage {
    fn add(&mut self, is_missed: bool) {
        self.recorded += 1;
        self.missed += u64::from(is_missed);
    }

    /// The share that is missed, in percent.
    #[expect(clippy::cast_precision_loss, reason = "nobody calls so often")]
    pub fn missed_percent(self) -> f64 {
        if self.recorded == 0 { 0.0 } else { 100.0 * self.missed as f64 / self.recorded as f64 }
    }
}

/// A missed edge, with its first cause.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Missed {
    /// The edge.
    pub call: RecordedCall,
    /// Where it goes.
    pub part: Part,
    /// Why it is missed.
    pub cause: Cause,
}

/// The outcome.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Comparison {
    /// Whether the analysis came to its end.
    pub run_complete: bool,
    /// Whether all is known that the traced processes did.
    pub trace_complete: bool,
    /// Edges that are not of any [`Filter`], by their parts.
    pub edges: Vec<(Part, Coverage)>,
    /// What was left out of that, and how it is covered.
    pub filtered: Vec<(Filter, Coverage)>,
    /// Methods of the inputs that ran.
    pub app_methods: Coverage,
    /// All methods that ran, without generated ones.
    pub methods: Coverage,
    /// Reflective targets of call sites in the inputs, by the method of the library.
    pub reflection: Vec<(&'static str, Coverage)>,
    /// Every missed edge that was not filtered, in order.
    pub missed: Vec<Missed>,
    /// The first causes, those first that explain most edges which begin in the inputs, then most edges.
    pub causes: Vec<RootCause>,
    /// Classes of the inputs whose bytes differ from those that ran.
    pub other_classes: Vec<String>,
    /// Classes that ran and that the analysis did not have, though nothing generated them.
    pub unknown_classes: u64,
}

/// Compares.
pub fn compare(run: &StaticRun, recorded: &Recorded) -> Comparison {
    let mut edges: FastMap<Part, Coverage> = FastMap::default();
    let mut filtered: FastMap<Filter, Coverage> = FastMap::default();
    let mut missed = Vec::new();
    for call in &recorded.calls {
        let is_missed = !run.has(call);
        if let Some(filter) = filter(run, recorded, call) {
            filtered.entry(filter).or_default().add(is_missed);
            continue;
        }
        let part = part(run, call);
        edges.entry(part).or_default().add(is_missed);
        if is_missed {
            missed.push((part, call));
        }
    }
    let (app_methods, methods) = methods(run, recorded);
    let (missed, causes) = causes::find(run, recorded, missed);
    let (other_classes, unknown_classes) = classes(run, recorded);
    Comparison {
        run_complete: !run.was_ended,
        trace_complete: !recorded.is_cut_off,
        edges: Part::ALL.iter().map(|&part| (part, edges.remove(&part).unwrap_or_default())).collect(),
        filtered: sorted(filtered),
        app_methods,
        methods,
        reflection: reflection(run, recorded),
        missed,
        causes,
        other_classes,
        unknown_classes,
    }
}

/// How the targets of reflective calls in the inputs are covered, as in table 2 of the TOSEM'19 paper.
fn reflection(run: &StaticRun, recorded: &Recorded) -> Vec<(&'static str, Coverage)> {
    let mut by_api: FastMap<&'static str, Coverage> = FastMap::default();
    let of_app = |action: &&RecordedAction| action.caller.as_deref().is_some_and(|caller| run.is_app(caller));
    for action in recorded.actions.iter().filter(of_app) {
        by_api.entry(action.api).or_default().add(!run.has_action(action));
    }
    let mut all: Vec<_> = by_api.into_iter().collect();
    all.sort_unstable_by_key(|&(api, _)| api);
    all
}

fn sorted(filtered: FastMap<Filter, Coverage>) -> Vec<(Filter, Coverage)> {
    let mut all: Vec<_> = filtered.into_iter().collect();
    all.sort_unstable_by_key(|&(filter, _)| filter);
    all
}

/// Why an edge is not counted with the others. The papers leave out the same.
fn filter(run: &StaticRun, recorded: &Recorded, call: &RecordedCall) -> Option<Filter> {
    let Some(caller) = &call.caller else { return Some(Filter::FromTheJvm) };
    if is_of_the_tracer(caller) || is_of_the_tracer(&call.callee) {
        Some(Filter::CalledBack)
    } else if is_generated(run, recorded, caller) || is_generated(run, recorded, &call.callee) {
        Some(Filter::Generated)
    } else if is_unknown(run, recorded, caller) || is_unknown(run, recorded, &call.callee) {
        Some(Filter::UnknownClass)
    } else if call.kind == "clinit" {
        Some(Filter::ClassInitialiser)
    } else if call.kind == "linkage" {
        Some(Filter::Linkage)
    } else if call.kind == "implicit" {
        Some(Filter::CalledBack)
    } else {
        None
    }
}

/// Whether a method is of a class that was made at run time. A class of the inputs was not, however it was loaded.
fn is_generated(run: &StaticRun, recorded: &Recorded, method: &str) -> bool {
    recorded.is_generated(method) && !run.is_app(method)
}

/// Whether the JVM calls a method since, and only since, the program is traced.
fn is_of_the_tracer(method: &str) -> bool {
    method.starts_with("jdk/internal/module/Modules.transformedByAgent(")
}

fn is_unknown(run: &StaticRun, recorded: &Recorded, method: &str) -> bool {
    recorded.is_other(method) && !run.has_class(method)
}

fn part(run: &StaticRun, call: &RecordedCall) -> Part {
    let from_app = call.caller.as_deref().is_some_and(|caller| run.is_app(caller));
    match (from_app, run.is_app(&call.callee)) {
        (true, true) => Part::AppToApp,
        (true, false) => Part::AppToLibrary,
        (false, true) => Part::LibraryToApp,
        (false, false) => Part::Library,
    }
}

/// How the methods that ran are covered: those of the inputs, and all.
fn methods(run: &StaticRun, recorded: &Recorded) -> (Coverage, Coverage) {
    let (mut app, mut all) = (Coverage::default(), Coverage::default());
    let mut seen: FastSet<&str> = FastSet::default();
    for call in recorded.calls.iter().filter(|call| !is_generated(run, recorded, &call.callee)) {
        if seen.insert(&call.callee) {
            let is_missed = !run.reaches(&call.callee);
            all.add(is_missed);
            if run.is_app(&call.callee) {
                app.add(is_missed);
            }
        }
    }
    (app, all)
}

/// Whether a run came by a method of the inputs. If it did not, it is not one of this program.
pub fn is_of_the_inputs(run: &StaticRun, recorded: &Recorded) -> bool {
    recorded.calls.iter().any(|call| run.is_app(&call.callee))
}

/// How many of the classes that a run has made the analysis did not have; 0 if none of them was called.
pub fn made_and_not_analysed<'a>(
    run: &StaticRun,
    recorded: &Recorded,
    made: impl Iterator<Item = &'a str>,
) -> usize {
    let lacking: FastSet<&str> = made.filter(|class| run.checksum(class).is_none()).collect();
    let is_called = recorded.calls.iter().any(|call| lacking.contains(class_of(&call.callee)));
    if is_called { lacking.len() } else { 0 }
}

/// The classes that are others than those that ran, and how many were not known at all.
fn classes(run: &StaticRun, recorded: &Recorded) -> (Vec<String>, u64) {
    let mut others = Vec::new();
    let mut unknown = 0;
    for class in &recorded.classes {
        match run.checksum(&class.name) {
            Some(checksum) if checksum != class.checksum => others.push(class.name.clone()),
            Some(_) => {}
            None => unknown += u64::from(!class.is_jdk && !class.is_generated),
        }
    }
    others.dedup();
    (others, unknown)
}

#[cfg(test)]
mod tests {
    use super::*;

    const METHODS: &str = "A.main()V\nA.b()V\nlib/L.l()V\n";
    const GRAPH: &str = "caller\toffset\tline\tcallee\tkind\nA.main()V\t3\t\tA.b()V\tstatic\nA.b()V\t1\t\tlib/L.l()V\tstatic\n";
    const CLASSES: &str = "class\tchecksum\tpart\tarchive\nA\t0000002a\tinput\ta.jar\n";

    fn call(caller: &str, offset: u32, callee: &str, kind: &str) -> RecordedCall {
        let (caller, callee) = (Some(caller.to_owned()), callee.to_owned());
        RecordedCall { caller, offset: Some(offset), line: None, callee, kind: kind.to_owned(), count: 1 }
    }

    fn class(name: &str, checksum: u32, is_generated: bool) -> RecordedClass {
        RecordedClass { name: name.to_owned(), checksum, is_generated, is_jdk: false }
    }

    fn compared(calls: Vec<RecordedCall>, classes: Vec<RecordedClass>) -> Result<Comparison, BadRun> {
        let run = StaticRun::read(METHODS, GRAPH, CLASSES)?;
        Ok(compare(&run, &Recorded::new(calls, classes, Vec::new())))
    }

    #[test]
    fn what_is_missed_has_a_first_cause() -> Result<(), BadRun> {
        let calls = vec![
            call("A.main()V", 3, "A.b()V", "static"),
            call("A.main()V", 3, "A.c()V", "virtual"),
            call("A.c()V", 7, "A.d()V", "static"),
            call("A.d()V", 9, "lib/L.l()V", "static"),
            call("A.b()V", 1, "A.<clinit>()V", "clinit"),
        ];
        let found = compared(calls, Vec::new())?;
        let coverage = |recorded, missed| Coverage { recorded, missed };
        assert_eq!(
            found.edges[..2],
            [(Part::AppToApp, coverage(3, 2)), (Part::AppToLibrary, coverage(1, 1))]
        );
        assert_eq!(found.filtered, [(Filter::ClassInitialiser, coverage(1, 1))]);
        let causes: Vec<&Cause> = found.missed.iter().map(|missed| &missed.cause).collect();
        let since = Cause::CallerNotReached { since: Some(0) };
        assert_eq!(causes, [&Cause::CalleeMissing, &since, &since]);
        let [root] = &found.causes[..] else { panic!("one cause: {:?}", found.causes) };
        assert_eq!((root.call.callee.as_str(), root.edges, root.site_known), ("A.c()V", 3, true));
        Ok(())
    }

    /// The callees of the first causes, and how many edges each explains.
    fn roots(calls: Vec<RecordedCall>) -> Result<Vec<(String, u64)>, BadRun> {
        let found = compared(calls, Vec::new())?;
        Ok(found.causes.iter().map(|cause| (cause.call.callee.clone(), cause.edges)).collect())
    }

    #[test]
    fn what_is_called_on_has_a_maker() -> Result<(), BadRun> {
        // A static call is missed, and with it the maker of P, the calls on it, and what these make in turn.
        let calls = vec![
            call("A.main()V", 3, "P.run()V", "interface"),
            call("P.run()V", 1, "Q.<init>()V", "special"),
            call("A.b()V", 1, "Q.get()V", "virtual"),
            call("Q.get()V", 1, "A.d()V", "static"),
            call("A.main()V", 9, "A.factory()V", "static"),
            call("A.factory()V", 4, "P.<init>()V", "special"),
        ];
        let found = compared(calls.clone(), Vec::new())?;
        let causes: Vec<&Cause> = found.missed.iter().map(|missed| &missed.cause).collect();
        let (made, reached) =
            (&Cause::ReceiverNotMade { since: 0 }, &Cause::CallerNotReached { since: Some(0) });
        assert_eq!(causes, [made, reached, made, reached, &Cause::SiteUnknown, reached]);
        assert_eq!(roots(calls)?, [("A.factory()V".to_owned(), 6)]);
        Ok(())
    }

    #[test]
    fn a_lambda_is_made_by_the_method_around_it() -> Result<(), BadRun> {
        let calls = vec![
            call("A.b()V", 1, "A.lambda$late$0()V", "dynamic"),
            call("A.b()V", 1, "A.lambda$main$1()V", "dynamic"),
            call("A.main()V", 7, "A.late()V", "virtual"),
        ];
        // That of a method that is reached is missed by itself.
        let expected = [("A.late()V".to_owned(), 2), ("A.lambda$main$1()V".to_owned(), 1)];
        assert_eq!(roots(calls)?, expected);
        Ok(())
    }

    #[test]
    fn causes_do_not_go_in_circles() -> Result<(), BadRun> {
        // Each makes the other.
        let mut calls = vec![
            call("A.main()V", 1, "P.run()V", "virtual"),
            call("A.main()V", 2, "Q.run()V", "virtual"),
            call("P.run()V", 1, "Q.<init>()V", "special"),
            call("Q.run()V", 1, "P.<init>()V", "special"),
        ];
        assert_eq!(roots(calls.clone())?, [("P.run()V".to_owned(), 4)]);
        // And so does one that makes itself.
        let own =
            vec![call("A.main()V", 1, "P.run()V", "virtual"), call("P.run()V", 1, "P.<init>()V", "special")];
        assert_eq!(roots(own)?, [("P.run()V".to_owned(), 2)]);
        // Something else makes the first of them, too, though it is further away.
        calls.push(call("A.main()V", 3, "A.c()V", "static"));
        calls.push(call("A.c()V", 1, "A.d()V", "static"));
        calls.push(call("A.d()V", 1, "Q.<init>()V", "special"));
        assert_eq!(roots(calls)?, [("A.c()V".to_owned(), 7)]);
        Ok(())
    }

    #[test]
    fn calls_of_the_program_are_blamed_first() -> Result<(), BadRun> {
        for kind in ["implicit", "linkage", "clinit"] {
            let mut calls = vec![
                call("A.b()V", 1, "A.c()V", kind),
                call("A.c()V", 1, "A.d()V", "static"),
                call("A.main()V", 9, "A.e()V", "reflective"),
            ];
            let only = [("A.c()V".to_owned(), 1), ("A.e()V".to_owned(), 1)];
            assert_eq!(roots(calls.clone())?, only, "{kind}");
            // There is another way, be it a longer one.
            calls.push(call("A.e()V", 1, "A.c()V", "static"));
            assert_eq!(roots(calls.clone())?, [("A.e()V".to_owned(), 3)], "{kind}");
            calls.reverse();
            assert_eq!(roots(calls)?, [("A.e()V".to_owned(), 3)], "{kind}");
        }
        Ok(())
    }

    #[test]
    fn calls_have_initialisers_run() -> Result<(), BadRun> {
        let calls = vec![
            call("A.b()V", 1, "P.<clinit>()V", "clinit"),
            call("P.<clinit>()V", 1, "A.c()V", "static"),
            call("A.main()V", 9, "P.<init>()V", "reflective"),
        ];
        assert_eq!(roots(calls)?, [("P.<init>()V".to_owned(), 2)]);
        Ok(())
    }

    #[test]
    fn causes_of_missed_edges_of_the_inputs_come_first() -> Result<(), BadRun> {
        let calls = vec![
            call("lib/L.l()V", 1, "lib/L.m()V", "static"),
            call("lib/L.m()V", 1, "lib/L.n()V", "static"),
            call("A.main()V", 9, "A.c()V", "static"),
        ];
        let found = compared(calls, Vec::new())?;
        let order = [("A.c()V".to_owned(), 1, 1), ("lib/L.m()V".to_owned(), 0, 2)];
        let told = |cause: &RootCause| (cause.call.callee.clone(), cause.app_edges(), cause.edges);
        assert_eq!(found.causes.iter().map(told).collect::<Vec<_>>(), order);
        assert_eq!(found.missed[1].cause, Cause::CallerNotReached { since: Some(1) });
        Ok(())
    }

    #[test]
    fn what_the_tracer_does_is_no_cause() -> Result<(), BadRun> {
        let transformed = "jdk/internal/module/Modules.transformedByAgent(Ljava/lang/Module;)V";
        let reads = "jdk/internal/module/Modules.addReads()V";
        let calls = vec![
            call("lib/L.l()V", 1, transformed, "implicit"),
            call(transformed, 1, reads, "static"),
            call(reads, 1, "lib/L.l()V", "static"),
        ];
        let found = compared(calls, Vec::new())?;
        assert_eq!(found.filtered, [(Filter::CalledBack, Coverage { recorded: 2, missed: 2 })]);
        assert_eq!(found.missed.len(), 1);
        assert!(found.causes.is_empty(), "{:?}", found.causes);
        Ok(())
    }

    #[test]
    fn other_programs_and_made_classes_are_told_for_each_trace() -> Result<(), BadRun> {
        let run = StaticRun::read(METHODS, GRAPH, CLASSES)?;
        let recorded =
            |callee| Recorded::new(vec![call("X.x()V", 1, callee, "static")], Vec::new(), Vec::new());
        let is_own = |callee| is_of_the_inputs(&run, &recorded(callee));
        assert_eq!((is_own("A.b()V"), is_own("lib/L.l()V")), (true, false));
        let made = |callee| made_and_not_analysed(&run, &recorded(callee), ["A", "G", "H"].into_iter());
        assert_eq!((made("A.b()V"), made("G.g()V"), made("I.i()V")), (0, 2, 0));
        Ok(())
    }

    #[test]
    fn what_links_handles_is_counted_apart() -> Result<(), BadRun> {
        let calls = vec![
            call("A.main()V", 3, "java/lang/Object.<init>()V", "dynamic"),
            call("A.main()V", 5, "java/lang/Object.<init>()V", "linkage"),
            call("A.main()V", 5, "java/lang/invoke/DirectMethodHandle.allocateInstance()V", "linkage"),
            call("A.main()V", 5, "java/lang/invoke/MethodHandleNatives.linkCallSite()V", "implicit"),
        ];
        let found = compared(calls, Vec::new())?;
        let missed = |edges| Coverage { recorded: edges, missed: edges };
        assert_eq!(found.edges[1], (Part::AppToLibrary, missed(1)));
        assert_eq!(found.filtered, [(Filter::Linkage, missed(2)), (Filter::CalledBack, missed(1))]);
        Ok(())
    }

    #[test]
    fn other_programs_and_generated_code_are_told() -> Result<(), BadRun> {
        let calls =
            vec![call("A.main()V", 3, "G.g()V", "virtual"), call("A.main()V", 3, "N.n()V", "virtual")];
        let found = compared(calls, vec![class("A", 7, false), class("G", 1, true), class("N", 1, false)])?;
        assert_eq!(found.other_classes, ["A"]);
        assert_eq!(found.unknown_classes, 1);
        let missed = Coverage { recorded: 1, missed: 1 };
        assert_eq!(found.filtered, [(Filter::Generated, missed), (Filter::UnknownClass, missed)]);
        assert!(found.missed.is_empty());
        Ok(())
    }

    #[test]
    fn what_is_not_whole_is_told() -> Result<(), BadRun> {
        let found = compared(Vec::new(), Vec::new())?;
        assert!(found.run_complete && found.trace_complete);
        let run = StaticRun::read(&format!("{METHODS}# incomplete: ended early\n"), GRAPH, CLASSES)?;
        let mut recorded = Recorded::default();
        recorded.is_cut_off = true;
        recorded.add(Recorded::default());
        let found = compare(&run, &recorded);
        assert!(!found.run_complete && !found.trace_complete);
        Ok(())
    }

    #[test]
    fn a_class_of_the_inputs_is_not_made_at_run_time() -> Result<(), BadRun> {
        let found = compared(vec![call("A.main()V", 9, "A.b()V", "virtual")], vec![class("A", 0x2a, true)])?;
        assert_eq!(found.edges[0], (Part::AppToApp, Coverage { recorded: 1, missed: 1 }));
        assert!(found.filtered.is_empty());
        Ok(())
    }

    #[test]
    fn what_reflection_did_is_an_edge_or_a_row() -> Result<(), BadRun> {
        let mut run = StaticRun::read(METHODS, GRAPH, CLASSES)?;
        let table = "caller\toffset\tline\tapi\ttarget\thow\n\
                     A.main()V\t5\t\tField.get*\tA.f:I\tlog\nA.main()V\t7\t\tMethod.invoke\tA.b()V\tlog\n";
        run.read_reflection(table)?;
        let action = |api, offset, target: &str, runs| RecordedAction {
            api,
            caller: Some("A.main()V".to_owned()),
            offset: Some(offset),
            target: target.to_owned(),
            runs,
        };
        let actions = vec![
            action("Field.get*", 5, "A.f:I", false),
            action("Field.get*", 5, "A.g:I", false),
            action("Method.invoke", 3, "A.b()V", true),
            // The table has it, and yet nothing is called.
            action("Method.invoke", 7, "A.b()V", true),
        ];
        let found = compare(&run, &Recorded::new(Vec::new(), Vec::new(), actions));
        let half = Coverage { recorded: 2, missed: 1 };
        assert_eq!(found.reflection, [("Field.get*", half), ("Method.invoke", half)]);
        let bad = run.read_reflection("head\nA.main()V\tx\n").err();
        assert_eq!(bad, Some(BadRun { file: "reflection.tsv", line: 2, what: "not six columns" }));
        Ok(())
    }

    #[test]
    fn a_run_that_cannot_be_read_is_told() {
        let bad = StaticRun::read(METHODS, "caller\toffset\nA\tx\n", CLASSES).err();
        assert_eq!(bad, Some(BadRun { file: "callgraph.tsv", line: 2, what: "not five columns" }));
    }
}
