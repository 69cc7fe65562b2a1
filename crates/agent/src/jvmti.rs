//! As much of JVMTI as is needed: a table of functions, found by the numbers of the specification.

use std::ffi::{CStr, CString, c_char, c_uchar, c_void};
use std::ptr::null_mut;

use jni_sys::{JNI_OK, JNIEnv, JavaVM, jclass, jint, jmethodID, jobject};

/// The oldest version that has everything.
const VERSION_1_1: jint = 0x3001_0100;

pub(crate) type Env = *mut *const [*const c_void; 160];

/// The JVM's interface for tools.
#[derive(Clone, Copy)]
pub(crate) struct Jvmti(Env);

// The JVM lets every thread call it.
unsafe impl Send for Jvmti {}
unsafe impl Sync for Jvmti {}

/// The events that are listened to.
#[derive(Clone, Copy)]
pub(crate) enum Event {
    ClassFileLoadHook = 54,
    VmStart = 57,
}

pub(crate) type LoadHook = unsafe extern "system" fn(
    Env,
    *mut JNIEnv,
    jclass,
    jobject,
    *const c_char,
    jobject,
    jint,
    *const c_uchar,
    *mut jint,
    *mut *mut c_uchar,
);
pub(crate) type StartHook = unsafe extern "system" fn(Env, *mut JNIEnv);

/// The callbacks in the order of the events' numbers, from 50 on.
#[repr(C)]
pub(crate) struct Callbacks {
    pub(crate) vm_init: *const c_void,
    pub(crate) vm_death: *const c_void,
    pub(crate) thread_start: *const c_void,
    pub(crate) thread_end: *const c_void,
    pub(crate) class_file_load_hook: Option<LoadHook>,
    pub(crate) class_load: *const c_void,
    pub(crate) class_prepare: *const c_void,
    pub(crate) vm_start: Option<StartHook>,
}

/// Bits of capabilities, by their place in the structure of the specification.
const CAN_GENERATE_ALL_CLASS_HOOK_EVENTS: u32 = 26;
const CAN_GENERATE_EARLY_CLASS_HOOK_EVENTS: u32 = 42;

macro_rules! functions {
    ($($(#[$doc:meta])* $name:ident = $number:literal ($($arg:ident: $ty:ty),*);)*) => {
        impl Jvmti {
            $($(#[$doc])* unsafe fn $name(self, $($arg: $ty),*) -> Result<(), jint> {
                type Function = unsafe extern "system" fn(Env $(, $ty)*) -> jint;
                let function = unsafe { *(&raw const (**self.0)[$number - 1]) };
                let function: Function = unsafe { std::mem::transmute(function) };
                match unsafe { function(self.0 $(, $arg)*) } {
                    0 => Ok(()),
                    error => Err(error),
                }
            })*
        }
    };
}

functions! {
    set_event_notification_mode = 2 (mode: jint, event: jint, thread: jobject);
    allocate = 46 (size: i64, memory: *mut *mut c_uchar);
    deallocate = 47 (memory: *mut c_uchar);
    get_class_signature = 48 (class: jclass, signature: *mut *mut c_char, generic: *mut *mut c_char);
    get_method_name = 64 (method: jmethodID, name: *mut *mut c_char, signature: *mut *mut c_char, generic: *mut *mut c_char);
    get_method_declaring_class = 65 (method: jmethodID, declaring: *mut jclass);
    set_event_callbacks = 122 (callbacks: *const Callbacks, size: jint);
    get_system_property = 131 (name: *const c_char, value: *mut *mut c_char);
    add_capabilities = 142 (capabilities: *const [u8; 16]);
}

impl Jvmti {
    /// The interface of a JVM.
    pub(crate) unsafe fn of(vm: *mut JavaVM) -> Result<Self, String> {
        let mut env: *mut c_void = null_mut();
        let get = unsafe { (**vm).GetEnv }.ok_or("the JVM has no GetEnv")?;
        match unsafe { get(vm, &raw mut env, VERSION_1_1) } {
            JNI_OK => Ok(Self(env.cast())),
            error => Err(format!("the JVM has no JVMTI 1.1 (error {error})")),
        }
    }

    /// Asks to be called for every class, those that are loaded before the JVM runs among them.
    pub(crate) unsafe fn add_hooks(self) -> Result<(), String> {
        let mut early = [0_u8; 16];
        for bit in [CAN_GENERATE_ALL_CLASS_HOOK_EVENTS, CAN_GENERATE_EARLY_CLASS_HOOK_EVENTS] {
            early[bit as usize / 8] |= 1 << (bit % 8);
        }
        // Up to Java 8, hooks are early without being asked.
        let mut plain = [0_u8; 16];
        plain[CAN_GENERATE_ALL_CLASS_HOOK_EVENTS as usize / 8] |=
            1 << (CAN_GENERATE_ALL_CLASS_HOOK_EVENTS % 8);
        unsafe { self.add_capabilities(&raw const early) }
            .or_else(|_| unsafe { self.add_capabilities(&raw const plain) })
            .map_err(|error| format!("the JVM does not show its classes (error {error})"))
    }

    pub(crate) unsafe fn listen(self, callbacks: &Callbacks, events: &[Event]) -> Result<(), String> {
        let size = size_of::<Callbacks>() as jint;
        let told = unsafe { self.set_event_callbacks(&raw const *callbacks, size) };
        let mut listening = told;
        for &event in events {
            listening = listening
                .and_then(|()| unsafe { self.set_event_notification_mode(1, event as jint, null_mut()) });
        }
        listening.map_err(|error| format!("the JVM does not tell of events (error {error})"))
    }

    /// Memory that the JVM frees, with these bytes.
    pub(crate) unsafe fn copy(self, bytes: &[u8]) -> Option<*mut c_uchar> {
        let mut memory = null_mut();
        unsafe { self.allocate(bytes.len() as i64, &raw mut memory) }.ok()?;
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), memory, bytes.len()) };
        Some(memory)
    }

    /// A text of the JVM, which is freed.
    unsafe fn take(self, text: *mut c_char) -> Vec<u8> {
        if text.is_null() {
            return Vec::new();
        }
        let taken = unsafe { CStr::from_ptr(text) }.to_bytes().to_vec();
        let _ = unsafe { self.deallocate(text.cast()) };
        taken
    }

    pub(crate) unsafe fn property(self, name: &str) -> Option<String> {
        let name = CString::new(name).ok()?;
        let mut value = null_mut();
        unsafe { self.get_system_property(name.as_ptr(), &raw mut value) }.ok()?;
        Some(String::from_utf8_lossy(&unsafe { self.take(value) }).into_owned())
    }

    /// The descriptor of a class.
    pub(crate) unsafe fn descriptor(self, class: jclass) -> Option<Vec<u8>> {
        let mut signature = null_mut();
        unsafe { self.get_class_signature(class, &raw mut signature, null_mut()) }.ok()?;
        Some(unsafe { self.take(signature) })
    }

    /// Descriptor of the class, name and descriptor of a method.
    pub(crate) unsafe fn method(self, method: jmethodID) -> Option<[Vec<u8>; 3]> {
        let (mut class, mut name, mut signature) = (null_mut(), null_mut(), null_mut());
        unsafe { self.get_method_declaring_class(method, &raw mut class) }.ok()?;
        unsafe { self.get_method_name(method, &raw mut name, &raw mut signature, null_mut()) }.ok()?;
        let texts = unsafe { [self.take(name), self.take(signature)] };
        let [name, signature] = texts;
        Some([unsafe { self.descriptor(class) }?, name, signature])
    }
}
