//! Who enters the program: the JVM, or whoever may call its entry points.

use std::fmt;

use heliostat_index::{FastMap, FastSet};
use heliostat_pta::facts::{AllocId, CodeId, Facts, MadeUp, SiteId, Stmt};
use heliostat_pta::why::StmtAt;
use heliostat_pta::{ClinitEdge, Entry, Solution};

use super::names::Names;
use crate::Opened;
use crate::analysis::{Analysis, RootReason};

/// Who does something outside the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outsider {
    /// The JVM: it starts, runs `main`, and does what it does besides.
    Jvm,
    /// Whoever calls the methods that were asked for.
    Caller,
    /// Whoever uses the inputs as a library.
    User,
}

impl fmt::Display for Outsider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Jvm => "the JVM",
            Self::Caller => "a caller from outside",
            Self::User => "a user of the library",
        })
    }
}

/// What the root of an analysis does for whom.
pub(super) struct Outside {
    /// The entry points: the root's code has their numbers for offsets.
    entries: Vec<Entry>,
    /// Who is behind each statement of the root.
    stmts: Vec<Outsider>,
    /// The initialisers that run for an entry point, by name.
    initialised: FastSet<String>,
    /// What native code, or the JVM for itself or for `main`, makes.
    by_jvm: FastSet<AllocId>,
    /// What others make, and who does.
    by_others: FastMap<AllocId, Outsider>,
}

impl Outside {
    pub(super) fn new(analysis: &Analysis, opened: &Opened) -> Self {
        let solution = &analysis.solution;
        let roots = analysis.roots(opened).into_iter();
        let initialised = roots.filter(|root| root.why == RootReason::Initialised).map(|root| root.method);
        let mut outside = Self {
            entries: analysis.entries.all(),
            stmts: Vec::new(),
            initialised: initialised.collect(),
            by_jvm: solution.methods().flat_map(|method| made_by(solution, Facts::code(method))).collect(),
            by_others: FastMap::default(),
        };
        outside.look_at_root(&solution.facts);
        outside
    }

    fn look_at_root(&mut self, facts: &Facts) {
        let template = facts.find_made_up(MadeUp::Root).and_then(|root| facts.template(root));
        let stmts = template.map_or(&[][..], |template| &template.stmts);
        // What is made for a call comes before the call.
        let mut who = self.maker();
        for (number, stmt) in stmts.iter().enumerate().rev() {
            if let Stmt::Call(site) = *stmt {
                who = self.caller_at(facts, site);
            }
            let is_startup = number < facts.startup_statements();
            self.stmts.push(if is_startup { Outsider::Jvm } else { who });
        }
        self.stmts.reverse();
        for (stmt, &who) in stmts.iter().zip(&self.stmts) {
            match (made(stmt), who) {
                (Some(alloc), Outsider::Jvm) => drop(self.by_jvm.insert(alloc)),
                (Some(alloc), _) => drop(self.by_others.insert(alloc, who)),
                (None, _) => {}
            }
        }
    }

    /// Who makes what entry points are given.
    fn maker(&self) -> Outsider {
        let is_member = |entry: &Entry| matches!(entry, Entry::Member(_));
        if self.entries.iter().any(is_member) { Outsider::User } else { Outsider::Caller }
    }

    /// Who is behind the entry point of a number; there is one more number, for what makes objects to give.
    fn enters(&self, number: u32) -> Outsider {
        match self.entries.get(number as usize) {
            Some(Entry::Main(_) | Entry::Inherited(..)) => Outsider::Jvm,
            Some(Entry::Open(_)) => Outsider::Caller,
            Some(Entry::Member(_)) => Outsider::User,
            None => self.maker(),
        }
    }

    /// Who makes a call of the root.
    fn caller_at(&self, facts: &Facts, site: SiteId) -> Outsider {
        if facts.is_startup(site) { Outsider::Jvm } else { self.enters(facts.sites()[site].offset) }
    }
}

/// What a statement makes.
fn made(stmt: &Stmt) -> Option<AllocId> {
    match *stmt {
        Stmt::Alloc { site, .. } => Some(site),
        _ => None,
    }
}

fn made_by(solution: &Solution, code: CodeId) -> impl Iterator<Item = AllocId> {
    let stmts = solution.facts.template(code).map_or(&[][..], |template| &template.stmts);
    stmts.iter().filter_map(made)
}

impl Names<'_> {
    fn is_root(self, code: CodeId) -> bool {
        self.solution.facts.made_up(code) == Some(MadeUp::Root)
    }

    /// Who makes a call, if nobody of the program does.
    pub(super) fn outside_call(self, site: SiteId) -> Option<Outsider> {
        let facts = &self.solution.facts;
        self.is_root(facts.sites()[site].code).then(|| self.outside.caller_at(facts, site))
    }

    /// Who is behind a statement, if nobody of the program is.
    pub(super) fn outside_stmt(self, by: StmtAt) -> Option<Outsider> {
        let of_root = self.is_root(self.solution.code_of(by.instance));
        of_root.then(|| self.outside.stmts.get(by.number as usize).copied().unwrap_or(Outsider::Jvm))
    }

    /// How the program is entered by a call.
    pub(super) fn entered(self, who: Outsider, site: SiteId, callee: &str) -> String {
        let number = self.solution.facts.sites()[site].offset as usize;
        match who {
            Outsider::Jvm => format!("{who} runs {callee}"),
            Outsider::Caller | Outsider::User if number < self.outside.entries.len() => {
                format!("{who} may call {callee}")
            }
            Outsider::Caller | Outsider::User => format!("{who} may have objects that {callee} makes"),
        }
    }

    /// For whom the JVM runs an initialiser, if it is for what is called from outside.
    pub(super) fn initialised_for(self, edge: ClinitEdge) -> Option<Outsider> {
        let is_entering = self.is_root(edge.code)
            && self.outside.initialised.contains(&self.program.method_name(edge.callee));
        let who = is_entering.then(|| self.outside.enters(edge.offset));
        who.filter(|&who| who != Outsider::Jvm)
    }

    /// Whose objects those are that no code of the program makes.
    pub(super) fn whose(self, alloc: AllocId, ty: &str) -> String {
        match self.outside.by_others.get(&alloc) {
            None => format!("the JVM's {ty}"),
            Some(who) if self.outside.by_jvm.contains(&alloc) => format!("any {ty} of the JVM or of {who}"),
            Some(who) => format!("any {ty} of {who}"),
        }
    }
}
