//! The text form of models: syntax tree and parser. The language is specified in [`super`].

use std::fmt;

use heliostat_classfile::{field_descriptor, method_descriptor};
use heliostat_ir::CallKind;

/// What one method does, or (without a method) what the JVM does by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MethodModel<'a> {
    /// The method whose body this replaces; none for `startup`.
    pub(crate) method: Option<MethodName<'a>>,
    /// Whether a method that has bytecode keeps it, so that this is only for JDKs where the method is native.
    pub(crate) only_native: bool,
    /// Whether the statements are those of each call site.
    pub(crate) inline: bool,
    /// The method whose calls within `method`, which keeps its bytecode, do this too.
    pub(crate) at: Option<MethodName<'a>>,
    /// The names of the local variables, for [`Variable::Local`].
    pub(crate) locals: Vec<&'a str>,
    /// What it does, in no order.
    pub(crate) statements: Vec<Statement<'a>>,
    /// The line of the header, from 1.
    pub(crate) line: u32,
}

/// A method as it is written: `pkg/Class.name(desc)ret`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct MethodName<'a> {
    /// Internal name.
    pub(crate) class: &'a str,
    pub(crate) name: &'a str,
    pub(crate) descriptor: &'a str,
}

/// A field as it is written: `pkg/Class.field`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct FieldName<'a> {
    /// Internal name.
    pub(crate) class: &'a str,
    pub(crate) name: &'a str,
}

/// A variable of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Variable {
    /// The receiver.
    This,
    /// A parameter, counted from 0 and without the receiver; a `long` counts once.
    Parameter(u32),
    /// A name of the model's own: a place in [`MethodModel::locals`].
    Local(u32),
}

/// What a model can do. A class is an internal name, or the descriptor of an array.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Statement<'a> {
    /// `to = new class`
    New { to: Variable, class: &'a str },
    /// `to = string`
    String { to: Variable },
    /// `to = class class`
    Class { to: Variable, class: &'a str },
    /// `to = from`
    Copy { to: Variable, from: Variable },
    /// `to = cast class from`
    Cast { to: Variable, class: &'a str, from: Variable },
    /// `to = base.field`
    LoadField { to: Variable, base: Variable, field: FieldName<'a> },
    /// `base.field = from`
    StoreField { base: Variable, field: FieldName<'a>, from: Variable },
    /// `to = static field`
    LoadStatic { to: Variable, field: FieldName<'a> },
    /// `static field = from`
    StoreStatic { field: FieldName<'a>, from: Variable },
    /// `to = global name`
    LoadGlobal { to: Variable, name: &'a str },
    /// `global name = from`
    StoreGlobal { name: &'a str, from: Variable },
    /// `to = element array`
    LoadElement { to: Variable, array: Variable },
    /// `element array = from`
    StoreElement { array: Variable, from: Variable },
    /// `to = any base`
    LoadAny { to: Variable, base: Variable },
    /// `any base = from`
    StoreAny { base: Variable, from: Variable },
    /// `to = classof from` and its like: what an object gives that depends on its type.
    Derive { to: Variable, how: Derivation, from: Variable },
    /// `to = call kind method arguments`; the receiver is the first argument, and `_` is none.
    Call { to: Option<Variable>, kind: CallKind, method: MethodName<'a>, arguments: Vec<Option<Variable>> },
    /// `return from`
    Return { from: Variable },
    /// `throw from`
    Throw { from: Variable },
    /// `to = catch`
    Catch { to: Variable },
    /// `init class`
    Init { class: &'a str },
    /// `init of from`
    Initialise { from: Variable },
    /// `to = constructed service` and its like: what the classes of class objects are asked for.
    Ask { to: Variable, ask: Ask, class: Variable },
}

/// What a statement makes of each object of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Derivation {
    /// `resize`: the array with another length.
    Resize,
    /// `classof`: the class object of its type.
    ClassOf,
    /// `componentof`: of the class object of an array type, the class object of the component type.
    ComponentOf,
    /// `arrayof`: of the class object of a type, a new array of that component type.
    ArrayOf,
    /// `instance`: of the class object of a class, a new object of that class.
    Instance,
}

impl Derivation {
    pub(crate) const ALL: [Self; 5] =
        [Self::Resize, Self::ClassOf, Self::ComponentOf, Self::ArrayOf, Self::Instance];

    /// The word of the language.
    pub fn name(self) -> &'static str {
        match self {
            Self::Resize => "resize",
            Self::ClassOf => "classof",
            Self::ComponentOf => "componentof",
            Self::ArrayOf => "arrayof",
            Self::Instance => "instance",
        }
    }
}

/// What the library asks of the class behind a class object, by reflection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Ask {
    /// `constructed`: of a service, the providers that are made by their constructor without parameters.
    Constructed,
    /// `provided`: of a service, the providers that come from a public static method `provider`.
    Provided,
    /// `constants`: of an enum, the array of its constants, which its method `values` gives.
    Constants,
}

impl Ask {
    pub(crate) const ALL: [Self; 3] = [Self::Constructed, Self::Provided, Self::Constants];

    /// The word of the language.
    pub fn name(self) -> &'static str {
        match self {
            Self::Constructed => "constructed",
            Self::Provided => "provided",
            Self::Constants => "constants",
        }
    }
}

impl fmt::Display for MethodName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}{}", self.class, self.name, self.descriptor)
    }
}

impl fmt::Display for FieldName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.class, self.name)
    }
}

