//! Mutations, blind and structure-aware.

use crate::random::Random;
use crate::subject::Subject;

const BYTES: [u8; 6] = [0, 1, 2, 0x7f, 0x80, 0xff];
const SHORTS: [u16; 10] = [0, 1, 2, 255, 256, 0x7fff, 0x8000, 0xfffd, 0xfffe, 0xffff];
const INTS: [u32; 8] = [0, 1, 0xffff, 0x1_0000, 0x7fff_ffff, 0x8000_0000, 0xffff_fffe, 0xffff_ffff];

/// One to three mutations of a subject; `other` is where spliced bytes come from.
pub(crate) fn mutate(subject: &Subject, other: &Subject, random: &mut Random) -> Vec<u8> {
    let mut bytes = subject.bytes.to_vec();
    for _ in 0..=random.below(3) {
        // Those that know the structure come first in the list and keep its length: later ones may not.
        match random.below(16) {
            0..=2 => mutate_code(&mut bytes, subject, random),
            3 | 4 => mutate_table(&mut bytes, subject, random),
            5 | 6 => rewire_pool(&mut bytes, subject, random),
            7 => swap_indices(&mut bytes, subject, random),
            8 => flip_bits(&mut bytes, random),
            9 | 10 => set_byte(&mut bytes, random),
            11 => set_short(&mut bytes, random),
            12 => set_int(&mut bytes, random),
            13 => bytes.truncate(random.below(bytes.len())),
            14 => splice(&mut bytes, &other.bytes, random),
            _ => delete_or_repeat(&mut bytes, random),
        }
    }
    bytes
}

fn write(bytes: &mut [u8], at: usize, new: &[u8]) {
    if let Some(old) = bytes.get_mut(at..at + new.len()) {
        old.copy_from_slice(new);
    }
}

/// Another opcode, another operand, or other sizes in front of the code.
fn mutate_code(bytes: &mut [u8], subject: &Subject, random: &mut Random) {
    let Some(at) = random.pick(&subject.instructions) else { return };
    match random.below(6) {
        0 | 1 => write(bytes, at, &[random.below(202) as u8]),
        2 => write(bytes, at + 1, &[random.pick(&BYTES).unwrap_or(0)]),
        3 => write(bytes, at + 1, &(random.below(subject.pool_len.into()) as u16).to_be_bytes()),
        // A short jump, in either direction.
        4 => write(bytes, at + 1, &(random.below(64) as i16 - 32).to_be_bytes()),
        _ => {
            let Some((start, _)) = random.pick(&subject.codes) else { return };
            write(bytes, start + 2 * random.below(2), &random.pick(&SHORTS).unwrap_or(0).to_be_bytes());
        }
    }
}

/// The exception table, and the attributes of the code: line numbers and frames.
fn mutate_table(bytes: &mut [u8], subject: &Subject, random: &mut Random) {
    let Some((start, len)) = random.pick(&subject.tables) else { return };
    let at = start + random.below(len);
    match random.below(4) {
        0 => write(bytes, at, &[random.below(256) as u8]),
        1 => write(bytes, at, &random.pick(&SHORTS).unwrap_or(0).to_be_bytes()),
        2 => write(bytes, at, &(random.below(64) as u16).to_be_bytes()),
        _ => write(bytes, at, &(random.below(subject.pool_len.into()) as u16).to_be_bytes()),
    }
}

/// Lets a constant refer to another one than it did.
fn rewire_pool(bytes: &mut [u8], subject: &Subject, random: &mut Random) {
    let Some(at) = random.pick(&subject.pool_indices) else { return };
    write(bytes, at, &(random.below(subject.pool_len.into()) as u16).to_be_bytes());
}

/// Swaps what two constants refer to: names for descriptors, one class for another.
fn swap_indices(bytes: &mut [u8], subject: &Subject, random: &mut Random) {
    let (Some(a), Some(b)) = (random.pick(&subject.pool_indices), random.pick(&subject.pool_indices)) else {
        return;
    };
    let at = |i: usize| bytes.get(i..i + 2).and_then(|s| <[u8; 2]>::try_from(s).ok());
    if let (Some(x), Some(y)) = (at(a), at(b)) {
        write(bytes, a, &y);
        write(bytes, b, &x);
    }
}

fn flip_bits(bytes: &mut [u8], random: &mut Random) {
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len());
        if let Some(byte) = bytes.get_mut(at) {
            *byte ^= 1 << random.below(8);
        }
    }
}

fn set_byte(bytes: &mut [u8], random: &mut Random) {
    let at = random.below(bytes.len());
    write(bytes, at, &[random.pick(&BYTES).unwrap_or(0)]);
}

fn set_short(bytes: &mut [u8], random: &mut Random) {
    let at = random.below(bytes.len());
    write(bytes, at, &random.pick(&SHORTS).unwrap_or(0).to_be_bytes());
}

fn set_int(bytes: &mut [u8], random: &mut Random) {
    let at = random.below(bytes.len());
    write(bytes, at, &random.pick(&INTS).unwrap_or(0).to_be_bytes());
}

fn stretch(bytes: &[u8], random: &mut Random) -> std::ops::Range<usize> {
    let start = random.below(bytes.len());
    start..(start + 1 + random.below(64)).min(bytes.len())
}

fn splice(bytes: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    let chunk = stretch(other, random);
    let at = random.below(bytes.len());
    if random.below(2) == 0 {
        write(bytes, at, &other[chunk]);
    } else {
        bytes.splice(at..at, other[chunk].iter().copied());
    }
}

fn delete_or_repeat(bytes: &mut Vec<u8>, random: &mut Random) {
    let range = stretch(bytes, random);
    if random.below(2) == 0 {
        bytes.drain(range);
    } else {
        let copy = bytes[range.clone()].to_vec();
        bytes.splice(range.start..range.start, copy);
    }
}
