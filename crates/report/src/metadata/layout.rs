//! JSON for people to read: a line for what fits on it.

use std::io::{self, Write};

use serde_json::Value;

/// How long a line may be.
const WIDTH: usize = 100;

/// Down to this depth everything has lines of its own: the file, its lists, their entries.
const OPEN_DEPTH: usize = 2;

/// Writes a file.
pub fn write(file: &Value, out: &mut impl Write) -> io::Result<()> {
    let mut text = String::new();
    put(file, 0, 0, &mut text);
    writeln!(out, "{text}")
}

/// Adds a value to a text, where `used` columns of its line are in use.
fn put(value: &Value, depth: usize, used: usize, text: &mut String) {
    let line = one_line(value);
    let fits = depth > OPEN_DEPTH && used + line.chars().count() <= WIDTH;
    match value {
        Value::Array(items) if !items.is_empty() && !fits => {
            let items = items.iter().map(|item| (String::new(), item));
            put_all('[', ']', items, depth, text);
        }
        Value::Object(entries) if !entries.is_empty() && !fits => {
            let entries = entries.iter().map(|(key, value)| (format!("{}: ", quoted(key)), value));
            put_all('{', '}', entries, depth, text);
        }
        _ => text.push_str(&line),
    }
}

fn put_all<'a>(
    open: char,
    close: char,
    items: impl Iterator<Item = (String, &'a Value)>,
    depth: usize,
    text: &mut String,
) {
    let indent = "  ".repeat(depth + 1);
    text.push(open);
    for (number, (start, item)) in items.enumerate() {
        text.push_str(if number == 0 { "\n" } else { ",\n" });
        text.push_str(&indent);
        text.push_str(&start);
        // A comma may follow.
        put(item, depth + 1, indent.len() + start.chars().count() + 1, text);
    }
    text.push('\n');
    text.push_str(&"  ".repeat(depth));
    text.push(close);
}

fn one_line(value: &Value) -> String {
    match value {
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(one_line).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(entries) => {
            let entries = entries.iter().map(|(key, value)| format!("{}: {}", quoted(key), one_line(value)));
            format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_fits_is_on_one_line() {
        let file =
            json!({"z": [{"b": {"x": 1}, "a": ["long", "long", "long"], "c": []}], "a": [], "n": "\"é\n"});
        let mut out = Vec::new();
        write(&file, &mut out).unwrap();
        let expected = r#"{
  "z": [
    {
      "b": {"x": 1},
      "a": ["long", "long", "long"],
      "c": []
    }
  ],
  "a": [],
  "n": "\"é\n"
}
"#;
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn what_does_not_fit_is_on_several() {
        let file = json!({"z": [{"b": ["x".repeat(60), "y".repeat(60)]}]});
        let mut out = Vec::new();
        write(&file, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(text.lines().all(|line| line.len() <= WIDTH) && text.lines().count() == 10, "{text}");
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), file);
    }
}
