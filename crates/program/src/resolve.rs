//! Resolution of method references (JVMS 5.4.3.3 and 5.4.3.4).

use heliostat_classfile::Flags;
use heliostat_index::FastSet;

use crate::{ClassId, Method, MethodId, MethodRef, Program, SelectorId, TypeId, TypeKind};

/// What a symbolic reference refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resolution<T> {
    /// This member.
    Found(T),
    /// This member, unless a class that would be searched before it, and is missing, has another one.
    Assumed {
        /// The member.
        member: T,
        /// The class that is missing, or one of them.
        missing: TypeId,
    },
    /// This method of `MethodHandle` or `VarHandle`, whatever the descriptor (JVMS 2.9.3).
    SignaturePolymorphic(T),
    /// This member, which the referring class may not access: the JVM would throw.
    Inaccessible(T),
    /// The class it is looked up in, or an ancestor of it, has no definition.
    MissingClass(TypeId),
    /// A class where the reference says interface, or the other way round: the JVM would throw.
    WrongKind,
    /// There is no such member.
    NotFound,
}

impl<T: Copy> Resolution<T> {
    /// Found for certain, unless a missing class comes before.
    pub(crate) fn unless(missing: Option<TypeId>, member: T) -> Self {
        missing.map_or(Self::Found(member), |missing| Self::Assumed { member, missing })
    }

    /// The member, certain or not, accessible or not.
    pub fn member(self) -> Option<T> {
        match self {
            Self::Found(m)
            | Self::Assumed { member: m, .. }
            | Self::SignaturePolymorphic(m)
            | Self::Inaccessible(m) => Some(m),
            Self::MissingClass(_) | Self::WrongKind | Self::NotFound => None,
        }
    }
}

impl Program {
    /// Resolves a method reference as the class `from` sees it.
    pub fn resolve_method(&self, reference: MethodRef, from: ClassId) -> Resolution<MethodId> {
        let owner = self.class_type_of(reference.owner);
        let Some(class) = self.class_of(owner) else { return Resolution::MissingClass(owner) };
        let is_array = owner != reference.owner;
        if self.classes()[class].flags.is_interface() != reference.interface {
            return Resolution::WrongKind;
        }
        if let Some(method) = self.signature_polymorphic(class, reference.selector) {
            return Resolution::SignaturePolymorphic(method);
        }
        let found = if reference.interface {
            self.find_interface_method(class, reference.selector)
        } else {
            self.find_class_method(class, reference.selector)
        };
        match found {
            Some(method) if is_array || self.can_access_method(method, class, from) => {
                Resolution::unless(self.missing_before(class, method), method)
            }
            Some(method) => Resolution::Inaccessible(method),
            None => self.missing_ancestor(class).map_or(Resolution::NotFound, Resolution::MissingClass),
        }
    }

    /// The class that methods of a type are looked up in: JVMS 5.4.3.3 treats an array type as a class whose
    /// superclass is Object.
    pub(crate) fn class_type_of(&self, ty: TypeId) -> TypeId {
        match self.types.kind(ty) {
            TypeKind::Class(_) => ty,
            TypeKind::Array(_) | TypeKind::Basic => TypeId::OBJECT,
        }
    }

    /// A missing ancestor of `class` that may have what goes before its inherited method `found`. Superclasses are
    /// searched first, so that one of their methods is certain; for a method of a superinterface, that is
    /// a superclass, or an interface that is not known to be above.
    pub(crate) fn missing_before(&self, class: ClassId, found: MethodId) -> Option<TypeId> {
        let declared_in = self.methods()[found].class;
        if !self.is_incomplete(class)
            || !self.classes()[declared_in].flags.is_interface()
            || class == declared_in
        {
            return None;
        }
        let mut above = self.super_classes(class).chain(self.super_interfaces(class).iter().copied());
        self.missing_super_class(class).or_else(|| {
            let interface = |c| self.hierarchy.missing_interface(c);
            above.find_map(|c| interface(c).filter(|_| !self.is_subtype_class(declared_in, c)))
        })
    }

