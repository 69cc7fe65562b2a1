//! Markdown pages: a title, and sections with Java blocks and IR listings.

use crate::Failure;
use crate::expect::{self, Claim, Expectation, Fact, Finding};
use crate::java::{Role, Source};
use crate::wanted::{Context, Wanted};
use heliostat_core::analysis::{ReflectionMode, ReflectionSettings};
use heliostat_core::is_platform_name;
use heliostat_core::program::Program;
use heliostat_core::reflect::{Areas, Reflect};

/// A page of the specification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// The tests it holds.
    pub sections: Vec<Section>,
}

/// A section of a page, which is a test.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Section {
    /// Its heading.
    pub title: String,
    /// The line of its heading.
    pub line: u32,
    /// The Java release to compile for, if not the JDK's own.
    pub release: Option<u16>,
    pub(crate) wanted: Wanted,
    pub(crate) sources: Vec<Source>,
    pub(crate) listings: Vec<Listing>,
    pub(crate) expectations: Vec<Expectation>,
}

/// The IR that a method is expected to have, without offsets and source lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Listing {
    /// The line of the page that its first line is.
    pub(crate) line: u32,
    pub(crate) text: String,
}

/// A code block as it stands in the page.
struct Fence<'a> {
    info: Vec<&'a str>,
    line: u32,
    lines: Vec<&'a str>,
}

