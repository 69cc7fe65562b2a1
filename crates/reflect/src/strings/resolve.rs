//! From what is known of a string to the classes and members that it may name.

use heliostat_index::Symbol;
use heliostat_program::Program;

use super::names::{Kind, Lengths, NamedClass, Names};
use super::text;
use super::value::Value;

/// How much must be known of a string that is not known in full, and how much it may name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// How long parts of names must be.
    pub lengths: Lengths,
    /// How many classes such a string may name before it tells nothing: 500 by default.
    ///
    /// One package of a plug-in system, or all classes that are called after one interface, is what such strings are for, and has
    /// fewer; what names more is a word like `Factory` or a beginning like `org.apache.`, and to follow it would reach a good part of all libraries
    /// (ECOOP'18, section 5.3, has such a bound too, without a number).
    pub most_classes: usize,
    /// How many different names of methods or of fields such a string may be. There is no bound by default, since the class that
    /// members are looked up in has far fewer: `set` begins thousands of names, and is the paper's own example.
    pub most_members: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { lengths: Lengths::default(), most_classes: 500, most_members: usize::MAX }
    }
}

/// What a string may name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Candidates<T> {
    /// These, in order of their ids; nothing else, unless it is not of the program.
    Of(Vec<T>),
    /// More than is worth following: so many.
    TooMany(usize),
    /// Anything.
    Anything,
}

/// Finds names by values.
#[derive(Clone, Copy)]
pub struct Resolver<'a> {
    program: &'a Program,
    names: &'a Names,
    bounds: Bounds,
}

impl<'a> Resolver<'a> {
    /// Finds names of a program.
    pub const fn new(program: &'a Program, names: &'a Names, bounds: Bounds) -> Self {
        Self { program, names, bounds }
    }

    /// The classes that a string may name: the rule `CLASS SUBSTR` (thesis, figure 3.5).
    pub fn classes(&self, value: &Value) -> Candidates<NamedClass> {
        if let Some(text) = value.as_exact() {
            return Candidates::Of(Names::class(self.program, text).into_iter().collect());
        }
        // Arrays have names of their own, which no table has.
        if value.known_prefix().starts_with(b"[") || value.known_suffix().ends_with(b";") {
            return Candidates::Anything;
        }
        self.names_of(Kind::Class, value).map(self.bounds.most_classes, |name| {
            let element = self.program.types.find(name)?;
            Some(NamedClass { element, dimensions: 0 })
        })
    }

    /// The names of methods that a string may be.
    pub fn methods(&self, value: &Value) -> Candidates<Symbol> {
        self.members(Kind::Method, value)
    }

    /// The names of fields that a string may be.
    pub fn fields(&self, value: &Value) -> Candidates<Symbol> {
        self.members(Kind::Field, value)
    }

    fn members(&self, kind: Kind, value: &Value) -> Candidates<Symbol> {
        if let Some(text) = value.as_exact() {
            let name = self.program.symbols.find(text).filter(|&name| self.names.is_member(kind, name));
            return Candidates::Of(name.into_iter().collect());
        }
        self.names_of(kind, value).map(self.bounds.most_members, Some)
    }

