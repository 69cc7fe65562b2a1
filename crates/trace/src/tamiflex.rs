//! The log of reflective actions that `TamiFlex` writes, and that Soot, Doop and Tai-e read.
//!
//! A line per action: `kind;target;caller;line;;`, as in
//!
//! ```text
//! Class.forName;java.lang.String;app.Main.main;12;;
//! Method.invoke;<app.Foo: void bar(int,java.lang.String[])>;app.Main.main;13;;
//! Constructor.newInstance;<app.Foo: void <init>()>;app.Main.main;14;;
//! Field.get*;<app.Foo: int x>;app.Main.main;15;;
//! Array.newInstance;int[];app.Main.main;16;;
//! ```
//!
//! A call of a method handle is written as one of `Method.invoke` or `Constructor.newInstance`, which is what there is for it.
//! The caller has no descriptor, and the line may be missing. The fifth column is for remarks (`isAccessible=true`). Written is what `TamiFlex`
//! knows: services, resources, serialisation and the like are not in it, nor is what the JVM does by itself, nor what is about hidden
//! classes, which nobody can name.

use std::collections::BTreeMap;
use std::fmt::{self, Write};

use crate::types::{class_name, descriptor_of, java_class, java_type, java_types};
use crate::{Action, Api, Method, Target, Trace};

/// The log of a trace, each line once, sorted.
pub fn write(trace: &Trace) -> String {
    sorted(trace.actions.iter().filter_map(|action| action_line(trace, action)))
}

/// The log of some entries, each line once, sorted. What `TamiFlex` has no kind for is left out.
pub fn write_entries(entries: &[Entry]) -> String {
    sorted(entries.iter().filter_map(entry_line))
}

fn sorted(lines: impl Iterator<Item = String>) -> String {
    let mut lines: Vec<String> = lines.collect();
    lines.sort_unstable();
    lines.dedup();
    lines.concat()
}

/// An action as a line; none if there is none for it.
fn action_line(trace: &Trace, action: &Action) -> Option<String> {
    let Method { class, name, .. } = &trace.methods[action.site.caller?];
    line(action.api, &action.target, (class, name), action.site.line.map(u32::from))
}

/// An entry as a line; none if there is none for it.
fn entry_line(entry: &Entry) -> Option<String> {
    let Kind::Known(api) = entry.kind else { return None };
    let (class, name) = entry.caller.as_ref()?;
    line(api, &entry.target, (class, name), entry.line)
}

/// What a caller, which is given by its class and name, did at a line; none if there is no text for it.
fn line(api: Api, target: &Target, caller: (&str, &str), line: Option<u32>) -> Option<String> {
    if !is_known(api) || class_of(target).is_some_and(is_hidden) {
        return None;
    }
    let (kind, target) = (kind_name(api, target), target_text(target)?);
    let mut text = format!("{kind};{target};{}.{};", java_class(caller.0), caller.1);
    if let Some(line) = line {
        let _ = write!(text, "{line}");
    }
    text.push_str(";;\n");
    // Names in the JVM may have any character; such a line would be read as another one.
    (text.matches(';').count() == 5 && text.lines().count() == 1).then_some(text)
}

/// A target as it is written; none if there is no text for it.
pub(crate) fn target_text(target: &Target) -> Option<String> {
    Some(match target {
        Target::Nothing => return None,
        Target::Classes(classes) => java_type(classes.first()?),
        Target::Method(Method { class, name, descriptor }) => {
            let (parameters, result) = java_types(descriptor)?;
            format!("<{}: {result} {name}({})>", java_class(class), parameters.join(","))
        }
        Target::Field { class, name, descriptor } => {
            format!("<{}: {} {name}>", java_class(class), java_type(descriptor))
        }
    })
}

/// The class that a target is, or is in.
fn class_of(target: &Target) -> Option<&str> {
    match target {
        Target::Nothing => None,
        Target::Classes(classes) => classes.first().map(String::as_str),
        Target::Method(Method { class, .. }) | Target::Field { class, .. } => Some(class),
    }
}

