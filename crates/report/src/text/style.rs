//! How text is laid out: for a terminal of some width, or for a file.

/// How a report is laid out.
#[derive(Debug, Clone, Copy)]
pub struct Style {
    /// Where a line should end.
    pub width: usize,
    /// Whether what is longer is cut.
    pub cut: bool,
    /// Whether long lists are written in full.
    pub all: bool,
    /// Whether problems are kept quiet about.
    pub quiet: bool,
    /// How to see what was left out of a list, as in `use --all`.
    pub more: &'static str,
}

/// A text that fits into the room: what is too long loses its middle.
pub(super) fn shortened(text: &str, room: usize) -> String {
    let length = text.chars().count();
    if length <= room {
        return text.to_owned();
    }
    let kept = room.saturating_sub(1);
    let front = kept / 2;
    let end = text.chars().skip(length - (kept - front));
    text.chars().take(front).chain(['…']).chain(end).collect()
}

#[cfg(test)]
mod tests {
    use super::shortened;

    #[test]
    fn the_middle_goes_first() {
        assert_eq!(shortened("com/acme/Loader", 15), "com/acme/Loader");
        assert_eq!(shortened("com/acme/Loader", 9), "com/…ader");
        assert_eq!(shortened("grün", 3), "g…n");
        assert_eq!(shortened("abc", 0), "…");
    }
}
