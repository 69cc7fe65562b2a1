//! All processes of a run together.

use heliostat_classfile::mutf8;
use heliostat_index::{FastSet, Id, IdVec, Interner};
use heliostat_weave::{WovenSite, log, table};

use crate::explain::{Explained, explain};
use crate::kind::INVOKE_DYNAMIC;
use crate::made::{self, MadeClass};
use crate::process::pid_of;
use crate::{Action, Api, Call, Class, Kind, Method, Process, ProcessFiles, Site, Table, Target, TracedId};

/// What a run did.
#[derive(Debug, Clone, Default)]
pub struct Trace {
    /// Its processes, in the order in which they started.
    pub processes: Vec<Process>,
    /// The classes that were loaded, each once, sorted.
    pub classes: Vec<Class>,
    /// The methods that call or are called, sorted by their texts.
    pub methods: IdVec<TracedId, Method>,
    /// The edges of the call graph, each once, sorted by the texts of their callers.
    pub calls: Vec<Call>,
    /// What was done by reflection, each once, sorted.
    pub actions: Vec<Action>,
    /// The classes that it has made, sorted by their names, and of each name the first.
    pub made: Vec<MadeClass>,
}

impl Trace {
    /// How many methods were called.
    pub fn called_methods(&self) -> usize {
        let mut called: Vec<TracedId> = self.calls.iter().map(|call| call.callee).collect();
        sort(&mut called);
        called.len()
    }
}

/// Reads the files of processes, one process after the other.
#[derive(Default)]
pub struct Reader {
    processes: Vec<Process>,
    classes: Vec<Class>,
    /// For now in the order of sight.
    methods: Interner<TracedId, Method>,
    calls: Vec<Call>,
    actions: Vec<Action>,
    made: Vec<MadeClass>,
}

impl Reader {
    /// Reads the files of a process.
    pub fn add(&mut self, files: ProcessFiles<'_>) {
        let mut process =
            Process { name: files.name.to_owned(), pid: pid_of(files.name), ..Process::default() };
        let read = table::read(files.table);
        process.lost.table = match &read {
            None => Table::Missing,
            Some(table) if table.is_cut_off => Table::CutOff,
            Some(_) => Table::Whole,
        };
        let read = read.unwrap_or_default();
        process.lost.calls = read.lost;
        let explained = explain(files.log, &read.calls, &mut process);
        let first = self.calls.len();
        for call in &read.calls {
            if self.call(*call, &explained).is_none() {
                process.lost.unexplained += 1;
            }
        }
        process.calls = self.calls.iter().skip(first).fold(0, |sum, call| sum.saturating_add(call.count));
        process.actions = explained.actions.len();
        process.classes = explained.classes.len();
        self.actions(&explained);
        process.call_edges = distinct(&self.calls[first..]);
        self.classes.extend(explained.classes);
        self.made.extend(made::read(files.classes));
        self.processes.push(process);
    }

    /// None if the log does not have a number.
    fn call(&mut self, call: table::Counted, explained: &Explained) -> Option<()> {
        let callee = explained.methods.get(&call.method)?;
        let site = self.site(call.site, explained)?;
        let from = explained.sites.get(&call.site);
        let kind = Kind::of(from, callee);
        // What the JDK runs for methods of records is part of the language.
        let is_of_record = callee.class.starts_with("java/lang/runtime/");
        if kind == Kind::Dynamic && from.is_some_and(is_handle_call) && !is_of_record {
            let (api, target) = (Api::MethodHandleInvoke, Target::Method(callee.clone()));
            self.actions.push(Action { api, site, target, detail: None });
        }
        let callee = self.methods.intern(callee.clone());
        self.calls.push(Call { site, callee, kind, count: call.count });
        Some(())
    }

    /// The place of a number; none if the log does not have it.
    fn site(&mut self, number: u32, explained: &Explained) -> Option<Site> {
        if number == 0 {
            return Some(Site::default());
        }
        let site = explained.sites.get(&number)?;
        let caller = self.methods.intern(explained.methods.get(&site.method)?.clone());
        let offset = (site.opcode != 0).then_some(site.offset);
        Some(Site { caller: Some(caller), offset, line: (site.line != 0).then_some(site.line) })
    }

