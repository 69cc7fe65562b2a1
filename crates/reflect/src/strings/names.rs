//! All names of a program, found whole, by their beginnings and by their ends.

use std::borrow::Cow;

use heliostat_classfile::{Descriptor, field_descriptor};
use heliostat_index::{IdMap, Symbol, Symbols};
use heliostat_program::{Program, TypeId};

use super::table::{End, Filter, Spelling, Table};

/// What a name is a name of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A class or interface, in full and with dots, as `Class.forName` takes it.
    Class,
    /// A method; constructors and initialisers have no name that reflection takes.
    Method,
    /// A field.
    Field,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Class, Self::Method, Self::Field];

    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// How long a part of a name must be to tell anything (APLAS'15, section 3.1). Lengths count characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lengths {
    /// Of the beginning of a method's or field's name.
    pub member_prefix: usize,
    /// Of the end of a method's or field's name.
    pub member_suffix: usize,
    /// Of the beginning of a class name. The paper has none; ours is that of its ends, since packages begin many names.
    pub class_prefix: usize,
    /// Of the end of a class name.
    pub class_suffix: usize,
}

impl Default for Lengths {
    /// Those of the paper: 3 and 5 for members, 6 for classes.
    fn default() -> Self {
        Self { member_prefix: 3, member_suffix: 5, class_prefix: 6, class_suffix: 6 }
    }
}

impl Lengths {
    /// How long a beginning must be.
    pub const fn prefix(&self, kind: Kind) -> usize {
        match kind {
            Kind::Class => self.class_prefix,
            Kind::Method | Kind::Field => self.member_prefix,
        }
    }

    /// How long an end must be.
    pub const fn suffix(&self, kind: Kind) -> usize {
        match kind {
            Kind::Class => self.class_suffix,
            Kind::Method | Kind::Field => self.member_suffix,
        }
    }
}

/// A class, or an array, that a whole name means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NamedClass {
    /// The class; of an array, the class or primitive type of its innermost elements.
    pub element: TypeId,
    /// How many dimensions an array has; 0 for a class.
    pub dimensions: u8,
}

impl NamedClass {
    /// The type itself, made if nothing in the program names that array.
    pub fn type_in(self, program: &mut Program) -> TypeId {
        (0..self.dimensions).fold(self.element, |element, _| match program.types.array(element) {
            Some(array) => array,
            None => array_type(program, element),
        })
    }
}

/// Only arrays can be without an array type: defined classes and primitives have one.
fn array_type(program: &mut Program, element: TypeId) -> TypeId {
    let name = [b"[", program.symbols.bytes(program.types.name(element))].concat();
    program.intern_type(&name)
}

/// The names of all classes, methods and fields of a program.
pub struct Names {
    classes: Sorted,
    methods: Sorted,
    fields: Sorted,
    /// The kinds of members that have a name, as bits.
    members: IdMap<Symbol, u8>,
    /// Beginnings and ends of names of any kind.
    beginnings: Filter,
    ends: Filter,
}

/// Names of one kind, from both ends.
pub(super) struct Sorted {
    pub(super) forward: Table,
    pub(super) backward: Table,
}

impl Sorted {
    fn new(symbols: &Symbols, names: &[Symbol], spelling: Spelling) -> Self {
        Self {
            forward: Table::new(symbols, names, End::Front, spelling),
            backward: Table::new(symbols, names, End::Back, spelling),
        }
    }
}

impl Names {
    /// Gathers and sorts the names of a program.
    pub fn new(program: &Program) -> Self {
        let symbols = &program.symbols;
        let mut members = IdMap::sized(symbols.len(), 0);
        let classes: Vec<Symbol> =
            program.classes().values().map(|class| program.types.name(class.ty)).collect();
        let methods = program.methods().values().map(|method| program.selector(method.selector).name);
        let methods = distinct(symbols, &mut members, Kind::Method, methods);
        let fields = program.fields().values().map(|field| field.name);
        let fields = distinct(symbols, &mut members, Kind::Field, fields);
        let classes = Sorted::new(symbols, &classes, Spelling::Dotted);
        let methods = Sorted::new(symbols, &methods, Spelling::Same);
        let fields = Sorted::new(symbols, &fields, Spelling::Same);
        let all = [&classes, &methods, &fields];
        let beginnings = Filter::new(&all.map(|sorted| &sorted.forward), End::Front);
        let ends = Filter::new(&all.map(|sorted| &sorted.backward), End::Back);
        Self { classes, methods, fields, members, beginnings, ends }
    }

