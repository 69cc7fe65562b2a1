//! Stack map frames of woven code (JVMS 4.7.4): as before, with one more local variable.

use heliostat_classfile::{Code, ConstantPool, Descriptor, Frame, VerificationType, method_descriptor};

use crate::layout::Layout;
use crate::pool::Additions;
use crate::weave::{Refused, Target};

/// What a `StackMapTable` says after weaving: its content, or none if the method has none.
pub(crate) fn rewrite(
    target: &Target<'_>,
    code: &Code<'_>,
    pool: &ConstantPool<'_>,
    layout: &Layout<'_>,
    added: &mut Additions,
) -> Result<Option<Vec<u8>>, Refused> {
    let Some(frames) = code.frames(pool) else { return Ok(None) };
    let mut read = Vec::new();
    let initial = Frame { locals: initial_locals(target, added)?, ..Frame::default() };
    frames
        .visit(initial, |frame| {
            read.push(frame.clone());
            Ok(())
        })
        .map_err(|_| Refused::Malformed)?;
    let mut out = (read.len() as u16).to_be_bytes().to_vec();
    let mut before = None;
    for frame in &read {
        let at = layout.start_of(frame.offset)?;
        let delta = match before {
            None => at,
            Some(before) => at.checked_sub(before + 1u32).ok_or(Refused::Malformed)?,
        };
        before = Some(at);
        out.push(255);
        out.extend((delta as u16).to_be_bytes());
        let locals = with_saved(&frame.locals, code.max_locals);
        for types in [&locals, &frame.stack] {
            out.extend((types.len() as u16).to_be_bytes());
            for &ty in types {
                write(ty, layout, &mut out)?;
            }
        }
    }
    Ok(Some(out))
}

/// The local variables on entry: the receiver and the parameters.
fn initial_locals(target: &Target<'_>, added: &mut Additions) -> Result<Vec<VerificationType>, Refused> {
    let mut locals = Vec::new();
    if !target.is_static {
        locals.push(if target.name == b"<init>" && target.class != b"java/lang/Object" {
            VerificationType::UninitializedThis
        } else {
            VerificationType::Object(added.class(target.class)?)
        });
    }
    let descriptor = method_descriptor(target.descriptor).ok_or(Refused::Malformed)?;
    for parameter in descriptor.parameters {
        locals.push(verification_type(parameter, added)?);
    }
    Ok(locals)
}

fn verification_type(ty: Descriptor<'_>, added: &mut Additions) -> Result<VerificationType, Refused> {
    Ok(match ty {
        Descriptor::Primitive(b'F') => VerificationType::Float,
        Descriptor::Primitive(b'D') => VerificationType::Double,
        Descriptor::Primitive(b'J') => VerificationType::Long,
        Descriptor::Primitive(_) => VerificationType::Integer,
        Descriptor::Class(name) | Descriptor::Array(name) => VerificationType::Object(added.class(name)?),
    })
}

/// The local variables with the one that woven code keeps, in the slot after all others.
fn with_saved(locals: &[VerificationType], max_locals: u16) -> Vec<VerificationType> {
    let slots: usize = locals.iter().map(|&ty| slots(ty)).sum();
    let mut all = locals.to_vec();
    all.extend(std::iter::repeat_n(VerificationType::Top, usize::from(max_locals).saturating_sub(slots)));
    all.push(VerificationType::Integer);
    all
}

fn slots(ty: VerificationType) -> usize {
    if matches!(ty, VerificationType::Long | VerificationType::Double) { 2 } else { 1 }
}

fn write(ty: VerificationType, layout: &Layout<'_>, out: &mut Vec<u8>) -> Result<(), Refused> {
    let tag = match ty {
        VerificationType::Top => 0,
        VerificationType::Integer => 1,
        VerificationType::Float => 2,
        VerificationType::Double => 3,
        VerificationType::Long => 4,
        VerificationType::Null => 5,
        VerificationType::UninitializedThis => 6,
        VerificationType::Object(class) => {
            out.push(7);
            out.extend(class.to_be_bytes());
            return Ok(());
        }
        VerificationType::Uninitialized(new) => {
            out.push(8);
            out.extend((layout.instruction_of(new)? as u16).to_be_bytes());
            return Ok(());
        }
        VerificationType::Param(_) => return Err(Refused::Malformed),
    };
    out.push(tag);
    Ok(())
}
