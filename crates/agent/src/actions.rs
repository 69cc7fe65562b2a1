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
        | Api::LookupFind
        | Api::ServiceLoad
        | Api::Resource
        | Api::ResourceBundle
        | Api::Deserialize => class(subject),
        Api::Serialize | Api::ArrayNewInstance => class(jni.class_of(subject)?),
        Api::ConstructorNewInstance
        | Api::MethodInvoke
        | Api::GetMethod
        | Api::GetDeclaredMethod
        | Api::GetConstructor
        | Api::GetDeclaredConstructor
        | Api::FieldGet
        | Api::FieldSet
        | Api::GetField
        | Api::GetDeclaredField
        | Api::LookupUnreflect => unsafe { member(jvmti, jni, subject) },
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
    let names = unsafe { method_names(jvmti, jni, method) }?;
    // Neither static nor private.
    let is_selected = !receiver.is_null() && jni.int_field(method, "modifiers")? & 0x000a == 0;
    let selected = is_selected.then(|| jni.selected(receiver, &names)).flatten();
    let selected = selected.and_then(|selected| unsafe { jvmti.method(selected) });
    // What a hidden class has can be named by nobody.
    let selected = selected.filter(|[class, ..]| !class.contains(&b'.'));
    Some(Subject::Method(selected.unwrap_or(names)))
}

/// A method, a constructor or a field, as the fields of the object say that stands for it. The JVM could be
/// asked for its number, but initialises the class then, which the program may never do.
unsafe fn member(jvmti: Jvmti, jni: Jni, member: jobject) -> Option<Subject> {
    let kind = unsafe { jvmti.descriptor(jni.class_of(member)?) }?;
    match kind.as_slice() {
        b"Ljava/lang/reflect/Field;" => {
            let [class, ty] =
                unsafe { [class_in(jvmti, jni, member, "clazz"), class_in(jvmti, jni, member, "type")] };
            Some(Subject::Field([class?, name(jni, member)?, ty?]))
        }
        b"Ljava/lang/reflect/Constructor;" => {
            let class = unsafe { class_in(jvmti, jni, member, "clazz") }?;
            let descriptor = unsafe { descriptor(jvmti, jni, member, b"V") }?;
            Some(Subject::Method([class, b"<init>".to_vec(), descriptor]))
        }
        _ => Some(Subject::Method(unsafe { method_names(jvmti, jni, member) }?)),
    }
}

/// Descriptor of the class, name and descriptor of a method.
unsafe fn method_names(jvmti: Jvmti, jni: Jni, method: jobject) -> Option<[Vec<u8>; 3]> {
    let result = unsafe { class_in(jvmti, jni, method, "returnType") }?;
    let descriptor = unsafe { descriptor(jvmti, jni, method, &result) }?;
    Some([unsafe { class_in(jvmti, jni, method, "clazz") }?, name(jni, method)?, descriptor])
}

/// The descriptor of a method or constructor with this result.
unsafe fn descriptor(jvmti: Jvmti, jni: Jni, method: jobject, result: &[u8]) -> Option<Vec<u8>> {
    let mut text = b"(".to_vec();
    for class in jni.elements(jni.field(method, "parameterTypes", "[Ljava/lang/Class;")?) {
        text.extend(unsafe { jvmti.descriptor(class) }?);
    }
    text.push(b')');
    text.extend(result);
    Some(text)
}

/// The descriptor of the class that a field of a member holds.
unsafe fn class_in(jvmti: Jvmti, jni: Jni, member: jobject, field: &str) -> Option<Vec<u8>> {
    unsafe { jvmti.descriptor(jni.field(member, field, "Ljava/lang/Class;")?) }
}

fn name(jni: Jni, member: jobject) -> Option<Vec<u8>> {
    jni.text(jni.field(member, "name", "Ljava/lang/String;")?)
}