impl Page {
    /// Reads a page, or tells all that is wrong with it.
    pub fn parse(text: &str) -> Result<Self, Vec<Failure>> {
        let mut parser = Parser::default();
        let mut lines = (1..).zip(text.lines());
        if !text.starts_with("# ") {
            parser.wrong(1, "a page begins with a title");
        }
        if text.lines().filter(|line| line.starts_with("```")).count() % 2 != 0 {
            parser.wrong(1, "a code block is not closed");
        }
        while let Some((number, line)) = lines.next() {
            if let Some(title) = line.strip_prefix("## ") {
                parser.sections.push(Section { title: title.to_owned(), line: number, ..Section::default() });
            } else if let Some(info) = line.strip_prefix("```") {
                let mut fence =
                    Fence { info: info.split_whitespace().collect(), line: number + 1, lines: Vec::new() };
                fence.lines.extend(lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```"));
                parser.fence(&fence);
            }
        }
        parser.finish()
    }
}

#[derive(Default)]
struct Parser {
    sections: Vec<Section>,
    failures: Vec<Failure>,
}

impl Parser {
    fn wrong(&mut self, line: u32, message: impl Into<String>) {
        self.failures.push(Failure::new(line, message));
    }

    fn fence(&mut self, fence: &Fence<'_>) {
        let added = match (self.sections.last_mut(), fence.info.split_first()) {
            (None, _) => Err("code belongs below a `## ` heading".to_owned()),
            (Some(section), Some((&"java", words))) => add_source(section, words, fence),
            (Some(section), Some((&"ir", []))) => {
                section.listings.push(Listing { line: fence.line, text: fence.text() });
                Ok(())
            }
            (Some(section), Some((&"services", &[service]))) => {
                let providers = fence.lines.iter().map(|line| line.trim().to_owned()).collect();
                section.wanted.services.push((service.to_owned(), providers));
                Ok(())
            }
            (Some(section), Some((&"log", []))) => {
                section.wanted.log.extend(fence.lines.iter().map(|&line| line.to_owned()));
                Ok(())
            }
            _ => Err(format!("`{}` is no kind of code block", fence.info.join(" "))),
        };
        if let Err(message) = added {
            return self.wrong(fence.line - 1, message);
        }
        if fence.info.first() == Some(&"java") {
            self.expectations(fence);
        }
    }

    fn expectations(&mut self, fence: &Fence<'_>) {
        let mut pending = Vec::new();
        for (number, line) in (fence.line..).zip(&fence.lines) {
            let (code, comments) = expect::split(line);
            pending.extend(comments.into_iter().map(|comment| (number, comment)));
            // A comment alone on its line speaks of the next line of code.
            if code.trim().is_empty() {
                continue;
            }
            for (at, text) in pending.drain(..) {
                match expect::parse(text, code) {
                    Ok(claim) => self.expect(Expectation { at, line: number, text: text.to_owned(), claim }),
                    Err(message) => self.wrong(at, message),
                }
            }
        }
        for (at, _) in pending {
            self.wrong(at, "there is no code that this could speak of");
        }
    }

    fn expect(&mut self, expectation: Expectation) {
        if let Some(section) = self.sections.last_mut() {
            section.expectations.push(expectation);
        }
    }

    fn finish(mut self) -> Result<Page, Vec<Failure>> {
        for section in &self.sections {
            self.failures.extend(section.empty().into_iter().chain(section.misplaced()));
            self.failures.extend(section.misunderstood());
        }
        if self.sections.is_empty() {
            self.wrong(1, "a page has sections");
        }
        if self.failures.is_empty() { Ok(Page { sections: self.sections }) } else { Err(self.failures) }
    }
}

fn add_source(section: &mut Section, words: &[&str], fence: &Fence<'_>) -> Result<(), String> {
    let mut source = Source { role: Role::Present, line: fence.line, code: fence.text() };
    for word in words {
        match (*word, word.strip_prefix("release=").and_then(|number| number.parse().ok())) {
            ("absent", _) => source.role = Role::Absent,
            ("instead", _) => source.role = Role::Instead,
            (_, Some(release)) => section.release = Some(release),
            _ if section.wanted.word(word)? => {}
            _ => return Err(format!("`{word}` says nothing about a Java block")),
        }
    }
    if source.path().is_none() {
        return Err("a Java block declares a type, beginning in the first column".to_owned());
    }
    section.sources.push(source);
    Ok(())
}

impl Section {
    fn empty(&self) -> Option<Failure> {
        let is_name = |finding: &Finding| matches!(finding.fact, Fact::Object(_));
        let expects = |e: &Expectation| match &e.claim {
            Claim::Label(_) => false,
            Claim::Finding(finding) => !is_name(finding),
            _ => true,
        };
        let tests = self.expectations.iter().any(expects) || !self.listings.is_empty();
        (!tests).then(|| Failure::new(self.line, "the section expects nothing"))
    }

    /// Expectations about classes that are not part of the program.
    fn misplaced(&self) -> Vec<Failure> {
        let speaks_of_nothing = |e: &&Expectation| {
            let mut sources = self.sources.iter().filter(|source| source.lines().contains(&e.line));
            sources.any(|source| source.role == Role::Absent || self.is_replaced(source, e.line))
        };
        let misplaced = self.expectations.iter().filter(speaks_of_nothing);
        misplaced.map(|e| Failure::new(e.at, "speaks of a class that is not part of the program")).collect()
    }

    /// Whether a later block has another form of the type that a line belongs to.
    fn is_replaced(&self, source: &Source, line: u32) -> bool {
        let Some((_, name)) = source.types().take_while(|(at, _)| *at <= line).last() else { return false };
        let mut later = self.sources.iter().filter(|other| other.role == Role::Instead);
        source.role == Role::Present
            && later.any(|l| l.package() == source.package() && l.types().any(|(_, other)| other == name))
    }

    /// Whether its program is to be analysed: it expects something of that.
    pub fn is_analysed(&self) -> bool {
        self.findings().next().is_some()
    }

    /// The kinds of context that it asks to be analysed with.
    pub fn contexts(&self) -> Vec<Context> {
        self.wanted.contexts()
    }

    /// What looks into its reflective calls.
    pub fn reflection(&self, program: &Program) -> Reflect {
        let settings = ReflectionSettings { mode: self.wanted.reflection, ..ReflectionSettings::default() };
        let module = |class| is_platform_name(&program.class_name(class)).then(String::new);
        let is_asked = settings.mode != ReflectionMode::None;
        Reflect::new(settings, if is_asked { Areas::find(program, module) } else { Areas::new() })
    }

    /// What it expects of the analysis.
    pub(crate) fn findings(&self) -> impl Iterator<Item = (&Expectation, &Finding)> {
        self.expectations.iter().filter_map(|e| match &e.claim {
            Claim::Finding(finding) => Some((e, finding)),
            _ => None,
        })
    }

    /// What cannot be meant in a section that is analysed, or in one that is not.
    fn misunderstood(&self) -> Vec<Failure> {
        if !self.is_analysed() {
            let asked = self.wanted != Wanted::default();
            return asked
                .then(|| Failure::new(self.line, "expects nothing of the analysis it asks for"))
                .into_iter()
                .collect();
        }
        let contexts = self.contexts();
        let is_run = |name: &String| contexts.iter().any(|context| context.name == *name);
        let not_run = self.findings().filter(|(_, finding)| !finding.contexts.iter().all(is_run));
        let is_other = |e: &&Expectation| !matches!(e.claim, Claim::Finding(_) | Claim::Label(_));
        let others = self.expectations.iter().filter(is_other);
        let packages = self.sources.iter().filter(|source| !source.package().is_empty());
        let not_run =
            not_run.map(|(e, _)| Failure::new(e.at, "the section is not analysed with such contexts"));
        let others = others.map(|e| Failure::new(e.at, "expects something else than of the analysis"));
        let packages =
            packages.map(|s| Failure::new(s.line, "an analysed program has no packages of its own"));
        not_run.chain(others).chain(packages).collect()
    }

    /// A line of its programs.
    pub(crate) fn code_at(&self, line: u32) -> Option<&str> {
        self.sources.iter().find_map(|source| source.code_at(line))
    }

    /// The line that a label names.
    pub(crate) fn labelled(&self, label: &str) -> Option<u32> {
        let named = self.expectations.iter().find(|e| e.claim == Claim::Label(label.to_owned()))?;
        Some(named.line)
    }
}

impl Fence<'_> {
    fn text(&self) -> String {
        self.lines.iter().flat_map(|line| [*line, "\n"]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "\
# Title

## One
Prose.
```java release=8
class A { // supertypes: java/lang/Object
    // label: x // ir: return
    // ir: new *
    A() {}
}
```
```java instead
package p;
class B {}
```
```ir
method
```
";

    fn messages(text: &str) -> Vec<String> {
        Page::parse(text).unwrap_err().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn sections_hold_sources_listings_and_expectations() {
        let page = Page::parse(PAGE).unwrap();
        let [section] = page.sections.as_slice() else { panic!("{page:?}") };
        assert_eq!((section.title.as_str(), section.line, section.release), ("One", 3, Some(8)));
        let sources: Vec<_> = section.sources.iter().map(|s| (s.role, s.lines(), s.path())).collect();
        let expected = [(Role::Present, 6..11, "A.java"), (Role::Instead, 13..15, "p/B.java")];
        assert_eq!(sources, expected.map(|(role, lines, path)| (role, lines, Some(path.to_owned()))));
        let places: Vec<_> = section.expectations.iter().map(|e| (e.at, e.line, e.text.as_str())).collect();
        let class = (6, 6, "supertypes: java/lang/Object");
        assert_eq!(places, [class, (7, 9, "label: x"), (7, 9, "ir: return"), (8, 9, "ir: new *")]);
        assert_eq!(section.listings, [Listing { line: 17, text: "method\n".to_owned() }]);
        assert_eq!(section.labelled("x"), Some(9));
    }

    #[test]
    fn wrong_pages_are_told_apart() {
        assert_eq!(messages("text\n"), ["1: a page begins with a title", "1: a page has sections"]);
        assert_eq!(messages("# T\n## A\n"), ["2: the section expects nothing"]);
        let closing = messages("# T\n## A\n```java\nclass A {} // subtypes: B\n");
        assert_eq!(closing, ["1: a code block is not closed"]);
        let unknown = messages("# T\n## A\n```jav\n```\n");
        assert_eq!(unknown, ["3: `jav` is no kind of code block", "2: the section expects nothing"]);
        let typo = messages("# T\n## A\n```java\nclass A {} // subtype of: B\n```\n```ir\n```\n");
        assert_eq!(typo, ["4: `subtype of` is no kind of expectation"]);
    }

    #[test]
    fn expectations_speak_of_classes_that_are_there() {
        let replaced = PAGE.replace("package p;\nclass B {}", "class A {}");
        assert_eq!(messages(&replaced).len(), 4);
        let absent = PAGE.replace("java release=8", "java absent");
        assert_eq!(messages(&absent)[0], "6: speaks of a class that is not part of the program");
    }

    #[test]
    fn what_an_analysed_section_cannot_mean_is_told() {
        let page = |word: &str, comments: &str| {
            messages(&format!("# T\n## A\n```java {word}\nclass A {{ void f() {{}} {comments}\n}}\n```\n"))
        };
        let none = page("startup", "// ir: return");
        assert_eq!(none, ["2: expects nothing of the analysis it asks for"]);
        let both = page("startup", "// reachable // ir: return");
        assert_eq!(both, ["4: expects something else than of the analysis"]);
        let context = page("context=1obj", "// contexts[2obj]: 1");
        assert_eq!(context, ["4: the section is not analysed with such contexts"]);
        assert_eq!(page("startup", "// object: a"), ["2: the section expects nothing"]);
        let log = messages("# T\n## A\n```java\nclass A {} // subtypes: nothing\n```\n```log\n#\n```\n");
        assert_eq!(log, ["2: expects nothing of the analysis it asks for"]);
        assert_eq!(page("startup", "// reachabel")[0], "4: `reachabel` is not an expectation");
        assert!(page("context=1ob", "// reachable")[0].starts_with("3: `1ob` is no kind of context"));
        let package =
            messages("# T\n## A\n```java\npackage p;\nclass A { void f() {} // reachable\n}\n```\n");
        assert_eq!(package, ["4: an analysed program has no packages of its own"]);
    }
}