/// Whether a class is hidden: its name ends with a number after `/`, or after `.` in a descriptor. Before Java 15 those of lambdas
/// have a decimal one.
fn is_hidden(class: &str) -> bool {
    let end = class.rsplit(['/', '.']).next().unwrap_or(class);
    end.len() < class.len()
        && (end.starts_with("0x")
            || class.contains("$$Lambda") && end.starts_with(|first: char| first.is_ascii_digit()))
}

/// The kind of an action. `TamiFlex` does not know method handles: what they run, reflection might run as well.
fn kind_name(api: Api, target: &Target) -> &'static str {
    match (api, target) {
        (Api::MethodHandleInvoke, Target::Method(method)) if method.name == "<init>" => {
            Api::ConstructorNewInstance.name()
        }
        (Api::MethodHandleInvoke, _) => Api::MethodInvoke.name(),
        (api, _) => api.name(),
    }
}

/// Whether `TamiFlex` has a kind for it.
fn is_known(api: Api) -> bool {
    !matches!(
        api,
        Api::LoadClass
            | Api::LookupFind
            | Api::LookupUnreflect
            | Api::ServiceLoad
            | Api::Resource
            | Api::ResourceBundle
            | Api::Serialize
            | Api::Deserialize
            | Api::Proxy
    )
}

/// A log that was read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Log {
    /// What could be read, in the order of the lines.
    pub entries: Vec<Entry>,
    /// Kinds that are not known here, and how many lines have each.
    pub unknown: BTreeMap<String, usize>,
    /// Lines that make no sense.
    pub problems: Vec<Problem>,
}

/// A line of a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Where it stands in the log, from 1 on.
    pub number: usize,
    /// By which method of the library.
    pub kind: Kind,
    /// What it is about.
    pub target: Target,
    /// Internal name of the caller's class, and the caller's name; none if the log does not say.
    pub caller: Option<(String, String)>,
    /// The line of the call, if the log says.
    pub line: Option<u32>,
}

/// What was done, to what.
impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match &self.kind {
            Kind::Known(api) => api.name(),
            Kind::Other(kind) => kind,
        };
        match target_text(&self.target) {
            Some(target) => write!(f, "{kind} of {target}"),
            None => f.write_str(kind),
        }
    }
}

/// What a line tells of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// A method of the library that is known.
    Known(Api),
    /// Anything else.
    Other(String),
}

/// A line that makes no sense.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Where it stands in the log, from 1 on.
    pub number: usize,
    /// What is wrong.
    pub what: String,
}

/// Reads a log. Empty lines, and those that begin with `#`, say nothing.
pub fn parse(text: &str) -> Log {
    let mut log = Log::default();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        match parse_line(number, line) {
            Ok(entry) => {
                if let Kind::Other(kind) = &entry.kind {
                    *log.unknown.entry(kind.clone()).or_default() += 1;
                }
                log.entries.push(entry);
            }
            Err(what) => log.problems.push(Problem { number, what }),
        }
    }
    log
}

fn parse_line(number: usize, line: &str) -> Result<Entry, String> {
    let (kind, rest) = line.split_once(';').ok_or("no `;`")?;
    let (target, rest) = split_target(rest).ok_or("no target and caller")?;
    let mut columns = rest.split(';').map(str::trim);
    let (caller, line) = (columns.next().unwrap_or_default(), columns.next().unwrap_or_default());
    let kind = kind_of(kind.trim());
    let target = match target_of(target.trim()) {
        Some(target) => target,
        // What the target of an unknown kind looks like is unknown, too.
        None if matches!(kind, Kind::Other(_)) => Target::Nothing,
        None => return Err(format!("`{target}` is neither a class nor a member")),
    };
    let line = match line {
        "" | "-1" => None,
        line => Some(line.parse().map_err(|_| format!("`{line}` is no line number"))?),
    };
    let caller = match caller {
        "" => None,
        caller => Some(caller_of(caller).ok_or_else(|| format!("`{caller}` is no method"))?),
    };
    Ok(Entry { number, kind, target, caller, line })
}

