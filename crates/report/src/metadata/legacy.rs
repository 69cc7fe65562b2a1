//! The files that were there before: `reflect-config.json`, `jni-config.json`, `proxy-config.json`, `serialization-config.json`,
//! `resource-config.json`.
//!
//! What they say of queries is dropped: today a type may be asked for its members as soon as it is there.

use heliostat_core::types::java_class;
use serde_json::{Map, Value, json};

use super::read::Read;

/// Which of them a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Reflect,
    Jni,
    Proxy,
    Serialization,
    Resource,
}

/// What of an entry for a type is the same today.
const SAME: [&str; 7] = [
    "allDeclaredConstructors",
    "allPublicConstructors",
    "allDeclaredMethods",
    "allPublicMethods",
    "allDeclaredFields",
    "allPublicFields",
    "unsafeAllocated",
];

impl Kind {
    /// The kind of a file by its content, and by its name where that does not tell.
    pub(super) fn of(name: &str, file: &Value) -> Option<Self> {
        match file {
            Value::Array(entries) => Self::of_list(name, entries),
            Value::Object(file) => Self::of_object(file),
            _ => None,
        }
    }

    fn of_list(name: &str, entries: &[Value]) -> Option<Self> {
        let all = |test: &dyn Fn(&Value) -> bool| entries.iter().all(test);
        if all(&|entry| entry["name"].is_string() || !entry["type"].is_null()) {
            let is = |word: &str| name.contains(word);
            return Some(match () {
                () if is("jni") => Self::Jni,
                () if is("serialization") => Self::Serialization,
                () => Self::Reflect,
            });
        }
        all(&|entry| entry.is_array() || entry["interfaces"].is_array()).then_some(Self::Proxy)
    }

    fn of_object(file: &Map<String, Value>) -> Option<Self> {
        let has = |key: &str| file.contains_key(key);
        if has("types") || has("lambdaCapturingTypes") || has("proxies") {
            return Some(Self::Serialization);
        }
        let is_pattern = |entry: &Value| entry["pattern"].is_string();
        let resources = file.get("resources");
        let is_old = resources.is_some_and(|list| {
            list.is_object() || list.as_array().is_some_and(|list| list.iter().any(is_pattern))
        });
        (is_old || has("globs") || has("bundles") && !has("reflection")).then_some(Self::Resource)
    }
}

/// The file in today's format, and what of it cannot be said there.
pub(super) fn convert(kind: Kind, file: &Value) -> Read {
    let mut converted = Converted::default();
    match kind {
        Kind::Reflect => items(file).for_each(|entry| converted.add_type(entry, None)),
        Kind::Jni => items(file).for_each(|entry| converted.add_type(entry, Some("jniAccessible"))),
        Kind::Proxy => items(file).for_each(|entry| converted.add_proxy(entry, None)),
        Kind::Serialization => converted.add_serialization(file),
        Kind::Resource => converted.add_resources(file),
    }
    let Converted { reflection, resources, left_out } = converted;
    Read { file: json!({ "reflection": reflection, "resources": resources }), left_out }
}

fn items(list: &Value) -> impl Iterator<Item = &Value> {
    list.as_array().into_iter().flatten()
}

#[derive(Default)]
struct Converted {
    reflection: Vec<Value>,
    resources: Vec<Value>,
    left_out: Vec<String>,
}

impl Converted {
    fn add_type(&mut self, entry: &Value, flag: Option<&str>) {
        let ty = if entry["type"].is_null() { &entry["name"] } else { &entry["type"] };
        let ty = ty.as_str().map_or_else(|| ty.clone(), |name| java_class(name).into());
        let mut object = started("type", ty, entry);
        let same = SAME.iter().filter(|&&key| entry[key] == true).chain(flag.as_ref());
        object.extend(same.map(|&key| (key.to_owned(), true.into())));
        let fields: Vec<Value> =
            items(&entry["fields"]).map(|field| json!({ "name": field["name"] })).collect();
        if !fields.is_empty() {
            object.insert("fields".to_owned(), fields.into());
        }
        let methods = self.methods(entry);
        if !methods.is_empty() {
            object.insert("methods".to_owned(), methods.into());
        }
        self.reflection.push(Value::Object(object));
    }

