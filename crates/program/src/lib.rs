//! The types, methods and fields of a whole Java program, with resolution, dispatch and subtyping.
//!
//! A [`Builder`] takes class files and indexes their headers and members; [`Builder::finish`] works
//! out the hierarchy and gives the [`Program`]. Everything has a dense id. Constant pools are turned
//! into ids class by class, when [`Program::link`] is called: that is the only thing that still adds
//! to a finished program. Method bodies are not looked at here.

mod access;
mod builder;
mod constant;
mod descriptors;
mod dispatch;
mod entities;
mod fields;
mod hierarchy;
mod link;
mod missing;
mod names;
mod parents;
mod resolve;
mod subtype;
mod types;

pub use builder::{Added, Builder};
pub use constant::{
    Bootstrap, Constant, Dynamic, DynamicId, DynamicType, Handle, HandleId, HandleKind, HandleMember,
};
pub use descriptors::{DescriptorId, MethodType, Selector, SelectorId};
pub use dispatch::Selection;
pub use entities::{Class, ClassId, Field, FieldId, Method, MethodId, SourceId};
pub use hierarchy::HierarchyProblem;
pub use link::{FieldRef, FieldRefId, Linked, MethodRef, MethodRefId, PoolEntry};
pub use missing::{Missing, MissingWhat};
pub use names::{is_name_byte, quote};
pub use resolve::Resolution;
pub use subtype::Subtype;
pub use types::{TypeId, TypeKind, Types};

use heliostat_classfile::mutf8;
use heliostat_index::{FastMap, IdVec, Interner, Symbol, Symbols};

use descriptors::Descriptors;
use hierarchy::Hierarchy;
use link::Links;

/// A whole program: what was given as classes, and everything they refer to.
pub struct Program {
    /// All names, descriptors and string constants.
    pub symbols: Symbols,
    /// All types that anything names.
    pub types: Types,
    descriptors: Descriptors,
    selectors: Interner<SelectorId, Selector>,
    classes: IdVec<ClassId, Class>,
    methods: IdVec<MethodId, Method>,
    fields: IdVec<FieldId, Field>,
    /// Declared superinterfaces of all classes, end to end.
    interfaces: Vec<TypeId>,
    declared_methods: FastMap<(ClassId, SelectorId), MethodId>,
    declared_fields: FastMap<(ClassId, Symbol, TypeId), FieldId>,
    /// Nest hosts with the members that they accept, sorted.
    nest_members: Vec<(ClassId, TypeId)>,
    hierarchy: Hierarchy,
    links: Links,
}

impl Program {
    /// All classes that have a definition.
    pub fn classes(&self) -> &IdVec<ClassId, Class> {
        &self.classes
    }

    /// All methods that a class declares.
    pub fn methods(&self) -> &IdVec<MethodId, Method> {
        &self.methods
    }

    /// All fields that a class declares.
    pub fn fields(&self) -> &IdVec<FieldId, Field> {
        &self.fields
    }

    /// Name and descriptor of a method.
    pub fn selector(&self, id: SelectorId) -> Selector {
        self.selectors[id]
    }

    /// The id of a name and descriptor, if any method or reference has them.
    pub fn find_selector(&self, name: &str, descriptor: &str) -> Option<SelectorId> {
        let name = self.find_name(name)?;
        let descriptor = self.descriptors.find(self.find_name(descriptor)?)?;
        self.find_selector_id(Selector { name, descriptor })
    }

    fn find_name(&self, name: &str) -> Option<Symbol> {
        let is_plain = name.bytes().all(|byte| matches!(byte, 1..=0x7f));
        if is_plain { self.symbols.find(name.as_bytes()) } else { self.symbols.find(&mutf8::encode(name)) }
    }

    /// The id of a selector, if any method or reference has it.
    pub fn find_selector_id(&self, selector: Selector) -> Option<SelectorId> {
        self.selectors.find(&selector)
    }

    /// Parameters and result of a method descriptor.
    pub fn method_type(&self, id: DescriptorId) -> &MethodType {
        &self.descriptors[id]
    }

    /// The type of the class that declares a method.
    pub fn owner(&self, method: MethodId) -> TypeId {
        self.classes[self.methods[method].class].ty
    }

    /// The types of a method's parameters, the receiver first.
    pub fn parameters(&self, method: MethodId) -> impl Iterator<Item = TypeId> + '_ {
        let method = &self.methods[method];
        let receiver = (!method.flags.is_static()).then(|| self.classes[method.class].ty);
        let declared = &self.method_type(self.selector(method.selector).descriptor).parameters;
        receiver.into_iter().chain(declared.iter().copied())
    }

    /// The definition of a class type, if there is one.
    pub fn class_of(&self, ty: TypeId) -> Option<ClassId> {
        self.types.class(ty)
    }

    /// The class of this internal name, if it has a definition.
    pub fn find_class(&self, name: &str) -> Option<ClassId> {
        self.types.class(self.types.find(self.find_name(name)?)?)
    }

    /// The method that a class itself declares under a name and descriptor.
    pub fn declared_method(&self, class: ClassId, selector: SelectorId) -> Option<MethodId> {
        self.declared_methods.get(&(class, selector)).copied()
    }

    /// The direct superinterfaces that a class declares, missing ones too.
    pub fn declared_interfaces(&self, class: ClassId) -> &[TypeId] {
        let range = self.classes[class].interfaces.clone();
        self.interfaces.get(range.start as usize..range.end as usize).unwrap_or(&[])
    }
}
