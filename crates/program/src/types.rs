//! Interned types: primitives, classes (defined or not) and arrays.

use heliostat_classfile::{Descriptor, field_descriptor};
use heliostat_index::{IdMap, IdVec, PackedOption, Symbol, Symbols, id};

use crate::ClassId;

id! {
    /// A type: primitive, class or array.
    pub struct TypeId = "t";
}

macro_rules! well_known {
    (@step $n:expr;) => {};
    (@step $n:expr; $(#[$doc:meta])* $name:ident $text:literal, $($rest:tt)*) => {
        impl TypeId {
            $(#[$doc])*
            pub const $name: Self = Self::from_u32($n);
        }
        well_known!(@step $n + 1; $($rest)*);
    };
    ($list:ident: $($(#[$doc:meta])* $name:ident $text:literal,)*) => {
        well_known!(@step 0; $($(#[$doc])* $name $text,)*);
        const $list: &[&str] = &[$($text),*];
    };
}

well_known! { WELL_KNOWN:
    /// `boolean`
    BOOLEAN "Z",
    /// `byte`
    BYTE "B",
    /// `char`
    CHAR "C",
    /// `short`
    SHORT "S",
    /// `int`
    INT "I",
    /// `long`
    LONG "J",
    /// `float`
    FLOAT "F",
    /// `double`
    DOUBLE "D",
    /// `void`, the result of methods that have none
    VOID "V",
    /// The type of `null`
    NULL "null",
    /// `java.lang.Object`
    OBJECT "java/lang/Object",
    /// `java.lang.String`
    STRING "java/lang/String",
    /// `java.lang.Class`
    CLASS "java/lang/Class",
    /// `java.lang.Throwable`
    THROWABLE "java/lang/Throwable",
    /// `java.lang.Cloneable`
    CLONEABLE "java/lang/Cloneable",
    /// `java.io.Serializable`
    SERIALIZABLE "java/io/Serializable",
    /// `java.lang.invoke.MethodHandle`
    METHOD_HANDLE "java/lang/invoke/MethodHandle",
    /// `java.lang.invoke.MethodType`
    METHOD_TYPE "java/lang/invoke/MethodType",
    /// `java.lang.invoke.VarHandle`
    VAR_HANDLE "java/lang/invoke/VarHandle",
}

/// How many of the well-known types are not classes: eight primitives, `void`, `null`.
const NOT_CLASSES: usize = 10;

/// What a type is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TypeKind {
    /// One of the eight primitive types, `void`, or the type of `null`.
    Basic,
    /// A class or interface, with its definition if there is one.
    Class(PackedOption<ClassId>),
    /// An array of this type.
    Array(TypeId),
}

#[derive(Debug, Clone, Copy)]
struct Type {
    /// Internal class name, array descriptor, or descriptor letter.
    name: Symbol,
    kind: TypeKind,
    /// The array of this type, once something has asked for it.
    array: PackedOption<TypeId>,
}

/// All types. Class types and array types are found by name; a class may well be called `I`, so
/// that the basic types have no name to be found by.
pub struct Types {
    all: IdVec<TypeId, Type>,
    by_name: IdMap<Symbol, PackedOption<TypeId>>,
    /// Bytes of the names of arrays in arrays; see [`MAX_NESTED_BYTES`].
    nested_bytes: usize,
}

/// Bound on the names of element types that are arrays themselves. An array of 255 dimensions has 254 such,
/// each nearly as long as its own name, so that hostile names would make a hundredfold of themselves.
const MAX_NESTED_BYTES: usize = 32 << 20;

impl Types {
    pub(crate) fn new(symbols: &mut Symbols) -> Self {
        let by_name = IdMap::with_default(PackedOption::none());
        let mut this = Self { all: IdVec::new(), by_name, nested_bytes: 0 };
        for (i, text) in WELL_KNOWN.iter().enumerate() {
            let name = symbols.intern(text.as_bytes());
            if i < NOT_CLASSES {
                this.all.push(Type { name, kind: TypeKind::Basic, array: PackedOption::none() });
            } else {
                this.intern(symbols, name);
            }
        }
        for basic in this.all.ids().take(TypeId::VOID.as_u32() as usize).collect::<Vec<_>>() {
            this.array_of(symbols, basic);
        }
        this
    }

    /// The class type of this internal name, or the array type of this descriptor, as constant pools
    /// write both. A malformed array descriptor becomes a class type that nothing defines.
    pub(crate) fn intern(&mut self, symbols: &mut Symbols, name: Symbol) -> TypeId {
        if let Some(known) = self.by_name[name].expand() {
            return known;
        }
        let kind = match self.element_of(symbols, name) {
            Some(element) => TypeKind::Array(element),
            None => TypeKind::Class(PackedOption::none()),
        };
        let id = self.all.push(Type { name, kind, array: PackedOption::none() });
        self.by_name[name] = id.into();
        if let TypeKind::Array(element) = kind {
            self.all[element].array = id.into();
        }
        id
    }

    /// The element type of the array type of this name; none if it is no array's name, or one too many.
    fn element_of(&mut self, symbols: &mut Symbols, name: Symbol) -> Option<TypeId> {
        let element = element_descriptor(symbols.bytes(name))?.to_vec();
        if element.starts_with(b"[") && symbols.find(&element).is_none() {
            self.nested_bytes += element.len();
        }
        if self.nested_bytes > MAX_NESTED_BYTES {
            return None;
        }
        self.of_descriptor_text(symbols, &element)
    }

    /// The type that a field descriptor names.
    pub(crate) fn of_descriptor_text(&mut self, symbols: &mut Symbols, text: &[u8]) -> Option<TypeId> {
        Some(self.of_descriptor(symbols, field_descriptor(text)?))
    }

    pub(crate) fn of_descriptor(&mut self, symbols: &mut Symbols, descriptor: Descriptor<'_>) -> TypeId {
        match descriptor {
            Descriptor::Primitive(letter) => primitive(letter),
            Descriptor::Class(name) | Descriptor::Array(name) => {
                let name = symbols.intern(name);
                self.intern(symbols, name)
            }
        }
    }

    /// The array type with this element type, made if need be.
    pub(crate) fn array_of(&mut self, symbols: &mut Symbols, element: TypeId) -> TypeId {
        if let Some(known) = self.all[element].array.expand() {
            return known;
        }
        let Type { name, kind, .. } = self.all[element];
        let text = symbols.bytes(name);
        let descriptor = match kind {
            TypeKind::Class(_) => [b"[L", text, b";"].concat(),
            TypeKind::Basic | TypeKind::Array(_) => [b"[", text].concat(),
        };
        let name = symbols.intern(&descriptor);
        self.intern(symbols, name)
    }

    pub(crate) fn define(&mut self, ty: TypeId, class: ClassId) {
        self.all[ty].kind = TypeKind::Class(class.into());
    }

    /// The class or array type of this name, if anything named it.
    pub fn find(&self, name: Symbol) -> Option<TypeId> {
        self.by_name[name].expand()
    }

    /// What the type is.
    pub fn kind(&self, ty: TypeId) -> TypeKind {
        self.all[ty].kind
    }

    /// Internal class name, array descriptor, or the letter of a primitive.
    pub fn name(&self, ty: TypeId) -> Symbol {
        self.all[ty].name
    }

    /// The definition of a class type, if it has one.
    pub fn class(&self, ty: TypeId) -> Option<ClassId> {
        match self.all[ty].kind {
            TypeKind::Class(class) => class.expand(),
            TypeKind::Basic | TypeKind::Array(_) => None,
        }
    }

    /// The element type of an array type.
    pub fn element(&self, ty: TypeId) -> Option<TypeId> {
        match self.all[ty].kind {
            TypeKind::Array(element) => Some(element),
            TypeKind::Basic | TypeKind::Class(_) => None,
        }
    }

    /// The array type with this element type, if anything named it. It always exists for
    /// primitives, for defined classes, and for the classes of linked constant pools.
    pub fn array(&self, element: TypeId) -> Option<TypeId> {
        self.all[element].array.expand()
    }

    /// The array type whose elements are the primitive of this descriptor letter.
    pub fn primitive_array(&self, letter: u8) -> TypeId {
        self.array(primitive(letter)).unwrap_or(TypeId::OBJECT)
    }

    /// Whether this is a class, array or the null type.
    pub fn is_reference(&self, ty: TypeId) -> bool {
        ty == TypeId::NULL || self.all[ty].kind != TypeKind::Basic
    }

    /// Whether this is a class type without a definition.
    pub fn is_missing(&self, ty: TypeId) -> bool {
        matches!(self.all[ty].kind, TypeKind::Class(class) if class.is_none())
    }

    /// The number of types.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Never true: the primitive types are always there.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }
}

/// The descriptor of the elements, if `name` is the descriptor of an array type.
fn element_descriptor(name: &[u8]) -> Option<&[u8]> {
    name.strip_prefix(b"[").filter(|_| field_descriptor(name).is_some())
}

/// The primitive type (or `void`) of a descriptor letter.
pub(crate) fn primitive(letter: u8) -> TypeId {
    let at = WELL_KNOWN.iter().position(|text| text.as_bytes() == [letter]);
    TypeId::from_u32(at.unwrap_or(0) as u32)
}
