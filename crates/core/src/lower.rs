//! From methods to their IR.

use heliostat_index::Ids;
use heliostat_input::Origin;
use heliostat_ir::{Body, verify};
use heliostat_program::{ClassId, MethodId};
use serde::Serialize;

use crate::{Opened, Problem, Progress, Step};

/// What a look into all method bodies found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Bodies {
    /// How many methods with code were looked at.
    pub methods: u64,
    /// How many of them could not be lowered.
    pub failed: u64,
}

impl Opened {
    /// The IR of a method with code; none if it cannot be lowered, which is one more problem then. Links its class,
    /// which stays linked: the text of the IR needs that.
    pub fn lower(&mut self, method: MethodId) -> Option<Body> {
        let class = self.program.methods()[method].class;
        self.program.link(class);
        match self.lowerer.lower(&self.program, method) {
            Ok(body) => Some(body),
            Err(malformed) => {
                self.tell(class, |program, archive, entry| {
                    let method = Some(program.method_name(method));
                    Problem { method, ..Problem::of_class(archive, entry, malformed) }
                });
                None
            }
        }
    }

    /// The text of a method's IR; without code, a comment that says so; none if it cannot be lowered.
    pub fn ir_text(&mut self, method: MethodId) -> Option<String> {
        let data = self.program.methods()[method];
        if !data.has_code() {
            let why = if data.flags.is_native() { "native" } else { "abstract" };
            return Some(format!("# {}: {why}, no code\n", self.program.method_name(method)));
        }
        let body = self.lower(method)?;
        Some(heliostat_ir::print(&self.program, &body))
    }

    /// Lowers and verifies every method of inputs and class path; those that cannot be are among the problems
    /// afterwards. Looks once, however often it is called.
    pub fn check_bodies(&mut self, progress: &mut Progress<'_>) -> Bodies {
        if let Some(bodies) = self.bodies {
            return bodies;
        }
        let mut bodies = Bodies::default();
        let classes: Vec<_> =
            self.program.classes().ids().filter(|&class| self.origin(class) != Origin::Jdk).collect();
        for (done, &class) in classes.iter().enumerate() {
            progress(Step::Part { doing: "lowering the methods of classes", done, total: classes.len() });
            self.check_bodies_of(class, &mut bodies);
            self.program.unlink(class);
        }
        *self.bodies.insert(bodies)
    }

    fn check_bodies_of(&mut self, class: ClassId, bodies: &mut Bodies) {
        for method in Ids::between(self.program.classes()[class].methods.clone()) {
            if !self.program.methods()[method].has_code() {
                continue;
            }
            bodies.methods += 1;
            let Some(body) = self.lower(method) else {
                bodies.failed += 1;
                continue;
            };
            if let Err(violation) = verify(&self.program, &body) {
                bodies.failed += 1;
                self.tell(class, |program, archive, entry| {
                    let message = format!("its IR is wrong, which is a mistake of Heliostat: {violation}");
                    let method = Some(program.method_name(method));
                    Problem { method, ..Problem::new(archive, entry, message) }
                });
            }
        }
    }
}
