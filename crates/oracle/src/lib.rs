//! The rules of the points-to analysis as plain Datalog: slow, short, and right if the engine is.
//!
//! [`check`] takes what a finished analysis says of each piece of code (its templates), derives from that alone what is
//! reached, called, initialised and pointed to, and compares the outcome with the engine's, tuple by tuple.
//!
//! The rules are in `rules`; read them first. What they ask about single objects, types and contexts is answered by
//! `World`: `contexts` (what tells calls apart), `dispatch` (which code runs), `filters` (what passes), `derive` (what is made of
//! class objects), `fields` (what native code may mean), `asked` (what classes are asked for), `init` (what is initialised before what). None of it is shared
//! with the engine. What both take for granted is the program (subtyping, method selection) and the templates.

mod asked;
mod compare;
mod contexts;
mod derive;
mod dispatch;
mod engine;
mod fields;
mod filters;
mod init;
mod input;
mod names;
mod report;
mod rules;
mod world;

use heliostat_program::Program;
use heliostat_pta::{Options, Solution};

pub use report::{Relation, Report};

use input::Input;
use world::World;

/// Derives everything again and compares. `program` and `options` are those that the solution is of.
pub fn check(program: &Program, solution: &Solution, options: &Options) -> Report {
    let world = World::new(program, &solution.facts, options);
    let input = Input::read(&world);
    let expected = rules::run(&world, &input);
    let found = engine::tuples(&world, &input, solution);
    world.note_unread(&input, &expected);
    if !solution.complete {
        world.problem("the analysis did not come to its end".to_owned());
    }
    compare::compare(&world, &input, &expected, &found)
}
