package aligntest

import "wfagpu/align"

// BandedScore returns the optimal penalty of a pair by Gotoh's recurrence over
// a band of diagonals that it widens until the result is proven optimal. It is
// the oracle for pairs whose full matrix would take too long.
func BandedScore(pattern, text []byte, p align.Penalties) int {
	for slack := 16; ; slack *= 4 {
		score, whole := gotohBand(pattern, text, p, slack)
		// The band reaches slack diagonals beyond both the first and the last
		// one. A path that leaves it goes out over slack+1 more and comes back,
		// on top of the |m-n| it has to cross anyway: two gaps at least.
		outside := 2*p.GapOpen + (2*(slack+1)+abs(len(text)-len(pattern)))*p.GapExtend
		if whole || score <= outside {
			return score
		}
	}
}

// gotohBand scores the diagonals k = h-v from min(0,m-n)-slack to
// max(0,m-n)+slack; whole says that these are all there are.
func gotohBand(pattern, text []byte, p align.Penalties, slack int) (score int, whole bool) {
	n, m := len(pattern), len(text)
	lo, hi := min(0, m-n)-slack, max(0, m-n)+slack
	whole = lo <= -n && hi >= m
	lo, hi = max(lo, -n), min(hi, m)
	open, extend := p.GapOpen+p.GapExtend, p.GapExtend

	// One row, indexed by diagonal: before cell (v,h) is computed, its slot
	// holds (v-1,h-1) and the next slot (v-1,h). The ends stay at infinity.
	row := make([]cell, hi-lo+3)
	for j := range row {
		row[j] = cell{infinity, infinity, infinity}
	}
	for v := 0; v <= n; v++ {
		row[0] = cell{infinity, infinity, infinity}
		for h := max(0, v+lo); h <= min(m, v+hi); h++ {
			j := h - v - lo + 1
			if h == 0 {
				row[j-1] = cell{infinity, infinity, infinity} // no column left of the first
			}
			above, left := row[j+1], row[j-1]
			c := cell{
				i: min(above.m+open, above.i+extend),
				d: min(left.m+open, left.d+extend),
			}
			switch {
			case v == 0 && h == 0:
				c.m = 0
			case v == 0 || h == 0:
				c.m = infinity
			default:
				c.m = row[j].m + substitution(pattern[v-1], text[h-1], p)
			}
			c.m = min(c.m, c.i, c.d)
			row[j] = c
		}
	}
	return row[m-n-lo+1].m, whole
}

func abs(a int) int { return max(a, -a) }