    fn actions(&mut self, explained: &Explained) {
        for action in explained.actions.iter().filter(|action| !is_implicit_load(action, explained)) {
            let Some(site) = self.site(action.site, explained) else { continue };
            let target = Target::of(&action.subject);
            if let Some(run) = target.run_by(action.api).filter(|run| !explained.not_run.contains(run)) {
                let callee = self.methods.intern(run);
                self.calls.push(Call { site, callee, kind: Kind::Reflective, count: 1 });
            }
            let detail = action.detail.as_deref().map(mutf8::decode_lossy);
            self.actions.push(Action { api: action.api, site, target, detail });
        }
    }

    /// Everything that was read.
    pub fn finish(mut self) -> Trace {
        let (methods, renumbered) = self.sorted_methods();
        let renumber = |site: &mut Site| site.caller = site.caller.map(|caller| renumbered[caller]);
        for call in &mut self.calls {
            renumber(&mut call.site);
            call.callee = renumbered[call.callee];
        }
        self.actions.iter_mut().for_each(|action| renumber(&mut action.site));
        self.calls.sort_unstable();
        self.calls.dedup_by(|again, first| {
            let is_same = (again.site, again.callee, again.kind) == (first.site, first.callee, first.kind);
            if is_same && first.kind != Kind::Reflective {
                first.count = first.count.saturating_add(again.count);
            }
            is_same
        });
        sort(&mut self.actions);
        self.mark_made();
        sort(&mut self.classes);
        self.made.sort_by(|one, other| one.name.cmp(&other.name));
        self.made.dedup_by(|again, first| again.name == first.name);
        Trace {
            processes: self.processes,
            classes: self.classes,
            methods,
            calls: self.calls,
            actions: self.actions,
            made: self.made,
        }
    }

    /// The bytes of a class are kept if it was made.
    fn mark_made(&mut self) {
        let made: FastSet<(&str, usize)> =
            self.made.iter().map(|made| (made.name.as_str(), made.bytes.len())).collect();
        for class in &mut self.classes {
            class.is_generated |= made.contains(&(class.name.as_str(), class.length as usize));
        }
    }

    /// The methods in the order of their texts, and the new number of each.
    fn sorted_methods(&self) -> (IdVec<TracedId, Method>, IdVec<TracedId, TracedId>) {
        let mut order: Vec<(String, TracedId)> =
            self.methods.values().iter().map(|(id, method)| (method.to_string(), id)).collect();
        order.sort_unstable();
        let mut sorted = IdVec::with_capacity(order.len());
        let mut renumbered = IdVec::with_capacity(order.len());
        for _ in &order {
            renumbered.push(TracedId::new(0));
        }
        for (_, id) in order {
            renumbered[id] = sorted.push(self.methods[id].clone());
        }
        (sorted, renumbered)
    }
}

/// Whether a site calls a method handle, whatever that may be: its own, if it is an `invokedynamic`.
fn is_handle_call(site: &WovenSite) -> bool {
    let [owner, name, _] = &site.names;
    site.opcode == INVOKE_DYNAMIC
        || owner == b"java/lang/invoke/MethodHandle" && matches!(name.as_slice(), b"invoke" | b"invokeExact")
}

/// Whether a class was loaded since the JVM came to it, and not since the program asked for it.
fn is_implicit_load(action: &log::Action, explained: &Explained) -> bool {
    let load = || Method {
        class: "java/lang/ClassLoader".to_owned(),
        name: "loadClass".to_owned(),
        descriptor: "(Ljava/lang/String;)Ljava/lang/Class;".to_owned(),
    };
    action.api == Api::LoadClass && Kind::of(explained.sites.get(&action.site), &load()) == Kind::Implicit
}

/// How many edges there are, each once.
fn distinct(calls: &[Call]) -> usize {
    calls.iter().map(|call| (call.site, call.callee, call.kind)).collect::<FastSet<_>>().len()
}

fn sort<T: Ord>(items: &mut Vec<T>) {
    items.sort_unstable();
    items.dedup();
}

#[cfg(test)]
mod tests {
    use heliostat_weave::hooks::Api;
    use heliostat_weave::log::{LoadedClass, Record, Subject};
    use heliostat_weave::{Depth, WovenMethod, WovenSite};

