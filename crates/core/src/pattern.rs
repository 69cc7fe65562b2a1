//! Method patterns, as people write them on a command line.

use heliostat_classfile::mutf8;

/// Which methods are meant. `*` stands for anything, a dot or a slash for either of them:
///
/// | pattern | methods |
/// |---|---|
/// | `load` | of this name, of any class |
/// | `Loader.load` | of this name, of any class `Loader`, whatever its package |
/// | `com.acme.Loader.load`, `com/acme/Loader.load` | of this name, of this class |
/// | `com/acme/Loader`, `com/acme/*` | all of this class, all below this package |
/// | `load(I*`, `load(I)` | those whose first, or only, parameter is an `int` |
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MethodPattern {
    /// Package, class and method name, all with slashes between: no class or method name holds a dot or a slash,
    /// so that nothing is lost.
    path: Vec<u8>,
    /// How many parts the path has.
    parts: usize,
    descriptor: Option<Vec<u8>>,
}

impl MethodPattern {
    /// The pattern that a text stands for. Every text is one.
    pub fn new(text: &str) -> Self {
        let text = mutf8::encode(&text.replace('.', "/"));
        let end = text.iter().position(|&b| b == b'(').unwrap_or(text.len());
        let (path, descriptor) = text.split_at(end);
        let any_result: &[u8] = if descriptor.ends_with(b")") { b"*" } else { b"" };
        let descriptor = (!descriptor.is_empty()).then(|| [descriptor, any_result].concat());
        Self { path: path.to_vec(), parts: path.split(|&b| b == b'/').count(), descriptor }
    }

    /// Whether it means this method, by internal class name, name and descriptor.
    pub fn matches(&self, class: &[u8], name: &[u8], descriptor: &[u8]) -> bool {
        self.descriptor.as_ref().is_none_or(|wanted| glob(wanted, descriptor))
            && self.matches_path(class, name)
    }

    fn matches_path(&self, class: &[u8], name: &[u8]) -> bool {
        let of = |class: &[u8]| glob(&self.path, &[class, b"/", name].concat());
        match self.parts {
            1 => glob(&self.path, name),
            2 if of(simple_name(class)) => true,
            _ => of(class) || self.descriptor.is_none() && glob(&self.path, class),
        }
    }

    /// The classes that it names in full, if they exist: the pattern itself, and what stands before the last
    /// part.
    pub(crate) fn class_names(&self) -> impl Iterator<Item = &[u8]> {
        let names = [Some(self.path.as_slice()), self.owner()];
        names.into_iter().flatten().filter(|name| !name.contains(&b'*'))
    }

    /// What stands before the last part.
    pub(crate) fn owner(&self) -> Option<&[u8]> {
        let end = self.path.iter().rposition(|&b| b == b'/')?;
        self.path.get(..end)
    }

    /// The last part: a method's name, or a class's.
    pub(crate) fn last_part(&self) -> &[u8] {
        simple_name(&self.path)
    }
}

/// What follows the last slash.
pub(crate) fn simple_name(name: &[u8]) -> &[u8] {
    name.rsplit(|&b| b == b'/').next().unwrap_or(name)
}

/// Whether a text fits a pattern in which `*` stands for any run of bytes. Takes time proportional to the product
/// of their lengths at worst: on a mismatch only the last star is tried again.
fn glob(pattern: &[u8], text: &[u8]) -> bool {
    let (mut p, mut t) = (0, 0);
    let mut retry = None;
    while t < text.len() {
        match pattern.get(p) {
            Some(b'*') => {
                p += 1;
                retry = Some((p, t));
            }
            Some(&b) if text.get(t) == Some(&b) => (p, t) = (p + 1, t + 1),
            _ => match retry {
                Some((after_star, from)) => {
                    (p, t) = (after_star, from + 1);
                    retry = Some((after_star, from + 1));
                }
                None => return false,
            },
        }
    }
    pattern.iter().skip(p).all(|&b| b == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs() {
        for (pattern, text) in [("", ""), ("*", ""), ("a*c", "abbc"), ("*a*b*", "xxaxxbxx"), ("*ab", "aab")] {
            assert!(glob(pattern.as_bytes(), text.as_bytes()), "{pattern} {text}");
        }
        for (pattern, text) in [("", "a"), ("a", ""), ("a*c", "abb"), ("*a*b*", "ba"), ("a*a", "a")] {
            assert!(!glob(pattern.as_bytes(), text.as_bytes()), "{pattern} {text}");
        }
    }

    fn means(pattern: &str) -> bool {
        MethodPattern::new(pattern).matches(b"com/acme/Loader", b"load", b"(ILjava/lang/String;)V")
    }

    #[test]
    fn ways_to_name_a_method() {
        for good in [
            "load",
            "lo*",
            "*",
            "Loader.load",
            "Loader.*",
            "com.acme.Loader.load",
            "com/acme/Loader.load",
            "com/acme/Loader/load",
            "com/acme/Loader",
            "com.acme.*",
            "*/Loader.load",
            "load(ILjava/lang/String;)V",
            "load(ILjava.lang.String;)",
            "com.acme.Loader.load(I*",
        ] {
            assert!(means(good), "{good}");
        }
        for bad in
            ["Loader", "acme.Loader.load", "oad", "load()", "load(I)", "com.acme", "com/acme/Loader(I*"]
        {
            assert!(!means(bad), "{bad}");
        }
    }

    #[test]
    fn constructors_and_the_unnamed_package() {
        assert!(MethodPattern::new("Main.<init>").matches(b"Main", b"<init>", b"()V"));
        assert!(MethodPattern::new("<init>()V").matches(b"Main", b"<init>", b"()V"));
    }

    #[test]
    fn classes_named_in_full() {
        let pattern = MethodPattern::new("java.lang.String.val*");
        assert_eq!(pattern.class_names().collect::<Vec<_>>(), [b"java/lang/String"]);
        assert_eq!(MethodPattern::new("java.*.String.valueOf").class_names().count(), 0);
    }
}
