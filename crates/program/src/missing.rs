//! What a class refers to and nothing defines.

use heliostat_index::FastSet;

use crate::{
    ClassId, Constant, DynamicType, FieldRefId, MethodRefId, PoolEntry, Program, Resolution, TypeId, TypeKind,
};

/// Something that is referred to and not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MissingWhat {
    /// A class.
    Class(TypeId),
    /// A method, of a class that is there with all its ancestors.
    Method(MethodRefId),
    /// A field, of a class that is there with all its ancestors.
    Field(FieldRefId),
}

/// A reference to something that is not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Missing {
    /// What is missing.
    pub what: MissingWhat,
    /// The class that refers to it.
    pub from: ClassId,
}

impl Program {
    /// Links a class and lists what it refers to in vain: in its header, its members' descriptors
    /// and its constant pool.
    pub fn missing_from(&mut self, class: ClassId) -> Vec<Missing> {
        self.link(class);
        let mut found = FastSet::default();
        self.missing_in_header(class, &mut found);
        for &entry in self.linked(class).map_or(&[][..], crate::Linked::entries) {
            self.missing_in_entry(class, entry, &mut found);
        }
        let mut missing: Vec<_> = found.into_iter().map(|what| Missing { what, from: class }).collect();
        missing.sort_unstable();
        missing
    }

    fn missing_in_header(&self, class: ClassId, found: &mut FastSet<MissingWhat>) {
        let data = &self.classes()[class];
        let parents =
            data.super_type.expand().into_iter().chain(self.declared_interfaces(class).iter().copied());
        let fields = self.fields().slice(data.fields.clone()).iter().map(|f| f.ty);
        for ty in parents.chain(fields) {
            self.missing_type(ty, found);
        }
        for method in self.methods().slice(data.methods.clone()) {
            self.missing_in_descriptor(self.selector(method.selector).descriptor, found);
        }
    }

    fn missing_in_entry(&self, class: ClassId, entry: PoolEntry, found: &mut FastSet<MissingWhat>) {
        match entry {
            PoolEntry::Constant(Constant::Class(ty)) => self.missing_type(ty, found),
            PoolEntry::Constant(Constant::MethodType(descriptor)) => {
                self.missing_in_descriptor(descriptor, found);
            }
            PoolEntry::Method(id) => {
                let reference = self.method_ref(id);
                self.missing_in_descriptor(self.selector(reference.selector).descriptor, found);
                if self.resolve_method(reference, class) == Resolution::NotFound {
                    found.insert(MissingWhat::Method(id));
                }
            }
            PoolEntry::Field(id) => {
                let reference = self.field_ref(id);
                self.missing_type(reference.ty, found);
                if self.resolve_field(reference, class) == Resolution::NotFound {
                    found.insert(MissingWhat::Field(id));
                }
            }
            PoolEntry::Call(id) | PoolEntry::Constant(Constant::Dynamic(id)) => match self.dynamic(id).ty {
                DynamicType::Call(descriptor) => self.missing_in_descriptor(descriptor, found),
                DynamicType::Constant(ty) => self.missing_type(ty, found),
            },
            // What handles refer to has entries of its own.
            PoolEntry::None | PoolEntry::Constant(_) => {}
        }
    }

    fn missing_in_descriptor(&self, descriptor: crate::DescriptorId, found: &mut FastSet<MissingWhat>) {
        let method_type = self.method_type(descriptor);
        for &ty in method_type.parameters.iter().chain([&method_type.result]) {
            self.missing_type(ty, found);
        }
    }

    fn missing_type(&self, ty: TypeId, found: &mut FastSet<MissingWhat>) {
        let mut ty = ty;
        while let TypeKind::Array(element) = self.types.kind(ty) {
            ty = element;
        }
        if self.types.is_missing(ty) {
            found.insert(MissingWhat::Class(ty));
        }
    }
}
