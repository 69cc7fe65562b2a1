//! Writes a template, statement by statement.

use heliostat_index::PackedOption;
use heliostat_ir::Value;
use heliostat_program::{ClassId, MethodId, Program, TypeId};
use heliostat_solve::FilterId;
use smallvec::SmallVec;

use crate::facts::{AllocKind, CallSite, Callee, CodeId, EdgeKind, Facts, Stmt, Template, Var};

/// A template in the making.
pub(crate) struct Writer<'a> {
    pub(crate) program: &'a Program,
    pub(crate) facts: &'a mut Facts,
    pub(crate) code: CodeId,
    pub(crate) template: Template,
    /// The bytecode offset that statements come from now.
    pub(crate) at: u32,
    /// Whether the result is a variable for nothing else.
    has_own_result: bool,
}

/// A call about to be written.
pub(crate) struct NewCall<'a> {
    pub(crate) offset: u32,
    pub(crate) kind: EdgeKind,
    pub(crate) callee: Callee,
    pub(crate) receiver: Option<Var>,
    pub(crate) args: &'a [PackedOption<Var>],
    pub(crate) result: Option<Var>,
    pub(crate) thrown: Option<Var>,
}

impl<'a> Writer<'a> {
    pub(crate) fn new(program: &'a Program, facts: &'a mut Facts, code: CodeId) -> Self {
        Self { program, facts, code, template: Template::default(), at: 0, has_own_result: false }
    }

    pub(crate) fn finish(mut self) -> Template {
        self.template.stmts.shrink_to_fit();
        self.template.offsets.shrink_to_fit();
        self.template
    }

    /// A variable that is no value of the IR.
    pub(crate) fn new_var(&mut self) -> Var {
        self.push_var(PackedOption::none())
    }

    /// A variable for a value of the IR.
    pub(crate) fn var_of(&mut self, value: Value) -> Var {
        self.push_var(value.into())
    }

    fn push_var(&mut self, value: PackedOption<Value>) -> Var {
        let var = Var::from_u32(self.template.vars);
        self.template.vars += 1;
        self.template.values.push(value);
        var
    }

    pub(crate) fn push(&mut self, stmt: Stmt) {
        self.template.stmts.push(stmt);
        self.template.offsets.push(self.at);
    }

    pub(crate) fn assign(&mut self, from: Var, to: Var) {
        self.push(Stmt::Assign { from, to, filter: FilterId::ALL });
    }

    /// `return from`. The first value that is returned is the result, as long as it is the only one.
    pub(crate) fn returned(&mut self, from: Var) {
        let Some(result) = self.template.result.expand() else {
            self.template.result = from.into();
            return;
        };
        if result == from {
            return;
        }
        if !self.has_own_result {
            self.has_own_result = true;
            let own = self.new_var();
            self.template.result = own.into();
            self.assign(result, own);
        }
        if let Some(own) = self.template.result.expand() {
            self.assign(from, own);
        }
    }

    /// Where exceptions go that nothing here catches.
    pub(crate) fn thrown(&mut self) -> Var {
        if let Some(var) = self.template.thrown.expand() {
            return var;
        }
        let var = self.new_var();
        self.template.thrown = var.into();
        var
    }

    pub(crate) fn call(&mut self, call: &NewCall<'_>) {
        let site = self.facts.sites.push(CallSite {
            code: self.code,
            offset: call.offset,
            kind: call.kind,
            callee: call.callee,
            receiver: call.receiver.into(),
            args: SmallVec::from_slice(call.args),
            result: call.result.into(),
            thrown: call.thrown.into(),
        });
        self.push(Stmt::Call(site));
    }

    /// `to =` an object that the JVM or native code makes.
    pub(crate) fn jvm_object(&mut self, to: Var, ty: TypeId) {
        let site = self.facts.heap.alloc(AllocKind::Jvm(ty), ty);
        self.push(Stmt::Alloc { to, site });
    }

    /// `to =` a string of which nothing is known.
    pub(crate) fn unknown_string(&mut self, to: Var) {
        let site = self.facts.heap.alloc(AllocKind::Strings, TypeId::STRING);
        self.push(Stmt::Alloc { to, site });
    }

    /// Notes that a class is initialised, unless it must have been before code of `from` runs.
    pub(crate) fn init(&mut self, from: ClassId, class: ClassId, offset: u32) {
        if !self.program.is_subclass(from, class) {
            let stmt = Stmt::Init { class, offset };
            if self.template.stmts.last() != Some(&stmt) {
                self.push(stmt);
            }
        }
    }

    /// Whether the JVM registers the objects of a class for finalization.
    pub(crate) fn has_finalizer(&self, class: ClassId) -> bool {
        let Some(selector) = self.program.find_selector("finalize", "()V") else { return false };
        let finalizer =
            self.program.super_classes(class).find_map(|c| self.program.declared_method(c, selector));
        finalizer
            .is_some_and(|m| self.program.classes()[self.program.methods()[m].class].ty != TypeId::OBJECT)
    }

    /// The callee of a call that selects by receiver: a fixed one where there is nothing to select.
    pub(crate) fn selected(&self, resolved: MethodId) -> Callee {
        let method = &self.program.methods()[resolved];
        let is_final = method.flags.is_final() || self.program.classes()[method.class].flags.is_final();
        if method.flags.is_private() || is_final && !method.flags.is_abstract() {
            Callee::Fixed(Facts::code(resolved))
        } else {
            Callee::Virtual(resolved)
        }
    }
}
