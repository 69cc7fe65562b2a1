//! The engine and the rules agree on the program of every analysed section of the Markdown pages.
//!
//! A section is a test. What it says of its program is for `mdtest` to check; here it only says how to analyse it.

mod subject;
#[path = "../support/mod.rs"]
mod support;
mod totals;

use std::io;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use heliostat_mdtest::{Setting, Suite, Test};
use libtest_mimic::{Arguments, Failed, Trial};

use subject::Subject;
use totals::Totals;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    match run(&arguments) {
        Ok(code) => code,
        Err(error) => {
            #[expect(clippy::print_stderr, reason = "there is no test that could fail")]
            {
                eprintln!("error: {error}");
            }
            ExitCode::FAILURE
        }
    }
}

/// A run of all tests must have compared as much as there is; one of some tells how much it was.
fn run(arguments: &Arguments) -> io::Result<ExitCode> {
    let totals = Arc::new(Totals::default());
    let conclusion = libtest_mimic::run(arguments, trials(&totals)?);
    if !arguments.list {
        totals.print();
    }
    let is_some = arguments.list || arguments.ignored || conclusion.num_filtered_out > 0;
    if !is_some && !conclusion.has_failed() {
        totals.check().map_err(io::Error::other)?;
    }
    Ok(conclusion.exit_code())
}

fn trials(totals: &Arc<Totals>) -> io::Result<Vec<Trial>> {
    let suite = Suite::open(&Path::new(env!("CARGO_TARGET_TMPDIR")).join("oracle-markdown"))?;
    let setting = Arc::new(suite.setting);
    let tests = suite.tests.into_iter().filter(|test| test.section.is_analysed()).map(Arc::new);
    let tests: Vec<Arc<Test>> = tests.collect();
    let example = tests.iter().find(|test| asks_for(test, "insens") && asks_for(test, "1obj"));
    let example = Arc::clone(example.ok_or_else(|| io::Error::other("no section compares insens and 1obj"))?);
    let example_setting = Arc::clone(&setting);
    let differ = Trial::test("a difference is told", move || differ(&example, &example_setting));
    let misread = suite.misread.into_iter().map(|(page, wrong)| Trial::test(page, || Err(wrong.into())));
    let agree = tests.into_iter().map(|test| {
        let (setting, totals) = (Arc::clone(&setting), Arc::clone(totals));
        Trial::test(test.name(), move || agree(&test, &setting, &totals))
    });
    Ok(misread.chain([differ]).chain(agree).collect())
}

fn asks_for(test: &Test, name: &str) -> bool {
    test.section.contexts().iter().any(|context| context.name == name)
}

fn agree(test: &Test, setting: &Setting, totals: &Totals) -> Result<(), Failed> {
    let subject = Subject::new(test, setting)?;
    let (mut compared, mut wrong) = (Vec::new(), Vec::new());
    for context in subject.contexts() {
        match subject.agree(&context, context.flavour) {
            Ok(one) => compared.push(one),
            Err(message) => wrong.push(message),
        }
    }
    totals.add(&compared);
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}

/// The rules of one flavour do not accept the answer of another, and it is told where and how.
fn differ(test: &Test, setting: &Setting) -> Result<(), Failed> {
    let subject = Subject::new(test, setting)?;
    let [insens, _, object] = &subject.contexts()[..3] else { return Err("flavours are missing".into()) };
    let Err(message) = subject.agree(object, insens.flavour) else { return Err("it is not told".into()) };
    let begin = format!("tests/md/{}:{}: [1obj] the engine", test.page, test.section.line);
    let parts = ["\ncalls: ", " unfounded\n", "\n  - Main.main", "\n  + Main.main"];
    let is_told = message.starts_with(&begin) && parts.iter().all(|part| message.contains(part));
    if is_told { Ok(()) } else { Err(format!("it is not told in words:\n{message}").into()) }
}
