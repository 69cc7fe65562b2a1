//! Colourings of small programs: the paper's example, the rules one by one, and random programs against the definition.

use std::collections::BTreeSet;

use heliostat_index::Ids;

use super::super::names::Lengths;
use super::super::testing::{TestClass, program};
use super::*;

/// Parts of names of three characters or more, whichever end.
const PARTS: Matching = Matching::Parts(Lengths { member_suffix: 3, ..LENGTHS });
const LENGTHS: Lengths = Lengths { member_prefix: 3, member_suffix: 5, class_prefix: 6, class_suffix: 6 };

/// The strings of each colour, the strings that have none, both sorted, and the statistics.
fn coloured(
    classes: &[TestClass],
    matching: Matching,
    strings: &[&str],
    apart: &[&str],
) -> (Vec<Vec<String>>, Vec<String>, Statistics) {
    let mut program = program(classes);
    let strings: Vec<Symbol> = strings.iter().map(|text| program.symbols.intern(text.as_bytes())).collect();
    let apart: IdSet<Symbol> = apart.iter().map(|text| program.symbols.intern(text.as_bytes())).collect();
    let colouring = Colouring::new(&program, &Names::new(&program), matching, &strings, &apart);
    let sorted = |symbols: &[Symbol]| {
        let mut texts: Vec<_> = symbols.iter().map(|&s| program.symbols.text(s).into_owned()).collect();
        texts.sort_unstable();
        texts
    };
    let colours = Ids::new(0..colouring.statistics.colours).map(|colour| sorted(colouring.strings(colour)));
    let mut colours: Vec<_> = colours.collect();
    colours.sort_unstable();
    let without: Vec<Symbol> = strings.into_iter().filter(|&s| colouring.colour(s).is_none()).collect();
    (colours, sorted(&without), colouring.statistics)
}

fn object() -> TestClass {
    TestClass::new("java/lang/Object").methods(&["<init>", "toString"])
}

/// Figure 1, as far as the text tells: `Foob.bar()`, `Foob.baz()`, `Tolk.barahir()`, `Info.zork()` and the field `Info.frotz` are named there; the
/// other members are such that each of the ten strings matches one and that the figure's two colours come out.
#[test]
fn the_ten_strings_of_figure_1_have_two_colours() {
    let classes = [
        TestClass::new("java/lang/Object"),
        TestClass::new("Foob").methods(&["bar", "baz"]).fields(&["foo", "frob"]),
        TestClass::new("Tolk").methods(&["barahir", "gandalf"]),
        TestClass::new("Info").methods(&["zork", "frobnicate"]).fields(&["frotz", "grue"]),
    ];
    let strings = ["bar", "fro", "barah", "frotz", "zork", "gand", "foo", "baz", "alf", "gru"];
    let (colours, without, statistics) = coloured(&classes, PARTS, &strings, &[]);
    let bold = vec!["bar", "barah", "fro", "frotz"];
    assert_eq!(colours, [vec!["alf", "baz", "foo", "gand", "gru", "zork"], bold]);
    assert_eq!(without, [""; 0]);
    assert_eq!(statistics, Statistics { strings: 10, kept: 0, colours: 2, largest_clique: 2 });
}

#[test]
fn members_of_one_class_conflict_and_those_of_two_do_not() {
    let classes = [
        object(),
        TestClass::new("A").methods(&["one", "two", "six"]),
        TestClass::new("B").methods(&["red", "tan"]),
    ];
    let (colours, _, statistics) =
        coloured(&classes, Matching::Whole, &["one", "two", "six", "red", "tan"], &[]);
    assert_eq!((colours.len(), statistics.largest_clique), (3, 3), "{colours:?}");
    assert!(colours.iter().all(|strings| strings.len() < 3), "{colours:?}");
}

#[test]
fn methods_and_fields_do_not_conflict_and_overloads_are_one() {
    let classes = [object(), TestClass::new("A").methods(&["one", "one:I"]).fields(&["two"])];
    let (colours, ..) = coloured(&classes, PARTS, &["one", "two"], &[]);
    assert_eq!(colours, [["one", "two"]]);
    let classes = [object(), TestClass::new("A").methods(&["onerous", "onerous:I"])];
    let (colours, ..) = coloured(&classes, PARTS, &["one", "ous"], &[]);
    assert_eq!(colours, [["one", "ous"]]);
}

