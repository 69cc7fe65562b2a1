//! Constant pools turned into ids, class by class, when first needed.

use heliostat_classfile::{self as classfile, ClassFile, ConstantPool, Malformed, MemberRef, Tag, What};
use heliostat_index::{IdMap, Interner, Symbol, id};

use crate::{
    Bootstrap, ClassId, Constant, DescriptorId, Dynamic, DynamicId, DynamicType, Handle, HandleId,
    HandleKind, HandleMember, Program, Selector, SelectorId, TypeId,
};

id! {
    /// A symbolic reference to a method.
    pub struct MethodRefId = "mref";
}
id! {
    /// A symbolic reference to a field.
    pub struct FieldRefId = "fref";
}

/// A symbolic reference to a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MethodRef {
    /// The type it is looked up in.
    pub owner: TypeId,
    /// Its name and descriptor.
    pub selector: SelectorId,
    /// Whether the class file calls it an interface method.
    pub interface: bool,
}

/// A symbolic reference to a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FieldRef {
    /// The type it is looked up in.
    pub owner: TypeId,
    /// Its name.
    pub name: Symbol,
    /// Its type.
    pub ty: TypeId,
}

/// One constant pool entry, as ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PoolEntry {
    /// Nothing that code can refer to: a part of other entries, or damaged.
    None,
    /// A loadable constant.
    Constant(Constant),
    /// A field reference.
    Field(FieldRefId),
    /// A method reference.
    Method(MethodRefId),
    /// An `invokedynamic` specifier.
    Call(DynamicId),
}

/// A class's constant pool and bootstrap table, as ids.
#[derive(Debug, Clone)]
pub struct Linked {
    positions: Vec<u32>,
    entries: Vec<PoolEntry>,
    bootstraps: Vec<Option<Bootstrap>>,
    /// Entries and bootstrap rows that are damaged.
    pub problems: Vec<Malformed>,
}

impl Linked {
    /// The entry at a pool index.
    pub fn entry(&self, index: u16) -> PoolEntry {
        self.entries.get(usize::from(index)).copied().unwrap_or(PoolEntry::None)
    }

    /// All entries.
    pub fn entries(&self) -> &[PoolEntry] {
        &self.entries
    }

    /// The type at a pool index, if it is a class entry.
    pub fn class(&self, index: u16) -> Option<TypeId> {
        match self.entry(index) {
            PoolEntry::Constant(Constant::Class(ty)) => Some(ty),
            _ => None,
        }
    }

    /// A row of the bootstrap table, unless it is damaged or not there.
    pub fn bootstrap(&self, row: u16) -> Option<&Bootstrap> {
        self.bootstraps.get(usize::from(row))?.as_ref()
    }

    /// The raw pool again.
    pub fn pool<'a>(&'a self, bytes: &'a [u8]) -> ConstantPool<'a> {
        ConstantPool::at_positions(bytes, &self.positions)
    }
}

pub(crate) struct Links {
    linked: IdMap<ClassId, Option<Box<Linked>>>,
    pub(crate) method_refs: Interner<MethodRefId, MethodRef>,
    pub(crate) field_refs: Interner<FieldRefId, FieldRef>,
    pub(crate) handles: Interner<HandleId, Handle>,
    pub(crate) dynamics: Interner<DynamicId, Dynamic>,
}

impl Default for Links {
    fn default() -> Self {
        Self {
            linked: IdMap::with_default(None),
            method_refs: Interner::new(),
            field_refs: Interner::new(),
            handles: Interner::new(),
            dynamics: Interner::new(),
        }
    }
}

impl Program {
    /// Turns the constant pool of a class into ids, once.
    pub fn link(&mut self, class: ClassId) {
        if self.links.linked[class].is_some() {
            return;
        }
        let bytes = self.classes[class].bytes.clone();
        // The class was read before, when it was added.
        let Ok(file) = ClassFile::read(&bytes) else { return };
        let mut linker =
            Linker { program: self, class, pool: &file.pool, entries: Vec::new(), problems: Vec::new() };
        linker.entries();
        let bootstraps = linker.bootstraps(&file);
        let Linker { entries, problems, .. } = linker;
        let done = Linked { entries, bootstraps, problems, positions: file.pool.into_positions() };
        self.links.linked[class] = Some(Box::new(done));
    }

    /// The pool of a class that was [linked](Self::link).
    pub fn linked(&self, class: ClassId) -> Option<&Linked> {
        self.links.linked[class].as_deref()
    }

