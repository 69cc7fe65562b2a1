//! Which method a call runs (JVMS 5.4.5, 5.4.6 and `invokespecial` in 6.5).

use crate::resolve::is_private_or_static;
use crate::{ClassId, Method, MethodId, MethodRef, Program, SelectorId, TypeId};

/// What an invocation selects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Selection {
    /// This method.
    Method(MethodId),
    /// This default method, unless a class that would be searched before it, and is missing, has the method.
    Assumed {
        /// The method.
        method: MethodId,
        /// The class that is missing, or one of them.
        missing: TypeId,
    },
    /// No implementation: the JVM would throw `AbstractMethodError`.
    Abstract,
    /// Several defaults and none of them the most specific: `IncompatibleClassChangeError`.
    Conflict,
    /// It may be inherited from this class, which is missing.
    MissingClass(TypeId),
}

impl Selection {
    /// The method, certain or not, if there is one.
    pub fn method(self) -> Option<MethodId> {
        match self {
            Self::Method(method) | Self::Assumed { method, .. } => Some(method),
            Self::Abstract | Self::Conflict | Self::MissingClass(_) => None,
        }
    }
}

impl Program {
    /// JVMS 5.4.6: what a virtual or interface call of `resolved` runs on a receiver of type `receiver`.
    pub fn select(&self, receiver: TypeId, resolved: MethodId) -> Selection {
        let receiver = self.class_type_of(receiver);
        let Some(class) = self.class_of(receiver) else { return Selection::MissingClass(receiver) };
        let target = &self.methods()[resolved];
        if target.flags.is_private() {
            return Selection::Method(resolved);
        }
        for ancestor in self.super_classes(class) {
            if let Some(method) = self.declared_method(ancestor, target.selector)
                && (method == resolved || self.overrides(method, resolved))
            {
                return self.unless_abstract(method);
            }
        }
        self.select_default(class, target.selector)
    }

    /// JVMS 6.5 `invokespecial`: constructors, private methods and `super` calls made by `from`.
    pub fn select_special(&self, reference: MethodRef, resolved: MethodId, from: ClassId) -> Selection {
        let target = &self.methods()[resolved];
        let Some(owner) = self.class_of(reference.owner) else { return Selection::Method(resolved) };
        if self.is_constructor(resolved) {
            return Selection::Method(resolved);
        }
        let is_super_call = owner != from && !reference.interface && self.is_subclass(from, owner);
        let start = if is_super_call { self.super_class(from).unwrap_or(owner) } else { owner };
        let declared =
            |c| self.declared_method(c, target.selector).filter(|&m| !self.methods()[m].flags.is_static());
        // An interface's superclass is Object, of which only the public methods count (step 3).
        if self.classes()[start].flags.is_interface() {
            if let Some(method) = declared(start).or_else(|| self.find_public_object_method(target.selector))
            {
                return self.unless_abstract(method);
            }
        } else if let Some(method) = self.super_classes(start).find_map(declared) {
            return self.unless_abstract(method);
        }
        self.select_default(start, target.selector)
    }

    /// Step 2 (3 for `invokespecial`): the one maximally specific default method.
    fn select_default(&self, class: ClassId, selector: SelectorId) -> Selection {
        let specific = self.maximally_specific(class, selector);
        let mut concrete = specific.iter().filter(|&&m| !self.methods()[m].flags.is_abstract());
        match (concrete.next(), concrete.next()) {
            (Some(&method), None) => match self.missing_before(class, method) {
                Some(missing) => Selection::Assumed { method, missing },
                None => Selection::Method(method),
            },
            (Some(_), Some(_)) => self.unless_missing(class, Selection::Conflict),
            (None, _) => self.unless_missing(class, Selection::Abstract),
        }
    }

    fn unless_missing(&self, class: ClassId, selection: Selection) -> Selection {
        self.missing_ancestor(class).map_or(selection, Selection::MissingClass)
    }

    fn unless_abstract(&self, method: MethodId) -> Selection {
        if self.methods()[method].flags.is_abstract() {
            Selection::Abstract
        } else {
            Selection::Method(method)
        }
    }

    /// JVMS 5.4.5: whether the instance method `over` can override `under`. Both have one selector.
    pub fn overrides(&self, over: MethodId, under: MethodId) -> bool {
        let (m, a) = (&self.methods()[over], &self.methods()[under]);
        if m.selector != a.selector || is_private_or_static(m.flags) || is_private_or_static(a.flags) {
            return false;
        }
        if a.flags.is_public() || a.flags.is_protected() || self.same_package(m.class, a.class) {
            return true;
        }
        self.overrides_in_between(m, a)
    }

    /// A package-private method can be overridden from another package through a method in between
    /// that widened its access.
    fn overrides_in_between(&self, over: &Method, under: &Method) -> bool {
        let is_between = |&c: &ClassId| c != under.class && self.is_subclass(c, under.class);
        self.super_classes(over.class).skip(1).take_while(is_between).any(|c| {
            let Some(between) = self.declared_method(c, over.selector) else { return false };
            let flags = self.methods()[between].flags;
            let widened = flags.is_public() || flags.is_protected();
            !is_private_or_static(flags) && widened && self.same_package(c, under.class)
        })
    }

    /// Whether the method is an instance initialiser.
    pub fn is_constructor(&self, method: MethodId) -> bool {
        self.symbols.bytes(self.selector(self.methods()[method].selector).name) == b"<init>"
    }
}
