//! Why an entry is there, in a line for people.

use super::names;
use crate::analysis::{Place, ReflectiveTarget, Target};

/// How many of the things that a target was found from are told.
const MOST_BECAUSE: usize = 3;

/// The call that needs it, and how it is known what that does: `com.acme.Main.run(Main.java:12) calls Class.forName (log)`.
pub(super) fn text(target: &ReflectiveTarget) -> String {
    let ReflectiveTarget { place, api, target, how, because } = target;
    let about = member(target).map(|member| format!(" of {member}")).unwrap_or_default();
    let told: Vec<&str> = because.iter().take(MOST_BECAUSE).map(String::as_str).collect();
    let more = if because.len() > MOST_BECAUSE { "; …" } else { "" };
    let how = how.name();
    let how = if told.is_empty() { how.to_owned() } else { format!("{how}: {}{more}", told.join("; ")) };
    format!("{} calls {api}{about} ({how})", place_text(place))
}

/// A place as a stack trace has it.
fn place_text(place: &Place) -> String {
    let method = match names::split_method(&place.method) {
        Some((class, name, _)) => format!("{}.{name}", names::class(class)),
        None => place.method.clone(),
    };
    match (&place.source_file, place.line) {
        (Some(file), Some(line)) => format!("{method}({file}:{line})"),
        (None, Some(line)) => format!("{method}(line {line})"),
        (Some(file), None) => format!("{method}({file})"),
        (None, None) => method,
    }
}

/// The member that a call is about, without its class.
fn member(target: &Target) -> Option<String> {
    match target {
        Target::Method { name, descriptor, .. } => {
            let (parameters, _) = names::signature(descriptor);
            Some(format!("{name}({})", parameters.join(", ")))
        }
        Target::Field { name, .. } => Some(name.clone()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::How;

    #[test]
    fn the_call_and_what_it_was_found_from() {
        let place = |line, file: Option<&str>| Place {
            method: "a/B$C.run(I)V".to_owned(),
            offset: 3,
            line,
            source_file: file.map(str::to_owned),
        };
        let of = |place, target, because: &[&str]| {
            let because = because.iter().map(|&text| text.to_owned()).collect();
            text(&ReflectiveTarget { place, api: "Some.api", target, how: How::Log, because })
        };
        let class = || Target::Class { class: "x/Y".to_owned() };
        let told = of(place(Some(7), Some("B.java")), class(), &[]);
        assert_eq!(told, "a.B$C.run(B.java:7) calls Some.api (log)");
        let told = of(place(Some(7), None), class(), &["\"x.\"", "\"Y\"", "a cast", "another"]);
        assert_eq!(told, "a.B$C.run(line 7) calls Some.api (log: \"x.\"; \"Y\"; a cast; …)");
        let (class, name, descriptor) = ("x/Y".to_owned(), "m".to_owned(), "(I[La/B;)V".to_owned());
        let told = of(place(None, None), Target::Method { class, name, descriptor }, &[]);
        assert_eq!(told, "a.B$C.run calls Some.api of m(int, a.B[]) (log)");
    }
}
