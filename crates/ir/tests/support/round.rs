//! One class through everything below the analyses: indexed, linked, resolved, lowered, verified, printed.

use std::hint::black_box;

use bytes::Bytes;
use heliostat_index::Ids;
use heliostat_ir::{Body, Dominators, Lowerer, PostDominators, parse, print, verify};
use heliostat_program::{Builder, ClassId, HandleMember, PoolEntry, Program, SourceId};

/// What became of a class.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// Methods lowered, and found to be as the IR's specification says.
    pub lowered: u32,
    /// Methods that cannot be lowered.
    pub refused: u32,
}

/// Takes a class, with others around it, through everything. Panics where an invariant is broken: whatever
/// is lowered passes the verifier and reads back from its text as it was.
pub fn round(class: &Bytes, others: &[Bytes], lowerer: &mut Lowerer) -> Tally {
    let mut builder = Builder::new();
    let source = SourceId::from_u32(0);
    let first = builder.add(class.clone(), source).ok().and_then(|added| added.class.ok());
    for other in others {
        let _ = black_box(builder.add(other.clone(), source));
    }
    let (mut program, problems) = builder.finish();
    black_box(problems);
    let classes: Vec<ClassId> = program.classes().ids().collect();
    for &class in &classes {
        black_box(program.missing_from(class));
        look_around(&program, class);
    }
    for &class in &classes {
        resolve_all(&program, class);
    }
    first.map_or(Tally::default(), |class| lower_all(&mut program, class, lowerer))
}

/// Asks everything that the hierarchy answers.
fn look_around(program: &Program, class: ClassId) {
    let ty = program.classes()[class].ty;
    black_box((program.class_name(class), program.subtypes(class), program.nest_host(class)));
    assert!(program.super_classes(class).count() <= program.classes().len(), "endless superclasses");
    for (other, data) in program.classes().iter() {
        let joined = program.join(ty, data.ty);
        assert_eq!(joined, program.join(data.ty, ty), "join depends on order");
        black_box((program.subtype(ty, data.ty), program.is_subtype_class(class, other)));
    }
}

/// Resolves every reference of a constant pool and of the bootstrap table.
fn resolve_all(program: &Program, class: ClassId) {
    let Some(linked) = program.linked(class) else { return };
    for &entry in linked.entries() {
        match entry {
            PoolEntry::Method(id) => {
                let reference = program.method_ref(id);
                black_box(program.method_ref_name(id));
                if let Some(method) = program.resolve_method(reference, class).member() {
                    black_box(program.select(reference.owner, method));
                    black_box(program.select_special(reference, method, class));
                }
            }
            PoolEntry::Field(id) => {
                black_box(program.field_ref_name(id));
                black_box(program.resolve_field(program.field_ref(id), class));
            }
            PoolEntry::Call(id) => {
                let bootstrap = linked.bootstrap(program.dynamic(id).bootstrap);
                if let Some(HandleMember::Method(method)) =
                    bootstrap.map(|row| program.handle(row.method).member)
                {
                    black_box(program.resolve_method(program.method_ref(method), class));
                }
            }
            PoolEntry::Constant(constant) => _ = black_box(constant.ty(program)),
            PoolEntry::None => {}
        }
    }
}

fn lower_all(program: &mut Program, class: ClassId, lowerer: &mut Lowerer) -> Tally {
    let mut tally = Tally::default();
    for method in Ids::between(program.classes()[class].methods.clone()) {
        if !program.methods()[method].has_code() {
            continue;
        }
        black_box(lowerer.lower(program, method).is_ok());
        match lowerer.lower_checked(program, method) {
            Ok((body, check)) => {
                black_box(check);
                check_body(program, &body);
                tally.lowered += 1;
            }
            Err(problem) => {
                let size = program.classes()[class].bytes.len();
                assert!(problem.offset as usize <= size, "offset outside of the class: {problem}");
                tally.refused += 1;
            }
        }
    }
    tally
}

fn check_body(program: &mut Program, body: &Body) {
    let name = program.method_name(body.method);
    if let Err(violation) = verify(program, body) {
        panic!("{name}: {violation}\n{}", print(program, body));
    }
    let (dominators, post_dominators) = (Dominators::of(body), PostDominators::of(body));
    for block in body.block_ids() {
        assert!(dominators.dominates(Body::ENTRY, block), "{name}: {block} without the entry");
        black_box((post_dominators.post_dominates(block, Body::ENTRY), body.type_guard(block)));
    }
    let text = print(program, body);
    match parse(program, &text) {
        Ok(again) => {
            let again = print(program, &again);
            assert!(again == text, "{name} reads back differently:\n{text}\n{again}");
        }
        Err(error) => panic!("{name} does not read back: {error}\n{text}"),
    }
}
