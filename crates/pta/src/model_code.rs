//! From the text of models to templates: what natives do, and what runs before `main`.

use heliostat_index::{FastMap, Ids, PackedOption};
use heliostat_ir::CallKind;
use heliostat_program::{ClassId, FieldId, MethodId, MethodRef, Program, TypeId};

use crate::extract::{NewCall, Writer};
use crate::facts::{AllocKind, Callee, CodeId, Derivation, EdgeKind, Facts, FieldKey, Stmt, Template, Var};
use crate::models::REGISTRY;
use crate::models::text::{self, FieldName, MethodModel, MethodName, Statement, Variable};
use crate::options::{Entry, Options};

/// All models that fit the program.
pub(crate) struct Models {
    by_method: FastMap<MethodId, MethodModel<'static>>,
    startup: Vec<MethodModel<'static>>,
}

impl Models {
    pub(crate) fn new(program: &mut Program) -> Self {
        let mut models = Self { by_method: FastMap::default(), startup: Vec::new() };
        for (_, source) in REGISTRY {
            // That every file of the registry parses is tested.
            for model in text::parse(source).models {
                models.add(program, model);
            }
        }
        models
    }

    fn add(&mut self, program: &mut Program, model: MethodModel<'static>) {
        for statement in &model.statements {
            if let Statement::New { class, .. }
            | Statement::Class { class, .. }
            | Statement::Cast { class, .. } = statement
                && class.starts_with('[')
            {
                program.intern_type(class.as_bytes());
            }
        }
        match model.method {
            None => self.startup.push(model),
            Some(name) => {
                let method = declared(program, name);
                let is_meant = |m: &MethodId| !model.only_native || program.methods()[*m].flags.is_native();
                if let Some(method) = method.filter(is_meant) {
                    self.by_method.insert(method, model);
                }
            }
        }
    }

    /// The template of a method that has a model. Bytecode behind an inline model stays: it is reached, with nothing in it.
    pub(crate) fn template(
        &self,
        program: &Program,
        facts: &mut Facts,
        method: MethodId,
    ) -> Option<Template> {
        let data = &program.methods()[method];
        let model = self.by_method.get(&method).filter(|model| !model.inline || !data.has_code())?;
        if data.has_code() {
            facts.modelled.insert(method);
        }
        let mut writer = Writer::new(program, facts, Facts::code(method));
        let kind = data.flags.is_native().then_some(EdgeKind::Native);
        let this = (!data.flags.is_static()).then(|| writer.new_var());
        writer.template.this = this.into();
        let params: Vec<PackedOption<Var>> =
            (0..parameters_of(program, method)).map(|_| writer.new_var().into()).collect();
        writer.template.params = params.iter().copied().collect();
        let mut scene = Scene::new(&mut writer, model, kind, this, &params);
        scene.write(model);
        Some(writer.finish())
    }

    /// Writes a call. If the callee has an inline model, what that says is written here with the variables of the call, and the
    /// call itself carries nothing.
    pub(crate) fn write_call(&self, writer: &mut Writer<'_>, call: &NewCall<'_>) {
        let Some((code, model)) = self.inline_model(writer, call.callee) else { return writer.call(call) };
        let callee = Callee::Inlined(code);
        writer.call(&NewCall { callee, args: &[], result: None, thrown: None, ..*call });
        let mut scene = Scene::new(writer, model, Some(EdgeKind::Native), call.receiver, call.args);
        scene.offset = call.offset;
        scene.inline = Some((call.result, call.thrown));
        scene.write(model);
    }

    fn inline_model(&self, writer: &Writer<'_>, callee: Callee) -> Option<(CodeId, &MethodModel<'static>)> {
        let Callee::Fixed(code) = callee else { return None };
        let model = self.by_method.get(&writer.facts.method(code)?).filter(|model| model.inline)?;
        Some((code, model))
    }

