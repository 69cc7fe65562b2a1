//! Runs the literate Markdown tests under tests/md.
