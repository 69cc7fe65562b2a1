//! Two files as one.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry as Slot;

use serde_json::{Map, Value};

use super::listing::{named, resource};
use super::{REFLECTION, RESOURCES};

/// Adds what another file has. Its entries stay as they are, unless there is one of the same type and condition: then that has what
/// either says. Parts of the file that this code does not know are kept.
pub fn merge(file: Value, other: Value) -> Value {
    let (mut file, mut other) = match (file, other) {
        (Value::Object(file), Value::Object(other)) => (file, other),
        (file, _) => return file,
    };
    let mut merged = Map::new();
    if let Some(comment) = united(file.shift_remove("comment"), other.shift_remove("comment")) {
        merged.insert("comment".to_owned(), comment);
    }
    for section in [REFLECTION, RESOURCES] {
        let [mine, others] = [&mut file, &mut other].map(|file| file.shift_remove(section));
        merged.insert(section.to_owned(), Value::Array(all(items(mine), items(others))));
    }
    for (key, value) in file.into_iter().chain(other) {
        merged.entry(key).or_insert(value);
    }
    Value::Object(merged)
}

fn items(list: Option<Value>) -> Vec<Value> {
    match list {
        Some(Value::Array(items)) => items,
        _ => Vec::new(),
    }
}

/// The entries of both, in the order of names.
fn all(entries: Vec<Value>, others: Vec<Value>) -> Vec<Value> {
    let mut merged: BTreeMap<(String, String), Value> = BTreeMap::new();
    for entry in entries.into_iter().chain(others) {
        match merged.entry(key(&entry)) {
            Slot::Occupied(mut same) => unite(same.get_mut(), entry),
            Slot::Vacant(slot) => _ = slot.insert(entry),
        }
    }
    merged.into_values().collect()
}

/// What an entry is about.
fn key(entry: &Value) -> (String, String) {
    let name = if entry["type"].is_null() { resource(entry) } else { named(&entry["type"]) };
    (name, entry["condition"].to_string())
}

/// Adds to an entry what another one of the same type and condition has.
fn unite(entry: &mut Value, other: Value) {
    let (Value::Object(entry), Value::Object(other)) = (entry, other) else { return };
    for (key, value) in other {
        let united = match (key.as_str(), entry.get(&key).cloned()) {
            ("reason", mine) => united(mine, Some(value)),
            (_, Some(Value::Array(mine))) => Some(Value::Array(union(mine, value))),
            (_, Some(Value::Bool(mine))) => Some(Value::Bool(mine || value == true)),
            (_, Some(mine)) => Some(mine),
            (_, None) => Some(value),
        };
        entry.extend(united.map(|united| (key, united)));
    }
}

/// The items of a list and those of another that it does not have; lists of members are in the order of their texts.
fn union(mut items: Vec<Value>, others: Value) -> Vec<Value> {
    let Value::Array(others) = others else { return items };
    let new: Vec<Value> = others.into_iter().filter(|other| !items.contains(other)).collect();
    if !new.is_empty() {
        items.extend(new);
        items.sort_by_cached_key(ToString::to_string);
    }
    items
}

/// The texts of two comments or reasons, each a text or a list of texts.
fn united(one: Option<Value>, other: Option<Value>) -> Option<Value> {
    let texts = |value: Option<Value>| match value {
        Some(Value::Array(texts)) => texts,
        Some(text) => vec![text],
        None => Vec::new(),
    };
    let mut all = texts(one);
    for text in texts(other) {
        if !all.contains(&text) {
            all.push(text);
        }
    }
    match all.len() {
        0 => None,
        1 => all.pop(),
        _ => Some(Value::Array(all)),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn ours() -> Value {
        json!({
            "reflection": [
                {"type": "a.A", "condition": {"typeReached": "m.M"}, "reason": "ours", "methods": [{"name": "b", "parameterTypes": []}]},
                {"type": "a.C", "condition": {"typeReached": "m.M"}, "reason": "ours"},
            ],
            "resources": [{"glob": "x.txt", "condition": {"typeReached": "m.M"}, "reason": "ours"}],
        })
    }

    #[test]
    fn the_entries_of_both() {
        let theirs = json!({
            "comment": "by hand",
            "reflection": [
                {"type": "a.A", "condition": {"typeReached": "m.M"}, "reason": "theirs", "unsafeAllocated": true,
                 "methods": [{"parameterTypes": [], "name": "b"}, {"name": "a", "parameterTypes": ["int"]}]},
                {"allPublicMethods": true, "type": "a.B"},
            ],
            "jni": [{"type": "a.N"}],
        });
        let merged = merge(ours(), theirs.clone());
        let expected = json!({
            "comment": "by hand",
            "reflection": [
                {"type": "a.A", "condition": {"typeReached": "m.M"}, "reason": ["ours", "theirs"], "unsafeAllocated": true,
                 "methods": [{"name": "a", "parameterTypes": ["int"]}, {"name": "b", "parameterTypes": []}]},
                {"type": "a.B", "allPublicMethods": true},
                {"type": "a.C", "condition": {"typeReached": "m.M"}, "reason": "ours"},
            ],
            "resources": [{"glob": "x.txt", "condition": {"typeReached": "m.M"}, "reason": "ours"}],
            "jni": [{"type": "a.N"}],
        });
        assert_eq!(merged, expected);
        let text = merged["reflection"][1].to_string();
        assert!(text.starts_with("{\"allPublicMethods\""), "keys stay in their order: {text}");
        assert_eq!(merge(ours(), merged.clone()), merged, "once more changes nothing");
    }

    #[test]
    fn a_condition_of_its_own_is_an_entry_of_its_own() {
        let merged = merge(ours(), json!({"reflection": [{"type": "a.A"}]}));
        let entries = merged["reflection"].as_array().unwrap();
        assert_eq!(entries.len(), 3, "{merged}");
    }
}
