//! Last step: new numbers, and the parts put together.

use heliostat_index::{Id, IdVec};

use super::Source;
use super::graph::Graph;
use super::ssa::{Origin, Ssa};
use super::translate::Output;
use crate::frames::FrameTypes;
use crate::{Block, BlockData, Body, Definition, Inst, InstData, Op, Value, ValueData};

pub(super) fn finish(
    source: &Source<'_>,
    graph: &Graph,
    ssa: &Ssa,
    out: Output,
    frames: &mut FrameTypes,
) -> Body {
    let class = &source.program.classes()[source.program.methods()[source.method].class];
    let mut writer = Writer {
        ssa,
        out: &out,
        renumbered: IdVec::new(),
        phis: Vec::new(),
        body: empty_body(source, graph),
    };
    writer.body.lines = source.code.line_numbers(&source.linked.pool(&class.bytes));
    writer.number_values();
    writer.write(graph);
    frames.renumber(|value| writer.renumbered[writer.ssa.found(value)]);
    let mut body = writer.body;
    body.switches = out.switches;
    body
}

fn empty_body(source: &Source<'_>, graph: &Graph) -> Body {
    Body {
        method: source.method,
        values: IdVec::new(),
        insts: IdVec::new(),
        blocks: IdVec::with_capacity(graph.nodes.len()),
        switches: IdVec::new(),
        params: source.program.parameters(source.method).count() as u16,
        args: Vec::new(),
        preds: graph.preds.clone(),
        catchers: graph.catchers.clone(),
        lines: Vec::new(),
    }
}

struct Writer<'a> {
    ssa: &'a Ssa,
    out: &'a Output,
    /// New number of every old value that is still there.
    renumbered: IdVec<Value, Value>,
    /// Remaining phis, by block.
    phis: Vec<(Block, u32)>,
    body: Body,
}

impl Writer<'_> {
    /// Parameters first, then block by block the phis and the instructions' results.
    fn number_values(&mut self) {
        let phis = self.ssa.phis.iter().enumerate().filter(|(_, phi)| !self.ssa.is_dropped(phi));
        self.phis = phis.map(|(i, phi)| (phi.node, i as u32)).collect();
        self.phis.sort_unstable();
        self.renumbered = vec![Value::from_u32(0); self.ssa.types.len()].into();
        for value in self.ssa.types.ids() {
            let Origin::Param(index) = self.ssa.origin(value) else { break };
            self.number(value, Definition::Param(index));
        }
        self.body.values.reserve(self.ssa.types.len());
        let (mut inst, mut phi, mut start) = (0, 0, 0);
        for (block, &end) in self.out.ends.iter() {
            while let Some(&(_, index)) = self.phis.get(phi).filter(|(node, _)| *node == block) {
                self.number(self.ssa.phis[index as usize].value, Definition::Inst(Inst::new(inst)));
                (inst, phi) = (inst + 1, phi + 1);
            }
            for raw in &self.out.insts[start..end as usize] {
                if let Some(value) = raw.result.expand() {
                    self.number(value, Definition::Inst(Inst::new(inst)));
                }
                inst += 1;
            }
            start = end as usize;
        }
    }

    fn number(&mut self, old: Value, definition: Definition) {
        let ty = self.ssa.types[old];
        self.renumbered[old] = self.body.values.push(ValueData { ty, definition });
    }

    fn write(&mut self, graph: &Graph) {
        self.body.insts.reserve(self.out.insts.len() + self.phis.len());
        self.body.args.reserve(self.out.args.len());
        let (mut phi, mut start) = (0, 0);
        for (block, node) in graph.nodes.iter() {
            let first = self.body.insts.next_id();
            let end = self.out.ends[block] as usize;
            let offset = self.out.insts[start..end].first().map_or(0, |i| i.offset);
            while let Some(&(_, index)) = self.phis.get(phi).filter(|(node, _)| *node == block) {
                self.write_phi(index, offset);
                phi += 1;
            }
            for at in start..end {
                self.write_inst(at);
            }
            start = end;
            self.body.blocks.push(BlockData {
                insts: first..self.body.insts.next_id(),
                preds: node.preds.0..node.preds.1,
                catchers: node.catchers.0..node.catchers.1,
            });
        }
    }

    fn write_phi(&mut self, index: u32, offset: u32) {
        let phi = &self.ssa.phis[index as usize];
        let start = self.body.args.len();
        for &arg in self.ssa.phi_args(phi) {
            self.body.args.push(self.renumbered[self.ssa.found(arg)]);
        }
        let args = (start as u32, (self.body.args.len() - start) as u32);
        let result = self.renumbered[phi.value].into();
        self.body.insts.push(InstData { op: Op::Phi, result, offset, args });
    }

    fn write_inst(&mut self, at: usize) {
        let raw = self.out.insts[at];
        let start = self.body.args.len() as u32;
        for &arg in &self.out.args[raw.args.0 as usize..raw.args.1 as usize] {
            self.body.args.push(self.renumbered[self.ssa.found(arg)]);
        }
        let args = (start, raw.args.1 - raw.args.0);
        let result = raw.result.expand().map(|value| self.renumbered[value]).into();
        self.body.insts.push(InstData { op: raw.op, result, offset: raw.offset, args });
    }
}
