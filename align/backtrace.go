package align

import (
	"errors"

	"wfagpu/cigar"
)

// errBacktrace would mean that scores and wavefronts disagree.
var errBacktrace = errors.New("internal error: no optimal path leads to the end cell")

// backtrace walks from the end cell, reached in state end with the front's
// last score, back to the origin in state begin and writes the alignment, first
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
//
// A cell (v, h) on diagonal k has cost s or less exactly when M[s,k] >= h,
// because costs never fall along a diagonal.
func (f *front) backtrace(dst cigar.CIGAR, begin, end component) (cigar.CIGAR, error) {
	dst = dst[:0]
	pattern, text := f.pattern.first(), f.text.first()
	x, o, e := f.pen.Mismatch, f.pen.GapOpen, f.pen.GapExtend
	s, k, h := f.s, f.end, f.text.n
	forced := end // the gap state the path ends in, if any
	for {
		if forced == compM {
			n := matchesBefore(pattern, text, h-k, h)
			dst = dst.Append(cigar.Match, n)
			h -= n
			if s == 0 {
				break
			}
			if f.costs(s-x, k, h-1) {
				dst = dst.Append(cigar.Mismatch, 1)
				s, h = s-x, h-1
				continue
			}
		}
		for l := 1; ; l++ {
			if e*l > s {
				return dst, errBacktrace
			}
			if forced != compDel {
				ok := f.costs(s-o-e*l, k+l, h)
				if ok || begin == compIns && s == e*l && h == 0 && h-k == l {
					dst = dst.Append(cigar.Ins, l)
					k += l
					s -= e * l
					if ok {
						s -= o
					}
					break
				}
			}
			if forced != compIns {
				ok := f.costs(s-o-e*l, k-l, h-l)
				if ok || begin == compDel && s == e*l && h-k == 0 && h == l {
					dst = dst.Append(cigar.Del, l)
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

// costs reports whether cell h of diagonal k exists and can be reached with
// score s.
func (f *front) costs(s, k, h int) bool {
	return s >= 0 && h >= max(0, k) && f.at(f.row(compM, s), k) >= h
}
