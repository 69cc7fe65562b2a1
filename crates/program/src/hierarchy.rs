//! The class hierarchy: who is above whom.

use heliostat_index::{IdSet, IdVec, Ids, Lists, PackedOption};

use crate::parents::Parents;
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
    /// There are more than 4,096 superclasses above this class: the one that it names is disregarded.
    TooDeep(ClassId),
    /// This class has more than 4,096 superinterfaces, or all classes up to it have more than 2^24 together: all
    /// its superinterfaces are disregarded, the inherited ones too.
    TooManyInterfaces(ClassId),
}

/// Bound on the superclasses above a class. A JVM's stack overflows loading fewer.
const MAX_DEPTH: u32 = 4096;
/// Bound on the superinterfaces of one class.
const MAX_SUPER_INTERFACES: usize = 4096;
/// Bound on the superinterfaces of all classes together; the JDK has some 150,000.
const MAX_ALL_SUPER_INTERFACES: usize = 1 << 24;

#[derive(Default)]
pub(crate) struct Hierarchy {
    super_class: IdVec<ClassId, PackedOption<ClassId>>,
    /// Position of each class in a preorder walk of the superclass tree, and the last position below it.
    interval: IdVec<ClassId, (u32, u32)>,
    depth: IdVec<ClassId, u32>,
    /// Some superclass further up, chosen so that any one above is found in logarithmically many steps
    /// (Myers, "An applicative random-access stack", 1983).
    jump: IdVec<ClassId, ClassId>,
    /// Direct and indirect superinterfaces, sorted; classes that add none share their superclass's list.
    super_interfaces: IdVec<ClassId, (u32, u32)>,
    interface_pool: Vec<ClassId>,
    /// Direct subclasses, subinterfaces and implementers.
    subtypes: Lists<ClassId, ClassId>,
    /// Classes with an ancestor that has no definition, or that is disregarded.
    incomplete: IdSet<ClassId>,
    /// An ancestor that has no definition.
    missing: IdVec<ClassId, PackedOption<TypeId>>,
    /// The first interface that a class itself names and that has no definition.
    missing_interface: IdVec<ClassId, PackedOption<TypeId>>,
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
            jump: classes.ids().collect::<Vec<_>>().into(),
            super_interfaces: vec![(0, 0); classes.len()].into(),
            incomplete: parents.has_gap.clone(),
            missing: std::mem::take(&mut parents.missing),
            missing_interface: std::mem::take(&mut parents.missing_interface),
            ..Self::default()
        };
        let mut seen = IdSet::with_capacity(classes.len());
        for &class in &order {
            if !this.inherit_class(class, &mut parents) {
                problems.push(HierarchyProblem::TooDeep(class));
            }
            if !this.inherit_interfaces(class, &parents, classes, &mut seen) {
                this.incomplete.insert(class);
                problems.push(HierarchyProblem::TooManyInterfaces(class));
            }
        }
        this.number(&parents);
        this.subtypes = parents.inverted();
        this.super_class = parents.super_class;
        (this, problems)
    }

    /// Works out depth and gaps of a class whose parents are done; false if it is too deep.
    fn inherit_class(&mut self, class: ClassId, parents: &mut Parents) -> bool {
        let too_deep = parents.super_class[class].expand().is_some_and(|s| self.depth[s] >= MAX_DEPTH);
        if too_deep {
            parents.super_class[class] = PackedOption::none();
            self.incomplete.insert(class);
        }
        if let Some(parent) = parents.super_class[class].expand() {
            self.depth[class] = self.depth[parent] + 1;
            self.jump[class] = self.jump_of_child(parent);
        }
        for parent in parents.of(class) {
            if self.incomplete.contains(parent) {
                self.incomplete.insert(class);
            }
            if self.missing[class].is_none() {
                self.missing[class] = self.missing[parent];
            }
        }
        !too_deep
    }

    /// Two equal jumps in a row become one from below.
    fn jump_of_child(&self, parent: ClassId) -> ClassId {
        let once = self.jump[parent];
        let twice = self.jump[once];
        let first = self.depth[parent] - self.depth[once];
        if first == self.depth[once] - self.depth[twice] { twice } else { parent }
    }

    /// Works out the superinterfaces of a class whose parents are done; false if there are too many.
    /// `seen` is empty before and after.
    fn inherit_interfaces(
        &mut self,
        class: ClassId,
        parents: &Parents,
        classes: &IdVec<ClassId, Class>,
        seen: &mut IdSet<ClassId>,
    ) -> bool {
        let super_class = parents.super_class[class].expand();
        let super_interface = super_class.filter(|&s| classes[s].flags.is_interface());
        let inherited = super_class.map_or((0, 0), |s| self.super_interfaces[s]);
        let declared = parents.interfaces.of(class);
        if declared.is_empty() && super_interface.is_none() {
            self.super_interfaces[class] = inherited;
            return true;
        }
        let mut all = self.pool(inherited).to_vec();
        for &interface in &all {
            seen.insert(interface);
        }
        for interface in super_interface.into_iter().chain(declared.iter().copied()) {
            // What was met before came with everything above it.
            if all.len() > MAX_SUPER_INTERFACES || !seen.insert(interface) {
                continue;
            }
            all.push(interface);
            all.extend(self.pool(self.super_interfaces[interface]).iter().filter(|&&i| seen.insert(i)));
        }
        for &interface in &all {
            seen.remove(interface);
        }
        let fits = all.len() <= MAX_SUPER_INTERFACES
            && self.interface_pool.len() + all.len() <= MAX_ALL_SUPER_INTERFACES;
        if fits {
            all.sort_unstable();
            let start = self.interface_pool.len() as u32;
            self.interface_pool.append(&mut all);
            self.super_interfaces[class] = (start, self.interface_pool.len() as u32);
        }
        fits
    }

    /// Some ancestor that has no definition.
    pub(crate) fn missing_ancestor(&self, class: ClassId) -> Option<TypeId> {
        self.missing[class].expand()
    }

    /// The first interface that the class itself names and that has no definition.
    pub(crate) fn missing_interface(&self, class: ClassId) -> Option<TypeId> {
        self.missing_interface[class].expand()
    }

    fn pool(&self, (start, end): (u32, u32)) -> &[ClassId] {
        &self.interface_pool[start as usize..end as usize]
    }

    /// Numbers the superclass tree so that "is a subclass" is an interval test.
    fn number(&mut self, parents: &Parents) {
        let n = parents.super_class.len();
        let edges = parents.super_class.iter().filter_map(|(class, parent)| Some((parent.expand()?, class)));
        let children = Lists::new(n, edges);
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
                stack.extend(children.of(class).iter().rev().map(|&c| (c, false)));
            }
        }
    }
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

    /// The nearest class that is, or is above, both in the superclass tree; O(log depth).
    pub(crate) fn common_super_class(&self, a: ClassId, b: ClassId) -> Option<ClassId> {
        let mut at = a;
        while !self.is_subclass(b, at) {
            let jump = self.hierarchy.jump[at];
            let goes_past = jump == at || self.is_subclass(b, jump);
            at = if goes_past { self.super_class(at)? } else { jump };
        }
        Some(at)
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

    /// The places of a class and all below it in one walk of the superclass tree; the class itself is at the first.
    pub fn subclass_range(&self, class: ClassId) -> std::ops::Range<u32> {
        let (start, end) = self.hierarchy.interval[class];
        start..end
    }

    /// Direct subclasses, subinterfaces and implementing classes.
    pub fn direct_subtypes(&self, class: ClassId) -> &[ClassId] {
        self.hierarchy.subtypes.of(class)
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
