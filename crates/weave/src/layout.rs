//! Where instructions come to lie when others are put before them.

use heliostat_classfile::{Insn, Instructions, Switch};

use crate::weave::Refused;

/// The longest code that the JVM takes (JVMS 4.7.3).
const LONGEST: u32 = 65535;

/// One instruction of the old code, and what comes before it.
pub(crate) struct Piece<'a> {
    /// Its offset in the old code.
    pub(crate) pc: u32,
    /// Where the next one begins there.
    pub(crate) next: u32,
    pub(crate) insn: Insn<'a>,
    /// What is put before it; jumps to the instruction run it.
    pub(crate) before: Vec<u8>,
    /// Whether a handler begins here, with something before it that no range is to cover which begins here.
    pub(crate) lands: bool,
    /// Whether its jump is too far for two bytes.
    far: bool,
}

/// The new code: a beginning that runs once, then the pieces in order.
pub(crate) struct Layout<'a> {
    pub(crate) entry: Vec<u8>,
    pub(crate) pieces: Vec<Piece<'a>>,
    /// For each piece where it begins now, with what comes before it; and the end.
    starts: Vec<u32>,
}

/// All instructions of a method, with nothing before them yet.
pub(crate) fn pieces<'a>(code: &Instructions<'a>) -> Result<Vec<Piece<'a>>, Refused> {
    let mut pieces = Vec::new();
    let mut pc = 0;
    while pc < code.len() {
        let (insn, next) = code.at(pc).map_err(|_| Refused::Malformed)?;
        // Compilers make all jumps of a long method far, which few need to be.
        pieces.push(Piece { pc, next, insn, before: Vec::new(), lands: false, far: false });
        pc = next;
    }
    Ok(pieces)
}

impl<'a> Layout<'a> {
    pub(crate) fn new(entry: Vec<u8>, pieces: Vec<Piece<'a>>) -> Result<Self, Refused> {
        let mut layout = Self { entry, pieces, starts: Vec::new() };
        // Each round makes at least one jump far, or is the last.
        loop {
            layout.place();
            if !layout.stretch()? {
                break;
            }
        }
        if layout.len() > LONGEST { Err(Refused::TooLong) } else { Ok(layout) }
    }

    fn len(&self) -> u32 {
        self.starts.last().copied().unwrap_or(0)
    }

    fn place(&mut self) {
        self.starts.clear();
        let mut at = self.entry.len() as u32;
        for piece in &self.pieces {
            self.starts.push(at);
            let own = at + piece.before.len() as u32;
            at = own + piece.size(own);
        }
        self.starts.push(at);
    }

    /// Makes jumps far that need to be. A conditional jump cannot be.
    fn stretch(&mut self) -> Result<bool, Refused> {
        let mut stretched = Vec::new();
        for (number, piece) in self.pieces.iter().enumerate() {
            let Some(target) = near_target(piece) else { continue };
            let distance = i64::from(self.start_of(target)?) - i64::from(self.own(number));
            if i16::try_from(distance).is_ok() {
                continue;
            }
            if !matches!(piece.insn, Insn::Goto(_) | Insn::Jsr(_)) {
                return Err(Refused::TooLong);
            }
            stretched.push(number);
        }
        for &number in &stretched {
            if let Some(piece) = self.pieces.get_mut(number) {
                piece.far = true;
            }
        }
        Ok(!stretched.is_empty())
    }

    /// Where the instruction of a piece itself is now, after what comes before it.
    fn own(&self, number: usize) -> u32 {
        let before = self.pieces.get(number).map_or(0, |piece| piece.before.len() as u32);
        self.starts.get(number).copied().unwrap_or(0) + before
    }

    /// The piece at an old offset; the number of pieces for the end of the code.
    fn piece_at(&self, pc: u32) -> Result<usize, Refused> {
        match self.pieces.binary_search_by_key(&pc, |piece| piece.pc) {
            Ok(number) => Ok(number),
            Err(_) if self.pieces.last().is_some_and(|last| last.next == pc) => Ok(self.pieces.len()),
            Err(_) => Err(Refused::Malformed),
        }
    }

