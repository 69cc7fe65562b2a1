//! Annotations: what users say that reflective calls do.
//!
//! A line per target: `<class>.<method>/<API method>/<index> <target>`, where the index counts the calls of that API method in the body of
//! the method, from 0 on, in the order of the bytecode (section 7.4 of the SOLAR paper, TOSEM'19), as in
//!
//! ```text
//! # what the plugins are
//! com.acme.Loader.load/java.lang.Class.forName/0 com.acme.Plugin
//! com.acme.Loader.load/java.lang.Class.forName/0 com.acme.OtherPlugin
//! com.acme.Loader.run(java.lang.String,int)/java.lang.reflect.Method.invoke/1 <com.acme.Plugin: void start(int)>
//! com.acme.Loader.run(Ljava/lang/String;I)V/java.lang.reflect.Constructor.newInstance/0 <com.acme.Plugin: void <init>()>
//! com.acme.Loader.run/java.lang.reflect.Field.get/0 <com.acme.Plugin: int level>
//! ```
//!
//! Overloaded methods are told apart by the types of their parameters in brackets, as in Java and without spaces, or by a descriptor;
//! without them, all methods of the name that have such a call are meant. Constructors are `<init>`, and an inner class is `Outer$Inner`. Overloads
//! of the API method count together. Targets are classes, and members as in the log of [`tamiflex`](crate::tamiflex). Empty lines, and those that begin with `#`, say nothing.

use crate::tamiflex::{Problem, target_of, target_text};
use crate::types::{class_name, descriptor_of, java_class, java_types};
use crate::{Api, Method, Target};

/// What a line looks like.
const EXAMPLE: &str = "com.acme.Loader.load/java.lang.Class.forName/0 com.acme.Plugin";
/// What stands for a target that is not known.
const FILL_IN: &str = "?";

/// Annotations that were read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Annotations {
    /// What could be read, in the order of the lines.
    pub annotations: Vec<Annotation>,
    /// Lines that make no sense.
    pub problems: Vec<Problem>,
}

/// What a user says that a reflective call does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Annotation {
    /// Where it stands in the file, from 1 on.
    pub number: usize,
    /// The call, as it is written.
    pub call: String,
    /// Internal name of the caller's class, and the caller's name.
    pub caller: (String, String),
    /// What the caller's descriptor begins with; none if any method of the name is meant.
    pub parameters: Option<String>,
    /// Internal name of the class whose method is called, and that method's name.
    pub called: (String, String),
    /// What that method does.
    pub api: Api,
    /// Which of the caller's calls of that method is meant, from 0 on.
    pub index: u32,
    /// What the call is about.
    pub target: Target,
}

/// Reads annotations.
pub fn parse(text: &str) -> Annotations {
    let mut read = Annotations::default();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        match annotation(number, line) {
            Ok(annotation) => read.annotations.push(annotation),
            Err(what) => read.problems.push(Problem { number, what }),
        }
    }
    read
}

/// A line that says what a call is about: of a caller, what it calls by class and name, and which of those calls it is. Without a target it is a
/// comment, to be filled in. None if there is no text for it, or nothing can be said of such calls.
pub fn line(caller: &Method, called: (&str, &str), index: u32, target: Option<&Target>) -> Option<String> {
    let (parameters, _) = java_types(&caller.descriptor)?;
    let (class, parameters) = (java_class(&caller.class), parameters.join(","));
    let api_method = format!("{}.{}", java_class(called.0), called.1);
    let call = format!("{class}.{}({parameters})/{api_method}/{index}", caller.name);
    let (comment, target) = match target {
        Some(target) => ("", target_text(target)?),
        None => ("# ", FILL_IN.to_owned()),
    };
    let is_known = api(called, &Target::Nothing).is_some();
    let line = format!("{call} {target}");
    // Names in the JVM may have any character; such a line would be read as another one.
    let is_read = line.lines().count() == 1 && (target == FILL_IN || annotation(0, &line).is_ok());
    (is_known && is_read).then(|| format!("{comment}{line}\n"))
}

fn annotation(number: usize, line: &str) -> Result<Annotation, String> {
    let expected = || format!("expected a call and a target, as in `{EXAMPLE}`");
    let (call, target) = line.split_once(char::is_whitespace).ok_or_else(expected)?;
    let (rest, index) = call.rsplit_once('/').ok_or_else(expected)?;
    let (caller, called) = rest.rsplit_once('/').ok_or_else(expected)?;
    let index = index.parse().map_err(|_| format!("`{index}` is not the number of a call, from 0 on"))?;
    let (caller, parameters) = with_parameters(caller).ok_or_else(|| format!("`{caller}` is no method"))?;
    let called = method(called).ok_or_else(|| format!("`{called}` is no method"))?;
    let target = target.trim();
    let found = target_of(target).ok_or_else(|| format!("`{target}` is neither a class nor a member"))?;
    let api = api((&called.0, &called.1), &found).ok_or_else(|| unknown(&called))?;
    if let Some(what) = wanted(api, &found) {
        return Err(format!("`{target}` is no target of {}: that has {what}", api.name()));
    }
    let call = call.to_owned();
    Ok(Annotation { number, call, caller, parameters, called, api, index, target: found })
}

