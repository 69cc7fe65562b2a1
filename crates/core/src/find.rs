//! Methods found by a pattern.

use heliostat_index::{IdSet, Ids};
use heliostat_input::Origin;
use heliostat_program::{ClassId, MethodId, TypeId};

use crate::pattern::Reading;
use crate::{MethodPattern, Opened};

impl Opened {
    /// The methods that a pattern means, in the order of their classes: those of the inputs, and those of other
    /// classes that it names in full. What matches as it is written goes before what a Java programmer may mean by
    /// it, such as a dot before an inner class.
    pub fn methods_like(&self, pattern: &MethodPattern) -> Vec<MethodId> {
        let exact = self.methods_read(pattern, Reading::Exact);
        if exact.is_empty() { self.methods_read(pattern, Reading::Loose) } else { exact }
    }

    fn methods_read(&self, pattern: &MethodPattern, reading: Reading) -> Vec<MethodId> {
        let inputs = self.program.classes().ids().filter(|&class| self.is_input(class));
        let named = self.named_classes(pattern, reading).into_iter().filter(|&class| !self.is_input(class));
        let methods = inputs.chain(named).flat_map(|class| self.methods_of(class));
        methods.filter(|&method| self.is_meant(pattern, reading, method)).collect()
    }

    pub(crate) fn is_input(&self, class: ClassId) -> bool {
        self.origin(class) == Origin::Input
    }

    pub(crate) fn input_classes(&self) -> IdSet<ClassId> {
        self.program.classes().ids().filter(|&class| self.is_input(class)).collect()
    }

    pub(crate) fn methods_of(&self, class: ClassId) -> Ids<MethodId> {
        Ids::between(self.program.classes()[class].methods.clone())
    }

    /// The classes that a pattern names in full.
    pub(crate) fn named_classes(&self, pattern: &MethodPattern, reading: Reading) -> Vec<ClassId> {
        let types = self.named_types(pattern, reading).into_iter();
        types.filter_map(|ty| self.program.class_of(ty)).collect()
    }

    /// The types that a pattern names in full, there or missing.
    pub(crate) fn named_types(&self, pattern: &MethodPattern, reading: Reading) -> Vec<TypeId> {
        let program = &self.program;
        let find = |name: Vec<u8>| program.types.find(program.symbols.find(&name)?);
        pattern.class_names(reading).into_iter().filter_map(find).collect()
    }

    pub(crate) fn is_meant(&self, pattern: &MethodPattern, reading: Reading, method: MethodId) -> bool {
        let program = &self.program;
        let method = &program.methods()[method];
        let selector = program.selector(method.selector);
        let descriptor = program.method_type(selector.descriptor).text;
        let text = |symbol| program.symbols.bytes(symbol);
        pattern.matches(reading, self.internal_name(method.class), text(selector.name), text(descriptor))
    }

    pub(crate) fn internal_name(&self, class: ClassId) -> &[u8] {
        self.program.symbols.bytes(self.program.types.name(self.program.classes()[class].ty))
    }
}

/// What stands before the last slash of a class's name; nothing in the unnamed package.
pub(crate) fn package(name: &[u8]) -> &[u8] {
    let end = name.iter().rposition(|&b| b == b'/').unwrap_or(0);
    name.get(..end).unwrap_or_default()
}
