//! Names of class files as a Java programmer reads them: `a/B.put(Ljava/lang/String;)V` is `a.B` and `put(String)`.

/// The primitive types, and `void`.
const WORDS: [(&str, &str); 9] = [
    ("B", "byte"),
    ("C", "char"),
    ("D", "double"),
    ("F", "float"),
    ("I", "int"),
    ("J", "long"),
    ("S", "short"),
    ("V", "void"),
    ("Z", "boolean"),
];

/// A class by its internal name, or an array by its descriptor.
pub(crate) fn class(name: &str) -> String {
    if name.starts_with('[') { ty(name) } else { name.replace('/', ".") }
}

/// The type of a descriptor.
fn ty(descriptor: &str) -> String {
    let element = descriptor.trim_start_matches('[');
    let dimensions = "[]".repeat(descriptor.len() - element.len());
    let word = WORDS.iter().find(|(letter, _)| *letter == element).map(|&(_, word)| word.to_owned());
    let class = || element.strip_prefix('L').and_then(|name| name.strip_suffix(';')).unwrap_or(element);
    format!("{}{dimensions}", word.unwrap_or_else(|| class().replace('/', ".")))
}

/// The types of the parameters in a method's descriptor; none if it is no descriptor.
fn parameters(descriptor: &str) -> Option<Vec<String>> {
    let (mut rest, _) = descriptor.strip_prefix('(')?.rsplit_once(')')?;
    let mut types = Vec::new();
    while !rest.is_empty() {
        let dimensions = rest.len() - rest.trim_start_matches('[').len();
        let end = match rest.as_bytes().get(dimensions)? {
            b'L' => rest.find(';')? + 1,
            _ => dimensions + 1,
        };
        let (first, after) = rest.split_at_checked(end)?;
        types.push(ty(first));
        rest = after;
    }
    Some(types)
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