    /// Forgets what [`link`](Self::link) made for this class, but for the ids.
    pub fn unlink(&mut self, class: ClassId) {
        self.links.linked[class] = None;
    }

    /// A method reference.
    pub fn method_ref(&self, id: MethodRefId) -> MethodRef {
        self.links.method_refs[id]
    }

    /// A field reference.
    pub fn field_ref(&self, id: FieldRefId) -> FieldRef {
        self.links.field_refs[id]
    }

    /// A method handle constant.
    pub fn handle(&self, id: HandleId) -> Handle {
        self.links.handles[id]
    }

    /// A dynamic constant or call site specifier.
    pub fn dynamic(&self, id: DynamicId) -> Dynamic {
        self.links.dynamics[id]
    }

    /// The type of an internal class name or array descriptor, made if need be.
    pub fn intern_type(&mut self, name: &[u8]) -> TypeId {
        let name = self.symbols.intern(name);
        let ty = self.types.intern(&mut self.symbols, name);
        self.types.array_of(&mut self.symbols, ty);
        ty
    }

    /// The type of a field descriptor, made if need be; none if it is malformed.
    pub fn intern_descriptor_type(&mut self, descriptor: &[u8]) -> Option<TypeId> {
        self.types.of_descriptor_text(&mut self.symbols, descriptor)
    }

    /// The id of a method descriptor; none if it is malformed.
    pub fn intern_descriptor(&mut self, text: &[u8]) -> Option<DescriptorId> {
        self.descriptors.intern(&mut self.symbols, &mut self.types, text)
    }

    /// The id of a method reference; none if the descriptor is malformed.
    pub fn intern_method_ref(
        &mut self,
        owner: TypeId,
        name: &[u8],
        descriptor: &[u8],
        interface: bool,
    ) -> Option<MethodRefId> {
        let descriptor = self.intern_descriptor(descriptor)?;
        let selector = self.selectors.intern(Selector { name: self.symbols.intern(name), descriptor });
        Some(self.links.method_refs.intern(MethodRef { owner, selector, interface }))
    }

    /// The id of a field reference; none if the descriptor is malformed.
    pub fn intern_field_ref(&mut self, owner: TypeId, name: &[u8], descriptor: &[u8]) -> Option<FieldRefId> {
        let ty = self.intern_descriptor_type(descriptor)?;
        Some(self.links.field_refs.intern(FieldRef { owner, name: self.symbols.intern(name), ty }))
    }

    /// The id of a method handle constant.
    pub fn intern_handle(&mut self, handle: Handle) -> HandleId {
        self.links.handles.intern(handle)
    }

    /// The id of a dynamic constant or call site specifier.
    pub fn intern_dynamic(&mut self, dynamic: Dynamic) -> DynamicId {
        self.links.dynamics.intern(dynamic)
    }
}

struct Linker<'p, 'a> {
    program: &'p mut Program,
    class: ClassId,
    pool: &'p ConstantPool<'a>,
    entries: Vec<PoolEntry>,
    problems: Vec<Malformed>,
}