#[test]
fn inherited_members_conflict_too() {
    let classes = [
        object(),
        TestClass::new("A").methods(&["one"]),
        TestClass::new("B").below("A").methods(&["two"]),
        TestClass::interface("I").methods(&["six"]),
        TestClass::new("C").below("B").implements(&["I"]),
    ];
    let (colours, _, statistics) =
        coloured(&classes, Matching::Whole, &["one", "two", "six", "toString"], &[]);
    assert_eq!(colours.len(), 4, "{colours:?}");
    assert_eq!(statistics.largest_clique, 4);
    let (colours, ..) = coloured(&classes[..4], Matching::Whole, &["one", "two", "six"], &[]);
    assert_eq!(colours.len(), 2, "nothing implements the interface: {colours:?}");
}

#[test]
fn some_strings_keep_themselves_and_some_select_nothing() {
    let classes = [object(), TestClass::new("one").methods(&["one", "two", "six"])];
    let strings = ["one", "two", "six", "nothing", ""];
    let (colours, without, statistics) = coloured(&classes, Matching::Whole, &strings, &["six"]);
    assert_eq!(colours, [["two"]]);
    assert_eq!(
        without,
        ["", "nothing", "one", "six"],
        "a class, one to be kept apart, and what selects nothing"
    );
    assert_eq!(statistics, Statistics { strings: 1, kept: 2, colours: 1, largest_clique: 1 });
}

#[test]
fn a_string_of_very_many_names_keeps_itself() {
    let names: Vec<String> = (0..=BROAD).map(|n| format!("set{n}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let classes = |n: usize| [object(), TestClass::new("A").methods(&names[..n])];
    let (_, without, _) = coloured(&classes(BROAD + 1), PARTS, &["set", "set7"], &[]);
    assert_eq!(without, ["set"]);
    let (colours, ..) = coloured(&classes(BROAD), PARTS, &["set", "set7"], &[]);
    assert_eq!(colours, [["set"], ["set7"]]);
}

#[test]
fn when_there_is_too_much_work_the_rest_is_left_out() {
    let mut program = program(&[object(), TestClass::new("A").methods(&["one", "two", "six"])]);
    let strings = ["one", "two", "six"].map(|text| program.symbols.intern(text.as_bytes()));
    let names = Names::new(&program);
    let (nodes, _) = nodes(&program, &names, Matching::Whole, &strings, &IdSet::new());
    let implementers = implementers(&program);
    let turns = |most| Painter::new(&program, &names, &implementers, &nodes).turns(&nodes, most).len();
    assert_eq!([0, 1, 2].map(turns), [1, 2, 3]);
}

/// Numbers that look random.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % bound as u64) as usize
    }

    fn word(&mut self, longest: usize) -> String {
        let length = 3 + self.below(longest - 2);
        (0..length).map(|_| ['a', 'b'][self.below(2)]).collect()
    }

    fn words(&mut self) -> Vec<String> {
        let mut words: Vec<String> = (0..self.below(4)).map(|_| self.word(5)).collect();
        words.sort_unstable();
        words.dedup();
        words
    }
}

fn refs(words: &[String]) -> Vec<&str> {
    words.iter().map(String::as_str).collect()
}

/// A class below some class before it, or an interface, with interfaces before it.
fn random_class(random: &mut Numbers, number: usize) -> TestClass {
    let is_interface = |number: usize| number % 3 == 2;
    let name = format!("C{number}");
    let above: Vec<usize> = (0..number).filter(|&n| is_interface(n) && random.below(4) == 0).collect();
    let above: Vec<String> = above.into_iter().map(|n| format!("C{n}")).collect();
    let class = if is_interface(number) { TestClass::interface(&name) } else { TestClass::new(&name) };
    let parents: Vec<usize> = (0..number).filter(|&n| !is_interface(n)).collect();
    let class = match random.below(3) {
        0 if !is_interface(number) && !parents.is_empty() => {
            class.below(&format!("C{}", parents[random.below(parents.len())]))
        }
        _ => class,
    };
    let (methods, fields) = (random.words(), random.words());
    class.implements(&refs(&above)).methods(&refs(&methods)).fields(&refs(&fields))
}

