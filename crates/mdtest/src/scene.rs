//! The program of a section, opened, lowered and verified.

use bytes::Bytes;
use heliostat_core::ir::{Body, Inst, Lowerer, parse, print, verify};
use heliostat_core::program::{Builder, ClassId, MethodId, Missing, Program, SourceId};
use heliostat_index::Ids;

use crate::Library;
use crate::compile::Classes;

/// A section's program, with the IR of all its methods.
pub(crate) struct Scene {
    pub(crate) program: Program,
    /// The section's own classes.
    pub(crate) classes: Vec<ClassId>,
    /// What they refer to in vain.
    pub(crate) missing: Vec<Missing>,
    pub(crate) methods: Vec<Lowered>,
}

/// A method's IR.
pub(crate) struct Lowered {
    pub(crate) body: Body,
    /// The text form, without offsets and source lines.
    pub(crate) text: String,
}

impl Scene {
    /// Reads the classes of a section and lowers all their methods. Everything that must hold of any program
    /// is checked on the way.
    pub(crate) fn open(classes: &Classes, library: &Library) -> Result<Self, Vec<String>> {
        let own = classes.read().map_err(|error| vec![error.to_string()])?;
        let mut alone = build(&own).map_err(|message| vec![message])?;
        alone.classes().ids().for_each(|class| alone.link(class));
        let behind = library.named_by(&alone);
        let mut program = build(own.iter().chain(&behind)).map_err(|message| vec![message])?;
        let classes: Vec<ClassId> = program.classes().ids().take(own.len()).collect();
        let missing = classes.iter().flat_map(|&class| program.missing_from(class)).collect();
        let mut scene = Self { program, classes, missing, methods: Vec::new() };
        let mut wrong = Vec::new();
        for method in scene.methods_with_code() {
            if let Err(message) = scene.lower(method) {
                wrong.push(format!("{}: {message}", scene.program.method_name(method)));
            }
        }
        if wrong.is_empty() { Ok(scene) } else { Err(wrong) }
    }

    fn methods_with_code(&self) -> Vec<MethodId> {
        let program = &self.program;
        let methods = self.classes.iter().flat_map(|&c| Ids::between(program.classes()[c].methods.clone()));
        methods.filter(|&method| program.methods()[method].has_code()).collect()
    }

    fn lower(&mut self, method: MethodId) -> Result<(), String> {
        self.check_frames(method)?;
        let body = Lowerer::new().lower(&self.program, method).map_err(|malformed| malformed.to_string())?;
        verify(&self.program, &body).map_err(|violation| violation.to_string())?;
        let text = print(&self.program, &body);
        let parsed = parse(&mut self.program, &text).map_err(|error| format!("{error}, in:\n{text}"))?;
        let again = print(&self.program, &parsed);
        if again != text {
            return Err(format!("the text form reads back differently:\n{text}{again}"));
        }
        self.methods.push(Lowered { body, text: without_places(&text) });
        Ok(())
    }

    /// A lowering of its own, for a comparison with frames keeps values alive that nothing uses.
    fn check_frames(&self, method: MethodId) -> Result<(), String> {
        let lowered = Lowerer::new().lower_checked(&self.program, method);
        let (body, frames) = lowered.map_err(|malformed| malformed.to_string())?;
        verify(&self.program, &body).map_err(|violation| violation.to_string())?;
        match frames.disagreements.first() {
            None => Ok(()),
            Some(wrong) => Err(format!("the frames of the class file disagree: {wrong:?}")),
        }
    }

    /// The instructions of a source line.
    pub(crate) fn at(&self, line: u32) -> impl Iterator<Item = (&Lowered, Inst)> {
        self.methods.iter().flat_map(move |lowered| lowered.at(line).map(move |inst| (lowered, inst)))
    }

    /// The class that declares a method's body.
    pub(crate) fn class(&self, lowered: &Lowered) -> ClassId {
        self.program.methods()[lowered.body.method].class
    }
}

impl Lowered {
    fn at(&self, line: u32) -> impl Iterator<Item = Inst> + '_ {
        self.body.insts.ids().filter(move |&inst| self.line(inst) == Some(line))
    }

    /// The source line of an instruction.
    pub(crate) fn line(&self, inst: Inst) -> Option<u32> {
        self.body.line(self.body.insts[inst].offset).map(u32::from)
    }

    /// The line of the text form that names the method.
    pub(crate) fn heading(&self) -> Option<&str> {
        self.text.lines().next()
    }

    /// The texts of all instructions, in their order.
    pub(crate) fn insts(&self) -> impl Iterator<Item = (Inst, &str)> {
        self.body.insts.ids().zip(self.text.lines().filter_map(inst_text))
    }
}

/// A program of these class files, of which none may have a problem.
fn build<'a>(files: impl IntoIterator<Item = &'a Bytes>) -> Result<Program, String> {
    let mut builder = Builder::new();
    for (number, bytes) in files.into_iter().enumerate() {
        let source = SourceId::from_u32(number as u32);
        let added = builder.add(bytes.clone(), source).map_err(|malformed| malformed.to_string())?;
        if let Some(problem) = added.problems.first() {
            return Err(problem.to_string());
        }
    }
    match builder.finish() {
        (program, problems) if problems.is_empty() => Ok(program),
        (_, problems) => Err(format!("{problems:?}")),
    }
}

/// Instructions and parameters are indented, and only the parameters begin like this.
fn inst_text(line: &str) -> Option<&str> {
    line.strip_prefix("  ").filter(|text| !text.starts_with("params "))
}

/// Drops `@3 L14` from the beginning of each instruction.
fn without_places(text: &str) -> String {
    let strip = |line: &str| match line.strip_prefix("  @").and_then(|rest| rest.split_once("  ")) {
        Some((_, inst)) => format!("  {inst}\n"),
        None => format!("{line}\n"),
    };
    text.lines().map(strip).collect()
}