/// What a text says, and what of it could not be understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Parsed<'a> {
    pub(crate) models: Vec<MethodModel<'a>>,
    pub(crate) errors: Vec<ParseError>,
}

/// A line that is none of the language; the models have everything but that line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ParseError {
    /// From 1.
    pub(crate) line: u32,
    pub(crate) message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

/// Reads the text of a `.model` file.
pub(crate) fn parse(text: &str) -> Parsed<'_> {
    let mut parser = Parser::default();
    for (number, line) in (1..).zip(text.lines()) {
        parser.line = number;
        let line = line.split_once('#').map_or(line, |(code, _comment)| code);
        let words: Vec<&str> = line.split_whitespace().collect();
        if let Err(message) = parser.words(&words) {
            parser.error(number, message);
        }
    }
    parser.end_section();
    let Parser { models, mut errors, .. } = parser;
    errors.sort_by_key(|error| error.line);
    Parsed { models, errors }
}

/// Words that cannot be variables, since a statement would then have two meanings.
const RESERVED: [&str; 14] = [
    "any", "call", "cast", "catch", "class", "element", "global", "init", "new", "nothing", "return",
    "static", "string", "throw",
];

type Outcome<T> = Result<T, String>;

#[derive(Default)]
struct Parser<'a> {
    /// The line that is being read.
    line: u32,
    section: Section<'a>,
    models: Vec<MethodModel<'a>>,
    errors: Vec<ParseError>,
}

/// Headers that follow each other, and the statements below the last of them.
#[derive(Default)]
struct Section<'a> {
    headers: Vec<Header<'a>>,
    statements: Vec<Statement<'a>>,
    /// Whether a statement was seen, if only `nothing`: the next header begins a section.
    is_begun: bool,
    locals: Vec<Local<'a>>,
    /// What the caller gives that is read, and in which line.
    given: Vec<(Variable, u32)>,
}

struct Header<'a> {
    /// None: `startup`.
    method: Option<MethodName<'a>>,
    only_native: bool,
    inline: bool,
    /// A call of this in the method, and not the method itself.
    at: Option<MethodName<'a>>,
    line: u32,
}

struct Local<'a> {
    name: &'a str,
    /// The first line that reads it.
    read: Option<u32>,
    is_written: bool,
}

impl<'a> Parser<'a> {
    fn error(&mut self, line: u32, message: String) {
        self.errors.push(ParseError { line, message });
    }

