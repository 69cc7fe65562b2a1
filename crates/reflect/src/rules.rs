//! What rules are written with: a call, what is at its arguments, and what it turns out to do.

use heliostat_index::Symbol;
use heliostat_program::{ClassId, Subtype, TypeId};
use heliostat_pta::facts::{AllocId, AllocKind};
use heliostat_pta::reflection::{Doing, ListenId, Listening, Mirror, Scene, Shape};

use crate::Reflect;
use crate::apis::reflected::Reflected;
use crate::reasons::{Clue, Reason, Rule};

/// A rule at work on a call.
pub(crate) struct Rules<'a, 's> {
    pub(crate) reflect: &'a mut Reflect,
    pub(crate) scene: &'a mut Scene<'s>,
    pub(crate) call: ListenId,
}

impl Rules<'_, '_> {
    /// The call.
    pub(crate) fn listening(&self) -> &Listening {
        &self.scene.facts.listening()[self.call]
    }

    /// What is at an argument of the call by now.
    pub(crate) fn at(&self, position: usize) -> Vec<AllocId> {
        self.scene.at(self.call, position)
    }

    fn kind(&self, object: AllocId) -> AllocKind {
        self.scene.facts.allocs()[object].kind
    }

    /// The string constants among objects. Those of the JDK count in the JDK only: programs name what they mean themselves.
    pub(crate) fn texts(&self, objects: &[AllocId]) -> Vec<Symbol> {
        let is_platform = self.caller().is_some_and(|caller| self.reflect.areas.is_platform(caller));
        let texts = objects.iter().filter_map(|&object| match self.kind(object) {
            AllocKind::String(text) => Some(text),
            AllocKind::LibraryString(text) if is_platform => Some(text),
            _ => None,
        });
        texts.collect()
    }

    /// The class that has the call.
    fn caller(&self) -> Option<ClassId> {
        let method = self.scene.facts.method(self.listening().code);
        method.map(|method| self.scene.program.methods()[method].class)
    }

    /// The types whose class objects are among objects, and that the call may well be about.
    pub(crate) fn types(&self, objects: &[AllocId]) -> Vec<TypeId> {
        let types = objects.iter().filter_map(|&object| match self.kind(object) {
            AllocKind::Class(ty) => Some(ty),
            _ => None,
        });
        types.filter(|&ty| self.may_mean(ty)).collect()
    }

    /// Whether the call may well be about a type.
    pub(crate) fn may_mean(&self, ty: TypeId) -> bool {
        let program = &*self.scene.program;
        let element = std::iter::successors(Some(ty), |&ty| program.types.element(ty)).last();
        match self.caller().zip(element.and_then(|element| program.class_of(element))) {
            Some((caller, class)) => self.reflect.areas.may_mean(program, caller, class),
            None => true,
        }
    }

    /// The classes whose class objects are among objects.
    pub(crate) fn classes(&self, objects: &[AllocId]) -> Vec<ClassId> {
        self.types(objects).into_iter().filter_map(|ty| self.scene.program.class_of(ty)).collect()
    }

    /// What objects of the reflection API among objects stand for.
    pub(crate) fn mirrors(&self, objects: &[AllocId]) -> Vec<Mirror> {
        let mirrors = objects.iter().filter_map(|&object| match self.kind(object) {
            AllocKind::Mirror(mirror) => Some(mirror),
            _ => None,
        });
        mirrors.filter(|&mirror| self.may_mean(self.owner(mirror))).collect()
    }

    /// The type that declares a member.
    fn owner(&self, mirror: Mirror) -> TypeId {
        let program = &*self.scene.program;
        match mirror {
            Mirror::Method(method) | Mirror::Constructor(method) => program.owner(method),
            Mirror::Field(field) => program.classes()[program.fields()[field].class].ty,
        }
    }

    /// The types whose class objects are receivers, each with the strings that are first arguments, as far as a pair is new because
    /// of these objects at one of the two.
    pub(crate) fn types_and_texts(&self, position: usize, objects: &[AllocId]) -> Vec<(TypeId, Symbol)> {
        let at = |number: usize| if number == position { objects.to_vec() } else { self.at(number) };
        let texts = self.texts(&at(1));
        self.types(&at(0)).into_iter().flat_map(|ty| texts.iter().map(move |&text| (ty, text))).collect()
    }

    /// What is known of an argument of the call before anything is analysed.
    pub(crate) fn shape(&self, position: usize) -> &Shape {
        self.listening().shapes.get(position).unwrap_or(&Shape::Unknown)
    }

    /// Whether the result of the call may be of a type: it is cast to another one at once, which does not fail.
    pub(crate) fn may_give(&self, ty: TypeId) -> bool {
        let cast = self.listening().cast;
        cast.is_none_or(|cast| self.scene.program.subtype(ty, cast) != Subtype::No)
    }

    /// The same for what is declared to be of a type: it may be of a subtype.
    pub(crate) fn may_give_declared(&self, ty: TypeId) -> bool {
        let is_reference = self.scene.program.types.is_reference(ty);
        let cast = self.listening().cast.filter(|_| is_reference);
        self.may_give(ty)
            || cast.is_some_and(|cast| {
                self.scene.program.subtype(cast, ty) != Subtype::No
                    || self.is_interface(cast)
                    || self.is_interface(ty)
            })
            || !is_reference
    }

    fn is_interface(&self, ty: TypeId) -> bool {
        let program = &*self.scene.program;
        program.class_of(ty).is_some_and(|class| program.classes()[class].flags.is_interface())
    }

    /// The call does something, for a reason.
    pub(crate) fn does(&mut self, doing: Doing, rule: Rule, clues: [Option<Clue>; 2]) {
        let order = self.reflect.reasons.len() as u32;
        let reason = Reason { rule, clues, order };
        self.reflect.reasons.entry((self.call, doing)).or_insert(reason);
        self.scene.does(self.call, doing);
    }

    /// The call gives the class object of a type.
    pub(crate) fn gives_class(&mut self, ty: TypeId, rule: Rule, clue: Clue) {
        let object = self.scene.alloc(AllocKind::Class(ty), TypeId::CLASS);
        self.does(Doing::Give(object), rule, [Some(clue), None]);
    }

    /// The call gives the object that stands for something.
    pub(crate) fn gives_mirror(&mut self, mirror: Mirror, rule: Rule, clues: [Option<Clue>; 2]) {
        let class = match mirror {
            Mirror::Method(_) => "java/lang/reflect/Method",
            Mirror::Constructor(_) => "java/lang/reflect/Constructor",
            Mirror::Field(_) => "java/lang/reflect/Field",
        };
        let Some(class) = self.scene.program.find_class(class) else { return };
        let ty = self.scene.program.classes()[class].ty;
        let object = self.scene.alloc(AllocKind::Mirror(mirror), ty);
        self.does(Doing::Give(object), rule, clues);
    }

    /// The call runs code that is made up for it.
    pub(crate) fn runs(&mut self, what: Reflected, rule: Rule, clue: Clue) {
        let what = self.reflect.reflected.intern(what);
        self.does(Doing::Run(what), rule, [Some(clue), None]);
    }
}
