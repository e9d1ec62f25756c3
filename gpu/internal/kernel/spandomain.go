package kernel

import "wfagpu/align"

// spanDomain is how cuda/span.cuh computes a model: cuda/spancells.cuh. Values are maximised,
// and all numbers are divided by their greatest common divisor, the scale.
type spanDomain struct {
	anywhere, floored  bool // alignments end anywhere, begin anywhere
	scale, potential   int
	match, mismatch    int       // added by a letter of each sequence
	slope              int       // added by a letter before a free begin
	gap, long          align.Gap // subtracted; long is zero unless gaps have two costs
	patternFree, texts [2]int32  // letters that may be left out, at the begin and at the end
}

// gaps names the costs of gaps.
func (d *spanDomain) gaps() string {
	switch {
	case d.long != (align.Gap{}):
		return "two"
	case d.gap.Open == 0:
		return "linear"
	}
	return "affine"
}

// ends names where alignments end.
func (d *spanDomain) ends() string {
	if d.anywhere {
		return "any"
	}
	return "edge"
}

func newSpanDomain(m *align.Model) spanDomain {
	d := spanDomain{anywhere: m.Span.EndsAnywhere(), floored: m.Span == align.Local}
	d.potential = m.Gap.Extend
	if m.Long != (align.Gap{}) {
		d.potential = m.Long.Extend
	}
	if d.anywhere {
		d.potential = m.FreeLetter
	}
	if m.Span == align.EndsFree {
		f := m.Free
		d.patternFree, d.texts = [2]int32{clamp(f.PatternBegin), clamp(f.PatternEnd)}, [2]int32{clamp(f.TextBegin), clamp(f.TextEnd)}
	}
	d.match, d.mismatch = 2*d.potential, 2*d.potential-m.Mismatch
	d.gap = align.Gap{Open: m.Gap.Open, Extend: m.Gap.Extend - d.potential}
	if m.Long != (align.Gap{}) {
		d.long = align.Gap{Open: m.Long.Open, Extend: m.Long.Extend - d.potential}
	}
	if d.patternFree[0] > 0 || d.texts[0] > 0 {
		d.slope = d.potential - m.FreeLetter
	}
	d.scale = align.GreatestDivisor(d.match, d.mismatch, d.slope, d.gap.Open, d.gap.Extend, d.long.Open, d.long.Extend)
	for _, n := range []*int{&d.match, &d.mismatch, &d.slope, &d.gap.Open, &d.gap.Extend, &d.long.Open, &d.long.Extend} {
		*n /= d.scale
	}
	return d
}

func clamp(n int) int32 { return int32(min(max(n, 0), align.FreeAll)) }

// letter is what a gap of one letter subtracts.
func (d *spanDomain) letter() int {
	n := d.gap.Open + d.gap.Extend
	if d.long != (align.Gap{}) {
		n = min(n, d.long.Open+d.long.Extend)
	}
	return n
}

// fits reports whether what steps add and subtract fits into the kernels' bytes, and values
// change little enough between two shifts.
func (d *spanDomain) fits() bool {
	extend := max(d.gap.Extend, d.long.Extend)
	return d.match+extend <= 127 && d.mismatch >= -128 && d.match+2*extend <= 128 && max(d.gap.Open, d.long.Open) <= 2048
}

// bits returns how many bits of a cell the traceback needs, 0 if it needs too many.
func (d *spanDomain) bits() int {
	for _, bits := range []int{4, 8} {
		if 2*d.letter()+d.match < 1<<bits && d.match-d.mismatch < 1<<bits {
			return bits
		}
	}
	return 0
}

// spanRange is the largest difference between the values of cells that 16 bits hold beside
// how they change between two shifts.
const spanRange = 36_000

// spread bounds the difference between the values of cells of a stripe's row, of strips in
// flight: along a row, values fall by a gap, and rise by what a gap back costs and matches.
func (d *spanDomain) spread(columns, strips int) int {
	extend, open := d.gap.Extend, d.gap.Open
	if d.long != (align.Gap{}) {
		extend, open = d.long.Extend, d.long.Open
	}
	return (d.match+2*extend)*(columns+strips) + 2*open
}
