//! The program of a section, opened, lowered and verified.

use std::path::Path;

use heliostat_core::ir::{Body, Inst, Lowerer, parse, print, verify};
use heliostat_core::program::{ClassId, MethodId, Missing, Program};
use heliostat_core::{Opened, Origin, Settings, open};
use heliostat_index::Ids;

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
    /// Opens the classes of a folder and lowers all their methods. Everything that must hold of any program
    /// is checked on the way.
    pub(crate) fn open(classes: &Path, jdk: &Settings) -> Result<Self, Vec<String>> {
        let settings = Settings { inputs: vec![classes.into()], ..jdk.clone() };
        let opened = open(&settings).map_err(|error| vec![error.to_string()])?;
        if !opened.problems.is_empty() {
            return Err(opened.problems.iter().map(ToString::to_string).collect());
        }
        let is_own = |opened: &Opened, class| opened.archive(class).origin == Origin::Input;
        let own: Vec<_> = opened.program.classes().ids().filter(|&class| is_own(&opened, class)).collect();
        let mut scene = Self { program: opened.program, classes: own, missing: Vec::new(), methods: Vec::new() };
        scene.missing = scene.classes.iter().flat_map(|&class| scene.program.missing_from(class)).collect();
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

    /// The texts of all instructions, in their order.
    pub(crate) fn insts(&self) -> impl Iterator<Item = (Inst, &str)> {
        self.body.insts.ids().zip(self.text.lines().filter_map(inst_text))
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
