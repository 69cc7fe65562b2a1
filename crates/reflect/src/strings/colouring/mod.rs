//! Merging of string constants that never select different members of one class (ECOOP'18, section 4).
//!
//! Two constants conflict if they match different names of members of one kind in one class, inherited members included. Conflicting
//! constants get different colours, all constants of one colour become one abstract string, and that string selects what any of them
//! selects. A string tells only names, so that methods of one name are one member here.
//!
//! The conflict graph is never built. All strings that select something in a class form a clique, but for those that select the same
//! single name; and the paper's numbering asks only for the highest number given so far in the classes where a string selects something.
//! Those are a few classes with all that is below them, and `numbers.rs` keeps the highest number for each class and what is below it.

mod cliques;
mod members;
mod numbers;
#[cfg(test)]
mod tests;

use std::cmp::Reverse;

use heliostat_index::{Id, IdMap, IdSet, Lists, PackedOption, Symbol};
use heliostat_program::{ClassId, Program};

use self::cliques::Cliques;
use self::members::{Members, Selection, implementers};
use self::numbers::Numbers;
use super::names::{Kind, Names};
use super::telling::{Matched, Matching, Telling};

heliostat_index::id! {
    /// A set of string constants that are one abstract string.
    pub struct Colour = "colour";
}

/// The kinds of members that strings select.
const MEMBERS: [Kind; 2] = [Kind::Method, Kind::Field];

/// A string that matches more names than this keeps itself: it conflicts with nearly all that there is, and would hardly share its colour.
const BROAD: usize = 128;

/// Bound on the classes that are looked at, counted for each string and name. JDK 17 with two large programs has fewer than a million.
const MOST_WORK: usize = 1 << 24;

/// What a colouring did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Statistics {
    /// String constants that select members and may be merged: the nodes of the conflict graph.
    pub strings: usize,
    /// String constants that keep themselves although they select members: they match classes, were to be kept apart, or match very many names.
    pub kept: usize,
    /// Colours: what the strings became.
    pub colours: usize,
    /// The most strings that all conflict with one another in one class: no colouring has fewer colours.
    pub largest_clique: usize,
}

/// Which string constants are one.
pub struct Colouring {
    colours: IdMap<Symbol, PackedOption<Colour>>,
    strings: Lists<Colour, Symbol>,
    /// What it did.
    pub statistics: Statistics,
}

impl Colouring {
    /// Merges string constants, each given once. Those that match classes (ECOOP'18, section 5.3) and those of `apart`, which reach a reflective
    /// call in their own method (section 5.2), keep themselves.
    pub fn new(
        program: &Program,
        names: &Names,
        matching: Matching,
        constants: &[Symbol],
        apart: &IdSet<Symbol>,
    ) -> Self {
        let (nodes, mut kept) = nodes(program, names, matching, constants, apart);
        let implementers = implementers(program);
        let mut painter = Painter::new(program, names, &implementers, &nodes);
        let turns = painter.turns(&nodes, MOST_WORK);
        kept += nodes.len() - turns.len();
        let coloured: Vec<(Colour, Symbol)> =
            turns.iter().map(|turn| (painter.paint(&turn.selections), turn.string)).collect();
        let mut colours = IdMap::with_default(PackedOption::none());
        for &(colour, string) in &coloured {
            colours[string] = colour.into();
        }
        let count = coloured.iter().map(|(colour, _)| colour.index() + 1).max().unwrap_or(0);
        let largest_clique = largest_clique(program, &turns);
        let statistics = Statistics { strings: turns.len(), kept, colours: count, largest_clique };
        Self { colours, strings: Lists::new(count, coloured.iter().copied()), statistics }
    }

    /// The colour of a string constant; none if it keeps itself or selects no member.
    pub fn colour(&self, string: Symbol) -> Option<Colour> {
        self.colours[string].expand()
    }

