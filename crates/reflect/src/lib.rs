//! What reflective calls do, found together with the points-to sets: each feeds the other.
//!
//! [`Reflect`] listens to calls of the reflection API ([`apis`], one file per family), and says what each call does as soon as
//! its arguments are known. Objects of the API that stand for something (a class, a method, a field) flow through the program like any
//! others. Rules are those of *More Sound Static Handling of Java Reflection* (APLAS'15; chapter 3 of the thesis), cited where they are.

mod apis;
mod areas;
mod members;
mod reasons;
mod rules;
mod settings;
pub mod strings;
mod telling;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use heliostat_index::{FastMap, IdVec, Interner};
use heliostat_program::{MethodId, Program};
use heliostat_pta::facts::{AllocId, Writer};
use heliostat_pta::reflection::{ApiId, Doing, ListenId, Listened, ReflectedId, Reflection, Scene, Strings};

use apis::Api;
use apis::reflected::{Kind, Reflected};
use members::Scope;
use rules::Rules;
use telling::Telling;

pub use areas::Areas;
pub use reasons::{Clue, Reason, Rule};
pub use settings::{Mode, Settings};

/// The analysis of reflection.
pub struct Reflect {
    settings: Settings,
    areas: Rc<Areas>,
    /// What is listened to.
    apis: IdVec<ApiId, &'static Api>,
    /// Code that was made up.
    reflected: Interner<ReflectedId, Reflected>,
    /// Why calls do what they do.
    reasons: FastMap<(ListenId, Doing), Reason>,
    telling: Option<Rc<Telling>>,
    /// Calls that ask for all members of a kind.
    bulk: BTreeMap<ListenId, (Kind, Scope)>,
    /// Those of them that may be about too many classes.
    imprecise: BTreeSet<ListenId>,
}

impl Reflect {
    /// An analysis of this kind.
    pub fn new(settings: Settings, areas: Areas) -> Self {
        Self {
            settings,
            areas: Rc::new(areas),
            apis: IdVec::new(),
            reflected: Interner::new(),
            reasons: FastMap::default(),
            telling: None,
            bulk: BTreeMap::new(),
            imprecise: BTreeSet::new(),
        }
    }

    /// The method of the API that a call is listened to for, as traces name it.
    pub fn api_name(&self, api: ApiId) -> &'static str {
        self.apis[api].name
    }

    /// How many calls ask for all members of too many classes.
    pub fn imprecise(&self) -> usize {
        self.imprecise.len()
    }

    /// What calls do and why, in the order of calls.
    pub fn found(&self) -> Vec<(ListenId, Doing, Reason)> {
        let mut found: Vec<_> =
            self.reasons.iter().map(|(&(call, doing), &reason)| (call, doing, reason)).collect();
        found.sort_by_key(|&(call, _, reason)| (call, reason.order));
        found
    }
}

impl Reflection for Reflect {
    fn listened(&mut self, program: &mut Program) -> Vec<(MethodId, Listened)> {
        if self.settings.mode == Mode::None {
            return Vec::new();
        }
        self.telling = Some(Rc::new(Telling::new(program, Rc::clone(&self.areas))));
        let mut listened = Vec::new();
        for api in apis::all() {
            let id = self.apis.push(api);
            let found = api.find(program).into_iter();
            listened
                .extend(found.map(|method| {
                    (method, Listened { api: id, positions: api.positions, gives: api.gives })
                }));
        }
        listened
    }

    fn strings(&self) -> Option<Rc<dyn Strings>> {
        self.telling.clone().map(|telling| telling as Rc<dyn Strings>)
    }

    fn heard(&mut self, scene: &mut Scene<'_>, position: usize, objects: &[AllocId]) {
        let Some(call) = scene.heard() else { return };
        let (code, api) = (scene.facts.listening()[call].code, scene.facts.listening()[call].api);
        if !apis::is_inside(scene.program, scene.facts, code) {
            let rule = self.apis[api].rule;
            rule(&mut Rules { reflect: self, scene, call }, position, objects);
        }
    }

    fn settled(&mut self, scene: &mut Scene<'_>) {
        apis::lookups::settle(self, scene);
    }

    fn write(&mut self, what: ReflectedId, writer: &mut Writer<'_>) {
        apis::reflected::write(self.reflected.values()[what], writer);
    }
}
