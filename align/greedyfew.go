package align

import "unsafe"

// What greedy looks for by narrow wavefronts.
const (
	fewErrors = 8  // most errors that they pass; their cost is at most maxNarrowScore
	fewBefore = 32 // letters of the run before the errors, in which a gap of them may be
	fewPass   = 36 // letters to pass where there is no long run
)

// few passes errors that are close to each other by narrow wavefronts. It follows the first of them that
// has a long run, or else the last one if that has passed letters enough.
func (g *greedy) few() bool {
	w := g.narrow
	if w == nil {
		return false
	}
	each := (g.pen.Mismatch + 2*g.pen.Gap(1) + 2) / 3 // of an error
	most, step := min(fewErrors*each, maxNarrowScore), 2*each
	begin := g.v - min(fewBefore, g.v-g.from)
	m, n := g.m-begin, g.n-begin-g.k
	w.begin(unsafe.Add(g.pattern, begin), unsafe.Add(g.text, begin+g.k), m, n, 0)
	passed, furthest := 2*(g.v-begin), 0
	for s := 1; s <= most; s++ {
		if s > w.args.score && w.upTo(min(s+step-1, most)) && s > w.args.score {
			return false // at the end
		}
		lane, far := w.furthestLane(s)
		furthest = max(furthest, far)
		if far -= passed; far < greedyRun {
			continue
		}
		k := w.diagonal(lane)
		to := begin + int(w.row(s)[lane]) - k
		run := matchesBefore(g.pattern, g.text, to, to+g.k+k)
		if run >= greedyRun || s == most && far >= 2*fewPass {
			s = w.firstTo(lane, to-begin+k)
			// Wavefronts that have come to an end may have passed by this cell.
			if (furthest+w.lanes)/2 < min(m, n) {
				g.know(begin, s, lane, to)
			}
			g.outside += max(0, to-run-g.v)
			// The run begins where that before it has used both sequences.
			g.v, g.k, g.from, g.cost = to, g.k+k, max(to-run, g.v, g.v-k), g.cost+s
			return true
		}
	}
	return false
}

// furthestLane returns the lane that has come to the largest antidiagonal at score s, and that.
func (n *narrow) furthestLane(s int) (lane, far int) {
	reach := n.pen.longest(s)
	origin := -int(n.args.first)
	row := n.row(s)
	far = null
	for i := max(0, origin-reach); i <= min(n.lanes-1, origin+reach); i++ {
		if a := 2*int(row[i]) - i + origin; a > far {
			lane, far = i, a
		}
	}
	return lane, far
}

// firstTo returns the lowest score at which a lane has come to an offset, to which it has come. Behind the end
// of a sequence rows are null: the row of a higher score may not have come so far.
func (n *narrow) firstTo(lane, offset int) int {
	s := 0
	for int(n.row(s)[lane]) < offset {
		s++
	}
	return s
}

// know sets what is known of the errors behind the current run, if wavefronts from letter begin of the
// pattern are certain to have found the optimal alignment that ends at letter to on the diagonal of a lane,
// of score s.
func (g *greedy) know(begin, s, lane, to int) {
	w := g.narrow
	k := w.diagonal(lane)
	if s > w.certain(w.diagonal(0), k) {
		return
	}
	known := knownErrors{known: true, begin: begin, elems: int32(len(g.elems))}
	if !g.score {
		c, err := w.trace.run(g.elems, w, s, lane, to-begin+k)
		if err != nil {
			return // a gap is further back in the run before the errors
		}
		g.elems = c
	}
	known.to = int32(len(g.elems))
	g.after = known
}
