//! Access control (JVMS 5.4.4), by package and nest; modules are not considered.

use heliostat_classfile::Flags;

use crate::{ClassId, FieldId, MethodId, Program};

impl Program {
    /// Whether code of the class `from` may refer to this method through the class `through`.
    pub fn can_access_method(&self, method: MethodId, through: ClassId, from: ClassId) -> bool {
        let method = &self.methods()[method];
        self.can_access(method.flags, method.class, through, from)
    }

    /// Whether code of the class `from` may refer to this field through the class `through`.
    pub fn can_access_field(&self, field: FieldId, through: ClassId, from: ClassId) -> bool {
        let field = &self.fields()[field];
        self.can_access(field.flags, field.class, through, from)
    }

    fn can_access(&self, flags: Flags, declared_in: ClassId, through: ClassId, from: ClassId) -> bool {
        if flags.is_public() || declared_in == from {
            return true;
        }
        if flags.is_private() {
            return self.nest_host(declared_in) == self.nest_host(from);
        }
        // A subclass may not reach into objects of its sister classes.
        let in_line = || self.is_subclass(through, from) || self.is_subclass(from, through);
        let inherits = || flags.is_protected() && self.is_subclass(from, declared_in);
        self.same_package(declared_in, from) || (inherits() && (flags.is_static() || in_line()))
    }

    /// Whether two classes are in the same package (class loaders are not told apart).
    pub fn same_package(&self, a: ClassId, b: ClassId) -> bool {
        self.package(a) == self.package(b)
    }

    /// The package of a class in internal form, empty for the unnamed one.
    pub fn package(&self, class: ClassId) -> &[u8] {
        let name = self.symbols.bytes(self.types.name(self.classes()[class].ty));
        name.iter().rposition(|&b| b == b'/').map_or(&[], |end| &name[..end])
    }

    /// JVMS 5.4.4: the host of the class's nest. A claim that the named host does not confirm is void.
    pub fn nest_host(&self, class: ClassId) -> ClassId {
        let claimed = self.classes()[class].nest_host.expand().and_then(|ty| self.class_of(ty));
        let confirms = |&host: &ClassId| {
            let membership = (host, self.classes()[class].ty);
            self.same_package(host, class) && self.nest_members.binary_search(&membership).is_ok()
        };
        claimed.filter(confirms).unwrap_or(class)
    }
}
