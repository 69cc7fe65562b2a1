//! Methods that are as large as can be in some respect.

use crate::asm::{Asm, Body, shorts};
use crate::{lower, lower_among, refused, with_method};

/// Code that goes on to the next instruction whether a test holds or not: two ways into it.
fn joins(n: usize) -> Vec<u8> {
    // iload_0; ifeq +4; nop
    [0x1a, 0x99, 0, 4, 0x00].repeat(n)
}

#[test]
fn claims_of_stack_and_locals() {
    let body = Body { max_stack: 65535, max_locals: 65535, code: vec![0xb1], ..Body::default() };
    let class = with_method("()V", &body);
    let (result, cost) = crate::measure(|| lower(&class));
    assert!(result.is_ok() && cost.peak < 1 << 20, "{cost:?}");
    // The last local variable of as many as there can be, in a few hundred blocks.
    let code = [&joins(300)[..], &[0x01, 0xc4, 0x3a, 0xff, 0xfe, 0xb1]].concat();
    let body = Body { max_locals: 65535, ..Body::new(code) };
    assert_eq!(refused(&with_method("(I)V", &body)).0, "too many local variables and blocks");
}

/// Each store begins a block, so that a handler sees it.
#[test]
fn stores_to_distinct_locals_under_a_handler() {
    let mut code = Vec::new();
    for local in 0..13_000_u16 {
        code.extend([0x01, 0xc4, 0x3a]);
        code.extend(local.to_be_bytes());
    }
    code.push(0xb1);
    let end = code.len() as u16 - 1;
    code.extend([0x57, 0xb1]);
    let body = Body { max_locals: 65535, handlers: vec![[0, end, end + 1, 0]], ..Body::new(code) };
    assert_eq!(refused(&with_method("()V", &body)).0, "too many local variables and blocks");
}

#[test]
fn as_many_handlers_as_can_be() {
    let code = [&[0x00; 1000][..], &[0xb1, 0x57, 0xb1]].concat();
    let same = Body { handlers: vec![[0, 1000, 1001, 0]; 65535], ..Body::new(code.clone()) };
    assert!(lower(&with_method("()V", &same)).is_ok());

    let mut class = Asm::new("Hostile");
    let types: Vec<u16> = (0..32_000).map(|i| class.class(format!("E{i}"))).collect();
    // Every one begins a block of its own.
    let handlers = types.iter().map(|&ty| [0, 1000, 1001, ty]).collect();
    class.method("m", "()V", &Body { handlers, ..Body::new(code.clone()) });
    assert!(lower(&class).is_ok());

    let mut class = Asm::new("Hostile");
    let types: Vec<u16> = (0..32_000).map(|i| class.class(format!("E{i}"))).collect();
    let handlers = types.iter().enumerate().map(|(i, &ty)| [i as u16 % 1000, 1000, 1001, ty]).collect();
    class.method("m", "()V", &Body { handlers, ..Body::new(code) });
    assert_eq!(refused(&class).0, "too many exception handlers");
}

/// As many landing blocks as handlers, each entered from every block.
#[test]
fn handlers_with_distinct_targets() {
    let mut code = [0xa7, 0, 3].repeat(400);
    let end = code.len() as u16;
    code.push(0xb1);
    let mut handlers = Vec::new();
    let mut class = Asm::new("Hostile");
    for i in 0..2000 {
        let ty = class.class(format!("E{i}"));
        handlers.push([0, end, code.len() as u16, ty]);
        code.extend([0x57, 0xb1]);
    }
    class.method("m", "()V", &Body { handlers, ..Body::new(code) });
    assert!(lower(&class).is_ok());
}