/// The class and the name of a method.
fn method(text: &str) -> Option<(String, String)> {
    let (class, name) = text.rsplit_once('.')?;
    let descriptor = descriptor_of(class)?;
    let is_class = descriptor.starts_with('L') && !name.is_empty();
    is_class.then(|| (class_name(&descriptor).to_owned(), name.to_owned()))
}

/// A method, and what its descriptor begins with if that is said: by the types of its parameters, or by the descriptor.
fn with_parameters(text: &str) -> Option<((String, String), Option<String>)> {
    let Some((named, parameters)) = text.split_once('(') else { return Some((method(text)?, None)) };
    let descriptor = match parameters.strip_suffix(')') {
        None => format!("({parameters}"),
        Some("") => "()".to_owned(),
        Some(types) => {
            let types: Option<Vec<String>> = types.split(',').map(descriptor_of).collect();
            format!("({})", types?.concat())
        }
    };
    Some((method(named)?, Some(descriptor)))
}

/// What a method of the library does, to a target; none if nothing can be said of it.
fn api(called: (&str, &str), target: &Target) -> Option<Api> {
    let is_constructor = matches!(target, Target::Method(method) if method.name == "<init>");
    Some(match called {
        ("java/lang/Class", "forName") | (_, "loadClass" | "findClass") => Api::ForName,
        ("java/lang/Class", "newInstance") => Api::ClassNewInstance,
        ("java/lang/reflect/Constructor", "newInstance") => Api::ConstructorNewInstance,
        ("java/lang/reflect/Method", "invoke") => Api::MethodInvoke,
        ("java/lang/reflect/Field", name) => return field_api(name),
        ("java/lang/reflect/Array", "newInstance") => Api::ArrayNewInstance,
        ("java/lang/invoke/MethodHandle", "invoke" | "invokeExact") => {
            if is_constructor {
                Api::ConstructorNewInstance
            } else {
                Api::MethodInvoke
            }
        }
        _ => return None,
    })
}

/// The same for the methods of `Field`: those that read or write one end with the name of a primitive type, or with nothing.
fn field_api(name: &str) -> Option<Api> {
    let (api, ty) = match (name.strip_prefix("get"), name.strip_prefix("set")) {
        (Some(ty), _) => (Api::FieldGet, ty),
        (_, Some(ty)) => (Api::FieldSet, ty),
        (None, None) => return None,
    };
    let types = ["", "Boolean", "Byte", "Char", "Short", "Int", "Long", "Float", "Double"];
    types.contains(&ty).then_some(api)
}

fn unknown((class, name): &(String, String)) -> String {
    let class = class.replace('/', ".");
    let known = "Class.forName and newInstance, ClassLoader.loadClass, Constructor.newInstance, Method.invoke, Field.get and \
                 set, Array.newInstance, MethodHandle.invoke";
    format!("nothing can be said of {class}.{name}; expected one of {known}, with their packages")
}

/// What a target should be in place of what it is; nothing if it is that.
fn wanted(api: Api, target: &Target) -> Option<&'static str> {
    let (is_good, wanted) = match (api, target) {
        (Api::ConstructorNewInstance, Target::Method(method)) => (method.name == "<init>", CONSTRUCTOR),
        (Api::ConstructorNewInstance, _) => (false, CONSTRUCTOR),
        (Api::MethodInvoke, Target::Method(method)) => (method.name != "<init>", METHOD),
        (Api::MethodInvoke, _) => (false, METHOD),
        (Api::FieldGet | Api::FieldSet, target) => (matches!(target, Target::Field { .. }), FIELD),
        (Api::ArrayNewInstance, Target::Classes(types)) => {
            (types.iter().all(|ty| ty.starts_with('[')), "the type of an array, as in `int[]`")
        }
        (_, target) => (matches!(target, Target::Classes(_)), "a class, as in `com.acme.Plugin`"),
    };
    (!is_good).then_some(wanted)
}

