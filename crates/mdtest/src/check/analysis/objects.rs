//! How objects are called on a page.

use std::collections::BTreeSet;

use heliostat_core::ir::Op;
use heliostat_core::program::{HandleMember, Program, quote};
use heliostat_core::pta::InstanceId;
use heliostat_core::pta::facts::{AllocId, AllocKind, Facts, Stmt, Var};
use heliostat_core::pta::reflection::Mirror;

use super::Checked;
use super::view::{At, View};

/// Gives a name to the object that a line allocates; to that of this type, if told.
pub(super) fn name(view: &mut View<'_>, line: u32, ty: Option<&str>, label: &str) -> Checked {
    let places = view.at(line)?;
    let allocs = view.solution.facts.allocs();
    let is_meant = |alloc: &AllocId| {
        ty.is_none_or(|ty| view.own.shown(&view.program.type_name(allocs[*alloc].ty)) == ty)
    };
    let found: BTreeSet<AllocId> =
        places.iter().flat_map(|at| allocated(view, at)).filter(is_meant).collect();
    let found: Vec<AllocId> = found.into_iter().collect();
    match found[..] {
        [one] if matches!(allocs[one].kind, AllocKind::Merged(_)) => {
            Err("   found that it is not told apart from others of its type".to_owned())
        }
        [one] => match view.labels.insert(one, label.to_owned()) {
            None => Ok(()),
            Some(other) => Err(format!("   but it is called {other} already")),
        },
        [] => Err(format!("   found no allocation {}", view.line_text(line))),
        _ => Err(format!("   found more than one allocation {}", view.line_text(line))),
    }
}

/// The objects that an instruction makes.
fn allocated(view: &View<'_>, at: &At<'_>) -> Vec<AllocId> {
    let code = Facts::code(at.own.method);
    let is_here = |kind: AllocKind| match kind {
        AllocKind::Site { code: c, offset, .. } | AllocKind::Value { code: c, offset, .. } => {
            c == code && offset == at.offset
        }
        _ => false,
    };
    let sites =
        view.solution.facts.allocs().iter().filter(|(_, alloc)| is_here(alloc.kind)).map(|(id, _)| id);
    // Lambdas, and what is merged, do not know where they are; the statement does.
    let makes = matches!(at.op, Op::New(_) | Op::NewArray(_) | Op::NewMultiArray(_) | Op::CallDynamic(_));
    let body = at.own.body.as_ref().filter(|_| makes);
    let result = body.and_then(|body| body.insts[at.inst].result.expand());
    let template = view.solution.facts.template(code).filter(|_| result.is_some());
    let stmts = template.into_iter().flat_map(|template| {
        template.stmts.iter().filter_map(move |stmt| match *stmt {
            Stmt::Alloc { to, site } => {
                let value = template.values.get(heliostat_index::Id::index(to))?.expand();
                (value == result).then_some(site)
            }
            _ => None,
        })
    });
    sites.chain(stmts).collect()
}

impl View<'_> {
    /// What a variable may be, by name.
    pub(super) fn objects_of(&self, instance: InstanceId, var: Var) -> BTreeSet<String> {
        let objects =
            self.solution.points_to(instance, var).filter_map(|object| self.solution.object(object));
        objects.map(|object| self.object_name(object.alloc)).collect()
    }

    fn object_name(&self, alloc: AllocId) -> String {
        if let Some(label) = self.labels.get(&alloc) {
            return label.clone();
        }
        let alloc = self.solution.facts.allocs()[alloc];
        let program = self.program;
        let ty = |ty| program.type_name(ty);
        let name = match alloc.kind {
            AllocKind::Site { .. } | AllocKind::Value { .. } | AllocKind::Resized { .. } => {
                format!("new {}", ty(alloc.ty))
            }
            AllocKind::Empty(array) => format!("empty {}", ty(array)),
            AllocKind::Merged(merged) => format!("any {}", ty(merged)),
            AllocKind::Strings => "strings".to_owned(),
            AllocKind::String(text) | AllocKind::LibraryString(text) => quote(program.symbols.bytes(text)),
            AllocKind::Class(class) => format!("{}.class", ty(class)),
            AllocKind::Handle(handle) => {
                format!("handle {}", handle_name(program, program.handle(handle).member))
            }
            AllocKind::MethodType(_) => "methodtype".to_owned(),
            AllocKind::Lambda(_) => format!("lambda {}", ty(alloc.ty)),
            AllocKind::Jvm(made) => format!("jvm {}", ty(made)),
            AllocKind::Reflective(made) => format!("reflective {}", ty(made)),
            AllocKind::Mirror(mirror) => mirror_name(program, mirror),
        };
        self.own.shown(&name)
    }
}

fn mirror_name(program: &Program, mirror: Mirror) -> String {
    match mirror {
        Mirror::Method(method) => format!("method {}", program.method_name(method)),
        Mirror::Constructor(method) => format!("constructor {}", program.method_name(method)),
        Mirror::Field(field) => format!("field {}", program.field_name(field)),
    }
}

fn handle_name(program: &Program, member: HandleMember) -> String {
    match member {
        HandleMember::Field(field) => program.field_ref_name(field),
        HandleMember::Method(method) => program.method_ref_name(method),
    }
}
