//! What a reflective call needs to be there, by its method of the API and what it is about.

use heliostat_input::Origin;

use super::names;
use crate::analysis::{ReflectiveCall, ReflectiveTarget, Target};
use crate::{Analysis, Opened};

/// What has to be there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Need {
    pub(super) subject: Subject,
    /// What of a type; nothing but the type itself if there is none.
    pub(super) part: Option<Part>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Subject {
    /// A class or an array type.
    Type(String),
    /// A proxy class, by its interfaces.
    Proxy(Vec<String>),
    /// A resource, by its path.
    Resource(String),
    /// A resource bundle, by its base name.
    Bundle(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part {
    Method(Method),
    Field { name: String, ty: String },
    Flag(Flag),
}

/// A method or constructor, by the names of its types.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Method {
    /// Its name; `<init>` for a constructor.
    pub name: String,
    /// The types of its parameters.
    pub parameters: Vec<String>,
    /// The type of its result.
    pub result: String,
}

impl Method {
    fn new(name: &str, descriptor: &str) -> Self {
        let (parameters, result) = names::signature(descriptor);
        Self { name: name.to_owned(), parameters, result }
    }

    /// Whether it is a constructor.
    pub fn is_constructor(&self) -> bool {
        self.name == "<init>"
    }
}

/// What holds for a type as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the properties of the file, by their names there")]
pub enum Flag {
    AllDeclaredConstructors,
    AllPublicConstructors,
    AllDeclaredMethods,
    AllPublicMethods,
    AllDeclaredFields,
    AllPublicFields,
    UnsafeAllocated,
    Serializable,
    JniAccessible,
}

impl Flag {
    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::AllDeclaredConstructors => "allDeclaredConstructors",
            Self::AllPublicConstructors => "allPublicConstructors",
            Self::AllDeclaredMethods => "allDeclaredMethods",
            Self::AllPublicMethods => "allPublicMethods",
            Self::AllDeclaredFields => "allDeclaredFields",
            Self::AllPublicFields => "allPublicFields",
            Self::UnsafeAllocated => "unsafeAllocated",
            Self::Serializable => "serializable",
            Self::JniAccessible => "jniAccessible",
        }
    }

    /// The one that a method of the API asks for, which gives all members of a kind.
    fn asked_by(api: &str) -> Option<Self> {
        Some(match api {
            "Class.getDeclaredConstructors" => Self::AllDeclaredConstructors,
            "Class.getConstructors" => Self::AllPublicConstructors,
            "Class.getDeclaredMethods" => Self::AllDeclaredMethods,
            "Class.getMethods" => Self::AllPublicMethods,
            "Class.getDeclaredFields" => Self::AllDeclaredFields,
            "Class.getFields" => Self::AllPublicFields,
            _ => return None,
        })
    }
}

/// How the names of the methods begin by which constructors are used.
const CONSTRUCTORS: [&str; 2] = [
    "java/lang/reflect/Constructor.newInstance(",
    "java/lang/invoke/MethodHandles$Lookup.unreflectConstructor(",
];

/// The same of methods.
const METHODS: [&str; 3] = [
    "java/lang/reflect/Method.invoke(",
    "java/lang/invoke/MethodHandles$Lookup.unreflect(",
    "java/lang/invoke/MethodHandles$Lookup.unreflectSpecial(",
];

/// The same of fields.
const FIELDS: [&str; 5] = [
    "java/lang/reflect/Field.get",
    "java/lang/reflect/Field.set",
    "java/lang/invoke/MethodHandles$Lookup.unreflectGetter(",
    "java/lang/invoke/MethodHandles$Lookup.unreflectSetter(",
    "java/lang/invoke/MethodHandles$Lookup.unreflectVarHandle(",
];

/// The kinds of members of which not every use is known: whoever asks for all of them may use any.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Unknown {
    constructors: bool,
    methods: bool,
    fields: bool,
}

impl Unknown {
    pub(super) const NOTHING: Self = Self { constructors: false, methods: false, fields: false };
    pub(super) const EVERYTHING: Self = Self { constructors: true, methods: true, fields: true };

