//! Writes the statements of a model into a template.

use heliostat_index::PackedOption;
use heliostat_ir::CallKind;
use heliostat_program::{ClassId, TypeId};

use super::names::{find_field, find_type, resolved};
use crate::extract::{NewCall, Writer};
use crate::facts::{AllocKind, Ask, Callee, EdgeKind, Facts, FieldKey, Stmt, Var};
use crate::models::text::{MethodModel, MethodName, Statement, Variable};

/// A model on its way into a template.
pub(super) struct Scene<'w, 'a> {
    writer: &'w mut Writer<'a>,
    kind: Option<EdgeKind>,
    this: Option<Var>,
    params: Vec<PackedOption<Var>>,
    locals: Vec<Var>,
    /// Where calls' exceptions go, if the model catches them.
    pub(super) caught: Option<Var>,
    /// If the model is written in place of a call.
    pub(super) inline: Option<Inline>,
    /// The offset of what is written: the number of the statement, or the call's.
    pub(super) offset: u32,
}

/// Where result and exceptions of a call go that a model stands for.
pub(super) struct Inline {
    pub(super) result: Option<Var>,
    pub(super) thrown: Option<Var>,
}

impl<'w, 'a> Scene<'w, 'a> {
    pub(super) fn new(
        writer: &'w mut Writer<'a>,
        model: &MethodModel<'_>,
        kind: Option<EdgeKind>,
        this: Option<Var>,
        params: &[PackedOption<Var>],
    ) -> Self {
        let locals = model.locals.iter().map(|_| writer.new_var()).collect();
        Self { writer, kind, this, params: params.to_vec(), locals, caught: None, inline: None, offset: 0 }
    }

    pub(super) fn write(&mut self, model: &MethodModel<'_>) {
        let catch = model.statements.iter().find_map(|s| match s {
            Statement::Catch { to } => Some(*to),
            _ => None,
        });
        self.caught = catch.and_then(|to| self.var(to));
        for (number, statement) in model.statements.iter().enumerate() {
            if self.inline.is_none() {
                self.offset = number as u32;
            }
            // What this program does not have, it does not do.
            let _ = self.statement(statement);
        }
    }

    fn var(&self, variable: Variable) -> Option<Var> {
        match variable {
            Variable::This => self.this,
            Variable::Parameter(number) => self.params.get(number as usize)?.expand(),
            Variable::Local(number) => self.locals.get(number as usize).copied(),
        }
    }

    fn statement(&mut self, statement: &Statement<'_>) -> Option<()> {
        let program = self.writer.program;
        match *statement {
            Statement::New { to, class } => {
                let ty = find_type(program, class)?;
                self.init(program.class_of(ty));
                let to = self.var(to)?;
                self.writer.jvm_object(to, ty);
            }
            Statement::String { to } => {
                let to = self.var(to)?;
                self.writer.unknown_string(to);
            }
            Statement::Class { to, class } => {
                let (to, ty) = (self.var(to)?, find_type(program, class)?);
                let site = self.writer.facts.heap.alloc(AllocKind::Class(ty), TypeId::CLASS);
                self.writer.push(Stmt::Alloc { to, site });
            }
            Statement::Copy { to, from } => self.writer.assign(self.var(from)?, self.var(to)?),
            Statement::Cast { to, class, from } => {
                let (from, to) = (self.var(from)?, self.var(to)?);
                let filter = self.writer.facts.type_filter(find_type(program, class)?);
                self.writer.push(Stmt::Assign { from, to, filter });
            }
            Statement::LoadField { to, base, field } => {
                let field = FieldKey::field(find_field(program, field)?);
                self.load(base, field, to)?;
            }
            Statement::StoreField { base, field, from } => {
                let field = FieldKey::field(find_field(program, field)?);
                self.store(base, field, from)?;
            }
            Statement::LoadElement { to, array } => self.load(array, FieldKey::ELEMENTS, to)?,
            Statement::StoreElement { array, from } => self.store(array, FieldKey::ELEMENTS, from)?,
            Statement::LoadStatic { to, field } => {
                let (to, field) = (self.var(to)?, find_field(program, field)?);
                self.init(Some(program.fields()[field].class));
                self.writer.push(Stmt::LoadStatic { field, to });
            }
            Statement::StoreStatic { field, from } => {
                let (from, field) = (self.var(from)?, find_field(program, field)?);
                self.writer.push(Stmt::StoreStatic { field, from });
            }
            Statement::LoadGlobal { to, name } => {
                let (to, global) = (self.var(to)?, self.writer.facts.globals.intern(name.into()));
                self.writer.push(Stmt::LoadGlobal { global, to });
            }
            Statement::StoreGlobal { name, from } => {
                let (from, global) = (self.var(from)?, self.writer.facts.globals.intern(name.into()));
                self.writer.push(Stmt::StoreGlobal { global, from });
            }
            Statement::LoadAny { to, base } => {
                let (base, to) = (self.var(base)?, self.var(to)?);
                self.writer.push(Stmt::LoadAny { base, to });
            }
            Statement::StoreAny { base, from } => {
                let (base, from) = (self.var(base)?, self.var(from)?);
                self.writer.push(Stmt::StoreAny { base, from });
            }
            Statement::Derive { to, how, from } => {
                let (from, to) = (self.var(from)?, self.var(to)?);
                self.writer.push(Stmt::Derive { how, from, to, offset: self.offset });
            }
            Statement::Call { to, kind, method, ref arguments } => self.call(to, kind, method, arguments)?,
            Statement::Return { from } => {
                let from = self.var(from)?;
                match &self.inline {
                    Some(inline) => self.writer.assign(from, inline.result?),
                    None => self.writer.returned(from),
                }
            }
            Statement::Throw { from } => {
                let (from, to) = (self.var(from)?, self.thrown()?);
                self.writer.assign(from, to);
            }
            Statement::Catch { .. } => {}
            Statement::Init { class } => self.init(program.find_class(class)),
            Statement::Ask { to, ask, class } => {
                let (result, class) = (self.var(to)?, self.var(class)?);
                self.ask(ask, class, result);
            }
            Statement::Initialise { from } => {
                let (class, offset) = (self.var(from)?, self.offset);
                self.writer.push(Stmt::InitOf { class, offset });
            }
        }
        Some(())
    }

