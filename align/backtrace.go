package align

import (
	"errors"

	"wfagpu/cigar"
)

// errBacktrace would mean that scores and wavefronts disagree.
var errBacktrace = errors.New("internal error: no optimal path leads to the end cell")

// Runs to append, without their length.
var (
	runMatch    = cigar.NewElem(cigar.Match, 0)
	runMismatch = cigar.NewElem(cigar.Mismatch, 0)
	runIns      = cigar.NewElem(cigar.Ins, 0)
	runDel      = cigar.NewElem(cigar.Del, 0)
)

// mRows are the M rows of scores 0 and up, for tracing.
type mRows struct {
	rows  []row
	left  int // nulls before a row's first diagonal
	shift int // added to a row's lo and hi gives diagonals
}

// costs reports whether cell h of diagonal k exists and can be reached with
// score s. Costs never fall along a diagonal, so that is when M[s,k] >= h.
func (m *mRows) costs(s, k, h int) bool {
	if s < 0 || h < 0 || h < k {
		return false
	}
	r := &m.rows[s]
	k -= m.shift
	return k >= r.lo && k <= r.hi && int(r.buf[m.left+k-r.lo]) >= h
}

// trace is what a backtrace needs besides the rows: where it starts and ends.
type trace struct {
	pattern, text *sequence
	pen           Penalties
	score         int
	begin, end    component
}

// backtrace walks from the end cell, reached in state t.end with score
// t.score, back to the origin in state t.begin and writes the alignment, first
// column first, to dst, whose old contents are dropped.
//
// It reads nothing but the M rows. Of all optimal alignments it picks one by a
// rule that does not depend on how the scores were computed, so every engine
// reports the same alignment: going back from a cell,
//
//  1. take matches as far as they go (never worse: equal letters can always
//     be aligned to each other);
//  2. then a mismatch if an optimal alignment has one here;
//  3. else the shortest gap that an optimal alignment has here, an insertion
//     before a deletion of equal length.
func (t *trace) backtrace(dst cigar.CIGAR, m mRows) (cigar.CIGAR, error) {
	dst = dst[:0]
	pattern, text := t.pattern.first(), t.text.first()
	x, o, e := t.pen.Mismatch, t.pen.GapOpen, t.pen.GapExtend
	s, k, h := t.score, t.text.n-t.pattern.n, t.text.n
	forced := t.end // the gap state the path ends in, if any
	for {
		if forced == compM {
			n := matchesBefore(pattern, text, h-k, h)
			dst = dst.AppendElem(runMatch, n)
			h -= n
			if s == 0 {
				break
			}
			if m.costs(s-x, k, h-1) {
				dst = dst.AppendElem(runMismatch, 1)
				s, h = s-x, h-1
				continue
			}
		}
		for l := 1; ; l++ {
			if e*l > s {
				return dst, errBacktrace
			}
			if forced != compDel {
				ok := m.costs(s-o-e*l, k+l, h)
				if ok || t.begin == compIns && s == e*l && h == 0 && h-k == l {
					dst = dst.AppendElem(runIns, l)
					k += l
					s -= e * l
					if ok {
						s -= o
					}
					break
				}
			}
			if forced != compIns {
				ok := m.costs(s-o-e*l, k-l, h-l)
				if ok || t.begin == compDel && s == e*l && h-k == 0 && h == l {
					dst = dst.AppendElem(runDel, l)
					k -= l
					h -= l
					s -= e * l
					if ok {
						s -= o
					}
					break
				}
			}
		}
		forced = compM
	}
	dst.Reverse()
	return dst, nil
}

// backtrace traces the alignment that the front, which kept its rows, has
// found.
func (f *front) backtrace(dst cigar.CIGAR, begin, end component) (cigar.CIGAR, error) {
	t := trace{pattern: f.pattern, text: f.text, pen: f.pen, score: f.s, begin: begin, end: end}
	return t.backtrace(dst, mRows{rows: f.kept, left: f.left})
}
