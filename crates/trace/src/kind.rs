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
            INVOKE_DYNAMIC | LDC | LDC_W | LDC2_W if !is_callback(callee) => return Self::Dynamic,
            _ => return Self::Implicit,
        };
        if is_polymorphic(names) {
            return if is_callback(callee) { Self::Implicit } else { Self::Dynamic };
        }
        if is_named(names, callee, matches!(direct, Self::Virtual | Self::Interface)) {
            return direct;
        }
        let through_hidden_class = direct == Self::Interface && !is_callback(callee);
        if through_hidden_class { Self::Dynamic } else { Self::Implicit }
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
const INVOKE_DYNAMIC: u8 = 0xba;

/// Whether an instruction names what was called. Where the receiver selects, a method of the same name and other types may
/// stand for the one that is named, in code that is not seen.
fn is_named([owner, name, descriptor]: &[Vec<u8>; 3], callee: &Method, selects: bool) -> bool {
    let same_name = name == callee.name.as_bytes();
    let same_type = descriptor == callee.descriptor.as_bytes();
    // Constructors are not inherited.
    let same_owner = name != b"<init>" || owner == callee.class.as_bytes();
    same_name && same_owner && (same_type || selects)
}

/// Whether a method is called with whatever types its caller has (JVMS 2.9.3).
fn is_polymorphic([owner, name, _]: &[Vec<u8>; 3]) -> bool {
    match owner.as_slice() {
        b"java/lang/invoke/MethodHandle" => matches!(name.as_slice(), b"invoke" | b"invokeExact"),
        b"java/lang/invoke/VarHandle" => {
            let starts: [&[u8]; 4] = [b"get", b"set", b"compareAnd", b"weakCompareAnd"];
            starts.iter().any(|start| name.starts_with(start))
        }
        _ => false,
    }
}

/// Methods that the JVM itself calls, whatever the program is at.
fn is_callback(callee: &Method) -> bool {
    match callee.name.as_str() {
        "loadClass" | "loadClassInternal" => callee.descriptor.ends_with(")Ljava/lang/Class;"),
        "checkPackageAccess" => true,
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