    /// By the calls that use members and of which the analysis does not know what they do. Those of the JDK are about members
    /// that it has looked up itself.
    pub(super) fn of(opened: &Opened, analysis: &Analysis) -> Self {
        if !analysis.summary.result.complete {
            return Self::EVERYTHING;
        }
        let is_own = |call: &&ReflectiveCall| {
            opened.origin(opened.program.methods()[call.caller].class) != Origin::Jdk
        };
        let calls = analysis.gaps.reflection.iter().filter(is_own);
        calls.fold(Self::NOTHING, |unknown, call| unknown.with(&call.api))
    }

    /// The same where one more call uses members, by the full name of its method of the API.
    fn with(self, api: &str) -> Self {
        let is = |beginnings: &[&str]| beginnings.iter().any(|beginning| api.starts_with(beginning));
        Self {
            constructors: self.constructors || is(&CONSTRUCTORS),
            methods: self.methods || is(&METHODS),
            fields: self.fields || is(&FIELDS),
        }
    }

    /// Whether it may be that any of the members is used that a flag stands for.
    fn has(self, flag: Flag) -> bool {
        match flag {
            Flag::AllDeclaredConstructors | Flag::AllPublicConstructors => self.constructors,
            Flag::AllDeclaredMethods | Flag::AllPublicMethods => self.methods,
            Flag::AllDeclaredFields | Flag::AllPublicFields => self.fields,
            Flag::UnsafeAllocated | Flag::Serializable | Flag::JniAccessible => true,
        }
    }
}

/// What a reflective call needs; nothing if its names cannot be written. A type may be asked for its members as soon as it is
/// there; those that are looked up one by one are taken to be used.
pub(super) fn of(target: &ReflectiveTarget, unknown: Unknown) -> Option<Need> {
    let kind = ApiKind::of(target.api);
    let of_type = |class: &str, part| Need { subject: Subject::Type(names::class_or_array(class)), part };
    let whole = kind.flag().map(Part::Flag);
    let need = match &target.target {
        Target::Class { class } => of_type(class, whole),
        Target::Method { class, .. } | Target::Field { class, .. } if kind == ApiKind::Serialization => {
            of_type(class, whole)
        }
        Target::Method { class, name, descriptor } => {
            of_type(class, Some(Part::Method(Method::new(name, descriptor))))
        }
        Target::Field { class, name, descriptor } => {
            let ty = names::descriptor(descriptor);
            of_type(class, Some(Part::Field { name: name.clone(), ty }))
        }
        Target::Members { class } => {
            let flag = Flag::asked_by(target.api).filter(|&flag| unknown.has(flag));
            of_type(class, flag.map(Part::Flag).or(whole))
        }
        Target::Proxy { interfaces } => {
            let subject = Subject::Proxy(interfaces.iter().map(|name| names::class(name)).collect());
            Need { subject, part: whole }
        }
        Target::Resource { path } => Need { subject: Subject::Resource(path.clone()), part: None },
        Target::Bundle { name } => Need { subject: Subject::Bundle(name.clone()), part: None },
    };
    Some(need).filter(Need::can_be_written)
}

impl Need {
    fn can_be_written(&self) -> bool {
        let subject = match &self.subject {
            Subject::Type(name) => names::is_type(name) && !names::is_hidden(name),
            Subject::Proxy(interfaces) => interfaces.iter().all(|name| names::is_type(name)),
            Subject::Resource(_) => true,
            Subject::Bundle(name) => !name.is_empty(),
        };
        let part = match &self.part {
            Some(Part::Method(method)) => {
                names::is_member(&method.name) && method.parameters.iter().all(|name| names::is_type(name))
            }
            Some(Part::Field { name, .. }) => names::is_member(name),
            Some(Part::Flag(_)) | None => true,
        };
        subject && part
    }
}

/// What methods of the API do besides reaching a class or a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ApiKind {
    /// It writes objects to a stream, or reads them.
    Serialization,
    /// It makes an object without a constructor.
    Allocation,
    /// Native code asks.
    Native,
    Other,
}

impl ApiKind {
    pub(super) fn of(api: &str) -> Self {
        match api {
            "ObjectOutputStream.writeObject" | "ObjectInputStream.readObject" => Self::Serialization,
            "Unsafe.allocateInstance" => Self::Allocation,
            _ if api.starts_with("JNI.") => Self::Native,
            _ => Self::Other,
        }
    }

