//! From the texts of options to values.

use std::time::Duration;

use heliostat_core::analysis::{EntryChoice, ReflectionMode};
use heliostat_core::metadata::Artifact;

/// The value of an option that has only one today.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Only;

/// The value that there is, or why another one is not.
fn only(text: &str, value: &str, later: &[&str]) -> Result<Only, String> {
    if text == value {
        return Ok(Only);
    }
    let when = if later.contains(&text) { "this comes with a later version; today " } else { "" };
    Err(format!("{when}there is only `{value}`"))
}

pub(super) fn select(text: &str) -> Result<Only, String> {
    only(text, "none", &["selectx", "zipper"])
}

pub(super) fn reflection(text: &str) -> Result<ReflectionMode, String> {
    let later = ["substring", "invent", "backwards", "full", "probe", "solar"];
    ReflectionMode::named(text).ok_or_else(|| {
        let when = if later.contains(&text) { "this comes with a later version; today " } else { "" };
        let modes = ReflectionMode::ALL.map(|mode| format!("`{}`", mode.name()));
        format!("{when}there are {}", modes.join(" and "))
    })
}

pub(super) fn string_colouring(text: &str) -> Result<Only, String> {
    only(text, "off", &["on"])
}

pub(super) fn complement(text: &str) -> Result<Only, String> {
    only(text, "off", &["auto"])
}

pub(super) fn class_name(text: &str) -> Result<String, String> {
    if text.is_empty() { Err("it is empty".to_owned()) } else { Ok(text.to_owned()) }
}

pub(super) fn entry(text: &str) -> Result<EntryChoice, String> {
    if text.is_empty() { Err("it is empty".to_owned()) } else { Ok(EntryChoice::new(text)) }
}

pub(super) fn artifact(text: &str) -> Result<Artifact, String> {
    Artifact::parse(text).ok_or_else(|| "it is no group and name, as in com.acme:app".to_owned())
}

/// A time, as in `90`, `90s`, `1500ms`, `5m` and `1.5h`.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = number_and_unit(text);
    let unit = match unit.as_str() {
        "" | "s" => 1.0,
        "ms" => 0.001,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err("the units are ms, s, m and h, as in 90s and 5m".to_owned()),
    };
    let time = number.and_then(|number| Duration::try_from_secs_f64(number * unit).ok());
    time.ok_or_else(|| "it is no time; use a number and a unit, as in 90s and 5m".to_owned())
}

/// A size, as in `512m`, `2g`, `1.5GiB`. A number without a unit is too likely to mean another one than bytes.
pub(super) fn bytes(text: &str) -> Result<u64, String> {
    let (number, unit) = number_and_unit(text);
    let unit = match unit.trim_end_matches('b').trim_end_matches('i') {
        "k" => 1,
        "m" => 2,
        "g" => 3,
        "t" => 4,
        _ => return Err("the units are k, m, g and t, as in 512m and 2g".to_owned()),
    };
    match number {
        // More than 2^64 becomes that, which is as good as no limit.
        Some(number) if number.is_finite() => Ok((number * 1024_f64.powi(unit)) as u64),
        _ => Err("it is no size; use a number and a unit, as in 512m and 2g".to_owned()),
    }
}

/// The number that a text begins with, if it is one, and the rest in lower case.
fn number_and_unit(text: &str) -> (Option<f64>, String) {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    (number.parse().ok(), unit.trim().to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        let good =
            [("90", 90_000), ("90s", 90_000), ("5m", 300_000), ("1.5h", 5_400_000), ("250ms", 250), ("0", 0)];
        for (text, expected) in good {
            assert_eq!(duration(text), Ok(Duration::from_millis(expected)), "{text}");
        }
        for text in ["", "s", "5x", "-5", "1.2.3", "1e9", &"9".repeat(400)] {
            assert!(duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn sizes() {
        for (text, expected) in
            [("2g", 2 << 30), ("512M", 512 << 20), ("1.5GiB", 3 << 29), ("64 kb", 64 << 10)]
        {
            assert_eq!(bytes(text), Ok(expected), "{text}");
        }
        for text in ["", "2", "g", "2x", "-2g", "2.2.2g"] {
            assert!(bytes(text).is_err(), "{text}");
        }
    }

    #[test]
    fn what_comes_later_is_told_from_what_does_not() {
        assert!(reflection("none").is_ok() && select("none").is_ok());
        assert!(reflection("solar").unwrap_err().contains("later version"));
        assert!(select("nonsense").unwrap_err() == "there is only `none`");
        assert!(string_colouring("on").is_err() && complement("auto").is_err());
    }
}
