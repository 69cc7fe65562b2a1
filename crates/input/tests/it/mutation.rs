//! Thousands of seeded mutations of zips and images: no panic, whatever is read is bounded.

use heliostat_input::{Inputs, Limits, Request, open};

use crate::image::sample;
use crate::support::{Outcome, Scratch, Zip, class, request};

const ROUNDS: u32 = 4000;

/// xorshift64*: the same mutations on every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % bound.max(1)
    }
}

/// Changes a few bytes, or cuts, repeats or removes a stretch.
fn mutate(original: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = original.to_vec();
    let at = random.below(bytes.len());
    let end = (at + random.below(64)).min(bytes.len());
    match random.below(8) {
        0 => bytes.truncate(at),
        1 => drop(bytes.drain(at..end)),
        2 => {
            let stretch = bytes[at..end].to_vec();
            bytes.splice(at..at, stretch);
        }
        3 => bytes[at..end].fill(0xFF),
        _ => {
            for _ in 0..=random.below(6) {
                let at = random.below(bytes.len());
                bytes[at] = [0, 1, 0x7F, 0x80, 0xFF, random.below(256) as u8][random.below(6)];
            }
        }
    }
    bytes
}

/// Reads everything that is listed; returns how much of it could be read.
fn read_all(inputs: &Inputs) -> u64 {
    let all = [&inputs.classes, &inputs.resources, &inputs.modules, &inputs.unread_jars];
    let entries = all.into_iter().flatten();
    entries.filter_map(|entry| inputs.read(entry).ok()).map(|bytes| bytes.len() as u64).sum()
}

fn survive(original: &[u8], seed: u64) -> Outcome {
    let scratch = Scratch::new()?;
    let limits = Limits { entry_bytes: 1 << 16, nested_bytes: 1 << 20, ..Limits::default() };
    let mut random = Random(seed);
    for round in 0..ROUNDS {
        // A new name each time: what is mapped must not change.
        let file = scratch.write(&format!("{round}.jar"), mutate(original, &mut random))?;
        let inputs = open(&Request { limits, ..request(&[&file]) })?;
        let entries = inputs.classes.len() + inputs.resources.len();
        assert!(read_all(&inputs) <= (entries as u64 + 100) << 16, "round {round}");
        std::fs::remove_file(file)?;
    }
    Ok(())
}

fn rich_zip() -> Zip {
    let inner = Zip::new().class("org/lib/A.class", "a").stored("B.class", class("B"));
    Zip::new()
        .manifest("Main-Class: a.A\r\nMulti-Release: true\r\nClass-Path: x.jar y.jar\r\n")
        .class("a/A.class", "a")
        .class("META-INF/versions/11/a/A.class", "11")
        .stored("BOOT-INF/lib/stored.jar", inner.bytes())
        .deflated("BOOT-INF/lib/deflated.jar", inner.bytes())
        .stored("module-info.class", class("module-info"))
        .deflated("text", [b'x'; 2000])
}

#[test]
fn zips_survive() -> Outcome {
    survive(&rich_zip().bytes(), 0x5EED_0001)
}

#[test]
fn zip64s_survive() -> Outcome {
    survive(&Zip { zip64: true, ..rich_zip() }.bytes(), 0x5EED_0002)
}

#[test]
fn jmods_survive() -> Outcome {
    let zip = Zip::new().class("classes/java/lang/Object.class", "object").stored("classes/x", "x");
    survive(&[b"JM\x01\0", &zip.bytes()[..]].concat(), 0x5EED_0003)
}

#[test]
fn images_survive() -> Outcome {
    survive(&sample(false).bytes(), 0x5EED_0004)?;
    survive(&sample(true).bytes(), 0x5EED_0005)
}

#[test]
fn class_files_survive() -> Outcome {
    survive(&class("com/acme/A"), 0x5EED_0006)
}
