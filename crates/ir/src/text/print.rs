//! Printing.

use std::fmt::{self, Display, Write};

use heliostat_program::{
    Bootstrap, Constant, DescriptorId, Dynamic, DynamicType, FieldRefId, Handle, HandleMember, MethodRefId,
    Program, TypeId, TypeKind, quote,
};

use super::{CONDITIONS, ELEMENTS, FLAGS, calls_interface, is_of_interface, word};
use crate::{Block, Body, Inst, Op, Test};

/// The text form of a body.
pub fn print(program: &Program, body: &Body) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = Printer { program, body, out: &mut out }.body();
    out
}

struct Printer<'a> {
    program: &'a Program,
    body: &'a Body,
    out: &'a mut String,
}

impl Printer<'_> {
    fn body(&mut self) -> fmt::Result {
        let method = &self.program.methods()[self.body.method];
        let owner = self.program.classes()[method.class].ty;
        let selector = self.program.selector(method.selector);
        self.out.write_str("method ")?;
        for (_, word) in FLAGS.iter().filter(|(flag, _)| method.flags.0 & flag.0 != 0) {
            write!(self.out, "{word} ")?;
        }
        self.ty(owner)?;
        write!(self.out, ".{}", self.program.name_text(selector.name))?;
        self.descriptor(selector.descriptor)?;
        self.out.write_str(" {\n")?;
        self.params()?;
        for block in self.body.block_ids() {
            self.block(block)?;
        }
        self.out.write_str("}\n")
    }

    fn params(&mut self) -> fmt::Result {
        for (i, (value, data)) in self.body.values.iter().take(self.body.params.into()).enumerate() {
            self.out.write_str(if i == 0 { "  params " } else { ", " })?;
            write!(self.out, "{value}: ")?;
            self.ty(data.ty)?;
        }
        self.out.write_str(if self.body.params == 0 { "" } else { "\n" })
    }

    fn block(&mut self, block: Block) -> fmt::Result {
        write!(self.out, "{block}:")?;
        for (i, catcher) in self.body.catchers(block).iter().enumerate() {
            self.out.write_str(if i == 0 { " catch (" } else { ", " })?;
            match catcher.ty.expand() {
                Some(ty) => self.ty(ty)?,
                None => self.out.write_char('*')?,
            }
            write!(self.out, " {}", catcher.block)?;
        }
        if !self.body.catchers(block).is_empty() {
            self.out.write_char(')')?;
        }
        for (i, pred) in self.body.preds(block).iter().enumerate() {
            self.out.write_str(if i == 0 { " # from " } else { ", " })?;
            write!(self.out, "{}{}", bang(pred.exceptional), pred.block)?;
        }
        self.out.write_char('\n')?;
        for inst in self.body.block_insts(block) {
            self.inst(block, inst)?;
        }
        Ok(())
    }

    fn inst(&mut self, block: Block, inst: Inst) -> fmt::Result {
        let data = &self.body.insts[inst];
        write!(self.out, "  @{}", data.offset)?;
        if let Some(line) = self.body.line(data.offset) {
            write!(self.out, " L{line}")?;
        }
        self.out.write_str("  ")?;
        if let Some(value) = data.result.expand() {
            write!(self.out, "{value}: ")?;
            self.ty(self.body.values[value].ty)?;
            self.out.write_str(" = ")?;
        }
        self.op(block, inst, data.op)?;
        self.out.write_char('\n')
    }

    fn op(&mut self, block: Block, inst: Inst, op: Op) -> fmt::Result {
        match op {
            Op::Phi => return self.phi(block, inst),
            Op::If(test, then, otherwise) => return self.branch(inst, test, then, otherwise),
            Op::Switch(id) => return self.switch(inst, id),
            Op::CallDynamic(id) => return self.call_dynamic(inst, self.program.dynamic(id)),
            Op::Catch => self.out.write_str("catch")?,
            Op::Const(constant) => return self.constant(constant),
            Op::New(ty) => self.with_type("new", ty)?,
            Op::NewArray(ty) => self.with_type("newarray", ty)?,
            Op::NewMultiArray(ty) => self.with_type("multinewarray", ty)?,
            Op::GetField(field) => self.with_field("getfield", field)?,
            Op::PutField(field) => self.with_field("putfield", field)?,
            Op::GetStatic(field) => self.with_field("getstatic", field)?,
            Op::PutStatic(field) => self.with_field("putstatic", field)?,
            Op::ArrayLoad(element) => write!(self.out, "arrayload {}", word(&ELEMENTS, &element))?,
            Op::ArrayStore(element) => write!(self.out, "arraystore {}", word(&ELEMENTS, &element))?,
            Op::ArrayLength => self.out.write_str("arraylength")?,
            Op::CheckCast(ty) => self.with_type("checkcast", ty)?,
            Op::InstanceOf(ty) => self.with_type("instanceof", ty)?,
            Op::Call(kind, method) => {
                write!(self.out, "call {} ", kind.name())?;
                self.method_ref(method, calls_interface(kind))?;
            }
            Op::Compute(operator) => self.out.write_str(operator.name())?,
            Op::MonitorEnter => self.out.write_str("monitorenter")?,
            Op::MonitorExit => self.out.write_str("monitorexit")?,
            Op::Goto(to) => write!(self.out, "goto {to}")?,
            Op::Return => self.out.write_str("return")?,
            Op::Throw => self.out.write_str("throw")?,
        }
        self.args(inst)
    }

    fn args(&mut self, inst: Inst) -> fmt::Result {
        for (i, arg) in self.body.args(inst).iter().enumerate() {
            write!(self.out, "{}{arg}", if i == 0 { " " } else { ", " })?;
        }
        Ok(())
    }

    fn phi(&mut self, block: Block, inst: Inst) -> fmt::Result {
        self.out.write_str("phi")?;
        for (i, (arg, pred)) in self.body.args(inst).iter().zip(self.body.preds(block)).enumerate() {
            let separator = if i == 0 { " " } else { ", " };
            write!(self.out, "{separator}{}{} {arg}", bang(pred.exceptional), pred.block)?;
        }
        Ok(())
    }

    fn branch(&mut self, inst: Inst, test: Test, then: Block, otherwise: Block) -> fmt::Result {
        let (kind, condition, right) = match test {
            Test::Zero(condition) => ("int", condition, "0"),
            Test::Int(condition) => ("int", condition, ""),
            Test::Ref(condition) => ("ref", condition, ""),
            Test::Null(condition) => ("ref", condition, "null"),
        };
        let args = self.body.args(inst);
        let left = args.first().map_or(String::new(), ToString::to_string);
        let right = args.get(1).map_or(right.to_owned(), ToString::to_string);
        let condition = word(&CONDITIONS, &condition);
        write!(self.out, "if {kind} {left} {condition} {right} then {then} else {otherwise}")
    }

    fn switch(&mut self, inst: Inst, id: crate::SwitchId) -> fmt::Result {
        let table = &self.body.switches[id];
        self.out.write_str("switch")?;
        self.args(inst)?;
        self.out.write_str(" {")?;
        for (i, (key, to)) in table.cases.iter().enumerate() {
            write!(self.out, "{}{key}: {to}", if i == 0 { "" } else { ", " })?;
        }
        write!(self.out, "}} else {}", table.default)
    }

    fn call_dynamic(&mut self, inst: Inst, dynamic: Dynamic) -> fmt::Result {
        self.out.write_str("call dynamic ")?;
        self.dynamic(dynamic)?;
        self.args(inst)?;
        self.bootstrap_comment(dynamic)
    }

    fn dynamic(&mut self, dynamic: Dynamic) -> fmt::Result {
        self.out.write_str(&self.program.name_text(dynamic.name))?;
        match dynamic.ty {
            DynamicType::Call(descriptor) => self.descriptor(descriptor)?,
            DynamicType::Constant(ty) => {
                self.out.write_char(':')?;
                self.ty(ty)?;
            }
        }
        write!(self.out, " bootstrap {} of ", dynamic.bootstrap)?;
        self.ty(self.program.classes()[dynamic.class].ty)
    }

    /// What the bootstrap row holds, for people; the row itself is found through the class.
    fn bootstrap_comment(&mut self, dynamic: Dynamic) -> fmt::Result {
        let linked = self.program.linked(dynamic.class);
        let Some(row) = linked.and_then(|l| l.bootstrap(dynamic.bootstrap)) else { return Ok(()) };
        let Bootstrap { method, arguments } = row;
        self.out.write_str(" # ")?;
        self.handle(self.program.handle(*method))?;
        for (i, &argument) in arguments.iter().enumerate() {
            self.out.write_str(if i == 0 { " (" } else { ", " })?;
            self.plain_constant(argument)?;
        }
        self.out.write_str(if arguments.is_empty() { "" } else { ")" })
    }

    fn constant(&mut self, constant: Constant) -> fmt::Result {
        self.out.write_str("const ")?;
        self.plain_constant(constant)?;
        match constant {
            Constant::Dynamic(id) => self.bootstrap_comment(self.program.dynamic(id)),
            _ => Ok(()),
        }
    }

    fn plain_constant(&mut self, constant: Constant) -> fmt::Result {
        match constant {
            Constant::Null => self.out.write_str("null"),
            Constant::Int(n) => write!(self.out, "int {n}"),
            Constant::Long(n) => write!(self.out, "long {n}"),
            Constant::Float(bits) => {
                self.floating("float", f32::from_bits(bits), f32::from_bits(bits).is_nan(), bits.into())
            }
            Constant::Double(bits) => {
                self.floating("double", f64::from_bits(bits), f64::from_bits(bits).is_nan(), bits)
            }
            Constant::String(text) => write!(self.out, "string {}", quote(self.program.symbols.bytes(text))),
            Constant::Class(ty) => self.with_type("class", ty),
            Constant::Handle(handle) => {
                self.out.write_str("handle ")?;
                self.handle(self.program.handle(handle))
            }
            Constant::MethodType(descriptor) => {
                self.out.write_str("methodtype ")?;
                self.descriptor(descriptor)
            }
            Constant::Dynamic(id) => {
                self.out.write_str("dynamic ")?;
                self.dynamic(self.program.dynamic(id))
            }
        }
    }

    /// Shortest digits that read back the same; NaN with its bits, for there are many.
    fn floating(&mut self, kind: &str, x: impl fmt::Debug, is_nan: bool, bits: u64) -> fmt::Result {
        if is_nan { write!(self.out, "{kind} NaN:{bits:x}") } else { write!(self.out, "{kind} {x:?}") }
    }

    fn handle(&mut self, handle: Handle) -> fmt::Result {
        write!(self.out, "{} ", handle.kind.name())?;
        match handle.member {
            HandleMember::Field(field) => self.field_ref(field),
            HandleMember::Method(method) => self.method_ref(method, is_of_interface(handle.kind)),
        }
    }

    fn with_type(&mut self, name: &str, ty: TypeId) -> fmt::Result {
        write!(self.out, "{name} ")?;
        self.ty(ty)
    }

    fn with_field(&mut self, name: &str, field: FieldRefId) -> fmt::Result {
        write!(self.out, "{name} ")?;
        self.field_ref(field)
    }

    fn field_ref(&mut self, id: FieldRefId) -> fmt::Result {
        let field = self.program.field_ref(id);
        self.ty(field.owner)?;
        write!(self.out, ".{}:", self.program.name_text(field.name))?;
        self.ty(field.ty)
    }

    /// `interface`: whether it is expected to be an interface's.
    fn method_ref(&mut self, id: MethodRefId, interface: bool) -> fmt::Result {
        let method = self.program.method_ref(id);
        let selector = self.program.selector(method.selector);
        if method.interface != interface {
            self.out.write_str(if method.interface { "(interface) " } else { "(class) " })?;
        }
        self.ty(method.owner)?;
        write!(self.out, ".{}", self.program.name_text(selector.name))?;
        self.descriptor(selector.descriptor)
    }

    fn descriptor(&mut self, id: DescriptorId) -> fmt::Result {
        let text = self.program.symbols.bytes(self.program.method_type(id).text);
        write!(self.out, "{}", Descriptor(text))
    }

    fn ty(&mut self, ty: TypeId) -> fmt::Result {
        let name = self.program.symbols.bytes(self.program.types.name(ty));
        match self.program.types.kind(ty) {
            TypeKind::Class(_) => write!(self.out, "{}", Descriptor(&[b"L", name, b";"].concat())),
            TypeKind::Basic | TypeKind::Array(_) => write!(self.out, "{}", Descriptor(name)),
        }
    }
}

fn bang(exceptional: bool) -> &'static str {
    if exceptional { "!" } else { "" }
}

/// A descriptor, in quotes if it has characters that words do not have.
struct Descriptor<'a>(&'a [u8]);

impl Display for Descriptor<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match std::str::from_utf8(self.0) {
            Ok(text) if self.0.iter().all(|&b| super::cursor::is_descriptor_byte(b)) => f.write_str(text),
            _ => f.write_str(&quote(self.0)),
        }
    }
}
