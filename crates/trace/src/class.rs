//! Classes that were loaded.

use heliostat_classfile::mutf8;
use heliostat_weave::log::{LoadedClass, is_of_jdk};

/// A class that was loaded.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Class {
    /// Its internal name.
    pub name: String,
    /// Checksum (CRC-32) of its bytes, as they were before tracing was woven in.
    pub checksum: u32,
    /// The length of these bytes.
    pub length: u32,
    /// Where it is from, as its code source says; empty if that says nothing.
    pub location: String,
    /// Whether it is of the boot loader.
    pub is_boot: bool,
    /// Whether the program has made it while it ran, as far as that can be seen. These count as such:
    ///
    /// - hidden classes (their names have `/0x`), classes of lambdas and lambda forms, also those that were made when the JDK was built
    ///   (`Invokers$Holder`);
    /// - proxies (`$Proxy7`), and what the JDK makes for reflection (`GeneratedMethodAccessor3`);
    /// - classes of other loaders than the boot loader, outside of the JDK's packages, for which no location is given. A class loader
    ///   that reads class files and does not say where from is taken for one that makes them;
    /// - classes that are not where they say that they are from: those that were made for another one, and defined with its location.
    pub is_generated: bool,
    /// Whether nothing could be made of its bytes, so that nothing in it is traced.
    pub is_unreadable: bool,
}

impl Class {
    /// Whether it is of the JDK: of the boot loader or one of its modules, or in a package that nobody else has.
    pub fn is_of_jdk(&self) -> bool {
        self.is_boot || self.location.starts_with("jrt:") || is_of_jdk(self.name.as_bytes())
    }

    pub(crate) fn of(loaded: &LoadedClass) -> Self {
        let name = mutf8::decode_lossy(&loaded.name);
        Self {
            checksum: loaded.checksum,
            length: loaded.length,
            location: loaded.location.clone(),
            is_boot: loaded.is_boot,
            is_generated: is_generated_name(&name)
                || !loaded.is_boot && loaded.location.is_empty() && !is_of_jdk(&loaded.name),
            is_unreadable: loaded.is_unreadable,
            name,
        }
    }
}

fn is_generated_name(name: &str) -> bool {
    let simple = name.rsplit('/').next().unwrap_or(name);
    let numbered = |start: &str| {
        let number = simple.strip_prefix(start);
        number.is_some_and(|number| !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit()))
    };
    let forms = ["LambdaForm$MH", "LambdaForm$DMH", "LambdaForm$BMH", "LambdaForm$VH"];
    name.contains("/0x")
        || simple.contains("$$Lambda")
        || name.starts_with("java/lang/invoke/")
            && (simple.ends_with("$Holder") || forms.iter().any(|start| simple.starts_with(start)))
        || numbered("$Proxy")
        || [
            "GeneratedMethodAccessor",
            "GeneratedConstructorAccessor",
            "GeneratedSerializationConstructorAccessor",
        ]
        .iter()
        .any(|start| numbered(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_generated(name: &str, location: &str, is_boot: bool) -> bool {
        let (name, location) = (name.as_bytes().to_vec(), location.to_owned());
        Class::of(&LoadedClass { name, location, is_boot, ..LoadedClass::default() }).is_generated
    }

    #[test]
    fn classes_that_no_file_has() {
        for name in [
            "app/Main$$Lambda$14",
            "app/Main$$Lambda/0x00007f",
            "java/lang/invoke/LambdaForm$MH001",
            "jdk/proxy2/$Proxy7",
            "jdk/internal/reflect/GeneratedMethodAccessor12",
        ] {
            assert!(is_generated(name, "jrt:/x", true), "{name}");
        }
        assert!(is_generated("app/Made", "", false), "no location");
    }

    #[test]
    fn classes_that_a_file_has() {
        for name in [
            "java/lang/reflect/Proxy",
            "java/lang/invoke/LambdaForm$Name",
            "app/$Proxy",
            "app/Socks$Proxy4",
            "java/lang/X",
        ] {
            assert!(!is_generated(name, "", true), "{name}");
        }
        assert!(!is_generated("app/Main", "file:/app.jar", false));
    }
}
