//! What a log of real runs, or an annotation, says that reflective calls did.

use heliostat_index::FastMap;
use heliostat_program::{ClassId, FieldId, MethodId, TypeId};

/// What a reflective call did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Done {
    /// `Class.forName`, `ClassLoader.loadClass`: it returned this class.
    Loaded(TypeId),
    /// `Class.newInstance`: it made an object of this class.
    Made(ClassId),
    /// `Constructor.newInstance`: it ran this constructor.
    Constructed(MethodId),
    /// `Method.invoke`: it called this method, or what the receiver has in its place.
    Invoked(MethodId),
    /// `Field.get` of this field.
    Got(FieldId),
    /// `Field.set` of this field.
    Set(FieldId),
    /// `Array.newInstance`: it made an array of this type.
    MadeArray(TypeId),
}

impl Done {
    /// What it does, as a verb.
    pub fn verb(self) -> &'static str {
        match self {
            Self::Loaded(_) => "load",
            Self::Made(_) | Self::MadeArray(_) => "make",
            Self::Constructed(_) => "construct",
            Self::Invoked(_) => "invoke",
            Self::Got(_) => "get",
            Self::Set(_) => "set",
        }
    }
}

/// Where in a method a reflective call is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum At {
    /// At any place: a log without lines.
    Any,
    /// At a source line, as logs say.
    Line(u16),
    /// At a bytecode offset: the one call that an annotation names.
    Offset(u32),
}

impl At {
    /// Whether an instruction may be meant, by its offset and its line. A line that is not known may be any.
    fn is(self, offset: u32, line: Option<u16>) -> bool {
        match self {
            Self::Any => true,
            Self::Line(wanted) => line.is_none_or(|line| line == wanted),
            Self::Offset(wanted) => offset == wanted,
        }
    }
}

/// A reflective call that a log has, or an annotation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LoggedCall {
    /// The method that it is in.
    pub caller: MethodId,
    /// Where in it.
    pub at: At,
    /// What it did.
    pub done: Done,
}

/// A call instruction of reached code, and what a log says that it did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Logged {
    /// What the log has.
    pub call: LoggedCall,
    /// The bytecode offset of the instruction.
    pub offset: u32,
    /// What it calls.
    pub acting: Acting,
}

/// The reflective calls of a log, by the method that has them.
#[derive(Debug, Clone, Default)]
pub struct ReflectionLog {
    calls: FastMap<MethodId, Vec<LoggedCall>>,
}

impl ReflectionLog {
    /// Whether nothing is in it.
    pub(crate) fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }

    /// Adds a call, unless it is there.
    pub fn add(&mut self, call: LoggedCall) {
        let calls = self.calls.entry(call.caller).or_default();
        if !calls.contains(&call) {
            calls.push(call);
        }
    }

    /// The calls that may mean an instruction of a method, by its offset and line.
    pub(crate) fn calls_at(
        &self,
        caller: MethodId,
        offset: u32,
        line: Option<u16>,
    ) -> impl Iterator<Item = LoggedCall> {
        let calls = self.calls.get(&caller).map_or(&[][..], Vec::as_slice);
        calls.iter().copied().filter(move |call| call.at.is(offset, line))
    }
}

/// What a method of the library does by reflection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Acting {
    /// Gives a class.
    Load,
    /// Makes an object of a class.
    Make,
    /// Makes an object by a constructor.
    Construct,
    /// Calls a method.
    Invoke,
    /// Reads a field.
    Get,
    /// Writes a field.
    Set,
    /// Makes an array.
    MakeArray,
    /// Calls a method handle: the log has no kind of its own for what that runs.
    CallHandle,
}

impl Acting {
    /// The method of the library, as traces and logs name it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Load => "Class.forName",
            Self::Make => "Class.newInstance",
            Self::Construct => "Constructor.newInstance",
            Self::Invoke => "Method.invoke",
            Self::Get => "Field.get*",
            Self::Set => "Field.set*",
            Self::MakeArray => "Array.newInstance",
            Self::CallHandle => "MethodHandle.invoke",
        }
    }

    /// What a method of this class and name does.
    pub(crate) fn of(class: &[u8], name: &[u8]) -> Option<Self> {
        Some(match (class, name) {
            (b"java/lang/Class", b"forName") | (_, b"loadClass" | b"findClass") => Self::Load,
            (b"java/lang/Class", b"newInstance") => Self::Make,
            (b"java/lang/reflect/Constructor", b"newInstance") => Self::Construct,
            (b"java/lang/reflect/Method", b"invoke") => Self::Invoke,
            (b"java/lang/reflect/Field", _) => return Self::of_field(name),
            (b"java/lang/reflect/Array", b"newInstance") => Self::MakeArray,
            (b"java/lang/invoke/MethodHandle", b"invoke" | b"invokeExact") => Self::CallHandle,
            _ => return None,
        })
    }

    /// The same for the methods of `Field`: a log does not tell those for primitive types from the others.
    fn of_field(name: &[u8]) -> Option<Self> {
        match name {
            b"get" | b"getBoolean" | b"getByte" | b"getChar" | b"getShort" | b"getInt" | b"getLong"
            | b"getFloat" | b"getDouble" => Some(Self::Get),
            b"set" | b"setBoolean" | b"setByte" | b"setChar" | b"setShort" | b"setInt" | b"setLong"
            | b"setFloat" | b"setDouble" => Some(Self::Set),
            _ => None,
        }
    }

    /// Whether this is how something was done.
    pub(crate) fn does(self, done: Done) -> bool {
        if self == Self::CallHandle {
            return matches!(done, Done::Invoked(_) | Done::Constructed(_));
        }
        let by = match done {
            Done::Loaded(_) => Self::Load,
            Done::Made(_) => Self::Make,
            Done::Constructed(_) => Self::Construct,
            Done::Invoked(_) => Self::Invoke,
            Done::Got(_) => Self::Get,
            Done::Set(_) => Self::Set,
            Done::MadeArray(_) => Self::MakeArray,
        };
        self == by
    }
}
