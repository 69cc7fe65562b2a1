//! Rules as ProGuard and R8 read them: a block for each class, and above it what needs it.

use std::io::{self, Write};

use heliostat_core::metadata::{Flag, KeepMember, KeepRule, Method, Strength};

use crate::metadata::told;
use crate::tsv::end;

/// What streams of objects look for in a class.
const SERIAL: [&str; 7] = [
    "static final long serialVersionUID;",
    "private static final java.io.ObjectStreamField[] serialPersistentFields;",
    "!static !transient <fields>;",
    "private void writeObject(java.io.ObjectOutputStream);",
    "private void readObject(java.io.ObjectInputStream);",
    "java.lang.Object writeReplace();",
    "java.lang.Object readResolve();",
];

/// Writes all rules. If they are incomplete, the last line says so.
pub fn write(rules: &[KeepRule], complete: bool, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "# What reflective calls use, as `heliostat keep` found it.")?;
    for rule in rules {
        writeln!(out)?;
        write_rule(rule, out)?;
    }
    end(complete, out)
}

fn write_rule(rule: &KeepRule, out: &mut impl Write) -> io::Result<()> {
    for reason in told(&rule.reasons) {
        writeln!(out, "# {}", on_one_line(&reason))?;
    }
    let class = plain(&rule.class);
    let option = match rule.strength {
        Strength::Class => "-keep",
        Strength::Members => "-keepclassmembers",
        Strength::Name => {
            writeln!(out, "-keepnames class {class}")?;
            "-keepclassmembers"
        }
    };
    let members: Vec<String> = rule.members.iter().flat_map(specifications).collect();
    if members.is_empty() {
        return writeln!(out, "{option} class {class}");
    }
    writeln!(out, "{option} class {class} {{")?;
    members.iter().try_for_each(|member| writeln!(out, "    {member}"))?;
    writeln!(out, "}}")
}

fn specifications(member: &KeepMember) -> Vec<String> {
    let one = |text: &str| vec![text.to_owned()];
    match member {
        KeepMember::Method(method) => vec![of_method(method)],
        KeepMember::Field { name, ty } => vec![format!("{} {};", plain(ty), plain(name))],
        KeepMember::Methods => one("<methods>;"),
        KeepMember::Serial => SERIAL.map(str::to_owned).to_vec(),
        KeepMember::All(flag) => match flag {
            Flag::AllDeclaredConstructors => one("<init>(...);"),
            Flag::AllPublicConstructors => one("public <init>(...);"),
            Flag::AllDeclaredMethods => one("<methods>;"),
            Flag::AllPublicMethods => one("public <methods>;"),
            Flag::AllDeclaredFields => one("<fields>;"),
            Flag::AllPublicFields => one("public <fields>;"),
            Flag::UnsafeAllocated | Flag::Serializable | Flag::JniAccessible => Vec::new(),
        },
    }
}

fn of_method(method: &Method) -> String {
    let parameters: Vec<String> = method.parameters.iter().map(|ty| plain(ty)).collect();
    let parameters = parameters.join(", ");
    if method.is_constructor() {
        return format!("<init>({parameters});");
    }
    format!("{} {}({parameters});", plain(&method.result), plain(&method.name))
}

/// A name in which characters that rules cannot have are wildcards for one character.
fn plain(name: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "._$-[]".contains(letter);
    name.chars().map(|letter| if is_plain(letter) { letter } else { '?' }).collect()
}

/// A comment ends with its line.
fn on_one_line(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn text(rules: &[KeepRule], complete: bool) -> String {
        let mut out = Vec::new();
        write(rules, complete, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    fn rule(class: &str, strength: Strength, members: Vec<KeepMember>) -> KeepRule {
        let reasons = vec!["a call\nof another line".to_owned()];
        KeepRule { class: class.to_owned(), strength, members: BTreeSet::from_iter(members), reasons }
    }

    #[test]
    fn members_are_written_as_in_java() {
        let method = |name: &str, result: &str, parameters: &[&str]| {
            let parameters = parameters.iter().map(|&name| name.to_owned()).collect();
            KeepMember::Method(Method { name: name.to_owned(), parameters, result: result.to_owned() })
        };
        let members = vec![
            method("<init>", "void", &["int", "a.B$C[]"]),
            method("odd name", "a.B[][]", &[]),
            KeepMember::Field { name: "x".to_owned(), ty: "long[]".to_owned() },
            KeepMember::All(Flag::AllPublicConstructors),
            KeepMember::All(Flag::AllDeclaredFields),
        ];
        let expected = "\
# What reflective calls use, as `heliostat keep` found it.

# a call of another line
-keep class a.B$C {
    <init>(int, a.B$C[]);
    a.B[][] odd?name();
    long[] x;
    public <init>(...);
    <fields>;
}
# incomplete: the analysis was ended early
";
        assert_eq!(text(&[rule("a.B$C", Strength::Class, members)], false), expected);
    }

    #[test]
    fn how_much_of_a_class_is_kept() {
        let of = |strength, members| {
            let text = text(&[rule("a.A", strength, members)], true);
            text.lines().filter(|line| line.starts_with('-')).map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(of(Strength::Class, Vec::new()), ["-keep class a.A"]);
        assert_eq!(of(Strength::Members, vec![KeepMember::Methods]), ["-keepclassmembers class a.A {"]);
        let serial = of(Strength::Name, vec![KeepMember::Serial]);
        assert_eq!(serial, ["-keepnames class a.A", "-keepclassmembers class a.A {"]);
    }
}
