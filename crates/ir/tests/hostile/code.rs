//! Code that no JVM would run: refused, with the reason and the bytecode offset.

use heliostat_ir::Op;

use crate::asm::{Asm, Body, shorts};
use crate::{lower, refused, with_method};

/// Why a static method of this type with this code is refused.
fn why(descriptor: &str, code: &[u8]) -> (String, i64) {
    refused(&with_method(descriptor, &Body::new(code)))
}

fn told(what: &str, pc: i64) -> (String, i64) {
    (what.to_owned(), pc)
}

#[test]
fn jumps() {
    let nowhere = |to: i64| format!("jump to {to}, where no instruction begins");
    // Into the operand of `sipush`, past the end, before the start.
    assert_eq!(why("()V", &[0x11, 0, 0, 0x57, 0xa7, 0xff, 0xfd]), told(&nowhere(1), 1));
    assert_eq!(why("()V", &[0xa7, 0, 9, 0xb1]), told(&nowhere(9), 0));
    assert_eq!(why("()V", &[0xa7, 0xff, 0xff]), told(&nowhere(-1), 0));
    assert_eq!(why("()V", &[0xc8, 0x7f, 0xff, 0xff, 0xff]), told(&nowhere(0x7fff_ffff), 0));
    assert_eq!(why("()V", &[0x00]), told("code ends without a return", 1));
    assert_eq!(why("()V", &[0x03, 0x99, 0xff, 0xff]), told("code ends without a return", 4));
    assert_eq!(why("()V", &[0x11, 0]), told("unexpected end of data", 0));
    assert_eq!(why("()V", &[0xca]), told("unknown opcode 0xca", 0));
    assert_eq!(why("()V", &[0xc4, 0x00, 0, 0, 0xb1]), told("unknown opcode 0x00", 0));
}

#[test]
fn switches() {
    let switch = |opcode: u8, words: &[i32]| {
        let mut code = vec![0x03, opcode, 0, 0];
        code.extend(words.iter().flat_map(|word| word.to_be_bytes()));
        code.push(0xb1);
        why("()V", &code)
    };
    assert_eq!(switch(0xaa, &[12, i32::MIN, i32::MAX]), told("unexpected end of data", 1));
    assert_eq!(switch(0xaa, &[12, 0, i32::MAX]), told("unexpected end of data", 1));
    assert_eq!(switch(0xaa, &[15, 5, 3]), told("empty tableswitch", 1));
    assert_eq!(switch(0xab, &[11, -1]), told("negative lookupswitch", 1));
    assert_eq!(switch(0xab, &[11, i32::MAX]), told("unexpected end of data", 1));
    assert_eq!(switch(0xab, &[19, 1, 0, 7]), told("jump to 8, where no instruction begins", 8));
    let far = "jump to 1000001, where no instruction begins";
    assert_eq!(switch(0xab, &[19, 1, 0, 1_000_000]), told(far, 21));
    // Below an empty range there is nothing, yet the default is there.
    assert!(lower(&with_method("()V", &Body::new(table_switch(0, -1, 15)))).is_ok());
}

fn table_switch(low: i32, high: i32, default: i32) -> Vec<u8> {
    let words = [default, low, high].into_iter().flat_map(i32::to_be_bytes);
    [0x03, 0xaa, 0, 0].into_iter().chain(words).chain([0xb1]).collect()
}

