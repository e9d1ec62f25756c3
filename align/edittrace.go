package align

import "wfagpu/cigar"

// editTrace follows the alignment of a pair back through what an editState has kept. It computes
// the strips that the alignment passes through again, a stage at a time, for their cells.
//
// It applies the rule of the package comment. Of gaps it takes one letter at a time: lengthening
// one costs what opening another one does. At a cell whose letters differ there is an optimal
// mismatch if the cell before it on the diagonal does not cost the same, and else an optimal
// insertion if the cell above it costs one less, and else a deletion.
type editTrace struct {
	tile         [2 * editSteps]uint64
	stage, strip int // of the tile, -1 for none
	known        int // number of steps
}

func (t *editTrace) run(dst cigar.CIGAR, e *editState, pattern, text *sequence, score int) (cigar.CIGAR, error) {
	dst = dst[:0]
	t.stage = -1
	p, x := pattern.first(), text.first()
	v, h := pattern.n, text.n
	first := e.firstSteps()
	for {
		n := matchesBefore(p, x, v, h)
		dst = dst.AppendElem(runMatch, n)
		v, h = v-n, h-n
		if v == 0 || h == 0 {
			break
		}
		score--
		strip := (v - 1) >> 6
		// Strip s computes column h in step h+s, counted from 1.
		at := h - 1 + strip + editSteps - first
		stage, i := at/editSteps, at%editSteps
		if stage == 0 {
			i -= editSteps - first
		}
		g := &e.stages[stage]
		lane := strip - g.lo
		if lane < 0 || strip > g.hi {
			return dst, errTraceback
		}
		var diagonal, above uint64
		switch {
		case !g.cells:
			if stage != t.stage || strip != t.strip || i >= t.known {
				t.load(e, stage, strip, i+1)
			}
			diagonal, above = t.tile[2*i], t.tile[2*i+1]
		case g.lanes == 1:
			at := g.at + 2*(lane*e.stepsOf(stage)+i)
			diagonal, above = e.kept[at], e.kept[at+1]
		default:
			at := g.at + 2*i*g.lanes + lane
			diagonal, above = e.kept[at], e.kept[at+g.lanes]
		}
		bit := uint(v-1) & 63
		switch {
		case diagonal>>bit&1 == 0:
			dst = dst.AppendElem(runMismatch, 1)
			v, h = v-1, h-1
		case above>>bit&1 != 0:
			dst = dst.AppendElem(runIns, 1)
			v--
		default:
			dst = dst.AppendElem(runDel, 1)
			h--
		}
	}
	if score != v+h {
		return dst, errTraceback
	}
	dst = dst.AppendElem(runIns, v)
	dst = dst.AppendElem(runDel, h)
	dst.Reverse()
	return dst, nil
}

// load computes the first steps of a strip in a stage again.
func (t *editTrace) load(e *editState, stage, strip, steps int) {
	g := &e.stages[stage]
	lane := strip - g.lo
	k := e.kept[g.at+lane/g.lanes*4*g.lanes+lane%g.lanes:]
	before := 0 // steps
	if stage > 0 {
		before = e.firstSteps() + (stage-1)*editSteps
	}
	t.stage, t.strip, t.known = stage, strip, steps
	eq := e.equal(strip)
	editCells(t.tile[:], &eq, e.codes(before-strip, steps), k[0], k[g.lanes], k[2*g.lanes], k[3*g.lanes])
}

// firstSteps returns the number of steps of the first stage; the others have editSteps.
func (e *editState) firstSteps() int { return (e.steps-1)%editSteps + 1 }

// stepsOf returns the number of steps of a stage.
func (e *editState) stepsOf(stage int) int {
	if stage == 0 {
		return e.firstSteps()
	}
	return editSteps
}
