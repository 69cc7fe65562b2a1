//! Abstract methods have no code: what implements them is meant.

use heliostat_index::FastSet;
use heliostat_program::{HandleMember, MethodId, Program};
use heliostat_pta::facts::{AllocKind, Facts, LambdaId, MadeUp};
use heliostat_pta::{Types, What};

use super::Unanswered;
use super::methods::{Meaning, in_one_line};
use crate::readable::Readable;

/// The methods that are meant; if all of them are abstract, what implements them.
pub(super) fn implemented(program: &Program, facts: &Facts, found: Meaning) -> Result<Meaning, Unanswered> {
    if !found.methods.iter().all(|&method| is_abstract(program, method)) {
        return Ok(found);
    }
    let finder = Finder { program, facts };
    let mut seen = FastSet::default();
    let all = found.methods.iter().flat_map(|&method| finder.implementations(method));
    let methods: Vec<MethodId> = all.filter(|&method| seen.insert(method)).collect();
    if methods.is_empty() {
        let names = found.methods.iter().map(|&method| program.method_name(method)).collect();
        return Err(Unanswered::Unimplemented(names));
    }
    let names = in_one_line(Readable(program), &found.methods);
    let remark = match found.methods.len() {
        1 => format!("{names} is abstract and has no code; asked about is what implements it"),
        _ => format!("{names} are abstract and have no code; asked about is what implements them"),
    };
    Ok(Meaning { methods, remarks: [found.remarks, vec![remark]].concat() })
}

fn is_abstract(program: &Program, method: MethodId) -> bool {
    program.methods()[method].flags.is_abstract()
}

struct Finder<'a> {
    program: &'a Program,
    facts: &'a Facts,
}

impl Finder<'_> {
    /// What a call of an abstract method runs on objects of all classes, and on the lambdas of reached code. Abstract classes and
    /// interfaces are among them: they stand for what users of a library make of them.
    fn implementations(&self, method: MethodId) -> Vec<MethodId> {
        let below = self.program.subtypes(self.program.methods()[method].class).into_iter();
        let objects = below.map(|class| What::Of(self.program.classes()[class].ty));
        let lambdas = self.facts.allocs().values().filter_map(|alloc| match alloc.kind {
            AllocKind::Lambda(lambda) => Some(What::Lambda(lambda)),
            _ => None,
        });
        objects.chain(lambdas).filter_map(|what| self.selected(method, what)).collect()
    }

    fn selected(&self, method: MethodId, what: What) -> Option<MethodId> {
        let types = Types { program: self.program, facts: self.facts };
        let code = types.selected(method, what)?;
        let selected = match self.facts.made_up(code) {
            Some(MadeUp::Lambda(lambda)) => self.target(lambda),
            _ => self.facts.method(code),
        };
        selected.filter(|&method| !is_abstract(self.program, method))
    }

    /// The method that a lambda runs.
    fn target(&self, lambda: LambdaId) -> Option<MethodId> {
        let lambda = self.facts.lambda(lambda);
        let HandleMember::Method(reference) = self.program.handle(lambda.target).member else { return None };
        self.program.resolve_method(self.program.method_ref(reference), lambda.class).member()
    }
}