#[test]
fn subroutines() {
    assert_eq!(why("()V", &[0xa9, 0]), told("ret without its jsr", 0));
    // Its first instruction does not keep the return address.
    assert_eq!(why("()V", &[0xa8, 0, 3, 0x57, 0xa9, 0]), told("ret without its jsr", 3));
    // One that calls itself: 0: jsr 4; return; 4: astore_1; iload_0; ifeq 12; jsr 4; 12: ret 1
    let recursive = [0xa8, 0, 4, 0xb1, 0x4c, 0x1a, 0x99, 0, 6, 0xa8, 0xff, 0xfb, 0xa9, 1];
    assert_eq!(why("(I)V", &recursive), told("ret without its jsr", 12));
    // Two that call each other and never return make a loop.
    let mutual = [0xa8, 0, 4, 0xb1, 0x4b, 0xa8, 0, 3, 0x4c, 0xa8, 0xff, 0xfb];
    assert_eq!(lower(&with_method("()V", &Body::new(mutual))).unwrap().blocks.len(), 5);
    // The return address as a number, and returned to past the end.
    assert_eq!(why("()V", &[0xa8, 0, 3, 0x3b, 0xb1]), told("operand of another kind", 3));
    assert_eq!(
        why("()V", &[0xa7, 0, 6, 0x4b, 0xa9, 0, 0xa8, 0xff, 0xfd]),
        told("code ends without a return", 9)
    );
}

/// A handler that covers a `try` and its `finally`, and itself calls that: the JVM takes it.
#[test]
fn abandoned_subroutines() {
    // 0: nop; jsr 5; return; 5: astore_1; nop; ret 1; 9: astore_2; jsr 5; aload_2; athrow
    let code = [0x00, 0xa8, 0, 4, 0xb1, 0x4c, 0x00, 0xa9, 1, 0x4d, 0xa8, 0xff, 0xfb, 0x2c, 0xbf];
    let body = Body { handlers: vec![[0, 9, 9, 0]], ..Body::new(code) };
    let body = lower(&with_method("()V", &body)).unwrap();
    let throws = body.block_ids().filter(|&b| body.insts[body.terminator(b).unwrap()].op == Op::Throw);
    assert_eq!(throws.count(), 1, "after the copy for the handler's call");
}

/// Subroutines each of which may call any other: the calls are bounded.
#[test]
fn subroutines_that_call_one_another() {
    // Each: astore; for each: iload_0; ifeq past; jsr that one; past: ...; return
    let count = 12_u16;
    let entry = |i: u16| 7 * count + 1 + i * (2 + 7 * count + 1);
    let mut code = Vec::new();
    for level in 0..=count {
        if level > 0 {
            code.extend([0x3a, level as u8]);
        }
        for to in 0..count {
            code.extend([0x1a, 0x99, 0, 6]);
            let delta = entry(to).wrapping_sub(code.len() as u16);
            code.push(0xa8);
            code.extend(delta.to_be_bytes());
        }
        code.push(0xb1);
    }
    let (what, _) = refused(&with_method("(I)V", &Body::new(code)));
    assert_eq!(what, "too many subroutine calls");
}

#[test]
fn deep_stacks() {
    let deep = "the operand stack is deeper than declared";
    let limited = |max_stack, descriptor: &str, code: &[u8]| {
        lower(&with_method(descriptor, &Body { max_stack, ..Body::new(code) }))
            .map(|_| ())
            .map_err(|(what, pc)| (what.to_string(), pc))
    };
    let told = |pc| Err((deep.to_owned(), pc));
    assert_eq!(limited(1, "()V", &[0x03, 0x57, 0xb1]), Ok(()));
    assert_eq!(limited(0, "()V", &[0x03, 0x57, 0xb1]), told(0));
    // Longs take two slots; so do their copies, and results of calls and loads.
    assert_eq!(limited(2, "()V", &[0x09, 0x58, 0xb1]), Ok(()));
    assert_eq!(limited(1, "()V", &[0x09, 0x58, 0xb1]), told(0));
    assert_eq!(limited(3, "()V", &[0x09, 0x5c, 0x58, 0x58, 0xb1]), told(1));
    assert_eq!(limited(4, "()V", &[0x09, 0x5c, 0x58, 0x58, 0xb1]), Ok(()));
    // What is there at a block's start counts: 0: lconst_0; goto 4; 4: iconst_0; pop; pop2; return
    assert_eq!(limited(2, "()V", &[0x09, 0xa7, 0, 3, 0x03, 0x57, 0x58, 0xb1]), told(4));
    assert_eq!(limited(3, "()V", &[0x09, 0xa7, 0, 3, 0x03, 0x57, 0x58, 0xb1]), Ok(()));
    // `swap` needs no room; an exception does.
    assert_eq!(limited(2, "()V", &[0x03, 0x03, 0x5f, 0x58, 0xb1]), Ok(()));
    let body = Body { max_stack: 0, handlers: vec![[0, 1, 1, 0]], ..Body::new([0xb1, 0xbf]) };
    assert_eq!(refused(&with_method("()V", &body)), (deep.to_owned(), 1));
    // Past 65,535 slots.
    let many = [&[0x03, 0x03][..], &vec![0x5c; 33_000], &[0xb1]].concat();
    assert_eq!(limited(u16::MAX, "()V", &many), told(2 + 32_766));
}

