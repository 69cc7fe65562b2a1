//! The statements that store, by what they store into.

use heliostat_index::{FastMap, SetId};
use heliostat_program::FieldId;
use heliostat_solve::ObjectId;

use super::{StmtAt, Why};
use crate::engine::InstanceId;
use crate::facts::{CodeId, FieldKey, GlobalId, Stmt, Var};

/// A statement by its code and its number there.
type CodeStmt = (CodeId, u32);

/// The statements that store.
#[derive(Default)]
pub(super) struct Stores {
    fields: FastMap<FieldKey, Vec<CodeStmt>>,
    statics: FastMap<FieldId, Vec<CodeStmt>>,
    globals: FastMap<GlobalId, Vec<CodeStmt>>,
    /// Those that store into whatever fields an object has.
    open: Vec<CodeStmt>,
}

impl Stores {
    fn new(why: &Why<'_>) -> Self {
        let mut stores = Self::default();
        for (code, template) in why.codes() {
            for (number, &stmt) in (0..).zip(&template.stmts) {
                stores.note((code, number), stmt);
            }
        }
        stores
    }

    fn note(&mut self, at: CodeStmt, stmt: Stmt) {
        match stmt {
            Stmt::Store { field, .. } => self.fields.entry(field).or_default().push(at),
            Stmt::StoreStatic { field, .. } => self.statics.entry(field).or_default().push(at),
            Stmt::StoreGlobal { global, .. } => self.globals.entry(global).or_default().push(at),
            Stmt::StoreAny { .. } => self.open.push(at),
            _ => {}
        }
    }
}

/// Statements that may store an object into a field of the same objects, and in the same manner.
pub(super) struct Carriers {
    /// A variable that has what they store into.
    pub(super) bases: (InstanceId, Var),
    /// Whether they name no field.
    pub(super) open: bool,
    /// The statements, each with the variable that has the object.
    pub(super) stmts: Vec<(StmtAt, Var)>,
}

impl Why<'_> {
    fn stores(&self) -> &Stores {
        self.stores.get_or_init(|| Stores::new(self))
    }

    /// The statements that store an object into a static field, each with the variable that has it.
    pub(super) fn storing_into_static(&self, field: FieldId, object: ObjectId) -> Vec<(StmtAt, Var)> {
        self.storing(self.stores().statics.get(&field), object).collect()
    }

    /// The same for a variable of the models.
    pub(super) fn storing_into_global(&self, global: GlobalId, object: ObjectId) -> Vec<(StmtAt, Var)> {
        self.storing(self.stores().globals.get(&global), object).collect()
    }

    /// The statements that store an object into a field of whatever objects, by what those are.
    pub(super) fn storing_into_field(&self, field: FieldKey, object: ObjectId) -> Vec<Carriers> {
        let mut all: Vec<Carriers> = Vec::new();
        let mut known: FastMap<(SetId, bool), usize> = FastMap::default();
        let stores = self.stores();
        for (list, open) in [(stores.fields.get(&field), false), (Some(&stores.open), true)] {
            for (at, from) in self.storing(list, object) {
                let Some(base) = self.stmt(at).and_then(base_of) else { continue };
                let bases = (at.instance, base);
                let place = *known.entry((self.set(at.instance, base), open)).or_insert(all.len());
                if place == all.len() {
                    all.push(Carriers { bases, open, stmts: Vec::new() });
                }
                all[place].stmts.push((at, from));
            }
        }
        all
    }

    /// Of some statements, in whatever context, those whose variable has an object.
    fn storing<'s>(
        &'s self,
        list: Option<&'s Vec<CodeStmt>>,
        object: ObjectId,
    ) -> impl Iterator<Item = (StmtAt, Var)> + 's {
        let all = list.into_iter().flatten().flat_map(|&(code, number)| {
            self.instances_of(code).iter().map(move |&instance| StmtAt { instance, number })
        });
        all.filter_map(move |at| {
            let from = stored(self.stmt(at)?)?;
            self.has(at.instance, from, object).then_some((at, from))
        })
    }

    /// The number of what a variable points to: equal sets have equal numbers.
    pub(super) fn set(&self, instance: InstanceId, var: Var) -> SetId {
        self.solution.solver.set(self.solution.node(instance, var))
    }

    /// Whether a variable points to an object.
    pub(super) fn has(&self, instance: InstanceId, var: Var, object: ObjectId) -> bool {
        self.solution.solver.contains(self.solution.node(instance, var), object)
    }
}

/// The variable that a statement stores.
fn stored(stmt: Stmt) -> Option<Var> {
    match stmt {
        Stmt::Store { from, .. }
        | Stmt::StoreAny { from, .. }
        | Stmt::StoreStatic { from, .. }
        | Stmt::StoreGlobal { from, .. } => Some(from),
        _ => None,
    }
}

/// The variable whose objects a statement stores into.
fn base_of(stmt: Stmt) -> Option<Var> {
    match stmt {
        Stmt::Store { base, .. } | Stmt::StoreAny { base, .. } => Some(base),
        _ => None,
    }
}
