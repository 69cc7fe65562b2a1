//! What the program does by reflection.

use std::panic::{AssertUnwindSafe, catch_unwind};

use heliostat_weave::hooks::Api;
use heliostat_weave::log::{Action, Record, Subject};
use jni_sys::{JNIEnv, jclass, jint, jobject};

use crate::agent::Agent;
use crate::jni::Jni;
use crate::jvmti::Jvmti;

/// The native method that woven code calls. The JVM finds it by its name, which says class and method.
///
/// # Safety
///
/// The arguments are as the JVM gives them.
#[unsafe(no_mangle)]
#[expect(unreachable_pub, reason = "the JVM reaches it")]
pub unsafe extern "system" fn Java_java_lang_StackTraceElement_heliostat_00024native(
    env: *mut JNIEnv,
    _: jclass,
    subject: jobject,
    api: jint,
    site: jint,
    detail: jobject,
) {
    let _ = catch_unwind(AssertUnwindSafe(|| {
        let (agent, jni) = (Agent::get()?, Jni::new(env)?);
        let api = Api::of_number(u8::try_from(api).ok()?)?;
        let (subject, detail) = if api == Api::MethodInvoke {
            (unsafe { invoked(agent.jvmti, jni, subject, detail) }?, None)
        } else {
            let detail = if detail.is_null() { None } else { jni.text(detail) };
            (unsafe { read_subject(agent.jvmti, jni, api, subject) }?, detail)
        };
        let action = Action { api, site: site as u32, subject, detail };
        let mut state = agent.lock();
        if state.actions.insert(action.clone()) {
            state.write(&Record::Action(action));
        }
        Some(())
    }));
}

/// What an object is that a method tells of; none if the method found nothing.
unsafe fn read_subject(jvmti: Jvmti, jni: Jni, api: Api, subject: jobject) -> Option<Subject> {
    if subject.is_null() {
        return matches!(api, Api::Resource | Api::ResourceBundle).then_some(Subject::Nothing);
    }
    let class = |class| unsafe { jvmti.descriptor(class) }.map(|name| Subject::Classes(vec![name]));
    match api {
        Api::ForName
        | Api::LoadClass
        | Api::ClassNewInstance
        | Api::GetMethods
        | Api::GetDeclaredMethods
        | Api::GetFields
        | Api::GetDeclaredFields
        | Api::GetConstructors
        | Api::GetDeclaredConstructors
        | Api::ArrayNewInstance
        | Api::LookupFind
        | Api::ServiceLoad
        | Api::Resource
        | Api::ResourceBundle
        | Api::Deserialize => class(subject),
        Api::Serialize => class(jni.class_of(subject)?),
        Api::ConstructorNewInstance
        | Api::MethodInvoke
        | Api::GetMethod
        | Api::GetDeclaredMethod
        | Api::GetConstructor
        | Api::GetDeclaredConstructor => {
            Some(Subject::Method(unsafe { jvmti.method(jni.method_of(subject)?) }?))
        }
        Api::FieldGet | Api::FieldSet | Api::GetField | Api::GetDeclaredField => unsafe {
            field(jvmti, jni, subject)
        },
        Api::LookupUnreflect => unsafe { member(jvmti, jni, subject) },
        Api::Proxy => {
            let classes = jni.elements(subject).into_iter();
            Some(Subject::Classes(classes.filter_map(|class| unsafe { jvmti.descriptor(class) }).collect()))
        }
        // No hook tells of it.
        Api::MethodHandleInvoke => None,
    }
}

/// The method that is run when one is invoked on a receiver.
unsafe fn invoked(jvmti: Jvmti, jni: Jni, method: jobject, receiver: jobject) -> Option<Subject> {
    let method = jni.method_of(method)?;
    let names = unsafe { jvmti.method(method) }?;
    let is_selected = !receiver.is_null() && unsafe { jvmti.is_virtual(method) };
    let selected = is_selected.then(|| jni.selected(receiver, &names)).flatten();
    let selected = selected.and_then(|selected| unsafe { jvmti.method(selected) });
    Some(Subject::Method(selected.unwrap_or(names)))
}

unsafe fn field(jvmti: Jvmti, jni: Jni, field: jobject) -> Option<Subject> {
    let class = jni.field(field, "clazz", "Ljava/lang/Class;")?;
    Some(Subject::Field(unsafe { jvmti.field(class, jni.field_of(field)?) }?))
}

/// A method, a constructor or a field, by the class of the object that stands for it.
unsafe fn member(jvmti: Jvmti, jni: Jni, member: jobject) -> Option<Subject> {
    let kind = unsafe { jvmti.descriptor(jni.class_of(member)?) }?;
    if kind == b"Ljava/lang/reflect/Field;" {
        return unsafe { field(jvmti, jni, member) };
    }
    Some(Subject::Method(unsafe { jvmti.method(jni.method_of(member)?) }?))
}
