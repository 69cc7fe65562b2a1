//! What woven code calls: a few static methods that are added to a class of the library, and a field of each thread.
//!
//! The class must be one that every class may use, that is there before any code runs, and that has no initialiser: whatever ran in it would run before the JVM
//! is ready. `java.lang.StackTraceElement` is. Until [`START`] is called, which the JVM's own start does, everything
//! else does nothing.

use crate::pool::Additions;
use crate::table;
use crate::weave::{Refused, Target};

/// The class that has the methods.
pub const HOST: &[u8] = b"java/lang/StackTraceElement";
/// The class whose objects have the field.
pub const SITE_HOLDER: &[u8] = b"java/lang/Thread";
/// The one method that is native: it takes a subject, the number of an [`Api`](crate::hooks::Api), the caller's site and a detail.
pub const NATIVE: (&str, &str) = ("heliostat$native", "(Ljava/lang/Object;IILjava/lang/Object;)V");

/// Takes the number of a method, and returns the caller's site.
pub(crate) const ENTER: (&str, &str) = ("heliostat$enter", "(I)I");
/// Takes the number of a site.
pub(crate) const AT: (&str, &str) = ("heliostat$at", "(I)V");
pub(crate) const NOTE: (&str, &str) = ("heliostat$note", NATIVE.1);
pub(crate) const START: (&str, &str) = ("heliostat$start", "()V");

const SITE: (&str, &str) = ("heliostat$site", "I");
/// Whether calls are noted.
const ON: (&str, &str) = ("heliostat$on", "Z");
/// Whether the native method may be called. The agent sets it.
pub const LIVE: (&str, &str) = ("heliostat$live", "Z");
const CURRENT: (&str, &str) = ("currentThread", "()Ljava/lang/Thread;");

/// What the methods need to know of the process they are in.
#[derive(Debug, Clone, Copy)]
pub struct Runtime {
    /// Where the table of calls begins in memory.
    pub table: u64,
    /// Whether the JDK is of the time before modules: names of its own classes differ.
    pub before_modules: bool,
}

/// Whether the JVM calls this method when it is able to run code, and before it runs anything else to speak of.
pub(crate) fn is_start(target: &Target<'_>) -> bool {
    target.class == b"java/lang/System" && matches!(target.name, b"initPhase1" | b"initializeSystemClass")
}

/// Fields and methods to add to a class, as their bytes, each kind with its count.
#[derive(Default)]
pub(crate) struct Members {
    pub(crate) fields: (u16, Vec<u8>),
    pub(crate) methods: (u16, Vec<u8>),
}

const PUBLIC: u16 = 0x0001;
const PRIVATE: u16 = 0x0002;
const STATIC: u16 = 0x0008;
const TRANSIENT: u16 = 0x0080;
const NATIVE_FLAG: u16 = 0x0100;
const SYNTHETIC: u16 = 0x1000;

impl Runtime {
    /// What is added to a class; nothing to most.
    pub(crate) fn members(self, class: &[u8], added: &mut Additions) -> Result<Members, Refused> {
        let mut members = Members::default();
        if class == SITE_HOLDER {
            members.field(PUBLIC | TRANSIENT | SYNTHETIC, SITE, added)?;
        }
        if class == HOST {
            members.field(PRIVATE | STATIC | SYNTHETIC, ON, added)?;
            members.field(PRIVATE | STATIC | SYNTHETIC, LIVE, added)?;
            members.field(PRIVATE | STATIC | SYNTHETIC, self.unsafe_field(), added)?;
            self.add_methods(&mut members, added)?;
        }
        Ok(members)
    }

    fn add_methods(self, members: &mut Members, added: &mut Additions) -> Result<(), Refused> {
        let flags = PUBLIC | STATIC | SYNTHETIC;
        let start = self.start(added)?;
        members.method(flags, START, &start, added)?;
        let at = Assembler::assemble(added, &[Local::Int], Assembler::at)?;
        members.method(flags, AT, &at, added)?;
        let enter = Assembler::assemble(added, &self.enter_locals(), |code| code.enter(self))?;
        members.method(flags, ENTER, &enter, added)?;
        let object = Local::Object("java/lang/Object");
        let note = Assembler::assemble(added, &[object, Local::Int, Local::Int, object], Assembler::note)?;
        members.method(flags, NOTE, &note, added)?;
        members.native(PRIVATE | STATIC | SYNTHETIC | NATIVE_FLAG, NATIVE, added)
    }

