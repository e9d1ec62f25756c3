package align

import (
	"sync/atomic"

	"wfagpu/cigar"
)

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

func (t *editTrace) run(dst cigar.CIGAR, e *editState, pattern, text *sequence, score int, stop *atomic.Bool) (cigar.CIGAR, error) {
	dst = dst[:0]
	t.stage = -1
	p, x := pattern.first(), text.first()
	v, h := pattern.n, text.n
	for {
		n := matchesBefore(p, x, v, h)
		dst = dst.AppendElem(runMatch, n)
		v, h = v-n, h-n
		if v == 0 || h == 0 {
			break
		}
		score--
		strip := (v - 1) >> 6
		// Strip s computes column h after h-1+s other steps.
		stage, i := e.steps.stageOf(h - 1 + strip)
		if stage < e.first || len(e.stages) == 0 {
			if stopped(stop) {
				return dst, errStopped
			}
			e.restore(stage)
		}
		g := &e.stages[stage-e.first]
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
		case len(e.kern) == 0:
			at := g.at + 2*(lane*e.steps.of(stage)+i)
			diagonal, above = e.kept[at], e.kept[at+1]
		default:
			at := g.at + 2*i*g.strips() + lane
			diagonal, above = e.kept[at], e.kept[at+g.strips()]
		}
		bit := uint(v-1) & 63
		// Which of the three it is, is hard to predict: no branches.
		gap := diagonal >> bit & 1
		ins := gap & (above >> bit)
		dst = dst.AppendElem(editColumn[gap+ins], 1)
		v -= int(1 - gap + ins)
		h -= int(1 - ins)
	}
	if score != v+h {
		return dst, errTraceback
	}
	dst = dst.AppendElem(runIns, v)
	dst = dst.AppendElem(runDel, h)
	dst.Reverse()
	return dst, nil
}

// editColumn is a column, by how far it is from a mismatch.
var editColumn = [3]cigar.Elem{runMismatch, runDel, runIns}

// load computes the first steps of a strip in a stage again.
func (t *editTrace) load(e *editState, stage, strip, steps int) {
	g := &e.stages[stage-e.first]
	// The widest vectors come first.
	widest := e.kern.lanes(g.strips())
	lane := strip - g.lo
	first := lane / widest * widest
	lanes := e.kern.lanes(g.strips() - first)
	k := e.kept[g.at+4*first+lane-first:]
	t.stage, t.strip, t.known = stage, strip, steps
	eq := e.equal(strip)
	text := e.codes(e.steps.before(stage)-strip, steps)
	editCells(t.tile[:], &eq, text, k[0], k[lanes], k[2*lanes], k[3*lanes])
}

// restore computes the stages from a saved state up to stage last again, with their tiles.
func (e *editState) restore(last int) {
	i := last / e.spacing
	s := &e.saved[i]
	e.lo, e.hi, e.top, e.t = s.lo, s.hi, s.top, s.t
	n := s.hi - s.lo + 1
	for j, words := range e.state() {
		copy(words[s.lo:s.hi+1], e.kept[s.at+j*n:])
	}
	// Later states are not needed any more.
	e.kept = e.kept[:s.at+4*n]
	e.keep, e.stages, e.first = keepTiles, e.stages[:0], i*e.spacing
	for stage := e.first; ; stage++ {
		e.advance(e.steps.of(stage))
		if stage == last {
			return
		}
		e.use()
	}
}
