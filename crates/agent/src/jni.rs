//! As much of JNI as is needed. No function here runs code of the program: none is used that initialises its
//! classes, as the number of a method or a field is not to be had without.

use std::ffi::CString;

use heliostat_weave::{HOST, LIVE};
use jni_sys::{JNIEnv, jboolean, jclass, jfieldID, jint, jmethodID, jobject};

/// The JVM's interface for native code, in one thread.
#[derive(Clone, Copy)]
pub(crate) struct Jni(*mut JNIEnv);

/// Calls a function of the table, if the JVM has it.
macro_rules! call {
    ($jni:expr, $name:ident $(, $arg:expr)*) => {
        unsafe { (**$jni.0).$name }.map(|function| unsafe { function($jni.0 $(, $arg)*) })
    };
}

impl Jni {
    /// None before the JVM has one.
    pub(crate) fn new(env: *mut JNIEnv) -> Option<Self> {
        (!env.is_null()).then_some(Self(env))
    }

    fn find_class(self, name: &str) -> Option<jclass> {
        let name = CString::new(name).ok()?;
        let class = call!(self, FindClass, name.as_ptr())?;
        self.not_null(class)
    }

    /// Nothing if a function failed; no exception stays behind.
    fn not_null(self, object: jobject) -> Option<jobject> {
        if object.is_null() {
            call!(self, ExceptionClear);
            return None;
        }
        Some(object)
    }

    /// Lets woven code call the native method.
    pub(crate) fn bind(self) -> Option<()> {
        let host = self.find_class(&String::from_utf8_lossy(HOST))?;
        let (name, ty) = (CString::new(LIVE.0).ok()?, CString::new(LIVE.1).ok()?);
        let live = call!(self, GetStaticFieldID, host, name.as_ptr(), ty.as_ptr())?;
        if live.is_null() {
            call!(self, ExceptionClear);
            return None;
        }
        call!(self, SetStaticBooleanField, host, live, jboolean::from(true))
    }

    /// The value of an instance field, by its name.
    pub(crate) fn field(self, object: jobject, name: &str, ty: &str) -> Option<jobject> {
        let field = self.field_id(object, name, ty)?;
        self.not_null(call!(self, GetObjectField, object, field)?)
    }

    /// The same of a field of type `int`.
    pub(crate) fn int_field(self, object: jobject, name: &str) -> Option<jint> {
        let field = self.field_id(object, name, "I")?;
        call!(self, GetIntField, object, field)
    }

    fn field_id(self, object: jobject, name: &str, ty: &str) -> Option<jfieldID> {
        let class = call!(self, GetObjectClass, object)?;
        let (name, ty) = (CString::new(name).ok()?, CString::new(ty).ok()?);
        let field = call!(self, GetFieldID, class, name.as_ptr(), ty.as_ptr())?;
        if field.is_null() {
            call!(self, ExceptionClear);
            return None;
        }
        Some(field)
    }

    /// The characters of a string, in the JVM's own encoding.
    pub(crate) fn text(self, string: jobject) -> Option<Vec<u8>> {
        let length = call!(self, GetStringUTFLength, string)? as usize;
        let characters = call!(self, GetStringLength, string)?;
        // Some JVMs end it with a zero.
        let mut text = vec![0_u8; length + 1];
        call!(self, GetStringUTFRegion, string, 0, characters, text.as_mut_ptr().cast())?;
        text.truncate(length);
        Some(text)
    }

    pub(crate) fn class_of(self, object: jobject) -> Option<jclass> {
        call!(self, GetObjectClass, object).filter(|class| !class.is_null())
    }

    pub(crate) fn elements(self, array: jobject) -> Vec<jobject> {
        let count = call!(self, GetArrayLength, array).unwrap_or(0);
        let elements = (0..count).filter_map(|index| call!(self, GetObjectArrayElement, array, index));
        elements.filter(|element| !element.is_null()).collect()
    }

    /// The method of this name and descriptor that an object has, whose class has begun to be initialised.
    pub(crate) fn selected(self, object: jobject, [_, name, descriptor]: &[Vec<u8>; 3]) -> Option<jmethodID> {
        let class = self.class_of(object)?;
        let (name, ty) = (CString::new(name.as_slice()).ok()?, CString::new(descriptor.as_slice()).ok()?);
        let method = call!(self, GetMethodID, class, name.as_ptr(), ty.as_ptr())?;
        if method.is_null() {
            call!(self, ExceptionClear);
            return None;
        }
        Some(method)
    }
}
