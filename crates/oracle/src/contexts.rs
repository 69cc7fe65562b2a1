//! Contexts: lists of call sites, allocation sites or types, the latest last.

use std::cell::RefCell;

use heliostat_index::{Interner, id};
use heliostat_pta::facts::SiteId;
use heliostat_pta::{ContextElement, Flavour, Kind};

id! {
    /// A context.
    pub(crate) struct Ctx = "ctx";
}

impl Ctx {
    /// The context that tells nothing apart.
    pub(crate) const EMPTY: Self = Self::from_u32(0);
}

/// All contexts, and what a flavour makes of them.
pub(crate) struct Contexts {
    flavour: Flavour,
    all: RefCell<Interner<Ctx, Vec<ContextElement>>>,
}

impl Contexts {
    pub(crate) fn new(flavour: Flavour) -> Self {
        let contexts = Self { flavour, all: RefCell::default() };
        contexts.of(Vec::new());
        contexts
    }

    /// The context of these elements.
    pub(crate) fn of(&self, elements: Vec<ContextElement>) -> Ctx {
        self.all.borrow_mut().intern(elements)
    }

    /// The elements of a context.
    pub(crate) fn elements(&self, context: Ctx) -> Vec<ContextElement> {
        self.all.borrow().values()[context].clone()
    }

    /// Whether the context of a call on an object depends on the object.
    pub(crate) fn depend_on_receivers(&self) -> bool {
        match self.flavour.kind {
            Kind::Insensitive | Kind::CallSite => false,
            Kind::Object | Kind::Type | Kind::Hybrid => true,
        }
    }

    /// Whether receivers are told apart by the type that allocates them.
    pub(crate) fn are_of_types(&self) -> bool {
        self.flavour.kind == Kind::Type
    }

    /// Doop's `MergeStatic`, and `Merge` where receivers do not matter: the context in which a site's call runs.
    pub(crate) fn of_call(&self, caller: Ctx, site: SiteId) -> Ctx {
        let site = ContextElement::Site(site);
        match self.flavour.kind {
            Kind::Insensitive => Ctx::EMPTY,
            Kind::CallSite => self.latest(self.followed_by(caller, site), self.flavour.depth),
            Kind::Object | Kind::Type => caller,
            Kind::Hybrid => {
                let without_sites = self.of(self.without_sites(caller));
                self.of(self.followed_by(without_sites, site))
            }
        }
    }

    /// Doop's `Merge` where receivers matter: the context in which a method runs on an object.
    pub(crate) fn of_receiver(&self, of_object: Ctx, object: ContextElement) -> Ctx {
        self.latest(self.followed_by(of_object, object), self.flavour.depth)
    }

    /// Doop's `Record`: the context of an object that is allocated by a method in a context.
    pub(crate) fn of_object(&self, method: Ctx) -> Ctx {
        self.latest(self.without_call_of_static(method), self.flavour.heap)
    }

    fn without_call_of_static(&self, context: Ctx) -> Vec<ContextElement> {
        match self.flavour.kind {
            Kind::Hybrid => self.without_sites(context),
            _ => self.elements(context),
        }
    }

    fn without_sites(&self, context: Ctx) -> Vec<ContextElement> {
        let mut elements = self.elements(context);
        elements.retain(|element| !matches!(element, ContextElement::Site(_)));
        elements
    }

    fn followed_by(&self, context: Ctx, element: ContextElement) -> Vec<ContextElement> {
        let mut elements = self.elements(context);
        elements.push(element);
        elements
    }

    fn latest(&self, mut elements: Vec<ContextElement>, count: usize) -> Ctx {
        let too_old = elements.len().saturating_sub(count);
        self.of(elements.split_off(too_old))
    }
}
