//! Names of class files as a Java programmer reads them: `a/B.put(Ljava/lang/String;)V` is `a.B` and `put(String)`.

pub(crate) use heliostat_core::types::java_class as class;
use heliostat_core::types::java_types;

/// The types of the parameters in a method's descriptor; none if it is no descriptor.
fn parameters(descriptor: &str) -> Option<Vec<String>> {
    java_types(descriptor).map(|(parameters, _)| parameters)
}

/// A method's name with the types of its parameters, these without their packages.
pub(crate) fn call(name: &str, descriptor: &str) -> String {
    let simple = |ty: String| ty.rsplit('.').next().unwrap_or_default().to_owned();
    match parameters(descriptor) {
        Some(types) => format!("{name}({})", types.into_iter().map(simple).collect::<Vec<_>>().join(", ")),
        None => format!("{name}{descriptor}"),
    }
}

/// The same with the packages.
pub(crate) fn full_call(name: &str, descriptor: &str) -> String {
    match parameters(descriptor) {
        Some(types) => format!("{name}({})", types.join(",")),
        None => format!("{name}{descriptor}"),
    }
}

/// The parts of `pkg/Class.name(descriptor)result`: class, name and descriptor.
pub(crate) fn parts(method: &str) -> Option<(&str, &str, &str)> {
    let (named, descriptor) = method.split_at_checked(method.find('(')?)?;
    let (class, name) = named.rsplit_once('.')?;
    Some((class, name, descriptor))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_as_in_java() {
        assert_eq!([class("a/B$C"), class("[[J"), class("[La/B;")], ["a.B$C", "long[][]", "a.B[]"]);
        assert_eq!(call("f", "(I[Ljava/lang/String;La/B$C;)V"), "f(int, String[], B$C)");
        assert_eq!(full_call("f", "(I[Ljava/lang/String;)V"), "f(int,java.lang.String[])");
        assert_eq!([call("<init>", "()V"), call("f", "(L)V")], ["<init>()", "f(L)V"]);
        assert_eq!(parts("a/B.f(La/C;)V"), Some(("a/B", "f", "(La/C;)V")));
        assert_eq!(parts("a/B.f"), None);
    }
}