    fn unsafe_class(self) -> &'static str {
        if self.before_modules { "sun/misc/Unsafe" } else { "jdk/internal/misc/Unsafe" }
    }

    fn unsafe_field(self) -> (&'static str, &'static str) {
        let descriptor = if self.before_modules { "Lsun/misc/Unsafe;" } else { "Ljdk/internal/misc/Unsafe;" };
        ("heliostat$unsafe", descriptor)
    }

    fn swap_name(self) -> &'static str {
        if self.before_modules { "compareAndSwapLong" } else { "compareAndSetLong" }
    }

    /// The local variables of `enter`, see [`local`].
    fn enter_locals(self) -> [Local; 9] {
        let (thread, memory) = (Local::Object("java/lang/Thread"), Local::Object(self.unsafe_class()));
        let [int, long] = [Local::Int, Local::Long];
        [int, int, long, long, int, thread, long, int, memory]
    }

    fn start(self, added: &mut Additions) -> Result<Assembled, Refused> {
        let (owner, field) = (self.unsafe_class(), self.unsafe_field());
        Assembler::assemble(added, &[], |code| {
            let descriptor = format!("(){}", field.1);
            code.invoke_static(owner.as_bytes(), ("getUnsafe", &descriptor))?;
            code.put_static(field)?;
            code.bytes(&[ICONST_1]);
            code.put_static(ON)?;
            code.bytes(&[RETURN]);
            Ok(())
        })
    }
}

impl Members {
    fn head(flags: u16, (name, descriptor): (&str, &str), added: &mut Additions) -> Result<Vec<u8>, Refused> {
        let mut out = flags.to_be_bytes().to_vec();
        out.extend(added.utf8(name.as_bytes())?.to_be_bytes());
        out.extend(added.utf8(descriptor.as_bytes())?.to_be_bytes());
        Ok(out)
    }

    fn field(&mut self, flags: u16, member: (&str, &str), added: &mut Additions) -> Result<(), Refused> {
        self.fields.0 += 1;
        self.fields.1.extend(Self::head(flags, member, added)?);
        self.fields.1.extend([0, 0]);
        Ok(())
    }

    fn native(&mut self, flags: u16, member: (&str, &str), added: &mut Additions) -> Result<(), Refused> {
        self.methods.0 += 1;
        self.methods.1.extend(Self::head(flags, member, added)?);
        self.methods.1.extend([0, 0]);
        Ok(())
    }

    fn method(
        &mut self,
        flags: u16,
        member: (&str, &str),
        Assembled { code, frames }: &Assembled,
        added: &mut Additions,
    ) -> Result<(), Refused> {
        let mut content = MOST_STACK.to_be_bytes().to_vec();
        content.extend(MOST_LOCALS.to_be_bytes());
        content.extend((code.len() as u32).to_be_bytes());
        content.extend(code);
        // No handlers, one attribute.
        content.extend([0, 0, 0, 1]);
        content.extend(added.utf8(b"StackMapTable")?.to_be_bytes());
        content.extend((frames.len() as u32).to_be_bytes());
        content.extend(frames);
        self.methods.0 += 1;
        self.methods.1.extend(Self::head(flags, member, added)?);
        self.methods.1.extend([0, 1]);
        self.methods.1.extend(added.utf8(b"Code")?.to_be_bytes());
        self.methods.1.extend((content.len() as u32).to_be_bytes());
        self.methods.1.extend(content);
        Ok(())
    }
}

const MOST_STACK: u16 = 12;
const MOST_LOCALS: u16 = 12;

