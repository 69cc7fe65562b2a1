//! Method descriptors and selectors (name and descriptor), interned.

use heliostat_classfile::method_descriptor;
use heliostat_index::{IdMap, IdVec, PackedOption, Symbol, Symbols, id};

use crate::{TypeId, Types};

id! {
    /// A method descriptor.
    pub struct DescriptorId = "d";
}
id! {
    /// A method's name and descriptor.
    pub struct SelectorId = "s";
}

/// A method's name and descriptor: what overriding goes by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Selector {
    /// The name.
    pub name: Symbol,
    /// The descriptor.
    pub descriptor: DescriptorId,
}

/// A method descriptor, parsed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MethodType {
    /// As written in the class file.
    pub text: Symbol,
    /// Types of the parameters, without the receiver.
    pub parameters: Box<[TypeId]>,
    /// Type of the result, [`TypeId::VOID`] if none.
    pub result: TypeId,
}

pub(crate) struct Descriptors {
    descriptors: IdVec<DescriptorId, MethodType>,
    by_text: IdMap<Symbol, PackedOption<DescriptorId>>,
}

impl Descriptors {
    pub(crate) fn new() -> Self {
        Self { descriptors: IdVec::new(), by_text: IdMap::with_default(PackedOption::none()) }
    }

    pub(crate) fn find(&self, text: Symbol) -> Option<DescriptorId> {
        self.by_text[text].expand()
    }

    /// The descriptor of this text; none if it is malformed.
    pub(crate) fn intern(
        &mut self,
        symbols: &mut Symbols,
        types: &mut Types,
        text: &[u8],
    ) -> Option<DescriptorId> {
        let symbol = symbols.intern(text);
        if let Some(known) = self.find(symbol) {
            return Some(known);
        }
        let parsed = method_descriptor(text)?;
        let parameters = parsed.parameters.into_iter().map(|p| types.of_descriptor(symbols, p)).collect();
        let result = parsed.result.map_or(TypeId::VOID, |r| types.of_descriptor(symbols, r));
        let id = self.descriptors.push(MethodType { text: symbol, parameters, result });
        self.by_text[symbol] = id.into();
        Some(id)
    }
}

impl std::ops::Index<DescriptorId> for Descriptors {
    type Output = MethodType;
    fn index(&self, id: DescriptorId) -> &MethodType {
        &self.descriptors[id]
    }
}