    /// Where what is at an old offset begins now.
    pub(crate) fn start_of(&self, pc: u32) -> Result<u32, Refused> {
        self.starts.get(self.piece_at(pc)?).copied().ok_or(Refused::Malformed)
    }

    /// Where what is covered begins now, if it began at an old offset.
    pub(crate) fn covered_from(&self, pc: u32) -> Result<u32, Refused> {
        let lands = self.pieces.get(self.piece_at(pc)?).is_some_and(|piece| piece.lands);
        if lands { self.instruction_of(pc) } else { self.start_of(pc) }
    }

    /// Where the instruction of an old offset itself is now.
    pub(crate) fn instruction_of(&self, pc: u32) -> Result<u32, Refused> {
        Ok(self.own(self.piece_at(pc)?))
    }

    /// The new code.
    pub(crate) fn emit(&self, old: &[u8]) -> Result<Vec<u8>, Refused> {
        let mut out = self.entry.clone();
        for piece in &self.pieces {
            out.extend(&piece.before);
            self.emit_piece(piece, old, &mut out)?;
        }
        Ok(out)
    }

    fn emit_piece(&self, piece: &Piece<'_>, old: &[u8], out: &mut Vec<u8>) -> Result<(), Refused> {
        let own = out.len() as u32;
        let bytes = old.get(piece.pc as usize..piece.next as usize).ok_or(Refused::Malformed)?;
        let opcode = bytes.first().copied().ok_or(Refused::Malformed)?;
        match (piece.insn, jump_target(&piece.insn)) {
            (Insn::Switch(switch), _) => self.emit_switch(switch, bytes, own, out)?,
            (_, Some(target)) if piece.far => {
                out.push(if matches!(piece.insn, Insn::Goto(_)) { 0xc8 } else { 0xc9 });
                out.extend(self.distance(own, target)?.to_be_bytes());
            }
            (insn, Some(target)) => {
                out.push(match insn {
                    Insn::Goto(_) => 0xa7,
                    Insn::Jsr(_) => 0xa8,
                    _ => opcode,
                });
                let distance = i16::try_from(self.distance(own, target)?).map_err(|_| Refused::TooLong)?;
                out.extend(distance.to_be_bytes());
            }
            (_, None) => out.extend(bytes),
        }
        Ok(())
    }

    fn distance(&self, from: u32, target: u32) -> Result<i32, Refused> {
        Ok(self.start_of(target)? as i32 - from as i32)
    }

    /// Opcode, padding, default, then the numbers that say how many cases there are, and the cases.
    fn emit_switch(
        &self,
        switch: Switch<'_>,
        bytes: &[u8],
        own: u32,
        out: &mut Vec<u8>,
    ) -> Result<(), Refused> {
        let is_table = bytes.first() == Some(&0xaa);
        out.push(if is_table { 0xaa } else { 0xab });
        out.extend(std::iter::repeat_n(0, padding(own) as usize));
        out.extend(self.distance(own, switch.default)?.to_be_bytes());
        let cases: Vec<(i32, u32)> = switch.cases().collect();
        if is_table {
            let (low, high) = (cases.first(), cases.last());
            let (Some(&(low, _)), Some(&(high, _))) = (low, high) else { return Err(Refused::Malformed) };
            out.extend(low.to_be_bytes());
            out.extend(high.to_be_bytes());
        } else {
            out.extend((cases.len() as u32).to_be_bytes());
        }
        for (key, target) in cases {
            if !is_table {
                out.extend(key.to_be_bytes());
            }
            out.extend(self.distance(own, target)?.to_be_bytes());
        }
        Ok(())
    }
}

impl Piece<'_> {
    /// How many bytes the instruction takes at this offset.
    fn size(&self, own: u32) -> u32 {
        let old = self.next - self.pc;
        match self.insn {
            Insn::Switch(_) => old - padding(self.pc) + padding(own),
            Insn::Goto(_) | Insn::Jsr(_) => {
                if self.far {
                    5
                } else {
                    3
                }
            }
            _ => old,
        }
    }
}

/// Up to three bytes after the opcode of a switch, so that its numbers are aligned.
fn padding(pc: u32) -> u32 {
    3 - pc % 4
}

