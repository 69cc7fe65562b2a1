//! A small Datalog, in the words of Soufflé: as much as the emitted rules use. No negation, no arithmetic.
#![allow(clippy::expect_used, reason = "a test that cannot be set up has failed")]

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::ops::Range;
use std::path::Path;

/// The most columns of a relation.
const COLUMNS: usize = 4;
type Row = [u32; COLUMNS];

/// What stands in a column of an atom.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Term {
    Constant(u32),
    Variable(usize),
    Anything,
}

struct Atom {
    relation: usize,
    terms: Vec<Term>,
}

struct Rule {
    head: Atom,
    body: Vec<Atom>,
}

#[derive(Default)]
struct Relation {
    name: String,
    rows: Vec<Row>,
    known: HashSet<Row>,
    /// The rows with the same values in some columns, for each choice of columns that was asked for.
    indexes: BTreeMap<Vec<usize>, HashMap<Row, Vec<u32>>>,
    /// The rows that the latest round has added.
    latest: Range<usize>,
}

impl Relation {
    fn add(&mut self, row: Row) {
        if self.known.insert(row) {
            for (columns, index) in &mut self.indexes {
                index.entry(part(&row, columns)).or_default().push(self.rows.len() as u32);
            }
            self.rows.push(row);
        }
    }

    fn make_index(&mut self, columns: &[usize]) {
        if !self.indexes.contains_key(columns) {
            let mut index: HashMap<Row, Vec<u32>> = HashMap::new();
            for (number, row) in (0..).zip(&self.rows) {
                index.entry(part(row, columns)).or_default().push(number);
            }
            self.indexes.insert(columns.to_vec(), index);
        }
    }
}

fn part(row: &Row, columns: &[usize]) -> Row {
    let mut part = [0; COLUMNS];
    for &column in columns {
        part[column] = row[column];
    }
    part
}

/// A program with its tables.
#[derive(Default)]
pub(crate) struct Program {
    symbols: HashMap<String, u32>,
    names: Vec<String>,
    relations: Vec<Relation>,
    rules: Vec<Rule>,
}

impl Program {
    /// Reads a program, and its input tables from a directory.
    pub(crate) fn read(program: &Path, facts: &Path) -> Self {
        let text = fs::read_to_string(program).expect("a program");
        let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with("//")).collect();
        let mut found = Self::default();
        for line in &lines {
            if let Some(name) = line.strip_prefix(".input ") {
                found.read_table(name, &facts.join(format!("{name}.facts")));
            }
        }
        let rules: Vec<&str> = lines.into_iter().filter(|line| !line.starts_with('.')).collect();
        for rule in rules.join("\n").split(".\n").filter(|rule| !rule.trim().is_empty()) {
            found.read_rule(rule.trim().trim_end_matches('.'));
        }
        found
    }

    fn symbol(&mut self, text: &str) -> u32 {
        if let Some(&known) = self.symbols.get(text) {
            return known;
        }
        self.names.push(text.to_owned());
        let symbol = self.names.len() as u32;
        self.symbols.insert(text.to_owned(), symbol);
        symbol
    }

    fn relation(&mut self, name: &str) -> usize {
        self.relations.iter().position(|relation| relation.name == name).unwrap_or_else(|| {
            self.relations.push(Relation { name: name.to_owned(), ..Relation::default() });
            self.relations.len() - 1
        })
    }

    fn read_table(&mut self, name: &str, path: &Path) {
        let relation = self.relation(name);
        for line in fs::read_to_string(path).expect(name).lines() {
            let mut row = [0; COLUMNS];
            for (column, text) in line.split('\t').enumerate() {
                row[column] = self.symbol(text);
            }
            self.relations[relation].add(row);
        }
    }

    fn read_rule(&mut self, text: &str) {
        let (head, body) = text.split_once(":-").expect("a rule");
        let mut variables = Vec::new();
        let head = self.read_atom(head, &mut variables);
        let body = body.split_inclusive(')').map(|atom| atom.trim_start_matches([',', ' ', '\n']));
        let body = body.map(|atom| self.read_atom(atom, &mut variables)).collect();
        self.rules.push(Rule { head, body });
    }

    fn read_atom(&mut self, text: &str, variables: &mut Vec<String>) -> Atom {
        let (name, terms) = text.trim().trim_end_matches(')').split_once('(').expect("an atom");
        let relation = self.relation(name);
        let terms = terms.split(", ").map(|term| match term.strip_prefix('"') {
            Some(constant) => Term::Constant(self.symbol(constant.trim_end_matches('"'))),
            None if term == "_" => Term::Anything,
            None => Term::Variable(variables.iter().position(|known| known == term).unwrap_or_else(|| {
                variables.push(term.to_owned());
                variables.len() - 1
            })),
        });
        Atom { relation, terms: terms.collect() }
    }

    /// Applies the rules until nothing new follows; each round joins what the last one has found with everything.
    pub(crate) fn run(&mut self) {
        let rules = std::mem::take(&mut self.rules);
        for relation in &mut self.relations {
            relation.latest = 0..relation.rows.len();
        }
        while self.relations.iter().any(|relation| !relation.latest.is_empty()) {
            let before: Vec<usize> = self.relations.iter().map(|relation| relation.rows.len()).collect();
            for rule in &rules {
                for first in 0..rule.body.len() {
                    self.apply(rule, first);
                }
            }
            for (relation, before) in self.relations.iter_mut().zip(before) {
                relation.latest = before..relation.rows.len();
            }
        }
        self.rules = rules;
    }

    /// What follows from a rule if one of its atoms is among the latest rows.
    fn apply(&mut self, rule: &Rule, first: usize) {
        let latest = self.relations[rule.body[first].relation].latest.clone();
        if latest.is_empty() {
            return;
        }
        let plan = plan(rule, first);
        for (atom, columns) in &plan {
            self.relations[rule.body[*atom].relation].make_index(columns);
        }
        let mut found = Vec::new();
        for number in latest {
            let row = self.relations[rule.body[first].relation].rows[number];
            let mut values = [0; 16];
            if bind(&rule.body[first], &row, &mut values) {
                self.join(rule, &plan, values, &mut found);
            }
        }
        for row in found {
            self.relations[rule.head.relation].add(row);
        }
    }

    fn join(&self, rule: &Rule, plan: &[(usize, Vec<usize>)], values: [u32; 16], found: &mut Vec<Row>) {
        let Some(((atom, columns), rest)) = plan.split_first() else {
            let row = instance(&rule.head, &values);
            if !self.relations[rule.head.relation].known.contains(&row) {
                found.push(row);
            }
            return;
        };
        let atom = &rule.body[*atom];
        let relation = &self.relations[atom.relation];
        let key = part(&instance(atom, &values), columns);
        for &number in relation.indexes[columns].get(&key).into_iter().flatten() {
            let mut values = values;
            if bind(atom, &relation.rows[number as usize], &mut values) {
                self.join(rule, rest, values, found);
            }
        }
    }

    /// The rows of a relation, as lines of a table, in order.
    pub(crate) fn table(&self, name: &str) -> Vec<String> {
        let relation = self.relations.iter().find(|relation| relation.name == name).expect(name);
        let text = |row: &Row| {
            let cells =
                row.iter().filter(|&&cell| cell > 0).map(|&cell| self.names[cell as usize - 1].as_str());
            cells.collect::<Vec<_>>().join("\t")
        };
        let mut lines: Vec<String> = relation.rows.iter().map(text).collect();
        lines.sort_unstable();
        lines
    }
}

