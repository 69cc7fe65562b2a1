//! Context flavours as people write them: `insens`, `1call`, `2obj+1heap`.

use heliostat_pta::{Flavour, Kind};

/// The kinds of context that take a depth, and their words.
const KINDS: [(Kind, &str); 4] =
    [(Kind::CallSite, "call"), (Kind::Object, "obj"), (Kind::Type, "type"), (Kind::Hybrid, "hybrid")];

/// The flavour that a text means: `insens`, or a depth and one of `call`, `obj`, `type` and `hybrid`. `+heap` gives objects
/// contexts too, `+1heap` says how deep; without it they are one less deep than methods.
pub fn parse_context(text: &str) -> Result<Flavour, String> {
    if text == "insens" {
        return Ok(Flavour::INSENSITIVE);
    }
    let (method, heap) = text.split_once('+').map_or((text, None), |(method, heap)| (method, Some(heap)));
    let (depth, word) = number_before(method);
    let kind = KINDS.iter().find(|(_, known)| *known == word).map(|&(kind, _)| kind);
    let (Some(depth), Some(kind)) = (depth, kind) else { return Err(unknown()) };
    if depth == 0 {
        return Err("a context of depth 0 tells nothing apart; use `insens`".to_owned());
    }
    let usual = depth - 1;
    let heap = match heap.map(number_before) {
        None => usual,
        Some((None, "heap")) => usual.max(1),
        Some((Some(heap), "heap")) if heap <= depth => heap,
        Some((Some(_), "heap")) => return Err("objects cannot have deeper contexts than methods".to_owned()),
        Some(_) => return Err(unknown()),
    };
    Ok(Flavour { kind, depth, heap })
}

/// The shortest text that means a flavour and says its heap depth, if it has one.
pub fn context_name(flavour: Flavour) -> String {
    let Some((_, word)) = KINDS.iter().find(|(kind, _)| *kind == flavour.kind) else {
        return "insens".to_owned();
    };
    let Flavour { depth, heap, .. } = flavour;
    match heap {
        0 if depth == 1 => format!("{depth}{word}"),
        heap => format!("{depth}{word}+{heap}heap"),
    }
}

/// The number that a text begins with, and the rest; a number that is too large is none.
fn number_before(text: &str) -> (Option<usize>, &str) {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, rest) = text.split_at(end);
    (number.parse().ok(), rest)
}

fn unknown() -> String {
    "use `insens`, or a depth and one of `call`, `obj`, `type` and `hybrid`, as in `1call` and `2obj+1heap`"
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flavours_and_their_names() {
        for (text, kind, depth, heap, name) in [
            ("insens", Kind::Insensitive, 0, 0, "insens"),
            ("1call", Kind::CallSite, 1, 0, "1call"),
            ("1obj", Kind::Object, 1, 0, "1obj"),
            ("1obj+heap", Kind::Object, 1, 1, "1obj+1heap"),
            ("2obj", Kind::Object, 2, 1, "2obj+1heap"),
            ("2obj+heap", Kind::Object, 2, 1, "2obj+1heap"),
            ("2obj+0heap", Kind::Object, 2, 0, "2obj+0heap"),
            ("3type+2heap", Kind::Type, 3, 2, "3type+2heap"),
            ("17hybrid", Kind::Hybrid, 17, 16, "17hybrid+16heap"),
        ] {
            let flavour = parse_context(text).unwrap();
            assert_eq!(flavour, Flavour { kind, depth, heap }, "{text}");
            assert_eq!(context_name(flavour), name);
            assert_eq!(parse_context(name), Ok(flavour));
        }
    }

    #[test]
    fn what_is_no_flavour() {
        for text in
            ["", "obj", "2", "2cfa", "2obj+", "2obj+h", "insens+heap", "-1call", "99999999999999999999call"]
        {
            assert_eq!(parse_context(text), Err(unknown()), "{text}");
        }
        assert!(parse_context("0call").unwrap_err().contains("insens"));
        assert!(parse_context("2obj+3heap").unwrap_err().contains("deeper"));
    }
}
