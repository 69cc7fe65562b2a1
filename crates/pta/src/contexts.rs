//! What tells two calls of one method apart, and two objects of one allocation site.

use heliostat_index::{FastMap, IdVec, Interner, id};
use heliostat_program::TypeId;
use smallvec::SmallVec;

use crate::facts::{AllocId, SiteId};

id! {
    /// A context: a short list of elements, the latest last. The first is the empty one.
    pub struct ContextId = "ctx";
}

impl ContextId {
    /// The context that tells nothing apart.
    pub const EMPTY: Self = Self::from_u32(0);
}

/// A part of a context.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ContextElement {
    /// A call site on the way.
    Site(SiteId),
    /// The allocation site of a receiver.
    Object(AllocId),
    /// The class in which a receiver was allocated.
    Type(TypeId),
}

/// What contexts are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Nothing: context-insensitive.
    Insensitive,
    /// Call sites (k-CFA).
    CallSite,
    /// Receiver objects.
    Object,
    /// The classes that allocate receivers.
    Type,
    /// Receiver objects, and the call site for static calls (Kastrinis and Smaragdakis, PLDI 2013).
    Hybrid,
}

/// A kind of context with its depths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flavour {
    /// What contexts are made of.
    pub kind: Kind,
    /// How many elements a method's context has at most.
    pub depth: usize,
    /// How many elements an object's context has at most.
    pub heap: usize,
}

impl Flavour {
    /// Context-insensitive.
    pub const INSENSITIVE: Self = Self { kind: Kind::Insensitive, depth: 0, heap: 0 };

    /// Whether the context of a call depends on its receiver object.
    pub fn looks_at_receivers(self) -> bool {
        matches!(self.kind, Kind::Object | Kind::Type | Kind::Hybrid)
    }

    /// Whether the contexts of two receiver objects are never the same: nothing of the longest context is cut off.
    pub(crate) fn tells_receivers_apart(self) -> bool {
        matches!(self.kind, Kind::Object | Kind::Hybrid) && self.heap < self.depth
    }
}

type Elements = SmallVec<[ContextElement; 3]>;

/// All contexts, and the rules that make new ones of old ones.
pub(crate) struct Contexts {
    flavour: Flavour,
    all: Interner<ContextId, Elements>,
    /// What [`Self::append`] has answered.
    appended: FastMap<(ContextId, ContextElement), ContextId>,
    /// The heap context that a method's context gives, once asked.
    heap: IdVec<ContextId, Option<ContextId>>,
}

impl Contexts {
    pub(crate) fn new(flavour: Flavour) -> Self {
        let mut all = Interner::new();
        all.intern(Elements::new());
        Self { flavour, all, appended: FastMap::default(), heap: IdVec::new() }
    }

    pub(crate) fn flavour(&self) -> Flavour {
        self.flavour
    }

    pub(crate) fn len(&self) -> usize {
        self.all.values().len()
    }

    /// The elements of a context, the latest last.
    pub(crate) fn elements(&self, context: ContextId) -> &[ContextElement] {
        &self.all.values()[context]
    }

    /// The context of a method that a call without receiver runs, or one whose receiver does not matter.
    pub(crate) fn of_call(&mut self, caller: ContextId, site: SiteId) -> ContextId {
        match self.flavour.kind {
            Kind::Insensitive => ContextId::EMPTY,
            Kind::CallSite => self.append(caller, ContextElement::Site(site)),
            Kind::Object | Kind::Type => caller,
            Kind::Hybrid => {
                let mut elements: Elements = self.objects_of(caller).collect();
                elements.push(ContextElement::Site(site));
                self.all.intern(elements)
            }
        }
    }

    /// The context of a method that runs on this receiver: the receiver's own, and the receiver.
    pub(crate) fn of_receiver(&mut self, heap: ContextId, receiver: ContextElement) -> ContextId {
        self.append(heap, receiver)
    }

    /// The context of an object that is allocated in this context.
    pub(crate) fn of_object(&mut self, method: ContextId) -> ContextId {
        if self.flavour.heap == 0 || method == ContextId::EMPTY {
            return ContextId::EMPTY;
        }
        while self.heap.len() < self.all.values().len() {
            self.heap.push(None);
        }
        if let Some(known) = self.heap[method] {
            return known;
        }
        let elements: Elements = match self.flavour.kind {
            Kind::Hybrid => self.objects_of(method).collect(),
            Kind::Insensitive | Kind::CallSite | Kind::Object | Kind::Type => {
                self.all.values()[method].clone()
            }
        };
        let context = self.all.intern(latest(&elements, self.flavour.heap));
        self.heap[method] = Some(context);
        context
    }

    /// The same, read only; none if nothing was allocated in this context.
    pub(crate) fn known_of_object(&self, method: ContextId) -> Option<ContextId> {
        if self.flavour.heap == 0 || method == ContextId::EMPTY {
            return Some(ContextId::EMPTY);
        }
        self.heap.get(method).copied().flatten()
    }

    fn objects_of(&self, context: ContextId) -> impl Iterator<Item = ContextElement> + '_ {
        self.elements(context).iter().copied().filter(|e| !matches!(e, ContextElement::Site(_)))
    }

    fn append(&mut self, context: ContextId, element: ContextElement) -> ContextId {
        if let Some(&known) = self.appended.get(&(context, element)) {
            return known;
        }
        let mut elements = self.all.values()[context].clone();
        elements.push(element);
        let longer = self.all.intern(latest(&elements, self.flavour.depth));
        self.appended.insert((context, element), longer);
        longer
    }
}

fn latest(elements: &[ContextElement], count: usize) -> Elements {
    elements[elements.len().saturating_sub(count)..].into()
}
