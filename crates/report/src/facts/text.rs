//! What explains the tables: `README.md` for people, and the rules for Soufflé.

use std::io::{self, Write};

use heliostat_core::Analysis;
use heliostat_core::analysis::tables::{CODE, DERIVED, TYPES, Table};

use super::given;

/// The rules, without the declarations of what is given.
const RULES: &str = include_str!("rules.dl");

const HEAD: &str = "\
# The tables of a run

What Heliostat's analysis read and found, as plain tables: tab-separated, without a header, sorted, one row on each line. `facts/` has
what is given, in the input format of Soufflé; `derived/` what follows, in its output format. A tab, line end or
backslash in a name is written `\\t`, `\\n`, `\\r`, `\\\\`.

`insensitive.dl` has the rules without contexts: `souffle -F facts -D out facts/insensitive.dl` writes the same tables as a run with
`--context insens` does, without the columns for contexts, which are `[]` there.
";

const NAMES: &str = "\
## Names

| what | as in |
|---|---|
| method | `pkg/Class.name(I)V`, as in `callgraph.tsv`; code that is none: `<jvm>` (what the JVM does, and the entry points), `<lambda3 pkg/Class>`, `<handle7>`, and what a class does that is asked for something: `<constructed pkg/Class>`, `<provided pkg/Class>`, `<constants pkg/Class>` |
| variable | `METHOD:v12`, where `v12` is the value that `heliostat ir` prints; `METHOD:x5` if the IR has none for it |
| object | `METHOD@offset TYPE`, an allocation site; `<merged> TYPE`, `<jvm> TYPE`, `<class pkg/Class> java/lang/Class` and the like for objects that stand for many |
| call site | `METHOD@offset`; with `#1` and so on for further calls at the same offset |
| field | `pkg/Class.name:I`; `[]` for the elements of an array; `<captured 0>` for what a lambda holds; `<global name>` for variables of the models |
| context | `[ELEMENT, ELEMENT]`, the latest last: call sites, objects or types, as `--context` says |
";

const LIMITS: &str = "\
## What to know

- Only reached code is here, and types are told only as far as objects of them meet what decides by type: enough to evaluate the
  same program with the same or with finer contexts, not from other entry points or with coarser contexts.
- In a run with contexts, what a method throws is the same in all its contexts; a method that has no statement and
  returns nothing has the empty context only, and so has the callee of an `InlinedCall`.
- What is not here is what the analysis does not see: `gaps.tsv`, `natives.tsv`.
";

/// Writes `README.md`.
pub(super) fn readme(analysis: &Analysis, out: &mut impl Write) -> io::Result<()> {
    let summary = &analysis.summary;
    write!(out, "{HEAD}")?;
    let context = &summary.settings.context;
    writeln!(out, "\nThis run: `--context {context}`, Heliostat {}.", summary.version)?;
    if !summary.result.complete {
        writeln!(out, "It is incomplete: it was ended early, and not all of what follows is here.")?;
    }
    for (title, tables) in [
        ("What the code says (`facts/`)", CODE),
        ("What types decide (`facts/`)", TYPES),
        ("What follows (`derived/`)", DERIVED),
    ] {
        writeln!(out, "\n## {title}\n\n| table | columns | meaning |\n|---|---|---|")?;
        for Table { name, columns, meaning, .. } in tables {
            let columns = columns.replace(":symbol", "").replace(":number", "");
            writeln!(out, "| `{name}` | {columns} | {meaning} |")?;
        }
    }
    write!(out, "\n{NAMES}\n{LIMITS}")
}

/// Writes `insensitive.dl`.
pub(super) fn rules(out: &mut impl Write) -> io::Result<()> {
    writeln!(
        out,
        "// The analysis without contexts, for Soufflé: souffle -F facts -D out facts/insensitive.dl"
    )?;
    writeln!(out, "\n// What is given; README.md explains it.")?;
    for Table { name, columns, .. } in given() {
        writeln!(out, ".decl {name}({columns})\n.input {name}")?;
    }
    write!(out, "{RULES}")
}
