//! `META-INF/MANIFEST.MF`, main section only.

use std::borrow::Cow;

/// What Heliostat wants to know from a manifest.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Manifest {
    pub(crate) main_class: Option<String>,
    pub(crate) start_class: Option<String>,
    pub(crate) multi_release: bool,
    /// The URLs of `Class-Path`, in order.
    pub(crate) class_path: Vec<String>,
}

impl Manifest {
    /// Reads the main section: the headers up to the first blank line.
    pub(crate) fn parse(bytes: &[u8]) -> Self {
        let mut manifest = Self::default();
        let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        // A header is cut into lines of 72 bytes, inside a character if need be: join before decoding.
        let mut header: Vec<u8> = Vec::new();
        for line in lines(bytes).take_while(|line| !line.is_empty()) {
            if let Some(continued) = line.strip_prefix(b" ") {
                header.extend_from_slice(continued);
            } else {
                manifest.add(&header);
                header.clear();
                header.extend_from_slice(line);
            }
        }
        manifest.add(&header);
        manifest
    }

    fn add(&mut self, header: &[u8]) {
        let text = String::from_utf8_lossy(header);
        let Some((name, value)) = text.split_once(':') else { return };
        let value = value.trim();
        if name.eq_ignore_ascii_case("Main-Class") {
            self.main_class = class_name(value);
        } else if name.eq_ignore_ascii_case("Start-Class") {
            self.start_class = class_name(value);
        } else if name.eq_ignore_ascii_case("Multi-Release") {
            self.multi_release = value.eq_ignore_ascii_case("true");
        } else if name.eq_ignore_ascii_case("Class-Path") {
            self.class_path = value.split_ascii_whitespace().map(str::to_owned).collect();
        }
    }
}

fn class_name(value: &str) -> Option<String> {
    (!value.is_empty()).then(|| value.replace('.', "/"))
}

/// The lines of a text whose lines end in CRLF, LF or CR.
fn lines(mut rest: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = rest.iter().position(|&b| b == b'\n' || b == b'\r').unwrap_or(rest.len());
        let (line, tail) = rest.split_at_checked(end)?;
        rest = tail.strip_prefix(b"\r\n").or_else(|| tail.get(1..)).unwrap_or_default();
        Some(line)
    })
}

/// The relative path or the path of the `file:` URL that a `Class-Path` entry names, percent-decoded;
/// nothing for other URLs.
pub(crate) fn url_path(url: &str) -> Option<Cow<'_, str>> {
    let path = match url.split_once(':') {
        // A scheme has at least two letters; one is a drive of Windows.
        Some((scheme, rest)) if scheme.len() > 1 && scheme.bytes().all(is_scheme_byte) => {
            if !scheme.eq_ignore_ascii_case("file") {
                return None;
            }
            rest.strip_prefix("//").unwrap_or(rest)
        }
        _ => url,
    };
    Some(percent_decoded(path))
}

fn is_scheme_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')
}

fn percent_decoded(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        rest = tail;
        match (first, tail) {
            (b'%', &[high, low, ref after @ ..]) if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => {
                out.push(hex(high) << 4 | hex(low));
                rest = after;
            }
            _ => out.push(first),
        }
    }
    Cow::Owned(String::from_utf8_lossy(&out).into_owned())
}

fn hex(digit: u8) -> u8 {
    (digit as char).to_digit(16).unwrap_or(0) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn continuation_lines_and_line_ends() {
        for end in ["\n", "\r\n", "\r"] {
            let text = [
                "Manifest-Version: 1.0",
                "main-class: com.acme.",
                " Main",
                "Multi-Release: TRUE",
                "Class-Path: a.jar lib/b",
                "  c.jar",
                "",
                "Name: x",
                "Main-Class: Wrong",
            ]
            .join(end);
            let manifest = Manifest::parse(text.as_bytes());
            assert_eq!(manifest.main_class.as_deref(), Some("com/acme/Main"));
            assert!(manifest.multi_release);
            assert_eq!(manifest.class_path, ["a.jar", "lib/b", "c.jar"]);
        }
    }

    #[test]
    fn a_character_may_be_cut_by_a_line() {
        let manifest = Manifest::parse(b"Start-Class: caf\xC3\r\n \xA9\r\n");
        assert_eq!(manifest.start_class.as_deref(), Some("caf\u{e9}"));
    }

    #[test]
    fn nonsense_is_an_empty_manifest() {
        for bytes in [&b""[..], b"\n", b" x\n y\n", b"\xff\xfe", b"Main-Class\nMain-Class:\n"] {
            assert_eq!(Manifest::parse(bytes), Manifest::default());
        }
    }

    #[test]
    fn urls_of_class_path_entries() {
        assert_eq!(url_path("lib/a%20b.jar").as_deref(), Some("lib/a b.jar"));
        assert_eq!(url_path("file:/x/y.jar").as_deref(), Some("/x/y.jar"));
        assert_eq!(url_path("file:///x/100%.jar").as_deref(), Some("/x/100%.jar"));
        assert_eq!(url_path("http://acme.com/a.jar"), None);
        assert_eq!(url_path("C:/a.jar").as_deref(), Some("C:/a.jar"));
    }
}
