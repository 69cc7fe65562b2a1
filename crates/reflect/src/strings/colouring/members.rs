//! In which classes names are names of members, inherited ones included.

use heliostat_index::{Id, IdMap, IdSet, IdVec, Ids, Lists, PackedOption, Symbol};
use heliostat_program::{ClassId, Program};

use super::super::names::{Kind, Names};
use super::super::telling::Matched;

heliostat_index::id! {
    /// A name of members of one kind: its place among them in order.
    pub(super) struct Name = "name";
}

/// What a string selects in a class: one name, or several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Selected(Name);

impl Selected {
    pub(super) const SEVERAL: Self = Self(Name::from_u32(u32::MAX));

    /// The name, if it is one.
    pub(super) fn one(self) -> Option<Name> {
        (self != Self::SEVERAL).then_some(self.0)
    }

    /// This and something else in the same class.
    fn and(self, other: Option<Self>) -> Self {
        if other.is_none_or(|other| other == self) { self } else { Self::SEVERAL }
    }
}

/// What a string selects in a class and, with more or not, in all classes below it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Selection {
    pub(super) class: ClassId,
    pub(super) selected: Selected,
}

/// Of each interface, the highest classes that implement it: those whose superclass does not.
pub(super) fn implementers(program: &Program) -> Lists<ClassId, ClassId> {
    let mut pairs = Vec::new();
    for class in program.classes().ids() {
        let above = program.super_class(class).map_or(&[][..], |above| program.super_interfaces(above));
        let own = program.super_interfaces(class);
        // There are only more below, so that as many are the same.
        if own.len() > above.len() {
            let new = own.iter().filter(|interface| above.binary_search(interface).is_err());
            pairs.extend(new.map(|&interface| (interface, class)));
        }
    }
    Lists::new(program.classes().len(), pairs.iter().copied())
}

/// The members of one kind, by name.
pub(super) struct Members<'a> {
    implementers: &'a Lists<ClassId, ClassId>,
    /// The places of the names in order from the front, in order from the back.
    backward: Vec<Name>,
    /// The classes that declare a member of each name.
    declaring: Lists<Name, ClassId>,
    /// The highest classes that have a member of each name, once something has asked for them.
    highest: IdVec<Name, Option<Box<[ClassId]>>>,
    marks: Marks,
    /// How many classes were looked at for selections.
    pub(super) work: usize,
}

