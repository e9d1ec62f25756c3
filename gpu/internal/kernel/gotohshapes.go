package kernel

import (
	"fmt"

	"wfagpu/align"
)

// gotohShape is the shape of a compiled kernel.
type gotohShape struct {
	lanes   int // of a pair, at most a warp; 0 for blocks of several warps
	columns int // of a strip
	unroll  int // steps
	blocks  int // per SM that the registers must allow
}

var gotohShapes = []gotohShape{
	{2, 8, 4, 20}, {2, 16, 4, 16}, {4, 8, 4, 20}, {4, 12, 4, 20}, {4, 16, 4, 16}, {4, 24, 2, 12}, {8, 12, 4, 18}, {4, 32, 2, 8},
	{8, 20, 4, 12}, {8, 24, 2, 12}, {8, 32, 2, 8}, {16, 20, 4, 12}, {16, 32, 2, 8}, {32, 20, 4, 12}, {32, 28, 2, 8}, {32, 36, 2, 8},
	{0, 20, 4, 1},
}

// gotohFreeShapes are those for patterns within texts.
var gotohFreeShapes = []gotohShape{
	{8, 16, 4, 13}, {8, 20, 4, 12}, {8, 24, 2, 10}, {8, 32, 2, 8}, {16, 20, 4, 12}, {16, 32, 2, 8},
	{32, 20, 4, 12}, {32, 28, 2, 8}, {32, 36, 2, 8}, {0, 20, 4, 1},
}

func (s gotohShape) name() string {
	if s.lanes == 0 {
		return fmt.Sprintf("block_%d", s.columns)
	}
	return fmt.Sprintf("%dx%d", s.lanes, s.columns)
}

// gotohTraces reports whether what is stored for the traceback tells values that steps of penalties lead to.
func gotohTraces(p align.Penalties) bool {
	return p.GapOpen+p.GapExtend < 1<<7 && p.Mismatch+p.GapOpen < 1<<8
}

// gotohName returns the name of a shape's kernel for scores alone, or of that which stores checkpoints.
func gotohName(f *Family, s gotohShape, scoreOnly bool) string {
	form := "checkpoints"
	if scoreOnly {
		form = "score"
	}
	return "wfa_" + f.Name + "_" + s.name() + "_" + form
}

func gotohVariant(f *Family, s gotohShape) Variant {
	v := Variant{Family: f, PairThreads: s.lanes, Words: s.columns, Warps: 1, Pairs: 1}
	if s.lanes == 0 {
		v.PairThreads, v.Warps = 32, gotohWarps
	} else {
		v.Pairs = 32 / s.lanes
	}
	v.Arguments = fmt.Sprintf("%s, %d, %d, %d, %d, %d", s.name(), v.PairThreads, s.columns, v.Warps, s.unroll, s.blocks)
	v.Names = []string{gotohName(f, s, true), gotohName(f, s, false)}
	return v
}

// seeded reports whether kernels of a shape use broken seeds.
func (s gotohShape) seeded() bool { return s.lanes == 0 || s.lanes >= gotohSeeded }

// wide reports whether bands of kernels of a shape are wide enough for what is outside to certify scores.
func (s gotohShape) wide() bool {
	return s.lanes == 0 || gotohBeside(2*s.lanes, s.columns)/2+1 >= gotohWide
}

// bordered reports whether kernels of a shape hold the values at the borders of bands.
func (s gotohShape) bordered(p align.Penalties) bool {
	return 2*p.GapExtend*(s.columns+1)+p.GapOpen <= borderLow
}

// rimmed reports whether bands of kernels of a shape with free ends have rims: cuda/gotohrims.cuh.
// For scores alone costs are doubled then.
func (s gotohShape) rimmed(p align.Penalties, scoreOnly bool) bool {
	if scoreOnly {
		p.Mismatch, p.GapOpen, p.GapExtend = 2*p.Mismatch, 2*p.GapOpen, 2*p.GapExtend
	}
	return s.wide() && s.bordered(p) && gotohCells(p)
}

// gotohCells reports whether the differences between cells fit into a byte.
func gotohCells(p align.Penalties) bool {
	return 2*p.GapExtend <= 128 && p.Mismatch-2*p.GapExtend <= 127
}
