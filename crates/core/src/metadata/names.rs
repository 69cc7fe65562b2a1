//! Names of types as Java's own files and tools write them: dots, `$` before nested classes, `[]` behind arrays.

/// What no name in a class file may have.
const FORBIDDEN: [char; 4] = ['.', ';', '[', '/'];

/// The name of a class by its internal one.
pub(super) fn class(internal: &str) -> String {
    internal.replace('/', ".")
}

/// The name of a type by the internal name of a class, or by the descriptor of an array; and by its descriptor.
pub(super) use heliostat_trace::types::{java_class as class_or_array, java_type as descriptor};

use heliostat_trace::types::java_types;

/// The parameter types and the result type of a method by its descriptor; what is none has no parameters.
pub(super) fn signature(text: &str) -> (Vec<String>, String) {
    java_types(text).unwrap_or_else(|| (Vec::new(), descriptor(text)))
}

/// The internal name of the class that a type is made of: that of an array's elements, or the class itself; none of a primitive.
pub(super) fn element(class_or_array: &str) -> Option<&str> {
    let element = class_or_array.trim_start_matches('[');
    if element.len() == class_or_array.len() {
        return Some(element);
    }
    element.strip_prefix('L').map(|name| name.trim_end_matches(';'))
}

/// Class, name and descriptor of a method as `pkg/Class.name(I)V`.
pub(super) fn split_method(text: &str) -> Option<(&str, &str, &str)> {
    let (member, _) = text.split_once('(')?;
    let (class, name) = member.rsplit_once('.')?;
    Some((class, name, text.get(member.len()..)?))
}

/// Whether a class of this name is made by the JVM while a program runs, so that nothing can look for it: a lambda's or a proxy's.
pub(super) fn is_hidden(name: &str) -> bool {
    let simple = name.rsplit(['/', '.']).next().unwrap_or(name);
    let is_number = |rest: &str| !rest.is_empty() && rest.bytes().all(|digit| digit.is_ascii_digit());
    simple.contains("$$Lambda") || simple.strip_prefix("$Proxy").is_some_and(is_number)
}

/// Whether a text can be the name of a type: broken class files have all kinds of names.
pub(super) fn is_type(text: &str) -> bool {
    text.trim_end_matches("[]").split('.').all(is_member)
}

/// Whether a text can be the name of a method or field.
pub(super) fn is_member(text: &str) -> bool {
    !text.is_empty() && !text.contains(FORBIDDEN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types() {
        let names = ["a/B$C", "A", "[I", "[[La/B$C;", "[Z"].map(class_or_array);
        assert_eq!(names, ["a.B$C", "A", "int[]", "a.B$C[][]", "boolean[]"]);
        let elements = ["a/B", "[[La/B;", "[I"].map(element);
        assert_eq!(elements, [Some("a/B"), Some("a/B"), None]);
    }

    #[test]
    fn signatures() {
        let of = |text| {
            let (parameters, result) = signature(text);
            format!("{result} ({})", parameters.join(", "))
        };
        assert_eq!(of("()V"), "void ()");
        assert_eq!(of("(I[JLa/B;[[La/B$C;Z)[D"), "double[] (int, long[], a.B, a.B$C[][], boolean)");
        for broken in ["", "(", "(L", "([", "(é)é", "()"] {
            of(broken);
        }
    }

    #[test]
    fn methods() {
        assert_eq!(split_method("a/B.c(I)V"), Some(("a/B", "c", "(I)V")));
        assert_eq!(split_method("B.<init>()V"), Some(("B", "<init>", "()V")));
        assert_eq!((split_method("B.c"), split_method("c()V")), (None, None));
    }

    #[test]
    fn what_the_jvm_makes() {
        assert!(["a/B$$Lambda$14", "jdk.proxy1.$Proxy12", "$Proxy3"].into_iter().all(is_hidden));
        assert!(!["a/B", "a/$ProxyFactory", "a.$Proxy", "a.B$$SpringCGLIB$$0"].into_iter().any(is_hidden));
    }

    #[test]
    fn what_can_be_written() {
        assert!(["a.B$C", "A", "int[][]"].into_iter().all(is_type) && is_member("<init>"));
        assert!(!["", "a..B", "a;B", "[I", "a/B", "a.B[]c"].into_iter().any(is_type) && !is_member("a.b"));
    }
}
