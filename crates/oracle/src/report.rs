//! What a comparison says.

use std::fmt;

/// One relation, as the rules and as the engine have it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Relation {
    /// What it is called.
    pub name: &'static str,
    /// How many tuples follow from the rules.
    pub expected: usize,
    /// How many the engine found.
    pub found: usize,
    /// How many the engine did not find although they follow from the rules.
    pub missing: usize,
    /// How many the engine found although they do not follow.
    pub unfounded: usize,
    /// Some of the missing, in words.
    pub missing_examples: Vec<String>,
    /// Some of the unfounded, in words.
    pub unfounded_examples: Vec<String>,
}

/// A comparison of the engine's result with what follows from the rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// What was compared.
    pub relations: Vec<Relation>,
    /// What else is wrong: code that the rules reach and the engine knows nothing of, for example.
    pub problems: Vec<String>,
}

impl Report {
    /// How many tuples follow from the rules, of all relations.
    pub fn tuples(&self) -> usize {
        self.relations.iter().map(|relation| relation.expected).sum()
    }

    /// How many tuples only one side has, and how many other things are wrong.
    pub fn differences(&self) -> usize {
        let tuples: usize = self.relations.iter().map(|relation| relation.missing + relation.unfounded).sum();
        tuples + self.problems.len()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for problem in &self.problems {
            writeln!(f, "! {problem}")?;
        }
        for relation in &self.relations {
            write!(f, "{relation}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, expected, found, missing, unfounded, .. } = self;
        write!(f, "{name}: {expected}")?;
        if missing + unfounded == 0 {
            return writeln!(f);
        }
        writeln!(f, " by the rules, {found} by the engine: {missing} missing, {unfounded} unfounded")?;
        for (sign, examples, count) in
            [('-', &self.missing_examples, missing), ('+', &self.unfounded_examples, unfounded)]
        {
            for example in examples {
                writeln!(f, "  {sign} {example}")?;
            }
            if examples.len() < *count {
                writeln!(f, "  {sign} and {} more", count - examples.len())?;
            }
        }
        Ok(())
    }
}
