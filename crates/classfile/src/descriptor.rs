//! Field and method descriptors (JVMS 4.3).

/// The type that a field descriptor, or a part of a method descriptor, names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Descriptor<'a> {
    /// One of `B C D F I J S Z`.
    Primitive(u8),
    /// Internal name of a class.
    Class(&'a [u8]),
    /// The whole descriptor of an array type.
    Array(&'a [u8]),
}

/// A method descriptor: parameters, and the return type unless it is `void`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MethodDescriptor<'a> {
    /// The parameters' types.
    pub parameters: Vec<Descriptor<'a>>,
    /// The return type, or none for `void`.
    pub result: Option<Descriptor<'a>>,
}

/// Parses a field descriptor.
pub fn field_descriptor(text: &[u8]) -> Option<Descriptor<'_>> {
    match split(text)? {
        (descriptor, []) => Some(descriptor),
        _ => None,
    }
}

/// Parses a method descriptor. One whose parameters take more than 255 slots is none (JVMS 4.3.3).
pub fn method_descriptor(text: &[u8]) -> Option<MethodDescriptor<'_>> {
    let mut rest = text.strip_prefix(b"(")?;
    let mut parameters = Vec::new();
    let mut slots = 0;
    while let Some((first, _)) = rest.split_first() {
        if *first == b')' {
            break;
        }
        let (descriptor, tail) = split(rest)?;
        slots += if matches!(descriptor, Descriptor::Primitive(b'J' | b'D')) { 2 } else { 1 };
        if slots > 255 {
            return None;
        }
        parameters.push(descriptor);
        rest = tail;
    }
    let result = match rest.strip_prefix(b")")? {
        b"V" => None,
        result => Some(field_descriptor(result)?),
    };
    Some(MethodDescriptor { parameters, result })
}

/// JVMS 4.2.1, as far as it tells class names from array descriptors, and one descriptor from the next.
pub(crate) fn is_class_name(name: &[u8]) -> bool {
    !name.is_empty() && !name.iter().any(|b| matches!(b, b'[' | b';' | b'.'))
}

/// The first type of `text`, and what follows it.
fn split(text: &[u8]) -> Option<(Descriptor<'_>, &[u8])> {
    let (&first, rest) = text.split_first()?;
    match first {
        b'B' | b'C' | b'D' | b'F' | b'I' | b'J' | b'S' | b'Z' => Some((Descriptor::Primitive(first), rest)),
        b'L' => {
            let end = rest.iter().position(|&b| b == b';')?;
            let name = rest.get(..end).filter(|name| is_class_name(name))?;
            Some((Descriptor::Class(name), rest.get(end + 1..)?))
        }
        b'[' => {
            let dimensions = text.iter().take_while(|&&b| b == b'[').count();
            if dimensions > 255 {
                return None;
            }
            let (_, tail) = split(text.get(dimensions..)?)?;
            Some((Descriptor::Array(text.get(..text.len() - tail.len())?), tail))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_methods() {
        let parsed = method_descriptor(b"(I[[Ljava/lang/String;J)V").unwrap();
        assert_eq!(
            parsed.parameters,
            [
                Descriptor::Primitive(b'I'),
                Descriptor::Array(b"[[Ljava/lang/String;"),
                Descriptor::Primitive(b'J')
            ]
        );
        assert_eq!(parsed.result, None);
        let getter = method_descriptor(b"()La;").unwrap();
        assert_eq!(getter.result, Some(Descriptor::Class(b"a")));
    }

    #[test]
    fn rejects_damage() {
        for text in
            ["", "I", "(", "()", "(V)V", "(L)V", "([)V", "()VV", "(Ljava/lang/String)V", "(L[;)V", "(La.b;)V"]
        {
            assert_eq!(method_descriptor(text.as_bytes()), None, "{text}");
        }
        assert_eq!(field_descriptor("[".repeat(256).as_bytes()), None);
        for (parameter, most) in [("I", 255), ("[J", 255), ("J", 127), ("Lx;", 255)] {
            let of = |n| format!("({})V", parameter.repeat(n));
            assert!(method_descriptor(of(most).as_bytes()).is_some(), "{most} of {parameter}");
            assert!(method_descriptor(of(most + 1).as_bytes()).is_none(), "{} of {parameter}", most + 1);
        }
        assert_eq!(field_descriptor(b"II"), None);
    }
}
