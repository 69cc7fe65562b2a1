//! The class hierarchy: who is above whom, with cycles cut and gaps marked.

use heliostat_index::{FastSet, Id, IdMap, IdSet, IdVec, Ids, PackedOption};

use crate::{Class, ClassId, Program, TypeId, Types};

/// A hierarchy that no JVM would load.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HierarchyProblem {
    /// `class` is its own ancestor through its declared parent `parent`; that link is cut.
    Cycle {
        /// The class whose declaration is disregarded.
        class: ClassId,
        /// The parent that it names.
        parent: ClassId,
    },
    /// The superinterfaces of this class are not worked out, for there are too many in all.
    TooLarge(ClassId),
}

/// Bound on the superinterfaces of all classes together; the JDK has some 150,000.
const MAX_SUPER_INTERFACES: usize = 50_000_000;

#[derive(Default)]
pub(crate) struct Hierarchy {
    super_class: IdVec<ClassId, PackedOption<ClassId>>,
    /// Position of each class in a preorder walk of the superclass tree, and the last position below it.
    interval: IdVec<ClassId, (u32, u32)>,
    depth: IdVec<ClassId, u32>,
    /// Direct and indirect superinterfaces, sorted; classes that add none share their superclass's list.
    super_interfaces: IdVec<ClassId, (u32, u32)>,
    interface_pool: Vec<ClassId>,
    /// Direct subclasses, subinterfaces and implementers.
    subtypes: Lists,
    /// Classes with an ancestor that has no definition.
    incomplete: IdSet<ClassId>,
}

/// The declared parents that have a definition and close no cycle.
struct Parents {
    super_class: IdVec<ClassId, PackedOption<ClassId>>,
    interfaces: Lists,
    has_gap: IdSet<ClassId>,
}

/// A list of classes for every class, all end to end.
#[derive(Default)]
struct Lists {
    starts: Vec<u32>,
    items: Vec<ClassId>,
}

impl Lists {
    fn get(&self, class: ClassId) -> &[ClassId] {
        let (start, end) = (self.starts[class.index()], self.starts[class.index() + 1]);
        &self.items[start as usize..end as usize]
    }

    /// Turns `(of, item)` pairs into lists; within a list the pairs' order stays.
    fn from_pairs(n: usize, pairs: &[(ClassId, ClassId)]) -> Self {
        let mut starts = vec![0_u32; n + 1];
        for (of, _) in pairs {
            starts[of.index() + 1] += 1;
        }
        for i in 0..n {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let mut items = vec![ClassId::from_u32(0); pairs.len()];
        for (of, item) in pairs {
            items[next[of.index()] as usize] = *item;
            next[of.index()] += 1;
        }
        Self { starts, items }
    }
}

impl Hierarchy {
    pub(crate) fn new(
        classes: &IdVec<ClassId, Class>,
        interfaces: &[TypeId],
        types: &Types,
    ) -> (Self, Vec<HierarchyProblem>) {
        let mut parents = Parents::new(classes, interfaces, types);
        let (order, mut problems) = parents.sort_and_cut_cycles(classes.len());
        let mut this = Self {
            depth: vec![0; classes.len()].into(),
            super_interfaces: vec![(0, 0); classes.len()].into(),
            incomplete: parents.has_gap.clone(),
            ..Self::default()
        };
        for &class in &order {
            this.inherit(class, &parents, classes, &mut problems);
        }
        this.number(&parents);
        this.subtypes = parents.inverted();
        this.super_class = parents.super_class;
        (this, problems)
    }

    /// Works out depth, gaps and superinterfaces of a class whose parents are done.
    fn inherit(
        &mut self,
        class: ClassId,
        parents: &Parents,
        classes: &IdVec<ClassId, Class>,
        problems: &mut Vec<HierarchyProblem>,
    ) {
        let super_class = parents.super_class[class].expand();
        self.depth[class] = super_class.map_or(0, |s| self.depth[s] + 1);
        if parents.of(class).any(|p| self.incomplete.contains(p)) {
            self.incomplete.insert(class);
        }
        let inherited = super_class.map_or((0, 0), |s| self.super_interfaces[s]);
        let declared = parents.interfaces.get(class);
        let super_is_interface = super_class.is_some_and(|s| classes[s].flags.is_interface());
        if declared.is_empty() && !super_is_interface {
            self.super_interfaces[class] = inherited;
            return;
        }
        if self.interface_pool.len() > MAX_SUPER_INTERFACES {
            self.incomplete.insert(class);
            problems.push(HierarchyProblem::TooLarge(class));
            return;
        }
        let mut all = self.pool(inherited).to_vec();
        all.extend(super_class.filter(|_| super_is_interface));
        for &interface in declared {
            all.push(interface);
            all.extend_from_slice(self.pool(self.super_interfaces[interface]));
        }
        all.sort_unstable();
        all.dedup();
        let start = self.interface_pool.len() as u32;
        self.interface_pool.append(&mut all);
        self.super_interfaces[class] = (start, self.interface_pool.len() as u32);
    }

