//! Types and members as a Java programmer reads them: `java.util.HashMap.put(Object, Object)`.

use heliostat_classfile::mutf8;
use heliostat_index::Symbol;
use heliostat_program::{FieldId, FieldRefId, MethodId, MethodRefId, Program, SelectorId, TypeId};

/// Writes names for people to read: dots, simple names of parameter types, no result type. Not every two things have
/// different names.
#[derive(Clone, Copy)]
pub(crate) struct Readable<'a>(pub(crate) &'a Program);

impl Readable<'_> {
    /// A type, as `java.util.Map$Entry[]`.
    pub(crate) fn ty(self, ty: TypeId) -> String {
        if let Some(element) = self.0.types.element(ty) {
            return format!("{}[]", self.ty(element));
        }
        let name = self.0.type_name(ty);
        let primitive = PRIMITIVES.iter().find(|&&(id, _)| id == ty);
        primitive.map_or_else(|| name.replace('/', "."), |&(_, word)| word.to_owned())
    }

    /// A type without its package.
    fn simple(self, ty: TypeId) -> String {
        let name = self.ty(ty);
        name.rsplit('.').next().unwrap_or_default().to_owned()
    }

    pub(crate) fn method(self, method: MethodId) -> String {
        let method = &self.0.methods()[method];
        self.call(self.0.classes()[method.class].ty, method.selector)
    }

    pub(crate) fn method_ref(self, reference: MethodRefId) -> String {
        let reference = self.0.method_ref(reference);
        self.call(reference.owner, reference.selector)
    }

    fn call(self, owner: TypeId, selector: SelectorId) -> String {
        let selector = self.0.selector(selector);
        let parameters = self.0.method_type(selector.descriptor).parameters.iter();
        let parameters: Vec<String> = parameters.map(|&ty| self.simple(ty)).collect();
        format!("{}({})", self.member(owner, selector.name), parameters.join(", "))
    }

    pub(crate) fn field(self, field: FieldId) -> String {
        let field = &self.0.fields()[field];
        self.member(self.0.classes()[field.class].ty, field.name)
    }

    pub(crate) fn field_ref(self, reference: FieldRefId) -> String {
        let reference = self.0.field_ref(reference);
        self.member(reference.owner, reference.name)
    }

    fn member(self, owner: TypeId, name: Symbol) -> String {
        format!("{}.{}", self.ty(owner), mutf8::decode_lossy(self.0.symbols.bytes(name)))
    }
}

pub(crate) const PRIMITIVES: [(TypeId, &str); 9] = [
    (TypeId::BOOLEAN, "boolean"),
    (TypeId::BYTE, "byte"),
    (TypeId::CHAR, "char"),
    (TypeId::SHORT, "short"),
    (TypeId::INT, "int"),
    (TypeId::LONG, "long"),
    (TypeId::FLOAT, "float"),
    (TypeId::DOUBLE, "double"),
    (TypeId::VOID, "void"),
];