impl<'a> Members<'a> {
    /// The members whose names some strings match.
    pub(super) fn new<'m>(
        program: &Program,
        names: &Names,
        kind: Kind,
        implementers: &'a Lists<ClassId, ClassId>,
        matched: impl Iterator<Item = &'m Matched>,
    ) -> Self {
        let sorted = names.sorted(kind);
        let count = sorted.forward.names().len();
        let mut places = IdMap::sized(program.symbols.len(), Name::from_u32(u32::MAX));
        for (place, &name) in sorted.forward.names().iter().enumerate() {
            places[name] = Name::new(place);
        }
        let mut this = Self {
            implementers,
            backward: sorted.backward.names().iter().map(|&name| places[name]).collect(),
            declaring: Lists::default(),
            highest: vec![None; count].into(),
            marks: Marks::new(program),
            work: 0,
        };
        let mut wanted = IdSet::with_capacity(count);
        matched.for_each(|matched| wanted.extend(this.names(matched)));
        let declared: Vec<(Name, ClassId)> = declarations(program, kind)
            .map(|(name, class)| (places[name], class))
            .filter(|&(name, _)| wanted.contains(name))
            .collect();
        this.declaring = Lists::new(count, declared.iter().copied());
        this
    }

    /// The names that a string matches, each once.
    fn names(&self, matched: &Matched) -> impl Iterator<Item = Name> {
        let (forward, backward) = (matched.forward.clone(), &self.backward[matched.backward.clone()]);
        let names = Ids::new(forward.clone());
        // A name that it both begins and ends is in both.
        names.chain(backward.iter().copied().filter(move |name| !forward.contains(&name.index())))
    }

    /// The highest classes that have a member of a name; all below them have it too.
    fn highest(&mut self, name: Name) -> &[ClassId] {
        let Self { implementers, declaring, highest, marks, .. } = self;
        highest[name].get_or_insert_with(|| {
            let declaring = declaring.of(name).iter();
            let all: Vec<ClassId> = declaring
                .flat_map(|&class| std::iter::once(class).chain(implementers.of(class).iter().copied()))
                .collect();
            marks.clear();
            let mut once: Vec<ClassId> =
                all.into_iter().filter(|&class| marks.add(class, Selected(name))).collect();
            once.retain(|&class| marks.above(class).is_none());
            once.into()
        })
    }

    /// Where a string selects members, and which. What is said of a class goes for those below it; if more is said of one of them, both go.
    pub(super) fn selections(&mut self, matched: &Matched) -> Vec<Selection> {
        let names: Vec<Name> = self.names(matched).collect();
        if let &[name] = names.as_slice() {
            let selected = Selected(name);
            let classes = self.highest(name).iter();
            let selections: Vec<_> = classes.map(|&class| Selection { class, selected }).collect();
            self.work += selections.len();
            return selections;
        }
        // All lists first, since making one takes the marks.
        self.work += names.iter().map(|&name| self.highest(name).len()).sum::<usize>();
        let Self { highest, marks, .. } = self;
        marks.clear();
        let mut classes = Vec::new();
        for &name in &names {
            let all = highest[name].as_deref().unwrap_or_default();
            classes.extend(all.iter().filter(|&&class| marks.add(class, Selected(name))));
        }
        classes.into_iter().filter_map(|class| marks.selection(class)).collect()
    }
}

/// The names of all members, with their classes.
fn declarations(program: &Program, kind: Kind) -> impl Iterator<Item = (Symbol, ClassId)> {
    let methods = (kind == Kind::Method).then(|| program.methods().values()).into_iter().flatten();
    let fields = (kind == Kind::Field).then(|| program.fields().values()).into_iter().flatten();
    let methods = methods.map(|method| (program.selector(method.selector).name, method.class));
    methods.chain(fields.map(|field| (field.name, field.class)))
}

/// Classes marked with what is selected in them.
struct Marks {
    of: IdVec<ClassId, Mark>,
    /// Marks of other turns are no marks.
    turn: u32,
}

#[derive(Clone, Copy)]
struct Mark {
    turn: u32,
    selected: Selected,
    super_class: PackedOption<ClassId>,
}

impl Marks {
    fn new(program: &Program) -> Self {
        let unmarked = |class| Mark {
            turn: 0,
            selected: Selected::SEVERAL,
            super_class: program.super_class(class).into(),
        };
        Self { of: program.classes().ids().map(unmarked).collect::<Vec<_>>().into(), turn: 0 }
    }

    fn clear(&mut self) {
        self.turn += 1;
    }

    fn get(&self, class: ClassId) -> Option<Selected> {
        let mark = self.of[class];
        (mark.turn == self.turn).then_some(mark.selected)
    }

    /// Adds to the mark of a class; true if it had none.
    fn add(&mut self, class: ClassId, selected: Selected) -> bool {
        let before = self.get(class);
        let mark = &mut self.of[class];
        mark.turn = self.turn;
        mark.selected = selected.and(before);
        before.is_none()
    }

    /// What is selected in the classes above a class.
    fn above(&self, class: ClassId) -> Option<Selected> {
        let above = |&class: &ClassId| self.of[class].super_class.expand();
        let classes = std::iter::successors(above(&class), above);
        classes.filter_map(|class| self.get(class)).reduce(|a, b| a.and(Some(b)))
    }

    /// What is selected in a marked class, unless the same is selected in those above.
    fn selection(&self, class: ClassId) -> Option<Selection> {
        let above = self.above(class);
        let selected = self.get(class)?.and(above);
        (above != Some(selected)).then_some(Selection { class, selected })
    }
}
