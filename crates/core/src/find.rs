//! Methods found by a pattern, and what may have been meant when there are none.

use heliostat_index::Ids;
use heliostat_input::Origin;
use heliostat_program::{ClassId, MethodId};

use crate::pattern::simple_name;
use crate::{MethodPattern, Opened};

impl Opened {
    /// The methods that a pattern means, in the order of their classes: those of the inputs, and those of other
    /// classes that it names in full.
    pub fn methods_like(&self, pattern: &MethodPattern) -> Vec<MethodId> {
        let inputs = self.program.classes().ids().filter(|&class| self.is_input(class));
        let named = self.named_classes(pattern).filter(|&class| !self.is_input(class));
        let classes = inputs.chain(named);
        classes.flat_map(|class| self.methods_of(class)).filter(|&m| self.is_meant(pattern, m)).collect()
    }

    /// What may have been meant by a pattern that matches nothing, best guess first: methods of the class that it
    /// names, else classes of a similar name, of the inputs if there are any.
    pub fn suggestions(&self, pattern: &MethodPattern) -> Vec<String> {
        let named: Vec<_> = self.named_classes(pattern).collect();
        if named.is_empty() { self.similar_classes(pattern) } else { self.similar_methods(&named, pattern) }
    }

    pub(crate) fn is_input(&self, class: ClassId) -> bool {
        self.archive(class).origin == Origin::Input
    }

    fn methods_of(&self, class: ClassId) -> Ids<MethodId> {
        Ids::between(self.program.classes()[class].methods.clone())
    }

    fn named_classes(&self, pattern: &MethodPattern) -> impl Iterator<Item = ClassId> {
        let program = &self.program;
        pattern
            .class_names()
            .filter_map(|name| program.types.class(program.types.find(program.symbols.find(name)?)?))
    }

    fn is_meant(&self, pattern: &MethodPattern, method: MethodId) -> bool {
        let program = &self.program;
        let method = &program.methods()[method];
        let selector = program.selector(method.selector);
        let descriptor = program.method_type(selector.descriptor).text;
        let text = |symbol| program.symbols.bytes(symbol);
        pattern.matches(self.internal_name(method.class), text(selector.name), text(descriptor))
    }

    fn internal_name(&self, class: ClassId) -> &[u8] {
        self.program.symbols.bytes(self.program.types.name(self.program.classes()[class].ty))
    }

    fn similar_methods(&self, classes: &[ClassId], pattern: &MethodPattern) -> Vec<String> {
        let wanted = pattern.last_part();
        let methods = classes.iter().flat_map(|&class| self.methods_of(class)).map(|method| {
            let name = self.program.selector(self.program.methods()[method].selector).name;
            (distance(wanted, self.program.symbols.bytes(name)), self.program.method_name(method))
        });
        let mut methods: Vec<_> = methods.collect();
        methods.sort_unstable();
        methods.into_iter().map(|(_, name)| name).collect()
    }

    fn similar_classes(&self, pattern: &MethodPattern) -> Vec<String> {
        let wanted = [Some(pattern.last_part()), pattern.owner().map(simple_name)];
        let mut classes: Vec<_> = self
            .program
            .classes()
            .ids()
            .filter_map(|class| {
                let name = simple_name(self.internal_name(class));
                let likeness = wanted.iter().flatten().filter_map(|wanted| likeness(wanted, name)).min()?;
                Some((!self.is_input(class), likeness, self.program.class_name(class)))
            })
            .collect();
        classes.sort_unstable();
        let outside = classes.partition_point(|(outside, ..)| !outside);
        if outside > 0 {
            classes.truncate(outside);
        }
        classes.into_iter().map(|(_, _, name)| name).collect()
    }
}

/// How far a name is from the wanted one, unless it is too far to have been meant.
fn likeness(wanted: &[u8], name: &[u8]) -> Option<usize> {
    let limit = wanted.len().div_ceil(3);
    // Each missing character costs one: most names need no closer look.
    if wanted.is_empty() || wanted.len().abs_diff(name.len()) > limit {
        return None;
    }
    Some(distance(wanted, name)).filter(|&distance| distance <= limit)
}

/// The number of single characters to add, drop or change (Levenshtein), whatever their case.
fn distance(a: &[u8], b: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        for (above, y) in row.iter_mut().skip(1).zip(b) {
            let changed = diagonal + usize::from(!x.eq_ignore_ascii_case(y));
            diagonal = *above;
            left = changed.min(diagonal + 1).min(left + 1);
            *above = left;
        }
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        for (a, b, expected) in [
            ("", "", 0),
            ("abc", "", 3),
            ("", "ab", 2),
            ("kitten", "Sitting", 3),
            ("loader", "LOADER", 0),
            ("laoder", "loader", 2),
        ] {
            assert_eq!(distance(a.as_bytes(), b.as_bytes()), expected, "{a} {b}");
        }
    }

    #[test]
    fn only_near_names_are_alike() {
        assert_eq!(likeness(b"Loadr", b"Loader"), Some(1));
        assert_eq!(likeness(b"Loader", b"Greeter"), None);
        assert_eq!(likeness(b"", b"A"), None);
    }
}
