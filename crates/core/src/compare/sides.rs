//! The two sides of a comparison, as their files have them.

use heliostat_index::{FastMap, FastSet};
use heliostat_trace::{Action, Api, Call, Class, Target, Trace, TracedId};
use serde::Serialize;

/// A file of a run that is not as it should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadRun {
    /// The file.
    pub file: &'static str,
    /// The line.
    pub line: usize,
    /// What is wrong.
    pub what: &'static str,
}

/// What an analysis said.
#[derive(Debug, Default)]
pub struct StaticRun {
    methods: FastSet<String>,
    /// What each site of a method calls.
    sites: FastMap<String, FastMap<u32, FastSet<String>>>,
    /// The classes that are not the JDK's: their checksums, and whether they are of the inputs.
    classes: FastMap<String, (u32, bool)>,
    /// Of reflective calls: caller, offset, method of the library and target.
    reflective: FastSet<(String, u32, String, String)>,
    /// How many edges there are.
    pub edges: u64,
    /// Whether a limit or somebody has ended it, so that it says less than it might have.
    pub was_ended: bool,
}

impl StaticRun {
    /// Reads `methods.txt`, `callgraph.tsv` and `classes.tsv` of a run.
    pub fn read(methods: &str, graph: &str, classes: &str) -> Result<Self, BadRun> {
        let mut run =
            Self { was_ended: [methods, graph, classes].into_iter().any(was_ended), ..Self::default() };
        run.methods.extend(methods.lines().filter(|line| !line.starts_with('#')).map(str::to_owned));
        for (number, row) in rows(graph) {
            let bad = |what| BadRun { file: "callgraph.tsv", line: number, what };
            let [caller, offset, _, callee, _] = row[..] else { return Err(bad("not five columns")) };
            let offset = offset.parse().map_err(|_| bad("the offset is no number"))?;
            run.add(caller, offset, callee);
        }
        for (number, row) in rows(classes) {
            let bad = |what| BadRun { file: "classes.tsv", line: number, what };
            let [class, checksum, part, _] = row[..] else { return Err(bad("not four columns")) };
            let checksum = u32::from_str_radix(checksum, 16).map_err(|_| bad("the checksum is no number"))?;
            run.classes.insert(class.to_owned(), (checksum, part == "input"));
        }
        Ok(run)
    }

    fn add(&mut self, caller: &str, offset: u32, callee: &str) {
        let sites = match self.sites.get_mut(caller) {
            Some(sites) => sites,
            None => self.sites.entry(caller.to_owned()).or_default(),
        };
        self.edges += u64::from(sites.entry(offset).or_default().insert(callee.to_owned()));
    }

    /// Reads `reflection.tsv` of the run as well.
    pub fn read_reflection(&mut self, table: &str) -> Result<(), BadRun> {
        for (number, row) in rows(table) {
            let bad = |what| BadRun { file: "reflection.tsv", line: number, what };
            let [caller, offset, _, api, target, _] = row[..] else { return Err(bad("not six columns")) };
            let offset = offset.parse().map_err(|_| bad("the offset is no number"))?;
            self.reflective.insert((caller.to_owned(), offset, api.to_owned(), target.to_owned()));
        }
        Ok(())
    }

    /// Whether the analysis has something that was done by reflection.
    pub(super) fn has_action(&self, action: &RecordedAction) -> bool {
        if action.runs {
            return self.has_edge(action.caller.as_deref(), action.offset, &action.target);
        }
        let (Some(caller), Some(offset)) = (&action.caller, action.offset) else { return false };
        let told = (caller.clone(), offset, action.api.to_owned(), action.target.clone());
        self.reflective.contains(&told)
    }

    /// The methods that are reached, in no order.
    pub(super) fn methods(&self) -> impl Iterator<Item = &str> {
        self.methods.iter().map(String::as_str)
    }

    /// Whether a method is reached.
    pub fn reaches(&self, method: &str) -> bool {
        self.methods.contains(method)
    }