/// Where an instruction other than a switch may jump.
fn jump_target(insn: &Insn<'_>) -> Option<u32> {
    match *insn {
        Insn::IfZero(_, target)
        | Insn::IfInt(_, target)
        | Insn::IfRef(_, target)
        | Insn::IfNull(_, target)
        | Insn::Goto(target)
        | Insn::Jsr(target) => Some(target),
        _ => None,
    }
}

/// The same, if its distance is written in two bytes.
fn near_target(piece: &Piece<'_>) -> Option<u32> {
    jump_target(&piece.insn).filter(|_| !piece.far)
}

#[cfg(test)]
mod tests {
    use heliostat_classfile::{Attribute, Code, Version};

    use super::*;

    const NOP: u8 = 0;

    /// The code with `before` in front of the instruction at an offset.
    fn woven(code: &[u8], at: u32, before: usize) -> Result<(Vec<u8>, Vec<u32>), Refused> {
        let length = (code.len() as u32).to_be_bytes();
        let bytes = [&[0, 9, 0, 9], &length[..], code, &[0, 0, 0, 0]].concat();
        let attribute = Attribute { name: b"Code", offset: 0, bytes: &bytes };
        let read = Code::read(&attribute, Version { major: 52, minor: 0 }).map_err(|_| Refused::Malformed)?;
        let mut pieces = pieces(&read.instructions)?;
        let piece = pieces.iter_mut().find(|piece| piece.pc == at).ok_or(Refused::Malformed)?;
        piece.before = vec![NOP; before];
        let layout = Layout::new(vec![NOP; 2], pieces)?;
        Ok((layout.emit(code)?, layout.starts.clone()))
    }

    #[test]
    fn jumps_follow_what_they_lead_to() {
        // 0: goto 4; 3: nop; 4: ifeq 3; 7: return
        let code = [0xa7, 0, 4, NOP, 0x99, 0xff, 0xff, 0xb1];
        let (new, starts) = woven(&code, 4, 3).unwrap();
        let expected = [NOP, NOP, 0xa7, 0, 4, NOP, NOP, NOP, NOP, 0x99, 0xff, 0xfc, 0xb1];
        assert_eq!((new.as_slice(), starts.as_slice()), (&expected[..], &[2, 5, 6, 12, 13][..]));
    }

    #[test]
    fn jumps_become_far_where_they_must_and_near_where_they_can() {
        let jump = |code: &[u8], before| woven(code, 5, before).unwrap().0;
        // 0: goto_w 6; 5: nop; 6: return
        let code = [0xc8, 0, 0, 0, 6, NOP, 0xb1];
        assert_eq!(jump(&code, 1), [NOP, NOP, 0xa7, 0, 5, NOP, NOP, 0xb1]);
        let far = jump(&code, 40_000);
        assert_eq!(far[..7], [NOP, NOP, 0xc8, 0, 0, 0x9c, 0x46]);
        assert_eq!((far.len(), far.last()), (40_009, Some(&0xb1)));
        // 0: ifeq 6; 3: nop, nop; 5: nop; 6: return
        let code = [0x99, 0, 6, NOP, NOP, NOP, 0xb1];
        assert!(matches!(woven(&code, 5, 40_000), Err(Refused::TooLong)));
        assert!(matches!(woven(&code, 5, 70_000), Err(Refused::TooLong)));
    }

    #[test]
    fn switches_stay_aligned() {
        // 0: tableswitch 1..2, padded by 3; 24: return
        let mut code = vec![0xaa, 0, 0, 0];
        for number in [24_i32, 1, 2, 24, 25] {
            code.extend(number.to_be_bytes());
        }
        code.extend([NOP, 0xb1]);
        for before in 0..5 {
            let (new, starts) = woven(&code, 0, before).unwrap();
            let own = 2 + before;
            let pad = 3 - own % 4;
            assert_eq!((new[own], (own + 1 + pad) % 4), (0xaa, 0));
            let number = |n: usize| i32::from_be_bytes(*new[own + 1 + pad + 4 * n..].first_chunk().unwrap());
            let target = |old: i32| own as i32 + number(old as usize);
            assert_eq!([number(1), number(2)], [1, 2]);
            assert_eq!(
                [target(0), target(3), target(4)],
                [starts[1], starts[1], starts[2]].map(|s| s as i32)
            );
        }
    }
}