    fn words(&mut self, words: &[&'a str]) -> Outcome<()> {
        match *words {
            [] => {}
            ["startup"] => self.header(None, false, false, None),
            [kind @ ("native" | "method"), method] => {
                self.header(Some(method_name(method)?), kind == "native", false, None);
            }
            [kind @ ("native" | "method"), "inline", method] => {
                self.header(Some(method_name(method)?), kind == "native", true, None);
            }
            ["method", method, "at", called] => {
                self.header(Some(method_name(method)?), false, false, Some(method_name(called)?));
            }
            ["native" | "method" | "startup", ..] => {
                return Err(
                    "expected `startup`, or `native` or `method`, perhaps `inline`, and a method, perhaps `at` another"
                        .to_owned(),
                );
            }
            _ if self.section.headers.is_empty() => {
                return Err("expected `native`, `method` or `startup` before the first statement".to_owned());
            }
            _ => {
                self.section.is_begun = true;
                let statement = self.statement(words)?;
                self.section.statements.extend(statement);
            }
        }
        Ok(())
    }

    fn header(
        &mut self,
        method: Option<MethodName<'a>>,
        only_native: bool,
        inline: bool,
        at: Option<MethodName<'a>>,
    ) {
        if self.section.is_begun {
            self.end_section();
        }
        self.section.headers.push(Header { method, only_native, inline, at, line: self.line });
    }

    /// Every header of the section gets the section's statements.
    fn end_section(&mut self) {
        let section = std::mem::take(&mut self.section);
        self.errors.extend(section.errors());
        let locals: Vec<&str> = section.locals.iter().map(|local| local.name).collect();
        self.models.extend(section.headers.iter().map(|header| MethodModel {
            method: header.method,
            only_native: header.only_native,
            inline: header.inline,
            at: header.at,
            locals: locals.clone(),
            statements: section.statements.clone(),
            line: header.line,
        }));
    }

    /// None for `nothing`.
    fn statement(&mut self, words: &[&'a str]) -> Outcome<Option<Statement<'a>>> {
        Ok(Some(match *words {
            ["nothing"] => return Ok(None),
            ["return", from] => Statement::Return { from: self.read(from)? },
            ["throw", from] => Statement::Throw { from: self.read(from)? },
            ["init", class] => Statement::Init { class: class_name(class)? },
            ["init", "of", from] => Statement::Initialise { from: self.read(from)? },
            ["call", ref call @ ..] => self.call(None, call)?,
            ["static", field, "=", from] => {
                Statement::StoreStatic { field: field_name(field)?, from: self.read(from)? }
            }
            ["global", name, "=", from] => {
                Statement::StoreGlobal { name: plain_name(name)?, from: self.read(from)? }
            }
            ["element", array, "=", from] => {
                Statement::StoreElement { array: self.read(array)?, from: self.read(from)? }
            }
            ["any", base, "=", from] => {
                Statement::StoreAny { base: self.read(base)?, from: self.read(from)? }
            }
            [target, "=", ref value @ ..] => match target.split_once('.') {
                Some((base, field)) => self.store(base, field, value)?,
                None => self.assignment(target, value)?,
            },
            _ => return Err(format!("expected a statement, found `{}`", words.join(" "))),
        }))
    }

    fn store(&mut self, base: &'a str, field: &'a str, value: &[&'a str]) -> Outcome<Statement<'a>> {
        let &[from] = value else { return Err("expected one variable after `=`".to_owned()) };
        Ok(Statement::StoreField {
            base: self.read(base)?,
            field: field_name(field)?,
            from: self.read(from)?,
        })
    }

    fn assignment(&mut self, target: &'a str, value: &[&'a str]) -> Outcome<Statement<'a>> {
        let to = self.write(target)?;
        Ok(match *value {
            ["new", class] => Statement::New { to, class: class_name(class)? },
            ["string"] => Statement::String { to },
            ["class", class] => Statement::Class { to, class: class_name(class)? },
            ["cast", class, from] => {
                Statement::Cast { to, class: class_name(class)?, from: self.read(from)? }
            }
            ["static", field] => Statement::LoadStatic { to, field: field_name(field)? },
            ["global", name] => Statement::LoadGlobal { to, name: plain_name(name)? },
            ["element", array] => Statement::LoadElement { to, array: self.read(array)? },
            ["any", base] => Statement::LoadAny { to, base: self.read(base)? },
            ["catch"] => Statement::Catch { to },
            ["call", ref call @ ..] => self.call(Some(to), call)?,
            [word, from] => self.of_each(to, word, from)?,
            [from] => match from.split_once('.') {
                Some((base, field)) => {
                    Statement::LoadField { to, base: self.read(base)?, field: field_name(field)? }
                }
                None => Statement::Copy { to, from: self.read(from)? },
            },
            _ => return Err(format!("expected a value after `=`, found `{}`", value.join(" "))),
        })
    }

    /// `to = word from`: what each object of a variable gives.
    fn of_each(&mut self, to: Variable, word: &str, from: &'a str) -> Outcome<Statement<'a>> {
        if let Some(how) = Derivation::ALL.into_iter().find(|how| how.name() == word) {
            return Ok(Statement::Derive { to, how, from: self.read(from)? });
        }
        if let Some(ask) = Ask::ALL.into_iter().find(|ask| ask.name() == word) {
            return Ok(Statement::Ask { to, ask, class: self.read(from)? });
        }
        Err(format!("expected a value after `=`, found `{word} {from}`"))
    }

    fn call(&mut self, to: Option<Variable>, words: &[&'a str]) -> Outcome<Statement<'a>> {
        let [kind, method, arguments @ ..] = words else {
            return Err("expected a kind of call, a method and its arguments after `call`".to_owned());
        };
        let Some(kind) = CallKind::ALL.into_iter().find(|k| k.name() == *kind) else {
            return Err(format!("expected `static`, `special`, `virtual` or `interface`, found `{kind}`"));
        };
        let method = method_name(method)?;
        let receiver = usize::from(kind != CallKind::Static);
        let expected = receiver + method.parameters();
        if arguments.len() != expected {
            let including = if receiver == 1 { " (the receiver is one)" } else { "" };
            return Err(format!("expected {expected} arguments{including}, found {}", arguments.len()));
        }
        let argument = |&name: &&'a str| if name == "_" { Ok(None) } else { self.read(name).map(Some) };
        let arguments = arguments.iter().map(argument).collect::<Outcome<_>>()?;
        Ok(Statement::Call { to, kind, method, arguments })
    }

    fn read(&mut self, name: &'a str) -> Outcome<Variable> {
        if let Some(given) = given(name)? {
            self.section.given.push((given, self.line));
            return Ok(given);
        }
        let line = self.line;
        let (number, local) = self.section.local(name);
        local.read.get_or_insert(line);
        Ok(Variable::Local(number))
    }

    fn write(&mut self, name: &'a str) -> Outcome<Variable> {
        if given(name)?.is_some() {
            return Err(format!("`{name}` is what the caller gives, and cannot be assigned"));
        }
        let (number, local) = self.section.local(name);
        local.is_written = true;
        Ok(Variable::Local(number))
    }
}

impl<'a> Section<'a> {
    fn local(&mut self, name: &'a str) -> (u32, &mut Local<'a>) {
        let known = self.locals.iter().position(|local| local.name == name);
        let number = known.unwrap_or(self.locals.len());
        if known.is_none() {
            self.locals.push(Local { name, read: None, is_written: false });
        }
        (number as u32, &mut self.locals[number])
    }

    /// What is wrong with the section as a whole.
    fn errors(&self) -> Vec<ParseError> {
        let mut errors = Vec::new();
        let mut error = |line, message| errors.push(ParseError { line, message });
        if let (Some(last), false) = (self.headers.last(), self.is_begun) {
            error(last.line, "expected statements, or `nothing`, below the header".to_owned());
        }
        for local in &self.locals {
            if let (Some(line), false) = (local.read, local.is_written) {
                error(line, format!("`{}` is read, but nothing is assigned to it", local.name));
            }
        }
        for &(given, line) in &self.given {
            for header in &self.headers {
                match (given, header.method) {
                    (_, None) => error(line, "`startup` has neither `this` nor arguments".to_owned()),
                    (Variable::Parameter(n), Some(method)) if !method.has_parameter(n) => {
                        error(line, format!("`arg{n}` is no parameter of `{method}`"));
                    }
                    _ => {}
                }
            }
        }
        errors
    }
}

/// `this` or a parameter; none for a local variable.
fn given(name: &str) -> Outcome<Option<Variable>> {
    if name == "this" {
        return Ok(Some(Variable::This));
    }
    if let Some(number) = name.strip_prefix("arg").and_then(|number| number.parse().ok()) {
        return Ok(Some(Variable::Parameter(number)));
    }
    let is_reserved = RESERVED.contains(&name)
        || Derivation::ALL.iter().any(|how| how.name() == name)
        || Ask::ALL.iter().any(|ask| ask.name() == name);
    if is_reserved || plain_name(name).is_err() || name == "_" {
        return Err(format!("expected a variable, found `{name}`"));
    }
    Ok(None)
}

fn plain_name(name: &str) -> Outcome<&str> {
    let is_plain = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if is_plain { Ok(name) } else { Err(format!("expected a name of letters and digits, found `{name}`")) }
}

/// An internal name, or the descriptor of an array.
fn class_name(name: &str) -> Outcome<&str> {
    let is_type = if name.starts_with('[') {
        field_descriptor(name.as_bytes()).is_some()
    } else {
        !name.is_empty() && !name.contains(['.', ';', '[', '(', ')', '='])
    };
    if is_type {
        Ok(name)
    } else {
        Err(format!("expected `pkg/Class` or an array's descriptor, found `{name}`"))
    }
}

fn field_name(text: &str) -> Outcome<FieldName<'_>> {
    let expected = || format!("expected `pkg/Class.field`, found `{text}`");
    let (class, name) = text.split_once('.').ok_or_else(expected)?;
    if name.is_empty() || name.contains(['.', '/', '(', '=']) || class.starts_with('[') {
        return Err(expected());
    }
    Ok(FieldName { class: class_name(class)?, name })
}

fn method_name(text: &str) -> Outcome<MethodName<'_>> {
    let expected = || format!("expected `pkg/Class.name(desc)ret`, found `{text}`");
    let (class, member) = text.split_once('.').ok_or_else(expected)?;
    let (name, descriptor) = member.split_at(member.find('(').ok_or_else(expected)?);
    if name.is_empty() || name.contains(['.', '/']) || method_descriptor(descriptor.as_bytes()).is_none() {
        return Err(expected());
    }
    Ok(MethodName { class: class_name(class)?, name, descriptor })
}

impl MethodName<'_> {
    /// How many parameters the descriptor has.
    fn parameters(&self) -> usize {
        method_descriptor(self.descriptor.as_bytes()).map_or(0, |parsed| parsed.parameters.len())
    }

    /// Whether a call of it can have this argument. Signature-polymorphic methods (JVMS 2.9.3) have any.
    fn has_parameter(&self, number: u32) -> bool {
        let is_polymorphic = ["java/lang/invoke/VarHandle", "java/lang/invoke/MethodHandle"]
            .contains(&self.class)
            && self.descriptor.starts_with("([Ljava/lang/Object;)");
        is_polymorphic || (number as usize) < self.parameters()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn only_model(text: &str) -> MethodModel<'_> {
        let Parsed { mut models, errors } = parse(text);
        assert_eq!(errors, [], "{text}");
        assert_eq!(models.len(), 1, "{text}");
        models.remove(0)
    }

    /// The one statement of a model of a method with two parameters.
    fn statement(line: &str) -> Statement<'_> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let mut parser = Parser::default();
        parser.statement(&words).unwrap_or_else(|message| panic!("{line}: {message}")).expect(line)
    }

    fn errors(text: &str) -> Vec<String> {
        parse(text).errors.iter().map(ToString::to_string).collect()
    }

    const X: Variable = Variable::Local(0);
    const Y: Variable = Variable::Local(1);

    #[test]
    fn a_model_is_a_header_and_statements() {
        let text = "# Why.\n\nmethod a/B.f(J[I)La/C; # more\n    x = arg1\n\n    return x\n";
        let model = only_model(text);
        assert_eq!(model.method, Some(MethodName { class: "a/B", name: "f", descriptor: "(J[I)La/C;" }));
        assert_eq!((model.line, model.inline, &model.locals[..]), (3, false, &["x"][..]));
        let copy = Statement::Copy { to: X, from: Variable::Parameter(1) };
        assert_eq!(model.statements, [copy, Statement::Return { from: X }]);
    }

    #[test]
    fn headers_that_follow_each_other_share_statements() {
        let parsed = parse("native a/B.f()V\nmethod inline a/B.g()V\n x = string\nstartup\n nothing\n");
        assert_eq!(parsed.errors, []);
        let describe = |m: &MethodModel<'_>| {
            (m.method.map(|m| m.name.to_owned()), m.only_native, m.inline, m.statements.len())
        };
        let headers: Vec<_> = parsed.models.iter().map(describe).collect();
        let name = |name: &str| Some(name.to_owned());
        assert_eq!(
            headers,
            [(name("f"), true, false, 1), (name("g"), false, true, 1), (None, false, false, 0)]
        );
    }

    #[test]
    fn every_statement_has_its_form() {
        let (this, field) = (Variable::This, FieldName { class: "a/B", name: "f" });
        let method = MethodName { class: "a/B", name: "m", descriptor: "(I)V" };
        let forms = [
            ("x = new [La/B;", Statement::New { to: X, class: "[La/B;" }),
            ("x = string", Statement::String { to: X }),
            ("x = class a/B", Statement::Class { to: X, class: "a/B" }),
            ("x = y", Statement::Copy { to: X, from: Y }),
            ("x = cast a/B y", Statement::Cast { to: X, class: "a/B", from: Y }),
            ("x = this.a/B.f", Statement::LoadField { to: X, base: this, field }),
            ("this.a/B.f = x", Statement::StoreField { base: this, field, from: X }),
            ("x = static a/B.f", Statement::LoadStatic { to: X, field }),
            ("static a/B.f = x", Statement::StoreStatic { field, from: X }),
            ("x = global g", Statement::LoadGlobal { to: X, name: "g" }),
            ("global g = x", Statement::StoreGlobal { name: "g", from: X }),
            ("x = element y", Statement::LoadElement { to: X, array: Y }),
            ("element x = y", Statement::StoreElement { array: X, from: Y }),
            ("x = any y", Statement::LoadAny { to: X, base: Y }),
            ("any x = y", Statement::StoreAny { base: X, from: Y }),
            ("return x", Statement::Return { from: X }),
            ("throw x", Statement::Throw { from: X }),
            ("x = catch", Statement::Catch { to: X }),
            ("init a/B", Statement::Init { class: "a/B" }),
            ("init of x", Statement::Initialise { from: X }),
            (
                "x = call static a/B.m(I)V _",
                Statement::Call { to: Some(X), kind: CallKind::Static, method, arguments: vec![None] },
            ),
            (
                "call virtual a/B.m(I)V x arg7",
                Statement::Call {
                    to: None,
                    kind: CallKind::Virtual,
                    method,
                    arguments: vec![Some(X), Some(Variable::Parameter(7))],
                },
            ),
        ];
        for (line, expected) in forms {
            assert_eq!(statement(line), expected, "{line}");
        }
        for how in Derivation::ALL {
            let line = format!("x = {} y", how.name());
            assert_eq!(statement(&line), Statement::Derive { to: X, how, from: Y });
        }
        for ask in Ask::ALL {
            let line = format!("x = {} y", ask.name());
            assert_eq!(statement(&line), Statement::Ask { to: X, ask, class: Y });
        }
    }

    #[test]
    fn a_bad_line_is_named_and_left_out() {
        let parsed = parse("method a/B.f()V\n x = strin g\n y = string\n");
        let [error] = &parsed.errors[..] else { panic!("{:?}", parsed.errors) };
        assert_eq!(error.to_string(), "line 2: expected a value after `=`, found `strin g`");
        assert_eq!(parsed.models[0].statements, [Statement::String { to: Y }]);
    }

    #[test]
    fn headers_are_checked() {
        assert_eq!(
            errors("x = string"),
            ["line 1: expected `native`, `method` or `startup` before the first statement"]
        );
        assert_eq!(
            errors("method a/B.f()V"),
            ["line 1: expected statements, or `nothing`, below the header"]
        );
        for bad in ["method", "native inline", "startup a/B.f()V", "native a/B.f()V a/B.g()V"] {
            assert_eq!(errors(bad).len(), 1, "{bad}");
        }
        for bad in ["f()V", "a/B.f", "a/B.()V", "a/B.f(X)V", "a/B.f(Ia/C;)V", "a.B.f()V", "a/B.f()"] {
            let expected = format!("line 1: expected `pkg/Class.name(desc)ret`, found `{bad}`");
            assert_eq!(errors(&format!("method {bad}")), [expected]);
        }
    }

    #[test]
    fn statements_are_checked() {
        for (bad, message) in [
            ("blah", "expected a statement, found `blah`"),
            ("return", "expected a statement, found `return`"),
            ("x =", "expected a value after `=`, found ``"),
            ("x = new a.B", "expected `pkg/Class` or an array's descriptor, found `a.B`"),
            ("x = new [a/B", "expected `pkg/Class` or an array's descriptor, found `[a/B`"),
            ("x = static f", "expected `pkg/Class.field`, found `f`"),
            ("x = this.f", "expected `pkg/Class.field`, found `f`"),
            ("this.a/B.f = new a/B", "expected one variable after `=`"),
            ("x = global a/B", "expected a name of letters and digits, found `a/B`"),
            ("return string", "expected a variable, found `string`"),
            ("return _", "expected a variable, found `_`"),
            ("resize = string", "expected a variable, found `resize`"),
            ("arg0 = string", "`arg0` is what the caller gives, and cannot be assigned"),
            ("call", "expected a kind of call, a method and its arguments after `call`"),
            ("call fixed a/B.m()V", "expected `static`, `special`, `virtual` or `interface`, found `fixed`"),
            ("call static a/B.m()V this", "expected 0 arguments, found 1"),
            ("call virtual a/B.m(I)V this", "expected 2 arguments (the receiver is one), found 1"),
            ("return x", "`x` is read, but nothing is assigned to it"),
            ("return arg1", "`arg1` is no parameter of `a/B.f(J)V`"),
        ] {
            assert_eq!(errors(&format!("method a/B.f(J)V\n {bad}")), [format!("line 2: {message}")], "{bad}");
        }
    }

    #[test]
    fn startup_has_no_caller() {
        for given in ["this", "arg0"] {
            let text = format!("startup\n global g = {given}");
            assert_eq!(errors(&text), ["line 2: `startup` has neither `this` nor arguments"]);
        }
    }

    #[test]
    fn signature_polymorphic_methods_have_all_arguments() {
        let text = "method inline java/lang/invoke/VarHandle.set([Ljava/lang/Object;)V\n any arg0 = arg2";
        assert!(only_model(text).inline);
    }
}
