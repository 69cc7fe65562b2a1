//! Everything that an analysis finds has an explanation, in whatever contexts.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::PathBuf;

use heliostat_core::analysis::{AnalysisSettings, parse_context};
use heliostat_core::pta::facts::Var;
use heliostat_core::pta::why::{How, Place, Step, Why};
use heliostat_core::pta::{InstanceId, Solution};
use heliostat_core::{Environment, JdkChoice, MemoryFile, Opened, Settings, analyse, open};

/// Of so many pairs of a variable and an object, one is looked at.
const SAMPLE: usize = 200_003;

fn demo() -> Opened {
    let jar = include_bytes!("../../heliostat/demo/demo.jar");
    let memory = vec![MemoryFile { name: "demo.jar".to_owned(), bytes: bytes::Bytes::from_static(jar) }];
    let environment = Environment {
        java_home: std::env::var_os("JAVA_HOME").map(PathBuf::from),
        path: std::env::var_os("PATH"),
        home: None,
    };
    open(&Settings { memory, jdk: JdkChoice::Auto, environment, ..Settings::default() }).unwrap()
}

#[test]
fn everything_has_an_explanation() {
    for context in ["insens", "1obj"] {
        let mut opened = demo();
        let settings =
            AnalysisSettings { context: parse_context(context).unwrap(), ..AnalysisSettings::default() };
        let analysis = analyse(&mut opened, &settings, &mut |_| ()).unwrap();
        let why = Why::new(&analysis.solution, &opened.program);
        every_instance_is_reached(&analysis.solution, &why, context);
        every_object_comes_from_somewhere(&analysis.solution, &why, context);
    }
}

fn every_instance_is_reached(solution: &Solution, why: &Why<'_>, context: &str) {
    for (instance, code, _) in solution.instances() {
        let way = why.reached().way_to(instance);
        assert!(way.is_some(), "{context}: {code} is reached");
    }
}

fn every_object_comes_from_somewhere(solution: &Solution, why: &Why<'_>, context: &str) {
    let variables = solution.instances().flat_map(|(instance, code, _)| {
        let vars = solution.facts.template(code).map_or(0, |template| template.vars);
        (0..vars).map(move |var| (instance, Var::from_u32(var)))
    });
    let pairs = variables.flat_map(|(instance, var)| {
        solution.points_to(instance, var).map(move |object| (instance, var, object))
    });
    for (instance, var, object) in pairs.step_by(SAMPLE) {
        let place = Place::Var { instance, var };
        let way = why.points_to(place, object);
        assert!(way.is_some(), "{context}: {place:?} has {object}");
        check(solution, &way.unwrap());
    }
}

/// The object is made first, is at every place of the way, and calls on it are real.
fn check(solution: &Solution, way: &[Step]) {
    for (number, step) in way.iter().enumerate() {
        assert!(solution.is_at(step.place, step.object), "{step:?}");
        let is_first = matches!(step.how, How::Made(_) | How::Kept);
        assert_eq!(is_first, number == 0, "{way:?}");
        let code = |instance: InstanceId| solution.code_of(instance);
        if let How::Argument(edge, _) | How::Receiver(edge) | How::Returned(edge) | How::Thrown(edge) =
            step.how
        {
            assert_eq!(solution.facts.sites()[edge.site].code, code(edge.caller), "{step:?}");
        }
    }
}
