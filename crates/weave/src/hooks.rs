//! The methods of the library by which programs act reflectively, and what each call of them is about.

/// What a program does by reflection, or what it looks up by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the methods of the library, most of them by their own names")]
pub enum Api {
    ForName,
    LoadClass,
    ClassNewInstance,
    ConstructorNewInstance,
    MethodInvoke,
    FieldGet,
    FieldSet,
    GetMethod,
    GetDeclaredMethod,
    GetMethods,
    GetDeclaredMethods,
    GetField,
    GetDeclaredField,
    GetFields,
    GetDeclaredFields,
    GetConstructor,
    GetDeclaredConstructor,
    GetConstructors,
    GetDeclaredConstructors,
    ArrayNewInstance,
    /// `Proxy.newProxyInstance` and `Proxy.getProxyClass`
    Proxy,
    /// `MethodHandles.Lookup.find…`
    LookupFind,
    /// `MethodHandles.Lookup.unreflect…`
    LookupUnreflect,
    /// `ServiceLoader.load…`
    ServiceLoad,
    /// `getResource…` of classes and class loaders
    Resource,
    ResourceBundle,
    /// The class of an object that is written.
    Serialize,
    /// The class of an object that is read.
    Deserialize,
    /// `MethodHandle.invoke` and `invokeExact`, which have no code to be told by: it is the calls that tell.
    MethodHandleInvoke,
}

impl Api {
    /// All of them, in the order of their numbers.
    pub const ALL: [Self; 29] = [
        Self::ForName,
        Self::LoadClass,
        Self::ClassNewInstance,
        Self::ConstructorNewInstance,
        Self::MethodInvoke,
        Self::FieldGet,
        Self::FieldSet,
        Self::GetMethod,
        Self::GetDeclaredMethod,
        Self::GetMethods,
        Self::GetDeclaredMethods,
        Self::GetField,
        Self::GetDeclaredField,
        Self::GetFields,
        Self::GetDeclaredFields,
        Self::GetConstructor,
        Self::GetDeclaredConstructor,
        Self::GetConstructors,
        Self::GetDeclaredConstructors,
        Self::ArrayNewInstance,
        Self::Proxy,
        Self::LookupFind,
        Self::LookupUnreflect,
        Self::ServiceLoad,
        Self::Resource,
        Self::ResourceBundle,
        Self::Serialize,
        Self::Deserialize,
        Self::MethodHandleInvoke,
    ];

    /// Its name in files: `TamiFlex`'s where that has one.
    pub fn name(self) -> &'static str {
        match self {
            Self::ForName => "Class.forName",
            Self::LoadClass => "ClassLoader.loadClass",
            Self::ClassNewInstance => "Class.newInstance",
            Self::ConstructorNewInstance => "Constructor.newInstance",
            Self::MethodInvoke => "Method.invoke",
            Self::FieldGet => "Field.get*",
            Self::FieldSet => "Field.set*",
            Self::GetMethod => "Class.getMethod",
            Self::GetDeclaredMethod => "Class.getDeclaredMethod",
            Self::GetMethods => "Class.getMethods",
            Self::GetDeclaredMethods => "Class.getDeclaredMethods",
            Self::GetField => "Class.getField",
            Self::GetDeclaredField => "Class.getDeclaredField",
            Self::GetFields => "Class.getFields",
            Self::GetDeclaredFields => "Class.getDeclaredFields",
            Self::GetConstructor => "Class.getConstructor",
            Self::GetDeclaredConstructor => "Class.getDeclaredConstructor",
            Self::GetConstructors => "Class.getConstructors",
            Self::GetDeclaredConstructors => "Class.getDeclaredConstructors",
            Self::ArrayNewInstance => "Array.newInstance",
            Self::Proxy => "Proxy.newProxyInstance",
            Self::LookupFind => "Lookup.find*",
            Self::LookupUnreflect => "Lookup.unreflect*",
            Self::ServiceLoad => "ServiceLoader.load",
            Self::Resource => "getResource*",
            Self::ResourceBundle => "ResourceBundle.getBundle",
            Self::Serialize => "ObjectOutputStream.writeObject",
            Self::Deserialize => "ObjectInputStream.readObject",
            Self::MethodHandleInvoke => "MethodHandle.invoke",
        }
    }

    /// The number by which woven code calls it.
    pub fn number(self) -> u8 {
        self as u8
    }

    /// What a number stands for.
    pub fn of_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }
}

/// Where a value is when a hook wants it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operand {
    Nothing,
    This,
    /// A parameter, counted from 0 without the receiver; all before it are references.
    Argument(u8),
    /// What the method returns: the hook comes at its end.
    Result,
}

/// A method that tells what it is called for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Hook {
    pub(crate) api: Api,
    /// The class, member or object that it is about.
    pub(crate) subject: Operand,
    /// A name, where the subject does not say all.
    pub(crate) detail: Operand,
}