    /// The names that a value known in part may be.
    fn names_of(&self, kind: Kind, value: &Value) -> Found<'a> {
        let symbols = &self.program.symbols;
        let starting = |part: &[u8]| {
            let long = text::length(part) >= self.bounds.lengths.prefix(kind);
            long.then(|| self.names.starting_with(symbols, kind, part))
        };
        let ending = |part: &[u8]| {
            let long = text::length(part) >= self.bounds.lengths.suffix(kind);
            long.then(|| self.names.ending_with(symbols, kind, part))
        };
        match value {
            Value::Exact(_) => Found::Anything,
            Value::Piece(part) => {
                let starting = starting(part).filter(|_| kind != Kind::Class);
                match (starting, ending(part)) {
                    (None, None) => Found::Anything,
                    (starting, ending) => {
                        Found::Either(starting.unwrap_or_default(), ending.unwrap_or_default())
                    }
                }
            }
            Value::Partial { prefix, suffix } => match (starting(prefix), ending(suffix)) {
                (None, None) => Found::Anything,
                (Some(names), None) if suffix.is_empty() => Found::Either(names, &[]),
                (None, Some(names)) if prefix.is_empty() => Found::Either(names, &[]),
                (starting, ending) => {
                    let smaller = [starting, ending].into_iter().flatten().min_by_key(|names| names.len());
                    let fits = |name: &&Symbol| value.describes(&self.spelt(kind, **name));
                    Found::These(smaller.unwrap_or_default().iter().filter(fits).copied().collect())
                }
            },
        }
    }

    /// A name as Java has it.
    fn spelt(&self, kind: Kind, name: Symbol) -> Vec<u8> {
        let mut name = self.program.symbols.bytes(name).to_vec();
        if kind == Kind::Class {
            name.iter_mut().filter(|byte| **byte == b'/').for_each(|byte| *byte = b'.');
        }
        name
    }
}

/// Names as the tables give them.
enum Found<'a> {
    Anything,
    Either(&'a [Symbol], &'a [Symbol]),
    These(Vec<Symbol>),
}

