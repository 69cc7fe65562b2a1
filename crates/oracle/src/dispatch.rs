//! Which code a call runs on an object.

use heliostat_index::FastMap;
use heliostat_program::{MethodId, Subtype, TypeId};
use heliostat_pta::facts::{AllocId, Callee, CodeId, Facts, Lambda, MadeUp};

use crate::world::{Obj, What, World};

/// What was selected before, for calls of a method on what an allocation site makes.
pub(crate) type Answers = FastMap<(MethodId, AllocId), Option<CodeId>>;

impl World<'_> {
    /// The code that a call runs on an object.
    pub(crate) fn selected(&self, callee: Callee, receiver: Obj) -> Option<CodeId> {
        let resolved = match callee {
            Callee::Fixed(code) | Callee::Inlined(code) => return Some(code),
            Callee::Virtual(resolved) => resolved,
            Callee::Asked(_) => return None,
        };
        let key = (resolved, self.object_of(receiver).0);
        if let Some(&known) = self.answers.borrow().get(&key) {
            return known;
        }
        let code = match self.what(receiver) {
            // `invokeinterface` on an object that is none of the interface is an error; the verifier keeps others away.
            What::Of(_) | What::Lambda(_)
                if self.is_of(receiver, self.program.owner(resolved)) == Subtype::No =>
            {
                None
            }
            What::Of(ty) => self.method_of(ty, resolved),
            What::Lambda(lambda) => self.method_of_lambda(lambda, resolved),
            What::Handle(handle) if self.is_invocation(resolved) => self.code_of(MadeUp::Handle(handle)),
            What::Handle(_) => self.method_of(self.handle_class(), resolved),
        };
        self.answers.borrow_mut().insert(key, code);
        code
    }

    fn method_of(&self, ty: TypeId, resolved: MethodId) -> Option<CodeId> {
        self.program.select(ty, resolved).method().map(Facts::code)
    }

    /// A lambda's class is made at run time: below `Object`, with the interfaces that were asked for, and with the adapter as
    /// its only method, unless bridges were asked for too.
    fn method_of_lambda(&self, lambda: &Lambda, resolved: MethodId) -> Option<CodeId> {
        let method = &self.program.methods()[resolved];
        let selector = self.program.selector(method.selector);
        if (selector.name, selector.descriptor) == (lambda.name, lambda.erased) {
            return Some(lambda.adapter);
        }
        let object = self.program.class_of(TypeId::OBJECT)?;
        if let Some(inherited) = self.program.declared_method(object, method.selector) {
            return Some(Facts::code(inherited));
        }
        let default = lambda.interfaces.iter().find_map(|&interface| self.method_of(interface, resolved));
        default.or_else(|| self.is_bridged(lambda, resolved).then_some(lambda.adapter))
    }

    /// Whether a method that nothing implements is the functional method with other types, as it may be declared above the
    /// interface: bridges are asked for so that there are no such.
    fn is_bridged(&self, lambda: &Lambda, resolved: MethodId) -> bool {
        let selector = self.program.selector(self.program.methods()[resolved].selector);
        let parameters = |descriptor| self.program.method_type(descriptor).parameters.len();
        selector.name == lambda.name && parameters(selector.descriptor) == parameters(lambda.erased)
    }

    /// Whether a method of `MethodHandle` runs what the handle stands for.
    fn is_invocation(&self, method: MethodId) -> bool {
        let data = &self.program.methods()[method];
        let name = self.program.symbols.bytes(self.program.selector(data.selector).name);
        data.flags.is_native() && [&b"invoke"[..], b"invokeExact", b"invokeBasic"].contains(&name)
    }

    /// The class of method handle constants.
    fn handle_class(&self) -> TypeId {
        let class = self.program.find_class("java/lang/invoke/DirectMethodHandle");
        class.map_or(TypeId::METHOD_HANDLE, |class| self.program.classes()[class].ty)
    }
}