    /// Whether the analysis has an edge. One whose place is not known may be anywhere in its method.
    pub fn has(&self, call: &RecordedCall) -> bool {
        self.has_edge(call.caller.as_deref(), call.offset, &call.callee)
    }

    pub(super) fn has_edge(&self, caller: Option<&str>, offset: Option<u32>, callee: &str) -> bool {
        let Some(caller) = caller else { return self.reaches(callee) };
        let Some(sites) = self.sites.get(caller) else { return false };
        match offset {
            Some(offset) => sites.get(&offset).is_some_and(|callees| callees.contains(callee)),
            None => sites.values().any(|callees| callees.contains(callee)),
        }
    }

    /// Whether the analysis has any edge from the place of a call.
    pub fn knows_site(&self, call: &RecordedCall) -> bool {
        let sites = call.caller.as_ref().and_then(|caller| self.sites.get(caller));
        sites.zip(call.offset).is_some_and(|(sites, offset)| sites.contains_key(&offset))
    }

    /// Whether a method is of a class of the inputs.
    pub fn is_app(&self, method: &str) -> bool {
        self.classes.get(class_of(method)).is_some_and(|&(_, is_input)| is_input)
    }

    /// Whether a method is of a class that is not the JDK's and that the analysis had.
    pub(super) fn has_class(&self, method: &str) -> bool {
        self.classes.contains_key(class_of(method))
    }

    pub(super) fn checksum(&self, class: &str) -> Option<u32> {
        self.classes.get(class).map(|&(checksum, _)| checksum)
    }
}

/// Whether the last line of a file says that there would be more.
fn was_ended(file: &str) -> bool {
    file.lines().next_back().is_some_and(|line| line.starts_with("# incomplete"))
}

/// The rows of a table without its head, each with the number of its line. A remark at the end is no row.
fn rows(table: &str) -> impl Iterator<Item = (usize, Vec<&str>)> {
    let lines = table.lines().enumerate().skip(1).filter(|(_, line)| !line.starts_with('#'));
    lines.map(|(index, line)| (index + 1, line.split('\t').collect()))
}

/// The class of a method `pkg/Class.name(desc)`.
pub(super) fn class_of(method: &str) -> &str {
    let name = method.split('(').next().unwrap_or(method);
    name.rsplit_once('.').map_or(name, |(class, _)| class)
}

/// A call that really happened.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct RecordedCall {
    /// The method that called; none if it was the JVM.
    pub caller: Option<String>,
    /// The bytecode offset, if it is known.
    pub offset: Option<u32>,
    /// The source line, if it is known.
    pub line: Option<u16>,
    /// The method that was called.
    pub callee: String,
    /// How.
    pub kind: String,
    /// How often.
    pub count: u64,
}

impl RecordedCall {
    /// Everything but how often.
    fn place(&self) -> (Option<&str>, Option<u32>, &str, &str) {
        (self.caller.as_deref(), self.offset, &self.callee, &self.kind)
    }
}

/// Something that was done by reflection, by one of the methods that act.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct RecordedAction {
    /// By which method of the library.
    pub api: &'static str,
    /// The method that called it.
    pub caller: Option<String>,
    /// The bytecode offset, if it is known.
    pub offset: Option<u32>,
    /// The method that it ran, or the field that it read or wrote.
    pub target: String,
    /// Whether it ran something.
    pub runs: bool,
}

/// A class that was loaded.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct RecordedClass {
    /// Its internal name.
    pub name: String,
    /// The checksum of its bytes.
    pub checksum: u32,
    /// Whether it was made at run time.
    pub is_generated: bool,
    /// Whether it is the JDK's.
    pub is_jdk: bool,
}