/// The names of the members of a class, inherited ones included.
fn members(program: &Program, class: ClassId, kind: Kind) -> BTreeSet<Symbol> {
    let all: Vec<ClassId> =
        program.super_classes(class).chain(program.super_interfaces(class).iter().copied()).collect();
    let methods = program.methods().values().map(|m| (m.class, program.selector(m.selector).name));
    let fields = program.fields().values().map(|f| (f.class, f.name));
    let named: Vec<(ClassId, Symbol)> =
        if kind == Kind::Method { methods.collect() } else { fields.collect() };
    named.into_iter().filter(|(class, _)| all.contains(class)).map(|(_, name)| name).collect()
}

/// The names that a string matches, by the definition.
fn selected(program: &Program, names: &BTreeSet<Symbol>, string: &str) -> BTreeSet<Symbol> {
    let is_matched = |name: &&Symbol| {
        let name = program.symbols.text(**name);
        name == string || name.starts_with(string) || string.len() >= 5 && name.ends_with(string)
    };
    names.iter().filter(is_matched).copied().collect()
}

#[test]
fn random_programs_are_coloured_by_the_definition() {
    let mut random = Numbers(1);
    for round in 0..300 {
        let mut classes = vec![TestClass::new("java/lang/Object")];
        classes.extend((0..8).map(|number| random_class(&mut random, number)));
        let mut program = program(&classes);
        let mut words: Vec<String> = (0..12).map(|_| random.word(6)).collect();
        words.sort_unstable();
        words.dedup();
        let strings: Vec<Symbol> = words.iter().map(|word| program.symbols.intern(word.as_bytes())).collect();
        let matching = Matching::Parts(LENGTHS);
        let colouring = Colouring::new(&program, &Names::new(&program), matching, &strings, &IdSet::new());
        check(&program, &words, &strings, &colouring, round);
    }
}

fn check(program: &Program, words: &[String], strings: &[Symbol], colouring: &Colouring, round: usize) {
    // For each class and kind, what each string selects there.
    let places: Vec<Vec<BTreeSet<Symbol>>> = program
        .classes()
        .ids()
        .flat_map(|class| MEMBERS.map(|kind| members(program, class, kind)))
        .map(|names| words.iter().map(|word| selected(program, &names, word)).collect())
        .collect();
    let conflict = |a: usize, b: usize| {
        let in_place = |of: &Vec<BTreeSet<Symbol>>| {
            !of[a].is_empty() && !of[b].is_empty() && of[a].union(&of[b]).count() > 1
        };
        a != b && places.iter().any(in_place)
    };
    let colour = |n: usize| colouring.colour(strings[n]).map(Colour::as_u32);
    for a in 0..words.len() {
        let selects = places.iter().any(|of| !of[a].is_empty());
        assert_eq!(colour(a).is_some(), selects, "{round}: {}", words[a]);
        for b in (0..words.len()).filter(|&b| conflict(a, b)) {
            assert_ne!(colour(a), colour(b), "{round}: {} and {}", words[a], words[b]);
        }
        // A number is one more than the highest before it that conflicts, so that there is one of that number.
        if let Some(below) = colour(a).and_then(|colour| colour.checked_sub(1)) {
            let needed = (0..words.len()).any(|b| conflict(a, b) && colour(b) == Some(below));
            assert!(needed, "{round}: {} has colour {} for nothing", words[a], below + 1);
        }
    }
    let clique = |of: &Vec<BTreeSet<Symbol>>| {
        let several = of.iter().filter(|names| names.len() > 1).count();
        let single: BTreeSet<_> = of.iter().filter(|names| names.len() == 1).collect();
        several + single.len()
    };
    let largest = places.iter().map(clique).max().unwrap_or(0);
    let Statistics { colours, largest_clique, .. } = colouring.statistics;
    assert!(largest_clique <= largest && largest <= colours, "{round}: {largest_clique} {largest} {colours}");
}
