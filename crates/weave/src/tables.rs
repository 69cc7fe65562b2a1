//! The other tables that hang on code: they speak of offsets, which weaving changes.

use heliostat_classfile::{Attribute, Handler};

use crate::layout::Layout;
use crate::weave::Refused;

/// The exception table, with its count.
pub(crate) fn handlers(handlers: &[Handler], layout: &Layout<'_>) -> Result<Vec<u8>, Refused> {
    let mut out = (handlers.len() as u16).to_be_bytes().to_vec();
    for handler in handlers {
        let from = layout.covered_from(handler.start)?;
        for new in [from, layout.start_of(handler.end)?, layout.start_of(handler.target)?] {
            out.extend((new as u16).to_be_bytes());
        }
        out.extend(handler.catch_type.to_be_bytes());
    }
    Ok(out)
}

/// An attribute of code, other than the frames, as it reads after weaving. None if it is left out: what debuggers and profilers alone look
/// at, and what is damaged.
pub(crate) fn attribute(attribute: &Attribute<'_>, layout: &Layout<'_>) -> Option<Vec<u8>> {
    let rows = attribute.bytes;
    match attribute.name {
        b"LineNumberTable" => lines(rows, layout),
        b"LocalVariableTable" | b"LocalVariableTypeTable" => variables(rows, layout),
        _ => None,
    }
}

/// A count, then start and line of each row.
fn lines(table: &[u8], layout: &Layout<'_>) -> Option<Vec<u8>> {
    let (count, rows) = table.split_at_checked(2)?;
    let mut out = count.to_vec();
    for row in rows.chunks(4) {
        let &[a, b, ref line @ ..] = row else { return None };
        out.extend(new_start(u16::from_be_bytes([a, b]), layout)?.to_be_bytes());
        out.extend(line.first_chunk::<2>()?);
    }
    Some(out)
}

/// A count, then start, length, name, type and slot of each row.
fn variables(table: &[u8], layout: &Layout<'_>) -> Option<Vec<u8>> {
    let (count, rows) = table.split_at_checked(2)?;
    let mut out = count.to_vec();
    for row in rows.chunks(10) {
        let &[a, b, c, d, ref rest @ ..] = row else { return None };
        let (start, length) = (u16::from_be_bytes([a, b]), u16::from_be_bytes([c, d]));
        let from = new_start(start, layout)?;
        let to = new_start(start.checked_add(length)?, layout)?;
        out.extend(from.to_be_bytes());
        out.extend(to.checked_sub(from)?.to_be_bytes());
        out.extend(rest.first_chunk::<6>()?);
    }
    Some(out)
}

fn new_start(pc: u16, layout: &Layout<'_>) -> Option<u16> {
    layout.start_of(pc.into()).ok().map(|start| start as u16)
}