#[test]
fn handlers() {
    let handler = |row: [u16; 4]| {
        let body = Body { handlers: vec![row], ..Body::new([0x00, 0x11, 0, 0, 0x57, 0xb1]) };
        refused(&with_method("()V", &body))
    };
    assert_eq!(handler([4, 1, 0, 0]), told("exception handler range", 4));
    assert_eq!(handler([1, 1, 0, 0]), told("exception handler range", 1));
    assert_eq!(handler([0, 7, 0, 0]), told("exception handler range", 0));
    assert_eq!(handler([0xffff, 0xffff, 0, 0]), told("exception handler range", 6));
    assert_eq!(handler([0, 4, 6, 0]), told("exception handler range", 0));
    assert_eq!(handler([0, 2, 4, 0]), told("jump to 2, where no instruction begins", 2));
    assert_eq!(handler([0, 4, 4, 0xffff]), told("caught class", 4));
    // A handler of itself, and at the entry, is fine: an exception on top of the stack comes back forever.
    let body = Body { handlers: vec![[0, 1, 0, 0]], ..Body::new([0xbf]) };
    assert_eq!(refused(&with_method("()V", &body)), told("the operand stack is empty", 0));
}

#[test]
fn operands() {
    assert_eq!(why("()V", &[0x57, 0xb1]), told("the operand stack is empty", 0));
    assert_eq!(why("()V", &[0x09, 0x57, 0xb1]), told("half of a long or double", 1));
    assert_eq!(why("()V", &[0x03, 0x4b, 0xb1]), told("operand of another kind", 1));
    assert_eq!(why("()V", &[0x1a, 0x57, 0xb1]), told("a local variable is read before it is set", 0));
    assert_eq!(why("(I)V", &[0x2a, 0x57, 0xb1]), told("local variable of another kind", 0));
    let beyond = "a local variable beyond the declared number";
    assert_eq!(why("()V", &[0x03, 0x36, 16, 0xb1]), told(beyond, 1));
    assert_eq!(why("()V", &[0x09, 0x37, 15, 0xb1]), told(beyond, 1));
    assert_eq!(why("()V", &[0xc4, 0x15, 0xff, 0xff, 0xb1]), told(beyond, 0));
    assert_eq!(why("()V", &[0x84, 0xff, 1, 0xb1]), told(beyond, 0));
    assert_eq!(why("()V", &[0x12, 0, 0xb1]), told("constant pool index 0 is not a loadable constant", 0));
    assert_eq!(why("()V", &[0xbb, 0xff, 0xff, 0xb1]), told("constant pool index 65535 is not a class", 0));
    // A return of another kind than the method's, in either direction.
    let other = "return of another kind than the method's";
    assert_eq!(why("()V", &[0x03, 0xac]), told(other, 1));
    assert_eq!(why("()I", &[0xb1]), told(other, 0));
    assert_eq!(why("()J", &[0x03, 0xac]), told(other, 1));
}