    /// What the JVM does, and the entry points.
    pub(crate) fn root_template(
        &self,
        program: &Program,
        facts: &mut Facts,
        options: &Options,
        code: CodeId,
    ) -> Template {
        let mut writer = Writer::new(program, facts, code);
        let mut uncaught = None;
        if options.startup {
            for model in &self.startup {
                let mut scene = Scene::new(&mut writer, model, Some(EdgeKind::Implicit), None, &[]);
                scene.write(model);
                uncaught = uncaught.or(scene.caught);
            }
        }
        for (number, entry) in options.entries.iter().enumerate() {
            let number = number as u32;
            match *entry {
                Entry::Main(method) => {
                    let class = program.methods()[method].class;
                    enter_main(&mut writer, class, method, number, uncaught);
                }
                Entry::Inherited(class, method) => {
                    enter_main(&mut writer, class, method, number, uncaught);
                }
                Entry::Open(method) => enter_open(&mut writer, method, number, uncaught),
            }
        }
        writer.finish()
    }
}

/// The most arguments that a model of a signature-polymorphic method can name: an array, an index and two values.
const POLYMORPHIC: usize = 4;

/// How many parameters a model has: those of the method; as many as can be given if it is signature-polymorphic.
fn parameters_of(program: &Program, method: MethodId) -> usize {
    let data = &program.methods()[method];
    if program.classes()[data.class].ty == TypeId::VAR_HANDLE && data.flags.is_native() {
        return POLYMORPHIC;
    }
    program.method_type(program.selector(data.selector).descriptor).parameters.len()
}

/// `main(String[])`, or one of its later forms, of a class that declares or inherits it.
fn enter_main(writer: &mut Writer<'_>, class: ClassId, method: MethodId, number: u32, thrown: Option<Var>) {
    let program = writer.program;
    let data = program.methods()[method];
    let parameters = &program.method_type(program.selector(data.selector).descriptor).parameters;
    let args: Vec<PackedOption<Var>> = parameters
        .iter()
        .map(|&ty| {
            let (array, text) = (writer.new_var(), writer.new_var());
            jvm_object(writer, array, ty);
            let strings = writer.facts.heap.alloc(AllocKind::Strings, TypeId::STRING);
            writer.push(Stmt::Alloc { to: text, site: strings });
            writer.push(Stmt::Store { base: array, field: FieldKey::ELEMENTS, from: text });
            array.into()
        })
        .collect();
    writer.push(Stmt::Init { class, offset: number });
    let receiver = (!data.flags.is_static()).then(|| instantiate(writer, class, number));
    enter(writer, method, receiver, &args, number, thrown);
}

/// An object of a class, made with its constructor without parameters, if it has one.
fn instantiate(writer: &mut Writer<'_>, class: ClassId, offset: u32) -> Var {
    let program = writer.program;
    let object = writer.new_var();
    jvm_object(writer, object, program.classes()[class].ty);
    let selector = program.find_selector("<init>", "()V");
    if let Some(constructor) = selector.and_then(|s| program.declared_method(class, s)) {
        enter(writer, constructor, Some(object), &[], offset, None);
    }
    object
}

fn jvm_object(writer: &mut Writer<'_>, to: Var, ty: TypeId) {
    let site = writer.facts.heap.alloc(AllocKind::Jvm(ty), ty);
    writer.push(Stmt::Alloc { to, site });
}

fn enter(
    writer: &mut Writer<'_>,
    method: MethodId,
    receiver: Option<Var>,
    args: &[PackedOption<Var>],
    offset: u32,
    thrown: Option<Var>,
) {
    let callee = Callee::Fixed(Facts::code(method));
    writer.call(&NewCall { offset, kind: EdgeKind::Implicit, callee, receiver, args, result: None, thrown });
}

/// How many types are tried, at most, for a receiver or parameter of a method that anybody may call.
pub const OPEN_TYPES: usize = 32;