/// Handlers that read hundreds of variables, each with thousands of ways in.
#[test]
fn handlers_that_merge_everything() {
    let wide = |opcode: u8, local: u16| {
        let [high, low] = local.to_be_bytes();
        [0xc4, opcode, high, low]
    };
    let locals = 1..500_u16;
    let mut code: Vec<u8> =
        locals.clone().flat_map(|local| [&[0x01][..], &wide(0x3a, local)].concat()).collect();
    let start = code.len() as u16;
    // iinc 0 1: each begins a block.
    code.extend([0x84, 0, 1].repeat(4000));
    let end = code.len() as u16;
    code.push(0xb1);
    let mut class = Asm::new("Hostile");
    let mut handlers = Vec::new();
    for i in 0..5 {
        let ty = class.class(format!("E{i}"));
        handlers.push([start, end, code.len() as u16, ty]);
        code.push(0x57);
        code.extend(locals.clone().flat_map(|local| [&wide(0x19, local)[..], &[0x57]].concat()));
        code.push(0xb1);
    }
    class.method("m", "(I)V", &Body { max_locals: 500, handlers, ..Body::new(code) });
    assert_eq!(refused(&class).0, "too many merging values");
}

#[test]
fn a_deep_stack_at_many_joins() {
    let deep = |code: Vec<u8>| Body { max_stack: u16::MAX, ..Body::new(code) };
    // 2,000 values on the stack, then 10,000 joins.
    let code = [&[0x03][..], &[0x5c; 1000], &joins(10_000), &[0xb1]].concat();
    assert_eq!(refused(&with_method("(I)V", &deep(code))).0, "the operand stack is empty");
    let code = [&[0x03; 2][..], &[0x5c; 1000], &joins(10_000), &[0xb1]].concat();
    assert_eq!(refused(&with_method("(I)V", &deep(code))).0, "too many values on the operand stack");
    let code = [&[0x03; 2][..], &vec![0x5c; 30_000], &[0xb1]].concat();
    assert!(lower(&with_method("(I)V", &deep(code))).is_ok());
}

/// Local variables that nothing changes, read after thousands of joins: every phi is needless.
#[test]
fn chains_of_needless_phis() {
    let reads: Vec<u8> = (1..=60).flat_map(|local| [0x19, local, 0x57]).collect();
    let code = [&joins(6000)[..], &reads, &[0xb1]].concat();
    let descriptor = format!("(I{})V", "La;".repeat(60));
    let body = lower(&with_method(&descriptor, &Body { max_locals: 61, ..Body::new(code) })).unwrap();
    assert!(body.insts.values().all(|inst| inst.op != heliostat_ir::Op::Phi));
}

/// Blocks that each merge a value needlessly, and one place where all of them meet.
#[test]
fn a_needless_phi_of_needless_phis() {
    let n = 4600;
    let mut code = Vec::new();
    for i in 0..n {
        // Two ways to `iload_0; ifne +8; goto_w end`.
        code.extend([&joins(1)[..], &[0x1a, 0x9a, 0, 8, 0xc8]].concat());
        code.extend((14 * (n - i) - 9_i32).to_be_bytes());
    }
    code.extend([0x2b, 0xb0]);
    let body = lower(&with_method("(ILa;)La;", &Body::new(code))).unwrap();
    assert!(body.insts.values().all(|inst| inst.op != heliostat_ir::Op::Phi));
}

/// A chain in which each block can also go one back, entered at both ends: an iteration over the graph would
/// learn about one more dominator each time round, and thousands of blocks are reached from two switches that
/// lie far apart in the chain, so that each time would be long.
#[test]
fn dominators_that_come_slowly() {
    let (half, targets) = (4500_i32, 2500_i32);
    let words = |words: &mut dyn Iterator<Item = i32>| words.flat_map(i32::to_be_bytes).collect::<Vec<u8>>();
    let first = 24 + 4 * targets;
    let second = first + 4 + 4 * half;
    let after = second + 16 + 4 * targets;
    let returns = after + 4 * half;
    // The operands of `tableswitch` at `pc`, to the next instruction or to one of the returns.
    let switch = |pc: i32, next: i32| {
        let cases = (0..targets).map(|i| returns + i - pc);
        words(&mut [next - pc, 0, targets - 1].into_iter().chain(cases))
    };
    let back = |delta: i32| [&[0x1a, 0x9a][..], &(delta as i16).to_be_bytes()].concat();
    let code = [
        // iload_0; ifne +8; goto_w to the last of the chain
        &[0x1a, 0x9a, 0, 8, 0xc8][..],
        &(after + 4 * (half - 1) - 4).to_be_bytes(),
        &[0x1a, 0xaa, 0],
        &switch(10, first),
        &[0x00; 4],
        &back(-5).repeat(half as usize),
        &[0x1a, 0xaa, 0, 0],
        &switch(second + 1, after),
        &back(second - 4 - (after + 1)),
        &back(-5).repeat(half as usize - 1),
        &[0xb1].repeat(targets as usize),
    ]
    .concat();
    assert!(lower(&with_method("(I)V", &Body::new(code))).is_ok());
}