    fn init(&mut self, class: Option<ClassId>) {
        if let Some(class) = class {
            self.writer.push(Stmt::Init { class, offset: self.offset });
        }
    }

    fn load(&mut self, base: Variable, field: FieldKey, to: Variable) -> Option<()> {
        let (base, to) = (self.var(base)?, self.var(to)?);
        self.writer.push(Stmt::Load { base, field, to });
        Some(())
    }

    fn store(&mut self, base: Variable, field: FieldKey, from: Variable) -> Option<()> {
        let (base, from) = (self.var(base)?, self.var(from)?);
        self.writer.push(Stmt::Store { base, field, from });
        Some(())
    }

    fn thrown(&mut self) -> Option<Var> {
        match &self.inline {
            Some(inline) => inline.thrown,
            None => Some(self.writer.thrown()),
        }
    }

    fn thrown_by_calls(&mut self) -> Option<Var> {
        match self.caught {
            Some(caught) => Some(caught),
            None => self.thrown(),
        }
    }

    fn ask(&mut self, ask: Ask, class: Var, result: Var) {
        let thrown = self.thrown_by_calls();
        self.writer.call(&NewCall {
            offset: self.offset,
            kind: EdgeKind::Reflective,
            callee: Callee::Asked(ask),
            receiver: Some(class),
            args: &[],
            result: Some(result),
            thrown,
        });
    }

    fn call(
        &mut self,
        to: Option<Variable>,
        kind: CallKind,
        method: MethodName<'_>,
        arguments: &[Option<Variable>],
    ) -> Option<()> {
        let program = self.writer.program;
        let resolved = resolved(program, method)?;
        let vars: Vec<PackedOption<Var>> =
            arguments.iter().map(|a| a.and_then(|v| self.var(v)).into()).collect();
        let (callee, receiver, args) = match (kind, &vars[..]) {
            (CallKind::Static, args) => {
                self.init(Some(program.methods()[resolved].class));
                (Callee::Fixed(Facts::code(resolved)), None, args)
            }
            (CallKind::Special, [receiver, args @ ..]) => {
                (Callee::Fixed(Facts::code(resolved)), Some(receiver.expand()?), args)
            }
            (CallKind::Virtual | CallKind::Interface, [receiver, args @ ..]) => {
                (self.writer.selected(resolved), Some(receiver.expand()?), args)
            }
            (_, []) => return None,
        };
        let kind = self.kind.unwrap_or(kind.into());
        let thrown = self.thrown_by_calls();
        let result = to.and_then(|to| self.var(to));
        let offset = self.offset;
        self.writer.call(&NewCall { offset, kind, callee, receiver, args, result, thrown });
        Some(())
    }
}
