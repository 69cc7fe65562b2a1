//! Operations on values against the operations of `java.lang.String`, on all small strings and all that can be known of them: the result always
//! describes what Java makes.

use heliostat_reflect::strings::{LONGEST, Position, Value};

/// All strings of these characters up to a length.
fn strings(characters: &str, longest: usize) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut from = 0;
    for _ in 0..longest {
        let last = all[from..].to_vec();
        from = all.len();
        all.extend(last.iter().flat_map(|text| characters.chars().map(move |c| format!("{text}{c}"))));
    }
    all
}

/// All that can be known of a string.
fn values(string: &str) -> Vec<Value> {
    let (mut all, bytes) = (vec![exact(string)], string.as_bytes());
    for prefix in 0..=bytes.len() {
        for suffix in 0..=bytes.len() {
            all.push(Value::partial(&bytes[..prefix], &bytes[suffix..]));
            if prefix < suffix {
                all.push(Value::piece(&bytes[prefix..suffix]));
            }
        }
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// All strings with all that can be known of each.
fn known(characters: &str, longest: usize) -> Vec<(String, Value)> {
    let pairs =
        |text: String| values(&text).into_iter().map(move |value| (text.clone(), value)).collect::<Vec<_>>();
    strings(characters, longest).into_iter().flat_map(pairs).collect()
}

fn exact(text: &str) -> Value {
    Value::exact(text.as_bytes())
}

#[track_caller]
fn check(operation: &str, operands: &[&dyn std::fmt::Display], result: &Value, real: &str) {
    let operands = || operands.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    assert!(
        result.describes(real.as_bytes()),
        "{operation}({}) is {result}, which is not {real:?}",
        operands()
    );
}

#[test]
fn whatever_is_known_describes_the_string() {
    for (string, value) in known("ab", 4) {
        check("value", &[], &value, &string);
    }
}

#[test]
fn concat_and_join() {
    let all = known("ab", 3);
    for (a, first) in &all {
        for (b, second) in &all {
            check("concat", &[first, second], &first.concat(second), &format!("{a}{b}"));
            let joined = Value::join(first, &[second.clone(), exact("ab"), second.clone()]);
            check("join", &[first, second], &joined, &format!("{b}{a}ab{a}{b}"));
            let made =
                Value::of_recipe(b"a\x01b\x02", std::slice::from_ref(first), std::slice::from_ref(second));
            check("recipe", &[first, second], &made, &format!("a{a}b{b}"));
        }
    }
}

#[test]
fn nothing_known_is_lost_at_outer_ends() {
    for (_, value) in known("ab", 3) {
        assert_eq!(exact("").concat(&value), value);
        assert_eq!(value.concat(&exact("")), value);
        let grown = exact("a").concat(&value).concat(&exact("b"));
        assert!(!grown.is_unknown(), "{value}");
    }
}

#[test]
fn repeat() {
    for (string, value) in known("ab", 3) {
        for count in 0..4 {
            check("repeat", &[&value, &count], &value.repeat(Some(count)), &string.repeat(count));
            check("repeat", &[&value], &value.repeat(None), &string.repeat(count));
        }
    }
}

/// All ways to say a position in a string of a length.
fn positions(at: usize, length: usize) -> [Position; 3] {
    [Position::FromStart(at as i32), Position::FromEnd((length - at) as i32), Position::Unknown]
}

#[test]
fn substring() {
    for (string, value) in known("ab", 4) {
        for begin in 0..=string.len() {
            for end in begin..=string.len() {
                for from in positions(begin, string.len()) {
                    for to in positions(end, string.len()) {
                        let operands = format!("{value}, {from:?}, {to:?}");
                        check("substring", &[&operands], &value.substring(from, to), &string[begin..end]);
                    }
                }
            }
        }
    }
}

#[test]
fn known_cuts_of_whole_strings_are_whole() {
    for string in strings("ab", 4) {
        for begin in 0..=string.len() {
            let from = Position::FromStart(begin as i32);
            assert_eq!(exact(&string).substring(from, Position::END), exact(&string[begin..]));
        }
    }
}

#[test]
fn positions_of_parts() {
    let holds = |position, real: Option<usize>, length: usize| match position {
        Position::FromStart(at) => at == real.map_or(-1, |real| real as i32),
        Position::FromEnd(at) => real.is_some_and(|real| length as i32 - at == real as i32),
        Position::Unknown => true,
    };
    for (string, value) in known("ab", 4) {
        assert!(holds(value.length(), Some(string.len()), string.len()), "{value}");
        for part in strings("ab", 2) {
            let (first, last) = (string.find(&part), string.rfind(&part));
            assert!(holds(value.index_of(part.as_bytes()), first, string.len()), "{value} {part}");
            assert!(holds(value.last_index_of(part.as_bytes()), last, string.len()), "{value} {part}");
        }
    }
}

#[test]
fn replace() {
    let news: Vec<_> = known("ab", 2);
    for (string, value) in known("ab", 4) {
        for old in strings("ab", 3) {
            for (new, new_value) in &news {
                let result = value.replace(&exact(&old), new_value);
                check("replace", &[&value, &old, new_value], &result, &string.replace(&old, new));
            }
            let result = value.replace(&Value::partial(old.as_bytes(), b""), &exact("c"));
            check("replace", &[&value, &old], &result, &string.replace(&old, "c"));
        }
        for (old, new) in [("a", "b"), ("b", "c"), ("c", "a")] {
            let result = value.replace_char(old.as_bytes(), new.as_bytes());
            check("replace", &[&value, &old, &new], &result, &string.replace(old, new));
        }
    }
}

#[test]
fn case_and_white_space() {
    for (string, value) in known("aB \t", 4) {
        check("toLowerCase", &[&value], &value.to_lower_case(), &string.to_lowercase());
        check("toUpperCase", &[&value], &value.to_upper_case(), &string.to_uppercase());
        check("trim", &[&value], &value.trim(), string.trim());
        check("strip", &[&value], &value.strip(), string.trim());
        check("stripLeading", &[&value], &value.strip_leading(), string.trim_start());
        check("stripTrailing", &[&value], &value.strip_trailing(), string.trim_end());
    }
}

#[test]
fn format() {
    for (string, value) in known("ab", 3) {
        let (cut, upper) = (&string[..string.len().min(2)], string.to_uppercase());
        for (format, real) in [
            ("a%sb", format!("a{string}b")),
            ("%s%<s", format!("{string}{string}")),
            ("%2$s", String::from("x")),
            ("%S", upper),
            ("%4s|", format!("{string:>4}|")),
            ("%-4s|", format!("{string:<4}|")),
            ("%.2s", cut.to_owned()),
            ("%-3.2s", format!("{cut:<3}")),
            ("100%%%s", format!("100%{string}")),
            ("%s%n", format!("{string}\r\n")),
        ] {
            let result = Value::of_format(&exact(format), &[value.clone(), exact("x")]);
            check("format", &[&format, &value], &result, &real);
        }
    }
}

/// `String.split(",", limit)`.
fn java_split(string: &str, limit: i32) -> Vec<&str> {
    let mut parts: Vec<&str> = match limit {
        1.. => string.splitn(limit as usize, ',').collect(),
        _ => string.split(',').collect(),
    };
    while limit == 0 && parts.len() > 1 && parts.last() == Some(&"") {
        parts.pop();
    }
    // Only a string without a delimiter gives itself if it is empty.
    if limit == 0 && parts == [""] && !string.is_empty() {
        parts.clear();
    }
    parts
}

#[test]
fn split() {
    for (string, value) in known("a,", 5) {
        for limit in [-1, 0, 1, 2, 3] {
            let parts = value.split(&exact(","), limit);
            for (index, part) in java_split(&string, limit).into_iter().enumerate() {
                let found = parts.get(index);
                let describes = found.is_some_and(|value| value.describes(part.as_bytes()));
                assert!(describes, "{value} split to {limit}: {part:?} at {index}, not {found:?}");
            }
        }
    }
}

#[test]
fn split_at_long_delimiters() {
    for (string, value) in known("ab", 5) {
        let parts = value.split(&exact("ab"), -1);
        for (index, part) in string.split("ab").enumerate() {
            assert!(parts.get(index).is_some_and(|value| value.describes(part.as_bytes())), "{value} {part}");
        }
    }
}

#[test]
fn long_strings_are_bounded() {
    let long = "ab".repeat(LONGEST);
    let size = |value: &Value| match value {
        Value::Exact(text) | Value::Piece(text) => text.len(),
        Value::Partial { prefix, suffix } => prefix.len().max(suffix.len()),
    };
    for value in [exact(&long), Value::partial(long.as_bytes(), b""), Value::piece(long.as_bytes())] {
        for (result, real) in [
            (value.concat(&value), format!("{long}{long}")),
            (value.repeat(Some(3)), long.repeat(3)),
            (value.replace(&exact("a"), &exact("ccc")), long.replace('a', "ccc")),
            (value.to_upper_case(), long.to_uppercase()),
            (
                Value::of_format(&exact("%s-%9999s"), &[value.clone(), value.clone()]),
                format!("{long}-{long:>9999}"),
            ),
        ] {
            assert!(size(&result) <= LONGEST);
            check("long", &[], &result, &real);
        }
    }
}
