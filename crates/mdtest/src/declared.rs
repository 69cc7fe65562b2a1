//! The method that a line of Java source declares.

/// A method as its declaration names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DeclaredMethod {
    /// The name in class files.
    pub(crate) name: String,
    /// The names of its parameters.
    pub(crate) parameters: Vec<String>,
}

/// Words that begin a statement rather than a declaration.
const STATEMENTS: [&str; 12] =
    ["return", "new", "throw", "else", "case", "if", "for", "while", "switch", "catch", "try", "assert"];
const MODIFIERS: [&str; 9] =
    ["public", "protected", "private", "static", "final", "abstract", "native", "default", "synchronized"];

/// The method that a line declares: before the first `(` there are a type and a name, or the name of a class.
pub(crate) fn declared_method(line: &str) -> Option<DeclaredMethod> {
    let code = line.split("//").next()?.trim();
    if code.starts_with("static {") {
        return Some(DeclaredMethod { name: "<clinit>".to_owned(), parameters: Vec::new() });
    }
    let (head, rest) = code.split_once('(')?;
    let head = without_type_arguments(head.rsplit(['{', '}', ';']).next()?);
    if head.contains(['=', '"', '-']) {
        return None;
    }
    let is_noise = |word: &&str| !MODIFIERS.contains(word) && !word.starts_with('@');
    let words: Vec<&str> = head.split_whitespace().filter(is_noise).collect();
    let name = match words[..] {
        [first, ..] if STATEMENTS.contains(&first) => return None,
        [name] if name.starts_with(char::is_uppercase) && !name.contains('.') => "<init>",
        [_, name] => name,
        _ => return None,
    };

    let (parameters, _) = rest.split_once(')')?;
    let parameters = without_type_arguments(parameters);
    let name_of = |parameter: &str| parameter.split_whitespace().last().map(str::to_owned);
    Some(DeclaredMethod {
        name: name.to_owned(),
        parameters: parameters.split(',').filter_map(name_of).collect(),
    })
}

/// Drops everything between `<` and `>`.
fn without_type_arguments(text: &str) -> String {
    let mut depth = 0_u32;
    let outside = text.chars().filter(|&c| {
        let is_outside = depth == 0 && c != '<';
        depth = match c {
            '<' => depth + 1,
            '>' => depth.saturating_sub(1),
            _ => depth,
        };
        is_outside
    });
    outside.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_are_told_from_statements() {
        let name = |line| declared_method(line).map(|method| method.name);
        for (line, expected) in [
            ("    static void f() {", "f"),
            ("public <T extends Comparable<T>> Map<A, T[]> f(T x) { // calls: A.g", "f"),
            ("    A(int x) {", "<init>"),
            ("    protected A() {}", "<init>"),
            ("    static { x = f(); }", "<clinit>"),
            ("    Object f() { return g(1); }", "f"),
            ("interface I { void f(); }", "f"),
            ("    @Override public native Object f(int x);", "f"),
        ] {
            assert_eq!(name(line).as_deref(), Some(expected), "{line}");
        }
        for line in [
            "f(x);",
            "return f(x);",
            "a.f(x);",
            "Object o = f(x);",
            "new A(x);",
            "else f(x);",
            "r = () -> f(x);",
            "int x;",
            "A.f(x);",
        ] {
            assert_eq!(name(line), None, "{line}");
        }
    }

    #[test]
    fn parameters_are_named() {
        let parameters = |line| declared_method(line).unwrap().parameters;
        assert_eq!(parameters("void f(Map<A, B> m, final int... n) {"), ["m", "n"]);
        assert!(parameters("void f() {}").is_empty());
    }
}
