package align

// narrowLanes is how many diagonals a narrow wavefront has.
const narrowLanes = 16

// narrowArgs is the argument of the narrow kernel: wavefronts of all three
// components over narrowLanes fixed diagonals, kept by score in rows of
// narrowRow. It starts by extending the row at score, which is harmless when
// it was extended before, and goes on until the end cell is reached or score
// is stop.
type narrowArgs struct {
	row                    *narrowRow // at score
	pattern, text          *byte
	mismatch, open, extend int // bytes back to the rows of s-x, s-o-e and s-e
	score, stop            int
	end                    int // lane of the end diagonal
	first                  int32
	patternLen, textLen    int32
}

// narrowRow holds the wavefronts of one score, M, Ins and Del.
type narrowRow [3][narrowLanes]int32

const narrowRowBytes = 3 * narrowLanes * 4

// narrowRows bounds the scores that narrow wavefronts go to, and the reach of
// the penalties they take.
const narrowRows = 64

// narrow aligns pairs of small score: one call computes all wavefronts, which
// fit one register a component. Like the band it is exact up to the score at
// which an alignment could leave its diagonals.
type narrow struct {
	run   func(*narrowArgs)
	args  narrowArgs
	rows  []narrowRow // first null rows for scores below 0, then scores from 0
	below int         // null rows
	view  []row       // M rows from score 0 on, in lanes
}

func newNarrow(run func(*narrowArgs), pen Penalties) *narrow {
	below := pen.longestStep()
	if below > narrowRows {
		return nil
	}
	n := &narrow{run: run, below: below, rows: make([]narrowRow, below+narrowRows+1)}
	for i := range n.rows {
		n.rows[i].clear()
	}
	for i := range n.rows[below:] {
		n.view = append(n.view, row{lo: 0, hi: narrowLanes - 1, buf: n.rows[below+i][compM][:]})
	}
	n.args.mismatch = pen.Mismatch * narrowRowBytes
	n.args.open = (pen.GapOpen + pen.GapExtend) * narrowRowBytes
	n.args.extend = pen.GapExtend * narrowRowBytes
	return n
}

func (r *narrowRow) clear() {
	for c := range r {
		for i := range r[c] {
			r[c][i] = null
		}
	}
}

// start prepares the pair and returns the largest score that is certain to be
// optimal, negative when the diagonals do not reach the end cell.
func (n *narrow) start(pattern, text *sequence, pen Penalties) int {
	end := text.n - pattern.n
	first := end/2 - narrowLanes/2
	spare := min(min(0, end)-first, first+narrowLanes-1-max(0, end))
	if spare < 0 {
		return -1
	}
	a := &n.args
	a.first, a.end = int32(first), end-first
	a.pattern, a.text = (*byte)(pattern.first()), (*byte)(text.first())
	a.patternLen, a.textLen = int32(pattern.n), int32(text.n)
	origin := &n.rows[n.below]
	origin[compM][-first] = 0
	a.row, a.score = origin, 0
	return min(pen.leave(end, spare)-1, narrowRows)
}

// upTo goes on to score stop at most and reports whether the end cell has
// been reached.
func (n *narrow) upTo(stop int) bool {
	a := &n.args
	a.stop = stop
	a.row = &n.rows[n.below+a.score]
	n.run(a)
	// Row 0 is otherwise null for every pair.
	return n.rows[n.below+a.score][compM][a.end] >= a.textLen
}

// finish leaves the rows as start wants to find them.
func (n *narrow) finish() {
	n.rows[n.below][compM][-n.args.first] = null
}

// furthest returns the largest antidiagonal reached at the current score.
func (n *narrow) furthest() int {
	return furthest(n.rows[n.below+n.args.score][compM][:], int(n.args.first))
}

// kept returns the M rows for tracing.
func (n *narrow) kept() mRows {
	return mRows{rows: n.view[:n.args.score+1], shift: int(n.args.first)}
}