#[test]
fn a_switch_with_one_target() {
    let cases = 16_000_i32;
    let mut code = vec![0x1a, 0xaa, 0, 0];
    let target = 16 + 4 * cases - 1;
    for word in [target, 0, cases - 1].into_iter().chain((0..cases).map(|_| target)) {
        code.extend(word.to_be_bytes());
    }
    code.extend([0x2b, 0xb0]);
    let body = lower(&with_method("(ILa;)La;", &Body::new(code))).unwrap();
    assert_eq!(body.blocks.len(), 2);
}

/// A frame for each instruction, each with as many local variables as there can be.
#[test]
fn frames_with_all_locals() {
    let mut table = shorts(&[60_000, 0xff00, 0, 65535]);
    table.remove(3);
    table.extend(vec![0; 65535]);
    table.extend([0, 0]);
    table.extend(vec![0; 59_999]);
    let code = [&vec![0x00; 60_000][..], &[0xb1]].concat();
    let body = Body { max_locals: 65535, attributes: vec![("StackMapTable", table)], ..Body::new(code) };
    let (what, _) = refused(&with_method("()V", &body));
    assert_eq!(what, "malformed attribute StackMapTable");
}

/// Variables of frames that nothing ever sets.
#[test]
fn frames_with_unset_locals() {
    let mut table = shorts(&[1000]);
    table.extend([255, 0, 1, 0x03, 0xe8]);
    table.extend([1; 1000]);
    table.extend([0, 0]);
    table.extend([0; 999]);
    let code = [&[0x00; 4000][..], &[0xb1]].concat();
    let body = Body { max_locals: 1000, attributes: vec![("StackMapTable", table)], ..Body::new(code) };
    assert!(lower(&with_method("()V", &body)).is_ok());
}

/// A hierarchy as deep as can be, and a value that climbs it.
#[test]
fn types_that_climb() {
    let depth = 2000_u16;
    let class = |i: u16| {
        let name = format!("C{i}");
        if i == 0 { Asm::new(&name).bytes() } else { Asm::new(&name).extends(&format!("C{}", i - 1)).bytes() }
    };
    let classes: Vec<_> = (0..depth).map(class).collect();
    let mut asm = Asm::new("Hostile");
    let types: Vec<u16> = (0..depth).map(|i| asm.class(format!("C{i}"))).collect();
    // aconst_null; astore_1; then, in a loop: if (..) local_k = new C(k), from the deepest up, and moved on
    // from variable to variable so that the news travel slowly.
    let mut code = vec![0x01, 0x4c, 0x01, 0x4d, 0x01, 0x4e];
    let start = code.len();
    for &ty in types.iter().rev() {
        let [high, low] = ty.to_be_bytes();
        // iload_0; ifeq +7; new C; astore_1
        code.extend([0x1a, 0x99, 0, 7, 0xbb, high, low, 0x4c]);
        // iload_0; ifeq +5; aload_3; astore_2 ... aload_2; astore_1 is next time round
        code.extend([0x1a, 0x99, 0, 5, 0x2b, 0x4d, 0x1a, 0x99, 0, 5, 0x2c, 0x4e]);
    }
    let back = start as i32 - code.len() as i32;
    code.push(0xc8);
    code.extend(back.to_be_bytes());
    asm.method("m", "(I)V", &Body::new(code));
    assert!(lower_among(&asm, &classes).is_ok());
}
