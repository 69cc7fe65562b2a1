//! Types as descriptors, and as they are written in Java.

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

/// The internal name in the descriptor of a class; that of an array stays as it is.
pub(crate) fn class_name(descriptor: &str) -> &str {
    descriptor.strip_prefix('L').and_then(|name| name.strip_suffix(';')).unwrap_or(descriptor)
}

/// A descriptor as it is written in Java: `[I` is `int[]`. What is no descriptor is taken for the name of a class.
pub fn java_type(descriptor: &str) -> String {
    let element = descriptor.trim_start_matches('[');
    let dimensions = "[]".repeat(descriptor.len() - element.len());
    let word = WORDS.iter().find(|(letter, _)| *letter == element).map(|(_, word)| (*word).to_owned());
    let name = word.unwrap_or_else(|| class_name(element).replace('/', "."));
    format!("{name}{dimensions}")
}

/// A class by its internal name, or an array by its descriptor, as it is written in Java. A class may be called `B`, as the descriptor of
/// `byte` is.
pub fn java_class(name: &str) -> String {
    if name.starts_with('[') { java_type(name) } else { name.replace('/', ".") }
}

/// The types of a method's descriptor as they are written in Java, and that of its result.
pub fn java_types(descriptor: &str) -> Option<(Vec<String>, String)> {
    let (mut rest, result) = descriptor.strip_prefix('(')?.rsplit_once(')')?;
    let mut parameters = Vec::new();
    while !rest.is_empty() {
        let (first, after) = rest.split_at_checked(first_type(rest)?)?;
        parameters.push(java_type(first));
        rest = after;
    }
    Some((parameters, java_type(result)))
}

/// The length of the first type of some descriptors.
fn first_type(text: &str) -> Option<usize> {
    let dimensions = text.len() - text.trim_start_matches('[').len();
    match text.as_bytes().get(dimensions)? {
        b'L' => Some(text.find(';')? + 1),
        _ => Some(dimensions + 1),
    }
}

/// The descriptor of a type that is written in Java, or as `Class.getName` gives it: `[Ljava.lang.String;`.
pub(crate) fn descriptor_of(text: &str) -> Option<String> {
    let text = text.trim();
    let element = text.trim_end_matches("[]");
    let dimensions = "[".repeat((text.len() - element.len()) / 2);
    let is_name = |name: &str| !name.is_empty() && !name.contains([';', '[', '(', ')', '<', '>', ' ', ',']);
    if let Some((letter, _)) = WORDS.iter().find(|(_, word)| *word == element) {
        return Some(format!("{dimensions}{letter}"));
    }
    if element.starts_with('[') {
        let inner = element.trim_start_matches('[');
        let is_primitive = WORDS.iter().any(|(letter, _)| *letter == inner);
        let is_class = inner.strip_prefix('L').and_then(|name| name.strip_suffix(';')).is_some_and(is_name);
        return (is_primitive || is_class).then(|| format!("{dimensions}{}", element.replace('.', "/")));
    }
    is_name(element).then(|| format!("{dimensions}L{};", element.replace('.', "/")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn to_java_and_back() {
        let types = [("I", "int"), ("[[J", "long[][]"), ("La/B;", "a.B"), ("[La/B$C;", "a.B$C[]")];
        for (descriptor, java) in types {
            assert_eq!(
                (java_type(descriptor).as_str(), descriptor_of(java).as_deref()),
                (java, Some(descriptor))
            );
        }
        assert_eq!([java_class("B"), java_class("a/B"), java_class("[B")], ["B", "a.B", "byte[]"]);
        assert_eq!(descriptor_of("[Ljava.lang.String;").as_deref(), Some("[Ljava/lang/String;"));
        assert_eq!(descriptor_of("[[I").as_deref(), Some("[[I"));
        for bad in ["", "[", "[L;", "[Q", "a b", "a<b>"] {
            assert_eq!(descriptor_of(bad), None, "{bad}");
        }
    }

    #[test]
    fn descriptors_of_methods() {
        let (parameters, result) = java_types("(I[Ljava/lang/String;J)V").unwrap();
        assert_eq!(
            (parameters.join(","), result.as_str()),
            ("int,java.lang.String[],long".to_owned(), "void")
        );
        assert_eq!(java_types("(L)V"), None);
        assert_eq!(java_types("([)V"), None);
    }
}