    /// The superclass that is missing somewhere above, where the known ones end.
    fn missing_super_class(&self, class: ClassId) -> Option<TypeId> {
        let last = self.super_classes(class).last()?;
        self.classes()[last].super_type.expand().filter(|&ty| self.types.is_missing(ty))
    }

    /// JVMS 5.4.3.3: the class and its superclasses, then the superinterfaces.
    fn find_class_method(&self, class: ClassId, selector: SelectorId) -> Option<MethodId> {
        self.super_classes(class)
            .find_map(|c| self.declared_method(c, selector))
            .or_else(|| self.find_in_super_interfaces(class, selector))
    }

    /// JVMS 5.4.3.4: the interface, public instance methods of Object, then the superinterfaces.
    fn find_interface_method(&self, class: ClassId, selector: SelectorId) -> Option<MethodId> {
        self.declared_method(class, selector)
            .or_else(|| self.find_public_object_method(selector))
            .or_else(|| self.find_in_super_interfaces(class, selector))
    }

    pub(crate) fn find_public_object_method(&self, selector: SelectorId) -> Option<MethodId> {
        let method = self.declared_method(self.class_of(TypeId::OBJECT)?, selector)?;
        let flags = self.methods()[method].flags;
        (flags.is_public() && !flags.is_static()).then_some(method)
    }

    /// The last steps of both: the one maximally specific method with code, else any that could be meant.
    fn find_in_super_interfaces(&self, class: ClassId, selector: SelectorId) -> Option<MethodId> {
        let specific = self.maximally_specific(class, selector);
        let mut concrete = specific.iter().filter(|&&m| !self.methods()[m].flags.is_abstract());
        match (concrete.next(), concrete.next()) {
            (Some(&method), None) => Some(method),
            _ => specific.first().copied(),
        }
    }

    /// The maximally specific superinterface methods of JVMS 5.4.3.3: no other candidate is
    /// declared in a subinterface of theirs.
    pub(crate) fn maximally_specific(&self, class: ClassId, selector: SelectorId) -> Vec<MethodId> {
        let mut candidates: Vec<MethodId> = self
            .super_interfaces(class)
            .iter()
            .filter_map(|&i| self.declared_method(i, selector))
            .filter(|&m| !is_private_or_static(self.methods()[m].flags))
            .collect();
        if candidates.len() < 2 {
            return candidates;
        }
        // Who has more superinterfaces is never above: what nothing before it has overridden stays, and
        // only for those is there something to mark. Testing every pair takes long where thousands declare it.
        let above = |m: &MethodId| self.super_interfaces(self.methods()[*m].class);
        candidates.sort_by_key(|m| std::cmp::Reverse(above(m).len()));
        let mut overridden = FastSet::default();
        candidates.retain(|m| {
            let stays = !overridden.contains(&self.methods()[*m].class);
            if stays {
                overridden.extend(above(m).iter().copied());
            }
            stays
        });
        candidates.sort_unstable();
        candidates
    }

    /// JVMS 2.9.3: the only method of its name in `MethodHandle` or `VarHandle`, native, with one
    /// `Object[]` parameter and variable arity.
    fn signature_polymorphic(&self, class: ClassId, selector: SelectorId) -> Option<MethodId> {
        let class = &self.classes()[class];
        if class.ty != TypeId::METHOD_HANDLE && class.ty != TypeId::VAR_HANDLE {
            return None;
        }
        let name = self.selector(selector).name;
        let mut named = heliostat_index::Ids::between(class.methods.clone())
            .filter(|&m| self.selector(self.methods()[m].selector).name == name);
        let method = named.next().filter(|_| named.next().is_none())?;
        let Method { flags, selector, .. } = self.methods()[method];
        let parameters = &self.method_type(self.selector(selector).descriptor).parameters;
        let takes_objects = matches!(**parameters, [ty] if self.types.element(ty) == Some(TypeId::OBJECT));
        (flags.is_native() && flags.is_varargs() && takes_objects).then_some(method)
    }

    /// Some ancestor of a class that has no definition.
    pub(crate) fn missing_ancestor(&self, class: ClassId) -> Option<TypeId> {
        self.hierarchy.missing_ancestor(class)
    }
}

pub(crate) fn is_private_or_static(flags: Flags) -> bool {
    flags.is_private() || flags.is_static()
}
