//! Reading a file that somebody else may have written.

use serde_json::Value;

use super::{REFLECTION, RESOURCES, legacy};

/// A file that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Read {
    /// The file, in today's format.
    pub file: Value,
    /// What of an older format cannot be said in today's, hence is not in it.
    pub left_out: Vec<String>,
}

/// Reads a file in today's format, or in that of an older `…-config.json`, of which its name may tell the kind. Fails with a message that
/// says where and why.
pub fn read(name: &str, bytes: &[u8]) -> Result<Read, String> {
    let file: Value = serde_json::from_slice(bytes).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        let what = error.to_string();
        let what = what.split(" at line ").next().unwrap_or(&what);
        format!("line {line}, column {column}: this is no JSON: {what}")
    })?;
    match legacy::Kind::of(name, &file) {
        Some(kind) => Ok(legacy::convert(kind, &file)),
        None if file.is_object() => {
            match [REFLECTION, RESOURCES].into_iter().find(|key| !is_list(&file[key])) {
                Some(key) => Err(format!("`{key}` is no list of entries")),
                None => Ok(Read { file, left_out: Vec::new() }),
            }
        }
        None => {
            let what =
                "neither a reachability-metadata.json nor one of the older files such as reflect-config.json";
            Err(format!("this is {what}"))
        }
    }
}

/// Whether a part of a file is a list of entries, or not there.
fn is_list(part: &Value) -> bool {
    part.is_null() || part.as_array().is_some_and(|entries| entries.iter().all(Value::is_object))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_metadata() {
        let failed = |text: &str| read("a.json", text.as_bytes()).unwrap_err();
        assert_eq!(failed("{\n  \"a\": 1,\n}"), "line 3, column 1: this is no JSON: trailing comma");
        assert!(failed("").starts_with("line 1, column 0: this is no JSON: "), "{}", failed(""));
        for other in ["1", "\"text\"", "[1]", "[{}]"] {
            assert!(
                failed(other).starts_with("this is neither a reachability-metadata.json nor "),
                "{other}"
            );
        }
    }

    #[test]
    fn todays_format_is_taken_as_it_is() {
        let text = r#"{"comment":"x","reflection":[{"type":"a.A"}],"resources":[{"glob":"a"},{"bundle":"b"}],"new":{}}"#;
        let read = read("a.json", text.as_bytes()).unwrap();
        assert_eq!(read.file.to_string(), text);
    }
}
