//! Metadata as the file has it.

use heliostat_core::metadata::{Glob, Metadata, Method, Named, ResourceEntry, TypeEntry};
use serde_json::{Map, Value, json};

use super::{REFLECTION, RESOURCES, told};

/// What the file says if the analysis was ended early.
const INCOMPLETE: &str = "incomplete: the analysis was ended early";

/// The file as a whole.
pub fn document(metadata: &Metadata, complete: bool) -> Value {
    let mut file = Map::new();
    if !complete {
        file.insert("comment".to_owned(), INCOMPLETE.into());
    }
    file.insert(REFLECTION.to_owned(), metadata.types.iter().map(of_type).collect());
    file.insert(RESOURCES.to_owned(), metadata.resources.iter().map(of_resource).collect());
    Value::Object(file)
}

fn of_type(entry: &TypeEntry) -> Value {
    let named = match &entry.named {
        Named::Type(name) => json!(name),
        Named::Proxy(interfaces) => json!({ "proxy": interfaces }),
    };
    let mut object = Map::new();
    object.insert("type".to_owned(), named);
    object.extend(common(&entry.condition, &entry.reasons));
    object.extend(entry.flags.iter().map(|flag| (flag.name().to_owned(), true.into())));
    if !entry.fields.is_empty() {
        let fields = entry.fields.iter().map(|name| json!({ "name": name }));
        object.insert("fields".to_owned(), fields.collect());
    }
    if !entry.methods.is_empty() {
        object.insert("methods".to_owned(), methods(entry).into());
    }
    Value::Object(object)
}

/// Methods that differ in nothing but their results are one here.
fn methods(entry: &TypeEntry) -> Vec<Value> {
    let of = |Method { name, parameters, .. }: &Method| json!({ "name": name, "parameterTypes": parameters });
    let mut methods: Vec<Value> = entry.methods.iter().map(of).collect();
    methods.dedup();
    methods
}

fn of_resource(entry: &ResourceEntry) -> Value {
    let (kind, name) = match &entry.glob {
        Glob::Resource(glob) => ("glob", glob),
        Glob::Bundle(name) => ("bundle", name),
    };
    let mut object = Map::new();
    object.insert(kind.to_owned(), name.as_str().into());
    object.extend(entry.module.iter().map(|module| ("module".to_owned(), module.as_str().into())));
    object.extend(common(&entry.condition, &entry.reasons));
    Value::Object(object)
}

/// What every entry has.
fn common(condition: &str, reasons: &[String]) -> [(String, Value); 2] {
    let told = told(reasons);
    let reason = match told.as_slice() {
        [one] => one.as_str().into(),
        several => json!(several),
    };
    [("condition".to_owned(), json!({ "typeReached": condition })), ("reason".to_owned(), reason)]
}
