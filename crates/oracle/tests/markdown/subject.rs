//! Both implementations on the program of a section.

use heliostat_core::program::Program;
use heliostat_core::pta::{Flavour, Options, analyse};
use heliostat_mdtest::compile::Classes;
use heliostat_mdtest::{Context, Failure, Setting, Test, options};
use heliostat_oracle::{Report, check};

use crate::support::{FLAVOURS, jdk, with_library};

/// With all of the JDK, most programs reach fewer than 200 methods. The others reach 15,000, which is too much for the rules.
const MOST_METHODS: usize = 1_000;

/// How much of the library those have instead; see [`with_library`].
const ROUNDS: usize = 3;

/// The relations that have something to say of every program.
const NEVER_EMPTY: [&str; 4] = ["reachable", "calls", "initialised", "var-points-to"];

/// A section with its program.
pub(crate) struct Subject<'a> {
    test: &'a Test,
    classes: &'a Classes,
    package: &'a str,
    setting: &'a Setting,
}

/// What was compared, and found equal.
pub(crate) struct Compared {
    pub(crate) report: Report,
    /// Whether all of the JDK was there.
    pub(crate) is_whole: bool,
}

impl<'a> Subject<'a> {
    pub(crate) fn new(test: &'a Test, setting: &'a Setting) -> Result<Self, String> {
        let classes = test.compiled.as_ref().map_err(|failures| test.tell(failures))?;
        let package = classes.package.as_deref().ok_or("the section is not analysed")?;
        Ok(Self { test, classes, package, setting })
    }

    /// The flavours that must agree on every program, and those that the section asks for.
    pub(crate) fn contexts(&self) -> Vec<Context> {
        let usual = FLAVOURS.map(|(name, flavour)| Context { name: name.to_owned(), flavour });
        let own = self.test.section.contexts().into_iter();
        let others = own.filter(|context| usual.iter().all(|other| other.flavour != context.flavour));
        usual.iter().cloned().chain(others).collect()
    }

    /// Compares what the two say of the program; a difference is an error, and so is having nothing to compare. The flavour
    /// that the rules go by is that of the context, except by mistake.
    pub(crate) fn agree(&self, context: &Context, by: Flavour) -> Result<Compared, String> {
        let compared = self.compare(context.flavour, by);
        let judged = compared.and_then(|compared| judge(&compared.report).map(|()| compared));
        judged.map_err(|message| self.tell(context, &message))
    }

    /// With all of the JDK if that is not too much, else with a part.
    fn compare(&self, flavour: Flavour, by: Flavour) -> Result<Compared, String> {
        let Setting { library, stage } = self.setting;
        let whole = stage.with(library, |program| self.check(program, flavour, by, MOST_METHODS))?;
        if let Some(report) = whole {
            return Ok(Compared { report, is_whole: true });
        }
        let own = self.classes.read().map_err(|error| error.to_string())?;
        let mut program = with_library(own, &jdk().program, ROUNDS);
        let report = self.check(&mut program, flavour, by, usize::MAX)?;
        Ok(Compared { report: report.ok_or("the analysis does not come to its end")?, is_whole: false })
    }

    /// None if the program reaches too many methods.
    fn check(
        &self,
        program: &mut Program,
        flavour: Flavour,
        by: Flavour,
        most_methods: usize,
    ) -> Result<Option<Report>, String> {
        let options = options(&self.test.section, self.package, program, flavour)?;
        let mut reflection = self.test.section.reflection(program);
        let solution =
            analyse(program, &options, &mut reflection, &mut |status| status.methods <= most_methods);
        let options = Options { flavour: by, ..options };
        Ok(solution.complete.then(|| check(program, &solution, &options)))
    }

    /// A message with the place of the section, and with names as the section has them.
    fn tell(&self, context: &Context, message: &str) -> String {
        let message = message.replace(&format!("{}/", self.package), "");
        let (line, name) = (self.test.section.line, &context.name);
        self.test.tell(&[Failure { line, message: format!("[{name}] {message}") }])
    }
}

fn judge(report: &Report) -> Result<(), String> {
    if report.differences() > 0 {
        return Err(format!("the engine does not agree with the rules\n{report}"));
    }
    let is_there = |name: &&str| report.relations.iter().any(|r| r.name == *name && r.expected > 0);
    match NEVER_EMPTY.iter().find(|name| !is_there(name)) {
        Some(name) => Err(format!("there is nothing to compare: no {name}")),
        None => Ok(()),
    }
}
