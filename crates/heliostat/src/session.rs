//! From arguments and environment to an opened program.

use std::env;

use heliostat_core::{Environment, Opened, Settings, open_watched};

use crate::args::{Inputs, Messages};
use crate::failure::Failure;
use crate::progress::Meter;

/// Opens what the arguments name.
pub(crate) fn open(inputs: &Inputs, messages: Messages) -> Result<Opened, Failure> {
    let settings = Settings {
        inputs: inputs.paths.clone(),
        class_path: inputs.class_path.clone(),
        jdk: inputs.jdk.jdk.clone(),
        ..Settings::default()
    };
    open_settings(settings, messages)
}

/// Opens what the settings name, in the environment of this process.
pub(crate) fn open_settings(settings: Settings, messages: Messages) -> Result<Opened, Failure> {
    let mut meter = Meter::start(messages);
    let settings = Settings { environment: environment(), ..settings };
    Ok(open_watched(&settings, &mut |step| meter.show(step))?)
}

fn environment() -> Environment {
    Environment {
        java_home: env::var_os("JAVA_HOME").map(Into::into),
        path: env::var_os("PATH"),
        home: env::var_os("HOME").map(Into::into),
    }
}