impl Found<'_> {
    fn map<T: Ord>(self, most: usize, named: impl Fn(Symbol) -> Option<T>) -> Candidates<T> {
        let count = match &self {
            Self::Anything => return Candidates::Anything,
            Self::Either(a, b) => a.len().max(b.len()),
            Self::These(names) => names.len(),
        };
        if count > most {
            return Candidates::TooMany(count);
        }
        let mut all: Vec<T> = match self {
            Self::Anything => Vec::new(),
            Self::Either(a, b) => a.iter().chain(b).filter_map(|&name| named(name)).collect(),
            Self::These(names) => names.into_iter().filter_map(named).collect(),
        };
        all.sort_unstable();
        all.dedup();
        if all.len() > most { Candidates::TooMany(all.len()) } else { Candidates::Of(all) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{TestClass, program};
    use super::*;

    fn sample() -> Program {
        program(&[
            TestClass::new("java/lang/Object").methods(&["<init>", "toString"]),
            TestClass::new("com/acme/HttpLoader")
                .methods(&["setName", "setSize", "reset"])
                .fields(&["setting"]),
            TestClass::new("com/acme/FileLoader").methods(&["setName", "getName"]),
            TestClass::new("com/acme/spi/Loaders").fields(&["names", "theNames"]),
            TestClass::new("org/other/FileLoader"),
        ])
    }

    fn partial(prefix: &str, suffix: &str) -> Value {
        Value::partial(prefix.as_bytes(), suffix.as_bytes())
    }

    fn classes(value: &Value) -> Candidates<String> {
        let program = sample();
        let names = Names::new(&program);
        match Resolver::new(&program, &names, Bounds::default()).classes(value) {
            Candidates::Of(all) => {
                Candidates::Of(all.iter().map(|class| program.type_name(class.element)).collect())
            }
            Candidates::TooMany(count) => Candidates::TooMany(count),
            Candidates::Anything => Candidates::Anything,
        }
    }

    fn methods(value: &Value) -> Candidates<String> {
        let program = sample();
        let names = Names::new(&program);
        match Resolver::new(&program, &names, Bounds::default()).methods(value) {
            Candidates::Of(all) => {
                let mut all: Vec<_> =
                    all.iter().map(|&name| program.symbols.text(name).into_owned()).collect();
                all.sort_unstable();
                Candidates::Of(all)
            }
            Candidates::TooMany(count) => Candidates::TooMany(count),
            Candidates::Anything => Candidates::Anything,
        }
    }

    fn these(names: &[&str]) -> Candidates<String> {
        Candidates::Of(names.iter().map(|&name| name.to_owned()).collect())
    }

    #[test]
    fn classes_by_whole_name_and_by_ends() {
        assert_eq!(classes(&Value::exact(b"com.acme.HttpLoader")), these(&["com/acme/HttpLoader"]));
        assert_eq!(classes(&Value::exact(b"com.acme.None")), these(&[]));
        assert_eq!(classes(&Value::exact(b"[[I")), these(&["I"]));
        let acme = ["com/acme/HttpLoader", "com/acme/FileLoader", "com/acme/spi/Loaders"];
        assert_eq!(classes(&partial("com.acme.", "")), these(&acme));
        assert_eq!(classes(&partial("com.acme.", "Loader")), these(&acme[..2]));
        assert_eq!(classes(&partial("com.acme.", "r")), these(&acme[..2]));
        assert_eq!(classes(&partial("c", "FileLoader")), these(&acme[1..2]));
        assert_eq!(
            classes(&partial("", "FileLoader")),
            these(&["com/acme/FileLoader", "org/other/FileLoader"])
        );
        assert_eq!(classes(&partial("com.a", "oader")), Candidates::Anything);
        assert_eq!(classes(&partial("com/acme/", "")), these(&[]));
        assert_eq!(classes(&Value::unknown()), Candidates::Anything);
    }

    #[test]
    fn pieces_are_ends_of_classes_and_both_ends_of_members() {
        let loaders = ["com/acme/HttpLoader", "com/acme/FileLoader", "org/other/FileLoader"];
        assert_eq!(classes(&Value::piece(b"Loader")), these(&loaders));
        assert_eq!(classes(&Value::piece(b"com.acme.")), these(&[]));
        assert_eq!(methods(&Value::piece(b"set")), these(&["setName", "setSize"]));
        assert_eq!(methods(&Value::piece(b"etName")), these(&["getName", "setName"]));
        assert_eq!(methods(&Value::piece(b"Na")), Candidates::Anything);
    }

    #[test]
    fn arrays_in_part_may_be_of_anything() {
        assert_eq!(classes(&partial("[Lcom.acme.", "")), Candidates::Anything);
        assert_eq!(classes(&partial("", "Loader;")), Candidates::Anything);
    }

    #[test]
    fn what_names_too_many_classes_tells_nothing() {
        let program = sample();
        let names = Names::new(&program);
        let bounds = Bounds { most_classes: 2, most_members: 1, ..Bounds::default() };
        let resolver = Resolver::new(&program, &names, bounds);
        assert_eq!(resolver.classes(&partial("com.acme.", "")), Candidates::TooMany(3));
        assert!(matches!(resolver.classes(&partial("com.acme.", "Loader")), Candidates::Of(_)));
        assert_eq!(resolver.methods(&partial("set", "")), Candidates::TooMany(2));
        assert!(matches!(resolver.fields(&partial("set", "")), Candidates::Of(_)));
    }

    #[test]
    fn names_found_are_those_that_match() {
        let program = sample();
        let names = Names::new(&program);
        let resolver = Resolver::new(&program, &names, Bounds::default());
        let texts = ["", "s", "set", "setName", "Name", "getName", "etName", "names", "theNames", "x"];
        let values = texts.iter().flat_map(|a| {
            let values = texts.iter().map(|b| partial(a, b));
            values.chain([Value::exact(a.as_bytes()), Value::piece(a.as_bytes())])
        });
        for value in values {
            for kind in [Kind::Method, Kind::Field] {
                let Candidates::Of(found) = resolver.members(kind, &value) else { continue };
                let matches = |name: &Symbol| {
                    value.matches(program.symbols.bytes(*name), kind, &resolver.bounds.lengths)
                };
                let mut expected: Vec<Symbol> = names
                    .starting_with(&program.symbols, kind, b"")
                    .iter()
                    .copied()
                    .filter(matches)
                    .collect();
                expected.sort_unstable();
                assert_eq!(found, expected, "{value} {kind:?}");
            }
        }
    }
}
