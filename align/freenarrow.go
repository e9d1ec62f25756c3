package align

import "math"

// freeNarrow is narrow with begins and ends on many diagonals, at no cost.
type freeNarrow struct {
	narrow
	model *Model
	ends  [narrowLanes]int32 // offsets before them
}

// newFreeNarrow returns nil for models that it does not take.
func newFreeNarrow(k *kernels, m *Model) *freeNarrow {
	if k.narrowEnds.run == nil || m.Span != EndsFree || m.FreeLetter != 0 || m.Long != (Gap{}) {
		return nil
	}
	n := newNarrow(k.narrowEnds, m.Affine())
	if n == nil {
		return nil
	}
	f := &freeNarrow{narrow: *n, model: m}
	f.args.ends = &f.ends[0]
	return f
}

// certifies returns the largest score of which every alignment that passes one of the diagonals
// first..last stays within a narrow wavefront around them.
func (n *freeNarrow) certifies(first, last int) int {
	if last-first >= narrowLanes {
		return -1
	}
	return min(n.model.Cost(leavesNarrow(first, last))-1, maxNarrowScore)
}

// certifiesBy is certifies for the diagonals near which seeds of a unit have their places. An alignment
// that leaves the wavefront has gaps over as many diagonals as there are beside these, and errors in the
// seeds that have no places.
func (n *freeNarrow) certifiesBy(s *nearPlaces, u *laneUnit) int {
	if s.near.count() > narrowLanes {
		return -1
	}
	return min(u.leave.of(leavesNarrow(s.near.first, s.near.last), s.nowhere)-1, maxNarrowScore)
}

// leavesNarrow returns over how many diagonals an alignment goes at least that passes one of the diagonals
// first..last and leaves a narrow wavefront around them.
func leavesNarrow(first, last int) int { return (narrowLanes-1-(last-first))/2 + 1 }

// start sets the pair, for alignments that pass one of the diagonals first..last.
func (n *freeNarrow) start(pattern, text *sequence, first, last int, begins, ends diagonals) {
	a := &n.args
	k0 := first - (narrowLanes-1-(last-first))/2
	a.first = int32(k0)
	a.pattern, a.text = (*byte)(pattern.first()), (*byte)(text.first())
	a.patternLen, a.textLen = int32(pattern.n), int32(text.n)
	a.score = 0
	row := n.row(0)
	for l := range row {
		k := k0 + l
		row[l], n.ends[l] = null, math.MaxInt32
		if begins.has(k) {
			row[l] = int32(max(0, k))
		}
		if ends.has(k) {
			n.ends[l] = int32(min(k+pattern.n, text.n)) - 1
		}
	}
}

// upTo goes on to score stop at most and returns the best end.
func (n *freeNarrow) upTo(stop int) spanCell {
	a := &n.args
	a.stop, a.row = stop, &n.current()[0]
	n.run(a)
	best := noEnd
	for l, h := range n.current() {
		if h > n.ends[l] {
			end := int(n.ends[l]) + 1
			e := spanCell{v: end - n.diagonal(l), h: end, cost: a.score}
			if e.before(best) {
				best = e
			}
		}
	}
	return best
}

// costs reports whether cell (i,j) costs at most c, as costCells.
func (n *freeNarrow) costs(i, j, c int) bool {
	l := j - i - int(n.args.first)
	return l >= 0 && l < narrowLanes && int(n.row(c)[l]) >= j
}
