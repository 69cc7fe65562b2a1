//! Method patterns, as people write them on a command line.

use heliostat_classfile::mutf8;

/// Which methods are meant. `*` stands for anything, a dot or a slash for either of them:
///
/// | pattern | methods |
/// |---|---|
/// | `load` | of this name, of any class |
/// | `Loader.load` | of this name, of any class `Loader`, whatever its package |
/// | `com.acme.Loader.load`, `com/acme/Loader.load` | of this name, of this class |
/// | `com.acme.Loader#load`, `com.acme.Loader::load` | the same |
/// | `Lcom/acme/Loader;.load(I)V` | the same with this descriptor, as the textual IR writes it |
/// | `com/acme/Loader`, `com/acme/*` | all of this class, all below this package |
/// | `load(I*`, `load(I)` | those whose first, or only, parameter is an `int` |
///
/// What these do not match is read more loosely: `Loader` is a class of that name, and `Outer.Inner.load` is of
/// `Outer$Inner`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MethodPattern {
    /// Package, class and method name, all with slashes between: no class or method name holds a dot or a slash,
    /// so that nothing is lost.
    path: Vec<u8>,
    /// How many parts the path has.
    parts: usize,
    descriptor: Option<Vec<u8>>,
}

/// How literally a pattern is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reading {
    /// As the table says.
    Exact,
    /// A lone name may be a class's, a dot may stand for `$`, and inner classes have their own simple names.
    Loose,
}

impl MethodPattern {
    /// The pattern that a text stands for. Every text is one.
    pub fn new(text: &str) -> Self {
        // As the textual IR begins a method.
        let text = text.trim_start_matches("method ").trim_start_matches("static ");
        let (path, descriptor) = text.split_at(text.find('(').unwrap_or(text.len()));
        let path = path_of(path);
        let any_result = if descriptor.ends_with(')') { "*" } else { "" };
        let descriptor = (!descriptor.is_empty())
            .then(|| mutf8::encode(&format!("{}{any_result}", descriptor.replace('.', "/"))));
        Self { parts: path.split(|&b| b == b'/').count(), path, descriptor }
    }

    /// Whether it means this method, by internal class name, name and descriptor.
    pub(crate) fn matches(&self, reading: Reading, class: &[u8], name: &[u8], descriptor: &[u8]) -> bool {
        self.descriptor.as_ref().is_none_or(|wanted| glob(Reading::Exact, wanted, descriptor))
            && match reading {
                Reading::Exact => self.matches_exactly(class, name),
                Reading::Loose => self.matches_loosely(class, name),
            }
    }

    fn matches_exactly(&self, class: &[u8], name: &[u8]) -> bool {
        let glob = |text: &[u8]| glob(Reading::Exact, &self.path, text);
        let of = |class: &[u8]| glob(&[class, b"/", name].concat());
        match self.parts {
            1 => glob(name),
            2 if of(simple_name(class)) => true,
            _ => of(class) || self.descriptor.is_none() && glob(class),
        }
    }

    fn matches_loosely(&self, class: &[u8], name: &[u8]) -> bool {
        let simple = simple_name(class);
        let inner = (0..simple.len()).filter(|&i| simple.get(i) == Some(&b'$'));
        let inner = inner.filter_map(|i| simple.get(i + 1..));
        [class, simple].into_iter().chain(inner).any(|class| {
            glob(Reading::Loose, &self.path, &[class, b"/", name].concat())
                || self.descriptor.is_none() && glob(Reading::Loose, &self.path, class)
        })
    }

    /// The classes that it names in full, if they exist: the pattern itself, and what stands before the last
    /// part.
    pub(crate) fn class_names(&self, reading: Reading) -> Vec<Vec<u8>> {
        let names = [Some(self.path.as_slice()), self.owner()].into_iter().flatten();
        let names = names.filter(|name| !name.contains(&b'*'));
        match reading {
            Reading::Exact => names.map(<[u8]>::to_vec).collect(),
            Reading::Loose => names.flat_map(inner_names).collect(),
        }
    }