/// In which order the other atoms are joined, and which of their columns are known then.
fn plan(rule: &Rule, first: usize) -> Vec<(usize, Vec<usize>)> {
    let mut bound: HashSet<usize> = variables(&rule.body[first]).collect();
    let mut left: Vec<usize> = (0..rule.body.len()).filter(|&atom| atom != first).collect();
    let mut plan = Vec::new();
    while !left.is_empty() {
        let known = |atom: usize| -> Vec<usize> {
            let terms = rule.body[atom].terms.iter().enumerate();
            let is_known = |term: &Term| match term {
                Term::Constant(_) => true,
                Term::Variable(variable) => bound.contains(variable),
                Term::Anything => false,
            };
            terms.filter(|(_, term)| is_known(term)).map(|(column, _)| column).collect()
        };
        let next = (0..left.len()).max_by_key(|&i| (known(left[i]).len(), left.len() - i)).expect("an atom");
        let atom = left.remove(next);
        plan.push((atom, known(atom)));
        bound.extend(variables(&rule.body[atom]));
    }
    plan
}

fn variables(atom: &Atom) -> impl Iterator<Item = usize> + '_ {
    atom.terms.iter().filter_map(|term| match *term {
        Term::Variable(variable) => Some(variable),
        _ => None,
    })
}

/// Gives the variables of an atom the values of a row; false if they have others. No value is 0.
fn bind(atom: &Atom, row: &Row, values: &mut [u32; 16]) -> bool {
    atom.terms.iter().zip(row).all(|(term, &value)| match *term {
        Term::Constant(constant) => constant == value,
        Term::Anything => true,
        Term::Variable(variable) => {
            let known = std::mem::replace(&mut values[variable], value);
            known == 0 || known == value
        }
    })
}

fn instance(atom: &Atom, values: &[u32; 16]) -> Row {
    let mut row = [0; COLUMNS];
    for (cell, term) in row.iter_mut().zip(&atom.terms) {
        *cell = match *term {
            Term::Constant(constant) => constant,
            Term::Variable(variable) => values[variable],
            Term::Anything => 0,
        };
    }
    row
}
