package align

import "wfagpu/cigar"

// editNarrowArgs is the argument of the narrow kernel for edit distance: wavefronts, as those of
// narrowArgs, but at penalties 1,0,1 a row depends on the M row of the score before alone:
//
//	M(s,k) = max(M(s-1,k) + 1, M(s-1,k-1) + 1, M(s-1,k+1))
//
// Cells from which the end is out of reach, for s + |k - end| is above stop, are null: no
// alignment of score stop or less uses them.
type editNarrowArgs struct {
	row                 *int32 // at score
	pattern, text       *byte
	score, stop         int
	end                 int32 // lane of the end diagonal
	first               int32 // diagonal of lane 0
	patternLen, textLen int32
}

// editNarrow aligns pairs of small edit distance in one call, as narrow does.
type editNarrow struct {
	run  []func(*editNarrowArgs) // for 1, 2, … registers
	args editNarrowArgs
	rows []int32
	// lanes is the number of diagonals of the rows.
	lanes int
}

// newEditNarrow returns nil if the level has no kernels.
func newEditNarrow(run []func(*editNarrowArgs)) *editNarrow {
	if len(run) == 0 {
		return nil
	}
	widest := len(run) * narrowLanes
	return &editNarrow{run: run, rows: make([]int32, widest*(widest+1))}
}

// certified returns the largest score that wavefronts of so many diagonals certify for pairs that
// end on diagonal end, negative when the end cell is out of reach.
func (n *editNarrow) certified(lanes, end int) int {
	first := end/2 - lanes/2
	spare := min(min(0, end)-first, first+lanes-1-max(0, end))
	if spare < 0 {
		return -1
	}
	return min(EditPenalties.leave(end, spare)-1, lanes)
}

// align computes the wavefronts of a pair up to score stop, which some number of diagonals must
// certify, and reports whether they reach the end cell.
func (n *editNarrow) align(pattern, text *sequence, stop int) bool {
	end := text.n - pattern.n
	registers := 1
	for n.certified(registers*narrowLanes, end) < stop {
		registers++
	}
	n.lanes = registers * narrowLanes
	first := end/2 - n.lanes/2
	fillNull(n.rows[:n.lanes])
	n.rows[-first] = 0
	a := &n.args
	a.row, a.score, a.stop = &n.rows[0], 0, stop
	a.first, a.end = int32(first), int32(end-first)
	a.pattern, a.text = (*byte)(pattern.first()), (*byte)(text.first())
	a.patternLen, a.textLen = int32(pattern.n), int32(text.n)
	n.run[registers-1](a)
	return n.row(a.score)[a.end] == a.textLen
}

// row returns the wavefront of score s.
func (n *editNarrow) row(s int) []int32 { return n.rows[s*n.lanes : (s+1)*n.lanes] }

// furthest returns the largest antidiagonal reached at the last score.
func (n *editNarrow) furthest() int { return furthest(n.row(n.args.score), int(n.args.first)) }

// traceback writes the alignment of the pair, whose end cell has been reached, to dst. It follows
// the rule of the package comment; of gaps it takes one letter at a time, as editTrace does.
func (n *editNarrow) traceback(dst cigar.CIGAR, pattern, text *sequence) (cigar.CIGAR, error) {
	dst = dst[:0]
	p, x := pattern.first(), text.first()
	v, h, k := pattern.n, text.n, int(n.args.end)
	for s := n.args.score; ; s-- {
		run := matchesBefore(p, x, v, h)
		dst = dst.AppendElem(runMatch, run)
		v, h = v-run, h-run
		if s == 0 {
			if v != 0 || h != 0 {
				return dst, errTraceback
			}
			dst.Reverse()
			return dst, nil
		}
		before := n.row(s - 1)
		switch {
		case v > 0 && h > 0 && int(before[k]) >= h-1:
			dst = dst.AppendElem(runMismatch, 1)
			v, h = v-1, h-1
		case v > 0 && k+1 < len(before) && int(before[k+1]) >= h:
			dst = dst.AppendElem(runIns, 1)
			v, k = v-1, k+1
		case h > 0 && k > 0 && int(before[k-1]) >= h-1:
			dst = dst.AppendElem(runDel, 1)
			h, k = h-1, k-1
		default:
			return dst, errTraceback
		}
	}
}