/// A method that anybody may call: receiver and parameters are objects of every type that fits, up to a bound.
fn enter_open(writer: &mut Writer<'_>, method: MethodId, number: u32, thrown: Option<Var>) {
    let program = writer.program;
    let data = program.methods()[method];
    writer.push(Stmt::Init { class: data.class, offset: number });
    let mut vars: Vec<PackedOption<Var>> = Vec::new();
    for ty in program.parameters(method) {
        let var = program.types.is_reference(ty).then(|| {
            let var = writer.new_var();
            for fitting in fitting_types(program, ty) {
                jvm_object(writer, var, fitting);
            }
            var
        });
        vars.push(var.into());
    }
    if data.flags.is_static() {
        return enter(writer, method, None, &vars, number, thrown);
    }
    if let Some((receiver, args)) = vars.split_first() {
        enter(writer, method, receiver.expand(), args, number, thrown);
    }
}

/// The types of objects that a variable of a type may hold: itself if it can be, and classes below.
fn fitting_types(program: &Program, ty: TypeId) -> Vec<TypeId> {
    let Some(class) = program.class_of(ty) else { return vec![ty] };
    let instantiable = |&c: &ClassId| {
        let flags = program.classes()[c].flags;
        !flags.is_abstract() && !flags.is_interface()
    };
    if ty == TypeId::OBJECT {
        return vec![ty];
    }
    let all = std::iter::once(class).chain(program.subtypes(class).into_iter().filter(|&c| c != class));
    all.filter(instantiable).take(OPEN_TYPES).map(|c| program.classes()[c].ty).collect()
}

/// What makes a provider of a service: its `provider` method, or its constructor.
pub(crate) fn provider_template(
    program: &Program,
    facts: &mut Facts,
    code: CodeId,
    class: ClassId,
) -> Template {
    let mut writer = Writer::new(program, facts, code);
    writer.push(Stmt::Init { class, offset: 0 });
    let provider = Ids::between(program.classes()[class].methods.clone()).find(|&m| {
        let data = &program.methods()[m];
        let selector = program.selector(data.selector);
        data.flags.is_static()
            && data.flags.is_public()
            && program.symbols.bytes(selector.name) == b"provider"
            && program.method_type(selector.descriptor).parameters.is_empty()
    });
    let object = match provider {
        Some(method) => {
            let result = writer.new_var();
            let callee = Callee::Fixed(Facts::code(method));
            let (kind, result_var) = (EdgeKind::Implicit, Some(result));
            writer.call(&NewCall {
                offset: 0,
                kind,
                callee,
                receiver: None,
                args: &[],
                result: result_var,
                thrown: None,
            });
            result
        }
        None => instantiate(&mut writer, class, 0),
    };
    let global = writer.facts.globals.intern("providers".into());
    writer.push(Stmt::StoreGlobal { global, from: object });
    writer.finish()
}

/// A model on its way into a template.
struct Scene<'w, 'a> {
    writer: &'w mut Writer<'a>,
    kind: Option<EdgeKind>,
    this: Option<Var>,
    params: Vec<PackedOption<Var>>,
    locals: Vec<Var>,
    /// Where calls' exceptions go, if the model catches them.
    caught: Option<Var>,
    /// For an inline model: where result and exceptions go.
    inline: Option<(Option<Var>, Option<Var>)>,
    offset: u32,
}

impl<'w, 'a> Scene<'w, 'a> {
    fn new(
        writer: &'w mut Writer<'a>,
        model: &MethodModel<'_>,
        kind: Option<EdgeKind>,
        this: Option<Var>,
        params: &[PackedOption<Var>],
    ) -> Self {
        let locals = model.locals.iter().map(|_| writer.new_var()).collect();
        Self { writer, kind, this, params: params.to_vec(), locals, caught: None, inline: None, offset: 0 }
    }

