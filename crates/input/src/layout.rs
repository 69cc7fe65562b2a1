//! What the path of an entry says about it: class, resource, module descriptor or nested jar.

use std::borrow::Cow;

/// Folders of a fat jar or a WAR whose content counts as if it lay at the root.
const CLASS_FOLDERS: [&[u8]; 2] = [b"BOOT-INF/classes/", b"WEB-INF/classes/"];
/// Folders of a fat jar or a WAR whose jars are on the class path.
const JAR_FOLDERS: [&[u8]; 3] = [b"BOOT-INF/lib/", b"WEB-INF/lib/", b"WEB-INF/lib-provided/"];

/// Which conventions the paths of an archive follow.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Layout {
    /// A jar or WAR; a multi-release one chooses among versions up to the one given.
    Jar { release: Option<u16> },
    /// A directory: as a jar, but never multi-release.
    Directory,
    /// A `.jmod`, with its classes and resources under `classes/`.
    Jmod,
    /// A module of the JDK's image, whose name was already taken off the path.
    Module,
}

/// What an entry is. Names are those that a class loader would ask for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Role<'a> {
    /// A class, by its internal name.
    Class(&'a [u8]),
    /// A resource, by its path from the root of the class path entry.
    Resource(&'a [u8]),
    /// A `module-info.class`.
    ModuleInfo,
    /// A jar on the class path of its outer archive.
    ClassPathJar,
    /// A jar that is nothing but data to its outer archive, by its whole path.
    OtherJar(&'a [u8]),
    /// Of no interest: what a multi-release jar has for other releases; native libraries, licences and the like of
    /// a `.jmod`.
    Ignored,
}

/// An entry's role, and the release it is for: 0 unless it lies under `META-INF/versions/`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Placed<'a> {
    pub(crate) role: Role<'a>,
    pub(crate) release: u16,
}

/// The role of the entry at `path`.
pub(crate) fn place(path: &[u8], layout: Layout) -> Placed<'_> {
    let plain = |role| Placed { role, release: 0 };
    match layout {
        Layout::Module => plain(content_role(path)),
        Layout::Jmod => plain(path.strip_prefix(b"classes/").map_or(Role::Ignored, content_role)),
        Layout::Directory => plain(jar_role(path).unwrap_or_else(|| content_role(unfold(path)))),
        Layout::Jar { release } => {
            if let Some(role) = jar_role(path) {
                return plain(role);
            }
            let path = unfold(path);
            match release.and_then(|newest| Some((newest, versioned(path)?))) {
                Some((newest, (release, inner))) if (9..=newest).contains(&release) => {
                    Placed { role: content_role(inner), release }
                }
                Some(_) => plain(Role::Ignored),
                None => plain(content_role(path)),
            }
        }
    }
}

/// The path without the class folder of a fat jar or WAR.
fn unfold(path: &[u8]) -> &[u8] {
    CLASS_FOLDERS.iter().find_map(|folder| path.strip_prefix(*folder)).unwrap_or(path)
}

fn jar_role(path: &[u8]) -> Option<Role<'_>> {
    if !is_jar(path) {
        return None;
    }
    let on_class_path =
        JAR_FOLDERS.iter().any(|folder| path.strip_prefix(*folder).is_some_and(|name| !name.contains(&b'/')));
    Some(if on_class_path { Role::ClassPathJar } else { Role::OtherJar(path) })
}

/// Whether the name ends like a jar's.
pub(crate) fn is_jar(path: &[u8]) -> bool {
    path.last_chunk::<4>().is_some_and(|end| end.eq_ignore_ascii_case(b".jar"))
}

/// The release and the path below of `META-INF/versions/N/path`, unless it is a second `META-INF`.
fn versioned(path: &[u8]) -> Option<(u16, &[u8])> {
    let rest = path.strip_prefix(b"META-INF/versions/")?;
    let (number, inner) = rest.split_at_checked(rest.iter().position(|&b| b == b'/')?)?;
    let number = std::str::from_utf8(number).ok()?.parse().ok()?;
    let inner = inner.get(1..)?;
    (!inner.starts_with(b"META-INF/")).then_some((number, inner))
}

fn content_role(path: &[u8]) -> Role<'_> {
    match path.strip_suffix(b".class") {
        Some(b"module-info") => Role::ModuleInfo,
        // No loader asks for a class below META-INF, in an unnamed file, or named like a descriptor.
        Some(name)
            if !name.is_empty()
                && !name.ends_with(b"/")
                && !name.ends_with(b"/module-info")
                && !name.starts_with(b"META-INF/") =>
        {
            Role::Class(name)
        }
        _ => Role::Resource(path),
    }
}

/// Why a path cannot be that of an entry, if so.
pub(crate) fn flaw(path: &[u8]) -> Option<&'static str> {
    if std::str::from_utf8(path).is_err() {
        return Some("the name is not UTF-8");
    }
    if path.contains(&0) {
        return Some("the name has a NUL character");
    }
    if path.is_empty() || path.starts_with(b"/") || path.starts_with(b"\\") {
        return Some("the name is empty or an absolute path");
    }
    path.split(|&b| b == b'/').any(|part| part == b"..").then_some("the name has a `..` in it")
}

