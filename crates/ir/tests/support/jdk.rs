//! The JDK of this machine, which the tests need.

use std::env;

use bytes::Bytes;
use heliostat_input::{Environment, Inputs, JdkChoice, Request, open};

/// The classes of the JDK. Fails, saying what to do, if there is none.
pub fn jdk() -> Inputs {
    let environment = Environment {
        java_home: env::var_os("JAVA_HOME").map(Into::into),
        path: env::var_os("PATH"),
        home: env::var_os("HOME").map(Into::into),
    };
    let request = Request { jdk: JdkChoice::Auto, environment, ..Request::default() };
    let inputs = open(&request).unwrap_or_else(|error| panic!("{error}"));
    assert!(
        inputs.jdk.is_some(),
        "this test reads the classes of a JDK and found none: install one (on Debian or Ubuntu: \
         `sudo apt-get install openjdk-17-jdk-headless`) or set JAVA_HOME to one"
    );
    inputs
}

/// The bytes of all classes of the JDK, in its order.
pub fn classes(inputs: &Inputs) -> impl Iterator<Item = Bytes> + '_ {
    inputs.classes.iter().map(|entry| inputs.read(entry).unwrap_or_else(|problem| panic!("{problem}")))
}
