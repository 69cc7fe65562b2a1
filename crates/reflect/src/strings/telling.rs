//! Which string constants are kept apart.

use std::ops::Range;

use heliostat_index::Symbol;
use heliostat_program::Program;

use super::names::{Kind, Lengths, Names};
use super::text;

/// How constants are matched with names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Matching {
    /// Only whole names.
    Whole,
    /// Beginnings and ends of names too, if they are long enough.
    Parts(Lengths),
}

/// What a constant may name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Told {
    /// A class.
    pub class: bool,
    /// A method.
    pub method: bool,
    /// A field.
    pub field: bool,
}

impl Told {
    /// Whether it names anything; all constants that name nothing are one abstract string.
    pub const fn anything(self) -> bool {
        self.class || self.method || self.field
    }
}

/// Tells constants that matter for reflection from those that do not (APLAS'15, section 3.1).
#[derive(Clone, Copy)]
pub struct Telling<'a> {
    program: &'a Program,
    names: &'a Names,
    matching: Matching,
}

impl<'a> Telling<'a> {
    /// Tells the constants of a program apart by its names.
    pub const fn new(program: &'a Program, names: &'a Names, matching: Matching) -> Self {
        Self { program, names, matching }
    }

    /// What a constant may name: `CONSTANTFORCLASS` and `CONSTANTFORMETHOD` are not empty for it (APLAS'15, sections 2 and 3.1). Beginnings of
    /// class names count, although not as [pieces](super::Value::Piece): they may become known beginnings.
    pub fn told(&self, constant: Symbol) -> Told {
        let look = self.look(constant);
        let is_matched = |kind| !self.matched(kind, look).is_empty();
        Told { class: self.is_class(look), method: is_matched(Kind::Method), field: is_matched(Kind::Field) }
    }

    /// A first look at a constant.
    pub(super) fn look(&self, constant: Symbol) -> Look<'a> {
        let text = self.program.symbols.bytes(constant);
        let (begins, ends) = self.names.may_have(text);
        Look { text, begins: begins && !text.is_empty(), ends: ends && !text.is_empty() }
    }

    /// Whether a constant may name a class.
    pub(super) fn is_class(&self, look: Look<'_>) -> bool {
        let is_array = || Names::class(self.program, look.text).is_some();
        !self.matched(Kind::Class, look).is_empty() || look.text.starts_with(b"[") && is_array()
    }

    /// The names that a constant is, and those that it begins or ends if it is long enough.
    pub(super) fn matched(&self, kind: Kind, look: Look<'_>) -> Matched {
        let mut matched = Matched::default();
        let (symbols, sorted) = (&self.program.symbols, self.names.sorted(kind));
        if look.begins {
            matched.forward = sorted.forward.range(symbols, look.text);
        }
        if !matched.forward.is_empty() && !self.tells_prefix(kind, look.text) {
            // The whole name comes before all that it begins.
            let whole = sorted.forward.names()[matched.forward.start];
            let is_whole = symbols.bytes(whole).len() == look.text.len();
            matched.forward.end = matched.forward.start + usize::from(is_whole);
        }
        if look.ends && self.tells_suffix(kind, look.text) {
            matched.backward = sorted.backward.range(symbols, look.text);
        }
        matched
    }

    fn tells_prefix(&self, kind: Kind, text: &[u8]) -> bool {
        matches!(self.matching, Matching::Parts(lengths) if is_long(text, lengths.prefix(kind)))
    }

    fn tells_suffix(&self, kind: Kind, text: &[u8]) -> bool {
        matches!(self.matching, Matching::Parts(lengths) if is_long(text, lengths.suffix(kind)))
    }
}

fn is_long(text: &[u8], characters: usize) -> bool {
    text.len() >= characters && text::length(text) >= characters
}

/// The text of a constant, and whether it may be a beginning or an end of any name.
#[derive(Clone, Copy)]
pub(super) struct Look<'a> {
    text: &'a [u8],
    begins: bool,
    ends: bool,
}

/// Names of one kind, by their places in the tables.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Matched {
    /// Those that a string is or begins, in order from the front.
    pub(super) forward: Range<usize>,
    /// Those that it ends, in order from the back.
    pub(super) backward: Range<usize>,
}

impl Matched {
    /// How many there are; those that it both begins and ends count twice.
    pub(super) fn len(&self) -> usize {
        self.forward.len() + self.backward.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.forward.is_empty() && self.backward.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{TestClass, program};
    use super::*;

    const NOTHING: Told = Told { class: false, method: false, field: false };

    fn told(constant: &str, matching: Matching) -> Told {
        let mut program = program(&[
            TestClass::new("java/lang/Object").methods(&["<init>", "toString"]),
            TestClass::new("com/acme/Loader").methods(&["setName", "x"]).fields(&["setting", "x"]),
        ]);
        let constant = program.symbols.intern(constant.as_bytes());
        let names = Names::new(&program);
        Telling::new(&program, &names, matching).told(constant)
    }

    #[test]
    fn whole_names_are_of_any_length() {
        let whole = |constant| told(constant, Matching::Whole);
        assert_eq!(whole("x"), Told { method: true, field: true, ..NOTHING });
        assert_eq!(whole("com.acme.Loader"), Told { class: true, ..NOTHING });
        assert_eq!(whole("[Lcom.acme.Loader;"), Told { class: true, ..NOTHING });
        for constant in ["com/acme/Loader", "set", "Loader", "", "<init>"] {
            assert_eq!(whole(constant), NOTHING, "{constant}");
            assert!(!whole(constant).anything());
        }
    }

    #[test]
    fn parts_are_told_by_kind_and_length() {
        let part = |constant| told(constant, Matching::Parts(Lengths::default()));
        assert_eq!(part("x"), Told { method: true, field: true, ..NOTHING });
        assert_eq!(part("set"), Told { method: true, field: true, ..NOTHING });
        assert_eq!(part("setN"), Told { method: true, ..NOTHING });
        assert_eq!(part("etting"), Told { field: true, ..NOTHING });
        assert_eq!(part("Loader"), Told { class: true, ..NOTHING });
        assert_eq!(part("com.ac"), Told { class: true, ..NOTHING });
        for constant in ["se", "ting", "oader", "com.a", "", "<in", "init>"] {
            assert_eq!(part(constant), NOTHING, "{constant}");
        }
    }

    #[test]
    fn lengths_can_be_chosen() {
        let lengths = Lengths { member_suffix: 2, class_prefix: 3, ..Lengths::default() };
        let part = |constant| told(constant, Matching::Parts(lengths));
        assert_eq!(part("ng"), Told { method: true, field: true, ..NOTHING });
        assert_eq!(part("com"), Told { class: true, ..NOTHING });
    }
}
