//! In which way a call came about.

use std::fmt;

use heliostat_weave::WovenSite;

use crate::Method;

/// In which way a call came about, from what the instruction at its site names and what was called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// `invokestatic` names it.
    Static,
    /// `invokespecial` names it.
    Special,
    /// `invokevirtual` names it.
    Virtual,
    /// `invokeinterface` names it.
    Interface,
    /// The site is an `invokedynamic`, calls a method handle or a variable handle, or computes a constant; or it names a
    /// method of an interface and another one is called: then a hidden class, which is not seen, stands for a lambda or a method
    /// reference.
    Dynamic,
    /// The machinery of `java.lang.invoke` that stands between a site of a handle and its target: from an
    /// `invokedynamic` or a call of a handle, a method of that package; from an `invokedynamic` also the
    /// constructor of `Object`, which a lambda's hidden class calls, and what the JDK concatenates strings with. A handle that is made for a method of
    /// that package seems to be such, too.
    Linkage,
    /// By `Method.invoke`, `Constructor.newInstance` or `Class.newInstance`, from the site that calls one of these. The
    /// calls within the JDK that lead there have edges of their own.
    Reflective,
    /// The class was initialised.
    Clinit,
    /// The JVM or native code has called: it loads a class, makes an exception, starts a thread, runs a privileged action.
    Implicit,
    /// The caller is traced as a whole, so that it is not known which instruction has called.
    Unknown,
}

