//! Parsing.

mod constants;

use heliostat_classfile::{LineNumber, Operator};
use heliostat_index::{Id, IdVec, Ids, PackedOption};
use heliostat_program::{MethodId, Program, Selector};

use super::cursor::{Cursor, Parsed};
use super::{CONDITIONS, ELEMENTS, FLAGS, ParseError, calls_interface};
use crate::body::list_preds;
use crate::{
    Block, BlockData, Body, CallKind, Catcher, Definition, Inst, InstData, Op, SwitchTable, Test, Value,
    ValueData,
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
        if blocks == 0 {
            return self.cursor.error("expected a block");
        }
        let targets = body.block_ids().flat_map(|b| body.successors(b));
        let landings = body.catchers.iter().map(|c| c.block);
        if targets.chain(landings).any(|to| to.index() >= blocks) {
            return self.cursor.error("a block is named that is not there");
        }
        if body.args.iter().any(|v| v.index() >= body.values.len()) {
            return self.cursor.error("a value is used that is not there");
        }
        let (preds, ranges) = list_preds(body.implied_edges(), blocks);
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
        let present = FLAGS.iter().filter(|(_, word)| self.cursor.eat(word));
        let flags = present.fold(0, |all, (flag, _)| all | flag.0);
        let owner = self.ty()?;
        self.cursor.expect(".")?;
        let name = self.cursor.name()?;
        let descriptor = self.method_type()?;
        self.cursor.expect("{")?;
        let name = self.program.symbols.intern(&name);
        let selector = self.program.find_selector_id(Selector { name, descriptor });
        let class = self.program.class_of(owner);
        let Some((class, selector)) = class.zip(selector) else {
            return self.cursor.error("the program has no such method");
        };
        // A damaged class may have several; those that differ in their flags are told apart.
        let methods = self.program.methods();
        let mut named = Ids::between(self.program.classes()[class].methods.clone())
            .filter(|&m| methods[m].selector == selector)
            .peekable();
        if named.peek().is_none() {
            return self.cursor.error("the program has no such method");
        }
        match named.find(|&m| methods[m].flags.0 & all_flags() == flags) {
            Some(method) => Ok(method),
            None => self.cursor.error("the program's method has other flags"),
        }
    }

    fn params(&mut self, body: &mut Body) -> Parsed<()> {
        loop {
            // JVMS 4.3.3.
            if body.params == 255 {
                return self.cursor.error("more than 255 parameters");
            }
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
            Some(kind) => Ok(Op::Call(kind, self.method_ref(calls_interface(kind))?)),
            None => self.cursor.error(format!("unknown kind of call `{word}`")),
        }
    }
}

fn all_flags() -> u16 {
    FLAGS.iter().fold(0, |all, (flag, _)| all | flag.0)
}