const ACONST_NULL: u8 = 0x01;
const ICONST_0: u8 = 0x03;
const ICONST_1: u8 = 0x04;
const ICONST_4: u8 = 0x07;
const LCONST_0: u8 = 0x09;
const LCONST_1: u8 = 0x0a;
const BIPUSH: u8 = 0x10;
const ILOAD: u8 = 0x15;
const LLOAD: u8 = 0x16;
const ALOAD: u8 = 0x19;
const ISTORE: u8 = 0x36;
const LSTORE: u8 = 0x37;
const ASTORE: u8 = 0x3a;
const POP: u8 = 0x57;
const DUP: u8 = 0x59;
const LADD: u8 = 0x61;
const LMUL: u8 = 0x69;
const LSHL: u8 = 0x79;
const LUSHR: u8 = 0x7d;
const IAND: u8 = 0x7e;
const LOR: u8 = 0x81;
const IINC: u8 = 0x84;
const I2L: u8 = 0x85;
const L2I: u8 = 0x88;
const LCMP: u8 = 0x94;
const IFEQ: u8 = 0x99;
const IFNE: u8 = 0x9a;
const IFGT: u8 = 0x9d;
const GOTO: u8 = 0xa7;
const IRETURN: u8 = 0xac;
const RETURN: u8 = 0xb1;
const IFNULL: u8 = 0xc6;

/// A place in code that jumps lead to.
#[derive(Clone, Copy)]
struct Label(usize);

/// The type of a local variable.
#[derive(Clone, Copy)]
enum Local {
    Int,
    Long,
    Object(&'static str),
}

/// Code, and the content of its `StackMapTable`.
struct Assembled {
    code: Vec<u8>,
    frames: Vec<u8>,
}

/// Writes the code of one method. Wherever a jump leads, the stack is empty and the local variables are the same.
struct Assembler<'a> {
    code: Vec<u8>,
    added: &'a mut Additions,
    /// Where labels are.
    labels: Vec<usize>,
    /// Jumps: where the instruction is, and its label.
    jumps: Vec<(usize, Label)>,
}

impl<'a> Assembler<'a> {
    fn assemble(
        added: &'a mut Additions,
        locals: &[Local],
        write: impl FnOnce(&mut Self) -> Result<(), Refused>,
    ) -> Result<Assembled, Refused> {
        let mut assembler = Self { code: Vec::new(), added, labels: Vec::new(), jumps: Vec::new() };
        write(&mut assembler)?;
        let frames = assembler.frames(locals)?;
        Ok(Assembled { code: assembler.linked()?, frames })
    }

    /// The code, with all jumps leading to their labels.
    fn linked(mut self) -> Result<Vec<u8>, Refused> {
        for (at, Label(label)) in self.jumps {
            let target = self.labels.get(label).copied().ok_or(Refused::Malformed)?;
            let distance = (target as i32 - at as i32) as i16;
            if let Some(place) = self.code.get_mut(at + 1..at + 3) {
                place.copy_from_slice(&distance.to_be_bytes());
            }
        }
        Ok(self.code)
    }

    /// A full frame for each label.
    fn frames(&mut self, locals: &[Local]) -> Result<Vec<u8>, Refused> {
        let mut places = self.labels.clone();
        places.sort_unstable();
        places.dedup();
        let mut out = (places.len() as u16).to_be_bytes().to_vec();
        let mut before = None;
        for place in places {
            let delta = before.map_or(place, |before| place - before - 1);
            before = Some(place);
            out.push(255);
            out.extend((delta as u16).to_be_bytes());
            out.extend((locals.len() as u16).to_be_bytes());
            for local in locals {
                match local {
                    Local::Int => out.push(1),
                    Local::Long => out.push(4),
                    Local::Object(class) => {
                        out.push(7);
                        out.extend(self.added.class(class.as_bytes())?.to_be_bytes());
                    }
                }
            }
            out.extend([0, 0]);
        }
        Ok(out)
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.code.extend(bytes);
    }

    fn label(&mut self) -> Label {
        self.labels.push(0);
        Label(self.labels.len() - 1)
    }

    fn bind(&mut self, Label(label): Label) {
        if let Some(place) = self.labels.get_mut(label) {
            *place = self.code.len();
        }
    }

    fn jump(&mut self, opcode: u8, label: Label) {
        self.jumps.push((self.code.len(), label));
        self.bytes(&[opcode, 0, 0]);
    }

    fn with_index(&mut self, opcode: u8, index: u16) {
        self.code.push(opcode);
        self.code.extend(index.to_be_bytes());
    }

    fn long(&mut self, value: i64) -> Result<(), Refused> {
        let index = self.added.long(value)?;
        self.with_index(0x14, index);
        Ok(())
    }