impl<'a> Linker<'_, 'a> {
    fn entries(&mut self) {
        for index in 0..self.pool.len() {
            let entry = self.entry(index).unwrap_or_else(|problem| {
                self.problems.push(problem);
                PoolEntry::None
            });
            self.entries.push(entry);
        }
    }

    fn entry(&mut self, index: u16) -> Result<PoolEntry, Malformed> {
        Ok(match self.pool.tag(index) {
            None | Some(Tag::Utf8 | Tag::NameAndType | Tag::Module | Tag::Package) => PoolEntry::None,
            Some(Tag::FieldRef) => PoolEntry::Field(self.field(index)?),
            Some(Tag::MethodRef | Tag::InterfaceMethodRef) => PoolEntry::Method(self.method(index)?),
            Some(Tag::InvokeDynamic) => {
                let call = self.pool.invoke_dynamic(index)?;
                PoolEntry::Call(self.dynamic(index, call, true)?)
            }
            Some(_) => PoolEntry::Constant(self.constant(index)?),
        })
    }

    fn member(&mut self, index: u16) -> Result<(TypeId, MemberRef<'a>), Malformed> {
        let member = self.pool.member(index)?;
        let owner = match self.entries.get(usize::from(member.class_index)) {
            Some(PoolEntry::Constant(Constant::Class(ty))) => *ty,
            _ => self.program.intern_type(member.class),
        };
        Ok((owner, member))
    }

    fn field(&mut self, index: u16) -> Result<FieldRefId, Malformed> {
        let (owner, member) = self.member(index)?;
        let (name, descriptor) = (member.name, member.descriptor);
        self.program.intern_field_ref(owner, name, descriptor).ok_or_else(|| self.bad_descriptor(index))
    }

    fn method(&mut self, index: u16) -> Result<MethodRefId, Malformed> {
        let (owner, member) = self.member(index)?;
        let interface = member.tag == Tag::InterfaceMethodRef;
        let (name, descriptor) = (member.name, member.descriptor);
        let id = self.program.intern_method_ref(owner, name, descriptor, interface);
        id.ok_or_else(|| self.bad_descriptor(index))
    }

    fn constant(&mut self, index: u16) -> Result<Constant, Malformed> {
        Ok(match self.pool.constant(index)? {
            classfile::Constant::Integer(v) => Constant::Int(v),
            classfile::Constant::Float(v) => Constant::Float(v.to_bits()),
            classfile::Constant::Long(v) => Constant::Long(v),
            classfile::Constant::Double(v) => Constant::Double(v.to_bits()),
            classfile::Constant::Class(name) => Constant::Class(self.program.intern_type(name)),
            classfile::Constant::String(text) => Constant::String(self.program.symbols.intern(text)),
            classfile::Constant::MethodHandle(handle) => Constant::Handle(self.handle(index, handle)?),
            classfile::Constant::MethodType(text) => {
                let descriptor = self.program.intern_descriptor(text);
                Constant::MethodType(descriptor.ok_or_else(|| self.bad_descriptor(index))?)
            }
            dynamic @ classfile::Constant::Dynamic { .. } => {
                Constant::Dynamic(self.dynamic(index, dynamic, false)?)
            }
        })
    }

    fn handle(&mut self, index: u16, handle: classfile::MethodHandleConstant) -> Result<HandleId, Malformed> {
        let invalid = |what| Malformed { offset: self.pool.offset(index), what: What::Invalid(what) };
        let kind = HandleKind::new(handle.kind).ok_or(invalid("unknown method handle kind"))?;
        let version = self.program.classes[self.class].version;
        if !kind.admits(self.pool.tag(handle.member), version) {
            return Err(invalid("method handle of another kind than its member"));
        }
        let member = if kind.is_field() {
            HandleMember::Field(self.field(handle.member)?)
        } else {
            HandleMember::Method(self.method(handle.member)?)
        };
        Ok(self.program.intern_handle(Handle { kind, member }))
    }

    fn dynamic(
        &mut self,
        index: u16,
        raw: classfile::Constant<'_>,
        call: bool,
    ) -> Result<DynamicId, Malformed> {
        let bad = self.bad_descriptor(index);
        let classfile::Constant::Dynamic { bootstrap, name, descriptor } = raw else { return Err(bad) };
        let ty = if call {
            DynamicType::Call(self.program.intern_descriptor(descriptor).ok_or(bad)?)
        } else {
            DynamicType::Constant(self.program.intern_descriptor_type(descriptor).ok_or(bad)?)
        };
        let name = self.program.symbols.intern(name);
        Ok(self.program.intern_dynamic(Dynamic { class: self.class, bootstrap, name, ty }))
    }

    fn bootstraps(&mut self, file: &ClassFile<'_>) -> Vec<Option<Bootstrap>> {
        let rows = file.bootstrap_methods().unwrap_or_else(|problem| {
            self.problems.push(problem);
            Vec::new()
        });
        rows.iter().map(|row| self.bootstrap(row).map_err(|p| self.problems.push(p)).ok()).collect()
    }

    fn bootstrap(&self, row: &classfile::Bootstrap) -> Result<Bootstrap, Malformed> {
        let Constant::Handle(method) = self.loaded(row.method)? else {
            return Err(self.not_loadable(row.method, "a method handle"));
        };
        let arguments = row.arguments.iter().map(|&index| self.loaded(index)).collect::<Result<_, _>>()?;
        Ok(Bootstrap { method, arguments })
    }

    fn loaded(&self, index: u16) -> Result<Constant, Malformed> {
        match self.entries.get(usize::from(index)) {
            Some(PoolEntry::Constant(constant)) => Ok(*constant),
            _ => Err(self.not_loadable(index, "a loadable constant")),
        }
    }

    fn not_loadable(&self, index: u16, expected: &'static str) -> Malformed {
        Malformed { offset: self.pool.offset(index), what: What::PoolIndex { index, expected } }
    }

    fn bad_descriptor(&self, index: u16) -> Malformed {
        Malformed { offset: self.pool.offset(index), what: What::Descriptor }
    }
}
