//! Traces a Java program from within its JVM.
//!
//! The JVM loads this library before anything else (`-agentpath:LIBRARY=DIRECTORY`). Each class that is loaded passes through [`hook::load`], which
//! weaves tracing into it (`heliostat-weave`) and writes to the log of the process what its numbers mean. What woven code counts
//! goes into a file that is mapped into memory; what it says of reflection comes through [`actions`] and goes to the log. So there is nothing to do when
//! the process ends, in whichever way it does.
//!
//! Nothing here may take the program down: whatever fails is left out.
#![expect(unsafe_code, reason = "the JVM is called, and calls, through tables of C functions")]
// The JVM's own names.
#![allow(non_snake_case)]

mod actions;
mod agent;
mod hook;
mod jni;
mod jvmti;

use std::ffi::{CStr, c_char, c_void};
use std::panic::catch_unwind;

use jni_sys::{JNI_OK, JavaVM, jint};

/// The JVM calls this when it has loaded the library.
///
/// # Safety
///
/// The arguments are as the JVM gives them.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Agent_OnLoad(vm: *mut JavaVM, options: *mut c_char, _: *mut c_void) -> jint {
    let started = catch_unwind(|| {
        let directory = if options.is_null() {
            return Err("no directory is given".to_owned());
        } else {
            unsafe { CStr::from_ptr(options) }.to_string_lossy().into_owned()
        };
        unsafe { agent::start(vm, &directory) }
    });
    match started {
        Ok(Ok(())) => {}
        Ok(Err(why)) => tell(&why),
        Err(_) => tell("the agent has failed"),
    }
    // Anything else would end the program.
    JNI_OK
}

/// Says why there is no trace, where whoever started the program can see it.
#[expect(clippy::print_stderr, reason = "there is nowhere else to say it")]
fn tell(why: &str) {
    eprintln!("heliostat: the program cannot be traced: {why}");
}
