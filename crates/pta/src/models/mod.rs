//! Models: what native methods, intrinsics and the JVM itself do with references.
//!
//! Each topic is a `.model` file and a line of [`REGISTRY`]. A model becomes the same statements that bytecode gives, so that
//! the engine knows nothing of single methods. This page specifies the language.
//!
//! # Files
//!
//! A file is lines. `#` begins a comment. A *header* is followed by *statements*; headers that follow each other directly share
//! the statements below them. Words are separated by blanks, and indentation is for the reader.
//!
//! ```text
//! # Threads: `start` runs `run`.
//! native java/lang/Thread.start0()V
//!     global threads = this
//!     call virtual java/lang/Thread.run()V this
//! ```
//!
//! Models are for all versions of the JDK at once: a header whose method does not exist is ignored, and so is a statement that names
//! a class, field or method that does not exist.
//!
//! # Headers
//!
//! | header | the statements are |
//! |---|---|
//! | `native METHOD` | what the method does, if it is native in this JDK; if it has bytecode, that is what counts |
//! | `method METHOD` | what the method does, native or not |
//! | `native inline METHOD`, `method inline METHOD` | the same, but as if written in place of each call, with the caller's variables: the objects of different callers do not mix, and what the model calls, the caller calls. Where the target of a call is not known before, it is as without `inline` |
//! | `method METHOD at CALLED` | what each call of `CALLED` in the method does besides; the method keeps its bytecode. `this`, `arg0`… are the method's own, what is returned is the call's result |
//! | `startup` | part of what runs before and beside `main` |
//!
//! `METHOD` is `pkg/Class.name(desc)ret`.
//!
//! # Variables
//!
//! `this` and `arg0`, `arg1`… are what the caller gives: the receiver, and the declared parameters without it, each counted once. For
//! signature-polymorphic methods (`VarHandle.set`) they are the arguments of the call site. Any other name is a variable of the
//! model's own.
//! Statements have no order: a variable holds everything that is assigned to it anywhere in the section. Whatever has no
//! reference type in truth (a primitive argument) holds nothing.
//!
//! # Statements
//!
//! `TYPE` is an internal name, an array descriptor (`[Ljava/lang/Object;`) or, after `class`, the name of a primitive type; `FIELD` is
//! `pkg/Class.field`, found by class and name.
//!
//! | statement | meaning |
//! |---|---|
//! | `x = y`, `x = cast TYPE y` | assignment, of what is a `TYPE` |
//! | `x = new TYPE` | an object that the JVM or native code makes; the class is initialised, no constructor is run |
//! | `x = string` | a string of which nothing is known |
//! | `x = class TYPE` | the class object |
//! | `x = y.FIELD`, `y.FIELD = x` | an instance field |
//! | `x = static FIELD`, `static FIELD = x` | a static field |
//! | `x = global NAME`, `global NAME = x` | a variable of the whole program |
//! | `x = element y`, `element y = x` | all elements of an array |
//! | `x = any y`, `any y = x` | the elements of an array, or those fields of another object that an offset or a `VarHandle` may mean here |
//! | `x = resize y` | each array with another length: the array itself stands for its copy, except that one of length 0, which holds nothing, becomes a new array |
//! | `x = classof y` | the class object of each object's type |
//! | `x = componentof y` | for each class object of an array type, the class object of the component type |
//! | `x = arrayof y` | for each class object of a type, a new array whose components are of that type; of two dimensions at most, so that there are finitely many |
//! | `x = instance y` | for each class object of a class, a new object of it; the class is initialised, no constructor is run |
//! | `call KIND METHOD y…`, `x = call …` | a call: `KIND` is `static`, `special` (exactly this method), `virtual` or `interface`. The receiver comes first. `_` is an argument that does not matter: a primitive, or null |
//! | `return x`, `throw x` | to the caller |
//! | `x = catch` | what the model's calls throw, and no longer goes to the caller. In `startup`, also what `main` throws |
//! | `init TYPE` | the class is initialised |
//! | `init of y` | the classes whose class objects these are, are initialised |
//! | `x = constructed y`, `x = provided y` | the providers of the services whose class objects these are: those that `ServiceLoader` makes with a constructor, and those that it asks a static method `provider` for |
//! | `x = constants y` | for each class object of an enum, the array that its method `values` gives |
//! | `nothing` | for models without statements |
//!
//! A class object of a class that is not known gives nothing with `componentof`, `arrayof`, `instance` and `init of`.
//!
//! # Global variables
//!
//! They are what files share. The engine fills in three of them: `finalizable`, the objects whose class overrides `finalize`, `fromInitialisers`, what class initialisers throw, and `classes`, all class objects. It may let
//! handlers read `throwables`, the exceptions that instructions throw by themselves.
//!
//! # What needs no model
//!
//! A static native without references in its descriptor. Checked exceptions of natives are modelled; unchecked ones are in
//! `throwables`.

pub(crate) mod text;

pub use text::{Ask, Derivation};

