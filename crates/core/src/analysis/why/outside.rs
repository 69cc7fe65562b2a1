//! Who enters the program: the JVM, or whoever may call its entry points.

use std::fmt;

use heliostat_index::{FastSet, IdSet};
use heliostat_program::{MethodId, Program};
use heliostat_pta::facts::{AllocId, AllocKind, CodeId, Facts, MadeUp, SiteId, Stmt, Var};
use heliostat_pta::why::StmtAt;
use heliostat_pta::{ClinitEdge, Entry, Types};

use super::names::Names;
use crate::analysis::Analysis;

/// Who does something outside the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outsider {
    /// The JVM: it starts, runs `main`, and does what it does besides.
    Jvm,
    /// Whoever calls the methods that were asked for.
    Caller,
    /// Whoever uses the inputs as a library.
    User,
    /// One of the latter two: where both call, they give the same objects.
    Either,
}

impl Outsider {
    fn of(entry: Entry) -> Self {
        match entry {
            Entry::Main(_) | Entry::Inherited(..) => Self::Jvm,
            Entry::Open(_) => Self::Caller,
            Entry::Member(_) => Self::User,
        }
    }

    fn making_for(entries: &[Entry]) -> Self {
        let has = |who: Self| entries.iter().any(|&entry| Self::of(entry) == who);
        match (has(Self::Caller), has(Self::User)) {
            (true, true) => Self::Either,
            (false, true) => Self::User,
            (_, false) => Self::Caller,
        }
    }
}

impl fmt::Display for Outsider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Jvm => "the JVM",
            Self::Caller => "a caller from outside",
            Self::User => "a user of the library",
            Self::Either => "somebody outside",
        })
    }
}

/// What the root of an analysis does for whom.
pub(super) struct Outside {
    /// The entry points: the root's code has their numbers for offsets.
    entries: Vec<Entry>,
    /// Who makes what entry points other than `main` are given.
    maker: Outsider,
    /// Who is behind each statement of the root.
    stmts: Vec<Outsider>,
    /// The initialisers that run for an entry point.
    initialised: FastSet<MethodId>,
    /// What native code, or the JVM for itself, for the library or for `main`, makes.
    by_jvm: FastSet<AllocId>,
    /// What the maker makes.
    by_others: FastSet<AllocId>,
}

impl Outside {
    pub(super) fn new(analysis: &Analysis, program: &Program) -> Self {
        let (solution, facts) = (&analysis.solution, &analysis.solution.facts);
        let root = facts.find_made_up(MadeUp::Root);
        let stmts = stmts_of(facts, root);
        let entries = analysis.entries.all();
        let mut outside = Self {
            maker: Outsider::making_for(&entries),
            entries,
            stmts: Vec::new(),
            initialised: Types { program, facts }.initialised_to_enter(),
            by_jvm: FastSet::default(),
            by_others: FastSet::default(),
        };
        // Made-up code makes objects for the JVM, too: providers of services.
        let codes = solution.instances().map(|(_, code, _)| code).filter(|&code| Some(code) != root);
        let codes: IdSet<CodeId> = codes.collect();
        for stmt in codes.iter().flat_map(|code| stmts_of(facts, Some(code))) {
            outside.by_jvm.extend(made(facts, stmt));
        }
        outside.look_at_root(facts, stmts);
        outside
    }

    fn look_at_root(&mut self, facts: &Facts, stmts: &[Stmt]) {
        let to_main = self.given_to_main(facts, stmts);
        let startup = facts.startup_statements();
        let whose = |(number, stmt): (usize, &Stmt)| match *stmt {
            _ if number < startup => Outsider::Jvm,
            Stmt::Call(site) => self.caller_at(facts, site),
            Stmt::Init { offset, .. } => self.enters(offset),
            Stmt::Alloc { to: var, .. } | Stmt::Store { base: var, .. } if to_main.contains(&var) => {
                Outsider::Jvm
            }
            _ => self.maker,
        };
        self.stmts = stmts.iter().enumerate().map(whose).collect();
        for (stmt, &who) in stmts.iter().zip(&self.stmts) {
            let made_by = if who == Outsider::Jvm { &mut self.by_jvm } else { &mut self.by_others };
            made_by.extend(made(facts, stmt));
        }
    }

    /// The variables of what the JVM gives to `main`, elements of arrays included. All other entry points share theirs.
    fn given_to_main(&self, facts: &Facts, stmts: &[Stmt]) -> FastSet<Var> {
        let entering = stmts.iter().skip(facts.startup_statements());
        let mut given = FastSet::default();
        for stmt in entering.clone() {
            if let Stmt::Call(id) = *stmt
                && self.caller_at(facts, id) == Outsider::Jvm
            {
                let site = &facts.sites()[id];
                given.extend(site.args.iter().chain([&site.receiver]).filter_map(|var| var.expand()));
            }
        }
        for stmt in entering {
            if let Stmt::Store { base, from, .. } = *stmt
                && given.contains(&base)
            {
                given.insert(from);
            }
        }
        given
    }

    /// Who is behind the entry point of a number; there is one more number, for what makes objects to give.
    fn enters(&self, number: u32) -> Outsider {
        self.entries.get(number as usize).map_or(self.maker, |&entry| Outsider::of(entry))
    }

    /// Who makes a call of the root.
    fn caller_at(&self, facts: &Facts, site: SiteId) -> Outsider {
        if facts.is_startup(site) { Outsider::Jvm } else { self.enters(facts.sites()[site].offset) }
    }
}

fn stmts_of(facts: &Facts, code: Option<CodeId>) -> &[Stmt] {
    code.and_then(|code| facts.template(code)).map_or(&[][..], |template| &template.stmts)
}

/// What a statement makes that no code of the program makes.
fn made(facts: &Facts, stmt: &Stmt) -> Option<AllocId> {
    match *stmt {
        Stmt::Alloc { site, .. } if matches!(facts.allocs()[site].kind, AllocKind::Jvm(_)) => Some(site),
        _ => None,
    }
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
            Outsider::Caller | Outsider::User | Outsider::Either if number < self.outside.entries.len() => {
                format!("{who} may call {callee}")
            }
            Outsider::Caller | Outsider::User | Outsider::Either => {
                format!("{who} may have objects that {callee} makes")
            }
        }
    }

    /// For whom the JVM runs an initialiser, if it is for what is called from outside.
    pub(super) fn initialised_for(self, edge: ClinitEdge) -> Option<Outsider> {
        let is_entering = self.is_root(edge.code) && self.outside.initialised.contains(&edge.callee);
        let who = is_entering.then(|| self.outside.enters(edge.offset));
        who.filter(|&who| who != Outsider::Jvm)
    }

    /// Whose objects those are that no code of the program makes.
    pub(super) fn whose(self, alloc: AllocId, ty: &str) -> String {
        let Outside { by_jvm, by_others, .. } = self.outside;
        let who = self.outside.maker;
        match (by_jvm.contains(&alloc), by_others.contains(&alloc)) {
            (true, true) => format!("any {ty} of the JVM or of {who}"),
            (false, true) => format!("any {ty} of {who}"),
            (_, false) => format!("the JVM's {ty}"),
        }
    }
}