const CONSTRUCTOR: &str = "a constructor, as in `<com.acme.Plugin: void <init>(int)>`";
const METHOD: &str = "a method, as in `<com.acme.Plugin: void start(int)>`";
const FIELD: &str = "a field, as in `<com.acme.Plugin: int level>`";

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(class: &str, name: &str) -> (String, String) {
        (class.to_owned(), name.to_owned())
    }

    #[test]
    fn lines_that_make_sense() {
        let read = parse(
            "\
# what the plugins are

com.acme.Loader$In.load/java.lang.Class.forName/0 com.acme.Plugin
com.acme.Loader.<init>(java.lang.String,int[])/java.lang.reflect.Method.invoke/12\t<a.B: void f( int )>
com/acme/Loader.load(Ljava/lang/String;I)V/java.lang.reflect.Field.setInt/1 <a.B: int x>
Loader.load()/java.net.URLClassLoader.loadClass/0 B
",
        );
        assert_eq!(read.problems, []);
        let [first, second, third, last] = &read.annotations[..] else { panic!("{read:?}") };
        assert_eq!((first.number, first.index, &first.parameters), (3, 0, &None));
        assert_eq!(first.caller, pair("com/acme/Loader$In", "load"));
        assert_eq!(first.called, pair("java/lang/Class", "forName"));
        assert_eq!(first.call, "com.acme.Loader$In.load/java.lang.Class.forName/0");
        assert_eq!(first.target, Target::Classes(vec!["Lcom/acme/Plugin;".to_owned()]));
        assert_eq!(second.caller, pair("com/acme/Loader", "<init>"));
        assert_eq!(second.parameters.as_deref(), Some("(Ljava/lang/String;[I)"));
        assert_eq!((second.api, second.index), (Api::MethodInvoke, 12));
        let [class, name, descriptor] = ["a/B", "f", "(I)V"].map(str::to_owned);
        assert_eq!(second.target, Target::Method(Method { class, name, descriptor }));
        assert_eq!(third.parameters.as_deref(), Some("(Ljava/lang/String;I)V"));
        assert_eq!((third.api, last.api), (Api::FieldSet, Api::ForName));
        assert_eq!(last.parameters.as_deref(), Some("()"));
    }

    #[test]
    fn what_is_written_can_be_read() {
        let [class, name, descriptor] = ["a/B$C", "<init>", "(I[Ljava/lang/String;)V"].map(str::to_owned);
        let caller = Method { class, name, descriptor };
        let target = Target::Classes(vec!["La/D;".to_owned()]);
        let for_name = ("java/lang/Class", "forName");
        let call = "a.B$C.<init>(int,java.lang.String[])/java.lang.Class.forName/7";
        let written = line(&caller, for_name, 7, Some(&target)).unwrap();
        assert_eq!(written, format!("{call} a.D\n"));
        let read = parse(&written).annotations.remove(0);
        assert_eq!((read.index, &read.target), (7, &target));
        assert_eq!(read.caller, (caller.class.clone(), caller.name.clone()));
        assert_eq!(read.parameters.as_deref(), Some("(I[Ljava/lang/String;)"));
        assert_eq!(line(&caller, for_name, 7, None), Some(format!("# {call} ?\n")));
        assert_eq!(line(&caller, ("java/lang/Class", "getMethod"), 7, None), None);
        assert_eq!(line(&caller, ("java/lang/reflect/Method", "invoke"), 7, Some(&target)), None);
        assert_eq!(line(&Method { name: "a b".to_owned(), ..caller }, for_name, 7, Some(&target)), None);
    }

    #[test]
    fn bad_lines_are_told_by_their_numbers_and_what_was_expected() {
        for (line, what) in [
            ("a.B.f/java.lang.Class.forName/0", "expected a call and a target, as in `com.acme.Loader.load/"),
            ("a.B.f/0 C", "expected a call and a target, as in `"),
            ("a.B.f/java.lang.Class.forName/first C", "`first` is not the number of a call, from 0 on"),
            ("f/java.lang.Class.forName/0 C", "`f` is no method"),
            ("a.B.f(int,)/java.lang.Class.forName/0 C", "`a.B.f(int,)` is no method"),
            (
                "a.B.f/java.lang.reflect.Field.getName/0 <C: int x>",
                "nothing can be said of java.lang.reflect.Field.getName",
            ),
            (
                "a.B.f/java.lang.Class.getMethod/0 C",
                "nothing can be said of java.lang.Class.getMethod; expected one of ",
            ),
            ("a.B.f/java.lang.Class.forName/0 C D", "`C D` is neither a class nor a member"),
            (
                "a.B.f/java.lang.Class.forName/0 <C: int x>",
                "`<C: int x>` is no target of Class.forName: that has a class",
            ),
            (
                "a.B.f/java.lang.reflect.Method.invoke/0 C",
                "that has a method, as in `<com.acme.Plugin: void start(int)>`",
            ),
            ("a.B.f/java.lang.reflect.Constructor.newInstance/0 <C: void f()>", "that has a constructor"),
            ("a.B.f/java.lang.reflect.Array.newInstance/0 C", "that has the type of an array, as in `int[]`"),
        ] {
            let read = parse(&format!("\n{line}\na.B.f/java.lang.Class.forName/0 C\n"));
            let [problem] = &read.problems[..] else { panic!("{line}: {read:?}") };
            assert!(problem.number == 2 && problem.what.contains(what), "{line}: {}", problem.what);
            assert_eq!(read.annotations.len(), 1, "the rest is used");
        }
    }
}