    fn write(&mut self, model: &MethodModel<'_>) {
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
                jvm_object(self.writer, to, ty);
            }
            Statement::String { to } => {
                let to = self.var(to)?;
                let site = self.writer.facts.heap.alloc(AllocKind::Strings, TypeId::STRING);
                self.writer.push(Stmt::Alloc { to, site });
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
                self.derive(how, from, to);
            }
            Statement::Call { to, kind, method, ref arguments } => self.call(to, kind, method, arguments)?,
            Statement::Return { from } => {
                let from = self.var(from)?;
                match self.inline {
                    Some((result, _)) => self.writer.assign(from, result?),
                    None => self.writer.returned(from),
                }
            }
            Statement::Throw { from } => {
                let (from, to) = (self.var(from)?, self.thrown()?);
                self.writer.assign(from, to);
            }
            Statement::Catch { .. } => {}
            Statement::Init { class } => self.init(program.find_class(class)),
            Statement::Services { from } => {
                let class = self.var(from)?;
                self.writer.push(Stmt::Services { class });
            }
            Statement::Initialise { from } => {
                let (class, offset) = (self.var(from)?, self.offset);
                self.writer.push(Stmt::InitOf { class, offset });
            }
        }
        Some(())
    }

    fn derive(&mut self, how: Derivation, from: Var, to: Var) {
        match how {
            // A copy has the same elements and fields: it may as well be the same object.
            Derivation::Clone => self.writer.assign(from, to),
            _ => self.writer.push(Stmt::Derive { how, from, to, offset: self.offset }),
        }
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
        match self.inline {
            Some((_, thrown)) => thrown,
            None => Some(self.writer.thrown()),
        }
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
            (_, [receiver, args @ ..]) => (self.writer.selected(resolved), Some(receiver.expand()?), args),
            (_, []) => return None,
        };
        let kind = self.kind.unwrap_or(match kind {
            CallKind::Static => EdgeKind::Static,
            CallKind::Special => EdgeKind::Special,
            CallKind::Virtual => EdgeKind::Virtual,
            CallKind::Interface => EdgeKind::Interface,
        });
        let thrown = match self.caught {
            Some(caught) => Some(caught),
            None => self.thrown(),
        };
        let result = to.and_then(|to| self.var(to));
        let offset = self.offset;
        self.writer.call(&NewCall { offset, kind, callee, receiver, args, result, thrown });
        Some(())
    }
}

fn find_type(program: &Program, name: &str) -> Option<TypeId> {
    if let Some((_, primitive)) = PRIMITIVES.iter().find(|(word, _)| *word == name) {
        return Some(*primitive);
    }
    let ty = program.types.find(program.symbols.find(name.as_bytes())?)?;
    (name.starts_with('[') || program.class_of(ty).is_some()).then_some(ty)
}

const PRIMITIVES: [(&str, TypeId); 9] = [
    ("boolean", TypeId::BOOLEAN),
    ("byte", TypeId::BYTE),
    ("char", TypeId::CHAR),
    ("short", TypeId::SHORT),
    ("int", TypeId::INT),
    ("long", TypeId::LONG),
    ("float", TypeId::FLOAT),
    ("double", TypeId::DOUBLE),
    ("void", TypeId::VOID),
];

fn find_field(program: &Program, name: FieldName<'_>) -> Option<FieldId> {
    let class = program.find_class(name.class)?;
    let symbol = program.symbols.find(name.name.as_bytes())?;
    Ids::between(program.classes()[class].fields.clone()).find(|&f| program.fields()[f].name == symbol)
}

fn declared(program: &Program, name: MethodName<'_>) -> Option<MethodId> {
    program
        .declared_method(program.find_class(name.class)?, program.find_selector(name.name, name.descriptor)?)
}

fn resolved(program: &Program, name: MethodName<'_>) -> Option<MethodId> {
    let class = program.find_class(name.class)?;
    let selector = program.find_selector(name.name, name.descriptor)?;
    let data = &program.classes()[class];
    let reference = MethodRef { owner: data.ty, selector, interface: data.flags.is_interface() };
    program.resolve_method(reference, class).member()
}
