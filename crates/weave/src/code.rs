//! The code of one method with tracing woven in.

use heliostat_classfile::{Code, Constant, ConstantPool, Insn, LineNumber, Malformed};

use crate::hooks::{Hook, Operand, hook};
use crate::landings::landings;
use crate::layout::{Layout, Piece, pieces};
use crate::pool::Additions;
use crate::runtime::{AT, ENTER, HOST, NOTE, START, is_start};
use crate::weave::{Depth, Refused, Target};
use crate::{frames, tables};

/// What stands for an instruction where an exception is caught.
const ATHROW: u8 = 0xbf;

/// A place in the old code that gets a number.
pub(crate) struct Passed {
    pub(crate) number: u32,
    pub(crate) pc: u32,
    pub(crate) line: u16,
    /// The pool index that the instruction names; 0 for the method as a whole, and where an exception is
    /// caught.
    pub(crate) names: u16,
    pub(crate) opcode: u8,
}

/// The content of the new `Code` attribute, and the numbers that it uses.
pub(crate) struct WovenCode {
    pub(crate) bytes: Vec<u8>,
    pub(crate) passed: Vec<Passed>,
}

/// What is the same for all of a method's code.
pub(crate) struct Weaver<'a, 'b> {
    pub(crate) target: &'b Target<'a>,
    pub(crate) pool: &'b ConstantPool<'a>,
    pub(crate) added: &'b mut Additions,
    pub(crate) first_site: u32,
    pub(crate) depth: Depth,
}

