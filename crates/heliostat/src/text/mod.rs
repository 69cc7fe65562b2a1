//! Text for people: numbers, lists and tables.

mod list;
mod missing;
pub(crate) mod report;
mod style;

pub(crate) use style::Style;

/// A number with commas between the thousands.
pub(crate) fn thousands(number: usize) -> String {
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

/// A number and what it counts, as in `1 problem` and `2 problems`.
pub(crate) fn counted(number: usize, noun: &str) -> String {
    format!("{} {noun}{}", thousands(number), if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        let texts = [0, 7, 999, 1000, 26_518, 1_234_567].map(thousands);
        assert_eq!(texts, ["0", "7", "999", "1,000", "26,518", "1,234,567"]);
        assert_eq!((counted(1, "class"), counted(2000, "jar")), ("1 class".into(), "2,000 jars".into()));
    }
}
