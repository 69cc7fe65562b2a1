//! Where in the JDK classes are.

use std::collections::HashMap;

use heliostat_input::Origin;
use heliostat_reflect::{Area, Areas};

use crate::Opened;

/// The module that has parts of everything.
const BASE: &str = "java.base";

/// The areas of the JDK's classes.
pub(super) fn find(opened: &Opened) -> Areas {
    let (mut areas, mut numbers) = (Areas::new(), HashMap::new());
    for (class, _) in opened.program.classes().iter().filter(|&(id, _)| opened.origin(id) == Origin::Jdk) {
        let name = opened.program.class_name(class);
        let (_, path) = opened.place(class);
        let module =
            path.strip_suffix(&format!("{name}.class")).map_or("", |module| module.trim_matches('/'));
        let parts = if name.starts_with("com/sun/org/apache/") {
            5
        } else if name.starts_with("com/sun/") {
            3
        } else {
            2
        };
        let parts = name.match_indices('/').map(|(end, _)| end).take(parts).last().unwrap_or(0);
        let mut number = |text: String| {
            let next = numbers.len() as u32 + 1;
            *numbers.entry(text).or_insert(next)
        };
        let family = number(name[..parts].to_owned());
        let module = if module.is_empty() || module == BASE { 0 } else { number(format!("module {module}")) };
        areas.set(class, Area { module, family });
    }
    areas
}
