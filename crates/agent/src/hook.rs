//! What the JVM calls: for each class, and when it can run native methods.

use std::ffi::{CStr, c_char, c_uchar};
use std::panic::{AssertUnwindSafe, catch_unwind};

use heliostat_weave::log::{ClassCode, LoadedClass, Record};
use heliostat_weave::{HOST, SITE_HOLDER, class_name, weave};
use jni_sys::{JNIEnv, jclass, jint, jobject};

use crate::agent::Agent;
use crate::jni::Jni;
use crate::jvmti::Env;

/// Native methods can be bound from now on.
pub(crate) unsafe extern "system" fn started(_: Env, env: *mut JNIEnv) {
    let _ = catch_unwind(|| Jni::new(env).and_then(Jni::bind));
}

/// A class is about to be defined: it gets other bytes.
pub(crate) unsafe extern "system" fn load(
    _: Env,
    env: *mut JNIEnv,
    redefined: jclass,
    loader: jobject,
    name: *const c_char,
    domain: jobject,
    length: jint,
    bytes: *const c_uchar,
    new_length: *mut jint,
    new_bytes: *mut *mut c_uchar,
) {
    let bytes = unsafe { std::slice::from_raw_parts(bytes, length.max(0) as usize) };
    let name = if name.is_null() { &[][..] } else { unsafe { CStr::from_ptr(name) }.to_bytes() };
    // Members cannot be added to a class that is there.
    if !redefined.is_null() && (name == HOST || name == SITE_HOLDER) {
        return;
    }
    let woven = catch_unwind(AssertUnwindSafe(|| {
        let agent = Agent::get()?;
        // Whoever defines a class may leave its name to the class file.
        let name = if name.is_empty() { class_name(bytes) } else { name };
        let location = Jni::new(env).filter(|_| !domain.is_null()).and_then(|jni| location(jni, domain));
        let class = LoadedClass {
            name: name.to_vec(),
            checksum: crc32fast::hash(bytes),
            length: bytes.len() as u32,
            location: location.unwrap_or_default(),
            is_boot: loader.is_null(),
            ..LoadedClass::default()
        };
        let woven = replace(agent, class, bytes)?;
        Some((woven.len(), unsafe { agent.jvmti.copy(&woven) }?))
    }));
    if let Ok(Some((length, copy))) = woven {
        unsafe {
            *new_length = length as jint;
            *new_bytes = copy;
        }
    }
}

/// Weaves a class, and writes down what its numbers mean, before anybody can use them.
fn replace(agent: &Agent, mut class: LoadedClass, bytes: &[u8]) -> Option<Vec<u8>> {
    let mut state = agent.lock();
    if class.may_be_made() {
        let (name, location) = (class.name.clone(), class.location.clone());
        state.keep(ClassCode { name, location, bytes: bytes.to_vec() });
    }
    if is_of_handles(&class.name) {
        state.write(&Record::Class(class));
        return None;
    }
    let Some(mut woven) = weave(bytes, state.numbers, agent.runtime) else {
        class.is_unreadable = true;
        state.write(&Record::Class(class));
        return None;
    };
    state.numbers.method += woven.methods.len() as u32;
    state.numbers.site += woven.sites.len() as u32;
    let bytes = std::mem::take(&mut woven.bytes);
    class.set_woven(woven);
    state.write(&Record::Class(class));
    Some(bytes)
}

/// Whether a class has the code of method handles that was made when the JDK was built. What is made later is hidden and not seen, so
/// this is not to be seen either: what a handle runs is called by whoever calls the handle.
fn is_of_handles(class: &[u8]) -> bool {
    class.starts_with(b"java/lang/invoke/") && class.ends_with(b"$Holder")
}

/// Where the classes of a protection domain are from: the fields of its code source's URL, read without running Java code.
fn location(jni: Jni, domain: jobject) -> Option<String> {
    let source = jni.field(domain, "codesource", "Ljava/security/CodeSource;")?;
    let url = jni.field(source, "location", "Ljava/net/URL;")?;
    let part = |name| {
        let text = jni.field(url, name, "Ljava/lang/String;").and_then(|text| jni.text(text));
        String::from_utf8_lossy(&text.unwrap_or_default()).into_owned()
    };
    let (protocol, host, file) = (part("protocol"), part("host"), part("file"));
    let host = if host.is_empty() { host } else { format!("//{host}") };
    Some(format!("{protocol}:{host}{file}"))
}
