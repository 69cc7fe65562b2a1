//! What a log of real runs says that reflective calls did.

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

/// The reflective calls of a log, by the method that has them.
#[derive(Debug, Clone, Default)]
pub struct ReflectionLog {
    calls: FastMap<MethodId, Vec<(Option<u16>, Done)>>,
}

impl ReflectionLog {
    /// Adds what a call in a method did, at a source line if that is known; at any place in it otherwise.
    pub fn add(&mut self, caller: MethodId, line: Option<u16>, done: Done) {
        let calls = self.calls.entry(caller).or_default();
        if !calls.contains(&(line, done)) {
            calls.push((line, done));
        }
    }

    /// What was done at a line of a method. A line that is not known may be any.
    pub(crate) fn done_at(&self, caller: MethodId, line: Option<u16>) -> impl Iterator<Item = Done> {
        let calls = self.calls.get(&caller).map_or(&[][..], Vec::as_slice);
        calls
            .iter()
            .filter(move |(at, _)| at.is_none() || line.is_none() || *at == line)
            .map(|&(_, done)| done)
    }
}

/// A method of the library that acts by reflection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Acting {
    Load,
    Make,
    Construct,
    Invoke,
    Get,
    Set,
    MakeArray,
}

impl Acting {
    /// What a method of this class and name does.
    pub(crate) fn of(class: &[u8], name: &[u8]) -> Option<Self> {
        Some(match (class, name) {
            (b"java/lang/Class", b"forName") | (_, b"loadClass" | b"findClass") => Self::Load,
            (b"java/lang/Class", b"newInstance") => Self::Make,
            (b"java/lang/reflect/Constructor", b"newInstance") => Self::Construct,
            (b"java/lang/reflect/Method", b"invoke") => Self::Invoke,
            (b"java/lang/reflect/Field", b"get") => Self::Get,
            (b"java/lang/reflect/Field", b"set") => Self::Set,
            (b"java/lang/reflect/Array", b"newInstance") => Self::MakeArray,
            _ => return None,
        })
    }

    /// Whether this is how something was done.
    pub(crate) fn does(self, done: Done) -> bool {
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
