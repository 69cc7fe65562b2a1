//! Who declares whom as superclass or superinterface, with cycles cut and gaps marked.

use heliostat_index::{FastSet, IdMap, IdSet, IdVec, Ids, Lists, PackedOption};

use crate::{Class, ClassId, HierarchyProblem, TypeId, Types};

/// The declared parents that have a definition and close no cycle.
pub(crate) struct Parents {
    pub(crate) super_class: IdVec<ClassId, PackedOption<ClassId>>,
    pub(crate) interfaces: Lists<ClassId, ClassId>,
    pub(crate) has_gap: IdSet<ClassId>,
    /// The superclass, else the first interface, that a class names in vain.
    pub(crate) missing: IdVec<ClassId, PackedOption<TypeId>>,
    pub(crate) missing_interface: IdVec<ClassId, PackedOption<TypeId>>,
}

impl Parents {
    pub(crate) fn new(classes: &IdVec<ClassId, Class>, interfaces: &[TypeId], types: &Types) -> Self {
        let mut super_class = IdVec::with_capacity(classes.len());
        let mut pairs = Vec::with_capacity(interfaces.len());
        let mut has_gap = IdSet::new();
        let mut missing = IdVec::with_capacity(classes.len());
        let mut missing_interface = IdVec::with_capacity(classes.len());
        for (id, class) in classes.iter() {
            let declared = class.super_type.expand();
            let parent = declared.and_then(|ty| types.class(ty));
            let mut undefined_interface = None;
            super_class.push(parent.into());
            for &ty in &interfaces[class.interfaces.start as usize..class.interfaces.end as usize] {
                match types.class(ty) {
                    Some(interface) => pairs.push((id, interface)),
                    None => _ = undefined_interface.get_or_insert(ty),
                }
            }
            let undefined = declared.filter(|_| parent.is_none()).or(undefined_interface);
            // Only `Object` has no superclass; where another names none, it was damaged.
            if undefined.is_some() || (declared.is_none() && class.ty != TypeId::OBJECT) {
                has_gap.insert(id);
            }
            missing.push(undefined.filter(|&ty| types.is_missing(ty)).into());
            missing_interface.push(undefined_interface.filter(|&ty| types.is_missing(ty)).into());
        }
        let interfaces = Lists::new(classes.len(), pairs.iter().copied());
        Self { super_class, interfaces, has_gap, missing, missing_interface }
    }

    pub(crate) fn of(&self, class: ClassId) -> impl Iterator<Item = ClassId> + Clone + '_ {
        self.super_class[class].expand().into_iter().chain(self.interfaces.of(class).iter().copied())
    }

    /// Parents before children. An edge back to a class whose parents are still being walked closes
    /// a cycle, and is cut.
    pub(crate) fn sort_and_cut_cycles(&mut self, n: usize) -> (Vec<ClassId>, Vec<HierarchyProblem>) {
        let mut order = Vec::with_capacity(n);
        let mut cut = Vec::new();
        let mut state = IdMap::<ClassId, Walk>::sized(n, Walk::Unseen);
        let mut stack = Vec::new();
        for root in Ids::new(0..n) {
            stack.push(root);
            while let Some(&class) = stack.last() {
                match state[class] {
                    Walk::Unseen => {
                        state[class] = Walk::Open;
                        for parent in self.of(class) {
                            match state[parent] {
                                Walk::Unseen => stack.push(parent),
                                Walk::Open => cut.push((class, parent)),
                                Walk::Done => {}
                            }
                        }
                    }
                    Walk::Open => {
                        state[class] = Walk::Done;
                        order.push(class);
                        stack.pop();
                    }
                    Walk::Done => _ = stack.pop(),
                }
            }
        }
        self.cut(n, &cut);
        let problems =
            cut.into_iter().map(|(class, parent)| HierarchyProblem::Cycle { class, parent }).collect();
        (order, problems)
    }

    fn cut(&mut self, n: usize, cut: &[(ClassId, ClassId)]) {
        if cut.is_empty() {
            return;
        }
        for &(class, parent) in cut {
            if self.super_class[class].expand() == Some(parent) {
                self.super_class[class] = PackedOption::none();
            }
            self.has_gap.insert(class);
        }
        let cut: FastSet<_> = cut.iter().copied().collect();
        let kept: Vec<_> = Ids::new(0..n)
            .flat_map(|class: ClassId| self.interfaces.of(class).iter().map(move |&i| (class, i)))
            .filter(|edge| !cut.contains(edge))
            .collect();
        self.interfaces = Lists::new(n, kept.iter().copied());
    }

    pub(crate) fn inverted(&self) -> Lists<ClassId, ClassId> {
        let edges =
            self.super_class.ids().flat_map(|class| self.of(class).map(move |parent| (parent, class)));
        Lists::new(self.super_class.len(), edges)
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Walk {
    Unseen,
    Open,
    Done,
}
