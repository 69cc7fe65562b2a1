//! From a method to its IR.

use heliostat_ir::Body;
use heliostat_program::MethodId;

use crate::{Opened, Problem};

impl Opened {
    /// The IR of a method with code. Links its class, which stays linked: the text of the IR needs that.
    pub fn lower(&mut self, method: MethodId) -> Result<Body, Problem> {
        let class = self.program.methods()[method].class;
        self.program.link(class);
        self.lowerer.lower(&self.program, method).map_err(|malformed| {
            let (archive, entry) = self.place(class);
            let method = Some(self.program.method_name(method));
            Problem { method, ..Problem::of_class(archive, entry, malformed) }
        })
    }
}