    fn int(&mut self, value: u32) -> Result<(), Refused> {
        let index = self.added.int(value)?;
        self.with_index(0x13, index);
        Ok(())
    }

    fn get_static(&mut self, (name, descriptor): (&str, &str)) -> Result<(), Refused> {
        let index = self.added.field(HOST, name, descriptor)?;
        self.with_index(0xb2, index);
        Ok(())
    }

    fn put_static(&mut self, (name, descriptor): (&str, &str)) -> Result<(), Refused> {
        let index = self.added.field(HOST, name, descriptor)?;
        self.with_index(0xb3, index);
        Ok(())
    }

    fn invoke_static(&mut self, owner: &[u8], (name, descriptor): (&str, &str)) -> Result<(), Refused> {
        let index = self.added.method(owner, name, descriptor)?;
        self.with_index(0xb8, index);
        Ok(())
    }

    fn invoke_virtual(&mut self, owner: &str, (name, descriptor): (&str, &str)) -> Result<(), Refused> {
        let index = self.added.method(owner.as_bytes(), name, descriptor)?;
        self.with_index(0xb6, index);
        Ok(())
    }

    fn site_field(&mut self) -> Result<u16, Refused> {
        self.added.field(SITE_HOLDER, SITE.0, SITE.1)
    }

    /// `if (on) { Thread t = Thread.currentThread(); if (t != null) t.site = site; }`
    fn at(&mut self) -> Result<(), Refused> {
        let off = self.label();
        self.get_static(ON)?;
        self.jump(IFEQ, off);
        self.invoke_static(SITE_HOLDER, CURRENT)?;
        self.bytes(&[DUP, ASTORE, 1]);
        self.jump(IFNULL, off);
        self.bytes(&[ALOAD, 1, ILOAD, 0]);
        let site = self.site_field()?;
        self.with_index(0xb5, site);
        self.bind(off);
        self.bytes(&[RETURN]);
        Ok(())
    }

    /// `if (live) native(subject, api, site, detail);`
    fn note(&mut self) -> Result<(), Refused> {
        let off = self.label();
        self.get_static(LIVE)?;
        self.jump(IFEQ, off);
        self.bytes(&[ALOAD, 0, ILOAD, 1, ILOAD, 2, ALOAD, 3]);
        self.invoke_static(HOST, NATIVE)?;
        self.bind(off);
        self.bytes(&[RETURN]);
        Ok(())
    }

    /// Counts the call of a method by the site that was last passed: finds the pair of both in the table, or a free slot for it.
    fn enter(&mut self, runtime: Runtime) -> Result<(), Refused> {
        let [on, known, next, found, taken] = std::array::from_fn(|_| self.label());
        self.clear_locals();
        self.get_static(ON)?;
        self.jump(IFNE, on);
        self.bytes(&[ICONST_0, IRETURN]);
        self.bind(on);
        self.take_site(known)?;
        self.bind(known);
        self.first_slot(runtime)?;
        self.bytes(&[BIPUSH, table::TRIES, ISTORE, local::TRIES]);
        self.bind(next);
        self.read_slot(runtime)?;
        self.bytes(&[LLOAD, local::KEY_THERE, LLOAD, local::KEY, LCMP]);
        self.jump(IFEQ, found);
        self.bytes(&[LLOAD, local::KEY_THERE, LCONST_0, LCMP]);
        self.jump(IFNE, taken);
        self.claim_slot(runtime)?;
        // Whether this thread's key is there now, or another one's, is seen by looking again.
        self.jump(GOTO, next);
        self.bind(taken);
        self.bytes(&[IINC, local::SLOT, 1, ILOAD, local::SLOT]);
        self.int(table::SLOTS as u32 - 1)?;
        self.bytes(&[IAND, ISTORE, local::SLOT, IINC, local::TRIES, 0xff, ILOAD, local::TRIES]);
        self.jump(IFGT, next);
        self.long((runtime.table + table::LOST - 8) as i64)?;
        self.bytes(&[LSTORE, local::ADDRESS]);
        self.bind(found);
        self.count(runtime)?;
        self.bytes(&[ILOAD, local::SITE, IRETURN]);
        Ok(())
    }

