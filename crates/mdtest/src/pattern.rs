//! Patterns in which `*` stands for anything.

/// Whether a text fits a pattern in which `*` stands for any run of characters.
pub(crate) fn fits(pattern: &str, text: &str) -> bool {
    let Some((head, rest)) = pattern.split_once('*') else { return pattern == text };
    let Some(mut text) = text.strip_prefix(head) else { return false };
    let mut parts: Vec<&str> = rest.split('*').collect();
    let last = parts.pop().unwrap_or_default();
    for part in parts {
        // The leftmost place leaves the most for the parts that follow.
        let Some(at) = text.find(part) else { return false };
        text = &text[at + part.len()..];
    }
    text.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn stars_stand_for_anything() {
        for (pattern, text) in [
            ("a", "a"),
            ("*", ""),
            ("*", "abc"),
            ("a*c", "ac"),
            ("*b*", "abc"),
            ("a*b*c", "axbxbc"),
            ("*a*a", "aa"),
        ] {
            assert!(fits(pattern, text), "{pattern} {text}");
        }
        for (pattern, text) in
            [("a", "ab"), ("a*a", "a"), ("*b", "abc"), ("a*b*c", "acb"), ("", "a"), ("*aa*a", "aa")]
        {
            assert!(!fits(pattern, text), "{pattern} {text}");
        }
    }
}
