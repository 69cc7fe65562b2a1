//! What a receiver's type decides: which code a call runs, and which filters the object passes.

use heliostat_index::Ids;
use heliostat_program::{HandleId, MethodId, Subtype, TypeId};
use heliostat_solve::{FilterId, GroupId};

use super::Engine;
use crate::facts::{CodeId, Facts, Filter, LambdaId, MadeUp};
use crate::types::Types;

/// What objects have in common that behave alike: a type, or the lambda or method handle that they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Group {
    Type(TypeId),
    /// Arrays of this type that hold nothing.
    Empty(TypeId),
    Lambda(LambdaId),
    Handle(HandleId),
}

impl Engine<'_> {
    /// The code that a call of a method runs on objects of a group.
    pub(super) fn select(&mut self, resolved: MethodId, group: GroupId) -> Option<CodeId> {
        if let Some(&known) = self.selected.get(&(resolved, group)) {
            return known;
        }
        let code = match self.groups[group] {
            Group::Handle(handle) => self.select_handle(resolved, handle),
            // The JVM calls a method only on objects of its class; others are here because sets say too much.
            _ if self.is_of(group, self.program.owner(resolved)) == Subtype::No => None,
            Group::Type(ty) | Group::Empty(ty) => self.program.select(ty, resolved).method().map(Facts::code),
            Group::Lambda(lambda) => {
                Types { program: self.program, facts: &self.facts }.selected_by_lambda(lambda, resolved)
            }
        };
        self.selected.insert((resolved, group), code);
        code
    }

    /// A method handle runs what it stands for when it is invoked.
    fn select_handle(&mut self, resolved: MethodId, handle: HandleId) -> Option<CodeId> {
        let method = &self.program.methods()[resolved];
        let name = self.program.symbols.bytes(self.program.selector(method.selector).name);
        if matches!(name, b"invoke" | b"invokeExact" | b"invokeBasic") && method.flags.is_native() {
            return Some(self.facts.make_up(MadeUp::Handle(handle)));
        }
        let class = self.program.find_class("java/lang/invoke/DirectMethodHandle");
        let ty = class.map_or(TypeId::METHOD_HANDLE, |c| self.program.classes()[c].ty);
        self.program.select(ty, resolved).method().map(Facts::code)
    }

    /// Whether objects of a group pass a filter. What depends on a missing class passes.
    pub(super) fn admits_group(&self, filter: FilterId, group: GroupId) -> bool {
        match self.facts.filter(filter) {
            Filter::All => true,
            Filter::Type(ty) => self.is_of(group, *ty) != Subtype::No,
            Filter::Caught { ty, not } => {
                ty.is_none_or(|ty| self.is_of(group, ty) != Subtype::No)
                    && not.iter().all(|&ty| self.is_of(group, ty) != Subtype::Yes)
            }
        }
    }

    /// Whether objects of a group are of a type.
    pub(crate) fn is_of(&self, group: GroupId, ty: TypeId) -> Subtype {
        match self.groups[group] {
            Group::Type(own) | Group::Empty(own) => self.program.subtype(own, ty),
            Group::Handle(_) => self.program.subtype(TypeId::METHOD_HANDLE, ty),
            Group::Lambda(lambda) => {
                let interfaces = &self.facts.lambda(lambda).interfaces;
                let all = interfaces.iter().map(|&own| self.program.subtype(own, ty));
                all.fold(Subtype::No, |a, b| match (a, b) {
                    (Subtype::Yes, _) | (_, Subtype::Yes) => Subtype::Yes,
                    (Subtype::Unknown, _) | (_, Subtype::Unknown) => Subtype::Unknown,
                    _ => Subtype::No,
                })
            }
        }
    }

    /// The type of the objects of a group, as far as there is one.
    pub(crate) fn group_type(&self, group: GroupId) -> TypeId {
        match self.groups[group] {
            Group::Type(ty) | Group::Empty(ty) => ty,
            Group::Handle(_) => TypeId::METHOD_HANDLE,
            Group::Lambda(lambda) => {
                self.facts.lambda(lambda).interfaces.first().copied().unwrap_or(TypeId::OBJECT)
            }
        }
    }

    /// All methods that a class declares.
    pub(super) fn declared_methods(&self, class: heliostat_program::ClassId) -> Ids<MethodId> {
        Ids::between(self.program.classes()[class].methods.clone())
    }
}
