//! The highest numbers given to strings in each class and below it.

use heliostat_index::{IdVec, PackedOption};
use heliostat_program::{ClassId, Program};

use super::members::{Selected, Selection};

/// Which numbers were given to strings that select something in a class, for all classes. Numbers are from 1; 0 is none.
pub(super) struct Numbers {
    of: IdVec<ClassId, Numbered>,
}

#[derive(Clone, Copy)]
struct Numbered {
    /// In the class and all below it.
    all: Highest,
    /// In the class or some below it.
    any: Highest,
    super_class: PackedOption<ClassId>,
}

/// The highest number, with what its string selects, and the highest of a string that selects something else.
#[derive(Clone, Copy)]
struct Highest {
    number: u32,
    selected: Selected,
    other: u32,
}

const NONE: Highest = Highest { number: 0, selected: Selected::SEVERAL, other: 0 };

impl Highest {
    fn add(&mut self, number: u32, selected: Selected) {
        if !conflict(selected, self.selected) {
            self.number = self.number.max(number);
        } else if number > self.number {
            *self = Self { number, selected, other: self.number };
        } else {
            self.other = self.other.max(number);
        }
    }

    /// The highest number of a string that conflicts with one that selects this.
    fn against(self, selected: Selected) -> u32 {
        if conflict(selected, self.selected) { self.number } else { self.other }
    }
}

/// Whether two strings match different members of a class (ECOOP'18, section 4): not if both match one, and that is the same.
fn conflict(a: Selected, b: Selected) -> bool {
    a != b || a == Selected::SEVERAL
}

impl Numbers {
    /// No numbers in any class.
    pub(super) fn new(program: &Program) -> Self {
        let unnumbered =
            |class| Numbered { all: NONE, any: NONE, super_class: program.super_class(class).into() };
        Self { of: program.classes().ids().map(unnumbered).collect::<Vec<_>>().into() }
    }

    /// Gives a number to a string.
    pub(super) fn give(&mut self, Selection { class, selected }: Selection, number: u32) {
        self.of[class].all.add(number, selected);
        let mut next = Some(class);
        while let Some(class) = next {
            self.of[class].any.add(number, selected);
            next = self.of[class].super_class.expand();
        }
    }

    /// The highest number that conflicts with a string.
    pub(super) fn highest(&self, Selection { class, selected }: Selection) -> u32 {
        let above = |&class: &ClassId| self.of[class].super_class.expand();
        let above =
            std::iter::successors(above(&class), above).map(|class| self.of[class].all.against(selected));
        above.fold(self.of[class].any.against(selected), u32::max)
    }
}
