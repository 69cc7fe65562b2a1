//! The methods with bytecode whose body is a model: calls that they make are at no instruction.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

/// Where the models lie; the documentation of that module specifies their language.
const FOLDER: &str = "crates/pta/src/models";

/// The names of all such methods. Natives have models too, but their calls are of a kind of their own.
pub(super) fn read(root: &Path) -> Result<BTreeSet<String>> {
    let mut methods = BTreeSet::new();
    for entry in fs::read_dir(root.join(FOLDER)).context(FOLDER)? {
        let path = entry?.path();
        if path.extension().is_some_and(|end| end == "model") {
            let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
            methods.extend(headers(&text).map(str::to_owned));
        }
    }
    ensure!(!methods.is_empty(), "no models in {FOLDER}");
    Ok(methods)
}

/// The methods of `method METHOD`. Behind `method inline METHOD` the bytecode stays.
fn headers(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let line = line.split('#').next().unwrap_or_default();
        match line.split_whitespace().collect::<Vec<_>>()[..] {
            ["method", method] => Some(method),
            _ => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_are_told_from_natives_and_inline_models() {
        let text = "# method a/B.no()V\nnative a/B.f()V\nmethod a/B.g()V # why\nmethod inline a/B.h()V\n\
                    method a/B.<init>()V\n    call virtual a/B.k()V this\n";
        assert_eq!(headers(text).collect::<Vec<_>>(), ["a/B.g()V", "a/B.<init>()V"]);
    }

    #[test]
    fn the_models_of_this_tree_are_found() {
        let methods = read(&crate::repository_root()).unwrap();
        assert!(methods.iter().all(|method| method.contains('.') && method.contains('(')), "{methods:?}");
    }
}
