//! Why something is so: searched in the solution when somebody asks. Nothing is stored for it.
//!
//! A method is reached along call edges from the root ([`Reached`]). A variable points to an object because of a chain of
//! assignments, loads, stores and calls that leads from the allocation to the variable ([`Why::points_to`]): each place on the chain has the
//! object, and everything between lets it pass. Paths lead from the program's own entry points if they can; what only the
//! JVM's start does is a last resort.

mod alloc;
mod calls;
mod flow;
mod reach;
mod stores;
mod ways;

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use heliostat_index::{FastMap, Id, Lists};
use heliostat_program::{FieldId, Program};
use heliostat_solve::{FilterId, ObjectId};

use crate::engine::{CallEdge, ClinitEdge, InstanceId};
use crate::facts::{CodeId, FieldKey, GlobalId, Template, Var};
use crate::solution::Solution;
use crate::types::{Types, What};

pub use alloc::AllocAt;
use calls::Calls;
pub use reach::Reached;
use stores::Stores;

/// Where an object is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "self-explanatory")]
pub enum Place {
    /// In a variable of code in a context.
    Var { instance: InstanceId, var: Var },
    /// In a field, or among the elements, of an object.
    Field { object: ObjectId, field: FieldKey },
    /// In a static field.
    Static(FieldId),
    /// In a variable of the models.
    Global(GlobalId),
}

/// A statement of code in a context, by its number in the template.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StmtAt {
    /// The code in its context.
    pub instance: InstanceId,
    /// The number of the statement.
    pub number: u32,
}

/// How an object came to a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// This statement made it.
    Made(StmtAt),
    /// The JVM keeps every class object there.
    Kept,
    /// This statement made it of the object of the step before.
    Derived(StmtAt),
    /// By this statement, from the place before.
    Moved(StmtAt),
    /// As the argument of this number, from the place before.
    Argument(CallEdge, usize),
    /// As a receiver, from the place before.
    Receiver(CallEdge),
    /// As a result, from the place before.
    Returned(CallEdge),
    /// As an exception, from the place before.
    Thrown(CallEdge),
}

/// One place on the way of an object, and how it came there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// The place.
    pub place: Place,
    /// The object: another one than at the end, if that was made of it.
    pub object: ObjectId,
    /// How the object came there.
    pub how: How,
}

/// One call on the way to a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// An ordinary call.
    Call(CallEdge),
    /// A class is initialised.
    Clinit(ClinitEdge),
}

/// Fields that code outside Java may mean, and what may be stored there.
type OpenFields = Rc<[(FieldKey, FilterId)]>;

/// Answers questions about a solution. What an answer needs is worked out when it is first needed.
pub struct Why<'a> {
    solution: &'a Solution,
    types: Types<'a>,
    calls: Calls<'a>,
    instances: Lists<CodeId, InstanceId>,
    codes: usize,
    reached: OnceCell<Reached>,
    stores: OnceCell<Stores>,
    open_fields: RefCell<FastMap<What, OpenFields>>,
}

impl<'a> Why<'a> {
    /// Makes ready for questions about the solution of a program.
    pub fn new(solution: &'a Solution, program: &'a Program) -> Self {
        let all = || solution.instances().map(|(id, code, _)| (code, id));
        let codes = all().map(|(code, _)| code.index() + 1).max().unwrap_or(0);
        let count = all().count();
        let pairs = (0..count).map(|number| {
            let id = InstanceId::new(number);
            (solution.code_of(id), id)
        });
        Self {
            solution,
            types: Types { program, facts: &solution.facts },
            calls: Calls::new(&solution.edges, count),
            instances: Lists::new(codes, pairs),
            codes,
            reached: OnceCell::new(),
            stores: OnceCell::new(),
            open_fields: RefCell::default(),
        }
    }

    /// The instances of code, in order.
    pub fn instances_of(&self, code: CodeId) -> &[InstanceId] {
        if code.index() < self.codes { self.instances.of(code) } else { &[] }
    }

    /// How everything is reached.
    pub fn reached(&self) -> &Reached {
        self.reached.get_or_init(|| Reached::new(self))
    }

    /// What an instance calls, an edge maybe more than once.
    pub fn calls_from(&self, caller: InstanceId) -> impl Iterator<Item = CallEdge> + '_ {
        self.calls.from(caller)
    }

    /// The code, in the order of its number, that has statements.
    fn codes(&self) -> impl Iterator<Item = (CodeId, &'a Template)> + '_ {
        let facts = &self.solution.facts;
        (0..self.codes).map(CodeId::new).filter_map(|code| Some((code, facts.template(code)?)))
    }

    fn template_of(&self, instance: InstanceId) -> Option<&'a Template> {
        self.solution.facts.template(self.solution.code_of(instance))
    }

    fn what(&self, object: ObjectId) -> Option<What> {
        self.solution.object(object).map(|o| self.solution.facts.allocs()[o.alloc].what())
    }

    /// The fields of an object that code outside Java may mean. To find them, constant pools are read: once for all objects alike.
    fn open_fields(&self, what: What) -> OpenFields {
        let mut known = self.open_fields.borrow_mut();
        Rc::clone(known.entry(what).or_insert_with(|| self.types.open_fields(what).into()))
    }

    /// Whether a variable has one node for all contexts.
    fn is_shared(&self, instance: InstanceId, var: Var) -> bool {
        let same_code = self.instances_of(self.solution.code_of(instance));
        let other = same_code.iter().find(|&&other| other != instance);
        other.is_some_and(|&other| self.solution.node(other, var) == self.solution.node(instance, var))
    }

    /// The one place for a variable that has one node for all contexts; any other place is itself. Steps have such places.
    pub fn canonical(&self, place: Place) -> Place {
        match place {
            Place::Var { instance, var } if self.is_shared(instance, var) => {
                let first = self.instances_of(self.solution.code_of(instance)).first();
                Place::Var { instance: first.copied().unwrap_or(instance), var }
            }
            other => other,
        }
    }
}