impl<'a> Weaver<'a, '_> {
    pub(crate) fn weave(mut self, code: &Code<'a>) -> Result<WovenCode, Refused> {
        let (saved, old) = (code.max_locals, code.instructions.bytes());
        let hook = hook(self.target.class, self.target.name, self.target.descriptor);
        let mut pieces = pieces(&code.instructions)?;
        let landings = landings(&code.handlers);
        for piece in &mut pieces {
            piece.lands = landings.contains(&piece.pc);
        }
        let mut passed = Vec::new();
        let mut entry = self.entry(saved, hook)?;
        match self.depth {
            Depth::Sites => self.mark_sites(&mut pieces, code, old, &mut passed)?,
            Depth::Method => {
                passed.push(Passed { number: self.first_site, pc: 0, line: 0, names: 0, opcode: 0 });
                self.pass(self.first_site, &mut entry)?;
                for piece in pieces.iter_mut().filter(|piece| piece.lands) {
                    self.pass(self.first_site, &mut piece.before)?;
                }
            }
        }
        self.mark_returns(&mut pieces, saved, hook)?;
        let layout = Layout::new(entry, pieces)?;
        let bytes = self.attribute(code, &layout, old, hook)?;
        Ok(WovenCode { bytes, passed })
    }

    /// Takes the caller's site, notes the call, and keeps the site.
    fn entry(&mut self, saved: u16, hook: Option<Hook>) -> Result<Vec<u8>, Refused> {
        let mut out = Vec::new();
        if is_start(self.target) {
            self.call(START, &mut out)?;
        }
        self.push_int(self.target.number, &mut out)?;
        self.call(ENTER, &mut out)?;
        store_int(saved, &mut out);
        if let Some(hook) = hook.filter(|hook| hook.subject != Operand::Result) {
            self.load(hook.subject, &mut out);
            self.note(hook, saved, &mut out)?;
        }
        Ok(out)
    }

    /// Tells what the method is called for. The subject is on the stack.
    fn note(&mut self, hook: Hook, saved: u16, out: &mut Vec<u8>) -> Result<(), Refused> {
        out.extend([0x10, hook.api.number()]);
        load_int(saved, out);
        self.load(hook.detail, out);
        self.call(NOTE, out)
    }

    fn load(&self, operand: Operand, out: &mut Vec<u8>) {
        let receiver = u8::from(!self.target.is_static);
        match operand {
            Operand::This => out.push(0x2a),
            Operand::Argument(number) => out.extend([0x19, number + receiver]),
            Operand::Nothing | Operand::Result => out.push(0x01),
        }
    }

    fn mark_sites(
        &mut self,
        pieces: &mut [Piece<'a>],
        code: &Code<'a>,
        old: &[u8],
        passed: &mut Vec<Passed>,
    ) -> Result<(), Refused> {
        let lines = code.line_numbers(self.pool);
        for piece in pieces {
            let (names, opcode) = match self.runs_other_code(&piece.insn) {
                Some(names) => (names, old.get(piece.pc as usize).copied().unwrap_or(0)),
                None if piece.lands => (0, ATHROW),
                None => continue,
            };
            let number = self.first_site + passed.len() as u32;
            passed.push(Passed { number, pc: piece.pc, line: line_at(&lines, piece.pc), names, opcode });
            self.pass(number, &mut piece.before)?;
        }
        Ok(())
    }

    /// The pool index of what an instruction names, if running it may run other code: calls, and what may initialise a class or
    /// compute a constant.
    fn runs_other_code(&self, insn: &Insn<'_>) -> Option<u16> {
        match *insn {
            Insn::InvokeVirtual(names)
            | Insn::InvokeSpecial(names)
            | Insn::InvokeStatic(names)
            | Insn::InvokeInterface(names)
            | Insn::InvokeDynamic(names) => Some(names),
            Insn::GetStatic(names) | Insn::PutStatic(names) => {
                let owner = self.pool.member(names).map(|member| member.class);
                self.is_other(owner).then_some(names)
            }
            Insn::New(names) => self.is_other(self.pool.class_name(names)).then_some(names),
            Insn::LoadConstant(names) => {
                let dynamic = matches!(
                    self.pool.constant(names),
                    Ok(Constant::Dynamic { .. } | Constant::MethodHandle(_))
                );
                dynamic.then_some(names)
            }
            _ => None,
        }
    }

    /// The class of the code itself has begun to be initialised.
    fn is_other(&self, class: Result<&[u8], Malformed>) -> bool {
        class != Ok(self.target.class)
    }

    fn pass(&mut self, site: u32, out: &mut Vec<u8>) -> Result<(), Refused> {
        self.push_int(site, out)?;
        self.call(AT, out)
    }

    fn mark_returns(
        &mut self,
        pieces: &mut [Piece<'a>],
        saved: u16,
        hook: Option<Hook>,
    ) -> Result<(), Refused> {
        let at_end = hook.filter(|hook| hook.subject == Operand::Result);
        for piece in pieces {
            if !matches!(piece.insn, Insn::Return(_)) {
                continue;
            }
            if let Some(hook) = at_end {
                piece.before.push(0x59);
                self.note(hook, saved, &mut piece.before)?;
            }
            load_int(saved, &mut piece.before);
            self.call(AT, &mut piece.before)?;
        }
        Ok(())
    }

    fn push_int(&mut self, value: u32, out: &mut Vec<u8>) -> Result<(), Refused> {
        if let Ok(short) = i16::try_from(value) {
            out.push(0x11);
            out.extend(short.to_be_bytes());
        } else {
            out.push(0x13);
            out.extend(self.added.int(value)?.to_be_bytes());
        }
        Ok(())
    }

    fn call(&mut self, (name, descriptor): (&str, &str), out: &mut Vec<u8>) -> Result<(), Refused> {
        out.push(0xb8);
        out.extend(self.added.method(HOST, name, descriptor)?.to_be_bytes());
        Ok(())
    }

    fn attribute(
        &mut self,
        code: &Code<'a>,
        layout: &Layout<'a>,
        old: &[u8],
        hook: Option<Hook>,
    ) -> Result<Vec<u8>, Refused> {
        let bytes = layout.emit(old)?;
        // A site or a return needs one more than the code itself, a note four.
        let deeper = if hook.is_some() { 4 } else { 1 };
        let stack = code.max_stack.checked_add(deeper).ok_or(Refused::TooLong)?;
        let locals = code.max_locals.checked_add(1).ok_or(Refused::TooLong)?;
        let mut out = stack.to_be_bytes().to_vec();
        out.extend(locals.to_be_bytes());
        out.extend((bytes.len() as u32).to_be_bytes());
        out.extend(bytes);
        out.extend(tables::handlers(&code.handlers, layout)?);
        let mut attributes: Vec<(&[u8], Vec<u8>)> = Vec::new();
        if let Some(frames) = frames::rewrite(self.target, code, self.pool, layout, self.added)? {
            attributes.push((b"StackMapTable", frames));
        }
        for attribute in code.attributes().iter(self.pool) {
            attributes.extend(tables::attribute(&attribute, layout).map(|bytes| (attribute.name, bytes)));
        }
        out.extend((attributes.len() as u16).to_be_bytes());
        for (name, content) in attributes {
            out.extend(self.added.utf8(name)?.to_be_bytes());
            out.extend((content.len() as u32).to_be_bytes());
            out.extend(content);
        }
        Ok(out)
    }
}

fn line_at(lines: &[LineNumber], pc: u32) -> u16 {
    let after = lines.partition_point(|line| line.start <= pc);
    after.checked_sub(1).and_then(|last| lines.get(last)).map_or(0, |line| line.line)
}

fn store_int(local: u16, out: &mut Vec<u8>) {
    with_local(0x36, local, out);
}

fn load_int(local: u16, out: &mut Vec<u8>) {
    with_local(0x15, local, out);
}

/// An instruction with the number of a local variable, wide if it must be.
fn with_local(opcode: u8, local: u16, out: &mut Vec<u8>) {
    if let Ok(short) = u8::try_from(local) {
        out.extend([opcode, short]);
    } else {
        out.extend([0xc4, opcode]);
        out.extend(local.to_be_bytes());
    }
}
