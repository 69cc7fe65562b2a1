//! What makes the objects that calls are made on: a call is not to blame for an object that the analysis
//! never has.

use heliostat_index::{FastMap, FastSet};

use super::sides::{Recorded, RecordedCall, StaticRun, class_of};

/// Methods by what they are called, without their types.
pub(super) struct Makers<'a> {
    /// Those that are reached.
    reached: FastSet<&'a str>,
    /// Those that ran and are not reached, each once, in order.
    lost: FastMap<&'a str, Vec<&'a str>>,
}

impl<'a> Makers<'a> {
    pub(super) fn new(run: &'a StaticRun, recorded: &'a Recorded) -> Self {
        let reached = run.methods().map(untyped).collect();
        let mut lost: FastMap<&str, Vec<&str>> = FastMap::default();
        let mut seen: FastSet<&str> = FastSet::default();
        for callee in recorded.calls.iter().map(|call| call.callee.as_str()) {
            if !run.reaches(callee) && seen.insert(callee) {
                lost.entry(untyped(callee)).or_default().push(callee);
            }
        }
        Self { reached, lost }
    }

    /// The methods that make what a call is made on, if the analysis reaches none of them and they ran: the
    /// constructors of the class of the method called, or the method around a lambda. None if it does, or if
    /// nobody knows.
    pub(super) fn of(&self, call: &RecordedCall) -> &[&'a str] {
        let maker = maker(call).filter(|maker| !self.reached.contains(maker.as_str()));
        maker.and_then(|maker| self.lost.get(maker.as_str())).map_or(&[], Vec::as_slice)
    }
}

/// A method without its types.
fn untyped(method: &str) -> &str {
    method.split('(').next().unwrap_or(method)
}

/// What makes the object that a call is made on, without its types.
fn maker(call: &RecordedCall) -> Option<String> {
    let class = class_of(&call.callee);
    let on_receiver = match call.kind.as_str() {
        "virtual" | "interface" => true,
        // Of a thread.
        _ => call.caller.is_none() && call.callee.ends_with(".run()V"),
    };
    let name = match around_lambda(untyped(&call.callee)) {
        Some(name) if on_receiver || call.kind == "dynamic" => name,
        _ if on_receiver => "<init>",
        _ => return None,
    };
    Some(format!("{class}.{name}"))
}

/// The name of the method around a lambda, which the compiler names `lambda$method$0`.
fn around_lambda(untyped: &str) -> Option<&str> {
    let (_, name) = untyped.rsplit_once('.')?;
    let (method, number) = name.strip_prefix("lambda$")?.rsplit_once('$')?;
    let is_number = !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit());
    is_number.then_some(match method {
        "new" => "<init>",
        "static" => "<clinit>",
        other => other,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn maker_of(callee: &str, kind: &str) -> Option<String> {
        let (caller, callee, kind) = (Some("A.a()V".to_owned()), callee.to_owned(), kind.to_owned());
        maker(&RecordedCall { caller, offset: None, line: None, callee, kind, count: 1 })
    }

    #[test]
    fn constructors_make_receivers() {
        assert_eq!(maker_of("p/B$1.run()V", "virtual").as_deref(), Some("p/B$1.<init>"));
        assert_eq!(maker_of("B.get()LB;", "interface").as_deref(), Some("B.<init>"));
        // Whether these have a receiver is not known, or it is not what selects.
        for kind in ["static", "special", "dynamic", "reflective", "implicit", "unknown"] {
            assert_eq!(maker_of("B.get()LB;", kind), None, "{kind}");
        }
    }

    #[test]
    fn methods_make_their_lambdas() {
        for (name, method) in [("lambda$m$0", "m"), ("lambda$a$b$12", "a$b"), ("lambda$new$1", "<init>")] {
            let maker = maker_of(&format!("p/B.{name}(I)V"), "dynamic");
            assert_eq!(maker, Some(format!("p/B.{method}")), "{name}");
        }
        assert_eq!(maker_of("B.lambda$static$0()V", "dynamic").as_deref(), Some("B.<clinit>"));
        assert_eq!(maker_of("B.lambda$m$0()V", "static"), None);
        assert_eq!(maker_of("B.lambda$m$x()V", "dynamic"), None);
        assert_eq!(maker_of("B.lambda$0()V", "dynamic"), None);
    }
}
