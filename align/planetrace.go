package align

import "wfagpu/cigar"

// planeTrace follows an alignment back along the steps of a band of planes, by the rule of the
// package comment. A step of a cell tells all that the rule asks.
type planeTrace struct {
	steps  []planeSteps
	blocks []planeBlock
	base   int  // diagonal of lane 0
	shift  uint // blocks have 1<<shift antidiagonals
}

// planeBlock locates the steps of a block of antidiagonals: n words for each, from word lo on.
type planeBlock struct{ lo, n, at int }

// planeBytes is the size of the steps of a word.
const planeBytes = 32

// begin drops all steps.
func (t *planeTrace) begin(base int, shift uint) {
	t.steps, t.blocks, t.base, t.shift = t.steps[:0], t.blocks[:0], base, shift
}

// block adds a block and returns the room for its steps.
func (t *planeTrace) block(lo, n, rows int) []planeSteps {
	at := len(t.steps)
	t.blocks = append(t.blocks, planeBlock{lo, n, at})
	if need := at + rows*n; cap(t.steps) < need {
		t.steps = append(make([]planeSteps, 0, need+need/2), t.steps...)
	}
	t.steps = t.steps[:at+rows*n]
	return t.steps[at:]
}

// at returns the steps of cell (v,h), and its lane in them; nil outside the band.
func (t *planeTrace) at(v, h int) (*planeSteps, uint) {
	row, lane := v+h-1, (h-v-t.base)>>1
	b := &t.blocks[row>>t.shift]
	w := lane>>6 - b.lo
	if w < 0 || w >= b.n {
		return nil, 0
	}
	return &t.steps[b.at+(row&(1<<t.shift-1))*b.n+w], uint(lane) & 63
}

// run writes the alignment of a pair to dst, whose contents are dropped, and returns its cost.
func (t *planeTrace) run(dst cigar.CIGAR, pattern, text *sequence, pen *Penalties) (int, cigar.CIGAR, error) {
	dst = dst[:0]
	p, x := pattern.first(), text.first()
	v, h, cost := pattern.n, text.n, 0
	for {
		n := matchesBefore(p, x, v, h)
		dst = dst.AppendElem(runMatch, n)
		v, h = v-n, h-n
		if v == 0 || h == 0 {
			break
		}
		s, lane := t.at(v, h)
		if s == nil {
			return 0, dst, errTraceback
		}
		if (s.ins|s.del)>>lane&1 == 0 {
			dst = dst.AppendElem(runMismatch, 1)
			v, h, cost = v-1, h-1, cost+pen.Mismatch
			continue
		}
		op, l := t.gap(v, h, s.ins>>lane&1 != 0, s.del>>lane&1 != 0)
		if l == 0 {
			return 0, dst, errTraceback
		}
		dst = dst.AppendElem(op, l)
		cost += pen.Gap(l)
		if op == runIns {
			v -= l
		} else {
			h -= l
		}
	}
	dst = dst.AppendElem(runIns, v)
	dst = dst.AppendElem(runDel, h)
	dst.Reverse()
	return cost + pen.Gap(v+h), dst, nil
}

// gap returns the shortest gap that ends in cell (v,h), an insertion or a deletion as allowed. Its
// length is 0 if there is none.
func (t *planeTrace) gap(v, h int, ins, del bool) (op cigar.Elem, l int) {
	for l = 1; ins || del; l++ {
		if ins {
			if l == v {
				return runIns, l
			}
			s, lane := t.at(v-l, h)
			if s != nil && s.newIns>>lane&1 != 0 {
				return runIns, l
			}
			ins = s != nil
		}
		if del {
			if l == h {
				return runDel, l
			}
			s, lane := t.at(v, h-l)
			if s != nil && s.newDel>>lane&1 != 0 {
				return runDel, l
			}
			del = s != nil
		}
	}
	return 0, 0
}