/// What a method of the library tells, if it does.
pub(crate) fn hook(class: &[u8], name: &[u8], descriptor: &[u8]) -> Option<Hook> {
    use Operand::{Argument, Nothing, Result, This};
    let about = |api, subject| Some(Hook { api, subject, detail: Nothing });
    let named = |api, subject, detail| Some(Hook { api, subject, detail });
    let takes = |start: &[u8]| descriptor.starts_with(start);
    match (class, name) {
        (b"java/lang/Class", _) => of_class(name, descriptor),
        (b"java/lang/ClassLoader", b"loadClass") if takes(b"(Ljava/lang/String;)") => {
            about(Api::LoadClass, Result)
        }
        (
            b"java/lang/ClassLoader",
            b"getResource"
            | b"getResources"
            | b"getResourceAsStream"
            | b"getSystemResource"
            | b"getSystemResources"
            | b"getSystemResourceAsStream",
        ) => named(Api::Resource, Nothing, Argument(0)),
        (b"java/lang/reflect/Constructor", b"newInstance") => about(Api::ConstructorNewInstance, This),
        // The receiver selects what is run.
        (b"java/lang/reflect/Method", b"invoke") => named(Api::MethodInvoke, This, Argument(0)),
        (b"java/lang/reflect/Field", name) => of_field(name),
        (b"java/lang/reflect/Array", b"newInstance") => about(Api::ArrayNewInstance, Result),
        (b"java/lang/reflect/Proxy", b"newProxyInstance" | b"getProxyClass")
            if takes(b"(Ljava/lang/ClassLoader;[Ljava/lang/Class;") =>
        {
            about(Api::Proxy, Argument(1))
        }
        (b"java/lang/invoke/MethodHandles$Lookup", name) => of_lookup(name, descriptor),
        (b"java/util/ServiceLoader", b"load" | b"loadInstalled") if takes(b"(Ljava/lang/Class;") => {
            about(Api::ServiceLoad, Argument(0))
        }
        (b"java/util/ServiceLoader", b"load") if takes(b"(Ljava/lang/ModuleLayer;Ljava/lang/Class;)") => {
            about(Api::ServiceLoad, Argument(1))
        }
        (b"java/util/ResourceBundle", b"getBundle") => named(Api::ResourceBundle, Nothing, Argument(0)),
        (b"java/io/ObjectOutputStream", b"writeObject0") => about(Api::Serialize, Argument(0)),
        // What every stream passes, whoever has found the class.
        (b"java/io/ObjectStreamClass", b"initNonProxy")
            if takes(b"(Ljava/io/ObjectStreamClass;Ljava/lang/Class;") =>
        {
            about(Api::Deserialize, Argument(1))
        }
        (b"java/io/ObjectStreamClass", b"initProxy") if takes(b"(Ljava/lang/Class;") => {
            about(Api::Deserialize, Argument(0))
        }
        _ => None,
    }
}

fn of_class(name: &[u8], descriptor: &[u8]) -> Option<Hook> {
    let (api, subject) = match name {
        // Newer JDKs have a private one, which the public ones call with the class of their caller.
        b"forName" if descriptor.starts_with(b"(Ljava/lang/String;Ljava/lang/Class;)") => return None,
        b"forName" if descriptor.ends_with(b")Ljava/lang/Class;") => (Api::ForName, Operand::Result),
        b"newInstance" => (Api::ClassNewInstance, Operand::This),
        b"getMethod" => (Api::GetMethod, Operand::Result),
        b"getDeclaredMethod" => (Api::GetDeclaredMethod, Operand::Result),
        b"getMethods" => (Api::GetMethods, Operand::This),
        b"getDeclaredMethods" => (Api::GetDeclaredMethods, Operand::This),
        b"getField" => (Api::GetField, Operand::Result),
        b"getDeclaredField" => (Api::GetDeclaredField, Operand::Result),
        b"getFields" => (Api::GetFields, Operand::This),
        b"getDeclaredFields" => (Api::GetDeclaredFields, Operand::This),
        b"getConstructor" => (Api::GetConstructor, Operand::Result),
        b"getDeclaredConstructor" => (Api::GetDeclaredConstructor, Operand::Result),
        b"getConstructors" => (Api::GetConstructors, Operand::This),
        b"getDeclaredConstructors" => (Api::GetDeclaredConstructors, Operand::This),
        b"getResource" | b"getResourceAsStream" => {
            let detail = Operand::Argument(0);
            return Some(Hook { api: Api::Resource, subject: Operand::This, detail });
        }
        _ => return None,
    };
    Some(Hook { api, subject, detail: Operand::Nothing })
}

fn of_field(name: &[u8]) -> Option<Hook> {
    let api = match name {
        b"get" | b"getBoolean" | b"getByte" | b"getChar" | b"getShort" | b"getInt" | b"getLong"
        | b"getFloat" | b"getDouble" => Api::FieldGet,
        b"set" | b"setBoolean" | b"setByte" | b"setChar" | b"setShort" | b"setInt" | b"setLong"
        | b"setFloat" | b"setDouble" => Api::FieldSet,
        _ => return None,
    };
    Some(Hook { api, subject: Operand::This, detail: Operand::Nothing })
}

fn of_lookup(name: &[u8], descriptor: &[u8]) -> Option<Hook> {
    let (api, subject, detail) = match name {
        b"findClass" => (Api::ForName, Operand::Result, Operand::Nothing),
        b"findConstructor" => (Api::LookupFind, Operand::Argument(0), Operand::Nothing),
        _ if name.starts_with(b"find") && descriptor.starts_with(b"(Ljava/lang/Class;Ljava/lang/String;") => {
            (Api::LookupFind, Operand::Argument(0), Operand::Argument(1))
        }
        _ if name.starts_with(b"unreflect") && descriptor.starts_with(b"(Ljava/lang/reflect/") => {
            (Api::LookupUnreflect, Operand::Argument(0), Operand::Nothing)
        }
        _ => return None,
    };
    Some(Hook { api, subject, detail })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_apis_are_the_same() {
        for (number, api) in (0..).zip(Api::ALL) {
            assert_eq!((api.number(), Api::of_number(number)), (number, Some(api)));
        }
    }
}
