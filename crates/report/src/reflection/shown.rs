//! Targets of reflective calls for people, each once, with all ways in which it is known.

use heliostat_core::analysis::{SiteTarget, Target};

use crate::names;

/// A target for people.
pub(super) struct Shown {
    pub(super) target: String,
    /// How it is known, and what from.
    pub(super) how: String,
}

/// Targets, which are in order, for people.
pub(super) fn shown(targets: &[SiteTarget]) -> Vec<Shown> {
    let same = targets.chunk_by(|a, b| a.target == b.target);
    let shown = same.filter_map(|found| {
        let target = target_text(&found.first()?.target);
        let how: Vec<String> = found.iter().map(how_text).collect();
        Some(Shown { target, how: how.join("; ") })
    });
    shown.collect()
}

/// How a target is known.
fn how_text(found: &SiteTarget) -> String {
    let how = found.how.name().replace('_', " ");
    if found.because.is_empty() { how } else { format!("{how}: {}", found.because.join(", ")) }
}

/// A target for people.
fn target_text(target: &Target) -> String {
    match target {
        Target::Class { class } => names::class(class),
        Target::Method { class, name, descriptor } => {
            format!("{}.{}", names::class(class), names::call(name, descriptor))
        }
        Target::Field { class, name, .. } => format!("{}.{name}", names::class(class)),
        Target::Members { class } => format!("all of them of {}", names::class(class)),
        Target::Proxy { interfaces } => {
            let interfaces: Vec<String> = interfaces.iter().map(|class| names::class(class)).collect();
            format!("a proxy of {}", interfaces.join(", "))
        }
        Target::Resource { path } => format!("the resource {path}"),
        Target::Bundle { name } => format!("the bundle {name}"),
    }
}

#[cfg(test)]
mod tests {
    use heliostat_core::analysis::How;

    use super::*;

    #[test]
    fn targets_for_people() {
        let [class, name, descriptor] = ["a/B", "f", "(La/C;I)V"].map(str::to_owned);
        let method = Target::Method { class: class.clone(), name: name.clone(), descriptor };
        let field = Target::Field { class: class.clone(), name, descriptor: "I".to_owned() };
        let proxy = Target::Proxy { interfaces: vec![class.clone(), "c/D".to_owned()] };
        let array = Target::Class { class: "[La/B;".to_owned() };
        let texts = [method, field, proxy, array, Target::Members { class }].each_ref().map(target_text);
        assert_eq!(texts, ["a.B.f(C, int)", "a.B.f", "a proxy of a.B, c.D", "a.B[]", "all of them of a.B"]);
    }

    #[test]
    fn a_target_that_is_known_in_several_ways_is_one() {
        let found = |class: &str, how, because: &[&str]| SiteTarget {
            target: Target::Class { class: class.to_owned() },
            api: "Class.forName",
            how,
            because: because.iter().map(|&text| text.to_owned()).collect(),
        };
        let found = [
            found("a/B", How::Log, &[]),
            found("a/B", How::Annotation, &["x", "y"]),
            found("a/C", How::Log, &[]),
        ];
        let texts: Vec<_> = shown(&found).into_iter().map(|shown| (shown.target, shown.how)).collect();
        let expected = [("a.B", "log; annotation: x, y"), ("a.C", "log")];
        assert_eq!(texts, expected.map(|(target, how)| (target.to_owned(), how.to_owned())));
    }
}
