//! Calls that somebody listens to, with what is known of their arguments before anything is analysed.

use heliostat_classfile::ElementKind;
use heliostat_index::PackedOption;
use heliostat_ir::{Inst, Op, Value};
use heliostat_program::{Constant, FieldRefId, MethodId, TypeId};

use super::Extractor;
use super::writer::{NewCall, Writer};
use crate::facts::{Stmt, Var};
use crate::reflection::{Element, Listening, Shape};

/// The longest array whose elements are told apart: no method has more parameters.
const LONGEST: i32 = 255;

/// What is known of a call before anything is analysed.
#[derive(Default)]
pub(super) struct Known {
    shapes: Box<[Shape]>,
    cast: Option<TypeId>,
}

impl Writer<'_> {
    /// Whether somebody tells the result of a call. Besides, it is something of which nothing is known.
    pub(super) fn tells_result(&mut self, called: MethodId, call: &NewCall<'_>) -> bool {
        let listened = self.facts.listened.get(&called);
        let Some(to) = call.result.filter(|_| listened.is_some_and(|listened| listened.gives)) else {
            return false;
        };
        let descriptor = self.program.selector(self.program.methods()[called].selector).descriptor;
        self.jvm_object(to, self.program.method_type(descriptor).result);
        true
    }

    /// Lets somebody listen to a call, if anybody wants to.
    pub(super) fn listen(&mut self, called: MethodId, call: &NewCall<'_>, known: Known) {
        let Some(&listened) = self.facts.listened.get(&called) else { return };
        let receiver = call.receiver.map(PackedOption::from);
        let listening = Listening {
            code: self.code,
            offset: call.offset,
            api: listened.api,
            called,
            args: receiver.into_iter().chain(call.args.iter().copied()).collect(),
            shapes: known.shapes,
            result: call.result.into(),
            cast: known.cast,
            thrown: call.thrown.into(),
        };
        let args = listening.args.clone();
        let call = self.facts.listening.push(listening);
        for &position in listened.positions {
            if let Some(var) = args.get(position).and_then(|arg| arg.expand()) {
                self.push(Stmt::Listen { call, position: position as u32, var });
            }
        }
    }
}

impl Extractor<'_> {
    /// Lets somebody listen to a call of the bytecode.
    pub(super) fn listen(&mut self, inst: Inst, called: MethodId, call: &NewCall<'_>) {
        if self.writer.facts.listened.contains_key(&called) {
            let shapes = self.body.args(inst).iter().map(|&arg| self.shape(inst, arg)).collect();
            self.writer.listen(called, call, Known { shapes, cast: self.cast_of(inst) });
        }
    }

    /// The type that a result is cast to, if nothing else is done with it.
    fn cast_of(&self, call: Inst) -> Option<TypeId> {
        let result = self.body.insts[call].result.expand()?;
        let mut uses = self.body.insts.ids().filter(|&inst| self.body.args(inst).contains(&result));
        let cast = match self.body.insts[uses.next()?].op {
            Op::CheckCast(ty) => Some(ty),
            _ => None,
        };
        cast.filter(|_| uses.next().is_none())
    }

    fn shape(&self, call: Inst, arg: Value) -> Shape {
        if self.is_null(arg) {
            return Shape::Null;
        }
        if let Some(number) = self.body.int_constant(arg) {
            return Shape::Int(number);
        }
        self.array(call, arg).map_or(Shape::Unknown, Shape::Array)
    }

    /// The elements of a new array of known length that is only filled, here, and given to a call.
    fn array(&self, call: Inst, array: Value) -> Option<Box<[Element]>> {
        let (new, Op::NewArray(_)) = self.body.def(array)? else { return None };
        let length = self.body.int_constant(*self.body.args(new).first()?)?;
        let length = usize::try_from(length.min(LONGEST)).ok()?;
        let mut elements = vec![Element::Null; length];
        let mut is_filled = vec![false; length];
        for inst in self.body.insts.ids().filter(|&inst| inst != call) {
            let args = self.body.args(inst);
            if !args.contains(&array) {
                continue;
            }
            let (Op::ArrayStore(ElementKind::Ref), &[base, index, value]) = (self.body.insts[inst].op, args)
            else {
                return None;
            };
            let index = usize::try_from(self.body.int_constant(index)?).ok()?;
            if base != array || value == array || index >= length {
                return None;
            }
            let again = std::mem::replace(&mut is_filled[index], true);
            elements[index] = if again { Element::Unknown } else { self.element(value) };
        }
        Some(elements.into())
    }

    fn element(&self, value: Value) -> Element {
        if self.is_null(value) {
            return Element::Null;
        }
        let class = match self.body.def(value) {
            Some((_, Op::Const(Constant::Class(ty)))) => Some(ty),
            Some((_, Op::GetStatic(field))) => self.primitive_class(field),
            _ => None,
        };
        let var: Option<Var> = self.var(value).expand();
        class.map_or_else(|| var.map_or(Element::Unknown, Element::Var), Element::Class)
    }

    /// The type whose class object a field of a box holds, as `Integer.TYPE`.
    fn primitive_class(&self, field: FieldRefId) -> Option<TypeId> {
        let field = self.program.field_ref(field);
        if self.program.symbols.bytes(field.name) != b"TYPE" {
            return None;
        }
        Some(match self.program.symbols.bytes(self.program.types.name(field.owner)) {
            b"java/lang/Boolean" => TypeId::BOOLEAN,
            b"java/lang/Byte" => TypeId::BYTE,
            b"java/lang/Character" => TypeId::CHAR,
            b"java/lang/Short" => TypeId::SHORT,
            b"java/lang/Integer" => TypeId::INT,
            b"java/lang/Long" => TypeId::LONG,
            b"java/lang/Float" => TypeId::FLOAT,
            b"java/lang/Double" => TypeId::DOUBLE,
            b"java/lang/Void" => TypeId::VOID,
            _ => return None,
        })
    }
}
