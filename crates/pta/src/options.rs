//! What is asked of the analysis.

use heliostat_index::IdSet;
use heliostat_ir::Value;
use heliostat_program::{ClassId, MethodId, TypeId};

use crate::contexts::Flavour;
use crate::logged::ReflectionLog;

/// Where to be context-sensitive: asked for each variable and each allocation site of a method that is analysed in a context.
/// What it says no to is the same in all contexts of the method.
pub trait Selector {
    /// Whether a variable is told apart by context. `None` stands for what the IR has no value for: the method's result and its
    /// exceptions.
    fn variable(&self, method: MethodId, value: Option<Value>) -> bool;

    /// Whether the objects of an allocation site are told apart by context.
    fn allocation(&self, method: MethodId, offset: u32) -> bool;
}

/// What counts as one object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeapOptions {
    /// Each string constant is an object of its own; otherwise all are one.
    pub distinct_strings: bool,
    /// Each `new String`, `new StringBuilder` and `new StringBuffer` is an object of its own; otherwise one per type.
    pub distinct_builders: bool,
    /// Each `new` of an exception is an object of its own; otherwise one per type.
    pub distinct_exceptions: bool,
}

/// How the program is entered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entry {
    /// `main`, given an array of strings.
    Main(MethodId),
    /// `main` of a class that inherits it.
    Inherited(ClassId, MethodId),
    /// A method that anybody may call, with receivers and arguments of every type that fits.
    Open(MethodId),
    /// The same for a member that users of a library see: also what implements or overrides it is entered.
    Member(MethodId),
}

/// A provider that `ServiceLoader` finds for a service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Service {
    /// The service.
    pub service: TypeId,
    /// The provider.
    pub provider: ClassId,
}

/// What is asked of the analysis.
pub struct Options {
    /// What tells two calls of a method apart.
    pub flavour: Flavour,
    /// What counts as one object.
    pub heap: HeapOptions,
    /// Where the program begins.
    pub entries: Vec<Entry>,
    /// The classes of the inputs: methods that anybody may call are given more of their objects than of others'.
    pub inputs: IdSet<ClassId>,
    /// Classes whose fields users of a library see: they write into them whatever fits.
    pub open_classes: Vec<ClassId>,
    /// Which services have which providers.
    pub services: Vec<Service>,
    /// What reflective calls are known to have done.
    pub log: ReflectionLog,
    /// How many contexts a method has at most. In all further ones it is analysed as without context: what that costs is precision,
    /// not soundness.
    pub most_contexts: Option<u32>,
    /// Where to be context-sensitive; everywhere if none.
    pub selector: Option<Box<dyn Selector>>,
    /// Whether what the JVM does before and beside `main` is part of the program.
    pub startup: bool,
}
