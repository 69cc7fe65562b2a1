//! Access flags of classes, fields and methods.

/// Access and property flags (JVMS tables 4.1-B, 4.5-A, 4.6-A). Some bits mean different things on
/// classes, fields and methods; the names here say which.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Flags(pub u16);

macro_rules! flags {
    ($($(#[$doc:meta])* $constant:ident $test:ident = $bit:literal;)*) => {
        impl Flags {
            $($(#[$doc])* pub const $constant: Self = Self($bit);)*
            $($(#[$doc])* pub const fn $test(self) -> bool { self.0 & $bit != 0 })*
        }
    };
}

flags! {
    /// Accessible everywhere.
    PUBLIC is_public = 0x0001;
    /// Accessible in the class and its nest.
    PRIVATE is_private = 0x0002;
    /// Accessible in the package and in subclasses.
    PROTECTED is_protected = 0x0004;
    /// No receiver.
    STATIC is_static = 0x0008;
    /// Not overridden, not extended, or not assigned again.
    FINAL is_final = 0x0010;
    /// Method that holds its receiver's, or its class's, monitor.
    SYNCHRONIZED is_synchronized = 0x0020;
    /// Method made by the compiler to bridge a signature.
    BRIDGE is_bridge = 0x0040;
    /// Method with variable arity.
    VARARGS is_varargs = 0x0080;
    /// Method without bytecode, implemented outside Java.
    NATIVE is_native = 0x0100;
    /// Class is an interface.
    INTERFACE is_interface = 0x0200;
    /// No implementation, or not instantiable.
    ABSTRACT is_abstract = 0x0400;
    /// Method with floating-point arithmetic that is strict (versions 46 to 60; later all is).
    STRICT is_strict = 0x0800;
    /// Not in the source.
    SYNTHETIC is_synthetic = 0x1000;
    /// Class is an annotation.
    ANNOTATION is_annotation = 0x2000;
    /// Class is an enum, or field is an enum constant.
    ENUM is_enum = 0x4000;
    /// Class file is a module declaration.
    MODULE is_module = 0x8000;
}

impl Flags {
    /// Neither public, protected nor private.
    pub const fn is_package_private(self) -> bool {
        !(self.is_public() || self.is_protected() || self.is_private())
    }
}