    /// The methods of an entry. One without parameters meant all of its name, which cannot be said today.
    fn methods(&mut self, entry: &Value) -> Vec<Value> {
        let (known, unknown): (Vec<&Value>, Vec<&Value>) =
            items(&entry["methods"]).partition(|method| method["parameterTypes"].is_array());
        self.left_out
            .extend(unknown.into_iter().map(|method| format!("a method without parameterTypes: {method}")));
        let method = |method: &Value| {
            let parameters: Vec<String> =
                items(&method["parameterTypes"]).filter_map(Value::as_str).map(java_class).collect();
            json!({ "name": method["name"], "parameterTypes": parameters })
        };
        known.into_iter().map(method).collect()
    }

    fn add_proxy(&mut self, entry: &Value, flag: Option<&str>) {
        let interfaces = if entry.is_array() { entry } else { &entry["interfaces"] };
        let mut object = started("type", json!({ "proxy": interfaces }), entry);
        object.extend(flag.map(|flag| (flag.to_owned(), true.into())));
        self.reflection.push(Value::Object(object));
    }

    fn add_serialization(&mut self, file: &Value) {
        let flag = Some("serializable");
        items(file).chain(items(&file["types"])).for_each(|entry| self.add_type(entry, flag));
        items(&file["proxies"]).for_each(|entry| self.add_proxy(entry, flag));
        let lambdas = items(&file["lambdaCapturingTypes"]);
        self.left_out.extend(
            lambdas.map(|entry| format!("serialisable lambdas, whose interfaces are not named: {entry}")),
        );
    }

    fn add_resources(&mut self, file: &Value) {
        for entry in items(&file["globs"]) {
            self.resources.push(Value::Object(started("glob", entry["glob"].clone(), entry)));
        }
        let resources = &file["resources"];
        for entry in items(resources).chain(items(&resources["includes"])) {
            if entry["glob"].is_string() || entry["bundle"].is_string() {
                self.resources.push(entry.clone());
                continue;
            }
            let (module, pattern) = of_module(entry["pattern"].as_str().unwrap_or_default());
            match literal(pattern) {
                Some(path) => self.add_resource("glob", &path.replace('*', "\\*"), module, entry),
                None => self.left_out.push(format!("a regular expression: {entry}")),
            }
        }
        self.left_out.extend(items(&resources["excludes"]).map(|entry| format!("an exclusion: {entry}")));
        for entry in items(&file["bundles"]) {
            let (module, name) = of_module(entry["name"].as_str().unwrap_or_default());
            self.add_resource("bundle", name, module, entry);
        }
    }

    fn add_resource(&mut self, key: &str, name: &str, module: Option<&str>, entry: &Value) {
        let mut object = started(key, name.into(), entry);
        object.extend(module.map(|module| ("module".to_owned(), module.into())));
        self.resources.push(Value::Object(object));
    }
}

/// An entry with what it is about, and its condition and module if it has them.
fn started(key: &str, value: Value, entry: &Value) -> Map<String, Value> {
    let mut object = Map::from_iter([(key.to_owned(), value)]);
    let condition = &entry["condition"];
    let reached = condition["typeReached"].as_str().or_else(|| condition["typeReachable"].as_str());
    object.extend(reached.map(|ty| ("condition".to_owned(), json!({ "typeReached": ty }))));
    object.extend(entry["module"].as_str().map(|module| ("module".to_owned(), module.into())));
    object
}

/// A name that may have a module before it.
fn of_module(name: &str) -> (Option<&str>, &str) {
    match name.split_once(':') {
        Some((module, name)) => (Some(module), name),
        None => (None, name),
    }
}