/// The target, and what follows it. The names of array classes have a `;` of their own.
fn split_target(rest: &str) -> Option<(&str, &str)> {
    let end = if rest.starts_with('[') && rest.trim_start_matches('[').starts_with('L') {
        rest.find(';')? + 1
    } else {
        rest.find(';')?
    };
    let (target, rest) = rest.split_at_checked(end)?;
    Some((target, rest.strip_prefix(';')?))
}

fn kind_of(text: &str) -> Kind {
    let known = Api::ALL.into_iter().find(|api| api.name() == text);
    match (known, text) {
        (Some(api), _) => Kind::Known(api),
        (None, "Field.get") => Kind::Known(Api::FieldGet),
        (None, "Field.set") => Kind::Known(Api::FieldSet),
        (None, other) => Kind::Other(other.to_owned()),
    }
}

/// The class and the name of a caller. A descriptor or parameters after it are left out.
fn caller_of(text: &str) -> Option<(String, String)> {
    let text = text.split('(').next().unwrap_or(text);
    let (class, name) = text.rsplit_once('.')?;
    let descriptor = descriptor_of(class)?;
    (!name.is_empty()).then(|| (class_name(&descriptor).to_owned(), name.to_owned()))
}

/// A class, or a member in angle brackets.
pub(crate) fn target_of(text: &str) -> Option<Target> {
    let Some(member) = text.strip_prefix('<').and_then(|member| member.strip_suffix('>')) else {
        return descriptor_of(text).map(|class| Target::Classes(vec![class]));
    };
    let (class, member) = member.split_once(':')?;
    let class = class_name(&descriptor_of(class)?).to_owned();
    let (ty, member) = member.trim().split_once(' ')?;
    let ty = descriptor_of(ty)?;
    let Some((name, parameters)) = member.trim().split_once('(') else {
        return Some(Target::Field { class, name: member.trim().to_owned(), descriptor: ty });
    };
    let mut descriptor = "(".to_owned();
    for parameter in parameters.strip_suffix(')')?.split(',').filter(|parameter| !parameter.trim().is_empty())
    {
        descriptor.push_str(&descriptor_of(parameter)?);
    }
    descriptor.push(')');
    descriptor.push_str(&ty);
    Some(Target::Method(Method { class, name: name.trim().to_owned(), descriptor }))
}

#[cfg(test)]
mod tests {
    use heliostat_index::IdVec;

    use super::*;
    use crate::Site;

    const TEXT: &str = "\
Array.newInstance;int[];app.Main.main;12;;
Class.forName;java.lang.String;app.Main.main;12;;
Class.forName;java.lang.String[];app.Main.main;;;
Constructor.newInstance;<app.Foo: void <init>()>;app.Main.main;12;;
Field.get*;<app.Foo$In: int x>;app.Main.main;12;;
Method.invoke;<app.Foo: void bar(int,java.lang.String[])>;app.Main.main;12;;
";

    fn method(class: &str, name: &str, descriptor: &str) -> Method {
        Method { class: class.to_owned(), name: name.to_owned(), descriptor: descriptor.to_owned() }
    }

    fn trace() -> Trace {
        let mut methods = IdVec::new();
        let caller = Some(methods.push(method("app/Main", "main", "([Ljava/lang/String;)V")));
        let site = Site { caller, offset: Some(3), line: Some(12) };
        let class = |text: &str| Target::Classes(vec![text.to_owned()]);
        let field = ["app/Foo$In", "x", "I"].map(str::to_owned);
        let [class_of_field, name, descriptor] = field;
        let actions = [
            (Api::ForName, site, class("Ljava/lang/String;")),
            (Api::ForName, Site { line: None, ..site }, class("[Ljava/lang/String;")),
            (Api::MethodInvoke, site, Target::Method(method("app/Foo", "bar", "(I[Ljava/lang/String;)V"))),
            (Api::ConstructorNewInstance, site, Target::Method(method("app/Foo", "<init>", "()V"))),
            (Api::FieldGet, site, Target::Field { class: class_of_field, name, descriptor }),
            (Api::ArrayNewInstance, site, class("[I")),
            (Api::ServiceLoad, site, class("Lapp/Service;")),
            (Api::ForName, Site::default(), class("Lby/the/JVM;")),
        ];
        let action = |(api, site, target)| Action { api, site, target, detail: None };
        Trace { methods, actions: actions.map(action).into(), ..Trace::default() }
    }

