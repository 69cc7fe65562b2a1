//! What Java compilers do not write: subroutines, and call sites with the wrong arguments.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(missing_docs, unreachable_pub, dead_code, reason = "support is shared among tests")]

#[path = "../../ir/tests/support/asm.rs"]
mod asm;
mod support;

use heliostat_core::program::Program;
use heliostat_core::pta::facts::{Facts, Gap};
use heliostat_core::pta::reflection::NoReflection;
use heliostat_core::pta::{Entry, Flavour, Solution, analyse};

use asm::{Asm, Body, shorts};
use support::{MERGED, agree, jdk, main_of, options, with_library};

/// The class `Main` with this code of `main` and a little library behind, analysed by both implementations.
fn analysed(mut main: Asm, code: Vec<u8>) -> (Program, Solution) {
    main.method("main", "([Ljava/lang/String;)V", &Body::new(code));
    let mut program = with_library(vec![main.bytes().into(), task().into()], &jdk().program, 1);
    let entry = Entry::Main(main_of(&program, "Main"));
    let options = options(Flavour::INSENSITIVE, MERGED, vec![entry], false);
    agree("assembled", &mut program, &options);
    let solution = analyse(&mut program, &options, &mut NoReflection, &mut |_| true);
    (program, solution)
}

/// `class Task implements Runnable`, with a constructor and `run`.
fn task() -> Vec<u8> {
    let mut task = Asm::new("Task").implements("java/lang/Runnable");
    let object = task.member(10, "java/lang/Object", "<init>", "()V");
    let construct = [&[0x2a, 0xb7][..], &object.to_be_bytes(), &[0xb1]].concat();
    for (name, code) in [("<init>", construct), ("run", vec![0xb1])] {
        let code = task.code_attribute(&Body::new(code));
        let head = [1, task.utf8(name), task.utf8("()V"), 1];
        task.raw_method(&[shorts(&head), code].concat());
    }
    task.bytes()
}

/// Each `jsr` has a copy of its subroutine. A cast and a call there are one cast and one call all the same.
#[test]
fn copies_of_subroutines_count_once() {
    let mut main = Asm::new("Main");
    main.version = (49, 0);
    let class = main.class("Task").to_be_bytes();
    let constructor = main.member(10, "Task", "<init>", "()V").to_be_bytes();
    let runnable = main.class("java/lang/Runnable").to_be_bytes();
    let run = main.member(11, "java/lang/Runnable", "run", "()V").to_be_bytes();
    let code = [
        // new Task(), kept in variable 1.
        &[0xbb, class[0], class[1], 0x59, 0xb7, constructor[0], constructor[1], 0x4c][..],
        // Two calls of the subroutine, and the end.
        &[0xa8, 0, 7, 0xa8, 0, 4, 0xb1],
        // The subroutine: ((Runnable) task).run()
        &[0x4d, 0x2b, 0xc0, runnable[0], runnable[1], 0xb9, run[0], run[1], 1, 0, 0xa9, 2],
    ];
    let (program, solution) = analysed(main, code.concat());
    let sites = solution.virtual_sites(&solution.calls());
    let own = main_of(&program, "Main");
    let found: Vec<_> = sites.iter().filter(|s| s.method == own).map(|s| (s.offset, s.targets)).collect();
    assert_eq!(found, [(20, 1)]);
    let casts = solution.casts(&program);
    let casts: Vec<_> = casts.iter().filter(|c| c.method == own).map(|c| (c.offset, c.may_fail)).collect();
    assert_eq!(casts, [(17, false)]);
}

/// A lambda whose metafactory is given nothing makes nothing, and that is told.
#[test]
fn call_sites_without_arguments_are_told() {
    let mut main = Asm::new("Main");
    let metafactory = main.member(
        10,
        "java/lang/invoke/LambdaMetafactory",
        "metafactory",
        "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;\
         Ljava/lang/invoke/MethodType;Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodType;)\
         Ljava/lang/invoke/CallSite;",
    );
    let handle = main.handle(6, metafactory);
    main.attribute("BootstrapMethods", &shorts(&[1, handle, 0]));
    let site = main.dynamic(18, 0, "run", "()Ljava/lang/Runnable;").to_be_bytes();
    let (program, solution) = analysed(main, vec![0xba, site[0], site[1], 0, 0, 0x57, 0xb1]);
    let code = Facts::code(main_of(&program, "Main"));
    assert_eq!(solution.gaps(), [Gap::Bootstrap(code, 0)]);
}
