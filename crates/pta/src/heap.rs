//! Allocation sites and what stands for them: what counts as one object.

use std::rc::Rc;

use heliostat_index::{FastMap, IdVec, Ids, Symbol};
use heliostat_program::{ClassId, DescriptorId, FieldId, HandleId, MethodId, Program, TypeId};

use crate::facts::{AllocId, CodeId, LambdaId};
use crate::options::HeapOptions;
use crate::reflection::{Mirror, Strings};

/// What an allocation site makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AllocKind {
    /// `new`, or a new array, here.
    Site {
        /// In this code.
        code: CodeId,
        /// At this bytecode offset.
        offset: u32,
        /// Which of several that one instruction makes: the inner arrays of `multianewarray`.
        part: u32,
    },
    /// The same for what can hold no objects: a number, or an array of primitives. Contexts do not tell it apart: what
    /// little could differ in it, the strings and numbers of a number, is hardly worth them.
    Value {
        /// In this code.
        code: CodeId,
        /// At this bytecode offset.
        offset: u32,
        /// Which of several that one instruction makes.
        part: u32,
    },
    /// All objects of a type that are not told apart, wherever they are made.
    Merged(TypeId),
    /// All string constants, and strings that the JVM makes.
    Strings,
    /// A string constant.
    String(Symbol),
    /// A string constant of the library, if that is told apart from the program's.
    LibraryString(Symbol),
    /// A class object.
    Class(TypeId),
    /// A method handle constant.
    Handle(HandleId),
    /// A method type constant.
    MethodType(DescriptorId),
    /// The object of a lambda.
    Lambda(LambdaId),
    /// What the JVM or native code makes of this type.
    Jvm(TypeId),
    /// Arrays of this type and of length 0, which hold nothing: one for all.
    Empty(TypeId),
    /// What becomes of an empty array that is given another length, here.
    Resized {
        /// In this code.
        code: CodeId,
        /// At this bytecode offset.
        offset: u32,
        /// Of this type.
        ty: TypeId,
    },
    /// What reflection makes of this type, wherever it does: places times types would be too many.
    Reflective(TypeId),
    /// The object of the reflection API that stands for something.
    Mirror(Mirror),
}

impl AllocKind {
    /// Whether contexts may tell its objects apart: what stands for many sites is one object, whatever the context.
    pub(crate) fn may_have_context(self) -> bool {
        match self {
            Self::Site { .. } | Self::Lambda(_) | Self::Resized { .. } => true,
            Self::Value { .. }
            | Self::Merged(_)
            | Self::Strings
            | Self::String(_)
            | Self::LibraryString(_)
            | Self::Class(_)
            | Self::Handle(_)
            | Self::MethodType(_)
            | Self::Jvm(_)
            | Self::Empty(_)
            | Self::Reflective(_)
            | Self::Mirror(_) => false,
        }
    }
}

/// Whether a class can have objects of its own.
pub fn is_instantiable(program: &Program, class: ClassId) -> bool {
    let flags = program.classes()[class].flags;
    !flags.is_abstract() && !flags.is_interface()
}

/// An allocation site.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Alloc {
    /// What it makes.
    pub kind: AllocKind,
    /// The type of its objects.
    pub ty: TypeId,
}

/// All allocation sites.
pub(crate) struct Heap {
    options: HeapOptions,
    allocs: IdVec<AllocId, Alloc>,
    known: FastMap<AllocKind, AllocId>,
    /// Strings and what they are built with.
    texts: [Option<ClassId>; 3],
    throwable: Option<ClassId>,
    number: Option<ClassId>,
    /// Which string constants are told apart, if somebody says so.
    pub(crate) strings: Option<Rc<dyn Strings>>,
}

impl Heap {
    pub(crate) fn new(program: &Program, options: HeapOptions) -> Self {
        Self {
            options,
            allocs: IdVec::new(),
            known: FastMap::default(),
            texts: ["java/lang/String", "java/lang/StringBuilder", "java/lang/StringBuffer"]
                .map(|name| program.find_class(name)),
            throwable: program.class_of(TypeId::THROWABLE),
            number: program.find_class("java/lang/Number"),
            strings: None,
        }
    }

    pub(crate) fn allocs(&self) -> &IdVec<AllocId, Alloc> {
        &self.allocs
    }

    /// The site of a `new` or a new array.
    pub(crate) fn site(
        &mut self,
        program: &Program,
        code: CodeId,
        offset: u32,
        part: u32,
        ty: TypeId,
    ) -> AllocId {
        let kind = if self.is_merged(program, ty) {
            AllocKind::Merged(ty)
        } else if self.is_value(program, ty) {
            AllocKind::Value { code, offset, part }
        } else {
            AllocKind::Site { code, offset, part }
        };
        self.alloc(kind, ty)
    }

    /// The site of a string constant.
    pub(crate) fn string(&mut self, program: &Program, method: Option<MethodId>, text: Symbol) -> AllocId {
        let kind = match &self.strings {
            _ if self.options.distinct_strings => AllocKind::String(text),
            Some(strings) => {
                strings.kind(program, method.map(|method| program.methods()[method].class), text)
            }
            None => AllocKind::Strings,
        };
        self.alloc(kind, TypeId::STRING)
    }

    /// The site of this kind, of which there is one.
    pub(crate) fn alloc(&mut self, kind: AllocKind, ty: TypeId) -> AllocId {
        if let Some(&known) = self.known.get(&kind) {
            return known;
        }
        let id = self.allocs.push(Alloc { kind, ty });
        self.known.insert(kind, id);
        id
    }

    /// The site of this kind, if there is one.
    pub(crate) fn find(&self, kind: AllocKind) -> Option<AllocId> {
        self.known.get(&kind).copied()
    }

    /// Whether objects of a type are numbers or arrays of primitives. A class of numbers may have numbers and strings in its
    /// fields, but nothing else.
    fn is_value(&self, program: &Program, ty: TypeId) -> bool {
        if let Some(element) = program.types.element(ty) {
            return !program.types.is_reference(element);
        }
        let Some((class, number)) = program.class_of(ty).zip(self.number) else { return false };
        let holds_values = |field: FieldId| {
            let field = program.fields()[field];
            field.flags.is_static()
                || !program.types.is_reference(field.ty)
                || field.ty == TypeId::STRING
                || program.types.element(field.ty).is_some_and(|e| !program.types.is_reference(e))
                || program.class_of(field.ty).is_some_and(|c| program.is_subclass(c, number))
        };
        program.is_subclass(class, number)
            && program
                .super_classes(class)
                .all(|c| Ids::between(program.classes()[c].fields.clone()).all(holds_values))
    }

    fn is_merged(&self, program: &Program, ty: TypeId) -> bool {
        let Some(class) = program.class_of(ty) else { return false };
        if self.texts.contains(&Some(class)) {
            return !self.options.distinct_builders;
        }
        !self.options.distinct_exceptions && self.throwable.is_some_and(|t| program.is_subclass(class, t))
    }
}
