//! The statements that store, by what they store into.

use heliostat_index::{FastMap, SetId};
use heliostat_program::FieldId;
use heliostat_solve::ObjectId;

use super::{StmtAt, Why};
use crate::engine::InstanceId;
use crate::facts::{CodeId, FieldKey, GlobalId, Stmt, Var};

/// A statement that stores, in whatever context.
#[derive(Clone, Copy)]
struct Store {
    code: CodeId,
    /// The number of the statement there.
    number: u32,
    /// The variable whose objects it stores into; none if it stores into no objects.
    base: Option<Var>,
    /// The variable that it stores.
    from: Var,
}

/// The statements that store.
#[derive(Default)]
pub(super) struct Stores {
    fields: FastMap<FieldKey, Vec<Store>>,
    statics: FastMap<FieldId, Vec<Store>>,
    globals: FastMap<GlobalId, Vec<Store>>,
    /// Those that store into whatever fields an object has.
    open: Vec<Store>,
}

impl Stores {
    fn new(why: &Why<'_>) -> Self {
        let mut stores = Self::default();
        for (code, template) in why.codes() {
            for (number, &stmt) in (0..).zip(&template.stmts) {
                stores.note(code, number, stmt);
            }
        }
        stores
    }

    fn note(&mut self, code: CodeId, number: u32, stmt: Stmt) {
        let store = |base, from| Store { code, number, base, from };
        match stmt {
            Stmt::Store { base, field, from } => {
                self.fields.entry(field).or_default().push(store(Some(base), from));
            }
            Stmt::StoreStatic { field, from } => {
                self.statics.entry(field).or_default().push(store(None, from));
            }
            Stmt::StoreGlobal { global, from } => {
                self.globals.entry(global).or_default().push(store(None, from));
            }
            Stmt::StoreAny { base, from } => self.open.push(store(Some(base), from)),
            Stmt::Assign { .. }
            | Stmt::Alloc { .. }
            | Stmt::Load { .. }
            | Stmt::LoadStatic { .. }
            | Stmt::LoadGlobal { .. }
            | Stmt::LoadAny { .. }
            | Stmt::Derive { .. }
            | Stmt::Call(_)
            | Stmt::Init { .. }
            | Stmt::InitOf { .. }
            | Stmt::Listen { .. } => {}
        }
    }
}

/// A variable of code in a context.
#[derive(Clone, Copy)]
pub(super) struct VarAt {
    pub(super) instance: InstanceId,
    pub(super) var: Var,
}

/// A statement that stores an object, and the variable that has it.
#[derive(Clone, Copy)]
pub(super) struct Storing {
    pub(super) by: StmtAt,
    pub(super) from: Var,
}

/// Statements that may store an object into a field of the same objects, and in the same manner.
pub(super) struct Carriers {
    /// A variable that has what they store into.
    pub(super) bases: VarAt,
    /// Whether they name no field.
    pub(super) open: bool,
    /// The statements.
    pub(super) stmts: Vec<Storing>,
}

impl Why<'_> {
    fn stores(&self) -> &Stores {
        self.stores.get_or_init(|| Stores::new(self))
    }

    /// The statements that store an object into a static field.
    pub(super) fn storing_into_static(&self, field: FieldId, object: ObjectId) -> Vec<Storing> {
        self.storing(self.stores().statics.get(&field), object).map(|(_, storing)| storing).collect()
    }

    /// The same for a variable of the models.
    pub(super) fn storing_into_global(&self, global: GlobalId, object: ObjectId) -> Vec<Storing> {
        self.storing(self.stores().globals.get(&global), object).map(|(_, storing)| storing).collect()
    }

    /// The statements that store an object into a field of whatever objects, by what those are.
    pub(super) fn storing_into_field(&self, field: FieldKey, object: ObjectId) -> Vec<Carriers> {
        let mut all: Vec<Carriers> = Vec::new();
        let mut known: FastMap<(SetId, bool), usize> = FastMap::default();
        let stores = self.stores();
        for (list, open) in [(stores.fields.get(&field), false), (Some(&stores.open), true)] {
            for (store, storing) in self.storing(list, object) {
                let Some(var) = store.base else { continue };
                let bases = VarAt { instance: storing.by.instance, var };
                let place = *known.entry((self.set(bases.instance, var), open)).or_insert(all.len());
                if place == all.len() {
                    all.push(Carriers { bases, open, stmts: Vec::new() });
                }
                all[place].stmts.push(storing);
            }
        }
        all
    }

    /// Of some statements, in whatever context, those whose variable has an object.
    fn storing<'s>(
        &'s self,
        list: Option<&'s Vec<Store>>,
        object: ObjectId,
    ) -> impl Iterator<Item = (Store, Storing)> + 's {
        let all = list.into_iter().flatten().flat_map(|&store| {
            let instances = self.instances_of(store.code).iter();
            instances.map(move |&instance| (store, StmtAt { instance, number: store.number }))
        });
        let having = all.filter(move |(store, by)| self.has(by.instance, store.from, object));
        having.map(|(store, by)| (store, Storing { by, from: store.from }))
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