#[test]
fn joins() {
    let depth = "operand stacks of different depth meet";
    // 0: iload_0; ifeq 5; iconst_0; 5: return
    assert_eq!(why("(I)V", &[0x1a, 0x99, 0, 4, 0x03, 0xb1]), told(depth, 5));
    // A loop that pushes.
    assert_eq!(why("()V", &[0x03, 0xa7, 0xff, 0xff]), told(depth, 0));
    // 0: iload_0; ifeq 9; iconst_0; goto 10; nop; 9: aconst_null; 10: pop; return
    let kinds = [0x1a, 0x99, 0, 8, 0x03, 0xa7, 0, 5, 0x00, 0x01, 0x57, 0xb1];
    assert_eq!(why("(I)V", &kinds), told("a slot holds values of different kinds", 10));
}

#[test]
fn arrays() {
    let mut asm = Asm::new("Hostile");
    let flat = asm.class("[I");
    let deep = asm.class(format!("{}I", "[".repeat(255)));
    let [high, low] = flat.to_be_bytes();
    asm.method("m", "(I)V", &Body::new([0x1a, 0xc5, high, low, 0, 0x57, 0xb1]));
    assert_eq!(refused(&asm), told("array of no dimensions", 1));

    let mut asm = Asm::new("Hostile");
    assert_eq!((asm.class("[I"), asm.class(format!("{}I", "[".repeat(255)))), (flat, deep));
    asm.method("m", "(I)V", &Body::new([0x1a, 0x1a, 0xc5, high, low, 2, 0x57, 0xb1]));
    assert_eq!(refused(&asm), told("array of fewer dimensions", 2));

    let mut asm = Asm::new("Hostile");
    assert_eq!((asm.class("[I"), asm.class(format!("{}I", "[".repeat(255)))), (flat, deep));
    let [high, low] = deep.to_be_bytes();
    asm.method("m", "(I)V", &Body::new([0x1a, 0xbd, high, low, 0x57, 0xb1]));
    assert_eq!(refused(&asm), told("array of too many dimensions", 1));

    // A reference out of an array of ints is some object, not an int.
    assert!(lower(&with_method("([I)Ljava/lang/Object;", &Body::new([0x2a, 0x03, 0x32, 0xb0]))).is_ok());
}

#[test]
fn frames() {
    let frames = |table: Vec<u8>| {
        let code = vec![0x00, 0x00, 0x00, 0xb1];
        let mut body = Body { max_stack: 2, max_locals: 4, code, ..Body::default() };
        body.attributes.push(("StackMapTable", table));
        lower(&with_method("()V", &body)).map(|_| ()).map_err(|(what, _)| what.to_string())
    };
    let malformed = Err("malformed attribute StackMapTable".to_owned());
    assert_eq!(frames(vec![0, 1, 2]), Ok(()));
    assert_eq!(frames(vec![0, 9, 2]), Err("unexpected end of data".to_owned()));
    assert_eq!(frames(vec![0, 1, 128]), malformed);
    assert_eq!(frames(vec![0, 1, 64, 9]), malformed);
    // A frame past the code, one that drops what is not there, ones with more than the method has.
    assert_eq!(frames(vec![0, 1, 4]), malformed);
    assert_eq!(frames(vec![0, 1, 248, 0, 1]), malformed);
    let full = |locals: &[u8], stack: &[u8]| {
        let counted = |list: &[u8]| [&(list.len() as u16).to_be_bytes()[..], list].concat();
        [&[0, 1, 255, 0, 1][..], &counted(locals), &counted(stack)].concat()
    };
    assert_eq!(frames(full(&[0, 0, 0, 0], &[])), Ok(()));
    assert_eq!(frames(full(&[0, 0, 0, 0, 0], &[])), malformed);
    assert_eq!(frames(full(&[4, 4, 4], &[])), malformed);
    assert_eq!(frames(full(&[], &[1, 1, 1])), malformed);
    assert_eq!(frames(full(&vec![4; 65535], &[])), malformed);
    assert_eq!(frames(shorts(&[0xffff])), Err("unexpected end of data".to_owned()));
}
