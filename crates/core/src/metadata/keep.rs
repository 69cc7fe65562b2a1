//! What a shrinker has to keep of the inputs, since reflective calls find it by its name.

use std::collections::{BTreeMap, BTreeSet};

use heliostat_input::Origin;

use super::needs::{self, ApiKind, Flag, Method, Part, Unknown};
use super::scope::Origins;
use super::{names, reason};
use crate::analysis::{ReflectiveTarget, Target};
use crate::{Analysis, Opened};

/// What has to be kept of a class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeepRule {
    /// The class, with dots and `$`.
    pub class: String,
    /// What of the class itself.
    pub strength: Strength,
    /// Its members.
    pub members: BTreeSet<KeepMember>,
    /// The calls that need it.
    pub reasons: Vec<String>,
}

/// What has to be kept of a class itself, the least first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strength {
    /// Nothing: whoever uses its members has it from code that names it.
    #[default]
    Members,
    /// Its name, if the class stays.
    Name,
    /// The class and its name: it is found by it.
    Class,
}

/// Members of a class.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum KeepMember {
    /// A method or constructor.
    Method(Method),
    /// A field.
    Field {
        /// Its name.
        name: String,
        /// Its type.
        ty: String,
    },
    /// All of a kind.
    All(Flag),
    /// All methods, whoever sees them: those of an interface that a proxy has.
    Methods,
    /// What streams of objects look for.
    Serial,
}

/// What a shrinker has to keep of the inputs: libraries are not its business. In the order of names.
pub fn keep(opened: &Opened, analysis: &Analysis) -> Vec<KeepRule> {
    let origins = Origins::new(opened);
    let unknown = Unknown::of(opened, analysis);
    let mut rules = Rules::default();
    for target in &analysis.reflective {
        for (class, kept) in wanted(opened, target, unknown) {
            if origins.class(&class) == Some(Origin::Input) && names::is_type(&names::class(&class)) {
                rules.add(&class, kept, reason::text(target));
            }
        }
    }
    rules.finish()
}

/// What of a class is kept for a call.
#[derive(Debug, PartialEq, Eq)]
struct Kept {
    strength: Strength,
    member: Option<KeepMember>,
}

impl Kept {
    const CLASS: Self = Self { strength: Strength::Class, member: None };
}

/// The classes that a call needs, by internal names, and what of them.
fn wanted(opened: &Opened, target: &ReflectiveTarget, unknown: Unknown) -> Vec<(String, Kept)> {
    let kind = ApiKind::of(target.api);
    match &target.target {
        // An array is made of a class that is at hand.
        Target::Class { .. } if target.api == "Array.newInstance" => Vec::new(),
        Target::Class { class }
        | Target::Method { class, .. }
        | Target::Field { class, .. }
        | Target::Members { class } => {
            let Some(element) = names::element(class) else { return Vec::new() };
            let kept = match kind {
                ApiKind::Serialization => Some(serial(target.api)),
                _ => needs::of(target, unknown).map(|need| of_part(need.part, target)),
            };
            kept.into_iter().map(|kept| (element.to_owned(), kept)).collect()
        }
        Target::Proxy { interfaces } => {
            let all = || Kept { strength: Strength::Class, member: Some(KeepMember::Methods) };
            interfaces.iter().map(|name| (name.clone(), all())).collect()
        }
        Target::Bundle { name } => bundle_classes(opened, name),
        Target::Resource { .. } => Vec::new(),
    }
}

fn of_part(part: Option<Part>, target: &ReflectiveTarget) -> Kept {
    let is_by_name =
        matches!(target.target, Target::Class { .. }) || ApiKind::of(target.api) == ApiKind::Native;
    let strength = if is_by_name { Strength::Class } else { Strength::Members };
    let member = match part {
        Some(Part::Method(method)) => Some(KeepMember::Method(method)),
        Some(Part::Field { name, ty }) => Some(KeepMember::Field { name, ty }),
        Some(Part::Flag(Flag::UnsafeAllocated | Flag::Serializable | Flag::JniAccessible)) | None => None,
        Some(Part::Flag(flag)) => Some(KeepMember::All(flag)),
    };
    Kept { strength, member }
}

/// A stream that is read finds classes by their names; one that is written has their objects, and writes their names.
fn serial(api: &str) -> Kept {
    let strength = if api == "ObjectInputStream.readObject" { Strength::Class } else { Strength::Name };
    Kept { strength, member: Some(KeepMember::Serial) }
}

/// The classes of a bundle: of its base name, and of that with a locale. They are made by the constructor without parameters.
fn bundle_classes(opened: &Opened, name: &str) -> Vec<(String, Kept)> {
    let base = name.replace('.', "/");
    let is_of =
        |class: &str| class.strip_prefix(&base).is_some_and(|rest| rest.is_empty() || rest.starts_with('_'));
    let ids = opened.program.classes().ids().filter(|&class| opened.is_input(class));
    let classes = ids.map(|class| opened.program.class_name(class)).filter(|class| is_of(class));
    let made = || {
        let method = Method { name: "<init>".to_owned(), parameters: Vec::new(), result: "void".to_owned() };
        Kept { member: Some(KeepMember::Method(method)), ..Kept::CLASS }
    };
    classes.map(|class| (class, made())).collect()
}