impl Kind {
    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Static => "static",
            Self::Special => "special",
            Self::Virtual => "virtual",
            Self::Interface => "interface",
            Self::Dynamic => "dynamic",
            Self::Linkage => "linkage",
            Self::Reflective => "reflective",
            Self::Clinit => "clinit",
            Self::Implicit => "implicit",
            Self::Unknown => "unknown",
        }
    }

    /// The kind of a call from a site; from none, if the JVM calls.
    pub(crate) fn of(site: Option<&WovenSite>, callee: &Method) -> Self {
        if callee.name == "<clinit>" {
            return Self::Clinit;
        }
        match site {
            None => Self::Implicit,
            Some(site) => Self::of_instruction(site, callee),
        }
    }

    fn of_instruction(site: &WovenSite, callee: &Method) -> Self {
        let names = &site.names;
        let direct = match site.opcode {
            0 => return Self::Unknown,
            0xb6 => Self::Virtual,
            0xb7 => Self::Special,
            0xb8 => Self::Static,
            0xb9 => Self::Interface,
            INVOKE_DYNAMIC | LDC | LDC_W | LDC2_W => {
                let is_machinery = is_of_invoke(callee) || is_init_of_object(callee);
                return Self::of_handle(callee, is_machinery || concatenates(site, callee));
            }
            _ => return Self::Implicit,
        };
        if is_polymorphic(names) {
            return Self::of_handle(callee, is_of_invoke(callee));
        }
        if is_named(names, callee, direct) {
            return direct;
        }
        let through_hidden_class = direct == Self::Interface && !is_callback(callee);
        if through_hidden_class { Self::Dynamic } else { Self::Implicit }
    }

    /// The kind of a call from a site that runs a handle.
    fn of_handle(callee: &Method, is_machinery: bool) -> Self {
        if is_callback(callee) {
            Self::Implicit
        } else if is_machinery {
            Self::Linkage
        } else {
            Self::Dynamic
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

const LDC: u8 = 0x12;
const LDC_W: u8 = 0x13;
const LDC2_W: u8 = 0x14;
pub(crate) const INVOKE_DYNAMIC: u8 = 0xba;

/// Whether an instruction of this kind names what was called. Where the receiver selects, a method of the
/// same name and other types may stand for the one that is named, in code that is not seen; a method that the
/// JVM calls does not.
fn is_named([owner, name, descriptor]: &[Vec<u8>; 3], callee: &Method, kind: Kind) -> bool {
    let is_callback = is_callback(callee);
    let selects = matches!(kind, Kind::Virtual | Kind::Interface) && !is_callback;
    let same_name = name == callee.name.as_bytes();
    let same_type = descriptor == callee.descriptor.as_bytes();
    // Constructors are not inherited. A static method may be, but where a class has a `loadClass` of its own,
    // the JVM calls that of a class loader to load the class.
    let inherits = name != b"<init>" && !(is_callback && kind == Kind::Static);
    let same_owner = inherits || owner == callee.class.as_bytes();
    same_name && same_owner && (same_type || selects)
}

/// Whether a method is called with whatever types its caller has (JVMS 2.9.3).
fn is_polymorphic([owner, name, _]: &[Vec<u8>; 3]) -> bool {
    match owner.as_slice() {
        b"java/lang/invoke/MethodHandle" => {
            // The last ones are for the JDK itself.
            matches!(name.as_slice(), b"invoke" | b"invokeExact" | b"invokeBasic")
                || name.starts_with(b"linkTo")
        }
        b"java/lang/invoke/VarHandle" => {
            let starts: [&[u8]; 4] = [b"get", b"set", b"compareAnd", b"weakCompareAnd"];
            starts.iter().any(|start| name.starts_with(start))
        }
        _ => false,
    }
}

/// Whether a method is of the package of handles.
fn is_of_invoke(callee: &Method) -> bool {
    callee.class.starts_with("java/lang/invoke/")
}

/// Whether a site concatenates strings, and this is a method of the JDK that the code which was made for it does so with. What
/// makes strings of the program's own objects is called from there in turn.
fn concatenates(site: &WovenSite, callee: &Method) -> bool {
    let [_, name, descriptor] = &site.names;
    let is_concatenation = name.starts_with(b"makeConcat") && descriptor.ends_with(b")Ljava/lang/String;");
    let is_helper =
        callee.class.starts_with("java/lang/StringConcatHelper") || callee.class == "java/lang/String";
    is_concatenation && is_helper
}

fn is_init_of_object(callee: &Method) -> bool {
    callee.class == "java/lang/Object" && callee.name == "<init>"
}

/// Methods that the JVM itself calls, whatever the program is at.
fn is_callback(callee: &Method) -> bool {
    match callee.name.as_str() {
        "loadClass" | "loadClassInternal" => callee.descriptor == "(Ljava/lang/String;)Ljava/lang/Class;",
        "addClass" | "checkPackageAccess" | "findNative" => callee.class == "java/lang/ClassLoader",
        "transformedByAgent" => callee.class == "jdk/internal/module/Modules",
        "<init>" => {
            let is_thrown = ["Exception", "Error"].iter().any(|end| callee.class.ends_with(end));
            callee.class.starts_with("java/lang/") && is_thrown
        }
        _ => matches!(
            callee.class.as_str(),
            "java/lang/invoke/MethodHandleNatives" | "java/lang/ref/Finalizer"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(opcode: u8, names: [&str; 3], callee: [&str; 3]) -> Kind {
        let names = names.map(|name| name.as_bytes().to_vec());
        let site = WovenSite { number: 1, method: 1, offset: 0, line: 0, opcode, names };
        let [class, name, descriptor] = callee.map(str::to_owned);
        Kind::of(Some(&site), &Method { class, name, descriptor })
    }

    #[test]
    fn what_is_named_is_direct() {
        let foo = ["A", "foo", "()V"];
        assert_eq!(kind(0xb8, foo, foo), Kind::Static);
        assert_eq!(kind(0xb6, foo, ["B", "foo", "()V"]), Kind::Virtual);
        assert_eq!(kind(0xb9, ["A", "foo", "(LT;)V"], ["B", "foo", "(LU;)V"]), Kind::Interface);
        assert_eq!(kind(0xb8, foo, ["A", "foo", "(I)V"]), Kind::Implicit);
        assert_eq!(kind(0xb7, ["A", "<init>", "()V"], ["A", "<init>", "()V"]), Kind::Special);
        assert_eq!(kind(0xb7, ["A", "<init>", "()V"], ["B", "<init>", "()V"]), Kind::Implicit);
    }

    #[test]
    fn what_is_not_named_comes_from_elsewhere() {
        let get = ["java/util/function/Supplier", "get", "()Ljava/lang/Object;"];
        assert_eq!(kind(0xb9, get, ["A", "lambda$0", "()LA;"]), Kind::Dynamic);
        assert_eq!(
            kind(0xb9, get, ["L", "loadClass", "(Ljava/lang/String;)Ljava/lang/Class;"]),
            Kind::Implicit
        );
        assert_eq!(kind(0xb9, get, ["A", "<clinit>", "()V"]), Kind::Clinit);
        assert_eq!(kind(0xb2, ["A", "f", "I"], ["L", "find", "()V"]), Kind::Implicit);
        assert_eq!(kind(0, ["", "", ""], ["A", "f", "()V"]), Kind::Unknown);
    }

    #[test]
    fn what_the_jvm_calls_is_told_from_what_is_named() {
        let load = "(Ljava/lang/String;)Ljava/lang/Class;";
        let by_jvm = ["java/lang/ClassLoader", "loadClass", load];
        // A static method of the same name and types: the first is the one, the other loads its class.
        let own = ["app/Util", "loadClass", load];
        assert_eq!([kind(0xb8, own, own), kind(0xb8, own, by_jvm)], [Kind::Static, Kind::Implicit]);
        // Instance methods may be those of subclasses, and of superclasses.
        assert_eq!(kind(0xb6, by_jvm, ["app/Loader", "loadClass", load]), Kind::Virtual);
        assert_eq!(kind(0xb6, ["app/Loader", "loadClass", load], by_jvm), Kind::Virtual);
        assert_eq!(kind(0xb7, ["app/Loader", "loadClass", load], by_jvm), Kind::Special);
        // With other types, it is not what is named.
        let resolved = ["app/Loader", "loadClass", "(Ljava/lang/String;Z)Ljava/lang/Class;"];
        assert_eq!(
            [kind(0xb6, resolved, resolved), kind(0xb6, resolved, by_jvm)],
            [Kind::Virtual, Kind::Implicit]
        );
        let check = ["java/lang/SecurityManager", "checkPackageAccess", "(Ljava/lang/String;)V"];
        let checked = ["java/lang/ClassLoader", "checkPackageAccess", "(Ljava/lang/Class;)V"];
        assert_eq!([kind(0xb6, check, check), kind(0xb6, check, checked)], [Kind::Virtual, Kind::Implicit]);
        let find = ["java/lang/ClassLoader", "findNative", "(Ljava/lang/ClassLoader;Ljava/lang/String;)J"];
        assert_eq!([kind(0xb9, check, find), kind(0xba, ["", "", ""], find)], [Kind::Implicit; 2]);
    }

    #[test]
    fn what_only_has_the_name_of_a_callback_may_be_a_target() {
        let get = ["java/util/function/Function", "apply", "(Ljava/lang/Object;)Ljava/lang/Object;"];
        let load = ["app/Util", "loadClass", "(Ljava/lang/String;Lapp/Util;)Ljava/lang/Class;"];
        assert_eq!([kind(0xb9, get, load), kind(0xba, ["", "", ""], load)], [Kind::Dynamic; 2]);
        assert_eq!(kind(0xb9, get, ["app/Policy", "checkPackageAccess", "()V"]), Kind::Dynamic);
    }

    #[test]
    fn what_links_handles_is_told_from_their_targets() {
        let [dynamic, get] = [["", "", ""], ["java/util/function/Supplier", "get", "()Ljava/lang/Object;"]];
        let invoke = ["java/lang/invoke/MethodHandle", "invokeExact", "()V"];
        let set = ["java/lang/invoke/VarHandle", "set", "(LA;I)V"];
        let machinery = ["java/lang/invoke/DirectMethodHandle", "allocateInstance", "()V"];
        let sites = [(0xba, dynamic), (0xb6, invoke), (0xb6, set)];
        assert_eq!(sites.map(|(opcode, names)| kind(opcode, names, machinery)), [Kind::Linkage; 3]);
        let object = ["java/lang/Object", "<init>", "()V"];
        assert_eq!(kind(0xba, dynamic, object), Kind::Linkage);
        let helper = ["java/lang/StringConcatHelper", "newString", "([BJ)Ljava/lang/String;"];
        let concat = ["", "makeConcatWithConstants", "(I)Ljava/lang/String;"];
        assert_eq!((kind(0xba, concat, helper), kind(0xba, dynamic, helper)), (Kind::Linkage, Kind::Dynamic));
        // Handles and references to such methods.
        assert_eq!([kind(0xb6, invoke, object), kind(0xb9, get, object)], [Kind::Dynamic; 2]);
        assert_eq!(kind(0xb9, get, ["java/lang/invoke/MethodHandles", "lookup", "()V"]), Kind::Dynamic);
    }

    #[test]
    fn handles_are_dynamic() {
        let invoke = ["java/lang/invoke/MethodHandle", "invokeExact", "()V"];
        assert_eq!(kind(0xb6, invoke, ["A", "foo", "()V"]), Kind::Dynamic);
        assert_eq!(kind(0xba, ["", "", ""], ["A", "foo", "()V"]), Kind::Dynamic);
        let link = ["java/lang/invoke/MethodHandleNatives", "linkCallSite", "()V"];
        assert_eq!(kind(0xba, ["", "", ""], link), Kind::Implicit);
        let ty = ["java/lang/invoke/MethodHandle", "type", "()V"];
        assert_eq!(kind(0xb6, ty, ty), Kind::Virtual);
    }
}
