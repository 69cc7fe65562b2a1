//! Total reader of Java class files: bytes in, structure and problems out.