    /// The class that a text names as `Class.forName` takes it: with dots between packages, and arrays as `[I` and `[Lpkg.C;`.
    pub fn class(program: &Program, text: &[u8]) -> Option<NamedClass> {
        let name = internal(text)?;
        if !text.starts_with(b"[") {
            return class_type(program, &name).map(|element| NamedClass { element, dimensions: 0 });
        }
        // A descriptor has at most 255 dimensions.
        field_descriptor(&name)?;
        let dimensions = text.iter().take_while(|&&byte| byte == b'[').count();
        let element = match field_descriptor(name.get(dimensions..)?)? {
            Descriptor::Class(name) => class_type(program, name)?,
            Descriptor::Primitive(letter) => program.types.element(program.types.primitive_array(letter))?,
            Descriptor::Array(_) => return None,
        };
        Some(NamedClass { element, dimensions: dimensions as u8 })
    }

    /// Whether some class, method or field has a whole name.
    pub fn has(&self, program: &Program, kind: Kind, name: &[u8]) -> bool {
        match kind {
            Kind::Class => Self::class(program, name).is_some(),
            Kind::Method | Kind::Field => {
                program.symbols.find(name).is_some_and(|name| self.is_member(kind, name))
            }
        }
    }

    /// Whether some method or field has a name.
    pub fn is_member(&self, kind: Kind, name: Symbol) -> bool {
        self.members[name] & kind.bit() != 0
    }

    /// How many different names there are.
    pub fn count(&self, kind: Kind) -> usize {
        self.sorted(kind).forward.names().len()
    }

    /// The names that begin with a text, in order; classes by their internal names.
    pub fn starting_with(&self, symbols: &Symbols, kind: Kind, prefix: &[u8]) -> &[Symbol] {
        let table = &self.sorted(kind).forward;
        &table.names()[table.range(symbols, prefix)]
    }

    /// The names that end with a text, in the order of their ends; classes by their internal names.
    pub fn ending_with(&self, symbols: &Symbols, kind: Kind, suffix: &[u8]) -> &[Symbol] {
        let table = &self.sorted(kind).backward;
        &table.names()[table.range(symbols, suffix)]
    }

    /// Whether a text may be a beginning, and whether it may be an end, of a name of any kind. Most texts are neither.
    pub(super) fn may_have(&self, part: &[u8]) -> (bool, bool) {
        (self.beginnings.may_have(part), self.ends.may_have(part))
    }

    pub(super) fn sorted(&self, kind: Kind) -> &Sorted {
        match kind {
            Kind::Class => &self.classes,
            Kind::Method => &self.methods,
            Kind::Field => &self.fields,
        }
    }
}

/// Each name once, marked as a name of a kind; `<init>` and `<clinit>` are not marked in the end.
fn distinct(
    symbols: &Symbols,
    marks: &mut IdMap<Symbol, u8>,
    kind: Kind,
    names: impl Iterator<Item = Symbol>,
) -> Vec<Symbol> {
    let mut all = Vec::new();
    for name in names {
        if marks[name] & kind.bit() == 0 {
            marks[name] |= kind.bit();
            all.push(name);
        }
    }
    all.retain(|&name| {
        let is_special = symbols.bytes(name).starts_with(b"<");
        if is_special {
            marks[name] &= !kind.bit();
        }
        !is_special
    });
    all
}

fn class_type(program: &Program, name: &[u8]) -> Option<TypeId> {
    let ty = program.types.find(program.symbols.find(name)?)?;
    program.types.class(ty).map(|_| ty)
}

