//! What the numbers of one process stand for.

use heliostat_classfile::mutf8;
use heliostat_index::{FastMap, FastSet};
use heliostat_weave::log::{self, LoadedClass, Record, Records};
use heliostat_weave::table::Counted;
use heliostat_weave::{Depth, WovenSite};

use crate::process::Process;
use crate::{Class, Method, Target};

/// What a log says, as far as anything asks for it.
pub(crate) struct Explained {
    pub(crate) classes: Vec<Class>,
    pub(crate) methods: FastMap<u32, Method>,
    pub(crate) sites: FastMap<u32, WovenSite>,
    pub(crate) actions: Vec<log::Action>,
    /// What reflection was asked to run and did not, since it failed before.
    pub(crate) not_run: FastSet<Method>,
}

/// The numbers that are asked for.
struct Asked {
    methods: FastSet<u32>,
    sites: FastSet<u32>,
    /// What reflection was asked to run, by the names of classes.
    run: FastMap<String, Vec<Method>>,
}

/// Reads a log, with the calls of the process at hand; what it says of the process itself is noted there.
pub(crate) fn explain(log: &[u8], calls: &[Counted], process: &mut Process) -> Explained {
    let mut records = Records::new(log);
    let actions: Vec<log::Action> = records.by_ref().filter_map(action).collect();
    process.lost.log_bytes = records.rest().len();
    let asked = Asked {
        methods: calls.iter().map(|call| call.method).collect(),
        sites: calls.iter().map(|call| call.site).chain(actions.iter().map(|action| action.site)).collect(),
        run: asked_to_run(&actions),
    };
    let (classes, methods, sites, not_run) = Default::default();
    let mut explained = Explained { classes, methods, sites, actions, not_run };
    let mut ran = FastSet::default();
    // A log is mostly sites that were never passed: reading it twice is less than keeping it.
    for record in Records::new(log) {
        match record {
            Record::Property(name, value) => {
                process.properties.insert(name, value);
            }
            Record::Class(class) => {
                explained.note_run(&class, &asked, &mut ran);
                explained.class(class, &asked, process);
            }
            Record::Action(_) | Record::Code(_) => {}
        }
    }
    explained.not_run.retain(|method| !ran.contains(method));
    explained
}

fn asked_to_run(actions: &[log::Action]) -> FastMap<String, Vec<Method>> {
    let mut run: FastMap<String, Vec<Method>> = FastMap::default();
    for method in actions.iter().filter_map(|action| Target::of(&action.subject).run_by(action.api)) {
        run.entry(method.class.clone()).or_default().push(method);
    }
    run
}

fn action(record: Record) -> Option<log::Action> {
    match record {
        Record::Action(action) => Some(action),
        _ => None,
    }
}

impl Explained {
    /// Notes what of a class reflection was asked to run and did not. What is not traced may have run; what has no code has not: natives
    /// are not seen as callees in other ways, either.
    fn note_run(&mut self, class: &LoadedClass, asked: &Asked, ran: &mut FastSet<Method>) {
        let Some(targets) = asked.run.get(&mutf8::decode_lossy(&class.name)) else { return };
        let named = |name: &[u8], descriptor: &[u8]| Method::new(&class.name, name, descriptor);
        let traced = class.methods.iter().filter(|method| asked.methods.contains(&method.number));
        ran.extend(traced.map(|method| named(&method.name, &method.descriptor)));
        ran.extend(class.left.iter().map(|(name, descriptor)| named(name, descriptor)));
        if !class.is_unreadable {
            self.not_run.extend(targets.iter().cloned());
        }
    }

    fn class(&mut self, class: LoadedClass, asked: &Asked, process: &mut Process) {
        self.classes.push(Class::of(&class));
        let method = |name: &[u8], descriptor: &[u8]| Method::new(&class.name, name, descriptor);
        if class.is_unreadable {
            process.unreadable.push(mutf8::decode_lossy(&class.name));
        }
        process.untraced.extend(class.left.iter().map(|(name, descriptor)| method(name, descriptor)));
        let mut callers = FastSet::default();
        for site in class.sites {
            if asked.sites.contains(&site.number) {
                callers.insert(site.method);
                self.sites.insert(site.number, site);
            }
        }
        for woven in &class.methods {
            let is_coarse = woven.depth == Depth::Method;
            if !is_coarse && !asked.methods.contains(&woven.number) && !callers.contains(&woven.number) {
                continue;
            }
            let named = method(&woven.name, &woven.descriptor);
            process.coarse.extend(is_coarse.then(|| named.clone()));
            self.methods.insert(woven.number, named);
        }
    }
}