    /// The string constants of a colour.
    pub fn strings(&self, colour: Colour) -> &[Symbol] {
        self.strings.of(colour)
    }
}

/// The strings to be coloured, and how many others select members.
fn nodes(
    program: &Program,
    names: &Names,
    matching: Matching,
    constants: &[Symbol],
    apart: &IdSet<Symbol>,
) -> (Vec<Node>, usize) {
    let telling = Telling::new(program, names, matching);
    let (mut nodes, mut kept) = (Vec::new(), 0);
    for &string in constants {
        let look = telling.look(string);
        let matched = MEMBERS.map(|kind| telling.matched(kind, look));
        if matched.iter().all(Matched::is_empty) {
            continue;
        }
        let is_broad = matched.iter().any(|matched| matched.len() > BROAD);
        if is_broad || apart.contains(string) || telling.is_class(look) {
            kept += 1;
        } else {
            nodes.push(Node { string, matched });
        }
    }
    (nodes, kept)
}

/// A string to be coloured.
struct Node {
    string: Symbol,
    /// The names of methods that it matches, and those of fields.
    matched: [Matched; 2],
}

/// A string, in its turn to be coloured.
struct Turn {
    /// In how many classes it selects something.
    breadth: Reverse<usize>,
    string: Symbol,
    /// Where it selects methods, and where fields.
    selections: [Vec<Selection>; 2],
}

/// Gives colours to strings. The first of two is for methods, the second for fields.
struct Painter<'a> {
    program: &'a Program,
    members: [Members<'a>; 2],
    numbers: [Numbers; 2],
}

impl<'a> Painter<'a> {
    fn new(
        program: &'a Program,
        names: &Names,
        implementers: &'a Lists<ClassId, ClassId>,
        nodes: &[Node],
    ) -> Self {
        let members = |side: usize| {
            let matched = nodes.iter().map(|node| &node.matched[side]);
            Members::new(program, names, MEMBERS[side], implementers, matched)
        };
        Self { program, members: [members(0), members(1)], numbers: MEMBERS.map(|_| Numbers::new(program)) }
    }

    /// The strings in the order of colouring, which the paper leaves open. Each string pushes the numbers of all classes where it selects something
    /// above the highest of them: those that do so in the most classes go first, while numbers are low.
    ///
    /// When too much work is done, the rest of the strings is left out.
    fn turns(&mut self, nodes: &[Node], most_work: usize) -> Vec<Turn> {
        let mut turns: Vec<Turn> = Vec::with_capacity(nodes.len());
        for Node { string, matched } in nodes {
            let [methods, fields] = &mut self.members;
            if methods.work + fields.work > most_work {
                break;
            }
            let selections = [methods.selections(&matched[0]), fields.selections(&matched[1])];
            let classes = selections.iter().flatten().map(|one| self.program.subclass_range(one.class).len());
            turns.push(Turn { breadth: Reverse(classes.sum()), string: *string, selections });
        }
        turns.sort_unstable_by_key(|turn| (turn.breadth, turn.string));
        turns
    }

    /// The numbering of ECOOP'18, section 4: one more than the highest number of a string before that conflicts.
    fn paint(&mut self, selections: &[Vec<Selection>; 2]) -> Colour {
        let sides = self.numbers.iter().zip(selections);
        let conflicting = sides.flat_map(|(numbers, all)| all.iter().map(|&one| numbers.highest(one)));
        let highest = conflicting.max().unwrap_or(0);
        for (numbers, all) in self.numbers.iter_mut().zip(selections) {
            for &one in all {
                numbers.give(one, highest + 1);
            }
        }
        Colour::from_u32(highest)
    }
}

fn largest_clique(program: &Program, turns: &[Turn]) -> usize {
    let largest = |side: usize| {
        let strings = turns.iter().map(|turn| turn.selections[side].as_slice());
        Cliques::default().largest(program, strings)
    };
    largest(0).max(largest(1))
}