/// A class name in internal form; none for what has slashes already, since no class loader takes it.
fn internal(name: &[u8]) -> Option<Cow<'_, [u8]>> {
    let has = |wanted| name.contains(&wanted);
    if has(b'/') {
        return None;
    }
    let slashed = || name.iter().map(|&byte| if byte == b'.' { b'/' } else { byte }).collect();
    Some(if has(b'.') { Cow::Owned(slashed()) } else { Cow::Borrowed(name) })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{TestClass, program};
    use super::*;

    fn sample() -> Program {
        program(&[
            TestClass::new("java/lang/Object").methods(&["<init>", "toString"]),
            TestClass::new("pkg/C").methods(&["setName", "setSize", "run"]).fields(&["name", "run"]),
            TestClass::new("pkg/C$In").methods(&["setName", "<clinit>"]).fields(&["size"]),
            TestClass::new("Top"),
        ])
    }

    fn texts(program: &Program, names: &[Symbol]) -> Vec<String> {
        names.iter().map(|&name| program.symbols.text(name).into_owned()).collect()
    }

    #[test]
    fn classes_are_named_as_for_name_takes_them() {
        let mut program = sample();
        let found = |program: &mut Program, name: &str| {
            let class = Names::class(program, name.as_bytes())?;
            let ty = class.type_in(program);
            Some(program.type_name(ty))
        };
        for (name, expected) in [
            ("pkg.C", "pkg/C"),
            ("pkg.C$In", "pkg/C$In"),
            ("Top", "Top"),
            ("[I", "[I"),
            ("[[[Z", "[[[Z"),
            ("[Lpkg.C;", "[Lpkg/C;"),
            ("[[Lpkg.C$In;", "[[Lpkg/C$In;"),
        ] {
            assert_eq!(found(&mut program, name).as_deref(), Some(expected), "{name}");
        }
        for name in
            ["pkg/C", "pkg.C.In", "", "I", "[", "[V", "[Lpkg.C", "Lpkg.C;", "[Lpkg/C;", "[pkg.C", "[LX;"]
        {
            assert_eq!(found(&mut program, name), None, "{name}");
        }
    }

    #[test]
    fn members_are_named_by_kind_and_initialisers_by_nothing() {
        let program = sample();
        let names = Names::new(&program);
        let kinds = |name: &str| Kind::ALL.map(|kind| names.has(&program, kind, name.as_bytes()));
        assert_eq!(kinds("setName"), [false, true, false]);
        assert_eq!(kinds("run"), [false, true, true]);
        assert_eq!(kinds("size"), [false, false, true]);
        assert_eq!(kinds("Top"), [true, false, false]);
        assert_eq!(kinds("pkg/C"), [false; 3]);
        assert_eq!(kinds("<init>"), [false; 3]);
        assert_eq!(kinds("nothing"), [false; 3]);
        assert_eq!(Kind::ALL.map(|kind| names.count(kind)), [4, 4, 3]);
    }

    #[test]
    fn parts_of_names_give_all_that_have_them() {
        let program = sample();
        let names = Names::new(&program);
        let starting =
            |kind, part: &str| texts(&program, names.starting_with(&program.symbols, kind, part.as_bytes()));
        let ending =
            |kind, part: &str| texts(&program, names.ending_with(&program.symbols, kind, part.as_bytes()));
        assert_eq!(starting(Kind::Method, "set"), ["setName", "setSize"]);
        assert_eq!(starting(Kind::Field, "set"), [""; 0]);
        assert_eq!(ending(Kind::Method, "Name"), ["setName"]);
        assert_eq!(ending(Kind::Field, "e"), ["name", "size"]);
        assert_eq!(starting(Kind::Class, "pkg."), ["pkg/C", "pkg/C$In"]);
        assert_eq!(ending(Kind::Class, "g.C"), ["pkg/C"]);
        assert_eq!(starting(Kind::Class, "pkg/"), [""; 0]);
        assert_eq!(starting(Kind::Class, ""), ["Top", "java/lang/Object", "pkg/C", "pkg/C$In"]);
    }
}
