//! What reflective calls turn out to do: statements that come late.

use heliostat_index::BlockBits;
use heliostat_solve::{ObjectId, Solver};

use super::{Engine, InstanceId, Waiting};
use crate::facts::{AllocId, CallSite, Callee, EdgeKind, MadeUp, Stmt};
use crate::reflection::{Doing, ListenId, Listening, Reflection, Scene};

impl Engine<'_> {
    /// Tells whoever listens that these objects are new at an argument of a call, and does what the answer is.
    pub(super) fn hear(
        &mut self,
        solver: &mut Solver<Waiting>,
        instance: InstanceId,
        (call, position): (ListenId, u32),
        objects: &[BlockBits],
    ) {
        let ids = objects.iter().flat_map(|block| block.ids::<ObjectId>());
        let mut allocs: Vec<AllocId> = ids.filter_map(|o| Some(self.objects[o]?.alloc)).collect();
        allocs.sort_unstable();
        allocs.dedup();
        self.tell(solver, Some((call, instance)), |reflection, scene| {
            reflection.heard(scene, position as usize, &allocs);
        });
    }

    /// Tells whoever listens that nothing arrives any more; whether there is something to go on with.
    pub(super) fn settle(&mut self, solver: &mut Solver<Waiting>) -> bool {
        let before = self.done_late.len();
        self.tell(solver, None, |reflection, scene| reflection.settled(scene));
        self.run_fresh(solver);
        self.done_late.len() > before
    }

    /// Tells whoever listens something, and does what the answer is.
    fn tell(
        &mut self,
        solver: &mut Solver<Waiting>,
        heard: Option<(ListenId, InstanceId)>,
        what: impl FnOnce(&mut dyn Reflection, &mut Scene<'_>),
    ) {
        let Some(reflection) = self.reflection.take() else { return };
        let mut scene = Scene {
            program: self.program,
            facts: &mut self.facts,
            heard,
            layout: &self.layout,
            instances: &self.instances,
            listeners: &self.listeners,
            solver,
            objects: &self.objects,
            done: Vec::new(),
        };
        what(reflection, &mut scene);
        let done = scene.done;
        self.reflection = Some(reflection);
        for (call, doing) in done {
            self.does(solver, call, doing);
        }
    }

    /// Adds what a call turns out to do to the code that has it, in all contexts, unless it is there.
    fn does(&mut self, solver: &mut Solver<Waiting>, call: ListenId, doing: Doing) {
        if !self.done_late.insert((call, doing)) {
            return;
        }
        let Some(stmt) = self.late_stmt(call, doing) else { return };
        let (code, offset) = (self.facts.listening[call].code, self.facts.listening[call].offset);
        let Some(template) = self.facts.templates[code].as_deref_mut() else { return };
        let number = template.stmts.len() as u32;
        template.stmts.push(stmt);
        template.offsets.push(offset);
        for instance in self.listeners.get(&code).cloned().unwrap_or_default() {
            self.start(solver, Waiting { instance, stmt: number }, stmt);
        }
    }

    /// The statement that does it; none if nothing comes of it.
    fn late_stmt(&mut self, call: ListenId, doing: Doing) -> Option<Stmt> {
        let Listening { offset, result, .. } = self.facts.listening[call];
        let (made_up, first) = match doing {
            Doing::Give(site) => return result.expand().map(|to| Stmt::Alloc { to, site }),
            Doing::Init(class) => return Some(Stmt::Init { class, offset }),
            // What acts is the class, constructor, method or field that comes first.
            Doing::Act(done) => (MadeUp::Doing(done), 1),
            Doing::Run(what) => (MadeUp::Reflected(what), 0),
        };
        let callee = Callee::Fixed(self.facts.make_up(made_up));
        let listening = &self.facts.listening[call];
        let site = CallSite {
            code: listening.code,
            offset,
            kind: EdgeKind::Reflective,
            callee,
            receiver: None.into(),
            args: listening.args.iter().skip(first).copied().collect(),
            result,
            thrown: listening.thrown,
        };
        Some(Stmt::Call(self.facts.sites.push(site)))
    }
}
