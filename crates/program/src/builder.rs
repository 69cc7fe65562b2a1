//! Indexing of class files: headers and members, no bodies.

use bytes::Bytes;
use heliostat_classfile::{ClassFile, Malformed, Member, What};
use heliostat_index::{FastMap, IdVec, Interner, Symbol, Symbols};

use crate::descriptors::Descriptors;
use crate::hierarchy::Hierarchy;
use crate::link::Links;
use crate::{
    Class, ClassId, Field, FieldId, HierarchyProblem, Method, MethodId, Program, Selector, SelectorId,
    SourceId, TypeId, Types,
};

/// Collects the classes of a program.
pub struct Builder {
    symbols: Symbols,
    types: Types,
    descriptors: Descriptors,
    selectors: Interner<SelectorId, Selector>,
    classes: IdVec<ClassId, Class>,
    methods: IdVec<MethodId, Method>,
    fields: IdVec<FieldId, Field>,
    interfaces: Vec<TypeId>,
    /// Of several of one name and descriptor, the first.
    declared_methods: FastMap<(ClassId, SelectorId), MethodId>,
    declared_fields: FastMap<(ClassId, Symbol, TypeId), FieldId>,
    nest_members: Vec<(ClassId, TypeId)>,
}

/// What became of one class file.
#[derive(Debug)]
pub struct Added {
    /// The class, unless there was one of this name before; that one stays then.
    pub class: Result<ClassId, ClassId>,
    /// What is wrong with the file.
    pub problems: Vec<Malformed>,
}

impl Default for Builder {
    fn default() -> Self {
        Self::new()
    }
}

impl Builder {
    /// A builder with no classes.
    pub fn new() -> Self {
        let mut symbols = Symbols::default();
        Self {
            types: Types::new(&mut symbols),
            symbols,
            descriptors: Descriptors::new(),
            selectors: Interner::new(),
            classes: IdVec::new(),
            methods: IdVec::new(),
            fields: IdVec::new(),
            interfaces: Vec::new(),
            declared_methods: FastMap::default(),
            declared_fields: FastMap::default(),
            nest_members: Vec::new(),
        }
    }

    /// Indexes one class file. Fails only if nothing can be made of it.
    pub fn add(&mut self, bytes: Bytes, source: SourceId) -> Result<Added, Malformed> {
        let mut file = ClassFile::read(&bytes)?;
        let name = self.symbols.intern(file.name);
        let ty = self.types.intern(&mut self.symbols, name);
        if let Some(first) = self.types.class(ty) {
            return Ok(Added { class: Err(first), problems: Vec::new() });
        }
        let mut problems = std::mem::take(&mut file.problems);
        let id = self.classes.next_id();
        self.types.define(ty, id);
        self.types.array_of(&mut self.symbols, ty);
        let super_type = file.super_name.map(|name| self.class_type(name)).into();
        let nest_host = file.nest_host().map_err(|p| problems.push(p)).ok().flatten();
        let nest_host = nest_host.map(|name| self.class_type(name)).into();
        let members = file.nest_members().map_err(|p| problems.push(p)).unwrap_or_default();
        for name in members {
            let member = self.class_type(name);
            self.nest_members.push((id, member));
        }
        let source_file = file.source_file().map(|name| self.symbols.intern(name)).into();
        let interfaces = self.add_interfaces(&file);
        let fields = self.add_fields(&file, id, &mut problems);
        let methods = self.add_methods(&file, id, &mut problems);
        let (flags, version) = (file.flags, file.version);
        drop(file);
        self.classes.push(Class {
            ty,
            flags,
            version,
            super_type,
            nest_host,
            source_file,
            fields,
            methods,
            source,
            bytes,
            interfaces,
        });
        Ok(Added { class: Ok(id), problems })
    }

    fn class_type(&mut self, name: &[u8]) -> TypeId {
        let name = self.symbols.intern(name);
        self.types.intern(&mut self.symbols, name)
    }

    fn add_interfaces(&mut self, file: &ClassFile<'_>) -> std::ops::Range<u32> {
        let start = self.interfaces.len() as u32;
        for name in &file.interfaces {
            let interface = self.class_type(name);
            self.interfaces.push(interface);
        }
        start..self.interfaces.len() as u32
    }

    fn add_fields(
        &mut self,
        file: &ClassFile<'_>,
        class: ClassId,
        problems: &mut Vec<Malformed>,
    ) -> std::ops::Range<FieldId> {
        let start = self.fields.next_id();
        for member in &file.fields {
            let Some(ty) = self.types.of_descriptor_text(&mut self.symbols, member.descriptor) else {
                problems.push(bad_descriptor(member));
                continue;
            };
            let name = self.symbols.intern(member.name);
            let id = self.fields.push(Field { class, name, ty, flags: member.flags });
            if *self.declared_fields.entry((class, name, ty)).or_insert(id) != id {
                problems.push(invalid(member, "a second field of this name and type"));
            }
        }
        start..self.fields.next_id()
    }

    fn add_methods(
        &mut self,
        file: &ClassFile<'_>,
        class: ClassId,
        problems: &mut Vec<Malformed>,
    ) -> std::ops::Range<MethodId> {
        let start = self.methods.next_id();
        for member in &file.methods {
            let (symbols, types) = (&mut self.symbols, &mut self.types);
            let Some(descriptor) = self.descriptors.intern(symbols, types, member.descriptor) else {
                problems.push(bad_descriptor(member));
                continue;
            };
            let name = self.symbols.intern(member.name);
            let selector = self.selectors.intern(Selector { name, descriptor });
            let code = member.attributes.find(&file.pool, "Code");
            let code = code.map_or((0, 0), |a| (a.offset, a.bytes.len() as u32));
            let id = self.methods.push(Method { class, selector, flags: member.flags, code });
            if *self.declared_methods.entry((class, selector)).or_insert(id) != id {
                problems.push(invalid(member, "a second method of this name and descriptor"));
            }
            problems.extend(misplaced_code(member, self.methods[id].has_code()));
        }
        start..self.methods.next_id()
    }

    /// Works out the hierarchy. The problems are classes that are their own ancestors.
    pub fn finish(mut self) -> (Program, Vec<HierarchyProblem>) {
        self.nest_members.sort_unstable();
        let (hierarchy, problems) = Hierarchy::new(&self.classes, &self.interfaces, &self.types);
        let program = Program {
            symbols: self.symbols,
            types: self.types,
            descriptors: self.descriptors,
            selectors: self.selectors,
            classes: self.classes,
            methods: self.methods,
            fields: self.fields,
            interfaces: self.interfaces,
            declared_methods: self.declared_methods,
            declared_fields: self.declared_fields,
            nest_members: self.nest_members,
            hierarchy,
            links: Links::default(),
        };
        (program, problems)
    }
}

fn bad_descriptor(member: &Member<'_>) -> Malformed {
    Malformed { offset: member.offset, what: What::Descriptor }
}

fn invalid(member: &Member<'_>, what: &'static str) -> Malformed {
    Malformed { offset: member.offset, what: What::Invalid(what) }
}

/// JVMS 4.7.3: abstract and native methods have no code, all others do. Of a class initialiser's flags
/// neither counts (JVMS 4.6).
fn misplaced_code(member: &Member<'_>, has_code: bool) -> Option<Malformed> {
    let without = member.flags.is_abstract() || member.flags.is_native();
    match (without && member.name != b"<clinit>", has_code) {
        (true, true) => Some(invalid(member, "an abstract or native method with code")),
        (false, false) => Some(invalid(member, "a method without code that is neither abstract nor native")),
        _ => None,
    }
}
