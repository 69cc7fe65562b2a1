//! From the text of models to templates: what natives do, and what runs before `main`.

mod asked;
mod entries;
mod names;
mod scene;

use heliostat_index::{FastMap, PackedOption};
use heliostat_program::{MethodId, Program, TypeId};

use crate::extract::{NewCall, Writer};
use crate::facts::{Callee, CodeId, EdgeKind, Facts, Template, Var};
use crate::models::REGISTRY;
use crate::models::text::{self, MethodModel, Statement};
use crate::open::Open;
use crate::options::{Entry, Options};

pub(crate) use asked::{asked_template, values_method};
use entries::enter_main;
use names::declared;
use scene::{Inline, Scene};

/// All models that fit the program.
pub(crate) struct Models {
    by_method: FastMap<MethodId, MethodModel<'static>>,
    /// What a call of the second method does in the first.
    by_call: FastMap<(MethodId, MethodId), MethodModel<'static>>,
    /// What the JVM does by itself, each with its topic.
    startup: Vec<(&'static str, MethodModel<'static>)>,
}

impl Models {
    pub(crate) fn new(program: &mut Program) -> Self {
        let mut models =
            Self { by_method: FastMap::default(), by_call: FastMap::default(), startup: Vec::new() };
        for &(topic, source) in REGISTRY {
            // That every file of the registry parses is tested.
            for model in text::parse(source).models {
                models.add(program, topic, model);
            }
        }
        models
    }

    fn add(&mut self, program: &mut Program, topic: &'static str, model: MethodModel<'static>) {
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
            None => self.startup.push((topic, model)),
            Some(name) => {
                let method = declared(program, name);
                if let Some(called) = model.at {
                    let place = method.zip(declared(program, called));
                    self.by_call.extend(place.map(|place| (place, model)));
                    return;
                }
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
        scene.inline = Some(Inline { result: call.result, thrown: call.thrown });
        scene.write(model);
    }

    /// Writes what a call does besides, in this method.
    pub(crate) fn write_besides(&self, writer: &mut Writer<'_>, called: MethodId, call: &NewCall<'_>) {
        let Some(caller) = writer.facts.method(writer.code) else { return };
        let Some(model) = self.by_call.get(&(caller, called)) else { return };
        let (this, params) = (writer.template.this.expand(), writer.template.params.to_vec());
        let mut scene = Scene::new(writer, model, Some(EdgeKind::Native), this, &params);
        scene.offset = call.offset;
        scene.inline = Some(Inline { result: call.result, thrown: call.thrown });
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
            for (topic, model) in &self.startup {
                let mut scene = Scene::new(&mut writer, model, Some(EdgeKind::Implicit), None, &[]);
                scene.write(model);
                uncaught = uncaught.or(scene.caught);
                let statements = writer.template.stmts.len();
                writer.facts.note_startup(topic, statements);
            }
        }
        let mut open = Open::new(&options.inputs);
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
                Entry::Open(method) => open.enter(&mut writer, method, false, number, uncaught),
                Entry::Member(method) => open.enter(&mut writer, method, true, number, uncaught),
            }
        }
        for &class in &options.open_classes {
            open.write_fields(&mut writer, class);
        }
        open.make(&mut writer, options.entries.len() as u32, uncaught);
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