    fn pool(&self, (start, end): (u32, u32)) -> &[ClassId] {
        &self.interface_pool[start as usize..end as usize]
    }

    /// Numbers the superclass tree so that "is a subclass" is an interval test.
    fn number(&mut self, parents: &Parents) {
        let n = parents.super_class.len();
        let pairs: Vec<_> = parents
            .super_class
            .iter()
            .filter_map(|(class, parent)| Some((parent.expand()?, class)))
            .collect();
        let children = Lists::from_pairs(n, &pairs);
        self.interval = vec![(0, 0); n].into();
        let mut next = 0;
        let mut stack: Vec<(ClassId, bool)> = Vec::new();
        for root in Ids::new(0..n).filter(|&c| parents.super_class[c].is_none()) {
            stack.push((root, false));
            while let Some((class, done)) = stack.pop() {
                if done {
                    self.interval[class].1 = next;
                    continue;
                }
                self.interval[class].0 = next;
                next += 1;
                stack.push((class, true));
                stack.extend(children.get(class).iter().rev().map(|&c| (c, false)));
            }
        }
    }
}

impl Parents {
    fn new(classes: &IdVec<ClassId, Class>, interfaces: &[TypeId], types: &Types) -> Self {
        let mut super_class = IdVec::with_capacity(classes.len());
        let mut pairs = Vec::with_capacity(interfaces.len());
        let mut has_gap = IdSet::new();
        for (id, class) in classes.iter() {
            let declared = class.super_type.expand();
            let parent = declared.and_then(|ty| types.class(ty));
            if declared.is_some() && parent.is_none() {
                has_gap.insert(id);
            }
            super_class.push(parent.into());
            for &ty in &interfaces[class.interfaces.start as usize..class.interfaces.end as usize] {
                match types.class(ty) {
                    Some(interface) => pairs.push((id, interface)),
                    None => _ = has_gap.insert(id),
                }
            }
        }
        let interfaces = Lists::from_pairs(classes.len(), &pairs);
        Self { super_class, interfaces, has_gap }
    }

    fn of(&self, class: ClassId) -> impl Iterator<Item = ClassId> + '_ {
        self.super_class[class].expand().into_iter().chain(self.interfaces.get(class).iter().copied())
    }

    /// Parents before children. An edge back to a class whose parents are still being walked closes
    /// a cycle, and is cut.
    fn sort_and_cut_cycles(&mut self, n: usize) -> (Vec<ClassId>, Vec<HierarchyProblem>) {
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
            .flat_map(|class: ClassId| self.interfaces.get(class).iter().map(move |&i| (class, i)))
            .filter(|edge| !cut.contains(edge))
            .collect();
        self.interfaces = Lists::from_pairs(n, &kept);
    }

    fn inverted(&self) -> Lists {
        let n = self.super_class.len();
        let edges: Vec<_> =
            Ids::new(0..n).flat_map(|class: ClassId| self.of(class).map(move |p| (p, class))).collect();
        Lists::from_pairs(n, &edges)
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Walk {
    Unseen,
    Open,
    Done,
}

impl Program {
    /// The superclass, if it has a definition. That of an interface is `java/lang/Object`.
    pub fn super_class(&self, class: ClassId) -> Option<ClassId> {
        self.hierarchy.super_class[class].expand()
    }

    /// The class itself, its superclass, and so on up.
    pub fn super_classes(&self, class: ClassId) -> impl Iterator<Item = ClassId> + '_ {
        std::iter::successors(Some(class), |&c| self.super_class(c))
    }

    /// All superinterfaces, direct and indirect, in id order.
    pub fn super_interfaces(&self, class: ClassId) -> &[ClassId] {
        self.hierarchy.pool(self.hierarchy.super_interfaces[class])
    }

    /// Number of superclasses above the class.
    pub fn depth(&self, class: ClassId) -> u32 {
        self.hierarchy.depth[class]
    }

    /// Whether some ancestor has no definition.
    pub fn is_incomplete(&self, class: ClassId) -> bool {
        self.hierarchy.incomplete.contains(class)
    }

    /// Whether `sub` is `sup` or below it in the superclass tree; O(1).
    pub fn is_subclass(&self, sub: ClassId, sup: ClassId) -> bool {
        let (start, end) = self.hierarchy.interval[sup];
        (start..end).contains(&self.hierarchy.interval[sub].0)
    }

    /// Direct subclasses, subinterfaces and implementing classes.
    pub fn direct_subtypes(&self, class: ClassId) -> &[ClassId] {
        self.hierarchy.subtypes.get(class)
    }

    /// The class and everything below it, in id order.
    pub fn subtypes(&self, class: ClassId) -> Vec<ClassId> {
        let mut seen = IdSet::with_capacity(self.classes.len());
        seen.insert(class);
        let mut found = vec![class];
        let mut next = 0;
        while let Some(&current) = found.get(next) {
            next += 1;
            found.extend(self.direct_subtypes(current).iter().filter(|&&s| seen.insert(s)));
        }
        found.sort_unstable();
        found
    }
}
