//! Subroutines, which the lowering copies for each of their calls.

use crate::asm::Body;
use crate::{refused, with_method};

/// Subroutines that each call the next one `calls` times: `calls` to the power of `levels` in all.
fn nested(levels: u16, calls: u16, last: &[u8]) -> Body {
    // jsr (3 bytes each), then `ret`; the first level returns from the method instead.
    let mut code = Vec::new();
    let size = |level: u16| if level == 0 { 3 * calls + 1 } else { 2 + 3 * calls + 2 };
    for level in 0..levels {
        let next = code.len() as u16 + size(level);
        if level > 0 {
            code.extend([0x3a, level as u8]); // astore level
        }
        for _ in 0..calls {
            let delta = next - code.len() as u16;
            code.push(0xa8);
            code.extend(delta.to_be_bytes());
        }
        if level == 0 {
            code.push(0xb1);
        } else {
            code.extend([0xa9, level as u8]);
        }
    }
    code.extend([0x3a, levels as u8]);
    code.extend_from_slice(last);
    code.extend([0xa9, levels as u8]);
    Body { max_locals: 256, ..Body::new(code) }
}

#[test]
fn a_few_copies() {
    assert!(crate::lower(&with_method("()V", &nested(5, 4, &[]))).is_ok());
}

#[test]
fn exponentially_many_copies() {
    let (what, _) = refused(&with_method("()V", &nested(60, 2, &[])));
    assert_eq!(what, "too many subroutine calls");
    let (what, _) = refused(&with_method("()V", &nested(3, 200, &[])));
    assert_eq!(what, "too many subroutine calls");
}

/// Few copies, but of much code: in one block, in many blocks, in many edges.
#[test]
fn copies_of_much() {
    let straight: Vec<u8> = [0x03, 0x57].repeat(30_000);
    let (what, _) = refused(&with_method("()V", &nested(2, 60, &straight)));
    assert_eq!(what, "too many copies of subroutines");
    // goto the next instruction
    let jumps: Vec<u8> = [0xa7, 0, 3].repeat(10_000);
    let (what, _) = refused(&with_method("()V", &nested(2, 60, &jumps)));
    assert_eq!(what, "too many copies of subroutines");
    let mut handled = nested(2, 20, &[0xa7, 0, 3].repeat(250));
    let end = handled.code.len() as u16;
    handled.code.extend([0x57, 0xb1]);
    // Each has its own target: `pop; return`, with nops in front to tell them apart.
    for _ in 0..250 {
        handled.code.extend([0x00, 0x57, 0xb1]);
    }
    handled.handlers = (0..250).map(|i| [0, end, end + 2 + 3 * i, 0]).collect();
    let class = with_method("()V", &handled);
    assert!(crate::lower(&class).is_ok(), "only the first that catches everything counts");
    let mut class = crate::asm::Asm::new("Hostile");
    let types: Vec<u16> = (0..250).map(|i| class.class(format!("E{i}"))).collect();
    for (row, ty) in handled.handlers.iter_mut().zip(types) {
        row[3] = ty;
    }
    class.method("m", "()V", &handled);
    assert_eq!(refused(&class).0, "too many jumps and exception handlers");
}