    pub(crate) fn has_star(&self) -> bool {
        self.path.contains(&b'*')
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

/// Package, class and method with slashes between, however they were written.
fn path_of(text: &str) -> Vec<u8> {
    let slashed = |text: &str| mutf8::encode(&text.replace("::", "/").replace(['.', '#'], "/"));
    // As the textual IR writes it: `Lcom/acme/Main;.main`.
    let Some((class, member)) = text.strip_prefix('L').and_then(|text| text.split_once(';')) else {
        return slashed(text);
    };
    let member = member.trim_start_matches(['.', '#', ':']);
    let quoted = member.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    match (member, quoted) {
        ("", _) => slashed(class),
        (_, Some(quoted)) => [slashed(class), vec![b'/'], unquoted(quoted)].concat(),
        _ => [slashed(class), vec![b'/'], slashed(member)].concat(),
    }
}

/// The bytes of a name that `program::quote` wrote.
fn unquoted(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        rest = tail;
        match (first, tail) {
            (b'\\', [b'x', high, low, after @ ..]) => {
                let digit = |b: u8| char::from(b).to_digit(16).unwrap_or_default() as u8;
                bytes.push(digit(*high) << 4 | digit(*low));
                rest = after;
            }
            (b'\\', [b'n', after @ ..]) => {
                bytes.push(b'\n');
                rest = after;
            }
            (b'\\', [escaped, after @ ..]) => {
                bytes.push(*escaped);
                rest = after;
            }
            _ => bytes.push(first),
        }
    }
    bytes
}

/// What follows the last slash.
pub(crate) fn simple_name(name: &[u8]) -> &[u8] {
    name.rsplit(|&b| b == b'/').next().unwrap_or(name)
}

/// What follows the last slash or dollar: the name in the source, of an inner class too.
pub(crate) fn java_simple_name(name: &[u8]) -> &[u8] {
    name.rsplit(|&b| matches!(b, b'/' | b'$')).next().filter(|name| !name.is_empty()).unwrap_or(name)
}

/// `a/B/C` as `a/B$C`, then `a$B$C`: an inner class by its name in the source.
fn inner_names(name: &[u8]) -> Vec<Vec<u8>> {
    let mut names = Vec::new();
    let mut name = name.to_vec();
    while let Some(slash) = name.iter_mut().rfind(|b| **b == b'/') {
        *slash = b'$';
        names.push(name.clone());
    }
    names
}

/// Whether a text fits a pattern in which `*` stands for any run of bytes, and, in a loose reading, a slash for `$`
/// too. Takes time proportional to the product of their lengths at worst: on a mismatch only the last star is
/// tried again.
fn glob(reading: Reading, pattern: &[u8], text: &[u8]) -> bool {
    let fits =
        |wanted: u8, byte: u8| wanted == byte || reading == Reading::Loose && wanted == b'/' && byte == b'$';
    let (mut p, mut t) = (0, 0);
    let mut retry = None;
    while let Some(&byte) = text.get(t) {
        match pattern.get(p) {
            Some(b'*') => {
                p += 1;
                retry = Some((p, t));
            }
            Some(&wanted) if fits(wanted, byte) => (p, t) = (p + 1, t + 1),
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
            assert!(glob(Reading::Exact, pattern.as_bytes(), text.as_bytes()), "{pattern} {text}");
        }
        for (pattern, text) in [("", "a"), ("a", ""), ("a*c", "abb"), ("*a*b*", "ba"), ("a*a", "a")] {
            assert!(!glob(Reading::Exact, pattern.as_bytes(), text.as_bytes()), "{pattern} {text}");
        }
    }

    fn means(reading: Reading, pattern: &str) -> bool {
        let method: [&[u8]; 3] = [b"com/acme/Loader", b"load", b"(ILjava/lang/String;)V"];
        MethodPattern::new(pattern).matches(reading, method[0], method[1], method[2])
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
            "com.acme.Loader::load",
            "com.acme.Loader#load(I*",
            "Loader#load",
            "Lcom/acme/Loader;.load(ILjava/lang/String;)V",
            "Lcom/acme/Loader;.\"lo\\x61d\"",
            "method static Lcom/acme/Loader;.load(I*",
            "Lcom/acme/Loader;",
            "com/acme/Loader",
            "com.acme.*",
            "*/Loader.load",
            "load(ILjava/lang/String;)V",
            "load(ILjava.lang.String;)",
            "com.acme.Loader.load(I*",
        ] {
            assert!(means(Reading::Exact, good), "{good}");
        }
        for bad in
            ["Loader", "acme.Loader.load", "oad", "load()", "load(I)", "com.acme", "com/acme/Loader(I*"]
        {
            assert!(!means(Reading::Exact, bad), "{bad}");
        }
        assert!(means(Reading::Loose, "Loader"));
        assert!(!means(Reading::Loose, "Loader(I*") && !means(Reading::Loose, "Load"));
    }

    #[test]
    fn inner_classes_by_their_names_in_the_source() {
        let means = |pattern: &str| {
            let pattern = MethodPattern::new(pattern);
            pattern.matches(Reading::Loose, b"java/util/Map$Entry", b"getKey", b"()")
        };
        for good in ["Map.Entry.getKey", "java.util.Map.Entry.getKey", "Entry.getKey", "Map.Entry", "Entry"] {
            assert!(means(good), "{good}");
        }
        for bad in ["Map.getKey", "util.Map.Entry.getKey", "Map.Entry.get"] {
            assert!(!means(bad), "{bad}");
        }
        let names = MethodPattern::new("java.util.Map.Entry.*").class_names(Reading::Loose);
        assert!(names.contains(&b"java/util/Map$Entry".to_vec()));
    }

    #[test]
    fn constructors_and_the_unnamed_package() {
        for pattern in ["Main.<init>", "<init>()V"] {
            assert!(MethodPattern::new(pattern).matches(Reading::Exact, b"Main", b"<init>", b"()V"));
        }
    }

    #[test]
    fn classes_named_in_full() {
        let pattern = MethodPattern::new("java.lang.String.val*");
        assert_eq!(pattern.class_names(Reading::Exact), [b"java/lang/String"]);
        assert!(MethodPattern::new("java.*.String.valueOf").class_names(Reading::Exact).is_empty());
    }
}
