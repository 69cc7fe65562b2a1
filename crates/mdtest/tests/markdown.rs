//! Every section of every page under `tests/md`, as a test of its own.

use std::fs;
use std::io;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use heliostat_mdtest::{Failure, Jdk, Page, Section, Setting, Stage, check, compile, files};
use libtest_mimic::{Arguments, Failed, Trial};

const FOLDER: &str = "tests/md";

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    match trials() {
        Ok(trials) => libtest_mimic::run(&arguments, trials).exit_code(),
        Err(error) => {
            #[expect(clippy::print_stderr, reason = "there is no test that could fail")]
            {
                eprintln!("error: {error}");
            }
            ExitCode::FAILURE
        }
    }
}

fn trials() -> io::Result<Vec<Trial>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(FOLDER);
    let jdk = Jdk::find()?;
    let mut trials = Vec::new();
    let mut sections = Vec::new();
    for path in files::below(&folder, "md")? {
        let name = path.strip_prefix(&folder).map_err(io::Error::other)?.to_string_lossy().replace('\\', "/");
        match Page::parse(&fs::read_to_string(&path)?) {
            Ok(page) => sections.extend(page.sections.into_iter().map(|section| (name.clone(), section))),
            Err(failures) => trials.push(Trial::test(name.clone(), move || Err(failed(&name, &failures)))),
        }
    }
    let is_new = |section: &Section| section.release.is_some_and(|release| release > jdk.feature);
    let (too_new, usable): (Vec<_>, Vec<_>) = sections.into_iter().partition(|(_, section)| is_new(section));
    trials.extend(too_new.iter().map(|(page, section)| ignored(page, section)));
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("markdown");
    let compiled = compile::compile(&jdk.home, &cache, &usable.iter().map(|(_, s)| s).collect::<Vec<_>>())?;
    let stage = Stage::new(compiled.iter().flatten());
    let setting = Arc::new(Setting { library: jdk.library, stage, hook: Box::new(|_, _, _| Ok(())) });
    trials.extend(usable.into_iter().zip(compiled).map(|((page, section), compiled)| {
        let setting = Arc::clone(&setting);
        Trial::test(name(&page, &section), move || run(&page, &section, compiled, &setting))
    }));
    Ok(trials)
}

fn name(page: &str, section: &Section) -> String {
    format!("{page}: {}", section.title)
}

/// A section that asks for a newer JDK.
fn ignored(page: &str, section: &Section) -> Trial {
    Trial::test(name(page, section), || Err("needs a newer JDK".into())).with_ignored_flag(true)
}

fn run(page: &str, section: &Section, compiled: compile::Compiled, setting: &Setting) -> Result<(), Failed> {
    let checked = compiled.and_then(|classes| check(section, &classes, setting));
    checked.map_err(|failures| failed(page, &failures))
}

fn failed(page: &str, failures: &[Failure]) -> Failed {
    let page = format!("{FOLDER}/{page}");
    failures.iter().map(|failure| failure.on(&page)).collect::<Vec<_>>().join("\n").into()
}
