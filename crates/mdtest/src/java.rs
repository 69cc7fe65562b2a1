//! What little has to be known of Java source: the file that a block belongs in, and the type that a line declares.

use std::ops::Range;

/// What becomes of the classes of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// They are part of the program.
    Present,
    /// They are there to compile against, and missing from the program.
    Absent,
    /// They are compiled later and replace those of the same name.
    Instead,
}

impl Role {
    /// The folder for the sources, as `Compile.java` expects it.
    pub(crate) fn folder(self) -> &'static str {
        match self {
            Self::Present => "src",
            Self::Absent => "absent",
            Self::Instead => "instead",
        }
    }
}

/// A block of Java source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Source {
    pub(crate) role: Role,
    /// The line of the page that its first line is.
    pub(crate) line: u32,
    pub(crate) code: String,
}

impl Source {
    /// The path of the file: package, and the name of the public or else the first top-level type.
    pub(crate) fn path(&self) -> Option<String> {
        let name = self.main_type()?;
        let package = self.package();
        let slash = if package.is_empty() { "" } else { "/" };
        Some(format!("{package}{slash}{name}.java"))
    }

    /// The package in internal form; empty for the unnamed one.
    pub(crate) fn package(&self) -> String {
        let declared = self.code.lines().find_map(|line| line.strip_prefix("package ")?.split(';').next());
        declared.unwrap_or_default().replace('.', "/")
    }

    /// Top-level types begin in the first column.
    fn main_type(&self) -> Option<&str> {
        let mut top = self.code.lines().filter(|line| !line.starts_with([' ', '/', '*']));
        let first = top.clone().find_map(declared_type);
        top.find(|line| line.starts_with("public ")).and_then(declared_type).or(first)
    }

    /// The lines of the page that it takes up.
    pub(crate) fn lines(&self) -> Range<u32> {
        self.line..self.line + self.code.lines().count() as u32
    }

    /// What stands on this line of the page.
    pub(crate) fn code_at(&self, line: u32) -> Option<&str> {
        self.code.lines().nth(line.checked_sub(self.line)? as usize)
    }

    /// The types it declares, nested ones too, with their lines.
    pub(crate) fn types(&self) -> impl Iterator<Item = (u32, &str)> {
        (self.line..).zip(self.code.lines()).filter_map(|(number, line)| Some((number, declared_type(line)?)))
    }

    /// The text of the file, in a package if it is told one: blank lines come before the code, so that its line
    /// numbers are those of the page.
    pub(crate) fn file_text(&self, package: Option<&str>) -> String {
        let blank = "\n".repeat(self.line as usize - 1);
        let Some(name) = package else { return blank + &self.code };
        let code = self.code.replace("\"here.", &format!("\"{name}."));
        format!("package {name};{blank}{code}")
    }
}

/// The name of the type that a line declares.
pub(crate) fn declared_type(line: &str) -> Option<&str> {
    let code = line.split("//").next()?;
    let mut words =
        code.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$').filter(|w| !w.is_empty());
    words.find(|word| matches!(*word, "class" | "interface" | "enum" | "record"))?;
    words.next()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(code: &str) -> Source {
        Source { role: Role::Present, line: 3, code: code.to_owned() }
    }

    #[test]
    fn files_are_named_by_the_public_or_first_type() {
        let path = |code| source(code).path();
        assert_eq!(path("class A {}\nclass B {}\n").as_deref(), Some("A.java"));
        assert_eq!(
            path("package p.q;\nclass A {}\npublic final class B {}\n").as_deref(),
            Some("p/q/B.java")
        );
        assert_eq!(path("interface I {\n  public class A {}\n}\n").as_deref(), Some("I.java"));
        assert_eq!(path("import java.util.*;\n").as_deref(), None);
    }

    #[test]
    fn types_are_found_where_they_are_declared() {
        assert_eq!(declared_type("    static @interface Tag {} // missing: X"), Some("Tag"));
        assert_eq!(declared_type("record Point<T>(int x) {}"), Some("Point"));
        assert_eq!(declared_type("int x; // class A"), None);
    }

    #[test]
    fn line_numbers_are_those_of_the_page() {
        assert_eq!(source("class A {}\n").file_text(None), "\n\nclass A {}\n");
        assert_eq!(source("class A {}\n").file_text(Some("p")), "package p;\n\nclass A {}\n");
        let named = source("class A { String b = \"here.B\"; }\n").file_text(Some("p"));
        assert_eq!(named, "package p;\n\nclass A { String b = \"p.B\"; }\n");
    }
}
