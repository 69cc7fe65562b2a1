//! JSON schemas, as far as that of reachability metadata needs them: a validator that knows each keyword that is there.
#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "a schema that is not understood is a failure of the test"
)]

use serde_json::Value;

/// The schema of `reachability-metadata.json` that GraalVM publishes, version 1.2.0.
const METADATA: &str = include_str!("../schemas/reachability-metadata-schema-v1.2.0.json");

/// What is wrong with a file by the schema of reachability metadata; nothing if it is valid.
pub(crate) fn metadata_errors(file: &Value) -> Vec<String> {
    let root: Value = serde_json::from_str(METADATA).expect("a schema");
    let mut errors = Vec::new();
    Schema { root: &root }.check(&root, file, "$", &mut errors);
    errors
}

struct Schema<'a> {
    root: &'a Value,
}

impl Schema<'_> {
    fn check(&self, schema: &Value, value: &Value, at: &str, errors: &mut Vec<String>) {
        for (keyword, rule) in schema.as_object().expect("a schema is an object") {
            match keyword.as_str() {
                "$schema" | "$id" | "$defs" | "title" | "version" | "description" | "default" => {}
                "$ref" => self.check(self.definition(rule), value, at, errors),
                "type" => check_type(rule, value, at, errors),
                "required" => check_required(rule, value, at, errors),
                "properties" => self.check_properties(rule, value, at, errors),
                "additionalProperties" => check_additional(schema, rule, value, at, errors),
                "items" => self.check_items(rule, value, at, errors),
                "minItems" => {
                    let count = value.as_array().map_or(0, Vec::len) as u64;
                    if count < rule.as_u64().expect("a number") {
                        errors.push(format!("{at}: too few items"));
                    }
                }
                "oneOf" => self.check_one_of(rule, value, at, errors),
                "pattern" => check_pattern(rule, value, at, errors),
                other => panic!("the validator does not know {other}"),
            }
        }
    }

    fn definition(&self, reference: &Value) -> &Value {
        let name = reference.as_str().and_then(|path| path.strip_prefix("#/$defs/"));
        &self.root["$defs"][name.expect("a reference into this schema")]
    }

    fn check_properties(&self, rules: &Value, value: &Value, at: &str, errors: &mut Vec<String>) {
        for (name, rule) in rules.as_object().expect("properties") {
            if let Some(property) = value.get(name) {
                self.check(rule, property, &format!("{at}.{name}"), errors);
            }
        }
    }

    fn check_items(&self, rule: &Value, value: &Value, at: &str, errors: &mut Vec<String>) {
        for (index, item) in value.as_array().into_iter().flatten().enumerate() {
            self.check(rule, item, &format!("{at}[{index}]"), errors);
        }
    }

    fn check_one_of(&self, choices: &Value, value: &Value, at: &str, errors: &mut Vec<String>) {
        let choices = choices.as_array().expect("choices").iter();
        let fits = choices.filter(|choice| {
            let mut errors = Vec::new();
            self.check(choice, value, at, &mut errors);
            errors.is_empty()
        });
        let count = fits.count();
        if count != 1 {
            errors.push(format!("{at}: {count} of the choices fit {value}"));
        }
    }
}

fn check_type(rule: &Value, value: &Value, at: &str, errors: &mut Vec<String>) {
    let fits = match rule.as_str().expect("a type") {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64(),
        other => panic!("the validator does not know the type {other}"),
    };
    if !fits {
        errors.push(format!("{at}: {value} is no {rule}"));
    }
}

fn check_required(names: &Value, value: &Value, at: &str, errors: &mut Vec<String>) {
    let names = names.as_array().expect("names").iter().filter_map(Value::as_str);
    let missing = names.filter(|&name| value.is_object() && value.get(name).is_none());
    errors.extend(missing.map(|name| format!("{at}: {name} is missing")));
}

fn check_additional(schema: &Value, rule: &Value, value: &Value, at: &str, errors: &mut Vec<String>) {
    assert_eq!(rule, &Value::Bool(false), "all that the schema says");
    let names = value.as_object().into_iter().flat_map(|object| object.keys());
    let unknown = names.filter(|&name| schema["properties"].get(name).is_none());
    errors.extend(unknown.map(|name| format!("{at}: {name} is not known")));
}

/// The patterns of names are few: parts without some characters, with dots between, brackets behind.
fn check_pattern(rule: &Value, value: &Value, at: &str, errors: &mut Vec<String>) {
    let Some(text) = value.as_str() else { return };
    let is_part = |part: &str| !part.is_empty() && !part.contains(['.', ';', '[', '/']);
    let is_class = |text: &str| text.split('.').all(is_part);
    let fits = match rule.as_str().expect("a pattern") {
        r"^[^.;\[/]+$" => is_part(text),
        r"^[^.;\[/]+(\.[^.;\[/]+)*$" => is_class(text),
        r"^[^.;\[/]+(\.[^.;\[/]+)*(\[])*$" => is_class(text.trim_end_matches("[]")),
        other => panic!("the validator does not know the pattern {other}"),
    };
    if !fits {
        errors.push(format!("{at}: {text} does not fit {rule}"));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::metadata_errors;

    #[test]
    fn the_validator_tells_valid_files_from_others() {
        let good = json!({
            "comment": ["a", "b"],
            "reflection": [
                {"type": "a.B$C[]", "condition": {"typeReached": "m.M"}, "reason": "x", "serializable": true,
                 "methods": [{"name": "<init>", "parameterTypes": ["int[]"]}], "fields": [{"name": "f"}]},
                {"type": {"proxy": ["a.I"]}},
            ],
            "resources": [{"glob": "a/**"}, {"bundle": "a.B", "module": "m"}],
        });
        assert_eq!(metadata_errors(&good), Vec::<String>::new());
        for bad in [
            json!([]),
            json!({"other": 1}),
            json!({"reflection": [{"name": "a.B"}]}),
            json!({"reflection": [{"type": "a/B"}]}),
            json!({"reflection": [{"type": "[La.B;"}]}),
            json!({"reflection": [{"type": "a.B", "condition": {"typeReachable": "m.M"}}]}),
            json!({"reflection": [{"type": "a.B", "serializable": "yes"}]}),
            json!({"reflection": [{"type": {"proxy": ["a.I[]"]}}]}),
            json!({"reflection": [{"type": "a.B", "methods": [{"name": "m"}]}]}),
            json!({"reflection": [{"type": "a.B", "methods": [{"name": "m", "parameterTypes": ["[I"]}]}]}),
            json!({"reflection": [{"type": "a.B", "fields": ["f"]}]}),
            json!({"resources": [{"glob": "a", "bundle": "b"}]}),
            json!({"resources": [{"module": "a"}]}),
        ] {
            assert!(!metadata_errors(&bad).is_empty(), "{bad}");
        }
    }
}
