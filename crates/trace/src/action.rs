//! What a program does by reflection.

use heliostat_classfile::mutf8;
use heliostat_weave::log::Subject;

use crate::types::class_name;
use crate::{Api, Method, Site};

/// Something that was done by reflection, or looked up by name.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Action {
    /// By which method of the library.
    pub api: Api,
    /// The place that calls it.
    pub site: Site,
    /// What it was about.
    pub target: Target,
    /// A name, where the target does not say all: of a resource, or of what is looked up.
    pub detail: Option<String>,
}

/// What a reflective action is about.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Target {
    /// Nothing but the detail.
    Nothing,
    /// Classes, by their descriptors: the interfaces of a proxy, one class otherwise.
    Classes(Vec<String>),
    /// A method or constructor. Of `Method.invoke`, the one that the receiver selects.
    Method(Method),
    /// A field.
    Field {
        /// Internal name of the class that declares it.
        class: String,
        /// Its name.
        name: String,
        /// Its descriptor.
        descriptor: String,
    },
}

impl Target {
    pub(crate) fn of(subject: &Subject) -> Self {
        let texts = |names: &[Vec<u8>; 3]| {
            let [class, name, descriptor] = names.each_ref().map(|name| mutf8::decode_lossy(name));
            (class_name(&class).to_owned(), name, descriptor)
        };
        match subject {
            Subject::Nothing => Self::Nothing,
            Subject::Classes(classes) => {
                Self::Classes(classes.iter().map(|class| mutf8::decode_lossy(class)).collect())
            }
            Subject::Method(names) => {
                let (class, name, descriptor) = texts(names);
                Self::Method(Method { class, name, descriptor })
            }
            Subject::Field(names) => {
                let (class, name, descriptor) = texts(names);
                Self::Field { class, name, descriptor }
            }
        }
    }

    /// The method that an action runs, if it runs one.
    pub(crate) fn run_by(&self, api: Api) -> Option<Method> {
        match (api, self) {
            (Api::MethodInvoke | Api::ConstructorNewInstance, Self::Method(method)) => Some(method.clone()),
            (Api::ClassNewInstance, Self::Classes(classes)) => {
                let class = class_name(classes.first()?).to_owned();
                Some(Method { class, name: "<init>".to_owned(), descriptor: "()V".to_owned() })
            }
            _ => None,
        }
    }
}