/// The name as class files spell it: characters beyond the basic plane as two surrogates.
pub(crate) fn modified_utf8(name: &[u8]) -> Cow<'_, [u8]> {
    let text = match std::str::from_utf8(name) {
        Ok(text) if name.iter().any(|&b| b >= 0xF0) => text,
        _ => return Cow::Borrowed(name),
    };
    let mut out = Vec::with_capacity(name.len() + name.len() / 2);
    for unit in text.encode_utf16() {
        let low = unit as u8;
        match unit {
            0..0x80 => out.push(low),
            0x80..0x800 => out.extend([0xC0 | (unit >> 6) as u8, 0x80 | low & 0x3F]),
            _ => {
                let middle = (unit >> 6) as u8 & 0x3F;
                out.extend([0xE0 | (unit >> 12) as u8, 0x80 | middle, 0x80 | low & 0x3F]);
            }
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    const JAR: Layout = Layout::Jar { release: None };

    fn role(path: &str, layout: Layout) -> Role<'_> {
        place(path.as_bytes(), layout).role
    }

    #[test]
    fn plain_and_fat_jars() {
        assert_eq!(role("com/acme/A.class", JAR), Role::Class(b"com/acme/A"));
        assert_eq!(role("BOOT-INF/classes/com/acme/A.class", JAR), Role::Class(b"com/acme/A"));
        assert_eq!(role("WEB-INF/classes/app.properties", JAR), Role::Resource(b"app.properties"));
        assert_eq!(role("WEB-INF/web.xml", JAR), Role::Resource(b"WEB-INF/web.xml"));
        assert_eq!(role("module-info.class", JAR), Role::ModuleInfo);
        assert_eq!(role("a/package-info.class", JAR), Role::Class(b"a/package-info"));
        for odd in [".class", "a/.class", "a/module-info.class", "META-INF/x/A.class"] {
            assert_eq!(role(odd, JAR), Role::Resource(odd.as_bytes()));
        }
    }

    #[test]
    fn nested_jars() {
        for path in ["BOOT-INF/lib/a.jar", "WEB-INF/lib/b.JAR", "WEB-INF/lib-provided/c.jar"] {
            assert_eq!(role(path, JAR), Role::ClassPathJar);
            assert_eq!(role(path, Layout::Directory), Role::ClassPathJar);
        }
        for path in ["lib/a.jar", "a.jar", "BOOT-INF/lib/x/a.jar", "BOOT-INF/classes/a.jar"] {
            assert_eq!(role(path, JAR), Role::OtherJar(path.as_bytes()));
        }
    }

    #[test]
    fn multi_release() {
        let layout = Layout::Jar { release: Some(17) };
        let at = |path: &'static str| place(path.as_bytes(), layout);
        assert_eq!(at("META-INF/versions/11/a/B.class"), Placed { role: Role::Class(b"a/B"), release: 11 });
        assert_eq!(
            at("META-INF/versions/9/module-info.class"),
            Placed { role: Role::ModuleInfo, release: 9 }
        );
        for other in ["8/a/B.class", "18/a/B.class", "18/module-info.class", "21/text"] {
            let path = format!("META-INF/versions/{other}");
            assert_eq!(place(path.as_bytes(), layout).role, Role::Ignored);
        }
        for off in ["x/a/B.class", "99999/B.class", "9", "11/META-INF/services/x"] {
            let path = format!("META-INF/versions/{off}");
            let placed = place(path.as_bytes(), layout);
            assert_eq!(placed, Placed { role: Role::Resource(path.as_bytes()), release: 0 });
        }
        let unselected = "META-INF/versions/11/a/B.class";
        assert_eq!(role(unselected, JAR), Role::Resource(unselected.as_bytes()));
    }

    #[test]
    fn modules_of_the_jdk() {
        assert_eq!(role("classes/java/lang/A.class", Layout::Jmod), Role::Class(b"java/lang/A"));
        assert_eq!(role("classes/module-info.class", Layout::Jmod), Role::ModuleInfo);
        assert_eq!(role("lib/libjava.so", Layout::Jmod), Role::Ignored);
        assert_eq!(role("java/lang/A.class", Layout::Module), Role::Class(b"java/lang/A"));
    }

    #[test]
    fn flawed_names() {
        for path in [&b""[..], b"/etc/passwd", b"\\x", b"a/../b", b"..", b"a\0b", b"caf\xE9.class"] {
            assert!(flaw(path).is_some(), "{path:?}");
        }
        for path in [&b"a/..b/c"[..], "caf\u{e9}.class".as_bytes(), b"a..b"] {
            assert_eq!(flaw(path), None);
        }
    }

    #[test]
    fn names_become_modified_utf8() {
        assert_eq!(modified_utf8("caf\u{e9}".as_bytes()).as_ref(), "caf\u{e9}".as_bytes());
        assert_eq!(
            modified_utf8("\u{e9}\u{20ac}a\u{1F600}".as_bytes()).as_ref(),
            b"\xC3\xA9\xE2\x82\xACa\xED\xA0\xBD\xED\xB8\x80"
        );
    }
}
