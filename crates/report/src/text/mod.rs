//! Text for people: numbers, lists and tables.

mod list;
mod style;

pub use list::{Align, Row, fit, write as write_list, write_rows};
pub use style::Style;

/// A number with commas between the thousands.
pub fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (i, digit) in digits.char_indices() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number and what it counts, as in `1 problem`, `2 problems` and `2 classes`.
pub fn counted(number: usize, noun: &str) -> String {
    let plural = match number {
        1 => "",
        _ if noun.ends_with('s') => "es",
        _ => "s",
    };
    format!("{} {noun}{plural}", thousands(number))
}

/// A number of bytes in a unit that suits it, as in `412 MiB` and `1.5 GiB`.
pub fn bytes(number: u64) -> String {
    match number >> 20 {
        0 => format!("{} KiB", number >> 10),
        1..1024 => format!("{} MiB", (number + (1 << 19)) >> 20),
        mebibytes => {
            let tenths = (mebibytes * 10 + 512) >> 10;
            format!("{}.{} GiB", tenths / 10, tenths % 10)
        }
    }
}

/// The last part of a path, or of the name of an archive.
pub fn file(path: &str) -> &str {
    path.trim_end_matches('/').rsplit('/').next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        let texts = [0, 7, 999, 1000, 26_518, 1_234_567].map(thousands);
        assert_eq!(texts, ["0", "7", "999", "1,000", "26,518", "1,234,567"]);
        let counts = [counted(1, "class"), counted(2, "class"), counted(0, "jar"), counted(2000, "jar")];
        assert_eq!(counts, ["1 class", "2 classes", "0 jars", "2,000 jars"]);
        let sizes = [5000, 412 << 20, 3 << 29, 10 << 30].map(bytes);
        assert_eq!(sizes, ["4 KiB", "412 MiB", "1.5 GiB", "10.0 GiB"]);
    }
}