/// What real runs did.
#[derive(Debug, Clone, Default)]
pub struct Recorded {
    /// The calls, in order.
    pub calls: Vec<RecordedCall>,
    /// The classes.
    pub classes: Vec<RecordedClass>,
    /// What was done by reflection.
    pub actions: Vec<RecordedAction>,
    /// Whether not all is known that a process did.
    pub is_cut_off: bool,
    generated: FastSet<String>,
    /// Those that are neither that nor the JDK's.
    others: FastSet<String>,
}

impl Recorded {
    /// What these calls and classes are.
    pub fn new(calls: Vec<RecordedCall>, classes: Vec<RecordedClass>, actions: Vec<RecordedAction>) -> Self {
        let names =
            |is: fn(&&RecordedClass) -> bool| classes.iter().filter(is).map(|c| c.name.clone()).collect();
        let generated = names(|class| class.is_generated);
        let others = names(|class| !class.is_generated && !class.is_jdk);
        Self { calls, classes, actions, is_cut_off: false, generated, others }
    }

    /// Takes another run's calls and classes in addition.
    pub fn add(&mut self, other: Self) {
        self.calls.extend(other.calls);
        self.classes.extend(other.classes);
        self.classes.sort_unstable();
        self.classes.dedup();
        self.actions.extend(other.actions);
        self.generated.extend(other.generated);
        self.others.extend(other.others);
        self.is_cut_off |= other.is_cut_off;
        self.calls.sort_unstable();
        self.calls.dedup_by(|again, first| {
            let same = again.place() == first.place();
            if same {
                first.count = first.count.saturating_add(again.count);
            }
            same
        });
        self.actions.sort_unstable();
        self.actions.dedup();
    }

    /// Whether a method is of a class that is neither the JDK's nor made at run time.
    pub(super) fn is_other(&self, method: &str) -> bool {
        self.others.contains(class_of(method))
    }

    /// Whether a method is of a class that was made at run time.
    pub fn is_generated(&self, method: &str) -> bool {
        let class = class_of(method);
        // Hidden classes are not told of when they are loaded.
        self.generated.contains(class) || class.contains(".0x") || class.contains("/0x")
    }
}

impl From<&Trace> for Recorded {
    fn from(trace: &Trace) -> Self {
        let name = |method: TracedId| trace.methods[method].to_string();
        let call = |call: &Call| RecordedCall {
            caller: call.site.caller.map(name),
            offset: call.site.offset,
            line: call.site.line,
            callee: name(call.callee),
            kind: call.kind.name().to_owned(),
            count: call.count,
        };
        let class = |class: &Class| RecordedClass {
            name: class.name.clone(),
            checksum: class.checksum,
            is_generated: class.is_generated,
            is_jdk: class.is_of_jdk(),
        };
        let actions = trace.actions.iter().filter_map(|action| recorded_action(trace, action));
        let (calls, classes) = (trace.calls.iter().map(call), trace.classes.iter().map(class));
        let is_cut_off = trace.processes.iter().any(|process| !process.lost.is_nothing());
        Self { is_cut_off, ..Self::new(calls.collect(), classes.collect(), actions.collect()) }
    }
}

/// What acts: runs a method or a constructor, or reads or writes a field. Look-ups do not.
fn recorded_action(trace: &Trace, action: &Action) -> Option<RecordedAction> {
    let target = match (action.api, &action.target) {
        (
            Api::MethodInvoke | Api::ConstructorNewInstance | Api::MethodHandleInvoke,
            Target::Method(method),
        ) => method.to_string(),
        (Api::ClassNewInstance, Target::Classes(classes)) => {
            let class = classes.first()?.strip_prefix('L')?.strip_suffix(';')?;
            format!("{class}.<init>()V")
        }
        (Api::FieldGet | Api::FieldSet, Target::Field { class, name, descriptor }) => {
            format!("{class}.{name}:{descriptor}")
        }
        _ => return None,
    };
    Some(RecordedAction {
        api: action.api.name(),
        caller: action.site.caller.map(|method| trace.methods[method].to_string()),
        offset: action.site.offset,
        target,
        runs: !matches!(action.api, Api::FieldGet | Api::FieldSet),
    })
}