/// Rules under construction.
#[derive(Default)]
struct Rules(BTreeMap<String, Rule>);

#[derive(Default)]
struct Rule {
    strength: Strength,
    members: BTreeSet<KeepMember>,
    reasons: BTreeSet<String>,
}

impl Rules {
    fn add(&mut self, class: &str, kept: Kept, reason: String) {
        let rule = self.0.entry(names::class(class)).or_default();
        rule.strength = rule.strength.max(kept.strength);
        rule.members.extend(kept.member);
        rule.reasons.insert(reason);
    }

    fn finish(self) -> Vec<KeepRule> {
        let rules = self.0.into_iter().map(|(class, Rule { strength, members, reasons })| KeepRule {
            class,
            strength,
            members: without_said(members),
            reasons: reasons.into_iter().collect(),
        });
        // Of a class that is at hand and asked for nothing, nothing is to be kept.
        rules.filter(|rule| rule.strength > Strength::Members || !rule.members.is_empty()).collect()
    }
}

/// The members without those that are among all of a kind.
fn without_said(mut members: BTreeSet<KeepMember>) -> BTreeSet<KeepMember> {
    let has = |member| members.contains(&member);
    let methods = has(KeepMember::Methods) || has(KeepMember::All(Flag::AllDeclaredMethods));
    let constructors = has(KeepMember::All(Flag::AllDeclaredConstructors));
    let fields = has(KeepMember::All(Flag::AllDeclaredFields));
    members.retain(|member| match member {
        KeepMember::Method(method) => !if method.is_constructor() { constructors } else { methods },
        KeepMember::Field { .. } => !fields,
        KeepMember::All(_) | KeepMember::Methods | KeepMember::Serial => true,
    });
    members
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::{How, Place};
    use crate::{JdkChoice, Settings, open};

    fn of_members(member: KeepMember) -> Kept {
        Kept { strength: Strength::Members, member: Some(member) }
    }

    fn kept(api: &'static str, target: Target) -> Vec<(String, Kept)> {
        let nothing = open(&Settings { jdk: JdkChoice::None, ..Settings::default() }).unwrap();
        let place = Place { method: "a/B.c()V".to_owned(), offset: 0, line: None, source_file: None };
        let target = ReflectiveTarget { place, api, target, how: How::Log, because: Vec::new() };
        wanted(&nothing, &target, Unknown::EVERYTHING)
    }

    #[test]
    fn classes_are_kept_where_they_are_found_by_name() {
        let class = |name: &str| Target::Class { class: name.to_owned() };
        assert_eq!(kept("Class.forName", class("a/A")), [("a/A".to_owned(), Kept::CLASS)]);
        assert_eq!(kept("Class.forName", class("[[La/A;")), [("a/A".to_owned(), Kept::CLASS)]);
        assert_eq!(kept("Class.forName", class("[I")), []);
        assert_eq!(kept("Array.newInstance", class("[La/A;")), []);
        let strengths = ["ObjectInputStream.readObject", "ObjectOutputStream.writeObject"].map(|api| {
            let kept = kept(api, class("a/A"));
            kept.first().map(|(_, kept)| (kept.strength, kept.member.clone()))
        });
        let serial = || Some(KeepMember::Serial);
        assert_eq!(strengths, [Some((Strength::Class, serial())), Some((Strength::Name, serial()))]);
    }

    #[test]
    fn members_are_kept_in_classes_that_stay() {
        let members = Target::Members { class: "a/A".to_owned() };
        let all = of_members(KeepMember::All(Flag::AllPublicFields));
        assert_eq!(kept("Class.getFields", members), [("a/A".to_owned(), all)]);
        let (class, name, descriptor) = ("a/A".to_owned(), "x".to_owned(), "[I".to_owned());
        let field = of_members(KeepMember::Field { name: "x".to_owned(), ty: "int[]".to_owned() });
        assert_eq!(
            kept("Field.get*", Target::Field { class, name, descriptor }),
            [("a/A".to_owned(), field)]
        );
    }

    #[test]
    fn the_strongest_need_of_a_class_counts() {
        let mut rules = Rules::default();
        let all = || of_members(KeepMember::All(Flag::AllDeclaredFields));
        let field = of_members(KeepMember::Field { name: "x".to_owned(), ty: "int".to_owned() });
        rules.add("a/A", field, "one".to_owned());
        rules.add("a/A", all(), "two".to_owned());
        rules.add("a/A", Kept::CLASS, "three".to_owned());
        rules.add("a/Nothing", Kept { strength: Strength::Members, member: None }, "four".to_owned());
        let rules = rules.finish();
        assert_eq!(rules.len(), 1, "{rules:?}");
        assert_eq!((rules[0].class.as_str(), rules[0].strength), ("a.A", Strength::Class));
        assert_eq!(rules[0].members, BTreeSet::from([KeepMember::All(Flag::AllDeclaredFields)]));
        assert_eq!(rules[0].reasons, ["one", "three", "two"]);
    }
}
