//! From arguments and environment to an opened program.

use std::env;

use heliostat_core::analysis::Budget;
use heliostat_core::{Environment, JdkChoice, Kind, Limits, Opened, Origin, Settings};

use crate::args::{Inputs, Messages, WantedJdk};
use crate::failure::Failure;
use crate::jdk;
use crate::progress::Meter;

/// How many problems of each archive are kept for `-v`.
const VERBOSE: u32 = 10_000;

/// Opens what the arguments name.
pub(crate) fn open(inputs: &Inputs, messages: Messages) -> Result<Opened, Failure> {
    open_within(inputs, &Budget::default(), messages)
}

/// The same within a budget.
pub(crate) fn open_within(inputs: &Inputs, budget: &Budget, messages: Messages) -> Result<Opened, Failure> {
    let settings = Settings {
        inputs: inputs.paths.clone(),
        class_path: inputs.class_path.clone(),
        ..Settings::default()
    };
    open_settings(settings, &inputs.jdk.jdk, budget, messages)
}

/// Opens what the settings name, in the environment of this process.
pub(crate) fn open_settings(
    settings: Settings,
    jdk: &WantedJdk,
    budget: &Budget,
    messages: Messages,
) -> Result<Opened, Failure> {
    let environment = environment();
    let jdk = choose(jdk, &environment)?;
    let mut limits = Limits::default();
    if messages.verbose {
        limits.listed = VERBOSE;
    }
    let mut meter = Meter::start(messages);
    let settings = Settings { jdk, environment, limits, ..settings };
    Ok(heliostat_core::open_within(&settings, budget, &mut |step| meter.show(step))?)
}

/// Fails if the inputs have no class: whatever was asked, that is not what was meant.
pub(crate) fn require_classes(opened: &Opened) -> Result<(), Failure> {
    let mut classes = opened.program.classes().ids();
    if classes.any(|class| opened.origin(class) == Origin::Input) {
        return Ok(());
    }
    let hint = hint(opened).map(|hint| format!("\n  {hint}")).unwrap_or_default();
    Err(Failure::Message(format!("no class could be read from the inputs{hint}")))
}

/// What the user may have overlooked.
fn hint(opened: &Opened) -> Option<String> {
    let mut jars = opened.unread_jars();
    let jar = jars.find(|(archive, _)| archive.origin == Origin::Input && archive.kind == Kind::Directory);
    if let Some((directory, path)) = jar {
        let folder = path.rsplit_once('/').map(|(folder, _)| format!("/{folder}")).unwrap_or_default();
        let name = directory.name.trim_end_matches('/');
        return Some(format!("{name} has jars, which were not read; name them, or use '{name}{folder}/*'"));
    }
    let inputs = || opened.archives().filter(|archive| archive.origin == Origin::Input);
    if inputs().next().is_none() {
        return Some("they lead to no file".to_owned());
    }
    let resources: u32 = inputs().map(|archive| archive.counts.resources).sum();
    match resources {
        0 if opened.problems.total() == 0 => Some("there is nothing in them".to_owned()),
        0 => None,
        _ => Some(format!("they hold other files only ({resources})")),
    }
}

fn choose(jdk: &WantedJdk, environment: &Environment) -> Result<JdkChoice, Failure> {
    match jdk {
        WantedJdk::Choice(choice) => Ok(choice.clone()),
        WantedJdk::Feature(feature) => {
            let home = jdk::find(*feature, environment).map(JdkChoice::Home);
            let message =
                || format!("no JDK {feature} in the usual folders; give its home, as in --jdk /opt/jdk");
            home.ok_or_else(|| Failure::Message(message()))
        }
    }
}

fn environment() -> Environment {
    Environment {
        java_home: env::var_os("JAVA_HOME").map(Into::into),
        path: env::var_os("PATH"),
        home: env::var_os("HOME").map(Into::into),
    }
}