/// The one text that a regular expression matches, if it is one of the agent's or has nothing that means something else.
fn literal(pattern: &str) -> Option<String> {
    let pattern = pattern.trim_start_matches('^').trim_end_matches('$');
    if let Some(quoted) = pattern.strip_prefix("\\Q").and_then(|rest| rest.strip_suffix("\\E")) {
        return (!quoted.contains("\\E")).then(|| quoted.to_owned());
    }
    let text = pattern.replace("\\.", "\u{0}");
    let is_plain = |letter: char| letter.is_alphanumeric() || "\u{0}/_-$ ".contains(letter);
    (!text.is_empty() && text.chars().all(is_plain)).then(|| text.replace('\u{0}', "."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn converted(name: &str, file: &Value) -> (Value, Vec<String>) {
        let kind = Kind::of(name, file).unwrap();
        let Read { file, left_out } = convert(kind, file);
        (file, left_out)
    }

    #[test]
    fn types_and_members() {
        let file = json!([
            {"name": "[La.A;", "condition": {"typeReachable": "m.M"}, "queryAllPublicMethods": true, "allPublicMethods": true},
            {"name": "a.B", "fields": [{"name": "f", "allowWrite": true}],
             "methods": [{"name": "m", "parameterTypes": ["[I"]}, {"name": "all"}], "queriedMethods": [{"name": "q"}]},
        ]);
        let (found, left_out) = converted("reflect-config.json", &file);
        let expected = json!({
            "reflection": [
                {"type": "a.A[]", "condition": {"typeReached": "m.M"}, "allPublicMethods": true},
                {"type": "a.B", "fields": [{"name": "f"}], "methods": [{"name": "m", "parameterTypes": ["int[]"]}]},
            ],
            "resources": [],
        });
        assert_eq!(found, expected);
        assert_eq!(left_out, ["a method without parameterTypes: {\"name\":\"all\"}"]);
        let (found, _) = converted("x/jni-config.json", &json!([{"name": "a.A"}]));
        assert_eq!(found["reflection"], json!([{"type": "a.A", "jniAccessible": true}]));
    }

    #[test]
    fn proxies_and_streams() {
        let (found, _) = converted(
            "a",
            &json!([["a.I", "a.J"], {"interfaces": ["a.K"], "condition": {"typeReachable": "m.M"}}]),
        );
        let expected = json!([
            {"type": {"proxy": ["a.I", "a.J"]}},
            {"type": {"proxy": ["a.K"]}, "condition": {"typeReached": "m.M"}},
        ]);
        assert_eq!(found["reflection"], expected);
        let file = json!({"types": [{"name": "a.A"}], "lambdaCapturingTypes": [{"name": "a.L"}], "proxies": [["a.I"]]});
        let (found, left_out) = converted("a", &file);
        let expected = json!([{"type": "a.A", "serializable": true}, {"type": {"proxy": ["a.I"]}, "serializable": true}]);
        assert_eq!(found["reflection"], expected);
        assert_eq!(left_out.len(), 1, "{left_out:?}");
    }

    #[test]
    fn resources() {
        let file = json!({
            "resources": {"includes": [
                {"pattern": "\\Qa/*.txt\\E"}, {"pattern": "java.base:\\Qx\\E"}, {"pattern": "a/b\\.txt$"}, {"pattern": ".*\\.txt"},
            ]},
            "bundles": [{"name": "a.Messages", "locales": ["de"], "condition": {"typeReachable": "m.M"}}],
            "globs": [{"glob": "c/**"}],
        });
        let (found, left_out) = converted("a", &file);
        let expected = json!([
            {"glob": "c/**"},
            {"glob": "a/\\*.txt"},
            {"glob": "x", "module": "java.base"},
            {"glob": "a/b.txt"},
            {"bundle": "a.Messages", "condition": {"typeReached": "m.M"}},
        ]);
        assert_eq!(found["resources"], expected);
        assert_eq!(left_out, ["a regular expression: {\"pattern\":\".*\\\\.txt\"}"]);
    }

    #[test]
    fn todays_files_are_none_of_them() {
        for file in
            [json!({}), json!({"reflection": []}), json!({"resources": [{"glob": "a"}, {"bundle": "b"}]})]
        {
            assert_eq!(Kind::of("reachability-metadata.json", &file), None, "{file}");
        }
    }
}
