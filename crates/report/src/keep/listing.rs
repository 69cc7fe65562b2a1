//! What a file of rules says, without comments and layout: what a check compares.

use crate::difference::Listing;

/// The rules of a file that keep something, and their members.
pub fn listing(text: &str) -> Listing {
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default());
    let text: Vec<&str> = lines.flat_map(str::split_whitespace).collect();
    let text = text.join(" ").replace('{', " { ").replace('}', " } ");
    let mut listing = Listing::new();
    for part in text.split('}') {
        let (heads, members) = part.split_once('{').unwrap_or((part, ""));
        let mut last = None;
        for head in heads.split(" -").map(|head| head.trim().trim_start_matches('-')) {
            if head.starts_with("keep") {
                let title = format!("-{}", words(head));
                listing.entry(title.clone()).or_default();
                last = Some(title);
            }
        }
        if let Some(rule) = last.and_then(|title| listing.get_mut(&title)) {
            rule.extend(members.split(';').map(words).filter(|member| !member.is_empty()));
        }
    }
    listing
}

/// A text with one space between words, and none where it means nothing.
fn words(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    text.replace(" ,", ",")
        .replace(", ", ",")
        .replace(" (", "(")
        .replace("( ", "(")
        .replace(" )", ")")
        .replace(',', ", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_layout_do_not_count() {
        let one = "# x\n-keep class a.A {\n    <init>(int, long);\n    int x;\n}\n-keepnames class a.B\n-keepclassmembers class a.B { void m(); }\n";
        let two = "-dontwarn a.**\n-keepclassmembers class a.B {\n  void m() ;\n}\n-keep  class a.A{int   x;<init>(int,long); # y\n}\n-keepnames class a.B";
        assert_eq!(listing(one), listing(two));
        let titles: Vec<String> = listing(one).into_keys().collect();
        assert_eq!(titles, ["-keep class a.A", "-keepclassmembers class a.B", "-keepnames class a.B"]);
        assert_eq!(
            listing(one)["-keep class a.A"].iter().collect::<Vec<_>>(),
            ["<init>(int, long)", "int x"]
        );
        assert!(listing("").is_empty() && listing("-dontobfuscate\n} {").is_empty());
    }
}
