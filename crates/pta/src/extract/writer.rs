//! Writes a template, statement by statement.

use heliostat_index::PackedOption;
use heliostat_ir::Value;
use heliostat_program::{ClassId, MethodId, Program, TypeId};
use heliostat_solve::FilterId;
use smallvec::SmallVec;

use crate::facts::{AllocKind, CallSite, Callee, CodeId, EdgeKind, Facts, Stmt, Template, Var};

/// A template in the making.
pub struct Writer<'a> {
    /// The program.
    pub program: &'a Program,
    /// What reached code says.
    pub facts: &'a mut Facts,
    pub(crate) code: CodeId,
    pub(crate) template: Template,
    /// The bytecode offset that statements come from now.
    pub(crate) at: u32,
    /// Whether the result is a variable for nothing else.
    has_own_result: bool,
}

/// A call about to be written.
pub struct NewCall<'a> {
    /// The bytecode offset of the call.
    pub offset: u32,
    /// What it is in the call graph.
    pub kind: EdgeKind,
    /// What it calls.
    pub callee: Callee,
    /// The receiver; none for a static call.
    pub receiver: Option<Var>,
    /// The arguments after the receiver.
    pub args: &'a [PackedOption<Var>],
    /// Where the result goes.
    pub result: Option<Var>,
    /// Where exceptions go.
    pub thrown: Option<Var>,
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
    pub fn new_var(&mut self) -> Var {
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

    /// Adds a statement.
    pub fn push(&mut self, stmt: Stmt) {
        self.template.stmts.push(stmt);
        self.template.offsets.push(self.at);
    }

    /// `to = from`
    pub fn assign(&mut self, from: Var, to: Var) {
        self.push(Stmt::Assign { from, to, filter: FilterId::ALL });
    }

    /// `return from`. The first value that is returned is the result, as long as it is the only one.
    pub fn returned(&mut self, from: Var) {
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

    /// One more parameter.
    pub fn param(&mut self) -> Var {
        let var = self.new_var();
        self.template.params.push(var.into());
        var
    }

    /// A variable with what is a `ty`.
    pub fn filtered(&mut self, from: Var, ty: TypeId) -> Var {
        let (to, filter) = (self.new_var(), self.facts.type_filter(ty));
        self.push(Stmt::Assign { from, to, filter });
        to
    }

    /// A variable with what stands for objects of this kind.
    pub fn object(&mut self, kind: AllocKind, ty: TypeId) -> Var {
        let to = self.new_var();
        let site = self.facts.heap.alloc(kind, ty);
        self.push(Stmt::Alloc { to, site });
        to
    }

    /// A new array of this type.
    pub fn new_array(&mut self, ty: TypeId) -> Var {
        let to = self.new_var();
        self.alloc(to, ty, self.at, 0);
        to
    }

    /// Where exceptions go that nothing here catches.
    pub fn thrown(&mut self) -> Var {
        if let Some(var) = self.template.thrown.expand() {
            return var;
        }
        let var = self.new_var();
        self.template.thrown = var.into();
        var
    }

    /// Adds a call.
    pub fn call(&mut self, call: &NewCall<'_>) {
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
    pub fn jvm_object(&mut self, to: Var, ty: TypeId) {
        let site = self.facts.heap.alloc(AllocKind::Jvm(ty), ty);
        self.push(Stmt::Alloc { to, site });
    }

    /// `to =` a string of which nothing is known.
    pub fn unknown_string(&mut self, to: Var) {
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
    pub fn selected(&self, resolved: MethodId) -> Callee {
        let method = &self.program.methods()[resolved];
        let is_final = method.flags.is_final() || self.program.classes()[method.class].flags.is_final();
        if method.flags.is_private() || is_final && !method.flags.is_abstract() {
            Callee::Fixed(Facts::code(resolved))
        } else {
            Callee::Virtual(resolved)
        }
    }
}
