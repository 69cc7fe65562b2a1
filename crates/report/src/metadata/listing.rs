//! What a file says, without reasons and order: what a check compares.

use serde_json::Value;

use super::{REFLECTION, RESOURCES};
use crate::difference::Listing;

/// What holds always, as if there were no condition.
const ALWAYS: &str = "java.lang.Object";

/// The entries of a file. Of one type and condition there is one, even if the file has several.
pub fn listing(file: &Value) -> Listing {
    let mut listing = Listing::new();
    for entry in entries(file, REFLECTION) {
        let title = titled(&named(&entry["type"]), entry);
        listing.entry(title).or_default().extend(parts(entry));
    }
    for entry in entries(file, RESOURCES) {
        listing.entry(titled(&resource(entry), entry)).or_default();
    }
    listing
}

fn entries<'a>(file: &'a Value, section: &str) -> &'a [Value] {
    file[section].as_array().map(Vec::as_slice).unwrap_or_default()
}

/// A type for people: by its name, or by what it is made of.
pub(super) fn named(ty: &Value) -> String {
    match (ty.as_str(), ty["proxy"].as_array()) {
        (Some(name), _) => name.to_owned(),
        (None, Some(interfaces)) => {
            let names: Vec<&str> = interfaces.iter().filter_map(Value::as_str).collect();
            format!("proxy of {}", names.join(", "))
        }
        (None, None) => ty.to_string(),
    }
}

/// A resource for people.
pub(super) fn resource(entry: &Value) -> String {
    let name = |key: &str| {
        entry[key].as_str().map(|name| format!("{} {name}", if key == "glob" { "resource" } else { key }))
    };
    let name = name("glob").or_else(|| name("bundle")).unwrap_or_else(|| entry.to_string());
    match entry["module"].as_str().filter(|module| !module.is_empty()) {
        Some(module) => format!("{name} of module {module}"),
        None => name,
    }
}

fn titled(name: &str, entry: &Value) -> String {
    let condition = &entry["condition"]["typeReached"];
    if condition.is_null() || condition == ALWAYS {
        return name.to_owned();
    }
    format!("{name}, once {} is reached", named(condition))
}

fn parts(entry: &Value) -> Vec<String> {
    let list = |key: &str| entry[key].as_array().map(Vec::as_slice).unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let fields = list("fields").iter().map(|field| format!("field {}", text(&field["name"])));
    let methods = list("methods").iter().map(|method| {
        let parameters = method["parameterTypes"].as_array().map(Vec::as_slice).unwrap_or_default();
        let parameters: Vec<String> = parameters.iter().map(text).collect();
        format!("method {}({})", text(&method["name"]), parameters.join(", "))
    });
    let flags = entry.as_object().into_iter().flatten().filter(|(_, value)| value.as_bool() == Some(true));
    fields.chain(methods).chain(flags.map(|(key, _)| key.clone())).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn reasons_and_order_do_not_count() {
        let one = json!({
            "reflection": [
                {"type": "a.A", "condition": {"typeReached": "m.M"}, "reason": "x", "serializable": true, "allPublicFields": false,
                 "methods": [{"name": "m", "parameterTypes": ["int", "a.B[]"]}], "fields": [{"name": "f"}]},
                {"type": {"proxy": ["a.I", "a.J"]}, "condition": {"typeReached": "java.lang.Object"}},
            ],
            "resources": [{"glob": "a.txt", "module": "java.base"}, {"bundle": "a.B"}],
        });
        let two = json!({
            "resources": [{"bundle": "a.B"}, {"module": "java.base", "glob": "a.txt", "reason": ["y"]}],
            "reflection": [
                {"type": {"proxy": ["a.I", "a.J"]}},
                {"type": "a.A", "condition": {"typeReached": "m.M"}, "fields": [{"name": "f"}]},
                {"methods": [{"name": "m", "parameterTypes": ["int", "a.B[]"]}], "type": "a.A",
                 "condition": {"typeReached": "m.M"}, "serializable": true},
            ],
        });
        assert_eq!(listing(&one), listing(&two));
        let text: Vec<String> = listing(&one)
            .into_iter()
            .map(|(title, parts)| format!("{title}: {}", parts.into_iter().collect::<Vec<_>>().join("; ")))
            .collect();
        let expected = [
            "a.A, once m.M is reached: field f; method m(int, a.B[]); serializable",
            "bundle a.B: ",
            "proxy of a.I, a.J: ",
            "resource a.txt of module java.base: ",
        ];
        assert_eq!(text, expected);
    }

    #[test]
    fn files_of_another_shape_have_no_entries() {
        for file in [json!({}), json!([]), json!({"reflection": 1, "resources": {"includes": []}})] {
            assert!(listing(&file).is_empty(), "{file}");
        }
    }
}
