//! Two sets of tuples, side by side.

use std::cmp::Ordering;

use heliostat_program::{ClassId, FieldId};
use heliostat_pta::facts::{CodeId, FieldKey, SiteId};

use crate::contexts::Ctx;
use crate::input::{Input, Variable};
use crate::report::{Relation, Report};
use crate::world::{Obj, World};

/// What is compared; `rules` says what the columns are.
#[derive(Default)]
pub(crate) struct Tuples {
    pub(crate) reachable: Vec<(Ctx, CodeId)>,
    pub(crate) var_points_to: Vec<(Ctx, Variable, Obj)>,
    pub(crate) field_points_to: Vec<(Obj, FieldKey, Obj)>,
    pub(crate) static_points_to: Vec<(FieldId, Obj)>,
    pub(crate) calls: Vec<(Ctx, SiteId, Ctx, CodeId)>,
    pub(crate) initialised: Vec<ClassId>,
    pub(crate) initialisers: Vec<(CodeId, u32, CodeId)>,
}

impl Tuples {
    pub(crate) fn sorted(mut self) -> Self {
        sort(&mut self.reachable);
        sort(&mut self.var_points_to);
        sort(&mut self.field_points_to);
        sort(&mut self.static_points_to);
        sort(&mut self.calls);
        sort(&mut self.initialised);
        sort(&mut self.initialisers);
        self
    }
}

fn sort<T: Ord>(tuples: &mut Vec<T>) {
    tuples.sort_unstable();
    tuples.dedup();
}

/// Compares what follows from the rules with what the engine found.
pub(crate) fn compare(world: &World<'_>, input: &Input, expected: &Tuples, found: &Tuples) -> Report {
    let relations = vec![
        relation("reachable", &expected.reachable, &found.reachable, |&(ctx, code)| {
            format!("{}{}", world.code_name(code), world.in_context(ctx))
        }),
        relation("calls", &expected.calls, &found.calls, |&(ctx, site, callee_ctx, callee)| {
            let (from, to) = (world.in_context(ctx), world.in_context(callee_ctx));
            format!("{}{from} -> {}{to}", world.site_name(site), world.code_name(callee))
        }),
        relation("initialised", &expected.initialised, &found.initialised, |&class| {
            world.program.class_name(class)
        }),
        relation(
            "class initialiser edges",
            &expected.initialisers,
            &found.initialisers,
            |&(code, offset, initialiser)| {
                format!("{} @{offset} -> {}", world.code_name(code), world.code_name(initialiser))
            },
        ),
        relation(
            "var-points-to",
            &expected.var_points_to,
            &found.var_points_to,
            |&(ctx, variable, object)| {
                let (code, var) = input.variables[variable];
                let (code, context) = (world.code_name(code), world.in_context(ctx));
                format!("{code} {var}{context} -> {}", world.object_name(object))
            },
        ),
        relation(
            "field-points-to",
            &expected.field_points_to,
            &found.field_points_to,
            |&(base, field, object)| {
                let (base, field) = (world.object_name(base), world.field_name(field));
                format!("{base} . {field} -> {}", world.object_name(object))
            },
        ),
        relation(
            "static-points-to",
            &expected.static_points_to,
            &found.static_points_to,
            |&(field, object)| {
                format!("{} -> {}", world.program.field_name(field), world.object_name(object))
            },
        ),
    ];
    Report { relations, problems: world.problems() }
}

/// How many tuples of each side are written out.
const EXAMPLES: usize = 20;

fn relation<T: Ord>(
    name: &'static str,
    expected: &[T],
    found: &[T],
    describe: impl Fn(&T) -> String,
) -> Relation {
    let (only_expected, only_found) = difference(expected, found);
    let describe_some = |tuples: &[&T]| tuples.iter().take(EXAMPLES).map(|t| describe(t)).collect();
    Relation {
        name,
        expected: expected.len(),
        found: found.len(),
        missing: only_expected.len(),
        unfounded: only_found.len(),
        missing_examples: describe_some(&only_expected),
        unfounded_examples: describe_some(&only_found),
    }
}

/// What only the one and only the other of two sorted lists has.
fn difference<'a, T: Ord>(a: &'a [T], b: &'a [T]) -> (Vec<&'a T>, Vec<&'a T>) {
    let (mut only_a, mut only_b) = (Vec::new(), Vec::new());
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    loop {
        let order = match (a.peek(), b.peek()) {
            (None, None) => return (only_a, only_b),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(x), Some(y)) => x.cmp(y),
        };
        match order {
            Ordering::Less => only_a.extend(a.next()),
            Ordering::Greater => only_b.extend(b.next()),
            Ordering::Equal => {
                a.next();
                b.next();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_told_by_side() {
        assert_eq!(difference(&[1, 2, 4], &[2, 3, 4, 5]), (vec![&1], vec![&3, &5]));
        assert_eq!(difference::<u32>(&[], &[]), (vec![], vec![]));
    }

    #[test]
    fn examples_are_few_and_counts_are_whole() {
        let many: Vec<u32> = (0..100).collect();
        let relation = relation("numbers", &many, &[], ToString::to_string);
        assert_eq!((relation.missing, relation.missing_examples.len()), (100, EXAMPLES));
    }
}