/// The global variable of the objects whose class overrides `finalize`.
pub(crate) const FINALIZABLE: &str = "finalizable";
/// The global variable of all class objects.
pub(crate) const CLASSES: &str = "classes";
/// The global variable of the exceptions that instructions throw by themselves.
pub(crate) const THROWABLES: &str = "throwables";
/// The global variable of what class initialisers throw.
pub(crate) const FROM_INITIALISERS: &str = "fromInitialisers";

/// The models by topic.
pub(crate) const REGISTRY: &[(&str, &str)] = &[
    // The JVM by itself.
    ("startup", include_str!("startup.model")),
    ("launcher", include_str!("launcher.model")),
    ("exceptions", include_str!("exceptions.model")),
    ("threads", include_str!("threads.model")),
    ("references", include_str!("references.model")),
    // The language and its runtime.
    ("objects", include_str!("objects.model")),
    ("arrays", include_str!("arrays.model")),
    ("classes", include_str!("classes.model")),
    ("loading", include_str!("loading.model")),
    ("reflection", include_str!("reflection.model")),
    ("services", include_str!("services.model")),
    ("stack", include_str!("stack.model")),
    ("security", include_str!("security.model")),
    ("unsafe", include_str!("unsafe.model")),
    ("varhandles", include_str!("varhandles.model")),
    ("invoke", include_str!("invoke.model")),
    // The operating system.
    ("system", include_str!("system.model")),
    ("processes", include_str!("processes.model")),
    ("io", include_str!("io.model")),
    ("nio_files", include_str!("nio_files.model")),
    ("nio_channels", include_str!("nio_channels.model")),
    ("net", include_str!("net.model")),
    ("net_extras", include_str!("net_extras.model")),
    // Other modules.
    ("management", include_str!("management.model")),
    ("security_native", include_str!("security_native.model")),
    ("tools", include_str!("tools.model")),
    ("awt", include_str!("awt.model")),
    ("java2d", include_str!("java2d.model")),
    ("images", include_str!("images.model")),
    ("sound", include_str!("sound.model")),
    // Nothing at all.
    ("harmless", include_str!("harmless.model")),
    ("harmless_modules", include_str!("harmless_modules.model")),
];

/// What the JVM runs to link dynamic calls: much code, none of which the program itself calls. To have it in the call graph, it takes
/// a line above.
#[cfg(test)]
const UPCALLS: (&str, &str) = ("invoke_upcalls", include_str!("invoke_upcalls.model"));

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::text::{MethodModel, Statement};
    use super::*;

    fn files() -> impl Iterator<Item = (&'static str, &'static str)> {
        REGISTRY.iter().copied().chain([UPCALLS])
    }

    fn models() -> impl Iterator<Item = (String, MethodModel<'static>)> {
        files().flat_map(|(name, text)| {
            let at = move |model: MethodModel<'static>| (format!("{name}.model:{}", model.line), model);
            text::parse(text).models.into_iter().map(at)
        })
    }

    #[test]
    fn every_file_can_be_read() {
        for (name, text) in files() {
            let parsed = text::parse(text);
            let errors: Vec<String> =
                parsed.errors.iter().map(|error| format!("{name}.model: {error}")).collect();
            assert!(errors.is_empty(), "{errors:#?}");
            assert!(!parsed.models.is_empty(), "{name}");
        }
    }

    #[test]
    fn every_file_is_registered_under_its_name() {
        let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/src/models");
        let paths =
            std::fs::read_dir(directory).expect(directory).map(|entry| entry.expect(directory).path());
        let there: BTreeSet<String> = paths
            .filter(|path| path.extension().is_some_and(|extension| extension == "model"))
            .map(|path| path.file_stem().expect("a file").to_string_lossy().into_owned())
            .collect();
        let registered: BTreeSet<String> = files().map(|(name, _)| name.to_owned()).collect();
        assert_eq!(there, registered);
    }

    #[test]
    fn no_method_is_modelled_twice() {
        let mut first = BTreeMap::new();
        for (at, model) in models() {
            if let Some(method) = model.method
                && let Some(other) = first.insert((method, model.at), at.clone())
            {
                panic!("{method} is modelled in {other} and {at}");
            }
        }
    }

    #[test]
    fn what_is_returned_is_as_the_descriptor_says() {
        for (at, model) in models() {
            let Some(method) = model.at.or(model.method) else { continue };
            let returns = model.statements.iter().any(|s| matches!(s, Statement::Return { .. }));
            let is_reference = method.descriptor.contains(")L") || method.descriptor.contains(")[");
            assert!(is_reference || !returns, "{at}: {method} returns no reference");
            assert!(
                !is_reference || returns || model.statements.is_empty(),
                "{at}: {method} returns nothing"
            );
        }
    }

    #[test]
    fn every_global_variable_is_both_read_and_written() {
        let (mut read, mut written) = (BTreeSet::new(), BTreeSet::from([FINALIZABLE, FROM_INITIALISERS]));
        for statement in models().flat_map(|(_, model)| model.statements) {
            match statement {
                Statement::LoadGlobal { name, .. } => read.insert(name),
                Statement::StoreGlobal { name, .. } => written.insert(name),
                _ => false,
            };
        }
        assert_eq!(read, written);
    }
}