    /// Gives every local variable a value, so that all have one wherever a jump leads.
    fn clear_locals(&mut self) {
        self.bytes(&[ICONST_0, ISTORE, local::SITE, LCONST_0, LSTORE, local::KEY]);
        self.bytes(&[LCONST_0, LSTORE, local::ADDRESS, ICONST_0, ISTORE, local::SLOT]);
        self.bytes(&[ACONST_NULL, ASTORE, local::THREAD, LCONST_0, LSTORE, local::KEY_THERE]);
        self.bytes(&[ICONST_0, ISTORE, local::TRIES, ACONST_NULL, ASTORE, local::MEMORY]);
    }

    /// The caller's site: that of the thread, 0 if there is no thread yet.
    fn take_site(&mut self, known: Label) -> Result<(), Refused> {
        self.invoke_static(SITE_HOLDER, CURRENT)?;
        self.bytes(&[DUP, ASTORE, local::THREAD]);
        self.jump(IFNULL, known);
        self.bytes(&[ALOAD, local::THREAD]);
        let site = self.site_field()?;
        self.with_index(0xb4, site);
        self.bytes(&[ISTORE, local::SITE]);
        Ok(())
    }

    /// `key = site << 32 | method`, and the slot to begin with.
    fn first_slot(&mut self, runtime: Runtime) -> Result<(), Refused> {
        self.bytes(&[ILOAD, local::SITE, I2L, BIPUSH, 32, LSHL, ILOAD, local::METHOD, I2L, LOR]);
        self.bytes(&[LSTORE, local::KEY, LLOAD, local::KEY]);
        self.long(table::SPREAD)?;
        self.bytes(&[LMUL, BIPUSH, (64 - table::BITS) as u8, LUSHR, L2I, ISTORE, local::SLOT]);
        self.get_static(runtime.unsafe_field())?;
        self.bytes(&[ASTORE, local::MEMORY]);
        Ok(())
    }

    fn read_slot(&mut self, runtime: Runtime) -> Result<(), Refused> {
        self.long((runtime.table + table::HEADER) as i64)?;
        self.bytes(&[ILOAD, local::SLOT, I2L, ICONST_4, LSHL, LADD, LSTORE, local::ADDRESS]);
        self.bytes(&[ALOAD, local::MEMORY, ACONST_NULL, LLOAD, local::ADDRESS]);
        self.invoke_virtual(runtime.unsafe_class(), ("getLong", "(Ljava/lang/Object;J)J"))?;
        self.bytes(&[LSTORE, local::KEY_THERE]);
        Ok(())
    }

    fn claim_slot(&mut self, runtime: Runtime) -> Result<(), Refused> {
        self.bytes(&[ALOAD, local::MEMORY, ACONST_NULL, LLOAD, local::ADDRESS, LCONST_0, LLOAD, local::KEY]);
        self.invoke_virtual(runtime.unsafe_class(), (runtime.swap_name(), "(Ljava/lang/Object;JJJ)Z"))?;
        self.bytes(&[POP]);
        Ok(())
    }

    /// Adds one to the number after the address.
    fn count(&mut self, runtime: Runtime) -> Result<(), Refused> {
        self.bytes(&[LLOAD, local::ADDRESS]);
        self.long(8)?;
        self.bytes(&[LADD, LSTORE, local::ADDRESS]);
        self.bytes(&[ALOAD, local::MEMORY, ACONST_NULL, LLOAD, local::ADDRESS]);
        self.bytes(&[ALOAD, local::MEMORY, ACONST_NULL, LLOAD, local::ADDRESS]);
        self.invoke_virtual(runtime.unsafe_class(), ("getLong", "(Ljava/lang/Object;J)J"))?;
        self.bytes(&[LCONST_1, LADD]);
        self.invoke_virtual(runtime.unsafe_class(), ("putLong", "(Ljava/lang/Object;JJ)V"))
    }
}

/// The local variables of `enter`.
mod local {
    pub(super) const METHOD: u8 = 0;
    pub(super) const SITE: u8 = 1;
    pub(super) const KEY: u8 = 2;
    pub(super) const ADDRESS: u8 = 4;
    pub(super) const SLOT: u8 = 6;
    pub(super) const THREAD: u8 = 7;
    pub(super) const KEY_THERE: u8 = 8;
    pub(super) const TRIES: u8 = 10;
    /// The object that reaches into memory.
    pub(super) const MEMORY: u8 = 11;
}