    #[test]
    fn what_is_written_can_be_read() {
        let text = write(&trace());
        assert_eq!(text, TEXT);
        let log = parse(&text);
        assert_eq!((log.problems.len(), log.unknown.len(), log.entries.len()), (0, 0, 6));
        assert_eq!(write_entries(&log.entries), TEXT);
        let invoke = &log.entries[5];
        assert_eq!(invoke.kind, Kind::Known(Api::MethodInvoke));
        assert_eq!(invoke.target, Target::Method(method("app/Foo", "bar", "(I[Ljava/lang/String;)V")));
        assert_eq!(invoke.caller, Some(("app/Main".to_owned(), "main".to_owned())));
        assert_eq!((invoke.number, invoke.line, log.entries[2].line), (6, Some(12), None));
        assert_eq!(log.entries[0].target, Target::Classes(vec!["[I".to_owned()]));
        assert_eq!(log.entries[0].to_string(), "Array.newInstance of int[]");
    }

    #[test]
    fn classes_may_be_called_as_descriptors_are() {
        let text = "Class.forName;B;I.main;1;;\nMethod.invoke;<J: void f(S)>;I.main;1;;\n";
        assert_eq!(write_entries(&parse(text).entries), text);
    }

    #[test]
    fn what_nobody_can_name_is_not_written() {
        let hidden = [
            "app/Main$$Lambda/0x00007f3a",
            "Lapp/Main$$Lambda$87.0x00007f3a;",
            "app/Main$$Lambda$14/1234",
            "app/Made.0x1",
        ];
        assert!(hidden.into_iter().all(is_hidden));
        // Retrolambda makes classes of such names, too.
        assert!(!["app/Main", "Lapp/Main;", "app/Main$$Lambda$1", "app/x0x1"].into_iter().any(is_hidden));
        let mut trace = trace();
        for action in &mut trace.actions {
            action.target = Target::Method(method(hidden[1], "<init>", "()V"));
        }
        assert_eq!(write(&trace), "");
    }

    #[test]
    fn what_others_write_can_be_read() {
        let log = parse(
            "\
# a comment

Class.forName;[Ljava.lang.String;;app.Main.<init>;-1;
Field.set;<app.Foo: int x>;app.Main.<clinit>;3;isAccessible=true;
Method.getName;<app.Foo: void f()>;app.Main.main;4;;
Method.invoke;<app.Foo: void f( int , long )>;app.Main.main;4",
        );
        assert_eq!(log.problems, []);
        assert_eq!(log.unknown.into_iter().collect::<Vec<_>>(), [("Method.getName".to_owned(), 1)]);
        assert_eq!(log.entries[0].target, Target::Classes(vec!["[Ljava/lang/String;".to_owned()]));
        assert_eq!(log.entries[0].caller, Some(("app/Main".to_owned(), "<init>".to_owned())));
        assert_eq!(log.entries[1].kind, Kind::Known(Api::FieldSet));
        assert_eq!(log.entries[3].target, Target::Method(method("app/Foo", "f", "(IJ)V")));
    }

    #[test]
    fn bad_lines_are_told_by_their_numbers() {
        let log =
            parse("nothing\nClass.forName;a b;c.d;1;;\nClass.forName;A;c.d;x;;\nClass.forName;A;c.d;1;;");
        assert_eq!(log.problems.iter().map(|problem| problem.number).collect::<Vec<_>>(), [1, 2, 3]);
        assert_eq!(log.entries.len(), 1);
    }
}
