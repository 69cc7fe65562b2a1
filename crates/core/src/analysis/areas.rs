//! Where in the JDK classes are.

use heliostat_input::Origin;
use heliostat_reflect::Areas;

use crate::Opened;

/// The areas of the JDK's classes.
pub(super) fn find(opened: &Opened) -> Areas {
    Areas::find(&opened.program, |class| {
        if opened.origin(class) != Origin::Jdk {
            return None;
        }
        let (_, path) = opened.place(class);
        let module = path.strip_suffix(&format!("{}.class", opened.program.class_name(class)));
        Some(module.unwrap_or_default().trim_matches('/').to_owned())
    })
}
