//! Bodies that only their text can have: refused when they are read, or by the verifier.

use heliostat_ir::{parse, verify};

use crate::asm::{Asm, shorts};
use crate::program;

/// What is wrong with a body of `static Object A.m(int, A)`.
fn wrong(lines: &str) -> String {
    let text = format!("method static LA;.m(ILA;)Ljava/lang/Object; {{\n{lines}\n}}\n");
    wrong_text(&text)
}

fn wrong_text(text: &str) -> String {
    let mut asm = Asm::new("A");
    let (name, ty) = (asm.utf8("m"), asm.utf8("(ILA;)Ljava/lang/Object;"));
    asm.raw_method(&shorts(&[0x108 | 0x400, name, ty, 0]));
    let text = text.replacen("method static", "method abstract static native", 1);
    let classes = [
        asm,
        Asm::new("java/lang/Object"),
        Asm::new("java/lang/Throwable"),
        Asm::new("E").extends("java/lang/Throwable"),
        Asm::new("F").extends("E"),
        Asm::new("G").extends("E"),
    ];
    let (mut program, ..) = program(&classes.map(|asm| asm.bytes()));
    match parse(&mut program, &text) {
        Ok(body) => verify(&program, &body).map_or_else(|v| v.rule.to_owned(), |()| "nothing".to_owned()),
        Err(error) => error.message,
    }
}

const PARAMS: &str = "params v0: I, v1: LA;";

#[test]
fn headers() {
    let rest = "LA;.m(ILA;)Ljava/lang/Object; {\nparams v0: I, v1: LA;\nb0:\n@0 return v1\n}\n";
    assert_eq!(wrong_text(&format!("method static {rest}")), "nothing");
    assert_eq!(wrong_text(&format!("method {rest}")), "the program's method has other flags");
    assert_eq!(wrong_text(&format!("method public static {rest}")), "the program's method has other flags");
}

#[test]
fn parameters() {
    let with = |params: &str| wrong(&format!("{params}\nb0:\n@0 v2: null = const null\n@0 return v2"));
    assert_eq!(with(PARAMS), "nothing");
    let declared = "parameters are what the method declares";
    assert_eq!(with("params v0: I, v1: Ljava/lang/Object;"), declared);
    assert_eq!(with("params v0: Z, v1: LA;"), declared);
    assert_eq!(
        with("params v0: I, v1: LA;, v2: I").replace("values are numbered in order", declared),
        declared
    );
    assert_eq!(wrong("params v0: I\nb0:\n@0 v1: null = const null\n@0 return v1"), declared);
    assert_eq!(wrong("params v0: I, v1: LA;, v2: I\nb0:\n@0 return v1"), declared);
    let many: Vec<String> = (0..70_000).map(|i| format!("v{i}: I")).collect();
    assert_eq!(wrong(&format!("params {}", many.join(", "))), "more than 255 parameters");
}

#[test]
fn no_blocks() {
    assert_eq!(wrong(PARAMS), "expected a block");
    assert_eq!(wrong(&format!("{PARAMS}\nb0:")), "no block is empty");
}

#[test]
fn caught_types() {
    let caught = |catchers: &str, ty: &str| {
        wrong(&format!(
            "{PARAMS}\nb0: catch ({catchers})\n@0 return v1\nb1:\n@1 v2: {ty} = catch\n@1 return v2"
        ))
    };
    let wrong = "the result has the type that the operation says";
    assert_eq!(caught("LF; b1", "LF;"), "nothing");
    assert_eq!(caught("LF; b1", "LE;"), wrong);
    assert_eq!(caught("LF; b1", "I"), wrong);
    assert_eq!(caught("LF; b1, LG; b1", "LE;"), "nothing");
    assert_eq!(caught("LF; b1, LG; b1", "LF;"), wrong);
    assert_eq!(caught("* b1", "Ljava/lang/Throwable;"), "nothing");
    assert_eq!(caught("* b1", "Ljava/lang/Object;"), wrong);
    assert_eq!(caught("LF; b1, LGone; b1", "Ljava/lang/Throwable;"), "nothing");
    assert_eq!(caught("LF; b1, LGone; b1", "Ljava/lang/Object;"), wrong);
}

#[test]
fn new_objects() {
    let made = |op: &str, ty: &str| wrong(&format!("{PARAMS}\nb0:\n@0 v2: {ty} = {op}\n@0 return v2"));
    assert_eq!(made("new LE;", "LE;"), "nothing");
    assert_eq!(made("new [I", "[I"), "new names a class");
    assert_eq!(made("new I", "I"), "new names a class");
    assert_eq!(made("newarray [I v0", "[I"), "nothing");
    let dimensions = "a new array has at least as many dimensions as lengths";
    assert_eq!(made("newarray LE; v0", "LE;"), dimensions);
    assert_eq!(made("multinewarray [[I v0", "[[I"), "nothing");
    assert_eq!(made("multinewarray [[I v0, v0", "[[I"), "nothing");
    assert_eq!(made("multinewarray [[I v0, v0, v0", "[[I"), dimensions);
    assert_eq!(made("multinewarray [[I", "[[I"), "there is at least one length");
    assert_eq!(made("multinewarray LE; v0", "LE;"), dimensions);
}