    fn flag(self) -> Option<Flag> {
        match self {
            Self::Serialization => Some(Flag::Serializable),
            Self::Allocation => Some(Flag::UnsafeAllocated),
            Self::Native => Some(Flag::JniAccessible),
            Self::Other => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::{How, Place};

    fn need(api: &'static str, target: Target, unknown: Unknown) -> Option<Need> {
        let place = Place { method: "a/B.c()V".to_owned(), offset: 0, line: None, source_file: None };
        of(&ReflectiveTarget { place, api, target, how: How::Log, because: Vec::new() }, unknown)
    }

    fn flag_of(api: &'static str, target: Target, unknown: Unknown) -> Option<Flag> {
        match need(api, target, unknown)?.part {
            Some(Part::Flag(flag)) => Some(flag),
            _ => None,
        }
    }

    #[test]
    fn all_members_are_needed_only_where_not_all_uses_are_known() {
        let members = || Target::Members { class: "a/A".to_owned() };
        for (api, flag, name) in [
            ("Class.getMethods", Flag::AllPublicMethods, "allPublicMethods"),
            ("Class.getDeclaredMethods", Flag::AllDeclaredMethods, "allDeclaredMethods"),
            ("Class.getFields", Flag::AllPublicFields, "allPublicFields"),
            ("Class.getDeclaredFields", Flag::AllDeclaredFields, "allDeclaredFields"),
            ("Class.getConstructors", Flag::AllPublicConstructors, "allPublicConstructors"),
            ("Class.getDeclaredConstructors", Flag::AllDeclaredConstructors, "allDeclaredConstructors"),
        ] {
            assert_eq!(flag_of(api, members(), Unknown::EVERYTHING), Some(flag));
            assert_eq!(flag_of(api, members(), Unknown::NOTHING), None, "{api}");
            assert_eq!(flag.name(), name);
            assert!(need(api, members(), Unknown::NOTHING).is_some(), "the type itself is needed");
        }
        let methods = Unknown::NOTHING.with("java/lang/reflect/Method.invoke(Ljava/lang/Object;)V");
        assert_eq!(flag_of("Class.getMethods", members(), methods), Some(Flag::AllPublicMethods));
        assert_eq!(flag_of("Class.getFields", members(), methods), None);
        let fields = Unknown::NOTHING.with("java/lang/reflect/Field.getInt(Ljava/lang/Object;)I");
        assert_eq!(flag_of("Class.getFields", members(), fields), Some(Flag::AllPublicFields));
        let look_up = Unknown::NOTHING.with("java/lang/Class.getMethods()V");
        assert_eq!(look_up, Unknown::NOTHING);
    }

    #[test]
    fn what_the_api_does_with_a_class() {
        let class = || Target::Class { class: "[La/A;".to_owned() };
        for (api, flag) in [
            ("ObjectInputStream.readObject", Some(Flag::Serializable)),
            ("ObjectOutputStream.writeObject", Some(Flag::Serializable)),
            ("Unsafe.allocateInstance", Some(Flag::UnsafeAllocated)),
            ("JNI.FindClass", Some(Flag::JniAccessible)),
            ("Class.forName", None),
            ("Array.newInstance", None),
        ] {
            assert_eq!(flag_of(api, class(), Unknown::EVERYTHING), flag, "{api}");
            let subject = need(api, class(), Unknown::EVERYTHING).map(|need| need.subject);
            assert_eq!(subject, Some(Subject::Type("a.A[]".to_owned())));
        }
    }

    #[test]
    fn members_of_streams_are_no_members_of_the_file() {
        let method = |name: &str| Target::Method {
            class: "a/A".to_owned(),
            name: name.to_owned(),
            descriptor: "()V".to_owned(),
        };
        let flag = flag_of("ObjectInputStream.readObject", method("readResolve"), Unknown::NOTHING);
        assert_eq!(flag, Some(Flag::Serializable));
        let invoked = need("Method.invoke", method("m"), Unknown::NOTHING).and_then(|need| need.part);
        assert_eq!(invoked, Some(Part::Method(Method::new("m", "()V"))));
        assert_eq!(need("Method.invoke", method("a.b"), Unknown::NOTHING), None, "no name of a method");
    }
}
