//! Parsing.

use heliostat_classfile::{LineNumber, Operator};
use heliostat_index::{Id, IdVec, PackedOption};
use heliostat_program::{
    Constant, DescriptorId, Dynamic, DynamicId, DynamicType, FieldRefId, Handle, HandleKind, HandleMember,
    MethodId, MethodRefId, Program, Selector, TypeId,
};

use super::cursor::{Cursor, Parsed};
use super::{CONDITIONS, ELEMENTS, ParseError};
use crate::body::list_preds;
use crate::{
    Block, BlockData, Body, CallKind, Catcher, Definition, Inst, InstData, Op, Pred, SwitchTable, Test,
    Value, ValueData,
};

/// Reads the text form of a body. The method must be one of the program's; types and members that the
/// program has not seen yet are added to it. The result is not verified.
pub fn parse(program: &mut Program, text: &str) -> Result<Body, ParseError> {
    let mut parser = Parser { program, cursor: Cursor::new(text), lines: Vec::new() };
    parser.body()
}

struct Parser<'a> {
    program: &'a mut Program,
    cursor: Cursor<'a>,
    lines: Vec<LineNumber>,
}

impl Parser<'_> {
    fn body(&mut self) -> Parsed<Body> {
        if !self.cursor.next_line() {
            return self.cursor.error("expected a method");
        }
        let method = self.header()?;
        let mut body = Body {
            method,
            values: IdVec::new(),
            insts: IdVec::new(),
            blocks: IdVec::new(),
            switches: IdVec::new(),
            params: 0,
            args: Vec::new(),
            preds: Vec::new(),
            catchers: Vec::new(),
            lines: Vec::new(),
        };
        while self.cursor.next_line() {
            if self.cursor.eat("}") {
                self.cursor.end()?;
                return self.finish(body);
            } else if self.cursor.eat("params ") {
                self.params(&mut body)?;
            } else if self.cursor.eat("@") {
                self.inst(&mut body)?;
            } else {
                self.block(&mut body)?;
            }
        }
        self.cursor.error("expected `}`")
    }

    fn finish(&mut self, mut body: Body) -> Parsed<Body> {
        let blocks = body.blocks.len();
        let targets = body.block_ids().flat_map(|b| body.successors(b));
        let landings = body.catchers.iter().map(|c| c.block);
        if targets.chain(landings).any(|to| to.index() >= blocks) {
            return self.cursor.error("a block is named that is not there");
        }
        if body.args.iter().any(|v| v.index() >= body.values.len()) {
            return self.cursor.error("a value is used that is not there");
        }
        let mut edges = Vec::new();
        for block in body.block_ids() {
            edges.extend(
                body.successors(block).into_iter().map(|to| (to, Pred { block, exceptional: false })),
            );
            edges.extend(body.catchers(block).iter().map(|c| (c.block, Pred { block, exceptional: true })));
        }
        let (preds, ranges) = list_preds(edges, blocks);
        for (block, range) in body.blocks.values_mut().zip(ranges) {
            block.preds = range;
        }
        body.preds = preds;
        self.lines.sort_by_key(|l| l.start);
        self.lines.dedup();
        body.lines = std::mem::take(&mut self.lines);
        Ok(body)
    }

    fn header(&mut self) -> Parsed<MethodId> {
        self.cursor.expect("method ")?;
        let owner = self.ty()?;
        self.cursor.expect(".")?;
        let name = self.cursor.name()?;
        let descriptor = self.method_type()?;
        self.cursor.expect("{")?;
        let name = self.program.symbols.intern(&name);
        let selector = self.program.find_selector_id(Selector { name, descriptor });
        let class = self.program.class_of(owner);
        match class.zip(selector).and_then(|(class, selector)| self.program.declared_method(class, selector))
        {
            Some(method) => Ok(method),
            None => self.cursor.error("the program has no such method"),
        }
    }

    fn params(&mut self, body: &mut Body) -> Parsed<()> {
        loop {
            self.new_value(body, Definition::Param(body.params))?;
            body.params += 1;
            if !self.cursor.eat(",") {
                return self.cursor.end();
            }
        }
    }

    /// `v3: T`, which must be the next value.
    fn new_value(&mut self, body: &mut Body, definition: Definition) -> Parsed<Value> {
        let number = self.cursor.id("v")?;
        self.cursor.expect(":")?;
        let ty = self.ty()?;
        if number as usize != body.values.len() {
            return self.cursor.error("values are numbered in order");
        }
        Ok(body.values.push(ValueData { ty, definition }))
    }

    fn block(&mut self, body: &mut Body) -> Parsed<()> {
        let number = self.cursor.id("b")?;
        self.cursor.expect(":")?;
        if number as usize != body.blocks.len() {
            return self.cursor.error("blocks are numbered in order");
        }
        let start = body.catchers.len() as u32;
        if self.cursor.eat("catch (") {
            loop {
                let ty = if self.cursor.eat("*") { None } else { Some(self.ty()?) };
                body.catchers.push(Catcher { block: self.target()?, ty: ty.into() });
                if !self.cursor.eat(",") {
                    break;
                }
            }
            self.cursor.expect(")")?;
        }
        self.cursor.end()?;
        let next = body.insts.next_id();
        let catchers = start..body.catchers.len() as u32;
        body.blocks.push(BlockData { insts: next..next, preds: 0..0, catchers });
        Ok(())
    }

    fn inst(&mut self, body: &mut Body) -> Parsed<()> {
        let offset = self.cursor.number("a bytecode offset")?;
        if self.cursor.eat("L") {
            let line = self.cursor.number("a line")?;
            self.lines.push(LineNumber { start: offset, line });
        }
        let inst = body.insts.next_id();
        let result = if self.cursor.sees_value() { Some(self.result(body, inst)?) } else { None };
        let start = body.args.len() as u32;
        let op = self.op(body)?;
        self.cursor.end()?;
        let args = (start, body.args.len() as u32 - start);
        body.insts.push(InstData { op, result: PackedOption::from(result), offset, args });
        match body.blocks.values_mut().next_back() {
            Some(block) => block.insts.end = body.insts.next_id(),
            None => return self.cursor.error("expected a block"),
        }
        Ok(())
    }

    fn result(&mut self, body: &mut Body, inst: Inst) -> Parsed<Value> {
        let value = self.new_value(body, Definition::Inst(inst))?;
        self.cursor.expect("=")?;
        Ok(value)
    }

    fn op(&mut self, body: &mut Body) -> Parsed<Op> {
        let name = self.cursor.word();
        let op = match name {
            "phi" => return self.phi(body),
            "if" => return self.branch(body),
            "switch" => return self.switch(body),
            "call" => self.call()?,
            "catch" => Op::Catch,
            "const" => return Ok(Op::Const(self.constant()?)),
            "new" => Op::New(self.ty()?),
            "newarray" => Op::NewArray(self.ty()?),
            "multinewarray" => Op::NewMultiArray(self.ty()?),
            "getfield" => Op::GetField(self.field_ref()?),
            "putfield" => Op::PutField(self.field_ref()?),
            "getstatic" => Op::GetStatic(self.field_ref()?),
            "putstatic" => Op::PutStatic(self.field_ref()?),
            "arrayload" => Op::ArrayLoad(self.keyword(&ELEMENTS, "an element kind")?),
            "arraystore" => Op::ArrayStore(self.keyword(&ELEMENTS, "an element kind")?),
            "arraylength" => Op::ArrayLength,
            "checkcast" => Op::CheckCast(self.ty()?),
            "instanceof" => Op::InstanceOf(self.ty()?),
            "monitorenter" => Op::MonitorEnter,
            "monitorexit" => Op::MonitorExit,
            "goto" => return Ok(Op::Goto(self.target()?)),
            "return" => Op::Return,
            "throw" => Op::Throw,
            _ => match Operator::named(name) {
                Some(operator) => Op::Compute(operator),
                None => return self.cursor.error(format!("unknown operation `{name}`")),
            },
        };
        if !self.cursor.at_end() {
            self.args(body)?;
        }
        Ok(op)
    }

    fn args(&mut self, body: &mut Body) -> Parsed<()> {
        loop {
            let value = self.value()?;
            body.args.push(value);
            if !self.cursor.eat(",") {
                return Ok(());
            }
        }
    }

    fn value(&mut self) -> Parsed<Value> {
        self.cursor.id("v").map(Value::from_u32)
    }

    fn target(&mut self) -> Parsed<Block> {
        self.cursor.id("b").map(Block::from_u32)
    }

    fn keyword<K: Copy>(&mut self, table: &[(K, &str)], what: &str) -> Parsed<K> {
        let word = self.cursor.word();
        match table.iter().find(|(_, w)| *w == word) {
            Some((key, _)) => Ok(*key),
            None => self.cursor.error(format!("expected {what}, found `{word}`")),
        }
    }

    /// The blocks that the operands come from are told by the edges already, hence only checked for form.
    fn phi(&mut self, body: &mut Body) -> Parsed<Op> {
        loop {
            self.cursor.eat("!");
            self.target()?;
            let value = self.value()?;
            body.args.push(value);
            if !self.cursor.eat(",") {
                return Ok(Op::Phi);
            }
        }
    }

    fn branch(&mut self, body: &mut Body) -> Parsed<Op> {
        let is_ref = match self.cursor.word() {
            "int" => false,
            "ref" => true,
            other => return self.cursor.error(format!("expected `int` or `ref`, found `{other}`")),
        };
        let left = self.value()?;
        body.args.push(left);
        let condition = self.keyword(&CONDITIONS, "a comparison")?;
        let test = if !is_ref && self.cursor.eat("0") {
            Test::Zero(condition)
        } else if is_ref && self.cursor.eat("null") {
            Test::Null(condition)
        } else {
            let right = self.value()?;
            body.args.push(right);
            if is_ref { Test::Ref(condition) } else { Test::Int(condition) }
        };
        self.cursor.expect("then")?;
        let then = self.target()?;
        self.cursor.expect("else")?;
        Ok(Op::If(test, then, self.target()?))
    }

    fn switch(&mut self, body: &mut Body) -> Parsed<Op> {
        let key = self.value()?;
        body.args.push(key);
        self.cursor.expect("{")?;
        let mut cases = Vec::new();
        while !self.cursor.eat("}") {
            let key = self.cursor.number("a case")?;
            self.cursor.expect(":")?;
            cases.push((key, self.target()?));
            self.cursor.eat(",");
        }
        self.cursor.expect("else")?;
        let default = self.target()?;
        Ok(Op::Switch(body.switches.push(SwitchTable { default, cases })))
    }

    fn call(&mut self) -> Parsed<Op> {
        let word = self.cursor.word();
        if word == "dynamic" {
            return Ok(Op::CallDynamic(self.dynamic()?));
        }
        match CallKind::ALL.into_iter().find(|k| k.name() == word) {
            Some(kind) => Ok(Op::Call(kind, self.method_ref()?)),
            None => self.cursor.error(format!("unknown kind of call `{word}`")),
        }
    }

    fn constant(&mut self) -> Parsed<Constant> {
        let word = self.cursor.word();
        Ok(match word {
            "null" => Constant::Null,
            "int" => Constant::Int(self.cursor.number("an int")?),
            "long" => Constant::Long(self.cursor.number("a long")?),
            "float" => {
                Constant::Float(self.floating(|x: f32| x.to_bits(), |bits| u32::from_str_radix(bits, 16))?)
            }
            "double" => {
                Constant::Double(self.floating(|x: f64| x.to_bits(), |bits| u64::from_str_radix(bits, 16))?)
            }
            "string" => {
                let text = self.cursor.quoted()?;
                Constant::String(self.program.symbols.intern(&text))
            }
            "class" => Constant::Class(self.ty()?),
            "handle" => {
                let handle = self.handle()?;
                Constant::Handle(self.program.intern_handle(handle))
            }
            "methodtype" => Constant::MethodType(self.method_type()?),
            "dynamic" => Constant::Dynamic(self.dynamic()?),
            _ => return self.cursor.error(format!("unknown constant `{word}`")),
        })
    }

    fn floating<T: std::str::FromStr, B, E>(
        &mut self,
        to_bits: impl Fn(T) -> B,
        of_bits: impl Fn(&str) -> Result<B, E>,
    ) -> Parsed<B> {
        let text = self.cursor.until_space();
        let parsed = match text.strip_prefix("NaN:") {
            Some(bits) => of_bits(bits).ok(),
            None => text.parse().ok().map(to_bits),
        };
        parsed.map_or_else(|| self.cursor.error(format!("expected a number, found `{text}`")), Ok)
    }

    fn handle(&mut self) -> Parsed<Handle> {
        let word = self.cursor.word();
        let Some(kind) = HandleKind::ALL.into_iter().find(|k| k.name() == word) else {
            return self.cursor.error(format!("unknown kind of handle `{word}`"));
        };
        let is_field = matches!(
            kind,
            HandleKind::GetField | HandleKind::GetStatic | HandleKind::PutField | HandleKind::PutStatic
        );
        let member = if is_field {
            HandleMember::Field(self.field_ref()?)
        } else {
            HandleMember::Method(self.method_ref()?)
        };
        Ok(Handle { kind, member })
    }

    fn dynamic(&mut self) -> Parsed<DynamicId> {
        let name = self.cursor.name()?;
        let ty = if self.cursor.eat(":") {
            DynamicType::Constant(self.ty()?)
        } else {
            DynamicType::Call(self.method_type()?)
        };
        self.cursor.expect("bootstrap")?;
        let bootstrap = self.cursor.number("a bootstrap row")?;
        self.cursor.expect("of")?;
        let owner = self.ty()?;
        let Some(class) = self.program.class_of(owner) else {
            return self.cursor.error("the program has no such class");
        };
        let name = self.program.symbols.intern(&name);
        Ok(self.program.intern_dynamic(Dynamic { class, bootstrap, name, ty }))
    }

    fn field_ref(&mut self) -> Parsed<FieldRefId> {
        let owner = self.ty()?;
        self.cursor.expect(".")?;
        let name = self.cursor.name()?;
        self.cursor.expect(":")?;
        let descriptor = self.cursor.descriptor()?;
        match self.program.intern_field_ref(owner, &name, &descriptor) {
            Some(id) => Ok(id),
            None => self.cursor.error("malformed descriptor"),
        }
    }

    fn method_ref(&mut self) -> Parsed<MethodRefId> {
        let interface = self.cursor.eat("(interface)");
        let owner = self.ty()?;
        self.cursor.expect(".")?;
        let name = self.cursor.name()?;
        let descriptor = self.cursor.descriptor()?;
        match self.program.intern_method_ref(owner, &name, &descriptor, interface) {
            Some(id) => Ok(id),
            None => self.cursor.error("malformed descriptor"),
        }
    }

    fn method_type(&mut self) -> Parsed<DescriptorId> {
        let text = self.cursor.descriptor()?;
        match self.program.intern_descriptor(&text) {
            Some(id) => Ok(id),
            None => self.cursor.error("malformed descriptor"),
        }
    }

    fn ty(&mut self) -> Parsed<TypeId> {
        let text = self.cursor.descriptor()?;
        if text == b"null" {
            return Ok(TypeId::NULL);
        }
        match self.program.intern_descriptor_type(&text) {
            Some(ty) => Ok(ty),
            None => self.cursor.error("malformed descriptor"),
        }
    }
}
