//! Every section of every page under `tests/md`, as a test of its own.

use std::io;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use heliostat_mdtest::{Setting, Suite, Test, check};
use libtest_mimic::{Arguments, Failed, Trial};

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
    let suite = Suite::open(&Path::new(env!("CARGO_TARGET_TMPDIR")).join("markdown"))?;
    let setting = Arc::new(suite.setting);
    let misread = suite.misread.into_iter().map(|(page, wrong)| Trial::test(page, || Err(wrong.into())));
    let too_new = suite.too_new.into_iter().map(ignored);
    let tests = suite.tests.into_iter().map(|test| {
        let setting = Arc::clone(&setting);
        Trial::test(test.name(), move || run(&test, &setting))
    });
    Ok(misread.chain(too_new).chain(tests).collect())
}

/// A section that asks for a newer JDK.
fn ignored(name: String) -> Trial {
    Trial::test(name, || Err("needs a newer JDK".into())).with_ignored_flag(true)
}

fn run(test: &Test, setting: &Setting) -> Result<(), Failed> {
    let checked = test.compiled.clone().and_then(|classes| check(&test.section, &classes, setting));
    checked.map_err(|failures| test.tell(&failures).into())
}
