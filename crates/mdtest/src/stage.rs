//! The program that all analysed sections share: the classes of each in a package of its own, with the whole JDK
//! behind them. A JDK takes longer to read than most sections to analyse.

use std::sync::{Mutex, PoisonError};

use bytes::Bytes;
use heliostat_core::program::{Builder, ClassId, Program, SourceId};

use crate::Library;
use crate::compile::Classes;

/// The program of all analysed sections, read when it is first needed, and once more for each that needs it at the same
/// time: an analysis adds to a program, though nothing that another one would notice.
pub struct Stage {
    sections: Vec<Classes>,
    idle: Mutex<Vec<Program>>,
}

impl Stage {
    /// A stage for the sections with these classes.
    pub fn new<'a>(sections: impl IntoIterator<Item = &'a Classes>) -> Self {
        let analysed = sections.into_iter().filter(|classes| classes.package.is_some());
        Self { sections: analysed.cloned().collect(), idle: Mutex::default() }
    }

    /// Does something with the program.
    pub fn with<R>(
        &self,
        library: &Library,
        play: impl FnOnce(&mut Program) -> Result<R, String>,
    ) -> Result<R, String> {
        let idle = self.idle().pop();
        let mut program = idle.map_or_else(|| self.read(library), Ok)?;
        let result = play(&mut program);
        self.idle().push(program);
        result
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Program>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn read(&self, library: &Library) -> Result<Program, String> {
        let mut builder = Builder::new();
        let mut add =
            |bytes: Bytes| builder.add(bytes, SourceId::from_u32(0)).map_err(|error| error.to_string());
        for section in &self.sections {
            for bytes in section.read().map_err(|error| error.to_string())? {
                if add(bytes)?.class.is_err() {
                    return Err(format!("{}: two sections are the same", section.folder.display()));
                }
            }
        }
        for bytes in library.classes() {
            add(bytes)?;
        }
        Ok(builder.finish().0)
    }
}

/// The classes of a package.
pub(crate) fn classes_of(program: &Program, package: &str) -> Vec<ClassId> {
    let prefix = format!("{package}/");
    let is_own = |class: &ClassId| {
        program.symbols.bytes(program.types.name(program.classes()[*class].ty)).starts_with(prefix.as_bytes())
    };
    program.classes().ids().filter(is_own).collect()
}
