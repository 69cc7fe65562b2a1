//! A program with a library, and what reflection did in a run of it: what `metadata` and `keep` are tested with.
#![allow(clippy::expect_used, reason = "a test that cannot be set up has failed")]

use std::fs;

use crate::support::{Run, Scratch, compile, jar, run};

const MAIN: &str = "package app;
import java.lang.reflect.*;
public class Main {
  public static void main(String[] a) throws Exception {
    Class<?> c = Class.forName(a[0]);
    Object o = c.getDeclaredConstructor(int.class).newInstance(1);
    c.getMethod(\"run\", String[].class).invoke(o, (Object) a);
    Field f = c.getField(\"x\");
    f.setInt(o, f.getInt(o) + 1);
    Array.newInstance(c, 1);
    Runnable r = () -> Helper.help(a[1]);
    r.run();
    new Object() { void go() throws Exception { Class.forName(a[2]); } }.go();
    lib.Everywhere.find(a[3]); One.one(a); Two.two(a); Three.three(a);
    Class.forName(a[4]);
  }
}
class Helper { static void help(String name) { try { lib.Loader.make(name); } catch (Exception e) {} } }
class One { static void one(String[] a) throws Exception { lib.Everywhere.find(a[0]); } }
class Two { static void two(String[] a) throws Exception { lib.Everywhere.find(a[0]); } }
class Three { static void three(String[] a) throws Exception { lib.Everywhere.find(a[0]); } }
";

const PLUGIN: &str = "package app;
public class Plugin {
  public int x;
  public Plugin(int x) {}
  public void run(String[] a) {}
  public void unused() {}
  public static class Nested { }
}
";

const LOADER: &str = "package lib;
public class Loader {
  public static Object make(String name) throws Exception {
    Class<?> c = Class.forName(name);
    return c.newInstance();
  }
}
";

const EVERYWHERE: &str = "package lib;
public class Everywhere {
  public static Class<?> find(String name) throws Exception {
    return Class.forName(name);
  }
}
";

/// What a run did, as a log tells it.
const LOG: &str = "\
Class.forName;app.Plugin;app.Main.main;5;;
Constructor.newInstance;<app.Plugin: void <init>(int)>;app.Main.main;6;;
Method.invoke;<app.Plugin: void run(java.lang.String[])>;app.Main.main;7;;
Field.get*;<app.Plugin: int x>;app.Main.main;9;;
Field.set*;<app.Plugin: int x>;app.Main.main;9;;
Array.newInstance;app.Plugin[];app.Main.main;10;;
Class.forName;app.Plugin$Nested;lib.Loader.make;4;;
Class.newInstance;app.Plugin$Nested;lib.Loader.make;5;;
Class.forName;app.One;app.Main$1.go;13;;
Class.forName;app.Two;lib.Everywhere.find;4;;
Class.forName;lib.Loader;lib.Everywhere.find;4;;
Class.forName;java.util.ArrayList;app.Main.main;15;;
";

/// The program and its log.
pub(crate) struct Reflective {
    pub(crate) scratch: Scratch,
    /// The jar of the program.
    pub(crate) app: String,
    /// The jar of the library.
    pub(crate) lib: String,
    pub(crate) log: String,
}

impl Reflective {
    /// None if there is no compiler.
    pub(crate) fn new() -> Option<Self> {
        let scratch = Scratch::new();
        let sources = [
            ("app/Main.java", MAIN),
            ("app/Plugin.java", PLUGIN),
            ("lib/Loader.java", LOADER),
            ("lib/Everywhere.java", EVERYWHERE),
        ];
        let classes = compile(&scratch, &sources)?;
        let [app, lib] = ["app", "lib"]
            .map(|package| scratch.write(&format!("{package}-1.0.jar"), &pack(&classes, package)));
        let log = scratch.write("reflection.log", LOG.as_bytes());
        Some(Self { scratch, app, lib, log })
    }

    /// Runs a command on it.
    pub(crate) fn run(&self, command: &str, more: &[&str]) -> Run {
        let common =
            [command, &self.app, "--cp", &self.lib, "--main", "app.Main", "--reflection-log", &self.log];
        run(&[&common, more].concat())
    }
}

/// A jar of the classes of a package.
fn pack(classes: &str, package: &str) -> Vec<u8> {
    let files = fs::read_dir(format!("{classes}/{package}")).expect("classes");
    let mut files: Vec<(String, Vec<u8>)> = files
        .map(|file| {
            let file = file.expect("a file");
            let name = file.file_name().into_string().expect("UTF-8");
            (format!("{package}/{name}"), fs::read(file.path()).expect("a class"))
        })
        .collect();
    files.sort();
    let files: Vec<(&str, &[u8])> =
        files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
    jar(&files)
}