    use super::*;

    fn bytes(text: &str) -> Vec<u8> {
        text.as_bytes().to_vec()
    }

    /// A class with `main` (1), which calls `run` (2) from site 1 and site 2.
    fn log() -> Vec<u8> {
        let method = |number, name| WovenMethod {
            number,
            name: bytes(name),
            descriptor: bytes("()V"),
            depth: Depth::Sites,
        };
        let names = ["A", "run", "()V"].map(bytes);
        let site = |number, line| WovenSite {
            number,
            method: 1,
            offset: number * 10,
            line,
            opcode: 0xb8,
            names: names.clone(),
        };
        let class = LoadedClass {
            name: bytes("A"),
            methods: vec![method(1, "main"), method(2, "run")],
            sites: vec![site(1, 5), site(2, 0)],
            left: vec![(bytes("big"), bytes("()V"))],
            location: "file:/a".to_owned(),
            ..LoadedClass::default()
        };
        let subject = Subject::Method(["LA;", "run", "()V"].map(bytes));
        let action = log::Action { api: Api::MethodInvoke, site: 1, subject, detail: None };
        let records = [
            Record::Property("java.vm.version".to_owned(), "17".to_owned()),
            Record::Class(class),
            Record::Action(action),
        ];
        records.iter().flat_map(log::write).collect()
    }

    fn table(calls: &[(u32, u32, u64)]) -> Vec<u8> {
        let calls = calls.iter().map(|&(site, method, count)| table::Counted { site, method, count });
        table::write(&calls.collect::<Vec<_>>(), 0)
    }

    fn read<const N: usize>(files: [ProcessFiles<'_>; N]) -> Trace {
        let mut reader = Reader::default();
        for files in files {
            reader.add(files);
        }
        reader.finish()
    }

    fn text(trace: &Trace) -> Vec<String> {
        let method = |id| trace.methods[id].to_string();
        let line = |call: &Call| {
            let Site { caller, offset, line } = call.site;
            let caller = caller.map(method).unwrap_or_default();
            format!("{caller} {offset:?} {line:?} {} {} {}", method(call.callee), call.kind, call.count)
        };
        trace.calls.iter().map(line).collect()
    }

    #[test]
    fn processes_are_put_together() {
        let (log, first, second) = (log(), table(&[(0, 1, 1), (1, 2, 3)]), table(&[(1, 2, 4), (2, 2, 1)]));
        let files = |name, table| ProcessFiles { name, log: &log, table, classes: &[] };
        let trace = read([files("0-7", &first), files("1-8", &second)]);
        let expected = [
            " None None A.main()V implicit 1",
            "A.main()V Some(10) Some(5) A.run()V static 7",
            "A.main()V Some(10) Some(5) A.run()V reflective 1",
            "A.main()V Some(20) None A.run()V static 1",
        ];
        assert_eq!(text(&trace), expected);
        assert_eq!((trace.classes.len(), trace.actions.len()), (1, 1));
        let [first, second] = &trace.processes[..] else { panic!("two processes") };
        assert_eq!((first.pid, first.call_edges, second.calls), (Some(7), 3, 5));
        assert!(first.lost.is_nothing() && first.untraced.len() == 1);
    }

    #[test]
    fn what_is_cut_off_is_told() {
        let (log, table) = (log(), table(&[(0, 1, 1), (1, 2, 3)]));
        for end in 0..log.len() {
            let trace = read([ProcessFiles { name: "x", log: &log[..end], table: &table, classes: &[] }]);
            let process = &trace.processes[0];
            let counted = trace.calls.iter().filter(|call| call.kind != Kind::Reflective).count();
            assert_eq!(counted + process.lost.unexplained, 2);
            assert_eq!(trace.calls.len(), process.call_edges);
        }
        for end in 0..table.len() {
            let trace = read([ProcessFiles { name: "x", log: &log, table: &table[..end], classes: &[] }]);
            assert_ne!(trace.processes[0].lost.table, Table::Whole, "{end}");
        }
        let nothing = read([ProcessFiles { name: "x", log: &[], table: &[], classes: &[] }]);
        assert_eq!((nothing.calls.len(), nothing.processes[0].lost.table), (0, Table::Missing));
    }
}
